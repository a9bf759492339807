#!/bin/sh
# deb.sh PROGRAMS|source TARGET
#
# Puts the programs of a build into a Debian package in the directory TARGET, or the sources into a
# Debian source package, and prints its path. The same sources, programs and tools give the same
# bytes. The version is that of the sources, and of the system whose libraries the programs need.
#
# MAINTAINER says who made the package. With DEVELOPMENT=1 the programs may need a Swift that is on
# this machine, as those of a debug build do.
set -eu

root=$(cd "$(dirname "$0")/.." && pwd)
version=$(sh "$root/scripts/version.sh")
# The programs of one system lack libraries in another.
# shellcheck disable=SC1091
[ "$1" = source ] || version=$version~$(. /etc/os-release && echo "$ID${VERSION_ID:-}")
mkdir -p "$2"
target=$(cd "$2" && pwd)
# What the package may take when it is installed, in KiB: 40 MB.
most=39062
umask 022

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
source=$work/crated-$version
mkdir "$source"
tar --create --directory "$root" --exclude-vcs --exclude './.build*' --exclude ./Package.resolved . |
  tar --extract --directory "$source"
cd "$source"
SOURCE_DATE_EPOCH=$(sh "$root/scripts/version.sh" date)
export SOURCE_DATE_EPOCH
mv packaging/debian debian
[ -z "${MAINTAINER:-}" ] || sed --in-place "s|^Maintainer: .*|Maintainer: $MAINTAINER|" debian/control
{
  sed '/^@MIT@$/,$d' debian/copyright
  # The words of the licence behind its two lines of heading.
  sed '1,/^Copyright/d; s/^$/./; s/^/ /' LICENSE | sed '1{/^ \.$/d}'
} >debian/copyright.new
mv debian/copyright.new debian/copyright
cat >debian/changelog <<END
crated ($version) unstable; urgency=medium

  * What is new is in CHANGELOG.md.

 -- $(sed -n 's/^Maintainer: //p' debian/control)  $(date --utc --rfc-email --date="@$SOURCE_DATE_EPOCH")
END
find . -exec touch --no-dereference --date="@$SOURCE_DATE_EPOCH" {} +

if [ "$1" = source ]; then
  dpkg-source --build . >/dev/null
  cd "$work"
  mv ./*.dsc ./*.tar.* "$target"
  echo "$target/crated_$version.dsc"
  exit
fi
cd "$root" && programs=$(cd "$1" && pwd) && cd "$source"
# What compiles is there already.
PROGRAMS=$programs LC_ALL=C TZ=UTC dpkg-buildpackage --build=binary --no-sign --no-check-builddeps \
  >"$work/log" 2>&1 || { cat "$work/log" >&2; exit 1; }
package=$(echo "$work"/*.deb)
size=$(dpkg-deb --field "$package" Installed-Size)
# Those of a debug build are not for keeping.
if [ -z "${DEVELOPMENT:-}" ] && [ "$size" -gt "$most" ]; then
  echo "deb.sh: installed, the package takes $size KiB, and $most is the most:" >&2
  du --apparent-size "$source"/debian/crated/usr/bin/* >&2
  exit 1
fi
mv "$package" "$target"
echo "$target/${package##*/}"
