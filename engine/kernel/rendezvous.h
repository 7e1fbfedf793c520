#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>

#include "weft/attr.h"
#include "weft/error.h"
#include "weft/export.h"
#include "weft/mutex.h"
#include "weft/tensor.h"

namespace weft {

/// How TensorFlow numbers the frames of while loops in rendezvous keys. Tasks that share a loop must agree.
enum class FrameIds {
  OfNames,   ///< 1.x: the hash of the joined names of all frames from the outermost.
  OfParents  ///< 2.x: the parent's number combined with the hash of the frame's name.
};

/// What went over an edge: the value, or news that the edge is dead.
struct Received {
  Tensor value;
  bool dead = false;
};
/// INTERNAL, in TensorFlow's words, if the tensor is not of the type that the receiving node declares.
WEFT_API Status checkReceived(const Received& received, DType declared, const std::string& node);

/// Where the tensors of one step wait between the `_Send` that produced them and the `_Recv` that needs them. Each key is sent once and received once, in
/// either order. Thread-safe.
class WEFT_API Rendezvous {
 public:
  /// Called exactly once, from any thread and without a lock, possibly before receive() returns.
  using Done = std::function<void(Result<Received>)>;
  /// Ends the wait: calls Done with CANCELLED unless it has been called or is being called. Safe to call at any later time. Empty: nothing is waiting.
  using Cancel = std::function<void()>;

  virtual ~Rendezvous() = default;
  /// Hands over a tensor; a dead one has no value. The tensor may share its buffer with a variable: read it only. The error of abort(), or ABORTED "Duplicated
  /// send: KEY" while another tensor waits under the key.
  virtual Status send(const std::string& key, Tensor value, bool dead) = 0;
  /// Asks for the tensor of this key.
  virtual Cancel receive(const std::string& key, Done done) = 0;
  /// What this thread asks for while the result lives may be sent to other tasks together, with what it gathered before. Do not wait meanwhile.
  virtual std::shared_ptr<void> together() { return {}; }
  /// Brings the awaited tensors nearer on this thread, which saves a thread switch: for up to `milliseconds`, or until `finished`. False, at once, if it cannot.
  virtual bool help(int milliseconds, const std::atomic<bool>& finished) { return false; }
  /// Ends the step: waiting and later receives and later sends fail with `why`. A second call has no effect.
  virtual void abort(Error why) = 0;
};

/// A rendezvous within this process.
class WEFT_API LocalRendezvous : public Rendezvous {
 public:
  LocalRendezvous() = default;
  /// Waiting receives fail with CANCELLED.
  ~LocalRendezvous() override;
  LocalRendezvous(const LocalRendezvous&) = delete;
  LocalRendezvous& operator=(const LocalRendezvous&) = delete;

  Status send(const std::string& key, Tensor value, bool dead) override;
  /// ABORTED "Duplicated recv: KEY" while another receive waits for the key.
  Cancel receive(const std::string& key, Done done) override;
  void abort(Error why) override;

 private:
  struct Item {
    Received arrived;     ///< Valid unless `waiting` is set.
    Done waiting;         ///< Set while a receive waits.
    uint64_t waiter = 0;  ///< Number of that receive.
  };
  struct State {
    Mutex mutex;
    std::unordered_map<std::string, Item> items WEFT_GUARDED_BY(mutex);
    uint64_t waiters WEFT_GUARDED_BY(mutex) = 0;
    Status ended WEFT_GUARDED_BY(mutex);
  };
  const std::shared_ptr<State> state_ = std::make_shared<State>();
};

/// The parts of a key: "SEND_DEVICE;INCARNATION;RECV_DEVICE;TENSOR;FRAME:ITERATION", the incarnation in 16 hexadecimal digits. A parsed key borrows its text.
struct WEFT_API RendezvousKey {
  std::string_view sendDevice;
  uint64_t incarnation = 0;  ///< Of the sending device.
  std::string_view recvDevice, tensor;
  uint64_t frame = 0;  ///< 0 outside loops.
  int64_t iteration = 0;

  std::string text() const;
  /// The key of a `_Send` or `_Recv` outside loops, from its attributes.
  static std::string ofEdge(const AttrMap& attrs);
  /// INVALID_ARGUMENT "Invalid  rendezvous key: KEY".
  static Result<RendezvousKey> parse(std::string_view key);
};

}  // namespace weft
