#!/bin/sh
# Installs the Debian packages named, those that are missing; says nothing where none is.
set -eu

if ! command -v dpkg-query >/dev/null; then
  echo "This is no Debian system; please see that it has what these Debian packages hold: $*" >&2
  exit 0
fi

missing=
for package in "$@"; do
  case $(dpkg-query --show --showformat '${db:Status-Status}' "$package" 2>/dev/null || true) in
  installed) ;;
  *) missing="$missing $package" ;;
  esac
done
[ -n "$missing" ] || exit 0

if [ "$(id -u)" = 0 ]; then
  as_root=env
elif command -v sudo >/dev/null; then
  as_root=sudo
else
  echo "Some packages are missing, and only root can install them. As root, run" >&2
  echo "    apt-get install$missing" >&2
  echo "and try again." >&2
  exit 1
fi

echo "Installing$missing"
install() {
  # The list is words.
  # shellcheck disable=SC2086
  $as_root env DEBIAN_FRONTEND=noninteractive \
    apt-get install --yes --quiet --no-install-recommends $missing
}
# The lists of packages may be missing or too old to install from.
install || { $as_root apt-get update --quiet && install; }
