#include "graph/graph_assembler.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <set>

#include "graph/attr_proto.h"
#include "graph/function_library.h"
#include "graph/wire.h"
#include "ops/shape_context.h"
#include "proto/graph.pb.h"
#include "weft/op.h"

namespace weft {

namespace tf = ::tensorflow;

namespace {

constexpr int kConsumer = 134;  // the GraphDef version that this engine understands: that of TensorFlow 1.15

constexpr int kLastWithoutUnknownShapes = 21;

bool isAlnum(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'); }

bool isAscii(std::string_view s) {
  return std::all_of(s.begin(), s.end(), [](char c) { return (c & 0x80) == 0; });
}

std::string at(const std::string& node) { return "; NodeDef: {{node " + node + "}}"; }

}  // namespace

bool isValidNodeName(std::string_view name) {
  if (name.empty() || !(isAlnum(name[0]) || name[0] == '.' || name[0] == '_')) return false;
  return std::all_of(name.begin(), name.end(), [](char c) { return isAlnum(c) || c == '_' || c == '.' || c == '-' || c == '/' || c == '>'; });
}

Status GraphAssembler::addNode(const tf::NodeDef& def, std::shared_ptr<const std::string> raw) {
  if (!isValidNodeName(def.name())) {
    return invalidArgument("Node '", def.name(), "': Node name contains invalid characters").ofKind("invalid_graph").atNode(def.name());
  }
  Pending p;
  Node& n = p.node;
  n.name = def.name();
  n.op = def.op();
  n.device = def.device();
  n.raw = std::move(raw);
  if (n.op.empty()) return invalidArgument("Node '", n.name, "' does not specify an operation").ofKind("invalid_graph").atNode(n.name);
  n.record = OpRegistry::instance().find(n.op);
  for (const auto& [name, value] : def.attr()) {
    auto a = attrFromProto(value);
    if (!a.ok()) {
      a.error().message = "Attribute '" + name + "' of node '" + n.name + "': " + a.error().message;
      return a.error().atNode(n.name).ofKind("invalid_tensor");
    }
    n.attrs.set(name, std::move(a).value());
  }
  WireReader in(*n.raw);
  while (const auto f = in.next()) {
    if (f->number == 3 && f->type == 2) p.inputs.push_back(f->bytes);
  }
  pending_.push_back(std::move(p));
  return {};
}

bool GraphAssembler::addPlainNode(std::string_view bytes) {
  Pending p;
  Node& n = p.node;
  n.raw = std::make_shared<const std::string>(bytes);
  WireReader in(*n.raw);
  while (const auto f = in.next()) {
    if (f->type != 2) return false;
    switch (f->number) {
      case 1: n.name = f->bytes; break;
      case 2: n.op = f->bytes; break;
      case 3: p.inputs.push_back(f->bytes); break;
      case 4: n.device = f->bytes; break;
      case 5: {
        WireReader entry(f->bytes);
        const auto key = entry.next(), value = entry.next();
        if (!key || !value || key->number != 1 || key->type != 2 || value->number != 2 || value->type != 2 || !entry.atEnd() || !isAscii(key->bytes)) return false;
        auto attr = attrs_.read(value->bytes);
        if (!attr) return false;
        n.attrs.set(key->bytes, std::move(*attr));
        break;
      }
      default: return false;
    }
  }
  if (!in.ok() || !isValidNodeName(n.name) || n.op.empty() || !isAscii(n.op) || !isAscii(n.device)) return false;
  if (!std::all_of(p.inputs.begin(), p.inputs.end(), isAscii)) return false;
  n.record = OpRegistry::instance().find(n.op);
  pending_.push_back(std::move(p));
  return true;
}

Status GraphAssembler::setVersions(const tf::VersionDef& v) {
  versions_.producer = v.producer();
  versions_.minConsumer = v.min_consumer();
  versions_.badConsumers.assign(v.bad_consumers().begin(), v.bad_consumers().end());
  if (kConsumer < versions_.minConsumer) {
    return invalidArgument("GraphDef min consumer version ", versions_.minConsumer, " above current version ", kConsumer,
                           " (TensorFlow 1.15); it was made for a newer reader")
        .ofKind("unsupported_version");
  }
  if (std::count(versions_.badConsumers.begin(), versions_.badConsumers.end(), kConsumer)) {
    return invalidArgument("GraphDef disallows consumer version ", kConsumer, " (TensorFlow 1.15), which is ours").ofKind("unsupported_version");
  }
  return {};
}

void GraphAssembler::setLibrary(std::string bytes) {
  if (!bytes.empty()) library_ = std::make_shared<const FunctionLibrary>(std::move(bytes));
}

Status GraphAssembler::connect(Node& n, const std::vector<std::string_view>& inputs, const std::unordered_map<std::string_view, int>& ids) {
  const auto bad = [&](auto&&... words) { return invalidArgument(words...).ofKind("invalid_graph").atNode(n.name); };
  std::set<int> controls;
  for (const std::string_view text : inputs) {
    const bool control = text.starts_with('^');
    std::string_view name = control ? text.substr(1) : text;
    int index = 0;
    if (!control) {
      if (!n.controls.empty()) return bad("Node '", n.name, "': Control dependencies must come after regular dependencies; '", text, "' does not");
      if (const size_t colon = name.rfind(':'); colon != name.npos) {
        const auto r = std::from_chars(name.data() + colon + 1, name.data() + name.size(), index);
        if (r.ec != std::errc() || r.ptr != name.data() + name.size() || index < 0) {
          return bad("Node '", n.name, "': Input '", text, "' is not of the form NODE, NODE:SLOT or ^NODE");
        }
        name = name.substr(0, colon);
      }
    }
    const auto it = ids.find(name);
    if (it == ids.end()) return bad("Node '", n.name, "': Unknown input node '", text, "'");
    if (control) {
      if (controls.insert(it->second).second) n.controls.push_back(it->second);
      continue;
    }
    const Node& from = pending_[size_t(it->second)].node;
    if (from.record && index >= int(from.outputTypes.size())) {
      return bad("Node '", n.name, "': Connecting to invalid output ", index, " of source node ", from.name, " which has ", from.outputTypes.size(),
                 " outputs");
    }
    n.inputs.push_back({it->second, index});
  }
  return {};
}

Status GraphAssembler::checkTypes() {
  // How many outputs an unknown op has, and of what type, is known from those who use it.
  for (Pending& p : pending_) {
    for (size_t i = 0; i < p.node.inputs.size(); ++i) {
      const Output o = p.node.inputs[i];
      Node& from = pending_[size_t(o.node)].node;
      if (from.record) continue;
      if (o.index > 65535) {
        return invalidArgument("Node '", p.node.name, "': Connecting to invalid output ", o.index, " of source node ", from.name)
            .ofKind("invalid_graph")
            .atNode(p.node.name);
      }
      if (int(from.outputTypes.size()) <= o.index) from.outputTypes.resize(size_t(o.index) + 1, DType::Invalid);
      if (p.node.record && i < p.node.inputTypes.size()) from.outputTypes[size_t(o.index)] = p.node.inputTypes[i];
    }
  }
  for (Pending& p : pending_) {
    Node& n = p.node;
    if (!n.record) {
      for (Output o : n.inputs) n.inputTypes.push_back(pending_[size_t(o.node)].node.outputTypes[size_t(o.index)]);
      continue;
    }
    if (n.inputs.size() != n.inputTypes.size()) {
      std::string expected;
      for (DType t : n.inputTypes) expected += (expected.empty() ? "" : ", ") + dtypeShortName(t);
      return invalidArgument("NodeDef expected inputs '", expected, "' do not match ", n.inputs.size(), " inputs specified; ", n.record->signature(),
                             at(n.name))
          .ofKind("invalid_graph")
          .atNode(n.name);
    }
    for (size_t i = 0; i < n.inputs.size(); ++i) {
      const Node& from = pending_[size_t(n.inputs[i].node)].node;
      const DType given = from.outputTypes[size_t(n.inputs[i].index)], want = n.inputTypes[i];
      if (given == want || given == DType::Invalid || want == DType::Invalid) continue;
      if (!isRef(want) && baseType(given) == want) continue;  // a reference is read where a value is wanted
      return invalidArgument("Input ", i, " of node ", n.name, " was passed ", dtypeShortName(given), " from ", from.name, ":", n.inputs[i].index,
                             " incompatible with expected ", dtypeShortName(want), ".")
          .ofKind("invalid_graph")
          .atNode(n.name);
    }
  }
  return {};
}

Status GraphAssembler::checkCycles(const Graph& graph) const {
  const auto order = graph.topologicalOrder();
  if (order.ok()) return {};
  Error e = order.error();
  e.message = "Graph is invalid, contains a cycle that does not go through NextIteration -> Merge. " + e.message;
  return e.ofKind("invalid_graph");
}

void GraphAssembler::listUnknownOps(std::vector<Error>* problems) const {
  std::map<std::string, int> counts;
  for (const Pending& p : pending_) {
    if (!p.node.record) ++counts[p.node.op];
  }
  if (library_) {
    for (const auto& [op, count] : library_->unknownOps()) counts[op] += count;
  }
  for (const auto& [op, count] : counts) {
    problems->push_back(notFound("Op type not registered '", op, "' (", count, count == 1 ? " node" : " nodes",
                                 "): it is kept and saved unchanged but cannot be run")
                            .ofKind("unknown_op"));
  }
}

Result<Graph> GraphAssembler::finish(std::vector<Error>* problems) {
  std::unordered_map<std::string_view, int> ids;
  ids.reserve(pending_.size());
  for (size_t i = 0; i < pending_.size(); ++i) {
    const std::string& name = pending_[i].node.name;
    if (!ids.emplace(name, int(i)).second) return invalidArgument("Node '", name, "' is not unique").ofKind("invalid_graph").atNode(name);
  }
  for (Pending& p : pending_) {
    Node& n = p.node;
    if (!n.record && library_) n.record = library_->record(n.op);
    if (!n.record) {
      if (!options_.allowUnknownOps) return notFound("Op type not registered '", n.op, "'", at(n.name)).atNode(n.name);
      continue;
    }
    if (n.record->deprecatedSince && versions_.producer >= n.record->deprecatedSince) {
      return unimplemented("Op ", n.op, " is not available in GraphDef version ", versions_.producer, ". It has been removed in version ",
                           n.record->deprecatedSince, ". ", n.record->deprecation, ".")
          .ofKind("invalid_graph")
          .atNode(n.name);
    }
    auto signature = resolveSignature(*n.record, n.attrs, &n.defaulted);
    if (!signature.ok()) {
      Error e = std::move(signature.error());
      e.message += at(n.name);
      return e.ofKind("invalid_graph").atNode(n.name);
    }
    n.inputTypes = std::move(signature->inputTypes);
    n.outputTypes = std::move(signature->outputTypes);
    // Old graphs could not tell a placeholder of unknown shape from a scalar.
    if (versions_.producer <= kLastWithoutUnknownShapes && n.op == "Placeholder" && n.attrs.shape("shape").isScalar()) n.attrs.set("shape", Shape::unknown());
  }
  for (Pending& p : pending_) WEFT_TRY(connect(p.node, p.inputs, ids));
  WEFT_TRY(checkTypes());

  Graph graph;
  graph.versions = versions_;
  graph.functions = library_;
  if (problems) listUnknownOps(problems);
  for (Pending& p : pending_) WEFT_TRY(graph.add(std::move(p.node)));
  WEFT_TRY(checkCycles(graph));
  if (options_.inferShapes) WEFT_TRY(inferGraphShapes(graph, problems));
  return graph;
}

}  // namespace weft
