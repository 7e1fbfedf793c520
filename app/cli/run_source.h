#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "weft/graph.h"
#include "weft/saved_model.h"
#include "weft/session.h"

namespace weft::cli {

/// What `weft run` runs: a graph file, or one meta graph of a SavedModel with the signature that its names are of.
struct RunSource {
  MetaGraph meta;
  std::optional<SavedModelContents> model;  ///< Its `meta` is moved to the one above.
  ModelSignature signature;                 ///< Empty for a graph file and for a model without signatures.
};

/// `tags` and `signature` are for SavedModels; INVALID_ARGUMENT if they are given for a graph file, NOT_FOUND lists the signatures of a model
/// that has not the one that was asked for. No signature asked for: serving_default, or the only one.
Result<RunSource> openRunSource(const std::string& path, const std::vector<std::string>& tags, const std::optional<std::string>& signature);

/// Feeds and fetches by the names of the signature: "x" and "x=3" become the tensors that it gives to x; every other word stays as it is.
std::string byInputs(const ModelSignature& signature, const std::string& feed);
std::string byOutputs(const ModelSignature& signature, const std::string& fetch);

/// What a loader does with a SavedModel: restores its variables (from `restore` instead if that is not empty), then runs its init op with its assets.
Status initialise(Session& session, const RunSource& source, const std::string& restore, const RunOptions& options);

}  // namespace weft::cli
