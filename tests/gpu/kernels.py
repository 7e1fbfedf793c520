"""Compares the GPU kernels of Weft with those that TensorFlow 1.15.5 registers (tests/golden/gpu_kernels.tsv).

    weft py tests/gpu/kernels.py            # fails if something is missing, or differs, without a reason in reasons.tsv
    weft py tests/gpu/kernels.py --write    # also writes KERNELS.md

Each line of gpu_kernels.tsv is an op; kernels are separated by `|`, in each column: attributes with their types, the arguments in host memory, and whether it computes on the device, has all
arguments on the host, or is for every device.
"""
import collections
import json
import os
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
GOLDEN = HERE.parent / "golden" / "gpu_kernels.tsv"
NAMES = {"half": "float16", "float": "float32", "double": "float64"}  # as Weft calls them
OBJECTS = {"resource", "variant", "string"}  # in host memory on every device

Kernel = collections.namedtuple("Kernel", "types host")  # {attribute: types}, arguments in host memory


def named(types):
    return frozenset(NAMES.get(t, t) for t in types.split(","))


def tensorflow_kernels():
    ops = {}
    for line in GOLDEN.read_text().splitlines():
        if line.startswith("#"):
            continue
        op, constraints, host, _ = line.split("\t")
        kernels = []
        for types, arguments in zip(constraints.split("|"), host.split("|")):
            parts = [] if types == "-" else [p.split("=") for p in types.split(";")]
            kernels.append(Kernel({a: named(t) for a, t in parts}, frozenset() if arguments == "-" else frozenset(arguments.split(","))))
        ops[op] = kernels
    return ops


def weft_ops():
    out = subprocess.run([os.environ.get("WEFT", "weft"), "ops", "--json"], env=dict(os.environ, WEFT_GPU="host"), stdout=subprocess.PIPE, check=True).stdout
    return {op["name"]: op for op in json.loads(out)}


def first_that_fits(kernels, choice):
    """The kernel that is chosen for these types of attributes, as both registries do: the first whose constraints allow them."""
    for k in kernels:
        if all(t in k.types[a] for a, t in choice.items() if a in k.types):
            return k
    return None


def compare(wanted, op):
    """What differs, as {what: attribute types}."""
    here = [Kernel({a: frozenset(t) for a, t in k["types"].items()}, frozenset(a for a in k["host_memory"] if a[0] != "(")) for k in op["kernels"] if k["device"] == "GPU"]
    on_cpu = [Kernel({a: frozenset(t) for a, t in k["types"].items()}, frozenset()) for k in op["kernels"] if k["device"] == "CPU"]
    objects = {a["name"] for a in op["inputs"] + op["outputs"] if a["type"] in OBJECTS or a["type"].startswith("Ref(string")}
    allowed = {a["name"]: set(a["allowed"].split(", ")) for a in op["attrs"] if a["type"] in ("type", "list(type)") and "allowed" in a}
    missing, placed = collections.Counter(), collections.Counter()
    for k in wanted:
        attributes = sorted(k.types)
        # One attribute at a time, with the others at a type that both have: lists of types are independent but for Cast's, which are all there.
        for attribute in attributes or [None]:
            for t in sorted(k.types[attribute]) if attribute else ["all types"]:
                if attribute in allowed and t not in allowed[attribute]:
                    continue  # Weft's op follows the registered op, which the kernel exceeds
                choice = {a: min(k.types[a] & allowed.get(a, k.types[a]) or k.types[a]) for a in attributes}
                if attribute:
                    choice[attribute] = t
                if first_that_fits(wanted, choice) is not k:
                    continue
                found = first_that_fits(here, choice)
                if found is None:
                    if first_that_fits(on_cpu, choice) is None and on_cpu:
                        continue  # nowhere here
                    missing[t] += 1
                elif (found.host - objects) != (k.host - objects) and t not in OBJECTS:
                    placed["%s: %s, TensorFlow: %s" % (t, ", ".join(sorted(found.host - objects)) or "none", ", ".join(sorted(k.host - objects)) or "none")] += 1
    return sorted(missing), sorted(placed)


def reasons():
    out = {}
    for line in (HERE / "reasons.tsv").read_text().splitlines():
        if line and not line.startswith("#"):
            what, reason = line.split("\t")
            for op in what.split():
                out[op] = reason
    return out


def shown(types):
    return ", ".join(sorted(types))


def main():
    wanted, ops, why = tensorflow_kernels(), weft_ops(), reasons()
    rows, complaints, used = [], [], set()
    whole = part = none = unknown = 0
    for op in sorted(wanted):
        types = " / ".join("; ".join("%s: %s" % (a, shown(t)) for a, t in sorted(k.types.items())) or "all" for k in wanted[op])
        reason = why.get(op, "")
        if reason:
            used.add(op)
        if op not in ops:
            unknown += 1
            state = "not an op of Weft"
            wrong = True
        else:
            has = any(k["device"] == "GPU" for k in ops[op]["kernels"])
            missing, placed = compare(wanted[op], ops[op])
            wrong = bool(missing or placed)
            state = "all" if has and not missing else "without " + ", ".join(missing) if has else "none"
            if placed:
                state += "; arguments on the host: " + "; ".join(placed)
            whole += has and not missing
            part += bool(has and missing)
            none += not has
        if wrong and not reason:
            complaints.append("%s: %s" % (op, state))
        if reason and not wrong:
            complaints.append("%s: has all kernels, but reasons.tsv says why not" % op)
        rows.append("| %s | %s | %s | %s |" % (op, types, state, reason))
    complaints += ["reasons.tsv names %s, which TensorFlow has no GPU kernel for" % op for op in sorted(set(why) - used)]
    print("\n".join(complaints))
    summary = "%d ops have GPU kernels in TensorFlow 1.15.5. Here %d of them have all, %d some and %d none; %d are no ops of Weft." % (len(wanted), whole, part, none, unknown)
    print(summary)
    if "--write" in sys.argv[1:]:
        head = ("# GPU kernels\n\nWritten by `weft py tests/gpu/kernels.py --write`; the test `gpu_kernels` compares. `/` separates kernels with other arguments in host memory.\n\n%s\n\n"
                "| op | TensorFlow's types | here | reason |\n|---|---|---|---|\n" % summary)
        (HERE / "KERNELS.md").write_text(head + "\n".join(rows) + "\n")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
