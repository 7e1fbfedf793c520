// The inspector's editors for attributes and parameters, and the commands that they run.
#include <QApplication>
#include <QElapsedTimer>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QPointer>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QStackedWidget>
#include <QTimer>
#include <utility>

#include "adapters/canvas_edits.h"
#include "adapters/expression_facts.h"
#include "adapters/graph_edit.h"
#include "adapters/group_facts.h"
#include "adapters/property_list.h"
#include "common/discard.h"
#include "document/document.h"
#include "document/workspace.h"
#include "property_sheet/property_editor.h"
#include "property_sheet/property_sheet.h"
#include "shell/action_registry.h"
#include "views/inspector/inspector_parts.h"
#include "views/inspector/inspector_view.h"

namespace weft::app {
namespace {

constexpr int kAskEveryMs = 20, kSliceMs = 2;

/// Polls a command that continues in the background until it ends.
void await(QObject* context, const CommandResult& result, std::function<void(const QString& error)> done) {
  if (!result.ok || !result.later) {
    done(result.ok ? QString() : result.message);
    return;
  }
  auto* timer = new QTimer(context);
  QObject::connect(timer, &QTimer::timeout, context, [timer, poll = result.later, done = std::move(done)] {
    const auto answer = poll();
    if (!answer) return;
    timer->deleteLater();
    timer->stop();
    done(answer->ok ? QString() : answer->message);
  });
  timer->start(kAskEveryMs);
}

}  // namespace

void InspectorView::showPage(QWidget* page) {
  if (coming_ != page) widgets::discard(coming_);
  coming_ = page;
  QVector<QPointer<QWidget>> parts;
  for (QWidget* part : page->findChildren<QWidget*>()) parts << part;
  prepare(page, parts, 0);
}

void InspectorView::prepare(QWidget* page, const QVector<QPointer<QWidget>>& parts, qsizetype from) {
  QElapsedTimer clock;
  clock.start();
  for (; from < parts.size() && clock.elapsed() < kSliceMs; ++from)
    if (parts[from]) parts[from]->ensurePolished();  // some may have been deleted between two slices
  // Stops if the page, or its replacement, is deleted.
  QTimer::singleShot(0, page, [this, page, parts, from] {
    if (page != coming_) return;
    if (from < parts.size()) return prepare(page, parts, from);
    coming_ = nullptr;
    place(page);
  });
}

// Every edit replaces the page, so the focused editor's focus is restored.
void InspectorView::place(QWidget* page) {
  QString focused;
  int cursor = 0;
  if (QWidget* old = shown_) {
    if (auto* field = qobject_cast<QLineEdit*>(QApplication::focusWidget()); field && old->isAncestorOf(field)) {
      focused = field->accessibleName();
      cursor = field->cursorPosition();
    } else if (QWidget* widget = QApplication::focusWidget(); widget && old->isAncestorOf(widget)) {
      focused = widget->accessibleName();
    }
  }
  const int scrolled = scroll_->verticalScrollBar()->value();
  const QString was = shown_ ? shown_->objectName() : QString();
  // The previous page is deleted later.
  if (QWidget* old = std::exchange(shown_, page)) {
    old->hide();
    pages_->layout()->removeWidget(old);
    old->deleteLater();
  }
  pages_->layout()->addWidget(page);
  page->show();
  stack_->setCurrentWidget(scroll_);
  if (page->objectName() != was) return;
  QTimer::singleShot(0, scroll_, [this, scrolled] { scroll_->verticalScrollBar()->setValue(scrolled); });
  if (focused.isEmpty()) return;
  for (QWidget* widget : page->findChildren<QWidget*>()) {
    if (widget->accessibleName() != focused || widget->focusPolicy() == Qt::NoFocus) continue;
    widget->setFocus();
    if (auto* field = qobject_cast<QLineEdit*>(widget)) field->setCursorPosition(cursor);
    break;
  }
}

QWidget* InspectorView::makeGroupPage(const QStringList& names) {
  const GraphContentsPtr& contents = context_.workspace.current()->contents();
  const QVector<widgets::Property> layers = layerProperties(*contents, names);
  const QVector<widgets::Property> instances = layers.isEmpty() ? instanceProperties(*contents, names) : QVector<widgets::Property>();
  const QVector<widgets::Property> properties = !layers.isEmpty() ? layers : !instances.isEmpty() ? instances : nodeProperties(*contents, names);
  if (properties.isEmpty()) return nullptr;
  auto* widget = newPage(QStringLiteral("page:") + names.join(u' '));
  auto* page = new QVBoxLayout(widget);
  page->setContentsMargins(12, 12, 12, 12);
  page->setSpacing(3);
  page->addWidget(label(page,
                        !instances.isEmpty() ? tr("%n instances", nullptr, int(names.size()))
                        : layers.isEmpty()   ? tr("%n nodes", nullptr, int(names.size()))
                                             : tr("%n layers", nullptr, int(names.size())),
                        "title"));
  auto* note = sentence(page,
                        !instances.isEmpty() ? tr("All are of the same group: a change applies to each of them.")
                        : layers.isEmpty()   ? tr("All have the same op: a change applies to each of them.")
                                             : tr("All are of the same kind: a change applies to each of them."),
                        "muted");
  page->addWidget(note);
  addSheet(page,
           !instances.isEmpty() ? tr("Group %1").arg(instanceFacts(*contents, names.front()).group)
           : layers.isEmpty()   ? tr("Attributes")
                                : tr("Layer %1").arg(layerDetails(*contents, names.front()).kind),
           properties, names);
  page->addStretch(1);
  return widget;
}

void InspectorView::addInstance(QVBoxLayout* page, const QString& scope) {
  const InstanceFacts instance = instanceFacts(*context_.workspace.current()->contents(), scope);
  if (!instance.found) return;
  if (!instance.doc.isEmpty()) page->addWidget(sentence(page, instance.doc));
  if (instance.parameters.isEmpty()) addHeading(page, tr("Group %1").arg(instance.group));
  addSheet(page, tr("Group %1").arg(instance.group), instance.parameters, {scope});
  if (!instance.aside.isEmpty())
    page->addWidget(sentence(page, tr("Set aside, because the group no longer takes it: %1").arg(instance.aside.join(QStringLiteral(", "))), "muted"));
  auto* row = new QHBoxLayout;
  const auto button = [&](const QString& text, const QString& tip, const char* name, const QString& id) {
    auto* made = new QPushButton(text, page->parentWidget());
    made->setObjectName(QLatin1String(name));
    made->setToolTip(tip);
    made->setMinimumWidth(1);
    connect(made, &QPushButton::clicked, this, [this, id, scope] { context_.actions.runChosen(id, {scope}); });
    row->addWidget(made);
  };
  button(tr("Update the group"), tr("Makes the inside of this instance the group's; all other instances follow"), "group_update",
         QStringLiteral("group.update"));
  button(tr("Build again"), tr("Replaces what was edited inside by the group's ops"), "group_restore", QStringLiteral("group.restore"));
  row->addStretch(1);
  page->addSpacing(4);
  page->addLayout(row);
}

void InspectorView::addSheet(QVBoxLayout* page, const QString& heading, const QVector<widgets::Property>& properties, const QStringList& names) {
  if (properties.isEmpty()) return;
  addHeading(page, heading);
  auto* sheet = new widgets::PropertySheet(page->parentWidget());
  sheet->setObjectName(QStringLiteral("property_sheet"));
  sheet->setExpressions(
      {[this, owner = names.front()](const widgets::Property& p, const QString& expression) { return trial().forField(owner + u'.' + p.name, expression); },
       [this] { return trial().words(); }});
  sheet->setProperties(properties);
  page->addWidget(sheet);
  connect(sheet, &widgets::PropertySheet::edited, this,
          [this, sheet, names](const QString& property, const QString& text) { edit(sheet, names, property, text); });
  connect(sheet, &widgets::PropertySheet::resetRequested, this, [this, sheet, names, properties](const QString& property) {
    for (const widgets::Property& p : properties)
      if (p.name == property && !p.otherwise.isNull()) edit(sheet, names, property, p.otherwise);
  });
}

InspectorView::~InspectorView() = default;

const ExpressionTrial& InspectorView::trial() {
  const GraphContentsPtr& contents = context_.workspace.current()->contents();
  if (!trial_ || trial_->contents() != contents) trial_ = std::make_unique<ExpressionTrial>(contents);
  return *trial_;
}

void InspectorView::edit(widgets::PropertySheet* sheet, const QStringList& names, const QString& property, const QString& text) {
  const QPointer<widgets::PropertySheet> asked = sheet;
  const auto done = [asked, property](const QString& error) {
    if (asked && !error.isEmpty()) asked->setProblem(property, error);
  };
  const QString setting = property + u'=' + text;
  if (names.size() == 1) {
    await(this, context_.actions.run(QStringLiteral("graph.set"), {names.front(), setting}), done);
    return;
  }
  Document* document = context_.workspace.current();
  QVector<GraphEdit> edits;
  for (const QString& name : names) {
    ParsedEdit parsed = editFromWords(QStringLiteral("graph.set"), {name, setting}, {}, document->folder());
    if (!parsed.error.isEmpty()) {
      done(parsed.error);
      return;
    }
    edits << std::move(parsed.edit);
  }
  document->apply(chainEdits(tr("Set %1 of %n nodes", nullptr, int(names.size())).arg(property), std::move(edits)), done);
}

}  // namespace weft::app
