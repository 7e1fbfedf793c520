#include <algorithm>
#include <deque>

#include "autodiff/function_gradient.h"
#include "graph/function_library.h"
#include "graph/indexed_slices.h"
#include "graph/shape_context.h"
#include "ops/functions.h"
#include "ops/grad_ops.h"

// The gradient of If or Case is an If or Case over the gradients of its branches (TensorFlow's cond_v2). The forward values that these need become extra branch
// results, wrapped into optionals. All branches share these outputs: each holds the value from the branch taken, or nothing.
namespace weft {
namespace {

class ConditionalGradient {
 public:
  explicit ConditionalGradient(GradContext& c) : b_(c.b()), node_(c.node()), inputs_(node_.inputs.begin() + 1, node_.inputs.end()) {
    for (const Output grad : c.grads()) grads_.push_back(isSlices(grad) ? densified(b_, grad) : grad);
  }

  Result<std::vector<Output>> build() {
    std::vector<FuncAttr> called = node_.attrs.list<FuncAttr>("branches");
    for (const char* attr : {kThen, kElse}) {
      if (isCase()) break;
      const Attr* branch = node_.attrs.find(attr);
      const FuncAttr* function = branch ? branch->get<FuncAttr>() : nullptr;
      if (!function) return invalidArgument("Attribute ", attr, " names no function");
      called.push_back(*function);
    }
    if (called.empty()) return invalidArgument("Attribute branches names no function");
    for (const FuncAttr& function : called) WEFT_TRY(differentiate(branches_.emplace_back(), function));
    matchSlices();
    for (Branch& branch : branches_) WEFT_TRY(divide(branch));
    WEFT_TRY(rewrite());
    return call();
  }

 private:
  struct Branch {
    FunctionGradient f;
    std::string gradientName;
    std::map<Output, Output> gradArgs;  // argument that stands for an output's gradient -> that gradient in the calling graph
    std::vector<Gradient> found;        // one for each argument
    std::vector<Output> outputs;        // the same, with slices as three tensors
    std::vector<Output> optionals;      // values of the branch that it outputs for its gradient
    std::map<Output, Output> unwrapped;
  };
  static constexpr const char *kThen = "then_branch", *kElse = "else_branch";

  bool isCase() const { return node_.op == "Case"; }

  void setBranches(AttrMap& attrs, const std::vector<FuncAttr>& called) const {
    if (isCase()) {
      attrs.set("branches", called);
      return;
    }
    attrs.set(kThen, called[0]);
    attrs.set(kElse, called[1]);
  }

  Status differentiate(Branch& branch, const FuncAttr& function) {
    std::vector<Shape> shapes;
    for (const Output in : inputs_) shapes.push_back(b_.shape(in));
    FunctionGradient& f = branch.f;
    WEFT_TRY(f.open(b_, function, inputs_, shapes));
    GraphBuilder& inner = *f.builder;
    std::vector<Output> ys;
    GradientsOptions options;
    for (size_t k = 0; k < f.results.size() && k < grads_.size(); ++k) {
      if (!isTrainableType(inner.dtype(f.results[k])) || !grads_[k].valid()) continue;
      const Output arg = f.addArg(b_, b_.dtype(grads_[k]), b_.shape(grads_[k]), "grad_" + std::to_string(k), grads_[k]);
      branch.gradArgs[arg] = grads_[k];
      ys.push_back(f.results[k]);
      options.gradYs.push_back(arg);
    }
    branch.found.resize(f.args.size());
    if (!ys.empty()) {
      WEFT_LET(branch.found, f.gradients(ys, f.args, options));
    }
    for (size_t i = 0; i < f.args.size(); ++i) {
      Gradient& g = branch.found[i];
      if (g.slices && !g.slices->denseShape.valid()) {
        g.dense = densified(inner, makeSlices(inner, g.slices->values, g.slices->indices, {}));
        g.slices.reset();
      }
      if (!g.none()) continue;
      if (inner.dtype(f.args[i]) == DType::Resource) {
        const auto handle = findHandleData(inner.graph(), f.args[i]);
        g.dense = py::zeros(inner, inner.op("VariableShape", {f.args[i]}), handle ? handle->dtype : DType::Float);
      } else {
        g.dense = py::zerosLike(inner, f.args[i]);
      }
    }
    // Functions created while building the branch's gradient.
    setFunctions(b_.graph(), f.meta.graph.functions);
    std::vector<std::string> taken;
    for (const Branch& other : branches_) taken.push_back(other.gradientName);
    branch.gradientName = freeGradientName(b_.graph(), f.name, taken);
    return inner.status();
  }

  /// If some branches have slices, converts the other branches' gradients to slices of all rows, and the indices to one dtype.
  void matchSlices() {
    for (size_t i = 0; i < inputs_.size(); ++i) {
      const auto hasSlices = [&](const Branch& branch) { return branch.found[i].slices.has_value(); };
      if (std::none_of(branches_.begin(), branches_.end(), hasSlices)) continue;
      for (Branch& branch : branches_) {
        Gradient& g = branch.found[i];
        GraphBuilder& inner = *branch.f.builder;
        if (g.slices) continue;
        const Output shape = py::shape(inner, g.dense, DType::Int32, false);
        g.slices = IndexedSlices{g.dense, py::range(inner, 0, py::at(inner, shape, 0)), shape};
        g.dense = {};
      }
      for (const auto part : {&IndexedSlices::indices, &IndexedSlices::denseShape}) {
        const auto typeOf = [&](const Branch& branch) { return branch.f.builder->dtype((*branch.found[i].slices).*part); };
        const DType first = typeOf(branches_[0]);
        if (std::all_of(branches_.begin(), branches_.end(), [&](const Branch& branch) { return typeOf(branch) == first; })) continue;
        for (Branch& branch : branches_) {
          Output& o = (*branch.found[i].slices).*part;
          o = py::cast(*branch.f.builder, o, DType::Int64);
        }
      }
    }
  }

  static FuncAttr function(const std::string& name) { return {name, std::make_shared<AttrMap>()}; }

  Status divide(Branch& branch) {
    FunctionGradient& f = branch.f;
    f.divide();
    for (const Gradient& g : branch.found) {
      if (g.slices) branch.outputs.insert(branch.outputs.end(), {g.slices->values, g.slices->indices, g.slices->denseShape});
      else branch.outputs.push_back(g.dense);
    }
    std::set<Output> strangers;
    for (const auto& [arg, grad] : branch.gradArgs) strangers.insert(arg);
    return f.reroute(strangers, branch.outputs, [&](Output o) { return capture(branch, o); });
  }

  Result<Output> capture(Branch& branch, Output o) {
    FunctionGradient& f = branch.f;
    GraphBuilder& inner = *f.builder;
    const auto take = [&](Output outer, DType type) { return f.captured(b_, outer, type, inner.shape(o), inner.nodeAt(o.node).name); };
    if (const auto grad = branch.gradArgs.find(o); grad != branch.gradArgs.end()) {
      for (const auto& c : f.captures) {
        if (c.outer == grad->second) return c.arg;
      }
      f.captures.push_back({grad->second, o, o});
      return o;
    }
    const DType type = inner.dtype(o);
    if (const auto at = std::find(f.args.begin(), f.args.end(), o); at != f.args.end()) return take(inputs_[size_t(at - f.args.begin())], type);
    if (const auto at = std::find(f.results.begin(), f.results.end(), o); at != f.results.end()) return take({node_.id, int(at - f.results.begin())}, type);
    if (type == DType::Resource) {
      WEFT_LET(const size_t index, f.resourceArg(o));
      return take(inputs_[index], type);
    }
    if (const auto known = branch.unwrapped.find(o); known != branch.unwrapped.end()) return known->second;
    const auto outside = inner.clearControlDependencies();
    Output outer;
    for (size_t k = 0; k < f.results.size(); ++k) {
      const Node& n = inner.nodeAt(f.results[k].node);
      if (n.op == "OptionalFromValue" && n.inputs.size() == 1 && n.inputs[0] == o) outer = {node_.id, int(k)};
    }
    if (!outer.valid()) {
      outer = {node_.id, int(node_.outputTypes.size() + branch.optionals.size())};
      const Output optional = inner.op("OptionalFromValue", {o});
      f.body.insert(optional.node);
      branch.optionals.push_back(optional);
    }
    const Output optional = f.captured(b_, outer, DType::Variant, Shape{}, "optional");
    const Output value =
        inner.op("OptionalGetValue", {optional}, {{"output_types", std::vector<DType>{type}}, {"output_shapes", std::vector<Shape>{inner.shape(o)}}});
    WEFT_TRY(inner.status());
    f.gradient.insert(value.node);
    branch.unwrapped[o] = value;
    return value;
  }

  /// Makes the node output the values that its gradient needs.
  Status rewrite() {
    size_t more = 0;
    for (const Branch& branch : branches_) more = std::max(more, branch.optionals.size());
    if (more == 0) return {};
    std::vector<FuncAttr> called;
    for (Branch& branch : branches_) {
      FunctionGradient& f = branch.f;
      while (branch.optionals.size() < more) {
        const Output none = f.builder->op("OptionalNone", {});
        WEFT_TRY(f.builder->status());
        f.body.insert(none.node);
        branch.optionals.push_back(none);
      }
      std::vector<Output> results = f.results;
      results.insert(results.end(), branch.optionals.begin(), branch.optionals.end());
      WEFT_LET(const std::string name, f.publish(b_, f.name + "_rewritten", false, f.args, results));
      called.push_back(function(name));
    }
    return b_.graph().change(node_.id, [&](Node& n) {
      setBranches(n.attrs, called);
      addVariantOutputs(n, more, "Tout");
    });
  }

  Result<std::vector<Output>> call() {
    // Both functions take all values that either of them needs.
    std::vector<Output> values;
    for (const Branch& branch : branches_) {
      for (const auto& c : branch.f.captures) {
        if (std::find(values.begin(), values.end(), c.outer) == values.end()) values.push_back(c.outer);
      }
    }
    bool isStateful = false;
    std::vector<FuncAttr> called;
    std::vector<DType> types;
    std::vector<Shape> shapes;
    for (Branch& branch : branches_) {
      FunctionGradient& f = branch.f;
      std::vector<Output> args;
      for (const Output value : values) args.push_back(f.captured(b_, value, b_.dtype(value), b_.shape(value), "unused"));
      for (const int id : f.gradient) isStateful |= f.meta.graph.node(id)->record && f.meta.graph.node(id)->record->isStateful;
      const bool first = called.empty();
      for (size_t k = 0; k < branch.outputs.size(); ++k) {
        const Shape shape = f.builder->shape(branch.outputs[k]);
        if (first) {
          types.push_back(f.builder->dtype(branch.outputs[k]));
          shapes.push_back(shape);
        } else {
          shapes[k] = commonShape(shapes[k], shape);
        }
      }
      WEFT_LET(const std::string name, f.publish(b_, branch.gradientName, true, args, branch.outputs));
      called.push_back(function(name));
    }
    Inputs inputs;
    inputs.add(node_.inputs[0]);
    inputs.add(values);
    AttrMap attrs{{"Tout", types}, {"output_shapes", shapes}, {"_lower_using_switch_merge", true}};
    setBranches(attrs, called);
    const int id = isCase() ? b_.node("Case", inputs, attrs, "gradient") : b_.node(isStateful ? "If" : "StatelessIf", inputs, attrs);
    WEFT_TRY(b_.status());
    std::vector<Output> outputs;
    for (const Output o : b_.outputsOf(id)) outputs.push_back(b_.identity(o));
    std::vector<Output> result{Output{}};
    size_t next = 0;
    for (const Gradient& g : branches_[0].found) {
      if (g.slices) {
        result.push_back(makeSlices(b_, outputs[next], outputs[next + 1], outputs[next + 2]));
        next += 3;
      } else {
        result.push_back(outputs[next++]);
      }
    }
    return result;
  }

  GraphBuilder& b_;
  const Node node_;
  std::vector<Output> inputs_, grads_;
  std::deque<Branch> branches_;  // a deque, because the builders point into the branches
};

}  // namespace

Result<std::vector<Output>> gradientOfConditional(GradContext& c) { return ConditionalGradient(c).build(); }

}  // namespace weft
