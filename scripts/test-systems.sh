#!/bin/bash
# test-systems.sh BUILD SYSTEM...
#
# Tries the archive of the build directory BUILD in other systems, by the names of their releases:
# bookworm, trixie, noble. On the one called trixie it also compiles the sources, makes a Debian
# package and tries that. The systems are fetched, once, to BUILD/systems. Needs root, and
# the network.
set -eu

scripts=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$scripts/.." && pwd)
build=$(cd "$1" && pwd)
shift
systems=$build/systems
compiled=trixie
toolchain=$(realpath "$(dirname "$(realpath "$(command -v "${SWIFT:-swift}")")")/../..")
[ "$(id -u)" = 0 ] || { echo "test-systems: it needs root, for mounts" >&2; exit 77; }
mkdir -p "$systems"

# As small as what people put into containers, and a service manager. Debian 13 has the keys by which
# Ubuntu's packages are known, Debian 12 has not.
fetch() {
  [ ! -d "$systems/$1" ] || return 0
  rm -rf "$systems/$1.new"
  local packages=systemd,curl,man-db,procps keys=() script=()
  case $1 in
  bookworm) ;;
  trixie) packages=$packages,ubuntu-archive-keyring ;;
  *)
    fetch trixie
    keys=("--keyring=$systems/trixie/usr/share/keyrings/ubuntu-archive-keyring.gpg")
    # One script makes all of Ubuntu's releases, also those that this debootstrap doesn't know.
    script=("" gutsy)
    ;;
  esac
  debootstrap --variant=minbase --include="$packages" "${keys[@]}" "$1" "$systems/$1.new" \
    "${script[@]}" >"$systems/$1.log" 2>&1 || { tail -3 "$systems/$1.log" >&2; exit 1; }
  mv "$systems/$1.new" "$systems/$1"
}

# Prints nothing but what fails; the package is in the directory sources/.build there.
compile() {
  local there=$systems/$1-compiles
  [ -d "$there" ] || cp --archive "$systems/$1" "$there"
  mkdir -p "$there/sources/.build"
  rm -f "$there"/sources/.build/*.deb "$there/sources/.build/commit"
  tar --create --directory "$root" --exclude-vcs --exclude './.build*' . |
    tar --extract --directory "$there/sources"
  # What Swift would fetch.
  cp --archive --update "$build"/{checkouts,repositories,workspace-state.json} "$there/sources/.build/"
  unshare --mount bash -c '
    set -eu
    mount --make-rprivate /
    for place in dev proc sys; do mount --rbind "/$place" "$1/$place"; done
    mkdir -p "$1$2"
    mount --rbind "$2" "$1$2"
    cp /etc/resolv.conf "$1/etc/"
    exec env HOME=/root SOURCE_DATE_EPOCH="$3" PATH="$2/usr/bin:/usr/sbin:/usr/bin:/sbin:/bin" chroot "$1" sh -c "
      set -e
      # The last two are for Swift.
      command -v make >/dev/null ||
        { apt-get update && apt-get install --yes git make libncurses6 libxml2; }
      make -C /sources deb"
  ' compile "$there" "$toolchain" "$(sh "$scripts/version.sh" date)" >"$systems/$1-compiles.log" 2>&1 ||
    { tail -20 "$systems/$1-compiles.log" >&2; exit 1; }
  # Of which sources it is, for a release.
  git -C "$root" rev-parse HEAD >"$there/sources/.build/commit" 2>/dev/null || true
}

music=$build/demo-music.d
"$build/release/demo-music" "$music" >/dev/null
archive=$(ls "$build"/crated-*-linux-*.tar.xz)
for system in "$@"; do
  fetch "$system"
  echo "== the archive in $system"
  SYSTEM=$systems/$system bash "$scripts/test-tarball.sh" "$archive" "$music"
  [ "$system" = "$compiled" ] || continue
  echo "== compiled in $system"
  compile "$system"
  SYSTEM=$systems/$system bash "$scripts/test-deb.sh" \
    "$(ls "$systems/$system-compiles"/sources/.build/*.deb)" "$music"
done
