#pragma once

#include <QPointer>
#include <QSet>
#include <QWidget>

#include "shell/view.h"

class QStackedWidget;
class QTreeView;

namespace weft::widgets {
class EmptyState;
class GraphModel;
}  // namespace weft::widgets

namespace weft::app {

class OutlineModel;

/// The canvas as a tree. The selections of both are linked.
class OutlineView : public QWidget {
  Q_OBJECT

 public:
  OutlineView(const ViewContext& context, QWidget* parent);

 protected:
  void changeEvent(QEvent* event) override;
  void showEvent(QShowEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void readSoon();
  void read();
  void followCanvas();
  void selectOnCanvas(bool focus);
  void retranslate();

  ViewContext context_;
  OutlineModel* model_;
  QStackedWidget* stack_;
  QTreeView* tree_;
  widgets::EmptyState* empty_;
  QPointer<widgets::GraphModel> graph_;
  QMetaObject::Connection reset_;
  QSet<QString> open_;
  bool stale_ = true, queued_ = false, following_ = false;
};

extern const ViewRecord outlineView;

}  // namespace weft::app
