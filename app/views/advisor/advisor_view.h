#pragma once

#include <QWidget>

#include "shell/view.h"

class QGridLayout;
class QScrollArea;
class QStackedWidget;
class QVBoxLayout;

namespace weft::widgets {
class EmptyState;
}

namespace weft::app {

class ProfileStore;

/// Advice on the current trace, and the selected slice.
class AdvisorView : public QWidget {
  Q_OBJECT
  /// [{"title", "detail", "warning", "gain_ns", "nodes"}], for scripts.
  Q_PROPERTY(QString report READ report)

 public:
  AdvisorView(const ViewContext& context, QWidget* parent);
  QString report() const;

 protected:
  void changeEvent(QEvent* event) override;

 private:
  void retranslate();
  void refill();
  void fillAdvice();
  void fillSlice();

  ViewContext context_;
  ProfileStore& store_;
  QStackedWidget* stack_;
  widgets::EmptyState* empty_;
  QWidget *advice_ = nullptr, *slice_ = nullptr;
  QVBoxLayout *adviceBox_, *sliceBox_;
};

extern const ViewRecord advisorView;

}  // namespace weft::app
