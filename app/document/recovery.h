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

/// Keeps the histories of all open documents and the unsaved texts of programs on disk, and finds those that an ended session left behind. GUI thread.
///
/// Each session has a folder of its own below the user's data (or $WEFT_RECOVERY), held by a lock: a folder whose lock nobody holds belongs to a
/// program that was ended from outside. Of a document that is closed as it was saved the history is kept in a folder beside these, and is there
/// again when its file is opened as it was left. In scripts (settings in memory) nothing is kept unless $WEFT_RECOVERY says where.
class Recovery : public QObject {
  Q_OBJECT

 public:
  explicit Recovery(Workspace& workspace, QObject* parent = nullptr);
  /// Removes what this session kept.
  ~Recovery() override;

  bool isOn() const { return !folder_.isEmpty(); }
  /// A document or program of an ended session.
  struct Lost {
    QString folder;
    int number = 0;
    QString title, path;
    int steps = 0;
    bool isText = false;  ///< A program, with its unsaved text in place of a history.
  };
  /// What ended sessions left; read at the start.
  const QVector<Lost>& lost() const { return lost_; }
  /// Opens all of it, with its history, beside the GUI thread. `done` gets the first error, or nothing.
  void recoverAll(std::function<void(const QString& error)> done);
  /// Deletes what ended sessions left.
  void forgetAll();

 private:
  void adopt(Document* document);
  /// Fills lost(); returns what ended as it was saved, or with nothing done.
  QVector<Lost> findLost(const QString& root);
  /// The document was closed in peace: keeps its history if it ends as the file is, else removes it.
  void retire(Journal& journal) const;
  /// Gives a document that was just opened the history that it was closed with.
  void takeUp(Document* document);
  QString keptFolder(const QString& path) const;
  struct Found;
  static Found read(const Lost& lost, TaskState& task);
  void show(const Lost& lost, Found& found);
  /// Recovers the texts one after another, then tells `done`.
  void recoverTexts(QVector<Lost> texts, QString error, std::function<void(const QString& error)> done);
  void endRecovery();

  Workspace& workspace_;
  QString folder_, kept_;
  std::unique_ptr<QLockFile> lock_;
  QVector<Lost> lost_;
  std::vector<std::unique_ptr<QLockFile>> taken_;  // of ended sessions, so that no second window takes them, too
  QTimer timer_;
  int next_ = 1;
  std::map<Document*, std::shared_ptr<Journal>> journals_;
  std::unique_ptr<TextRecovery> texts_;
  std::shared_ptr<Journal> adopted_;  // for the document that is being recovered
};

}  // namespace weft::app
