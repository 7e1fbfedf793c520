#!/usr/bin/env bash
# Every folder with sources has a README.md that describes it (public headers: engine/include/README.md). Run in the source tree.
set -u
bad=0
while read -r folder; do
  case $folder in engine/include/*) folder=engine/include ;; esac
  if [ ! -f "$folder/README.md" ]; then echo "$folder has no README.md"; bad=1; fi
done < <(find engine widgets app tests cmake resources translations \( -name '*.cpp' -o -name '*.h' -o -name '*.cu' -o -name '*.cmake' -o -name '*.sh' -o -name '*.proto' -o -name '*.ts' \) \
           -printf '%h\n' 2>/dev/null | sort -u)
exit $bad
