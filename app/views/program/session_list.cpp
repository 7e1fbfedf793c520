#include "views/program/session_list.h"

#include <QEvent>
#include <QFileInfo>
#include <QHeaderView>
#include <QLabel>
#include <QLocale>
#include <QTreeWidget>
#include <QVBoxLayout>

#include "document/document.h"
#include "document/program_graphs.h"
#include "document/program_sessions.h"
#include "document/workspace.h"

namespace weft::app {
namespace {

enum Column { Name, Graph, Nodes, Steps, State };
constexpr int kRowRole = Qt::UserRole;
constexpr int kDelayMs = 100;  // a program may make many at once

}  // namespace

SessionList::SessionList(Workspace& workspace, QWidget* parent) : QWidget(parent), workspace_(workspace) {
  words_ = new QLabel(this);
  words_->setWordWrap(true);
  words_->setProperty("kind", QStringLiteral("muted"));
  words_->setContentsMargins(8, 2, 8, 4);
  list_ = new QTreeWidget(this);
  list_->setObjectName(QStringLiteral("sessions"));
  list_->setRootIsDecorated(false);
  list_->setUniformRowHeights(true);
  list_->setAllColumnsShowFocus(true);
  list_->setColumnCount(State + 1);
  list_->header()->setStretchLastSection(true);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(words_);
  column->addWidget(list_, 1);
  soon_.setSingleShot(true);
  soon_.setInterval(kDelayMs);
  connect(&soon_, &QTimer::timeout, this, &SessionList::fill);
  const auto later = [this] {
    if (isVisible() && !soon_.isActive()) soon_.start();
  };
  connect(&workspace.programGraphs().sessions(), &ProgramSessions::changed, this, later);
  connect(&workspace.programGraphs(), &ProgramGraphs::changed, this, later);
  // A click brings the session's graph to the front; Enter or a double-click opens the line that made it.
  connect(list_, &QTreeWidget::itemClicked, this, [this](QTreeWidgetItem* item) {
    bool upToDate = false;
    if (Document* document = workspace_.programGraphs().document(item->data(Graph, kRowRole).toInt(), &upToDate)) workspace_.setCurrent(document);
  });
  connect(list_, &QTreeWidget::itemActivated, this, [this](QTreeWidgetItem* item) {
    const QString file = item->data(Name, kRowRole).toString();
    if (!file.isEmpty()) emit lineChosen(file, item->data(Nodes, kRowRole).toInt());
  });
  retranslate();
}

void SessionList::retranslate() {
  words_->setText(tr(
      "A session is not a thread and holds no nodes: it stores the variable values of one graph and runs parts of it. Closing it frees these values; the graph keeps its nodes. Double-click to show the line that created it."));
  list_->setHeaderLabels({tr("Session"), tr("Its graph"), tr("Nodes"), tr("Steps"), tr("State")});
  list_->headerItem()->setToolTip(Nodes, tr("Number of nodes in the graph when the session was created. If it grows, the program keeps adding the same nodes"));
  list_->headerItem()->setToolTip(Steps, tr("How often session.run was called"));
  list_->setAccessibleName(tr("Sessions of the program"));
  fill();
}

QString SessionList::graphText(const ProgramSession& session) const {
  bool upToDate = false;
  const Document* document = workspace_.programGraphs().document(session.graph, &upToDate);
  return document ? document->title() : tr("graph %1, never run").arg(session.graph);
}

void SessionList::fill() {
  const int before = list_->currentItem() ? list_->indexOfTopLevelItem(list_->currentItem()) : -1;
  list_->clear();
  const QLocale locale;
  for (const ProgramSession& s : workspace_.programGraphs().sessions().list()) {
    const QString name = s.file.isEmpty() ? tr("%1 %2").arg(s.kind).arg(s.number)
                                          : tr("%1 %2, %3 line %4").arg(s.kind).arg(s.number).arg(QFileInfo(s.file).fileName()).arg(s.line);
    QString state = s.state == ProgramSession::State::Open     ? tr("open")
                    : s.state == ProgramSession::State::Closed ? tr("closed")
                                                               : tr("left open; ended with the program");
    if (s.isDefault) state = tr("open; the default session, used by eval() and run() of tensors and ops");
    if (!s.target.isEmpty()) state += tr("; requested %1, runs here").arg(s.target);
    auto* item = new QTreeWidgetItem(list_, {name, graphText(s), locale.toString(s.nodesThen), locale.toString(s.steps), state});
    item->setData(Name, kRowRole, s.file);
    item->setData(Graph, kRowRole, s.graph);
    item->setData(Nodes, kRowRole, s.line);
    item->setToolTip(Name, s.file);
    for (const int c : {Nodes, Steps}) item->setTextAlignment(c, Qt::AlignRight | Qt::AlignVCenter);
  }
  for (const int c : {Name, Graph, Nodes, Steps}) list_->resizeColumnToContents(c);
  if (before >= 0 && before < list_->topLevelItemCount()) list_->setCurrentItem(list_->topLevelItem(before));
}

void SessionList::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  fill();
}

void SessionList::changeEvent(QEvent* event) {
  if (event->type() == QEvent::LanguageChange) retranslate();
  QWidget::changeEvent(event);
}

}  // namespace weft::app
