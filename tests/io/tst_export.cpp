#include <QTest>
#include <nlohmann/json.hpp>

#include "memory_files.h"
#include "weft/freeze.h"
#include "weft/graph.h"
#include "weft/inspect.h"
#include "weft/saved_model.h"

using namespace weft;
using Json = nlohmann::json;

namespace {

const std::string kFiles = std::string(WEFT_SOURCE_DIR) + "/tests/golden/files/frozen/";

std::string fileBytes(const std::string& name) { return *posixFileSystem().readAll(kFiles + name); }

Json bodyOf(const std::string& graph) {
  MemoryFiles files;
  files.files["g.pb"] = std::make_shared<std::string>(graph);
  InspectOptions options;
  options.files = &files;
  return Json::parse(inspectPath("g.pb", options).json);
}

}  // namespace

/// Frozen graphs and SavedModels.
class ExportTest : public QObject {
  Q_OBJECT

 private slots:
  void frozenAsByTensorFlow_data() {
    QTest::addColumn<QString>("name");
    QTest::newRow("reference variables") << "ref";
    QTest::newRow("resource variables") << "resource";
  }
  void frozenAsByTensorFlow() {
    QFETCH(QString, name);
    const std::string n = name.toStdString();
    auto reader = CheckpointReader::open(kFiles + n);
    QVERIFY(reader.ok());
    FreezeOptions options;
    options.outputs = {"softmax"};
    const auto frozen = freezeGraph(fileBytes(n + ".meta"), valuesFromCheckpoint(**reader), options);
    QVERIFY2(frozen.ok(), frozen.ok() ? "" : frozen.error().toString().c_str());
    const auto mine = loadGraphBytes(std::make_shared<const std::string>(*frozen), "mine");
    const auto theirs = loadGraphBytes(std::make_shared<const std::string>(fileBytes(n + "_frozen.pb")), "theirs");
    QVERIFY2(mine.ok(), mine.ok() ? "" : mine.error().toString().c_str());
    QVERIFY(theirs.ok());
    QCOMPARE(mine->meta.graph.nodeCount(), theirs->meta.graph.nodeCount());
    for (int i = 0; i < mine->meta.graph.size(); ++i) {
      const Node &a = *mine->meta.graph.node(i), &b = *theirs->meta.graph.node(i);
      QCOMPARE(a.name, b.name);
      QCOMPARE(a.op, b.op);
      QVERIFY2(a.inputs == b.inputs && a.controls == b.controls, a.name.c_str());
      if (a.op == "Const") QVERIFY2(a.attrs.find("value")->get<Tensor>()->identicalTo(*b.attrs.find("value")->get<Tensor>()), a.name.c_str());
    }
  }

  void variablesThatStay() {
    auto reader = CheckpointReader::open(kFiles + "resource");
    FreezeOptions options;
    options.outputs = {"softmax"};
    options.keep = {"dense/kernel"};
    const auto frozen = freezeGraph(fileBytes("resource.meta"), valuesFromCheckpoint(**reader), options);
    QVERIFY(frozen.ok());
    const Json ops = bodyOf(*frozen)["graph"]["ops"];
    QCOMPARE(ops["VarHandleOp"].get<int>(), 1);
    QCOMPARE(ops["ReadVariableOp"].get<int>(), 1);
  }

  void outputsMustBeThere() {
    auto reader = CheckpointReader::open(kFiles + "ref");
    FreezeOptions options;
    QVERIFY(!freezeGraph(fileBytes("ref.meta"), valuesFromCheckpoint(**reader), options).ok());
    options.outputs = {"nowhere"};
    const auto frozen = freezeGraph(fileBytes("ref.meta"), valuesFromCheckpoint(**reader), options);
    QCOMPARE(frozen.error().message, std::string("nowhere is not in graph"));
  }

  void savedModel() {
    auto reader = CheckpointReader::open(kFiles + "ref");
    MemoryFiles files;
    SavedModelOptions options;
    options.files = &files;
    options.signatures.push_back({});
    options.signatures[0].inputs = {{"x", "image:0"}};
    options.signatures[0].outputs = {{"y", "softmax:0"}};
    QCOMPARE(int(writeSavedModel("model", fileBytes("ref.meta"), nullptr, options).code()), int(Code::FailedPrecondition));
    const Status status = writeSavedModel("model", fileBytes("ref.meta"), reader->get(), options);
    QVERIFY2(status.ok(), status.toString().c_str());
    QCOMPARE(int(writeSavedModel("model", fileBytes("ref.meta"), reader->get(), options).code()), int(Code::AlreadyExists));
    InspectOptions inspect;
    inspect.files = &files;
    const Json found = Json::parse(inspectPath("model/saved_model.pb", inspect).json);
    QCOMPARE(found["kind"].get<std::string>(), std::string("savedmodel"));
    QCOMPARE(found["variables"]["tensors"].size(), size_t(4));
    const Json y = found["meta_graphs"][0]["signatures"]["serving_default"]["outputs"]["y"];
    QCOMPARE(y["dtype"].get<std::string>(), std::string("float32"));
    QCOMPARE(y["name"].get<std::string>(), std::string("softmax:0"));
    options.signatures[0].outputs = {{"y", "nowhere:0"}};
    QVERIFY(!writeSavedModel("other", fileBytes("ref.meta"), reader->get(), options).ok());
    QVERIFY(!files.exists("other/saved_model.pb"));
  }
};

QTEST_GUILESS_MAIN(ExportTest)
#include "tst_export.moc"
