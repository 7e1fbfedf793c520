"""Runs the programs of this folder, each in a separate process and folder: run_all.py [-j N] [PATTERN…]. The exit status is 1 if one fails.

Run it with `weft py`, or with another Python that has TensorFlow 1.15.
"""

import fnmatch
import os
import shutil
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
LIMIT = 120.0  # seconds per program


def start(path):
    """Forks a process that runs one program; returns its id and folder. TensorFlow is already loaded, so this is cheap."""
    folder = tempfile.mkdtemp(prefix="program")
    os.mkdir(os.path.join(folder, "here"))
    pid = os.fork()
    if pid:
        return pid, folder
    os.chdir(os.path.join(folder, "here"))
    out = os.open(os.path.join(folder, "out.txt"), os.O_WRONLY | os.O_CREAT, 0o600)
    os.dup2(out, 1)
    os.dup2(out, 2)
    code = 0
    try:
        sys.argv = [path]
        with open(path, encoding="utf-8") as f:
            exec(compile(f.read(), path, "exec"), {"__name__": "__main__", "__file__": path})
    except SystemExit as e:
        code = e.code if isinstance(e.code, int) else 0 if e.code is None else 1
    except BaseException:
        import traceback

        traceback.print_exc()
        code = 1
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


def main(arguments):
    jobs = 2
    if arguments[:1] == ["-j"]:
        jobs, arguments = int(arguments[1]), arguments[2:]
    names = sorted(n for n in os.listdir(HERE) if n.startswith("EX_") and n.endswith(".py"))
    if arguments:
        names = [n for n in names if any(fnmatch.fnmatch(n, "*%s*" % a) for a in arguments)]
    sys.path.insert(0, HERE)
    import tensorflow  # noqa: F401  (before the first fork)

    waiting, running, failed = list(names), {}, []
    while waiting or running:
        while waiting and len(running) < jobs:
            name = waiting.pop(0)
            pid, folder = start(os.path.join(HERE, name))
            running[pid] = (name, folder, time.time())
        pid, status = os.waitpid(-1, os.WNOHANG)
        if not pid:
            for late, (name, folder, since) in list(running.items()):
                if time.time() - since > LIMIT:
                    os.kill(late, 9)
            time.sleep(.01)
            continue
        name, folder, _ = running.pop(pid)
        if status:
            failed.append(name)
            with open(os.path.join(folder, "out.txt"), encoding="utf-8", errors="replace") as f:
                lines = [line for line in f.read().split("\n") if line.strip()]
            print("FAILED %s: %s" % (name, lines[-1][:400] if lines else "ended with status %d" % status))
            sys.stdout.flush()
        shutil.rmtree(folder, ignore_errors=True)
    print("%d programs, %d failed" % (len(names), len(failed)))
    return 1 if failed or not names else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
