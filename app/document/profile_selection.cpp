// What is selected in the current trace, on the canvas and in the timeline, and the canvas coloured by it.
#include <algorithm>
#include <cmath>

#include "adapters/trace_answers.h"
#include "common/format.h"
#include "document/document.h"
#include "document/profile_store.h"
#include "document/workspace.h"
#include "timeline/timeline_data.h"

namespace weft::app {

QString ProfileStore::heatText(const QString& what, double heat) const {
  if (!current_) return {};
  const QHash<QString, double>& values = what == QLatin1String("memory") ? current_->memoryOf : current_->timeOf;
  double most = 0;
  for (const double v : values) most = std::max(most, v);
  const double value = heat * heat * most;
  return what == QLatin1String("memory") ? widgets::formatBytes(qint64(value)) : widgets::formatSeconds(value / 1e9);
}

void ProfileStore::setLightsRunning(bool on) {
  lightsRunning_ = on;  // emitted even if unchanged, to clear what a script highlighted
  emit lightsRunningChanged();
}

// Rows index their slices by time, so this is one look-up per row, however long the trace is.
QStringList ProfileStore::runningAt(qint64 ns) const {
  QStringList names;
  if (!current_ || !timeline_ || ns < 0) return names;
  for (int r = 0; r < timeline_->rowCount(); ++r) {
    const int at = timeline_->row(r).at(ns, 0);
    if (at < 0) continue;
    const QString name = sliceFacts(*current_, timeline_->row(r).slices()[size_t(at)].id).node;
    if (!names.contains(name)) names << name;
  }
  return names;
}

void ProfileStore::selectSlice(int slice) {
  slice_ = slice;
  emit sliceSelected(slice);
  Document* document = workspace_.current();
  if (!document || !current_ || slice < 0) return;
  const QString node = sliceFacts(*current_, slice).node;
  if (!document->hasNode(node) || document->selection() == QStringList{node}) return;
  selecting_ = true;
  document->setSelection({node});
  selecting_ = false;
}

void ProfileStore::selectNode(const QString& node) {
  if (!current_) return;
  const QVector<int> slices = current_->slicesOf.value(node);
  if (!slices.isEmpty()) {
    selectSlice(slices.contains(slice_) ? slice_ : slices.first());
    return;
  }
  Document* document = workspace_.current();
  if (document && (document->hasNode(node) || document->hasScope(node))) document->setSelection({node});
}

void ProfileStore::selectNodes(const QStringList& nodes) {
  Document* document = workspace_.current();
  if (!current_) return;
  QStringList known;
  int slice = -1;
  for (const QString& node : nodes) {
    if (document && document->hasNode(node)) known << node;
    const QVector<int> slices = current_->slicesOf.value(node);
    if (slice < 0 && !slices.isEmpty()) slice = slices.contains(slice_) ? slice_ : slices.first();
  }
  if (slice >= 0) {
    slice_ = slice;
    emit sliceSelected(slice);
  }
  if (known.isEmpty() || document->selection() == known) return;
  selecting_ = true;
  document->setSelection(known);
  selecting_ = false;
}

void ProfileStore::selectOnCanvas(const QStringList& nodes) {
  Document* document = workspace_.current();
  if (!document) return;
  QStringList known;
  for (const QString& node : nodes)
    if (!node.isEmpty() && !known.contains(node) && (document->hasNode(node) || document->hasScope(node))) known << node;
  if (known.isEmpty() || document->selection() == known) return;
  selecting_ = true;
  document->setSelection(known);
  selecting_ = false;
}

void ProfileStore::setStep(int step) {
  if (step == step_) return;
  step_ = step;
  emit stepChanged();
}

int ProfileStore::slowestStep() const {
  if (!current_) return -1;
  const auto& steps = current_->stepTimes;
  const auto most = std::max_element(steps.begin(), steps.end(), [](const TraceStep& a, const TraceStep& b) { return a.durationNs() < b.durationNs(); });
  return most == steps.end() ? -1 : int(most - steps.begin());
}

namespace {

/// The innermost scope that contains all nodes; empty: none.
QString commonScope(const QStringList& nodes) {
  QString scope = nodes.value(0).section(u'/', 0, -2);
  for (const QString& node : nodes)
    while (!scope.isEmpty() && !node.startsWith(scope + u'/')) scope = scope.section(u'/', 0, -2);
  return scope;
}

}  // namespace

void ProfileStore::selectPart(int part) {
  if (!current_ || part < 0 || part >= current_->passes.parts.size()) return;
  const PassPart& chosen = current_->passes.parts[part];
  const QString costliest = chosen.nodes.value(0);
  const QVector<int> slices = current_->slicesOf.value(costliest);
  const qint64 from = step_ < 0 ? 0 : current_->stepTimes[size_t(step_)].startNs;
  const auto inStep = std::find_if(slices.begin(), slices.end(), [&](int s) { return sliceFacts(*current_, s).startNs >= double(from); });
  if (!slices.isEmpty()) {
    slice_ = inStep == slices.end() ? slices.first() : *inStep;
    emit sliceSelected(slice_);
  }
  Document* document = workspace_.current();
  if (!document) return;
  const QString scope = commonScope(chosen.nodes);
  const QString name = chosen.nodes.size() > 1 && document->hasScope(scope) ? scope : costliest;
  if ((!document->hasScope(name) && !document->hasNode(name)) || document->selection() == QStringList{name}) return;
  selecting_ = true;
  document->setSelection({name});
  selecting_ = false;
}

void ProfileStore::followDocument() {
  const Document* document = workspace_.current();
  if (selecting_ || !current_ || !document || document->selection().size() != 1) return;
  const QVector<int> slices = current_->slicesOf.value(document->selection().first());
  if (slices.isEmpty() || slices.contains(slice_)) return;
  slice_ = slices.first();
  emit sliceSelected(slice_);
}

QString ProfileStore::applyHeat(Document* document, const QString& what) {
  if (!current_) return tr("There is no trace yet: record one with Profile, or open one.");
  const QHash<QString, double>& values = what == QLatin1String("memory") ? current_->memoryOf : current_->timeOf;
  double most = 0;
  for (const double v : values) most = std::max(most, v);
  int known = 0;
  for (widgets::MemoryGraphModel::Node& node : document->model()->nodes) {
    const auto it = values.constFind(node.name);
    // Times span many orders of magnitude; the root keeps small ones distinguishable.
    node.heat = it == values.constEnd() || most <= 0 ? -1 : std::sqrt(*it / most);
    known += it != values.constEnd();
  }
  emit document->model()->statusChanged();
  return known > 0 ? QString() : tr("No node of this graph is in the trace %1.").arg(current_->title);
}

QString ProfileStore::applyDifference(Document* document) {
  int known = 0;
  for (widgets::MemoryGraphModel::Node& node : document->model()->nodes) {
    const auto it = comparison_->changeOf.constFind(node.name);
    node.heat = it == comparison_->changeOf.constEnd() ? -1 : (comparison_->scaled(*it) + 1) / 2;
    known += it != comparison_->changeOf.constEnd();
  }
  emit document->model()->statusChanged();
  return known > 0 ? QString() : tr("No node of this graph is in the compared traces.");
}

QString ProfileStore::differenceText(double heat) const {
  if (!comparison_) return {};
  const double change = comparison_->changeAt(2 * heat - 1);
  if (change == 0) return tr("the same");
  const QString amount = widgets::formatSeconds(std::fabs(change) / 1e9);
  return change > 0 ? tr("%1 more").arg(amount) : tr("%1 less").arg(amount);
}

}  // namespace weft::app
