#!/usr/bin/env bash
# install_packages.sh [PACKAGE…]: installs the packages of packages.txt, and those named, that this machine lacks; says which. Asks sudo unless run by root.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
mapfile -t wanted < <(grep -v '^#' "$here/packages.txt" | grep .)
wanted+=("$@")
if ! command -v dpkg-query >/dev/null; then
  echo "weft: this is no Debian or Ubuntu: please install what corresponds to: ${wanted[*]}" >&2
  exit 0
fi
missing=()
for package in "${wanted[@]}"; do
  # A virtual package (libgl-dev) counts as there if something provides it.
  status=$(dpkg-query -W -f '${db:Status-Status} ' "$package" 2>/dev/null || true)
  [[ " $status" == *" installed "* ]] || missing+=("$package")  # not "not-installed"
done
[ ${#missing[@]} -gt 0 ] || exit 0
echo "weft: installing packages: ${missing[*]}" >&2
as_root=()
if [ "$(id -u)" != 0 ]; then
  command -v sudo >/dev/null || { echo "weft: sudo is missing; as root run: apt-get install ${missing[*]}" >&2; exit 1; }
  as_root=(sudo)
fi
"${as_root[@]}" apt-get update -qq || echo "weft: the package lists could not be refreshed; trying with what is known" >&2
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}"
