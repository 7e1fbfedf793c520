#include "weft/examples.h"

#include <algorithm>

#include "proto/bundle.pb.h"
#include "proto/text.h"

namespace weft {
namespace {

namespace tf = ::tensorflow;

bool hasUnknown(const google::protobuf::Message& m) { return !m.GetReflection()->GetUnknownFields(m).empty(); }

bool isPlain(const tf::Feature& f) {
  if (hasUnknown(f)) return false;
  switch (f.kind_case()) {
    case tf::Feature::kBytesList: return !hasUnknown(f.bytes_list());
    case tf::Feature::kFloatList: return !hasUnknown(f.float_list());
    case tf::Feature::kInt64List: return !hasUnknown(f.int64_list());
    default: return true;
  }
}

bool isPlain(const tf::Features& features) {
  if (hasUnknown(features)) return false;
  for (const auto& [name, f] : features.feature())
    if (!isPlain(f)) return false;
  return true;
}

void append(const tf::Feature& f, ExampleFeature* out) {
  switch (f.kind_case()) {
    case tf::Feature::kBytesList:
      out->kind = ExampleFeature::Kind::Bytes;
      out->bytes.insert(out->bytes.end(), f.bytes_list().value().begin(), f.bytes_list().value().end());
      break;
    case tf::Feature::kFloatList:
      out->kind = ExampleFeature::Kind::Float;
      out->floats.insert(out->floats.end(), f.float_list().value().begin(), f.float_list().value().end());
      break;
    case tf::Feature::kInt64List:
      out->kind = ExampleFeature::Kind::Int64;
      out->ints.insert(out->ints.end(), f.int64_list().value().begin(), f.int64_list().value().end());
      break;
    default: break;
  }
}

void readFeatures(const tf::Features& features, std::vector<ExampleFeature>* out) {
  for (const auto& [name, f] : features.feature()) {
    ExampleFeature feature;
    feature.name = name;
    append(f, &feature);
    out->push_back(std::move(feature));
  }
}

bool begins(std::string_view bytes, std::string_view head) { return bytes.substr(0, head.size()) == head; }

/// What the beginning of a byte string looks like.
std::string contentOf(std::string_view bytes) {
  if (begins(bytes, "\xff\xd8\xff")) return "JPEG";
  if (begins(bytes, "\x89PNG")) return "PNG";
  if (begins(bytes, "GIF8")) return "GIF";
  if (begins(bytes, "BM") && bytes.size() > 54) return "BMP";
  if (begins(bytes, "RIFF")) return "WAV";
  const bool text = std::all_of(bytes.begin(), bytes.begin() + ptrdiff_t(std::min<size_t>(bytes.size(), 256)),
                                [](char c) { return uint8_t(c) >= 32 || c == '\n' || c == '\t' || c == '\r'; });
  return text ? "text" : "raw";
}

std::string pythonType(DType t) { return t == DType::String ? "tf.string" : "tf." + dtypeName(t); }

std::string pythonShape(const Shape& shape) {
  std::string out = "[";
  for (int i = 0; i < shape.rank(); ++i) out += (i ? ", " : "") + std::to_string(shape.dim(i));
  return out + "]";
}

DType dtypeOf(ExampleFeature::Kind kind) {
  return kind == ExampleFeature::Kind::Float ? DType::Float : kind == ExampleFeature::Kind::Int64 ? DType::Int64 : DType::String;
}

/// Suggests how to decode that many raw bytes, by common image sizes; for a comment in the example.
std::string rawHint(int64_t bytes) {
  for (const auto& [side, channels] : {std::pair<int64_t, int64_t>{28, 1}, {32, 3}, {64, 3}, {96, 3}, {128, 3}, {224, 3}, {256, 3}, {299, 3}}) {
    for (const auto& [width, name] : {std::pair<int64_t, const char*>{1, "tf.uint8"}, {4, "tf.float32"}})
      if (side * side * channels * width == bytes)
        return concat("tf.decode_raw(…, ", name, ") gives ", side * side * channels, " values: ", side, "x", side, "x", channels, "?");
  }
  return "tf.decode_raw with the dtype that wrote it: the record does not say which";
}

}  // namespace

RecordForm recordForm(const std::string& record) {
  tf::Example e;
  if (parseWire(record, &e).ok() && !hasUnknown(e) && e.features().feature_size() > 0 && isPlain(e.features())) return RecordForm::Example;
  tf::SequenceExample s;
  if (!parseWire(record, &s).ok() || hasUnknown(s) || hasUnknown(s.feature_lists()) || !isPlain(s.context())) return RecordForm::Bytes;
  for (const auto& [name, list] : s.feature_lists().feature_list()) {
    if (hasUnknown(list)) return RecordForm::Bytes;
    for (const auto& f : list.feature())
      if (!isPlain(f)) return RecordForm::Bytes;
  }
  return s.context().feature_size() + s.feature_lists().feature_list_size() > 0 ? RecordForm::SequenceExample : RecordForm::Bytes;
}

Result<std::vector<ExampleFeature>> parseExample(const std::string& record, RecordForm form) {
  std::vector<ExampleFeature> out;
  if (form == RecordForm::SequenceExample) {
    tf::SequenceExample e;
    if (!parseWire(record, &e).ok()) return invalidArgument("Could not parse example input, value: a record of ", record.size(), " bytes");
    readFeatures(e.context(), &out);
    for (const auto& [name, list] : e.feature_lists().feature_list()) {
      ExampleFeature feature;
      feature.name = name;
      feature.isSequence = true;
      for (const auto& step : list.feature()) {
        const int64_t before = feature.size();
        append(step, &feature);
        feature.steps.push_back(feature.size() - before);
      }
      out.push_back(std::move(feature));
    }
  } else {
    tf::Example e;
    if (!parseWire(record, &e).ok()) return invalidArgument("Could not parse example input, value: a record of ", record.size(), " bytes");
    readFeatures(e.features(), &out);
  }
  std::sort(out.begin(), out.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  return out;
}

void addToSummary(const std::vector<ExampleFeature>& features, std::vector<FeatureSummary>* summaries) {
  for (const ExampleFeature& f : features) {
    auto at = std::lower_bound(summaries->begin(), summaries->end(), f.name, [](const FeatureSummary& s, const std::string& name) { return s.name < name; });
    if (at == summaries->end() || at->name != f.name) {
      at = summaries->insert(at, FeatureSummary{});
      at->name = f.name;
      at->kind = f.kind;
      at->isSequence = f.isSequence;
    }
    const bool first = at->records++ == 0;
    if (at->kind == ExampleFeature::Kind::Empty) at->kind = f.kind;
    at->mixed = at->mixed || (f.kind != ExampleFeature::Kind::Empty && f.kind != at->kind);
    const int64_t size = f.isSequence ? int64_t(f.steps.size()) : f.size();
    at->least = first ? size : std::min(at->least, size);
    at->most = first ? size : std::max(at->most, size);
    for (size_t i = 0; i < f.steps.size(); ++i) {
      at->leastStep = first && i == 0 ? f.steps[i] : std::min(at->leastStep, f.steps[i]);
      at->mostStep = first && i == 0 ? f.steps[i] : std::max(at->mostStep, f.steps[i]);
    }
    for (const std::string& bytes : f.bytes) {
      const std::string content = contentOf(bytes);
      const auto length = int64_t(bytes.size());
      const bool none = at->content.empty() && at->mostBytes == 0;
      at->content = none || at->content == content ? content : "mixed";
      at->leastBytes = none ? length : std::min(at->leastBytes, length);
      at->mostBytes = std::max(at->mostBytes, length);
    }
  }
}

FeatureSpec proposeSpec(const FeatureSummary& s, int64_t records) {
  FeatureSpec spec;
  spec.name = s.name;
  spec.dtype = dtypeOf(s.kind);
  const auto shapeOf = [](int64_t n) { return n == 1 ? Shape() : Shape({n}); };
  if (s.isSequence) {
    spec.kind = s.leastStep == s.mostStep && s.mostStep > 0 ? FeatureSpec::Kind::FixedSequence : FeatureSpec::Kind::Variable;
    if (spec.kind == FeatureSpec::Kind::FixedSequence) spec.shape = shapeOf(s.mostStep);
    return spec;
  }
  if (s.least == s.most && s.most > 0) {
    spec.kind = FeatureSpec::Kind::Fixed;
    spec.shape = shapeOf(s.most);
    spec.hasDefault = s.records < records;
  } else {
    spec.kind = FeatureSpec::Kind::Variable;
  }
  return spec;
}

std::string specText(const FeatureSpec& spec) {
  switch (spec.kind) {
    case FeatureSpec::Kind::Variable: return "tf.VarLenFeature(" + pythonType(spec.dtype) + ")";
    case FeatureSpec::Kind::FixedSequence: return "tf.FixedLenSequenceFeature(" + pythonShape(spec.shape) + ", " + pythonType(spec.dtype) + ")";
    case FeatureSpec::Kind::Fixed: break;
  }
  std::string out = "tf.FixedLenFeature(" + pythonShape(spec.shape) + ", " + pythonType(spec.dtype);
  if (spec.hasDefault) {
    const std::string zero = spec.dtype == DType::String ? "''" : spec.dtype == DType::Float ? "0.0" : "0";
    // A default has the shape of the feature.
    const int64_t n = spec.shape.elements();
    out += ", default_value=" + (spec.shape.rank() == 0 ? zero : "[" + zero + "] * " + std::to_string(n));
  }
  return out + ")";
}

std::string specProgram(const std::vector<FeatureSpec>& specs, const std::vector<FeatureSummary>& summaries, RecordForm form) {
  const auto summaryOf = [&](const std::string& name) {
    return std::find_if(summaries.begin(), summaries.end(), [&](const FeatureSummary& s) { return s.name == name; });
  };
  const auto dictionary = [&](bool sequences) {
    std::string out = "{\n";
    for (const FeatureSpec& spec : specs) {
      const auto s = summaryOf(spec.name);
      if (s != summaries.end() && form == RecordForm::SequenceExample && s->isSequence != sequences) continue;
      out += "    '" + spec.name + "': " + specText(spec) + ",";
      if (s != summaries.end() && s->mixed) out += "  # records disagree about its type";
      else if (s != summaries.end() && s->content == "raw" && s->leastBytes == s->mostBytes) out += "  # " + rawHint(s->mostBytes);
      else if (s != summaries.end() && (s->content == "JPEG" || s->content == "PNG" || s->content == "GIF" || s->content == "BMP"))
        out += "  # " + s->content + ": tf.image.decode_" + (s->content == "JPEG" ? "jpeg" : s->content == "PNG" ? "png" : s->content == "GIF" ? "gif" : "bmp");
      out += "\n";
    }
    return out + "}\n";
  };
  if (form == RecordForm::SequenceExample) {
    return "context_features = " + dictionary(false) + "sequence_features = " + dictionary(true) +
           "\ndef parse(record):\n    return tf.parse_single_sequence_example(record, context_features, sequence_features)\n";
  }
  return "features = " + dictionary(false) + "\ndef parse(record):\n    return tf.parse_single_example(record, features)\n";
}

Result<Tensor> applySpec(const FeatureSpec& spec, const ExampleFeature* feature) {
  const bool none = !feature || feature->kind == ExampleFeature::Kind::Empty;
  if (none) {
    if (spec.kind == FeatureSpec::Kind::Variable) return Tensor::zeros(spec.dtype, {0});
    if (spec.kind == FeatureSpec::Kind::FixedSequence) {
      Shape shape{0};
      shape.append(spec.shape);
      return Tensor::zeros(spec.dtype, shape);
    }
    if (spec.hasDefault) return Tensor::zeros(spec.dtype, spec.shape);
    return invalidArgument("Feature: ", spec.name, " (data type: ", dtypeName(spec.dtype), ") is required but could not be found.");
  }
  if (dtypeOf(feature->kind) != spec.dtype) {
    return invalidArgument("Key: ", spec.name, ".  Data types don't match. Expected type: ", dtypeName(spec.dtype), " but the record has ",
                           dtypeName(dtypeOf(feature->kind)));
  }
  Shape shape{feature->size()};
  if (spec.kind == FeatureSpec::Kind::Fixed) {
    shape = spec.shape;
    if (shape.elements() != feature->size())
      return invalidArgument("Key: ", spec.name, ".  Number of ", dtypeName(spec.dtype), " values != expected.  values size: ", feature->size(),
                             " but output shape: ", shape.toString());
  } else if (spec.kind == FeatureSpec::Kind::FixedSequence) {
    const int64_t each = spec.shape.elements();
    if (each < 1 || feature->size() % each != 0)
      return invalidArgument("Key: ", spec.name, ".  Number of ", dtypeName(spec.dtype), " values is ", feature->size(), ", expected a multiple of ", each);
    shape = Shape{feature->size() / each};
    shape.append(spec.shape);
  }
  switch (spec.dtype) {
    case DType::Float: return Tensor::of(feature->floats, shape);
    case DType::Int64: return Tensor::of(feature->ints, shape);
    default: return Tensor::of(feature->bytes, shape);
  }
}

}  // namespace weft
