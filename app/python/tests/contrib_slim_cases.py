"""Cases of contrib_graphs_test.py: training, slim's data, networks."""

import os
import tempfile

import numpy as np
import tensorflow as tf

from contrib_case_tools import case, numbers, slim

# Training.
@case(runs=0)
def bucket():
    x = tf.train.range_input_producer(8, shuffle=False, num_epochs=1).dequeue()
    which, batch = tf.contrib.training.bucket([x, tf.fill([x], 1.0)], tf.cast(tf.greater(x, 3), tf.int32), 2, 2, dynamic_pad=True, keep_input=tf.greater(x, 0))
    return which


@case(runs=0)
def bucket_by_sequence_length():
    x = tf.train.range_input_producer(8, shuffle=False, num_epochs=1).dequeue()
    return tf.contrib.training.bucket_by_sequence_length(x, {"b": tf.fill([x], 1), "a": x}, [1, 2, 3], [2, 5], dynamic_pad=True, allow_smaller_final_batch=True)


@case(runs=0)
def resample_at_rate():
    return tf.contrib.training.resample_at_rate([numbers(4, 2)], tf.constant([0.5, 1.0, 2.0, 0.0]), seed=3)


@case(runs=0)
def weighted_resample():
    return tf.contrib.training.weighted_resample([numbers(4, 2)], tf.constant([0.5, 1.0, 2.0, 0.5]), 0.5, seed=3)


@case(runs=0)
def rejection_sample():
    return tf.contrib.training.rejection_sample([numbers(4, 2), numbers(4)], lambda x: tf.reduce_mean(tf.abs(x[0])), 3, enqueue_many=True, runtime_checks=True)


@case(runs=0)
def stratified_sample():
    return tf.contrib.training.stratified_sample([numbers(3)], tf.constant(1), [0.5, 0.5], 2)


@case(runs=0)
def stratified_sample_many():
    return tf.contrib.training.stratified_sample([numbers(4, 3)], tf.constant([0, 1, 1, 0]), [0.3, 0.7], 2, init_probs=[0.5, 0.5], enqueue_many=True, name="taken")


def _segments(key="key", **more):
    steps = tf.constant([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0], [7.0, 8.0], [9.0, 10.0]])
    return tf.contrib.training.batch_sequences_with_states(
        key, {"x": steps, "w": tf.constant(["a", "b", "c", "d", "e"])}, {"c": tf.constant([1, 2])}, tf.constant(5), {"s": tf.zeros([3])}, 2, 1, num_threads=1, **more)


@case(runs=0)
def batch_sequences_with_states():
    batch = _segments(make_keys_unique=True, make_keys_unique_seed=4)
    return batch.save_state("s", batch.state("s") + 1.0)


@case(shown=lambda made: made)
def batch_sequences_with_states_run():
    batch = _segments(tf.train.string_input_producer(["k0", "k1"], num_epochs=1, shuffle=False).dequeue(), capacity=1)
    save = batch.save_state("s", batch.state("s") + 1.0)
    found = []
    with tf.Session() as session:
        session.run(tf.local_variables_initializer())
        coordinator = tf.train.Coordinator()
        threads = tf.train.start_queue_runners(session, coordinator)
        for _ in range(4):
            made = session.run([batch.key, batch.length, batch.total_length, batch.sequence, batch.sequence_count, batch.next_key, batch.sequences["x"], batch.sequences["w"],
                                batch.context["c"], batch.state("s"), save])
            found.append(list(made[:-1]))
        coordinator.request_stop()
        coordinator.join(threads)
    return found


@case(shown=lambda made: made)
def bucket_run():
    x = tf.train.range_input_producer(8, shuffle=False, num_epochs=1).dequeue()
    lengths, batch = tf.contrib.training.bucket_by_sequence_length(x, {"b": tf.fill([x], 1), "a": x * 2}, 2, [2, 5], dynamic_pad=True, allow_smaller_final_batch=True)
    found = []
    with tf.Session() as session:
        session.run(tf.local_variables_initializer())
        coordinator = tf.train.Coordinator()
        threads = tf.train.start_queue_runners(session, coordinator)
        try:
            while True:
                n, values = session.run([lengths, batch])
                found.append([n.tolist(), values["a"].tolist(), list(values["b"].shape)])
        except tf.errors.OutOfRangeError:
            pass
        coordinator.request_stop()
        coordinator.join(threads)
    return [str(f) for f in sorted(found)]


@case(shown=lambda made: made)
def placement():
    t = tf.contrib.training
    random, greedy = t.RandomStrategy(4, 1), t.GreedyLoadBalancingStrategy(2, t.byte_size_load_fn)
    ops = [tf.get_variable("v%d" % i, [n]).op for i, n in enumerate((3, 50, 4, 5))]
    return [[random(op) for op in ops], [int(greedy(op)) for op in ops], t.byte_size_load_fn(ops[1])]


@case(runs=0)
def create_train_op():
    w = tf.get_variable("w", [2], initializer=tf.constant_initializer([1.0, -2.0]))
    loss = tf.reduce_sum(tf.square(w))
    return tf.contrib.training.create_train_op(loss, tf.train.GradientDescentOptimizer(0.1), transform_grads_fn=tf.contrib.training.clip_gradient_norms_fn(0.5),
                                               summarize_gradients=True)


@case(runs=0)
def assign_from_values():
    tf.get_variable("a/w", [2, 2])
    tf.contrib.framework.assign_from_values_fn({"a/w": np.ones([4])})
    slim.add_model_variable(tf.get_variable("b", [1]))
    return tf.get_collection("model_variables")[0]


@case(shown=lambda made: made)
def assign_from_checkpoint():
    v, w = tf.get_variable("v", [2], initializer=tf.constant_initializer(3.0)), tf.get_variable("w", [2], initializer=tf.constant_initializer(1.0))
    path = os.path.join(tempfile.mkdtemp(), "model")
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        tf.train.Saver([v]).save(session, path)
        step, feeds = slim.assign_from_checkpoint(path, {"v": w})
        session.run(step, feeds)
        found = [session.run(w)]
        try:
            slim.assign_from_checkpoint(path, [w])
        except ValueError as e:
            found.append(str(e))
    chooser = slim.VariableDeviceChooser(num_tasks=2)
    return found + [chooser(v.op), chooser(v.op), chooser(v.op), slim.VariableDeviceChooser(replica=1)(v.op)]


# Data.
@case(runs=0)
def slim_provider():
    features = {"image/encoded": tf.FixedLenFeature((), tf.string), "image/format": tf.FixedLenFeature((), tf.string, "raw"), "label": tf.FixedLenFeature([1], tf.int64),
                "box/ymin": tf.VarLenFeature(tf.float32), "box/xmin": tf.VarLenFeature(tf.float32), "box/ymax": tf.VarLenFeature(tf.float32),
                "box/xmax": tf.VarLenFeature(tf.float32)}
    d = slim.tfexample_decoder
    decoder = d.TFExampleDecoder(features, {"image": d.Tensor("image/encoded", shape=[]), "label": d.Tensor("label", shape=[]), "boxes": d.BoundingBox(prefix="box/")})
    dataset = slim.dataset.Dataset(["a.tfrecord", "b.tfrecord"], tf.TFRecordReader, decoder, 7, {}, num_classes=3)
    provider = slim.dataset_data_provider.DatasetDataProvider(dataset, num_readers=2, common_queue_capacity=20, common_queue_min=10)
    queue = slim.prefetch_queue.prefetch_queue(provider.get(["image", "label"]), capacity=4)
    return queue.dequeue(), slim.prefetch_queue.prefetch_queue({"x": tf.ones([2]), "y": tf.ones([])}, name="named").dequeue()


@case(names=False)
def slim_decoder_images():
    d = slim.tfexample_decoder
    features = {"image/encoded": tf.FixedLenFeature((), tf.string), "image/format": tf.FixedLenFeature((), tf.string, "raw")}
    decoder = d.TFExampleDecoder(features, {"image": d.Image(shape=[2, 2, 3])})
    f = tf.train.Feature
    raw = tf.train.Example(features=tf.train.Features(feature={"image/encoded": f(bytes_list=tf.train.BytesList(value=[bytes(range(12))]))}))
    return decoder.decode(tf.constant(raw.SerializeToString()))


@case(names=False)
def slim_decoder_items():
    d = slim.tfexample_decoder
    table = tf.contrib.lookup.index_table_from_tensor(["a", "b", "c"])
    features = {"x": tf.VarLenFeature(tf.float32), "n": tf.FixedLenFeature([2], tf.int64), "indices": tf.VarLenFeature(tf.int64), "values": tf.VarLenFeature(tf.float32),
                "words": tf.VarLenFeature(tf.string), "none": tf.VarLenFeature(tf.float32)}
    items = {"x": d.Tensor("x", shape_keys="n"), "sparse": d.SparseTensor(shape=[5], densify=True), "words": d.LookupTensor("words", table),
             "backup": d.BackupHandler(d.Tensor("none"), d.Tensor("x")), "own": d.ItemHandlerCallback(["n"], lambda t: t["n"] * 2)}
    decoder = d.TFExampleDecoder(features, items)
    f = tf.train.Feature
    example = tf.train.Example(features=tf.train.Features(feature={
        "x": f(float_list=tf.train.FloatList(value=[1, 2, 3, 4])), "n": f(int64_list=tf.train.Int64List(value=[2, 2])), "indices": f(int64_list=tf.train.Int64List(value=[1, 3])),
        "values": f(float_list=tf.train.FloatList(value=[0.5, 0.25])), "words": f(bytes_list=tf.train.BytesList(value=[b"c", b"a"]))}))
    return decoder.decode(tf.constant(example.SerializeToString()), ["x", "sparse", "words", "backup", "own"])


@case(shown=lambda made: [made.list_items() and sorted(made.list_items()), made.num_samples()])
def slim_data_provider():
    return slim.data_provider.DataProvider({"a": tf.ones([1]), "b": tf.zeros([])}, 12)


@case(runs=0)
def slim_single_pass_read():
    return slim.parallel_reader.single_pass_read(["x", "y"], tf.TextLineReader), slim.parallel_reader.parallel_read("z", tf.TextLineReader, shuffle=False, num_readers=3)


@case(runs=0)
def slim_summaries():
    s = slim.summaries
    x = tf.ones([2, 3], name="x")
    s.add_histogram_summary(x, prefix="p")
    s.add_scalar_summary(tf.constant(2.0, name="n"), print_summary=True)
    s.add_zero_fraction_summary(x)
    s.add_image_summaries([tf.ones([1, 4, 4, 3], name="picture")], prefix="q")
    return [s.add_scalar_summaries([tf.constant(1.0, name="m")]), s.add_zero_fraction_summaries([x]), s.add_histogram_summaries([x])]


@case(shown=lambda made: made)
def slim_model_analyzer():
    a = slim.model_analyzer
    v = tf.get_variable("v", [3, 4])
    return [a.tensor_description(v), a.analyze_ops(tf.get_default_graph()), a.analyze_vars([v])]


# Networks.
def _network(name, build, shape, fetch=lambda made: tf.shape(made[0])):
    def network():
        made = build(tf.zeros(shape))
        return fetch(made)

    network.__name__ = "net_" + name
    case(runs=0)(network)


def _nets():
    from tensorflow.contrib.slim.nets import alexnet, inception, overfeat, resnet_v1, resnet_v2, vgg

    def scoped(scope, function, **kwargs):
        def build(inputs):
            with slim.arg_scope(scope):
                return function(inputs, **kwargs)

        return build

    _network("alexnet_v2", scoped(alexnet.alexnet_v2_arg_scope(), alexnet.alexnet_v2, num_classes=5), [1, 224, 224, 3])
    _network("overfeat", scoped(overfeat.overfeat_arg_scope(), overfeat.overfeat, num_classes=5, is_training=False), [1, 231, 231, 3])
    for name in ("vgg_a", "vgg_16", "vgg_19"):
        _network(name, scoped(vgg.vgg_arg_scope(), getattr(vgg, name), num_classes=5), [1, 224, 224, 3])
    _network("resnet_v1_50", scoped(resnet_v1.resnet_arg_scope(), resnet_v1.resnet_v1_50, num_classes=5), [1, 65, 65, 3])
    _network("resnet_v1_101_dilated", scoped(resnet_v1.resnet_arg_scope(), resnet_v1.resnet_v1_101, num_classes=5, global_pool=False, output_stride=8, is_training=False),
             [1, 65, 65, 3])
    _network("resnet_v2_50", scoped(resnet_v2.resnet_arg_scope(), resnet_v2.resnet_v2_50, num_classes=5, output_stride=16), [1, 65, 65, 3])
    _network("inception_v1", scoped(inception.inception_v1_arg_scope(), inception.inception_v1, num_classes=5), [1, 224, 224, 3])
    _network("inception_v2", scoped(inception.inception_v2_arg_scope(), inception.inception_v2, num_classes=5, is_training=False), [1, 224, 224, 3])
    _network("inception_v2_narrow", scoped(inception.inception_v2_arg_scope(), inception.inception_v2_base, depth_multiplier=0.25, final_endpoint="Mixed_4b"), [1, 128, 128, 3])
    _network("inception_v3", scoped(inception.inception_v3_arg_scope(), inception.inception_v3, num_classes=5), [1, 299, 299, 3])

    def ends():
        made = {}
        with slim.arg_scope(inception.inception_v3_arg_scope()):
            made["inception_v3"] = sorted(inception.inception_v3(tf.zeros([1, 299, 299, 3]), 5)[1])
        with slim.arg_scope(vgg.vgg_arg_scope()):
            made["vgg_16"] = list(vgg.vgg_16(tf.zeros([1, 224, 224, 3]), 5)[1])
        with slim.arg_scope(resnet_v1.resnet_arg_scope()):
            made["resnet_v1_50"] = list(resnet_v1.resnet_v1_50(tf.zeros([1, 65, 65, 3]), 5)[1])
        return made

    ends.__name__ = "net_end_points"
    case(shown=lambda made: made)(ends)


_nets()
