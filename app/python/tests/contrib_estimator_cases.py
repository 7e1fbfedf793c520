"""Cases of contrib_graphs_test.py: feature columns, summaries, heads, training and evaluation loops."""

import itertools
import os
import tempfile

import tensorflow as tf

from contrib_case_tools import CASES, case, layers, numbers, slim

# The feature columns of 2016.
def _batch():
    return {"price": tf.constant([[1.0], [7.5]]), "pair": tf.constant([[1.0, 2.0], [3.0, 40.0]]), "whole": tf.constant([[3], [4]], tf.int64),
            "words": tf.SparseTensor([[0, 0], [0, 1], [1, 0]], ["a", "b", "c"], [2, 2]), "weights": tf.SparseTensor([[0, 0], [0, 1], [1, 0]], [0.5, 2.0, 1.0], [2, 2]),
            "numbers": tf.SparseTensor([[0, 0], [1, 0]], tf.constant([11, 5], tf.int64), [2, 1]), "dense_words": tf.constant([["a", ""], ["c", "b"]])}


def _old_columns():
    words = layers.sparse_column_with_keys("words", ["a", "b", "c"])
    hashed = layers.sparse_column_with_hash_bucket("words", 7, combiner="sqrtn")
    numbers_column = layers.sparse_column_with_integerized_feature("numbers", 4)
    price = layers.real_valued_column("price")
    return {"words": words, "hashed": hashed, "numbers": numbers_column, "price": price, "weighted": layers.weighted_sparse_column(words, "weights"),
            "buckets": layers.bucketized_column(price, [2.0, 5.0]), "pair_buckets": layers.bucketized_column(layers.real_valued_column("pair", 2), [2.0, 2.0, 5.0]),
            "dense": layers.sparse_column_with_keys("dense_words", ["a", "b", "c"])}


@case(names=False)
def old_columns_input():
    c = _old_columns()
    outs = {}
    made = layers.input_from_feature_columns(
        _batch(), [c["price"], layers.real_valued_column("whole", dtype=tf.int64, normalizer=lambda x: x * 2), c["buckets"], c["pair_buckets"], layers.one_hot_column(c["words"]),
                   layers.one_hot_column(c["weighted"]), layers.embedding_column(c["hashed"], 3), layers.embedding_column(c["weighted"], 2, combiner="sum", max_norm=1.0),
                   layers.embedding_column(c["dense"], 2)], cols_to_outs=outs, weight_collections=["mine"])
    return made


@case(names=False)
def old_columns_shared():
    c = _old_columns()
    columns = layers.shared_embedding_columns([c["words"], c["dense"]], 2)
    return layers.input_from_feature_columns(_batch(), columns, scope="shared")


@case(names=False)
def old_columns_linear():
    c = _old_columns()
    predictions, variables, bias = layers.weighted_sum_from_feature_columns(_batch(), [c["price"], c["buckets"], c["words"], c["hashed"], c["weighted"], c["numbers"]], 2)
    return predictions, bias, len(variables) + tf.zeros([], tf.int32)


@case(names=False)
def old_columns_joint():
    c = _old_columns()
    return layers.joint_weighted_sum_from_feature_columns(_batch(), [c["words"], c["numbers"]], 2)[0]


@case(names=False)
def old_columns_sequences():
    c = _old_columns()
    features = {"words": tf.SparseTensor([[0, 0], [0, 1], [1, 0]], ["a", "b", "c"], [2, 2]), "steps": tf.ones([2, 2, 3])}
    return layers.sequence_input_from_feature_columns(features, [layers.one_hot_column(c["words"]), layers.embedding_column(c["words"], 2), layers.real_valued_column("steps", 3)])


@case()
def old_columns_crossed():
    c = _old_columns()
    crossed = layers.crossed_column([c["buckets"], c["words"]], 20, hash_key=layers.SPARSE_FEATURE_CROSS_DEFAULT_HASH_KEY)
    features = _batch()
    return layers.transform_features(features, [crossed])[crossed]


CASES["old_columns_crossed"].names = False


@case(shown=lambda made: made)
def old_columns_facts():
    c = _old_columns()
    columns = list(c.values()) + [layers.one_hot_column(c["words"]), layers.embedding_column(c["words"], 3), layers.crossed_column([c["words"], c["buckets"]], 10)]
    places = layers.make_place_holder_tensors_for_base_features([c["price"], c["words"]])
    inferred = layers.infer_real_valued_columns({"x": tf.ones([3, 4]), "y": tf.ones([3], tf.int32)})
    return [[x.name for x in columns], [x.key for x in columns if "lambda" not in x.key and "at 0x" not in x.key], sorted(str(layers.create_feature_spec_for_parsing(columns)).split()),
            sorted(places), sorted(str(i) for i in inferred)]


@case()
def old_columns_parsed():
    c = _old_columns()
    f = tf.train.Feature
    example = tf.train.Example(features=tf.train.Features(feature={"price": f(float_list=tf.train.FloatList(value=[3.0])), "words": f(bytes_list=tf.train.BytesList(value=[b"c", b"a"]))}))
    made = layers.parse_feature_columns_from_examples([example.SerializeToString()], [c["buckets"], c["words"]])
    return made[c["words"]], made[c["buckets"]]


@case()
def old_columns_in_new_layers():
    c = _old_columns()
    return tf.feature_column.input_layer(_batch(), [c["price"], layers.one_hot_column(c["words"]), layers.embedding_column(c["words"], 2)])


CASES["old_columns_in_new_layers"].names = False


@case(names=False)
def sequence_inputs():
    fc = tf.contrib.feature_column
    features = {"w": tf.SparseTensor([[0, 0], [0, 1], [1, 0]], ["a", "b", "c"], [2, 2]), "n": tf.SparseTensor([[0, 0], [0, 1], [1, 0]], [1.0, 2.0, 3.0], [2, 2])}
    words = fc.sequence_categorical_column_with_hash_bucket("w", 5)
    columns = [tf.feature_column.embedding_column(words, 2), fc.sequence_numeric_column("n")]
    made, lengths = fc.sequence_input_layer(features, columns)
    return made, lengths


# Summaries written by the graph.
@case(shown=lambda made: made)
def summary_ops():
    s = tf.contrib.summary
    folder = tempfile.mkdtemp()
    step = tf.train.get_or_create_global_step()
    writer = s.create_file_writer(folder, name="w", flush_millis=1000)
    with writer.as_default(), s.always_record_summaries():
        s.scalar("loss", tf.constant(2.5), family="f")
        s.histogram("h", numbers(4))
        s.image("i", tf.zeros([1, 2, 2, 3]))
        s.audio("a", tf.zeros([1, 8, 1]), 44100, 1)
        s.generic("g", tf.constant([1, 2]))
        with tf.name_scope("inner"):
            s.scalar("x", tf.constant(1.0), step=7)
        flush = s.flush()
    with tf.Session() as session, writer.as_default():
        session.run(tf.global_variables_initializer())
        s.initialize(graph=tf.get_default_graph(), session=session)
        session.run(s.all_summary_ops())
        session.run(tf.assign_add(step, 1))
        session.run(s.all_summary_ops())
        session.run(flush)
        session.run(writer.close())
    found = []
    for name in sorted(os.listdir(folder)):
        for event in tf.train.summary_iterator(os.path.join(folder, name)):
            kinds = [event.WhichOneof("what")] + ["%s %s %s" % (v.tag, v.WhichOneof("value"), round(v.simple_value, 4)) for v in event.summary.value]
            found.append("%d %s" % (event.step, " ".join(kinds)))
    return sorted(found)


@case(names=False, shown=lambda made: [sorted(op.type for op in tf.get_default_graph().get_operations()), len(made)])
def summary_every_n():
    s = tf.contrib.summary
    with s.create_file_writer("/tmp/nowhere", name="w").as_default():
        with s.record_summaries_every_n_global_steps(3):
            s.scalar("loss", tf.constant(2.5))
        with s.never_record_summaries():
            s.scalar("never", tf.constant(2.5))
        s.scalar("nothing_said", tf.constant(2.5))
    s.scalar("no_writer", tf.constant(1.0))
    return s.all_summary_ops()


# Heads.
def _head(name, make, labels, width, features=lambda: {"x": tf.ones([2, 1])}):
    for mode in ("train", "eval", "infer"):
        def build(mode=mode):
            head = make()
            logits = tf.reshape(numbers(2 * width), [2, width])
            tf.train.get_or_create_global_step()
            w = tf.get_variable("w", [1])
            spec = head.create_estimator_spec(features(), mode, logits * w, labels=labels() if mode != "infer" else None,
                                              train_op_fn=lambda loss: tf.train.GradientDescentOptimizer(0.1).minimize(loss))
            fetched = {"%s" % (k,): v for k, v in spec.predictions.items() if v.dtype != tf.string}
            if spec.loss is not None:
                fetched["loss"] = spec.loss
            for key, (_, update) in (spec.eval_metric_ops or {}).items():
                fetched["metric " + key] = update
            return fetched

        build.__name__ = "head_%s_%s" % (name, mode)
        case(names=False)(build)


e = tf.contrib.estimator
_head("multi_class", lambda: e.multi_class_head(3, name="h"), lambda: tf.constant([[1], [2]]), 3)
_head("binary", lambda: e.binary_classification_head(thresholds=[0.3], name="h"), lambda: tf.constant([[1], [0]]), 1)
_head("regression", lambda: e.regression_head(weight_column="x", label_dimension=2), lambda: tf.constant([[1.0, 2.0], [3.0, 4.0]]), 2)
_head("poisson", lambda: e.poisson_regression_head(), lambda: tf.constant([[1.0], [2.0]]), 1)
_head("logistic", lambda: e.logistic_regression_head(), lambda: tf.constant([[1.0], [0.3]]), 1)
_head("multi_label", lambda: e.multi_label_head(3, thresholds=[0.4], classes_for_class_based_metrics=[1], name="h"), lambda: tf.constant([[1, 0, 1], [0, 0, 1]], tf.int64), 3)
_head("multi_label_loss_fn", lambda: e.multi_label_head(3, loss_fn=lambda labels, logits: tf.reduce_sum(tf.cast(labels, tf.float32) * logits, -1, keepdims=True)),
      lambda: tf.constant([[1, 0, 1], [0, 0, 1]], tf.int64), 3)
_head("multi", lambda: e.multi_head([e.multi_class_head(3, name="a"), e.regression_head(name="b")], head_weights=[1.0, 2.0]),
      lambda: {"a": tf.constant([[1], [2]]), "b": tf.constant([[1.0], [2.0]])}, 4)


# Training and evaluation loops.
def _trained(folder, steps=3, **more):
    w = tf.get_variable("w", [2], initializer=tf.constant_initializer([1.0, -2.0]))
    loss = tf.reduce_sum(tf.square(w - 0.5))
    tf.summary.scalar("loss", loss)
    step = slim.learning.create_train_op(loss, tf.train.GradientDescentOptimizer(0.1), clip_gradient_norm=1.0, gradient_multipliers={"w": 0.5})
    return slim.learning.train(step, folder, number_of_steps=steps, log_every_n_steps=2, **more)


def _kinds(folder):
    """The files of a folder, with host names and times removed."""
    return sorted({"events" if name.startswith("events") else name.partition("-")[0] if name.startswith("model") else name for name in os.listdir(folder)})


@case(shown=lambda made: made)
def slim_train():
    folder = tempfile.mkdtemp()
    loss = _trained(folder)
    return [loss, _kinds(folder), os.path.basename(tf.train.latest_checkpoint(folder))]


@case(shown=lambda made: made)
def slim_train_twice_traced():
    folder = tempfile.mkdtemp()
    seen = []

    def step(session, op, global_step, kwargs):
        seen.append(sorted(kwargs))
        return slim.learning.train_step(session, op, global_step, kwargs)

    _trained(folder, trace_every_n_steps=2)
    with tf.Graph().as_default():
        loss = _trained(folder, steps=5, train_step_fn=step, save_summaries_secs=None, init_fn=lambda session: seen.append("init"))
    return [loss, _kinds(folder), seen]


@case(shown=lambda made: made)
def slim_train_without_folder():
    return [_trained(None)]


@case(shown=lambda made: made)
def slim_train_refusals():
    found = []
    for more in (dict(train_op=None), dict(number_of_steps=0), dict(summary_op=None), dict(saver=1), dict(trace_every_n_steps=1), dict(startup_delay_steps=1, sync_optimizer=[1])):
        try:
            slim.learning.train(**dict(dict(train_op=1, logdir=None), **more))
        except Exception as e:
            found.append("%s: %s" % (type(e).__name__, e))
    return found


@case(shown=lambda made: made)
def training_train():
    w = tf.get_variable("w", [], initializer=tf.constant_initializer(1.0))
    step = tf.contrib.training.create_train_op(tf.square(w + 0.0), tf.train.GradientDescentOptimizer(0.1))
    found = [tf.contrib.training.train(step, None, hooks=[tf.train.StopAtStepHook(num_steps=3)], save_checkpoint_secs=None, save_summaries_steps=None)]
    for more in (dict(save_summaries_steps=None), dict(save_checkpoint_secs=None)):
        try:
            tf.contrib.training.train(step, None, **more)
        except ValueError as e:
            found.append(str(e))
    return found


def _checkpoint(folder, value):
    with tf.Graph().as_default(), tf.Session() as session:
        v = tf.get_variable("v", [], initializer=tf.constant_initializer(value))
        session.run([v.initializer, tf.train.get_or_create_global_step().initializer])
        return tf.train.Saver().save(session, os.path.join(folder, "model"), global_step=int(value))


@case(shown=lambda made: made)
def training_evaluate_once():
    folder, logs = tempfile.mkdtemp(), tempfile.mkdtemp()
    path = _checkpoint(folder, 3.0)
    v = tf.get_variable("v", [])
    tf.train.get_or_create_global_step()
    mean, update = tf.metrics.mean(v)
    tf.summary.scalar("mean", mean)
    t = tf.contrib.training
    value = t.evaluate_once(path, eval_ops={"update": update}, final_ops={"mean": mean}, hooks=[t.StopAfterNEvalsHook(3), t.SummaryAtEndHook(logs)])
    events = [(e.step, s.tag, s.simple_value) for n in os.listdir(logs) for e in tf.train.summary_iterator(os.path.join(logs, n)) for s in e.summary.value]
    return [value, [str(e) for e in events], [x.op.name for x in tf.get_collection("eval_step")]]


@case(shown=lambda made: made)
def training_evaluate_repeatedly():
    folder = tempfile.mkdtemp()
    _checkpoint(folder, 3.0)
    v = tf.get_variable("v", [])
    tf.train.get_or_create_global_step()
    t = tf.contrib.training
    first = t.evaluate_repeatedly(folder, final_ops=v, max_number_of_evaluations=1)
    count = [0]

    def ended():
        count[0] += 1
        return True

    second = t.evaluate_repeatedly(folder, eval_ops=v, final_ops=[v], hooks=[t.StopAfterNEvalsHook(1)], timeout=1, timeout_fn=ended, eval_interval_secs=0)
    path = t.wait_for_new_checkpoint(folder)
    return [first, second, count, os.path.basename(path), [str(t.wait_for_new_checkpoint(folder, path, timeout=0))]]


@case(shown=lambda made: made)
def slim_evaluation():
    folder, logs = tempfile.mkdtemp(), tempfile.mkdtemp()
    path = _checkpoint(folder, 4.0)
    v = tf.get_variable("v", [])
    tf.train.get_or_create_global_step()
    tf.summary.scalar("v", v)
    e = slim.evaluation
    once = e.evaluate_once("", path, logs, num_evals=2, eval_op=v, final_op=v * 2.0)
    loop = e.evaluation_loop("", folder, logs, num_evals=1, eval_op=[v], final_op=[v], max_number_of_evaluations=1, variables_to_restore=slim.get_variables_to_restore(),
                             eval_interval_secs=0)
    return [once, loop, _kinds(logs)]


@case(shown=lambda made: made)
def slim_queue_runners():
    q = tf.train.range_input_producer(3, shuffle=False)
    x = q.dequeue()
    found = []
    with tf.Session() as session:
        with slim.queues.QueueRunners(session):
            found.append([session.run(x) for _ in range(4)])
            try:
                with slim.queues.QueueRunners(session):
                    pass
            except slim.queues.NestedQueueRunnerError as e:
                found.append(str(e))
    return found


@case(shown=lambda made: made)
def extended_estimators():
    def model_fn(features, labels, mode):
        w = tf.get_variable("w", [], initializer=tf.constant_initializer(1.0))
        prediction = features["x"] * w
        loss = None if mode == "infer" else tf.reduce_mean(tf.square(prediction - labels))
        optimizer = e.clip_gradients_by_norm(tf.train.GradientDescentOptimizer(0.1), 0.5)
        step = optimizer.minimize(loss, global_step=tf.train.get_global_step()) if mode == "train" else None
        return tf.estimator.EstimatorSpec(mode, predictions={"p": prediction}, loss=loss, train_op=step)

    def inputs():
        return {"x": tf.constant([1.0, 2.0]), "id": tf.constant([7, 8])}, tf.constant([2.0, 4.0])

    plain = tf.estimator.Estimator(model_fn, tempfile.mkdtemp())
    measured = e.add_metrics(plain, lambda labels, predictions: {"most": tf.metrics.mean(tf.reduce_max(labels - predictions["p"]))})
    measured.train(inputs, steps=2)
    told = e.forward_features(plain, "id")
    result = measured.evaluate(inputs, steps=1)
    found = [sorted(result), [float(result[k]) for k in sorted(result)], [sorted(p.items()) for p in itertools.islice(told.predict(inputs), 2)]]
    for build in (lambda: e.add_metrics(plain, lambda wrong: {}), lambda: next(e.forward_features(plain, ["nothing"]).predict(inputs)), lambda: e.forward_features(plain, 3)):
        try:
            build()
        except (ValueError, TypeError) as error:
            found.append("%s: %s" % (type(error).__name__, str(error)[:40]))
    return found


@case(shown=lambda made: made)
def replicated_model():
    def model_fn(features, labels, mode, params):
        w = tf.get_variable("w", [], initializer=tf.constant_initializer(params["w"]))
        prediction = features["x"] * w
        loss = None if mode == "infer" else tf.losses.mean_squared_error(labels, prediction)
        step = None
        if mode == "train":
            step = e.TowerOptimizer(tf.train.GradientDescentOptimizer(0.1)).minimize(loss, global_step=tf.train.get_global_step())
        metrics = {"m": tf.metrics.mean(prediction)} if mode == "eval" else None
        return tf.estimator.EstimatorSpec(mode, predictions={"p": prediction}, loss=loss, train_op=step, eval_metric_ops=metrics)

    def inputs():
        return {"x": tf.constant([1.0, 2.0, 3.0, 4.0])}, tf.constant([2.0, 4.0, 6.0, 8.0])

    found = []
    for devices in (["/cpu:0"], ["/cpu:0", "/cpu:0"]):
        model = tf.estimator.Estimator(e.replicate_model_fn(model_fn, devices=devices), tempfile.mkdtemp(), params={"w": 1.0})
        model.train(inputs, steps=2)
        result = model.evaluate(inputs, steps=1)
        found.append([sorted(result), [float(result[k]) for k in sorted(result)], [float(p["p"]) for p in itertools.islice(model.predict(inputs), 4)], float(model.get_variable_value("w"))])
    return found


@case(shown=lambda made: made)
def rnn_classifier():
    fc = tf.contrib.feature_column

    def inputs():
        words = tf.SparseTensor([[0, 0], [0, 1], [1, 0], [2, 0], [3, 0], [3, 1]], ["a", "b", "c", "a", "b", "c"], [4, 2])
        return {"w": words, "c": tf.constant([[1.0], [0.0], [1.0], [0.0]])}, tf.constant([[0], [1], [0], [1]])

    words = fc.sequence_categorical_column_with_hash_bucket("w", 5)
    model = e.RNNClassifier([tf.feature_column.embedding_column(words, 2)], [tf.feature_column.numeric_column("c")], num_units=[3], cell_type="gru",
                            model_dir=tempfile.mkdtemp(), optimizer=tf.train.AdamOptimizer(0.1))
    model.train(inputs, steps=40)
    result = model.evaluate(inputs, steps=1)
    return [sorted(result), [float(result["accuracy"])], sorted(model.get_variable_names())]
