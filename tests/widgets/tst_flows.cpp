// Flows without wires between them, wires that do not affect the layout, and initially open scopes.
#include <QTest>
#include <algorithm>

#include "layout/grouping.h"
#include "sketch.h"

using namespace weft::layout;

namespace {

const Segment* wire(const Sketch& s, const Result& r, const std::string& from, const std::string& to) {
  const auto item = [&](const std::string& name) {
    const auto it = s.nodes.find(name);
    return it != s.nodes.end() ? it->second : s.graph.nodeCount() + s.scopes.at(name);
  };
  for (const Segment& segment : r.segments)
    if (segment.from == item(from) && segment.to == item(to)) return &segment;
  return nullptr;
}

void chainOf(Sketch& s, const std::string& stem, int count) {
  for (int i = 0; i < count; ++i) {
    s.node(stem + std::to_string(i));
    if (i > 0) s.edge(stem + std::to_string(i - 1), stem + std::to_string(i));
  }
}

GroupingInput partsOf(const Sketch& s, const std::map<std::string, Part>& parts) {
  GroupingInput in;
  in.nodePart.assign(s.nodes.size(), Part::Network);
  in.nodeKind.assign(s.nodes.size(), 1);
  for (const auto& [name, part] : parts) in.nodePart[size_t(s.nodes.at(name))] = part;
  in.title = [](std::int32_t item) { return "item" + std::to_string(item); };
  in.isParameter = [in](std::int32_t node) { return in.nodePart[size_t(node)] == Part::Weight; };
  return in;
}

}  // namespace

class TestFlows : public QObject {
  Q_OBJECT
 private slots:
  void theHeavierFlowComesFirst() {
    Sketch s;
    chainOf(s, "small", 3);
    chainOf(s, "large", 6);
    const Result r = layoutGraph(s.graph, {});
    QVERIFY(s.box(r, "small0").y > s.box(r, "large0").bottom());
    QCOMPARE(s.box(r, "small0").x, s.box(r, "large0").x);
    // Neither is stretched to the columns of the other, and each is straight.
    QCOMPARE(s.box(r, "small2").y, s.box(r, "small0").y);
    QCOMPARE(s.box(r, "large5").y, s.box(r, "large0").y);
  }

  void smallFlowsStandSideBySide() {
    Sketch s;
    chainOf(s, "main", 8);
    chainOf(s, "a", 2);
    chainOf(s, "b", 2);
    const Result r = layoutGraph(s.graph, {});
    QCOMPARE(s.box(r, "a0").y, s.box(r, "b0").y);
    QVERIFY(s.box(r, "b0").x > s.box(r, "a1").right());
  }

  void theBandLiesBetweenTheMainFlowAndTheOthers() {
    Sketch s;
    chainOf(s, "main", 6);
    chainOf(s, "other", 3);
    s.node("gradients", Role::Beneath);
    s.edge("main5", "gradients");
    const Result r = layoutGraph(s.graph, {});
    QVERIFY(s.box(r, "gradients").y > s.box(r, "main0").bottom());
    QVERIFY(s.box(r, "other0").y > s.box(r, "gradients").bottom());
    const Segment* join = wire(s, r, "main5", "gradients");
    QVERIFY(join != nullptr && !join->quiet);
  }

  void helpersStandRightOfTheWidestFlow() {
    Sketch s;
    chainOf(s, "main", 3);
    for (const char* name : {"main0", "main1", "main2"}) s.graph.nodeMass.resize(s.graph.nodeScope.size(), 1), s.graph.nodeMass[size_t(s.nodes[name])] = 10;
    chainOf(s, "long", 9);
    s.node("save", Role::Aside);
    s.graph.nodeMass.resize(s.graph.nodeScope.size(), 1);
    const Result r = layoutGraph(s.graph, {});
    QVERIFY(s.box(r, "main0").y < s.box(r, "long0").y);
    QVERIFY(s.box(r, "save").x > s.box(r, "long8").right());
  }

  void aWireToAHelperInAScopeIsQuietAndTurnsNothing() {
    // A summary inside `linear` reads the output of `fraction`, which reads `linear`: that is no loop.
    Sketch s;
    s.scope("linear");
    s.node("in");
    s.node("linear/sum");
    s.node("linear/summary");
    s.node("fraction");
    s.node("out");
    s.edge("in", "linear/sum");
    s.edge("linear/sum", "fraction");
    s.edge("fraction", "linear/summary");
    s.edge("linear/sum", "out");
    groupGraph(s.graph, partsOf(s, {{"linear/summary", Part::Summary}}));
    const Result r = layoutGraph(s.graph, s.open({}));
    QVERIFY(wire(s, r, "fraction", "linear")->quiet);
    QVERIFY(!wire(s, r, "linear", "fraction")->quiet);
    QVERIFY(s.box(r, "in").x < s.box(r, "linear").x);
    QVERIFY(s.box(r, "linear").x < s.box(r, "fraction").x);
  }

  void penaltiesOfManyLayersAreQuiet_data() {
    QTest::addColumn<int>("layers");
    QTest::addColumn<bool>("quiet");
    QTest::newRow("two share a weight") << 2 << false;
    QTest::newRow("a penalty over eight") << 8 << true;
  }
  void penaltiesOfManyLayersAreQuiet() {
    QFETCH(int, layers);
    QFETCH(bool, quiet);
    Sketch s;
    std::map<std::string, Part> parts;
    s.node("in");
    for (int i = 0; i < layers; ++i) {
      const std::string layer = "layer" + std::to_string(i);
      s.scope(layer);
      for (const char* part : {"/w", "/x", "/y"}) s.node(layer + part);
      s.edge(i == 0 ? "in" : "layer" + std::to_string(i - 1) + "/y", layer + "/x");
      s.edge(layer + "/w", layer + "/x");
      s.edge(layer + "/x", layer + "/y");
      parts[layer + "/w"] = Part::Weight;
    }
    s.scope("loss");
    s.node("loss/penalty");
    s.node("loss/sum");
    s.edge("layer" + std::to_string(layers - 1) + "/y", "loss/sum");
    s.edge("loss/penalty", "loss/sum");
    for (int i = 0; i < layers; ++i) s.edge("layer" + std::to_string(i) + "/w", "loss/penalty");
    GroupingInput in = partsOf(s, parts);
    in.series = 100;  // no stacks
    groupGraph(s.graph, in);
    const Result r = layoutGraph(s.graph, s.open({}));
    QCOMPARE(wire(s, r, "layer0", "loss")->quiet, quiet);
    // Inside of its layer the weight's wire is always there.
    const Result opened = layoutGraph(s.graph, s.open({"layer0"}));
    QVERIFY(!wire(s, opened, "layer0/w", "layer0/x")->quiet);
  }

  void theSpineComesInAtTheMiddle() {
    Sketch s;
    chainOf(s, "n", 6);
    for (int i = 1; i < 6; ++i) {
      s.node("side" + std::to_string(i));
      s.edge("side" + std::to_string(i), "n" + std::to_string(i));
    }
    const Result r = layoutGraph(s.graph, {});
    for (int i = 2; i < 6; ++i) QCOMPARE(s.box(r, "n" + std::to_string(i)).y, s.box(r, "n1").y);
  }

  void theSpineLeadsToTheLoss() {
    Sketch s;
    chainOf(s, "n", 3);
    s.node("loss");
    s.edge("n2", "loss");
    chainOf(s, "accuracy", 4);
    s.edge("n2", "accuracy0");
    s.node("gradients", Role::Beneath);
    s.edge("loss", "gradients");
    const Result r = layoutGraph(s.graph, {});
    QCOMPARE(s.box(r, "loss").y, s.box(r, "n0").y);
    QVERIFY(s.box(r, "accuracy3").y != s.box(r, "n0").y);
  }

  void openAtFirstIsWhatHoldsTheNetwork_data() {
    QTest::addColumn<int>("inside");
    QTest::addColumn<int>("beside");
    QTest::addColumn<bool>("open");
    QTest::newRow("most of it") << 120 << 2 << true;
    QTest::newRow("a small graph") << 60 << 2 << false;
    QTest::newRow("many boxes beside") << 120 << 9 << false;
    QTest::newRow("half of it") << 120 << 150 << false;
  }
  void openAtFirstIsWhatHoldsTheNetwork() {
    QFETCH(int, inside);
    QFETCH(int, beside);
    QFETCH(bool, open);
    Sketch s;
    s.scope("net");
    for (int i = 0; i < 10; ++i) s.scope("net/part" + std::to_string(i));
    for (int i = 0; i < inside; ++i) s.node("net/part" + std::to_string(i % 10) + "/n" + std::to_string(i));
    for (int i = 0; i < beside; ++i) s.node("b" + std::to_string(i));
    const std::vector<char> first = openAtFirst(s.graph);
    QCOMPARE(first[size_t(s.scopes["net"])] != 0, open);
    QCOMPARE(std::count(first.begin(), first.end(), 1), open ? 1 : 0);
  }
};

QTEST_APPLESS_MAIN(TestFlows)
#include "tst_flows.moc"
