#!/bin/sh
# strip.sh PROGRAM...
#
# Takes out of programs what only debuggers need.
set -eu

for program in "$@"; do
  strip --strip-unneeded --remove-section=.comment "$program"
  case $program in
  # TagLib throws, so that its reader unwinds.
  */crate-tag-reader) ;;
  *) python3 -B "$(dirname "$0")/without_unwinding.py" "$program" ;;
  esac
done
