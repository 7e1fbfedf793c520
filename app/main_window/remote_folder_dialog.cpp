#include "main_window/remote_folder_dialog.h"

#include <QComboBox>
#include <QCompleter>
#include <QDialogButtonBox>
#include <QDir>
#include <QEvent>
#include <QFile>
#include <QGridLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPointer>
#include <QPushButton>
#include <QSignalBlocker>
#include <QStyle>
#include <QVBoxLayout>
#include <memory>

#include "common/icons.h"
#include "common/theme.h"
#include "document/remote_folders.h"
#include "document/workspace.h"
#include "shell/dialog_parts.h"
#include "support/remote_address.h"

namespace weft::app {
namespace {

constexpr int kRemoteWidth = 560, kListHeight = 150, kOpenRoom = 12;
constexpr qint64 kMostHostBytes = 1 << 20;
const QString kUp = QStringLiteral("..");

std::string contentsOf(const QString& path) {
  QFile file(path);
  return file.open(QIODevice::ReadOnly) ? file.read(kMostHostBytes).toStdString() : std::string();
}

}  // namespace

RemoteFolderDialog::RemoteFolderDialog(Workspace& workspace, QWidget* parent) : QDialog(parent), workspace_(workspace) {
  setObjectName(QStringLiteral("remote_folder_dialog"));
  setAttribute(Qt::WA_DeleteOnClose);
  setProperty("helpPage", QStringLiteral("remote"));
  auto* layout = dialogColumn(this);
  lead_ = addSentence(layout, {}, "muted");
  auto* grid = new QGridLayout;
  grid->setHorizontalSpacing(8);
  grid->setVerticalSpacing(8);
  const auto label = [&](QLabel*& made, QWidget* buddy, int row) {
    made = new QLabel(this);
    made->setBuddy(buddy);
    grid->addWidget(made, row, 0);
  };
  host_ = new QComboBox(this);
  host_->setObjectName(QStringLiteral("remote_host"));
  host_->setEditable(true);
  host_->setInsertPolicy(QComboBox::NoInsert);
  host_->setFont(widgets::Theme::current().monoFont());
  host_->completer()->setCompletionMode(QCompleter::PopupCompletion);
  user_ = new QLineEdit(this);
  user_->setObjectName(QStringLiteral("remote_user"));
  user_->setFont(widgets::Theme::current().monoFont());
  folder_ = new QLineEdit(this);
  folder_->setObjectName(QStringLiteral("remote_path"));
  folder_->setFont(widgets::Theme::current().monoFont());
  browse_ = new QPushButton(this);
  browse_->setObjectName(QStringLiteral("remote_browse"));
  browse_->setAutoDefault(false);
  label(hostLabel_, host_, 0);
  grid->addWidget(host_, 0, 1, 1, 2);
  label(userLabel_, user_, 1);
  grid->addWidget(user_, 1, 1, 1, 2);
  label(folderLabel_, folder_, 2);
  grid->addWidget(folder_, 2, 1);
  grid->addWidget(browse_, 2, 2);
  grid->setColumnStretch(1, 1);
  layout->addLayout(grid);
  list_ = new QListWidget(this);
  list_->setObjectName(QStringLiteral("remote_list"));
  list_->setMinimumHeight(kListHeight);
  list_->setTextElideMode(Qt::ElideMiddle);
  layout->addWidget(list_, 1);
  message_ = new QLabel(this);
  message_->setObjectName(QStringLiteral("remote_message"));
  message_->setWordWrap(true);
  message_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  layout->addWidget(message_);
  auto* buttons = new QDialogButtonBox(this);
  open_ = buttons->addButton(QString(), QDialogButtonBox::AcceptRole);
  open_->setObjectName(QStringLiteral("remote_open"));
  open_->setDefault(true);
  cancel_ = buttons->addButton(QString(), QDialogButtonBox::RejectRole);
  layout->addWidget(buttons);

  for (const QString& known : RemoteFolders::recent(workspace.settings())) host_->addItem(known);
  host_->setCurrentIndex(host_->count() > 0 ? 0 : -1);
  takeHost();
  connect(host_, &QComboBox::activated, this, &RemoteFolderDialog::takeHost);
  connect(host_, &QComboBox::editTextChanged, this, &RemoteFolderDialog::takeInput);
  connect(user_, &QLineEdit::textChanged, this, &RemoteFolderDialog::takeInput);
  connect(folder_, &QLineEdit::textEdited, this, &RemoteFolderDialog::takeInput);
  connect(browse_, &QPushButton::clicked, this, [this] { browse(folder_->text()); });
  connect(list_, &QListWidget::itemActivated, this, &RemoteFolderDialog::enterFolder);
  connect(list_, &QListWidget::itemClicked, this, [this](const QListWidgetItem* item) {
    if (item->text() != kUp) folder_->setText(shown_ + (shown_.endsWith(u'/') ? QString() : QStringLiteral("/")) + item->text());
  });
  connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  retranslate();
  readHosts();
  host_->setFocus();
  host_->lineEdit()->selectAll();
  resize(kRemoteWidth, sizeHint().height());
}

/// The user's configuration may be on a slow disk, so a task reads it.
void RemoteFolderDialog::readHosts() {
  const QPointer<RemoteFolderDialog> guard(this);
  const auto hosts = std::make_shared<QStringList>();
  workspace_.tasks().start(
      tr("Reading the SSH configuration"),
      [hosts](TaskState&) {
        const QString folder = QDir::home().filePath(QStringLiteral(".ssh/"));
        for (const std::string& host : hostsOfSshConfig(contentsOf(folder + QStringLiteral("config")))) *hosts << QString::fromStdString(host);
        for (const std::string& host : hostsOfKnownHosts(contentsOf(folder + QStringLiteral("known_hosts")))) *hosts << QString::fromStdString(host);
        hosts->removeDuplicates();
      },
      [guard, hosts] {
        if (!guard) return;
        const QSignalBlocker quiet(guard->host_);
        const QString typed = guard->host_->currentText();
        guard->host_->addItems(*hosts);
        guard->host_->setEditText(typed);
      });
}

QString RemoteFolderDialog::address() const { return RemoteFolders::addressOf(host_->currentText(), user_->text(), folder_->text()); }

void RemoteFolderDialog::showFolder(const QString& address) {
  host_->setEditText(address);
  takeHost();
  browse(folder_->text());
}

/// A whole address, chosen from the list or pasted, fills the three fields.
void RemoteFolderDialog::takeHost() {
  const auto read = readRemoteAddress(host_->currentText().trimmed().toStdString());
  if (isRemoteAddress(host_->currentText().trimmed().toStdString()) && read.ok()) {
    RemoteAddress where = *read;
    where.user.clear();
    folder_->setText(QString::fromStdString(read->path));
    user_->setText(QString::fromStdString(read->user));
    const QSignalBlocker quiet(host_);
    host_->setEditText(QString::fromStdString(where.hostText()));
  }
  takeInput();
}

void RemoteFolderDialog::takeInput() {
  ++asked_;
  listing_ = refused_ = false;
  const QString error = host_->currentText().trimmed().isEmpty() ? QString() : RemoteFolders::errorOf(address());
  const bool usable = error.isEmpty() && !host_->currentText().trimmed().isEmpty();
  open_->setEnabled(usable);
  browse_->setEnabled(usable);
  if (!error.isEmpty()) say(tr("This cannot be an address: %1.").arg(error), Tone::Error);
  else if (list_->count() == 0) say(tr("Browse connects and lists the folders there."), Tone::Plain);
  else say({}, Tone::Plain);
}

void RemoteFolderDialog::say(const QString& text, Tone tone) {
  message_->setProperty("kind", tone == Tone::Error ? QStringLiteral("error") : QStringLiteral("muted"));
  message_->style()->unpolish(message_);  // the property selects the rule
  message_->style()->polish(message_);
  message_->setText(text);
}

void RemoteFolderDialog::browse(const QString& path) {
  takeHost();
  const int number = ++asked_;
  listing_ = true;
  browse_->setEnabled(false);
  say(tr("Connecting to %1…").arg(host_->currentText().trimmed()), Tone::Plain);
  RemoteFolders::of(workspace_).list(RemoteFolders::addressOf(host_->currentText(), user_->text(), path), this, [this, number](const RemoteListing& listing) {
    if (number == asked_) showListing(listing);
  });
}

void RemoteFolderDialog::showListing(const RemoteListing& listing) {
  listing_ = false;
  browse_->setEnabled(true);
  refused_ = !listing.error.isEmpty();
  if (refused_) return say(listing.error, Tone::Error);
  shown_ = listing.path;
  folder_->setText(listing.path);
  list_->clear();
  if (shown_ != QLatin1String("/")) list_->addItem(new QListWidgetItem(widgets::icon(QStringLiteral("chevron-up")), kUp));
  for (const QString& name : listing.folders) list_->addItem(new QListWidgetItem(widgets::icon(QStringLiteral("folder")), name));
  say(listing.eventFiles > 0 ? tr("%n event file(s) in %1", nullptr, listing.eventFiles).arg(shown_)
                             : tr("No event files directly in %1; those in folders below it are found as well.").arg(shown_),
      Tone::Plain);
}

void RemoteFolderDialog::enterFolder() {
  const QListWidgetItem* item = list_->currentItem();
  if (!item || listing_) return;
  browse(QDir::cleanPath(shown_ + u'/' + item->text()));
}

/// Enter in the list enters the folder; elsewhere it opens.
void RemoteFolderDialog::keyPressEvent(QKeyEvent* event) {
  if ((event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) && list_->hasFocus()) return enterFolder();
  QDialog::keyPressEvent(event);
}

void RemoteFolderDialog::retranslate() {
  setWindowTitle(tr("Event files on another machine"));
  lead_->setText(tr(
      "Weft reads the event files over SSH, with the keys and settings of your SSH configuration. Nothing needs to be installed there. Only new data is transferred; a copy is kept in the cache."));
  hostLabel_->setText(tr("&Host"));
  userLabel_->setText(tr("&User"));
  folderLabel_->setText(tr("&Folder"));
  host_->setAccessibleName(tr("Host, as ssh takes it"));
  host_->lineEdit()->setPlaceholderText(tr("a name from ~/.ssh/config, host or host:port"));
  user_->setAccessibleName(tr("User on the other machine"));
  user_->setPlaceholderText(tr("as in the SSH configuration"));
  folder_->setAccessibleName(tr("Folder on the other machine"));
  folder_->setPlaceholderText(tr("the home folder"));
  browse_->setText(tr("&Browse"));
  browse_->setToolTip(tr("Connects and lists the folders of the other machine"));
  list_->setAccessibleName(tr("Folders on the other machine"));
  open_->setText(tr("&Open"));
  open_->setMinimumWidth(open_->sizeHint().width() + kOpenRoom);
  cancel_->setText(tr("&Cancel"));
  if (!listing_ && !refused_) takeInput();
}

void RemoteFolderDialog::changeEvent(QEvent* event) {
  if (event->type() == QEvent::LanguageChange) retranslate();
  QDialog::changeEvent(event);
}

}  // namespace weft::app
