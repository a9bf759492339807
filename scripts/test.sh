#!/bin/sh
# Runs the tests that were built, and says again at the end what failed: among some thousand lines
# nobody finds it.
# Usage: scripts/test.sh FOLDER [ARGUMENT …]     FOLDER is where the build put them.
set -u
folder=$1
shift
log=$folder/test.log
status_of=$log.status
export NO_COLOR=1
{
  "$folder/cratedPackageTests.xctest" --testing-library swift-testing "$@" 2>&1
  echo $? >"$status_of"
} | tee "$log" | grep --line-buffered -a -v '^◇'
status=$(cat "$status_of")
rm -f "$status_of"
if [ "$status" -ne 0 ]; then
  echo
  echo "== What failed (the whole output: $log)"
  grep -a -A 12 -E '✘|error: |Fatal error' "$log" | grep -a -v -E '^(◇|✔)' | tail -n 200
fi
exit "$status"
