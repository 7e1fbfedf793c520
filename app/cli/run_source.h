#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "weft/graph.h"
#include "weft/saved_model.h"
#include "weft/session.h"

namespace weft::cli {

/// The input of `weft run`: a graph file, or one meta graph of a SavedModel and the signature that defines its names.
struct RunSource {
  MetaGraph meta;
  std::optional<SavedModelContents> model;  ///< Its `meta` was moved to the member above.
  ModelSignature signature;                 ///< Empty for a graph file and for a model without signatures.
  std::string initOp;                       ///< Gives the variables of a model of another format their values; empty: none.
};

/// `tags` and `signature` are for SavedModels: INVALID_ARGUMENT if they are given for a graph file; NOT_FOUND, with a list, if the model lacks the signature.
/// Default: serving_default, or the only signature.
Result<RunSource> openRunSource(const std::string& path, const std::vector<std::string>& tags, const std::optional<std::string>& signature);

/// Translates feeds and fetches by the signature's names: "x" and "x=3" refer to the tensor of x; other words are returned unchanged.
std::string byInputs(const ModelSignature& signature, const std::string& feed);
std::string byOutputs(const ModelSignature& signature, const std::string& fetch);

/// Loads a SavedModel: restores its variables (from `restore` if that is not empty), then runs its init op with its assets.
Status initialise(Session& session, const RunSource& source, const std::string& restore, const RunOptions& options);

}  // namespace weft::cli
