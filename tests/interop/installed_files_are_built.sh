#!/usr/bin/env bash
# installed_files_are_built.sh BUILD: every built file that `cmake --install` installs is made by the target weft-product, which is what `./run` builds.
set -u
build=$1 bad=0 seen=0
cd "$build" || exit 1
ninja -t inputs weft-product >/dev/null 2>&1 || { echo "no target weft-product, or no ninja"; exit 1; }
# What the target stands for, through targets that stand for others (ninja -t inputs leaves those files out).
made=$(ninja -t inputs weft-product | sort -u) names=weft-product
for _ in 1 2 3 4; do
  names=$(for name in $(grep -vE '\.(o|a|h|cpp|pb|so)|^bin/|^/' <<<"$names"); do ninja -t query "$name" 2>/dev/null | sed -n '/^  input:/,/^  outputs:/p' | grep -E '^    ' | sed -E 's/^ *(\|\|?)? *//'; done | sort -u)
  made=$made$'\n'$names
done
# What the install scripts name below the build folder, without what CMake itself writes.
installed=$(find . -name cmake_install.cmake -exec grep -hoE "(FILES|DIRECTORY) +\"$build/[^\"]+\"" {} + | sed -E "s|.*\"$build/||; s|\"\$||" | grep -v CMakeFiles | sort -u)
while read -r path; do
  [ -n "$path" ] || continue
  # A shared library is installed as links and a file with its version; of a folder one file that is made there is enough.
  seen=$((seen + 1))
  [ -f "$path" ] && [ "$(basename "$path")" = bootstrap.py ] && continue  # copied when CMake configures
  grep -qE "^${path//./\\.}(\.[0-9.]+)?(/.*)?\$" <<<"$made" || { echo "$path is installed, but ./run does not build it"; bad=1; }
done <<<"$installed"
[ "$seen" -ge 5 ] || { echo "only $seen installed files found: the install scripts are not read as they are written"; bad=1; }
exit $bad
