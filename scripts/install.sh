#!/bin/sh
# install.sh install|uninstall PROGRAMS PREFIX DESTDIR
#
# With the PREFIX ~/.local everything goes where a person's own programs and units are looked for;
# with another one, where a system's are. DESTDIR stands before every path, for packages.
set -eu

action=$1 programs=$2 prefix=$3 destination=$4
root=$(cd "$(dirname "$0")/.." && pwd)
units=$prefix/lib/systemd/user
[ "$prefix" != "$HOME/.local" ] || units=${XDG_CONFIG_HOME:-$HOME/.config}/systemd/user
bin=$prefix/bin
# No command of a person's, so not in their PATH; crated looks there, seen from its own place.
libexec=$prefix/libexec/crated
# Only an archive for any system brings libraries.
libraries=$prefix/lib/crated
share=$prefix/share
documents=$share/doc/crated

# put MODE FILE TARGET
put() {
  if [ -e "$2" ]; then install -D -m "$1" "$2" "$destination$3"; fi
}

completion() {
  mkdir -p "$(dirname "$destination$3")"
  "$programs/$1" --generate-completion-script "$2" >"$destination$3"
}

# A crated of this build that “make run” left running would keep the service from starting.
give_way() {
  pid=$("$programs/crate" status --json 2>/dev/null | sed -n 's/.*"pid":\([0-9]*\).*/\1/p') || pid=
  [ -n "$pid" ] || return 0
  case $(readlink "/proc/$pid/exe") in
  "$(cd "$programs" && pwd -P)/crated"*) ;;
  *) return 0 ;;
  esac
  kill "$pid"
  tries=0
  while [ -e "/proc/$pid/exe" ]; do
    tries=$((tries + 1))
    [ "$tries" -le 300 ] || { echo "It does not end: kill $pid" >&2; return 0; }
    sleep 0.1
  done
  echo "The crated that “make run” had started (process $pid) has ended, to make room."
}

# The units that are installed here, if they are the ones that systemd knows.
stop_service() {
  known=$(systemctl --user show --property=FragmentPath --value crated.service 2>/dev/null) || known=
  [ "$known" = "$units/crated.service" ] || return 0
  systemctl --user disable --now crated-web.service crated.socket crated.service 2>/dev/null || true
}

manual_pages='man1/crate.1 man8/crated.8 man5/crated.toml.5'

case $action in
install)
  put 755 "$programs/crated" "$bin/crated"
  put 755 "$programs/crate" "$bin/crate"
  put 755 "$programs/crate-tag-reader" "$libexec/crate-tag-reader"
  for library in "$programs"/lib/*; do put 644 "$library" "$libraries/${library##*/}"; done
  for name in crated crated-web; do
    unit=$(mktemp)
    sed "s|^ExecStart=%h/.local/bin|ExecStart=$bin|" "$root/systemd/$name.service" >"$unit"
    put 644 "$unit" "$units/$name.service"
    rm "$unit"
  done
  put 644 "$root/systemd/crated.socket" "$units/crated.socket"
  put 644 "$root/systemd/crated.service.d/namespaces.conf" "$documents/namespaces.conf"
  # As they lie in the sources, so that their links lead somewhere.
  for file in README.md CHANGELOG.md LICENSE config.example.toml; do
    put 644 "$root/$file" "$documents/$file"
  done
  for page in "$root"/Documentation/README.md "$root"/Documentation/*/*.*; do
    case $page in
    */man/*) ;;
    *) put 644 "$page" "$documents/${page#"$root"/}" ;;
    esac
  done
  for page in $manual_pages; do
    put 644 "$root/Documentation/man/${page#*/}" "$share/man/$page"
  done
  for program in crate crated; do
    completion $program bash "$share/bash-completion/completions/$program"
    completion $program zsh "$share/zsh/site-functions/_$program"
    completion $program fish "$share/fish/vendor_completions.d/$program.fish"
  done
  [ -n "$destination" ] || give_way
  # For the units to count at a restart.
  [ -n "$destination" ] || systemctl --user daemon-reload 2>/dev/null || true
  echo "Installed. To start crated now and at every login:"
  echo "    systemctl --user daemon-reload && systemctl --user enable --now crated"
  case :$PATH: in
  *":$bin:"*) ;;
  *) [ -n "$destination" ] || echo "$bin is not in your PATH; “crate” is there." ;;
  esac
  ;;
uninstall)
  [ -n "$destination" ] || stop_service
  rm -f "$destination$bin/crated" "$destination$bin/crate" \
    "$destination$libexec/crate-tag-reader" "$destination$units/crated.service" \
    "$destination$units/crated-web.service" "$destination$units/crated.socket" \
    "$destination$share/bash-completion/completions/crate" \
    "$destination$share/bash-completion/completions/crated" \
    "$destination$share/zsh/site-functions/_crate" \
    "$destination$share/zsh/site-functions/_crated" \
    "$destination$share/fish/vendor_completions.d/crate.fish" \
    "$destination$share/fish/vendor_completions.d/crated.fish"
  rm -rf "$destination$documents" "$destination$libraries"
  for page in $manual_pages; do rm -f "$destination$share/man/$page"; done
  rmdir "$destination$libexec" 2>/dev/null || true
  [ -n "$destination" ] || systemctl --user daemon-reload 2>/dev/null || true
  echo "Removed. Your crates are still in ${XDG_DATA_HOME:-$HOME/.local/share}/crated."
  ;;
*)
  echo "usage: $0 install|uninstall PROGRAMS PREFIX DESTDIR" >&2
  exit 64
  ;;
esac
