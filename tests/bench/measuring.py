"""Shared by the scripts here: runs measuring processes and reads their output."""
import json
import subprocess
import sys


def said(command, status=1):
    """The output of `command`; if it fails, prints its output and exits with `status`."""
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode:
        print("%s: %s" % (" ".join(command), (done.stderr or done.stdout).strip()), file=sys.stderr)
        sys.exit(status)
    return done.stdout


def found(command, status=1):
    """The JSON value in the last output line of `command`."""
    return json.loads(said(command, status).strip().splitlines()[-1])
