#include <QTest>
#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>

#include "support/graph_text.h"
#include "weft/graph.h"
#include "weft/session.h"

using namespace weft;
using weft::tests::attr;
using weft::tests::node;

namespace {

std::string type(const std::string& key) { return attr(key, "type: DT_DOUBLE"); }
std::string constant(const std::string& name, int v) {
  return node(name, "Const", {},
              type("dtype") + attr("value", "tensor { dtype: DT_DOUBLE tensor_shape { dim { size: 4 } } double_val: " + std::to_string(v) + " }"));
}

/// A variable by reference (ref…), one by handle (var…) and a queue of each version (q…, h…).
std::string graphText() {
  const std::string shape = attr("shape", "shape { dim { size: 4 } }"), components = attr("component_types", "list { type: DT_DOUBLE }"),
                    values = attr("Tcomponents", "list { type: DT_DOUBLE }");
  std::string out = constant("zero", 0) + constant("one", 1) + node("ref", "VariableV2", {}, type("dtype") + shape) +
                    node("refInit", "Assign", {"ref", "zero"}, type("T")) +
                    node("refUp", "AssignAdd", {"ref", "one"}, type("T") + attr("use_locking", "b: true")) + node("refRead", "Identity", {"ref"}, type("T")) +
                    node("refTwice", "AddV2", {"ref", "ref"}, type("T")) + node("var", "VarHandleOp", {}, type("dtype") + shape) +
                    node("varInit", "AssignVariableOp", {"var", "zero"}, type("dtype")) + node("varUp", "AssignAddVariableOp", {"var", "one"}, type("dtype")) +
                    node("varRead", "ReadVariableOp", {"var"}, type("dtype")) + node("varAfter", "ReadVariableOp", {"var", "^varUp"}, type("dtype"));
  for (const auto& [q, v] : {std::pair<std::string, std::string>{"q", ""}, {"h", "V2"}}) {
    out += node(q, "FIFOQueue" + v, {}, components + attr("shapes", "list { shape { dim { size: 4 } } }") + attr("capacity", "i: 5")) +
           node(q + "Put", "QueueEnqueue" + v, {q, "one"}, values) + node(q + "Get", "QueueDequeue" + v, {q}, components) +
           node(q + "Size", "QueueSize" + v, {q}) + node(q + "End", "QueueClose" + v, {q}, attr("cancel_pending_enqueues", "b: true"));
  }
  return out;
}

/// Duration of the threads: WEFT_STRESS_SECONDS, two seconds by default.
std::chrono::milliseconds duration() {
  const int seconds = qEnvironmentVariableIntValue("WEFT_STRESS_SECONDS");
  return std::chrono::milliseconds(seconds > 0 ? seconds * 1000 : 2000);
}

struct Signature {
  const char* what;
  std::vector<std::string> fetches, targets;
};

}  // namespace

/// Eight threads on one session: runs that overlap, share variables and wait for each other in queues.
class StressTest : public QObject {
  Q_OBJECT

 private slots:
  void overlappingSignatures() {
    auto loaded = loadGraphBytes(std::make_shared<const std::string>(graphText()), "stress");
    QVERIFY2(loaded.ok(), loaded.ok() ? "" : loaded.error().toString().c_str());
    auto made = Session::create(loaded->meta.graph);
    QVERIFY2(made.ok(), made.ok() ? "" : made.error().toString().c_str());
    Session& session = **made;
    QVERIFY(session.run({}, {}, {"refInit", "varInit"}).ok());

    std::atomic<bool> stop = false;
    std::atomic<int64_t> refUps = 0, varUps = 0, puts = 0, gets = 0, runs = 0;
    std::atomic<int> wrong = 0;
    const auto fail = [&](const char* what, const std::string& why) {
      if (wrong++ < 5) qWarning("%s: %s", what, why.c_str());
    };
    // All four elements of a variable are written in one step, so that a read sees them equal, and never less than before.
    const auto check = [&](const char* what, const Tensor& t, double* last) {
      const double* v = t.data<double>();
      if (!std::all_of(v, v + 4, [&](double x) { return x == v[0]; }) || v[0] < *last) fail(what, t.toString());
      *last = v[0];
    };
    const std::vector<Signature> signatures = {{"refUp", {}, {"refUp"}},         {"varUp", {}, {"varUp"}},      {"reads", {"refRead:0", "varRead:0"}, {}},
                                               {"both", {}, {"refUp", "varUp"}}, {"after", {"varAfter:0"}, {}}, {"sizes", {"qSize:0", "hSize:0"}, {}}};

    std::vector<std::thread> threads;
    for (size_t t = 0; t < 4; ++t) {
      threads.emplace_back([&, t] {
        double lastRef = 0, lastVar = 0, lastAfter = 0;
        for (size_t i = t; !stop; ++i, ++runs) {
          const Signature& s = signatures[i % signatures.size()];
          auto r = session.run({}, s.fetches, s.targets);
          if (!r.ok()) {
            fail(s.what, r.error().toString());
            continue;
          }
          switch (i % signatures.size()) {
            case 0: ++refUps; break;
            case 1: ++varUps; break;
            case 2: check("refRead", (*r)[0], &lastRef), check("varRead", (*r)[1], &lastVar); break;
            case 3: ++refUps, ++varUps; break;
            case 4: ++varUps, check("varAfter", (*r)[0], &lastAfter); break;
            default:
              for (const Tensor& n : *r) {
                if (n.asInt(0) < 0 || n.asInt(0) > 5) fail(s.what, n.toString());
              }
          }
        }
      });
    }
    // Writers and readers of both queues; they wait for each other, and the queues' end ends them.
    for (const std::string q : {"q", "h"}) {
      threads.emplace_back([&, q] {
        while (session.run({}, {}, {q + "Put"}).ok()) ++puts, ++runs;
      });
      threads.emplace_back([&, q] {
        for (;;) {
          auto r = session.run({}, {q + "Get:0"}, {});
          if (!r.ok()) {
            if (r.error().code != Code::OutOfRange && r.error().code != Code::Cancelled) fail("get", r.error().toString());
            return;
          }
          ++gets, ++runs;
          if ((*r)[0].at<double>(3) != 1) fail("get", (*r)[0].toString());
        }
      });
    }
    std::this_thread::sleep_for(duration());
    stop = true;
    const Status ended = session.run({}, {}, {"qEnd", "hEnd"}).status();
    for (std::thread& t : threads) t.join();

    QVERIFY2(ended.ok(), ended.toString().c_str());
    QCOMPARE(wrong.load(), 0);
    auto last = session.run({}, {"refRead:0", "varRead:0"});
    QVERIFY(last.ok());
    QCOMPARE((*last)[0].at<double>(0), double(refUps));
    QCOMPARE((*last)[1].at<double>(0), double(varUps));
    QCOMPARE(gets.load(), puts.load());
    QVERIFY(puts > 0 && refUps > 0);
    qInfo("%lld runs", static_cast<long long>(runs));
  }

  void closingEndsWaitingRuns() {
    auto loaded = loadGraphBytes(std::make_shared<const std::string>(graphText()), "stress");
    QVERIFY(loaded.ok());
    auto made = Session::create(loaded->meta.graph);
    QVERIFY(made.ok());
    Session& session = **made;
    std::atomic<int> cancelled = 0;
    std::vector<std::thread> threads;
    for (int t = 0; t < 8; ++t) {
      threads.emplace_back([&, t] {
        const auto r = session.run({}, {t % 2 ? "qGet:0" : "hGet:0"});
        if (!r.ok() && r.error().code == Code::Cancelled) ++cancelled;
      });
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    session.close();
    for (std::thread& t : threads) t.join();
    QCOMPARE(cancelled.load(), 8);
  }
};

QTEST_GUILESS_MAIN(StressTest)
#include "tst_stress.moc"
