#include "graph/graph_assembler.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <map>
#include <set>

#include "base/float_mode.h"
#include "base/parallel.h"
#include "graph/attr_proto.h"
#include "graph/function_library.h"
#include "graph/graph_shapes.h"
#include "graph/missing_nodes.h"
#include "graph/wire.h"
#include "proto/graph.pb.h"
#include "weft/mutex.h"
#include "weft/op.h"

namespace weft {

namespace tf = ::tensorflow;

namespace {

constexpr int kConsumer = 134;  // the GraphDef version that this engine understands: that of TensorFlow 1.15

constexpr int kLastWithoutUnknownShapes = 21;
constexpr int64_t kGrain = 512;  // minimum number of nodes per thread

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
  if (!keeps_ && !isValidNodeName(def.name())) {
    return invalidArgument("Node '", def.name(), "': Node name contains invalid characters").ofKind("invalid_graph").atNode(def.name());
  }
  auto p = std::make_unique<Pending>();
  Node& n = p->node;
  n.name = def.name();
  n.op = def.op();
  n.device = def.device();
  n.raw = std::move(raw);
  if (n.op.empty() && !keeps_) return invalidArgument("Node '", n.name, "' does not specify an operation").ofKind("invalid_graph").atNode(n.name);
  n.record = OpRegistry::instance().find(n.op);
  for (const auto& [name, value] : def.attr()) {
    auto a = attrFromProto(value);
    if (!a.ok() && keeps_) {
      n.attrs.set(concat(kUnreadAttr, name), value.SerializeAsString());
      continue;
    }
    if (!a.ok()) {
      a.error().message = "Attribute '" + name + "' of node '" + n.name + "': " + a.error().message;
      return a.error().atNode(n.name).ofKind("invalid_tensor");
    }
    n.attrs.set(name, std::move(a).value());
  }
  WireReader in(*n.raw);
  while (const auto f = in.next()) {
    if (f->number == 3 && f->type == 2) p->inputs.push_back(f->bytes);
  }
  pending_.push_back(std::move(p));
  return {};
}

Status GraphAssembler::addNodes(std::span<const std::string_view> nodes, const std::function<Status(size_t)>& unusual) {
  std::vector<std::unique_ptr<Pending>> plain(nodes.size());
  const KeepFloatMode mode;
  parallelFor(int64_t(nodes.size()), kGrain, [&](int64_t begin, int64_t end) {
    AttrWireReader attrs;
    for (int64_t i = begin; i < end; ++i) plain[size_t(i)] = plainNode(nodes[size_t(i)], attrs);
  });
  pending_.reserve(pending_.size() + nodes.size());
  for (size_t i = 0; i < nodes.size(); ++i) {
    if (plain[i]) {
      pending_.push_back(std::move(plain[i]));
    } else {
      WEFT_TRY(unusual(i));
    }
  }
  return {};
}

template <typename F>
Status GraphAssembler::eachNode(F&& f) {
  struct Failure {
    Mutex mutex;
    int64_t at WEFT_GUARDED_BY(mutex) = -1;
    Status status WEFT_GUARDED_BY(mutex);
  } failure;
  const KeepFloatMode mode;
  parallelFor(int64_t(pending_.size()), kGrain, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      Status status = f(*pending_[size_t(i)]);
      if (status.ok()) continue;
      const MutexLock lock(failure.mutex);
      if (failure.at < 0 || i < failure.at) failure.at = i, failure.status = std::move(status);
      return;
    }
  });
  const MutexLock lock(failure.mutex);
  return std::move(failure.status);
}

std::unique_ptr<GraphAssembler::Pending> GraphAssembler::plainNode(std::string_view bytes, AttrWireReader& attrs) {
  auto p = std::make_unique<Pending>();
  Node& n = p->node;
  n.raw = std::make_shared<const std::string>(bytes);
  WireReader in(*n.raw);
  while (const auto f = in.next()) {
    if (f->type != 2) return nullptr;
    switch (f->number) {
      case 1: n.name = f->bytes; break;
      case 2: n.op = f->bytes; break;
      case 3: p->inputs.push_back(f->bytes); break;
      case 4: n.device = f->bytes; break;
      case 5: {
        WireReader entry(f->bytes);
        const auto key = entry.next(), value = entry.next();
        if (!key || !value || key->number != 1 || key->type != 2 || value->number != 2 || value->type != 2 || !entry.atEnd() || !isAscii(key->bytes))
          return nullptr;
        auto attr = attrs.read(value->bytes);
        if (!attr) return nullptr;
        n.attrs.set(key->bytes, std::move(*attr));
        break;
      }
      default: return nullptr;
    }
  }
  if (!in.ok() || !isValidNodeName(n.name) || n.op.empty() || !isAscii(n.op) || !isAscii(n.device)) return nullptr;
  if (!std::all_of(p->inputs.begin(), p->inputs.end(), isAscii)) return nullptr;
  n.record = OpRegistry::instance().find(n.op);
  return p;
}

void GraphAssembler::addGraph(const Graph& graph) {
  versions_ = graph.versions;
  library_ = graph.functions;
  for (int id = 0; id < graph.size(); ++id) {
    const Node* from = graph.node(id);
    if (!from) continue;
    auto p = std::make_unique<Pending>();
    Node& n = p->node;
    n.name = from->name;
    n.op = from->op;
    n.device = from->device;
    n.record = OpRegistry::instance().find(n.op);
    for (const auto& [name, value] : from->attrs)
      if (std::find(from->defaulted.begin(), from->defaulted.end(), name) == from->defaulted.end()) n.attrs.set(name, value);
    const auto input = [&](std::string text) { p->inputs.push_back(written_.emplace_back(std::move(text))); };
    for (const Output o : from->inputs) input(o.index == 0 ? graph.node(o.node)->name : concat(graph.node(o.node)->name, ":", o.index));
    std::vector<std::string> controls;
    for (const int c : from->controls)
      if (const Node* before = graph.node(c)) controls.push_back("^" + before->name);
    std::sort(controls.begin(), controls.end());
    for (std::string& control : controls) input(std::move(control));
    pending_.push_back(std::move(p));
  }
}

Status GraphAssembler::setVersions(const tf::VersionDef& v) {
  versions_.producer = v.producer();
  versions_.minConsumer = v.min_consumer();
  versions_.badConsumers.assign(v.bad_consumers().begin(), v.bad_consumers().end());
  if (keeps_) return {};
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

Status GraphAssembler::connect(Node& n, const std::vector<std::string_view>& inputs, const Ids& ids) const {
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
    const int id = ids.find(name);
    if (id < 0) return bad("Node '", n.name, "': Unknown input node '", text, "'");
    if (control) {
      if (controls.insert(id).second) n.controls.push_back(id);
      continue;
    }
    const Node& from = pending_[size_t(id)]->node;
    if (from.record && index >= int(from.outputTypes.size())) {
      return bad("Node '", n.name, "': Connecting to invalid output ", index, " of source node ", from.name, " which has ", from.outputTypes.size(),
                 " outputs");
    }
    if (!from.record && index > 65535) return bad("Node '", n.name, "': Connecting to invalid output ", index, " of source node ", from.name);
    n.inputs.push_back({id, index});
  }
  return {};
}

void GraphAssembler::countOutputsOfUnknownOps() {
  if (std::all_of(pending_.begin(), pending_.end(), [](const auto& p) { return p->node.record != nullptr; })) return;
  // Number and types of an unknown op's outputs follow from its readers.
  for (const auto& p : pending_) {
    for (size_t i = 0; i < p->node.inputs.size(); ++i) {
      const Output o = p->node.inputs[i];
      Node& from = pending_[size_t(o.node)]->node;
      if (from.record) continue;
      if (int(from.outputTypes.size()) <= o.index) from.outputTypes.resize(size_t(o.index) + 1, DType::Invalid);
      if (p->node.record && i < p->node.inputTypes.size()) from.outputTypes[size_t(o.index)] = p->node.inputTypes[i];
    }
  }
}

Status GraphAssembler::checkTypes(Node& n) const {
  if (!n.record) {
    for (Output o : n.inputs) n.inputTypes.push_back(pending_[size_t(o.node)]->node.outputTypes[size_t(o.index)]);
    return {};
  }
  if (n.inputs.size() != n.inputTypes.size()) {
    std::string expected;
    for (DType t : n.inputTypes) expected += (expected.empty() ? "" : ", ") + dtypeShortName(t);
    return invalidArgument("NodeDef expected inputs '", expected, "' do not match ", n.inputs.size(), " inputs specified; ", n.record->signature(), at(n.name))
        .ofKind("invalid_graph")
        .atNode(n.name);
  }
  for (size_t i = 0; i < n.inputs.size(); ++i) {
    const Node& from = pending_[size_t(n.inputs[i].node)]->node;
    const DType given = from.outputTypes[size_t(n.inputs[i].index)], want = n.inputTypes[i];
    if (given == want || given == DType::Invalid || want == DType::Invalid) continue;
    if (!isRef(want) && baseType(given) == want) continue;  // a reference is read where a value is wanted
    return invalidArgument("Input ", i, " of node ", n.name, " was passed ", dtypeShortName(given), " from ", from.name, ":", n.inputs[i].index,
                           " incompatible with expected ", dtypeShortName(want), ".")
        .ofKind("invalid_graph")
        .atNode(n.name);
  }
  return {};
}

void GraphAssembler::listUnknownOps(std::map<std::string, int> counts, std::vector<Error>* problems) const {
  if (library_) {
    for (const auto& [op, count] : library_->unknownOps()) counts[op] += count;
  }
  for (const auto& [op, count] : counts) {
    problems->push_back(
        notFound("Op type not registered '", op, "' (", count, count == 1 ? " node" : " nodes", "): it is kept and saved unchanged but cannot be run")
            .ofKind("unknown_op"));
  }
}

GraphAssembler::Ids::Ids(const std::vector<std::unique_ptr<Pending>>& nodes) : nodes_(nodes), slots_(std::bit_ceil(2 * nodes.size() + 1)) {
  for (size_t i = 0; i < nodes.size(); ++i) {
    const std::string& name = nodes[i]->node.name;
    const auto hash = uint32_t(std::hash<std::string_view>{}(name));
    size_t at = hash & (slots_.size() - 1);
    for (; slots_[at].node >= 0; at = (at + 1) & (slots_.size() - 1))
      if (twice_ < 0 && slots_[at].hash == hash && nodes[size_t(slots_[at].node)]->node.name == name) twice_ = int(i);
    slots_[at] = {hash, int(i)};
  }
}

int GraphAssembler::Ids::find(std::string_view name) const {
  const auto hash = uint32_t(std::hash<std::string_view>{}(name));
  for (size_t at = hash & (slots_.size() - 1); slots_[at].node >= 0; at = (at + 1) & (slots_.size() - 1))
    if (slots_[at].hash == hash && nodes_[size_t(slots_[at].node)]->node.name == name) return slots_[at].node;
  return -1;
}

/// Fills in defaults and types.
Status GraphAssembler::sign(Node& n) const {
  if (!n.record && library_) n.record = library_->record(n.op);
  if (!n.record) {
    if (!options_.allowUnknownOps) return notFound("Op type not registered '", n.op, "'", at(n.name)).atNode(n.name);
    return {};
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
  return {};
}

Result<Graph> GraphAssembler::finish(std::vector<Error>* problems) {
  if (keeps_) return finishBroken(problems);
  const Ids ids(pending_);
  if (ids.twice() >= 0) {
    const std::string& name = pending_[size_t(ids.twice())]->node.name;
    return invalidArgument("Node '", name, "' is not unique").ofKind("invalid_graph").atNode(name);
  }
  WEFT_TRY(eachNode([&](Pending& p) { return sign(p.node); }));
  WEFT_TRY(eachNode([&](Pending& p) { return connect(p.node, p.inputs, ids); }));
  countOutputsOfUnknownOps();
  WEFT_TRY(eachNode([&](Pending& p) { return checkTypes(p.node); }));

  Graph graph;
  graph.versions = versions_;
  graph.functions = library_;
  if (problems) {
    std::map<std::string, int> unknown;
    for (const auto& p : pending_)
      if (!p->node.record) ++unknown[p->node.op];
    listUnknownOps(std::move(unknown), problems);
  }
  for (auto& p : pending_) {
    WEFT_TRY(graph.add(std::move(p->node)));
    p.reset();  // frees memory for the next nodes
  }
  pending_.clear();
  auto order = graph.topologicalOrder();
  if (!order.ok()) {
    order.error().message = "Graph is invalid, contains a cycle that does not go through NextIteration -> Merge. " + order.error().message;
    return order.error().ofKind("invalid_graph");
  }
  if (options_.inferShapes) WEFT_TRY(inferGraphShapes(graph, *order, problems));
  return graph;
}

}  // namespace weft
