#include <QDir>
#include <QElapsedTimer>
#include <QTemporaryDir>
#include <QTest>
#include <ctime>
#include <random>

#include "memory_files.h"
#include "onnx_models.h"
#include "weft/file_kinds.h"
#include "weft/inspect.h"

using namespace onnx_models;

namespace {

Result<ImportedModel> importedFrom(const std::string& path) { return onnxToGraph(bytesOf(path), kFolder); }

Result<LoadedGraph> graphOf(const ImportedModel& model) { return loadGraphBytes(std::make_shared<const std::string>(*model.serialized()), "m"); }

const Node* nodeOfOp(const LoadedGraph& loaded, const std::string& op) {
  for (int id = 0; id < loaded.meta.graph.size(); ++id)
    if (const Node* n = loaded.meta.graph.node(id); n && n->op == op) return n;
  return nullptr;
}

/// Whether bytes are whole fields of a model, the graph among them.
bool endsAfterGraph(std::string_view bytes) {
  bool graph = false;
  size_t at = 0;
  const auto next = [&] {
    uint64_t value = 0;
    for (int shift = 0; at < bytes.size(); shift += 7) {
      const auto byte = uint8_t(bytes[at++]);
      value |= uint64_t(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
    at = bytes.size() + 1;
    return value;
  };
  while (at < bytes.size()) {
    const uint64_t tag = next();
    graph = graph || tag >> 3 == 7;
    const uint64_t value = next();
    if ((tag & 7) == 2) at += value;
  }
  return graph && at == bytes.size();
}

/// Reads damaged bytes in every way; an error must be one line, and nothing may take long.
QString survives(const std::string& bytes) {
  QElapsedTimer timer;
  timer.start();
  const auto graph = onnxToGraph(bytes, "");
  if (!graph.ok() && (graph.error().message.empty() || graph.error().message.find('\n') != std::string::npos))
    return QString::fromStdString("no one line: " + graph.error().message);
  MemoryFiles files;
  files.files["m.onnx"] = std::make_shared<std::string>(bytes);
  InspectOptions options;
  options.files = &files;
  const Inspection found = inspectPath("m.onnx", options);
  if (!found.status.ok() && found.status.error().message.empty()) return QStringLiteral("inspect fails without a message");
  return timer.elapsed() < 2000 ? QString() : QStringLiteral("%1 ms").arg(timer.elapsed());
}

}  // namespace

/// ONNX models; expected values were computed by ONNX Runtime.
class TstOnnx : public QObject {
  Q_OBJECT

 private slots:
  void modelsComputeWhatOnnxRuntimeDoes_data() {
    QTest::addColumn<QString>("name");
    for (const QString& file : QDir(QString::fromStdString(kFolder)).entryList({QStringLiteral("*.onnx")}))
      QTest::newRow(qPrintable(file.chopped(5))) << file.chopped(5);
  }
  void modelsComputeWhatOnnxRuntimeDoes() {
    QFETCH(QString, name);
    const std::string path = kFolder + name.toStdString();
    const auto model = importedFrom(path + ".onnx");
    QVERIFY2(model.ok(), model.ok() ? "" : model.error().toString().c_str());
    QVERIFY2(model->warnings.empty(), model->warnings.empty() ? "" : model->warnings[0].c_str());
    const QString difference = compare(*model->serialized(), arraysOf(path + ".npz"));
    QVERIFY2(difference.isEmpty(), qPrintable(difference));
  }

  void anOpWithoutCounterpartStays() {
    const auto model = onnxToGraph(modelOf(nodeOf("TfIdfVectorizer")), "");
    QVERIFY(model.ok());
    QCOMPARE(model->warnings.size(), size_t(1));
    QCOMPARE(QString::fromStdString(model->warnings[0]),
             QStringLiteral("Node 'the node' (TfIdfVectorizer) cannot run: the op has no counterpart in TensorFlow."));
    const auto loaded = loadGraphBytes(std::make_shared<const std::string>(*model->serialized()), "m");
    QVERIFY(loaded.ok());
    const Node* node = loaded->meta.graph.find("the_node");
    QVERIFY(node);
    QCOMPARE(QString::fromStdString(node->op), QStringLiteral("TfIdfVectorizer"));
  }

  /// The test data of models: TensorProto messages, which begin with a number as SavedModels do.
  void aTensorInAFileIsAnArray() {
    MemoryFiles files;
    const std::string halves("\0\0\0\x3f\0\0\0\xbf", 8);
    files.files["input_0.pb"] = std::make_shared<std::string>(number(1, 2) + number(2, 1) + field(8, "x") + field(9, halves));
    files.files["cut.pb"] = std::make_shared<std::string>(number(1, 3) + number(2, 1) + field(9, halves));
    files.files["tfhub_module.pb"] = std::make_shared<std::string>(number(1, 3));
    files.files["saved_model.pb"] = std::make_shared<std::string>(number(1, 1));
    const auto arrays = readArrays("input_0.pb", nullptr, &files);
    QVERIFY2(arrays.ok(), arrays.ok() ? "" : arrays.error().toString().c_str());
    QCOMPARE(arrays->at(0).second.asDouble(1), -0.5);
    InspectOptions options;
    options.files = &files;
    QCOMPARE(inspectPath("input_0.pb", options).kind, std::string("onnx_tensor"));
    QCOMPARE(QString::fromStdString(inspectPath("cut.pb", options).status.error().message),
             QStringLiteral("tensor '' has 8 bytes; expected 12 for [3] of float32"));
    QCOMPARE(inspectPath("tfhub_module.pb", options).kind, std::string());
    QCOMPARE(inspectPath("saved_model.pb", options).kind, std::string("savedmodel"));
  }

  /// TensorFlow's Unique gives other values than ONNX's.
  void anOpOfTheSameNameIsNotTakenForTensorFlows() {
    const auto model = onnxToGraph(modelOf(nodeOf("Unique")), "");
    QVERIFY(model.ok());
    const auto loaded = loadGraphBytes(std::make_shared<const std::string>(*model->serialized()), "m");
    QCOMPARE(QString::fromStdString(loaded->meta.graph.find("the_node")->op), QStringLiteral("OnnxUnique"));
  }

  /// What reads it cannot run, but the graph can be seen.
  void aTensorOfATypeThatGraphsLackStays() {
    const auto model = onnxToGraph(modelOf(nodeOf("Add", "w"), field(5, number(1, 2) + number(2, 17) + field(8, "w") + field(9, "ab"))), "");
    QVERIFY2(model.ok(), model.ok() ? "" : model.error().message.c_str());
    QCOMPARE(model->warnings.size(), size_t(2));
    QCOMPARE(QString::fromStdString(model->warnings[0]), QStringLiteral("Tensor 'w' is of type float8e4m3fn, which TensorFlow's graphs do not have."));
    QCOMPARE(QString::fromStdString(model->warnings[1]), QStringLiteral("Node 'the node' (Add) cannot run: the type of its input 'w' is not known."));
  }

  void whatCannotBeTranslatedIsNamed_data() {
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QString>("says");
    const auto row = [](const char* name, const std::string& bytes, const char* says) {
      QTest::newRow(name) << QByteArray::fromStdString(bytes) << QString::fromUtf8(says);
    };
    const auto reads = [](const std::string& input, const std::string& node) { return field(1, input) + node; };
    row("a dimension named twice", modelOf(nodeOf("Transpose", "", attribute("perm", {1, 1})), ModelParts{{2, 2}, {}, 17, {}}),
        "its perm is [1,1]; expected each of 2 dimensions once");
    row("dimensions that a constant lacks",
        modelOf(field(1, "w") + field(2, "y") + field(3, "the node") + field(4, "Transpose") + attribute("perm", {7, 0}), initializer("w", 6, {1, 2})),
        "its perm is [7,0]; expected each of 1 dimensions once");
    row("pads that are texts", modelOf(nodeOf("Pad", "p"), field(5, number(1, 2) + number(2, 8) + field(8, "p") + field(6, "a") + field(6, "b"))),
        "its input 1 is of type string; expected integers");
    row("pads that are no whole numbers", modelOf(nodeOf("Pad", "p"), field(5, number(1, 2) + number(2, 1) + field(8, "p") + field(9, std::string(8, '\0')))),
        "its input 1 is of type float32; expected integers");
    row("a pad that is too large", modelOf(nodeOf("Pad", "p"), initializer("p", 7, {(int64_t(1) << 32) + 1, 0})),
        "a pad of 4294967297; expected a 32-bit integer");
    row("a split into nothing", modelOf(field(1, "x") + field(3, "the node") + field(4, "Split"), field(1, field(1, "x") + field(2, "y") + field(4, "Relu"))),
        "it has no outputs");
    row("large whole numbers", modelOf(reads("w", nodeOf("Pow")), initializer("w", 13, {1, 2})), "powers of uint64 by another type");
  }
  void whatCannotBeTranslatedIsNamed() {
    QFETCH(QByteArray, bytes);
    QFETCH(QString, says);
    const auto model = onnxToGraph(bytes.toStdString(), "");
    QVERIFY2(model.ok(), model.ok() ? "" : model.error().message.c_str());
    QCOMPARE(model->warnings.size(), size_t(1));
    QVERIFY2(QString::fromStdString(model->warnings[0]).endsWith(") cannot run: " + says + "."), model->warnings[0].c_str());
  }

  void aScalarIsTheOnlyOneOfItsClass() {
    for (const auto& [op, want] : {std::pair("Softmax", 1.f), {"LogSoftmax", 0.f}, {"Hardmax", 1.f}}) {
      const auto model = onnxToGraph(modelOf(nodeOf(op), ModelParts{{}, {}, 17, {}}), "");
      QVERIFY2(model.ok() && model->warnings.empty(), op);
      const QString difference = compare(*model->serialized(), {{"in/x", Tensor::scalar(3.f)}, {"out/y", Tensor::scalar(want)}});
      QVERIFY2(difference.isEmpty(), qPrintable(difference));
    }
  }

  /// Each of these pools takes 64 MiB of zeros.
  void aSmallModelDoesNotBecomeAHugeGraph() {
    const std::string pool = field(4, "MaxPool") + attribute("kernel_shape", {64, 64}) + attribute("dilations", {2, 2});
    std::string others;
    for (int i = 0; i < 2; ++i) others += field(1, field(1, "x") + field(2, "z" + std::to_string(i)) + pool);
    const auto model = onnxToGraph(modelOf(field(1, "x") + field(2, "y") + pool, ModelParts{{1, 4096, 200, 200}, others, 17, {}}), "");
    QVERIFY(model.ok());
    QCOMPARE(model->warnings.size(), size_t(1));
    QCOMPARE(QString::fromStdString(model->warnings[0]),
             QStringLiteral("Node 'z1' (MaxPool) cannot run: the constants that stand for its ops would take over 128 MiB."));
  }

  /// A model's own constants count, whether they are initializers or nodes; what is taken back does not.
  void theBudgetOfMadeConstantsCountsWhatStays_data() {
    QTest::addColumn<QByteArray>("more");
    QTest::addColumn<int>("warnings");
    // Each EyeLike takes 16 MiB of the 128.
    const std::string eye = field(4, "EyeLike");
    std::string eight;
    for (int i = 0; i < 8; ++i) eight += field(1, field(1, "x") + field(2, "e" + std::to_string(i)) + eye);
    const std::string ninth = field(1, field(1, "x") + field(2, "e8") + eye), zeros(size_t(16) << 20, '\0');
    const std::string tensor = number(1, 1 << 22) + number(2, 1) + field(9, zeros);
    const std::string held = field(1, field(2, "w") + field(4, "Constant") + field(5, field(1, "value") + field(5, tensor) + number(20, 4)));
    std::string undone = initializer("c", 9, {1});
    for (int i = 0; i < 9; ++i) {
      const std::string fails = field(1, field(1, "x") + field(2, "o") + eye) + field(1, field(1, "o") + field(2, "p") + field(4, "Nonsense"));
      undone +=
          field(1, field(1, "c") + field(2, "i" + std::to_string(i)) + field(4, "If") + branch("then_branch", fails, "p") + branch("else_branch", fails, "p"));
    }
    const auto row = [](const char* name, const std::string& more, int warnings) { QTest::newRow(name) << QByteArray::fromStdString(more) << warnings; };
    row("too many", eight + ninth, 1);
    row("a Constant of the model", held + eight + ninth, 0);
    row("branches that cannot run", undone + eight, 9);
  }
  void theBudgetOfMadeConstantsCountsWhatStays() {
    QFETCH(QByteArray, more);
    QFETCH(int, warnings);
    const auto model = onnxToGraph(modelOf(nodeOf("Relu"), ModelParts{{2048, 2048}, more.toStdString(), 17, {}}), "");
    QVERIFY2(model.ok(), model.ok() ? "" : model.error().toString().c_str());
    QCOMPARE(int(model->warnings.size()), warnings);
    if (warnings == 1)
      QVERIFY(model->warnings[0].find("'e8' (EyeLike) cannot run: the constants that stand for its ops would take over 128 MiB") != std::string::npos);
  }

  /// In processor time, as the next one.
  void manyBranchesTakeNoLongTime() {
    std::string more = field(11, field(1, "c") + field(2, field(1, number(1, 9) + field(2, ""))));  // a truth value, fed
    for (int i = 0; i < 4000; ++i) {
      const std::string op = i % 2 ? "Relu" : "Nonsense", inner = field(1, field(1, "x") + field(2, "o") + field(4, op));
      more +=
          field(1, field(1, "c") + field(2, "i" + std::to_string(i)) + field(4, "If") + branch("then_branch", inner, "o") + branch("else_branch", inner, "o"));
    }
    const std::clock_t start = std::clock();
    const auto model = onnxToGraph(modelOf(nodeOf("Relu"), ModelParts{{2}, more, 17, {}}), "");
    QVERIFY(double(std::clock() - start) / CLOCKS_PER_SEC < 10);
    QVERIFY(model.ok());
    const auto loaded = graphOf(*model);
    QVERIFY(loaded.ok());
    QCOMPARE(loaded->meta.collections.at("cond_context").bytes.size(), size_t(4000));
  }

  /// Exporters ask whether a size is 1 that the model states; the other branch could not even be built.
  void anIfOfAKnownConditionIsItsBranch() {
    const auto inner = [](const char* op) { return field(1, field(1, "x") + field(2, "o") + field(4, op)); };
    const std::string node =
        field(1, "c") + field(2, "y") + field(4, "If") + branch("then_branch", inner("Relu"), "o") + branch("else_branch", inner("Nonsense"), "o");
    const auto model = onnxToGraph(modelOf(node, initializer("c", 9, {1})), "");
    QVERIFY2(model.ok(), model.ok() ? "" : model.error().message.c_str());
    QVERIFY2(model->warnings.empty(), model->warnings.empty() ? "" : model->warnings[0].c_str());
    const auto loaded = graphOf(*model);
    QVERIFY(loaded.ok() && nodeOfOp(*loaded, "Relu") && !nodeOfOp(*loaded, "Switch"));
  }

  /// A cycle has no order.
  void nodesThatReadEachOtherAreRefused() {
    const std::string cycle = field(1, field(1, "b") + field(2, "a") + field(4, "Relu")) + field(1, field(1, "a") + field(2, "b") + field(4, "Relu"));
    const auto model = onnxToGraph(modelOf(nodeOf("Relu"), cycle), "");
    QVERIFY(!model.ok());
    QCOMPARE(QString::fromStdString(model.error().message), QStringLiteral("node 'a' (Relu) reads 'b', which nothing before it computes"));
  }

  /// In processor time: the time of one node must not depend on how many there are.
  void manyNodesThatCannotRunTakeNoLongTime() {
    std::string others;
    for (int i = 0; i < 20000; ++i) others += field(1, field(1, "x") + field(2, "z" + std::to_string(i)) + field(4, "EyeLike"));
    const std::clock_t start = std::clock();
    QVERIFY(onnxToGraph(modelOf(nodeOf("Relu"), ModelParts{{-1, -1}, others, 17, {}}), "").ok());
    QVERIFY(double(std::clock() - start) / CLOCKS_PER_SEC < 4);
  }

  /// A body with an op that TensorFlow lacks: nothing of the loop or branch stays, neither nodes nor what a meta graph says of them.
  void aLoopOrBranchThatCannotRunLeavesNothingBehind_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QByteArray>("op");
    QTest::newRow("loop") << "loop" << QByteArray("Identity");
    QTest::newRow("branch") << "branch" << QByteArray("Sub");
  }
  void aLoopOrBranchThatCannotRunLeavesNothingBehind() {
    QFETCH(QString, name);
    QFETCH(QByteArray, op);
    QByteArray bytes = QByteArray::fromStdString(bytesOf(kFolder + name.toStdString() + ".onnx"));
    const QByteArray field = "\x22" + QByteArray(1, char(op.size())) + op;
    QVERIFY(bytes.contains(field));
    bytes.replace(field, field.chopped(1) + "_");
    const auto model = onnxToGraph(bytes.toStdString(), "");
    QVERIFY(model.ok());
    QVERIFY(QString::fromStdString(model->warnings.at(0)).contains("cannot run: "));
    const auto loaded = graphOf(*model);
    QVERIFY(loaded.ok());
    for (const char* gone : {"Enter", "Switch", "Merge", "Exit", "TensorArrayV3"}) QVERIFY2(!nodeOfOp(*loaded, gone), gone);
    QVERIFY(loaded->meta.collections.empty());
    QVERIFY(loaded->meta.graph.topologicalOrder().ok());
  }

  void aNewerOperatorSetIsSaid() {
    const auto model = onnxToGraph(modelOf(nodeOf("Relu"), ModelParts{{2}, {}, 99, {}}), "");
    QVERIFY(model.ok());
    QCOMPARE(QString::fromStdString(model->warnings.at(0)),
             QStringLiteral("The model is of operator set 99; Weft knows those up to 28, so an op that changed since then may compute something else."));
  }

  /// The call gives one attribute of the two. The graph's "t" says nothing of the function's.
  void anOpOfAFunctionGetsTheAttributesOfTheCall() {
    const auto parameter = [](const std::string& name, const std::string& of) { return field(5, field(1, name) + number(20, 2) + field(21, of)); };
    const std::string first =
        field(1, "a") + field(2, "t") + field(4, "TfIdfVectorizer") + parameter("max_gram_length", "k") + parameter("min_gram_length", "absent");
    const std::string second = field(1, "t") + field(2, "b") + field(3, "second") + field(4, "Relu");
    const std::string function = field(1, "F") + field(4, "a") + field(5, "b") + field(6, "k") + field(6, "absent") + field(7, first) + field(7, second) +
                                 field(9, number(2, 17)) + field(10, "my");
    const std::string call = nodeOf("F", {}, field(7, "my") + attribute("k", 5)), stated = field(13, field(1, "t") + floats({3, 4}));
    const auto model = onnxToGraph(modelOf(call, ModelParts{{2}, stated, 17, field(8, field(1, "my") + number(2, 1)) + field(25, function)}), "");
    QVERIFY2(model.ok(), model.ok() ? "" : model.error().message.c_str());
    QCOMPARE(model->warnings.size(), size_t(2));
    QVERIFY(!QString::fromStdString(model->warnings[0]).contains("left out"));
    QCOMPARE(QString::fromStdString(model->warnings[1]), QStringLiteral("Node 'second' (Relu) cannot run: the type of its input 't' is not known."));
    const auto loaded = graphOf(*model);
    const Node* node = nodeOfOp(*loaded, "TfIdfVectorizer");
    QVERIFY(node);
    QCOMPARE(node->attrs.integer("max_gram_length"), int64_t(5));
    QVERIFY(!node->attrs.find("min_gram_length"));
  }

  void drawnBoolsHaveASeed() {
    const auto model = onnxToGraph(modelOf(nodeOf("Bernoulli", {}, field(5, field(1, "seed") + std::string("\x15\0\0\xe0\x40", 5) + number(20, 1)))), "");
    QVERIFY(model.ok() && model->warnings.empty());
    const auto loaded = graphOf(*model);
    const Node* node = nodeOfOp(*loaded, "RandomUniform");
    QVERIFY(node);
    QCOMPARE(node->attrs.integer("seed"), int64_t(7));
  }

  void errorsNameWhatIsWrong_data() {
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QString>("says");
    const auto row = [](const char* name, const std::string& bytes, const char* says) {
      QTest::newRow(name) << QByteArray::fromStdString(bytes) << QString::fromUtf8(says);
    };
    row("no graph", number(1, 8), "the model has no graph");
    row("an input that nothing computes", modelOf(nodeOf("Add", "z")), "node 'the node' (Add) reads 'z', which nothing before it computes");
    row("too few values", modelOf(nodeOf("Add", "w"), field(5, number(1, 2) + number(2, 1) + field(8, "w") + field(9, "abcd"))),
        "tensor 'w' has 4 bytes; expected 8");
    row("outside the folder", modelOf(nodeOf("Add", "w"), externalTensor("../w.bin", "8")), "tensor 'w' lies in '../w.bin', outside the model's folder");
    row("an absolute path", modelOf(nodeOf("Add", "w"), externalTensor("/etc/passwd", "8")), "outside the model's folder");
    row("a file that is not there", modelOf(nodeOf("Add", "w"), externalTensor("absent.bin", "8")), "which is not there");
    row("a length that does not fit", modelOf(nodeOf("Add", "w"), externalTensor("w.bin", "12")), "takes 12 bytes of 'w.bin'; expected 8");
    row("a file that is too short", modelOf(nodeOf("Add", "w"), externalTensor("short.bin", "8")), "ends at byte 8 of 'short.bin', which has 3");
  }
  void errorsNameWhatIsWrong() {
    QFETCH(QByteArray, bytes);
    QFETCH(QString, says);
    MemoryFiles files;
    files.files["models/w.bin"] = std::make_shared<std::string>(16, '\0');
    files.files["models/short.bin"] = std::make_shared<std::string>("abc");
    const auto model = onnxToGraph(bytes.toStdString(), "models", &files);
    QVERIFY(!model.ok());
    QVERIFY2(QString::fromStdString(model.error().message).contains(says), model.error().message.c_str());
  }

  void tensorsMayLieInFilesBesideTheModel() {
    MemoryFiles files;
    const float values[] = {3, 4};
    files.files["models/w.bin"] = std::make_shared<std::string>(reinterpret_cast<const char*>(values), 8);
    const auto model = onnxToGraph(modelOf(nodeOf("Add", "w"), externalTensor("w.bin", "8")), "models", &files);
    QVERIFY2(model.ok(), model.ok() ? "" : model.error().toString().c_str());
    const QString difference = compare(*model->serialized(), {{"in/x", Tensor::vector<float>({1, 2})}, {"out/y", Tensor::vector<float>({4, 6})}});
    QVERIFY2(difference.isEmpty(), qPrintable(difference));
  }

  void aLinkThatLeavesTheFolderIsNotFollowed() {
    QTemporaryDir folder;
    QVERIFY(QDir(folder.path()).mkpath("model/inner"));
    for (const char* name : {"secret.bin", "model/real.bin"}) {
      QFile file(folder.filePath(name));
      QVERIFY(file.open(QIODevice::WriteOnly) && file.write(QByteArray(8, '\0')) == 8);
    }
    QVERIFY(QFile::link("../secret.bin", folder.filePath("model/out.bin")));
    QVERIFY(QFile::link("../..", folder.filePath("model/inner/up")));
    QVERIFY(QFile::link("../real.bin", folder.filePath("model/inner/in.bin")));
    const auto read = [&](const std::string& location) {
      return onnxToGraph(modelOf(nodeOf("Add", "w"), externalTensor(location, "8")), folder.filePath("model").toStdString());
    };
    for (const char* out : {"out.bin", "inner/up/secret.bin"}) {
      const auto model = read(out);
      QVERIFY2(!model.ok(), out);
      QCOMPARE(QString::fromStdString(model.error().message), QStringLiteral("tensor 'w' lies in '%1', a link to a place outside the model's folder").arg(out));
    }
    QVERIFY(read("inner/in.bin").ok());
  }

  void sizesThatTogetherAreTooLargeAreNoReport() {
    std::string tensors;
    for (const char* name : {"a", "b"}) tensors += field(5, number(1, (int64_t(1) << 62) + 5) + number(2, 3) + field(8, name));
    MemoryFiles files;
    files.files["m.onnx"] = std::make_shared<std::string>(modelOf(nodeOf("Relu"), tensors));
    InspectOptions options;
    options.files = &files;
    const Inspection found = inspectPath("m.onnx", options);
    QVERIFY(!found.status.ok());
    QCOMPARE(QString::fromStdString(found.status.error().kind), QStringLiteral("invalid_tensor"));
  }

  /// A file that ends after its graph is a model still, without what would have followed.
  void aCutModelIsOneError() {
    const std::string whole = bytesOf(kFolder + "branch.onnx");
    for (size_t length = 0; length < whole.size(); ++length) {
      const std::string cut = whole.substr(0, length);
      const QString fault = survives(cut);
      QVERIFY2(fault.isEmpty(), qPrintable(QStringLiteral("cut at %1: %2").arg(length).arg(fault)));
      QVERIFY2(endsAfterGraph(cut) || !onnxToGraph(cut, "").ok(), qPrintable(QStringLiteral("cut at %1: no error").arg(length)));
    }
  }

  void damagedModelsAreOneErrorOrAGraph() {
    std::mt19937 random(20);
    std::vector<std::string> models;
    for (const char* name : {"branch", "loop", "convolutions", "arrays", "lstm", "powers", "far_from_zero"})
      models.push_back(bytesOf(kFolder + name + ".onnx"));
    for (int i = 0; i < 2000; ++i) {
      std::string bytes = models[size_t(i) % models.size()];
      for (unsigned k = 0, changes = 1 + random() % 4; k < changes; ++k) {
        const size_t at = random() % bytes.size();
        switch (random() % 3) {
          case 0: bytes[at] = char(random()); break;
          case 1: bytes[at] = char(bytes[at] ^ (1 << random() % 8)); break;
          default: bytes.erase(at, 1 + random() % 3);
        }
      }
      const QString fault = survives(bytes);
      QVERIFY2(fault.isEmpty(), qPrintable(QStringLiteral("mutation %1: %2").arg(i).arg(fault)));
    }
  }
};

QTEST_GUILESS_MAIN(TstOnnx)
#include "tst_onnx.moc"
