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
share=$prefix/share

# put MODE FILE TARGET
put() {
  if [ -e "$2" ]; then install -D -m "$1" "$2" "$destination$3"; fi
}

completion() {
  mkdir -p "$(dirname "$destination$2")"
  "$programs/crate" --generate-completion-script "$1" >"$destination$2"
}

manual_pages='man1/crate.1 man8/crated.8 man5/crated.toml.5'

case $action in
install)
  put 755 "$programs/crated" "$bin/crated"
  put 755 "$programs/crate" "$bin/crate"
  put 755 "$programs/crate-tag-reader" "$libexec/crate-tag-reader"
  unit=$(mktemp)
  sed "s|^ExecStart=.*|ExecStart=$bin/crated|" "$root/systemd/crated.service" >"$unit"
  put 644 "$unit" "$units/crated.service"
  rm "$unit"
  put 644 "$root/systemd/crated.socket" "$units/crated.socket"
  put 644 "$root/systemd/crated.service.d/namespaces.conf" "$share/doc/crated/namespaces.conf"
  put 644 "$root/config.example.toml" "$share/doc/crated/config.example.toml"
  put 644 "$root/LICENSE" "$share/doc/crated/LICENSE"
  for page in $manual_pages; do
    put 644 "$root/Documentation/man/${page#*/}" "$share/man/$page"
  done
  completion bash "$share/bash-completion/completions/crate"
  completion zsh "$share/zsh/site-functions/_crate"
  completion fish "$share/fish/vendor_completions.d/crate.fish"
  echo "Installed. To start crated now and at every login:"
  echo "    systemctl --user daemon-reload && systemctl --user enable --now crated"
  case :$PATH: in
  *":$bin:"*) ;;
  *) [ -n "$destination" ] || echo "$bin is not in your PATH; “crate” is there." ;;
  esac
  ;;
uninstall)
  rm -f "$destination$bin/crated" "$destination$bin/crate" \
    "$destination$libexec/crate-tag-reader" "$destination$units/crated.service" \
    "$destination$units/crated.socket" "$destination$share/doc/crated/namespaces.conf" \
    "$destination$share/bash-completion/completions/crate" \
    "$destination$share/zsh/site-functions/_crate" \
    "$destination$share/fish/vendor_completions.d/crate.fish" \
    "$destination$share/doc/crated/config.example.toml" "$destination$share/doc/crated/LICENSE"
  for page in $manual_pages; do rm -f "$destination$share/man/$page"; done
  rmdir "$destination$libexec" "$destination$share/doc/crated" 2>/dev/null || true
  echo "Removed. Your crates are still in ${XDG_DATA_HOME:-$HOME/.local/share}/crated."
  ;;
*)
  echo "usage: $0 install|uninstall PROGRAMS PREFIX DESTDIR" >&2
  exit 64
  ;;
esac
