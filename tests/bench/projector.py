#!/usr/bin/env python3
"""`weft project` beside openTSNE, umap-learn and scikit-learn on the same points, one after the other in one run: writes PROJECTOR.md.

usage: projector.py DIGITS.csv.gz [--weft build/release/bin/weft] [--rows 70000] [--out PROJECTOR.md]

Needs numpy, scipy, scikit-learn, openTSNE and umap-learn. The points are made from the 1,797 scanned digits of the UCI repository (the file of the tests' data): each is
enlarged to 28x28 and turned, sheared, scaled, moved and made noisy at random, until there are as many as in MNIST."""

import argparse
import gzip
import json
import os
import subprocess
import tempfile
import time

import numpy as np
from measuring import processor


def make_points(path, rows):
    from scipy import ndimage
    rng = np.random.default_rng(1)
    digits = np.loadtxt(gzip.open(path), delimiter=",", dtype=np.float32)
    pictures, labels = digits[:, :64].reshape(-1, 8, 8) / 16, digits[:, 64].astype(np.int32)
    large = np.stack([ndimage.zoom(np.pad(p, 1), 2.8, order=1) for p in pictures])
    middle = np.array([13.5, 13.5])
    points = np.empty((rows, 784), np.float32)
    for i in range(rows):
        angle, shear, size = rng.normal(0, 0.15), rng.normal(0, 0.1), np.exp(rng.normal(0, 0.08))
        m = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]]) @ np.array([[1, shear], [0, 1]]) * size
        moved = ndimage.affine_transform(large[i % len(large)], m, offset=middle + rng.normal(0, 1, 2) - m @ middle, order=1)
        points[i] = np.clip(moved * rng.uniform(0.8, 1.2) + rng.normal(0, 0.02, moved.shape), 0, 1).ravel()
    order = rng.permutation(rows)
    return points[order], labels[np.arange(rows) % len(large)][order]


def recall(points, found, sample=1000):
    rows = np.linspace(0, len(points) - 1, sample).astype(int)
    norms = (points.astype(np.float64) ** 2).sum(1)
    k, hits = found.shape[1], 0
    for first in range(0, sample, 100):
        r = rows[first:first + 100]
        d = norms - 2 * points[r].astype(np.float64) @ points.T.astype(np.float64)
        d[np.arange(len(r)), r] = np.inf
        for own, exact in zip(found[r], np.argpartition(d, k, axis=1)[:, :k]):
            hits += len(np.intersect1d(own, exact))
    return hits / (sample * k)


def divergence(p, y, sample=7000):
    """The Kullback-Leibler divergence between the probabilities p (sparse) and the positions; the sum over all pairs is estimated from some rows."""
    y = y.astype(np.float64)
    rows = np.random.default_rng(2).choice(len(y), min(sample, len(y)), replace=False)
    total = 0.0
    for r in np.array_split(rows, max(1, len(rows) // 200)):
        square = (y[r, :1] - y[:, 0]) ** 2 + (y[r, 1:] - y[:, 1]) ** 2
        total += (1 / (1 + square)).sum() - len(r)
    total *= len(y) / len(rows)
    p = p.tocoo()
    weights = p.data / p.data.sum()
    square = ((y[p.row] - y[p.col]) ** 2).sum(1)
    return float((weights * np.log(weights * (1 + square) * total)).sum())


def exact_probabilities(weft, data, points, folder):
    """The probabilities of perplexity 30 from the 90 nearest neighbours among all pairs."""
    from openTSNE.affinity import PerplexityBasedNN
    from openTSNE.nearest_neighbors import PrecomputedNeighbors
    path = os.path.join(folder, "exact.npy")
    subprocess.check_output([weft, "project", data, "--neighbors", "90", "--exact", "--save-neighbors", path])
    index = np.load(path)
    distances = np.concatenate([np.sqrt(((points[i] - points[index[i]]) ** 2).sum(1))[None] for i in range(len(points))])
    return PerplexityBasedNN(knn_index=PrecomputedNeighbors(index.astype(int), distances.astype(float)), perplexity=30).P


def judged(points, labels, y):
    from sklearn.manifold import trustworthiness
    from sklearn.neighbors import KNeighborsClassifier
    accuracy = KNeighborsClassifier(10).fit(y[::2], labels[::2]).score(y[1::10], labels[1::10])
    some = np.random.default_rng(3).choice(len(y), min(4000, len(y)), replace=False)
    return accuracy, trustworthiness(points[some], y[some], n_neighbors=15)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("digits")
    parser.add_argument("--weft", default="build/release/bin/weft")
    parser.add_argument("--rows", type=int, default=70000)
    parser.add_argument("--out", default=os.path.join(os.path.dirname(__file__), "PROJECTOR.md"))
    args = parser.parse_args()
    import openTSNE
    import sklearn
    import umap
    from openTSNE.affinity import PerplexityBasedNN
    from sklearn.decomposition import PCA

    cores = len(os.sched_getaffinity(0))
    points, labels = make_points(args.digits, args.rows)
    folder = tempfile.mkdtemp()
    data = os.path.join(folder, "points.npy")
    np.save(data, points)
    umap.UMAP(n_epochs=10).fit(points[:500])  # compiles its loops
    lines = []

    def weft(method, *more):
        out = os.path.join(folder, method + ".npy")
        start = time.time()
        done = json.loads(subprocess.check_output([args.weft, "project", data, "--method", method, "--out", out, "--json", *more]))
        return done, np.load(out), time.time() - start

    def row(*cells):
        lines.append("| " + " | ".join(str(c) for c in cells) + " |")
        print(lines[-1], flush=True)

    load = os.getloadavg()[0]
    ours, _, _ = weft("pca")
    start = time.time()
    theirs = PCA(2, svd_solver="randomized", random_state=1).fit(points)
    row("PCA", "seconds", "%.1f" % ours["seconds"], "%.1f" % (time.time() - start), "scikit-learn")
    row("PCA", "share of the variance", "%.5f" % sum(ours["variance"]), "%.5f" % theirs.explained_variance_ratio_.sum(), "scikit-learn")

    ours, y, _ = weft("tsne", "--save-neighbors", os.path.join(folder, "neighbors.npy"))
    start = time.time()
    affinities = PerplexityBasedNN(points, perplexity=30, n_jobs=cores, random_state=1)
    neighbor_seconds = time.time() - start
    embedding = openTSNE.TSNE(n_jobs=cores, random_state=1, initialization="pca", negative_gradient_method="fft")
    theirs = np.asarray(embedding.fit(X=points, affinities=affinities))
    seconds = time.time() - start
    found = np.load(os.path.join(folder, "neighbors.npy"))
    exact = exact_probabilities(args.weft, data, points, folder)
    row("neighbours", "seconds (90 of each point)", "%.1f" % ours["neighbor_seconds"], "%.1f, with the affinities" % neighbor_seconds, "openTSNE")
    row("neighbours", "recall@15", "%.4f" % recall(points, found), "%.4f" % recall(points, affinities._PerplexityBasedNN__neighbors[:, :15]), "openTSNE")
    row("t-SNE", "seconds (250 + 500 steps)", "%.1f" % ours["seconds"], "%.1f" % seconds, "openTSNE")
    row("t-SNE", "Kullback-Leibler divergence", "%.4f" % divergence(exact, y), "%.4f" % divergence(exact, theirs), "openTSNE")
    for name, mine, other in zip(("10-neighbour accuracy of the labels", "trustworthiness"), judged(points, labels, y), judged(points, labels, theirs)):
        row("t-SNE", name, "%.4f" % mine, "%.4f" % other, "openTSNE")

    ours, y, _ = weft("umap")
    start = time.time()
    theirs = umap.UMAP(n_jobs=cores).fit_transform(points)
    row("UMAP", "seconds (%d epochs)" % (200 if args.rows > 10000 else 500), "%.1f" % ours["seconds"], "%.1f" % (time.time() - start), "umap-learn")
    for name, mine, other in zip(("10-neighbour accuracy of the labels", "trustworthiness"), judged(points, labels, y), judged(points, labels, theirs)):
        row("UMAP", name, "%.4f" % mine, "%.4f" % other, "umap-learn")

    with open(args.out, "w") as file:
        file.write("# Points of many dimensions in two\n\n"
                   "`weft project` beside openTSNE %s, umap-learn %s and scikit-learn %s, one after the other in one run, all with %d threads. The %d points of 784 columns\n"
                   "are made from 1,797 scanned digits, each turned, sheared, scaled, moved and made noisy at random (MNIST itself is not needed). Divergences are those of the\n"
                   "probabilities by exact neighbours, for both. Made by `projector.py DIGITS.csv.gz`.\n\n- %s, %d cores, load %.1f before the run, %s\n\n| what | figure | Weft | other | which |\n|---|---|---|---|---|\n%s\n"
                   % (openTSNE.__version__, umap.__version__, sklearn.__version__, cores, args.rows, processor(), cores, load, time.strftime("%Y-%m-%d"), "\n".join(lines)))


if __name__ == "__main__":
    main()
