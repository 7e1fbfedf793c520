#include "device/cpu/fourier.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <numbers>
#include <vector>

#include "base/parallel.h"
#include "device/cpu/hot.h"
#include "device/cpu/hot_fourier.h"
#include "weft/mutex.h"

namespace weft::cpu {

namespace v2 {
extern const FourierTable kFourierTable;
}
namespace v3 {
extern const FourierTable kFourierTable;
}
namespace v4 {
extern const FourierTable kFourierTable;
}

namespace {

constexpr int kLargestRadix = 61;

const FourierTable& fourierTable() {
  static const FourierTable& chosen = []() -> const FourierTable& {
    const char* isa = hotTable().isa;
    return std::strcmp(isa, "v4") == 0 ? v4::kFourierTable : std::strcmp(isa, "v3") == 0 ? v3::kFourierTable : v2::kFourierTable;
  }();
  return chosen;
}

/// exp(-2πi k / n) with the full precision of double.
std::complex<double> rootOfUnity(int64_t k, int64_t n) {
  const double angle = -2 * std::numbers::pi * double(k % n) / double(n);
  return {std::cos(angle), std::sin(angle)};
}

/// The radices of n's passes; empty if a prime above the largest radix divides it.
std::vector<int> radicesOf(int64_t n) {
  std::vector<int> out;
  for (; n % 4 == 0; n /= 4) out.push_back(4);
  for (int r = 2; r <= kLargestRadix && n > 1; ++r) {
    for (; n % r == 0; n /= r) out.push_back(r);
  }
  return n == 1 ? out : std::vector<int>{};
}

/// What a plan is for: complex lines, real lines of 2n numbers, or complex lines that are transformed as matrices.
enum class PlanUse : int { Complex, Halves, Matrix };

/// Complex lines from this length on are transformed as matrices: many short transforms side by side stay in the cache and occupy all lanes.
constexpr int64_t kMatrixLine = 1 << 14;

/// The number of rows of a matrix with n elements that is nearly square; 0 if there is none whose sides have small prime factors.
int64_t matrixRows(int64_t n) {
  if (n < kMatrixLine || radicesOf(n).empty()) return 0;
  for (int64_t rows = int64_t(std::sqrt(double(n))); rows >= 16; --rows) {
    if (n % rows == 0) return rows;
  }
  return 0;
}

/// A plan and the memory that it refers to.
struct OwnedPlan {
  FourierPlan plan;
  bool wide = false;  ///< Numbers are double.
  int64_t numbers = 0;
  std::vector<std::unique_ptr<double[]>> memory;
  std::unique_ptr<OwnedPlan> padded;
  const void* rotations = nullptr;  ///< Of a matrix: exp(-2πi row · column / n).

  /// Stores `count` complex numbers f(i) as pairs of float or double.
  template <typename F>
  const void* table(int64_t count, F&& f) {
    memory.push_back(std::make_unique<double[]>(size_t(wide ? 2 * count : count) + 1));
    numbers += 2 * count;
    double* doubles = memory.back().get();
    float* floats = reinterpret_cast<float*>(doubles);
    for (int64_t i = 0; i < count; ++i) {
      const std::complex<double> v = f(i);
      if (wide) {
        doubles[2 * i] = v.real();
        doubles[2 * i + 1] = v.imag();
      } else {
        floats[2 * i] = float(v.real());
        floats[2 * i + 1] = float(v.imag());
      }
    }
    return doubles;
  }

  void makePasses(int64_t n, const std::vector<int>& radices) {
    plan.n = n;
    plan.room = n + 2;
    int64_t length = n;
    for (const int r : radices) {
      FourierPass& pass = plan.pass[plan.passes++];
      pass.radix = r;
      pass.butterflies = length / r;
      pass.twiddles = table(pass.butterflies * (r - 1), [&](int64_t i) { return rootOfUnity(i / (r - 1) * (i % (r - 1) + 1), length); });
      pass.roots = table(r, [&](int64_t i) { return std::conj(rootOfUnity(i, r)); });
      length /= r;
    }
  }

  void makeConvolution(int64_t n) {
    int64_t m = 1;
    while (m < 2 * n) m *= 2;
    padded = std::make_unique<OwnedPlan>();
    padded->wide = true;
    padded->makePasses(m, radicesOf(m));
    plan.n = n;
    plan.room = m + 2;
    plan.padded = &padded->plan;
    const auto chirp = [&](int64_t i) { return rootOfUnity(int64_t(uint64_t(i) * uint64_t(i) % uint64_t(2 * n)), 2 * n); };
    plan.chirp = static_cast<const double*>(table(n, chirp));
    std::vector<double> kernel(size_t(2 * m), 0.0);
    for (int64_t i = 0; i < n; ++i) {
      const std::complex<double> v = std::conj(chirp(i)) / double(m);
      for (const int64_t at : {i, (m - i) % m}) {
        kernel[size_t(2 * at)] = v.real();
        kernel[size_t(2 * at + 1)] = v.imag();
      }
    }
    std::vector<double> spectrum(size_t(2 * m)), work(size_t(4 * (m + 2)) * kFourierLanes + 8);
    FourierLines job;
    job.n = job.given = m;
    job.lines = 1;
    void* aligned = work.data();
    size_t space = work.size() * sizeof(double);
    fourierTable().doubles(padded->plan, job, kernel.data(), spectrum.data(), 0, 1, std::align(64, space - 64, aligned, space));
    plan.kernel = static_cast<const double*>(table(m, [&](int64_t i) { return std::complex<double>(spectrum[size_t(2 * i)], spectrum[size_t(2 * i + 1)]); }));
    numbers += padded->numbers;
  }
};

/// `n`: of the complex transform.
std::shared_ptr<const OwnedPlan> makePlan(int64_t n, bool wide, PlanUse use) {
  auto made = std::make_shared<OwnedPlan>();
  if (use == PlanUse::Matrix) {
    made->wide = wide;
    const int64_t columns = n / matrixRows(n);
    made->rotations = made->table(n, [&](int64_t i) { return rootOfUnity(i / columns * (i % columns), n); });
    return made;
  }
  const std::vector<int> radices = radicesOf(n);
  const bool smooth = n == 1 || !radices.empty();
  made->wide = wide || !smooth;
  if (smooth) made->makePasses(n, radices);
  else made->makeConvolution(n);
  if (use == PlanUse::Halves) made->plan.halves = made->table(n / 2 + 1, [&](int64_t k) { return rootOfUnity(k, 2 * n); });
  return made;
}

/// Plans that were used last, of at most a few million numbers altogether.
class FourierPlans {
 public:
  static FourierPlans& instance() {
    static FourierPlans all;
    return all;
  }

  std::shared_ptr<const OwnedPlan> get(int64_t n, bool wide, PlanUse use) {
    {
      const MutexLock lock(mutex_);
      for (size_t i = plans_.size(); i-- > 0;) {
        if (plans_[i].n != n || plans_[i].wide != wide || plans_[i].use != use) continue;
        std::rotate(plans_.begin() + std::ptrdiff_t(i), plans_.begin() + std::ptrdiff_t(i) + 1, plans_.end());
        return plans_.back().plan;
      }
    }
    std::shared_ptr<const OwnedPlan> made = makePlan(n, wide, use);
    const MutexLock lock(mutex_);
    plans_.push_back({n, wide, use, made});
    numbers_ += made->numbers;
    while (plans_.size() > 64 || (numbers_ > kMost && plans_.size() > 1)) {
      numbers_ -= plans_.front().plan->numbers;
      plans_.erase(plans_.begin());
    }
    return made;
  }

 private:
  static constexpr int64_t kMost = 8 << 20;
  struct Kept {
    int64_t n;
    bool wide;
    PlanUse use;
    std::shared_ptr<const OwnedPlan> plan;
  };
  Mutex mutex_;
  std::vector<Kept> plans_ WEFT_GUARDED_BY(mutex_);
  int64_t numbers_ WEFT_GUARDED_BY(mutex_) = 0;
};

/// Work memory of the thread, kept while it is small.
class FourierRoom {
 public:
  void* get(size_t bytes) {
    if (bytes > size_) {
      size_ = (bytes + 63) / 64 * 64;
      memory_.reset(std::aligned_alloc(64, size_));
      if (!memory_) {
        size_ = 0;
        throw std::bad_alloc();
      }
    }
    return memory_.get();
  }
  void shrink() {
    if (size_ <= 4 << 20) return;
    memory_.reset();
    size_ = 0;
  }

 private:
  std::unique_ptr<void, void (*)(void*)> memory_{nullptr, std::free};
  size_t size_ = 0;
};

/// Multiplies `n` complex numbers by others or by their conjugates.
template <typename T>
void rotate(T* values, const T* by, int64_t n, bool inverse) {
  const T sign = inverse ? T(-1) : T(1);
  for (int64_t i = 0; i < n; ++i) {
    const T re = values[2 * i], im = values[2 * i + 1], c = by[2 * i], s = sign * by[2 * i + 1];
    values[2 * i] = re * c - im * s;
    values[2 * i + 1] = re * s + im * c;
  }
}

/// Long complex lines, each as a matrix of `rows` rows: its columns are transformed, its elements rotated, then its rows transformed (Bailey 1990).
template <typename T>
void transformMatrices(const FourierLines& job, int64_t rows, const T* in, T* out) {
  const int64_t columns = job.n / rows;
  const auto plan = FourierPlans::instance().get(job.n, sizeof(T) == sizeof(double), PlanUse::Matrix);
  const std::unique_ptr<T[]> room(new T[size_t(2 * job.n)]);
  FourierLines first, second;
  first.inverse = second.inverse = job.inverse;
  first.n = first.given = second.lines = second.inner = rows;
  second.n = second.given = first.lines = first.inner = columns;
  first.from = {0, job.from.step, columns * job.from.step};
  first.to = {0, 1, columns};
  second.from = {0, columns, 1};
  second.to = {0, job.to.step, rows * job.to.step};
  const auto place = [&](int64_t l, const FourierPlaces& p) { return 2 * (l / job.inner * p.outerStride + l % job.inner * p.lineStride); };
  for (int64_t l = 0; l < job.lines; ++l) {
    transformLines(first, sizeof(T) == sizeof(double), in + place(l, job.from), room.get());
    parallelFor(job.n, 16384, [&](int64_t begin, int64_t end) {
      rotate(room.get() + 2 * begin, static_cast<const T*>(plan->rotations) + 2 * begin, end - begin, job.inverse);
    });
    transformLines(second, sizeof(T) == sizeof(double), room.get(), out + place(l, job.to));
  }
}

}  // namespace

int64_t transformBytes(int64_t n, int64_t lines, bool real, bool wide) {
  const bool halved = real && n % 2 == 0;
  const int64_t length = halved ? n / 2 : n;
  const bool smooth = length == 1 || !radicesOf(length).empty();
  int64_t padded = length;
  if (!smooth)
    for (padded = 1; padded < 2 * length;) padded *= 2;
  const int64_t number = wide || !smooth ? 2 * sizeof(double) : 2 * sizeof(float);
  const int64_t lanes = n > kLongFourierLine ? 1 : kFourierLanes, threads = std::min<int64_t>(parallelism(), (lines + lanes - 1) / lanes);
  // Factors of all passes, and the chirp with its transform or the factors that join two halves.
  const int64_t tables = smooth ? 2 * padded : 6 * padded;
  return number * (2 * (padded + 2) * lanes * std::max<int64_t>(threads, 1) + tables);
}

void transformLines(const FourierLines& job, bool wide, const void* in, void* out) {
  const int64_t rows = job.kind == FourierKind::Complex && job.given == job.n ? matrixRows(job.n) : 0;
  if (rows > 0) {
    if (wide) transformMatrices(job, rows, static_cast<const double*>(in), static_cast<double*>(out));
    else transformMatrices(job, rows, static_cast<const float*>(in), static_cast<float*>(out));
    return;
  }
  const bool halved = job.kind != FourierKind::Complex && job.n % 2 == 0;
  const std::shared_ptr<const OwnedPlan> plan = FourierPlans::instance().get(halved ? job.n / 2 : job.n, wide, halved ? PlanUse::Halves : PlanUse::Complex);
  const auto run = wide ? fourierTable().doubles : fourierTable().floats;
  const int64_t lanes = job.n > kLongFourierLine ? 1 : kFourierLanes;
  const int64_t groups = (job.lines + lanes - 1) / lanes;
  parallelFor(groups, std::max<int64_t>(1, 4096 / (lanes * job.n)), [&](int64_t begin, int64_t end) {
    thread_local FourierRoom room;
    void* work = room.get(size_t(4 * plan->plan.room * lanes) * (plan->wide ? sizeof(double) : sizeof(float)));
    run(plan->plan, job, in, out, begin * lanes, std::min(end * lanes, job.lines), work);
    room.shrink();
  });
}

}  // namespace weft::cpu
