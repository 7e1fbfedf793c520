// Specs of features as Python text for TensorFlow 1.x.
#include <algorithm>
#include <set>

#include "weft/record_schema.h"

namespace weft {
namespace {

using Kind = ExampleFeature::Kind;

std::string pythonType(DType t) { return t == DType::String ? "tf.string" : "tf." + dtypeName(t); }

std::string pythonShape(const Shape& shape) {
  std::string out = "[";
  for (int i = 0; i < shape.rank(); ++i) out += (i ? ", " : "") + std::to_string(shape.dim(i));
  return out + "]";
}

/// A literal of that text. Bytes above 127 stay: Python reads source text as UTF-8.
std::string pythonLiteral(std::string_view text) {
  static const char* kHex = "0123456789abcdef";
  std::string out = "'";
  for (const char c : text) {
    if (c == '\\' || c == '\'') out += {'\\', c};
    else if (c == '\n') out += "\\n";
    else if (uint8_t(c) < 32 || c == 127) out += {'\\', 'x', kHex[uint8_t(c) >> 4], kHex[uint8_t(c) & 15]};
    else out += c;
  }
  return out + "'";
}

const char* kindName(Kind kind) { return kind == Kind::Bytes ? "bytes" : kind == Kind::Float ? "float" : kind == Kind::Int64 ? "int64" : "no values"; }

/// Suggests how to decode that many raw bytes, by common image sizes.
std::string rawHint(int64_t bytes) {
  for (const auto& [side, channels] : {std::pair<int64_t, int64_t>{28, 1}, {32, 3}, {64, 3}, {96, 3}, {128, 3}, {224, 3}, {256, 3}, {299, 3}}) {
    for (const auto& [width, name] : {std::pair<int64_t, const char*>{1, "tf.uint8"}, {4, "tf.float32"}})
      if (side * side * channels * width == bytes)
        return concat("tf.decode_raw(…, ", name, ") gives ", side * side * channels, " values: ", side, "x", side, "x", channels, "?");
  }
  return "tf.decode_raw with the dtype that wrote it: the record does not say which";
}

/// What a reader of the program should know about a feature; empty: nothing.
std::string hint(const FeatureSummary& s, const FeatureSpec& spec, const RecordSchema& schema) {
  std::vector<std::string> parts;
  const bool picture = s.content == "JPEG" || s.content == "PNG" || s.content == "GIF" || s.content == "BMP";
  if (picture)
    parts.push_back(s.content + ": tf.image.decode_" + (s.content == "JPEG" ? "jpeg" : s.content == "PNG" ? "png" : s.content == "GIF" ? "gif" : "bmp"));
  else if (s.content == "raw" && s.leastBytes == s.mostBytes) parts.push_back(rawHint(s.mostBytes));
  if (s.kind == Kind::Empty) parts.push_back("no record has a value: its type is a guess");
  if (spec.kind == FeatureSpec::Kind::Sparse) parts.push_back("the size is the largest position of these records + 1");
  if (spec.hasDefault) parts.push_back(concat("missing in ", schema.records - s.records + s.empty, " of ", schema.records, " records"));
  std::string out;
  for (const std::string& part : parts) out += (out.empty() ? "" : "; ") + part;
  return out;
}

class ProgramText {
 public:
  ProgramText(const RecordSchema& schema, const std::vector<FeatureSpec>& specs) : schema_(schema) {
    for (const FeatureSummary& s : schema.features) summaries_[{s.isSequence, s.name}] = &s;
    for (const FeatureSpec& spec : specs)
      if (spec.kind == FeatureSpec::Kind::Sparse) positions_.insert(spec.indexKey);
    for (const FeatureSpec& spec : specs) add(spec);
  }
  bool isEmpty() const { return count_[0] + count_[1] == 0; }
  /// A dictionary of the features of one kind, its entries indented by `indent`; empty if there are none.
  std::string dictionary(bool sequences, const std::string& indent) const {
    if (lines_[sequences].empty()) return {};
    std::string out = "{\n";
    for (const std::string& line : lines_[sequences]) out += indent + "    " + line + "\n";
    return out + indent + "}";
  }

 private:
  void add(const FeatureSpec& spec) {
    const auto at = summaries_.find({spec.isSequence, spec.name});
    const FeatureSummary* s = at == summaries_.end() ? nullptr : at->second;
    std::vector<std::string>& lines = lines_[spec.isSequence];
    if (s && s->mixed) {
      std::string kinds;
      for (const Kind kind : s->kinds) kinds += (kinds.empty() ? "" : " and ") + std::string(kindName(kind));
      lines.push_back("# " + pythonLiteral(spec.name) + " is left out: records have " + kinds + ", and a parse call reads one type.");
      return;
    }
    if (!spec.isSequence && spec.kind != FeatureSpec::Kind::Sparse && positions_.count(spec.name)) return;  // read with its values
    const std::string comment = s ? hint(*s, spec, schema_) : std::string();
    lines.push_back(pythonLiteral(spec.name) + ": " + specText(spec) + "," + (comment.empty() ? "" : "  # " + comment));
    ++count_[spec.isSequence];
  }

  const RecordSchema& schema_;
  std::map<std::pair<bool, std::string>, const FeatureSummary*> summaries_;
  std::set<std::string> positions_;
  std::vector<std::string> lines_[2];
  int64_t count_[2] = {0, 0};
};

}  // namespace

std::string specText(const FeatureSpec& spec) {
  const std::string type = pythonType(spec.dtype);
  const int64_t n = spec.shape.elements();
  switch (spec.kind) {
    case FeatureSpec::Kind::Variable: return "tf.VarLenFeature(" + type + ")";
    case FeatureSpec::Kind::FixedSequence:
      return "tf.FixedLenSequenceFeature(" + pythonShape(spec.shape) + ", " + type + (spec.hasDefault || !spec.isSequence ? ", allow_missing=True)" : ")");
    case FeatureSpec::Kind::Sparse:
      return concat("tf.SparseFeature(index_key=", pythonLiteral(spec.indexKey), ", value_key=", pythonLiteral(spec.name), ", dtype=", type, ", size=", n, ")");
    case FeatureSpec::Kind::Fixed: break;
  }
  std::string out = "tf.FixedLenFeature(" + pythonShape(spec.shape) + ", " + type;
  if (spec.hasDefault) {
    const std::string zero = spec.dtype == DType::String ? "''" : spec.dtype == DType::Float ? "0.0" : "0";
    // A default has the shape of the feature, or as many values in one list: TensorFlow reshapes these.
    out += ", default_value=" + (spec.shape.rank() == 0 ? zero : "[" + zero + "] * " + std::to_string(n));
  }
  return out + ")";
}

Result<std::string> parseProgram(const RecordSchema& schema, const std::vector<FeatureSpec>& specs, const RecordSource& source) {
  const ProgramText text(schema, specs);
  if (schema.form == RecordForm::Bytes)
    return invalidArgument("the records are neither tf.train.Example nor tf.train.SequenceExample: there is nothing to parse");
  if (text.isEmpty()) return invalidArgument("no feature has one type in all records, so no parse call can read them");
  const bool sequences = schema.form == RecordForm::SequenceExample;
  const int64_t all = std::max(source.records, schema.records);
  std::string out;
  if (all > schema.records) out += concat("# From the first ", schema.records, " of ", all, " records: the others may differ.\n");
  if (schema.otherForm > 0)
    out += concat("# Not ", sequences ? "a tf.train.SequenceExample" : "a tf.train.Example", ": ", schema.otherForm, " of ", schema.records,
                  " records; the first is record ", schema.firstOther, ".\n");
  out += "import tensorflow as tf\n\n\ndef parse(serialized):\n";
  if (sequences) {
    out += "    return tf.io.parse_single_sequence_example(\n        serialized";
    for (const bool lists : {false, true})
      if (const std::string entries = text.dictionary(lists, "        "); !entries.empty())
        out += std::string(",\n        ") + (lists ? "sequence_features=" : "context_features=") + entries;
    out += ")\n";
  } else {
    out += "    return tf.io.parse_single_example(serialized, " + text.dictionary(false, "    ") + ")\n";
  }
  if (source.path.empty()) return out;
  const char* compression = source.compression == Compression::Gzip   ? ", compression_type='GZIP'"
                            : source.compression == Compression::Zlib ? ", compression_type='ZLIB'"
                                                                      : "";
  return out + "\n\ndataset = tf.data.TFRecordDataset(" + pythonLiteral(source.path) + compression + ").map(parse)\n";
}

}  // namespace weft
