#include <png.h>

#include <csetjmp>
#include <cstdio>
#include <cstring>

#include <jpeglib.h>

#include "base/file_errors.h"
#include "data/picture_codecs.h"
#include "weft/arrays.h"

namespace weft {
namespace {

constexpr uint64_t kMaxPixels = uint64_t(1) << 28;

Result<Tensor> decodePng(std::string_view bytes, int channels) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  if (!png_image_begin_read_from_memory(&image, bytes.data(), bytes.size())) return unreadable("malformed", "Invalid PNG data: ", image.message);
  if (channels == 0) channels = (image.format & PNG_FORMAT_FLAG_COLOR ? 3 : 1) + (image.format & PNG_FORMAT_FLAG_ALPHA ? 1 : 0);
  image.format = channels == 1 ? PNG_FORMAT_GRAY : channels == 2 ? PNG_FORMAT_GA : channels == 3 ? PNG_FORMAT_RGB : PNG_FORMAT_RGBA;
  if (uint64_t(image.width) * image.height > kMaxPixels) {
    const Error error = unreadable("too_large", "a picture of ", image.width, " x ", image.height, " pixels is over the limit of ", kMaxPixels);
    png_image_free(&image);
    return error;
  }
  auto tensor = Tensor::allocate(DType::UInt8, Shape{int64_t(image.height), int64_t(image.width), channels});
  if (!tensor.ok()) {
    png_image_free(&image);
    return tensor;
  }
  const png_color black{0, 0, 0};
  if (!png_image_finish_read(&image, &black, tensor->mutableRaw(), 0, nullptr)) return unreadable("malformed", "Invalid PNG data: ", image.message);
  return tensor;
}

struct JpegErrors {
  jpeg_error_mgr manager;
  std::jmp_buf jump;
  char text[JMSG_LENGTH_MAX];
};

[[noreturn]] void jpegFailed(j_common_ptr info) {
  auto* errors = reinterpret_cast<JpegErrors*>(info->err);
  (*info->err->format_message)(info, errors->text);
  std::longjmp(errors->jump, 1);
}

/// Holds plain data only, because libjpeg reports errors by longjmp. Returns false with the reason in errors->text.
bool jpegHeader(jpeg_decompress_struct* info, JpegErrors* errors, std::string_view bytes) {
  info->err = jpeg_std_error(&errors->manager);
  errors->manager.error_exit = jpegFailed;
  errors->manager.emit_message = [](j_common_ptr, int) {};
  if (setjmp(errors->jump)) return false;
  jpeg_create_decompress(info);
  jpeg_mem_src(info, reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size());
  jpeg_read_header(info, TRUE);
  return true;
}

bool jpegPixels(jpeg_decompress_struct* info, JpegErrors* errors, uint8_t* out, size_t stride) {
  if (setjmp(errors->jump)) return false;
  jpeg_start_decompress(info);
  while (info->output_scanline < info->output_height) {
    JSAMPROW row = out + info->output_scanline * stride;
    jpeg_read_scanlines(info, &row, 1);
  }
  jpeg_finish_decompress(info);
  return true;
}

Result<Tensor> decodeJpeg(std::string_view bytes, int channels) {
  jpeg_decompress_struct info{};
  JpegErrors errors;
  const auto failed = [&] {
    jpeg_destroy_decompress(&info);
    return unreadable("malformed", "Invalid JPEG data: ", errors.text);
  };
  if (!jpegHeader(&info, &errors, bytes)) return failed();
  if (channels == 0) channels = info.num_components == 1 ? 1 : 3;
  if (channels != 1 && channels != 3) {
    jpeg_destroy_decompress(&info);
    return unreadable("unsupported", "a JPEG picture has 1 or 3 channels, not ", channels);
  }
  info.out_color_space = channels == 1 ? JCS_GRAYSCALE : JCS_RGB;
  if (uint64_t(info.image_width) * info.image_height > kMaxPixels) {
    jpeg_destroy_decompress(&info);
    return unreadable("too_large", "a picture of ", info.image_width, " x ", info.image_height, " pixels is over the limit of ", kMaxPixels);
  }
  auto tensor = Tensor::allocate(DType::UInt8, Shape{int64_t(info.image_height), int64_t(info.image_width), channels});
  if (!tensor.ok()) {
    jpeg_destroy_decompress(&info);
    return tensor;
  }
  if (!jpegPixels(&info, &errors, tensor->mutableData<uint8_t>(), size_t(info.image_width) * size_t(channels))) return failed();
  jpeg_destroy_decompress(&info);
  return tensor;
}

/// Bilinear interpolation; pixel centres are at half-integer coordinates.
void resizeInto(const Tensor& from, uint8_t* out, int height, int width) {
  const auto h = int(from.dim(0)), w = int(from.dim(1)), channels = int(from.dim(2));
  const uint8_t* in = from.data<uint8_t>();
  for (int y = 0; y < height; ++y) {
    const float fy = std::max(0.f, (float(y) + 0.5f) * float(h) / float(height) - 0.5f);
    const int y0 = std::min(int(fy), h - 1), y1 = std::min(y0 + 1, h - 1);
    for (int x = 0; x < width; ++x) {
      const float fx = std::max(0.f, (float(x) + 0.5f) * float(w) / float(width) - 0.5f);
      const int x0 = std::min(int(fx), w - 1), x1 = std::min(x0 + 1, w - 1);
      const float dy = fy - float(y0), dx = fx - float(x0);
      for (int c = 0; c < channels; ++c) {
        const auto at = [&](int row, int column) { return float(in[(row * w + column) * channels + c]); };
        const float top = at(y0, x0) * (1 - dx) + at(y0, x1) * dx, bottom = at(y1, x0) * (1 - dx) + at(y1, x1) * dx;
        *out++ = uint8_t(top * (1 - dy) + bottom * dy + 0.5f);
      }
    }
  }
}

bool isImageName(const std::string& name) {
  const size_t dot = name.rfind('.');
  if (dot == std::string::npos) return false;
  std::string end = name.substr(dot + 1);
  for (char& c : end) c = char(std::tolower(uint8_t(c)));
  return end == "png" || end == "jpg" || end == "jpeg" || end == "bmp" || end == "gif" || end == "webp";
}

/// A picture [h, w, c] with another number of channels: colours become grey by their luminance, grey becomes three equal colours, transparency is dropped, or
/// added as opaque.
Result<Tensor> withChannels(const Tensor& from, int channels) {
  const int64_t have = from.dim(2), n = from.dim(0) * from.dim(1);
  if (channels == 0 || channels == have) return from;
  WEFT_LET(Tensor out, Tensor::allocate(DType::UInt8, Shape{from.dim(0), from.dim(1), channels}));
  const uint8_t* in = from.data<uint8_t>();
  uint8_t* to = out.mutableData<uint8_t>();
  for (int64_t i = 0; i < n; ++i, in += have, to += channels) {
    if (channels == 1) {
      to[0] = uint8_t((299 * in[0] + 587 * in[1] + 114 * in[2] + 500) / 1000);
      continue;
    }
    for (int k = 0; k < 3; ++k) to[k] = in[have >= 3 ? k : 0];
    if (channels == 4) to[3] = have == 4 ? in[3] : 255;
  }
  return out;
}

/// Pictures of the other formats: the first frame of an animation.
Result<Tensor> decodeOther(std::string_view bytes, int channels) {
  const bool gif = bytes.substr(0, 4) == "GIF8";
  auto decoded = gif ? pictures::decodeGifFile(bytes) : bytes.substr(0, 2) == "BM" ? pictures::decodeBmpFile(bytes) : pictures::decodeWebp(bytes);
  if (!decoded.ok()) return decoded.error().kind.empty() ? Error(decoded.error()).ofKind("malformed") : decoded.error();
  if (decoded->rank() == 3) return withChannels(*decoded, channels);
  const Shape frame{decoded->dim(1), decoded->dim(2), decoded->dim(3)};
  if (decoded->dim(0) == 1) return withChannels(decoded->reshaped(frame), channels);
  WEFT_LET(Tensor first, Tensor::allocate(DType::UInt8, frame));
  std::memcpy(first.mutableRaw(), decoded->raw(), first.bytes());
  return withChannels(first, channels);
}

}  // namespace

Result<Tensor> decodeImage(std::string_view bytes, int channels) {
  if (bytes.substr(0, 8) == "\x89PNG\r\n\x1a\n") return decodePng(bytes, channels);
  if (bytes.substr(0, 3) == "\xff\xd8\xff") return decodeJpeg(bytes, channels);
  if (bytes.substr(0, 4) == "GIF8" || bytes.substr(0, 2) == "BM" || (bytes.substr(0, 4) == "RIFF" && bytes.size() > 12 && bytes.substr(8, 4) == "WEBP"))
    return decodeOther(bytes, channels);
  return unreadable("unrecognized", "none of a PNG, JPEG, BMP, GIF and WebP picture");
}

Result<LabeledImages> loadImageFolder(const std::string& folder, int height, int width, int channels, FileSystem* fileSystem) {
  FileSystem& files = fileSystem ? *fileSystem : posixFileSystem();
  if (height < 1 || width < 1) return invalidArgument("pictures cannot be scaled to ", height, " x ", width);
  LabeledImages out;
  std::vector<std::pair<std::string, int32_t>> found;
  WEFT_LET(const auto names, files.list(folder));
  for (const std::string& name : names) {
    const std::string below = joinPath(folder, name);
    const auto info = files.stat(below);
    if (!info.ok() || !info->isFolder) continue;
    WEFT_LET(const auto pictures, files.list(below));
    const auto label = int32_t(out.classes.size());
    const size_t before = found.size();
    for (const std::string& picture : pictures)
      if (isImageName(picture)) found.emplace_back(joinPath(below, picture), label);
    if (found.size() > before) out.classes.push_back(name);
  }
  if (found.empty()) return notFound(folder, " has no folder with .png, .jpg, .bmp, .gif or .webp files in it").ofKind("missing_file");
  const auto n = int64_t(found.size());
  WEFT_LET(out.images, Tensor::allocate(DType::UInt8, Shape{n, height, width, channels}));
  WEFT_LET(out.labels, Tensor::allocate(DType::Int32, Shape{n}));
  for (int64_t i = 0; i < n; ++i) {
    const std::string& path = found[size_t(i)].first;
    WEFT_LET(const std::string bytes, files.readAll(path));
    auto picture = decodeImage(bytes, channels);
    if (!picture.ok()) return picture.error().inFile(path);
    resizeInto(*picture, out.images.mutableData<uint8_t>() + i * height * width * channels, height, width);
    out.labels.mutableData<int32_t>()[i] = found[size_t(i)].second;
  }
  return out;
}

}  // namespace weft
