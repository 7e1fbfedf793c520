"""tf.keras.preprocessing.sequence."""

import random

import numpy as np

from ..exports import export
from .names import Sequence


@export("keras.preprocessing.sequence.pad_sequences")
def pad_sequences(sequences, maxlen=None, dtype="int32", padding="pre", truncating="pre", value=0.):
    """Pads or truncates lists to one array."""
    if not hasattr(sequences, "__len__"):
        raise ValueError("`sequences` must be iterable.")
    lengths, sample = [], ()
    for x in sequences:
        if not hasattr(x, "__len__"):
            raise ValueError("`sequences` must be a list of iterables. Found non-iterable: " + str(x))
        lengths.append(len(x))
        if not sample and len(x):
            sample = np.asarray(x).shape[1:]
    maxlen = (max(lengths) if lengths else 0) if maxlen is None else maxlen
    if truncating not in ("pre", "post"):
        raise ValueError('Truncating type "%s" not understood' % truncating)
    if padding not in ("pre", "post"):
        raise ValueError('Padding type "%s" not understood' % padding)
    out = np.full((len(lengths), maxlen) + tuple(sample), value, dtype=dtype)
    for row, s in enumerate(sequences):
        if not len(s) or not maxlen:
            continue
        cut = np.asarray(s[-maxlen:] if truncating == "pre" else s[:maxlen], dtype=dtype)
        if cut.shape[1:] != tuple(sample):
            raise ValueError("Shape of sample %s of sequence at position %s is different from expected shape %s" % (cut.shape[1:], row, tuple(sample)))
        if padding == "post":
            out[row, :len(cut)] = cut
        else:
            out[row, -len(cut):] = cut
    return out


@export("keras.preprocessing.sequence.make_sampling_table")
def make_sampling_table(size, sampling_factor=1e-5):
    """The probability of keeping each word; words are ordered by decreasing frequency."""
    rank = np.arange(size)
    rank[0] = 1
    frequency = sampling_factor * (rank * (np.log(rank) + 0.577) + 0.5 - 1. / (12. * rank))
    return np.minimum(1., frequency / np.sqrt(frequency))


@export("keras.preprocessing.sequence.skipgrams")
def skipgrams(sequence, vocabulary_size, window_size=4, negative_samples=1., shuffle=True, categorical=False, sampling_table=None, seed=None):
    """Pairs of neighbouring words, and pairs with random words."""
    pairs, labels = [], []
    for i, word in enumerate(sequence):
        if not word or sampling_table is not None and sampling_table[word] < random.random():
            continue
        for j in range(max(0, i - window_size), min(len(sequence), i + window_size + 1)):
            if j != i and sequence[j]:
                pairs.append([word, sequence[j]])
                labels.append([0, 1] if categorical else 1)
    if negative_samples > 0:
        count = int(len(labels) * negative_samples)
        words = [p[0] for p in pairs]
        random.shuffle(words)
        pairs += [[words[i % len(words)], random.randint(1, vocabulary_size - 1)] for i in range(count)]
        labels += [[1, 0] if categorical else 0] * count
    if shuffle:
        seed = random.randint(0, int(10e6)) if seed is None else seed
        for what in (pairs, labels):
            random.seed(seed)
            random.shuffle(what)
    return pairs, labels


@export("keras.preprocessing.sequence.TimeseriesGenerator")
class TimeseriesGenerator(Sequence):
    """Windows of a series with their targets, in batches."""

    def __init__(self, data, targets, length, sampling_rate=1, stride=1, start_index=0, end_index=None, shuffle=False, reverse=False, batch_size=128):
        if len(data) != len(targets):
            raise ValueError("Data and targets have to be of same length. Data length is {} while target length is {}".format(len(data), len(targets)))
        self.data, self.targets, self.length, self.sampling_rate, self.stride = data, targets, length, sampling_rate, stride
        self.start_index, self.end_index = start_index + length, len(data) - 1 if end_index is None else end_index
        self.shuffle, self.reverse, self.batch_size = shuffle, reverse, batch_size
        if self.start_index > self.end_index:
            raise ValueError("`start_index+length=%i > end_index=%i` is disallowed, as no part of the sequence would be left to be used as current step." %
                             (self.start_index, self.end_index))

    def __len__(self):
        return (self.end_index - self.start_index + self.batch_size * self.stride) // (self.batch_size * self.stride)

    def __getitem__(self, index):
        if self.shuffle:
            rows = np.random.randint(self.start_index, self.end_index + 1, size=self.batch_size)
        else:
            i = self.start_index + self.batch_size * self.stride * index
            rows = np.arange(i, min(i + self.batch_size * self.stride, self.end_index + 1), self.stride)
        samples = np.array([self.data[row - self.length:row:self.sampling_rate] for row in rows])
        targets = np.array([self.targets[row] for row in rows])
        return (samples[:, ::-1, ...], targets) if self.reverse else (samples, targets)
