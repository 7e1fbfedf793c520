#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace weft::rpc {

/// A message: pieces of memory that follow one another, each kept alive by its owner. Copies share the memory. A received message is one piece.
class Bytes {
 public:
  struct Piece {
    const char* data = nullptr;
    size_t size = 0;
    std::shared_ptr<const void> owner;
  };

  Bytes() = default;
  explicit Bytes(std::string text) {
    auto owner = std::make_shared<const std::string>(std::move(text));
    const std::string& held = *owner;
    append({held.data(), held.size(), std::move(owner)});
  }

  void append(Piece piece) {
    size_ += piece.size;
    if (piece.size > 0) pieces_.push_back(std::move(piece));
  }
  size_t size() const { return size_; }
  const std::vector<Piece>& pieces() const { return pieces_; }
  /// All of it, copied.
  std::string text() const {
    std::string out;
    out.reserve(size_);
    for (const Piece& piece : pieces_) out.append(piece.data, piece.size);
    return out;
  }

 private:
  std::vector<Piece> pieces_;
  size_t size_ = 0;
};

/// Where, in a message that begins with these bytes, the part lies that should be aligned in memory; 0: nowhere. The beginning may be cut anywhere.
using AlignedPart = size_t (*)(std::string_view beginning);

}  // namespace weft::rpc
