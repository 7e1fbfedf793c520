// An edit's changes as bytes, and a journal of them.
//
// Nodes that were not changed are shared between the graph before and after (Graph is a vector of pointers to immutable nodes), so the delta is found
// by comparing pointers. A journal is a sequence of: length (4 bytes, little-endian), masked CRC-32C of the payload, payload (JournalEntry).

#include <algorithm>
#include <cstring>

#include "base/crc32c.h"
#include "graph/attr_proto.h"
#include "graph/collection_proto.h"
#include "graph/edit_internal.h"
#include "graph/function_library.h"
#include "graph/missing_nodes.h"
#include "proto/graph.pb.h"
#include "proto/meta_graph.pb.h"
#include "proto/text.h"
#include "proto/weft_document.pb.h"
#include "weft/defects.h"
#include "weft/diff.h"

namespace weft {
namespace {

std::string collectionBytes(const Collection& c) {
  tensorflow::CollectionDef def;
  collectionToProto(c, &def);
  return printWire(def);
}

bool sameCollection(const Collection& a, const Collection& b) {
  return a.kind == b.kind && a.nodes == b.nodes && a.bytes == b.bytes && a.ints == b.ints && a.floats == b.floats && a.anys == b.anys;
}

std::string saverBytes(const MetaGraph& meta) {
  if (!meta.saver) return {};
  tensorflow::SaverDef def;
  saverToProto(*meta.saver, &def);
  return printWire(def);
}

bool sameWires(const Graph& before, const Graph& after, const Node& a, const Node& b) {
  if (a.inputs != b.inputs || a.controls != b.controls) return false;
  // A renamed producer changes the input names of its readers.
  const auto renamed = [&](int id) { return before.node(id) && after.node(id) && before.node(id)->name != after.node(id)->name; };
  return std::none_of(b.inputs.begin(), b.inputs.end(), [&](Output o) { return renamed(o.node); }) &&
         std::none_of(b.controls.begin(), b.controls.end(), renamed);
}

/// Whether a node that the file had under another name, or with inputs in another order, is still written that way.
bool writtenAlike(const Graph& after, const Node& was, const Node& is) {
  tensorflow::NodeDef before, now;
  if (!was.raw || is.raw || !before.ParseFromString(*was.raw) || !nodeToProto(after, is, &now).ok()) return true;
  return before.name() == now.name() && std::equal(before.input().begin(), before.input().end(), now.input().begin(), now.input().end());
}

}  // namespace

Result<std::string> deltaBetween(const MetaGraph& before, const MetaGraph& after) {
  document::GraphDelta delta;
  const Graph &a = before.graph, &b = after.graph;
  for (int id = 0; id < std::max(a.size(), b.size()); ++id) {
    const Node *was = a.node(id), *is = b.node(id);
    // Missing nodes are recreated from the nodes that refer to them.
    if ((!was || isMissing(*was)) && (!is || isMissing(*is))) continue;
    if (is && isMissing(*is)) is = nullptr;
    if (was == is && (!is || sameWires(a, b, *was, *is))) continue;
    if (!is) {
      delta.add_removed(was->name);
      continue;
    }
    // Shapes are inferred again, so a node with only other shapes did not change.
    if (was && was->name == is->name && was->op == is->op && was->device == is->device && was->attrs == is->attrs && was->defaulted == is->defaulted &&
        sameWires(a, b, *was, *is) && writtenAlike(b, *was, *is))
      continue;
    auto* change = delta.add_node();
    if (was) change->set_old_name(was->name);
    tensorflow::NodeDef def;
    WEFT_TRY(nodeToProto(b, *is, &def));
    change->set_node_def(printWire(def));
  }
  for (const auto& [key, c] : after.collections) {
    const auto it = before.collections.find(key);
    if (it == before.collections.end() || !sameCollection(it->second, c)) (*delta.mutable_collection())[key] = collectionBytes(c);
  }
  for (const auto& [key, c] : before.collections)
    if (!after.collections.count(key)) delta.add_removed_collection(key);
  if (saverBytes(before) != saverBytes(after)) {
    delta.set_saver_changed(true);
    delta.set_saver(saverBytes(after));
  }
  if (before.rest != after.rest) {
    delta.set_rest_changed(true);
    if (after.rest) delta.set_rest(*after.rest);
  }
  if (a.functions != b.functions) {
    delta.set_library_changed(true);
    if (b.functions) delta.set_library(b.functions->bytes());
  }
  return printWire(delta);
}

Status applyDelta(MetaGraph& meta, std::vector<Error>& problems, std::string_view bytes) {
  document::GraphDelta delta;
  if (!delta.ParseFromArray(bytes.data(), int(bytes.size()))) return dataLoss("a step of the history cannot be read");
  Graph& graph = meta.graph;
  const bool broken = whyRefused(problems) != nullptr;
  // Set the function library first: nodes may call its functions.
  if (delta.library_changed()) graph.functions = delta.library().empty() ? nullptr : std::make_shared<FunctionLibrary>(delta.library());
  const auto lost = [](const std::string& name) { return dataLoss("a step of the history speaks of the node ", name, ", which is not in the graph"); };
  // Removed nodes first, all at once: they may depend on one another.
  std::vector<int> removed;
  for (const std::string& name : delta.removed()) {
    const Node* n = graph.find(name);
    if (!n) return lost(name);
    removed.push_back(n->id);
  }
  std::vector<tensorflow::NodeDef> defs;
  std::vector<int> ids;
  for (const auto& change : delta.node()) {
    tensorflow::NodeDef def;
    if (!def.ParseFromString(change.node_def())) return dataLoss("a step of the history cannot be read");
    int id = -1;
    if (!change.old_name().empty()) {
      const Node* n = graph.find(change.old_name());
      if (!n) return lost(change.old_name());
      id = n->id;
    }
    defs.push_back(std::move(def));
    ids.push_back(id);
  }
  for (const int id : removed) {
    WEFT_TRY(graph.change(id, [](Node& n) {
      n.inputs.clear();
      n.controls.clear();
      n.name += "\x01";
    }));
  }
  for (size_t i = 0; i < ids.size(); ++i)
    if (ids[i] >= 0) WEFT_TRY(graph.change(ids[i], [](Node& n) { n.name += "\x02"; }));
  for (size_t i = 0; i < ids.size(); ++i) {
    WEFT_LET(Node n, nodeFromDef(graph, defs[i], broken));
    if (ids[i] < 0) {
      WEFT_LET(ids[i], graph.add(std::move(n)));
      continue;
    }
    WEFT_TRY(graph.change(ids[i], [&](Node& old) {
      old.name = n.name;
      old.op = n.op;
      old.record = n.record;
      old.device = n.device;
      old.attrs = n.attrs;
      old.defaulted = n.defaulted;
      if (n.record) {
        old.inputTypes = n.inputTypes;
        old.outputTypes = n.outputTypes;
        old.outputShapes.assign(n.outputTypes.size(), Shape::unknown());
      }
    }));
  }
  std::set<int> touched;
  for (size_t i = 0; i < ids.size(); ++i) {
    std::vector<Output> inputs;
    std::vector<int> controls;
    for (const std::string& input : defs[i].input()) {
      const bool control = input.starts_with('^');
      const std::string_view ref = control ? std::string_view(input).substr(1) : std::string_view(input);
      const size_t colon = control ? ref.npos : ref.rfind(':');
      const Node* from = graph.find(ref.substr(0, colon));
      const int index = colon == ref.npos ? 0 : std::atoi(std::string(ref.substr(colon + 1)).c_str());
      if (!from && !broken) return lost(std::string(ref.substr(0, colon)));
      if (!from) {
        WEFT_LET(const int hole, missingNode(graph, ref.substr(0, colon), kMissingNode, std::clamp(index, 0, 65535)));
        from = graph.node(hole);
      } else if (!control && from->record && index >= int(from->outputTypes.size())) {
        if (!broken) return lost(std::string(ref));
        WEFT_LET(const int hole, missingNode(graph, ref, kMissingOutput));
        inputs.push_back({hole, 0});
        continue;
      }
      if (control) controls.push_back(from->id);
      else inputs.push_back({from->id, index});
      const Output* last = inputs.empty() ? nullptr : &inputs.back();
      if (!control && !from->record && last->index >= int(from->outputTypes.size())) {
        WEFT_TRY(graph.change(from->id, [&](Node& n) {
          n.outputTypes.resize(size_t(last->index) + 1, DType::Invalid);
          n.outputShapes.resize(n.outputTypes.size(), Shape::unknown());
        }));
      }
    }
    WEFT_TRY(graph.change(ids[i], [&](Node& n) {
      n.inputs = inputs;
      n.controls = controls;
      if (!n.record) n.inputTypes.resize(inputs.size(), DType::Invalid);
    }));
    touched.insert(ids[i]);
  }
  for (const int id : removed) WEFT_TRY(graph.remove(id));
  for (const std::string& key : delta.removed_collection()) meta.collections.erase(key);
  for (const auto& [key, value] : delta.collection()) {
    tensorflow::CollectionDef def;
    if (!def.ParseFromString(value)) return dataLoss("a step of the history cannot be read");
    meta.collections[key] = collectionFromProto(def);
  }
  if (delta.saver_changed()) {
    meta.saver.reset();
    tensorflow::SaverDef def;
    if (!delta.saver().empty() && def.ParseFromString(delta.saver())) meta.saver = saverFromProto(def);
  }
  if (delta.rest_changed()) meta.rest = delta.rest().empty() ? nullptr : std::make_shared<const std::string>(delta.rest());
  std::erase_if(problems, [&](const Error& e) { return !e.node.empty() && !graph.find(e.node) && e.kind != "layer"; });
  if (broken)
    for (const int id : reviewNodes(graph)) touched.insert(id);
  std::erase_if(touched, [&](int id) { return !graph.node(id); });
  WEFT_TRY(inferShapesFrom(graph, touched, &problems));
  if (broken) listDefects(graph, &problems);
  return {};
}

std::string journalRecord(const JournalEntry& entry) {
  document::JournalEntry m;
  m.set_kind(document::JournalEntry::Kind(int(entry.kind)));
  m.set_text(entry.text);
  m.set_path(entry.path);
  if (!entry.delta.empty()) m.mutable_delta()->ParseFromString(entry.delta);
  const std::string payload = printWire(m);
  std::string out(8, '\0');
  const auto put = [&](size_t at, uint32_t v) {
    for (int i = 0; i < 4; ++i) out[at + size_t(i)] = char(v >> (8 * i));
  };
  put(0, uint32_t(payload.size()));
  put(4, maskCrc(crc32c(payload)));
  return out + payload;
}

std::vector<JournalEntry> readJournal(std::string_view bytes) {
  std::vector<JournalEntry> out;
  while (bytes.size() >= 8) {
    const auto get = [&](size_t at) {
      uint32_t v = 0;
      for (int i = 0; i < 4; ++i) v |= uint32_t(uint8_t(bytes[at + size_t(i)])) << (8 * i);
      return v;
    };
    const uint32_t size = get(0);
    if (bytes.size() - 8 < size) break;
    const std::string_view payload = bytes.substr(8, size);
    document::JournalEntry m;
    if (maskCrc(crc32c(payload)) != get(4) || !m.ParseFromArray(payload.data(), int(payload.size()))) break;
    JournalEntry entry;
    entry.kind = JournalEntry::Kind(int(m.kind()));
    entry.text = m.text();
    entry.path = m.path();
    if (m.has_delta()) entry.delta = m.delta().SerializeAsString();
    out.push_back(std::move(entry));
    bytes.remove_prefix(8 + size);
  }
  return out;
}

}  // namespace weft
