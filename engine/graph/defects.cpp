// Finds everything in an opened graph that TensorFlow would refuse.
//
// Defects are not recorded while reading, but computed from the nodes, their bytes and their connections. So defects that an edit fixed or an undo
// restored need no bookkeeping.
#include "weft/defects.h"

#include <algorithm>
#include <map>
#include <set>

#include "graph/attr_proto.h"
#include "graph/function_library.h"
#include "graph/graph_assembler.h"
#include "graph/missing_nodes.h"
#include "graph/wire.h"
#include "proto/graph.pb.h"
#include "tensor/type_list.h"
#include "weft/op.h"

namespace weft {
namespace {

constexpr std::string_view kDefect = "defect:";
constexpr int kConsumer = 134;  // as GraphAssembler

std::string missingKind(const Node& node) { return node.attrs.text(kMissingAttr); }

bool fits(DType given, DType want) {
  if (given == want || given == DType::Invalid || want == DType::Invalid) return true;
  return !isRef(want) && baseType(given) == want;  // a reference is read where a value is wanted
}

/// A node's signature, or the reason why it cannot be resolved.
struct Signed {
  const OpRecord* record = nullptr;  ///< Null if the op is unknown.
  bool resolved = false;
  AttrMap attrs;
  std::vector<std::string> defaulted;
  NodeSignature signature;
  std::optional<Defect> defect;
};

Signed signedNode(const Graph& graph, const Node& n) {
  Signed out;
  out.record = n.op.empty() ? nullptr : recordOf(graph, n.op);
  if (!out.record) return out;
  out.attrs = n.attrs;
  const auto defect = [&](const char* code, std::string subject, std::string message) {
    out.defect = Defect{code, n.name, std::move(subject), {}, std::move(message)};
  };
  auto signature = resolveSignature(*out.record, out.attrs, &out.defaulted);
  if (signature.ok()) {
    out.resolved = true;
    out.signature = std::move(*signature);
  } else {
    const auto missing =
        std::find_if(out.record->attrs.begin(), out.record->attrs.end(), [&](const AttrSpec& s) { return !s.defaultValue && !n.attrs.find(s.name); });
    const bool absent = missing != out.record->attrs.end() && signature.error().message.find("missing attr '" + missing->name + "'") != std::string::npos;
    // The message names the unsuitable attribute.
    std::string named;
    for (const AttrSpec& s : out.record->attrs)
      if (named.empty() && signature.error().message.find("'" + s.name + "'") != std::string::npos) named = s.name;
    defect(absent ? "missing-attr" : "bad-attr", absent ? missing->name : named, signature.error().message);
  }
  if (!out.defect && out.record->deprecatedSince && graph.versions.producer >= out.record->deprecatedSince) {
    defect("removed-op", n.op,
           concat("Op ", n.op, " is not available in GraphDef version ", graph.versions.producer, ". It has been removed in version ",
                  out.record->deprecatedSince, ". ", out.record->deprecation, "."));
  }
  return out;
}

/// Attributes that the engine cannot read, and why.
std::vector<Defect> unreadable(const Node& n) {
  std::vector<Defect> out;
  for (const auto& [key, bytes] : n.attrs) {
    if (!key.starts_with(kUnreadAttr)) continue;
    const std::string name = key.substr(kUnreadAttr.size());
    tensorflow::AttrValue value;
    const std::string* text = bytes.get<std::string>();
    if (!text || !value.ParseFromString(*text)) continue;
    const auto attr = attrFromProto(value);
    if (!attr.ok()) out.push_back({"bad-value", n.name, name, {}, concat("Attribute '", name, "' of node '", n.name, "': ", attr.error().message)});
  }
  return out;
}

bool dataAfterControl(const Node& n) {
  if (!n.raw) return false;
  bool control = false;
  WireReader in(*n.raw);
  while (const auto f = in.next()) {
    if (f->number != 3 || f->type != 2) continue;
    if (f->bytes.starts_with('^')) control = true;
    else if (control) return true;
  }
  return false;
}

template <typename F>
void eachProducer(const Graph& graph, const Node& n, F&& f) {
  for (const Output o : n.inputs)
    if (!isBackEdge(*graph.node(o.node), n)) f(o.node);
  for (const int c : n.controls) f(c);
}

/// Cycles that are not loops: for each node the number of its cycle, or -1. Tarjan's algorithm without recursion, because graphs are deep.
std::vector<int> cyclesOf(const Graph& graph, int* count) {
  const auto size = size_t(graph.size());
  std::vector<int> cycle(size, -1), seen(size, -1), low(size, 0), stack;
  std::vector<char> open(size, 0);
  struct Visit {
    int id;
    std::vector<int> next;
    size_t at = 0;
  };
  int clock = 0;
  *count = 0;
  const auto visitOf = [&](int id) {
    Visit v{id, {}};
    eachProducer(graph, *graph.node(id), [&](int p) { v.next.push_back(p); });
    seen[size_t(id)] = low[size_t(id)] = clock++;
    stack.push_back(id);
    open[size_t(id)] = 1;
    return v;
  };
  std::vector<Visit> path;
  for (int root = 0; root < graph.size(); ++root) {
    if (!graph.node(root) || seen[size_t(root)] >= 0) continue;
    path.push_back(visitOf(root));
    while (!path.empty()) {
      Visit& v = path.back();
      if (v.at < v.next.size()) {
        const int p = v.next[v.at++];
        if (seen[size_t(p)] < 0) path.push_back(visitOf(p));
        else if (open[size_t(p)]) low[size_t(v.id)] = std::min(low[size_t(v.id)], seen[size_t(p)]);
        continue;
      }
      const int id = v.id;
      const bool self = std::count(v.next.begin(), v.next.end(), id) > 0;
      path.pop_back();
      if (!path.empty()) low[size_t(path.back().id)] = std::min(low[size_t(path.back().id)], low[size_t(id)]);
      if (low[size_t(id)] != seen[size_t(id)]) continue;
      const bool alone = stack.back() == id;
      for (int member = -1; member != id;) {
        member = stack.back();
        stack.pop_back();
        open[size_t(member)] = 0;
        if (!alone || self) cycle[size_t(member)] = *count;
      }
      if (!alone || self) ++*count;
    }
  }
  return cycle;
}

/// Defects of a node's inputs, given its signature.
void inputDefects(const Graph& graph, const Node& n, const Signed& s, std::vector<Defect>& out) {
  for (size_t i = 0; i < n.inputs.size(); ++i) {
    const Node& from = *graph.node(n.inputs[i].node);
    if (!isMissing(from)) continue;
    const std::string kind = missingKind(from);
    if (kind == kNotGiven) continue;  // reported as a wrong number of inputs
    const std::string said = graph.tensorName(n.inputs[i]);
    if (kind == kMissingOutput)
      out.push_back(
          {"no-such-output", n.name, from.name, {int(i)}, concat("Node '", n.name, "': Connecting to invalid output of source node; input '", from.name, "'")});
    else if (kind == kMissingText)
      out.push_back(
          {"missing-input", n.name, from.name, {int(i)}, concat("Node '", n.name, "': Input '", from.name, "' is not of the form NODE, NODE:SLOT or ^NODE")});
    else
      out.push_back({"missing-input",
                     n.name,
                     n.inputs[i].index == 0 ? from.name : said,
                     {int(i)},
                     concat("Node '", n.name, "': Unknown input node '", n.inputs[i].index == 0 ? from.name : said, "'")});
  }
  for (const int c : n.controls)
    if (isMissing(*graph.node(c)))
      out.push_back({"missing-control", n.name, graph.node(c)->name, {}, concat("Node '", n.name, "': Unknown input node '^", graph.node(c)->name, "'")});
  if (dataAfterControl(n))
    out.push_back({"control-order", n.name, {}, {}, concat("Node '", n.name, "': Control dependencies must come after regular dependencies")});
  if (!s.resolved) return;
  const std::vector<DType>& want = s.signature.inputTypes;
  const size_t given = size_t(std::count_if(n.inputs.begin(), n.inputs.end(),
                                            [&](Output o) { return !isMissing(*graph.node(o.node)) || missingKind(*graph.node(o.node)) != kNotGiven; }));
  if (given != want.size()) {
    out.push_back({"input-count",
                   n.name,
                   concat(given, "/", want.size()),
                   {},
                   concat("NodeDef expected inputs '", typeList(want), "' do not match ", given, " inputs specified; ", s.record->signature())});
    return;
  }
  for (size_t i = 0; i < want.size(); ++i) {
    const Node& from = *graph.node(n.inputs[i].node);
    const DType type = size_t(n.inputs[i].index) < from.outputTypes.size() ? from.outputTypes[size_t(n.inputs[i].index)] : DType::Invalid;
    if (fits(type, want[i])) continue;
    out.push_back({"input-type",
                   n.name,
                   graph.tensorName(n.inputs[i]),
                   {int(i)},
                   concat("Input ", i, " of node ", n.name, " was passed ", dtypeShortName(type), " from ", graph.tensorName(n.inputs[i]),
                          " incompatible with expected ", dtypeShortName(want[i]), ".")});
  }
}

void nameDefects(const Node& n, std::vector<Defect>& out) {
  const std::string said(nameInBytes(n));
  if (said.empty()) out.push_back({"no-name", n.name, said, {}, "Node '': Node name contains invalid characters"});
  else if (!isValidNodeName(said)) out.push_back({"bad-name", n.name, said, {}, concat("Node '", said, "': Node name contains invalid characters")});
  else if (said != n.name) out.push_back({"duplicate-name", n.name, said, {}, concat("Node '", said, "' is not unique")});
  if (n.op.empty()) out.push_back({"no-op", n.name, {}, {}, concat("Node '", n.name, "' does not specify an operation")});
}

/// Whether a node with this defect must not have a record: code that relies on a node's op must find what the op promises.
bool unfits(const Defect& d) {
  return d.code == "missing-attr" || d.code == "bad-attr" || d.code == "bad-value" || d.code == "input-count" || d.code == "input-type" ||
         d.code == "removed-op" || d.code == "cycle" || d.code == "no-op";
}

/// The defects and signatures of all nodes.
struct Findings {
  std::vector<Signed> signatures;
  std::vector<std::vector<Defect>> defects;
};

Findings findDefects(const Graph& graph) {
  Findings out;
  out.signatures.resize(size_t(graph.size()));
  out.defects.resize(size_t(graph.size()));
  for (int id = 0; id < graph.size(); ++id) {
    const Node* n = graph.node(id);
    if (!n || isMissing(*n)) continue;
    Signed& s = out.signatures[size_t(id)] = signedNode(graph, *n);
    std::vector<Defect>& mine = out.defects[size_t(id)];
    nameDefects(*n, mine);
    const auto values = unreadable(*n);
    mine.insert(mine.end(), values.begin(), values.end());
    // An unreadable attribute is not also reported as missing.
    if (s.defect && std::none_of(values.begin(), values.end(), [&](const Defect& d) { return d.subject == s.defect->subject; })) mine.push_back(*s.defect);
    inputDefects(graph, *n, s, mine);
  }
  int count = 0;
  const std::vector<int> cycle = cyclesOf(graph, &count);
  if (count == 0) return out;
  std::vector<std::string> names(static_cast<size_t>(count));
  std::vector<int> shown(size_t(count), 0);
  for (size_t id = 0; id < cycle.size(); ++id) {
    if (cycle[id] < 0 || ++shown[size_t(cycle[id])] > 9) continue;
    std::string& list = names[size_t(cycle[id])];
    list += (list.empty() ? "" : ", ") + (shown[size_t(cycle[id])] > 8 ? std::string("...") : graph.node(int(id))->name);
  }
  for (size_t id = 0; id < cycle.size(); ++id) {
    if (cycle[id] < 0) continue;
    const Node& n = *graph.node(int(id));
    Defect d{"cycle",
             n.name,
             names[size_t(cycle[id])],
             {},
             "Graph is invalid, contains a cycle that does not go through NextIteration -> Merge: " + names[size_t(cycle[id])]};
    for (size_t i = 0; i < n.inputs.size(); ++i)
      if (cycle[size_t(n.inputs[i].node)] == cycle[id] && !isBackEdge(*graph.node(n.inputs[i].node), n)) d.inputs.push_back(int(i));
    out.defects[id].push_back(std::move(d));
  }
  return out;
}

/// The known input and output types of a node without a record. Lists of unknown length count as empty.
void partialTypes(const Graph& graph, const Node& n, const Signed& s, std::vector<DType>& inputs, std::vector<DType>& outputs) {
  if (s.resolved) {
    inputs = s.signature.inputTypes;
    outputs = s.signature.outputTypes;
  } else if (s.record) {
    const auto lists = std::any_of(s.record->outputs.begin(), s.record->outputs.end(), [](const ArgSpec& a) { return a.isTypeList || !a.numberAttr.empty(); });
    for (const ArgSpec& a : s.record->outputs) {
      if (lists) break;
      const DType type = a.typeAttr.empty() ? a.type : n.attrs.type(a.typeAttr);
      outputs.push_back(a.isRef && type != DType::Invalid ? refType(baseType(type)) : type);
    }
  }
  inputs.resize(n.inputs.size(), DType::Invalid);
  for (size_t i = 0; i < n.inputs.size(); ++i) {
    const Node& from = *graph.node(n.inputs[i].node);
    if (inputs[i] == DType::Invalid && size_t(n.inputs[i].index) < from.outputTypes.size()) inputs[i] = from.outputTypes[size_t(n.inputs[i].index)];
  }
}

/// Number of outputs of each node that its readers use.
std::vector<int> outputsUsed(const Graph& graph) {
  std::vector<int> used(size_t(graph.size()), 0);
  for (int id = 0; id < graph.size(); ++id)
    if (const Node* n = graph.node(id))
      for (const Output o : n->inputs) used[size_t(o.node)] = std::max(used[size_t(o.node)], o.index + 1);
  return used;
}

/// Gives required but absent inputs a missing node, so that code which expects `Assign`'s second input finds one.
Status fillInputs(Graph& graph) {
  for (int id = 0; id < graph.size(); ++id) {
    const Node* n = graph.node(id);
    if (!n || isMissing(*n)) continue;
    const OpRecord* record = n->op.empty() ? nullptr : recordOf(graph, n->op);
    if (!record) continue;
    const auto fixed =
        size_t(std::count_if(record->inputs.begin(), record->inputs.end(), [](const ArgSpec& a) { return !a.isTypeList && a.numberAttr.empty(); }));
    if (n->inputs.size() >= fixed) continue;
    WEFT_LET(const int openInput, missingNode(graph, "(not given)", kNotGiven));
    changeKeepingBytes(graph, id, [&](Node& node) { node.inputs.resize(fixed, {openInput, 0}); });
  }
  return {};
}

/// Handles names made unique for display only: such a name is written to the file once something written refers to it, and dropped when the file's own
/// name is free.
void settleNames(Graph& graph) {
  std::vector<bool> referred(size_t(graph.size()), false);
  for (int id = 0; id < graph.size(); ++id) {
    const Node* n = graph.node(id);
    if (!n || n->raw) continue;
    for (const Output o : n->inputs) referred[size_t(o.node)] = true;
    for (const int c : n->controls) referred[size_t(c)] = true;
  }
  for (int id = 0; id < graph.size(); ++id) {
    const Node* n = graph.node(id);
    if (!n || !n->raw || isMissing(*n)) continue;
    const std::string said(nameInBytes(*n));
    if (said == n->name) continue;
    if (referred[size_t(id)]) (void)graph.change(id, [](Node&) {}).ok();
    else if (!said.empty() && !graph.find(said)) changeKeepingBytes(graph, id, [&](Node& node) { node.name = said; });
  }
}

void dropUnreferred(Graph& graph) {
  std::vector<bool> read(size_t(graph.size()), false);
  for (int id = 0; id < graph.size(); ++id) {
    const Node* n = graph.node(id);
    if (!n) continue;
    for (const Output o : n->inputs) read[size_t(o.node)] = true;
    for (const int c : n->controls) read[size_t(c)] = true;
  }
  for (int id = 0; id < graph.size(); ++id)
    if (const Node* n = graph.node(id); n && isMissing(*n) && !read[size_t(id)]) (void)graph.remove(id).ok();
}

}  // namespace

std::string_view nameInBytes(const Node& node) {
  if (!node.raw) return node.name;
  std::string_view name;
  WireReader in(*node.raw);
  while (const auto f = in.next())
    if (f->number == 1 && f->type == 2) name = f->bytes;
  return name;
}

Result<int> missingNode(Graph& graph, std::string_view said, std::string_view kind, int index) {
  std::string name(said.empty() ? "(nothing)" : said);
  for (int i = 1; graph.find(name); ++i) {
    const Node& there = *graph.find(name);
    if (isMissing(there) && missingKind(there) == kind) {
      if (index >= int(there.outputTypes.size())) {
        WEFT_TRY(graph.change(there.id, [&](Node& n) {
          n.outputTypes.resize(size_t(index) + 1, DType::Invalid);
          n.outputShapes.resize(n.outputTypes.size(), Shape::unknown());
        }));
      }
      return graph.find(name)->id;
    }
    name = concat(said, "_", i);
  }
  Node n;
  n.name = name;
  n.attrs.set(kMissingAttr, kind);
  n.outputTypes.resize(size_t(index) + 1, DType::Invalid);
  return graph.add(std::move(n));
}

bool isNotGiven(const Node& node) { return isMissing(node) && missingKind(node) == kNotGiven; }

bool isMissing(const Node& node) { return node.op.empty() && !node.raw && node.attrs.find(kMissingAttr); }

std::string unreadName(const std::string& key) { return key.starts_with(kUnreadAttr) ? key.substr(kUnreadAttr.size()) : key; }

bool isDefect(const Error& problem) { return problem.kind.starts_with(kDefect); }

const Error* whyRefused(const std::vector<Error>& problems) {
  const auto it = std::find_if(problems.begin(), problems.end(), isDefect);
  return it == problems.end() ? nullptr : &*it;
}

std::vector<Defect> defectsOf(const Graph& graph) {
  std::vector<Defect> out;
  const GraphVersions& v = graph.versions;
  if (kConsumer < v.minConsumer) {
    out.push_back(
        {"version",
         {},
         concat(v.minConsumer),
         {},
         concat("GraphDef min consumer version ", v.minConsumer, " above current version ", kConsumer, " (TensorFlow 1.15); it was made for a newer reader")});
  } else if (std::count(v.badConsumers.begin(), v.badConsumers.end(), kConsumer)) {
    out.push_back({"version", {}, concat(kConsumer), {}, concat("GraphDef disallows consumer version ", kConsumer, " (TensorFlow 1.15), which is ours")});
  }
  for (auto& mine : findDefects(graph).defects) std::move(mine.begin(), mine.end(), std::back_inserter(out));
  return out;
}

std::vector<int> reviewNodes(Graph& graph) {
  settleNames(graph);
  dropUnreferred(graph);
  (void)fillInputs(graph).ok();
  const Findings found = findDefects(graph);
  const std::vector<int> used = outputsUsed(graph);
  std::vector<int> changed;
  for (int id = 0; id < graph.size(); ++id) {
    const Node* n = graph.node(id);
    if (!n || isMissing(*n)) continue;
    const Signed& s = found.signatures[size_t(id)];
    const std::vector<Defect>& defects = found.defects[size_t(id)];
    const bool sound = s.resolved && std::none_of(defects.begin(), defects.end(), unfits);
    if (sound && n->record == s.record) continue;
    std::vector<DType> inputs, outputs;
    partialTypes(graph, *n, s, inputs, outputs);
    if (int(outputs.size()) < used[size_t(id)]) outputs.resize(size_t(used[size_t(id)]), DType::Invalid);
    if (!sound && !n->record && n->inputTypes == inputs && n->outputTypes == outputs) continue;
    changed.push_back(id);
    changeKeepingBytes(graph, id, [&](Node& node) {
      node.record = sound ? s.record : nullptr;
      if (s.resolved) {
        node.attrs = s.attrs;
        node.defaulted.insert(node.defaulted.end(), s.defaulted.begin(), s.defaulted.end());
      }
      node.inputTypes = std::move(inputs);
      node.outputShapes.resize(outputs.size(), Shape::unknown());
      if (!sound) node.outputShapes.assign(outputs.size(), Shape::unknown());
      node.outputTypes = std::move(outputs);
    });
  }
  return changed;
}

void listDefects(const Graph& graph, std::vector<Error>* problems) {
  std::erase_if(*problems, isDefect);
  for (Defect& d : defectsOf(graph)) {
    Error e = invalidArgument(d.message);
    e.node = std::move(d.node);
    problems->push_back(e.ofKind(std::string(kDefect) + d.code));
  }
}

std::vector<int> orderDespiteCycles(const Graph& graph) {
  int count = 0;
  const std::vector<int> cycle = cyclesOf(graph, &count);
  std::vector<int> waiting(size_t(graph.size()), 0), order;
  std::vector<std::vector<int>> readers(size_t(graph.size()));
  for (int id = 0; id < graph.size(); ++id) {
    const Node* n = graph.node(id);
    if (!n) continue;
    eachProducer(graph, *n, [&](int p) {
      if (cycle[size_t(id)] >= 0 && cycle[size_t(p)] == cycle[size_t(id)]) return;
      ++waiting[size_t(id)];
      readers[size_t(p)].push_back(id);
    });
  }
  for (int id = 0; id < graph.size(); ++id)
    if (graph.node(id) && waiting[size_t(id)] == 0) order.push_back(id);
  for (size_t done = 0; done < order.size(); ++done)
    for (const int reader : readers[size_t(order[done])])
      if (--waiting[size_t(reader)] == 0) order.push_back(reader);
  return order;
}

}  // namespace weft
