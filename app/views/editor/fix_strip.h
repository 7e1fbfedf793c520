#pragma once

#include <QFrame>

#include "document/variable_fix.h"

class QLabel;
class QPlainTextEdit;
class QPushButton;

namespace weft::app {

/// Previews the rewrite of a tf.Variable, names first, and asks for confirmation. Hidden until then.
class FixStrip : public QFrame {
  Q_OBJECT

 public:
  explicit FixStrip(QWidget* parent);
  void propose(const VariableFix& fix);
  const VariableFix& fix() const { return fix_; }
  /// "now: w, w_1   then: w (shared)".
  QString namesText() const;

 signals:
  void accepted();
  void rejected();

 protected:
  void changeEvent(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  void retranslate();

  VariableFix fix_;
  QLabel* names_;
  QPlainTextEdit* text_;
  QPushButton *convert_, *cancel_;
};

}  // namespace weft::app
