#include "shell/file_dialogs.h"

#include <QCompleter>
#include <QDialogButtonBox>
#include <QDir>
#include <QFileDialog>
#include <QFileIconProvider>
#include <QFileInfo>
#include <QHeaderView>
#include <QLineEdit>
#include <QListView>
#include <QPointer>
#include <QPushButton>
#include <QStandardPaths>
#include <QToolButton>
#include <QTreeView>
#include <QUrl>

#include "common/icons.h"
#include "common/theme.h"
#include "document/settings.h"

namespace weft::app {
namespace {

constexpr int kRecentFolders = 6;
constexpr QSize kDialogSize{920, 560};
constexpr char kTypedPath[] = "typedPath";  // a property of the dialog
constexpr int kSizeWidth = 90, kKindWidth = 130, kDateWidth = 170, kSideWidth = 200;
// Columns of QFileSystemModel.
enum Column { kName, kBytes, kKind, kDate };

QList<QUrl> sidebar(const Settings& settings) {
  QStringList folders = {QDir::homePath()};
  for (const auto place : {QStandardPaths::DocumentsLocation, QStandardPaths::DownloadLocation}) folders << QStandardPaths::writableLocation(place);
  int recent = 0;
  for (const QString& file : settings.recentFiles()) {
    const QString folder = QFileInfo(file).absolutePath();
    if (folders.contains(folder) || recent++ >= kRecentFolders) continue;
    folders << folder;
  }
  folders.removeDuplicates();
  QList<QUrl> urls = {QUrl(QStringLiteral("file:"))};  // the computer
  for (const QString& folder : folders)
    if (QFileInfo(folder).isDir()) urls << QUrl::fromLocalFile(folder);
  return urls;
}

/// Our icons instead of the platform's, for folders, graphs and other files.
class FileIcons : public QFileIconProvider {
 public:
  QIcon icon(IconType type) const override {
    return widgets::icon(type == Folder || type == Drive ? QStringLiteral("folder") : type == Computer ? QStringLiteral("chip") : QStringLiteral("file"));
  }
  QIcon icon(const QFileInfo& info) const override {
    if (info.isDir()) return icon(Folder);
    const QString ending = info.suffix();
    const bool graph = ending == QLatin1String("weft") || ending == QLatin1String("meta") || ending == QLatin1String("pb") || ending == QLatin1String("pbtxt");
    return graph ? widgets::icon(QStringLiteral("graph")) : icon(File);
  }
};

void useOurIcons(QFileDialog& dialog) {
  static FileIcons icons;
  dialog.setIconProvider(&icons);
  const std::pair<const char*, const char*> buttons[] = {
      {"backButton", "chevron-left"}, {"forwardButton", "chevron-right"}, {"toParentButton", "chevron-up"}, {"newFolderButton", "plus"}};
  for (const auto& [name, icon] : buttons)
    if (auto* button = dialog.findChild<QToolButton*>(QLatin1String(name))) button->setIcon(widgets::icon(QLatin1String(icon)));
  // Only the list with sizes and dates is useful here.
  for (const char* name : {"listModeButton", "detailModeButton"})
    if (auto* button = dialog.findChild<QToolButton*>(QLatin1String(name))) button->hide();
  if (auto* box = dialog.findChild<QDialogButtonBox*>())
    for (QAbstractButton* button : box->buttons()) button->setIcon({});
}

/// The typed text as a path, relative to the shown folder.
QString typedPath(const QFileDialog& dialog, QString text) {
  text = text.trimmed();
  if (text == QLatin1String("~") || text.startsWith(QLatin1String("~/"))) text.replace(0, 1, QDir::homePath());
  return text.isEmpty() ? QString() : QDir::cleanPath(dialog.directory().absoluteFilePath(text));
}

/// Shows a dialog and calls `then` with the chosen files, at least one.
void askToOpen(QWidget* window, const Settings& settings, const QString& title, const QString& folder, const QString& filters, QFileDialog::FileMode mode,
               std::function<void(const QStringList&)> then) {
  auto* dialog = new QFileDialog(window, title, folder, filters);
  dialog->setObjectName(QStringLiteral("open_dialog"));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setAcceptMode(QFileDialog::AcceptOpen);
  dialog->setFileMode(mode);
  dialog->setOption(QFileDialog::ShowDirsOnly, mode == QFileDialog::Directory);
  prepareFileDialog(*dialog, settings);
  QObject::connect(dialog, &QFileDialog::finished, window, [dialog, then = std::move(then)](int result) {
    const QString typed = dialog->property(kTypedPath).toString();
    const QStringList paths = typed.isEmpty() ? dialog->selectedFiles() : QStringList{typed};
    if (result == QDialog::Accepted && !paths.isEmpty()) then(paths);
  });
  dialog->open();
}

}  // namespace

void prepareFileDialog(QFileDialog& dialog, const Settings& settings) {
  dialog.setViewMode(QFileDialog::Detail);
  auto* name = dialog.findChild<QLineEdit*>(QStringLiteral("fileNameEdit"));
  auto* tree = dialog.findChild<QTreeView*>(QStringLiteral("treeView"));
  if (!name || !tree) return;  // the desktop's own dialog
  useOurIcons(dialog);
  dialog.setSidebarUrls(sidebar(settings));
  dialog.resize(dialog.parentWidget() ? kDialogSize.boundedTo(dialog.parentWidget()->window()->size()) : kDialogSize);
  tree->setTextElideMode(Qt::ElideLeft);
  QHeaderView* header = tree->header();
  header->setStretchLastSection(false);
  header->setSectionResizeMode(QHeaderView::Interactive);
  header->setSectionResizeMode(kName, QHeaderView::Stretch);
  header->resizeSection(kBytes, kSizeWidth);
  header->resizeSection(kKind, kKindWidth);
  header->resizeSection(kDate, kDateWidth);
  if (auto* side = dialog.findChild<QListView*>(QStringLiteral("sidebar"))) side->setMinimumWidth(kSideWidth);
  if (QCompleter* completer = name->completer()) {
    // A separate window: views that are transparent elsewhere are black here.
    const widgets::Theme& theme = widgets::Theme::current();
    completer->popup()->setStyleSheet(
        QStringLiteral("QAbstractItemView { background: %1; color: %2; border: 1px solid %3; }")
            .arg(theme.color(widgets::Role::Surface2).name(), theme.color(widgets::Role::Text1).name(), theme.color(widgets::Role::BorderStrong).name()));
  }
  // Open exactly the typed path. Qt's dialog selects matching entries while the user types, which replaces the text, and then opens the selected entries.
  QObject::disconnect(name, SIGNAL(textChanged(QString)), &dialog, SLOT(_q_autoCompleteFileName(QString)));
  QObject::connect(name, &QLineEdit::textChanged, tree, [name, tree] {
    if (name->hasFocus()) tree->selectionModel()->clearSelection();
  });
  if (dialog.acceptMode() != QFileDialog::AcceptOpen) return;
  QObject::disconnect(name, SIGNAL(returnPressed()), &dialog, nullptr);
  QObject::connect(name, &QLineEdit::returnPressed, &dialog, [&dialog, name] {
    const QString path = typedPath(dialog, name->text());
    const QFileInfo info(path);
    const bool folderWanted = dialog.fileMode() == QFileDialog::Directory;
    if (path.isEmpty() || !info.exists() || (folderWanted && !info.isDir())) return QMetaObject::invokeMethod(&dialog, "accept"), void();
    if (info.isDir() && !folderWanted) {
      dialog.setDirectory(path);
      name->clear();
      return;
    }
    dialog.setProperty(kTypedPath, path);
    static_cast<QDialog&>(dialog).done(QDialog::Accepted);  // QFileDialog hides it
  });
}

void askForFiles(QWidget* window, const Settings& settings, const QString& title, const QString& folder, const QString& filters,
                 std::function<void(const QStringList&)> then) {
  askToOpen(window, settings, title, folder, filters, QFileDialog::ExistingFiles, std::move(then));
}

void askForFile(QWidget* window, const Settings& settings, const QString& title, const QString& folder, const QString& filters,
                std::function<void(const QString&)> then) {
  askToOpen(window, settings, title, folder, filters, QFileDialog::ExistingFile, [then = std::move(then)](const QStringList& paths) { then(paths.first()); });
}

void askForFolder(QWidget* window, const Settings& settings, const QString& title, const QString& folder, std::function<void(const QString&)> then) {
  askToOpen(window, settings, title, folder, {}, QFileDialog::Directory, [then = std::move(then)](const QStringList& paths) { then(paths.first()); });
}

QString askForFileToSave(QWidget* window, const Settings& settings, const QString& title, const QString& suggestion, const QString& filters, QString* filter) {
  const QPointer<QFileDialog> dialog(new QFileDialog(window, title, QFileInfo(suggestion).absolutePath(), filters));
  dialog->setObjectName(QStringLiteral("save_dialog"));
  dialog->setAcceptMode(QFileDialog::AcceptSave);
  dialog->setFileMode(QFileDialog::AnyFile);
  dialog->selectFile(suggestion);
  prepareFileDialog(*dialog, settings);
  const bool accepted = dialog->exec() == QDialog::Accepted;
  if (!dialog) return {};  // it was deleted with its window
  const QString path = accepted ? dialog->selectedFiles().value(0) : QString();
  if (filter) *filter = dialog->selectedNameFilter();
  delete dialog;
  return path;
}

}  // namespace weft::app
