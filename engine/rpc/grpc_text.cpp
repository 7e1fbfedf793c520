#include "rpc/grpc_text.h"

#include <algorithm>
#include <charconv>

namespace weft::rpc {
namespace {

constexpr int64_t kMostDigits = 99'999'999;

int hexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

}  // namespace

std::string percentEncoded(std::string_view text) {
  constexpr char kHex[] = "0123456789ABCDEF";
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    if (c >= ' ' && c <= '~' && c != '%') {
      out += c;
    } else {
      out += '%';
      out += kHex[uint8_t(c) >> 4];
      out += kHex[uint8_t(c) & 15];
    }
  }
  return out;
}

std::string percentDecoded(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (size_t i = 0; i < text.size(); ++i) {
    const int high = text[i] == '%' && i + 2 < text.size() ? hexDigit(text[i + 1]) : -1;
    const int low = high >= 0 ? hexDigit(text[i + 2]) : -1;
    if (low < 0) {
      out += text[i];
    } else {
      out += char(high << 4 | low);
      i += 2;
    }
  }
  return out;
}

std::string timeoutText(int64_t milliseconds) {
  if (milliseconds <= kMostDigits) return std::to_string(milliseconds) + "m";
  return std::to_string(std::min((milliseconds + 999) / 1000, kMostDigits)) + "S";
}

int64_t timeoutMicros(std::string_view text) {
  int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end + 1 != text.data() + text.size() || number < 0 || number > kMostDigits) return 0;
  switch (*end) {
    case 'H': return std::max<int64_t>(1, number * 3'600'000'000);
    case 'M': return std::max<int64_t>(1, number * 60'000'000);
    case 'S': return std::max<int64_t>(1, number * 1'000'000);
    case 'm': return std::max<int64_t>(1, number * 1000);
    case 'u': return std::max<int64_t>(1, number);
    case 'n': return std::max<int64_t>(1, number / 1000);
    default: return 0;
  }
}

}  // namespace weft::rpc
