// Runs on disk: those of earlier sessions, and titles and notes added after a run ended.
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

/// A run as recorded in its folder.
struct ArchivedRun {
  RunRecord record;          ///< `earlier`; without series, which are in its event files.
  QString title;             ///< Set by the user; empty: none.
  bool hasEvents = false;    ///< Whether it wrote event files.
  bool interrupted = false;  ///< The program was killed during the run.
};

/// The identity under which its curves are shown.
RunIdentity identityOf(const RunRecord& run);

/// The runs of one document, newest first. GUI thread; tasks read the folders.
class RunArchive : public QObject {
  Q_OBJECT

 public:
  /// The archive of a workspace; created on the first call, lives as long as the workspace.
  static RunArchive& of(Workspace& workspace);

  /// Reads the runs of a document if needed, or again if `anew`. Null has none. The folder is watched for changes.
  void show(const Document* document, bool anew = false);
  /// Runs of earlier sessions; RunController has those of this one.
  const std::vector<std::unique_ptr<ArchivedRun>>& runs() const { return runs_; }
  bool isReading() const { return reading_; }
  /// A run of the archive by folder name, or any run by its number: of the shown document if it has one, else of this session. Null if there is none.
  const RunRecord* find(const QString& word) const;
  const ArchivedRun* archived(const RunRecord* record) const;

  /// Its name without the title: `run 3`.
  QString name(const RunRecord& run) const;
  /// Its name in lists: `run 3`, `run 3 · bigger batch`.
  QString label(const RunRecord& run) const;
  QString title(const RunRecord& run) const;
  /// Sets the title (or notes) of a run and writes it to its record. Returns an error, or empty.
  QString setTitle(const RunRecord& run, const QString& title);
  QString setNotes(const RunRecord& run, const QString& notes);
  /// Moves a run's folder to the trash. Returns an error, or empty.
  QString remove(const RunRecord& run);
  /// Which of its files were deleted, in a few words: "files deleted", "checkpoints deleted"; empty: none.
  QString missingFiles(const RunRecord& run) const;
  /// Whether it was removed in this session.
  bool isRemoved(const RunRecord& run) const { return removed_.contains(run.folder); }

  /// Reads the runs of a folder. `file`: path of the document; in a folder that documents share (unsaved ones, or those in read-only folders), runs of other
  /// files are left out. Any thread; blocks.
  static std::vector<std::unique_ptr<ArchivedRun>> read(const QString& folder, const QString& file = {});
  /// The runs of `document` (null: of all), newest first: those of this session, then earlier ones.
  QVector<const RunRecord*> listed(const Document* document) const;
  /// The shown document's runs with curves that are not shown, newest first.
  QVector<const RunRecord*> hidden() const;
  /// Shows a run's curves; those of an earlier session are read first.
  void showCurves(const RunRecord& run);
  /// The run with that folder; null if there is none.
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
  QHash<QString, QString> titles_;  // of this session's runs, by folder
  QSet<QString> removed_;
  QSet<quint64> begun_;  // owners whose last run was shown automatically
  bool reading_ = false;
  int generation_ = 0;  // of the pending read
};

}  // namespace weft::app
