import sys

import tensorflow as tf

from check import raises, run


def main():
    print("never")


sys.argv = ["xxx.py"]
raises(TypeError, "main() takes 0 positional arguments but 1 was given", lambda: tf.app.run(main))
