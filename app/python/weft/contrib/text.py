"""tf.contrib.learn.preprocessing: documents as rows of word ids."""

import collections
import pickle
import re

import numpy as np

from ..exports import export
from ..platform.gfile import GFile

# A run of capitals not followed by a lowercase letter; a capitalised word before another; else letters, digits, ' and -.
_WORD = re.compile(r"[A-Z]{2,}(?![a-z])|[A-Z][a-z]+(?=[A-Z])|['\w\-]+")


def _both(name):
    return export("contrib.learn.preprocessing." + name, "contrib.learn.python.learn.preprocessing.text." + name)


@_both("tokenizer")
def tokenizer(iterator):
    """The words of each document."""
    for document in iterator:
        yield _WORD.findall(document)


@_both("CategoricalVocabulary")
class CategoricalVocabulary:
    """Ids of categories, in order of first occurrence; 0 stands for unknown categories."""

    def __init__(self, unknown_token="<UNK>", support_reverse=True):
        self._unknown = unknown_token
        self._mapping = {unknown_token: 0}
        self._names = [unknown_token] if support_reverse else None
        self._count = collections.Counter()
        self._frozen = False

    def __len__(self):
        return len(self._mapping)

    def freeze(self, freeze=True):
        self._frozen = freeze

    def get(self, category):
        if category not in self._mapping:
            if self._frozen:
                return 0
            self._mapping[category] = len(self._mapping)
            if self._names is not None:
                self._names.append(category)
        return self._mapping[category]

    def add(self, category, count=1):
        number = self.get(category)
        if number > 0:
            self._count[category] += count

    def trim(self, min_frequency, max_frequency=-1):
        """Keeps sufficiently frequent categories, sorted by falling frequency, then by name."""
        order = sorted(self._count.items(), key=lambda kv: (-kv[1], isinstance(kv[0], str), kv[0]))
        kept = [k for k, n in order if n > min_frequency and (max_frequency < 0 or n < max_frequency)]
        self._mapping = {self._unknown: 0}
        self._mapping.update((k, i + 1) for i, k in enumerate(kept))
        if self._names is not None:
            self._names = [self._unknown] + kept
        self._count = collections.Counter({k: self._count[k] for k in kept})

    def reverse(self, class_id):
        if self._names is None:
            raise ValueError("This vocabulary wasn't initialized with support_reverse to support reverse() function.")
        return self._names[class_id]


@_both("VocabularyProcessor")
class VocabularyProcessor:
    """Documents as rows of word ids, truncated and padded to one length."""

    def __init__(self, max_document_length, min_frequency=0, vocabulary=None, tokenizer_fn=None):
        self.max_document_length, self.min_frequency = max_document_length, min_frequency
        self.vocabulary_ = vocabulary or CategoricalVocabulary()
        self._tokenizer = tokenizer_fn or tokenizer

    def fit(self, raw_documents, unused_y=None):
        for words in self._tokenizer(raw_documents):
            for word in words:
                self.vocabulary_.add(word)
        if self.min_frequency > 0:
            self.vocabulary_.trim(self.min_frequency)
        self.vocabulary_.freeze()
        return self

    def fit_transform(self, raw_documents, unused_y=None):
        self.fit(raw_documents)
        return self.transform(raw_documents)

    def transform(self, raw_documents):
        for words in self._tokenizer(raw_documents):
            row = np.zeros(self.max_document_length, np.int64)
            for i, word in zip(range(self.max_document_length), words):
                row[i] = self.vocabulary_.get(word)
            yield row

    def reverse(self, documents):
        for document in documents:
            yield " ".join(self.vocabulary_.reverse(i) for i in document)

    def save(self, filename):
        with GFile(filename, "wb") as f:
            f.write(pickle.dumps(self))

    @classmethod
    def restore(cls, filename):
        with GFile(filename, "rb") as f:
            return pickle.loads(f.read())


@_both("ByteProcessor")
class ByteProcessor:
    """Documents as rows of their bytes."""

    def __init__(self, max_document_length):
        self.max_document_length = max_document_length

    def fit(self, x):
        return None

    def fit_transform(self, x):
        return self.transform(x)

    def transform(self, x):
        for document in x:
            data = document.encode("utf-8") if isinstance(document, str) else bytes(document)
            row = np.frombuffer(data[: self.max_document_length], np.uint8)
            yield np.pad(row, (0, self.max_document_length - len(row)), "constant")

    def reverse(self, x):
        for row in x:
            yield np.trim_zeros(row.astype(np.uint8), trim="b").tobytes().decode("utf-8", "ignore")
