#pragma once

#include <QWidget>

#include "shell/view.h"

class QLineEdit;
class QStackedWidget;
class QTreeWidget;
class QTreeWidgetItem;

namespace weft::widgets {
class EmptyState;
}

namespace weft::app {

/// Values of tensors and expressions at the debugger's stop. An edited value is used when the run continues.
class WatchView : public QWidget {
  Q_OBJECT

 public:
  WatchView(const ViewContext& context, QWidget* parent);
  QSize sizeHint() const override { return {264, 240}; }

 protected:
  void changeEvent(QEvent* event) override;
  void showEvent(QShowEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void refill();
  void readValues();
  void edited(QTreeWidgetItem* item, int column);

  ViewContext context_;
  QStackedWidget* stack_;
  widgets::EmptyState* empty_;
  QTreeWidget* list_;
  QLineEdit* add_;
  bool filling_ = false;
};

extern const ViewRecord watchView;

}  // namespace weft::app
