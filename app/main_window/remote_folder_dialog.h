#pragma once

#include <QDialog>

class QComboBox;
class QLabel;
class QLineEdit;
class QListWidget;
class QPushButton;

namespace weft::app {

class Workspace;
struct RemoteListing;

/// Asks for a folder of event files on another machine. Browse connects and lists folders. Not modal.
class RemoteFolderDialog : public QDialog {
  Q_OBJECT

 public:
  explicit RemoteFolderDialog(Workspace& workspace, QWidget* parent = nullptr);

  /// sftp://user@host/path
  QString address() const;
  /// Fills the fields and lists that folder.
  void showFolder(const QString& address);

 protected:
  void changeEvent(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  enum class Tone { Plain, Error };
  void retranslate();
  void readHosts();
  void takeHost();
  void takeInput();
  void browse(const QString& path);
  void showListing(const RemoteListing& listing);
  void enterFolder();
  void say(const QString& text, Tone tone);

  Workspace& workspace_;
  QLabel *lead_, *hostLabel_, *userLabel_, *folderLabel_, *message_;
  QComboBox* host_;
  QLineEdit *user_, *folder_;
  QPushButton *browse_, *open_, *cancel_;
  QListWidget* list_;
  QString shown_;  // the listed folder
  int asked_ = 0;  // listings asked for; only the last is shown
  bool listing_ = false, refused_ = false;
};

}  // namespace weft::app
