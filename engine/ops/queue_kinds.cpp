#include <algorithm>
#include <cstring>
#include <optional>

#include "device/cpu/dtypes.h"
#include "device/cpu/philox.h"
#include "ops/queue.h"
#include "tensor/element_types.h"

// The four kinds of queues, which determine the next element and how elements become batches.
namespace weft {
namespace {

class FifoQueue : public Queue {
 public:
  using Queue::Queue;

 protected:
  int64_t count() const WEFT_REQUIRES(mutex_) override { return int64_t(elements_.size()); }
  void put(Tuple tuple) WEFT_REQUIRES(mutex_) override { elements_.push_back(std::move(tuple)); }
  Tuple take() WEFT_REQUIRES(mutex_) override {
    Tuple first = std::move(elements_.front());
    elements_.pop_front();
    return first;
  }
  void putBack(std::vector<Tuple> tuples) WEFT_REQUIRES(mutex_) override {
    for (size_t i = tuples.size(); i-- > 0;) elements_.push_front(std::move(tuples[i]));
  }
  std::function<void()> contentsNow() WEFT_REQUIRES(mutex_) override {
    return [this, elements = elements_]() mutable {
      mutex_.assertHeld();
      elements_ = std::move(elements);
    };
  }

 private:
  std::deque<Tuple> elements_ WEFT_GUARDED_BY(mutex_);
};

/// Copies `from` into the corner of row `row` of `to`, whose dims are at least as large.
void copyCorner(Tensor& to, int64_t row, const Tensor& from) {
  const int rank = from.rank();
  const int64_t count = from.elements();
  if (count == 0) return;
  const int64_t line = rank > 0 ? from.dim(rank - 1) : 1;
  int64_t base = row;
  for (int d = 1; d <= rank; ++d) base *= to.dim(d);
  std::vector<int64_t> at(size_t(std::max(rank - 1, 0)), 0);
  for (int64_t done = 0; done < count; done += line) {
    int64_t offset = 0;
    for (int d = 0; d + 1 < rank; ++d) offset = (offset + at[size_t(d)]) * to.dim(d + 2);
    copyElements(to, base + offset, from, done, line);
    for (int d = rank - 2; d >= 0 && ++at[size_t(d)] == from.dim(d); --d) at[size_t(d)] = 0;
  }
}

class PaddingQueue final : public FifoQueue {
 public:
  using FifoQueue::FifoQueue;

 protected:
  std::string singleKind() const override { return "FIFOQueue"; }
  Result<Tensor> join(const std::vector<Tuple>& tuples, size_t component) const override {
    Shape shape{int64_t(tuples.size())};
    for (int d = 0; d < options().shapes[component].rank(); ++d) {
      int64_t widest = std::max<int64_t>(options().shapes[component].dim(d), 0);
      for (const Tuple& t : tuples) widest = std::max(widest, t[component].dim(d));
      shape.append(widest);
    }
    WEFT_LET(Tensor batch, Tensor::allocate(options().types[component], shape));
    if (cpu::isPlain(batch.dtype())) std::memset(batch.mutableRaw(), 0, batch.bytes());
    for (size_t i = 0; i < tuples.size(); ++i) copyCorner(batch, int64_t(i), tuples[i][component]);
    return batch;
  }
};

class RandomQueue final : public Queue {
 public:
  RandomQueue(QueueOptions options, RandomQueueFacts facts)
      : Queue(std::move(options)), facts_(facts), stream_(facts.seed, facts.seed2), philox_(stream_.reserve(0)), singles_(std::in_place, philox_) {}
  const RandomQueueFacts& facts() const { return facts_; }

 protected:
  int64_t count() const WEFT_REQUIRES(mutex_) override { return int64_t(elements_.size()); }
  int64_t available() const WEFT_REQUIRES(mutex_) override { return closed_ ? count() : count() - facts_.minAfterDequeue; }
  void put(Tuple tuple) WEFT_REQUIRES(mutex_) override { elements_.push_back(std::move(tuple)); }
  Tuple take() WEFT_REQUIRES(mutex_) override {
    const size_t i = singles_->next32() % elements_.size();
    Tuple chosen = std::move(elements_[i]);
    if (i + 1 < elements_.size()) elements_[i] = std::move(elements_.back());
    elements_.pop_back();
    return chosen;
  }
  void putBack(std::vector<Tuple> tuples) WEFT_REQUIRES(mutex_) override {
    for (size_t i = tuples.size(); i-- > 0;) put(std::move(tuples[i]));
  }
  std::function<void()> contentsNow() WEFT_REQUIRES(mutex_) override {
    return [this, elements = elements_, philox = philox_, singles = singles_]() mutable {
      mutex_.assertHeld();
      elements_ = std::move(elements);
      philox_ = philox;
      singles_.emplace(*singles);
    };
  }

 private:
  const RandomQueueFacts facts_;
  std::vector<Tuple> elements_ WEFT_GUARDED_BY(mutex_);
  cpu::RandomStream stream_;
  cpu::Philox philox_ WEFT_GUARDED_BY(mutex_);
  std::optional<cpu::PhiloxSingles> singles_ WEFT_GUARDED_BY(mutex_);  // never empty; optional because a generator can only be constructed anew, not assigned
};

class PriorityQueue final : public Queue {
 public:
  using Queue::Queue;

 protected:
  int64_t count() const WEFT_REQUIRES(mutex_) override { return int64_t(elements_.size()); }
  // A heap like TensorFlow's, because the heap determines the order of equal elements.
  void put(Tuple tuple) WEFT_REQUIRES(mutex_) override {
    elements_.push_back(std::move(tuple));
    std::push_heap(elements_.begin(), elements_.end(), hasLowerPriority);
  }
  Tuple take() WEFT_REQUIRES(mutex_) override {
    std::pop_heap(elements_.begin(), elements_.end(), hasLowerPriority);
    Tuple first = std::move(elements_.back());
    elements_.pop_back();
    return first;
  }
  bool wholeBatchesOnly() const override { return true; }
  std::function<void()> contentsNow() WEFT_REQUIRES(mutex_) override {
    return [this, elements = elements_]() mutable {
      mutex_.assertHeld();
      elements_ = std::move(elements);
    };
  }

 private:
  static bool hasLowerPriority(const Tuple& a, const Tuple& b) { return a[0].at<int64_t>(0) > b[0].at<int64_t>(0); }
  std::vector<Tuple> elements_ WEFT_GUARDED_BY(mutex_);
};

}  // namespace

std::shared_ptr<Queue> makeFifoQueue(QueueOptions options) { return std::make_shared<FifoQueue>(std::move(options)); }
std::shared_ptr<Queue> makePaddingQueue(QueueOptions options) { return std::make_shared<PaddingQueue>(std::move(options)); }
std::shared_ptr<Queue> makeRandomQueue(QueueOptions options, int64_t minAfterDequeue, int64_t seed, int64_t seed2) {
  return std::make_shared<RandomQueue>(std::move(options), RandomQueueFacts{minAfterDequeue, seed, seed2});
}
std::shared_ptr<Queue> makePriorityQueue(QueueOptions options) { return std::make_shared<PriorityQueue>(std::move(options)); }

const RandomQueueFacts* randomFacts(const Queue& queue) {
  const auto* random = dynamic_cast<const RandomQueue*>(&queue);
  return random ? &random->facts() : nullptr;
}

}  // namespace weft
