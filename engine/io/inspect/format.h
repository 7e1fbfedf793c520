// One record per kind of file: how it is recognised, reported, read as a graph and written.
#pragma once

#include "io/inspect/report.h"
#include "weft/file_kinds.h"

namespace weft::inspect {

/// To add a format, define one of these beside its report and list it in format_list.inc.
struct Format {
  FileKind kind;
  /// Whether the file is of this kind. Asked in the order of the list; most look at the first bytes only.
  bool (*probe)(Report& r);
  /// Fills the report, with what was read so far before it returns an error.
  Status (*report)(Report& r);
  /// Null: it has no graph of its own. `warnings` get what the graph does not say or computes otherwise.
  Result<LoadedGraph> (*graph)(Report& r, std::vector<std::string>* warnings) = nullptr;
  Result<std::string> (*write)(std::string_view metaGraph, const ModelExport& what) = nullptr;  ///< Null: not written from graphs.
  Result<std::vector<NamedTensor>> (*arrays)(Report& r) = nullptr;  ///< Null: its contents are no arrays. What is left out is a problem of the report.
};

/// A kind of file whose contents are arrays.
constexpr FileKind arraysKind(const char* name, const char* title, const char* doc, const char* endings, const char* mimeType = "") {
  return {name, title, doc, endings, mimeType, false, false, false, true};
}
/// The same for pictures and sounds.
constexpr FileKind arraysKind(const char* name, const char* title, const char* doc, const char* endings, ArrayLook look) {
  return {name, title, doc, endings, "", false, false, false, true, false, look};
}
/// What a report says of arrays.
Json arraysJson(const std::vector<NamedTensor>& arrays);

/// The graph of a model that was rebuilt from the file of `r`.
Result<LoadedGraph> graphOfImport(const Report& r, Result<ImportedModel> model, std::vector<std::string>* warnings);

/// The record of a file; null if there is none.
const Format* formatOf(Report& r);

}  // namespace weft::inspect
