#include <gif_lib.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "base/file_errors.h"
#include "data/picture_codecs.h"

// Decoders for GIF (frames composed on one canvas) and BMP.
namespace weft::pictures {
namespace {

constexpr int64_t kMaxBytes = int64_t(1) << 30;
constexpr int64_t kMaxFilePixels = int64_t(1) << 28;  // of all frames of a file

std::string gifError(int code) {
  const char* text = GifErrorString(code);
  return text ? text : "Unknown error";
}

struct Gif {
  GifFileType* file = nullptr;
  std::string_view rest;
  ~Gif() {
    int code = 0;
    if (file) DGifCloseFile(file, &code);
  }
};

/// Opens the bytes as a file with its own read position.
Status open(Gif& gif, std::string_view bytes) {
  gif.rest = bytes;
  int code = 0;
  gif.file = DGifOpen(
      &gif.rest,
      [](GifFileType* f, GifByteType* to, int count) {
        auto* rest = static_cast<std::string_view*>(f->UserData);
        const size_t n = std::min(size_t(count), rest->size());
        std::memcpy(to, rest->data(), n);
        rest->remove_prefix(n);
        return int(n);
      },
      &code);
  if (!gif.file) return invalidArgument("Invalid GIF data (size ", bytes.size(), "), failed to open gif file: ", gifError(code));
  return {};
}

/// Number of frames, of the pixels in them, and their times on screen, found without decoding. Fewer if the file is truncated.
struct Extent {
  int64_t frames = 0, pixels = 0;
  std::vector<int> milliseconds;
};
Extent extentOf(GifFileType* file) {
  Extent out;
  GifRecordType record;
  int shown = 0;  // milliseconds of the next frame
  while (DGifGetRecordType(file, &record) == GIF_OK && record != TERMINATE_RECORD_TYPE) {
    int code = 0;
    GifByteType* block = nullptr;
    if (record == IMAGE_DESC_RECORD_TYPE) {
      if (DGifGetImageDesc(file) != GIF_OK) break;
      out.pixels += int64_t(file->Image.Width) * file->Image.Height;
      ++out.frames;
      out.milliseconds.push_back(std::exchange(shown, 0));
      int going = DGifGetCode(file, &code, &block);
      while (going == GIF_OK && block) going = DGifGetCodeNext(file, &block);
    } else if (record == EXTENSION_RECORD_TYPE) {
      int going = DGifGetExtension(file, &code, &block);
      GraphicsControlBlock control;
      if (going == GIF_OK && block && code == GRAPHICS_EXT_FUNC_CODE && DGifExtensionToGCB(block[0], block + 1, &control) == GIF_OK)
        shown = control.DelayTime * 10;
      while (going == GIF_OK && block) going = DGifGetExtensionNext(file, &block);
    }
  }
  return out;
}

/// Decodes all frames after a size check: a few bytes can declare 65,535 by 65,535 pixels.
Status readFrames(Gif& gif, std::string_view bytes) {
  const auto bad = [&](const auto&... why) { return invalidArgument("Invalid GIF data (size ", bytes.size(), "), ", why...); };
  Gif looked;
  WEFT_TRY(open(looked, bytes));
  if (const int64_t pixels = extentOf(looked.file).pixels; pixels * 3 > kMaxBytes) return bad("the frames are too large: ", pixels, " pixels");
  WEFT_TRY(open(gif, bytes));
  if (DGifSlurp(gif.file) != GIF_OK) return bad("failed to slurp gif file: " + gifError(gif.file->Error));
  if (gif.file->ImageCount <= 0) return bad("gif file does not contain any image");
  return {};
}

/// The file without extensions that hold nothing: giflib takes the block after one for a part of it.
std::string withoutEmptyExtensions(std::string_view bytes) {
  const auto byte = [&](size_t at) { return at < bytes.size() ? uint8_t(bytes[at]) : uint8_t(0); };
  const auto tableAt = [&](size_t flags) { return byte(flags) & 0x80 ? size_t(6) << (byte(flags) & 7) : 0; };  // bytes of a colour table
  const auto afterBlocks = [&](size_t at) {
    while (byte(at)) at += byte(at) + size_t(1);
    return at + 1;
  };
  size_t at = std::min(bytes.size(), 13 + tableAt(10));
  std::string out(bytes.substr(0, at));
  while (at < bytes.size()) {
    size_t end = bytes.size();
    if (byte(at) == 0x21) end = afterBlocks(at + 2);
    else if (byte(at) == 0x2c) end = afterBlocks(at + 11 + tableAt(at + 9));
    end = std::min(end, bytes.size());
    if (byte(at) != 0x21 || byte(at + 2) != 0 || end != at + 3) out += bytes.substr(at, end - at);
    at = end;
  }
  return out;
}

int32_t word(std::string_view bytes, size_t at) {
  uint32_t v = 0;
  for (size_t i = 0; i < 4; ++i) v |= uint32_t(uint8_t(bytes[at + i])) << (8 * i);
  return int32_t(v);
}

}  // namespace

Result<Tensor> decodeGif(std::string_view bytes) {
  Gif gif;
  WEFT_TRY(readFrames(gif, bytes));
  const auto bad = [&](const auto&... why) { return invalidArgument("Invalid GIF data (size ", bytes.size(), "), ", why...); };
  const int frames = gif.file->ImageCount;
  int64_t width = 0, height = 0;
  for (int k = 0; k < frames; ++k) {
    width = std::max<int64_t>(width, gif.file->SavedImages[k].ImageDesc.Width);
    height = std::max<int64_t>(height, gif.file->SavedImages[k].ImageDesc.Height);
  }
  if (width * height * 3 * frames > kMaxBytes) return bad("the frames are too large: ", frames, " of ", width, " x ", height);
  WEFT_LET(Tensor out, Tensor::allocate(DType::UInt8, Shape{frames, height, width, 3}));
  const int64_t canvas = width * height * 3;
  for (int k = 0; k < frames; ++k) {
    const SavedImage& image = gif.file->SavedImages[k];
    const GifImageDesc& at = image.ImageDesc;
    uint8_t* to = out.mutableData<uint8_t>() + k * canvas;
    int64_t left = at.Left, top = at.Top, right = left + at.Width, bottom = top + at.Height;
    if (left != 0 || top != 0 || at.Width != width || at.Height != height) {
      // Outside the frame, the canvas keeps the previous frame.
      if (k == 0) return bad("the first frame does not fill the canvas");
      left = std::max<int64_t>(left, 0);
      top = std::max<int64_t>(top, 0);
      right = std::min(right, width);
      bottom = std::min(bottom, height);
      std::memcpy(to, to - canvas, size_t(canvas));
    }
    const ColorMapObject* colors = at.ColorMap ? at.ColorMap : gif.file->SColorMap;
    if (!colors) return bad("missing color map for frame ", k);
    for (int64_t y = top; y < bottom; ++y) {
      for (int64_t x = left; x < right; ++x) {
        const GifByteType index = image.RasterBits[(y - at.Top) * at.Width + (x - at.Left)];
        if (index >= colors->ColorCount) return bad("found color index ", int(index), " outside of color map range ", colors->ColorCount);
        const GifColorType& c = colors->Colors[index];
        uint8_t* pixel = to + (y * width + x) * 3;
        pixel[0] = c.Red, pixel[1] = c.Green, pixel[2] = c.Blue;
      }
    }
  }
  return out;
}

Result<Shape> shapeOfGif(std::string_view bytes) {
  const std::string tidy = withoutEmptyExtensions(bytes);
  Gif gif;
  WEFT_TRY(open(gif, tidy));
  const int64_t frames = extentOf(gif.file).frames;
  return Shape{frames, gif.file->SHeight, gif.file->SWidth, 3};
}

std::vector<int> durationsOfGif(std::string_view bytes) {
  const std::string tidy = withoutEmptyExtensions(bytes);
  Gif gif;
  return open(gif, tidy).ok() ? extentOf(gif.file).milliseconds : std::vector<int>();
}

Result<Tensor> decodeGifFile(std::string_view bytes) {
  const std::string tidy = withoutEmptyExtensions(bytes);
  Gif gif;
  WEFT_TRY(readFrames(gif, tidy));
  const auto bad = [&](const auto&... why) { return unreadable("malformed", "Invalid GIF data (size ", bytes.size(), "), ", why...); };
  const int frames = gif.file->ImageCount;
  const int64_t width = gif.file->SWidth, height = gif.file->SHeight, canvas = width * height * 3;
  if (canvas <= 0) return bad("its canvas is ", width, " x ", height);
  if (width * height > kMaxFilePixels / frames)
    return unreadable("too_large", frames, " frames of ", width, " x ", height, " pixels are over the limit of ", kMaxFilePixels);
  WEFT_LET(Tensor out, Tensor::allocate(DType::UInt8, Shape{frames, height, width, 3}));
  uint8_t* all = out.mutableData<uint8_t>();
  const uint8_t* below = nullptr;  // what the next frame is drawn on; null: black
  std::vector<uint8_t> cleared;    // the last frame without what its disposal removes
  for (int k = 0; k < frames; ++k) {
    const SavedImage& image = gif.file->SavedImages[k];
    const GifImageDesc& at = image.ImageDesc;
    GraphicsControlBlock control;
    const bool controlled = DGifSavedExtensionToGCB(gif.file, k, &control) == GIF_OK;
    const int transparent = controlled ? control.TransparentColor : NO_TRANSPARENT_COLOR;
    const ColorMapObject* colours = at.ColorMap ? at.ColorMap : gif.file->SColorMap;
    if (!colours) return bad("missing color map for frame ", k);
    uint8_t* to = all + int64_t(k) * canvas;
    if (below) std::memcpy(to, below, size_t(canvas));
    else std::memset(to, 0, size_t(canvas));
    const int64_t left = std::max<int64_t>(at.Left, 0), top = std::max<int64_t>(at.Top, 0);
    const int64_t right = std::min<int64_t>(int64_t(at.Left) + at.Width, width), bottom = std::min<int64_t>(int64_t(at.Top) + at.Height, height);
    for (int64_t y = top; y < bottom; ++y) {
      for (int64_t x = left; x < right; ++x) {
        const int index = image.RasterBits[(y - at.Top) * at.Width + (x - at.Left)];
        if (index == transparent) continue;
        if (index >= colours->ColorCount) return bad("found color index ", index, " outside of color map range ", colours->ColorCount);
        const GifColorType& c = colours->Colors[index];
        uint8_t* pixel = to + (y * width + x) * 3;
        pixel[0] = c.Red, pixel[1] = c.Green, pixel[2] = c.Blue;
      }
    }
    const int disposal = controlled ? control.DisposalMode : DISPOSAL_UNSPECIFIED;
    if (disposal == DISPOSE_PREVIOUS) continue;
    below = to;
    if (disposal != DISPOSE_BACKGROUND || k + 1 == frames) continue;
    cleared.assign(to, to + canvas);
    for (int64_t y = top; y < bottom && left < right; ++y) std::fill_n(cleared.data() + (y * width + left) * 3, (right - left) * 3, uint8_t(0));
    below = cleared.data();
  }
  return out;
}

Result<Tensor> decodeBmp(std::string_view bytes, int channels) {
  if (bytes.size() < 32) {
    return invalidArgument("Incomplete bmp content, requires at least 32 bytes to find the header size, width, height, and bpp, got ", bytes.size(), " bytes");
  }
  const int64_t header = word(bytes, 10), width = word(bytes, 18), height = word(bytes, 22), inFile = word(bytes, 28) / 8;
  if (channels != 0 && channels != inFile) return invalidArgument("channels attribute ", channels, " does not match bits per pixel from file ", inFile);
  if (inFile != 1 && inFile != 3 && inFile != 4) return invalidArgument("Number of channels must be 1, 3 or 4, was ", inFile);
  if (width <= 0) return invalidArgument("Width must be positive");
  if (height == 0) return invalidArgument("Height must be nonzero");
  if (header < 0) return invalidArgument("header size must be nonnegative");
  const int64_t rows = height < 0 ? -height : height;
  if (width >= kMaxBytes || rows >= kMaxBytes || width * rows >= kMaxBytes / inFile)
    return invalidArgument("Total possible pixel bytes must be less than 2^30");
  const int64_t stride = (width * inFile + 3) / 4 * 4, needed = header + (rows - 1) * stride + width * inFile;
  if (int64_t(bytes.size()) < needed) return invalidArgument("Incomplete bmp content, requires at least ", needed, " bytes, got ", bytes.size(), " bytes");
  WEFT_LET(Tensor out, Tensor::allocate(DType::UInt8, Shape{rows, width, inFile}));
  uint8_t* to = out.mutableData<uint8_t>();
  for (int64_t y = 0; y < rows; ++y) {
    const char* from = bytes.data() + header + (height < 0 ? y : rows - 1 - y) * stride;
    for (int64_t x = 0; x < width; ++x, from += inFile, to += inFile) {
      for (int64_t k = 0; k < inFile; ++k) to[k] = uint8_t(from[k]);
      if (inFile > 1) std::swap(to[0], to[2]);  // blue comes first in the file
    }
  }
  return out;
}

Result<Tensor> decodeBmpFile(std::string_view bytes) {
  if (bytes.size() >= 34) {
    const int32_t header = word(bytes, 14);
    if (header < 40) return unreadable("unsupported", "a BMP header of ", header, " bytes, expected at least 40");
    const int bits = uint8_t(bytes[28]) | uint8_t(bytes[29]) << 8;
    const int32_t compression = word(bytes, 30);
    if (bits != 8 && bits != 24 && bits != 32) return unreadable("unsupported", "BMP pixels of ", bits, " bits, expected 8, 24 or 32");
    // Masks in the usual order mean what pixels without masks mean.
    const bool masked =
        compression == 3 && bits == 32 && bytes.size() >= 66 && word(bytes, 54) == 0xff0000 && word(bytes, 58) == 0xff00 && word(bytes, 62) == 0xff;
    if (compression != 0 && !masked) return unreadable("unsupported", "BMP pixels of compression ", compression, ", expected 0 (none)");
    if (masked) {
      std::string plain(bytes);
      plain[30] = 0;
      return decodeBmp(plain, 0);
    }
  }
  WEFT_LET(Tensor out, decodeBmp(bytes, 0));
  if (out.dim(2) != 1 || bytes.size() < 50) return out;
  // One byte is the number of a colour: four bytes each, between the header and the pixels.
  const int64_t table = 14 + int64_t(word(bytes, 14)), pixels = word(bytes, 10), colours = (pixels - table) / 4;
  if (table < 54 || colours < 1 || pixels > int64_t(bytes.size())) return out;
  bool grey = true;
  for (int64_t i = 0; i < std::min<int64_t>(colours, 256); ++i)
    for (int64_t k = 0; k < 3; ++k) grey = grey && uint8_t(bytes[size_t(table + 4 * i + k)]) == i;
  if (grey) return out;
  WEFT_LET(Tensor coloured, Tensor::allocate(DType::UInt8, Shape{out.dim(0), out.dim(1), 3}));
  uint8_t* to = coloured.mutableData<uint8_t>();
  for (int64_t i = 0; i < out.elements(); ++i, to += 3) {
    const int64_t colour = out.data<uint8_t>()[i];
    if (colour >= colours) return unreadable("malformed", "a pixel has colour ", colour, ", but the palette ends at ", colours - 1);
    for (int64_t k = 0; k < 3; ++k) to[k] = uint8_t(bytes[size_t(table + 4 * colour + 2 - k)]);
  }
  return coloured;
}

}  // namespace weft::pictures
