// Questions to traces: differences with intervals, reasons of idle time, steps with changes.
#include <QTest>
#include <cmath>

#include "weft/trace_questions.h"

using namespace weft;

namespace {

/// A trace from lines: track, node, op, start and duration in microseconds, step.
struct Line {
  int track;
  const char* name;
  const char* op;
  int start, duration, step = 0;
};

Trace traceOf(const std::vector<Line>& lines, const std::vector<std::pair<std::string, std::vector<std::string>>>& inputs = {}, int steps = 1) {
  Trace trace;
  const char* const kDevices[] = {"/device:CPU:0", "/device:CPU:0", "/device:GPU:0/stream:1", "/device:GPU:0"};
  const char* const kNames[] = {"thread 1", "thread 2", "stream", "host"};
  std::vector<int> tracks;
  for (int i = 0; i < 4; ++i) tracks.push_back(trace.track(kDevices[i], kNames[i]));
  for (int i = 0; i < steps; ++i) trace.steps.push_back({i + 1, 0, 0});
  for (const Line& l : lines) {
    TraceSlice s;
    s.track = tracks[size_t(l.track)];
    s.name = trace.intern(l.name);
    s.op = trace.intern(l.op);
    s.startNs = l.start * 1000;
    s.durationNs = l.duration * 1000;
    s.step = l.step;
    trace.slices.push_back(s);
  }
  for (const auto& [name, from] : inputs) trace.nodes[name].inputs = from;
  trace.finish();
  return trace;
}

/// "reason@start+duration cause" of each gap of a track, in microseconds.
QStringList gapsOf(const Trace& trace, const char* track) {
  QStringList out;
  for (const IdleGap& g : idleGaps(trace)) {
    if (trace.tracks[size_t(g.track)].name != track) continue;
    out << QStringLiteral("%1@%2+%3%4")
               .arg(QString::fromUtf8(nameOf(g.reason).data(), qsizetype(nameOf(g.reason).size())))
               .arg(g.startNs / 1000)
               .arg(g.durationNs / 1000)
               .arg(g.cause < 0 ? QString() : " " + QString::fromStdString(trace.nameOf(trace.slices[size_t(g.cause)])));
  }
  return out;
}

double predictedUs(const Trace& trace, const std::vector<const char*>& words, QString* error = nullptr) {
  std::vector<WhatIf> changes;
  for (const char* w : words) changes.push_back(*whatIfOf(w));
  const auto p = predictStep(trace, changes);
  if (!p.ok()) {
    if (error) *error = QString::fromStdString(p.error().message);
    return -1;
  }
  return p->predictedNs / 1000;
}

}  // namespace

class TestTraceQuestions : public QObject {
  Q_OBJECT
 private slots:
  void differencesHaveIntervals() {
    std::vector<Line> before, after;
    const int noise[] = {0, 2, 1, 3, 2};
    for (int step = 0; step < 5; ++step) {
      before.push_back({0, "a/x", "MatMul", step * 1000, 100 + noise[step], step});
      before.push_back({0, "a/y", "Relu", step * 1000 + 200, 50 + noise[step], step});
      after.push_back({0, "a/x", "MatMul", step * 1000, 80 + noise[4 - step], step});
      after.push_back({0, "a/y", "Relu", step * 1000 + 200, 50 + noise[(step + 2) % 5], step});
      after.push_back({0, "b/z", "Tanh", step * 1000 + 300, 10, step});
    }
    const auto found = differenceOfTraces(traceOf(before, {}, 5), traceOf(after, {}, 5), TraceKey::Op);
    QCOMPARE(found.size(), size_t(4));
    QCOMPARE(found[0].name, "");
    QCOMPARE(found[0].beforeNs, 251600.0);
    QCOMPARE(found[1].name, "MatMul");
    QCOMPARE(found[1].deltaNs(), -20000.0);
    QVERIFY(found[1].isCertain() && found[1].lowNs < -20000 && found[1].highNs > -20000);
    // Welch's interval of two samples with variance 1.3 each, of 5 values: t(8) · sqrt(2 · 1.3 / 5).
    QVERIFY(std::fabs((found[1].highNs - found[1].lowNs) / 2 - 2.306 * std::sqrt(2 * 1.3 / 5) * 1000) < 5);
    QCOMPARE(found[2].name, "Tanh");
    QCOMPARE(found[2].beforeCount, 0.0);
    QVERIFY(found[2].isCertain());
    QVERIFY(!found[3].isCertain());
    QCOMPARE(differenceOfTraces(traceOf(before, {}, 5), traceOf(after, {}, 5), TraceKey::Scope)[2].name, "b/");
    QVERIFY(std::isnan(differenceOfTraces(traceOf({before[0]}), traceOf({after[0]}), TraceKey::Node)[1].lowNs));
  }

  void gapsHaveReasons() {
    // Thread 2 waits for a, which thread 1 computes until 50; the executor takes 5 more. Then nothing comes any more.
    const Trace waits =
        traceOf({{0, "a", "MatMul", 0, 50}, {1, "c", "Relu", 0, 10}, {1, "b", "Relu", 55, 20}, {0, "d", "MatMul", 60, 100}}, {{"b", {"a"}}, {"d", {"a"}}});
    QCOMPARE(gapsOf(waits, "thread 2"), (QStringList{"waited for an input@10+40 a", "scheduling@50+5", "no more work@75+85"}));
    QCOMPARE(gapsOf(waits, "thread 1"), QStringList{"scheduling@50+10"});
    // A queue, and a copy.
    const Trace data = traceOf({{0, "q", "QueueDequeueV2", 0, 40}, {1, "s", "NoOp", 0, 1}, {1, "b", "Relu", 40, 20}}, {{"b", {"q"}}});
    QCOMPARE(gapsOf(data, "thread 2"), QStringList{"input pipeline or queue@1+39 q"});
    const Trace copy = traceOf({{0, "r", "_Recv", 0, 40}, {1, "s", "NoOp", 0, 1}, {1, "b", "Relu", 40, 20}}, {{"b", {"r"}}});
    QCOMPARE(gapsOf(copy, "thread 2"), QStringList{"copy between devices@1+39 r"});
    // A stream waits until the host has queued the work.
    const Trace launch = traceOf({{3, "a", "Relu", 0, 5}, {2, "a", "Relu", 6, 10}, {3, "b", "Relu", 30, 5}, {2, "b", "Relu", 36, 10}}, {{"b", {"a"}}});
    QCOMPARE(gapsOf(launch, "stream"), (QStringList{"launch by the host@0+5 a", "scheduling@5+1", "launch by the host@16+19 b", "scheduling@35+1"}));
  }

  void stepsAreReplayed() {
    // a → b on thread 1, c on thread 2, d needs both.
    const Trace trace = traceOf({{0, "a", "MatMul", 0, 100}, {0, "n/b", "Relu", 102, 40}, {1, "n/c", "MatMul", 0, 120}, {0, "d", "Add", 145, 10}},
                                {{"n/b", {"a"}}, {"d", {"n/b", "n/c"}}});
    QCOMPARE(predictedUs(trace, {}), 155.0);
    QCOMPARE(predictedUs(trace, {"a=2x"}), 133.0);       // then c is what d waits for
    QCOMPARE(predictedUs(trace, {"MatMul=2x"}), 105.0);  // both: a 50, b from 52 to 92, d from 95
    QCOMPARE(predictedUs(trace, {"n/=gone"}), 113.0);    // d follows a
    QCOMPARE(predictedUs(trace, {"MatMul+Relu=fused"}), 133.0);
    QCOMPARE(predictedUs(trace, {"a=0.5x"}), 255.0);
    // c moves to a device of its own and is ten times as fast, but its value comes back after 10 µs: nothing waits for it.
    QCOMPARE(predictedUs(trace, {"n/c@GPU:0=10x"}), 155.0);
    QCOMPARE(predictedUs(trace, {"n/b@GPU:0=10x"}), 139.0);  // there after 110, computed until 116, back at 126, and d 3 µs later, as before
  }

  void criticalPathsBeforeAndAfter() {
    const Trace trace = traceOf({{0, "a", "MatMul", 0, 100}, {0, "n/b", "Relu", 102, 40}, {1, "n/c", "MatMul", 0, 120}, {0, "d", "Add", 145, 10}},
                                {{"n/b", {"a"}}, {"d", {"n/b", "n/c"}}});
    const auto names = [&](const std::vector<PathSlice>& path) {
      QStringList out;
      for (const PathSlice& p : path)
        out << QStringLiteral("%1@%2+%3")
                   .arg(QString::fromStdString(trace.nameOf(trace.slices[size_t(p.slice)])))
                   .arg(p.startNs / 1000)
                   .arg(p.durationNs / 1000);
      return out;
    };
    const auto twice = predictStep(trace, {*whatIfOf("a=2x")});
    QVERIFY(twice.ok());
    QCOMPARE(names(twice->pathBefore), (QStringList{"a@0+100", "n/b@102+40", "d@145+10"}));
    QCOMPARE(names(twice->pathAfter), (QStringList{"n/c@0+120", "d@123+10"}));
    const auto gone = predictStep(trace, {*whatIfOf("n/=gone")});
    QCOMPARE(names(gone->pathAfter), (QStringList{"a@0+100", "n/b@100+0", "d@103+10"}));
    // Of several steps, the one of median duration.
    const Trace steps =
        traceOf({{0, "a", "MatMul", 0, 10, 0}, {0, "a", "MatMul", 100, 30, 1}, {0, "a", "MatMul", 200, 20, 2}, {0, "b", "Relu", 290, 1, 2}}, {{"b", {"a"}}}, 3);
    QCOMPARE(predictStep(steps, {})->pathStep, 1);
  }

  void wrongQuestions() {
    for (const char* text : {"", "x", "=2x", "x=2", "x=0x", "x=-1x", "x=nanx", "a=fused", "+a=fused", "a+=fused", "a@=2x", "@GPU=2x"}) {
      const auto read = whatIfOf(text);
      QVERIFY2(!read.ok(), text);
      QCOMPARE(read.error().code, Code::InvalidArgument);
    }
    const Trace trace = traceOf({{0, "a", "MatMul", 0, 100}, {0, "b", "Relu", 102, 40}}, {{"b", {"a"}}});
    QString error;
    QVERIFY(predictedUs(trace, {"Conv2D=2x"}, &error) < 0);
    QCOMPARE(error, QStringLiteral("no slice of the trace is of Conv2D"));
    QVERIFY(predictedUs(trace, {"Relu+MatMul=fused"}, &error) < 0);
    QCOMPARE(error, QStringLiteral("no slice of the trace is of MatMul with an input from Relu"));
    QVERIFY(predictedUs(traceOf({{0, "a", "MatMul", 0, 100}, {0, "b", "Relu", 102, 40}}), {"Relu=2x"}, &error) < 0);
    QVERIFY(error.contains("does not know the inputs"));
  }
};

QTEST_GUILESS_MAIN(TestTraceQuestions)
#include "tst_trace_questions.moc"
