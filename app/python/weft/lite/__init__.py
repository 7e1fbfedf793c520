"""tf.lite: graphs written as TensorFlow Lite models, and models run by Weft's engine."""
