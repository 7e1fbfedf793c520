#include <QTest>
#include <chrono>

#include "support/hostile_graphs.h"
#include "support/opened_graph.h"
#include "weft/op.h"

using namespace weft;

namespace {

constexpr int kFilesOfEachOp = 12;
constexpr int kChains = 1500;

Node node(std::string name, std::string op, AttrMap attrs, std::vector<Output> inputs = {}, std::vector<DType> types = {DType::Int32}) {
  Node n;
  n.name = std::move(name);
  n.op = std::move(op);
  n.attrs = std::move(attrs);
  n.inputs = std::move(inputs);
  n.outputTypes = std::move(types);
  return n;
}
Node ints(std::string name, std::vector<int32_t> v) { return node(std::move(name), "Const", {{"dtype", DType::Int32}, {"value", Tensor::vector(v)}}); }
Node scalar(std::string name, int32_t v) { return node(std::move(name), "Const", {{"dtype", DType::Int32}, {"value", Tensor::scalar(v)}}); }

std::string fileOf(const std::vector<Node>& nodes) {
  MetaGraph meta;
  for (const Node& n : nodes) (void)meta.graph.add(n);
  auto bytes = serializeGraph(meta, GraphFormat::GraphBinary);
  return bytes.ok() ? *bytes : std::string();
}

}  // namespace

class TestHostileGraphs : public QObject {
  Q_OBJECT
 private slots:
  void valuesThatDoNotFit_data();
  void valuesThatDoNotFit();
  void nothingIsFoldedWhoseShapesFailed();
  void castsKeepTheirType();
  void sharedInputsAreAskedOnce();
  void namesOfSlashes();
  void moreSlicesThanAMaskSays();
  void countsBeyondAnInteger();
  void everyOp();
  void chains();
};

void TestHostileGraphs::valuesThatDoNotFit_data() {
  QTest::addColumn<QByteArray>("file");
  const auto add = [](const char* name, const std::vector<Node>& nodes) { QTest::newRow(name) << QByteArray::fromStdString(fileOf(nodes)); };
  const AttrMap t{{"T", DType::Int32}};
  const AttrMap range{{"Tidx", DType::Int32}}, fill{{"T", DType::Int32}, {"index_type", DType::Int32}}, slice{{"T", DType::Int32}, {"Index", DType::Int32}};
  // The reshape at the end checks the resulting shape.
  const auto asked = [](std::vector<Node> nodes, AttrMap = {}) {
    const int last = int(nodes.size()) - 1;
    nodes.push_back(ints("data", {1, 2, 3}));
    nodes.push_back(node("asks", "Reshape", {{"T", DType::Int32}, {"Tshape", DType::Int32}}, {{last + 1, 0}, {last, 0}}));
    return nodes;
  };
  add("a range from nothing", asked({ints("a", {}), scalar("b", 3), scalar("c", 1), node("r", "Range", range, {{0, 0}, {1, 0}, {2, 0}})}));
  add("a range to nothing", asked({scalar("a", 0), ints("b", {}), ints("c", {}), node("r", "Range", range, {{0, 0}, {1, 0}, {2, 0}})}));
  add("filled with nothing", asked({ints("a", {2}), ints("b", {}), node("f", "Fill", fill, {{0, 0}, {1, 0}})}));
  add("a slice that begins nowhere", asked({ints("a", {1, 2, 3}), ints("b", {}), ints("c", {1}), node("s", "Slice", slice, {{0, 0}, {1, 0}, {2, 0}})}));
  add("a slice without a size", asked({ints("a", {1, 2, 3}), ints("b", {0}), ints("c", {}), node("s", "Slice", slice, {{0, 0}, {1, 0}, {2, 0}})}));
  add("a quotient that traps",
      asked({node("a", "Const", {{"dtype", DType::Int64}, {"value", Tensor::vector<int64_t>({std::numeric_limits<int64_t>::min()})}}, {}, {DType::Int64}),
             node("b", "Const", {{"dtype", DType::Int64}, {"value", Tensor::vector<int64_t>({-1})}}, {}, {DType::Int64}),
             node("q", "FloorDiv", {{"T", DType::Int64}}, {{0, 0}, {1, 0}}, {DType::Int64}),
             node("c", "Cast", {{"SrcT", DType::Int64}, {"DstT", DType::Int32}}, {{2, 0}})}));
  add("a choice from too few", asked({node("c", "Const", {{"dtype", DType::Bool}, {"value", Tensor::vector<bool>({false, false, false})}}, {}, {DType::Bool}),
                                      ints("a", {1, 2, 3}), ints("b", {}), node("s", "Select", t, {{0, 0}, {1, 0}, {2, 0}})}));
}

/// An import either refuses the file or names the node with the error.
void TestHostileGraphs::valuesThatDoNotFit() {
  QFETCH(QByteArray, file);
  QVERIFY(!file.isEmpty());
  const OpenedGraph opened = openGraph(file.toStdString());
  QVERIFY(opened.loaded);
  QCOMPARE(opened.foldedAfterFailure, size_t(0));
}

void TestHostileGraphs::nothingIsFoldedWhoseShapesFailed() {
  // Concat of a matrix and a vector along a dim that neither has: the parts alone would make a list of three.
  const std::string file = fileOf({scalar("axis", 5), ints("a", {1}), ints("b", {2, 3}),
                                   node("c", "ConcatV2", {{"T", DType::Int32}, {"N", 2}, {"Tidx", DType::Int32}}, {{1, 0}, {2, 0}, {0, 0}})});
  const auto loaded = loadGraphBytes(std::make_shared<const std::string>(file), "g.pb");
  QVERIFY(loaded.ok());
  QCOMPARE(loaded->problems.size(), size_t(1));
  QCOMPARE(loaded->problems[0].node, std::string("c"));
  ConstantFolder folder(loaded->meta.graph);
  QVERIFY(!folder.value({3, 0}));
  QVERIFY(!staticValue(loaded->meta.graph, {3, 0}));
}

void TestHostileGraphs::castsKeepTheirType() {
  const std::string file = fileOf({node("b", "Const", {{"dtype", DType::Bool}, {"value", Tensor::vector<bool>({true})}}, {}, {DType::Bool}),
                                   node("c", "Cast", {{"SrcT", DType::Bool}, {"DstT", DType::Float}}, {{0, 0}}, {DType::Float})});
  const auto loaded = loadGraphBytes(std::make_shared<const std::string>(file), "g.pb");
  QVERIFY(loaded.ok());
  // Folding must give 1.
  const auto value = staticValue(loaded->meta.graph, {1, 0});
  QVERIFY(!value || value->asDouble(0) == 1);
}

/// Each of the nodes reads the one before twice: asked along every way there are 2^40 of them.
void TestHostileGraphs::sharedInputsAreAskedOnce() {
  std::vector<Node> nodes{scalar("axis", 0), ints("v0", {})};
  for (int i = 0; i < 40; ++i) {
    nodes.push_back(node("v" + std::to_string(i + 1), "ConcatV2", {{"T", DType::Int32}, {"N", 2}, {"Tidx", DType::Int32}}, {{i + 1, 0}, {i + 1, 0}, {0, 0}}));
  }
  const auto loaded = loadGraphBytes(std::make_shared<const std::string>(fileOf(nodes)), "g.pb");
  QVERIFY(loaded.ok());
  const auto begin = std::chrono::steady_clock::now();
  (void)staticValue(loaded->meta.graph, {41, 0});
  ConstantFolder folder(loaded->meta.graph);
  (void)folder.asShape({41, 0});
  QVERIFY(std::chrono::steady_clock::now() - begin < std::chrono::seconds(2));
}

/// Every level of scopes costs its full name: the output for one node must not grow quadratically with its name's length.
void TestHostileGraphs::namesOfSlashes() {
  std::string name = "a";
  for (int i = 0; i < 50000; ++i) name += "/a";
  const std::string file = fileOf({node(name, "NoOp", {}, {}, {}), node("b/c/d", "NoOp", {}, {}, {})});
  QVERIFY(openGraph(file).loaded);
  const auto loaded = loadGraphBytes(std::make_shared<const std::string>(file), "g.pb");
  QVERIFY(loaded.ok());
  const std::string dot = graphToDot(loaded->meta.graph, "g");
  QVERIFY(dot.size() < 10 * name.size());
  QVERIFY(dot.find("label=\"c\"") != std::string::npos);
}

/// The masks of a StridedSlice are of 32 bits: TensorFlow refuses longer lists.
void TestHostileGraphs::moreSlicesThanAMaskSays() {
  for (const int count : {31, 32, 70}) {
    const std::vector<int32_t> ones(size_t(count), 1);
    const std::string file = fileOf({ints("x", {1, 2}), ints("b", ones),
                                     node("s", "StridedSlice", {{"T", DType::Int32}, {"Index", DType::Int32}, {"new_axis_mask", (int64_t(1) << 31) - 1}},
                                          {{0, 0}, {1, 0}, {1, 0}, {1, 0}})});
    const auto loaded = loadGraphBytes(std::make_shared<const std::string>(file), "g.pb");
    QVERIFY(loaded.ok());
    QCOMPARE(loaded->problems.size(), size_t(count > 31));
    if (count > 31) QVERIFY(loaded->problems[0].message.find("Expected begin, end, and strides to be 1D equal size tensors") != std::string::npos);
  }
}

/// Two lists whose declared lengths are the maximum: their sum must not wrap around to a small number.
void TestHostileGraphs::countsBeyondAnInteger() {
  const OpRecord* record = OpRegistry::instance().find("DynamicStitch");
  QVERIFY(record);
  MemoryFiles files;
  files.files["g.pbtxt"] = std::make_shared<std::string>(
      "node { name: \"s\" op: \"DynamicStitch\" attr { key: \"N\" value { i: 9223372036854775807 } } attr { key: \"T\" value { type: DT_INT32 } } }\n");
  InspectOptions options;
  options.files = &files;
  const Inspection found = inspectPath("g.pbtxt", options);
  QVERIFY(!found.status.ok());
  QVERIFY2(found.status.error().message.find("expected 9223372036854775807") != std::string::npos, found.status.error().message.c_str());
}

void TestHostileGraphs::everyOp() {
  const auto records = OpRegistry::instance().all();
  size_t loaded = 0, problems = 0, ops = 0, failures = 0;
  for (size_t i = 0; i < records.size(); ++i) {
    bool any = false;
    for (int k = 0; k < kFilesOfEachOp; ++k) {
      hostile::Random r(uint64_t(i) * 1000003 + uint64_t(k));
      const OpenedGraph opened = openGraph(hostile::file(r, {records[i]}));
      any |= opened.loaded;
      loaded += opened.loaded;
      problems += opened.problems;
      failures += opened.foldedAfterFailure;
    }
    ops += any;
  }
  qInfo("%zu files of %zu ops let in, with %zu problems", loaded, ops, problems);
  QCOMPARE(failures, size_t(0));
  // Most must come through, or nothing was tried.
  QVERIFY(ops * 10 > records.size() * 8);
  QVERIFY(problems > loaded / 8);
}

/// Ops that shape functions look through, feeding one another.
void TestHostileGraphs::chains() {
  std::vector<const OpRecord*> ops;
  for (const char* name : {"Shape",        "ShapeN",
                           "Rank",         "Size",
                           "Cast",         "Add",
                           "Sub",          "Mul",
                           "FloorDiv",     "FloorMod",
                           "Maximum",      "Minimum",
                           "Neg",          "Abs",
                           "Reshape",      "ExpandDims",
                           "Squeeze",      "Pack",
                           "ConcatV2",     "Concat",
                           "Slice",        "StridedSlice",
                           "Range",        "Fill",
                           "Prod",         "Sum",
                           "Max",          "Min",
                           "All",          "Any",
                           "Select",       "GatherV2",
                           "Gather",       "DynamicStitch",
                           "ListDiff",     "InvertPermutation",
                           "ConcatOffset", "BroadcastGradientArgs",
                           "OnesLike",     "ZerosLike",
                           "Equal",        "Less",
                           "Identity",     "Tile",
                           "BroadcastTo",  "Transpose",
                           "Unpack",       "Split",
                           "SplitV",       "OneHot",
                           "Pad",          "SparseToDense",
                           "ScatterNd",    "Where",
                           "RandomUniform"}) {
    const OpRecord* record = OpRegistry::instance().find(name);
    QVERIFY2(record, name);
    ops.push_back(record);
  }
  size_t loaded = 0, folded = 0, failures = 0;
  for (int k = 0; k < kChains; ++k) {
    hostile::Random r{uint64_t(k)};
    std::vector<const OpRecord*> chain;
    for (int64_t n = 2 + hostile::draw(r, 6); n > 0; --n) chain.push_back(hostile::pick(r, ops));
    const OpenedGraph opened = openGraph(hostile::file(r, chain));
    loaded += opened.loaded;
    folded += opened.folded;
    failures += opened.foldedAfterFailure;
  }
  qInfo("%zu of %d files let in, %zu values folded", loaded, kChains, folded);
  QCOMPARE(failures, size_t(0));
  QVERIFY(loaded > size_t(kChains) / 4);
  QVERIFY(folded > 100);
}

QTEST_GUILESS_MAIN(TestHostileGraphs)
#include "tst_hostile_graphs.moc"
