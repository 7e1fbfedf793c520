#include "views/outline/outline_view.h"

#include <QEvent>
#include <QHeaderView>
#include <QKeyEvent>
#include <QStackedWidget>
#include <QTimer>
#include <QTreeView>
#include <QVBoxLayout>

#include "common/empty_state.h"
#include "common/name_delegate.h"
#include "document/document.h"
#include "document/workspace.h"
#include "graph_view/graph_view.h"
#include "shell/shell.h"
#include "views/outline/outline_model.h"

namespace weft::app {

OutlineView::OutlineView(const ViewContext& context, QWidget* parent)
    : QWidget(parent), context_(context), model_(new OutlineModel(this)), stack_(new QStackedWidget(this)), tree_(new QTreeView(stack_)) {
  empty_ = new widgets::EmptyState(QStringLiteral("graph"), {}, {}, stack_);
  tree_->setObjectName(QStringLiteral("outline_tree"));
  tree_->setModel(model_);
  tree_->setUniformRowHeights(true);
  tree_->setSelectionMode(QAbstractItemView::ExtendedSelection);
  tree_->setIndentation(14);
  widgets::elideNames(tree_);
  tree_->setExpandsOnDoubleClick(false);
  tree_->header()->setStretchLastSection(false);
  tree_->header()->setSectionResizeMode(0, QHeaderView::Stretch);
  tree_->header()->resizeSection(1, 84);
  tree_->installEventFilter(this);
  stack_->addWidget(empty_);
  stack_->addWidget(tree_);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(stack_);
  setMinimumWidth(180);
  setProperty("helpPage", QStringLiteral("canvas"));
  setFocusProxy(tree_);
  connect(tree_->selectionModel(), &QItemSelectionModel::selectionChanged, this, [this] { selectOnCanvas(false); });
  // Open scopes are stored by name, because indexes change with every edit.
  connect(tree_, &QTreeView::expanded, this, [this](const QModelIndex& index) {
    if (!following_) open_.insert(model_->nameOf(model_->itemAt(index)));
  });
  connect(tree_, &QTreeView::collapsed, this, [this](const QModelIndex& index) {
    if (!following_) open_.remove(model_->nameOf(model_->itemAt(index)));
  });
  connect(tree_, &QTreeView::doubleClicked, this, [this] { selectOnCanvas(true); });
  connect(&context.workspace, &Workspace::currentChanged, this, &OutlineView::readSoon);
  connect(&context.workspace, &Workspace::currentSelectionChanged, this, [this] {
    if (isVisible() && !stale_) followCanvas();
  });
  retranslate();
}

void OutlineView::retranslate() {
  empty_->setTitle(graph_ ? tr("This graph is empty") : tr("No graph is open"));
  empty_->setText(tr("The scopes and nodes of the graph are listed here as a tree."));
  tree_->setAccessibleName(tr("Outline of the graph"));
}

void OutlineView::readSoon() {
  stale_ = true;
  if (queued_) return;
  queued_ = true;
  QTimer::singleShot(0, this, [this] {
    queued_ = false;
    if (isVisible()) read();
  });
}

void OutlineView::read() {
  if (!stale_) return;
  stale_ = false;
  Document* document = context_.workspace.current();
  widgets::GraphModel* graph = document ? document->model() : nullptr;
  if (graph_ != graph) open_.clear();
  disconnect(reset_);
  graph_ = graph;
  if (graph)
    reset_ = connect(graph, &widgets::GraphModel::structureReset, this, [this] {
      following_ = true;
      model_->read(nullptr);
      following_ = false;
      readSoon();
    });
  following_ = true;
  model_->read(graph);
  for (const QString& name : std::as_const(open_))
    if (const int scope = document->scopeIndex(name); scope >= 0) tree_->setExpanded(model_->indexOf(widgets::Item::scope(scope)), true);
  following_ = false;
  const bool any = graph && model_->rowCount() > 0;
  if (!any) retranslate();
  stack_->setCurrentWidget(any ? static_cast<QWidget*>(tree_) : empty_);
  followCanvas();
}

void OutlineView::followCanvas() {
  const Document* document = context_.workspace.current();
  if (!document || following_) return;
  following_ = true;
  QItemSelection selection;
  QModelIndex first;
  for (const QString& name : document->selection()) {
    const int node = document->nodeIndex(name);
    const QModelIndex index = model_->indexOf(node >= 0 ? widgets::Item::node(node) : widgets::Item::scope(document->scopeIndex(name)));
    if (!index.isValid()) continue;
    if (!first.isValid()) first = index;
    selection.select(index, index.siblingAtColumn(1));
  }
  tree_->selectionModel()->select(selection, QItemSelectionModel::ClearAndSelect);
  if (first.isValid()) {
    tree_->selectionModel()->setCurrentIndex(first, QItemSelectionModel::NoUpdate);
    tree_->scrollTo(first);
  }
  following_ = false;
}

void OutlineView::selectOnCanvas(bool focus) {
  widgets::GraphView* canvas = context_.shell.canvas();
  if (following_ || !canvas) return;
  following_ = true;
  QVector<widgets::Item> items;
  for (const QModelIndex& index : tree_->selectionModel()->selectedRows()) items << model_->itemAt(index);
  canvas->select(items);
  if (focus) canvas->setFocus();
  following_ = false;
}

bool OutlineView::eventFilter(QObject* watched, QEvent* event) {
  if (watched == tree_ && event->type() == QEvent::KeyPress) {
    const int key = static_cast<QKeyEvent*>(event)->key();
    if (key == Qt::Key_Return || key == Qt::Key_Enter) {
      selectOnCanvas(true);
      return true;
    }
  }
  return QWidget::eventFilter(watched, event);
}

void OutlineView::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  readSoon();
}

void OutlineView::changeEvent(QEvent* event) {
  if (event->type() == QEvent::LanguageChange) {
    retranslate();
    readSoon();
  }
  QWidget::changeEvent(event);
}

const ViewRecord outlineView = {"outline",
                                QT_TRANSLATE_NOOP("Views", "Outline"),
                                QT_TRANSLATE_NOOP("Views", "Scopes and nodes of the canvas as a tree, accessible by keyboard"),
                                "menu-dots",
                                Qt::LeftDockWidgetArea,
                                "compose inspect",
                                [](const ViewContext& context, QWidget* parent) -> QWidget* { return new OutlineView(context, parent); }};

}  // namespace weft::app
