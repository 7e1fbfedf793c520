"""Two graphs of 100,000 nodes, all names changed and 50 places edited: how long `weft diff --structure` takes and what it finds.

usage: structure.py WEFT FOLDER [NODES]

Needs TensorFlow 1.15 for its messages. Writes FOLDER/a.pb and FOLDER/b.pb and prints a table of times and of the differences found.
"""

import json
import random
import subprocess
import sys
import time

from tensorflow.core.framework import graph_pb2, types_pb2

EDITS = 10  # of each of the five kinds


def node(graph, name, op, *inputs, **shape):
    made = graph.node.add(name=name, op=op, input=list(inputs))
    made.attr['T' if op not in ('VariableV2', 'Placeholder') else 'dtype'].type = types_pb2.DT_FLOAT
    for key, dims in shape.items():
        for dim in dims:
            made.attr[key].shape.dim.add(size=dim)
    return name


def network(nodes):
    """Residual blocks of a few repeated widths, with an update of each variable."""
    graph, widths = graph_pb2.GraphDef(), (64, 128, 256)
    last = node(graph, 'x', 'Placeholder', shape=[32, 64])
    block = 0
    while len(graph.node) < nodes:
        scope = 'block_%d/' % block
        width = widths[block // 7 % 3]
        inside = last
        for layer in 'ab':
            w = node(graph, scope + layer + '/w', 'VariableV2', shape=[width, width])
            b = node(graph, scope + layer + '/b', 'VariableV2', shape=[width])
            read = node(graph, w + '/read', 'Identity', w)
            product = node(graph, scope + layer + '/MatMul', 'MatMul', inside, read)
            added = node(graph, scope + layer + '/BiasAdd', 'BiasAdd', product, node(graph, b + '/read', 'Identity', b))
            inside = node(graph, scope + layer + '/Relu', 'Relu', added)
            square = node(graph, scope + layer + '/Square', 'Square', read)
            node(graph, scope + layer + '/decay', 'AssignSub', w, square)
        last = node(graph, scope + 'add', 'Add', last, inside)
        block += 1
    return graph


def edited(graph, rng):
    """A copy with other names in another order. Returns it with the number of nodes that each kind of edit adds, removes or changes."""
    copy = graph_pb2.GraphDef()
    copy.CopyFrom(graph)
    relus = [n for n in copy.node if n.op == 'Relu']
    products = [n for n in copy.node if n.op == 'MatMul']
    chosen = rng.sample(relus, 3 * EDITS)
    readers = {}
    for n in copy.node:
        for at, name in enumerate(n.input):
            readers.setdefault(name, []).append((n, at))
    for n in chosen[:EDITS]:  # another op
        n.op = 'Tanh'
    for n in chosen[EDITS : 2 * EDITS]:  # an op inserted
        added = node(copy, n.name + '/inserted', 'Sigmoid', n.name)
        for reader, at in readers[n.name]:
            reader.input[at] = added
    gone = set()
    for n in chosen[2 * EDITS :]:  # an op removed
        for reader, at in readers[n.name]:
            reader.input[at] = n.input[0]
        gone.add(n.name)
    picked = rng.sample(products, 2 * EDITS)
    for n in picked[:EDITS]:  # another attribute
        n.attr['transpose_b'].b = True
    for n in picked[EDITS:]:  # another input
        n.input[0] = 'x'
    left = [n for n in copy.node if n.name not in gone]
    rng.shuffle(left)
    names = {n.name: 'n%d' % i for i, n in enumerate(left)}
    out = graph_pb2.GraphDef()
    for n in left:
        made = out.node.add()
        made.CopyFrom(n)
        made.name = names[n.name]
        del made.input[:]
        made.input.extend(names[i] for i in n.input)
    return out


def main(weft, folder, nodes=100000):
    rng = random.Random(7)
    first = network(int(nodes))
    for name, graph in (('a', first), ('b', edited(first, rng))):
        with open('%s/%s.pb' % (folder, name), 'wb') as file:
            file.write(graph.SerializeToString())
    for pair in ('aa', 'ab'):
        times = []
        for _ in range(5):
            start = time.time()
            command = [weft, 'diff', '--structure', '--json'] + ['%s/%s.pb' % (folder, side) for side in pair]
            told = json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=False).stdout)
            times.append(time.time() - start)
        counts = {}
        for difference in told['nodes']:
            key = difference['kind'] + ' ' + '+'.join(sorted({d.split(':')[0].split(' ')[0] for d in difference.get('details', [])}))
            counts[key.strip()] = counts.get(key.strip(), 0) + 1
        print('%s: %d nodes, %.2f s (best of 5: %s), %d renamed, %s'
              % (pair, len(first.node), min(times), ' '.join('%.2f' % t for t in times), told['renamed'], json.dumps(counts, sort_keys=True)))


if __name__ == '__main__':
    main(*sys.argv[1:])
