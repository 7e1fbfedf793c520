#include "main_window/difference_marks.h"

#include <utility>

#include "document/debug_controller.h"
#include "document/document.h"

namespace weft::app {

DifferenceMarks::DifferenceMarks(Document* document, const DebugController& debugger) : QObject(document), document_(document) {
  connect(document, &Document::contentsChanged, this, &DifferenceMarks::forget);  // its nodes are new and have no marks
  connect(&debugger, &DebugController::stateChanged, this, [this, &debugger] {
    if (debugger.document() == document_ && debugger.isActive()) forget();
  });
}

DifferenceMarks* DifferenceMarks::of(const Document* document) {
  return document ? document->findChild<DifferenceMarks*>(QString(), Qt::FindDirectChildrenOnly) : nullptr;
}

void DifferenceMarks::show(const GraphDifference& difference, const QString& other) {
  clear();
  difference_ = difference;
  other_ = other;
  tint(true);
  emit changed();
}

void DifferenceMarks::clear() {
  if (!isShown()) return;
  tint(false);
  forget();
}

void DifferenceMarks::forget() {
  if (!isShown()) return;
  difference_ = {};
  other_.clear();
  emit changed();
}

void DifferenceMarks::tint(bool on) {
  auto& nodes = document_->model()->nodes;
  const auto mark = [&](const QStringList& names, widgets::NodeTint tint) {
    for (const QString& name : names) {
      const int i = document_->nodeIndex(name);
      if (i >= 0 && size_t(i) < nodes.size()) nodes[size_t(i)].status.tint = on ? tint : widgets::NodeTint::None;
    }
  };
  mark(difference_.removed, widgets::NodeTint::Done);
  mark(difference_.changed, widgets::NodeTint::Ready);
  QStringList renamed;
  for (const auto& pair : difference_.renamed) renamed << pair.first;
  mark(renamed, widgets::NodeTint::Pending);
  emit document_->model()->statusChanged();
}

}  // namespace weft::app
