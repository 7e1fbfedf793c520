#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <random>

#include "kernel/kernel.h"
#include "weft/mutex.h"

// TensorFlow's random numbers, bit for bit.
namespace weft::cpu {

/// Philox4x32-10 (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3"): an encrypted counter, with random access to every position.
class Philox {
 public:
  using Group = std::array<uint32_t, 4>;
  Philox() = default;
  /// The first seed is the key, the second the upper half of the counter.
  Philox(uint64_t seed, uint64_t seed2) : counter_{0, 0, uint32_t(seed2), uint32_t(seed2 >> 32)}, key_{uint32_t(seed), uint32_t(seed >> 32)} {}

  static Philox fromState(const Group& counter, const std::array<uint32_t, 2>& key) {
    Philox p;
    p.counter_ = counter;
    p.key_ = key;
    return p;
  }

  const Group& counter() const { return counter_; }
  const std::array<uint32_t, 2>& key() const { return key_; }

  void skip(uint64_t groups) {
    const uint64_t low = uint64_t(counter_[0]) | uint64_t(counter_[1]) << 32, next = low + groups;
    counter_[0] = uint32_t(next);
    counter_[1] = uint32_t(next >> 32);
    if (next < low && ++counter_[2] == 0) ++counter_[3];
  }

  /// The next four numbers.
  Group operator()() {
    Group x = counter_;
    uint32_t k0 = key_[0], k1 = key_[1];
    for (int round = 0; round < 10; ++round, k0 += 0x9E3779B9u, k1 += 0xBB67AE85u) {
      const uint64_t p = uint64_t(0xD2511F53u) * x[0], q = uint64_t(0xCD9E8D57u) * x[2];
      x = {uint32_t(q >> 32) ^ x[1] ^ k0, uint32_t(q), uint32_t(p >> 32) ^ x[3] ^ k1, uint32_t(p)};
    }
    skip(1);
    return x;
  }

 private:
  Group counter_{};
  std::array<uint32_t, 2> key_{};
};

/// Returns the numbers of a Philox generator one by one.
class PhiloxSingles {
 public:
  explicit PhiloxSingles(Philox& from) : from_(from) {}
  uint32_t next32() {
    if (used_ == 4) {
      group_ = from_();
      used_ = 0;
    }
    return group_[size_t(used_++)];
  }
  uint64_t next64() {
    const uint64_t low = next32();
    return low | uint64_t(next32()) << 32;
  }

 private:
  Philox& from_;
  Philox::Group group_{};
  int used_ = 4;
};

/// [0, 1) from the low 23 bits.
inline float uniformFloat(uint32_t bits) {
  const uint32_t pattern = (bits & 0x7fffffu) | 0x3f800000u;
  float f;
  std::memcpy(&f, &pattern, sizeof f);
  return f - 1.f;
}
/// [0, 1) from 52 bits: 20 of the first, all of the second.
inline double uniformDouble(uint32_t high, uint32_t low) {
  const uint64_t pattern = uint64_t(high & 0xfffffu) << 32 | low | uint64_t(1023) << 52;
  double d;
  std::memcpy(&d, &pattern, sizeof d);
  return d - 1.0;
}

/// Box-Muller: turns two uniform numbers into two numbers of the standard normal distribution.
inline void normalPair(uint32_t x0, uint32_t x1, float out[2]) {
  const float u = std::max(uniformFloat(x0), 1e-7f), angle = float(2.0 * M_PI * double(uniformFloat(x1)));
  const float radius = std::sqrt(-2.f * std::log(u));
  out[0] = std::sin(angle) * radius;
  out[1] = std::cos(angle) * radius;
}
inline void normalPair(const uint32_t x[4], double out[2]) {
  const double u = std::max(uniformDouble(x[0], x[1]), 1e-7), angle = 2 * M_PI * uniformDouble(x[2], x[3]);
  const double radius = std::sqrt(-2.0 * std::log(u));
  out[0] = std::sin(angle) * radius;
  out[1] = std::cos(angle) * radius;
}

/// The random stream of one op in a session, which continues from run to run. If both seeds are 0, each stream gets random seeds. Thread-safe.
class RandomStream final : public NodeState {
 public:
  RandomStream(int64_t seed, int64_t seed2) {
    if (seed == 0 && seed2 == 0) {
      std::random_device device;
      seed = int64_t(uint64_t(device()) << 32 | device());
      seed2 = int64_t(uint64_t(device()) << 32 | device());
    }
    philox_ = Philox(uint64_t(seed), uint64_t(seed2));
  }

  /// A generator at the current position; advances the stream by `groups` groups of four numbers.
  Philox reserve(uint64_t groups) {
    const MutexLock lock(mutex_);
    Philox local = philox_;
    philox_.skip(groups);
    return local;
  }

  std::string save() const override {
    const MutexLock lock(mutex_);
    return std::string(reinterpret_cast<const char*>(&philox_), sizeof philox_);
  }
  void restore(const std::string& state) override {
    const MutexLock lock(mutex_);
    if (state.size() == sizeof philox_) std::memcpy(static_cast<void*>(&philox_), state.data(), sizeof philox_);
  }

 private:
  mutable Mutex mutex_;
  Philox philox_ WEFT_GUARDED_BY(mutex_);
};

/// The stream of a node with attributes `seed` and `seed2`.
inline std::shared_ptr<RandomStream> randomStream(KernelInit& init) {
  return init.state<RandomStream>([&] { return std::make_shared<RandomStream>(init.attrs().integer("seed"), init.attrs().integer("seed2")); });
}

}  // namespace weft::cpu
