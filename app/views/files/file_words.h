#pragma once

#include <QString>

#include "adapters/file_contents.h"

namespace weft::app {

/// Name of a kind of file: "Checkpoint V2", "TFRecord". Translated, as everything here.
QString fileKindText(const FileContents& contents);
/// One sentence on what such a file is for.
QString fileKindDoc(const FileContents& contents);
/// What one of the files that belong together holds: "the index: names, types, shapes and places of all variables".
QString filePartDoc(FilePart::Role role);

}  // namespace weft::app
