#pragma once

#include <QWidget>

#include "shell/view.h"

class QLabel;
class QPushButton;
class QStackedWidget;
class QTreeWidget;
class QTreeWidgetItem;

namespace weft::widgets {
class EmptyState;
}

namespace weft::app {

struct DebugOrigin;

/// Why the debugged run stopped or failed, its op's inputs and outputs, and the path from a NaN back to its origin.
class StoppedView : public QWidget {
  Q_OBJECT

 public:
  StoppedView(const ViewContext& context, QWidget* parent);

 protected:
  void changeEvent(QEvent* event) override;
  void showEvent(QShowEvent* event) override;

 private:
  void refill();
  void fillTable();
  void fillAutopsy();
  void fillPorts();
  void offer();
  QTreeWidgetItem* addRow(QTreeWidgetItem* group, const DebugOrigin& origin, const QString& note);
  QTreeWidgetItem* addGroup(const QString& title);

  ViewContext context_;
  QStackedWidget* stack_;
  widgets::EmptyState* empty_;
  QLabel *icon_, *title_, *text_;
  QTreeWidget* table_;
  QLabel* advice_;
  QPushButton *nan_, *back_, *edit_, *jump_, *feeds_, *clear_;
};

extern const ViewRecord stoppedView;

}  // namespace weft::app
