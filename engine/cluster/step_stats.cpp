#include "cluster/step_stats.h"

#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>
#include <google/protobuf/wire_format_lite.h>

#include "runtime/trace_metadata.h"

namespace weft::cluster {
namespace {

constexpr uint32_t kStepStatsTag = 1 << 3 | 2;       // RunMetadata.step_stats
constexpr uint32_t kPartitionGraphTag = 3 << 3 | 2;  // RunMetadata.partition_graphs

std::string field(uint32_t tag, const std::vector<std::string>& parts) {
  size_t length = 0;
  for (const std::string& part : parts) length += part.size();
  std::string out;
  google::protobuf::io::StringOutputStream stream(&out);
  google::protobuf::io::CodedOutputStream coded(&stream);
  coded.WriteVarint32(tag);
  coded.WriteVarint32(uint32_t(length));
  for (const std::string& part : parts) coded.WriteString(part);
  coded.Trim();
  return out;
}

}  // namespace

std::string stepStatsOf(const StepTrace& trace, const Graph& part) {
  const std::string metadata = partMetadata(trace, part);
  google::protobuf::io::CodedInputStream in(reinterpret_cast<const uint8_t*>(metadata.data()), int(metadata.size()));
  while (const uint32_t tag = in.ReadTag()) {
    uint32_t length = 0;
    std::string stats;
    if (tag == kStepStatsTag) return in.ReadVarint32(&length) && in.ReadString(&stats, int(length)) ? stats : std::string();
    if (!google::protobuf::internal::WireFormatLite::SkipField(&in, tag)) break;
  }
  return {};
}

// Bytes of messages that follow one another are those of one message with the fields of all, so the tasks' StepStats stand one after another in one.
std::string runMetadataOf(const std::vector<std::string>& stepStats) { return field(kStepStatsTag, stepStats); }

std::string partitionGraphField(const std::string& graphDef) { return field(kPartitionGraphTag, {graphDef}); }

}  // namespace weft::cluster
