#!/usr/bin/env bash
# wheel.sh WEFT PYTHON MAKE_WHEEL…: makes the wheel twice, installs it without network into a virtual environment of PYTHON (which has NumPy and protobuf), runs a
#   program there and removes it. Exit status 77: PYTHON has no venv or pip.
# wheel.sh --network WHEEL PYTHON [REQUIREMENT…]: a fresh environment with the wheel, tflearn, keras 2.2.5 and the requirements (numpy==1.26.4) from PyPI, and programs in it.
set -u
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
unset VIRTUAL_ENV WEFT_PYTHON PYTHONPATH PYTHONHOME
export PIP_DISABLE_PIP_VERSION_CHECK=1 TF_CPP_MIN_LOG_LEVEL=1
bad=0
complain() { echo "$*"; bad=1; }
says() {  # says WORDS COMMAND…: it fails, and its last line has these words
  local words=$1 last; shift
  if "$@" >"$work/log" 2>&1; then complain "accepted: $*"; return; fi
  last=$(tail -n 1 "$work/log")
  [[ $last == *"$words"* ]] || complain "expected '$words', got '$last'"
}
fine() {  # fine COMMAND…: it succeeds
  "$@" >"$work/log" 2>&1 && grep -q '^fine' "$work/log" || { complain "failed: $*"; tail -n 5 "$work/log"; return; }
  grep '^fine' "$work/log"
}

if [ "$1" = --network ]; then
  wheel=$2 python=$3; shift 3
  "$python" -m venv "$work/env" || exit 1
  "$work/env/bin/pip" install -q wheel setuptools || exit 1
  "$work/env/bin/pip" install -q --no-build-isolation "$wheel" tflearn keras==2.2.5 "$@" || exit 1
  "$work/env/bin/pip" check || bad=1
  "$work/env/bin/pip" list 2>/dev/null | grep -iE '^(tensorflow|numpy|protobuf|h5py|keras|tflearn) ' | tr -s ' ' | paste -sd, -
  site=$("$work/env/bin/python" -c 'import sysconfig; print(sysconfig.get_path("platlib"))')
  cd "$work" || exit 1
  for run in "$work/env/bin/python" "$work/env/bin/weft py"; do
    fine $run "$here/wheel/raw.py" "$site"
    fine $run "$here/wheel/with_keras.py"
    fine $run "$here/wheel/with_tflearn.py"
  done
  exit $bad
fi

weft=$1 python=$2; shift 2
"$python" -m venv --system-site-packages "$work/env" >"$work/log" 2>&1 || { echo "skipped: $python cannot make a virtual environment (python3-venv): $(tail -n 1 "$work/log")"; exit 77; }
"$work/env/bin/python" -m pip --version >/dev/null 2>&1 || { echo "skipped: $python has no pip"; exit 77; }
for folder in first second; do "$@" --level 0 --output "$work/$folder" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }; done
wheel=$(echo "$work"/first/*.whl)
cmp "$wheel" "$work/second/$(basename "$wheel")" || complain "the same build gives another wheel"
env=$work/env
pip=("$env/bin/python" -m pip --disable-pip-version-check)
"${pip[@]}" install -q --no-index --no-deps "$wheel" >"$work/log" 2>&1 || { tail -n 3 "$work/log"; exit 1; }
site=$("$env/bin/python" -c 'import sysconfig; print(sysconfig.get_path("platlib"))')
cd "$work" || exit 1

# Requirements of other packages are fulfilled.
for requirement in 'tensorflow>=1.13,<2' 'tensorflow==1.15.5' 'tensorflow~=1.15'; do
  "${pip[@]}" install --no-index --no-deps "$requirement" 2>&1 | grep -q "already satisfied" || complain "pip does not take the wheel for $requirement"
done

# Programs: the environment's Python, its `weft`, and another Weft's `weft py` in the activated environment.
fine "$env/bin/python" "$here/wheel/raw.py" "$site" --system
fine "$env/bin/weft" py "$here/wheel/raw.py" "$site" --system
"$env/bin/weft" run --help >/dev/null || complain "weft of the environment does not start"
[ "$(VIRTUAL_ENV=$env "$weft" py - <<<'import sys; import tensorflow; print(sys.prefix)')" = "$env" ] || complain "weft py does not take the Python of the active environment"

# What does not fit is refused in one sentence.
says "weft: NumPy is 9.0.0" "$env/bin/python" -c "import numpy; numpy.__version__ = '9.0.0'; import tensorflow"
mkdir "$site/tensorflow/core"
says "another TensorFlow beside Weft's" "$env/bin/python" -c "import tensorflow"
rmdir "$site/tensorflow/core"
extension=$(echo "$site"/weft/_weft.*.so)
mv "$extension" "$site/weft/_weft.cpython-30-none.so"
says "only _weft.cpython-30-none.so: install Weft's wheel for this Python" "$env/bin/python" -c "import tensorflow"
says "weft: there is no module of Weft for" "$env/bin/weft" py "$here/wheel/raw.py"
mv "$site/weft/_weft.cpython-30-none.so" "$extension"
"$python" -m venv "$work/bare"
says "lacks numpy and protobuf" env WEFT_PYTHON="$work/bare/bin/python" "$env/bin/weft" py "$here/wheel/raw.py"

"${pip[@]}" uninstall -q -y tensorflow >"$work/log" 2>&1 || complain "it cannot be uninstalled"
left=$(cd "$env" && find . \( -path '*weft*' -o -path '*tensorflow*' \) | head -n 3)
[ -z "$left" ] || complain "left after uninstalling: $left"
exit $bad
