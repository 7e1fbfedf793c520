"""tf.contrib.predictor: functions from NumPy arrays to NumPy arrays, made from a SavedModel or an estimator. The session stays open between calls."""

from .. import ops
from ..estimator.estimator import Estimator
from ..estimator.spec import ModeKeys
from ..exports import export
from ..platform import tf_logging as logging
from ..saved.saved_model import load, parse_saved_model
from ..session import Session
from ..training.monitored_session import ChiefSessionCreator, MonitoredSession

_DEFAULT_KEY = "serving_default"
_OLD_KEY = "default_input_alternative:{}"  # what contrib.learn's exports call a signature


class Predictor:
    """A graph with a session; calling it with a dict of arrays gives a dict of arrays."""

    def __init__(self, graph, session, feeds, fetches):
        self._graph, self._session = graph, session
        self._feed_tensors = {k: graph.get_tensor_by_name(name) for k, name in feeds.items()}
        self._fetch_tensors = {k: graph.get_tensor_by_name(name) for k, name in fetches.items()}

    @property
    def graph(self):
        return self._graph

    @property
    def session(self):
        return self._session

    @property
    def feed_tensors(self):
        return self._feed_tensors

    @property
    def fetch_tensors(self):
        return self._fetch_tensors

    def __repr__(self):
        return "{} with feed tensors {} and fetch_tensors {}".format(type(self).__name__, self._feed_tensors, self._fetch_tensors)

    def __call__(self, input_dict):
        """The predictions for the arrays of `input_dict`; inputs that it lacks keep their defaults. ValueError for other keys."""
        unexpected = set(input_dict) - set(self._feed_tensors)
        if unexpected:
            raise ValueError("Got unexpected keys in input_dict: {}\nexpected: {}".format(unexpected, set(self._feed_tensors)))
        fed = {tensor: input_dict[key] for key, tensor in self._feed_tensors.items() if input_dict.get(key) is not None}
        return self._session.run(fetches=self._fetch_tensors, feed_dict=fed)


def get_meta_graph_def(saved_model_dir, tags):
    """The MetaGraphDef of a SavedModel with exactly the tags of a text like "serve,gpu"."""
    wanted = {tag.strip() for tag in tags.split(",")}
    for meta in parse_saved_model(saved_model_dir).meta_graphs:
        if set(meta.meta_info_def.tags) == wanted:
            return meta
    raise ValueError("Could not find MetaGraphDef with tags {}".format(tags))


def _get_signature_def(signature_def_key, export_dir, tags):
    key = signature_def_key or _DEFAULT_KEY
    signatures = get_meta_graph_def(export_dir, tags).signature_def
    if key in signatures:
        return signatures[key]
    old = _OLD_KEY.format(key)
    if old not in signatures:
        raise ValueError('Got signature_def_key "{}". Available signatures are {}.'.format(key, list(signatures)))
    logging.warning('Could not find signature def "%s". Using "%s" instead', key, old)
    return signatures[old]


def _check_signature_arguments(signature_def_key, signature_def, input_names, output_names):
    if (input_names is None) != (output_names is None):
        raise ValueError("input_names and output_names must both be specified or both be unspecified.")
    if sum(x is not None for x in (signature_def_key, signature_def, input_names)) > 1:
        raise ValueError("You must specify at most one of signature_def_key OR signature_def OR(input_names AND output_names).")


class SavedModelPredictor(Predictor):
    """The predictor of a SavedModel."""

    def __init__(self, export_dir, signature_def_key=None, signature_def=None, input_names=None, output_names=None, tags=None, graph=None, config=None):
        _check_signature_arguments(signature_def_key, signature_def, input_names, output_names)
        tags = tags or "serve"
        graph = graph or ops.Graph()
        with graph.as_default():
            session = Session(config=config)
            load(session, tags.split(","), export_dir)
        if input_names is None:
            signature = signature_def if signature_def is not None else _get_signature_def(signature_def_key, export_dir, tags)
            input_names, output_names = ({k: info.name for k, info in part.items()} for part in (signature.inputs, signature.outputs))
        super().__init__(graph, session, input_names, output_names)


class CoreEstimatorPredictor(Predictor):
    """The predictor of an estimator's last checkpoint."""

    def __init__(self, estimator, serving_input_receiver_fn, output_key=None, graph=None, config=None):
        graph = graph or ops.Graph()
        with graph.as_default():
            receiver = serving_input_receiver_fn()
            outputs = estimator.model_fn(receiver.features, None, ModeKeys.PREDICT, estimator.config).export_outputs
            output = outputs.get(_DEFAULT_KEY if output_key is None else output_key)
            if output is None:
                raise KeyError("output_key must be one of {}; got {}".format(outputs.keys(), output_key))
            signature = output.as_signature_def(receiver.receiver_tensors)
            session = MonitoredSession(session_creator=ChiefSessionCreator(config=config, checkpoint_dir=estimator.model_dir))
        super().__init__(graph, session, {k: info.name for k, info in signature.inputs.items()}, {k: info.name for k, info in signature.outputs.items()})


@export("contrib.predictor.from_saved_model")
def from_saved_model(export_dir, signature_def_key=None, signature_def=None, input_names=None, output_names=None, tags=None, graph=None, config=None):
    """The predictor of a SavedModel's signature, or of named tensors: `input_names` and `output_names` are dicts of tensor names. `tags` is a text like "serve,gpu"."""
    return SavedModelPredictor(export_dir, signature_def_key=signature_def_key, signature_def=signature_def, input_names=input_names, output_names=output_names, tags=tags,
                               graph=graph, config=config)


@export("contrib.predictor.from_estimator")
def from_estimator(estimator, serving_input_receiver_fn, output_key=None, graph=None, config=None):
    """The predictor of one of an estimator's export outputs, from its last checkpoint."""
    if not isinstance(estimator, Estimator):
        raise TypeError("Expected estimator to be of type tf.python.estimator.Estimator, but got type {}.".format(type(estimator).__name__))
    return CoreEstimatorPredictor(estimator, serving_input_receiver_fn, output_key=output_key, graph=graph, config=config)
