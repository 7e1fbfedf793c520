"""The own tests of libraries of TensorFlow 1.x on Weft and on TensorFlow 1.15.5: library_tests.py [NAME…] --weft WEFT --libraries FOLDER --judge PYTHON --judge-libraries FOLDER
--sources FOLDER --results FOLDER [--only TEXT] [--again] [--judge-only] [--write]

FOLDER/NAME holds a library as in libraries.py, SOURCES/NAME the tests of its version from its repository where its package has none. Each file runs in a process of its own, by pytest.
--results keeps what each test did: files that are there are not run again, except with --again on Weft. Only tests that pass in TensorFlow count. --write writes the table in LIBRARIES.md."""

import argparse
import glob
import json
import os
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

HERE = os.path.dirname(os.path.abspath(__file__))

# Library -> (folders on the module path, where the tests are, files left out: they need data from the network, GPUs, notebooks, or take longer than ten minutes)
SUITES = {
    "tfp": (["tfp", "t2tdeps"], ["SOURCES/tfp/tensorflow_probability/python/bijectors", "SOURCES/tfp/tensorflow_probability/python/distributions", "SOURCES/tfp/tensorflow_probability/python/mcmc"], ()),
    "sonnet": (["sonnet", "tfp", "t2tdeps"], ["SOURCES/sonnet/sonnet/python"], ()),
    "edward": (["edward"], ["SOURCES/edward/tests"], ("notebooks", "/data/")),
    "gpflow": (["gpflow"], ["LIBRARY/gpflow/tests"], ("notebooks", "profiling", "test_examples")),
    "keras": (["keras"], ["SOURCES/keras/tests"], ("datasets", "multi_gpu", "documentation", "applications", "integration_tests/imagenet", "test_doc_auto", "/docs/")),
    "tf_slim": (["tfslim"], ["LIBRARY/tfslim/tf_slim"], ()),
    "tflearn": (["tflearn"], ["SOURCES/tflearn/tests"], ()),
}


def files_of(name, options, libraries):
    found = []
    for where in SUITES[name][1]:
        root = where.replace("SOURCES", options.sources).replace("LIBRARY", libraries)
        for path in sorted(glob.glob(os.path.join(root, "**", "*.py"), recursive=True)):
            leaf = os.path.basename(path)
            if (leaf.endswith("_test.py") or leaf.startswith("test_") or "/tflearn/" in path and leaf == "test.py") and not any(part in path for part in SUITES[name][2]):
                found.append((os.path.relpath(path, os.path.dirname(root)), path))
    return [f for f in found if options.only in f[0]]


def run(command, folders, root, path, seconds):
    """{test: "passed" or why not} of a file."""
    out = tempfile.NamedTemporaryFile(suffix=".xml", delete=False).name
    environment = dict(os.environ, PYTHONPATH=os.pathsep.join(os.path.join(root, f) for f in folders + ["deps"]), TF_CPP_MIN_LOG_LEVEL="2", PYTHONHASHSEED="0", PYTHONDONTWRITEBYTECODE="1",
                       CUDA_VISIBLE_DEVICES="", KERAS_BACKEND="tensorflow", OMP_NUM_THREADS="2")
    try:
        done = subprocess.run(command + ["-m", "pytest", "-q", "-p", "no:cacheprovider", "-W", "ignore", "--import-mode=importlib", "--junitxml", out, path], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              env=environment, timeout=seconds, cwd=tempfile.mkdtemp())
    except subprocess.TimeoutExpired:
        return {"the file": "more than %d seconds" % seconds}
    found = {}
    try:
        for case in xml.etree.ElementTree.parse(out).getroot().iter("testcase"):
            bad = [c for c in case if c.tag in ("failure", "error", "skipped")]
            found[case.get("classname", "").rpartition(".")[2] + "." + case.get("name")] = "passed" if not bad else bad[0].tag + ": " + (bad[0].get("message") or bad[0].text or "")[:600]
    except (OSError, xml.etree.ElementTree.ParseError):
        pass
    os.unlink(out)
    return found or {"the file": (done.stdout.decode("utf-8", "replace").strip().splitlines() or ["no output"])[-1]}


def results(name, who, command, folders, libraries, options, again):
    """File -> {test: what it did}, from the folder of results or by running."""
    store = os.path.join(options.results, "%s.%s.json" % (name, who))
    known = {}
    if os.path.exists(store):
        with open(store) as f:
            known = json.load(f)
    for shown, path in files_of(name, options, libraries):
        if shown not in known or again:
            known[shown] = run(command, folders, libraries, path, options.seconds)
            with open(store, "w") as f:
                json.dump(known, f, indent=0, sort_keys=True)
    return known


def summary(name, options):
    folders = SUITES[name][0]
    theirs = results(name, "judge", [options.judge], folders, options.judge_libraries, options, False)
    ours = results(name, "weft", [options.weft, "py"], folders, options.libraries, options, options.again)
    good, both = 0, 0
    for shown, cases in sorted(theirs.items()):
        for case, what in sorted(cases.items()):
            if what != "passed":
                continue
            good += 1
            mine = ours.get(shown, {}).get(case, "not run: " + "; ".join(v for v in ours.get(shown, {}).values() if v != "passed")[:150])
            both += mine == "passed"
            if mine != "passed" and options.only in shown:
                print("%s %s %s: %s" % (name, shown, case, mine.replace("\n", " ")[:options.width]))
    print("%s: %d files, %d tests pass in TensorFlow, %d of them in Weft" % (name, len(theirs), good, both))
    return len(theirs), good, both


def write(rows):
    """Puts the rows into the table of tests in LIBRARIES.md."""
    path = os.path.join(HERE, "LIBRARIES.md")
    with open(path) as f:
        text, _, old = f.read().partition("\n## Their own tests\n")
    for line in old.splitlines():
        words = [w.strip() for w in line.split("|")]
        if len(words) > 4 and words[1] in SUITES and words[1] not in rows:
            rows[words[1]] = line
    with open(path, "w") as f:
        f.write(text.rstrip("\n") + "\n\n## Their own tests\n\nWritten by `tests/interop/library_tests.py --write`: tests that pass in TensorFlow 1.15.5, and how many of these pass under `weft py`.\n\n"
                "| library | files | pass in TensorFlow | of these in Weft |\n|---|---|---|---|\n" + "\n".join(rows[n] for n in SUITES if n in rows) + "\n")


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("names", nargs="*")
    arguments.add_argument("--weft", default=os.path.join(HERE, "../../build/release/bin/weft"))
    for option in ("--judge", "--libraries", "--judge-libraries", "--sources", "--results"):
        arguments.add_argument(option, required=True)
    arguments.add_argument("--only", default="")
    arguments.add_argument("--seconds", type=int, default=600)
    arguments.add_argument("--width", type=int, default=300)
    arguments.add_argument("--again", action="store_true")
    arguments.add_argument("--judge-only", action="store_true")
    arguments.add_argument("--write", action="store_true")
    options = arguments.parse_args()
    options.weft = os.path.abspath(options.weft)
    os.makedirs(options.results, exist_ok=True)
    if options.judge_only:
        for name in options.names or SUITES:
            results(name, "judge", [options.judge], SUITES[name][0], options.judge_libraries, options, False)
        return
    rows = {}
    for name in options.names or SUITES:
        files, good, both = summary(name, options)
        rows[name] = "| %s | %d | %d | %d |" % (name, files, good, both)
        sys.stdout.flush()
    if options.write:
        write(rows)


main()
