#!/usr/bin/env bash
# rules.sh [--table]: every rule that stands in the engine is proved or exhausted here, every rule named here stands there, each file of passes states one, and
# each rule says pattern, condition and replacement. Run in the source tree.
set -u
named() { grep -rhoE 'RULE [a-z_]+\.[a-z_]+(, [a-z_]+\.[a-z_]+)*' "$@" | grep -oE '[a-z_]+\.[a-z_]+' | sort -u; }
stated=$(named engine --include=*.cpp --include=*.h)
proved=$(named tests/proofs --include=*.smt2)
exhausted=$(named tests/proofs --include=*.cpp)
bad=0
open=$(comm -23 <(echo "$stated") <(printf '%s\n%s\n' "$proved" "$exhausted" | sort -u))
[ -z "$open" ] || { echo "neither proved nor exhausted:"; echo "$open"; bad=1; }
none=$(comm -13 <(echo "$stated") <(printf '%s\n%s\n' "$proved" "$exhausted" | grep . | sort -u))
[ -z "$none" ] || { echo "no such rule in the engine:"; echo "$none"; bad=1; }
twice=$(grep -rhoE 'RULE [a-z_]+\.[a-z_]+' engine --include=*.cpp --include=*.h | sort | uniq -d)
[ -z "$twice" ] || { echo "stated twice: $twice"; bad=1; }
while read -r file line; do
  read -r a b c < <(sed -n "$((line + 1)),$((line + 12))p" "$file" | grep -oE '^ *// +(pattern|condition|replacement) ' | awk '{print $2}' | head -3 | tr '\n' ' ')
  [ "$a $b $c" = "pattern condition replacement" ] || { echo "$file:$line: a rule without pattern, condition and replacement"; bad=1; }
done < <(grep -rnE '// RULE [a-z_]+\.' engine --include=*.cpp --include=*.h | awk -F: '{print $1, $2}')
for name in $(sed -nE 's/^ *\{"([a-z_]+)", ".*/\1/p' engine/runtime/passes/passes.cpp) scalar_loop loop_products loop_transposes; do
  grep -qE "^$name\.|\.$name\$" <<<"$stated" || { echo "pass $name states no rule"; bad=1; }
done
if [ "${1:-}" = --table ]; then
  echo "pass rules proved exhausted"
  for pass in $(cut -d. -f1 <<<"$stated" | uniq); do
    echo "$pass $(grep -c "^$pass\." <<<"$stated") $(grep -c "^$pass\." <<<"$proved") $(grep -c "^$pass\." <<<"$exhausted")"
  done
fi
exit $bad
