#pragma once

#include <QString>

#include "adapters/file_contents.h"

namespace weft::app {

/// Name of a kind of file: "Checkpoint V2", "TFRecord". All texts here are translated.
QString fileKindText(const FileContents& contents);
/// One sentence on the purpose of such a file.
QString fileKindDoc(const FileContents& contents);
/// The contents of a part file: "the index: names, types, shapes and places of all variables".
QString filePartDoc(FilePart::Role role);

}  // namespace weft::app
