#include "views/files/files_view.h"

#include <QComboBox>
#include <QEvent>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QStackedWidget>
#include <QTimer>
#include <QTreeWidget>
#include <QVBoxLayout>
#include <functional>

#include "common/empty_state.h"
#include "common/format.h"
#include "common/icons.h"
#include "common/name_delegate.h"
#include "common/theme.h"
#include "document/checkpoint_graph.h"
#include "document/document.h"
#include "document/name_mapping.h"
#include "document/workspace.h"
#include "shell/action_registry.h"
#include "shell/shell.h"
#include "views/files/file_words.h"
#include "views/files/heading.h"
#include "views/files/match_tree.h"

namespace weft::app {
namespace {

using widgets::Role;

void setUp(QTreeWidget* tree, const char* name, int columns) {
  tree->setObjectName(QLatin1String(name));
  tree->setColumnCount(columns);
  tree->setHeaderHidden(true);
  tree->setUniformRowHeights(true);
  tree->setFrameShape(QFrame::NoFrame);
  widgets::elideNames(tree);
  tree->setIndentation(14);
  tree->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  tree->header()->setStretchLastSection(false);
  tree->header()->setSectionResizeMode(0, QHeaderView::Stretch);
  for (int c = 1; c < columns; ++c) tree->header()->setSectionResizeMode(c, QHeaderView::ResizeToContents);
}

QTreeWidget* list(QWidget* parent, const char* name, int columns) {
  auto* tree = new QTreeWidget(parent);
  setUp(tree, name, columns);
  return tree;
}

/// Makes a list as high as its contents, up to `most` rows.
void fitHeight(QTreeWidget* tree, int most) {
  int rows = 0;
  for (int i = 0; i < tree->topLevelItemCount(); ++i) rows += 1 + (tree->topLevelItem(i)->isExpanded() ? tree->topLevelItem(i)->childCount() : 0);
  tree->setFixedHeight(std::min(rows, most) * 26 + 4);
}

}  // namespace

FilesView::FilesView(const ViewContext& context, QWidget* parent) : QWidget(parent), context_(context) {
  stack_ = new QStackedWidget(this);
  empty_ = new widgets::EmptyState(QStringLiteral("folder"), {}, {}, stack_);
  auto* page = new QWidget(stack_);
  auto* column = new QVBoxLayout(page);
  column->setContentsMargins(0, 0, 0, 8);
  column->setSpacing(0);
  filesHead_ = heading(page, 10);
  scopesHead_ = heading(page, 10);
  matchHead_ = heading(page, 10);
  files_ = list(page, "file_parts", 2);
  scopes_ = list(page, "file_scopes", 2);
  match_ = new MatchTree(page);
  setUp(match_, "file_match", 1);
  copySaver_ = new QPushButton(page);
  copySaver_->setIcon(widgets::icon(QStringLiteral("copy")));
  writeMapped_ = new QPushButton(page);
  writeMapped_->setIcon(widgets::icon(QStringLiteral("save")));
  propose_ = new QPushButton(page);
  propose_->setObjectName(QStringLiteral("propose_names"));
  propose_->setIcon(widgets::icon(QStringLiteral("search")));
  undo_ = new QPushButton(page);
  undo_->setObjectName(QStringLiteral("undo_mapping"));
  undo_->setIcon(widgets::icon(QStringLiteral("undo")));
  matchText_ = new QLabel(page);
  matchText_->setObjectName(QStringLiteral("file_match_text"));
  matchText_->setWordWrap(true);
  matchText_->setContentsMargins(12, 0, 12, 6);
  column->addWidget(filesHead_);
  column->addWidget(files_);
  filesText_ = new QLabel(page);
  filesText_->setObjectName(QStringLiteral("file_part_text"));
  filesText_->setWordWrap(true);
  filesText_->setProperty("kind", QStringLiteral("muted"));
  filesText_->setContentsMargins(12, 4, 12, 4);
  column->addWidget(filesText_);
  column->addWidget(scopesHead_);
  column->addWidget(scopes_, 3);
  comparedGraph_ = new QComboBox(page);
  comparedGraph_->setObjectName(QStringLiteral("file_against"));
  comparedGraph_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  comparedGraph_->setMinimumContentsLength(8);
  auto* comparedGraphRow = new QHBoxLayout;
  comparedGraphRow->setContentsMargins(12, 0, 12, 6);
  comparedGraphRow->addWidget(comparedGraph_);
  column->addWidget(matchHead_);
  column->addLayout(comparedGraphRow);
  column->addWidget(matchText_);
  column->addWidget(match_, 2);
  auto* buttons = new QVBoxLayout;
  buttons->setContentsMargins(12, 8, 12, 0);
  buttons->setSpacing(6);
  buttons->addWidget(propose_, 0, Qt::AlignLeft);
  buttons->addWidget(undo_, 0, Qt::AlignLeft);
  buttons->addWidget(writeMapped_, 0, Qt::AlignLeft);
  buttons->addWidget(copySaver_, 0, Qt::AlignLeft);
  buttons->addStretch(1);  // else the buttons would be spread
  column->addLayout(buttons);
  column->addStretch(1);
  graph_ = list(stack_, "graph_facts", 2);
  graph_->header()->setSectionResizeMode(0, QHeaderView::Interactive);
  graph_->header()->setStretchLastSection(true);
  graph_->header()->resizeSection(0, 130);
  stack_->addWidget(empty_);
  stack_->addWidget(page);
  stack_->addWidget(graph_);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 4, 0, 0);
  layout->addWidget(stack_);
  setMinimumWidth(200);

  connect(&context.workspace, &Workspace::currentChanged, this, &FilesView::refillSoon);
  connect(scopes_, &QTreeWidget::currentItemChanged, this, [this](QTreeWidgetItem* item) {
    if (!filling_ && shown_ && item) shown_->setScope(item->data(0, Qt::UserRole).toString());
  });
  connect(files_, &QTreeWidget::itemActivated, this, [this](QTreeWidgetItem* item) {
    const QString path = item->data(0, Qt::UserRole).toString();
    if (!path.isEmpty()) context_.workspace.open(path);
  });
  connect(files_, &QTreeWidget::currentItemChanged, this, [this](QTreeWidgetItem* item) {
    const QString text = item ? item->data(1, Qt::UserRole).toString() : QString();
    filesText_->setText(text);
    filesText_->setVisible(!text.isEmpty());
  });
  connect(graph_, &QTreeWidget::currentItemChanged, this, [this](QTreeWidgetItem* item) {
    const QString node = item && !filling_ ? item->data(0, Qt::UserRole).toString() : QString();
    Document* document = context_.workspace.current();
    if (document && !node.isEmpty() && document->hasNode(node)) document->setSelection({node});
  });
  connect(graph_, &QTreeWidget::itemActivated, this, [this](QTreeWidgetItem* item) {
    const QStringList command = item->data(1, Qt::UserRole).toStringList();
    if (command.isEmpty()) return;
    const CommandResult result = context_.actions.run(command.front(), command.mid(1));
    if (!result.ok) context_.shell.showError(result.message);
  });
  connect(match_, &QTreeWidget::currentItemChanged, this, [this](QTreeWidgetItem* item) {
    if (filling_ || !item || !shown_) return;
    const QString key = item->data(0, Qt::UserRole).toString(), variable = item->data(0, MatchTree::kVariableRole).toString();
    if (!key.isEmpty()) shown_->select(shown_->tensors()->indexOf(key));
    Document* document = context_.workspace.current();
    if (!variable.isEmpty() && document && document->hasNode(variable)) document->setSelection({variable});
  });
  connect(match_, &MatchTree::mappingRequested, this, [this](const QString& variable, const QString& key) {
    const CommandResult result = context_.actions.run(QStringLiteral("inspect.map"), {variable, key.isEmpty() ? QStringLiteral("none") : key});
    if (!result.ok) context_.shell.showError(result.message);
  });
  connect(comparedGraph_, &QComboBox::activated, this, &FilesView::compareWith);
  connect(copySaver_, &QPushButton::clicked, context.actions.action(QStringLiteral("inspect.copy-saver")), &QAction::trigger);
  connect(propose_, &QPushButton::clicked, context.actions.action(QStringLiteral("inspect.propose-names")), &QAction::trigger);
  connect(undo_, &QPushButton::clicked, this, [this] { context_.actions.run(QStringLiteral("inspect.undo-map")); });
  connect(writeMapped_, &QPushButton::clicked, context.actions.action(QStringLiteral("inspect.write-mapped")), &QAction::trigger);
  refill();
}

void FilesView::refillSoon() {
  if (queued_) return;
  queued_ = true;
  QTimer::singleShot(0, this, [this] {
    queued_ = false;
    if (isVisible()) refill();
  });
}

void FilesView::refreshNow() { refill(); }

void FilesView::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  refillSoon();
}

void FilesView::refill() {
  FileTab* file = context_.workspace.currentFile();
  if (shown_ != file && file && file->tensors()) {
    connect(&NameMapping::of(*file), &NameMapping::changed, this, &FilesView::showMatch, Qt::UniqueConnection);
    connect(&NameMapping::of(*file), &NameMapping::changed, &context_.actions, &ActionRegistry::refreshSoon, Qt::UniqueConnection);
    connect(&CheckpointGraph::of(*file, context_.workspace), &CheckpointGraph::changed, this, &FilesView::refillSoon, Qt::UniqueConnection);
  }
  shown_ = file;
  empty_->setTitle(tr("The current tab is not a checkpoint or data file"));
  empty_->setText(tr("Open a checkpoint, SavedModel, record, event or array file to see the files that belong to it, its scopes and how it fits the graph."));
  stack_->setCurrentIndex(file ? 1 : context_.workspace.current() ? 2 : 0);
  if (!file) return fillGraph();
  filling_ = true;
  filesHead_->setText(tr("Files"));
  fillFiles(*file);
  fillScopes(*file);
  filling_ = false;
  fillMatch(file);
}

void FilesView::fillFiles(const FileTab& file) {
  files_->clear();
  files_->setAccessibleName(tr("Related files"));
  const FileContents& contents = *file.contents();
  const auto row = [&](const QString& name, const QString& size, const QString& path, const QString& tip, bool present) {
    auto* item = new QTreeWidgetItem(files_, {name, size});
    item->setIcon(0, present ? widgets::icon(QStringLiteral("file")) : widgets::icon(QStringLiteral("warning"), Role::Warning));
    item->setData(0, Qt::UserRole, path);
    for (int c = 0; c < 2; ++c) item->setToolTip(c, tip);
    item->setTextAlignment(1, Qt::AlignRight | Qt::AlignVCenter);
    return item;
  };
  for (const FilePart& p : contents.parts) {
    const bool own = p.role == FilePart::Role::Index || p.role == FilePart::Role::Data || p.role == FilePart::Role::CheckpointV1;
    auto* item = row(QFileInfo(p.path).fileName(), p.present ? widgets::formatBytes(p.bytes) : tr("missing"), own ? QString() : p.path,
                     QFileInfo(p.path).fileName() + u'\n' + filePartDoc(p.role), p.present);
    item->setData(1, Qt::UserRole, filePartDoc(p.role));
  }
  if (contents.parts.isEmpty()) row(QFileInfo(contents.path).fileName(), widgets::formatBytes(contents.bytes), {}, contents.path, true);
  for (const QString& prefix : contents.siblings) {
    if (prefix == contents.path) continue;
    auto* item =
        row(QFileInfo(prefix).fileName(), tr("also kept"), prefix, tr("%1\nAnother checkpoint that the state file lists; Enter opens it").arg(prefix), true);
    item->setIcon(0, widgets::icon(QStringLiteral("layers")));
    item->setData(1, Qt::UserRole, tr("Another checkpoint that the state file lists; Enter opens it"));
  }
  filesText_->hide();
  if (contents.parts.size() > 1) files_->setCurrentItem(files_->topLevelItem(0));  // selecting it shows its purpose, and that the others have one too
  fitHeight(files_, 9);
}

void FilesView::fillScopes(const FileTab& file) {
  scopes_->clear();
  scopes_->setAccessibleName(tr("Scopes of the variables"));
  const bool any = file.tensors() && file.tensors()->entries().size() > 1;
  scopesHead_->setVisible(any);
  scopes_->setVisible(any);
  scopesHead_->setText(tr("Scopes"));
  if (!any) return;
  QHash<QString, QTreeWidgetItem*> items;
  QHash<QString, qint64> elements;
  auto* all = new QTreeWidgetItem(scopes_, {tr("All"), widgets::formatCountShort(file.totalElements())});
  all->setTextAlignment(1, Qt::AlignRight | Qt::AlignVCenter);
  for (const TensorEntry& e : file.tensors()->entries()) {
    QTreeWidgetItem* parent = nullptr;
    for (qsizetype slash = e.name.indexOf(u'/'); slash > 0; slash = e.name.indexOf(u'/', slash + 1)) {
      const QString scope = e.name.left(slash);
      QTreeWidgetItem*& item = items[scope];
      if (!item) {
        item = parent ? new QTreeWidgetItem(parent) : new QTreeWidgetItem(scopes_);
        item->setText(0, widgets::lastPart(scope));
        item->setToolTip(0, scope);
        item->setData(0, Qt::UserRole, scope);
        item->setTextAlignment(1, Qt::AlignRight | Qt::AlignVCenter);
      }
      elements[scope] += e.elements;
      parent = item;
    }
  }
  for (auto it = items.begin(); it != items.end(); ++it) it.value()->setText(1, widgets::formatCountShort(elements[it.key()]));
  if (scopes_->topLevelItemCount() == 2) scopes_->topLevelItem(1)->setExpanded(true);
  scopes_->setCurrentItem(items.value(file.scope(), all));
}

void FilesView::fillGraph() {
  const Document* document = context_.workspace.current();
  if (!document) return;
  if (graphFactsOf_ == document->contents()) return showGraphFacts();
  graphFactsOf_ = document->contents();
  graphFacts_.clear();
  showGraphFacts();
  auto facts = std::make_shared<QVector<GraphFact>>();
  context_.workspace.tasks().start(
      tr("Reading the contents of %1").arg(document->title()),
      [facts, contents = document->contents(), path = document->path(), model = document->savedModel(), graph = document->savedModelGraph()](TaskState&) {
        if (model) *facts = modelFacts(*model, graph);
        *facts << graphFileFacts(*contents, path);
      },
      [this, view = QPointer<FilesView>(this), facts, contents = document->contents()] {
        if (!view || graphFactsOf_ != contents) return;
        graphFacts_ = *facts;
        showGraphFacts();
      });
}

void FilesView::showGraphFacts() {
  filling_ = true;
  graph_->clear();
  graph_->setAccessibleName(tr("Contents of the graph's file"));
  const QFont mono = widgets::Theme::current().monoSmallFont();
  const std::function<void(QTreeWidgetItem*, const GraphFact&)> add = [&](QTreeWidgetItem* parent, const GraphFact& fact) {
    auto* item = new QTreeWidgetItem({fact.name, fact.value});
    if (parent) parent->addChild(item);
    else graph_->addTopLevelItem(item);
    item->setData(0, Qt::UserRole, fact.node);
    item->setData(1, Qt::UserRole, fact.command);
    item->setFont(1, mono);
    if (!fact.command.isEmpty()) item->setIcon(0, widgets::icon(fact.kind == GraphFact::Kind::Good ? QStringLiteral("check") : QStringLiteral("file")));
    if (fact.kind == GraphFact::Kind::Warning) item->setIcon(0, widgets::icon(QStringLiteral("warning"), Role::Warning));
    const QString tip = fact.tip.isEmpty() ? fact.name + (fact.value.isEmpty() ? QString() : QStringLiteral(": ") + fact.value) : fact.name + u'\n' + fact.tip;
    item->setToolTip(0, tip);
    item->setToolTip(1, tip);
    for (const GraphFact& part : fact.parts) add(item, part);
    item->setExpanded(!parent && fact.parts.size() > 0 && fact.parts.size() <= 12);
  };
  for (const GraphFact& fact : std::as_const(graphFacts_)) add(nullptr, fact);
  filling_ = false;
}

void FilesView::changeEvent(QEvent* event) {
  if (event->type() == QEvent::LanguageChange) graphFactsOf_ = nullptr;
  if (event->type() == QEvent::LanguageChange || event->type() == QEvent::PaletteChange) refillSoon();
  QWidget::changeEvent(event);
}

const ViewRecord filesView = {"files",
                              QT_TRANSLATE_NOOP("Views", "Files"),
                              QT_TRANSLATE_NOOP("Views", "Files that belong to the current one, and how it fits the graph"),
                              "folder",
                              Qt::LeftDockWidgetArea,
                              "inspect!",
                              [](const ViewContext& context, QWidget* parent) -> QWidget* { return new FilesView(context, parent); }};

}  // namespace weft::app
