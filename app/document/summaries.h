// What trainings and event files tell of their runs, as the panels show it.
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

enum class SummaryKind : quint8 { Scalar, Histogram, Picture, Text, Sound };

/// Who a run is: what it is called, whose it is, and its colour, the same everywhere.
struct RunIdentity {
  QString name = {};      ///< As it is to be called; made unique by its document, or a number.
  int number = 0;         ///< `run 3`: it is called so in every language. 0: it has none.
  QString folder = {};    ///< Of a training; empty: event files from elsewhere.
  QString document = {};  ///< Title of what was trained.
  quint64 owner = 0;      ///< RunSettings::owner() of it; 0: nobody's, shown with every document.
  int hue = -1;           ///< Number of the colour; -1: one that is free.
};

/// One run and everything that it told, nothing dropped. Series are shared with the panels, which only read them.
struct SummaryRun {
  int id = 0;
  int hue = 0;  ///< Number of its colour.
  RunIdentity identity;
  bool foreign = false;  ///< Of a document that is not in front: no panel shows it.
  QString name;          ///< Unique: `run 3`, `logs/train`.
  QString source;        ///< Folder or file that is followed; empty: a training of this program.
  bool visible = true;
  QString problem;    ///< Why nothing more comes of it; empty: all is well.
  qint64 others = 0;  ///< Values of kinds that no panel shows.
  std::map<QString, std::shared_ptr<widgets::SeriesStore>> scalars;
  std::map<QString, std::shared_ptr<widgets::HistogramSeries>> histograms;
  std::map<QString, std::shared_ptr<widgets::PictureSeries>> pictures;
  std::map<QString, std::shared_ptr<widgets::TextSeries>> texts;
  std::map<QString, std::shared_ptr<widgets::SoundSeries>> sounds;
};

/// All runs. GUI thread; event files are read by tasks and threads of their own, and taken over in slices of a few milliseconds.
class Summaries : public QObject {
  Q_OBJECT

 public:
  Summaries(Tasks* tasks, Log* log, QObject* parent = nullptr);
  ~Summaries() override;

  const std::vector<std::unique_ptr<SummaryRun>>& runs() const { return runs_; }
  const SummaryRun* run(int id) const;
  /// Null if there is none of that name.
  const SummaryRun* run(const QString& name) const;

  /// Of the training with that folder; null if there is none.
  const SummaryRun* runOf(const QString& folder) const;

  /// Adds a run of a training; returns its id.
  int addRun(const RunIdentity& identity);
  int addRun(const QString& name) { return addRun(RunIdentity{name}); }
  /// Whose runs are shown beside those of nobody; nullopt: everybody's. The others go from the panels, and come back when it is their turn.
  void setOwner(std::optional<quint64> owner);
  /// Names in the present language.
  void renameRuns();
  void append(int run, const QString& tag, std::span<const widgets::Sample> samples);
  void add(int run, SummaryBatch& batch);
  /// Takes the values out of `columns`.
  void add(int run, SummaryColumns& columns);
  void setRunVisible(int run, bool visible);
  /// The step that the pointer is on in one of the panels; nullopt: none. All panels mark it.
  void setCursor(std::optional<double> step);
  /// Forgets a run; one of a folder comes back when the folder is opened again.
  void removeRun(int run);

  using Done = std::function<void(const QString& error)>;
  /// Reads a folder (or file) of events beside the GUI thread, then follows it. One that is followed already is only shown.
  /// `identity`: of the training that wrote the folder; what its evaluations wrote joins it as test_loss and test_accuracy, as while it ran.
  void openFolder(const QString& path, Done done = {}, const RunIdentity& identity = {});
  /// Stops following and forgets its runs. False if it is not followed.
  bool closeFolder(const QString& path);
  QStringList folders() const;
  /// Whether something was read that the panels do not have yet.
  bool isBusy() const { return backlog_; }
  /// Takes over everything that was read so far, now (scripts, tests).
  void drainAll();

 signals:
  /// A run is there to be shown. Like all signals of runs, it is not sent for those that are foreign.
  void runAdded(int run);
  void runRenamed(int run);
  /// Name, visibility or problem.
  void runChanged(int run);
  /// Everything that the run told is void; more may follow.
  void runRestarted(int run);
  void runRemoved(int run);
  /// It is forgotten, whether it was shown or not.
  void runGone(int run);
  /// The same, for who knows runs by their names.
  void runNameGone(const QString& name);
  void cursorMoved(std::optional<double> step);
  /// The series of that tag has grown, or is new.
  void grown(int run, weft::app::SummaryKind kind, const QString& tag);

 private:
  struct Folder {
    std::shared_ptr<EventFollower> follower;  // with the task that reads, until it ends
    RunIdentity identity;
    std::map<QString, int> runs;  // name below the folder -> id
    QSet<int> dropped;
  };
  SummaryRun* find(int id);
  QString uniqueName(const QString& wish, const QString& document, int except = -1) const;
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
