// Advice on the input method of a training, by the data's size, its files, and whether more keeps arriving.
#pragma once

#include <QString>
#include <QStringList>

namespace weft::app {

struct InputFacts {
  double megabytes = 100;
  int files = 1;
  bool online = false;    ///< New data arrives during training.
  bool pictures = false;  ///< Files of pictures, else records or tables.
  int batch = 32;
};

struct InputAdvice {
  enum class Way { Memory, Dataset, Records, Queue };
  Way way = Way::Memory;
  QString title;        ///< "Load it into memory"
  QStringList reasons;  ///< Sentences.
  int recordFiles = 0;  ///< For Records: number of TFRecord files of about 100 MB.
  QString program;      ///< Python for TensorFlow 1.x that reads the data this way and defines `features, labels`.
};
InputAdvice inputAdvice(const InputFacts& facts);
/// The program for another input method, to convert between them.
QString inputProgram(InputAdvice::Way way, const InputFacts& facts);

}  // namespace weft::app
