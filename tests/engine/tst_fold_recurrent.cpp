// Recurrent layers found in plain ops: written as a GraphDef and read again, frozen, and what is almost such a layer.
#include <QTest>
#include <cmath>
#include <cstring>

#include "fold_document.h"
#include "weft/freeze.h"
#include "weft/session.h"

using namespace fold_tests;

namespace {

constexpr int kSteps = 5, kFeatures = 3;

/// "units=4 return_sequences=true"
TextAttrs attrsOf(const QString& parameters) {
  TextAttrs out;
  for (const QString& p : parameters.split(u' ')) out.emplace_back(p.section(u'=', 0, 0).toStdString(), p.section(u'=', 1).toStdString());
  return out;
}

Tensor waves(const Shape& shape, float scale) {
  Tensor t = Tensor::zeros(DType::Float, shape);
  for (int64_t i = 0; i < t.elements(); ++i) t.mutableData<float>()[i] = scale * std::sin(float(i + 1));
  return t;
}

/// x -> the layer "rnn" -> layer_norm "head".
Result<MetaGraph> network(const std::string& kind, const TextAttrs& parameters) {
  MetaGraph meta;
  {
    GraphBuilder b(meta);
    b.placeholder(DType::Float, Shape{-1, kSteps, kFeatures}, "x");
    WEFT_TRY(b.status());
  }
  std::vector<Error> problems;
  GraphEditor editor(meta, problems);
  LayerEditor layers(editor);
  const ApiRegistry& registry = ApiRegistry::instance();
  WEFT_TRY(layers.add(*registry.findLayer(kind), "rnn", parameters, {{"inputs", "x:0"}}).status());
  WEFT_TRY(layers.finish());
  WEFT_TRY(layers.add(*registry.findLayer("layers.layer_norm"), "head", {}, {{"inputs", layers.find("rnn")->outputs[0]}}).status());
  WEFT_TRY(layers.finish());
  for (const Error& e : problems) return e;
  return meta;
}

/// As another program gets it: ops alone, no collections.
Result<MetaGraph> exported(const MetaGraph& meta) {
  WEFT_LET(std::string bytes, serializeGraph(meta, GraphFormat::GraphBinary));
  WEFT_LET(LoadedGraph loaded, loadGraphBytes(std::make_shared<const std::string>(std::move(bytes)), "exported.pb"));
  for (const Error& e : loaded.problems) return e;
  return std::move(loaded.meta);
}

/// The output's bytes; variables that are not `given` begin as the graph says.
Result<std::string> outputOf(const MetaGraph& meta, const std::string& tensor, bool given) {
  WEFT_LET(auto session, Session::create(meta.graph));
  std::vector<std::string> assigns;
  for (const std::string& name : variablesOf(meta)) {
    if (given) WEFT_TRY(session->setVariable(name, waves(meta.graph.find(name)->outputShapes[0], 0.5f)));
    else assigns.push_back(name + "/Assign");
  }
  if (!assigns.empty()) WEFT_TRY(session->run({}, {}, assigns).status());
  WEFT_LET(const auto out, session->run({{"x:0", waves(Shape{2, kSteps, kFeatures}, 1)}}, {tensor}));
  return std::string(static_cast<const char*>(out[0].raw()), size_t(out[0].bytes()));
}

/// With constants in place of the variables.
Result<MetaGraph> frozen(const MetaGraph& meta) {
  WEFT_LET(const std::string bytes, serializeGraph(meta, GraphFormat::GraphBinary));
  const Graph& graph = meta.graph;
  const auto values = [&](const SavedVariable& v) -> Result<Tensor> { return waves(graph.find(v.name)->outputShapes[0], 0.5f); };
  WEFT_LET(std::string constant, freezeGraph(bytes, values, {{recipesOf(meta).back().outputs[0].substr(0, recipesOf(meta).back().outputs[0].find(':'))}, true, {}}));
  WEFT_LET(LoadedGraph loaded, loadGraphBytes(std::make_shared<const std::string>(std::move(constant)), "frozen.pb"));
  return std::move(loaded.meta);
}

/// As tf.nn.static_rnn writes it: states of their own, and constants for each step. The last output goes to "y".
MetaGraph ofTensorFlow(const std::string& cell, int64_t batch, int64_t rows = -1) {
  constexpr int64_t kUnits = 4;
  ByHand h;
  GraphBuilder& b = h.b;
  const Output x = b.placeholder(DType::Float, Shape{batch, kSteps, kFeatures}, "x");
  const int unstack = b.node("Unpack", {x}, {{"num", int64_t(kSteps)}, {"axis", int64_t(1)}}, "unstack");
  const auto constant = [&](const Tensor& t) { return b.op("Const", {}, {{"value", t}, {"dtype", t.dtype()}}, "rnn/Const"); };
  const auto zeros = [&]() {
    Output first = constant(Tensor::vector<int32_t>({int32_t(rows)}));
    if (rows < 0) {
      const Output one = constant(Tensor::vector<int32_t>({1})), none = constant(Tensor::vector<int32_t>({0}));
      const Output row =
          b.op("StridedSlice", {b.op("Shape", {{unstack, 0}}, {}, "rnn/Shape"), none, one, one}, {{"shrink_axis_mask", int64_t(1)}}, "rnn/strided_slice");
      first = b.op("ExpandDims", {row, constant(Tensor::scalar<int32_t>(0))}, {}, "rnn/ExpandDims");
      b.op("ExpandDims", {row, constant(Tensor::scalar<int32_t>(0))}, {}, "rnn/ExpandDims_1");  // for the record
    }
    const Output dims =
        b.op("ConcatV2", {first, constant(Tensor::vector<int32_t>({int32_t(kUnits)})), constant(Tensor::scalar<int32_t>(0))}, {}, "rnn/zeros/concat");
    return b.op("Fill", {dims, constant(Tensor::scalar(0.f))}, {}, "rnn/zeros");
  };
  const auto joined = [&](Output a, Output c) { return b.op("ConcatV2", {a, c, constant(Tensor::scalar<int32_t>(1))}, {}, "rnn/cell/concat"); };
  const auto dense = [&](Output a, Output w, Output bias) {
    return b.op("BiasAdd", {b.op("MatMul", {a, w}, {}, "rnn/cell/MatMul"), bias}, {}, "rnn/cell/BiasAdd");
  };
  const auto split = [&](Output a, int64_t count) {
    return b.node("Split", {constant(Tensor::scalar<int32_t>(1)), a}, {{"num_split", count}}, "rnn/cell/split");
  };
  const auto op = [&](const char* type, Output a, Output c) { return b.op(type, {a, c}, {}, std::string("rnn/cell/") + type); };
  const auto sigmoid = [&](Output a) { return b.op("Sigmoid", {a}, {}, "rnn/cell/Sigmoid"); };
  const auto tanh = [&](Output a) { return b.op("Tanh", {a}, {}, "rnn/cell/Tanh"); };
  if (cell == "GRUCell") {
    const Output gateKernel = h.variable("rnn/gates/kernel", Shape{kFeatures + kUnits, 2 * kUnits}), gateBias = h.variable("rnn/gates/bias", Shape{2 * kUnits});
    const Output kernel = h.variable("rnn/candidate/kernel", Shape{kFeatures + kUnits, kUnits}), bias = h.variable("rnn/candidate/bias", Shape{kUnits});
    Output state = zeros();
    for (int step = 0; step < kSteps; ++step) {
      const int gates = split(sigmoid(dense(joined({unstack, step}, state), gateKernel, gateBias)), 2);
      const Output candidate = tanh(dense(joined({unstack, step}, op("Mul", {gates, 0}, state)), kernel, bias));
      const Output fresh = op("Mul", op("Sub", constant(Tensor::scalar(1.f)), {gates, 1}), candidate);
      state = op("AddV2", op("Mul", {gates, 1}, state), fresh);
    }
    b.op("Tanh", {state}, {}, "y");
  } else {
    const bool basic = cell == "BasicLSTMCell";
    const Output kernel = h.variable("rnn/kernel", Shape{kFeatures + kUnits, 4 * kUnits}), bias = h.variable("rnn/bias", Shape{4 * kUnits});
    Output c = zeros(), state = zeros();
    for (int step = 0; step < kSteps; ++step) {
      const int gates = split(dense(joined({unstack, step}, state), kernel, bias), 4);
      const char* add = basic ? "Add" : "AddV2";
      const Output forgets = sigmoid(op(add, {gates, 2}, constant(Tensor::scalar(1.f))));
      const Output kept = basic ? op("Mul", c, forgets) : op("Mul", forgets, c);
      const Output enters = sigmoid({gates, 0}), fresh = tanh({gates, 1});
      c = op(add, kept, op("Mul", enters, fresh));
      const Output shown = tanh(c), opens = sigmoid({gates, 3});
      state = basic ? op("Mul", shown, opens) : op("Mul", opens, shown);
    }
    b.op("Tanh", {state}, {}, "y");
  }
  if (!b.ok()) qWarning("%s", b.status().toString().c_str());
  return h.meta;
}

/// "layers.lstm units=4": recurrent layers, without their scopes.
QString recurrentLines(const FoldReport& report) {
  QStringList out;
  for (const QString& line : lines(report).split(u'\n'))
    if (line.contains(QLatin1String("layers.lstm")) || line.contains(QLatin1String("layers.gru"))) out << line.section(u' ', 1);
  return out.join(u'\n');
}

QString textOf(const Error& e) { return q(e.toString()); }

}  // namespace

#define WEFT_GET(name, expression)                                                                \
  auto name##Result = (expression);                                                               \
  QVERIFY2(name##Result.ok(), name##Result.ok() ? "" : qPrintable(textOf(name##Result.error()))); \
  auto name = std::move(*name##Result)

class TestFoldRecurrent : public QObject {
  Q_OBJECT

 private slots:
  void layers_data() {
    QTest::addColumn<QString>("kind");
    QTest::addColumn<QString>("parameters");
    QTest::newRow("lstm, last step") << "layers.lstm"
                                     << "units=4";
    QTest::newRow("lstm, all steps") << "layers.lstm"
                                     << "return_sequences=true units=4";
    QTest::newRow("lstm, forget bias") << "layers.lstm"
                                       << "forget_bias=0.25 units=6";
    QTest::newRow("lstm, forget bias 0") << "layers.lstm"
                                         << "forget_bias=0 units=1";
    QTest::newRow("gru, last step") << "layers.gru"
                                    << "units=4";
    QTest::newRow("gru, all steps") << "layers.gru"
                                    << "return_sequences=true units=1";
    QTest::newRow("loop, last step") << "layers.lstm_loop"
                                     << "units=4";
    QTest::newRow("loop, all steps") << "layers.lstm_loop"
                                     << "forget_bias=0.25 return_sequences=true units=5";
  }

  void theOpsOfALayerBecomeTheLayer_data() { layers_data(); }
  void theOpsOfALayerBecomeTheLayer() {
    QFETCH(QString, kind);
    QFETCH(QString, parameters);
    WEFT_GET(document, network(kind.toStdString(), attrsOf(parameters)));
    WEFT_GET(plain, exported(document));
    const Folded folded = foldOf(plain);
    QVERIFY2(folded.status.ok(), folded.status.toString().c_str());
    QVERIFY2(lines(folded.report) == QStringLiteral("rnn %1 %2\nhead layers.layer_norm").arg(kind, parameters),
             qPrintable(lines(folded.report) + u'\n' + reasons(folded.report)));
    for (const FoldProposal& p : folded.report.proposals) QVERIFY(p.moved.empty());
    QCOMPARE(structureOf(folded.meta), structureOf(plain));
    const Recipe was = recipesOf(document)[0], now = recipesOf(folded.meta)[0];
    QCOMPARE(now.inputs, was.inputs);
    QCOMPARE(now.outputs, was.outputs);
    const std::string out = recipesOf(document)[1].outputs[0];
    WEFT_GET(before, outputOf(plain, out, true));
    WEFT_GET(after, outputOf(folded.meta, out, true));
    QVERIFY(before == after);
    // It can be edited, and it is built as the document's layer would be.
    MetaGraph changed = folded.meta, original = document;
    for (MetaGraph* meta : {&changed, &original}) QVERIFY(setParameter(*meta, "rnn", "units", "7").ok());
    const Folded again = foldOf(changed);
    QCOMPARE(lines(again.report), QString());
    WEFT_GET(edited, outputOf(changed, recipesOf(changed)[1].outputs[0], true));
    WEFT_GET(wanted, outputOf(original, recipesOf(original)[1].outputs[0], true));
    QVERIFY(edited == wanted);
  }

  void frozenLayersComputeTheSame_data() { layers_data(); }
  void frozenLayersComputeTheSame() {
    QFETCH(QString, kind);
    QFETCH(QString, parameters);
    WEFT_GET(document, network(kind.toStdString(), attrsOf(parameters)));
    WEFT_GET(plain, frozen(document));
    QVERIFY(variablesOf(plain).empty());
    const Folded folded = foldOf(plain);
    QVERIFY2(folded.status.ok(), folded.status.toString().c_str());
    QVERIFY2(lines(folded.report) == QStringLiteral("rnn %1 %2\nhead layers.layer_norm").arg(kind, parameters),
             qPrintable(lines(folded.report) + u'\n' + reasons(folded.report)));
    QCOMPARE(variablesOf(folded.meta), variablesOf(document));
    const std::string out = recipesOf(document)[1].outputs[0];
    WEFT_GET(before, outputOf(plain, out, false));
    WEFT_GET(after, outputOf(folded.meta, out, false));
    QVERIFY(before == after);
  }

  void tensorflowsCellsAreLayers_data() {
    QTest::addColumn<QString>("cell");
    QTest::addColumn<int>("batch");
    QTest::addColumn<QString>("layer");
    QTest::newRow("BasicLSTMCell") << "BasicLSTMCell" << -1 << "layers.lstm units=4";
    QTest::newRow("BasicLSTMCell, known batch") << "BasicLSTMCell" << 2 << "layers.lstm units=4";
    QTest::newRow("LSTMCell") << "LSTMCell" << -1 << "layers.lstm units=4";
    QTest::newRow("GRUCell") << "GRUCell" << -1 << "layers.gru units=4";
    QTest::newRow("GRUCell, known batch") << "GRUCell" << 2 << "layers.gru units=4";
  }
  void tensorflowsCellsAreLayers() {
    QFETCH(QString, cell);
    QFETCH(int, batch);
    QFETCH(QString, layer);
    const MetaGraph plain = ofTensorFlow(cell.toStdString(), batch, batch);
    const Folded folded = foldOf(plain);
    QVERIFY2(folded.status.ok(), folded.status.toString().c_str());
    QVERIFY2(recurrentLines(folded.report) == layer, qPrintable(lines(folded.report) + u'\n' + reasons(folded.report)));
    QCOMPARE(structureOf(folded.meta), structureOf(plain));
    WEFT_GET(before, outputOf(plain, "y:0", true));
    WEFT_GET(after, outputOf(folded.meta, "y:0", true));
    QVERIFY(before == after);
    // Built again by the layer, it computes the same with the same weights.
    MetaGraph changed = folded.meta;
    const std::string scope = folded.report.proposals[0].scope;
    QVERIFY(setParameter(changed, scope, "return_sequences", "true").ok());
    QVERIFY(setParameter(changed, scope, "return_sequences", "false").ok());
    QCOMPARE(variablesOf(changed), variablesOf(plain));
    WEFT_GET(again, outputOf(changed, "y:0", true));
    QVERIFY(before == again);
  }

  void cellsWhoseStepsAreReadStay() {
    MetaGraph meta = ofTensorFlow("BasicLSTMCell", -1);
    const Node* inner = nullptr;  // the output of a step that is not the last
    for (int id = 0; id < meta.graph.size(); ++id)
      if (const Node* n = meta.graph.node(id); n && n->name == "rnn/cell/Mul_5") inner = n;
    QVERIFY(inner);
    GraphBuilder(meta).op("Tanh", {{inner->id, 0}}, {}, "next");
    const Folded stacked = foldOf(meta);
    QCOMPARE(lines(stacked.report), QString());
    QVERIFY2(reasons(stacked.report).contains(QLatin1String("rnn/cell/Mul_5: is read by next, and of this layer only the output can be")),
             qPrintable(reasons(stacked.report)));
  }

  void gradientsMayReadTheSteps() {
    MetaGraph meta = ofTensorFlow("GRUCell", -1);
    {
      GraphBuilder b(meta);
      const Output loss = b.op("Sum", {*meta.graph.findOutput("y:0"), b.ints({0, 1})}, {}, "loss");
      const Output weights = *meta.graph.findOutput("rnn/candidate/kernel:0");
      const auto gradients = addGradients(b, {loss}, {weights});
      QVERIFY(gradients.ok());
      b.node("ApplyGradientDescent", {weights, b.scalar(0.1f), (*gradients)[0].dense}, {}, "train");
      QVERIFY2(b.ok(), qPrintable(QString::fromStdString(b.status().toString())));
    }
    const FoldReport report = foldOf(meta).report;
    QVERIFY2(recurrentLines(report) == QLatin1String("layers.gru units=4"), qPrintable(reasons(report)));
  }

  void constantsOfEachStepAreNoSharedWeights() {
    WEFT_GET(document, network("layers.lstm", {{"units", "4"}}));
    WEFT_GET(plain, frozen(document));
    // The last step has weights of its own, if with the same values.
    const int product = plain.graph.find("rnn/cell_4/MatMul")->id;
    Output copy;
    {
      GraphBuilder b(plain);
      copy = b.op("Const", {}, {{"value", waves(Shape{kFeatures + 4, 16}, 0.5f)}, {"dtype", DType::Float}}, "copy");
    }
    QVERIFY(plain.graph.change(product, [&](Node& n) { n.inputs[1] = copy; }).ok());
    QCOMPARE(recurrentLines(foldOf(plain).report), QString());
  }

  void cellsWithOtherStatesStay() {
    const Folded two = foldOf(ofTensorFlow("BasicLSTMCell", -1, 2));
    QCOMPARE(recurrentLines(two.report), QString());
    QVERIFY2(reasons(two.report).contains(QLatin1String("is not known to have the layer's shape: the rows of its input, and 4 columns")),
             qPrintable(reasons(two.report)));
  }

  void whatIsAlmostALayerStays_data() {
    QTest::addColumn<QString>("kind");
    QTest::addColumn<QString>("node");    // that is changed
    QTest::addColumn<QString>("change");  // op=OP, input K=TENSOR or an attribute
    QTest::addColumn<QString>("reason");
    const auto row = [](const char* title, const char* kind, const char* node, const char* change, const char* reason) {
      QTest::newRow(title) << kind << node << change << reason;
    };
    row("another activation in one step", "layers.lstm", "rnn/cell_2/Tanh", "op=Relu", "rnn/cell_2/Tanh: is Relu, the layer has Tanh");
    row("another activation in the last step", "layers.lstm", "rnn/cell_4/Tanh_1", "op=Relu", "rnn/cell_4/Tanh_1: is Relu, the layer has Tanh");
    row("gates in another order", "layers.lstm", "rnn/cell/Sigmoid", "0=rnn/cell/split:1", "rnn/cell/split: is read at another output than the layer's");
    row("steps in another order", "layers.lstm", "rnn/cell_3/concat", "0=rnn/unstack:1", "rnn/unstack: is read at another output than the layer's");
    row("another state", "layers.lstm", "rnn/cell_1/Mul", "0=rnn/zero_state:0", "rnn/zero_state: is Fill, the layer has Add");
    row("a state that is not 0", "layers.lstm", "rnn/zero_state/Const", "value=0.5",
        "rnn/zero_state/Const: value is float32 [] 0.5, the layer has float32 [] 0");
    row("a transposed kernel", "layers.lstm", "rnn/cell_4/MatMul", "transpose_a=true", "rnn/cell_4/MatMul: transpose_a is true, the layer has false");
    row("a state without its reset", "layers.gru", "rnn/cell_1/concat_1", "1=rnn/cell/Add:0", "rnn/cell/Add: is Add, the layer has Mul");
    row("no forget bias", "layers.lstm_loop", "rnn/while/Sigmoid", "0=rnn/while/split:2", "rnn/while/split: is read at another output than the layer's");
    row("fewer iterations at once", "layers.lstm_loop", "rnn/while/Enter", "parallel_iterations=3",
        "rnn/while/Enter: parallel_iterations is 3, the layer has 10");
  }
  void whatIsAlmostALayerStays() {
    QFETCH(QString, kind);
    QFETCH(QString, node);
    QFETCH(QString, change);
    QFETCH(QString, reason);
    WEFT_GET(document, network(kind.toStdString(), {{"units", "4"}}));
    WEFT_GET(plain, exported(document));
    std::vector<Error> problems;
    GraphEditor editor(plain, problems);
    const Node* n = plain.graph.find(node.toStdString());
    QVERIFY2(n, qPrintable(node));
    const std::string key = change.section(u'=', 0, 0).toStdString(), value = change.section(u'=', 1).toStdString();
    const Status done = plain.graph.change(n->id, [&](Node& changed) {
      if (key == "op") changed.op = value;
      else if (std::isdigit(uint8_t(key[0]))) changed.inputs[size_t(std::stoi(key))] = *plain.graph.findOutput(value);
      else if (key == "value") changed.attrs.set("value", Tensor::scalar(std::stof(value)));
      else if (key == "parallel_iterations") changed.attrs.set(key, int64_t(std::stoi(value)));
      else changed.attrs.set(key, value == "true");
    });
    QVERIFY(done.ok());
    const Folded folded = foldOf(plain);
    QCOMPARE(lines(folded.report), QStringLiteral("head layers.layer_norm"));
    QCOMPARE(reasons(folded.report), "rnn/output: " + reason);
  }
};

QTEST_GUILESS_MAIN(TestFoldRecurrent)
#include "tst_fold_recurrent.moc"
