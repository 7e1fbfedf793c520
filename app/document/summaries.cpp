#include "document/summaries.h"

#include <QDir>
#include <QElapsedTimer>
#include <QFileInfo>
#include <algorithm>
#include <array>
#include <limits>
#include <type_traits>
#include <utility>
#include <variant>

#include "adapters/event_follower.h"
#include "adapters/tasks.h"
#include "common/live_frames.h"
#include "document/log.h"
#include "document/run_record.h"

namespace weft::app {
namespace {

constexpr int kHues = 12;  // of the theme
constexpr double kSliceMs = 3;
constexpr size_t kStepless = 8;  // this many values at one step are no coincidence

template <typename Map>
auto* seriesOf(Map& map, const QString& tag) {
  auto& series = map[tag];
  if (!series) series = std::make_shared<typename Map::mapped_type::element_type>();
  return series.get();
}

/// The storage of values of one type.
template <typename T>
struct SeriesOf {
  using Type = widgets::StepList<T>;
};
template <>
struct SeriesOf<widgets::Sample> {
  using Type = widgets::SeriesStore;
};

/// Where the values of a tag are stored.
struct Place {
  SummaryKind kind;
  QString tag;
  void* series;  // a series of that kind in the run
};

/// The places of a batch's values. Many steps repeat the same tags in the same order, so the next place is nearly always the right one.
class Places {
 public:
  void* find(SummaryRun& run, SummaryKind kind, const QString& tag) {
    const auto is = [&](const Place& p) { return p.kind == kind && p.tag == tag; };
    size_t at = next_;
    if (at >= all_.size() || !is(all_[at])) at = size_t(std::find_if(all_.begin(), all_.end(), is) - all_.begin());
    if (at == all_.size()) all_.push_back({kind, tag, make(run, kind, tag)});
    next_ = at + 1 == all_.size() ? 0 : at + 1;
    return all_[at].series;
  }
  const std::vector<Place>& all() const { return all_; }
  static void* make(SummaryRun& run, SummaryKind kind, const QString& tag) {
    switch (kind) {
      case SummaryKind::Scalar: return seriesOf(run.scalars, tag);
      case SummaryKind::Histogram: return seriesOf(run.histograms, tag);
      case SummaryKind::Picture: return seriesOf(run.pictures, tag);
      case SummaryKind::Text: return seriesOf(run.texts, tag);
      case SummaryKind::Sound: return seriesOf(run.sounds, tag);
      case SummaryKind::PrCurve: return seriesOf(run.prCurves, tag);
      case SummaryKind::HParams: return seriesOf(run.hparams, tag);
      case SummaryKind::Layout: return seriesOf(run.layouts, tag);
      case SummaryKind::Mesh: return seriesOf(run.meshes, tag);
    }
    return nullptr;
  }

 private:
  std::vector<Place> all_;
  size_t next_ = 0;
};

}  // namespace

Summaries::Summaries(Tasks* tasks, Log* log, QObject* parent)
    : QObject(parent),
      tasks_(tasks),
      log_(log),
      frame_(std::make_unique<widgets::FrameMember>(widgets::FrameGovernor::Stage::Source, "event files", [this] { backlog_ = drain(kSliceMs); })) {}

Summaries::~Summaries() = default;

SummaryRun* Summaries::find(int id) {
  const auto it = std::find_if(runs_.begin(), runs_.end(), [id](const auto& run) { return run->id == id; });
  return it == runs_.end() ? nullptr : it->get();
}

const SummaryRun* Summaries::run(int id) const { return const_cast<Summaries*>(this)->find(id); }

const SummaryRun* Summaries::run(const QString& name) const {
  const auto it = std::find_if(runs_.begin(), runs_.end(), [&](const auto& run) { return run->name == name; });
  return it == runs_.end() ? nullptr : it->get();
}

const SummaryRun* Summaries::runOf(const QString& folder) const {
  const auto it = std::find_if(runs_.begin(), runs_.end(), [&](const auto& run) { return !folder.isEmpty() && run->identity.folder == folder; });
  return it == runs_.end() ? nullptr : it->get();
}

QString Summaries::uniqueName(const QString& preferred, const QString& document, int except) const {
  const auto taken = [&](const QString& name) {
    return std::any_of(runs_.begin(), runs_.end(), [&](const auto& r) { return r->id != except && r->name == name; });
  };
  if (!taken(preferred)) return preferred;
  const QString full = document.isEmpty() ? preferred : QStringLiteral("%1 · %2").arg(preferred, document);
  QString name = full;
  for (int i = 2; taken(name); ++i) name = QStringLiteral("%1 (%2)").arg(full).arg(i);
  return name;
}

/// The least used colour. Trainings use colours by number, from the first on, so ties are broken from the end.
int Summaries::freeHue() const {
  std::array<int, kHues> used{};
  for (const auto& run : runs_) ++used[size_t(run->hue % kHues)];
  int best = kHues - 1;
  for (int hue = kHues - 1; hue >= 0; --hue) {
    if (used[size_t(hue)] < used[size_t(best)]) best = hue;
  }
  return best;
}

int Summaries::addRun(const RunIdentity& identity) {
  auto run = std::make_unique<SummaryRun>();
  run->id = nextId_++;
  run->identity = identity;
  run->name = uniqueName(identity.name, identity.document);
  run->hue = identity.hue >= 0 ? identity.hue : freeHue();
  run->foreign = isForeign(*run);
  runs_.push_back(std::move(run));
  const SummaryRun& added = *runs_.back();
  if (!added.foreign) emit runAdded(added.id);
  return added.id;
}

void Summaries::tell(const SummaryRun& run, SummaryKind kind, const QString& tag) {
  if (!run.foreign) emit grown(run.id, kind, tag);
}

void Summaries::announce(const SummaryRun& run) {
  const int id = run.id;
  const auto all = [&](const auto& map, SummaryKind kind) {
    for (const auto& [tag, series] : map) emit grown(id, kind, tag);
  };
  all(run.scalars, SummaryKind::Scalar);
  all(run.histograms, SummaryKind::Histogram);
  all(run.pictures, SummaryKind::Picture);
  all(run.texts, SummaryKind::Text);
  all(run.sounds, SummaryKind::Sound);
  all(run.prCurves, SummaryKind::PrCurve);
  all(run.hparams, SummaryKind::HParams);
  all(run.layouts, SummaryKind::Layout);
  all(run.meshes, SummaryKind::Mesh);
}

void Summaries::setOwner(std::optional<quint64> owner) {
  if (owner == owner_) return;
  owner_ = owner;
  // Remove runs first: the others need their places.
  QVector<SummaryRun*> come;
  for (const auto& run : runs_) {
    const bool foreign = isForeign(*run);
    if (foreign == run->foreign) continue;
    run->foreign = foreign;
    if (!foreign) {
      come << run.get();
      continue;
    }
    emit runRemoved(run->id);
    emit runNameGone(run->name);
  }
  for (const SummaryRun* run : std::as_const(come)) {
    emit runAdded(run->id);
    emit runChanged(run->id);
    announce(*run);
  }
}

void Summaries::renameRuns() {
  for (const auto& run : runs_) {
    if (run->identity.number <= 0) continue;
    run->identity.name = runName(run->identity.number);
    const QString before = std::exchange(run->name, uniqueName(run->identity.name, run->identity.document, run->id));
    if (run->name == before || run->foreign) continue;
    emit runNameGone(before);
    emit runRenamed(run->id);
    emit runChanged(run->id);
    announce(*run);
  }
}

void Summaries::append(int id, const QString& tag, std::span<const widgets::Sample> samples) {
  SummaryRun* run = find(id);
  if (!run) return;
  seriesOf(run->scalars, tag)->append(samples);
  tell(*run, SummaryKind::Scalar, tag);
}

void Summaries::add(int id, SummaryBatch& batch) {
  SummaryRun* run = find(id);
  if (!run) return;
  if (batch.restart) {
    run->scalars.clear();
    run->histograms.clear();
    run->pictures.clear();
    run->texts.clear();
    run->sounds.clear();
    run->prCurves.clear();
    run->hparams.clear();
    run->layouts.clear();
    run->meshes.clear();
    run->others = 0;
    if (!run->foreign) emit runRestarted(id);
  }
  Places told;
  for (SummaryItem& item : batch.items)
    std::visit(
        [&](auto& value) {
          using Series = typename SeriesOf<std::remove_reference_t<decltype(value)>>::Type;
          static_cast<Series*>(told.find(*run, SummaryKind(item.value.index()), item.tag))->append(std::move(value));
        },
        item.value);
  run->others += batch.others;
  for (const QString& warning : std::as_const(batch.warnings)) log_->warning(QStringLiteral("%1: %2").arg(run->name, warning));
  for (const Place& place : told.all()) tell(*run, place.kind, place.tag);
  if (batch.problemChanged) {
    run->problem = batch.problem;
    if (!batch.problem.isEmpty()) log_->warning(QStringLiteral("%1: %2").arg(run->name, batch.problem));
    if (!run->foreign) emit runChanged(id);
  }
  for (const Place& place : told.all())
    if (place.kind == SummaryKind::Scalar) findStepless(*run, place.tag);
}

void Summaries::add(int id, SummaryColumns& columns) {
  SummaryRun* run = find(id);
  if (!run) return;
  run->others += columns.others;
  for (const QString& warning : std::as_const(columns.warnings)) log_->warning(QStringLiteral("%1: %2").arg(run->name, warning));
  for (SummaryColumns::Column& column : columns.columns) {
    const auto kind = SummaryKind(column.values.index());
    void* series = Places::make(*run, kind, column.tag);
    std::visit(
        [series]<typename T>(std::vector<T>& values) {
          if constexpr (std::is_same_v<T, widgets::Sample>) static_cast<widgets::SeriesStore*>(series)->append(std::span<const T>(values));
          else static_cast<widgets::StepList<T>*>(series)->append(std::move(values));
        },
        column.values);
    tell(*run, kind, column.tag);
    if (kind == SummaryKind::Scalar) findStepless(*run, column.tag);
  }
}

/// A writer that does not know the step gives every value step 0, which makes the curve a vertical line; reports this.
void Summaries::findStepless(SummaryRun& run, const QString& tag) {
  if (!run.problem.isEmpty()) return;
  const auto samples = run.scalars[tag]->samples();
  if (samples.size() < kStepless || samples.front().step != samples.back().step) return;
  run.problem = tr("%1: all values have step %2, because they were written without one: pass global_step to add_summary, or choose wall time as the axis.")
                    .arg(tag)
                    .arg(samples.front().step);
  if (!run.foreign) emit runChanged(run.id);
}

void Summaries::setRunVisible(int id, bool visible) {
  SummaryRun* run = find(id);
  if (!run || run->visible == visible) return;
  run->visible = visible;
  if (!run->foreign) emit runChanged(id);
}

void Summaries::removeRun(int id) {
  for (auto& folder : folders_)
    for (const auto& [name, run] : folder->runs)
      if (run == id) folder->dropped.insert(id);
  const auto it = std::find_if(runs_.begin(), runs_.end(), [id](const auto& run) { return run->id == id; });
  if (it == runs_.end()) return;
  const std::unique_ptr<SummaryRun> gone = std::move(*it);
  runs_.erase(it);
  emit runGone(id);
  if (gone->foreign) return;
  emit runRemoved(id);
  emit runNameGone(gone->name);
}

void Summaries::setCursor(std::optional<double> step) { emit cursorMoved(step); }

void Summaries::openFolder(const QString& path, Done done, const RunIdentity& identity) {
  const auto follower = std::make_shared<EventFollower>(path);
  for (const auto& folder : folders_) {
    if (folder->follower->path() != follower->path()) continue;
    if (done) done({});
    return;
  }
  folders_.push_back(std::make_unique<Folder>());
  folders_.back()->follower = follower;
  folders_.back()->identity = identity;
  const QString absolute = follower->path();
  const auto isOpen = [this, follower] { return std::any_of(folders_.begin(), folders_.end(), [&](const auto& f) { return f->follower == follower; }); };
  auto error = std::make_shared<QString>();
  tasks_->start(
      tr("Reading events of %1").arg(QFileInfo(absolute).fileName()), [follower, error](TaskState& task) { *error = follower->readAll(task); },
      [this, follower, absolute, error, isOpen, done] {
        if (!isOpen()) *error = tr("The folder was closed while it was being read.");
        if (error->isEmpty()) {
          follower->follow();
          log_->info(tr("Following the event files in %1").arg(absolute));
        } else {
          if (isOpen()) closeFolder(absolute);
          log_->error(*error);
        }
        if (done) done(*error);
      },
      [this, absolute, isOpen, done] {
        if (isOpen()) closeFolder(absolute);
        if (done) done(tr("Reading was cancelled."));
      });
  frame_->setPolling(true);
}

void Summaries::followCopies(const QString& path, const QString& name, const QString& source) {
  folders_.push_back(std::make_unique<Folder>());
  Folder& folder = *folders_.back();
  folder.follower = std::make_shared<EventFollower>(path);
  folder.name = name;
  folder.source = source;
  folder.follower->follow();
  log_->info(tr("Following the event files in %1").arg(source));
  frame_->setPolling(true);
}

bool Summaries::closeFolder(const QString& path) {
  const QString absolute = QFileInfo(path).absoluteFilePath();
  const auto it = std::find_if(folders_.begin(), folders_.end(), [&](const auto& f) { return f->follower->path() == absolute; });
  if (it == folders_.end()) return false;
  const std::unique_ptr<Folder> gone = std::move(*it);
  gone->follower->stop();
  folders_.erase(it);
  if (folders_.empty()) frame_->setPolling(false);
  for (const auto& [name, id] : gone->runs) removeRun(id);
  return true;
}

QStringList Summaries::folders() const {
  QStringList list;
  for (const auto& folder : folders_) list << folder->follower->path();
  return list;
}

/// Adds what the evaluations of a training wrote, under the tags used during training.
void Summaries::joinEvaluation(SummaryBatch& batch) {
  batch.run.clear();
  batch.restart = false;  // it concerns the other half of the run
  for (SummaryItem& item : batch.items) {
    if (item.tag == QLatin1String("loss") || item.tag == QLatin1String("accuracy")) item.tag.prepend(QLatin1String("test_"));
  }
}

void Summaries::take(Folder& folder, SummaryBatch& batch) {
  const bool training = !folder.identity.name.isEmpty();
  if (training && batch.run == QLatin1String("eval")) joinEvaluation(batch);
  auto it = folder.runs.find(batch.run);
  if (it == folder.runs.end()) {
    const QFileInfo info(folder.follower->path());
    RunIdentity identity = folder.identity;
    if (!training) identity.name = !folder.name.isEmpty() ? folder.name : info.isDir() ? info.fileName() : info.dir().dirName();
    if (!batch.run.isEmpty()) {
      identity.name += u'/' + batch.run;
      identity.number = 0;
      if (training) identity.folder.clear();  // part of the training's run
    }
    const int id = addRun(identity);
    find(id)->source = folder.source.isEmpty() ? folder.follower->path() : folder.source;
    it = folder.runs.emplace(batch.run, id).first;
    if (!find(id)->foreign) emit runChanged(id);
  }
  if (!folder.dropped.contains(it->second)) add(it->second, batch);
}

/// Returns whether there is more.
bool Summaries::drain(double milliseconds) {
  QElapsedTimer clock;
  clock.start();
  for (size_t i = 0; i < folders_.size(); ++i) {
    while (const SummaryBatchPtr batch = folders_[i]->follower->next()) {
      take(*folders_[i], *batch);
      if (double(clock.nsecsElapsed()) * 1e-6 > milliseconds) return true;
    }
  }
  return false;
}

void Summaries::drainAll() { backlog_ = drain(std::numeric_limits<double>::infinity()); }

}  // namespace weft::app
