#!/bin/sh
# Starts crated, on the music folder of whoever runs this or, without music there, on made-up
# songs, and shows what it made of it. To be called as: run.sh BUILD-DIRECTORY
set -eu

build=$(cd "$1" && pwd)
programs=$build/release
run=$build/run

# --- Which music -------------------------------------------------------------------------------

settings=${XDG_CONFIG_HOME:-$HOME/.config}/crated/config.toml
folder=$HOME/Music
directories=${XDG_CONFIG_HOME:-$HOME/.config}/user-dirs.dirs
if [ -r "$directories" ]; then
  # The file is made to be read by a shell.
  folder=$(XDG_MUSIC_DIR= && . "$directories" && echo "${XDG_MUSIC_DIR:-$HOME/Music}")
  [ "${folder%/}" != "${HOME%/}" ] || folder=$HOME/Music
fi

mkdir -p "$run"
crate=$run/crate
isDemo=
if [ -e "$settings" ]; then
  place="the music folders in $settings"
elif [ -n "$(find -L "$folder" -type f -print 2>/dev/null | head -n 1)" ]; then
  place=$folder
else
  # Nothing of the person's is touched: every directory that Crated uses is another one.
  echo "There is no music in $folder, so here is some that was made up."
  place=$run/Music
  isDemo=1
  export XDG_CONFIG_HOME="$run/config" XDG_DATA_HOME="$run/data" XDG_CACHE_HOME="$run/cache"
  export XDG_STATE_HOME="$run/state"
  XDG_RUNTIME_DIR=$run/runtime
  mkdir -p "$XDG_CONFIG_HOME/crated"
  # A TOML string has its own meaning for \ and ".
  quoted=$(printf %s "$place" | sed 's/\\/\\\\/g; s/"/\\"/g')
  printf 'music_folders = ["%s"]\n' "$quoted" >"$XDG_CONFIG_HOME/crated/config.toml"
  # Under another name until it is whole.
  [ -d "$place" ] || { "$programs/demo-music" "$place.new" && mv "$place.new" "$place"; }
fi
# The daemon of made-up songs that an earlier call left ends where there is music now.
if [ -z "$isDemo" ] && grep -qs "XDG_DATA_HOME='$run/data'" "$crate"; then
  left=$("$crate" status --json 2>/dev/null | sed -n 's/.*"pid":\([0-9]*\).*/\1/p')
  if [ -n "$left" ] && kill "$left" 2>/dev/null; then
    echo "The crated of the made-up songs (process $left) was stopped."
  fi
fi
if [ -z "${XDG_RUNTIME_DIR:-}" ]; then
  echo "XDG_RUNTIME_DIR is not set here; the socket will be under $run."
  XDG_RUNTIME_DIR=$run/runtime
fi
# A socket's path has at most 107 bytes.
if [ "${#XDG_RUNTIME_DIR}" -gt 80 ]; then XDG_RUNTIME_DIR=/tmp/crated-$(id -u); fi
export XDG_RUNTIME_DIR
[ -d "$XDG_RUNTIME_DIR" ] || mkdir -p -m 700 "$XDG_RUNTIME_DIR"
[ -O "$XDG_RUNTIME_DIR" ] || { echo "$XDG_RUNTIME_DIR belongs to somebody else." >&2; exit 1; }

# The programs with the same surroundings, for use afterwards.
for program in crate crated; do
  {
    echo '#!/bin/sh'
    for name in XDG_CONFIG_HOME XDG_DATA_HOME XDG_CACHE_HOME XDG_STATE_HOME XDG_RUNTIME_DIR; do
      eval "value=\${$name:-}"
      [ -z "$value" ] ||
        printf "export %s='%s'\n" "$name" "$(printf %s "$value" | sed "s/'/'\\\\''/g")"
    done
    printf "exec '%s' \"\$@\"\n" "$(printf %s "$programs/$program" | sed "s/'/'\\\\''/g")"
  } >"$run/$program"
  chmod +x "$run/$program"
done

# --- The daemon --------------------------------------------------------------------------------

log=$run/crated.log
if "$crate" status >/dev/null 2>&1; then
  echo "A crated is running already; this is what it has."
  started=
else
  : >"$log"
  # A session of its own: closing the terminal does not end it.
  setsid "$programs/crated" >>"$log" 2>&1 </dev/null &
  started=$!
  tries=0
  until "$crate" status >/dev/null 2>&1; do
    tries=$((tries + 1))
    if ! kill -0 "$started" 2>/dev/null || [ "$tries" -gt 300 ]; then
      echo "crated did not start. It says:" >&2
      cat "$log" >&2
      if kill "$started" 2>/dev/null; then :; fi
      exit 1
    fi
    sleep 0.1
  done
  echo "crated is running (process $started) and reads $place …"
fi
"$crate" sync >/dev/null

# --- What there is -----------------------------------------------------------------------------

echo
"$crate" list
echo
echo "To have crate and crated in this terminal:"
echo "    PATH=$run:\$PATH"
echo "Go on with"
printf '    %-24s %s\n' \
  "crate list Music" "the albums of the crate “Music”" \
  "crate list Music 1" "the songs of its first album" \
  "crate move Music 3 top" "puts its third album on top" \
  "crate browse" "covers, and the order in your hands; ? shows the keys" \
  "crate web" "the same as a page in your web browser" \
  "crate --help" "everything else"
if [ -n "$isDemo" ]; then
  echo "The made-up songs lie in $place."
  echo "When there is music in $folder, \`make run\` takes that in their place."
fi
if [ -n "$started" ]; then
  printf '    %-24s %s\n' "kill $started" "stops crated; what it keeps stays where it is"
  echo "What crated reports is in $log."
fi
