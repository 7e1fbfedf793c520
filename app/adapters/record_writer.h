#pragma once

#include "adapters/file_records.h"

namespace weft::app {

/// Python for TensorFlow 1.x with a function that writes records of this file's form, features and types. `compressed`: whether the file is.
QString writerProgram(const FileRecords& records, bool compressed);

}  // namespace weft::app
