#!/usr/bin/env python3
"""corpus_values.py make CORPUS OUT | judge CORPUS_OUT WEFT TABLE.md

Compares the values of public graphs in TensorFlow 1.15.5 and in Weft.

`make` (in a Python with TensorFlow 1.15.5): for every graph of CORPUS whose ops TensorFlow knows, makes up values for placeholders and variables, computes
all numeric ends of the graph in TensorFlow, and writes OUT/N/{graph.pb,script.json}. `judge`: runs them with `weft run --script` and writes a table of the
results. Values may differ by 1e-4 of the largest value of a tensor.
"""
import json
import os
import subprocess
import sys
import traceback

REFS = {'Variable', 'VariableV2', 'TemporaryVariable'}
# Their results are not a function of the feeds, or they block.
WORLDLY = ('Queue', 'Reader', 'Iterator', 'Barrier', 'Stage', 'Lookup', 'HashTable', 'Random', 'Multinomial', 'TruncatedNormal', 'PyFunc',
           'Save', 'Restore', 'Assign', 'Apply', 'Scatter', 'WriteFile', 'ReadFile', 'Print', 'Assert', 'Dataset', 'Timestamp', 'Summary')
PURE_SCATTER = {'ScatterNd'}
MOST = 6


def dims_of(shape, fill):
    if shape is None or shape.dims is None:
        return [fill]
    # Images of unknown size: large enough that strided convolutions leave some pixels.
    return [(48 if len(shape.dims) == 4 and i in (1, 2) else fill) if d.value is None else d.value for i, d in enumerate(shape.dims)]


def made_up(np, dtype, dims, seed):
    r = np.random.RandomState(seed)
    name = dtype.base_dtype.name
    if np.prod(dims, dtype=np.float64) > 3e7:
        return None
    if name in ('float32', 'float64', 'float16'):
        return np.asarray(r.rand(*dims) * 0.2 + 0.01, name)
    if name in ('int32', 'int64', 'uint8', 'int8', 'int16'):
        return np.asarray(r.randint(0, 2, dims), name)
    if name == 'bool':
        return np.asarray(r.randint(0, 2, dims), bool)
    return None


def tensor_json(np, value, folder, name):
    if value.size > 200:
        np.save(os.path.join(folder, name + '.npy'), value)
        return {'npy': name + '.npy', 'dtype': value.dtype.name, 'shape': list(value.shape)}
    number = lambda v: v if not isinstance(v, float) or v - v == 0 else ('NaN' if v != v else 'Infinity' if v > 0 else '-Infinity')
    return {'dtype': value.dtype.name, 'shape': list(value.shape), 'data': [number(v) for v in value.ravel().tolist()]}


def graph_of(path):
    from google.protobuf import text_format
    from tensorflow.core.framework import graph_pb2
    from tensorflow.core.protobuf import meta_graph_pb2, saved_model_pb2
    data = open(path, 'rb').read()
    for kind, pick in ((saved_model_pb2.SavedModel, lambda m: m.meta_graphs[0].graph_def), (meta_graph_pb2.MetaGraphDef, lambda m: m.graph_def),
                       (graph_pb2.GraphDef, lambda m: m)):
        for parse in (lambda m: m.ParseFromString(data), lambda m: text_format.Merge(data.decode(), m)):
            message = kind()
            try:
                parse(message)
                graph = pick(message)
                if len(graph.node) and all(n.name and n.op for n in graph.node):
                    return graph
            except Exception:
                pass
    return None


def make_one(path, folder):
    import numpy as np
    import tensorflow as tf
    tf.compat.v1.disable_eager_execution()
    tf.compat.v1.logging.set_verbosity('ERROR')
    graph_def = graph_of(path)
    if graph_def is None:
        return 'no graph'
    for node in graph_def.node:
        node.device = ''
    try:
        with tf.Graph().as_default() as graph:
            tf.import_graph_def(graph_def, name='')
    except Exception as e:
        return 'TensorFlow does not import it: ' + str(e).split('\n')[0][:160]
    feeds, tainted = {}, set()
    for op in graph.get_operations():
        if op.type in REFS or op.type in ('Placeholder', 'PlaceholderV2', 'ReadVariableOp'):
            t = op.outputs[0]
            value = made_up(np, t.dtype, dims_of(t.shape, 2), len(feeds) + 1)
            if value is None:
                tainted.add(op)
            else:
                feeds[t.name] = value
            continue
        if op.type == 'PlaceholderWithDefault' or op.type in PURE_SCATTER:
            pass
        elif any(w in op.type for w in WORLDLY) or op.type in ('VarHandleOp', 'NoOp'):
            tainted.add(op)
            continue
    changed = True
    while changed:  # loops contain back edges
        changed = False
        for op in graph.get_operations():
            if op in tainted or (op.outputs and op.outputs[0].name in feeds):
                continue
            if any(i.op in tainted for i in op.inputs) or any(c in tainted and c.type != 'NoOp' for c in op.control_inputs):
                tainted.add(op)
                changed = True
    numbers = {'float32', 'float64', 'float16', 'int32', 'int64', 'uint8', 'bool'}
    ends = [o for op in graph.get_operations() if op not in tainted and op.type not in ('Const', 'Placeholder') for o in op.outputs
            if o.name not in feeds and o.dtype.name in numbers and not [c for c in o.consumers() if c not in tainted] and op.type not in ('Enter', 'Switch', 'NextIteration', 'RefSwitch', 'LoopCond')
            and op._get_control_flow_context() is None
            # Of a batch norm that does not train, TensorFlow leaves all outputs but the first uninitialized.
            and not (op.type.startswith('FusedBatchNorm') and o.value_index > 0 and not op.get_attr('is_training'))]
    ends = [e for e in ends if e.dtype.name.startswith('float')] or ends
    ends = ends[-MOST:]
    if not ends:
        return 'no end that depends on fed values alone'
    # Without Grappler, whose rewrites change some of these results.
    config = tf.compat.v1.ConfigProto()
    config.graph_options.optimizer_options.opt_level = -1
    config.graph_options.rewrite_options.disable_meta_optimizer = True
    with tf.compat.v1.Session(graph=graph, config=config) as session:
        runs, done = [], 0
        for end in ends:
            # Feeds only what this end needs.
            need, stack = set(), [end.op]
            while stack:
                op = stack.pop()
                if op in need:
                    continue
                need.add(op)
                if op.outputs and op.outputs[0].name in feeds and op is not end.op:
                    continue
                stack += [i.op for i in op.inputs] + list(op.control_inputs)
            fed = {n: v for n, v in feeds.items() if graph.get_tensor_by_name(n).op in need}
            run = {'feeds': {n: tensor_json(np, v, folder, 'feed-' + n.replace('/', '_').replace(':', '-')) for n, v in fed.items()}, 'fetches': [end.name], 'targets': []}
            try:
                value = session.run(end, fed)
                run['want'] = [tensor_json(np, np.asarray(value), folder, 'want-%d' % len(runs))]
                done += 1
            except tf.errors.OpError as e:
                run['error'] = {'code': type(e).__name__, 'phrase': e.message.split('\n')[0]}
            except Exception:
                continue
            runs.append(run)
    if not runs:
        return 'TensorFlow computes none of its ends'
    open(os.path.join(folder, 'graph.pb'), 'wb').write(graph_def.SerializeToString())
    json.dump({'name': path, 'sessions': [{'graph': 'graph.pb', 'runs': runs}]}, open(os.path.join(folder, 'script.json'), 'w'))
    return 'made: %d of %d ends with values' % (done, len(runs))


def make(corpus, out):
    kinds = {'graph.pbtxt', 'saved_model', 'graphdef', 'metagraph', 'saved_model.pbtxt', 'meta.pbtxt'}
    log = []
    files = [json.loads(l) for l in open(os.path.join(corpus, 'MANIFEST.jsonl'))]
    for i, f in enumerate(x for x in files if x['kind'] in kinds):
        path = next((p for p in (os.path.join(corpus, f['repo'].replace('/', '+'), f['path']), os.path.join(corpus, 'files', f['repo'].replace('/', '+'), f['path'])) if os.path.exists(p)), None)
        name = f['repo'].replace('/', '+') + '/' + f['path']
        folder = os.path.join(out, '%03d' % i)
        os.makedirs(folder, exist_ok=True)
        if path is None:
            said = 'file not found'
        else:
            try:
                done = subprocess.run([sys.executable, __file__, 'make1', path, folder], capture_output=True, text=True, timeout=300)
                said = done.stdout.strip().split('\n')[-1] or 'TensorFlow died: ' + str(done.returncode) + ' ' + done.stderr.strip().split('\n')[-1][:120]
            except subprocess.TimeoutExpired:
                said = 'TensorFlow takes longer than 300 s'
        log.append({'folder': '%03d' % i, 'name': name, 'said': said})
        print(name, '|', said, flush=True)
        json.dump(log, open(os.path.join(out, 'log.json'), 'w'), indent=0)


def judge(out, weft, table):
    import numpy as np

    def value(t, folder):
        if 'npy' in t:
            return np.load(os.path.join(folder, t['npy']))
        data = [float(v) if isinstance(v, str) else v for v in t['data']]
        return np.asarray(data).reshape(t['shape'])

    rows, counts = [], {}
    for entry in json.load(open(os.path.join(out, 'log.json'))):
        folder = os.path.join(out, entry['folder'])
        script = os.path.join(folder, 'script.json')
        if not os.path.exists(script):
            verdict, worst = 'not judged: ' + entry['said'], ''
        else:
            result = os.path.join(folder, 'weft.json')
            try:
                done = subprocess.run([os.path.abspath(weft), 'run', '--script', 'script.json', '--results', 'weft.json'], cwd=folder, capture_output=True, text=True, timeout=300)
                if done.returncode != 0:
                    raise RuntimeError(done.stderr.strip()[-160:])
                got = json.load(open(result))['sessions'][0]['runs']
                same, refused, trouble, worst = 0, 0, [], 0.0
                for run, g in zip(json.load(open(script))['sessions'][0]['runs'], got):
                    if 'error' in run:
                        if 'error' in g:
                            refused += 1
                        else:
                            trouble.append('%s: TensorFlow refuses: %s' % (run['fetches'][0], run['error']['phrase'][:90]))
                        continue
                    if 'error' in g:
                        trouble.append('%s: %s' % (run['fetches'][0], g['error']['message'].split('\n')[0][:110]))
                        continue
                    a, b = value(run['want'][0], folder).astype(np.float64), value(g['values'][0], folder).astype(np.float64)
                    if a.shape != b.shape:
                        trouble.append('%s: shape %s, want %s' % (run['fetches'][0], b.shape, a.shape))
                        continue
                    both = np.isfinite(a) & np.isfinite(b)
                    if not np.array_equal(np.isnan(a), np.isnan(b)) or not np.array_equal(a[~both & ~np.isnan(a)], b[~both & ~np.isnan(b)]):
                        trouble.append('%s: not the same infinities' % run['fetches'][0])
                        continue
                    scale = np.abs(a[both]).max() if both.any() else 0
                    off = float(np.abs(a[both] - b[both]).max() / max(scale, 1e-6)) if both.any() else 0.0
                    worst = max(worst, off)
                    if off > 1e-4:
                        trouble.append('%s: differs by %.1e of its largest value' % (run['fetches'][0], off))
                    else:
                        same += 1
                verdict = 'same values: %d' % same if not trouble else 'DIFFERS: ' + '; '.join(trouble[:3])
                if refused:
                    verdict += '; both refuse: %d' % refused
                worst = '%.1e' % worst
            except Exception as e:
                verdict, worst = 'DIFFERS: ' + str(e).split('\n')[0][:160], ''
        kind = verdict.split(':')[0]
        counts[kind] = counts.get(kind, 0) + 1
        rows.append((entry['name'], verdict.replace('|', '/'), worst))
    with open(table, 'w') as f:
        f.write('# Graphs of the world: TensorFlow 1.15.5 and Weft\n\nMade by `corpus_values.py`: placeholders and variables fed with made-up values, up to six ends of each graph computed by both.\n'
                'Difference: the largest one, relative to the largest value of its tensor; 1e-4 is allowed.\n\n')
        f.write(', '.join('%s: %d' % (k, v) for k, v in sorted(counts.items())) + '\n\n| graph | verdict | difference |\n|---|---|---|\n')
        for row in rows:
            f.write('| %s | %s | %s |\n' % row)
    print(counts)


if __name__ == '__main__':
    if sys.argv[1] == 'make':
        make(sys.argv[2], sys.argv[3])
    elif sys.argv[1] == 'make1':
        try:
            print(make_one(sys.argv[2], sys.argv[3]))
        except Exception:
            print('trouble: ' + traceback.format_exc().strip().split('\n')[-1][:160])
    else:
        judge(sys.argv[2], sys.argv[3], sys.argv[4])
