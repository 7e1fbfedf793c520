#include <algorithm>

#include "debug/debugger_impl.h"
#include "weft/op_traits.h"

// The engine's side: called at each op of a run.
namespace weft {
namespace {

/// Values for a condition that is evaluated at an op.
class OpScope final : public ConditionScope {
 public:
  OpScope(const ValueStore& store, const Graph& graph, int64_t step, const std::map<Output, Shape>& lastShapes)
      : store_(store), graph_(graph), step_(step), lastShapes_(lastShapes) {}
  /// The current op: its loops, and its output `k` once it is computed.
  void at(const StepPoint& point, bool computed, int k, int64_t hits) {
    point_ = &point;
    op_ = computed ? store_.latest(point.node().id) : nullptr;
    k_ = k;
    hits_ = hits;
    statistics_.reset();
  }

  std::optional<double> value(Quantity quantity, const std::string& tensor) override {
    switch (quantity) {
      case Quantity::Step: return double(step_);
      case Quantity::Hits: return double(hits_);
      case Quantity::Iteration: return point_->loops().empty() ? std::nullopt : std::optional<double>(double(point_->loops().back().iteration));
      default: break;
    }
    if (!tensor.empty()) {
      const auto o = graph_.findOutput(tensor);
      const KeptOp op = o.ok() ? store_.latest(o->node) : nullptr;
      if (!op || size_t(o->index) >= op->outputs.size() || !op->outputs[size_t(o->index)].hasValue()) return std::nullopt;
      return quantityOf(quantity, op->outputs[size_t(o->index)], statisticsOf(op->outputs[size_t(o->index)]));
    }
    if (!op_ || size_t(k_) >= op_->outputs.size() || !op_->outputs[size_t(k_)].hasValue()) return std::nullopt;
    const Tensor& t = op_->outputs[size_t(k_)];
    if (quantity == Quantity::ShapeChanged) {
      const auto last = lastShapes_.find({op_->node, k_});
      return last != lastShapes_.end() && last->second != t.shape() ? 1.0 : 0.0;
    }
    // Most outputs have no non-finite value, which has been recorded already.
    const uint8_t bad = uint8_t(op_->nonFinite[size_t(k_)]);
    if (quantity == Quantity::NanCount && !(bad & uint8_t(NonFinite::Nan))) return 0;
    if (quantity == Quantity::InfCount && !(bad & uint8_t(NonFinite::Infinity))) return 0;
    if (!statistics_) statistics_ = statisticsOf(t);
    return quantityOf(quantity, t, *statistics_);
  }

 private:
  const ValueStore& store_;
  const Graph& graph_;
  const int64_t step_;
  const std::map<Output, Shape>& lastShapes_;
  const StepPoint* point_ = nullptr;
  KeptOp op_;
  int k_ = 0;
  int64_t hits_ = 0;
  std::optional<TensorStatistics> statistics_;
};

bool startsWith(const std::vector<LoopPlace>& loops, const std::vector<LoopPlace>& prefix, size_t length) {
  if (loops.size() < length || prefix.size() < length) return false;
  return std::equal(prefix.begin(), prefix.begin() + std::ptrdiff_t(length), loops.begin());
}

}  // namespace

std::string scopeOf(const std::string& node) {
  const size_t slash = node.rfind('/');
  return slash == std::string::npos ? std::string() : node.substr(0, slash + 1);
}

std::string placeText(const std::vector<LoopPlace>& loops) {
  std::string out;
  for (const LoopPlace& l : loops) out += concat(out.empty() ? "" : ", ", l.frame, " iteration ", l.iteration);
  return out;
}

Result<DebugPlace> DebugPlace::parse(const std::string& text) {
  DebugPlace p;
  p.name = text;
  if (text.empty()) return invalidArgument("expected the name of a node, tensor or scope, or *");
  if (text == "*") {
    p.kind = Kind::Any;
  } else if (text.back() == '/' || text.ends_with("/*")) {
    p.kind = Kind::Scope;
    if (text.back() == '*') p.name.pop_back();
  } else if (const size_t colon = text.rfind(':'); colon != std::string::npos) {
    const std::string number = text.substr(colon + 1);
    if (colon == 0 || number.empty() || number.size() > 6 || number.find_first_not_of("0123456789") != std::string::npos)
      return invalidArgument(text, " is no tensor; expected name:number");
    p.kind = Kind::Tensor;
    p.name = text.substr(0, colon);
    p.output = std::stoi(number);
  }
  return p;
}

bool DebugPlace::matches(const Node& node) const {
  switch (kind) {
    case Kind::Any: return true;
    case Kind::Scope: return node.name.starts_with(name);
    default: return node.name == name;
  }
}

Debugger::Debugger(Options options) : impl_(std::make_unique<Impl>(std::move(options))) {
  impl_->mode = impl_->options.stopAtEntry ? Impl::Mode::Op : Impl::Mode::Run;
}
Debugger::~Debugger() = default;

void Debugger::runBegins(const Graph& graph, std::span<const int> nodes) {
  {
    Impl& d = *impl_;
    const MutexLock lock(d.mutex);
    if (d.restarting) {
      d.store.clear();
      d.replaying = true;
    } else {
      d.previous = std::move(d.store);
      d.store = ValueStore(d.options.keepBytes / 2);
      d.graph = graph;
      d.changes.clear();
    }
    d.restarting = false;
    d.waiting.clear();
    d.error.clear();
    d.notReached.clear();
    d.notStepped.clear();
    d.phase = DebugPhase::Running;
    d.stop = {};
    d.progress.assign(size_t(graph.size()), NodeProgress::None);
    d.lastLoops.assign(size_t(graph.size()), {});
    for (const int id : nodes) d.progress[size_t(id)] = NodeProgress::Pending;
  }
  impl_->tell();
}

void Debugger::fed(Output tensor, const Tensor& value) {
  OpRecordOfRun op;
  op.node = tensor.node;
  op.outputs.resize(size_t(tensor.index) + 1);
  op.nonFinite.resize(size_t(tensor.index) + 1);
  op.outputs[size_t(tensor.index)] = value;
  op.nonFinite[size_t(tensor.index)] = nonFiniteIn(value);
  const MutexLock lock(impl_->mutex);
  impl_->progress[size_t(tensor.node)] = NodeProgress::Done;
  impl_->store.add(std::move(op));
}

void Debugger::dead(const Node& node, const std::vector<LoopPlace>& loops) {
  const MutexLock lock(impl_->mutex);
  impl_->progress[size_t(node.id)] = NodeProgress::Dead;
  impl_->lastLoops[size_t(node.id)] = loops;
}

StepVerdict Debugger::before(StepPoint& point) { return impl_->visit(point, false, {}); }

StepVerdict Debugger::after(StepPoint& point, const Status& status) {
  bool watched = false;
  {
    const MutexLock lock(impl_->mutex);
    watched = !impl_->detached;
  }
  if (status.ok() && watched) impl_->record(point).ok();  // a value that cannot be kept is not shown, but must not fail the run
  return impl_->visit(point, true, status);
}

void Debugger::runEnds(const Status& status) {
  {
    Impl& d = *impl_;
    const MutexLock lock(d.mutex);
    d.phase = DebugPhase::Ended;
    d.error = status.ok() ? std::string() : status.toString();
    if (d.mode == Impl::Mode::To) d.notReached = d.target.kind == DebugPlace::Kind::Tensor ? concat(d.target.name, ":", d.target.output) : d.target.name;
    if (d.mode == Impl::Mode::Goal) d.notReached = placeText(d.goalLoops);
    d.replaying = d.restarting = d.ending = false;
    // If the user was stepping, the debugger's next run stops at its beginning.
    if (d.mode == Impl::Mode::To || d.mode == Impl::Mode::Goal) d.mode = Impl::Mode::Run;
    if (d.mode != Impl::Mode::Run) d.mode = Impl::Mode::Op;
  }
  impl_->tell();
}

void Debugger::notStepped(const std::string& task) {
  const MutexLock lock(impl_->mutex);
  impl_->notStepped.push_back(task);
}

void Debugger::Impl::tell() {
  if (options.changed) options.changed();
}

/// Records the op's outputs.
Status Debugger::Impl::record(StepPoint& p) {
  OpRecordOfRun op;
  const Node& node = p.node();
  op.node = node.id;
  op.index = p.index();
  op.loops = p.loops();
  for (size_t k = 0; k < node.outputTypes.size(); ++k) {
    Tensor t;
    if (!isRef(node.outputTypes[k])) {
      WEFT_LET(t, p.output(int(k)));
    }
    op.outputs.push_back(std::move(t));
  }
  {
    const MutexLock lock(mutex);
    WEFT_TRY(store.protect(graph, node, op.outputs));
  }
  for (const Tensor& t : op.outputs) op.nonFinite.push_back(nonFiniteIn(t));
  const MutexLock lock(mutex);
  progress[size_t(node.id)] = NodeProgress::Done;
  lastLoops[size_t(node.id)] = p.loops();
  store.add(std::move(op));
  return {};
}

void Debugger::Impl::applyChanges(StepPoint& p, bool computed) {
  std::vector<Change> now;
  std::vector<std::pair<Output, Tensor>> due;  // waited for this op
  {
    const MutexLock lock(mutex);
    for (const Change& c : changes) {
      if (!replaying || c.index != p.index() || c.computed != computed) continue;
      if (c.waits) waiting[c.tensor] = c.value;
      else now.push_back(c);
    }
    for (const auto& [tensor, value] : waiting)
      if (computed && tensor.node == p.node().id) due.emplace_back(tensor, value);
  }
  for (const Change& c : now) {
    if (!c.variable.empty()) p.setVariable(c.variable, c.value).ok();
    else due.emplace_back(c.tensor, c.value);
  }
  for (const auto& [tensor, value] : due) {
    if (!p.setTensor(tensor, value).ok()) continue;
    const MutexLock lock(mutex);
    store.replace(tensor.node, tensor.index, value);
    waiting.erase(tensor);
  }
}

DebugStop Debugger::Impl::stopAt(const StepPoint& p, bool computed, StopReason reason) const {
  DebugStop s;
  s.reason = reason;
  s.node = p.node().id;
  s.name = p.node().name;
  s.op = p.node().op;
  s.computed = computed;
  s.index = p.index();
  s.loops = p.loops();
  s.task = p.task();
  return s;
}

std::optional<DebugStop> Debugger::Impl::checkMode(StepPoint& p, bool computed) {
  const auto stops = [&](bool yes, StopReason reason = StopReason::Step) -> std::optional<DebugStop> {
    if (!yes) return std::nullopt;
    return stopAt(p, computed, reason);
  };
  const auto& loops = p.loops();
  switch (mode) {
    case Mode::Run: return std::nullopt;
    case Mode::To: return stops(target.matches(p.node()) && computed == (target.kind == DebugPlace::Kind::Tensor), StopReason::Reached);
    case Mode::Goal: {
      if (goalIndex >= 0) return stops(!computed && p.index() == goalIndex);
      if (p.node().id == goalNode && loops == goalLoops) return stops(computed == goalComputed);
      // A live Exit of that loop: the loop ends before reaching that iteration.
      const size_t depth = goalLoops.size();
      const bool left = !replaying && !computed && roleOf(p.node()) == OpRole::Exit && loops.size() == depth && loops.back().frame == goalLoops.back().frame &&
                        startsWith(loops, goalLoops, depth - 1);
      if (!left) return std::nullopt;
      auto s = stops(true);
      s->message = concat(goalLoops.back().frame, " ended before iteration ", goalLoops.back().iteration);
      return s;
    }
    default: break;
  }
  if (computed) return std::nullopt;
  const std::string scope = scopeOf(p.node().name);
  switch (mode) {
    case Mode::Op: return stops(true, p.index() == 0 ? StopReason::Entry : StopReason::Step);
    case Mode::Into: return stops(scope != fromScope || loops != fromLoops);
    case Mode::Over: {
      const bool outside = fromScope.empty() || !scope.starts_with(fromScope);
      return stops(outside && startsWith(fromLoops, loops, loops.size()));
    }
    case Mode::Out: {
      if (!fromLoops.empty()) return stops(loops.size() < fromLoops.size());
      return stops(!fromScope.empty() && !scope.starts_with(fromScope) && loops.empty());
    }
    default: return std::nullopt;
  }
}

std::optional<DebugStop> Debugger::Impl::checkBreakpoints(StepPoint& p, bool computed) {
  std::vector<Point> here;
  int64_t stepNow = 0;
  {
    const MutexLock lock(mutex);
    stepNow = step;
    for (const Point& b : points)
      if (b.breakpoint.enabled && b.afterOp == computed && b.place.matches(p.node())) here.push_back(b);
  }
  std::optional<DebugStop> stopping;
  OpScope scope(ownStore(), ownGraph(), stepNow, ownLastShapes());
  for (Point& b : here) {
    // A breakpoint on a node covers all its outputs; one on a tensor only that output.
    const int first = b.place.kind == DebugPlace::Kind::Tensor ? b.place.output : 0;
    const int last = b.place.kind == DebugPlace::Kind::Tensor || !computed ? first : std::max(first, int(p.node().outputTypes.size()) - 1);
    bool holds = false;
    for (int k = first; k <= last && !holds; ++k) {
      scope.at(p, computed, k, b.breakpoint.hits + 1);
      holds = b.condition.holds(scope);
    }
    if (!holds) continue;
    bool counts = false;
    {
      const MutexLock lock(mutex);
      for (Point& kept : points) {
        if (kept.breakpoint.id != b.breakpoint.id) continue;
        counts = ++kept.breakpoint.hits >= kept.breakpoint.fromHit;
      }
    }
    if (!counts) continue;
    if (!b.breakpoint.log.empty()) {
      std::string line;
      const std::string& text = b.breakpoint.log;
      for (size_t i = 0; i < text.size();) {
        const size_t end = text[i] == '{' ? text.find('}', i) : std::string::npos;
        if (end == std::string::npos) {
          line += text[i++];
          continue;
        }
        const std::string inside = text.substr(i + 1, end - i - 1);
        const auto quantity = quantityNamed(inside);
        scope.at(p, computed, first, b.breakpoint.hits + 1);
        const auto number = quantity ? scope.value(*quantity, {}) : std::nullopt;
        if (quantity) {
          line += number ? concat(*number) : "?";
        } else {
          const MutexLock lock(mutex);
          const auto value = valueOf(inside);
          line += value.ok() ? textOf(value->tensor) : "?";
        }
        i = end + 1;
      }
      if (options.log) options.log(line);
      continue;
    }
    if (stopping) continue;
    stopping = stopAt(p, computed, StopReason::Breakpoint);
    stopping->breakpoint = b.breakpoint.id;
    stopping->message = b.breakpoint.condition;
  }
  return stopping;
}

std::optional<DebugStop> Debugger::Impl::decide(StepPoint& p, bool computed, const Status& status) {
  if (!status.ok()) {
    if (!options.stopAtErrors) return std::nullopt;
    DebugStop s = stopAt(p, true, StopReason::Failure);
    s.message = status.error().message;
    return s;
  }
  bool quiet = false;
  {
    const MutexLock lock(mutex);
    if (auto s = checkMode(p, computed)) return s;
    if (pausing && !computed) return stopAt(p, computed, StopReason::Pause);
    quiet = replaying || mode == Mode::Goal;
  }
  // While running to an iteration or back to an op, breakpoints are ignored.
  return quiet ? std::nullopt : checkBreakpoints(p, computed);
}

StepVerdict Debugger::Impl::visit(StepPoint& p, bool computed, const Status& status) {
  {
    const MutexLock lock(mutex);
    if (ending) return StepVerdict::End;
    if (detached) return StepVerdict::Go;
  }
  if (status.ok()) applyChanges(p, computed);
  std::optional<DebugStop> s = decide(p, computed, status);
  const StepVerdict out = s ? wait(p, std::move(*s)) : StepVerdict::Go;
  if (computed && status.ok() && out == StepVerdict::Go) {
    if (const KeptOp op = ownStore().latest(p.node().id)) {
      const MutexLock lock(mutex);
      for (size_t k = 0; k < op->outputs.size(); ++k)
        if (op->outputs[k].hasValue()) lastShapes[{op->node, int(k)}] = op->outputs[k].shape();
    }
  }
  return out;
}

StepVerdict Debugger::Impl::wait(StepPoint& p, DebugStop s) {
  {
    const MutexLock lock(mutex);
    stop = std::move(s);
    phase = DebugPhase::Stopped;
    point = &p;
    go = pausing = replaying = false;
    if (ending) return StepVerdict::End;
    if (detached) {  // detached since the op was examined
      phase = DebugPhase::Running;
      point = nullptr;
      return StepVerdict::Go;
    }
  }
  tell();
  StepVerdict out = StepVerdict::Go;
  {
    const MutexLock lock(mutex);
    wake.wait(mutex, [this]() WEFT_REQUIRES(mutex) { return go && users == 0; });
    go = false;
    point = nullptr;
    phase = DebugPhase::Running;
    restarting = verdict == StepVerdict::Restart;
    out = verdict;
  }
  tell();
  return out;
}

}  // namespace weft
