"""Runs each program of this folder under the doctor (`weft py --doctor-json`), with its fault and without it: doctor_test.py [-j N] [--all] [PATTERN…].

A comment `# finds: CODE…` marks the line that a finding has to name. Without the fault nothing but notes may be found.
--all: the programs of the folder above as well, which have no fault.
"""

import concurrent.futures
import fnmatch
import json
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
LIMIT = 120
# Programs of the folder above that have a fault on purpose.
FAULTY = {
    "EX_092_layers_batch_norm.py": {"updates-not-run"},  # shows what happens without them
    "EX_101_stop_gradient_3.py": {"gradient-blocked"},  # stop_gradient cuts the variable off
    "EX_177_profile_context.py": {"constant-weights", "gradient-explodes", "weights-explode", "loss-not-finite"},  # its steps diverge
}


def findings(bootstrap, program, how=None):
    """(the doctor's object, standard error) of a run; the object is None if it wrote none."""
    with tempfile.TemporaryDirectory() as folder:
        path, here = os.path.join(folder, "found.json"), os.path.join(folder, "here")
        os.mkdir(here)
        environment = dict(os.environ, PYTHONPATH=os.path.dirname(HERE))
        run = subprocess.run([sys.executable, bootstrap, "--doctor-json", path, program] + ([how] if how else []), cwd=here, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, timeout=LIMIT)
        text = run.stderr.decode(errors="replace")
        if not os.path.exists(path):
            return None, text
        with open(path, encoding="utf-8") as f:
            return json.load(f), text


def wrong(bootstrap, name):
    """What is wrong with the doctor's findings of a program, as lines."""
    path = os.path.join(HERE, name)
    with open(path, encoding="utf-8") as f:
        lines = f.read().split("\n")
    wanted = [(code, n + 1) for n, line in enumerate(lines) for found in re.findall(r"# finds: (.+)", line) for code in found.split()]
    out = [] if wanted else ["%s marks no line" % name]
    sick, text = findings(bootstrap, path, "sick")
    sound, sound_text = findings(bootstrap, path, "sound")
    if sick is None or sound is None:
        return ["%s: no findings were written: %s" % (name, text if sick is None else sound_text)]
    if "Traceback" in sound_text:
        out.append("%s fails: %s" % (name, sound_text))
    sick, sound = sick["findings"], sound["findings"]
    for code, line in wanted:
        places = ["%s:%d" % (os.path.basename(f.get("file", "")), f.get("line", 0)) for f in sick if f["code"] == code]
        if not places:
            out.append("%s: %s is not found, but %s" % (name, code, sorted({f["code"] for f in sick})))
        elif "%s:%d" % (name, line) not in places:
            out.append("%s: %s names %s in place of line %d" % (name, code, places, line))
    return out + alarms(name, sound)


def alarms(name, found):
    return ["%s: a false alarm: %s: %s | %s" % (name, f["code"], f["title"], f["detail"]) for f in found
            if f["weight"] != "note" and f["code"] not in FAULTY.get(name, ())]


def sound_program(bootstrap, name):
    """(failures, trainings, training steps) of a program of the folder above."""
    said, text = findings(bootstrap, os.path.join(os.path.dirname(HERE), name))
    if said is None:
        return ["%s: no findings were written: %s" % (name, text)], 0, 0
    return alarms(name, said["findings"]), said["trainings"], said["steps"]


def main(arguments):
    import weft

    bootstrap = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(weft.__file__))), "bootstrap.py")
    jobs = 2
    if arguments[:1] == ["-j"]:
        jobs, arguments = int(arguments[1]), arguments[2:]
    others = []
    if arguments[:1] == ["--all"]:
        others, arguments = sorted(n for n in os.listdir(os.path.dirname(HERE)) if n.startswith("EX_")), arguments[1:]
    names = sorted(n for n in os.listdir(HERE) if n.endswith(".py") and n not in ("doctor_test.py", "parts.py"))
    if arguments:
        names, others = ([n for n in all_of if any(fnmatch.fnmatch(n, "*%s*" % a) for a in arguments)] for all_of in (names, others))
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        found = [line for lines in pool.map(lambda n: wrong(bootstrap, n), names) for line in lines]
        sound = list(pool.map(lambda n: sound_program(bootstrap, n), others))
    found += [line for lines, _, _ in sound for line in lines]
    for line in found:
        print("FAILED " + line)
    if others:
        print("%d programs without a fault, %d of which train, %d training steps" % (len(others), sum(t > 0 for _, t, _ in sound), sum(n for _, _, n in sound)))
    print("%d programs with a fault and without it, %d failures" % (len(names), len(found)))
    return 1 if found or not names else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
