#include "ops/reader.h"

#include <chrono>

#include "data/lmdb.h"
#include "ops/line_reader.h"
#include "weft/records.h"

namespace weft {

void CancellationFlag::stop() {
  AsyncKernel::Cancel cancel;
  {
    const MutexLock lock(mutex_);
    stopped_ = true;
    cancel = cancel_;
  }
  if (cancel) cancel();
}

bool CancellationFlag::stopped() const {
  const MutexLock lock(mutex_);
  return stopped_;
}

void CancellationFlag::set(AsyncKernel::Cancel cancel) {
  bool now = false;
  {
    const MutexLock lock(mutex_);
    cancel_ = cancel;
    now = stopped_;
  }
  if (now && cancel) cancel();
}

namespace {

Error cancelledMeanwhile() { return cancelledError("The operation was cancelled while another one was reading."); }

constexpr auto kPatience = std::chrono::milliseconds(kWakeMs);

/// A protobuf message of the three numbers and the file; zeros and empty strings are omitted, as protobuf does.
void putVarint(std::string& out, uint64_t v) {
  for (; v >= 128; v >>= 7) out += char((v & 127) | 128);
  out += char(v);
}

bool takeVarint(std::string_view& in, uint64_t* v) {
  *v = 0;
  for (int shift = 0; shift < 64 && !in.empty(); shift += 7) {
    const auto byte = uint8_t(in.front());
    in.remove_prefix(1);
    *v |= uint64_t(byte & 127) << shift;
    if (byte < 128) return true;
  }
  return false;
}

}  // namespace

Result<std::string> Reader::nextFile(const std::shared_ptr<Queue>& queue, CancellationFlag* flag, bool* wouldWait) {
  const auto box = std::make_shared<Mailbox>();
  const AsyncKernel::Cancel cancel = Queue::dequeue(queue, Mailbox::slot(box, 0));
  std::vector<Mailbox::Letter> letters = box->take();
  const bool there = !letters.empty();
  if (!there && cancel) {
    if (flag) flag->set(cancel);
    else cancel();
  }
  while (letters.empty()) letters = box->take(kWakeMs);
  if (flag) flag->set({});
  Result<AsyncKernel::Outputs>& got = letters.front().outputs;
  if (!got.ok()) {
    *wouldWait = !there && !flag && got.error().code == Code::Cancelled;
    return got.error();
  }
  if (got->size() != 1) return invalidArgument("Expected single component queue");
  const Tensor& name = (*got)[0];
  if (name.dtype() != DType::String) return invalidArgument("Expected queue with single string component");
  if (name.elements() != 1) return invalidArgument("Expected to dequeue a one-element string tensor");
  return name.data<std::string>()[0];
}

Result<Records> Reader::read(const std::shared_ptr<Queue>& queue, int64_t count, CancellationFlag* flag, bool* wouldWait) {
  while (!reading_.try_lock_for(flag ? kPatience : std::chrono::milliseconds(0))) {
    if (!flag) {
      *wouldWait = true;
      return cancelledError("Another reading is under way");
    }
    if (flag->stopped()) return cancelledError("Dequeue operation was cancelled");
  }
  const TimedLock lock(reading_, std::adopt_lock);
  Records records;
  while (int64_t(records.keys.size()) < count) {
    if (started_ == finished_) {
      WEFT_LET(work_, nextFile(queue, flag, wouldWait));
      WEFT_TRY(open(work_));
      ++started_;
    }
    std::string key, value;
    bool produced = false, atEnd = false;
    WEFT_TRY(next(&key, &value, &produced, &atEnd));
    if (produced) {
      ++produced_;
      records.keys.push_back(std::move(key));
      records.values.push_back(std::move(value));
    }
    if (!atEnd) continue;
    finished_ = started_.load();
    if (!records.keys.empty()) break;
  }
  return records;
}

// The analysis knows no functions that lock a mutex of theirs on some of their ways.
bool Reader::lockFor(const KernelContext& c) WEFT_NO_THREAD_SAFETY_ANALYSIS {
  while (!reading_.try_lock_for(kPatience)) {
    if (c.cancelled()) return false;
  }
  return true;
}

Status Reader::reset(const KernelContext& c) {
  if (!lockFor(c)) return cancelledMeanwhile();
  const TimedLock lock(reading_, std::adopt_lock);
  started_ = finished_ = produced_ = 0;
  work_.clear();
  forget();
  return {};
}

Result<std::string> Reader::save(const KernelContext& c) {
  if (!canSave()) return unimplemented("Reader SerializeState");
  if (!lockFor(c)) return cancelledMeanwhile();
  const TimedLock lock(reading_, std::adopt_lock);
  std::string state;
  const int64_t numbers[] = {started_, finished_, produced_};
  for (int k = 0; k < 3; ++k) {
    if (numbers[k] == 0) continue;
    putVarint(state, uint64_t(k + 1) << 3);
    putVarint(state, uint64_t(numbers[k]));
  }
  if (!work_.empty()) {
    putVarint(state, 4 << 3 | 2);
    putVarint(state, work_.size());
    state += work_;
  }
  return state;
}

Status Reader::restore(const KernelContext& c, const std::string& state) {
  if (!canSave()) return unimplemented("Reader RestoreState");
  const auto unreadable = [&] { return invalidArgument("Could not parse state for ", name_, ": ", state); };
  uint64_t numbers[3] = {0, 0, 0};
  std::string work;
  std::string_view rest = state;
  while (!rest.empty()) {
    uint64_t tag = 0, v = 0;
    if (!takeVarint(rest, &tag) || !takeVarint(rest, &v)) return unreadable();
    if ((tag & 7) == 0 && tag >> 3 >= 1 && tag >> 3 <= 3) {
      numbers[(tag >> 3) - 1] = v;
    } else if (tag == (4 << 3 | 2) && v <= rest.size()) {
      work = std::string(rest.substr(0, v));
      rest.remove_prefix(v);
    } else {
      return unreadable();
    }
  }
  for (const uint64_t n : numbers) {
    if (int64_t(n) < 0) return invalidArgument("Unexpected negative value when restoring in ", name_);
  }
  if (numbers[0] > numbers[1]) return invalidArgument("Inconsistent work started vs. finished when restoring in ", name_);
  if (!lockFor(c)) return cancelledMeanwhile();
  const TimedLock lock(reading_, std::adopt_lock);
  started_ = int64_t(numbers[0]);
  finished_ = int64_t(numbers[1]);
  produced_ = int64_t(numbers[2]);
  work_ = std::move(work);
  return {};
}

namespace {

class IdentityReader final : public Reader {
 public:
  using Reader::Reader;

 protected:
  Status open(const std::string&) override { return {}; }
  Status next(std::string* key, std::string* value, bool* produced, bool* atEnd) override {
    *key = *value = file();
    *produced = *atEnd = true;
    return {};
  }
  void forget() override {}
  bool canSave() const override { return true; }
};

class WholeFileReader final : public Reader {
 public:
  using Reader::Reader;

 protected:
  Status open(const std::string&) override { return {}; }
  Status next(std::string* key, std::string* value, bool* produced, bool* atEnd) override {
    *key = file();
    WEFT_LET(*value, posixFileSystem().readAll(file()));
    *produced = *atEnd = true;
    return {};
  }
  void forget() override {}
  bool canSave() const override { return true; }
};

class TextLineReader final : public Reader {
 public:
  TextLineReader(std::string name, int64_t skip) : Reader(std::move(name)), skip_(skip) {}

 protected:
  Status open(const std::string& file) override {
    WEFT_LET(lines_, LineReader::open(file));
    std::string line;
    for (number_ = 0; number_ < skip_; ++number_) {
      WEFT_LET(const bool more, lines_->next(&line));
      if (!more) break;
    }
    return {};
  }
  Status next(std::string* key, std::string* value, bool* produced, bool* atEnd) override {
    WEFT_LET(*produced, lines_->next(value));
    *atEnd = !*produced;
    if (*produced) *key = concat(file(), ":", ++number_);
    return {};
  }
  void forget() override {
    lines_.reset();
    number_ = 0;
  }

 private:
  const int64_t skip_;
  std::unique_ptr<LineReader> lines_;
  int64_t number_ = 0;
};

class FixedLengthReader final : public Reader {
 public:
  FixedLengthReader(std::string name, const FixedLengthOptions& options) : Reader(std::move(name)), o_(options) {}

 protected:
  Status open(const std::string& file) override {
    WEFT_LET(const Compression compression, compressionFromName(o_.encoding));
    WEFT_LET(stream_, ByteStream::open(file, compression));
    number_ = 0;
    ahead_.clear();
    WEFT_TRY(fill(size_t(o_.header)));
    if (ahead_.size() < size_t(o_.header)) return outOfRange("Read less bytes than requested");
    ahead_.clear();
    return {};
  }
  /// A record counts only if the footer fits after it.
  Status next(std::string* key, std::string* value, bool* produced, bool* atEnd) override {
    const size_t hop = size_t(o_.hop > 0 ? o_.hop : o_.record);
    if (number_ > 0) {
      WEFT_TRY(fill(hop));
      ahead_.erase(0, hop);
    }
    WEFT_TRY(fill(size_t(o_.record + o_.footer)));
    if (ahead_.size() < size_t(o_.record + o_.footer)) {
      *atEnd = true;
      return {};
    }
    *key = concat(file(), ":", number_++);
    *value = ahead_.substr(0, size_t(o_.record));
    *produced = true;
    return {};
  }
  void forget() override {
    stream_.reset();
    ahead_.clear();
    number_ = 0;
  }

 private:
  /// Reads until the buffer holds `bytes` unread bytes, or to the end.
  Status fill(size_t bytes) {
    if (ahead_.size() >= bytes) return {};
    const size_t have = ahead_.size();
    ahead_.resize(bytes);
    auto got = stream_->read(ahead_.data() + have, bytes - have);
    ahead_.resize(have + (got.ok() ? *got : 0));
    return got.status();
  }

  const FixedLengthOptions o_;
  std::unique_ptr<ByteStream> stream_;
  std::string ahead_;
  int64_t number_ = 0;
};

class TfRecordReader final : public Reader {
 public:
  TfRecordReader(std::string name, std::string compression) : Reader(std::move(name)), compression_(std::move(compression)) {}

 protected:
  Status open(const std::string& file) override {
    WEFT_LET(const Compression compression, compressionFromName(compression_));
    WEFT_LET(records_, RecordReader::open(file, compression));
    return {};
  }
  Status next(std::string* key, std::string* value, bool* produced, bool* atEnd) override {
    *key = concat(file(), ":", records_->offset());
    WEFT_LET(*produced, records_->next(value));
    *atEnd = !*produced;
    return {};
  }
  void forget() override { records_.reset(); }

 private:
  const std::string compression_;
  std::unique_ptr<RecordReader> records_;
};

class LmdbRecords final : public Reader {
 public:
  using Reader::Reader;

 protected:
  Status open(const std::string& file) override {
    WEFT_LET(records_, LmdbReader::open(file));
    return {};
  }
  Status next(std::string* key, std::string* value, bool* produced, bool* atEnd) override {
    WEFT_LET(*produced, records_->next(key, value));
    *atEnd = !*produced;
    return {};
  }
  void forget() override { records_.reset(); }

 private:
  std::unique_ptr<LmdbReader> records_;
};

}  // namespace

std::shared_ptr<Reader> makeLmdbReader(std::string name) { return std::make_shared<LmdbRecords>(std::move(name)); }
std::shared_ptr<Reader> makeIdentityReader(std::string name) { return std::make_shared<IdentityReader>(std::move(name)); }
std::shared_ptr<Reader> makeWholeFileReader(std::string name) { return std::make_shared<WholeFileReader>(std::move(name)); }
std::shared_ptr<Reader> makeTextLineReader(std::string name, int64_t skip) { return std::make_shared<TextLineReader>(std::move(name), skip); }
std::shared_ptr<Reader> makeFixedLengthReader(std::string name, const FixedLengthOptions& o) { return std::make_shared<FixedLengthReader>(std::move(name), o); }
std::shared_ptr<Reader> makeRecordReader(std::string name, const std::string& compression) {
  return std::make_shared<TfRecordReader>(std::move(name), compression);
}

}  // namespace weft
