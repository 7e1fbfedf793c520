#include "main_window/bug_report.h"

#include <QBuffer>
#include <QCheckBox>
#include <QCoreApplication>
#include <QDateTime>
#include <QDialog>
#include <QDialogButtonBox>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QLabel>
#include <QPixmap>
#include <QPlainTextEdit>
#include <QPointer>
#include <QPushButton>
#include <QSaveFile>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QVBoxLayout>

#include "adapters/graph_files.h"
#include "document/document.h"
#include "document/workspace.h"
#include "main_window/about.h"
#include "shell/action_registry.h"
#include "shell/command_words.h"
#include "shell/dialog_parts.h"
#include "shell/file_dialogs.h"
#include "shell/shell.h"
#include "support/zip_writer.h"

namespace weft::app {
namespace {

struct BugReport {
  Q_DECLARE_TR_FUNCTIONS(BugReport)
};

/// The last actions, as a script that repeats them.
QString lastActions(const ActionRegistry& actions) {
  QString script = QStringLiteral("# weft-studio --script THIS\n");
  for (const GivenCommand& command : actions.history()) {
    const QString line = commandLine(command.id, command.arguments);
    script += command.ok ? line + u'\n' : QStringLiteral("# failed: ") + line + u'\n';
  }
  return script;
}

QString logText(const Log& log) {
  static const char* kLevels[] = {"info", "warning", "error"};
  QString text;
  for (const Log::Line& line : log.lines())
    text += QStringLiteral("%1 %2: %3\n").arg(line.time.toLocalTime().toString(Qt::ISODate), QLatin1String(kLevels[int(line.level)]), line.text);
  return text;
}

QString settingsText(const Settings& settings) {
  QString text;
  for (const SettingRecord& record : settingRecords())
    text += QStringLiteral("%1 = %2\n").arg(QLatin1String(record.key), settings.get(QLatin1String(record.key)).toString());
  for (const QString& id : settings.keys(QStringLiteral("keys")))
    text += QStringLiteral("keys/%1 = %2\n").arg(id, settings.value(QStringLiteral("keys/") + id).toString());
  return text;
}

}  // namespace

QString writeBugReport(const QString& path, bool withDocument, const QString& words, Workspace& workspace, const ActionRegistry& actions, Shell& shell) {
  ZipWriter zip;
  const auto add = [&](const char* name, const QByteArray& data) { zip.add(name, std::string_view(data.constData(), size_t(data.size()))); };
  if (!words.isEmpty()) add("what-happened.txt", words.toUtf8());
  add("versions.txt", versionsText().toUtf8());
  add("log.txt", logText(workspace.log()).toUtf8());
  add("settings.txt", settingsText(workspace.settings()).toUtf8());
  add("last-actions.txt", lastActions(actions).toUtf8());
  QByteArray picture;
  QBuffer buffer(&picture);
  buffer.open(QIODevice::WriteOnly);
  shell.window()->grab().save(&buffer, "PNG");
  add("window.png", picture);
  if (const Document* document = workspace.current(); document && withDocument) {
    const QTemporaryDir folder;
    const QString file = folder.filePath(QStringLiteral("document.weft"));
    const QString error = saveGraph(*document->contents(), file);
    if (!error.isEmpty()) return error;
    QFile saved(file);
    if (!saved.open(QIODevice::ReadOnly)) return BugReport::tr("%1 could not be read.").arg(file);
    add("document.weft", saved.readAll());
  }
  const std::string archive = zip.finish();
  QSaveFile out(path);
  if (!out.open(QIODevice::WriteOnly) || out.write(archive.data(), qint64(archive.size())) != qint64(archive.size()) || !out.commit())
    return BugReport::tr("%1 could not be written: %2").arg(path, out.errorString());
  workspace.log().info(BugReport::tr("Bug report written to %1").arg(path));
  return {};
}

void askForBugReport(Workspace& workspace, ActionRegistry& actions, Shell& shell) {
  auto* dialog = new QDialog(shell.window());
  dialog->setObjectName(QStringLiteral("bug_report_dialog"));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setWindowTitle(BugReport::tr("Save a bug report"));
  dialog->resize(520, 360);
  auto* layout = dialogColumn(dialog);
  auto* question = new QLabel(BugReport::tr("&What happened, and what did you expect?"), dialog);
  auto* words = new QPlainTextEdit(dialog);
  words->setTabChangesFocus(true);
  words->setAccessibleName(BugReport::tr("What happened"));
  question->setBuddy(words);
  auto* contents = new QLabel(
      BugReport::tr(
          "The archive contains your description, the log, versions, settings, recent commands and a screenshot of the window. It is only saved to a file; nothing is sent."),
      dialog);
  contents->setWordWrap(true);
  contents->setProperty("kind", QStringLiteral("muted"));
  auto* document = new QCheckBox(BugReport::tr("Include the open &graph"), dialog);
  document->setEnabled(workspace.current());
  auto* buttons = new QDialogButtonBox(dialog);
  QPushButton* save = buttons->addButton(BugReport::tr("&Save…"), QDialogButtonBox::AcceptRole);
  QPushButton* cancel = buttons->addButton(BugReport::tr("&Cancel"), QDialogButtonBox::RejectRole);
  for (QWidget* widget : std::initializer_list<QWidget*>{question, words, contents, document, buttons}) layout->addWidget(widget);
  QObject::connect(cancel, &QPushButton::clicked, dialog, &QDialog::reject);
  QObject::connect(save, &QPushButton::clicked, dialog, [dialog, words, document, &workspace, &actions, &shell] {
    const QString suggestion = QDir(QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation))
                                   .filePath(QStringLiteral("weft-report-%1.zip").arg(QDateTime::currentDateTime().toString(QStringLiteral("yyyyMMdd-HHmm"))));
    const QPointer<QDialog> guard(dialog);
    const QString path = askForFileToSave(dialog, workspace.settings(), BugReport::tr("Save a bug report"), suggestion, BugReport::tr("Archives (*.zip)"));
    if (path.isEmpty() || !guard) return;
    dialog->hide();
    const QString error = writeBugReport(path, document->isChecked(), words->toPlainText(), workspace, actions, shell);
    if (error.isEmpty()) shell.notify(BugReport::tr("Bug report written to %1").arg(path));
    else shell.showError(error);
    dialog->accept();
  });
  dialog->show();
  words->setFocus();
}

}  // namespace weft::app
