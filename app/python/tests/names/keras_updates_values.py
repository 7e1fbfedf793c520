"""Variables and slots after a few steps of Keras optimizers, with dense and sparse gradients; configurations; methods that subclasses may override."""
k = tf.keras.optimizers
makers = [lambda: k.SGD(0.1), lambda: k.SGD(0.1, momentum=0.9, nesterov=True, decay=0.01), lambda: k.RMSprop(), lambda: k.RMSprop(momentum=0.5), lambda: k.RMSprop(centered=True),
          lambda: k.RMSprop(centered=True, momentum=0.5), lambda: k.Adagrad(), lambda: k.Adadelta(0.5), lambda: k.Adam(), lambda: k.Adam(amsgrad=True), lambda: k.Adamax(), lambda: k.Nadam(),
          lambda: k.Ftrl(0.1), lambda: k.Ftrl(0.1, l2_shrinkage_regularization_strength=0.1, l1_regularization_strength=0.01), lambda: k.Adam(clipnorm=1.0), lambda: k.SGD(clipvalue=0.5),
          lambda: k.Adam(lambda: 0.5), lambda: k.Adam(k.schedules.ExponentialDecay(0.1, 10, 0.5))]
for make in makers:
    for sparse in (False, True):
        with tf.Graph().as_default():
            v = tf.get_variable("v", initializer=np.arange(1, 11).reshape(5, 2) * 0.1, use_resource=True)
            w = tf.get_variable("w", initializer=np.ones((2, 3)), use_resource=True)
            rows = tf.placeholder(tf.int32, [None])
            loss = tf.reduce_sum(tf.square(tf.matmul(tf.nn.embedding_lookup(v, rows) if sparse else v, w)))
            o = make()
            train = o.get_updates(loss, [v, w])[0]
            with tf.Session() as session:
                session.run(tf.global_variables_initializer())
                for step in range(4):
                    session.run(train, {rows: [[0, 2, 2], [1], [2, 4], [0, 0, 0]][step]} if sparse else {})
                show([session.run(x) for x in [v, w] + list(o.weights)])
                if not any(callable(x) for x in getattr(o, "_hyper", getattr(o, "_given", {})).values()):
                    with session.as_default():
                        tf.keras.backend.set_session(session)
                        show(sorted(o.get_config().items()))
show(raises(lambda: k.Nadam(k.schedules.ExponentialDecay(0.1, 10, 0.5))), raises(lambda: k.SGD(momentum=2.0)), raises(lambda: k.RMSprop(momentum=-1.0)), raises(lambda: k.Ftrl(l1_regularization_strength=-1.0)))
show(raises(lambda: k.Adagrad(initial_accumulator_value=-1.0)), raises(lambda: k.Adam(nothing=1)), raises(lambda: k.Adam(decay=-1.0)), raises(lambda: k.Ftrl(learning_rate_power=1.0)))


class Signs(k.Optimizer):
    """An optimizer defined by the program."""

    def __init__(self, rate):
        super(Signs, self).__init__("Signs")
        self._set_hyper("learning_rate", rate)

    def _create_slots(self, var_list):
        for var in var_list:
            self.add_slot(var, "seen", initializer="ones")

    def _resource_apply_dense(self, grad, var):
        seen = self.get_slot(var, "seen")
        return tf.group(var.assign_sub(self._get_hyper("learning_rate", var.dtype.base_dtype) * tf.sign(grad)).op, seen.assign(seen + tf.abs(grad)).op)

    def _resource_apply_sparse(self, grad, var, indices):
        return self._resource_scatter_add(var, indices, -grad).op

    def get_config(self):
        return {"learning_rate": self._serialize_hyperparameter("learning_rate")}


for sparse in (False, True):
    with tf.Graph().as_default():
        v = tf.get_variable("v", initializer=np.array([[1.0, -2.0], [3.0, 4.0]], np.float32), use_resource=True)
        o = Signs(0.5)
        train = o.get_updates(tf.reduce_sum(tf.square(tf.gather(v, [1, 1]) if sparse else v)), [v])[0]
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            session.run(train)
            session.run(train)
            show(session.run([v] + list(o.weights)), o.get_slot_names(), [x.name for x in o.weights])


o = k.Adam(k.schedules.ExponentialDecay(0.1, 10, 0.5), clipnorm=1.0)
same = k.deserialize(k.serialize(o))
show(sorted(map(str, same.get_config().items())), type(k.schedules.deserialize(k.schedules.serialize(k.schedules.PolynomialDecay(0.1, 10)))).__name__, sorted(map(str, k.get("sgd").get_config().items())))
with tf.Graph().as_default():
    o = k.SGD(1)
    show(o.lr.dtype.name, o.iterations.dtype.name)
    o = k.SGD(0.5)
    o.lr = 0.25
    show(o.lr.name)
    tf.keras.backend.set_value(o.lr, 0.125)
    show(float(tf.keras.backend.get_value(o.lr)), sorted(map(str, o.get_config().items())))
