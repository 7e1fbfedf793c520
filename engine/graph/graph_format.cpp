#include "graph/graph_format.h"

#include <algorithm>
#include <cctype>

#include "graph/wire.h"

namespace weft {
namespace {

bool isWordChar(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

// The first field name of a text message, or empty if the bytes are not one.
std::string_view firstTextField(std::string_view text) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  while (!text.empty()) {
    const char c = text.front();
    if (c == '#') {
      text.remove_prefix(std::min(text.find('\n'), text.size()));
    } else if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
      text.remove_prefix(1);
    } else {
      break;
    }
  }
  size_t n = 0;
  while (n < text.size() && isWordChar(text[n])) ++n;
  size_t after = n;
  while (after < text.size() && (text[after] == ' ' || text[after] == '\t' || text[after] == '\n' || text[after] == '\r')) ++after;
  if (n == 0 || after >= text.size() || (text[after] != ':' && text[after] != '{' && text[after] != '<')) return {};
  return text.substr(0, n);
}

bool oneOf(std::string_view word, std::initializer_list<std::string_view> words) { return std::find(words.begin(), words.end(), word) != words.end(); }

bool isNodeDef(std::string_view bytes) {
  WireReader in(bytes);
  bool name = false, op = false;
  while (const auto f = in.next()) {
    if (f->number == 1 && f->type == 2) name = !f->bytes.empty() && std::all_of(f->bytes.begin(), f->bytes.end(), [](char c) { return c >= 32; });
    if (f->number == 2 && f->type == 2) op = !f->bytes.empty() && std::all_of(f->bytes.begin(), f->bytes.end(), isWordChar);
  }
  return in.ok() && name && op;
}

}  // namespace

Result<GraphFormat> detectGraphFormat(std::string_view bytes) {
  if (bytes.starts_with("version https://git-lfs")) {
    return invalidArgument("this is a Git LFS pointer, not the file itself; fetch it with `git lfs pull`").ofKind("not_downloaded");
  }
  if (const std::string_view word = firstTextField(bytes); !word.empty()) {
    if (oneOf(word, {"meta_info_def", "graph_def", "saver_def", "collection_def", "signature_def", "asset_file_def", "object_graph_def"})) {
      return GraphFormat::MetaText;
    }
    if (oneOf(word, {"node", "library", "versions", "version"})) return GraphFormat::GraphText;
    return invalidArgument("\"", word, "\" is no field of a GraphDef or MetaGraphDef").ofKind("unrecognized");
  }
  // Field 1 is a node in GraphDef and meta_info_def in MetaGraphDef, so its contents and the other fields decide.
  WireReader in(bytes);
  int graph = 0, meta = 0, fields = 0;
  while (const auto f = in.next()) {
    ++fields;
    if (f->number == 1 && f->type == 2) (isNodeDef(f->bytes) ? graph : meta) += 1;
    if (f->number == 2 && f->type == 2) {
      WireReader inside(f->bytes);
      while (const auto g = inside.next()) {
        if (g->number == 1 && g->type == 2 && isNodeDef(g->bytes)) {
          meta += 4;
          break;
        }
      }
    }
    if (f->number == 3) (f->type == 0 ? graph : meta) += 1;
    if (f->number == 4 && f->type == 2) (f->bytes.starts_with('\n') ? meta : graph) += 1;
    if (f->number >= 5 && f->number <= 7 && f->type == 2) meta += 1;
    if (fields > 4096) break;
  }
  if (fields == 0 || (graph == 0 && meta == 0)) {
    if (bytes.empty()) return GraphFormat::GraphBinary;  // an empty GraphDef
    if (fields == 0 && in.cut() && bytes.starts_with('\n')) {
      return dataLoss("a graph or meta graph that is cut, or none: it has ", bytes.size(), " bytes, and its first field goes on beyond").ofKind("truncated");
    }
    return invalidArgument("neither a GraphDef nor a MetaGraphDef, in binary or text form").ofKind("unrecognized");
  }
  return meta > graph ? GraphFormat::MetaBinary : GraphFormat::GraphBinary;
}

}  // namespace weft
