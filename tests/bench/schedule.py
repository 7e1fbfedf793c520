#!/usr/bin/env python3
"""schedule.py [--weft BIN] [--threads N] WORKLOAD…: predicts the step of each workload (a folder with bench.json) on 1, 2, 4, … N processors, from the times of
its calls on one thread and the dependencies between them, with calls side by side and one by one. Prints a table and writes SCHEDULE.md."""
import argparse
import json
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

from measuring import processor

HERE = Path(__file__).resolve().parent


def explained(weft, folder, threads):
    """The answer of `weft profile --explain --json` for the workload's step."""
    folder = Path(folder)
    bench = json.loads((folder / "bench.json").read_text())
    with tempfile.TemporaryDirectory() as unpacked:
        zipfile.ZipFile(folder / bench["feeds"]).extractall(unpacked)
        command = [weft, "profile", folder / bench["graph"], "--restore", folder / bench["restore"], "--target", bench["target"], "--fetch", bench["fetch"]]
        for array in sorted(Path(unpacked).glob("*.npy")):
            name = array.name.removesuffix(".npy").removesuffix(":0")
            command += ["--feed", f"{name}:0={array}"]
        command += ["--steps", "10", "--explain", "--simulate-threads", str(threads), "--json"]
        done = subprocess.run([str(part) for part in command], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{bench['name']}: {done.stderr.strip()}")
    return bench["name"], json.loads(done.stdout)["explained"]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--weft", default="build/release/bin/weft")
    parser.add_argument("--threads", type=int, default=16)
    parser.add_argument("workloads", nargs="+")
    options = parser.parse_args()
    lines = [
        "# Steps on more processors, simulated",
        "",
        "From each call's time on one thread, whether it asked for several, and the dependencies between calls: a call that uses one thread takes what it took, any other",
        "is divided among all threads but takes 3 µs or more. Made by `schedule.py`.",
        "",
        f"- {processor()}",
        "",
        "| workload | threads | side by side, µs | one by one, µs | speed-up | of it by side by side |",
        "|---|---|---|---|---|---|",
    ]
    for folder in options.workloads:
        name, plan = explained(options.weft, folder, options.threads)
        alone = plan["simulated"][0]["one_by_one_us"]
        for point in plan["simulated"]:
            lines.append(
                f"| {name} | {point['threads']} | {point['us']:.0f} | {point['one_by_one_us']:.0f} | {alone / point['us']:.2f} | {point['one_by_one_us'] / point['us']:.2f} |"
            )
    text = "\n".join(lines) + "\n"
    print(text)
    (HERE / "SCHEDULE.md").write_text(text)


if __name__ == "__main__":
    main()
