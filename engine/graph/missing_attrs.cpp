// Infers attributes that a file lacks from the connections, for files whose writer omitted the types.
#include <algorithm>
#include <set>

#include "graph/builder_impl.h"
#include "graph/function_library.h"
#include "graph/missing_nodes.h"
#include "weft/defects.h"
#include "weft/edit.h"
#include "weft/op.h"

namespace weft {
namespace {

class Inference {
 public:
  Inference(GraphEditor& editor, std::set<int> among) : editor_(editor), graph_(editor.graph()), among_(std::move(among)) {}

  /// Returns the number of completed nodes.
  int run() {
    int mended = 0;
    for (bool again = true; again;) {
      again = false;
      readers_ = graph_.consumers();
      for (const int id : among_) {
        if (!tell(id)) continue;
        ++mended;
        again = true;
      }
    }
    return mended;
  }

 private:
  static bool lacks(const OpRecord& record, const AttrMap& attrs) {
    return std::any_of(record.attrs.begin(), record.attrs.end(), [&](const AttrSpec& s) { return !s.defaultValue && !attrs.find(s.name); });
  }

  bool tell(int id) {
    const Node* n = graph_.node(id);
    if (!n || n->record || n->op.empty()) return false;
    const OpRecord* record = recordOf(graph_, n->op);
    if (!record || !lacks(*record, n->attrs)) return false;
    AttrMap attrs = n->attrs;
    byValue(*n, attrs);
    byInputs(*n, *record, attrs);
    byReaders(*n, *record, attrs);
    if (isPlaceholder(*n) && !attrs.find("dtype")) return false;
    std::vector<std::string> defaulted;
    const auto signature = resolveSignature(*record, attrs, &defaulted);
    if (!signature.ok() || signature->inputTypes.size() != n->inputs.size()) return false;
    editor_.touch(id);
    return graph_
        .change(id,
                [&](Node& node) {
                  node.record = record;
                  node.attrs = std::move(attrs);
                  node.defaulted = std::move(defaulted);
                  node.inputTypes = signature->inputTypes;
                  node.outputTypes = signature->outputTypes;
                  node.outputShapes.assign(node.outputTypes.size(), Shape::unknown());
                })
        .ok();
  }

  /// A constant's type follows from its value.
  static void byValue(const Node& n, AttrMap& attrs) {
    const Attr* value = n.attrs.find("value");
    const Tensor* tensor = value ? value->get<Tensor>() : nullptr;
    if (isConstant(n) && tensor && !attrs.find("dtype")) attrs.set("dtype", tensor->dtype());
  }

  DType given(const Node& n, size_t input) const {
    const Output o = n.inputs[input];
    const Node* from = graph_.node(o.node);
    return from && size_t(o.index) < from->outputTypes.size() ? from->outputTypes[size_t(o.index)] : DType::Invalid;
  }

  /// As the Python client does; if some inputs are unknown, from the known ones.
  void byInputs(const Node& n, const OpRecord& record, AttrMap& attrs) const {
    std::vector<DType> types;
    for (size_t i = 0; i < n.inputs.size(); ++i) types.push_back(given(n, i));
    if (std::none_of(types.begin(), types.end(), [](DType t) { return t == DType::Invalid; })) {
      AttrMap all = attrs;
      if (inferAttrs(record, types, all).ok()) attrs = std::move(all);
      return;
    }
    if (std::any_of(record.inputs.begin(), record.inputs.end(), [](const ArgSpec& a) { return a.isTypeList || !a.numberAttr.empty(); })) return;
    for (size_t i = 0; i < record.inputs.size() && i < types.size(); ++i) {
      const std::string& attr = record.inputs[i].typeAttr;
      if (attr.empty() || types[i] == DType::Invalid) continue;
      const DType type = baseType(types[i]);
      const AttrSpec* spec = record.findAttr(attr);
      if (spec && !spec->allowedTypes.empty() && !std::count(spec->allowedTypes.begin(), spec->allowedTypes.end(), type)) continue;
      if (!attrs.find(attr)) attrs.set(attr, type);
      else if (attrs.type(attr) != type && !n.attrs.find(attr)) attrs.erase(attr);  // the inputs disagree
    }
  }

  /// An output has the type that all of its readers expect.
  void byReaders(const Node& n, const OpRecord& record, AttrMap& attrs) const {
    for (size_t k = 0; k < record.outputs.size(); ++k) {
      const ArgSpec& arg = record.outputs[k];
      if (arg.isTypeList || !arg.numberAttr.empty()) return;  // the indices of further outputs are unknown
      if (arg.typeAttr.empty() || attrs.find(arg.typeAttr)) continue;
      std::set<DType> wanted;
      for (const int reader : readers_[size_t(n.id)]) {
        const Node* r = graph_.node(reader);
        for (size_t i = 0; r && r->record && i < r->inputs.size() && i < r->inputTypes.size(); ++i)
          if (r->inputs[i] == Output{n.id, int(k)} && r->inputTypes[i] != DType::Invalid) wanted.insert(baseType(r->inputTypes[i]));
      }
      if (wanted.size() == 1) attrs.set(arg.typeAttr, *wanted.begin());
    }
  }

  GraphEditor& editor_;
  Graph& graph_;
  const std::set<int> among_;
  std::vector<std::vector<int>> readers_;
};

}  // namespace

Status inferMissingAttrs(GraphEditor& editor, const std::vector<int>& nodes) {
  const Graph& graph = editor.graph();
  std::set<int> among;
  std::vector<int> open = nodes;
  if (nodes.empty())
    for (int id = 0; id < graph.size(); ++id) among.insert(id);
  while (!open.empty()) {
    const int id = open.back();
    open.pop_back();
    const Node* n = graph.node(id);
    if (!n || n->record || !among.insert(id).second) continue;
    for (const Output o : n->inputs) open.push_back(o.node);
  }
  if (Inference(editor, std::move(among)).run() > 0) return {};
  const std::string what = nodes.size() == 1 && graph.node(nodes[0]) ? graph.node(nodes[0])->name : std::string("these nodes");
  Error e = invalidArgument("Nothing that is connected to ", what, " says what its missing attributes are");
  return nodes.size() == 1 ? e.atNode(what) : e;
}

}  // namespace weft
