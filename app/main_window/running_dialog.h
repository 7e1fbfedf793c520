#pragma once

#include <QDialog>
#include <QVector>

#include "document/activity.h"

namespace weft::app {

/// States what closing would end, and asks what to do with it. The dialog itself ends nothing.
class RunningDialog : public QDialog {
  Q_OBJECT

 public:
  enum class Reason { Close, Reload, Quit };
  enum class Answer { Stop, Keep, Cancel };
  RunningDialog(const QVector<Activity>& activities, Reason reason, QWidget* parent);
  /// Keep: close, and let the training continue.
  Answer answer() const { return answer_; }

 private:
  Answer answer_ = Answer::Cancel;
};

}  // namespace weft::app
