// Layers found in plain ops: the templates without their notes, layers written by hand and by TensorFlow's libraries, and what is not quite a layer.
#include <QTest>
#include <algorithm>

#include "weft/api.h"
#include "weft/builder.h"
#include "weft/expressions.h"
#include "weft/fold.h"
#include "weft/groups.h"
#include "weft/session.h"
#include "weft/templates.h"

using namespace weft;

namespace {

QString q(const std::string& s) { return QString::fromStdString(s); }

/// The document as another program would have saved it: no layers, no notes.
void strip(MetaGraph& meta) {
  std::erase_if(meta.collections, [](const auto& c) { return c.first.starts_with("weft/"); });
}

struct Folded {
  MetaGraph meta;
  FoldReport report;
  Status status;
};

Folded foldOf(const MetaGraph& from, const std::vector<std::string>& scopes = {}) {
  Folded out;
  out.meta = from;
  std::vector<Error> problems;
  GraphEditor editor(out.meta, problems);
  LayerEditor layers(editor);
  auto report = fold(layers, scopes);
  out.status = report.ok() ? finishEdit(layers) : Status(report.error());
  if (report.ok()) out.report = std::move(*report);
  return out;
}

/// "dense layers.dense units=3 activation=relu", a line for each proposal.
QString lines(const FoldReport& report) {
  QStringList out;
  for (const FoldProposal& p : report.proposals) {
    QString line = q(p.scope) + u' ' + q(p.kind);
    TextAttrs parameters = p.parameters;
    std::sort(parameters.begin(), parameters.end());
    for (const auto& [name, value] : parameters) line += u' ' + q(name) + u'=' + q(value);
    if (p.form == FoldProposal::Kind::Group) line += QStringLiteral(" ×%1").arg(p.instances.size());
    out << line;
  }
  return out.join(u'\n');
}

QString reasons(const FoldReport& report) {
  QStringList out;
  for (const FoldLeft& l : report.left) out << q(l.node) + QStringLiteral(": ") + q(l.reason);
  return out.join(u'\n');
}

/// Op, attributes and wires of every node, without names; those of `meta` in the order of the graph.
std::vector<std::string> structureOf(const MetaGraph& meta) {
  std::vector<std::string> out;
  for (int id = 0; id < meta.graph.size(); ++id) {
    const Node* n = meta.graph.node(id);
    if (!n) continue;
    std::string line = n->op;
    for (const auto& [name, value] : n->attrs)
      if (name != "_class" && name != "shared_name") line += " " + name + "=" + value.toString();
    for (const Output o : n->inputs) line += concat(" ", o.node, ":", o.index);
    for (const int c : n->controls) line += concat(" ^", c);
    out.push_back(line);
  }
  return out;
}

std::set<std::string> variablesOf(const MetaGraph& meta) {
  std::set<std::string> out;
  for (int id = 0; id < meta.graph.size(); ++id)
    if (const Node* n = meta.graph.node(id); n && n->op == "VariableV2") out.insert(n->name);
  return out;
}

/// A network written by hand: its variables lie where their author put them.
struct ByHand {
  MetaGraph meta;
  GraphBuilder b{meta};
  Output variable(const std::string& name, const Shape& shape) {
    const Output v = b.op("VariableV2", {}, {{"dtype", DType::Float}, {"shape", shape}}, name);
    return b.op("Identity", {v}, {}, name + "/read");
  }
};

}  // namespace

class TestFold : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() { qputenv("WEFT_RESOURCES", WEFT_SOURCE_DIR "/resources"); }

  void templatesWithoutTheirNotes_data() {
    QTest::addColumn<QString>("name");
    for (const api::Template& t : api::templates()) QTest::newRow(t.name.c_str()) << q(t.name);
  }
  void templatesWithoutTheirNotes() {
    QFETCH(QString, name);
    auto built = api::buildTemplate(name.toStdString());
    QVERIFY(built.ok());
    // What can be recognised: dropout that never drops, losses and the like are ops like any others, and recurrent layers are not among the patterns.
    static const std::set<std::string> kKinds = {"layers.dense",      "layers.conv2d",           "layers.conv2d_transpose",      "layers.max_pooling2d",
                                                 "layers.flatten",    "layers.embedding",        "layers.batch_normalization",   "layers.average_pooling2d",
                                                 "layers.layer_norm", "layers.separable_conv2d", "layers.global_average_pooling"};
    std::map<std::string, Recipe> wanted;
    for (const Recipe& r : recipesOf(*built))
      if (kKinds.count(r.kind)) wanted.emplace(r.scope, r);
    MetaGraph plain = *built;
    strip(plain);
    const Folded folded = foldOf(plain);
    QVERIFY2(folded.status.ok(), folded.status.toString().c_str());
    std::map<std::string, Recipe> found;
    for (const Recipe& r : recipesOf(folded.meta)) found.emplace(r.scope, r);
    for (const auto& [scope, r] : wanted) {
      const auto at = found.find(scope);
      QVERIFY2(at != found.end(), (scope + " " + r.kind + "\n" + lines(folded.report).toStdString() + "\n" + reasons(folded.report).toStdString()).c_str());
      QCOMPARE(q(at->second.kind), q(r.kind));
      QCOMPARE(at->second.outputs, r.outputs);
      QCOMPARE(q(at->second.inputs[0]), q(r.inputs[0]));
      for (const auto& [parameter, text] : at->second.parameters) {
        if (parameter.starts_with('~')) continue;
        const ApiParameter* p = ApiRegistry::instance().findLayer(r.kind)->find(parameter);
        const auto own = r.parameters.find(parameter);
        const std::string was = own != r.parameters.end() ? own->second : argumentToText(*p->otherwise);
        QCOMPARE(q(argumentToText(argumentFromText(*p, text).value())), q(argumentToText(argumentFromText(*p, was).value())));
      }
    }
    // Not an op, attribute or wire has changed, and no variable's name.
    QCOMPARE(structureOf(folded.meta), structureOf(plain));
    QCOMPARE(variablesOf(folded.meta), variablesOf(plain));
    // A second time, there is nothing left to do.
    const FoldReport again = findFolds(folded.meta);
    QCOMPARE(lines(again), QString());
  }

  void opsWrittenByHandBecomeALayer() {
    ByHand h;
    const Output x = h.b.placeholder(DType::Float, Shape{-1, 5}, "x");
    const Output w = h.variable("W1", Shape{5, 3}), bias = h.variable("b1", Shape{3});
    const Output y = h.b.op("Relu", {h.b.op("BiasAdd", {h.b.op("MatMul", {x, w}, {}, "product"), bias}, {}, "sum")}, {}, "hidden");
    h.b.op("Softmax", {h.b.op("MatMul", {y, h.variable("W2", Shape{3, 2})}, {}, "logits")}, {}, "out");
    const Folded folded = foldOf(h.meta);
    QVERIFY2(folded.status.ok(), folded.status.toString().c_str());
    QCOMPARE(lines(folded.report),
             QStringLiteral("dense layers.dense activation=relu units=3\ndense_1 layers.dense activation=softmax units=2 use_bias=false"));
    QCOMPARE(variablesOf(folded.meta), (std::set<std::string>{"W1", "W2", "b1"}));
    QVERIFY(folded.meta.graph.find("dense/hidden"));
    QVERIFY(folded.meta.graph.find("W1/read"));
    // Its parameters can be edited, and the variables keep their names.
    MetaGraph meta = folded.meta;
    std::vector<Error> problems;
    GraphEditor editor(meta, problems);
    LayerEditor layers(editor);
    QVERIFY(layers.setParameter(*layers.find("dense"), "activation", "tanh").ok());
    QVERIFY(layers.setParameter(*layers.find("dense"), "units", "4").ok());
    QVERIFY(finishEdit(layers).ok());
    QVERIFY2(problems.empty(), problems.empty() ? "" : problems[0].toString().c_str());
    QCOMPARE(variablesOf(meta), (std::set<std::string>{"W1", "W2", "b1"}));
    QCOMPARE(q(meta.graph.find("W1")->outputShapes[0].toString()), QStringLiteral("[5,4]"));
    QCOMPARE(q(meta.graph.find("W2")->outputShapes[0].toString()), QStringLiteral("[4,2]"));
    QVERIFY(meta.graph.find("dense/Tanh"));
  }

  void namesOfOtherLibrariesStay() {
    ByHand h;
    const Output x = h.b.placeholder(DType::Float, Shape{-1, 8, 8, 2}, "x");
    const Output w = h.variable("conv1/weights", Shape{3, 3, 2, 4}), bias = h.variable("conv1/biases", Shape{4});
    const Output y = h.b.op("Conv2D", {x, w}, {{"strides", std::vector<int64_t>{1, 2, 2, 1}}, {"padding", "SAME"}}, "conv1/Conv2D");
    h.b.op("Relu6", {h.b.op("BiasAdd", {y, bias}, {}, "conv1/BiasAdd")}, {}, "conv1/Relu6");
    const Folded folded = foldOf(h.meta);
    QCOMPARE(lines(folded.report), QStringLiteral("conv1 layers.conv2d activation=relu6 filters=4 kernel_size=[3,3] padding=same strides=[2,2]"));
    QVERIFY(folded.report.proposals[0].moved.empty());
    QCOMPARE(structureOf(folded.meta), structureOf(h.meta));
    MetaGraph meta = folded.meta;
    std::vector<Error> problems;
    GraphEditor editor(meta, problems);
    LayerEditor layers(editor);
    QVERIFY(layers.rename("conv1", "stem").ok());
    QVERIFY(layers.setParameter(*layers.find("stem"), "filters", "6").ok());
    QVERIFY(finishEdit(layers).ok());
    QCOMPARE(variablesOf(meta), (std::set<std::string>{"stem/weights", "stem/biases"}));
  }

  void resultsAreTheSameBits() {
    auto built = api::buildTemplate("mlp");
    QVERIFY(built.ok());
    MetaGraph plain = *built;
    strip(plain);
    const Folded folded = foldOf(plain);
    QVERIFY(folded.status.ok());
    QCOMPARE(structureOf(folded.meta), structureOf(plain));
    for (int id = 0; id < plain.graph.size(); ++id)
      if (const Node* n = plain.graph.node(id)) QCOMPARE(q(folded.meta.graph.node(id)->name), q(n->name));
  }

  void whatIsNotExactlyALayerStays() {
    ByHand h;
    const Output x = h.b.placeholder(DType::Float, Shape{-1, 8, 8, 2}, "x");
    h.b.op("Conv2D", {x, h.variable("a/w", Shape{3, 3, 2, 4})},
           {{"strides", std::vector<int64_t>{1, 1, 1, 1}}, {"padding", "SAME"}, {"dilations", std::vector<int64_t>{1, 2, 2, 1}}}, "a/Conv2D");
    const Output flat = h.b.placeholder(DType::Float, Shape{-1, 5}, "flat");
    h.b.op("MatMul", {flat, h.variable("t/w", Shape{3, 5})}, {{"transpose_b", true}}, "t/MatMul");
    h.b.op("Add", {h.b.op("MatMul", {flat, h.variable("s/w", Shape{5, 3})}, {}, "s/MatMul"), h.variable("s/b", Shape{3})}, {}, "s/Add");
    const Output shared = h.variable("both/w", Shape{5, 5});
    h.b.op("MatMul", {h.b.op("MatMul", {flat, shared}, {}, "both/one"), shared}, {}, "both/two");
    QVERIFY2(h.b.ok(), h.b.status().toString().c_str());
    const Folded folded = foldOf(h.meta);
    QVERIFY2(folded.status.ok(), folded.status.toString().c_str());
    const QString left = lines(folded.report) + u'\n' + reasons(folded.report);
    QVERIFY2(left.contains(QStringLiteral("a/Conv2D: dilations is [1, 2, 2, 1], the layer has [1, 1, 1, 1]")), qPrintable(left));
    QVERIFY2(left.contains(QStringLiteral("t/MatMul: transpose_b is true, the layer has false")), qPrintable(left));
    QVERIFY2(left.contains(QStringLiteral("s/Add: no layer computes Add with s/b")), qPrintable(left));
    // Of ops with the same weights, the first is the layer.
    QCOMPARE(lines(folded.report), QStringLiteral("s/dense layers.dense units=3 use_bias=false\nboth/dense layers.dense units=5 use_bias=false"));
  }

  void frozenGraphsAreNotFolded() {
    ByHand h;
    const Output x = h.b.placeholder(DType::Float, Shape{-1, 5}, "x");
    h.b.op("MatMul", {x, h.b.constant(Tensor::zeros(DType::Float, Shape{5, 3}))}, {}, "y");
    const Folded folded = foldOf(h.meta);
    QVERIFY(folded.report.proposals.empty());
    QCOMPARE(reasons(folded.report), QStringLiteral(": the graph has no variables: weights that are constants, as in a frozen graph, are not folded"));
  }

  void scopesThatAreAlikeBecomeAGroup() {
    ByHand h;
    Output y = h.b.placeholder(DType::Float, Shape{-1, 4}, "x");
    for (const char* scope : {"block1", "block2", "block3"}) {
      const std::string s = scope;
      y = h.b.op("Mul", {y, h.variable(s + "/scale", Shape{4})}, {}, s + "/scaled");
      y = h.b.op("Elu", {y}, {}, s + "/out");
    }
    const Folded folded = foldOf(h.meta);
    QVERIFY2(folded.status.ok(), folded.status.toString().c_str());
    QCOMPARE(lines(folded.report), QStringLiteral("block1 block ×3"));
    QCOMPARE(groupInstancesOf(folded.meta).size(), size_t(3));
    QCOMPARE(structureOf(folded.meta), structureOf(h.meta));
  }

  void onlyTheChosenOnesAreFolded() {
    auto built = api::buildTemplate("mlp");
    QVERIFY(built.ok());
    MetaGraph plain = *built;
    strip(plain);
    const FoldReport all = findFolds(plain);
    QVERIFY(all.proposals.size() >= 2);
    const Folded one = foldOf(plain, {all.proposals[1].scope});
    QCOMPARE(recipesOf(one.meta).size(), size_t(1));
    QCOMPARE(q(foldOf(plain, {"nothing"}).status.error().message), QStringLiteral("there is nothing to fold at nothing"));
  }
};

QTEST_GUILESS_MAIN(TestFold)
#include "tst_fold.moc"
