#!/bin/sh
# Installs the Debian packages named, those that are missing; says nothing where none is. On Debian
# and Ubuntu of several years the same things have several names. On other systems it says what the
# missing ones are called there and how they are installed, and stops.
set -eu

# Where tests put another system's.
release=${OS_RELEASE:-/etc/os-release}

# The names under which Debian or Ubuntu has had a package, the usual one first.
names_of() {
  case $1 in
  libtag1-dev) echo libtag1-dev libtag-dev ;;
  pkg-config) echo pkg-config pkgconf ;;
  *) echo "$1" ;;
  esac
}

# What a package is called on Fedora, Arch and openSUSE; - where it has none.
elsewhere() {
  case $1 in
  libtag1-dev) echo taglib-devel taglib libtag-devel ;;
  libsqlite3-dev) echo sqlite-devel sqlite sqlite3-devel ;;
  libutf8proc-dev) echo utf8proc-devel libutf8proc utf8proc-devel ;;
  libxxhash-dev) echo xxhash-devel xxhash xxhash-devel ;;
  libjpeg-dev) echo libjpeg-turbo-devel libjpeg-turbo libjpeg8-devel ;;
  libpng-dev) echo libpng-devel libpng libpng16-devel ;;
  zlib1g-dev) echo zlib-devel zlib zlib-devel ;;
  libexpat1-dev) echo expat-devel expat libexpat-devel ;;
  pkg-config) echo pkgconf-pkg-config pkgconf pkgconf-pkg-config ;;
  g++) echo gcc-c++ gcc gcc-c++ ;;
  ffmpeg) echo ffmpeg-free ffmpeg ffmpeg ;;
  python3) echo python3 python python3 ;;
  python3-venv) echo python3 python python3 ;;
  python3-mutagen) echo python3-mutagen python-mutagen python3-mutagen ;;
  python3-mpd) echo python3-mpd python-mpd2 python3-python-mpd2 ;;
  libvterm0) echo libvterm libvterm libvterm0 ;;
  btrfs-progs) echo btrfs-progs btrfs-progs btrfsprogs ;;
  xvfb) echo xorg-x11-server-Xvfb xorg-server-xvfb xorg-x11-server-Xvfb ;;
  imagemagick) echo ImageMagick imagemagick ImageMagick ;;
  fonts-dejavu-core) echo dejavu-sans-mono-fonts ttf-dejavu dejavu-fonts ;;
  eyed3) echo python3-eyed3 python-eyed3 python3-eyeD3 ;;
  kid3-cli) echo kid3-common kid3-common kid3-cli ;;
  atomicparsley) echo AtomicParsley atomicparsley AtomicParsley ;;
  man-db) echo man-db man-db man ;;
  bsdextrautils) echo util-linux util-linux util-linux ;;
  dpkg-dev) echo dpkg-dev dpkg dpkg ;;
  lintian) echo lintian - - ;;
  *) echo "$1" "$1" "$1" ;;
  esac
}

# Which column of `elsewhere` this system's names are in; nothing: none.
system() {
  ID='' ID_LIKE=''
  # shellcheck disable=SC1090
  [ ! -r "$release" ] || . "$release"
  case " $ID $ID_LIKE " in
  *" debian "* | *" ubuntu "*) echo debian ;;
  *" fedora "* | *" rhel "*) echo fedora ;;
  *" arch "*) echo arch ;;
  *" suse "* | *" opensuse "*) echo opensuse ;;
  *) command -v dpkg-query >/dev/null && echo debian || echo other ;;
  esac
}

is_installed() {
  case $kind in
  debian)
    status=$(dpkg-query --show --showformat '${db:Status-Status}' "$1" 2>/dev/null || true)
    [ "$status" = installed ]
    ;;
  arch) pacman -T "$1" >/dev/null 2>&1 ;;
  *) rpm --query --whatprovides "$1" >/dev/null 2>&1 ;;
  esac
}

# The name that this system's lists of packages have; the usual one if they have none.
known_name() {
  for name in "$@"; do
    if apt-cache show --no-all-versions "$name" >/dev/null 2>&1; then
      echo "$name"
      return
    fi
  done
  echo "$1"
}

kind=$(system)
if [ "$kind" = other ]; then
  echo "This system's packages aren't known here; see that it has what these are on Debian: $*" >&2
  exit 0
fi

is_any_installed() {
  for name in "$@"; do
    if is_installed "$name"; then return 0; fi
  done
  return 1
}

# What this system calls a package; nothing where it has none.
name_here() {
  if [ "$kind" = debian ]; then
    # shellcheck disable=SC2046
    known_name $(names_of "$1")
    return
  fi
  # shellcheck disable=SC2046
  set -- $(elsewhere "$1")
  case $kind in
  fedora) name=$1 ;;
  arch) name=$2 ;;
  opensuse) name=$3 ;;
  esac
  [ "$name" = - ] || echo "$name"
}

find_missing() {
  missing=
  for package in "$@"; do
    # shellcheck disable=SC2046
    if [ "$kind" = debian ] && is_any_installed $(names_of "$package"); then continue; fi
    name=$(name_here "$package")
    case "$missing " in
    *" $name "*) continue ;;
    esac
    if [ -z "$name" ] || is_installed "$name"; then continue; fi
    missing="$missing $name"
  done
}

find_missing "$@"
[ -n "$missing" ] || exit 0

tell() {
  echo "Some packages are missing. As root, run" >&2
  echo "    $1$missing" >&2
  echo "and try again." >&2
  exit 1
}
case $kind in
fedora) tell "dnf install" ;;
arch) tell "pacman -S --needed" ;;
opensuse) tell "zypper install" ;;
esac

if [ "$(id -u)" = 0 ]; then
  as_root=env
elif command -v sudo >/dev/null; then
  as_root=sudo
else
  tell "apt-get install"
fi

echo "Installing$missing"
install() {
  # The list is words.
  # shellcheck disable=SC2086
  $as_root env DEBIAN_FRONTEND=noninteractive \
    apt-get install --yes --quiet --no-install-recommends $missing
}
# The lists of packages may be missing or too old to install from, and tell other names.
install || { $as_root apt-get update --quiet && find_missing "$@" && install; } || {
  [ "$as_root" = env ] || tell "apt-get install"
  exit 1
}
