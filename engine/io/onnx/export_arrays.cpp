#include <algorithm>
#include <numeric>

#include "io/onnx/export_node.h"
#include "io/onnx/import_node.h"

// Shapes, and ops that rearrange, cut, join or extend tensors.

namespace weft::onnx_io {
namespace {

/// An int64 result in the type that TensorFlow gives.
std::string inType(ExportNode& n, const std::string& longs, int output = 0) {
  return n.outType(output) == DType::Int64 ? longs : n.cast(longs, n.outType(output));
}

Status reshapeOut(ExportNode& n) {
  const std::string x = n.in(0), shape = n.asLongs(1);
  // A size of 0 means 0 in TensorFlow.
  const bool mayBeEmpty = n.opset >= 14;
  n.give(n.emit("Reshape", {x, shape}, mayBeEmpty ? ExportNode::Attrs{intAttr("allowzero", 1)} : ExportNode::Attrs{}));
  if (const auto known = n.value(1); !mayBeEmpty && known)
    for (int64_t i = 0; i < known->elements(); ++i)
      if (known->asInt(i) == 0) return n.cannot("an empty shape needs operator set 14");
  return {};
}

Status squeezeOut(ExportNode& n) {
  const auto axes = n.node.attrs.integers("squeeze_dims");
  const std::string x = n.in(0);
  n.give(axes.empty() ? n.emit("Squeeze", {x}) : n.emit("Squeeze", {x, n.longs(axes)}));
  return {};
}

Status expandDims(ExportNode& n) {
  WEFT_LET(const auto axis, n.ints(1));
  const std::string x = n.in(0);
  n.give(n.emit("Unsqueeze", {x, n.longs(axis)}));
  return {};
}

Status concatOut(ExportNode& n) {
  const bool v2 = n.node.op == "ConcatV2";
  const int count = n.inputs() - 1, axisAt = v2 ? count : 0, from = v2 ? 0 : 1;
  WEFT_LET(const auto axis, n.ints(axisAt));
  const int rank = n.rank(from);
  bool allFirst = rank >= 3;
  for (int i = 0; i < count; ++i) allFirst = allFirst && n.isFirst(from + i);
  std::vector<std::string> parts;
  for (int i = 0; i < count; ++i) parts.push_back(allFirst ? n.first(from + i) : n.in(from + i));
  if (!allFirst) {
    n.give(n.emit("Concat", parts, {intAttr("axis", axis.at(0))}));
    return {};
  }
  const int64_t last = axisOf(axis.at(0), rank);
  if (last < 0) return n.cannot("its axis is outside of the rank");
  n.giveFirst(n.emit("Concat", parts, {intAttr("axis", last == rank - 1 ? 1 : last == 0 ? 0 : last + 1)}));
  return {};
}

Status giveAll(ExportNode& n, const std::vector<std::string>& names) {
  for (size_t k = 0; k < names.size(); ++k) n.give(names[k], int(k));
  return {};
}

Status splitOut(ExportNode& n) {
  const bool bySize = n.node.op == "SplitV";
  WEFT_LET(const auto axis, n.ints(bySize ? 2 : 0));
  const int outputs = int(n.node.outputTypes.size());
  ExportNode::Attrs attrs{intAttr("axis", axis.at(0))};
  if (bySize) {
    WEFT_LET(auto sizes, n.ints(1));
    if (const auto open = std::find(sizes.begin(), sizes.end(), -1); open != sizes.end()) {
      const Shape shape = n.shape(0);
      const int64_t at = shape.hasRank() ? axisOf(axis[0], shape.rank()) : -1;
      if (at < 0 || shape.dim(int(at)) < 0) return n.cannot("a size of -1 for an unknown dimension");
      *open = shape.dim(int(at)) - (std::accumulate(sizes.begin(), sizes.end(), int64_t(0)) + 1);
    }
    const std::string x = n.in(0);
    return giveAll(n, n.emitAll("Split", {x, n.longs(sizes)}, outputs, attrs));
  }
  if (n.opset >= 18) attrs.push_back(intAttr("num_outputs", outputs));
  return giveAll(n, n.emitAll("Split", {n.in(1)}, outputs, attrs));
}

Status packOut(ExportNode& n) {
  const int64_t axis = n.node.attrs.integer("axis");
  const std::string at = n.longs({axis});
  std::vector<std::string> parts;
  for (int i = 0; i < n.inputs(); ++i) {
    const std::string x = n.in(i);
    parts.push_back(n.emit("Unsqueeze", {x, at}));
  }
  n.give(n.emit("Concat", parts, {intAttr("axis", axis)}));
  return {};
}

Status unpackOut(ExportNode& n) {
  const int64_t axis = n.node.attrs.integer("axis");
  const int outputs = int(n.node.outputTypes.size());
  const std::string x = n.in(0), at = n.longs({axis});
  ExportNode::Attrs attrs{intAttr("axis", axis)};
  if (n.opset >= 18) attrs.push_back(intAttr("num_outputs", outputs));
  const auto parts = n.emitAll("Split", {x}, outputs, attrs);
  for (int k = 0; k < outputs; ++k) n.give(n.emit("Squeeze", {parts[size_t(k)], at}), k);
  return {};
}

Status transposeOut(ExportNode& n) {
  WEFT_LET(const auto perm, n.ints(1));
  if (n.isFirst(0) && perm == toChannelsFirst(n.rank(0))) {
    n.give(n.emit("Identity", {n.first(0)}));
    return {};
  }
  n.give(n.transpose(n.in(0), perm));
  return {};
}

Status tileOut(ExportNode& n) {
  const std::string x = n.in(0), times = n.asLongs(1);
  n.give(n.emit("Tile", {x, times}));
  return {};
}

/// [rank, 2] → the beginnings, then the ends.
Result<std::string> padsOf(ExportNode& n) {
  if (const auto known = n.value(1); known && known->rank() == 2 && isInteger(known->dtype())) {
    std::vector<int64_t> pads;
    for (const int side : {0, 1})
      for (int64_t d = 0; d < known->dim(0); ++d) pads.push_back(known->asInt(2 * d + side));
    return n.longs(pads);
  }
  return n.reshape(n.transpose(n.asLongs(1), {1, 0}), {-1});
}

Status padOut(ExportNode& n) {
  const std::string x = n.in(0);
  WEFT_LET(const std::string pads, padsOf(n));
  if (n.node.op == "MirrorPad") {
    if (n.node.attrs.text("mode") != "REFLECT") return n.cannot("ONNX has no symmetric padding");
    n.give(n.emit("Pad", {x, pads}, {textAttr("mode", "reflect")}));
  } else if (n.node.op == "PadV2") {
    n.give(n.emit("Pad", {x, pads, n.in(2)}));
  } else {
    n.give(n.emit("Pad", {x, pads}));
  }
  return {};
}

Status sliceOut(ExportNode& n) {
  const std::string x = n.in(0), begin = n.asLongs(1);
  const auto sizes = n.value(2), begins = n.value(1);
  std::string end;
  if (sizes && begins) {
    std::vector<int64_t> ends;
    for (int64_t i = 0; i < sizes->elements(); ++i) ends.push_back(sizes->asInt(i) < 0 ? INT64_MAX : begins->asInt(i) + sizes->asInt(i));
    end = n.longs(ends);
  } else {
    const std::string size = n.asLongs(2), zero = n.number(DType::Int64, 0), far = n.number(DType::Int64, 9e18);
    const std::string open = n.emit("Less", {size, zero}), sum = n.emit("Add", {begin, size});
    end = n.emit("Where", {open, far, sum});
  }
  n.give(n.emit("Slice", {x, begin, end}));
  return {};
}

/// Beginnings and ends may be computed where no mask speaks of their dimension.
Status stridedSliceOut(ExportNode& n) {
  const auto strides = n.value(3);
  const Shape count = n.shape(1);
  if (!strides || count.rank() != 1 || count.dim(0) < 0) return n.cannot("its strides are computed by the graph");
  const auto& attrs = n.node.attrs;
  const int64_t beginMask = attrs.integer("begin_mask"), endMask = attrs.integer("end_mask"), ellipsis = attrs.integer("ellipsis_mask"),
                newAxes = attrs.integer("new_axis_mask"), shrink = attrs.integer("shrink_axis_mask");
  const auto begins = n.value(1), ends = n.value(2);
  const int64_t spec = count.dim(0);
  std::vector<int64_t> from, to, step, axes, dropped, added;
  int64_t axis = 0, shown = 0;
  std::vector<int64_t> places;  // of the spec's parts that need the computed values
  for (int64_t i = 0; i < spec; ++i) {
    if ((ellipsis >> i) & 1) {
      if (n.rank(0) < 0) return n.cannot("an ellipsis, and the rank of its input is not known");
      int64_t after = 0;
      for (int64_t k = i + 1; k < spec; ++k) after += !((newAxes >> k) & 1);
      const int64_t skipped = n.rank(0) - axis - after;
      axis += skipped;
      shown += skipped;
      continue;
    }
    if ((newAxes >> i) & 1) {
      added.push_back(shown++);
      continue;
    }
    const int64_t by = strides->asInt(i);
    const bool single = (shrink >> i) & 1, openFrom = !single && ((beginMask >> i) & 1), openTo = !single && ((endMask >> i) & 1);
    if ((!openFrom && !begins) || (!openTo && !single && !ends)) {
      places.push_back(i);
    }
    const int64_t start = begins ? begins->asInt(i) : 0;
    axes.push_back(axis);
    step.push_back(single ? 1 : by);
    from.push_back(openFrom ? (by > 0 ? 0 : INT64_MAX) : start);
    to.push_back(single ? (start == -1 ? INT64_MAX : start + 1) : openTo ? (by > 0 ? INT64_MAX : INT64_MIN) : ends ? ends->asInt(i) : 0);
    if (single) dropped.push_back(axis);
    else ++shown;
    ++axis;
  }
  std::string x = n.in(0);
  if (!axes.empty()) {
    std::string fromName, toName;
    if (places.empty()) {
      fromName = n.longs(from);
      toName = n.longs(to);
    } else {
      // Only the plain form: every part of the spec is one dimension from the first on.
      if (ellipsis || newAxes || int64_t(axes.size()) != spec) return n.cannot("computed bounds together with an ellipsis or new axes");
      const std::string first = n.asLongs(1), past = n.asLongs(2);
      const auto mix = [&](const std::string& given, const std::vector<int64_t>& fixed, bool isEnd) {
        std::vector<std::string> parts;
        for (int64_t i = 0; i < spec; ++i) {
          const bool single = (shrink >> i) & 1, open = !single && (((isEnd ? endMask : beginMask) >> i) & 1);
          const bool known = isEnd && single ? bool(begins) : bool(isEnd ? ends : begins);
          if (open || known) {
            parts.push_back(n.longs({fixed[size_t(i)]}));
          } else if (isEnd && single) {
            // One after the beginning; the element before the end has no successor.
            const std::string at = n.emit("Slice", {first, n.longs({i}), n.longs({i + 1})}), next = n.emit("Add", {at, n.longs({1})});
            const std::string wraps = n.emit("Equal", {next, n.longs({0})});
            parts.push_back(n.emit("Where", {wraps, n.longs({INT64_MAX}), next}));
          } else {
            parts.push_back(n.emit("Slice", {given, n.longs({i}), n.longs({i + 1})}));
          }
        }
        return n.emit("Concat", parts, {intAttr("axis", 0)});
      };
      fromName = mix(first, from, false);
      toName = mix(past, to, true);
    }
    x = n.emit("Slice", {x, fromName, toName, n.longs(axes), n.longs(step)});
  }
  if (!dropped.empty()) x = n.emit("Squeeze", {x, n.longs(dropped)});
  if (!added.empty()) x = n.emit("Unsqueeze", {x, n.longs(added)});
  n.give(axes.empty() && added.empty() ? n.emit("Identity", {x}) : x);
  return {};
}

Status shapeOut(ExportNode& n) {
  n.give(inType(n, n.emit("Shape", {n.in(0)})));
  return {};
}

Status sizeOut(ExportNode& n) {
  n.give(inType(n, n.emit("Size", {n.in(0)})));
  return {};
}

Status rankOut(ExportNode& n) {
  const std::string count = n.emit("Size", {n.emit("Shape", {n.in(0)})});
  n.give(n.cast(count, n.outType()));
  return {};
}

Status fillOut(ExportNode& n) {
  const std::string shape = n.asLongs(0), value = n.in(1);
  n.give(n.emit("Expand", {value, shape}));
  return {};
}

Status broadcastTo(ExportNode& n) {
  const std::string x = n.in(0), shape = n.asLongs(1);
  n.give(n.emit("Expand", {x, shape}));
  return {};
}

Status rangeOut(ExportNode& n) {
  const std::string from = n.in(0), to = n.in(1), step = n.in(2);
  n.give(n.emit("Range", {from, to, step}));
  return {};
}

Status depthToSpaceOut(ExportNode& n) {
  if (n.node.attrs.text("data_format", "NHWC") != "NHWC") return n.cannot("a data_format other than NHWC");
  const bool back = n.node.op == "SpaceToDepth";
  n.giveFirst(n.emit(n.node.op, {n.first(0)},
                     back ? ExportNode::Attrs{intAttr("blocksize", n.node.attrs.integer("block_size"))}
                          : ExportNode::Attrs{intAttr("blocksize", n.node.attrs.integer("block_size")), textAttr("mode", "DCR")}));
  return {};
}

Status reverseOut(ExportNode& n) {
  WEFT_LET(const auto axes, n.ints(1));
  const std::string x = n.in(0);
  if (axes.empty()) {
    n.give(n.emit("Identity", {x}));
    return {};
  }
  const std::string from = n.longs(std::vector<int64_t>(axes.size(), -1)), to = n.longs(std::vector<int64_t>(axes.size(), INT64_MIN)),
                    by = n.longs(std::vector<int64_t>(axes.size(), -1));
  n.give(n.emit("Slice", {x, from, to, n.longs(axes), by}));
  return {};
}

Status reverseSequenceOut(ExportNode& n) {
  const std::string x = n.in(0), lengths = n.asLongs(1);
  const int64_t time = n.node.attrs.integer("seq_dim"), batch = n.node.attrs.integer("batch_dim");
  if (time + batch != 1) return n.cannot("sequences along other dimensions than the first two");
  n.give(n.emit("ReverseSequence", {x, lengths}, {intAttr("time_axis", time), intAttr("batch_axis", batch)}));
  return {};
}

}  // namespace

std::vector<ExportRule> arrayExports() {
  return {{"BroadcastTo", broadcastTo},
          {"Concat", concatOut},
          {"ConcatV2", concatOut},
          {"DepthToSpace", depthToSpaceOut},
          {"ExpandDims", expandDims},
          {"Fill", fillOut},
          {"MirrorPad", padOut},
          {"Pack", packOut},
          {"Pad", padOut},
          {"PadV2", padOut},
          {"Range", rangeOut},
          {"Rank", rankOut},
          {"Reshape", reshapeOut},
          {"ReverseSequence", reverseSequenceOut},
          {"ReverseV2", reverseOut},
          {"Shape", shapeOut},
          {"Size", sizeOut},
          {"Slice", sliceOut},
          {"SpaceToDepth", depthToSpaceOut},
          {"Split", splitOut},
          {"SplitV", splitOut},
          {"Squeeze", squeezeOut},
          {"StridedSlice", stridedSliceOut},
          {"Tile", tileOut},
          {"Transpose", transposeOut},
          {"Unpack", unpackOut}};
}

}  // namespace weft::onnx_io
