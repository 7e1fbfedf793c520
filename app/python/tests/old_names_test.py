"""Names that Python, NumPy, h5py and Pillow have dropped since TensorFlow 1.x, in programs that `import tensorflow`: weft py old_names_test.py"""

import importlib.util
import os
import subprocess
import sys
import tempfile
import unittest

import weft

_FOLDER = os.path.dirname(os.path.dirname(os.path.abspath(weft.__file__)))


def _run(program, *arguments):
    """What a program prints that plain Python runs with Weft on its module path."""
    environment = dict(os.environ, PYTHONPATH=_FOLDER)
    return subprocess.run([sys.executable, "-W", "ignore", "-c", program] + list(arguments), env=environment, check=True, stdout=subprocess.PIPE, universal_newlines=True).stdout.split()


class OldNames(unittest.TestCase):
    def test_plain_python_has_them_after_importing_tensorflow(self):
        printed = _run("import tensorflow, collections, inspect, time, fractions, numpy as np\n"
                       "print(np.int, np.float_(1), np.NaN, np.array([[1], [1, 2]]).dtype, np.ndim([[1], [1, 2]]), collections.Iterable.__name__, time.clock() >= 0, fractions.gcd(4, 6))\n"
                       "print(inspect.getargspec(lambda a, b=1: 0).args)")
        self.assertEqual(printed, ["<class", "'int'>", "1.0", "nan", "object", "1", "Iterable", "True", "2", "['a',", "'b']"])

    def test_weft_alone_changes_nothing(self):
        self.assertEqual(_run("import collections; had = hasattr(collections, 'Iterable'); import weft; print(had == hasattr(collections, 'Iterable'))"), ["True"])

    def test_texts_of_h5py_can_be_decoded(self):
        try:
            import h5py
        except ImportError:
            self.skipTest("no h5py")
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "a.h5")
            with h5py.File(path, "w") as f:
                f.attrs["config"] = "{}".encode()
                f.attrs["names"] = [b"a", b"b"]
            for imports in ("import tensorflow, h5py", "import h5py, tensorflow"):
                with self.subTest(imports):
                    printed = _run("import sys\n%s\nf = h5py.File(sys.argv[1], 'r')\nprint(f.attrs['config'].decode('utf-8'), f.attrs['config'] == '{}', *[n.decode() for n in f.attrs['names']])\n"
                                   "print(h5py.__spec__.loader is h5py.__loader__)" % imports, path)
                    self.assertEqual(printed, ["{}", "True", "a", "b", "True"])

    def test_filters_of_pillow_have_their_old_names(self):
        if importlib.util.find_spec("PIL") is None:
            self.skipTest("no Pillow")
        self.assertEqual(_run("import tensorflow\nfrom PIL import Image\nprint(Image.ANTIALIAS == Image.LANCZOS)"), ["True"])


if __name__ == "__main__":
    unittest.main()
