#pragma once

#include "device/cpu/philox.h"
#include "ops/datasets.h"
#include "weft/mutex.h"

namespace weft {

/// The two seeds of one iterator.
struct ShuffleSeeds {
  int64_t first = 0, second = 0;
};

/// Random numbers one by one. Their position can be saved.
class RandomSingles {
 public:
  explicit RandomSingles(ShuffleSeeds s) : seeds_(s), philox_(uint64_t(s.first), uint64_t(s.second)) {}
  uint32_t next32() {
    if (drawn_ % 4 == 0) group_ = philox_();
    return group_[size_t(drawn_++ % 4)];
  }
  Status exchange(IteratorState& s) {
    WEFT_TRY(s.value("seed", seeds_.first));
    WEFT_TRY(s.value("seed2", seeds_.second));
    int64_t drawn = drawn_;
    WEFT_TRY(s.value("drawn", drawn));
    if (!s.restores()) return {};
    if (drawn < 0) return dataLoss("A saved generator has given ", drawn, " random numbers");
    *this = RandomSingles(seeds_);
    philox_.skip(uint64_t(drawn / 4));
    if (drawn % 4 != 0) group_ = philox_();
    drawn_ = drawn;
    return {};
  }

 private:
  ShuffleSeeds seeds_;
  cpu::Philox philox_;
  cpu::Philox::Group group_{};
  int64_t drawn_ = 0;
};

/// Gives each iterator its seeds. Thread-safe.
class SeedSource final : public SessionResource {
 public:
  explicit SeedSource(ShuffleSeeds s) : singles_(s) {}
  std::string kind() const override { return "seed generator"; }
  ShuffleSeeds next() {
    const MutexLock lock(mutex_);
    const int64_t first = singles_.next32();
    return {first, int64_t(singles_.next32())};
  }
  Status exchange(IteratorState& s) {
    const MutexLock lock(mutex_);
    return singles_.exchange(s);
  }

 private:
  Mutex mutex_;
  RandomSingles singles_ WEFT_GUARDED_BY(mutex_);
};

/// Reads inputs `first` and `first` + 1 as seeds. If both are 0, the seeds are random.
Result<ShuffleSeeds> shuffleSeedsOf(const KernelContext& c, int first);
/// A shuffle whose iterators draw their seeds from `source`.
DatasetPtr shuffledBy(DatasetPtr input, int64_t bufferSize, std::shared_ptr<SeedSource> source);

/// If `dataset` is a shuffle that reshuffles in each iterator: the same with `count` repetitions inside one shuffle (the rewrite "shuffle_and_repeat_fusion", which
/// gives another order than the two data sets). Otherwise null.
DatasetPtr shuffledAndRepeated(const DatasetBase& dataset, int64_t count);

}  // namespace weft
