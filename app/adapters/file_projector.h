// The embeddings of a projector configuration, with their labels and pictures, in Qt's terms.
#pragma once

#include <QImage>
#include <QString>
#include <QStringList>
#include <QVector>
#include <memory>

namespace weft::app {

/// One embedding. Texts of problems come from the engine.
struct ProjectedTensor {
  enum class Source { Missing, Checkpoint, Table, Bytes };
  QString name;
  QString shape;  ///< "15×4"; empty: the values were not found.
  Source source = Source::Missing;
  qint64 labelRows = -1;  ///< -1: it has no labels that can be read.
  QStringList columns;
  QVector<QStringList> labels;  ///< The first rows.
  QImage sprite;                ///< All pictures in one, row by row; null: none.
  QSize picture;                ///< Of one of them.
  QStringList problems;

  /// The picture of a row; null if the sprite has none for it.
  QImage pictureOf(int row) const;
};

struct FileProjector {
  QString checkpoint;  ///< The prefix that can be opened; empty: there is none.
  QVector<ProjectedTensor> tensors;
  QStringList problems;
};
using FileProjectorPtr = std::shared_ptr<const FileProjector>;

/// Null and an error if the configuration cannot be read. Any thread; blocks.
FileProjectorPtr openProjector(const QString& path, QString* error);

}  // namespace weft::app
