#pragma once

#include <cstdint>
#include <string>
#include <string_view>

// Texts in gRPC's headers.
namespace weft::rpc {

/// A status message as a header carries it: printable ASCII but for "%" stays, the rest is "%XX".
std::string percentEncoded(std::string_view text);
/// The reverse. What is not of that form is kept as it is.
std::string percentDecoded(std::string_view text);
/// A header's time limit: at most eight digits and a unit.
std::string timeoutText(int64_t milliseconds);
/// In microseconds; 0 for a text that is none. A limit of 0 is 1 microsecond.
int64_t timeoutMicros(std::string_view text);

}  // namespace weft::rpc
