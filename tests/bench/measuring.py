"""What the scripts here share: processes that measure and say what they found."""
import json
import subprocess
import sys


def said(command, status=1):
    """What `command` prints; if it fails, its words and the end of the script with `status`."""
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode:
        print("%s: %s" % (" ".join(command), (done.stderr or done.stdout).strip()), file=sys.stderr)
        sys.exit(status)
    return done.stdout


def found(command, status=1):
    """The JSON value in the last line that `command` prints."""
    return json.loads(said(command, status).strip().splitlines()[-1])
