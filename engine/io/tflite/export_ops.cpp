#include <algorithm>

#include "io/tflite/export.h"

// Ops that move elements or compute with each of them.

namespace weft::tflite {
namespace {

struct PlainOp {
  const char* name;
  Op op;
  int int32Inputs = 0;  ///< A bit per input that TensorFlow Lite wants as int32: shapes, axes, begins.
  int version = 1;      ///< The first that interpreters have.
};

constexpr PlainOp kPlainOps[] = {
    {"Abs", Op::ABS},
    {"Neg", Op::NEG},
    {"Exp", Op::EXP},
    {"Log", Op::LOG},
    {"Sqrt", Op::SQRT},
    {"Rsqrt", Op::RSQRT},
    {"Square", Op::SQUARE},
    {"Sin", Op::SIN},
    {"Cos", Op::COS},
    {"Floor", Op::FLOOR},
    {"Ceil", Op::CEIL},
    {"Round", Op::ROUND},
    {"Sigmoid", Op::LOGISTIC},
    {"Tanh", Op::TANH},
    {"Relu", Op::RELU},
    {"Relu6", Op::RELU6},
    {"Elu", Op::ELU},
    {"LogSoftmax", Op::LOG_SOFTMAX},
    {"LogicalNot", Op::LOGICAL_NOT},
    {"LogicalAnd", Op::LOGICAL_AND},
    {"LogicalOr", Op::LOGICAL_OR},
    {"Pow", Op::POW},
    {"Maximum", Op::MAXIMUM},
    {"Minimum", Op::MINIMUM},
    {"SquaredDifference", Op::SQUARED_DIFFERENCE},
    {"FloorDiv", Op::FLOOR_DIV},
    {"FloorMod", Op::FLOOR_MOD},
    {"Equal", Op::EQUAL},
    {"NotEqual", Op::NOT_EQUAL},
    {"Less", Op::LESS},
    {"LessEqual", Op::LESS_EQUAL},
    {"Greater", Op::GREATER},
    {"GreaterEqual", Op::GREATER_EQUAL},
    {"AddN", Op::ADD_N},
    {"ExpandDims", Op::EXPAND_DIMS, 0b10},
    {"Transpose", Op::TRANSPOSE, 0b10},
    {"Slice", Op::SLICE, 0b110},
    {"GatherNd", Op::GATHER_ND},
    {"Tile", Op::TILE, 0b10},
    {"Fill", Op::FILL, 0b1},
    {"Range", Op::RANGE},
    {"ZerosLike", Op::ZEROS_LIKE},
    {"ReverseV2", Op::REVERSE_V2, 0b10},
    {"SpaceToBatchND", Op::SPACE_TO_BATCH_ND, 0b110},
    {"BatchToSpaceND", Op::BATCH_TO_SPACE_ND, 0b110},
    {"Where", Op::WHERE},
    {"ScatterNd", Op::SCATTER_ND},
    {"BroadcastTo", Op::BROADCAST_TO, 0b10, 2},
    {"Pad", Op::PAD, 0b10},
    {"PadV2", Op::PADV2, 0b10},
    {"Select", Op::SELECT},
    {"SelectV2", Op::SELECT_V2},
    {"Rank", Op::RANK},
    {"TopKV2", Op::TOPK_V2, 0b10},
    {"Cast", Op::CAST},
};

Result<std::vector<int>> inputTensors(Exporter& e, const Node& n, int int32Inputs = 0) {
  std::vector<int> out;
  for (size_t i = 0; i < n.inputs.size(); ++i) {
    WEFT_LET(const int t, (int32Inputs >> i) & 1 ? e.int32Tensor(n, int(i)) : e.tensorOf(n.inputs[i]));
    out.push_back(t);
  }
  return out;
}

Result<std::vector<int>> outputTensors(Exporter& e, const Node& n) {
  std::vector<int> out;
  for (int i = 0; i < int(n.outputTypes.size()); ++i) {
    WEFT_LET(const int t, e.define({n.id, i}));
    out.push_back(t);
  }
  return out;
}

Status writePlain(Exporter& e, const Node& n) {
  for (const PlainOp& plain : kPlainOps) {
    if (n.op != plain.name) continue;
    WEFT_LET(const auto in, inputTensors(e, n, plain.int32Inputs));
    WEFT_LET(const auto out, outputTensors(e, n));
    e.add(plain.op, in, out, plain.version);
    return {};
  }
  return noCounterpart(n);
}

template <Op kOp, typename Create>
Status writeArithmetic(Exporter& e, const Node& n, Create create) {
  WEFT_LET(const auto in, inputTensors(e, n));
  const Tail tail = e.tailOf({n.id, 0}, 0, false);
  WEFT_LET(const int y, e.define(tail.end));
  e.add(kOp, in, {y}, create(e.fbb(), tail.activation));
  return {};
}

Status writeAdd(Exporter& e, const Node& n) {
  if (n.attrs.text("data_format", "NHWC") != "NHWC") return noCounterpart(n, "data_format " + n.attrs.text("data_format"));
  return writeArithmetic<Op::ADD>(e, n, [](auto& f, auto a) { return tfl::CreateAddOptions(f, a); });
}
Status writeSub(Exporter& e, const Node& n) {
  return writeArithmetic<Op::SUB>(e, n, [](auto& f, auto a) { return tfl::CreateSubOptions(f, a); });
}
Status writeMul(Exporter& e, const Node& n) {
  return writeArithmetic<Op::MUL>(e, n, [](auto& f, auto a) { return tfl::CreateMulOptions(f, a); });
}
Status writeDiv(Exporter& e, const Node& n) {
  return writeArithmetic<Op::DIV>(e, n, [](auto& f, auto a) { return tfl::CreateDivOptions(f, a); });
}

Op reductionOf(std::string_view op) {
  return op == "Mean"   ? Op::MEAN
         : op == "Sum"  ? Op::SUM
         : op == "Prod" ? Op::REDUCE_PROD
         : op == "Max"  ? Op::REDUCE_MAX
         : op == "Min"  ? Op::REDUCE_MIN
                        : Op::REDUCE_ANY;
}

Status writeReduction(Exporter& e, const Node& n) {
  WEFT_LET(const auto in, inputTensors(e, n, 0b10));
  WEFT_LET(const int y, e.define({n.id, 0}));
  e.add(reductionOf(n.op), in, {y}, tfl::CreateReducerOptions(e.fbb(), n.attrs.flag("keep_dims")));
  return {};
}

Status writeReshape(Exporter& e, const Node& n) {
  WEFT_LET(const int x, e.tensorOf(n.inputs[0]));
  if (const auto dims = e.statedShape(n)) {
    WEFT_LET(const int shape, e.constantTensor(Tensor::vector(*dims), n.name + "/shape"));
    WEFT_LET(const int y, e.define({n.id, 0}));
    e.add(Op::RESHAPE, {x, shape}, {y}, tfl::CreateReshapeOptionsDirect(e.fbb(), &*dims));
    return {};
  }
  WEFT_LET(const int shape, e.int32Tensor(n, 1));
  WEFT_LET(const int y, e.define({n.id, 0}));
  e.add(Op::RESHAPE, {x, shape}, {y});
  return {};
}

Status writeSqueeze(Exporter& e, const Node& n) {
  const auto dims = n.attrs.integers("squeeze_dims");
  const std::vector<int32_t> narrow(dims.begin(), dims.end());
  WEFT_LET(const auto in, inputTensors(e, n));
  WEFT_LET(const int y, e.define({n.id, 0}));
  e.add(Op::SQUEEZE, in, {y}, tfl::CreateSqueezeOptionsDirect(e.fbb(), &narrow));
  return {};
}

/// ConcatV2 has the axis last, Concat first.
Status writeConcat(Exporter& e, const Node& n) {
  const bool last = n.op == "ConcatV2";
  const int axisInput = last ? int(n.inputs.size()) - 1 : 0;
  WEFT_LET(const auto axis, e.integers(n, axisInput));
  if (axis.size() != 1) return noCounterpart(n, "several axes");
  std::vector<int> parts;
  for (int i = 0; i < int(n.inputs.size()); ++i) {
    if (i == axisInput) continue;
    WEFT_LET(const int t, e.tensorOf(n.inputs[size_t(i)]));
    parts.push_back(t);
  }
  WEFT_LET(const int y, e.define({n.id, 0}));
  e.add(Op::CONCATENATION, parts, {y}, tfl::CreateConcatenationOptions(e.fbb(), int(axis[0])));
  return {};
}

Status writePack(Exporter& e, const Node& n) {
  WEFT_LET(const auto in, inputTensors(e, n));
  WEFT_LET(const int y, e.define({n.id, 0}));
  e.add(Op::PACK, in, {y}, tfl::CreatePackOptions(e.fbb(), int(in.size()), int(n.attrs.integer("axis"))));
  return {};
}

Status writeUnpack(Exporter& e, const Node& n) {
  WEFT_LET(const auto in, inputTensors(e, n));
  WEFT_LET(const auto out, outputTensors(e, n));
  e.add(Op::UNPACK, in, out, tfl::CreateUnpackOptions(e.fbb(), int(out.size()), int(n.attrs.integer("axis"))));
  return {};
}

Status writeSplit(Exporter& e, const Node& n) {
  WEFT_LET(const auto in, inputTensors(e, n, n.op == "Split" ? 0b1 : 0b110));
  WEFT_LET(const auto out, outputTensors(e, n));
  if (n.op == "Split") e.add(Op::SPLIT, in, out, tfl::CreateSplitOptions(e.fbb(), int(out.size())));
  else e.add(Op::SPLIT_V, in, out, tfl::CreateSplitVOptions(e.fbb(), int(out.size())));
  return {};
}

/// TensorFlow Lite reads a begin, end and stride for every dimension; TensorFlow takes the dimensions after the last as whole.
Status writeStridedSlice(Exporter& e, const Node& n) {
  const auto mask = [&](const char* name) { return int(n.attrs.integer(name)); };
  if (mask("ellipsis_mask") || mask("new_axis_mask")) return noCounterpart(n, "an ellipsis or new axis in a slice");
  const int rank = e.graph().shape(n.inputs[0]).rank();
  const Shape& given = e.graph().shape(n.inputs[1]);
  if (rank < 0 || given.rank() != 1 || given.dim(0) < 0) return noCounterpart(n, "a slice of unknown rank");
  WEFT_LET(auto in, inputTensors(e, n, 0b1110));
  int beginMask = mask("begin_mask"), endMask = mask("end_mask");
  if (given.dim(0) < rank) {
    for (int i = 1; i < 4; ++i) {
      WEFT_LET(auto values, e.integers(n, i));
      values.resize(size_t(rank), i == 3 ? 1 : 0);
      WEFT_LET(in[size_t(i)], e.constantTensor(Tensor::vector(std::vector<int32_t>(values.begin(), values.end())), n.name + "/slice"));
    }
    for (int d = int(given.dim(0)); d < rank; ++d) {
      beginMask |= 1 << d;
      endMask |= 1 << d;
    }
  }
  WEFT_LET(const int y, e.define({n.id, 0}));
  e.add(Op::STRIDED_SLICE, in, {y}, tfl::CreateStridedSliceOptions(e.fbb(), beginMask, endMask, 0, 0, mask("shrink_axis_mask")));
  return {};
}

Status writeGather(Exporter& e, const Node& n) {
  int axis = 0;
  if (n.inputs.size() > 2) {
    WEFT_LET(const auto given, e.integers(n, 2));
    if (given.size() == 1) axis = int(given[0]);
  }
  if (n.attrs.integer("batch_dims") != 0) return noCounterpart(n, "batch_dims");
  WEFT_LET(const int x, e.tensorOf(n.inputs[0]));
  WEFT_LET(const int indices, e.tensorOf(n.inputs[1]));
  WEFT_LET(const int y, e.define({n.id, 0}));
  e.add(Op::GATHER, {x, indices}, {y}, tfl::CreateGatherOptions(e.fbb(), axis));
  return {};
}

Status writeMirrorPad(Exporter& e, const Node& n) {
  const auto mode = n.attrs.text("mode") == "REFLECT" ? tfl::MirrorPadMode::REFLECT : tfl::MirrorPadMode::SYMMETRIC;
  WEFT_LET(const auto in, inputTensors(e, n, 0b10));
  WEFT_LET(const int y, e.define({n.id, 0}));
  e.add(Op::MIRROR_PAD, in, {y}, tfl::CreateMirrorPadOptions(e.fbb(), mode));
  return {};
}

Status writeOneHot(Exporter& e, const Node& n) {
  WEFT_LET(const auto in, inputTensors(e, n, 0b10));
  WEFT_LET(const int y, e.define({n.id, 0}));
  e.add(Op::ONE_HOT, in, {y}, tfl::CreateOneHotOptions(e.fbb(), int(n.attrs.integer("axis", -1))));
  return {};
}

Status writeShape(Exporter& e, const Node& n) {
  WEFT_LET(const auto in, inputTensors(e, n));
  WEFT_LET(const int y, e.define({n.id, 0}));
  WEFT_LET(const tfl::TensorType type, typeOf(n.attrs.type("out_type", DType::Int32)));
  e.add(Op::SHAPE, in, {y}, tfl::CreateShapeOptions(e.fbb(), type));
  return {};
}

Status writeBlocks(Exporter& e, const Node& n) {
  if (n.attrs.text("data_format", "NHWC") != "NHWC") return noCounterpart(n, "data_format " + n.attrs.text("data_format"));
  const int block = int(n.attrs.integer("block_size"));
  WEFT_LET(const auto in, inputTensors(e, n));
  WEFT_LET(const int y, e.define({n.id, 0}));
  if (n.op == "SpaceToDepth") e.add(Op::SPACE_TO_DEPTH, in, {y}, tfl::CreateSpaceToDepthOptions(e.fbb(), block));
  else e.add(Op::DEPTH_TO_SPACE, in, {y}, tfl::CreateDepthToSpaceOptions(e.fbb(), block));
  return {};
}

Status writeArgExtreme(Exporter& e, const Node& n) {
  WEFT_LET(const auto in, inputTensors(e, n, 0b10));
  WEFT_LET(const int y, e.define({n.id, 0}));
  WEFT_LET(const tfl::TensorType type, typeOf(n.attrs.type("output_type", DType::Int64)));
  if (n.op == "ArgMax") e.add(Op::ARG_MAX, in, {y}, tfl::CreateArgMaxOptions(e.fbb(), type));
  else e.add(Op::ARG_MIN, in, {y}, tfl::CreateArgMinOptions(e.fbb(), type));
  return {};
}

Status writeLeakyRelu(Exporter& e, const Node& n) {
  WEFT_LET(const auto in, inputTensors(e, n));
  WEFT_LET(const int y, e.define({n.id, 0}));
  e.add(Op::LEAKY_RELU, in, {y}, tfl::CreateLeakyReluOptions(e.fbb(), n.attrs.number("alpha", 0.2f)));
  return {};
}

Status writeCumsum(Exporter& e, const Node& n) {
  WEFT_LET(const auto in, inputTensors(e, n, 0b10));
  WEFT_LET(const int y, e.define({n.id, 0}));
  e.add(Op::CUMSUM, in, {y}, tfl::CreateCumsumOptions(e.fbb(), n.attrs.flag("exclusive"), n.attrs.flag("reverse")));
  return {};
}

Status writeFakeQuant(Exporter& e, const Node& n) {
  WEFT_LET(const auto in, inputTensors(e, n));
  WEFT_LET(const int y, e.define({n.id, 0}));
  e.add(Op::FAKE_QUANT, in, {y},
        tfl::CreateFakeQuantOptions(e.fbb(), n.attrs.number("min", -6), n.attrs.number("max", 6), int(n.attrs.integer("num_bits", 8)),
                                    n.attrs.flag("narrow_range")));
  return {};
}

constexpr NodeRule kOtherOps[] = {
    {"Add", writeAdd},
    {"AddV2", writeAdd},
    {"BiasAdd", writeAdd},
    {"Sub", writeSub},
    {"Mul", writeMul},
    {"RealDiv", writeDiv},
    {"Mean", writeReduction},
    {"Sum", writeReduction},
    {"Prod", writeReduction},
    {"Max", writeReduction},
    {"Min", writeReduction},
    {"Any", writeReduction},
    {"Reshape", writeReshape},
    {"Squeeze", writeSqueeze},
    {"Concat", writeConcat},
    {"ConcatV2", writeConcat},
    {"Pack", writePack},
    {"Unpack", writeUnpack},
    {"Split", writeSplit},
    {"SplitV", writeSplit},
    {"StridedSlice", writeStridedSlice},
    {"Gather", writeGather},
    {"GatherV2", writeGather},
    {"MirrorPad", writeMirrorPad},
    {"OneHot", writeOneHot},
    {"Shape", writeShape},
    {"SpaceToDepth", writeBlocks},
    {"DepthToSpace", writeBlocks},
    {"ArgMax", writeArgExtreme},
    {"ArgMin", writeArgExtreme},
    {"LeakyRelu", writeLeakyRelu},
    {"Cumsum", writeCumsum},
    {"FakeQuantWithMinMaxArgs", writeFakeQuant},
};

}  // namespace

std::span<const NodeRule> opWriters() {
  static const std::vector<NodeRule> all = [] {
    std::vector<NodeRule> rules(std::begin(kOtherOps), std::end(kOtherOps));
    for (const PlainOp& plain : kPlainOps) rules.push_back({plain.name, writePlain});
    return rules;
  }();
  return all;
}

}  // namespace weft::tflite
