#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "weft/error.h"
#include "weft/tensor.h"

// Reads serialised Examples without building protobuf messages, as leniently and as strictly as TensorFlow's fast parser.
namespace weft {

/// A feature's name and its serialised Feature message, both views into the input.
struct WireFeature {
  std::string_view name, body;
};
/// A feature list's name and the Feature messages of its steps.
struct WireList {
  std::string_view name;
  std::vector<std::string_view> steps;
};

/// Reads the features of an Example, or of several concatenated ones; false if malformed.
bool readExample(std::string_view text, std::vector<WireFeature>* features);
/// Reads the context and feature lists of a SequenceExample; false if malformed.
bool readSequenceExample(std::string_view text, std::vector<WireFeature>* context, std::vector<WireList>* lists);

/// Removes the kind from the front of a Feature message: Float, Int64 or String; Invalid if it is empty. INVALID_ARGUMENT "Unsupported datatype.".
Result<DType> takeKind(std::string_view* body);

/// Values of one kind.
struct FeatureValues {
  std::vector<std::string> bytes;
  std::vector<float> floats;
  std::vector<int64_t> ints;
  int64_t size() const { return int64_t(bytes.size() + floats.size() + ints.size()); }
  void clear();
  /// Writes the values into a tensor of their kind, starting at element `at`. REQUIRES: they fit.
  void store(Tensor& to, int64_t at) const;
};
/// Appends the values of a Feature's list of kind `type` (the rest after takeKind()); false if malformed.
bool readValues(std::string_view list, DType type, FeatureValues* out);

/// "bytes", "float", "int64": TensorFlow's words for a feature's values in errors.
const char* valuesWord(DType type);

}  // namespace weft
