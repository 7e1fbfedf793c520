"""Removed names of h5py, Pillow and SciPy, and flags of absl, on packages that stand in for today's: they are written into a folder and imported from there."""

import os
import sys
import tempfile
import unittest

FILES = {
    "PIL/__init__.py": "",
    "PIL/Image.py": "class Resampling:\n    LANCZOS, BILINEAR, BICUBIC = 1, 2, 3\nCUBIC = 7\n",
    "PIL/ImageDraw.py": "class ImageDraw:\n    def textbbox(self, at, text, font=None, **more):\n        return (0, 0, 6 * len(text), 11)\n",
    "PIL/ImageFont.py": "class FreeTypeFont:\n    def getbbox(self, text):\n        return (0, 0, 5 * len(text), 9)\nclass ImageFont:\n    def getsize(self, text):\n        return 'own'\n",
    "scipy/__init__.py": "", "scipy/misc.py": "comb = 'own'\n", "scipy/special.py": "logsumexp, comb, factorial = 'l', 'c', 'f'\n",
    "h5py.py": """
import collections
__version__ = "3.9.0"
Info = collections.namedtuple("Info", "encoding")
class AttributeManager(dict):
    def get_id(self, name):
        return collections.namedtuple("Id", "dtype")("utf-8" if name.startswith("text") else "ascii" if name.startswith("bytes") else None)
class Dataset:
    def __getitem__(self, key):
        return [1, 2]
class File:
    def __init__(self, name, mode=None, driver=None):
        self.opened = name, mode, driver
def check_string_dtype(dtype):
    return Info(dtype) if dtype else None
""",
    "absl/__init__.py": "",
    "absl/flags.py": """
class Values:
    def __init__(self):
        self.__dict__["found"] = {"library_size": 3}
    def __contains__(self, name):
        return name in self.found
    def __getattr__(self, name):
        return self.found[name]
    def __call__(self, argv, known_only=False):
        self.found["library_size"] = max([int(a[15:]) for a in argv if a.startswith("--library_size=")] + [3])
        return [a for a in argv if not a.startswith("--library_size")]
FLAGS = Values()
""",
}


class OldPackages(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        for name, text in FILES.items():
            os.makedirs(os.path.dirname(os.path.join(cls.folder.name, name)), exist_ok=True)
            with open(os.path.join(cls.folder.name, name), "w") as f:
                f.write(text)
        for name in list(sys.modules):
            if name.partition(".")[0] in ("PIL", "scipy", "h5py", "absl"):
                del sys.modules[name]
        sys.path.insert(0, cls.folder.name)

    @classmethod
    def tearDownClass(cls):
        sys.path.remove(cls.folder.name)
        cls.folder.cleanup()

    def test_filters_and_text_sizes_of_pillow(self):
        from PIL import Image, ImageDraw, ImageFont

        self.assertEqual((Image.ANTIALIAS, Image.LINEAR, Image.CUBIC), (1, 2, 7))  # an existing name stays
        self.assertEqual(ImageDraw.ImageDraw().textsize("abc"), (18, 11))
        self.assertEqual((ImageFont.FreeTypeFont().getsize("abc"), ImageFont.ImageFont().getsize("abc")), ((15, 9), "own"))

    def test_functions_that_moved_to_scipy_special(self):
        import scipy.misc

        self.assertEqual((scipy.misc.logsumexp, scipy.misc.comb, scipy.misc.factorial), ("l", "own", "f"))

    def test_what_was_written_as_bytes_to_h5py_can_be_decoded(self):
        import h5py
        import numpy as np

        attributes = h5py.AttributeManager(text="a", bytes="b", number=3, bytes_list=np.array(["x", "y"], dtype=object), text_list=np.array(["x"], dtype=object))
        self.assertEqual((attributes["text"], attributes["bytes"], attributes["bytes"].decode("utf-8"), attributes["number"]), ("a", "b", "b", 3))
        self.assertEqual(([n.decode() for n in attributes["bytes_list"]], list(attributes["text_list"])), (["x", "y"], ["x"]))
        self.assertFalse(hasattr(attributes["text"], "decode"))
        self.assertEqual(h5py.Dataset().value, [1, 2])

    def test_h5py_opens_for_writing(self):
        import h5py

        self.assertEqual(h5py.File("new").opened, ("new", "a", None))
        self.assertEqual(h5py.File("new", "r", driver="core").opened, ("new", "r", "core"))
        if os.getuid() != 0:
            path = os.path.join(self.folder.name, "read_only")
            open(path, "w").close()
            os.chmod(path, 0o400)
            self.assertEqual(h5py.File(path).opened[1], "r")

    def test_a_missing_package_stays_missing(self):
        with self.assertRaisesRegex(ImportError, "'PIL.ImageTk'|PIL.ImageTk"):
            __import__("PIL.ImageTk")

    def test_modules_keep_their_loader_and_name(self):
        import h5py

        self.assertEqual((h5py.__name__, h5py.__spec__.name, h5py.__file__), ("h5py", "h5py", os.path.join(self.folder.name, "h5py.py")))
        self.assertNotIn("weft", type(h5py.__spec__.loader).__module__)

    def test_flags_of_a_library_that_uses_absl(self):
        import absl.flags
        import tensorflow as tf

        tf.flags.DEFINE_integer("own_size", 1, "")
        self.assertEqual(tf.flags.FLAGS(["program", "--library_size=8", "--own_size=2", "rest"]), ["program", "rest"])
        self.assertEqual((tf.flags.FLAGS.library_size, tf.flags.FLAGS.own_size, absl.flags.FLAGS.library_size), (8, 2, 8))
        with self.assertRaises(AttributeError):
            tf.flags.FLAGS.nonsense


if __name__ == "__main__":
    unittest.main()
