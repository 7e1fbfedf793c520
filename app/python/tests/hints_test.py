"""Hints below the traceback for common mistakes: weft py hints_test.py"""

import io
import os
import sys
import tempfile

import tensorflow as tf
from weft import hints


def said(program):
    tf.reset_default_graph()
    try:
        exec(compile(program, "program.py", "exec"), {"tf": tf})
    except Exception as e:
        return hints.hint(e)
    raise AssertionError("it did not fail: " + program)


def check(program, *parts):
    text = said(program)
    for part in parts:
        assert text and part in text, (program, text, part)


check("tf.get_variable('v', [1])\nwith tf.variable_scope('foo', reuse=True): tf.get_variable('v', [1])", "variable scope 'foo'", "reuse=True", "only looks for foo/v", "There is v.")
check("tf.get_variable('v', [1])\ntf.get_variable('v', [1])", "at the top", "program.py:1", "AUTO_REUSE")
check("a = tf.constant(1., name='a')\ng = tf.Graph()\nwith g.as_default(): tf.constant(2., name='b')\ntf.Session(graph=g).run(a)", "1 node: b", "a:0 (program.py:1)", "1 node: a")
check("v = tf.Variable(1., name='v')\ni = tf.global_variables_initializer()\nw = tf.Variable(1., name='w')\ns = tf.Session()\ns.run(i)\ns.run(w)", "made before the variable w (program.py:3)")
check("v = tf.Variable(1., name='v')\ni = tf.global_variables_initializer()\ntf.Session().run(i)\ntf.Session().run(v)", "this session has not run it")
check("v = tf.Variable(1., name='v', use_resource=True)\ntf.Session().run(v)", "nothing has given v a value")
check("x = tf.Variable(1.)\ny = tf.Variable(1.)\n[tf.clip_by_norm(g, 1.) for g in tf.gradients(x * 2., [x, y])]", "does not depend on")
check("tf.concat(0, [[1], [2]])", "values first")
check("def main(): pass\ntf.app.run(main, ['x'])", "def main(argv):")
check("x = tf.constant\uff081\uff09", "line 1", "( instead of \uff08")
check("tf.train.Int64List(values=[1])", "value: [int]")
check("tf.train.Feature(int64_list=tf.train.FloatList(value=[1.0]))", "takes a tf.train.Int64List", "FloatList")
with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "m.ckpt")
    check("v = tf.Variable(1.)\ns = tf.Session()\ns.run(v.initializer)\nm = tf.train.Saver()\nm.save(s, %r, global_step=7)\nm.restore(s, %r)" % (path, path), "m.ckpt-7")
    check("v = tf.Variable(1.)\ntf.train.Saver().restore(tf.Session(), %r)" % os.path.join(folder, "no", "m.ckpt"), "there is no folder")
    check("tf.gfile.MkDir(%r)" % os.path.join(folder, "a", "b"), "MakeDirs")
    with open(os.path.join(folder, "old_module.py"), "w") as f:
        f.write("print 'x'\n")
    sys.path.insert(0, folder)
    check("import old_module", "translates the module", os.path.join("", "old_module.py`"))
    sys.path.remove(folder)
MODEL = ("import numpy as np\nx = tf.placeholder(tf.float32, [None, 3], name='x')\nloss = tf.reduce_mean(x)\nw = tf.Variable(1.)\ns = tf.Session()\nd = np.ones((4, 3), np.float32)\n")
check(MODEL + "def step(): tf.no_op()\ntrain = step()\ns.run([train, loss], {x: d})", "train is None", "without `return`")
check(MODEL + "s.run({'a': None})", "None", "without `return`")
check(MODEL + "s.run(tf.summary.merge_all())", "no summary yet")
check(MODEL + "for _ in range(2): loss = s.run(loss, {x: d})", "loss is a value", "loss_value = session.run(loss)")
check(MODEL + "_, loss = s.run([x, loss], {x: d})\ns.run([loss])", "loss is a value")
check(MODEL + "s.run(tf.train.AdamOptimizer())", "optimizer.minimize(loss)")
check(MODEL + "s.run(loss)", "feed_dict={x: …}")
check(MODEL + "s.run(loss, {x: np.ones((4, 5))})", "dimension 1 of the value is 5")
check(MODEL + "s.run(loss, {x: np.ones(3)})", "a batch")
check(MODEL + "s.run(loss, {'x': d})", "'x:0'")
check(MODEL + "s.run(loss, {x: tf.ones([4, 3])})", "session.run first")
check(MODEL + "x = d\ns.run(loss, {x: d})", "placeholder's name")
check(MODEL + "if loss > 0: pass", "tf.cond")
check(MODEL + "for row in x: pass", "tf.unstack")
check(MODEL + "float(loss)", "no value while the graph is built")
check(MODEL + "loss.numpy()", "eager")
check(MODEL + "w += 1\nw.assign(3.)", "w is a tensor", "assign_add")
check(MODEL + "tf.constant(1) + tf.constant(2.)", "tf.cast(x, tf.float32)")
check(MODEL + "with s: pass\ns.run(loss, {x: d})", "`with` block")
check(MODEL + "tf.train.AdamOptimizer().minimize(tf.constant(1.))", "without gradient")
check(MODEL + "s.graph.get_tensor_by_name('Mean')", "'Mean:0'")
check(MODEL + "s.graph.get_tensor_by_name('Maen:0')", "Mean:0")
check(MODEL + "e = tf.data.Dataset.range(1).make_one_shot_iterator().get_next()\nfor _ in range(2): s.run(e)", "OutOfRangeError")
check("import tensorflow\nprint 'x', 1", "line 2 is Python 2", "print('x', 1)")
check("try: pass\nexcept ValueError, e: pass", "except ValueError as e:")
check("1 <> 2", "!= in place of <>")
check("for i in xrange(3): pass", "in Python 3 it is range")
check("{}.iteritems()", "items()")
check("w = tf.Variable(1.)\nv = tf.Variable(1.)\ns = tf.Session()\ns.run(tf.gradients(w * 2., [v])[0])", "tf.gradients gives None", "argmax")
check("with tf.train.MonitoredTrainingSession(hooks=[tf.train.StopAtStepHook(3)]) as s: pass", "no global_step", "get_or_create_global_step")


def said_of_training(program):
    """The hints printed, without an error, when a program's session is closed."""
    from weft import hints_of_trainings, session

    hints_of_trainings._said.clear()
    tf.reset_default_graph()
    before, session.watch_trainings = session.watch_trainings, hints_of_trainings.look
    kept, sys.stderr = sys.stderr, io.StringIO()
    try:
        exec(compile(program, "program.py", "exec"), {"tf": tf})
        return sys.stderr.getvalue()
    finally:
        sys.stderr, session.watch_trainings = kept, before


NET = """x = tf.placeholder(tf.float32, [None, 4])
h = tf.layers.batch_normalization(tf.layers.dense(x, 3), training=True)
p = tf.nn.softmax(h)
loss = tf.losses.softmax_cross_entropy(tf.ones([1, 3]), %s) + tf.losses.sigmoid_cross_entropy(tf.ones([1, 3]), %s)
step = tf.train.get_or_create_global_step()
with tf.control_dependencies(%s): train = tf.train.AdamOptimizer().minimize(loss, global_step=%s)
with tf.Session() as s:
    s.run(tf.global_variables_initializer())
    s.run(%s, {x: [[1, 2, 3, 4]]})
"""
UPDATES = "tf.get_collection(tf.GraphKeys.UPDATE_OPS)"
text = said_of_training(NET % ("p", "tf.sigmoid(h)", "[]", "None", "[train, loss]"))
for part in ("moving averages of batch normalization", "(program.py:2)", "applies softmax to its logits itself", "come from Softmax (program.py:3)", "nothing increments global_step (program.py:5)"):
    assert part in text, (part, text)
assert "come from Sigmoid" in said_of_training(NET % ("h", "tf.sigmoid(h)", UPDATES, "step", "train"))
for right in (NET % ("h", "h", UPDATES, "step", "train"), NET % ("h", "h", "[]", "step", "[train, %s]" % UPDATES), NET % ("p", "p", "[]", "None", "h"), NET % ("h", "h", "[]", "None", "loss")):
    assert said_of_training(right) == "", said_of_training(right)

# The program's own exceptions get no hint.
assert said("raise ValueError('mine')") is None
assert said("{}['foo']") is None
print("hints: all as expected")
