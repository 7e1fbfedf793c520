#!/usr/bin/env python3
"""`weft bench --against`, with stand-ins for the other engine: a comparison that works, and every way in which one cannot be made.

    python3 against.py WEFT [--engine NAME=PYTHON …] [--workloads FOLDER]

A stand-in is a module named onnxruntime, which computes what a test needs, differs, fails, ends or hangs. With --engine, the real engine of that Python runs
the workloads of FOLDER (the output of make_bench.py, or of tests/bench/families.py write) instead; ctest does not, because engines are large.
"""
import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
import unittest

GRAPH = """
node { name: "x" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } } attr { key: "shape" value { shape { dim { size: 4 } } } } }
node { name: "two" op: "Const" attr { key: "dtype" value { type: DT_FLOAT } }
       attr { key: "value" value { tensor { dtype: DT_FLOAT tensor_shape { } float_val: 2 } } } }
node { name: "y" op: "Mul" input: "x" input: "two" attr { key: "T" value { type: DT_FLOAT } } }
versions { producer: 27 }
"""
TRAINING = GRAPH + """
node { name: "v" op: "VariableV2" attr { key: "dtype" value { type: DT_FLOAT } } attr { key: "shape" value { shape { dim { size: 4 } } } } }
node { name: "start" op: "Assign" input: "v" input: "two4" attr { key: "T" value { type: DT_FLOAT } } }
node { name: "two4" op: "Const" attr { key: "dtype" value { type: DT_FLOAT } }
       attr { key: "value" value { tensor { dtype: DT_FLOAT tensor_shape { dim { size: 4 } } float_val: 2 } } } }
node { name: "update" op: "AssignAdd" input: "v" input: "y" attr { key: "T" value { type: DT_FLOAT } } }
"""
UNKNOWN = GRAPH.replace("dim { size: 4 }", "dim { size: -1 } dim { size: -1 }")

STAND_IN = """
import os, sys, time
__version__ = "0.0"
class SessionOptions: pass
class InferenceSession:
    def __init__(self, model, options, providers):
        assert open(model, "rb").read(), "no model"
        self.calls = 0
    def get_inputs(self):
        return [type("Input", (), {"name": "input0"})]
    def run(self, outputs, feeds):
        assert outputs == ["output0"], outputs
        self.calls += 1
        %s
        return [feeds["input0"] * 2]
"""


def stand_in(folder, body="pass"):
    """An environment whose Python finds an onnxruntime that does `body` in each step."""
    with open(os.path.join(folder, "onnxruntime.py"), "w") as f:
        f.write(STAND_IN % body)
    return dict(os.environ, PYTHONPATH=folder)


class Against(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.folder = self.temporary.name
        self.addCleanup(self.temporary.cleanup)

    def graph(self, text=GRAPH):
        path = os.path.join(self.folder, "g.pbtxt")
        with open(path, "w") as f:
            f.write(text)
        return path

    def bench(self, *words, env=None):
        command = [WEFT, "bench", *words]
        return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=env, timeout=100)

    def against(self, body="pass", *words, text=GRAPH, python=sys.executable):
        return self.bench(self.graph(text), "--against", "ort", "--python", python, "--rounds", "2", "--seconds", "0.02", *words, env=stand_in(self.folder, body))

    def refuses(self, done, *said):
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertEqual(len(done.stderr.strip().splitlines()), 1, done.stderr)
        for words in said:
            self.assertIn(words, done.stderr)
        self.assertEqual(done.stdout, "")

    def test_both_engines_are_measured_in_turn(self):
        done = self.against("pass", "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        found = json.loads(done.stdout)
        self.assertEqual(found["other"]["engine"], "onnxruntime 0.0")
        for side in ("weft", "other"):
            self.assertEqual(len(found[side]["round_medians"]), 2)
            self.assertGreaterEqual(found[side]["steps"], 10)
            self.assertLessEqual(found[side]["step_ms_min"], found[side]["step_ms_median"])
        self.assertAlmostEqual(found["ratio"], found["other"]["step_ms_median"] / found["weft"]["step_ms_median"])
        self.assertEqual(found["largest_difference"], 0)
        self.assertIn("random values are fed to x:0 [4]", found["notes"])

    def test_the_table_says_both_times(self):
        done = self.against()
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("onnxruntime 0.0", done.stdout)
        self.assertIn("ort / weft: ", done.stdout)

    def test_different_results_are_not_timed(self):
        self.refuses(self.against("return [feeds['input0'] * 3]"), "results differ: y:0 of step 1")
        self.refuses(self.against("return [feeds['input0'] * (2 if self.calls < 4 else float('nan'))]"), "results differ: y:0 of step 4")
        self.refuses(self.against("return [feeds['input0'][:2]]"), "has the shape [4], by ONNX Runtime [2]")

    def test_a_wider_tolerance_is_obeyed(self):
        self.assertEqual(self.against("return [feeds['input0'] * 2.1]", "--tolerance", "0.1").returncode, 0)

    def test_no_module(self):
        with open(os.path.join(self.folder, "onnxruntime.py"), "w") as f:
            f.write("raise ModuleNotFoundError(name='onnxruntime')")
        done = self.bench(self.graph(), "--against", "ort", "--python", sys.executable, env=dict(os.environ, PYTHONPATH=self.folder))
        self.refuses(done, "it has no module onnxruntime", "-m pip install onnxruntime")

    def test_no_python(self):
        self.refuses(self.against(python="/nowhere/python"), "/nowhere/python: there is no such program; --python names a Python")

    def test_an_engine_that_fails_or_ends(self):
        self.refuses(self.against("raise ValueError('out of\\npaint')"), "ONNX Runtime: ValueError: out of paint")
        self.refuses(self.against("print('last words', file=sys.stderr); os._exit(3)"), "ONNX Runtime: its process ended with status 3: last words")
        self.refuses(self.against("os.kill(os.getpid(), 9)"), "ended by signal 9")

    def test_what_an_engine_prints_is_no_answer(self):
        self.assertEqual(self.against("print('{}'); os.system('echo {}')").returncode, 0)

    def test_a_hanging_engine_is_ended_by_an_interrupt(self):
        pid = os.path.join(self.folder, "pid")
        env = stand_in(self.folder, "file = open(%r, 'w'); file.write(str(os.getpid())); file.close(); time.sleep(600)" % pid)
        command = [WEFT, "bench", self.graph(), "--against", "ort", "--python", sys.executable]
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=env)
        for _ in range(600):
            if os.path.exists(pid) and os.path.getsize(pid):
                break
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(20), 130)
        with self.assertRaises(ProcessLookupError):
            with open(pid) as f:
                os.kill(int(f.read()), 0)

    def test_nothing_is_left_in_the_temporary_folder(self):
        os.mkdir(os.path.join(self.folder, "tmp"))
        env = dict(stand_in(self.folder), TMPDIR=os.path.join(self.folder, "tmp"))
        self.bench(self.graph(), "--against", "ort", "--python", sys.executable, "--rounds", "1", "--seconds", "0.01", env=env)
        self.assertEqual(os.listdir(os.path.join(self.folder, "tmp")), [])

    def test_training_on_an_engine_for_inference(self):
        self.refuses(self.against("pass", "--fetch", "y:0", "--target", "update", "--init", "start", text=TRAINING),
                     "update: AssignAdd changes a variable, and ONNX Runtime runs no training steps")

    def test_variables_become_constants(self):
        done = self.against("return [feeds['input0'] * 2]", "--fetch", "y:0", "--init", "start", text=TRAINING)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_an_unknown_shape_is_asked_for(self):
        self.refuses(self.against(text=UNKNOWN), "x: its shape is [?,?]; --feed x:0=", "--shape x:0=")
        self.assertEqual(self.against("pass", "--shape", "x=3,5", text=UNKNOWN).returncode, 0)
        self.refuses(self.against("pass", "--shape", "x=3,q", text=UNKNOWN), "--shape x=3,q: expected TENSOR=1,224,224,3")
        self.refuses(self.against("pass", "--shape", "x=3,-5", text=UNKNOWN), "expected TENSOR=1,224,224,3")

    def test_wrong_usage(self):
        for words, said in ((("--against", "mxnet"), "expected one of tf, torch, jax, openvino, ort, litert"),
                            (("--against", "ort", "--sessions", "2"), "--sessions and --against exclude each other"),
                            (("--against", "ort", "--rounds", "0"), "--rounds")):
            done = self.bench(self.graph(), *words)
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn(said, done.stderr)

    def test_a_graph_alone(self):
        done = self.bench(self.graph(), "--seconds", "0.02", "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(json.loads(done.stdout)["name"], "g.pbtxt")


def real_engines(engines, folder):
    """Each workload beside each engine; returns how many could not be compared."""
    failed = 0
    for engine, python in engines:
        for name in sorted(os.listdir(folder)):
            command = [WEFT, "bench", os.path.join(folder, name, "bench.json"), "--against", engine, "--python", python, "--rounds", "1", "--seconds", "0.1", "--json"]
            done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            failed += done.returncode != 0
            print(engine, name, "agrees to %.1e" % json.loads(done.stdout)["largest_difference"] if done.returncode == 0 else done.stderr.strip(), flush=True)
    return failed


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("weft")
    parser.add_argument("--engine", action="append", default=[], metavar="NAME=PYTHON")
    parser.add_argument("--workloads")
    args = parser.parse_args()
    WEFT = os.path.abspath(args.weft)
    if args.engine:
        sys.exit(1 if real_engines([word.split("=", 1) for word in args.engine], args.workloads) else 0)
    unittest.main(argv=[sys.argv[0]])
