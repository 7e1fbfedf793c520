#include <algorithm>

#include "graph/wire.h"
#include "weft/defects.h"
#include "weft/file_system.h"
#include "weft/onnx.h"

namespace weft {
namespace {

constexpr uint64_t kMostIrVersion = 1000;
constexpr uint64_t kLargestOnnx = uint64_t(2) << 30;  // what one message can hold

/// The wire type of a field of ModelProto; -1: it has none of that number.
int modelFieldType(int number) {
  switch (number) {
    case 1:
    case 5: return 0;
    case 2:
    case 3:
    case 4:
    case 6:
    case 7:
    case 8:
    case 14:
    case 20:
    case 25:
    case 26: return 2;
    default: return -1;
  }
}

bool isText(std::string_view bytes) {
  return std::none_of(bytes.begin(), bytes.end(), [](char c) { return uint8_t(c) < 32 && c != '\t' && c != '\n' && c != '\r'; });
}

/// A graph's fields come in the order of their numbers: nodes (whose first field is text), a name, initializers, inputs.
bool isOnnxGraph(std::string_view bytes) {
  WireReader in(bytes);
  const auto first = in.next();
  if (!first) return bytes.empty() || in.cut();
  if (first->type != 2) return false;
  return first->number == 1 || first->number == 2 || first->number == 5 || (first->number >= 10 && first->number <= 16);
}

}  // namespace

bool looksLikeOnnx(std::string_view bytes) {
  WireReader in(bytes);
  bool graph = false, sets = false;
  for (int i = 0; i < 4096; ++i) {
    const auto f = in.next();
    if (!f) break;
    if (f->type != modelFieldType(f->number)) return false;
    if (i == 0 && (f->number != 1 || f->value == 0 || f->value > kMostIrVersion)) return false;
    if (f->number <= 4 && f->type == 2 && !isText(f->bytes)) return false;
    if (f->number == 7 && !isOnnxGraph(f->bytes)) return false;
    graph = graph || f->number == 7;
    sets = sets || f->number == 8;
  }
  return graph || sets;
}

bool isOnnxFile(const std::string& path, FileSystem* given) {
  FileSystem& files = given ? *given : posixFileSystem();
  const auto info = files.stat(path);
  if (!info.ok() || info->isFolder || info->bytes == 0) return false;
  if (path.size() > 5 && path.compare(path.size() - 5, 5, ".onnx") == 0) return true;
  auto file = files.openForReading(path);
  char first[2] = {};
  // Most files end here, before they are read as a whole.
  if (!file.ok()) return false;
  const auto got = (*file)->read(0, first, 2);
  if (!got.ok() || *got < 2 || first[0] != '\x08' || info->bytes > kLargestOnnx) return false;
  const auto bytes = files.readAll(path, kLargestOnnx);
  return bytes.ok() && looksLikeOnnx(*bytes);
}

Result<ImportedModel> onnxFileToGraph(const std::string& path, FileSystem* given) {
  FileSystem& files = given ? *given : posixFileSystem();
  const auto bytes = files.readAll(path, kLargestOnnx);
  if (!bytes.ok()) return Error(bytes.error()).inFile(path);
  if (bytes->compare(0, 23, "version https://git-lfs") == 0)
    return dataLoss("a Git LFS pointer stands in place of the file; fetch it with `git lfs pull`").ofKind("not_downloaded").inFile(path);
  const size_t slash = path.rfind('/');
  auto made = onnxToGraph(*bytes, slash == path.npos ? "." : path.substr(0, std::max<size_t>(slash, 1)), &files);
  if (!made.ok()) return Error(made.error()).inFile(path);
  return made;
}

Result<LoadedGraph> openOnnxFile(const std::string& path, FileSystem* files) {
  WEFT_LET(ImportedModel model, onnxFileToGraph(path, files));
  WEFT_LET(LoadedGraph loaded, openGraphBytes(std::make_shared<const std::string>(std::move(model.metaGraph)), path));
  for (std::string& warning : model.warnings) loaded.problems.push_back(Error{Code::Unimplemented, std::move(warning), {}, {}, "import"});
  return loaded;
}

}  // namespace weft
