#include <algorithm>
#include <cmath>

#include "io/tflite/export.h"

// What follows a layer and can become part of it: activations, and arithmetic per channel, which changes weights and biases.

namespace weft::tflite {
namespace {

/// A constant that is one number per channel, or one for all, and leaves values of `rank` dimensions their shape; empty: it is not.
std::vector<float> perChannel(const std::optional<Tensor>& t, int64_t channels, int rank) {
  if (!t || t->dtype() != DType::Float || t->elements() < 1 || t->rank() > std::max(rank, 1)) return {};
  for (int d = 0; d + 1 < t->rank(); ++d)
    if (t->dim(d) != 1) return {};
  if (t->elements() == 1) return std::vector<float>(size_t(channels), t->at<float>(0));
  if (t->elements() != channels) return {};
  return {t->data<float>(), t->data<float>() + channels};
}

}  // namespace

const Node* Exporter::onlyReader(Output o) const {
  const auto it = readers_.find(o);
  if (it == readers_.end() || it->second.size() != 1 || fetched_.count(o) || fed_.count(o)) return nullptr;
  return graph_.node(it->second[0]);
}

bool Exporter::mergeInto(Tail& tail, const Node& reader, int64_t channels, bool canScale) {
  const Output other = reader.inputs.size() > 1 ? (reader.inputs[0] == tail.end ? reader.inputs[1] : reader.inputs[0]) : Output{};
  const auto numbers = [&](Output o) { return o.valid() ? perChannel(constant(o), channels, graph_.shape(tail.end).rank()) : std::vector<float>(); };
  const auto shiftBy = [&](const std::vector<float>& by, float sign) {
    if (tail.shift.empty()) tail.shift.assign(size_t(channels), 0);
    for (size_t c = 0; c < by.size(); ++c) tail.shift[c] += sign * by[c];
  };
  const auto scaleBy = [&](const std::vector<float>& by) {
    if (tail.scale.empty()) tail.scale.assign(size_t(channels), 1);
    for (size_t c = 0; c < by.size(); ++c) {
      tail.scale[c] *= by[c];
      if (!tail.shift.empty()) tail.shift[c] *= by[c];
    }
  };
  if (passesFirstInput(reader) && reader.inputs.size() == 1) return true;
  if (reader.op == "Relu" || reader.op == "Relu6") {
    tail.activation = reader.op == "Relu" ? tfl::Activation::RELU : tfl::Activation::RELU6;
    return true;
  }
  if (channels == 0) return false;
  const bool first = reader.inputs[0] == tail.end;
  if (isOneOf(reader.op, {"BiasAdd", "Add", "AddV2", "Sub"}) && reader.attrs.text("data_format", "NHWC") == "NHWC" && (first || reader.op != "Sub")) {
    const auto by = numbers(other);
    if (!by.empty()) shiftBy(by, reader.op == "Sub" ? -1.f : 1.f);
    return !by.empty();
  }
  if (!canScale) return false;
  if (reader.op == "Mul") {
    const auto by = numbers(other);
    if (!by.empty()) scaleBy(by);
    return !by.empty();
  }
  if (!isOneOf(reader.op, {"FusedBatchNorm", "FusedBatchNormV2", "FusedBatchNormV3"}) || reader.attrs.flag("is_training", true) ||
      reader.attrs.text("data_format", "NHWC") != "NHWC" || !first)
    return false;
  const auto scale = numbers(reader.inputs[1]), offset = numbers(reader.inputs[2]), mean = numbers(reader.inputs[3]), variance = numbers(reader.inputs[4]);
  if (scale.empty() || offset.empty() || mean.empty() || variance.empty()) return false;
  std::vector<float> by(size_t(channels), 0);
  for (size_t c = 0; c < by.size(); ++c) by[c] = scale[c] / std::sqrt(variance[c] + reader.attrs.number("epsilon", 0.0001f));
  shiftBy(mean, -1);
  scaleBy(by);
  shiftBy(offset, 1);
  return true;
}

Tail Exporter::tailOf(Output o, int64_t channels, bool canScale) {
  Tail out;
  out.end = o;
  while (out.activation == tfl::Activation::NONE) {
    const Node* reader = onlyReader(out.end);
    if (!reader || !needed_.count(reader->id) || !mergeInto(out, *reader, channels, canScale)) break;
    merged_.insert(reader->id);
    out.end = {reader->id, 0};
  }
  return out;
}

}  // namespace weft::tflite
