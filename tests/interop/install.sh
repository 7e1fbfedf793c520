#!/usr/bin/env bash
# install.sh BUILD: the tree that `cmake --install` makes works after it was moved.
set -u
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
cmake --install "$1" --prefix "$work/first" >"$work/log" 2>&1 || { tail -n 5 "$work/log"; exit 1; }
mv "$work/first" "$work/second"
root=$work/second bad=0
for file in bin/weft bin/weft-studio share/applications/io.weft.Studio.desktop share/icons/hicolor/scalable/apps/io.weft.Studio.svg \
            share/mime/packages/io.weft.Studio.xml share/bash-completion/completions/weft share/weft/examples/lenet.weft \
            share/weft/against/run_tf.py share/metainfo/io.weft.Studio.metainfo.xml share/man/man1/weft.1; do
  [ -f "$root/$file" ] || { echo "$file is not installed"; bad=1; }
done
[ -z "$(find "$root" -type l -lname '/*')" ] || { echo "a link leaves the tree: $(find "$root" -type l -lname '/*' | head -n 1)"; bad=1; }
cd /
"$root/bin/weft" --version >"$work/log" 2>&1 || { echo "weft does not start: $(tail -n 1 "$work/log")"; bad=1; }
"$root/bin/weft-studio" --version >"$work/log" 2>&1 || { echo "weft-studio does not start: $(tail -n 1 "$work/log")"; bad=1; }
"$root/bin/weft" train "$root/share/weft/examples/softmax.weft" --epochs 1 >"$work/log" 2>&1 || { echo "an installed example does not train: $(tail -n 1 "$work/log")"; bad=1; }
[ ! -f "$root/lib/weft/python/bootstrap.py" ] || [ "$(env -u VIRTUAL_ENV "$root/bin/weft" py - <<<'import tensorflow as tf; print(tf.__version__)' 2>"$work/log")" = 1.15.5 ] || { echo "weft py does not run: $(tail -n 1 "$work/log")"; bad=1; }
# The programs must not contain paths of the build folder.
if ldd "$root/bin/weft-studio" "$root/bin/weft" | grep -E 'weft' | grep -v "$root" | grep '=>'; then echo "libraries are loaded from outside the tree"; bad=1; fi
exit $bad
