from tensorflow.python.client import device_lib

import tensorflow as tf

cpu = [d for d in device_lib.list_local_devices() if d.device_type == "CPU"][0]
assert (cpu.name, cpu.memory_limit) == ("/device:CPU:0", 268435456)
