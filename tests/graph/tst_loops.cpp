// Loops, branches and the ops that gradients belong to, found in a graph.
#include <QTest>
#include <sstream>

#include "weft/defects.h"
#include "weft/graph.h"
#include "weft/loops.h"

using namespace weft;

namespace {

struct Found {
  Graph graph;
  ControlFlow flow;
  std::string error;

  const ControlFlow::Place& at(const char* name) const { return flow.nodes.at(size_t(graph.find(name)->id)); }
  std::string frame(const char* name) const { return at(name).loop < 0 ? "" : flow.loops[size_t(at(name).loop)].frame; }
  /// `true`, `false`, or both for a branch in a branch, the outer one first.
  std::string branches(const char* name) const {
    std::string out;
    for (int b = at(name).branch; b >= 0; b = flow.branches[size_t(b)].parent)
      out = std::string(flow.branches[size_t(b)].whenTrue ? "true" : "false") + (out.empty() ? "" : " ") + out;
    return out;
  }
  std::string name(int id) const { return id < 0 ? "" : graph.node(id)->name; }
};

/// Lines `name op input input:1 ^control`; `Enter=frame` names its frame.
Found find(const std::string& lines) {
  std::string text;
  std::istringstream stream(lines);
  for (std::string line; std::getline(stream, line);) {
    std::istringstream words(line);
    std::string name, op, input;
    if (!(words >> name >> op)) continue;
    std::string frame;
    if (const size_t sign = op.find('='); sign != op.npos) frame = op.substr(sign + 1), op.resize(sign);
    text += "node { name: \"" + name + "\" op: \"" + op + "\"";
    while (words >> input) text += " input: \"" + input + "\"";
    if (!frame.empty()) text += " attr { key: \"frame_name\" value { s: \"" + frame + "\" } }";
    text += " }\n";
  }
  LoadOptions options;
  options.inferShapes = false;
  auto loaded = openGraphBytes(std::make_shared<const std::string>(text), "lines", options);
  if (!loaded.ok()) return {{}, {}, loaded.error().message};
  Found out{loaded->meta.graph, {}, {}};
  out.flow = controlFlowOf(out.graph);
  return out;
}

const char kNested[] =
    "i0 MyInput\n"
    "x MyInput\n"
    "x/read Identity x\n"
    "while/Enter Enter=outer i0\n"
    "while/Enter_1 Enter=outer x/read\n"
    "while/Merge Merge while/Enter while/NextIteration\n"
    "while/Merge_1 Merge while/Enter_1 while/NextIteration_1\n"
    "while/Less MyLess while/Merge\n"
    "while/LoopCond LoopCond while/Less\n"
    "while/Switch Switch while/Merge while/LoopCond\n"
    "while/Switch_1 Switch while/Merge_1 while/LoopCond\n"
    "while/Identity Identity while/Switch:1\n"
    "while/Identity_1 Identity while/Switch_1:1\n"
    "while/one MyConst ^while/Identity\n"
    "while/add MyAdd while/Identity while/one\n"
    "while/in/Enter Enter=inner while/Identity_1\n"
    "while/in/Merge Merge while/in/Enter while/in/NextIteration\n"
    "while/in/LoopCond LoopCond while/in/Merge\n"
    "while/in/Switch Switch while/in/Merge while/in/LoopCond\n"
    "while/in/square MySquare while/in/Switch:1\n"
    "while/in/NextIteration NextIteration while/in/square\n"
    "while/in/Exit Exit while/in/Switch\n"
    "while/NextIteration NextIteration while/add\n"
    "while/NextIteration_1 NextIteration while/in/Exit\n"
    "while/Exit Exit while/Switch_1\n"
    "y MyOp while/Exit\n";

}  // namespace

class TestLoops : public QObject {
  Q_OBJECT

 private slots:
  void nodesRunInTheirLoop_data() {
    QTest::addColumn<QString>("node");
    QTest::addColumn<QString>("frame");
    const auto row = [](const char* node, const char* frame) { QTest::newRow(node) << QString::fromLatin1(node) << QString::fromLatin1(frame); };
    row("i0", "");
    row("y", "");
    for (const char* node : {"while/Enter", "while/Merge_1", "while/Less", "while/LoopCond", "while/Switch", "while/one", "while/add", "while/NextIteration",
                             "while/NextIteration_1", "while/Exit"})
      row(node, "outer");
    for (const char* node : {"while/in/Enter", "while/in/Merge", "while/in/square", "while/in/NextIteration", "while/in/Exit"}) row(node, "inner");
  }
  void nodesRunInTheirLoop() {
    QFETCH(QString, node);
    QFETCH(QString, frame);
    const Found f = find(kNested);
    QVERIFY2(f.error.empty(), f.error.c_str());
    QCOMPARE(QString::fromStdString(f.frame(node.toLatin1().constData())), frame);
  }

  void loopsKnowWhatIsAroundThem() {
    const Found f = find(kNested);
    QCOMPARE(f.flow.loops.size(), size_t(2));
    QCOMPARE(f.flow.loops[size_t(f.at("while/in/Merge").loop)].parent, f.at("while/Merge").loop);
    QVERIFY(f.flow.branches.empty());
    QCOMPARE(f.at("while/Switch").conditional, -1);
  }

  /// The inner loop's variable is that of the outer one.
  void variablesAreFollowedToTheirFirstValue() {
    const Found f = find(kNested);
    QCOMPARE(f.name(f.at("while/Enter").source), std::string("i0"));
    QCOMPARE(f.name(f.at("while/Enter_1").source), std::string("x/read"));
    QCOMPARE(f.name(f.at("while/in/Enter").source), std::string("x/read"));
  }

  void branchesEndAtTheirMerge() {
    const Found f = find(
        "x MyInput\np MyInput\nq MyInput\n"
        "cond/Switch Switch p p\n"
        "cond/t Identity cond/Switch:1\n"
        "cond/f Identity cond/Switch\n"
        "cond/id Identity p\n"
        "cond/one MyConst ^cond/t\n"
        "cond/a/Switch Switch x cond/id\n"
        "cond/a MyAdd cond/a/Switch:1 cond/one\n"
        "cond/q/Switch Switch q cond/id\n"
        "cond/in/Switch Switch cond/a cond/q/Switch:1\n"
        "cond/in/neg MyNeg cond/in/Switch\n"
        "cond/in/Merge Merge cond/in/neg cond/in/Switch:1\n"
        "cond/b/Switch Switch x cond/id\n"
        "cond/b MySquare cond/b/Switch\n"
        "cond/Merge Merge cond/b cond/in/Merge\n"
        "y MyOp cond/Merge\n");
    QVERIFY2(f.error.empty(), f.error.c_str());
    for (const char* name : {"x", "cond/Switch", "cond/id", "cond/a/Switch", "cond/Merge", "y"}) QVERIFY2(f.branches(name).empty(), name);
    for (const char* name : {"cond/t", "cond/one", "cond/a", "cond/in/Switch", "cond/in/Merge"}) QVERIFY2(f.branches(name) == "true", name);
    for (const char* name : {"cond/f", "cond/b"}) QVERIFY2(f.branches(name) == "false", name);
    QCOMPARE(f.branches("cond/in/neg"), std::string("true false"));
    // One conditional for all Switches of its predicate, another within.
    QCOMPARE(f.at("cond/b/Switch").conditional, f.at("cond/Switch").conditional);
    QCOMPARE(f.at("cond/Merge").conditional, f.at("cond/Switch").conditional);
    QVERIFY(f.at("cond/in/Merge").conditional != f.at("cond/Merge").conditional);
    QCOMPARE(int(f.at("cond/b/Switch").outputs), 1);
    QCOMPARE(int(f.at("cond/Switch").outputs), 3);
  }

  void gradientsBelongToTheirOps() {
    const Found f = find(
        "x MyInput\nconv/Conv2D MyConv x\nm/gradients/loss_grad/g MyGrad x\nloss MyLoss conv/Conv2D\ngradients/conv/Conv2D_grad/Shape MyShape x\ngradients/conv/Conv2D_grad/back/g MyGrad loss\ngradients/AddN AddN x\ngradients/gone_grad/g MyGrad x\n");
    QCOMPARE(f.name(f.at("gradients/conv/Conv2D_grad/Shape").forward), std::string("conv/Conv2D"));
    QCOMPARE(f.name(f.at("gradients/conv/Conv2D_grad/back/g").forward), std::string("conv/Conv2D"));
    QCOMPARE(f.name(f.at("m/gradients/loss_grad/g").forward), std::string("loss"));
    for (const char* name : {"x", "conv/Conv2D", "gradients/AddN", "gradients/gone_grad/g"}) QCOMPARE(f.at(name).forward, -1);
  }

  void gradientsBeginAtTheLoss() {
    const Found f = find(
        "x MyInput\nmean MyMean x\nloss MyLoss mean\ngradients/Shape MyShape\ngradients/grad_ys_0 MyConst\ngradients/Fill Fill gradients/Shape gradients/grad_ys_0\ngradients/loss_grad/g MyGrad gradients/Fill mean\ngradients/mean_grad/g MyGrad gradients/loss_grad/g x\n");
    QCOMPARE(f.flow.losses.size(), size_t(1));
    QCOMPARE(f.name(f.flow.losses[0]), std::string("loss"));
  }

  /// A cycle that is no loop: nothing is known, and nothing hangs.
  void cyclesHaveNoLoops() {
    const Found f = find("a MyOp c\nb MyOp a\nc MyOp b\nwhile/Enter Enter=f a\n");
    QVERIFY(f.flow.loops.empty());
    QCOMPARE(f.flow.nodes.size(), size_t(f.graph.size()));
  }
};

QTEST_APPLESS_MAIN(TestLoops)
#include "tst_loops.moc"
