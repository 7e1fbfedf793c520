"""tf.image: functions composed of others, image similarity, JPEG quality loss."""

from . import basics, dtypes, engine, ops
from .control_flow import Assert, case, cond, with_dependencies
from .exports import export
from .op_calls import raw
from .ops import Tensor
from .variable_base import Variable

_MULTISCALE = (0.0448, 0.2856, 0.3001, 0.2363, 0.1333)  # Wang, Simoncelli and Bovik, 2003


@export("image.ResizeMethod")
class ResizeMethod:
    """The values of the parameter `method` of resize_images()."""

    BILINEAR, NEAREST_NEIGHBOR, BICUBIC, AREA = range(4)


def _check_picture(image):
    """Assertions that a tensor has nonempty images, where its static shape does not tell; ValueError if it is not possible."""
    shape = image.shape
    if shape.ndims is not None and shape.ndims < 3:
        raise ValueError("'image' must be at least three-dimensional.")
    if shape.ndims is None:
        shape = shape.with_rank(3)
    if any(d == 0 for d in shape.as_list()):
        raise ValueError("all dims of 'image.shape' must be > 0: %s" % shape)
    if shape.is_fully_defined():
        return []
    return [engine.assert_positive(basics.shape(image), ["all dims of 'image.shape' must be > 0."]),
            engine.assert_greater_equal(basics.rank(image), 3, message="'image' must be at least three-dimensional.")]


def _larger(x, y):
    return engine.maximum(x, y) if isinstance(x, Tensor) or isinstance(y, Tensor) else max(x, y)


def _sizes(image):
    """Sizes of the four dimensions: numbers if known, else tensors."""
    if image.shape.is_fully_defined():
        return image.shape.as_list()
    known = image.shape.with_rank(4).as_list()
    found = engine.unstack(basics.shape(image), 4)
    return [k if k is not None else f for k, f in zip(known, found)]


@export("image.resize_image_with_pad")
def resize_image_with_pad(image, target_height, target_width, method=ResizeMethod.BILINEAR, align_corners=False):
    """The image scaled to fit into the target size, padded with zeros."""
    return resized_with_pad(image, target_height, target_width, lambda picture, size: engine.image.resize_images(picture, size, method, align_corners=align_corners))


def resized_with_pad(image, target_height, target_width, resize):
    """As resize_image_with_pad(), by a function of a batch of images and a size."""
    with ops.name_scope(None, "resize_image_with_pad", [image]):
        image = ops.convert_to_tensor(image, name="image")
        single = image.shape.ndims != 4
        if image.shape.ndims not in (None, 3, 4):
            raise ValueError("'image' must have either 3 or 4 dimensions.")
        if single:
            unknown = image.shape.ndims is None
            image = engine.expand_dims(image, 0)
            if unknown:
                image.set_shape([None] * 4)
        checks = _check_picture(image)
        for what, size in (("width", target_width), ("height", target_height)):
            if isinstance(size, Tensor):
                checks.append(Assert(size > 0, ["target_%s must be > 0." % what]))
            elif size <= 0:
                raise ValueError("target_%s must be > 0." % what)
        image = with_dependencies(checks, image)
        _, height, width, _ = _sizes(image)
        height, width = basics.cast(height, dtypes.float64), basics.cast(width, dtypes.float64)
        frame_height, frame_width = basics.cast(target_height, dtypes.float64), basics.cast(target_width, dtypes.float64)
        ratio = _larger(width / frame_width, height / frame_height)
        new_height, new_width = height / ratio, width / ratio
        size = [basics.cast(engine.floor(new_height), dtypes.int32), basics.cast(engine.floor(new_width), dtypes.int32)]
        above, left = (frame_height - new_height) / 2, (frame_width - new_width) / 2
        above, left = engine.floor(above), engine.floor(left)
        above, left = _larger(0, basics.cast(above, dtypes.int32)), _larger(0, basics.cast(left, dtypes.int32))
        padded = engine.image.pad_to_bounding_box(resize(image, size), above, left, target_height, target_width)
        if padded.shape.ndims is None:
            raise ValueError("padded contains no shape.")
        _sizes(padded)
        return engine.squeeze(padded, axis=[0]) if single else padded


@export("image.rot90")
def rot90(image, k=1, name=None):
    """The image rotated counterclockwise k times by 90 degrees."""
    with ops.name_scope(name, "rot90", [image, k]) as scope:
        image = ops.convert_to_tensor(image, name="image")
        image = with_dependencies(_check_picture(image), image)
        k = ops.convert_to_tensor(k, dtype=dtypes.int32, name="k")
        k.shape.assert_has_rank(0)
        k = engine.mod(k, 4)
        ndims = image.shape.ndims
        if ndims not in (None, 3, 4):
            raise ValueError("'image' must have either 3 or 4 dimensions.")
        first = 1 if ndims == 4 else 0
        swapped = [0, 2, 1, 3] if ndims == 4 else [1, 0, 2]
        turns = [(engine.equal(k, 1), lambda: engine.transpose(engine.reverse_v2(image, [first + 1]), swapped)), (engine.equal(k, 2), lambda: engine.reverse_v2(image, [first, first + 1])),
                 (engine.equal(k, 3), lambda: engine.reverse_v2(engine.transpose(image, swapped), [first + 1]))]
        turned = case(turns, default=lambda: image, exclusive=True, name=scope)
        if ndims == 4:
            turned.set_shape([turned.shape[0], None, None, turned.shape[3]])
        else:
            turned.set_shape([None, None, image.shape[2]])
        return turned


@export("image.adjust_jpeg_quality")
def adjust_jpeg_quality(image, jpeg_quality, name=None):
    """The image after JPEG compression with that quality (0 to 100)."""
    with ops.name_scope(name, "adjust_jpeg_quality", [image]) as name:
        image = ops.convert_to_tensor(image, name="image")
        dtype = image.dtype
        image = engine.image.convert_image_dtype(image, dtypes.uint8)
        if not isinstance(jpeg_quality, (Tensor, Variable)):
            jpeg_quality = ops.convert_to_tensor(jpeg_quality, dtype=dtypes.int32)
        image = raw("DecodeJpeg")(raw("EncodeJpegVariableQuality")(image, jpeg_quality))
        return engine.image.convert_image_dtype(image, dtype)


@export("image.random_jpeg_quality")
def random_jpeg_quality(image, min_jpeg_quality, max_jpeg_quality, seed=None):
    """As adjust_jpeg_quality(), with a random quality in the range."""
    if min(min_jpeg_quality, max_jpeg_quality) < 0 or max(min_jpeg_quality, max_jpeg_quality) > 100:
        raise ValueError("jpeg encoding range must be between 0 and 100.")
    if min_jpeg_quality >= max_jpeg_quality:
        raise ValueError("`min_jpeg_quality` must be less than `max_jpeg_quality`.")
    return adjust_jpeg_quality(image, engine.random_uniform([], min_jpeg_quality, max_jpeg_quality, seed=seed, dtype=dtypes.int32))


def _alike(first, second):
    """(shapes of two batches of images, assertions that the shapes are compatible)."""
    known = first.shape.with_rank_at_least(3), second.shape.with_rank_at_least(3)
    known[0][-3:].assert_is_compatible_with(known[1][-3:])
    if known[0].ndims is not None and known[1].ndims is not None:
        for a, b in zip(reversed(known[0].dims[:-3]), reversed(known[1].dims[:-3])):
            if not (a == 1 or b == 1 or a.is_compatible_with(b)):
                raise ValueError("Two images are not compatible: %s and %s" % known)
    shapes = engine.shape_n([first, second])
    checks = [Assert(engine.greater_equal(basics.size(shapes[0]), 3), shapes, summarize=10),
              Assert(engine.reduce_all(engine.equal(shapes[0][-3:], shapes[1][-3:])), shapes, summarize=10)]
    return shapes[0], shapes[1], checks


def _gaussian(size, sigma):
    """A Gaussian kernel with sum 1."""
    size, sigma = ops.convert_to_tensor(size, dtypes.int32), ops.convert_to_tensor(sigma)
    at = basics.cast(engine.range(size), sigma.dtype)
    at -= basics.cast(size - 1, sigma.dtype) / 2.0
    g = engine.square(at)
    g *= -0.5 / engine.square(sigma)
    g = engine.reshape(g, shape=[1, -1]) + engine.reshape(g, shape=[-1, 1])
    g = engine.nn.softmax(engine.reshape(g, shape=[1, -1]))
    return engine.reshape(g, shape=[size, size, 1, 1])


def _ssim_of_channels(first, second, max_val, filter_size, filter_sigma, k1, k2):
    """(structural similarity, contrast and structure terms only) of each channel."""
    filter_size = ops.constant(filter_size, dtype=dtypes.int32)
    filter_sigma = ops.constant(filter_sigma, dtype=first.dtype)
    shapes = engine.shape_n([first, second])
    checks = [Assert(engine.reduce_all(engine.greater_equal(s[-3:-1], filter_size)), [s, filter_size], summarize=8) for s in shapes]
    with ops.control_dependencies(checks):
        first = engine.identity(first)
    kernel = engine.tile(_gaussian(filter_size, filter_sigma), multiples=[1, 1, shapes[0][-1], 1])

    def mean(x):
        shape = basics.shape(x)
        x = engine.reshape(x, shape=engine.concat([[-1], shape[-3:]], 0))
        y = engine.nn.depthwise_conv2d(x, kernel, strides=[1, 1, 1, 1], padding="VALID")
        return engine.reshape(y, engine.concat([shape[:-3], basics.shape(y)[1:]], 0))

    c1, c2 = (k1 * max_val) ** 2, (k2 * max_val) ** 2
    means = mean(first), mean(second)
    num0 = means[0] * means[1] * 2.0
    den0 = engine.square(means[0]) + engine.square(means[1])
    luminance = (num0 + c1) / (den0 + c1)
    num1 = mean(first * second) * 2.0
    den1 = mean(engine.square(first) + engine.square(second))
    c2 *= 1.0
    structure = (num1 - num0 + c2) / (den1 - den0 + c2)
    axes = ops.constant([-3, -2], dtype=dtypes.int32)
    return engine.reduce_mean(luminance * structure, axes), engine.reduce_mean(structure, axes)


def _as_floats(first, second, max_val):
    max_val = engine.image.convert_image_dtype(basics.cast(max_val, first.dtype), dtypes.float32)
    return engine.image.convert_image_dtype(first, dtypes.float32), engine.image.convert_image_dtype(second, dtypes.float32), max_val


@export("image.ssim")
def ssim(img1, img2, max_val, filter_size=11, filter_sigma=1.5, k1=0.01, k2=0.03):
    """The structural similarity of images: 1 for equal ones (Wang et al., 2004)."""
    _, _, checks = _alike(img1, img2)
    with ops.control_dependencies(checks):
        img1 = engine.identity(img1)
    img1, img2, max_val = _as_floats(img1, img2, max_val)
    per_channel, _ = _ssim_of_channels(img1, img2, max_val, filter_size, filter_sigma, k1, k2)
    return engine.reduce_mean(per_channel, [-1])


@export("image.ssim_multiscale")
def ssim_multiscale(img1, img2, max_val, power_factors=_MULTISCALE, filter_size=11, filter_sigma=1.5, k1=0.01, k2=0.03):
    """ssim() at several scales, each half the one before."""
    with ops.name_scope(None, "MS-SSIM", [img1, img2]):
        img1, img2 = ops.convert_to_tensor(img1, name="img1"), ops.convert_to_tensor(img2, name="img2")
        *shapes, checks = _alike(img1, img2)
        with ops.control_dependencies(checks):
            img1 = engine.identity(img1)
        img1, img2, max_val = _as_floats(img1, img2, max_val)
        images, heads, tails = [img1, img2], [s[:-3] for s in shapes], [s[-3:] for s in shapes]
        halves = [1, 2, 2, 1]
        halves_tensor = ops.constant(halves[1:], dtype=dtypes.int32)

        def evened(flat, rest):
            padding = engine.pad(engine.expand_dims(rest, -1), [[1, 0], [1, 0]])
            return [engine.pad(x, padding, mode="SYMMETRIC") for x in flat]

        scores = []
        for k in range(len(power_factors)):
            with ops.name_scope(None, "Scale%d" % k, images):
                if k > 0:
                    flat = [engine.reshape(x, engine.concat([[-1], t], 0)) for x, t in zip(images, tails)]
                    rest = tails[0] % halves_tensor
                    uneven = engine.reduce_any(engine.not_equal(rest, 0))
                    padded = cond(uneven, lambda: evened(flat, rest), lambda: flat)
                    smaller = [engine.nn.avg_pool(x, ksize=halves, strides=halves, padding="VALID") for x in padded]
                    tails = [x[1:] for x in engine.shape_n(smaller)]
                    images = [engine.reshape(x, engine.concat([h, t], 0)) for x, h, t in zip(smaller, heads, tails)]
                per_channel, structure = _ssim_of_channels(*images, max_val=max_val, filter_size=filter_size, filter_sigma=filter_sigma, k1=k1, k2=k2)
                scores.append(engine.nn.relu(structure))
        scores.pop()
        together = engine.stack(scores + [engine.nn.relu(per_channel)], axis=-1)
        return engine.reduce_mean(engine.reduce_prod(engine.pow(together, power_factors), [-1]), [-1])


@export("image.combined_non_max_suppression")
def combined_non_max_suppression(boxes, scores, max_output_size_per_class, max_total_size, iou_threshold=0.5, score_threshold=float("-inf"), pad_per_class=False,
                                 clip_boxes=True, name=None):
    """The best boxes of each class, merged over all classes."""
    with ops.name_scope(name, "combined_non_max_suppression"):
        iou_threshold = ops.convert_to_tensor(iou_threshold, dtype=dtypes.float32, name="iou_threshold")
        score_threshold = ops.convert_to_tensor(score_threshold, dtype=dtypes.float32, name="score_threshold")
        return raw("CombinedNonMaxSuppression")(boxes, scores, max_output_size_per_class, max_total_size, iou_threshold, score_threshold, pad_per_class, clip_boxes)


@export("image.non_max_suppression_overlaps")
def non_max_suppression_overlaps(overlaps, scores, max_output_size, overlap_threshold=0.5, score_threshold=float("-inf"), name=None):
    """The best boxes of which no two overlap by more than the threshold, for given overlaps."""
    with ops.name_scope(name, "non_max_suppression_overlaps"):
        overlap_threshold = ops.convert_to_tensor(overlap_threshold, name="overlap_threshold")
        return raw("NonMaxSuppressionWithOverlaps")(overlaps, scores, max_output_size, overlap_threshold, score_threshold)
