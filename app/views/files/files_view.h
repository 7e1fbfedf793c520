#pragma once

#include <QPointer>
#include <QWidget>

#include "adapters/file_match.h"
#include "adapters/graph_file_facts.h"
#include "document/file_tab.h"
#include "shell/view.h"

class QComboBox;
class QLabel;
class QPushButton;
class QStackedWidget;
class QTreeWidget;

namespace weft::widgets {
class EmptyState;
}

namespace weft::app {

class MatchTree;

/// Facts on the file in front: its parts and their purposes, its scopes, and how it fits the open graph; for a graph, what its file holds besides the nodes.
class FilesView : public QWidget {
  Q_OBJECT

 public:
  FilesView(const ViewContext& context, QWidget* parent);

 public slots:
  void refreshNow();

 protected:
  void changeEvent(QEvent* event) override;
  void showEvent(QShowEvent* event) override;

 private:
  void refillSoon();
  void refill();
  void fillFiles(const FileTab& file);
  void fillScopes(const FileTab& file);
  void fillMatch(FileTab* file);
  void fillComparedGraphs(FileTab* file);
  void compareWith(int index);
  void showMatch();
  void showMatchGroups(const QMap<QString, QString>& mapped);
  void fillGraph();
  void showGraphFacts();

  ViewContext context_;
  QStackedWidget* stack_;
  widgets::EmptyState* empty_;
  QTreeWidget *files_, *scopes_, *graph_;
  MatchTree* match_;
  QComboBox* comparedGraph_;  // the graph that the checkpoint is compared with
  QPushButton *copySaver_, *writeMapped_, *propose_, *undo_;
  QLabel *filesHead_, *filesText_, *scopesHead_, *matchHead_, *matchText_;
  FileMatchPtr matched_;
  std::pair<FileContentsPtr, GraphContentsPtr> matchedFor_;  // the inputs of matched_, or of its pending computation
  QPointer<FileTab> shown_;
  QVector<GraphFact> graphFacts_;
  GraphContentsPtr graphFactsOf_;
  bool queued_ = false, filling_ = false;
};

extern const ViewRecord filesView;

}  // namespace weft::app
