#pragma once

#include <QWidget>

#include "shell/view.h"

class QLineEdit;
class QStackedWidget;
class QTreeWidget;
class QTreeWidgetItem;
class QToolButton;

namespace weft::widgets {
class EmptyState;
}

namespace weft::app {

/// The breakpoints of the current document: place, condition, hits, logged text, on or off. All can be edited in place.
class BreakpointsView : public QWidget {
  Q_OBJECT

 public:
  BreakpointsView(const ViewContext& context, QWidget* parent);
  QSize sizeHint() const override { return {264, 240}; }

 protected:
  void changeEvent(QEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void refill();
  void addLines();
  void edited(QTreeWidgetItem* item);
  void add();
  void removeCurrent();

  ViewContext context_;
  QStackedWidget* stack_;
  widgets::EmptyState* empty_;
  QTreeWidget* list_;
  QLineEdit* place_;
  QToolButton *add_, *remove_, *nan_;
  bool filling_ = false;
};

extern const ViewRecord breakpointsView;

}  // namespace weft::app
