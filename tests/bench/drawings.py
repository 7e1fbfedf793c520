#!/usr/bin/env python3
"""Crossings and wire lengths of our drawings compared with those of Graphviz's dot, for the same boxes and wires.

    tests/bench/drawings.py --weft build/release/bin/weft GRAPH...
    tests/bench/drawings.py --beside GRAPH...   the number of boxes in the first picture, and by the rules of TensorBoard and Netron

Each graph is drawn by `weft convert GRAPH OUT.svg`; dot gets the boxes and wires shown, with the same sizes, from left to right. Wires are sampled as line
segments. A crossing is an intersection of two segments whose wires share no end. Needs dot (graphviz).
"""
import argparse
import html
import math
import os
import re
import subprocess
import sys
import tempfile
import time

BOX = re.compile(r'<g><title>(.*?)</title><rect class="([bmp])" x="([-\d.]+)" y="([-\d.]+)" width="([-\d.]+)" height="([-\d.]+)"')
WIRE = re.compile(r'<path class="([wc])" d="([^"]+)"><title>(.*?) → (.*?)</title>')


def sample(path, steps=8):
    """Points on an SVG path of M, L and C commands."""
    points = []
    for command, numbers in re.findall(r'([MLC])([^MLC]*)', path):
        values = [float(v) for v in re.findall(r'-?[\d.]+', numbers)]
        if command in 'ML':
            points.append((values[0], values[1]))
            continue
        (x0, y0), (x1, y1, x2, y2, x3, y3) = points[-1], values[:6]
        for k in range(1, steps + 1):
            t = k / steps
            a, b, c, d = (1 - t) ** 3, 3 * (1 - t) ** 2 * t, 3 * (1 - t) * t * t, t ** 3
            points.append((a * x0 + b * x1 + c * x2 + d * x3, a * y0 + b * y1 + c * y2 + d * y3))
    return points


def crosses(a, b, c, d):
    def side(p, q, r):
        return (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])
    return side(a, b, c) * side(a, b, d) < 0 and side(c, d, a) * side(c, d, b) < 0


def measure(wires):
    """(number of crossings, total length) of [(from, to, points)]."""
    length = sum(math.dist(p, q) for _, _, points in wires for p, q in zip(points, points[1:]))
    pieces = [(min(p[0], q[0]), max(p[0], q[0]), min(p[1], q[1]), max(p[1], q[1]), p, q, w)
              for w, (_, _, points) in enumerate(wires) for p, q in zip(points, points[1:])]
    pieces.sort(key=lambda piece: piece[0])
    pairs = set()
    active = []
    for piece in pieces:
        active = [other for other in active if other[1] >= piece[0]]
        for other in active:
            if other[6] == piece[6] or other[2] > piece[3] or other[3] < piece[2]:
                continue
            pair = (min(other[6], piece[6]), max(other[6], piece[6]))
            if pair in pairs or set(wires[pair[0]][:2]) & set(wires[pair[1]][:2]):
                continue
            if crosses(other[4], other[5], piece[4], piece[5]):
                pairs.add(pair)
        active.append(piece)
    return len(pairs), length


def ours(weft, graph, folder):
    svg = os.path.join(folder, 'drawing.svg')
    begin = time.time()
    subprocess.run([weft, 'convert', graph, svg], check=True, capture_output=True)
    seconds = time.time() - begin
    text = open(svg, encoding='utf-8').read()
    boxes, names = [], {}
    for title, kind, x, y, w, h in BOX.findall(text):
        name = re.sub(r' \(.*\)$', '', html.unescape(title))
        names.setdefault(name, len(boxes))
        boxes.append((float(w), float(h)))
    wires = []
    for kind, path, a, b in WIRE.findall(text):
        a, b = names.get(html.unescape(a)), names.get(html.unescape(b))
        if a is not None and b is not None:
            wires.append((a, b, sample(path)))
    return boxes, wires, seconds


def nodesOf(weft, graph, folder):
    """[(name, op, inputs)] of the graph."""
    text = os.path.join(folder, 'graph.pbtxt')
    subprocess.run([weft, 'convert', graph, text], check=True, capture_output=True)
    nodes = []
    for indent, body in re.findall(r'^( *)node \{\n(.*?)^\1\}$', open(text, encoding='utf-8').read(), re.S | re.M):
        name, op = re.search(r'^ *name: "(.*?)"$', body, re.M), re.search(r'^ *op: "(.*?)"$', body, re.M)
        if name and op:
            nodes.append((name.group(1), op.group(1), re.findall(r'^ *input: "(.*?)"$', body, re.M)))
    return nodes


def tensorBoardBoxes(nodes):
    """The boxes of TensorBoard's graph page: one for each name before the first slash; five or more names that differ only in a number form one series."""
    first = {name.split('/')[0] for name, _, _ in nodes}
    series = {}
    for name in first:
        series.setdefault(re.sub(r'_?\d+$', '', name), []).append(name)
    return sum(1 if len(names) >= 5 else len(names) for names in series.values())


def netronBoxes(nodes):
    """Netron's boxes: one for each op; constants, variables and their reads are lines in the boxes of their readers."""
    held = {name for name, op, _ in nodes if op == 'Const' or op.startswith('Variable') or op == 'VarHandleOp'}
    read = {name for name, op, inputs in nodes if op in ('Identity', 'ReadVariableOp') and inputs and inputs[0].split(':')[0] in held}
    return len(nodes) - len(held | read)


def beside(weft, graphs):
    print('| graph | nodes | Weft | TensorBoard | Netron |\n|---|---|---|---|---|')
    for graph in graphs:
        with tempfile.TemporaryDirectory() as folder:
            boxes, _, _ = ours(weft, graph, folder)
            nodes = nodesOf(weft, graph, folder)
            print(f'| {os.path.basename(graph)} | {len(nodes)} | {len(boxes)} | {tensorBoardBoxes(nodes)} | {netronBoxes(nodes)} |', flush=True)


def dots(boxes, wires):
    lines = ['digraph g { rankdir=LR; nodesep=0.33; ranksep=0.5; node [shape=box fixedsize=true label=""]; edge [arrowhead=none];']
    for i, (w, h) in enumerate(boxes):
        lines.append(f'n{i} [width={w / 72:.3f} height={h / 72:.3f}];')
    lines += [f'n{a} -> n{b};' for a, b, _ in wires]
    begin = time.time()
    done = subprocess.run(['dot', '-Tplain'], input='\n'.join(lines) + '}', text=True, capture_output=True, timeout=600, check=True)
    seconds = time.time() - begin
    drawn = []
    for line in done.stdout.replace('\\\n', '').splitlines():
        words = line.split()
        if words and words[0] == 'edge':
            count = int(words[3])
            numbers = [float(v) * 72 for v in words[4:4 + 2 * count]]
            points = list(zip(numbers[::2], numbers[1::2]))
            path = f'M{points[0][0]} {points[0][1]}'
            for k in range(1, count - 2, 3):
                path += 'C' + ' '.join(f'{x} {y}' for x, y in points[k:k + 3])
            drawn.append((int(words[1][1:]), int(words[2][1:]), sample(path)))
    return drawn, seconds


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--weft', default='build/release/bin/weft')
    parser.add_argument('graphs', nargs='+')
    parser.add_argument('--beside', action='store_true')
    options = parser.parse_args()
    if options.beside:
        return beside(options.weft, options.graphs)
    print('| graph | boxes | wires | crossings | dot | ratio | length | dot | ratio | s | dot s |\n|---|---|---|---|---|---|---|---|---|---|---|')
    sums = [0, 0, 0.0, 0.0]
    for graph in options.graphs:
        with tempfile.TemporaryDirectory() as folder:
            try:
                boxes, wires, seconds = ours(options.weft, graph, folder)
            except subprocess.CalledProcessError as failed:
                print(f'{graph}: {failed.stderr.decode().strip()}', file=sys.stderr)
                continue
        theirs, dotSeconds = dots(boxes, wires)
        c, length = measure(wires)
        dc, dlength = measure(theirs)
        for k, value in enumerate((c, dc, length, dlength)):
            sums[k] += value
        print(f'| {os.path.basename(graph)} | {len(boxes)} | {len(wires)} | {c} | {dc} | {c / max(1, dc):.2f} | {length:.0f} | {dlength:.0f} | '
              f'{length / max(1, dlength):.2f} | {seconds:.2f} | {dotSeconds:.2f} |', flush=True)
    print(f'| all | | | {sums[0]} | {sums[1]} | {sums[0] / max(1, sums[1]):.2f} | {sums[2]:.0f} | {sums[3]:.0f} | {sums[2] / max(1.0, sums[3]):.2f} | | |')


if __name__ == '__main__':
    main()
