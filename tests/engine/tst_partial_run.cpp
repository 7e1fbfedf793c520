#include <QTest>
#include <atomic>
#include <thread>

#include "support/graph_text.h"
#include "weft/graph.h"
#include "weft/partial_run.h"

using namespace weft;
using weft::tests::attr;
using weft::tests::node;

namespace {

std::string type(const std::string& key, const std::string& value = "DT_FLOAT") { return attr(key, "type: " + value); }
std::string constant(const std::string& name, float v) {
  return node(name, "Const", {}, type("dtype") + attr("value", "tensor { dtype: DT_FLOAT tensor_shape {} float_val: " + std::to_string(v) + " }"));
}
std::string placeholder(const std::string& name, const std::string& kind = "DT_FLOAT") { return node(name, "Placeholder", {}, type("dtype", kind)); }
std::string op(const std::string& name, const std::string& kind, const std::vector<std::string>& inputs, const std::string& more = "") {
  return node(name, kind, inputs, type("T") + more);
}

/// r1 = a + b, r2 = r1 · c, z = a + k; a variable v that inc and va raise; bad = CheckNumerics(log a).
std::string graphText() {
  return placeholder("a") + placeholder("b") + placeholder("c") + constant("k", 3) + constant("one", 1) + op("r1", "Add", {"a", "b"}) +
         op("r2", "Mul", {"r1", "c"}) + op("z", "Add", {"a", "k"}) + node("v", "VariableV2", {}, type("dtype") + attr("shape", "shape {}")) +
         op("init", "Assign", {"v", "one"}) + op("inc", "AssignAdd", {"v", "one"}) + op("va", "AssignAdd", {"v", "a"}) + op("log", "Log", {"a"}) +
         op("bad", "CheckNumerics", {"log"}, attr("message", "s: 'oops'")) + op("bad2", "Add", {"bad", "c"}) +
         node("e", "Placeholder", {}, type("dtype") + attr("shape", "shape { dim { size: 2 } }")) + op("ee", "Identity", {"e"});
}

std::unique_ptr<Session> sessionOf(const std::string& text, SessionOptions options = {}) {
  auto loaded = loadGraphBytes(std::make_shared<const std::string>(text), "test");
  if (!loaded.ok()) qFatal("%s", loaded.error().toString().c_str());
  auto s = Session::create(loaded->meta.graph, options);
  if (!s.ok()) qFatal("%s", s.error().toString().c_str());
  return std::move(*s);
}

using Feeds = std::vector<std::pair<std::string, float>>;
using Names = std::vector<std::string>;

std::string began(Session& s, const Names& feeds, const Names& fetches, const Names& targets = {}) {
  const auto handle = partialRunSetup(s, feeds, fetches, targets);
  return handle.ok() ? *handle : handle.error().toString();
}

/// The values of the fetches, or the error: "3, 30", "INVALID_ARGUMENT: …".
QString went(Session& s, const std::string& handle, const Feeds& feeds, const Names& fetches) {
  std::vector<std::pair<std::string, Tensor>> given;
  for (const auto& [name, v] : feeds) given.emplace_back(name, Tensor::scalar(v));
  const auto r = partialRun(s, handle, given, fetches);
  if (!r.ok()) return QString::fromStdString(r.error().toString());
  QStringList out;
  for (const Tensor& t : *r) out << QString::number(t.at<float>(0));
  return out.join(", ");
}

float variable(Session& s) { return s.variables()["v"].at<float>(0); }

#define WENT_WRONG(call, phrase)                                       \
  do {                                                                 \
    const QString said = call;                                         \
    QVERIFY2(said.contains(QStringLiteral(phrase)), qPrintable(said)); \
  } while (false)

}  // namespace

/// Runs with incremental feeds. Expectations are TensorFlow 1.15.5's behaviour.
class PartialRunTest : public QObject {
  Q_OBJECT

 private slots:
  void valuesFlowFromOneCallToTheNext() {
    auto s = sessionOf(graphText());
    const std::string h = began(*s, {"a", "b:0", "c"}, {"r1", "r2:0"});
    QCOMPARE(QString::fromStdString(h), QStringLiteral("a:0,b:0,c:0->r1:0,r2:0//1/;0"));
    QCOMPARE(went(*s, h, {{"a", 1}, {"b:0", 2}}, {"r1:0"}), QStringLiteral("3"));
    QCOMPARE(went(*s, h, {{"c:0", 6}}, {"r2"}), QStringLiteral("18"));
    WENT_WRONG(went(*s, h, {{"c", 6}}, {"r2"}), "Must run 'setup' before performing partial runs!");
  }

  void whatNeedsNoFeedIsThereAtOnce() {
    auto s = sessionOf(graphText());
    const std::string h = began(*s, {"a"}, {"k", "z", "z"});
    QCOMPARE(went(*s, h, {}, {"k"}), QStringLiteral("3"));
    QCOMPARE(went(*s, h, {{"a", 1}}, {"z", "z"}), QStringLiteral("4, 4"));
    WENT_WRONG(went(*s, h, {}, {"z"}), "Must run 'setup'");
  }

  void feedsMayAllComeBeforeTheFetches() {
    auto s = sessionOf(graphText());
    const std::string h = began(*s, {"a", "b", "c"}, {"r1", "r2"});
    QCOMPARE(went(*s, h, {{"a", 1}, {"b", 2}, {"c", 3}}, {}), QString());
    QCOMPARE(went(*s, h, {}, {"r2"}), QStringLiteral("9"));
    QCOMPARE(went(*s, h, {}, {"r1"}), QStringLiteral("3"));
  }

  void whatWaitsForAFedPlaceholderWaitsForTheFeed() {
    auto s = sessionOf(placeholder("x") + placeholder("y") + op("b", "Neg", {"y", "^x"}));
    const std::string h = began(*s, {"x", "y"}, {"b"});
    QCOMPARE(went(*s, h, {{"y", 2}}, {}), QString());
    QCOMPARE(went(*s, h, {{"x", 1}}, {"b"}), QStringLiteral("-2"));
  }

  void wrongCallsLeaveTheRunAsItWas() {
    auto s = sessionOf(graphText());
    const std::string h = began(*s, {"a", "b", "c"}, {"r1", "r2"});
    WENT_WRONG(went(*s, h, {{"a", 1}}, {"r1"}), "INVALID_ARGUMENT: Fetch b:0 can't be computed from the feeds that have been fed so far.");
    WENT_WRONG(went(*s, h, {{"b", 1}}, {"r1"}), "Fetch a:0 can't be computed");
    WENT_WRONG(went(*s, h, {{"a", 1}, {"k", 1}}, {"r1"}), "The feed k:0 was not specified in partial_run_setup.");
    WENT_WRONG(went(*s, h, {{"a", 1}, {"a:0", 1}}, {}), "The feed a:0 has already been fed.");
    WENT_WRONG(went(*s, h, {}, {"z"}), "The fetch z:0 was not specified in partial_run_setup.");
    QCOMPARE(went(*s, h, {{"a", 1}, {"b", 2}}, {"r1"}), QStringLiteral("3"));
    WENT_WRONG(went(*s, h, {}, {"r1"}), "The fetch r1:0 has already been fetched.");
    WENT_WRONG(went(*s, h, {{"a", 5}}, {}), "The feed a:0 has already been fed.");
    QCOMPARE(went(*s, h, {{"c", 2}}, {"r2"}), QStringLiteral("6"));
    WENT_WRONG(went(*s, "nobody", {}, {"r2"}), "INVALID_ARGUMENT: Must run 'setup' before performing partial runs!");
  }

  void wrongSetupsAreRefused() {
    auto s = sessionOf(graphText());
    const auto refused = [&](const Names& feeds, const Names& fetches, const Names& targets = {}) {
      return QString::fromStdString(began(*s, feeds, fetches, targets));
    };
    WENT_WRONG(refused({}, {}), "INVALID_ARGUMENT: Must specify at least one target to fetch or execute.");
    WENT_WRONG(refused({"a"}, {}), "Must specify at least one target");
    WENT_WRONG(refused({"r1", "c"}, {"r1", "r2"}), "INVALID_ARGUMENT: r1:0 is both fed and fetched.");
    WENT_WRONG(refused({"a", "a"}, {"z"}), "INVALID_ARGUMENT: Endpoint \"a:0\" fed more than once.");
    WENT_WRONG(refused({"nowhere"}, {"z"}), "nowhere");
    WENT_WRONG(refused({"a"}, {"nowhere"}), "nowhere");
    WENT_WRONG(refused({"a"}, {"z"}, {"nowhere"}), "nowhere");
  }

  void fedTensorsHideWhatComputesThem() {
    auto s = sessionOf(graphText());
    std::string h = began(*s, {"c", "r1"}, {"r2"});
    QCOMPARE(went(*s, h, {{"r1", 5}}, {}), QString());
    QCOMPARE(went(*s, h, {{"c", 2}}, {"r2"}), QStringLiteral("10"));
    // A declared feed is required even behind a fed tensor.
    h = began(*s, {"a", "b", "r1", "c"}, {"r2"});
    QCOMPARE(went(*s, h, {{"r1", 5}}, {}), QString());
    WENT_WRONG(went(*s, h, {{"c", 2}}, {"r2"}), "Fetch a:0 can't be computed");
    // A feed that nothing needs keeps the run open.
    h = began(*s, {"a", "c"}, {"z"});
    QCOMPARE(went(*s, h, {{"a", 1}}, {"z"}), QStringLiteral("4"));
    QCOMPARE(went(*s, h, {{"c", 1}}, {}), QString());
    WENT_WRONG(went(*s, h, {}, {}), "Must run 'setup'");
  }

  void targetsRunOnceAndAreDoneAtTheEnd() {
    auto s = sessionOf(graphText());
    QVERIFY(s->run({}, {}, {"init"}).ok());
    std::string h = began(*s, {"a", "b"}, {"r1"}, {"inc", "va"});
    QCOMPARE(QString::fromStdString(h), QStringLiteral("a:0,b:0->r1:0/inc,va/1/;0"));
    QCOMPARE(went(*s, h, {{"a", 5}}, {}), QString());
    QCOMPARE(went(*s, h, {{"b", 1}}, {"r1"}), QStringLiteral("6"));
    QCOMPARE(variable(*s), 7.0f);
    h = began(*s, {"a"}, {}, {"inc"});
    QCOMPARE(went(*s, h, {{"a", 1}}, {}), QString());
    QCOMPARE(variable(*s), 8.0f);
    h = began(*s, {}, {}, {"inc"});
    QCOMPARE(went(*s, h, {}, {}), QString());
    QCOMPARE(variable(*s), 9.0f);
  }

  void randomNumbersAreDrawnOnce() {
    const std::string text = placeholder("a") + placeholder("c") +
                             node("shape", "Const", {}, type("dtype", "DT_INT32") + attr("value", "tensor { dtype: DT_INT32 tensor_shape { dim {} } }")) +
                             node("random", "RandomUniform", {"shape"}, type("dtype") + type("T", "DT_INT32")) + op("first", "Add", {"random", "a"}) +
                             op("second", "Add", {"random", "c"});
    auto s = sessionOf(text);
    const std::string h = began(*s, {"a", "c"}, {"first", "second"});
    const QString first = went(*s, h, {{"a", 0}}, {"first"});
    QCOMPARE(went(*s, h, {{"c", 0}}, {"second"}), first);
  }

  void errorsOfNodesEndTheRun() {
    auto s = sessionOf(graphText());
    std::string h = began(*s, {"a", "b", "c"}, {"bad", "bad2", "r1"});
    WENT_WRONG(went(*s, h, {{"a", -1}}, {"bad"}), "oops : Tensor had NaN values");
    WENT_WRONG(went(*s, h, {{"b", 1}}, {"r1"}), "Must run 'setup'");
    // Errors of a target are reported by the last call at the latest.
    h = began(*s, {"a", "b"}, {"r1"}, {"bad"});
    const QString soon = went(*s, h, {{"a", -1}}, {});
    WENT_WRONG(soon.isEmpty() ? went(*s, h, {{"b", 1}}, {"r1"}) : soon, "oops");
    // A placeholder that the setup forgot.
    h = began(*s, {"a"}, {"r1"});
    WENT_WRONG(went(*s, h, {{"a", 1}}, {"r1"}), "You must feed a value for placeholder tensor 'b' with dtype float");
    WENT_WRONG(went(*s, h, {}, {"r1"}), "Must run 'setup'");
    h = began(*s, {"a"}, {"v"});
    WENT_WRONG(went(*s, h, {{"a", 1}}, {"v"}), "FAILED_PRECONDITION: v: Attempting to use uninitialized value v");
  }

  void typesAndShapesAreChecked() {
    auto s = sessionOf(graphText());
    std::string h = began(*s, {"e"}, {"ee"});
    auto r = partialRun(*s, h, {{"e", Tensor::vector(std::vector<float>{1, 2, 3})}}, {"ee"});
    QVERIFY(!r.ok());
    QVERIFY(r.error().message.find("Cannot feed value of shape (3,) for Tensor 'e:0', which has shape '(2,)'") != std::string::npos);
    QVERIFY(partialRun(*s, h, {{"e", Tensor::vector(std::vector<float>{1, 2})}}, {"ee"}).ok());
    h = began(*s, {"a"}, {"z"});
    r = partialRun(*s, h, {{"a", Tensor::scalar(int32_t(1))}}, {"z"});
    QVERIFY(!r.ok());
    QCOMPARE(r.error().code, Code::Internal);
    QVERIFY(r.error().message.find("Output 0 of type int32 does not match declared output type float for node {{node _recv_a_0}}") != std::string::npos);
    WENT_WRONG(went(*s, h, {{"a", 1}}, {"z"}), "Must run 'setup'");
  }

  void branchesThatAreNotTakenHaveNoValue() {
    auto s = sessionOf(placeholder("p", "DT_BOOL") + placeholder("x") + placeholder("y") + op("switch", "Switch", {"x", "p"}) + op("no", "Neg", {"switch"}) +
                       op("yes", "Exp", {"switch:1"}) + op("both", "Merge", {"no", "yes"}, attr("N", "i: 2")) + op("sum", "Add", {"both", "y"}));
    std::string h = began(*s, {"p", "x", "y"}, {"both", "sum"});
    QVERIFY(partialRun(*s, h, {{"p", Tensor::scalar(false)}}, {}).ok());
    QCOMPARE(went(*s, h, {{"x", 2}}, {"both"}), QStringLiteral("-2"));
    QCOMPARE(went(*s, h, {{"y", 5}}, {"sum"}), QStringLiteral("3"));
    h = began(*s, {"p", "x", "y"}, {"yes", "sum"});
    QVERIFY(partialRun(*s, h, {{"p", Tensor::scalar(false)}}, {}).ok());
    WENT_WRONG(went(*s, h, {{"x", 2}}, {"yes"}), "INVALID_ARGUMENT: The tensor returned for yes:0 was not valid.");
    WENT_WRONG(went(*s, h, {{"y", 5}}, {"sum"}), "Must run 'setup'");
  }

  void loopsRunWhenTheirFeedsHaveCome() {
    const std::string frame = attr("frame_name", "s: 'f'");
    auto s =
        sessionOf(placeholder("limit") + placeholder("y") + constant("zero", 0) + op("i0", "Enter", {"zero"}, frame) +
                  op("limitIn", "Enter", {"limit"}, frame + attr("is_constant", "b: true")) + op("i", "Merge", {"i0", "next"}, attr("N", "i: 2")) +
                  op("less", "Less", {"i", "limitIn"}) + node("cond", "LoopCond", {"less"}) + op("switch", "Switch", {"i", "cond"}) +
                  op("body", "Identity", {"switch:1"}) +
                  node("step", "Const", {"^body"}, type("dtype") + attr("value", "tensor { dtype: DT_FLOAT tensor_shape {} float_val: 1 }")) +
                  op("more", "Add", {"body", "step"}) + op("next", "NextIteration", {"more"}) + op("out", "Exit", {"switch"}) + op("sum", "Add", {"out", "y"}));
    std::string h = began(*s, {"limit", "y"}, {"out", "sum"});
    QCOMPARE(went(*s, h, {{"limit", 3}}, {"out"}), QStringLiteral("3"));
    QCOMPARE(went(*s, h, {{"y", 10}}, {"sum"}), QStringLiteral("13"));
    h = began(*s, {"limit"}, {"more"});
    WENT_WRONG(went(*s, h, {{"limit", 3}}, {"more"}), "lies inside the while loop");
  }

  void runsAreIndependent() {
    auto s = sessionOf(graphText());
    const std::string one = began(*s, {"a", "b"}, {"z", "r1"}), two = began(*s, {"a", "b"}, {"z", "r1"});
    QVERIFY(one != two);
    QCOMPARE(went(*s, one, {{"a", 1}}, {"z"}), QStringLiteral("4"));
    QCOMPARE(went(*s, two, {{"a", 2}}, {"z"}), QStringLiteral("5"));
    QCOMPARE(value(s->run({{"a", Tensor::scalar(7.0f)}}, {"z"})), 10.0f);
    QCOMPARE(went(*s, one, {{"b", 2}}, {"r1"}), QStringLiteral("3"));
    QCOMPARE(went(*s, two, {{"b", 2}}, {"r1"}), QStringLiteral("4"));
  }

  void callersMayShareARun() {
    auto s = sessionOf(graphText());
    for (int round = 0; round < 50; ++round) {
      const std::string h = began(*s, {"a", "b", "c"}, {"z", "r1", "r2"});
      QString first;
      std::thread other([&] { first = went(*s, h, {{"a", 1}}, {"z"}); });
      while (went(*s, h, {}, {"r1"}).contains(QStringLiteral("Fetch a:0"))) std::this_thread::yield();
      QCOMPARE(went(*s, h, {{"b", 2}}, {"r1"}), QStringLiteral("3"));
      QCOMPARE(went(*s, h, {{"c", 2}}, {"r2"}), QStringLiteral("6"));
      other.join();
      QCOMPARE(first, QStringLiteral("4"));
    }
  }

  void closingAndLeavingEndOpenRuns() {
    auto s = sessionOf(graphText());
    const std::string h = began(*s, {"a", "b"}, {"z", "r1"});
    QCOMPARE(went(*s, h, {{"a", 1}}, {"z"}), QStringLiteral("4"));
    s->close();
    WENT_WRONG(went(*s, h, {{"b", 1}}, {"r1"}), "CANCELLED: Session has been closed.");
    WENT_WRONG(QString::fromStdString(began(*s, {"a"}, {"z"})), "CANCELLED: Session has been closed.");
    s.reset();
    s = sessionOf(graphText());
    QVERIFY(partialRunSetup(*s, {"a", "b"}, {"z", "r1"}).ok());  // never continued
  }

  void waitingHasALimit() {
    SessionOptions options;
    options.operationTimeoutMs = 50;
    const std::string queue = node("q", "FIFOQueueV2", {}, attr("component_types", "list { type: DT_FLOAT }")) +
                              node("get", "QueueDequeueV2", {"q"}, attr("component_types", "list { type: DT_FLOAT }"));
    auto s = sessionOf(placeholder("a") + queue + op("sum", "Add", {"a", "get"}), options);
    const std::string h = began(*s, {"a"}, {"sum"});
    WENT_WRONG(went(*s, h, {{"a", 1}}, {"sum"}), "DEADLINE_EXCEEDED: Timed out waiting for notification");
    WENT_WRONG(went(*s, h, {}, {"sum"}), "Must run 'setup'");
  }

 private:
  static float value(const Result<std::vector<Tensor>>& r) { return r.ok() ? (*r)[0].at<float>(0) : -1; }
};

QTEST_APPLESS_MAIN(PartialRunTest)
#include "tst_partial_run.moc"
