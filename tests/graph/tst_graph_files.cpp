#include <QtTest>

#include "weft/builder.h"
#include "weft/graph.h"
#include "weft/session.h"

using namespace weft;

class TestGraphFiles : public QObject {
  Q_OBJECT

 private slots:
  void bytesStayAsTheyWere();
  void rereadingIsWritingAndReading();
  void rereadingRefusesWhatReadingRefuses();
  void anEditedNodeAloneIsWrittenAnew();
  void textAndBinaryAreTheSame();
  void textReadersAgree_data();
  void textReadersAgree();
  void largeZerosAreRead();
  void unknownOpsAreKept();
  void errors_data();
  void errors();
  void cutAndBroken();
  void snapshots();
  void renamingReachesConsumers();
  void loopsInfer();
  void placeholdersOfOldGraphs();
  void statedShapes_data();
  void statedShapes();
  void runsBelieveNoStatedShapes();
};

namespace {

Result<LoadedGraph> load(const std::string& bytes) { return loadGraphBytes(std::make_shared<const std::string>(bytes), "graph"); }

// y = x + x with some functions' worth of attributes.
MetaGraph small() {
  MetaGraph meta;
  GraphBuilder b(meta);
  const Output x = b.placeholder(DType::Float, Shape{-1, 3}, "x");
  const Output w = b.constant(Tensor::vector<float>({1, 2, 3}), "w");
  const Output y = b.op("Mul", {x, w}, {}, "y");
  const auto wait = b.controlDependencies({y.node});
  b.noOp({}, "done");
  meta.collections["keep"].nodes = {"y:0"};
  meta.collections["bytes"].kind = Collection::Kind::Bytes;
  meta.collections["bytes"].bytes = {std::string("\0\1\2", 3)};
  return meta;
}

const void* valueOfW(const MetaGraph& meta) { return meta.graph.find("w")->attrs.find("value")->get<Tensor>()->raw(); }

}  // namespace

void TestGraphFiles::bytesStayAsTheyWere() {
  for (GraphFormat format : {GraphFormat::GraphBinary, GraphFormat::MetaBinary}) {
    const auto bytes = serializeGraph(small(), format);
    QVERIFY(bytes.ok());
    auto loaded = load(*bytes);
    QVERIFY2(loaded.ok(), loaded.ok() ? "" : loaded.error().toString().c_str());
    QVERIFY(loaded->format == format);
    QVERIFY(loaded->problems.empty());
    QVERIFY(*serializeGraph(loaded->meta, format) == *bytes);
    QVERIFY(*loaded->original == *bytes);
  }
}

void TestGraphFiles::rereadingIsWritingAndReading() {
  MetaGraph meta = small();
  GraphBuilder b(meta);
  const auto scope = b.nameScope("scope");
  const Output parts = b.op("Split", {b.scalar(int32_t(0), "axis"), b.placeholder(DType::Float, Shape{4}, "p")}, {{"num_split", int64_t(2)}}, "split");
  const auto wait = b.controlDependencies({meta.graph.find("w")->id, meta.graph.find("done")->id});
  b.op("Neg", {Output{parts.node, 1}}, {}, "second");
  QVERIFY(b.ok());
  Node own;
  own.name = "own";
  own.op = "NobodyKnows";
  own.inputs = {{meta.graph.find("y")->id, 0}};
  QVERIFY(meta.graph.add(std::move(own)).ok());
  // Shapes that somebody stated are not kept: no file has them.
  meta.graph.setOutputShapes(meta.graph.find("y")->id, {Shape{7, 3}});
  const std::string bytes = *serializeGraph(meta, GraphFormat::MetaBinary);
  const void* weights = valueOfW(meta);

  const auto read = load(bytes), reread = rereadGraph(meta, "graph");
  QVERIFY(read.ok() && reread.ok());
  QCOMPARE(*serializeGraph(reread->meta, GraphFormat::MetaBinary), bytes);
  QVERIFY(!reread->original && reread->format == GraphFormat::MetaBinary);
  QCOMPARE(reread->problems.size(), size_t(1));
  QCOMPARE(reread->problems[0].message, read->problems.at(0).message);
  QCOMPARE(reread->meta.graph.statesShapes, read->meta.graph.statesShapes);
  for (int id = 0; id < read->meta.graph.size(); ++id) {
    const Node &a = *read->meta.graph.node(id), &z = *reread->meta.graph.node(id);
    QCOMPARE(z.name, a.name);
    QVERIFY(z.inputs == a.inputs && z.controls == a.controls && z.outputTypes == a.outputTypes && z.outputShapes == a.outputShapes && z.record == a.record);
  }
  QCOMPARE(valueOfW(reread->meta), weights);  // shared, not copied
}

void TestGraphFiles::rereadingRefusesWhatReadingRefuses() {
  MetaGraph meta = small();
  QVERIFY(meta.graph.change(meta.graph.find("y")->id, [](Node& n) { n.inputs.pop_back(); }).ok());
  const auto read = load(*serializeGraph(meta, GraphFormat::MetaBinary)), reread = rereadGraph(meta, "graph");
  QVERIFY(!read.ok() && !reread.ok());
  QCOMPARE(reread.error().message, read.error().message);
  QCOMPARE(reread.error().file, std::string("graph"));
}

void TestGraphFiles::anEditedNodeAloneIsWrittenAnew() {
  auto loaded = load(*serializeGraph(small(), GraphFormat::MetaBinary));
  QVERIFY(loaded.ok());
  Graph& g = loaded->meta.graph;
  const int y = g.find("y")->id;
  const auto before = g.find("w")->raw;
  QVERIFY(g.change(y, [](Node& n) { n.device = "/device:CPU:0"; }).ok());
  QVERIFY(!g.find("y")->raw);
  QVERIFY(g.find("w")->raw == before);
  auto again = load(*serializeGraph(loaded->meta, GraphFormat::MetaBinary));
  QVERIFY(again.ok());
  QCOMPARE(again->meta.graph.find("y")->device, std::string("/device:CPU:0"));
  QCOMPARE(again->meta.collections.at("bytes").bytes[0].size(), size_t(3));
}

void TestGraphFiles::textAndBinaryAreTheSame() {
  const MetaGraph meta = small();
  const auto binary = serializeGraph(meta, GraphFormat::MetaBinary), text = serializeGraph(meta, GraphFormat::MetaText);
  QVERIFY(binary.ok() && text.ok());
  auto loaded = load(*text);
  QVERIFY2(loaded.ok(), loaded.ok() ? "" : loaded.error().toString().c_str());
  QVERIFY(loaded->format == GraphFormat::MetaText);
  QVERIFY(*serializeGraph(loaded->meta, GraphFormat::MetaBinary) == *binary);
}

// Text is read by a fast reader; where it meets anything unusual, by protobuf's. A semicolon is such a thing, so every text is read by both.
void TestGraphFiles::textReadersAgree_data() {
  QTest::addColumn<QString>("value");
  const auto row = [](const char* name, const char* value) { QTest::newRow(name) << QString::fromLatin1(value); };
  row("numbers", R"(attr { key: "i" value { i: -7 } } attr { key: "big" value { i: 9223372036854775807 } } attr { key: "z" value { i: 0 } })");
  row("floats",
      R"(attr { key: "f" value { f: 0.1 } } attr { key: "g" value { f: -1e-30 } } attr { key: "h" value { f: inf } } attr { key: "n" value { f: nan } })");
  row("zeros", R"(attr { key: "f" value { f: 0 } } attr { key: "b" value { b: false } } attr { key: "s" value { s: "" } } attr { key: "e" value { } })");
  row("unsorted keys", R"(attr { key: "z" value { b: true } } attr { key: "a" value { type: DT_INT32 } } attr { value { i: 1 } key: "m" })");
  row("unsorted fields",
      R"(device: "/cpu:0" attr { key: "t" value { tensor { float_val: 1.5 float_val: -2 tensor_shape { dim { size: 4 } } dtype: DT_FLOAT } } })");
  row("lists",
      R"(attr { key: "i" value { list { i: 1 i: -2 i: 300 } } } attr { key: "s" value { list { s: "a" s: "" } } } attr { key: "e" value { list { } } })");
  row("shapes", R"(attr { key: "s" value { list { shape { unknown_rank: true } shape { } shape { dim { size: -1 } dim { } } } } })");
  row("escapes", R"(attr { key: "s" value { s: "\001\377\n\"'\\" "and more" ' and more' } })");
  row("comments", "# one\nattr { # two\n key: 'k' value { s: 'no # comment' } }");
  row("int tensor", R"(attr { key: "t" value { tensor { dtype: DT_INT32 tensor_shape { dim { size: 3 } } int_val: -5 } } })");
  row("bytes tensor", R"(attr { key: "t" value { tensor { dtype: DT_FLOAT tensor_shape { dim { size: 1 } } tensor_content: "\000\000\200?" } } })");
  row("string tensor", R"(attr { key: "t" value { tensor { dtype: DT_STRING tensor_shape { dim { size: 2 } } string_val: "x" } } })");
  row("octal", R"(attr { key: "i" value { i: 010 } })");
  row("hexadecimal", R"(attr { key: "i" value { i: 0x10 } })");
  row("short list", R"(attr { key: "i" value { list { i: [1, 2] } } })");
  row("angle brackets", R"(attr < key: "i" value < i: 1 > >)");
  row("given twice", R"(attr { key: "i" value { i: 1 i: 2 } })");
  row("two of one", R"(attr { key: "i" value { i: 1 b: true } })");
  row("same key twice", R"(attr { key: "i" value { i: 1 } } attr { key: "i" value { i: 2 } })");
  row("unknown field", R"(attr { key: "i" value { what: 1 } })");
  row("not closed", R"(attr { key: "i" value { i: 1 })");
  row("too large", R"(attr { key: "i" value { i: 9223372036854775808 } })");
  row("newline in a string", "attr { key: \"i\" value { s: \"a\nb\" } }");
  row("wrong bytes", R"(attr { key: "t" value { tensor { dtype: DT_FLOAT tensor_shape { dim { size: 2 } } tensor_content: "abc" } } })");
}

void TestGraphFiles::textReadersAgree() {
  QFETCH(QString, value);
  const auto text = [&](const char* mark) { return "node { name: \"a\"" + std::string(mark) + " op: \"FromTheFuture\"\n" + value.toStdString() + " }"; };
  const auto fast = load(text(" ")), slow = load(text(";"));
  QCOMPARE(fast.ok(), slow.ok());
  if (!fast.ok()) {
    QCOMPARE(fast.error().toString(), slow.error().toString());
    QCOMPARE(fast.error().kind, slow.error().kind);
    return;
  }
  QVERIFY(*fast->meta.graph.find("a")->raw == *slow->meta.graph.find("a")->raw);
  const AttrMap &a = fast->meta.graph.find("a")->attrs, &b = slow->meta.graph.find("a")->attrs;
  QCOMPARE(a.size(), b.size());
  for (const auto& [name, attr] : a) {
    QVERIFY(b.find(name));
    if (name != "n") QVERIFY(attr == *b.find(name));  // NaN is not equal to itself
  }
}

void TestGraphFiles::largeZerosAreRead() {
  const auto loaded = load(R"(node { name: "z" op: "Const" attr { key: "dtype" value { type: DT_FLOAT } }
    attr { key: "value" value { tensor { dtype: DT_FLOAT tensor_shape { dim { size: 1000 } dim { size: 300 } } float_val: 0 } } } })");
  QVERIFY2(loaded.ok(), loaded.ok() ? "" : loaded.error().toString().c_str());
  const Tensor* z = loaded->meta.graph.find("z")->attrs.find("value")->get<Tensor>();
  QVERIFY(z && z->shape() == Shape({1000, 300}));
  QVERIFY(z->identicalTo(Tensor::zeros(DType::Float, {1000, 300})));
}

void TestGraphFiles::unknownOpsAreKept() {
  const std::string text = R"(
    node { name: "a" op: "FromTheFuture" attr { key: "list" value { list { i: 1 i: 2 } } } }
    node { name: "b" op: "FromTheFuture" input: "a:2" }
    node { name: "c" op: "Identity" input: "b" attr { key: "T" value { type: DT_FLOAT } } attr { key: "_note" value { s: "kept" } } })";
  auto loaded = load(text);
  QVERIFY2(loaded.ok(), loaded.ok() ? "" : loaded.error().toString().c_str());
  QCOMPARE(loaded->problems.size(), size_t(1));
  QVERIFY(loaded->problems[0].message.starts_with("Op type not registered 'FromTheFuture' (2 nodes)"));
  const Graph& g = loaded->meta.graph;
  QVERIFY(!g.find("a")->record);
  QCOMPARE(g.find("a")->outputTypes.size(), size_t(3));
  QVERIFY(g.find("b")->outputTypes[0] == DType::Float);
  QCOMPARE(g.find("c")->attrs.text("_note"), std::string("kept"));
  auto again = load(*serializeGraph(loaded->meta, GraphFormat::GraphBinary));
  QCOMPARE(again->meta.graph.find("a")->attrs.integers("list"), (std::vector<int64_t>{1, 2}));
  LoadOptions strict;
  strict.allowUnknownOps = false;
  QVERIFY(!loadGraphBytes(std::make_shared<const std::string>(text), "graph", strict).ok());
}

void TestGraphFiles::errors_data() {
  QTest::addColumn<QString>("text");
  QTest::addColumn<QString>("message");
  QTest::addColumn<QString>("kind");
  const QString x = R"(node { name: "x" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } } })";
  const QString type = R"(attr { key: "T" value { type: DT_FLOAT } })";
  QTest::newRow("duplicate") << x + x << "Node 'x' is not unique"
                             << "invalid_graph";
  QTest::newRow("empty name") << R"(node { op: "NoOp" })"
                              << "Node '': Node name contains invalid characters"
                              << "invalid_graph";
  QTest::newRow("bad name") << R"(node { name: "a b" op: "NoOp" })"
                            << "Node 'a b': Node name contains invalid characters"
                            << "invalid_graph";
  QTest::newRow("unknown input") << R"(node { name: "y" op: "Neg" input: "x" )" + type + "}"
                                 << "Node 'y': Unknown input node 'x'"
                                 << "invalid_graph";
  QTest::newRow("unknown control") << R"(node { name: "y" op: "NoOp" input: "^x" })"
                                   << "Unknown input node '^x'"
                                   << "invalid_graph";
  QTest::newRow("slot") << x + R"(node { name: "y" op: "Neg" input: "x:3" )" + type + "}"
                        << "Node 'y': Connecting to invalid output 3 of source node x which has 1 outputs"
                        << "invalid_graph";
  QTest::newRow("control first") << x + R"(node { name: "y" op: "Neg" input: "^x" input: "x" )" + type + "}"
                                 << "Control dependencies must come after regular dependencies"
                                 << "invalid_graph";
  QTest::newRow("dtype") << x + R"(node { name: "y" op: "Neg" input: "x" attr { key: "T" value { type: DT_INT32 } } })"
                         << "Input 0 of node y was passed float from x:0 incompatible with expected int32."
                         << "invalid_graph";
  QTest::newRow("missing attribute") << x + R"(node { name: "y" op: "Neg" input: "x" })"
                                     << "NodeDef missing attr 'T' from Op<name=Neg; signature=x:T -> y:T"
                                     << "invalid_graph";
  QTest::newRow("value not allowed") << x + R"(node { name: "y" op: "Neg" input: "x" attr { key: "T" value { s: "float" } } })"
                                     << "AttrValue had value with type 'string' when 'type' expected"
                                     << "invalid_graph";
  QTest::newRow("too many inputs") << x + R"(node { name: "y" op: "Neg" input: "x" input: "x" )" + type + "}"
                                   << "NodeDef expected inputs 'float' do not match 2 inputs specified"
                                   << "invalid_graph";
  QTest::newRow("cycle") << R"(node { name: "a" op: "Neg" input: "b" )" + type + R"(} node { name: "b" op: "Neg" input: "a" )" + type + "}"
                         << "contains a cycle"
                         << "invalid_graph";
  QTest::newRow("min consumer") << x + "versions { producer: 9000 min_consumer: 8000 }"
                                << "GraphDef min consumer version 8000 above current version 134"
                                << "unsupported_version";
  QTest::newRow("bad consumer") << x + "versions { producer: 134 bad_consumers: 134 }"
                                << "GraphDef disallows consumer version 134"
                                << "unsupported_version";
  QTest::newRow("tensor") << R"(node { name: "c" op: "Const" attr { key: "dtype" value { type: DT_FLOAT } } attr { key: "value" value { tensor {
    dtype: DT_FLOAT tensor_shape { dim { size: 2 } } tensor_content: "abc" } } } })"
                          << "Attribute 'value' of node 'c'"
                          << "invalid_tensor";
  QTest::newRow("syntax") << "node { name: }"
                          << "1:14:"
                          << "bad_syntax";
}

void TestGraphFiles::errors() {
  QFETCH(QString, text);
  QFETCH(QString, message);
  QFETCH(QString, kind);
  auto loaded = load(text.toStdString());
  QVERIFY(!loaded.ok());
  QVERIFY2(loaded.error().message.find(message.toStdString()) != std::string::npos, loaded.error().message.c_str());
  QCOMPARE(loaded.error().kind, kind.toStdString());
  QCOMPARE(loaded.error().file, std::string("graph"));
}

void TestGraphFiles::cutAndBroken() {
  const std::string bytes = *serializeGraph(small(), GraphFormat::MetaBinary);
  for (size_t n = 1; n < bytes.size(); ++n) {
    auto loaded = load(bytes.substr(0, n));  // must give an error or a smaller graph, never more
    if (loaded.ok()) QVERIFY(loaded->meta.graph.nodeCount() <= 4);
    else QVERIFY(!loaded.error().message.empty());
  }
  for (size_t i = 0; i < bytes.size(); ++i) {
    std::string broken = bytes;
    broken[i] = char(broken[i] ^ 0x55);
    auto loaded = load(broken);
    if (!loaded.ok()) QVERIFY(!loaded.error().message.empty());
  }
  QCOMPARE(load("version https://git-lfs.github.com/spec/v1\noid sha256:0\n").error().kind, std::string("not_downloaded"));
}

void TestGraphFiles::snapshots() {
  MetaGraph meta = small();
  const Graph before = meta.graph;
  QVERIFY(meta.graph.change(0, [](Node& n) { n.name = "renamed"; }).ok());
  QVERIFY(before.find("x") && !before.find("renamed"));
  QVERIFY(meta.graph.find("renamed") && !meta.graph.find("x"));
  QVERIFY(before.node(1) == meta.graph.node(1));
  QCOMPARE(meta.graph.remove(1).code(), Code::FailedPrecondition);
  QVERIFY(meta.graph.remove(meta.graph.find("done")->id).ok());
  QCOMPARE(meta.graph.nodeCount(), 3);
  QCOMPARE(before.nodeCount(), 4);
}

void TestGraphFiles::renamingReachesConsumers() {
  auto loaded = load(*serializeGraph(small(), GraphFormat::GraphBinary));
  Graph& g = loaded->meta.graph;
  QVERIFY(g.change(g.find("x")->id, [](Node& n) { n.name = "input"; }).ok());
  auto again = load(*serializeGraph(loaded->meta, GraphFormat::GraphBinary));
  QVERIFY2(again.ok(), again.ok() ? "" : again.error().toString().c_str());
  QCOMPARE(again->meta.graph.tensorName(again->meta.graph.find("y")->inputs[0]), std::string("input:0"));
  QCOMPARE(g.change(g.find("y")->id, [](Node& n) { n.name = "w"; }).code(), Code::AlreadyExists);
}

// A loop whose variable changes one dimension in each iteration: that dimension is unknown, the other is kept.
void TestGraphFiles::loopsInfer() {
  const std::string f = R"( attr { key: "T" value { type: DT_FLOAT } } )";
  const std::string text = R"(
    node { name: "x" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } } attr { key: "shape" value { shape { dim { size: 1 } dim { size: 2 } } } } }
    node { name: "enter" op: "Enter" input: "x" )" +
                           f + R"( attr { key: "frame_name" value { s: "f" } } }
    node { name: "merge" op: "Merge" input: "enter" input: "next" attr { key: "N" value { i: 2 } } )" +
                           f + R"( }
    node { name: "axis" op: "Const" attr { key: "dtype" value { type: DT_INT32 } } attr { key: "value" value { tensor { dtype: DT_INT32 tensor_shape { } int_val: 0 } } } }
    node { name: "twice" op: "ConcatV2" input: "merge" input: "merge" input: "axis" attr { key: "N" value { i: 2 } } )" +
                           f + R"( }
    node { name: "next" op: "NextIteration" input: "twice" )" +
                           f + R"( })";
  auto loaded = load(text);
  QVERIFY2(loaded.ok(), loaded.ok() ? "" : loaded.error().toString().c_str());
  const Graph& g = loaded->meta.graph;
  QCOMPARE(g.shape({g.find("merge")->id, 0}).toString(), std::string("[?,2]"));
}

void TestGraphFiles::placeholdersOfOldGraphs() {
  const std::string x = R"(node { name: "x" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } } attr { key: "shape" value { shape { } } } })";
  auto old = load(x + "versions { producer: 21 }"), now = load(x + "versions { producer: 134 }");
  QVERIFY(old.ok() && now.ok());
  QVERIFY(!old->meta.graph.node(0)->outputShapes[0].hasRank());
  QVERIFY(now->meta.graph.node(0)->outputShapes[0].isScalar());
}

// Shapes that a file states (as_graph_def(add_shapes=True)) and those that are inferred, together, as TensorFlow's importer has them.
void TestGraphFiles::statedShapes_data() {
  QTest::addColumn<QByteArray>("stated");
  QTest::addColumn<QByteArray>("shape");
  QTest::newRow("more") << QByteArray("shape { dim { size: 2 } dim { size: 3 } }") << QByteArray("[2,3]");
  QTest::newRow("less") << QByteArray("shape { dim { size: -1 } dim { size: -1 } }") << QByteArray("[?,3]");
  QTest::newRow("nothing") << QByteArray("shape { unknown_rank: true }") << QByteArray("[?,3]");
  QTest::newRow("a contradiction") << QByteArray("shape { dim { size: 2 } dim { size: 4 } }") << QByteArray("[?,3]");
  QTest::newRow("too many") << QByteArray("shape { dim { size: 2 } dim { size: 3 } } shape {}") << QByteArray("[?,3]");
}

std::string withStatedShape(const std::string& shape) {
  return "node { name: 'x' op: 'Placeholder' attr { key: 'dtype' value { type: DT_FLOAT } } "
         "attr { key: 'shape' value { shape { dim { size: -1 } dim { size: 3 } } } } } "
         "node { name: 'y' op: 'Neg' input: 'x' attr { key: 'T' value { type: DT_FLOAT } } "
         "attr { key: '_output_shapes' value { list { " +
         shape +
         " } } } } "
         "node { name: 'z' op: 'Abs' input: 'y' attr { key: 'T' value { type: DT_FLOAT } } } "
         "node { name: 's' op: 'Shape' input: 'z' attr { key: 'T' value { type: DT_FLOAT } } attr { key: 'out_type' value { type: DT_INT32 } } } "
         "versions { producer: 134 }";
}

void TestGraphFiles::statedShapes() {
  QFETCH(QByteArray, stated);
  QFETCH(QByteArray, shape);
  auto loaded = load(withStatedShape(stated.toStdString()));
  QVERIFY2(loaded.ok(), loaded.ok() ? "" : loaded.error().toString().c_str());
  for (const char* name : {"y:0", "z:0"}) {
    QCOMPARE(loaded->meta.graph.shape(*loaded->meta.graph.findOutput(name)).toString(), shape.toStdString());
  }
}

void TestGraphFiles::runsBelieveNoStatedShapes() {
  auto loaded = load(withStatedShape("shape { dim { size: 2 } dim { size: 3 } }"));
  QVERIFY(loaded.ok());
  auto session = Session::create(loaded->meta.graph);
  QVERIFY(session.ok());
  const auto values = (*session)->run({{"x:0", Tensor::zeros(DType::Float, Shape{5, 3})}}, {"s:0"});
  QVERIFY2(values.ok(), values.ok() ? "" : values.error().toString().c_str());
  QCOMPARE((*values)[0].at<int32_t>(0), 5);
}

QTEST_GUILESS_MAIN(TestGraphFiles)
#include "tst_graph_files.moc"
