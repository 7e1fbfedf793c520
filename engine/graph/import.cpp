#include <google/protobuf/arena.h>

#include "graph/graph_assembler.h"
#include "graph/graph_format.h"
#include "graph/wire.h"
#include "proto/graph.pb.h"
#include "proto/meta_graph.pb.h"
#include "proto/text.h"
#include "proto/text_to_wire.h"
#include "weft/defects.h"
#include "weft/file_system.h"

namespace weft {

namespace tf = ::tensorflow;
namespace pb = ::google::protobuf;

namespace {

Error broken(std::string_view what, const WireReader& in, size_t size) {
  if (in.cut()) return dataLoss("the ", what, " is cut: it has ", size, " bytes and something at byte ", in.position(), " goes on beyond").ofKind("truncated");
  return dataLoss("the ", what, " breaks at byte ", in.position(), " of ", size).ofKind("malformed");
}

template <typename M>
Status parseBytes(std::string_view bytes, M* message, std::string_view what) {
  if (bytes.size() > size_t(1) << 31) return invalidArgument("the ", what, " is over 2 GiB").ofKind("too_large");
  if (!message->ParseFromArray(bytes.data(), int(bytes.size()))) return dataLoss("the ", what, " does not parse").ofKind("malformed");
  return {};
}

Status readGraphBytes(std::string_view bytes, GraphAssembler& assembler) {
  WireReader in(bytes);
  int64_t oldVersion = -1;
  bool versioned = false;
  std::vector<std::string_view> nodes;  // found but not yet added
  size_t taken = 0;
  const auto takeNodes = [&]() -> Status {
    WEFT_TRY(assembler.addNodes(nodes, [&](size_t i) -> Status {
      pb::Arena arena;
      auto* def = pb::Arena::CreateMessage<tf::NodeDef>(&arena);
      WEFT_TRY(parseBytes(nodes[i], def, concat("node ", taken + i)));
      return assembler.addNode(*def, std::make_shared<const std::string>(nodes[i]));
    }));
    taken += nodes.size();
    nodes.clear();
    return {};
  };
  while (const auto f = in.next()) {
    if (f->number == 1 && f->type == 2) {
      nodes.push_back(f->bytes);
      continue;
    }
    WEFT_TRY(takeNodes());
    if (f->number == 2 && f->type == 2) {
      tf::FunctionDefLibrary library;
      WEFT_TRY(parseBytes(f->bytes, &library, "function library"));
      assembler.setLibrary(std::string(f->bytes));
    } else if (f->number == 4 && f->type == 2) {
      tf::VersionDef versions;
      WEFT_TRY(parseBytes(f->bytes, &versions, "versions"));
      WEFT_TRY(assembler.setVersions(versions));
      versioned = true;
    } else if (f->number == 3 && f->type == 0) {
      oldVersion = int64_t(f->value);
    }
  }
  WEFT_TRY(takeNodes());
  if (!in.ok()) return broken("graph", in, bytes.size());
  if (!versioned && oldVersion >= 0) {
    tf::VersionDef versions;
    versions.set_producer(int(oldVersion));
    WEFT_TRY(assembler.setVersions(versions));
  }
  return {};
}

Status readGraphMessage(const tf::GraphDef& def, GraphAssembler& assembler) {
  for (const auto& node : def.node()) WEFT_TRY(assembler.addNode(node, std::make_shared<const std::string>(printWire(node))));
  if (def.has_library()) assembler.setLibrary(printWire(def.library()));
  if (def.has_versions()) return assembler.setVersions(def.versions());
  tf::VersionDef versions;
  versions.set_producer(def.version());
  return assembler.setVersions(versions);
}

Collection collectionFromProto(const tf::CollectionDef& def) {
  Collection out;
  switch (def.kind_case()) {
    case tf::CollectionDef::kBytesList:
      out.kind = Collection::Kind::Bytes;
      out.bytes.assign(def.bytes_list().value().begin(), def.bytes_list().value().end());
      break;
    case tf::CollectionDef::kInt64List:
      out.kind = Collection::Kind::Ints;
      out.ints.assign(def.int64_list().value().begin(), def.int64_list().value().end());
      break;
    case tf::CollectionDef::kFloatList:
      out.kind = Collection::Kind::Floats;
      out.floats.assign(def.float_list().value().begin(), def.float_list().value().end());
      break;
    case tf::CollectionDef::kAnyList:
      out.kind = Collection::Kind::Anys;
      for (const auto& any : def.any_list().value()) out.anys.push_back(any.SerializeAsString());
      break;
    default: out.nodes.assign(def.node_list().value().begin(), def.node_list().value().end());
  }
  return out;
}

SaverInfo saverFromProto(const tf::SaverDef& def) {
  return {def.filename_tensor_name(),          def.save_tensor_name(), def.restore_op_name(), def.max_to_keep(), def.sharded(),
          def.keep_checkpoint_every_n_hours(), int(def.version())};
}

Status readMetaBytes(std::string_view bytes, GraphAssembler& assembler, MetaGraph& meta) {
  WireReader in(bytes);
  std::string rest;
  while (const auto f = in.next()) {
    if (f->number == 2 && f->type == 2) {
      WEFT_TRY(readGraphBytes(f->bytes, assembler));
    } else if (f->number == 3 && f->type == 2) {
      tf::SaverDef saver;
      WEFT_TRY(parseBytes(f->bytes, &saver, "saver"));
      meta.saver = saverFromProto(saver);
    } else if (f->number == 4 && f->type == 2) {
      // One entry of a map: key and value.
      WireReader entry(f->bytes);
      std::string key;
      tf::CollectionDef value;
      while (const auto e = entry.next()) {
        if (e->number == 1 && e->type == 2) key = std::string(e->bytes);
        if (e->number == 2 && e->type == 2) WEFT_TRY(parseBytes(e->bytes, &value, "collection '" + key + "'"));
      }
      if (!entry.ok()) return broken("collection", entry, f->bytes.size());
      meta.collections[key] = collectionFromProto(value);
    } else {
      rest += f->whole;
    }
  }
  if (!in.ok()) return broken("meta graph", in, bytes.size());
  // The uninterpreted rest must still parse as a message, so that it can be written again.
  tf::MetaGraphDef check;
  WEFT_TRY(parseBytes(rest, &check, "meta graph"));
  meta.rest = std::make_shared<const std::string>(std::move(rest));
  return {};
}

Status readMetaMessage(tf::MetaGraphDef& def, GraphAssembler& assembler, MetaGraph& meta) {
  WEFT_TRY(readGraphMessage(def.graph_def(), assembler));
  if (def.has_saver_def()) meta.saver = saverFromProto(def.saver_def());
  for (const auto& [key, value] : def.collection_def()) meta.collections[key] = collectionFromProto(value);
  def.clear_graph_def();
  def.clear_saver_def();
  def.clear_collection_def();
  meta.rest = std::make_shared<const std::string>(printWire(def));
  return {};
}

Result<LoadedGraph> load(std::shared_ptr<const std::string> bytes, const LoadOptions& options, GraphAssembler::Broken broken) {
  LoadedGraph out;
  out.original = bytes;
  WEFT_LET(out.format, detectGraphFormat(*bytes));
  GraphAssembler assembler(options, broken);
  switch (out.format) {
    case GraphFormat::GraphBinary: WEFT_TRY(readGraphBytes(*bytes, assembler)); break;
    case GraphFormat::MetaBinary: WEFT_TRY(readMetaBytes(*bytes, assembler, out.meta)); break;
    case GraphFormat::GraphText: {
      if (const auto wire = wireFromText(*bytes, *tf::GraphDef::descriptor())) {
        WEFT_TRY(readGraphBytes(*wire, assembler));
        break;
      }
      pb::Arena arena;
      auto* def = pb::Arena::CreateMessage<tf::GraphDef>(&arena);
      WEFT_TRY(parseText(*bytes, def));
      WEFT_TRY(readGraphMessage(*def, assembler));
      break;
    }
    case GraphFormat::MetaText: {
      if (const auto wire = wireFromText(*bytes, *tf::MetaGraphDef::descriptor())) {
        WEFT_TRY(readMetaBytes(*wire, assembler, out.meta));
        break;
      }
      pb::Arena arena;
      auto* def = pb::Arena::CreateMessage<tf::MetaGraphDef>(&arena);
      WEFT_TRY(parseText(*bytes, def));
      WEFT_TRY(readMetaMessage(*def, assembler, out.meta));
      break;
    }
  }
  WEFT_LET(out.meta.graph, assembler.finish(&out.problems));
  return out;
}

Result<LoadedGraph> named(Result<LoadedGraph> loaded, const std::string& nameForErrors) {
  if (!loaded.ok()) {
    loaded.error().inFile(nameForErrors);
    return loaded;
  }
  for (Error& p : loaded->problems) p.inFile(nameForErrors);
  return loaded;
}

Result<std::shared_ptr<const std::string>> bytesOf(const std::string& path) {
  auto bytes = posixFileSystem().readAll(path, uint64_t(1) << 31);
  if (bytes.ok()) return std::make_shared<const std::string>(std::move(bytes).value());
  if (bytes.error().code == Code::NotFound) bytes.error().ofKind("not_found");
  return bytes.error().inFile(path);
}

}  // namespace

Result<LoadedGraph> loadGraphBytes(std::shared_ptr<const std::string> bytes, const std::string& nameForErrors, const LoadOptions& options) {
  return named(load(std::move(bytes), options, GraphAssembler::Broken::Refused), nameForErrors);
}

Result<LoadedGraph> loadGraphFile(const std::string& path, const LoadOptions& options) {
  WEFT_LET(auto bytes, bytesOf(path));
  return loadGraphBytes(std::move(bytes), path, options);
}

Result<LoadedGraph> openGraphBytes(std::shared_ptr<const std::string> bytes, const std::string& nameForErrors, const LoadOptions& options) {
  auto sound = load(bytes, options, GraphAssembler::Broken::Refused);
  // A graph that does not parse cannot be opened either.
  const auto refused = [](const std::string& kind) { return kind == "invalid_graph" || kind == "invalid_tensor" || kind == "unsupported_version"; };
  if (sound.ok() || !refused(sound.error().kind)) return named(std::move(sound), nameForErrors);
  return named(load(std::move(bytes), options, GraphAssembler::Broken::Kept), nameForErrors);
}

Result<LoadedGraph> rereadGraph(MetaGraph meta, const std::string& nameForErrors) {
  const auto reread = [&]() -> Result<LoadedGraph> {
    LoadedGraph out;
    out.format = GraphFormat::MetaBinary;
    GraphAssembler assembler({});
    assembler.addGraph(meta.graph);
    meta.graph = {};
    WEFT_LET(out.meta.graph, assembler.finish(&out.problems));
    out.meta.collections = std::move(meta.collections);
    out.meta.saver = std::move(meta.saver);
    out.meta.rest = std::move(meta.rest);
    return out;
  };
  return named(reread(), nameForErrors);
}

Result<LoadedGraph> openGraphFile(const std::string& path, const LoadOptions& options) {
  WEFT_LET(auto bytes, bytesOf(path));
  return openGraphBytes(std::move(bytes), path, options);
}

}  // namespace weft
