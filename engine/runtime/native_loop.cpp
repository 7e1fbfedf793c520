#include "runtime/native_loop.h"

#include <algorithm>

#include "runtime/executable_plan.h"
#include "runtime/executor.h"
#include "runtime/loop_products.h"
#include "runtime/scalar_loop.h"
#include "runtime/step_state.h"

namespace weft {

Status foldConstants(PlanGraph& plan, PassContext& context);

namespace {

/// A part's plan and what it is fed with.
struct ReadyPart {
  std::shared_ptr<ExecutablePlan> plan;  ///< Null: nothing to do.
  std::vector<int> feeds, results;
  std::vector<uint8_t> takes;  ///< By feed: nobody needs the register afterwards.
};

class LoopKernel final : public Kernel {
public:
  LoopKernel(std::shared_ptr<const NativeLoop> loop, ReadyPart condition, ReadyPart hoisted, ReadyPart body,
             std::unique_ptr<ScalarLoop> scalar)
      : loop_(std::move(loop)),
        condition_(std::move(condition)),
        hoisted_(std::move(hoisted)),
        body_(std::move(body)),
        scalar_(std::move(scalar)) {
    std::vector<int> readers(size_t(loop_->registers), 0);
    for (int v = 0; v < loop_->variables; ++v) {
      if (loop_->next[size_t(v)] != v) changing_.push_back(v);
      ++readers[size_t(loop_->next[size_t(v)])];
    }
    // A variable's value ends with the body that reads it, unless it goes on as it is.
    for (size_t k = 0; k < body_.feeds.size(); ++k) {
      const int r = body_.feeds[k];
      body_.takes.push_back(r < loop_->variables && readers[size_t(r)] == 0);
    }
    for (int v : changing_)
      movable_.push_back(loop_->next[size_t(v)] >= loop_->inputs && readers[size_t(loop_->next[size_t(v)])] == 1 &&
                         !isHoisted(loop_->next[size_t(v)]));
  }

  Status compute(KernelContext& c) override {
    const RunState* const outer = ExecutorAccess::sinkOf(c).run();
    RunState state = outer ? *outer : RunState{c.step(), c.session()};
    state.frame = loop_->frame;
    if (scalar_ && !state.recorder && !state.watch && areScalars(c)) return scalar_->run(c, state);

    std::vector<Tensor> registers(size_t(loop_->registers));
    for (int i = 0; i < loop_->inputs; ++i) registers[size_t(i)] = c.input(i);
    LoopProducts products(*loop_);
    std::vector<Tensor> feeds, fetched, next(changing_.size());
    for (state.iteration = 0;; ++state.iteration) {
      WEFT_TRY(state.check());
      WEFT_TRY(runPart(condition_, registers, feeds, fetched, state));
      const Tensor& holds = registers[size_t(loop_->predicate)];
      if (holds.dtype() != DType::Bool || holds.elements() != 1) {
        return invalidArgument("pred must be a scalar, but it has shape ", holds.shape().toString()).atNode(c.node().name);
      }
      if (!holds.at<bool>(0)) break;
      if (state.iteration == 0) WEFT_TRY(runPart(hoisted_, registers, feeds, fetched, state));
      WEFT_TRY(runPart(body_, registers, feeds, fetched, state));
      if (!loop_->products.empty()) WEFT_TRY(products.collect(registers));
      for (size_t k = 0; k < changing_.size(); ++k) {
        Tensor& from = registers[size_t(loop_->next[size_t(changing_[k])])];
        if (movable_[k])
          next[k] = std::move(from);
        else
          next[k] = from;
      }
      for (size_t k = 0; k < changing_.size(); ++k) registers[size_t(changing_[k])] = std::move(next[k]);
    }
    WEFT_TRY(products.finish(registers, state));
    for (int k = 0; k < c.outputCount(); ++k) c.setOutput(k, registers[size_t(loop_->exits[size_t(k)])]);
    return {};
  }

private:
  bool isHoisted(int r) const { return std::find(hoisted_.results.begin(), hoisted_.results.end(), r) != hoisted_.results.end(); }

  /// The shapes of a plan's feeds are the run's, those of computed inputs were inferred: an op with a wrong shape function must not
  /// make us read what is not there.
  bool areScalars(const KernelContext& c) const {
    for (int i = 0; i < loop_->variables; ++i)
      if (c.input(i).elements() != 1) return false;
    for (int i = loop_->variables; i < loop_->inputs; ++i)
      if (sizeOf(c.input(i).dtype()) > 0 && c.input(i).elements() < 1) return false;
    return true;
  }

  static Status runPart(const ReadyPart& part, std::vector<Tensor>& registers, std::vector<Tensor>& feeds,
                        std::vector<Tensor>& fetched, RunState& state) {
    if (!part.plan) return {};
    feeds.resize(part.feeds.size());
    for (size_t k = 0; k < part.feeds.size(); ++k) {
      Tensor& r = registers[size_t(part.feeds[k])];
      if (!part.takes.empty() && part.takes[k])
        feeds[k] = std::move(r);
      else
        feeds[k] = r;
    }
    fetched.clear();
    WEFT_TRY(part.plan->step(feeds, fetched, state));
    for (size_t k = 0; k < part.results.size(); ++k) registers[size_t(part.results[k])] = std::move(fetched[k]);
    return {};
  }

  const std::shared_ptr<const NativeLoop> loop_;
  const ReadyPart condition_, hoisted_;
  ReadyPart body_;
  const std::unique_ptr<ScalarLoop> scalar_;
  std::vector<int> changing_;     // variables that get another value
  std::vector<uint8_t> movable_;  // of those: nobody else reads where it comes from
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
  Compiler(const std::shared_ptr<const NativeLoop>& loop, PassContext& context) : loop_(loop), context_(context) {
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
    if (!l.products.empty())
      out.summary += concat(", ", l.products.size(), l.products.size() == 1 ? " product" : " products", " over all rounds");
    if (!scalar && body.plan) out.summary += "; body: " + body.plan->explain();
    for (int v : l.exits) {
      // A product's shape is known when it is there.
      const bool product =
          std::any_of(l.products.begin(), l.products.end(), [&](const NativeLoop::Product& p) { return p.variable == v; });
      out.shapes.push_back(product ? Shape::unknown() : shapes_[size_t(v)]);
    }
    out.kernel = std::make_shared<LoopKernel>(loop_, std::move(condition), std::move(hoisted), std::move(body), std::move(scalar));
    return out;
  }

private:
  bool isOff(std::string_view pass) const {
    return std::any_of(disabled_->begin(), disabled_->end(), [&](const std::string& d) { return d == pass || d == "all"; });
  }

  /// A part's graph with what is known of its feeds.
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
    return g;
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

  /// What holds in every round: begins with the shapes that come in, forgets the dims that a round changes, and tries again.
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
      // Constants found under shapes that do not hold.
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
    const bool flow = g.hasControlFlow;
    auto made = flow ? makeDataflowPlan(std::move(g), context_.session) : makeStaticPlan(std::move(g), context_.session);
    if (!made.ok()) return std::move(made.error());
    out.plan = std::move(*made);
    return out;
  }

  const std::shared_ptr<const NativeLoop> loop_;
  PassContext& context_;
  const std::vector<std::string>* disabled_;
  std::vector<Shape> shapes_;             // by register
  std::vector<const Tensor*> constants_;  // by register; into folded_ or the caller's
  PlanGraph folded_[3];
};

}  // namespace

Result<CompiledLoop> compileLoop(std::shared_ptr<const NativeLoop> loop, const std::vector<Shape>& shapes,
                                 const std::vector<const Tensor*>& constants, PassContext& context) {
  return Compiler(loop, context).run(shapes, constants);
}

Status compileLoopNode(PlanGraph& plan, int node, PassContext& context) {
  PlanNode& p = plan.nodes[size_t(node)];
  std::vector<Shape> shapes;
  std::vector<const Tensor*> constants;
  for (const Output& in : p.inputs) {
    const PlanNode& from = plan.nodes[size_t(in.node)];
    shapes.push_back(from.shapes[size_t(in.index)]);
    constants.push_back(from.isConstant() ? &from.constants[size_t(in.index)] : nullptr);
  }
  WEFT_LET(CompiledLoop made, compileLoop(p.loop, shapes, constants, context));
  p.kernel = std::move(made.kernel);
  for (size_t k = 0; k < p.shapes.size(); ++k) {
    if (auto merged = p.shapes[k].mergedWith(made.shapes[k]); merged.ok()) p.shapes[k] = std::move(*merged);
  }
  plan.applied.push_back(concat("native_loops: ", p.loop->frame, ": ", made.summary));
  return {};
}

}  // namespace weft
