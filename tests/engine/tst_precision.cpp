#include <QTest>
#include <cmath>
#include <cstring>
#include <map>

#include "weft/builder.h"
#include "weft/plan_report.h"
#include "weft/templates.h"
#include "weft/train.h"

using namespace weft;

namespace {

/// Values without a pattern, the same on every machine.
Tensor numbers(const Shape& shape, uint32_t seed) {
  Tensor t = Tensor::zeros(DType::Float, shape);
  float* out = t.mutableData<float>();
  uint32_t state = seed * 2654435761u + 1;
  for (int64_t i = 0; i < t.elements(); ++i) {
    state = state * 1664525u + 1013904223u;
    out[i] = float(int32_t(state)) / 2147483648.f;
  }
  return t;
}

/// To bfloat16 and back, by the definition: to nearest, ties to even.
float rounded(float x) {
  uint32_t bits;
  std::memcpy(&bits, &x, 4);
  bits = (bits + 0x7fff + (bits >> 16 & 1)) & 0xffff0000;
  std::memcpy(&x, &bits, 4);
  return x;
}

Tensor rounded(const Tensor& t) {
  Tensor out = Tensor::zeros(DType::Float, t.shape());
  const float* from = t.data<float>();
  float* to = out.mutableData<float>();
  for (int64_t i = 0; i < t.elements(); ++i) to[i] = rounded(from[i]);
  return out;
}

/// One op, fed with constants.
struct Op {
  std::string name;
  std::vector<Tensor> inputs;
  AttrMap attrs;
};

SessionOptions with(ProductPrecision products, int threads = 2) {
  SessionOptions options;
  options.products = products;
  options.threads = threads;
  return options;
}

std::unique_ptr<Session> sessionOf(const Op& op, const SessionOptions& options) {
  MetaGraph meta;
  GraphBuilder b(meta);
  std::vector<Output> inputs;
  for (const Tensor& t : op.inputs)
    inputs.push_back(t.dtype() == DType::Int32 ? b.constant(t) : b.op("Identity", {b.op("PlaceholderWithDefault", {b.constant(t)}, {{"shape", t.shape()}})}));
  b.op(op.name, inputs, op.attrs, "result");
  if (!b.ok()) qFatal("%s", b.status().toString().c_str());
  auto session = Session::create(meta.graph, options);
  if (!session.ok()) qFatal("%s", session.error().toString().c_str());
  return std::move(*session);
}

Tensor resultOf(const Op& op, const SessionOptions& options) {
  auto values = sessionOf(op, options)->run({}, {"result:0"});
  if (!values.ok()) qFatal("%s", values.error().toString().c_str());
  return (*values)[0];
}

bool same(const Tensor& a, const Tensor& b) { return a.shape() == b.shape() && a.bytes() == b.bytes() && std::memcmp(a.raw(), b.raw(), a.bytes()) == 0; }

/// The largest difference, as a share of the largest value of `b`.
double difference(const Tensor& a, const Tensor& b) {
  double most = 0, largest = 0;
  for (int64_t i = 0; i < b.elements(); ++i) {
    most = std::max(most, std::fabs(double(a.data<float>()[i]) - double(b.data<float>()[i])));
    largest = std::max(largest, std::fabs(double(b.data<float>()[i])));
  }
  return most / largest;
}

std::vector<Op> productsAndConvolutions() {
  const auto sizes = [](std::vector<int32_t> v) { return Tensor::vector(v); };
  const std::vector<int64_t> one{1, 1, 1, 1}, two{1, 2, 2, 1};
  std::vector<Op> ops;
  for (const bool ta : {false, true})
    for (const bool tb : {false, true})
      ops.push_back({"MatMul",
                     {numbers(ta ? Shape{300, 70} : Shape{70, 300}, 1), numbers(tb ? Shape{90, 300} : Shape{300, 90}, 2)},
                     {{"transpose_a", ta}, {"transpose_b", tb}}});
  ops.push_back({"MatMul", {numbers({64, 2100}, 1), numbers({2100, 130}, 2)}, {}});  // sums in several blocks
  ops.push_back({"MatMul", {numbers({1300, 64}, 1), numbers({64, 40}, 2)}, {}});
  ops.push_back({"BatchMatMulV2", {numbers({3, 64, 64}, 1), numbers({1, 64, 80}, 2)}, {}});
  ops.push_back({"Einsum", {numbers({64, 64}, 1), numbers({64, 80}, 2)}, {{"equation", "ij,jk->ik"}, {"N", 2}}});
  for (const auto& strides : {one, two}) {
    const int64_t out = strides[1] == 1 ? 16 : 8;
    const AttrMap attrs{{"strides", strides}, {"padding", "SAME"}};
    ops.push_back({"Conv2D", {numbers({5, 16, 16, 16}, 1), numbers({3, 3, 16, 24}, 2)}, attrs});
    ops.push_back({"Conv2DBackpropInput", {sizes({5, 16, 16, 16}), numbers({3, 3, 16, 24}, 1), numbers({5, out, out, 24}, 2)}, attrs});
  }
  for (const int64_t side : {16, 14}) {  // by oneDNN, and by products
    const Tensor images = numbers({24, side, side, 48}, 1), gradients = numbers({24, side, side, 24}, 2);
    ops.push_back({"Conv2DBackpropFilter", {images, sizes({3, 3, 48, 24}), gradients}, {{"strides", one}, {"padding", "SAME"}}});
  }
  const AttrMap plain{{"strides", one}, {"padding", "VALID"}};
  ops.push_back({"Conv2D", {numbers({4, 16, 16, 32}, 1), numbers({1, 1, 32, 40}, 2)}, plain});
  ops.push_back({"Conv2DBackpropInput", {sizes({4, 16, 16, 32}), numbers({1, 1, 32, 40}, 1), numbers({4, 16, 16, 40}, 2)}, plain});
  ops.push_back({"Conv2DBackpropFilter", {numbers({4, 16, 16, 32}, 1), sizes({1, 1, 32, 40}), numbers({4, 16, 16, 40}, 2)}, plain});
  ops.push_back({"Conv2D", {numbers({1, 32, 32, 16}, 1), numbers({3, 3, 16, 24}, 2)}, {{"strides", one}, {"padding", "SAME"}}});  // one image
  const std::vector<int64_t> volume{1, 1, 1, 1, 1};
  ops.push_back({"Conv3D", {numbers({2, 6, 10, 10, 8}, 1), numbers({3, 3, 3, 8, 16}, 2)}, {{"strides", volume}, {"padding", "SAME"}}});
  return ops;
}

/// The losses of a training of `steps` steps.
std::vector<double> lossesOf(const std::string& name, const std::string& precision, int64_t steps, int threads, double* accuracy = nullptr,
                             std::map<std::string, Tensor>* variables = nullptr) {
  auto document = api::buildTemplate(name);
  if (!document.ok()) qFatal("%s", document.error().toString().c_str());
  std::vector<double> losses;
  TrainOptions options;
  options.steps = steps;
  options.session.threads = threads;
  options.logFolder = options.checkpointFolder = "";
  options.set = {{"precision", precision}, {"seed", "3"}};
  if (name == "mlp") options.set.emplace_back("batch_size", "128");  // products of the template's own batches are too small to be rounded
  options.callbacks.step = [&](const TrainStep& s) { losses.push_back(s.loss); };
  options.callbacks.evaluation = [&](const TrainEvaluation& e) {
    if (accuracy) *accuracy = e.accuracy;
  };
  auto trainer = Trainer::create(std::move(*document), std::move(options));
  if (!trainer.ok()) qFatal("%s", trainer.error().toString().c_str());
  if (const Status s = (*trainer)->run(); !s.ok()) qFatal("%s", s.toString().c_str());
  if (variables) *variables = (*trainer)->session().variables();
  return losses;
}

/// Exponential means, as TensorBoard draws them.
std::vector<double> smoothed(const std::vector<double>& values) {
  std::vector<double> out;
  double mean = 0, weight = 0;
  for (const double v : values) {
    mean = 0.9 * mean + 0.1 * v;
    weight = 0.9 * weight + 0.1;
    out.push_back(mean / weight);
  }
  return out;
}

}  // namespace

class TestPrecision : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() { qputenv("WEFT_RESOURCES", WEFT_SOURCE_DIR "/resources"); }

  void operandsAreRoundedAndSumsAreNot() {
    for (const Op& op : productsAndConvolutions()) {
      Op ofRounded = op;
      for (Tensor& t : ofRounded.inputs)
        if (t.dtype() == DType::Float) t = rounded(t);
      const Tensor exact = resultOf(op, with(ProductPrecision::Float32)), got = resultOf(op, with(ProductPrecision::BFloat16));
      const Tensor expected = resultOf(ofRounded, with(ProductPrecision::Float32));
      QCOMPARE(got.dtype(), DType::Float);
      QVERIFY2(difference(got, expected) < 3e-6, qPrintable(QString("%1: %2").arg(op.name.c_str()).arg(difference(got, expected))));
      QVERIFY2(difference(got, exact) > 1e-4, op.name.c_str());  // rounding shows
      QVERIFY2(difference(got, exact) < 8e-3, op.name.c_str());
    }
  }

  void resultsDoNotDependOnThreads() {
    for (const Op& op : productsAndConvolutions()) {
      const Tensor one = resultOf(op, with(ProductPrecision::BFloat16, 1));
      for (const int threads : {2, 3, 8}) QVERIFY2(same(one, resultOf(op, with(ProductPrecision::BFloat16, threads))), op.name.c_str());
    }
  }

  void sessionsOfOneProcessDiffer() {
    const Op op = productsAndConvolutions()[0];
    const Tensor before = resultOf(op, with(ProductPrecision::Float32));
    const auto exact = sessionOf(op, with(ProductPrecision::Float32)), rounding = sessionOf(op, with(ProductPrecision::BFloat16));
    for (int i = 0; i < 3; ++i) {
      const auto a = exact->run({}, {"result:0"}), b = rounding->run({}, {"result:0"});
      QVERIFY(a.ok() && b.ok());
      QVERIFY(same((*a)[0], before));
      QVERIFY(!same((*b)[0], before));
    }
  }

  void smallProductsAndOtherTypesStayAsTheyAre() {
    const Op small{"MatMul", {numbers({4, 300}, 1), numbers({300, 300}, 2)}, {}};
    const Tensor exactly = resultOf(small, with(ProductPrecision::Float32));
    QVERIFY(same(exactly, resultOf(small, with(ProductPrecision::BFloat16))));
    Op doubles{"MatMul", {Tensor::zeros(DType::Double, {64, 64}), Tensor::zeros(DType::Double, {64, 64})}, {}};
    for (Tensor& t : doubles.inputs)
      for (int i = 0; i < 64 * 64; ++i) t.mutableData<double>()[i] = 1 + i * 1e-6;
    const Tensor inDouble = resultOf(doubles, with(ProductPrecision::Float32));
    QVERIFY(same(inDouble, resultOf(doubles, with(ProductPrecision::BFloat16))));
  }

  void specialValuesPass() {
    Op op{"MatMul", {numbers({32, 64}, 1), numbers({64, 256}, 2)}, {}};
    op.inputs[0].mutableData<float>()[0] = INFINITY;
    op.inputs[0].mutableData<float>()[64] = NAN;
    const Tensor got = resultOf(op, with(ProductPrecision::BFloat16));
    for (int j = 0; j < 256; ++j) {
      QVERIFY(std::isinf(got.data<float>()[j]));
      QVERIFY(std::isnan(got.data<float>()[256 + j]));
      QVERIFY(std::isfinite(got.data<float>()[512 + j]));
    }
  }

  void aProfileSaysWhichNodesWereRounded() {
    const Op op = productsAndConvolutions()[0];
    for (const auto precision : {ProductPrecision::Float32, ProductPrecision::BFloat16}) {
      const auto session = sessionOf(op, with(precision));
      QVERIFY(session->run({}, {"result:0"}).ok());
      const auto report = planReport(*session, [](const auto&, const auto&) { return true; });
      QVERIFY(report.ok());
      const std::vector<std::string> expected = precision == ProductPrecision::BFloat16 ? std::vector<std::string>{"result"} : std::vector<std::string>{};
      QCOMPARE(report->rounded, expected);
    }
  }

  void trainingsStayInABand_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<int>("steps");
    QTest::addColumn<double>("band");
    QTest::newRow("convolutions") << "lenet-digits" << 60 << 0.1;
    QTest::newRow("dense layers") << "mlp" << 150 << 0.05;
  }
  void trainingsStayInABand() {
    QFETCH(const QString, name);
    QFETCH(const int, steps);
    QFETCH(const double, band);
    double exactly = 0, roughly = 0;
    std::map<std::string, Tensor> variables;
    const std::vector<double> exact = lossesOf(name.toStdString(), "float32", steps, 2, &exactly);
    const std::vector<double> mixed = lossesOf(name.toStdString(), "bf16", steps, 2, &roughly, &variables);
    QVERIFY(exact != mixed);
    const std::vector<double> a = smoothed(exact), b = smoothed(mixed);
    for (size_t i = 0; i < a.size(); ++i) QVERIFY2(std::fabs(b[i] - a[i]) <= band * a[0], qPrintable(QString("step %1: %2, %3").arg(i).arg(a[i]).arg(b[i])));
    QVERIFY(b.back() < 0.7 * b.front());
    QVERIFY(std::fabs(roughly - exactly) <= 0.05);
    QVERIFY(!variables.empty());
    bool fine = false;  // variables keep the bits that bfloat16 has not
    for (const auto& [variable, value] : variables) {
      if (value.dtype() != DType::Float) continue;
      for (int64_t i = 0; i < value.elements(); ++i) fine |= value.data<float>()[i] != rounded(value.data<float>()[i]);
    }
    QVERIFY(fine);
  }

  void aTrainingDoesNotDependOnThreads() { QCOMPARE(lossesOf("mlp", "bf16", 30, 1), lossesOf("mlp", "bf16", 30, 2)); }

  void withoutTheOptionNothingChanges() {
    auto document = api::buildTemplate("mlp");
    QVERIFY(document.ok());
    const auto settings = trainingSettingsOf(*document);
    QVERIFY(settings.ok() && settings->precision == ProductPrecision::Float32);
    QCOMPARE(lossesOf("mlp", "float32", 20, 2), lossesOf("mlp", "fp32", 20, 2));
  }

  void theDocumentKeepsIt() {
    auto document = api::buildTemplate("mlp");
    QVERIFY(document.ok());
    auto settings = trainingSettingsOf(*document);
    QVERIFY(settings.ok());
    settings->precision = ProductPrecision::BFloat16;
    setTrainingSettings(*document, *settings);
    settings = trainingSettingsOf(*document);
    QVERIFY(settings.ok() && settings->precision == ProductPrecision::BFloat16);
  }

  void anUnknownWordIsNamed() {
    QCOMPARE(QString::fromStdString(precisionNamed("fp8").error().message), QStringLiteral("\"fp8\" is no precision of products: expected float32 or bf16"));
    auto document = api::buildTemplate("mlp");
    QVERIFY(document.ok());
    TrainOptions options;
    options.set = {{"precision", "fp8"}};
    const auto trainer = Trainer::create(std::move(*document), options);
    QVERIFY(!trainer.ok());
    QCOMPARE(QString::fromStdString(trainer.error().message), QStringLiteral("precision is fp8, expected float32 or bf16"));
  }
};

QTEST_APPLESS_MAIN(TestPrecision)
#include "tst_precision.moc"
