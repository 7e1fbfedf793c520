// Commands on graphs: what they change, and what they say of words that do not fit.
#include <QTest>

#include "weft/graph_commands.h"

using namespace weft;

namespace {

LoadedGraph after(const std::vector<GraphCommand>& commands, LoadedGraph graph = {}) {
  for (const GraphCommand& c : commands) {
    auto next = runGraphCommand(graph, c);
    if (!next.ok()) qFatal("%s: %s", c.toString().c_str(), next.error().toString().c_str());
    graph = std::move(next->graph);
  }
  return graph;
}

/// x → hidden → out, two dense layers, and an op that reads both.
LoadedGraph network() {
  return after({{"graph.add", {"Placeholder", "--name", "x", "shape=[5,8]"}},
                {"graph.add", {"dense", "--name", "hidden", "units=4", "--from", "x"}},
                {"graph.add", {"layers.dense", "--name", "out", "units=4", "--from", "hidden"}},
                {"graph.add", {"Add", "--name", "sum", "--from", "x=hidden", "--from", "y=out"}}});
}

std::string source(const LoadedGraph& g, const std::string& node, size_t input) { return g.meta.graph.tensorName(g.meta.graph.find(node)->inputs[input]); }
Recipe layer(const LoadedGraph& g, const std::string& scope) {
  for (const Recipe& r : recipesOf(g.meta))
    if (r.scope == scope) return r;
  return {};
}

}  // namespace

class GraphCommandsTest : public QObject {
  Q_OBJECT

 private slots:
  void namesOfLayersAreTheirOutputs() {
    const LoadedGraph g = network();
    QVERIFY(g.problems.empty());
    QCOMPARE(source(g, "sum", 0), layer(g, "hidden").outputs[0]);
    QCOMPARE(source(g, "sum", 1), layer(g, "out").outputs[0]);
    QCOMPARE(g.meta.graph.shape({g.meta.graph.find("sum")->id, 0}).toString(), std::string("[5,4]"));
  }

  void theGraphBeforeStaysAsItWas() {
    const LoadedGraph g = network();
    const int nodes = g.meta.graph.nodeCount();
    const auto edited = runGraphCommand(g, {"graph.delete", {"hidden"}});
    QVERIFY(edited.ok());
    QCOMPARE(g.meta.graph.nodeCount(), nodes);
    QVERIFY(edited->graph.meta.graph.nodeCount() < nodes);
    QVERIFY(!edited->graph.meta.graph.find("hidden/kernel"));
    QVERIFY(layer(edited->graph, "out").inputs[0].empty());  // waits with one wire
  }

  void insertedNodesAreNamed() {
    const auto edited = runGraphCommand(network(), {"graph.insert", {"out:0", "layers.dropout", "rate=0.2"}});
    QVERIFY(edited.ok());
    QCOMPARE(edited->made, std::vector<std::string>{"dropout"});
    QCOMPARE(layer(edited->graph, "out").inputs[0], layer(edited->graph, "dropout").outputs[0]);
    QCOMPARE(layer(edited->graph, "dropout").inputs[0], layer(edited->graph, "hidden").outputs[0]);
  }

  void parametersAndAttributesAreSet() {
    LoadedGraph g = after({{"graph.set", {"hidden", "units=4", "activation=relu"}}, {"graph.set", {"x", "shape=[9,8]"}}}, network());
    QCOMPARE(layer(g, "hidden").parameters.at("activation"), std::string("relu"));
    QCOMPARE(g.meta.graph.shape({g.meta.graph.find("sum")->id, 0}).toString(), std::string("[9,4]"));
    // An op inside of a layer: the layer becomes plain ops.
    g = after({{"graph.set", {"hidden/MatMul", "transpose_a=false"}}}, std::move(g));
    QVERIFY(layer(g, "hidden").scope.empty());
    QVERIFY(!layer(g, "out").scope.empty());
  }

  void wiresGoAndCome() {
    LoadedGraph g = after({{"graph.disconnect", {"sum:y"}}}, network());
    QVERIFY(isOpenInput(*g.meta.graph.find(source(g, "sum", 1).substr(0, source(g, "sum", 1).rfind(':')))));
    g = after({{"graph.connect", {"hidden", "sum:1"}}, {"graph.connect", {"^x", "sum"}}}, std::move(g));
    QCOMPARE(source(g, "sum", 1), layer(g, "hidden").outputs[0]);
    QCOMPARE(g.meta.graph.find("sum")->controls.size(), size_t(1));
    g = after({{"graph.disconnect", {"^x", "sum"}}}, std::move(g));
    QVERIFY(g.meta.graph.find("sum")->controls.empty());
  }

  void whatDoesNotFitIsRefused_data() {
    QTest::addColumn<QStringList>("words");
    QTest::addColumn<int>("code");
    QTest::addColumn<QString>("says");
    const auto row = [](const char* name, const QStringList& words, Code code, const char* says) {
      QTest::newRow(name) << words << int(code) << QString(says);
    };
    row("unknown command", {"graph.paint", "x"}, Code::Unimplemented, "graph.paint");
    row("too few words", {"graph.connect", "x"}, Code::InvalidArgument, "FROM:OUTPUT TO:INPUT");
    row("nothing to set", {"graph.set", "x"}, Code::InvalidArgument, "NAME=VALUE");
    row("no setting", {"graph.add", "Relu", "--set", "T"}, Code::InvalidArgument, "--set takes NAME=VALUE, not T");
    row("option without value", {"graph.add", "Relu", "--name"}, Code::InvalidArgument, "--name needs a value");
    row("unknown op", {"graph.add", "Zork"}, Code::NotFound, "Zork");
    row("unknown node", {"graph.delete", "nobody"}, Code::NotFound, "nobody");
    row("unknown source", {"graph.connect", "nobody:0", "sum:0"}, Code::NotFound, "nobody");
    row("circle", {"graph.connect", "out", "hidden:0"}, Code::InvalidArgument, "would close a cycle");
    row("no wire", {"graph.disconnect", "x", "sum"}, Code::NotFound, "no wire from x to sum");
    row("no wire to insert into", {"graph.insert", "x:0", "layers.flatten"}, Code::InvalidArgument, "");
    row("name of a file", {"graph.rename", "sum", "-sum"}, Code::InvalidArgument, "not a valid node name");
    row("name with an empty part", {"graph.rename", "sum", "a//b"}, Code::InvalidArgument, "not a valid node name");
    row("no training to switch", {"graph.switch-training", "out"}, Code::FailedPrecondition, "no training");
    row("no variable", {"graph.initialize", "sum"}, Code::InvalidArgument, "sum");
  }
  void whatDoesNotFitIsRefused() {
    QFETCH(QStringList, words);
    QFETCH(int, code);
    QFETCH(QString, says);
    GraphCommand command{words[0].toStdString(), {}};
    for (const QString& w : words.mid(1)) command.words.push_back(w.toStdString());
    const auto edited = runGraphCommand(network(), command);
    QVERIFY(!edited.ok());
    QVERIFY2(QString::fromStdString(edited.error().toString()).contains(says), edited.error().toString().c_str());
    if (!says.isEmpty()) QCOMPARE(int(edited.error().code), code);
  }

  void commandsReadAsTheyAreTyped() {
    QCOMPARE((GraphCommand{"graph.set", {"a", "value=two words"}}.toString()), std::string("graph.set a \"value=two words\""));
    QCOMPARE((GraphCommand{"graph.infer-attributes", {}}.toString()), std::string("graph.infer-attributes"));
  }
};

QTEST_APPLESS_MAIN(GraphCommandsTest)
#include "tst_graph_commands.moc"
