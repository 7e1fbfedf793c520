#pragma once

#include <QHash>
#include <QVector>
#include <QWidget>

#include "views/view.h"

namespace weft::widgets {
class ScalarGrid;
struct Sample;
}

namespace weft::app {

struct RunRecord;

/// The curves of all runs, live.
class ScalarsView : public QWidget {
  Q_OBJECT

 public:
  ScalarsView(const ViewContext& context, QWidget* parent);

 public slots:
  void refreshNow();

 protected:
  void changeEvent(QEvent* event) override;

 private:
  void add(const RunRecord* run, const QString& tag, const QVector<widgets::Sample>& samples);
  void retranslate();

  ViewContext context_;
  widgets::ScalarGrid* grid_;
  QHash<int, int> runIds_;  // number of the run -> its id in the grid
};

extern const ViewRecord scalarsView;

}  // namespace weft::app
