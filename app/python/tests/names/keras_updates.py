"""Updates of Keras optimizers, node by node and in TensorFlow's order: dense and sparse gradients, two types, all slots, schedules, clipping, constraints."""
import hashlib
k = tf.keras.optimizers
makers = [lambda: k.SGD(0.1), lambda: k.SGD(0.1, momentum=0.9), lambda: k.SGD(0.1, momentum=0.9, nesterov=True, decay=0.01), lambda: k.RMSprop(), lambda: k.RMSprop(momentum=0.5),
          lambda: k.RMSprop(centered=True), lambda: k.RMSprop(centered=True, momentum=0.5), lambda: k.Adagrad(), lambda: k.Adadelta(), lambda: k.Adam(), lambda: k.Adam(amsgrad=True),
          lambda: k.Adam(decay=0.1), lambda: k.Adamax(), lambda: k.Nadam(), lambda: k.Nadam(schedule_decay=0.01), lambda: k.Ftrl(),
          lambda: k.Ftrl(l2_shrinkage_regularization_strength=0.1, l1_regularization_strength=0.01), lambda: k.Adam(k.schedules.ExponentialDecay(0.1, 10, 0.5)), lambda: k.Adam(lambda: 0.5),
          lambda: k.Adam(clipnorm=1.0), lambda: k.SGD(clipvalue=0.5)]


def build(scope, make, dtype, sparse, constraint=None):
    with tf.variable_scope(scope):
        v = tf.get_variable("v", initializer=np.arange(1, 11).reshape(5, 2).astype(dtype) * dtype(0.1), use_resource=True, constraint=constraint)
        w = tf.get_variable("w", initializer=np.ones((2, 3), dtype), use_resource=True)
        x = tf.nn.embedding_lookup(v, tf.constant([0, 2, 2])) if sparse else v
        loss = tf.reduce_sum(tf.square(tf.matmul(x, w)))
        o = make()
        show(o.get_updates(loss, [v, w])[0].name, [u.name for u in o.weights])


for number, make in enumerate(makers):
    for dtype in (np.float32, np.float64):
        for sparse in (False, True):
            build("%s_%d_%s_%s" % ("rows" if sparse else "all", number, type(make()).__name__, dtype.__name__), make, dtype, sparse)
build("constraint", lambda: k.SGD(0.1), np.float32, False, tf.keras.constraints.NonNeg())
with tf.variable_scope("unknown"):
    ids = tf.placeholder(tf.int64, [None])
    v = tf.get_variable("v", [5, 2], use_resource=True)
    o = k.Adagrad()
    pairs = list(zip(tf.gradients(tf.reduce_sum(tf.nn.embedding_lookup(v, ids)), [v]), [v]))
    show(o.apply_gradients(pairs, name="mine").name)
show(hashlib.sha256("\n".join(n.name for n in tf.get_default_graph().as_graph_def().node).encode()).hexdigest())
