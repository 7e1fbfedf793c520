#include "proto/text_to_wire.h"

#include <google/protobuf/descriptor.h>
#include <google/protobuf/descriptor.pb.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>
#include <memory>
#include <vector>

#include "weft/mutex.h"

namespace weft {

namespace pb = ::google::protobuf;

namespace {

struct MessageTable;

/// Properties of a field, taken from the descriptor once.
struct FieldTable {
  std::string name;
  uint32_t number = 0;
  pb::FieldDescriptor::Type type = pb::FieldDescriptor::TYPE_INT32;
  bool repeated = false, packed = false, map = false;
  bool presence = false;  ///< Written even with the default value.
  int oneof = -1;
  const MessageTable* message = nullptr;
  std::vector<std::pair<std::string, int>> values;  ///< of an enum
};

struct MessageTable {
  std::vector<FieldTable> fields;
  const FieldTable* find(std::string_view name) const {
    for (const FieldTable& f : fields) {
      if (f.name == name) return &f;
    }
    return nullptr;
  }
};

/// Tables by message type, made on demand and kept.
class Tables {
 public:
  const MessageTable& of(const pb::Descriptor& type) {
    const MutexLock lock(mutex_);
    return make(type);
  }

 private:
  const MessageTable& make(const pb::Descriptor& type) WEFT_REQUIRES(mutex_) {
    auto& slot = tables_[&type];
    if (slot) return *slot;
    slot = std::make_unique<MessageTable>();
    MessageTable& table = *slot;
    table.fields.resize(size_t(type.field_count()));
    for (int i = 0; i < type.field_count(); ++i) {
      const pb::FieldDescriptor& from = *type.field(i);
      FieldTable& f = table.fields[size_t(i)];
      f.name = from.name();
      f.number = uint32_t(from.number());
      f.type = from.type();
      f.repeated = from.is_repeated();
      f.packed = from.is_packed();
      f.map = from.is_map();
      f.presence = from.has_presence() || type.options().map_entry();
      if (from.real_containing_oneof()) f.oneof = from.real_containing_oneof()->index();
      if (from.message_type()) f.message = &make(*from.message_type());
      if (const pb::EnumDescriptor* e = from.enum_type()) {
        for (int k = 0; k < e->value_count(); ++k) f.values.emplace_back(e->value(k)->name(), e->value(k)->number());
      }
    }
    return table;
  }

  Mutex mutex_;
  std::map<const pb::Descriptor*, std::unique_ptr<MessageTable>> tables_ WEFT_GUARDED_BY(mutex_);
};

void appendVarint(std::string& out, uint64_t v) {
  while (v >= 0x80) {
    out.push_back(char(v | 0x80));
    v >>= 7;
  }
  out.push_back(char(v));
}

bool isSpace(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
bool isDigit(char c) { return c >= '0' && c <= '9'; }
bool isWord(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || isDigit(c) || c == '_'; }

/// One pass over the text. Each field is written as it is read; at the end of a message, fields that were not in canonical order are sorted.
class Reader {
 public:
  explicit Reader(std::string_view text) : at_(text.data()), end_(text.data() + text.size()) { out_.reserve(text.size() / 2); }

  bool run(const MessageTable& table) { return message(table, false, 0); }
  std::string take() { return std::move(out_); }

 private:
  /// A field's range in `out_`: with its tag, or only its value if it goes into a packed list.
  struct Piece {
    const FieldTable* field;
    size_t begin, end;
    size_t keyBegin, keyEnd;  ///< of an entry of a map: its key in `out_`
  };

  void skipSpace() {
    while (at_ < end_) {
      if (isSpace(*at_)) {
        ++at_;
      } else if (*at_ == '#') {
        while (at_ < end_ && *at_ != '\n') ++at_;
      } else {
        return;
      }
    }
  }
  bool accept(char c) {
    if (at_ >= end_ || *at_ != c) return false;
    ++at_;
    return true;
  }
  std::string_view word() {
    const char* begin = at_;
    while (at_ < end_ && isWord(*at_)) ++at_;
    return {begin, size_t(at_ - begin)};
  }
  bool atDelimiter() const { return at_ >= end_ || isSpace(*at_) || *at_ == '}' || *at_ == '#'; }

  // Tags are written first, so that most messages are already in their final form.
  bool message(const MessageTable& table, bool nested, int depth) {
    if (depth > 40) return false;
    const size_t begin = out_.size(), base = pieces_.size();
    for (;;) {
      skipSpace();
      if (at_ >= end_) {
        if (nested) return false;
        break;
      }
      if (*at_ == '}') {
        if (!nested) return false;
        ++at_;
        break;
      }
      if (isDigit(*at_)) return false;
      const std::string_view name = word();
      const FieldTable* f = name.empty() ? nullptr : table.find(name);
      if (!f || !field(*f, depth)) return false;
    }
    return finish(begin, base);
  }

  bool field(const FieldTable& f, int depth) {
    Piece piece{&f, out_.size(), 0, 0, 0};
    skipSpace();
    const bool colon = accept(':');
    if (colon) skipSpace();
    if (f.message) {
      if (!accept('{')) return false;
      appendVarint(out_, f.number << 3 | 2);
      const size_t body = out_.size();
      if (!message(*f.message, true, depth + 1)) return false;
      char length[10];
      int n = 0;
      for (uint64_t v = out_.size() - body;; v >>= 7) {
        length[n++] = char(v >= 0x80 ? v | 0x80 : v);
        if (v < 0x80) break;
      }
      out_.insert(body, length, size_t(n));
      if (f.map && !findKey(body + size_t(n), &piece)) return false;
    } else {
      if (!colon || !scalar(f)) return false;
    }
    piece.end = out_.size();
    pieces_.push_back(piece);  // also for unwritten default values, to detect duplicates
    return true;
  }

  // Entries are canonical by now: the key (a string, field 1), then the value. Other kinds of keys do not occur in graphs.
  bool findKey(size_t body, Piece* piece) {
    if (body >= out_.size() || out_[body] != '\x0A') return false;
    size_t at = body + 1;
    uint64_t length = 0;
    for (int shift = 0; at < out_.size() && shift < 35; shift += 7) {
      const auto byte = uint8_t(out_[at++]);
      length |= uint64_t(byte & 0x7f) << shift;
      if (!(byte & 0x80)) break;
    }
    piece->keyBegin = at;
    piece->keyEnd = at + size_t(length);
    return piece->keyEnd < out_.size();  // a value follows
  }

  bool finish(size_t begin, size_t base) {
    const auto key = [&](const Piece& p) { return std::string_view(out_).substr(p.keyBegin, p.keyEnd - p.keyBegin); };
    bool ordered = true;
    for (size_t i = base; i < pieces_.size(); ++i) {
      const FieldTable& f = *pieces_[i].field;
      if (f.packed) ordered = false;
      if (i > base && pieces_[i - 1].field->number > f.number) ordered = false;
      if (i > base && f.map && pieces_[i - 1].field == &f && key(pieces_[i - 1]) > key(pieces_[i])) ordered = false;
      if (f.oneof >= 0) {
        for (size_t k = base; k < i; ++k) {
          if (pieces_[k].field->oneof == f.oneof) return false;
        }
      }
    }
    const auto first = pieces_.begin() + ptrdiff_t(base);
    if (!ordered) {
      std::stable_sort(first, pieces_.end(), [&](const Piece& a, const Piece& b) {
        if (a.field->number != b.field->number) return a.field->number < b.field->number;
        return a.field->map && key(a) < key(b);
      });
    }
    for (size_t i = base + 1; i < pieces_.size(); ++i) {
      const Piece &a = pieces_[i - 1], &b = pieces_[i];
      if (a.field == b.field && (!a.field->repeated || (a.field->map && key(a) == key(b)))) return false;
    }
    if (!ordered) rebuild(begin, base);
    pieces_.resize(base);
    return true;
  }

  void rebuild(size_t begin, size_t base) {
    std::string& made = scratch_;
    made.clear();
    for (size_t i = base; i < pieces_.size();) {
      const FieldTable& f = *pieces_[i].field;
      if (!f.packed) {
        made.append(out_, pieces_[i].begin, pieces_[i].end - pieces_[i].begin);
        ++i;
        continue;
      }
      size_t last = i, bytes = 0;
      for (; last < pieces_.size() && pieces_[last].field == &f; ++last) bytes += pieces_[last].end - pieces_[last].begin;
      appendVarint(made, f.number << 3 | 2);
      appendVarint(made, bytes);
      for (; i < last; ++i) made.append(out_, pieces_[i].begin, pieces_[i].end - pieces_[i].begin);
    }
    out_.replace(begin, std::string::npos, made);
  }

  void tag(const FieldTable& f, uint32_t wire) {
    if (!f.packed) appendVarint(out_, f.number << 3 | wire);
  }

  bool scalar(const FieldTable& f) {
    using F = pb::FieldDescriptor;
    const bool always = f.presence || f.repeated;
    switch (f.type) {
      case F::TYPE_STRING:
      case F::TYPE_BYTES: return text(f, always);
      case F::TYPE_BOOL: {
        const std::string_view w = word();
        if ((w != "true" && w != "false") || !atDelimiter()) return false;
        if (!always && w == "false") return true;
        tag(f, 0);
        out_.push_back(w == "true");
        return true;
      }
      case F::TYPE_ENUM: {
        const std::string_view w = word();
        if (!atDelimiter()) return false;
        for (const auto& [name, number] : f.values) {
          if (name == w) return integer(f, number, always);
        }
        return false;
      }
      case F::TYPE_INT32: return number<int32_t>(f, always);
      case F::TYPE_INT64: return number<int64_t>(f, always);
      case F::TYPE_UINT32: return number<uint32_t>(f, always);
      case F::TYPE_UINT64: return number<uint64_t>(f, always);
      case F::TYPE_FLOAT: {
        double d;
        if (!real(&d) || (std::isfinite(d) && std::fabs(d) > double(std::numeric_limits<float>::max()))) return false;
        const float value = float(d);
        uint32_t bits;
        std::memcpy(&bits, &value, 4);
        if (!always && bits == 0) return true;
        tag(f, 5);
        out_.append(reinterpret_cast<const char*>(&bits), 4);  // little-endian, as on all supported machines
        return true;
      }
      case F::TYPE_DOUBLE: {
        double value;
        if (!real(&value)) return false;
        uint64_t bits;
        std::memcpy(&bits, &value, 8);
        if (!always && bits == 0) return true;
        tag(f, 1);
        out_.append(reinterpret_cast<const char*>(&bits), 8);
        return true;
      }
      default: return false;
    }
  }

  bool integer(const FieldTable& f, int64_t value, bool always) {
    if (!always && value == 0) return true;
    tag(f, 0);
    appendVarint(out_, uint64_t(value));
    return true;
  }

  // Decimal only: a leading zero means octal.
  template <typename T>
  bool number(const FieldTable& f, bool always) {
    const char* digits = at_ < end_ && *at_ == '-' ? at_ + 1 : at_;
    if (digits >= end_ || !isDigit(*digits) || (*digits == '0' && digits + 1 < end_ && isWord(digits[1]))) return false;
    T value{};
    const auto r = std::from_chars(at_, end_, value);
    if (r.ec != std::errc()) return false;
    at_ = r.ptr;
    return atDelimiter() && integer(f, int64_t(value), always);
  }

  bool real(double* value) {
    const char* digits = at_ < end_ && *at_ == '-' ? at_ + 1 : at_;
    if (end_ - digits >= 3 && std::memcmp(digits, "inf", 3) == 0) {
      *value = digits > at_ ? -std::numeric_limits<double>::infinity() : std::numeric_limits<double>::infinity();
      at_ = digits + 3;
      return atDelimiter();
    }
    if (digits >= end_ || !isDigit(*digits) || (*digits == '0' && digits + 1 < end_ && isWord(digits[1]) && digits[1] != 'e')) return false;
    const auto r = std::from_chars(at_, end_, *value);
    if (r.ec != std::errc()) return false;
    at_ = r.ptr;
    return atDelimiter();
  }

  // One or more quoted pieces. Text that is not ASCII must be UTF-8, which protobuf checks.
  bool text(const FieldTable& f, bool always) {
    const size_t begin = out_.size();
    tag(f, 2);
    const size_t lengthAt = out_.size();
    out_.push_back(0);
    const size_t body = out_.size();
    const bool utf8 = f.type == pb::FieldDescriptor::TYPE_STRING;
    do {
      if (at_ >= end_ || (*at_ != '"' && *at_ != '\'')) return false;
      if (!quoted(*at_++)) return false;
      skipSpace();
    } while (at_ < end_ && (*at_ == '"' || *at_ == '\''));
    if (utf8 && std::any_of(out_.begin() + ptrdiff_t(body), out_.end(), [](char c) { return (c & 0x80) != 0; })) return false;
    const size_t length = out_.size() - body;
    if (length == 0 && !always) {
      out_.resize(begin);
      return true;
    }
    if (length < 0x80) {
      out_[lengthAt] = char(length);
      return true;
    }
    std::string prefix;
    appendVarint(prefix, length);
    out_.replace(lengthAt, 1, prefix);
    return true;
  }

  bool quoted(char quote) {
    for (;;) {
      const char* run = at_;
      while (at_ < end_ && *at_ != quote && *at_ != '\\' && *at_ != '\n') ++at_;
      out_.append(run, size_t(at_ - run));
      if (at_ >= end_ || *at_ == '\n') return false;
      if (*at_ == quote) {
        ++at_;
        return at_ >= end_ || !isWord(*at_);
      }
      ++at_;  // the backslash
      if (at_ >= end_) return false;
      const char c = *at_++;
      if (c >= '0' && c <= '7') {
        int value = c - '0';
        for (int k = 0; k < 2 && at_ < end_ && *at_ >= '0' && *at_ <= '7'; ++k) value = value * 8 + (*at_++ - '0');
        if (value > 255) return false;
        out_.push_back(char(value));
        continue;
      }
      static constexpr std::string_view kNames = "abfnrtv\\?'\"", kMeanings = "\a\b\f\n\r\t\v\\?'\"";
      const size_t k = kNames.find(c);
      if (k == std::string_view::npos) return false;
      out_.push_back(kMeanings[k]);
    }
  }

  const char* at_;
  const char* end_;
  std::string out_, scratch_;
  std::vector<Piece> pieces_;
};

}  // namespace

std::optional<std::string> wireFromText(std::string_view text, const pb::Descriptor& type) {
  static Tables tables;
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  Reader reader(text);
  if (!reader.run(tables.of(type))) return std::nullopt;
  return reader.take();
}

}  // namespace weft
