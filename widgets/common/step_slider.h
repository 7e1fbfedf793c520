#pragma once

#include <QWidget>
#include <map>
#include <optional>
#include <vector>

class QLabel;
class QSlider;
class QToolButton;

namespace weft::widgets {

/// Chooses one of the steps at which something was logged; at its right end it follows what is newest. GUI thread.
class StepSlider : public QWidget {
  Q_OBJECT

 public:
  explicit StepSlider(QWidget* parent = nullptr);

  /// Takes the steps of a series in; `steps` in any order.
  void addSteps(const std::vector<double>& steps);
  void clear();
  /// The chosen step; nullopt: the newest, whatever comes.
  std::optional<double> step() const;
  /// The nearest step that there is; nullopt: follow.
  void setStep(std::optional<double> step);
  int count() const { return static_cast<int>(steps_.size()); }

 signals:
  void stepChanged(std::optional<double> step);

 protected:
  void changeEvent(QEvent* event) override;

 private:
  void moved(int index);
  void updateTexts();
  void showValue();

  std::vector<double> steps_;  // sorted, each once
  bool follows_ = true;
  QLabel* label_;
  QSlider* slider_;
  QLabel* value_;
  QToolButton *back_, *forth_;
};

}  // namespace weft::widgets
