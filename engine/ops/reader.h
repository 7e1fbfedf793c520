#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "ops/queue.h"
#include "weft/cond_var.h"

// Readers: take file names from a queue and return the records of the files.
namespace weft {

/// Ends a wait from another thread.
class CancellationFlag {
 public:
  void stop();
  bool stopped() const;
  /// Sets the function that stop() calls during a wait; null: none. Called at once if already stopped.
  void set(AsyncKernel::Cancel cancel);

 private:
  mutable Mutex mutex_;
  bool stopped_ WEFT_GUARDED_BY(mutex_) = false;
  AsyncKernel::Cancel cancel_ WEFT_GUARDED_BY(mutex_);
};

/// Keys and values of records.
struct Records {
  std::vector<std::string> keys, values;
};

/// A mutex with timed and cancellable waiting. (GCC 12's ThreadSanitizer does not see the call by which std::timed_mutex locks.)
class WEFT_CAPABILITY("mutex") TimedMutex {
 public:
  bool try_lock_for(std::chrono::milliseconds patience) WEFT_TRY_ACQUIRE(true) {
    const MutexLock lock(mutex_);
    if (!free_.wait_for(mutex_, patience, [this]() WEFT_REQUIRES(mutex_) { return !taken_; })) return false;
    taken_ = true;
    return true;
  }
  void unlock() WEFT_RELEASE() {
    {
      const MutexLock lock(mutex_);
      taken_ = false;
    }
    free_.notify_one();
  }
  /// As Mutex::assertHeld().
  void assertHeld() const WEFT_ASSERT_HELD(this) {}

 private:
  Mutex mutex_;
  CondVar free_;
  bool taken_ WEFT_GUARDED_BY(mutex_) = false;
};

/// Takes over a mutex that try_lock_for() has locked, and unlocks it at its end.
class WEFT_SCOPED_CAPABILITY TimedLock {
 public:
  TimedLock(TimedMutex& mutex, std::adopt_lock_t) WEFT_REQUIRES(mutex) : mutex_(mutex) {}
  TimedLock(const TimedLock&) = delete;
  TimedLock& operator=(const TimedLock&) = delete;
  ~TimedLock() WEFT_RELEASE() { mutex_.unlock(); }

 private:
  TimedMutex& mutex_;
};

class Reader : public SessionResource {
 public:
  static constexpr const char* kTypeName = "N10tensorflow15ReaderInterfaceE";

  explicit Reader(std::string name) : name_(std::move(name)) {}
  std::string kind() const override { return "reader"; }

  /// Reads `count` records, or fewer: at most those of one file. With a flag, it may wait for the queue and for other reads; otherwise, `wouldWait` is set
  /// if it had to wait.
  Result<Records> read(const std::shared_ptr<Queue>& queue, int64_t count, CancellationFlag* flag, bool* wouldWait);

  int64_t recordsProduced() const { return produced_; }
  int64_t filesRead() const { return finished_; }
  /// These wait for a current read to end and check `cancelled` meanwhile. UNIMPLEMENTED if a kind does not support them.
  Status reset(const KernelContext& c);
  Result<std::string> save(const KernelContext& c);
  Status restore(const KernelContext& c, const std::string& state);

 protected:
  // Called by one thread at a time.
  virtual Status open(const std::string& file) = 0;
  /// Reads the next record. `*atEnd` is set if there are no more; a record may be returned as well, the last one.
  virtual Status next(std::string* key, std::string* value, bool* produced, bool* atEnd) = 0;
  virtual void forget() = 0;
  virtual bool canSave() const { return false; }
  const std::string& file() const {
    reading_.assertHeld();
    return work_;
  }

 private:
  Result<std::string> nextFile(const std::shared_ptr<Queue>& queue, CancellationFlag* flag, bool* wouldWait);
  /// Locks `reading_`; false if the run was cancelled first.
  bool lockFor(const KernelContext& c) WEFT_TRY_ACQUIRE(true, reading_);

  const std::string name_;
  TimedMutex reading_;  // held while records are read
  std::string work_ WEFT_GUARDED_BY(reading_);
  std::atomic<int64_t> started_{0}, finished_{0}, produced_{0};
};

std::shared_ptr<Reader> makeIdentityReader(std::string name);
std::shared_ptr<Reader> makeWholeFileReader(std::string name);
std::shared_ptr<Reader> makeTextLineReader(std::string name, int64_t skipLines);
struct FixedLengthOptions {
  int64_t header = 0, record = 0, footer = 0, hop = 0;  ///< In bytes; hop 0: the record size.
  std::string encoding;                                 ///< "", "ZLIB", "GZIP"
};
std::shared_ptr<Reader> makeFixedLengthReader(std::string name, const FixedLengthOptions& options);
/// Reads an LMDB environment, which is a folder or a file.
std::shared_ptr<Reader> makeLmdbReader(std::string name);
std::shared_ptr<Reader> makeRecordReader(std::string name, const std::string& compression);

}  // namespace weft
