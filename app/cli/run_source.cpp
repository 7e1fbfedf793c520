#include "cli/run_source.h"

#include <iostream>

#include "weft/file_kinds.h"
#include "weft/inspect.h"
#include "weft/op_traits.h"
#include "weft/train.h"

namespace weft::cli {
namespace {

std::string tensorOf(const std::vector<std::pair<std::string, std::string>>& named, const std::string& name) {
  for (const auto& [key, tensor] : named)
    if (key == name) return tensor;
  return name;
}

/// The requested or default signature.
Result<ModelSignature> choose(const SavedModelContents& model, const std::optional<std::string>& asked) {
  const std::string key = asked.value_or("serving_default");
  if (const ModelSignature* found = model.signature(key)) return *found;
  if (!asked) return model.signatures.size() == 1 ? model.signatures[0] : ModelSignature{"", "", {}, {}};
  std::string all;
  for (const ModelSignature& s : model.signatures) all += (all.empty() ? "" : ", ") + s.key;
  return notFound("the SavedModel has no signature ", key, "; it has ", all.empty() ? "none" : all);
}

}  // namespace

Result<RunSource> openRunSource(const std::string& path, const std::vector<std::string>& tags, const std::optional<std::string>& signature) {
  RunSource out;
  if (!isSavedModel(path)) {
    if (!tags.empty() || signature) return invalidArgument("--tag and --signature are for folders with a SavedModel").inFile(path);
    const FileKind* kind = isGraphFile(path) ? nullptr : fileKindOf(path);
    if (!kind || !kind->hasGraph) {
      WEFT_LET(auto loaded, loadGraphFile(path));
      out.meta = std::move(loaded.meta);
      return out;
    }
    std::vector<std::string> warnings;
    WEFT_LET(auto loaded, openModelGraph(path, &warnings));
    for (const std::string& warning : warnings) std::cerr << "weft: warning: " << path << ": " << warning << "\n";
    if (const Error* why = whyRefused(loaded.problems)) return Error(*why).inFile(path);
    if (loaded.meta.rest) {
      WEFT_LET(const auto signatures, signaturesOf(*loaded.meta.rest));
      if (!signatures.empty()) out.signature = signatures[0];
    }
    // The weights of a model are the initial values of its variables.
    if (const Node* init = loaded.meta.graph.find("init"); init && roleOf(*init) == OpRole::Group) out.initOp = init->name;
    out.meta = std::move(loaded.meta);
    return out;
  }
  WEFT_LET(out.model, readSavedModel(path, tags));
  auto chosen = choose(*out.model, signature);
  if (!chosen.ok()) return Error(chosen.error()).inFile(path);
  out.signature = std::move(*chosen);
  out.meta = std::move(out.model->meta);
  return out;
}

std::string byInputs(const ModelSignature& signature, const std::string& feed) {
  const size_t equals = feed.find('=');
  if (equals == feed.npos) return feed;
  return tensorOf(signature.inputs, feed.substr(0, equals)) + feed.substr(equals);
}

std::string byOutputs(const ModelSignature& signature, const std::string& fetch) { return tensorOf(signature.outputs, fetch); }

Status initialise(Session& session, const RunSource& source, const std::string& restore, const RunOptions& options) {
  const std::string prefix = !restore.empty() ? restore : source.model ? source.model->checkpoint : std::string();
  if (!source.initOp.empty()) WEFT_TRY(session.run({}, {}, {source.initOp}, options).status());
  if (!prefix.empty()) WEFT_TRY(restoreVariables(session, source.meta, prefix));
  if (!source.model || source.model->initOp.empty()) return {};
  std::vector<std::pair<std::string, Tensor>> feeds;
  for (const auto& [tensor, path] : source.model->assets) feeds.emplace_back(tensor, Tensor::scalar(path.c_str()));
  return session.run(feeds, {}, {source.model->initOp}, options).status();
}

}  // namespace weft::cli
