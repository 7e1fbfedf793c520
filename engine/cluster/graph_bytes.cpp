#include "cluster/graph_bytes.h"

#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/wire_format_lite.h>

namespace weft::cluster {
namespace {

constexpr uint32_t kNodeTag = 1 << 3 | 2;  // GraphDef.node, length-delimited

/// `bytes` without its first `count` nodes, which are written in the order of their ids.
Result<std::string> withoutNodes(const std::string& bytes, int count) {
  google::protobuf::io::CodedInputStream input(reinterpret_cast<const uint8_t*>(bytes.data()), int(bytes.size()));
  std::string out;
  while (true) {
    const int begin = input.CurrentPosition();
    const uint32_t tag = input.ReadTag();
    if (tag == 0) return out;
    if (!google::protobuf::internal::WireFormatLite::SkipField(&input, tag)) return internalError("a graph of ", bytes.size(), " bytes cannot be read again");
    if (tag == kNodeTag && count-- > 0) continue;
    out.append(bytes, size_t(begin), size_t(input.CurrentPosition() - begin));
  }
}

}  // namespace

Result<std::string> graphBytes(const Graph& graph, int first) {
  MetaGraph meta;
  meta.graph = graph;
  WEFT_LET(std::string bytes, serializeGraph(meta, GraphFormat::GraphBinary));
  if (bytes.size() > size_t(INT32_MAX)) return invalidArgument("The graph has ", bytes.size(), " bytes; a message can carry ", INT32_MAX);
  int known = 0;
  for (int id = 0; id < first; ++id) known += graph.node(id) != nullptr;
  return known ? withoutNodes(bytes, known) : std::move(bytes);
}

}  // namespace weft::cluster
