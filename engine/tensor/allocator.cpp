#include "tensor/allocator.h"

#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <new>
#include <string>

#include "tensor/freed_memory.h"
#include "tensor/guarded_memory.h"
#include "tensor/variable.h"
#include "tensor/variant.h"
#include "weft/mutex.h"

namespace weft {
namespace {

constexpr size_t kAlignment = 64;
constexpr size_t kHugePage = size_t(2) << 20;

/// Size classes: powers of two, each divided into four steps, so at most a fifth of a block is wasted.
constexpr int kClasses = 4 * 40;

int classOf(size_t bytes) {
  bytes = std::max<size_t>(bytes, 64);
  const int log = std::bit_width(bytes - 1) - 1;  // 2^log < bytes <= 2^(log+1)
  const size_t base = size_t(1) << log, step = base / 4;
  const int quarter = int((bytes - base + step - 1) / step);  // 1..4
  return (log - 5) * 4 + quarter - 1;
}

size_t classBytes(int c) {
  const size_t base = size_t(1) << (c / 4 + 5);
  return base + base / 4 * size_t(c % 4 + 1);
}

class PoolAllocator;

std::atomic<bool> guarded{false};  ///< Set by guardHostMemory().

/// A block at the end of its own pages, followed by an inaccessible page. The block is aligned only if its size is.
class GuardedBuffer final : public Buffer {
 public:
  GuardedBuffer(char* pages, size_t mapped, size_t bytes, PoolAllocator* pool)
      : Buffer(pages + mapped - kPage - bytes, bytes), pages_(pages), mapped_(mapped), pool_(pool) {}
  static GuardedBuffer* make(size_t bytes, PoolAllocator* pool) {
    const size_t mapped = (bytes + kPage - 1) / kPage * kPage + kPage;
    void* pages = ::mmap(nullptr, mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED) return nullptr;
    ::mprotect(static_cast<char*>(pages) + mapped - kPage, kPage, PROT_NONE);
    return new GuardedBuffer(static_cast<char*>(pages), mapped, bytes, pool);
  }

 private:
  static constexpr size_t kPage = 4096;
  void destroy() override;
  char* pages_;
  size_t mapped_;
  PoolAllocator* pool_;
};

class PoolBuffer final : public Buffer {
 public:
  PoolBuffer(void* data, size_t bytes, int sizeClass, PoolAllocator* pool) : Buffer(data, bytes), sizeClass_(sizeClass), pool_(pool) {}
  void reset(size_t bytes) {
    bytes_ = bytes;
    count_.store(1, std::memory_order_relaxed);
    published_.store(false, std::memory_order_relaxed);
  }
  int sizeClass() const { return sizeClass_; }
  PoolBuffer* next = nullptr;

 private:
  void destroy() override;
  int sizeClass_;
  PoolAllocator* pool_;
};

/// Keeps freed blocks by size class. A single lock suffices, because planned steps do not come here.
class PoolAllocator final : public Allocator {
 public:
  Result<BufferPtr> allocate(size_t bytes) override {
    if (bytes > (size_t(1) << 44)) {
      const MutexLock lock(mutex_);
      return tooMuch(bytes);
    }
    if (guarded.load(std::memory_order_relaxed)) return allocateGuarded(bytes);
    const int c = classOf(bytes);
    const size_t size = classBytes(c);
    {
      const MutexLock lock(mutex_);
      if (limit_ && inUse_ + size > limit_) {
        if (free_[c] == nullptr || inUse_ + size > limit_) return tooMuch(bytes);
      }
      inUse_ += size;
      peak_ = std::max(peak_, inUse_);
      if (PoolBuffer* b = free_[c]) {
        free_[c] = b->next;
        cached_ -= size;
        b->reset(bytes);
        return BufferPtr::adopt(b);
      }
    }
    // Not aligned_alloc: it may require the size to be a multiple of the alignment, and a size class need not be a multiple of a huge page.
    void* data = nullptr;
    if (::posix_memalign(&data, size >= kHugePage ? kHugePage : kAlignment, size) != 0) {
      const MutexLock lock(mutex_);
      inUse_ -= size;
      return tooMuch(bytes);
    }
    if (size >= 2 * kHugePage) ::madvise(data, size, MADV_HUGEPAGE);
    return BufferPtr::adopt(new PoolBuffer(data, bytes, c, this));
  }

  /// Counts memory that was allocated elsewhere. RESOURCE_EXHAUSTED beyond the limit.
  Status count(size_t bytes) {
    const MutexLock lock(mutex_);
    if (limit_ && inUse_ + bytes > limit_) return tooMuch(bytes);
    inUse_ += bytes;
    peak_ = std::max(peak_, inUse_);
    return {};
  }
  void discount(size_t bytes) {
    const MutexLock lock(mutex_);
    inUse_ -= bytes;
  }

  void release(PoolBuffer* b) {
    const size_t size = classBytes(b->sizeClass());
    {
      const MutexLock lock(mutex_);
      inUse_ -= size;
      // Large blocks go back to the system once the cache is full; small ones are always kept.
      if (size < kSmall || cached_ + size <= mostCached_) {
        b->next = free_[b->sizeClass()];
        free_[b->sizeClass()] = b;
        cached_ += size;
        return;
      }
    }
    std::free(b->data());
    delete b;
  }

  void keepAtMost(size_t bytes) {
    PoolBuffer* surplus = nullptr;
    {
      const MutexLock lock(mutex_);
      mostCached_ = bytes;
      for (int c = kClasses - 1; c >= 0 && cached_ > bytes && classBytes(c) >= kSmall; --c) {
        while (free_[c] && cached_ > bytes) {
          PoolBuffer* b = free_[c];
          free_[c] = b->next;
          cached_ -= classBytes(c);
          b->next = surplus;
          surplus = b;
        }
      }
    }
    while (surplus) {
      PoolBuffer* next = surplus->next;
      std::free(surplus->data());
      delete surplus;
      surplus = next;
    }
  }

  size_t bytesInUse() const override {
    const MutexLock lock(mutex_);
    return inUse_;
  }
  size_t peakBytes() const override {
    const MutexLock lock(mutex_);
    return peak_;
  }
  void resetPeak() override {
    const MutexLock lock(mutex_);
    peak_ = inUse_;
  }
  void setLimit(size_t bytes) override {
    const MutexLock lock(mutex_);
    limit_ = bytes;
  }
  size_t limit() const override {
    const MutexLock lock(mutex_);
    return limit_;
  }

 private:
  Result<BufferPtr> allocateGuarded(size_t bytes) {
    WEFT_TRY(count(bytes));
    if (GuardedBuffer* b = GuardedBuffer::make(bytes, this)) return BufferPtr::adopt(b);
    discount(bytes);
    const MutexLock lock(mutex_);
    return tooMuch(bytes);
  }

  static constexpr size_t kSmall = 65536;
  Error tooMuch(size_t bytes) const WEFT_REQUIRES(mutex_) {
    return resourceExhausted("OOM when allocating ", bytes, " bytes; ", inUse_, " bytes are in use",
                             limit_ ? concat(", the limit is ", limit_) : std::string());
  }

  mutable Mutex mutex_;
  PoolBuffer* free_[kClasses] WEFT_GUARDED_BY(mutex_) = {};
  size_t inUse_ WEFT_GUARDED_BY(mutex_) = 0, peak_ WEFT_GUARDED_BY(mutex_) = 0, cached_ WEFT_GUARDED_BY(mutex_) = 0, limit_ WEFT_GUARDED_BY(mutex_) = 0;
  size_t mostCached_ WEFT_GUARDED_BY(mutex_) = size_t(512) << 20;
};

void PoolBuffer::destroy() { pool_->release(this); }

void GuardedBuffer::destroy() {
  pool_->discount(bytes());
  ::munmap(pages_, mapped_);
  delete this;
}

PoolAllocator& pool() {
  static auto* allocator = new PoolAllocator;  // never destroyed: buffers may outlive static destructors
  return *allocator;
}

/// Elements that are C++ objects. Small buffers are not counted: taking the allocator's lock for each scalar string would cost too much.
template <typename T>
class ObjectBuffer final : public Buffer {
 public:
  ObjectBuffer(size_t n, std::unique_ptr<T[]> items) : Buffer(items.get(), n * sizeof(T)), items_(std::move(items)) {}
  ~ObjectBuffer() override {
    if (counted(bytes_)) pool().discount(bytes_);
  }
  static bool counted(size_t bytes) { return bytes >= kCountedBytes; }

 private:
  static constexpr size_t kCountedBytes = size_t(1) << 20;
  std::unique_ptr<T[]> items_;
};

template <typename T>
Result<Tensor> objects(DType dtype, const Shape& shape, int64_t n) {
  if (n > (int64_t(1) << 33)) return resourceExhausted("OOM when allocating tensor with shape", shape.toString(), " and type ", dtypeShortName(dtype));
  const auto tooMuch = [&](const std::string& why) {
    return resourceExhausted("OOM when allocating tensor with shape", shape.toString(), " and type ", dtypeShortName(dtype), why);
  };
  const size_t bytes = size_t(n) * sizeof(T);
  const bool counted = ObjectBuffer<T>::counted(bytes);
  if (counted) {
    if (const Status room = pool().count(bytes); !room.ok()) return tooMuch(": " + room.error().message);
  }
  std::unique_ptr<T[]> items(new (std::nothrow) T[size_t(n)]());
  if (!items) {
    if (counted) pool().discount(bytes);
    return tooMuch("");
  }
  return Tensor(dtype, shape, BufferPtr::adopt(new ObjectBuffer<T>(size_t(n), std::move(items))));
}

}  // namespace

Allocator& hostAllocator() { return pool(); }

void keepFreedMemory(size_t bytes) { pool().keepAtMost(bytes); }

void guardHostMemory() { guarded.store(true, std::memory_order_relaxed); }

Result<Tensor> allocateTensor(Allocator& allocator, DType dtype, const Shape& shape) {
  const int64_t n = shape.elements();
  if (n < 0) return invalidArgument("Shape ", shape.toString(), " has no known number of elements that fits in 63 bits");
  if (n == 0) {  // no elements, but the product of the dimensions before the 0 must not overflow
    int64_t before = 1;
    for (const int64_t d : shape.dims()) {
      if (__builtin_mul_overflow(before, d, &before)) return invalidArgument("Shape ", shape.toString(), " would have more than 2**63 - 1 elements");
    }
  }
  switch (dtype) {
    case DType::String: return objects<std::string>(dtype, shape, n);
    case DType::Resource: return objects<ResourceHandle>(dtype, shape, n);
    case DType::Variant: return objects<VariantValue>(dtype, shape, n);
    default: break;
  }
  size_t bytes;
  if (sizeOf(dtype) == 0) return internalError("Tensor of type ", dtypeName(dtype), " cannot be allocated");
  if (__builtin_mul_overflow(size_t(n), sizeOf(dtype), &bytes)) return invalidArgument("Shape ", shape.toString(), " is too large");
  auto buffer = allocator.allocate(bytes);
  if (!buffer.ok()) {
    return resourceExhausted("OOM when allocating tensor with shape", shape.toString(), " and type ", dtypeShortName(dtype), ": ", buffer.error().message);
  }
  return Tensor(dtype, shape, std::move(*buffer));
}

void copyElements(const Tensor& from, Tensor& to) {
  const int64_t n = from.elements();
  switch (from.dtype()) {
    case DType::String: std::copy_n(from.data<std::string>(), n, to.mutableData<std::string>()); break;
    case DType::Resource: std::copy_n(static_cast<const ResourceHandle*>(from.raw()), n, static_cast<ResourceHandle*>(to.mutableRaw())); break;
    case DType::Variant: std::copy_n(static_cast<const VariantValue*>(from.raw()), n, static_cast<VariantValue*>(to.mutableRaw())); break;
    default:
      if (n) std::memcpy(to.mutableRaw(), from.raw(), from.bytes());
  }
}

}  // namespace weft
