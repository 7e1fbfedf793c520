#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "weft/error.h"
#include "weft/tensor.h"

// Reading serialised Examples without building protobuf messages, as leniently and as strictly as TensorFlow's fast parser does.
namespace weft {

/// A feature's name and its serialised Feature message, in the text that was read.
struct WireFeature {
  std::string_view name, body;
};
/// A feature list's name and the Feature messages of its steps.
struct WireList {
  std::string_view name;
  std::vector<std::string_view> steps;
};

/// Features of an Example, or of several written one after another; false if it is malformed.
bool readExample(std::string_view text, std::vector<WireFeature>* features);
/// Context and feature lists of a SequenceExample; false if it is malformed.
bool readSequenceExample(std::string_view text, std::vector<WireFeature>* context, std::vector<WireList>* lists);

/// Takes the kind off a Feature message: Float, Int64 or String, Invalid if it is empty. INVALID_ARGUMENT "Unsupported datatype.".
Result<DType> takeKind(std::string_view* body);

/// Values of one kind.
struct FeatureValues {
  std::vector<std::string> bytes;
  std::vector<float> floats;
  std::vector<int64_t> ints;
  int64_t size() const { return int64_t(bytes.size() + floats.size() + ints.size()); }
  void clear();
  /// Writes them into a tensor of their kind from element `at` on. REQUIRES: they fit.
  void store(Tensor& to, int64_t at) const;
};
/// Appends the values of a Feature's list of kind `type` (what takeKind() left); false if it is malformed.
bool readValues(std::string_view list, DType type, FeatureValues* out);

/// "bytes", "float", "int64": what TensorFlow calls the values of a feature in its errors.
const char* valuesWord(DType type);

}  // namespace weft
