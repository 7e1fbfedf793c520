// Discrete Fourier transforms by Stockham's method (Cooley-Tukey without reordering, Cochran et al. 1967): a pass with radix r splits transforms of length r * m
// into r of length m, and writes results where the next pass reads them in order. Real and imaginary parts are in separate arrays. Eight lines are computed side by
// side, one per lane of a vector; the same code with single numbers instead of vectors computes the remaining lines, with the same results.
#include "device/cpu/hot_fourier.h"

namespace weft::cpu::WEFT_ISA_NAME {
namespace {

typedef float Floats __attribute__((vector_size(kFourierLanes * sizeof(float))));
typedef double Doubles __attribute__((vector_size(kFourierLanes * sizeof(double))));

/// Complex numbers with separate parts.
template <typename P>
struct Parts {
  P* re;
  P* im;
};

template <typename T, typename P>
void passOf2(int64_t m, int64_t s, Parts<P> x, Parts<P> y, const T* w) {
  for (int64_t p = 0; p < m; ++p, w += 2) {
    const T wr = w[0], wi = w[1];
    const P* __restrict ar = x.re + s * p, * __restrict ai = x.im + s * p, * __restrict br = ar + s * m, * __restrict bi = ai + s * m;
    P* __restrict cr = y.re + s * 2 * p, * __restrict ci = y.im + s * 2 * p, * __restrict dr = cr + s, * __restrict di = ci + s;
    for (int64_t q = 0; q < s; ++q) {
      const P tr = ar[q] - br[q], ti = ai[q] - bi[q];
      cr[q] = ar[q] + br[q];
      ci[q] = ai[q] + bi[q];
      dr[q] = tr * wr - ti * wi;
      di[q] = tr * wi + ti * wr;
    }
  }
}

template <typename T, typename P>
void passOf4(int64_t m, int64_t s, Parts<P> x, Parts<P> y, const T* w) {
  const int64_t far = s * m;
  for (int64_t p = 0; p < m; ++p, w += 6) {
    const T w1r = w[0], w1i = w[1], w2r = w[2], w2i = w[3], w3r = w[4], w3i = w[5];
    const P* __restrict xr = x.re + s * p, * __restrict xi = x.im + s * p;
    P* __restrict yr = y.re + s * 4 * p, * __restrict yi = y.im + s * 4 * p;
    for (int64_t q = 0; q < s; ++q) {
      const P sumr = xr[q] + xr[q + 2 * far], sumi = xi[q] + xi[q + 2 * far];
      const P difr = xr[q] - xr[q + 2 * far], difi = xi[q] - xi[q + 2 * far];
      const P sur = xr[q + far] + xr[q + 3 * far], sui = xi[q + far] + xi[q + 3 * far];
      const P dir = xr[q + far] - xr[q + 3 * far], dii = xi[q + far] - xi[q + 3 * far];
      const P br = difr + dii, bi = difi - dir, cr = sumr - sur, ci = sumi - sui, dr = difr - dii, di = difi + dir;
      yr[q] = sumr + sur;
      yi[q] = sumi + sui;
      yr[q + s] = br * w1r - bi * w1i;
      yi[q + s] = br * w1i + bi * w1r;
      yr[q + 2 * s] = cr * w2r - ci * w2i;
      yi[q + 2 * s] = cr * w2i + ci * w2r;
      yr[q + 3 * s] = dr * w3r - di * w3i;
      yi[q + 3 * s] = dr * w3i + di * w3r;
    }
  }
}

/// Odd radices up to 61. Inputs j and r - j are combined: their sums go with cosines, their differences with sines. `kRadix` 0: the radix is `given`.
template <int kRadix, typename T, typename P>
void passOfOdd(int given, int64_t m, int64_t s, Parts<P> x, Parts<P> y, const T* w, const T* roots) {
  constexpr int kMost = kRadix ? kRadix / 2 : 30;
  const int r = kRadix ? kRadix : given, half = r / 2;
  const int64_t far = s * m;
  for (int64_t p = 0; p < m; ++p, w += 2 * (r - 1)) {
    const P *xr = x.re + s * p, *xi = x.im + s * p;
    P *yr = y.re + s * r * p, *yi = y.im + s * r * p;
    for (int64_t q = 0; q < s; ++q) {
      P sr[kMost], si[kMost], dr[kMost], di[kMost];
      const P firstr = xr[q], firsti = xi[q];
      P allr = firstr, alli = firsti;
      for (int j = 1; j <= half; ++j) {
        const int64_t a = q + far * j, b = q + far * (r - j);
        sr[j - 1] = xr[a] + xr[b];
        si[j - 1] = xi[a] + xi[b];
        dr[j - 1] = xr[a] - xr[b];
        di[j - 1] = xi[a] - xi[b];
        allr += sr[j - 1];
        alli += si[j - 1];
      }
      yr[q] = allr;
      yi[q] = alli;
      for (int k = 1; k <= half; ++k) {
        P er = firstr, ei = firsti, orr = dr[0] * roots[2 * k + 1], oi = di[0] * roots[2 * k + 1];
        er += sr[0] * roots[2 * k];
        ei += si[0] * roots[2 * k];
        int at = k;
        for (int j = 2; j <= half; ++j) {
          at += k;
          if (at >= r) at -= r;
          er += sr[j - 1] * roots[2 * at];
          ei += si[j - 1] * roots[2 * at];
          orr += dr[j - 1] * roots[2 * at + 1];
          oi += di[j - 1] * roots[2 * at + 1];
        }
        // exp(-iφ): E - iO for output k, E + iO for output r - k.
        const P ar = er + oi, ai = ei - orr, br = er - oi, bi = ei + orr;
        const T *wa = w + 2 * (k - 1), *wb = w + 2 * (r - k - 1);
        yr[q + s * k] = ar * wa[0] - ai * wa[1];
        yi[q + s * k] = ar * wa[1] + ai * wa[0];
        yr[q + s * (r - k)] = br * wb[0] - bi * wb[1];
        yi[q + s * (r - k)] = br * wb[1] + bi * wb[0];
      }
    }
  }
}

/// All passes; returns whichever of the two arrays has the result. Swapped parts give the inverse transform.
template <typename T, typename P>
Parts<P> allPasses(const FourierPlan& plan, Parts<P> x, Parts<P> y) {
  int64_t s = 1;
  for (int i = 0; i < plan.passes; ++i) {
    const FourierPass& pass = plan.pass[i];
    const T *w = static_cast<const T*>(pass.twiddles), *roots = static_cast<const T*>(pass.roots);
    const int64_t m = pass.butterflies;
    switch (pass.radix) {
      case 2: passOf2<T, P>(m, s, x, y, w); break;
      case 3: passOfOdd<3, T, P>(3, m, s, x, y, w, roots); break;
      case 4: passOf4<T, P>(m, s, x, y, w); break;
      case 5: passOfOdd<5, T, P>(5, m, s, x, y, w, roots); break;
      case 7: passOfOdd<7, T, P>(7, m, s, x, y, w, roots); break;
      default: passOfOdd<0, T, P>(pass.radix, m, s, x, y, w, roots); break;
    }
    s *= pass.radix;
    const Parts<P> swap = x;
    x = y;
    y = swap;
  }
  return x;
}

/// A length with a large prime factor: a convolution with a chirp, whose length is a power of two (Bluestein 1970).
template <typename P>
Parts<P> byConvolution(const FourierPlan& plan, Parts<P> x, Parts<P> y) {
  const int64_t n = plan.n, m = plan.padded->n;
  const auto times = [](Parts<P> a, int64_t i, double wr, double wi) {
    const P re = a.re[i] * wr - a.im[i] * wi;
    a.im[i] = a.re[i] * wi + a.im[i] * wr;
    a.re[i] = re;
  };
  for (int64_t i = 0; i < n; ++i) times(x, i, plan.chirp[2 * i], plan.chirp[2 * i + 1]);
  for (int64_t i = n; i < m; ++i) x.re[i] = x.im[i] = P{};
  Parts<P> spectrum = allPasses<double, P>(*plan.padded, x, y);
  Parts<P> other = spectrum.re == x.re ? y : x;
  for (int64_t i = 0; i < m; ++i) times(spectrum, i, plan.kernel[2 * i], plan.kernel[2 * i + 1]);
  Parts<P> back = allPasses<double, P>(*plan.padded, {spectrum.im, spectrum.re}, {other.im, other.re});
  back = {back.im, back.re};
  for (int64_t i = 0; i < n; ++i) times(back, i, plan.chirp[2 * i], plan.chirp[2 * i + 1]);
  return back;
}

template <typename T, typename P>
Parts<P> transform(const FourierPlan& plan, Parts<P> x, Parts<P> y, bool inverse) {
  if (inverse) {
    const Parts<P> swapped = transform<T, P>(plan, {x.im, x.re}, {y.im, y.re}, false);
    return {swapped.im, swapped.re};
  }
  if constexpr (sizeof(T) == sizeof(double)) {
    if (plan.padded) return byConvolution<P>(plan, x, y);
  }
  return allPasses<T, P>(plan, x, y);
}

/// Reads `count` elements of each line, complex ones as pairs, and zeros after the first `given`.
template <typename S, typename T, int kLanes>
void readComplex(const S* const* from, int64_t step, int64_t count, int64_t given, T* re, T* im) {
  const int64_t n = count < given ? count : given;
  for (int64_t i = 0; i < n; ++i) {
    for (int l = 0; l < kLanes; ++l) {
      re[i * kLanes + l] = T(from[l][2 * i * step]);
      im[i * kLanes + l] = T(from[l][2 * i * step + 1]);
    }
  }
  for (int64_t i = n * kLanes; i < count * kLanes; ++i) re[i] = im[i] = T(0);
}

/// Reads real elements: pairs as one complex number if the length is even.
template <typename S, typename T, int kLanes>
void readReal(const S* const* from, int64_t step, int64_t n, int64_t given, T* re, T* im) {
  const bool even = n % 2 == 0;
  const int64_t count = even ? n / 2 : n, have = n < given ? n : given;
  for (int64_t i = 0; i < count; ++i) {
    const int64_t a = even ? 2 * i : i;
    for (int l = 0; l < kLanes; ++l) re[i * kLanes + l] = a < have ? T(from[l][a * step]) : T(0);
    for (int l = 0; l < kLanes; ++l) im[i * kLanes + l] = even && a + 1 < have ? T(from[l][(a + 1) * step]) : T(0);
  }
}

/// Computes `lines` <= lanes lines that begin at from[] and to[].
template <typename S, typename T, typename P, int kLanes>
void runGroup(const FourierPlan& plan, const FourierLines& job, const S* const* from, S* const* to, int lines, T* work) {
  const int64_t n = job.n, half = n / 2, size = plan.room * kLanes;
  const bool even = n % 2 == 0;
  Parts<P> x{reinterpret_cast<P*>(work), reinterpret_cast<P*>(work + size)};
  Parts<P> y{reinterpret_cast<P*>(work + 2 * size), reinterpret_cast<P*>(work + 3 * size)};
  const T* w = static_cast<const T*>(plan.halves);
  const auto other = [&](const Parts<P>& a) { return a.re == x.re ? y : x; };
  T* const xr = reinterpret_cast<T*>(x.re);
  T* const xi = reinterpret_cast<T*>(x.im);
  const T scale = job.inverse ? T(1) / T(n) : T(1);
  Parts<P> result = x;
  int64_t count = n;
  switch (job.kind) {
    case FourierKind::Complex:
      readComplex<S, T, kLanes>(from, job.from.step, n, job.given, xr, xi);
      result = transform<T, P>(plan, x, y, job.inverse);
      break;
    case FourierKind::FromReal:
      count = half + 1;
      readReal<S, T, kLanes>(from, job.from.step, n, job.given, xr, xi);
      result = transform<T, P>(plan, x, y, job.inverse);
      if (even) {
        // z = even + i odd elements. Their spectra are (Z[k] ± conj(Z[-k])) / 2; the odd one is rotated by half an element.
        const Parts<P> z = result, out = other(z);
        for (int64_t k = 0; 2 * k <= half; ++k) {
          const int64_t mirror = half - k, at = k == 0 ? 0 : mirror;
          const T wr = w[2 * k], wi = w[2 * k + 1], h = T(0.5);
          const P er = (z.re[k] + z.re[at]) * h, ei = (z.im[k] - z.im[at]) * h;
          const P orr = (z.im[k] + z.im[at]) * h, oi = (z.re[at] - z.re[k]) * h;
          const P tr = orr * wr - oi * wi, ti = orr * wi + oi * wr;
          out.re[k] = er + tr;
          out.im[k] = ei + ti;
          if (mirror != k) {
            out.re[mirror] = er - tr;
            out.im[mirror] = ti - ei;
          }
        }
        result = out;
      }
      break;
    case FourierKind::ToReal:
      readComplex<S, T, kLanes>(from, job.from.step, half + 1, job.given, xr, xi);
      x.im[0] = P{};
      if (even) {
        x.im[half] = P{};
        for (int64_t k = 0; 2 * k <= half; ++k) {
          const int64_t mirror = half - k;
          const T wr = w[2 * k], wi = w[2 * k + 1];
          const P er = x.re[k] + x.re[mirror], ei = x.im[k] - x.im[mirror];
          const P dr = x.re[k] - x.re[mirror], di = x.im[k] + x.im[mirror];
          const P orr = dr * wr + di * wi, oi = di * wr - dr * wi;
          y.re[k] = er - oi;
          y.im[k] = ei + orr;
          if (k != 0 && mirror != k) {
            y.re[mirror] = er + oi;
            y.im[mirror] = orr - ei;
          }
        }
        result = transform<T, P>(plan, y, x, true);
      } else {
        for (int64_t i = half + 1; i < n; ++i) {
          x.re[i] = x.re[n - i];
          x.im[i] = -x.im[n - i];
        }
        result = transform<T, P>(plan, x, y, true);
      }
      break;
  }
  const T *re = reinterpret_cast<const T*>(result.re), *im = reinterpret_cast<const T*>(result.im);
  const int64_t step = job.to.step;
  const auto write = [&](auto each) {
    for (int64_t i = 0; i < (job.kind == FourierKind::ToReal && even ? half : count); ++i) {
      for (int l = 0; l < (kLanes == 1 ? 1 : lines); ++l) each(to[l], i, re[i * kLanes + l] * scale, im[i * kLanes + l] * scale);
    }
  };
  if (job.kind != FourierKind::ToReal) {
    if (lines == kLanes) {
      for (int64_t i = 0; i < count; ++i) {
        for (int l = 0; l < kLanes; ++l) {
          to[l][2 * i * step] = S(re[i * kLanes + l] * scale);
          to[l][2 * i * step + 1] = S(im[i * kLanes + l] * scale);
        }
      }
    } else {
      write([&](S* t, int64_t i, T r, T m) {
        t[2 * i * step] = S(r);
        t[2 * i * step + 1] = S(m);
      });
    }
  } else if (even) {
    write([&](S* t, int64_t i, T r, T m) {
      t[2 * i * step] = S(r);
      t[(2 * i + 1) * step] = S(m);
    });
  } else {
    write([&](S* t, int64_t i, T r, T) { t[i * step] = S(r); });
  }
}

/// Numbers are stored as S and computed as T.
template <typename S, typename T, typename P>
void runLines(const FourierPlan& plan, const FourierLines& job, const void* in, void* out, int64_t begin, int64_t end, void* work) {
  const int64_t inWidth = job.kind == FourierKind::FromReal ? 1 : 2, outWidth = job.kind == FourierKind::ToReal ? 1 : 2;
  const auto place = [&](int64_t l, const FourierPlaces& p) { return l / job.inner * p.outerStride + l % job.inner * p.lineStride; };
  for (int64_t l = begin; l < end;) {
    const int64_t left = end - l;
    // One or two lines are faster one by one than with idle lanes.
    const int lines = left < 3 || job.n > kLongFourierLine ? 1 : left < kFourierLanes ? int(left) : kFourierLanes;
    const S* from[kFourierLanes];
    S* to[kFourierLanes];
    for (int k = 0; k < kFourierLanes; ++k) {
      const int64_t line = l + (k < lines ? k : 0);
      from[k] = static_cast<const S*>(in) + inWidth * place(line, job.from);
      to[k] = static_cast<S*>(out) + outWidth * place(line, job.to);
    }
    if (lines == 1) runGroup<S, T, T, 1>(plan, job, from, to, 1, static_cast<T*>(work));
    else runGroup<S, T, P, kFourierLanes>(plan, job, from, to, lines, static_cast<T*>(work));
    l += lines;
  }
}

void floats(const FourierPlan& plan, const FourierLines& job, const void* in, void* out, int64_t begin, int64_t end, void* work) {
  if (plan.padded) runLines<float, double, Doubles>(plan, job, in, out, begin, end, work);
  else runLines<float, float, Floats>(plan, job, in, out, begin, end, work);
}
void doubles(const FourierPlan& plan, const FourierLines& job, const void* in, void* out, int64_t begin, int64_t end, void* work) {
  runLines<double, double, Doubles>(plan, job, in, out, begin, end, work);
}

}  // namespace

extern const FourierTable kFourierTable;
const FourierTable kFourierTable = {floats, doubles};

}  // namespace weft::cpu::WEFT_ISA_NAME
