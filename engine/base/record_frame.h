#pragma once

#include <cstdint>
#include <string_view>

namespace weft {

constexpr size_t kRecordHeader = 12;  ///< 8 bytes of length, 4 of its masked checksum
constexpr size_t kRecordFooter = 4;   ///< masked checksum of the payload

void encodeRecordHeader(uint64_t length, char* header);
/// False if the checksum differs.
bool decodeRecordHeader(const char* header, uint64_t* length);
uint32_t recordChecksum(std::string_view payload);  ///< masked

}  // namespace weft
