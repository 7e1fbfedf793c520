import tensorflow as tf

from check import run


def example(values):
    return tf.train.Example(features=tf.train.Features(feature={"ft": tf.train.Feature(float_list=tf.train.FloatList(value=values))})).SerializeToString()


sparse = run(tf.parse_example([example([1, 2]), example([]), example([3])], {"ft": tf.VarLenFeature(tf.float32)})["ft"])
assert type(sparse).__name__ == "SparseTensorValue"
assert sparse.indices.tolist() == [[0, 0], [0, 1], [2, 0]] and sparse.values.tolist() == [1., 2., 3.] and sparse.dense_shape.tolist() == [3, 2]
