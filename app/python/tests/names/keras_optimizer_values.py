"""Variables of Keras optimizers: names and order, in scopes, for two instances of a class, from get_updates and apply_gradients, if read early."""
k = tf.keras.optimizers
makers = [lambda: k.SGD(0.05), lambda: k.SGD(0.05, momentum=0.9, nesterov=True, decay=0.1), lambda: k.Adam(0.01, amsgrad=True, name="mine"), lambda: k.Adam(0.01),
          lambda: k.Adamax(0.01), lambda: k.Nadam(0.01), lambda: k.Adagrad(0.01), lambda: k.Adadelta(0.01), lambda: k.RMSprop(0.1, momentum=0.5, centered=True), lambda: k.Ftrl(0.1)]
for make in makers:
    graph = tf.Graph()
    with graph.as_default():
        with tf.variable_scope("net", use_resource=True):
            w, v = tf.get_variable("w", [2, 3]), tf.get_variable("v", [4, 3])
        loss = tf.reduce_sum(tf.square(w)) + tf.reduce_sum(tf.gather(v, [0, 1, 1]) * w[0])
        for scope in ("one", "one", "two"):
            with tf.name_scope(scope):
                o = make()
                show(o.get_updates(loss, [w, v])[0].name, [x.name for x in o.weights])
                o = make()
                show(o.apply_gradients(list(zip(tf.gradients(loss, [w, v]), [w, v]))).name)
                show(o.get_gradients(loss, [w])[0].name)
        show([x.name for x in tf.global_variables()])
