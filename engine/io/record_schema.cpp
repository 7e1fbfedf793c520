// One pass over the records, which are all read as SequenceExamples: an Example has the same bytes as one whose context holds its features.
#include "weft/record_schema.h"

#include <algorithm>

#include "proto/bundle.pb.h"
#include "proto/text.h"

namespace weft {
namespace {

namespace tf = ::tensorflow;
using Kind = ExampleFeature::Kind;

constexpr int64_t kFormProbe = 50;  // records that decide about the form of all

bool begins(std::string_view bytes, std::string_view head) { return bytes.substr(0, head.size()) == head; }

Kind kindOf(const tf::Feature& f) {
  switch (f.kind_case()) {
    case tf::Feature::kBytesList: return Kind::Bytes;
    case tf::Feature::kFloatList: return Kind::Float;
    case tf::Feature::kInt64List: return Kind::Int64;
    default: return Kind::Empty;
  }
}

int64_t sizeOf(const tf::Feature& f) {
  switch (f.kind_case()) {
    case tf::Feature::kBytesList: return f.bytes_list().value_size();
    case tf::Feature::kFloatList: return f.float_list().value_size();
    case tf::Feature::kInt64List: return f.int64_list().value_size();
    default: return 0;
  }
}

void addKind(Kind kind, FeatureSummary* s) {
  if (kind == Kind::Empty || std::find(s->kinds.begin(), s->kinds.end(), kind) != s->kinds.end()) return;
  if (s->kinds.empty()) s->kind = kind;
  s->kinds.push_back(kind);
  s->mixed = s->kinds.size() > 1;
}

void addValues(const tf::Feature& f, FeatureSummary* s) {
  for (const int64_t v : f.int64_list().value()) {
    s->leastInt = std::min(s->leastInt, v);
    s->mostInt = std::max(s->mostInt, v);
  }
  for (const std::string& bytes : f.bytes_list().value()) {
    const std::string content = bytesContent(bytes);
    const auto length = int64_t(bytes.size());
    const bool first = s->content.empty();
    s->content = first || s->content == content ? content : "mixed";
    s->leastBytes = first ? length : std::min(s->leastBytes, length);
    s->mostBytes = std::max(s->mostBytes, length);
  }
}

void addLength(int64_t length, bool stated, FeatureSummary* s) {
  const bool first = s->records++ == 0;
  const bool firstStated = s->records - 1 == s->empty;
  s->least = first ? length : std::min(s->least, length);
  s->most = first ? length : std::max(s->most, length);
  if (stated) s->leastStated = firstStated ? length : std::min(s->leastStated, length);
  else ++s->empty;
}

constexpr const char* kIndexWords[] = {"indices", "index", "idx", "ix"};
constexpr const char* kValueWords[] = {"values", "value", "vals", "val"};

/// The word that the name ends with; null: none of them.
const char* lastWord(const std::string& name, const char* const (&words)[4]) {
  for (const char* word : words) {
    const std::string_view w = word;
    if (name.size() >= w.size() && std::string_view(name).substr(name.size() - w.size()) == w) return word;
  }
  return nullptr;
}

DType dtypeOf(Kind kind) { return kind == Kind::Float ? DType::Float : kind == Kind::Int64 ? DType::Int64 : DType::String; }

Shape shapeOf(int64_t values) { return values == 1 ? Shape() : Shape({values}); }

FeatureSpec specOf(const FeatureSummary& s, const RecordSchema& schema) {
  FeatureSpec spec;
  spec.name = s.name;
  spec.dtype = dtypeOf(s.kind);
  spec.isSequence = s.isSequence;
  spec.kind = FeatureSpec::Kind::Variable;
  if (s.isSequence) {
    if (s.leastStep == s.mostStep && s.mostStep > 0) {
      spec.kind = FeatureSpec::Kind::FixedSequence;
      spec.shape = shapeOf(s.mostStep);
      spec.hasDefault = s.records < schema.records;
    }
    return spec;
  }
  // tf.parse_single_sequence_example refuses a feature without a kind for FixedLenFeature; tf.parse_single_example takes it for missing.
  const bool canBeMissing = schema.form == RecordForm::Example || s.empty == 0;
  if (!s.indexKey.empty()) {
    spec.kind = FeatureSpec::Kind::Sparse;
    spec.indexKey = s.indexKey;
  } else if (s.leastStated == s.most && s.most > 0 && canBeMissing) {
    spec.kind = FeatureSpec::Kind::Fixed;
    spec.shape = shapeOf(s.most);
    spec.hasDefault = s.records - s.empty < schema.records;
  }
  return spec;
}

}  // namespace

std::string bytesContent(std::string_view bytes) {
  if (begins(bytes, "\xff\xd8\xff")) return "JPEG";
  if (begins(bytes, "\x89PNG")) return "PNG";
  if (begins(bytes, "GIF8")) return "GIF";
  if (begins(bytes, "BM") && bytes.size() > 54) return "BMP";
  if (begins(bytes, "RIFF")) return "WAV";
  const bool text = std::all_of(bytes.begin(), bytes.begin() + ptrdiff_t(std::min<size_t>(bytes.size(), 256)),
                                [](char c) { return uint8_t(c) >= 32 || c == '\n' || c == '\t' || c == '\r'; });
  return text ? "text" : "raw";
}

void SchemaInference::add(const std::string& record) {
  const int64_t number = records_++;
  if (number < kFormProbe) {
    const RecordForm form = recordForm(record);
    examples_ = examples_ && form == RecordForm::Example;
    // An empty context without lists is not taken for a SequenceExample; an Example may parse as one by accident.
    sequences_ = sequences_ && form != RecordForm::Bytes;
  }
  if (!sequences_) return;
  tf::SequenceExample e;
  if (!parseWire(record, &e).ok()) {
    if (unparsed_++ == 0) firstUnparsed_ = number;
    return;
  }
  std::map<std::string, int64_t> sizes;  // of features that may belong to a sparse pair
  for (const auto& [name, f] : e.context().feature()) {
    FeatureSummary& s = context_[name];
    const Kind kind = kindOf(f);
    addKind(kind, &s);
    addLength(sizeOf(f), kind != Kind::Empty, &s);
    addValues(f, &s);
    if (lastWord(name, kIndexWords) || lastWord(name, kValueWords)) sizes[name] = sizeOf(f);
  }
  addPairs(sizes);
  if (e.feature_lists().feature_list_size() > 0 && withLists_++ == 0) firstWithLists_ = number;
  for (const auto& [name, list] : e.feature_lists().feature_list()) {
    FeatureSummary& s = lists_[name];
    s.isSequence = true;
    for (const auto& step : list.feature()) {
      addKind(kindOf(step), &s);
      const int64_t length = sizeOf(step);
      const bool first = s.steps++ == 0;
      s.leastStep = first ? length : std::min(s.leastStep, length);
      s.mostStep = first ? length : std::max(s.mostStep, length);
      addValues(step, &s);
    }
    addLength(list.feature_size(), true, &s);
  }
}

void SchemaInference::addPairs(const std::map<std::string, int64_t>& sizes) {
  std::map<std::string, std::pair<int64_t, int64_t>> lengths;  // of this record, by pair
  for (const auto& [name, size] : sizes) {
    const char* index = lastWord(name, kIndexWords);
    const char* word = index ? index : lastWord(name, kValueWords);
    const std::string stem = name.substr(0, name.size() - std::string_view(word).size());
    Pair& pair = pairs_[stem];
    std::string& mine = index ? pair.index : pair.values;
    if (!mine.empty() && mine != name) pair.broken = true;
    mine = name;
    (index ? lengths[stem].first : lengths[stem].second) = size;
  }
  for (const auto& [stem, both] : lengths)
    if (both.first != both.second) pairs_[stem].broken = true;
}

RecordSchema SchemaInference::schema() const {
  RecordSchema out;
  out.records = records_;
  out.form = records_ == 0 || !sequences_ ? RecordForm::Bytes : examples_ ? RecordForm::Example : RecordForm::SequenceExample;
  if (out.form == RecordForm::Bytes) return out;
  out.otherForm = unparsed_;
  out.firstOther = firstUnparsed_;
  if (out.form == RecordForm::Example && withLists_ > 0) {
    out.otherForm += withLists_;
    out.firstOther = unparsed_ ? std::min(firstUnparsed_, firstWithLists_) : firstWithLists_;
  }
  Summaries context = context_;
  for (const auto& [stem, pair] : pairs_) {
    if (pair.broken || pair.index.empty() || pair.values.empty() || out.form != RecordForm::Example) continue;
    const FeatureSummary& index = context[pair.index];
    FeatureSummary& values = context[pair.values];
    const bool single = values.least == 1 && values.most == 1;  // rather one number and its position in something else
    const bool positions = !index.mixed && index.kind == Kind::Int64 && index.leastInt >= 0 && index.mostInt < INT64_MAX;
    if (positions && !values.mixed && values.kind != Kind::Empty && !single) values.indexKey = pair.index;
  }
  for (const Summaries* all : {const_cast<const Summaries*>(&context), &lists_}) {
    if (all == &lists_ && out.form == RecordForm::Example) continue;
    for (const auto& [name, summary] : *all) {
      out.features.push_back(summary);
      out.features.back().name = name;
    }
  }
  return out;
}

std::vector<FeatureSpec> proposeSpecs(const RecordSchema& schema) {
  std::vector<FeatureSpec> out;
  std::map<std::string, int64_t> sizes;  // the dense size that each feature of positions needs
  for (const FeatureSummary& s : schema.features)
    if (!s.isSequence && s.kind == Kind::Int64) sizes[s.name] = s.mostInt + (s.mostInt < INT64_MAX ? 1 : 0);
  for (const FeatureSummary& s : schema.features) {
    out.push_back(specOf(s, schema));
    if (!s.indexKey.empty()) out.back().shape = Shape({sizes[s.indexKey]});
  }
  return out;
}

}  // namespace weft
