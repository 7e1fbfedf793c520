#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "weft/records.h"
#include "weft/statistics.h"

namespace weft {

/// A record file by number of its records. Plain files are read where a record lies; compressed ones are streamed again from the start when one
/// goes back. Not thread-safe.
class WEFT_API RecordFile {
 public:
  virtual ~RecordFile() = default;
  /// Walks over the file once for the places of its records. A damaged or cut file has those before the damage; damage() says what it is.
  /// `most`: stops after so many. CANCELLED if `progress` says so.
  static Result<std::unique_ptr<RecordFile>> open(const std::string& path, int64_t most = INT64_MAX, const Progress& progress = {},
                                                  FileSystem* files = nullptr);
  virtual int64_t count() const = 0;
  virtual bool isComplete() const = 0;  ///< Whether count() is that of the whole file.
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
  /// Of a SequenceExample's feature lists: how many values each step has; values of all steps lie one after another.
  bool isSequence = false;
  std::vector<int64_t> steps;
  int64_t size() const { return int64_t(bytes.size() + floats.size() + ints.size()); }
};
enum class RecordForm { Bytes, Example, SequenceExample };
/// What a record is: a plausible Example or SequenceExample, or just bytes.
WEFT_API RecordForm recordForm(const std::string& record);
/// Features by name. INVALID_ARGUMENT if it is none of that form.
WEFT_API Result<std::vector<ExampleFeature>> parseExample(const std::string& record, RecordForm form = RecordForm::Example);

/// What records have under one name.
struct FeatureSummary {
  std::string name;
  ExampleFeature::Kind kind = ExampleFeature::Kind::Empty;
  bool mixed = false;  ///< Records disagree about the kind: no parse spec can read all of them.
  bool isSequence = false;
  int64_t records = 0;                  ///< That have it.
  int64_t least = 0, most = 0;          ///< Values in one record; of sequences: steps.
  int64_t leastStep = 0, mostStep = 0;  ///< Values in one step of a sequence.
  std::string content;                  ///< What bytes begin like: "JPEG", "PNG", "text", "raw"; empty if not alike or no bytes.
  int64_t leastBytes = 0, mostBytes = 0;
};
/// Joins a record's features to what is known of those before; `names` are kept sorted.
WEFT_API void addToSummary(const std::vector<ExampleFeature>& features, std::vector<FeatureSummary>* summaries);

/// How a feature would be parsed.
struct FeatureSpec {
  enum class Kind { Fixed, Variable, FixedSequence };
  std::string name;
  Kind kind = Kind::Fixed;
  DType dtype = DType::Float;
  Shape shape;              ///< Of Fixed and FixedSequence.
  bool hasDefault = false;  ///< Records without it get zeros, empty strings.
};
/// The spec that reads every record: fixed if all have it with as many values, else variable.
WEFT_API FeatureSpec proposeSpec(const FeatureSummary& summary, int64_t records);
/// "tf.FixedLenFeature([28, 28], tf.float32)" as TensorFlow 1.x writes it.
WEFT_API std::string specText(const FeatureSpec& spec);
/// A parse function in Python for all of them, with a comment where bytes need decoding.
WEFT_API std::string specProgram(const std::vector<FeatureSpec>& specs, const std::vector<FeatureSummary>& summaries, RecordForm form);
/// What `spec` makes of a record's feature (null: the record has none): a tensor (of Variable: the values of the sparse tensor), or
/// INVALID_ARGUMENT as tf.parse_single_example would end.
WEFT_API Result<Tensor> applySpec(const FeatureSpec& spec, const ExampleFeature* feature);

}  // namespace weft
