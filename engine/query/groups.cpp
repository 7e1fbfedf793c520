// Groups of rows on columns: parts of the table on the threads of the compute pool, each with groups of its own, which are joined at the end.
#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>

#include "base/parallel.h"
#include "query/functions.h"
#include "query/grouping.h"

namespace weft::query {
namespace {

using Function = GroupPlan::Function;
constexpr Row kRoundRows = 1 << 20;  // between two questions whether to stop
constexpr int64_t kNullKey = INT64_MIN;
constexpr double kExact = 0x1p53;  // whole numbers below it are exact as doubles

/// One aggregate of one group.
struct Sum {
  int64_t count = 0, integers = 0;
  double sum = 0, mean = 0, squares = 0, least = INFINITY, most = -INFINITY;
  Row leastRow = 0, mostRow = 0;
};

/// Groups of one part of the table.
class Part {
 public:
  explicit Part(const GroupPlan& plan) : plan_(plan), width_(plan.keys.size()), kept_(plan.aggregates.size()), blocks_(plan.arguments.size()) {
    for (auto& b : blocks_) b.resize(kBlockRows);
    keys_.resize(width_ * kBlockRows);
    direct_ = width_ == 1 && plan.keys[0].column >= 0;
    if (direct_) byCode_.assign(size_t(plan.table->dictionary.size()) + 1, -1);
    else slots_.assign(1024, -1);
  }

  void take(Row from, size_t count);
  void join(Part& other);
  Groups finished();
  /// Whether whole numbers were too large for the columns' doubles: SQLite has to compute them.
  bool isInexact() const { return inexact_; }

 private:
  size_t groupOf(const int64_t* key, Row row);
  void grow();
  void addValues(size_t a, size_t n);

  const GroupPlan& plan_;
  const size_t width_;
  std::vector<int64_t> groupKeys_;                      // width_ per group
  std::vector<Row> firstRows_;                          // by group
  std::vector<Sum> sums_;                               // by group and aggregate
  std::vector<std::vector<std::vector<double>>> kept_;  // of percentiles, by aggregate and group
  bool direct_ = false, inexact_ = false;
  std::vector<int32_t> byCode_, slots_;
  // Of the present block:
  std::vector<std::vector<double>> blocks_;
  std::vector<int64_t> keys_;
  std::vector<uint32_t> rows_, groups_;
  Row first_ = 0;
};

uint64_t hashOf(const int64_t* key, size_t width) {
  uint64_t h = 0x9E3779B97F4A7C15ull;
  for (size_t i = 0; i < width; ++i) {
    h ^= uint64_t(key[i]);
    h *= 0xBF58476D1CE4E5B9ull;
    h ^= h >> 29;
  }
  return h;
}

void Part::grow() {
  std::vector<int32_t> bigger(slots_.size() * 2, -1);
  for (size_t g = 0; g < firstRows_.size(); ++g) {
    size_t at = hashOf(&groupKeys_[g * width_], width_) & (bigger.size() - 1);
    while (bigger[at] >= 0) at = (at + 1) & (bigger.size() - 1);
    bigger[at] = int32_t(g);
  }
  slots_ = std::move(bigger);
}

size_t Part::groupOf(const int64_t* key, Row row) {
  int32_t* slot = nullptr;
  if (direct_) {
    slot = &byCode_[size_t(key[0] + 1)];
  } else {
    if (firstRows_.size() * 2 > slots_.size()) grow();
    size_t at = hashOf(key, width_) & (slots_.size() - 1);
    while (slots_[at] >= 0 && !std::equal(key, key + width_, &groupKeys_[size_t(slots_[at]) * width_])) at = (at + 1) & (slots_.size() - 1);
    slot = &slots_[at];
  }
  if (*slot < 0) {
    *slot = int32_t(firstRows_.size());
    groupKeys_.insert(groupKeys_.end(), key, key + width_);
    firstRows_.push_back(row);
    sums_.resize(sums_.size() + plan_.aggregates.size());
    for (size_t a = 0; a < kept_.size(); ++a)
      if (plan_.aggregates[a].function == Function::Percentile) kept_[a].emplace_back();
  }
  return size_t(*slot);
}

void Part::addValues(size_t a, size_t n) {
  const GroupPlan::Aggregate& aggregate = plan_.aggregates[a];
  const size_t stride = plan_.aggregates.size();
  if (aggregate.function == Function::CountAll) {
    for (size_t i = 0; i < n; ++i) ++sums_[groups_[i] * stride + a].count;
    return;
  }
  const double* values = blocks_[size_t(aggregate.argument)].data();
  const bool integer = plan_.arguments[size_t(aggregate.argument)]->isInteger;
  const auto each = [&](auto&& add) {
    for (size_t i = 0; i < n; ++i) {
      const double v = values[rows_[i]];
      if (std::isnan(v)) continue;
      if (integer && std::fabs(v) >= kExact) inexact_ = true;
      Sum& s = sums_[groups_[i] * stride + a];
      ++s.count;
      add(s, v, i);
    }
  };
  switch (aggregate.function) {
    case Function::Count: return each([](Sum&, double, size_t) {});
    case Function::Sum:
    case Function::Total:
    case Function::Mean:
      if (integer)
        return each([&](Sum& s, double v, size_t) {
          if (!inexact_) inexact_ = __builtin_add_overflow(s.integers, int64_t(v), &s.integers);
          s.sum += v;
        });
      return each([](Sum& s, double v, size_t) { s.sum += v; });
    case Function::Least:
      return each([&](Sum& s, double v, size_t i) {
        if (s.count == 1 || v < s.least) s.least = v, s.leastRow = first_ + rows_[i];
      });
    case Function::Most:
      return each([&](Sum& s, double v, size_t i) {
        if (s.count == 1 || v > s.most) s.most = v, s.mostRow = first_ + rows_[i];
      });
    case Function::Deviation:
      return each([](Sum& s, double v, size_t) {
        const double before = v - s.mean;
        s.mean += before / double(s.count);
        s.squares += before * (v - s.mean);
      });
    default: return each([&](Sum&, double v, size_t i) { kept_[a][groups_[i]].push_back(v); });
  }
}

void Part::take(Row from, size_t count) {
  first_ = from;
  rows_.resize(count);
  double numbers[kBlockRows];
  if (plan_.where) {
    plan_.where->compute(from, count, numbers);
    size_t n = 0;
    for (size_t i = 0; i < count; ++i) {
      rows_[n] = uint32_t(i);
      n += numbers[i] != 0 && !std::isnan(numbers[i]) ? 1 : 0;
    }
    rows_.resize(n);
    if (n == 0) return;
  } else {
    for (size_t i = 0; i < count; ++i) rows_[i] = uint32_t(i);
  }
  for (size_t k = 0; k < width_; ++k) {
    const GroupPlan::Key& key = plan_.keys[k];
    if (key.column >= 0) {
      int32_t codes[kBlockRows];
      plan_.table->readCodes(key.column, from, count, codes);
      for (size_t i = 0; i < count; ++i) keys_[i * width_ + k] = codes[i];
    } else {
      key.expression->compute(from, count, numbers);
      if (key.expression->isInteger)
        for (size_t i = 0; i < count; ++i) inexact_ = inexact_ || std::fabs(numbers[i]) >= kExact;
      for (size_t i = 0; i < count; ++i) keys_[i * width_ + k] = std::isnan(numbers[i]) ? kNullKey : std::bit_cast<int64_t>(numbers[i] + 0.0);
    }
  }
  groups_.resize(rows_.size());
  if (width_ == 0) std::fill(groups_.begin(), groups_.end(), uint32_t(groupOf(nullptr, from + rows_[0])));
  else
    for (size_t i = 0; i < rows_.size(); ++i) groups_[i] = uint32_t(groupOf(&keys_[rows_[i] * width_], from + rows_[i]));
  for (size_t b = 0; b < blocks_.size(); ++b) plan_.arguments[b]->compute(from, count, blocks_[b].data());
  for (size_t a = 0; a < plan_.aggregates.size(); ++a) addValues(a, rows_.size());
}

void Part::join(Part& other) {
  const size_t stride = plan_.aggregates.size();
  for (size_t g = 0; g < other.firstRows_.size(); ++g) {
    const size_t mine = groupOf(other.groupKeys_.data() + g * width_, other.firstRows_[g]);
    firstRows_[mine] = std::min(firstRows_[mine], other.firstRows_[g]);
    for (size_t a = 0; a < stride; ++a) {
      Sum& to = sums_[mine * stride + a];
      const Sum& from = other.sums_[g * stride + a];
      if (from.count > 0) {
        if (to.count == 0 || from.least < to.least) to.least = from.least, to.leastRow = from.leastRow;
        if (to.count == 0 || from.most > to.most) to.most = from.most, to.mostRow = from.mostRow;
        // The moments of two samples together (Chan).
        const double n = double(to.count + from.count), between = from.mean - to.mean;
        to.squares += from.squares + between * between * double(to.count) * double(from.count) / n;
        to.mean += between * double(from.count) / n;
      }
      to.count += from.count;
      inexact_ = inexact_ || other.inexact_ || __builtin_add_overflow(to.integers, from.integers, &to.integers);
      to.sum += from.sum;
      if (plan_.aggregates[a].function == Function::Percentile) {
        auto& values = kept_[a][mine];
        values.insert(values.end(), other.kept_[a][g].begin(), other.kept_[a][g].end());
        other.kept_[a][g] = {};
      }
    }
  }
}

Groups Part::finished() {
  const bool none = firstRows_.empty();
  if (plan_.always && none) {
    firstRows_.push_back(0);
    sums_.resize(plan_.aggregates.size());
    for (auto& values : kept_) values.emplace_back();
  }
  const size_t n = firstRows_.size(), stride = plan_.aggregates.size();
  Groups out;
  out.rows = n;
  const auto number = [](double v) { return std::isnan(v) ? QueryValue() : QueryValue(v); };
  const auto typed = [&](double v, bool integer) { return integer && std::fabs(v) < 0x1p53 ? QueryValue(int64_t(v)) : number(v); };
  for (size_t k = 0; k < width_; ++k) {
    std::vector<QueryValue> column(n);
    for (size_t g = 0; g < n; ++g) {
      const int64_t key = groupKeys_[g * width_ + k];
      if (plan_.keys[k].column >= 0) column[g] = key < 0 ? QueryValue() : QueryValue(plan_.table->dictionary.text(int32_t(key)));
      else column[g] = key == kNullKey ? QueryValue() : typed(std::bit_cast<double>(key), plan_.keys[k].expression->isInteger);
    }
    out.columns.push_back(std::move(column));
  }
  // With one min() or max(), other columns are those of its row, as in SQLite.
  int extreme = -1, extremes = 0;
  for (size_t a = 0; a < stride; ++a) {
    const GroupPlan::Aggregate& aggregate = plan_.aggregates[a];
    const bool integer = aggregate.argument >= 0 && plan_.arguments[size_t(aggregate.argument)]->isInteger;
    if (aggregate.function == Function::Least || aggregate.function == Function::Most) extreme = int(a), ++extremes;
    std::vector<QueryValue> column(n);
    for (size_t g = 0; g < n; ++g) {
      const Sum& s = sums_[g * stride + a];
      switch (aggregate.function) {
        case Function::CountAll:
        case Function::Count: column[g] = s.count; break;
        case Function::Total: column[g] = s.sum; break;
        case Function::Sum:
          if (s.count) column[g] = integer ? QueryValue(s.integers) : number(s.sum);
          break;
        case Function::Mean:
          if (s.count) column[g] = number(s.sum / double(s.count));
          break;
        case Function::Least:
          if (s.count) column[g] = typed(s.least, integer);
          break;
        case Function::Most:
          if (s.count) column[g] = typed(s.most, integer);
          break;
        case Function::Deviation:
          if (s.count > 1) column[g] = number(std::sqrt(s.squares / double(s.count - 1)));
          break;
        case Function::Percentile: column[g] = number(percentileOf(kept_[a][g], aggregate.p)); break;
      }
    }
    out.columns.push_back(std::move(column));
  }
  for (const int bare : plan_.bare) {
    std::vector<QueryValue> column(n);
    for (size_t g = 0; g < n && !none; ++g) {
      const Sum* s = extremes == 1 ? &sums_[g * stride + size_t(extreme)] : nullptr;
      const bool least = s && plan_.aggregates[size_t(extreme)].function == Function::Least;
      column[g] = plan_.table->value(bare, s && s->count ? (least ? s->leastRow : s->mostRow) : firstRows_[g]);
    }
    out.columns.push_back(std::move(column));
  }
  return out;
}

}  // namespace

Result<Groups> computeGroups(const GroupPlan& plan, const Stop& stop) {
  const Row rows = plan.table->rows();
  const size_t threads = rows > kRoundRows / 4 ? size_t(std::max(1, parallelism())) : 1;
  std::vector<std::unique_ptr<Part>> parts;
  for (size_t i = 0; i < threads; ++i) parts.push_back(std::make_unique<Part>(plan));
  for (Row begin = 0; begin < rows; begin += kRoundRows) {
    if (stop()) return cancelledError("the query was stopped");
    const Row count = std::min(kRoundRows, rows - begin);
    parallelFor(int64_t(threads), 1, [&](int64_t first, int64_t last) {
      for (int64_t p = first; p < last; ++p) {
        const Row from = begin + Row(uint64_t(count) * uint64_t(p) / threads), to = begin + Row(uint64_t(count) * uint64_t(p + 1) / threads);
        for (Row row = from; row < to; row += Row(kBlockRows)) parts[size_t(p)]->take(row, std::min<size_t>(kBlockRows, to - row));
      }
    });
  }
  for (size_t i = 1; i < threads; ++i) parts[0]->join(*parts[i]);
  for (size_t i = 1; i < threads; ++i)
    if (parts[i]->isInexact()) return outOfRange("whole numbers beyond 2^53");
  if (parts[0]->isInexact()) return outOfRange("whole numbers beyond 2^53");
  return parts[0]->finished();
}

}  // namespace weft::query
