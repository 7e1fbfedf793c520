#include "weft/inspect.h"

#include <algorithm>
#include <cmath>

#include "io/inspect/format.h"

namespace weft {
namespace inspect {

std::string dtypeText(int dtype) {
  if (dtype > 100) dtype -= 100;
  if (dtype == 0) return "invalid";
  return isKnown(DType(dtype)) ? dtypeName(DType(dtype)) : concat("unknown_", dtype);
}

Json shapeJson(const Shape& shape) {
  if (!shape.hasRank()) return nullptr;
  return shape.toVector();
}

Json numberJson(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "Infinity" : "-Infinity";
  return value;
}

#define WEFT_FORMAT(record) extern const Format record;
#include "io/inspect/format_list.inc"
#undef WEFT_FORMAT

namespace {

const std::vector<const Format*>& allFormats() {
  static const std::vector<const Format*> all{
#define WEFT_FORMAT(record) &record,
#include "io/inspect/format_list.inc"
#undef WEFT_FORMAT
  };
  return all;
}

bool isLfsPointer(Report& r) { return r.starts("version https://git-lfs"); }

/// What is said of a file that is of no known kind.
Error unrecognized(Report& r) {
  if (!r.unreadable.ok()) return r.unreadable.error();
  if (r.place == Report::Place::Missing) return bad("not_found", "no such file, folder or checkpoint");
  if (r.isFolder()) return bad("missing_file", "the folder holds neither a model, checkpoints, event files nor any other file of a known kind");
  if (isLfsPointer(r)) return bad("not_downloaded", "a Git LFS pointer stands in place of the file");
  if (r.starts("\x1f\x8b")) return bad("unrecognized", "GZIP, but what is in it is none of the known formats");
  if (r.isText()) return bad("unrecognized", "text, but its first field belongs to none of the known messages");
  if (r.ends(".mat")) return bad("unrecognized", "not a MATLAB file of version 5 to 7; older and other ones are not read");
  return bad("unrecognized", "none of the known formats: the file begins with ",
             nlohmann::json(std::string(r.head().substr(0, 8))).dump(-1, ' ', true, nlohmann::json::error_handler_t::replace));
}

OpenedModel modelOf(const Format& format, Report& r) {
  OpenedModel out{Error{}, {}, r.whole()};
  out.graph = format.graph(r, &out.warnings);
  if (!out.graph.ok()) out.graph.error().inFile(r.path);
  return out;
}

Status inspect(Report& r, std::optional<OpenedModel>* model) {
  if (r.isFile()) r.json["bytes"] = r.size;
  if (r.isFile() && r.size == 0 && r.unreadable.ok()) {
    r.setKind("empty");
    return {};
  }
  const Format* format = formatOf(r);
  if (!format) return unrecognized(r);
  WEFT_TRY(format->report(r));
  if (model && format->kind.isRebuilt()) *model = modelOf(*format, r);
  return {};
}

std::string oneLine(std::string text) {
  for (char& c : text)
    if (uint8_t(c) < 32) c = ' ';
  return text;
}

}  // namespace

const Format* formatOf(Report& r) {
  if (!r.unreadable.ok() || isLfsPointer(r) || (r.isFile() && r.size == 0)) return nullptr;
  for (const Format* format : allFormats())
    if (format->probe(r)) return format;
  return nullptr;
}

Result<LoadedGraph> graphOfImport(const Report& r, Result<ImportedModel> model, std::vector<std::string>* warnings) {
  WEFT_TRY(model.status());
  *warnings = std::move(model->warnings);
  return rereadGraph(std::move(model->meta), r.path);
}

}  // namespace inspect

bool FileKind::isRebuilt() const {
  const std::string_view own[] = {"graphdef", "metagraph", "savedmodel"};
  return hasGraph && std::find(std::begin(own), std::end(own), name) == std::end(own);
}

std::span<const FileKind* const> fileKinds() {
  static const std::vector<const FileKind*> kinds = [] {
    std::vector<const FileKind*> out;
    for (const inspect::Format* format : inspect::allFormats())
      if (std::none_of(out.begin(), out.end(), [&](const FileKind* known) { return std::string_view(known->name) == format->kind.name; }))
        out.push_back(&format->kind);
    return out;
  }();
  return kinds;
}

const FileKind* findFileKind(std::string_view name) {
  for (const FileKind* kind : fileKinds())
    if (kind->name == name) return kind;
  return nullptr;
}

const FileKind* fileKindOf(const std::string& path, FileSystem* files) {
  inspect::Report r(files ? *files : posixFileSystem(), path);
  const inspect::Format* format = inspect::formatOf(r);
  return format ? &format->kind : nullptr;
}

bool isGraphFile(const std::string& path, FileSystem* files) {
  inspect::Report r(files ? *files : posixFileSystem(), path);
  if (!r.isFile()) return false;
  const inspect::Format* format = inspect::formatOf(r);
  return format && (format->kind.name == std::string_view("graphdef") || format->kind.name == std::string_view("metagraph"));
}

Result<LoadedGraph> openModelGraph(const std::string& path, std::vector<std::string>* warnings, FileSystem* files) {
  inspect::Report r(files ? *files : posixFileSystem(), path);
  const inspect::Format* format = inspect::formatOf(r);
  if (!format) return Error(inspect::unrecognized(r)).inFile(path);
  if (!format->graph) return invalidArgument("expected a file with a graph; this is of kind ", format->kind.name).ofKind("unrecognized").inFile(path);
  std::vector<std::string> said;
  auto graph = format->graph(r, warnings ? warnings : &said);
  return graph.ok() ? std::move(graph) : Result<LoadedGraph>(Error(graph.error()).inFile(path));
}

Result<std::vector<NamedTensor>> readArrays(const std::string& path, std::vector<std::string>* warnings, FileSystem* files) {
  inspect::Report r(files ? *files : posixFileSystem(), path);
  const inspect::Format* format = inspect::formatOf(r);
  if (!format) return Error(inspect::unrecognized(r)).inFile(path);
  if (!format->arrays) return invalidArgument("expected a file with arrays; this is of kind ", format->kind.name).ofKind("unrecognized").inFile(path);
  auto arrays = format->arrays(r);
  if (warnings && r.json.contains("problems"))
    for (const inspect::Json& problem : r.json["problems"]) warnings->push_back(problem["message"]);
  if (!arrays.ok()) return arrays.error().file.empty() ? Error(arrays.error()).inFile(path) : arrays.error();
  return arrays;
}

Result<std::string> writeModel(const std::string& kind, std::string_view metaGraph, const ModelExport& what) {
  for (const inspect::Format* format : inspect::allFormats())
    if (kind == format->kind.name && format->write) return format->write(metaGraph, what);
  return invalidArgument("graphs cannot be written as '", kind, "'");
}

Inspection inspectPath(const std::string& path, const InspectOptions& options) {
  inspect::Report r(options.files ? *options.files : posixFileSystem(), path);
  r.verify = options.verify;
  r.parseCall = options.parseCall;
  r.json["inspect_version"] = 1;
  r.json["file"] = path;
  r.json["kind"] = nullptr;
  r.json["bytes"] = 0;
  Inspection out;
  try {
    out.status = inspect::inspect(r, options.model);
  } catch (const std::bad_alloc&) {
    out.status = resourceExhausted("not enough memory to read the file").ofKind("too_large");
  } catch (const std::exception& e) {
    out.status = internalError(e.what()).ofKind("malformed");
  }
  if (!out.status.ok()) {
    Error& error = out.status.error();
    if (error.kind.empty()) error.kind = error.code == Code::NotFound ? "not_found" : error.code == Code::ResourceExhausted ? "too_large" : "malformed";
    error.message = inspect::oneLine(error.message);
    r.json["error"] = {{"kind", error.kind}, {"message", error.message}};
  }
  if (r.json["kind"].is_string()) out.kind = r.json["kind"];
  if (options.asText && r.json.contains("schema"))  // it says the same of each feature, in one line
    for (const char* key : {"features", "context", "feature_lists"}) r.json.erase(key);
  if (options.asText && options.parseCall) out.text = r.json.contains("parse_call") ? r.json["parse_call"].get<std::string>() : std::string();
  else if (options.asText) inspect::writeText(r.json, "", out.text);
  else out.json = r.json.dump(-1, ' ', false, inspect::Json::error_handler_t::replace);
  return out;
}

}  // namespace weft
