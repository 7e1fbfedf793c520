#include "graph/variable_ops.h"
#include "weft/checkpoint.h"
#include "weft/op_traits.h"
#include "weft/train.h"

// A session's variables in checkpoints. A saver's ops would write and read files of the server, so a session on one sends its variables here instead.
namespace weft {
namespace {

/// Why a variable that a server did not send is missing: ok if it has no value yet. A server that has restarted has lost them all; a checkpoint without them
/// would look complete.
Status checkMissing(Session& session, const MetaGraph& meta, const std::map<std::string, Tensor>& held) {
  for (int id = 0; id < meta.graph.size(); ++id) {
    const Node* node = meta.graph.node(id);
    if (!node || !isVariable(*node) || isResourceVariable(*node) || held.contains(node->name)) continue;
    const Status read = session.run({}, {node->name + ":0"}).status();
    if (!read.ok() && read.error().code != Code::FailedPrecondition) return read;
  }
  return {};
}

Status save(Session& session, const MetaGraph& meta, const std::string& prefix, FileSystem& files) {
  if (meta.saver && session.target().empty()) return session.run({{meta.saver->filenameTensor, Tensor::scalar(prefix)}}, {meta.saver->saveTensor}).status();
  const auto held = session.variables();
  if (!session.target().empty()) WEFT_TRY(checkMissing(session, meta, held));
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
