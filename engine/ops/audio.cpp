// Audio: WAV files, spectrograms, mel-frequency cepstral coefficients (for speech recognition), and audio summaries.
#include <algorithm>
#include <cmath>
#include <complex>
#include <cstring>
#include <limits>

#include "base/parallel.h"
#include "data/sounds.h"
#include "ops/registry.h"
#include "ops/summaries.h"
#include "proto/summary.pb.h"

namespace weft {
namespace {

// ---- WAV: RIFF chunks, little-endian, 16 bits per sample

class WavReader {
 public:
  explicit WavReader(std::string_view bytes) : bytes_(bytes) {}
  bool atEnd() const { return at_ >= bytes_.size(); }
  Result<std::string> text() {
    if (bytes_.size() - std::min(at_, bytes_.size()) < 4) return invalidArgument("Data too short when trying to read string");
    at_ += 4;
    return std::string(bytes_.substr(at_ - 4, 4));
  }
  Status expect(std::string_view want) {
    WEFT_LET(const std::string found, text());
    if (found != want) return invalidArgument("Header mismatch: Expected ", want, " but found ", found);
    return {};
  }
  Result<uint32_t> number(size_t size) {
    if (bytes_.size() - std::min(at_, bytes_.size()) < size) return invalidArgument("Data too short when trying to read value");
    uint32_t v = 0;
    for (size_t i = 0; i < size; ++i) v |= uint32_t(uint8_t(bytes_[at_ + i])) << (8 * i);
    at_ += size;
    return v;
  }
  /// Consumes and returns the next `count` bytes.
  Result<std::string_view> block(size_t count) {
    if (bytes_.size() - std::min(at_, bytes_.size()) < count) return invalidArgument("Data too short when trying to read string");
    at_ += count;
    return bytes_.substr(at_ - count, count);
  }
  void skip(size_t count) { at_ += count; }

 private:
  std::string_view bytes_;
  size_t at_ = 0;
};

struct Wav {
  std::vector<float> samples;
  uint32_t channels = 0, rate = 0;
  int64_t frames = 0;
};

Result<Wav> decodeWav(std::string_view bytes) {
  Wav wav;
  WavReader r(bytes);
  WEFT_TRY(r.expect("RIFF"));
  WEFT_TRY(r.number(4).status());
  WEFT_TRY(r.expect("WAVE"));
  WEFT_TRY(r.expect("fmt "));
  WEFT_LET(const uint32_t formatSize, r.number(4));
  if (formatSize != 16 && formatSize != 18) return invalidArgument("Bad format chunk size for WAV: Expected 16 or 18, but got", formatSize);
  WEFT_LET(const uint32_t format, r.number(2));
  if (format != 1) return invalidArgument("Bad audio format for WAV: Expected 1 (PCM), but got", format);
  WEFT_LET(wav.channels, r.number(2));
  WEFT_LET(wav.rate, r.number(4));
  WEFT_LET(const uint32_t perSecond, r.number(4));
  WEFT_LET(const uint32_t perFrame, r.number(2));
  WEFT_LET(const uint32_t bits, r.number(2));
  if (bits != 16) return invalidArgument("Can only read 16-bit WAV files, but received ", bits);
  const uint32_t frame = (bits * wav.channels + 7) / 8;
  if (perFrame != frame) return invalidArgument("Bad bytes per sample in WAV header: Expected ", frame, " but got ", perFrame);
  if (perSecond != frame * wav.rate) {
    return invalidArgument("Bad bytes per second in WAV header: Expected ", frame * wav.rate, " but got ", perSecond, " (sample_rate=", wav.rate,
                           ", bytes_per_sample=", perFrame, ")");
  }
  if (frame == 0) return invalidArgument("Bad number of channels in WAV header: Expected at least 1, but got 0");
  if (formatSize == 18) r.skip(2);
  bool found = false;
  while (!r.atEnd()) {
    WEFT_LET(const std::string chunk, r.text());
    WEFT_LET(const uint32_t size, r.number(4));
    if (size > 0x7fffffff) return invalidArgument("WAV data chunk '", chunk, "' is too large: ", size, " bytes, but the limit is ", 0x7fffffff);
    if (chunk != "data") {
      r.skip(size);
      continue;
    }
    if (found) return invalidArgument("More than one data chunk found in WAV");
    found = true;
    wav.frames = size / frame;
    WEFT_LET(const std::string_view data, r.block(size_t(wav.frames) * frame));
    wav.samples.resize(data.size() / 2);
    for (size_t i = 0; i < wav.samples.size(); ++i) {
      wav.samples[i] = float(int16_t(uint16_t(uint8_t(data[2 * i])) | uint16_t(uint16_t(uint8_t(data[2 * i + 1])) << 8))) / 32768.0f;
    }
  }
  if (!found) return invalidArgument("No data chunk found in WAV");
  return wav;
}

Status decodeWavShape(ShapeContext& c) {
  WEFT_TRY(c.requireRank(c.input(0), 0));
  int64_t dims[2];
  int i = 0;
  for (const auto& [attr, name] : {std::pair("desired_samples", "samples"), std::pair("desired_channels", "channels")}) {
    const int64_t v = c.attrs().integer(attr, -1);
    if (v < -1) return invalidArgument(name, " must be non-negative, got ", v);
    dims[i++] = v;
  }
  c.setOutput(0, Shape{dims[0], dims[1]});
  c.setOutput(1, Shape());
  return {};
}

Status runDecodeWav(KernelContext& c) {
  const Tensor& contents = c.input(0);
  if (contents.rank() != 0) return invalidArgument("contents must be scalar, got shape ", contents.shape().toString());
  WEFT_LET(const Wav wav, decodeWav(contents.data<std::string>()[0]));
  const int64_t wantFrames = c.node().attrs.integer("desired_samples", -1), wantChannels = c.node().attrs.integer("desired_channels", -1);
  const int64_t frames = wantFrames < 0 ? wav.frames : wantFrames, channels = wantChannels < 0 ? wav.channels : wantChannels;
  WEFT_LET(Tensor * out, c.allocate(0, Shape{frames, channels}));
  for (int64_t i = 0; i < frames; ++i) {
    for (int64_t k = 0; k < channels; ++k) {
      const int64_t from = std::min<int64_t>(k, wav.channels - 1);
      out->mutableData<float>()[i * channels + k] = i < wav.frames ? wav.samples[size_t(i * wav.channels + from)] : 0.0f;
    }
  }
  c.setOutput(1, Tensor::scalar(int32_t(wav.rate)));
  return {};
}

Status encodeWavShape(ShapeContext& c) {
  WEFT_TRY(c.requireRank(c.input(0), 2));
  WEFT_TRY(c.requireRank(c.input(1), 0));
  c.setOutput(0, Shape());
  return {};
}

Status runEncodeWav(KernelContext& c) {
  const Tensor &audio = c.input(0), &rate = c.input(1);
  if (audio.rank() != 2) return invalidArgument("audio must be 2-dimensional", audio.shape().toString());
  if (rate.rank() != 0) return invalidArgument("Input sample_rate should be a scalar tensor, got ", rate.shape().toString(), " instead.");
  if (audio.elements() >= 0x7fffffff) return invalidArgument("Cannot encode audio with >= max int32 elements");
  WEFT_LET(std::string bytes, sounds::encodeWav(audio.data<float>(), rate.asInt(0), audio.dim(1), audio.dim(0)));
  c.setOutput(0, Tensor::scalar(std::move(bytes)));
  return {};
}

// ---- summaries

}  // namespace

Status addSounds(const std::string& tag, const Tensor& sound, float rate, int64_t most, tensorflow::Summary& to) {
  if (sound.rank() != 2 && sound.rank() != 3) return invalidArgument("Tensor must be 3-D or 2-D, got: ", sound.shape().toString());
  if (!(rate > 0)) return invalidArgument("sample_rate must be > 0");
  const int64_t frames = sound.dim(1), channels = sound.rank() == 2 ? 1 : sound.dim(2);
  for (int64_t i = 0; i < std::min(most, sound.dim(0)); ++i) {
    auto* v = to.add_value();
    v->set_tag(tag + (most > 1 ? "/audio/" + std::to_string(i) : "/audio"));
    auto* audio = v->mutable_audio();
    audio->set_sample_rate(rate);
    audio->set_num_channels(channels);
    audio->set_length_frames(frames);
    audio->set_content_type("audio/wav");
    // Rounds ties to even; at least one sample per second. Rates too large for an integer get the value of the processor's conversion.
    const int64_t rounded = std::isfinite(rate) && rate < 9e18f ? int64_t(std::llrint(rate)) : std::numeric_limits<int64_t>::min(),
                  whole = rounded == 0 ? 1 : rounded;
    WEFT_LET(std::string bytes, sounds::encodeWav(sound.data<float>() + i * frames * channels, whole, channels, frames));
    audio->set_encoded_audio_string(std::move(bytes));
  }
  return {};
}

namespace {

Status runAudioSummary(KernelContext& c) {
  const Tensor &tag = c.input(0), &sound = c.input(1);
  if (tag.elements() != 1 || tag.rank() > 1) return invalidArgument("Tag must be a scalar");
  if (sound.rank() != 2 && sound.rank() != 3) return invalidArgument("Tensor must be 3-D or 2-D, got: ", sound.shape().toString());
  float rate = c.node().attrs.number("sample_rate");
  if (c.inputCount() > 2) {
    if (c.input(2).elements() != 1) return invalidArgument("sample_rate must be a scalar, got: ", c.input(2).shape().toString());
    rate = c.input(2).at<float>(0);
  }
  tensorflow::Summary summary;
  WEFT_TRY(addSounds(tag.data<std::string>()[0], sound, rate, c.node().attrs.integer("max_outputs", 3), summary));
  std::string bytes;
  if (!summary.SerializeToString(&bytes)) return internalError("A summary cannot be encoded");
  c.setOutput(0, Tensor::scalar(std::move(bytes)));
  return {};
}

// ---- AudioSpectrogram

/// In place, for 2^n numbers: bit-reversal permutation, then butterflies.
void transform(std::vector<std::complex<double>>& x) {
  const size_t n = x.size();
  for (size_t i = 1, j = 0; i < n; ++i) {
    size_t bit = n >> 1;
    for (; j & bit; bit >>= 1) j ^= bit;
    j ^= bit;
    if (i < j) std::swap(x[i], x[j]);
  }
  for (size_t length = 2; length <= n; length <<= 1) {
    for (size_t k = 0; k < length / 2; ++k) {
      const std::complex<double> turn = std::polar(1.0, -2 * M_PI * double(k) / double(length));
      for (size_t i = k; i < n; i += length) {
        const std::complex<double> even = x[i], odd = x[i + length / 2] * turn;
        x[i] = even + odd;
        x[i + length / 2] = even - odd;
      }
    }
  }
}

int64_t nextPowerOfTwo(int64_t v) {
  int64_t p = 1;
  while (p < v) p <<= 1;
  return p;
}

constexpr int64_t kLongestWindow = int64_t(1) << 30;

Status spectrogramShape(ShapeContext& c) {
  WEFT_TRY(c.requireRank(c.input(0), 2));
  const int64_t window = c.attrs().integer("window_size"), stride = c.attrs().integer("stride");
  const Shape in = c.input(0).hasRank() ? c.input(0) : Shape::unknownOfRank(2);
  const bool sane = window >= 1 && window <= kLongestWindow && stride >= 1;
  const int64_t count = in.dim(0) < 0 || !sane ? Shape::kUnknownDim : in.dim(0) < window ? 0 : 1 + (in.dim(0) - window) / stride;
  c.setOutput(0, Shape{in.dim(1), count, sane ? 1 + nextPowerOfTwo(window) / 2 : Shape::kUnknownDim});
  return {};
}

Status runSpectrogram(KernelContext& c) {
  const Tensor& in = c.input(0);
  const int64_t window = c.node().attrs.integer("window_size"), stride = c.node().attrs.integer("stride");
  if (in.rank() != 2) return invalidArgument("input must be 2-dimensional", in.shape().toString());
  if (window < 2 || window > kLongestWindow || stride < 1) {
    return invalidArgument("Spectrogram initialization failed for window size ", window, " and stride ", stride);
  }
  const int64_t samples = in.dim(0), channels = in.dim(1), length = nextPowerOfTwo(window), bins = 1 + length / 2;
  const int64_t count = samples < window ? 0 : 1 + (samples - window) / stride;
  WEFT_LET(Tensor * out, c.allocate(0, Shape{channels, count, bins}));
  if (out->elements() == 0) return {};
  // TensorFlow reads all channels as one continuous stream, so the first windows of a channel begin in the previous one. Window k of the stream belongs to the
  // channel of its last sample.
  const auto windowsUpTo = [&](int64_t end) { return end < window ? 0 : 1 + (end - window) / stride; };
  for (int64_t k = 0; k < channels; ++k) {
    const int64_t got = windowsUpTo((k + 1) * samples) - windowsUpTo(k * samples);
    if (got != count) return invalidArgument("Spectrogram size calculation failed: Expected height ", count, " but got ", got);
  }
  const bool squared = c.node().attrs.flag("magnitude_squared");
  std::vector<double> weights(static_cast<size_t>(window));  // Hann window
  for (size_t i = 0; i < weights.size(); ++i) weights[i] = 0.5 - 0.5 * std::cos(2 * M_PI * double(i) / double(window));
  parallelFor(channels * count, 1, [&](int64_t begin, int64_t end) {
    std::vector<std::complex<double>> x(static_cast<size_t>(length));
    for (int64_t r = begin; r < end; ++r) {
      std::fill(x.begin(), x.end(), 0.0);
      for (int64_t i = 0; i < window; ++i) {
        const int64_t at = r * stride + i;
        x[size_t(i)] = double(in.data<float>()[at % samples * channels + at / samples]) * weights[size_t(i)];
      }
      transform(x);
      for (int64_t i = 0; i < bins; ++i) {
        const double power = std::norm(x[size_t(i)]);
        out->mutableData<float>()[r * bins + i] = squared ? float(power) : std::sqrt(float(power));
      }
    }
  });
  return {};
}

// ---- Mfcc

Status mfccShape(ShapeContext& c) {
  WEFT_TRY(c.requireRank(c.input(0), 3));
  WEFT_TRY(c.requireRank(c.input(1), 0));
  const Shape in = c.input(0).hasRank() ? c.input(0) : Shape::unknownOfRank(3);
  const int64_t count = c.attrs().integer("dct_coefficient_count", 13);
  if (count < 0) return invalidArgument("Dimension ", count, " must be >= 0");
  c.setOutput(0, Shape{in.dim(0), in.dim(1), count});
  return {};
}

double melOf(double hertz) { return 1127.0 * std::log1p(hertz / 700.0); }

/// Triangles over the bins of a spectrum, evenly spaced on the mel scale: each bin contributes to two adjacent bands.
struct MelBands {
  int64_t first = 0, last = 0;
  std::vector<int64_t> band;
  std::vector<double> weight;

  static bool make(MelBands& m, int64_t bins, double rate, int64_t count, double low, double high) {
    if (count < 1 || count > (1 << 24) || rate <= 0 || bins < 2 || low < 0 || !(high > low)) return false;
    const double melLow = melOf(low), spacing = (melOf(high) - melLow) / double(count + 1);
    std::vector<double> centers;
    for (int64_t i = 0; i <= count; ++i) centers.push_back(melLow + spacing * double(i + 1));
    const double perBin = 0.5 * rate / double(bins - 1);
    if (!(high / perBin < 2e9)) return false;
    m.first = int64_t(1.5 + low / perBin);
    m.last = int64_t(high / perBin);
    m.band.assign(size_t(bins), -2);
    m.weight.assign(size_t(bins), 0);
    int64_t at = 0;
    for (int64_t i = m.first; i < bins && i <= m.last; ++i) {
      const double mel = melOf(double(i) * perBin);
      while (at < count && centers[size_t(at)] < mel) ++at;
      m.band[size_t(i)] = at - 1;
      const double right = centers[size_t(at)], left = at > 0 ? centers[size_t(at - 1)] : melLow;
      m.weight[size_t(i)] = (right - mel) / (right - left);
    }
    return true;
  }
};

Status runMfcc(KernelContext& c) {
  const Tensor &in = c.input(0), &rateTensor = c.input(1);
  const AttrMap& attrs = c.node().attrs;
  if (in.rank() != 3) return invalidArgument("spectrogram must be 3-dimensional", in.shape().toString());
  if (rateTensor.rank() != 0) return invalidArgument("Input sample_rate should be a scalar tensor, got ", rateTensor.shape().toString(), " instead.");
  const int64_t bins = in.dim(2), rate = rateTensor.asInt(0), bands = attrs.integer("filterbank_channel_count", 40),
                coefficients = attrs.integer("dct_coefficient_count", 13);
  MelBands mel;
  if (!MelBands::make(mel, bins, double(rate), bands, attrs.number("lower_frequency_limit", 20), attrs.number("upper_frequency_limit", 4000)) ||
      coefficients < 1 || coefficients > bands) {
    return invalidArgument("Mfcc initialization failed for channel count ", bins, " and sample rate ", rate);
  }
  WEFT_LET(Tensor * out, c.allocate(0, Shape{in.dim(0), in.dim(1), coefficients}));
  const double norm = std::sqrt(2.0 / double(bands)), step = M_PI / double(bands);
  parallelFor(in.dim(0) * in.dim(1), 16, [&](int64_t begin, int64_t end) {
    std::vector<double> sums(static_cast<size_t>(bands));
    for (int64_t r = begin; r < end; ++r) {
      float* to = out->mutableData<float>() + r * coefficients;
      if (bins <= mel.last) {  // the spectrum ends below the highest band
        std::fill_n(to, coefficients, 0.0f);
        continue;
      }
      const float* spectrum = in.data<float>() + r * bins;
      std::fill(sums.begin(), sums.end(), 0.0);
      for (int64_t i = mel.first; i <= mel.last; ++i) {
        const double v = std::sqrt(double(spectrum[i])), part = v * mel.weight[size_t(i)];
        const int64_t band = mel.band[size_t(i)];
        if (band >= 0) sums[size_t(band)] += part;
        if (band + 1 < bands) sums[size_t(band + 1)] += v - part;
      }
      for (double& v : sums) v = std::log(v < 1e-12 ? 1e-12 : v);
      for (int64_t k = 0; k < coefficients; ++k) {
        double sum = 0;
        for (int64_t j = 0; j < bands; ++j) sum += norm * std::cos(double(k) * step * (double(j) + 0.5)) * sums[size_t(j)];
        to[k] = float(sum);
      }
    }
  });
  return {};
}

}  // namespace

void registerAudio(OpRegistry& ops) {
  const char* const file = "Encoded files are not differentiable.";
  ops.add("DecodeWav")
      .category("Audio")
      .keywords("sound read file wav")
      .summary("Decodes a 16-bit PCM WAV file to floats in [-1, 1].")
      .input("contents: string", "Contents of the file; a scalar.")
      .output("audio: float", "[samples, channels].")
      .output("sample_rate: int32", "Samples per second.")
      .attr("desired_channels: int = -1", "Number of output channels; the last channel is repeated if the file has fewer. -1: as in the file.")
      .attr("desired_samples: int = -1", "Length of the output, padded with silence or truncated. -1: as in the file.")
      .shape(decodeWavShape)
      .noGradient(file)
      .cpu({}, simpleKernel(runDecodeWav));
  ops.add("EncodeWav")
      .category("Audio")
      .keywords("sound write file wav")
      .summary("Encodes audio as a 16-bit PCM WAV file.")
      .input("audio: float", "[samples, channels], in [-1, 1]; values outside are clipped.")
      .input("sample_rate: int32", "Samples per second.")
      .output("contents: string", "The encoded file; a scalar.")
      .shape(encodeWavShape)
      .noGradient(file)
      .cpu({}, simpleKernel(runEncodeWav))
      .gradientIsError = true;
  for (const bool v2 : {false, true}) {
    OpRecord& r = ops.add(v2 ? "AudioSummaryV2" : "AudioSummary");
    r.category("Summaries")
        .summary("Summary with audio clips, each encoded as a WAV file.")
        .input("tag: string", "Base tag of the clips; a scalar.")
        .input("tensor: float", "[batch, samples] or [batch, samples, channels], in [-1, 1].");
    if (v2) r.input("sample_rate: float", "Samples per second.");
    r.output("summary: string", "Serialized Summary message; a scalar.");
    if (!v2) r.attr("sample_rate: float", "Samples per second.").deprecated(15, "Use AudioSummaryV2.");
    r.attr("max_outputs: int >= 1 = 3", "Maximum number of clips of the batch to record.")
        .shape(shapes::scalar)
        .noGradient("A summary is a serialized message.")
        .cpu({}, simpleKernel(runAudioSummary));
  }
  ops.add("AudioSpectrogram")
      .category("Audio")
      .keywords("fft spectrum frequency sound hann")
      .summary("Spectrogram: magnitudes of the Fourier transform over sliding windows of an audio signal.")
      .input("input: float", "[samples, channels].")
      .output("spectrogram: float", "[channels, windows, frequencies].")
      .attr("window_size: int", "Samples per window; the FFT length is the next power of two.")
      .attr("stride: int", "Samples between the starts of consecutive windows.")
      .attr("magnitude_squared: bool = false", "Return squared magnitudes (power) instead of magnitudes.")
      .shape(spectrogramShape)
      .noGradient("TensorFlow defines no gradient for it.")
      .cpu({}, simpleKernel(runSpectrogram))
      .gradientIsError = true;
  ops.add("Mfcc")
      .category("Audio")
      .keywords("mel cepstrum speech sound")
      .summary("Mel-frequency cepstral coefficients (MFCC) of a spectrogram, the usual features for speech recognition.")
      .input("spectrogram: float", "[channels, windows, frequencies], from AudioSpectrogram with magnitude_squared.")
      .input("sample_rate: int32", "Sample rate of the audio in hertz.")
      .output("output: float", "[channels, windows, coefficients].")
      .attr("upper_frequency_limit: float = 4000", "Highest frequency used, in hertz.")
      .attr("lower_frequency_limit: float = 20", "Lowest frequency used, in hertz.")
      .attr("filterbank_channel_count: int = 40", "Number of mel filter banks.")
      .attr("dct_coefficient_count: int = 13", "Number of coefficients per window.")
      .shape(mfccShape)
      .noGradient("TensorFlow defines no gradient for it.")
      .cpu({}, simpleKernel(runMfcc))
      .gradientIsError = true;
  state(ops, OpRole::Summary, Effect::None, "AudioSummary AudioSummaryV2");
}

}  // namespace weft
