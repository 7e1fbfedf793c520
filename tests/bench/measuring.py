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


def against(weft, file, engine, python, rounds, seconds, options=()):
    """One pair of `weft bench FILE --against ENGINE`: the engine's name, medians and first results in ms of both, or {"error": why not}."""
    command = [weft, "bench", file, *options, "--against", engine, "--python", python, "--rounds", str(rounds), "--seconds", str(seconds), "--json"]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode:
        return {"error": done.stderr.strip().splitlines()[-1]}
    pair = json.loads(done.stdout)
    return {"engine": pair["other"]["engine"], "ms": pair["other"]["step_ms_median"], "first_ms": pair["other"]["first_result_ms"],
            "weft_ms": pair["weft"]["step_ms_median"], "weft_first_ms": pair["weft"]["first_result_ms"]}


def fastest(pairs):
    """Of what against() found, the pair with the smallest ratio, other engine / Weft. Both halves of a pair ran in turn, so that a drifting machine changes both."""
    return min((p for p in pairs if "error" not in p), key=lambda p: p["ms"] / p["weft_ms"], default=None)
