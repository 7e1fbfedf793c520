#pragma once

#include <QWidget>

class QProgressBar;

namespace weft::widgets {
class StableWidthLabel;
}

namespace weft::app {

class Workspace;

/// The progress of the run: epoch and time above steps and samples per second, and a thin bar. While the run waits for its server, that is named
/// instead. Fixed place and width; empty without a run.
class RunProgressBox : public QWidget {
  Q_OBJECT

 public:
  explicit RunProgressBox(Workspace& workspace, QWidget* parent = nullptr);
  void refresh();

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void arrange();
  /// The server that the training waits for; empty while it is stopped in the debugger.
  QString waitsFor() const;

  Workspace& workspace_;
  widgets::StableWidthLabel *epoch_, *time_, *steps_, *rate_;
  QProgressBar* bar_;
};

}  // namespace weft::app
