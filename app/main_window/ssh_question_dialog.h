#pragma once

#include <QDialog>

#include "adapters/ssh_questions.h"

class QLineEdit;

namespace weft::app {

/// A question of ssh: a password, whether to trust a host key, or to touch a security key. Cancel is the default wherever trust is given. Not modal.
class SshQuestionDialog : public QDialog {
  Q_OBJECT

 public:
  SshQuestionDialog(const SshQuestion& question, QWidget* parent = nullptr);
  int id() const { return question_.id; }
  /// What ssh gets after accepted().
  QString answer() const;

 private:
  SshQuestion question_;
  QLineEdit* secret_ = nullptr;
};

}  // namespace weft::app
