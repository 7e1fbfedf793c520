#!/usr/bin/env bash
# Runs ruff on the Python sources (settings in ruff.toml): undefined names, unused imports, code without effect. Run in the
# source tree. Exit status 77 (a skipped test) where there is no ruff; `./test` installs it.
set -u
here=$(cd "$(dirname "$0")" && pwd)
ruff=$here/../../build/tools/bin/ruff
[ -x "$ruff" ] || ruff=$(command -v ruff) || { echo "ruff is not installed (cmake/install_ruff.sh): nothing was checked"; exit 77; }
folders=(); for folder in app engine widgets tests resources; do [ ! -d $folder ] || folders+=($folder); done
exec "$ruff" check --no-cache --config "$here/ruff.toml" --output-format concise "${folders[@]}"
