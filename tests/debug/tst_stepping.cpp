#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>
#include <functional>
#include <set>
#include <thread>

#include "api/control_flow.h"
#include "weft/builder.h"
#include "weft/debug.h"
#include "weft/session.h"

using namespace weft;

namespace {

/// Records events, and performs the actions of `onBefore` and `onAfter`.
class Recorder : public StepController {
 public:
  std::function<StepVerdict(StepPoint&)> onBefore;
  std::function<StepVerdict(StepPoint&, const Status&)> onAfter;
  std::vector<std::string> order;  ///< "node@iteration"
  std::vector<std::string> dead_;
  std::set<std::string> planned;
  int begins = 0, ends = 0;
  std::map<std::string, Tensor> feeds;

  static std::string label(const Node& node, const std::vector<LoopPlace>& loops) {
    return loops.empty() ? node.name : node.name + "@" + std::to_string(loops.back().iteration);
  }
  void runBegins(const Graph& graph, std::span<const int> nodes) override {
    ++begins;
    order.clear();
    planned.clear();
    for (int id : nodes) planned.insert(graph.node(id)->name);
    graph_ = &graph;
  }
  void fed(Output o, const Tensor& value) override { feeds[graph_->tensorName(o)] = value; }
  StepVerdict before(StepPoint& p) override { return onBefore ? onBefore(p) : StepVerdict::Go; }
  StepVerdict after(StepPoint& p, const Status& status) override {
    order.push_back(label(p.node(), p.loops()));
    return onAfter ? onAfter(p, status) : StepVerdict::Go;
  }
  void dead(const Node& node, const std::vector<LoopPlace>& loops) override { dead_.push_back(label(node, loops)); }
  void runEnds(const Status&) override { ++ends; }

 private:
  const Graph* graph_ = nullptr;
};

Graph loopGraph() {
  auto loaded = loadGraphFile(WEFT_DEBUG_DATA "/loop.pb");
  if (!loaded.ok()) qFatal("%s", loaded.error().toString().c_str());
  return loaded->meta.graph;
}

std::unique_ptr<Session> loopSession() {
  auto s = Session::create(loopGraph());
  if (!s.ok()) qFatal("%s", s.error().toString().c_str());
  if (auto r = (*s)->run({}, {}, {"init"}); !r.ok()) qFatal("%s", r.error().toString().c_str());
  return std::move(*s);
}

const std::vector<std::pair<std::string, Tensor>> kFeed = {{"x:0", Tensor::vector<float>({1, 2, 3})}};
const std::vector<std::string> kFetches = {"rnn/Exit:0", "rnn/Exit_1:0", "loss:0"};

RunOptions under(StepController& c) {
  RunOptions options;
  options.controller = &c;
  return options;
}

std::vector<float> floats(const Tensor& t) { return {t.flat<float>().begin(), t.flat<float>().end()}; }

}  // namespace

/// Runs under a StepController: the same results, every op, values read and changed, and the way back.
class SteppingTest : public QObject {
  Q_OBJECT

 private slots:
  void trainsAsTensorFlowDoes() {
    QFile file(WEFT_DEBUG_DATA "/expected.json");
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QJsonArray steps = QJsonDocument::fromJson(file.readAll()).array();
    QCOMPARE(steps.size(), 3);
    const auto s = loopSession();
    for (const auto& step : steps) {
      Recorder r;
      const auto values = s->run(kFeed, kFetches, {"train"}, under(r));
      QVERIFY2(values.ok(), values.ok() ? "" : values.error().toString().c_str());
      const QJsonObject expected = step.toObject();
      QCOMPARE((*values)[0].at<int32_t>(0), expected["count"].toInt());
      for (int k = 0; k < 3; ++k) {
        QVERIFY(std::abs((*values)[1].at<float>(k) - expected["h"].toArray()[k].toDouble()) < 1e-5);
        QVERIFY(std::abs(s->variables().at("w").at<float>(k) - expected["w"].toArray()[k].toDouble()) < 1e-5);
      }
      QVERIFY(std::abs((*values)[2].at<float>(0) - expected["loss"].toDouble()) < 1e-5);
      QCOMPARE(r.begins, 1);
      QCOMPARE(r.ends, 1);
      QCOMPARE(floats(r.feeds.at("x:0")), (std::vector<float>{1, 2, 3}));
    }
  }

  void ordinaryRunsGiveTheSameBits() {
    const auto a = loopSession(), b = loopSession();
    for (int k = 0; k < 3; ++k) {
      Recorder r;
      const auto x = a->run(kFeed, kFetches, {"train"}, under(r)), y = b->run(kFeed, kFetches, {"train"});
      QVERIFY(x.ok() && y.ok());
      for (size_t i = 0; i < x->size(); ++i) QVERIFY((*x)[i].identicalTo((*y)[i]));
    }
    QVERIFY(a->variables().at("w").identicalTo(b->variables().at("w")));
  }

  void everyOpOfTheGraphRunsInOrder() {
    const auto s = loopSession();
    Recorder r;
    QVERIFY(s->run(kFeed, {"loss:0"}, {}, under(r)).ok());
    QVERIFY(r.planned.count("rnn/cell/tanh") && !r.planned.count("train/update_w/ApplyGradientDescent"));
    // Constants and identities too, each iteration by itself and after the one before.
    for (const char* name : {"start", "w/read", "rnn/cell/tanh@0", "rnn/cell/tanh@7", "rnn/Merge@8", "rnn/Exit_1@8", "loss"})
      QVERIFY2(std::find(r.order.begin(), r.order.end(), name) != r.order.end(), name);
    const auto at = [&](const char* name) { return std::find(r.order.begin(), r.order.end(), name) - r.order.begin(); };
    QVERIFY(at("rnn/NextIteration_1@3") < at("rnn/Merge@4"));
    QVERIFY(at("rnn/NextIteration@3") < at("rnn/Merge@4"));
    QVERIFY(std::find(r.dead_.begin(), r.dead_.end(), "rnn/cell/tanh@8") != r.dead_.end());
    Recorder again;
    QVERIFY(s->run(kFeed, {"loss:0"}, {}, under(again)).ok());
    QCOMPARE(again.order, r.order);
  }

  void valuesCanBeReadAndReplaced() {
    const auto s = loopSession();
    Recorder r;
    std::vector<float> seen;
    r.onBefore = [&](StepPoint& p) {
      if (p.node().name == "rnn/cell/h") seen.push_back((*p.input(0)).at<float>(0));
      if (p.node().name == "rnn/cell/h" && p.loops().back().iteration == 7) {
        const Output tanh = *p.graph().findOutput("rnn/cell/tanh:0");
        if (!p.setTensor(tanh, Tensor::vector<float>({10, 20, 30})).ok()) qFatal("cannot set");
        if (p.setTensor(tanh, Tensor::vector<int32_t>({1, 2, 3})).code() != Code::InvalidArgument) qFatal("took a wrong type");
        if (p.setTensor(*p.graph().findOutput("loss:0"), Tensor::scalar(1.0f)).code() != Code::NotFound) qFatal("took what is not there");
      }
      return StepVerdict::Go;
    };
    const auto v = s->run(kFeed, kFetches, {}, under(r));
    QVERIFY(v.ok());
    QCOMPARE(seen.size(), size_t(8));
    QVERIFY(std::abs((*v)[1].at<float>(1) - 20.7f) < 1e-5);
  }

  void variablesCanBeAssignedInBetween() {
    const auto s = loopSession();
    Recorder r;
    r.onBefore = [&](StepPoint& p) {
      if (p.node().name == "w/read" && !p.setVariable("w", Tensor::vector<float>({0, 0, 0})).ok()) qFatal("cannot assign");
      return StepVerdict::Go;
    };
    const auto v = s->run(kFeed, kFetches, {}, under(r));
    QVERIFY(v.ok());
    QVERIFY(std::abs((*v)[1].at<float>(0) - 0.7f) < 1e-6);  // tanh(0) + 7 · 0.1
    QCOMPARE(floats(s->variables().at("w")), (std::vector<float>{0, 0, 0}));
  }

  void aRestartSetsVariablesAndRandomStreamsBack() {
    const auto s = loopSession(), other = loopSession();
    Recorder r;
    int restarts = 0;
    std::vector<Tensor> noise;
    r.onAfter = [&](StepPoint& p, const Status&) {
      if (p.node().name == "noise/RandomUniform") noise.push_back(*p.output(0));
      if (p.node().name == "train/update_w/ApplyGradientDescent" && restarts < 2) {
        ++restarts;
        return StepVerdict::Restart;
      }
      return StepVerdict::Go;
    };
    const auto a = s->run(kFeed, kFetches, {"train"}, under(r)), b = other->run(kFeed, kFetches, {"train"});
    QVERIFY(a.ok() && b.ok());
    QCOMPARE(r.begins, 3);
    QCOMPARE(r.ends, 1);
    QCOMPARE(noise.size(), size_t(3));
    QVERIFY(noise[0].identicalTo(noise[1]) && noise[1].identicalTo(noise[2]));
    for (size_t i = 0; i < a->size(); ++i) QVERIFY((*a)[i].identicalTo((*b)[i]));
    QVERIFY(s->variables().at("w").identicalTo(other->variables().at("w")));
  }

  void endingAndFailingLeaveTheSessionUsable() {
    const auto s = loopSession();
    Recorder r;
    r.onBefore = [](StepPoint& p) { return p.node().name == "rnn/cell/tanh" ? StepVerdict::End : StepVerdict::Go; };
    const auto ended = s->run(kFeed, kFetches, {}, under(r));
    QVERIFY(!ended.ok());
    QCOMPARE(int(ended.error().code), int(Code::Cancelled));
    QCOMPARE(r.ends, 1);
    // A shape that does not fit: the op fails, its inputs are still there.
    Recorder failing;
    std::string failed;
    failing.onBefore = [](StepPoint& p) {
      if (p.node().name == "Sum" && !p.setTensor(p.node().inputs[1], Tensor::vector<int32_t>({5})).ok()) return StepVerdict::End;
      return StepVerdict::Go;
    };
    failing.onAfter = [&](StepPoint& p, const Status& status) {
      if (!status.ok() && p.input(0)->hasValue()) failed = p.node().name;
      return StepVerdict::Go;
    };
    const auto bad = s->run(kFeed, kFetches, {}, under(failing));
    QVERIFY(!bad.ok());
    QCOMPARE(failed, std::string("Sum"));
    QCOMPARE(bad.error().node, std::string("Sum"));
    Recorder good;
    QVERIFY(s->run(kFeed, kFetches, {"train"}, under(good)).ok());
  }

  /// A time limit ends an infinite loop; time spent stopped in the debugger does not count.
  void limitsCountTheRunsOwnTime() {
    const auto s = loopSession();
    Recorder slow;
    bool waited = false;
    slow.onBefore = [&](StepPoint&) {
      if (!waited) std::this_thread::sleep_for(std::chrono::milliseconds(600));
      waited = true;
      return StepVerdict::Go;
    };
    RunOptions limited = under(slow);
    limited.timeoutMs = 500;
    QVERIFY(s->run(kFeed, kFetches, {}, limited).ok());
    QVERIFY(waited);
    MetaGraph meta;
    GraphBuilder b(meta);
    using List = std::vector<Output>;
    const List out = api::whileLoop(
        b, [&](const List&) { return b.scalar(true); }, [&](const List& v) { return List{b.op("Neg", {v[0]})}; }, {b.scalar(1.f)});
    QVERIFY(b.ok());
    const auto endless = Session::create(meta.graph);
    QVERIFY(endless.ok());
    Recorder quick;
    limited = under(quick);
    limited.timeoutMs = 50;
    const auto r = (*endless)->run({}, {meta.graph.tensorName(out[0])}, {}, limited);
    QVERIFY(!r.ok());
    QCOMPARE(int(r.error().code), int(Code::DeadlineExceeded));
  }
};

QTEST_GUILESS_MAIN(SteppingTest)
#include "tst_stepping.moc"
