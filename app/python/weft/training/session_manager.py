"""tf.train.SessionManager: creates sessions that are restored or initialized."""

import time

import numpy as np

from .. import errors, ops
from ..exports import export
from ..platform import tf_logging as logging
from ..session import Session
from .checkpoints import get_checkpoint_state


def is_ready(op, session, message):
    """(whether everything is initialized, the reason if not)"""
    if op is None:
        return True, None
    try:
        names = session.run(op)
    except errors.FailedPreconditionError as e:
        if "uninitialized" not in str(e):
            logging.warning("%s : error [%s]", message, e)
            raise
        return False, str(e)
    if names is None or names.dtype == np.int32 or names.size == 0:
        return True, None
    return False, "Variables not initialized: " + ", ".join(n.decode("utf-8") for n in names)


def _name_of(what):
    if what is None:
        return "None"
    return what.name if hasattr(what, "name") else "<no name for %s>" % type(what)


@export("train.SessionManager")
class SessionManager:
    """Restores from checkpoints, runs initialization ops, and checks that the model is ready."""

    def __init__(self, local_init_op=None, ready_op=None, ready_for_local_init_op=None, graph=None, recovery_wait_secs=30,
                 local_init_run_options=None):
        if ready_for_local_init_op is not None and local_init_op is None:
            raise ValueError("If you pass a ready_for_local_init_op you must also pass a local_init_op , ready_for_local_init_op [%s]"
                             % ready_for_local_init_op)
        self._graph = ops.get_default_graph() if graph is None else graph
        self._local_init_op, self._ready_op, self._ready_for_local = local_init_op, ready_op, ready_for_local_init_op
        self._wait, self._options = recovery_wait_secs, local_init_run_options

    def _restored(self, master, saver, checkpoint_dir, checkpoint_filename_with_path, wait_for_checkpoint, max_wait_secs, config):
        """(session, whether a checkpoint was restored)"""
        session = Session(master, graph=self._graph, config=config)
        if checkpoint_dir and checkpoint_filename_with_path:
            raise ValueError("Can not provide both checkpoint_dir and checkpoint_filename_with_path.")
        if not saver or not (checkpoint_dir or checkpoint_filename_with_path):
            return session, False
        if checkpoint_filename_with_path:
            saver.restore(session, checkpoint_filename_with_path)
            return session, True
        waited = 0
        state = get_checkpoint_state(checkpoint_dir)
        while not state or not state.model_checkpoint_path:
            if not wait_for_checkpoint or waited >= max_wait_secs:
                return session, False
            logging.info("Waiting for checkpoint to be available.")
            time.sleep(self._wait)
            waited += self._wait
            state = get_checkpoint_state(checkpoint_dir)
        saver.restore(session, state.model_checkpoint_path)
        saver.recover_last_checkpoints(state.all_model_checkpoint_paths)
        return session, True

    def prepare_session(self, master, init_op=None, saver=None, checkpoint_dir=None, checkpoint_filename_with_path=None, wait_for_checkpoint=False,
                        max_wait_secs=7200, config=None, init_feed_dict=None, init_fn=None):
        """A session that was restored or initialized. RuntimeError if the model is not ready then."""
        session, restored = self._restored(master, saver, checkpoint_dir, checkpoint_filename_with_path, wait_for_checkpoint, max_wait_secs, config)
        if not restored:
            if init_op is None and not init_fn and self._local_init_op is None:
                raise RuntimeError("Model is not initialized and no init_op or init_fn or local_init_op was given")
            if init_op is not None:
                session.run(init_op, feed_dict=init_feed_dict)
            if init_fn:
                init_fn(session)
        done, message = self._run_local_init(session)
        if not done:
            raise RuntimeError("Init operations did not make model ready for local_init.  Init op: %s, init fn: %s, error: %s"
                               % (_name_of(init_op), init_fn, message))
        ready, message = is_ready(self._ready_op, session, "Model not ready")
        if not ready:
            raise RuntimeError("Init operations did not make model ready.  Init op: %s, init fn: %s, local_init_op: %s, error: %s"
                               % (_name_of(init_op), init_fn, self._local_init_op, message))
        return session

    def recover_session(self, master, saver=None, checkpoint_dir=None, checkpoint_filename_with_path=None, wait_for_checkpoint=False,
                        max_wait_secs=7200, config=None):
        """(session, whether it was restored and is ready)"""
        session, restored = self._restored(master, saver, checkpoint_dir, checkpoint_filename_with_path, wait_for_checkpoint, max_wait_secs, config)
        done, message = self._run_local_init(session)
        if not restored:
            return session, False
        where = checkpoint_dir or checkpoint_filename_with_path
        if not done:
            logging.info("Restoring model from %s did not make model ready for local init: %s", where, message)
            return session, False
        ready, message = is_ready(self._ready_op, session, "Model not ready")
        if not ready:
            logging.info("Restoring model from %s did not make model ready: %s", where, message)
            return session, False
        logging.info("Restored model from %s", where)
        return session, True

    def wait_for_session(self, master, config=None, max_wait_secs=float("Inf")):
        """A session, once another process has initialized the model. DeadlineExceededError after max_wait_secs."""
        max_wait_secs = float("Inf") if max_wait_secs is None else max_wait_secs
        until = time.time() + max_wait_secs
        while True:
            session = Session(master, graph=self._graph, config=config)
            why = None
            done, local_why = self._run_local_init(session)
            if done:
                ready, why = is_ready(self._ready_op, session, "Model not ready")
                if ready:
                    return session
            session.close()
            if max(0, until - time.time()) - self._wait < 0:
                raise errors.DeadlineExceededError(None, None, "Session was not ready after waiting %d secs." % (max_wait_secs,))
            logging.info("Waiting for model to be ready.  Ready_for_local_init_op:  %s, ready: %s", local_why, why)
            time.sleep(self._wait)

    def _run_local_init(self, session):
        if self._local_init_op is None:
            return True, None
        ready, message = is_ready(self._ready_for_local, session, "Model not ready for local init")
        if not ready:
            return False, message
        logging.info("Running local_init_op.")
        session.run(self._local_init_op, options=self._options)
        logging.info("Done running local_init_op.")
        return True, None
