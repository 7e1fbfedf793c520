#pragma once

#include <functional>
#include <string>
#include <vector>

#include "weft/arrays.h"

namespace weft {

/// Decodes a batch of CIFAR-10's Python version: a pickled dictionary with `data` [n,3072] and `labels`. Reads only dictionaries, lists, numbers, texts and NumPy arrays, and calls
/// nothing that the pickle names. DATA_LOSS (truncated), INVALID_ARGUMENT (bad_syntax).
WEFT_API Result<LabeledImages> decodeCifar10Python(std::string_view bytes);
WEFT_API bool isCifar10Python(std::string_view bytes);

/// The training and test files of a CIFAR-10 folder; for a single file, that file alone. NOT_FOUND says what was looked for.
struct Cifar10Files {
  std::vector<std::string> training, test;
};
WEFT_API Result<Cifar10Files> findCifar10(const std::string& path, FileSystem* files = nullptr);

/// Writes one tf.train.Example per image, as TensorFlow's own script does: `image`, 3,072 bytes by channel, and `label`. `from` is a folder of batches (binary or Python) or one batch.
/// For a folder, training batches go to `to` and test batches beside it: `x.tfrecord` and `x-test.tfrecord`. Returns the files written. CANCELLED if `progress` returns false.
struct WrittenRecords {
  std::string path;
  int64_t records = 0;
};
WEFT_API Result<std::vector<WrittenRecords>> cifar10ToRecords(const std::string& from, const std::string& to, const std::function<bool(double)>& progress = {},
                                                              FileSystem* files = nullptr);

}  // namespace weft
