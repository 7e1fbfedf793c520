// A Keras model in an HDF5 file: its configurations, and its weights by layer.
#pragma once

#include <nlohmann/json.hpp>

#include "io/inspect/hdf5.h"

namespace weft::keras_io {

using Json = nlohmann::ordered_json;

/// A configuration as JSON; a discarded value if the text is none. INVALID_ARGUMENT "the `name` is nested more than 200 deep": what reads it goes down level by level.
Result<Json> parseConfig(const std::string& text, const std::string& name);

/// A weight as the file lists it.
struct StoredWeight {
  std::string name;  ///< "dense/kernel:0", relative to its layer's group
  inspect::Hdf5Object dataset;
};

/// A layer's group: "dense" with its weights in order.
struct StoredLayer {
  std::string name;
  std::vector<StoredWeight> weights;
};

struct KerasFile {
  inspect::Hdf5File file;
  std::string modelConfig, trainingConfig;  ///< JSON; empty: the file has none.
  std::string version, backend;
  std::vector<StoredLayer> layers;
  std::vector<StoredWeight> optimizer;  ///< Weights of the optimizer, in its order.
  bool hasOptimizer = false;

  /// The bytes must outlive it. Errors have the kinds truncated, malformed, unsupported, unrecognized.
  static Result<KerasFile> open(std::string_view bytes);
  /// A weight's values, as float32 or float64 (of an optimizer also integers).
  Result<Tensor> value(const StoredWeight& weight) const { return file.values(weight.dataset); }
};

/// A list of names of an attribute; long ones are split into NAME0, NAME1, …
std::vector<std::string> namesOf(const inspect::Hdf5Object& object, const std::string& attribute);

/// A kernel [height, width, in, out], or of fewer or more spatial dimensions, backwards in all of these.
Tensor turnedRound(const Tensor& kernel);

}  // namespace weft::keras_io
