#!/bin/bash
# test-deb.sh PACKAGE MUSIC
#
# Installs a Debian package of Crated, starts it from there on a copy of the folder MUSIC, upgrades
# it to a later version of the same, and removes it, all in a copy of a system (in-copy.sh). Says
# what it found, a line each; exits with 0 where all was as it should be, 77 where this machine
# can't do it.
set -eu

if [ "${1:-}" != --inside ]; then
  [ $# = 2 ] || { echo "usage: $0 PACKAGE MUSIC" >&2; exit 64; }
  here=$(cd "$(dirname "$0")" && pwd)
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  mkdir "$work/bring"
  cp "$here/test-deb.sh" "$work/bring/"
  cp "$1" "$work/bring/old.deb"
  cp -R "$2" "$work/bring/Music"
  dpkg-deb --raw-extract "$1" "$work/later"
  sed --in-place 's/^Version: .*/&+later/' "$work/later/DEBIAN/control"
  dpkg-deb --root-owner-group -Zgzip -z1 --build "$work/later" "$work/bring/new.deb" >/dev/null
  bash "$here/in-copy.sh" "$work/bring" bash /tmp/bring/test-deb.sh --inside
  exit
fi

bring=/tmp/bring
store=~/.local/share/crated
is() {
  [ "$2" = "$3" ] || { echo "$1: $2, and not: $3" >&2; exit 1; }
  echo "$1: $2"
}
state() { dpkg-query --show --showformat '${db:Status-Status}' crated 2>/dev/null || echo none; }
process() { systemctl --user show crated --property=MainPID --value; }
left() { find /usr /etc /lib /var/lib -xdev -name '*crate[d.-]*' ! -path '/usr/src/*' | sort; }

before=$(left)
# The index of all manual pages takes its time, and says nothing about this package. Systems for
# containers leave the pages out. Where libraries are missing, they are fetched.
install() {
  dpkg --no-triggers --path-include='*' --install "$1" >/dev/null 2>$bring/complaints || {
    cat $bring/complaints
    apt-get update >/dev/null
    DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends --fix-broken
  } >$bring/fetched 2>&1 || { cat $bring/fetched >&2; return 1; }
}
install $bring/old.deb
is "installed" "$(state)" installed
[ "$(left | wc --lines)" -gt 10 ] || { echo "too little was installed" >&2; exit 1; }
is "nobody's daemon was started" "$(process)" 0
page() { systemctl --user show crated-web --property="$1" --value; }
is "nor is a page served" "$(page UnitFileState) $(page ActiveState)" "disabled inactive"
is "unit of the page" "$(systemd-analyze --user --man=no verify crated-web.service 2>&1)" ""
is "pages" "$(man --where crate crated crated.toml | wc --lines)" 3

port=$((20000 + $$ % 10000))
printf '%s\n' "music_folders = [\"$bring/Music\"]" "web = \"127.0.0.1:$port\"" \
  >~/.config/crated/config.toml
systemctl --user start crated crated-web
is "runs" "$(readlink "/proc/$(process)/exe")" /usr/bin/crated
crate sync >/dev/null
songs=$(find $bring/Music -type f ! -name cover.png | wc --lines)
is "songs" "$(crate paths Music | wc --lines)" "$songs"
crate rename Music Jazz >/dev/null
link=$(crate web --link)
is "link to the page" "${link%%#*}" "http://127.0.0.1:$port/"
is "the page is served" "$(curl --silent "$link" | grep --count '<title>Crated</title>')" 1

first=$(process) first_page=$(page MainPID)
install $bring/new.deb
is "upgraded" "$(dpkg-query --show --showformat '${Version}' crated)" \
  "$(dpkg-deb --field $bring/new.deb Version)"
[ "$(process)" != "$first" ] || { echo "the old daemon goes on" >&2; exit 1; }
[ "$(page MainPID)" != "$first_page" ] || { echo "the old page goes on" >&2; exit 1; }
is "it runs the new program" "$(readlink "/proc/$(process)/exe")" /usr/bin/crated
is "songs in their crate" "$(crate paths Jazz | wc --lines)" "$songs"

last=$(process) last_page=$(page MainPID)
dpkg --no-triggers --remove crated >/dev/null
is "removed" "$(state)" none
[ ! -e "/proc/$last" ] && [ ! -e "/proc/$last_page" ] || {
  echo "it goes on without its programs" >&2
  exit 1
}
# It has no settings of the system's, so there is nothing more to purge.
is "left" "$(left)" "$before"
is "crates stay" "$(grep --count --no-filename '^crate [a-z2-9]* Jazz$' "$store"/crates.*.txt | tail -1)" 1
echo "all good"
