#!/usr/bin/env bash
# Each check of this folder (argument_order.py, which tries itself, apart) fails where what it forbids was planted, and passes without it: a check that cannot fail would be worse than none.
set -u
checks=$(cd "$(dirname "$0")" && pwd)
sources=$(pwd)
bad=0
# planted CHECK FILE TEXT [COMMAND…]: in a tree of its own the check passes, and fails once FILE holds TEXT. COMMAND: the check, if it is no shell script.
planted() {
  local name=$1 file=$2 text=$3; shift 3
  local tree before after; tree=$(mktemp -d)
  local command=("$@"); [ $# -gt 0 ] || command=("$checks/$name.sh")
  mkdir -p "$tree"/{engine/graph,engine/tensor,widgets/layout,app/cli,tests}
  cp "$sources/.clang-format" "$tree/"
  mkdir -p "$tree/engine/include/weft" && cp "$sources"/engine/include/weft/{mutex,cond_var,shared_mutex}.h "$tree/engine/include/weft/" && cp "$sources/engine/include/README.md" "$tree/engine/include/"
  for folder in engine/graph engine/tensor widgets/layout app/cli; do
    printf '# What lives here\n\nMay include: nothing.\n' >"$tree/$folder/README.md"
    printf 'int one() { return 1; }\n' >"$tree/$folder/one.cpp"
  done
  git -C "$tree" init -q && git -C "$tree" add -A
  (cd "$tree" && "${command[@]}") >/dev/null 2>&1; before=$?
  mkdir -p "$tree/$(dirname "$file")"
  printf "$text" >"$tree/$file"
  git -C "$tree" add -A
  (cd "$tree" && "${command[@]}") >/dev/null 2>&1; after=$?
  rm -rf "$tree"
  if [ "$before" = 77 ]; then echo "$name: skipped, its tool is not installed"; return; fi
  if [ "$before" != 0 ]; then echo "$name fails where nothing is wrong"; bad=1; fi
  if [ "$after" = 0 ]; then echo "$name does not see: $file: $text"; bad=1; fi
}
planted include_directions engine/graph/two.cpp '#include <QString>\n'
planted include_directions widgets/layout/two.cpp '#include "weft/graph.h"\n'
planted file_sizes engine/graph/two.cpp "$(printf '//\\n%.0s' $(seq 901))"
planted readmes app/new/two.cpp 'int two();\n'
planted threads app/cli/two.cpp '#include <QThreadPool>\n'
planted top_level notes.txt 'x\n'
planted words engine/graph/two.cpp '// TO''DO: later\n'
planted python_style app/cli/two.py 'import os\nprint(nothing)\n'
planted format engine/graph/two.cpp 'int  two( ) {return 2 ;}\n'
if command -v python3 >/dev/null; then
  planted floors engine/graph/two.cpp '#include "tensor/one.h"\n' python3 -B "$checks/floors.py"
  planted floors engine/tensor/README.md 'May include: tensor.\n' python3 -B "$checks/floors.py"
  planted op_names app/cli/two.cpp 'bool two(const Node& n) { return n.op == "Add"; }\n' python3 -B "$checks/op_names.py"
  planted "op_names: the op of a message" engine/graph/two.cpp 'bool two(const NodeDef& n) { return n.op() != "Add"; }\n' python3 -B "$checks/op_names.py"
  planted "op_names: a comparison beside a call" engine/graph/two.cpp 'bool two(const Graph& g) { return g.node(0)->op.ends_with("Add"); }\n' python3 -B "$checks/op_names.py"
  planted one_definition engine/graph/two.cpp 'namespace weft {\nstruct Mutex {\n  int x;\n};\n}\n' python3 -B "$checks/one_definition.py"
  planted "thread_safety: a mutex of the standard library" engine/graph/two.cpp '#include <mutex>\n' python3 -B "$checks/thread_safety.py"
  planted "thread_safety: a read without the lock" engine/graph/two.cpp '#include "weft/mutex.h"\nstruct Two {\n  weft::Mutex mutex_;\n  int n_ WEFT_GUARDED_BY(mutex_) = 0;\n  int n() { return n_; }\n};\n' python3 -B "$checks/thread_safety.py"
fi
imports() { planted "python_imports: $1" "app/python/weft/$2" "$3" python3 -B "$checks/python_imports.py"; }
if command -v python3 >/dev/null; then
  imports "the module made of them" keras/two.py 'def f():\n    import tensorflow as tf\n    return tf.zeros\n'
  imports "the same, by name" two.py 'import importlib\ntf = importlib.import_module("tensorflow.keras")\n'
  imports "a name of it" two.py 'from . import Session\n'
  imports "what makes it" two.py 'def f():\n    from . import namespace\n    return namespace.find\n'
  imports "a circle within a function" two.py 'def f():\n    from . import two\n    return two\n'
  imports "what is above the core" ops.py 'def f():\n    from .keras import models\n    return models\n'
  imports "what is above the bottom" context.py 'from . import dtypes\n'
fi
exit $bad
