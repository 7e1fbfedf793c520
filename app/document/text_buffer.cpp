#include "document/text_buffer.h"

#include <QCoreApplication>
#include <QFile>
#include <QFileInfo>
#include <QSaveFile>
#include <QStringDecoder>

#include "document/file_tab.h"
#include "document/workspace.h"

namespace weft::app {
namespace {
constexpr qint64 kLargest = 8 << 20;
}

void TextBuffer::setModified(bool modified) {
  if (modified == modified_) return;
  modified_ = modified;
  emit modifiedChanged();
}

void TextBuffer::setSaved(const QString& text) {
  read_ = text;
  if (editing_) editing_->saved();
  setModified(false);
  emit saved();
}

QString readText(const QString& path, QString* error) {
  QFile file(path);
  if (QFileInfo(path).size() > kLargest) {
    *error = QCoreApplication::translate("TextBuffer", "%1 is too large to edit here.").arg(path);
    return {};
  }
  if (!file.open(QIODevice::ReadOnly)) {
    *error = QCoreApplication::translate("TextBuffer", "%1 cannot be read: %2").arg(path, file.errorString());
    return {};
  }
  const QByteArray bytes = file.readAll();
  QStringDecoder utf8(QStringDecoder::Utf8);
  const QString text = utf8(bytes);
  // Saving would change bytes that could not be read as text.
  if (utf8.hasError() || bytes.contains('\0')) *error = QCoreApplication::translate("TextBuffer", "%1 is not UTF-8 text.").arg(path);
  return text.isNull() ? QStringLiteral("") : text;
}

QString saveText(Workspace& workspace, FileTab& file, bool overwrite) {
  TextBuffer* buffer = file.text();
  const QString text = buffer->text();
  if (!overwrite && QFileInfo::exists(file.path())) {
    QString error;
    const QString onDisk = readText(file.path(), &error);
    if (onDisk != text && (!error.isEmpty() || buffer->asRead().isNull() || onDisk != buffer->asRead())) {
      buffer->refuse();
      return QCoreApplication::translate("TextBuffer", "%1 was not saved: another program or window has changed it since it was opened.").arg(file.path());
    }
  }
  QSaveFile out(QFileInfo(file.path()).canonicalFilePath().isEmpty() ? file.path() : QFileInfo(file.path()).canonicalFilePath());
  const QByteArray bytes = text.toUtf8();
  if (!out.open(QIODevice::WriteOnly) || out.write(bytes) != bytes.size() || !out.commit()) {
    return QCoreApplication::translate("TextBuffer", "%1 could not be written: %2").arg(file.path(), out.errorString());
  }
  buffer->setSaved(text);
  workspace.log().info(QCoreApplication::translate("TextBuffer", "Saved %1").arg(file.path()));
  return {};
}

FileTab* programInFront(const Workspace& workspace) {
  FileTab* file = workspace.currentFile();
  return file && file->text() && file->contents()->kind == QLatin1String("python") ? file : nullptr;
}

}  // namespace weft::app
