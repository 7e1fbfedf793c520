// Windows over images. Compiled once per instruction set, with the restrictions of hot_nn.cpp.
#include "device/cpu/hot_vectors.h"

#include <cmath>
#include <cstring>

namespace weft::cpu::WEFT_ISA_NAME {
namespace {

/// The part of a window that lies inside the image, along one axis.
struct Span {
  int64_t begin, end;
};
inline Span window(int64_t out, int64_t stride, int64_t pad, int64_t size, int64_t limit) {
  int64_t begin = out * stride - pad, end = begin + size;
  if (begin < 0) begin = 0;
  if (end > limit) end = limit;
  return {begin, end};
}

/// Whether adjacent windows tile the image, so that each element of a gradient is written once. Otherwise gradients are added up.
inline bool coversOnce(const PoolGeometry& g) {
  return g.strideHeight == g.windowHeight && g.strideWidth == g.windowWidth && g.outHeight * g.strideHeight - g.padTop >= g.inHeight &&
         g.outWidth * g.strideWidth - g.padLeft >= g.inWidth;
}

/// For a 2 x 2 window, passes 16 gradients to the first largest of the four inputs each, and zeros to the others. Rows are `row` floats apart.
inline void passToLargestOfFour(float* backprop, const float* in, int64_t row, int64_t C, Vec d, bool positiveOnly) {
  const Vec v0 = load(in), v1 = load(in + C), v2 = load(in + row), v3 = load(in + row + C), zero{};
  const IVec second = v0 < v1;
  const Vec upper = second ? v1 : v0;
  const IVec third = upper < v2;
  const Vec three = third ? v2 : upper;
  const IVec fourth = three < v3;
  if (positiveOnly) d = (fourth ? v3 : three) > zero ? d : d * zero;  // as in ReluGrad: values that are not finite stay visible
  const Vec ofThree = fourth ? zero : d, ofTwo = third ? zero : ofThree;
  store(backprop, second ? zero : ofTwo);
  store(backprop + C, second ? ofTwo : zero);
  store(backprop + row, third ? ofThree : zero);
  store(backprop + row + C, fourth ? d : zero);
}

}  // namespace

void maxPool(float* out, const float* in, const PoolGeometry& g, int64_t begin, int64_t end) {
  const int64_t C = g.channels;
  for (int64_t row = begin; row < end; ++row) {
    const int64_t image = row / g.outHeight, y = row % g.outHeight;
    const float* base = in + image * g.inHeight * g.inWidth * C;
    const Span h = window(y, g.strideHeight, g.padTop, g.windowHeight, g.inHeight);
    for (int64_t x = 0; x < g.outWidth; ++x) {
      const Span w = window(x, g.strideWidth, g.padLeft, g.windowWidth, g.inWidth);
      float* o = out + (row * g.outWidth + x) * C;
      overColumns(
          C,
          [&](int64_t c) {
            Vec m = all(kLowest);
            for (int64_t i = h.begin; i < h.end; ++i) {
              const float* p = base + (i * g.inWidth + w.begin) * C + c;
              for (int64_t j = w.begin; j < w.end; ++j, p += C) m = larger(m, load(p));
            }
            store(o + c, m);
          },
          [&](int64_t c) {
            float m = kLowest;
            for (int64_t i = h.begin; i < h.end; ++i) {
              const float* p = base + (i * g.inWidth + w.begin) * C + c;
              for (int64_t j = w.begin; j < w.end; ++j, p += C) m = m < *p ? *p : m;
            }
            o[c] = m;
          });
    }
  }
}

void averagePool(float* out, const float* in, const PoolGeometry& g, int64_t begin, int64_t end) {
  const int64_t C = g.channels;
  for (int64_t row = begin; row < end; ++row) {
    const int64_t image = row / g.outHeight, y = row % g.outHeight;
    const float* base = in + image * g.inHeight * g.inWidth * C;
    const Span h = window(y, g.strideHeight, g.padTop, g.windowHeight, g.inHeight);
    for (int64_t x = 0; x < g.outWidth; ++x) {
      const Span w = window(x, g.strideWidth, g.padLeft, g.windowWidth, g.inWidth);
      float* o = out + (row * g.outWidth + x) * C;
      const float count = float((h.end - h.begin) * (w.end - w.begin));
      overColumns(
          C,
          [&](int64_t c) {
            Vec s{};
            for (int64_t i = h.begin; i < h.end; ++i) {
              const float* p = base + (i * g.inWidth + w.begin) * C + c;
              for (int64_t j = w.begin; j < w.end; ++j, p += C) s += load(p);
            }
            store(o + c, s / count);
          },
          [&](int64_t c) {
            float s = 0;
            for (int64_t i = h.begin; i < h.end; ++i) {
              const float* p = base + (i * g.inWidth + w.begin) * C + c;
              for (int64_t j = w.begin; j < w.end; ++j, p += C) s += *p;
            }
            o[c] = s / count;
          });
    }
  }
}

void maxPoolGrad(float* backprop, const float* in, const float* grad, const PoolGeometry& g, bool positiveOnly) {
  const int64_t C = g.channels, W = g.inWidth;
  const bool tiles = coversOnce(g);
  if (!tiles) std::memset(backprop, 0, size_t(g.inHeight * W * C) * sizeof(float));
  for (int64_t y = 0; y < g.outHeight; ++y) {
    const Span h = window(y, g.strideHeight, g.padTop, g.windowHeight, g.inHeight);
    for (int64_t x = 0; x < g.outWidth; ++x) {
      const Span w = window(x, g.strideWidth, g.padLeft, g.windowWidth, W);
      const float* dy = grad + (y * g.outWidth + x) * C;
      const bool ofFour = tiles && h.end - h.begin == 2 && w.end - w.begin == 2;  // by far the most common case
      overColumns(
          C,
          [&](int64_t c) {
            if (ofFour) {
              const int64_t at = (h.begin * W + w.begin) * C + c;
              passToLargestOfFour(backprop + at, in + at, W * C, C, load(dy + c), positiveOnly);
              return;
            }
            Vec m = load(in + (h.begin * W + w.begin) * C + c);
            IVec where{};
            int32_t position = 0;
            for (int64_t i = h.begin; i < h.end; ++i) {
              const float* p = in + (i * W + w.begin) * C + c;
              for (int64_t j = w.begin; j < w.end; ++j, p += C, ++position) {
                const Vec v = load(p);
                const IVec better = m < v;
                m = better ? v : m;
                where = better ? IVec{} + position : where;
              }
            }
            Vec d = load(dy + c);
            if (positiveOnly && tiles) d = m > Vec{} ? d : d * Vec{};
            position = 0;
            for (int64_t i = h.begin; i < h.end; ++i) {
              float* q = backprop + (i * W + w.begin) * C + c;
              for (int64_t j = w.begin; j < w.end; ++j, q += C, ++position) {
                const Vec part = (where == IVec{} + position) ? d : Vec{};
                store(q, tiles ? part : load(q) + part);
              }
            }
          },
          [&](int64_t c) {
            float m = 0;
            float* best = nullptr;
            for (int64_t i = h.begin; i < h.end; ++i) {
              for (int64_t j = w.begin; j < w.end; ++j) {
                const int64_t at = (i * W + j) * C + c;
                if (tiles) backprop[at] = 0;
                if (!best || m < in[at]) {
                  m = in[at];
                  best = backprop + at;
                }
              }
            }
            if (!best) return;
            *best += dy[c];
            if (positiveOnly && tiles && !(m > 0)) *best *= 0;
          });
    }
  }
  // With overlapping windows, ReluGrad applies to the whole sum only.
  if (positiveOnly && !tiles) {
    const int64_t n = g.inHeight * W * C;
    for (int64_t i = 0; i < n; ++i) backprop[i] = in[i] > 0 ? backprop[i] : backprop[i] * 0;
  }
}

void averagePoolGrad(float* backprop, const float* grad, const PoolGeometry& g) {
  const int64_t C = g.channels, W = g.inWidth;
  const bool tiles = coversOnce(g);
  if (!tiles) std::memset(backprop, 0, size_t(g.inHeight * W * C) * sizeof(float));
  for (int64_t y = 0; y < g.outHeight; ++y) {
    const Span h = window(y, g.strideHeight, g.padTop, g.windowHeight, g.inHeight);
    for (int64_t x = 0; x < g.outWidth; ++x) {
      const Span w = window(x, g.strideWidth, g.padLeft, g.windowWidth, W);
      const float* dy = grad + (y * g.outWidth + x) * C;
      const float share = 1.f / float((h.end - h.begin) * (w.end - w.begin));
      for (int64_t i = h.begin; i < h.end; ++i) {
        for (int64_t j = w.begin; j < w.end; ++j) {
          float* q = backprop + (i * W + j) * C;
          overColumns(
              C, [&](int64_t c) { store(q + c, (tiles ? Vec{} : load(q + c)) + load(dy + c) * share); },
              [&](int64_t c) { q[c] = (tiles ? 0.f : q[c]) + dy[c] * share; });
        }
      }
    }
  }
}

}  // namespace weft::cpu::WEFT_ISA_NAME
