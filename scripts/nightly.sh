#!/bin/sh
# Runs targets of the Makefile one after the other, also after a failure, and prints which ran, for
# how long, and which failed.
#
#   nightly.sh FOLDER STEP...     a STEP is what `make` is told, in one word: "torture MINUTES=5"
set -u

folder=$1
shift
mkdir -p "$folder"
report=$folder/report.txt
: >"$report"
failed=0
for step in "$@"; do
  log=$folder/${step%% *}.log
  began=$(date +%s)
  echo "== make $step"
  # shellcheck disable=SC2086
  if make $step >"$log" 2>&1; then fate=passed; else fate="FAILED, see $log" failed=1; fi
  printf '%5d s  make %s: %s\n' $(($(date +%s) - began)) "$step" "$fate" | tee -a "$report"
done
echo
cat "$report"
exit $failed
