"""Single ops for ops.py: each is stated once, for all element types and sizes that it can have.

A case is a function of Inputs that returns the op's result. `CASES` maps its name to (families of types, function): the letters f (floats), i (integers),
a (any type) and o (once per size, for ops with types of their own)."""
import math

import numpy as np

try:
    import tensorflow.compat.v1 as tf
    tf.disable_v2_behavior()
except ImportError:
    import tensorflow as tf

TYPES = {"f32": tf.float32, "f64": tf.float64, "f16": tf.float16, "bf16": tf.bfloat16, "i8": tf.int8, "u8": tf.uint8, "i16": tf.int16, "i32": tf.int32,
         "i64": tf.int64, "bool": tf.bool}


class Inputs:
    """Variables of one element type, `n` elements each; made when a case first asks for them."""

    def __init__(self, dtype, n):
        self.type, self.n, self.random, self.made, self.starts = TYPES[dtype], n, np.random.RandomState(0), {}, []

    def variable(self, key, value, dtype=None):
        if key not in self.made:
            dtype = dtype or self.type
            # A placeholder as initial value keeps large arrays out of the graph.
            start = tf.placeholder(tf.float32 if dtype == tf.bfloat16 else dtype, None)
            value = np.asarray(value())
            made = tf.Variable(tf.reshape(tf.cast(start, dtype), value.shape), use_resource=False)
            self.starts.append((made.initializer, start, value))
            self.made[key] = made
        return self.made[key]

    def values(self, *shape):
        if self.type == tf.bool:
            return self.random.rand(*shape) > 0.5
        if self.type.is_floating:
            return self.random.rand(*shape) * 0.9 + 0.05
        return self.random.randint(1, 100, shape)

    def box(self, key, *shape):
        return self.variable((key, shape), lambda: self.values(*shape))

    @property
    def x(self):
        return self.box("x", self.n)

    @property
    def y(self):
        return self.box("y", self.n)

    @property
    def m(self):
        """Rows of 256."""
        return tf.reshape(self.x, [-1, 256])

    @property
    def odd(self):
        """Rows of 77."""
        return self.box("odd", max(1, self.n // 77), 77)

    @property
    def flags(self):
        return self.variable("flags", lambda: self.random.rand(self.n) > 0.5, tf.bool)

    @property
    def rows(self):
        """Numbers of rows of m, a quarter as many as m has."""
        count = max(1, self.n // 256)
        return self.variable("rows", lambda: self.random.randint(0, count, max(1, count // 4)), tf.int32)

    @property
    def columns(self):
        return self.variable("columns", lambda: self.random.randint(0, 256, 64), tf.int32)

    @property
    def small(self):
        return self.variable("small", lambda: self.random.randint(0, 100, self.n), tf.int32)

    @property
    def images(self):
        """[images, 16, 16, 16] or one smaller image."""
        side = 16 if self.n >= 4096 else 8
        return tf.reshape(self.x, [-1, side, side, 16])

    @property
    def pictures(self):
        """[images, 32, 32, 3] or one smaller image."""
        side = 32 if self.n >= 4096 else 16
        return self.box("pictures", max(1, self.n // (side * side * 3)), side, side, 3)

    @property
    def square(self):
        side = min(512, math.isqrt(self.n))
        return self.box("square", side, side)

    @property
    def dominant(self):
        """A symmetric matrix whose diagonal dominates."""
        side = min(256, math.isqrt(self.n))
        def value():
            a = self.random.rand(side, side)
            return a + a.T + 2 * side * np.eye(side)
        return self.variable("dominant", value)

    @property
    def words(self):
        return self.variable("words", lambda: np.array(["word %d" % k for k in range(max(1, self.n // 64))], dtype=object), tf.string)

    @property
    def digits(self):
        return self.variable("digits", lambda: np.array([str(k / 4) for k in range(max(1, self.n // 64))], dtype=object), tf.string)

    def row_numbers(self, m):
        return tf.range(tf.shape(m)[0])


CASES = {}


def case(kinds, **named):
    for name, function in named.items():
        CASES[name.strip("_")] = (kinds, function)


def gradient(y, x):
    return tf.gradients(y, x)[0]


def add_arithmetic():
    for name in ("exp log log1p expm1 sqrt rsqrt sin cos tan asin acos atan sinh cosh tanh asinh atanh erf erfc lgamma digamma floor ceil rint reciprocal "
                 "sigmoid").split():
        CASES[name] = ("f", lambda s, f=getattr(tf, name, None) or getattr(tf.math, name): f(s.x))
    for name in "square abs negative sign round".split():
        CASES[name] = ("fi", lambda s, f=getattr(tf, name): f(s.x))
    for name in "is_nan is_finite".split():
        CASES[name] = ("f", lambda s, f=getattr(tf, name, None) or getattr(tf.math, name): f(s.x))
    for name in "softplus softsign relu relu6 elu selu leaky_relu".split():
        CASES[name] = ("f", lambda s, f=getattr(tf.nn, name): f(s.x))
    for name in "softmax log_softmax".split():
        CASES[name] = ("f", lambda s, f=getattr(tf.nn, name): f(s.m))
        CASES[name + " rows of 10"] = ("f", lambda s, f=getattr(tf.nn, name): f(tf.reshape(s.x[:s.n // 10 * 10], [-1, 10])))
    for name in "add subtract multiply maximum minimum floordiv floormod squared_difference".split():
        CASES[name] = ("fi", lambda s, f=getattr(tf, name, None) or getattr(tf.math, name): f(s.x, s.y))
    for name in "divide pow atan2".split():
        CASES[name] = ("f", lambda s, f=getattr(tf, name, None) or getattr(tf.math, name): f(s.x, s.y))
    for name in "less equal".split():
        CASES[name] = ("fi", lambda s, f=getattr(tf, name): f(s.x, s.y))
    CASES["add row"] = ("fi", lambda s: s.m + s.m[:1])
    CASES["add column"] = ("fi", lambda s: s.m + s.m[:, :1])
    CASES["add middle"] = ("fi", lambda s: tf.reshape(s.x, [-1, 8, 32]) + tf.reshape(s.x, [-1, 8, 32])[:, :1])
    CASES["add scalar"] = ("fi", lambda s: s.x + s.x[0])
    CASES["less row"] = ("fi", lambda s: s.m < s.m[0])
    CASES["bias_add"] = ("fi", lambda s: tf.nn.bias_add(s.m, s.m[0]))
    CASES["add_n"] = ("fi", lambda s: tf.add_n([s.x, s.y, s.x]))
    CASES["clip_by_value"] = ("f", lambda s: tf.clip_by_value(s.x, tf.cast(0.2, s.type), tf.cast(0.7, s.type)))
    CASES["where"] = ("a", lambda s: tf.where(s.flags, s.x, s.y))
    CASES["where rows"] = ("a", lambda s: tf.where(tf.reshape(s.flags, [-1, 256])[:, 0], s.m, s.m))
    CASES["where indices"] = ("o", lambda s: tf.where(s.flags))
    CASES["logical_and"] = ("o", lambda s: tf.logical_and(s.flags, s.flags))
    CASES["bitwise_xor"] = ("i", lambda s: tf.bitwise.bitwise_xor(s.x, s.y))
    for name, dtype in (("f32", tf.float32), ("f64", tf.float64), ("f16", tf.float16), ("bf16", tf.bfloat16), ("i32", tf.int32), ("i64", tf.int64), ("u8", tf.uint8)):
        CASES["cast to " + name] = ("a", lambda s, dtype=dtype: tf.cast(s.x, dtype) if s.type != dtype else None)


def add_reductions():
    for name in "sum mean max min prod".split():
        f = getattr(tf, "reduce_" + name)
        CASES[name + " all"] = ("fi", lambda s, f=f: f(s.x))
        CASES[name + " axis 0"] = ("fi", lambda s, f=f: f(s.m, 0))
        CASES[name + " axis 1"] = ("fi", lambda s, f=f: f(s.m, 1))
        CASES[name + " middle"] = ("fi", lambda s, f=f: f(tf.reshape(s.x, [-1, 16, 16]), 1))
        CASES[name + " outer axes"] = ("fi", lambda s, f=f: f(tf.reshape(s.x, [-1, 16, 16]), [0, 2]))
        CASES[name + " odd rows"] = ("fi", lambda s, f=f: f(s.odd, 1))
        CASES[name + " odd columns"] = ("fi", lambda s, f=f: f(s.odd, 0))
        CASES[name + " rows of 4"] = ("fi", lambda s, f=f: f(tf.reshape(s.x, [-1, 4]), 1))
        CASES[name + " long rows"] = ("fi", lambda s, f=f: f(tf.reshape(s.x, [4, -1]), 1))
    case("o", any_all=lambda s: tf.reduce_any(s.flags), all_axis_1=lambda s: tf.reduce_all(tf.reshape(s.flags, [-1, 256]), 1),
         any_axis_0=lambda s: tf.reduce_any(tf.reshape(s.flags, [-1, 256]), 0))
    case("f", logsumexp=lambda s: tf.reduce_logsumexp(s.m, 1), moments=lambda s: tf.nn.moments(s.m, [1])[1], moments_axis_0=lambda s: tf.nn.moments(s.m, [0])[1],
         l2_normalize=lambda s: tf.nn.l2_normalize(s.m, 1), l2_loss=lambda s: tf.nn.l2_loss(s.x))
    for name in "argmax argmin".split():
        f = getattr(tf, name)
        CASES[name + " axis 0"] = ("fi", lambda s, f=f: f(s.m, 0))
        CASES[name + " axis 1"] = ("fi", lambda s, f=f: f(s.m, 1))
        CASES[name + " middle"] = ("fi", lambda s, f=f: f(tf.reshape(s.x, [-1, 16, 16]), 1))
    for name in "cumsum cumprod".split():
        f = getattr(tf, name)
        CASES[name + " axis 0"] = ("fi", lambda s, f=f: f(s.m, 0))
        CASES[name + " axis 1"] = ("fi", lambda s, f=f: f(s.m, 1))
        CASES[name + " exclusive, reverse"] = ("fi", lambda s, f=f: f(s.m, 1, exclusive=True, reverse=True))
        CASES[name + " all"] = ("fi", lambda s, f=f: f(s.x))
    for k in (1, 5, 100):
        CASES["top_k %d" % k] = ("fi", lambda s, k=k: tf.nn.top_k(s.m, k)[0])
    case("fi", sort=lambda s: tf.sort(s.m, 1))
    CASES["top_k 10 of all"] = ("fi", lambda s: tf.nn.top_k(s.x, 10)[0])
    CASES["in_top_k"] = ("o", lambda s: tf.nn.in_top_k(s.m, tf.zeros([tf.shape(s.m)[0]], tf.int32), 5))


def add_moves():
    for name, shape, order in (("transpose", [-1, 256], [1, 0]), ("transpose 021", [-1, 4, 64], [0, 2, 1]), ("transpose 0231", [-1, 4, 16, 16], [0, 2, 3, 1]),
                               ("transpose 0312", [-1, 16, 16, 4], [0, 3, 1, 2]), ("transpose 102", [-1, 8, 32], [1, 0, 2]), ("transpose 210", [-1, 8, 32], [2, 1, 0]),
                               ("transpose 0213", [-1, 8, 8, 4], [0, 2, 1, 3]), ("transpose 41302", [4, -1, 4, 4, 4], [4, 1, 3, 0, 2])):
        CASES[name] = ("a", lambda s, shape=shape, order=order: tf.transpose(tf.reshape(s.x, shape), order))
    for name, parts, order in (("transpose odd", (77,), [1, 0]), ("transpose odd 021", (7, 11), [0, 2, 1]), ("transpose odd 210", (7, 11), [2, 1, 0]),
                               ("transpose odd 3102", (7, 3, 5), [3, 1, 0, 2]), ("transpose odd 02413", (3, 5, 3, 7), [0, 2, 4, 1, 3])):
        CASES[name] = ("a", lambda s, parts=parts, order=order: tf.transpose(s.box("odd", max(1, s.n // math.prod(parts)), *parts), order))
    CASES["concat 0"] = ("a", lambda s: tf.concat([s.m, s.m], 0))
    CASES["concat 1"] = ("a", lambda s: tf.concat([s.m, s.m], 1))
    CASES["concat of 3 narrow"] = ("a", lambda s: tf.concat([tf.reshape(s.x, [-1, 2])] * 3, 1))
    CASES["split 1"] = ("a", lambda s: tf.split(s.m, 4, 1)[0])
    CASES["stack 0"] = ("a", lambda s: tf.stack([s.m, s.m]))
    CASES["stack 1"] = ("a", lambda s: tf.stack([s.m, s.m], 1))
    CASES["stack last"] = ("a", lambda s: tf.stack([s.x, s.y], 1))
    CASES["unstack 1"] = ("a", lambda s: tf.unstack(tf.reshape(s.x, [-1, 8, 32]), axis=1)[3])
    CASES["unstack last"] = ("a", lambda s: tf.unstack(tf.reshape(s.x, [-1, 4]), axis=1)[3])
    CASES["tile"] = ("a", lambda s: tf.tile(s.m, [2, 2]))
    CASES["tile narrow"] = ("a", lambda s: tf.tile(tf.reshape(s.x, [-1, 2]), [1, 4]))
    CASES["broadcast_to"] = ("a", lambda s: tf.broadcast_to(s.m[:1], [max(1, s.n // 256), 256]))
    CASES["pad"] = ("fi", lambda s: tf.pad(s.m, [[1, 1], [2, 2]]))
    CASES["pad narrow"] = ("fi", lambda s: tf.pad(tf.reshape(s.x, [-1, 4]), [[0, 0], [1, 2]]))
    CASES["mirror_pad"] = ("fi", lambda s: tf.pad(s.m, [[0, 0], [2, 2]], "REFLECT"))
    CASES["reverse last"] = ("a", lambda s: tf.reverse(s.m, [1]))
    CASES["reverse first"] = ("a", lambda s: tf.reverse(s.m, [0]))
    CASES["reverse all"] = ("a", lambda s: tf.reverse(s.x, [0]))
    CASES["reverse pixels"] = ("a", lambda s: tf.reverse(tf.reshape(s.x[:s.n // 96 * 96], [-1, 32, 3]), [1]))
    CASES["slice"] = ("a", lambda s: s.m[:, 5:100])
    CASES["strided slice"] = ("a", lambda s: s.m[::2, ::3])
    CASES["strided slice 2"] = ("a", lambda s: s.x[::2])
    CASES["strided slice last"] = ("a", lambda s: tf.reshape(s.x, [-1, 4])[:, 1])
    CASES["strided slice -1"] = ("a", lambda s: s.x[::-1])
    CASES["roll"] = ("a", lambda s: tf.roll(s.m, 3, 1))
    CASES["space_to_depth"] = ("a", lambda s: tf.space_to_depth(s.images, 2))
    CASES["depth_to_space"] = ("a", lambda s: tf.depth_to_space(s.images, 2))
    CASES["matrix_diag_part"] = ("fi", lambda s: tf.matrix_diag_part(tf.reshape(s.x, [-1, 16, 16])))
    CASES["matrix_band_part"] = ("fi", lambda s: tf.matrix_band_part(tf.reshape(s.x, [-1, 16, 16]), 2, 2))
    CASES["matrix_diag"] = ("fi", lambda s: tf.matrix_diag(tf.reshape(s.x, [-1, 16])))


def add_indices():
    CASES["gather"] = ("a", lambda s: tf.gather(s.m, s.rows))
    CASES["gather axis 1"] = ("a", lambda s: tf.gather(s.m, s.columns, axis=1))
    CASES["gather elements"] = ("a", lambda s: tf.gather(s.x, s.small))
    CASES["gather rows of 3"] = ("a", lambda s: tf.gather(tf.reshape(s.x[:s.n // 3 * 3], [-1, 3]), s.small))
    CASES["gather middle"] = ("a", lambda s: tf.gather(tf.reshape(s.x, [-1, 16, 16]), s.columns[:8] // 16, axis=1))
    CASES["gather_nd"] = ("a", lambda s: tf.gather_nd(s.m, s.rows[:, None]))
    CASES["gather_nd elements"] = ("a", lambda s: tf.gather_nd(s.m, tf.stack([s.small % (max(1, s.n // 256)), s.small], 1)))
    CASES["one_hot"] = ("fi", lambda s: tf.one_hot(s.small[:max(1, s.n // 64)], 64, dtype=s.type))
    CASES["one_hot axis 0"] = ("fi", lambda s: tf.one_hot(s.small[:max(1, s.n // 64)], 64, axis=0, dtype=s.type))
    for name in "sum max prod min".split():
        CASES["unsorted_segment_" + name] = ("fi", lambda s, f=getattr(tf, "unsorted_segment_" + name): f(s.m, tf.floormod(s.row_numbers(s.m) * 7, 16), 16))
    for name in "sum mean max prod min".split():
        CASES["segment_" + name] = ("fi", lambda s, f=getattr(tf, "segment_" + name): f(s.m, s.row_numbers(s.m) // 4))
    CASES["segment_sum of elements"] = ("fi", lambda s: tf.segment_sum(s.x, tf.range(s.n) // 5))
    CASES["unsorted_segment_sum of elements"] = ("fi", lambda s: tf.unsorted_segment_sum(s.x, s.small, 100))
    CASES["sparse_segment_sum"] = ("f", lambda s: tf.sparse_segment_sum(s.m, s.rows, tf.range(tf.size(s.rows)) // 3))
    CASES["scatter_nd"] = ("fi", lambda s: tf.scatter_nd(s.row_numbers(s.m)[:, None], s.m, tf.shape(s.m)))
    CASES["scatter_nd elements"] = ("fi", lambda s: tf.scatter_nd(s.small[:, None], s.x, [100]))
    CASES["scatter_add"] = ("fi", lambda s: tf.scatter_add(s.box("table", max(1, s.n // 256), 256), s.rows, tf.gather(s.m, s.rows)))
    CASES["scatter_update"] = ("a", lambda s: tf.scatter_update(s.box("table", max(1, s.n // 256), 256), s.rows, tf.gather(s.m, s.rows)))
    CASES["unique"] = ("i", lambda s: tf.unique(s.x)[0])
    CASES["bincount"] = ("o", lambda s: tf.bincount(s.small, maxlength=128, minlength=128))
    CASES["boolean_mask"] = ("a", lambda s: tf.boolean_mask(s.x, s.flags))
    CASES["boolean_mask rows"] = ("a", lambda s: tf.boolean_mask(s.m, tf.reshape(s.flags, [-1, 256])[:, 0]))
    CASES["dynamic_partition"] = ("a", lambda s: tf.dynamic_partition(s.m, tf.floormod(s.row_numbers(s.m), 4), 4)[1])
    CASES["dynamic_partition elements"] = ("a", lambda s: tf.dynamic_partition(s.x, s.small % 4, 4)[1])
    CASES["dynamic_stitch"] = ("a", lambda s: tf.dynamic_stitch([tf.range(0, s.n, 2), tf.range(1, s.n, 2)], [s.x[::2], s.y[1::2]]))
    CASES["sequence_mask"] = ("o", lambda s: tf.sequence_mask(s.small[:max(1, s.n // 64)], 64))
    CASES["reverse_sequence"] = ("a", lambda s: tf.reverse_sequence(s.m, s.row_numbers(s.m) % 200 + 1, seq_axis=1, batch_axis=0))


def add_losses():
    case("f", softmax_xent=lambda s: tf.nn.softmax_cross_entropy_with_logits_v2(labels=s.m, logits=s.m),
         sparse_softmax_xent=lambda s: tf.nn.sparse_softmax_cross_entropy_with_logits(labels=tf.zeros([tf.shape(s.m)[0]], tf.int32), logits=s.m),
         sigmoid_xent=lambda s: tf.nn.sigmoid_cross_entropy_with_logits(labels=s.x, logits=s.x),
         random_uniform=lambda s: tf.random_uniform([s.n], dtype=s.type), random_normal=lambda s: tf.random_normal([s.n], dtype=s.type),
         truncated_normal=lambda s: tf.truncated_normal([s.n], dtype=s.type), multinomial=lambda s: tf.multinomial(s.m, 4) if s.type != tf.bfloat16 else None)
    CASES["random_uniform integers"] = ("i", lambda s: tf.random_uniform([s.n], 3, 100, s.type) if s.type in (tf.int32, tf.int64) else None)
    CASES["multinomial many"] = ("o", lambda s: tf.multinomial(s.m[:4], s.n // 4))
    CASES["random_shuffle"] = ("a", lambda s: tf.random_shuffle(s.m))
    CASES["random_shuffle elements"] = ("a", lambda s: tf.random_shuffle(s.x))
    CASES["dropout and gradient"] = ("f", lambda s: gradient(tf.reduce_sum(tf.nn.dropout(s.x, 0.5)), s.x))
    for name in "tanh sigmoid softplus elu".split():
        CASES["gradient " + name] = ("f", lambda s, f=getattr(tf, name, None) or getattr(tf.nn, name): gradient(tf.reduce_sum(f(s.x) * s.x), s.x))
    CASES["gradient pow"] = ("f", lambda s: gradient(tf.pow(s.x, s.y), s.y))
    CASES["gradient max"] = ("f", lambda s: gradient(tf.reduce_max(s.m, 1), s.x))
    CASES["gradient gather"] = ("f", lambda s: gradient(tf.gather(s.m, s.rows), s.x))
    CASES["gradient softmax"] = ("f", lambda s: gradient(tf.nn.softmax(s.m) * s.m, s.x))
    CASES["gradient bias"] = ("f", lambda s: gradient(tf.nn.bias_add(s.m, s.box("bias", 256)) * s.m, s.box("bias", 256)))


def add_images():
    pools = {"pool 2": (2, 2), "pool 3 s1": (3, 1), "pool 3 s2": (3, 2)}
    for name, (size, stride) in pools.items():
        for kind in ("max", "avg"):
            f = getattr(tf.nn, kind + "_pool")
            CASES["%s_%s" % (kind, name)] = ("f", lambda s, f=f, k=size, d=stride: f(s.images, [1, k, k, 1], [1, d, d, 1], "SAME"))
            if size == 2:
                CASES["gradient %s_%s" % (kind, name)] = ("f", lambda s, f=f, k=size, d=stride: gradient(
                    f(s.images, [1, k, k, 1], [1, d, d, 1], "SAME") * tf.cast(2., s.type), s.x))
    def normalized(s):
        ones = [tf.ones([16], tf.float32 if s.type in (tf.float16, tf.bfloat16) else s.type)] * 2
        return tf.nn.fused_batch_norm(s.images, *ones)[0]
    CASES["batch_norm"] = ("f", lambda s: normalized(s) if s.type != tf.float64 else None)
    CASES["gradient batch_norm"] = ("f", lambda s: gradient(normalized(s) * s.images, s.x) if s.type != tf.float64 else None)
    case("f", lrn=lambda s: tf.nn.lrn(s.images), rgb_to_hsv=lambda s: tf.image.rgb_to_hsv(s.pictures))
    case("f", adjust_contrast=lambda s: tf.image.adjust_contrast(s.pictures, 2.), adjust_hue=lambda s: tf.image.adjust_hue(s.pictures, 0.1),
         adjust_saturation=lambda s: tf.image.adjust_saturation(s.pictures, 0.5))
    def resized(s, f, factor):
        height, width = int(s.pictures.shape[1]), int(s.pictures.shape[2])
        return f(s.pictures, [int(height * factor), int(width * factor)])
    for name in "bilinear nearest_neighbor bicubic area".split():
        f = getattr(tf.image, "resize_" + name)
        CASES["resize_%s up" % name] = ("fi", lambda s, f=f: resized(s, f, 2))
        CASES["resize_%s down" % name] = ("fi", lambda s, f=f: resized(s, f, 0.7))
    CASES["resize_bilinear channels"] = ("f", lambda s: tf.image.resize_bilinear(s.images, [24, 24]))
    CASES["gradient resize_bilinear"] = ("f", lambda s: gradient(tf.image.resize_bilinear(s.images, [24, 24]) * 2., s.x) if s.type in (tf.float32, tf.float64) else None)
    CASES["crop_and_resize"] = ("f", lambda s: tf.image.crop_and_resize(s.images, [[0., 0., .5, .5]] * 8, [0] * 8, [16, 16]))
    CASES["extract_patches"] = ("fi", lambda s: tf.extract_image_patches(s.pictures, [1, 3, 3, 1], [1, 1, 1, 1], [1, 1, 1, 1], "SAME"))
    CASES["max_pool3d"] = ("f", lambda s: tf.nn.max_pool3d(tf.reshape(s.x, [-1, 4, 8, 8, 4]), [1, 2, 2, 2, 1], [1, 2, 2, 2, 1], "SAME"))
    CASES["conv 3x3"] = ("f", lambda s: tf.nn.conv2d(s.images, s.box("filter", 3, 3, 16, 16), [1, 1, 1, 1], "SAME"))
    CASES["conv 1x1"] = ("f", lambda s: tf.nn.conv2d(s.images, s.box("filter", 1, 1, 16, 32), [1, 1, 1, 1], "SAME"))
    CASES["depthwise"] = ("f", lambda s: tf.nn.depthwise_conv2d(s.images, s.box("filter", 3, 3, 16, 1), [1, 1, 1, 1], "SAME"))
    CASES["conv transpose"] = ("f", lambda s: tf.nn.conv2d_transpose(s.images, s.box("filter", 3, 3, 8, 16), tf.shape(s.images) * [1, 2, 2, 1] // [1, 1, 1, 2], [1, 2, 2, 1]))


def add_algebra():
    def kinds(s):
        return s.type in (tf.float32, tf.float64)
    case("fi", matmul=lambda s: tf.matmul(s.square, s.square) if s.type not in (tf.int8, tf.uint8, tf.int16) else None)
    CASES["matmul of transposed"] = ("f", lambda s: tf.matmul(s.square, s.square, transpose_a=True))
    CASES["matmul vector"] = ("f", lambda s: tf.matmul(s.square, s.square[:, :1]))
    CASES["batch matmul"] = ("f", lambda s: tf.matmul(tf.reshape(s.x, [-1, 16, 16]), tf.reshape(s.y, [-1, 16, 16])))
    for name, f in (("cholesky", lambda s: tf.cholesky(s.dominant)), ("inverse", lambda s: tf.matrix_inverse(s.dominant)), ("solve", lambda s: tf.matrix_solve(s.dominant, s.dominant)),
                    ("qr", lambda s: tf.qr(s.dominant)[0]), ("svd", lambda s: tf.svd(s.dominant[:64, :64])[0]), ("eigh", lambda s: tf.self_adjoint_eig(s.dominant)[0]),
                    ("determinant", lambda s: tf.matrix_determinant(s.dominant))):
        CASES[name] = ("f", lambda s, f=f: f(s) if kinds(s) else None)
    def waves(s, wide):
        return tf.reshape(tf.complex(s.x, s.y), [-1, wide])
    CASES["fft"] = ("f", lambda s: tf.fft(waves(s, 256)) if kinds(s) else None)
    CASES["ifft"] = ("f", lambda s: tf.ifft(waves(s, 256)) if kinds(s) else None)
    CASES["fft2d"] = ("f", lambda s: tf.fft2d(tf.reshape(tf.complex(s.x, s.y), [-1, 32, 32])) if kinds(s) else None)
    CASES["rfft"] = ("o", lambda s: tf.spectral.rfft(s.m))


def add_strings():
    case("o", string_to_hash=lambda s: tf.string_to_hash_bucket_fast(s.words, 1000), string_split=lambda s: tf.string_split(s.words).values,
         string_join=lambda s: tf.string_join([s.words, s.words]), substr=lambda s: tf.strings.substr(s.words, 0, 3), string_length=lambda s: tf.strings.length(s.words),
         regex_replace=lambda s: tf.regex_replace(s.words, "[0-9]+", "x"), string_upper=lambda s: tf.strings.upper(s.words))
    CASES["as_string"] = ("fi", lambda s: tf.as_string(s.x[:max(1, s.n // 64)]) if s.type not in (tf.float16, tf.bfloat16, tf.uint8) else None)
    CASES["string_to_number"] = ("f", lambda s: tf.string_to_number(s.digits, s.type) if s.type in (tf.float32, tf.float64) else None)


def add_optimizers():
    train = tf.train
    rules = dict(sgd=lambda: train.GradientDescentOptimizer(0.), momentum=lambda: train.MomentumOptimizer(0., .9), adam=lambda: train.AdamOptimizer(0.),
                 rmsprop=lambda: train.RMSPropOptimizer(0.), adagrad=lambda: train.AdagradOptimizer(0.), adadelta=lambda: train.AdadeltaOptimizer(0.),
                 ftrl=lambda: train.FtrlOptimizer(1e-3))
    for name, rule in rules.items():
        def dense(s, rule=rule):
            s.x, s.box("weights", s.n)
            return rule().apply_gradients([(tf.identity(s.x), s.box("weights", s.n))])
        def sparse(s, rule=rule):
            table, count = s.box("table", max(1, s.n // 64), 64), max(1, s.n // 256)
            places = s.variable("places", lambda: s.random.randint(0, max(1, s.n // 64), count), tf.int64)
            return rule().apply_gradients([(tf.IndexedSlices(s.box("slices", count, 64), places, tf.constant([max(1, s.n // 64), 64], tf.int64)), table)])
        CASES["optimizer " + name] = ("f", dense)
        CASES["optimizer %s, sparse" % name] = ("f", sparse)


for add in (add_arithmetic, add_reductions, add_moves, add_indices, add_losses, add_images, add_algebra, add_strings, add_optimizers):
    add()
