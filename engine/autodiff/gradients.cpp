#include <algorithm>
#include <deque>

#include "autodiff/grad_loop_state.h"
#include "graph/indexed_slices.h"
#include "ops/grad_ops.h"
#include "weft/aggregation.h"
#include "weft/program_ops.h"

namespace weft {
namespace {

bool isBackpropagatable(DType t) { return isTrainable(t) || t == DType::BFloat16; }

// The gradients collected for one output: first a list, then their sum.
struct Arrived {
  std::vector<Output> list;
  Output sum;
  bool summed = false;
};

// Its op's record, or the one under whose name the program registered a gradient function for this node or for the function that it calls.
const OpRecord* gradientRecordOf(const Node& n) {
  const std::string other = n.attrs.text("_gradient_op_type");
  const OpRecord* own = programGradient(other.empty() ? n.op : other);
  return own ? own : other.empty() ? n.record : OpRegistry::instance().find(other);
}

}  // namespace

/// Walks from the ys back to the xs, as tf.gradients does. A node is processed when all its consumers on the way have been.
class GradientBuilder {
 public:
  GradientBuilder(GraphBuilder& b, const std::vector<Output>& ys, const std::vector<Output>& xs, const GradientsOptions& options, Aggregation aggregation)
      : b_(b), ys_(ys), xs_(xs), options_(options), aggregation_(aggregation) {}

  Result<std::vector<Gradient>> run();

 private:
  Status defaultGradYs();
  void markPaths();
  void findStopOps();
  Status visit(int node);
  Status applyGradient(int node, std::vector<Output>& outGrads);
  std::vector<Output> aggregated(int node);
  Output sumOf(int node, const std::vector<Output>& grads);
  Output runningSum(int node, const std::vector<Output>& grads);
  Output concatenated(std::vector<IndexedSlices> slices);
  void release(int node);
  void setGrad(Output t, Output grad);
  bool hasRealGrad(int node) const;
  std::vector<Output> gated(const std::vector<Output>& grads);
  GraphBuilder::Guard colocated(int node) { return options_.colocateWithOps ? b_.colocateWith(node) : GraphBuilder::Guard(); }
  Output zerosFor(int node, int i) { return loops_ ? loops_->zerosLike(b_, node, i) : zerosOutsideLoop(b_, node, i); }

  GraphBuilder& b_;
  const std::vector<Output>& ys_;
  const std::vector<Output>& xs_;
  const GradientsOptions& options_;
  const Aggregation aggregation_;
  std::vector<Output> gradYs_;
  std::map<int, std::vector<Arrived>> grads_;
  std::map<int, int> pending_;
  std::set<int> reachable_, stops_;
  std::deque<int> queue_;
  std::shared_ptr<ControlFlowGradState> loops_;
};

Status GradientBuilder::defaultGradYs() {
  if (!options_.gradYs.empty() && options_.gradYs.size() != ys_.size()) {
    return invalidArgument("Passed ", options_.gradYs.size(), " grad_ys for ", ys_.size(), " ys");
  }
  for (size_t i = 0; i < ys_.size(); ++i) {
    const auto where = colocated(ys_[i].node);
    const DType type = b_.dtype(ys_[i]);
    const Output given = options_.gradYs.empty() ? Output{} : options_.gradYs[i];
    const std::string name = "grad_ys_" + std::to_string(i);
    if (given.valid() || isSlices(given)) {
      if (const auto s = slicesOf(b_, given)) {
        const Output indices = b_.identity(s->indices, name + "_indices"), values = b_.identity(s->values, name + "_values");
        gradYs_.push_back(makeSlices(b_, values, indices, s->denseShape.valid() ? b_.identity(s->denseShape, name + "_shape") : Output{}));
      } else {
        gradYs_.push_back(b_.identity(given, name));
      }
      continue;
    }
    if (isComplex(type)) return invalidArgument("Gradients of complex tensors must set grad_ys (y.dtype = tf.", dtypeName(type), ")");
    const Output dims = py::shape(b_, ys_[i]);
    const Output one = b_.number(type, 1, name);
    gradYs_.push_back(b_.op("Fill", {dims, one}));
    if (!b_.ok()) return b_.status();
  }
  return {};
}

void GradientBuilder::markPaths() {
  const auto uses = b_.graph().consumers();
  std::set<int> reached;
  std::deque<int> queue;
  for (Output x : xs_) queue.push_back(x.node);
  while (!queue.empty()) {
    const int id = queue.front();
    queue.pop_front();
    if (!reached.insert(id).second) continue;
    const Node& n = b_.nodeAt(id);
    for (int consumer : uses[size_t(id)]) {
      for (Output o : b_.nodeAt(consumer).inputs) {
        if (o.node == id && isBackpropagatable(baseType(n.outputTypes[size_t(o.index)]))) {
          queue.push_back(consumer);
          break;
        }
      }
    }
  }
  for (Output y : ys_) {
    if (reached.contains(y.node)) reachable_.insert(y.node);
  }
  std::set<int> between;
  std::vector<int> list;
  for (Output y : ys_) queue.push_back(y.node);
  while (!queue.empty()) {
    const int id = queue.front();
    queue.pop_front();
    if (!reached.erase(id)) continue;
    between.insert(id);
    list.push_back(id);
    for (Output o : b_.nodeAt(id).inputs) queue.push_back(o.node);
  }
  // Loops are opened in the order in which their exits are reached; the list may grow during the walk.
  for (size_t i = 0; i < list.size() && b_.ok(); ++i) {
    if (!flow::isLoopExit(b_.nodeAt(list[i]))) continue;
    if (!loops_) loops_ = std::make_shared<ControlFlowGradState>();
    const auto where = colocated(list[i]);
    loops_->addLoop(b_, list[i], list, between);
  }
  for (int id : list) {
    for (Output o : b_.nodeAt(id).inputs) {
      if (between.contains(o.node)) ++pending_[o.node];
    }
  }
}

// Nodes at which the walk stops: xs not fed by other xs, and the caller's stop gradients.
void GradientBuilder::findStopOps() {
  for (Output x : xs_) {
    const auto& inputs = b_.nodeAt(x.node).inputs;
    if (std::none_of(inputs.begin(), inputs.end(), [&](Output o) { return pending_[o.node] > 0; })) stops_.insert(x.node);
  }
  for (Output s : options_.stopGradients) stops_.insert(s.node);
}

void GradientBuilder::setGrad(Output t, Output grad) {
  auto& slots = grads_[t.node];
  slots.resize(b_.nodeAt(t.node).outputTypes.size());
  Arrived& a = slots[size_t(t.index)];
  if (a.summed) a.sum = grad;
  else a.list.push_back(grad);
}

bool GradientBuilder::hasRealGrad(int node) const {
  const auto it = grads_.find(node);
  if (it == grads_.end()) return false;
  return std::any_of(it->second.begin(), it->second.end(), [](const Arrived& a) { return a.summed ? !isNone(a.sum) : !a.list.empty(); });
}

Output GradientBuilder::concatenated(std::vector<IndexedSlices> slices) {
  size_t narrow = 0;
  for (const auto& s : slices) narrow += b_.dtype(s.indices) == DType::Int32;
  if (narrow && narrow != slices.size()) {
    for (auto& s : slices) {
      if (b_.dtype(s.indices) == DType::Int32) s.indices = b_.op("Cast", {s.indices}, {{"DstT", DType::Int64}}, "Cast");
    }
  }
  std::vector<py::Operand> values, indices;
  for (const auto& s : slices) {
    values.emplace_back(s.values);
    indices.emplace_back(s.indices);
  }
  const Output all = py::concat(b_, values, 0);
  const Output which = py::concat(b_, indices, 0);
  return makeSlices(b_, all, which, slices[0].denseShape);
}

// Sums the gradients of an output of `node` as EXPERIMENTAL_TREE and EXPERIMENTAL_ACCUMULATE_N do.
Output GradientBuilder::runningSum(int node, const std::vector<Output>& grads) {
  if (aggregation_ == Aggregation::Accumulate && grads.size() > 2) {
    Shape all = Shape::unknown();
    for (Output g : grads) {
      const auto merged = all.mergedWith(b_.shape(g));
      if (merged.ok()) all = *merged;
    }
    if (all.isFullyKnown()) return b_.op("AccumulateNV2", Inputs(grads), {{"shape", all}});
  }
  const auto scope = b_.nameScope(b_.nodeAt(node).name + "_gradient_sum");
  Output sum = grads[0];
  for (size_t i = 1; i < grads.size(); ++i) sum = b_.op("AddN", {sum, grads[i]});
  return sum;
}

Output GradientBuilder::sumOf(int node, const std::vector<Output>& grads) {
  if (grads.size() == 1) return grads[0];
  if (std::all_of(grads.begin(), grads.end(), isSlices)) {
    std::vector<IndexedSlices> slices;
    for (Output g : grads) slices.push_back(*slicesOf(b_, g));
    return concatenated(std::move(slices));
  }
  if (std::any_of(grads.begin(), grads.end(), isSlices)) return b_.op("AddN", Inputs(grads));
  if (aggregation_ != Aggregation::AddN) return runningSum(node, grads);
  // First sum on each device.
  std::map<std::string, std::vector<Output>> byDevice;
  for (Output g : grads) byDevice[b_.nodeAt(g.node).device].push_back(g);
  std::vector<Output> sums;
  for (const auto& [device, list] : byDevice) {
    const auto where = b_.colocateWith(list[0].node, true);
    sums.push_back(list.size() == 1 ? list[0] : b_.op("AddN", Inputs(list)));
  }
  return sums.size() == 1 ? sums[0] : b_.op("AddN", Inputs(sums));
}

std::vector<Output> GradientBuilder::aggregated(int node) {
  std::vector<Output> out(b_.nodeAt(node).outputTypes.size());
  const auto it = grads_.find(node);
  if (it == grads_.end()) return out;
  for (size_t i = 0; i < it->second.size(); ++i) {
    Arrived& a = it->second[i];
    if (!a.summed) {
      a.sum = a.list.empty() ? Output{} : sumOf(node, a.list);
      a.summed = true;
    }
    out[i] = a.sum;
  }
  return out;
}

// As tf.tuple: each result waits for all of them.
std::vector<Output> GradientBuilder::gated(const std::vector<Output>& grads) {
  const auto anywhere = b_.device(std::string_view());
  const auto alone = b_.colocateWith(-1, true);
  const auto scope = b_.nameScope("tuple");
  std::set<int> nodes;
  const auto nodeOf = [&](Output g) { return isSlices(g) ? slicesOf(b_, g)->values.node : g.node; };
  for (Output g : grads) {
    if (!isNone(g)) nodes.insert(nodeOf(g));
  }
  const int gate = b_.group({nodes.begin(), nodes.end()});
  std::vector<Output> out;
  for (Output g : grads) {
    if (isNone(g)) {
      out.push_back({});
      continue;
    }
    const py::Scope own(b_, "control_dependency");
    const auto where = b_.colocateWith(nodeOf(g));
    const auto wait = b_.controlDependencies({gate});
    if (const auto s = slicesOf(b_, g)) {
      out.push_back(makeSlices(b_, b_.identity(s->values, own.name()), s->indices, s->denseShape));
    } else {
      out.push_back(b_.identity(g, own.name()));
    }
  }
  return out;
}

Status GradientBuilder::applyGradient(int node, std::vector<Output>& outGrads) {
  // The node may be replaced while its gradient is built (its loop gets a counter), so keep a copy for the gradient function.
  const Node n = b_.nodeAt(node);
  std::vector<Output> inGrads;
  Result<std::vector<Output>> result{std::vector<Output>{}};
  if (!controlFlowGradient(b_, node, outGrads, &result)) {
    const OpRecord* record = gradientRecordOf(n);
    GradContext context(b_, n, outGrads);
    // A node read from a file may have attributes that its own shape function refuses. Exceptions of gradient functions must then become errors.
    try {
      result = record->gradientFunction(context);
    } catch (const std::bad_alloc&) {
      return resourceExhausted("Not enough memory for the gradient of ", n.op).atNode(n.name);
    } catch (const std::exception& e) {
      return internalError("The gradient of ", n.op, " failed: ", e.what()).atNode(n.name);
    }
  }
  if (!b_.ok()) return b_.status();
  if (!result.ok()) return result.error().atNode(n.name);
  inGrads = std::move(result).value();
  if (inGrads.size() != n.inputs.size()) {
    return internalError("Num gradients ", inGrads.size(), " generated for op ", n.name, " (op: '", n.op, "') do not match num inputs ", n.inputs.size())
        .atNode(n.name);
  }
  if (options_.gateGradients && std::count_if(inGrads.begin(), inGrads.end(), [](Output g) { return !isNone(g); }) > 1) inGrads = gated(inGrads);
  outGrads = std::move(inGrads);
  return b_.status();
}

Status GradientBuilder::visit(int node) {
  const auto where = colocated(node);
  if (loops_) loops_->enterGradContext(b_, node, true);
  std::vector<Output> grads = aggregated(node);
  if (loops_) loops_->exitGradContext(b_, node, true);

  const Node& n = b_.nodeAt(node);
  const std::vector<Output> inputs = n.inputs;
  const bool any = std::any_of(grads.begin(), grads.end(), [](Output g) { return !isNone(g); });
  bool differentiable = false;
  if (any && !stops_.contains(node) && !inputs.empty()) {
    const OpRecord* record = gradientRecordOf(n);
    if (!record || (!record->gradientFunction && (record->gradientIsError || record->noGradientReason.empty()))) {
      return notFound("No gradient defined for operation '", n.name, "' (op type: ", n.op, ")").atNode(n.name);
    }
    differentiable = bool(record->gradientFunction);
  }
  if (loops_) loops_->enterGradContext(b_, node, false);
  if (flow::isSwitch(n)) {
    FlowContext* context = flow::contextOf(b_, node);
    if (context && context->isWhile() && context == b_.controlFlowContext().get()) {
      return invalidArgument("Cannot compute gradient inside while loop with respect to op '", b_.nodeAt(xs_[0].node).name,
                             "'. We do not support taking the gradient wrt or through the initial value of a loop variable. Gradients can be "
                             "computed through loop invariants or wrt the input parameters to the loop body.");
    }
  }
  std::vector<Output> inGrads(inputs.size());
  if (differentiable) {
    for (size_t i = 0; i < grads.size(); ++i) {
      if (!isNone(grads[i]) || !isTrainable(b_.dtype({node, int(i)}))) continue;
      grads[i] = zerosFor(node, int(i));
      if (const auto it = grads_.find(node); it != grads_.end()) it->second[i].sum = grads[i];
    }
    const auto scope = b_.nameScope(b_.nodeAt(node).name + "_grad");
    WEFT_TRY(applyGradient(node, grads));
    inGrads = std::move(grads);
  }
  for (size_t i = 0; i < inGrads.size(); ++i) {
    if (isNone(inGrads[i])) continue;
    const Output in = inputs[i];
    if (!isSlices(inGrads[i]) && b_.dtype(in) != DType::Resource) {
      const Shape before = b_.shape(inGrads[i]);
      if (!before.compatibleWith(b_.shape(in))) {
        return internalError("Incompatible shapes between op input and calculated input gradient.  Forward operation: ", b_.nodeAt(node).name,
                             ".  Input index: ", i, ". Original input shape: ", b_.shape(in).toPythonString(),
                             ".  Calculated input gradient shape: ", before.toPythonString())
            .atNode(b_.nodeAt(node).name);
      }
      b_.setShape(inGrads[i], b_.shape(in));
    }
    setGrad(in, inGrads[i]);
  }
  if (loops_) loops_->exitGradContext(b_, node, false);
  release(node);
  return b_.status();
}

// Marks one consumer as done for the producers of a node's inputs. Producers without pending consumers come next.
void GradientBuilder::release(int node) {
  const std::vector<Output> inputs = b_.nodeAt(node).inputs;
  for (Output x : inputs) {
    const int left = --pending_[x.node];
    bool ready = left == 0;
    if (loops_ && !ready) ready = left > 0 && flow::isLoopSwitch(b_, x.node);
    if (!ready) continue;
    if (!flow::isLoopExit(b_.nodeAt(x.node))) {
      queue_.push_back(x.node);
      continue;
    }
    // All exits of a loop are processed together.
    GradLoopState* state = loops_ ? loops_->stateOf(b_, x.node, false) : nullptr;
    if (!state) {
      queue_.push_back(x.node);
      continue;
    }
    state->deferredExits.push_back(x);
    if (--state->pendingExits != 0) continue;
    bool real = false;
    for (Output y : state->deferredExits) {
      if (hasRealGrad(y.node)) {
        real = true;
        queue_.push_back(y.node);
      } else {
        state->unusedExits.push_back(y);
      }
    }
    for (Output y : state->unusedExits) {
      if (real && isTrainable(b_.dtype(y))) setGrad(y, loops_->zerosLikeForExit(b_, y));
      queue_.push_back(y.node);
    }
  }
}

Result<std::vector<Gradient>> GradientBuilder::run() {
  if (!b_.ok()) return b_.status().error();
  for (const auto* list : {&ys_, &xs_}) {
    for (Output o : *list) {
      if (!o.valid() || b_.dtype(o) == DType::Invalid) return invalidArgument("addGradients: one of the tensors is not in this graph");
    }
  }
  readControlFlowCollections(b_);
  auto scope = b_.nameScope(options_.name);
  b_.uniqueName("uid");
  WEFT_TRY(defaultGradYs());
  markPaths();
  for (size_t i = 0; i < ys_.size(); ++i) setGrad(ys_[i], gradYs_[i]);
  std::set<int> starts;
  for (Output y : ys_) {
    if (pending_[y.node] == 0 && reachable_.contains(y.node) && starts.insert(y.node).second) queue_.push_back(y.node);
  }
  if (loops_) {
    for (Output y : loops_->unusedLoopExits(b_, pending_, starts)) {
      if (!isTrainable(b_.dtype(y))) continue;
      setGrad(y, loops_->zerosLikeForExit(b_, y));
      queue_.push_back(y.node);
    }
  }
  findStopOps();
  while (!queue_.empty()) {
    const int node = queue_.front();
    queue_.pop_front();
    WEFT_TRY(visit(node));
  }
  scope = GraphBuilder::Guard();  // ops that close the loops are outside the scope, as in TensorFlow
  if (loops_) {
    loops_->finish(b_);
    writeControlFlowCollections(b_);
  }
  WEFT_TRY(b_.status());
  std::vector<Gradient> out;
  for (Output x : xs_) {
    Gradient g;
    if (const auto it = grads_.find(x.node); it != grads_.end()) {
      const Output sum = aggregated(x.node)[size_t(x.index)];
      g.slices = slicesOf(b_, sum);
      if (!g.slices && !isNone(sum)) g.dense = sum;
    }
    out.push_back(std::move(g));
  }
  return out;
}

Result<std::vector<Gradient>> addGradients(GraphBuilder& builder, const std::vector<Output>& ys, const std::vector<Output>& xs,
                                           const GradientsOptions& options) {
  return addGradients(builder, ys, xs, options, Aggregation::AddN);
}

Result<std::vector<Gradient>> addGradients(GraphBuilder& builder, const std::vector<Output>& ys, const std::vector<Output>& xs, const GradientsOptions& options,
                                           Aggregation aggregation) {
  return GradientBuilder(builder, ys, xs, options, aggregation).run();
}

}  // namespace weft
