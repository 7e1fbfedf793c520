#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "weft/error.h"
#include "weft/session.h"

namespace weft {

/// Stops several threads together and passes on the first error, as TensorFlow's tf.train.Coordinator. All methods are thread-safe.
class WEFT_API Coordinator {
 public:
  Coordinator();
  /// Asks the threads to stop, without waiting for them.
  ~Coordinator();
  Coordinator(const Coordinator&) = delete;
  Coordinator& operator=(const Coordinator&) = delete;

  /// Asks all threads to stop. join() returns the first error. The end of data (OUT_OF_RANGE) is not an error.
  void requestStop(Status why = {});
  bool shouldStop() const { return sign().shouldStop(); }
  bool waitForStop(std::chrono::milliseconds most = std::chrono::milliseconds(-1)) const { return sign().waitForStop(most); }

  /// The stop flag, for threads that may outlive the coordinator. A value; thread-safe.
  class WEFT_API Sign {
   public:
    bool shouldStop() const;
    /// Waits for a stop request, at most `most` (negative: forever). Returns whether there was one.
    bool waitForStop(std::chrono::milliseconds most = std::chrono::milliseconds(-1)) const;

   private:
    friend class Coordinator;
    explicit Sign(std::shared_ptr<const void> impl) : impl_(std::move(impl)) {}
    std::shared_ptr<const void> impl_;  ///< A Coordinator::Impl.
  };
  Sign sign() const { return Sign(impl_); }

  /// Starts a thread. It should end soon after shouldStop(). An error that it returns goes to requestStop().
  void start(std::string name, std::function<Status()> body);
  /// Waits until all threads have ended; after a stop request, at most `grace`. Returns the error that stopped them, or
  /// INTERNAL "Coordinator stopped with threads still running: NAMES". Such threads keep running.
  Status join(std::chrono::milliseconds grace = std::chrono::seconds(120));
  /// Call after join() to use the coordinator again.
  void clearStop();

 private:
  struct Impl;
  std::shared_ptr<Impl> impl_;
};

/// Threads that fill a queue, as TensorFlow's tf.train.QueueRunner.
struct WEFT_API QueueRunner {
  std::string queueName;
  std::vector<std::string> enqueueOps;                 ///< Each is run repeatedly by one thread.
  std::string closeOp;                                 ///< Runs once when all threads have reached the end of their data; may be empty.
  std::string cancelOp;                                ///< Runs when the coordinator stops, to release those that wait for the queue; may be empty.
  std::vector<Code> closedCodes = {Code::OutOfRange};  ///< Codes that mean the end of a thread's data.

  /// Parses a QueueRunnerDef, as in a meta graph's collection "queue_runners". INVALID_ARGUMENT for anything else.
  static Result<QueueRunner> parse(std::string_view bytes);
  /// Starts the threads. `session` must outlive them, so join the coordinator or close the session first. They may outlive the coordinator.
  void start(Session& session, Coordinator& coordinator) const;
};

}  // namespace weft
