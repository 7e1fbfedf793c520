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

/// A summary of the features with one name over many records.
struct FeatureSummary {
  std::string name;
  ExampleFeature::Kind kind = ExampleFeature::Kind::Empty;
  bool mixed = false;  ///< Records differ in kind, so no parse spec can read all of them.
  bool isSequence = false;
  int64_t records = 0;                  ///< Number of records with this feature.
  int64_t least = 0, most = 0;          ///< Values per record; for sequences: steps.
  int64_t leastStep = 0, mostStep = 0;  ///< Values per step of a sequence.
  std::string content;                  ///< Content of bytes: "JPEG", "PNG", "text", "raw"; empty if mixed or not bytes.
  int64_t leastBytes = 0, mostBytes = 0;
};
/// Adds a record's features to the summaries, which stay sorted by name.
WEFT_API void addToSummary(const std::vector<ExampleFeature>& features, std::vector<FeatureSummary>* summaries);

/// How a feature would be parsed.
struct FeatureSpec {
  enum class Kind { Fixed, Variable, FixedSequence };
  std::string name;
  Kind kind = Kind::Fixed;
  DType dtype = DType::Float;
  Shape shape;              ///< Of Fixed and FixedSequence.
  bool hasDefault = false;  ///< Records without it get zeros or empty strings.
};
/// A spec that reads every record: fixed if all have the same number of values, else variable.
WEFT_API FeatureSpec proposeSpec(const FeatureSummary& summary, int64_t records);
/// "tf.FixedLenFeature([28, 28], tf.float32)" as TensorFlow 1.x writes it.
WEFT_API std::string specText(const FeatureSpec& spec);
/// A Python parse function for all specs, with a comment where bytes need decoding.
WEFT_API std::string specProgram(const std::vector<FeatureSpec>& specs, const std::vector<FeatureSummary>& summaries, RecordForm form);
/// Applies `spec` to a record's feature (null: the record has none). Returns a tensor (for Variable: the values of the sparse tensor), or
/// INVALID_ARGUMENT where tf.parse_single_example would fail.
WEFT_API Result<Tensor> applySpec(const FeatureSpec& spec, const ExampleFeature* feature);

}  // namespace weft
