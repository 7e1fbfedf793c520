#include "summary/png.h"

#include <png.h>

namespace weft {
namespace {

void appendBytes(png_structp png, png_bytep bytes, png_size_t count) {
  static_cast<std::string*>(png_get_io_ptr(png))->append(reinterpret_cast<const char*>(bytes), count);
}

void flushNothing(png_structp) {}

/// libpng reports errors by longjmp, so this function must not have objects with destructors.
bool write(png_structp png, png_infop info, const uint8_t* pixels, int width, int height, int channels) {
  static constexpr int kColorTypes[] = {PNG_COLOR_TYPE_GRAY, PNG_COLOR_TYPE_GRAY_ALPHA, PNG_COLOR_TYPE_RGB, PNG_COLOR_TYPE_RGB_ALPHA};
  if (setjmp(png_jmpbuf(png))) return false;
  png_set_IHDR(png, info, png_uint_32(width), png_uint_32(height), 8, kColorTypes[channels - 1], PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
               PNG_FILTER_TYPE_DEFAULT);
  png_write_info(png, info);
  for (int y = 0; y < height; ++y) png_write_row(png, pixels + size_t(y) * size_t(width) * size_t(channels));
  png_write_end(png, nullptr);
  return true;
}

}  // namespace

Result<std::string> encodePng(const uint8_t* pixels, int width, int height, int channels) {
  if (width < 1 || height < 1 || channels < 1 || channels > 4)
    return invalidArgument("PNG encoding failed: ", width, " x ", height, " pixels of ", channels, " channels; expected at least one pixel of 1 to 4");
  std::string out;
  png_structp png = png_create_write_struct(
      PNG_LIBPNG_VER_STRING, nullptr, [](png_structp p, png_const_charp) { png_longjmp(p, 1); }, [](png_structp, png_const_charp) {});
  png_infop info = png ? png_create_info_struct(png) : nullptr;
  bool done = false;
  if (info) {
    png_set_write_fn(png, &out, appendBytes, flushNothing);
    done = write(png, info, pixels, width, height, channels);
  }
  png_destroy_write_struct(&png, &info);
  if (!done) return internalError("PNG encoding failed");
  return out;
}

}  // namespace weft
