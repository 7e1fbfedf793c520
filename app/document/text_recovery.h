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
class TextKeeper;
class Workspace;

/// A program text that was not saved, as a file `N.text` in the folder of a session.
struct UnsavedText {
  QString path;  ///< Of the program.
  QString text;
  QByteArray begun;  ///< SHA-1 of the file that the text began with.
  QString error;     ///< Why it cannot be read; empty if it can.

  static UnsavedText read(const QString& file);
  QByteArray bytes() const;
  /// Whether the program's file is still what the text began with. Blocks.
  bool beganWith(const QString& onDisk) const;
};
/// Numbers of those files in a folder.
QVector<int> unsavedTextsIn(const QString& folder);
QString unsavedTextFile(const QString& folder, int number);

/// Keeps the unsaved texts of open programs on disk, each no later than a second after it was typed. GUI thread; files are written beside it.
class TextRecovery : public QObject {
 public:
  /// Writes to `folder`, which exists, or only recovers if not `keeping`.
  TextRecovery(Workspace& workspace, QString folder, bool keeping, QObject* parent = nullptr);
  ~TextRecovery() override;

  /// Opens the program of a text that an ended session left, and puts the text into its page as one step; `file` is then this session's. `done` gets
  /// the error, or nothing.
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
    std::shared_ptr<TextKeeper> keeper;
    std::unique_ptr<QTimer> soon;
  };
  std::map<const FileTab*, Kept> kept_;
};

}  // namespace weft::app
