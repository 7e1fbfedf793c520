// Traces of several tasks: what they sent each other, and the correction of their clocks.
#include <QFile>
#include <QtTest>

#include "weft/profile.h"

using namespace weft;
using Clock = TraceTask::Clock;

namespace {

constexpr int64_t kMs = 1000000, kUs = 1000;
const std::string kPs = "/job:ps/replica:0/task:0", kWorker = "/job:worker/replica:0/task:0", kOther = "/job:worker/replica:0/task:1";
constexpr int64_t kStart = 1700000000000000000;  // of the step

std::string cpu(const std::string& task) { return task + "/device:CPU:0"; }

/// A step as several tasks record it, each by its own clock.
class Recorded {
 public:
  void clock(const std::string& task, int64_t aheadNs) { ahead_[task] = aheadNs; }
  void op(const std::string& task, const std::string& name, const std::string& op, const std::string& arguments, int64_t fromNs, int64_t toNs,
          int64_t bytes = 0) {
    const int64_t start = kStart + fromNs + ahead_[task];
    std::string& text = stats_[task];
    text += "node_stats { node_name: '" + name + "' all_start_micros: " + std::to_string(start / 1000) + " all_start_nanos: " + std::to_string(start) +
            " op_end_rel_nanos: " + std::to_string(toNs - fromNs) + " all_end_rel_nanos: " + std::to_string(toNs - fromNs) + " timeline_label: '" + name +
            " = " + op + "(" + arguments + ")'";
    if (bytes > 0) text += " output { tensor_description { allocation_description { requested_bytes: " + std::to_string(bytes) + " } } }";
    text += " }\n";
  }
  /// A tensor of 12 bytes from task to task, by the true time.
  void transfer(const std::string& from, const std::string& to, int64_t sentNs, int64_t receivedNs, const std::string& node = "w") {
    const std::string n = std::to_string(2 * count_++);
    const std::string edge = "edge_" + n + "_" + node;
    op(from, node + "_S" + n, "_Send", edge + " @" + cpu(to), sentNs, sentNs + 2 * kUs);
    op(to, node + "_S" + std::to_string(2 * count_ - 1), "_Recv", edge + " @" + cpu(from), std::min(sentNs, receivedNs) - 50 * kUs, receivedNs, 12);
  }
  Trace read() const {
    std::string text = "step_stats {\n";
    for (const auto& [task, stats] : stats_) text += "dev_stats { device: '" + cpu(task) + "'\n" + stats + "}\n";
    auto trace = readTraceBytes(text + "}\n", "recorded");
    return trace.ok() ? std::move(*trace) : Trace();
  }

 private:
  std::map<std::string, int64_t> ahead_;
  std::map<std::string, std::string> stats_;
  int count_ = 0;
};

const TraceTask& task(const Trace& trace, const std::string& name) {
  static const TraceTask none;
  for (const TraceTask& t : trace.tasks)
    if (t.name == name) return t;
  return none;
}

const TraceTransfer* transferOf(const Trace& trace, const std::string& node) {
  for (const TraceTransfer& t : trace.transfers)
    if (t.node == node) return &t;
  return nullptr;
}

bool hasProblem(const Trace& trace, TraceProblem::Kind kind) {
  return std::any_of(trace.problems.begin(), trace.problems.end(), [&](const TraceProblem& p) { return p.kind == kind; });
}

/// A field of a message and its content removed: RunMetadata without partition graphs.
std::string withoutField(std::string bytes, char tag) {
  std::string out;
  for (size_t at = 0; at < bytes.size();) {
    const size_t begin = at;
    const char here = bytes[at++];
    uint64_t length = 0;
    for (int shift = 0; at < bytes.size(); shift += 7) {
      const auto byte = uint8_t(bytes[at++]);
      length |= uint64_t(byte & 0x7f) << shift;
      if (!(byte & 0x80)) break;
    }
    at += length;
    if (here != tag) out += bytes.substr(begin, at - begin);
  }
  return out;
}

std::string tensorFlowStep() {
  QFile file(QStringLiteral(WEFT_SOURCE_DIR "/tests/golden/files/profiles/cluster_run_metadata.pb"));
  return file.open(QIODevice::ReadOnly) ? file.readAll().toStdString() : std::string();
}

/// Both directions, 100 µs each.
Recorded thereAndBack(int64_t workerAheadNs) {
  Recorded r;
  r.clock(kWorker, workerAheadNs);
  r.op(kPs, "w", "VariableV2", "", 0, 5 * kUs, 12);
  r.transfer(kPs, kWorker, 10 * kUs, 110 * kUs, "w");
  r.op(kWorker, "MatMul", "MatMul", "x, w_S1", 120 * kUs, 300 * kUs, 12);
  r.transfer(kWorker, kPs, 310 * kUs, 410 * kUs, "MatMul");
  r.op(kPs, "update", "ApplyGradientDescent", "w, MatMul_S3", 420 * kUs, 430 * kUs);
  return r;
}

}  // namespace

class TestClusterTrace : public QObject {
  Q_OBJECT

 private slots:
  void tasksOfOneHostKeepTheirClocks() {
    const Trace trace = thereAndBack(0).read();
    QCOMPARE(trace.tasks.size(), size_t(2));
    QCOMPARE(task(trace, kPs).clock, Clock::Reference);
    QCOMPARE(task(trace, kWorker).clock, Clock::Agrees);
    QCOMPARE(task(trace, kWorker).movedNs, int64_t(0));
    QVERIFY(trace.problems.empty());
  }

  void aKnownSkewIsFound_data() {
    QTest::addColumn<qint64>("ahead");
    QTest::newRow("ahead by 5 ms") << qint64(5 * kMs);
    QTest::newRow("behind by 5 ms") << qint64(-5 * kMs);
    QTest::newRow("ahead by an hour") << qint64(3600000 * kMs);
    QTest::newRow("behind by 200 µs") << qint64(-200 * kUs);
  }
  void aKnownSkewIsFound() {
    QFETCH(qint64, ahead);
    const Trace trace = thereAndBack(ahead).read();
    const TraceTask& worker = task(trace, kWorker);
    QCOMPARE(worker.clock, Clock::Moved);
    QVERIFY2(std::abs(worker.movedNs + ahead) <= worker.uncertaintyNs, std::to_string(worker.movedNs).c_str());
    QVERIFY(worker.uncertaintyNs <= 100 * kUs);
    // The step is as long as it was, and each tensor arrives after it was sent.
    QVERIFY(trace.durationNs < 700 * kUs);
    QCOMPARE(trace.transfers.size(), size_t(2));
    for (const TraceTransfer& t : trace.transfers) QVERIFY(t.receivedNs >= t.sentNs && t.transitNs() >= 0);
  }

  void threeTasksAreMovedEachByItsOwn() {
    Recorded r;
    r.clock(kWorker, 5 * kMs);
    r.clock(kOther, -3 * kMs);
    for (const std::string& worker : {kWorker, kOther}) {
      r.transfer(kPs, worker, 10 * kUs, 60 * kUs, "w" + worker.substr(worker.size() - 1));
      r.transfer(worker, kPs, 200 * kUs, 250 * kUs, "g" + worker.substr(worker.size() - 1));
    }
    const Trace trace = r.read();
    QCOMPARE(task(trace, kPs).clock, Clock::Reference);  // it has the most transfers
    QVERIFY(std::abs(task(trace, kWorker).movedNs + 5 * kMs) <= 50 * kUs);
    QVERIFY(std::abs(task(trace, kOther).movedNs - 3 * kMs) <= 50 * kUs);
    QVERIFY(trace.durationNs < kMs);
  }

  void aClockIsBoundedByWayOfAThirdTask() {
    Recorded r;
    r.clock(kOther, 8 * kMs);
    r.transfer(kPs, kWorker, 10 * kUs, 20 * kUs, "a");
    r.transfer(kWorker, kPs, 30 * kUs, 40 * kUs, "b");
    r.transfer(kWorker, kOther, 50 * kUs, 60 * kUs, "c");
    r.transfer(kOther, kPs, 70 * kUs, 80 * kUs, "d");
    const Trace trace = r.read();
    QCOMPARE(task(trace, kOther).clock, Clock::Moved);
    QVERIFY(std::abs(task(trace, kOther).movedNs + 8 * kMs) <= 30 * kUs);
  }

  void oneDirectionBoundsOneSide() {
    Recorded r;
    r.clock(kWorker, -2 * kMs);  // receives before it was sent
    r.transfer(kPs, kWorker, 10 * kUs, 110 * kUs);
    Trace trace = r.read();
    const bool movesWorker = task(trace, kWorker).movedNs != 0;
    QCOMPARE((movesWorker ? task(trace, kWorker) : task(trace, kPs)).clock, Clock::MovedAtLeast);
    QCOMPARE(std::abs(task(trace, kWorker).movedNs + task(trace, kPs).movedNs), 1900 * kUs);
    QCOMPARE(trace.transfers[0].transitNs(), int64_t(0));

    Recorded late;  // a receive that seems late contradicts nothing
    late.clock(kWorker, 2 * kMs);
    late.transfer(kPs, kWorker, 10 * kUs, 110 * kUs);
    trace = late.read();
    QCOMPARE(task(trace, kWorker).clock, Clock::Agrees);
    QCOMPARE(task(trace, kWorker).movedNs, int64_t(0));
  }

  void withoutTransfersNothingIsMoved() {
    Recorded r;
    r.clock(kWorker, 7 * kMs);
    r.op(kPs, "a", "NoOp", "", 0, kUs);
    r.op(kWorker, "b", "NoOp", "", 0, kUs);
    const Trace trace = r.read();
    QCOMPARE(trace.tasks.size(), size_t(2));
    for (const TraceTask& t : trace.tasks) {
      QCOMPARE(t.clock, Clock::Unknown);
      QCOMPARE(t.movedNs, int64_t(0));
    }
    QVERIFY(trace.transfers.empty());
    QCOMPARE(trace.durationNs, 7 * kMs + kUs);
  }

  void aTaskWithoutTransfersIsNotMoved() {
    Recorded r = thereAndBack(5 * kMs);
    r.op(kOther, "alone", "NoOp", "", 0, kUs);
    const Trace trace = r.read();
    QCOMPARE(task(trace, kOther).clock, Clock::Unknown);
    QCOMPARE(task(trace, kWorker).clock, Clock::Moved);
  }

  void contradictoryPairsAreReported() {
    Recorded r = thereAndBack(0);
    r.transfer(kPs, kWorker, 500 * kUs, 100 * kUs, "impossible");  // 400 µs before it was sent
    const Trace trace = r.read();
    QVERIFY(hasProblem(trace, TraceProblem::Kind::Clocks));
    QCOMPARE(task(trace, kWorker).clock, Clock::Contradictory);
    // What remains is shared between the two directions.
    int64_t worst = 0;
    for (const TraceTransfer& t : trace.transfers) worst = std::min(worst, t.receivedNs - t.sentNs);
    QVERIFY2(worst >= -160 * kUs && worst < 0, std::to_string(worst).c_str());
  }

  void absurdTimesAreSurvived() {
    Recorded r;
    r.clock(kWorker, INT64_MAX - kStart - kMs);
    r.clock(kOther, -kStart * 2);
    for (const std::string& worker : {kWorker, kOther}) {
      r.transfer(kPs, worker, 10 * kUs, 60 * kUs, "w" + worker);
      r.transfer(worker, kPs, 200 * kUs, 250 * kUs, "g" + worker);
    }
    r.transfer(kWorker, kOther, 5 * kMs, -5 * kMs, "x");
    QCOMPARE(r.read().tasks.size(), size_t(3));
  }

  void transfersOfWeft() {
    const Trace trace = thereAndBack(0).read();
    QCOMPARE(trace.transfers.size(), size_t(2));
    const TraceTransfer& t = trace.transfers[0];
    QCOMPARE(t.tensor, std::string("edge_0_w"));
    QCOMPARE(t.node, std::string("w"));
    QCOMPARE(t.from, cpu(kPs));
    QCOMPARE(t.to, cpu(kWorker));
    QCOMPARE(t.bytes, int64_t(12));
    QCOMPARE(t.transitNs(), 100 * kUs);
    QCOMPARE(t.waitNs(), 150 * kUs);
    QCOMPARE(trace.nameOf(trace.slices[size_t(t.send)]), std::string("w_S0"));
    QCOMPARE(t.receive, t.ask);
    QCOMPARE(trace.nameOf(trace.slices[size_t(t.receive)]), std::string("w_S1"));
    // They have a track of their own, on which they may overlap.
    QVERIFY(trace.tracks[size_t(trace.slices[size_t(t.receive)].track)].transfers);
    QVERIFY(!hasProblem(trace, TraceProblem::Kind::Overlap));
  }

  void feedsThatGoOnToAnotherTaskAreTransfers() {
    Recorded r;
    r.op(kWorker, "_recv_x_0", "_Recv", "x:0 @" + cpu(kWorker), 0, kUs, 4);  // from the caller
    r.op(kWorker, "_recv_x_0_S0", "_Send", "edge_2__recv_x_0 @" + cpu(kPs), 2 * kUs, 3 * kUs);
    r.op(kPs, "_recv_x_0_S1", "_Recv", "edge_2__recv_x_0 @" + cpu(kWorker), 0, 50 * kUs, 4);
    const Trace trace = r.read();
    QCOMPARE(trace.transfers.size(), size_t(1));
    QCOMPARE(trace.transfers[0].node, std::string("_recv_x_0"));
    QCOMPARE(trace.transfers[0].transitNs(), 48 * kUs);
  }

  void iterationsOfALoopArePairedInOrder() {
    Recorded r;
    for (int i = 0; i < 3; ++i) {
      const int64_t at = i * kMs;
      r.op(kPs, "v_S0", "_Send", "edge_9_v @" + cpu(kWorker), at, at + kUs);
      r.op(kWorker, "v_S1", "_Recv", "edge_9_v @" + cpu(kPs), at - 10 * kUs, at + 40 * kUs, 4);
    }
    const Trace trace = r.read();
    QCOMPARE(trace.transfers.size(), size_t(3));
    for (const TraceTransfer& t : trace.transfers) QCOMPARE(t.transitNs(), 40 * kUs);
  }

  void transfersOfTensorFlow_data() {
    QTest::addColumn<bool>("graphs");
    QTest::newRow("with partition graphs") << true;
    QTest::newRow("without") << false;
  }
  // A training step over a ps and a worker, recorded by TensorFlow 1.15.5: the master recorded the way of w only.
  void transfersOfTensorFlow() {
    QFETCH(bool, graphs);
    std::string bytes = tensorFlowStep();
    QVERIFY(bytes.size() > 1000);
    if (!graphs) bytes = withoutField(std::move(bytes), 3 << 3 | 2);
    const auto trace = readTraceBytes(bytes, "cluster_run_metadata.pb");
    QVERIFY(trace.ok());
    QCOMPARE(trace->tasks.size(), size_t(2));
    QCOMPARE(task(*trace, kWorker).movedNs, int64_t(0));
    QVERIFY2(trace->problems.empty(), trace->problems.empty() ? "" : trace->problems[0].message.c_str());
    QCOMPARE(trace->transfers.size(), size_t(3));
    const TraceTransfer* w = transferOf(*trace, "w/read");
    const TraceTransfer* gradient = transferOf(*trace, "gradients/MatMul_grad/MatMul_1");
    const TraceTransfer* rate = transferOf(*trace, "GradientDescent/learning_rate");
    QVERIFY(w && gradient && rate);
    QCOMPARE(w->tensor, std::string("edge_4_w/read"));
    QCOMPARE(w->from, cpu(kPs));
    QCOMPARE(w->to, cpu(kWorker));
    QCOMPARE(gradient->from, cpu(kWorker));
    QCOMPARE(gradient->to, cpu(kPs));
    QCOMPARE(w->bytes, int64_t(12));
    QCOMPARE(gradient->bytes, int64_t(12));
    QCOMPARE(rate->bytes, int64_t(4));
    QCOMPARE(trace->opOf(trace->slices[size_t(w->receive)]), std::string("RecvTensor"));
    QCOMPARE(trace->nameOf(trace->slices[size_t(gradient->receive)]), std::string("GradientDescent/update_w/ApplyGradientDescent"));
    for (const TraceTransfer& t : trace->transfers) QVERIFY(t.transitNs() > 0 && t.waitNs() > 0);
    if (graphs) QCOMPARE(trace->node("w")->device, cpu(kPs));
  }

  void hostTracksAreOfTheirTasks() {
    const auto trace = readTraceBytes(tensorFlowStep(), "cluster_run_metadata.pb");
    QVERIFY(trace.ok());
    for (const TraceTrack& track : trace->tracks) {
      QVERIFY2(track.device.starts_with("/job:"), track.device.c_str());
      if (track.device.ends_with("/host:CPU")) QVERIFY(track.duplicate);
    }
  }

  void transfersSurviveWritingAndReading() {
    const auto trace = readTraceBytes(tensorFlowStep(), "cluster_run_metadata.pb");
    QVERIFY(trace.ok());
    const auto again = readTraceBytes(toRunMetadata(*trace), "again");
    QVERIFY(again.ok());
    QVERIFY(again->problems.empty());
    QCOMPARE(again->transfers.size(), trace->transfers.size());
    for (size_t i = 0; i < trace->transfers.size(); ++i) {
      const TraceTransfer &was = trace->transfers[i], &is = again->transfers[i];
      QCOMPARE(is.node, was.node);
      QCOMPARE(is.from, was.from);
      QCOMPARE(is.to, was.to);
      QCOMPARE(is.bytes, was.bytes);
      QCOMPARE(is.sentNs, was.sentNs);
      QCOMPARE(is.receivedNs, was.receivedNs);
    }
    // Corrected clocks stay corrected.
    const auto moved = readTraceBytes(toRunMetadata(thereAndBack(5 * kMs).read()), "moved");
    QVERIFY(moved.ok());
    QCOMPARE(task(*moved, kWorker).clock, Clock::Agrees);
  }

  void labelsThatAreCutTellNothing() {
    for (const char* arguments : {"", "@", "edge_1_w", "edge_1_w @", " @/job:ps/replica:0/task:0/device:CPU:0"}) {
      Recorded r;
      r.op(kPs, "w_S0", "_Send", arguments, 0, kUs);
      r.op(kWorker, "w_S7", "_Recv", arguments, 0, kUs, 4);
      const Trace trace = r.read();
      QCOMPARE(trace.tasks.size(), size_t(2));
      QVERIFY2(trace.transfers.empty() || trace.transfers[0].node == "edge_1_w" || trace.transfers[0].node == "w" || trace.transfers[0].node.empty(),
               arguments);
    }
  }

  void aSingleProcessHasNoTasks() {
    const auto trace = readTraceBytes(
        "step_stats { dev_stats { device: '/job:localhost/replica:0/task:0/device:CPU:0' node_stats { node_name: 'a' all_start_micros: 5 op_end_rel_micros: 2 } } }",
        "local");
    QVERIFY(trace.ok());
    QVERIFY(trace->tasks.empty() && trace->transfers.empty());
  }
};

QTEST_GUILESS_MAIN(TestClusterTrace)
#include "tst_cluster_trace.moc"
