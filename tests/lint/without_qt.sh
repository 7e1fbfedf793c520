#!/usr/bin/env bash
# without_qt.sh FILE…: these binaries load no Qt library, directly or through others.
set -u
bad=0
for binary; do
  if ldd "$binary" | grep -i 'libQt'; then echo "$binary loads Qt"; bad=1; fi
done
exit $bad
