#include "views/problems/problems_view.h"

#include <QEvent>
#include <QHash>
#include <QHeaderView>
#include <QStackedWidget>
#include <QTreeWidget>
#include <QVBoxLayout>

#include "adapters/fix_offers.h"
#include "common/empty_state.h"
#include "common/icons.h"
#include "common/name_delegate.h"
#include "common/theme.h"
#include "document/document.h"
#include "document/file_tab.h"
#include "document/front.h"
#include "document/workspace.h"
#include "graph_view/graph_view.h"
#include "shell/action_registry.h"
#include "shell/shell.h"

namespace weft::app {
namespace {
enum Column { kWhat, kWhere, kColumns };
}

ProblemsView::ProblemsView(const ViewContext& context, QWidget* parent) : QWidget(parent), context_(context) {
  stack_ = new QStackedWidget(this);
  list_ = new QTreeWidget(stack_);
  list_->setRootIsDecorated(false);
  list_->setIndentation(18);
  list_->setAccessibleName(tr("Problems"));
  list_->setUniformRowHeights(true);
  list_->setAllColumnsShowFocus(true);
  widgets::elideNames(list_);
  list_->setColumnCount(kColumns);
  list_->header()->setStretchLastSection(false);
  list_->header()->setSectionResizeMode(kWhat, QHeaderView::Stretch);
  list_->header()->resizeSection(kWhere, 240);
  empty_ = new widgets::EmptyState(QStringLiteral("check"), {}, {}, stack_);
  stack_->addWidget(empty_);
  stack_->addWidget(list_);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(stack_);

  const auto reveal = [this](QTreeWidgetItem* item) {
    const QString node = item ? item->data(kWhat, Qt::UserRole).toString() : QString();
    if (!node.isEmpty() && context_.shell.canvas()) context_.shell.canvas()->selectNames({node});
  };
  connect(list_, &QTreeWidget::currentItemChanged, this, reveal);
  connect(list_, &QTreeWidget::itemClicked, this, reveal);
  connect(list_, &QTreeWidget::itemActivated, this, [this](QTreeWidgetItem* item) {
    const QStringList words = item ? item->data(kWhat, Qt::UserRole + 1).toStringList() : QStringList();
    if (words.isEmpty()) return;
    // Queued, because the edit refills the list, which must not happen within its signal.
    QMetaObject::invokeMethod(
        this,
        [this, words] {
          const CommandResult result = context_.actions.run(QStringLiteral("problems.fix"), words);
          if (!result.ok) context_.shell.showError(result.message);
        },
        Qt::QueuedConnection);
  });
  connect(&context.workspace, &Workspace::currentChanged, this, &ProblemsView::refill);
  connect(&context.workspace, &Workspace::contentsChanged, this, &ProblemsView::refill);
  connect(&context.workspace, &Workspace::textsChanged, this, &ProblemsView::refill);
  refill();
}

void ProblemsView::refill() {
  const QSignalBlocker quiet(list_);
  list_->clear();
  list_->setHeaderLabels({tr("Problem"), tr("Where")});
  const Document* document = documentInFront(context_.workspace);
  const FileTab* file = context_.workspace.currentFile();
  const QVector<Problem> problems = document ? document->problems() : QVector<Problem>();
  QHash<QPair<QString, QString>, int> offered;  // by node and code: problems.fix counts over all of them
  for (const Problem& p : problems) {
    int& before = offered[{p.node, p.code}];
    auto* item = new QTreeWidgetItem(list_);
    const QString said = engineWords(*document->contents(), p.node);
    const bool error = p.severity == Problem::Severity::Error, warning = p.severity == Problem::Severity::Warning;
    item->setIcon(kWhat, error     ? widgets::icon(QStringLiteral("error"), widgets::Role::Error)
                         : warning ? widgets::icon(QStringLiteral("warning"), widgets::Role::Warning)
                                   : widgets::icon(QStringLiteral("info"), widgets::Role::Info));
    item->setText(kWhat, p.message);
    item->setToolTip(kWhat, p.message + QStringLiteral("\n") + (said.isEmpty() || said == p.message ? p.code : tr("TensorFlow says: %1").arg(said)));
    item->setText(kWhere, p.node);
    item->setToolTip(kWhere, p.node);
    item->setFont(kWhere, widgets::Theme::current().monoFont());
    item->setData(kWhat, Qt::UserRole, p.node);
    // The fixes follow, one line each: a double-click or Enter applies one.
    for (qsizetype i = 0; i < p.fixes.size(); ++i) {
      auto* fix = new QTreeWidgetItem(item);
      fix->setIcon(kWhat, widgets::icon(QStringLiteral("check"), widgets::Role::Accent));
      fix->setText(kWhat, p.fixes[i]);
      fix->setToolTip(kWhat, p.fixCommands[i].join(u' '));
      fix->setData(kWhat, Qt::UserRole, p.node);
      fix->setData(kWhat, Qt::UserRole + 1, QStringList{p.node, p.code, QString::number(before + i + 1)});
    }
    before += int(p.fixes.size());
    item->setExpanded(true);
  }
  const bool damaged = file && !file->contents()->problem.isEmpty();
  empty_->setTitle(damaged ? tr("%1 is incomplete").arg(file->title()) : document || file ? tr("No problems") : tr("No graph is open"));
  empty_->setText(damaged    ? file->contents()->problem
                  : file     ? tr("%1 was read completely.").arg(file->title())
                  : document ? tr("Every op is known and all shapes match.")
                             : tr("Unknown ops, nodes that TensorFlow would reject and shapes that do not match are listed here."));
  stack_->setCurrentWidget(problems.isEmpty() ? static_cast<QWidget*>(empty_) : list_);
  context_.shell.setViewBadge(QStringLiteral("problems"), problems.isEmpty() ? QString() : QString::number(problems.size()));
}

void ProblemsView::changeEvent(QEvent* event) {
  if (event->type() == QEvent::LanguageChange || event->type() == QEvent::PaletteChange) refill();
  QWidget::changeEvent(event);
}

const ViewRecord problemsView = {"problems",
                                 QT_TRANSLATE_NOOP("Views", "Problems"),
                                 QT_TRANSLATE_NOOP("Views", "Errors and warnings in this graph"),
                                 "warning",
                                 Qt::BottomDockWidgetArea,
                                 "compose train debug",
                                 [](const ViewContext& context, QWidget* parent) -> QWidget* { return new ProblemsView(context, parent); }};

}  // namespace weft::app
