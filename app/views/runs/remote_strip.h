#pragma once

#include <QWidget>
#include <vector>

#include "shell/view.h"

class QLabel;
class QToolButton;
class QVBoxLayout;

namespace weft::app {

/// One line for each followed folder on another machine: its address, how the connection stands, Connect and Close.
class RemoteStrip : public QWidget {
  Q_OBJECT

 public:
  RemoteStrip(const ViewContext& context, QWidget* parent);

 protected:
  void changeEvent(QEvent* event) override;

 private:
  struct Row {
    QString address;
    QWidget* widget;
    QLabel *icon, *name, *state;
    QToolButton *connect, *close;
  };
  void refresh();
  Row makeRow(const QString& address);

  ViewContext context_;
  QVBoxLayout* column_;
  std::vector<Row> rows_;
};

}  // namespace weft::app
