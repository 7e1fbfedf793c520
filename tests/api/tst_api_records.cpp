#include <QtTest>

#include <set>

#include "weft/api.h"

using namespace weft;

// Properties of every API function, checked over their records; and the conversion of arguments to tensors.
class TestApiRecords : public QObject {
  Q_OBJECT

 private slots:
  void documented();
  void defaults();
  void names();
  void literals();
  void packedLists();
  void deprecatedSpellings();
  void errors_data();
  void errors();
};

namespace {

std::string built(GraphBuilder& b, std::string_view name, Arguments a) {
  auto v = buildApi(b, name, std::move(a));
  return !v.ok() ? v.error().toString() : v->outputs.empty() ? std::string() : b.graph().tensorName(v->outputs[0]);
}

}  // namespace

void TestApiRecords::documented() {
  QVERIFY(ApiRegistry::instance().functions().size() > 250);
  for (const ApiRecord* r : ApiRegistry::instance().all()) {
    QVERIFY2(!r->summary.empty() && !r->returns.empty() && !r->source.empty() && r->build, r->name.c_str());
    for (const ApiParameter& p : r->parameters) QVERIFY2(!p.doc.empty(), (r->name + " " + p.name).c_str());
  }
}

void TestApiRecords::defaults() {
  static const std::set<std::string> kTypes = {"tensor", "tensors", "sparse", "variable", "string", "int",    "float",    "bool", "dtype",
                                               "shape",  "ints",    "floats", "strings",  "dtypes", "shapes", "callback", "any"};
  static const std::set<std::string> kTexts = {"string", "int", "float", "bool", "dtype", "shape", "ints"};
  for (const ApiRecord* r : ApiRegistry::instance().all()) {
    for (const ApiParameter& p : r->parameters) {
      const std::string what = r->name + " " + p.name + ": " + p.type;
      QVERIFY2(kTypes.count(p.type), what.c_str());
      if (!p.otherwise || std::holds_alternative<std::monostate>(*p.otherwise) || !kTexts.count(p.type)) continue;
      const auto again = argumentFromText(p, argumentToText(*p.otherwise));
      QVERIFY2(again.ok(), what.c_str());
      QCOMPARE(argumentToText(*again), argumentToText(*p.otherwise));
    }
  }
}

void TestApiRecords::names() {
  std::set<std::string> seen;
  for (const ApiRecord* r : ApiRegistry::instance().all()) {
    if (r->recipe) continue;
    QVERIFY2(seen.insert(r->name).second, r->name.c_str());
    for (const std::string& alias : r->aliases) QVERIFY2(seen.insert(alias).second, alias.c_str());
    std::set<std::string> parameters;
    for (const ApiParameter& p : r->parameters) QVERIFY2(parameters.insert(p.name).second, (r->name + " " + p.name).c_str());
  }
}

void TestApiRecords::literals() {
  MetaGraph meta;
  GraphBuilder b(meta);
  const Output x = b.placeholder(DType::Float, Shape{2, 3}, "x");
  QCOMPARE(built(b, "multiply", {{"x", x}, {"y", int64_t(2)}}), std::string("Mul:0"));
  const Node* y = meta.graph.find("Mul/y");
  QVERIFY(y);
  QVERIFY(y->attrs.type("dtype") == DType::Float);
  QCOMPARE(built(b, "add", {{"x", int64_t(1)}, {"y", int64_t(2)}}), std::string("Add:0"));
  QVERIFY(meta.graph.find("Add/x")->attrs.type("dtype") == DType::Int32);
  QCOMPARE(built(b, "sqrt", {{"x", 2.0}}), std::string("Sqrt:0"));
  QVERIFY(meta.graph.find("Sqrt/x")->attrs.type("dtype") == DType::Float);
}

void TestApiRecords::packedLists() {
  MetaGraph meta;
  GraphBuilder b(meta);
  const Output x = b.placeholder(DType::Float, Shape{2, 3}, "x"), n = b.placeholder(DType::Int32, Shape{}, "n");
  QCOMPARE(built(b, "reshape", {{"tensor", x}, {"shape", ArgumentList{n, int64_t(-1)}}}), std::string("Reshape:0"));
  QVERIFY(meta.graph.find("Reshape/shape"));
  QCOMPARE(meta.graph.find("Reshape/shape")->op, std::string("Pack"));
  QCOMPARE(meta.graph.find("Reshape/shape/1")->op, std::string("Const"));
  QCOMPARE(built(b, "stack", {{"values", ArgumentList{int64_t(1), int64_t(2)}}}), std::string("stack:0"));
  QCOMPARE(meta.graph.find("stack")->op, std::string("Const"));
}

void TestApiRecords::deprecatedSpellings() {
  MetaGraph meta;
  GraphBuilder b(meta);
  const Output x = b.placeholder(DType::Float, Shape{2, 1}, "x");
  QCOMPARE(built(b, "expand_dims", {{"input", x}, {"dim", int64_t(0)}}), std::string("ExpandDims:0"));
  QCOMPARE(built(b, "squeeze", {{"input", x}, {"squeeze_dims", std::vector<int64_t>{1}}}), std::string("Squeeze:0"));
  QCOMPARE(built(b, "mul", {{"x", x}, {"y", x}}), std::string("Mul:0"));
  auto both = buildApi(b, "squeeze", {{"input", x}, {"squeeze_dims", std::vector<int64_t>{1}}, {"axis", std::vector<int64_t>{1}}});
  QCOMPARE(both.error().message, std::string("Cannot specify both 'squeeze_dims' and 'axis'"));
}

void TestApiRecords::errors_data() {
  QTest::addColumn<QString>("function");
  QTest::addColumn<QString>("kind");
  QTest::addColumn<QString>("message");
  QTest::newRow("types") << "add"
                         << "TypeError"
                         << "Input 'y' of 'Add' Op has type int32 that does not match type float32 of argument 'x'.";
  QTest::newRow("allowed")
      << "sqrt"
      << "TypeError"
      << "Value passed to parameter 'x' has DataType int32 not in list of allowed values: bfloat16, float16, float32, float64, complex64, complex128";
  QTest::newRow("text")
      << "less"
      << "TypeError"
      << "Expected float32 passed to parameter 'y' of op 'Less', got 'a' of type 'str' instead. Error: Expected float32, got 'a' of type 'str' instead.";
}

void TestApiRecords::errors() {
  QFETCH(QString, function);
  QFETCH(QString, kind);
  QFETCH(QString, message);
  MetaGraph meta;
  GraphBuilder b(meta);
  const Output f = b.placeholder(DType::Float, Shape{2}, "f"), i = b.placeholder(DType::Int32, Shape{2}, "i");
  Arguments a = {{"x", f}, {"y", i}};
  if (function == "sqrt") a = {{"x", i}};
  if (function == "less") a = {{"x", f}, {"y", std::string("a")}};
  auto v = buildApi(b, function.toStdString(), std::move(a));
  QVERIFY(!v.ok());
  QCOMPARE(QString::fromStdString(v.error().message), message);
  QCOMPARE(QString::fromStdString(v.error().kind), kind);
}

QTEST_GUILESS_MAIN(TestApiRecords)
#include "tst_api_records.moc"
