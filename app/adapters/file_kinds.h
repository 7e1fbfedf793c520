// What the engine says of the kinds of files, in the window's language.
#pragma once

#include <QString>
#include <QStringList>

namespace weft::app {

QString fileKindTitle(const QString& kind);     ///< "TensorFlow Lite model"; the kind itself if it is not known.
QString fileKindSentence(const QString& kind);  ///< What such a file holds; empty if the kind is not known.
QStringList graphPatterns();                    ///< "*.pb", "*.onnx", …: names of all files that open as graphs.
QStringList modelPatterns();                    ///< "*.tflite", …: names of models of other formats that open as graphs, for file dialogs.
QStringList arrayPatterns();                    ///< "*.npy", "*.png", …: names of files that hold arrays.
enum class FileGroup { OtherModels, Arrays, Media };
QStringList endingsOf(FileGroup group);      ///< ".tflite", ".onnx", …: of each kind in the group its first ending, for a short list.
bool opensAsGraph(const QString& fileName);  ///< Whether the name ends as graphs and models that open as graphs do.

}  // namespace weft::app
