// Tables of TensorBoard's projector: reading labels, and writing values with the configuration that names them.
#include <algorithm>
#include <charconv>

#include "proto/summary.pb.h"
#include "proto/text.h"
#include "weft/checkpoint.h"
#include "weft/projector.h"
#include "weft/records.h"

namespace weft {
namespace {

constexpr size_t kLongestLine = 16 << 20;

std::vector<std::string> fieldsOf(const std::string& line) {
  std::vector<std::string> out;
  for (size_t at = 0; at <= line.size();) {
    const size_t tab = std::min(line.find('\t', at), line.size());
    out.push_back(line.substr(at, tab - at));
    at = tab + 1;
  }
  return out;
}

Error matrixWanted(const CheckpointReader& reader, const std::string& variable) {
  std::string matrices;
  int more = 0;
  for (const CheckpointEntry& entry : reader.tensors()) {
    if (entry.shape.rank() != 2 || sizeOf(entry.dtype) == 0) continue;
    if (matrices.size() < 200) matrices += (matrices.empty() ? "" : ", ") + entry.name;
    else ++more;
  }
  const std::string there = matrices.empty() ? "there are none" : concat("there are ", matrices, more ? concat(" and ", more, " more") : std::string());
  const CheckpointEntry* entry = variable.empty() ? nullptr : reader.find(variable);
  if (entry)
    return invalidArgument("the variable ", variable, " is ", dtypeName(entry->dtype), " ", entry->shape.toString(), ", expected a matrix of numbers; ", there);
  if (variable.empty()) return invalidArgument("the projector needs the name of a variable that is a matrix of numbers; ", there);
  return notFound("no variable is named ", variable, "; matrices: ", there);
}

}  // namespace

std::string projectorTable(const Tensor& matrix) {
  const int64_t rows = matrix.dim(0), width = matrix.dim(1);
  std::string out;
  char text[32];
  for (int64_t i = 0; i < rows; ++i) {
    for (int64_t j = 0; j < width; ++j) {
      const auto end = std::to_chars(text, text + sizeof text, float(matrix.asDouble(i * width + j))).ptr;
      out.append(text, end);
      out += j + 1 < width ? '\t' : '\n';
    }
  }
  return out;
}

std::string projectorTableName(std::string variable) {
  std::replace(variable.begin(), variable.end(), '/', '_');
  return variable;
}

std::string projectorEntry(const std::string& variable, const std::string& tensorPath, const std::string& metadataPath) {
  ::tensorflow::ProjectorConfig config;
  auto* entry = config.add_embeddings();
  entry->set_tensor_name(variable);
  entry->set_tensor_path(tensorPath);
  entry->set_metadata_path(metadataPath);
  return printText(config);
}

Result<ProjectorLabels> readProjectorLabels(const std::string& path, size_t most, FileSystem* files) {
  WEFT_LET(auto stream, ByteStream::open(path, Compression::None, files));
  ProjectorLabels out;
  std::string line;
  bool first = true;
  const auto endLine = [&] {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    if (first && line.find('\t') != line.npos) {
      out.columns = fieldsOf(line);
    } else if (line.find_first_not_of(" \t\r") != line.npos) {
      if (out.rows.size() < most) out.rows.push_back(fieldsOf(line));
      ++out.count;
    }
    first = false;
    line.clear();
  };
  std::string block(size_t(1) << 20, '\0');
  for (;;) {
    WEFT_LET(const size_t got, stream->read(block.data(), block.size()));
    if (got == 0) break;
    for (size_t at = 0; at < got;) {
      const size_t end = std::min(block.find('\n', at), got);
      line.append(block, at, end - at);
      if (line.size() > kLongestLine)
        return dataLoss("a line of more than ", kLongestLine >> 20, " MB, expected a table of labels").ofKind("malformed").inFile(path);
      if (end < got) endLine();
      at = end + 1;
    }
  }
  if (!line.empty()) endLine();
  if (out.columns.empty()) out.columns = {"label"};
  return out;
}

Status writeProjector(const std::string& checkpoint, const std::vector<std::string>& variables, const std::string& labels, const std::string& folder,
                      FileSystem* files) {
  FileSystem& fs = files ? *files : posixFileSystem();
  WEFT_LET(const auto reader, CheckpointReader::open(checkpoint, &fs));
  if (variables.empty()) return matrixWanted(*reader, {});
  std::string labelBytes, labelName;
  int64_t labelRows = -1;
  if (!labels.empty()) {
    WEFT_LET(const ProjectorLabels table, readProjectorLabels(labels, 0, &fs));
    WEFT_LET(labelBytes, fs.readAll(labels));
    labelRows = table.count;
    labelName = "labels.tsv";
  }
  std::vector<std::string> names;
  for (const std::string& variable : variables) {
    const CheckpointEntry* entry = reader->find(variable);
    if (!entry || entry->shape.rank() != 2 || entry->shape.elements() == 0 || sizeOf(entry->dtype) == 0 || isComplex(entry->dtype))
      return matrixWanted(*reader, variable);
    if (labelRows >= 0 && labelRows != entry->shape.dim(0))
      return invalidArgument("the variable ", variable, " has ", entry->shape.dim(0), " rows, and ", fileNameOf(labels), " has ", labelRows, " labels")
          .inFile(labels);
    const std::string name = projectorTableName(variable);
    if (std::find(names.begin(), names.end(), name) != names.end())
      return invalidArgument("two variables would be written to ", name, ".values.tsv: write them into two folders");
    names.push_back(name);
  }
  WEFT_TRY(fs.makeFolders(folder));
  std::string config;
  for (size_t i = 0; i < variables.size(); ++i) {
    WEFT_LET(const Tensor value, reader->read(variables[i]));
    const std::string table = names[i] + ".values.tsv";
    WEFT_TRY(fs.writeAtomically(joinPath(folder, table), projectorTable(value)));
    config += projectorEntry(variables[i], table, labelName);
  }
  if (!labelName.empty()) WEFT_TRY(fs.writeAtomically(joinPath(folder, labelName), labelBytes));
  return fs.writeAtomically(joinPath(folder, "projector_config.pbtxt"), config);
}

}  // namespace weft
