#!/usr/bin/env python3
"""studio_opens_graphs.py WEFT WEFT_STUDIO PATH…: opens every graph file that parses in all programs that show graphs.

PATH: graph files (GraphDef, MetaGraphDef, SavedModel, binary or text) or folders to search for them. Each is opened in the window (`weft-studio --script`,
offscreen), its problems are printed, and it is saved unchanged under another name: the bytes must be those of the file. `weft inspect` must count its nodes,
`weft convert` draw and print them, `weft diff` compare it with itself. For a file that TensorFlow would refuse, a node must show the reason, and `weft run`
must refuse it. A file that does not parse must give one error.

A PATH that does not exist is reported and skipped: the corpus is not part of the repository.
"""

import json
import os
import subprocess
import sys
import tempfile

SAVED = (".pb", ".pbtxt", ".meta", ".weft")
PLAIN = {"shape", "function", "analysis", "unknown-op", "open-input", "uninitialized", "no-gradient", "unread", "labels-logits", "training-switch", "training-waits", "graph", "unknown-layer", "layer", "updates-not-run", "softmax-twice", "global-step"}


def weft(program, *words):
    done = subprocess.run([program, *words], capture_output=True, timeout=120)
    return done.returncode, done.stdout, done.stderr.decode(errors="replace")


def graph_files(paths, program):
    """Files that `weft inspect` recognizes as graphs, with their kind, node count and error."""
    for path in paths:
        names = [path] if os.path.isfile(path) else [os.path.join(folder, f) for folder, _, files in sorted(os.walk(path)) for f in sorted(files)]
        for name in names:
            if not name.endswith(SAVED) and "graph" not in os.path.basename(name):
                continue
            _, out, _ = weft(program, "inspect", name, "--json")
            report = json.loads(out)
            if report.get("kind") not in ("graphdef", "metagraph", "savedmodel"):
                continue
            bodies = [report] if "graph" in report else report.get("meta_graphs", [])
            yield name, report["kind"], [b["graph"].get("nodes") for b in bodies if "graph" in b], report.get("error")


def quoted(text):
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def look(program, studio, name, kind, counts, error, work):
    """Problems of the programs with one file."""
    wrong = []
    ending = os.path.splitext(name)[1]
    copy = os.path.join(work, "copy" + (ending if ending in SAVED else ".pb"))
    save = "file.save " + quoted(copy) + "\nwait idle\n" if kind != "savedmodel" and ending in SAVED else ""
    script = "file.open " + quoted(name) + "\nwait idle\nprint document\nprint problems\n" + save
    environment = dict(os.environ, QT_QPA_PLATFORM="offscreen", XDG_DATA_HOME=work, XDG_CONFIG_HOME=work)
    done = subprocess.run([studio, "--script", "-"], input=script.encode(), capture_output=True, timeout=300, env=environment)
    lines = [json.loads(line) for line in done.stdout.splitlines() if line]
    unparsed = error and error["kind"] in ("truncated", "malformed", "bad_syntax", "too_deep", "too_large", "unrecognized")
    if unparsed:
        if done.returncode != 1 or not done.stderr.strip():
            wrong.append("does not parse, but the window says nothing")
        return wrong, "refused"
    if done.returncode != 0 or len(lines) < 2:
        return ["the window does not open it: " + done.stderr.decode(errors="replace").strip()[-300:]], "refused"
    document, problems = lines[:2]
    if counts and document["nodes"] != counts[0] and kind != "savedmodel":
        wrong.append("the window shows %s nodes, the file has %s" % (document["nodes"], counts[0]))
    if kind == "savedmodel" and document["nodes"] not in counts:
        wrong.append("the window shows %s nodes, the model's graphs have %s" % (document["nodes"], counts))
    if document["modified"]:
        wrong.append("it counts as modified, though nobody changed it")
    if save and open(copy, "rb").read() != open(name, "rb").read():
        wrong.append("saved unchanged, it has other bytes")
    broken = [p for p in problems if p["code"] not in PLAIN]
    if error and not broken:
        wrong.append("inspect says %s, but no problem is listed" % error["message"])
    if kind != "savedmodel":
        status, out, _ = weft(program, "convert", name, os.path.join(work, "drawn.svg"))
        if status != 0:
            wrong.append("no SVG")
        status, out, _ = weft(program, "convert", name, "-", "--to", "dot")
        if status != 0 or not out.startswith(b"digraph"):
            wrong.append("no DOT")
        for form in ("pb", "pbtxt"):
            if weft(program, "convert", name, os.path.join(work, "form." + form))[0] != 0:
                wrong.append("no " + form)
        status, out, _ = weft(program, "diff", name, name)
        if status != 0:
            wrong.append("it differs from itself: " + out.decode(errors="replace")[:200])
        if broken and weft(program, "run", name)[0] == 0:
            wrong.append("it runs, though %s at %s" % (broken[0]["code"], broken[0]["node"]))
    return wrong, "broken" if broken else "whole"


def main():
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    program, studio, paths = sys.argv[1], sys.argv[2], sys.argv[3:]
    for path in paths:
        if not os.path.exists(path):
            print("skipped: %s is not there" % path)
    paths = [p for p in paths if os.path.exists(p)]
    seen, bad = {"whole": 0, "broken": 0, "refused": 0}, 0
    with tempfile.TemporaryDirectory() as work:
        for name, kind, counts, error in graph_files(paths, program):
            wrong, how = look(program, studio, name, kind, counts, error, work)
            seen[how] += 1
            for sentence in wrong:
                print("%s: %s" % (name, sentence))
            bad += bool(wrong)
    print("%d graphs in order, %d shown with what is wrong, %d do not parse; %d of them not as they should be" % (seen["whole"], seen["broken"], seen["refused"], bad))
    if paths and sum(seen.values()) == 0:
        sys.exit("there is no graph file in " + " ".join(paths))
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
