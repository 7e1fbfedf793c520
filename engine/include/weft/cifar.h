#pragma once

#include <functional>
#include <string>
#include <vector>

#include "weft/arrays.h"

namespace weft {

/// A batch of CIFAR-10 as its Python version holds it: a pickle of a dictionary with `data` [n,3072] and `labels`. Only dictionaries, lists, numbers, texts and NumPy arrays are read;
/// nothing that a pickle names is called. DATA_LOSS (truncated), INVALID_ARGUMENT (bad_syntax).
WEFT_API Result<LabeledImages> decodeCifar10Python(std::string_view bytes);
WEFT_API bool isCifar10Python(std::string_view bytes);

/// Which files of a CIFAR-10 folder are for training, and which one is for tests; of a single file that file alone. NOT_FOUND says what was looked for.
struct Cifar10Files {
  std::vector<std::string> training, test;
};
WEFT_API Result<Cifar10Files> findCifar10(const std::string& path, FileSystem* files = nullptr);

/// Writes one tf.train.Example for each picture, as TensorFlow's own script does: `image`, 3,072 bytes by channel, and `label`. `from` is a folder of batches (binary or Python) or one batch;
/// of a folder the training batches go to `to` and those for tests beside it: `x.tfrecord` and `x-test.tfrecord`. Returns the files written. CANCELLED if `progress` says so.
struct WrittenRecords {
  std::string path;
  int64_t records = 0;
};
WEFT_API Result<std::vector<WrittenRecords>> cifar10ToRecords(const std::string& from, const std::string& to, const std::function<bool(double)>& progress = {},
                                                              FileSystem* files = nullptr);

}  // namespace weft
