#pragma once

// Small graphs in text form for the tests of graph transforms, and what they compute.
#include <QString>
#include <QStringList>
#include <cmath>
#include <string>
#include <vector>

#include "weft/defects.h"
#include "weft/graph_transforms.h"
#include "weft/inspect.h"
#include "weft/session.h"

namespace weft::transform_graphs {

inline std::vector<std::string> namesIn(const QString& text) {
  std::vector<std::string> out;
  for (const QString& name : text.split(',', Qt::SkipEmptyParts)) out.push_back(name.toStdString());
  return out;
}

/// A node in text form; `inputs` separated by commas, `attrs` such as "T type: DT_FLOAT; axis i: 1".
inline QString node(const QString& name, const QString& op, const QString& inputs = "", const QString& attrs = "T type: DT_FLOAT") {
  QString out = QString("node { name: '%1' op: '%2'").arg(name, op);
  for (const QString& input : inputs.split(',', Qt::SkipEmptyParts)) out += QString(" input: '%1'").arg(input);
  for (const QString& attr : attrs.split("; ", Qt::SkipEmptyParts))
    out += QString(" attr { key: '%1' value { %2 } }").arg(attr.section(' ', 0, 0), attr.section(' ', 1));
  return out + " }\n";
}

inline QString shapeText(const QString& shape) {
  QString dims;
  for (const QString& dim : shape.split(',', Qt::SkipEmptyParts)) dims += " dim { size: " + dim + " }";
  return dims;
}

inline QString placeholder(const QString& name, const QString& shape, const QString& type = "DT_FLOAT") {
  return node(name, "Placeholder", "", QString("dtype type: %1; shape shape {%2 }").arg(type, shapeText(shape)));
}

inline QString constant(const QString& name, const QString& shape, const QString& values, const QString& type = "DT_FLOAT") {
  const QString field = type == "DT_FLOAT" ? " float_val: " : type == "DT_DOUBLE" ? " double_val: " : type == "DT_HALF" ? " half_val: " : " int_val: ";
  QString numbers;
  for (const QString& value : values.split(',')) numbers += field + value;
  return node(name, "Const", "", QString("dtype type: %1; value tensor { dtype: %1 tensor_shape {%2 }%3 }").arg(type, shapeText(shape), numbers));
}

inline const QString kConvAttrs = "T type: DT_FLOAT; strides list { i: [1, 1, 1, 1] }; padding s: 'SAME'";

inline QString conv(const QString& name, const QString& inputs, const QString& more = "") { return node(name, "Conv2D", inputs, kConvAttrs + more); }

/// x, weights w for two channels, and the parameters of a batch norm.
inline const QString kParts = placeholder("x", "1,2,2,1") + constant("w", "1,1,1,2", "2,-3") + constant("gamma", "2", "1.5,0.5") +
                              constant("beta", "2", "1,2") + constant("mean", "2", "0.5,0.25") + constant("variance", "2", "4,9");
inline const QString kNormAttrs = "T type: DT_FLOAT; epsilon f: 0.001; is_training b: false";

inline QString norm(const QString& name, const QString& value) { return node(name, "FusedBatchNorm", value + ",gamma,beta,mean,variance", kNormAttrs); }

/// A convolution, a batch norm and its reader.
inline const QString kNorm = kParts + conv("c", "x,w") + norm("n", "c") + node("out", "Relu", "n");

inline Result<std::vector<Tensor>> valuesOf(const std::string& graph, const std::vector<std::string>& inputs, const std::vector<std::string>& outputs) {
  WEFT_LET(const LoadedGraph loaded, openGraphBytes(std::make_shared<const std::string>(graph), "graph.pb"));
  WEFT_LET(const auto session, Session::create(loaded.meta.graph));
  if (loaded.meta.graph.find("group_deps")) WEFT_TRY(session->run({}, {}, {"group_deps"}).status());
  std::vector<std::pair<std::string, Tensor>> feeds;
  for (const std::string& input : inputs) {
    const Node* source = loaded.meta.graph.find(input);
    if (!source) return notFound("no input ", input);
    const Shape shape = loaded.meta.graph.shape({source->id, 0});
    if (source->outputTypes[0] == DType::Int64) {
      feeds.emplace_back(input + ":0", Tensor::vector(std::vector<int64_t>{3, 0, 1}));
      continue;
    }
    WEFT_LET(Tensor value, Tensor::allocate(DType::Float, shape));
    for (int64_t i = 0; i < value.elements(); ++i) value.mutableData<float>()[i] = float(i) * 0.75F - 1.0F;
    feeds.emplace_back(input + ":0", value);
  }
  std::vector<std::string> fetches;
  for (const std::string& output : outputs) fetches.push_back(output + ":0");
  return session->run(feeds, fetches);
}

/// What differs between the outputs of two graphs; nothing if they are equal to five digits.
inline QString differenceOf(const std::string& before, const std::string& after, const std::vector<std::string>& inputs,
                            const std::vector<std::string>& outputs) {
  const auto want = valuesOf(before, inputs, outputs), found = valuesOf(after, inputs, outputs);
  if (!want.ok()) return "before: " + QString::fromStdString(want.error().toString());
  if (!found.ok()) return "after: " + QString::fromStdString(found.error().toString());
  for (size_t i = 0; i < want->size(); ++i) {
    const Tensor &a = (*want)[i], &b = (*found)[i];
    bool same = a.shape() == b.shape();
    for (int64_t j = 0; same && j < a.elements(); ++j) same = std::abs(a.at<float>(j) - b.at<float>(j)) <= 1e-5F * std::max(1.0F, std::abs(a.at<float>(j)));
    if (!same) return QString::fromStdString(concat(outputs[i], ": ", b.toString(), ", expected ", a.toString()));
  }
  return {};
}

inline std::string textOf(const std::string& graph) {
  const auto text = convertGraphBytes(graph, "graph.pbtxt");
  return text.ok() ? *text : text.error().toString();
}

inline Result<std::string> transformed(const QString& graph, const QString& inputs, const QString& outputs, const QString& transforms,
                                       std::vector<std::string>* warnings = nullptr) {
  WEFT_LET(const auto calls, parseTransforms(transforms.toStdString()));
  return transformGraph(graph.toStdString(), namesIn(inputs), namesIn(outputs), calls, warnings);
}

}  // namespace weft::transform_graphs
