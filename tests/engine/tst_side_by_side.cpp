// Calls that run side by side: which ones, in which order, and that results, errors and reports are those of one after another.
#include <QtTest>

#include <atomic>
#include <cmath>
#include <cstring>
#include <random>
#include <thread>

#include "weft/builder.h"
#include "weft/debug.h"
#include "weft/plan_report.h"
#include "weft/session.h"
#include "weft/side_by_side.h"

using namespace weft;

namespace {

ScheduledCall narrow(double ns, std::vector<int> after = {}) { return {ns, true, false, std::move(after)}; }
ScheduledCall wide(double ns, std::vector<int> after = {}) { return {ns, false, false, std::move(after)}; }

std::vector<int> phaseOf(const Schedule& s, size_t calls) {
  std::vector<int> out(calls, -1);
  for (size_t p = 0; p < s.phases.size(); ++p)
    for (const int c : s.phases[p].calls) out[size_t(c)] = int(p);
  return out;
}

/// Whether each call runs once, behind all that it needs, and what a phase says of its calls' order is what the calls say.
bool isValid(const Schedule& s, const std::vector<ScheduledCall>& calls) {
  std::vector<int> phase(calls.size(), -1), place(calls.size(), -1);
  int at = 0;
  for (size_t p = 0; p < s.phases.size(); ++p) {
    const Phase& f = s.phases[p];
    if (f.next.size() != f.calls.size() || f.waits.size() != f.calls.size()) return false;
    for (const int c : f.calls) {
      if (place[size_t(c)] >= 0) return false;
      place[size_t(c)] = at++;
      phase[size_t(c)] = int(p);
    }
  }
  if (at != int(calls.size())) return false;
  for (size_t c = 0; c < calls.size(); ++c)
    for (const int before : calls[c].after)
      if (place[size_t(before)] >= place[c]) return false;
  for (size_t p = 0; p < s.phases.size(); ++p) {
    const Phase& f = s.phases[p];
    std::vector<int> waits(f.calls.size(), 0);
    for (size_t i = 0; i < f.calls.size(); ++i) {
      for (const int next : f.next[i]) {
        const auto& after = calls[size_t(f.calls[size_t(next)])].after;
        if (std::find(after.begin(), after.end(), f.calls[i]) == after.end()) return false;
        ++waits[size_t(next)];
      }
    }
    for (size_t i = 0; i < f.calls.size(); ++i) {
      const auto& after = calls[size_t(f.calls[i])].after;
      if (waits[i] != std::count_if(after.begin(), after.end(), [&](int b) { return phase[size_t(b)] == int(p); }) || waits[i] != f.waits[i]) return false;
      if (f.calls.size() > 1 && (!calls[size_t(f.calls[i])].narrow || calls[size_t(f.calls[i])].border)) return false;
    }
  }
  return true;
}

/// `chains` independent chains of ops that use one thread each, and one product that uses all, over a fed matrix.
std::unique_ptr<Session> sessionOfChains(int chains, int length, int threads, std::vector<std::string>* fetches, bool random = false) {
  MetaGraph meta;
  GraphBuilder b(meta);
  const Output x = b.op("Placeholder", {}, {{"dtype", DType::Float}, {"shape", Shape({40, 60})}}, "x");
  const Output axis = b.scalar<int32_t>(1);
  for (int c = 0; c < chains; ++c) {
    Output at = x;
    if (random) {
      at = b.op("RandomUniform", {b.ints({40, 60})}, {{"dtype", DType::Float}, {"seed", int64_t(c + 1)}, {"seed2", int64_t(7)}});
      at = b.op("AddV2", {at, x});
    }
    for (int i = 0; i < length; ++i) at = b.op(i % 2 ? "Softmax" : "Cumsum", i % 2 ? Inputs{at} : Inputs{at, axis});
    fetches->push_back(b.graph().node(at.node)->name + ":0");
  }
  if (!b.ok()) qFatal("%s", b.status().toString().c_str());
  SessionOptions options;
  options.threads = threads;
  auto session = Session::create(meta.graph, options);
  if (!session.ok()) qFatal("%s", session.error().toString().c_str());
  return std::move(*session);
}

Tensor matrixOf(float first) {
  std::vector<float> values(40 * 60);
  for (size_t i = 0; i < values.size(); ++i) values[i] = first + 0.001f * float(i % 97);
  return Tensor::vector<float>(values).reshaped(Shape({40, 60}));
}

bool sameBits(const std::vector<Tensor>& a, const std::vector<Tensor>& b) {
  if (a.size() != b.size()) return false;
  for (size_t i = 0; i < a.size(); ++i)
    if (a[i].shape() != b[i].shape() || std::memcmp(a[i].raw(), b[i].raw(), a[i].bytes()) != 0) return false;
  return true;
}

PlanReport reportOf(const Session& session) {
  auto report = planReport(session, [](const auto&, const auto&) { return true; });
  if (!report.ok()) qFatal("%s", report.error().toString().c_str());
  return std::move(*report);
}

}  // namespace

class SideBySideTest : public QObject {
  Q_OBJECT

 private slots:
  void independentChainsShareTheThreads() {
    std::vector<ScheduledCall> calls;
    for (int i = 0; i < 20; ++i) calls.push_back(i < 2 ? narrow(10'000) : narrow(10'000, {i - 2}));
    const Schedule s = sideBySide(calls, 2);
    QVERIFY(isValid(s, calls));
    QCOMPARE(s.phases.size(), size_t(1));
    QCOMPARE(s.oneByOneNs, 200'000.);
    QVERIFY2(s.ns < 105'000, qPrintable(QString::number(s.ns)));
  }

  void aChainStaysAsItIs() {
    std::vector<ScheduledCall> calls;
    for (int i = 0; i < 20; ++i) calls.push_back(i == 0 ? narrow(10'000) : narrow(10'000, {i - 1}));
    const Schedule s = sideBySide(calls, 16);
    QVERIFY(isValid(s, calls));
    QCOMPARE(s.phases.size(), size_t(20));
    QCOMPARE(s.ns, s.oneByOneNs);
  }

  void callsThatAreTooShortForItRunOneByOne() {
    const std::vector<ScheduledCall> calls = {narrow(300), narrow(300), narrow(300)};
    QCOMPARE(sideBySide(calls, 2).phases.size(), size_t(3));
  }

  void oneThreadRunsOneByOne() {
    const std::vector<ScheduledCall> calls = {narrow(90'000), narrow(90'000), wide(10'000)};
    QCOMPARE(sideBySide(calls, 1).phases.size(), size_t(3));
  }

  // 3 needs 0; 1 and 2 would come later in the list, but fit beside 0.
  void idleThreadsTakeWhatIsReady() {
    const std::vector<ScheduledCall> calls = {narrow(50'000), wide(10'000, {0}), narrow(20'000), narrow(20'000), narrow(90'000)};
    const Schedule s = sideBySide(calls, 2);
    QVERIFY(isValid(s, calls));
    const std::vector<int> phase = phaseOf(s, calls.size());
    QCOMPARE(phase[2], phase[0]);
    QCOMPARE(phase[3], phase[0]);
    QCOMPARE(phase[1], 1);
    QCOMPARE(phase[4], 2);  // too long to fit
  }

  void wideCallsKeepTheirOrder() {
    std::vector<ScheduledCall> calls;
    for (int i = 0; i < 10; ++i) calls.push_back(wide(10'000));
    const Schedule s = sideBySide(calls, 2);
    QVERIFY(isValid(s, calls));
    for (int i = 0; i < 10; ++i) QCOMPARE(s.phases[size_t(i)].calls[0], i);
  }

  void nothingMovesAcrossABorder() {
    ScheduledCall border = narrow(1000);
    border.narrow = false;
    border.border = true;
    const std::vector<ScheduledCall> calls = {narrow(50'000), border, narrow(50'000), narrow(50'000)};
    const Schedule s = sideBySide(calls, 4);
    QVERIFY(isValid(s, calls));
    const std::vector<int> phase = phaseOf(s, calls.size());
    QVERIFY(phase[0] < phase[1] && phase[1] < phase[2]);
    QCOMPARE(phase[2], phase[3]);
  }

  void randomListsGiveValidSchedulesThatAreNeverSlower() {
    std::mt19937 random(5);
    for (int round = 0; round < 300; ++round) {
      const int n = int(random() % 120);
      std::vector<ScheduledCall> calls;
      for (int c = 0; c < n; ++c) {
        ScheduledCall call = random() % 3 ? narrow(double(random() % 20'000)) : wide(double(random() % 40'000));
        if (random() % 15 == 0) call.narrow = false, call.border = true;
        for (int k = int(random() % 4); k > 0 && c > 0; --k) call.after.push_back(std::max(0, c - 1 - int(random() % 20)));
        std::sort(call.after.begin(), call.after.end());
        call.after.erase(std::unique(call.after.begin(), call.after.end()), call.after.end());
        calls.push_back(std::move(call));
      }
      for (const int threads : {1, 2, 5, 16}) {
        const Schedule s = sideBySide(calls, threads);
        QVERIFY(isValid(s, calls));
        QVERIFY(s.ns <= s.oneByOneNs + 1e-6);
      }
    }
  }

  void aLongListIsScheduledAtOnce() {
    std::mt19937 random(6);
    std::vector<ScheduledCall> calls;
    for (int c = 0; c < 60'000; ++c) {
      calls.push_back(c % 5 ? narrow(double(random() % 20'000)) : wide(double(random() % 40'000)));
      if (c > 0) calls.back().after.push_back(std::max(0, c - 1 - int(random() % 20)));
    }
    QVERIFY(isValid(sideBySide(calls, 2), calls));
  }

  void aPlanOfIndependentChainsRunsThemSideBySideWithTheSameBits() {
    std::vector<std::string> fetches;
    const auto session = sessionOfChains(6, 10, 2, &fetches);
    std::vector<std::string> same;
    const auto alone = sessionOfChains(6, 10, 1, &same);
    const auto expected = alone->run({{"x", matrixOf(0.5f)}}, fetches, {});
    QVERIFY2(expected.ok(), expected.ok() ? "" : expected.error().toString().c_str());
    bool together = false;
    for (int run = 0; run < 200; ++run) {
      const auto values = session->run({{"x", matrixOf(0.5f)}}, fetches, {});
      QVERIFY(values.ok());
      QVERIFY2(sameBits(*values, *expected), qPrintable(QString::number(run)));
      together = together || !reportOf(*session).together.empty();
    }
    QVERIFY(together);
  }

  void randomNumbersAreThoseOfOneAfterAnother() {
    std::vector<std::string> fetches, same;
    const auto session = sessionOfChains(5, 8, 2, &fetches, true);
    const auto alone = sessionOfChains(5, 8, 1, &same, true);
    for (int run = 0; run < 60; ++run) {
      const auto values = session->run({{"x", matrixOf(0.1f)}}, fetches, {}), expected = alone->run({{"x", matrixOf(0.1f)}}, fetches, {});
      QVERIFY(values.ok() && expected.ok());
      QVERIFY2(sameBits(*values, *expected), qPrintable(QString::number(run)));
    }
  }

  void severalRunsAtATimeAreRight() {
    std::vector<std::string> fetches;
    const auto session = sessionOfChains(6, 10, 2, &fetches);
    std::vector<std::vector<Tensor>> expected;
    for (int k = 0; k < 3; ++k) expected.push_back(*session->run({{"x", matrixOf(float(k))}}, fetches, {}));
    std::atomic<int> wrong{0};
    std::vector<std::thread> threads;
    for (int k = 0; k < 3; ++k) {
      threads.emplace_back([&, k] {
        for (int run = 0; run < 60; ++run) {
          const auto values = session->run({{"x", matrixOf(float(k))}}, fetches, {});
          if (!values.ok() || !sameBits(*values, expected[size_t(k)])) ++wrong;
        }
      });
    }
    for (std::thread& t : threads) t.join();
    QCOMPARE(wrong.load(), 0);
  }

  void aTraceShowsEveryOpOnceAlsoWhenSomeRunSideBySide() {
    std::vector<std::string> fetches;
    const auto session = sessionOfChains(6, 10, 2, &fetches);
    size_t before = 0;
    for (int run = 0; run < 40; ++run) {
      RunOptions options;
      options.trace = run % 4 == 0;
      RunReport report;
      QVERIFY(session->run({{"x", matrixOf(0.5f)}}, fetches, {}, options, &report).ok());
      if (!options.trace) continue;
      if (before) QCOMPARE(report.trace->events.size(), before);
      before = report.trace->events.size();
      for (const TraceEvent& e : report.trace->events) QVERIFY(e.startNs <= e.endNs);
    }
  }
};

QTEST_GUILESS_MAIN(SideBySideTest)
#include "tst_side_by_side.moc"
