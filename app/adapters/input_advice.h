// Which way data should come into a training, by its size, its files, and whether it keeps coming.
#pragma once

#include <QString>
#include <QStringList>

namespace weft::app {

struct InputFacts {
  double megabytes = 100;
  int files = 1;
  bool online = false;    ///< New data comes while the training runs.
  bool pictures = false;  ///< Files of pictures, else records or tables.
  int batch = 32;
};

struct InputAdvice {
  enum class Way { Memory, Dataset, Records, Queue };
  Way way = Way::Memory;
  QString title;        ///< "Load it into memory"
  QStringList reasons;  ///< Sentences.
  int recordFiles = 0;  ///< Of Records: how many TFRecord files of about 100 MB.
  QString program;      ///< Python for TensorFlow 1.x: reads data so, and gives `features, labels`.
};
InputAdvice inputAdvice(const InputFacts& facts);
/// The program of another way, for who converts between them.
QString inputProgram(InputAdvice::Way way, const InputFacts& facts);

}  // namespace weft::app
