#pragma once

#include <QWidget>
#include <map>
#include <optional>
#include <vector>

class QLabel;
class QSlider;
class QToolButton;

namespace weft::widgets {

/// Selects one of the logged steps; at its right end it follows the newest. GUI thread.
class StepSlider : public QWidget {
  Q_OBJECT

 public:
  explicit StepSlider(QWidget* parent = nullptr);

  /// Adds the steps of a series; `steps` in any order.
  void addSteps(const std::vector<double>& steps);
  void clear();
  /// The selected step; nullopt: follows the newest.
  std::optional<double> step() const;
  /// Selects the nearest available step; nullopt: follow the newest.
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

  std::vector<double> steps_;  // sorted, unique
  bool follows_ = true;
  QLabel* label_;
  QSlider* slider_;
  QLabel* value_;
  QToolButton *back_, *forth_;
};

}  // namespace weft::widgets
