#include "views/watch/watch_view.h"

#include <QEvent>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLineEdit>
#include <QStackedWidget>
#include <QTreeWidget>
#include <QVBoxLayout>

#include "common/empty_state.h"
#include "common/icons.h"
#include "common/name_delegate.h"
#include "common/theme.h"
#include "document/debug_controller.h"
#include "document/document.h"
#include "document/workspace.h"
#include "shell/action_registry.h"
#include "shell/shell.h"

namespace weft::app {
namespace {
enum Column { kExpression, kValue };
}

WatchView::WatchView(const ViewContext& context, QWidget* parent) : QWidget(parent), context_(context) {
  setProperty("helpPage", QStringLiteral("debugging"));
  list_ = new QTreeWidget(this);
  list_->setColumnCount(2);
  list_->setRootIsDecorated(false);
  list_->setUniformRowHeights(true);
  list_->setAllColumnsShowFocus(true);
  widgets::elideNames(list_);
  list_->setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed);
  list_->header()->resizeSection(kExpression, 130);
  list_->installEventFilter(this);
  add_ = new QLineEdit(this);
  add_->setFont(widgets::Theme::current().monoFont());
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 8);
  layout->setSpacing(6);
  stack_ = new QStackedWidget(this);
  empty_ = new widgets::EmptyState(QStringLiteral("eye"), {}, {}, stack_);
  stack_->addWidget(list_);
  stack_->addWidget(empty_);
  layout->addWidget(stack_, 1);
  auto* row = new QHBoxLayout;
  row->setContentsMargins(8, 0, 8, 0);
  row->addWidget(add_);
  layout->addLayout(row);

  connect(add_, &QLineEdit::returnPressed, this, [this] {
    QString expression = add_->text().trimmed();
    Document* document = context_.workspace.current();
    if (!document || expression.isEmpty()) return;
    if (document->hasNode(expression)) expression += QStringLiteral(":0");
    context_.workspace.debugger().addWatch(document, expression);
    add_->clear();
  });
  connect(list_, &QTreeWidget::itemChanged, this, &WatchView::edited);
  connect(list_, &QTreeWidget::itemClicked, this, [this](QTreeWidgetItem* item) {
    const QString expression = item->text(kExpression);
    if (!expression.contains(u'(') && !expression.contains(u'[')) context_.workspace.debugger().showTensor(expression);
  });
  DebugController& debug = context.workspace.debugger();
  connect(&debug, &DebugController::watchesChanged, this, &WatchView::refill);
  connect(&debug, &DebugController::stateChanged, this, &WatchView::readValues, Qt::QueuedConnection);
  connect(&context.workspace, &Workspace::currentChanged, this, &WatchView::refill);
  refill();
}

void WatchView::refill() {
  filling_ = true;
  list_->clear();
  list_->setHeaderLabels({tr("Expression"), tr("Value")});
  list_->setAccessibleName(tr("Watch list"));
  list_->setToolTip(tr("Double-click a value to change it; Delete removes a row"));
  add_->setPlaceholderText(tr("name:0 or mean(name:0)"));
  add_->setAccessibleName(tr("New expression"));
  add_->setToolTip(tr("A tensor, one of its elements, or min, max, mean, std, norm, nans … of it"));
  for (const QString& expression : context_.workspace.debugger().watches(context_.workspace.current())) {
    auto* item = new QTreeWidgetItem(list_, {expression, QString()});
    item->setFlags(item->flags() | Qt::ItemIsEditable);
    item->setToolTip(kExpression, expression);
    for (const int c : {kExpression, kValue}) item->setFont(c, widgets::Theme::current().monoFont());
  }
  stack_->setCurrentWidget(list_->topLevelItemCount() > 0 ? static_cast<QWidget*>(list_) : empty_);
  empty_->setTitle(tr("Nothing is watched"));
  empty_->setText(tr("Expressions added below are shown here whenever the debugger stops. Their values can be changed."));
  filling_ = false;
  readValues();
}

void WatchView::readValues() {
  DebugController& debug = context_.workspace.debugger();
  if (!isVisible() || list_->topLevelItemCount() == 0 || !debug.hasValues() || (!debug.isStopped() && debug.isActive())) return;
  const QStringList expressions = debug.watches(context_.workspace.current());
  debug.readWatches(expressions, [this, expressions, guard = QPointer<WatchView>(this)](const QVector<QPair<QString, bool>>& values) {
    if (!guard) return;
    filling_ = true;
    for (int i = 0; i < std::min<int>(list_->topLevelItemCount(), int(values.size())); ++i) {
      QTreeWidgetItem* item = list_->topLevelItem(i);
      if (item->text(kExpression) != expressions.value(i)) continue;
      const bool changed = !item->text(kValue).isEmpty() && item->text(kValue) != values[i].first;
      item->setText(kValue, values[i].second ? values[i].first : QStringLiteral("–"));
      item->setToolTip(kValue, values[i].first);
      QString tensor = expressions[i].section(u'(', -1).section(u')', 0, 0).section(u'[', 0, 0);
      const QStringList set = context_.workspace.debugger().state().changed();
      const bool byHand = set.contains(tensor) || set.contains(tensor.section(u':', 0, 0));
      item->setIcon(kExpression, byHand ? widgets::icon(QStringLiteral("mark"), widgets::Role::Accent) : QIcon());
      item->setToolTip(kExpression, byHand ? tr("%1: set by hand").arg(expressions[i]) : expressions[i]);
      const widgets::Theme& theme = widgets::Theme::current();
      item->setForeground(kValue, values[i].first.contains(QLatin1String("nan"), Qt::CaseInsensitive) && values[i].second
                                      ? theme.color(widgets::Role::Nan)
                                      : theme.color(changed            ? widgets::Role::Accent
                                                    : values[i].second ? widgets::Role::Text1
                                                                       : widgets::Role::Text3));
    }
    filling_ = false;
  });
}

void WatchView::edited(QTreeWidgetItem* item, int column) {
  if (filling_) return;
  Document* document = context_.workspace.current();
  DebugController& debug = context_.workspace.debugger();
  const QStringList before = debug.watches(document);
  const int row = list_->indexOfTopLevelItem(item);
  if (column == kExpression) {
    debug.removeWatch(document, before.value(row));
    debug.addWatch(document, item->text(kExpression).trimmed());
    return;
  }
  const CommandResult result = context_.actions.run(QStringLiteral("debug.set"), {item->text(kExpression), item->text(kValue)});
  if (!result.ok) context_.shell.showError(result.message);
  readValues();
}

bool WatchView::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::KeyPress && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Delete && list_->currentItem()) {
    context_.workspace.debugger().removeWatch(context_.workspace.current(), list_->currentItem()->text(kExpression));
    return true;
  }
  return QWidget::eventFilter(watched, event);
}

void WatchView::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  readValues();
}

void WatchView::changeEvent(QEvent* event) {
  if (event->type() == QEvent::LanguageChange || event->type() == QEvent::PaletteChange) refill();
  QWidget::changeEvent(event);
}

const ViewRecord watchView = {"watch",
                              QT_TRANSLATE_NOOP("Views", "Watch"),
                              QT_TRANSLATE_NOOP("Views", "Values of tensors and expressions during debugging"),
                              "eye",
                              Qt::LeftDockWidgetArea,
                              "debug+",
                              [](const ViewContext& context, QWidget* parent) -> QWidget* { return new WatchView(context, parent); }};

}  // namespace weft::app
