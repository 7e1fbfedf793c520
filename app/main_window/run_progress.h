#pragma once

#include <QWidget>

class QProgressBar;

namespace weft::widgets {
class QuietText;
}

namespace weft::app {

class Workspace;

/// How far the run is: epoch and time over steps and samples per second, and a thin bar. Always the same place and width; empty while there is no run to speak of.
class RunProgressBox : public QWidget {
  Q_OBJECT

 public:
  explicit RunProgressBox(Workspace& workspace, QWidget* parent = nullptr);
  void refresh();

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  Workspace& workspace_;
  widgets::QuietText *epoch_, *time_, *steps_, *rate_;
  QProgressBar* bar_;
};

}  // namespace weft::app
