#pragma once

#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>

#include "weft/export.h"

namespace weft {

/// Canonical codes, with TensorFlow's numbers.
enum class Code : int {
  Ok = 0,
  Cancelled = 1,
  Unknown = 2,
  InvalidArgument = 3,
  DeadlineExceeded = 4,
  NotFound = 5,
  AlreadyExists = 6,
  PermissionDenied = 7,
  ResourceExhausted = 8,
  FailedPrecondition = 9,
  Aborted = 10,
  OutOfRange = 11,
  Unimplemented = 12,
  Internal = 13,
  Unavailable = 14,
  DataLoss = 15,
  Unauthenticated = 16,
};

/// The code's canonical name, such as "INVALID_ARGUMENT".
WEFT_API std::string_view codeName(Code code);

/// A canonical code, a message that names the value and the expectation, and a location. `node` is the name of a graph's node, `file` a path,
/// `kind` the error kind of `weft inspect` ("truncated", …). Each is empty where it does not apply.
struct [[nodiscard]] WEFT_API Error {
  Code code = Code::Unknown;
  std::string message;
  std::string node;
  std::string file;
  std::string kind;

  Error& atNode(std::string name);  ///< Sets the node unless it is already set.
  Error& inFile(std::string path);  ///< Sets the file unless it is already set.
  Error& ofKind(std::string k);
  std::string toString() const;  ///< One line: "INVALID_ARGUMENT: conv1: message".
};

/// Success or an Error. One pointer wide; success costs nothing.
class [[nodiscard]] WEFT_API Status {
 public:
  Status() = default;
  Status(Error error) : error_(std::make_unique<Error>(std::move(error))) {}
  Status(Status&&) = default;
  Status& operator=(Status&&) = default;
  Status(const Status& other) : error_(other.error_ ? std::make_unique<Error>(*other.error_) : nullptr) {}
  Status& operator=(const Status& other) {
    error_ = other.error_ ? std::make_unique<Error>(*other.error_) : nullptr;
    return *this;
  }

  bool ok() const { return !error_; }
  explicit operator bool() const { return ok(); }
  const Error& error() const { return *error_; }  ///< REQUIRES: !ok().
  Error& error() { return *error_; }
  Code code() const { return error_ ? error_->code : Code::Ok; }
  std::string toString() const { return error_ ? error_->toString() : "OK"; }

 private:
  std::unique_ptr<Error> error_;
};

/// A value or an Error.
template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}
  Result(Status status) : state_(std::in_place_index<1>, std::move(status.error())) {}  ///< REQUIRES: !status.ok().
  template <typename U>
  requires(std::is_convertible_v<U, T> && !std::is_same_v<std::decay_t<U>, T> && !std::is_same_v<std::decay_t<U>, Result> &&
           !std::is_same_v<std::decay_t<U>, Error> && !std::is_same_v<std::decay_t<U>, Status>) Result(U&& value)
      : state_(std::in_place_index<0>, std::forward<U>(value)) {}

  bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }
  T& value() & { return *std::get_if<0>(&state_); }  ///< REQUIRES: ok().
  const T& value() const& { return *std::get_if<0>(&state_); }
  T&& value() && { return std::move(*std::get_if<0>(&state_)); }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T&& operator*() && { return std::move(*this).value(); }
  T* operator->() { return std::get_if<0>(&state_); }
  const T* operator->() const { return std::get_if<0>(&state_); }
  const Error& error() const { return *std::get_if<1>(&state_); }  ///< REQUIRES: !ok().
  Error& error() { return *std::get_if<1>(&state_); }
  Status status() const { return ok() ? Status() : Status(error()); }

 private:
  std::variant<T, Error> state_;
};

/// One part of a message: text, a character, a number or a bool. Text is a view, so a part must not outlive the call that it is made for.
class WEFT_API TextPart {
 public:
  TextPart(std::string_view text) : kind_(Kind::Text), text_(text) {}
  TextPart(const char* text) : TextPart(std::string_view(text)) {}
  TextPart(const std::string& text) : TextPart(std::string_view(text)) {}
  template <typename T>
  requires(std::is_arithmetic_v<T> || std::is_enum_v<T>) TextPart(T value) {
    if constexpr (sizeof(T) == 1 && !std::is_same_v<T, bool> && std::is_integral_v<T>) {
      kind_ = Kind::Character;
      character_ = static_cast<char>(value);
    } else if constexpr (std::is_floating_point_v<T>) {
      kind_ = Kind::Real;
      real_ = static_cast<double>(value);
    } else if constexpr (std::is_unsigned_v<T>) {
      kind_ = Kind::Unsigned;
      unsigned_ = value;
    } else {
      kind_ = Kind::Signed;
      signed_ = static_cast<long long>(value);
    }
  }
  void appendTo(std::string& out) const;

 private:
  enum class Kind : char { Text, Character, Signed, Unsigned, Real };
  Kind kind_;
  std::string_view text_;
  union {
    char character_;
    long long signed_;
    unsigned long long unsigned_;
    double real_;
  };
};

/// Concatenates the parts as an std::ostream prints them: 1-byte numbers as characters, real numbers with six digits, a bool as 0 or 1.
WEFT_API std::string concat(std::initializer_list<TextPart> parts);

template <typename... Parts>
std::string concat(const Parts&... parts) {
  return concat(std::initializer_list<TextPart>{TextPart(parts)...});
}

#define WEFT_ERROR_MAKER(name, codeValue)                                                                   \
  template <typename... Parts>                                                                              \
  Error name(const Parts&... parts) {                                                                       \
    return Error{Code::codeValue, concat(std::initializer_list<TextPart>{TextPart(parts)...}), {}, {}, {}}; \
  }
WEFT_ERROR_MAKER(cancelledError, Cancelled)
WEFT_ERROR_MAKER(unknownError, Unknown)
WEFT_ERROR_MAKER(invalidArgument, InvalidArgument)
WEFT_ERROR_MAKER(deadlineExceeded, DeadlineExceeded)
WEFT_ERROR_MAKER(notFound, NotFound)
WEFT_ERROR_MAKER(alreadyExists, AlreadyExists)
WEFT_ERROR_MAKER(permissionDenied, PermissionDenied)
WEFT_ERROR_MAKER(resourceExhausted, ResourceExhausted)
WEFT_ERROR_MAKER(failedPrecondition, FailedPrecondition)
WEFT_ERROR_MAKER(abortedError, Aborted)
WEFT_ERROR_MAKER(outOfRange, OutOfRange)
WEFT_ERROR_MAKER(unimplemented, Unimplemented)
WEFT_ERROR_MAKER(internalError, Internal)
WEFT_ERROR_MAKER(unavailable, Unavailable)
WEFT_ERROR_MAKER(dataLoss, DataLoss)
#undef WEFT_ERROR_MAKER

#define WEFT_CONCAT_INNER(a, b) a##b
#define WEFT_CONCAT(a, b) WEFT_CONCAT_INNER(a, b)

/// Returns the Error of a Status or Result expression to the caller, if it failed.
#define WEFT_TRY(...)                                                                 \
  do {                                                                                \
    if (auto weftStatus = (__VA_ARGS__); !weftStatus.ok()) return weftStatus.error(); \
  } while (0)

/// `WEFT_LET(auto x, maybeX());` sets x to the value of a Result, or returns its Error to the caller.
#define WEFT_LET(decl, ...)                                                                      \
  auto WEFT_CONCAT(weftResult, __LINE__) = (__VA_ARGS__);                                        \
  if (!WEFT_CONCAT(weftResult, __LINE__).ok()) return WEFT_CONCAT(weftResult, __LINE__).error(); \
  decl = std::move(WEFT_CONCAT(weftResult, __LINE__)).value()

}  // namespace weft
