#include "autodiff/grad_loop_state.h"

#include "ops/grad_ops.h"
#include "weft/op_traits.h"

namespace weft {
namespace {

// x + 1 and the like: the Const is in the op's name scope, as in Python.
Output withOne(GraphBuilder& b, std::string_view op, Output x) { return py::call(b, op, x, 1); }

Output producerOfInput(GraphBuilder& b, Output o) { return b.nodeAt(o.node).inputs.empty() ? Output{} : b.nodeAt(o.node).inputs[0]; }

}  // namespace

std::shared_ptr<GradLoopState> GradLoopState::make(GraphBuilder& b, WhileContext* forward, GradLoopState* outer) {
  auto s = std::make_shared<GradLoopState>();
  s->forward_ = forward;
  s->outer_ = outer;
  s->forwardExits = forward->loopExits;
  s->pendingExits = int(forward->loopExits.size());
  FlowContext* around = outer ? outer->forwardContext() : forward->outerFlow();
  if (around) around->enter(b);
  s->addForwardCounter(b);
  if (around) around->exit(b);

  const auto open = [&] {
    s->grad_ = WhileContext::make(b, forward->name).get();
    s->grad_->parallelIterations = forward->parallelIterations;
    s->grad_->backProp = forward->backProp;
    s->grad_->swapMemory = forward->swapMemory;
    s->grad_->maximumIterations = forward->maximumIterations;
    s->grad_->gradient = s;
  };
  if (outer) {
    // A nested loop: its iteration count is saved for each iteration of the outer loop.
    around->values.insert(s->total_);
    const Output history = outer->addForwardAccumulator(b, s->total_);
    outer->gradContext()->enter(b);
    open();
    const Output real = outer->addBackpropAccumulatedValue(b, history, s->total_);
    s->addBackpropCounter(b, real);
    outer->gradContext()->exit(b);
  } else {
    if (around) around->enter(b);
    open();
    s->addBackpropCounter(b, s->total_);
    if (around) around->exit(b);
  }
  return s;
}

void GradLoopState::addForwardCounter(GraphBuilder& b) {
  const Output n = b.scalar<int32_t>(0, "f_count");
  if (outer_) b.addControlInputs(n.node, {producerOfInput(b, outer_->forwardIndex_).node});
  forward_->enter(b);
  forward_->values.insert(n);
  const Output enter = flow::enter(b, n, forward_->name, false, forward_->parallelIterations, "f_count");
  forward_->loopEnters.push_back(enter);
  const Output merged = flow::merge(b, {enter, enter});
  const auto both = flow::switchOn(b, merged, forward_->pivot);
  if (both.size() == 2) {
    const Output index = withOne(b, "Add", both[1]);
    forwardIndex_ = flow::nextIteration(b, index);
    b.updateInput(merged.node, 1, forwardIndex_);
    total_ = flow::exit(b, both[0], "f_count");
    forward_->loopExits.push_back(total_);
    forward_->exitResult({total_});
  }
  forward_->exit(b);
}

void GradLoopState::addBackpropCounter(GraphBuilder& b, Output count) {
  const Output one = b.scalar<int32_t>(1, "b_count");
  grad_->enter(b);
  grad_->values.insert(count);
  const Output enter = flow::enter(b, count, grad_->name, false, grad_->parallelIterations, "b_count");
  grad_->loopEnters.push_back(enter);
  const Output merged = flow::merge(b, {enter, enter});
  grad_->pivotForPred = merged;
  const Output pred = b.op("GreaterEqual", {merged, one});
  grad_->pivot = b.op("LoopCond", {pred}, {}, "b_count");
  const auto both = flow::switchOn(b, merged, grad_->pivot);
  if (both.size() == 2) {
    const Output index = b.op("Sub", {both[1], one});
    grad_->pivotForBody = index;
    gradIndex_ = flow::nextIteration(b, index);
    b.updateInput(merged.node, 1, gradIndex_);
    const Output zero = flow::exit(b, both[0], "b_count");
    grad_->loopExits.push_back(zero);
    if (outer_) b.addControlInputs(outer_->gradSync(b), {zero.node});
    grad_->exitResult({zero});
  }
  grad_->exit(b);
}

int GradLoopState::forwardSync(GraphBuilder& b) {
  if (forwardSync_ < 0) {
    {
      const auto clear = b.clearControlDependencies();
      forwardSync_ = b.node("ControlTrigger", {}, {}, "f_sync");
    }
    b.setContextOf(forwardSync_, forward_->shared_from_this());
    b.addControlInputs(forwardIndex_.node, {forwardSync_});
  }
  return forwardSync_;
}

int GradLoopState::gradSync(GraphBuilder& b) {
  if (gradSync_ < 0) {
    {
      const auto clear = b.clearControlDependencies();
      gradSync_ = b.node("ControlTrigger", {}, {}, "b_sync");
    }
    b.setContextOf(gradSync_, grad_->shared_from_this());
    b.addControlInputs(gradIndex_.node, {gradSync_});
  }
  return gradSync_;
}

Output GradLoopState::addForwardAccumulator(GraphBuilder& b, Output value, bool deadBranch) {
  auto current = std::static_pointer_cast<FlowContext>(b.controlFlowContext());
  const auto clear = b.clearControlDependencies();
  Output stack;
  {
    if (current) current->enter(b);
    {
      const auto where = b.colocateWith(value.node);
      const Output unlimited = b.scalar<int32_t>(-1);
      stack = b.op("StackV2", {unlimited}, {{"elem_type", b.dtype(value)}}, "f_acc");
    }
    if (current) current->exit(b);
  }
  const Output inside = forward_->addValue(b, stack);
  FlowContext* context = flow::outputContext(b, value.node);
  const auto push = [&](FlowContext* in) {
    const auto keep = in->shared_from_this();
    in->enter(b);
    const int id = b.node("StackPushV2", {inside, value}, {{"swap_memory", forward_->swapMemory}});
    in->exit(b);
    return id;
  };
  int id = -1;
  if (context == forward_) {
    id = push(forward_);
    b.addControlInputs(forwardIndex_.node, {id});
  } else if (!context || context->isWhile()) {
    b.fail(internalError("The value '", b.graph().tensorName(value), "' that a gradient needs lies neither in its loop nor in a branch in it"));
    return {};
  } else {
    if (deadBranch && context->outerFlow()) {
      id = push(context->outerFlow());
      b.setContextOf(id, context->shared_from_this());
    } else {
      id = push(context);
    }
    b.addControlInputs(forwardSync(b), {id});
  }
  // The push must run after the counter's increment.
  b.addControlInputs(id, {producerOfInput(b, forwardIndex_).node});
  return stack;
}

Output GradLoopState::addBackpropAccumulatedValue(GraphBuilder& b, Output historyValue, Output value, bool deadBranch) {
  FlowContext* historyContext = flow::contextOf(b, historyValue.node);
  CondContext* cond = nullptr;
  for (FlowContext* c = flow::contextOf(b, value.node); c && c != historyContext; c = c->outerFlow()) {
    if (!c->isWhile()) {
      cond = static_cast<CondContext*>(c);
      break;
    }
  }
  Output pop;
  {
    const auto clear = b.clearControlDependencies();
    grad_->enter(b);
    if (cond) {
      Output pred;
      for (GradLoopState* s = this; s && !pred.valid(); s = s->outer_) {
        if (const auto it = s->history.find(cond->pred); it != s->history.end()) pred = it->second;
      }
      if (!pred.valid()) pred = cond->pred;
      const int branch = deadBranch ? 1 - cond->branch : cond->branch;
      const auto both = flow::switchColocated(b, historyValue, pred);
      if (both.size() == 2) historyValue = both[size_t(branch)];
    }
    pop = b.op("StackPopV2", {historyValue}, {{"elem_type", b.dtype(value)}});
    b.setShape(pop, b.shape(value));
    grad_->exit(b);
  }
  if (grad_->parallelIterations > 1) b.addControlInputs(gradSync(b), {pop.node});
  return pop;
}

Output GradLoopState::realValue(GraphBuilder& b, Output value) {
  if (const auto it = history.find(value); it != history.end()) return it->second;
  Output current = value, real, stack;
  GradLoopState* state = this;
  while (true) {
    const int enter = flow::loopConstantEnter(b, current);
    if (enter >= 0) {
      current = b.nodeAt(enter).inputs[0];
      state = state->outer_;
      if (!state) {
        // Invariant in all loops: it only has to enter the gradient loop.
        real = grad_->addValue(b, current);
        break;
      }
    } else if (isConstant(b.nodeAt(current.node))) {
      const auto known = b.constantValue(current);
      real = b.constant(known ? *known : Tensor());
      break;
    } else {
      grad_->exit(b);
      stack = state->addForwardAccumulator(b, current);
      grad_->enter(b);
      break;
    }
  }
  if (!real.valid()) {
    real = state->addBackpropAccumulatedValue(b, stack, current);
    if (state != this) real = grad_->addValue(b, real);
  }
  history[value] = real;
  return real;
}

}  // namespace weft
