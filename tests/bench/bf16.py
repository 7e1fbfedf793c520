#!/usr/bin/env python3
"""bf16.py WORKLOADS EXAMPLES [--weft PROGRAM] [--rounds N] [--seconds S] [--only NAME…]: writes BF16.md.

Speed: each workload with --precision float32 and bf16, a process each, in turn; medians of the rounds' median step times. Band: documents of EXAMPLES
(share/weft/examples) trained in both precisions from one seed; how far their smoothed losses and the last accuracy are apart."""
import argparse
import datetime
import glob
import os
import re
import statistics
import struct
import tempfile

from measuring import found, processor, said, workloads

HERE = os.path.dirname(os.path.abspath(__file__))
TRAININGS = (("lenet-digits", 200), ("resnet-digits", 100), ("lstm-text", 100))
EVERY = 5  # steps from one recorded loss to the next
SMOOTHING = 0.9  # of the exponential means of losses


def step_times(weft, bench, rounds, seconds):
    """Step times in ms, float32 and bf16."""
    times = {"float32": [], "bf16": []}
    for _ in range(rounds):
        for precision, so_far in times.items():
            so_far.append(found([weft, "bench", bench, "--precision", precision, "--seconds", str(seconds), "--json"])["step_ms_median"])
    return [statistics.median(t) for t in times.values()]


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        value |= (byte & 127) << shift
        at, shift = at + 1, shift + 7
        if byte < 128:
            return value, at


def fields(data):
    """(number, value) of a protocol buffer's fields; values are numbers or bytes."""
    at = 0
    while at < len(data):
        key, at = varint(data, at)
        kind = key & 7
        if kind == 0:
            value, at = varint(data, at)
        else:
            size = {1: 8, 5: 4}.get(kind)
            if size is None:
                size, at = varint(data, at)
            value, at = data[at:at + size], at + size
        yield key >> 3, value


def losses(folder):
    """The losses in the event files of a folder, by step."""
    out = {}
    for path in glob.glob(os.path.join(folder, "events.*")):
        with open(path, "rb") as file:
            while header := file.read(12):
                event = dict(fields(file.read(struct.unpack("<Q", header[:8])[0])))
                file.read(4)
                for number, value in fields(event.get(5, b"")):
                    parts = dict(fields(value)) if number == 1 else {}
                    if parts.get(1) in (b"loss", b"total_loss") and 2 in parts:
                        out[event.get(2, 0)] = struct.unpack("<f", parts[2])[0]
    return [out[step] for step in sorted(out)]


def smoothed(values):
    out, mean, weight = [], 0.0, 0.0
    for v in values:
        mean, weight = SMOOTHING * mean + (1 - SMOOTHING) * v, SMOOTHING * weight + 1 - SMOOTHING
        out.append(mean / weight)
    return out


def training(weft, document, steps, precision):
    """Smoothed losses of every fifth step, and the accuracy of the last evaluation in percent (none: None)."""
    with tempfile.TemporaryDirectory() as folder:
        text = said([weft, "train", document, "--steps", str(steps), "--precision", precision, "--set", "seed=3", "--set", "summary_every_steps=%d" % EVERY, "--logdir", folder])
        accuracy = re.findall(r"accuracy ([\d.]+) %", text)
        return smoothed(losses(folder)), float(accuracy[-1]) if accuracy else None


def speed_row(weft, folder, name, rounds, seconds):
    exact, mixed = step_times(weft, os.path.join(folder, name, "bench.json"), rounds, seconds)
    return "| %s | %.1f | %.1f | %.2f× |" % (name, 1000 / exact, 1000 / mixed, exact / mixed)


def training_row(weft, folder, name, steps):
    document = os.path.join(folder, name + ".weft")
    (exact, right), (mixed, also) = (training(weft, document, steps, p) for p in ("float32", "bf16"))
    apart = max(abs(a - b) for a, b in zip(exact, mixed)) / exact[0]
    percent = ["%.1f %%" % a if a is not None else "" for a in (right, also)]
    return "| %s | %d | %.4f | %.4f | %.2f %% | %s | %s |" % (name, steps, exact[-1], mixed[-1], 100 * apart, *percent)


def write(weft, rounds, seconds, speeds, trainings):
    lines = ["# Products of bfloat16 beside float32", "",
             "Made by `bf16.py`. `--precision bf16` rounds the operands of matrix products and convolutions to bfloat16 and adds up in float32.", "",
             "- %s, %s, %d cores" % (datetime.date.today(), processor(), os.cpu_count()), "- %s" % said([weft, "--version"]).strip(), "",
             "## Steps", "",
             "The workloads' training steps, a process for each precision in turn, %d rounds of %g s; medians." % (rounds, seconds), "",
             "| workload | float32 steps/s | bf16 steps/s | faster |", "|---|---|---|---|", *speeds, "", "## Trainings", "",
             "From one seed. Every fifth loss, smoothed by exponential means (%g). The largest difference over all of them is a share of the first loss." % SMOOTHING, "",
             "| training | steps | last loss float32 | bf16 | largest difference | accuracy float32 | bf16 |", "|---|---|---|---|---|---|---|", *trainings]
    with open(os.path.join(HERE, "BF16.md"), "w") as file:
        file.write("\n".join(lines) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("workloads")
    parser.add_argument("examples")
    parser.add_argument("--weft", default=os.path.join(HERE, "../../build/release/bin/weft"))
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=1)
    parser.add_argument("--only", nargs="*")
    args = parser.parse_args()
    speeds, trainings = [], []
    for name in workloads(args.workloads, args.only):
        speeds.append(speed_row(args.weft, args.workloads, name, args.rounds, args.seconds))
        print(speeds[-1], flush=True)
    for name, steps in TRAININGS:
        trainings.append(training_row(args.weft, args.examples, name, steps))
        print(trainings[-1], flush=True)
    write(args.weft, args.rounds, args.seconds, speeds, trainings)


if __name__ == "__main__":
    main()
