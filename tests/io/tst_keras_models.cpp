// Keras models of odd configurations: what is computed otherwise or left out is said, what cannot be is refused.
#include <QTest>

#include "io/keras_files.h"
#include "weft/defects.h"
#include "weft/edit.h"
#include "weft/file_system.h"
#include "weft/keras.h"
#include "weft/recipes.h"
#include "weft/saved_model.h"
#include "weft/session.h"
#include "weft/train.h"

using namespace weft;

namespace {

LoadedGraph graphOf(const std::string& metaGraph) {
  auto loaded = openGraphBytes(std::make_shared<const std::string>(metaGraph), "model");
  return loaded.ok() ? std::move(*loaded) : LoadedGraph{};
}

std::string whyNot(const KerasParts& parts) {
  const auto model = kerasToGraph(kerasFile(parts));
  return model.ok() ? std::string() : model.error().message;
}

Tensor ramp(const Shape& shape) {
  Tensor t = Tensor::zeros(DType::Float, shape);
  for (int64_t i = 0; i < t.elements(); ++i) t.mutableData<float>()[i] = float(i % 5) * 0.2f - 0.3f;
  return t;
}

std::string repeated(const std::string& text, int times) {
  std::string out;
  for (int i = 0; i < times; ++i) out += text;
  return out;
}

/// A compiled model of one dense layer with two units, a softmax.
KerasParts compiled(const std::string& loss, const std::string& metrics = "[]",
                    const std::string& optimizer = R"({"class_name": "SGD", "config": {"lr": 0.1}})") {
  KerasParts parts;
  parts.model = sequentialModel(layerJson("Dense", "d", R"("batch_input_shape": [null, 3], "units": 2, "activation": "softmax")"));
  parts.training = R"({"loss": )" + loss + R"(, "metrics": )" + metrics + R"(, "optimizer_config": )" + optimizer + "}";
  parts.layers = {{"d", {{"d/kernel:0", ramp({3, 2})}, {"d/bias:0", ramp({2})}}}};
  return parts;
}

QString warningsOf(const Result<ImportedModel>& model) {
  QString out;
  if (!model.ok()) return QString::fromStdString(model.error().message);
  for (const std::string& warning : model->warnings) out += QString::fromStdString(warning) + "\n";
  return out;
}

/// The parameter of the layer with that scope; empty: it is not stated.
std::string parameterOf(const ImportedModel& model, const std::string& scope, const std::string& name) {
  for (const Recipe& r : recipesOf(graphOf(*model.serialized()).meta))
    if (const auto at = r.parameters.find(name); r.scope == scope && at != r.parameters.end()) return at->second;
  return "";
}

bool isTrained(const ImportedModel& model, const std::string& variable) {
  const LoadedGraph loaded = graphOf(*model.serialized());
  const auto all = loaded.meta.collections.find("trainable_variables");
  return all != loaded.meta.collections.end() &&
         std::any_of(all->second.bytes.begin(), all->second.bytes.end(), [&](const std::string& bytes) { return bytes.find(variable) != std::string::npos; });
}

/// Names in `list` ("input_layers") of the model that a Keras file holds, in order.
QStringList namesIn(const std::string& file, const char* list) {
  const size_t begin = file.find(concat("\"", list, "\":[["));
  if (begin == file.npos) return {};
  const std::string text = file.substr(begin, file.find("]]", begin) - begin);
  QStringList out;
  for (size_t at = text.find("[\""); at != text.npos; at = text.find("[\"", at + 1))
    out << QString::fromStdString(text.substr(at + 2, text.find('"', at + 2) - at - 2));
  return out;
}

}  // namespace

class TestKerasModels : public QObject {
  Q_OBJECT

 private slots:
  void filesOfKeras1AreNamed() {
    KerasParts parts;
    parts.model = sequentialModel(layerJson("Dense", "d", R"("batch_input_shape": [null, 3], "output_dim": 2)"));
    parts.version = "1.2.2";
    QCOMPARE(whyNot(parts), std::string("the file is of Keras 1.2.2; expected one of Keras 2 or 3"));
  }

  /// Keras turns the kernels of convolutions round when it reads what Theano saved, and no others.
  void kernelsOfTheanoAreTurnedRound() {
    KerasParts parts;
    parts.model = sequentialModel(layerJson("Conv2D", "c", R"("batch_input_shape": [null, 2, 3, 1], "filters": 1, "kernel_size": [2, 3], "use_bias": false)") +
                                  ", " + layerJson("Flatten", "f", "\"trainable\": true") + ", " + layerJson("Dense", "d", R"("units": 1, "use_bias": false)"));
    Tensor kernel = Tensor::zeros(DType::Float, Shape{2, 3, 1, 1}), dense = Tensor::zeros(DType::Float, Shape{1, 1});
    for (int i = 0; i < 6; ++i) kernel.mutableData<float>()[i] = float(i);
    dense.mutableData<float>()[0] = 2;
    parts.layers = {{"c", {{"c/kernel:0", kernel}}}, {"d", {{"d/kernel:0", dense}}}};
    Tensor x = Tensor::zeros(DType::Float, Shape{1, 2, 3, 1});
    x.mutableData<float>()[0] = 1;  // the output is the kernel's first element, doubled
    for (const auto& [backend, expected] : {std::pair("tensorflow", 0.0), {"theano", 10.0}}) {
      parts.backend = backend;
      const auto model = kerasToGraph(kerasFile(parts));
      QVERIFY2(model.ok(), model.ok() ? "" : model.error().message.c_str());
      const LoadedGraph loaded = graphOf(*model->serialized());
      const auto session = Session::create(loaded.meta.graph);
      QVERIFY(session.ok() && (*session)->run({}, {}, {"init"}).ok());
      const auto signatures = signaturesOf(*model->serialized());
      const auto out = (*session)->run({{signatures->at(0).inputs.at(0).second, x}}, {signatures->at(0).outputs.at(0).second});
      QVERIFY2(out.ok(), out.ok() ? "" : out.error().toString().c_str());
      QCOMPARE((*out)[0].asDouble(0), expected);
    }
  }

  void deepConfigurationsAreRefused_data();
  void deepConfigurationsAreRefused();
  void deepTrainingConfigurationsAreLeftOut();
  void deepLayersOfADocumentAreRefused();
  void impossibleSizesAreRefused_data();
  void impossibleSizesAreRefused();
  void inputsOfUnknownRankAreNotMerged();
  void reductionsOfLossesAreRefused();
  void unknownOptionsOfLossesAreNamed();
  void unknownAccuraciesAreLeftOut();
  void thresholdsOfAccuraciesAreKept();
  void cosineSimilarityHasTheSignOfItsVersion();
  void decaysGoOnFromTheStoredSteps();
  void frozenLayersWithinWrappersStayFrozen_data();
  void frozenLayersWithinWrappersStayFrozen();
  void frozenBatchNormalizationIsNamed();
  void weightsOfNamesWithinNamesAreToldApart();
  void namedOutputsOfKeras3AreOutputs();
  void changedModelsKeepTheOrderOfInputsAndOutputs();
  void namesOfWrittenLayersAreUnique();
  void whatIsLostWhenWritingIsNamed();
};

void TestKerasModels::deepConfigurationsAreRefused_data() {
  QTest::addColumn<QString>("model");
  const int depth = 20000;
  const auto row = [](const char* name, const std::string& model) { QTest::newRow(name) << QString::fromStdString(model); };
  row("whole", repeated("[", depth) + repeated("]", depth));
  row("initializer",
      sequentialModel(layerJson(
          "Activation", "a", R"("batch_input_shape": [null, 3], "activation": "relu", "kernel_initializer": )" + repeated("[", depth) + repeated("]", depth))));
  row("activation",
      sequentialModel(layerJson("Activation", "a", R"("batch_input_shape": [null, 3], "activation": )" + repeated("[", depth) + repeated("]", depth))));
  const std::string wrapper = R"({"class_name": "TimeDistributed", "config": {"name": "t", "batch_input_shape": [null, 3, 3], "layer": )";
  row("wrappers", sequentialModel(repeated(wrapper, depth / 20) + "{}" + repeated("}}", depth / 20)));
}

void TestKerasModels::deepConfigurationsAreRefused() {
  QFETCH(QString, model);
  QCOMPARE(whyNot({model.toStdString(), ""}), std::string("the model_config is nested more than 200 deep"));
}

void TestKerasModels::deepTrainingConfigurationsAreLeftOut() {
  const auto model = kerasToGraph(kerasFile(compiled(repeated("[", 20000) + repeated("]", 20000))));
  QVERIFY2(warningsOf(model).contains("the training is not taken over: the training_config is nested more than 200 deep"), qPrintable(warningsOf(model)));
}

void TestKerasModels::deepLayersOfADocumentAreRefused() {
  KerasParts parts = compiled("\"mse\"");
  const auto model = kerasToGraph(kerasFile(parts));
  QVERIFY(model.ok());
  MetaGraph meta = graphOf(*model->serialized()).meta;
  std::vector<Recipe> recipes = recipesOf(meta);
  recipes[0].parameters["~keras"] = R"({"kernel_initializer": )" + repeated("[", 20000) + repeated("]", 20000) + "}";
  recipes[0].parameters["activation"] = "relu";
  setRecipes(meta, recipes);
  const auto written = graphToKeras(*serializeGraph(meta, GraphFormat::MetaBinary), {});
  QVERIFY(!written.ok());
  QCOMPARE(written.error().message, std::string("the configuration of the layer 'd' is nested more than 200 deep"));
  // A wrapper within a wrapper within …
  recipes[0].parameters.erase("~keras");
  recipes[0].kind = "keras.TimeDistributed";
  recipes[0].parameters["layer"] = repeated("TimeDistributed(layer=", 20000) + "Flatten" + repeated(")", 20000);
  setRecipes(meta, recipes);
  const auto wrapped = graphToKeras(*serializeGraph(meta, GraphFormat::MetaBinary), {});
  QVERIFY(!wrapped.ok());
  QVERIFY2(wrapped.error().message.find("is no layer; expected one such as") != std::string::npos, wrapped.error().message.c_str());
}

void TestKerasModels::impossibleSizesAreRefused_data() {
  QTest::addColumn<QString>("layer");
  QTest::addColumn<QString>("message");
  const auto row = [](const char* className, const char* config, const char* message) {
    QTest::addRow("%s %s", className, config) << QString::fromStdString(
                                                     layerJson(className, "a", std::string(R"("batch_input_shape": [null, 4, 2], )") + config))
                                              << QString(message);
  };
  row("ZeroPadding1D", R"("padding": 4294967297)", "padding is 4294967297, expected");
  row("UpSampling1D", R"("size": 0)", "size is 0, expected 1 to 2147483647");
  row("UpSampling1D", R"("size": 4294967297)", "size is 4294967297, expected 1 to 2147483647");
  row("Conv1D", R"("filters": 1, "kernel_size": 3, "padding": "causal", "dilation_rate": 2147483647)", "the causal padding is 4294967294, expected");
  row("Reshape", R"("target_shape": [-1, 4611686018427387904, 4])", "do not fill");
  row("Reshape", R"("target_shape": [-1, -1])", "target_shape is [-1,-1], which 8 values per sample do not fill");
  row("Permute", R"("dims": [1, 1])", "dims is [1,1], expected each dimension of (?, 4, 2) from 1 on once");
  row("SpatialDropout2D", R"("rate": 0.5)", "SpatialDropout2D expects an input of rank 4, found");
  row("SeparableConv1D", R"("filters": 1, "kernel_size": 1, "depth_multiplier": 999999999999999)", "depth_multiplier is 999999999999999, expected");
  row("SeparableConv1D", R"("filters": 1, "kernel_size": 2, "strides": 2, "dilation_rate": 2)",
      "strides other than 1 together with a dilation_rate other than 1");
}

void TestKerasModels::impossibleSizesAreRefused() {
  QFETCH(QString, layer);
  QFETCH(QString, message);
  KerasParts parts{sequentialModel(layer.toStdString()), ""};
  if (layer.contains("SeparableConv1D")) parts.layers = {{"a", {{"a/d:0", ramp({2, 2, 1})}, {"a/p:0", ramp({1, 2, 1})}, {"a/b:0", ramp({1})}}}};
  else if (layer.contains("Conv1D")) parts.layers = {{"a", {{"a/kernel:0", ramp({3, 2, 1})}, {"a/bias:0", ramp({1})}}}};
  const std::string why = whyNot(parts);
  QVERIFY2(why.find(message.toStdString()) != std::string::npos, why.c_str());
}

void TestKerasModels::inputsOfUnknownRankAreNotMerged() {
  MetaGraph meta;
  std::vector<Error> problems;
  GraphEditor editor(meta, problems);
  LayerEditor layers(editor);
  QVERIFY(editor.add("Placeholder", "x", {{"dtype", "float32"}}).ok());
  QVERIFY(editor.add("Placeholder", "y", {{"dtype", "float32"}, {"shape", "[?,3]"}}).ok());
  const auto scope = layers.add(*ApiRegistry::instance().findLayer("keras.Add"), "", {}, {{"", "x:0"}, {"", "y:0"}});
  const bool built = scope.ok() && meta.graph.find(*scope + "/Add");
  QVERIFY(!built);
}

void TestKerasModels::reductionsOfLossesAreRefused() {
  for (const char* kind : {"sum", "none"}) {
    const auto model =
        kerasToGraph(kerasFile(compiled(QString(R"({"class_name": "MeanSquaredError", "config": {"reduction": "%1"}})").arg(kind).toStdString())));
    const QString expected = QString("the training is not taken over: the reduction %1 of the loss mean_squared_error has no counterpart here").arg(kind);
    QVERIFY2(warningsOf(model).contains(expected), qPrintable(warningsOf(model)));
  }
  for (const char* kind : {"auto", "sum_over_batch_size"}) {
    const auto model =
        kerasToGraph(kerasFile(compiled(QString(R"({"class_name": "MeanSquaredError", "config": {"reduction": "%1"}})").arg(kind).toStdString())));
    QCOMPARE(warningsOf(model), QString());
  }
}

void TestKerasModels::unknownOptionsOfLossesAreNamed() {
  const auto model = kerasToGraph(
      kerasFile(compiled(R"({"class_name": "SparseCategoricalCrossentropy", "config": {"name": "l", "from_logits": true, "ignore_class": 1, "axis": -1}})")));
  QCOMPARE(warningsOf(model), QString("the option ignore_class = 1 of the loss sparse_categorical_crossentropy is left out\n"));
  QCOMPARE(parameterOf(*model, "loss", "from_logits"), std::string("true"));
}

void TestKerasModels::unknownAccuraciesAreLeftOut() {
  const auto model = kerasToGraph(kerasFile(compiled("\"categorical_crossentropy\"", R"(["top_k_categorical_accuracy", "accuracy", "binary_accuracy"])")));
  QCOMPARE(warningsOf(model), QString("the metric 'top_k_categorical_accuracy' is left out: it has no counterpart here\n"));
  const auto settings = trainingSettingsOf(graphOf(*model->serialized()).meta);
  QVERIFY(settings.ok());
  QVERIFY(!settings->accuracy.empty());
  QCOMPARE(parameterOf(*model, "accuracy", "mode"), std::string("categorical"));
  QCOMPARE(parameterOf(*model, "accuracy_1", "mode"), std::string("binary"));
}

void TestKerasModels::thresholdsOfAccuraciesAreKept() {
  const auto model = kerasToGraph(kerasFile(compiled("\"binary_crossentropy\"", R"([{"class_name": "BinaryAccuracy", "config": {"threshold": 0.75}}])")));
  QCOMPARE(warningsOf(model), QString());
  QCOMPARE(parameterOf(*model, "accuracy", "threshold"), std::string("0.75"));
}

void TestKerasModels::cosineSimilarityHasTheSignOfItsVersion() {
  KerasParts parts = compiled("\"cosine_similarity\"");
  const auto first = kerasToGraph(kerasFile(parts));
  QVERIFY(first.ok());
  QCOMPARE(parameterOf(*first, "loss", "weight"), std::string("-1"));
  QVERIFY2(warningsOf(first).contains("cosine_similarity is positive for equal directions"), qPrintable(warningsOf(first)));
  parts.version = "2.11.0";
  const auto newer = kerasToGraph(kerasFile(parts));
  QVERIFY(newer.ok());
  QCOMPARE(parameterOf(*newer, "loss", "weight"), std::string());
  QCOMPARE(warningsOf(newer), QString());
}

void TestKerasModels::decaysGoOnFromTheStoredSteps() {
  KerasParts parts = compiled("\"mse\"", "[]", R"({"class_name": "SGD", "config": {"lr": 0.1, "decay": 0.5}})");
  parts.optimizer = {{"SGD/iter:0", Tensor::scalar(int64_t(8))}};
  const auto model = kerasToGraph(kerasFile(parts));
  QCOMPARE(warningsOf(model), QString());
  const LoadedGraph loaded = graphOf(*model->serialized());
  const Node* stored = loaded.meta.graph.find("global_step/Initializer/stored_value");
  QVERIFY(stored);
  const auto* value = std::get_if<Tensor>(&stored->attrs.find("value")->value);
  QVERIFY(value);
  QCOMPARE(value->asInt(0), int64_t(8));
}

void TestKerasModels::frozenLayersWithinWrappersStayFrozen_data() {
  QTest::addColumn<QString>("outer");
  QTest::addColumn<QString>("inner");
  QTest::addColumn<bool>("trained");
  QTest::newRow("neither") << "true"
                           << "true" << true;
  QTest::newRow("inner") << "true"
                         << "false" << false;
  QTest::newRow("outer") << "false"
                         << "true" << false;
}

void TestKerasModels::frozenLayersWithinWrappersStayFrozen() {
  QFETCH(QString, outer);
  QFETCH(QString, inner);
  QFETCH(bool, trained);
  const std::string within = R"("trainable": )" + inner.toStdString(), around = R"("batch_input_shape": [null, 4, 3], "trainable": )" + outer.toStdString();
  KerasParts parts{
      sequentialModel(
          layerJson("Bidirectional", "b", around + R"(, "layer": )" + layerJson("SimpleRNN", "r", within + R"(, "units": 2, "return_sequences": true)")) +
          ", " +
          layerJson("TimeDistributed", "t", R"("trainable": )" + outer.toStdString() + R"(, "layer": )" + layerJson("Dense", "d", within + R"(, "units": 2)"))),
      ""};
  std::vector<std::pair<std::string, Tensor>> both;
  for (const char* side : {"forward_r", "backward_r"})
    for (const auto& [name, shape] : {std::pair("kernel", Shape{3, 2}), std::pair("recurrent_kernel", Shape{2, 2}), std::pair("bias", Shape{2})})
      both.emplace_back(concat("b/", side, "/", name, ":0"), ramp(shape));
  parts.layers = {{"b", both}, {"t", {{"t/kernel:0", ramp({4, 2})}, {"t/bias:0", ramp({2})}}}};
  const auto model = kerasToGraph(kerasFile(parts));
  QVERIFY2(model.ok(), model.ok() ? "" : model.error().message.c_str());
  for (const char* variable : {"b/forward_r/kernel", "b/backward_r/bias", "t/kernel"}) QCOMPARE(isTrained(*model, variable), trained);
}

void TestKerasModels::frozenBatchNormalizationIsNamed() {
  KerasParts parts = compiled("\"mse\"");
  parts.model = sequentialModel(layerJson("BatchNormalization", "n", R"("batch_input_shape": [null, 3], "trainable": false, "scale": false, "center": false)"));
  parts.layers = {{"n", {{"n/moving_mean:0", ramp({3})}, {"n/moving_variance:0", ramp({3})}}}};
  const auto without = [&](const char* version) {
    parts.version = version;
    return warningsOf(kerasToGraph(kerasFile(parts)));
  };
  QVERIFY2(without("2.2.4-tf").contains("layer 'n' (BatchNormalization) is not trainable"), qPrintable(without("2.2.4-tf")));
  QVERIFY2(!without("2.11.0").contains("is not trainable"), qPrintable(without("2.11.0")));
}

void TestKerasModels::weightsOfNamesWithinNamesAreToldApart() {
  const std::string inner = R"({"class_name": "Sequential", "config": {"name": "inner", "layers": [)" +
                            layerJson("Dense", "fc", R"("batch_input_shape": [null, 3], "units": 2)") + ", " + layerJson("Dense", "fc/more", R"("units": 2)") +
                            "]}}";
  KerasParts parts{sequentialModel(inner), ""};
  parts.layers = {{"inner", {{"fc/kernel:0", ramp({3, 2})}, {"fc/bias:0", ramp({2})}, {"fc/more/kernel:0", ramp({2, 2})}, {"fc/more/bias:0", ramp({2})}}}};
  QCOMPARE(whyNot(parts), std::string());
}

void TestKerasModels::namedOutputsOfKeras3AreOutputs() {
  const auto dense = [](const char* name) {
    return concat(
        R"({"class_name": "Dense", "name": ")", name, R"(", "config": {"name": ")", name,
        R"(", "units": 2}, "inbound_nodes": [{"args": [{"class_name": "__keras_tensor__", "config": {"shape": [null, 3], "dtype": "float32", "keras_history": ["x", 0, 0]}}], "kwargs": {}}]})");
  };
  KerasParts parts;
  parts.version = "3.5.0";
  parts.model =
      R"({"class_name": "Functional", "config": {"name": "f", "layers": [{"class_name": "InputLayer", "name": "x", "config": {"batch_shape": [null, 3], "name": "x"}, "inbound_nodes": []}, )" +
      dense("p") + ", " + dense("q") + R"(], "input_layers": {"given": ["x", 0, 0]}, "output_layers": {"second": ["q", 0, 0], "first": ["p", 0, 0]}}})";
  for (const char* name : {"p", "q"}) parts.layers.push_back({name, {{"kernel", ramp({3, 2})}, {"bias", ramp({2})}}});
  const auto model = kerasToGraph(kerasFile(parts));
  QVERIFY2(model.ok(), model.ok() ? "" : model.error().message.c_str());
  const auto signatures = signaturesOf(*model->serialized());
  QVERIFY(signatures.ok());
  QCOMPARE((*signatures)[0].outputs.size(), size_t(2));
}

void TestKerasModels::changedModelsKeepTheOrderOfInputsAndOutputs() {
  const auto bytes = posixFileSystem().readAll(std::string(WEFT_SOURCE_DIR) + "/tests/golden/keras/input_order.h5");
  QVERIFY(bytes.ok());
  const auto model = kerasToGraph(*bytes);
  QVERIFY(model.ok());
  LoadedGraph loaded = graphOf(*model->serialized());
  GraphEditor editor(loaded.meta, loaded.problems);
  LayerEditor layers(editor);
  QVERIFY(layers.setParameter(*layers.find("z"), "activation", "tanh").ok());
  QVERIFY(layers.finish().ok());
  const auto written = graphToKeras(*serializeGraph(loaded.meta, GraphFormat::MetaBinary), {});
  QVERIFY2(written.ok(), written.ok() ? "" : written.error().message.c_str());
  QCOMPARE(namesIn(*written, "input_layers"), (QStringList{"b", "a"}));
  QCOMPARE(namesIn(*written, "output_layers"), (QStringList{"z", "c"}));
}

void TestKerasModels::namesOfWrittenLayersAreUnique() {
  MetaGraph meta;
  std::vector<Error> problems;
  GraphEditor editor(meta, problems);
  LayerEditor layers(editor);
  QVERIFY(editor.add("Placeholder", "a_b", {{"dtype", "float32"}, {"shape", "[?,3]"}}).ok());
  const auto flat = layers.add(*ApiRegistry::instance().findLayer("layers.flatten"), "a/b", {}, {{"", "a_b:0"}});
  QVERIFY2(flat.ok(), flat.ok() ? "" : flat.error().message.c_str());
  const auto last = layers.add(*ApiRegistry::instance().findLayer("nn.relu"), "", {}, {{"", layers.find(*flat)->outputs[0]}});
  QVERIFY(last.ok() && layers.finish().ok());
  const auto written = graphToKeras(*serializeGraph(meta, GraphFormat::MetaBinary), {});
  QVERIFY2(written.ok(), written.ok() ? "" : written.error().message.c_str());
  const auto again = kerasToGraph(*written);
  QVERIFY2(again.ok(), again.ok() ? "" : again.error().message.c_str());
  QVERIFY(graphOf(*again->serialized()).meta.graph.find("a_b_1/output") || graphOf(*again->serialized()).meta.graph.find("a_b_1"));
}

void TestKerasModels::whatIsLostWhenWritingIsNamed() {
  KerasParts parts = compiled("\"mse\"");
  std::vector<std::string> warnings;
  ModelExport what;
  what.warnings = &warnings;
  const auto without = kerasToGraph(kerasFile(parts));
  QVERIFY(without.ok() && graphToKeras(*without->serialized(), what).ok());
  QCOMPARE(warnings.size(), size_t(0));
  parts.optimizer = {{"SGD/iter:0", Tensor::scalar(int64_t(8))}};
  const auto with = kerasToGraph(kerasFile(parts));
  QVERIFY(with.ok() && graphToKeras(*with->serialized(), what).ok());
  QCOMPARE(warnings, std::vector<std::string>{"the optimizer's state is not written: a training of the file starts with a fresh one"});
  warnings.clear();
  LoadedGraph loaded = graphOf(*with->serialized());
  GraphEditor editor(loaded.meta, loaded.problems);
  LayerEditor layers(editor);
  QVERIFY(layers.setParameter(*layers.find("d"), "activation", "tanh").ok());
  QVERIFY(layers.finish().ok());
  QVERIFY(graphToKeras(*serializeGraph(loaded.meta, GraphFormat::MetaBinary), what).ok());
  QCOMPARE(warnings, std::vector<std::string>{"loss, metrics and optimizer are not written: compile the model before it is trained"});
}

QTEST_GUILESS_MAIN(TestKerasModels)
#include "tst_keras_models.moc"
