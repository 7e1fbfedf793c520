#pragma once

#include <QObject>
#include <QString>
#include <QStringList>
#include <functional>

namespace weft::app {

class FileTab;
class Workspace;

/// Who edits a text: the page of its file.
class TextEditing {
 public:
  virtual ~TextEditing() = default;
  virtual QString text() const = 0;
  /// "undo", "redo", "cut", "copy", "paste", "select-all", "find", "replace", "fix": why it cannot be done now, or empty.
  virtual QString whyNot(const QString& command) const = 0;
  virtual void perform(const QString& command) = 0;
  /// The text was written to the file.
  virtual void saved() = 0;
  /// Puts another text in place of all, as one step.
  virtual void replaceAll(const QString& text) = 0;
  /// Puts text before the line of the cursor, as one step.
  virtual void insert(const QString& lines) = 0;
  /// Puts the cursor into a line.
  virtual void goTo(int line) = 0;
};

/// The text of an open file: as it was read, and edited by its page. GUI thread.
class TextBuffer : public QObject {
  Q_OBJECT

 public:
  explicit TextBuffer(const QString& text, QObject* parent = nullptr) : QObject(parent), read_(text.isNull() ? QStringLiteral("") : text) {}

  /// As it stands now.
  QString text() const { return editing_ ? editing_->text() : read_; }
  /// As the file was when it was last read or written here; null: it is not known.
  const QString& asRead() const { return read_; }
  bool isModified() const { return modified_; }
  void setModified(bool modified);
  TextEditing* editing() const { return editing_; }
  void setEditing(TextEditing* editing) { editing_ = editing; }
  void setSaved(const QString& text);
  /// From now on the file may be written over if it still holds `text`.
  void acceptOnDisk(const QString& text) { read_ = text; }
  /// The text began with another state of the file than is there now: saving asks.
  void distrust() { read_ = QString(); }
  /// Its page says that somebody typed.
  void touch() { emit edited(); }
  /// Why it was not saved: the file was changed by others.
  void refuse() { emit refused(); }

 signals:
  void modifiedChanged();
  void edited();
  void refused();
  /// It was written.
  void saved();

 private:
  QString read_;
  bool modified_ = false;
  TextEditing* editing_ = nullptr;
};

/// Reads a text file; empty `error` if it could be read. Any thread.
QString readText(const QString& path, QString* error);
/// Writes the text of a file as a whole or not at all; not if others have changed the file since it was read here, which its page then asks about.
/// `overwrite`: whatever others did. The error, or empty.
QString saveText(Workspace& workspace, FileTab& file, bool overwrite = false);
/// The open Python program in front; null: there is none.
FileTab* programInFront(const Workspace& workspace);

}  // namespace weft::app
