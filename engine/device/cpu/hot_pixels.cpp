#include "device/cpu/hot_pixels.h"

// Compiled once per instruction set, with the restrictions of hot_nn.cpp. Pixels are taken apart into blocks of channels, over which loops without branches run.
namespace weft::cpu::WEFT_ISA_NAME {
namespace {

constexpr int kBlock = 64;

struct Channels {
  float a[kBlock], b[kBlock], c[kBlock];
};

inline float least(float a, float b) { return b < a ? b : a; }
inline float most(float a, float b) { return a < b ? b : a; }
inline float inUnit(float x) { return x < 0.0f ? 0.0f : 1.0f < x ? 1.0f : x; }

inline void blockToHsv(Channels& p) {
  for (int i = 0; i < kBlock; ++i) {
    const float r = p.a[i], g = p.b[i], b = p.c[i];
    const float value = most(most(r, g), b), range = value - least(least(r, g), b), step = 1.0f / (6.0f * range);
    const float red = step * (g - b), green = step * (b - r) + 2.0f / 6.0f, blue = step * (r - g) + 4.0f / 6.0f;
    float hue = r == value ? red : g == value ? green : blue;
    hue = hue < 0 ? hue + 1 : hue;
    const float saturation = range / value;
    p.a[i] = range > 0 ? hue : 0.0f;
    p.b[i] = value > 0 ? saturation : 0.0f;
    p.c[i] = value;
  }
}

inline void blockFromHsv(Channels& p) {
  for (int i = 0; i < kBlock; ++i) {
    const float six = p.a[i] * 6.0f, s = p.b[i], v = p.c[i];
    p.a[i] = ((1.0f - s) + s * inUnit(__builtin_fabsf(six - 3.0f) - 1.0f)) * v;
    p.b[i] = ((1.0f - s) + s * inUnit(2.0f - __builtin_fabsf(six - 2.0f))) * v;
    p.c[i] = ((1.0f - s) + s * inUnit(2.0f - __builtin_fabsf(six - 4.0f))) * v;
  }
}

template <typename F>
inline void overBlocks(float* y, const float* x, int64_t pixels, F&& f) {
  Channels p;
  for (int64_t at = 0; at < pixels; at += kBlock, x += 3 * kBlock, y += 3 * kBlock) {
    const int n = pixels - at < kBlock ? int(pixels - at) : kBlock;
    for (int i = 0; i < n; ++i) p.a[i] = x[3 * i], p.b[i] = x[3 * i + 1], p.c[i] = x[3 * i + 2];
    for (int i = n; i < kBlock; ++i) p.a[i] = p.b[i] = p.c[i] = 0;
    f(p);
    for (int i = 0; i < n; ++i) y[3 * i] = p.a[i], y[3 * i + 1] = p.b[i], y[3 * i + 2] = p.c[i];
  }
}

void toHsv(float* y, const float* x, int64_t pixels) {
  overBlocks(y, x, pixels, [](Channels& p) { blockToHsv(p); });
}
void fromHsv(float* y, const float* x, int64_t pixels) {
  overBlocks(y, x, pixels, [](Channels& p) { blockFromHsv(p); });
}

void turnHues(float* y, const float* x, float amount, int64_t pixels) {
  overBlocks(y, x, pixels, [&](Channels& p) {
    // A hue lies between the smallest and the largest channel. This also holds for pixels below 0, for which saturation and value are undefined.
    float base[kBlock];
    for (int i = 0; i < kBlock; ++i) {
      base[i] = most(most(p.a[i], p.b[i]), p.c[i]) <= 0 ? least(least(p.a[i], p.b[i]), p.c[i]) : 0.0f;
      p.a[i] -= base[i];
      p.b[i] -= base[i];
      p.c[i] -= base[i];
    }
    blockToHsv(p);
    for (int i = 0; i < kBlock; ++i) {
      const float turned = p.a[i] + amount;
      p.a[i] = turned - __builtin_floorf(turned);
    }
    blockFromHsv(p);
    for (int i = 0; i < kBlock; ++i) p.a[i] += base[i], p.b[i] += base[i], p.c[i] += base[i];
  });
}

void scaleSaturations(float* y, const float* x, float amount, int64_t pixels) {
  overBlocks(y, x, pixels, [&](Channels& p) {
    blockToHsv(p);
    for (int i = 0; i < kBlock; ++i) p.b[i] = inUnit(p.b[i] * amount);
    blockFromHsv(p);
  });
}

/// `known`: the number of channels if the compiler may know it, or 0.
template <int64_t known>
void blendPixels(float* __restrict y, const float* top, const float* bottom, const int32_t* left, const int32_t* right, const float* across, float down,
                 int64_t columns, int64_t channels) {
  if (known) channels = known;
  for (int64_t c = 0; c < columns; ++c, y += channels) {
    const int64_t l = left[c] * channels, r = right[c] * channels;
    const float *tl = top + l, *tr = top + r, *bl = bottom + l, *br = bottom + r;
    const float part = across[c];
    for (int64_t k = 0; k < channels; ++k) {
      const float t = tl[k] + (tr[k] - tl[k]) * part, b = bl[k] + (br[k] - bl[k]) * part;
      y[k] = t + (b - t) * down;
    }
  }
}

void blendFour(float* y, const float* top, const float* bottom, const int32_t* left, const int32_t* right, const float* across, float down, int64_t columns,
               int64_t channels) {
  switch (channels) {
    case 1: return blendPixels<1>(y, top, bottom, left, right, across, down, columns, channels);
    case 3: return blendPixels<3>(y, top, bottom, left, right, across, down, columns, channels);
    case 4: return blendPixels<4>(y, top, bottom, left, right, across, down, columns, channels);
    default: return blendPixels<0>(y, top, bottom, left, right, across, down, columns, channels);
  }
}

}  // namespace

extern const PixelKernels kPixelKernels;
const PixelKernels kPixelKernels = {toHsv, fromHsv, turnHues, scaleSaturations, blendFour};

}  // namespace weft::cpu::WEFT_ISA_NAME
