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
#include "shell/file_dialogs.h"
#include "shell/shell.h"
#include "views/files/file_words.h"
#include "views/files/heading.h"
#include "views/files/match_tree.h"

namespace weft::app {
namespace {

using widgets::Role;
using Fit = VariableFit::Kind;

constexpr int kMatchRows = 400;

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

const char* iconOf(Fit kind) {
  switch (kind) {
    case Fit::Fits: return "check";
    case Fit::Missing:
    case Fit::ShapeDiffers:
    case Fit::TypeDiffers: return "error";
    default: return "info";
  }
}

Role roleOf(Fit kind) { return kind == Fit::Fits ? Role::Ok : kind == Fit::Unused || kind == Fit::NotRestored ? Role::Info : Role::Error; }

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
  buttons->addWidget(writeMapped_, 0, Qt::AlignLeft);
  buttons->addWidget(copySaver_, 0, Qt::AlignLeft);
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

/// Lists the graphs that a checkpoint can be compared with: its own, the open ones, any file.
void FilesView::fillComparedGraphs(FileTab* file) {
  comparedGraph_->clear();
  comparedGraph_->setAccessibleName(tr("Graph matched with the checkpoint"));
  comparedGraph_->setToolTip(tr("Graph matched with the checkpoint: its own .meta, an open graph, or another file"));
  const bool any = file->tensors() && file->contents()->kind == QLatin1String("checkpoint");
  comparedGraph_->setVisible(any);
  if (!any) return;
  CheckpointGraph& held = CheckpointGraph::of(*file, context_.workspace);
  const QString own = CheckpointGraph::metaOf(*file);
  if (!own.isEmpty()) comparedGraph_->addItem(tr("%1 (its own)").arg(QFileInfo(own).fileName()), own);
  if (!held.path().isEmpty() && held.path() != own) comparedGraph_->addItem(QFileInfo(held.path()).fileName(), held.path());
  for (Document* document : context_.workspace.documents()) comparedGraph_->addItem(document->title(), QVariant::fromValue<QObject*>(document));
  comparedGraph_->addItem(tr("Another file…"));
  int at = held.path().isEmpty() ? -1 : comparedGraph_->findData(held.path());
  for (int i = 0; held.document() && i < comparedGraph_->count(); ++i)
    if (comparedGraph_->itemData(i).value<QObject*>() == held.document()) at = i;
  comparedGraph_->setCurrentIndex(at);
}

void FilesView::compareWith(int index) {
  if (!shown_ || index < 0) return;
  CheckpointGraph& held = CheckpointGraph::of(*shown_, context_.workspace);
  const QVariant data = comparedGraph_->itemData(index);
  if (auto* document = qobject_cast<Document*>(data.value<QObject*>())) return held.compareWith(document);
  if (!data.toString().isEmpty()) return held.compareWithFile(data.toString());
  refillSoon();  // the list keeps the present choice until a file is chosen
  askForFile(this, context_.workspace.settings(), tr("Match with a graph"), QFileInfo(shown_->path()).path(),
             tr("Graphs (*.meta *.pb *.pbtxt *.weft)") + QStringLiteral(";;") + tr("All files (*)"),
             [held = QPointer<CheckpointGraph>(&held)](const QString& path) {
               if (held) held->compareWithFile(path);
             });
}

void FilesView::fillMatch(FileTab* file) {
  fillComparedGraphs(file);
  const CheckpointGraph* held = file->tensors() ? &CheckpointGraph::of(*file, context_.workspace) : nullptr;
  const GraphContentsPtr graph = held ? held->graph() : nullptr;
  if (matchedFor_.first == file->contents() && matchedFor_.second == graph) return showMatch();
  matchedFor_ = {file->contents(), graph};
  matched_ = nullptr;
  showMatch();
  if (!graph) return;
  auto result = std::make_shared<FileMatchPtr>();
  context_.workspace.tasks().start(
      tr("Comparing names with %1").arg(held->title()), [graph, tensors = file->tensors(), result](TaskState&) { *result = matchGraph(*graph, *tensors); },
      [this, result, view = QPointer<FilesView>(this), file = QPointer<FileTab>(file), of = matchedFor_] {
        if (!view || shown_ != file || of != matchedFor_) return;
        matched_ = *result;
        showMatch();
      });
}

void FilesView::showMatch() {
  const CheckpointGraph* held = shown_ && shown_->tensors() ? &CheckpointGraph::of(*shown_, context_.workspace) : nullptr;
  const bool any = matched_ && held, failed = held && !held->error().isEmpty();
  for (QWidget* w : std::initializer_list<QWidget*>{match_, copySaver_, writeMapped_}) w->setVisible(any);
  matchHead_->setVisible(!comparedGraph_->isHidden());
  matchHead_->setText(tr("Matched with"));
  matchText_->setVisible(any || failed);
  if (failed) {
    matchText_->setStyleSheet(QStringLiteral("color: %1").arg(widgets::Theme::current().color(Role::Error).name()));
    matchText_->setText(held->error());
  }
  if (!any) return;
  const FileMatch& m = *matched_;
  QMap<QString, QString> mapped = NameMapping::of(*shown_).keys();
  mapped.removeIf([&m](const auto& it) { return !whyNotMapped(m, it.key(), it.value()).isEmpty(); });  // entries for another graph
  const int fits = m.count(Fit::Fits) + int(mapped.size()), wanted = m.wanted();
  const bool whole = wanted > 0 && fits == wanted, byName = m.canRestore && wanted > 0;
  match_->setAccessibleName(tr("Graph variables that do not match the checkpoint"));
  matchText_->setStyleSheet(QStringLiteral("color: %1").arg(widgets::Theme::current().color(whole ? Role::Ok : wanted ? Role::Error : Role::Text2).name()));
  QString text = wanted == 0 ? tr("The graph has no variables to restore.")
                 : byName    ? tr("All %n variable(s) match in name, shape and type: it can be restored.", nullptr, wanted)
                 : whole ? tr("All %n variable(s) have a value, some under other names: write a checkpoint for this graph, or copy a Saver.", nullptr, wanted)
                         : tr("%1 of %n variable(s) match; restoring would fail.", nullptr, wanted).arg(fits);
  if (!whole && wanted > 0 && m.count(Fit::Unused) > 0) text = widgets::joinSentences({text, tr("Drag a checkpoint key onto a variable to map it.")});
  matchText_->setText(text);
  writeMapped_->setVisible(whole && !byName);
  copySaver_->setVisible(wanted > 0 && !byName);
  writeMapped_->setText(tr("Write a checkpoint for this graph…"));
  writeMapped_->setToolTip(tr("Saves the values under the names that the graph restores"));
  copySaver_->setText(tr("Copy a Saver"));
  copySaver_->setToolTip(tr("Copies Python code for a tf.train.Saver that maps these names; guesses are marked"));
  filling_ = true;
  match_->clear();
  showMatchGroups(mapped);
  match_->setVisible(match_->topLevelItemCount() > 0);
  filling_ = false;
}

void FilesView::showMatchGroups(const QMap<QString, QString>& mapped) {
  const FileMatch& m = *matched_;
  const widgets::Theme& theme = widgets::Theme::current();
  if (!mapped.isEmpty()) {
    auto* head = new QTreeWidgetItem(match_, {QStringLiteral("%1 · %2").arg(tr("under another name")).arg(mapped.size())});
    head->setIcon(0, widgets::icon(QStringLiteral("check"), Role::Ok));
    for (auto it = mapped.begin(); it != mapped.end(); ++it) {
      auto* item = new QTreeWidgetItem(head, {QStringLiteral("%1 ← %2").arg(it.key(), it.value())});
      item->setFont(0, theme.monoSmallFont());
      item->setData(0, MatchTree::kKeyRole, it.value());
      item->setData(0, MatchTree::kVariableRole, it.key());
      item->setData(0, MatchTree::kMappedRole, true);
      item->setToolTip(0, tr("%1\nis restored from\n%2\nDelete removes this mapping").arg(it.key(), it.value()));
    }
    head->setExpanded(true);
  }
  struct Group {
    Fit kind;
    QString title;
  };
  const Group groups[] = {{Fit::Missing, tr("not in the checkpoint")},
                          {Fit::ShapeDiffers, tr("other shape")},
                          {Fit::TypeDiffers, tr("other type")},
                          {Fit::NotRestored, tr("not saved by the graph's Saver")},
                          {Fit::Unused, tr("in the checkpoint only, unused")}};
  const QSet<QString> used(mapped.begin(), mapped.end());
  const bool incomplete = m.wanted() > m.count(Fit::Fits) + int(mapped.size());
  int rows = 0;
  for (const Group& group : groups) {
    QVector<const VariableFit*> members;
    for (const VariableFit& v : m.variables) {
      const bool done = v.kind == Fit::Unused ? used.contains(v.key) : mapped.contains(v.variable);
      if (v.kind == group.kind && !done) members << &v;
    }
    const int n = int(members.size());
    if (!n) continue;
    auto* head = new QTreeWidgetItem(match_, {QStringLiteral("%1 · %2").arg(group.title).arg(n)});
    head->setIcon(0, widgets::icon(QLatin1String(iconOf(group.kind)), roleOf(group.kind)));
    for (const VariableFit* v : std::as_const(members)) {
      if (++rows > kMatchRows) break;
      const QString name = v->variable.isEmpty() ? v->key : v->variable;
      auto* item = new QTreeWidgetItem(head, {name});
      item->setFont(0, theme.monoSmallFont());
      item->setData(0, MatchTree::kKeyRole, v->key);
      item->setData(0, MatchTree::kVariableRole, v->variable);
      QString tip = name;
      if (!v->wanted.isEmpty()) tip += u'\n' + tr("graph: %1").arg(v->wanted);
      if (!v->stored.isEmpty()) tip += u'\n' + tr("checkpoint: %1").arg(v->stored);
      if (!v->nearest.isEmpty()) tip += u'\n' + tr("perhaps: %1").arg(v->nearest.join(QStringLiteral(", ")));
      item->setToolTip(0, tip);
      for (const QString& near : v->nearest) {
        if (used.contains(near)) continue;
        auto* hint = new QTreeWidgetItem(item, {tr("perhaps %1").arg(near)});
        hint->setData(0, MatchTree::kKeyRole, near);
        hint->setData(0, MatchTree::kVariableRole, v->variable);
        hint->setToolTip(0, tr("%1\nEnter or double-click accepts this mapping").arg(near));
      }
    }
    head->setExpanded((group.kind != Fit::Unused || incomplete) && group.kind != Fit::NotRestored && n <= 30);
    for (int i = 0; i < head->childCount(); ++i) head->child(i)->setExpanded(n <= 10);
  }
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
