"""For tests that compare the output of programs, line by line, with what TensorFlow 1.15.5 printed."""

import json
import re
import sys
import unittest

_NUMBER = re.compile(r"-?\d+\.\d+(?:e[-+]?\d+)?")


class StoredOutput(unittest.TestCase):
    """Base of such tests."""

    maxDiff = None

    def same_line(self, found, expected):
        """Texts are equal, numbers within rounding."""
        self.assertEqual(_NUMBER.sub("#", found), _NUMBER.sub("#", expected))
        for a, b in zip(_NUMBER.findall(found), _NUMBER.findall(expected)):
            self.assertAlmostEqual(float(a), float(b), delta=3e-4 * max(1.0, abs(float(b))), msg=found + "\n" + expected)

    def same_lines(self, found, expected):
        self.assertEqual(len(found), len(expected), found)
        for a, b in zip(found, expected):
            self.same_line(a, b)


def main(path, names, measured, test):
    """Runs the module's tests, and one in its class Programs for each name: test(name, expected) makes it. With --write, the file is written from measured(name)."""
    if sys.argv[1:] == ["--write"]:
        with open(path, "w") as f:
            json.dump({name: measured(name) for name in names}, f, indent=1, sort_keys=True)
            f.write("\n")
        sys.exit()
    with open(path, encoding="utf-8") as f:
        golden = json.load(f)
    if set(golden) != set(names):
        raise AssertionError("programs without stored output, or the other way round: %s" % sorted(set(golden) ^ set(names)))
    for name in names:
        setattr(sys.modules["__main__"].Programs, "test_" + name, test(name, golden[name]))
    unittest.main(verbosity=2)
