#pragma once

#include <QJsonObject>
#include <QWidget>

#include "shell/view.h"

class QLabel;
class QPushButton;
class QStackedWidget;
class QTreeWidget;

namespace weft::widgets {
class EmptyState;
}

namespace weft::app {

class ProfileStore;

/// The last comparison of devices: times of the layers on each, and which one to choose.
class DevicesPage : public QWidget {
  Q_OBJECT

 public:
  DevicesPage(const ViewContext& context, QWidget* parent);
  /// {"document", "advice", "devices": [{"device", "step_ns", "copies_ns", "elsewhere"}], "layers": [{"pass", "layer", "ns": [by device, null: nothing ran]}]};
  /// empty: nothing was compared.
  QJsonObject report() const;

 protected:
  void changeEvent(QEvent* event) override;

 private:
  void retranslate();
  void refill();
  void measure();

  ViewContext context_;
  ProfileStore& store_;
  QStackedWidget* stack_;
  widgets::EmptyState* empty_;
  QLabel *advice_, *about_;
  QPushButton* again_;
  QTreeWidget* table_;
};

}  // namespace weft::app
