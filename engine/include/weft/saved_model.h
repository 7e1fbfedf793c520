#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "weft/checkpoint.h"
#include "weft/graph.h"

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
  FileSystem* files = nullptr;  ///< Not owned; default: the machine's.
};

/// Writes FOLDER/saved_model.pb and FOLDER/variables out of a meta graph (either form) and the values of a checkpoint. ALREADY_EXISTS if the
/// folder holds a SavedModel; FAILED_PRECONDITION if the graph has variables but no saver of version 2 to restore them with; NOT_FOUND for
/// tensors of signatures that are not in the graph. saved_model.pb comes last, so that a model that is found is whole.
WEFT_API Status writeSavedModel(const std::string& folder, std::string_view metaGraph, const CheckpointReader* variables, const SavedModelOptions& options);

/// One meta graph of a SavedModel as a folder holds it, with what a loader does before the first step.
struct WEFT_API SavedModelContents {
  MetaGraph meta;
  std::vector<ModelSignature> signatures;                   ///< Sorted by key; without the one that only names the op that initializes.
  std::string checkpoint;                                   ///< Prefix of the variables' values; empty if the model has none.
  std::string initOp;                                       ///< Run after the values are restored (main_op, legacy_init_op); may be empty.
  std::vector<std::pair<std::string, std::string>> assets;  ///< Tensors ("node:0") and the paths of files to feed to them when initOp runs.

  const ModelSignature* signature(std::string_view key) const;  ///< nullptr if there is none of that name.
};
/// Reads FOLDER/saved_model.pb or .pbtxt. `tags`: those of the wanted meta graph, in any order; none: the only meta graph, or that of the tag
/// "serve". NOT_FOUND without such a file; INVALID_ARGUMENT lists the tags of the meta graphs if none or several fit.
WEFT_API Result<SavedModelContents> readSavedModel(const std::string& folder, const std::vector<std::string>& tags = {}, FileSystem* files = nullptr);
/// Whether a path is a folder with a SavedModel.
WEFT_API bool isSavedModel(const std::string& folder, FileSystem* files = nullptr);

}  // namespace weft
