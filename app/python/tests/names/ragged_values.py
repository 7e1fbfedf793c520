# Values of ragged tensors.
a = tf.ragged.constant([[1, 2], [], [3, 4, 5]])
b = tf.ragged.constant([[[1.0], [2.0, 3.0]], [], [[4.0]]])
x = tf.placeholder(tf.float32, [None, None])
p = tf.ragged.placeholder(tf.float32, 1, [])
value = tf.ragged.constant_value([[1.0, 2.0], [3.0]])
d = tf.RaggedTensor.from_tensor(x, padding=0.0)
w = tf.ragged.constant([["a", "b"], ["c"]])
with tf.Session() as s:
    def run(*what):
        show(*[v.to_list() if hasattr(v, "to_list") else v.tolist() for v in s.run(what)])

    run(a, b, a.to_tensor(), b.to_tensor(-1.0), a + 1, a * a, a[:, 1:], a[1:], a[0], a[:, ::2], b[0], tf.reduce_sum(a, axis=0), tf.reduce_sum(a, axis=1), tf.reduce_mean(b, axis=2))
    run(tf.concat([a, a], axis=1), tf.concat([a, a], 0), tf.ragged.stack([a, a], axis=1), tf.tile(a, [1, 2]), tf.gather(a, [2, 0]), tf.gather_nd(a, [[0, 1], [2, 2]]),
        tf.expand_dims(a, 1), tf.where(a > 2), tf.where(a > 2, a, -a), tf.ragged.boolean_mask(a, a > 1), tf.ragged.range([1, 2], [3, 5]), tf.add(a, [[10], [20], [30]]))
    run(a.value_rowids(), a.row_lengths(), a.nrows(), a.bounding_shape(), b.bounding_shape(), a.row_starts(), a.row_limits())
    run(tf.RaggedTensor.from_sparse(tf.SparseTensor([[0, 0], [0, 1], [2, 0]], [1, 2, 3], [3, 3])), tf.RaggedTensor.from_value_rowids([1, 2, 3], [0, 0, 2], 5),
        tf.RaggedTensor.from_row_limits([1, 2, 3], [1, 1, 3]), tf.unsorted_segment_sum(a, [0, 1, 0], 2), tf.ragged.stack_dynamic_partitions([1, 2, 3, 4], [0, 1, 0, 2], 3))
    run(tf.strings.unicode_split(["ab", "c"], "UTF-8"), tf.strings.unicode_decode(["ab", "c"], "UTF-8"), tf.strings.ngrams(w, 2, pad_values="-"), tf.strings.bytes_split(["ab", ""]),
        tf.strings.split(["a b", "c"], result_type="RaggedTensor"), tf.strings.reduce_join(w, axis=1, separator="+"), tf.strings.length(w))
    run(tf.sort([3, 1, 2]), tf.argsort([3.0, 1.0, 2.0], direction="DESCENDING"), tf.sort([[2, 1], [1, 3]], axis=0), tf.repeat([1, 2], [2, 1]), tf.repeat([[1, 2], [3, 4]], 2, axis=0),
        tf.batch_gather([[1, 2], [3, 4]], [[1], [0]]))
    show(s.run(d, {x: [[1, 0], [2, 3], [0, 0]]}).to_list(), s.run(tf.reduce_max(p, axis=1), {p: value}), s.run(p * 2.0, {p: value}).to_list(), str(value), value.shape, value.ragged_rank)
    sp = s.run(b.to_sparse())
    show(sp.indices, sp.values, sp.dense_shape)
    flat = tf.placeholder(tf.float32, [3])
    r = tf.RaggedTensor.from_row_splits(flat, [0, 2, 3])
    g = tf.gradients(tf.reduce_sum(tf.square(r.to_tensor())) + tf.reduce_sum(tf.gather(r, [0, 0]).values * 3.0), flat)[0]
    show(s.run(g, {flat: [1.0, 2.0, 3.0]}))
    bad = tf.RaggedTensor.from_row_lengths([1, 2, 3], tf.placeholder_with_default([1, 1], [2]))
    show(raises(lambda: s.run(bad)).split(":")[0])
