#!/bin/bash
# test-tarball.sh ARCHIVE MUSIC
#
# Unpacks the archive for any system, installs it for a person, starts it on a copy of the folder
# MUSIC, installs it once more over itself and removes it, in a copy of a system (in-copy.sh). Says
# what it found, a line each; exits with 0 where all was as it should be, 77 where this machine
# can't do it.
set -eu

if [ "${1:-}" != --inside ]; then
  [ $# = 2 ] || { echo "usage: $0 ARCHIVE MUSIC" >&2; exit 64; }
  here=$(cd "$(dirname "$0")" && pwd)
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  mkdir "$work/bring"
  cp "$here/test-tarball.sh" "$work/bring/"
  tar --extract --file "$1" --directory "$work/bring"
  cp -R "$2" "$work/bring/Music"
  bash "$here/in-copy.sh" "$work/bring" bash /tmp/bring/test-tarball.sh --inside
  exit
fi

bring=/tmp/bring
is() {
  [ "$2" = "$3" ] || { echo "$1: $2, and not: $3" >&2; exit 1; }
  echo "$1: $2"
}
left() { find ~ -name '*crate[d.-]*' ! -path '*/share/crated*' ! -path '*/.cache/*' | sort; }
cd $bring/crated-*
PATH=~/.local/bin:$PATH

# It runs where it was unpacked, too.
version=${PWD##*/crated-}
is "version where it was unpacked" "$(./bin/crate --version)" "${version%%-*}"
before=$(left)
./install >/dev/null
echo "music_folders = [\"$bring/Music\"]" >~/.config/crated/config.toml
systemctl --user daemon-reload
systemctl --user start crated
runs() { readlink "/proc/$(systemctl --user show crated --property=MainPID --value)/exe"; }
is "runs" "$(runs)" ~/.local/bin/crated
crate sync >/dev/null
songs=$(find $bring/Music -type f ! -name 'cover.*' | wc --lines)
is "songs" "$(crate paths Music | wc --lines)" "$songs"
is "problems" "$(crate problems 2>/dev/null | grep --count Music || true)" 0
crate rename Music Jazz >/dev/null

./install >/dev/null
systemctl --user restart crated
is "songs in their crate" "$(crate paths Jazz | wc --lines)" "$songs"
./uninstall >/dev/null
is "stopped" "$(systemctl --user show crated --property=MainPID --value)" 0
is "left" "$(left)" "$before"
is "crates stay" "$(grep --count --no-filename '^crate [a-z2-9]* Jazz$' \
  ~/.local/share/crated/crates.*.txt | tail -1)" 1
echo "all good"
