"""tf.contrib.legacy_seq2seq: unrolled encoders and decoders."""

import copy

from .. import basics, dtypes, engine, ops
from ..control_flow import cond
from ..exports import export
from ..util import nest
from ..variable_scope import get_variable, get_variable_scope, variable_scope
from .cells import RNNCell
from .loops import static_rnn
from .projections import EmbeddingWrapper, Linear, OutputProjectionWrapper


def _legacy(name):
    return export("contrib.legacy_seq2seq." + name)


def _feed_back(embedding, projection=None, update_embedding=True):
    """A loop function that looks up the embedding of the likeliest symbol of the last output."""
    def loop_function(prev, _):
        if projection is not None:
            prev = engine.nn.xw_plus_b(prev, projection[0], projection[1])
        found = engine.nn.embedding_lookup(embedding, engine.argmax(prev, 1))
        return found if update_embedding else engine.stop_gradient(found)

    return loop_function


def _check_projection(projection, symbols, dtype):
    if projection is None:
        return
    weights = ops.convert_to_tensor(projection[0], dtype=dtype)
    weights.get_shape().assert_is_compatible_with([None, symbols])
    biases = ops.convert_to_tensor(projection[1], dtype=dtype)
    biases.get_shape().assert_is_compatible_with([symbols])


def _either(feed_previous, build, count, like):
    """(outputs, state) of build(True) or build(False), selected by a tensor."""
    def branch(value):
        with variable_scope(get_variable_scope(), reuse=None if value else True):
            outputs, state = build(value)
            return outputs + (nest.flatten(state) if nest.is_sequence(state) else [state])

    both = cond(feed_previous, lambda: branch(True), lambda: branch(False))
    states = both[count:]
    like = like() if callable(like) else like
    return both[:count], nest.pack_sequence_as(like, states) if nest.is_sequence(like) else states[0]


@_legacy("rnn_decoder")
def rnn_decoder(decoder_inputs, initial_state, cell, loop_function=None, scope=None):
    """Runs a cell step by step; `loop_function` computes the next input from the last output."""
    with variable_scope(scope or "rnn_decoder"):
        state, outputs, prev = initial_state, [], None
        for i, inp in enumerate(decoder_inputs):
            if loop_function is not None and prev is not None:
                with variable_scope("loop_function", reuse=True):
                    inp = loop_function(prev, i)
            if i > 0:
                get_variable_scope().reuse_variables()
            output, state = cell(inp, state)
            outputs.append(output)
            if loop_function is not None:
                prev = output
    return outputs, state


@_legacy("basic_rnn_seq2seq")
def basic_rnn_seq2seq(encoder_inputs, decoder_inputs, cell, dtype=dtypes.float32, scope=None):
    """An encoder, and a decoder that starts with its final state."""
    with variable_scope(scope or "basic_rnn_seq2seq"):
        _, state = static_rnn(copy.deepcopy(cell), encoder_inputs, dtype=dtype)
        return rnn_decoder(decoder_inputs, state, cell)


@_legacy("tied_rnn_seq2seq")
def tied_rnn_seq2seq(encoder_inputs, decoder_inputs, cell, loop_function=None, dtype=dtypes.float32, scope=None):
    """Encoder and decoder that share variables."""
    with variable_scope("combined_tied_rnn_seq2seq"):
        scope = scope or "tied_rnn_seq2seq"
        _, state = static_rnn(cell, encoder_inputs, dtype=dtype, scope=scope)
        get_variable_scope().reuse_variables()
        return rnn_decoder(decoder_inputs, state, cell, loop_function=loop_function, scope=scope)


@_legacy("embedding_rnn_decoder")
def embedding_rnn_decoder(decoder_inputs, initial_state, cell, num_symbols, embedding_size, output_projection=None, feed_previous=False,
                          update_embedding_for_previous=True, scope=None):
    """A decoder of symbols."""
    with variable_scope(scope or "embedding_rnn_decoder") as scope:
        _check_projection(output_projection, num_symbols, scope.dtype)
        embedding = get_variable("embedding", [num_symbols, embedding_size])
        loop = _feed_back(embedding, output_projection, update_embedding_for_previous) if feed_previous else None
        inputs = (engine.nn.embedding_lookup(embedding, i) for i in decoder_inputs)
        return rnn_decoder(inputs, initial_state, cell, loop_function=loop)


@_legacy("embedding_rnn_seq2seq")
def embedding_rnn_seq2seq(encoder_inputs, decoder_inputs, cell, num_encoder_symbols, num_decoder_symbols, embedding_size, output_projection=None, feed_previous=False,
                          dtype=None, scope=None):
    """Encoder and decoder of symbols."""
    with variable_scope(scope or "embedding_rnn_seq2seq") as scope:
        if dtype is not None:
            scope.set_dtype(dtype)
        else:
            dtype = scope.dtype
        encoder = EmbeddingWrapper(copy.deepcopy(cell), embedding_classes=num_encoder_symbols, embedding_size=embedding_size)
        _, state = static_rnn(encoder, encoder_inputs, dtype=dtype)
        if output_projection is None:
            cell = OutputProjectionWrapper(cell, num_decoder_symbols)

        def decode(feed, **more):
            return embedding_rnn_decoder(decoder_inputs, state, cell, num_decoder_symbols, embedding_size, output_projection=output_projection, feed_previous=feed, **more)

        if isinstance(feed_previous, bool):
            return decode(feed_previous)
        return _either(feed_previous, lambda feed: decode(feed, update_embedding_for_previous=False), len(decoder_inputs), state)


@_legacy("embedding_tied_rnn_seq2seq")
def embedding_tied_rnn_seq2seq(encoder_inputs, decoder_inputs, cell, num_symbols, embedding_size, num_decoder_symbols=None, output_projection=None, feed_previous=False,
                               dtype=None, scope=None):
    """Encoder and decoder of the same symbols that share variables."""
    with variable_scope(scope or "embedding_tied_rnn_seq2seq", dtype=dtype) as scope:
        dtype = scope.dtype
        _check_projection(output_projection, num_symbols, dtype)
        embedding = get_variable("embedding", [num_symbols, embedding_size], dtype=dtype)
        encoder_embedded = [engine.nn.embedding_lookup(embedding, x) for x in encoder_inputs]
        decoder_embedded = [engine.nn.embedding_lookup(embedding, x) for x in decoder_inputs]
        if output_projection is None:
            cell = OutputProjectionWrapper(cell, num_symbols if num_decoder_symbols is None else num_decoder_symbols)

        def decode(feed, update):
            loop = _feed_back(embedding, output_projection, update) if feed else None
            return tied_rnn_seq2seq(encoder_embedded, decoder_embedded, cell, loop_function=loop, dtype=dtype)

        def zero_state():
            rows = encoder_inputs[0].get_shape().as_list()[0]
            return cell.zero_state(basics.shape(encoder_inputs[0])[0] if rows is None else rows, dtype)

        if isinstance(feed_previous, bool):
            return decode(feed_previous, True)
        return _either(feed_previous, lambda feed: decode(feed, False), len(decoder_inputs), zero_state)


@_legacy("attention_decoder")
def attention_decoder(decoder_inputs, initial_state, attention_states, cell, output_size=None, num_heads=1, loop_function=None, dtype=None, scope=None,
                      initial_state_attention=False):
    """A decoder that attends to the encoder's outputs."""
    if not decoder_inputs:
        raise ValueError("Must provide at least 1 input to attention decoder.")
    if num_heads < 1:
        raise ValueError("With less than 1 heads, use a non-attention decoder.")
    if attention_states.get_shape().as_list()[2] is None:
        raise ValueError("Shape[2] of attention_states must be known: %s" % attention_states.get_shape())
    if output_size is None:
        output_size = cell.output_size
    with variable_scope(scope or "attention_decoder", dtype=dtype) as scope:
        dtype = scope.dtype
        batch_size = basics.shape(decoder_inputs[0])[0]
        length, size = attention_states.get_shape().as_list()[1:]
        if length is None:
            length = basics.shape(attention_states)[1]
        hidden = engine.reshape(attention_states, [-1, length, 1, size])
        features, v = [], []
        for a in range(num_heads):
            k = get_variable("AttnW_%d" % a, [1, 1, size, size], dtype=dtype)
            features.append(engine.nn.conv2d(hidden, k, [1, 1, 1, 1], "SAME"))
            v.append(get_variable("AttnV_%d" % a, [size], dtype=dtype))
        state = initial_state

        def attention(query):
            if nest.is_sequence(query):
                query = engine.concat(nest.flatten(query), 1)
            found = []
            for a in range(num_heads):
                with variable_scope("Attention_%d" % a):
                    y = basics.cast(engine.reshape(Linear(query, size, True)(query), [-1, 1, 1, size]), dtype)
                    s = engine.reduce_sum(v[a] * engine.tanh(features[a] + y), [2, 3])
                    weights = basics.cast(engine.nn.softmax(basics.cast(s, dtype=dtypes.float32)), dtype)
                    d = engine.reduce_sum(engine.reshape(weights, [-1, length, 1, 1]) * hidden, [1, 2])
                    found.append(engine.reshape(d, [-1, size]))
            return found

        outputs, prev = [], None
        shape = engine.stack([batch_size, size])
        attns = [engine.zeros(shape, dtype=dtype) for _ in range(num_heads)]
        for a in attns:
            a.set_shape([None, size])
        if initial_state_attention:
            attns = attention(initial_state)
        for i, inp in enumerate(decoder_inputs):
            if i > 0:
                get_variable_scope().reuse_variables()
            if loop_function is not None and prev is not None:
                with variable_scope("loop_function", reuse=True):
                    inp = loop_function(prev, i)
            input_size = inp.get_shape().with_rank(2).as_list()[1]
            if input_size is None:
                raise ValueError("Could not infer input size from input: %s" % inp.name)
            inputs = [basics.cast(e, dtype) for e in [inp] + attns]
            cell_output, state = cell(Linear(inputs, input_size, True)(inputs), state)
            if i == 0 and initial_state_attention:
                with variable_scope(get_variable_scope(), reuse=True):
                    attns = attention(state)
            else:
                attns = attention(state)
            with variable_scope("AttnOutputProjection"):
                inputs = [basics.cast(cell_output, dtype)] + attns
                output = Linear(inputs, output_size, True)(inputs)
            if loop_function is not None:
                prev = output
            outputs.append(output)
    return outputs, state


@_legacy("embedding_attention_decoder")
def embedding_attention_decoder(decoder_inputs, initial_state, attention_states, cell, num_symbols, embedding_size, num_heads=1, output_size=None, output_projection=None,
                                feed_previous=False, update_embedding_for_previous=True, dtype=None, scope=None, initial_state_attention=False):
    """A decoder of symbols with attention."""
    if output_size is None:
        output_size = cell.output_size
    if output_projection is not None:
        biases = ops.convert_to_tensor(output_projection[1], dtype=dtype)
        biases.get_shape().assert_is_compatible_with([num_symbols])
    with variable_scope(scope or "embedding_attention_decoder", dtype=dtype):
        embedding = get_variable("embedding", [num_symbols, embedding_size])
        loop = _feed_back(embedding, output_projection, update_embedding_for_previous) if feed_previous else None
        inputs = [engine.nn.embedding_lookup(embedding, i) for i in decoder_inputs]
        return attention_decoder(inputs, initial_state, attention_states, cell, output_size=output_size, num_heads=num_heads, loop_function=loop,
                                 initial_state_attention=initial_state_attention)


@_legacy("embedding_attention_seq2seq")
def embedding_attention_seq2seq(encoder_inputs, decoder_inputs, cell, num_encoder_symbols, num_decoder_symbols, embedding_size, num_heads=1, output_projection=None,
                                feed_previous=False, dtype=None, scope=None, initial_state_attention=False):
    """Encoder and decoder of symbols; the decoder attends to the outputs of the encoder."""
    with variable_scope(scope or "embedding_attention_seq2seq", dtype=dtype) as scope:
        dtype = scope.dtype
        encoder = EmbeddingWrapper(copy.deepcopy(cell), embedding_classes=num_encoder_symbols, embedding_size=embedding_size)
        outputs, state = static_rnn(encoder, encoder_inputs, dtype=dtype)
        attention_states = engine.concat([engine.reshape(e, [-1, 1, cell.output_size]) for e in outputs], 1)
        output_size = None
        if output_projection is None:
            cell = OutputProjectionWrapper(cell, num_decoder_symbols)
            output_size = num_decoder_symbols

        def decode(feed, **more):
            return embedding_attention_decoder(decoder_inputs, state, attention_states, cell, num_decoder_symbols, embedding_size, num_heads=num_heads,
                                               output_size=output_size, output_projection=output_projection, feed_previous=feed,
                                               initial_state_attention=initial_state_attention, **more)

        if isinstance(feed_previous, bool):
            return decode(feed_previous)
        return _either(feed_previous, lambda feed: decode(feed, update_embedding_for_previous=False), len(decoder_inputs), state)


@_legacy("one2many_rnn_seq2seq")
def one2many_rnn_seq2seq(encoder_inputs, decoder_inputs_dict, enc_cell, dec_cells_dict, num_encoder_symbols, num_decoder_symbols_dict, embedding_size, feed_previous=False,
                         dtype=None, scope=None):
    """One encoder and several decoders."""
    for what, cell in [("enc_cell", enc_cell)] + [("dec_cell", c) for c in dec_cells_dict.values()]:
        if not isinstance(cell, RNNCell):
            raise TypeError("%s is not an RNNCell: %s" % (what, type(cell)))
    if set(dec_cells_dict) != set(decoder_inputs_dict):
        raise ValueError("keys of dec_cells_dict != keys of decodre_inputs_dict")
    outputs, states = {}, {}
    with variable_scope(scope or "one2many_rnn_seq2seq", dtype=dtype) as scope:
        encoder = EmbeddingWrapper(enc_cell, embedding_classes=num_encoder_symbols, embedding_size=embedding_size)
        _, encoded = static_rnn(encoder, encoder_inputs, dtype=scope.dtype)
        for name, inputs in decoder_inputs_dict.items():
            symbols = num_decoder_symbols_dict[name]
            with variable_scope("one2many_decoder_" + str(name)):
                cell = OutputProjectionWrapper(dec_cells_dict[name], symbols)

                def decode(feed, inputs=inputs, cell=cell, symbols=symbols):
                    return embedding_rnn_decoder(inputs, encoded, cell, symbols, embedding_size, feed_previous=feed)

                if isinstance(feed_previous, bool):
                    outputs[name], states[name] = decode(feed_previous)
                else:
                    outputs[name], states[name] = _either(feed_previous, decode, len(inputs), encoded)
    return outputs, states


@_legacy("sequence_loss_by_example")
def sequence_loss_by_example(logits, targets, weights, average_across_timesteps=True, softmax_loss_function=None, name=None):
    """The weighted cross entropy of each sequence."""
    if len(targets) != len(logits) or len(weights) != len(logits):
        raise ValueError("Lengths of logits, weights, and targets must be the same %d, %d, %d." % (len(logits), len(weights), len(targets)))
    with ops.name_scope(name, "sequence_loss_by_example", logits + targets + weights):
        losses = []
        for logit, target, weight in zip(logits, targets, weights):
            if softmax_loss_function is None:
                loss = engine.nn.sparse_softmax_cross_entropy_with_logits(labels=engine.reshape(target, [-1]), logits=logit)
            else:
                loss = softmax_loss_function(labels=target, logits=logit)
            losses.append(loss * weight)
        total = engine.add_n(losses)
        if average_across_timesteps:
            size = engine.add_n(weights)
            size += 1e-12  # avoids division by zero if all weights are zero
            total /= size
    return total


@_legacy("sequence_loss")
def sequence_loss(logits, targets, weights, average_across_timesteps=True, average_across_batch=True, softmax_loss_function=None, name=None):
    """The weighted cross entropy of sequences, as one number."""
    with ops.name_scope(name, "sequence_loss", logits + targets + weights):
        cost = engine.reduce_sum(sequence_loss_by_example(logits, targets, weights, average_across_timesteps=average_across_timesteps,
                                                          softmax_loss_function=softmax_loss_function))
        return cost / basics.cast(basics.shape(targets[0])[0], cost.dtype) if average_across_batch else cost


@_legacy("model_with_buckets")
def model_with_buckets(encoder_inputs, decoder_inputs, targets, weights, buckets, seq2seq, softmax_loss_function=None, per_example_loss=False, name=None):
    """A model for each length; all share their variables."""
    for word, what, size in (("encoder_inputs", encoder_inputs, 0), ("targets", targets, 1), ("weights", weights, 1)):
        if len(what) < buckets[-1][size]:
            raise ValueError("Length of %s (%d) must be at least that of last bucket (%d)." % (word, len(what), buckets[-1][size]))
    losses, outputs = [], []
    with ops.name_scope(name, "model_with_buckets", encoder_inputs + decoder_inputs + targets + weights):
        for j, bucket in enumerate(buckets):
            with variable_scope(get_variable_scope(), reuse=True if j > 0 else None):
                made, _ = seq2seq(encoder_inputs[:bucket[0]], decoder_inputs[:bucket[1]])
                outputs.append(made)
                loss = sequence_loss_by_example if per_example_loss else sequence_loss
                losses.append(loss(made, targets[:bucket[1]], weights[:bucket[1]], softmax_loss_function=softmax_loss_function))
    return outputs, losses
