#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <span>
#include <utility>

namespace weft::app {

/// A queue from one engine thread to the GUI thread: lock-free and unbounded; nothing is dropped. `push` on the producer's thread, `pop` on the consumer's;
/// neither ever waits. T is a small struct. Memory comes in blocks of 512 items, which the consumer frees.
template <typename T>
class EventQueue {
 public:
  EventQueue() : head_(new Block), tail_(head_) {}
  EventQueue(const EventQueue&) = delete;
  EventQueue& operator=(const EventQueue&) = delete;
  ~EventQueue() {
    while (head_) {
      Block* next = head_->next.load(std::memory_order_relaxed);
      delete head_;
      head_ = next;
    }
  }

  void push(T item) {
    if (filled_ == kBlockSize) {
      Block* block = new Block;
      tail_->next.store(block, std::memory_order_release);
      tail_ = block;
      filled_ = 0;
    }
    tail_->items[filled_++] = std::move(item);
    tail_->count.store(filled_, std::memory_order_release);  // publishes the item
  }

  bool pop(T& item) {
    if (read_ == kBlockSize) {
      Block* next = head_->next.load(std::memory_order_acquire);
      if (!next) return false;
      delete head_;
      head_ = next;
      read_ = 0;
    }
    if (read_ == head_->count.load(std::memory_order_acquire)) return false;
    item = std::move(head_->items[read_++]);
    return true;
  }

  /// Passes all available items to `take(std::span<T>)`, one call for each contiguous piece. The spans are valid only during the call.
  template <typename F>
  void popAll(F&& take) {
    for (;;) {
      const size_t count = head_->count.load(std::memory_order_acquire);
      if (read_ < count) {
        take(std::span<T>(head_->items.data() + read_, count - read_));
        read_ = count;
      }
      if (read_ < kBlockSize) return;
      Block* next = head_->next.load(std::memory_order_acquire);
      if (!next) return;
      delete head_;
      head_ = next;
      read_ = 0;
    }
  }

 private:
  static constexpr size_t kBlockSize = 512;
  struct Block {
    std::array<T, kBlockSize> items{};
    std::atomic<size_t> count{0};
    std::atomic<Block*> next{nullptr};
  };
  // consumer
  Block* head_;
  size_t read_ = 0;
  // producer
  alignas(64) Block* tail_;
  size_t filled_ = 0;
};

}  // namespace weft::app
