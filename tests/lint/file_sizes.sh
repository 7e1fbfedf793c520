#!/usr/bin/env bash
# Length of our sources: nine of ten .cpp/.cu under 450 lines, nine of ten headers under 220; no source over 900. Prints the 90th percentiles
# and the longest files. Run in the source tree.
set -u
bad=0
# check LIMIT NAME PATTERN…: 90th percentile of the line counts.
check() {
  local limit=$1 name=$2; shift 2
  local counts p90 n
  counts=$(find engine widgets app tests \( "$@" \) -not -path '*/build/*' -exec wc -l {} + 2>/dev/null | grep -v ' total$' | sort -n)
  n=$(echo "$counts" | grep -c .)
  [ "$n" -gt 0 ] || return 0
  p90=$(echo "$counts" | awk -v k=$(((n * 9 + 9) / 10)) 'NR == k {print $1}')
  echo "$name: $n files, 90th percentile $p90 lines (limit $limit); longest:"
  echo "$counts" | tail -n 3 | sed 's/^/   /'
  [ "$p90" -le "$limit" ] || bad=1
  if echo "$counts" | awk '$1 > 900 {bad = 1} END {exit !bad}'; then echo "   a file has more than 900 lines"; bad=1; fi
}
check 450 sources -name '*.cpp' -o -name '*.cu'
check 220 headers -name '*.h'
exit $bad
