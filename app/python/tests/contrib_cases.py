"""What contrib_graphs_test.py builds in Weft and in TensorFlow 1.15.5: a function for each case, which gives what is run."""

import itertools
import os
import tempfile

import numpy as np
import tensorflow as tf

CASES = {}
slim = tf.contrib.slim
layers = tf.contrib.layers


def case(runs=1, fill=True, shown=None, names=True):
    """Registers a case: how often what it gives is run (0: only its graph counts), whether variables get set numbers, or what is shown of it instead of running it;
    names=False: only values are compared."""
    def register(function):
        function.runs, function.fill, function.shown, function.names = runs, fill, shown, names
        CASES[function.__name__] = function
        return function

    return register


def numbers(*shape, **kwargs):
    """Set numbers in a shape."""
    size = int(np.prod(shape))
    return tf.constant((np.cos(np.arange(size) * 1.3) * kwargs.get("scale", 1.0)).reshape(shape), tf.float32)


# Cells: one step of each.
def one_step(cell, inputs=None, state=None):
    inputs = numbers(2, 6) if inputs is None else inputs
    state = cell.zero_state(2, tf.float32) if state is None else state
    state = tf.contrib.framework.nest.map_structure(lambda s: s + 0.25, state)
    output, state = cell(inputs, state)
    return output, list(tf.contrib.framework.nest.flatten(state))


def _cell(name, make, **more):
    def build():
        return one_step(make(), more["inputs"]() if "inputs" in more else None)

    build.__name__ = "cell_" + name
    case()(build)


r = tf.contrib.rnn
_cell("coupled", lambda: r.CoupledInputForgetGateLSTMCell(4))
_cell("coupled_peepholes_projected", lambda: r.CoupledInputForgetGateLSTMCell(4, use_peepholes=True, num_proj=3, proj_clip=0.2, num_unit_shards=2, num_proj_shards=2))
_cell("coupled_normalized", lambda: r.CoupledInputForgetGateLSTMCell(4, layer_norm=True, state_is_tuple=False))
_cell("time_freq", lambda: r.TimeFreqLSTMCell(4, use_peepholes=True, feature_size=6, frequency_skip=1))
_cell("time_freq_plain", lambda: r.TimeFreqLSTMCell(4, cell_clip=0.1, feature_size=6))
_cell("grid", lambda: r.GridLSTMCell(3, feature_size=2, frequency_skip=2, num_frequency_blocks=[3]))
_cell("grid_peepholes", lambda: r.GridLSTMCell(3, use_peepholes=True, cell_clip=0.3, feature_size=2, frequency_skip=2, num_frequency_blocks=[3]))
_cell("grid_shared_peepholes", lambda: r.GridLSTMCell(3, use_peepholes=True, share_time_frequency_weights=True, feature_size=2, frequency_skip=2, num_frequency_blocks=[3]))
_cell("grid_coupled", lambda: r.GridLSTMCell(3, use_peepholes=True, couple_input_forget_gates=True, feature_size=2, frequency_skip=2, num_frequency_blocks=[3],
                                             state_is_tuple=False))
_cell("grid_blocks", lambda: r.GridLSTMCell(3, feature_size=2, frequency_skip=1, num_frequency_blocks=[2, 1], start_freqindex_list=[0, 3], end_freqindex_list=[3, 5]))
_cell("grid_bidirectional", lambda: r.BidirectionalGridLSTMCell(3, feature_size=2, frequency_skip=2, num_frequency_blocks=[3]))
_cell("grid_bidirectional_offset", lambda: r.BidirectionalGridLSTMCell(3, use_peepholes=True, feature_size=2, frequency_skip=2, num_frequency_blocks=[3],
                                                                      backward_slice_offset=1))
_cell("ugrnn", lambda: r.UGRNNCell(4))
_cell("intersection", lambda: r.IntersectionRNNCell(6))
_cell("intersection_projected", lambda: r.IntersectionRNNCell(4, num_in_proj=4))
_cell("phased", lambda: r.PhasedLSTMCell(4), inputs=lambda: (tf.constant([[1.5], [2.5]], tf.float64), numbers(2, 5)))
_cell("phased_peepholes", lambda: r.PhasedLSTMCell(4, use_peepholes=True, trainable_ratio_on=False), inputs=lambda: (tf.constant([[1.5], [2.5]]), numbers(2, 5)))
_cell("glstm", lambda: r.GLSTMCell(4, number_of_groups=2))
_cell("glstm_projected", lambda: r.GLSTMCell(6, num_proj=4, number_of_groups=2))
_cell("sru", lambda: r.SRUCell(6))
_cell("indrnn", lambda: r.IndRNNCell(4))
_cell("indygru", lambda: r.IndyGRUCell(4))
_cell("indylstm", lambda: r.IndyLSTMCell(4))
_cell("conv1d", lambda: r.Conv1DLSTMCell(input_shape=[6, 3], output_channels=2, kernel_shape=[3]), inputs=lambda: numbers(2, 6, 3))
_cell("conv2d", lambda: r.Conv2DLSTMCell(input_shape=[4, 4, 3], output_channels=2, kernel_shape=[3, 3]), inputs=lambda: numbers(2, 4, 4, 3))
_cell("conv3d", lambda: r.Conv3DLSTMCell(input_shape=[2, 3, 3, 2], output_channels=2, kernel_shape=[2, 3, 3], use_bias=False), inputs=lambda: numbers(2, 2, 3, 3, 2))
_cell("nas", lambda: r.NASCell(4))
_cell("attention", lambda: r.AttentionCellWrapper(r.GRUCell(4), 3))
_cell("highway", lambda: r.HighwayWrapper(r.BasicRNNCell(6)))
_cell("layer_norm_lstm", lambda: r.LayerNormBasicLSTMCell(4))
_cell("lstm_block", lambda: r.LSTMBlockCell(4, use_peephole=True))
_cell("gru_block", lambda: r.GRUBlockCellV2(4))


@case()
def fused_adaptor_static():
    return r.FusedRNNCellAdaptor(r.BasicLSTMCell(3))(numbers(4, 2, 5), dtype=tf.float32)


@case()
def fused_adaptor_dynamic_reversed():
    cell = r.TimeReversedFusedRNN(r.FusedRNNCellAdaptor(r.GRUCell(3), use_dynamic_rnn=True))
    return cell(numbers(4, 2, 5), dtype=tf.float32, sequence_length=tf.constant([4, 2]))


@case()
def lstm_block_fused():
    return r.LSTMBlockFusedCell(3)(numbers(4, 2, 5), dtype=tf.float32)


@case()
def lstm_block_fused_lengths():
    outputs, state = r.LSTMBlockFusedCell(3, use_peephole=True, cell_clip=0.5)(numbers(4, 2, 5), dtype=tf.float32, sequence_length=[4, 2])
    return outputs, state, tf.gradients(tf.reduce_sum(outputs), tf.trainable_variables())


@case(shown=lambda made: [made[0]])
def best_effort_input_batch_size():
    return [r.best_effort_input_batch_size([tf.placeholder(tf.float32, [None, None, 3]), tf.placeholder(tf.float32, [None, 7, 3])])]


# Layers.
@case()
def layer_group_norm():
    return layers.group_norm(numbers(2, 4, 4, 6), groups=3), layers.group_norm(numbers(2, 6, 4, 4), groups=2, channels_axis=-3, reduction_axes=(-2, -1), scope="first",
                                                                               activation_fn=tf.nn.relu)


@case()
def layer_group_norm_close_to_zero():
    return layers.group_norm(numbers(2, 4, 4, 6), groups=2, mean_close_to_zero=True, center=False)


@case()
def layer_instance_norm():
    return layers.instance_norm(numbers(2, 4, 4, 3)), layers.instance_norm(numbers(2, 3, 4, 4), data_format="NCHW", scope="first", activation_fn=tf.nn.relu)


@case()
def layer_conv2d_in_plane():
    return layers.conv2d_in_plane(numbers(1, 4, 4, 3), [1, 2], padding="VALID"), layers.conv2d_in_plane(numbers(1, 4, 4, 3), 2, stride=[2, 2], normalizer_fn=layers.batch_norm)


@case()
def layer_conv3d_transpose():
    return layers.conv3d_transpose(numbers(1, 2, 3, 3, 2), 3, 2, stride=2)


@case()
def layer_dense_to_sparse():
    return layers.dense_to_sparse(tf.constant([[1, 0, 3], [0, 5, 0]]))


@case()
def layer_images_to_sequence():
    made = layers.images_to_sequence(numbers(2, 3, 4, 2))
    return made, layers.sequence_to_images(made, 3), layers.sequence_to_images(numbers(4, 6, 2), 3, output_data_format="channels_first")


@case()
def layer_pool():
    return slim.pool(numbers(1, 4, 4, 2), 2, "MAX"), slim.pool(numbers(1, 6, 2), [2], "AVG", stride=2, scope="mean")


@case()
def layer_scale_gradient():
    x = numbers(3)
    y = layers.scale_gradient(x, tf.constant(0.25))
    return y, tf.gradients(y * y, x)


CASES["layer_scale_gradient"].names = False


@case()
def layer_spatial_softmax():
    return layers.spatial_softmax(numbers(2, 4, 4, 3)), layers.spatial_softmax(numbers(2, 3, 4, 4), temperature=0.5, trainable=False, data_format="NCHW", name="other")


@case(fill=False)
def layer_gdn():
    x = numbers(1, 4, 4, 3)
    y = layers.gdn(x)
    return y, layers.gdn(x, inverse=True, name="inverse"), tf.gradients(tf.reduce_sum(y), tf.trainable_variables()[:2])


@case(fill=False)
def layer_gdn_channels_first_volumes():
    return layers.gdn(numbers(1, 2, 3, 3, 2), data_format="channels_last")


@case()
def layer_bow_encoder():
    return layers.bow_encoder(tf.constant([[1, 2, 0], [0, 0, 0]]), 5, 3), layers.bow_encoder(tf.constant([[1, 2, 0]]), 5, 3, sparse_lookup=False, scope="dense")


@case()
def layer_partials():
    x = numbers(2, 3)
    return slim.elu(x, 2), slim.relu6(x, 2), layers.legacy_relu(x, 2), slim.linear(x, 2), layers.legacy_linear(numbers(2, 3, 4), 2)


@case(runs=2)
def adaptive_clipping():
    v = tf.get_variable("v", [3])
    loss = tf.reduce_sum(tf.square(v) * 5.0)
    step = tf.train.get_or_create_global_step()
    clip = slim.adaptive_clipping_fn(global_step=step, report_summary=True, static_max_norm=2.0)
    pairs = clip(tf.train.GradientDescentOptimizer(0.1).compute_gradients(loss))
    return [g for g, _ in pairs]


@case(shown=lambda made: made)
def layer_tools():
    u = slim.utils
    t = tf.ones([2, 3], name="t")
    u.collect_named_outputs("ends", "first/", t)
    found = u.convert_collection_to_dict("ends")
    return [list(found), u.last_dimension(t.get_shape(), 2), u.channel_dimension(t.get_shape(), "channels_last"), u.two_element_tuple(3), u.n_positive_integers(2, 4),
            u.n_positive_integers(2, [1, 2]), u.get_tensor_aliases(tf.zeros([1], name="z"))]


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


# Data of slim.
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

# Metrics, each updated twice.
P, L, W = lambda: tf.constant([0.1, 0.8, 0.4, 0.9]), lambda: tf.constant([0.0, 1.0, 1.0, 1.0]), lambda: tf.constant([1.0, 0.5, 2.0, 1.0])
B, C = lambda: tf.constant([False, True, True, True]), lambda: tf.constant([True, True, False, True])
I, J = lambda: tf.constant([0, 2, 1, 2], tf.int64), lambda: tf.constant([0, 1, 1, 2], tf.int64)
K = lambda: tf.constant([[0.1, 0.7, 0.2], [0.5, 0.2, 0.3]])
m = tf.contrib.metrics


def _metric(name, build, names=True):
    def metric():
        value, update = build()
        return {"value": value, "update": update}

    metric.__name__ = "metric_" + name
    case(runs=2, names=names)(metric)


for _name in ("true_positives", "true_negatives", "false_positives", "false_negatives", "precision", "recall"):
    _metric(_name, lambda f=getattr(m, "streaming_" + _name): f(B(), C(), W()), names=False)
for _name in ("accuracy", "mean_absolute_error", "mean_squared_error", "root_mean_squared_error", "auc", "pearson_correlation", "covariance"):
    _metric(_name, lambda f=getattr(m, "streaming_" + _name): f(P(), L(), W()))
_metric("covariance_unweighted", lambda: m.streaming_covariance(P(), L()))
for _name in ("false_positive_rate", "false_negative_rate"):
    _metric(_name, lambda f=getattr(m, "streaming_" + _name): f(B(), C()))
for _name in ("true_positives", "true_negatives", "false_positives", "false_negatives", "precision", "recall", "false_positive_rate", "false_negative_rate"):
    _metric(_name + "_at_thresholds", lambda f=getattr(m, "streaming_%s_at_thresholds" % _name): f(P(), tf.cast(L(), tf.bool), [0.2, 0.5, 0.85], weights=W()))
_metric("mean", lambda: m.streaming_mean(P(), W()))
_metric("mean_tensor", lambda: m.streaming_mean_tensor(P(), W()))
_metric("percentage_less", lambda: m.streaming_percentage_less(P(), 0.5))
_metric("mean_relative_error", lambda: m.streaming_mean_relative_error(P(), L(), tf.constant([1.0, 2.0, 3.0, 4.0])))
_metric("mean_iou", lambda: m.streaming_mean_iou(I(), J(), 3))
_metric("mean_cosine_distance", lambda: m.streaming_mean_cosine_distance(numbers(2, 3), numbers(2, 3, scale=0.5), 1))
_metric("specificity_at_sensitivity", lambda: m.streaming_specificity_at_sensitivity(P(), tf.cast(L(), tf.bool), 0.6))
_metric("sensitivity_at_specificity", lambda: m.streaming_sensitivity_at_specificity(P(), tf.cast(L(), tf.bool), 0.6, num_thresholds=50))
_metric("recall_at_k", lambda: m.streaming_recall_at_k(K(), tf.constant([1, 2]), 2))
_metric("sparse_recall_at_k", lambda: m.streaming_sparse_recall_at_k(K(), tf.constant([[1], [2]], tf.int64), 2))
_metric("sparse_precision_at_k", lambda: m.streaming_sparse_precision_at_k(K(), tf.constant([[1], [2]], tf.int64), 2, class_id=1))
_metric("sparse_precision_at_top_k", lambda: m.streaming_sparse_precision_at_top_k(tf.constant([[1, 2], [0, 2]], tf.int64), tf.constant([[1], [2]], tf.int64)))
_metric("sparse_recall_at_top_k", lambda: m.sparse_recall_at_top_k(tf.constant([[1], [2]], tf.int64), tf.constant([[1, 2], [0, 2]], tf.int64), class_id=2))
_metric("curve_points", lambda: m.streaming_curve_points(L(), P(), num_thresholds=5, curve="PR"))
_metric("curve_points_roc", lambda: m.streaming_curve_points(tf.cast(L(), tf.bool), P(), W(), num_thresholds=5))
_metric("f1_score", lambda: m.f1_score(L(), P(), W(), num_thresholds=11))
_metric("recall_at_precision", lambda: m.recall_at_precision(L(), P(), 0.8, num_thresholds=11))
_metric("recall_at_precision_strict", lambda: m.recall_at_precision(L(), P(), 0.8, num_thresholds=11, strict_mode=True))
_metric("precision_at_recall", lambda: m.precision_at_recall(L(), P(), 0.8, num_thresholds=11))
_metric("concat", lambda: m.streaming_concat(numbers(2, 3), axis=1))
_metric("concat_most", lambda: m.streaming_concat(numbers(3), max_size=4))
_metric("dynamic_auc", lambda: m.streaming_dynamic_auc(L(), P()))
_metric("dynamic_auc_pr", lambda: m.streaming_dynamic_auc(L(), P(), curve="PR", weights=W()))
_metric("auc_with_confidence", lambda: m.auc_with_confidence_intervals(tf.constant([0.0, 1.0, 1.0, 0.0, 1.0]), tf.constant([0.1, 0.8, 0.4, 0.5, 0.9])), names=False)
_metric("equal_thresholds", lambda: m.precision_recall_at_equal_thresholds(B(), P(), num_thresholds=5))
_metric("count", lambda: m.count(P(), W()))
_metric("cohen_kappa", lambda: m.cohen_kappa(J(), I(), 3))
_metric("cohen_kappa_weighted", lambda: m.cohen_kappa(J(), I(), 3, weights=W()))
_metric("auc_histogram", lambda: m.auc_using_histogram(B(), P(), [0.0, 1.0], nbins=10))


@case()
def metric_of_a_batch():
    return m.accuracy(I(), J()), m.accuracy(I(), J(), W()), m.confusion_matrix(J(), I(), 3), m.set_size(m.set_union(tf.constant([[1, 2]]), tf.constant([[2, 3]])))


@case(runs=2)
def metric_maps():
    values, updates = m.aggregate_metric_map({"a": m.streaming_mean(P()), "b": m.streaming_accuracy(I(), J())})
    more = m.aggregate_metrics(m.streaming_mean(P()), m.count(P()))
    return {"value": [values, more[0]], "update": [updates, more[1]]}


@case()
def metric_unknown_shapes():
    weights = tf.placeholder_with_default(W(), tf.TensorShape(None))
    predictions = tf.placeholder_with_default(tf.constant([[0.1], [0.8], [0.4], [0.9]]), tf.TensorShape(None))
    return m.streaming_covariance(predictions, L(), weights)[1]


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


# Summaries that the graph writes.
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


# Loops that train and evaluate.
def _trained(folder, steps=3, **more):
    w = tf.get_variable("w", [2], initializer=tf.constant_initializer([1.0, -2.0]))
    loss = tf.reduce_sum(tf.square(w - 0.5))
    tf.summary.scalar("loss", loss)
    step = slim.learning.create_train_op(loss, tf.train.GradientDescentOptimizer(0.1), clip_gradient_norm=1.0, gradient_multipliers={"w": 0.5})
    return slim.learning.train(step, folder, number_of_steps=steps, log_every_n_steps=2, **more)


def _kinds(folder):
    """The files of a folder without numbers of machines and times."""
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
