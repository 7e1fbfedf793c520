// Runs that lie on disk: of earlier starts, and what is said of a run after it ended (its title, its notes).
#pragma once

#include <QFileSystemWatcher>
#include <QHash>
#include <QObject>
#include <QSet>
#include <QTimer>
#include <memory>
#include <vector>

#include "document/run_controller.h"

namespace weft::app {

class Document;
struct RunIdentity;
class Workspace;

/// A run as its folder tells of it.
struct ArchivedRun {
  RunRecord record;          ///< `earlier`; without series, which lie in its event files.
  QString title;             ///< Given by somebody; empty: none.
  bool hasEvents = false;    ///< It left event files.
  bool interrupted = false;  ///< The program ended before the run did.
};

/// Under what its curves are known.
RunIdentity identityOf(const RunRecord& run);

/// The runs of one document, newest first. GUI thread; folders are read by tasks.
class RunArchive : public QObject {
  Q_OBJECT

 public:
  /// The archive of a workspace, made at the first call; it lives as long as the workspace.
  static RunArchive& of(Workspace& workspace);

  /// Reads the runs of a document if they are not there yet, or anew. Null has none. The folder is watched: runs that come or go are seen.
  void show(const Document* document, bool anew = false);
  /// Without those of this start of the program, which RunController has.
  const std::vector<std::unique_ptr<ArchivedRun>>& runs() const { return runs_; }
  bool isReading() const { return reading_; }
  /// One of the archive by the name of its folder, or a run by its number: of the document that is shown if it has one, else of this start; null if there
  /// is none.
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
  /// Which of its files somebody deleted, in a few words: "files deleted", "checkpoints deleted"; empty: none.
  QString missingFiles(const RunRecord& run) const;
  /// Whether it was removed since the program started.
  bool isRemoved(const RunRecord& run) const { return removed_.contains(run.folder); }

  /// Reads the runs of a folder. `file`: path of the document; of a folder that documents share (they have no file of their own, or one where nothing
  /// can be written) the runs of other files are left out. Any thread; blocks.
  static std::vector<std::unique_ptr<ArchivedRun>> read(const QString& folder, const QString& file = {});
  /// The runs of `document` (null: of all), newest first: those of this start, then those of earlier ones.
  QVector<const RunRecord*> listed(const Document* document) const;
  /// The runs of the document that is shown whose curves are there and not shown, newest first.
  QVector<const RunRecord*> hidden() const;
  /// Shows its curves; those of an earlier start are read first.
  void showCurves(const RunRecord& run);
  /// The run that made that folder; null if there is none.
  const RunRecord* findFolder(const QString& folder) const;

 signals:
  void changed();

 private:
  explicit RunArchive(Workspace& workspace);

  Workspace& workspace_;
  void load();
  void watchFolders();
  void showLast();

  QString folder_, file_;
  quint64 owner_ = 0;
  QFileSystemWatcher watcher_;
  QTimer later_;
  std::vector<std::unique_ptr<ArchivedRun>> runs_;
  QHash<QString, QString> titles_;  // of runs of this start, by folder
  QSet<QString> removed_;
  QSet<quint64> begun_;  // owners whose last run was shown on its own
  bool reading_ = false;
  int generation_ = 0;  // of what is being read
};

}  // namespace weft::app
