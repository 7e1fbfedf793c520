"""tf.keras.preprocessing.image: images as arrays and their transformations. Functions with Pillow images need Pillow installed."""

import io
import os
import warnings

import numpy as np

from ..exports import export
from . import backend

_HERE = "keras.preprocessing.image."


def _pillow(what):
    try:
        import PIL.Image
        import PIL.ImageEnhance  # noqa: F401, found as PIL.ImageEnhance

        return PIL
    except ImportError:
        raise ImportError("Could not import PIL.Image. The use of `%s` requires PIL." % what) from None


def _format(data_format):
    return backend.image_data_format() if data_format is None else data_format


@export(_HERE + "array_to_img")
def array_to_img(x, data_format=None, scale=True, dtype=None):
    """A Pillow image of an array with one, three or four channels."""
    image, data_format = _pillow("array_to_img").Image, _format(data_format)
    x = np.asarray(x, dtype=dtype or backend.floatx())
    if x.ndim != 3:
        raise ValueError("Expected image array to have rank 3 (single image). Got array with shape: %s" % (x.shape,))
    if data_format not in ("channels_first", "channels_last"):
        raise ValueError("Invalid data_format: %s" % data_format)
    x = x.transpose(1, 2, 0) if data_format == "channels_first" else x
    if scale:
        x = x - np.min(x)
        x = (x / np.max(x) if np.max(x) != 0 else x) * 255
    if x.shape[2] == 1:
        return image.fromarray(x[:, :, 0].astype("int32"), "I") if np.max(x) > 255 else image.fromarray(x[:, :, 0].astype("uint8"), "L")
    if x.shape[2] not in (3, 4):
        raise ValueError("Unsupported channel number: %s" % (x.shape[2],))
    return image.fromarray(x.astype("uint8"), "RGBA" if x.shape[2] == 4 else "RGB")


@export(_HERE + "img_to_array")
def img_to_array(img, data_format=None, dtype=None):
    """The array of a Pillow image."""
    data_format = _format(data_format)
    if data_format not in ("channels_first", "channels_last"):
        raise ValueError("Unknown data_format: %s" % data_format)
    x = np.asarray(img, dtype=dtype or backend.floatx())
    if x.ndim not in (2, 3):
        raise ValueError("Unsupported image shape: %s" % (x.shape,))
    x = x[:, :, np.newaxis] if x.ndim == 2 else x
    return x.transpose(2, 0, 1) if data_format == "channels_first" else x


@export(_HERE + "load_img")
def load_img(path, grayscale=False, color_mode="rgb", target_size=None, interpolation="nearest"):
    """The image of a file, optionally resized."""
    if grayscale is True:
        warnings.warn('grayscale is deprecated. Please use color_mode = "grayscale"')
        color_mode = "grayscale"
    image = _pillow("load_img").Image
    with open(path, "rb") as f:
        img = image.open(io.BytesIO(f.read()))
    modes = {"grayscale": ("L", "I;16", "I"), "rgba": ("RGBA",), "rgb": ("RGB",)}
    if color_mode not in modes:
        raise ValueError('color_mode must be "grayscale", "rgb", or "rgba"')
    img = img if img.mode in modes[color_mode] else img.convert(modes[color_mode][0])
    if target_size is not None and img.size != (target_size[1], target_size[0]):
        methods = [m for m in ("nearest", "bilinear", "bicubic", "hamming", "box", "lanczos") if hasattr(image, m.upper())]
        if interpolation not in methods:
            raise ValueError("Invalid interpolation method {} specified. Supported methods are {}".format(interpolation, ", ".join(methods)))
        img = img.resize((target_size[1], target_size[0]), getattr(image, interpolation.upper()))
    return img


@export(_HERE + "save_img")
def save_img(path, x, data_format=None, file_format=None, scale=True, **kwargs):
    """Writes an array to an image file."""
    img = array_to_img(x, data_format, scale)
    if img.mode == "RGBA" and file_format in ("jpg", "jpeg"):
        warnings.warn("The JPG format does not support RGBA images, converting to RGB.")
        img = img.convert("RGB")
    img.save(path, format=file_format, **kwargs)


def flip(x, axis):
    return np.flip(np.asarray(x), axis)


def _inside(places, size, mode):
    """Positions on an axis; those outside are mapped back according to `mode`."""
    if mode == "nearest":
        return np.clip(places, 0, size - 1)
    if mode == "reflect":
        places = np.mod(places, 2 * size)
        return np.where(places >= size, 2 * size - 1 - places, places)
    if mode == "wrap":
        return np.mod(places, size)
    raise ValueError("fill_mode %r is not known: constant, nearest, reflect or wrap" % mode)


def _sampled(channel, matrix, offset, order, mode, cval):
    """The channel sampled at matrix @ (row, column) + offset, with bilinear interpolation unless `order` is 0."""
    rows, columns = np.meshgrid(np.arange(channel.shape[0]), np.arange(channel.shape[1]), indexing="ij")
    places = [matrix[i, 0] * rows + matrix[i, 1] * columns + offset[i] for i in (0, 1)]
    outside = np.zeros(channel.shape, bool)
    if mode == "constant":
        for p, size in zip(places, channel.shape):
            outside |= (p < 0) | (p > size - 1)
    elif mode == "nearest":
        places = [np.clip(p, 0, size - 1) for p, size in zip(places, channel.shape)]
    elif mode == "wrap":  # the last pixel coincides with the first one: the period is size - 1
        places = [np.where((p < 0) | (p > size - 1), np.mod(p, size - 1), p) if size > 1 else np.zeros_like(p) for p, size in zip(places, channel.shape)]
    near = "nearest" if mode in ("constant", "wrap") else mode
    if order == 0:
        r, c = (_inside(np.floor(p + 0.5).astype(int), size, near) for p, size in zip(places, channel.shape))
        made = channel[r, c].astype(np.float64)
    else:
        first = [np.floor(p).astype(int) for p in places]
        share = [p - f for p, f in zip(places, first)]
        made = np.zeros(channel.shape, np.float64)
        for i in (0, 1):
            for j in (0, 1):
                r, c = (_inside(f + k, size, near) for f, k, size in zip(first, (i, j), channel.shape))
                made += channel[r, c] * (share[0] if i else 1 - share[0]) * (share[1] if j else 1 - share[1])
    return np.where(outside, cval, made).astype(channel.dtype)


@export(_HERE + "apply_affine_transform")
def apply_affine_transform(x, theta=0, tx=0, ty=0, shear=0, zx=1, zy=1, row_axis=0, col_axis=1, channel_axis=2, fill_mode="nearest", cval=0., order=1):
    """The image rotated, shifted, sheared and zoomed about its centre."""
    steps = []
    if theta != 0:
        t = np.deg2rad(theta)
        steps.append([[np.cos(t), -np.sin(t), 0], [np.sin(t), np.cos(t), 0], [0, 0, 1]])
    if tx != 0 or ty != 0:
        steps.append([[1, 0, tx], [0, 1, ty], [0, 0, 1]])
    if shear != 0:
        t = np.deg2rad(shear)
        steps.append([[1, -np.sin(t), 0], [0, np.cos(t), 0], [0, 0, 1]])
    if zx != 1 or zy != 1:
        steps.append([[zx, 0, 0], [0, zy, 0], [0, 0, 1]])
    if not steps:
        return x
    if order not in (0, 1):
        raise NotImplementedError("apply_affine_transform: splines of order %s are not supported: order 0 (nearest) or 1 (linear)" % order)
    matrix = np.array(steps[0])
    for step in steps[1:]:
        matrix = np.dot(matrix, np.array(step))
    row, column = float(x.shape[row_axis]) / 2 + 0.5, float(x.shape[col_axis]) / 2 + 0.5
    matrix = np.dot(np.dot(np.array([[1, 0, row], [0, 1, column], [0, 0, 1]]), matrix), np.array([[1, 0, -row], [0, 1, -column], [0, 0, 1]]))
    x = np.rollaxis(x, channel_axis, 0)
    x = np.stack([_sampled(channel, matrix[:2, :2], matrix[:2, 2], order, fill_mode, cval) for channel in x], axis=0)
    return np.rollaxis(x, 0, channel_axis + 1)


def _random(name, drawn):
    """random_NAME: an affine transform with drawn parameters."""

    def change(x, amount, row_axis=1, col_axis=2, channel_axis=0, fill_mode="nearest", cval=0., interpolation_order=1):
        return apply_affine_transform(x, channel_axis=channel_axis, fill_mode=fill_mode, cval=cval, order=interpolation_order, **drawn(amount))

    change.__name__ = name
    return export(_HERE + name)(change)


def _drawn_zoom(zoom_range):
    if len(zoom_range) != 2:
        raise ValueError("`zoom_range` should be a tuple or list of two floats. Received: %s" % (zoom_range,))
    zx, zy = (1, 1) if tuple(zoom_range) == (1, 1) else np.random.uniform(zoom_range[0], zoom_range[1], 2)
    return {"zx": zx, "zy": zy}


random_rotation = _random("random_rotation", lambda rg: {"theta": np.random.uniform(-rg, rg)})
random_shear = _random("random_shear", lambda intensity: {"shear": np.random.uniform(-intensity, intensity)})
random_zoom = _random("random_zoom", _drawn_zoom)


@export(_HERE + "random_shift")
def random_shift(x, wrg, hrg, row_axis=1, col_axis=2, channel_axis=0, fill_mode="nearest", cval=0., interpolation_order=1):
    tx = np.random.uniform(-hrg, hrg) * x.shape[row_axis]
    ty = np.random.uniform(-wrg, wrg) * x.shape[col_axis]
    return apply_affine_transform(x, tx=tx, ty=ty, channel_axis=channel_axis, fill_mode=fill_mode, cval=cval, order=interpolation_order)


@export(_HERE + "apply_channel_shift")
def apply_channel_shift(x, intensity, channel_axis=0):
    """Adds a constant to each channel, within the image's range."""
    x = np.rollaxis(x, channel_axis, 0)
    least, most = np.min(x), np.max(x)
    return np.rollaxis(np.stack([np.clip(c + intensity, least, most) for c in x], axis=0), 0, channel_axis + 1)


@export(_HERE + "random_channel_shift")
def random_channel_shift(x, intensity_range, channel_axis=0):
    return apply_channel_shift(x, np.random.uniform(-intensity_range, intensity_range), channel_axis=channel_axis)


@export(_HERE + "apply_brightness_shift")
def apply_brightness_shift(x, brightness):
    """The image brightened by Pillow."""
    pillow = _pillow("apply_brightness_shift")
    return img_to_array(pillow.ImageEnhance.Brightness(array_to_img(x)).enhance(brightness))


@export(_HERE + "random_brightness")
def random_brightness(x, brightness_range):
    if len(brightness_range) != 2:
        raise ValueError("`brightness_range should be tuple or list of two floats. Received: %s" % (brightness_range,))
    return apply_brightness_shift(x, np.random.uniform(brightness_range[0], brightness_range[1]))


def picture_files(folder, follow_links, endings=("png", "jpg", "jpeg", "bmp", "ppm", "tif", "tiff")):
    """(folder, name) of each image below a folder, in order."""
    for root, _, files in sorted(os.walk(folder, followlinks=follow_links), key=lambda x: x[0]):
        for name in sorted(files):
            if name.lower().endswith(endings):
                yield root, name
