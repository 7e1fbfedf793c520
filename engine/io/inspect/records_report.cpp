#include <map>

#include "base/record_frame.h"
#include "io/inspect/format.h"
#include "proto/bundle.pb.h"
#include "proto/text.h"
#include "weft/examples.h"

namespace weft::inspect {
namespace {

namespace tf = ::tensorflow;

constexpr int kProbe = 50;  // number of records examined to classify the payload

struct Stats {
  std::string type = "empty";
  int64_t records = 0, least = 0, most = 0;
  void add(std::string_view t, int64_t length) {
    if (type == "empty") type = t;
    least = records ? std::min(least, length) : length;
    most = records ? std::max(most, length) : length;
    ++records;
  }
};

std::pair<const char*, int> measure(const tf::Feature& f) {
  switch (f.kind_case()) {
    case tf::Feature::kBytesList: return {"bytes", f.bytes_list().value_size()};
    case tf::Feature::kFloatList: return {"float", f.float_list().value_size()};
    case tf::Feature::kInt64List: return {"int64", f.int64_list().value_size()};
    default: return {"empty", 0};
  }
}

void addFeatures(const tf::Features& features, std::map<std::string, Stats>* stats) {
  for (const auto& [name, f] : features.feature()) {
    const auto [type, length] = measure(f);
    (*stats)[name].add(type, length);
  }
}

Json print(const std::map<std::string, Stats>& stats, const char* least, const char* most) {
  Json out = Json::object();
  for (const auto& [name, s] : stats) out[name] = {{"type", s.type}, {"records", s.records}, {least, s.least}, {most, s.most}};
  return out;
}

Status reportRecords(Report& r) {
  r.setKind("tfrecord");
  std::string head(16, '\0');
  WEFT_LET(auto file, r.files.openForReading(r.path));
  WEFT_LET(const size_t got, file->read(0, head.data(), head.size()));
  head.resize(got);
  const Compression compression = guessCompression(head);
  r.json["compression"] = compression == Compression::None ? "none" : compression == Compression::Gzip ? "gzip" : "zlib";
  const auto open = [&] { return RecordReader::open(r.path, compression, &r.files); };
  int64_t records = 0, bytes = 0;
  Status status;
  bool examples = true, sequences = true;
  {
    WEFT_LET(auto reader, open());
    std::string record;
    for (;;) {
      auto next = reader->next(&record);
      if (!next.ok()) {
        status = next.error();
        break;
      }
      if (!*next) break;
      bytes += int64_t(record.size());
      if (records++ >= kProbe) continue;
      const RecordForm form = recordForm(record);
      examples = examples && form == RecordForm::Example;
      // An empty context without lists is not taken for a SequenceExample; an Example may parse as one by accident.
      sequences = sequences && form != RecordForm::Bytes;
    }
  }
  r.json["records"] = records;
  r.json["payload_bytes"] = bytes;
  const std::string content = records == 0 ? "bytes" : examples ? "example" : sequences ? "sequence_example" : "bytes";
  r.json["content"] = content;
  if (content == "bytes") return status;
  std::map<std::string, Stats> features, lists;
  WEFT_LET(auto reader, open());
  std::string record;
  for (int64_t i = 0; i < records; ++i) {
    const auto next = reader->next(&record);
    if (!next.ok() || !*next) {
      // The records cannot be read a second time, so the features cover only part of them.
      if (status.ok()) status = next.ok() ? dataLoss("only ", i, " of ", records, " records could be read again") : next.error();
      break;
    }
    if (examples) {
      tf::Example e;
      if (parseWire(record, &e).ok()) addFeatures(e.features(), &features);
      continue;
    }
    tf::SequenceExample e;
    if (!parseWire(record, &e).ok()) continue;
    addFeatures(e.context(), &features);
    for (const auto& [name, list] : e.feature_lists().feature_list()) {
      std::string_view type = "empty";
      for (const auto& f : list.feature())
        if (type == "empty") type = measure(f).first;
      lists[name].add(type, list.feature_size());
    }
  }
  if (examples) {
    r.json["features"] = print(features, "min_len", "max_len");
  } else {
    r.json["context"] = print(features, "min_len", "max_len");
    r.json["feature_lists"] = print(lists, "min_steps", "max_steps");
  }
  return status;
}

/// Records inside a GZIP or zlib stream, a damaged or an empty one as well.
bool isCompressedRecords(Report& r) {
  if (r.starts("\x1f\x8b")) return r.inflatedHead().empty() || looksLikeRecords(r.inflatedHead());
  if (guessCompression(r.head()) != Compression::Zlib || r.isText() || r.message() != ProtoKind::Unknown) return false;
  auto stream = ByteStream::open(r.path, Compression::Zlib, &r.files);
  if (!stream.ok()) return false;
  char head[kRecordHeader];
  const auto got = (*stream)->read(head, sizeof head);
  return !got.ok() || *got == 0 || looksLikeRecords(std::string_view(head, *got));
}

}  // namespace

bool looksLikeRecords(std::string_view head) {
  uint64_t length;
  return head.size() >= kRecordHeader && decodeRecordHeader(head.data(), &length);
}

extern const Format kRecordsFormat;
const Format kRecordsFormat{
    {"tfrecord", WEFT_TRANSLATED("FileKinds", "TFRecord"), WEFT_TRANSLATED("FileKinds", "A sequence of records, usually of type tf.train.Example."),
     ".tfrecord .tfrecords", "application/x-tfrecord", false, false},
    [](Report& r) { return looksLikeRecords(r.head()) || isCompressedRecords(r); },
    reportRecords};

extern const Format kNamedRecordsFormat;
const Format kNamedRecordsFormat{
    {"tfrecord", WEFT_TRANSLATED("FileKinds", "TFRecord"), WEFT_TRANSLATED("FileKinds", "A sequence of records, usually of type tf.train.Example."), ""},
    [](Report& r) { return r.isFile() && !r.isText() && (r.ends(".tfrecord") || r.ends(".tfrecords")); },
    reportRecords};

}  // namespace weft::inspect
