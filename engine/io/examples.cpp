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

DType dtypeOf(ExampleFeature::Kind kind) {
  return kind == ExampleFeature::Kind::Float ? DType::Float : kind == ExampleFeature::Kind::Int64 ? DType::Int64 : DType::String;
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

Result<Tensor> applySpec(const FeatureSpec& spec, const ExampleFeature* feature) {
  const bool none = !feature || feature->kind == ExampleFeature::Kind::Empty;
  if (none) {
    if (spec.kind == FeatureSpec::Kind::Variable || spec.kind == FeatureSpec::Kind::Sparse) return Tensor::zeros(spec.dtype, {0});
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
