#include <algorithm>
#include <limits>

#include "device/cpu/dtypes.h"
#include "device/cpu/move.h"
#include "device/moves.h"
#include "kernel/device.h"
#include "ops/blocks.h"
#include "ops/grad_ops.h"
#include "ops/registry.h"
#include "tensor/element_types.h"

// Rearranges blocks of space into the batch or the channels, and back: SpaceToBatchND, BatchToSpaceND, SpaceToDepth, DepthToSpace.
namespace weft {
namespace {

using Grads = Result<std::vector<Output>>;

/// Reads the values of block_shape (or the attribute block_size for two dimensions) and of paddings or crops. `what`: "paddings", "crops".
Result<Blocks> readBlocks(const Tensor* shape, int64_t blockSize, const Tensor& ends, const char* what) {
  Blocks b;
  int64_t product = 1;
  const int64_t n = shape ? shape->elements() : 2;
  if (ends.rank() != 2 || ends.dim(0) != n || ends.dim(1) != 2)
    return invalidArgument(what, " should have shape [", n, ", 2] instead of ", ends.shape().toString());
  for (int64_t i = 0; i < n; ++i) {
    b.size.push_back(shape ? shape->asInt(i) : blockSize);
    b.before.push_back(ends.asInt(2 * i));
    b.after.push_back(ends.asInt(2 * i + 1));
    if (b.size.back() <= 0) return invalidArgument("block_shape must be positive");
    if (__builtin_mul_overflow(product, b.size.back(), &product)) return invalidArgument("block_shape is too large: the product of its sizes is over 2^63");
    if (b.before.back() < 0 || b.after.back() < 0) return invalidArgument(what, " cannot be negative");
  }
  return b;
}

/// Infers partial shapes; the length of block_shape gives the number of blocked dimensions.
Status blockedShape(ShapeContext& c, bool toBatch) {
  const bool nd = c.inputCount() == 3;
  const int endsInput = nd ? 2 : 1;
  int64_t n = 2;
  if (nd) {
    const Shape& s = c.input(1);
    if (!s.hasRank() || s.rank() != 1) return invalidArgument("block_shape must have rank 1.");
    n = s.dim(0);
    if (n < 0) return invalidArgument("block_shape must have known size.");
  } else {
    WEFT_TRY(c.requireRank(c.input(0), 4));
  }
  const Shape& in = c.input(0);
  WEFT_TRY(c.requireRankAtLeast(in, int(n) + 1));
  WEFT_TRY(c.merge(c.input(endsInput), Shape{n, 2}).status());
  const Tensor* sizes = nd ? c.constant(1) : nullptr;
  const Tensor* ends = c.constant(endsInput);
  if (!in.hasRank()) {
    if (!nd) c.setOutput(0, Shape::unknownOfRank(4));
    return {};
  }
  Shape out = in;
  const bool sizesKnown = !nd || sizes;
  if (sizesKnown && ends) {
    WEFT_LET(const Blocks b, readBlocks(sizes, c.attrs().integer("block_size"), *ends, toBatch ? "paddings" : "crops"));
    if (!toBatch && in.dim(0) >= 0 && in.dim(0) % b.product() != 0)
      return invalidArgument("Dimension size must be evenly divisible by ", b.product(), " but is ", in.dim(0));
    if (in.dim(0) >= 0) out.setDim(0, toBatch ? in.dim(0) * b.product() : in.dim(0) / b.product());
    for (int d = 0; d < int(n); ++d) {
      const int64_t size = in.dim(d + 1);
      if (size < 0) continue;
      const size_t i = size_t(d);
      if (toBatch) {
        int64_t padded = 0;
        if (__builtin_add_overflow(b.before[i], b.after[i], &padded) || __builtin_add_overflow(padded, size, &padded))
          return invalidArgument("Paddings of ", b.before[i], " and ", b.after[i], " around ", size, " are more than 2^63");
        if (padded % b.size[i] != 0) return invalidArgument("Dimension size must be evenly divisible by ", b.size[i], " but is ", padded);
        out.setDim(d + 1, padded / b.size[i]);
      } else {
        const int64_t whole = size * b.size[i];
        if (b.before[i] > whole) return invalidArgument("Negative dimension size caused by subtracting ", b.before[i], " from ", whole);
        if (b.after[i] > whole - b.before[i])
          return invalidArgument("Negative dimension size caused by subtracting ", b.after[i], " from ", whole - b.before[i]);
        out.setDim(d + 1, whole - b.before[i] - b.after[i]);
      }
    }
  } else {
    if (!nd && !toBatch && in.dim(0) >= 0) {
      const int64_t block = c.attrs().integer("block_size"), product = block * block;
      if (in.dim(0) % product != 0) return invalidArgument("Dimension size must be evenly divisible by ", product, " but is ", in.dim(0));
    }
    for (int d = 0; d <= int(n); ++d) out.setDim(d, Shape::kUnknownDim);
    // The batch size depends on the blocks only.
    int64_t product = sizesKnown ? 1 : -1;
    for (int d = 0; d < int(n) && product > 0; ++d) {
      const int64_t size = sizes ? sizes->asInt(d) : c.attrs().integer("block_size");
      product = size > 0 && size < (int64_t(1) << 31) && product < (int64_t(1) << 31) ? product * size : -1;
    }
    if (product > 0 && in.dim(0) >= 0 && in.dim(0) < (int64_t(1) << 31) && (toBatch ? product < (int64_t(1) << 31) : in.dim(0) % product == 0)) {
      out.setDim(0, toBatch ? in.dim(0) * product : in.dim(0) / product);
    }
  }
  c.setOutput(0, std::move(out));
  return {};
}

/// Copies every element from space (padded by `b.before`) to batch, or back if `toBatch` is false.
template <typename S>
void moveBlocks(const S* in, S* out, const Shape& space, const Shape& batch, const Blocks& b, bool toBatch) {
  const int n = int(b.size.size());
  const int64_t inner = space.slice(n + 1).elements(), batches = space.dim(0);
  const int64_t cells = batch.slice(1, n + 1).elements(), groups = b.product();
  std::vector<int64_t> offset(size_t(n), 0), cell(size_t(n), 0);
  for (int64_t group = 0; group < groups; ++group) {
    for (int64_t rest = group, d = n - 1; d >= 0; --d) offset[size_t(d)] = rest % b.size[size_t(d)], rest /= b.size[size_t(d)];
    for (int64_t k = 0; k < cells; ++k) {
      for (int64_t rest = k, d = n - 1; d >= 0; --d) cell[size_t(d)] = rest % batch.dim(int(d) + 1), rest /= batch.dim(int(d) + 1);
      int64_t position = 0;
      bool inside = true;
      for (int d = 0; d < n; ++d) {
        const int64_t at = cell[size_t(d)] * b.size[size_t(d)] + offset[size_t(d)] - b.before[size_t(d)];
        inside = inside && at >= 0 && at < space.dim(d + 1);
        position = position * space.dim(d + 1) + at;
      }
      for (int64_t m = 0; m < batches; ++m) {
        const int64_t batchAt = (((group * batches + m) * cells) + k) * inner;
        const int64_t spaceAt = (m * space.slice(1, n + 1).elements() + position) * inner;
        if (toBatch) {
          if (inside) std::copy_n(in + spaceAt, inner, out + batchAt);
          else std::fill_n(out + batchAt, inner, S{});
        } else if (inside) {
          std::copy_n(in + batchAt, inner, out + spaceAt);
        }
      }
    }
  }
}

template <bool toBatch>
Status runBlocks(KernelContext& c) {
  WEFT_LET(const BlockPlan p, planBlocks(c, toBatch));
  const Tensor& in = c.input(0);
  WEFT_LET(Tensor* out, c.allocate(0, p.shape));
  cpu::withStorage(in.dtype(), [&](auto tag) {
    using S = typename decltype(tag)::type;
    moveBlocks(static_cast<const S*>(in.raw()), static_cast<S*>(out->mutableRaw()), toBatch ? in.shape() : p.shape, toBatch ? p.shape : in.shape(), p.blocks,
               toBatch);
  });
  return {};
}

// SpaceToDepth and DepthToSpace.

/// Its square must fit into an integer.
Status checkBlock(int64_t block) {
  if (block <= std::numeric_limits<int32_t>::max()) return {};
  return invalidArgument("block_size ", block, " is too large");
}

Status depthShape(ShapeContext& c, bool toDepth) {
  const bool nchw = c.attrs().text("data_format") == "NCHW", vect = c.attrs().text("data_format") == "NCHW_VECT_C";
  WEFT_TRY(c.requireRank(c.input(0), vect ? 5 : 4));
  const Shape& in = c.input(0);
  if (!in.hasRank()) {
    c.setOutput(0, Shape::unknownOfRank(vect ? 5 : 4));
    return {};
  }
  const int64_t block = c.attrs().integer("block_size");
  WEFT_TRY(checkBlock(block));
  const int y = nchw || vect ? 2 : 1, x = y + 1, depth = nchw || vect ? 1 : 3;
  Shape out = in;
  const auto divide = [&](int d, int64_t by) -> Status {
    if (in.dim(d) < 0) return {};
    if (in.dim(d) % by != 0) return invalidArgument("Dimension size must be evenly divisible by ", by, " but is ", in.dim(d));
    out.setDim(d, in.dim(d) / by);
    return {};
  };
  const auto multiply = [&](int d, int64_t by) { out.setDim(d, in.dim(d) < 0 ? in.dim(d) : in.dim(d) * by); };
  if (toDepth) {
    WEFT_TRY(divide(y, block));
    WEFT_TRY(divide(x, block));
    multiply(depth, block * block);
  } else {
    multiply(y, block);
    multiply(x, block);
    WEFT_TRY(divide(depth, block * block));
  }
  c.setOutput(0, std::move(out));
  return {};
}

/// Images in memory: number of elements between neighbours.
struct PixelStrides {
  int64_t batch, row, column, channel;
};
PixelStrides pixelStrides(bool channelsFirst, int64_t height, int64_t width, int64_t depth) {
  if (channelsFirst) return {depth * height * width, width, 1, height * width};
  return {height * width * depth, width * depth, depth, 1};
}

template <bool toDepth>
Status runDepth(KernelContext& c) {
  Tensor in = c.input(0);
  const std::string format = c.node().attrs.text("data_format");
  const bool quads = format == "NCHW_VECT_C", channelsFirst = format != "NHWC";
  const bool onCpu = c.device().type() == "CPU";
  if (channelsFirst && onCpu) return invalidArgument("Only NHWC data_format supported on CPU. Got ", format);
  if (!onCpu && quads != (in.dtype() == DType::QInt8))
    return invalidArgument(quads ? "NCHW_VECT_C requires qint8 data type." : "qint8 should be used with data_format NCHW_VECT_C.");
  const int rank = quads ? 5 : 4;
  if (in.rank() != rank)
    return toDepth ? invalidArgument("Input rank should be ", rank, " instead of ", in.rank())
                   : invalidArgument("Input rank should be: ", rank, " instead of: ", in.rank());
  const int at = channelsFirst ? 2 : 1, channels = channelsFirst ? 1 : 3;
  const int64_t block = c.node().attrs.integer("block_size"), height = in.dim(at), width = in.dim(at + 1), depth = in.dim(channels);
  WEFT_TRY(checkBlock(block));
  if (toDepth && (height % block != 0 || width % block != 0))
    return invalidArgument("Image width ", width, " and height ", height, " should be divisible by block_size: ", block);
  if (!toDepth && depth % (block * block) != 0) return invalidArgument("Input depth dimension ", depth, " should be divisible by: ", block * block);
  Shape shape = in.shape();
  shape.setDim(at, toDepth ? height / block : height * block);
  shape.setDim(at + 1, toDepth ? width / block : width * block);
  shape.setDim(channels, toDepth ? depth * block * block : depth / (block * block));
  WEFT_LET(Tensor* out, c.allocate(0, shape));
  if (quads) in = in.withDType(DType::Int32);  // four channels move together
  // A pixel of the deep images is a block of pixels in the wide ones.
  const int64_t rows = toDepth ? shape.dim(at) : height, cols = toDepth ? shape.dim(at + 1) : width, thin = toDepth ? depth : shape.dim(channels);
  const PixelStrides wide = pixelStrides(channelsFirst, rows * block, cols * block, thin), deep = pixelStrides(channelsFirst, rows, cols, thin * block * block);
  cpu::BoxCopy box;
  const auto add = [&](int64_t n, int64_t space, int64_t depths) { toDepth ? box.add(n, space, depths) : box.add(n, depths, space); };
  add(in.dim(0), wide.batch, deep.batch);
  add(rows, wide.row * block, deep.row);
  add(cols, wide.column * block, deep.column);
  add(block, wide.row, deep.channel * block * thin);
  add(block, wide.column, deep.channel * thin);
  add(thin, wide.channel, deep.channel);
  return moveBox(c, in, std::move(box), in.raw(), out->mutableRaw());
}

GradientFunction opposite(const char* op) {
  return [op](GradContext& c) -> Grads {
    GraphBuilder& b = c.b();
    if (c.inputCount() == 3) return std::vector{b.op(op, {c.grad(), c.input(1), c.input(2)}), Output{}, Output{}};
    AttrMap attrs;
    const int64_t block = c.attrs().integer("block_size");
    if (c.inputCount() == 2) {
      const py::Scope s(b, concat(op, "ND"));
      const Output shape = b.ints({int32_t(block), int32_t(block)}, "block_shape");
      return std::vector{b.op(concat(op, "ND"), {c.grad(), shape, c.input(1)}, {}, s.name()), Output{}};
    }
    attrs.set("block_size", block);
    const std::string format = c.attrs().text("data_format");
    if (format == "NCHW_VECT_C") return invalidArgument("Cannot compute ", c.node().op, " gradient with NCHW_VECT_C. NCHW_VECT_C requires qint8 data type.");
    attrs.set("data_format", format);
    return std::vector{b.op(op, {c.grad()}, attrs)};
  };
}

}  // namespace

Result<BlockPlan> planBlocks(KernelContext& c, bool toBatch) {
  const bool nd = c.inputCount() == 3;
  const Tensor &in = c.input(0), &ends = c.input(nd ? 2 : 1);
  if (nd && c.input(1).rank() != 1) return invalidArgument("block_shape rank should be 1 instead of ", c.input(1).rank());
  WEFT_LET(const Blocks b, readBlocks(nd ? &c.input(1) : nullptr, nd ? 0 : c.node().attrs.integer("block_size"), ends, toBatch ? "paddings" : "crops"));
  const int n = int(b.size.size());
  if (in.rank() < n + 1) return invalidArgument("input rank should be >= ", n + 1, " instead of ", in.rank());
  const int64_t product = b.product();
  Shape shape = in.shape();
  if (!toBatch && in.dim(0) % product != 0)
    return invalidArgument("Input batch dimension (", in.dim(0), ") is not divisible by product of block sizes (", product, ")");
  shape.setDim(0, toBatch ? in.dim(0) * product : in.dim(0) / product);
  for (int d = 0; d < n; ++d) {
    const size_t i = size_t(d);
    if (toBatch) {
      int64_t padded = 0;
      if (__builtin_add_overflow(b.before[i], b.after[i], &padded) || __builtin_add_overflow(padded, in.dim(d + 1), &padded))
        return invalidArgument("Paddings of ", b.before[i], " and ", b.after[i], " around ", in.dim(d + 1), " are more than 2^63");
      if (padded % b.size[i] != 0) return invalidArgument("padded_shape[", d, "]=", padded, " is not divisible by block_shape[", d, "]=", b.size[i]);
      shape.setDim(d + 1, padded / b.size[i]);
    } else {
      const int64_t cropped = in.dim(d + 1) * b.size[i] - b.before[i] - b.after[i];
      if (cropped < 0) return invalidArgument("cropped_shape[", d, "]=", cropped, " must be non-negative");
      shape.setDim(d + 1, cropped);
    }
  }
  return BlockPlan{b, shape};
}

void registerSpaceBatch(OpRegistry& ops) {
  const std::vector<DType>& real = types::kCpuReal;
  const auto add = [&](const char* name, bool toBatch, const char* summary) -> OpRecord& {
    return ops.add(name).category("Arrays").summary(summary).input(
        "input: T", toBatch ? "[batch] + spatial dimensions + remaining dimensions." : "[batch * block size] + spatial dimensions + remaining dimensions.");
  };
  add("SpaceToBatchND", true, "Moves blocks of the spatial dimensions into the batch: each position within a block becomes a separate batch entry.")
      .input("block_shape: Tblock_shape", "Block size in each spatial dimension.")
      .input("paddings: Tpaddings", "[spatial dimensions, 2]: zeros to add before and after each spatial dimension.")
      .output("output: T", "[batch * block size] + (spatial + padding) / block + remaining dimensions.")
      .attr("T: type", "Type of the elements.")
      .attr("Tblock_shape: {int32, int64} = DT_INT32")
      .attr("Tpaddings: {int32, int64} = DT_INT32")
      .shape([](ShapeContext& c) { return blockedShape(c, true); })
      .gradient(opposite("BatchToSpaceND"))
      .cpu({{"T", real}}, simpleKernel(runBlocks<true>));
  add("BatchToSpaceND", false, "Inverse of SpaceToBatchND: moves batch entries back to positions within spatial blocks.")
      .input("block_shape: Tblock_shape", "Block size in each spatial dimension.")
      .input("crops: Tcrops", "[spatial dimensions, 2]: elements to crop before and after each spatial dimension.")
      .output("output: T", "[batch] + (spatial * block - crops) + remaining dimensions.")
      .attr("T: type", "Type of the elements.")
      .attr("Tblock_shape: {int32, int64} = DT_INT32")
      .attr("Tcrops: {int32, int64} = DT_INT32")
      .shape([](ShapeContext& c) { return blockedShape(c, false); })
      .gradient(opposite("SpaceToBatchND"))
      .cpu({{"T", real}}, simpleKernel(runBlocks<false>));
  add("SpaceToBatch", true, "SpaceToBatchND for images and square blocks.")
      .input("paddings: Tpaddings", "[2, 2]: zeros to add before and after height and width.")
      .output("output: T", "[batch * block², (height + padding) / block, (width + padding) / block, depth].")
      .attr("T: type", "Type of the elements.")
      .attr("Tpaddings: {int32, int64} = DT_INT32")
      .attr("block_size: int >= 2", "Side length of a block.")
      .shape([](ShapeContext& c) { return blockedShape(c, true); })
      .gradient(opposite("BatchToSpace"))
      .cpu({{"T", real}}, simpleKernel(runBlocks<true>));
  add("BatchToSpace", false, "BatchToSpaceND for images and square blocks.")
      .input("crops: Tidx", "[2, 2]: rows and columns to crop before and after height and width.")
      .output("output: T", "[batch / block², height * block - crops, width * block - crops, depth].")
      .attr("T: type", "Type of the elements.")
      .attr("block_size: int >= 2", "Side length of a block.")
      .attr("Tidx: {int32, int64} = DT_INT32")
      .shape([](ShapeContext& c) { return blockedShape(c, false); })
      .gradient(opposite("SpaceToBatch"))
      .cpu({{"T", real}}, simpleKernel(runBlocks<false>));
  const auto depth = [&](const char* name, bool toDepth, const char* other, KernelFactory create, const char* summary) {
    ops.add(name)
        .category("Arrays")
        .summary(summary)
        .input("input: T", "Images, [batch, height, width, channels].")
        .output("output: T",
                toDepth ? "[batch, height / block, width / block, channels * block²]." : "[batch, height * block, width * block, channels / block²].")
        .attr("T: type", "Type of the elements.")
        .attr("block_size: int >= 2", "Side length of a block.")
        .attr("data_format: {'NHWC', 'NCHW', 'NCHW_VECT_C'} = 'NHWC'", "Order of the dimensions; the CPU supports NHWC only.")
        .shape([toDepth](ShapeContext& c) { return depthShape(c, toDepth); })
        .gradient(opposite(other))
        .cpu({}, std::move(create));
  };
  depth("SpaceToDepth", true, "DepthToSpace", simpleKernel(runDepth<true>), "Rearranges blocks of pixels into channels.");
  depth("DepthToSpace", false, "SpaceToDepth", simpleKernel(runDepth<false>), "Rearranges channels into blocks of pixels.");
}

}  // namespace weft
