#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "weft/file_system.h"
#include "weft/tensor.h"

namespace weft {

/// One embedding of a projector_config.pbtxt, with what its files hold.
struct ProjectorEmbedding {
  enum class Source { Missing, Checkpoint, Table, Bytes };

  std::string tensor;                                               ///< Its name.
  std::string tensorPath, metadataPath, bookmarksPath, spritePath;  ///< As stated; empty: none.
  std::vector<int64_t> statedShape, spriteDim;                      ///< As stated; of the sprite: width and height of one picture.

  Source source = Source::Missing;  ///< Where the values are: in the checkpoint, in a table of tab-separated numbers, or in a file of float32 values.
  DType dtype = DType::Invalid;     ///< Of a checkpoint's tensor.
  Shape shape;                      ///< Of the values, if there are any.
  int64_t labelRows = -1;           ///< Of the metadata, without a header; -1: it cannot be read.
  std::vector<std::string> labelColumns;
  int64_t spriteWidth = 0, spriteHeight = 0;                  ///< Of the whole picture; 0: it cannot be read.
  std::vector<std::pair<std::string, std::string>> problems;  ///< Kind and one sentence.
};

/// The embeddings of a log folder, as TensorBoard's projector shows them.
struct ProjectorSettings {
  std::string checkpoint;  ///< As stated.
  std::string prefix;      ///< The checkpoint that is read; empty: there is none.
  std::vector<ProjectorEmbedding> embeddings;
  std::vector<std::pair<std::string, std::string>> problems;
};
/// Reads a configuration, text or binary, and the sizes of what it names. Missing and unfit files are problems of the embeddings. Paths are relative to the
/// configuration's folder.
WEFT_API Result<ProjectorSettings> readProjectorSettings(const std::string& path, FileSystem* files = nullptr);
/// The values of an embedding of the configuration at `config`: a matrix. NOT_FOUND if the embedding's source is Missing; other errors name the file.
WEFT_API Result<Tensor> readProjectorValues(const std::string& config, const ProjectorSettings& settings, const ProjectorEmbedding& embedding,
                                            FileSystem* files = nullptr);
/// The path of a file that the configuration at `config` names.
WEFT_API std::string projectorPath(const std::string& config, const std::string& stated);

/// The metadata of an embedding: a table of tab-separated texts. As in TensorBoard, the first line is a header if it has a tab, and empty lines do not count.
struct ProjectorLabels {
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;  ///< The first ones.
  int64_t count = 0;                           ///< Number of all rows.
};
WEFT_API Result<ProjectorLabels> readProjectorLabels(const std::string& path, size_t most, FileSystem* files = nullptr);

/// A matrix as a table of tab-separated numbers that read back as the same float32 values.
std::string projectorTable(const Tensor& matrix);
/// The name of a variable's table without its end: "a_b" for "a/b".
std::string projectorTableName(std::string variable);
/// The text of a configuration's entry.
std::string projectorEntry(const std::string& variable, const std::string& tensorPath, const std::string& metadataPath);

/// Writes variables of a checkpoint for TensorBoard's projector into `folder`: a table for each, a copy of the labels if a file is given, and
/// projector_config.pbtxt. The tables can be loaded at projector.tensorflow.org too. INVALID_ARGUMENT if a variable is no matrix, or its rows are not as many as
/// the labels; nothing is written then.
WEFT_API Status writeProjector(const std::string& checkpoint, const std::vector<std::string>& variables, const std::string& labels, const std::string& folder,
                               FileSystem* files = nullptr);

}  // namespace weft
