#include "module/interpreter_lock.h"

#include <unistd.h>

#include <atomic>
#include <chrono>
#include <set>

#include "weft/cond_var.h"

namespace weft::python {
namespace {

constexpr std::chrono::seconds kPatience{10};  // for a kernel that does not check for cancellation

struct Steps {
  Mutex mutex;
  CondVar less;
  std::set<const CancellationToken*> running WEFT_GUARDED_BY(mutex);
  std::atomic<bool> ended{false};
  unsigned long lastThread = 0;  // the thread that ends the program
};

// Never destroyed: suspended threads may access it until the process ends.
Steps& steps() {
  static Steps* const all = new Steps;
  return *all;
}

}  // namespace

bool stepsHaveEnded() { return steps().ended.load() && PyThread_get_thread_ident() != steps().lastThread; }

void blockForever() {
  for (;;) pause();
}

CancellableStep::CancellableStep(const CancellationToken& token) : token_(&token) {
  {
    const MutexLock lock(steps().mutex);
    if (!stepsHaveEnded()) {
      steps().running.insert(token_);
      return;
    }
  }
  blockForever();  // checked under the lock, so that no step begins after endSteps()
}

CancellableStep::~CancellableStep() {
  const MutexLock lock(steps().mutex);
  steps().running.erase(token_);
  steps().less.notify_all();
}

void endSteps() {
  Steps& s = steps();
  const InterpreterReleased released;
  const MutexLock lock(s.mutex);
  s.lastThread = PyThread_get_thread_ident();
  s.ended = true;
  for (const CancellationToken* token : s.running) token->cancel();
  s.less.wait_for(s.mutex, kPatience, [&]() WEFT_REQUIRES(s.mutex) { return s.running.empty(); });
}

}  // namespace weft::python
