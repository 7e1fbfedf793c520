// Geometry of laid-out graphs: invariants of every drawing.
#include <QElapsedTimer>
#include <QTest>
#include <map>
#include <random>

#include "layout/acyclic.h"
#include "layout/container_layout.h"
#include "layout/graph_layout.h"
#include "sketch.h"

using namespace weft::layout;

namespace {

Sketch chain() {
  Sketch s;
  s.scope("conv");
  s.node("images");
  s.node("conv/Conv2D");
  s.node("conv/kernel", Role::Parameter);
  s.node("conv/Relu");
  s.node("loss");
  s.edge("images", "conv/Conv2D");
  s.edge("conv/kernel", "conv/Conv2D");
  s.edge("conv/Conv2D", "conv/Relu");
  s.edge("conv/Relu", "loss");
  return s;
}

// Nested scopes with random acyclic edges, parameters, savers and a few loops.
Sketch randomGraph(unsigned seed, int count) {
  std::mt19937 random(seed);
  Sketch s;
  std::vector<std::string> scopes{""};
  for (int i = 0; i < count / 12; ++i) {
    const std::string parent = scopes[random() % scopes.size()];
    const std::string name = (parent.empty() ? "" : parent + "/") + "s" + std::to_string(i);
    s.scope(name, random() % 15 == 0 ? Role::Aside : Role::Flow);
    scopes.push_back(name);
  }
  std::vector<std::string> names;
  for (int i = 0; i < count; ++i) {
    const std::string parent = scopes[random() % scopes.size()];
    names.push_back((parent.empty() ? "" : parent + "/") + "n" + std::to_string(i));
    s.node(names.back(), random() % 5 == 0 ? Role::Parameter : Role::Flow);
  }
  for (int i = 1; i < count; ++i)
    for (unsigned k = 0; k < 1 + random() % 3; ++k) {
      const auto a = static_cast<size_t>(random() % static_cast<unsigned>(i)), b = static_cast<size_t>(i);
      const bool loop = random() % 40 == 0;
      s.edge(names[loop ? b : a], names[loop ? a : b], random() % 6 == 0 ? EdgeKind::Control : EdgeKind::Data);
    }
  return s;
}

QString describe(const Box& b) { return QStringLiteral("[%1 %2 %3×%4]").arg(b.x).arg(b.y).arg(b.w).arg(b.h); }

bool overlap(const Box& a, const Box& b) { return a.x < b.right() - 0.01 && b.x < a.right() - 0.01 && a.y < b.bottom() - 0.01 && b.y < a.bottom() - 0.01; }

// Checks the invariants of a result; returns the first violation.
QString violation(const Graph& g, const Result& r) {
  const auto parentItem = [&](int item) {
    const int s = item < g.nodeCount() ? g.nodeScope[static_cast<size_t>(item)] : g.scopeParent[static_cast<size_t>(item - g.nodeCount())];
    return s < 0 ? -1 : g.nodeCount() + s;
  };
  std::map<int, std::vector<int>> children;
  for (int i = 0; i < g.itemCount(); ++i) {
    if (r.shown[static_cast<size_t>(i)] == Shown::Hidden) continue;
    const Box& b = r.boxes[static_cast<size_t>(i)];
    if (!(b.w > 0 && b.h > 0)) return QStringLiteral("item %1 has no size").arg(i);
    children[parentItem(i)].push_back(i);
    if (parentItem(i) < 0) continue;
    const Box& p = r.boxes[static_cast<size_t>(parentItem(i))];
    if (r.shown[static_cast<size_t>(parentItem(i))] != Shown::Open) return QStringLiteral("item %1 is shown in a closed scope").arg(i);
    if (b.x < p.x || b.y < p.y + 24 || b.right() > p.right() || b.bottom() > p.bottom())
      return QStringLiteral("item %1 %2 leaves its scope %3").arg(i).arg(describe(b), describe(p));
  }
  for (const auto& [parent, list] : children)
    for (size_t i = 0; i < list.size(); ++i)
      for (size_t k = i + 1; k < list.size(); ++k) {
        const Box &a = r.boxes[static_cast<size_t>(list[i])], &b = r.boxes[static_cast<size_t>(list[k])];
        if (overlap(a, b)) return QStringLiteral("items %1 %2 and %3 %4 overlap").arg(list[i]).arg(describe(a)).arg(list[k]).arg(describe(b));
      }
  // Every visible edge has a way from the right edge of one box to the left edge (or the underside) of the other, without a gap.
  for (const Route& route : r.routes) {
    Point at{};
    for (int k = 0; k < route.segmentCount; ++k) {
      const Segment& s = r.segments[static_cast<size_t>(r.routeSegments[static_cast<size_t>(route.firstSegment + k)])];
      if (s.pointCount < 2) return QStringLiteral("a segment has no points");
      const Point first = r.points[static_cast<size_t>(s.firstPoint)], last = r.points[static_cast<size_t>(s.firstPoint + s.pointCount - 1)];
      if (k > 0 && (std::abs(first.x - at.x) > 0.01 || std::abs(first.y - at.y) > 0.01))
        return QStringLiteral("route %1 → %2 has a gap").arg(route.from).arg(route.to);
      const Box from = r.boxes[static_cast<size_t>(route.from)], to = r.boxes[static_cast<size_t>(route.to)];
      if (k == 0 && s.joint != Joint::Vertical && std::abs(first.x - from.right()) > 0.01)
        return QStringLiteral("route %1 does not begin at its node").arg(route.from);
      if (k + 1 == route.segmentCount && s.joint != Joint::Vertical && std::abs(last.x - to.x) > 0.01)
        return QStringLiteral("route to %1 does not end at its node").arg(route.to);
      at = last;
    }
  }
  return {};
}

}  // namespace

class TestLayout : public QObject {
  Q_OBJECT

 private slots:
  void closedScopeIsOneBox() {
    const Sketch s = chain();
    const Result r = layoutGraph(s.graph, s.open({}));
    QVERIFY2(violation(s.graph, r).isEmpty(), qPrintable(violation(s.graph, r)));
    QCOMPARE(static_cast<int>(std::count(r.shown.begin(), r.shown.end(), Shown::Leaf)), 3);
    QCOMPARE(r.routes.size(), size_t{2});
    QVERIFY(s.box(r, "images").right() < s.box(r, "conv").x);
    QVERIFY(s.box(r, "conv").right() < s.box(r, "loss").x);
  }

  void chainStaysStraight() {
    const Sketch s = chain();
    for (const auto& open : {s.open({}), s.allOpen()}) {
      const Result r = layoutGraph(s.graph, open);
      for (const Segment& segment : r.segments) {
        if (segment.joint != Joint::Curve) continue;
        for (int i = 1; i < segment.pointCount; ++i)
          QCOMPARE(r.points[static_cast<size_t>(segment.firstPoint + i)].y, r.points[static_cast<size_t>(segment.firstPoint)].y);
      }
    }
  }

  void parametersLieBeneathTheirReader() {
    const Sketch s = chain();
    const Result r = layoutGraph(s.graph, s.allOpen());
    const Box kernel = s.box(r, "conv/kernel"), conv = s.box(r, "conv/Conv2D");
    QVERIFY(kernel.y > conv.bottom());
    QCOMPARE(kernel.x + kernel.w / 2, conv.x + conv.w / 2);
  }

  void loopsGoBackOverTheTop() {
    Sketch s;
    for (const char* name : {"enter", "merge", "switch", "body", "next", "exit"}) s.node(name);
    s.edge("enter", "merge");
    s.edge("merge", "switch");
    s.edge("switch", "body");
    s.edge("body", "next");
    s.edge("next", "merge");
    s.edge("switch", "exit");
    const Result r = layoutGraph(s.graph, {});
    QVERIFY2(violation(s.graph, r).isEmpty(), qPrintable(violation(s.graph, r)));
    int back = 0;
    for (const Segment& segment : r.segments) {
      if (!segment.back) continue;
      ++back;
      QCOMPARE(segment.from, s.nodes["next"]);
      QCOMPARE(segment.joint, Joint::Corners);
      double top = 1e9;
      for (int i = 0; i < segment.pointCount; ++i) top = std::min(top, r.points[static_cast<size_t>(segment.firstPoint + i)].y);
      QVERIFY(top < s.box(r, "merge").y);
    }
    QCOMPARE(back, 1);
  }

  void longChainsBreakIntoRows() {
    Sketch s;
    for (int i = 0; i < 60; ++i) {
      s.node("n" + std::to_string(i));
      if (i > 0) s.edge("n" + std::to_string(i - 1), "n" + std::to_string(i));
    }
    const Result r = layoutGraph(s.graph, {});
    QVERIFY2(violation(s.graph, r).isEmpty(), qPrintable(violation(s.graph, r)));
    QVERIFY2(r.bounds.w / r.bounds.h < 3.2, qPrintable(QStringLiteral("%1×%2").arg(r.bounds.w).arg(r.bounds.h)));
  }

  void hubsAndSaversAreQuiet() {
    Sketch s;
    s.node("save", Role::Aside);
    s.node("optimizer");
    for (int i = 0; i < 40; ++i) {
      s.node("n" + std::to_string(i));
      if (i > 0) s.edge("n" + std::to_string(i - 1), "n" + std::to_string(i));
      s.edge("n" + std::to_string(i), "optimizer");
      s.edge("n" + std::to_string(i), "save");
    }
    const Result r = layoutGraph(s.graph, {});
    int toHub = 0;
    for (const Segment& segment : r.segments) {
      if (segment.to == s.nodes["save"]) QVERIFY(segment.quiet);
      if (segment.to == s.nodes["optimizer"] && !segment.quiet) ++toHub;
      if (segment.to > s.nodes["optimizer"]) QVERIFY(!segment.quiet);
    }
    QCOMPARE(toHub, 3);
  }

  void randomGraphsHold_data() {
    QTest::addColumn<unsigned>("seed");
    QTest::addColumn<int>("count");
    for (unsigned seed = 1; seed <= 24; ++seed) QTest::addRow("%u", seed) << seed << static_cast<int>(8 + seed * seed);
  }
  void randomGraphsHold() {
    QFETCH(unsigned, seed);
    QFETCH(int, count);
    const Sketch s = randomGraph(seed, count);
    std::mt19937 random(seed);
    Memory memory;
    std::vector<char> open(static_cast<size_t>(s.graph.scopeCount()), 0);
    for (int step = 0; step < 8; ++step) {
      const Result r = layoutGraph(s.graph, open, -1, {}, &memory);
      const QString wrong = violation(s.graph, r);
      QVERIFY2(wrong.isEmpty(), qPrintable(wrong));
      for (char& o : open)
        if (random() % 3 == 0) o = o == 0 ? 1 : 0;
    }
    const Result all = layoutGraph(s.graph, s.allOpen(), -1, {}, &memory);
    QVERIFY2(violation(s.graph, all).isEmpty(), qPrintable(violation(s.graph, all)));
  }

  void sameInputSameOutput() {
    const Sketch s = randomGraph(7, 300);
    const Result a = layoutGraph(s.graph, s.allOpen()), b = layoutGraph(s.graph, s.allOpen());
    QCOMPARE(a.points.size(), b.points.size());
    for (size_t i = 0; i < a.boxes.size(); ++i) {
      QCOMPARE(a.boxes[i].x, b.boxes[i].x);
      QCOMPARE(a.boxes[i].y, b.boxes[i].y);
    }
  }

  void openingSwapsNothing() {
    Sketch s;
    s.node("in");
    for (int i = 0; i < 12; ++i) {
      const std::string name = "b" + std::to_string(i);
      s.scope(name);
      s.node(name + "/x");
      s.node(name + "/y");
      s.edge("in", name + "/x");
      s.edge(name + "/x", name + "/y");
    }
    Memory memory;
    const Result before = layoutGraph(s.graph, s.open({}), -1, {}, &memory);
    const Result after = layoutGraph(s.graph, s.open({"b4", "b9"}), -1, {}, &memory);
    for (int i = 0; i < 12; ++i)
      for (int k = 0; k < 12; ++k) {
        const std::string a = "b" + std::to_string(i), b = "b" + std::to_string(k);
        if (s.box(before, a).x == s.box(before, b).x && s.box(before, a).y < s.box(before, b).y) QVERIFY(s.box(after, a).y < s.box(after, b).y);
      }
  }

  void closingGivesTheOldPlaces() {
    const Sketch s = randomGraph(11, 200);
    Memory memory;
    const auto closed = s.open({});
    const Result first = layoutGraph(s.graph, closed, -1, {}, &memory);
    layoutGraph(s.graph, s.allOpen(), -1, {}, &memory);
    const Result again = layoutGraph(s.graph, closed, -1, {}, &memory);
    for (size_t i = 0; i < first.boxes.size(); ++i) {
      QCOMPARE(again.boxes[i].x, first.boxes[i].x);
      QCOMPARE(again.boxes[i].y, first.boxes[i].y);
    }
  }

  void insideOfOneScope() {
    const Sketch s = chain();
    const Result r = layoutGraph(s.graph, s.open({}), s.scopes.at("conv"));
    QCOMPARE(static_cast<int>(std::count(r.shown.begin(), r.shown.end(), Shown::Leaf)), 3);
    QCOMPARE(static_cast<int>(r.shown[static_cast<size_t>(s.nodes.at("images"))]), static_cast<int>(Shown::Hidden));
  }

  // A drawing is kept: later additions go to free places near their neighbours and move nothing.
  void newItemsLieNearAndMoveNothing() {
    Sketch s;
    for (const char* name : {"a", "b", "far"}) s.node(name);
    s.edge("a", "b");
    Memory memory;
    Options options;
    options.note = true;
    s.graph.nodePin.resize(3);
    s.graph.nodePin[0] = {0, 0, true};
    s.graph.nodePin[1] = {300, 0, true};
    s.graph.nodePin[2] = {460, 10, true};  // where the successor of b would go
    const Result before = layoutGraph(s.graph, {}, -1, options, &memory);
    s.node("between");
    s.node("behind");
    s.node("weight", Role::Parameter);
    s.node("save", Role::Aside);
    s.edge("a", "between");
    s.edge("between", "b");
    s.edge("b", "behind");
    s.edge("weight", "b");
    s.edge("weight", "save");
    s.graph.nodePin.resize(7);
    options.keep = true;
    const Result now = layoutGraph(s.graph, {}, -1, options, &memory);
    for (const char* name : {"a", "b", "far"}) {
      QCOMPARE(s.box(now, name).x, s.box(before, name).x);
      QCOMPARE(s.box(now, name).y, s.box(before, name).y);
    }
    const Box a = s.box(now, "a"), b = s.box(now, "b"), between = s.box(now, "between"), behind = s.box(now, "behind"), weight = s.box(now, "weight"),
              save = s.box(now, "save");
    QVERIFY(between.x > a.right() && between.right() < b.x);
    QCOMPARE(between.y, a.y);
    QCOMPARE(behind.x, b.right() + options.gapX);
    QVERIFY2(behind.y >= s.box(now, "far").bottom() || behind.bottom() <= s.box(now, "far").y, "not on what lies there");
    QCOMPARE(weight.x + weight.w / 2, b.x + b.w / 2);
    QCOMPARE(weight.y, b.bottom() + options.parameterGap);
    for (const char* name : {"a", "b", "far", "between", "behind", "weight"}) QVERIFY2(save.y >= s.box(now, name).bottom(), name);
    // The same again gives the same again.
    const Result again = layoutGraph(s.graph, {}, -1, options, &memory);
    for (size_t i = 0; i < again.boxes.size(); ++i) QVERIFY(again.boxes[i].x == now.boxes[i].x && again.boxes[i].y == now.boxes[i].y);
    for (size_t i = 0; i < again.points.size(); ++i) QVERIFY(again.points[i].x == now.points[i].x && again.points[i].y == now.points[i].y);
  }

  void manyNewItemsComeAsOneBlock() {
    Sketch s;
    s.node("old");
    Memory memory;
    Options options;
    options.note = true;
    const Result before = layoutGraph(s.graph, {}, -1, options, &memory);
    for (int i = 0; i < 3000; ++i) s.node("n" + std::to_string(i));
    for (int i = 1; i < 3000; ++i) s.edge("n" + std::to_string(i - 1), "n" + std::to_string(i));
    options.keep = true;
    QElapsedTimer timer;
    timer.start();
    const Result now = layoutGraph(s.graph, {}, -1, options, &memory);
    QVERIFY(timer.elapsed() < 5000);
    QCOMPARE(s.box(now, "old").x, s.box(before, "old").x);
    for (int i = 0; i < 3000; ++i) QVERIFY(s.box(now, "n" + std::to_string(i)).y > s.box(now, "old").bottom());
  }

  // A node that got a longer name does not push the others while there is room.
  void aLongerNameMovesNothing() {
    Sketch s = chain();
    Memory memory;
    Options options;
    options.note = true;
    const Result before = layoutGraph(s.graph, s.allOpen(), -1, options, &memory);
    s.node("new");
    options.keep = true;
    layoutGraph(s.graph, s.allOpen(), -1, options, &memory);
    s.graph.nodeSize[static_cast<size_t>(s.nodes.at("conv/Conv2D"))].w += 6;
    const Result now = layoutGraph(s.graph, s.allOpen(), -1, options, &memory);
    for (const char* name : {"images", "conv/Relu", "conv/kernel", "loss"}) {
      QCOMPARE(s.box(now, name).x, s.box(before, name).x);
      QCOMPARE(s.box(now, name).y, s.box(before, name).y);
    }
  }

  void wiresGoAroundWhatIsPutInTheirWay() {
    Sketch s;
    for (const char* name : {"a", "b", "stone"}) s.node(name);
    s.edge("a", "b");
    s.graph.nodePin = {{0, 0, true}, {600, 0, true}, {0, 400, true}};
    Memory memory;
    Options options;
    options.keep = options.note = true;
    const auto crossed = [&](const Result& r) {
      const Box stone = s.box(r, "stone");
      int hits = 0;
      for (const Segment& segment : r.segments)
        for (int i = 1; i < segment.pointCount; ++i) {
          const Point p = r.points[size_t(segment.firstPoint + i - 1)], q = r.points[size_t(segment.firstPoint + i)];
          for (int k = 0; k <= 100; ++k) {
            const double x = p.x + (q.x - p.x) * k / 100, y = p.y + (q.y - p.y) * k / 100;
            hits += x > stone.x && x < stone.right() && y > stone.y && y < stone.bottom();
          }
        }
      return hits;
    };
    const Result free = layoutGraph(s.graph, s.allOpen(), -1, options, &memory);
    QCOMPARE(free.segments.size(), size_t(1));
    QCOMPARE(free.segments[0].pointCount, 2);
    s.graph.nodePin[2] = {300, -5, true};
    const Result around = layoutGraph(s.graph, s.allOpen(), -1, options, &memory);
    QCOMPARE(crossed(around), 0);
    QVERIFY(around.segments[0].joint == Joint::Corners);
    QVERIFY(around.segments[0].pointCount >= 6);
    // After its removal, the wire is as before.
    s.graph.nodePin[2] = {0, 400, true};
    const Result again = layoutGraph(s.graph, s.allOpen(), -1, options, &memory);
    QCOMPARE(again.segments[0].pointCount, 2);
    QCOMPARE(again.points[size_t(again.segments[0].firstPoint)].y, free.points[size_t(free.segments[0].firstPoint)].y);
  }

  void crossings() {
    QCOMPARE(countCrossings({{0}, {1}, {2}}, 3), 0);
    QCOMPARE(countCrossings({{2}, {1}, {0}}, 3), 3);
    QCOMPARE(countCrossings({{1}, {1}, {0}, {2}}, 3), 2);
    // A hop that three wires share is crossed three times.
    QCOMPARE(countCrossings({{1, 3}, {0, 2}, {0, 1}}, 2), 9);
  }

  void orderWithoutLoops() {
    std::vector<char> back;
    const auto order = acyclicOrder(4, {{0, 1}, {1, 2}, {2, 1}, {2, 3}, {3, 3}}, back);
    QCOMPARE(order, (std::vector<std::int32_t>{0, 1, 2, 3}));
    QCOMPARE(back, (std::vector<char>{0, 0, 1, 0, 1}));
  }

  void flatFiveThousand() {
    Sketch s;
    std::mt19937 random(3);
    for (int i = 0; i < 5000; ++i) {
      s.node("n" + std::to_string(i));
      for (unsigned k = 0; i > 0 && k < 1 + random() % 2; ++k)
        s.edge("n" + std::to_string(i - 1 - static_cast<int>(random() % static_cast<unsigned>(std::min(i, 60)))), "n" + std::to_string(i));
    }
    QElapsedTimer timer;
    timer.start();
    const Result r = layoutGraph(s.graph, {});
    qInfo("5,000 nodes in one scope: %lld ms", timer.elapsed());
    // The goal is 250 ms on an idle machine; this only catches superlinear behaviour.
    QVERIFY(timer.elapsed() < 5000);
    QVERIFY(r.bounds.w > 0);
  }

  void emptyAndDegenerate() {
    QVERIFY(layoutGraph({}, {}).boxes.empty());
    Sketch s;
    s.node("a");
    s.node("b");
    s.edge("a", "a");
    s.edge("a", "b");
    s.edge("a", "b");
    s.edge("b", "a", EdgeKind::Control);
    const Result r = layoutGraph(s.graph, {});
    QVERIFY2(violation(s.graph, r).isEmpty(), qPrintable(violation(s.graph, r)));
    Sketch empty;
    empty.scope("nothing");
    const Result e = layoutGraph(empty.graph, empty.allOpen());
    QVERIFY2(violation(empty.graph, e).isEmpty(), qPrintable(violation(empty.graph, e)));
  }
};

QTEST_GUILESS_MAIN(TestLayout)
#include "tst_layout.moc"
