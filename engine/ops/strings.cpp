#include <unicode/unistr.h>

#include <algorithm>
#include <atomic>
#include <optional>
#include <vector>

#include "device/cpu/broadcast.h"
#include "ops/registry.h"
#include "ops/text_map.h"

// Joining, measuring and changing strings. A string is a byte array; where characters count, it is read as UTF-8.
namespace weft {
namespace {

bool startsCharacter(char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }
int64_t characters(const std::string& s) { return std::count_if(s.begin(), s.end(), startsCharacter); }

// StringJoin, ReduceJoin, UnsortedSegmentJoin.

Status joinShape(ShapeContext& c) {
  Shape out = Shape::unknown();
  bool known = true;
  for (int i = 0; i < c.inputCount(); ++i) {
    const Shape& s = c.input(i);
    known = known && s.hasRank();
    if (!s.hasRank() || s.rank() == 0) continue;
    WEFT_LET(out, c.merge(out, s));
  }
  // Scalars broadcast to any shape.
  if (out.hasRank() || known) c.setOutput(0, out.hasRank() ? out : Shape());
  return {};
}
Status runJoin(KernelContext& c) {
  const std::string separator = c.node().attrs.text("separator");
  Shape shape;
  for (int i = 0; i < c.inputCount(); ++i) {
    const Shape& s = c.input(i).shape();
    if (s.rank() == 0) continue;
    if (shape.rank() != 0 && !(shape == s)) return invalidArgument("Input shapes do not match: ", shape.toString(), " vs. ", s.toString());
    shape = s;
  }
  WEFT_LET(Tensor* out, c.allocate(0, shape));
  struct Part {
    const std::string* first;
    int64_t step;
  };
  std::vector<Part> parts;
  for (int i = 0; i < c.inputCount(); ++i) parts.push_back({c.input(i).data<std::string>(), c.input(i).rank() == 0 ? 0 : 1});
  std::string* y = out->mutableData<std::string>();
  parallelFor(out->elements(), kTextGrain, [&](int64_t begin, int64_t end) {
    for (int64_t k = begin; k < end; ++k) {
      size_t length = separator.size() * (parts.size() - 1);
      for (const Part& p : parts) length += p.first[k * p.step].size();
      std::string& text = y[k];
      text.reserve(length);
      for (size_t i = 0; i < parts.size(); ++i) {
        if (i > 0) text += separator;
        text += parts[i].first[k * parts[i].step];
      }
    }
  });
  return {};
}

Status reduceJoinShape(ShapeContext& c) {
  const Shape& in = c.input(0);
  const Tensor* axes = c.constant(1);
  if (c.input(1).hasRank() && c.input(1).rank() > 1) WEFT_TRY(c.requireRank(c.input(1), 1));
  if (in.hasRank() && !axes && c.attrs().flag("keep_dims")) c.setOutput(0, Shape::unknownOfRank(in.rank()));
  if (!in.hasRank() || !axes) return {};
  std::vector<bool> joined(size_t(in.rank()), false);
  for (int64_t i = 0; i < axes->elements(); ++i) {
    const int64_t a = axes->asInt(i);
    if (a < -in.rank() || a >= in.rank()) return invalidArgument("Invalid reduction dimension ", a, " for input with ", in.rank(), " dimensions.");
    joined[size_t(a < 0 ? a + in.rank() : a)] = true;
  }
  Shape out;
  for (int d = 0; d < in.rank(); ++d) {
    if (!joined[size_t(d)]) out.append(in.dim(d));
    else if (c.attrs().flag("keep_dims")) out.append(1);
  }
  c.setOutput(0, std::move(out));
  return {};
}
Status runReduceJoin(KernelContext& c) {
  const Tensor &in = c.input(0), &axes = c.input(1);
  const int rank = in.rank();
  std::vector<int> order;  // the joined dimensions, in the order of joining
  std::vector<bool> joined(size_t(rank), false);
  for (int64_t i = 0; i < axes.elements(); ++i) {
    const int64_t a = axes.asInt(i);
    if (a < -rank || a >= rank) return outOfRange("Invalid reduction dimension ", a, " for input with ", rank, " dimension(s)");
    const int d = int(a < 0 ? a + rank : a);
    if (joined[size_t(d)]) return invalidArgument("Duplicate reduction dimension ", a);
    joined[size_t(d)] = true;
    order.push_back(d);
  }
  Shape shape, kept;
  for (int d = 0; d < rank; ++d) {
    if (!joined[size_t(d)]) shape.append(in.dim(d)), kept.append(in.dim(d));
    else if (c.node().attrs.flag("keep_dims")) shape.append(1);
  }
  const std::string separator = c.node().attrs.text("separator");
  std::vector<int64_t> stride(size_t(rank), 1);
  for (int d = rank - 2; d >= 0; --d) stride[size_t(d)] = stride[size_t(d + 1)] * in.dim(d + 1);
  int64_t pieces = 1;
  for (int d : order) pieces *= in.dim(d);
  WEFT_LET(Tensor* out, c.allocate(0, shape));
  for (int64_t k = 0; k < out->elements(); ++k) {
    int64_t base = 0;
    for (int64_t rest = k, d = rank - 1; d >= 0; --d) {
      if (joined[size_t(d)]) continue;
      base += rest % in.dim(int(d)) * stride[size_t(d)];
      rest /= in.dim(int(d));
    }
    std::string text;
    for (int64_t p = 0; p < pieces; ++p) {
      int64_t at = base, rest = p;
      for (int d : order) {
        at += rest % in.dim(d) * stride[size_t(d)];
        rest /= in.dim(d);
      }
      if (p > 0) text += separator;
      text += in.data<std::string>()[at];
    }
    out->mutableData<std::string>()[k] = std::move(text);
  }
  return {};
}

Status segmentJoinShape(ShapeContext& c) {
  const Shape &in = c.input(0), &ids = c.input(1);
  WEFT_TRY(c.requireRank(c.input(2), 0));
  const auto n = c.constantInt(2);
  if (n && *n < 0) return invalidArgument("Dimension size, given by scalar input 2, must be non-negative but is ", *n);
  if (!in.hasRank() || !ids.hasRank()) return {};
  if (in.rank() < ids.rank()) return invalidArgument("Shape must be at least rank ", ids.rank(), " but is rank ", in.rank());
  for (int d = 0; d < ids.rank(); ++d) WEFT_TRY(c.mergeDims(in.dim(d), ids.dim(d)));
  Shape out{n.value_or(Shape::kUnknownDim)};
  out.append(in.slice(ids.rank()));
  c.setOutput(0, std::move(out));
  return {};
}
Status runSegmentJoin(KernelContext& c) {
  const Tensor &in = c.input(0), &ids = c.input(1);
  const int64_t segments = c.input(2).elements() == 1 ? c.input(2).asInt(0) : -1;
  if (segments < 0) return invalidArgument("num_segments should be a scalar that is not negative");
  bool starts = in.rank() >= ids.rank() && ids.rank() > 0;
  for (int d = 0; starts && d < ids.rank(); ++d) starts = in.dim(d) == ids.dim(d);
  if (!starts) return invalidArgument("segment_ids shape must be a prefix of input shape: ", ids.shape().toString(), " and ", in.shape().toString());
  Shape shape{segments};
  shape.append(in.shape().slice(ids.rank()));
  WEFT_LET(Tensor* out, c.allocate(0, shape));
  const int64_t row = in.shape().slice(ids.rank()).elements();
  const std::string separator = c.node().attrs.text("separator");
  std::vector<bool> begun(row > 0 ? size_t(segments) : 0, false);  // rows without elements need no memory, even if there are very many
  for (int64_t i = 0; i < ids.elements(); ++i) {
    const int64_t id = ids.asInt(i);
    if (id < 0 || id >= segments) return invalidArgument("segment_ids are not allowed to exceed num_segments or to have negative values.");
    for (int64_t k = 0; k < row; ++k) {
      std::string& to = out->mutableData<std::string>()[id * row + k];
      if (begun[size_t(id)]) to += separator;
      to += in.data<std::string>()[i * row + k];
    }
    if (row > 0) begun[size_t(id)] = true;
  }
  return {};
}

// StringLength, Substr.

Status runLength(KernelContext& c) {
  const Tensor& in = c.input(0);
  const bool utf8 = c.node().attrs.text("unit") == "UTF8_CHAR";
  WEFT_LET(Tensor* out, c.allocate(0, in.shape()));
  for (int64_t i = 0; i < in.elements(); ++i) {
    const std::string& s = in.data<std::string>()[i];
    out->mutableData<int32_t>()[i] = int32_t(utf8 ? characters(s) : int64_t(s.size()));
  }
  return {};
}

Status substrShape(ShapeContext& c) {
  const Shape &pos = c.input(1), &len = c.input(2);
  if (pos.hasRank() && len.hasRank()) {
    bool same = pos.rank() == len.rank();
    for (int d = 0; same && d < pos.rank(); ++d) same = pos.dim(d) < 0 || len.dim(d) < 0 || pos.dim(d) == len.dim(d);
    if (!same) return invalidArgument("pos and len shapes must match: ", pos.toString(), " vs. ", len.toString());
  }
  if (!c.input(0).hasRank() || !pos.hasRank()) return {};
  WEFT_LET(Shape out, broadcastShapes(c.input(0), pos));
  c.setOutput(0, std::move(out));
  return {};
}

/// The bytes [begin, end) of `length` units from unit `pos` on; empty if `pos` is outside. Negative positions count from the end.
std::optional<std::pair<size_t, size_t>> substring(const std::string& s, int64_t pos, int64_t length, bool utf8) {
  const int64_t n = utf8 ? characters(s) : int64_t(s.size());
  if (pos > n || pos < -n) return std::nullopt;
  const int64_t begin = pos < 0 ? pos + n : pos, end = std::min(n, begin + std::max<int64_t>(length, 0));
  if (!utf8) return std::pair(size_t(begin), size_t(end));
  const auto byteOf = [&](int64_t unit) {
    size_t at = 0;
    for (int64_t seen = -1; at < s.size(); ++at) {
      if (startsCharacter(s[at]) && ++seen == unit) break;
    }
    return at;
  };
  return std::pair(byteOf(begin), byteOf(end));
}

Status runSubstr(KernelContext& c) {
  const Tensor &in = c.input(0), &pos = c.input(1), &len = c.input(2);
  const bool utf8 = c.node().attrs.text("unit") == "UTF8_CHAR";
  if (!(pos.shape() == len.shape()))
    return invalidArgument("pos and len should have the same shape, got: ", pos.shape().toString(), " vs. ", len.shape().toString());
  Shape shape;
  const Shape* shapes[2] = {&in.shape(), &pos.shape()};
  WEFT_TRY(cpu::planBroadcast(shapes, 2, shape).status());
  WEFT_LET(Tensor* out, c.allocate(0, shape));
  const auto indexIn = [&](const Shape& s, int64_t flat) {  // index in an operand for element `flat` of the result
    int64_t at = 0, stride = 1;
    for (int d = shape.rank() - 1, k = s.rank() - 1; d >= 0; --d, --k) {
      const int64_t i = flat % shape.dim(d);
      flat /= shape.dim(d);
      if (k < 0) continue;
      if (s.dim(k) != 1) at += i * stride;
      stride *= s.dim(k);
    }
    return at;
  };
  const bool sameTexts = in.elements() == out->elements(), onePosition = pos.elements() == 1, samePositions = pos.elements() == out->elements();
  const auto textAt = [&](int64_t i) { return sameTexts ? i : indexIn(in.shape(), i); };
  const auto positionAt = [&](int64_t i) { return onePosition ? 0 : samePositions ? i : indexIn(pos.shape(), i); };
  std::atomic<int64_t> bad{out->elements()};  // the first element that is out of range
  const std::string* x = in.data<std::string>();
  std::string* y = out->mutableData<std::string>();
  parallelFor(out->elements(), kTextGrain, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const int64_t p = positionAt(i);
      const std::string& s = x[textAt(i)];
      const auto range = substring(s, pos.asInt(p), len.asInt(p), utf8);
      if (!range) {
        for (int64_t least = bad; i < least && !bad.compare_exchange_weak(least, i);) {
        }
        return;
      }
      y[i].assign(s, range->first, range->second - range->first);
    }
  });
  if (const int64_t i = bad; i < out->elements()) {
    const int64_t k = textAt(i), p = positionAt(i);
    return utf8 || in.rank() == 0 ? invalidArgument("pos ", pos.asInt(p), " out of range for string at index ", k)
                                  : invalidArgument("pos ", pos.asInt(p), " out of range for string b'", x[k], "' at index ", k);
  }
  return {};
}

// StringLower, StringUpper, StringStrip.

template <bool upper>
Status runCase(KernelContext& c) {
  const std::string encoding = c.node().attrs.text("encoding");
  if (encoding.empty()) {
    return mapTexts(c, [](std::string s) {
      for (char& ch : s) {
        if (upper ? ch >= 'a' && ch <= 'z' : ch >= 'A' && ch <= 'Z') ch = char(ch ^ 0x20);
      }
      return s;
    });
  }
  if (encoding != "utf-8") return invalidArgument("only utf-8 or '' (no encoding) is supported, received ", encoding);
  return mapTexts(c, [](const std::string& s) {
    icu::UnicodeString text = icu::UnicodeString::fromUTF8(s.c_str());  // up to the first zero byte, as in TensorFlow
    upper ? text.toUpper() : text.toLower();
    std::string out;
    return text.toUTF8String(out);
  });
}
Status runStrip(KernelContext& c) {
  return mapTexts(c, [](const std::string& s) {
    size_t begin = 0, end = s.size();
    while (begin < end && isSpace(s[begin])) ++begin;
    while (end > begin && isSpace(s[end - 1])) --end;
    return s.substr(begin, end - begin);
  });
}

}  // namespace

void registerStrings(OpRegistry& ops) {
  addText(ops, "StringJoin", "Joins strings element-wise.")
      .input("inputs: N * string", "String tensors of the same shape, or scalars.")
      .output("output: string", "The joined strings.")
      .attr("N: int >= 1", "Number of inputs.")
      .attr("separator: string = ''", "Separator between the strings.")
      .shape(joinShape)
      .cpu({}, simpleKernel(runJoin));
  addText(ops, "ReduceJoin", "Joins strings along axes.")
      .input("inputs: string", "The strings.")
      .input("reduction_indices: int32", "Axes to join along, in this order; empty: nothing is joined.")
      .output("output: string", "The joined strings.")
      .attr("keep_dims: bool = false", "Keep reduced axes with length 1.")
      .attr("separator: string = ''", "Separator between the strings.")
      .shape(reduceJoinShape)
      .cpu({}, simpleKernel(runReduceJoin));
  addText(ops, "UnsortedSegmentJoin", "Joins the strings of each segment.")
      .input("inputs: string", "The strings.")
      .input("segment_ids: Tindices", "Segment id of each string; its shape is a prefix of the shape of `inputs`.")
      .input("num_segments: Tnumsegments", "Number of segments.")
      .output("output: string", "One row per segment.")
      .attr("separator: string = ''", "Separator between the strings.")
      .attr("Tindices: {int32, int64}")
      .attr("Tnumsegments: {int32, int64} = DT_INT32")
      .shape(segmentJoinShape)
      .cpu({}, simpleKernel(runSegmentJoin));
  addText(ops, "StringLength", "Length of each string.")
      .input("input: string", "Strings.")
      .output("output: int32", "Length in bytes or characters.")
      .attr("unit: {'BYTE', 'UTF8_CHAR'} = 'BYTE'", "Unit to count: bytes or UTF-8 characters.")
      .shape(shapes::unchanged)
      .cpu({}, simpleKernel(runLength));
  addText(ops, "Substr", "Extracts a substring of each string.")
      .input("input: string", "Strings.")
      .input("pos: T", "Start of the substring; negative values count from the end. Broadcast with the strings.")
      .input("len: T", "Maximum length of the substring, in the shape of `pos`.")
      .output("output: string", "The substrings.")
      .attr("T: {int32, int64}")
      .attr("unit: {'BYTE', 'UTF8_CHAR'} = 'BYTE'", "Unit to count: bytes or UTF-8 characters.")
      .shape(substrShape)
      .cpu({}, simpleKernel(runSubstr));
  for (const bool upper : {false, true}) {
    addText(ops, upper ? "StringUpper" : "StringLower", upper ? "Converts strings to upper case." : "Converts strings to lower case.")
        .input("input: string", "Strings.")
        .output("output: string", "The rewritten strings.")
        .attr("encoding: string = ''", "Empty: converts ASCII letters only; utf-8: all letters.")
        .shape(shapes::unchanged)
        .cpu({}, upper ? simpleKernel(runCase<true>) : simpleKernel(runCase<false>));
  }
  addText(ops, "StringStrip", "Strips whitespace from both ends of strings.")
      .input("input: string", "Strings.")
      .output("output: string", "The stripped strings.")
      .shape(shapes::unchanged)
      .cpu({}, simpleKernel(runStrip));
}

}  // namespace weft
