#pragma once

#include <shared_mutex>

#include "weft/mutex.h"

namespace weft {

/// std::shared_mutex, known to the analysis.
class WEFT_CAPABILITY("mutex") SharedMutex {
 public:
  SharedMutex() = default;
  SharedMutex(const SharedMutex&) = delete;
  SharedMutex& operator=(const SharedMutex&) = delete;
  void lock() WEFT_ACQUIRE() { mutex_.lock(); }
  void unlock() WEFT_RELEASE() { mutex_.unlock(); }
  void lock_shared() WEFT_ACQUIRE_SHARED() { mutex_.lock_shared(); }
  void unlock_shared() WEFT_RELEASE_SHARED() { mutex_.unlock_shared(); }

 private:
  std::shared_mutex mutex_;
};

/// Holds a shared mutex for writing while it lives.
class WEFT_SCOPED_CAPABILITY WriterLock {
 public:
  explicit WriterLock(SharedMutex& mutex) WEFT_ACQUIRE(mutex) : mutex_(mutex) { mutex.lock(); }
  WriterLock(const WriterLock&) = delete;
  WriterLock& operator=(const WriterLock&) = delete;
  ~WriterLock() WEFT_RELEASE() { mutex_.unlock(); }

 private:
  SharedMutex& mutex_;
};

/// Holds a shared mutex for reading while it lives, beside other readers.
class WEFT_SCOPED_CAPABILITY ReaderLock {
 public:
  explicit ReaderLock(SharedMutex& mutex) WEFT_ACQUIRE_SHARED(mutex) : mutex_(mutex) { mutex.lock_shared(); }
  ReaderLock(const ReaderLock&) = delete;
  ReaderLock& operator=(const ReaderLock&) = delete;
  ~ReaderLock() WEFT_RELEASE_GENERIC() { mutex_.unlock_shared(); }

 private:
  SharedMutex& mutex_;
};

}  // namespace weft
