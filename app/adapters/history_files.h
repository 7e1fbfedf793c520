// The history of a document on disk while it is open, so that nothing is lost if the program is ended from outside.
#pragma once

#include <QFile>
#include <QString>
#include <QStringList>
#include <QVector>
#include <memory>
#include <vector>

#include "adapters/graph_contents.h"
#include "weft/mutex.h"

namespace weft {
struct JournalEntry;
}

namespace weft::app {

/// What a journal held: the graphs from the first one on, with the texts of the steps between them.
struct RecoveredHistory {
  QString path, title;
  std::vector<std::shared_ptr<const EngineGraph>> states;
  QStringList texts;
  int index = 0;
  int cleanIndex = -1;  ///< Where it was as in the file; -1: nowhere.
  QString error;        ///< Why not all of it could be read; empty if it could.
};

/// Files `N.base` (the graph at first) and `N.journal` (what was done since) in a folder. Methods but the constructor may be called from any thread;
/// they block for the time of a write.
class Journal {
 public:
  /// Nothing is written before the first edit.
  Journal(QString folder, int number, QString path, QString title);
  /// Takes the files of another session over.
  Journal(QString folder, int number, const QString& fromFolder, int fromNumber);
  ~Journal();

  void edited(const EngineGraph& before, const EngineGraph& after, const QString& text);
  void moved(int index);
  void saved(const QString& path);
  /// Brings it to the disk itself: what was written survives the machine, too.
  void sync();
  /// Removes the files: the document was closed in peace.
  void discard();
  /// Whether it holds steps and ends where the document was as in its file.
  bool isAsSaved() const;
  QString path() const;
  /// Puts the files into `folder` as number 1, in place of what is there: the document was closed, its history is kept. REQUIRES: isAsSaved().
  void keepIn(const QString& folder);
  /// The first error of writing; the journal ends there. Empty if all went well.
  QString error() const;

 private:
  bool open(const EngineGraph* base) WEFT_REQUIRES(mutex_);
  void append(const std::string& record) WEFT_REQUIRES(mutex_);
  /// Writes an entry and does as readHistory() will.
  void record(const JournalEntry& entry) WEFT_REQUIRES(mutex_);
  void follow(const JournalEntry& entry) WEFT_REQUIRES(mutex_);
  QString file(const char* ending) const;

  const QString folder_;
  const int number_;
  QString path_ WEFT_GUARDED_BY(mutex_), title_;
  mutable Mutex mutex_;
  QFile journal_ WEFT_GUARDED_BY(mutex_);
  bool begun_ WEFT_GUARDED_BY(mutex_) = false, dirty_ WEFT_GUARDED_BY(mutex_) = false;
  int index_ WEFT_GUARDED_BY(mutex_) = 0, clean_ WEFT_GUARDED_BY(mutex_) = -1, steps_ WEFT_GUARDED_BY(mutex_) = 0;  ///< As in RecoveredHistory.
  QString error_ WEFT_GUARDED_BY(mutex_);
};

/// What a journal is of; reads no graph.
struct JournalSummary {
  QString path, title;
  int steps = 0;
  bool changed = false;  ///< It ends as something else than its file, or than what it began with: work would be lost.
};
JournalSummary summaryOf(const QString& folder, int number);
/// Reads a journal. Any thread; blocks.
RecoveredHistory readHistory(const QString& folder, int number);
/// Whether two graphs would be written as the same file.
bool sameDocument(const EngineGraph& a, const EngineGraph& b);
/// Numbers of the journals in a folder.
QVector<int> journalsIn(const QString& folder);

}  // namespace weft::app
