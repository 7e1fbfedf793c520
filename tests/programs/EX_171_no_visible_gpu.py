import os
import subprocess
import sys

import tensorflow as tf

from check import run

code = "import sys; sys.path[:] = %r\nfrom tensorflow.python.client import device_lib\nprint('GPUs:', len([d for d in device_lib.list_local_devices() if d.device_type == 'GPU']))" % (sys.path,)
out = subprocess.run([sys.executable, "-c", code], env=dict(os.environ, CUDA_VISIBLE_DEVICES=""), stdout=subprocess.PIPE, stderr=subprocess.PIPE)
assert b"GPUs: 0" in out.stdout, out.stderr[-400:]
