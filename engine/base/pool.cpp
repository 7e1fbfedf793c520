#include "base/pool.h"

#include <fcntl.h>
#include <immintrin.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <exception>
#include <memory>
#include <system_error>
#include <thread>
#include <vector>

#include "base/parallel.h"
#include "weft/mutex.h"

// How a fork works: the caller claims workers (Free or Asleep → Claimed), gives each its team and index (→ Work), and begins with the parts itself. Each thread
// takes its own parts first, then those that nobody has begun, so a worker that the system does not run delays nobody. A worker that begins (→ Running) becomes
// Free when no part is left, and only then decrements the pending count, so that the waiting caller finds it free at once. The caller takes back what it gave to
// workers that have not begun by then (Work → Free). Waiting threads spin for a few microseconds, then spin with sched_yield(), then sleep
// in the kernel: a wake-up costs the caller 8 and the woken thread 40 microseconds, as much as many kernels take.
namespace weft::pool {
namespace {

constexpr uint32_t kSleeps = 1u << 31;  ///< Flag in Team::pending: the caller sleeps.
constexpr unsigned kModes = ~0x3fu;     ///< In MXCSR: all but the exception flags.
constexpr int kMost = 1024;             ///< Maximum number of workers in the process.
constexpr int64_t kPolite = 20'000, kContentionCheck = 200'000,
                  kPatience = 1'000'000;  ///< Nanoseconds of spinning before yielding, checking for contention, sleeping.

void sleepWhile(std::atomic<uint32_t>& word, uint32_t value) { syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, value, nullptr, nullptr, 0); }
void wake(std::atomic<uint32_t>& word, int count) { syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, count, nullptr, nullptr, 0); }

int64_t nanoseconds() { return std::chrono::steady_clock::now().time_since_epoch().count(); }

/// Number of runnable threads on the whole machine; 0 if unknown.
int runnableThreads() {
  const int file = ::open("/proc/loadavg", O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  char text[128] = {};
  const ssize_t n = ::read(file, text, sizeof text - 1);
  ::close(file);
  int running = 0;
  if (n <= 0 || std::sscanf(text, "%*f %*f %*f %d", &running) != 1) return 0;
  return running;
}

/// Whether other programs compete for the processors. Spinning is the fastest way to wait on an idle machine and many times too slow on a busy one, where it
/// uses up the time slice that the awaited thread needs.
std::atomic<bool> contended{false};

/// Updates `contended`, at most every 20 ms; called after long waits. A single sample may be an outlier, so several in a row decide.
void sampleContention() {
  static std::atomic<int64_t> last{0};
  static std::atomic<int> score{0};  // out of 100
  static const long processors = ::sysconf(_SC_NPROCESSORS_ONLN);
  const int64_t now = nanoseconds();
  int64_t before = last.load(std::memory_order_relaxed);
  if (now - before < 20'000'000 || !last.compare_exchange_strong(before, now, std::memory_order_relaxed)) return;
  const int old = now - before > 200'000'000 ? 0 : score.load(std::memory_order_relaxed);
  const int updated = old * 3 / 4 + (runnableThreads() > processors ? 25 : 0);
  score.store(updated, std::memory_order_relaxed);
  if (updated > 50) contended.store(true, std::memory_order_relaxed);
  if (updated < 30) contended.store(false, std::memory_order_relaxed);
}

/// Spins until `there` holds; returns false after spinning in vain. The wait is short if there are more threads than processors, since spinning would then keep
/// the awaited thread from running.
template <typename F>
bool spinUntil(bool crowded, F&& there) {
  for (int i = 0; i < 64; ++i) {
    if (there()) return true;
    _mm_pause();
  }
  if (crowded || contended.load(std::memory_order_relaxed)) return false;
  const int64_t start = nanoseconds();
  for (int64_t waited = 0;; waited = nanoseconds() - start) {
    if (waited > kContentionCheck) sampleContention();
    for (int i = 0; i < 16; ++i) {
      if (there()) return true;
      _mm_pause();
    }
    if (waited > kPatience) return false;
    if (waited > kPolite) sched_yield();
  }
}

std::atomic<int> looking{0};  ///< Workers that spin while looking for work.

/// Which parts of a team's work have been begun.
class TakenParts {
 public:
  explicit TakenParts(int parts) {
    if (parts > 64) many_ = std::make_unique<std::atomic<uint64_t>[]>(size_t(parts + 63) / 64);
  }
  /// Whether nobody else has taken the part; then it is the caller's.
  bool take(int part) {
    std::atomic<uint64_t>& word = many_ ? many_[size_t(part) / 64] : few_;
    const uint64_t bit = uint64_t(1) << (part % 64);
    return !(word.load(std::memory_order_relaxed) & bit) && !(word.fetch_or(bit, std::memory_order_relaxed) & bit);
  }

 private:
  std::atomic<uint64_t> few_{0};
  std::unique_ptr<std::atomic<uint64_t>[]> many_;
};

struct Team {
  Team(Body what, void* with, int threads, int count, bool numbered, unsigned modes)
      : body(what), arg(with), size(threads), parts(count), exactly(numbered), csr(modes), taken(count) {}
  Body body;
  void* arg;
  int size, parts;
  bool exactly;  ///< A part counts as a thread, with its own number.
  unsigned csr;  ///< The caller's rounding and denormal modes, used by all members.
  alignas(64) TakenParts taken;
  alignas(64) std::atomic<uint32_t> pending{0};  ///< Workers that may still run, plus the flag kSleeps.
  alignas(64) std::atomic<uint32_t> arrived{0}, round{0}, sleepers{0};
  std::atomic<bool> failed{false};
  std::exception_ptr error = nullptr;  ///< Written by the thread that set `failed`; read when all have ended.

  void run(int index) noexcept;
  void ended();
  void waitForAll(int withdrawn);  ///< `withdrawn`: workers that will not begin.
  bool crowded() const { return size > defaultParallelism(); }
};

/// The team that this thread works for.
struct Place {
  Team* team;
  int index;
  bool inTeam;  ///< Whether this team or an enclosing one has several members.
};
thread_local constinit Place here{nullptr, 0, false};
thread_local constinit uint64_t askedHere = 0;

void Team::run(int index) noexcept {
  const Place before = here;
  here = {this, index, true};
  const auto runIfFree = [&](int part) {
    // The numbers of a team may wait for one another, so none is left out.
    if ((!exactly && failed.load(std::memory_order_relaxed)) || !taken.take(part)) return;
    if (exactly) here.index = part;
    try {
      body(arg, part);
    } catch (...) {
      if (!failed.exchange(true)) error = std::current_exception();
    }
  };
  for (int first = 0; first < size; ++first)
    for (int part = (index + first) % size; part < parts; part += size) runIfFree(part);
  here = before;
}

void Team::ended() {
  if (pending.fetch_sub(1, std::memory_order_acq_rel) == (kSleeps | 1)) wake(pending, 1);  // the team may be gone; a spurious wake-up is harmless
}

void Team::waitForAll(int withdrawn) {
  if (withdrawn > 0) pending.fetch_sub(uint32_t(withdrawn), std::memory_order_relaxed);
  if (spinUntil(crowded(), [&] { return pending.load(std::memory_order_acquire) == 0; })) return;
  if (contended.load(std::memory_order_relaxed)) sampleContention();  // check whether the contention persists
  uint32_t left = pending.fetch_or(kSleeps, std::memory_order_acq_rel) | kSleeps;
  while (left != kSleeps) {
    sleepWhile(pending, left);
    left = pending.load(std::memory_order_acquire);
  }
}

class alignas(64) Worker {
 public:
  explicit Worker(bool claimed) : state_(claimed ? kClaimed : kFree) {}

  /// Tries to claim the worker. On success it belongs to the caller until it has run the work passed to give().
  bool claim() {
    uint32_t s = state_.load(std::memory_order_relaxed);
    if (s != kFree && s != kAsleep) return false;
    if (!state_.compare_exchange_strong(s, kClaimed, std::memory_order_acquire)) return false;
    asleep_ = s == kAsleep;
    return true;
  }

  /// Returns a ticket for withdraw().
  uint32_t give(Team* team, int index) {
    team_ = team;
    index_ = index;
    const bool asleep = asleep_;
    asleep_ = false;
    gifts_ = std::max<uint32_t>(gifts_ + 1, kWork);  // it wraps
    const uint32_t ticket = gifts_;
    state_.store(ticket, std::memory_order_release);
    if (asleep) wake(state_, 1);
    return ticket;
  }

  /// Takes back what was given, unless the worker has begun with it. By then it may work for somebody else.
  bool withdraw(uint32_t ticket) { return state_.compare_exchange_strong(ticket, kFree, std::memory_order_relaxed); }

  void loop() {
    for (;;) {
      const auto told = [&] { return state_.load(std::memory_order_relaxed) >= kWork; };
      const bool crowded = looking.fetch_add(1, std::memory_order_relaxed) + 1 >= defaultParallelism();  // the workers and the forking thread
      const bool found = spinUntil(crowded, told);
      looking.fetch_sub(1, std::memory_order_relaxed);
      if (!found) {
        uint32_t s = kFree;
        if (state_.compare_exchange_strong(s, kAsleep, std::memory_order_acq_rel)) {
          while (state_.load(std::memory_order_relaxed) == kAsleep) sleepWhile(state_, kAsleep);
        } else if (s == kClaimed) {
          sched_yield();
        }
      }
      uint32_t s = state_.load(std::memory_order_relaxed);
      if (s < kWork || !state_.compare_exchange_strong(s, kRunning, std::memory_order_acquire)) continue;
      Team* const team = team_;
      const int index = index_;
      if (((_mm_getcsr() ^ team->csr) & kModes) != 0) _mm_setcsr(team->csr & kModes);
      team->run(index);
      state_.store(kFree, std::memory_order_release);
      team->ended();
    }
  }

 private:
  enum : uint32_t { kFree, kAsleep, kClaimed, kRunning, kWork };  ///< From kWork on: told to work, a number for each time.
  std::atomic<uint32_t> state_;
  bool asleep_ = false;  // this and the next three are written by the thread that claimed the worker
  uint32_t gifts_ = 0;
  Team* team_ = nullptr;
  int index_ = 0;
};

/// Never destroyed: workers may still sleep in it at process exit.
class Pool {
 public:
  static Pool& instance() {
    static const int once = pthread_atfork(nullptr, nullptr, [] { current().store(new Pool); });  // a forked process has no workers
    (void)once;
    return *current().load(std::memory_order_acquire);
  }

  int count() const { return count_.load(std::memory_order_acquire); }

  /// Claims up to `wanted` free workers, lowest numbers first, so that the same threads get the same data.
  int claim(int wanted, Worker** claimed) {
    int got = 0;
    const int n = count();
    for (int i = 0; i < n && got < wanted; ++i) {
      if (workers_[i]->claim()) claimed[got++] = workers_[i];
    }
    return got;
  }

  /// Creates up to `wanted` workers, already claimed.
  int make(int wanted, Worker** claimed) {
    const MutexLock lock(making_);
    int made = 0;
    // Workers must not receive signals; those are for the program's own threads.
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    for (; made < wanted; ++made) {
      const int n = count_.load(std::memory_order_relaxed);
      if (n == kMost) break;
      auto* worker = new Worker(true);
      try {
        std::thread thread([worker] { worker->loop(); });
        pthread_setname_np(thread.native_handle(), "weft-compute");
        thread.detach();
      } catch (const std::system_error&) {
        delete worker;
        break;
      }
      workers_[n] = worker;
      count_.store(n + 1, std::memory_order_release);
      claimed[made] = worker;
    }
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    return made;
  }

 private:
  static std::atomic<Pool*>& current() {
    static auto* pool = new std::atomic<Pool*>(new Pool);
    return *pool;
  }

  Mutex making_;
  std::atomic<int> count_{0};
  Worker* workers_[kMost] = {};  // the first count_ are never removed
};

void runAlone(int parts, bool inside, Body body, void* arg) {
  Team alone(body, arg, 1, parts, false, 0);
  const Place before = here;
  here = {&alone, 0, inside};
  struct Back {
    Place before;
    ~Back() { here = before; }
  } back{before};
  for (int i = 0; i < parts; ++i) body(arg, i);
}

void run(int threads, int parts, bool exactly, Body body, void* arg) {
  threads = std::min(threads, kMost);
  Worker* few[64];
  uint32_t fewTickets[64];
  std::vector<Worker*> many;
  std::vector<uint32_t> manyTickets;
  Worker** claimed = few;
  uint32_t* tickets = fewTickets;
  if (threads > 64) {
    many.resize(size_t(threads));
    manyTickets.resize(size_t(threads));
    claimed = many.data();
    tickets = manyTickets.data();
  }
  // Before workers are claimed: with no memory for it, none may be left claimed.
  Team team(body, arg, threads, exactly ? threads : parts, exactly, _mm_getcsr());
  Pool& pool = Pool::instance();
  const int wanted = threads - 1;
  int got = pool.claim(wanted, claimed);
  if (got < wanted) {
    const int more = exactly ? wanted - got : std::min(defaultParallelism() - 1 - pool.count(), wanted - got);
    if (more > 0) got += pool.make(more, claimed + got);
  }
  if (got == 0) return runAlone(exactly ? 1 : parts, !exactly, body, arg);  // nested calls in a part run on its thread alone, as usual
  team.size = got + 1;
  if (exactly) team.parts = got + 1;
  team.pending.store(uint32_t(got), std::memory_order_relaxed);
  for (int i = 0; i < got; ++i) tickets[i] = claimed[i]->give(&team, i + 1);
  team.run(0);
  int withdrawn = 0;
  for (int i = 0; i < got; ++i) withdrawn += claimed[i]->withdraw(tickets[i]);
  team.waitForAll(withdrawn);
  if (team.failed.load(std::memory_order_relaxed)) std::rethrow_exception(std::move(team.error));
}

}  // namespace

void fork(int threads, Body body, void* arg) {
  if (threads <= 1 || inTeam()) return runAlone(1, inTeam(), body, arg);
  ++askedHere;
  run(threads, threads, true, body, arg);
}

void share(int parts, Body body, void* arg) {
  if (parts <= 1 || inTeam()) {
    for (int i = 0; i < parts; ++i) body(arg, i);
    return;
  }
  ++askedHere;
  run(parts, parts, false, body, arg);
}

bool inTeam() { return here.inTeam; }
int index() { return here.index; }
int size() { return here.team ? here.team->size : 1; }
int workers() { return Pool::instance().count(); }
uint64_t asked() { return askedHere; }

void barrier() {
  Team* const team = here.team;
  if (!team || team->size == 1) return;
  const uint32_t round = team->round.load(std::memory_order_relaxed);
  if (team->arrived.fetch_add(1, std::memory_order_acq_rel) + 1 == uint32_t(team->size)) {
    team->arrived.store(0, std::memory_order_relaxed);
    team->round.store(round + 1);
    if (team->sleepers.load() != 0) wake(team->round, team->size);
    return;
  }
  if (spinUntil(team->crowded(), [&] { return team->round.load(std::memory_order_acquire) != round; })) return;
  team->sleepers.fetch_add(1);
  while (team->round.load(std::memory_order_acquire) == round) sleepWhile(team->round, round);
  team->sleepers.fetch_sub(1);
}

}  // namespace weft::pool
