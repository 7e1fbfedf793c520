#pragma once

#include <QDialog>
#include <functional>

#include "adapters/input_advice.h"

class QCheckBox;
class QComboBox;
class QLabel;
class QPushButton;
class QSpinBox;

namespace weft::widgets {
class CodeEditor;
}

namespace weft::app {

/// Asks about the data, recommends an input method and shows its program. GUI thread.
class InputAdviceWindow : public QDialog {
  Q_OBJECT

 public:
  /// `insert` inserts the program's text; null: there is no text to insert it into.
  InputAdviceWindow(std::function<void(const QString& program)> insert, QWidget* parent);
  void setFacts(const InputFacts& facts);
  const InputAdvice& advice() const { return advice_; }
  QString program() const;
  QSize sizeHint() const override { return {860, 620}; }

 private:
  InputFacts facts() const;
  void advise();

  QSpinBox *size_, *files_, *batch_;
  QCheckBox *online_, *pictures_;
  QLabel *title_, *reasons_;
  QComboBox* way_;
  widgets::CodeEditor* program_;
  QPushButton *copy_, *insert_;
  InputAdvice advice_;
};

}  // namespace weft::app
