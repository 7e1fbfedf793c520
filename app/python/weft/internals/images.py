"""tensorflow.python.ops.image_ops_impl: the checks of image functions."""

from .. import basics, control_flow, engine


def _ImageDimensions(image, rank):
    """The dimensions of a tensor: numbers where they are known, else scalar tensors."""
    if image.get_shape().is_fully_defined():
        return image.get_shape().as_list()
    known = image.get_shape().with_rank(rank).as_list()
    return [d if k is None else k for k, d in zip(known, engine.unstack(basics.shape(image), rank))]


def _check_sizes(shape):
    if shape.dims is not None and any(d == 0 for d in shape):
        raise ValueError("all dims of 'image.shape' must be > 0: %s" % shape)


def _positive(image):
    return engine.debugging.assert_positive(basics.shape(image), ["all dims of 'image.shape' must be > 0."])


def _Check3DImage(image, require_static=True):
    """The assertions to run, none if the static shape suffices. ValueError if the shape is wrong."""
    try:
        shape = image.get_shape().with_rank(3)
    except ValueError:
        raise ValueError("'image' (shape %s) must be three-dimensional." % image.shape) from None
    if require_static and not shape.is_fully_defined():
        raise ValueError("'image' (shape %s) must be fully defined." % shape)
    _check_sizes(shape)
    return [] if shape.is_fully_defined() else [_positive(image)]


def _Assert3DImage(image):
    """The image, after the assertions."""
    from ..control_flow import with_dependencies

    return with_dependencies(_Check3DImage(image, require_static=False), image)


def _CheckAtLeast3DImage(image, require_static=True):
    """As _Check3DImage() for images and batches of them."""
    try:
        shape = image.get_shape().with_rank(3) if image.get_shape().ndims is None else image.get_shape().with_rank_at_least(3)
    except ValueError:
        raise ValueError("'image' must be at least three-dimensional.") from None
    if require_static and not shape.is_fully_defined():
        raise ValueError("'image' must be fully defined.")
    _check_sizes(shape)
    if shape.is_fully_defined():
        return []
    return [_positive(image), engine.debugging.assert_greater_equal(basics.rank(image), 3, message="'image' must be at least three-dimensional.")]


def _AssertAtLeast3DImage(image):
    from ..control_flow import with_dependencies

    return with_dependencies(_CheckAtLeast3DImage(image, require_static=False), image)


def _AssertGrayscaleImage(image):
    from ..control_flow import with_dependencies

    return with_dependencies(_CheckGrayscaleImage(image, require_static=False), image)


def _CheckGrayscaleImage(image, require_static=True):
    """The assertions to run for an image whose last dimension must be 1."""
    try:
        if image.get_shape().ndims is None:
            shape = image.get_shape().with_rank(2)
        else:
            shape = image.get_shape().with_rank_at_least(2)
    except ValueError:
        raise ValueError("A grayscale image must be at least two-dimensional.") from None
    if require_static and not shape.is_fully_defined():
        raise ValueError("'image' must be fully defined.")
    if shape.is_fully_defined():
        if shape[-1] != 1:
            raise ValueError("Last dimension of a grayscale image should be size 1.")
        return []
    return [engine.debugging.assert_equal(basics.shape(image)[-1], 1, message="Last dimension of a grayscale image should be size 1."),
            engine.debugging.assert_greater_equal(basics.rank(image), 3, message="A grayscale image must be at least two-dimensional.")]


def _verify_compatible_image_shapes(img1, img2):
    """(the shapes of two batches of images, checks that they have the same sizes and channels)"""
    known = [image.get_shape().with_rank_at_least(3) for image in (img1, img2)]
    known[0][-3:].assert_is_compatible_with(known[1][-3:])
    if None not in (known[0].ndims, known[1].ndims):
        for a, b in zip(reversed(known[0].dims[:-3]), reversed(known[1].dims[:-3])):
            if not (a == 1 or b == 1 or a.is_compatible_with(b)):
                raise ValueError("Two images are not compatible: %s and %s" % tuple(known))
    first, second = engine.shape_n([img1, img2])
    same = engine.reduce_all(engine.equal(first[-3:], second[-3:]))
    return first, second, [control_flow.Assert(condition, [first, second], summarize=10) for condition in (engine.greater_equal(basics.size(first), 3), same)]
