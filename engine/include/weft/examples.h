#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "weft/records.h"
#include "weft/statistics.h"

namespace weft {

/// Random access to the records of a file. Plain files are read at a record's position. Compressed files are streamed again from the start to go
/// back. Not thread-safe.
class WEFT_API RecordFile {
 public:
  virtual ~RecordFile() = default;
  /// Scans the file once for the positions of its records, at most `most`. For a damaged or truncated file these are the records before the damage,
  /// which damage() describes. CANCELLED if `progress` returns false.
  static Result<std::unique_ptr<RecordFile>> open(const std::string& path, int64_t most = INT64_MAX, const Progress& progress = {},
                                                  FileSystem* files = nullptr);
  virtual int64_t count() const = 0;
  virtual bool isComplete() const = 0;  ///< Whether count() covers the whole file.
  virtual int64_t bytesOf(int64_t record) const = 0;
  virtual Compression compression() const = 0;
  virtual Result<std::string> read(int64_t record) = 0;
  virtual const Status& damage() const = 0;
};

/// One feature of a tf.train.Example.
struct ExampleFeature {
  enum class Kind { Empty, Bytes, Float, Int64 };
  std::string name;
  Kind kind = Kind::Empty;
  std::vector<std::string> bytes;
  std::vector<float> floats;
  std::vector<int64_t> ints;
  /// For a SequenceExample's feature list: the number of values of each step. Values of all steps are concatenated.
  bool isSequence = false;
  std::vector<int64_t> steps;
  int64_t size() const { return int64_t(bytes.size() + floats.size() + ints.size()); }
};
enum class RecordForm { Bytes, Example, SequenceExample };
/// The form of a record: a plausible Example or SequenceExample, or plain bytes.
WEFT_API RecordForm recordForm(const std::string& record);
/// Features by name. INVALID_ARGUMENT if the record does not have that form.
WEFT_API Result<std::vector<ExampleFeature>> parseExample(const std::string& record, RecordForm form = RecordForm::Example);

/// How a feature would be parsed.
struct FeatureSpec {
  enum class Kind { Fixed, Variable, FixedSequence, Sparse };
  std::string name;
  Kind kind = Kind::Fixed;
  DType dtype = DType::Float;
  Shape shape;                ///< Of Fixed and FixedSequence; of Sparse the dense size.
  bool hasDefault = false;    ///< Records without it get zeros or empty strings; of FixedSequence: no steps.
  bool isSequence = false;    ///< It is a feature list of a SequenceExample.
  std::string indexKey = {};  ///< Of Sparse: the feature with the positions of the values.
};
/// "tf.FixedLenFeature([28, 28], tf.float32)" as TensorFlow 1.x writes it.
WEFT_API std::string specText(const FeatureSpec& spec);
/// Applies `spec` to a record's feature (null: the record has none). Returns a tensor (for Variable and Sparse: the values of the sparse tensor), or
/// INVALID_ARGUMENT where tf.parse_single_example would fail.
WEFT_API Result<Tensor> applySpec(const FeatureSpec& spec, const ExampleFeature* feature);

}  // namespace weft
