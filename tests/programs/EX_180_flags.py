import sys

import tensorflow as tf

from check import run

flags = tf.app.flags
flags.DEFINE_string("str_name", "default_value", "a text")
flags.DEFINE_integer("int_name", 10, "a number")
flags.DEFINE_boolean("bool_name", False, "a switch")
flags.DEFINE_float("float_name", 1.111, "another number")
FLAGS = flags.FLAGS


def main(_):
    assert (FLAGS.str_name, FLAGS.int_name, FLAGS.bool_name, FLAGS.float_name) == ("hahaha", 10, False, 1.111)


sys.argv = ["xxx.py", "--str_name", "hahaha"]
try:
    tf.app.run(main)
except SystemExit as e:
    assert not e.code
