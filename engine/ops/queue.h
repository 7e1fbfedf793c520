#pragma once

#include <deque>
#include <functional>
#include <string>
#include <vector>

#include "kernel/async_kernel.h"
#include "kernel/restorable.h"
#include "tensor/variable.h"
#include "weft/mutex.h"

// Queues of tuples of tensors. Who cannot go on at once (no room, too few elements) is written down as an attempt; whatever changes the queue
// tries the attempts again, in the order in which they came, enqueues and dequeues each in their own line.
namespace weft {

struct QueueState;  // weft/queues.h

/// What a queue is made for.
struct QueueOptions {
  std::string kind;  ///< "FIFOQueue", as messages call it.
  std::string name;
  std::vector<DType> types;   ///< Of the components.
  std::vector<Shape> shapes;  ///< Of the components; empty: any.
  int64_t capacity = 0;
};

class Queue : public SessionResource, public Restorable {
 public:
  static constexpr const char* kTypeName = "N10tensorflow14QueueInterfaceE";
  using Tuple = std::vector<Tensor>;
  using Done = AsyncKernel::Done;
  using Cancel = AsyncKernel::Cancel;

  explicit Queue(QueueOptions options) : options_(std::move(options)) {}
  std::string kind() const override { return "queue"; }
  const QueueOptions& options() const { return options_; }

  /// INVALID_ARGUMENT unless a tuple, or a batch of tuples, has this queue's shapes.
  Status checkTuple(const Tuple& tuple) const;
  Status checkBatch(const Tuple& batch) const;
  /// INVALID_ARGUMENT if elements cannot be joined to batches because their shapes are not stated.
  Status checkBatching() const;

  /// REQUIRES for all four: `self` is this queue. `done` gets no outputs from enqueues.
  static Cancel enqueue(const std::shared_ptr<Queue>& self, Tuple tuple, Done done);
  static Cancel enqueueMany(const std::shared_ptr<Queue>& self, Tuple batch, Done done);
  static Cancel dequeue(const std::shared_ptr<Queue>& self, Done done);
  /// `n` elements as a batch; with `orFewer`, what is left if the queue is closed and has fewer.
  static Cancel dequeueMany(const std::shared_ptr<Queue>& self, int64_t n, bool orFewer, Done done);
  /// No more enqueues; those that wait still get in before, or end with CANCELLED.
  static Cancel close(const std::shared_ptr<Queue>& self, bool cancelPending, Done done);

  int64_t size() const;
  bool isClosed() const;
  /// Fills in everything but the name. Does not wait for the lock.
  void tell(QueueState& state) const;
  /// Elements, order, and whether it is closed; who waits meanwhile is tried again afterwards.
  std::function<void()> savePoint() override;

 protected:
  virtual int64_t count() const WEFT_REQUIRES(mutex_) = 0;
  virtual void put(Tuple tuple) WEFT_REQUIRES(mutex_) = 0;
  virtual Tuple take() WEFT_REQUIRES(mutex_) = 0;
  /// Elements of a batch that did not become full, in the order in which they were taken.
  virtual void putBack(std::vector<Tuple> tuples) WEFT_REQUIRES(mutex_);
  /// What sets the elements back to those that are there now; called under the lock.
  virtual std::function<void()> contentsNow() WEFT_REQUIRES(mutex_) = 0;
  /// How many may be taken now.
  virtual int64_t available() const WEFT_REQUIRES(mutex_) { return count(); }
  /// Takes part in a batch only when it is full; a last small one is lost (see PriorityQueue).
  virtual bool wholeBatchesOnly() const { return false; }
  mutable Mutex mutex_;
  bool closed_ WEFT_GUARDED_BY(mutex_) = false;

  /// Joins elements to a batch; outside the lock. `shape` is the component's.
  virtual Result<Tensor> join(const std::vector<Tuple>& tuples, size_t component) const;
  /// How errors of single elements name the kind.
  virtual std::string singleKind() const { return options_.kind; }

 private:
  enum class Progress { None, Some, Complete };
  struct Attempt {
    int64_t number = 0;
    int64_t left = 0;          ///< Elements still to come or to go.
    Tuple tuple;               ///< Of an enqueue.
    std::vector<Tuple> taken;  ///< By a dequeue.
    bool isClose = false;
    Status status;
    std::function<Progress(Attempt&)> run;  ///< Under the lock.
    std::function<void(Attempt&)> finish;   ///< Outside the lock.
  };
  Cancel submit(const std::shared_ptr<Queue>& self, bool isEnqueue, Attempt attempt);
  Progress tryDequeueMany(Attempt& a, bool orFewer) WEFT_REQUIRES(mutex_);
  Error insufficient(const std::string& kind, int64_t wanted, int64_t size) const;
  /// Runs attempts as long as something moves.
  void flush();
  bool advance(std::deque<Attempt>& line, std::vector<Attempt>& finished) WEFT_REQUIRES(mutex_);
  void cancel(int64_t number, bool isEnqueue);

  const QueueOptions options_;
  std::deque<Attempt> enqueues_ WEFT_GUARDED_BY(mutex_), dequeues_ WEFT_GUARDED_BY(mutex_);
  int64_t nextNumber_ WEFT_GUARDED_BY(mutex_) = 0;
  int64_t put_ WEFT_GUARDED_BY(mutex_) = 0, taken_ WEFT_GUARDED_BY(mutex_) = 0;  // elements that went in and out
};

/// First in, first out.
std::shared_ptr<Queue> makeFifoQueue(QueueOptions options);
/// FIFO whose elements may differ in the dims that the shapes leave open: batches are padded with zeros.
std::shared_ptr<Queue> makePaddingQueue(QueueOptions options);
/// Any element next; `minAfterDequeue` must stay while it is open.
std::shared_ptr<Queue> makeRandomQueue(QueueOptions options, int64_t minAfterDequeue, int64_t seed, int64_t seed2);
/// The smallest first component next.
std::shared_ptr<Queue> makePriorityQueue(QueueOptions options);

/// What a random queue was made with, or null for others.
struct RandomQueueFacts {
  int64_t minAfterDequeue = 0, seed = 0, seed2 = 0;
};
const RandomQueueFacts* randomFacts(const Queue& queue);

}  // namespace weft
