#!/usr/bin/env python3
"""failing_calls.py WEFT LIBRARY GOLDEN [--most N] [--memory N] [COMMAND…]: makes each call of the commands fail that opens, reads, writes, syncs, renames or
closes a file or creates a folder, and in `run` and `train` each memory request: one call per run. If a command makes more than N calls of a kind, N of them
fail, evenly spread (a quarter of that for the window, which takes a second each time). A command must either end with status 1 and a one-line message that
says what failed, or with 0 after completing normally. Files that it replaces are the old or the new ones, nothing of its own is left beside them, and its
earlier output is intact. LIBRARY is built from failing_calls.cpp."""

import errno
import os
import shutil
import subprocess
import sys
import tempfile

KINDS = {"open": errno.EMFILE, "read": errno.EIO, "write": errno.ENOSPC, "sync": errno.EIO, "rename": errno.EACCES, "close": errno.EIO, "folder": errno.EACCES,
         "memory": errno.ENOMEM}
GRAPH = """node { name: "x" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } } attr { key: "shape" value { shape { dim { size: -1 } } } } }
node { name: "two" op: "Const" attr { key: "dtype" value { type: DT_FLOAT } } attr { key: "value" value { tensor { dtype: DT_FLOAT tensor_shape {} float_val: 2 } } } }
node { name: "y" op: "Mul" input: "x" input: "two" attr { key: "T" value { type: DT_FLOAT } } }
"""


class Command:
    def __init__(self, name, words, outputs=(), volatile=(), script=None):
        self.name, self.words = name, words.split()  # @ stands for the folder
        self.script = script  # commands for the window, run instead of the command line program
        self.outputs = outputs  # files that it replaces: old or new afterwards
        self.volatile = volatile  # file name prefixes whose contents differ from run to run, or that grow

    def program(self):
        return "weft-studio" if self.script else "weft"


def commands():
    return [
        Command("run", "run @g.pbtxt --feed x=[1,2] --fetch y --out @out.json", ["out.json"]),
        Command("run-npz", "run @g.pbtxt --feed @feeds.npz --fetch y --out @out.npz", ["out.npz"]),
        Command("convert", "convert @g.pbtxt @g.pb", ["g.pb"]),
        Command("convert-v1", "convert @ref @old --to v1", ["old"]),
        Command("convert-v2", "convert @v1_plain @v2 --to v2", [], ["v2."]),
        Command("freeze", "convert @ref.meta @frozen.pb --to frozen --restore @ref --outputs cell/w/read", ["frozen.pb"]),
        Command("savedmodel", "convert @ref.meta @model --to savedmodel --restore @ref", [], ["model"]),
        Command("convert-tflite", "convert @g.pbtxt @g.tflite --input x --output y", ["g.tflite"]),
        Command("convert-onnx", "convert @g.pbtxt @g.onnx --input x --output y", ["g.onnx"]),
        Command("convert-npz", "convert @ref @all.npz", ["all.npz"]),
        Command("convert-wav", "convert @feeds.npz @x.wav --rate 8000", ["x.wav"]),
        Command("projector", "convert @ref @projector --to projector --array cell/w", [], ["projector"]),
        Command("dump", "run @g.pbtxt --feed x=[1,2] --fetch y --out @out.json --dump @dump", ["out.json"], ["dump"]),
        Command("pprof", "profile @run_metadata.pb --out @t.pprof", ["t.pprof"]),
        Command("tfprof", "profile @run_metadata.pb --out @t.profile", ["t.profile"]),
        Command("inspect", "inspect @ref --json"),
        Command("inspect-records", "inspect @examples.gz --json"),
        Command("inspect-events", "inspect @events --json"),
        Command("diff", "diff @ref @ref"),
        Command("train", "train @mlp.weft --steps 3 --logdir @runs --checkpoint @runs --threads 1", [], ["runs"]),
        # The script waits while the recovery journal is written. A failure to write it is only a warning.
        Command("studio-save", "", ["mlp.weft"], ["recovery"],
                "file.open @mlp.weft|wait idle|graph.add Relu --name one|graph.add Relu --name two|wait 0.4|graph.delete two|wait 0.4|file.save|wait idle|print document|quit"),
        Command("studio-export", "", ["out.pb"], ["recovery"], "file.open @g.pbtxt|wait idle|graph.set two value=3|wait idle|file.save @out.pb|wait idle|print document|quit"),
        Command("studio-train", "", [], ["recovery", "mlp-runs"], "file.open @mlp.weft|wait idle|run.train --steps 3|wait idle|print document|quit"),
    ]


def prepare(folder, golden, examples):
    os.makedirs(folder)
    with open(os.path.join(folder, "g.pbtxt"), "w") as f:
        f.write(GRAPH)
    for pattern in ("files/frozen/ref.index", "files/frozen/ref.data-00000-of-00001", "files/frozen/ref.meta", "files/checkpoints/v1_plain", "files/tfrecord/examples.gz",
                    "files/profiles/run_metadata.pb"):
        shutil.copy(os.path.join(golden, pattern), folder)
    shutil.copytree(os.path.join(golden, "files/events/v1_kinds/train"), os.path.join(folder, "events"))
    shutil.copy(os.path.join(examples, "mlp.weft"), folder)
    import numpy

    numpy.savez(os.path.join(folder, "feeds.npz"), **{"x:0": numpy.ones(2, numpy.float32)})


def snapshot(folder):
    out = {}
    for root, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(root, name)
            with open(path, "rb") as f:
                out[os.path.relpath(path, folder)] = f.read()
    return out


class Judge:
    def __init__(self, weft, library, golden, work):
        self.weft, self.library, self.work = weft, library, work
        self.template = os.path.join(work, "template")
        prepare(self.template, golden, os.path.join(os.path.dirname(os.path.dirname(weft)), "share/weft/examples"))
        self.findings = []

    def run(self, command, fault, before):
        """Runs it in a fresh folder; returns (status, stdout, error lines, number of calls of that kind, files afterwards)."""
        folder = os.path.join(self.work, "now")
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(self.template, folder)
        for name, content in before.items():
            with open(os.path.join(folder, name), "wb") as f:
                f.write(content)
        count = os.path.join(self.work, "count")
        if os.path.exists(count):
            os.unlink(count)
        words = [self.weft] + [w.replace("@", folder + "/") for w in command.words]
        environment = dict(os.environ, LD_PRELOAD=self.library, WEFT_FAULT=fault, WEFT_FAULT_FOLDER=folder, WEFT_FAULT_COUNT=count)
        if command.script:
            script = os.path.join(self.work, "script")
            with open(script, "w") as f:
                f.write(command.script.replace("@", folder + "/").replace("|", "\n") + "\n")
            words = [os.path.join(os.path.dirname(self.weft), "weft-studio"), "--script", script]
            environment.update(QT_QPA_PLATFORM="offscreen", WEFT_RECOVERY=os.path.join(folder, "recovery"), XDG_RUNTIME_DIR=self.work, HOME=self.work)
        try:
            done = subprocess.run(words, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60)
            status, out, err = done.returncode, done.stdout.decode("utf-8", "replace").replace(folder, "F"), done.stderr.decode("utf-8", "replace")
        except subprocess.TimeoutExpired:
            status, out, err = "hang", "", ""
        calls = int(open(count).read() or 0) if os.path.exists(count) else 0
        return status, out, err, calls, snapshot(folder)

    def complain(self, command, fault, text):
        self.findings.append("%s %s: %s" % (command.name, fault, text))
        print(self.findings[-1], flush=True)

    def judge(self, command, fault, outcome, good, old):
        status, out, err, _, files = outcome
        lines = [line for line in err.splitlines() if line.startswith(command.program() + ": ")]
        if status == 2 and command.name == "diff":
            status = 1  # there status 1 means that the inputs differ
        if status not in (0, 1):
            return self.complain(command, fault, "exit status %s: %s" % (status, err.strip()[-200:]))
        if status == 1 and len(lines) != 1:
            return self.complain(command, fault, "status 1 and %d lines of complaint: %s" % (len(lines), err.strip()[-300:]))
        if status == 0 and out != good[1] and '"problems":[{' not in out:
            return self.complain(command, fault, "status 0, but another output than undisturbed: %s" % out[:200])
        for name in set(files) | set(old):
            if any(name.startswith(v) for v in command.volatile):
                if ".tmp" in name or ".tempstate" in name:
                    self.complain(command, fault, "%s was left" % name)
                continue
            allowed = [c for c in (old.get(name), good[4].get(name) if name in command.outputs else None) if c is not None]
            if name not in files:
                if name in old:
                    self.complain(command, fault, "%s is lost" % name)
            elif not allowed:
                self.complain(command, fault, "%s was left" % name)
            elif files[name] not in allowed:
                self.complain(command, fault, "%s is neither the old nor the new one" % name)
            elif status == 0 and name in command.outputs and files[name] != good[4].get(name):
                self.complain(command, fault, "status 0, but %s is not the new one" % name)

    def all(self, command, most, memory):
        before = {name: b"what was there before\n" for name in command.outputs if not name.startswith("v2.") and not os.path.exists(os.path.join(self.template, name))}
        total, seen = 0, 0
        for kind, number in KINDS.items():
            # Libraries that print messages and trees end the program if they get no memory. Computation and training must not.
            limit = (memory if command.name in ("run", "run-npz", "train") else 0) if kind == "memory" else -(-most // 4) if command.script else most
            if limit == 0:
                continue
            good = self.run(command, "%s:-1:0" % kind, before)
            if good[0] != 0:
                return self.complain(command, kind, "undisturbed it ends with %s: %s" % (good[0], good[2][-300:]))
            old = snapshot(self.template)
            old.update(before)
            calls = good[3]
            seen += calls if kind != "memory" else 0
            chosen = range(calls) if calls <= limit else sorted({int(i * calls / limit) for i in range(limit)})
            for n in chosen:
                fault = "%s:%d:%d" % (kind, n, number)
                self.judge(command, fault, self.run(command, fault, before), good, old)
            total += len(chosen)
            print("%s: %s: %d of %d calls failed" % (command.name, kind, len(chosen), calls), flush=True)
        if not seen:
            self.complain(command, "all", "it opened no file that the library saw: nothing was tried")
        return total


def main():
    words, most, memory = [], 60, 40
    arguments = iter(sys.argv[1:])
    for a in arguments:
        if a == "--most":
            most = int(next(arguments))
        elif a == "--memory":
            memory = int(next(arguments))
        else:
            words.append(a)
    weft, library, golden = (os.path.abspath(w) for w in words[:3])
    work = tempfile.mkdtemp()
    try:
        judge, total = Judge(weft, library, golden, work), 0
        for command in commands():
            if command.script and not os.path.exists(os.path.join(os.path.dirname(weft), "weft-studio")):
                continue  # built without the window
            if len(words) == 3 or command.name in words[3:]:
                total += judge.all(command, most, memory) or 0
        print("%d calls failed one at a time, %d findings" % (total, len(judge.findings)))
        return 1 if judge.findings else 0
    finally:
        shutil.rmtree(work, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
