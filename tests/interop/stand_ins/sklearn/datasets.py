"""Synthetic tables of the well-known sizes."""
import types

import numpy as np


def table(rows, columns, classes=0):
    random = np.random.RandomState(rows + columns)
    target = np.sort(random.randint(0, classes, rows)) if classes else random.rand(rows) * 40 + 5
    data = np.round(random.rand(rows, columns) * 2 + np.outer(target if classes else target / 10, np.arange(1, columns + 1)) * 0.7 + 0.1, 1)
    return types.SimpleNamespace(data=data, target=target, feature_names=["f%d" % i for i in range(columns)])


def load_iris():
    return table(150, 4, 3)


def load_boston():
    return table(506, 13)


def make_circles(n_samples=100, factor=0.8, noise=0.0):
    random = np.random.RandomState(n_samples)
    labels = np.arange(n_samples) % 2
    angles, radius = random.rand(n_samples) * 2 * np.pi, np.where(labels == 1, factor, 1.0)
    return np.stack([np.cos(angles) * radius, np.sin(angles) * radius], 1) + random.randn(n_samples, 2) * noise, labels
