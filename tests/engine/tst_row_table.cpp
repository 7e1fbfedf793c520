// Rows in columns: filters as people type them, stable sorts, sums, text; and the variables of graphs.
#include <QTest>
#include <cmath>

#include "weft/builder.h"
#include "weft/row_table.h"
#include "weft/variables.h"

using namespace weft;

namespace {

RowTable nodes() {
  struct Row {
    const char *name, *op, *shape;
    double bytes;
  };
  const Row rows[] = {{"conv10/w", "VariableV2", "[5,5,1,32]", 3200},
                      {"conv2/w", "VariableV2", "[?,10]", NAN},
                      {"conv2/MatMul", "MatMul", "[?,10]", 4e6},
                      {"in, out", "Placeholder", nullptr, 0},
                      {"loss", "Mean", "[]", 4}};
  RowColumnBuilder name("name", QueryType::Text), op("op", QueryType::Text), shape("shape", QueryType::Text), bytes("bytes", QueryType::Integer);
  for (const Row& r : rows) {
    name.add(std::string_view(r.name));
    op.add(std::string_view(r.op));
    r.shape ? shape.add(std::string_view(r.shape)) : shape.addNone();
    bytes.add(r.bytes);
  }
  RowTable out;
  for (RowColumnBuilder* c : {&name, &op, &shape, &bytes}) out.add(c->take());
  return out;
}

std::string shown(const RowTable& table, const std::vector<int32_t>& rows) {
  std::string out;
  for (const int32_t row : rows) out += (out.empty() ? "" : " ") + table.columns()[0].text(row);
  return out;
}

}  // namespace

class TestRowTable : public QObject {
  Q_OBJECT

 private slots:
  void filters_data() {
    QTest::addColumn<QString>("filter");
    QTest::addColumn<QString>("rows");
    const auto add = [](const char* filter, const char* rows) { QTest::newRow(filter) << QString::fromUtf8(filter) << QString::fromUtf8(rows); };
    add("", "conv10/w conv2/w conv2/MatMul in, out loss");
    add("  ", "conv10/w conv2/w conv2/MatMul in, out loss");
    add("CONV", "conv10/w conv2/w conv2/MatMul");
    add("conv matmul", "conv2/MatMul");
    add("op = MatMul", "conv2/MatMul");
    add("op=matmul or op = \"mean\"", "conv2/MatMul loss");
    add("op = *v2", "conv10/w conv2/w");
    add("op != VariableV2", "conv2/MatMul in, out loss");
    add("op in (Mean, MatMul)", "conv2/MatMul loss");
    add("shape = [?,10]", "conv2/w conv2/MatMul");
    add("shape = \"\"", "in, out");
    add("bytes > 3k", "conv10/w conv2/MatMul");
    add("bytes >= 4MB", "conv2/MatMul");
    add("bytes <= 4", "in, out loss");
    add("bytes = \"\"", "conv2/w");
    add("bytes != \"\" and not conv", "in, out loss");
    add("name ~ \"^conv[0-9]+/w$\"", "conv10/w conv2/w");
    add("name !~ conv", "in, out loss");
    add("name < conv10", "conv2/w conv2/MatMul");
    add("(op = Mean or op = Placeholder) bytes < 1", "in, out");
    add("'in, out'", "in, out");
    add("op not in (Mean, MatMul)", "conv10/w conv2/w in, out");
    add("not not op = Mean", "loss");
    add("shape = [?, 10]", "conv2/w conv2/MatMul");
    add("bytes > 3 KiB", "conv10/w conv2/MatMul");
    add("bytes > 3 conv10", "conv10/w");
    add("nothing", "");
  }
  void filters() {
    QFETCH(QString, filter);
    QFETCH(QString, rows);
    const RowTable table = nodes();
    const auto got = table.filtered(filter.toStdString());
    QVERIFY2(got.ok(), got.ok() ? "" : got.error().message.c_str());
    QCOMPARE(QString::fromStdString(shown(table, *got)), rows);
  }

  void mistakesAreSaid_data() {
    QTest::addColumn<QString>("filter");
    QTest::addColumn<QString>("error");
    const auto add = [](const char* filter, const char* error) { QTest::newRow(filter) << QString::fromUtf8(filter) << QString::fromUtf8(error); };
    add("byts > 3", "There is no column 'byts'; did you mean 'bytes'?");
    add("zzzzzz = 3", "There is no column 'zzzzzz'; there are name, op, shape, bytes");
    add("bytes > many", "'many' is not a number; bytes holds numbers, such as 10, 4k or 2MB");
    add("bytes > 3q", "'3q' is not a number; bytes holds numbers, such as 10, 4k or 2MB");
    add("shape is null", "'is' at character 7 is not known after a column; expected =, ");
    add("op like Conv%", "'like' at character 4 is not known after a column; expected =, ");
    add(QByteArray(60000, '(').constData(), "'(' at character 201: parentheses are nested deeper than 200");
    add((QByteArray("not ").repeated(60000)).constData(), "Expected a word or a column, got the end");
    add("bytes >", "Expected a value after '>', got the end");
    add("(conv", "Expected ')', got the end");
    add("conv)", "')' at character 5 is not expected here");
    add("or conv", "");
    add("> 3", "Expected a word or a column, got '>' at character 1");
    add("op = \"Mat", "The quote at character 6 is not closed");
    add("op in (MatMul", "Expected ',' or ')', got the end");
    add("op ! Mean", "'!' at character 4 is no operator; expected != or !~");
    add("name ~ \"[\"", "'[' is not a regular expression: ");
  }
  void mistakesAreSaid() {
    QFETCH(QString, filter);
    QFETCH(QString, error);
    const auto got = nodes().filtered(filter.toStdString());
    if (error.isEmpty()) return;  // a word
    QVERIFY(!got.ok());
    QVERIFY2(QString::fromStdString(got.error().message).startsWith(error), got.error().message.c_str());
  }

  void stoppedWork() {
    const auto got = nodes().filtered("conv and op = MatMul", [] { return true; });
    QVERIFY(!got.ok());
    QCOMPARE(got.error().code, Code::Cancelled);
  }

  void sortsAreStableAndCountAsPeopleDo() {
    const RowTable table = nodes();
    std::vector<int32_t> rows = {0, 1, 2, 3, 4};
    const RowOrder byName[] = {{0, false}};
    table.sort(rows, byName);
    QCOMPARE(shown(table, rows), std::string("conv2/MatMul conv2/w conv10/w in, out loss"));
    const RowOrder byOp[] = {{1, true}, {3, false}};
    table.sort(rows, byOp);
    QCOMPARE(shown(table, rows), std::string("conv10/w conv2/w in, out loss conv2/MatMul"));
    // Rows without a value are last in both directions.
    for (const bool descending : {false, true}) {
      const RowOrder byBytes[] = {{3, descending}};
      table.sort(rows, byBytes);
      QCOMPARE(rows.back(), 1);
      QCOMPARE(rows.front(), descending ? 2 : 3);
    }
  }

  void namesInOrder() {
    QVERIFY(naturallyLess("conv2", "conv10") && !naturallyLess("conv10", "conv2"));
    QVERIFY(naturallyLess("a", "B") && naturallyLess("A", "b"));
    QVERIFY(naturallyLess("a", "a1") && !naturallyLess("a", "a"));
    QVERIFY(naturallyLess("a01", "a1") != naturallyLess("a1", "a01"));
    QVERIFY(naturallyLess("x99999999999999999999999", "x100000000000000000000000"));
  }

  void sumsAndText() {
    const RowTable table = nodes();
    RowSummary sum;
    const int32_t rows[] = {0, 1, 3, 4};
    table.addTo(sum, 3, rows);
    QCOMPARE(sum.numbers, 3);
    QCOMPARE(sum.sum, 3204.0);
    QCOMPARE(sum.min, 0.0);
    QCOMPARE(sum.max, 3200.0);
    QCOMPARE(sum.mean(), 1068.0);
    table.addTo(sum, 1, rows);
    QCOMPARE(sum.cells, 7);
    const int columns[] = {0, 3};
    QCOMPARE(table.text(rows, columns, ',', true), std::string("name,bytes\nconv10/w,3200\nconv2/w,\n\"in, out\",0\nloss,4\n"));
    QCOMPARE(table.text(std::span(rows).first(1), columns, '\t', false), std::string("conv10/w\t3200\n"));
  }

  void columnsOfResults() {
    QueryResult result;
    result.columns = {{"a", {}, {}}, {"b", {}, {}}, {"shape", "nodes", "shape"}};
    result.rows = {{int64_t(1), 2.5, {}}, {{}, int64_t(3), {}}};
    const RowTable table(result);
    QCOMPARE(table.rows(), 2);
    QVERIFY(table.columns()[0].type == QueryType::Integer && table.columns()[1].type == QueryType::Real && table.columns()[2].type == QueryType::Text);
    QCOMPARE(table.columns()[1].text(1), std::string("3"));
    QVERIFY(table.columns()[0].isEmpty(1) && table.columns()[2].isEmpty(0));
    QCOMPARE(RowTable(QueryResult()).rows(), 0);
  }

  void variablesOfGraphs() {
    MetaGraph meta;
    GraphBuilder b(meta);
    const auto variable = [&](const char* name, Output value) {
      const Output v = b.op("VariableV2", {}, {{"dtype", DType::Float}, {"shape", Shape({2, 3})}}, name);
      b.op("Assign", {v, value}, {{"validate_shape", true}, {"use_locking", true}}, std::string(name) + "/Assign");
    };
    const auto tensor = [&](std::vector<float> values) {
      return b.op("Const", {}, {{"dtype", DType::Float}, {"value", Tensor::of(std::move(values), Shape({2, 3}))}}, "value");
    };
    variable("zero", tensor(std::vector<float>(6, 0)));
    variable("same", tensor(std::vector<float>(6, 0.1f)));
    variable("list", tensor({1, 2, 3, 4, 5, 6}));
    const Output shape = b.op("Const", {}, {{"dtype", DType::Int32}, {"value", Tensor::of(std::vector<int32_t>{2, 3}, Shape({2}))}}, "shape");
    const Output random = b.op("TruncatedNormal", {shape}, {{"dtype", DType::Float}, {"T", DType::Int32}, {"seed", 1}, {"seed2", 2}}, "random");
    variable("random_w", b.op("Mul", {random, tensor(std::vector<float>(6, 2))}, {}, "scaled"));
    b.op("VarHandleOp", {}, {{"dtype", DType::Int64}, {"shape", Shape({})}, {"container", ""}, {"shared_name", ""}}, "handle");
    QVERIFY2(b.status().ok(), b.status().toString().c_str());
    const auto all = variablesOf(meta);
    QStringList got;
    for (const VariableFacts& v : all)
      got << QString::fromStdString(meta.graph.node(v.node)->name + " " + std::string(dtypeName(v.dtype)) + " " + v.shape.toString() + " " + v.initializer);
    QCOMPARE(got, QStringList({QStringLiteral("zero float32 [2,3] zeros"), QStringLiteral("same float32 [2,3] constant 0.1"),
                               QStringLiteral("list float32 [2,3] Const"), QStringLiteral("random_w float32 [2,3] TruncatedNormal"),
                               QStringLiteral("handle int64 [] ")}));
    QVERIFY(!all[0].isTrainable);
    const auto database = QueryDatabase::create();
    QVERIFY(database.ok());
    (*database)->addGraph("g", std::make_shared<const MetaGraph>(meta));
    const auto rows = (*database)->run("SELECT name, initializer, bytes FROM variables WHERE elements > 1 AND initializer LIKE 'z%'");
    QVERIFY2(rows.ok(), rows.ok() ? "" : rows.error().message.c_str());
    QCOMPARE(toCsv(*rows), std::string("name,initializer,bytes\nzero,zeros,24\n"));
  }
};

QTEST_APPLESS_MAIN(TestRowTable)
#include "tst_row_table.moc"
