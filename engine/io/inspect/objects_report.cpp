#include <algorithm>

#include "io/inspect/report.h"
#include "io/object_paths.h"
#include "proto/convert.h"
#include "proto/meta_graph.pb.h"
#include "weft/object_graph.h"

// The objects behind the tensors and functions of TensorFlow 2: those of a checkpoint's object graph, and those of a SavedModel, which also have classes,
// functions with their signatures, and files.
namespace weft::inspect {
namespace {

namespace tf = ::tensorflow;

constexpr size_t kLongestSignature = 2000;  // characters; a function of a hundred arguments fits

std::string shownPath(const std::string& path, size_t index) { return index == 0 ? "(root)" : path.empty() ? concat("(object ", index, ")") : path; }

/// "float32[?,3]"
std::string specText(int dtype, const tf::TensorShapeProto& proto) {
  const auto shape = shapeFromProto(proto);
  return dtypeText(dtype) + (shape.ok() ? shape->toString() : "[invalid]");
}

/// A Python value in Python's notation: arguments and results of functions. Cut at kLongestSignature.
class ValueWriter {
 public:
  std::string text;

  void write(const tf::StructuredValue& v) {
    if (text.size() > kLongestSignature) return;
    switch (v.kind_case()) {
      case tf::StructuredValue::kNoneValue: text += "None"; break;
      case tf::StructuredValue::kFloat64Value: text += concat(v.float64_value()); break;
      case tf::StructuredValue::kInt64Value: text += concat(v.int64_value()); break;
      case tf::StructuredValue::kStringValue: text += "'" + v.string_value() + "'"; break;
      case tf::StructuredValue::kBoolValue: text += v.bool_value() ? "True" : "False"; break;
      case tf::StructuredValue::kTensorDtypeValue: text += dtypeText(v.tensor_dtype_value()); break;
      case tf::StructuredValue::kTensorSpecValue: spec(v.tensor_spec_value()); break;
      case tf::StructuredValue::kBoundedTensorSpecValue: spec(v.bounded_tensor_spec_value()); break;
      case tf::StructuredValue::kTypeSpecValue: text += v.type_spec_value().type_spec_class_name(); break;
      case tf::StructuredValue::kListValue: list("[", v.list_value().values(), "]"); break;
      case tf::StructuredValue::kTupleValue: list("(", v.tuple_value().values(), ")"); break;
      case tf::StructuredValue::kDictValue: dict(v.dict_value()); break;
      case tf::StructuredValue::kNamedTupleValue: {
        text += v.named_tuple_value().name() + "(";
        const char* gap = "";
        for (const auto& pair : v.named_tuple_value().values()) {
          text += gap + pair.key() + "=";
          write(pair.value());
          gap = ", ";
        }
        text += ")";
        break;
      }
      default: text += "…";
    }
  }

 private:
  void spec(const auto& s) { text += (s.name().empty() ? "" : s.name() + ": ") + specText(s.dtype(), s.shape()); }
  void list(const char* begin, const auto& values, const char* end) {
    text += begin;
    const char* gap = "";
    for (const auto& v : values) {
      if (text.size() > kLongestSignature) break;
      text += gap;
      write(v);
      gap = ", ";
    }
    text += end;
  }
  void dict(const tf::DictValue& dict) {
    text += "{";
    const char* gap = "";
    for (const auto& [key, value] : std::map<std::string, tf::StructuredValue>(dict.fields().begin(), dict.fields().end())) {
      text += gap;
      if (value.tensor_spec_value().name() != key || key.empty()) text += key + "=";
      write(value);
      gap = ", ";
    }
    text += "}";
  }
};

std::string valueText(const tf::StructuredValue& v) {
  ValueWriter out;
  out.write(v);
  if (out.text.size() <= kLongestSignature) return out.text;
  // Not within a character of several bytes.
  size_t end = kLongestSignature;
  while (end > 0 && (static_cast<unsigned char>(out.text[end]) & 0xC0) == 0x80) --end;
  return out.text.substr(0, end) + "…";
}

/// Keras describes its layers as JSON beside the object.
void addLayer(const std::string& metadata, Json& out) {
  const Json layer = Json::parse(metadata, nullptr, false);
  if (!layer.is_object()) return;
  for (const char* key : {"class_name", "name"})
    if (layer.contains(key) && layer[key].is_string()) out[key == std::string_view("name") ? "layer" : "layer_class"] = layer[key];
}

Json objectJson(const tf::SavedObject& object, const std::string& name, const tf::MetaGraphDef& meta, Report& r) {
  Json out{{"name", name}};
  switch (object.kind_case()) {
    case tf::SavedObject::kUserObject:
      out["type"] = "object";
      out["class"] = object.user_object().identifier();
      addLayer(object.user_object().metadata(), out);
      break;
    case tf::SavedObject::kVariable:
      out["type"] = "variable";
      out["dtype"] = dtypeText(object.variable().dtype());
      if (const auto shape = shapeFromProto(object.variable().shape()); shape.ok()) out["shape"] = shapeJson(*shape);
      out["trainable"] = object.variable().trainable();
      out["full_name"] = object.variable().name();
      break;
    case tf::SavedObject::kFunction:
      out["type"] = "function";
      out["functions"] = std::vector<std::string>(object.function().concrete_functions().begin(), object.function().concrete_functions().end());
      break;
    case tf::SavedObject::kBareConcreteFunction:
      out["type"] = "concrete_function";
      out["functions"] = std::vector<std::string>{object.bare_concrete_function().concrete_function_name()};
      break;
    case tf::SavedObject::kAsset: {
      out["type"] = "asset";
      const int index = object.asset().asset_file_def_index();
      if (index >= 0 && index < meta.asset_file_def_size()) out["file"] = meta.asset_file_def(index).filename();
      else r.problem("malformed", concat("object ", name, " is asset ", index, ", but the model has ", meta.asset_file_def_size()));
      break;
    }
    case tf::SavedObject::kConstant:
      out["type"] = "constant";
      out["node"] = object.constant().operation();
      break;
    case tf::SavedObject::kResource:
      out["type"] = "resource";
      if (!object.resource().device().empty()) out["device"] = object.resource().device();
      break;
    case tf::SavedObject::kCapturedTensor:
      out["type"] = "captured_tensor";
      out["node"] = object.captured_tensor().name();
      break;
    default: out["type"] = "unknown";
  }
  if (!object.registered_name().empty()) out["registered_name"] = object.registered_name();
  return out;
}

}  // namespace

void addSavedObjects(Report& r, const tf::MetaGraphDef& meta, Json& out) {
  const tf::SavedObjectGraph& graph = meta.object_graph_def();
  if (graph.nodes_size() == 0) return;
  std::vector<NamedChildren> children(size_t(graph.nodes_size()));
  for (size_t i = 0; i < children.size(); ++i)
    for (const auto& child : graph.nodes(int(i)).children()) children[i].emplace_back(child.local_name(), child.node_id());
  const auto paths = objectPaths(children);
  if (!paths.ok()) return r.problem(paths.error().kind, "objects of the SavedModel: " + paths.error().message);
  Json objects = Json::array();
  for (size_t i = 0; i < paths->size(); ++i) objects.push_back(objectJson(graph.nodes(int(i)), shownPath((*paths)[i], i), meta, r));
  out["objects"] = std::move(objects);
  Json functions = Json::array();
  for (const auto& [name, function] : std::map<std::string, tf::SavedConcreteFunction>(graph.concrete_functions().begin(), graph.concrete_functions().end())) {
    Json bound = Json::array();
    for (const int object : function.bound_inputs()) {
      const bool known = object >= 0 && size_t(object) < paths->size();
      if (!known) r.problem("malformed", concat("function ", name, " uses object ", object, ", but there are ", paths->size()));
      bound.push_back(known ? Json(shownPath((*paths)[size_t(object)], size_t(object))) : Json(nullptr));
    }
    functions.push_back({{"name", name},
                         {"arguments", valueText(function.canonicalized_input_signature())},
                         {"result", valueText(function.output_signature())},
                         {"uses", std::move(bound)}});
  }
  out["functions"] = std::move(functions);
}

void addCheckpointObjects(Report& r, const CheckpointReader& reader, Json& out) {
  if (!reader.find(kObjectGraphKey)) return;
  const auto objects = readObjectGraph(reader);
  if (!objects.ok()) {
    if (objects.error().kind != "missing_file") r.problem(objects.error().kind.empty() ? "malformed" : objects.error().kind, objects.error().message);
    return;
  }
  out["object_count"] = objects->size();
  Json all = Json::array();
  const auto path = [&](int i) { return shownPath((*objects)[size_t(i)].path, size_t(i)); };
  for (size_t i = 0; i < objects->size(); ++i) {
    const CheckpointObject& object = (*objects)[i];
    if (object.values.empty() && object.slotVariables.empty()) continue;
    Json one{{"name", path(int(i))}};
    Json values = Json::array(), slots = Json::array();
    for (const auto& value : object.values) values.push_back({{"name", value.name}, {"full_name", value.fullName}, {"key", value.key}});
    for (const auto& slot : object.slotVariables) slots.push_back({{"name", slot.name}, {"variable", path(slot.variable)}, {"object", path(slot.object)}});
    if (!object.values.empty()) one["full_name"] = object.values[0].fullName;
    one["values"] = std::move(values);
    if (!object.slotVariables.empty()) one["slots"] = std::move(slots);
    all.push_back(std::move(one));
  }
  out["objects"] = std::move(all);
}

}  // namespace weft::inspect
