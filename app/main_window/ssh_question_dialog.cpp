#include "main_window/ssh_question_dialog.h"

#include <QDialogButtonBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QVBoxLayout>

#include "common/theme.h"
#include "shell/dialog_parts.h"

namespace weft::app {
namespace {
constexpr int kQuestionWidth = 520;
}

SshQuestionDialog::SshQuestionDialog(const SshQuestion& question, QWidget* parent) : QDialog(parent), question_(question) {
  setObjectName(QStringLiteral("ssh_question_dialog"));
  setAttribute(Qt::WA_DeleteOnClose);
  setProperty("helpPage", QStringLiteral("remote"));
  const bool trust = question.kind == SshQuestion::Kind::YesNo, notice = question.kind == SshQuestion::Kind::Notice;
  setWindowTitle(trust ? tr("Unknown host key") : notice ? tr("Security key") : tr("Password for %1").arg(question.key));
  auto* layout = dialogColumn(this, 12);
  const auto add = [&](const QString& text, const char* kind) {
    auto* label = new QLabel(text, this);
    label->setWordWrap(true);
    label->setTextFormat(Qt::PlainText);  // ssh repeats what the other machine says
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    if (kind) label->setProperty("kind", QLatin1String(kind));
    layout->addWidget(label);
    return label;
  };
  static const QRegularExpression fingerprint(QStringLiteral("(\\S+) key fingerprint is (\\S+?)\\.?\\s"));
  static const QRegularExpression asking(QStringLiteral("authenticity of host '([^' ]+)"));
  const auto found = fingerprint.match(question.text + u' ');
  const auto named = asking.match(question.text);  // may be a jump host
  const QString host = named.hasMatch() ? named.captured(1) : question.key;
  if (trust && found.hasMatch()) {
    add(tr("This machine has never connected to %1. Its %2 key has the fingerprint:").arg(host, found.captured(1)), nullptr);
    add(found.captured(2), nullptr)->setFont(widgets::Theme::current().monoFont());
    add(tr("Compare it with the fingerprint that the owner of %1 tells you. If it differs, someone may be reading the connection.").arg(host), "muted");
  } else {
    add(question.text, nullptr);
  }
  if (question.kind == SshQuestion::Kind::Secret) {
    secret_ = new QLineEdit(this);
    secret_->setObjectName(QStringLiteral("ssh_secret"));
    secret_->setEchoMode(QLineEdit::Password);
    secret_->setAccessibleName(question.text);
    layout->addWidget(secret_);
    add(tr("Weft passes it to ssh and does not keep it. With a key in an SSH agent no password is needed."), "muted");
  }
  auto* buttons = new QDialogButtonBox(this);
  QPushButton* cancel = buttons->addButton(tr("&Cancel"), QDialogButtonBox::RejectRole);
  if (!notice) {
    QPushButton* yes = buttons->addButton(trust ? tr("&Trust and connect") : tr("C&onnect"), QDialogButtonBox::AcceptRole);
    yes->setObjectName(QStringLiteral("ssh_yes"));
    yes->setAutoDefault(!trust);
    yes->setDefault(!trust);
  }
  if (trust) cancel->setDefault(true);
  layout->addWidget(buttons);
  connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  if (secret_) secret_->setFocus();
  else cancel->setFocus();
  resize(kQuestionWidth, sizeHint().height());
}

QString SshQuestionDialog::answer() const { return secret_ ? secret_->text() : QStringLiteral("yes"); }

}  // namespace weft::app
