// Numbers computed beside a training: samples, gradient norms, schedules, pipelines; facts about shapes and state.
#include <QTest>
#include <atomic>
#include <cmath>

#include "weft/builder.h"
#include "weft/preview.h"
#include "weft/shape_facts.h"
#include "weft/state_changes.h"
#include "weft/templates.h"

using namespace weft;

namespace {

struct Network {
  MetaGraph meta;
  GraphBuilder b{meta};
  Output variable(const char* name, const Tensor& value) {
    const Output v = b.op("VariableV2", {}, {{"shape", value.shape()}, {"dtype", value.dtype()}}, name);
    b.node("Assign", {v, b.constant(value)}, {}, std::string(name) + "/Assign");
    return v;
  }
  const Node& node(Output o) { return *meta.graph.node(o.node); }
};

const std::atomic<bool> kGoesOn{false};

}  // namespace

class PreviewTest : public QObject {
  Q_OBJECT

 private slots:
  void samplesAreRowsOfTheData() {
    const auto meta = api::buildTemplate("mlp");
    QVERIFY(meta.ok());
    const auto rows = sampleRows(*meta, {}, -1, 3);
    QVERIFY(rows.ok() && !rows->empty());
    for (const auto& [name, tensor] : *rows) QCOMPARE(tensor.dim(0), int64_t(3));
    QVERIFY(sampleRows(MetaGraph(), {}, 0, 3)->empty());
    MetaGraph other = *meta;
    auto bindings = datasetBindingsOf(other);
    (*bindings)[0].builtin.clear();
    (*bindings)[0].kind = "csv";
    (*bindings)[0].path = "nowhere.csv";
    setDatasetBindings(other, *bindings);
    const auto failed = sampleRows(other, {}, 0, 3);
    QVERIFY(!failed.ok() && failed.error().toString().find("nowhere.csv") != std::string::npos);
  }

  void gradientsHaveTheNormOfAStep() {
    Network n;
    const Output w = n.variable("w", Tensor::vector<float>({3, 4}));
    n.b.node("ApplyGradientDescent", {w, n.b.scalar(0.1f), n.b.op("Identity", {w})}, {}, "train");
    QVERIFY(n.b.ok());
    const auto norms = measureGradientNorms(n.meta, {}, {});
    QVERIFY2(norms.ok(), norms.ok() ? "" : norms.error().toString().c_str());
    QCOMPARE(norms->size(), size_t(1));
    QCOMPARE((*norms)[0].variable, std::string("w"));
    QCOMPARE((*norms)[0].norm, 5.0);
    QCOMPARE(measureGradientNorms(MetaGraph(), {}, {}).error().kind, std::string("no_gradients"));
  }

  void aScheduleFollowsItsStep() {
    Network n;
    const Output step = n.variable("global_step", Tensor::scalar(int64_t(7)));
    const Output rate = n.b.op("Mul", {n.b.scalar(0.5f), n.b.cast(n.b.identity(step), DType::Float)}, {}, "rate");
    const Output w = n.variable("w", Tensor::scalar(1.0f));
    n.b.node("ApplyGradientDescent", {w, rate, n.b.op("Identity", {w})}, {}, "train");
    const Output row = n.b.constant(Tensor::vector<float>({1, 2}), "row");
    QVERIFY(n.b.ok());
    SimulatedSchedule said;
    QVERIFY(simulateSchedule(n.meta, {}, 4, kGoesOn, &said).ok());
    QCOMPARE(said.tensor, std::string("rate:0"));
    QCOMPARE(said.step, std::string("global_step"));
    QCOMPARE(said.points.size(), size_t(5));
    for (const auto& [at, value] : said.points) QCOMPARE(value, 0.5 * double(at));
    QVERIFY(changesWithSteps(n.meta, n.node(rate)) && !changesWithSteps(n.meta, n.node(w)));
    // A long one has fewer points.
    QVERIFY(simulateSchedule(n.meta, "rate", 100'000, kGoesOn, &said).ok());
    QCOMPARE(said.points.size(), size_t(2000));
    QCOMPARE(said.points.back(), std::pair(int64_t(100'000), 50'000.0));
    QCOMPARE(simulateSchedule(n.meta, "row", 4, kGoesOn, &said).error().kind, std::string("not_scalar"));
    QCOMPARE(simulateSchedule(n.meta, "nobody", 4, kGoesOn, &said).code(), Code::NotFound);
    QCOMPARE(simulateSchedule(MetaGraph(), {}, 4, kGoesOn, &said).error().kind, std::string("no_optimizer"));
    QCOMPARE(n.node(row).name, std::string("row"));
  }

  void pipelinesRunForAValue() {
    Network n;
    const std::vector<DType> types{DType::Float};
    const Output queue = n.b.op("FIFOQueueV2", {}, {{"component_types", types}, {"capacity", int64_t(4)}}, "q"),
                 empty = n.b.op("FIFOQueueV2", {}, {{"component_types", types}, {"capacity", int64_t(4)}}, "empty");
    const Output count = n.variable("count", Tensor::scalar(1.0f));
    n.b.node("QueueEnqueueV2", {queue, n.b.identity(count)}, {{"Tcomponents", types}}, "put");
    const Output got = n.b.op("QueueDequeueV2", {queue}, {{"component_types", types}}, "got"),
                 never = n.b.op("QueueDequeueV2", {empty}, {{"component_types", types}}, "never");
    QVERIFY2(n.b.ok(), n.b.ok() ? "" : n.b.status().error().toString().c_str());
    auto session = Session::create(n.meta.graph, {});
    QVERIFY(session.ok());
    PipelineFeeder feeder(n.meta, **session);
    const std::set<int> own = nodesNeededBy(n.meta.graph, got.node), sources = feeder.withSources(own);
    QVERIFY(PipelineFeeder::readsPipeline(n.meta.graph, own) && !own.count(count.node) && sources.count(count.node));
    PreviewFeeds feeds;
    QVERIFY(feeder.start(sources, own, feeds).ok());
    const auto value = (*session)->run({}, {"got:0"});
    QVERIFY(value.ok());
    QCOMPARE((*value)[0].asDouble(0), 1.0);
    feeder.stop();
    QVERIFY(feeder.failure().ok());
    const std::set<int> lost = nodesNeededBy(n.meta.graph, never.node);
    const Status refused = PipelineFeeder(n.meta, **session).start(lost, lost, feeds);
    QCOMPARE(refused.error().kind, std::string("no_enqueue"));
    QCOMPARE(refused.error().node, std::string("empty"));
  }

  void stateThatOutlivesAStepIsNamed() {
    Network n;
    const std::vector<DType> types{DType::Float};
    const Output queue = n.b.op("FIFOQueueV2", {}, {{"component_types", types}}, "q"), w = n.variable("w", Tensor::scalar(1.0f));
    const Output noise = n.b.op("RandomUniform", {n.b.ints({2})}, {{"dtype", DType::Float}}, "noise");
    const int put = n.b.node("QueueEnqueueV2", {queue, n.b.identity(w)}, {{"Tcomponents", types}}, "put");
    QVERIFY(n.b.ok());
    const Graph& g = n.meta.graph;
    const StateChange assigned = stateChangeOf(g, *g.find("w/Assign")), filled = stateChangeOf(g, *g.node(put));
    QCOMPARE(assigned.objects.size(), size_t(1));
    QVERIFY(assigned.objects[0].maker == g.find("w") && assigned.objects[0].part == StateChange::Part::Value);
    QVERIFY(filled.objects[0].maker == g.find("q") && filled.objects[0].part == StateChange::Part::Elements);
    QVERIFY(stateChangeOf(g, n.node(noise)).other == StateChange::Other::RandomStream);
    QVERIFY(!stateChangeOf(g, n.node(w)).any() && !stateChangeOf(g, n.node(queue)).any());
  }

  void shapesGiveFansAndPadding() {
    Network n;
    const Output image = n.b.placeholder(DType::Float, Shape{1, 28, 27, 1}, "image"),
                 kernel = n.b.op("VariableV2", {}, {{"shape", Shape{5, 5, 1, 6}}, {"dtype", DType::Float}}, "kernel");
    const std::vector<int64_t> two{1, 2, 2, 1};
    const auto convolved = [&](const char* padding) { return n.b.op("Conv2D", {image, n.b.identity(kernel)}, {{"strides", two}, {"padding", padding}}); };
    const Output same = convolved("SAME"), valid = convolved("VALID");
    QVERIFY(n.b.ok());
    const auto fans = weightFans(n.node(kernel));
    QVERIFY(fans && fans->in == 25 && fans->out == 150);
    QCOMPARE(fans->heDeviation(), std::sqrt(2 / 25.0));
    const auto s = windowFacts(n.meta.graph, n.node(same)), v = windowFacts(n.meta.graph, n.node(valid));
    QVERIFY(s && s->same && v && !v->same);
    QVERIFY(s->axes[0]->out == 14 && s->axes[0]->padBefore == 1 && s->axes[0]->padAfter == 2);
    QVERIFY(v->axes[0]->out == 12 && v->axes[0]->ignored == 1 && v->axes[1]->out == 12 && v->axes[1]->ignored == 0);
    QVERIFY(!weightFans(n.node(image)) && !windowFacts(n.meta.graph, n.node(image)) && !transposedFacts(n.meta.graph, n.node(same)));
  }
};

QTEST_APPLESS_MAIN(PreviewTest)
#include "tst_preview.moc"
