#include "graph/variable_ops.h"
#include "weft/checkpoint.h"
#include "weft/compare.h"
#include "weft/object_graph.h"
#include "weft/op_traits.h"
#include "weft/train.h"

// A session's variables in checkpoints. A saver's ops would write and read files of the server, so a session on one sends its variables here instead.
namespace weft {
namespace {

/// The variables of a server's session. One that the server did not send is asked for again: it may have no value yet, but a server that has restarted has lost
/// them all, and a checkpoint without them would look complete.
Result<std::map<std::string, Tensor>> sentVariables(Session& session, const MetaGraph& meta) {
  auto held = session.variables();
  const auto consumers = meta.graph.consumers();
  for (int id = 0; id < meta.graph.size(); ++id) {
    const Node* node = meta.graph.node(id);
    if (!node || !isVariable(*node) || held.contains(node->name)) continue;
    std::string value = isResourceVariable(*node) ? "" : node->name + ":0";
    for (const int reader : consumers[size_t(id)])
      if (value.empty() && roleOf(*meta.graph.node(reader)) == OpRole::ReadVariable) value = meta.graph.node(reader)->name + ":0";
    if (value.empty()) continue;  // nothing reads it
    auto read = session.run({}, {value});
    if (read.ok()) held[node->name] = std::move(read->front());
    else if (read.error().code != Code::FailedPrecondition) return read.error();
  }
  return held;
}

Status save(Session& session, const MetaGraph& meta, const std::string& prefix, FileSystem& files) {
  if (meta.saver && session.target().empty()) return session.run({{meta.saver->filenameTensor, Tensor::scalar(prefix)}}, {meta.saver->saveTensor}).status();
  const bool onServer = !session.target().empty();
  WEFT_LET(const auto held, onServer ? sentVariables(session, meta) : Result<std::map<std::string, Tensor>>(session.variables()));
  WEFT_LET(const auto writer, CheckpointWriter::create(prefix, &files));
  for (const auto& [name, value] : held) WEFT_TRY(writer->add(name, value));
  return writer->finish();
}

std::string listed(const std::vector<std::string>& names) {
  std::string out;
  for (size_t i = 0; i < names.size() && i < 10; ++i) out += (i ? ", " : "") + names[i];
  return names.size() > 10 ? concat(out, " and ", names.size() - 10, " more") : out;
}

/// Restores variables by the full names that an object-based checkpoint states, as TensorFlow's Saver does where keys are missing. `missing`: the error of
/// restoring by keys, returned if the checkpoint is not object-based.
Status restoreByFullNames(Session& session, const Graph& graph, const CheckpointReader& reader, Status missing) {
  if (!reader.find(kObjectGraphKey)) return missing;
  WEFT_LET(const auto objects, readObjectGraph(reader));
  const KeysByName names = keysByFullName(objects);
  const GraphMatch match = matchCheckpoint(graph, reader);
  std::vector<std::string> absent;
  for (const VariableMatch& m : match.variables) {
    using Kind = VariableMatch::Kind;
    if (const auto at = names.find(m.key); m.kind == Kind::Missing && at != names.end() && at->second.size() > 1)
      return invalidArgument("variable ", m.key, " is not unique: several objects of the checkpoint have this name, with the keys ", listed(at->second));
    if (m.kind == Kind::Missing) absent.push_back(m.key);
    if (m.kind == Kind::ShapeDiffers || m.kind == Kind::TypeDiffers)
      return invalidArgument("variable ", m.key, " is ", dtypeName(m.dtypeStored), m.shapeStored.toString(), " in the checkpoint, the graph wants ",
                             dtypeName(m.dtype), m.shape.toString());
  }
  if (!absent.empty()) {
    std::vector<std::string> stored;
    for (const auto& [name, keys] : names) stored.push_back(name);
    return notFound(absent.size() == 1 ? "variable " : "variables ", listed(absent), absent.size() == 1 ? " is" : " are",
                    " not in the object-based checkpoint, neither as keys nor as names of objects; it has ", stored.empty() ? "no names" : listed(stored));
  }
  for (const VariableMatch& m : match.variables) {
    if (m.kind != VariableMatch::Kind::Fits) continue;
    WEFT_LET(const Tensor value, reader.read(m.storedAs.empty() ? m.key : m.storedAs));
    const Node* node = graph.find(m.variable);
    if (node && !node->attrs.shape("shape").compatibleWith(value.shape()))
      return unimplemented("variable ", m.variable, " is a part of ", m.key, ", which an object-based checkpoint does not have in parts");
    WEFT_TRY(session.setVariable(m.variable, value));
  }
  return {};
}

/// Gives variables that the saver of a SavedModel of TensorFlow 2 left without a value those of the objects with their names: functions may read a variable
/// whose copy was saved.
Status restoreTheRest(Session& session, const Graph& graph, const std::string& prefix, FileSystem& files) {
  const auto held = session.variables();
  std::vector<const Node*> rest;
  for (int id = 0; id < graph.size(); ++id)
    if (const Node* node = graph.node(id); node && isVariable(*node) && !held.contains(node->name)) rest.push_back(node);
  if (rest.empty()) return {};
  WEFT_LET(const auto reader, CheckpointReader::open(prefix, &files));
  if (!reader->find(kObjectGraphKey)) return {};
  WEFT_LET(const auto objects, readObjectGraph(*reader));
  const KeysByName names = keysByFullName(objects);
  for (const Node* node : rest) {
    const std::string shared = isResourceVariable(*node) ? node->attrs.text("shared_name") : std::string();
    const auto at = names.find(shared.empty() ? node->name : shared);
    const CheckpointEntry* entry = at != names.end() && at->second.size() == 1 ? reader->find(at->second[0]) : nullptr;
    if (!entry || entry->dtype != node->attrs.type("dtype") || !node->attrs.shape("shape").compatibleWith(entry->shape)) continue;
    WEFT_LET(const Tensor value, reader->read(entry->name));
    WEFT_TRY(session.setVariable(node->name, value));
  }
  return {};
}

Status restore(Session& session, const MetaGraph& meta, const std::string& prefix, FileSystem& files) {
  if (meta.saver && session.target().empty()) {
    Status restored = session.run({{meta.saver->filenameTensor, Tensor::scalar(prefix)}}, {}, {meta.saver->restoreOp}).status();
    const bool inFunctions = restoredVariables(meta.graph).empty();
    if (restored.ok()) return inFunctions ? restoreTheRest(session, meta.graph, prefix, files) : Status();
    if (restored.code() != Code::NotFound || inFunctions) return restored;
    const auto reader = CheckpointReader::open(prefix, &files);
    if (!reader.ok()) return restored;
    return restoreByFullNames(session, meta.graph, **reader, std::move(restored));
  }
  WEFT_LET(const auto reader, CheckpointReader::open(prefix, &files));
  // Saving omits uninitialized variables. A variable missing from the checkpoint is therefore skipped if the initializers left it without a value too.
  const auto held = session.variables();
  for (int id = 0; id < meta.graph.size(); ++id) {
    const Node* node = meta.graph.node(id);
    if (!node || !isVariable(*node)) continue;
    const CheckpointEntry* entry = reader->find(node->name);
    if (!entry && !held.empty() && !held.contains(node->name)) continue;
    if (!entry) return restoreByFullNames(session, meta.graph, *reader, notFound("variable ", node->name, " is not in the checkpoint"));
    const DType dtype = node->attrs.type("dtype");
    const Shape shape = node->attrs.shape("shape");
    if (entry->dtype != dtype || !shape.compatibleWith(entry->shape))
      return invalidArgument("variable ", node->name, " is ", dtypeName(entry->dtype), entry->shape.toString(), " in the checkpoint, the graph wants ",
                             dtypeName(dtype), shape.toString());
    WEFT_LET(const Tensor value, reader->read(node->name));
    WEFT_TRY(session.setVariable(node->name, value));
  }
  return {};
}

Status inFile(Status status, const std::string& path) {
  if (!status.ok()) status.error().inFile(path);
  return status;
}

}  // namespace

Status saveVariables(Session& session, const MetaGraph& meta, const std::string& prefix, FileSystem& files) {
  return inFile(save(session, meta, prefix, files), prefix);
}

Status restoreVariables(Session& session, const MetaGraph& meta, const std::string& prefix, FileSystem& files) {
  return inFile(restore(session, meta, prefix, files), prefix);
}

}  // namespace weft
