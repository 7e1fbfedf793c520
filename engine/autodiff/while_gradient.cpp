#include <algorithm>

#include "autodiff/function_gradient.h"
#include "graph/function_library.h"
#include "graph/indexed_slices.h"
#include "graph/shape_context.h"
#include "ops/functions.h"
#include "ops/grad_ops.h"
#include "weft/op_traits.h"

// The gradient of While is a While that runs the same number of iterations backwards (TensorFlow's while_v2). The forward loop pushes the values that the
// gradient's body needs onto tensor lists, which are additional loop variables; the gradient's body pops one value per iteration.
namespace weft {
namespace {

class WhileGradient {
 public:
  explicit WhileGradient(GradContext& c) : b_(c.b()), node_(c.node()), count_(node_.inputs.size()) {
    for (const Output grad : c.grads()) grads_.push_back(isSlices(grad) ? densified(b_, grad) : grad);
  }

  Result<std::vector<Output>> build() {
    WEFT_TRY(open());
    WEFT_TRY(checkCounter());
    const int64_t original = std::clamp<int64_t>(node_.attrs.integer("_num_original_outputs", int64_t(count_)), 0, int64_t(count_));
    for (size_t i = 0; i < count_; ++i) {
      if (int64_t(i) >= original || !isTrainableType(body_.builder->dtype(body_.results[i])) || isListOfNumbers(body_.results[i])) grads_[i] = {};
    }
    WEFT_TRY(differentiate());
    WEFT_TRY(divide());
    WEFT_TRY(rewrite());
    return call();
  }

 private:
  Status open() {
    std::vector<Shape> shapes = node_.attrs.list<Shape>("output_shapes");
    if (shapes.size() != count_) {
      shapes.clear();
      for (size_t i = 0; i < count_; ++i) shapes.push_back(b_.shape({node_.id, int(i)}));
    }
    const struct {
      const char* attr;
      FunctionGradient& f;
    } parts[] = {{"cond", cond_}, {"body", body_}};
    for (const auto& part : parts) {
      const Attr* called = node_.attrs.find(part.attr);
      const FuncAttr* function = called ? called->get<FuncAttr>() : nullptr;
      if (!function) return invalidArgument("Attribute ", part.attr, " names no function");
      WEFT_TRY(part.f.open(b_, *function, node_.inputs, shapes));
    }
    if (body_.results.size() != count_) {
      return invalidArgument("While loop body returned ", body_.results.size(), " arguments. Expected: ", count_);
    }
    return {};
  }

  Output withoutIdentity(const FunctionGradient& f, Output o) const {
    while (roleOf(*f.meta.graph.node(o.node)) == OpRole::Identity) o = f.meta.graph.node(o.node)->inputs[0];
    return o;
  }

  /// Loops made by tf.while_loop count iterations in the first variable and pass the maximum on in the second.
  Status checkCounter() const {
    const Error unlike = unimplemented("Gradients of ", node_.op,
                                       " are derived for loops as tf.while_loop makes them: the first variable "
                                       "counts the rounds and the second is their greatest number; '",
                                       node_.name, "' is not such a loop.");
    if (count_ < 2) return unlike;
    const auto isScalarInt = [&](Output o) { return b_.dtype(o) == DType::Int32 && b_.shape(o).compatibleWith(Shape{}); };
    if (!isScalarInt(node_.inputs[0]) || !isScalarInt(node_.inputs[1])) return unlike;
    const Node& step = *body_.meta.graph.node(withoutIdentity(body_, body_.results[0]).node);
    if (roleOf(step) != OpRole::Sum || step.inputs.size() != 2) return unlike;
    const bool first = withoutIdentity(body_, step.inputs[0]) == body_.args[0];
    if (!first && withoutIdentity(body_, step.inputs[1]) != body_.args[0]) return unlike;
    const auto one = body_.builder->constantValue(step.inputs[first ? 1 : 0]);
    if (!one || one->elements() != 1 || one->asDouble(0) != 1) return unlike;
    return withoutIdentity(body_, body_.results[1]) == body_.args[1] ? Status{} : Status(unlike);
  }

  /// A list without trainable elements, as returned by a loop that pops from it.
  bool isListOfNumbers(Output o) const {
    const Node& n = *body_.meta.graph.node(o.node);
    return n.op == "TensorListPopBack" && o.index == 0 && !isTrainableType(n.attrs.type("element_dtype"));
  }

  Status differentiate() {
    GraphBuilder& inner = *body_.builder;
    counter_ = body_.addArg(b_, DType::Int32, Shape{}, "grad_counter");
    most_ = body_.addArg(b_, DType::Int32, Shape{}, "maximum_iterations");
    total_ = body_.addArg(b_, DType::Int32, Shape{}, "total_iterations");
    parameters_ = {counter_, most_, total_};
    WEFT_TRY(inner.status());
    std::vector<Output> ys, xs;
    GradientsOptions options;
    for (size_t i = 0; i < count_; ++i) {
      if (!grads_[i].valid()) continue;
      const Output arg =
          body_.addArg(b_, b_.dtype(grads_[i]), commonShape(b_.shape(grads_[i]), inner.shape(body_.args[i])), "grad_" + std::to_string(i), grads_[i]);
      parameters_.push_back(arg);
      options.gradYs.push_back(arg);
      ys.push_back(body_.results[i]);
      xs.push_back(body_.args[i]);
    }
    std::vector<Gradient> found;
    if (!ys.empty()) {
      WEFT_LET(found, body_.gradients(ys, xs, options));
    }
    outputs_ = {py::add(inner, counter_, 1), most_, total_};
    for (size_t k = 0; k < found.size(); ++k) {
      const Gradient& g = found[k];
      Output dense = g.dense;
      if (g.slices) dense = densified(inner, makeSlices(inner, g.slices->values, g.slices->indices, g.slices->denseShape));
      if (g.none()) {
        const auto handle = findHandleData(inner.graph(), xs[k]);
        dense = inner.dtype(xs[k]) == DType::Resource ? py::zeros(inner, inner.op("VariableShape", {xs[k]}), handle ? handle->dtype : DType::Float)
                                                      : py::zerosLike(inner, xs[k]);
      }
      outputs_.push_back(dense);
    }
    // Functions created while building the body's gradient.
    setFunctions(b_.graph(), body_.meta.graph.functions);
    return inner.status();
  }

  Status divide() {
    body_.divide();
    for (const Output arg : parameters_) body_.gradient.insert(arg.node);
    cond_.divide();
    return body_.reroute({}, outputs_, [&](Output o) { return capture(o); });
  }

  Result<Output> capture(Output o) {
    GraphBuilder& inner = *body_.builder;
    o = withoutIdentity(body_, o);
    if (const auto known = taken_.find(o); known != taken_.end()) return known->second;
    const DType type = inner.dtype(o);
    const Shape shape = inner.shape(o);
    const Node source = inner.nodeAt(o.node);
    const auto outside = inner.clearControlDependencies();
    // Loop invariants. (TensorFlow 1.15 also takes variables for invariant that are assigned from another variable, and gets wrong gradients there.)
    for (size_t i = 0; i < count_ && type != DType::Resource; ++i) {
      if (body_.args[i] != o || withoutIdentity(body_, body_.results[i]) != o) continue;
      return taken_[o] = body_.captured(b_, {node_.id, int(i)}, type, shape, source.name);
    }
    if (isConstant(source)) {
      const Output copy = inner.constant(*source.attrs.find("value")->get<Tensor>());
      WEFT_TRY(inner.status());
      body_.gradient.insert(copy.node);
      return taken_[o] = copy;
    }
    if (type == DType::Resource) {
      WEFT_LET(const size_t index, body_.resourceArg(o));
      if (withoutIdentity(body_, body_.results[index]) != body_.args[index]) {
        return unimplemented("Function ", body_.name, ": resource ", inner.nodeAt(body_.args[index].node).name,
                             " changes from round to round; the gradient of '", node_.name, "' needs it to stay.");
      }
      return taken_[o] = body_.captured(b_, node_.inputs[index], type, shape, source.name);
    }
    WEFT_LET(const Output list, accumulator(o, type, shape, source.name));
    const Output arg = body_.captured(b_, list, DType::Variant, Shape{}, "accumulator");
    const Output elementShape = shapeTensor(inner, shape, "Const");
    const int pop = inner.node("TensorListPopBack", {arg, elementShape}, {{"element_dtype", type}});
    WEFT_TRY(inner.status());
    body_.gradient.insert({elementShape.node, pop});
    for (auto& c : body_.captures) {
      if (c.arg == arg) c.next = {pop, 0};
    }
    return taken_[o] = Output{pop, 1};
  }

  /// A shape for list ops; -1 if unknown.
  static Output shapeTensor(GraphBuilder& b, const Shape& shape, const std::string& name) {
    if (!shape.hasRank()) return b.scalar<int32_t>(-1, name);
    const auto dims = shape.toVector();
    return b.ints({dims.begin(), dims.end()}, name);
  }

  /// The node's output that lists all values of `o`; added if missing.
  Result<Output> accumulator(Output o, DType type, const Shape& shape, const std::string& name) {
    GraphBuilder& inner = *body_.builder;
    for (size_t i = 0; i < body_.results.size(); ++i) {
      const Node& push = inner.nodeAt(withoutIdentity(body_, body_.results[i]).node);
      if (push.op == "TensorListPushBack" && push.inputs[0] == body_.args[i] && push.inputs[1] == o) return Output{node_.id, int(i)};
    }
    {
      // The loop takes the list, and a control input could come from an op after the loop.
      const auto free = b_.clearControlDependencies();
      const std::string base = name + "_" + std::to_string(o.index) + "/accumulator";
      const auto scope = b_.nameScope(base);
      const std::string full = b_.currentScope();
      const Output elementShape = shapeTensor(b_, shape, "element_shape");
      lists_.push_back(b_.op("EmptyTensorList", {elementShape, node_.inputs[1]}, {{"element_dtype", type}}, full));
    }
    const Output arg = body_.addArg(b_, DType::Variant, Shape{}, "accumulator");
    const Output pushed = inner.op("TensorListPushBack", {arg, o}, {{"element_dtype", type}});
    const Output unused = cond_.addArg(b_, DType::Variant, Shape{}, "accumulator");
    WEFT_TRY(b_.status());
    WEFT_TRY(inner.status());
    WEFT_TRY(cond_.builder->status());
    body_.body.insert({arg.node, pushed.node});
    cond_.body.insert(unused.node);
    body_.args.push_back(arg);
    body_.results.push_back(pushed);
    cond_.args.push_back(unused);
    return Output{node_.id, int(body_.results.size()) - 1};
  }

  /// Makes the node output the values that its gradient needs.
  Status rewrite() {
    Attr cond, body;
    if (!lists_.empty()) {
      WEFT_LET(const std::string condName, cond_.publish(b_, cond_.name + "_rewritten", false, cond_.args, cond_.results));
      WEFT_LET(const std::string bodyName, body_.publish(b_, body_.name + "_rewritten", false, body_.args, body_.results));
      cond = functionCalled(condName);
      body = functionCalled(bodyName);
    }
    return b_.graph().change(node_.id, [&](Node& n) {
      n.attrs.set("_num_original_outputs", int64_t(body_.results.size()));
      if (lists_.empty()) return;
      n.attrs.set("cond", cond);
      n.attrs.set("body", body);
      for (const Output list : lists_) {
        n.inputs.push_back(list);
        n.inputTypes.push_back(DType::Variant);
      }
      addVariantOutputs(n, lists_.size(), "T");
    });
  }

  Result<std::vector<Output>> call() {
    std::vector<Output> values = {b_.scalar<int32_t>(0, "grad_counter"), node_.inputs[1], {node_.id, 0}};
    for (const Output grad : grads_) {
      if (grad.valid()) values.push_back(grad);
    }
    for (const auto& c : body_.captures) {
      values.push_back(c.outer);
      parameters_.push_back(c.arg);
      outputs_.push_back(c.next);
    }
    std::vector<Shape> shapes;
    for (const Output o : outputs_) shapes.push_back(body_.builder->shape(o));
    // The same number of iterations as the forward loop.
    FunctionGradient test;
    test.builder = std::make_unique<GraphBuilder>(test.meta);
    std::vector<Output> testArgs;
    for (size_t i = 0; i < parameters_.size(); ++i) {
      testArgs.push_back(test.addArg(b_, body_.builder->dtype(parameters_[i]), shapes[i], "arg"));
    }
    const Output again = test.builder->op("Less", {testArgs[0], testArgs[2]});
    WEFT_TRY(test.builder->status());
    test.divide();
    WEFT_LET(const std::string condName, test.publish(b_, freeGradientName(b_.graph(), cond_.name), true, testArgs, {again}));
    WEFT_LET(const std::string bodyName, body_.publish(b_, freeGradientName(b_.graph(), body_.name), true, parameters_, outputs_));
    const int id = b_.node("While", values,
                           {{"cond", functionCalled(condName)},
                            {"body", functionCalled(bodyName)},
                            {"output_shapes", shapes},
                            {"parallel_iterations", node_.attrs.integer("parallel_iterations", 10)},
                            {"_lower_using_switch_merge", true}},
                           node_.name + "_grad");
    WEFT_TRY(b_.status());
    std::vector<Output> outputs, result;
    for (const Output o : b_.outputsOf(id)) outputs.push_back(b_.identity(o));
    size_t next = 3;
    for (const Output grad : grads_) result.push_back(grad.valid() ? outputs[next++] : Output{});
    return result;
  }

  GraphBuilder& b_;
  const Node node_;
  const size_t count_;
  std::vector<Output> grads_;
  FunctionGradient cond_, body_;
  Output counter_, most_, total_;
  std::vector<Output> parameters_, outputs_;  // of the gradient's body
  std::vector<Output> lists_;                 // empty lists with which the loop starts
  std::map<Output, Output> taken_;            // value of the body -> its counterpart in the gradient
};

}  // namespace

Result<std::vector<Output>> gradientOfWhile(GradContext& c) { return WhileGradient(c).build(); }

}  // namespace weft
