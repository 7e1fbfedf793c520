import tensorflow as tf

from check import run

calls = []


class Recorder(tf.train.SessionRunHook):
    def begin(self):
        calls.append("begin")
    def after_create_session(self, session, coord):
        calls.append("after_create_session")
    def before_run(self, run_context):
        calls.append("before_run")
    def after_run(self, run_context, run_values):
        calls.append("after_run")
    def end(self, session):
        calls.append("end")


c = tf.constant(1.0)
with tf.train.MonitoredSession(hooks=[Recorder()]) as sess:
    for _ in range(2):
        sess.run(c)
assert calls == ["begin", "after_create_session", "before_run", "after_run", "before_run", "after_run", "end"]
