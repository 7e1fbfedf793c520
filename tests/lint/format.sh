#!/usr/bin/env bash
# Every C++ source is formatted as .clang-format says, by clang-format 14: other versions break other lines. Run in the source tree. Exit status 77 (a skipped test)
# where there is no such clang-format; `./test` installs it. --fix formats instead.
set -u
tool=
for candidate in clang-format-14 clang-format; do
  if command -v "$candidate" >/dev/null && "$candidate" --version | grep -q 'version 14\.'; then tool=$candidate; break; fi
done
if [ -z "$tool" ]; then echo "clang-format 14 is not installed (Debian: apt install clang-format-14): nothing was checked"; exit 77; fi
sources() { find engine widgets app tests \( -name '*.cpp' -o -name '*.h' -o -name '*.cu' -o -name '*.cuh' \) -print0 2>/dev/null; }
if [ "${1-}" = --fix ]; then sources | xargs -0 -r -P "$(nproc)" -n 40 "$tool" -i; exit; fi
found=$(sources | xargs -0 -r -P "$(nproc)" -n 40 "$tool" --dry-run -Werror 2>&1 | grep -E '^[^ ]+:[0-9]+:[0-9]+: error' | cut -d: -f1 | sort | uniq -c)
[ -z "$found" ] && exit 0
echo "$found" | awk '{print $2 ": " $1 " lines are not as .clang-format says"}'
echo "tests/lint/format.sh --fix formats them"
exit 1
