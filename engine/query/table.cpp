#include "query/table.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>

namespace weft::query {
namespace {

constexpr double kNull = std::numeric_limits<double>::quiet_NaN();

template <typename T>
T at(const char* base, size_t stride, Row row) {
  T value;
  std::memcpy(&value, base + size_t(row) * stride, sizeof value);
  return value;
}

/// Calls work(begin inside the segment, count, place in the output) for each segment's part of the rows.
template <typename F>
void eachPart(const std::vector<Row>& starts, const std::vector<Segment>& segments, Row from, size_t count, F&& work) {
  size_t s = size_t(std::upper_bound(starts.begin(), starts.end(), from) - starts.begin()) - 1;
  for (size_t done = 0; done < count; ++s) {
    const Row begin = from + Row(done) - starts[s];
    const size_t n = std::min(count - done, size_t(segments[s].rows - begin));
    work(segments[s], begin, n, done);
    done += n;
  }
}

int64_t integerAt(const Source& s, Row row) {
  switch (s.store) {
    case Source::Store::Constant: return s.constant;
    case Source::Store::Int32: {
      const int32_t raw = at<int32_t>(s.base, s.stride, row);
      return s.codes ? (*s.codes)[size_t(raw)] : raw;
    }
    case Source::Store::Int64: return at<int64_t>(s.base, s.stride, row) + (s.plus ? at<int64_t>(s.plus, s.stride, row) : 0);
    default: return kNullInteger;
  }
}

double realAt(const Source& s, Row row) {
  if (s.store == Source::Store::Float64) return at<double>(s.base, s.stride, row);
  if (s.reals) return (*s.reals)[size_t(at<int32_t>(s.base, s.stride, row))];
  const int64_t raw = integerAt(s, row);
  return raw == kNullInteger ? kNull : s.divisor != 0 ? double(raw) / s.divisor : double(raw);
}

}  // namespace

int32_t Dictionary::code(std::string_view text) {
  const auto found = byText_.find(text);
  if (found != byText_.end()) return found->second;
  texts_.emplace_back(text);
  byText_.emplace(texts_.back(), size() - 1);
  return size() - 1;
}

int32_t Dictionary::find(std::string_view text) const {
  const auto found = byText_.find(text);
  return found == byText_.end() ? kNullCode : found->second;
}

const std::vector<int32_t>& Dictionary::ranks() const {
  if (ranks_.size() != texts_.size()) {
    std::vector<int32_t> order(texts_.size());
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [&](int32_t a, int32_t b) { return texts_[size_t(a)] < texts_[size_t(b)]; });
    ranks_.resize(texts_.size());
    for (size_t i = 0; i < order.size(); ++i) ranks_[size_t(order[i])] = int32_t(i);
  }
  return ranks_;
}

Source Source::ofText(int32_t code) {
  Source s;
  s.constant = code;
  return s;
}
Source Source::ofInteger(int64_t value) {
  Source s;
  s.constant = value;
  return s;
}
Source Source::ofCall(std::function<QueryValue(Row)> call) {
  Source s;
  s.store = Store::Call;
  s.call = std::move(call);
  return s;
}

void Table::add(Segment segment) {
  if (segment.rows == 0) return;
  starts_.push_back(rows_);
  rows_ += segment.rows;
  segments_.push_back(std::move(segment));
  indexes_.clear();
}

Status Table::load(const Stop& stop) {
  while (loaded_ < loaders.size()) {
    WEFT_TRY(loaders[loaded_](stop));
    ++loaded_;
  }
  return {};
}

int Table::column(std::string_view name) const {
  for (size_t i = 0; i < schema.columns.size(); ++i) {
    const std::string_view mine = schema.columns[i].name;
    if (mine.size() == name.size() && std::equal(mine.begin(), mine.end(), name.begin(), [](char a, char b) { return a == std::tolower(uint8_t(b)); }))
      return int(i);
  }
  return -1;
}

bool Table::isColumnar(int column) const {
  return std::all_of(segments_.begin(), segments_.end(), [&](const Segment& s) { return s.columns[size_t(column)].store != Source::Store::Call; });
}

void Table::readCodes(int column, Row from, size_t count, int32_t* out) const {
  eachPart(starts_, segments_, from, count, [&](const Segment& segment, Row begin, size_t n, size_t to) {
    const Source& s = segment.columns[size_t(column)];
    if (s.store == Source::Store::Int32 && s.codes) {
      const int32_t* codes = s.codes->data();
      for (size_t i = 0; i < n; ++i) out[to + i] = codes[at<int32_t>(s.base, s.stride, begin + Row(i))];
    } else {
      for (size_t i = 0; i < n; ++i) {
        const int64_t code = integerAt(s, begin + Row(i));
        out[to + i] = code < 0 ? kNullCode : int32_t(code);
      }
    }
  });
}

void Table::readReals(int column, Row from, size_t count, double* out) const {
  eachPart(starts_, segments_, from, count, [&](const Segment& segment, Row begin, size_t n, size_t to) {
    const Source& s = segment.columns[size_t(column)];
    // The common stores have loops of their own, which the compiler unrolls.
    if (s.store == Source::Store::Int64 && s.divisor != 0 && !s.plus) {
      for (size_t i = 0; i < n; ++i) {
        const int64_t raw = at<int64_t>(s.base, s.stride, begin + Row(i));
        out[to + i] = raw == kNullInteger ? kNull : double(raw) / s.divisor;
      }
    } else if (s.store == Source::Store::Float64) {
      for (size_t i = 0; i < n; ++i) out[to + i] = at<double>(s.base, s.stride, begin + Row(i));
    } else {
      for (size_t i = 0; i < n; ++i) out[to + i] = realAt(s, begin + Row(i));
    }
  });
}

const Segment& Table::segmentOf(Row row, Row* inside) const {
  const size_t s = size_t(std::upper_bound(starts_.begin(), starts_.end(), row) - starts_.begin()) - 1;
  *inside = row - starts_[s];
  return segments_[s];
}

QueryValue Table::value(int column, Row row) const {
  Row inside = 0;
  const Segment& segment = segmentOf(row, &inside);
  const Source& s = segment.columns[size_t(column)];
  if (s.store == Source::Store::Call) return s.call(inside);
  if (type(column) == QueryType::Real) {
    const double real = realAt(s, inside);
    return std::isnan(real) ? QueryValue() : QueryValue(real);
  }
  const int64_t raw = integerAt(s, inside);
  if (type(column) == QueryType::Integer) return raw == kNullInteger ? QueryValue() : QueryValue(raw);
  return raw < 0 ? QueryValue() : QueryValue(dictionary.text(int32_t(raw)));
}

const std::string* Table::textAt(int column, Row row) const {
  Row inside = 0;
  const Segment& segment = segmentOf(row, &inside);
  const int64_t raw = integerAt(segment.columns[size_t(column)], inside);
  return raw < 0 ? nullptr : &dictionary.text(int32_t(raw));
}

bool Table::hasIndex(int column) const { return indexes_.find(column) != indexes_.end(); }

std::vector<Row> Table::rowsWith(int column, std::string_view text) {
  const auto [it, made] = indexes_.try_emplace(column);
  Index& index = it->second;
  if (isColumnar(column)) {
    if (made) {
      std::vector<int32_t> codes(rows_);
      readCodes(column, 0, rows_, codes.data());
      index.starts.assign(size_t(dictionary.size()) + 1, 0);
      for (const int32_t code : codes)
        if (code >= 0) ++index.starts[size_t(code) + 1];
      std::partial_sum(index.starts.begin(), index.starts.end(), index.starts.begin());
      index.rows.resize(index.starts.back());
      std::vector<Row> next(index.starts.begin(), index.starts.end());
      for (Row row = 0; row < rows_; ++row)
        if (codes[row] >= 0) index.rows[next[size_t(codes[row])]++] = row;
    }
    const int32_t code = dictionary.find(text);
    if (code < 0 || size_t(code) + 1 >= index.starts.size()) return {};
    return {index.rows.begin() + index.starts[size_t(code)], index.rows.begin() + index.starts[size_t(code) + 1]};
  }
  if (made) {
    for (Row row = 0; row < rows_; ++row) {
      const QueryValue v = value(column, row);
      if (const std::string* word = std::get_if<std::string>(&v)) index.texts[*word].push_back(row);
    }
  }
  const auto found = index.texts.find(std::string(text));
  return found == index.texts.end() ? std::vector<Row>() : found->second;
}

std::vector<Row> Table::rowsWith(int column, double number) {
  const auto [it, made] = indexes_.try_emplace(column);
  Index& index = it->second;
  if (made) {
    for (Row row = 0; row < rows_; ++row) {
      const QueryValue v = value(column, row);
      if (const int64_t* i = std::get_if<int64_t>(&v)) index.numbers.emplace_back(double(*i), row);
      else if (const double* d = std::get_if<double>(&v)) index.numbers.emplace_back(*d, row);
    }
    std::sort(index.numbers.begin(), index.numbers.end());
  }
  std::vector<Row> out;
  for (auto at = std::lower_bound(index.numbers.begin(), index.numbers.end(), std::pair(number, Row(0))); at != index.numbers.end() && at->first == number;
       ++at)
    out.push_back(at->second);
  return out;
}

}  // namespace weft::query
