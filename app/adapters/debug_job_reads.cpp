// Reads of a debugged run.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "adapters/debug_job_impl.h"
#include "adapters/debug_values.h"
#include "adapters/debug_words.h"
#include "adapters/tensor_source.h"
#include "support/tensor_json.h"
#include "support/value_text.h"

namespace weft::app {
namespace {

using widgets::NodeTint;

NodeTint tintOf(NodeProgress progress) {
  switch (progress) {
    case NodeProgress::Pending: return NodeTint::Pending;
    case NodeProgress::Ready: return NodeTint::Ready;
    case NodeProgress::Done: return NodeTint::Done;
    case NodeProgress::Dead: return NodeTint::Dead;
    case NodeProgress::Executing: return NodeTint::Executing;
    case NodeProgress::None: break;
  }
  return NodeTint::None;
}

}  // namespace

DebugState DebugJob::Impl::state() const {
  const Impl& job = *this;
  // Read before the view, so that an end in between is reported again.
  bool ended = job.ended;
  const DebugView v = job.debugger->view();
  if (kind == Kind::Program) ended = v.phase == DebugPhase::Ended;
  DebugState s;
  static_cast<DebugView&>(s) = v;
  s.ofTraining = kind == Kind::Steps;
  s.ofProgram = kind == Kind::Program;
  if (ended) s.phase = DebugPhase::Ended;
  else if (v.phase == DebugPhase::Idle) s.phase = DebugPhase::Starting;
  else if (v.phase == DebugPhase::Ended) s.phase = DebugPhase::Running;  // the run has ended, its thread has not
  if (ended) {
    const MutexLock lock(job.mutex);
    if (kind == Kind::Program) s.failure = text(v.error);
    if (!job.status.ok() && !(job.cancel.cancelled() && job.status.code() == Code::Cancelled)) {
      s.failure = errorText(job.status.error());
      s.failedNode = text(job.status.error().node);
    }
  }
  if (job.begun) {
    s.tints.fill(quint8(NodeTint::None), qsizetype(job.contents->arrays.nodes.size()));
    if (ended && job.cancel.cancelled()) return s;  // ended by the user: its marks no longer mean anything
    for (size_t id = 0; id < std::min(v.nodes.size(), job.modelIndex.size()); ++id)
      if (job.modelIndex[id] >= 0) s.tints[job.modelIndex[id]] = quint8(tintOf(v.nodes[id]));
  }
  return s;
}

DebugState DebugJob::state() const {
  if (!impl_->ended || !impl_->seen) return impl_->state();
  DebugState s = impl_->seen->state;
  s.phase = DebugPhase::Ended;
  const MutexLock lock(impl_->mutex);
  if (!impl_->status.ok()) {
    s.failure = errorText(impl_->status.error());
    s.failedNode = text(impl_->status.error().node);
  }
  return s;
}

QString DebugJob::evaluate(const QString& expression, bool* ok) const {
  const auto value = impl_->debugger->evaluate(expression.toStdString());
  *ok = value.ok();
  return value.ok() ? text(*value) : whyNoValue(value.error(), expression);
}

bool DebugJob::tensorJson(const QString& name, QString* json, QString* error) const {
  const auto value = impl_->debugger->value(name.toStdString());
  if (!value.ok()) {
    *error = whyNoValue(value.error(), name);
    return false;
  }
  *json = text(tensorToJson(value->tensor).dump());
  return true;
}

namespace {

/// The elementwise difference; an error for different shapes or values that are not numbers.
Result<Tensor> changeOf(const Tensor& now, const Tensor& then) {
  if (now.shape() != then.shape()) return invalidArgument("The shape was ", then.shape().toString(), " then.");
  const TensorStatistics s = statisticsOf(now);
  if (!s.isNumeric) return invalidArgument("There is no difference of ", dtypeName(now.dtype()), " values.");
  WEFT_LET(Tensor out, Tensor::allocate(DType::Double, now.shape()));
  for (int64_t i = 0; i < now.elements(); ++i) out.mutableData<double>()[i] = now.asDouble(i) - then.asDouble(i);
  return out;
}

}  // namespace

DebugTensor DebugJob::tensor(const QString& name, Which which) const {
  const DebugControl& d = *impl_->debugger;
  const std::string tensor = name.toStdString();
  DebugTensor out;
  DebugHistory history = d.history(tensor);
  Result<DebugValue> value = d.value(tensor);
  Result<DebugValue> earlier = std::move(history.earlier);
  if (which == Which::PreviousRun || which == Which::RunChange) earlier = d.previousRunValue(tensor);
  if (which == Which::PreviousIteration || which == Which::PreviousRun) value = earlier;
  if (value.ok() && (which == Which::IterationChange || which == Which::RunChange)) {
    if (!earlier.ok()) value = earlier.error();
    if (value.ok()) {
      auto change = changeOf(value->tensor, earlier->tensor);
      if (change.ok()) value->tensor = std::move(*change);
      else value = change.error();
    }
  }
  if (!value.ok()) {
    out.error = whyNoValue(value.error(), name);
    return out;
  }
  out.loops = value->loops;
  out.source = tensorSource(value->tensor);
  for (const DebugMoment& m : history.moments) out.moments << widgets::ValueMoment{m.iteration, m.min, m.mean, m.max, m.finite};
  return out;
}

DebugPorts DebugJob::ports() const { return impl_->ended && impl_->seen ? impl_->seen->ports : impl_->ports(); }

DebugPorts DebugJob::Impl::ports() const {
  DebugPorts out;
  const DebugView v = debugger->view();
  const Node* node = v.phase == DebugPhase::Stopped ? graph().find(v.stop.name) : nullptr;
  if (!node) return out;
  const auto add = [&](QVector<DebugOrigin>& list, Output o) {
    const std::string name = graph().tensorName(o);
    const auto value = debugger->value(name);
    DebugOrigin port = value.ok() ? debugValue(value->tensor) : DebugOrigin();
    if (!value.ok()) port.values = whyNoValue(value.error(), text(name));
    port.tensor = text(name);
    port.op = text(graph().node(o.node)->op);
    list << port;
  };
  for (const Output& in : node->inputs) add(out.inputs, in);
  if (v.stop.computed && v.stop.reason != StopReason::Failure)
    for (size_t k = 0; k < node->outputTypes.size(); ++k) add(out.outputs, {node->id, int(k)});
  return out;
}

namespace {

/// The ports of the stop as wires: first the inputs that have a value, then the outputs.
QVector<DebugWireValue> wiresOf(const DebugPorts& ports, const QString& node) {
  QVector<DebugWireValue> out;
  for (qsizetype i = 0; i < ports.inputs.size(); ++i)
    if (!ports.inputs[i].shape.isEmpty()) out << DebugWireValue{ports.inputs[i], node, int(i), false};
  for (qsizetype i = 0; i < ports.outputs.size(); ++i)
    if (!ports.outputs[i].shape.isEmpty()) out << DebugWireValue{ports.outputs[i], node, int(i), true};
  return out;
}

}  // namespace

QVector<DebugWireValue> DebugJob::wireValues(int most) const {
  const DebugPorts here = ports();
  if (impl_->ended) return impl_->seen ? wiresOf(here, impl_->seen->state.node()).mid(0, most) : QVector<DebugWireValue>();
  const DebugView v = impl_->debugger->view();
  if (v.phase != DebugPhase::Stopped) return {};
  QVector<DebugWireValue> out = wiresOf(here, text(v.stop.name)).mid(0, most);
  const Graph& graph = impl_->graph();
  const Node* stop = graph.find(v.stop.name);
  if (!stop) return out;
  const auto isDone = [&v](int id) { return size_t(id) < v.nodes.size() && v.nodes[size_t(id)] == NodeProgress::Done; };
  // Backwards from the stop, the nearest ops first.
  std::vector<const Node*> reached{stop};
  for (size_t at = 0; at < reached.size() && out.size() < most; ++at) {
    for (size_t i = 0; i < reached[at]->inputs.size() && out.size() < most; ++i) {
      const Output in = reached[at]->inputs[i];
      const Node* maker = graph.node(in.node);
      if (!maker || !isDone(maker->id)) continue;
      if (std::find(reached.begin(), reached.end(), maker) == reached.end()) reached.push_back(maker);
      const std::string name = graph.tensorName(in);
      const auto value = at == 0 ? Result<DebugValue>(notFound("")) : impl_->debugger->value(name);  // the stop's own inputs are already in the list
      if (!value.ok()) continue;
      DebugWireValue wire{debugValue(value->tensor), text(reached[at]->name), int(i), false};
      wire.value.tensor = text(name);
      if (!wire.value.shape.isEmpty()) out << wire;
    }
  }
  return out;
}

DebugLoopValues DebugJob::loopValues() const {
  DebugLoopValues out;
  const DebugPorts here = ports();
  for (const DebugOrigin& port : here.outputs + here.inputs) {
    const DebugHistory history = impl_->debugger->history(port.tensor.toStdString());
    if (qsizetype(history.moments.size()) <= out.moments.size()) continue;
    out.tensor = port.tensor;
    out.moments.clear();
    for (const DebugMoment& m : history.moments) out.moments << widgets::ValueMoment{m.iteration, m.min, m.mean, m.max, m.finite};
  }
  return out;
}

DebugAutopsy DebugJob::autopsy(const QString& tensor) const {
  if (tensor.isEmpty() && impl_->ended && impl_->seen) return impl_->seen->autopsy;
  DebugAutopsy out = debugAutopsy(impl_->debugger->autopsy(tensor.toStdString()), tensor);
  const MutexLock lock(impl_->mutex);
  for (const qint64 row : out.batchRows)
    if (size_t(row) < impl_->rows.size()) out.dataRows << impl_->rows[size_t(row)];
  return out;
}

}  // namespace weft::app
