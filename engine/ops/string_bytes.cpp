#include <zlib.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "ops/registry.h"
#include "ops/text_map.h"
#include "proto/convert.h"
#include "proto/graph.pb.h"
#include "weft/truth_values.h"

// Strings as byte arrays: raw numbers, compressed streams, whole tensors.
namespace weft {
namespace {

void swapBytes(char* p, size_t size, int64_t count) {
  for (int64_t i = 0; i < count; ++i, p += size) std::reverse(p, p + size);
}
/// Converts `count` elements from the byte order in the attribute to the machine's; complex numbers by their parts.
void toNative(const AttrMap& attrs, DType type, char* bytes, int64_t count) {
  const bool little = attrs.flag("little_endian", true);
  if (little == (std::endian::native == std::endian::little)) return;
  if (isComplex(type)) swapBytes(bytes, sizeOf(type) / 2, 2 * count);
  else swapBytes(bytes, sizeOf(type), count);
}

Status rawShape(ShapeContext& c) {
  if (!c.input(0).hasRank()) return {};
  Shape out = c.input(0);
  out.append(Shape::kUnknownDim);
  c.setOutput(0, std::move(out));
  return {};
}
Status runDecodeRaw(KernelContext& c) {
  const Tensor& in = c.input(0);
  const DType type = c.node().attrs.type("out_type");
  const size_t size = sizeOf(type);
  Shape shape = in.shape();
  if (in.elements() == 0) {
    shape.append(0);
    WEFT_TRY(c.allocate(0, shape).status());
    return {};
  }
  const std::string* texts = in.data<std::string>();
  const size_t length = texts[0].size();
  for (int64_t i = 1; i < in.elements(); ++i) {
    if (texts[i].size() != length)
      return invalidArgument("DecodeRaw requires input strings to all be the same size, but element ", i, " has size ", texts[i].size(), " != ", length);
  }
  if (length % size != 0)
    return invalidArgument("Input to DecodeRaw has length ", length, " that is not a multiple of ", size, ", the size of ", dtypeShortName(type));
  shape.append(int64_t(length / size));
  WEFT_LET(Tensor* out, c.allocate(0, shape));
  char* to = static_cast<char*>(out->mutableRaw());
  for (int64_t i = 0; i < in.elements(); ++i) std::memcpy(to + size_t(i) * length, texts[i].data(), length);
  toNative(c.node().attrs, type, to, out->elements());
  makeTruthValues(*out);
  return {};
}

Status paddedShape(ShapeContext& c) {
  WEFT_TRY(c.requireRank(c.input(1), 0));
  int64_t width = Shape::kUnknownDim;
  const int64_t size = int64_t(sizeOf(c.attrs().type("out_type")));
  if (const auto n = c.constantInt(1)) {
    if (size > 0 && *n % size != 0) return invalidArgument("Dimension size must be evenly divisible by ", size, " but is ", *n);
    width = *n / size;
  }
  if (!c.input(0).hasRank()) return {};
  Shape out = c.input(0);
  out.append(width);
  c.setOutput(0, std::move(out));
  return {};
}
Status runPaddedRaw(KernelContext& c) {
  const Tensor& in = c.input(0);
  if (c.input(1).rank() != 0) return invalidArgument("k must be scalar, got shape ", c.input(1).shape().toString());
  const DType type = c.node().attrs.type("out_type");
  const int64_t length = c.input(1).asInt(0), size = int64_t(sizeOf(type));
  if (length <= 0) return invalidArgument("fixed_length (", length, ") must be greater than zero.");
  if (length % size != 0) return invalidArgument("fixed_length (", length, ") must be a multiple of the size of out_type (", size, ")");
  Shape shape = in.shape();
  shape.append(length / size);
  WEFT_LET(Tensor* out, c.allocate(0, shape));
  char* to = static_cast<char*>(out->mutableRaw());
  std::memset(to, 0, out->bytes());
  // TensorFlow 1.15 advances by `length` elements instead of bytes from string to string. If an element has several bytes, all strings but the first then land
  // at wrong places (even past the end; those are omitted here).
  for (int64_t i = 0; i < in.elements(); ++i) {
    const std::string& s = in.data<std::string>()[i];
    const int64_t at = i * length * size;
    if (at >= int64_t(out->bytes())) break;
    std::memcpy(to + at, s.data(), std::min({s.size(), size_t(length), size_t(int64_t(out->bytes()) - at)}));
  }
  toNative(c.node().attrs, type, to, out->elements());
  makeTruthValues(*out);
  return {};
}

/// The contents of a zlib or gzip stream; at most `kMost` bytes, so that a small string cannot exhaust the memory.
Result<std::string> inflated(const std::string& in, bool gzip) {
  constexpr size_t kMost = size_t(1) << 32;
  z_stream z{};
  if (inflateInit2(&z, gzip ? 16 + MAX_WBITS : MAX_WBITS) != Z_OK) return internalError("zlib cannot start");
  z.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(in.data()));
  z.avail_in = uInt(in.size());
  std::string out;
  char block[16384];
  int code = Z_OK;
  while (code == Z_OK && out.size() < kMost) {
    z.next_out = reinterpret_cast<Bytef*>(block);
    z.avail_out = sizeof(block);
    code = inflate(&z, Z_NO_FLUSH);
    out.append(block, sizeof(block) - z.avail_out);
  }
  inflateEnd(&z);
  if (out.size() >= kMost) return resourceExhausted("DecodeCompressed: the text is larger than ", kMost, " bytes when unpacked");
  if (code != Z_STREAM_END) return dataLoss("DecodeCompressed: the ", gzip ? "GZIP" : "ZLIB", " stream is damaged or cut off");
  return out;
}
Result<std::unique_ptr<Kernel>> makeDecompress(KernelInit& init) {
  const std::string kind = init.attrs().text("compression_type");
  if (kind != "" && kind != "ZLIB" && kind != "GZIP") return invalidArgument("Only ZLIB, GZIP or NONE are supported compressions");
  return functionKernel([kind](KernelContext& c) -> Status {
    const Tensor& in = c.input(0);
    if (kind.empty()) {
      c.setOutput(0, in);
      return {};
    }
    WEFT_LET(Tensor* out, c.allocate(0, in.shape()));
    for (int64_t i = 0; i < in.elements(); ++i) {
      WEFT_LET(out->mutableData<std::string>()[i], inflated(in.data<std::string>()[i], kind == "GZIP"));
    }
    return {};
  });
}

Status runParseTensor(KernelContext& c) {
  if (c.input(0).rank() != 0) return invalidArgument("Expected `serialized` to be a scalar, got shape: ", c.input(0).shape().toString());
  const std::string& text = c.input(0).data<std::string>()[0];
  tensorflow::TensorProto proto;
  if (!proto.ParseFromString(text)) return invalidArgument("Could not parse `serialized` as TensorProto: '", text, "'");
  const DType wanted = c.node().attrs.type("out_type");
  WEFT_LET(Tensor t, tensorFromProto(proto));
  if (t.dtype() != wanted)
    return invalidArgument("Type mismatch between parsed tensor (", dtypeShortName(t.dtype()), ") and dtype (", dtypeShortName(wanted), ")");
  c.setOutput(0, std::move(t));
  return {};
}
Status runSerializeTensor(KernelContext& c) {
  tensorflow::TensorProto proto;
  WEFT_TRY(tensorToProto(c.input(0), TensorForm::Content, &proto));
  c.setOutput(0, Tensor::scalar(proto.SerializeAsString()));
  return {};
}

}  // namespace

void registerStringBytes(OpRegistry& ops) {
  addText(ops, "DecodeRaw", "Reinterprets the bytes of strings as numbers.")
      .input("bytes: string", "Strings of the same length.")
      .output("output: out_type", "The numbers of each string, along a new last dimension.")
      .attr("out_type: {half, float, double, int32, uint16, uint8, int16, int8, int64, complex64, complex128, bool}", "Type of the numbers.")
      .attr("little_endian: bool = true", "Whether the bytes are in little-endian order.")
      .shape(rawShape)
      .cpu({}, simpleKernel(runDecodeRaw));
  addText(ops, "DecodePaddedRaw", "Reinterprets the bytes of strings as numbers; short strings are padded with zeros, long ones truncated.")
      .input("input_bytes: string", "Strings.")
      .input("fixed_length: int32", "Number of bytes to use of each string.")
      .output("output: out_type", "The numbers of each string, along a new last dimension.")
      .attr("out_type: {half, float, double, int32, uint16, uint8, int16, int8, int64}", "Type of the numbers.")
      .attr("little_endian: bool = true", "Whether the bytes are in little-endian order.")
      .shape(paddedShape)
      .cpu({}, simpleKernel(runPaddedRaw));
  addText(ops, "DecodeCompressed", "Decompresses strings.")
      .input("bytes: string", "Compressed strings.")
      .output("output: string", "The decompressed strings.")
      .attr("compression_type: string = ''", "ZLIB, GZIP, or empty for uncompressed strings.")
      .shape(shapes::unchanged)
      .cpu({}, makeDecompress);
  addText(ops, "ParseTensor", "Parses a serialized TensorProto into a tensor.")
      .input("serialized: string", "A scalar.")
      .output("output: out_type", "The tensor.")
      .attr("out_type: type", "Type of the tensor.")
      .shape(shapes::unknown)
      .cpu({}, simpleKernel(runParseTensor));
  addText(ops, "SerializeTensor", "Serializes a tensor as a TensorProto.")
      .input("tensor: T", "Any tensor.")
      .output("serialized: string", "A scalar.")
      .attr("T: type", "Type of its elements.")
      .shape(shapes::scalar)
      .cpu({}, simpleKernel(runSerializeTensor));
}

}  // namespace weft
