#include "graph/variable_ops.h"
#include "weft/checkpoint.h"
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

Status restore(Session& session, const MetaGraph& meta, const std::string& prefix, FileSystem& files) {
  if (meta.saver && session.target().empty()) return session.run({{meta.saver->filenameTensor, Tensor::scalar(prefix)}}, {}, {meta.saver->restoreOp}).status();
  WEFT_LET(const auto reader, CheckpointReader::open(prefix, &files));
  // Saving omits uninitialized variables. A variable missing from the checkpoint is therefore skipped if the initializers left it without a value too.
  const auto held = session.variables();
  for (int id = 0; id < meta.graph.size(); ++id) {
    const Node* node = meta.graph.node(id);
    if (!node || !isVariable(*node)) continue;
    const CheckpointEntry* entry = reader->find(node->name);
    if (!entry && !held.empty() && !held.contains(node->name)) continue;
    if (!entry) return notFound("variable ", node->name, " is not in the checkpoint");
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
