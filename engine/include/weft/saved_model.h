#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "weft/checkpoint.h"
#include "weft/graph.h"

namespace weft {

/// A callable computation of a SavedModel: public names, and their tensors ("node:0").
struct ModelSignature {
  std::string key = "serving_default";
  std::string method = "tensorflow/serving/predict";
  std::vector<std::pair<std::string, std::string>> inputs, outputs;
};

/// The signatures of a MetaGraphDef in binary form, sorted by key, without the one that only names the init op.
WEFT_API Result<std::vector<ModelSignature>> signaturesOf(std::string_view metaGraph);

struct SavedModelOptions {
  std::vector<std::string> tags = {"serve"};
  std::vector<ModelSignature> signatures;  ///< Added to those of the meta graph.
  std::string mainOp;                      ///< Run after loading; may be empty.
  bool clearDevices = false;
  FileSystem* files = nullptr;  ///< Not owned; default: the machine's.
};

/// Writes FOLDER/saved_model.pb and FOLDER/variables from a meta graph (either form) and a checkpoint's values. saved_model.pb is written last, so
/// that a model that exists is complete. ALREADY_EXISTS if the folder holds a SavedModel. FAILED_PRECONDITION if the graph has variables but no
/// version 2 saver to restore them. NOT_FOUND for signature tensors that are not in the graph.
WEFT_API Status writeSavedModel(const std::string& folder, std::string_view metaGraph, const CheckpointReader* variables, const SavedModelOptions& options);

/// One meta graph of a SavedModel folder, and what a loader does before the first step.
struct WEFT_API SavedModelContents {
  MetaGraph meta;
  std::vector<ModelSignature> signatures;                   ///< Sorted by key, without the one that only names the init op.
  std::string checkpoint;                                   ///< Prefix of the variables' values; empty if the model has none.
  std::string initOp;                                       ///< Run after values are restored (main_op, legacy_init_op); may be empty.
  std::vector<std::pair<std::string, std::string>> assets;  ///< Tensors ("node:0") and the file paths to feed to them when initOp runs.

  const ModelSignature* signature(std::string_view key) const;  ///< Null if there is none of that name.
};
/// Reads FOLDER/saved_model.pb or .pbtxt. `tags` are those of the wanted meta graph, in any order. Without tags: the only meta graph, or the one
/// tagged "serve". NOT_FOUND without such a file. INVALID_ARGUMENT lists the meta graphs' tags if none or several match.
WEFT_API Result<SavedModelContents> readSavedModel(const std::string& folder, const std::vector<std::string>& tags = {}, FileSystem* files = nullptr);
/// Whether a path is a folder with a SavedModel.
WEFT_API bool isSavedModel(const std::string& folder, FileSystem* files = nullptr);

}  // namespace weft
