#!/usr/bin/env bash
# install_ruff.sh: puts ruff, which checks the Python sources, into build/tools: it is a package of PyPI and none of Debian's. Without a network
# nothing is installed, and the check says that it was left out.
set -u
top=$(cd "$(dirname "$0")/.." && pwd)
version=0.17.6
[ -x "$top/build/tools/bin/ruff" ] && "$top/build/tools/bin/ruff" --version | grep -qF "$version" && exit 0
python3 -m venv "$top/build/tools" && "$top/build/tools/bin/pip" install -q --disable-pip-version-check "ruff==$version" ||
  echo "weft: ruff $version could not be installed; the Python sources are not checked" >&2
exit 0
