#!/bin/sh
# Runs the tag reader's tests against a TagLib that is installed below a prefix.
#
#   test-taglib.sh SCRATCH PREFIX [TEST ARGUMENT...]
set -eu

scratch=$1 prefix=$2
shift 2
root=$(cd "$(dirname "$0")/.." && pwd)

if [ -z "$prefix" ]; then
  echo "Which TagLib? make test-taglib TAGLIB=PREFIX, where it was installed, such as by" >&2
  echo "    cmake -DCMAKE_INSTALL_PREFIX=PREFIX -DBUILD_SHARED_LIBS=ON SOURCES && make install" >&2
  exit 64
fi
prefix=$(cd "$prefix" && pwd)
description=$(find "$prefix" -name taglib.pc | head -n 1)
if [ -z "$description" ]; then
  echo "There is no TagLib below $prefix: its taglib.pc is missing." >&2
  exit 66
fi
PKG_CONFIG_PATH=$(dirname "$description")
export PKG_CONFIG_PATH
libraries=$(pkg-config --variable=libdir taglib)
[ -n "$libraries" ] || libraries=$prefix/lib
version=$(pkg-config --modversion taglib)

# What was built against another one is of no use.
if [ "$(cat "$scratch/prefix" 2>/dev/null || true)" != "$prefix $version" ]; then
  rm -rf "$scratch"
  mkdir -p "$scratch"
  echo "$prefix $version" >"$scratch/prefix"
fi
echo "The tag reader's tests with TagLib $version"
CRATED_TARGETS=TagReadingTests ${SWIFT:-swift} build --build-tests --disable-index-store \
  --disable-automatic-resolution --package-path "$root" --scratch-path "$scratch" \
  -Xlinker -rpath -Xlinker "$libraries"
sh "$root/scripts/test.sh" "$scratch/debug" "$@"
reader=$(find "$scratch" -type f -name crate-tag-reader -perm -u+x | head -n 1)
# The version is of what it was built with; what it runs with is what the loader finds. A taglib.pc
# that was moved names a directory which is not there any more.
loaded=$(ldd "$reader" | awk '/libtag\.so/ { print $3 }')
if [ -n "$loaded" ] &&
  [ "$(dirname "$(readlink -f "$loaded")")" != "$(readlink -f "$libraries")" ]; then
  echo "They ran with $loaded, which is not in $libraries" >&2
  exit 1
fi
case $("$reader" --version) in
*" TagLib $version") ;;
*)
  echo "They ran with another TagLib: $("$reader" --version)" >&2
  exit 1
  ;;
esac
