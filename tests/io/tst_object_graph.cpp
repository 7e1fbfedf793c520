// Objects of TensorFlow 2: descriptions in checkpoints, restoring by full names, SavedModels with functions.
#include <QTest>
#include <nlohmann/json.hpp>
#include <random>

#include "memory_files.h"
#include "weft/compare.h"
#include "weft/freeze.h"
#include "weft/inspect.h"
#include "weft/object_graph.h"
#include "weft/saved_model.h"
#include "weft/session.h"
#include "weft/train.h"

using namespace weft;
using Json = nlohmann::json;

namespace {

const std::string kRoot = std::string(WEFT_SOURCE_DIR);
const std::string kModels = kRoot + "/tests/golden/files/tf2_models/";

std::string field(int number, const std::string& bytes) {
  std::string out(1, char(number << 3 | 2));
  size_t size = bytes.size();
  for (; size >= 128; size >>= 7) out += char(size | 128);
  return out + char(size) + bytes;
}
std::string number(int field, int value) {
  std::string out(1, char(field << 3));
  unsigned rest = unsigned(value);
  for (; rest >= 128; rest >>= 7) out += char(rest | 128);
  return out + char(rest);
}
/// An object with a child.
std::string parentOf(int child, const std::string& name) { return field(1, field(1, number(1, child) + field(2, name))); }

std::string errorOf(const Result<std::vector<CheckpointObject>>& objects) { return objects.ok() ? "" : objects.error().message; }

const CheckpointObject* at(const std::vector<CheckpointObject>& objects, const std::string& path) {
  for (const CheckpointObject& o : objects)
    if (o.path == path) return &o;
  return nullptr;
}

Json inspected(const std::string& path, FileSystem* files = nullptr) {
  InspectOptions options;
  options.files = files;
  return Json::parse(inspectPath(path, options).json);
}

/// The element of a list of objects that has this name.
Json named(const Json& list, const std::string& name) {
  for (const Json& one : list)
    if (one["name"] == name) return one;
  return Json::object();
}

struct Model {
  SavedModelContents contents;
  std::unique_ptr<Session> session;
};
/// A model that is ready to run.
Model loaded(const std::string& name) {
  Model out{readSavedModel(kModels + name).value(), nullptr};
  out.session = Session::create(out.contents.meta.graph, {}).value();
  if (const Status s = restoreVariables(*out.session, out.contents.meta, out.contents.checkpoint); !s.ok()) qFatal("%s", s.toString().c_str());
  std::vector<std::pair<std::string, Tensor>> feeds;
  for (const auto& [tensor, path] : out.contents.assets) feeds.emplace_back(tensor, Tensor::scalar(path.c_str()));
  if (!out.contents.initOp.empty())
    if (const Status s = out.session->run(feeds, {}, {out.contents.initOp}).status(); !s.ok()) qFatal("%s", s.toString().c_str());
  return out;
}
std::string tensorOf(const std::vector<std::pair<std::string, std::string>>& tensors, const std::string& name) {
  for (const auto& [key, tensor] : tensors)
    if (key == name) return tensor;
  return {};
}
/// An output of a signature, as text.
std::string output(const Model& m, const std::string& key, const std::vector<std::pair<std::string, Tensor>>& inputs, const std::string& name) {
  const ModelSignature* s = m.contents.signature(key);
  if (!s) return "no signature " + key;
  std::vector<std::pair<std::string, Tensor>> feeds;
  for (const auto& [input, value] : inputs) feeds.emplace_back(tensorOf(s->inputs, input), value);
  const auto values = m.session->run(feeds, {tensorOf(s->outputs, name)});
  return values.ok() ? (*values)[0].toString() : values.error().message;
}
Tensor floats(const Shape& shape, std::initializer_list<float> values) {
  Tensor out = Tensor::zeros(DType::Float, shape);
  std::copy(values.begin(), values.end(), out.mutableData<float>());
  return out;
}

/// A graph of variables without a saver.
MetaGraph variables(const std::vector<std::pair<std::string, std::string>>& namesAndDims) {
  std::string text;
  for (const auto& [name, dims] : namesAndDims) {
    text += "node { name: \"" + name + "\" op: \"VariableV2\" attr { key: \"dtype\" value { type: DT_FLOAT } } attr { key: \"shape\" value { shape { ";
    for (const char c : dims) text += std::string("dim { size: ") + c + " } ";
    text += "} } } }\n";
  }
  return loadGraphBytes(std::make_shared<const std::string>(text), "graph").value().meta;
}
std::string restoreError(const MetaGraph& meta, const std::string& prefix) {
  const auto session = Session::create(meta.graph, {}).value();
  const Status s = restoreVariables(*session, meta, prefix);
  return s.ok() ? "" : s.error().message;
}

}  // namespace

class ObjectGraphTest : public QObject {
  Q_OBJECT

 private slots:
  void objectsHavePathsAndNames() {
    const auto reader = CheckpointReader::open(kModels + "keras_v2/variables/variables").value();
    const auto objects = readObjectGraph(*reader).value();
    QVERIFY(objects.size() > 10);
    const CheckpointObject* kernel = at(objects, "_layers/1/_kernel");
    QVERIFY(kernel && kernel->values.size() == 1);
    QCOMPARE(kernel->values[0].name, std::string("VARIABLE_VALUE"));
    QCOMPARE(kernel->values[0].fullName, std::string("sequential/d/kernel"));
    QCOMPARE(kernel->values[0].key, std::string("_layers/1/_kernel/.ATTRIBUTES/VARIABLE_VALUE"));
  }
  void slotsAreNamedAfterTheirVariable() {
    const auto reader = CheckpointReader::open(kRoot + "/app/python/tests/object_checkpoint/stored-1").value();
    const auto objects = readObjectGraph(*reader).value();
    int found = 0;
    for (const CheckpointObject& o : objects) {
      for (const auto& slot : o.slotVariables) {
        ++found;
        const CheckpointObject& value = objects[size_t(slot.object)];
        QCOMPARE(value.path, objects[size_t(slot.variable)].path + "/.OPTIMIZER_SLOT/" + o.path + "/" + slot.name);
        QCOMPARE(value.values[0].key, value.path + "/.ATTRIBUTES/VARIABLE_VALUE");
      }
    }
    QVERIFY(found > 0);
  }
  void otherCheckpointsHaveNone() {
    const auto reader = CheckpointReader::open(kRoot + "/tests/golden/files/checkpoints/v2_all_dtypes").value();
    QCOMPARE(readObjectGraph(*reader).error().code, Code::NotFound);
  }

  void referencesToNowhere() {
    QCOMPARE(errorOf(parseObjectGraph(parentOf(7, "x"))), std::string("object 0 refers to object 7, but there are 1"));
    const std::string slot = field(1, field(3, number(1, 0) + field(2, "m") + number(3, 9)));
    QCOMPARE(errorOf(parseObjectGraph(slot)), std::string("object 0 refers to object 9, but there are 1"));
    QVERIFY(parseObjectGraph("").value().empty());
    QCOMPARE(parseObjectGraph("\x0a\x7f").error().code, Code::DataLoss);
  }
  void cyclesAndDeepChainsEnd() {
    const auto cycle = parseObjectGraph(parentOf(1, "a") + parentOf(0, "back")).value();
    QCOMPARE(cycle[1].path, std::string("a"));
    std::string chain;
    const std::string name(100, 'n');
    for (int i = 0; i < 20000; ++i) chain += parentOf(i + 1, name);
    chain += field(1, "");
    QCOMPARE(errorOf(parseObjectGraph(chain)), std::string("the paths of the objects are longer than 64 MB"));
  }
  void damagedDescriptions() {
    const auto reader = CheckpointReader::open(kModels + "keras_v2/variables/variables").value();
    const std::string bytes = *reader->read(kObjectGraphKey).value().data<std::string>();
    for (size_t size = 0; size < bytes.size(); ++size) {
      const auto cut = parseObjectGraph(std::string_view(bytes).substr(0, size));
      if (!cut.ok()) QVERIFY2(cut.error().kind == "truncated" || cut.error().kind == "malformed", cut.error().kind.c_str());
    }
    std::mt19937 random(7);
    for (int i = 0; i < 3000; ++i) {
      std::string changed = bytes;
      for (int k = 0; k < 3; ++k) changed[random() % changed.size()] = char(random());
      const auto objects = parseObjectGraph(changed);
      if (!objects.ok()) QCOMPARE(objects.error().code, Code::DataLoss);
    }
  }

  void reportsOfCheckpoints() {
    const Json report = inspected(kModels + "several_v2/variables/variables.index");
    QVERIFY(report["object_count"].get<int>() > 10);
    const Json w = named(report["objects"], "dense/w");
    QCOMPARE(w["full_name"].get<std::string>(), std::string("w"));
    QCOMPARE(w["values"][0]["key"].get<std::string>(), std::string("dense/w/.ATTRIBUTES/VARIABLE_VALUE"));
    const Json optimized = inspected(kRoot + "/app/python/tests/object_checkpoint/stored-1.index")["objects"];
    QVERIFY(std::any_of(optimized.begin(), optimized.end(), [](const Json& o) { return o.contains("slots"); }));
  }
  void reportsOfModels() {
    const Json report = inspected(kModels + "several_v2");
    QVERIFY(!report.contains("problems"));
    const Json meta = report["meta_graphs"][0];
    const Json& objects = meta["objects"];
    QCOMPARE(int(objects.size()), meta["object_graph_nodes"].get<int>());
    QCOMPARE(named(objects, "(root)")["type"].get<std::string>(), std::string("object"));
    const Json weight = {{"name", "dense/w"}, {"type", "variable"}, {"dtype", "float32"}, {"shape", {3, 2}}, {"trainable", true}, {"full_name", "w"}};
    QCOMPARE(named(objects, "dense/w").dump(), weight.dump());
    QCOMPARE(named(objects, "step")["trainable"].get<bool>(), false);
    QCOMPARE(named(objects, "words")["file"].get<std::string>(), std::string("words.txt"));
    QCOMPARE(named(objects, "table")["type"].get<std::string>(), std::string("resource"));
    const Json affine = named(objects, "affine");
    QCOMPARE(affine["type"].get<std::string>(), std::string("function"));
    const Json function = named(meta["functions"], affine["functions"][0].get<std::string>());
    QCOMPARE(function["arguments"].get<std::string>(), std::string("((x: float32[?,3]), {})"));
    QCOMPARE(function["result"].get<std::string>(), std::string("{y: float32[?,2]}"));
    QCOMPARE(function["uses"].dump(), std::string("[\"dense/w\",\"dense/b\"]"));
  }
  void damagedModels() {
    MemoryFiles files;
    const std::string bytes = posixFileSystem().readAll(kModels + "several_v2/saved_model.pb").value();
    std::mt19937 random(11);
    for (int i = 0; i < 150; ++i) {
      std::string changed = bytes;
      if (i % 3 == 0) changed.resize(random() % changed.size());
      else
        for (int k = 0; k < 3; ++k) changed[changed.size() - 1 - random() % (changed.size() / 3)] = char(random());  // the objects come last
      files.files["m/saved_model.pb"] = std::make_shared<std::string>(changed);
      files.folders.insert("m");
      QVERIFY(inspected("m", &files).is_object());
    }
  }

  void signaturesComputeWhatTensorFlowComputes() {
    const Model m = loaded("several_v2");
    const Tensor x = floats({1, 3}, {1, 2, 3});
    QCOMPARE(output(m, "affine", {{"x", x}}, "y"), std::string("float32 [1,2] [[4.5 4.5]]"));
    QCOMPARE(output(m, "scaled", {{"x", x}}, "y"), std::string("float32 [1,2] [[9 9]]"));
    QCOMPARE(output(m, "loop", {{"x", Tensor::scalar(3.0f)}, {"n", Tensor::scalar(int32_t(5))}}, "x"), std::string("float32 [] 6"));
    Tensor words = Tensor::zeros(DType::String, {2});
    words.mutableData<std::string>()[0] = "cat";
    words.mutableData<std::string>()[1] = "sat";
    QCOMPARE(output(m, "mean", {{"words", words}}, "ids"), std::string("int64 [2] [1 2]"));
    QCOMPARE(output(m, "mean", {{"words", words}}, "mean"), std::string("float32 [2] [3 4]"));
  }
  /// Keras 3 saves a model whose functions read variables that the saver does not restore: their values are those of the objects with their names.
  void variablesThatTheSaverLeavesOut() {
    const Model m = loaded("keras_v2");
    QCOMPARE(output(m, "serving_default", {{"inputs", floats({1, 2}, {1, -1})}}, "output_0"), std::string("float32 [1,2] [[3 4]]"));
  }

  void freezingInlinesCalls() {
    for (const auto& [model, key, input, x, want] : std::vector<std::tuple<std::string, std::string, std::string, Tensor, std::string>>{
             {"several_v2", "affine", "x", floats({1, 3}, {1, 2, 3}), "float32 [1,2] [[4.5 4.5]]"},
             {"several_v2", "scaled", "x", floats({1, 3}, {1, 2, 3}), "float32 [1,2] [[9 9]]"},
             {"keras_v2", "serving_default", "inputs", floats({1, 2}, {1, -1}), "float32 [1,2] [[3 4]]"}}) {
      const SavedModelContents contents = readSavedModel(kModels + model).value();
      const ModelSignature& s = *contents.signature(key);
      const std::string name = key == "serving_default" ? "output_0" : "y", fetch = tensorOf(s.outputs, name);
      const auto reader = CheckpointReader::open(contents.checkpoint).value();
      const std::string bytes = serializeGraph(contents.meta, GraphFormat::GraphBinary).value();
      FreezeOptions options;
      options.outputs = {fetch.substr(0, fetch.find(':'))};
      const auto frozen = freezeGraph(bytes, valuesFromCheckpoint(*reader), options);
      QVERIFY2(frozen.ok(), frozen.ok() ? "" : frozen.error().toString().c_str());
      const Graph graph = loadGraphBytes(std::make_shared<const std::string>(*frozen), "frozen").value().meta.graph;
      QVERIFY(!graph.functions);
      for (int id = 0; id < graph.size(); ++id)
        if (graph.node(id))
          QVERIFY2(graph.node(id)->op.find("Var") == std::string::npos && graph.node(id)->op.find("Call") == std::string::npos, graph.node(id)->op.c_str());
      const auto session = Session::create(graph, {}).value();
      const auto values = session->run({{tensorOf(s.inputs, input), x}}, {fetch});
      QVERIFY2(values.ok(), values.ok() ? "" : values.error().toString().c_str());
      QCOMPARE((*values)[0].toString(), want);
    }
  }
  void freezingRefusesVariablesInLoops() {
    const SavedModelContents contents = readSavedModel(kModels + "several_v2").value();
    const std::string fetch = tensorOf(contents.signature("loop")->outputs, "x");
    const auto reader = CheckpointReader::open(contents.checkpoint).value();
    FreezeOptions options;
    options.outputs = {fetch.substr(0, fetch.find(':'))};
    const auto frozen = freezeGraph(serializeGraph(contents.meta, GraphFormat::GraphBinary).value(), valuesFromCheckpoint(*reader), options);
    QVERIFY(!frozen.ok());
    QCOMPARE(frozen.error().message, std::string("the variable step cannot be frozen: While uses it, and only reads can become constants"));
  }

  void graphsRestoreByFullNames() {
    const std::string prefix = kModels + "several_v2/variables/variables";
    const MetaGraph meta = variables({{"w", "32"}, {"embeddings", "42"}});
    const auto session = Session::create(meta.graph, {}).value();
    const Status s = restoreVariables(*session, meta, prefix);
    QVERIFY2(s.ok(), s.ok() ? "" : s.toString().c_str());
    QCOMPARE(session->variables().at("w").toString(), std::string("float32 [3,2] [[0 0.25] [0.5 0.75] [1 1.25]]"));
    const GraphMatch match = matchCheckpoint(meta.graph, *CheckpointReader::open(prefix).value());
    QVERIFY(match.canRestore());
    QCOMPARE(match.variables[0].storedAs, std::string("dense/w/.ATTRIBUTES/VARIABLE_VALUE"));
  }
  void namesThatAreMissingOrNotUnique() {
    const std::string prefix = kModels + "several_v2/variables/variables";
    QCOMPARE(restoreError(variables({{"w", "32"}, {"v", "3"}}), prefix),
             std::string("variable v is not in the object-based checkpoint, neither as keys nor as names of objects; it has b, embeddings, step, w"));
    QCOMPARE(restoreError(variables({{"w", "33"}}), prefix), std::string("variable w is float32[3,2] in the checkpoint, the graph wants float32[3,3]"));
    const std::string error = restoreError(variables({{"Variable", "2"}}), kRoot + "/tests/golden/files/checkpoints/object_based");
    QVERIFY2(error.find("variable Variable is not unique: several objects of the checkpoint have this name, with the keys ") == 0, error.c_str());
  }
};

QTEST_GUILESS_MAIN(ObjectGraphTest)
#include "tst_object_graph.moc"
