#pragma once

// One optimizer step over n consecutive elements, for float and double. Source: the formulas of TensorFlow 1.15's kernels. Standard-library functions must not
// be used here: hot_optimizers.cpp compiles this header once per instruction set. Device code (ops/optimizers.cu) defines WEFT_STEP_CODE, the marks of its
// functions, and brings root and exponential.
// `s`: the variable and its slots, updated in place; `g`: gradients; `p`: the op's scalars in the order of its inputs; `flag`: use_nesterov or update_slots.
namespace {

#if defined(WEFT_STEP_CODE)
#define WEFT_LOOP
#elif defined(__clang__)
#define WEFT_LOOP _Pragma("clang loop vectorize(assume_safety)")
#else
#define WEFT_LOOP _Pragma("GCC ivdep")
#endif
#ifndef WEFT_STEP_CODE
#define WEFT_STEP_CODE
inline float root(float x) { return __builtin_sqrtf(x); }
inline double root(double x) { return __builtin_sqrt(x); }
inline float power(float x, float y) { return __builtin_powf(x, y); }
inline double power(double x, double y) { return __builtin_pow(x, y); }
inline float exponential(float x) { return __builtin_expf(x); }
inline double exponential(double x) { return __builtin_exp(x); }
#endif

#define WEFT_STEP(name) \
  template <typename T> \
  WEFT_STEP_CODE void name([[maybe_unused]] T* const* s, const T* __restrict g, [[maybe_unused]] const T* p, [[maybe_unused]] bool flag, long n)

template <typename T>
WEFT_STEP_CODE inline T magnitude(T x) {
  return x < T(0) ? -x : x;
}
template <typename T>
WEFT_STEP_CODE inline T larger(T a, T b) {
  return a < b ? b : a;
}
template <typename T>
WEFT_STEP_CODE inline T signOf(T x) {
  return x > T(0) ? T(1) : x < T(0) ? T(-1) : T(0);
}

/// The result of a proximal step on `x` with thresholds l1·rate and l2·rate.
template <typename T>
WEFT_STEP_CODE inline T shrunk(T x, T rate, T l1, T l2) {
  return l1 > T(0) ? signOf(x) * larger(magnitude(x) - rate * l1, T(0)) / (T(1) + l2 * rate) : x / (T(1) + l2 * rate);
}

WEFT_STEP(gradientDescent) {  // alpha
  T* __restrict var = s[0];
  const T alpha = p[0];
  WEFT_LOOP for (long i = 0; i < n; ++i) var[i] -= g[i] * alpha;
}

WEFT_STEP(proximalGradientDescent) {  // alpha l1 l2
  T* __restrict var = s[0];
  for (long i = 0; i < n; ++i) var[i] = shrunk(var[i] - g[i] * p[0], p[0], p[1], p[2]);
}

WEFT_STEP(momentum) {  // lr momentum
  T* __restrict var = s[0];
  T* __restrict accum = s[1];
  const T lr = p[0], m = p[1];
  if (flag) {
    WEFT_LOOP for (long i = 0; i < n; ++i) {
      const T a = accum[i] * m + g[i];
      accum[i] = a;
      var[i] -= g[i] * lr + a * m * lr;
    }
  } else {
    WEFT_LOOP for (long i = 0; i < n; ++i) {
      const T a = accum[i] * m + g[i];
      accum[i] = a;
      var[i] -= a * lr;
    }
  }
}

WEFT_STEP(kerasMomentum) {  // lr momentum
  T* __restrict var = s[0];
  T* __restrict accum = s[1];
  const T lr = p[0], m = p[1];
  if (flag) {
    WEFT_LOOP for (long i = 0; i < n; ++i) {
      const T a = accum[i] * m - g[i] * lr;
      accum[i] = a;
      var[i] += a * m - g[i] * lr;
    }
  } else {
    WEFT_LOOP for (long i = 0; i < n; ++i) {
      const T a = accum[i] * m - g[i] * lr;
      accum[i] = a;
      var[i] += a;
    }
  }
}

// Without a choice between the slot's old and new value in the loop: compilers don't vectorize it for 16-bit formats.
WEFT_STEP(adagrad) {  // lr
  T* __restrict var = s[0];
  T* __restrict accum = s[1];
  const T lr = p[0];
  if (flag) WEFT_LOOP for (long i = 0; i < n; ++i) accum[i] += g[i] * g[i];
  WEFT_LOOP for (long i = 0; i < n; ++i) var[i] -= g[i] * lr / root(accum[i]);
}

WEFT_STEP(adagradV2) {  // lr epsilon
  T* __restrict var = s[0];
  T* __restrict accum = s[1];
  const T lr = p[0], epsilon = p[1];
  if (flag) WEFT_LOOP for (long i = 0; i < n; ++i) accum[i] += g[i] * g[i];
  WEFT_LOOP for (long i = 0; i < n; ++i) var[i] -= g[i] * lr / (root(accum[i]) + epsilon);
}

WEFT_STEP(adagradDa) {  // lr l1 l2 global_step
  T* __restrict var = s[0];
  T* __restrict sum = s[1];
  T* __restrict squares = s[2];
  const T lr = p[0], l1 = p[1], l2 = p[2], step = p[3];
  for (long i = 0; i < n; ++i) {
    const T a = sum[i] + g[i];
    const T b = squares[i] + g[i] * g[i];
    sum[i] = a;
    squares[i] = b;
    const T kept = l1 > T(0) ? signOf(a) * larger(magnitude(a) - l1 * step, T(0)) : a;
    var[i] = -lr * kept / (l2 * step * lr + root(b));
  }
}

WEFT_STEP(proximalAdagrad) {  // lr l1 l2
  T* __restrict var = s[0];
  T* __restrict accum = s[1];
  for (long i = 0; i < n; ++i) {
    accum[i] += g[i] * g[i];
    const T rate = p[0] / root(accum[i]);
    var[i] = shrunk(var[i] - g[i] * rate, rate, p[1], p[2]);
  }
}

WEFT_STEP(adadelta) {  // lr rho epsilon
  T* __restrict var = s[0];
  T* __restrict accum = s[1];
  T* __restrict updates = s[2];
  const T lr = p[0], rho = p[1], epsilon = p[2];
  WEFT_LOOP for (long i = 0; i < n; ++i) {
    const T a = accum[i] * rho + g[i] * g[i] * (T(1) - rho);
    const T u = root(updates[i] + epsilon) / root(a + epsilon) * g[i];
    accum[i] = a;
    updates[i] = updates[i] * rho + u * u * (T(1) - rho);
    var[i] -= u * lr;
  }
}

WEFT_STEP(adam) {  // beta1_power beta2_power lr beta1 beta2 epsilon
  T* __restrict var = s[0];
  T* __restrict mean = s[1];
  T* __restrict square = s[2];
  const T alpha = p[2] * root(T(1) - p[1]) / (T(1) - p[0]);
  const T beta1 = p[3], c1 = T(1) - p[3], c2 = T(1) - p[4], epsilon = p[5];
  if (flag) {
    WEFT_LOOP for (long i = 0; i < n; ++i) {
      const T m = mean[i] + (g[i] - mean[i]) * c1;
      const T v = square[i] + (g[i] * g[i] - square[i]) * c2;
      mean[i] = m;
      square[i] = v;
      var[i] -= (g[i] * c1 + beta1 * m) * alpha / (root(v) + epsilon);
    }
  } else {
    WEFT_LOOP for (long i = 0; i < n; ++i) {
      const T m = mean[i] + (g[i] - mean[i]) * c1;
      const T v = square[i] + (g[i] * g[i] - square[i]) * c2;
      mean[i] = m;
      square[i] = v;
      var[i] -= m * alpha / (root(v) + epsilon);
    }
  }
}

WEFT_STEP(adamWithAmsgrad) {  // beta1_power beta2_power lr beta1 beta2 epsilon
  T* __restrict var = s[0];
  T* __restrict mean = s[1];
  T* __restrict square = s[2];
  T* __restrict top = s[3];
  const T alpha = p[2] * root(T(1) - p[1]) / (T(1) - p[0]);
  const T c1 = T(1) - p[3], c2 = T(1) - p[4], epsilon = p[5];
  WEFT_LOOP for (long i = 0; i < n; ++i) {
    const T m = mean[i] + (g[i] - mean[i]) * c1;
    const T v = square[i] + (g[i] * g[i] - square[i]) * c2;
    const T t = top[i] < v ? v : top[i];
    mean[i] = m;
    square[i] = v;
    top[i] = t;
    var[i] -= m * alpha / (root(t) + epsilon);
  }
}

WEFT_STEP(adaMax) {  // beta1_power lr beta1 beta2 epsilon
  T* __restrict var = s[0];
  T* __restrict mean = s[1];
  T* __restrict norm = s[2];
  const T rate = p[1] / (T(1) - p[0]), c1 = T(1) - p[2], beta2 = p[3], epsilon = p[4];
  WEFT_LOOP for (long i = 0; i < n; ++i) {
    const T m = mean[i] + (g[i] - mean[i]) * c1;
    const T v = larger(beta2 * norm[i], magnitude(g[i]));
    mean[i] = m;
    norm[i] = v;
    var[i] -= rate * (m / (v + epsilon));
  }
}

WEFT_STEP(rmsProp) {  // lr rho momentum epsilon
  T* __restrict var = s[0];
  T* __restrict square = s[1];
  T* __restrict mom = s[2];
  const T lr = p[0], c = T(1) - p[1], m = p[2], epsilon = p[3];
  WEFT_LOOP for (long i = 0; i < n; ++i) {
    const T v = square[i] + (g[i] * g[i] - square[i]) * c;
    const T u = mom[i] * m + g[i] * lr / root(v + epsilon);
    square[i] = v;
    mom[i] = u;
    var[i] -= u;
  }
}

WEFT_STEP(centeredRmsProp) {  // lr rho momentum epsilon
  T* __restrict var = s[0];
  T* __restrict mean = s[1];
  T* __restrict square = s[2];
  T* __restrict mom = s[3];
  const T lr = p[0], c = T(1) - p[1], m = p[2], epsilon = p[3];
  WEFT_LOOP for (long i = 0; i < n; ++i) {
    const T v = square[i] + (g[i] * g[i] - square[i]) * c;
    const T a = mean[i] + (g[i] - mean[i]) * c;
    const T u = mom[i] * m + g[i] * lr / root(v - a * a + epsilon);
    square[i] = v;
    mean[i] = a;
    mom[i] = u;
    var[i] -= u;
  }
}

WEFT_STEP(addSign) {  // lr alpha sign_decay beta
  T* __restrict var = s[0];
  T* __restrict mean = s[1];
  for (long i = 0; i < n; ++i) {
    mean[i] = mean[i] * p[3] + g[i] * (T(1) - p[3]);
    var[i] -= p[0] * (p[1] + p[2] * signOf(g[i]) * signOf(mean[i])) * g[i];
  }
}

WEFT_STEP(powerSign) {  // lr logbase sign_decay beta
  T* __restrict var = s[0];
  T* __restrict mean = s[1];
  for (long i = 0; i < n; ++i) {
    mean[i] = mean[i] * p[3] + g[i] * (T(1) - p[3]);
    var[i] -= p[0] * exponential(p[1] * p[2] * signOf(g[i]) * signOf(mean[i])) * g[i];
  }
}

/// Follow the regularized leader. `shrinkage` is l2_shrinkage, or nothing. Scalars are passed by reference and copied: 16-bit numbers are no trivial types, which
/// would be read from memory in each step of the loop.
template <bool square, typename T>
WEFT_STEP_CODE inline void ftrlLoop(T* const* s, const T* __restrict g, const T* p, const T* shrinkage, const T& power_, long n) {
  T* __restrict var = s[0];
  T* __restrict accum = s[1];
  T* __restrict linear = s[2];
  const T lr = p[0], l1 = p[1], twiceL2 = T(2) * p[2], twiceShrinkage = shrinkage ? T(2) * *shrinkage : T(0), lrPower = power_;
  WEFT_LOOP for (long i = 0; i < n; ++i) {
    const T a = accum[i] + g[i] * g[i];
    const T now = square ? root(a) : power(a, -lrPower);
    const T before = square ? root(accum[i]) : power(accum[i], -lrPower);
    const T l = linear[i] + ((g[i] + twiceShrinkage * var[i]) - (now - before) / lr * var[i]);
    accum[i] = a;
    linear[i] = l;
    const T moved = (l1 * signOf(l) - l) / (now / lr + twiceL2);
    var[i] = magnitude(l) > l1 ? moved : T(0);
  }
}
template <typename T>
WEFT_STEP_CODE inline void ftrlSpan(T* const* s, const T* __restrict g, const T* p, const T* shrinkage, const T& lrPower, long n) {
  if (lrPower == T(-0.5f)) ftrlLoop<true>(s, g, p, shrinkage, lrPower, n);
  else ftrlLoop<false>(s, g, p, shrinkage, lrPower, n);
}

WEFT_STEP(ftrl) { ftrlSpan<T>(s, g, p, nullptr, p[3], n); }  // lr l1 l2 lr_power
WEFT_STEP(ftrlV2) { ftrlSpan<T>(s, g, p, p + 3, p[4], n); }  // lr l1 l2 l2_shrinkage lr_power

#undef WEFT_STEP
#undef WEFT_LOOP

/// All steps, in the order of weft::cpu::Optimizer.
#define WEFT_OPTIMIZER_STEPS(T)                                                                                                                           \
  gradientDescent<T>, proximalGradientDescent<T>, momentum<T>, kerasMomentum<T>, adagrad<T>, adagradV2<T>, adagradDa<T>, proximalAdagrad<T>, adadelta<T>, \
      adam<T>, adamWithAmsgrad<T>, adaMax<T>, rmsProp<T>, centeredRmsProp<T>, addSign<T>, powerSign<T>, ftrl<T>, ftrlV2<T>

}  // namespace
