"""Quantized types: arrays of their NumPy types as feeds, constants, messages, in py_func and data sets; values that are not quantized numbers."""


def told(x):
    x = np.asarray(x)
    return [str(x.dtype), x.tolist()]


def tried(f):
    try:
        return f()
    except Exception as e:
        return "%s: %s" % (type(e).__name__, str(e).split("\n")[0])


for name in ("qint8", "quint8", "qint16", "quint16", "qint32"):
    t = getattr(tf, name)
    kind = np.dtype(t.as_numpy_dtype)
    raw = np.array([1, 2, 3], kind[0])
    arr = raw.view(kind)
    show(str(kind), tf.as_dtype(kind).name, tf.as_dtype(arr.dtype).name)
    with tf.Graph().as_default(), tf.Session() as s:
        p, q = tf.placeholder(t, [3]), tf.placeholder(t, [])
        i, j = tf.identity(p), tf.identity(q)
        for value in (arr, arr.tolist(), raw, [1, 2, 3], np.array([1., 2., 3.]), arr[::-1], [3, 2]):
            show(tried(lambda: told(s.run(i, {p: value}))))
        show(tried(lambda: s.run(i, {p: (1, 2, 3)})), tried(lambda: told(s.run(j, {q: np.array((7,), kind)}))))
        show(tried(lambda: [told(x) for x in s.run([p, i, p], {p: arr})]), tried(lambda: told(s.run(p, {p: [1, 2, 3]}))))
        show(tried(lambda: told(s.run(tf.cast(i, tf.int32), {p: arr}))))
        few = name not in ("qint16", "quint16")  # for these TensorFlow requires at least two numbers
        for value in [[1, 2, 3], 1, [(1,), (2,)], [[(1,)], [(2,)]], [[(1,), 2]], [1.5], ["a"]] + [(1,), []] * few:
            show(tried(lambda: told(s.run(tf.constant(value, t)))))
        show(tried(lambda: told(s.run(tf.constant(arr)))), tried(lambda: told(s.run(tf.constant(arr, t)))), tried(lambda: told(s.run(tf.constant(raw, t)))), tried(lambda: tf.convert_to_tensor(arr).dtype.name))
        show(tried(lambda: s.run(tf.zeros([2], t)).tolist()), tried(lambda: str(tf.make_tensor_proto(arr))), tried(lambda: str(tf.make_tensor_proto([1, 2], t))))
        show(few and tried(lambda: str(tf.make_tensor_proto(arr[:1]))), few and tried(lambda: told(tf.make_ndarray(tf.make_tensor_proto(arr[:1])))))
        show(tried(lambda: told(tf.make_ndarray(tf.make_tensor_proto(arr)))), tried(lambda: told(tf.contrib.util.constant_value(tf.constant(arr)))))
        if few:
            show(tried(lambda: s.run(tf.py_func(lambda x: np.int32(len(x) * 2), [i], tf.int32), {p: arr}).tolist()))
            show(tried(lambda: told(s.run(tf.py_func(lambda x: x.view(kind), [i], t), {p: arr}))), tried(lambda: s.run(tf.py_func(lambda x: x, [i], t), {p: arr})))
        show(tried(lambda: told(s.run(tf.data.make_one_shot_iterator(tf.data.Dataset.from_tensors(arr)).get_next()))))
