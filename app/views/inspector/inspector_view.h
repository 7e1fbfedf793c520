#pragma once

#include <QWidget>

#include "views/view.h"

class QLabel;
class QScrollArea;
class QStackedWidget;
class QVBoxLayout;

namespace weft::widgets {
class EmptyState;
}

namespace weft::app {

struct NodeDetails;

/// Everything about the selected node: what its op does, what comes in and goes out, its attributes, its gradient. Names are links.
class InspectorView : public QWidget {
  Q_OBJECT

 public:
  InspectorView(const ViewContext& context, QWidget* parent);

 protected:
  void changeEvent(QEvent* event) override;
  void showEvent(QShowEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void refillSoon();
  void refill();
  QWidget* makePage(const NodeDetails& details);
  void addHeader(QVBoxLayout* page, const NodeDetails& details);
  void addPorts(QVBoxLayout* page, const NodeDetails& details);
  void addAttributes(QVBoxLayout* page, const NodeDetails& details);
  void addScope(QVBoxLayout* page, const NodeDetails& details);
  QLabel* link(const QString& shown, const QString& node);

  ViewContext context_;
  QStackedWidget* stack_;
  QScrollArea* scroll_;
  widgets::EmptyState* empty_;
  bool queued_ = false;
};

extern const ViewRecord inspectorView;

}  // namespace weft::app
