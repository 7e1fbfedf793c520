"""`from MODULE import *` and dir() of public modules give those of TensorFlow's names that exist here, and no others."""

import os
import types
import unittest

import tensorflow as tf

_NAMES = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "api_names.txt")


def public():
    """Module -> its public names (without members of classes)."""
    found, classes = {}, set()
    with open(_NAMES, encoding="utf-8") as f:
        lines = [line.rstrip("\n").split("\t") for line in f if not line.startswith("#")]
    for words in lines:
        if words[1] == "class":
            classes.add(words[0])
    for words in lines:
        folder, _, leaf = words[0].rpartition(".")
        if folder in classes or folder.startswith(("contrib", "raw_ops")):
            continue
        while True:
            found.setdefault(folder, set()).add(leaf)
            if not folder:
                break
            folder, _, leaf = folder.rpartition(".")
    return found


def starred(module):
    space = {}
    exec("from tensorflow%s import *" % ("." + module if module else ""), space)
    return set(space) - {"__builtins__"}


class StarImports(unittest.TestCase):
    def test_names_of_tensorflow(self):
        names = starred("")
        for name in ("Session", "placeholder", "nn", "train", "float32", "constant", "AUTO_REUSE", "keras", "contrib", "python", "compat", "matmul", "reduce_sum", "layers", "GraphKeys"):
            self.assertIn(name, names)
        self.assertGreater(len(names), 600)
        space = {}
        exec("from tensorflow import *\nwith Session() as s:\n    found = s.run(add(constant(1), 2))", space)
        self.assertEqual(space["found"], 3)
        self.assertEqual(space["float32"], tf.float32)
        exec("from tensorflow.compat.v1 import *\ndisable_eager_execution()\np = placeholder(float32)", space)
        self.assertIsInstance(space["p"], tf.Tensor)

    def test_all_that_is_there_comes_and_nothing_else(self):
        for module, names in sorted(public().items()):
            what = tf
            for part in module.split(".") if module else ():
                what = getattr(what, part, None)
            if not isinstance(what, types.ModuleType) or module.startswith("compat"):
                continue
            there = {n for n in names if hasattr(what, n)}
            found = starred(module)
            self.assertEqual(there - found, set(), module)
            self.assertEqual(found, set(dir(what)), module)
            more = {n for n in found - names if not isinstance(getattr(what, n), types.ModuleType)}
            self.assertEqual(more, set(), module)

    def test_old_names_can_still_be_asked_for(self):
        self.assertNotIn("pack", dir(tf))
        self.assertTrue(callable(tf.pack))


if __name__ == "__main__":
    unittest.main()
