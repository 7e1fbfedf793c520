#pragma once

#include <QWidget>

class QButtonGroup;
class QLabel;
class QStackedWidget;
class QToolButton;

namespace weft::widgets {
class EmptyState;
class TensorView;
}

namespace weft::app {

class ActionRegistry;
class FileTab;

/// The values of the chosen tensor: its own, after a comparison the other file's, or their difference.
class TensorDetail : public QWidget {
  Q_OBJECT

 public:
  enum class Which { Here, There, Difference };
  TensorDetail(FileTab* file, ActionRegistry& actions, QWidget* parent);
  void show(Which which);
  widgets::TensorView* view() const { return view_; }

 protected:
  void changeEvent(QEvent* event) override;

 private:
  void refill();
  void retranslate();

  FileTab* file_;
  Which which_ = Which::Here;
  QLabel *name_, *what_;
  QButtonGroup* group_;
  QToolButton* buttons_[3];
  QToolButton* export_;
  QStackedWidget* stack_;
  QWidget* page_;  // with the view_
  widgets::EmptyState* empty_;
  widgets::TensorView* view_;
};

}  // namespace weft::app
