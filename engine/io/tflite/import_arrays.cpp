#include <algorithm>

#include "io/tflite/import.h"

// Operators that move, select or make elements.

namespace weft::tflite {
namespace {

std::vector<Output> outputsOf(OperatorImport& op, int node) { return node < 0 ? std::vector<Output>{} : op.b().outputsOf(node); }

/// The operator's inputs, in order, as those of one op without attributes.
template <const char* kName>
std::vector<Output> arraySame(OperatorImport& op) {
  return {op.b().op(kName, op.inputs())};
}
constexpr char kExpandDims[] = "ExpandDims", kTranspose[] = "Transpose", kSlice[] = "Slice", kGatherNd[] = "GatherNd", kTile[] = "Tile", kFill[] = "Fill",
               kRange[] = "Range", kZerosLike[] = "ZerosLike", kReverse[] = "ReverseV2", kSpaceToBatch[] = "SpaceToBatchND", kBatchToSpace[] = "BatchToSpaceND",
               kWhere[] = "Where", kScatterNd[] = "ScatterNd", kBroadcastTo[] = "BroadcastTo", kMatrixDiag[] = "MatrixDiag", kMatrixSetDiag[] = "MatrixSetDiag",
               kSparseToDense[] = "SparseToDense", kSegmentSum[] = "SegmentSum", kPad[] = "Pad", kPadV2[] = "PadV2", kSelect[] = "Select",
               kSelectV2[] = "SelectV2", kRank[] = "Rank";

std::vector<Output> reshape(OperatorImport& op) {
  Output shape;
  const auto* stated = op.options<tfl::ReshapeOptions>().new_shape();
  if (op.has(1)) shape = op.in(1);
  else if (stated) shape = op.b().ints({stated->begin(), stated->end()}, "shape");
  else if (const tfl::Tensor* out = op.outputTensor(0)) {
    const Shape known = shapeOf(*out, true);
    shape = op.b().ints({known.dims().begin(), known.dims().end()}, "shape");
  }
  return {op.b().op("Reshape", {op.in(0), shape})};
}

std::vector<Output> squeeze(OperatorImport& op) {
  std::vector<int64_t> dims;
  if (const auto* d = op.options<tfl::SqueezeOptions>().squeeze_dims()) dims.assign(d->begin(), d->end());
  return {op.b().op("Squeeze", {op.in(0)}, {{"squeeze_dims", dims}})};
}

std::vector<Output> concatenation(OperatorImport& op) {
  const auto& o = op.options<tfl::ConcatenationOptions>();
  const std::vector<Output> parts = op.inputs();
  const Output y = parts.size() == 1 ? op.b().identity(parts[0]) : op.b().op("ConcatV2", Inputs().add(parts).add(op.b().scalar(int32_t(o.axis()), "axis")));
  return {op.activated(y, o.activation())};
}

std::vector<Output> split(OperatorImport& op) {
  return outputsOf(op, op.b().node("Split", {op.in(0), op.in(1)}, {{"num_split", std::max(op.options<tfl::SplitOptions>().num_splits(), op.outputCount())}}));
}

std::vector<Output> splitV(OperatorImport& op) {
  return outputsOf(op, op.b().node("SplitV", {op.in(0), op.in(1), op.in(2)}, {{"num_split", op.outputCount()}}));
}

std::vector<Output> pack(OperatorImport& op) { return {op.b().op("Pack", op.inputs(), {{"axis", op.options<tfl::PackOptions>().axis()}})}; }

std::vector<Output> unpack(OperatorImport& op) {
  return outputsOf(op, op.b().node("Unpack", {op.in(0)}, {{"num", op.outputCount()}, {"axis", op.options<tfl::UnpackOptions>().axis()}}));
}

std::vector<Output> stridedSlice(OperatorImport& op) {
  const auto& o = op.options<tfl::StridedSliceOptions>();
  if (o.offset()) return op.unsupported("ends that count from the begin");
  return {op.b().op("StridedSlice", {op.in(0), op.in(1), op.in(2), op.in(3)},
                    {{"begin_mask", o.begin_mask()},
                     {"end_mask", o.end_mask()},
                     {"ellipsis_mask", o.ellipsis_mask()},
                     {"new_axis_mask", o.new_axis_mask()},
                     {"shrink_axis_mask", o.shrink_axis_mask()}})};
}

std::vector<Output> gather(OperatorImport& op) {
  const auto& o = op.options<tfl::GatherOptions>();
  return {op.b().op("GatherV2", {op.in(0), op.in(1), op.b().scalar(int32_t(o.axis()), "axis")}, {{"batch_dims", o.batch_dims()}})};
}

std::vector<Output> mirrorPad(OperatorImport& op) {
  const bool reflects = op.options<tfl::MirrorPadOptions>().mode() == tfl::MirrorPadMode::REFLECT;
  return {op.b().op("MirrorPad", {op.in(0), op.in(1)}, {{"mode", reflects ? "REFLECT" : "SYMMETRIC"}})};
}

std::vector<Output> oneHot(OperatorImport& op) { return {op.b().op("OneHot", op.inputs(), {{"axis", op.options<tfl::OneHotOptions>().axis()}})}; }

std::vector<Output> shapeOfInput(OperatorImport& op) { return {op.b().op("Shape", {op.in(0)}, {{"out_type", op.outputType(0)}})}; }

std::vector<Output> reverseSequence(OperatorImport& op) {
  const auto& o = op.options<tfl::ReverseSequenceOptions>();
  return {op.b().op("ReverseSequence", {op.in(0), op.in(1)}, {{"seq_dim", o.seq_dim()}, {"batch_dim", o.batch_dim()}})};
}

std::vector<Output> spaceToDepth(OperatorImport& op) {
  return {op.b().op("SpaceToDepth", {op.in(0)}, {{"block_size", op.options<tfl::SpaceToDepthOptions>().block_size()}})};
}
std::vector<Output> depthToSpace(OperatorImport& op) {
  return {op.b().op("DepthToSpace", {op.in(0)}, {{"block_size", op.options<tfl::DepthToSpaceOptions>().block_size()}})};
}

std::vector<Output> unique(OperatorImport& op) {
  const DType index = dtypeOf(op.options<tfl::UniqueOptions>().idx_out_type());
  return outputsOf(op, op.b().node("Unique", {op.in(0)}, {{"out_idx", index}}));
}

std::vector<Output> topK(OperatorImport& op) { return outputsOf(op, op.b().node("TopKV2", {op.in(0), op.in(1)})); }

std::vector<Output> cumsum(OperatorImport& op) {
  const auto& o = op.options<tfl::CumsumOptions>();
  return {op.b().op("Cumsum", {op.in(0), op.in(1)}, {{"exclusive", o.exclusive()}, {"reverse", o.reverse()}})};
}

std::vector<Output> castTo(OperatorImport& op) {
  const tfl::Tensor* to = op.outputTensor(0);
  if (!to) return {op.in(0)};
  // Casts see the integers themselves, not what they stand for.
  if (op.isQuantized(0) || op.outputType(0) != dtypeOf(to->type())) return op.unsupported("a cast of a quantised tensor");
  return {op.b().cast(op.in(0), op.outputType(0))};
}

/// float16 weights, or a quantised tensor that already is the numbers that it stands for.
std::vector<Output> dequantize(OperatorImport& op) {
  const Output x = op.formed(
      0, "float32",
      [](const Tensor& t) {
        if (t.dtype() == DType::Float) return t;
        Tensor out = Tensor::zeros(DType::Float, t.shape());
        for (int64_t i = 0; i < t.elements(); ++i) out.mutableData<float>()[i] = float(t.asDouble(i));
        return out;
      },
      [&](Output in) { return op.realNumbers(in, 0); });
  return {x};
}

std::vector<Output> quantize(OperatorImport& op) {
  const Output x = op.in(0);
  // 32-bit integers are not kept as real numbers.
  const Output real = op.realNumbers(x, 0);
  return {op.outputType(0) == DType::Int32 ? op.integersOf(real, 0) : real};
}

/// The operand with the update at a place, which is moved so that the update fits.
std::vector<Output> dynamicUpdateSlice(OperatorImport& op) {
  GraphBuilder& b = op.b();
  const Output operand = op.in(0), update = op.in(1), zero = b.number(DType::Int32, 0);
  const Output place = b.cast(op.in(2), DType::Int32);
  const Output room = b.op("Sub", {b.op("Shape", {operand}), b.op("Shape", {update})}, {}, "room");
  const Output before = b.op("Maximum", {b.op("Minimum", {place, room}), zero}, {}, "before");
  const Output sides = b.op("Pack", Inputs(std::vector<Output>{before, b.op("Sub", {room, before}, {}, "after")}), {{"axis", 1}}, "sides");
  const Output everywhere = b.op("Fill", {b.op("Shape", {update}), b.number(DType::Float, 1)});
  const Output chosen = b.op("Greater", {b.op("Pad", {everywhere, sides}), b.number(DType::Float, 0)}, {}, "updated");
  return {b.op("Select", {chosen, b.op("Pad", {update, sides}), operand})};
}

std::vector<Output> fakeQuant(OperatorImport& op) {
  const auto& o = op.options<tfl::FakeQuantOptions>();
  return {op.b().op("FakeQuantWithMinMaxArgs", {op.in(0)},
                    {{"min", o.min()}, {"max", o.max()}, {"num_bits", o.num_bits() ? o.num_bits() : 8}, {"narrow_range", o.narrow_range()}})};
}

constexpr OperatorRule kArrays[] = {
    {Op::RESHAPE, reshape, true},
    {Op::SQUEEZE, squeeze, true},
    {Op::EXPAND_DIMS, arraySame<kExpandDims>, true},
    {Op::TRANSPOSE, arraySame<kTranspose>, true},
    {Op::CONCATENATION, concatenation, true},
    {Op::SPLIT, split, true},
    {Op::SPLIT_V, splitV, true},
    {Op::PACK, pack, true},
    {Op::UNPACK, unpack, true},
    {Op::SLICE, arraySame<kSlice>, true},
    {Op::STRIDED_SLICE, stridedSlice, true},
    {Op::GATHER, gather, true},
    {Op::GATHER_ND, arraySame<kGatherNd>, true},
    {Op::PAD, arraySame<kPad>, true},
    {Op::PADV2, arraySame<kPadV2>, true},
    {Op::MIRROR_PAD, mirrorPad, true},
    {Op::TILE, arraySame<kTile>, true},
    {Op::FILL, arraySame<kFill>, true},
    {Op::RANGE, arraySame<kRange>},
    {Op::SHAPE, shapeOfInput},
    {Op::RANK, arraySame<kRank>},
    {Op::ZEROS_LIKE, arraySame<kZerosLike>},
    {Op::ONE_HOT, oneHot},
    {Op::REVERSE_V2, arraySame<kReverse>, true},
    {Op::REVERSE_SEQUENCE, reverseSequence, true},
    {Op::SPACE_TO_BATCH_ND, arraySame<kSpaceToBatch>, true},
    {Op::BATCH_TO_SPACE_ND, arraySame<kBatchToSpace>, true},
    {Op::SPACE_TO_DEPTH, spaceToDepth, true},
    {Op::DEPTH_TO_SPACE, depthToSpace, true},
    {Op::WHERE, arraySame<kWhere>},
    {Op::UNIQUE, unique, true},
    {Op::SCATTER_ND, arraySame<kScatterNd>, true},
    {Op::BROADCAST_TO, arraySame<kBroadcastTo>, true},
    {Op::MATRIX_DIAG, arraySame<kMatrixDiag>, true},
    {Op::MATRIX_SET_DIAG, arraySame<kMatrixSetDiag>, true},
    {Op::SPARSE_TO_DENSE, arraySame<kSparseToDense>},
    {Op::SEGMENT_SUM, arraySame<kSegmentSum>},
    {Op::SELECT, arraySame<kSelect>, true},
    {Op::SELECT_V2, arraySame<kSelectV2>, true},
    {Op::TOPK_V2, topK, true},
    {Op::CUMSUM, cumsum},
    {Op::CAST, castTo},
    {Op::DEQUANTIZE, dequantize},
    {Op::QUANTIZE, quantize},
    {Op::FAKE_QUANT, fakeQuant},
    {Op::DYNAMIC_UPDATE_SLICE, dynamicUpdateSlice, true},
};

}  // namespace

std::span<const OperatorRule> arrayRules() { return kArrays; }

}  // namespace weft::tflite
