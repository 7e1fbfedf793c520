#pragma once

#include "weft/records.h"

namespace weft {

/// Writes records without checksums, as snapshots of data sets have them: a length of eight bytes, the payload.
WEFT_API Result<std::unique_ptr<RecordWriter>> createLengthRecords(const std::string& path, Compression compression);
/// Reads the next of such records; false at the end. DATA_LOSS for a record that is cut off.
WEFT_API Result<bool> nextLengthRecord(ByteStream& stream, std::string* record);

}  // namespace weft
