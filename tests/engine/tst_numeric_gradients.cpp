#include <QTest>
#include <algorithm>
#include <cmath>
#include <complex>
#include <map>
#include <set>

#include "cli/selftest/golden_case.h"
#include "cli/selftest/wire.h"
#include "weft/builder.h"
#include "weft/session.h"

using namespace weft;

// Gradients against finite differences: every op with a gradient is differentiated numerically at the inputs of its golden cases, in float64 where its kernel
// supports that, or is listed below with a reason.

namespace {

/// Ops whose gradient has no finite differences, or is meaningful only in a larger graph.
const std::map<std::string, std::string> kNotDifferenced = {
    // Parts of loops and conditionals: their gradients are built from the whole construct (tests of programs train through them).
    {"Enter", "part of a loop"},
    {"Exit", "part of a loop"},
    {"NextIteration", "part of a loop"},
    {"RefEnter", "part of a loop"},
    {"RefExit", "part of a loop"},
    {"RefNextIteration", "part of a loop"},
    {"Switch", "part of a conditional"},
    {"Merge", "part of a conditional"},
    {"RefSwitch", "part of a conditional"},
    {"RefMerge", "part of a conditional"},
    // State: the gradient goes to the value written in another step of the graph.
    {"ReadVariableOp", "reads a variable"},
    {"ResourceGather", "reads a variable"},
    {"RefIdentity", "passes a variable on"},
    {"TensorArrayReadV3", "part of a tensor array's life"},
    {"TensorArrayWriteV3", "part of a tensor array's life"},
    {"TensorArrayGatherV3", "part of a tensor array's life"},
    {"TensorArrayScatterV3", "part of a tensor array's life"},
    {"TensorArrayConcatV3", "part of a tensor array's life"},
    {"TensorArraySplitV3", "part of a tensor array's life"},
    // Lists of tensors: inputs or outputs are variants.
    {"TensorListConcat", "works on lists"},
    {"TensorListConcatV2", "works on lists"},
    {"TensorListFromTensor", "works on lists"},
    {"TensorListGather", "works on lists"},
    {"TensorListGetItem", "works on lists"},
    {"TensorListPopBack", "works on lists"},
    {"TensorListPushBack", "works on lists"},
    {"TensorListResize", "works on lists"},
    {"TensorListScatter", "works on lists"},
    {"TensorListScatterIntoExistingList", "works on lists"},
    {"TensorListScatterV2", "works on lists"},
    {"TensorListSetItem", "works on lists"},
    {"TensorListSplit", "works on lists"},
    {"TensorListStack", "works on lists"},
    {"PartitionedCall", "calls a function: tests of functions"},
    {"StatefulPartitionedCall", "calls a function: tests of functions"},
    {"If", "calls functions: tests of gradients"},
    {"StatelessIf", "calls functions: tests of gradients"},
    {"Case", "calls functions: tests of gradients"},
    {"OptionalFromValue", "part of a second derivative through If: tests of gradients"},
    {"OptionalGetValue", "part of a second derivative through If: tests of gradients"},
    {"While", "calls functions: tests of gradients"},
    {"StatelessWhile", "calls functions: tests of gradients"},
    {"SparseSparseMaximum", "its gradient is an error"},
    {"SparseSparseMinimum", "its gradient is an error"},
    {"PreventGradient", "its gradient is an error"},
    {"FakeQuantWithMinMaxArgs", "its gradient passes through the steps that it makes"},
    {"FakeQuantWithMinMaxVars", "its gradient passes through the steps that it makes"},
    {"FakeQuantWithMinMaxVarsPerChannel", "its gradient passes through the steps that it makes"},
    {"QuantizeAndDequantize", "its gradient passes through the steps that it makes"},
    {"QuantizeAndDequantizeV2", "its gradient passes through the steps that it makes"},
    {"QuantizeAndDequantizeV3", "its gradient passes through the steps that it makes"},
    {"FusedBatchNormGrad", "mean and variance follow from its second input, which differences of one input do not know"},
    {"FusedBatchNormGradV2", "mean and variance follow from its second input, which differences of one input do not know"},
    {"FusedBatchNormGradV3", "mean and variance follow from its second input, which differences of one input do not know"},
    {"RandomGamma", "each run draws other numbers; its gradient is that of a sample held fixed in its rank among all"},
};

/// These read one triangle of symmetric matrices; their gradient is that of both elements of a pair.
const std::set<std::string> kOfSymmetric = {"Cholesky", "SelfAdjointEigV2"};

/// An op with constants before it.
struct Case {
  std::string name;
  MetaGraph meta;
  int op = -1;
  std::vector<Tensor> inputs;
  std::map<int, Tensor> dy;
};

bool isNumber(DType t) { return t == DType::Double || t == DType::Float || isComplex(t); }

/// Real numbers of a tensor: one for each element, two of complex ones.
int64_t parts(const Tensor& t) { return t.elements() * (isComplex(t.dtype()) ? 2 : 1); }
double part(const Tensor& t, int64_t i) {
  switch (t.dtype()) {
    case DType::Double: return t.data<double>()[i];
    case DType::Complex128: return static_cast<const double*>(t.raw())[i];
    default: return double(static_cast<const float*>(t.raw())[i]);
  }
}
Tensor withPart(const Tensor& t, int64_t i, double v) {
  Tensor out = t.clone().value();
  if (t.dtype() == DType::Double || t.dtype() == DType::Complex128) static_cast<double*>(out.mutableRaw())[i] = v;
  else static_cast<float*>(out.mutableRaw())[i] = float(v);
  return out;
}

bool isWide(const Tensor& t) { return t.dtype() == DType::Double || t.dtype() == DType::Complex128; }
/// The element across the diagonal.
int64_t twinOf(const Tensor& t, int64_t k) {
  const int64_t n = t.dim(t.rank() - 1), row = k / n % n, col = k % n;
  return k + (col - row) * n + (row - col);
}

Result<Case> caseOf(const cli::GoldenCase& golden) {
  Case c;
  c.name = golden.opType + " " + golden.name;
  WEFT_LET(auto loaded, loadGraphBytes(std::make_shared<const std::string>(golden.graph(cli::InputForm::Constants)), "record"));
  c.meta = std::move(loaded.meta);
  const Node* op = c.meta.graph.find("op");
  if (!op) return notFound("no node op");
  c.op = op->id;
  c.inputs = golden.inputs;
  c.dy = golden.dy;
  return c;
}

/// The sum of dy · y over all outputs that count, for given inputs.
Result<double> lossOf(Session& session, const Case& c, const std::vector<Tensor>& inputs) {
  std::vector<std::pair<std::string, Tensor>> feeds;
  std::vector<std::string> fetches;
  for (size_t i = 0; i < inputs.size(); ++i) feeds.emplace_back(concat("in/", i, ":0"), inputs[i]);
  for (const auto& [k, dy] : c.dy) fetches.push_back(concat("op:", k));
  WEFT_LET(const auto values, session.run(feeds, fetches));
  double sum = 0;
  size_t next = 0;
  for (const auto& [k, dy] : c.dy) {
    const Tensor& y = values[next++];
    if (parts(y) == 0 || parts(dy) == 0) continue;  // left out by an attribute
    if (y.dtype() != dy.dtype() || parts(y) != parts(dy)) return internalError("output ", k, " has not the shape of its gradient");
    for (int64_t i = 0; i < parts(y); ++i) sum += part(y, i) * part(dy, i);
  }
  return sum;
}

/// The gradients of the inputs that have one; slices are made dense.
Result<std::map<int, Tensor>> analytic(Case& c) {
  GraphBuilder b(c.meta);
  GradientsOptions options;
  std::vector<Output> ys, xs;
  std::vector<int> which;
  for (const auto& [k, dy] : c.dy) {
    ys.push_back({c.op, k});
    options.gradYs.push_back(b.constant(dy, "dy"));
  }
  for (size_t i = 0; i < c.inputs.size(); ++i) {
    if (!isNumber(c.inputs[i].dtype())) continue;
    xs.push_back({c.meta.graph.find(concat("in/", i))->id, 0});
    which.push_back(int(i));
  }
  WEFT_LET(const auto found, addGradients(b, ys, xs, options));
  std::vector<std::string> fetches;
  std::vector<int> order;
  for (size_t k = 0; k < found.size(); ++k) {
    if (found[k].none()) continue;
    Output g = found[k].dense;
    if (found[k].slices) {
      const Output rows = b.constant(Tensor::scalar(int32_t(c.inputs[size_t(which[k])].dim(0))), "rows");
      g = b.op("UnsortedSegmentSum", {found[k].slices->values, found[k].slices->indices, rows});
    }
    fetches.push_back(c.meta.graph.tensorName(g));
    order.push_back(which[k]);
  }
  WEFT_TRY(b.status());
  std::map<int, Tensor> out;
  if (fetches.empty()) return out;
  WEFT_LET(auto session, Session::create(c.meta.graph));
  WEFT_LET(auto values, session->run({}, fetches));
  for (size_t k = 0; k < values.size(); ++k) out[order[k]] = std::move(values[k]);
  return out;
}

/// The first error in a case's gradients; `compared` receives the number of matching partial derivatives.
QString difference(Case& c, int& compared) {
  auto session = Session::create(c.meta.graph);
  if (!session.ok()) return QString::fromStdString(session.error().toString());
  const auto gradients = analytic(c);
  if (!gradients.ok()) return QString::fromStdString(gradients.error().toString());
  constexpr int64_t kMost = 12;  // partial derivatives for each input
  const bool symmetric = kOfSymmetric.count(c.meta.graph.node(c.op)->op) != 0;
  const bool narrowOutputs = std::any_of(c.dy.begin(), c.dy.end(), [](const auto& d) { return !isWide(d.second); });
  for (const auto& [i, grad] : *gradients) {
    const Tensor& x = c.inputs[size_t(i)];
    if (parts(grad) != parts(x)) return QString("gradient of input %1 has the wrong shape").arg(i);
    const bool wide = isWide(x) && !narrowOutputs;
    const int64_t n = parts(x), stride = std::max<int64_t>(1, n / kMost);
    for (int64_t k = 0; k < n; k += stride) {
      const double v = part(x, k), step = (wide ? 1e-5 : 1e-2) * std::max(1.0, std::abs(v));
      std::vector<Tensor> up = c.inputs, down = c.inputs;
      up[size_t(i)] = withPart(x, k, v + step);
      down[size_t(i)] = withPart(x, k, v - step);
      const int64_t other = symmetric ? twinOf(x, k) : k;
      if (other != k) {
        up[size_t(i)] = withPart(up[size_t(i)], other, part(x, other) + step);
        down[size_t(i)] = withPart(down[size_t(i)], other, part(x, other) - step);
      }
      const auto high = lossOf(**session, c, up), low = lossOf(**session, c, down);
      if (!high.ok()) return QString::fromStdString(high.error().toString());
      if (!low.ok()) return QString::fromStdString(low.error().toString());
      const double real = part(up[size_t(i)], k) - part(down[size_t(i)], k);
      const double want = (*high - *low) / real, got = part(grad, k) + (other != k ? part(grad, other) : 0.0), room = wide ? 2e-5 : 2e-2;
      if (!(std::abs(want - got) <= room * std::max({1.0, std::abs(want), std::abs(*high)}))) {
        return QString("input %1, element %2: gradient %3, differences give %4").arg(i).arg(k).arg(got).arg(want);
      }
      ++compared;
    }
  }
  return {};
}

Tensor doubles(std::initializer_list<double> v, const Shape& shape) { return Tensor::of(std::vector<double>(v), shape); }

/// Ops that no golden case differentiates.
struct Made {
  const char* op;
  std::vector<Tensor> inputs;
  AttrMap attrs;
  std::map<int, Tensor> dy;
};
std::vector<Made> madeCases() {
  const Tensor matrix = doubles({2, -1, 0.5, 1, 3, -0.7, 0.2, 0.4, 1.5}, {3, 3});
  std::vector<Made> out;
  out.push_back({"ClipByValue", {doubles({-2, 0.3, 5}, {3}), Tensor::scalar(-1.0), Tensor::scalar(2.0)}, {}, {{0, doubles({1, 2, 3}, {3})}}});
  out.push_back({"Print", {doubles({1, 2}, {2}), doubles({3}, {1})}, {{"summarize", 0}, {"first_n", 0}}, {{0, doubles({0.5, -2}, {2})}}});
  out.push_back({"Qr", {matrix}, {}, {{0, matrix}, {1, doubles({1, 2, 3, 0, 0.4, -1, 0, 0, 2}, {3, 3})}}});
  const Tensor wide = doubles({2, -1, 0.5, 1, 3, -0.7, 0.2, 0.4, 1.5, 0.3, -2, 1}, {3, 4});
  const Tensor tall = doubles({2, -1, 0.5, 1, 3, -0.7, 0.2, 0.4, 1.5, 0.3, -2, 1}, {4, 3}), vector = doubles({1, -0.5, 2}, {3});
  for (const bool full : {false, true}) {
    const AttrMap attrs{{"compute_uv", true}, {"full_matrices", full}};
    out.push_back({"Svd", {matrix}, attrs, {{0, vector}, {1, matrix}, {2, doubles({1, 2, 3, 0, 0.4, -1, 0.7, 0.1, 2}, {3, 3})}}});
    const Tensor square = doubles({1, -2, 0.3, 0.7, 0.5, 2, -1, 0.2, 0.9, -0.4, 1.1, 0.6, 0.8, 1.3, -0.2, 0.1}, {4, 4});
    out.push_back({"Svd", {wide}, attrs, {{0, vector}, {1, matrix}, {2, full ? square : tall}}});
    out.push_back({"Svd", {tall}, attrs, {{0, vector}, {1, full ? square : tall}, {2, matrix}}});
  }
  out.push_back({"Svd", {wide}, {{"compute_uv", false}}, {{0, vector}}});
  out.push_back({"MatrixSquareRoot", {doubles({5, 1, 0.5, 1, 4, -0.7, 0.2, 0.4, 6}, {3, 3})}, {}, {{0, matrix}}});
  out.push_back({"TopK", {doubles({1, 4, 2, 3, 0.5, -1}, {2, 3})}, {{"k", 2}}, {{0, doubles({1, 2, 3, 4}, {2, 2})}}});
  out.push_back({"MatrixDiagPartV2", {matrix, Tensor::scalar(int32_t(1)), Tensor::scalar(0.0)}, {}, {{0, doubles({2, -3}, {2})}}});
  const Tensor scores = doubles({0.3, -0.2, 0.9, 1.1, 0.4, -0.5, 0.2, 0.8, -1, 0.6, 0.1, 0.7}, {4, 1, 3});
  const Tensor places = Tensor::of(std::vector<int64_t>{0, 0, 0, 1}, {2, 2});
  // Gradients of the second outputs are no part of the first derivative.
  out.push_back(
      {"CTCLoss", {scores, places, Tensor::vector(std::vector<int32_t>{0, 1}), Tensor::vector(std::vector<int32_t>{4})}, {}, {{0, doubles({1.5}, {1})}}});
  const Tensor logits = doubles({0.3, -0.2, 0.9, 1.1, 0.4, -0.5}, {2, 3});
  out.push_back({"SoftmaxCrossEntropyWithLogits", {logits, doubles({0.2, 0.5, 0.3, 1, 0, 0}, {2, 3})}, {}, {{0, doubles({1.5, -2}, {2})}}});
  out.push_back({"SparseSoftmaxCrossEntropyWithLogits", {logits, Tensor::vector(std::vector<int32_t>{2, 0})}, {}, {{0, doubles({1.5, -2}, {2})}}});
  out.push_back({"Resampler",
                 {doubles({1, -2, 3, 0.5, 4, -1, 2, 0.3, 1.7}, {1, 3, 3, 1}), doubles({0.4, 1.3, 1.6, 0.7}, {1, 2, 2})},
                 {},
                 {{0, doubles({1, -2}, {1, 2, 1})}}});
  const auto floats = [](std::vector<float> v, const Shape& shape) { return Tensor::of(v, shape); };
  // Away from the corners of the colour solid.
  out.push_back(
      {"RGBToHSV", {floats({0.9f, 0.3f, 0.5f, 0.2f, 0.7f, 0.4f, 0.1f, 0.35f, 0.8f}, {3, 3})}, {}, {{0, floats({1, 2, -1, 0.5f, -2, 1, 3, 1, 0.7f}, {3, 3})}}});
  // The state and the output alone, and no bound of the state: TensorFlow's gradient knows of nothing else.
  out.push_back(
      {"BlockLSTM",
       {Tensor::scalar(int64_t(2)), floats({0.3f, -0.7f}, {2, 1, 1}), floats({0.4f, -0.1f}, {1, 2}), floats({-0.2f, 0.5f}, {1, 2}),
        floats({0.1f,  -0.4f, 0.7f, 0.2f,  -0.6f, 0.3f, 0.5f,  -0.8f, 0.9f, -0.2f, 0.4f, 0.6f,
                -0.5f, 0.1f,  0.8f, -0.3f, 0.2f,  0.7f, -0.1f, 0.4f,  0.3f, -0.9f, 0.6f, 0.5f},
               {3, 8}),
        floats({0.2f, -0.3f}, {2}), floats({0.5f, 0.1f}, {2}), floats({-0.4f, 0.6f}, {2}), floats({0.1f, 0.2f, -0.3f, 0.4f, 0.5f, -0.6f, 0.7f, -0.8f}, {8})},
       {{"use_peephole", true}, {"cell_clip", -1.f}},
       {{1, floats({0.5f, -1.f, 1.5f, 0.7f}, {2, 1, 2})}, {6, floats({1.f, 0.3f, -0.6f, 0.9f}, {2, 1, 2})}}});
  return out;
}

Case caseOf(const Made& made) {
  Case c;
  c.name = made.op;
  c.inputs = made.inputs;
  c.dy = made.dy;
  GraphBuilder b(c.meta);
  std::vector<Output> in;
  for (size_t i = 0; i < made.inputs.size(); ++i) in.push_back(b.constant(made.inputs[i], concat("in/", i)));
  c.op = b.node(made.op, in, made.attrs, "op");
  return c;
}

/// Cases of an op with gradients: those in float64, or of complex numbers, or in float32. (TensorFlow's gradients of complex numbers are not
/// conjugated everywhere.)
std::vector<cli::GoldenCase> goldenCases(const std::string& op) {
  std::vector<cli::GoldenCase> wide, complex, narrow;
  const auto records = cli::readRecordFile(std::string(WEFT_SOURCE_DIR "/tests/golden/ops/") + op + ".tfrecord");
  if (!records.ok()) return {};
  for (const std::string& record : *records) {
    auto golden = cli::parseGoldenCase(record);
    if (!golden.ok() || golden->errorCode || golden->grad.empty()) continue;
    bool allWide = true, anyComplex = false, fits = true;
    for (const auto& [k, dy] : golden->dy) {
      fits = fits && isNumber(dy.dtype());
      allWide = allWide && isWide(dy);
    }
    for (const auto& [i, grad] : golden->grad) {
      fits = fits && isNumber(grad.dtype()) && grad.elements() > 0;
      allWide = allWide && isWide(grad);
      anyComplex = anyComplex || isComplex(grad.dtype());
    }
    if (fits) (anyComplex ? complex : allWide ? wide : narrow).push_back(std::move(*golden));
  }
  return !wide.empty() ? wide : !complex.empty() ? complex : narrow;
}

}  // namespace

class NumericGradientsTest : public QObject {
  Q_OBJECT

 private slots:
  void everyGradient_data() {
    QTest::addColumn<QString>("op");
    for (const OpRecord* record : OpRegistry::instance().all()) {
      if (record->gradientFunction) QTest::newRow(record->name.c_str()) << QString::fromStdString(record->name);
    }
  }

  /// Each op with a gradient agrees with finite differences, or has a reason.
  void everyGradient() {
    QFETCH(QString, op);
    const std::string name = op.toStdString();
    std::vector<Case> cases;
    for (const Made& made : madeCases()) {
      if (name == made.op) cases.push_back(caseOf(made));
    }
    constexpr size_t kMost = 3;
    const auto goldens = cases.empty() ? goldenCases(name) : std::vector<cli::GoldenCase>();
    for (const auto& golden : goldens) {
      if (cases.size() == kMost) break;
      auto c = caseOf(golden);
      QVERIFY2(c.ok(), c.ok() ? "" : c.error().toString().c_str());
      cases.push_back(std::move(*c));
    }
    const auto reason = kNotDifferenced.find(name);
    if (reason != kNotDifferenced.end()) QSKIP(reason->second.c_str());
    int compared = 0;
    for (Case& c : cases) {
      const QString wrong = difference(c, compared);
      QVERIFY2(wrong.isEmpty(), qPrintable(QString::fromStdString(c.name) + ": " + wrong));
    }
    QVERIFY2(compared > 0, "no partial derivative was compared: add a case, or a reason to kNotDifferenced");
  }

  /// Reasons are for ops that are there and have a gradient.
  void reasonsAreNeeded() {
    for (const auto& [name, reason] : kNotDifferenced) {
      const OpRecord* record = OpRegistry::instance().find(name);
      QVERIFY2(record && record->gradientFunction, name.c_str());
      QVERIFY2(!reason.empty(), name.c_str());
    }
  }
};

QTEST_GUILESS_MAIN(NumericGradientsTest)
#include "tst_numeric_gradients.moc"
