// fold_constants: replaces what constants alone determine by constants, as TensorFlow's importer and constant folding do it offline.
#include <algorithm>
#include <queue>
#include <set>
#include <unordered_set>

#include "graph/attr_proto.h"
#include "proto/convert.h"
#include "proto/text.h"
#include "transforms/node_names.h"
#include "transforms/patterns.h"
#include "weft/op.h"
#include "weft/session.h"

namespace weft::transforms {
namespace {

bool isShapeOp(const std::string& op) { return op == "Shape" || op == "ShapeN" || op == "Rank" || op == "Size"; }

bool isControlFlow(const std::string& op) {
  static const std::unordered_set<std::string> kOps = {"Switch",  "RefSwitch", "Merge",         "RefMerge",         "Enter",          "RefEnter", "Exit",
                                                       "RefExit", "LoopCond",  "NextIteration", "RefNextIteration", "ControlTrigger", "_SwitchN"};
  return kOps.count(op) > 0;
}

class Folder {
 public:
  Folder(const Graph& graph, const Context& context) : graph_(graph), context_(context) {}

  Status fold(GraphDef* out) {
    WEFT_TRY(readParameters());
    WEFT_TRY(resolveEnds());
    importOrder();
    findReachable();
    findConstants();
    WEFT_TRY(evaluate());
    return write(out);
  }

 private:
  /// A constant that takes the place of an output.
  struct Folded {
    std::string name;
    Tensor value;
  };

  Status readParameters() {
    for (const std::string& op : context_.all("exclude_op")) excludedOps_.insert(op);
    for (const std::string& node : context_.all("exclude_node")) excludedNodes_.insert(node);
    WEFT_LET(mostBytes_, context_.integer("max_constant_size_in_bytes", mostBytes_));
    return {};
  }

  Status resolveEnds() {
    if (context_.outputs.empty()) return invalidArgument("Must specify at least one target to fetch or execute.");
    for (const std::string& input : context_.inputs) {
      const auto found = graph_.findOutput(input.find(':') == input.npos ? input + ":0" : input);
      if (!found.ok()) return notFound("FeedInputs: unable to find feed output ", input);
      fed_.insert(*found);
      feeds_.push_back(*found);
    }
    for (const std::string& output : context_.outputs) {
      const auto found = graph_.findOutput(output.find(':') == output.npos ? output + ":0" : output);
      if (!found.ok()) return notFound("FetchOutputs node ", output, ": not found");
      fetched_.push_back(*found);
    }
    return {};
  }

  /// The order in which TensorFlow's importer adds nodes: of those whose inputs are there, the first of the file.
  void importOrder() {
    const auto readers = graph_.consumers();
    std::vector<int> pending(size_t(graph_.size()), 0);
    std::priority_queue<int, std::vector<int>, std::greater<>> ready;
    for (int id = 0; id < graph_.size(); ++id) {
      if (const Node* node = graph_.node(id)) {
        std::set<int> sources(node->controls.begin(), node->controls.end());
        for (const Output& input : node->inputs) {
          const std::string& op = graph_.node(input.node)->op;
          if (node->op.ends_with("Merge") && op.ends_with("NextIteration")) continue;
          sources.insert(input.node);
        }
        pending[size_t(id)] = int(sources.size());
        if (sources.empty()) ready.push(id);
      }
    }
    while (!ready.empty()) {
      const int id = ready.top();
      ready.pop();
      order_.push_back(id);
      for (const int reader : readers[size_t(id)]) {
        const Node& node = *graph_.node(reader);
        if (node.op.ends_with("Merge") && graph_.node(id)->op.ends_with("NextIteration")) continue;
        if (--pending[size_t(reader)] == 0) ready.push(reader);
      }
    }
  }

  /// Whether a control edge from a node comes from the fed value: TensorFlow moves those of placeholders.
  bool isFedPlaceholder(int id) const {
    const std::string& op = graph_.node(id)->op;
    return (op == "Placeholder" || op == "PlaceholderV2") && fed_.count({id, 0}) > 0;
  }

  void findReachable() {
    std::vector<int> next;
    const auto visit = [&](int id) {
      if (reachable_.insert(id).second) next.push_back(id);
    };
    for (const Output& o : fetched_)
      if (!fed_.count(o)) visit(o.node);
    while (!next.empty()) {
      const Node& node = *graph_.node(next.back());
      next.pop_back();
      for (const Output& input : node.inputs)
        if (!fed_.count(input)) visit(input.node);
      for (const int control : node.controls)
        if (!isFedPlaceholder(control)) visit(control);
    }
  }

  /// The values of Shape, ShapeN, Rank and Size where the shapes are known; empty otherwise.
  std::vector<Tensor> shapeValues(const Node& node) const {
    std::vector<Tensor> out;
    if (!isShapeOp(node.op)) return out;
    for (size_t i = 0; i < node.outputTypes.size(); ++i) {
      if (i >= node.inputs.size()) return {};
      const Shape& shape = graph_.shape(node.inputs[i]);
      const bool wide = node.outputTypes[i] == DType::Int64;
      if (!shape.hasRank() || (node.op != "Rank" && !shape.isFullyKnown())) return {};
      if (node.op == "Shape" || node.op == "ShapeN") {
        const auto dims = shape.toVector();
        out.push_back(wide ? Tensor::vector(dims) : Tensor::vector(std::vector<int32_t>(dims.begin(), dims.end())));
      } else {
        const int64_t number = node.op == "Rank" ? shape.rank() : shape.elements();
        if (number < 0) return {};
        out.push_back(wide ? Tensor::scalar(number) : Tensor::scalar(int32_t(number)));
      }
    }
    return out;
  }

  bool mayFold(const Node& node) const {
    if (node.op == "Const") return true;
    if (!node.record || node.record->isStateful || excludedOps_.count(node.op) || excludedNodes_.count(node.name)) return false;
    if (isControlFlow(node.op) || node.op.find("SessionHandle") != std::string::npos) return false;
    return std::any_of(node.record->kernels.begin(), node.record->kernels.end(), [](const KernelRecord& k) { return k.device == "CPU"; });
  }

  void findConstants() {
    for (const int id : order_) {
      if (!reachable_.count(id)) continue;
      const Node& node = *graph_.node(id);
      auto shapes = shapeValues(node);
      bool constant = !shapes.empty() || mayFold(node);
      if (shapes.empty())
        for (const Output& input : node.inputs) constant = constant && !fed_.count(input) && waits_.count(input.node) > 0;
      if (!constant) continue;
      // What the constant must wait for: what these inputs wait for, and every other input.
      std::set<std::string> waits;
      const auto waitFor = [&](int source, bool fed) {
        if (const auto at = waits_.find(source); !fed && at != waits_.end()) waits.insert(at->second.begin(), at->second.end());
        else waits.insert(graph_.node(source)->name);
      };
      for (const Output& input : node.inputs) waitFor(input.node, fed_.count(input) > 0);
      for (const int control : node.controls) waitFor(control, isFedPlaceholder(control));
      waits_[id] = std::move(waits);
      if (!shapes.empty()) shapes_[id] = std::move(shapes);
    }
  }

  /// Computes what is constant and read by a node that is not, or fetched.
  Status evaluate() {
    std::set<std::pair<std::string, int>> wanted;  // TensorFlow numbers the new names in this order
    const auto want = [&](const Output& o) {
      const Node& node = *graph_.node(o.node);
      if (reachable_.count(o.node) && waits_.count(o.node) && !fed_.count(o) && node.op != "Const") wanted.insert({node.name, o.index});
    };
    for (const int id : order_)
      if (reachable_.count(id) && !waits_.count(id))
        for (const Output& input : graph_.node(id)->inputs) want(input);
    for (const Output& o : fetched_) want(o);
    if (wanted.empty()) return {};

    std::vector<std::pair<std::string, Tensor>> feeds;
    for (const auto& [id, values] : shapes_)
      for (size_t i = 0; i < values.size(); ++i) feeds.emplace_back(graph_.tensorName({id, int(i)}), values[i]);
    std::vector<std::string> fetches;
    std::vector<Output> outputs;
    for (const auto& [name, index] : wanted) {
      const Output o{graph_.find(name)->id, index};
      if (const auto at = shapes_.find(o.node); at != shapes_.end()) {
        add(o, at->second[size_t(index)]);
        continue;
      }
      outputs.push_back(o);
      fetches.push_back(graph_.tensorName(o));
    }
    std::vector<Tensor> values;
    if (!fetches.empty()) {
      // The values do not depend on what their constants wait for.
      Graph alone = graph_;
      for (const auto& [id, waits] : waits_)
        if (!graph_.node(id)->controls.empty()) WEFT_TRY(alone.change(id, [](Node& node) { node.controls.clear(); }));
      WEFT_LET(const auto session, Session::create(alone));
      WEFT_LET(values, session->run(feeds, fetches));
    }
    for (size_t i = 0; i < values.size(); ++i) add(outputs[i], values[i]);
    int number = 0;
    for (const auto& [name, index] : wanted) {
      const auto at = folded_.find({graph_.find(name)->id, index});
      if (at == folded_.end()) continue;
      // The graph may have constants of an earlier fold.
      do {
        at->second.name = concat(name, "/_", number, "__cf__", number);
        ++number;
      } while (graph_.find(at->second.name));
    }
    return {};
  }

  void add(const Output& o, const Tensor& value) {
    if (int64_t(value.totalBytes()) <= mostBytes_) folded_[o].value = value;
  }

  std::string inputName(const Output& o) const {
    if (const auto at = folded_.find(o); at != folded_.end()) return at->second.name;
    // A fed tensor is named in full, as TensorFlow leaves it.
    if (fed_.count(o)) return graph_.tensorName(o);
    const std::string& name = graph_.node(o.node)->name;
    return o.index == 0 ? name : concat(name, ":", o.index);
  }

  Status writeNode(const Node& node, NodeDef* out) const {
    out->set_name(node.name);
    out->set_op(node.op);
    out->set_device(node.device);
    for (const Output& input : node.inputs) out->add_input(inputName(input));
    std::set<std::string> controls;
    for (const int control : node.controls) controls.insert("^" + graph_.node(control)->name);
    for (const std::string& control : controls) out->add_input(control);
    NodeDef original;
    if (node.raw) WEFT_TRY(parseWire(*node.raw, &original));
    *out->mutable_attr() = original.attr();
    for (const std::string& name : node.defaulted)
      if (const Attr* attr = node.attrs.find(name)) WEFT_TRY(attrToProto(*attr, &(*out->mutable_attr())[name]));
    return {};
  }

  Status write(GraphDef* out) const {
    GraphDef all;
    std::set<int> inputsThere;
    for (const int id : order_)
      if (reachable_.count(id)) WEFT_TRY(writeNode(*graph_.node(id), all.add_node()));
    for (const auto& [o, constant] : byName()) {
      NodeDef* node = all.add_node();
      node->set_name(constant->name);
      node->set_op("Const");
      (*node->mutable_attr())["dtype"].set_type(tensorflow::DataType(constant->value.dtype()));
      const TensorForm form = constant->value.elements() > 1 ? TensorForm::Content : TensorForm::Fields;
      WEFT_TRY(tensorToProto(constant->value, form, (*node->mutable_attr())["value"].mutable_tensor()));
      for (const std::string& wait : waits_.at(o.node)) node->add_input("^" + wait);
    }
    // TensorFlow takes these out of a hash table, whose order is the reverse one unless names share a bucket.
    for (const Output& o : std::vector<Output>(feeds_.rbegin(), feeds_.rend()))
      if (!reachable_.count(o.node) && inputsThere.insert(o.node).second) WEFT_TRY(writeNode(*graph_.node(o.node), all.add_node()));
    return keepUsed(&all, out);
  }

  /// The new constants in the order of their numbers.
  std::vector<std::pair<Output, const Folded*>> byName() const {
    std::map<std::pair<std::string, int>, std::pair<Output, const Folded*>> sorted;
    for (const auto& [o, folded] : folded_) sorted[{graph_.node(o.node)->name, o.index}] = {o, &folded};
    std::vector<std::pair<Output, const Folded*>> out;
    for (const auto& [key, value] : sorted) out.push_back(value);
    return out;
  }

  /// Drops what the outputs no longer need, and makes inputs placeholders.
  Status keepUsed(GraphDef* all, GraphDef* out) const {
    const NodeIndex nodes = indexNodes(*all);
    std::set<std::string> fedNames, inputs, used;
    for (const Output& o : fed_) {
      fedNames.insert(graph_.tensorName(o));
      inputs.insert(graph_.node(o.node)->name);
    }
    std::vector<std::string> next;
    for (const Output& o : fetched_) {
      next.push_back(graph_.node(o.node)->name);
      used.insert(next.back());
    }
    while (!next.empty()) {
      const auto node = nodes.find(next.back());
      next.pop_back();
      if (node == nodes.end()) continue;
      for (const std::string& input : node->second->input()) {
        if (input[0] != '^' && fedNames.count(canonicalInput(input))) continue;
        if (std::string name = nodeNameOf(input); used.insert(name).second) next.push_back(std::move(name));
      }
    }
    used.insert(inputs.begin(), inputs.end());
    for (NodeDef& node : *all->mutable_node()) {
      if (!used.count(node.name())) continue;
      if (inputs.count(node.name()) && node.op() == "PlaceholderWithDefault") {
        node.set_op("Placeholder");
        node.clear_input();
      } else if (inputs.count(node.name()) && node.op() != "Placeholder") {
        return invalidArgument("Input '", node.name(), "' was expected to be a Placeholder or PlaceholderWithDefault op, but was ", node.op());
      }
      out->add_node()->Swap(&node);
    }
    return {};
  }

  const Graph& graph_;
  const Context& context_;
  std::set<std::string> excludedOps_, excludedNodes_;
  int64_t mostBytes_ = 10 * 1024 * 1024;
  std::set<Output> fed_;
  std::vector<Output> feeds_, fetched_;  ///< in the order given
  std::vector<int> order_;               ///< node ids
  std::unordered_set<int> reachable_;
  std::map<int, std::set<std::string>> waits_;  ///< constant nodes, with the names of what they wait for
  std::map<int, std::vector<Tensor>> shapes_;   ///< values that known shapes give
  std::map<Output, Folded> folded_;             ///< the new constants
};

Status foldConstants(const GraphDef& in, const Context& context, GraphDef* out) {
  WEFT_LET(const bool clear, context.boolean("clear_output_shapes", true));
  GraphDef cleaned = in;
  if (clear)
    for (NodeDef& node : *cleaned.mutable_node()) node.mutable_attr()->erase("_output_shapes");
  LoadOptions options;
  options.allowUnknownOps = false;
  WEFT_LET(const LoadedGraph loaded, loadGraphBytes(std::make_shared<const std::string>(cleaned.SerializeAsString()), "", options));
  return Folder(loaded.meta.graph, context).fold(out);
}

}  // namespace

std::vector<Entry> foldingTransforms() {
  return {
      {{"fold_constants",
        "Computes what constants and known shapes determine.",
        {{"clear_output_shapes", "false: keep the attributes _output_shapes (default true)"},
         {"exclude_op", "do not fold nodes of this op", false, true},
         {"exclude_node", "do not fold this node", false, true},
         {"max_constant_size_in_bytes", "largest constant to make (default 10485760)"}}},
       foldConstants},
  };
}

}  // namespace weft::transforms
