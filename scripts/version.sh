#!/bin/sh
# version.sh [date]
#
# Prints the version of the sources, or when they were changed last, in seconds since 1970:
# SOURCE_DATE_EPOCH, where that is set.
set -eu

root=$(cd "$(dirname "$0")/.." && pwd)
case ${1:-} in
date)
  if [ -n "${SOURCE_DATE_EPOCH:-}" ]; then
    echo "$SOURCE_DATE_EPOCH"
    exit
  fi
  git -C "$root" log -1 --format=%ct 2>/dev/null || stat --format=%Y "$root/CHANGELOG.md"
  ;;
*) sed -n 's/.*softwareVersion = "\(.*\)"/\1/p' "$root/Sources/Wire/CratesInterface/Version.swift" ;;
esac
