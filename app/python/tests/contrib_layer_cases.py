"""Cases of contrib_graphs_test.py: cells and layers."""

import tensorflow as tf

from contrib_case_tools import CASES, case, layers, numbers, slim

# One step of each cell.
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
