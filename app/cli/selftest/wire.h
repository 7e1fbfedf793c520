#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "weft/error.h"

namespace weft::cli {

/// One raw field of a protobuf message. The judge reads records and summaries with this instead of the engine's messages, so that it does not trust what it
/// judges.
struct WireField {
  int number = 0;
  int type = 0;            ///< 0 varint, 1 eight bytes, 2 length-delimited, 5 four bytes.
  uint64_t value = 0;      ///< Types 0, 1 and 5.
  std::string_view bytes;  ///< Type 2; points into the message.

  float asFloat() const;    ///< REQUIRES: type 5.
  double asDouble() const;  ///< REQUIRES: type 1.
};

/// All fields in order. DATA_LOSS if the bytes are no message.
Result<std::vector<WireField>> parseWire(std::string_view message);

void appendVarint(std::string& out, uint64_t value);
void appendVarintField(std::string& out, int number, uint64_t value);
void appendBytesField(std::string& out, int number, std::string_view bytes);

/// The records of an uncompressed TFRecord file. NOT_FOUND, DATA_LOSS.
Result<std::vector<std::string>> readRecordFile(const std::string& path);

}  // namespace weft::cli
