#!/bin/sh
# release.sh VERSION
#
# Gives the sources their version, the changes in CHANGELOG.md that heading, and commits and tags
# both. Nothing is pushed.
set -eu

cd "$(dirname "$0")/.."
stop() {
  echo "release.sh: $1" >&2
  exit 1
}
version=$1
echo "$version" | grep --quiet --extended-regexp '^[0-9]+\.[0-9]+\.[0-9]+$' ||
  stop "which version? make release VERSION=1.2.3"
[ -z "$(git status --porcelain)" ] || stop "there are changes that are not committed"
! git rev-parse --quiet --verify "refs/tags/v$version" >/dev/null || stop "v$version is there already"
before=$(sh scripts/version.sh)
[ "$(printf '%s\n' "$before" "$version" | sort --version-sort | tail --lines=1)" = "$version" ] ||
  stop "$version comes before $before"
grep --quiet '^## Unreleased$' CHANGELOG.md || stop "CHANGELOG.md has no section “## Unreleased”"

sed --in-place "s/^\(.*softwareVersion = \"\).*\"/\1$version\"/" \
  Sources/Wire/CratesInterface/Version.swift
sed --in-place "s/^## Unreleased$/## $version ($(date --utc +%Y-%m-%d))/" CHANGELOG.md
git commit --quiet --all --message "release $version"
git tag --annotate --message "Crated $version" "v$version"
echo "Tagged v$version. When its archives are tried: git push --follow-tags"
