"""Shared by the scripts here and of tests/interop: runs processes and reads their output; free ports; the processor's name."""
import json
import os
import platform
import socket
import subprocess
import sys


def said(command, status=1):
    """The output of `command`; if it fails, prints its output and exits with `status`."""
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode:
        print("%s: %s" % (" ".join(command), (done.stderr or done.stdout).strip()), file=sys.stderr)
        sys.exit(status)
    return done.stdout


def found(command, status=1):
    """The JSON value in the last output line of `command`."""
    return json.loads(said(command, status).strip().splitlines()[-1])


def free_ports(count):
    """Ports of the loopback interface that nothing listens on now."""
    sockets = [socket.socket() for _ in range(count)]
    for s in sockets:
        s.bind(("localhost", 0))
    ports = [s.getsockname()[1] for s in sockets]
    for s in sockets:
        s.close()
    return ports


def workloads(folder, chosen):
    """The chosen names, or those of all workloads that make_bench.py wrote to the folder."""
    return chosen or sorted(name for name in os.listdir(folder) if os.path.exists(os.path.join(folder, name, "bench.json")))


def processor():
    """The processor's name, as the kernel says it."""
    with open("/proc/cpuinfo") as lines:
        return next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), platform.machine())
