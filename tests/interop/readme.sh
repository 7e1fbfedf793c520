#!/usr/bin/env bash
# readme.sh TOP [BUILD]: checks the README's claims, row by row, using only the targets of `./run --build-only` in TOP (or BUILD). Prints each row
# with its seconds; a row that fails shows the last lines of its output.
set -u
top=$(cd "$1" && pwd); build=${2:-$top/build/release}
weft=$build/bin/weft studio=$build/bin/weft-studio golden=$top/tests/golden examples=$build/share/weft/examples
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
export HOME=$work/home QT_QPA_PLATFORM=${QT_QPA_PLATFORM:-offscreen} XDG_RUNTIME_DIR=$work
mkdir -p "$HOME"
passed=0 failed=0 skipped=0

# row WORDS FUNCTION: runs the function in this folder; a nonzero status is a failure.
row() {
  local start end
  start=$(date +%s%N)
  (set -e; "$2") >log 2>&1; local status=$?
  end=$(date +%s%N)
  if [ $status = 0 ]; then passed=$((passed + 1)); printf '%5d.%d s  %s\n' $(((end - start) / 1000000000)) $(((end - start) / 100000000 % 10)) "$1"
  else failed=$((failed + 1)); echo "   FAILED  $1"; tail -n 8 log | sed 's/^/             /'; fi
}
skip() { skipped=$((skipped + 1)); echo "  skipped  $1: $2"; }
# says PATTERN COMMAND…: the command must succeed, and its output must match the pattern.
says() {
  local pattern=$1; shift
  "$@" >said 2>&1 || { local status=$?; cat said; echo "exit status $status of: $*"; return 1; }
  grep -qE -- "$pattern" said || { head -c 600 said; echo "… has no '$pattern': $*"; return 1; }
}
# The window, driven by a script.
drives() { says "$1" "$studio" --script "$2" --size 1200x800; }

cat >line.py <<'P'
import numpy as np
import tensorflow as tf
x = tf.placeholder(tf.float32, [None], name="x")
w = tf.Variable(0.0, name="w")
y = tf.multiply(w, x, name="y")
loss = tf.reduce_mean(tf.square(w * x - 3.0 * x))
train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
tf.summary.scalar("loss", loss)
merged, saver = tf.summary.merge_all(), tf.train.Saver()
with tf.Session() as session:
    writer = tf.summary.FileWriter("events", session.graph)
    session.run(tf.global_variables_initializer())
    for step in range(60):
        _, summary = session.run([train, merged], {x: [1.0, 2.0]})
        writer.add_summary(summary, step)
    writer.close()
    print("w is %.3f" % session.run(w), saver.save(session, "./line.ckpt"))
    tf.saved_model.simple_save(session, "model", {"x": x}, {"y": y})
with tf.python_io.TFRecordWriter("some.tfrecord") as records:
    records.write(b"one")
np.savez("feeds.npz", **{"x:0": np.array([1.0, 2.0], np.float32)})
P
cat >keras.py <<'P'
import numpy as np
import tensorflow as tf
model = tf.keras.Sequential([tf.keras.layers.Dense(3, input_shape=(2,)), tf.keras.layers.Dense(1)])
model.save("net.h5")
x = np.ones((4, 2), np.float32)
assert np.array_equal(tf.keras.models.load_model("net.h5").predict(x), model.predict(x))
print("h5 read back")
P

py() { says 'w is 3\.000' "$weft" py line.py; }
migrate() { printf 'import tensorflow as tf\nprint tf.mul(2, 3)\n' >old.py; says 'written: old_migrated.py' "$weft" py --migrate old.py; says 'Mul' "$weft" py old_migrated.py; }
keras() { says 'h5 read back' "$weft" py keras.py; says 'keras|HDF5|h5' "$weft" inspect net.h5; }
run_graph() { says '^w/read:0 = float32 \[\] 3|w/read:0 = .*3' "$weft" run line.ckpt.meta --restore line.ckpt --fetch w/read:0; }
run_model() { says 'y = float32 \[2\] .*3.*6' "$weft" run model --feed 'x=[1, 2]'; }
run_script() { local s; s=$(find "$golden/programs" -name script.json | sort | head -n 1); (cd "$(dirname "$s")" && "$weft" run --script script.json --results "$work/results.json"); test -s results.json; }
train() { says 'test accuracy' "$weft" train "$examples/mlp.weft" --epochs 2 --logdir runs --checkpoint runs; says 'test accuracy' "$weft" train "$examples/mlp.weft" --epochs 3 --logdir runs --checkpoint runs --resume; }
train_all() { local d; for d in "$examples"/*.weft; do "$weft" train "$d" --steps 2; done; }
inspect() {
  local f
  for f in line.ckpt line.ckpt.meta model events some.tfrecord feeds.npz "$examples/lenet.weft" "$golden"/files/graphs/mlp.pb "$golden"/files/graphs/mlp_shapes.pbtxt \
           "$golden"/files/checkpoints/v1_plain "$golden"/files/checkpoints/v2_all_dtypes "$golden"/files/profiles/run_metadata.pb "$golden"/files/arrays/float32.npy \
           "$golden"/files/images/t10k-images-idx3-ubyte "$golden"/files/images/data_batch_1.bin "$golden"/files/keras/functional.h5; do
    "$weft" inspect "$f" >/dev/null; "$weft" inspect "$f" --json | head -c 1 | grep -q '{'
  done
}
convert() {
  "$weft" convert line.ckpt.meta line.pbtxt --to graph.pbtxt; "$weft" convert line.pbtxt line.pb; "$weft" convert line.ckpt.meta line.meta.pbtxt
  "$weft" convert line.ckpt old.ckpt --to v1; "$weft" convert old.ckpt new.ckpt --to v2
  "$weft" convert line.ckpt.meta frozen.pb --to frozen --restore line.ckpt --outputs y; says 'y:0 = ' "$weft" run frozen.pb --feed 'x=[1]' --fetch y:0
  "$weft" convert line.ckpt.meta line.svg; "$weft" convert line.ckpt.meta line.dot; "$weft" convert line.ckpt.meta again.py --to python; says 'again.pb: [0-9]+ nodes' "$weft" py again.py; "$weft" inspect again.pb
  "$weft" convert line.ckpt.meta model2 --to savedmodel --restore line.ckpt --input x=x --output y=y; says 'y = ' "$weft" run model2 --feed 'x=[1]'
}
diff_() { says '.' "$weft" diff line.ckpt new.ckpt; "$weft" diff line.ckpt.meta line.ckpt; "$weft" diff line.pb line.pbtxt; }
profile() { says '.' "$weft" profile "$examples/lenet.weft" --steps 2; says '.' "$weft" profile "$examples/lenet.weft" --steps 2 --explain; "$weft" profile "$golden/files/profiles/run_metadata.pb"; }
bench() {
  echo '{"name": "line", "graph": "line.ckpt.meta", "restore": "line.ckpt", "feeds": "feeds.npz", "target": "GradientDescent", "fetch": "Mean:0"}' >bench.json
  says 'steps_per_second' "$weft" bench bench.json --seconds 0.2 --json
}
ops() { says '1,?0[0-9][0-9]|Relu' "$weft" ops; says 'features' "$weft" ops Relu; }
selftest() { mkdir -p cases; cp "$golden"/ops/Re*.tfrecord cases; says ', 0 failed, 0 skipped' "$weft" selftest ops cases; }
headless() { says 'test accuracy [0-9.]+ %' "$top/run" --headless --epochs 1; }

compose() { printf 'file.new mlp\nwait idle\nlayout.use compose\ngraph.fit\ngraph.add Relu --name extra\nedit.undo\nedit.redo\nprint problems\nscreenshot compose.png\nquit\n' >s; drives 'problems|\[' s; test -s compose.png; }
studio_train() { printf 'file.new mlp\nwait idle\nlayout.use train\nrun.train --epochs 2\nwait idle\nprint run\nscreenshot train.png\nquit\n' >s; drives '"step":' s; test -s train.png; }
studio_debug() { printf 'file.open %s/tests/debug/loop.pb\nwait idle\nlayout.use debug\ndebug.break rnn/cell/tanh --if "iteration == 2"\ndebug.start --fetch loss:0 --feed x:0=[1,2,3]\nwait idle\nprint debug\ndebug.stop\nquit\n' "$top" >s; drives '"iteration":2' s; }
studio_profile() { printf 'file.new mlp\nwait idle\nlayout.use profile\nprofile.trace --steps 2\nwait idle\nscreenshot profile.png\nquit\n' >s; drives '' s; test -s profile.png; }
studio_inspect() { printf 'layout.use inspect\nfile.open %s/model\nwait idle\nprint inspect\nfile.open %s/tests/golden/files/arrays/packed.npz\nwait idle\nprint inspect\nquit\n' "$work" "$top" >s; drives '"kind":"savedmodel"' s; }
studio_program() { printf 'program.run %s/line.py\nwait idle\nview.show program\nwait 0.5\nprint document\nscreenshot program.png\nquit\n' "$work" >s; rm -f line.ckpt.index; drives '"nodes":' s; test -s line.ckpt.index; }
studio_looks() { printf 'file.new mlp\nwait idle\nscreenshot zh.png\nquit\n' >s; says '' "$studio" --lang zh_CN --theme dark --script s; test -s zh.png; }
cuda() { test -f "$build/lib/libweft-cuda.so"; }
installs() { cmake --install "$build" --prefix tree; (cd tree && says 'w is 3\.000' bin/weft py "$work/line.py"); }

row 'weft py SCRIPT' py
row 'weft py --migrate FILE' migrate
row 'Keras models in .h5 files' keras
row 'weft run GRAPH' run_graph
row 'weft run SAVEDMODEL' run_model
row 'weft run --script' run_script
row 'weft train DOCUMENT, --resume' train
row 'every example trains' train_all
row 'weft inspect PATH' inspect
row 'weft convert IN OUT' convert
row 'weft diff A B' diff_
row 'weft profile GRAPH, --explain' profile
row 'weft bench bench.json' bench
row 'weft ops [NAME]' ops
row 'weft selftest' selftest
row 'Compose' compose
row 'Train' studio_train
row 'Debug' studio_debug
row 'Profile' studio_profile
row 'Inspect' studio_inspect
row 'Python programs in the window' studio_program
row 'Chinese, dark' studio_looks
if [ "$build" = "$top/build/release" ]; then row './run --headless' headless; else skip './run --headless' 'another build than its own'; fi
row 'cmake --install' installs
if ! command -v nvcc >/dev/null || [ -z "$(find /usr/include /usr/local/cuda*/include -name 'cudnn.h' 2>/dev/null | head -n 1)" ]; then skip 'libweft-cuda' 'no nvcc with cuDNN here'
elif ! ldconfig -p | grep -q 'libcuda\.so\.1 '; then skip 'libweft-cuda' 'no NVIDIA driver here'
else row 'libweft-cuda, where nvcc, cuDNN and a driver are' cuda; fi
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed = 0 ]
