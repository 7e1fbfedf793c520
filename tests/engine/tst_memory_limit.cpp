#include <QTest>
#include <cmath>
#include <cstring>

#include "tensor/allocator.h"
#include "weft/builder.h"
#include "weft/plan_report.h"
#include "weft/session.h"

using namespace weft;

namespace {

constexpr int kLayers = 16, kWidth = 64;

/// A chain of dense layers with dropout in the middle, trained by gradient descent: fetch "loss", target "train". Initialised by "init".
MetaGraph chain(bool hint = false, bool resource = false) {
  MetaGraph meta;
  GraphBuilder b(meta);
  b.setGraphSeed(5);
  std::vector<int> inits;
  std::vector<Output> weights, handles;
  const Output x = b.placeholder(DType::Float, Shape{-1, kWidth}, "x");
  Output h = x;
  for (int i = 0; i < kLayers; ++i) {
    const auto scope = b.nameScope(concat("layer", i));
    Tensor start = Tensor::zeros(DType::Float, {kWidth, kWidth});
    for (int k = 0; k < kWidth * kWidth; ++k) start.mutableData<float>()[k] = float((k * 37 + i * 11) % 101 - 50) / 400;
    Output w;
    if (resource) {
      const Output v = b.op("VarHandleOp", {}, {{"dtype", DType::Float}, {"shape", start.shape()}, {"shared_name", concat("w", i)}, {"container", ""}}, "w");
      inits.push_back(b.node("AssignVariableOp", {v, b.constant(start)}));
      handles.push_back(v);
      w = b.op("ReadVariableOp", {v}, {{"dtype", DType::Float}});
    } else {
      const Output v = b.op("VariableV2", {}, {{"dtype", DType::Float}, {"shape", start.shape()}}, "w");
      inits.push_back(b.node("Assign", {v, b.constant(start)}));
      handles.push_back(v);
      w = b.identity(v, "read");
    }
    weights.push_back(w);
    const AttrMap hints = hint ? AttrMap{{"_recompute_hint", int64_t(1)}} : AttrMap{};  // on both: to keep one in place of the other would save nothing
    h = b.op("Tanh", {b.op("MatMul", {h, w}, hints)}, hints);
    if (i == kLayers / 2) {
      const auto seeds = b.seedsFor(std::nullopt);
      const Output noise = b.op("RandomUniform", {b.op("Shape", {h})}, {{"dtype", DType::Float}, {"seed", seeds.first}, {"seed2", seeds.second}});
      h = b.op("Mul", {h, b.op("Floor", {b.op("Add", {noise, b.scalar(0.9f)})})});
    }
  }
  const Output loss = b.op("Mean", {b.op("Square", {b.op("Sub", {h, x})}), b.ints({0, 1})}, {}, "loss");
  const auto gradients = addGradients(b, {loss}, weights);
  if (!gradients.ok()) qFatal("%s", gradients.error().toString().c_str());
  std::vector<int> updates;
  for (int i = 0; i < kLayers; ++i)
    updates.push_back(
        b.node(resource ? "ResourceApplyGradientDescent" : "ApplyGradientDescent", {handles[size_t(i)], b.scalar(0.5f), (*gradients)[size_t(i)].dense}));
  b.noOp(updates, "train");
  b.noOp(inits, "init");
  if (!b.ok()) qFatal("%s", b.status().toString().c_str());
  return meta;
}

Tensor batch(int rows) {
  Tensor t = Tensor::zeros(DType::Float, {rows, kWidth});
  for (int i = 0; i < rows * kWidth; ++i) t.mutableData<float>()[i] = std::sin(float(i));
  return t;
}

struct Training {
  std::unique_ptr<Session> session;
  Callable step;
  std::vector<float> losses;
  Status status;

  PlannedMemory memory() const { return report().memory; }
  PlanReport report() const {
    auto r = planReport(*session, [](const auto& fetches, const auto&) { return !fetches.empty(); });
    return r.ok() ? *r : PlanReport();
  }
  std::vector<Tensor> weights() const {
    std::vector<Tensor> out;
    for (const auto& [name, value] : session->variables()) out.push_back(value);
    return out;
  }
};

Training trained(const MetaGraph& meta, const SessionOptions& options, int rows = 1024, int steps = 4) {
  Training t;
  auto session = Session::create(meta.graph, options);
  if (!session.ok()) {
    t.status = session.error();
    return t;
  }
  t.session = std::move(*session);
  if (auto r = t.session->run({}, {}, {"init"}); !r.ok()) qFatal("%s", r.error().toString().c_str());
  auto step = t.session->prepare({"x"}, {"loss"}, {"train"});
  if (!step.ok()) qFatal("%s", step.error().toString().c_str());
  t.step = *step;
  for (int i = 0; i < steps; ++i) {
    auto r = t.step.run(std::vector<Tensor>{batch(rows)});
    if (!r.ok()) {
      t.status = r.error();
      return t;
    }
    t.losses.push_back(r->front().at<float>(0));
  }
  return t;
}

SessionOptions limited(size_t bytes) {
  SessionOptions options;
  options.memoryLimitBytes = int64_t(bytes);
  return options;
}

bool sameWeights(const Training& a, const Training& b) {
  const auto left = a.weights(), right = b.weights();
  for (size_t i = 0; i < left.size(); ++i)
    if (std::memcmp(left[i].raw(), right[i].raw(), left[i].bytes()) != 0) return false;
  return left.size() == right.size();
}

}  // namespace

/// SessionOptions::memoryLimitBytes: a step fits, computing values again, or is refused.
class MemoryLimitTest : public QObject {
  Q_OBJECT

 private slots:
  void aStepThatFitsIsLeftAlone() {
    const Training free = trained(chain(), {});
    QVERIFY(free.status.ok());
    const PlannedMemory m = free.memory();
    QVERIFY(m.known && m.limit == 0 && m.again == 0);
    QVERIFY(m.held > size_t(kLayers) * kWidth * kWidth * 4);
    const Training t = trained(chain(), limited(m.bytes));
    QVERIFY(t.status.ok());
    QCOMPARE(t.memory().again, 0);
    QCOMPARE(t.losses, free.losses);
  }

  /// The prediction that limits rest on is close to what a run finds.
  void thePredictionIsTheMemoryOfTheRun() {
    const Training t = trained(chain(), {});
    const PlanReport r = t.report();
    const double predicted = double(r.memory.bytes - r.memory.held), found = double(r.arenaBytes);
    QVERIFY2(predicted >= found * 0.98 && predicted <= found * 1.1, qPrintable(QStringLiteral("%1, found %2").arg(predicted).arg(found)));
  }

  void everyLimitTrainsWithTheSameBitsOrIsRefused() {
    for (const bool resource : {false, true}) {
      const MetaGraph meta = chain(false, resource);
      const Training free = trained(meta, {});
      const PlannedMemory m = free.memory();
      int fit = 0, refused = 0;
      for (int k = 1; k <= 20; ++k) {
        const size_t limit = m.bytes * size_t(k) / 20;
        const size_t before = hostAllocator().bytesInUse();
        hostAllocator().resetPeak();
        const Training t = trained(meta, limited(limit));
        const size_t peak = hostAllocator().peakBytes() - before;
        if (!t.status.ok()) {
          ++refused;
          QVERIFY(t.status.code() == Code::ResourceExhausted);
          QVERIFY(t.losses.empty());
          continue;
        }
        ++fit;
        QCOMPARE(t.losses, free.losses);
        QVERIFY(sameWeights(t, free));
        QVERIFY(t.memory().bytes <= limit);
        QVERIFY(t.memory().held + t.report().arenaBytes <= limit);
        // The allocator's blocks are up to a quarter larger than what is asked for. The first step included.
        QVERIFY2(double(peak) <= 1.25 * double(limit) + 65536, qPrintable(QStringLiteral("%1 of %2").arg(peak).arg(limit)));
      }
      QVERIFY2(fit >= 10, qPrintable(QString::number(fit)));  // down to half
      QVERIFY(refused >= 2);
    }
  }

  void aRefusalNamesTheLimitTheLeastAndTheLargestTensors() {
    const Training t = trained(chain(), limited(2 << 20));
    const QString text = QString::fromStdString(t.status.error().toString());
    for (const char* part : {"The step needs at least ", "more than the memory limit of 2.00 MB", "variables, constants and fed values",
                             "the largest tensors at its peak are layer", "[1024,64] float 256 kB", "if nothing is computed again"})
      QVERIFY2(text.contains(QLatin1String(part)), qPrintable(text));
    QVERIFY(!text.contains(u'\n'));
  }

  void theFirstRefusedStepChangesNothing() {
    const Training t = trained(chain(), limited(2 << 20));
    const Training fresh = trained(chain(), {}, 8, 0);
    QVERIFY(!t.status.ok());
    QVERIFY(sameWeights(t, fresh));
  }

  void copiesAreNamedAfterTheirNodes() {
    const PlannedMemory m = trained(chain(), {}).memory();
    const Training t = trained(chain(), limited(m.bytes * 6 / 10));
    QVERIFY2(t.status.ok(), t.status.ok() ? "" : t.status.error().toString().c_str());
    QVERIFY(t.memory().again > 0);
    int copies = 0;
    for (const PlannedStep& s : t.report().steps) {
      if (!QString::fromStdString(s.name).endsWith(QLatin1String("/recomputed"))) continue;
      ++copies;
      QVERIFY(s.op != "RandomUniform" && s.op.find("Apply") == std::string::npos);
    }
    QCOMPARE(copies, t.memory().again);
    RunOptions traced;
    traced.trace = true;
    RunReport report;
    QVERIFY(t.step.run(std::vector<Tensor>{batch(1024)}, traced, &report).ok());
    int named = 0;
    for (const TraceEvent& e : report.trace->events) named += QString::fromStdString(e.name).endsWith(QLatin1String("/recomputed"));
    QCOMPARE(named, copies);
    QVERIFY(QString::fromStdString(t.step.explain()).contains(QStringLiteral("recomputation: %1 nodes computed again").arg(copies)));
  }

  /// Each shape of the feeds has its plan; with more of them than are kept, the limit still holds.
  void otherBatchesHaveOtherPlans() {
    const PlannedMemory m = trained(chain(), {}).memory();
    const Training t = trained(chain(), limited(m.bytes * 7 / 10), 1024, 1);
    QVERIFY(t.status.ok());
    for (int rows = 100; rows <= 1100; rows += 100) {
      const auto r = t.step.run(std::vector<Tensor>{batch(rows)});
      QVERIFY2(r.ok(), r.ok() ? "" : r.error().toString().c_str());
    }
    const auto large = t.step.run(std::vector<Tensor>{batch(8192)});
    QVERIFY(!large.ok() && large.error().code == Code::ResourceExhausted);
    QVERIFY(t.step.run(std::vector<Tensor>{batch(1024)}).ok());
  }

  /// What a plan keeps for its next run is freed for another one.
  void anEvaluationBetweenStepsFitsToo() {
    const PlannedMemory m = trained(chain(), {}).memory();
    const Training t = trained(chain(), limited(m.bytes * 7 / 10), 1024, 2);
    const size_t before = hostAllocator().bytesInUse();
    const auto loss = t.session->run({{"x", batch(1024)}}, {"loss"});
    QVERIFY2(loss.ok(), loss.ok() ? "" : loss.error().toString().c_str());
    QVERIFY(hostAllocator().bytesInUse() < before);
    QVERIFY(t.step.run(std::vector<Tensor>{batch(1024)}).ok());
  }

  void onlyHintedNodesOnDemand() {
    const Training free = trained(chain(true), {});
    SessionOptions options;
    options.recomputation = Recomputation::Hinted;
    const Training none = trained(chain(false), options);
    QCOMPARE(none.memory().again, 0);
    const Training t = trained(chain(true), options);
    QVERIFY(t.status.ok());
    QVERIFY(t.memory().again > 0);
    QVERIFY(t.memory().bytes < free.memory().bytes);
    QCOMPARE(t.losses, free.losses);
    options.recomputation = Recomputation::Cheap;
    const Training cheap = trained(chain(false), options);
    QCOMPARE(cheap.losses, free.losses);
    options.recomputation = Recomputation::Never;
    options.memoryLimitBytes = int64_t(free.memory().bytes * 8 / 10);
    QVERIFY(trained(chain(), options).status.code() == Code::ResourceExhausted);
  }

  void withoutThePassALimitIsStillKept() {
    const PlannedMemory m = trained(chain(), {}).memory();
    SessionOptions options = limited(m.bytes / 2);
    options.disabledPasses = {"recomputation"};
    const Training t = trained(chain(), options);
    QVERIFY(t.status.code() == Code::ResourceExhausted);
    QVERIFY(QString::fromStdString(t.status.error().toString()).contains(QLatin1String("which the memory limit of")));
  }

  /// Frames of loops and branches are not rewritten, but stopped at the limit.
  void branchesStopAtTheLimit() {
    MetaGraph meta;
    GraphBuilder b(meta);
    const Output x = b.placeholder(DType::Float, Shape{-1, kWidth}, "x");
    const int s = b.node("Switch", {x, b.placeholder(DType::Bool, Shape{}, "p")}, {});
    Output h{s, 1};
    std::vector<Output> all;
    for (int i = 0; i < 8; ++i) all.push_back(h = b.op("Exp", {h}));
    b.op("AddN", {all}, {}, "out");
    QVERIFY(b.ok());
    auto session = Session::create(meta.graph, limited(1 << 20));
    QVERIFY(session.ok());
    const auto run = [&](int rows) { return (*session)->run({{"x", batch(rows)}, {"p", Tensor::scalar(true)}}, {"out"}); };
    QVERIFY(run(64).ok());
    const auto r = run(2048);
    QVERIFY(!r.ok() && r.error().code == Code::ResourceExhausted);
    QVERIFY2(r.error().message.find("memory limit of 1.00 MB") != std::string::npos, r.error().message.c_str());
  }

  void sizesAreReadAsPeopleWriteThem() {
    const auto bytes = [](const char* text) { return memoryLimitOf(text).ok() ? *memoryLimitOf(text) : -1; };
    QCOMPARE(bytes("1000000"), 1000000);
    QCOMPARE(bytes("64K"), 65536);
    QCOMPARE(bytes("512m"), 512 << 20);
    QCOMPARE(bytes("1.5G"), int64_t(3) << 29);
    QCOMPARE(bytes("1GB"), int64_t(1) << 30);
    QCOMPARE(bytes("1GiB"), int64_t(1) << 30);
    QCOMPARE(bytes("4096B"), 4096);
    for (const char* wrong : {"", "abc", "-1", "-2G", "G", "1X", "1GG", "1 G", "1e9", "0x10", "nan", "inf", "1.2.3", "12345678901234567890123"}) {
      const auto r = memoryLimitOf(wrong);
      QVERIFY2(!r.ok() && r.error().message.find("expected one such as 2G") != std::string::npos, wrong);
    }
    QVERIFY(!memoryLimitOf("0").ok() && memoryLimitOf("0").error().message.find("at least one byte") != std::string::npos);
    QVERIFY(!memoryLimitOf("900T").ok() && memoryLimitOf("900T").error().message.find("more than this machine has") != std::string::npos);
    QVERIFY(!Session::create(MetaGraph().graph, limited(size_t(-1))).ok());
  }

  void bytesForPeople() {
    QCOMPARE(memoryText(12), std::string("12 bytes"));
    QCOMPARE(memoryText(2048), std::string("2.00 kB"));
    QCOMPARE(memoryText(size_t(812) << 20), std::string("812 MB"));
    QCOMPARE(memoryText(size_t(3) << 29), std::string("1.50 GB"));
  }
};

QTEST_GUILESS_MAIN(MemoryLimitTest)
#include "tst_memory_limit.moc"
