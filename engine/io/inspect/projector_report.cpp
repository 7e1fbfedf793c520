// TensorBoard's projector: the configuration, checked against the files that it names.
#include <algorithm>
#include <cstdlib>

#include "io/inspect/format.h"
#include "proto/summary.pb.h"
#include "proto/text.h"
#include "weft/arrays.h"
#include "weft/checkpoint.h"
#include "weft/projector.h"

namespace weft {
namespace {

namespace tf = ::tensorflow;

/// TensorBoard looks beside the configuration; one of a plugin's assets belongs to the log folder two levels up.
std::string logFolderOf(const std::string& config) {
  const std::string folder = folderOf(config);
  const std::string up = folderOf(folder);
  return fileNameOf(up) == "plugins" ? folderOf(up) : folder;
}

class EmbeddingCheck {
 public:
  EmbeddingCheck(const std::string& config, FileSystem& files, const CheckpointReader* reader, ProjectorEmbedding* e)
      : config_(config), files_(files), reader_(reader), e_(*e) {}

  void run() {
    if (e_.tensorPath.empty()) findInCheckpoint();
    else readTensorFile();
    if (e_.source != ProjectorEmbedding::Source::Missing && !e_.statedShape.empty() && Shape(e_.statedShape) != e_.shape)
      problem("tensor_shape", concat("tensor_shape is ", Shape(e_.statedShape).toString(), ", the values are ", e_.shape.toString()));
    if (!e_.metadataPath.empty()) readLabels();
    if (!e_.spritePath.empty()) readSprite();
    if (!e_.bookmarksPath.empty() && !files_.exists(projectorPath(config_, e_.bookmarksPath)))
      problem("missing_file", concat("the bookmarks ", e_.bookmarksPath, " are not there"));
  }

 private:
  void problem(const char* kind, const std::string& message) { e_.problems.emplace_back(kind, message); }

  void findInCheckpoint() {
    if (!reader_) return;  // said once, of the configuration
    const std::string name =
        e_.tensor.size() > 2 && e_.tensor.compare(e_.tensor.size() - 2, 2, ":0") == 0 ? e_.tensor.substr(0, e_.tensor.size() - 2) : e_.tensor;
    if (name.empty()) return;  // its labels are those of all matrices
    const CheckpointEntry* entry = reader_->find(name);
    if (!entry) return problem("missing_tensor", concat("the checkpoint has no tensor ", name));
    e_.source = ProjectorEmbedding::Source::Checkpoint;
    e_.dtype = entry->dtype;
    e_.shape = entry->shape;
    if (entry->shape.rank() != 2) problem("tensor_shape", concat("the tensor is ", entry->shape.toString(), ", expected a matrix"));
  }

  /// Tab-separated numbers, else float32 values of the stated shape.
  void readTensorFile() {
    const std::string path = projectorPath(config_, e_.tensorPath);
    const auto info = files_.stat(path);
    if (!info.ok()) return problem("missing_file", concat("the values ", e_.tensorPath, " are not there"));
    const auto table = readProjectorLabels(path, 1, &files_);
    const Shape stated = e_.statedShape.empty() ? Shape() : Shape(e_.statedShape);
    if (isNumbers(table)) {
      const bool header = table->columns.size() > 1;  // for labels it would be one
      e_.source = ProjectorEmbedding::Source::Table;
      e_.shape = Shape({table->count + (header ? 1 : 0), int64_t(header ? table->columns.size() : table->rows[0].size())});
    } else if (stated.rank() == 2 && info->bytes == uint64_t(stated.elements()) * 4) {
      e_.source = ProjectorEmbedding::Source::Bytes;
      e_.shape = stated;
    } else {
      problem("malformed", concat("the values ", e_.tensorPath, " are neither tab-separated numbers nor float32 values of the shape in tensor_shape"));
    }
  }
  static bool isNumbers(const Result<ProjectorLabels>& table) {
    if (!table.ok() || (table->rows.empty() && table->columns.size() < 2)) return false;
    const auto& line = table->columns.size() > 1 ? table->columns : table->rows[0];
    return std::all_of(line.begin(), line.end(), [](const std::string& text) {
      char* end = nullptr;
      std::strtod(text.c_str(), &end);
      return !text.empty() && end == text.c_str() + text.size();
    });
  }

  void readLabels() {
    const std::string path = projectorPath(config_, e_.metadataPath);
    if (!files_.exists(path)) return problem("missing_file", concat("the metadata ", e_.metadataPath, " are not there"));
    const auto table = readProjectorLabels(path, 0, &files_);
    if (!table.ok()) return problem("malformed", concat("the metadata ", e_.metadataPath, ": ", table.error().message));
    e_.labelRows = table->count;
    e_.labelColumns = table->columns;
    if (e_.source != ProjectorEmbedding::Source::Missing && e_.shape.rank() == 2 && e_.shape.dim(0) != e_.labelRows)
      problem("row_count", concat("the metadata have ", e_.labelRows, " rows, the tensor has ", e_.shape.dim(0)));
  }

  /// Pictures fill the sprite row by row.
  void readSprite() {
    const auto bytes = files_.readAll(projectorPath(config_, e_.spritePath), uint64_t(256) << 20);
    if (!bytes.ok())
      return problem("missing_file",
                     concat("the sprite ", e_.spritePath, bytes.error().code == Code::NotFound ? std::string(" is not there") : ": " + bytes.error().message));
    const auto pixels = decodeImage(*bytes);
    if (!pixels.ok() || pixels->rank() < 3)
      return problem("malformed", concat("the sprite ", e_.spritePath, pixels.ok() ? std::string(" is no picture") : ": " + pixels.error().message));
    e_.spriteHeight = pixels->dim(pixels->rank() - 3);
    e_.spriteWidth = pixels->dim(pixels->rank() - 2);
    const std::vector<int64_t>& dim = e_.spriteDim;
    if (dim.size() != 2 || dim[0] < 1 || dim[1] < 1)
      return problem("sprite_size", "single_image_dim must be the width and the height of a picture in the sprite");
    const int64_t pictures = (e_.spriteWidth / dim[0]) * (e_.spriteHeight / dim[1]);
    if (e_.source != ProjectorEmbedding::Source::Missing && e_.shape.rank() == 2 && pictures < e_.shape.dim(0))
      problem("sprite_size", concat("the sprite of ", e_.spriteWidth, "x", e_.spriteHeight, " pixels has room for ", pictures, " pictures of ", dim[0], "x",
                                    dim[1], ", the tensor has ", e_.shape.dim(0), " rows"));
  }

  const std::string& config_;
  FileSystem& files_;
  const CheckpointReader* reader_;
  ProjectorEmbedding& e_;
};

Result<ProjectorSettings> checkProjector(const tf::ProjectorConfig& config, const std::string& path, FileSystem& files) {
  ProjectorSettings out;
  out.checkpoint = config.model_checkpoint_path();
  bool wanted = false;  // whether an embedding has its values in the checkpoint
  for (const auto& e : config.embeddings()) wanted = wanted || e.tensor_path().empty();
  if (!out.checkpoint.empty()) {
    out.prefix = projectorPath(path, out.checkpoint);
  } else {
    const std::string& folder = config.model_checkpoint_dir();
    out.prefix = latestCheckpoint(folder.empty() ? logFolderOf(path) : projectorPath(path, folder), "checkpoint", &files).value_or("");
  }
  std::unique_ptr<CheckpointReader> reader;
  if (!out.prefix.empty()) {
    auto opened = CheckpointReader::open(out.prefix, &files);
    if (opened.ok()) reader = std::move(*opened);
    else if (opened.error().code == Code::NotFound) out.problems.emplace_back("missing_file", concat("the checkpoint ", out.checkpoint, " is not there"));
    else out.problems.emplace_back("malformed", concat("the checkpoint ", out.prefix, ": ", opened.error().message));
  } else if (wanted) {
    out.problems.emplace_back("missing_file", "no checkpoint is named, and the folder has no latest one");
  }
  if (!reader) out.prefix.clear();
  for (const auto& e : config.embeddings()) {
    ProjectorEmbedding& embedding = out.embeddings.emplace_back();
    embedding.tensor = e.tensor_name();
    embedding.tensorPath = e.tensor_path();
    embedding.metadataPath = e.metadata_path();
    embedding.bookmarksPath = e.bookmarks_path();
    embedding.spritePath = e.sprite().image_path();
    embedding.statedShape.assign(e.tensor_shape().begin(), e.tensor_shape().end());
    embedding.spriteDim.assign(e.sprite().single_image_dim().begin(), e.sprite().single_image_dim().end());
    EmbeddingCheck(path, files, reader.get(), &embedding).run();
  }
  return out;
}

}  // namespace

std::string projectorPath(const std::string& config, const std::string& stated) {
  const char* home = stated.rfind("~/", 0) == 0 ? std::getenv("HOME") : nullptr;  // as TensorBoard does
  return home ? home + stated.substr(1) : joinPath(folderOf(config), stated);
}

Result<ProjectorSettings> readProjectorSettings(const std::string& path, FileSystem* files) {
  FileSystem& fs = files ? *files : posixFileSystem();
  WEFT_LET(const std::string bytes, fs.readAll(path, uint64_t(64) << 20));
  tf::ProjectorConfig config;
  WEFT_TRY(parseMessage(inspect::looksLikeText(bytes), bytes, &config));
  return checkProjector(config, path, fs);
}

namespace inspect {
namespace {

Json embeddingJson(const ProjectorEmbedding& e) {
  using Source = ProjectorEmbedding::Source;
  Json out{{"tensor_name", e.tensor},
           {"tensor_path", e.tensorPath},
           {"metadata_path", e.metadataPath},
           {"tensor_shape", e.statedShape},
           {"sprite_path", e.spritePath},
           {"sprite_dim", e.spriteDim},
           {"found", e.source != Source::Missing},
           {"source", e.source == Source::Checkpoint ? Json("checkpoint")
                      : e.source == Source::Table    ? Json("tsv")
                      : e.source == Source::Bytes    ? Json("bytes")
                                                     : Json(nullptr)},
           {"shape", e.source == Source::Missing ? Json(nullptr) : shapeJson(e.shape)}};
  if (e.source == Source::Checkpoint) out["dtype"] = dtypeText(int(e.dtype));
  if (e.labelRows >= 0) {
    out["metadata_rows"] = e.labelRows;
    out["metadata_columns"] = e.labelColumns;
  }
  if (e.spriteWidth > 0) out["sprite_size"] = {e.spriteWidth, e.spriteHeight};
  return out;
}

Status reportProjector(Report& r) {
  WEFT_LET(const std::string_view bytes, r.content());
  r.setKind("projector_config");
  tf::ProjectorConfig config;
  WEFT_TRY(parseMessage(r.isText(), bytes, &config));
  WEFT_LET(const ProjectorSettings settings, checkProjector(config, r.path, r.files));
  r.json["checkpoint"] = settings.checkpoint;
  r.json["checkpoint_found"] = !settings.prefix.empty();
  r.json["embeddings"] = Json::array();
  for (const auto& [kind, message] : settings.problems) r.problem(kind, message);
  for (const ProjectorEmbedding& e : settings.embeddings) {
    r.json["embeddings"].push_back(embeddingJson(e));
    for (const auto& [kind, message] : e.problems) r.problem(kind, (e.tensor.empty() ? e.tensorPath : e.tensor) + ": " + message);
  }
  return {};
}

}  // namespace

extern const Format kProjectorFormat;
const Format kProjectorFormat{
    {"projector_config", WEFT_TRANSLATED("FileKinds", "Projector"), WEFT_TRANSLATED("FileKinds", "The variables that TensorBoard's projector shows."), ""},
    [](Report& r) { return r.message() == ProtoKind::Projector; },
    reportProjector};

}  // namespace inspect
}  // namespace weft
