#pragma once

#include <QObject>
#include <QString>
#include <QStringList>
#include <functional>

namespace weft::app {

class FileTab;
class Workspace;

/// The interface of the page that edits a text.
class TextEditing {
 public:
  virtual ~TextEditing() = default;
  virtual QString text() const = 0;
  /// "undo", "redo", "cut", "copy", "paste", "select-all", "find", "replace", "fix": why the command is disabled now, or empty.
  virtual QString whyNot(const QString& command) const = 0;
  virtual void perform(const QString& command) = 0;
  /// The text was written to the file.
  virtual void saved() = 0;
  /// Replaces the whole text, as one step.
  virtual void replaceAll(const QString& text) = 0;
  /// Inserts text before the cursor's line, as one step.
  virtual void insert(const QString& lines) = 0;
  /// Moves the cursor to a line.
  virtual void goTo(int line) = 0;
};

/// The text of an open file, as read and as edited in its page. GUI thread.
class TextBuffer : public QObject {
  Q_OBJECT

 public:
  explicit TextBuffer(const QString& text, QObject* parent = nullptr) : QObject(parent), read_(text.isNull() ? QStringLiteral("") : text) {}

  /// The present text.
  QString text() const { return editing_ ? editing_->text() : read_; }
  /// The file's text when it was last read or written here; null: unknown.
  const QString& asRead() const { return read_; }
  bool isModified() const { return modified_; }
  void setModified(bool modified);
  TextEditing* editing() const { return editing_; }
  void setEditing(TextEditing* editing) { editing_ = editing; }
  void setSaved(const QString& text);
  /// Allows overwriting the file as long as it holds `text`.
  void acceptOnDisk(const QString& text) { read_ = text; }
  /// The text is based on another state of the file than the present one: saving asks.
  void forgetFileText() { read_ = QString(); }
  /// Called by its page after typing.
  void touch() { emit edited(); }
  /// Called if it was not saved because others changed the file.
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
/// Writes a file's text atomically, unless others have changed the file since it was read here; its page then asks. `overwrite`: ignore changes by others.
/// Returns an error, or empty.
QString saveText(Workspace& workspace, FileTab& file, bool overwrite = false);
/// The open Python program in front; null: none.
FileTab* programInFront(const Workspace& workspace);

}  // namespace weft::app
