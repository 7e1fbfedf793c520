#include <algorithm>

#include "graph/wire.h"
#include "weft/onnx.h"

namespace weft {
namespace {

constexpr uint64_t kMostIrVersion = 1000;
constexpr char kGraphTag = 7 << 3 | 2;

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
    const size_t at = in.position();
    const auto f = in.next();
    // Cut within its graph, as where only the first bytes are looked at.
    if (!f && in.cut() && i > 0 && at < bytes.size() && bytes[at] == kGraphTag) return true;
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

}  // namespace weft
