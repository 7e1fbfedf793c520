// A Keras 3 model in a ZIP archive (.keras): config.json, metadata.json, and the weights as an HDF5 file.
#pragma once

#include <memory>

#include "io/keras/keras_file.h"

namespace weft::keras_io {

/// The archive as a file of layers. `file.trainingConfig` is empty: `compileConfig` is not in the words of HDF5 files.
struct KerasArchive {
  std::shared_ptr<const std::string> weights;  ///< The HDF5 file, which `file` refers to; null: the archive has none.
  KerasFile file;
  std::string compileConfig;  ///< JSON; empty: the model is not compiled.

  /// Whether bytes begin such an archive: only the name of its first member is looked at.
  static bool looksLike(std::string_view head);
  /// Errors have the kinds truncated, malformed, unsupported, unrecognized.
  static Result<KerasArchive> open(std::string_view bytes);
};

}  // namespace weft::keras_io
