"""Programs with tf.distribute for distribute_test.py: each prints what it computes. They run in TensorFlow 1.15.5 as well."""

import shutil
import tempfile

import numpy as np
import tensorflow as tf

CASES = {}
PLACES = ["/cpu:0", "/cpu:1"]
SUM, MEAN = tf.distribute.ReduceOp.SUM, tf.distribute.ReduceOp.MEAN


def case(names=True):
    """Decorator: registers a program. names: whether its graph has the same nodes, devices and inputs as TensorFlow's."""
    def register(function):
        function.names = names
        CASES[function.__name__] = function
        return function

    return register


def mirrored(**more):
    return tf.distribute.MirroredStrategy(devices=PLACES, **more)


def session():
    return tf.Session(config=tf.ConfigProto(device_count={"CPU": 2}))


def show(*values):
    """Prints values with few digits, on one line."""
    def plain(v):
        if isinstance(v, (list, tuple)):
            return [plain(x) for x in v]
        if isinstance(v, (np.ndarray, np.generic)):
            return np.round(v.astype(np.float64), 4).tolist() if v.dtype.kind in "fiub" else v.tolist()
        return v

    print(*[plain(v) for v in values])


def show_variables(strategy, sess):
    for v in tf.global_variables():
        show(v.name, type(v).__name__, sess.run(list(strategy.experimental_local_results(v))))


@case()
def training():
    s = mirrored()
    print(s.num_replicas_in_sync, s.extended.worker_devices, s.extended.parameter_devices)
    rows = np.arange(16, dtype=np.float32).reshape(8, 2) / 10, np.arange(8, dtype=np.float32).reshape(8, 1)
    with s.scope():
        v = tf.Variable([[1.0], [2.0]], name="v")
        w = tf.get_variable("w", [1], initializer=tf.zeros_initializer())
        it = s.make_dataset_iterator(tf.data.Dataset.from_tensor_slices(rows).repeat().batch(4, drop_remainder=True))

        def step(inputs):
            x, y = inputs
            loss = tf.reduce_mean(tf.square(tf.matmul(x, v) + w - y))
            train = tf.train.GradientDescentOptimizer(0.1).minimize(loss, global_step=tf.train.get_or_create_global_step())
            with tf.control_dependencies([train]):
                return tf.identity(loss, name="loss")

        per = s.experimental_run(step, it)
        print(type(per).__name__, per)
        mean, total = s.reduce(MEAN, per), s.reduce("sum", per)
        print(type(v).__name__, v.name, [x.name for x in s.experimental_local_results(v)], [x.device for x in s.unwrap(v)])
        with session() as sess:
            sess.run(it.initialize())
            sess.run(tf.global_variables_initializer())
            for _ in range(4):
                show(sess.run([mean, total]))
            show(sess.run([v, w, tf.train.get_global_step()]), sess.run(list(s.unwrap(v))))
    print([x.name for x in tf.global_variables()], [type(x).__name__ for x in tf.trainable_variables()])


def _assigned(s):
    kinds = tf.VariableAggregation
    with s.scope():
        a = tf.Variable(1.0, name="a", aggregation=kinds.MEAN)
        b = tf.Variable(2.0, name="b", aggregation=kinds.SUM)
        c = tf.Variable(3.0, name="c", aggregation=kinds.ONLY_FIRST_REPLICA)
        own = dict(synchronization=tf.VariableSynchronization.ON_READ, trainable=False)
        return a, b, c, tf.Variable(0.0, name="l", aggregation=kinds.SUM, **own), tf.Variable(0.0, name="m", aggregation=kinds.MEAN, **own)


@case()
def assignments():
    s = mirrored()
    a, b, c, l, m = _assigned(s)

    def fn():
        ctx = tf.distribute.get_replica_context()
        r = tf.cast(ctx.replica_id_in_sync_group, tf.float32)
        inside = tf.Variable(5.0, name="inside")
        with tf.variable_scope("sub"):
            g = tf.get_variable("g", [2], initializer=tf.ones_initializer())
        done = [a.assign_add(r + 1.0), b.assign_sub(r + 1.0), c.assign(r + 10.0), l.assign_add(r + 1), m.assign_add(r + 1)]
        total = ctx.all_reduce(SUM, r + 1.0)
        means = ctx.all_reduce(MEAN, {"x": r, "y": [r + 2.0]})
        merged = ctx.merge_call(lambda strategy, value, k=None: (strategy.reduce("mean", value), k), args=(r,), kwargs={"k": 3})
        return done, total, means, merged[0], inside + 1.0, g * 2.0

    with s.scope():
        out = s.experimental_run_v2(fn)
        print(out)
        up = a.assign(7.0)
        print(type(up).__name__)
        reads = [a.read_value(), l.read_value(), m.read_value(), s.extended.read_var(l), a + 1.0, l * 2.0]
        with session() as sess:
            sess.run(tf.global_variables_initializer())
            for o in tf.contrib.framework.nest.flatten(out):
                show(sess.run(list(s.unwrap(o))))
            show(sess.run(reads), sess.run([a, b, c, l, m]))
            show(sess.run(up), sess.run(list(s.unwrap(a))))


@case(names=False)
def saving():
    s = mirrored()
    variables = _assigned(s)
    folder = tempfile.mkdtemp()
    try:
        with s.scope(), session() as sess:
            sess.run(tf.global_variables_initializer())
            sess.run(s.group(s.experimental_run_v2(lambda: variables[3].assign_add(tf.cast(tf.distribute.get_replica_context().replica_id_in_sync_group + 1, tf.float32)))))
            saver = tf.train.Saver()
            path = saver.save(sess, folder + "/model")
            print(sorted(tf.train.list_variables(path)))
            sess.run([v.assign(100.0) for v in variables])
            show(sess.run(list(variables)))
            saver.restore(sess, path)
            show(sess.run(list(variables)), sess.run([x for v in variables for x in s.unwrap(v)]))
    finally:
        shutil.rmtree(folder)


def _model(s, embedding):
    with s.scope():
        def model():
            rid = tf.cast(tf.distribute.get_replica_context().replica_id_in_sync_group, tf.float32)
            x = tf.constant(np.linspace(-1, 1, 12).reshape(4, 3), tf.float32) * (rid + 1)
            h = tf.layers.dense(x, 4, activation=tf.nn.relu, kernel_initializer=tf.constant_initializer(0.1))
            if embedding:
                e = tf.get_variable("emb", [5, 4], initializer=tf.constant_initializer(0.3))
                h = h + tf.nn.embedding_lookup(e, [0, 1, 1, 3])
            y = tf.layers.dense(h, 1, kernel_initializer=tf.constant_initializer(0.2))
            loss = tf.losses.mean_squared_error(tf.ones([4, 1]) * (rid + 1), y)
            opt = tf.train.AdamOptimizer(0.05)
            train = opt.apply_gradients(opt.compute_gradients(loss), tf.train.get_or_create_global_step())
            with tf.control_dependencies([train]):
                return tf.identity(loss)

        loss = s.reduce(MEAN, s.extended.call_for_each_replica(model))
        with session() as sess:
            sess.run(tf.global_variables_initializer())
            for _ in range(5):
                show(sess.run(loss))
            show_variables(s, sess)


@case()
def reduction_to_one_device():
    _model(mirrored(cross_device_ops=tf.distribute.ReductionToOneDevice()), False)


@case()
def hierarchical_copy():
    _model(mirrored(cross_device_ops=tf.distribute.HierarchicalCopyAllReduce(num_packs=2)), False)


@case()
def hierarchical_copy_unpacked():
    _model(mirrored(cross_device_ops=tf.distribute.HierarchicalCopyAllReduce(num_packs=0)), False)


@case(names=False)
def sparse_gradients():
    _model(mirrored(), True)


@case(names=False)
def sparse_gradients_by_copies():
    _model(mirrored(cross_device_ops=tf.distribute.HierarchicalCopyAllReduce()), True)


@case()
def one_device():
    for make in (tf.distribute.OneDeviceStrategy, tf.contrib.distribute.OneDeviceStrategy):
        s = make("/cpu:1")
        with tf.variable_scope(make.__module__.split(".")[-1][:3]) if make is None else tf.variable_scope("x", reuse=tf.AUTO_REUSE), s.scope():
            v = tf.Variable(1.0, name="v")
            it = s.make_dataset_iterator(tf.data.Dataset.range(8).map(lambda x: tf.cast(x, tf.float32)).batch(2))

            def step(x):
                loss = tf.reduce_sum(v * x)
                t = tf.train.MomentumOptimizer(0.01, 0.9).minimize(loss, tf.train.get_or_create_global_step(), var_list=[v])
                with tf.control_dependencies([t]):
                    return tf.identity(loss)

            out = s.experimental_run_v2(step, args=(it.get_next(),))
            print(type(out).__name__, s.reduce("sum", out), type(v).__name__, v.device, s.num_replicas_in_sync)
            with session() as sess:
                sess.run(it.initialize())
                sess.run(tf.global_variables_initializer())
                for _ in range(4):
                    show(sess.run(out))
                show(sess.run(v))


@case(names=False)
def averages():
    s = mirrored()
    numbers = np.arange(12, dtype=np.float32).reshape(4, 3)
    with s.scope():
        def fn():
            r = tf.cast(tf.distribute.get_replica_context().replica_id_in_sync_group, tf.float32)
            h = tf.layers.batch_normalization(tf.constant(numbers) * (r + 1), training=True)
            loss = tf.reduce_sum(h * tf.constant(numbers))
            with tf.control_dependencies(tf.get_collection(tf.GraphKeys.UPDATE_OPS)):
                train = tf.train.GradientDescentOptimizer(0.01).minimize(loss)
            tf.get_variable("e", [2], initializer=tf.ones_initializer())
            z = tf.get_variable("z", [2], trainable=False, initializer=tf.zeros_initializer())
            from tensorflow.python.training import moving_averages
            return train, loss, moving_averages.assign_moving_average(z, tf.ones([2]) * (r + 1), 0.9)

        train, loss, z = s.experimental_run_v2(fn)
        ema = tf.train.ExponentialMovingAverage(0.9).apply([v for v in tf.global_variables() if v.op.name == "e"])
        with session() as sess:
            sess.run(tf.global_variables_initializer())
            for _ in range(2):
                show(sess.run(list(s.unwrap(loss))))
                sess.run(s.group(train))
                sess.run(s.group(ema))
                show(sess.run(list(s.unwrap(z))))
            show_variables(s, sess)


@case()
def optimizers():
    s = mirrored()
    made = [tf.train.GradientDescentOptimizer(0.1), tf.train.MomentumOptimizer(0.1, 0.9, use_nesterov=True), tf.train.AdagradOptimizer(0.1),
            tf.train.RMSPropOptimizer(0.01, momentum=0.5), tf.train.AdamOptimizer(0.01), tf.train.AdadeltaOptimizer(1.0)]
    rows = np.arange(24, dtype=np.float32).reshape(12, 2) / 24, np.arange(12, dtype=np.float32).reshape(12, 1) / 12
    with s.scope():
        it = s.make_dataset_iterator(tf.data.Dataset.from_tensor_slices(rows).repeat().batch(6))

        def fn(batch):
            x, y = batch
            mean = tf.distribute.get_replica_context().all_reduce(MEAN, tf.reduce_mean(x))
            losses = []
            for i, o in enumerate(made):
                w = tf.get_variable("w%d" % i, [2, 1], initializer=tf.constant_initializer(0.5))
                loss = tf.reduce_mean(tf.square(tf.matmul(x, w) - mean - y))
                mine = [v for v in tf.trainable_variables() if v.op.name.split("/")[0] == "w%d" % i]
                grads, variables = zip(*o.compute_gradients(loss, var_list=mine))
                grads, _ = tf.clip_by_global_norm(grads, 0.5)
                with tf.control_dependencies([o.apply_gradients(zip(grads, variables))]):
                    losses.append(tf.identity(loss))
            return losses

        means = [s.reduce("MEAN", loss) for loss in s.experimental_run_v2(fn, args=(it.get_next(),))]
        with session() as sess:
            sess.run(it.initialize())
            sess.run(tf.global_variables_initializer())
            for _ in range(3):
                show(sess.run(means))
            show_variables(s, sess)


@case()
def inputs():
    s = mirrored()
    with s.scope(), session() as sess:
        own = s.make_input_fn_iterator(lambda c: tf.data.Dataset.range(c.num_replicas_in_sync * 4).batch(c.get_per_replica_batch_size(4)))
        called = s.make_input_fn_iterator(lambda c: (lambda: tf.constant(c.num_replicas_in_sync)))
        uneven = s.experimental_distribute_dataset(tf.data.Dataset.range(7).batch(3)).make_initializable_iterator()
        elements = [it.get_next() for it in (own, called, uneven)]
        print(elements)
        sess.run([it.initialize() for it in (own, uneven)])
        for e in elements:
            try:
                for _ in range(4):
                    show(sess.run(list(s.unwrap(e))))
            except tf.errors.OutOfRangeError:
                print("end")


@case(names=False)
def numpy_inputs_and_reductions():
    s = mirrored()
    with s.scope(), session() as sess:
        rows = s.experimental_make_numpy_dataset((np.arange(12, dtype=np.float32).reshape(6, 2), np.arange(6)), session=sess)
        it = s.make_dataset_iterator(rows.batch(6))
        x, y = it.get_next()
        sess.run(it.initialize())
        x = s.experimental_run_v2(lambda v: tf.reshape(v, [-1]), args=(x,))
        show(sess.run([s.reduce("sum", x, axis=0), s.reduce("mean", x, axis=0), s.reduce("mean", x, axis=-1)] + list(s.unwrap(y))))


def _train_estimator(**settings):
    def model_fn(features, labels, mode):
        h = tf.layers.dense(features["x"], 4, activation=tf.nn.tanh, kernel_initializer=tf.constant_initializer(np.sin(np.arange(12)).reshape(3, 4)))
        h = tf.layers.batch_normalization(h, training=mode == tf.estimator.ModeKeys.TRAIN)
        y = tf.layers.dense(h, 1, kernel_initializer=tf.constant_initializer(np.cos(np.arange(4)).reshape(4, 1)))
        if mode == tf.estimator.ModeKeys.PREDICT:
            return tf.estimator.EstimatorSpec(mode, predictions={"y": y})
        loss = tf.losses.mean_squared_error(labels, y)
        if mode == tf.estimator.ModeKeys.EVAL:
            high, guess = labels > 0.8, y > 0.3
            return tf.estimator.EstimatorSpec(mode, loss=loss, eval_metric_ops={
                "mae": tf.metrics.mean_absolute_error(labels, y), "rms": tf.metrics.root_mean_squared_error(labels, y), "recall": tf.metrics.recall(high, guess),
                "auc": tf.metrics.auc(high, tf.sigmoid(y)), "accuracy": tf.metrics.accuracy(high, guess), "iou": tf.metrics.mean_iou(high, guess, 2)})
        with tf.control_dependencies(tf.get_collection(tf.GraphKeys.UPDATE_OPS)):
            train = tf.train.MomentumOptimizer(0.05, 0.9).minimize(loss, tf.train.get_or_create_global_step())
        tf.summary.scalar("own", loss)
        return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=train)

    def input_fn():
        x = np.sin(np.arange(48) * 0.7).astype(np.float32).reshape(16, 3)
        return tf.data.Dataset.from_tensor_slices(({"x": x}, x.sum(1, keepdims=True))).repeat(10).batch(4)

    folder = tempfile.mkdtemp()
    try:
        config = tf.estimator.RunConfig(session_config=tf.ConfigProto(device_count={"CPU": 2}), tf_random_seed=3, model_dir=folder, **settings)
        e = tf.estimator.Estimator(model_fn, config=config)
        e.train(input_fn, steps=6)
        for name in sorted(e.get_variable_names()):
            show(name, e.get_variable_value(name))
        result = e.evaluate(input_fn, steps=3)
        show([(k, np.float64(v)) for k, v in sorted(result.items())])
        show([p["y"] for p in e.predict(lambda: tf.data.Dataset.from_tensor_slices({"x": np.ones((2, 3), np.float32)}).batch(2))])
        e.train(input_fn, max_steps=8)
        for file in sorted(tf.gfile.Glob(folder + "/events*")):
            for event in tf.train.summary_iterator(file):
                for v in event.summary.value:
                    print(event.step, v.tag, round(v.simple_value, 4))
    finally:
        shutil.rmtree(folder)


@case(names=False)
def estimator():
    _train_estimator(train_distribute=mirrored())


@case(names=False)
def estimator_with_evaluation():
    _train_estimator(train_distribute=mirrored(), eval_distribute=mirrored())


@case(names=False)
def estimator_on_one_device():
    _train_estimator(train_distribute=tf.contrib.distribute.OneDeviceStrategy("/cpu:1"))
