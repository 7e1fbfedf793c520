#include <QTest>
#include <chrono>
#include <cmath>
#include <random>

#include "weft/arrays.h"
#include "weft/checkpoint.h"
#include "weft/defects.h"
#include "weft/edit.h"
#include "weft/file_kinds.h"
#include "weft/file_system.h"
#include "weft/keras.h"
#include "weft/recipes.h"
#include "weft/saved_model.h"
#include "weft/session.h"
#include "weft/train.h"

using namespace weft;

namespace {

const std::string kGolden = std::string(WEFT_SOURCE_DIR) + "/tests/golden/keras/";

std::string bytesOf(const std::string& path) {
  auto bytes = posixFileSystem().readAll(path);
  return bytes.ok() ? *bytes : std::string();
}

LoadedGraph graphOf(const std::string& metaGraph) {
  auto loaded = openGraphBytes(std::make_shared<const std::string>(metaGraph), "model");
  return loaded.ok() ? std::move(*loaded) : LoadedGraph{};
}

std::string why(const std::string& bytes) {
  const auto model = kerasToGraph(bytes);
  return model.ok() ? std::string() : model.error().message;
}

/// The outputs of a model whose variables have their initial values, for the inputs x0, x1, … of `values`.
Result<std::vector<Tensor>> outputsOf(const std::string& metaGraph, const std::vector<NamedTensor>& values) {
  const LoadedGraph loaded = graphOf(metaGraph);
  WEFT_LET(const auto signatures, signaturesOf(metaGraph));
  if (signatures.empty()) return notFound("no signature");
  WEFT_LET(const auto session, Session::create(loaded.meta.graph, {}));
  WEFT_TRY(session->run({}, {}, {"init"}).status());
  // In the order of the model's inputs, which is that of the placeholders.
  std::vector<std::pair<std::string, Tensor>> feeds;
  size_t next = 0;
  for (int id = 0; id < loaded.meta.graph.size(); ++id) {
    const Node* n = loaded.meta.graph.node(id);
    if (!n || n->op != "Placeholder" || n->name.ends_with("_target")) continue;
    for (const auto& [name, tensor] : values)
      if (name == "x" + std::to_string(next)) feeds.emplace_back(n->name + ":0", tensor);
    ++next;
  }
  std::vector<std::string> fetches;
  for (const auto& [key, tensor] : signatures[0].outputs) fetches.push_back(tensor);
  return session->run(feeds, fetches, {});
}

double difference(const Tensor& a, const Tensor& b) {
  if (!(a.shape() == b.shape())) return INFINITY;
  double most = 0;
  for (int64_t i = 0; i < a.elements(); ++i) most = std::max(most, std::abs(a.asDouble(i) - b.asDouble(i)));
  return most;
}

/// The largest difference to y0, y1, …, in whichever order the signature names the outputs.
double worst(const std::vector<Tensor>& outputs, const std::vector<NamedTensor>& values) {
  double most = 0;
  for (const auto& [name, expected] : values) {
    if (name[0] != 'y') continue;
    double best = INFINITY;
    for (const Tensor& out : outputs) best = std::min(best, difference(out, expected));
    most = std::max(most, best);
  }
  return most;
}

void replaceAll(std::string& text, const std::string& from, const std::string& to) {
  for (size_t at = text.find(from); at != text.npos; at = text.find(from, at + to.size())) text.replace(at, from.size(), to);
}

}  // namespace

class TestKeras : public QObject {
  Q_OBJECT

 private slots:
  void predictsAsKeras_data();
  void predictsAsKeras();
  void archivesPredictAsKeras_data();
  void archivesPredictAsKeras();
  void damagedArchivesAreRefused();
  void isWrittenAgain_data() { predictsAsKeras_data(); }
  void isWrittenAgain();
  void changedLayersAreWrittenAsAFunctionalModel();
  void keepsWeightsWhenALayerIsRebuilt();
  void trainingIsTakenOver();
  void layersOfADocumentBecomeAKerasModel();
  void refusesByName_data();
  void refusesByName();
  void truncatedFilesAreRefused();
  void mutatedFilesDoNotCrash();
};

void TestKeras::predictsAsKeras_data() {
  QTest::addColumn<QString>("name");
  const auto names = posixFileSystem().list(kGolden);
  QVERIFY(names.ok());
  for (const std::string& name : *names)
    if (name.ends_with(".h5")) QTest::newRow(name.c_str()) << QString::fromStdString(name.substr(0, name.size() - 3));
}

void TestKeras::predictsAsKeras() {
  QFETCH(QString, name);
  const auto model = kerasToGraph(bytesOf(kGolden + name.toStdString() + ".h5"));
  QVERIFY2(model.ok(), model.ok() ? "" : model.error().message.c_str());
  const auto values = loadNpz(kGolden + name.toStdString() + ".npz");
  QVERIFY(values.ok());
  const auto outputs = outputsOf(*model->serialized(), *values);
  QVERIFY2(outputs.ok(), outputs.ok() ? "" : outputs.error().toString().c_str());
  const double most = worst(*outputs, *values);
  QVERIFY2(most < 1e-5, std::to_string(most).c_str());
}

void TestKeras::archivesPredictAsKeras_data() {
  QTest::addColumn<QString>("name");
  QTest::newRow("layers in layers, weights of integers") << "archive_sequence";
  QTest::newRow("a model that is called twice, names in another order") << "archive_nested";
}

void TestKeras::archivesPredictAsKeras() {
  QFETCH(QString, name);
  const std::string path = kGolden + name.toStdString();
  const auto model = kerasToGraph(bytesOf(path + ".keras"));
  QVERIFY2(model.ok(), model.ok() ? "" : model.error().message.c_str());
  const auto values = loadNpz(path + ".npz");
  QVERIFY(values.ok());
  const auto outputs = outputsOf(*model->serialized(), *values);
  QVERIFY2(outputs.ok(), outputs.ok() ? "" : outputs.error().toString().c_str());
  const double most = worst(*outputs, *values);
  QVERIFY2(most < 1e-5, std::to_string(most).c_str());
  const FileKind* kind = fileKindOf(path + ".keras");
  QVERIFY(kind);
  QCOMPARE(std::string(kind->name), std::string("keras"));
  const auto arrays = readArrays(path + ".keras");
  QVERIFY(arrays.ok() && !arrays->empty());
}

void TestKeras::damagedArchivesAreRefused() {
  const std::string bytes = bytesOf(kGolden + "archive_nested.keras");
  for (size_t size = 40; size < bytes.size(); size += 97) QVERIFY(!why(bytes.substr(0, size)).empty());
  std::mt19937 random(1);
  for (int i = 0; i < 300; ++i) {
    std::string changed = bytes;
    for (int k = 0; k < 3; ++k) changed[random() % changed.size()] = char(random());
    (void)why(changed);
  }
}

void TestKeras::isWrittenAgain() {
  QFETCH(QString, name);
  const std::string bytes = bytesOf(kGolden + name.toStdString() + ".h5");
  const auto model = kerasToGraph(bytes);
  QVERIFY(model.ok());
  const auto written = graphToKeras(*model->serialized(), {});
  QVERIFY2(written.ok(), written.ok() ? "" : written.error().message.c_str());
  const auto again = kerasToGraph(*written);
  QVERIFY2(again.ok(), again.ok() ? "" : again.error().message.c_str());
  const auto values = loadNpz(kGolden + name.toStdString() + ".npz");
  const auto outputs = outputsOf(*again->serialized(), *values);
  QVERIFY(outputs.ok());
  QVERIFY(worst(*outputs, *values) < 1e-5);
}

void TestKeras::changedLayersAreWrittenAsAFunctionalModel() {
  const auto model = kerasToGraph(bytesOf(kGolden + "dense.h5"));
  QVERIFY(model.ok());
  LoadedGraph loaded = graphOf(*model->serialized());
  GraphEditor editor(loaded.meta, loaded.problems);
  LayerEditor layers(editor);
  Recipe* first = layers.find("dense");
  QVERIFY(first);
  const Status changed = layers.setParameter(*first, "activation", "tanh");
  QVERIFY2(changed.ok(), changed.ok() ? "" : changed.error().message.c_str());
  QVERIFY(layers.finish().ok());
  const auto meta = serializeGraph(loaded.meta, GraphFormat::MetaBinary);
  const auto written = graphToKeras(*meta, {});
  QVERIFY2(written.ok(), written.ok() ? "" : written.error().message.c_str());
  QVERIFY(written->find("\"class_name\":\"Model\"") != std::string::npos);
  const auto again = kerasToGraph(*written);
  QVERIFY2(again.ok(), again.ok() ? "" : again.error().message.c_str());
  const auto values = loadNpz(kGolden + "dense.npz");
  const auto before = outputsOf(*meta, *values), after = outputsOf(*again->serialized(), *values);
  QVERIFY(before.ok() && after.ok());
  QVERIFY(difference((*before)[0], (*after)[0]) < 1e-6);
}

void TestKeras::keepsWeightsWhenALayerIsRebuilt() {
  const auto model = kerasToGraph(bytesOf(kGolden + "dense.h5"));
  LoadedGraph loaded = graphOf(*model->serialized());
  const auto kernel = [&]() -> Tensor {
    const Node* n = loaded.meta.graph.find("dense/kernel/Initializer/initial_value");
    const Attr* value = n ? n->attrs.find("value") : nullptr;
    const auto* tensor = value ? std::get_if<Tensor>(&value->value) : nullptr;
    return tensor ? *tensor : Tensor();
  };
  const Tensor before = kernel();
  QVERIFY(before.elements() > 0);
  GraphEditor editor(loaded.meta, loaded.problems);
  LayerEditor layers(editor);
  QVERIFY(layers.setParameter(*layers.find("dense"), "activation", "elu").ok());
  QCOMPARE(difference(before, kernel()), 0.0);
  QVERIFY(layers.setParameter(*layers.find("dense"), "units", "5").ok());
  QVERIFY(kernel().dtype() == DType::Invalid);  // other shapes start anew
}

void TestKeras::trainingIsTakenOver() {
  const auto model = kerasToGraph(bytesOf(kGolden + "dense.h5"));
  QVERIFY(model.ok());
  QCOMPARE(model->warnings.size(), size_t(0));
  const LoadedGraph loaded = graphOf(*model->serialized());
  const auto settings = trainingSettingsOf(loaded.meta);
  QVERIFY(settings.ok());
  QCOMPARE(settings->trainFeed.at("keras_learning_phase:0"), std::string("true"));
  QVERIFY(!settings->accuracy.empty());
  QVERIFY(loaded.meta.graph.find("dense_1_target"));
  // The optimizer goes on from the file's moments.
  int stored = 0;
  for (int id = 0; id < loaded.meta.graph.size(); ++id)
    if (const Node* n = loaded.meta.graph.node(id)) stored += n->name.ends_with("/Initializer/stored_value");
  QCOMPARE(stored, 2 * 4 + 2);
}

void TestKeras::layersOfADocumentBecomeAKerasModel() {
  MetaGraph meta;
  std::vector<Error> problems;
  GraphEditor editor(meta, problems);
  LayerEditor layers(editor);
  QVERIFY(editor.add("Placeholder", "x", {{"dtype", "float32"}, {"shape", "[?,8,8,3]"}}).ok());
  const auto layer = [&](const char* kind, const TextAttrs& parameters, const std::string& from) {
    const auto scope = layers.add(*ApiRegistry::instance().findLayer(kind), "", parameters, {{"", from}});
    return scope.ok() && layers.find(*scope) ? layers.find(*scope)->outputs[0] : std::string();
  };
  const std::string conv = layer("layers.conv2d", {{"filters", "4"}, {"kernel_size", "[3,3]"}, {"activation", "relu"}}, "x:0");
  const std::string flat = layer("layers.flatten", {}, conv);
  const std::string dense = layer("layers.dense", {{"units", "2"}}, flat);
  QVERIFY(!dense.empty());
  QVERIFY(layers.finish().ok());
  const auto bytes = serializeGraph(meta, GraphFormat::MetaBinary);
  const auto without = graphToKeras(*bytes, {});
  QVERIFY(!without.ok());
  QVERIFY2(without.error().message.find("has no value yet") != std::string::npos, without.error().message.c_str());
  ModelExport what;
  what.values = [&](const std::string& variable) -> Result<Tensor> {
    const Node* n = meta.graph.find(variable);
    Tensor value = Tensor::zeros(DType::Float, n->attrs.shape("shape"));
    for (int64_t i = 0; i < value.elements(); ++i) value.mutableData<float>()[i] = float(i % 7) * 0.1f;
    return value;
  };
  const auto written = graphToKeras(*bytes, what);
  QVERIFY2(written.ok(), written.ok() ? "" : written.error().message.c_str());
  const auto again = kerasToGraph(*written);
  QVERIFY2(again.ok(), again.ok() ? "" : again.error().message.c_str());
  QVERIFY(graphOf(*again->serialized()).meta.graph.find("conv2d/kernel"));
  // A layer without a counterpart is named.
  QVERIFY(!layer("layers.lstm", {{"units", "2"}}, layer("reshape", {{"target_shape", "[-1,6,36]"}}, conv)).empty());
  const auto refused = graphToKeras(*serializeGraph(meta, GraphFormat::MetaBinary), what);
  QVERIFY(!refused.ok());
  QVERIFY2(refused.error().message.find("'reshape'") != std::string::npos || refused.error().message.find("'lstm'") != std::string::npos,
           refused.error().message.c_str());
}

void TestKeras::refusesByName_data() {
  QTest::addColumn<QString>("from");
  QTest::addColumn<QString>("to");
  QTest::addColumn<QString>("message");
  QTest::newRow("unknown layer") << "\"class_name\": \"Dropout\""
                                 << "\"class_name\": \"MyLayer\""
                                 << "layer 'dropout' is of class 'MyLayer', which has no counterpart here";
  QTest::newRow("another size") << "\"units\": 16"
                                << "\"units\": 17"
                                << "layer 'dense' (Dense): the weight 'dense/kernel:0' has the shape [64,16]; expected [64,17]";
  QTest::newRow("another type") << "\"units\": 16"
                                << "\"units\": []"
                                << "layer 'dense' (Dense): units is [], which has no counterpart here";
  QTest::newRow("unknown activation") << "\"activation\": \"relu\""
                                      << "\"activation\": \"rely\""
                                      << "the activation 'rely' has no counterpart here";
  QTest::newRow("an option") << "\"noise_shape\": null"
                             << "\"noise_shape\": true"
                             << "its option noise_shape = true has no counterpart here";
  QTest::newRow("no JSON") << "{\"class_name\": \"Sequential\""
                           << "!\"class_name\": \"Sequential\""
                           << "model_config is not a JSON object";
}

void TestKeras::refusesByName() {
  QFETCH(QString, from);
  QFETCH(QString, to);
  QFETCH(QString, message);
  std::string bytes = bytesOf(kGolden + "dense.h5");
  QVERIFY(bytes.find(from.toStdString()) != std::string::npos);
  replaceAll(bytes, from.toStdString(), to.toStdString().append(size_t(from.size() - to.size()), ' '));
  QVERIFY2(why(bytes).find(message.toStdString()) != std::string::npos, why(bytes).c_str());
}

void TestKeras::truncatedFilesAreRefused() {
  const std::string bytes = bytesOf(kGolden + "pads1d.h5");
  QVERIFY(bytes.size() > 5000);
  for (size_t count = 0; count < bytes.size(); ++count) {
    const auto model = kerasToGraph(std::string_view(bytes).substr(0, count));
    if (model.ok()) continue;  // only the end's padding is missing
    QVERIFY2(!model.error().message.empty() && model.error().message.find('\n') == std::string::npos, model.error().message.c_str());
  }
}

void TestKeras::mutatedFilesDoNotCrash() {
  const std::string original = bytesOf(kGolden + "dense.h5");
  std::mt19937 random(20);
  double slowest = 0;
  for (int i = 0; i < 2000; ++i) {
    std::string bytes = original;
    for (int n = 1 << (i % 4); n > 0; --n) {
      // Structure and configuration lie at the beginning.
      const size_t at = random() % (i % 3 ? std::min<size_t>(12000, bytes.size()) : bytes.size());
      bytes[at] = char(i % 2 ? bytes[at] ^ (1 << (random() % 8)) : random() % 256);
    }
    const auto start = std::chrono::steady_clock::now();
    (void)kerasToGraph(bytes);
    slowest = std::max(slowest, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  QVERIFY2(slowest < 2, std::to_string(slowest).c_str());
}

QTEST_GUILESS_MAIN(TestKeras)
#include "tst_keras.moc"
