"""Names and behaviour that packages beside NumPy had in the time of TensorFlow 1.x: each package is mended right after a program imports it, and only then.

As in old_names.py, existing names are not changed, and `weft py` does this; `import weft` in other programs does not."""

import functools
import importlib.abc
import importlib.machinery
import importlib.util
import os
import sys


def _pillow(image):
    resampling = getattr(image, "Resampling", None)
    for old, new in (("ANTIALIAS", "LANCZOS"), ("LINEAR", "BILINEAR"), ("CUBIC", "BICUBIC")):
        if resampling is not None and not hasattr(image, old):
            setattr(image, old, getattr(resampling, new))


def _pillow_draw(draw):
    """textsize(text, font): the width and height that textbbox() states."""
    kind = draw.ImageDraw
    if hasattr(kind, "textsize") or not hasattr(kind, "textbbox"):
        return

    def textsize(self, text, font=None, spacing=4, direction=None, features=None, language=None, stroke_width=0):
        return tuple(self.textbbox((0, 0), text, font=font, spacing=spacing, direction=direction, features=features, language=language, stroke_width=stroke_width)[2:])

    kind.textsize = textsize


def _pillow_font(font):
    for kind in (font.FreeTypeFont, font.ImageFont):
        if not hasattr(kind, "getsize") and hasattr(kind, "getbbox"):
            kind.getsize = lambda self, text, *args, **kwargs: tuple(self.getbbox(text, *args, **kwargs)[2:])


class _Text(str):
    """A text that can be decoded, as the bytes that it once was."""

    __slots__ = ()

    def decode(self, encoding="utf-8", errors="strict"):
        return self.encode("utf-8", "surrogateescape").decode(encoding, errors)


def _h5py(package):
    """h5py 2 gave attributes that were written as bytes as bytes, and programs decode them; h5py 3 gives text, which they get with a decode() of its own. It had a data
    set's value as `.value`, and opened files for reading and writing unless a mode was stated; what it could not write it opened for reading."""
    if int(package.__version__.split(".")[0]) < 3:
        return
    import numpy as np

    attributes, data_set = package.AttributeManager, package.Dataset
    read = attributes.__getitem__

    def as_written(self, name):
        found = read(self, name)
        text = isinstance(found, str) or isinstance(found, np.ndarray) and found.dtype == object and found.size > 0 and all(isinstance(x, str) for x in found.flat)
        info = package.check_string_dtype(self.get_id(name).dtype) if text else None
        if info is None or info.encoding != "ascii":
            return found
        if isinstance(found, str):
            return _Text(found)
        found.flat = [_Text(x) for x in found.flat]
        return found

    attributes.__getitem__ = as_written
    opened = package.File.__init__

    def open_file(self, name, mode=None, *args, **kwargs):
        if mode is None:
            path = name if isinstance(name, (str, bytes, os.PathLike)) else None
            mode = "r" if path is not None and os.path.exists(path) and not os.access(path, os.W_OK) else "a"
        opened(self, name, mode, *args, **kwargs)

    package.File.__init__ = functools.wraps(opened)(open_file)
    if not hasattr(data_set, "value"):
        data_set.value = property(lambda self: self[()])


def _scipy_misc(misc):
    """scipy.misc.logsumexp and comb moved to scipy.special."""
    import scipy.special

    for name in ("logsumexp", "comb", "factorial"):
        if name not in vars(misc):
            setattr(misc, name, getattr(scipy.special, name))


_MENDED = {"PIL.Image": _pillow, "PIL.ImageDraw": _pillow_draw, "PIL.ImageFont": _pillow_font, "h5py": _h5py, "scipy.misc": _scipy_misc}


class _Mending(importlib.abc.Loader):
    """A module's own loader, and what is mended after it."""

    def __init__(self, own, mend):
        self._own, self._mend = own, mend

    def create_module(self, spec):
        return self._own.create_module(spec)

    def exec_module(self, module):
        module.__spec__.loader = module.__loader__ = self._own
        self._own.exec_module(module)
        self._mend(module)


class _Finder(importlib.abc.MetaPathFinder):
    """Finds the modules of _MENDED where Python finds them."""

    def __init__(self):
        self._asking = set()

    def find_spec(self, name, path=None, target=None):
        if name not in _MENDED or name in self._asking:
            return None
        self._asking.add(name)
        try:
            spec = importlib.util.find_spec(name)
        finally:
            self._asking.discard(name)
        if spec is None or not hasattr(spec.loader, "exec_module"):
            return spec
        spec.loader = _Mending(spec.loader, _MENDED[name])
        return spec


def restore():
    """Mends the packages that are imported already, and the others when they are."""
    if any(isinstance(f, _Finder) for f in sys.meta_path):
        return
    for name, mend in _MENDED.items():
        if name in sys.modules:
            mend(sys.modules[name])
    sys.meta_path.insert(0, _Finder())
