"""tf.flags beyond simple definitions. TensorFlow 1.15 passes the same assertions (python3.7 flags_test.py)."""

import enum
import unittest

import tensorflow as tf

flags = tf.flags
FLAGS = flags.FLAGS


class Colour(enum.Enum):
    RED = 1
    Blue = 2


flags.DEFINE_enum_class("colour", Colour.RED, Colour, "a colour")
flags.DEFINE_multi_enum_class("colours", ["red"], Colour, "colours")
flags.DEFINE_integer("size", 3, "how large")
flags.DEFINE_alias("how_large", "size")
flags.DEFINE_string("first", None, "one")
flags.DEFINE_string("second", None, "or the other")
flags.DEFINE_boolean("yes", False, "")
flags.DEFINE_boolean("no", False, "")
flags.mark_flags_as_mutual_exclusive(["first", "second"])
flags.mark_bool_flags_as_mutual_exclusive(["yes", "no"])


@flags.multi_flags_validator(["size", "first"], message="a large one has no first")
def _small(values):
    return values["size"] < 100 or values["first"] is None


@flags.validator("size", message="too small")
def _positive(value):
    return value > 0


class Flags(unittest.TestCase):
    def setUp(self):
        FLAGS.unparse_flags()
        FLAGS(["program"])

    def test_members_of_enumerations(self):
        self.assertIs(FLAGS.colour, Colour.RED)
        self.assertEqual(FLAGS(["program", "--colour=BLUE", "--colours=blue", "--colours=RED", "rest"]), ["program", "rest"])
        self.assertIs(FLAGS.colour, Colour.Blue)
        self.assertEqual(FLAGS.colours, [Colour.Blue, Colour.RED])
        with self.assertRaisesRegex(flags.IllegalFlagValueError, "value should be one of <red\\|blue>"):
            FLAGS(["program", "--colour=green"])

    def test_an_alias_is_the_same_flag(self):
        FLAGS(["program", "--how_large=7"])
        self.assertEqual((FLAGS.size, FLAGS.how_large), (7, 7))
        FLAGS.how_large = 9
        self.assertEqual(FLAGS.size, 9)

    def test_checks_over_flags(self):
        FLAGS(["program", "--first=a", "--size=5"])
        for words, message in ((["--second=b"], "At most one of \\(first, second\\) must have a value other than None."), (["--size=500"], "a large one has no first"),
                               (["--size=-1"], "too small"), (["--yes", "--no"], "At most one of \\(yes, no\\) must be True.")):
            with self.assertRaisesRegex(flags.IllegalFlagValueError, message):
                FLAGS(["program", "--first=a"] + words)
            self.setUp()
        with self.assertRaises(flags.ValidationError):
            flags.mark_bool_flags_as_mutual_exclusive(["size"])

    def test_defaults_and_words(self):
        class Holder:
            name, _flagvalues = "size", FLAGS

        flags.set_default(Holder, 4)
        self.assertEqual(FLAGS.size, 4)
        flags.set_default(Holder, 3)
        self.assertEqual(list(flags.flag_dict_to_args({"a": 1, "b": None, "c": True, "d": False, "e": ["x", "y"], "f": "text"})), ["--a=1", "--b", "--c", "--nod", "--e=x,y", "--f=text"])
        self.assertEqual(list(flags.flag_dict_to_args({"e": ["x", "y"]}, {"e"})), ["--e=x", "--e=y"])

    def test_texts_of_help(self):
        text = "one two three four five\n\nsix seven"
        self.assertEqual(flags.text_wrap(text, 12, "  "), "  one two\n  three four\n  five\n\n  six seven")
        self.assertEqual(flags.text_wrap(text, 20, "    ", "- "), "- one two three four\n    five\n\n    six seven")
        with self.assertRaises(ValueError):
            flags.text_wrap(text, 2, "   ")
        self.assertEqual(flags.doc_to_help("A title.\n\n    Some lines\n    of one paragraph.\n      - a list"), "A title.\n\nSome lines of one paragraph.\n  - a list")

    def test_names_that_are_not_there(self):
        with self.assertRaises(flags.UnrecognizedFlagError):
            flags.DEFINE_alias("other", "nowhere")
        with self.assertRaisesRegex(ValueError, "Flag --nowhere is undefined. To set a flag as a key flag first define it in Python."):
            flags.declare_key_flag("nowhere")


if __name__ == "__main__":
    unittest.main(argv=["flags_test"])
