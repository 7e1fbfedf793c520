#include "adapters/projection.h"

#include <QElapsedTimer>
#include <algorithm>

#include "adapters/engine_graph.h"
#include "adapters/projection_impl.h"
#include "adapters/tasks.h"

namespace weft::app {
namespace {

constexpr qint64 kPictureMs = 80;  // between intermediate pictures
constexpr int kWarmSteps = 150, kWarmEpochs = 60;

/// Carries the state of an embedding to the window, and its wish to cancel back.
class News : public EmbeddingObserver {
 public:
  News(TaskState& task, ProjectionNews& news, const CancellationToken& cancellation, int dimensions)
      : task_(task), news_(news), cancellation_(cancellation), dimensions_(dimensions) {}

  void progressed(const EmbeddingProgress& p) override {
    if (task_.cancelled) cancellation_.cancel();
    const auto phase = p.phase == EmbeddingPhase::Directions   ? ProjectionNews::Phase::Directions
                       : p.phase == EmbeddingPhase::Neighbors  ? ProjectionNews::Phase::Neighbors
                       : p.phase == EmbeddingPhase::Affinities ? ProjectionNews::Phase::Affinities
                                                               : ProjectionNews::Phase::Descent;
    news_.set(phase, p.step, p.steps);
    if (p.steps > 0) task_.progress = double(p.step) / p.steps;
    if (p.steps == 0 || p.positions.empty() || (clock_.isValid() && clock_.elapsed() < kPictureMs + 4 * spent_)) return;
    clock_.start();
    news_.set(widgets::ScatterCloud::make(std::vector<float>(p.positions.begin(), p.positions.end()), dimensions_));
    spent_ = clock_.elapsed();
    clock_.start();
  }

 private:
  TaskState& task_;
  ProjectionNews& news_;
  CancellationToken cancellation_;
  int dimensions_;
  QElapsedTimer clock_;
  qint64 spent_ = 0;
};

/// The embedding's thread asks for a cancellation only between steps; this watch asks while neighbours are sought.
class CancelWatch {
 public:
  CancelWatch(TaskState& task, const CancellationToken& token)
      : thread_([this, &task, token] {
          while (!done_) {
            if (task.cancelled) token.cancel();
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
          }
        }) {}
  ~CancelWatch() {
    done_ = true;
    thread_.join();
  }

 private:
  std::atomic<bool> done_{false};
  std::thread thread_;
};

}  // namespace

ProjectionNews::State ProjectionNews::take() {
  const MutexLock lock(mutex_);
  State out = state_;
  state_.cloud = nullptr;
  return out;
}

void ProjectionNews::set(Phase phase, int step, int steps) {
  const MutexLock lock(mutex_);
  state_.phase = phase;
  state_.step = step;
  state_.steps = steps;
}

void ProjectionNews::set(widgets::ScatterCloudPtr cloud) {
  const MutexLock lock(mutex_);
  state_.cloud = std::move(cloud);
}

QString ProjectedPoints::label(int row, int column) const { return row >= 0 && row < labels.size() ? labels[row].value(column) : QString(); }

QString ProjectedPoints::text(int row) const {
  if (row < 0 || row >= labels.size()) return QString::number(row);
  if (labelColumns.size() <= 1) return labels[row].value(0);
  QStringList lines;
  for (int c = 0; c < labelColumns.size(); ++c) lines << (c == 0 ? label(row, 0) : labelColumns[c] + QStringLiteral(": ") + label(row, c));
  return lines.join(u'\n');
}

Projection project(const ProjectedPoints& points, const ProjectionOptions& options, const std::vector<float>& initial, TaskState& task, ProjectionNews& news) {
  Projection out;
  out.dimensions = options.dimensions;
  EmbeddingOptions o;
  o.method = EmbeddingMethod(int(options.method));
  o.dimensions = options.dimensions;
  o.metric = options.cosine ? PointMetric::Cosine : PointMetric::Euclidean;
  o.seed = options.seed;
  o.perplexity = options.perplexity;
  o.neighbors = options.neighbors;
  o.minimumDistance = options.minimumDistance;
  if (options.steps > 0) o.steps = o.epochs = options.steps;
  const bool warm = initial.size() == size_t(points.rows) * size_t(options.dimensions) && options.method != ProjectionOptions::Method::Pca;
  if (warm) {
    o.initial = initial;
    if (options.steps == 0) o.steps = kWarmSteps, o.epochs = kWarmEpochs;
  }
  News observer(task, news, o.cancellation, options.dimensions);
  const CancelWatch watch(task, o.cancellation);
  auto embedding = embed(points.values->points.view(), o, &observer);
  if (!embedding.ok()) {
    out.error = errorText(embedding.error());
    return out;
  }
  out.positions = std::move(embedding->positions);
  out.cloud = widgets::ScatterCloud::make(out.positions, out.dimensions);
  out.varianceShares = QVector<double>(embedding->varianceShares.begin(), embedding->varianceShares.end());
  out.divergence = embedding->divergence;
  out.perplexity = embedding->perplexity;
  out.seconds = embedding->seconds;
  out.neighbors = embedding->neighbors;
  return out;
}

QVector<PointNeighbor> neighborsOf(const ProjectedPoints& points, int row, int count, bool cosine, QString* error) {
  const auto found = weft::neighborsOf(points.values->points.view(), row, count, cosine ? PointMetric::Cosine : PointMetric::Euclidean);
  if (!found.ok()) {
    *error = errorText(found.error());
    return {};
  }
  QVector<PointNeighbor> out;
  for (size_t k = 0; k < found->index.size(); ++k) out << PointNeighbor{found->index[k], double(found->distance[k])};
  return out;
}

}  // namespace weft::app
