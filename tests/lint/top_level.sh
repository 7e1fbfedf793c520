#!/usr/bin/env bash
# The top level holds only the names listed in the README, and no leftovers of programs. Run in the source tree.
set -u
allowed=" .ci .clang-format .clang-tidy .git-blame-ignore-revs .gitattributes .gitignore CHANGELOG.md CMakeLists.txt CMakePresets.json LICENSE README.md app cmake docs engine resources run test tests translations widgets "
bad=0
for name in $(git ls-files 2>/dev/null | cut -d/ -f1 | sort -u); do
  [[ $allowed == *" $name "* ]] || { echo "$name: does not belong to the top level"; bad=1; }
done
exit $bad
