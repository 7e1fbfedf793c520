// Problems of graphs as `weft check` lists them: for each code a graph that has it, and a sound neighbour. Where the problem has a fix, the neighbour is what the fix gives.
#include <QDir>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>
#include <functional>
#include <set>

#include "support/documents.h"
#include "weft/builder.h"
#include "weft/expressions.h"
#include "weft/graph_problems.h"
#include "weft/templates.h"
#include "weft/train.h"

using namespace weft;

namespace {

const QString kFiles = QStringLiteral(WEFT_SOURCE_DIR "/tests/golden/files/");

/// The graph that a file or text holds, as programs open it.
LoadedGraph opened(const std::string& bytes) {
  auto loaded = openGraphBytes(std::make_shared<const std::string>(bytes), "the test's graph");
  if (!loaded.ok()) qFatal("%s", loaded.error().toString().c_str());
  findLayerProblems(*loaded);
  return std::move(*loaded);
}
LoadedGraph openedFile(const char* name) {
  QFile file(kFiles + QLatin1String(name));
  if (!file.open(QFile::ReadOnly)) qFatal("no file %s", name);
  return opened(file.readAll().toStdString());
}
std::string bytesOf(const LoadedGraph& graph) {
  auto bytes = serializeGraph(graph.meta, GraphFormat::MetaBinary);
  if (!bytes.ok()) qFatal("%s", bytes.error().toString().c_str());
  return std::move(*bytes);
}

/// A document made by commands, from a template or from nothing.
LoadedGraph document(const std::string& from, const std::vector<GraphCommand>& commands) {
  LoadedGraph graph;
  graph.format = GraphFormat::MetaBinary;
  if (!from.empty()) graph.meta = tests::documentOf(from);
  return tests::edited(std::move(graph), commands);
}

std::string placeholder(const std::string& name, const std::vector<int>& dims, const std::string& type = "DT_FLOAT") {
  std::string shape;
  for (const int d : dims) shape += concat("dim { size: ", d, " } ");
  return concat("node { name: '", name, "' op: 'Placeholder' attr { key: 'dtype' value { type: ", type, " } } attr { key: 'shape' value { shape { ", shape,
                "} } } }\n");
}

/// A graph of two weights and a loss, made by a builder; `more` adds to it.
LoadedGraph built(const std::function<void(GraphBuilder&, MetaGraph&)>& more) {
  LoadedGraph graph;
  graph.format = GraphFormat::MetaBinary;
  GraphBuilder b(graph.meta);
  more(b, graph.meta);
  if (!b.ok()) qFatal("%s", b.status().error().toString().c_str());
  return opened(bytesOf(graph));
}
Output weights(GraphBuilder& b, const std::string& name, DType type = DType::Float) {
  const Output v = b.op("VariableV2", {}, {{"shape", Shape()}, {"dtype", type}}, name);
  const Output value = type == DType::Float ? b.scalar(0.5f) : b.constant(Tensor::scalar(int64_t(0)));
  b.node("Assign", {v, value}, {}, name + "/Assign");
  return v;
}
int trains(GraphBuilder& b, Output v) { return b.node("ApplyGradientDescent", {v, b.scalar(0.1f), b.op("Identity", {v})}, {}, "train"); }
std::string definition(const std::string& tensor) { return std::string("\x0a") + char(tensor.size()) + tensor; }
void putVariables(MetaGraph& meta, const char* collection, const std::vector<std::string>& tensors) {
  Collection& c = meta.collections[collection];
  c.kind = Collection::Kind::Bytes;
  for (const std::string& t : tensors) c.bytes.push_back(definition(t));
}
void putNodes(MetaGraph& meta, const char* collection, const std::vector<std::string>& nodes) {
  Collection& c = meta.collections[collection];
  c.kind = Collection::Kind::Nodes;
  c.nodes = nodes;
}

/// A training on digits, whose logits are `units` wide.
LoadedGraph network(int units, const std::vector<GraphCommand>& more = {}) {
  LoadedGraph graph = document("", {{"graph.add", {"Placeholder", "--name", "x", "shape=[?,64]"}},
                                    {"graph.add", {"Placeholder", "--name", "y", "dtype=int32", "shape=[?]"}},
                                    {"graph.add", {"layers.dense", "--name", "hidden", "units=16", "activation=relu", "--from", "x"}},
                                    {"graph.add", {"layers.dense", "--name", "out", concat("units=", units), "--from", "hidden"}},
                                    {"graph.add", {"losses.sparse_softmax_cross_entropy", "--name", "loss", "--from", "y", "--from", "out"}},
                                    {"graph.add", {"train.AdamOptimizer", "--from", "loss"}}});
  DatasetBinding digits;
  digits.builtin = "digits";
  digits.kind = "builtin";
  digits.placeholders = {{"x:0", "image"}, {"y:0", "label"}};
  setDatasetBindings(graph.meta, {digits});
  return tests::edited(std::move(graph), more);
}

LoadedGraph function(const std::string& node) {
  return opened(placeholder("x", {2}) +
                "node { name: 'call' op: 'Twice' input: 'x' } library { function { signature { name: 'Twice' input_arg { name: 'a' type: DT_FLOAT } " +
                "output_arg { name: 'r' type: DT_FLOAT } } " + node + " ret { key: 'r' value: 's:z:0' } } } versions { producer: 27 }");
}

/// Adding to a queue of tokens, as SyncReplicasOptimizer does.
LoadedGraph replicas(bool tokens) {
  return built([&](GraphBuilder& b, MetaGraph&) {
    const Output step = weights(b, "global_step", DType::Int64);
    b.node("AssignAdd", {step, b.constant(Tensor::scalar(int64_t(1)))}, {}, "increment");
    trains(b, weights(b, "w"));
    if (!tokens) return;
    const Output queue = b.op("FIFOQueueV2", {}, {{"component_types", std::vector<DType>{DType::Int64}}, {"shared_name", "sync_token_q"}}, "tokens");
    b.op("QueueDequeueV2", {queue}, {{"component_types", std::vector<DType>{DType::Int64}}}, "take");
  });
}

using Make = std::function<LoadedGraph()>;
/// A graph with names that have expressions.
LoadedGraph named(const std::string& nodes, const std::vector<NamedValue>& values) {
  LoadedGraph graph = opened(nodes);
  setNamedValues(graph.meta, values);
  graph.original = nullptr;  // it is no longer what was read
  findExpressionProblems(graph);
  return graph;
}

struct PlantedCase {
  const char* code;
  Make sick;
  Make sound = {};  ///< Not given: the sick graph after the problem's first fix.
};

std::vector<PlantedCase> cases() {
  const auto file = [](const char* name) { return [name] { return openedFile(name); }; };
  const auto text = [](const std::string& nodes) { return [nodes] { return opened(nodes); }; };
  const std::string x = placeholder("x", {2, 3});
  const auto unary = [&](const std::string& op) {
    return text(x + "node { name: 'y' op: '" + op + "' input: 'x' attr { key: 'T' value { type: DT_FLOAT } } }");
  };
  const std::string sum = "node_def { name: 's' op: 'Add' input: 'a' input: 'a' attr { key: 'T' value { type: DT_FLOAT } } }";
  return {
      {"shape", text(x + "node { name: 'y' op: 'MatMul' input: 'x' input: 'x' attr { key: 'T' value { type: DT_FLOAT } } }")},
      {"unknown-op", unary("Zork"), unary("Relu")},
      {"layer",
       [] {
         return document("", {{"graph.add", {"Placeholder", "--name", "x", "shape=[50,784]"}},
                              {"graph.add", {"layers.conv2d", "--name", "c", "filters=4", "kernel_size=[3,3]", "--from", "x"}}});
       }},
      {"expression",
       [x] {
         return named(x, {{"a", "b", {}, {}}, {"b", "a", {}, {}}});
       },
       [x] {
         return named(x, {{"a", "2", {}, {}}, {"b", "a", {}, {}}});
       }},
      {"open-input",
       [] {
         return document("", {{"graph.add", {"Placeholder", "--name", "x", "shape=[50,784]"}}, {"graph.add", {"layers.dense", "--name", "d", "units=4"}}});
       }},
      {"unknown-layer",
       [] {
         LoadedGraph g = document(
             "", {{"graph.add", {"Placeholder", "--name", "x", "shape=[5,7]"}}, {"graph.add", {"layers.dense", "--name", "d", "units=4", "--from", "x"}}});
         auto recipes = recipesOf(g.meta);
         recipes[0].kind = "layers.newer";
         setRecipes(g.meta, recipes);
         return g;
       },
       [] {
         return document(
             "", {{"graph.add", {"Placeholder", "--name", "x", "shape=[5,7]"}}, {"graph.add", {"layers.dense", "--name", "d", "units=4", "--from", "x"}}});
       }},
      {"training-waits",
       [] {
         LoadedGraph g = document("mlp", {});
         auto recipes = recipesOf(g.meta);
         recipes.push_back({"", "train.AdamOptimizer", {}, {}, {}, {}});
         setRecipes(g.meta, recipes);
         return g;
       },
       [] { return document("mlp", {}); }},
      {"missing-attr", file("opened/types_left_out.pbtxt")},
      {"bad-attr", file("opened/bad_attribute.pbtxt")},
      {"bad-value", file("opened/bad_value.pbtxt"), file("opened/missing_control.pbtxt")},
      {"missing-input", file("opened/missing_input.pbtxt")},
      {"missing-control", file("opened/missing_control.pbtxt")},
      {"no-such-output", file("opened/missing_output.pbtxt")},
      {"input-count", file("opened/newer_signature.pbtxt")},
      {"input-type", file("opened/resource_for_number.pbtxt")},
      {"cycle", file("opened/circle.pbtxt")},
      {"control-order", file("opened/control_first.pbtxt")},
      {"duplicate-name", file("opened/two_of_a_name.pbtxt")},
      {"no-name", file("opened/unnamed.pbtxt")},
      {"bad-name", file("opened/unnamed.pbtxt")},
      {"no-op", text(x + "node { name: 'y' }")},
      {"removed-op",
       text(
           placeholder("x", {1, 2, 2, 1}) + placeholder("m", {1}) +
           "node { name: 'y' op: 'BatchNormWithGlobalNormalization' input: 'x' input: 'm' input: 'm' input: 'm' input: 'm' attr { key: 'T' value { type: DT_FLOAT } } "
           "attr { key: 'variance_epsilon' value { f: 0.1 } } attr { key: 'scale_after_normalization' value { b: true } } } versions { producer: 27 }"),
       unary("Relu")},
      {"version", file("opened/newer_reader.pbtxt"), unary("Relu")},
      {"function", file("opened/broken_function.pbtxt"), [sum] { return function(sum); }},
      {"function-op", [] { return function("node_def { name: 's' op: 'Zork' input: 'a' }"); }, [sum] { return function(sum); }},
      {"uninitialized", text("node { name: 'v' op: 'VariableV2' attr { key: 'dtype' value { type: DT_FLOAT } } attr { key: 'shape' value { shape { } } } }")},
      {"no-gradient",
       [] {
         return built([](GraphBuilder& b, MetaGraph& meta) {
           trains(b, weights(b, "w"));
           weights(b, "left");
           putNodes(meta, "train_op", {"train"});
           putVariables(meta, "trainable_variables", {"w:0", "left:0"});
         });
       },
       [] {
         return built([](GraphBuilder& b, MetaGraph& meta) {
           trains(b, weights(b, "w"));
           putNodes(meta, "train_op", {"train"});
           putVariables(meta, "trainable_variables", {"w:0"});
         });
       }},
      {"labels-logits", [] { return network(7); }},
      {"training-switch",
       [] {
         return network(10, {{"graph.insert", {"out:0", "layers.dropout", "--name", "drop"}}});
       }},
      {"unread",
       [] {
         return network(10, {{"graph.add", {"layers.dense", "--name", "forgotten", "units=3", "--from", "x:0"}}});
       }},
      {"updates-not-run",
       [] {
         return built([](GraphBuilder& b, MetaGraph& meta) {
           trains(b, weights(b, "w"));
           b.node("AssignSub", {weights(b, "mean"), b.scalar(0.1f)}, {}, "update");
           putNodes(meta, "update_ops", {"update"});
           putNodes(meta, "train_op", {"train"});
         });
       }},
      {"softmax-twice",
       [] {
         return built([](GraphBuilder& b, MetaGraph&) {
           const Output logits = b.placeholder(DType::Float, Shape{2, 3}, "logits"), labels = b.placeholder(DType::Float, Shape{2, 3}, "labels");
           b.op("SoftmaxCrossEntropyWithLogits", {b.op("Softmax", {logits}, {}, "p"), labels}, {}, "loss");
         });
       }},
      {"global-step",
       [] {
         return built([](GraphBuilder& b, MetaGraph&) {
           weights(b, "global_step", DType::Int64);
           trains(b, weights(b, "w"));
         });
       },
       [] { return replicas(false); }},
      {"no-global-step",
       [] {
         return built([](GraphBuilder& b, MetaGraph& meta) {
           trains(b, weights(b, "w"));
           putNodes(meta, "ready_op", {"train"});
           putNodes(meta, "train_op", {"train"});
         });
       }},
      {"sync-replicas", [] { return replicas(true); }, [] { return replicas(false); }},
  };
}

/// What `weft check` said of a graph.
struct Said {
  int status = -1;
  std::set<std::string> codes;  ///< Of problems and findings that are no notes.
  std::set<std::string> all;
  QByteArray text;
};

}  // namespace

class GraphProblemsTest : public QObject {
  Q_OBJECT

  QTemporaryDir folder_;

  Said check(const LoadedGraph& graph, const QStringList& options = {QStringLiteral("--json"), QStringLiteral("--graph-only")}) {
    const QString path = folder_.filePath(QStringLiteral("graph.weft"));
    QFile file(path);
    if (!file.open(QFile::WriteOnly)) qFatal("cannot write");
    file.write(QByteArray::fromStdString(graph.original ? *graph.original : bytesOf(graph)));
    file.close();
    QProcess weft;
    weft.start(QStringLiteral(WEFT_PROGRAM), QStringList{QStringLiteral("check"), path} + options);
    Said said;
    if (!weft.waitForFinished(60000)) return said;
    said.status = weft.exitCode();
    said.text = weft.readAllStandardOutput() + weft.readAllStandardError();
    const QJsonObject json = QJsonDocument::fromJson(said.text).object();
    for (const char* list : {"problems", "findings"})
      for (const QJsonValue& v : json[QLatin1String(list)].toArray()) {
        const std::string code = v[QLatin1String("code")].toString().toStdString();
        said.all.insert(code == "global-step-stays" ? "global-step" : code);
        if (v[QLatin1String("weight")].toString() != QLatin1String("note")) said.codes.insert(code);
      }
    return said;
  }

 private slots:
  void everyCodeHasACase() {
    // No graph makes these: they are for what a later engine, or too little memory, might.
    std::set<std::string> tested{"graph", "analysis"};
    for (const PlantedCase& c : cases()) tested.insert(c.code);
    std::set<std::string> stated;
    for (const GraphProblemRule& r : graphProblemRules()) stated.insert(r.code);
    QCOMPARE(tested, stated);
    QProcess weft;
    weft.start(QStringLiteral(WEFT_PROGRAM), {QStringLiteral("check"), QStringLiteral("--rules")});
    QVERIFY(weft.waitForFinished(30000));
    const QByteArray rules = weft.readAllStandardOutput();
    for (const std::string& code : stated) QVERIFY2(rules.contains(("\n" + code + " ").c_str()) || rules.startsWith((code + " ").c_str()), code.c_str());
  }

  void planted_data() {
    QTest::addColumn<int>("index");
    const auto list = cases();
    for (size_t i = 0; i < list.size(); ++i) QTest::newRow(list[i].code) << int(i);
  }
  void planted() {
    QFETCH(int, index);
    const PlantedCase c = cases()[size_t(index)];
    const LoadedGraph sick = c.sick();
    const auto problems = findGraphProblems(sick);
    const auto problem = std::find_if(problems.begin(), problems.end(), [&](const GraphProblem& p) { return p.code == c.code; });
    QVERIFY(problem != problems.end());
    for (const GraphProblem& p : problems) {
      const std::string text = problemReport(p);
      for (char slot = '1'; slot <= '9'; ++slot) QVERIFY2(text.find(std::string("%") + slot) == text.npos, text.c_str());
      // Every fix can be run as it is.
      for (const ProblemFix& f : p.fixes) {
        const auto mended = runGraphCommand(sick, f.command);
        QVERIFY2(mended.ok(), mended.ok() ? "" : (f.command.toString() + ": " + mended.error().toString()).c_str());
      }
    }
    const Said said = check(sick);
    QVERIFY2(said.all.count(c.code), said.text);
    QCOMPARE(said.status, problem->weight == DoctorWeight::Note && said.codes.empty() ? 0 : 1);
    LoadedGraph sound;
    if (c.sound) {
      sound = c.sound();
    } else {
      // A graph may have the same problem at several nodes.
      sound = sick;
      for (int i = 0; i < 8; ++i) {
        const auto left = findGraphProblems(sound);
        const auto next = std::find_if(left.begin(), left.end(), [&](const GraphProblem& p) { return p.code == c.code; });
        if (next == left.end()) break;
        QVERIFY2(!next->fixes.empty(), problemReport(*next).c_str());
        auto mended = runGraphCommand(sound, next->fixes[0].command);
        QVERIFY(mended.ok());
        sound = std::move(mended->graph);
      }
    }
    const Said after = check(sound);
    QVERIFY2(!after.all.count(c.code) && after.status >= 0, after.text);
  }

  void theTemplatesHaveNone_data() {
    QTest::addColumn<QString>("name");
    for (const api::Template& t : api::templates()) QTest::newRow(t.name.c_str()) << QString::fromStdString(t.name);
  }
  void theTemplatesHaveNone() {
    QFETCH(QString, name);
    const Said said = check(document(name.toStdString(), {}));
    QVERIFY2(said.codes.empty() && said.status == 0, said.text);
  }

  void theTextNamesNodeAndFix() {
    const LoadedGraph graph =
        opened("node { name: 'v' op: 'VariableV2' attr { key: 'dtype' value { type: DT_FLOAT } } attr { key: 'shape' value { shape { } } } }");
    QCOMPARE(check(graph, {QStringLiteral("--graph-only")}).text,
             QByteArray("error: v: This variable has no initialiser.\n    Fix: Initialise with zeros: graph.initialize v\n\n"));
  }

  void aTrainingThatCannotStartIsReadAllTheSame() {
    LoadedGraph graph = network(10, {{"graph.add", {"VariableV2", "--name", "v", "shape=[2]"}}});
    auto bindings = datasetBindingsOf(graph.meta);
    (*bindings)[0].builtin.clear();
    (*bindings)[0].kind = "csv";
    (*bindings)[0].path = "nowhere.csv";
    setDatasetBindings(graph.meta, *bindings);
    const Said said = check(graph, {});
    QCOMPARE(said.status, 1);
    QVERIFY2(said.text.contains("error: v: This variable has no initialiser.") && said.text.contains("The training was not tried: ") &&
                 said.text.contains("nowhere.csv"),
             said.text);
    // Without a problem that may explain it, it is the error of the command.
    graph = std::move(runGraphCommand(graph, {"graph.delete", {"v"}})->graph);
    QVERIFY2(check(graph, {}).text.startsWith("weft: "), check(graph, {}).text);
  }

  /// The doctor knows more of a mistake, the problem how to mend it.
  void oneMistakeIsSaidOnce() {
    const auto list = cases();
    const auto softmax = std::find_if(list.begin(), list.end(), [](const PlantedCase& c) { return std::string_view(c.code) == "softmax-twice"; });
    const QJsonObject json = QJsonDocument::fromJson(check(softmax->sick()).text).object();
    QVERIFY(json[QLatin1String("problems")].toArray().isEmpty());
    const QJsonArray findings = json[QLatin1String("findings")].toArray();
    QCOMPARE(findings.size(), 1);
    QCOMPARE(findings[0][QLatin1String("fixes")].toArray().size(), 1);
    QCOMPARE(findings[0][QLatin1String("fixes")][0][QLatin1String("command")].toArray().first().toString(), QStringLiteral("graph.connect"));
  }
};

QTEST_GUILESS_MAIN(GraphProblemsTest)
#include "tst_graph_problems.moc"
