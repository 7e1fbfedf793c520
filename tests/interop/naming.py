"""Compares the results of reference programs with their naming.json, which TensorFlow 1.15.5 produced: output, collections and graphs.

    naming.py PROGRAMS --weft WEFT [--only NAME…]

PROGRAMS: a folder of folders with naming.json ("calls", "want_names", "want_graph", "want_collections") and compare_graph.py beside them. Each runs in a
separate process of app/python/tests/api_graphs.py. Prints one line for each that differs and the number that agree; the exit status is 0 if all agree.
"""
import argparse
import concurrent.futures
import glob
import json
import os
import shutil
import subprocess
import sys
import tempfile


def main():
    p = argparse.ArgumentParser()
    p.add_argument("programs")
    p.add_argument("--only", nargs="*", default=[])
    p.add_argument("--weft", required=True)
    p.add_argument("-j", type=int, default=2)
    a = p.parse_args()
    here = os.path.dirname(os.path.abspath(__file__))
    driver = os.path.join(here, "..", "..", "app", "python", "tests", "api_graphs.py")
    work = tempfile.mkdtemp(prefix="naming.")
    shutil.copy(os.path.join(a.programs, "compare_graph.py"), work)
    names = []
    for path in sorted(glob.glob(os.path.join(a.programs, "*", "naming.json"))):
        name = os.path.basename(os.path.dirname(path))
        if a.only and name not in a.only:
            continue
        with open(path, encoding="utf-8") as f:
            wanted = json.load(f)
        with open(os.path.join(work, name + ".py"), "w", encoding="utf-8") as f:
            f.write("\n".join(wanted["calls"]) + "\n")
        with open(os.path.join(work, name + ".json"), "w", encoding="utf-8") as f:
            json.dump({"shown": wanted["want_names"], "collections": wanted["want_collections"]}, f)
        shutil.copy(os.path.join(os.path.dirname(path), wanted["want_graph"]), os.path.join(work, name + ".pbtxt"))
        names.append(name)

    def one(name):
        done = subprocess.run([os.path.abspath(a.weft), "py", driver, work, name, "--names"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              universal_newlines=True, timeout=300, cwd=work)
        lines = [l for l in done.stdout.split("\n") if l.startswith(name + ":")]
        return None if done.returncode == 0 else lines[0] if lines else "%s: %s" % (name, (done.stdout.strip().split("\n") or [""])[-1])

    good = 0
    with concurrent.futures.ThreadPoolExecutor(a.j) as pool:
        for said in pool.map(one, names):
            good += said is None
            if said:
                print(said, flush=True)
    print("%d of %d agree" % (good, len(names)))
    shutil.rmtree(work, ignore_errors=True)
    return 0 if good == len(names) else 1


if __name__ == "__main__":
    sys.exit(main())
