#include "main_window/commit_pending_input.h"

#include <QAbstractItemView>
#include <QAbstractSpinBox>
#include <QApplication>
#include <QLineEdit>
#include <QTimer>
#include <algorithm>
#include <utility>

#include "document/document.h"
#include "document/workspace.h"
#include "shell/action_registry.h"

namespace weft::app {
namespace {

constexpr int kPollMs = 10;

/// Commands that read or close the document. Commands that change it are queued anyway, and the others do not depend on it.
bool readsTheDocument(const QString& id) {
  constexpr const char* kGroups[] = {"run.",     "file.",        "debug.",       "profile.",    "inspect.",
                                     "program.", "graph.export", "graph.freeze", "graph.probe", "graph.schedule"};
  return std::any_of(std::begin(kGroups), std::end(kGroups), [&](const char* group) { return id.startsWith(QLatin1String(group)); });
}

}  // namespace

PendingInputCommitter::PendingInputCommitter(Workspace& workspace, ActionRegistry& actions, QObject* parent) : QObject(parent), workspace_(workspace) {
  connect(&workspace, &Workspace::currentAboutToChange, this, &PendingInputCommitter::commit);
  actions.setBeforeTrigger([this](const QString& id, std::function<void()> then) {
    commit();
    readsTheDocument(id) ? afterEdits(std::move(then)) : then();
  });
}

void PendingInputCommitter::commit() {
  QWidget* focus = QApplication::focusWidget();
  if (auto* box = qobject_cast<QAbstractSpinBox*>(focus)) return box->interpretText();
  auto* field = qobject_cast<QLineEdit*>(focus);
  if (!field || !field->isModified()) return;
  if (field->property("typedCounts").toBool()) {
    emit field->editingFinished();
    return;
  }
  QWidget* port = field->parentWidget();
  auto* view = port ? qobject_cast<QAbstractItemView*>(port->parentWidget()) : nullptr;
  if (view && view->viewport() == port) QMetaObject::invokeMethod(view, "commitData", Q_ARG(QWidget*, field));
}

void PendingInputCommitter::afterEdits(std::function<void()> then) {
  const Document* document = workspace_.current();
  if (waiting_.empty() && (!document || !document->isEditing())) return then();
  waiting_.push_back(std::move(then));
  if (waiting_.size() == 1) QTimer::singleShot(kPollMs, this, &PendingInputCommitter::runWaiting);
}

void PendingInputCommitter::runWaiting() {
  const Document* document = workspace_.current();
  if (!document || !document->isEditing()) {
    const auto then = std::move(waiting_.front());
    waiting_.pop_front();
    then();
  }
  if (!waiting_.empty()) QTimer::singleShot(kPollMs, this, &PendingInputCommitter::runWaiting);
}

}  // namespace weft::app
