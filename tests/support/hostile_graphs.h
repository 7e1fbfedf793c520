// Graphs as no builder makes them: inputs of any shape, constants of any value, attributes that are missing, unknown or of another type. Drawn from the ops' own
// records, so a new op is in without a word here.
#pragma once

#include <cstring>
#include <limits>
#include <random>
#include <string>

#include "weft/graph.h"
#include "weft/op.h"

namespace weft::hostile {

using Random = std::mt19937_64;

inline int64_t draw(Random& r, int64_t most) { return int64_t(r() % uint64_t(most + 1)); }
template <typename T>
const T& pick(Random& r, const std::vector<T>& from) {
  return from[size_t(draw(r, int64_t(from.size()) - 1))];
}

inline int64_t number(Random& r) {
  static const std::vector<int64_t> kNumbers = {0,
                                                1,
                                                2,
                                                3,
                                                4,
                                                -1,
                                                -2,
                                                -3,
                                                7,
                                                100,
                                                255,
                                                4096,
                                                std::numeric_limits<int32_t>::min(),
                                                std::numeric_limits<int32_t>::max(),
                                                int64_t(1) << 40,
                                                int64_t(1) << 62,
                                                -(int64_t(1) << 62),
                                                std::numeric_limits<int64_t>::min(),
                                                std::numeric_limits<int64_t>::max()};
  return pick(r, kNumbers);
}

/// Of a constant: few elements, of any rank.
inline Shape smallShape(Random& r) {
  static const std::vector<Shape> kShapes = {{},
                                             {},
                                             {0},
                                             {1},
                                             {1},
                                             {2},
                                             {3},
                                             {4},
                                             {0, 0},
                                             {0, 2},
                                             {1, 1},
                                             {1, 2},
                                             {2, 2},
                                             {4, 2},
                                             {3, 0, 2},
                                             {1, 1, 1},
                                             {1, 2, 1, 1},
                                             {1, 1, 1, 1, 1},
                                             {1, 1, 1, 1, 1, 1, 1, 1, 1, 1},
                                             {300}};
  return pick(r, kShapes);
}

/// A placeholder's shape: partly unknown, or with a product that overflows every integer.
inline Shape anyShape(Random& r) {
  if (draw(r, 4) == 0) return Shape::unknown();
  if (draw(r, 1) == 0) return smallShape(r);
  static const std::vector<int64_t> kDims = {-1, -1, 0, 1, 2, 3, 5, int64_t(1) << 31, int64_t(1) << 40, int64_t(1) << 62, std::numeric_limits<int64_t>::max()};
  Shape s;
  for (int64_t rank = draw(r, 6); rank > 0; --rank) s.append(pick(r, kDims));
  return s;
}

inline Tensor constant(Random& r, DType type, const Shape& shape) {
  Tensor t = Tensor::zeros(type, shape);
  for (int64_t i = 0; i < t.elements(); ++i) {
    if (type == DType::Int32) t.mutableData<int32_t>()[i] = int32_t(number(r));
    else if (type == DType::Int64) t.mutableData<int64_t>()[i] = number(r);
    else if (type == DType::Float) t.mutableData<float>()[i] = float(number(r));
    else if (type == DType::Double) t.mutableData<double>()[i] = draw(r, 5) ? double(number(r)) : std::numeric_limits<double>::quiet_NaN();
    else if (type == DType::Bool) t.mutableData<bool>()[i] = draw(r, 1) != 0;
    else if (type == DType::String) t.mutableData<std::string>()[i] = std::string(size_t(draw(r, 3)), 'x');
  }
  return t;
}

/// A random attribute value of the given type.
inline Attr anyAttr(Random& r, std::string_view type) {
  static const std::vector<std::string> kTypes = {"int",  "float",     "bool",         "string",     "type",        "shape",      "tensor",
                                                  "func", "list(int)", "list(string)", "list(type)", "list(shape)", "list(float)"};
  const std::string_view kind = draw(r, 7) ? type : std::string_view(pick(r, kTypes));
  static const std::vector<std::string> kTexts = {"", "VALID", "SAME", "EXPLICIT", "NHWC", "NCHW", "x", "ij,jk->ik", "->", "...", "i,"};
  static const std::vector<DType> kTypesOfElements = {DType::Float,  DType::Int32,  DType::Int64,    DType::Bool,
                                                      DType::String, DType::Double, DType::Resource, DType::Variant};
  const auto count = size_t(draw(r, 5));
  if (kind == "int") return number(r);
  if (kind == "float") return float(number(r));
  if (kind == "bool") return draw(r, 1) != 0;
  if (kind == "string") return pick(r, kTexts);
  if (kind == "type") return pick(r, kTypesOfElements);
  if (kind == "shape") return anyShape(r);
  if (kind == "tensor") return constant(r, pick(r, kTypesOfElements) == DType::Float ? DType::Float : DType::Int32, smallShape(r));
  if (kind == "func") return FuncAttr{"nowhere", std::make_shared<const AttrMap>()};
  if (kind == "list(int)") {
    std::vector<int64_t> v(count);
    for (int64_t& x : v) x = number(r);
    return v;
  }
  if (kind == "list(float)") return std::vector<float>(count, float(number(r)));
  if (kind == "list(string)") return std::vector<std::string>(count, pick(r, kTexts));
  if (kind == "list(shape)") return std::vector<Shape>(count, anyShape(r));
  if (kind == "list(type)") return std::vector<DType>(count, pick(r, kTypesOfElements));
  if (kind == "list(func)") return std::vector<FuncAttr>(count, FuncAttr{"nowhere", std::make_shared<const AttrMap>()});
  return EmptyListAttr{};
}

/// Attributes: mostly ones that the record allows, so that the graph is let in; now and then others, none, or one that the op does not have.
inline AttrMap attributes(Random& r, const OpRecord& record) {
  AttrMap out;
  for (const AttrSpec& a : record.attrs) {
    if (a.defaultValue && draw(r, 2)) continue;
    if (draw(r, 60) == 0) continue;
    if (draw(r, 30) == 0) {
      out.set(a.name, anyAttr(r, a.type));
    } else if (a.type == "type" && !a.allowedTypes.empty()) {
      out.set(a.name, pick(r, a.allowedTypes));
    } else if (a.type == "type") {
      out.set(a.name, pick(r, std::vector<DType>{DType::Float, DType::Int32, DType::Int64}));
    } else if (a.type == "string" && !a.allowedStrings.empty()) {
      out.set(a.name, pick(r, a.allowedStrings));
    } else if (a.type == "int" && a.hasMinimum) {
      out.set(a.name, a.minimum + (draw(r, 9) ? draw(r, 3) : 40));
    } else if (a.type == "list(type)") {
      out.set(a.name, std::vector<DType>(size_t(std::max<int64_t>(a.minimum, draw(r, 3))), DType::Int32));
    } else {
      out.set(a.name, anyAttr(r, a.type));
    }
  }
  if (draw(r, 20) == 0) out.set("_output_shapes", std::vector<Shape>(size_t(draw(r, 3)), anyShape(r)));
  if (draw(r, 20) == 0) out.set("no_such_attribute", number(r));
  return out;
}

/// Adds a node that gives a tensor of that type.
inline Output source(Random& r, Graph& graph, DType type, const std::string& name) {
  Node n;
  n.name = name;
  const DType base = baseType(type);
  if (isRef(type)) {
    n.op = "VariableV2";
    n.attrs = {{"dtype", base}, {"shape", anyShape(r)}};
  } else if (base == DType::Resource) {
    n.op = "VarHandleOp";
    n.attrs = {{"dtype", DType::Float}, {"shape", anyShape(r)}};
  } else if (base != DType::Variant && (base == DType::String || sizeOf(base) > 0) && draw(r, 2)) {
    n.op = "Const";
    n.attrs = {{"dtype", draw(r, 80) ? base : DType::Int32}, {"value", constant(r, base, smallShape(r))}};
  } else {
    n.op = "Placeholder";
    n.attrs = {{"dtype", base}, {"shape", anyShape(r)}};
  }
  n.outputTypes = {type};
  return {*graph.add(std::move(n)), 0};
}

/// Adds a node of that op with random inputs: from `earlier` where types fit, otherwise new. Returns -1 if its attributes give no signature.
inline int addNode(Random& r, Graph& graph, const OpRecord& record, const std::string& name, bool chained) {
  Node n;
  n.name = name;
  n.op = record.name;
  n.attrs = attributes(r, record);
  AttrMap resolved = n.attrs;
  const auto signature = resolveSignature(record, resolved);
  std::vector<DType> inputs = signature.ok() ? signature->inputTypes : std::vector<DType>(record.inputs.size(), DType::Int32);
  if (signature.ok()) n.outputTypes = signature->outputTypes;
  if (inputs.size() > 64) inputs.resize(64);
  if (draw(r, 60) == 0 && !inputs.empty()) inputs.pop_back();
  for (size_t i = 0; i < inputs.size(); ++i) {
    Output from;
    for (int id = graph.size() - 1; chained && id >= 0 && !from.valid() && draw(r, 3); --id) {
      const Node* other = graph.node(id);
      for (size_t k = 0; other && k < other->outputTypes.size(); ++k)
        if (baseType(other->outputTypes[k]) == baseType(inputs[i])) from = {id, int(k)};
    }
    n.inputs.push_back(from.valid() ? from : source(r, graph, inputs[i], name + "_in" + std::to_string(i)));
  }
  const auto id = graph.add(std::move(n));
  return id.ok() ? *id : -1;
}

/// One node of each of `records` in a row, as a file; the later read the earlier where types fit.
inline std::string file(Random& r, const std::vector<const OpRecord*>& records, GraphFormat format = GraphFormat::GraphBinary) {
  MetaGraph meta;
  int number = 0;
  for (const OpRecord* record : records) addNode(r, meta.graph, *record, "n" + std::to_string(number++), records.size() > 1);
  auto bytes = serializeGraph(meta, format);
  if (!bytes.ok()) return {};
  // A cycle or a duplicate name: no Graph can contain these, so they are written into the bytes.
  if (draw(r, 40) == 0) {
    if (const size_t at = bytes->rfind("_in"); at != std::string::npos) bytes->erase(at, 4);
  }
  return std::move(*bytes);
}

}  // namespace weft::hostile
