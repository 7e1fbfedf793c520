"""TensorFlow's messages, generated from engine/proto when Weft is built."""
