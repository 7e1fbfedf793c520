#pragma once

#include "device/cpu/philox.h"
#include "ops/datasets.h"
#include "weft/mutex.h"

namespace weft {

/// The two seeds of one iterator.
struct ShuffleSeeds {
  int64_t first = 0, second = 0;
};

/// Gives each iterator its seeds. Thread-safe.
class SeedSource final : public SessionResource {
 public:
  explicit SeedSource(ShuffleSeeds s) : philox_(uint64_t(s.first), uint64_t(s.second)), singles_(philox_) {}
  std::string kind() const override { return "seed generator"; }
  ShuffleSeeds next() {
    const MutexLock lock(mutex_);
    const int64_t first = singles_.next32();
    return {first, int64_t(singles_.next32())};
  }

 private:
  Mutex mutex_;
  cpu::Philox philox_ WEFT_GUARDED_BY(mutex_);
  cpu::PhiloxSingles singles_ WEFT_GUARDED_BY(mutex_);
};

/// Reads inputs `first` and `first` + 1 as seeds. If both are 0, the seeds are random.
Result<ShuffleSeeds> shuffleSeedsOf(const KernelContext& c, int first);
/// A shuffle whose iterators draw their seeds from `source`.
DatasetPtr shuffledBy(DatasetPtr input, int64_t bufferSize, std::shared_ptr<SeedSource> source);

/// If `dataset` is a shuffle that reshuffles in each iterator: the same with `count` repetitions inside one shuffle (the rewrite "shuffle_and_repeat_fusion", which
/// gives another order than the two data sets). Otherwise null.
DatasetPtr shuffledAndRepeated(const Dataset& dataset, int64_t count);

}  // namespace weft
