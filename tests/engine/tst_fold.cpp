// Layers found in plain ops: the templates without their notes, layers written by hand and by TensorFlow's libraries, and what is not quite a layer.
#include <QTest>
#include <algorithm>

#include "fold_document.h"
#include "weft/api.h"
#include "weft/expressions.h"
#include "weft/groups.h"
#include "weft/session.h"
#include "weft/templates.h"

using namespace fold_tests;

namespace {

/// 1, 2, 3, …
Tensor ramp(const Shape& shape) {
  std::vector<float> values;
  for (int64_t i = 0; i < shape.elements(); ++i) values.push_back(float(i + 1));
  return Tensor::of(values, shape);
}

/// A tensor's value with x = ones, after some ops ran; empty with a warning: it cannot be computed.
std::string valuesOf(const MetaGraph& meta, const std::vector<std::string>& first, const std::string& tensor) {
  auto session = Session::create(meta.graph);
  if (session.ok() && !first.empty())
    if (const auto ran = (*session)->run({}, {}, first); !ran.ok()) qWarning("%s", ran.error().toString().c_str());
  const auto out = session.ok() ? (*session)->run({{"x:0", ramp(Shape{1, 5})}}, {tensor}) : Result<std::vector<Tensor>>(session.error());
  if (!out.ok()) {
    qWarning("%s", out.error().toString().c_str());
    return {};
  }
  std::string all = (*out)[0].shape().toString();
  for (int64_t i = 0; i < (*out)[0].elements(); ++i) all += concat(" ", (*out)[0].asDouble(i));
  return all;
}

std::string initialValueOf(const MetaGraph& meta, const std::string& variable) {
  const Node* assign = meta.graph.find(variable + "/Assign");
  return assign ? valuesOf(meta, {}, meta.graph.tensorName(assign->inputs[1])) : std::string("(none)");
}

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
    // What can be recognised: dropout that never drops, losses and the like are ops like any others.
    static const std::set<std::string> kKinds = {"layers.dense",      "layers.conv2d",           "layers.conv2d_transpose",       "layers.max_pooling2d",
                                                 "layers.flatten",    "layers.embedding",        "layers.batch_normalization",    "layers.average_pooling2d",
                                                 "layers.layer_norm", "layers.separable_conv2d", "layers.global_average_pooling", "layers.lstm_loop"};
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

  void frozenWeightsBecomeVariablesThatBeginWithThem() {
    ByHand h;
    const Output x = h.b.placeholder(DType::Float, Shape{-1, 5}, "x");
    // A frozen variable with the op that reads it, and one without.
    const Output w =
        h.b.op("Identity", {h.b.op("Const", {}, {{"value", ramp(Shape{5, 3})}, {"dtype", DType::Float}}, "dense/kernel")}, {}, "dense/kernel/read");
    const Output b = h.b.op("Const", {}, {{"value", ramp(Shape{3})}, {"dtype", DType::Float}}, "dense/bias");
    const Output hidden = h.b.op("Relu", {h.b.op("BiasAdd", {h.b.op("MatMul", {x, w}, {}, "dense/MatMul"), b}, {}, "dense/BiasAdd")}, {}, "dense/Relu");
    h.b.op("MatMul", {hidden, h.b.op("Const", {}, {{"value", ramp(Shape{3, 2})}, {"dtype", DType::Float}}, "weights")}, {}, "y");
    QVERIFY2(h.b.ok(), h.b.status().toString().c_str());
    const Folded folded = foldOf(h.meta);
    QVERIFY2(folded.status.ok(), folded.status.toString().c_str());
    QCOMPARE(lines(folded.report), QStringLiteral("dense layers.dense activation=relu units=3\ndense_1 layers.dense units=2 use_bias=false"));
    QCOMPARE(variablesOf(folded.meta), (std::set<std::string>{"dense/kernel", "dense/bias", "weights"}));
    QCOMPARE(folded.meta.collections.at("trainable_variables").bytes.size(), size_t(3));
    const std::vector<std::string> assigns = {"dense/kernel/Assign", "dense/bias/Assign", "weights/Assign"};
    const std::string before = valuesOf(h.meta, {}, "y:0");
    QVERIFY(!before.empty());
    QCOMPARE(q(valuesOf(folded.meta, assigns, "dense_1/y:0")), q(before));
    // The layer without its activation has the same weights still.
    MetaGraph changed = folded.meta;
    QVERIFY(setParameter(changed, "dense", "activation", "linear").ok());
    QCOMPARE(q(valuesOf(changed, assigns, recipesOf(changed)[1].outputs[0])).isEmpty(), false);
    for (const char* name : {"dense/kernel", "dense/bias"}) QCOMPARE(q(initialValueOf(changed, name)), q(initialValueOf(folded.meta, name)));
    // With another number of units, the kernel has another shape, and so values of its own; the next layer's, too.
    QVERIFY(setParameter(changed, "dense", "units", "4").ok());
    QVERIFY(initialValueOf(changed, "dense/kernel") != initialValueOf(folded.meta, "dense/kernel"));
  }

  void constantsThatAreNoWeightsStay() {
    ByHand h;
    const Output x = h.b.placeholder(DType::Float, Shape{-1, 5}, "x");
    h.b.op("MatMul", {x, h.b.op("Const", {}, {{"value", ramp(Shape{3, 5})}, {"dtype", DType::Float}}, "w")}, {{"transpose_b", true}}, "y");
    const Folded turned = foldOf(h.meta);
    QVERIFY(turned.report.proposals.empty());
    QCOMPARE(reasons(turned.report), QStringLiteral("y: transpose_b is true, the layer has false"));
    ByHand none;
    none.b.op("Relu", {none.b.placeholder(DType::Float, Shape{-1, 5}, "x")}, {}, "y");
    QCOMPARE(reasons(foldOf(none.meta).report), QStringLiteral(": the graph has no variables, and no constants that a layer would have as its weights"));
    // A graph with variables was not frozen: its constants are meant.
    ByHand mixed;
    const Output in = mixed.b.placeholder(DType::Float, Shape{-1, 5}, "x");
    mixed.b.op("MatMul", {in, mixed.variable("w", Shape{5, 3})}, {}, "a");
    mixed.b.op("MatMul", {in, mixed.b.op("Const", {}, {{"value", ramp(Shape{5, 3})}, {"dtype", DType::Float}}, "c")}, {}, "b");
    QCOMPARE(foldOf(mixed.meta).report.proposals.size(), size_t(1));
  }

  void aFoldedLayerKeepsTheInitializersOfItsGraph() {
    ByHand h;
    const Output x = h.b.placeholder(DType::Float, Shape{-1, 5}, "x");
    const Output variable = h.b.op("VariableV2", {}, {{"dtype", DType::Float}, {"shape", Shape{5, 3}}}, "own/w");
    const Output shape = h.b.op("Const", {}, {{"value", Tensor::vector<int32_t>({5, 3})}, {"dtype", DType::Int32}}, "own/w/Initializer/shape");
    const Output random = h.b.op("TruncatedNormal", {shape}, {{"dtype", DType::Float}, {"seed", int64_t(7)}}, "own/w/Initializer/normal");
    h.b.node("Assign", {variable, random}, {}, "own/w/Assign");
    h.b.op("MatMul", {x, h.b.op("Identity", {variable}, {}, "own/w/read")}, {}, "own/MatMul");
    QVERIFY2(h.b.ok(), h.b.status().toString().c_str());
    const Folded folded = foldOf(h.meta);
    QCOMPARE(lines(folded.report), QStringLiteral("own layers.dense units=3 use_bias=false"));
    MetaGraph changed = folded.meta;
    QVERIFY(setParameter(changed, "own", "activation", "relu").ok());
    const Node* assign = changed.graph.find("own/w/Assign");
    QVERIFY(assign);
    QCOMPARE(q(changed.graph.tensorName(assign->inputs[1])), QStringLiteral("own/w/Initializer/normal:0"));
    QVERIFY(changed.graph.find("own/w/Initializer/shape") && !changed.graph.find("own/w/Initializer/random_uniform"));
    QVERIFY(!valuesOf(changed, {"own/w/Assign"}, recipesOf(changed)[0].outputs[0]).empty());
    // Another shape: the layer's own.
    QVERIFY(setParameter(changed, "own", "units", "4").ok());
    QVERIFY(!changed.graph.find("own/w/Initializer/normal"));
    QVERIFY(changed.graph.find("own/w"));
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
