#include "doctor/row_memory.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "doctor/bench.h"

namespace weft::doctor {
namespace {

constexpr size_t kMostKnown = 4096;
constexpr int64_t kLeastAgain = 40, kEnoughAgain = 2000, kMostSeen = 200'000;  // rows
constexpr double kChanged = 0.3;                                               // of the rows that came again
constexpr int64_t kMostRows = 4096;                                            // of a step
constexpr size_t kMostLookedAt = 128 << 20;                                    // that are looked at in all, so that the cost does not depend on the data
constexpr size_t kLeastValues = 6;                                             // different ones in a row: words and codes come again by chance

uint64_t mixed(uint64_t h, uint64_t v) { return (h ^ v) * 0x9E3779B97F4A7C15u + (h >> 29); }

uint64_t hashOf(uint64_t h, const Tensor& t, int64_t row) {
  const size_t bytes = t.bytes() / size_t(t.dim(0));
  const char* at = static_cast<const char*>(t.raw()) + size_t(row) * bytes;
  for (size_t k = 0; k < bytes; k += 8) {
    uint64_t v = 0;
    std::memcpy(&v, at + k, std::min<size_t>(8, bytes - k));
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

RowMemory::RowMemory(const Network& net) : net_(net) {
  const auto feed = classifier(net) || sigmoidLosses(net).size() == 1 ? labelFeed(net) : std::nullopt;
  if (!feed || !isFeedPoint(*net.graph().node(feed->node))) return;
  labels_ = net.graph().tensorName(*feed);
  output_ = outputOf(net);
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
  bool weighted = false;
  for (const Tensor& t : values) {
    if (&t == labels || t.rank() == 0 || t.dim(0) != labels->dim(0) || t.elements() == 0 || t.dtype() == DType::String) continue;
    inputs.push_back(&t);
    // Weights of rows, as rewards of actions: the same state may well be met with another action.
    weighted = weighted || (!output_.empty() && !net_.leadsTo(names[size_t(&t - values.data())], output_));
  }
  if (inputs.empty() || weighted) {
    wants_ = false;
    return std::nullopt;
  }
  for (const Tensor* t : inputs) bytes_ += t->bytes();
  for (int64_t r = 0; r < std::min(labels->dim(0), kMostRows); ++r) {
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
  wants_ = again_ < kEnoughAgain && seen_ < kMostSeen && bytes_ < kMostLookedAt && (seen_ < 10'000 || !known_.empty());
  if (!wants_) known_.clear();
  return std::nullopt;
}

}  // namespace weft::doctor
