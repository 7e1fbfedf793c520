// Loops, conditionals and gradients in a drawing.
#include <QElapsedTimer>
#include <QTest>
#include <map>
#include <sstream>

#include "layout/frame_scopes.h"
#include "layout/frames.h"
#include "layout/graph_layout.h"
#include "layout/grouping.h"

using namespace weft::layout;

namespace {

/// Lines `name op loop branch input …`; a loop or branch of -1 is none. Scopes are the parts of the names.
struct Sketch {
  Graph graph;
  std::map<std::string, int> nodes, scopes;

  int scope(const std::string& name) {
    if (name.empty()) return -1;
    if (const auto it = scopes.find(name); it != scopes.end()) return it->second;
    const auto slash = name.rfind('/');
    const int parent = slash == std::string::npos ? -1 : scope(name.substr(0, slash));
    graph.scopeParent.push_back(parent);
    graph.scopeSize.push_back({100, 72});
    graph.scopeRole.push_back(Role::Flow);
    graph.scopeKey.push_back(std::hash<std::string>{}(name) | 1);
    return scopes[name] = graph.scopeCount() - 1;
  }

  explicit Sketch(const char* lines) {
    static const std::map<std::string, FlowOp> ops = {{"Enter", FlowOp::Enter},
                                                      {"Merge", FlowOp::Merge},
                                                      {"Switch", FlowOp::Switch},
                                                      {"LoopCond", FlowOp::LoopCond},
                                                      {"NextIteration", FlowOp::NextIteration},
                                                      {"Exit", FlowOp::Exit}};
    std::vector<std::pair<std::string, std::string>> wires;
    std::istringstream stream(lines);
    for (std::string line; std::getline(stream, line);) {
      std::istringstream words(line);
      std::string name, op, input;
      NodeFlow flow;
      if (!(words >> name >> op >> flow.loop >> flow.branch)) continue;
      const auto slash = name.rfind('/');
      graph.nodeScope.push_back(slash == std::string::npos ? -1 : scope(name.substr(0, slash)));
      graph.nodeSize.push_back({80, 40});
      graph.nodeRole.push_back(op == "Const" ? Role::Parameter : op == "Gradient" ? Role::Beneath : Role::Flow);
      graph.nodeKey.push_back(std::hash<std::string>{}(name) & ~1ull);
      if (const auto it = ops.find(op); it != ops.end()) flow.op = it->second;
      if (op == "cSwitch") flow.op = FlowOp::Switch, flow.conditional = 0;
      if (op == "cMerge") flow.op = FlowOp::Merge, flow.conditional = 0;
      nodes[name] = graph.nodeCount() - 1;
      graph.flow.nodes.push_back(flow);
      while (words >> input) wires.emplace_back(input, name);
    }
    for (const auto& [from, to] : wires) {
      Edge e;
      e.from = nodes.at(from[0] == '^' ? from.substr(1) : from);
      e.to = nodes.at(to);
      e.kind = from[0] == '^' ? EdgeKind::Control : EdgeKind::Data;
      e.main = 1;
      graph.edges.push_back(e);
      if (graph.flow.nodes[size_t(e.to)].op == FlowOp::Enter) graph.flow.nodes[size_t(e.to)].source = e.from;
    }
  }
  void forward(const std::string& gradient, const std::string& node) { graph.flow.nodes[size_t(nodes.at(gradient))].forward = nodes.at(node); }
  std::vector<char> allOpen() const { return std::vector<char>(size_t(graph.scopeCount()), 1); }
  int item(const std::string& name) const {
    const auto it = nodes.find(name);
    return it != nodes.end() ? it->second : graph.nodeCount() + scopes.at(name);
  }
  const Box& box(const Result& r, const std::string& name) const { return r.boxes[size_t(item(name))]; }
};

/// Two variables, counted and summed, as tf.while_loop writes them.
const char kLoop[] =
    "i0 Op -1 -1\n"
    "s0 Op -1 -1\n"
    "while/Enter Enter 0 -1 i0\n"
    "while/Enter_1 Enter 0 -1 s0\n"
    "while/Merge Merge 0 -1 while/Enter while/NextIteration\n"
    "while/Merge_1 Merge 0 -1 while/Enter_1 while/NextIteration_1\n"
    "while/Less Op 0 -1 while/Merge\n"
    "while/LoopCond LoopCond 0 -1 while/Less\n"
    "while/Switch Switch 0 -1 while/Merge while/LoopCond\n"
    "while/Switch_1 Switch 0 -1 while/Merge_1 while/LoopCond\n"
    "while/Identity Op 0 -1 while/Switch\n"
    "while/Identity_1 Op 0 -1 while/Switch_1\n"
    "while/add Op 0 -1 while/Identity\n"
    "while/add_1 Op 0 -1 while/Identity_1 while/Identity\n"
    "while/NextIteration NextIteration 0 -1 while/add\n"
    "while/NextIteration_1 NextIteration 0 -1 while/add_1\n"
    "while/Exit Exit 0 -1 while/Switch\n"
    "while/Exit_1 Exit 0 -1 while/Switch_1\n"
    "out Op -1 -1 while/Exit_1\n";

Sketch whileLoop(std::string more = {}) {
  Sketch s((kLoop + more).c_str());
  s.graph.flow.loops.push_back({-1, "while/while_context"});
  return s;
}

const char kCond[] =
    "x Op -1 -1\n"
    "p Op -1 -1\n"
    "cond/Switch cSwitch -1 -1 p\n"
    "cond/switch_t Op -1 1 cond/Switch\n"
    "cond/switch_f Op -1 0 cond/Switch\n"
    "cond/pred_id Op -1 -1 p\n"
    "cond/mul/Switch cSwitch -1 -1 x cond/pred_id\n"
    "cond/mul/mul Op -1 1 cond/mul/Switch\n"
    "cond/neg Op -1 1 cond/mul/mul\n"
    "cond/Switch_1 cSwitch -1 -1 x cond/pred_id\n"
    "cond/square Op -1 0 cond/Switch_1\n"
    "cond/Merge cMerge -1 -1 cond/square cond/neg\n"
    "y Op -1 -1 cond/Merge\n";

Sketch conditional(std::string more = {}) {
  Sketch s((kCond + more).c_str());
  s.graph.flow.branches = {{-1, 0, false}, {-1, 0, true}};
  return s;
}

bool overlap(const Box& a, const Box& b) { return a.x < b.right() - 0.01 && b.x < a.right() - 0.01 && a.y < b.bottom() - 0.01 && b.y < a.bottom() - 0.01; }

/// Boxes of one container that overlap, and wires that do not begin and end at their boxes; empty: none.
QString violation(const Graph& g, const Result& r) {
  const auto parent = [&](int i) { return i < g.nodeCount() ? g.nodeScope[size_t(i)] : g.scopeParent[size_t(i - g.nodeCount())]; };
  for (int a = 0; a < g.itemCount(); ++a)
    for (int b = a + 1; b < g.itemCount(); ++b)
      if (r.shown[size_t(a)] != Shown::Hidden && r.shown[size_t(b)] != Shown::Hidden && parent(a) == parent(b) &&
          overlap(r.boxes[size_t(a)], r.boxes[size_t(b)]))
        return QStringLiteral("%1 and %2 overlap").arg(a).arg(b);
  for (const Route& route : r.routes) {
    Point at{};
    for (int k = 0; k < route.segmentCount; ++k) {
      const Segment& s = r.segments[size_t(r.routeSegments[size_t(route.firstSegment + k)])];
      if (s.pointCount < 2) return QStringLiteral("a wire without points");
      const Point first = r.points[size_t(s.firstPoint)], last = r.points[size_t(s.firstPoint + s.pointCount - 1)];
      if (k > 0 && (std::abs(first.x - at.x) > 1 || std::abs(first.y - at.y) > 1))
        return QStringLiteral("the wire %1 → %2 has a gap of %3, %4").arg(route.from).arg(route.to).arg(first.x - at.x).arg(first.y - at.y);
      if (s.to >= 0 && std::abs(last.x - r.boxes[size_t(s.to)].x) > 1 && s.joint != Joint::Vertical && std::abs(last.x - r.boxes[size_t(s.to)].right()) > 1)
        return QStringLiteral("a wire ends at %1, not at item %2").arg(last.x).arg(s.to);
      if (s.from >= 0 && s.joint != Joint::Vertical && std::abs(first.x - r.boxes[size_t(s.from)].right()) > 1 &&
          std::abs(first.x - r.boxes[size_t(s.from)].x) > 1)
        return QStringLiteral("a wire begins at %1, not at item %2").arg(first.x).arg(s.from);
      at = last;
    }
  }
  return {};
}

}  // namespace

class TestFlowFrames : public QObject {
  Q_OBJECT

 private slots:
  void variablesAreRowsBetweenTheBorders() {
    const Sketch s = whileLoop();
    const Result r = layoutGraph(s.graph, s.allOpen());
    QCOMPARE(violation(s.graph, r), QString());
    const auto x = [&](const char* name) { return s.box(r, std::string("while/") + name).x; };
    const auto y = [&](const char* name) { return s.box(r, std::string("while/") + name).y; };
    QCOMPARE(x("Enter"), x("Enter_1"));
    for (const char* name : {"Merge", "Merge_1", "Less", "LoopCond", "Switch", "Switch_1", "Identity", "add", "add_1"}) {
      QVERIFY2(x(name) > x("Enter"), name);
      QVERIFY2(x(name) < x("Exit"), name);
    }
    for (const char* name : {"Exit_1", "NextIteration", "NextIteration_1"}) QCOMPARE(x(name), x("Exit"));
    // All ops of one variable are above those of the other.
    const bool firstAbove = y("Merge") < y("Merge_1");
    for (const char* name : {"Enter", "Switch", "Exit", "NextIteration"}) QCOMPARE(y(name) < y((std::string(name) + "_1").c_str()), firstAbove);
  }

  void variablesReturnAroundTheContents() {
    const Sketch s = whileLoop();
    const Result r = layoutGraph(s.graph, s.allOpen());
    int found = 0;
    for (const Segment& seg : r.segments) {
      if (!seg.back) continue;
      ++found;
      QCOMPARE(seg.joint, Joint::Corners);
      for (int i = 0; i < s.graph.nodeCount(); ++i) {
        if (s.graph.nodeScope[size_t(i)] != s.scopes.at("while") || i == seg.from || i == seg.to) continue;
        const Box& b = r.boxes[size_t(i)];
        for (int k = 1; k < seg.pointCount; ++k) {
          const Point p = r.points[size_t(seg.firstPoint + k - 1)], q = r.points[size_t(seg.firstPoint + k)];
          const Box piece{std::min(p.x, q.x), std::min(p.y, q.y), std::abs(p.x - q.x) + 0.1, std::abs(p.y - q.y) + 0.1};
          QVERIFY2(!overlap(piece, b), qPrintable(QStringLiteral("the wire back to %1 runs over %2").arg(seg.to).arg(i)));
        }
      }
    }
    QCOMPARE(found, 2);
  }

  void aLoopOfItsOwnScopeIsItsFrame() {
    const Sketch s = whileLoop();
    const Result r = layoutGraph(s.graph, s.allOpen());
    const auto frames = framesOf(s.graph, r, -1);
    QCOMPARE(frames.size(), size_t(1));
    QVERIFY(frames[0].isScope);
    QCOMPARE(frames[0].scope, s.scopes.at("while"));
    QCOMPARE(scopeFlows(s.graph)[size_t(s.scopes.at("while"))], ScopeFlow::Loop);
    // Two variables, named where they enter and where they leave.
    std::multimap<int, bool> names;
    for (const auto& name : frames[0].names) names.emplace(name.source, name.entry);
    QCOMPARE(names.size(), size_t(4));
    QCOMPARE(names.count(s.nodes.at("i0")), size_t(2));
    QCOMPARE(names.count(s.nodes.at("s0")), size_t(2));
    // Closed, it has none.
    QVERIFY(framesOf(s.graph, layoutGraph(s.graph, std::vector<char>(size_t(s.graph.scopeCount()), 0)), -1).empty());
  }

  void theFrameLeavesOutWhatOnlyEnters() {
    const Sketch s = whileLoop("while/limit Const -1 -1\nwhile/Enter_2 Enter 0 -1 while/limit\nwhile/Less_1 Op 0 -1 while/Enter_2 while/Merge_1\n");
    const Result r = layoutGraph(s.graph, s.allOpen());
    QCOMPARE(violation(s.graph, r), QString());
    const auto frames = framesOf(s.graph, r, -1);
    QCOMPARE(frames.size(), size_t(1));
    QVERIFY(!frames[0].isScope);
    QVERIFY(!overlap(frames[0].box, s.box(r, "while/limit")));
    QVERIFY(frames[0].box.x < s.box(r, "while/Enter_2").x);
    QVERIFY(s.box(r, "while/limit").right() < frames[0].box.x);
    // It is still a loop as a whole.
    QCOMPARE(scopeFlows(s.graph)[size_t(s.scopes.at("while"))], ScopeFlow::Loop);
  }

  void noFrameEnclosesWhatIsForeign() {
    const Sketch s = whileLoop("while/other Op -1 -1 i0\nwhile/further Op -1 -1 while/other\n");
    Result r = layoutGraph(s.graph, s.allOpen());
    QCOMPARE(scopeFlows(s.graph)[size_t(s.scopes.at("while"))], ScopeFlow::None);
    for (const auto& frame : framesOf(s.graph, r, -1))
      for (const char* name : {"while/other", "while/further"}) QVERIFY(!overlap(frame.box, s.box(r, name)));
    // Moved by hand into the middle of the loop.
    r.boxes[size_t(s.item("while/other"))] = s.box(r, "while/LoopCond");
    QVERIFY(framesOf(s.graph, r, -1).empty());
  }

  void nestedLoopsHaveFramesOfTheirOwn() {
    Sketch s((std::string(kLoop) + "while/in/Enter Enter 1 -1 while/Identity_1\n"
                                   "while/in/Merge Merge 1 -1 while/in/Enter while/in/NextIteration\n"
                                   "while/in/LoopCond LoopCond 1 -1 while/in/Merge\n"
                                   "while/in/Switch Switch 1 -1 while/in/Merge while/in/LoopCond\n"
                                   "while/in/NextIteration NextIteration 1 -1 while/in/Switch\n"
                                   "while/in/Exit Exit 1 -1 while/in/Switch\n"
                                   "while/last Op 0 -1 while/in/Exit\n")
                 .c_str());
    s.graph.flow.loops = {{-1, "while/while_context"}, {0, "while/in/while_context"}};
    const Result r = layoutGraph(s.graph, s.allOpen());
    QCOMPARE(violation(s.graph, r), QString());
    const auto frames = framesOf(s.graph, r, -1);
    QCOMPARE(frames.size(), size_t(2));
    QVERIFY(frames[0].isScope && frames[1].isScope);
    const Box &outer = frames[0].box, &inner = frames[1].box;
    QVERIFY(inner.x > outer.x && inner.right() < outer.right() && inner.y > outer.y && inner.bottom() < outer.bottom());
  }

  void branchesAreLanes() {
    const Sketch s = conditional();
    const Result r = layoutGraph(s.graph, s.allOpen());
    QCOMPARE(violation(s.graph, r), QString());
    const auto frames = framesOf(s.graph, r, -1);
    QCOMPARE(frames.size(), size_t(1));
    QCOMPARE(frames[0].kind, DrawnFrame::Kind::Conditional);
    QCOMPARE(frames[0].lanes.size(), size_t(2));
    const auto &upper = frames[0].lanes[0], &lower = frames[0].lanes[1];
    QVERIFY(upper.whenTrue && !lower.whenTrue);
    QVERIFY(upper.box.bottom() <= lower.box.y);
    QCOMPARE(upper.box.x, lower.box.x);
    for (const char* name : {"cond/mul", "cond/neg", "cond/switch_t"})
      QVERIFY2(overlap(s.box(r, name), upper.box) && !overlap(s.box(r, name), lower.box), name);
    for (const char* name : {"cond/square", "cond/switch_f"}) QVERIFY2(overlap(s.box(r, name), lower.box) && !overlap(s.box(r, name), upper.box), name);
    for (const char* name : {"cond/Switch", "cond/Switch_1", "cond/pred_id"}) QVERIFY2(s.box(r, name).right() <= upper.box.x, name);
    QVERIFY(s.box(r, "cond/Merge").x >= upper.box.right());
    QCOMPARE(scopeFlows(s.graph)[size_t(s.scopes.at("cond"))], ScopeFlow::Conditional);
  }

  void anEmptyBranchStillPasses() {
    // tf.cond(p, lambda: x, lambda: -x): the true branch returns its input.
    Sketch s(
        "x Op -1 -1\np Op -1 -1\ncond/Switch cSwitch -1 -1 x p\ncond/Switch_1 cSwitch -1 -1 x p\ncond/neg Op -1 0 cond/Switch_1\ncond/Merge cMerge -1 -1 cond/neg cond/Switch\ny Op -1 -1 cond/Merge\n");
    s.graph.flow.branches = {{-1, 0, false}, {-1, 0, true}};
    const Result r = layoutGraph(s.graph, s.allOpen());
    QCOMPARE(violation(s.graph, r), QString());
    QVERIFY(s.box(r, "cond/Merge").x > s.box(r, "cond/neg").right());
    QVERIFY(s.box(r, "cond/Switch").right() < s.box(r, "cond/neg").x);
  }

  void wiresFromLaneToLanePassBetweenThem() {
    // The Switch of an enclosing conditional, created in the scope of its first reader, serves both branches.
    const Sketch s = conditional("cond/mul/outer Op -1 -1 x\ncond/half Op -1 0 cond/mul/outer cond/Switch_1\n");
    std::vector<char> open = s.allOpen();
    open[size_t(s.scopes.at("cond/mul"))] = 0;
    const Result r = layoutGraph(s.graph, open);
    QCOMPARE(violation(s.graph, r), QString());
    QCOMPARE(framesOf(s.graph, r, -1).size(), size_t(1));
    const auto it =
        std::find_if(r.segments.begin(), r.segments.end(), [&](const Segment& seg) { return seg.from == s.item("cond/mul") && seg.to == s.item("cond/half"); });
    QVERIFY(it != r.segments.end());
    QVERIFY(!it->quiet);
    QCOMPARE(it->joint, Joint::Corners);
  }

  void whatReturnsIntoALaneMakesNoLanes() {
    const Sketch s = conditional("cond/after Op -1 -1 cond/Merge\ncond/again Op -1 1 cond/after\n");
    const Result r = layoutGraph(s.graph, s.allOpen());
    QCOMPARE(violation(s.graph, r), QString());
  }

  void insideOfTheScopeAlone() {
    for (const Sketch& s : {whileLoop(), conditional()}) {
      const int root = s.graph.scopeCount() > 1 ? s.scopes.at("cond") : s.scopes.at("while");
      const Result r = layoutGraph(s.graph, s.allOpen(), root);
      QCOMPARE(violation(s.graph, r), QString());
      const auto frames = framesOf(s.graph, r, root);
      QCOMPARE(frames.size(), size_t(1));
      QVERIFY(!frames[0].isScope);
    }
  }

  void gradientsLieBeneathTheirForwardScopes() {
    std::string lines = "x Op -1 -1\n", before = "x", behind;
    for (int i = 0; i < 8; ++i) {
      const std::string name = "layer" + std::to_string(i);
      lines += name + "/op Op -1 -1 " + before + "\n";
      before = name + "/op";
    }
    lines += "loss Op -1 -1 " + before + "\n";
    before = "loss";
    for (int i = 7; i >= 0; --i) {
      const std::string name = "gradients/layer" + std::to_string(i) + "_grad";
      lines += name + "/op Op -1 -1 " + before + "\n";
      before = name + "/op";
    }
    Sketch s(lines.c_str());
    s.graph.scopeRole[size_t(s.scopes.at("gradients"))] = Role::Beneath;
    for (int i = 0; i < 8; ++i) s.forward("gradients/layer" + std::to_string(i) + "_grad/op", "layer" + std::to_string(i) + "/op");
    // Some of the forward scopes are open, and wide.
    std::vector<char> open(size_t(s.graph.scopeCount()), 0);
    for (const char* name : {"gradients", "layer2", "layer5"}) open[size_t(s.scopes.at(name))] = 1;
    const Result r = layoutGraph(s.graph, open);
    QCOMPARE(violation(s.graph, r), QString());
    for (int i = 0; i < 8; ++i) {
      const Box &forward = s.box(r, "layer" + std::to_string(i)), &back = s.box(r, "gradients/layer" + std::to_string(i) + "_grad");
      QVERIFY2(back.y > forward.bottom(), qPrintable(QString::number(i)));
      const double off = std::abs(forward.x + forward.w / 2 - back.x - back.w / 2);
      QVERIFY2(off <= 24, qPrintable(QStringLiteral("layer %1: %2 off").arg(i).arg(off)));
    }
  }

  /// `train` contains the gradients and the optimizer.
  void gradientsInAScopeOfTheTrainingLieBeneathToo() {
    std::string lines = "x Op -1 -1\n", before = "x";
    for (int i = 0; i < 6; ++i) {
      lines += "layer" + std::to_string(i) + "/op Op -1 -1 " + before + "\n";
      before = "layer" + std::to_string(i) + "/op";
    }
    lines += "loss Op -1 -1 " + before + "\nrate Gradient -1 -1\n";
    before = "loss";
    for (int i = 5; i >= 0; --i) {
      const std::string name = "train/gradients/layer" + std::to_string(i) + "_grad/op";
      lines += name + " Op -1 -1 " + before + "\n";
      before = name;
    }
    lines += "train/Adam Op -1 -1 " + before + " rate\n";
    Sketch s(lines.c_str());
    s.graph.scopeRole[size_t(s.scopes.at("train"))] = Role::Beneath;
    for (int i = 0; i < 6; ++i) s.forward("train/gradients/layer" + std::to_string(i) + "_grad/op", "layer" + std::to_string(i) + "/op");
    std::vector<char> open(size_t(s.graph.scopeCount()), 0);
    for (const char* name : {"train", "train/gradients", "layer1"}) open[size_t(s.scopes.at(name))] = 1;
    const Result r = layoutGraph(s.graph, open);
    QCOMPARE(violation(s.graph, r), QString());
    // The learning rate, which is also in the band, does not push them aside.
    for (int i = 0; i < 6; ++i) {
      const Box &forward = s.box(r, "layer" + std::to_string(i)), &back = s.box(r, "train/gradients/layer" + std::to_string(i) + "_grad");
      const double off = std::abs(forward.x + forward.w / 2 - back.x - back.w / 2);
      QVERIFY2(off <= 24, qPrintable(QStringLiteral("layer %1: %2 off").arg(i).arg(off)));
    }
    // One wire leads to them from the loss, although the learning rate comes before them.
    QVERIFY(std::any_of(r.segments.begin(), r.segments.end(),
                        [&](const Segment& seg) { return seg.from == s.item("loss") && seg.to == s.item("train") && !seg.quiet; }));
  }

  void opsOfALoopAreInNoGroup() {
    std::string more;
    for (int i = 2; i < 10; ++i) {
      const std::string n = "_" + std::to_string(i);
      more += "while/Enter" + n + " Enter 0 -1 s0\nwhile/Merge" + n + " Merge 0 -1 while/Enter" + n + " while/NextIteration" + n + "\nwhile/Switch" + n +
              " Switch 0 -1 while/Merge" + n + " while/LoopCond\nwhile/NextIteration" + n + " NextIteration 0 -1 while/Switch" + n + "\n";
    }
    Sketch s = whileLoop(more);
    GroupingInput in;
    in.nodePart.assign(size_t(s.graph.nodeCount()), Part::Network);
    for (int n = 0; n < s.graph.nodeCount(); ++n) in.nodeKind.push_back(size_t(s.graph.flow.nodes[size_t(n)].op));
    in.title = [&](std::int32_t i) { return "n" + std::to_string(i); };
    in.isParameter = [](std::int32_t) { return false; };
    groupGraph(s.graph, in);
    for (int n = 0; n < s.graph.nodeCount(); ++n)
      if (s.graph.flow.nodes[size_t(n)].op != FlowOp::None) QCOMPARE(s.graph.nodeScope[size_t(n)], s.scopes.at("while"));
  }

  void sameInputSameOutput() {
    for (const Sketch& s : {whileLoop(), conditional()}) {
      Memory memory;
      const Result a = layoutGraph(s.graph, s.allOpen(), -1, {}, &memory), b = layoutGraph(s.graph, s.allOpen(), -1, {}, &memory),
                   c = layoutGraph(s.graph, s.allOpen());
      for (size_t i = 0; i < a.boxes.size(); ++i) {
        QCOMPARE(a.boxes[i].x, b.boxes[i].x);
        QCOMPARE(a.boxes[i].y, b.boxes[i].y);
        QCOMPARE(a.boxes[i].x, c.boxes[i].x);
        QCOMPARE(a.boxes[i].y, c.boxes[i].y);
      }
    }
  }

  void aLongLoopIsQuick() {
    // A body of 20,000 ops in one scope, with 200 variables.
    std::string more, before[200];
    for (int v = 0; v < 200; ++v) {
      const std::string n = "_" + std::to_string(v + 2);
      more += "while/Enter" + n + " Enter 0 -1 s0\nwhile/Merge" + n + " Merge 0 -1 while/Enter" + n + " while/NextIteration" + n + "\nwhile/Switch" + n +
              " Switch 0 -1 while/Merge" + n + " while/LoopCond\n";
      before[v] = "while/Switch" + n;
    }
    for (int i = 0; i < 20000; ++i) {
      const std::string name = "while/op" + std::to_string(i);
      more += name + " Op 0 -1 " + before[i % 200] + " " + before[(i + 1) % 200] + "\n";
      before[i % 200] = name;
    }
    for (int v = 0; v < 200; ++v) more += "while/NextIteration_" + std::to_string(v + 2) + " NextIteration 0 -1 " + before[v] + "\n";
    const Sketch s = whileLoop(more);
    QElapsedTimer timer;
    timer.start();
    const Result r = layoutGraph(s.graph, s.allOpen());
    const auto frames = framesOf(s.graph, r, -1);
    const auto ms = timer.elapsed();
    QCOMPARE(frames.size(), size_t(1));
    qInfo("%lld ms", static_cast<long long>(ms));
    QVERIFY2(ms < 6000, qPrintable(QStringLiteral("%1 ms").arg(ms)));
  }
};

QTEST_APPLESS_MAIN(TestFlowFrames)
#include "tst_flow_frames.moc"
