#pragma once

#include <cstdint>
#include <string>

#include "proto/bundle.pb.h"
#include "weft/tensor.h"

namespace weft {

constexpr int kBundleVersion = 1;  ///< Version of the format that we read and write.

std::string bundleIndexFile(const std::string& prefix);                        ///< PREFIX.index
std::string bundleDataFile(const std::string& prefix, int shard, int shards);  ///< PREFIX.data-00000-of-00001
std::string shardedFile(const std::string& prefix, int shard, int shards);     ///< PREFIX-00000-of-00001

/// Characters of a string tensor as a bundle stores them: varint lengths, a masked checksum of the lengths, all characters.
/// `crc` becomes the checksum of the entry, which counts each length as a fixed-width number instead of its varint.
std::string encodeBundleStrings(const Tensor& tensor, uint32_t* crc);
/// The reverse, into a tensor of known shape. DATA_LOSS for lengths that do not fit and checksums that differ.
Status decodeBundleStrings(std::string_view bytes, Tensor* tensor, uint32_t* crc);

/// Elements of a variant tensor as a bundle stores them: for each the varint length of its message, the message, and a masked checksum of everything before.
/// UNIMPLEMENTED for variants that exist only in memory.
Result<std::string> encodeBundleVariants(const Tensor& tensor, uint32_t* crc);
/// The reverse, into a tensor of known shape. DATA_LOSS for lengths that do not fit and checksums that differ.
Status decodeBundleVariants(std::string_view bytes, Tensor* tensor, uint32_t* crc);

}  // namespace weft
