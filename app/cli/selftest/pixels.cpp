#include <png.h>

#include <csetjmp>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <jpeglib.h>  // needs FILE and size_t declared before it

#include "cli/selftest/compare.h"

namespace weft::cli {
namespace {

struct Pixels {
  int64_t height = 0, width = 0, channels = 0;
  std::vector<int> values;
  std::string error;
};

Pixels decodePng(const std::string& bytes) {
  Pixels out;
  png_image image = {};
  image.version = PNG_IMAGE_VERSION;
  if (!png_image_begin_read_from_memory(&image, bytes.data(), bytes.size())) {
    out.error = image.message;
    return out;
  }
  // 16-bit files keep their depth: the simplified reader would convert them with gamma.
  const bool wide = (image.format & PNG_FORMAT_FLAG_LINEAR) != 0;
  image.format &= PNG_FORMAT_FLAG_ALPHA | PNG_FORMAT_FLAG_COLOR | PNG_FORMAT_FLAG_LINEAR;
  std::vector<uint8_t> raw(PNG_IMAGE_SIZE(image));
  if (!png_image_finish_read(&image, nullptr, raw.data(), 0, nullptr)) {
    out.error = image.message;
    return out;
  }
  out.height = image.height;
  out.width = image.width;
  out.channels = PNG_IMAGE_SAMPLE_CHANNELS(image.format);
  if (wide) {
    const auto* words = reinterpret_cast<const uint16_t*>(raw.data());
    out.values.assign(words, words + raw.size() / 2);
  } else {
    out.values.assign(raw.begin(), raw.end());
  }
  return out;
}

struct JpegErrors {
  jpeg_error_mgr base;
  jmp_buf jump;
};

void onJpegError(j_common_ptr info) { std::longjmp(reinterpret_cast<JpegErrors*>(info->err)->jump, 1); }

Pixels decodeJpeg(const std::string& bytes) {
  Pixels out;
  jpeg_decompress_struct info = {};
  JpegErrors errors = {};
  std::vector<uint8_t> row;  // before setjmp, so that no destructor is jumped over
  info.err = jpeg_std_error(&errors.base);
  errors.base.error_exit = onJpegError;
  if (setjmp(errors.jump)) {
    jpeg_destroy_decompress(&info);
    out.error = "not a JPEG image";
    return out;
  }
  jpeg_create_decompress(&info);
  jpeg_mem_src(&info, reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size());
  jpeg_read_header(&info, TRUE);
  jpeg_start_decompress(&info);
  out.height = info.output_height;
  out.width = info.output_width;
  out.channels = info.output_components;
  row.resize(size_t(out.width * out.channels));
  while (info.output_scanline < info.output_height) {
    uint8_t* rows[] = {row.data()};
    jpeg_read_scanlines(&info, rows, 1);
    out.values.insert(out.values.end(), row.begin(), row.end());
  }
  jpeg_finish_decompress(&info);
  jpeg_destroy_decompress(&info);
  return out;
}

std::string pixelDifference(const Pixels& got, const Pixels& want, int tolerance) {
  if (!got.error.empty()) return "image cannot be decoded: " + got.error;
  if (!want.error.empty()) return "the wanted image cannot be decoded: " + want.error;
  if (got.height != want.height || got.width != want.width || got.channels != want.channels)
    return concat("image of ", got.height, "x", got.width, "x", got.channels, ", want ", want.height, "x", want.width, "x", want.channels);
  for (size_t i = 0; i < want.values.size(); ++i)
    if (std::abs(got.values[i] - want.values[i]) > tolerance) return concat("pixel value ", i, " is ", got.values[i], ", want ", want.values[i]);
  return {};
}

}  // namespace

std::string pngDifference(const std::string& got, const std::string& want, int pixelTolerance) {
  return pixelDifference(decodePng(got), decodePng(want), pixelTolerance);
}

std::string jpegDifference(const std::string& got, const std::string& want, int pixelTolerance) {
  return pixelDifference(decodeJpeg(got), decodeJpeg(want), pixelTolerance);
}

}  // namespace weft::cli
