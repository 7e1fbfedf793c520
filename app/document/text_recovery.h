#pragma once

#include <QObject>
#include <QString>
#include <QTimer>
#include <QVector>
#include <functional>
#include <map>
#include <memory>

namespace weft::app {

class FileTab;
class UnsavedTextWriter;
class Workspace;

/// The unsaved text of a program, stored as `N.text` in a session's folder.
struct UnsavedText {
  QString path;  ///< Of the program.
  QString text;
  QByteArray begun;  ///< SHA-1 of the file that the text is based on.
  QString error;     ///< Why it cannot be read; empty if it can.

  static UnsavedText read(const QString& file);
  QByteArray bytes() const;
  /// Whether the text is based on the program's present file. Blocks.
  bool beganWith(const QString& onDisk) const;
};
/// Numbers of those files in a folder.
QVector<int> unsavedTextsIn(const QString& folder);
QString unsavedTextFile(const QString& folder, int number);

/// Keeps the unsaved texts of open programs on disk, at most one second after typing. GUI thread; other threads write the files.
class TextRecovery : public QObject {
 public:
  /// Writes to the existing `folder`; if not `keeping`, only recovers.
  TextRecovery(Workspace& workspace, QString folder, bool keeping, QObject* parent = nullptr);
  ~TextRecovery() override;

  /// Opens the program of a text left by an ended session and puts the text into its page as one step; `file` then belongs to this session. `done` gets the
  /// error, or empty.
  void recover(const QString& file, const std::function<void(const QString& error)>& done);

 private:
  void watch(FileTab* file);
  void forget(const FileTab* file);
  void write(FileTab* file);
  void put(FileTab* file, const UnsavedText& unsaved, const QString& from);

  Workspace& workspace_;
  QString folder_;
  int next_ = 1;
  struct Kept {
    std::shared_ptr<UnsavedTextWriter> writer;
    std::unique_ptr<QTimer> soon;
  };
  std::map<const FileTab*, Kept> kept_;
};

}  // namespace weft::app
