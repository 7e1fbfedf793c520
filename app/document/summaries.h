// Summaries of trainings and event files, as the panels show them.
#pragma once

#include <QObject>
#include <QSet>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "adapters/summary_batch.h"

namespace weft::widgets {
class FrameMember;
}

namespace weft::app {

class EventFollower;
class Log;
class Tasks;

enum class SummaryKind : quint8 { Scalar, Histogram, Picture, Text, Sound, PrCurve, HParams, Layout, Mesh };

/// The identity of a run: its name, owner and colour, the same everywhere.
struct RunIdentity {
  QString name = {};      ///< Preferred name; made unique by its document, or a number.
  int number = 0;         ///< `run 3`, translated in every language. 0: none.
  QString folder = {};    ///< Folder of a training; empty: event files from elsewhere.
  QString document = {};  ///< Title of the trained document.
  quint64 owner = 0;      ///< Its RunSettings::owner(); 0: none, shown with every document.
  int hue = -1;           ///< Index of the colour; -1: a free one.
};

/// One run with all its summaries; nothing is dropped. Series are shared with the panels, which only read them.
struct SummaryRun {
  int id = 0;
  int hue = 0;  ///< Index of its colour.
  RunIdentity identity;
  bool foreign = false;  ///< Belongs to a document that is not in front: no panel shows it.
  QString name;          ///< Unique: `run 3`, `logs/train`.
  QString source;        ///< Followed folder or file; empty: a training of this program.
  bool visible = true;
  QString problem;    ///< Why it has ended early; empty: no problem.
  qint64 others = 0;  ///< Number of values of kinds that no panel shows.
  std::map<QString, std::shared_ptr<widgets::SeriesStore>> scalars;
  std::map<QString, std::shared_ptr<widgets::HistogramSeries>> histograms;
  std::map<QString, std::shared_ptr<widgets::PictureSeries>> pictures;
  std::map<QString, std::shared_ptr<widgets::TextSeries>> texts;
  std::map<QString, std::shared_ptr<widgets::SoundSeries>> sounds;
  std::map<QString, std::shared_ptr<widgets::PrSeries>> prCurves;
  std::map<QString, std::shared_ptr<HParamsSeries>> hparams;
  std::map<QString, std::shared_ptr<LayoutSeries>> layouts;
  std::map<QString, std::shared_ptr<widgets::MeshSeries>> meshes;  ///< One series per part: vertices, faces, colours.
};

/// All runs. GUI thread; event files are read on other threads, and taken over in slices of a few milliseconds.
class Summaries : public QObject {
  Q_OBJECT

 public:
  Summaries(Tasks* tasks, Log* log, QObject* parent = nullptr);
  ~Summaries() override;

  const std::vector<std::unique_ptr<SummaryRun>>& runs() const { return runs_; }
  const SummaryRun* run(int id) const;
  /// Null if there is no such run.
  const SummaryRun* run(const QString& name) const;

  /// The run of the training with that folder; null if there is none.
  const SummaryRun* runOf(const QString& folder) const;

  /// Adds a run of a training; returns its id.
  int addRun(const RunIdentity& identity);
  int addRun(const QString& name) { return addRun(RunIdentity{name}); }
  /// Shows only runs of this owner and those without one; nullopt: all. Other runs are removed from the panels until their owner is set again.
  void setOwner(std::optional<quint64> owner);
  /// Updates the names to the present language.
  void renameRuns();
  void append(int run, const QString& tag, std::span<const widgets::Sample> samples);
  void add(int run, SummaryBatch& batch);
  /// Moves the values out of `columns`.
  void add(int run, SummaryColumns& columns);
  void setRunVisible(int run, bool visible);
  /// The step under the pointer in one of the panels, which all panels mark; nullopt: none.
  void setCursor(std::optional<double> step);
  /// Removes a run; one of a folder returns when the folder is opened again.
  void removeRun(int run);

  using Done = std::function<void(const QString& error)>;
  /// Reads a folder (or file) of events on another thread, then follows it. One that is already followed is only shown. `identity`: that of the training that
  /// wrote the folder; results of its evaluations are added as test_loss and test_accuracy, as during training.
  void openFolder(const QString& path, Done done = {}, const RunIdentity& identity = {});
  /// Follows a folder of copies, which may still be empty. `name`: of its runs; `source`: where the originals are, in words.
  void followCopies(const QString& path, const QString& name, const QString& source);
  /// Stops following and removes its runs. False if it is not followed.
  bool closeFolder(const QString& path);
  QStringList folders() const;
  /// Whether data was read that the panels do not have yet.
  bool isBusy() const { return backlog_; }
  /// Takes over all data read so far, now (for scripts and tests).
  void drainAll();

 signals:
  /// A run can be shown. Like all signals of runs, not emitted for foreign ones.
  void runAdded(int run);
  void runRenamed(int run);
  /// Its name, visibility or problem changed.
  void runChanged(int run);
  /// All data of the run is invalid; more may follow.
  void runRestarted(int run);
  void runRemoved(int run);
  /// It was removed, whether it was shown or not.
  void runGone(int run);
  /// The same signal with the run's name.
  void runNameGone(const QString& name);
  void cursorMoved(std::optional<double> step);
  /// The series of that tag has grown or is new.
  void grown(int run, weft::app::SummaryKind kind, const QString& tag);

 private:
  struct Folder {
    std::shared_ptr<EventFollower> follower;  // owned with the reading task until that ends
    RunIdentity identity;
    QString name, source;         // of copies
    std::map<QString, int> runs;  // path below the folder -> id
    QSet<int> dropped;
  };
  SummaryRun* find(int id);
  QString uniqueName(const QString& preferred, const QString& document, int except = -1) const;
  int freeHue() const;
  bool isForeign(const SummaryRun& run) const { return owner_ && run.identity.owner != 0 && run.identity.owner != *owner_; }
  void announce(const SummaryRun& run);
  void tell(const SummaryRun& run, SummaryKind kind, const QString& tag);
  bool drain(double milliseconds);
  void findStepless(SummaryRun& run, const QString& tag);
  static void joinEvaluation(SummaryBatch& batch);
  void take(Folder& folder, SummaryBatch& batch);

  Tasks* tasks_;
  Log* log_;
  std::unique_ptr<widgets::FrameMember> frame_;
  std::vector<std::unique_ptr<SummaryRun>> runs_;
  std::vector<std::unique_ptr<Folder>> folders_;
  std::optional<quint64> owner_;
  int nextId_ = 0;
  bool backlog_ = false;
};

}  // namespace weft::app
