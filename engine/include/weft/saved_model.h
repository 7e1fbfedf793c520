#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "weft/checkpoint.h"

namespace weft {

/// A callable computation of a SavedModel: names for the outside, and the tensors ("node:0") that they stand for.
struct ModelSignature {
  std::string key = "serving_default";
  std::string method = "tensorflow/serving/predict";
  std::vector<std::pair<std::string, std::string>> inputs, outputs;
};

struct SavedModelOptions {
  std::vector<std::string> tags = {"serve"};
  std::vector<ModelSignature> signatures;  ///< Added to those that the meta graph has.
  std::string mainOp;                      ///< Run after loading; may be empty.
  bool clearDevices = false;
  FileSystem* files = nullptr;             ///< Not owned; default: the machine's.
};

/// Writes FOLDER/saved_model.pb and FOLDER/variables out of a meta graph (either form) and the values of a checkpoint. ALREADY_EXISTS if the
/// folder holds a SavedModel; FAILED_PRECONDITION if the graph has variables but no saver of version 2 to restore them with; NOT_FOUND for
/// tensors of signatures that are not in the graph. saved_model.pb comes last, so that a model that is found is whole.
WEFT_API Status writeSavedModel(const std::string& folder, std::string_view metaGraph, const CheckpointReader* variables, const SavedModelOptions& options);

}  // namespace weft
