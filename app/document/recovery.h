#pragma once

#include <QLockFile>
#include <QObject>
#include <QTimer>
#include <QVector>
#include <functional>
#include <map>
#include <memory>

#include "adapters/history_files.h"

namespace weft::app {

class Document;
struct TaskState;
class TextRecovery;
class Workspace;

/// Keeps the histories of open documents and the unsaved texts of programs on disk, and finds those of sessions that were killed. GUI thread.
///
/// Each session has its own folder below the user's data (or $WEFT_RECOVERY), held by a lock; a folder whose lock is free belongs to a program that was killed.
/// The history of a document that was closed in its saved state is kept in a folder beside these, and returns when the unchanged file is opened. In scripts
/// (settings in memory) nothing is kept unless $WEFT_RECOVERY is set.
class Recovery : public QObject {
  Q_OBJECT

 public:
  explicit Recovery(Workspace& workspace, QObject* parent = nullptr);
  /// Removes this session's files.
  ~Recovery() override;

  bool isOn() const { return !folder_.isEmpty(); }
  /// A document or program of a session that was killed.
  struct Recoverable {
    QString folder;
    int number = 0;
    QString title, path;
    int steps = 0;
    bool isText = false;  ///< A program with its unsaved text instead of a history.
  };
  /// What killed sessions left; read at the start.
  const QVector<Recoverable>& recoverable() const { return recoverable_; }
  /// Opens all of them with their histories, on another thread. `done` gets the first error, or empty.
  void recoverAll(std::function<void(const QString& error)> done);
  /// Deletes what killed sessions left.
  void forgetAll();

 private:
  void startJournal(Document* document);
  /// Fills recoverable(); returns the documents that ended as saved, or without changes.
  QVector<Recoverable> findRecoverable(const QString& root);
  /// Called when the document was closed normally: keeps its history if it ends in the saved state, else removes it.
  void closeJournal(Journal& journal) const;
  /// Gives a newly opened document the history that it was closed with.
  void restoreHistory(Document* document);
  QString keptFolder(const QString& path) const;
  struct Found;
  static Found read(const Recoverable& recoverable, TaskState& task);
  void show(const Recoverable& recoverable, Found& found);
  /// Recovers the texts one after another, then calls `done`.
  void recoverTexts(QVector<Recoverable> texts, QString error, std::function<void(const QString& error)> done);
  void endRecovery();

  Workspace& workspace_;
  QString folder_, kept_;
  std::unique_ptr<QLockFile> lock_;
  QVector<Recoverable> recoverable_;
  std::vector<std::unique_ptr<QLockFile>> taken_;  // of ended sessions, so that a second window does not recover them, too
  QTimer timer_;
  int next_ = 1;
  std::map<Document*, std::shared_ptr<Journal>> journals_;
  std::unique_ptr<TextRecovery> texts_;
  std::shared_ptr<Journal> recoveredJournal_;  // for the document in recovery
};

}  // namespace weft::app
