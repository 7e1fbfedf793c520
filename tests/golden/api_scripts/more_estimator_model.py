def model_fn(features, labels, mode, params):
    net = tf.layers.dense(features["x"], params["n"], tf.nn.relu)
    logits = tf.layers.dense(net, 3)
    pred = {"c": tf.argmax(logits, 1), "p": tf.nn.softmax(logits, name="softmax_tensor")}
    if mode == tf.estimator.ModeKeys.PREDICT:
        return tf.estimator.EstimatorSpec(mode, predictions=pred)
    loss = tf.losses.sparse_softmax_cross_entropy(labels, logits)
    m = {"acc": tf.metrics.accuracy(labels, pred["c"])}
    if mode == tf.estimator.ModeKeys.EVAL:
        return tf.estimator.EstimatorSpec(mode, loss=loss, eval_metric_ops=m)
    return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=tf.train.GradientDescentOptimizer(.1).minimize(loss, tf.train.get_global_step()))
tf.train.create_global_step()
s = model_fn({"x": tf.placeholder(tf.float32, [None, 4])}, tf.placeholder(tf.int32, [None]), tf.estimator.ModeKeys.TRAIN, {"n": 5})
show(s.loss, s.train_op, s.mode)
