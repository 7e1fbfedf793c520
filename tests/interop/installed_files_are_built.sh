#!/usr/bin/env bash
# installed_files_are_built.sh BUILD: every built file that `cmake --install` installs is made by the target weft-product, which is what `./run` builds.
set -u
build=$1 bad=0 seen=0
cd "$build" || exit 1
ninja -t inputs weft-product >/dev/null 2>&1 || { echo "no target weft-product, or no ninja"; exit 1; }
# The files behind the target, including those of phony targets, which ninja -t inputs omits.
made=$(ninja -t inputs weft-product | sort -u) names=weft-product
for _ in 1 2 3 4; do
  names=$(for name in $(grep -vE '\.(o|a|h|cpp|pb|so)|^bin/|^/' <<<"$names"); do ninja -t query "$name" 2>/dev/null | sed -n '/^  input:/,/^  outputs:/p' | grep -E '^    ' | sed -E 's/^ *(\|\|?)? *//'; done | sort -u)
  made=$made$'\n'$names
done
# The paths below the build folder in the install scripts, without those that CMake itself writes.
installed=$(find . -name cmake_install.cmake -exec grep -hoE "(FILES|DIRECTORY) +\"$build/[^\"]+\"" {} + | sed -E "s|.*\"$build/||; s|\"\$||" | grep -v CMakeFiles | sort -u)
while read -r path; do
  [ -n "$path" ] || continue
  # A shared library is installed as links and a versioned file. A folder counts as built if one file in it is.
  seen=$((seen + 1))
  [ -f "$path" ] && [ "$(basename "$path")" = bootstrap.py ] && continue  # copied by CMake at configure time
  grep -qE "^${path//./\\.}(\.[0-9.]+)?(/.*)?\$" <<<"$made" || { echo "$path is installed, but ./run does not build it"; bad=1; }
done <<<"$installed"
[ "$seen" -ge 5 ] || { echo "only $seen installed files found: the install scripts are not read as they are written"; bad=1; }
exit $bad
