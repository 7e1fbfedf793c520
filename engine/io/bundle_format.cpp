#include "io/bundle_format.h"

#include <cstdio>

#include "base/crc32c.h"
#include "base/table.h"
#include "proto/graph.pb.h"
#include "proto/variants.h"

namespace weft {
namespace {

uint32_t crcOfLength(uint32_t crc, uint64_t length) {
  if (length <= UINT32_MAX) {
    const auto narrow = uint32_t(length);
    return crc32c(crc, &narrow, sizeof narrow);
  }
  return crc32c(crc, &length, sizeof length);
}

std::string numbered(const std::string& prefix, const char* form, int shard, int shards) {
  char text[64];
  std::snprintf(text, sizeof text, form, shard, shards);
  return prefix + text;
}

}  // namespace

std::string bundleIndexFile(const std::string& prefix) { return prefix + ".index"; }
std::string bundleDataFile(const std::string& prefix, int shard, int shards) { return numbered(prefix, ".data-%05d-of-%05d", shard, shards); }
std::string shardedFile(const std::string& prefix, int shard, int shards) { return numbered(prefix, "-%05d-of-%05d", shard, shards); }

std::string encodeBundleStrings(const Tensor& tensor, uint32_t* crc) {
  std::string out;
  *crc = 0;
  const auto strings = tensor.flat<std::string>();
  for (const std::string& s : strings) {
    putVarint(&out, s.size());
    *crc = crcOfLength(*crc, s.size());
  }
  const size_t lengths = out.size();
  putFixed32(&out, maskCrc(*crc));
  *crc = crc32c(*crc, out.data() + lengths, 4);
  for (const std::string& s : strings) {
    *crc = crc32c(*crc, s.data(), s.size());
    out += s;
  }
  return out;
}

Status decodeBundleStrings(std::string_view bytes, Tensor* tensor, uint32_t* crc) {
  const int64_t n = tensor->elements();
  auto* strings = tensor->mutableData<std::string>();
  std::string_view in = bytes;
  std::vector<uint64_t> lengths;
  lengths.resize(size_t(n));
  *crc = 0;
  uint64_t total = 0;
  for (uint64_t& length : lengths) {
    if (!getVarint(&in, &length)) return dataLoss("the lengths of ", n, " strings do not fit into ", bytes.size(), " bytes").ofKind("truncated");
    if (length > bytes.size() || (total += length) > bytes.size())
      return dataLoss("a string of ", length, " bytes lies outside the ", bytes.size(), " bytes of its tensor").ofKind("out_of_range");
    *crc = crcOfLength(*crc, length);
  }
  if (in.size() < 4) return dataLoss("the checksum of the lengths of ", n, " strings is missing").ofKind("truncated");
  const uint32_t stored = fixed32At(in.data());
  if (unmaskCrc(stored) != *crc)
    return dataLoss("The length checksum does not match: expected ", unmaskCrc(stored), " but actual is ", *crc).ofKind("bad_checksum");
  *crc = crc32c(*crc, in.data(), 4);
  in.remove_prefix(4);
  if (in.size() != total)
    return dataLoss("strings of ", total, " bytes in all, but ", in.size(), " bytes are there").ofKind(in.size() < total ? "truncated" : "invalid_tensor");
  *crc = crc32c(*crc, in.data(), in.size());
  for (int64_t i = 0; i < n; ++i) {
    strings[i].assign(in.substr(0, lengths[size_t(i)]));
    in.remove_prefix(lengths[size_t(i)]);
  }
  return {};
}

Result<std::string> encodeBundleVariants(const Tensor& tensor, uint32_t* crc) {
  std::string out;
  *crc = 0;
  for (int64_t i = 0; i < tensor.elements(); ++i) {
    tensorflow::VariantTensorDataProto proto;
    WEFT_TRY(variantToProto(static_cast<const VariantValue*>(tensor.raw())[i], &proto));
    const std::string message = proto.SerializeAsString();
    const uint64_t length = message.size();
    putVarint(&out, length);
    *crc = crc32c(*crc, &length, sizeof length);
    out += message;
    *crc = crc32c(*crc, message.data(), message.size());
    putFixed32(&out, maskCrc(*crc));
    *crc = crc32c(*crc, out.data() + out.size() - 4, 4);
  }
  return out;
}

Status decodeBundleVariants(std::string_view in, Tensor* tensor, uint32_t* crc) {
  auto* values = static_cast<VariantValue*>(tensor->mutableRaw());
  *crc = 0;
  for (int64_t i = 0; i < tensor->elements(); ++i) {
    uint64_t length = 0;
    if (!getVarint(&in, &length) || length > in.size() || in.size() - length < 4) return dataLoss("the bytes end inside of variant ", i).ofKind("truncated");
    *crc = crc32c(*crc, &length, sizeof length);
    *crc = crc32c(*crc, in.data(), length);
    const uint32_t stored = fixed32At(in.data() + length);
    if (unmaskCrc(stored) != *crc) return dataLoss("The checksum of variant ", i, " does not match").ofKind("bad_checksum");
    *crc = crc32c(*crc, in.data() + length, 4);
    tensorflow::VariantTensorDataProto proto;
    if (!proto.ParseFromArray(in.data(), int(length))) return dataLoss("Variant ", i, " is no VariantTensorDataProto").ofKind("malformed");
    WEFT_LET(values[i], variantFromProto(proto));
    in.remove_prefix(length + 4);
  }
  if (!in.empty()) return dataLoss(in.size(), " bytes follow the last variant").ofKind("invalid_tensor");
  return {};
}

}  // namespace weft
