"""Trains programs one after another: reads one request (JSON) per line, writes the values to the file named there, answers with a line of JSON.

Run it with `weft py` or with TensorFlow 1.15's Python; both sides of a comparison use this file. A request has
  seed, dtype, out   the program, and the file for the values: PLAN NUMBER/STEP/NAME -> array
  graph              the file for the graph and its feeds, to be used as `given`; the answer then describes the nodes
  given              such a file: its graph is imported and trained instead of building one
and optionally drop (stages to leave out), plan_count, kinds, only (numbers of plans), steps, perturb (a number: all initial values are moved by one rounding
error), forced (a file of values: each step starts from that run's variables), fetch (tensors to fetch in each step), gradients (sizes of the gradients of the
first step), and for Weft threads, without (names of passes), interrupted (saved and restored halfway: "session", or "graph" as well).
"""

import hashlib
import json
import os
import pickle
import shutil
import sys
import tempfile
import time
import traceback

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import numpy as np
import tensorflow as tf

from program import STEPS, Program

tf.logging.set_verbosity(tf.logging.ERROR)


def _attribute(value):
    if value.WhichOneof("value") == "tensor":
        array = tf.make_ndarray(value.tensor)
        return "tensor %s %s %s" % (value.tensor.dtype, array.shape, hashlib.md5(array.tobytes() if array.dtype != object else repr(array.tolist()).encode()).hexdigest())
    if value.WhichOneof("value") == "list" and value.list.s:
        return repr(sorted(value.list.s))
    return value.SerializeToString(deterministic=True).hex()


def described(graph_def):
    """Each node as name, op, inputs, device, attributes."""
    out = []
    for n in graph_def.node:
        data = [i for i in n.input if not i.startswith("^")]
        control = sorted(i for i in n.input if i.startswith("^"))
        out.append([n.name, n.op, data + control, n.device, {k: _attribute(v) for k, v in n.attr.items() if k != "_output_shapes"}])
    return out


def is_weft():
    return "weft" in sys.modules


def open_session(request, graph):
    config = tf.ConfigProto(intra_op_parallelism_threads=request.get("threads", 1), inter_op_parallelism_threads=1)
    if not is_weft():
        config.graph_options.rewrite_options.disable_meta_optimizer = True
        return tf.Session(graph=graph, config=config)
    from weft import settings

    plain = settings.session_options
    settings.session_options = lambda c: dict(plain(c), disabled_passes=request.get("without", []))
    try:
        return tf.Session(graph=graph, config=config)
    finally:
        settings.session_options = plain


def _names(fetch):
    """The names of the operations that a plan runs, as a list."""
    return [f.name for f in fetch] if isinstance(fetch, (list, tuple)) else [fetch.name]


def built(request):
    """Builds the program; returns its graph, and everything needed for training by name."""
    program = Program(request["seed"], request["dtype"], request.get("drop", ()), request.get("plan_count", 6), request.get("kinds"))
    facts = {"single": program.net.single, "used": sorted(program.net.used), "stages": program.stages, "plans": [p.kind for p in program.plans],
             "train": [_names(p.train) for p in program.plans], "fetch": [p.fetch for p in program.plans], "init": program.init.name, "feeds": program.feeds(),
             "trainable": []}
    graph_def = program.graph.as_graph_def()
    with program.graph.as_default():
        facts["counter"] = tf.train.get_global_step().name
        # (name, tensor that reads it, op that sets it, input tensor of that op).
        facts["variables"] = [(v.name, v.read_value().name, v.initializer.name, v.initializer.inputs[1].name) for v in program.variables]
        if request.get("interrupted"):
            facts["saver"] = tf.train.Saver(program.variables)
        if request.get("gradients"):
            trainable = tf.trainable_variables()
            facts["gradients"] = [(v.name, tf.reduce_max(tf.abs(tf.convert_to_tensor(g))).name) for v, g in zip(trainable, tf.gradients(program.loss, trainable)) if g is not None]
    if request.get("graph"):
        facts["nodes"] = described(graph_def)
        kept = {k: v for k, v in facts.items() if k not in ("nodes", "saver")}
        with open(request["graph"], "wb") as f:
            pickle.dump((program.graph.as_graph_def().SerializeToString(), kept), f, protocol=4)
    return program.graph, facts


def given(request):
    with open(request["given"], "rb") as f:
        data, facts = pickle.load(f)
    graph_def = tf.GraphDef.FromString(data)
    graph = tf.Graph()
    with graph.as_default():
        tf.import_graph_def(graph_def, name="")
    return graph, facts


class Training:
    """One plan of a program in a session of its own."""

    def __init__(self, graph, facts, request, number, out, copies):
        """copies: the graph after it was written and read, made once for all plans."""
        self.graph, self.facts, self.request, self.number, self.out, self.copies = graph, facts, request, number, out, copies
        others = tuple("plan%d/" % i for i in range(len(facts["train"])) if i != number)
        self.variables = [v for v in facts["variables"] if not v[0].startswith(others)]

    def _keep(self, step, name, value):
        self.out["%d/%d/%s" % (self.number, step, name)] = np.asarray(value)

    def _read(self, session, step):
        values = session.run([v[1] for v in self.variables])
        for v, value in zip(self.variables, values):
            self._keep(step, v[0], value)
        return values

    def _set(self, session, variable, value):
        session.run(variable[2], {variable[3]: value})

    def run(self):
        request, facts = self.request, self.facts
        noise = np.random.RandomState(request["perturb"]) if request.get("perturb") else None
        forced = np.load(request["forced"]) if request.get("forced") else None
        steps = request.get("steps", STEPS)
        session = open_session(request, self.graph)
        session.run(facts["init"])
        values = self._read(session, 0)
        if noise is not None:
            for v, value in zip(self.variables, values):
                if value.dtype.kind == "f":
                    self._set(session, v, _aside(noise, value))
            self._read(session, 0)
        for step in range(1, steps + 1):
            if forced is not None:
                for v in self.variables:
                    self._set(session, v, forced["%d/%d/%s" % (self.number, step - 1, v[0])])
            feed = {p: values[step - 1] for p, values in facts["feeds"].items()}
            if noise is not None:
                feed = {p: _aside(noise, x) if x.dtype.kind == "f" else x for p, x in feed.items()}
            if request.get("gradients") and step == 1:
                self._gradients(feed)
            wanted = request.get("fetch", [])
            train = facts["train"][self.number]
            fetched = session.run(train + wanted, feed)
            for name, value in zip(wanted, fetched[len(train):]):
                self._keep(step, "fetched " + name, value)
            if facts["fetch"][self.number] in ("dependent loss", "loss and train"):
                self._keep(step, "(loss)", fetched[0])
            self._read(session, step)
            if step == steps // 2 and request.get("interrupted"):
                session = self._interrupted(session)
        session.close()

    def _gradients(self, feed):
        """The sizes of the gradients of the loss, in a separate session, because running them advances random streams."""
        session = open_session(self.request, self.graph)
        session.run(self.facts["init"])
        for (name, _), value in zip(self.facts["gradients"], session.run([g for _, g in self.facts["gradients"]], feed)):
            self._keep(1, "gradient " + name, value)
        session.close()

    def _interrupted(self, session):
        """Continues in another session from a checkpoint, optionally with a graph that was written and read."""
        folder = tempfile.mkdtemp()
        try:
            saver = self.facts["saver"]
            path = saver.save(session, os.path.join(folder, "model"), write_meta_graph=False)
            session.close()
            graph = self.graph
            if self.request["interrupted"] == "graph":
                if not self.copies:
                    with graph.as_default():
                        saver.export_meta_graph(path + ".meta")
                    copy = tf.Graph()
                    with copy.as_default():
                        self.copies.append((copy, tf.train.import_meta_graph(path + ".meta")))
                graph, saver = self.copies[0]
            session = open_session(self.request, graph)
            saver.restore(session, path)
            return session
        finally:
            shutil.rmtree(folder)


def _aside(noise, value):
    return np.asarray(value * (1 + np.finfo(value.dtype).eps * noise.randint(-1, 2, value.shape)), value.dtype)


def train(graph, facts, request):
    """Trains as requested; returns the values and the sessions' errors."""
    out, refused, copies = {}, {}, []
    for number in request["only"] if request.get("only") else range(len(facts["train"])):
        try:
            Training(graph, facts, request, number, out, copies).run()
        except tf.errors.OpError as e:
            refused[str(number)] = [type(e).__name__, str(e)[:600]]
    return out, refused


def answer(request):
    start = time.time()
    graph, facts = given(request) if request.get("given") else built(request)
    reply = {k: facts[k] for k in ("single", "used", "stages", "plans", "nodes") if k in facts}
    reply["built_s"] = time.time() - start
    out, reply["refused"] = train(graph, facts, request)
    np.savez(request["out"], **out)
    reply["s"] = time.time() - start
    return reply


def main():
    replies = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # for all other output
    for line in sys.stdin:
        request = json.loads(line)
        try:
            reply = answer(request)
        except Exception as e:
            reply = {"error": [type(e).__name__, str(e)[:600], traceback.format_exc()[-3000:]]}
        replies.write(json.dumps(reply) + "\n")
        replies.flush()


if __name__ == "__main__":
    main()
