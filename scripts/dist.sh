#!/bin/sh
# dist.sh PROGRAMS TARGET
#
# Makes everything that a release offers, of the commit that is checked out and the programs that
# were built of it, in the directory TARGET, which is emptied first. Packages for other systems are
# those that test-systems.sh made of the same commit. The same commit and tools give the same bytes.
set -eu

scripts=$(cd "$(dirname "$0")" && pwd)
root=$scripts/..
programs=$1 target=$2
version=$(sh "$scripts/version.sh")
source=crated-$version.tar.gz

rm -rf "$target"
mkdir -p "$target"
git -C "$root" archive --format=tar --prefix="crated-$version/" HEAD | gzip -9n >"$target/$source"
sh "$scripts/deb.sh" "$programs" "$target"
for other in "$target"/../systems/*-compiles/sources/.build; do
  if [ "$(cat "$other/commit" 2>/dev/null)" = "$(git -C "$root" rev-parse HEAD)" ]; then
    cp "$other"/*.deb "$target/"
  fi
done
sh "$scripts/deb.sh" source "$target"
sh "$scripts/tarball.sh" "$programs" "$target"
sum=$(sha256sum "$target/$source" | cut --delimiter=' ' --fields=1)
for template in PKGBUILD crated.spec default.nix; do
  sed "s/@VERSION@/$version/g; s/@SHA256@/$sum/" "$root/packaging/$template.in" >"$target/$template"
done
cp "$root/packaging/Containerfile" "$target/"
(cd "$target" && sha256sum -- * >SHA256SUMS)
echo "$target/SHA256SUMS"
