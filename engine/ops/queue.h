#pragma once

#include <deque>
#include <functional>
#include <string>
#include <vector>

#include "kernel/async_kernel.h"
#include "kernel/restorable.h"
#include "tensor/variable.h"
#include "weft/mutex.h"

// Queues of tuples of tensors. An operation that cannot proceed at once (no room, too few elements) is recorded as an attempt. Every change to the queue
// retries the attempts in order of arrival, with separate lines for enqueues and dequeues.
namespace weft {

struct QueueState;  // weft/queues.h

/// The options of a queue.
struct QueueOptions {
  std::string kind;  ///< "FIFOQueue", as in messages.
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
  /// INVALID_ARGUMENT if elements cannot be batched because the queue declares no shapes.
  Status checkBatching() const;

  /// REQUIRES for all four: `self` is this queue. `done` gets no outputs from enqueues.
  static Cancel enqueue(const std::shared_ptr<Queue>& self, Tuple tuple, Done done);
  static Cancel enqueueMany(const std::shared_ptr<Queue>& self, Tuple batch, Done done);
  static Cancel dequeue(const std::shared_ptr<Queue>& self, Done done);
  /// Takes `n` elements as a batch; with `orFewer`, takes the remaining ones if the queue is closed and has fewer.
  static Cancel dequeueMany(const std::shared_ptr<Queue>& self, int64_t n, bool orFewer, Done done);
  /// Ends enqueuing. Waiting enqueues still complete, or are ended with CANCELLED.
  static Cancel close(const std::shared_ptr<Queue>& self, bool cancelPending, Done done);

  int64_t size() const;
  bool isClosed() const;
  /// Fills in everything but the name. Does not wait for the lock.
  void tell(QueueState& state) const;
  /// Restores elements, order, and the closed state; waiting attempts are retried afterwards.
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

  /// Stacks elements to a batch; called outside the lock. `shape` is the component's.
  virtual Result<Tensor> join(const std::vector<Tuple>& tuples, size_t component) const;
  /// The name of the kind in errors about single elements.
  virtual std::string singleKind() const { return options_.kind; }

 private:
  enum class Progress { None, Some, Complete };
  struct Attempt {
    int64_t number = 0;
    int64_t left = 0;          ///< Number of elements still to enqueue or dequeue.
    Tuple tuple;               ///< The tuple of an enqueue.
    std::vector<Tuple> taken;  ///< The tuples taken by a dequeue.
    bool isClose = false;
    Status status;
    std::function<Progress(Attempt&)> run;
    std::function<void(Attempt&)> finish;  ///< Called outside the lock.
  };
  Cancel submit(const std::shared_ptr<Queue>& self, bool isEnqueue, Attempt attempt);
  Progress tryDequeueMany(Attempt& a, bool orFewer) WEFT_REQUIRES(mutex_);
  Error insufficient(const std::string& kind, int64_t wanted, int64_t size) const;
  /// Runs attempts until none makes progress.
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
/// A FIFO queue whose elements may differ in unknown dims: batches are padded with zeros.
std::shared_ptr<Queue> makePaddingQueue(QueueOptions options);
/// Returns a random element; `minAfterDequeue` elements must remain while it is open.
std::shared_ptr<Queue> makeRandomQueue(QueueOptions options, int64_t minAfterDequeue, int64_t seed, int64_t seed2);
/// Returns the element with the smallest first component.
std::shared_ptr<Queue> makePriorityQueue(QueueOptions options);

/// The parameters of a random queue; null for other kinds.
struct RandomQueueFacts {
  int64_t minAfterDequeue = 0, seed = 0, seed2 = 0;
};
const RandomQueueFacts* randomFacts(const Queue& queue);

}  // namespace weft
