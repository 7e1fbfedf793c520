"""Runs a program as `python3 SCRIPT ARGS…` does, with Weft's packages in front: bootstrap.py SCRIPT [ARGS…]"""

import os
import sys

here = os.path.dirname(os.path.abspath(__file__))


def main():
    script = sys.argv[1]
    sys.argv = sys.argv[1:]
    if script == "weft:console":  # part of Weft, run by the IDE
        sys.path[0:1] = [here]
        from weft import console

        return console.main()
    folder = os.path.dirname(os.path.abspath(script)) if script != "-" else ""
    # Weft's packages go before the script's folder, in which a folder named tensorflow would hide them.
    sys.path[0:1] = [here, folder]
    if script == "-":
        source, name = sys.stdin.read(), "<stdin>"
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
