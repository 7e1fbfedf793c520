#include "views/breakpoints/breakpoints_view.h"

#include <QEvent>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLineEdit>
#include <QStackedWidget>
#include <QToolButton>
#include <QTreeWidget>
#include <QVBoxLayout>
#include <algorithm>

#include "common/empty_state.h"
#include "common/icons.h"
#include "common/name_delegate.h"
#include "common/theme.h"
#include "document/debug_controller.h"
#include "document/document.h"
#include "document/program_debug.h"
#include "document/workspace.h"
#include "graph_view/graph_view.h"
#include "shell/action_registry.h"
#include "shell/shell.h"

namespace weft::app {
namespace {

constexpr int kLogWidth = 64, kLeastPlace = 72, kLeastCondition = 56, kRoomyPlace = 120, kRoomyCondition = 110;
enum Column { kPlace, kCondition, kHits, kFrom, kLog, kColumns };
const char* const kAnyOp = "*";
constexpr int kFileRole = Qt::UserRole + 2, kLineRole = Qt::UserRole + 3;  // for a breakpoint at a line of a program

bool isOfLine(const QTreeWidgetItem* item) { return item->data(kPlace, kLineRole).toInt() > 0; }

Breakpoint read(const QTreeWidgetItem* item) {
  Breakpoint b;
  b.id = item->data(kPlace, Qt::UserRole).toInt();
  b.place = item->data(kPlace, Qt::UserRole + 1).toString().toStdString();
  b.condition = item->text(kCondition).trimmed().toStdString();
  b.log = item->text(kLog).trimmed().toStdString();
  b.fromHit = std::max<int64_t>(1, item->text(kFrom).toLongLong());
  b.enabled = item->checkState(kPlace) == Qt::Checked;
  return b;
}

/// Shortens `rnn/cell/tanh` to `tanh`, and `rnn/cell/` to `cell/`; the tooltip has the full name.
QString shortPlace(const QString& place) {
  const qsizetype slash = place.lastIndexOf(u'/', place.endsWith(u'/') ? -2 : -1);
  return place.mid(slash + 1);
}

/// Name and condition share the width left by the other columns. In a narrow dock, columns without values are hidden for them.
void fitColumns(QTreeWidget* list) {
  QHeaderView* header = list->header();
  bool late = false, logs = false;
  for (int i = 0; i < list->topLevelItemCount(); ++i) {
    if (isOfLine(list->topLevelItem(i))) continue;
    const Breakpoint b = read(list->topLevelItem(i));
    late = late || b.fromHit > 1;
    logs = logs || !b.log.empty();
  }
  for (const int c : {kFrom, kLog}) header->setSectionHidden(c, false);
  const auto freed = [&] {
    int width = list->viewport()->width();
    for (const int c : {kHits, kFrom, kLog}) width -= header->sectionSize(c);  // 0 when it is hidden
    return width;
  };
  const int wanted = kRoomyPlace + kRoomyCondition;
  if (freed() < wanted && !logs) header->setSectionHidden(kLog, true);
  if (freed() < wanted && !late) header->setSectionHidden(kFrom, true);
  const int free = freed(), place = std::max(kLeastPlace, free * kRoomyPlace / wanted);
  header->resizeSection(kPlace, place);
  header->resizeSection(kCondition, std::max(kLeastCondition, free - place));
}

}  // namespace

BreakpointsView::BreakpointsView(const ViewContext& context, QWidget* parent) : QWidget(parent), context_(context) {
  setProperty("helpPage", QStringLiteral("debugging"));
  list_ = new QTreeWidget(this);
  list_->setColumnCount(kColumns);
  list_->setRootIsDecorated(false);
  list_->setUniformRowHeights(true);
  list_->setAllColumnsShowFocus(true);
  widgets::elideNames(list_);
  list_->setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed);
  list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  list_->installEventFilter(this);
  QHeaderView* header = list_->header();
  header->setStretchLastSection(false);
  header->setMinimumSectionSize(30);
  for (const int c : {kHits, kFrom}) header->setSectionResizeMode(c, QHeaderView::ResizeToContents);
  header->resizeSection(kLog, kLogWidth);
  auto* bar = new QHBoxLayout;
  bar->setContentsMargins(8, 6, 8, 6);
  bar->setSpacing(4);
  place_ = new QLineEdit(this);
  place_->setFont(widgets::Theme::current().monoFont());
  add_ = new QToolButton(this);
  add_->setIcon(widgets::icon(QStringLiteral("plus")));
  nan_ = new QToolButton(this);
  nan_->setIcon(widgets::icon(QStringLiteral("nan")));
  remove_ = new QToolButton(this);
  remove_->setIcon(widgets::icon(QStringLiteral("trash")));
  bar->addWidget(place_, 1);
  bar->addWidget(add_);
  bar->addWidget(nan_);
  bar->addWidget(remove_);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  stack_ = new QStackedWidget(this);
  empty_ = new widgets::EmptyState(QStringLiteral("record"), {}, {}, stack_);
  stack_->addWidget(list_);
  stack_->addWidget(empty_);
  layout->addWidget(stack_, 1);
  layout->addLayout(bar);

  connect(place_, &QLineEdit::returnPressed, this, &BreakpointsView::add);
  connect(add_, &QToolButton::clicked, this, &BreakpointsView::add);
  connect(remove_, &QToolButton::clicked, this, &BreakpointsView::removeCurrent);
  connect(nan_, &QToolButton::clicked, this, [this] {
    Document* document = context_.workspace.current();
    if (!document) return;
    Breakpoint b;
    b.place = kAnyOp;
    b.condition = "has nan";
    const QString error = context_.workspace.debugger().setBreakpoint(document, b);
    if (!error.isEmpty()) context_.shell.showError(error);
  });
  connect(list_, &QTreeWidget::itemChanged, this, [this](QTreeWidgetItem* item) { edited(item); });
  connect(list_, &QTreeWidget::itemClicked, this, [this](QTreeWidgetItem* item) {
    if (isOfLine(item)) {
      const CommandResult shown =
          context_.actions.run(QStringLiteral("program.line"), {item->data(kPlace, kFileRole).toString(), item->data(kPlace, kLineRole).toString()});
      if (!shown.ok) context_.shell.showError(shown.message);
      return;
    }
    QString name = item->data(kPlace, Qt::UserRole + 1).toString().section(u':', 0, 0);
    if (name.endsWith(u'/')) name.chop(1);
    if (name != QLatin1String(kAnyOp) && context_.shell.canvas()) context_.shell.canvas()->selectNames({name});
  });
  connect(&context.workspace.debugger(), &DebugController::breakpointsChanged, this, &BreakpointsView::refill);
  connect(&context.workspace, &Workspace::currentChanged, this, &BreakpointsView::refill);
  // Queued, because the change may come from editing a row.
  connect(&context.workspace.programDebug(), &ProgramDebug::pointsChanged, this, &BreakpointsView::refill, Qt::QueuedConnection);
  refill();
}

void BreakpointsView::refill() {
  filling_ = true;
  const int current = list_->currentItem() ? list_->currentItem()->data(kPlace, Qt::UserRole).toInt() : 0;
  list_->clear();
  list_->setHeaderLabels({tr("Where"), tr("Condition"), tr("Hits"), tr("From"), tr("Log")});
  for (const int c : {kHits, kFrom}) list_->headerItem()->setTextAlignment(c, Qt::AlignRight | Qt::AlignVCenter);
  list_->headerItem()->setToolTip(kHits, tr("How often it was reached with its condition true"));
  list_->headerItem()->setToolTip(kFrom, tr("Stops from this hit on"));
  list_->headerItem()->setToolTip(kLog, tr("Text to log instead of stopping; {mean} or {name:0} in it are replaced by values"));
  list_->setAccessibleName(tr("Breakpoints"));
  place_->setToolTip(tr("A node, a tensor (name:0), or everything in a scope (name/)"));
  place_->setPlaceholderText(tr("node or scope/"));
  place_->setAccessibleName(tr("Location of a new breakpoint"));
  add_->setToolTip(tr("Add a breakpoint there, or on the selection"));
  add_->setAccessibleName(add_->toolTip());
  remove_->setToolTip(tr("Remove this breakpoint"));
  remove_->setAccessibleName(remove_->toolTip());
  nan_->setToolTip(tr("Stop at the first op that outputs a NaN"));
  nan_->setAccessibleName(nan_->toolTip());
  const widgets::Theme& theme = widgets::Theme::current();
  const DebugController& debug = context_.workspace.debugger();
  for (const Breakpoint& b : debug.breakpoints(context_.workspace.current())) {
    const QString place = QString::fromStdString(b.place), condition = QString::fromStdString(b.condition);
    auto* item = new QTreeWidgetItem(list_);
    item->setFlags(item->flags() | Qt::ItemIsEditable | Qt::ItemIsUserCheckable);
    item->setCheckState(kPlace, b.enabled ? Qt::Checked : Qt::Unchecked);
    item->setText(kPlace, place == QLatin1String(kAnyOp) ? tr("any op") : shortPlace(place));
    item->setToolTip(kPlace, place);
    if (const QString problem = debug.problem(context_.workspace.current(), b.id); !problem.isEmpty()) {
      item->setIcon(kPlace, widgets::icon(QStringLiteral("warning"), widgets::Role::Warning));
      item->setForeground(kPlace, theme.color(widgets::Role::TextDisabled));
      item->setToolTip(kPlace, problem + u'\n' + tr("This location no longer exists; it stops again when there is one."));
    }
    item->setText(kCondition, condition);
    item->setToolTip(kCondition, condition.isEmpty() ? tr("Always. For example: has nan, abs max > 1e3, iteration == 5, step == 400") : condition);
    item->setText(kHits, QString::number(b.hits));
    item->setText(kFrom, QString::number(b.fromHit));
    item->setText(kLog, QString::fromStdString(b.log));
    for (int c = 0; c < kColumns; ++c) item->setFont(c, theme.monoSmallFont());
    for (const int c : {kHits, kFrom}) item->setTextAlignment(c, Qt::AlignRight | Qt::AlignVCenter);
    item->setData(kPlace, Qt::UserRole, b.id);
    item->setData(kPlace, Qt::UserRole + 1, place);
    if (b.id == current) list_->setCurrentItem(item);
  }
  addLines();
  const int count = list_->topLevelItemCount();
  stack_->setCurrentWidget(count > 0 ? static_cast<QWidget*>(list_) : empty_);
  empty_->setTitle(tr("No breakpoints"));
  empty_->setText(tr("B on the canvas sets one on the selected node. Double-click to change its condition."));
  fitColumns(list_);
  remove_->setEnabled(count > 0);
  context_.shell.setViewBadge(QStringLiteral("breakpoints"), count > 0 ? QString::number(count) : QString());
  filling_ = false;
}

// Adds breakpoints at lines of Python programs, of all documents, because a program makes its graphs anew.
void BreakpointsView::addLines() {
  const ProgramDebug& debug = context_.workspace.programDebug();
  const widgets::Theme& theme = widgets::Theme::current();
  for (const QString& file : debug.files())
    for (const LinePoint& p : debug.points(file)) {
      auto* item = new QTreeWidgetItem(list_);
      item->setFlags(item->flags() | Qt::ItemIsEditable);
      item->setIcon(kPlace, widgets::icon(QStringLiteral("file")));
      item->setText(kPlace, QStringLiteral("%1:%2").arg(QFileInfo(file).fileName()).arg(p.line));
      item->setToolTip(kPlace, tr("%1, line %2: pauses the Python program before it").arg(file).arg(p.line));
      item->setText(kCondition, p.condition);
      item->setToolTip(kCondition, p.condition.isEmpty() ? tr("Always. With a Python expression, stops only where it is true") : p.condition);
      for (int c = 0; c < kColumns; ++c) item->setFont(c, theme.monoSmallFont());
      item->setData(kPlace, kFileRole, file);
      item->setData(kPlace, kLineRole, p.line);
    }
}

void BreakpointsView::edited(QTreeWidgetItem* item) {
  if (!filling_ && isOfLine(item)) {
    const QString file = item->data(kPlace, kFileRole).toString();
    context_.workspace.programDebug().setPoint(file, item->data(kPlace, kLineRole).toInt(), item->text(kCondition).trimmed());
    QMetaObject::invokeMethod(this, &BreakpointsView::refill, Qt::QueuedConnection);  // only the condition can be changed
    return;
  }
  Document* document = context_.workspace.current();
  if (filling_ || !document) return;
  Breakpoint b = read(item);
  for (const Breakpoint& known : context_.workspace.debugger().breakpoints(document))
    if (known.id == b.id) b.hits = known.hits;
  const QString error = context_.workspace.debugger().setBreakpoint(document, b);
  if (error.isEmpty()) return;
  context_.shell.showError(error);
  refill();
}

void BreakpointsView::add() {
  Document* document = context_.workspace.current();
  if (!document) return;
  QString place = place_->text().trimmed();
  if (place.isEmpty()) place = document->selection().value(0);
  if (place.isEmpty()) return;
  if (!document->hasNode(place) && document->hasScope(place)) place += u'/';
  Breakpoint b;
  b.place = place.toStdString();
  const QString error = context_.workspace.debugger().setBreakpoint(document, b);
  if (!error.isEmpty()) context_.shell.showError(error);
  else place_->clear();
}

void BreakpointsView::removeCurrent() {
  QTreeWidgetItem* item = list_->currentItem();
  if (item && isOfLine(item))
    return context_.workspace.programDebug().removePoint(item->data(kPlace, kFileRole).toString(), item->data(kPlace, kLineRole).toInt());
  if (item && context_.workspace.current())
    context_.workspace.debugger().removeBreakpoint(context_.workspace.current(), item->data(kPlace, Qt::UserRole).toInt());
}

bool BreakpointsView::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::Resize)
    QMetaObject::invokeMethod(
        list_, [this] { fitColumns(list_); }, Qt::QueuedConnection);  // queued until its viewport has its size
  if (event->type() == QEvent::KeyPress && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Delete) {
    removeCurrent();
    return true;
  }
  return QWidget::eventFilter(watched, event);
}

void BreakpointsView::changeEvent(QEvent* event) {
  if (event->type() == QEvent::LanguageChange || event->type() == QEvent::PaletteChange) refill();
  QWidget::changeEvent(event);
}

const ViewRecord breakpointsView = {"breakpoints",
                                    QT_TRANSLATE_NOOP("Views", "Breakpoints"),
                                    QT_TRANSLATE_NOOP("Views", "Where and under which conditions the debugger stops"),
                                    "record",
                                    Qt::LeftDockWidgetArea,
                                    "debug+",
                                    [](const ViewContext& context, QWidget* parent) -> QWidget* { return new BreakpointsView(context, parent); }};

}  // namespace weft::app
