#include <QTest>

#include <algorithm>

#include "exhaust.h"
#include "weft/side_by_side.h"

using namespace weft;
using namespace exhaust;

/// Side by side: the schedules of all small lists of calls.
class ExhaustedSchedulesTest : public QObject {
  Q_OBJECT

  /// Whether a run of the schedule in which threads take calls in any order can break what `calls` asks for: a call may begin when all calls of earlier phases have
  /// ended, and those of its own phase that it waits for.
  static QString broken(const Schedule& s, const std::vector<ScheduledCall>& calls) {
    std::vector<int> phase(calls.size(), -1), place(calls.size(), -1);
    for (size_t p = 0; p < s.phases.size(); ++p) {
      for (size_t i = 0; i < s.phases[p].calls.size(); ++i) {
        const size_t c = size_t(s.phases[p].calls[i]);
        if (phase[c] >= 0) return QStringLiteral("call %1 runs twice").arg(c);
        phase[c] = int(p);
        place[c] = int(i);
      }
    }
    for (size_t c = 0; c < calls.size(); ++c) {
      if (phase[c] < 0) return QStringLiteral("call %1 never runs").arg(c);
      const Phase& p = s.phases[size_t(phase[c])];
      if (!calls[c].narrow && p.calls.size() > 1) return QStringLiteral("call %1 is not alone").arg(c);
      for (size_t other = 0; other < calls.size(); ++other) {
        if (!calls[other].border || other == c) continue;
        if ((other < c) != (phase[other] < phase[c])) return QStringLiteral("call %1 crosses border %2").arg(c).arg(other);
      }
      int waits = 0;
      for (const int before : calls[c].after) {
        if (phase[size_t(before)] < phase[c]) continue;
        if (phase[size_t(before)] > phase[c]) return QStringLiteral("call %1 runs before %2").arg(c).arg(before);
        const std::vector<int>& next = p.next[size_t(place[size_t(before)])];
        if (std::count(next.begin(), next.end(), place[c]) != 1) return QStringLiteral("call %1 does not wait for %2").arg(c).arg(before);
        if (place[size_t(before)] >= place[c]) return QStringLiteral("one by one, call %1 runs before %2").arg(c).arg(before);
        ++waits;
      }
      if (waits != p.waits[size_t(place[c])]) return QStringLiteral("call %1 waits for %2, not %3").arg(c).arg(p.waits[size_t(place[c])]).arg(waits);
    }
    return {};
  }

 private slots:
  // RULE side_by_side.order: all lists of up to five calls (in a few seconds: four), each narrow and long, narrow and short, wide or a border, with all sets of edges, on 1
  // to 3 threads.
  void schedulesKeepEveryEdgeAndBorder() {
    int tried = 0, together = 0;
    for (int n = 0; n <= (isLong() ? 5 : 4); ++n) {
      const int pairs = n * (n - 1) / 2;
      for (int kinds = 0; kinds < 1 << (2 * n); ++kinds) {
        for (int edges = 0; edges < 1 << pairs; ++edges) {
          std::vector<ScheduledCall> calls;
          for (int c = 0, bit = 0; c < n; ++c) {
            const int kind = kinds >> (2 * c) & 3;
            ScheduledCall call{kind == 1 ? 400. : 50'000., kind < 2, kind == 3, {}};
            for (int before = 0; before < c; ++before, ++bit)
              if (edges >> bit & 1) call.after.push_back(before);
            calls.push_back(std::move(call));
          }
          for (const int threads : {1, 2, 3}) {
            const Schedule s = sideBySide(calls, threads);
            const QString what = broken(s, calls);
            QVERIFY2(what.isEmpty(),
                     qPrintable(QStringLiteral("%1 calls, kinds %2, edges %3, threads %4: %5").arg(n).arg(kinds).arg(edges).arg(threads).arg(what)));
            QVERIFY(s.ns <= s.oneByOneNs);
            ++tried;
            together += int(s.phases.size()) < n;
          }
        }
      }
    }
    QVERIFY(tried > 40'000);
    QVERIFY(together > 1'000);
  }
};

QTEST_GUILESS_MAIN(ExhaustedSchedulesTest)
#include "tst_exhausted_schedules.moc"
