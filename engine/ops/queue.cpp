#include "ops/queue.h"

#include <algorithm>
#include <cstring>

#include "tensor/element_types.h"

namespace weft {
namespace {

/// [n] followed by the shape of a component; unknown dims stay.
Shape batchShape(int64_t n, const Shape& element) {
  Shape shape{n};
  shape.append(element);
  return shape;
}

bool fits(const Shape& wanted, const Shape& given) {
  if (wanted.rank() != given.rank()) return false;
  for (int d = 0; d < wanted.rank(); ++d) {
    if (wanted.dim(d) >= 0 && wanted.dim(d) != given.dim(d)) return false;
  }
  return true;
}

Error shapeMismatch(size_t component, const Shape& wanted, const Shape& given) {
  return invalidArgument("Shape mismatch in tuple component ", component, ". Expected ", wanted.toString(), ", got ", given.toString());
}

Result<Tensor> elementOf(const Tensor& batch, int64_t index) {
  const Shape shape = batch.shape().slice(1);
  WEFT_LET(Tensor element, Tensor::allocate(batch.dtype(), shape));
  copyElements(element, 0, batch, index * shape.elements(), shape.elements());
  return element;
}

}  // namespace

Status Queue::checkTuple(const Tuple& tuple) const {
  for (size_t k = 0; k < options_.shapes.size(); ++k) {
    if (!fits(options_.shapes[k], tuple[k].shape())) return shapeMismatch(k, options_.shapes[k], tuple[k].shape());
  }
  return {};
}

Status Queue::checkBatch(const Tuple& batch) const {
  const int64_t n = batch[0].rank() > 0 ? batch[0].dim(0) : 0;
  for (size_t k = 0; k < options_.shapes.size(); ++k) {
    const Shape wanted = batchShape(n, options_.shapes[k]);
    if (!fits(wanted, batch[k].shape())) return shapeMismatch(k, wanted, batch[k].shape());
  }
  for (size_t k = 0; k < batch.size(); ++k) {
    const int64_t rows = batch[k].rank() > 0 ? batch[k].dim(0) : -1;
    if (rows != n)
      return invalidArgument("All input tensors must have the same size in the 0th dimension. Component ", k, " has ", std::max<int64_t>(rows, 0),
                             ", and should have ", n);
  }
  return {};
}

Status Queue::checkBatching() const {
  if (!options_.shapes.empty() || options_.types.empty()) return {};
  return invalidArgument(options_.kind, "'s DequeueMany and DequeueUpTo require the components to have specified shapes.");
}

Error Queue::insufficient(const std::string& kind, int64_t wanted, int64_t size) const {
  return outOfRange(kind, " '", options_.name, "' is closed and has insufficient elements (requested ", wanted, ", current size ", size, ")");
}

Queue::Cancel Queue::submit(const std::shared_ptr<Queue>& self, bool isEnqueue, Attempt attempt) {
  int64_t number;
  {
    const MutexLock lock(mutex_);
    number = attempt.number = nextNumber_++;
    (isEnqueue ? enqueues_ : dequeues_).push_back(std::move(attempt));
  }
  flush();
  return [self, number, isEnqueue] { self->cancel(number, isEnqueue); };
}

void Queue::cancel(int64_t number, bool isEnqueue) {
  std::vector<Attempt> ended;
  {
    const MutexLock lock(mutex_);
    std::deque<Attempt>& line = isEnqueue ? enqueues_ : dequeues_;
    const auto it = std::find_if(line.begin(), line.end(), [&](const Attempt& a) { return a.number == number; });
    if (it == line.end()) return;
    it->status = cancelledError(isEnqueue ? "Enqueue" : "Dequeue", " operation was cancelled");
    ended.push_back(std::move(*it));
    line.erase(it);
  }
  for (Attempt& a : ended) a.finish(a);
  flush();  // try the operations queued behind it
}

bool Queue::advance(std::deque<Attempt>& line, std::vector<Attempt>& finished) {
  bool moved = false;
  while (!line.empty()) {
    const Progress p = line.front().run(line.front());
    moved |= p != Progress::None;
    if (p != Progress::Complete) break;
    finished.push_back(std::move(line.front()));
    line.pop_front();
  }
  return moved;
}

void Queue::flush() {
  std::vector<Attempt> finished;
  {
    const MutexLock lock(mutex_);
    bool moved = true;
    while (moved) {
      moved = advance(enqueues_, finished);
      moved |= advance(dequeues_, finished);
    }
  }
  for (Attempt& a : finished) a.finish(a);
}

Queue::Cancel Queue::enqueue(const std::shared_ptr<Queue>& self, Tuple tuple, Done done) {
  Queue* q = self.get();
  Attempt a;
  a.tuple = std::move(tuple);
  a.run = [q](Attempt& attempt) {
    q->mutex_.assertHeld();
    if (q->closed_) {
      attempt.status = cancelledError(q->singleKind(), " '", q->options_.name, "' is closed.");
      return Progress::Complete;
    }
    if (q->count() >= q->options_.capacity) return Progress::None;
    q->put(std::move(attempt.tuple));
    ++q->put_;
    return Progress::Complete;
  };
  a.finish = [done = std::move(done)](Attempt& attempt) { attempt.status.ok() ? done(AsyncKernel::Outputs()) : done(attempt.status.error()); };
  return q->submit(self, true, std::move(a));
}

Queue::Cancel Queue::enqueueMany(const std::shared_ptr<Queue>& self, Tuple batch, Done done) {
  Queue* q = self.get();
  Attempt a;
  a.left = batch[0].dim(0);
  if (a.left == 0) {
    done(AsyncKernel::Outputs());
    return {};
  }
  a.tuple = std::move(batch);
  a.run = [q](Attempt& attempt) {
    q->mutex_.assertHeld();
    if (q->closed_) {
      attempt.status = cancelledError(q->singleKind(), " '", q->options_.name, "' is closed.");
      return Progress::Complete;
    }
    Progress progress = Progress::None;
    while (q->count() < q->options_.capacity) {
      Tuple element;
      for (const Tensor& component : attempt.tuple) {
        auto part = elementOf(component, component.dim(0) - attempt.left);
        if (!part.ok()) {
          attempt.status = part.error();
          return Progress::Complete;
        }
        element.push_back(std::move(*part));
      }
      q->put(std::move(element));
      ++q->put_;
      progress = Progress::Some;
      if (--attempt.left == 0) return Progress::Complete;
    }
    return progress;
  };
  a.finish = [done = std::move(done)](Attempt& attempt) { attempt.status.ok() ? done(AsyncKernel::Outputs()) : done(attempt.status.error()); };
  return q->submit(self, true, std::move(a));
}

Queue::Cancel Queue::dequeue(const std::shared_ptr<Queue>& self, Done done) {
  Queue* q = self.get();
  Attempt a;
  a.run = [q](Attempt& attempt) {
    q->mutex_.assertHeld();
    if (q->closed_ && q->count() == 0) {
      attempt.status = q->insufficient(q->singleKind(), 1, 0);
      return Progress::Complete;
    }
    if (q->available() <= 0) return Progress::None;
    attempt.taken.push_back(q->take());
    ++q->taken_;
    return Progress::Complete;
  };
  a.finish = [done = std::move(done)](Attempt& attempt) {
    if (!attempt.status.ok()) return done(attempt.status.error());
    done(std::move(attempt.taken.front()));
  };
  return q->submit(self, false, std::move(a));
}

Queue::Progress Queue::tryDequeueMany(Attempt& a, bool orFewer) {
  if (closed_ && count() < a.left) {
    const int64_t size = count();
    if (!a.taken.empty()) {
      taken_ -= int64_t(a.taken.size());
      putBack(std::move(a.taken));
      a.taken.clear();
    }
    if (orFewer && count() > 0) {
      a.left = count();
      if (wholeBatchesOnly()) {
        taken_ += count();
        while (count() > 0) take();
        a.status = insufficient(options_.kind, a.left, 0);
        return Progress::Complete;
      }
    } else {
      // Operations queued before the close may still deliver elements.
      if (orFewer && !enqueues_.empty()) return Progress::Some;
      a.status = insufficient(options_.kind, a.left, size);
      return Progress::Complete;
    }
  }
  if (wholeBatchesOnly() && available() < a.left) return Progress::None;
  Progress progress = Progress::None;
  while (available() > 0) {
    a.taken.push_back(take());
    ++taken_;
    progress = Progress::Some;
    if (--a.left == 0) return Progress::Complete;
  }
  return progress;
}

Queue::Cancel Queue::dequeueMany(const std::shared_ptr<Queue>& self, int64_t n, bool orFewer, Done done) {
  Queue* q = self.get();
  Attempt a;
  a.left = n;
  a.run = [q, orFewer](Attempt& attempt) {
    q->mutex_.assertHeld();
    return q->tryDequeueMany(attempt, orFewer);
  };
  a.finish = [q, done = std::move(done)](Attempt& attempt) {
    if (!attempt.status.ok()) return done(attempt.status.error());
    AsyncKernel::Outputs batch;
    for (size_t k = 0; k < q->options_.types.size(); ++k) {
      auto joined = q->join(attempt.taken, k);
      if (!joined.ok()) return done(joined.error());
      batch.push_back(std::move(*joined));
    }
    done(std::move(batch));
  };
  if (n == 0) {
    a.finish(a);
    return {};
  }
  return q->submit(self, false, std::move(a));
}

Queue::Cancel Queue::close(const std::shared_ptr<Queue>& self, bool cancelPending, Done done) {
  Queue* q = self.get();
  if (cancelPending) {
    std::deque<Attempt> ended;
    {
      const MutexLock lock(q->mutex_);
      q->closed_ = true;
      ended.swap(q->enqueues_);
    }
    for (Attempt& a : ended) {
      a.status = cancelledError("Enqueue operation was cancelled");
      a.finish(a);
    }
    q->flush();
    done(AsyncKernel::Outputs());
    return {};
  }
  Attempt a;
  a.isClose = true;
  a.run = [q](Attempt& attempt) {
    q->mutex_.assertHeld();
    if (q->closed_) attempt.status = cancelledError("Queue '", q->options_.name, "' is already closed.");
    q->closed_ = true;
    return Progress::Complete;
  };
  a.finish = [done = std::move(done)](Attempt& attempt) { attempt.status.ok() ? done(AsyncKernel::Outputs()) : done(attempt.status.error()); };
  return q->submit(self, true, std::move(a));
}

int64_t Queue::size() const {
  const MutexLock lock(mutex_);
  return count();
}

bool Queue::isClosed() const {
  const MutexLock lock(mutex_);
  return closed_;
}

std::function<void()> Queue::savePoint() {
  const MutexLock lock(mutex_);
  return [this, contents = contentsNow(), closed = closed_, put = put_, taken = taken_] {
    {
      const MutexLock again(mutex_);
      contents();
      closed_ = closed;
      put_ = put;
      taken_ = taken;
    }
    flush();
  };
}

void Queue::putBack(std::vector<Tuple> tuples) {
  for (Tuple& t : tuples) put(std::move(t));
}

Result<Tensor> Queue::join(const std::vector<Tuple>& tuples, size_t component) const {
  const Shape& element = options_.shapes[component];
  WEFT_LET(Tensor batch, Tensor::allocate(options_.types[component], batchShape(int64_t(tuples.size()), element)));
  const int64_t width = element.elements();
  for (size_t i = 0; i < tuples.size(); ++i) copyElements(batch, int64_t(i) * width, tuples[i][component], 0, width);
  return batch;
}

}  // namespace weft
