#pragma once

#include <mutex>

// Mutexes that clang's thread safety analysis understands. A member that needs a mutex says so with WEFT_GUARDED_BY, a function that expects its caller to hold one with
// WEFT_REQUIRES; the test lint_thread_safety then refuses code that doesn't hold it. To other compilers the macros are empty. This header stands alone.
#if defined(__clang__)
#define WEFT_THREAD_ATTRIBUTE(x) __attribute__((x))
#else
#define WEFT_THREAD_ATTRIBUTE(x)
#endif

/// Of a class: its objects can be held (mutexes), or hold one while they live (locks).
#define WEFT_CAPABILITY(kind) WEFT_THREAD_ATTRIBUTE(capability(kind))
#define WEFT_SCOPED_CAPABILITY WEFT_THREAD_ATTRIBUTE(scoped_lockable)

/// Of a variable: it, or what it points to, is read and written only while the mutex is held. In declarations it stands behind the name: `int n WEFT_GUARDED_BY(mutex_) = 0;`.
#define WEFT_GUARDED_BY(mutex) WEFT_THREAD_ATTRIBUTE(guarded_by(mutex))
#define WEFT_PT_GUARDED_BY(mutex) WEFT_THREAD_ATTRIBUTE(pt_guarded_by(mutex))

/// Of a function: the caller holds these mutexes; for writing, or at least for reading; or holds none of them, because the function takes them.
#define WEFT_REQUIRES(...) WEFT_THREAD_ATTRIBUTE(requires_capability(__VA_ARGS__))
#define WEFT_REQUIRES_SHARED(...) WEFT_THREAD_ATTRIBUTE(requires_shared_capability(__VA_ARGS__))
#define WEFT_EXCLUDES(...) WEFT_THREAD_ATTRIBUTE(locks_excluded(__VA_ARGS__))

/// Of a function: it locks or unlocks these mutexes, its own object if none is named. TRY_ACQUIRE: where it returns the first argument.
#define WEFT_ACQUIRE(...) WEFT_THREAD_ATTRIBUTE(acquire_capability(__VA_ARGS__))
#define WEFT_ACQUIRE_SHARED(...) WEFT_THREAD_ATTRIBUTE(acquire_shared_capability(__VA_ARGS__))
#define WEFT_TRY_ACQUIRE(...) WEFT_THREAD_ATTRIBUTE(try_acquire_capability(__VA_ARGS__))
#define WEFT_RELEASE(...) WEFT_THREAD_ATTRIBUTE(release_capability(__VA_ARGS__))
#define WEFT_RELEASE_SHARED(...) WEFT_THREAD_ATTRIBUTE(release_shared_capability(__VA_ARGS__))
#define WEFT_RELEASE_GENERIC(...) WEFT_THREAD_ATTRIBUTE(release_generic_capability(__VA_ARGS__))

/// Of a function: after it, the mutex counts as held.
#define WEFT_ASSERT_HELD(mutex) WEFT_THREAD_ATTRIBUTE(assert_capability(mutex))
/// Of a function: it returns a reference to this mutex.
#define WEFT_RETURNS_MUTEX(mutex) WEFT_THREAD_ATTRIBUTE(lock_returned(mutex))
/// Of a function: the analysis can't follow it. A comment says why it is right all the same.
#define WEFT_NO_THREAD_SAFETY_ANALYSIS WEFT_THREAD_ATTRIBUTE(no_thread_safety_analysis)

namespace weft {

/// std::mutex, known to the analysis.
class WEFT_CAPABILITY("mutex") Mutex {
 public:
  Mutex() = default;
  Mutex(const Mutex&) = delete;
  Mutex& operator=(const Mutex&) = delete;
  void lock() WEFT_ACQUIRE() { mutex_.lock(); }
  void unlock() WEFT_RELEASE() { mutex_.unlock(); }
  bool try_lock() WEFT_TRY_ACQUIRE(true) { return mutex_.try_lock(); }
  /// Tells the analysis that the mutex is held, where it can't see that: in a callback called under the mutex, or beside a MovableLock. Does nothing.
  void assertHeld() const WEFT_ASSERT_HELD(this) {}

 private:
  friend class CondVar;
  std::mutex mutex_;
};

/// Holds a mutex while it lives, as std::lock_guard.
class WEFT_SCOPED_CAPABILITY MutexLock {
 public:
  explicit MutexLock(Mutex& mutex) WEFT_ACQUIRE(mutex) : mutex_(mutex) { mutex.lock(); }
  /// Takes over a mutex that try_lock() has locked.
  MutexLock(Mutex& mutex, std::adopt_lock_t) WEFT_REQUIRES(mutex) : mutex_(mutex) {}
  MutexLock(const MutexLock&) = delete;
  MutexLock& operator=(const MutexLock&) = delete;
  ~MutexLock() WEFT_RELEASE() { mutex_.unlock(); }

 private:
  Mutex& mutex_;
};

/// A lock that may be moved, returned and kept. The analysis doesn't follow it: code that relies on it calls Mutex::assertHeld().
using MovableLock = std::unique_lock<Mutex>;

}  // namespace weft
