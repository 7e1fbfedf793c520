#pragma once

#include <QWidget>

#include "adapters/doctor_notes.h"
#include "shell/view.h"

class QCheckBox;
class QLabel;
class QPushButton;
class QStackedWidget;
class QVBoxLayout;

namespace weft::widgets {
class EmptyState;
}

namespace weft::app {

class DoctorStore;

/// What is wrong with the training of the current document: a card for each finding, with its evidence as a picture, the node, and a remedy if one was tried.
class DoctorView : public QWidget {
  Q_OBJECT
  /// {"done", "error", "findings": [{"code", "weight", "node", "step", "title", "detail", "advice", "values", "setting", "value", "file", "line"}]}, for scripts.
  Q_PROPERTY(QString report READ report)

 public:
  DoctorView(const ViewContext& context, QWidget* parent);
  QString report() const;

 protected:
  void changeEvent(QEvent* event) override;

 private:
  void retranslate();
  void refill();
  QWidget* makeCard(const DoctorNote& note, QWidget* parent);
  void runAction(const QString& id, const QStringList& words = {});

  ViewContext context_;
  DoctorStore& store_;
  QStackedWidget* stack_;
  widgets::EmptyState* empty_;
  QLabel* summary_;
  QPushButton* again_;
  QCheckBox* watch_;
  QVBoxLayout* box_;
  QWidget* cards_ = nullptr;
};

extern const ViewRecord doctorView;

}  // namespace weft::app
