#!/bin/bash
# Runs a command under a real `systemd --user` of its own, on a machine or in a container whose
# first process is something else:
#
#   HOME=/some/scratch scripts/with-user-systemd.sh systemctl --user start crated
#
# Needs root, systemd 252 or newer, util-linux, and a cgroup hierarchy that root may write to.
# No message bus, no login session. Units are read from $HOME/.config/systemd/user, so HOME must be
# a scratch directory. Exits with the command's status; 77 where the machine can't do it.
#
# The manager's messages go to $MANAGER_LOG (default: $HOME/systemd.log). There is no journal: a
# unit whose output is wanted needs StandardOutput=append:FILE.
set -u

cannot() { echo "with-user-systemd: $1" >&2; exit 77; }
[ $# -gt 0 ] || { echo "usage: $0 COMMAND..." >&2; exit 64; }
[ "$(id -u)" = 0 ] || cannot "it needs root, for mounts and a cgroup of its own"
[ -d "${HOME:-}/.config/systemd/user" ] || cannot "there is no $HOME/.config/systemd/user"
for manager in /lib/systemd/systemd /usr/lib/systemd/systemd none; do
  [ -x "$manager" ] && break
done
[ "$manager" != none ] || cannot "systemd is not installed"

# First of all a cgroup below the present one. A manager that finds itself at the top of the
# hierarchy takes every process of the machine for its own and moves them all into init.scope.
group=crated-test-$$
hierarchies=()
for hierarchy in /sys/fs/cgroup /sys/fs/cgroup/systemd /sys/fs/cgroup/unified; do
  if [ -w "$hierarchy/cgroup.procs" ] && mkdir "$hierarchy/$group" 2>/dev/null; then
    if echo $$ >"$hierarchy/$group/cgroup.procs"; then hierarchies+=("$hierarchy"); fi
  fi
done
grep -q "/$group" /proc/self/cgroup || cannot "no cgroup could be made"

leave() {
  for hierarchy in "${hierarchies[@]}"; do
    echo $$ >"$hierarchy/cgroup.procs"
    # What a failed test left running ends here, so that the groups can go.
    for _ in 1 2 3 4 5 6 7 8 9 10; do
      find "$hierarchy/$group" -name cgroup.procs -exec cat {} + 2>/dev/null | xargs -r kill -KILL
      find "$hierarchy/$group" -depth -type d -exec rmdir {} + 2>/dev/null
      [ -d "$hierarchy/$group" ] || break
      sleep 0.1
    done
  done
}
trap leave EXIT

export manager MANAGER_LOG="${MANAGER_LOG:-$HOME/systemd.log}"
# A mount namespace of its own gives it a /run of its own; the directory there is what systemctl
# takes for the sign of a machine that runs systemd.
unshare --mount bash -c '
  mount --make-rprivate / && mount -t tmpfs -o mode=755 tmpfs /run || exit 77
  mkdir -p /run/systemd/system /run/user/0 && chmod 700 /run/user/0 || exit 77
  export XDG_RUNTIME_DIR=/run/user/0
  unset DBUS_SESSION_BUS_ADDRESS NOTIFY_SOCKET LISTEN_PID LISTEN_FDS
  "$manager" --user --log-target=console >"$MANAGER_LOG" 2>&1 &
  process=$!
  for _ in $(seq 600); do
    [ -S /run/user/0/systemd/private ] && break
    kill -0 "$process" 2>/dev/null || break
    sleep 0.1
  done
  if ! [ -S /run/user/0/systemd/private ]; then
    echo "with-user-systemd: the manager did not start; see $MANAGER_LOG" >&2
    kill "$process" 2>/dev/null
    exit 77
  fi
  "$@"
  status=$?
  systemctl --user exit
  wait "$process"
  exit "$status"
' with-user-systemd "$@"
