#pragma once

#include <QHash>
#include <QImage>
#include <QObject>
#include <QStringList>
#include <QTimer>
#include <memory>

#include "adapters/api_help.h"

namespace weft::widgets {
class GraphView;
class MemoryGraphModel;
}  // namespace weft::widgets

namespace weft::app {

/// Pictures of the graphs that functions build, drawn by the canvas on request and cached. GUI thread; graphs are built on another thread, and drawn in slices
/// of a few milliseconds.
class HelpDrawings : public QObject {
  Q_OBJECT

 public:
  explicit HelpDrawings(QObject* parent = nullptr);
  ~HelpDrawings() override;

  /// The picture in the present colours, at most that many pixels wide. Null if it is not ready: drawn() follows, unless the function has none.
  QImage picture(const QString& function, int width, double ratio);

 signals:
  void drawn(const QString& function);

 private:
  struct Job {
    QString function, key;
    int width = 0;
    double ratio = 1;
  };
  void next();
  void begin(const Job& job, const ApiExamplePtr& example);
  void slice();
  void end();

  QHash<QString, QImage> pictures_;
  QStringList order_;  ///< Keys of the pictures, oldest first.
  QList<Job> waiting_;
  Job present_;
  bool busy_ = false;
  std::unique_ptr<widgets::MemoryGraphModel> model_;
  std::unique_ptr<widgets::GraphView> view_;
  QImage shot_;
  int slices_ = 0, drawnFrames_ = -1;  ///< drawnFrames_ < 0: scopes are not open yet.
  QTimer timer_;
};

}  // namespace weft::app
