"""Runs a program as `python3 SCRIPT ARGS…` does, with Weft's packages in front: bootstrap.py SCRIPT [ARGS…], bootstrap.py -m MODULE [ARGS…], bootstrap.py -c CODE [ARGS…];
bootstrap.py --migrate FILE… translates old programs (weft/tools/migrate.py)"""

import importlib.machinery
import importlib.util
import os
import sys


def fits(folder):
    """Whether the Weft of a folder has its module for this Python."""
    return any(os.path.exists(os.path.join(folder, "weft", "_weft" + suffix)) for suffix in importlib.machinery.EXTENSION_SUFFIXES)


def modules_folder():
    """The folder of Weft's packages: this file's, or the one in which a wheel for this Python is installed."""
    own = os.path.dirname(os.path.abspath(__file__))
    if os.path.exists(os.path.join(own, "__init__.py")):  # a wheel, whose package contains this file
        own = os.path.dirname(own)
    if fits(own):
        return own
    for folder in sys.path[1:]:
        if fits(folder):
            return folder
    sys.stderr.write("weft: there is no module of Weft for %s (Python %d.%d): install Weft's wheel for it there, or set WEFT_PYTHON to another Python\n"
                     % ((sys.executable,) + sys.version_info[:2]))
    sys.exit(1)


def need_packages():
    """Ends the program if a package that Weft needs is missing."""
    missing = [package for module, package in (("numpy", "numpy"), ("google.protobuf", "protobuf")) if not found(module)]
    if missing:
        sys.stderr.write("weft: %s lacks %s: `%s -m pip install %s`, or set WEFT_PYTHON to another Python\n"
                         % (sys.executable, " and ".join(missing), sys.executable, " ".join(missing)))
        sys.exit(1)


def found(module):
    try:
        return importlib.util.find_spec(module) is not None
    except ImportError:  # its package is missing
        return False


here = modules_folder()
need_packages()


def watch(path, program, source=""):
    from weft import doctor

    doctor.attach(path, program, source)


def run_module(name, arguments, watches, path):
    """As `python3 -m NAME ARGUMENTS…`; the programs among TensorFlow's modules are Weft's."""
    sys.argv = [name] + arguments
    sys.path[0:1] = [here, os.getcwd()]
    from weft.platform import old_names

    old_names.restore()
    if watches:
        watch(path, name)
    from weft.tools import programs

    program = programs.find(name)
    if program:
        return program()
    import runpy

    try:
        runpy.run_module(name, run_name="__main__", alter_sys=True)
    except ImportError as e:
        # runpy wraps the error if it is a package of the module that is missing.
        missing = e.__cause__ if isinstance(e.__cause__, ModuleNotFoundError) else e
        if missing.name and missing.name != name and not name.startswith(missing.name + "."):
            raise
        if not str(missing).startswith("No module named "):
            raise
        sys.stderr.write("weft: %s: %s\n" % (name, missing))
        return 1
    return 0


def call_doctor(arguments):
    """Takes --doctor and --doctor-json FILE off the arguments; returns whether the doctor watches, and the file."""
    watches, path = False, ""
    while arguments and arguments[0] in ("--doctor", "--doctor-json"):
        watches = True
        path = arguments[1] if arguments[0] == "--doctor-json" else path
        del arguments[:2 if arguments[0] == "--doctor-json" else 1]
    return watches, path


def main():
    own = sys.argv[1:]
    watches, path = call_doctor(own)
    sys.argv[1:] = own
    script = sys.argv[1]
    sys.argv = sys.argv[1:]
    if script == "weft:console":  # part of Weft, run by the IDE
        sys.path[0:1] = [here]
        from weft import console

        return console.main()
    if script == "-m":
        return run_module(sys.argv[1], sys.argv[2:], watches, path)
    if script == "--migrate":
        sys.path[0:1] = [here]
        from weft.tools import migrate

        return migrate.main(sys.argv[1:])
    folder = os.path.dirname(os.path.abspath(script)) if script not in ("-", "-c") else ""
    # Weft's packages go before the script's folder, in which a folder named tensorflow would hide them.
    sys.path[0:1] = [here, folder]
    if script == "-":
        source, name = sys.stdin.read(), "<stdin>"
    elif script == "-c":
        source, name = sys.argv.pop(1), "<string>"
    else:
        try:
            with open(script, "rb") as f:
                source, name = f.read(), script
        except OSError as e:
            sys.stderr.write("weft: %s: %s\n" % (script, e.strerror))
            return 1
    import types

    from weft import hints
    from weft.platform import old_names

    hints.attach()
    old_names.restore()
    if watches:
        watch(path, name, source)
    module = types.ModuleType("__main__")
    module.__dict__.update(__file__=name, __builtins__=__builtins__, __loader__=None)
    sys.modules["__main__"] = module
    if "WEFT_STUDIO_SOCKET" in os.environ and "WEFT_STUDIO_FOLDER" in os.environ:
        import weft.studio

        weft.studio.attach()
    exec(compile(source, name, "exec"), module.__dict__)
    return 0


if __name__ == "__main__":
    sys.exit(main())
