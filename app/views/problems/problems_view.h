#pragma once

#include <QWidget>

#include "shell/view.h"

class QStackedWidget;
class QTreeWidget;

namespace weft::widgets {
class EmptyState;
}

namespace weft::app {

/// The problems of the current document; a click selects the node.
class ProblemsView : public QWidget {
  Q_OBJECT

 public:
  ProblemsView(const ViewContext& context, QWidget* parent);

 protected:
  void changeEvent(QEvent* event) override;

 private:
  void refill();

  ViewContext context_;
  QStackedWidget* stack_;
  QTreeWidget* list_;
  widgets::EmptyState* empty_;
};

extern const ViewRecord problemsView;

}  // namespace weft::app
