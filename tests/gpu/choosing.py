"""How the host build is chosen: by WEFT_GPU or `--device gpu:host`, which is not taken from the arguments of a program; other values are refused by name."""
import os
import subprocess
import sys

WEFT = os.environ["WEFT"]
GRAPH = "import sys; from tensorflow.python.client import device_lib; print(sys.argv[1:], [d.device_type for d in device_lib.list_local_devices()])"


def said(arguments, **environment):
    clean = {k: v for k, v in os.environ.items() if k != "WEFT_GPU"}
    run = subprocess.run([WEFT, *arguments], env=dict(clean, **environment), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return run.stdout.strip().splitlines()[-1]


def main():
    assert said(["py", "-c", GRAPH], WEFT_GPU="host") == "[] ['CPU', 'GPU']"
    assert said(["py", "-c", GRAPH, "--device", "gpu:host"]).startswith("['--device', 'gpu:host'] ['CPU'"), said(["py", "-c", GRAPH, "--device", "gpu:host"])
    assert "WEFT_GPU is 'nonsense'; expected 'host'" in said(["selftest", "ops", "--device", "gpu", "--only", "Relu"], WEFT_GPU="nonsense")
    assert said(["selftest", "ops", "--device", "gpu:host", "--only", "Relu", "--strict"]).endswith(" passed, 0 failed, 0 skipped")


if __name__ == "__main__":
    sys.exit(main())
