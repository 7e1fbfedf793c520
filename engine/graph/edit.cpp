// Edits to nodes and wires. Unconnected inputs are fed by stand-ins, so that TensorFlow could load the graph after each edit.
#include "weft/edit.h"

#include <algorithm>
#include <charconv>
#include <deque>

#include "graph/constant_folding.h"
#include "graph/edit_internal.h"
#include "graph/function_library.h"
#include "graph/graph_assembler.h"
#include "graph/graph_shapes.h"
#include "weft/defects.h"
#include "weft/op.h"

namespace weft {
namespace {

std::string lowered(std::string_view name) {
  std::string out(name);
  std::transform(out.begin(), out.end(), out.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? char(c + 32) : c; });
  return out;
}

/// A path from `begin` to `goal` along inputs, without back edges; empty if there is none.
std::vector<int> pathBack(const Graph& graph, int begin, int goal) {
  std::vector<int> cameFrom(size_t(graph.size()), -2);
  std::deque<int> queue{begin};
  cameFrom[size_t(begin)] = -1;
  while (!queue.empty()) {
    const int at = queue.front();
    queue.pop_front();
    if (at == goal) {
      std::vector<int> path;
      for (int i = at; i >= 0; i = cameFrom[size_t(i)]) path.push_back(i);
      return path;
    }
    const Node& n = *graph.node(at);
    const auto visit = [&](int next, bool data) {
      const Node* from = graph.node(next);
      if (!from || cameFrom[size_t(next)] != -2 || (data && isBackEdge(*from, n))) return;
      cameFrom[size_t(next)] = at;
      queue.push_back(next);
    };
    for (const Output o : n.inputs) visit(o.node, true);
    for (const int c : n.controls) visit(c, false);
  }
  return {};
}

bool hasReaders(const Graph& graph, int id) {
  for (int i = 0; i < graph.size(); ++i) {
    const Node* n = graph.node(i);
    if (!n) continue;
    for (const Output o : n->inputs)
      if (o.node == id) return true;
    if (std::count(n->controls.begin(), n->controls.end(), id)) return true;
  }
  return false;
}

}  // namespace

bool isOpenInput(const Node& node) { return node.attrs.find(kOpenAttr) != nullptr; }
bool isMuted(const Node& node) { return node.attrs.find(kMutedAttr) != nullptr; }

GraphEditor::GraphEditor(MetaGraph& meta, std::vector<Error>& problems) : meta_(meta), problems_(problems) {}

Result<int> GraphEditor::find(std::string_view name) const {
  const Node* n = meta_.graph.find(name);
  if (!n) return notFound("There is no node ", name, " in this graph");
  return n->id;
}

Result<Output> GraphEditor::output(std::string_view tensor) const {
  if (meta_.graph.find(tensor)) {
    WEFT_LET(const int id, find(tensor));
    if (meta_.graph.node(id)->outputTypes.empty()) return invalidArgument(tensor, " has no outputs").atNode(std::string(tensor));
    return Output{id, 0};
  }
  auto found = meta_.graph.findOutput(tensor);
  if (found.ok() || tensor.rfind(':') == tensor.npos)
    return tensor.rfind(':') == tensor.npos ? Result<Output>(notFound("There is no node ", tensor, " in this graph")) : found;
  // The outputs of an unknown op are unknown too, so any index is accepted.
  const size_t colon = tensor.rfind(':');
  const Node* n = meta_.graph.find(tensor.substr(0, colon));
  int index = -1;
  const auto r = std::from_chars(tensor.data() + colon + 1, tensor.data() + tensor.size(), index);
  if (!n || n->record || r.ec != std::errc() || index < 0 || index > 65535) return found.error();
  return Output{n->id, index};
}

Result<GraphEditor::InputPlace> GraphEditor::input(std::string_view place) const {
  const Graph& graph = meta_.graph;
  const size_t colon = graph.find(place) ? place.npos : place.rfind(':');
  WEFT_LET(const int id, find(place.substr(0, colon)));
  const Node& n = *graph.node(id);
  if (n.record && n.record->inputs.empty()) return invalidArgument(n.name, " (", n.op, ") takes no inputs").atNode(n.name);
  if (colon == place.npos) {
    for (size_t i = 0; i < n.inputs.size(); ++i)
      if (const Node* from = graph.node(n.inputs[i].node); from && isOpenInput(*from)) return InputPlace{id, int(i), false};
    if (n.inputs.size() == 1) return InputPlace{id, 0, false};
    return invalidArgument("All inputs of ", n.name, " are connected; say which one to change, as ", n.name, ":0").atNode(n.name);
  }
  std::string_view port = place.substr(colon + 1);
  int index = -1;
  const auto r = std::from_chars(port.data(), port.data() + port.size(), index);
  const bool numbered = r.ec == std::errc() && r.ptr == port.data() + port.size();
  if (!n.record) {
    if (!numbered || index < 0 || index > int(n.inputs.size())) return outOfRange(n.name, " has ", n.inputs.size(), " inputs, none is ", port).atNode(n.name);
    return InputPlace{id, index, index == int(n.inputs.size())};
  }
  AttrMap attrs = n.attrs;
  WEFT_LET(const NodeSignature signature, resolveSignature(*n.record, attrs));
  if (numbered) {
    if (index >= 0 && index < int(n.inputs.size())) return InputPlace{id, index, false};
    const ArgSpec& last = n.record->inputs.back();
    if (index == int(n.inputs.size()) && (!last.numberAttr.empty() || last.isTypeList)) return InputPlace{id, index, true};
    return outOfRange(n.name, " (", n.op, ") has ", n.inputs.size(), " inputs, there is no input ", port).atNode(n.name);
  }
  const bool append = port.ends_with('+');
  if (append) port.remove_suffix(1);
  std::string names;
  for (size_t a = 0; a < n.record->inputs.size(); ++a) {
    const ArgSpec& arg = n.record->inputs[a];
    const auto [begin, end] = signature.inputRanges[a];
    names += (names.empty() ? "" : ", ") + arg.name;
    const bool list = !arg.numberAttr.empty() || arg.isTypeList;
    if (arg.name == port && append && list) return InputPlace{id, end, true};
    if (arg.name == port && !append) {
      for (int i = begin; i < end; ++i)
        if (const Node* from = graph.node(n.inputs[size_t(i)].node); from && isOpenInput(*from)) return InputPlace{id, i, false};
      if (list) return InputPlace{id, end, true};
      return InputPlace{id, begin, false};
    }
    for (int i = begin; list && i < end; ++i)
      if (arg.name + "_" + std::to_string(i - begin) == port) return InputPlace{id, i, false};
  }
  return notFound(n.name, " (", n.op, ") has no input ", port, "; it has ", names).atNode(n.name);
}

std::string GraphEditor::uniqueName(std::string_view name) const {
  std::set<std::string> used;
  for (int id = 0; id < meta_.graph.size(); ++id) {
    const Node* n = meta_.graph.node(id);
    // Names of stand-ins for missing wires count as free; those for the output of a waiting layer do not.
    if (!n || (isOpenInput(*n) && n->name.starts_with(kOpenScope))) continue;
    const std::string low = lowered(n->name);
    for (size_t slash = low.find('/'); slash != low.npos; slash = low.find('/', slash + 1)) used.insert(low.substr(0, slash));
    used.insert(low);
  }
  const std::string base(name), low = lowered(name);
  if (!used.count(low)) return base;
  for (int i = 1;; ++i)
    if (!used.count(low + "_" + std::to_string(i))) return base + "_" + std::to_string(i);
}

Result<int> GraphEditor::addOpenInput(const Node& node, int input, DType type) {
  Node openInput;
  const bool reference = isRef(type);
  openInput.op = reference ? "VariableV2" : "Placeholder";
  openInput.record = OpRegistry::instance().find(openInput.op);
  const std::string base = kOpenScope + node.name + "/" + nameOfInput(node, input);
  openInput.name = base;
  for (int i = 1; graph().find(openInput.name); ++i) openInput.name = base + "_" + std::to_string(i);
  const DType held = baseType(type) == DType::Invalid ? DType::Float : baseType(type);
  openInput.attrs.set("dtype", held);
  openInput.attrs.set("shape", Shape::unknown());
  openInput.attrs.set(kOpenAttr, nameOfInput(node, input));
  WEFT_LET(const NodeSignature signature, resolveSignature(*openInput.record, openInput.attrs));
  openInput.outputTypes = signature.outputTypes;
  WEFT_LET(const int id, graph().add(std::move(openInput)));
  touched_.insert(id);
  return id;
}

void GraphEditor::removeIfOpenInput(int id) {
  const Node* n = graph().node(id);
  if (!n || !isOpenInput(*n) || n->attrs.text(kOpenAttr) == kWaitingLayer || hasReaders(graph(), id)) return;
  touched_.erase(id);
  (void)graph().remove(id).ok();
}

void GraphEditor::removeOpenInputs(const std::set<int>& ids) {
  std::set<int> unread;
  for (const int id : ids)
    if (const Node* n = graph().node(id); n && isOpenInput(*n) && n->attrs.text(kOpenAttr) != kWaitingLayer) unread.insert(id);
  for (int id = 0; id < graph().size() && !unread.empty(); ++id) {
    const Node* n = graph().node(id);
    if (!n) continue;
    for (const Output o : n->inputs) unread.erase(o.node);
    for (const int c : n->controls) unread.erase(c);
  }
  if (unread.empty()) return;
  for (const int id : unread) touched_.erase(id);
  for (const int id : unread) (void)graph().remove(id).ok();
}

Result<int> GraphEditor::add(std::string_view op, std::string_view name, const TextAttrs& given) {
  const OpRecord* record = OpRegistry::instance().find(op);
  if (!record) return notFound("There is no op ", op);
  WEFT_LET(AttrMap attrs, attrsFor(*record, given));
  Node n;
  n.op = op;
  n.record = record;
  // If the file refers to a missing node of this name, the new node takes its place.
  const Node* hole = graph().find(name);
  if (hole && !isMissing(*hole)) hole = nullptr;
  n.name = hole ? std::string(name) : uniqueName(name.empty() ? op : name);
  if (!isValidNodeName(n.name) || n.name[0] == '_') return invalidArgument("'", n.name, "' is not a valid node name: letters, digits and . _ - / are");
  auto signature = resolveSignature(*record, attrs);
  if (!signature.ok()) return signature.error().atNode(n.name);
  n.attrs = std::move(attrs);
  n.inputTypes = signature->inputTypes;
  n.outputTypes = signature->outputTypes;
  const int place = hole ? hole->id : -1;
  for (int id = 0; hole && id < graph().size(); ++id) {
    const Node* reader = graph().node(id);
    for (const Output o : reader ? reader->inputs : std::vector<Output>())
      if (o.node == place && o.index >= int(n.outputTypes.size()))
        return invalidArgument(reader->name, " reads output ", o.index, " of ", n.name, ", but ", op, " has ", n.outputTypes.size(), " outputs").atNode(n.name);
  }
  for (size_t i = 0; i < n.inputTypes.size(); ++i) {
    WEFT_LET(const int openInput, addOpenInput(n, int(i), n.inputTypes[i]));
    n.inputs.push_back({openInput, 0});
  }
  if (place >= 0) {
    touched_.insert(place);
    n.outputShapes.assign(n.outputTypes.size(), Shape::unknown());
    WEFT_TRY(graph().change(place, [&](Node& node) { node = std::move(n); }));
    return place;
  }
  WEFT_LET(const int id, graph().add(std::move(n)));
  touched_.insert(id);
  return id;
}

Status GraphEditor::setInput(int node, int input, Output from) {
  const int before = graph().node(node)->inputs[size_t(input)].node;
  WEFT_TRY(graph().change(node, [&](Node& n) { n.inputs[size_t(input)] = from; }));
  touched_.insert(node);
  if (before != from.node) removeIfOpenInput(before);
  return {};
}

Status GraphEditor::connect(Output from, InputPlace to) {
  const Node* source = graph().node(from.node);
  const Node* target = graph().node(to.node);
  if (!source || !target) return notFound("That wire has no ends");
  const std::string fromName = graph().tensorName(from), targetName = target->name;
  if (!source->record && from.index >= int(source->outputTypes.size())) {
    const int id = source->id;
    WEFT_TRY(graph().change(id, [&](Node& n) {
      n.outputTypes.resize(size_t(from.index) + 1, DType::Invalid);
      n.outputShapes.resize(n.outputTypes.size(), Shape::unknown());
    }));
    target = graph().node(to.node);
    source = graph().node(from.node);
  }
  if (!isBackEdge(*source, *target)) {
    if (const auto path = pathBack(graph(), from.node, to.node); !path.empty()) {
      std::string names;
      for (const int id : path) names += (names.empty() ? "" : " → ") + graph().node(id)->name;
      return invalidArgument("A wire from ", fromName, " to ", target->name, " would close a cycle: ", names, " → ", path.size() > 1 ? target->name : names)
          .atNode(target->name);
    }
  }
  if (to.append && target->record) {
    AttrMap attrs = target->attrs;
    WEFT_LET(const NodeSignature signature, resolveSignature(*target->record, attrs));
    for (size_t a = 0; a < signature.inputRanges.size(); ++a) {
      const ArgSpec& arg = target->record->inputs[a];
      if (signature.inputRanges[a].second != to.index) continue;
      if (arg.isTypeList) {
        auto types = attrs.list<DType>(arg.typeAttr);
        types.push_back(baseType(source->outputTypes[size_t(from.index)]));
        attrs.set(arg.typeAttr, std::move(types));
      } else if (!arg.numberAttr.empty()) {
        attrs.set(arg.numberAttr, attrs.integer(arg.numberAttr) + 1);
      } else {
        continue;
      }
      std::set<int> visiting;
      WEFT_TRY(adoptSignature(to.node, std::move(attrs), visiting));
      break;
    }
  } else if (to.append) {
    touched_.insert(to.node);
    return graph().change(to.node, [&](Node& n) {
      n.inputs.push_back(from);
      n.inputTypes.push_back(graph().dtype(from));
    });
  }
  if (to.index >= int(graph().node(to.node)->inputs.size())) return outOfRange(targetName, " has no input ", to.index).atNode(targetName);
  WEFT_TRY(setInput(to.node, to.index, from));
  std::set<int> visiting;
  return settleTypes(*this, to.node, visiting);
}

Status GraphEditor::connectControl(int from, int to) {
  const Node &a = *graph().node(from), &b = *graph().node(to);
  if (!pathBack(graph(), from, to).empty()) return invalidArgument(b.name, " cannot wait for ", a.name, ": that would close a cycle").atNode(b.name);
  if (std::count(b.controls.begin(), b.controls.end(), from)) return {};
  touched_.insert(to);
  return graph().change(to, [&](Node& n) { n.controls.push_back(from); });
}

Status GraphEditor::disconnectControl(int from, int to) {
  const Node& n = *graph().node(to);
  if (!std::count(n.controls.begin(), n.controls.end(), from)) return notFound(n.name, " does not wait for ", graph().node(from)->name).atNode(n.name);
  touched_.insert(to);
  return graph().change(to, [&](Node& node) { std::erase(node.controls, from); });
}

Status GraphEditor::disconnect(int id, int input) {
  const Node& n = *graph().node(id);
  if (input < 0 || input >= int(n.inputs.size())) return outOfRange(n.name, " has ", n.inputs.size(), " inputs, there is no input ", input).atNode(n.name);
  const Node* source = graph().node(n.inputs[size_t(input)].node);
  const bool open = source && isOpenInput(*source);
  const OpRecord* known = n.record || n.op.empty() ? nullptr : recordOf(graph(), n.op);
  if (AttrMap attrs = n.attrs; known) {
    // An input that the op does not have is removed.
    const auto signature = resolveSignature(*known, attrs);
    if (signature.ok() && input >= int(signature->inputTypes.size())) {
      touched_.insert(id);
      return graph().change(id, [&](Node& node) {
        node.inputs.erase(node.inputs.begin() + input);
        node.inputTypes.resize(node.inputs.size(), DType::Invalid);
      });
    }
  }
  if (n.record) {
    // A list element is removed if the list has more than the minimum.
    AttrMap attrs = n.attrs;
    WEFT_LET(const NodeSignature signature, resolveSignature(*n.record, attrs));
    const ArgSpec* arg = argOfInput(*n.record, signature, input);
    if (arg && !arg->numberAttr.empty()) {
      const AttrSpec* spec = n.record->findAttr(arg->numberAttr);
      const int64_t least = std::max<int64_t>(spec && spec->hasMinimum ? spec->minimum : 0, 2), count = attrs.integer(arg->numberAttr);
      if (count > least) {
        const int end = signature.inputRanges[size_t(arg - n.record->inputs.data())].second;
        const Output gone = n.inputs[size_t(input)];
        WEFT_LET(const int openInput, addOpenInput(n, end - 1, n.inputTypes[size_t(input)]));
        WEFT_TRY(graph().change(id, [&](Node& node) {
          node.inputs.erase(node.inputs.begin() + input);
          node.inputs.insert(node.inputs.begin() + end - 1, Output{openInput, 0});
        }));
        removeIfOpenInput(gone.node);
        attrs.set(arg->numberAttr, count - 1);
        std::set<int> visiting;
        return adoptSignature(id, std::move(attrs), visiting);
      }
    }
  }
  if (open) return failedPrecondition("Input ", nameOfInput(n, input), " of ", n.name, " is not connected").atNode(n.name);
  WEFT_LET(const int openInput, addOpenInput(n, input, size_t(input) < n.inputTypes.size() ? n.inputTypes[size_t(input)] : DType::Float));
  return setInput(id, input, {openInput, 0});
}

Status GraphEditor::moveConsumers(Output from, Output to) {
  for (int id = 0; id < graph().size(); ++id) {
    const Node* n = graph().node(id);
    if (!n || id == to.node) continue;
    for (size_t i = 0; i < n->inputs.size(); ++i) {
      if (!(n->inputs[i] == from)) continue;
      WEFT_TRY(graph().change(id, [&](Node& node) { node.inputs[i] = to; }));
      touched_.insert(id);
      n = graph().node(id);
    }
    std::set<int> visiting;
    if (touched_.count(id)) WEFT_TRY(settleTypes(*this, id, visiting));
  }
  removeIfOpenInput(from.node);
  return {};
}

Status GraphEditor::finish() {
  std::erase_if(touched_, [&](int id) { return !graph().node(id); });
  // Drops problems of removed nodes and of unknown ops that are no longer used.
  std::set<std::string> ops;
  for (int id = 0; id < graph().size(); ++id)
    if (const Node* n = graph().node(id); n && !n->record) ops.insert(n->op);
  std::erase_if(problems_, [&](const Error& e) {
    if (e.kind == "layer" || e.kind == "expression") return false;  // their node is a scope: LayerEditor and finishEdit() keep these
    if (!e.node.empty()) return graph().find(e.node) == nullptr;
    if (e.kind != "unknown_op") return false;
    return std::none_of(ops.begin(), ops.end(), [&](const std::string& op) { return e.message.find("'" + op + "'") != std::string::npos; });
  });
  const bool broken = whyRefused(problems_) != nullptr;
  if (broken)
    for (const int id : reviewNodes(graph())) touched_.insert(id);
  std::erase_if(touched_, [&](int id) { return !graph().node(id); });
  WEFT_TRY(inferShapesFrom(graph(), touched_, &problems_));
  if (broken) listDefects(graph(), &problems_);
  return {};
}

Status inferShapesFrom(Graph& graph, const std::set<int>& touched, std::vector<Error>* problems) {
  auto sorted = graph.topologicalOrder();
  const bool hadCycle = std::any_of(problems->begin(), problems->end(), [](const Error& e) { return isDefect(e) && e.kind.ends_with(":cycle"); });
  if (!sorted.ok() && !hadCycle) return sorted.error();
  const std::vector<int> order = sorted.ok() ? std::move(*sorted) : orderDespiteCycles(graph);
  const auto whole = [&]() -> Status {
    std::erase_if(*problems, [](const Error& e) { return !e.node.empty(); });
    return inferGraphShapes(graph, order, problems);
  };
  std::vector<int> rank(size_t(graph.size()), -1);
  for (size_t i = 0; i < order.size(); ++i) rank[size_t(order[i])] = int(i);
  const auto readers = graph.consumers();
  std::set<std::pair<int, int>> queue;
  for (const int id : touched)
    if (graph.node(id)) queue.emplace(rank[size_t(id)], id);
  ConstantFolder folder(graph);
  std::set<std::string> done;
  std::vector<Error> found;
  while (!queue.empty()) {
    const int id = queue.begin()->second;
    queue.erase(queue.begin());
    const Node& n = *graph.node(id);
    // Loop shapes depend on their own results, so the whole graph is inferred again.
    if (roleOf(n) == OpRole::Merge && std::any_of(n.inputs.begin(), n.inputs.end(), [&](Output o) { return isBackEdge(*graph.node(o.node), n); }))
      return whole();
    const std::vector<Shape> before = n.outputShapes;
    if (n.record) {
      auto shapes = inferNodeShapes(graph, n, folder);
      done.insert(n.name);
      if (shapes.ok()) {
        graph.setOutputShapes(id, std::move(shapes).value());
      } else {
        found.push_back(std::move(shapes.error()));
        found.back().atNode(n.name);
        graph.setOutputShapes(id, std::vector<Shape>(n.outputTypes.size(), Shape::unknown()));
      }
    }
    const Node& now = *graph.node(id);
    // Integers may be sizes that shapes are made of, so their values matter even if their shape is unchanged.
    const bool sizes = std::any_of(now.outputTypes.begin(), now.outputTypes.end(),
                                   [](DType t) { return baseType(t) == DType::Int32 || baseType(t) == DType::Int64 || baseType(t) == DType::Resource; });
    if (!touched.count(id) && !sizes && now.outputShapes == before) continue;
    for (const int reader : readers[size_t(id)])
      if (rank[size_t(reader)] > rank[size_t(id)]) queue.emplace(rank[size_t(reader)], reader);
  }
  std::erase_if(*problems, [&](const Error& e) { return !e.node.empty() && done.count(e.node); });
  problems->insert(problems->end(), std::make_move_iterator(found.begin()), std::make_move_iterator(found.end()));
  return {};
}

}  // namespace weft
