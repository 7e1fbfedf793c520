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

/// Lets several threads stop together and hands on the first error, as TensorFlow's tf.train.Coordinator. All methods are thread-safe.
class WEFT_API Coordinator {
 public:
  Coordinator();
  /// Asks the threads to stop; they are not waited for.
  ~Coordinator();
  Coordinator(const Coordinator&) = delete;
  Coordinator& operator=(const Coordinator&) = delete;

  /// Asks all to stop. The first error counts and is what join() gives; the end of data (OUT_OF_RANGE) is no error.
  void requestStop(Status why = {});
  bool shouldStop() const { return sign().shouldStop(); }
  bool waitForStop(std::chrono::milliseconds most = std::chrono::milliseconds(-1)) const { return sign().waitForStop(most); }

  /// What a thread looks at that may outlive the coordinator. A value; thread-safe.
  class WEFT_API Sign {
   public:
    bool shouldStop() const;
    /// Waits until somebody asks to stop, at most so long; whether somebody did. Negative: as long as it takes.
    bool waitForStop(std::chrono::milliseconds most = std::chrono::milliseconds(-1)) const;

   private:
    friend class Coordinator;
    explicit Sign(std::shared_ptr<const void> impl) : impl_(std::move(impl)) {}
    std::shared_ptr<const void> impl_;  ///< A Coordinator::Impl.
  };
  Sign sign() const { return Sign(impl_); }

  /// Starts a thread. It should end soon after shouldStop(); an error that it returns is passed to requestStop().
  void start(std::string name, std::function<Status()> body);
  /// Waits until all threads ended, or until somebody asks to stop and then for `grace` at most. Gives the error that stopped them, or
  /// INTERNAL "Coordinator stopped with threads still running: NAMES"; such threads go on by themselves.
  Status join(std::chrono::milliseconds grace = std::chrono::seconds(120));
  /// After join(): the coordinator can be used again.
  void clearStop();

 private:
  struct Impl;
  std::shared_ptr<Impl> impl_;
};

/// Threads that fill a queue, as TensorFlow's tf.train.QueueRunner.
struct WEFT_API QueueRunner {
  std::string queueName;
  std::vector<std::string> enqueueOps;                 ///< One thread runs each again and again.
  std::string closeOp;                                 ///< Runs once when all threads have met the end of their data; may be empty.
  std::string cancelOp;                                ///< Runs when the coordinator stops, so that nobody waits for the queue any more; may be empty.
  std::vector<Code> closedCodes = {Code::OutOfRange};  ///< What a thread that has met its end gets.

  /// A QueueRunnerDef, as the collection "queue_runners" of a meta graph holds it. INVALID_ARGUMENT for anything else.
  static Result<QueueRunner> parse(std::string_view bytes);
  /// Starts the threads. `session` must outlive them: join the coordinator first, or close the session. They may outlive the coordinator.
  void start(Session& session, Coordinator& coordinator) const;
};

}  // namespace weft
