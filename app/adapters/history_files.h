// The history of an open document on disk, so that nothing is lost if the process is killed.
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

/// The contents of a journal: the graphs from the first one on, and the texts of the steps between them.
struct RecoveredHistory {
  QString path, title;
  std::vector<std::shared_ptr<const EngineGraph>> states;
  QStringList texts;
  int index = 0;
  int cleanIndex = -1;  ///< The index of the saved state; -1: none.
  QString error;        ///< Why the journal could not be read completely; empty if it could.
};

/// Writes `N.base` (the initial graph) and `N.journal` (the changes since) in a folder. Methods except the constructors may be called from any thread; they
/// block during writes.
class Journal {
 public:
  /// Nothing is written before the first edit.
  Journal(QString folder, int number, QString path, QString title);
  /// Takes over the files of another session.
  Journal(QString folder, int number, const QString& fromFolder, int fromNumber);
  ~Journal();

  void edited(const EngineGraph& before, const EngineGraph& after, const QString& text);
  void moved(int index);
  void saved(const QString& path);
  /// Flushes to the physical disk, so that the history survives a crash of the machine.
  void sync();
  /// Removes the files, because the document was closed normally.
  void discard();
  /// Whether it has steps and ends in the saved state of the document.
  bool isAsSaved() const;
  QString path() const;
  /// Moves the files to `folder` as number 1, replacing those there, to keep the history of a document that was closed. REQUIRES: isAsSaved().
  void keepIn(const QString& folder);
  /// The first write error, at which the journal ended; empty if there was none.
  QString error() const;

 private:
  bool open(const EngineGraph* base) WEFT_REQUIRES(mutex_);
  void append(const std::string& record) WEFT_REQUIRES(mutex_);
  /// Writes an entry, then applies it as readHistory() will.
  void record(const JournalEntry& entry) WEFT_REQUIRES(mutex_);
  void follow(const JournalEntry& entry) WEFT_REQUIRES(mutex_);
  QString file(const char* ending) const;

  const QString folder_;
  const int number_;
  QString path_ WEFT_GUARDED_BY(mutex_), title_;
  mutable Mutex mutex_;  // guards all members below
  QFile journal_ WEFT_GUARDED_BY(mutex_);
  bool begun_ WEFT_GUARDED_BY(mutex_) = false, dirty_ WEFT_GUARDED_BY(mutex_) = false;
  int index_ WEFT_GUARDED_BY(mutex_) = 0, clean_ WEFT_GUARDED_BY(mutex_) = -1, steps_ WEFT_GUARDED_BY(mutex_) = 0;  ///< As in RecoveredHistory.
  QString error_ WEFT_GUARDED_BY(mutex_);
};

/// A journal's document and number of steps; found without reading a graph.
struct JournalSummary {
  QString path, title;
  int steps = 0;
  bool changed = false;  ///< It ends neither as its file nor as it began: work would be lost.
};
JournalSummary summaryOf(const QString& folder, int number);
/// Reads a journal. Any thread; blocks.
RecoveredHistory readHistory(const QString& folder, int number);
/// Whether two graphs would be written as the same file, apart from automatic places.
bool sameDocument(const EngineGraph& a, const EngineGraph& b);
/// Numbers of the journals in a folder.
QVector<int> journalsIn(const QString& folder);

}  // namespace weft::app
