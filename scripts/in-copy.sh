#!/bin/bash
# in-copy.sh FOLDER COMMAND...
#
# Runs a command in a copy of a system that is gone afterwards: an overlay over its root, with a
# service manager of its own. The system is this machine's, or the one in the directory SYSTEM. What
# is in FOLDER is in /tmp/bring there; /tmp/home is HOME. Exits with what the command exits with, 77
# where this machine can't do it. Needs root. HIDDEN is a directory that the copy lacks, such as
# that of Swift.
set -eu

cannot() { echo "in-copy: $1" >&2; exit 77; }
[ $# -gt 1 ] || { echo "usage: $0 FOLDER COMMAND..." >&2; exit 64; }
[ "$(id -u)" = 0 ] || cannot "it needs root, for mounts"
here=$(cd "$(dirname "$0")" && pwd)
# What an overlay keeps may be on no other overlay, and need not outlive the test.
exec unshare --mount bash -c '
  set -eu
  here=$1 folder=$2
  shift 2
  mount --make-rprivate /
  space=$(mktemp -d) && mount -t tmpfs tmpfs "$space"
  trap "cd / && umount --lazy $space && rmdir $space" EXIT
  mkdir -p "$space/upper" "$space/work" "$space/root" "$space/bring"
  cp -R "$folder/." "$here/with-user-systemd.sh" "$space/bring/"
  mount -t overlay overlay "$space/root" \
    -o "lowerdir=${SYSTEM:-/},upperdir=$space/upper,workdir=$space/work" || exit 77
  for place in dev proc sys; do mount --rbind "/$place" "$space/root/$place"; done
  mount -t tmpfs -o mode=1777 tmpfs "$space/root/tmp"
  [ -z "${HIDDEN:-}" ] || mount -t tmpfs tmpfs "$space/root$HIDDEN"
  # To ask for packages by.
  [ -z "${SYSTEM:-}" ] || cp /etc/resolv.conf "$space/root/etc/"
  mkdir "$space/root/tmp/bring" && mount --bind "$space/bring" "$space/root/tmp/bring"
  mkdir -p "$space/root/tmp/home/.config/systemd/user" "$space/root/tmp/home/.config/crated"
  env -u XDG_CONFIG_HOME -u XDG_DATA_HOME -u XDG_CACHE_HOME HOME=/tmp/home \
    PATH=/usr/sbin:/usr/bin:/sbin:/bin \
    chroot "$space/root" bash /tmp/bring/with-user-systemd.sh "$@"
' in-copy "$here" "$@"
