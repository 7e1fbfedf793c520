#include "doctor/row_memory.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "doctor/bench.h"

namespace weft::doctor {
namespace {

constexpr size_t kMostKnown = 4096;
constexpr int64_t kLeastAgain = 40, kEnoughAgain = 2000, kMostSeen = 1'000'000;  // rows
constexpr double kChanged = 0.3;                                                 // of the rows that came again
constexpr size_t kWords = 16;                                                    // of eight bytes that are looked at in a row
constexpr size_t kLeastValues = 6;                                               // different ones in a row: words and codes come again by chance

uint64_t mixed(uint64_t h, uint64_t v) { return (h ^ v) * 0x9E3779B97F4A7C15u + (h >> 29); }

uint64_t hashOf(uint64_t h, const Tensor& t, int64_t row) {
  const size_t bytes = t.bytes() / size_t(t.dim(0)), words = std::max<size_t>(1, bytes / 8), every = std::max<size_t>(1, words / kWords);
  const char* at = static_cast<const char*>(t.raw()) + size_t(row) * bytes;
  for (size_t w = 0; w < words; w += every) {
    uint64_t v = 0;
    std::memcpy(&v, at + w * 8, std::min<size_t>(8, bytes - w * 8));
    h = mixed(h, v);
  }
  return h;
}

size_t differentValues(const Tensor& t, int64_t row) {
  const int64_t width = t.elements() / t.dim(0), every = std::max<int64_t>(1, width / 64);
  std::set<double> values;
  for (int64_t k = 0; k < width; k += every) values.insert(t.asDouble(row * width + k));
  return values.size();
}

/// A class: a whole number, or a row of zeros with a one.
bool isClass(const Tensor& t, int64_t row) {
  const int64_t width = t.elements() / t.dim(0);
  if (width == 1) return t.asDouble(row) == std::floor(t.asDouble(row));
  int64_t ones = 0;
  for (int64_t k = 0; k < width; ++k) {
    const double v = t.asDouble(row * width + k);
    if (v != 0 && v != 1) return false;
    ones += v == 1;
  }
  return ones == 1;
}

}  // namespace

RowMemory::RowMemory(const Network& net) {
  const auto feed = classifier(net) || sigmoidLosses(net).size() == 1 ? labelFeed(net) : std::nullopt;
  if (!feed || !isFeedPoint(*net.graph().node(feed->node))) return;
  labels_ = net.graph().tensorName(*feed);
  wants_ = true;
}

std::optional<DoctorFinding> RowMemory::step(const std::vector<std::string>& names, const std::vector<Tensor>& values) {
  const auto at = std::find(names.begin(), names.end(), labels_);
  const Tensor* labels = at == names.end() ? nullptr : &values[size_t(at - names.begin())];
  if (!labels || labels->rank() == 0 || labels->elements() == 0 || labels->dtype() == DType::String) {
    wants_ = false;
    return std::nullopt;
  }
  std::vector<const Tensor*> inputs;
  for (const Tensor& t : values)
    if (&t != labels && t.rank() > 0 && t.dim(0) == labels->dim(0) && t.elements() > 0 && t.dtype() != DType::String) inputs.push_back(&t);
  if (inputs.empty()) {
    wants_ = false;
    return std::nullopt;
  }
  for (int64_t r = 0; r < labels->dim(0); ++r) {
    uint64_t row = 1;
    for (const Tensor* t : inputs) row = hashOf(row, *t, r);
    const uint64_t label = hashOf(1, *labels, r);
    const auto known = known_.find(row);
    if (known != known_.end()) {
      ++again_;
      changed_ += known->second != label;
    } else if (known_.size() < kMostKnown) {
      size_t different = 0;
      for (const Tensor* t : inputs) different = std::max(different, differentValues(*t, r));
      if (different >= kLeastValues && isClass(*labels, r)) known_.emplace(row, label);
    }
  }
  seen_ += labels->dim(0);
  if (again_ >= kLeastAgain && double(changed_) > kChanged * double(again_)) {
    wants_ = false;
    return finding("labels-change", labels_.substr(0, labels_.find(':')), {labels_, number(double(changed_)), number(double(again_))});
  }
  wants_ = again_ < kEnoughAgain && seen_ < kMostSeen && (seen_ < 10'000 || !known_.empty());
  if (!wants_) known_.clear();
  return std::nullopt;
}

}  // namespace weft::doctor
