// Pictures and sounds: samples of data sets, and what summaries hold.
#include "data/picture_codecs.h"
#include "data/sounds.h"
#include "io/inspect/format.h"

namespace weft::inspect {
namespace {

using Decode = Result<Tensor> (*)(std::string_view bytes);

void addSize(Report& r, const Shape& pixels, DType dtype) {
  const int first = pixels.rank() - 3;  // an animation has its frames before
  r.json["height"] = pixels.dim(first);
  r.json["width"] = pixels.dim(first + 1);
  r.json["channels"] = pixels.dim(first + 2);
  if (first) r.json["frames"] = pixels.dim(0);
  r.json["dtype"] = dtypeText(int(dtype));
}

/// Adds for how long each frame of an animation is shown.
void addDurations(Report& r, const std::vector<int>& milliseconds) {
  if (milliseconds.size() > 1) r.json["durations_ms"] = milliseconds;
}

/// Adds size and type of decoded pixels to the report.
Status reportPicture(Report& r, const char* kind, Decode decode) {
  r.setKind(kind);
  WEFT_LET(const std::string_view bytes, r.content());
  const auto pixels = decode(bytes);
  if (!pixels.ok()) return pixels.error().kind.empty() ? Error(pixels.error()).ofKind("malformed") : pixels.error();
  addSize(r, pixels->shape(), pixels->dtype());
  return {};
}

/// An animation of over 64 MB is measured without decoding it.
Status reportGif(Report& r) {
  constexpr int64_t kDecoded = 64 << 20;
  r.setKind("gif");
  WEFT_LET(const std::string_view bytes, r.content());
  const auto shape = pictures::shapeOfGif(bytes);
  const int64_t canvas = shape.ok() ? shape->dim(1) * shape->dim(2) * 3 : 0;
  if (shape.ok()) addDurations(r, pictures::durationsOfGif(bytes));
  if (!shape.ok() || r.verify || canvas == 0 || shape->dim(0) <= kDecoded / canvas) return reportPicture(r, "gif", pictures::decodeGifFile);
  addSize(r, *shape, DType::UInt8);
  r.json["verified"] = false;
  return {};
}

Result<std::vector<NamedTensor>> pixelsOf(Report& r, Decode decode) {
  WEFT_LET(const std::string_view bytes, r.content());
  WEFT_LET(Tensor pixels, decode(bytes));
  return std::vector<NamedTensor>{{"", std::move(pixels)}};
}

/// 16-bit samples stay so: byte 24 of the file is the depth.
Result<Tensor> decodePng(std::string_view bytes) {
  if (bytes.size() > 24 && bytes[24] == 16) return pictures::decodePng(bytes, 0, DType::UInt16);
  return decodeImage(bytes);
}
Result<Tensor> decodeJpeg(std::string_view bytes) { return decodeImage(bytes); }

Status reportSound(Report& r) {
  r.setKind("wav");
  WEFT_LET(const std::string_view bytes, r.content());
  WEFT_LET(const sounds::Sound sound, sounds::readWav(bytes));
  const int64_t frames = sound.samples.dim(0);
  r.json["rate"] = sound.rate;
  r.json["channels"] = sound.channels;
  r.json["bits"] = sound.bits;
  r.json["encoding"] = sound.isFloat ? "float" : "pcm";
  r.json["frames"] = frames;
  r.json["seconds"] = sound.rate ? numberJson(double(frames) / sound.rate) : Json(nullptr);
  return {};
}

bool isRiff(Report& r, std::string_view type) { return r.starts("RIFF") && r.head().size() >= 12 && r.head().substr(8, 4) == type; }

/// "BM", and a header of a known length.
bool isBmp(Report& r) {
  if (!r.starts("BM") || r.head().size() < 18) return false;
  const int header = uint8_t(r.head()[14]);
  return r.head()[15] == 0 && r.head()[16] == 0 &&
         (header == 12 || header == 40 || header == 52 || header == 56 || header == 64 || header == 108 || header == 124);
}

}  // namespace

extern const Format kPngFormat;
const Format kPngFormat{arraysKind("png", WEFT_TRANSLATED("FileKinds", "PNG picture"), WEFT_TRANSLATED("FileKinds", "A picture as an array of pixels."), ".png",
                                   ArrayLook::Pictures),
                        [](Report& r) { return r.starts("\x89PNG\r\n\x1a\n"); },
                        [](Report& r) { return reportPicture(r, "png", decodePng); },
                        nullptr,
                        nullptr,
                        [](Report& r) { return pixelsOf(r, decodePng); }};

extern const Format kJpegFormat;
const Format kJpegFormat{arraysKind("jpeg", WEFT_TRANSLATED("FileKinds", "JPEG picture"), WEFT_TRANSLATED("FileKinds", "A picture as an array of pixels."),
                                    ".jpg .jpeg", ArrayLook::Pictures),
                         [](Report& r) { return r.starts("\xff\xd8\xff"); },
                         [](Report& r) { return reportPicture(r, "jpeg", decodeJpeg); },
                         nullptr,
                         nullptr,
                         [](Report& r) { return pixelsOf(r, decodeJpeg); }};

extern const Format kGifFormat;
const Format kGifFormat{arraysKind("gif", WEFT_TRANSLATED("FileKinds", "GIF picture"),
                                   WEFT_TRANSLATED("FileKinds", "The frames of an animation as an array of pixels."), ".gif", ArrayLook::Pictures),
                        [](Report& r) { return r.starts("GIF8"); },
                        reportGif,
                        nullptr,
                        nullptr,
                        [](Report& r) { return pixelsOf(r, pictures::decodeGifFile); }};

extern const Format kBmpFormat;
const Format kBmpFormat{arraysKind("bmp", WEFT_TRANSLATED("FileKinds", "BMP picture"), WEFT_TRANSLATED("FileKinds", "A picture as an array of pixels."), ".bmp",
                                   ArrayLook::Pictures),
                        isBmp,
                        [](Report& r) { return reportPicture(r, "bmp", pictures::decodeBmpFile); },
                        nullptr,
                        nullptr,
                        [](Report& r) { return pixelsOf(r, pictures::decodeBmpFile); }};

extern const Format kWebpFormat;
const Format kWebpFormat{arraysKind("webp", WEFT_TRANSLATED("FileKinds", "WebP picture"), WEFT_TRANSLATED("FileKinds", "A picture as an array of pixels."),
                                    ".webp", ArrayLook::Pictures),
                         [](Report& r) { return isRiff(r, "WEBP"); },
                         [](Report& r) -> Status {
                           WEFT_TRY(reportPicture(r, "webp", pictures::decodeWebp));
                           WEFT_LET(const std::string_view bytes, r.content());
                           addDurations(r, pictures::durationsOfWebp(bytes));
                           return {};
                         },
                         nullptr,
                         nullptr,
                         [](Report& r) { return pixelsOf(r, pictures::decodeWebp); }};

extern const Format kWavFormat;
const Format kWavFormat{
    arraysKind("wav", WEFT_TRANSLATED("FileKinds", "WAV sound"), WEFT_TRANSLATED("FileKinds", "A sound as an array of samples, a column per channel."), ".wav",
               ArrayLook::Sound),
    [](Report& r) { return isRiff(r, "WAVE") || ((r.starts("RIFX") || r.starts("RF64")) && r.head().size() >= 12 && r.head().substr(8, 4) == "WAVE"); },
    reportSound,
    nullptr,
    nullptr,
    [](Report& r) -> Result<std::vector<NamedTensor>> {
      WEFT_LET(const std::string_view bytes, r.content());
      WEFT_LET(sounds::Sound sound, sounds::readWav(bytes));
      return std::vector<NamedTensor>{{"", std::move(sound.samples)}};
    }};

}  // namespace weft::inspect
