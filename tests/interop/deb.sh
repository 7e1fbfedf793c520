#!/usr/bin/env bash
# deb.sh BUILD: packs the .deb and checks its contents, from an unpacked copy. Exit status 77: no dpkg-dev.
# deb.sh --chroot DEB FOLDER: installs DEB in a new Debian made by debootstrap in FOLDER, uses it there and purges it. Needs root, debootstrap and Debian's packages.
set -u
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
bad=0
complain() { echo "$*"; bad=1; }
cat >"$work/line.py" <<'P'
import tensorflow as tf
x = tf.get_variable("x", [], initializer=tf.zeros_initializer())
step = tf.train.GradientDescentOptimizer(0.5).minimize((x - 3) ** 2)
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    session.run(step)
    print("x is", session.run(x), tf.__version__)
P

if [ "$1" = --chroot ]; then
  deb=$(realpath "$2"); mkdir -p "$3"; root=$(realpath "$3")
  [ -e "$root/usr" ] || debootstrap --variant=minbase "$(. /etc/os-release; echo "$VERSION_CODENAME")" "$root" >"$work/log" 2>&1 || { tail -n 3 "$work/log"; exit 1; }
  # This machine's way to Debian's packages.
  cp -a /etc/apt/apt.conf.d/. "$root/etc/apt/apt.conf.d/"; cp /etc/resolv.conf "$root/etc/" 2>/dev/null
  [ ! -e /etc/apt/sources.list.d/debian.sources ] || { cp /etc/apt/sources.list.d/debian.sources "$root/etc/apt/sources.list.d/"; : >"$root/etc/apt/sources.list"; }
  mkdir -p "$root/etc/ssl/certs"; cp -a /etc/ssl/certs/. "$root/etc/ssl/certs/" 2>/dev/null
  inside() { chroot "$root" env DEBIAN_FRONTEND=noninteractive HOME=/root LC_ALL=C.UTF-8 QT_QPA_PLATFORM=offscreen PATH=/usr/sbin:/usr/bin:/sbin:/bin "$@"; }
  cp "$deb" "$root/weft.deb"
  mount -t proc proc "$root/proc" || { echo "$root/proc cannot be mounted, without which programs do not find libraries beside them"; exit 1; }
  trap 'umount "$root/proc"; rm -rf "$work"' EXIT
  inside apt-get update -qq >"$work/log" 2>&1 || { tail -n 3 "$work/log"; exit 1; }
  # All that the package depends on comes first, so that what is left after the purge is the package's own.
  inside sh -c 'apt-get install -y -qq --simulate /weft.deb | sed -n "s/^Inst \([^ ]*\).*/\1/p" | grep -vx weft | xargs apt-get install -y -qq' >"$work/log" 2>&1 || { tail -n 3 "$work/log"; exit 1; }
  inside apt-get install -y -qq shared-mime-info desktop-file-utils hicolor-icon-theme appstream libglib2.0-bin >"$work/log" 2>&1 || { tail -n 3 "$work/log"; exit 1; }
  list() { (cd "$root" && find . -xdev \( -path ./proc -o -path ./sys -o -path ./dev -o -path ./tmp -o -path ./var -o -path ./root \) -prune -o -print | grep -v -e '/__pycache__' | sort); }
  list >"$work/before"
  inside apt-get install -y -qq /weft.deb >"$work/log" 2>&1 || { tail -n 5 "$work/log"; complain "it cannot be installed"; }
  inside dpkg -V weft || complain "dpkg finds changed files"
  cp "$work/line.py" "$root/tmp/"
  cd "$root" || exit 1
  [ "$(inside weft py /tmp/line.py)" = "x is 3.0 1.15.5" ] || complain "weft py does not run: $(inside weft py /tmp/line.py 2>&1 | tail -n 1)"
  [ -n "$(find "$root/usr/lib/weft/python" -name '*.pyc' | head -n 1)" ] || complain "the Python modules are not compiled"
  inside weft train /usr/share/weft/examples/softmax.weft --epochs 1 >"$work/log" 2>&1 || complain "an example does not train: $(tail -n 1 "$work/log")"
  inside weft-studio --version >/dev/null || complain "weft-studio does not start"
  inside python3 -c 'import importlib.util, sys; sys.exit(importlib.util.find_spec("tensorflow") is not None)' || complain "other programs see Weft's tensorflow"
  # The menu entry opens the window, by the line that a desktop would run.
  command=$(sed -n 's/^Exec=\([^ ]*\).*/\1/p' "$root/usr/share/applications/io.weft.Studio.desktop")
  printf 'quit\n' >"$root/tmp/quit"
  inside timeout 60 "$command" --script /tmp/quit >"$work/log" 2>&1 || complain "the window of the menu entry does not open: $(tail -n 1 "$work/log")"
  cp "$root/usr/share/weft/examples/softmax.weft" "$root/tmp/a.weft"
  inside gio info -a standard::content-type /tmp/a.weft | grep -q application/x-weft-document || complain "the MIME type of .weft is not known"
  grep -q 'application/x-weft-document=.*io.weft.Studio.desktop' "$root/usr/share/applications/mimeinfo.cache" || complain "the desktop database does not know the program"
  inside appstreamcli validate --no-net /usr/share/metainfo/io.weft.Studio.metainfo.xml >"$work/log" 2>&1 || complain "AppStream data: $(tail -n 3 "$work/log")"
  inside apt-get purge -y -qq weft >"$work/log" 2>&1 || complain "it cannot be purged: $(tail -n 1 "$work/log")"
  list >"$work/after"
  diff "$work/before" "$work/after" >"$work/left" || { head -n 5 "$work/left"; complain "files differ after the purge"; }
  [ -z "$(inside dpkg -l weft 2>/dev/null | grep '^.[^n]')" ] || complain "dpkg still knows the package"
  [ $bad = 0 ] && echo fine
  exit $bad
fi

build=$1
command -v dpkg-shlibdeps >/dev/null || { echo "skipped: dpkg-dev is not installed"; exit 77; }
(cd "$build" && cpack -G DEB -B "$work/packed") >"$work/log" 2>&1 || { tail -n 5 "$work/log"; exit 1; }
deb=$(echo "$work"/packed/*.deb)
dpkg-deb -x "$deb" "$work/root" && dpkg-deb -e "$deb" "$work/control" || exit 1
cp -r "$work/root" "$work/installed"
root=$work/installed
for file in bin/weft bin/weft-studio lib/weft/python/weft/__init__.py share/applications/io.weft.Studio.desktop share/icons/hicolor/scalable/apps/io.weft.Studio.svg \
            share/mime/packages/io.weft.Studio.xml share/metainfo/io.weft.Studio.metainfo.xml share/man/man1/weft.1.gz share/doc/weft/copyright share/doc/weft/changelog.gz; do
  [ -f "$root/usr/$file" ] || complain "/usr/$file is not in the package"
done
[ -z "$(find "$root" -type l -lname '/*')" ] || complain "a link leaves the package: $(find "$root" -type l -lname '/*' | head -n 1)"
[ -z "$(find "$root" -mindepth 1 -maxdepth 1 ! -name usr)" ] || complain "files outside of /usr"
for library in libqt6widgets6 libprotobuf libdnnl; do grep -q "^Depends:.*$library" "$work/control/control" || complain "it does not depend on $library"; done
grep -q '^Depends:.*libweft' "$work/control/control" && complain "it depends on its own libraries"
for script in postinst prerm postrm; do sh -n "$work/control/$script" || complain "$script does not parse"; done
(cd "$root" && md5sum --quiet -c "$work/control/md5sums") || complain "checksums differ"
cd /
"$root/usr/bin/weft-studio" --version >"$work/log" 2>&1 || complain "weft-studio does not start: $(tail -n 1 "$work/log")"
[ ! -f "$root/usr/lib/weft/python/bootstrap.py" ] || [ "$(env -u VIRTUAL_ENV -u WEFT_PYTHON "$root/usr/bin/weft" py "$work/line.py" 2>"$work/log")" = "x is 3.0 1.15.5" ] || complain "weft py: $(tail -n 1 "$work/log")"
ldd "$root/usr/bin/weft-studio" "$root"/usr/lib/weft/*.so | grep weft | grep '=>' | grep -v "$root" && complain "libraries are loaded from outside of the package"
! command -v desktop-file-validate >/dev/null || desktop-file-validate "$root/usr/share/applications/io.weft.Studio.desktop" || complain "the menu entry is not valid"
! command -v appstreamcli >/dev/null || appstreamcli validate --no-net "$root/usr/share/metainfo/io.weft.Studio.metainfo.xml" >"$work/log" 2>&1 || complain "AppStream data: $(tail -n 3 "$work/log")"
! command -v lintian >/dev/null || lintian --fail-on error,warning "$deb" >"$work/log" 2>&1 || { cat "$work/log"; complain "lintian finds faults"; }
exit $bad
