#include <csetjmp>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include <jpeglib.h>

#include "data/picture_codecs.h"

// JPEG images. libjpeg reports errors by longjmp: objects with destructors must live outside the functions that call setjmp.
namespace weft::pictures {
namespace {

struct Errors {
  jpeg_error_mgr manager;
  std::jmp_buf jump;
};

void prepare(Errors& errors) {
  jpeg_std_error(&errors.manager);
  errors.manager.error_exit = [](j_common_ptr info) { std::longjmp(reinterpret_cast<Errors*>(info->err)->jump, 1); };
  errors.manager.emit_message = [](j_common_ptr, int) {};
}

/// Reads bytes from memory. At their end reading fails, or, if truncated images are accepted, an end-of-image marker is supplied.
struct Source {
  jpeg_source_mgr manager;
  bool recover;
};

void setSource(jpeg_decompress_struct* info, Source& source, std::string_view bytes) {
  info->src = &source.manager;
  source.manager.next_input_byte = reinterpret_cast<const JOCTET*>(bytes.data());
  source.manager.bytes_in_buffer = bytes.size();
  source.manager.init_source = [](j_decompress_ptr) {};
  source.manager.term_source = [](j_decompress_ptr) {};
  source.manager.resync_to_restart = jpeg_resync_to_restart;
  source.manager.fill_input_buffer = [](j_decompress_ptr d) -> boolean {
    auto* s = reinterpret_cast<Source*>(d->src);
    static const JOCTET kEnd[2] = {0xff, JPEG_EOI};
    if (!s->recover) return FALSE;
    s->manager.next_input_byte = kEnd;
    s->manager.bytes_in_buffer = 2;
    return TRUE;
  };
  source.manager.skip_input_data = [](j_decompress_ptr d, long count) {
    jpeg_source_mgr* s = d->src;
    if (count <= 0) return;
    const size_t skipped = std::min(size_t(count), s->bytes_in_buffer);
    s->next_input_byte += skipped;
    s->bytes_in_buffer -= skipped;
  };
}

struct JpegDecoder {
  jpeg_decompress_struct info{};
  Errors errors{};
  Source source{};
  int channels = 0;
  ~JpegDecoder() { jpeg_destroy_decompress(&info); }
};

bool readHeader(JpegDecoder& r, std::string_view bytes, bool recover) {
  prepare(r.errors);
  r.info.err = &r.errors.manager;
  if (setjmp(r.errors.jump)) return false;
  jpeg_create_decompress(&r.info);
  r.source.recover = recover;
  setSource(&r.info, r.source, bytes);
  return jpeg_read_header(&r.info, TRUE) == JPEG_HEADER_OK;
}

/// Sizes of the result, known before anything of that size is allocated.
bool prepareOutput(JpegDecoder& r, const JpegReading& how) {
  if (setjmp(r.errors.jump)) return false;
  r.channels = how.channels == 0 ? std::min(r.info.num_components, 3) : how.channels;
  if (r.channels != 1 && r.channels != 3) return false;
  const bool inks = r.info.jpeg_color_space == JCS_CMYK || r.info.jpeg_color_space == JCS_YCCK;
  r.info.out_color_space = r.channels == 1 ? JCS_GRAYSCALE : inks ? JCS_CMYK : JCS_RGB;
  r.info.do_fancy_upsampling = boolean(how.fancyUpscaling);
  r.info.scale_num = 1;
  r.info.scale_denom = unsigned(how.ratio);
  r.info.dct_method = how.accurate ? JDCT_ISLOW : JDCT_IFAST;
  jpeg_calc_output_dimensions(&r.info);
  const int64_t height = r.info.output_height, width = r.info.output_width;
  if (height <= 0 || width <= 0 || height * width * std::max(3, r.info.num_components) >= int64_t(1) << 29) return false;
  if (!how.crop) return true;
  return how.height > 0 && how.width > 0 && how.top >= 0 && how.left >= 0 && how.top + how.height <= height && how.left + how.width <= width;
}

/// Converts CMYK to RGB. Adobe's files store inverted CMYK.
void inksToRgb(const uint8_t* inks, uint8_t* to, int64_t pixels, bool inverted) {
  for (int64_t i = 0; i < pixels; ++i, inks += 4, to += 3) {
    for (int k = 0; k < 3; ++k) to[k] = uint8_t(inverted ? inks[3] * inks[k] / 255 : (255 - inks[3]) * (255 - inks[k]) / 255);
  }
}

/// Decodes lines [top, top + height) of the result into `out`; returns the number decoded.
int64_t readLines(JpegDecoder& r, const JpegReading& how, int64_t height, int64_t width, uint8_t* out, uint8_t* line) {
  static_assert(sizeof(JSAMPLE) == 1);
  volatile int64_t done = 0;
  if (setjmp(r.errors.jump)) return -1;
  if (!jpeg_start_decompress(&r.info)) return -1;
  JDIMENSION left = JDIMENSION(how.left), columns = JDIMENSION(width);
  if (how.crop) {
    jpeg_crop_scanline(&r.info, &left, &columns);
    if (how.top > 0 && jpeg_skip_scanlines(&r.info, JDIMENSION(how.top)) != JDIMENSION(how.top)) return -1;
  }
  const int64_t skip = how.crop ? how.left - int64_t(left) : 0;
  const bool inks = r.info.out_color_space == JCS_CMYK;
  while (done < height) {
    JSAMPROW row = line;
    if (jpeg_read_scanlines(&r.info, &row, 1) == 0) break;
    uint8_t* to = out + done * width * r.channels;
    if (inks) inksToRgb(line + skip * 4, to, width, r.info.saw_Adobe_marker);
    else std::memcpy(to, line + skip * r.channels, size_t(width * r.channels));
    done = done + 1;
  }
  return done;
}

struct JpegEncoder {
  jpeg_compress_struct info{};
  Errors errors{};
  unsigned char* bytes = nullptr;
  unsigned long size = 0;
  ~JpegEncoder() {
    jpeg_destroy_compress(&info);
    std::free(bytes);
  }
};

bool write(JpegEncoder& w, const uint8_t* pixels, int64_t height, int64_t width, int channels, const JpegWriting& how, const std::string& xmp) {
  prepare(w.errors);
  w.info.err = &w.errors.manager;
  if (setjmp(w.errors.jump)) return false;
  jpeg_create_compress(&w.info);
  jpeg_mem_dest(&w.info, &w.bytes, &w.size);
  w.info.image_width = JDIMENSION(width);
  w.info.image_height = JDIMENSION(height);
  w.info.input_components = channels;
  w.info.in_color_space = channels == 1 ? JCS_GRAYSCALE : JCS_RGB;
  jpeg_set_defaults(&w.info);
  if (how.optimize) w.info.optimize_coding = TRUE;
  w.info.density_unit = how.perCentimetre ? 2 : 1;
  w.info.X_density = UINT16(how.xDensity);
  w.info.Y_density = UINT16(how.yDensity);
  jpeg_set_quality(&w.info, how.quality, TRUE);
  if (how.progressive) jpeg_simple_progression(&w.info);
  if (!how.chromaDownsampling) {
    for (int i = 0; i < w.info.num_components; ++i) w.info.comp_info[i].h_samp_factor = w.info.comp_info[i].v_samp_factor = 1;
  }
  jpeg_start_compress(&w.info, TRUE);
  if (!xmp.empty()) jpeg_write_marker(&w.info, JPEG_APP0 + 1, reinterpret_cast<const JOCTET*>(xmp.data()), unsigned(xmp.size()));
  for (int64_t y = 0; y < height; ++y) {
    JSAMPROW row = const_cast<uint8_t*>(pixels + y * width * channels);
    jpeg_write_scanlines(&w.info, &row, 1);
  }
  jpeg_finish_compress(&w.info);
  return true;
}

}  // namespace

Result<Tensor> decodeJpeg(std::string_view bytes, const JpegReading& how) {
  const Error bad = invalidArgument("Invalid JPEG data or crop window, data size ", bytes.size());
  JpegDecoder r;
  if (!readHeader(r, bytes, how.recoverTruncated) || !prepareOutput(r, how)) return bad;
  const int64_t height = how.crop ? how.height : r.info.output_height, width = how.crop ? how.width : r.info.output_width;
  WEFT_LET(Tensor out, Tensor::allocate(DType::UInt8, Shape{height, width, r.channels}));
  std::vector<uint8_t> line(size_t(r.info.output_width) * 4 + 64);
  const int64_t done = readLines(r, how, height, width, out.mutableData<uint8_t>(), line.data());
  if (done < 0) return bad;
  if (done < height) {
    if (!how.recoverTruncated || float(done) / float(height) < how.acceptableFraction) return bad;
    const int64_t row = width * r.channels;
    std::memset(out.mutableData<uint8_t>() + done * row, 0, size_t((height - done) * row));
  }
  return out;
}

Result<Shape> jpegShape(std::string_view bytes) {
  JpegDecoder r;
  if (!readHeader(r, bytes, false)) return invalidArgument("Invalid JPEG data, size ", bytes.size());
  return Shape{int64_t(r.info.image_height), int64_t(r.info.image_width), r.info.num_components};
}

Result<std::string> encodeJpeg(const uint8_t* pixels, int64_t height, int64_t width, int channels, const JpegWriting& how) {
  std::string xmp;
  if (!how.xmp.empty()) xmp = std::string("http://ns.adobe.com/xap/1.0/") + '\0' + how.xmp;
  JpegEncoder w;
  if (height <= 0 || width <= 0 || xmp.size() > 65533 || !write(w, pixels, height, width, channels, how, xmp)) return internalError("JPEG encoding failed");
  return std::string(reinterpret_cast<const char*>(w.bytes), w.size);
}

}  // namespace weft::pictures
