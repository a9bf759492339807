#!/bin/sh
# Runs the tests, and says again at the end what failed: among some thousand lines nobody finds it,
# and who keeps only the last ones has it too.
# Usage: scripts/test.sh LOG COMMAND [ARGUMENT …]
set -u
log=$1
shift
mkdir -p "$(dirname "$log")"
status_of=$log.status
{ "$@" 2>&1; echo $? >"$status_of"; } | tee "$log"
status=$(cat "$status_of")
rm -f "$status_of"
if [ "$status" -ne 0 ]; then
  echo
  echo "== What failed (the whole output: $log)"
  grep -A 12 -E '✘|error: |Fatal error' "$log" | grep -v -E '^(◇|✔)' | tail -n 200
fi
exit "$status"
