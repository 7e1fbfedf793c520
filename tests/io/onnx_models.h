#pragma once

#include <QString>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "weft/arrays.h"
#include "weft/onnx.h"
#include "weft/saved_model.h"
#include "weft/session.h"

// For tests of ONNX: files, comparisons, and models written byte by byte.
namespace onnx_models {

using namespace weft;

inline const std::string kFolder = WEFT_SOURCE_DIR "/tests/golden/files/onnx/";

inline std::string bytesOf(const std::string& path) {
  auto bytes = posixFileSystem().readAll(path);
  if (!bytes.ok()) qFatal("%s", bytes.error().toString().c_str());
  return std::move(*bytes);
}

inline std::map<std::string, Tensor> arraysOf(const std::string& path) {
  auto arrays = loadNpz(path);
  if (!arrays.ok()) qFatal("%s", arrays.error().toString().c_str());
  return {arrays->begin(), arrays->end()};
}

inline std::string tensorOf(const std::vector<std::pair<std::string, std::string>>& named, const std::string& name) {
  for (const auto& [key, tensor] : named)
    if (key == name) return tensor;
  return "no tensor of that name";
}

inline bool isNear(double got, double want) {
  if (got == want || (std::isnan(got) && std::isnan(want))) return true;
  return std::isfinite(got) && std::isfinite(want) && std::abs(got - want) <= 1e-5 * std::max(1.0, std::abs(want));
}

/// Feeds the arrays "in/…" of a model to the graph and compares its outputs with "out/…"; the text says what differs.
inline QString compare(const std::string& metaGraph, const std::map<std::string, Tensor>& arrays) {
  const auto signatures = signaturesOf(metaGraph);
  const auto loaded = loadGraphBytes(std::make_shared<const std::string>(metaGraph), "model");
  if (!loaded.ok()) return QString::fromStdString(loaded.error().toString());
  const auto session = Session::create(loaded->meta.graph);
  std::vector<std::pair<std::string, Tensor>> feeds;
  std::vector<std::string> fetches, names;
  for (const auto& [name, value] : arrays) {
    if (name.starts_with("in/")) feeds.emplace_back(tensorOf(signatures->at(0).inputs, name.substr(3)), value);
    if (name.starts_with("out/")) {
      names.push_back(name);
      fetches.push_back(tensorOf(signatures->at(0).outputs, name.substr(4)));
    }
  }
  const auto got = (*session)->run(feeds, fetches, {});
  if (!got.ok()) return QString::fromStdString(got.error().toString());
  for (size_t i = 0; i < names.size(); ++i) {
    const Tensor &value = (*got)[i], &want = arrays.at(names[i]);
    if (value.dtype() != want.dtype() || !(value.shape() == want.shape()))
      return QString::fromStdString(names[i] + ": " + value.toString(0) + " instead of " + want.toString(0));
    for (int64_t k = 0; k < want.elements(); ++k)
      if (!isNear(value.asDouble(k), want.asDouble(k)))
        return QStringLiteral("%1[%2]: %3 instead of %4").arg(QString::fromStdString(names[i])).arg(k).arg(value.asDouble(k)).arg(want.asDouble(k));
  }
  return {};
}

inline std::string varint(uint64_t value) {
  std::string out;
  for (;; value >>= 7) {
    out += char((value & 0x7f) | (value > 0x7f ? 0x80 : 0));
    if (value <= 0x7f) return out;
  }
}

/// The wire form of a field that holds bytes, or a whole number.
inline std::string field(int number, const std::string& content) { return varint(uint64_t(number) << 3 | 2) + varint(content.size()) + content; }
inline std::string number(int field, int64_t value) { return varint(uint64_t(field) << 3) + varint(uint64_t(value)); }

/// An attribute of a node: a whole number, or several.
inline std::string attribute(const std::string& name, int64_t value) { return field(5, field(1, name) + number(3, value) + number(20, 2)); }
inline std::string attribute(const std::string& name, const std::vector<int64_t>& values) {
  std::string content = field(1, name) + number(20, 7);
  for (const int64_t v : values) content += number(8, v);
  return field(5, content);
}

/// An attribute that holds a graph: nodes without inputs of their own, and the name of its output.
inline std::string branch(const std::string& name, const std::string& nodes, const std::string& output) {
  return field(5, field(1, name) + field(6, nodes + field(2, name) + field(12, field(1, output))) + number(20, 5));
}

/// A type, as in the description of an input: of floats, of known sizes. -1: not known.
inline std::string floats(const std::vector<int64_t>& sizes) {
  std::string shape;
  for (const int64_t size : sizes) shape += field(1, size < 0 ? std::string() : number(1, size));
  return field(2, field(1, number(1, 1) + field(2, shape)));
}

/// A constant of whole numbers; `type` is ONNX's.
inline std::string initializer(const std::string& name, int type, const std::vector<int64_t>& values) {
  std::string content = number(1, int64_t(values.size())) + number(2, type) + field(8, name);
  for (const int64_t v : values) content += number(type == 7 ? 7 : type == 13 ? 11 : 5, v);
  return field(5, content);
}

struct ModelParts {
  std::vector<int64_t> shape{2};  ///< Of the input x.
  std::string more;               ///< Further fields of the graph.
  int opset = 17;
  std::string rest;  ///< Further fields of the model.
};

/// x -> op -> y, of floats.
inline std::string modelOf(const std::string& node, const ModelParts& parts) {
  return number(1, 8) +
         field(7, field(1, node) + field(2, "g") + parts.more + field(11, field(1, "x") + floats(parts.shape)) + field(12, field(1, "y") + floats({2}))) +
         field(8, field(1, "") + number(2, parts.opset)) + parts.rest;
}
inline std::string modelOf(const std::string& node, const std::string& more = {}) { return modelOf(node, ModelParts{{2}, more, 17, {}}); }

inline std::string nodeOf(const std::string& op, const std::string& second = {}, const std::string& attributes = {}) {
  return field(1, "x") + (second.empty() ? "" : field(1, second)) + field(2, "y") + field(3, "the node") + field(4, op) + attributes;
}

inline std::string externalTensor(const std::string& location, const std::string& length) {
  return field(5, number(1, 2) + number(2, 1) + field(8, "w") + field(13, field(1, "location") + field(2, location)) +
                      field(13, field(1, "length") + field(2, length)) + number(14, 1));
}

}  // namespace onnx_models
