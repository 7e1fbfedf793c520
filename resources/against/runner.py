"""Shared by the scripts that `weft bench --against` starts: orders on standard input, a line of JSON as answer to each on standard output.

A script reads the folder that Weft wrote (job.json, feeds.npz, the graph) and gives serve() a function that prepares a step. Orders: `first N` takes the
first steps and writes their values to first.npz ("STEP/FETCH"), `time S` takes steps for S seconds.
"""
import importlib
import json
import os
import platform
import statistics
import sys
import time

LEAST_STEPS = 5

# What libraries print must not come between the answers.
_answers = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)


class CannotCarry(Exception):
    """Something in the graph that this engine or its script has no counterpart for; the message names it."""


def answer(**fields):
    _answers.write(json.dumps(fields) + "\n")
    _answers.flush()


def need(*modules):
    """The modules; if one is not installed, says so and ends."""
    found = []
    for module in ("numpy", *modules):
        try:
            found.append(importlib.import_module(module))
        except ModuleNotFoundError as error:
            if error.name != module.split(".")[0] and error.name != module:
                raise
            answer(missing=module)
            sys.exit(0)
    return found[1:] if len(found) > 1 else found


def peak_megabytes():
    try:
        with open("/proc/self/status") as lines:
            return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM")) / 1024
    except (OSError, StopIteration):
        return 0.0


class Job:
    """What Weft wrote into the folder."""

    def __init__(self, folder):
        import numpy
        self.folder = folder
        with open(self.path("job.json")) as f:
            self.fields = json.load(f)
        with numpy.load(self.path("feeds.npz")) as arrays:
            feeds = {name: arrays[name] for name in arrays.files}
        self.feeds = {name: feeds[name] for name in self.fields["feeds"]}
        self.fetches, self.targets, self.threads = (self.fields[key] for key in ("fetches", "targets", "threads"))
        self.graph = self.path(self.fields["graph"])

    def path(self, name):
        return os.path.join(self.folder, name)

    def arrays(self, name):
        """The arrays of a .npz file; none if it was not written."""
        import numpy
        if not os.path.exists(self.path(name)):
            return {}
        with numpy.load(self.path(name)) as arrays:
            return {key: arrays[key] for key in arrays.files}


def _first(job, step, count):
    import numpy
    values, first_ms = {}, 0.0
    for i in range(count):
        results = step()
        if i == 0:
            first_ms = 1e3 * (time.time() - _started())
        values.update({"%d/%d" % (i, k): numpy.asarray(value) for k, value in enumerate(results)})
    numpy.savez(job.path("first.npz"), **values)
    return {"first_ms": first_ms}


def _started():
    """When this process began, in seconds since 1970."""
    with open("/proc/self/stat") as f:
        ticks = int(f.read().rsplit(")", 1)[1].split()[19])
    with open("/proc/uptime") as f:
        up = float(f.read().split()[0])
    return time.time() - up + ticks / os.sysconf("SC_CLK_TCK")


def _timed(step, seconds):
    times, end = [], time.perf_counter() + seconds
    while time.perf_counter() < end or len(times) < LEAST_STEPS:
        start = time.perf_counter()
        step()
        times.append(1e3 * (time.perf_counter() - start))
    times.sort()
    return {"steps": len(times), "step_ms_min": times[0], "step_ms_median": statistics.median(times), "step_ms_p95": times[int(0.95 * len(times))]}


def serve(engine, prepare, notes=()):
    """Answers orders until standard input ends. `prepare(job)` returns (step for comparing, step for measuring): functions that return the fetched values."""
    try:
        job = Job(sys.argv[1])
        compared, measured = prepare(job)
        answer(engine=engine, python=platform.python_version(), notes=list(notes))
        for line in sys.stdin:
            order, value = line.split()
            found = _first(job, compared, int(value)) if order == "first" else _timed(measured, float(value))
            answer(peak_rss_mb=peak_megabytes(), **found)
    except CannotCarry as error:
        answer(error=str(error))
    except Exception as error:  # whatever a library throws is an answer
        # The places in a library's source that some messages begin with say nothing to a reader.
        lines = [line.strip() for line in str(error).splitlines() if line.strip() and not line.startswith("Exception from ")]
        answer(error="%s: %s" % (type(error).__name__, " ".join(lines)[:300]))
        raise
