// Small trainings with a fault, and what the doctor says of them.
#pragma once

#include <QtGlobal>
#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "support/documents.h"
#include "weft/builder.h"
#include "weft/doctor.h"
#include "weft/train.h"

using namespace weft;

namespace doctor_tests {

using tests::digits;

/// A network of two layers on pictures of 64 numbers, with a fault that the fields describe.
struct Sketch {
  std::string activation = "Relu";         ///< Between the layers; empty: none.
  std::string second;                      ///< A second activation right after it.
  std::string last;                        ///< After the last layer.
  float scale = 0.15f, lastScale = 0.15f;  ///< Deviation of the initial weights; 0: constant.
  int classes = 10;
  double rate = 0.1;
  std::string reduce = "Mean";
  double dropout = -1;                 ///< Rate; negative: none.
  bool norm = false, bias = false;     ///< Batch normalization after the first layer, whose bias comes before it.
  bool mixes = false;                  ///< The mean over the batch is added to every row.
  bool blind = false;                  ///< The network gets zeros instead of x.
  bool race = false, ordered = false;  ///< A second op writes the first layer's weights; it waits for the first.
  bool freezes = false;                ///< The first layer's weights are not trained.
  bool stepCounts = true;
  bool shuffled = false;  ///< Labels are random, so that nothing can be learned quickly.
};

inline MetaGraph document(const Sketch& r, const DatasetBinding& binding) {
  MetaGraph meta;
  GraphBuilder b(meta);
  b.setGraphSeed(3);
  std::vector<int> inits;
  std::mt19937 random(5);
  const auto variable = [&](const char* name, const Shape& shape, float scale) {
    const Output v = b.op("VariableV2", {}, {{"shape", shape}, {"dtype", DType::Float}}, name);
    Tensor value = Tensor::zeros(DType::Float, shape);
    std::normal_distribution<float> normal(0, scale);
    for (int64_t i = 0; i < value.elements(); ++i) value.mutableData<float>()[i] = scale > 0 ? normal(random) : 0.01f;
    inits.push_back(b.node("Assign", {v, b.constant(value)}));
    return v;
  };
  const Output x = b.placeholder(DType::Float, Shape{-1, 64}, "x"), y = b.placeholder(DType::Int32, Shape{-1}, "y");
  const Output rate = b.op("PlaceholderWithDefault", {b.scalar(float(r.rate))}, {{"shape", Shape()}}, "rate");
  const Output drop = b.op("PlaceholderWithDefault", {b.scalar(float(std::max(0.0, r.dropout)))}, {{"shape", Shape()}}, "drop");
  const Output w1 = variable("w1", {64, 32}, r.scale), b1 = variable("b1", {32}, 0), w2 = variable("w2", {32, r.classes}, r.lastScale);
  Output h = r.blind ? b.op("Mul", {x, b.scalar(0.0f)}) : x;
  h = b.op("MatMul", {h, b.identity(w1, "w1/read")}, {}, "first/MatMul");
  if (!r.norm || r.bias) h = b.op("BiasAdd", {h, b.identity(b1, "b1/read")}, {}, "first/BiasAdd");
  const auto dropped = [&](Output in) {
    const Output keep = b.op("Sub", {b.scalar(1.0f), drop});
    const Output scaled = b.op("Mul", {in, b.op("RealDiv", {b.scalar(1.0f), keep})}, {}, "dropout/mul");
    const Output noise = b.op("RandomUniform", {b.op("Shape", {in})}, {{"dtype", DType::Float}, {"seed", 3}, {"seed2", 4}}, "dropout/random_uniform");
    return b.op("Mul", {scaled, b.cast(b.op("GreaterEqual", {noise, drop}), DType::Float)}, {}, "dropout/mul_1");
  };
  if (r.dropout >= 0 && r.norm) h = dropped(h);
  if (r.norm) {
    const Output four = b.op("Reshape", {h, b.ints({-1, 1, 1, 32})});
    const Output ones = b.constant(Tensor::vector(std::vector<float>(32, 1.0f))), zeros = b.constant(Tensor::vector(std::vector<float>(32, 0.0f)));
    const Output none = b.constant(Tensor::vector(std::vector<float>()));
    h = b.op("Reshape", {b.op("FusedBatchNorm", {four, ones, zeros, none, none}, {}, "norm"), b.ints({-1, 32})});
  }
  if (!r.activation.empty()) h = b.op(r.activation, {h}, {}, "activation");
  if (!r.second.empty()) h = b.op(r.second, {h}, {}, "again");
  if (r.dropout >= 0 && !r.norm) h = dropped(h);
  Output logits = b.op("MatMul", {h, b.identity(w2, "w2/read")}, {}, "logits");
  if (!r.last.empty()) logits = b.op(r.last, {logits}, {}, "last");
  if (r.mixes) logits = b.op("Add", {logits, b.op("Mean", {logits, b.ints({0})}, {{"keep_dims", true}})}, {}, "mixed");
  const Output losses = b.op("SparseSoftmaxCrossEntropyWithLogits", {logits, y}, {}, "xent");
  const Output loss = b.op(r.reduce, {losses, b.ints({0})}, {}, "loss");
  const auto gradients = addGradients(b, {loss}, {w1, w2});
  std::vector<int> steps;
  if (gradients.ok()) {
    if (!r.freezes) steps.push_back(b.node("ApplyGradientDescent", {w1, rate, (*gradients)[0].dense}, {}, "step1"));
    steps.push_back(b.node("ApplyGradientDescent", {w2, rate, (*gradients)[1].dense}, {}, "step2"));
    if (r.race || r.ordered) {
      const Output shrunk = b.op("Mul", {b.identity(w1), b.scalar(0.999f)});
      const int decay = b.node("Assign", {w1, shrunk}, {}, "decay");
      if (r.ordered) meta.graph.change(decay, [&](Node& n) { n.controls.push_back(steps[0]); }).ok();
      steps.push_back(decay);
    }
  }
  const Output global = b.op("VariableV2", {}, {{"shape", Shape()}, {"dtype", DType::Int64}}, "global_step");
  inits.push_back(b.node("Assign", {global, b.scalar<int64_t>(0)}, {}, "global_step/Assign"));
  if (r.stepCounts) steps.push_back(b.node("AssignAdd", {global, b.scalar<int64_t>(1)}));
  meta.collections["global_step"].nodes = {"global_step:0"};
  b.noOp(steps, "train");
  b.noOp(inits, "init");
  if (!b.ok()) qFatal("%s", b.status().toString().c_str());
  TrainingSettings settings;
  settings.trainOp = "train";
  settings.initOp = "init";
  settings.loss = "loss:0";
  settings.steps = 50;
  settings.live.push_back({"rate", "rate:0", r.rate, 0, 0, false});
  if (r.dropout >= 0) settings.live.push_back({"drop", "drop:0", r.dropout, 0, 0, false});
  if (r.dropout >= 0) settings.evalFeed["drop:0"] = "0";
  setTrainingSettings(meta, settings);
  setDatasetBindings(meta, {binding});
  return meta;
}

/// What the doctor says of a document.
struct Said {
  std::vector<DoctorFinding> findings;
  std::string error;
  bool has(std::string_view code) const {
    return std::any_of(findings.begin(), findings.end(), [&](const DoctorFinding& f) { return code == f.rule->code; });
  }
  std::string text() const {
    std::string out = error;
    for (const DoctorFinding& f : findings) out += concat(f.rule->code, ": ", f.title(), " | ", f.detail(), "\n");
    return out;
  }
};

inline Said checked(const MetaGraph& meta, bool fits = false) {
  DoctorOptions options;
  options.session.threads = 1;
  if (!fits) options.fitSteps = 0;
  auto found = doctorBeforeTraining(meta, options);
  return found.ok() ? Said{std::move(*found), {}} : Said{{}, found.error().toString()};
}

inline Said read(const MetaGraph& meta) { return {doctorReadsGraph(meta), {}}; }
inline Said of(const Sketch& r, bool fits = false) { return checked(document(r, digits()), fits); }
inline Sketch with(void (*change)(Sketch&)) {
  Sketch r;
  change(r);
  return r;
}

}  // namespace doctor_tests
