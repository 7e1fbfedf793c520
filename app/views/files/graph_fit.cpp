// How a checkpoint fits a graph, in the Files dock.
#include <QComboBox>
#include <QFileInfo>
#include <QLabel>
#include <QPushButton>
#include <QTreeWidget>

#include "common/format.h"
#include "common/icons.h"
#include "common/theme.h"
#include "document/checkpoint_graph.h"
#include "document/document.h"
#include "document/name_mapping.h"
#include "document/workspace.h"
#include "shell/file_dialogs.h"
#include "views/files/files_view.h"
#include "views/files/match_tree.h"

namespace weft::app {
namespace {

using widgets::Role;
using Fit = VariableFit::Kind;

constexpr int kMatchRows = 400;

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
  for (QWidget* w : std::initializer_list<QWidget*>{match_, copySaver_, writeMapped_, propose_, undo_}) w->setVisible(any);
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
  propose_->setVisible(wanted > 0 && !whole);
  propose_->setText(tr("Propose names…"));
  propose_->setToolTip(tr("Lists keys of the checkpoint that are probably values of the missing variables, with confidence and reason"));
  undo_->setVisible(NameMapping::of(*shown_).canUndo());
  undo_->setText(tr("Undo the mapping"));
  undo_->setToolTip(tr("Takes back the last change to the mapped names"));
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

}  // namespace weft::app
