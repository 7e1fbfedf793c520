#include <algorithm>

#include "base/record_frame.h"
#include "io/inspect/format.h"
#include "weft/record_schema.h"

namespace weft::inspect {
namespace {

const char* kindText(ExampleFeature::Kind kind) {
  static const char* kNames[] = {"empty", "bytes", "float", "int64"};
  return kNames[int(kind)];
}

/// What is in the records, by name: `lists` or the context.
Json featuresJson(const RecordSchema& schema, bool lists) {
  Json out = Json::object();
  auto& entries = out.get_ref<Json::object_t&>();  // out[name] would compare each name with all before it
  for (const FeatureSummary& s : schema.features) {
    if (s.isSequence != lists) continue;
    Json one{{"type", kindText(s.kind)}, {"records", s.records}, {lists ? "min_steps" : "min_len", s.least}, {lists ? "max_steps" : "max_len", s.most}};
    entries.push_back({s.name, std::move(one)});
  }
  return out;
}

Json specJson(const FeatureSummary& s, const FeatureSpec& spec, const RecordSchema& schema, bool isPosition) {
  using Spec = FeatureSpec::Kind;
  Json out{{"name", s.name}, {"type", s.mixed ? "mixed" : kindText(s.kind)}};
  if (s.mixed) {
    Json& types = out["types"] = Json::array();
    for (const auto kind : s.kinds) types.push_back(kindText(kind));
  }
  out["length"] = spec.kind == Spec::Sparse ? "sparse" : spec.kind == Spec::Variable ? "variable" : "fixed";
  if (s.isSequence) {
    out.update({{"min_steps", s.least}, {"max_steps", s.most}, {"min_step_len", s.leastStep}, {"max_step_len", s.mostStep}});
  } else {
    out.update({{"min_len", s.leastStated}, {"max_len", s.most}});
  }
  out["missing"] = schema.records - s.records + s.empty;
  if (!s.content.empty()) out["content"] = s.content;
  if (spec.kind == Spec::Sparse) out["positions"] = spec.indexKey;
  // Neither is an entry of the parse call: no type reads the one, and the other is read with its values.
  if (!s.mixed && !isPosition) out["parse"] = specText(spec);
  return out;
}

/// How the records would be parsed.
Json schemaJson(const RecordSchema& schema, const std::vector<FeatureSpec>& specs) {
  std::vector<std::string> positions;
  for (const FeatureSpec& spec : specs)
    if (spec.kind == FeatureSpec::Kind::Sparse) positions.push_back(spec.indexKey);
  std::sort(positions.begin(), positions.end());
  const bool sequences = schema.form == RecordForm::SequenceExample;
  Json plain = Json::array(), lists = Json::array();
  for (size_t i = 0; i < specs.size(); ++i) {
    const FeatureSummary& s = schema.features[i];
    const bool isPosition = !s.isSequence && std::binary_search(positions.begin(), positions.end(), s.name);
    (s.isSequence ? lists : plain).push_back(specJson(s, specs[i], schema, isPosition));
  }
  Json out = Json::object();
  out[sequences ? "context" : "features"] = std::move(plain);
  if (sequences) out["feature_lists"] = std::move(lists);
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
  WEFT_LET(auto reader, RecordReader::open(r.path, compression, &r.files));
  SchemaInference inference;
  int64_t bytes = 0;
  Status status;
  std::string record;
  for (;;) {
    auto next = reader->next(&record);
    if (!next.ok()) status = next.error();
    if (!next.ok() || !*next) break;
    bytes += int64_t(record.size());
    inference.add(record);
  }
  const RecordSchema schema = inference.schema();
  r.json["records"] = schema.records;
  r.json["payload_bytes"] = bytes;
  r.json["content"] = schema.form == RecordForm::Example ? "example" : schema.form == RecordForm::SequenceExample ? "sequence_example" : "bytes";
  const std::vector<FeatureSpec> specs = proposeSpecs(schema);
  if (r.parseCall) {
    auto program = parseProgram(schema, specs, {r.path, compression});
    if (program.ok()) r.json["parse_call"] = std::move(*program);
    else if (status.ok()) status = bad("unsupported", program.error().message);
  }
  if (schema.form == RecordForm::Bytes) return status;
  if (schema.form == RecordForm::Example) {
    r.json["features"] = featuresJson(schema, false);
  } else {
    r.json["context"] = featuresJson(schema, false);
    r.json["feature_lists"] = featuresJson(schema, true);
  }
  r.json["schema"] = schemaJson(schema, specs);
  if (schema.otherForm > 0)
    r.problem("mixed_records",
              concat(schema.otherForm, " of ", schema.records, " records are not of the form of the others; the first is record ", schema.firstOther));
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
