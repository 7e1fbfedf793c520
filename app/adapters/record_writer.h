#pragma once

#include "adapters/file_records.h"

namespace weft::app {

/// Python for TensorFlow 1.x: a function that writes records of the same form, features and types as those of this file. `compressed`: as the file is.
QString writerProgram(const FileRecords& records, bool compressed);

}  // namespace weft::app
