#include <algorithm>
#include <sstream>

#include "debug/debugger_impl.h"
#include "weft/op_traits.h"

// The user's side of the debugger: commands and values.
namespace weft {

Result<int> Debugger::setBreakpoint(Breakpoint breakpoint) {
  Impl::Point p;
  WEFT_LET(p.place, DebugPlace::parse(breakpoint.place));
  WEFT_LET(p.condition, Condition::parse(breakpoint.condition));
  p.afterOp = p.place.kind == DebugPlace::Kind::Tensor || p.condition.needsValues() || breakpoint.log.find('{') != std::string::npos;
  const MutexLock lock(impl_->mutex);
  const auto known = std::find_if(impl_->points.begin(), impl_->points.end(), [&](const auto& k) { return k.breakpoint.id == breakpoint.id; });
  if (known != impl_->points.end()) {
    breakpoint.hits = known->breakpoint.hits;
    p.breakpoint = std::move(breakpoint);
    *known = std::move(p);
    return known->breakpoint.id;
  }
  breakpoint.hits = 0;
  breakpoint.id = breakpoint.id > 0 ? breakpoint.id : impl_->nextId;
  impl_->nextId = std::max(impl_->nextId, breakpoint.id + 1);
  p.breakpoint = std::move(breakpoint);
  impl_->points.push_back(std::move(p));
  return impl_->points.back().breakpoint.id;
}

Status checkBreakpoint(const Graph& graph, const Breakpoint& breakpoint) {
  WEFT_LET(const DebugPlace place, DebugPlace::parse(breakpoint.place));
  WEFT_TRY(Condition::parse(breakpoint.condition).status());
  if (place.kind == DebugPlace::Kind::Any) return {};
  if (place.kind == DebugPlace::Kind::Tensor) return graph.findOutput(breakpoint.place).status();
  if (place.kind == DebugPlace::Kind::Node) return graph.find(place.name) ? Status() : notFound("There is no node ", place.name, " in this graph.");
  for (int id = 0; id < graph.size(); ++id)
    if (const Node* node = graph.node(id); node && place.matches(*node)) return {};
  return notFound("There is no scope ", place.name, " in this graph.");
}

void Debugger::removeBreakpoint(int id) {
  const MutexLock lock(impl_->mutex);
  std::erase_if(impl_->points, [&](const auto& p) { return p.breakpoint.id == id; });
}

std::vector<Breakpoint> Debugger::breakpoints() const {
  const MutexLock lock(impl_->mutex);
  std::vector<Breakpoint> out;
  for (const auto& p : impl_->points) out.push_back(p.breakpoint);
  return out;
}

void Debugger::setStep(int64_t step) {
  const MutexLock lock(impl_->mutex);
  impl_->step = step;
}

bool Debugger::wantsStep(int64_t step) const {
  const MutexLock lock(impl_->mutex);
  if (impl_->detached) return false;
  if (impl_->mode != Impl::Mode::Run || impl_->pausing) return true;
  return std::any_of(impl_->points.begin(), impl_->points.end(), [&](const auto& p) { return p.breakpoint.enabled && p.condition.possibleInStep(step); });
}

Status Debugger::Impl::notStopped() const {
  if (phase == DebugPhase::Stopped && point && !go) return {};
  return failedPrecondition(phase == DebugPhase::Running ? "The run has not stopped yet." : "No run is stopped in the debugger.");
}

Status Debugger::Impl::command(Mode next) {
  WEFT_TRY(notStopped());
  mode = next;
  fromLoops = stop.loops;
  fromScope = scopeOf(stop.name);
  verdict = StepVerdict::Go;
  go = true;
  wake.notify_all();
  return {};
}

Status Debugger::command(DebugCommand command) {
  const MutexLock lock(impl_->mutex);
  switch (command) {
    case DebugCommand::Continue: return impl_->command(Impl::Mode::Run);
    case DebugCommand::StepOp: return impl_->command(Impl::Mode::Op);
    case DebugCommand::StepInto: return impl_->command(Impl::Mode::Into);
    case DebugCommand::StepOver: return impl_->command(Impl::Mode::Over);
    case DebugCommand::StepOut: return impl_->command(Impl::Mode::Out);
  }
  return invalidArgument("There is no debugger command ", int(command));
}

Status Debugger::runTo(const std::string& place) {
  WEFT_LET(DebugPlace target, DebugPlace::parse(place));
  const MutexLock lock(impl_->mutex);
  WEFT_TRY(impl_->command(Impl::Mode::To));
  impl_->target = std::move(target);
  return {};
}

/// Goes back to before op `goal` (or, if negative, to goalNode in goalLoops) by replaying the run from the beginning.
Status Debugger::Impl::rewind(int64_t goal) {
  if (const std::string why = point->cannotRestart(); !why.empty()) return failedPrecondition("This run cannot go back: ", why);
  const int64_t now = stop.index;
  std::erase_if(changes, [&](const Change& c) { return goal >= 0 ? c.index > goal || (c.index == goal && c.computed) : c.index >= now; });
  WEFT_TRY(command(Mode::Goal));
  goalIndex = goal;
  verdict = StepVerdict::Restart;
  return {};
}

Status Debugger::stepBack(int64_t ops) {
  Impl& d = *impl_;
  const MutexLock lock(d.mutex);
  WEFT_TRY(d.notStopped());
  const int64_t goal = d.stop.index - ops + (d.stop.computed ? 1 : 0);
  if (ops < 1) return invalidArgument("A step back is 1 op or more, not ", ops);
  if (goal < 0) return outOfRange(d.stop.index == 0 ? "This is the first op of the run." : concat("Only ", d.stop.index, " ops ran before this one."));
  return d.rewind(goal);
}

Status Debugger::goToIteration(int64_t iteration) {
  Impl& d = *impl_;
  const MutexLock lock(d.mutex);
  WEFT_TRY(d.notStopped());
  if (d.stop.loops.empty()) return failedPrecondition(d.stop.name, " lies in no loop.");
  if (iteration < 0) return outOfRange("Iterations count from 0, ", iteration, " is none.");
  const int64_t now = d.stop.loops.back().iteration;
  if (iteration == now) return {};
  d.goalNode = d.stop.node;
  d.goalComputed = d.stop.computed;
  std::vector<LoopPlace> loops = d.stop.loops;
  loops.back().iteration = iteration;
  if (iteration < now) {
    WEFT_TRY(d.rewind(-1));
  } else {
    WEFT_TRY(d.command(Impl::Mode::Goal));
    d.goalIndex = -1;
  }
  d.goalLoops = std::move(loops);
  return {};
}

void Debugger::pause() {
  const MutexLock lock(impl_->mutex);
  if (impl_->phase == DebugPhase::Running) impl_->pausing = true;
}

void Debugger::stop() {
  const MutexLock lock(impl_->mutex);
  if (impl_->phase != DebugPhase::Running && impl_->phase != DebugPhase::Stopped) return;
  impl_->ending = true;
  impl_->verdict = StepVerdict::End;
  impl_->go = true;
  impl_->wake.notify_all();
}

void Debugger::detach() {
  Impl& d = *impl_;
  const MutexLock lock(d.mutex);
  d.detached = true;
  d.mode = Impl::Mode::Run;
  if (d.notStopped().ok()) d.command(Impl::Mode::Run).ok();
}

DebugView Debugger::view() const {
  const Impl& d = *impl_;
  const MutexLock lock(d.mutex);
  DebugView v;
  // A command was given that the engine's thread has not picked up yet.
  v.phase = d.phase == DebugPhase::Stopped && d.go ? DebugPhase::Running : d.phase;
  v.stop = d.stop;
  v.error = d.error;
  v.step = d.step;
  v.notReached = d.notReached;
  v.notStepped = d.notStepped;
  v.ops = int64_t(d.store.ops().size());
  v.keptBytes = d.store.bytes() + d.previous.bytes();
  v.keepLimit = d.options.keepBytes;
  v.nodes = d.progress;
  for (const Impl::Change& change : d.changes) v.setByHand.push_back(change.variable.empty() ? d.graph.tensorName(change.tensor) : change.variable);
  if (!d.point || v.phase != DebugPhase::Stopped) return v;
  v.whyNotBack = d.point->cannotRestart();
  if (v.whyNotBack.empty() && d.stop.index == 0 && !d.stop.computed) v.whyNotBack = "This is the first op of the run.";
  // A node done in an earlier iteration must run again in this one.
  for (size_t id = 0; id < v.nodes.size(); ++id) {
    if (v.nodes[id] != NodeProgress::Done && v.nodes[id] != NodeProgress::Dead) continue;
    const auto& then = d.lastLoops[id];
    for (size_t level = 0; level < std::min(then.size(), d.stop.loops.size()); ++level) {
      if (then[level].frame != d.stop.loops[level].frame) break;
      if (then[level].iteration != d.stop.loops[level].iteration) {
        v.nodes[id] = NodeProgress::Pending;
        break;
      }
    }
  }
  for (const int id : d.point->ready()) v.nodes[size_t(id)] = NodeProgress::Ready;
  v.nodes[size_t(d.stop.node)] = NodeProgress::Executing;
  return v;
}

Result<Output> Debugger::Impl::outputOf(const std::string& tensor) const {
  if (graph.nodeCount() == 0) return failedPrecondition("Nothing was run in the debugger yet.");
  return graph.findOutput(tensor.find(':') == std::string::npos ? tensor + ":0" : tensor);
}

Result<DebugValue> Debugger::Impl::valueOf(const std::string& tensor) const {
  WEFT_LET(const Output o, outputOf(tensor));
  const Node& node = *graph.node(o.node);
  const bool isVariable = isRef(graph.dtype(o)) || weft::isVariable(node);
  const std::string name = graph.tensorName(o);
  if (isVariable) {
    if (!point) return failedPrecondition("The value of variable ", node.name, " can be read while a run is stopped.").ofKind(no_value::kNotStopped);
    WEFT_LET(Tensor value, graph.dtype(o) == DType::Resource ? point->variable(node.attrs.text("shared_name").empty() ? node.name : node.attrs.text("shared_name"))
                                                    : point->variable(node.name));
    return DebugValue{std::move(value), stop.index, {}};
  }
  const KeptOp op = store.latest(o.node);
  if (!op || size_t(o.index) >= op->outputs.size()) {
    const NodeProgress at = progress.empty() ? NodeProgress::None : progress[size_t(o.node)];
    if (at == NodeProgress::Dead) return notFound(name, " has no value: it lies on a branch that was not taken.").ofKind(no_value::kNotTaken);
    if (at == NodeProgress::None) return notFound(name, " is not needed by this run.").ofKind(no_value::kNotNeeded);
    return notFound(name, " is not computed yet.").ofKind(no_value::kNotComputed);
  }
  if (op->outputs[size_t(o.index)].hasValue()) return DebugValue{op->outputs[size_t(o.index)], op->index, op->loops};
  if (op->forgotten)
    return notFound(name, " was computed, but its value is not kept any more: the limit of ", options.keepBytes >> 20, " MB is reached.")
        .ofKind(no_value::kNotKept);
  return notFound(name, " has no value: it lies on a branch that was not taken.").ofKind(no_value::kNotTaken);
}

Result<DebugValue> Debugger::Impl::read(const std::string& tensor) {
  std::string variable;
  int64_t index = 0;
  {
    const MutexLock lock(mutex);
    WEFT_LET(const Output o, outputOf(tensor));
    variable = variableOf(o);
    if (variable.empty() || !notStopped().ok()) return valueOf(tensor);
    index = stop.index;
  }
  WEFT_LET(Tensor value, atPoint([&](StepPoint& p) { return p.variable(variable); }));
  return DebugValue{std::move(value), index, {}};
}

Result<DebugValue> Debugger::value(const std::string& tensor) const { return impl_->read(tensor); }

Result<std::vector<DebugValue>> Debugger::values(const std::string& tensor) const {
  const MutexLock lock(impl_->mutex);
  WEFT_LET(const Output o, impl_->outputOf(tensor));
  std::vector<DebugValue> out;
  for (const KeptOp& op : impl_->store.all(o.node))
    if (size_t(o.index) < op->outputs.size()) out.push_back({op->outputs[size_t(o.index)], op->index, op->loops});
  return out;
}

DebugHistory Debugger::history(const std::string& tensor) const {
  constexpr size_t kMostMoments = 400;
  DebugHistory out;
  const auto all = values(tensor);
  if (!all.ok()) return out;
  if (all->size() >= 2 && (*all)[all->size() - 2].tensor.hasValue()) out.earlier = (*all)[all->size() - 2];
  if (all->size() < 2 || all->front().loops.empty()) return out;
  for (size_t i = all->size() > kMostMoments ? all->size() - kMostMoments : 0; i < all->size(); ++i) {
    const DebugValue& v = (*all)[i];
    if (!v.tensor.hasValue()) continue;
    const TensorStatistics s = statisticsOf(v.tensor);
    if (s.isNumeric) out.moments.push_back({v.loops.back().iteration, s.min, s.mean, s.max, s.nans + s.infinities() == 0});
  }
  return out;
}

Result<DebugValue> Debugger::previousRunValue(const std::string& tensor) const {
  const MutexLock lock(impl_->mutex);
  WEFT_LET(const Output o, impl_->outputOf(tensor));
  const KeptOp op = impl_->previous.latest(o.node);
  if (!op || size_t(o.index) >= op->outputs.size() || !op->outputs[size_t(o.index)].hasValue())
    return notFound("There is no value of ", tensor, " from the run before.").ofKind(no_value::kNoEarlierRun);
  return DebugValue{op->outputs[size_t(o.index)], op->index, op->loops};
}

std::string Debugger::Impl::textOf(const Tensor& t) const {
  if (!t.hasValue()) return "no value";
  if (t.elements() <= 6 || sizeOf(t.dtype()) == 0) {
    if (t.rank() <= 1 && isFloating(t.dtype())) {
      std::ostringstream out;
      out.precision(5);
      for (int64_t i = 0; i < t.elements(); ++i) out << (i ? " " : "") << t.asDouble(i);
      return t.rank() == 0 ? out.str() : "[" + out.str() + "]";
    }
    const std::string whole = t.toString(8);  // "int32 [2] [1 2]"
    const size_t value = whole.find("] ");
    return value == std::string::npos ? whole : whole.substr(value + 2);
  }
  const TensorStatistics s = statisticsOf(t);
  if (!s.isNumeric) return t.toString(4);
  std::ostringstream out;
  out.precision(4);
  out << "mean " << s.mean << ", std " << s.std;
  if (s.nans) out << ", " << s.nans << " NaN";
  if (s.infinities()) out << ", " << s.infinities() << " inf";
  return out.str();
}

Result<std::string> Debugger::evaluate(const std::string& expression) const {
  std::string tensor = expression;
  std::optional<Quantity> quantity;
  if (const size_t open = expression.find('('); open != std::string::npos) {
    quantity = quantityNamed(expression.substr(0, open));
    if (!quantity || expression.back() != ')') return invalidArgument(expression, ": expected NAME, NAME[1,2] or a quantity such as mean(NAME)");
    tensor = expression.substr(open + 1, expression.size() - open - 2);
  }
  std::vector<int64_t> at;
  if (const size_t bracket = tensor.find('['); bracket != std::string::npos) {
    std::istringstream in(tensor.substr(bracket + 1));
    char sign = ',';
    int64_t i = 0;
    while (sign == ',' && in >> i >> sign) at.push_back(i);
    if (sign != ']') return invalidArgument(expression, ": expected positions such as [1,2] behind the name");
    tensor.resize(bracket);
  }
  WEFT_LET(DebugValue v, impl_->read(tensor));
  Tensor t = std::move(v.tensor);
  if (!at.empty()) {
    if (int(at.size()) > t.rank()) return outOfRange(tensor, " has rank ", t.rank(), ", not ", at.size());
    for (const int64_t i : at) {
      if (i < 0 || i >= t.dim(0)) return outOfRange(tensor, ": position ", i, " lies outside of 0 to ", t.dim(0) - 1);
      t = t.rows(i, i + 1);
      std::vector<int64_t> rest(t.shape().dims().begin() + 1, t.shape().dims().end());
      t = t.reshaped(Shape(rest));
    }
  }
  if (!quantity) return impl_->textOf(t);
  const auto number = quantityOf(*quantity, t, statisticsOf(t));
  if (!number) return std::string("none");
  std::ostringstream out;
  out.precision(6);
  out << *number;
  return out.str();
}

std::string Debugger::Impl::variableOf(Output tensor) const {
  const Node& node = *graph.node(tensor.node);
  if (!weft::isVariable(node) || isRef(graph.dtype(tensor))) return isRef(graph.dtype(tensor)) ? node.name : std::string();
  const std::string shared = node.attrs.text("shared_name");
  return shared.empty() ? node.name : shared;
}

/// Earlier reads of a reference variable show the new value too.
void Debugger::Impl::showVariable(Output tensor, const Tensor& value) {
  for (const KeptOp& op : std::vector<KeptOp>(store.ops())) {
    const Node& reader = *graph.node(op->node);
    const bool reads = roleOf(reader) == OpRole::Identity && reader.inputs[0] == tensor && op->index >= 0 && isRef(graph.dtype(tensor));
    if (reads && op->outputs[0].hasValue() && op->outputs[0].shape() == value.shape()) store.replace(op->node, 0, value);
  }
}

Status Debugger::Impl::put(Output tensor, const std::string& variable, const Tensor& value) {
  WEFT_TRY(atPoint([&](StepPoint& p) { return variable.empty() ? p.setTensor(tensor, value) : p.setVariable(variable, value); }));
  const MutexLock lock(mutex);
  if (variable.empty()) store.replace(tensor.node, tensor.index, value);
  else showVariable(tensor, value);
  return {};
}

Status Debugger::setValue(const std::string& tensor, const Tensor& value) {
  Impl& d = *impl_;
  std::optional<Impl::Change> change;
  {
    const MutexLock lock(d.mutex);
    WEFT_TRY(d.notStopped());
    WEFT_LET(const Output o, d.outputOf(tensor));
    change = Impl::Change{d.stop.index, d.stop.computed, o, d.variableOf(o), false, value, {}};
  }
  const Output o = change->tensor;
  if (auto before = d.read(tensor); before.ok()) change->before = std::move(before->tensor);
  const Status set = d.put(o, change->variable, value);
  const MutexLock lock(d.mutex);
  if (set.ok()) {
    d.changes.push_back(std::move(*change));
    return {};
  }
  WEFT_TRY(d.notStopped());
  const NodeProgress at = d.progress[size_t(o.node)];
  const bool comes = at == NodeProgress::Pending || (o.node == d.stop.node && !d.stop.computed);
  if (set.code() != Code::NotFound || !comes || !change->variable.empty()) return set;
  if (baseType(d.graph.dtype(o)) != value.dtype())
    return invalidArgument("Tensor ", tensor, " is ", dtypeName(baseType(d.graph.dtype(o))), ", not ", dtypeName(value.dtype()));
  change->waits = true;
  change->before = {};
  d.waiting[o] = value;
  d.changes.push_back(std::move(*change));
  return {};
}

Status Debugger::clearValue(const std::string& tensor) {
  Impl& d = *impl_;
  Output o;
  std::string variable;
  Tensor before;
  const auto same = [&](const Impl::Change& c) { return variable.empty() ? c.variable.empty() && c.tensor == o : c.variable == variable; };
  bool waited = false;
  {
    const MutexLock lock(d.mutex);
    WEFT_TRY(d.notStopped());
    WEFT_LET(o, d.outputOf(tensor));
    variable = d.variableOf(o);
    const auto first = std::find_if(d.changes.begin(), d.changes.end(), same);
    if (first == d.changes.end()) return notFound(tensor, " was not set by hand in this run.");
    waited = d.waiting.erase(o) > 0;
    before = first->before;
    if (!waited && !before.hasValue())
      return failedPrecondition(tensor, " has no value of its own here: it had none when it was set, or has been computed since. Step back to before its op.");
  }
  if (!waited) WEFT_TRY(d.put(o, variable, before));
  const MutexLock lock(d.mutex);
  std::erase_if(d.changes, same);
  return {};
}

}  // namespace weft
