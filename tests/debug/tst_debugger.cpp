#include <QTest>
#include <condition_variable>
#include <thread>

#include "debug/condition.h"
#include "weft/debugger.h"
#include "weft/session.h"

using namespace weft;

namespace {

const std::vector<std::pair<std::string, Tensor>> kFeed = {{"x:0", Tensor::vector<float>({1, 2, 3})}};

/// Runs the loop graph in a separate thread, under a debugger that the tests control.
class Bench {
 public:
  explicit Bench(Debugger::Options options = {}) {
    auto loaded = loadGraphFile(WEFT_DEBUG_DATA "/loop.pb");
    if (!loaded.ok()) qFatal("%s", loaded.error().toString().c_str());
    auto s = Session::create(loaded->meta.graph);
    if (!s.ok()) qFatal("%s", s.error().toString().c_str());
    session = std::move(*s);
    if (auto r = session->run({}, {}, {"init"}); !r.ok()) qFatal("%s", r.error().toString().c_str());
    options.changed = [this] {
      const std::lock_guard lock(mutex);
      ++changes;
      wake.notify_all();
    };
    options.log = [this](const std::string& line) { lines.push_back(line); };
    debugger = std::make_unique<Debugger>(std::move(options));
  }
  ~Bench() { end(); }
  void start(std::vector<std::string> fetches = {"rnn/Exit:0", "rnn/Exit_1:0", "loss:0"}, std::vector<std::string> targets = {"train"}) {
    end();
    thread = std::thread([this, fetches, targets] {
      RunOptions options;
      options.controller = debugger.get();
      result = std::make_unique<Result<std::vector<Tensor>>>(session->run(kFeed, fetches, targets, options));
    });
    started = true;
    settle();
  }
  /// Waits until the run has stopped or ended.
  DebugView settle() {
    std::unique_lock lock(mutex);
    for (;;) {
      lock.unlock();
      DebugView v = debugger->view();
      lock.lock();
      const bool running = v.phase == DebugPhase::Running || v.phase == DebugPhase::Idle;
      if (!running) return v;
      const int now = changes;
      wake.wait_for(lock, std::chrono::milliseconds(20), [&] { return changes != now; });
    }
  }
  DebugView give(const Status& status) {
    if (!status.ok()) qFatal("%s", status.toString().c_str());
    // The engine's thread goes on a moment after the command.
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    return settle();
  }
  void end() {
    if (!started) return;
    debugger->stop();
    thread.join();
    started = false;
  }
  float number(const char* tensor, int i = 0) {
    const auto v = debugger->value(tensor);
    if (!v.ok()) qWarning("%s", v.error().toString().c_str());
    return v.ok() ? float(v->tensor.asDouble(i)) : NAN;
  }

  std::unique_ptr<Session> session;
  std::unique_ptr<Debugger> debugger;
  std::unique_ptr<Result<std::vector<Tensor>>> result;
  std::vector<std::string> lines;

 private:
  std::mutex mutex;
  std::condition_variable wake;
  int changes = 0;
  std::thread thread;
  bool started = false;
};

Breakpoint at(const char* place, const char* condition = "", const char* log = "", int64_t fromHit = 1) {
  Breakpoint b;
  b.place = place;
  b.condition = condition;
  b.log = log;
  b.fromHit = fromHit;
  return b;
}

void add(Debugger& debugger, Breakpoint breakpoint) {
  if (const auto id = debugger.setBreakpoint(std::move(breakpoint)); !id.ok()) qFatal("%s", id.error().toString().c_str());
}

Debugger::Options freely(int64_t keepBytes = 512 << 20) {
  Debugger::Options options;
  options.stopAtEntry = false;
  options.keepBytes = keepBytes;
  return options;
}

class Values : public ConditionScope {
 public:
  std::map<std::pair<Quantity, std::string>, double> known;
  std::optional<double> value(Quantity q, const std::string& tensor) override {
    const auto it = known.find({q, tensor});
    return it == known.end() ? std::nullopt : std::optional<double>(it->second);
  }
};

}  // namespace

/// Breakpoints, steps there and back, values, changes, and where NaN come from.
class DebuggerTest : public QObject {
  Q_OBJECT

 private slots:
  void conditions_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<bool>("holds");
    const std::pair<const char*, bool> rows[] = {{"", true},
                                                 {"has nan", true},
                                                 {"has inf", false},
                                                 {"has non-finite", true},
                                                 {"abs max > 1e3", true},
                                                 {"abs max > 1e+4", false},
                                                 {"max<=-1 or step == 400", true},
                                                 {"not step = 400", false},
                                                 {"mean(conv1/Relu:0) < 0.5 and not has inf", true},
                                                 {"(has inf or has nan) && iteration != 5", false},
                                                 {"conv1/Relu:0 == 7", true},
                                                 {"shape changed", false},
                                                 {"std > 0", false}};
    for (const auto& [text, holds] : rows) QTest::newRow(text) << QString::fromLatin1(text) << holds;
  }
  void conditions() {
    QFETCH(QString, text);
    QFETCH(bool, holds);
    Values v;
    v.known = {
        {{Quantity::NanCount, ""}, 2},    {{Quantity::InfCount, ""}, 0},  {{Quantity::AbsMax, ""}, 2000},           {{Quantity::Max, ""}, 5},
        {{Quantity::Step, ""}, 400},      {{Quantity::Iteration, ""}, 5}, {{Quantity::Mean, "conv1/Relu:0"}, 0.25}, {{Quantity::Value, "conv1/Relu:0"}, 7},
        {{Quantity::ShapeChanged, ""}, 0}};
    const auto c = Condition::parse(text.toStdString());
    QVERIFY2(c.ok(), c.ok() ? "" : c.error().message.c_str());
    QCOMPARE(c->holds(v), holds);
  }

  void conditionsThatMeanNothingSayWhere_data() {
    QTest::addColumn<QString>("message");
    QTest::newRow("max >") << "condition: it ends where a number was expected";
    QTest::newRow("max > many") << "condition, column 7: expected a number, got \"many\"";
    QTest::newRow("has cheese") << "condition, column 5: expected \"nan\", \"inf\" or \"non-finite\", got \"cheese\"";
    QTest::newRow("(min < 1") << "condition: it ends where \")\" was expected";
    QTest::newRow("min 3") << "condition, column 5: expected a comparison (==, !=, <, <=, >, >=), got \"3\"";
    QTest::newRow("has nan max") << "condition, column 9: expected \"and\", \"or\" or the end, got \"max\"";
    QTest::newRow("min # 3") << "condition, column 5: \"#\" is not understood";
  }
  void conditionsThatMeanNothingSayWhere() {
    QFETCH(QString, message);
    const auto c = Condition::parse(QTest::currentDataTag());
    QVERIFY(!c.ok());
    QCOMPARE(QString::fromStdString(c.error().message), message);
  }

  void stepsOfATrainingThatCannotHoldAreKnown() {
    Debugger d({});
    add(d, at("loss:0", "step == 400 and has nan"));
    QVERIFY(d.wantsStep(1));  // stops at the entry
    Debugger e(freely());
    QVERIFY(!e.wantsStep(1));
    add(e, at("loss:0", "step == 400 and has nan"));
    QVERIFY(!e.wantsStep(399) && e.wantsStep(400));
    add(e, at("loss:0", "has nan"));
    QVERIFY(e.wantsStep(1));
  }

  void stopsAtTheFirstOpAndStepsOn() {
    Bench b;
    b.start();
    DebugView v = b.debugger->view();
    QCOMPARE(v.phase, DebugPhase::Stopped);
    QCOMPARE(v.stop.index, int64_t(0));
    QVERIFY(v.stop.reason == StopReason::Entry);
    QVERIFY(!v.whyNotBack.empty());
    const std::string first = v.stop.name;
    v = b.give(b.debugger->stepOp());
    QCOMPARE(v.stop.index, int64_t(1));
    QVERIFY(v.stop.name != first);
    QVERIFY(b.debugger->value(first).ok() || b.debugger->value(first).error().code == Code::NotFound);
    v = b.give(b.debugger->resume());
    QCOMPARE(v.phase, DebugPhase::Ended);
    QVERIFY(v.error.empty());
    QVERIFY(b.debugger->resume().code() == Code::FailedPrecondition);
    QCOMPARE(b.number("loss:0") > 4, true);  // values stay readable
  }

  void stopsInIterationFiveAndGoesBackToFour() {
    Bench b(freely());
    QVERIFY(b.debugger->setBreakpoint(at("rnn/cell/tanh", "iteration == 5")).ok());
    b.start();
    DebugView v = b.settle();
    QCOMPARE(v.stop.name, std::string("rnn/cell/tanh"));
    QCOMPARE(v.stop.loops.size(), size_t(1));
    QCOMPARE(v.stop.loops[0].iteration, int64_t(5));
    QCOMPARE(b.number("rnn/Identity:0"), 5.0f);
    const float h5 = b.number("rnn/Identity_1:0");
    v = b.give(b.debugger->goToIteration(4));
    QCOMPARE(v.stop.loops[0].iteration, int64_t(4));
    QCOMPARE(v.stop.name, std::string("rnn/cell/tanh"));
    QCOMPARE(b.number("rnn/Identity:0"), 4.0f);
    const float h4 = b.number("rnn/Identity_1:0");
    QVERIFY(h4 != h5);
    const auto times = b.debugger->values("rnn/Identity_1:0");
    QVERIFY(times.ok());
    QCOMPARE(times->size(), size_t(5));
    v = b.give(b.debugger->stepBack());
    QVERIFY(v.stop.name != "rnn/cell/tanh");
    v = b.give(b.debugger->goToIteration(6));
    QCOMPARE(v.stop.loops[0].iteration, int64_t(6));
    v = b.give(b.debugger->goToIteration(60));
    QVERIFY(v.stop.message.find("ended before iteration 60") != std::string::npos);
    v = b.give(b.debugger->resume());
    QVERIFY(v.error.empty());
    // Nothing of all this changed the result.
    Bench plain(freely());
    plain.start();
    plain.settle();
    QCOMPARE(plain.number("loss:0"), b.number("loss:0"));
    b.end();
    plain.end();
    QVERIFY(b.session->variables().at("w").identicalTo(plain.session->variables().at("w")));
  }

  void stepsIntoOverAndOut() {
    Bench b(freely());
    add(*b.debugger, at("rnn/cell/tanh", "iteration == 2"));
    b.start();
    b.settle();
    DebugView v = b.give(b.debugger->stepOver());
    QCOMPARE(v.stop.name.substr(0, 9) == "rnn/cell/", false);
    QCOMPARE(v.stop.loops[0].iteration, int64_t(2));
    b.debugger->removeBreakpoint(1);
    v = b.give(b.debugger->runTo("rnn/cell/h:0"));
    QVERIFY(v.stop.computed);
    QCOMPARE(v.stop.loops[0].iteration, int64_t(3));
    v = b.give(b.debugger->stepInto());
    QVERIFY(v.stop.loops.size() == 1);
    v = b.give(b.debugger->stepOut());
    QVERIFY(v.stop.loops.empty());
    v = b.give(b.debugger->runTo("nowhere"));
    QCOMPARE(v.phase, DebugPhase::Ended);
    QCOMPARE(v.notReached, std::string("nowhere"));
  }

  void hitsAreCountedAndLinesWritten() {
    Bench b(freely());
    add(*b.debugger, at("rnn/cell/count:0", "", "i {value} of {rnn/Identity:0}"));
    add(*b.debugger, at("rnn/cell/tanh", "", "", 4));
    b.start();
    const DebugView v = b.settle();
    QCOMPARE(v.stop.loops[0].iteration, int64_t(3));
    QVERIFY(b.lines.size() >= 3);
    QCOMPARE(b.lines[0], std::string("i 1 of 0"));
    QCOMPARE(b.debugger->breakpoints()[1].hits, int64_t(4));
    QCOMPARE(b.debugger->setBreakpoint(at("x:y")).ok(), false);
    QCOMPARE(b.debugger->setBreakpoint(at("x", "max >")).ok(), false);
  }

  void changesAreMadeAndStayOnTheWayBack() {
    Bench b;
    b.start();
    QVERIFY(b.debugger->setValue("w", Tensor::vector<float>({0, 0, 0})).ok());
    QCOMPARE(b.debugger->setValue("w", Tensor::vector<float>({0, 0})).code(), Code::InvalidArgument);
    QCOMPARE(b.debugger->setValue("rnn/cell/tanh:0", Tensor::scalar(1)).code(), Code::InvalidArgument);
    DebugView v = b.give(b.debugger->runTo("rnn/cell/h:0"));
    QCOMPARE(b.number("rnn/cell/h:0"), 0.0f);
    QVERIFY(b.debugger->setValue("rnn/cell/h:0", Tensor::vector<float>({5, 5, 5})).ok());
    QCOMPARE(b.number("rnn/cell/h:0"), 5.0f);
    v = b.give(b.debugger->runTo("rnn/cell/mul"));
    QCOMPARE(v.stop.loops[0].iteration, int64_t(1));
    QCOMPARE(b.number("rnn/Identity_1:0"), 5.0f);
    v = b.give(b.debugger->stepBack());
    v = b.give(b.debugger->runTo("rnn/cell/mul"));
    QCOMPARE(b.number("rnn/Identity_1:0"), 5.0f);  // recomputed on the way
    QCOMPARE(b.number("w"), 0.0f);
    v = b.give(b.debugger->goToIteration(0));
    v = b.give(b.debugger->runTo("rnn/cell/h:0"));
    QCOMPARE(b.number("rnn/cell/h:0"), 0.0f);  // before the change
  }

  void readsOfAReferenceVariableMoveAlong() {
    Bench b;
    b.start({"loss:0"}, {});
    b.give(b.debugger->runTo("rnn/cell/mul/Enter"));  // w/read is computed
    QCOMPARE(b.number("w/read:0"), 1.5f);
    QVERIFY(b.debugger->setValue("w", Tensor::vector<float>({0, 0, 0})).ok());
    QCOMPARE(b.number("w/read:0"), 0.0f);
    b.give(b.debugger->runTo("rnn/cell/h:0"));
    QCOMPARE(b.number("rnn/cell/tanh:0"), 0.0f);
    b.give(b.debugger->stepBack());
    QCOMPARE(b.number("rnn/cell/tanh:0"), 0.0f);
  }

  void aFailureStopsWhereItHappens() {
    Bench b(freely());
    add(*b.debugger, at("Sum"));
    b.start();
    QVERIFY(b.debugger->setValue("Const:0", Tensor::vector<int32_t>({7})).ok());
    const DebugView v = b.give(b.debugger->resume());
    QVERIFY(v.stop.reason == StopReason::Failure);
    QCOMPARE(v.stop.name, std::string("Sum"));
    QVERIFY(!v.stop.message.empty());
    QVERIFY(b.debugger->value("rnn/Exit_1:0").ok());
    const DebugView end = b.give(b.debugger->resume());
    QCOMPARE(end.phase, DebugPhase::Ended);
    QVERIFY(!end.error.empty());
  }

  void theFirstNanIsFound() {
    Bench b;
    b.start();
    QVERIFY(b.debugger->setValue("rnn/cell/tanh:0", Tensor::vector<float>({1, NAN, 3})).ok());
    add(*b.debugger, at("*", "has nan"));
    DebugView v = b.give(b.debugger->resume());
    QCOMPARE(v.stop.name, std::string("rnn/cell/tanh"));
    v = b.give(b.debugger->runTo("loss:0"));
    while (v.phase == DebugPhase::Stopped && v.stop.name != "loss") v = b.give(b.debugger->runTo("loss:0"));
    const Autopsy a = b.debugger->autopsy("loss:0");
    QVERIFY(a.found());
    QCOMPARE(a.origin.tensor, std::string("rnn/cell/tanh:0"));
    QCOMPARE(a.origin.positions, std::vector<std::string>{"[1]"});
    QCOMPARE(a.origin.reason.text(), std::string("The value was set in the debugger"));
    QVERIFY(a.path.size() > 10);
    std::vector<std::string> sources;
    for (const auto& s : a.sources) sources.push_back(s.tensor);
    QVERIFY(std::find(sources.begin(), sources.end(), "w") != sources.end());
    QVERIFY(std::find(sources.begin(), sources.end(), "x:0") != sources.end());
    QCOMPARE(a.rows, std::vector<int64_t>{1});
    QCOMPARE(b.debugger->autopsy("rnn/Identity:0").found(), false);
  }

  void expressionsForWatches() {
    Bench b;
    b.start();
    b.give(b.debugger->runTo("loss:0"));
    QCOMPARE(*b.debugger->evaluate("rnn/Exit:0"), std::string("8"));
    QCOMPARE(*b.debugger->evaluate("x:0[1]"), std::string("2"));
    QCOMPARE(*b.debugger->evaluate("mean(x:0)"), std::string("2"));
    QCOMPARE(*b.debugger->evaluate("abs max(x:0)"), std::string("3"));
    QVERIFY(!b.debugger->evaluate("x:0[9]").ok());
    QVERIFY(!b.debugger->evaluate("cheese(x:0)").ok());
    QVERIFY(!b.debugger->evaluate("nothing:0").ok());
  }

  void oldValuesGiveWay() {
    Bench b(freely(200));
    add(*b.debugger, at("loss:0"));
    b.start();
    QVERIFY(b.debugger->view().keptBytes <= 200);
    QVERIFY(b.debugger->value("loss:0").ok());
    const auto gone = b.debugger->value("rnn/cell/tanh:0");
    QVERIFY(!gone.ok() && gone.error().message.find("not kept any more") != std::string::npos);
  }

  void statistics() {
    const Tensor t = Tensor::vector<float>({-1, 0, 3, NAN, INFINITY, -INFINITY, 0});
    const TensorStatistics s = statisticsOf(t);
    QCOMPARE(s.nans, int64_t(1));
    QCOMPARE(s.positiveInfinities, int64_t(1));
    QCOMPARE(s.negativeInfinities, int64_t(1));
    QCOMPARE(s.zeros, int64_t(2));
    QCOMPARE(s.min, -1.0);
    QCOMPARE(s.max, 3.0);
    QCOMPARE(s.mean, 0.5);
    QCOMPARE(s.std, 1.5);
    QCOMPARE(histogramOf(t, s, 4), (std::vector<int64_t>{1, 2, 0, 1}));
    QVERIFY(nonFiniteIn(t) == NonFinite::Both);
    QCOMPARE(nonFinitePositions(t, 2), (std::vector<int64_t>{3, 4}));
    QVERIFY(nonFiniteIn(Tensor::vector<double>({1, NAN})) == NonFinite::Nan);
    QVERIFY(nonFiniteIn(Tensor::vector<int32_t>({1, -1})) == NonFinite::None);
    QVERIFY(!statisticsOf(Tensor::vector<std::string>({"a"})).isNumeric);
    QCOMPARE(statisticsOf(Tensor()).elements, int64_t(0));
    std::vector<float> many(300000, -2.0f);
    many[299999] = -INFINITY;
    QVERIFY(nonFiniteIn(Tensor::vector<float>(many)) == NonFinite::Infinity);
  }

  void theNanWatchSeesOrdinaryRuns() {
    Bench b;
    NanWatch watch;
    RunOptions options;
    options.observers = {&watch};
    QVERIFY(b.session->run(kFeed, {"loss:0"}, {}, options).ok());
    QVERIFY(!watch.finding());
    QVERIFY(b.session->run({{"x:0", Tensor::vector<float>({1, NAN, 3})}}, {"loss:0"}, {}, options).ok());
    QVERIFY(watch.finding().has_value());
    watch.reset();
    QVERIFY(!watch.finding());
  }

  void aWatchEndsARunBeforeAnythingIsUpdated() {
    Bench b;
    const auto before = b.session->variables();
    NanWatch watch(true);
    RunOptions options;
    options.observers = {&watch};
    const auto run = b.session->run({{"x:0", Tensor::vector<float>({1, NAN, 3})}}, {"loss:0"}, {"train"}, options);
    QVERIFY(run.status().code() == Code::Cancelled);
    QVERIFY(watch.finding().has_value());
    QVERIFY(!watch.finding()->loops.empty() || watch.finding()->tensor.find('/') == std::string::npos);
    for (const auto& [name, value] : b.session->variables()) QVERIFY2(value.toString(100) == before.at(name).toString(100), name.c_str());
  }

  void nanAreFoundInEveryType() {
    QVERIFY(hasNan(Tensor::vector<float>({1, NAN})));
    QVERIFY(!hasNan(Tensor::vector<float>({1, INFINITY, -INFINITY})));
    QVERIFY(hasNan(Tensor::vector<double>({-std::nan(""), 2})));
    QVERIFY(!hasNan(Tensor::vector<int32_t>({1, 2})));
    QVERIFY(!hasNan(Tensor()));
    std::vector<float> many(3000000, -1.5f);
    QVERIFY(!hasNan(Tensor::vector<float>(many)));
    many[2999999] = NAN;
    QVERIFY(hasNan(Tensor::vector<float>(many)));
  }

  void letGoOfARunThatGoesOnToItsEnd() {
    Bench b;
    Breakpoint anywhere;
    anywhere.place = "*";
    QVERIFY(b.debugger->setBreakpoint(anywhere).ok());
    b.start();
    QVERIFY(b.debugger->view().phase == DebugPhase::Stopped);
    b.debugger->detach();
    QVERIFY(b.settle().phase == DebugPhase::Ended);
    QVERIFY(b.debugger->view().error.empty());
    QVERIFY(!b.debugger->wantsStep(2));
    b.end();
    QVERIFY(b.result->ok());
  }

  /// A breakpoint kept from another run begins to count again.
  void hitsBelongToTheirRun() {
    Bench b;
    Breakpoint kept;
    kept.place = "*";
    kept.hits = 7;
    QVERIFY(b.debugger->setBreakpoint(kept).ok());
    QCOMPARE(b.debugger->breakpoints().front().hits, int64_t(0));
  }

  void whatWasSetByHandIsTold() {
    Bench b;
    b.start();
    QVERIFY(b.debugger->view().setByHand.empty());
    QVERIFY(b.debugger->setValue("w", Tensor::vector<float>({0, 0, 0})).ok());
    QCOMPARE(b.debugger->view().setByHand, std::vector<std::string>{"w"});
    b.debugger->detach();
  }
};

QTEST_GUILESS_MAIN(DebuggerTest)
#include "tst_debugger.moc"
