"""tf.keras.preprocessing.text."""

import collections
import hashlib
import json

import numpy as np

from ..exports import export

_MARKS = '!"#$%&()*+,-./:;<=>?@[\\]^_`{|}~\t\n'


@export("keras.preprocessing.text.text_to_word_sequence")
def text_to_word_sequence(text, filters=_MARKS, lower=True, split=" "):
    """The words of a text."""
    text = text.lower() if lower else text
    return [w for w in text.translate(str.maketrans({c: split for c in filters})).split(split) if w]


@export("keras.preprocessing.text.hashing_trick")
def hashing_trick(text, n, hash_function=None, filters=_MARKS, lower=True, split=" "):
    """A number below n for each word, from its hash."""
    if hash_function is None:
        hash_function = hash
    elif hash_function == "md5":
        hash_function = lambda w: int(hashlib.md5(w.encode()).hexdigest(), 16)  # noqa: E731
    return [hash_function(w) % (n - 1) + 1 for w in text_to_word_sequence(text, filters, lower, split)]


@export("keras.preprocessing.text.one_hot")
def one_hot(text, n, filters=_MARKS, lower=True, split=" "):
    return hashing_trick(text, n, hash, filters, lower, split)


@export("keras.preprocessing.text.Tokenizer")
class Tokenizer:
    """Maps words (or characters) to numbers, the most frequent first."""

    def __init__(self, num_words=None, filters=_MARKS, lower=True, split=" ", char_level=False, oov_token=None, document_count=0, **kwargs):
        if "nb_words" in kwargs:
            num_words = kwargs.pop("nb_words")  # the former name
        if kwargs:
            raise TypeError("Unrecognized keyword arguments: %s" % kwargs)
        self.word_counts, self.word_docs = collections.OrderedDict(), collections.defaultdict(int)
        self.filters, self.split, self.lower, self.num_words, self.document_count = filters, split, lower, num_words, document_count
        self.char_level, self.oov_token, self.index_docs, self.word_index, self.index_word = char_level, oov_token, collections.defaultdict(int), {}, {}

    def _words(self, text):
        if self.char_level or isinstance(text, list):
            return [w.lower() for w in text] if self.lower else list(text)
        return text_to_word_sequence(text, self.filters, self.lower, self.split)

    def fit_on_texts(self, texts):
        for text in texts:
            self.document_count += 1
            words = self._words(text)
            for w in words:
                self.word_counts[w] = self.word_counts.get(w, 0) + 1
            for w in set(words):
                self.word_docs[w] += 1
        order = [w for w, _ in sorted(self.word_counts.items(), key=lambda kv: kv[1], reverse=True)]
        order = ([self.oov_token] if self.oov_token is not None else []) + order
        self.word_index = {w: i + 1 for i, w in enumerate(order)}
        self.index_word = {i: w for w, i in self.word_index.items()}
        for w, n in self.word_docs.items():
            self.index_docs[self.word_index[w]] = n

    def fit_on_sequences(self, sequences):
        self.document_count += len(sequences)
        for s in sequences:
            for i in set(s):
                self.index_docs[i] += 1

    def texts_to_sequences_generator(self, texts):
        oov = self.word_index.get(self.oov_token)
        for text in texts:
            made = []
            for w in self._words(text):
                i = self.word_index.get(w)
                if i is not None and not (self.num_words and i >= self.num_words):
                    made.append(i)
                elif oov is not None:
                    made.append(oov)
            yield made

    def texts_to_sequences(self, texts):
        return list(self.texts_to_sequences_generator(texts))

    def sequences_to_texts_generator(self, sequences):
        oov = self.word_index.get(self.oov_token)
        for s in sequences:
            made = []
            for i in s:
                w = self.index_word.get(i)
                if w is not None and not (self.num_words and i >= self.num_words):
                    made.append(w)
                elif oov is not None:
                    made.append(self.index_word[oov])
            yield " ".join(made)

    def sequences_to_texts(self, sequences):
        return list(self.sequences_to_texts_generator(sequences))

    def texts_to_matrix(self, texts, mode="binary"):
        return self.sequences_to_matrix(self.texts_to_sequences(texts), mode=mode)

    def sequences_to_matrix(self, sequences, mode="binary"):
        """A row per sequence: presence, count, frequency or tf-idf of each word."""
        if not self.num_words and not self.word_index:
            raise ValueError("Specify a dimension (`num_words` argument), or fit on some text data first.")
        if mode == "tfidf" and not self.document_count:
            raise ValueError("Fit the Tokenizer on some data before using tfidf mode.")
        width = self.num_words or len(self.word_index) + 1
        out = np.zeros((len(sequences), width))
        for row, s in enumerate(sequences):
            for i, n in collections.Counter(i for i in s if i < width).items():
                if mode == "count":
                    out[row][i] = n
                elif mode == "freq":
                    out[row][i] = n / len(s)
                elif mode == "binary":
                    out[row][i] = 1
                elif mode == "tfidf":
                    out[row][i] = (1 + np.log(n)) * np.log(1 + self.document_count / (1 + self.index_docs.get(i, 0)))
                else:
                    raise ValueError("Unknown vectorization mode:", mode)
        return out

    def get_config(self):
        return {"num_words": self.num_words, "filters": self.filters, "lower": self.lower, "split": self.split, "char_level": self.char_level, "oov_token": self.oov_token,
                "document_count": self.document_count, "word_counts": json.dumps(self.word_counts), "word_docs": json.dumps(self.word_docs),
                "index_docs": json.dumps(self.index_docs), "index_word": json.dumps(self.index_word), "word_index": json.dumps(self.word_index)}

    def to_json(self, **kwargs):
        return json.dumps({"class_name": type(self).__name__, "config": self.get_config()}, **kwargs)
