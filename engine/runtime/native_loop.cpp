#include "runtime/native_loop.h"

#include <algorithm>

#include "kernel/step_state.h"
#include "runtime/executable_plan.h"
#include "runtime/executor.h"
#include "runtime/loop_products.h"
#include "runtime/loop_registers.h"
#include "runtime/loop_transposes.h"
#include "runtime/moved_reads.h"
#include "runtime/scalar_loop.h"

namespace weft {

Status foldConstants(PlanGraph& plan, PassContext& context);

namespace {

/// A part's plan with its feeds and results.
struct ReadyPart {
  std::shared_ptr<ExecutablePlan> plan;  ///< Null: nothing to do.
  std::vector<int> feeds, results;
  std::vector<LoopTranspose> turned;  ///< Made before the first iteration.
  std::vector<uint8_t> takes;         ///< By feed: whether the register is not needed afterwards.
};

/// How a loop uses a stack whose handle it gets as input.
struct StackUse {
  bool pushes = false, known = true;  ///< known: it only pops, and pushes values of one shape.
  Shape shape;                        ///< Shape of the pushed values.
};

// RULE native_loops.registers
//   pattern      variable v with its next value in register r
//   condition    v's value is moved into the body that reads it if it is no variable's next value; r's value is moved to v if it is only v's next value, no
//                input
//                and not hoisted
//   replacement  moves instead of shared values; all variables change at once. A register that is not present cannot be read (runtime/loop_registers.h)
class LoopKernel final : public Kernel {
 public:
  LoopKernel(std::shared_ptr<const NativeLoop> loop, ReadyPart condition, ReadyPart hoisted, ReadyPart body, std::unique_ptr<ScalarLoop> scalar,
             std::vector<StackUse> stacks)
      : stacks(std::move(stacks)),
        loop_(std::move(loop)),
        condition_(std::move(condition)),
        hoisted_(std::move(hoisted)),
        body_(std::move(body)),
        scalar_(std::move(scalar)) {
    std::vector<int> readers(size_t(loop_->registers), 0);
    for (int v = 0; v < loop_->variables; ++v) {
      if (loop_->next[size_t(v)] != v) changing_.push_back(v);
      ++readers[size_t(loop_->next[size_t(v)])];
    }
    // A variable's value is released by the body that reads it, unless it is a next value itself.
    for (size_t k = 0; k < body_.feeds.size(); ++k) {
      const int r = body_.feeds[k];
      body_.takes.push_back(r < loop_->variables && readers[size_t(r)] == 0);
    }
    for (int v : changing_)
      movable_.push_back(loop_->next[size_t(v)] >= loop_->inputs && readers[size_t(loop_->next[size_t(v)])] == 1 && !isHoisted(loop_->next[size_t(v)]));
  }

  const std::vector<StackUse> stacks;  ///< By input.

  Status compute(KernelContext& c) override {
    const RunState* const outer = ExecutorAccess::sinkOf(c).run();
    RunState state = outer ? *outer : RunState{c.step(), c.session()};
    state.frame = loop_->frame;
    if (scalar_ && !state.recorder && !state.watch && areScalars(c)) return scalar_->run(c, state);

    LoopRegisters registers(loop_->frame, size_t(loop_->registers) + body_.turned.size());
    for (int i = 0; i < loop_->inputs; ++i) WEFT_TRY(registers.set(i, c.input(i)));
    LoopProducts products(*loop_, c.session());
    std::vector<Tensor> feeds, fetched, next(changing_.size());
    uint64_t seen = MovedReads::epoch();
    for (state.iteration = 0;; ++state.iteration) {
      WEFT_TRY(state.check());
      if (MovedReads::epoch() != seen) {
        seen = MovedReads::epoch();
        const MovedReads moved;
        registers.follow(moved);
      }
      WEFT_TRY(runPart(condition_, registers, feeds, fetched, state));
      WEFT_LET(const Tensor* const holds, registers.at(loop_->predicate));
      if (holds->dtype() != DType::Bool || holds->elements() != 1) {
        return invalidArgument("pred must be a scalar, but it has shape ", holds->shape().toString()).atNode(c.node().name);
      }
      if (!holds->at<bool>(0)) break;
      if (state.iteration == 0) {
        WEFT_TRY(runPart(hoisted_, registers, feeds, fetched, state));
        for (const LoopTranspose& t : body_.turned) WEFT_TRY(turn(t, registers));
      }
      WEFT_TRY(runPart(body_, registers, feeds, fetched, state));
      if (!loop_->products.empty()) WEFT_TRY(products.collect(registers));
      for (size_t k = 0; k < changing_.size(); ++k) {
        const int from = loop_->next[size_t(changing_[k])];
        WEFT_LET(next[k], movable_[k] ? registers.take(from) : registers.share(from));
      }
      for (size_t k = 0; k < changing_.size(); ++k) WEFT_TRY(registers.set(changing_[k], std::move(next[k])));
    }
    WEFT_TRY(products.finish(registers, state));
    for (int k = 0; k < c.outputCount(); ++k) {
      WEFT_LET(Tensor leaves, registers.share(loop_->exits[size_t(k)]));
      c.setOutput(k, std::move(leaves));
    }
    return {};
  }

 private:
  bool isHoisted(int r) const { return std::find(hoisted_.results.begin(), hoisted_.results.end(), r) != hoisted_.results.end(); }

  /// Checks the inputs at run time, because shapes of computed inputs were only inferred: a wrong shape function must not cause reads out of bounds.
  bool areScalars(const KernelContext& c) const {
    for (int i = 0; i < loop_->variables; ++i)
      if (c.input(i).elements() != 1) return false;
    for (int i = loop_->variables; i < loop_->inputs; ++i)
      if (sizeOf(c.input(i).dtype()) > 0 && c.input(i).elements() < 1) return false;
    return true;
  }

  static Status runPart(const ReadyPart& part, LoopRegisters& registers, std::vector<Tensor>& feeds, std::vector<Tensor>& fetched, RunState& state) {
    if (!part.plan) return {};
    feeds.resize(part.feeds.size());
    for (size_t k = 0; k < part.feeds.size(); ++k) {
      WEFT_LET(feeds[k], !part.takes.empty() && part.takes[k] ? registers.take(part.feeds[k]) : registers.share(part.feeds[k]));
    }
    fetched.clear();
    WEFT_TRY(part.plan->step(feeds, fetched, state));
    if (fetched.size() != part.results.size()) return internalError("A part of a loop has ", fetched.size(), " results instead of ", part.results.size());
    for (size_t k = 0; k < part.results.size(); ++k) WEFT_TRY(registers.set(part.results[k], std::move(fetched[k])));
    return {};
  }

  const std::shared_ptr<const NativeLoop> loop_;
  const ReadyPart condition_, hoisted_;
  ReadyPart body_;
  const std::unique_ptr<ScalarLoop> scalar_;
  std::vector<int> changing_;     // variables that an iteration changes
  std::vector<uint8_t> movable_;  // by entry of changing_: whether the new value's register has no other reader
};

/// Dims that differ become unknown.
Shape common(const Shape& a, const Shape& b) {
  if (!a.hasRank() || !b.hasRank() || a.rank() != b.rank()) return Shape::unknown();
  Shape out = a;
  for (int i = 0; i < a.rank(); ++i)
    if (a.dim(i) != b.dim(i)) out.setDim(i, Shape::kUnknownDim);
  return out;
}

class Compiler {
 public:
  /// `elements`: for each input that is a stack, the shape of its elements.
  Compiler(const std::shared_ptr<const NativeLoop>& loop, const std::vector<Shape>& elements, PassContext& context)
      : loop_(loop), context_(context), elements_(elements) {
    static const std::vector<std::string> kNone;
    disabled_ = context.disabled ? context.disabled : &kNone;
  }

  Result<CompiledLoop> run(const std::vector<Shape>& given, const std::vector<const Tensor*>& constants) {
    const NativeLoop& l = *loop_;
    shapes_.assign(size_t(l.registers), Shape::unknown());
    constants_.assign(size_t(l.registers), nullptr);
    for (int i = 0; i < l.inputs; ++i) {
      shapes_[size_t(i)] = l.shapes[size_t(i)];
      const bool stays = i >= l.variables || l.next[size_t(i)] == i;
      if (auto merged = l.shapes[size_t(i)].mergedWith(given[size_t(i)]); merged.ok()) shapes_[size_t(i)] = std::move(*merged);
      if (stays) constants_[size_t(i)] = constants[size_t(i)];
    }
    const bool folds = !isOff("constant_folding");
    std::unique_ptr<ScalarLoop> scalar;
    if (folds) {
      WEFT_TRY(findShapes());
      if (!isOff("scalar_loops")) scalar = ScalarLoop::make(l, shapes_, folded_[0], folded_[1], folded_[2]);
    } else {
      for (int i = 0; i < l.inputs; ++i) shapes_[size_t(i)] = l.shapes[size_t(i)];
    }
    CompiledLoop out;
    WEFT_LET(ReadyPart condition, ready(l.condition));
    WEFT_LET(ReadyPart hoisted, ready(l.hoisted));
    WEFT_LET(ReadyPart body, ready(l.body));
    out.summary = scalar ? concat("scalar loop, ", scalar->instructions(), " instructions") : "native loop";
    if (!l.products.empty()) out.summary += concat(", ", l.products.size(), l.products.size() == 1 ? " product" : " products", " over all rounds");
    if (!scalar && body.plan) out.summary += "; body: " + body.plan->explain();
    for (int v : l.exits) {
      // The shape of a deferred product is only known at run time.
      const bool product = std::any_of(l.products.begin(), l.products.end(), [&](const NativeLoop::Product& p) { return p.variable == v; });
      out.shapes.push_back(product ? Shape::unknown() : shapes_[size_t(v)]);
    }
    out.kernel = std::make_shared<LoopKernel>(loop_, std::move(condition), std::move(hoisted), std::move(body), std::move(scalar),
                                              folds ? stackUses() : std::vector<StackUse>());
    return out;
  }

 private:
  bool isOff(std::string_view pass) const {
    return std::any_of(disabled_->begin(), disabled_->end(), [&](const std::string& d) { return d == pass || d == "all"; });
  }

  /// A part's graph with the known shapes and constants of its feeds.
  PlanGraph prepared(const NativeLoop::Part& part, std::vector<Shape>& feedShapes) const {
    PlanGraph g = part.graph;
    feedShapes.clear();
    for (size_t k = 0; k < part.feeds.size(); ++k) {
      feedShapes.push_back(shapes_[size_t(part.feeds[k])]);
      PlanNode& feed = g.nodes[size_t(g.feedNodes[k])];
      feed.shapes = {feedShapes.back()};
      if (const Tensor* value = constants_[size_t(part.feeds[k])]) {
        feed.constants = {*value};
        feed.shapes = {value->shape()};
        feed.feed = -1;
        g.feedNodes[k] = -1;
      }
    }
    for (PlanNode& p : g.nodes) {
      if (!p.alive || !p.node || roleOf(*p.node) != OpRole::StackPop) continue;
      const int feed = g.nodes[size_t(p.inputs[0].node)].feed;
      const int input = feed >= 0 ? part.feeds[size_t(feed)] : -1;
      if (input < 0 || size_t(input) >= elements_.size()) continue;
      if (auto merged = p.shapes[0].mergedWith(elements_[size_t(input)]); merged.ok()) p.shapes[0] = std::move(*merged);
    }
    return g;
  }

  std::vector<StackUse> stackUses() const {
    const NativeLoop& l = *loop_;
    std::vector<StackUse> uses(size_t(l.inputs));
    for (int v = 0; v < l.variables; ++v) uses[size_t(v)].known = false;
    const NativeLoop::Part* parts[] = {&l.condition, &l.hoisted, &l.body};
    for (int k = 0; k < 3; ++k) {
      const PlanGraph& g = folded_[k];
      const auto inputOf = [&](const Output& o) {
        const int feed = g.nodes[size_t(o.node)].feed;
        return feed >= 0 && parts[k]->feeds[size_t(feed)] < l.inputs ? parts[k]->feeds[size_t(feed)] : -1;
      };
      for (const PlanNode& p : g.nodes) {
        if (!p.alive || p.isConstant()) continue;
        for (size_t i = 0; i < p.inputs.size(); ++i) {
          const int input = inputOf(p.inputs[i]);
          if (input < 0) continue;
          StackUse& use = uses[size_t(input)];
          if (i == 0 && p.node && roleOf(*p.node) == OpRole::StackPop) continue;
          if (i != 0 || !p.node || roleOf(*p.node) != OpRole::StackPush) {
            use.known = false;
            continue;
          }
          const Shape& shape = g.nodes[size_t(p.inputs[1].node)].shapes[size_t(p.inputs[1].index)];
          use.known &= !use.pushes || use.shape == shape;
          use.pushes = true;
          use.shape = shape;
        }
      }
      for (const Output& f : g.fetches)
        if (inputOf(f) >= 0) uses[size_t(inputOf(f))].known = false;
    }
    return uses;
  }

  Status fold(const NativeLoop::Part& part, PlanGraph& out) {
    std::vector<Shape> feedShapes;
    out = prepared(part, feedShapes);
    PassContext context{context_.session, &feedShapes, disabled_};
    WEFT_TRY(foldConstants(out, context));
    for (size_t k = 0; k < part.results.size(); ++k) {
      const Output f = out.fetches[k];
      const PlanNode& p = out.nodes[size_t(f.node)];
      shapes_[size_t(part.results[k])] = p.shapes[size_t(f.index)];
      constants_[size_t(part.results[k])] = p.isConstant() ? &p.constants[size_t(f.index)] : nullptr;
    }
    return {};
  }

  // RULE native_loops.shapes
  //   pattern      the shape of a variable in all iterations
  //   condition    it and the shape of its next value, inferred from it, agree in the dimensions that are kept: a fixed point
  //   replacement  that shape for the plans of the parts; constants derived from rejected shapes are dropped
  /// Finds shapes that hold in every iteration: starts with the incoming ones, forgets the dims that an iteration changes, and repeats.
  Status findShapes() {
    const NativeLoop& l = *loop_;
    for (int attempt = 0;; ++attempt) {
      WEFT_TRY(fold(l.condition, folded_[0]));
      WEFT_TRY(fold(l.hoisted, folded_[1]));
      WEFT_TRY(fold(l.body, folded_[2]));
      bool again = false;
      for (int v = 0; v < l.variables; ++v) {
        const Shape wider = common(shapes_[size_t(v)], shapes_[size_t(l.next[size_t(v)])]);
        if (wider == shapes_[size_t(v)]) continue;
        shapes_[size_t(v)] = attempt < 6 ? wider : Shape::unknown();
        again = true;
      }
      if (!again) return {};
      // Drop constants derived from rejected shapes.
      for (int r = l.inputs; r < l.registers; ++r) constants_[size_t(r)] = nullptr;
    }
  }

  Result<ReadyPart> ready(const NativeLoop::Part& part) {
    ReadyPart out;
    if (part.isEmpty()) return out;
    out.feeds = part.feeds;
    out.results = part.results;
    std::vector<Shape> feedShapes;
    PlanGraph g = prepared(part, feedShapes);
    PassContext context{context_.session, &feedShapes, disabled_};
    WEFT_TRY(runPasses(g, context, *disabled_));
    if (&part == &loop_->body && !isOff("loop_transposes")) {
      std::vector<uint8_t> stays;
      for (int r : part.feeds) {
        const bool hoisted = std::find(loop_->hoisted.results.begin(), loop_->hoisted.results.end(), r) != loop_->hoisted.results.end();
        stays.push_back(hoisted || (r >= loop_->variables && r < loop_->inputs));
      }
      out.turned = turnMatrices(g, out.feeds, stays, loop_->registers);
      if (!out.turned.empty()) g.applied.push_back(concat("loop_transposes: ", out.turned.size(), out.turned.size() == 1 ? " matrix" : " matrices"));
    }
    const bool flow = g.hasControlFlow;
    auto made = flow ? makeDataflowPlan(std::move(g), context_.session) : makeStaticPlan(std::move(g), context_.session);
    if (!made.ok()) return std::move(made.error());
    out.plan = std::move(*made);
    return out;
  }

  const std::shared_ptr<const NativeLoop> loop_;
  PassContext& context_;
  const std::vector<Shape>& elements_;
  const std::vector<std::string>* disabled_;
  std::vector<Shape> shapes_;             // by register
  std::vector<const Tensor*> constants_;  // by register; into folded_ or the caller's
  PlanGraph folded_[3];
};

}  // namespace

namespace {

bool onlyPops(const NativeLoop& loop, int input) {
  if (input < loop.variables) return false;
  for (const NativeLoop::Part* part : {&loop.condition, &loop.hoisted, &loop.body}) {
    const auto k = std::find(part->feeds.begin(), part->feeds.end(), input);
    if (k == part->feeds.end()) continue;
    const int feed = part->graph.feedNodes[size_t(k - part->feeds.begin())];
    for (const Output& f : part->graph.fetches)
      if (f.node == feed) return false;
    for (const PlanNode& p : part->graph.nodes) {
      const bool reads = p.alive && std::any_of(p.inputs.begin(), p.inputs.end(), [&](const Output& o) { return o.node == feed; });
      if (reads && (!p.node || roleOf(*p.node) != OpRole::StackPop)) return false;
    }
  }
  return true;
}

// RULE native_loops.stack_shapes
//   pattern      StackPopV2 of a stack
//   condition    only loops use the stack, it is not fetched, and all values that they push have one known shape
//   replacement  the same op, whose result has that shape
/// The common shape of all values pushed to the stack made by node `stack`; unknown if anything but loops could push. The gradient of a loop pops the
/// values that the loop pushed, and could not infer their shapes otherwise.
Shape elementsOf(const PlanGraph& plan, int stack) {
  Shape shape = Shape::unknown();
  bool pushed = false;
  for (const PlanNode& p : plan.nodes) {
    if (!p.alive) continue;
    for (size_t i = 0; i < p.inputs.size(); ++i) {
      if (p.inputs[i].node != stack || (p.node && (roleOf(*p.node) == OpRole::StackClose || roleOf(*p.node) == OpRole::StackPop))) continue;
      if (!p.loop) return Shape::unknown();
      const auto* kernel = dynamic_cast<const LoopKernel*>(p.kernel.get());
      if (!kernel) {
        if (!onlyPops(*p.loop, int(i))) return Shape::unknown();  // not compiled yet, like the loop that is being compiled
        continue;
      }
      if (kernel->stacks.size() <= i || !kernel->stacks[i].known) return Shape::unknown();
      const StackUse& use = kernel->stacks[i];
      if (!use.pushes) continue;
      if (pushed && !(shape == use.shape)) return Shape::unknown();
      shape = use.shape;
      pushed = true;
    }
  }
  for (const Output& f : plan.fetches)
    if (f.node == stack) return Shape::unknown();
  return shape;
}

}  // namespace

Status compileLoopNode(PlanGraph& plan, int node, PassContext& context) {
  PlanNode& p = plan.nodes[size_t(node)];
  std::vector<Shape> shapes;
  std::vector<const Tensor*> constants;
  std::vector<Shape> elements;
  for (const Output& in : p.inputs) {
    const bool isStack = plan.nodes[size_t(in.node)].node && roleOf(*plan.nodes[size_t(in.node)].node) == OpRole::StackMaker;
    elements.push_back(isStack ? elementsOf(plan, in.node) : Shape::unknown());
    const PlanNode& from = plan.nodes[size_t(in.node)];
    shapes.push_back(from.shapes[size_t(in.index)]);
    constants.push_back(from.isConstant() ? &from.constants[size_t(in.index)] : nullptr);
  }
  WEFT_LET(CompiledLoop made, Compiler(p.loop, elements, context).run(shapes, constants));
  p.kernel = std::move(made.kernel);
  for (size_t k = 0; k < p.shapes.size(); ++k) {
    if (auto merged = p.shapes[k].mergedWith(made.shapes[k]); merged.ok()) p.shapes[k] = std::move(*merged);
  }
  plan.applied.push_back(concat("native_loops: ", p.loop->frame, ": ", made.summary));
  return {};
}

}  // namespace weft
