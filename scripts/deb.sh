#!/bin/sh
# deb.sh PROGRAMS TARGET [VERSION]
#
# Puts the programs of a build into a Debian package in the directory TARGET, and prints its path.
# The same sources, programs and tools give the same bytes. The version is that of the sources.
#
# MAINTAINER says who made the package. With DEVELOPMENT=1 the programs may need a Swift that is on
# this machine, as those of a debug build do.
set -eu

programs=$1 target=$2
root=$(cd "$(dirname "$0")/.." && pwd)
version=${3:-$(sed -n 's/.*softwareVersion = "\(.*\)"/\1/p' "$root/Sources/Wire/CratesInterface/Version.swift")}-1
maintainer=${MAINTAINER:-The Crated authors <crated@crated.org>}
architecture=$(dpkg --print-architecture)
: "${SOURCE_DATE_EPOCH:=$(git -C "$root" log -1 --format=%ct 2>/dev/null ||
  stat --format=%Y "$root/CHANGELOG.md")}"
export SOURCE_DATE_EPOCH LC_ALL=C TZ=UTC
# What the package may take when it is installed, in bytes.
most=40000000
umask 022

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
stage=$work/stage
documents=$stage/usr/share/doc/crated

sh "$root/scripts/install.sh" install "$programs" /usr "$stage" >/dev/null
for program in bin/crate bin/crated libexec/crated/crate-tag-reader; do
  # Linked as it is in a release, or found at the start as in a debug build.
  if nm "$stage/usr/$program" | grep --quiet ' [Tt] $s[0-9]*Foundation' ||
    readelf --dynamic "$stage/usr/$program" | grep --quiet 'NEEDED.*Foundation'; then
    echo "deb.sh: $program has Foundation in it; Documentation/developers/decisions/0017-no-foundation.md" >&2
    exit 1
  fi
  strip --strip-unneeded --remove-section=.comment "$stage/usr/$program"
done
# Tests package programs of other builds, too, with sanitizers in them.
if [ -z "${DEVELOPMENT:-}" ]; then
  python3 -B "$root/scripts/without_unwinding.py" "$stage/usr/bin/crate" "$stage/usr/bin/crated"
fi
# Where Debian's zsh looks, and what its policy calls the documents.
mkdir -p "$stage/usr/share/zsh/vendor-completions"
mv "$stage/usr/share/zsh/site-functions/"_* "$stage/usr/share/zsh/vendor-completions/"
rmdir "$stage/usr/share/zsh/site-functions"
mkdir -p "$documents/examples"
mv "$documents/config.example.toml" "$documents/namespaces.conf" "$documents/examples/"
{
  sed '/^@MIT@$/,$d' "$root/packaging/copyright"
  # The words of the licence behind its two lines of heading.
  sed '1,/^Copyright/d; s/^$/./; s/^/ /' "$documents/LICENSE" | sed '1{/^ \.$/d}'
} >"$documents/copyright"
rm "$documents/LICENSE"
cp "$root/CHANGELOG.md" "$documents/changelog"
{
  echo "crated ($version) unstable; urgency=medium"
  echo
  echo "  * What is new is in changelog.gz."
  echo
  echo " -- $maintainer  $(date --utc --date="@$SOURCE_DATE_EPOCH" --rfc-email)"
} >"$documents/changelog.Debian"
gzip -9n "$documents/changelog" "$documents/changelog.Debian" "$stage"/usr/share/man/man?/*
install -m 755 "$root/packaging/for-each-user" "$stage/usr/libexec/crated/"

mkdir -p "$work/debian" "$stage/DEBIAN"
printf 'Source: crated\n\nPackage: crated\nArchitecture: any\n' >"$work/debian/control"
depends=$(cd "$work" && dpkg-shlibdeps -O ${DEVELOPMENT:+--ignore-missing-info} \
  "$stage/usr/bin/crate" "$stage/usr/bin/crated" "$stage/usr/libexec/crated/crate-tag-reader" \
  2>"$work/complaints") || { cat "$work/complaints" >&2; exit 1; }
depends=${depends#shlibs:Depends=}
size=$(du --summarize --apparent-size --block-size=1 "$stage/usr" | cut -f 1)
kib=$(((size + 1023) / 1024))
# Those of a debug build are not for keeping.
if [ -z "${DEVELOPMENT:-}" ] && [ "$size" -gt "$most" ]; then
  echo "deb.sh: installed, the package takes $size bytes, and $most is the most:" >&2
  du --apparent-size --block-size=1 "$stage"/usr/bin/* "$stage"/usr/libexec/crated/* >&2
  exit 1
fi
sed "s|@VERSION@|$version|; s|@ARCHITECTURE@|$architecture|; s|@MAINTAINER@|$maintainer|
  s|@SIZE@|$kib|; s|@DEPENDS@|$depends|" "$root/packaging/control.in" >"$stage/DEBIAN/control"
install -m 755 "$root/packaging/postinst" "$root/packaging/prerm" "$stage/DEBIAN/"
(cd "$stage" && find usr -type f -print0 | sort -z | xargs -0 md5sum >DEBIAN/md5sums)
find "$stage" -newermt "@$SOURCE_DATE_EPOCH" -exec \
  touch --no-dereference --date="@$SOURCE_DATE_EPOCH" {} +

mkdir -p "$target"
package=$target/crated_${version}_$architecture.deb
# A package that is only tried need not be small.
dpkg-deb --root-owner-group ${DEVELOPMENT:+-Zgzip -z1} --build "$stage" "$package" >/dev/null
echo "$package"
