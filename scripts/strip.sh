#!/bin/sh
# strip.sh PROGRAM...
#
# Takes out of programs what only debuggers need, and what tells in which directory they were built.
set -eu

hashes=$(mktemp)
trap 'rm -f "$hashes"' EXIT
for program in "$@"; do
  # Swift's hashes of how each module was compiled. No program reads them.
  objcopy --output-target=binary --only-section=.swift_modhash "$program" "$hashes"
  size=$(stat --format=%s "$hashes")
  head --bytes="$size" /dev/zero >"$hashes"
  objcopy --update-section .swift_modhash="$hashes" "$program"
  strip --strip-unneeded --remove-section=.comment "$program"
  case $program in
  # TagLib throws, so that its reader unwinds.
  */crate-tag-reader) ;;
  *) python3 -B "$(dirname "$0")/without_unwinding.py" "$program" ;;
  esac
done
