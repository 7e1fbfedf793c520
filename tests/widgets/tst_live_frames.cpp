// Redraw rates of growing data: the rule under a simulated clock, and the frames that apply it.
#include <QApplication>
#include <QTest>
#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <vector>

#include "common/live_frames.h"

using namespace weft::widgets;

namespace {

using Stage = FrameGovernor::Stage;

/// A simulated thread, in which time passes only through work and waiting for the next frame.
struct Thread {
  explicit Thread(FrameGovernor::Rules rules = {.share = 0.02, .processors = 2}) : governor(rules) {}

  FrameGovernor governor;
  double now = 1000, used = 0;
  double wake = 0;                           // fixed cost of each frame
  int frames = 0, idle = 0;                  // idle: no member acted
  std::map<int, double> costs;               // of a member, each time
  std::map<int, std::vector<double>> times;  // at which it acted
  std::map<int, std::function<void()>> acts;

  int add(Stage stage, double cost, double fastest = 0) {
    const int id = governor.add(stage, fastest);
    costs[id] = cost;
    return id;
  }
  void work(double ms) { now += ms, used += ms; }
  /// For so long, everybody of `always` wants something all the time; the thread needs `otherShare` of its time for other things.
  void run(double ms, const std::vector<int>& always, double otherShare = 0) {
    const double end = now + ms;
    while (now < end) {
      for (const int id : always) governor.want(id);
      const double wait = governor.waitMs(now, used);
      const double next = wait < 0 ? 1 : std::max(0.05, wait);
      used += next * otherShare;
      now += next;
      work(wake);
      governor.begin(now, used);
      ++frames;
      bool acted = false;
      for (int id = governor.next(); id >= 0; id = governor.next()) {
        acted = true;
        times[id].push_back(now);
        work(costs[id]);
        governor.charge(id, costs[id]);
        if (acts.contains(id)) acts[id]();
      }
      if (!acted) ++idle;
    }
  }
  int count(int id, double from) const {
    const auto it = times.find(id);
    return it == times.end() ? 0 : int(std::count_if(it->second.begin(), it->second.end(), [from](double t) { return t >= from; }));
  }
  double longestPause(int id, double from) const {
    double longest = 0, last = from;
    for (const double t : times.at(id)) {
      if (t < from) continue;
      longest = std::max(longest, t - last);
      last = t;
    }
    return longest;
  }
};

}  // namespace

class TestLiveFrames : public QObject {
  Q_OBJECT

 private slots:
  void cheapIsDrawnThirtyTimesASecond() {
    Thread thread;
    const int curve = thread.add(Stage::Drawing, 0.5);
    thread.run(10000, {curve});
    const int n = thread.count(curve, 0);
    QVERIFY2(n >= 280 && n <= 310, qPrintable(QString::number(n)));
    QVERIFY(thread.longestPause(curve, 1000) < 40);
  }

  void atOnceAfterSilence() {
    Thread thread;
    const int curve = thread.add(Stage::Drawing, 0.5);
    QVERIFY(thread.governor.waitMs(thread.now, thread.used) < 0);
    thread.governor.want(curve);
    QCOMPARE(thread.governor.waitMs(thread.now, thread.used), 0.0);
    thread.governor.begin(thread.now, thread.used);
    QCOMPARE(thread.governor.next(), curve);
    QCOMPARE(thread.governor.next(), -1);
    thread.governor.want(curve);  // in the same frame: the next one has it
    QCOMPARE(thread.governor.next(), -1);
    const double wait = thread.governor.waitMs(thread.now, thread.used);
    QVERIFY(wait > 30 && wait <= 33);
  }

  void theShareIsKept_data() {
    QTest::addColumn<double>("cost");
    QTest::addColumn<int>("members");
    QTest::newRow("2 ms") << 2.0 << 1;
    QTest::newRow("5 ms") << 5.0 << 1;
    QTest::newRow("15 ms") << 15.0 << 1;
    QTest::newRow("three of 1 ms") << 1.0 << 3;
    QTest::newRow("six of 3 ms") << 3.0 << 6;
  }
  void theShareIsKept() {
    QFETCH(double, cost);
    QFETCH(int, members);
    Thread thread;
    std::vector<int> all;
    for (int i = 0; i < members; ++i) all.push_back(thread.add(Stage::Drawing, cost));
    thread.run(2000, all);
    const double before = thread.used, from = thread.now;
    thread.run(20000, all);
    const double share = (thread.used - before) / (thread.now - from) / 2;
    QVERIFY2(share <= 0.0205, qPrintable(QString::number(share)));
    QVERIFY2(share >= 0.015, qPrintable(QString::number(share)));  // the allowance is used
    for (const int id : all) QVERIFY(thread.longestPause(id, from) <= 560);
  }

  void neverLessThanTwiceASecond() {
    Thread thread;
    const int heavy = thread.add(Stage::Drawing, 120);
    thread.run(20000, {heavy});
    QVERIFY(thread.longestPause(heavy, 2000) <= 640);  // its own cost is added
    QVERIFY(thread.count(heavy, 0) >= 30);
  }

  void whatIsCheapIsNotHeldUp() {
    Thread thread;
    const int source = thread.add(Stage::Source, 0.1), curve = thread.add(Stage::Drawing, 0.3), map = thread.add(Stage::Drawing, 9);
    thread.run(2000, {source, curve, map});
    const double from = thread.now, before = thread.used;
    thread.run(20000, {source, curve, map});
    QVERIFY2(thread.count(curve, from) >= 15 * 20, qPrintable(QString::number(thread.count(curve, from))));
    QVERIFY(thread.count(map, from) >= 2 * 19 && thread.count(map, from) <= 4 * 20);
    QVERIFY((thread.used - before) / (thread.now - from) / 2 <= 0.0205);
  }

  void whatElseTheThreadDoesCounts() {
    Thread thread;
    const int curve = thread.add(Stage::Drawing, 0.5);
    thread.run(3000, {curve}, 0.3);  // the user drags a canvas
    QVERIFY(thread.count(curve, 1500) <= 6);
    QVERIFY(thread.longestPause(curve, 1500) <= 540);
    const double from = thread.now;
    thread.run(3000, {curve});
    QVERIFY2(thread.count(curve, from) >= 50, qPrintable(QString::number(thread.count(curve, from))));  // and it recovers within half a second
  }

  void sourcesComeFirstAndWhatTheyBringIsDrawnInTheSameFrame() {
    Thread thread;
    const int curve = thread.add(Stage::Drawing, 0.2), source = thread.add(Stage::Source, 0.1);
    thread.acts[source] = [&] { thread.governor.want(curve); };
    thread.run(2000, {source});
    QVERIFY(thread.times[curve].size() > 50);
    for (std::size_t i = 0; i < thread.times[curve].size(); ++i) QVERIFY(thread.times[curve][i] - thread.times[source][i] < 0.2);
  }

  void sourcesAreAskedAsOftenAsSomebodyDraws() {
    Thread thread;
    const int source = thread.add(Stage::Source, 1), map = thread.add(Stage::Drawing, 8);
    thread.run(2000, {source, map});
    const double from = thread.now;
    thread.run(10000, {source, map});
    QVERIFY2(thread.count(source, from) <= thread.count(map, from) * 3 / 2,
             qPrintable(QStringLiteral("%1, %2").arg(thread.count(source, from)).arg(thread.count(map, from))));
    QVERIFY(thread.count(map, from) >= 20);
  }

  // Looking every millisecond whether there is something to spend again would spend it.
  void whoIsInDebtSleeps() {
    Thread thread;
    thread.wake = 0.05;
    const int curve = thread.add(Stage::Drawing, 2);
    thread.run(10000, {curve}, 0.02);
    QVERIFY2(thread.idle <= thread.frames / 2, qPrintable(QStringLiteral("%1 of %2").arg(thread.idle).arg(thread.frames)));
    QVERIFY(thread.count(curve, 2000) >= 8 * 5);
  }

  void whatCostsLittleIsDrawnTogether() {
    Thread thread;
    std::vector<int> curves;
    for (const double cost : {0.05, 0.1, 0.3, 0.6}) curves.push_back(thread.add(Stage::Drawing, cost));
    thread.run(2000, curves, 0.02);
    const double from = thread.now;
    thread.run(10000, curves, 0.02);
    std::vector<double> all;
    for (const int id : curves)
      for (const double t : thread.times[id])
        if (t >= from) all.push_back(t);
    std::sort(all.begin(), all.end());
    // In one frame they come a fraction of a millisecond after each other.
    int together = 0;
    for (std::size_t i = 1; i < all.size(); ++i) together += all[i] - all[i - 1] < 1;
    QVERIFY2(together >= int(all.size()) * 7 / 10, qPrintable(QStringLiteral("%1 of %2").arg(together).arg(all.size())));
    for (const int id : curves) QVERIFY(std::abs(thread.count(id, from) - thread.count(curves[0], from)) <= thread.count(curves[0], from) / 5);
  }

  void nobodyIsAskedMoreOftenThanItLikes() {
    Thread thread;
    const int list = thread.add(Stage::Drawing, 0.01, 250);
    thread.run(10000, {list});
    QVERIFY(thread.count(list, 0) >= 38 && thread.count(list, 0) <= 42);
  }

  void whoIsGoneIsNotAsked() {
    Thread thread;
    const int a = thread.add(Stage::Drawing, 1), b = thread.add(Stage::Drawing, 1);
    thread.governor.want(a);
    thread.governor.want(b);
    thread.governor.remove(a);
    thread.governor.want(a);
    thread.governor.charge(a, 5);
    thread.governor.begin(thread.now, thread.used);
    QCOMPARE(thread.governor.next(), b);
    QCOMPARE(thread.governor.next(), -1);
    QVERIFY(!thread.governor.anyPending());
  }

  void membersAreCalled() {
    int polled = 0, drawn = 0;
    FrameMember drawing(Stage::Drawing, "drawing", [&] { ++drawn; });
    FrameMember source(Stage::Source, "source", [&] {
      if (++polled <= 3) drawing.want();
    });
    source.setPolling(true);
    QTRY_VERIFY(polled >= 6);
    QCOMPARE(drawn, 3);
    source.setPolling(false);
    QTest::qWait(80);  // earlier requests are processed
    const int before = polled;
    QTest::qWait(150);
    QCOMPARE(polled, before);
  }

  void oneMayEndAnother() {
    int called = 0;
    auto second = std::make_unique<FrameMember>(Stage::Drawing, "second", [&] { ++called; });
    FrameMember first(Stage::Source, "first", [&] { second.reset(); });
    second->want();
    first.want();
    QTest::qWait(100);
    QVERIFY(!second);
    QCOMPARE(called, 0);
  }
};

QTEST_MAIN(TestLiveFrames)
#include "tst_live_frames.moc"
