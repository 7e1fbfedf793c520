#include "data/sounds.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "base/file_errors.h"
#include "weft/arrays.h"

namespace weft::sounds {
namespace {

/// A number of up to 8 bytes.
uint64_t numberAt(std::string_view bytes, size_t at, int size, bool bigEndian) {
  uint64_t v = 0;
  for (int i = 0; i < size; ++i) v |= uint64_t(uint8_t(bytes[at + size_t(bigEndian ? size - 1 - i : i)])) << (8 * i);
  return v;
}

constexpr uint32_t kPcm = 1, kFloat = 3, kExtensible = 0xFFFE;
constexpr uint64_t kInOtherChunk = 0xFFFFFFFF;  // a size that RF64 states in its chunk "ds64"

/// What the chunk "fmt " says.
struct SampleForm {
  uint32_t code = 0, channels = 0, rate = 0, bits = 0;
  int width = 0;  ///< Bytes of a sample.
  bool bigEndian = false;
};

Result<SampleForm> readForm(std::string_view chunk, bool bigEndian) {
  if (chunk.size() < 16) return damaged("malformed", "the chunk \"fmt \" has ", chunk.size(), " bytes, expected at least 16");
  const auto at = [&](size_t place, int size) { return uint32_t(numberAt(chunk, place, size, bigEndian)); };
  SampleForm form{at(0, 2), at(2, 2), at(4, 4), at(14, 2), 0, bigEndian};
  if (form.code == kExtensible && chunk.size() >= 28) form.code = at(24, 4);
  const bool pcm = form.code == kPcm && form.bits >= 1 && form.bits <= 64;
  if (!pcm && !(form.code == kFloat && (form.bits == 32 || form.bits == 64)))
    return damaged("unsupported", "samples of format ", form.code, " with ", form.bits,
                   " bits, expected PCM (1) with 1 to 64 bits or floats (3) with 32 or 64");
  if (form.channels == 0) return damaged("malformed", "a sound without channels");
  form.width = int(form.bits + 7) / 8;
  if (const uint32_t frame = at(12, 2); form.bits % 8 != 0 && frame != uint32_t(form.width) * form.channels)
    return damaged("unsupported", "samples of ", form.bits, " bits in frames of ", frame, " bytes, expected ", uint32_t(form.width) * form.channels);
  return form;
}

float sampleAt(std::string_view data, size_t at, const SampleForm& form) {
  const uint64_t raw = numberAt(data, at, form.width, form.bigEndian);
  if (form.code == kFloat) return form.width == 4 ? std::bit_cast<float>(uint32_t(raw)) : float(std::bit_cast<double>(raw));
  if (form.width == 1) return (float(raw) - 128) / 128;
  // The sign bit goes to the top. A sample of 12 bits stands in the upper bits of its two bytes.
  return float(double(int64_t(raw << (64 - 8 * form.width))) / 9223372036854775808.0);
}

}  // namespace

Result<Sound> readWav(std::string_view bytes) {
  const std::string_view magic = bytes.substr(0, 4);
  const bool bigEndian = magic == "RIFX";
  if ((magic != "RIFF" && magic != "RF64" && !bigEndian) || bytes.size() < 12 || bytes.substr(8, 4) != "WAVE")
    return damaged("unrecognized", "no RIFF file with the type WAVE");
  Sound sound;
  SampleForm form;
  std::string_view data;
  bool found = false;
  uint64_t longSize = 0;
  for (size_t at = 12; at < bytes.size();) {
    if (bytes.size() - at < 8) {
      if (found) break;  // padding at the end
      return damaged("truncated", "the file ends inside the head of a chunk, at byte ", bytes.size());
    }
    const std::string_view name = bytes.substr(at, 4);
    const uint64_t there = bytes.size() - at - 8;
    uint64_t size = numberAt(bytes, at + 4, 4, bigEndian);
    if (name == "data" && size == kInOtherChunk) size = longSize ? longSize : there;  // none: written to a pipe, its length was not known
    if (size > there) return damaged("truncated", "the chunk \"", name, "\" has ", size, " bytes, but ", there, " are there");
    const std::string_view chunk = bytes.substr(at + 8, size);
    if (name == "fmt ") {
      WEFT_LET(form, readForm(chunk, bigEndian));
    } else if (name == "ds64" && chunk.size() >= 16) {
      longSize = numberAt(chunk, 8, 8, bigEndian);
    } else if (name == "data") {
      if (found) return damaged("unsupported", "several chunks with samples");
      found = true;
      data = chunk;
    }
    at += 8 + size + size % 2;
  }
  if (form.bits == 0) return damaged("malformed", "the chunk \"fmt \" is missing");
  if (!found) return damaged("malformed", "the chunk \"data\" is missing");
  const size_t width = size_t(form.width), frames = data.size() / (width * form.channels);
  WEFT_LET(sound.samples, Tensor::allocate(DType::Float, Shape{int64_t(frames), int64_t(form.channels)}));
  auto* out = sound.samples.mutableData<float>();
  for (size_t i = 0; i < frames * form.channels; ++i) out[i] = sampleAt(data, i * width, form);
  sound.rate = form.rate;
  sound.channels = form.channels;
  sound.bits = int(form.bits);
  sound.isFloat = form.code == kFloat;
  return sound;
}

Result<std::string> encodeWav(const float* audio, int64_t rate, int64_t channels, int64_t frames) {
  if (channels * frames == 0) return invalidArgument("audio is null");
  if (rate <= 0 || rate > 0xffffffffll) return invalidArgument("sample_rate must be in (0, 2^32), got: ", uint64_t(rate));
  if (channels > 0xffff) return invalidArgument("num_channels must be in (0, 2^16), got: ", channels);
  const int64_t size = channels * frames * 2, limit = 0xffffffffll - 36;
  if (size > limit) return invalidArgument("Provided channels and frames cannot be encoded as a WAV.");
  std::string out;
  const auto put = [&](uint64_t v, int bytes) {
    for (int i = 0; i < bytes; ++i) out += char(v >> (8 * i));
  };
  out += "RIFF";
  put(uint64_t(size) + 36, 4);
  out += "WAVEfmt ";
  put(16, 4);
  put(1, 2);
  put(uint64_t(channels), 2);
  put(uint64_t(rate), 4);
  put(uint64_t(rate * channels * 2), 4);
  put(uint64_t(channels) * 2, 2);
  put(16, 2);
  out += "data";
  put(uint64_t(size), 4);
  for (int64_t i = 0; i < channels * frames; ++i) {
    const float v = std::isnan(audio[i]) ? 0 : std::clamp(std::round(audio[i] * 32768.0f), -32768.0f, 32767.0f);
    put(uint64_t(int64_t(int16_t(v))), 2);
  }
  return out;
}

}  // namespace weft::sounds

namespace weft {

Result<std::string> encodeSound(const Tensor& samples, int64_t rate) {
  if (samples.rank() < 1 || samples.rank() > 2) return invalidArgument("a sound has shape [frames] or [frames, channels], not ", samples.shape().toString());
  const int64_t frames = samples.dim(0), channels = samples.rank() == 2 ? samples.dim(1) : 1;
  if (samples.elements() == 0) return invalidArgument("a sound without samples, of shape ", samples.shape().toString());
  if (samples.dtype() == DType::Float) return sounds::encodeWav(samples.data<float>(), rate, channels, frames);
  if (samples.dtype() != DType::Int16) return invalidArgument("a sound is float32 or int16, not ", dtypeName(samples.dtype()));
  std::vector<float> scaled(size_t(samples.elements()));
  for (size_t i = 0; i < scaled.size(); ++i) scaled[i] = float(samples.data<int16_t>()[i]) / 32768.0f;
  return sounds::encodeWav(scaled.data(), rate, channels, frames);
}

}  // namespace weft
