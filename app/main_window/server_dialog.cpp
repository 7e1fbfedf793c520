#include "main_window/server_dialog.h"

#include <QDialogButtonBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPointer>
#include <QPushButton>
#include <QStyle>
#include <QVBoxLayout>
#include <utility>

#include "adapters/tasks.h"
#include "adapters/training_server.h"
#include "common/theme.h"
#include "shell/dialog_parts.h"

namespace weft::app {
namespace {
constexpr int kServerWidth = 520, kDevicesHeight = 92, kBoldRoom = 12;
}  // namespace

ServerDialog::ServerDialog(const QString& address, Tasks& tasks, QWidget* parent) : QDialog(parent), tasks_(tasks) {
  setObjectName(QStringLiteral("server_dialog"));
  setAttribute(Qt::WA_DeleteOnClose);
  setProperty("helpPage", QStringLiteral("servers"));
  auto* layout = dialogColumn(this);
  lead_ = addSentence(layout, {}, "muted");
  auto* row = new QHBoxLayout;
  row->setSpacing(8);
  label_ = new QLabel(this);
  address_ = new QLineEdit(address, this);
  address_->setObjectName(QStringLiteral("server_address"));
  address_->setFont(widgets::Theme::current().monoFont());
  address_->setPlaceholderText(QStringLiteral("localhost:2222"));
  label_->setBuddy(address_);
  check_ = new QPushButton(this);
  check_->setObjectName(QStringLiteral("server_check"));
  check_->setAutoDefault(false);
  row->addWidget(label_);
  row->addWidget(address_, 1);
  row->addWidget(check_);
  layout->addLayout(row);
  message_ = new QLabel(this);
  message_->setObjectName(QStringLiteral("server_message"));
  message_->setWordWrap(true);
  message_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  layout->addWidget(message_);
  devices_ = new QListWidget(this);
  devices_->setObjectName(QStringLiteral("server_devices"));
  devices_->setFont(widgets::Theme::current().monoFont());
  devices_->setFixedHeight(kDevicesHeight);
  devices_->setTextElideMode(Qt::ElideMiddle);
  layout->addWidget(devices_);
  layout->addStretch(1);
  auto* buttons = new QDialogButtonBox(this);
  use_ = buttons->addButton(QString(), QDialogButtonBox::AcceptRole);
  use_->setObjectName(QStringLiteral("server_use"));
  use_->setDefault(true);
  cancel_ = buttons->addButton(QString(), QDialogButtonBox::RejectRole);
  layout->addWidget(buttons);
  connect(address_, &QLineEdit::textChanged, this, &ServerDialog::takeAddress);
  connect(check_, &QPushButton::clicked, this, &ServerDialog::check);
  connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  retranslate();
  address_->setFocus();
  address_->selectAll();
  resize(kServerWidth, sizeHint().height());
}

ServerDialog::~ServerDialog() {
  if (running_) running_->cancel();
}

QString ServerDialog::address() const { return serverAddress(serverTarget(address_->text())); }

void ServerDialog::retranslate() {
  setWindowTitle(tr("TensorFlow server"));
  lead_->setText(
      tr("The server computes the steps of new runs. Data are read on this machine, and curves and checkpoints are saved on it. "
         "The connection is not encrypted, and the server asks for no password."));
  label_->setText(tr("&Address"));
  address_->setAccessibleName(tr("Address of the server"));
  check_->setText(tr("C&heck"));
  check_->setToolTip(tr("Connects to the server and lists its devices"));
  devices_->setAccessibleName(tr("Devices of the server"));
  use_->setText(tr("&Use this server"));
  use_->setMinimumWidth(use_->sizeHint().width() + kBoldRoom);
  cancel_->setText(tr("&Cancel"));
  if (running_) sayWaiting();
  else if (devices_->count() > 0) sayAnswered();
  else takeAddress();
}

/// Another address: what was found out about the previous one is gone.
void ServerDialog::takeAddress() {
  endCheck();
  devices_->clear();
  const bool usable = !address().isEmpty();
  use_->setEnabled(usable);
  check_->setEnabled(usable);
  if (!usable && !address_->text().trimmed().isEmpty()) say(tr("Expected host:port, such as localhost:2222."), Tone::Error);
  else say(tr("Check lists the devices of the server and of its cluster."), Tone::Plain);
}

void ServerDialog::say(const QString& text, Tone tone) {
  message_->setProperty("kind", tone == Tone::Error ? QStringLiteral("error") : QStringLiteral("muted"));
  message_->style()->unpolish(message_);  // the property selects the rule
  message_->style()->polish(message_);
  message_->setText(text);
}

void ServerDialog::sayWaiting() { say(tr("Waiting for %1…").arg(address()), Tone::Plain); }

void ServerDialog::sayAnswered() { say(tr("%1 answered: %n device(s)", nullptr, devices_->count()).arg(address()), Tone::Plain); }

void ServerDialog::check() {
  endCheck();
  devices_->clear();
  const auto asked = std::make_shared<ServerCheck>(serverTarget(address_->text()));
  running_ = asked;
  check_->setEnabled(false);
  sayWaiting();
  const QPointer<ServerDialog> guard(this);
  task_ = tasks_.start(
      tr("Asking %1 for its devices").arg(address()), [asked](TaskState&) { asked->run(); },
      [guard, asked] {
        if (guard && guard->running_ == asked) guard->showResult(*asked);
      },
      [guard, asked] {
        asked->cancel();
        if (guard && guard->running_ == asked) guard->takeAddress();
      });
}

void ServerDialog::endCheck() {
  if (std::exchange(running_, nullptr)) tasks_.cancel(task_);
}

void ServerDialog::showResult(const ServerCheck& result) {
  const QStringList devices = result.devices();
  const QString error = result.error();
  running_ = nullptr;
  check_->setEnabled(true);
  devices_->addItems(devices);
  if (!error.isEmpty()) say(error, Tone::Error);
  else sayAnswered();
}

void ServerDialog::done(int result) {
  endCheck();
  QDialog::done(result);
}

void ServerDialog::changeEvent(QEvent* event) {
  if (event->type() == QEvent::LanguageChange) retranslate();
  QDialog::changeEvent(event);
}

}  // namespace weft::app
