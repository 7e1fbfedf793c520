// The assumptions of the NaN watch, and its findings.
#include <QTest>
#include <cmath>

#include "support/graph_text.h"
#include "weft/debugger.h"
#include "weft/graph.h"
#include "weft/session.h"
#include "weft/tensor_statistics.h"

using namespace weft;
using weft::tests::attr;
using weft::tests::node;

namespace {

std::string type(const std::string& kind, const std::string& key = "T") { return attr(key, "type: " + kind); }
std::string placeholder(const std::string& name, const std::string& kind, const std::string& dims) {
  return node(name, "Placeholder", {}, type(kind, "dtype") + attr("shape", "shape { " + dims + " }"));
}
std::string integer(const std::string& name, int v) {
  return node(name, "Const", {}, type("DT_INT32", "dtype") + attr("value", "tensor { dtype: DT_INT32 tensor_shape {} int_val: " + std::to_string(v) + " }"));
}

std::unique_ptr<Session> sessionOf(const std::string& text) {
  auto loaded = loadGraphBytes(std::make_shared<const std::string>(text), "test");
  if (!loaded.ok()) qFatal("%s", loaded.error().toString().c_str());
  auto s = Session::create(loaded->meta.graph, {});
  if (!s.ok()) qFatal("%s", s.error().toString().c_str());
  return std::move(*s);
}

Tensor matrix(const std::string& kind, int64_t rows, int64_t columns, int64_t nanAt) {
  const int64_t n = rows * columns;
  const auto filled = [&]<typename T>(T) {
    std::vector<T> values;
    for (int64_t i = 0; i < n; ++i) values.push_back(i == nanAt ? T(std::nan("")) : T(0.25 * double(i % 7) - 0.5));
    return Tensor::vector<T>(values).reshaped(Shape({rows, columns}));
  };
  return kind == "DT_DOUBLE" ? filled(double()) : filled(float());
}

}  // namespace

class TestNanWatch : public QObject {
  Q_OBJECT

 private slots:
  /// Inputs of these ops are not checked, because a NaN in them always reaches an output, wherever it is.
  void whatIsTakenToKeepNanDoes_data() {
    QTest::addColumn<QString>("op");
    QTest::addColumn<int>("inputs");
    for (const char* kind : {"DT_FLOAT", "DT_DOUBLE"}) {
      for (const char* op : {"Add", "AddV2", "Sub", "Mul", "RealDiv", "TanhGrad", "SigmoidGrad", "AddN", "MatMul", "ConcatV2"})
        QTest::addRow("%s %s", op, kind) << QString(op) << 2;
      for (const char* op : {"Neg", "Square", "Sigmoid", "Tanh", "Exp"}) QTest::addRow("%s %s", op, kind) << QString(op) << 1;
    }
  }
  void whatIsTakenToKeepNanDoes() {
    QFETCH(QString, op);
    QFETCH(int, inputs);
    const std::string kind = QByteArray(QTest::currentDataTag()).split(' ')[1].toStdString(), name = op.toStdString();
    constexpr int64_t kSide = 19;  // longer than any register
    std::string more = type(kind);
    std::vector<std::string> in{"a"};
    if (inputs == 2) in.push_back("b");
    if (name == "AddN" || name == "ConcatV2") more += attr("N", "i: 2");
    if (name == "ConcatV2") in.push_back("axis"), more += type("DT_INT32", "Tidx");
    const std::string dims = "dim { size: 19 } dim { size: 19 }";
    const auto session = sessionOf(placeholder("a", kind, dims) + placeholder("b", kind, dims) + integer("axis", 1) + node("y", name, in, more));
    for (int which = 0; which < inputs; ++which) {
      for (int64_t at = 0; at < kSide * kSide; at += 5) {
        const auto r =
            session->run({{"a:0", matrix(kind, kSide, kSide, which == 0 ? at : -1)}, {"b:0", matrix(kind, kSide, kSide, which == 1 ? at : -1)}}, {"y:0"});
        QVERIFY2(r.ok(), r.ok() ? "" : r.error().toString().c_str());
        QVERIFY2(hasNan((*r)[0]), qPrintable(QStringLiteral("input %1, element %2").arg(which).arg(at)));
      }
    }
  }

  /// As a cell of an LSTM has them: concatenated, multiplied, dealt out, gates, products; then something that would lose a NaN.
  void itIsFoundBehindAllThatKeepsIt() {
    const std::string f = "DT_FLOAT";
    const std::string text = placeholder("x", f, "dim { size: 2 } dim { size: 3 }") + placeholder("h", f, "dim { size: 2 } dim { size: 1 }") +
                             placeholder("w", f, "dim { size: 4 } dim { size: 4 }") + integer("axis", 1) +
                             node("xh", "ConcatV2", {"x", "h", "axis"}, type(f) + attr("N", "i: 2") + type("DT_INT32", "Tidx")) +
                             node("gates", "MatMul", {"xh", "w"}, type(f)) + node("parts", "Split", {"axis", "gates"}, type(f) + attr("num_split", "i: 2")) +
                             node("i", "Sigmoid", {"parts"}, type(f)) + node("j", "Tanh", {"parts:1"}, type(f)) + node("c", "Mul", {"i", "j"}, type(f)) +
                             node("top", "Relu", {"c"}, type(f)) + node("zero", "Greater", {"top", "c"}, type(f));
    const auto session = sessionOf(text);
    const auto run = [&](int64_t nanInX, int64_t nanInW) {
      NanWatch watch;
      RunOptions options;
      options.observers = {&watch};
      const auto r = session->run({{"x:0", matrix(f, 2, 3, nanInX)}, {"h:0", matrix(f, 2, 1, -1)}, {"w:0", matrix(f, 4, 4, nanInW)}}, {"zero:0"}, {}, options);
      if (!r.ok()) qFatal("%s", r.error().toString().c_str());
      return watch.finding().has_value();
    };
    QVERIFY(!run(-1, -1));
    for (int64_t at = 0; at < 6; ++at) QVERIFY(run(at, -1));
    for (int64_t at = 0; at < 16; ++at) QVERIFY(run(-1, at));
  }

  /// An output that nothing reads is checked where it is produced.
  void whatNobodyTakesIsFound() {
    const std::string f = "DT_FLOAT";
    const auto session = sessionOf(placeholder("x", f, "dim { size: 2 } dim { size: 4 }") + integer("axis", 1) + node("y", "Exp", {"x"}, type(f)) +
                                   node("parts", "Split", {"axis", "y"}, type(f) + attr("num_split", "i: 2")) + node("sum", "Relu", {"parts"}, type(f)));
    NanWatch watch;
    RunOptions options;
    options.observers = {&watch};
    QVERIFY(session->run({{"x:0", matrix(f, 2, 4, 3)}}, {"sum:0"}, {}, options).ok());
    QVERIFY(watch.finding().has_value());
  }
};

QTEST_GUILESS_MAIN(TestNanWatch)
#include "tst_nan_watch.moc"
