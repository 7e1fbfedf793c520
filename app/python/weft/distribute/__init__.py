"""tf.distribute: one program on several devices.

devices.py: device names; contexts.py: which strategy and replica the code that runs belongs to; values.py: values of several devices;
variables.py: variables of several devices; cross_device_ops.py: sums and copies between devices; strategy.py: the base of all strategies; default.py: the one
outside all scopes; mirrored.py, one_device.py: the two others; replicas.py: the threads of replicas; inputs.py: data sets for replicas."""
