#include <png.h>

#include <csetjmp>
#include <cstring>
#include <vector>

#include "data/picture_codecs.h"

// PNG images with 8 or 16 bits. libpng reports errors by longjmp: objects with destructors must live outside the functions that call setjmp.
namespace weft::pictures {
namespace {

struct PngDecoder {
  png_structp png = nullptr;
  png_infop info = nullptr;
  std::string_view rest;
  int64_t height = 0, width = 0;
  int channels = 0, bits = 0, passes = 1;
  int64_t fileRow = 0;  ///< Bytes per row in the file.
  ~PngDecoder() { png_destroy_read_struct(&png, &info, nullptr); }
};

void ignore(png_structp, png_const_charp) {}
[[noreturn]] void leave(png_structp png, png_const_charp) { png_longjmp(png, 1); }

/// Reads the header and sets up the conversion of pixels to `channels` (0: unchanged) of `bits` bits.
bool readHeader(PngDecoder& r, int channels, int bits) {
  r.png = png_create_read_struct(PNG_LIBPNG_VER_STRING, nullptr, leave, ignore);
  if (!r.png) return false;
  r.info = png_create_info_struct(r.png);
  if (!r.info || setjmp(png_jmpbuf(r.png))) return false;
  png_set_read_fn(r.png, &r.rest, [](png_structp png, png_bytep to, size_t count) {
    auto* rest = static_cast<std::string_view*>(png_get_io_ptr(png));
    if (rest->size() < count) png_error(png, "More bytes requested from decoder than available");
    std::memcpy(to, rest->data(), count);
    rest->remove_prefix(count);
  });
  png_read_info(r.png, r.info);
  png_uint_32 width = 0, height = 0;
  int color = 0;
  png_get_IHDR(r.png, r.info, &width, &height, &r.bits, &color, nullptr, nullptr, nullptr);
  r.width = width;
  r.height = height;
  r.fileRow = int64_t(png_get_rowbytes(r.png, r.info));
  const bool hasTransparency = png_get_valid(r.png, r.info, PNG_INFO_tRNS) != 0, hasAlpha = (color & PNG_COLOR_MASK_ALPHA) != 0;
  const bool isPalette = color == PNG_COLOR_TYPE_PALETTE, isGray = (color & PNG_COLOR_MASK_COLOR) == 0;
  r.channels = channels != 0 ? channels : isPalette ? (hasTransparency ? 4 : 3) : png_get_channels(r.png, r.info);
  if (r.channels % 2 == 0) {
    if (!hasAlpha && hasTransparency) png_set_tRNS_to_alpha(r.png);
    else if (!hasAlpha) png_set_add_alpha(r.png, (1u << r.bits) - 1, PNG_FILLER_AFTER);
  } else if (hasAlpha || hasTransparency) {
    png_set_strip_alpha(r.png);
  }
  if (r.bits > 8 && bits <= 8) png_set_strip_16(r.png);
  png_set_packing(r.png);
  r.passes = png_set_interlace_handling(r.png);
  if (bits > 8) png_set_swap(r.png);
  if (isPalette) png_set_palette_to_rgb(r.png);
  if (isGray && r.bits < 8) png_set_expand_gray_1_2_4_to_8(r.png);
  if (r.channels < 3 && !isGray) png_set_rgb_to_gray(r.png, 1, 0.299, 0.587);
  if (r.channels >= 3 && isGray) png_set_gray_to_rgb(r.png);
  png_read_update_info(r.png, r.info);
  return true;
}

bool readPixels(PngDecoder& r, uint8_t* out, int64_t stride) {
  if (setjmp(png_jmpbuf(r.png))) return false;
  if (int64_t(png_get_rowbytes(r.png, r.info)) > stride) return false;
  for (int p = 0; p < r.passes; ++p) {
    for (int64_t y = 0; y < r.height; ++y) png_read_row(r.png, out + y * stride, nullptr);
  }
  png_read_end(r.png, r.info);
  return true;
}

struct PngEncoder {
  png_structp png = nullptr;
  png_infop info = nullptr;
  std::string bytes;
  ~PngEncoder() { png_destroy_write_struct(&png, &info); }
};

bool write(PngEncoder& w, const Tensor& pixels, int compression) {
  w.png = png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, leave, ignore);
  if (!w.png) return false;
  w.info = png_create_info_struct(w.png);
  if (!w.info || setjmp(png_jmpbuf(w.png))) return false;
  static constexpr int kColors[] = {PNG_COLOR_TYPE_GRAY, PNG_COLOR_TYPE_GRAY_ALPHA, PNG_COLOR_TYPE_RGB, PNG_COLOR_TYPE_RGB_ALPHA};
  const int64_t height = pixels.dim(0), width = pixels.dim(1), channels = pixels.dim(2);
  const bool wide = pixels.dtype() == DType::UInt16;
  png_set_write_fn(
      w.png, &w.bytes,
      [](png_structp png, png_bytep from, size_t count) { static_cast<std::string*>(png_get_io_ptr(png))->append(reinterpret_cast<char*>(from), count); },
      [](png_structp) {});
  if (compression >= 0) png_set_compression_level(w.png, compression);
  png_set_compression_mem_level(w.png, 9);
  png_set_IHDR(w.png, w.info, png_uint_32(width), png_uint_32(height), wide ? 16 : 8, kColors[channels - 1], PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
               PNG_FILTER_TYPE_DEFAULT);
  png_write_info(w.png, w.info);
  if (wide) png_set_swap(w.png);
  const auto* from = static_cast<const uint8_t*>(pixels.raw());
  for (int64_t y = 0; y < height; ++y) png_write_row(w.png, const_cast<uint8_t*>(from + y * width * channels * (wide ? 2 : 1)));
  png_write_end(w.png, nullptr);
  return true;
}

}  // namespace

Result<Tensor> decodePng(std::string_view bytes, int channels, DType type) {
  const bool wide = type == DType::UInt16;
  PngDecoder r;
  r.rest = bytes;
  if (!readHeader(r, channels, wide ? 16 : 8)) return invalidArgument("Invalid PNG header, data size ", bytes.size());
  if (r.width <= 0 || r.height <= 0 || r.width >= int64_t(1) << 27 || r.height >= int64_t(1) << 27 || r.width * r.height >= int64_t(1) << 29) {
    return invalidArgument("PNG size too large for int: ", r.width, " by ", r.height);
  }
  const Error bad = invalidArgument("Invalid PNG data, size ", bytes.size());
  // Deflate expands a byte to at most 1032 bytes. A header that declares more is invalid; no memory is allocated for it.
  if (r.fileRow > int64_t(bytes.size()) * 1032 / r.height) return bad;
  WEFT_LET(Tensor out, Tensor::allocate(type, Shape{r.height, r.width, r.channels}));
  const int64_t row = r.width * r.channels;
  if (!wide) return readPixels(r, out.mutableData<uint8_t>(), row) ? Result<Tensor>(out) : bad;
  auto* to = static_cast<uint8_t*>(out.mutableRaw());
  if (r.bits > 8) return readPixels(r, to, row * 2) ? Result<Tensor>(out) : bad;
  std::vector<uint8_t> narrow(size_t(row * r.height));
  if (!readPixels(r, narrow.data(), row)) return bad;
  for (size_t i = 0; i < narrow.size(); ++i) to[2 * i] = to[2 * i + 1] = narrow[i];
  return out;
}

Result<std::string> encodePng(const Tensor& pixels, int compression) {
  PngEncoder w;
  if (!write(w, pixels, compression)) return internalError("PNG encoding failed");
  return std::move(w.bytes);
}

}  // namespace weft::pictures
