// Classification of nodes by purpose.
#include <QTest>
#include <map>
#include <sstream>

#include "weft/canvas_drawing.h"
#include "weft/canvas_rules.h"
#include "weft/defects.h"
#include "weft/edit.h"
#include "weft/graph.h"
#include "weft/parts.h"

using namespace weft;

namespace {

const char* const kNames[] = {"network", "weight", "gradient", "update", "init", "save", "summary", "check", "step", "slot", "average", "queue", "helper"};

/// Lines `name op input input ^control` as a graph.
Result<LoadedGraph> graphOfLines(const std::string& lines) {
  std::string text;
  std::istringstream stream(lines);
  for (std::string line; std::getline(stream, line);) {
    std::istringstream words(line);
    std::string name, op, input;
    if (!(words >> name >> op)) continue;
    text += "node { name: \"" + name + "\" op: \"" + op + "\"";
    while (words >> input) text += " input: \"" + input + "\"";
    if (op == "VariableV2") text += " attr { key: \"dtype\" value { type: DT_FLOAT } } attr { key: \"shape\" value { shape { } } }";
    if (op == "Const")
      text += " attr { key: \"dtype\" value { type: DT_FLOAT } } attr { key: \"value\" value { tensor { dtype: DT_FLOAT tensor_shape { } float_val: 1 } } }";
    text += " }\n";
  }
  LoadOptions options;
  options.inferShapes = false;
  return openGraphBytes(std::make_shared<const std::string>(text), "lines", options);
}

/// The part of each node.
std::map<std::string, std::string> partsOfLines(const std::string& lines) {
  auto loaded = graphOfLines(lines);
  std::map<std::string, std::string> found;
  if (!loaded.ok()) return {{"error", loaded.error().message}};
  const Graph& graph = loaded->meta.graph;
  const std::vector<Part> parts = partsOf(graph);
  for (int id = 0; id < graph.size(); ++id)
    if (const Node* n = graph.node(id)) found[n->name] = kNames[size_t(parts[size_t(id)])];
  return found;
}

/// A product with a weight, its loss, gradient, momentum, saver and summary, as TensorFlow writes them. Unknown ops replace those that need attributes.
const char kTraining[] =
    "x MyInput\n"
    "w/Initializer/zeros Const\n"
    "w VariableV2\n"
    "w/Assign Assign w w/Initializer/zeros\n"
    "w/read Identity w\n"
    "w/Regularizer/l2 L2Loss w/read\n"
    "MatMul MyMatMul x w/read\n"
    "loss MySum MatMul\n"
    "gradients/grad_ys_0 Const\n"
    "gradients/MatMul_grad/MatMul MyMatMul gradients/grad_ys_0 x\n"
    "clip MyClip gradients/MatMul_grad/MatMul\n"
    "w/Momentum VariableV2\n"
    "w/Momentum/Initializer/zeros Const\n"
    "w/Momentum/Assign Assign w/Momentum w/Momentum/Initializer/zeros\n"
    "w/Momentum/read Identity w/Momentum\n"
    "Momentum/learning_rate Const\n"
    "Momentum/momentum Const\n"
    "Momentum/update_w/ApplyMomentum ApplyMomentum w w/Momentum Momentum/learning_rate clip Momentum/momentum\n"
    "Momentum/update NoOp ^Momentum/update_w/ApplyMomentum\n"
    "global_step VariableV2\n"
    "one Const\n"
    "Momentum AssignAdd global_step one ^Momentum/update\n"
    "init NoOp ^w/Assign ^w/Momentum/Assign\n"
    "save/Const MyName\n"
    "save/SaveV2 MySave save/Const w\n"
    "loss_1/tags MyName\n"
    "loss_1 ScalarSummary loss_1/tags loss\n"
    "saved SaveSlices\n";

}  // namespace

class TestParts : public QObject {
  Q_OBJECT

 private slots:
  void aTrainingIsTakenApart_data() {
    QTest::addColumn<QString>("node");
    QTest::addColumn<QString>("part");
    const auto row = [](const char* node, const char* part) { QTest::newRow(node) << QString::fromLatin1(node) << QString::fromLatin1(part); };
    row("x", "network");
    row("MatMul", "network");
    row("loss", "network");
    row("w", "weight");
    row("w/read", "weight");
    row("w/Assign", "weight");
    row("w/Initializer/zeros", "weight");
    row("w/Regularizer/l2", "weight");
    row("gradients/grad_ys_0", "gradient");
    row("gradients/MatMul_grad/MatMul", "gradient");
    row("clip", "update");
    row("Momentum/update_w/ApplyMomentum", "update");
    row("Momentum/learning_rate", "update");
    row("Momentum", "update");
    row("w/Momentum", "slot");
    row("w/Momentum/read", "slot");
    row("w/Momentum/Initializer/zeros", "slot");
    row("global_step", "step");
    row("init", "init");
    row("loss_1", "summary");
    row("saved", "save");
  }
  void aTrainingIsTakenApart() {
    QFETCH(QString, node);
    QFETCH(QString, part);
    auto found = partsOfLines(kTraining);
    QVERIFY2(!found.count("error"), found["error"].c_str());
    QCOMPARE(QString::fromStdString(found[node.toStdString()]), part);
  }

  /// Estimators read the step counter through a conditional, on which the whole network has control dependencies. None of it belongs to the network.
  void readsOfTheStepCounterAreHelpers() {
    auto found = partsOfLines(
        "zero Const\n"
        "global_step VariableV2\n"
        "known IsVariableInitialized global_step\n"
        "cond/Switch Switch global_step known\n"
        "cond/Switch_1 Switch zero known\n"
        "cond/Merge Merge cond/Switch cond/Switch_1\n"
        "add MyAdd cond/Merge zero\n"
        "x MyInput ^add\n"
        "w VariableV2\n"
        "rate MyDecay global_step\n"
        "loss MyLoss x w rate\n"
        "gradients/loss_grad/g MyGrad loss\n"
        "update ApplyGradientDescent w zero gradients/loss_grad/g\n"
        "update_ops NoOp\n");
    for (const char* name : {"global_step", "cond/Switch", "cond/Switch_1", "cond/Merge", "add"})
      QCOMPARE(std::string(name) + " " + found[name], std::string(name) + " step");
    for (const char* name : {"x", "rate", "loss"}) QCOMPARE(std::string(name) + " " + found[name], std::string(name) + " network");
    QCOMPARE(found["update_ops"], std::string("update"));
  }

  /// Readers of gradients belong to the update, except if they are differentiated again: then they are part of the loss.
  void aGradientPenaltyStaysInTheNetwork() {
    auto found = partsOfLines(
        "x MyInput\n"
        "critic MyCritic x\n"
        "gradients/critic_grad/g MyGrad critic x\n"
        "penalty MyNorm gradients/critic_grad/g\n"
        "loss MySum critic penalty\n"
        "gradients_1/loss_grad/g MyGrad loss penalty\n"
        "norm MyNorm gradients_1/loss_grad/g\n");
    QCOMPARE(found["penalty"], std::string("network"));
    QCOMPARE(found["loss"], std::string("network"));
    QCOMPARE(found["norm"], std::string("update"));
  }

  /// Without gradients an assignment may be the graph's purpose: its inputs stay the network.
  void anUpdateWithoutGradientsKeepsItsInputs() {
    auto found = partsOfLines(
        "x MyInput\n"
        "centre MyMean x\n"
        "v VariableV2\n"
        "keep Assign v centre\n");
    QCOMPARE(found["keep"], std::string("update"));
    QCOMPARE(found["centre"], std::string("network"));
    QCOMPARE(found["x"], std::string("network"));
  }

  /// An accuracy that only a summary reads is still a result of the network; the summary's tag is not.
  void whatSummariesReadStays() {
    auto found = partsOfLines("x MyInput\naccuracy MyMean x\ntag Const\ns ScalarSummary tag accuracy\n");
    QCOMPARE(found["accuracy"], std::string("network"));
    QCOMPARE(found["tag"], std::string("summary"));
  }

  /// The conds that initialise moving averages (`IsVariableInitialized`, Switch, Merge) are no part of the network.
  void condsOfInitializersAreHelpers() {
    auto found = partsOfLines(
        "v VariableV2\n"
        "zero Const\n"
        "v/Assign Assign v zero\n"
        "IsVariableInitialized IsVariableInitialized v\n"
        "cond/Switch Switch IsVariableInitialized IsVariableInitialized\n"
        "cond/switch_t Identity cond/Switch:1\n"
        "cond/pred_id Identity IsVariableInitialized\n"
        "cond/Merge MyMerge zero cond/pred_id\n"
        "a VariableV2\n"
        "a/Assign Assign a cond/Merge\n");
    QCOMPARE(found["cond/Switch"], std::string("check"));
    QCOMPARE(found["cond/switch_t"], std::string("check"));
    QVERIFY(found["cond/Merge"] != "network");
  }

  void patterns_data() {
    QTest::addColumn<QString>("pattern");
    QTest::addColumn<QString>("name");
    QTest::addColumn<bool>("fits");
    QTest::newRow("itself") << "a/b"
                            << "a/b" << true;
    QTest::newRow("in a scope of that name") << "a/b"
                                             << "a/b/c/d" << true;
    QTest::newRow("only begins so") << "a/b"
                                    << "a/bc" << false;
    QTest::newRow("a star") << "*/metrics*"
                            << "train/eval/metrics_1/acc" << true;
    QTest::newRow("a star wants the slash") << "*/metrics*"
                                            << "metrics/acc" << false;
    QTest::newRow("stars") << "*a*b*c"
                           << "xxaxxbxxbc" << true;
    QTest::newRow("one character") << "pool?"
                                   << "pool12" << false;
    QTest::newRow("one character fits") << "pool?"
                                        << "pool1/MaxPool" << true;
    QTest::newRow("everything") << "*"
                                << "x" << true;
    QTest::newRow("nothing") << ""
                             << "x" << false;
    QTest::newRow("a star at the end") << "ab*"
                                       << "ab" << true;
  }
  void patterns() {
    QFETCH(QString, pattern);
    QFETCH(QString, name);
    QFETCH(bool, fits);
    QCOMPARE(fitsPattern(pattern.toStdString(), name.toStdString()), fits);
  }

  void theLastRuleThatFitsCounts() {
    auto loaded = graphOfLines("x MyInput\nm/a MyMean x\nm/b MyMean m/a\ninit NoOp\n");
    QVERIFY(loaded.ok());
    MetaGraph& meta = loaded->meta;
    const auto part = [&](const char* name) { return std::string(kNames[size_t(drawnParts(meta)[size_t(meta.graph.find(name)->id)])]); };
    setCanvasRules(meta, {{"m", true}, {"m/b", false}, {"init", false}});
    QCOMPARE(canvasRulesOf(meta).size(), size_t(3));
    QCOMPARE(part("m/a"), std::string("helper"));
    QCOMPARE(part("m/b"), std::string("network"));
    QCOMPARE(part("init"), std::string("network"));
    setCanvasRules(meta, {{"*", true}});
    QCOMPARE(part("x"), std::string("helper"));
    QCOMPARE(part("init"), std::string("init"));  // it is one by itself
    setCanvasRules(meta, {});
    QVERIFY(meta.collections.count("weft/canvas") == 0);
  }

  void movedItemsLoseTheirPlacesAlone() {
    auto loaded = graphOfLines("x MyInput\nm/a MyMean x\nm/b MyMean m/a\n");
    QVERIFY(loaded.ok());
    MetaGraph& meta = loaded->meta;
    setCanvasPlaces(meta, {{"x", false, 1, 2}, {"m", true, 3, 4}, {"m/a", false, 5, 6}, {"m/b", false, 7, 8}});
    const auto places = [&] {
      std::string names;
      for (const CanvasPlace& p : canvasPlacesOf(meta)) names += p.name + " ";
      return names;
    };
    // Items in a moved scope keep their positions in it.
    QVERIFY(moveByRules(meta, {"m"}, true).ok());
    QCOMPARE(places(), std::string("x m/a m/b "));
    QCOMPARE(canvasRulesOf(meta), (std::vector<CanvasRule>{{"m", true}}));
    // Repeating a rule is refused; a rule that restates the default is not stored.
    const Status again = moveByRules(meta, {"m"}, true);
    QVERIFY(!again.ok() && again.error().message.find("m is among the helpers already") != std::string::npos);
    QVERIFY(moveByRules(meta, {"m/b"}, false).ok());
    QCOMPARE(canvasRulesOf(meta), (std::vector<CanvasRule>{{"m", true}, {"m/b", false}}));
    QVERIFY(moveByRules(meta, {"m"}, false).ok());
    QVERIFY(canvasRulesOf(meta).empty());
    const Status none = moveByRules(meta, {"y"}, true);
    QVERIFY(!none.ok() && none.error().message.find("There is no node or scope y in this graph") != std::string::npos);
    QVERIFY(canvasRulesOf(meta).empty());
  }

  void emptyGraph() { QVERIFY(partsOf(Graph()).empty()); }

  /// A chain of a hundred thousand reads does not exhaust the stack.
  void longChainsOfReads() {
    std::string lines = "v VariableV2\nr0 Identity v\n";
    for (int i = 1; i < 100000; ++i) lines += "r" + std::to_string(i) + " Identity r" + std::to_string(i - 1) + "\n";
    auto found = partsOfLines(lines);
    QCOMPARE(found["v"], std::string("weight"));
    QCOMPARE(found["r99999"], std::string("network"));
  }
};

QTEST_GUILESS_MAIN(TestParts)
#include "tst_parts.moc"
