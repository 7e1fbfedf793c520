"""The libraries and programs of tensorflow.python.tools: they use the engine, keep what other nodes read, and say in one line what is wrong."""

import os
import subprocess
import sys
import tempfile

import numpy as np
import tensorflow.compat.v1 as tf
from tensorflow.python.tools import optimize_for_inference_lib, strip_unused_lib
from tensorflow.tools.graph_transforms import TransformGraph

WEFT = os.path.abspath(sys.argv[1])


def conv_norm(shared):
    """A graph with a convolution and a batch norm; `shared`: the convolution has another reader."""
    with tf.Graph().as_default() as graph:
        x = tf.placeholder(tf.float32, [1, 2, 2, 1], name="x")
        c = tf.nn.conv2d(x, tf.constant(np.float32([2, -3]).reshape(1, 1, 1, 2), name="w"), [1, 1, 1, 1], "SAME", name="c")
        p = [tf.constant([0.5 + i, 1.5], name="p%d" % i) for i in range(4)]
        tf.nn.relu(tf.nn.fused_batch_norm(c, *p, epsilon=0.001, is_training=False, name="n")[0], name="out")
        if shared:
            tf.nn.relu(c, name="out2")
    graph_def = graph.as_graph_def()
    for node in graph_def.node:
        if node.op.startswith("FusedBatchNorm"):
            node.op = "FusedBatchNorm"
            node.attr.pop("U", None)
    return graph_def


def values(graph_def, outputs):
    with tf.Graph().as_default():
        tf.import_graph_def(graph_def, name="")
        with tf.Session() as sess:
            return sess.run([o + ":0" for o in outputs], {"x:0": np.float32([1, 2, -3, 4]).reshape(1, 2, 2, 1)})


def raises(kind, text, call, *args):
    try:
        call(*args)
    except kind as e:
        assert text in str(e), e
        return
    raise AssertionError("no %s: %s" % (kind.__name__, text))


def test_libraries():
    for shared in (False, True):
        graph_def, outputs = conv_norm(shared), ["out", "out2"][:1 + shared]
        for make in (lambda: optimize_for_inference_lib.optimize_for_inference(graph_def, ["x"], outputs, tf.float32.as_datatype_enum),
                     lambda: optimize_for_inference_lib.fold_batch_norms(graph_def), lambda: TransformGraph(graph_def, ["x"], outputs, ["fold_old_batch_norms"])):
            made = make()
            assert any(n.op == "FusedBatchNorm" for n in made.node) == shared
            for want, found in zip(values(graph_def, outputs), values(made, outputs)):
                np.testing.assert_allclose(found, want, rtol=1e-5)
    stripped = strip_unused_lib.strip_unused(conv_norm(False), ["c"], ["out"], [tf.float32.as_datatype_enum])
    assert [n.op for n in stripped.node if n.name == "c"] == ["Placeholder"] and not any(n.name == "x" for n in stripped.node)
    raises(KeyError, "The following input nodes were not found: {'absent'}", strip_unused_lib.strip_unused, conv_norm(False), ["absent"], ["out"], 1)
    raises(ValueError, "Name 'x:0' appears to refer to a Tensor", strip_unused_lib.strip_unused, conv_norm(False), ["x:0"], ["out"], 1)
    raises(AssertionError, "absent is not in graph", strip_unused_lib.strip_unused, conv_norm(False), ["x"], ["absent"], 1)
    twice = conv_norm(False)
    twice.node.add().CopyFrom(twice.node[0])
    raises(ValueError, "Duplicate node names detected", optimize_for_inference_lib.optimize_for_inference, twice, ["x"], ["out"], 1)


def program(folder, module, *words):
    """Exit status, stdout and stderr of `weft py -m module words`."""
    run = subprocess.run([WEFT, "py", "-m", module] + list(words), cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=100)
    return run.returncode, run.stdout.decode(), run.stderr.decode()


def says(folder, text, module, *words):
    """Expects exit status 1 and one line with the text."""
    status, _, err = program(folder, module, *words)
    assert status == 1 and text in err and err.startswith("weft: ") and err.count("\n") == 1, (module, words, status, err)


def test_programs():
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "graph.pb"), "wb") as f:
            f.write(conv_norm(False).SerializeToString())
        with open(os.path.join(folder, "junk.pb"), "wb") as f:
            f.write(b"\x0a\xff\xff")
        says(folder, "No module named", "nosuch.mod")
        says(folder, "No module named", "nosuch")
        says(folder, "No module named", "json.nosuch")
        tools = "tensorflow.python.tools."
        optimize = ["--output=out.pb", "--input_names=x", "--output_names=out"]
        assert program(folder, tools + "optimize_for_inference", "--input=graph.pb", *optimize)[0] == 0
        with open(os.path.join(folder, "out.pb"), "rb") as f:
            before = f.read()
        says(folder, "junk.pb is no binary GraphDef", tools + "optimize_for_inference", "--input=junk.pb", *optimize)
        says(folder, "'many' is no list of numbers", tools + "optimize_for_inference", "--input=graph.pb", "--placeholder_type_enum=many", *optimize)
        says(folder, "absent is not in graph", tools + "optimize_for_inference", "--input=graph.pb", *optimize[:2], "--output_names=absent")
        strip = ["--output_graph=out.pb", "--output_node_names=out", "--input_binary=true"]
        says(folder, "not found: {'absent'}", tools + "strip_unused", "--input_graph=graph.pb", "--input_node_names=absent", *strip)
        says(folder, "junk.pb is no binary GraphDef", tools + "strip_unused", "--input_graph=junk.pb", "--input_node_names=x", *strip)
        says(folder, "graph.pb is no text GraphDef", tools + "strip_unused", "--input_graph=graph.pb", "--input_node_names=x", *strip[:2])
        says(folder, "junk.pb is no binary GraphDef", tools + "import_pb_to_tensorboard", "--model_dir=junk.pb", "--log_dir=log")
        says(folder, "--output_graph needs the file", tools + "freeze_graph", "--input_graph=graph.pb", "--input_binary=true", "--output_node_names=out")
        says(folder, "junk.pb is no binary GraphDef", tools + "freeze_graph", "--input_graph=junk.pb", "--input_binary=true", "--output_graph=out.pb", "--output_node_names=out")
        status, _, err = program(folder, tools + "import_pb_to_tensorboard", "--model_dir=graph.pb", "--log_dir=")
        assert status == 2 and "--log_dir: needs a value" in err, err
        with open(os.path.join(folder, "out.pb"), "rb") as f:
            assert f.read() == before
        assert sorted(os.listdir(folder)) == ["graph.pb", "junk.pb", "out.pb"], os.listdir(folder)


def test_outputs():
    """Links are followed, pipes are written to, and a full disk leaves the old file and no other."""
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "graph.pb"), "wb") as f:
            f.write(conv_norm(False).SerializeToString())
        os.mkdir(os.path.join(folder, "real"))
        os.symlink("real/out.pb", os.path.join(folder, "link.pb"))
        optimize = ["tensorflow.python.tools.optimize_for_inference", "--input=graph.pb", "--input_names=x", "--output_names=out"]
        for _ in range(2):  # the link leads nowhere at first, then to a file
            assert program(folder, *optimize, "--output=link.pb")[0] == 0
            assert os.path.islink(os.path.join(folder, "link.pb")) and os.listdir(os.path.join(folder, "real")) == ["out.pb"]
        with open(os.path.join(folder, "link.pb"), "rb") as f:
            before = f.read()
        os.mkfifo(os.path.join(folder, "pipe"))
        os.symlink("pipe", os.path.join(folder, "link"))
        for name in ("pipe", "link"):
            reader = subprocess.Popen(["cat", os.path.join(folder, name)], stdout=subprocess.PIPE)
            assert program(folder, *optimize, "--output=" + name)[0] == 0
            assert tf.GraphDef.FromString(reader.communicate(timeout=100)[0]) == tf.GraphDef.FromString(before)
        says(folder, "real; Is a directory", *optimize, "--output=real")
        says(folder, "absent/out.pb; No such file or directory", *optimize, "--output=absent/out.pb")
        limited = "ulimit -f 0; trap '' XFSZ; exec \"$@\""
        run = subprocess.run(["bash", "-c", limited, "bash", WEFT, "py", "-m"] + optimize + ["--output=link.pb"], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                             timeout=100)
        assert run.returncode == 1 and b"link.pb; File too large" in run.stderr and b".tmp" not in run.stderr, run.stderr
        with open(os.path.join(folder, "real", "out.pb"), "rb") as f:
            assert f.read() == before
        assert sorted(os.listdir(folder)) == ["graph.pb", "link", "link.pb", "pipe", "real"] and os.listdir(os.path.join(folder, "real")) == ["out.pb"]


def test_freezing():
    with tempfile.TemporaryDirectory() as folder:
        with tf.Graph().as_default() as graph, tf.Session() as sess:
            v = tf.get_variable("v", initializer=[1.0, 2.0], use_resource=False)
            tf.multiply(v, 2.0, name="y")
            sess.run(tf.global_variables_initializer())
            tf.train.Saver().save(sess, os.path.join(folder, "model"))
            tf.io.write_graph(graph.as_graph_def(), folder, "graph.pb", as_text=False)
        words = [WEFT, "tools", "freeze_graph", "--input_graph=graph.pb", "--input_checkpoint=model", "--output_graph=out.pb", "--output_node_names=y"]
        for option in ("whitelist", "blacklist"):
            run = subprocess.run(words + ["--variable_names_%s=v,y" % option], cwd=folder, stderr=subprocess.PIPE, timeout=100)
            assert run.returncode == 1 and b"--variable_names_%s: the graph has no variable 'y'" % option.encode() in run.stderr, run.stderr
            assert not os.path.exists(os.path.join(folder, "out.pb"))
        assert subprocess.run(words + ["--variable_names_whitelist=v"], cwd=folder, timeout=100).returncode == 0
        python = ["tensorflow.python.tools.freeze_graph", "--input_binary=true"] + words[3:]
        assert "no variable 'y'" in program(folder, *python, "--variable_names_blacklist=v,y")[2] and "no variable" not in program(folder, *python, "--variable_names_whitelist=v")[2]
        with open(os.path.join(folder, "out.pb"), "rb") as f:
            assert not any(n.op.startswith("Variable") for n in tf.GraphDef.FromString(f.read()).node)


def test_signatures():
    with tempfile.TemporaryDirectory() as folder:
        with tf.Graph().as_default(), tf.Session() as sess:
            x = tf.placeholder(tf.float32, [None], name="x")
            tf.saved_model.simple_save(sess, os.path.join(folder, "saved"), {"x": x}, {"y": x * 2.0})
        words = ["--dir", "saved", "--tag_set", "serve", "--signature_def"]
        for command in (["show"] + words + ["serving"], ["run"] + words + ["serving", "--input_exprs", "x=[1.0]"]):
            says(folder, 'no SignatureDef with the key "serving"; it has "serving_default"', "tensorflow.python.tools.saved_model_cli", *command)
        with open(os.path.join(folder, "junk.npy"), "wb") as f:
            f.write(b"junk")
        for option, text in (("--inputs=x=junk.npy", "junk.npy holds no arrays"), ("--input_exprs=x=[1", "the expression of x cannot be evaluated: [1"),
                             ("--input_exprs=x=['a']", "could not convert string to float")):
            says(folder, text, "tensorflow.python.tools.saved_model_cli", "run", *words, "serving_default", option)
        status, out, err = program(folder, "tensorflow.python.tools.saved_model_cli", "run", *words, "serving_default", "--input_exprs", "x=[1.5]")
        assert status == 0 and "[3.]" in out, err


if __name__ == "__main__":
    test_libraries()
    test_programs()
    test_outputs()
    test_freezing()
    test_signatures()
    print("ok")
