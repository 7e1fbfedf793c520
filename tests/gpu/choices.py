"""ConfigProto.gpu_options: which GPUs a process uses, in which order, and how much of their memory; with GPUs of the host build."""
import os
import subprocess
import sys

HEAD = "import tensorflow as tf\nfrom tensorflow.python.client import device_lib\n"
SESSION = HEAD + """
def session(**options):
    return tf.Session(config=tf.ConfigProto(gpu_options=tf.GPUOptions(**options)))
def gpus(s):
    return [d.name.rpartition("/")[2] for d in s.list_devices() if d.device_type == "GPU"]
def memory():
    return [d.memory_limit // 1000000 for d in device_lib.list_local_devices() if d.device_type == "GPU"]
def error(f):
    try:
        f()
    except tf.errors.OpError as e:
        return type(e).__name__ + ": " + e.message
    return "no error"
"""
# Program, and the end of what it prints. The GPUs have 10, 20 and 30 MB.
CASES = [
    ("print(gpus(session(visible_device_list='2,0')), memory())", "['device:GPU:0', 'device:GPU:1'] [30, 10, 20]"),
    ("print(gpus(session(visible_device_list='1')), memory())", "['device:GPU:0'] [20, 10, 30]"),
    ("print(gpus(session(visible_device_list='0,1')), gpus(session(visible_device_list='0')))", "['device:GPU:0', 'device:GPU:1'] ['device:GPU:0']"),
    ("print(error(lambda: session(visible_device_list='0,3')))", "InvalidArgumentError: 'visible_device_list' listed an invalid GPU id '3' but visible device count is 3"),
    ("print(error(lambda: session(visible_device_list='1,1')))", "InvalidArgumentError: visible_device_list contained a duplicate entry: 1"),
    ("print(error(lambda: session(visible_device_list='one')))",
     "InvalidArgumentError: Could not parse entry in 'visible_device_list': 'one'. visible_device_list = one"),
    ("session().run(tf.constant(3)); print(error(lambda: session(visible_device_list='1,0'))[:89])",
     "AlreadyExistsError: TensorFlow device (GPU:0) is being mapped to multiple CUDA devices (1 now, and 0 previously)"[:89]),
    # The numbers are those of the GPUs, whatever their order.
    ("""
with tf.device("/gpu:0"):
    big = tf.reduce_sum(tf.zeros([4, 1000, 1000]))
print(session(visible_device_list="2").run(big))""", "0.0"),
    ("""
with tf.device("/gpu:0"):
    big = tf.reduce_sum(tf.zeros([4, 1000, 1000]))
print(error(lambda: session().run(big))[:43])""", "ResourceExhaustedError: OOM when allocating"),
    # A share of the memory.
    ("""
with tf.device("/gpu:0"):
    big = tf.reduce_sum(tf.zeros([4, 1000, 1000]))
print(error(lambda: session(visible_device_list="2", per_process_gpu_memory_fraction=0.4).run(big))[:43])""", "ResourceExhaustedError: OOM when allocating"),
    ("print(error(lambda: session(per_process_gpu_memory_fraction=1.5))[:70])", "UnimplementedError: GPUOptions.per_process_gpu_memory_fraction is 1.5, expected"[:70]),
    ("print(session(allow_growth=True).run(tf.constant(3)))", "3"),
    ("session(per_process_gpu_memory_fraction=0.5); print(session(per_process_gpu_memory_fraction=0.5).run(tf.constant(3)))", "3"),
]
# Programs on GPUs that do not work: the fault, what is said of it, and the result of the CPU.
ADD = HEAD + """
s = tf.Session()
print(s.run(tf.constant(1.0) + tf.constant(2.0)), [d.device_type for d in device_lib.list_local_devices()])
"""
FAULTS = [
    ("driver", "the NVIDIA driver is too old: it supports CUDA 11.4, but Weft needs 13.0 or more"),
    ("capability", "GPU 0 (host build of the device code) has compute capability 6.1, but Weft needs 7.5 or more"),
    ("cudnn", "cuDNN 8.97.0 is installed, but Weft needs 9.0.0 or a newer one of the same series"),
]
LOST = HEAD + """
import numpy as np
with tf.device("/gpu:0"):
    a = tf.matmul(tf.ones([8, 8]), tf.ones([8, 8]))
    v = tf.get_variable("v", [8, 8], initializer=tf.ones_initializer())
    step = v.assign_add(a)
s = tf.Session(config=tf.ConfigProto(allow_soft_placement=True))
try:
    s.run(v.initializer)
    for _ in range(1000):
        s.run(step)
    print("never lost")
except tf.errors.InternalError as e:
    print(e.message)
print(tf.Session(config=tf.ConfigProto(allow_soft_placement=True)).run(a)[0, 0])
"""


def run(program, **environment):
    done = subprocess.run([os.environ["WEFT"], "py", "-c", program], env=dict(os.environ, **environment), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert done.returncode == 0, (program, done.stdout, done.stderr)
    return done.stdout.strip(), done.stderr


def main():
    for program, expected in CASES:
        said, _ = run(SESSION + program, WEFT_GPU_HOST_DEVICES="3", WEFT_GPU_HOST_MEMORY="10000000,20000000,30000000")
        assert said == expected, (program, said, expected)
    for fault, sentence in FAULTS:
        said, _ = run(ADD, WEFT_GPU_HOST_FAULT=fault)
        assert said == "3.0 ['CPU']", (fault, said)
        ops = subprocess.run([os.environ["WEFT"], "selftest", "ops", "--device", "gpu:host", "--only", "Relu"], env=dict(os.environ, WEFT_GPU_HOST_FAULT=fault),
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True).stdout
        assert sentence in ops, (fault, ops)
    said, warned = run(LOST, WEFT_GPU_HOST_FAULT="lost:60")
    lines = said.splitlines()
    assert "the GPU is lost" in lines[0] and "new sessions run on the CPU" in lines[0] and lines[-1] == "8.0", said
    assert "a new session does without /job:localhost/replica:0/task:0/device:GPU:0" in warned, warned


if __name__ == "__main__":
    sys.exit(main())
