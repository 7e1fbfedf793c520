#include <QTest>
#include <atomic>
#include <thread>

#include "kernel/rendezvous.h"
#include "ops/frame_ids.h"

using namespace weft;

namespace {

/// What a receive was told: "5", "dead", or the error.
struct Told {
  std::atomic<int> calls{0};
  QString text;
  Rendezvous::Done done() {
    return [this](Result<Received> r) {
      text = !r.ok() ? QString::fromStdString(r.error().toString()) : r->dead ? "dead" : QString::number(r->value.at<float>(0));
      ++calls;
    };
  }
};

Tensor value(float v) { return Tensor::scalar(v); }

}  // namespace

/// The rendezvous within a process, and its keys.
class RendezvousTest : public QObject {
  Q_OBJECT

 private slots:
  void eitherMayComeFirst() {
    LocalRendezvous r;
    Told early, late;
    QVERIFY(r.receive("a", early.done()));
    QCOMPARE(early.calls, 0);
    QVERIFY(r.send("a", value(5), false).ok());
    QCOMPARE(early.text, QString("5"));
    QVERIFY(r.send("b", value(6), false).ok());
    QVERIFY(!r.receive("b", late.done()));
    QCOMPARE(late.text, QString("6"));
    QCOMPARE(early.calls + late.calls, 2);
  }

  void deadTensorsHaveNoValue() {
    LocalRendezvous r;
    Told told;
    QVERIFY(r.send("a", Tensor(), true).ok());
    r.receive("a", told.done());
    QCOMPARE(told.text, QString("dead"));
  }

  void keysAreSentAndReceivedOnce() {
    LocalRendezvous r;
    QVERIFY(r.send("a", value(1), false).ok());
    const Status again = r.send("a", value(2), false);
    QCOMPARE(again.error().toString(), std::string("ABORTED: Duplicated send: a"));
    Told first, second;
    r.receive("b", first.done());
    r.receive("b", second.done());
    QCOMPARE(second.text, QString("ABORTED: Duplicated recv: b"));
    QCOMPARE(first.calls, 0);
  }

  void abortEndsReceivesAndSends() {
    LocalRendezvous r;
    Told waiting, later;
    r.receive("a", waiting.done());
    r.abort(outOfRange("why"));
    r.abort(internalError("another reason"));
    QCOMPARE(waiting.text, QString("OUT_OF_RANGE: why"));
    r.receive("b", later.done());
    QCOMPARE(later.text, QString("OUT_OF_RANGE: why"));
    QCOMPARE(r.send("c", value(1), false).error().toString(), std::string("OUT_OF_RANGE: why"));
  }

  void cancelEndsOneReceive() {
    Told told, other;
    Rendezvous::Cancel cancel;
    {
      LocalRendezvous r;
      cancel = r.receive("a", told.done());
      cancel();
      cancel();
      QCOMPARE(told.calls, 1);
      QVERIFY(told.text.startsWith("CANCELLED"));
      r.receive("a", other.done());
      cancel();  // of the earlier one
      QCOMPARE(other.calls, 0);
      QVERIFY(r.send("a", value(3), false).ok());
      QCOMPARE(other.text, QString("3"));
    }
    cancel();
    QCOMPARE(told.calls, 1);
  }

  void endsWithItsObject() {
    Told told;
    { LocalRendezvous().receive("a", told.done()); }
    QCOMPARE(told.calls, 1);
    QVERIFY(told.text.startsWith("CANCELLED"));
  }

  void doneMayUseTheRendezvous() {
    LocalRendezvous r;
    Told told;
    r.receive("a", [&](Result<Received> got) {
      QVERIFY(r.send("b", got->value, false).ok());
      r.receive("b", told.done());
    });
    QVERIFY(r.send("a", value(4), false).ok());
    QCOMPARE(told.text, QString("4"));
  }

  void manyThreads() {
    constexpr int kKeys = 2000, kThreads = 4;
    LocalRendezvous r;
    std::atomic<int> right{0};
    std::vector<std::thread> threads;
    for (int t = 0; t < kThreads; ++t) {
      threads.emplace_back([&, t] {
        for (int k = t; k < kKeys; k += kThreads) QVERIFY(r.send("k" + std::to_string(k), value(float(k)), false).ok());
      });
      threads.emplace_back([&, t] {
        for (int k = kKeys - 1 - t; k >= 0; k -= kThreads)
          r.receive("k" + std::to_string(k), [&right, k](Result<Received> got) { right += got.ok() && got->value.at<float>(0) == float(k); });
      });
    }
    for (std::thread& t : threads) t.join();
    QCOMPARE(right, kKeys);
  }

  void keys() {
    RendezvousKey key;
    key.sendDevice = "/job:ps/replica:0/task:0/device:CPU:0";
    key.recvDevice = "/job:worker/replica:0/task:0/device:CPU:0";
    key.incarnation = 1811028921319476965u;
    key.tensor = "edge_6_b/read";
    const std::string text = "/job:ps/replica:0/task:0/device:CPU:0;192211356d34cee5;/job:worker/replica:0/task:0/device:CPU:0;edge_6_b/read;0:0";
    QCOMPARE(key.text(), text);
    const std::string inLoop = "a;000000000000002a;b;t;18186195969791715286:3";
    const auto parsed = RendezvousKey::parse(inLoop);
    QVERIFY(parsed.ok());
    QCOMPARE(parsed->text(), inLoop);
    QCOMPARE(parsed->incarnation, uint64_t(42));
    QCOMPARE(parsed->frame, uint64_t(18186195969791715286u));
    QCOMPARE(parsed->iteration, int64_t(3));
    for (const char* wrong : {"", "a", "a;b;c", "a;zz;b;t;0:0", "a;1;b;t;0", "a;1;b;t;0:x", "a;1;b;t;0:0 ", ";1;b;t;0:0"})
      QVERIFY2(RendezvousKey::parse(wrong).error().code == Code::InvalidArgument, wrong);
  }

  /// The numbers are from steps of TensorFlow 1.15.5 and 2.21.
  void framesAreNumberedAsInTensorFlow() {
    const auto id = [](std::vector<LoopPlace> loops, FrameIds ids) { return frameId(loops, ids); };
    QCOMPARE(id({}, FrameIds::OfNames), uint64_t(0));
    QCOMPARE(id({{"while/while_context", 7}}, FrameIds::OfNames), uint64_t(1496156560211570566u));
    QCOMPARE(id({{"while/while_context", 7}}, FrameIds::OfParents), uint64_t(18186195969791715286u));
    const uint64_t ofNames[] = {8938996621691498761u, 14165726676734493473u, 7182447320906213215u};
    const uint64_t ofParents[] = {419804632738088497u, 419804632738087474u, 419804632738090551u};
    for (int64_t i = 0; i < 3; ++i) {
      const std::vector<LoopPlace> nested = {{"out/while_context", i}, {"out/in/while_context", 1}};
      QCOMPARE(id(nested, FrameIds::OfNames), ofNames[i]);
      QCOMPARE(id(nested, FrameIds::OfParents), ofParents[i]);
    }
  }
};

QTEST_APPLESS_MAIN(RendezvousTest)
#include "tst_rendezvous.moc"
