#pragma once

#include <QDialog>
#include <QVector>

#include "document/activity.h"

namespace weft::app {

/// Says what closing would end and asks what becomes of it. Nothing is ended by the dialog itself.
class RunningDialog : public QDialog {
  Q_OBJECT

 public:
  enum class Reason { Close, Reload, Quit };
  enum class Answer { Stop, Keep, Cancel };
  RunningDialog(const QVector<Activity>& activities, Reason reason, QWidget* parent);
  /// Keep: close, and let the training go on.
  Answer answer() const { return answer_; }

 private:
  Answer answer_ = Answer::Cancel;
};

}  // namespace weft::app
