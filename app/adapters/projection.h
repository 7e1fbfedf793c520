// Points of many dimensions from files and trainings, their positions in two or three, and their neighbours (engine: embedding.h).
#pragma once

#include <QImage>
#include <QString>
#include <QStringList>
#include <QVector>
#include <memory>
#include <vector>

#include "adapters/graph_contents.h"
#include "adapters/trained_model.h"
#include "scatter/scatter_cloud.h"
#include "weft/mutex.h"

namespace weft::app {

struct FileContents;
struct TaskState;

/// Points with what is known of each. Does not change; any thread.
struct ProjectedPoints {
  struct Values;   ///< The engine's matrix.
  QString name;    ///< Of the tensor.
  QString origin;  ///< The file, or empty for a training.
  std::shared_ptr<const Values> values;
  int rows = 0, columns = 0;
  QStringList labelColumns;
  QVector<QStringList> labels;  ///< By row; empty: none.
  QImage sprite;                ///< Pictures of the rows in one, row by row; null: none.
  QSize picture;
  QVector<float> samples;  ///< Values fed for the rows, and the shape of one; empty: none.
  QVector<int> sampleShape;
  QVector<int> actual, predicted;  ///< Of a classifier's test samples.
  qint64 step = -1;                ///< Of the training; -1: a file.

  QString label(int row, int column) const;
  /// All labels of a row, one per line; its number if it has none.
  QString text(int row) const;
  bool hasPictures() const { return !sprite.isNull() || !samples.isEmpty(); }
  QImage pictureOf(int row) const;
};
using ProjectedPointsPtr = std::shared_ptr<const ProjectedPoints>;

/// Tensors of a file that can be projected: embeddings of a projector configuration, matrices of a checkpoint or an array file.
QStringList projectableTensors(const FileContents& contents);
/// A matrix among the variables of a graph, or an output of a layer, which has a row for each sample.
struct TrainedTensor {
  QString name;
  bool isOutput = false;
};
QVector<TrainedTensor> projectableTensors(const GraphContents& contents);

/// Reads the points of a tensor; blocks, any thread. `tensor` may be empty if the file has one only. Null and an error, one sentence.
ProjectedPointsPtr readPoints(const QString& path, const QString& tensor, QString* error);
/// A variable's rows, or a tensor for the test samples.
ProjectedPointsPtr readPoints(const TrainedModel& model, const QString& tensor, QString* error);

struct ProjectionOptions {
  enum class Method { Pca, Tsne, Umap };
  Method method = Method::Pca;
  int dimensions = 2;
  bool cosine = false;
  double perplexity = 30;
  int neighbors = 15;
  double minimumDistance = 0.1;
  int steps = 0;  ///< 0: the method's own number.
  quint64 seed = 42;
};

/// What a projection shows while it is computed; any thread.
class ProjectionNews {
 public:
  enum class Phase { Reading, Directions, Neighbors, Affinities, Descent };
  struct State {
    Phase phase = Phase::Reading;
    int step = 0, steps = 0;
    widgets::ScatterCloudPtr cloud;  ///< Newer than at the last call; else null.
  };
  State take();
  void set(Phase phase, int step, int steps);
  void set(widgets::ScatterCloudPtr cloud);

 private:
  Mutex mutex_;
  State state_ WEFT_GUARDED_BY(mutex_);
};

struct Projection {
  std::vector<float> positions;  ///< [rows, dimensions]
  int dimensions = 2;
  widgets::ScatterCloudPtr cloud;
  QVector<double> varianceShares;  ///< PCA
  double divergence = 0, perplexity = 0, seconds = 0;
  int neighbors = 0;
  QString error;  ///< One sentence; empty: done.
};
/// Computes positions; blocks, any thread. `initial`: positions to begin with, [rows, dimensions]; fewer steps are made from there. Intermediate positions and the
/// phase go to `news`, progress to `task`, which may cancel.
Projection project(const ProjectedPoints& points, const ProjectionOptions& options, const std::vector<float>& initial, TaskState& task, ProjectionNews& news);

struct PointNeighbor {
  int row = 0;
  double distance = 0;
};
/// The nearest rows in all columns; blocks for a pass over the points.
QVector<PointNeighbor> neighborsOf(const ProjectedPoints& points, int row, int count, bool cosine, QString* error);

/// Hues of the rows by a column of labels: a hue per word, or shades of a ramp for numbers.
struct LabelHues {
  struct Group {
    QString label;
    int count = 0;
    uint8_t hue = 0;
  };
  std::vector<uint8_t> hues;  ///< By row.
  bool isRamp = false;        ///< hue / 255 is a place on a ramp from `low` to `high`.
  double low = 0, high = 0;
  QVector<Group> groups;  ///< The most frequent words first, at most kMostGroups; empty for a ramp.
  int words = 0;          ///< Of all.
  static constexpr int kMostGroups = 60;
};
/// Numbers of more than 20 different values become a ramp. Blocks for a pass over the labels.
LabelHues huesOf(const ProjectedPoints& points, int column);
/// Rows with a label in `column` (-1: in any) that contains `text`, or is `text` if `whole`; "#12" is the row of that number. Case does not matter. Blocks for a
/// pass over the labels.
std::vector<int32_t> rowsWith(const ProjectedPoints& points, int column, const QString& text, bool whole);

}  // namespace weft::app
