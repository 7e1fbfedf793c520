#include <QTest>

#include "api/control_flow.h"
#include "support/graph_text.h"
#include "weft/builder.h"
#include "weft/debug.h"
#include "weft/graph.h"
#include "weft/partial_run.h"
#include "weft/session.h"

using namespace weft;
using weft::tests::attr;
using weft::tests::node;

namespace {

const std::string kInt = attr("T", "type: DT_INT32");

/// A loop that nothing enters: m waits for n and n2, both wait for i, i for m. Nothing of it runs, and nothing of it is dead. c is there anyway.
std::string ring(const char* field = "node") {
  return node("n", "NextIteration", {"i"}, kInt, field) + node("n2", "NextIteration", {"i"}, kInt, field) +
         node("m", "Merge", {"n", "n2"}, kInt + attr("N", "i: 2"), field) + node("i", "Identity", {"m"}, kInt, field) +
         node("c", "Const", {}, attr("dtype", "type: DT_INT32") + attr("value", "tensor { dtype: DT_INT32 tensor_shape {} int_val: 7 }"), field) +
         node("after", "Identity", {"c", "^i"}, kInt, field) + node("done", "NoOp", {"^after"}, "", field);
}

/// The same beside a program that runs: p is fed, q = p + c.
std::string graphText() {
  return ring() + node("p", "Placeholder", {}, attr("dtype", "type: DT_INT32") + attr("shape", "shape {}")) + node("q", "AddV2", {"p", "c"}, kInt) +
         node("both", "AddV2", {"q", "after"}, kInt);
}

std::unique_ptr<Session> sessionOf(const std::string& text, const SessionOptions& options = {}) {
  auto loaded = loadGraphBytes(std::make_shared<const std::string>(text), "test");
  if (!loaded.ok()) qFatal("%s", loaded.error().toString().c_str());
  auto s = Session::create(loaded->meta.graph, options);
  if (!s.ok()) qFatal("%s", s.error().toString().c_str());
  return std::move(*s);
}

SessionOptions without(const char* passes) {
  SessionOptions options;
  if (*passes) options.disabledPasses = {passes};
  return options;
}

/// A StepController that lets everything pass.
class Passer : public StepController {
 public:
  void runBegins(const Graph&, std::span<const int>) override {}
  void fed(Output, const Tensor&) override {}
  StepVerdict before(StepPoint&) override { return StepVerdict::Go; }
  StepVerdict after(StepPoint&, const Status&) override { return StepVerdict::Go; }
  void dead(const Node&, const std::vector<LoopPlace>&) override {}
  void runEnds(const Status&) override {}
};

const std::vector<std::pair<std::string, Tensor>> kFeed = {{"p:0", Tensor::scalar(3)}};

template <class R>
QString errorOf(const R& r) {
  return r.ok() ? QStringLiteral("no error") : QString::fromStdString(r.error().toString());
}

}  // namespace

/// In no execution mode may a run return successfully although a requested node did not run, or ran before its dependencies.
class UnreachedTest : public QObject {
  Q_OBJECT

 private slots:
  void targetsAndFetches_data() {
    QTest::addColumn<QString>("target");
    QTest::addColumn<QString>("fetch");
    QTest::addColumn<QString>("passes");
    QTest::addColumn<bool>("stepped");
    for (const char* passes : {"", "all"}) {
      for (const bool stepped : {false, true}) {
        for (const auto& [target, fetch] : std::vector<std::pair<const char*, const char*>>{
                 {"done", ""}, {"after", ""}, {"i", ""}, {"m", ""}, {"", "after:0"}, {"", "i:0"}, {"", "m:0"}, {"", "both:0"}, {"done", "q:0"}}) {
          QTest::addRow("%s%s%s%s%s", target, fetch, *passes ? ", no passes" : "", stepped ? ", stepped" : "", *target && *fetch ? ", with more" : "")
              << QString(target) << QString(fetch) << QString(passes) << stepped;
        }
      }
    }
  }
  void targetsAndFetches() {
    QFETCH(QString, target);
    QFETCH(QString, fetch);
    QFETCH(QString, passes);
    QFETCH(bool, stepped);
    const auto s = sessionOf(graphText(), without(qPrintable(passes)));
    Passer passer;
    RunOptions options;
    if (stepped) options.controller = &passer;
    std::vector<std::string> fetches, targets;
    if (!fetch.isEmpty()) fetches = {fetch.toStdString()};
    if (!target.isEmpty()) targets = {target.toStdString()};
    const auto r = s->run(kFeed, fetches, targets, options);
    const QString error = errorOf(r);
    QVERIFY2(error.startsWith("INTERNAL: ") && error.contains("The run ended although "), qPrintable(error));
    QVERIFY2(error.contains("m waits for n and 1 more"), qPrintable(error));  // why it did not come to that
    // The session survives, and nodes that do not depend on the ring run.
    const auto q = s->run(kFeed, {"q:0"}, {}, options);
    QVERIFY2(q.ok(), qPrintable(errorOf(q)));
    QCOMPARE((*q)[0].at<int32_t>(0), 10);
  }

  void whatWaitsForAFedPlaceholderIsStepped() {
    const auto s = sessionOf(node("x", "Placeholder", {}, attr("dtype", "type: DT_FLOAT")) + node("y", "Placeholder", {}, attr("dtype", "type: DT_FLOAT")) +
                             node("b", "Neg", {"y", "^x"}, attr("T", "type: DT_FLOAT")));
    Passer passer;
    RunOptions options;
    options.controller = &passer;
    const auto r = s->run({{"x:0", Tensor::scalar(1.f)}, {"y:0", Tensor::scalar(2.f)}}, {"b:0"}, {}, options);
    QVERIFY2(r.ok(), qPrintable(errorOf(r)));
    QCOMPARE((*r)[0].at<float>(0), -2.f);
  }

  void partialRuns() {
    const auto s = sessionOf(graphText());
    const auto handle = partialRunSetup(*s, {"p:0"}, {"q:0", "both:0"}, {});
    QVERIFY2(handle.ok(), qPrintable(errorOf(handle)));
    const auto q = partialRun(*s, *handle, kFeed, {"q:0"});
    QVERIFY2(q.ok(), qPrintable(errorOf(q)));
    const QString error = errorOf(partialRun(*s, *handle, {}, {"both:0"}));
    QVERIFY2(error.startsWith("INTERNAL: ") && error.contains("both"), qPrintable(error));
  }

  void partialRunsWithTargets() {
    const auto s = sessionOf(graphText());
    const auto handle = partialRunSetup(*s, {"p:0"}, {"q:0"}, {"done"});
    QVERIFY2(handle.ok(), qPrintable(errorOf(handle)));
    const QString error = errorOf(partialRun(*s, *handle, kFeed, {"q:0"}));
    QVERIFY2(error.startsWith("INTERNAL: ") && error.contains("done"), qPrintable(error));
  }

  void callables() {
    const auto s = sessionOf(graphText());
    for (const bool asTarget : {true, false}) {
      auto c = s->prepare({"p:0"}, asTarget ? std::vector<std::string>{} : std::vector<std::string>{"after:0"},
                          asTarget ? std::vector<std::string>{"done"} : std::vector<std::string>{});
      QVERIFY2(c.ok(), qPrintable(errorOf(c)));
      for (int i = 0; i < 2; ++i) {
        const QString error = errorOf(c->run(std::vector<Tensor>{Tensor::scalar(3)}));
        QVERIFY2(error.startsWith("INTERNAL: ") && error.contains("The run ended although "), qPrintable(error));
      }
    }
  }

  void constantsHandOnWhatTheyWaitFor_data() {
    QTest::addColumn<bool>("branches");
    QTest::addColumn<bool>("computed");
    QTest::addColumn<int>("links");
    QTest::addColumn<QString>("passes");
    for (const bool branches : {false, true})
      for (const bool computed : {false, true})
        for (const int links : {0, 1, 3})
          for (const char* passes : {"", "all"}) {
            QTest::addRow("%s%s%s, %d between", computed ? "folded" : "constant", branches ? ", beside a cond" : "", *passes ? ", no passes" : "", links)
                << branches << computed << links << QString(passes);
          }
  }
  /// A constant under control dependencies on the Identity of an update: its readers run after the update.
  void constantsHandOnWhatTheyWaitFor() {
    QFETCH(bool, branches);
    QFETCH(bool, computed);
    QFETCH(int, links);
    QFETCH(QString, passes);
    MetaGraph meta;
    GraphBuilder b(meta);
    const Output large = b.placeholder(DType::Float, Shape{300, 300}, "large"), pred = b.placeholder(DType::Bool, Shape{}, "pred");
    const Output v = b.op("VariableV2", {}, {{"dtype", DType::Float}, {"shape", Shape{}}}, "v");
    const Output slow = b.op("Sum", {b.op("MatMul", {large, large}), b.ints({0, 1})});
    const Output updated = b.op("Identity", {b.op("Assign", {v, b.op("AddV2", {b.scalar(5.f), slow})})});
    Output k, before = updated;
    for (int i = 0; i < links; ++i) {
      const auto after = b.controlDependencies({before.node});
      before = b.scalar(float(i));
    }
    {
      const auto after = b.controlDependencies({before.node});
      k = b.scalar(2.f);
      if (computed) k = b.op("Neg", {k});
    }
    b.op("AssignAdd", {v, k}, {}, "z");
    std::vector<std::string> fetches{"z:0"};
    if (branches) {
      const auto out = api::cond(
          b, pred, [&] { return std::vector<Output>{b.op("Neg", {slow})}; }, [&] { return std::vector<Output>{b.scalar(1.f)}; });
      fetches.push_back(meta.graph.tensorName(out[0]));
    }
    QVERIFY2(b.ok(), b.ok() ? "" : b.status().error().toString().c_str());
    auto s = Session::create(meta.graph, without(qPrintable(passes)));
    QVERIFY(s.ok());
    for (int i = 0; i < 3; ++i) {
      const auto r = (*s)->run({{"large:0", Tensor::zeros(DType::Float, {300, 300})}, {"pred:0", Tensor::scalar(true)}}, fetches);
      QVERIFY2(r.ok(), qPrintable(errorOf(r)));
      QCOMPARE((*r)[0].at<float>(0), computed ? 3.f : 7.f);
    }
  }

  void constantsDieWithWhatTheyWaitFor_data() {
    QTest::addColumn<int>("links");
    QTest::addColumn<QString>("passes");
    for (const int links : {0, 1, 3})
      for (const char* passes : {"", "all"}) QTest::addRow("%d between%s", links, *passes ? ", no passes" : "") << links << QString(passes);
  }
  /// A constant that waits for a node on an untaken branch has no value, however many constants are between; nor has anything computed from it.
  void constantsDieWithWhatTheyWaitFor() {
    QFETCH(int, links);
    QFETCH(QString, passes);
    MetaGraph meta;
    GraphBuilder b(meta);
    const Output x = b.placeholder(DType::Float, Shape{2, 3}, "x"), pred = b.placeholder(DType::Bool, Shape{}, "pred");
    Output before = b.op("Shape", {b.op("Switch", {x, pred})});
    for (int i = 0; i < links; ++i) {
      const auto after = b.controlDependencies({before.node});
      before = b.scalar(float(i));
    }
    const auto after = b.controlDependencies({before.node});
    const Output k = b.scalar(2.f), folded = b.op("Neg", {k}), computed = b.op("Neg", {x});
    QVERIFY2(b.ok(), b.ok() ? "" : b.status().error().toString().c_str());
    auto s = Session::create(meta.graph, without(qPrintable(passes)));
    QVERIFY(s.ok());
    for (const Output o : {before, k, folded, computed}) {
      for (const bool taken : {false, true}) {
        const auto r = (*s)->run({{"x:0", Tensor::zeros(DType::Float, {2, 3})}, {"pred:0", Tensor::scalar(!taken)}}, {meta.graph.tensorName(o)});
        QVERIFY2(r.ok() == taken, qPrintable(errorOf(r)));
        if (!taken) QVERIFY2(errorOf(r).contains("Retval[0] does not have value"), qPrintable(errorOf(r)));
      }
    }
  }

  void functions_data() {
    QTest::addColumn<QString>("caller");
    const std::string types = attr("Tout", "list { type: DT_INT32 }");
    const std::string f = attr("f", "func { name: 'F' }");
    QTest::addRow("call") << QString::fromStdString(node("y", "F", {}));
    QTest::addRow("PartitionedCall") << QString::fromStdString(node("y", "PartitionedCall", {}, attr("Tin", "list {}") + types + f));
    QTest::addRow("If") << QString::fromStdString(node("y", "If", {"c"},
                                                       attr("Tcond", "type: DT_INT32") + attr("Tin", "list {}") + types +
                                                           attr("then_branch", "func { name: 'F' }") + attr("else_branch", "func { name: 'F' }")));
  }
  void functions() {
    QFETCH(QString, caller);
    const std::string text = node("c", "Const", {}, attr("dtype", "type: DT_INT32") + attr("value", "tensor { dtype: DT_INT32 tensor_shape {} int_val: 7 }")) +
                             caller.toStdString() + "library { function { signature { name: 'F' output_arg { name: 'r' type: DT_INT32 } }\n" + functionRing() +
                             "ret { key: 'r' value: 'after:output:0' } } }\n";
    for (const char* passes : {"", "all"}) {
      const auto s = sessionOf(text, without(passes));
      const QString error = errorOf(s->run({}, {"y:0"}, {}));
      QVERIFY2(error.startsWith("INTERNAL: "), qPrintable(error));
    }
  }

 private:
  /// The ring in a function's words.
  static std::string functionRing() {
    return node("n", "NextIteration", {"i:output:0"}, kInt, "node_def") + node("n2", "NextIteration", {"i:output:0"}, kInt, "node_def") +
           node("m", "Merge", {"n:output:0", "n2:output:0"}, kInt + attr("N", "i: 2"), "node_def") + node("i", "Identity", {"m:output:0"}, kInt, "node_def") +
           node("c", "Const", {}, attr("dtype", "type: DT_INT32") + attr("value", "tensor { dtype: DT_INT32 tensor_shape {} int_val: 7 }"), "node_def") +
           node("after", "Identity", {"c:output:0", "^i"}, kInt, "node_def");
  }
};

QTEST_APPLESS_MAIN(UnreachedTest)
#include "tst_unreached.moc"
