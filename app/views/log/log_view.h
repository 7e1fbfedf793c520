#pragma once

#include <QWidget>

#include "common/live_frames.h"
#include "document/log.h"
#include "shell/view.h"

class QPlainTextEdit;
class QStackedWidget;

namespace weft::widgets {
class EmptyState;
}

namespace weft::app {

/// The log with times; selectable text.
class LogView : public QWidget {
  Q_OBJECT

 public:
  LogView(const ViewContext& context, QWidget* parent);

 public slots:
  /// Shows all lines now (screenshots).
  void refreshNow();

 protected:
  void changeEvent(QEvent* event) override;
  void showEvent(QShowEvent* event) override;

 private:
  /// Appends new lines, for at most `milliseconds`. False: there are more.
  bool appendNew(double milliseconds);
  void later();
  void refill();

  ViewContext context_;
  QStackedWidget* stack_;
  QPlainTextEdit* text_;
  widgets::EmptyState* empty_;
  widgets::FrameMember frame_;
  qint64 next_ = 0;  // number of the first line that is not shown yet
};

extern const ViewRecord logView;

}  // namespace weft::app
