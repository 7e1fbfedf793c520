#include <QElapsedTimer>
#include <QTest>
#include <algorithm>
#include <tuple>

#include "flatbuffers/flexbuffers.h"
#include "io/tflite/model_generated.h"
#include "io/tflite_fixtures.h"
#include "weft/builder.h"
#include "weft/saved_model.h"

using namespace weft;
using namespace weft::tflite_fixtures;

namespace {

/// A model that is put together table by table; it may be one that no converter writes.
struct ModelMaker {
  flatbuffers::FlatBufferBuilder fbb;
  std::vector<flatbuffers::Offset<tfl::Tensor>> tensors;
  std::vector<flatbuffers::Offset<tfl::Operator>> operators;
  std::vector<flatbuffers::Offset<tfl::OperatorCode>> codes;
  std::vector<flatbuffers::Offset<tfl::Buffer>> buffers;

  ModelMaker() { buffers.push_back(tfl::CreateBuffer(fbb)); }
  uint32_t zeros(size_t bytes) { return stored(std::vector<uint8_t>(bytes)); }
  uint32_t stored(const std::vector<uint8_t>& bytes) {
    fbb.ForceVectorAlignment(bytes.size(), 1, 16);
    const auto data = fbb.CreateVector(bytes);
    buffers.push_back(tfl::CreateBuffer(fbb, data));
    return uint32_t(buffers.size()) - 1;
  }
  int tensor(const std::string& name, const std::vector<int32_t>& shape, uint32_t buffer = 0, bool isVariable = false) {
    tensors.push_back(tfl::CreateTensorDirect(fbb, &shape, tfl::TensorType::FLOAT32, buffer, name.c_str(), 0, isVariable));
    return int(tensors.size()) - 1;
  }
  /// Gives the last tensor a type and a scale; 0: none.
  void quantize(tfl::TensorType type, float scale, const std::vector<int32_t>& shape, const std::string& name, uint32_t buffer = 0) {
    const std::vector<float> scales = {scale};
    const std::vector<int64_t> zeros = {0};
    const auto how = tfl::CreateQuantizationParametersDirect(fbb, nullptr, nullptr, &scales, &zeros);
    tensors.back() = tfl::CreateTensorDirect(fbb, &shape, type, buffer, name.c_str(), how);
  }
  /// Operators all are of one code.
  template <typename T = tfl::AddOptions>
  void add(const std::vector<int>& inputs, int output, flatbuffers::Offset<T> options = {}, const std::vector<uint8_t>* custom = nullptr) {
    const std::vector<int> outputs = {output};
    operators.push_back(tfl::CreateOperatorDirect(
        fbb, 0, &inputs, &outputs, options.IsNull() ? tfl::BuiltinOptions::NONE : tfl::BuiltinOptionsTraits<T>::enum_value, options.Union(), custom));
  }
  std::string bytes(tfl::BuiltinOperator op, const std::vector<int>& inputs, const std::vector<int>& outputs, const char* custom = nullptr) {
    codes.push_back(tfl::CreateOperatorCodeDirect(fbb, int8_t(op), custom, 1, op));
    const std::vector<flatbuffers::Offset<tfl::SubGraph>> graphs = {tfl::CreateSubGraphDirect(fbb, &tensors, &inputs, &outputs, &operators, "main")};
    tfl::FinishModelBuffer(fbb, tfl::CreateModelDirect(fbb, 3, &codes, &graphs, "", &buffers));
    return std::string(reinterpret_cast<const char*>(fbb.GetBufferPointer()), fbb.GetSize());
  }
};

/// A model of one Flex operator that carries a NodeDef.
std::string flexModel(const std::string& op, const std::string& nodeDef) {
  flexbuffers::Builder flex;
  flex.Vector([&] {
    flex.String(op);
    flex.String(nodeDef);
  });
  flex.Finish();
  const std::vector<uint8_t> options = flex.GetBuffer();
  ModelMaker m;
  const int x = m.tensor("x", {4}), y = m.tensor("y", {4});
  m.add({x}, y, {}, &options);
  return m.bytes(tfl::BuiltinOperator::CUSTOM, {x}, {y}, ("Flex" + op).c_str());
}

/// The operators of a model, in order: "ADD 1" for one of version 1.
std::vector<std::string> operatorsOf(const std::string& model) {
  std::vector<std::string> out;
  const tfl::Model* root = tfl::GetModel(model.data());
  for (const tfl::Operator* op : *root->subgraphs()->Get(0)->operators()) {
    const tfl::OperatorCode* code = root->operator_codes()->Get(op->opcode_index());
    out.push_back(std::string(tfl::EnumNameBuiltinOperator(code->builtin_code())) + " " + std::to_string(code->version()));
  }
  return out;
}

/// Writes the graph of a builder as a model.
Result<std::string> exported(GraphBuilder& b, const ModelExport& what) {
  WEFT_TRY(b.status());
  WEFT_LET(const std::string graph, serializeGraph(b.meta(), GraphFormat::MetaBinary));
  return graphToTflite(graph, what);
}

std::vector<std::string> opsOf(const std::string& metaGraph) {
  const LoadedGraph loaded = graphOf(metaGraph);
  std::vector<std::string> out;
  for (int id = 0; id < loaded.meta.graph.size(); ++id)
    if (const Node* n = loaded.meta.graph.node(id)) out.push_back(n->op);
  std::sort(out.begin(), out.end());
  return out;
}

/// Runs a model whose only input is `x`.
Result<std::vector<Tensor>> runIntegers(const std::string& model, const std::vector<int32_t>& x) {
  WEFT_LET(const ImportedModel made, tfliteToGraph(model));
  const LoadedGraph loaded = graphOf(*made.serialized());
  WEFT_LET(const auto session, Session::create(loaded.meta.graph));
  WEFT_LET(const auto signatures, signaturesOf(*made.serialized()));
  return session->run({{"x:0", Tensor::vector(x)}}, {signatures.at(0).outputs.at(0).second});
}

using Texts = std::vector<std::string>;

}  // namespace

/// What is in written models, operator by operator; and models that no converter writes.
class TfliteModelsTest : public QObject {
  Q_OBJECT

 private slots:
  void fedConstantsAreNotComputedWith() {
    MetaGraph meta;
    GraphBuilder b(meta);
    const Output n = b.ints({4, 4}, "n");
    b.op("Fill", {b.op("AddV2", {n, b.ints({1, 2})}, {}, "sum"), b.scalar(2.f)}, {}, "filled");
    b.op("Reshape", {b.placeholder(DType::Float, Shape{2, 8}, "x"), n}, {}, "reshaped");
    const auto fed = exported(b, {{"n:0"}, {"filled:0"}});
    QVERIFY2(fed.ok(), fed.ok() ? "" : fed.error().toString().c_str());
    QCOMPARE(operatorsOf(*fed), (Texts{"ADD 1", "FILL 1"}));
    const auto reshaped = exported(b, {{"x:0", "n:0"}, {"reshaped:0"}});
    QVERIFY2(reshaped.ok(), reshaped.ok() ? "" : reshaped.error().toString().c_str());
    const tfl::SubGraph* graph = tfl::GetModel(reshaped->data())->subgraphs()->Get(0);
    QCOMPARE(graph->operators()->Get(0)->inputs()->Get(1), graph->inputs()->Get(1));
    const auto constant = exported(b, {{"x:0"}, {"filled:0", "reshaped:0"}});
    QVERIFY2(constant.ok(), constant.ok() ? "" : constant.error().toString().c_str());
    Texts left = operatorsOf(*constant);
    std::sort(left.begin(), left.end());
    QCOMPARE(left, (Texts{"FILL 1", "RESHAPE 1"}));
  }

  /// 32-bit integers with a scale of 1/2 become 16-bit ones with a scale of 1/4.
  void quantizedIntegersKeepTheirScale() {
    ModelMaker m;
    const int x = m.tensor("x", {3});
    m.quantize(tfl::TensorType::INT32, 0.5f, {3}, "x");
    const int y = m.tensor("y", {3});
    m.quantize(tfl::TensorType::INT16, 0.25f, {3}, "y");
    m.add({x}, y);
    const auto run = runIntegers(m.bytes(tfl::BuiltinOperator::QUANTIZE, {x}, {y}), {1, -7, 100'000});
    QVERIFY2(run.ok(), run.ok() ? "" : run.error().toString().c_str());
    QCOMPARE((*run)[0].dtype(), DType::Int16);
    QCOMPARE((*run)[0].asInt(0), 2);
    QCOMPARE((*run)[0].asInt(1), -14);
    QCOMPARE((*run)[0].asInt(2), 32767);
  }

  /// The place is moved so that the update fits: from column 9 to 1.
  void updatesOfSlicesStayInside() {
    ModelMaker m;
    const int x = m.tensor("x", {2, 3}), update = m.tensor("update", {1, 2}, m.zeros(8)), at = m.tensor("at", {2}), y = m.tensor("y", {2, 3});
    m.tensors.pop_back();
    m.quantize(tfl::TensorType::INT32, 0, {2}, "at", m.stored({1, 0, 0, 0, 9, 0, 0, 0}));
    (void)m.tensor("y", {2, 3});
    m.add({x, update, at}, y);
    const auto run = runModel(m.bytes(tfl::BuiltinOperator::DYNAMIC_UPDATE_SLICE, {x}, {y}), {1, 2, 3, 4, 5, 6});
    QVERIFY2(run.ok(), run.ok() ? "" : run.error().toString().c_str());
    for (const auto& [i, expected] : {std::pair(0, 1.0), {2, 3.0}, {3, 4.0}, {4, 0.0}, {5, 0.0}}) QCOMPARE((*run)[0].asDouble(i), expected);
  }

  void biasesOfHigherRankAreNotMerged() {
    for (const auto& [bias, operators, rank] :
         {std::tuple(Shape{1, 1, 4}, Texts{"FULLY_CONNECTED 1", "ADD 1"}, 3), {Shape{1, 4}, Texts{"FULLY_CONNECTED 1"}, 2}}) {
      MetaGraph meta;
      GraphBuilder b(meta);
      const Output product = b.op("MatMul", {b.placeholder(DType::Float, Shape{2, 3}, "x"), b.constant(Tensor::of(std::vector<float>(12, 1), {3, 4}))});
      b.op("AddV2", {product, b.constant(Tensor::of(std::vector<float>{1, 2, 3, 4}, bias))}, {}, "y");
      const auto written = exported(b, {{"x:0"}, {"y:0"}});
      QVERIFY2(written.ok(), written.ok() ? "" : written.error().toString().c_str());
      QCOMPARE(operatorsOf(*written), operators);
      const auto run = runModel(*written, {1, 1, 1, 1, 1, 1});
      QVERIFY2(run.ok(), run.ok() ? "" : run.error().toString().c_str());
      QCOMPARE((*run)[0].rank(), rank);
      QCOMPARE((*run)[0].asDouble(3), 7.0);
    }
  }

  void longChainsOfIdentitiesAreWritten() {
    constexpr int kLength = 200'000;
    Graph graph;
    const auto add = [&](Node n) {
      n.outputTypes = {DType::Float};
      n.outputShapes = {Shape{2}};
      if (graph.size()) {
        n.inputs = {{graph.size() - 1, 0}};
        n.inputTypes = {DType::Float};
      }
      n.attrs.set(n.op == "Placeholder" ? "dtype" : "T", DType::Float);
      if (n.op == "Placeholder") n.attrs.set("shape", Shape{2});
      QVERIFY(graph.add(std::move(n)).ok());
    };
    const auto node = [](const char* op, std::string name) {
      Node n;
      n.op = op;
      n.name = std::move(name);
      return n;
    };
    add(node("Placeholder", "x"));
    for (int i = 0; i < kLength; ++i) add(node("Identity", "i" + std::to_string(i)));
    add(node("Tanh", "y"));
    MetaGraph meta;
    meta.graph = std::move(graph);
    const auto written = graphToTflite(*serializeGraph(meta, GraphFormat::GraphBinary), {{"x:0"}, {"y:0"}});
    QVERIFY2(written.ok(), written.ok() ? "" : written.error().toString().c_str());
    QCOMPARE(operatorsOf(*written), Texts{"TANH 1"});
  }

  void operatorsHaveVersionsThatInterpretersKnow() {
    MetaGraph meta;
    GraphBuilder b(meta);
    b.op("BroadcastTo", {b.placeholder(DType::Float, Shape{2, 3}, "x"), b.ints({4, 2, 3})}, {}, "y");
    const auto written = exported(b, {});
    QVERIFY2(written.ok(), written.ok() ? "" : written.error().toString().c_str());
    QCOMPARE(operatorsOf(*written), Texts{"BROADCAST_TO 2"});
  }

  void inputsOfUnknownRankAreRefused() {
    MetaGraph meta;
    GraphBuilder b(meta);
    b.op("Tanh", {b.placeholder(DType::Float, Shape::unknown(), "x")}, {}, "y");
    const auto written = exported(b, {});
    QVERIFY(!written.ok());
    QCOMPARE(written.error().message, std::string("the input 'x:0' has no known number of dimensions; give its placeholder a shape"));
  }

  void smallFilesDoNotNeedMuchMemory_data() {
    QTest::addColumn<QByteArray>("bytes");
    ModelMaker states;
    std::vector<int> all;
    for (int i = 0; i < 300; ++i) all.push_back(states.tensor("v" + std::to_string(i), {1 << 24}, 0, true));
    const int sum = states.tensor("y", {1});
    states.add(all, sum);
    QTest::newRow("states") << QByteArray::fromStdString(states.bytes(tfl::BuiltinOperator::CUSTOM, {}, {sum}, "Foo"));
    ModelMaker lstms;
    constexpr int kCells = 512, kLayers = 400;
    const int x = lstms.tensor("x", {1, kCells}), w = lstms.tensor("w", {kCells, kCells}, lstms.zeros(4 * kCells * kCells));
    const int bias = lstms.tensor("b", {kCells}, lstms.zeros(4 * kCells));
    const int h = lstms.tensor("h", {1, kCells}, 0, true), c = lstms.tensor("c", {1, kCells}, 0, true);
    for (int i = 0; i < kLayers; ++i)
      lstms.add({x, w, w, w, w, w, w, w, w, -1, -1, -1, bias, bias, bias, bias, -1, -1, h, c}, lstms.tensor("y" + std::to_string(i), {1, kCells}),
                tfl::CreateLSTMOptions(lstms.fbb, tfl::Activation::TANH));
    QTest::newRow("LSTMs of one buffer") << QByteArray::fromStdString(lstms.bytes(tfl::BuiltinOperator::LSTM, {x}, {c + kLayers}));
  }
  void smallFilesDoNotNeedMuchMemory() {
    QFETCH(QByteArray, bytes);
    const auto model = tfliteToGraph(std::string_view(bytes.constData(), size_t(bytes.size())));
    QVERIFY(!model.ok());
    QCOMPARE(model.error().code, Code::ResourceExhausted);
    QVERIFY2(model.error().message.find("constants and states") != std::string::npos, model.error().message.c_str());
  }

  void flexNodesThatCannotBeMadeStay_data() {
    QTest::addColumn<QString>("op");
    QTest::addColumn<QByteArray>("nodeDef");
    QTest::addColumn<QString>("kept");
    QTest::addColumn<QString>("why");
    // NodeDef: name, op, then entries of the map of attributes.
    QTest::newRow("a node that can be made") << "Relu" << QByteArray("\x0a\x01q\x12\x04Relu") << "Relu"
                                             << "";
    QTest::newRow("an unknown op") << "NobodyKnows" << QByteArray("\x0a\x01q\x12\x0bNobodyKnows") << "FlexNobodyKnows"
                                   << "not registered";
    // A tensor of 3 floats in 2 bytes.
    const char damaged[] = "\x0a\x01q\x12\x04Relu\x2a\x13\x0a\x01v\x12\x0e\x42\x0c\x08\x01\x12\x04\x12\x02\x08\x03\x22\x02zz";
    QTest::newRow("a damaged attribute") << "Relu" << QByteArray(damaged, sizeof damaged - 1) << "FlexRelu"
                                         << "its attribute 'v' cannot be read";
    QTest::newRow("too few inputs") << "AddV2"
                                    << QByteArray(
                                           "\x0a\x01q\x12\x05"
                                           "AddV2")
                                    << "FlexAddV2"
                                    << "input";
    QTest::newRow("no node") << "Relu" << QByteArray("\xff\xff") << "FlexRelu"
                             << "its node cannot be read";
  }
  void flexNodesThatCannotBeMadeStay() {
    QFETCH(QString, op);
    QFETCH(QByteArray, nodeDef);
    QFETCH(QString, kept);
    QFETCH(QString, why);
    const auto model = tfliteToGraph(flexModel(op.toStdString(), nodeDef.toStdString()));
    QVERIFY2(model.ok(), model.ok() ? "" : model.error().toString().c_str());
    Texts expected{kept.toStdString(), "Placeholder"};
    std::sort(expected.begin(), expected.end());
    QCOMPARE(opsOf(*model->serialized()), expected);
    QCOMPARE(model->warnings.empty(), why.isEmpty());
    if (!why.isEmpty()) QVERIFY2(model->warnings[0].find(why.toStdString()) != std::string::npos, model->warnings[0].c_str());
  }

  void operatorsWithUnknownActivationsStay() {
    ModelMaker m;
    const int x = m.tensor("x", {1}), y = m.tensor("y", {1});
    m.add({x, x}, y, tfl::CreateAddOptions(m.fbb, tfl::Activation::SIGN_BIT));
    const auto model = tfliteToGraph(m.bytes(tfl::BuiltinOperator::ADD, {x}, {y}));
    QVERIFY2(model.ok(), model.ok() ? "" : model.error().toString().c_str());
    // Nothing is left of the addition that could not be finished.
    QCOMPARE(opsOf(*model->serialized()), (Texts{"ADD", "Placeholder"}));
    QVERIFY(model->warnings.size() == 1 && model->warnings[0].find("the fused activation 5") != std::string::npos);
  }

  void customOperatorsAreNotOpsOfTheSameName() {
    ModelMaker m;
    const int x = m.tensor("x", {1}), y = m.tensor("y", {1});
    m.add({x}, y);
    const auto model = tfliteToGraph(m.bytes(tfl::BuiltinOperator::CUSTOM, {x}, {y}, "Relu"));
    QVERIFY2(model.ok(), model.ok() ? "" : model.error().toString().c_str());
    QCOMPARE(opsOf(*model->serialized()), (Texts{"CustomRelu", "Placeholder"}));
    QVERIFY2(model->warnings.size() == 1 && model->warnings[0].find("operator Relu ") != std::string::npos, model->warnings[0].c_str());
  }

  void manyOperatorsThatStayAreReadQuickly_data() {
    QTest::addColumn<int>("op");
    QTest::newRow("unknown operators") << int(tfl::BuiltinOperator::CUSTOM);
    QTest::newRow("unknown activations") << int(tfl::BuiltinOperator::ADD);
  }
  void manyOperatorsThatStayAreReadQuickly() {
    QFETCH(int, op);
    constexpr int kLength = 10'000;
    ModelMaker m;
    m.tensor("t0", {1});
    for (int i = 0; i < kLength; ++i) m.add({i, i}, m.tensor("t" + std::to_string(i + 1), {1}), tfl::CreateAddOptions(m.fbb, tfl::Activation::SIGN_BIT));
    const std::string bytes = m.bytes(tfl::BuiltinOperator(op), {0}, {kLength}, "Foo");
    QElapsedTimer took;
    took.start();
    const auto model = tfliteToGraph(bytes);
    QVERIFY2(model.ok(), model.ok() ? "" : model.error().toString().c_str());
    // About half a second; a minute if each operator looked through all nodes.
    QVERIFY2(took.elapsed() < 8'000, qPrintable(QString::number(took.elapsed())));
    QCOMPARE(int(opsOf(*model->serialized()).size()), kLength + 1);
  }

  void whatOthersReadOutlivesAnOperatorThatStays() {
    ModelMaker m;
    const int x = m.tensor("x", {1}), w = m.tensor("w", {1}, m.zeros(4)), y = m.tensor("y", {1}), z = m.tensor("z", {1});
    m.add({x, w}, y, tfl::CreateAddOptions(m.fbb, tfl::Activation::SIGN_BIT));
    m.add({x, w}, z, tfl::CreateAddOptions(m.fbb, tfl::Activation::NONE));
    const auto model = tfliteToGraph(m.bytes(tfl::BuiltinOperator::ADD, {x}, {y, z}));
    QVERIFY2(model.ok(), model.ok() ? "" : model.error().toString().c_str());
    QCOMPARE(opsOf(*model->serialized()), (Texts{"ADD", "AddV2", "Const", "Placeholder"}));
    const LoadedGraph loaded = graphOf(*model->serialized());
    const Node* sum = loaded.meta.graph.find("z");
    QVERIFY(sum);
    QCOMPARE(loaded.meta.graph.tensorName(sum->inputs[0]), std::string("x:0"));
    QCOMPARE(loaded.meta.graph.tensorName(sum->inputs[1]), std::string("w:0"));
  }
};

QTEST_GUILESS_MAIN(TfliteModelsTest)
#include "tst_tflite_models.moc"
