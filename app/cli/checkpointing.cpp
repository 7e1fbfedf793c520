#include "cli/checkpointing.h"

#include "weft/checkpoint.h"

namespace weft::cli {
namespace {

bool isVariable(const Node& node) {
  return node.op == "VariableV2" || node.op == "Variable" || node.op == "VarHandleOp";
}

/// dtype and static shape of a variable's node.
std::pair<DType, Shape> declarationOf(const Node& node) {
  return {node.attrs.type("dtype"), node.attrs.shape("shape")};
}

}  // namespace

Status restoreVariables(Session& session, const MetaGraph& meta, const std::string& prefix) {
  if (meta.saver) {
    auto result = session.run({{meta.saver->filenameTensor, Tensor::scalar(prefix)}}, {}, {meta.saver->restoreOp});
    if (!result.ok()) return result.error().inFile(prefix);
    return {};
  }
  WEFT_LET(const auto reader, CheckpointReader::open(prefix));
  for (int id = 0; id < meta.graph.size(); ++id) {
    const Node* node = meta.graph.node(id);
    if (!node || !isVariable(*node)) continue;
    const CheckpointEntry* entry = reader->find(node->name);
    if (!entry) return notFound("variable ", node->name, " is not in the checkpoint").inFile(prefix);
    const auto [dtype, shape] = declarationOf(*node);
    if (entry->dtype != dtype || !shape.compatibleWith(entry->shape))
      return invalidArgument("variable ", node->name, " is ", dtypeName(entry->dtype), entry->shape.toString(), " in the checkpoint, the graph wants ",
                             dtypeName(dtype), shape.toString())
          .inFile(prefix);
    const auto value = reader->read(node->name);
    if (!value.ok()) return Error(value.error()).inFile(prefix);
    WEFT_TRY(session.setVariable(node->name, *value));
  }
  return {};
}

Status saveVariables(Session& session, const MetaGraph& meta, const std::string& prefix) {
  if (meta.saver) {
    auto result = session.run({{meta.saver->filenameTensor, Tensor::scalar(prefix)}}, {meta.saver->saveTensor});
    if (!result.ok()) return result.error().inFile(prefix);
    return {};
  }
  WEFT_LET(const auto writer, CheckpointWriter::create(prefix));
  for (const auto& [name, value] : session.variables()) WEFT_TRY(writer->add(name, value));
  return writer->finish();
}

}  // namespace weft::cli
