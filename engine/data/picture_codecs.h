#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "weft/tensor.h"

// Picture formats as TensorFlow's ops read and write them, using libpng, libjpeg-turbo and giflib. Invalid bytes are INVALID_ARGUMENT in
// TensorFlow's words.
namespace weft::pictures {

struct JpegReading {
  int channels = 0;  ///< 0: as in the file; 1 or 3.
  int ratio = 1;     ///< Downscaling factor: 1, 2, 4 or 8.
  bool fancyUpscaling = true, recoverTruncated = false, accurate = false;
  float acceptableFraction = 1;
  bool crop = false;
  int64_t top = 0, left = 0, height = 0, width = 0;  ///< The crop.
};
/// uint8 [height, width, channels].
Result<Tensor> decodeJpeg(std::string_view bytes, const JpegReading& how);
/// Height, width and channels, from the header alone.
Result<Shape> jpegShape(std::string_view bytes);

struct JpegWriting {
  int quality = 95;
  bool progressive = false, optimize = false, chromaDownsampling = true, perCentimetre = false;
  int xDensity = 300, yDensity = 300;
  std::string xmp;
};
/// `pixels`: rows of 1 or 3 channels.
Result<std::string> encodeJpeg(const uint8_t* pixels, int64_t height, int64_t width, int channels, const JpegWriting& how);

/// uint8 or uint16 [height, width, channels]; channels 0: as in the file.
Result<Tensor> decodePng(std::string_view bytes, int channels, DType type);
/// `pixels`: uint8 or uint16 [height, width, 1 … 4]; compression -1 (default) … 9.
Result<std::string> encodePng(const Tensor& pixels, int compression);

/// uint8 [frames, height, width, 3], without transparency and disposal, as TensorFlow's op.
Result<Tensor> decodeGif(std::string_view bytes);
/// The frames as picture programs show them: transparent pixels and disposal as the file says, on a black canvas.
Result<Tensor> decodeGifFile(std::string_view bytes);
/// The shape of these, found without decoding. Fewer frames if the file is truncated.
Result<Shape> shapeOfGif(std::string_view bytes);
/// For how many milliseconds each frame is shown, 0 if the file does not say, found without decoding. Fewer if the file is truncated.
std::vector<int> durationsOfGif(std::string_view bytes);

/// uint8 [height, width, channels]; channels 0: as in the file.
Result<Tensor> decodeBmp(std::string_view bytes, int channels);
/// BMP as picture programs show it, with the colours of its palette, which TensorFlow's op leaves out. "unsupported": compressed pixels.
Result<Tensor> decodeBmpFile(std::string_view bytes);

/// uint8 [height, width, 3 or, with transparency, 4]; of an animation [frames, height, width, 4].
Result<Tensor> decodeWebp(std::string_view bytes);
/// For how many milliseconds each frame of an animation is shown; empty for a still picture.
std::vector<int> durationsOfWebp(std::string_view bytes);

}  // namespace weft::pictures
