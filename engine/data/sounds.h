#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "weft/tensor.h"

// Sounds in WAV files (RIFF).
namespace weft::sounds {

/// 16-bit PCM of `frames` × `channels` samples between -1 and 1, as TensorFlow's EncodeWav writes it. INVALID_ARGUMENT in TensorFlow's words.
Result<std::string> encodeWav(const float* audio, int64_t rate, int64_t channels, int64_t frames);

/// A sound as it is in a file.
struct Sound {
  Tensor samples;  ///< float32 [frames, channels], -1 to 1.
  uint32_t rate = 0, channels = 0;
  int bits = 0;  ///< Of a sample.
  bool isFloat = false;
};
/// Reads PCM of 1 to 64 bits and floats, of RIFF, RIFX (big-endian) and RF64 files, with chunks in any order (the op DecodeWav reads 16-bit PCM alone, as TensorFlow's does).
/// Errors: truncated, malformed, unsupported.
Result<Sound> readWav(std::string_view bytes);

}  // namespace weft::sounds
