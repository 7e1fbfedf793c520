// Groups that a drawing makes of parallel items, and the places of helpers, gradients and weights.
#include <QElapsedTimer>
#include <QTest>
#include <map>
#include <random>
#include <set>

#include "layout/blocks.h"
#include "layout/grouping.h"

using namespace weft::layout;

namespace {

/// A graph of nodes on one level or in scopes that were added before.
struct Drawing {
  Graph graph;
  GroupingInput in;
  std::vector<std::string> nodeNames, scopeNames;
  std::map<std::string, int> nodes, scopes;
  std::vector<bool> constants;

  int scopeOf(const std::string& name) const {
    const auto slash = name.rfind('/');
    return slash == std::string::npos ? -1 : scopes.at(name.substr(0, slash));
  }
  void scope(const std::string& name) {
    scopes[name] = graph.scopeCount();
    graph.scopeParent.push_back(scopeOf(name));
    graph.scopeSize.push_back({100, 72});
    graph.scopeKey.push_back(std::hash<std::string>()(name) | 1);
    scopeNames.push_back(name);
  }
  void node(const std::string& name, const std::string& op = "Op", Part part = Part::Network, bool constant = false) {
    nodes[name] = graph.nodeCount();
    graph.nodeScope.push_back(scopeOf(name));
    graph.nodeSize.push_back({80, 40});
    graph.nodeKey.push_back(std::hash<std::string>()(name) & ~1ull);
    in.nodePart.push_back(part);
    in.nodeKind.push_back(std::hash<std::string>()(op));
    nodeNames.push_back(name);
    constants.push_back(constant);
  }
  void wire(const std::string& from, const std::string& to, EdgeKind kind = EdgeKind::Data) {
    Edge e;
    e.from = nodes.at(from);
    e.to = nodes.at(to);
    e.kind = kind;
    graph.edges.push_back(e);
  }
  void chain(std::initializer_list<const char*> names) {
    const char* before = nullptr;
    for (const char* name : names) {
      if (before) wire(before, name);
      before = name;
    }
  }
  std::vector<Group> group() {
    in.title = [this](std::int32_t item) {
      const std::string& name = item < graph.nodeCount() ? nodeNames[size_t(item)] : scopeNames[size_t(item - graph.nodeCount())];
      return name.substr(name.rfind('/') + 1);
    };
    in.isParameter = [this](std::int32_t node) { return constants[size_t(node)]; };
    return groupGraph(graph, in);
  }
  /// Boxes of one container.
  int boxes(int container = -1) const {
    return int(std::count(graph.nodeScope.begin(), graph.nodeScope.end(), container) +
               std::count(graph.scopeParent.begin(), graph.scopeParent.end(), container));
  }
  Result lay(std::vector<char> open = {}) const { return layoutGraph(graph, open); }
  Box box(const Result& r, const std::string& node) const { return r.boxes[size_t(nodes.at(node))]; }
  const Segment* wireBetween(const Result& r, const std::string& from, const std::string& to) const {
    for (const Segment& s : r.segments)
      if (s.from == nodes.at(from) && s.to == nodes.at(to)) return &s;
    return nullptr;
  }
};

/// Contracting the groups must not create cycles.
bool isAcyclic(const Drawing& d) {
  std::vector<std::set<int>> succ(size_t(d.graph.itemCount()));
  const int nodes = d.graph.nodeCount();
  const auto top = [&](int node) {
    int item = node;
    for (int s = d.graph.nodeScope[size_t(node)]; s >= 0; s = d.graph.scopeParent[size_t(s)]) item = nodes + s;
    return item;
  };
  for (const Edge& e : d.graph.edges)
    if (top(e.from) != top(e.to)) succ[size_t(top(e.from))].insert(top(e.to));
  std::vector<int> in(succ.size(), 0), ready;
  for (const auto& list : succ)
    for (const int to : list) ++in[size_t(to)];
  for (size_t i = 0; i < in.size(); ++i)
    if (in[i] == 0) ready.push_back(int(i));
  size_t done = 0;
  while (!ready.empty()) {
    const int at = ready.back();
    ready.pop_back();
    ++done;
    for (const int to : succ[size_t(at)])
      if (--in[size_t(to)] == 0) ready.push_back(to);
  }
  return done == succ.size();
}

/// `blocks` residual blocks of four ops behind a stem.
Drawing residualNet(int blocks) {
  Drawing d;
  d.node("stem", "Conv2D");
  std::string before = "stem";
  for (int i = 0; i < blocks; ++i) {
    const std::string n = std::to_string(i);
    d.node("res" + n + "_conv1", "Conv2D");
    d.node("res" + n + "_relu", "Relu");
    d.node("res" + n + "_conv2", "Conv2D");
    d.node("res" + n + "_add", "Add");
    d.wire(before, "res" + n + "_conv1");
    d.wire("res" + n + "_conv1", "res" + n + "_relu");
    d.wire("res" + n + "_relu", "res" + n + "_conv2");
    d.wire("res" + n + "_conv2", "res" + n + "_add");
    d.wire(before, "res" + n + "_add");
    before = "res" + n + "_add";
  }
  d.node("loss", "Sum");
  d.wire(before, "loss");
  return d;
}

}  // namespace

class TestGrouping : public QObject {
  Q_OBJECT

 private slots:
  void helpersOfOneKindBecomeOneBox() {
    Drawing d;
    d.node("x");
    d.node("y");
    d.wire("x", "y");
    for (const char* name : {"init", "init_1", "init_2"}) d.node(name, "NoOp", Part::Init);
    d.node("merge", "MergeSummary", Part::Summary);
    const auto groups = d.group();
    QCOMPARE(groups.size(), size_t(1));  // one summary needs no group
    QCOMPARE(groups[0].part, Part::Init);
    QCOMPARE(groups[0].members, 3);
    QCOMPARE(d.graph.nodeRole[size_t(d.nodes["merge"])], Role::Aside);
  }

  void helpersStandInAColumnAtTheRight() {
    Drawing d;
    d.node("x");
    d.node("y");
    d.node("z");
    d.node("save", "SaveV2", Part::Save);
    d.chain({"x", "y", "z"});
    d.wire("y", "save");
    d.group();
    const Result r = d.lay();
    QVERIFY(d.box(r, "save").x > d.box(r, "z").right());
    const Segment* wire = d.wireBetween(r, "y", "save");
    QVERIFY(wire && wire->quiet);
  }

  void gradientsLieBeneathAndRunBack() {
    Drawing d;
    for (const char* name : {"x", "conv", "fc", "loss"}) d.node(name);
    d.chain({"x", "conv", "fc", "loss"});
    d.node("g_loss", "Grad", Part::Gradient);
    d.node("g_fc", "Grad", Part::Gradient);
    d.node("apply", "ApplyAdam", Part::Update);
    d.chain({"g_loss", "g_fc", "apply"});
    d.wire("loss", "g_loss");
    d.wire("conv", "g_fc");
    d.group();
    const Result r = d.lay();
    for (const char* low : {"g_loss", "g_fc", "apply"})
      for (const char* high : {"x", "conv", "fc", "loss"}) QVERIFY(d.box(r, low).y > d.box(r, high).bottom());
    QVERIFY(d.box(r, "g_loss").x > d.box(r, "g_fc").x);
    QVERIFY(d.box(r, "g_fc").x > d.box(r, "apply").x);
    QVERIFY(!d.wireBetween(r, "loss", "g_loss")->quiet);
    QVERIFY(d.wireBetween(r, "conv", "g_fc")->quiet);
    // The wire from the loss ends at the right edge of its target.
    const Segment& join = *d.wireBetween(r, "loss", "g_loss");
    QCOMPARE(r.points[size_t(join.firstPoint + join.pointCount - 1)].x, d.box(r, "g_loss").right());
  }

  void aWeightLiesBeneathItsForwardReader() {
    Drawing d;
    d.node("g", "Grad", Part::Gradient);  // first in the file, as in no training: it must not matter
    d.node("save", "SaveV2", Part::Save);
    d.node("w", "VariableV2", Part::Weight, true);
    d.node("x");
    d.node("matmul");
    d.node("loss");
    d.chain({"x", "matmul", "loss", "g"});
    d.wire("w", "g");
    d.wire("w", "matmul");
    d.wire("w", "save");
    d.group();
    const Result r = d.lay();
    const Box w = d.box(r, "w"), reader = d.box(r, "matmul");
    QVERIFY(w.y > reader.bottom());
    QVERIFY(w.x < reader.right() && reader.x < w.right());
    QVERIFY(!d.wireBetween(r, "w", "matmul")->quiet);
  }

  void aWeightWithTwoReadersHasBothWires() {
    Drawing d;
    d.node("w", "VariableV2", Part::Weight, true);
    for (const char* name : {"x", "a", "b", "c"}) d.node(name);
    d.chain({"x", "a", "b", "c"});
    d.wire("w", "a");
    d.wire("w", "c");
    d.group();
    const Result r = d.lay();
    QVERIFY(!d.wireBetween(r, "w", "a")->quiet);
    QVERIFY(!d.wireBetween(r, "w", "c")->quiet);
  }

  /// However many ops read it, each of them is seen to have it.
  void aWeightWithManyReadersHasAllWires() {
    Drawing d;
    d.node("w", "VariableV2", Part::Weight, true);
    std::vector<std::string> chain{"x"};
    d.node("x");
    for (int i = 0; i < 20; ++i) {
      chain.push_back(std::string(1, static_cast<char>('a' + i)));
      d.node(chain.back(), i % 2 ? "Mul" : "Add");
      d.wire(chain[chain.size() - 2], chain.back());
      d.wire("w", chain.back());
    }
    d.group();
    const Result r = d.lay();
    for (size_t i = 1; i < chain.size(); ++i) {
      const auto* wire = d.wireBetween(r, "w", chain[i]);
      QVERIFY2(wire != nullptr && !wire->quiet, chain[i].c_str());
    }
  }

  /// Programs note their settings in constants: they are one box aside.
  void constantsThatNothingReadsAreOneBox() {
    Drawing d;
    for (const char* name : {"x", "a", "b"}) d.node(name);
    d.chain({"x", "a", "b"});
    for (const char* name : {"rate", "depth", "kind"}) d.node(name, "Const", Part::Network, true);
    const auto groups = d.group();
    QCOMPARE(groups.size(), size_t(1));
    QCOMPARE(groups[0].members, 3);
    QCOMPARE(d.graph.scopeRole.back(), Role::Aside);
    QCOMPARE(d.boxes(), 4);
  }

  /// A loss and its gradients in one scope: the weights that the gradients read stay with the layer, and its wire is drawn on demand.
  void whatGradientsReadInAScopeOfTheNetworkIsQuiet() {
    Drawing d;
    for (const char* name : {"x", "layer"}) d.node(name);
    d.node("w", "VariableV2", Part::Weight, true);
    d.scope("train");
    d.node("train/loss");
    d.node("train/grad", "Grad", Part::Gradient);
    d.chain({"x", "layer", "train/loss", "train/grad"});
    d.wire("w", "layer");
    d.wire("w", "train/grad");
    d.wire("layer", "train/grad");
    d.group();
    const Result r = d.lay();
    const int train = d.graph.nodeCount();
    int loud = 0;
    for (const Segment& s : r.segments) {
      if (s.to != train || s.quiet) continue;
      ++loud;
      QCOMPARE(s.from, d.nodes.at("layer"));
    }
    QCOMPARE(loud, 1);
    const Box w = d.box(r, "w"), layer = d.box(r, "layer");
    QVERIFY(w.y > layer.y && std::abs(w.x + w.w / 2 - layer.x - layer.w / 2) < 60);
  }

  void parallelSiblingsBecomeASeries() {
    Drawing d;
    d.node("split");
    d.node("concat");
    for (int i = 0; i < 10; ++i) {
      const std::string name = i == 0 ? "Squeeze" : "Squeeze_" + std::to_string(i);
      d.node(name, "Squeeze");
      d.wire("split", name);
      d.wire(name, "concat");
    }
    const auto groups = d.group();
    QCOMPARE(groups.size(), size_t(1));
    QCOMPARE(groups[0].kind, Group::Kind::Series);
    QCOMPARE(groups[0].members, 10);
    QCOMPARE(d.boxes(), 3);
  }

  void equalBlocksOfAChainBecomeASeries() {
    Drawing d = residualNet(16);
    const auto groups = d.group();
    QVERIFY(std::any_of(groups.begin(), groups.end(), [](const Group& g) { return g.kind == Group::Kind::Series && g.members == 16; }));
    QCOMPARE(std::count_if(groups.begin(), groups.end(), [](const Group& g) { return g.kind == Group::Kind::Block; }), 16);
    QVERIFY(d.boxes() <= 40);
    QVERIFY(isAcyclic(d));
  }

  void tenThousandEqualBlocks() {
    QElapsedTimer timer;
    timer.start();
    Drawing d = residualNet(10000);
    const auto groups = d.group();
    QVERIFY(std::any_of(groups.begin(), groups.end(), [](const Group& g) { return g.kind == Group::Kind::Series && g.members == 10000; }));
    QVERIFY(d.boxes() <= 40);
    QVERIFY2(timer.elapsed() < 20000, qPrintable(QString::number(timer.elapsed())));
  }

  void aSmallGraphIsLeftAlone() {
    Drawing d = residualNet(3);
    QVERIFY(d.group().empty());
  }

  void whatWasPlacedByHandIsInNoGroup() {
    Drawing d;
    d.node("split");
    d.node("concat");
    for (int i = 0; i < 10; ++i) {
      const std::string name = "Squeeze_" + std::to_string(i);
      d.node(name, "Squeeze");
      d.wire("split", name);
      d.wire(name, "concat");
    }
    d.in.nodeFixed.assign(size_t(d.graph.nodeCount()), 1);
    d.in.scopeFixed.clear();
    QVERIFY(d.group().empty());
  }

  /// Grouping never creates a cycle, each item is in one place, and the boxes do not overlap.
  void randomGraphsHold() {
    for (unsigned seed = 1; seed <= 60; ++seed) {
      std::mt19937 random(seed);
      Drawing d;
      const int count = 50 + int(random() % 150);
      const char* const ops[] = {"Conv2D", "Relu", "Add", "Squeeze"};
      for (int i = 0; i < count; ++i) {
        const int kind = int(random() % 4);
        d.node(std::string(ops[kind]) + "_" + std::to_string(i), ops[kind]);
        for (unsigned k = 0; i > 0 && k < 1 + random() % 2; ++k) d.wire(d.nodeNames[size_t(std::max(0, i - 1 - int(random() % 6)))], d.nodeNames.back());
      }
      d.group();
      QVERIFY2(isAcyclic(d), qPrintable(QStringLiteral("seed %1").arg(seed)));
      const std::vector<char> open(size_t(d.graph.scopeCount()), 1);
      for (const auto& shown : {std::vector<char>(), open}) {
        const Result r = d.lay(shown);
        std::vector<Box> leaves;
        for (int i = 0; i < d.graph.itemCount(); ++i)
          if (r.shown[size_t(i)] == Shown::Leaf) leaves.push_back(r.boxes[size_t(i)]);
        for (size_t a = 0; a < leaves.size(); ++a)
          for (size_t b = a + 1; b < leaves.size(); ++b)
            QVERIFY2(leaves[a].right() <= leaves[b].x + 0.5 || leaves[b].right() <= leaves[a].x + 0.5 || leaves[a].bottom() <= leaves[b].y + 0.5 ||
                         leaves[b].bottom() <= leaves[a].y + 0.5,
                     qPrintable(QStringLiteral("seed %1").arg(seed)));
      }
    }
  }

  void titles() {
    QCOMPARE(commonTitle({"layer_0", "layer_1", "layer_10"}), std::string("layer_[0–10]"));
    QCOMPARE(commonTitle({"bn10", "bn11"}), std::string("bn[10–11]"));
    QCOMPARE(commonTitle({"cond", "cond_1", "cond_46"}), std::string("cond"));
    QCOMPARE(commonTitle({"Stage1_a", "Stage2_a", "Stage6_b"}), std::string("Stage[1–6]…"));
    QCOMPARE(commonTitle({"res4b", "res4f"}), std::string("res4b … res4f"));
    QCOMPARE(stemOf("conv_12"), std::string("conv"));
    QCOMPARE(stemOf("conv2d_3x"), std::string("conv#d_#x"));
  }

  void selfLoopsAndNoEdges() {
    Drawing d;
    for (int i = 0; i < 60; ++i) d.node("n" + std::to_string(i), "Op" + std::to_string(i));
    d.wire("n0", "n0");
    d.group();
    const Result r = d.lay();
    QCOMPARE(int(std::count(r.shown.begin(), r.shown.begin() + d.graph.nodeCount(), Shown::Leaf)), d.graph.nodeCount());
  }

  /// The time of a large scope without groups, and of a training of usual size.
  void times() {
    QElapsedTimer timer;
    Drawing d = residualNet(750);
    timer.start();
    d.group();
    d.lay();
    qInfo("3,000 nodes: %lld ms", timer.elapsed());
    Drawing flat;
    std::mt19937 random(3);
    for (int i = 0; i < 100000; ++i) {
      flat.node("n" + std::to_string(i), "Op");
      if (i > 0) flat.graph.edges.push_back({int(random() % unsigned(i)), i});
    }
    timer.start();
    flat.group();
    flat.lay();
    qInfo("100,000 nodes in one scope: %lld ms", timer.elapsed());
  }
};

QTEST_GUILESS_MAIN(TestGrouping)
#include "tst_grouping.moc"
