#!/bin/sh
# tarball.sh PROGRAMS TARGET
#
# Puts the programs of a release build, the libraries that they need and an installer into an archive
# in the directory TARGET, and prints its path. It runs wherever glibc is as new as this machine's.
# The same sources, programs and tools give the same bytes.
set -eu

root=$(cd "$(dirname "$0")/.." && pwd)
programs=$1
name=crated-$(sh "$root/scripts/version.sh")-linux-$(uname -m)
date=@$(sh "$root/scripts/version.sh" date)
mkdir -p "$2"
target=$(cd "$2" && pwd)
umask 022

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tree=$work/$name
# As install.sh finds them in the sources.
mkdir -p "$tree/bin/lib" "$tree/licenses" "$tree/scripts"
for file in README.md CHANGELOG.md LICENSE config.example.toml Documentation systemd; do
  cp -R "$root/$file" "$tree/"
done
cp "$root/scripts/install.sh" "$tree/scripts/"
cp "$programs/crate" "$programs/crated" "$programs/crate-tag-reader" "$tree/bin/"
sh "$root/scripts/strip.sh" "$tree"/bin/crate*

# All but what comes with the system's C and C++.
ldd "$tree"/bin/crate* | sed -n 's/.* => \(\/.*\) (.*/\1/p' | sort -u | while read -r library; do
  case ${library##*/} in
  libc.so* | libm.so* | libstdc++.so* | libgcc_s.so*) continue ;;
  esac
  cp --dereference "$library" "$tree/bin/lib/"
  # A package may know it by its path of before /lib was /usr/lib.
  file=$(realpath "$library")
  package=$(dpkg-query --search "$file" "${file#/usr}" 2>/dev/null | sed 's/:.*//')
  cp "/usr/share/doc/$package/copyright" "$tree/licenses/$package"
done
cp "$root/packaging/debian/copyright" "$tree/licenses/libutf8proc"
# Beside the programs, and where install.sh puts them.
for program in crate crated crate-tag-reader; do
  patchelf --set-rpath "\$ORIGIN/lib:\$ORIGIN/../lib/crated:\$ORIGIN/../../lib/crated" \
    "$tree/bin/$program"
done
for library in "$tree"/bin/lib/*; do patchelf --set-rpath "\$ORIGIN" "$library"; done
for action in install uninstall; do
  cat >"$tree/$action" <<END
#!/bin/sh
# ./$action [PREFIX]          for you, under ~/.local, or for all under /usr/local
exec sh "\$(dirname "\$0")/scripts/install.sh" $action "\$(dirname "\$0")/bin" "\${1:-\$HOME/.local}" "\${DESTDIR:-}"
END
  chmod 755 "$tree/$action"
done

archive=$target/$name.tar.xz
tar --create --directory "$work" --sort=name --mtime="$date" --owner=0 --group=0 --numeric-owner \
  --format=gnu "$name" | xz -T1 >"$archive"
echo "$archive"
