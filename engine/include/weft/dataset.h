#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "weft/graph.h"
#include "weft/tensor.h"

namespace weft {

/// Where data comes from and which placeholders it feeds: one message of a document's `weft/dataset` collection.
struct DatasetBinding {
  std::string kind = "builtin";                     ///< "builtin", "csv", "text", "tfrecord", "npz", "npy", "mat", "libsvm", "idx", "cifar10", "images"
  std::string path;                                 ///< File or folder, relative to the document if possible. Several are separated by ';'.
  std::string builtin;                              ///< Name of a built-in data set: "digits", "shakespeare", "bikes", "income".
  std::map<std::string, std::string> placeholders;  ///< Placeholder (tensor name) -> column.
  double validationFraction = 0.2;                  ///< Share held back for evaluation, the same for every class; 0: none.
  int64_t seed = 1;
  bool shuffle = true;
  int batchSize = 32;
  std::map<std::string, std::string> options;  ///< Options of the kind, see below.
};

// Options. All kinds: `columns` (only these, "a,b"), `hold_out`=end (evaluate on the last rows instead of random ones), `projector`
// ("VARIABLE=COLUMN;…": the variable's rows are the column's words; a training writes them for TensorBoard's projector).
// csv: `delimiter`, `header`, `label` (name or number of a column), `label_scale` (factor of a numeric label), `ignore` (columns left out, "a,b"),
// `standardize`=true (numbers to mean 0 and deviation 1 over all rows), `scale`. text: `level` (characters, words), `length` of a sequence, `stride`,
// `vocabulary` (maximum number of words), `window` (maximum distance of word pairs). tfrecord: `label`, `image` (features also offered as labels and images),
// `raw` (bytes features that are uint8 values). images: `height`, `width`, `channels`. Pictures: `scale`.

/// Columns of equal length. By kind:
/// builtin digits: "images" float32 [n,64] (0…1), "labels" int32; idx (two files "IMAGES;LABELS"), cifar10, images: "images" uint8
/// [n,h,w,c], "labels" int32; npz and mat: the arrays' names; libsvm: "features" float32 [n, columns] and "labels" float32 [n]; npy: "images" or, of two files, also "labels"; csv: the columns' names, "labels" for the one
/// that the option `label` names (default: the last), "images" or "features" for all other numbers together, float32, and for a text column NAME
/// also "NAME_id", int32: its words as numbers; text: "inputs" and "targets" (shifted by one) int32 [n,length], with `window`
/// "center" and "context" int32 [n]; tfrecord: the features that all records have with the same number of values; PNG and JPEG as uint8 [n,h,w,c].
struct Dataset {
  std::vector<std::pair<std::string, Tensor>> columns;
  std::vector<std::string> classes;                              ///< Names of the labels, if known.
  std::map<std::string, std::vector<std::string>> vocabularies;  ///< Column -> the words behind its numbers.
  std::map<std::string, std::string> unusable;                   ///< Contents of the file that cannot be a column -> the reason.
  int64_t size() const { return columns.empty() ? 0 : columns[0].second.dim(0); }
  WEFT_API const Tensor* find(std::string_view name) const;
  /// A NOT_FOUND error that says why there is no such column, or which there are.
  WEFT_API Error missing(std::string_view name) const;
};

/// Reads the data of a binding. `folder` is the document's, for relative paths. NOT_FOUND and INVALID_ARGUMENT name the file or column and what was expected.
WEFT_API Result<Dataset> loadDataset(const DatasetBinding& binding, const std::string& folder);
/// The kind of data in a file, guessed from its name, without a ".gz" at its end: "csv" for .csv and .tsv, "libsvm" for .libsvm, .svm and .svmlight, …; "images"
/// for a name that says nothing, as of a folder.
WEFT_API std::string dataKindOf(const std::string& path);
/// Folder of the built-in data sets: $WEFT_RESOURCES/datasets, or below the installed or built program.
WEFT_API std::string builtinDatasetFolder();

/// Rows for training and for evaluation. The same fraction of each class (value of `labels`, if given) is held back, chosen by `seed`.
struct DatasetSplit {
  std::vector<int64_t> training, evaluation;  ///< Ascending.
};
WEFT_API DatasetSplit splitByClass(int64_t size, const Tensor* labels, double fraction, int64_t seed);

/// Holds back the last rows. For text and time series, whose neighbouring rows resemble each other.
WEFT_API DatasetSplit splitAtEnd(int64_t size, double fraction);

/// The order of rows in an epoch: `rows` shuffled by (seed, epoch), the same on every machine.
WEFT_API std::vector<int64_t> shuffledRows(const std::vector<int64_t>& rows, int64_t seed, int64_t epoch);

/// Converts a column to a placeholder's type and shape: [n, …] with the placeholder's inner dimensions. Numbers are cast. uint8 images for a
/// float placeholder are multiplied by `scale` (0: 1/255). Integer labels for a float [?, classes] placeholder become one-hot rows.
WEFT_API Result<Tensor> fitColumn(const Tensor& column, DType dtype, const Shape& placeholder, double scale = 0);

/// Copies rows of a column, in the given order, into a new tensor.
WEFT_API Result<Tensor> takeRows(const Tensor& column, const int64_t* rows, int64_t count);

}  // namespace weft
