#!/usr/bin/env bash
# make_pictures.sh [--all FOLDER [--look LOOK] [--size WxH]] [--studio WEFT_STUDIO] [SCENE...]: plays the scenes with the program itself, without a display.
# Makes the pictures that the help and the README show, in resources/help/images, with a palette of 255 colours where ImageMagick is there; each must stay
# below 150 kB.
# --all FOLDER: every picture of every scene instead, light, dark, in Chinese and at 200 %, in FOLDER/light, FOLDER/dark, FOLDER/zh_CN, FOLDER/200;
# --look light|dark|zh|200: only one of these; --size: in windows of another size than the scenes say.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
repo=$(cd "$here/../.." && pwd)
studio=$repo/build/release/bin/weft-studio
all=
looks="light dark zh_CN 200"
window=
failed=0
scenes=()
while [ $# -gt 0 ]; do
  case $1 in
    --all) mkdir -p "$2"; all=$(cd "$2" && pwd); shift 2 ;;
    --look) [ "$2" = zh ] && looks=zh_CN || looks=$2; shift 2 ;;
    --size) window=$2; shift 2 ;;
    --studio) studio=$2; shift 2 ;;
    *) scenes+=("$1"); shift ;;
  esac
done
[ ${#scenes[@]} -gt 0 ] || for file in "$here"/scenes/*.script; do scenes+=("$(basename "$file" .script)"); done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export QT_QPA_PLATFORM=offscreen XDG_DATA_HOME=$work/data XDG_RUNTIME_DIR=$work LC_ALL=C.UTF-8 QT_LOGGING_RULES='qt.qpa.*=false'

bin=$(dirname "$studio")
servers=()
"$bin/weft-examples" "$work/examples" >/dev/null
for steps in 40 80; do "$bin/weft" train "$work/examples/lenet.weft" --steps $steps --checkpoint "$work/ckpt$steps" --logdir "$work/log" >/dev/null 2>&1; done

# play SCENE FOLDER OPTION...: what the scene needs beside its script is made here.
play() {
  local scene=$1 out=$2 size= servers=(); shift 2
  read -r _ size _ <"$here/scenes/$scene.script"
  rm -rf "$work/data"  # runs and settings of the scene before
  sed -e "s|OUT/|$out/|g; s|WORK/|$work/|g; s|REPO/|$repo/|g" "$here/scenes/$scene.script" >"$work/script"
  case $scene in
    changed-file)  # another program writes the file while it is open and changed
      cp "$work/examples/lenet.weft" "$work/changed.weft"
      rm -f "$work/opened.png"
      (for _ in $(seq 300); do sleep 0.2; [ ! -s "$work/opened.png" ] || break; done; cp "$work/examples/mlp.weft" "$work/changed.weft") & ;;
    cluster)  # a worker that waits for a parameter server, which waits for an element of a queue
      cat >"$work/waits.pbtxt" <<'END'
node { name: 'q' op: 'FIFOQueueV2' device: '/job:ps/task:0' attr { key: 'component_types' value { list { type: DT_FLOAT } } } attr { key: 'shared_name' value { s: 'sync_token_q' } } }
node { name: 'token' op: 'QueueDequeueV2' input: 'q' device: '/job:ps/task:0' attr { key: 'component_types' value { list { type: DT_FLOAT } } } }
node { name: 'sum' op: 'Add' input: 'token' input: 'token' device: '/job:worker/task:0' attr { key: 'T' value { type: DT_FLOAT } } }
END
      for task in "ps 0" "worker 0" "worker 1"; do
        "$bin/weft" server --cluster ps=localhost:22220 --cluster worker=localhost:22221,localhost:22222 --job ${task% *} --task ${task#* } >/dev/null 2>&1 &
        servers+=($!)
      done
      sleep 1
      "$bin/weft" run "$work/waits.pbtxt" --fetch sum:0 --target grpc://localhost:22221 >/dev/null 2>&1 &
      servers+=($!) ;;
    debugger-server)  # a cluster of two tasks
      for job in ps worker; do
        "$bin/weft" server --cluster ps=localhost:34717 --cluster worker=localhost:34718 --job $job --task 0 >/dev/null 2>&1 &
        servers+=($!)
      done ;;
    gpus) export WEFT_GPU=host ;;  # the device code on the processor
    meshes) python3 "$here/make_meshes.py" "$work/meshes" ;;
    earlier)  # a run of another day
      printf 'file.new mlp\nwait idle\nrun.train --epochs 3 --set seed=7\nwait idle\n' | "$studio" "$@" --script - 2>/dev/null ;;
    recovery)  # a session that was ended from outside
      export WEFT_RECOVERY=$work/recovery
      rm -rf "$WEFT_RECOVERY"
      rm -f "$work/lost.png"
      printf 'file.new lenet\nwait idle\ngraph.delete conv2\nwait idle\nwait 1\nscreenshot %s\nwait 60\n' "$work/lost.png" | "$studio" --script - 2>/dev/null &
      for _ in $(seq 300); do sleep 0.2; [ ! -s "$work/lost.png" ] || break; done
      kill -9 $! && wait $! || true ;;
    remote)  # the other machine is a folder of this one, without the network
      rm -rf /tmp/experiments
      mkdir -p /tmp/experiments/{lenet,word2vec,archive}
      cp -r "$work/log" /tmp/experiments/lenet/run1
      printf '#!/bin/sh\nexec /usr/lib/openssh/sftp-server\n' >"$work/ssh"
      chmod +x "$work/ssh"
      export WEFT_SSH=$work/ssh ;;
  esac
  timeout 300 "$studio" --size "${window:-$size}" "$@" --script "$work/script" 2> >(grep -v '^This plugin does not support' >&2) || { echo "scene $scene failed" >&2; failed=1; }
  [ -z "${WEFT_SSH:-}" ] || rm -rf /tmp/experiments
  unset WEFT_GPU WEFT_RECOVERY WEFT_SSH
  if [ ${#servers[@]} -gt 0 ]; then kill "${servers[@]}" 2>/dev/null; wait "${servers[@]}" 2>/dev/null || true; fi
  servers=()
}

for scene in "${scenes[@]}"; do
  if [ -n "$all" ]; then
    for look in $looks; do
      case $look in
        light | dark) play "$scene" "$all/$look" --theme "$look" ;;
        200) QT_SCALE_FACTOR=2 play "$scene" "$all/200" ;;
        *) play "$scene" "$all/$look" --lang "$look" ;;
      esac
    done
  else
    look=()
    for word in $(sed -n '1s/^# [0-9x]*//p' "$here/scenes/$scene.script"); do
      case $word in dark) look+=(--theme dark) ;; *) look+=(--lang "$word") ;; esac
    done
    play "$scene" "$work/out" "${look[@]}"
  fi
done
[ -z "$all" ] || exit $failed
for picture in "$work"/out/*.png; do
  name=$(basename "$picture")
  grep -rqsF "images/$name" "$here"/en "$here"/zh_CN "$repo/README.md" || continue
  # Text and flat colours need no more: a third of the bytes, and nothing that the eye sees.
  ! command -v convert >/dev/null || convert "$picture" -dither None -colors 255 -strip -define png:compression-level=9 "PNG8:$picture"
  size=$(stat -c %s "$picture")
  [ "$size" -lt 150000 ] || { echo "$name: $size bytes, at most 150000 are allowed" >&2; exit 1; }
  cp "$picture" "$here/images/$name"
done
exit $failed
