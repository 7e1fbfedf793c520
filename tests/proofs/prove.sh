#!/usr/bin/env bash
# prove.sh FILE…: every check-sat of the files gives what the comment "; expect sat|unsat" before it says. Unsat is a proof that nothing refutes the
# rule; sat, for the same without one of its conditions, shows that the question could have been answered otherwise.
set -u
command -v z3 >/dev/null || { echo "z3 is not installed (Debian: z3)"; exit 77; }
bad=0
for file in "$@"; do
  expected=$(sed -nE 's/^; expect (sat|unsat)\b.*/\1/p' "$file")
  found=$(z3 -T:60 "$file" 2>&1)
  if [ -z "$expected" ] || [ "$expected" != "$found" ]; then
    echo "$file: not as expected"
    diff <(echo "$expected") <(echo "$found")
    bad=1
  elif ! grep -q '^unsat$' <<<"$found" || ! grep -q '^sat$' <<<"$found"; then
    echo "$file: proves nothing, or could not fail"
    bad=1
  else
    echo "$(basename "$file"): $(grep -c '^unsat$' <<<"$found") proved, $(grep -c '^sat$' <<<"$found") refuted without a condition"
  fi
done
exit $bad
