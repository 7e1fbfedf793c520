// Runs that lie on disk: of earlier starts, and what is said of a run after it ended (its title, its notes).
#pragma once

#include <QHash>
#include <QObject>
#include <QSet>
#include <memory>
#include <vector>

#include "document/run_controller.h"

namespace weft::app {

class Workspace;

/// A run as its folder tells of it.
struct ArchivedRun {
  RunRecord record;          ///< `number` is 0; without series, which lie in its event files.
  QString title;             ///< Given by somebody; empty: none.
  bool interrupted = false;  ///< The program ended before the run did.
};

/// The runs in one folder, newest first. GUI thread; folders are read by tasks.
class RunArchive : public QObject {
  Q_OBJECT

 public:
  /// The archive of a workspace, made at the first call; it lives as long as the workspace.
  static RunArchive& of(Workspace& workspace);

  /// Reads the runs below `folder` if they are not there yet, or anew. An empty folder has none.
  void show(const QString& folder, bool anew = false);
  /// Without those of this start of the program, which RunController has.
  const std::vector<std::unique_ptr<ArchivedRun>>& runs() const { return runs_; }
  bool isReading() const { return reading_; }
  /// A run of this start by its number, or one of the archive by the name of its folder; null if there is none.
  const RunRecord* find(const QString& word) const;
  const ArchivedRun* archived(const RunRecord* record) const;

  /// What it is called without its title: `run 3`.
  QString name(const RunRecord& run) const;
  /// What a run is called in lists: `run 3`, `run 3 · bigger batch`.
  QString label(const RunRecord& run) const;
  QString title(const RunRecord& run) const;
  /// Gives a run a title, or notes, and writes them into its record. Returns why not, or nothing.
  QString setTitle(const RunRecord& run, const QString& title);
  QString setNotes(const RunRecord& run, const QString& notes);
  /// Moves the folder of a run to the trash. Returns why not, or nothing.
  QString remove(const RunRecord& run);
  /// Whether it was removed since the program started.
  bool isRemoved(const RunRecord& run) const { return removed_.contains(run.folder); }

  /// Reads a folder of runs. Any thread; blocks.
  static std::vector<std::unique_ptr<ArchivedRun>> read(const QString& folder);

 signals:
  void changed();

 private:
  explicit RunArchive(Workspace& workspace);

  Workspace& workspace_;
  QString folder_;
  std::vector<std::unique_ptr<ArchivedRun>> runs_;
  QHash<QString, QString> titles_;  // of runs of this start, by folder
  QSet<QString> removed_;
  bool reading_ = false;
  int generation_ = 0;  // of what is being read
};

}  // namespace weft::app
