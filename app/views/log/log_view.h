#pragma once

#include <QWidget>

#include "document/log.h"
#include "views/view.h"

class QPlainTextEdit;
class QStackedWidget;

namespace weft::widgets {
class EmptyState;
}

namespace weft::app {

/// What happened, with times; selectable text.
class LogView : public QWidget {
  Q_OBJECT

 public:
  LogView(const ViewContext& context, QWidget* parent);

 protected:
  void changeEvent(QEvent* event) override;

 private:
  void append(const Log::Line& line);
  void refill();

  ViewContext context_;
  QStackedWidget* stack_;
  QPlainTextEdit* text_;
  widgets::EmptyState* empty_;
};

extern const ViewRecord logView;

}  // namespace weft::app
