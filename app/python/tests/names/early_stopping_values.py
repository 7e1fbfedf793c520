tf.logging.set_verbosity("ERROR")
import os
d = os.path.join(os.getcwd(), "model")
def fn(features,labels,mode):
    w=tf.get_variable("w",[],initializer=tf.zeros_initializer())
    loss=tf.reduce_mean(tf.square(features["x"]*w-labels))
    return tf.estimator.EstimatorSpec(mode,loss=loss,train_op=tf.train.GradientDescentOptimizer(.1).minimize(loss,tf.train.get_global_step()))
e=tf.estimator.Estimator(fn,d)
inp=lambda: tf.data.Dataset.from_tensors(({"x":[1.,2.]},[2.,4.])).repeat()
h=tf.estimator.experimental.stop_if_lower_hook(e,"loss",4.0,run_every_secs=None,run_every_steps=1)
h2=tf.estimator.experimental.stop_if_no_decrease_hook(e,"loss",max_steps_without_decrease=1000,run_every_secs=None,run_every_steps=1)
e.train(inp,steps=3,hooks=[h,h2]); show(e.evaluate(inp, steps=1)["loss"]); e.train(inp,steps=10,hooks=[h,h2])
show(e.get_variable_value("global_step"), e.get_variable_names())
show(raises(lambda: tf.estimator.experimental.make_early_stopping_hook(3,lambda:1)))
