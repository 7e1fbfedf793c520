#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "weft/examples.h"

namespace weft {

/// The features with one name over many records.
struct FeatureSummary {
  std::string name;
  ExampleFeature::Kind kind = ExampleFeature::Kind::Empty;  ///< The first kind that a record has.
  bool mixed = false;                                       ///< Records, or steps of one list, differ in kind: no parse call can read all of them.
  std::vector<ExampleFeature::Kind> kinds;                  ///< Those found, in the order of their first record.
  bool isSequence = false;                                  ///< A feature list of a SequenceExample.
  int64_t records = 0;                                      ///< Number of records with this feature.
  int64_t empty = 0;                                        ///< How many of them state no kind, which parse calls take for a missing feature.
  int64_t least = 0, most = 0;                              ///< Values per record; for sequences: steps.
  int64_t leastStated = 0;                                  ///< As `least`, of the records that state a kind.
  int64_t steps = 0;                                        ///< Steps of a sequence, of all records together.
  int64_t leastStep = 0, mostStep = 0;                      ///< Values per step of a sequence.
  int64_t leastInt = 0, mostInt = 0;                        ///< Values of integers.
  std::string content;                                      ///< Content of bytes: "JPEG", "PNG", "text", "raw", "mixed"; empty if not bytes.
  int64_t leastBytes = 0, mostBytes = 0;                    ///< Lengths of byte strings.
  std::string indexKey;                                     ///< The feature with the positions of these values, if the two form a sparse pair.
};

/// What the records of a file have in common.
struct RecordSchema {
  RecordForm form = RecordForm::Bytes;
  int64_t records = 0;                     ///< Number of records that were looked at.
  int64_t otherForm = 0, firstOther = -1;  ///< Records that do not have `form`, and the number of the first one.
  std::vector<FeatureSummary> features;    ///< Context or the features of an Example first, then feature lists; each sorted by name.
};

/// Infers a schema from records, one after the other. The form is that of the first 50: Examples, SequenceExamples if each is one of the two, else bytes.
class WEFT_API SchemaInference {
 public:
  void add(const std::string& record);
  RecordSchema schema() const;

 private:
  /// Two features that may be the positions and the values of one sparse tensor: "x_indices" and "x_values".
  struct Pair {
    std::string index, values;
    bool broken = false;  ///< Their lengths differ in a record, or there is a third of that name.
  };
  using Summaries = std::map<std::string, FeatureSummary>;

  void addPairs(const std::map<std::string, int64_t>& sizes);

  int64_t records_ = 0, unparsed_ = 0, firstUnparsed_ = -1, withLists_ = 0, firstWithLists_ = -1;
  bool examples_ = true, sequences_ = true;
  Summaries context_, lists_;
  std::map<std::string, Pair> pairs_;  ///< By the name without its last word.
};

/// Specs that together read every record, in the order of the features: fixed if all records have the same number of values, a sparse pair where two
/// features form one, else variable. Without a use for features of mixed kinds, which parseProgram() leaves out.
WEFT_API std::vector<FeatureSpec> proposeSpecs(const RecordSchema& schema);

/// Where records are read from, for parseProgram().
struct RecordSource {
  std::string path;  ///< Empty: the program has only the parse function.
  Compression compression = Compression::None;
  int64_t records = -1;  ///< Number of records of the file; -1: those of the schema.
};
/// A Python program for TensorFlow 1.x: parse(serialized) with the call for all specs, and a tf.data.TFRecordDataset that uses it. Comments say where bytes need
/// decoding, and which features are left out because records disagree about their type. INVALID_ARGUMENT if no feature can be parsed.
WEFT_API Result<std::string> parseProgram(const RecordSchema& schema, const std::vector<FeatureSpec>& specs, const RecordSource& source);
/// What the beginning of a byte string looks like: "JPEG", "PNG", "GIF", "BMP", "WAV", "text" or "raw".
WEFT_API std::string bytesContent(std::string_view bytes);

}  // namespace weft
