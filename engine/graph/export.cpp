#include <google/protobuf/text_format.h>

#include "graph/attr_proto.h"
#include "graph/collection_proto.h"
#include "graph/function_library.h"
#include "proto/graph.pb.h"
#include "proto/meta_graph.pb.h"
#include "proto/text.h"
#include "weft/defects.h"
#include "weft/file_system.h"
#include "weft/graph.h"
#include "weft/graph_text.h"

namespace weft {

namespace tf = ::tensorflow;
namespace pb = ::google::protobuf;

namespace {

// Appends a length-delimited field to serialised bytes.
void appendField(std::string& out, int number, std::string_view content) {
  const auto varint = [&](uint64_t v) {
    while (v >= 0x80) {
      out += char(v | 0x80);
      v >>= 7;
    }
    out += char(v);
  };
  varint(uint64_t(number) << 3 | 2);
  varint(content.size());
  out += content;
}

tf::VersionDef versionsOf(const Graph& graph) {
  tf::VersionDef v;
  v.set_producer(graph.versions.producer);
  v.set_min_consumer(graph.versions.minConsumer);
  for (int b : graph.versions.badConsumers) v.add_bad_consumers(b);
  return v;
}

Result<std::string> nodeBytes(const Graph& graph, const Node& node) {
  if (node.raw) return *node.raw;
  tf::NodeDef def;
  WEFT_TRY(nodeToProto(graph, node, &def));
  return printWire(def);
}

Result<std::string> graphBytes(const Graph& graph) {
  std::string out;
  for (int id = 0; id < graph.size(); ++id) {
    const Node* n = graph.node(id);
    if (!n || isMissing(*n)) continue;
    if (n->raw) {
      appendField(out, 1, *n->raw);
      continue;
    }
    WEFT_LET(const std::string bytes, nodeBytes(graph, *n));
    appendField(out, 1, bytes);
  }
  if (graph.functions) appendField(out, 2, graph.functions->bytes());
  appendField(out, 4, printWire(versionsOf(graph)));
  if (out.size() >= size_t(1) << 31) return invalidArgument("the graph has ", out.size(), " bytes; a GraphDef may have at most 2 GiB");
  return out;
}

// In the order of field numbers, as protobuf writes it; the uninterpreted rest goes where its first field belongs.
Result<std::string> metaBytes(const MetaGraph& meta) {
  std::string first, last;
  if (meta.rest) {
    tf::MetaGraphDef rest;
    if (!rest.ParseFromString(*meta.rest)) return internalError("the rest of the meta graph does not parse");
    tf::MetaGraphDef info;
    if (rest.has_meta_info_def()) *info.mutable_meta_info_def() = rest.meta_info_def();
    first = printWire(info);
    // Bytes stay as read if the first field is the meta info, as in files of all known writers.
    if (meta.rest->starts_with(first)) {
      last = meta.rest->substr(first.size());
    } else {
      first = *meta.rest;
    }
  }
  std::string out = std::move(first);
  WEFT_LET(const std::string graph, graphBytes(meta.graph));
  appendField(out, 2, graph);
  if (meta.saver) {
    tf::SaverDef saver;
    saverToProto(*meta.saver, &saver);
    appendField(out, 3, printWire(saver));
  }
  for (const auto& [key, collection] : meta.collections) {
    tf::CollectionDef def;
    collectionToProto(collection, &def);
    std::string entry;
    appendField(entry, 1, key);
    appendField(entry, 2, printWire(def));
    appendField(out, 4, entry);
  }
  return out + last;
}

Result<std::string> textOf(const pb::Message& message) {
  std::string out;
  pb::TextFormat::Printer printer;
  if (!printer.PrintToString(message, &out)) return internalError("the graph cannot be printed as text");
  return out;
}

}  // namespace

Result<std::string> serializeNode(const Graph& graph, int id) {
  const Node* n = graph.node(id);
  if (!n) return invalidArgument("the graph has no operation number ", id);
  return nodeBytes(graph, *n);
}

Result<std::string> serializeGraph(const MetaGraph& meta, GraphFormat format) {
  switch (format) {
    case GraphFormat::GraphBinary: return graphBytes(meta.graph);
    case GraphFormat::MetaBinary: return metaBytes(meta);
    case GraphFormat::GraphText: {
      WEFT_LET(const std::string bytes, graphBytes(meta.graph));
      tf::GraphDef def;
      if (!def.ParseFromString(bytes)) return internalError("the graph does not parse");
      return textOf(def);
    }
    case GraphFormat::MetaText: {
      WEFT_LET(const std::string bytes, metaBytes(meta));
      tf::MetaGraphDef def;
      if (!def.ParseFromString(bytes)) return internalError("the meta graph does not parse");
      return textOf(def);
    }
  }
  return internalError("unknown form of a graph file");
}

Status saveGraphFile(const MetaGraph& meta, GraphFormat format, const std::string& path) {
  WEFT_LET(const std::string bytes, serializeGraph(meta, format));
  return posixFileSystem().writeAtomically(path, bytes);
}

}  // namespace weft
