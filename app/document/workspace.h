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
struct CanvasArrays;
struct FileContents;
class ProgramDebug;
class ProgramGraphs;
class Recovery;

/// The open documents and what belongs to all of them. Handed to views and commands; there is no global one. GUI thread.
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
  /// The Python program that runs, or ran last, and its graphs.
  Program& program() { return program_; }
  ProgramGraphs& programGraphs() { return *programGraphs_; }
  /// Where it stops.
  ProgramDebug& programDebug() { return *programDebug_; }
  /// The interactive Python on a document.
  Console& console() { return *console_; }

  const QVector<Document*>& documents() const { return documents_; }
  /// The graph that is in front, or was before a file that is no graph came there.
  Document* current() const { return current_; }
  void setCurrent(Document* document);
  /// Open files that are no graphs, and which of them is in front; null while a graph is.
  const QVector<FileTab*>& files() const { return files_; }
  FileTab* currentFile() const { return currentFile_; }
  void setCurrentFile(FileTab* file);

  /// Called when an opening or saving ended: the error, or empty.
  using Done = std::function<void(const QString& error)>;
  /// Reads a file beside the GUI thread and adds it as the current document or file; one that is open already is only shown. Folders of event files,
  /// and event files, go to summaries() (too).
  void open(const QString& path, Done done = {});
  /// Reads a folder of event files (or one file) and follows it.
  void openEvents(const QString& path, Done done = {});
  /// Reads what a run of an earlier start wrote, under its own name and colour.
  void openCurves(const RunRecord& run, Done done = {});
  /// Whether the panels show the runs of all documents, not only those of the graph in front. A setting, remembered.
  bool showsAllRuns() const { return allRuns_; }
  void setAllRunsShown(bool all);
  /// Names of runs in the present language.
  void renameRuns();
  /// Texts of the open graphs in the present language; they arrive later.
  void retranslate();
  /// Opens a graph of a SavedModel by its number as a new document, or shows it if it is open.
  void openModelGraph(const std::shared_ptr<const FileContents>& model, int metaGraph, Done done = {});
  /// Shows what a SavedModel holds beside its graphs, as a file.
  void openModelPage(const std::shared_ptr<const FileContents>& model);
  /// The SavedModel in front, or that of the graph in front; null if there is none.
  std::shared_ptr<const FileContents> currentModel() const;
  void newFromTemplate(const QString& name, Done done = {});
  /// Writes a document, unless others changed its file since it was read here: then saveRefused() is emitted. `overwrite`: whatever others did.
  void save(Document* document, const QString& path, Done done = {}, bool overwrite = false);
  /// Puts a document with other contents of the same file in the place of one, which is forgotten; returns the new one.
  Document* replace(Document* document, GraphContentsPtr contents);
  /// Shows what was read of a file that is no graph, in a tab of its own.
  void addFile(const std::shared_ptr<const FileContents>& contents);
  /// Takes over a document, with this as its parent, and shows it.
  void add(Document* document);
  /// Forgets the document; unsaved changes are lost. What goes on with it ends; its training does not if it is to be kept.
  void close(Document* document, bool keepTraining = false);
  void closeFile(FileTab* file);
  /// Whether a file is being read or written, or an edit computed.
  bool isBusy() const;

 signals:
  void documentAdded(weft::app::Document* document);
  void documentRemoved(weft::app::Document* document);
  void fileAdded(weft::app::FileTab* file);
  void fileRemoved(weft::app::FileTab* file);
  /// Another graph or file comes to the front, or the one in front is replaced or closed: the last moment for what was meant for it.
  void currentAboutToChange();
  /// Another graph or file came to the front.
  void currentChanged();
  /// Selection, title or contents of the current document changed.
  void currentSelectionChanged();
  void titleChanged(weft::app::Document* document);
  /// An edit, or going through the history, gave the document other contents.
  void contentsChanged(weft::app::Document* document);
  /// A document has its texts in another language now.
  void textsChanged(weft::app::Document* document);
  void recentChanged();
  /// The graph of a SavedModel is open now: its signatures belong beside it.
  void modelOpened();
  /// Event files are open now: the panels show them. `path`: as they are followed.
  void eventsOpened(const QString& path);
  void allRunsShownChanged();
  void runsRenamed();
  /// A Python program was to be opened: whether it runs is for somebody to decide.
  void programOffered(const QString& path);
  /// A document was not saved, for others have changed its file.
  void saveRefused(weft::app::Document* document);
  /// A file could not be opened or saved.
  void failed(const QString& message);

 private:
  /// What bears this name in other graphs and files becomes selected there too.
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
  /// A document of a file has the runs that this file had before.
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
  QHash<QString, QVector<Done>> opening_;  // files that are being read, with those who asked for them
  bool joining_ = false, allRuns_ = false;
  QHash<QString, quint64> owners_;  // of runs, by the path of the document
  std::map<int, int> runIds_;       // number of a training's run -> its id among the summaries
  std::unique_ptr<Recovery> recovery_;
  std::unique_ptr<ProgramGraphs> programGraphs_;
  std::unique_ptr<ProgramDebug> programDebug_;
  std::unique_ptr<Console> console_;
};

}  // namespace weft::app
