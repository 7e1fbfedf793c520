#!/usr/bin/env bash
# make_pictures.sh [WEFT_STUDIO]: makes the pictures of the help and of the README with the program itself, without a display.
# They lie in resources/help/images; each must stay below 250 kB (those of single widgets below 100 kB).
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
studio=${1:-$here/../../build/release/bin/weft-studio}
out=$here/images
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$out"
export QT_QPA_PLATFORM=offscreen XDG_DATA_HOME=$work XDG_RUNTIME_DIR=$work LC_ALL=C.UTF-8 QT_LOGGING_RULES='qt.qpa.*=false'

cat >"$work/start" <<END
wait idle
screenshot $out/start.png
END
cat >"$work/graph" <<END
file.new lenet
wait idle
graph.expand conv1
graph.select conv1
graph.fit-selection
wait 0.5
graph.select conv1/Conv2D
wait 0.5
screenshot $out/graph.png
END
cat >"$work/train" <<END
file.new lenet
wait idle
layout.use train
wait 0.5
graph.fit
run.train
wait 6
screenshot $out/training.png
run.stop
wait idle
END
cat >"$work/dark" <<END
file.new mlp
wait idle
run.train --epochs 8
wait idle
graph.fit
wait 0.5
screenshot $out/dark-zh.png
END
cat >"$work/debugger" <<END
file.open $here/../../tests/debug/loop.pb
wait idle
debug.break rnn/cell/tanh --if "iteration == 5"
debug.watch rnn/Identity:0
debug.watch rnn/Identity_1:0
debug.watch mean(w:0)
debug.start --fetch loss:0 --feed x:0=[1,2,3]
wait idle
debug.show rnn/Identity_1:0
graph.select rnn/cell
graph.fit-selection
wait 1
screenshot $out/debugger.png
debug.unbreak rnn/cell/tanh
debug.break * --if "has nan"
debug.set rnn/cell/mul:0 [1,NaN,2]
debug.continue
wait idle
debug.continue
wait idle
debug.find-nan
wait idle
wait 1
screenshot $out/debugger-nan.png
debug.stop
END
cat >"$work/debugger-watch" <<END
file.new mlp
wait idle
run.watch-nan on
run.train --steps 60 --set learning_rate=1e20
wait idle
wait 1
screenshot $out/debugger-watch.png
END
cat >"$work/debugger-feeds" <<END
file.open $here/../../tests/debug/loop.pb
wait idle
debug.feeds
wait 0.5
screenshot $out/debugger-feeds.png feeds_dialog
END
bin=$(dirname "$studio")
"$bin/weft-examples" "$work/examples" >/dev/null
for steps in 40 80; do "$bin/weft" train "$work/examples/lenet.weft" --steps $steps --checkpoint "$work/ckpt$steps" --logdir "$work/log" >/dev/null 2>&1; done
cat >"$work/files" <<END
file.open $work/examples/lenet.weft
file.open $work/ckpt40
layout.use inspect
wait idle
inspect.compare $work/ckpt80
inspect.select conv2/kernel
wait idle
wait 0.5
screenshot $out/files.png
END
"$studio" --size 1440x900 --script "$work/files"
cat >"$work/filters" <<END
file.open $work/ckpt80
layout.use inspect
wait idle
inspect.select conv1/kernel
wait idle
wait 0.5
screenshot $out/filters.png tensor_detail
END
"$studio" --size 1440x900 --script "$work/filters"
cat >"$work/frame" <<END
settings.open
wait 0.3
screenshot $out/settings.png settings_dialog
settings.open zzz
END
cat >"$work/find" <<END
file.new lenet
wait idle
find.anything conv1
wait 0.5
screenshot $out/find.png finder
END
cat >"$work/runs" <<END
file.new mlp
wait idle
layout.use train
run.train --epochs 3
wait idle
run.set-live learning_rate 0.002
run.train --epochs 6 --set seed=7
wait idle
run.note "Smaller rate, other seed"
graph.fit
wait 0.5
run.evaluate
wait idle
run.predict 0 0 .4 .9 .9 .4 0 0  0 .3 1 .5 .4 1 .3 0  0 .5 .8 0 0 .8 .5 0  0 .5 .7 0 0 .7 .5 0  0 .5 .7 0 0 .7 .5 0  0 .5 .8 0 0 .8 .5 0  0 .3 1 .5 .5 1 .3 0  0 0 .4 .9 .9 .4 0 0
wait idle
screenshot $out/evaluation.png evaluation
END
cat >"$work/composing" <<END
file.new empty
wait idle
graph.add-here data
wait idle
graph.add-here reshape -1x8x8x1
wait idle
graph.add-here layers.conv2d 16 3x3 same relu
wait idle
graph.add-here layers.max_pooling2d 2x2
wait idle
graph.add-here layers.flatten
wait idle
graph.add-here layers.dense 64 relu
wait idle
graph.add-here layers.dense 10
wait idle
graph.add-here losses.sparse_softmax_cross_entropy
wait idle
graph.tidy
wait idle
graph.select conv2d max_pooling2d
graph.frame Features
wait idle
graph.fit
wait 0.3
graph.select conv2d
wait 0.5
screenshot $out/composing.png
graph.add-menu dense 10
wait 0.3
screenshot $out/add-menu.png add_menu
END
cat >"$work/earlier" <<END
file.new mlp
wait idle
layout.use train
run.train --epochs 2 --set batch_size=64
wait idle
run.name 1 "larger batch"
wait 0.5
screenshot $out/runs.png runs
END
for script in frame find runs earlier composing; do "$studio" --size 1280x800 --script "$work/$script"; done
cat >"$work/panels" <<END
file.new mlp
wait idle
layout.use train
run.train --epochs 4 --set seed=1
wait idle
run.train --epochs 4 --set seed=2 --set learning_rate=0.003
wait idle
run.train --epochs 4 --set seed=3 --set summary_every_steps=2
wait idle
panels.option scalars 0.9
panels.option scalars spread
panels.option scalars log-y
screenshot $out/scalars.png scalars
view.show histograms
panels.option histograms offset
panels.option histograms heat-map
wait 0.5
screenshot $out/histograms.png histograms
END
cat >"$work/profile" <<END
file.new empty
graph.add data builtin=digits
graph.add layers.dense --name hidden --from images units=64 activation=relu
graph.add Const --name planted/size dtype=int32 value=[500,500]
graph.add RandomUniform --name planted/noise --from planted/size dtype=float32
graph.add MatMul --name planted/slow --from planted/noise --from planted/noise
graph.add Const --name planted/axes dtype=int32 value=[0,1]
graph.add Mean --name planted/mean --from planted/slow --from planted/axes
graph.add Add --name mixed --from hidden --from planted/mean
graph.add layers.dense --name logits --from mixed units=10
graph.add losses.sparse_softmax_cross_entropy --name loss --from labels --from logits
graph.add-training loss --optimizer sgd --lr 1e-4
wait idle
layout.use profile
profile.trace --steps 3
wait idle
profile.show-advice 1
graph.color-by time
wait 0.5
screenshot $out/profile.png
END
{
  sed '/show-advice/,$d' "$work/profile"
  printf 'panels.option profile roofline\nwait 1.5\nscreenshot %s profile\n' "$out/roofline.png"
} >"$work/roofline"
"$studio" --size 1440x900 --script "$work/panels"
"$studio" --size 1440x900 --script "$work/profile"
"$studio" --size 1200x1500 --script "$work/roofline"
"$studio" --size 1280x800 --script "$work/start"
"$studio" --size 1280x800 --script "$work/graph"
"$studio" --size 1280x800 --script "$work/train"
"$studio" --size 1440x900 --theme dark --script "$work/debugger"
"$studio" --size 1440x900 --script "$work/debugger-watch"
"$studio" --size 1280x800 --script "$work/debugger-feeds"
"$studio" --size 1280x800 --theme dark --lang zh_CN --script "$work/dark"
for picture in "$out"/*.png; do
  size=$(stat -c %s "$picture")
  [ "$size" -lt 250000 ] || { echo "$picture: $size bytes, at most 250000 are allowed" >&2; exit 1; }
done
