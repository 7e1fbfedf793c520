#include "ops/line_reader.h"

#include <algorithm>

namespace weft {

namespace {
constexpr size_t kChunk = 256 << 10;
}

Result<std::unique_ptr<LineReader>> LineReader::open(const std::string& path) {
  WEFT_LET(auto file, posixFileSystem().openForReading(path));
  return std::unique_ptr<LineReader>(new LineReader(std::move(file)));
}

void LineReader::seek(uint64_t position) {
  position_ = position;
  chunk_.clear();
  at_ = 0;
}

Result<bool> LineReader::next(std::string* line) {
  line->clear();
  while (true) {
    if (at_ == chunk_.size()) {
      chunk_.resize(kChunk);
      at_ = 0;
      auto got = file_->read(position_, chunk_.data(), kChunk);
      chunk_.resize(got.ok() ? *got : 0);
      if (!got.ok()) return got.error();
      if (chunk_.empty()) return !line->empty();
    }
    const size_t end = chunk_.find('\n', at_);
    const size_t stop = std::min(end, chunk_.size());
    for (size_t i = at_; i < stop; ++i) {
      if (chunk_[i] != '\r') *line += chunk_[i];
    }
    position_ += stop - at_;
    at_ = stop;
    if (end == std::string::npos) continue;
    ++position_;
    ++at_;
    return true;
  }
}

}  // namespace weft
