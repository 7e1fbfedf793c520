// Images to and from PNG, JPEG, GIF and BMP data.
#include <algorithm>

#include "data/picture_codecs.h"
#include "graph/window.h"
#include "ops/registry.h"

namespace weft {
namespace {

// ---- shapes

Result<int64_t> channelsAttr(const ShapeContext& c) {
  const int64_t channels = c.attrs().integer("channels");
  if (channels < 0) return invalidArgument("channels must be non-negative, got ", channels);
  return channels == 0 ? Shape::kUnknownDim : channels;
}

Status decodeShape(ShapeContext& c) {
  WEFT_TRY(c.requireRank(c.input(0), 0));
  WEFT_LET(const int64_t channels, channelsAttr(c));
  c.setOutput(0, Shape{Shape::kUnknownDim, Shape::kUnknownDim, channels});
  return {};
}

Status decodeAndCropShape(ShapeContext& c) {
  WEFT_TRY(decodeShape(c));
  WEFT_TRY(c.requireRank(c.input(1), 1));
  if (c.input(1).hasRank() && c.input(1).dim(0) >= 0 && c.input(1).dim(0) != 4) return invalidArgument("Dimension must be 4 but is ", c.input(1).dim(0));
  Shape out = c.outputs()[0];
  for (int i = 0; i < 2; ++i) {
    const auto size = c.constantInt(1, 2 + i);
    if (size && *size >= 0) out.setDim(i, *size);
  }
  c.setOutput(0, out);
  return {};
}

Status gifShape(ShapeContext& c) {
  WEFT_TRY(c.requireRank(c.input(0), 0));
  c.setOutput(0, Shape{Shape::kUnknownDim, Shape::kUnknownDim, Shape::kUnknownDim, 3});
  return {};
}

Status jpegShapeShape(ShapeContext& c) {
  WEFT_TRY(c.requireRank(c.input(0), 0));
  c.setOutput(0, Shape{3});
  return {};
}

Status encodeShape(ShapeContext& c) {
  WEFT_TRY(c.requireRank(c.input(0), 3));
  c.setOutput(0, Shape());
  return {};
}

// ---- kernels

Result<std::string_view> contentsOf(KernelContext& c) {
  const Tensor& t = c.input(0);
  if (t.rank() != 0) return invalidArgument("contents must be scalar, got shape ", t.shape().toString());
  return std::string_view(t.data<std::string>()[0]);
}

/// The beginning of an unrecognised file, as TensorFlow prints it.
std::string escaped(std::string_view bytes) {
  std::string out;
  for (const char c : bytes.substr(0, 16)) {
    static constexpr char kOctal[] = "01234567";
    const auto u = uint8_t(c);
    if (c == '\n') out += "\\n";
    else if (c == '\r') out += "\\r";
    else if (c == '\t') out += "\\t";
    else if (c == '"' || c == '\'' || c == '\\') out += std::string("\\") + c;
    else if (u >= 0x20 && u < 0x7f) out += c;
    else out += {'\\', kOctal[u >> 6], kOctal[(u >> 3) & 7], kOctal[u & 7]};
  }
  return out;
}

/// DecodeJpeg, DecodePng, DecodeGif and DecodeAndCropJpeg. Each reads all three formats, chosen by the data.
Status runDecode(KernelContext& c) {
  const AttrMap& attrs = c.node().attrs;
  const std::string& op = c.node().op;
  const bool isGif = op == "DecodeGif", isJpeg = op == "DecodeJpeg" || op == "DecodeAndCropJpeg";
  const int64_t channels = isGif ? 3 : attrs.integer("channels");
  if (channels != 0 && channels != 1 && channels != 3 && channels != 4) return invalidArgument("channels must be 0, 1, 3, or 4, got ", channels);
  pictures::JpegReading how;
  how.channels = int(channels);
  if (isJpeg) {
    how.ratio = int(attrs.integer("ratio", 1));
    if (how.ratio != 1 && how.ratio != 2 && how.ratio != 4 && how.ratio != 8)
      return invalidArgument("ratio must be 1, 2, 4, or 8, got ", attrs.integer("ratio"));
    how.fancyUpscaling = attrs.flag("fancy_upscaling", true);
    how.recoverTruncated = attrs.flag("try_recover_truncated");
    how.acceptableFraction = attrs.number("acceptable_fraction", 1);
    const std::string dct = attrs.text("dct_method");
    if (!dct.empty() && dct != "INTEGER_FAST" && dct != "INTEGER_ACCURATE") {
      return invalidArgument("dct_method must be one of {'', 'INTEGER_FAST', 'INTEGER_ACCURATE'}");
    }
    how.accurate = dct == "INTEGER_ACCURATE";
  }
  WEFT_LET(const std::string_view bytes, contentsOf(c));
  const DType type = attrs.type("dtype", DType::UInt8);
  Tensor out;
  if (bytes.starts_with("\x89PNG\r\n\x1a\n")) {
    WEFT_LET(out, pictures::decodePng(bytes, int(channels), type));
  } else if (bytes.starts_with("\xff\xd8\xff")) {
    if (type != DType::UInt8) return invalidArgument("JPEG does not support uint16 output");
    if (channels == 4) return invalidArgument("channels must be 0, 1, or 3 for JPEG, got ", channels);
    if (c.inputCount() > 1) {
      const Tensor& window = c.input(1);
      if (window.rank() != 1) return invalidArgument("crop_window must be 1-D: ", window.shape().toString());
      if (window.dim(0) != 4) return invalidArgument("crop_size must have four elements ", window.shape().toString());
      how.crop = true;
      how.top = window.asInt(0), how.left = window.asInt(1), how.height = window.asInt(2), how.width = window.asInt(3);
    }
    WEFT_LET(out, pictures::decodeJpeg(bytes, how));
  } else if (bytes.starts_with("GIF8")) {
    if (type != DType::UInt8) return invalidArgument("GIF does not support uint16 output");
    if (channels != 0 && channels != 3) return invalidArgument("channels must be 0 or 3 for GIF, got ", channels);
    WEFT_LET(out, pictures::decodeGif(bytes));
    if (!isGif) {
      if (out.dim(0) != 1) {
        return invalidArgument("Got ", out.dim(0), " frames, but animated gifs can only be decoded by tf.image.decode_gif or tf.image.decode_image");
      }
      out = out.reshaped(out.shape().slice(1));
    }
    c.setOutput(0, out);
    return {};
  } else {
    return invalidArgument("Expected image (JPEG, PNG, or GIF), got ", bytes.empty() ? "empty file" : "unknown format starting with '" + escaped(bytes) + "'");
  }
  c.setOutput(0, isGif ? out.reshaped(Shape{1, out.dim(0), out.dim(1), out.dim(2)}) : out);
  return {};
}

Status runDecodeBmp(KernelContext& c) {
  const int64_t channels = c.node().attrs.integer("channels");
  if (channels != 0 && channels != 1 && channels != 3 && channels != 4) return invalidArgument("channels must be 0, 1, 3 or 4, got ", channels);
  WEFT_LET(const std::string_view bytes, contentsOf(c));
  WEFT_LET(Tensor out, pictures::decodeBmp(bytes, int(channels)));
  c.setOutput(0, std::move(out));
  return {};
}

Status runJpegShape(KernelContext& c) {
  WEFT_LET(const std::string_view bytes, contentsOf(c));
  WEFT_LET(const Shape s, pictures::jpegShape(bytes));
  if (c.node().attrs.type("output_type", DType::Int32) == DType::Int64) c.setOutput(0, Tensor::vector(s.toVector()));
  else c.setOutput(0, Tensor::vector(std::vector<int32_t>(s.dims().begin(), s.dims().end())));
  return {};
}

Status runEncodePng(KernelContext& c) {
  const Tensor& image = c.input(0);
  const int64_t compression = c.node().attrs.integer("compression", -1);
  if (compression < -1 || compression > 9) return invalidArgument("compression should be in [-1,9], got ", compression);
  if (image.rank() != 3) return invalidArgument("image must be 3-dimensional", image.shape().toString());
  if (image.elements() >= 0x7fffffff) return invalidArgument("image cannot have >= int32 max elements");
  if (image.dim(2) < 1 || image.dim(2) > 4) return invalidArgument("image must have 1, 2, 3, or 4 channels, got ", image.dim(2));
  if (image.elements() == 0) return invalidArgument("image must have pixels, got shape ", image.shape().toString());
  WEFT_LET(std::string bytes, pictures::encodePng(image, int(compression)));
  c.setOutput(0, Tensor::scalar(std::move(bytes)));
  return {};
}

Status runEncodeJpeg(KernelContext& c) {
  const AttrMap& attrs = c.node().attrs;
  const Tensor& image = c.input(0);
  pictures::JpegWriting how;
  const int64_t quality = attrs.integer("quality", 95);
  if (quality < 0 || quality > 100) return invalidArgument("quality must be in [0,100], got ", quality);
  how.quality = int(quality);
  how.progressive = attrs.flag("progressive");
  how.optimize = attrs.flag("optimize_size");
  how.chromaDownsampling = attrs.flag("chroma_downsampling", true);
  how.perCentimetre = attrs.text("density_unit", "in") == "cm";
  how.xDensity = int(attrs.integer("x_density", 300));
  how.yDensity = int(attrs.integer("y_density", 300));
  how.xmp = attrs.text("xmp_metadata");
  if (image.rank() != 3) return invalidArgument("image must be 3-dimensional", image.shape().toString());
  if (image.elements() >= 0x7fffffff) return invalidArgument("Cannot encode images with >= max int32 elements");
  const int64_t channels = image.dim(2);
  const std::string format = attrs.text("format");
  if (format.empty() && channels != 1 && channels != 3) return invalidArgument("image must have 1 or 3 channels, got ", image.shape().toString());
  if (format == "grayscale" && channels != 1) return invalidArgument("format grayscale expects 1 channels, got ", image.shape().toString());
  if (format == "rgb" && channels != 3) return invalidArgument("format rgb expects 3 channels, got ", image.shape().toString());
  WEFT_LET(std::string bytes, pictures::encodeJpeg(image.data<uint8_t>(), image.dim(0), image.dim(1), int(channels), how));
  c.setOutput(0, Tensor::scalar(std::move(bytes)));
  return {};
}

/// The quality is an input; other settings are EncodeJpeg's defaults.
Status runEncodeJpegVariable(KernelContext& c) {
  const Tensor &image = c.input(0), &quality = c.input(1);
  if (image.rank() != 3) return invalidArgument("image must be 3-dimensional", image.shape().toString());
  if (image.elements() >= 0x7fffffff) return invalidArgument("Cannot encode images with >= max int32 elements");
  if (!quality.shape().isScalar()) return invalidArgument("quality must be scalar, but has shape ", quality.shape().toString());
  pictures::JpegWriting how;
  how.quality = std::clamp(quality.at<int32_t>(0), 0, 100);
  const int64_t channels = image.dim(2);
  if (channels != 1 && channels != 3) return invalidArgument("image must have 1 or 3 channels, got ", image.shape().toString());
  WEFT_LET(std::string bytes, pictures::encodeJpeg(image.data<uint8_t>(), image.dim(0), image.dim(1), int(channels), how));
  c.setOutput(0, Tensor::scalar(std::move(bytes)));
  return {};
}

// ---- records

OpRecord& decoder(OpRegistry& ops, const char* name, const char* summary) {
  return ops.add(name)
      .category("Images")
      .keywords("read picture file load")
      .summary(summary)
      .input("contents: string", "Contents of the file; a scalar.")
      .noGradient("Encoded files are not differentiable.");
}

OpRecord& jpegAttrs(OpRecord& r) {
  return r.attr("channels: int = 0", "Number of output channels, 1 or 3; 0: as in the file.")
      .attr("ratio: int = 1", "Downscaling factor: 1, 2, 4 or 8.")
      .attr("fancy_upscaling: bool = true", "Slower but better upsampling of the chroma channels.")
      .attr("try_recover_truncated: bool = false", "Decode truncated files as far as possible.")
      .attr("acceptable_fraction: float = 1.0", "Minimum fraction of lines that must be present.")
      .attr("dct_method: string = ''", "DCT algorithm: INTEGER_FAST or INTEGER_ACCURATE; empty: the system's default, INTEGER_FAST.");
}

}  // namespace

void registerImageCodecs(OpRegistry& ops) {
  const char* const channels = "Number of output channels; 0: as in the file.";
  decoder(ops, "DecodePng", "Decodes a PNG image; also accepts JPEG and GIF.")
      .output("image: dtype", "[height, width, channels].")
      .attr("channels: int = 0", channels)
      .attr("dtype: {uint8, uint16} = DT_UINT8", "Type of the pixels.")
      .shape(decodeShape)
      .cpu({}, simpleKernel(runDecode));
  jpegAttrs(decoder(ops, "DecodeJpeg", "Decodes a JPEG image; also accepts PNG and GIF.").output("image: uint8", "[height, width, channels]."))
      .shape(decodeShape)
      .cpu({}, simpleKernel(runDecode));
  jpegAttrs(decoder(ops, "DecodeAndCropJpeg", "Decodes a rectangular region of a JPEG image without decoding the rest.")
                .input("crop_window: int32", "Top, left, height, width.")
                .output("image: uint8", "[crop height, crop width, channels]."))
      .shape(decodeAndCropShape)
      .cpu({}, simpleKernel(runDecode));
  decoder(ops, "DecodeGif", "Decodes the frames of a GIF animation; PNG and JPEG images give one frame.")
      .output("image: uint8", "[frames, height, width, 3].")
      .shape(gifShape)
      .cpu({}, simpleKernel(runDecode));
  decoder(ops, "DecodeBmp", "Decodes a BMP image.")
      .output("image: uint8", "[height, width, channels].")
      .attr("channels: int = 0", channels)
      .shape(decodeShape)
      .cpu({}, simpleKernel(runDecodeBmp));
  decoder(ops, "ExtractJpegShape", "Height, width and channels of a JPEG image, without decoding it.")
      .output("image_shape: output_type", "[height, width, channels].")
      .attr("output_type: {int32, int64} = DT_INT32", "Type of the result.")
      .shape(jpegShapeShape)
      .cpu({{"output_type", types::kIndex}}, simpleKernel(runJpegShape));
  ops.add("EncodePng")
      .category("Images")
      .keywords("write picture file save")
      .summary("Encodes an image as PNG.")
      .input("image: T", "[height, width, channels], where channels is 1 (grey), 2 (grey, alpha), 3 (RGB) or 4 (RGBA).")
      .output("contents: string", "The encoded file; a scalar.")
      .attr("compression: int = -1", "Compression level, 0 (none) to 9 (smallest); -1: the library's default.")
      .attr("T: {uint8, uint16} = DT_UINT8", "Type of the pixels.")
      .shape(encodeShape)
      .noGradient("Encoded files are not differentiable.")
      .cpu({}, simpleKernel(runEncodePng));
  ops.add("EncodeJpeg")
      .category("Images")
      .keywords("write picture file save")
      .summary("Encodes an image as JPEG.")
      .input("image: uint8", "[height, width, channels], where channels is 1 (grey) or 3 (RGB).")
      .output("contents: string", "The encoded file; a scalar.")
      .attr("format: {'', 'grayscale', 'rgb'} = ''", "Expected channels; empty: determined by the image.")
      .attr("quality: int = 95", "JPEG quality, 0 to 100.")
      .attr("progressive: bool = false", "Write a progressive JPEG, which can be displayed coarsely while loading.")
      .attr("optimize_size: bool = false", "Make the file smaller, at the cost of time.")
      .attr("chroma_downsampling: bool = true", "Store colours at half the resolution.")
      .attr("density_unit: {'in', 'cm'} = 'in'", "Unit of the densities.")
      .attr("x_density: int = 300", "Pixels per unit along the width.")
      .attr("y_density: int = 300", "Pixels per unit along the height.")
      .attr("xmp_metadata: string = ''", "XMP metadata to embed.")
      .shape(encodeShape)
      .noGradient("Encoded files are not differentiable.")
      .cpu({}, simpleKernel(runEncodeJpeg));
  ops.add("EncodeJpegVariableQuality")
      .category("Images")
      .keywords("write picture file save augment")
      .summary("Encodes an image as JPEG with a quality that is an input.")
      .input("images: uint8", "[height, width, channels], where channels is 1 (grey) or 3 (RGB).")
      .input("quality: int32", "JPEG quality, clamped to 0 to 100; a scalar.")
      .output("contents: string", "The encoded file; a scalar.")
      .shape([](ShapeContext& c) -> Status {
        WEFT_TRY(c.requireRank(c.input(0), 3));
        c.setOutput(0, Shape());
        return {};
      })
      .noGradient("Encoded files are not differentiable.")
      .cpu({}, simpleKernel(runEncodeJpegVariable));
}

}  // namespace weft
