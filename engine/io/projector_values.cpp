#include <cstring>

#include "weft/checkpoint.h"
#include "weft/embedding.h"
#include "weft/projector.h"

namespace weft {

Result<Tensor> readProjectorValues(const std::string& config, const ProjectorSettings& settings, const ProjectorEmbedding& embedding, FileSystem* files) {
  using Source = ProjectorEmbedding::Source;
  if (embedding.source == Source::Checkpoint) {
    WEFT_LET(const auto reader, CheckpointReader::open(settings.prefix, files));
    return reader->read(embedding.tensor);
  }
  const std::string path = projectorPath(config, embedding.tensorPath);
  if (embedding.source == Source::Table) {
    WEFT_LET(Points points, loadPoints(path, files));
    return std::move(points.values);
  }
  if (embedding.source == Source::Missing)
    return notFound("The values of ", embedding.tensor.empty() ? embedding.tensorPath : embedding.tensor, " were not found.").inFile(config);
  WEFT_LET(const std::string bytes, (files ? *files : posixFileSystem()).readAll(path));
  WEFT_LET(Tensor out, Tensor::allocate(DType::Float, embedding.shape));
  if (bytes.size() != out.bytes())
    return invalidArgument("The file has ", bytes.size(), " bytes; ", out.bytes(), " are expected for float32 ", embedding.shape.toString(), ".").inFile(path);
  if (!bytes.empty()) std::memcpy(out.mutableRaw(), bytes.data(), bytes.size());
  return out;
}

}  // namespace weft
