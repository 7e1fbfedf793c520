#pragma once

#include <QHash>
#include <QObject>
#include <QVector>
#include <functional>
#include <memory>

#include "adapters/tasks.h"
#include "document/debug_controller.h"
#include "document/log.h"
#include "document/program.h"
#include "document/run_controller.h"
#include "document/settings.h"
#include "document/summaries.h"

namespace weft::app {

class Console;
class Document;
class FileTab;
class LocalCluster;
struct CanvasArrays;
struct FileContents;
class ProgramDebug;
class ProgramGraphs;
class Recovery;

/// The open documents and the objects that they share. Passed to views and commands; there is no global instance. GUI thread.
class Workspace : public QObject {
  Q_OBJECT

 public:
  explicit Workspace(Settings::Kind settings, QObject* parent = nullptr);
  ~Workspace() override;

  Settings& settings() { return settings_; }
  Tasks& tasks() { return tasks_; }
  Log& log() { return log_; }
  RunController& runs() { return runs_; }
  DebugController& debugger() { return debugger_; }
  Summaries& summaries() { return summaries_; }
  Recovery& recovery() { return *recovery_; }
  /// The present or last Python program and its graphs.
  Program& program() { return program_; }
  ProgramGraphs& programGraphs() { return *programGraphs_; }
  /// Its pauses.
  ProgramDebug& programDebug() { return *programDebug_; }
  /// The interactive Python on a document.
  Console& console() { return *console_; }
  /// Tasks of a TensorFlow cluster on this machine, for trials.
  LocalCluster& localCluster() { return *localCluster_; }

  const QVector<Document*>& documents() const { return documents_; }
  /// The graph in front, or the last one before another kind of file came to the front.
  Document* current() const { return current_; }
  void setCurrent(Document* document);
  /// Open files that are not graphs, and the one in front; null while a graph is in front.
  const QVector<FileTab*>& files() const { return files_; }
  FileTab* currentFile() const { return currentFile_; }
  void setCurrentFile(FileTab* file);

  /// Called when opening or saving has ended, with the error or empty.
  using Done = std::function<void(const QString& error)>;
  /// Reads a file on another thread and adds it as the current document or file; an open one is only shown. Event files and their folders (also) go to
  /// summaries().
  void open(const QString& path, Done done = {});
  /// Reads a folder of event files (or one file) and follows it.
  void openEvents(const QString& path, Done done = {});
  /// Reads the curves of an earlier session's run, under its name and colour.
  void openCurves(const RunRecord& run, Done done = {});
  /// Whether the panels show the runs of all documents, or only those of the graph in front. A remembered setting.
  bool showsAllRuns() const { return allRuns_; }
  void setAllRunsShown(bool all);
  /// Updates run names to the present language.
  void renameRuns();
  /// Updates the texts of the open graphs to the present language; they arrive later.
  void retranslate();
  /// Opens a graph of a SavedModel by its number as a new document, or shows it if it is open.
  void openModelGraph(const std::shared_ptr<const FileContents>& model, int metaGraph, Done done = {});
  /// Shows a SavedModel's contents besides its graphs, as a file.
  void openModelPage(const std::shared_ptr<const FileContents>& model);
  /// The SavedModel in front, or that of the graph in front; null if there is none.
  std::shared_ptr<const FileContents> currentModel() const;
  void newFromTemplate(const QString& name, Done done = {});
  /// Writes a document, unless others changed its file since it was read here; saveRefused() is then emitted. `overwrite`: ignore changes by others.
  void save(Document* document, const QString& path, Done done = {}, bool overwrite = false);
  /// Replaces a document by a new one with other contents of the same file; returns the new one.
  Document* replace(Document* document, GraphContentsPtr contents);
  /// Shows a file that is not a graph in its own tab.
  void addFile(const std::shared_ptr<const FileContents>& contents);
  /// Takes over a document, with this as its parent, and shows it.
  void add(Document* document);
  /// Closes the document; unsaved changes are lost. Its running work ends, except a training with `keepTraining`.
  void close(Document* document, bool keepTraining = false);
  void closeFile(FileTab* file);
  /// Whether a file is being read or written, or an edit computed.
  bool isBusy() const;

 signals:
  void documentAdded(weft::app::Document* document);
  void documentRemoved(weft::app::Document* document);
  void fileAdded(weft::app::FileTab* file);
  void fileRemoved(weft::app::FileTab* file);
  /// Another graph or file is about to come to the front, or the present one to be replaced or closed: the last chance to act on it.
  void currentAboutToChange();
  /// Another graph or file came to the front.
  void currentChanged();
  /// Selection, title or contents of the current document changed.
  void currentSelectionChanged();
  void titleChanged(weft::app::Document* document);
  /// An edit or a move in the history changed the document's contents.
  void contentsChanged(weft::app::Document* document);
  /// A document's texts were translated.
  void textsChanged(weft::app::Document* document);
  void recentChanged();
  /// A SavedModel's graph was opened; its signatures should be shown beside it.
  void modelOpened();
  /// Event files were opened; the panels should show them. `path`: the followed path.
  void eventsOpened(const QString& path);
  void allRunsShownChanged();
  void runsRenamed();
  /// A Python program was opened by the user, who decides whether to run it.
  void programOffered(const QString& path);
  /// A document was not saved because others changed its file.
  void saveRefused(weft::app::Document* document);
  /// A file could not be opened or saved.
  void failed(const QString& message);

 private:
  /// Selects the items of this name in other graphs and files too.
  void joinSelection(const QString& name, const QObject* origin);
  void showOpenFile(const QString& path, bool* found);
  struct Reading;
  bool isBeingOpened(const QString& path, const Done& done);
  void endOpening(const QString& path, const QString& error);
  void readProgram(const QString& path);
  void readFile(const QString& path);
  QString showRead(Reading& reading);
  QString whyNotThere(const Document* document, const QString& path) const;
  void addModelGraph(const GraphContentsPtr& contents, const std::shared_ptr<const FileContents>& model, int metaGraph, std::shared_ptr<CanvasArrays> prepared);
  void report(const QString& error, const Done& done);
  void openEvents(const QString& path, const RunIdentity& identity, Done done);
  /// Gives a file's document the runs that the file had before.
  void keepOwner(Document* document);
  void chooseOwner();

  Settings settings_;
  Log log_;
  Tasks tasks_;
  RunController runs_;
  DebugController debugger_;
  Summaries summaries_;
  Program program_;
  QVector<Document*> documents_;
  Document* current_ = nullptr;
  QVector<FileTab*> files_;
  FileTab* currentFile_ = nullptr;
  int pending_ = 0;
  QHash<QString, QVector<Done>> opening_;  // files being read, with the callbacks of the requests
  bool joining_ = false, allRuns_ = false;
  QHash<QString, quint64> owners_;  // of runs, by the path of the document
  std::map<int, int> runIds_;       // a training's run number -> its id in the summaries
  std::unique_ptr<Recovery> recovery_;
  std::unique_ptr<ProgramGraphs> programGraphs_;
  std::unique_ptr<ProgramDebug> programDebug_;
  std::unique_ptr<Console> console_;
  std::unique_ptr<LocalCluster> localCluster_;
};

}  // namespace weft::app
