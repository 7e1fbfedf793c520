#pragma once

#include <QTimer>
#include <QWidget>

#include "adapters/queue_facts.h"
#include "shell/view.h"

class QLabel;
class QStackedWidget;
class QTreeWidget;

namespace weft::widgets {
class EmptyState;
}

namespace weft::app {

/// One row per queue of the present run, with a bar for its fill level; above them, once nothing moves, why the waiters are blocked.
class QueuesView : public QWidget {
  Q_OBJECT

 public:
  QueuesView(const ViewContext& context, QWidget* parent);
  QSize sizeHint() const override { return {520, 170}; }

 public slots:
  void refreshNow() { refill(); }

 protected:
  void changeEvent(QEvent* event) override;
  void showEvent(QShowEvent* event) override;

 private:
  void retranslate();
  void follow();
  void refill();
  void fillRow(int row, const QueueFacts& q, bool moved);

  ViewContext context_;
  QStackedWidget* stack_;
  widgets::EmptyState* empty_;
  QLabel* verdict_;
  QTreeWidget* list_;
  QTimer timer_;
  QVector<QueueFacts> shown_;
  int still_ = 0;  ///< Consecutive updates without a change.
};

extern const ViewRecord queuesView;

}  // namespace weft::app
