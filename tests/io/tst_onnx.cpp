#include <QDir>
#include <QElapsedTimer>
#include <QTest>
#include <cmath>
#include <random>

#include "memory_files.h"
#include "weft/arrays.h"
#include "weft/builder.h"
#include "weft/inspect.h"
#include "weft/onnx.h"
#include "weft/saved_model.h"
#include "weft/session.h"

using namespace weft;

namespace {

const std::string kModels = WEFT_SOURCE_DIR "/tests/golden/files/onnx/";

std::string bytesOf(const std::string& path) {
  auto bytes = posixFileSystem().readAll(path);
  if (!bytes.ok()) qFatal("%s", bytes.error().toString().c_str());
  return std::move(*bytes);
}

std::map<std::string, Tensor> arraysOf(const std::string& path) {
  auto arrays = loadNpz(path);
  if (!arrays.ok()) qFatal("%s", arrays.error().toString().c_str());
  return {arrays->begin(), arrays->end()};
}

std::string tensorOf(const std::vector<std::pair<std::string, std::string>>& named, const std::string& name) {
  for (const auto& [key, tensor] : named)
    if (key == name) return tensor;
  return "no tensor of that name";
}

Result<ImportedModel> importedFrom(const std::string& path) { return onnxToGraph(bytesOf(path), kModels); }

/// Feeds the arrays "in/…" of a model to the graph and compares its outputs with "out/…"; the text says what differs.
QString compare(const std::string& metaGraph, const std::map<std::string, Tensor>& arrays) {
  const auto signatures = signaturesOf(metaGraph);
  const auto loaded = loadGraphBytes(std::make_shared<const std::string>(metaGraph), "model");
  if (!loaded.ok()) return QString::fromStdString(loaded.error().toString());
  const auto session = Session::create(loaded->meta.graph);
  std::vector<std::pair<std::string, Tensor>> feeds;
  std::vector<std::string> fetches, names;
  for (const auto& [name, value] : arrays) {
    if (name.starts_with("in/")) feeds.emplace_back(tensorOf(signatures->at(0).inputs, name.substr(3)), value);
    if (name.starts_with("out/")) {
      names.push_back(name);
      fetches.push_back(tensorOf(signatures->at(0).outputs, name.substr(4)));
    }
  }
  const auto got = (*session)->run(feeds, fetches, {});
  if (!got.ok()) return QString::fromStdString(got.error().toString());
  for (size_t i = 0; i < names.size(); ++i) {
    const Tensor &value = (*got)[i], &want = arrays.at(names[i]);
    if (value.dtype() != want.dtype() || !(value.shape() == want.shape()))
      return QString::fromStdString(names[i] + ": " + value.toString(0) + " instead of " + want.toString(0));
    for (int64_t k = 0; k < want.elements(); ++k)
      if (std::abs(value.asDouble(k) - want.asDouble(k)) > 1e-5 * std::max(1.0, std::abs(want.asDouble(k))))
        return QStringLiteral("%1[%2]: %3 instead of %4").arg(QString::fromStdString(names[i])).arg(k).arg(value.asDouble(k)).arg(want.asDouble(k));
  }
  return {};
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

/// The wire form of a field that holds bytes.
std::string field(int number, const std::string& content) {
  std::string out(1, char(number << 3 | 2));
  for (size_t n = content.size();; n >>= 7) {
    out += char((n & 0x7f) | (n > 0x7f ? 0x80 : 0));
    if (n <= 0x7f) break;
  }
  return out + content;
}
std::string number(int field, int value) { return {char(field << 3), char(value)}; }

/// x -> op -> y, of two floats; `more` are further fields of the graph.
std::string modelOf(const std::string& node, const std::string& more = {}) {
  const std::string type = field(2, field(1, number(1, 1) + field(2, field(1, number(1, 2)))));
  return number(1, 8) + field(7, field(1, node) + field(2, "g") + more + field(11, field(1, "x") + type) + field(12, field(1, "y") + type)) +
         field(8, field(1, "") + number(2, 17));
}
std::string nodeOf(const std::string& op, const std::string& second = {}) {
  return field(1, "x") + (second.empty() ? "" : field(1, second)) + field(2, "y") + field(3, "the node") + field(4, op);
}
std::string externalTensor(const std::string& location, const std::string& length) {
  return field(5, number(1, 2) + number(2, 1) + field(8, "w") + field(13, field(1, "location") + field(2, location)) +
                      field(13, field(1, "length") + field(2, length)) + number(14, 1));
}

}  // namespace

/// ONNX models; expected values were computed by ONNX Runtime.
class TstOnnx : public QObject {
  Q_OBJECT

 private slots:
  void modelsComputeWhatOnnxRuntimeDoes_data() {
    QTest::addColumn<QString>("name");
    for (const QString& file : QDir(QString::fromStdString(kModels)).entryList({QStringLiteral("*.onnx")}))
      QTest::newRow(qPrintable(file.chopped(5))) << file.chopped(5);
  }
  void modelsComputeWhatOnnxRuntimeDoes() {
    QFETCH(QString, name);
    const std::string path = kModels + name.toStdString();
    const auto model = importedFrom(path + ".onnx");
    QVERIFY2(model.ok(), model.ok() ? "" : model.error().toString().c_str());
    QVERIFY2(model->warnings.empty(), model->warnings.empty() ? "" : model->warnings[0].c_str());
    const QString difference = compare(model->metaGraph, arraysOf(path + ".npz"));
    QVERIFY2(difference.isEmpty(), qPrintable(difference));
  }

  /// From ONNX to a graph, to ONNX, and to a graph again.
  void writtenModelsReadBackEqual_data() {
    QTest::addColumn<QString>("name");
    for (const char* name : {"convolutions", "transposed", "perceptron", "softmax_of_old", "arrays"}) QTest::newRow(name) << name;
  }
  void writtenModelsReadBackEqual() {
    QFETCH(QString, name);
    const std::string path = kModels + name.toStdString();
    const auto model = importedFrom(path + ".onnx");
    QVERIFY(model.ok());
    for (const int opset : {kOldestOnnxExport, 18, kNewestOnnxExport}) {
      const auto written = graphToOnnx(model->metaGraph, {{}, {}, opset});
      QVERIFY2(written.ok(), written.ok() ? "" : written.error().toString().c_str());
      QVERIFY(looksLikeOnnx(*written));
      const auto again = onnxToGraph(*written, "");
      QVERIFY2(again.ok(), again.ok() ? "" : again.error().toString().c_str());
      const QString difference = compare(again->metaGraph, arraysOf(path + ".npz"));
      QVERIFY2(difference.isEmpty(), qPrintable(difference));
    }
  }

  void anOpWithoutCounterpartStays() {
    const auto model = onnxToGraph(modelOf(nodeOf("TfIdfVectorizer")), "");
    QVERIFY(model.ok());
    QCOMPARE(model->warnings.size(), size_t(1));
    QCOMPARE(QString::fromStdString(model->warnings[0]),
             QStringLiteral("Node 'the node' (TfIdfVectorizer) cannot run: the op has no counterpart in TensorFlow."));
    const auto loaded = loadGraphBytes(std::make_shared<const std::string>(model->metaGraph), "m");
    QVERIFY(loaded.ok());
    const Node* node = loaded->meta.graph.find("the_node");
    QVERIFY(node);
    QCOMPARE(QString::fromStdString(node->op), QStringLiteral("TfIdfVectorizer"));
  }

  /// TensorFlow's Unique gives other values than ONNX's.
  void anOpOfTheSameNameIsNotTakenForTensorFlows() {
    const auto model = onnxToGraph(modelOf(nodeOf("Unique")), "");
    QVERIFY(model.ok());
    const auto loaded = loadGraphBytes(std::make_shared<const std::string>(model->metaGraph), "m");
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
    const QString difference = compare(model->metaGraph, {{"in/x", Tensor::vector<float>({1, 2})}, {"out/y", Tensor::vector<float>({4, 6})}});
    QVERIFY2(difference.isEmpty(), qPrintable(difference));
  }

  void writingNamesTheNodeThatOnnxLacks() {
    MetaGraph meta;
    GraphBuilder b(meta);
    const Output x = b.placeholder(DType::Float, {2, 2}, "x");
    b.op("MatrixInverse", {x}, {}, "inverse");
    const auto bytes = serializeGraph(meta, GraphFormat::GraphBinary);
    const auto written = graphToOnnx(*bytes, {});
    QVERIFY(!written.ok());
    QCOMPARE(QString::fromStdString(written.error().message),
             QStringLiteral("node 'inverse' (MatrixInverse) cannot be written as ONNX: ONNX has no counterpart"));
    const auto old = graphToOnnx(*bytes, {{}, {}, 7});
    QCOMPARE(QString::fromStdString(old.error().message), QStringLiteral("operator set 7 is not supported; expected 13 to 21"));
  }

  void aCutModelIsOneError() {
    const std::string whole = bytesOf(kModels + "branch.onnx");
    for (size_t length = 0; length < whole.size(); ++length) {
      const QString fault = survives(whole.substr(0, length));
      QVERIFY2(fault.isEmpty(), qPrintable(QStringLiteral("cut at %1: %2").arg(length).arg(fault)));
    }
  }

  void damagedModelsAreOneErrorOrAGraph() {
    std::mt19937 random(20);
    std::vector<std::string> models;
    for (const char* name : {"branch", "loop", "convolutions", "arrays", "lstm"}) models.push_back(bytesOf(kModels + name + ".onnx"));
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
