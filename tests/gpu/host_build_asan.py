"""Builds libweft-cuda-host with AddressSanitizer and runs a command with it.

    python3 tests/gpu/host_build_asan.py BUILD OUT [-- COMMAND…]

BUILD is an existing build folder. Only the library is built again, in OUT: kernels, the GPU device and the stand-ins of CUDA's libraries. The rest of Weft
stays as it is, but AddressSanitizer checks every heap allocation of the process, since its library is loaded first. The whole engine under AddressSanitizer is
the preset `asan`. The command (without one: the op cases in tests/golden) runs with the environment that loads this library.
"""
import concurrent.futures
import os
import pathlib
import re
import shlex
import subprocess
import sys

SANITIZE = "-fsanitize=address -fno-omit-frame-pointer -g1"


def commands(build):
    """Yields (compiler command, object) of each source of the library, and the command that links it."""
    lines = subprocess.run(["ninja", "-C", build, "-t", "commands", "weft-cuda-host"], check=True, capture_output=True, text=True).stdout.splitlines()
    own = [line for line in lines if "device/cuda/host/CMakeFiles/weft-cuda-host" in line]
    compiles = [(line, re.search(r" -o (\S+\.o) ", line).group(1)) for line in own if " -c " in line]
    link = next(line for line in own if "-shared" in line)
    return compiles, link


def run(command, folder):
    done = subprocess.run(command, shell=True, cwd=folder, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{command[:200]}…\n{done.stdout}{done.stderr}")


def build_library(build, out):
    compiles, link = commands(build)
    library = out / "lib" / "libweft-cuda-host.so"
    library.parent.mkdir(parents=True, exist_ok=True)

    def compile_one(pair):
        command, name = pair
        target = out / name
        target.parent.mkdir(parents=True, exist_ok=True)
        run(command.replace(f" -MF {name}.d", f" -MF {target}.d").replace(f" -o {name} ", f" -o {target} {SANITIZE} "), build)

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(compile_one, compiles))
    for _, name in compiles:
        link = link.replace(f" {name}", f" {out / name}")
    run(link.replace(" -o lib/libweft-cuda-host.so", f" {SANITIZE} -o {library}"), build)
    return library


def main():
    build, out = (pathlib.Path(p).resolve() for p in sys.argv[1:3])
    command = sys.argv[4:] or [str(build / "bin" / "weft"), "selftest", "ops", "--device", "gpu:host", "--here"]
    library = build_library(build, out)
    # AddressSanitizer looks for the functions of exceptions when it is loaded, before Python loads C++'s library.
    runtimes = [subprocess.run(["c++", f"-print-file-name={name}"], check=True, capture_output=True, text=True).stdout.strip() for name in ("libasan.so", "libstdc++.so")]
    # Weft looks for the library beside its engine.
    for other in (build / "lib").glob("*.so*"):
        link = library.parent / other.name
        if other.name != library.name and not link.exists():
            link.symlink_to(other)
    environment = dict(os.environ, LD_PRELOAD=" ".join(runtimes), LD_LIBRARY_PATH=str(library.parent), WEFT_GPU="host",
                       ASAN_OPTIONS="detect_leaks=0:handle_segv=0:detect_stack_use_after_return=0:" + os.environ.get("ASAN_OPTIONS", ""))
    print(f"{library} is built; running {shlex.join(command)}", flush=True)
    return subprocess.run(command, env=environment).returncode


if __name__ == "__main__":
    sys.exit(main())
