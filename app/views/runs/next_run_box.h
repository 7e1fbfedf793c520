#pragma once

#include <QWidget>

#include "views/view.h"

class QLabel;
class QSpinBox;

namespace weft::app {

/// What the next run begins with, on top of what the document says.
class NextRunBox : public QWidget {
  Q_OBJECT

 public:
  NextRunBox(const ViewContext& context, QWidget* parent);

 protected:
  void changeEvent(QEvent* event) override;

 private:
  void retranslate();
  void refill();
  void take();

  ViewContext context_;
  QLabel *title_, *seedLabel_, *epochsLabel_, *batchLabel_, *patienceLabel_, *summaryLabel_;
  QSpinBox *seed_, *epochs_, *batch_, *patience_, *summary_;
};

}  // namespace weft::app
