import tensorflow as tf

from check import close

writer = tf.summary.FileWriter("log")
assert type(writer).__name__ == "FileWriter"
writer.close()
