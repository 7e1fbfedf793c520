#include <QDir>
#include <QFile>
#include <QtTest>
#include <cmath>
#include <fstream>

#include "graph/indexed_slices.h"
#include "support/graph_compare.h"
#include "weft/builder.h"
#include "weft/diff.h"
#include "weft/session.h"

using namespace weft;

class TestGradients : public QObject {
  Q_OBJECT

 private slots:
  void likeTensorFlow_data();
  void likeTensorFlow();
  void noneForWhatIsNotReached();
  void errors();
  void throughALoopByNumbers();
  void throughFunctionsByNumbers_data();
  void throughFunctionsByNumbers();
  void errorsOfFunctions_data();
  void errorsOfFunctions();
};

namespace {

const QString kFolder = QStringLiteral(WEFT_SOURCE_DIR "/tests/golden/graphs/gradients/");

const QString kFunctions = QStringLiteral(WEFT_SOURCE_DIR "/tests/golden/graphs/function_gradients/");

QByteArray contents(const QString& path) {
  QFile file(path);
  return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

}  // namespace

void TestGradients::likeTensorFlow_data() {
  QTest::addColumn<QString>("folder");
  for (const QString& name : QDir(kFolder).entryList(QDir::Dirs | QDir::NoDotAndDotDot)) QTest::newRow(qPrintable(name)) << kFolder + name;
}

void TestGradients::likeTensorFlow() {
  QFETCH(QString, folder);
  auto loaded = loadGraphFile((folder + "/before.pbtxt").toStdString());
  QVERIFY2(loaded.ok(), loaded.ok() ? "" : loaded.error().toString().c_str());
  // TensorFlow's final graph: the original nodes and those that gradients added.
  auto text = serializeGraph(loaded->meta, GraphFormat::GraphText);
  QVERIFY(text.ok());
  LoadOptions plain;
  plain.inferShapes = false;
  auto want = loadGraphBytes(std::make_shared<const std::string>(*text + contents(folder + "/after.pbtxt").toStdString()), "after.pbtxt", plain);
  QVERIFY2(want.ok(), want.ok() ? "" : want.error().toString().c_str());

  GraphBuilder b(loaded->meta);
  std::vector<Output> ys, xs;
  GradientsOptions options;
  std::ifstream spec((folder + "/spec.txt").toStdString());
  std::string key, value;
  while (spec >> key >> value) {
    if (key == "n") options.name = value;
    else if (key == "c") options.colocateWithOps = true;
    else if (key == "t") options.gateGradients = true;
    else {
      auto o = b.graph().findOutput(value);
      QVERIFY2(o.ok(), value.c_str());
      (key == "y" ? ys : key == "x" ? xs : key == "s" ? options.stopGradients : options.gradYs).push_back(*o);
    }
  }
  auto grads = addGradients(b, ys, xs, options);
  QVERIFY2(grads.ok(), grads.ok() ? "" : grads.error().toString().c_str());
  std::string names;
  for (const Gradient& g : *grads) {
    if (g.none()) names += "None\n";
    else if (g.slices) names += "slices " + b.graph().tensorName(g.slices->values) + " " + b.graph().tensorName(g.slices->indices) + "\n";
    else names += b.graph().tensorName(g.dense) + "\n";
  }
  QCOMPARE(QString::fromStdString(names), QString::fromUtf8(contents(folder + "/grads.txt")));
  const QString differences = graphDifferences(want->meta.graph, b.graph());
  QVERIFY2(differences.isEmpty(), qPrintable(differences));
}

void TestGradients::noneForWhatIsNotReached() {
  MetaGraph meta;
  GraphBuilder b(meta);
  const Output x = b.placeholder(DType::Float, Shape{}, "x"), other = b.placeholder(DType::Float, Shape{}, "other");
  const Output i = b.placeholder(DType::Int32, Shape{}, "i");
  const Output y = b.op("Mul", {x, b.op("Cast", {i}, {{"DstT", DType::Float}})});
  auto grads = addGradients(b, {y}, {x, other, i});
  QVERIFY(grads.ok());
  QVERIFY(!(*grads)[0].none());
  QVERIFY((*grads)[1].none());
  QVERIFY((*grads)[2].none());
}

void TestGradients::errors() {
  MetaGraph meta;
  GraphBuilder b(meta);
  const Output x = b.placeholder(DType::Complex64, Shape{}, "x");
  auto grads = addGradients(b, {b.op("Mul", {x, x})}, {x});
  QVERIFY(!grads.ok());
  QVERIFY(grads.error().message.find("Gradients of complex tensors must set grad_ys") != std::string::npos);
  GradientsOptions two;
  const Output f = b.placeholder(DType::Float, Shape{}, "f");
  two.gradYs = {f, f};
  grads = addGradients(b, {f}, {f}, two);
  QVERIFY(!grads.ok());
  QCOMPARE(grads.error().message, std::string("Passed 2 grad_ys for 1 ys"));
}

// d/dx of x^4 by a loop that multiplies three times: 4 x^3.
void TestGradients::throughALoopByNumbers() {
  auto loaded = loadGraphFile((kFolder + "while_unused/before.pbtxt").toStdString());
  QVERIFY(loaded.ok());
  GraphBuilder b(loaded->meta);
  const Output x = *b.graph().findOutput("x:0"), y = *b.graph().findOutput("while/Exit_1:0");
  auto grads = addGradients(b, {y}, {x});
  QVERIFY2(grads.ok(), grads.ok() ? "" : grads.error().toString().c_str());
  auto session = Session::create(b.graph());
  QVERIFY2(session.ok(), session.ok() ? "" : session.error().toString().c_str());
  auto values = (*session)->run({{"x:0", Tensor::scalar(2.0f)}}, {b.graph().tensorName(y), b.graph().tensorName((*grads)[0].dense)});
  QVERIFY2(values.ok(), values.ok() ? "" : values.error().toString().c_str());
  QCOMPARE((*values)[0].at<float>(0), 16.0f);
  QCOMPARE((*values)[1].at<float>(0), 32.0f);
}

void TestGradients::throughFunctionsByNumbers_data() {
  QTest::addColumn<QString>("folder");
  for (const QString& name : QDir(kFunctions).entryList(QDir::Dirs | QDir::NoDotAndDotDot)) QTest::newRow(qPrintable(name)) << kFunctions + name;
}

// If and While: the numbers that TensorFlow's gradients of the same graph give. The graph that gradients were added to is read again from
// its file's bytes, so that it is judged as it is saved.
void TestGradients::throughFunctionsByNumbers() {
  QFETCH(QString, folder);
  auto loaded = loadGraphFile((folder + "/before.pb").toStdString());
  QVERIFY2(loaded.ok(), loaded.ok() ? "" : loaded.error().toString().c_str());
  MetaGraph before = loaded->meta;
  GraphBuilder b(loaded->meta);
  std::vector<Output> ys, xs;
  std::map<int, std::vector<std::pair<std::string, Tensor>>> feeds;
  std::map<int, std::map<std::string, std::vector<double>>> want, wantSecond;
  for (const QByteArray& line : contents(folder + "/spec.txt").split('\n')) {
    const QByteArrayList words = line.simplified().split(' ');
    if (words.size() < 2) continue;
    if (words[0] == "y" || words[0] == "x") {
      auto o = b.graph().findOutput(words[1].toStdString());
      QVERIFY2(o.ok(), words[1].constData());
      (words[0] == "y" ? ys : xs).push_back(*o);
      continue;
    }
    const int run = words[1].toInt();
    const std::string tensor = words[2].toStdString();
    std::vector<double> values;
    for (const QByteArray& number : words.mid(5)) values.push_back(number.toDouble());
    if (words[0] == "g" || words[0] == "s") {
      (words[0] == "g" ? want : wantSecond)[run][tensor] = values;
      continue;
    }
    std::vector<int64_t> dims;
    if (words[4] != "-") {
      for (const QByteArray& d : words[4].split(',')) dims.push_back(d.toLongLong());
    }
    const DType type = b.dtype(*b.graph().findOutput(tensor));
    Tensor value = Tensor::zeros(type, Shape(dims));
    for (size_t i = 0; i < values.size(); ++i) {
      if (type == DType::Bool) value.mutableData<bool>()[i] = values[i] != 0;
      else if (type == DType::Int32) value.mutableData<int32_t>()[i] = int32_t(values[i]);
      else value.mutableData<double>()[i] = values[i];
    }
    feeds[run].emplace_back(tensor, value);
  }
  auto grads = addGradients(b, ys, xs);
  QVERIFY2(grads.ok(), grads.ok() ? "" : grads.error().toString().c_str());
  std::vector<std::string> fetches;
  for (const Gradient& g : *grads) {
    QVERIFY(!g.none());
    // As TensorFlow makes slices dense: where a row comes twice, the sum.
    fetches.push_back(b.graph().tensorName(g.dense.valid() ? g.dense : b.identity(makeSlices(b, g.slices->values, g.slices->indices, g.slices->denseShape))));
  }
  QVERIFY2(b.ok(), b.ok() ? "" : b.status().error().toString().c_str());
  auto bytes = serializeGraph(loaded->meta, GraphFormat::GraphBinary);
  QVERIFY2(bytes.ok(), bytes.ok() ? "" : bytes.error().toString().c_str());
  // Replaying the step's history entry on the old graph gives the same graph.
  auto delta = deltaBetween(before, loaded->meta);
  QVERIFY2(delta.ok(), delta.ok() ? "" : delta.error().toString().c_str());
  std::vector<Error> problems;
  const Status replayed = applyDelta(before, problems, *delta);
  QVERIFY2(replayed.ok(), replayed.ok() ? "" : replayed.error().toString().c_str());
  auto replayedBytes = serializeGraph(before, GraphFormat::GraphBinary);
  QVERIFY(replayedBytes.ok());
  QVERIFY(*replayedBytes == *bytes);
  auto again = loadGraphBytes(std::make_shared<const std::string>(*bytes), "after.pb");
  QVERIFY2(again.ok(), again.ok() ? "" : again.error().toString().c_str());
  QVERIFY2(again->problems.empty(), again->problems.empty() ? "" : again->problems[0].toString().c_str());
  auto session = Session::create(again->meta.graph);
  QVERIFY2(session.ok(), session.ok() ? "" : session.error().toString().c_str());
  if (again->meta.graph.find("init")) {
    const auto done = (*session)->run({}, {}, {"init"});
    QVERIFY2(done.ok(), done.ok() ? "" : done.error().toString().c_str());
  }
  const auto judge = [&](Session& where, const std::vector<std::string>& tensors, const auto& wanted) {
    for (const auto& [run, fed] : feeds) {
      auto values = where.run(fed, tensors);
      QVERIFY2(values.ok(), values.ok() ? "" : values.error().toString().c_str());
      for (size_t k = 0; k < xs.size(); ++k) {
        const auto& expected = wanted.at(run).at(b.graph().tensorName(xs[k]));
        QCOMPARE(size_t((*values)[k].elements()), expected.size());
        for (size_t i = 0; i < expected.size(); ++i) {
          const double got = (*values)[k].asDouble(int64_t(i));
          QVERIFY2(std::abs(got - expected[i]) <= 1e-12 * (1 + std::abs(expected[i])),
                   qPrintable(QStringLiteral("run %1, gradient %2[%3]: %4, not %5").arg(run).arg(k).arg(i).arg(got, 0, 'g', 17).arg(expected[i], 0, 'g', 17)));
        }
      }
    }
  };
  judge(**session, fetches, want);
  if (wantSecond.empty() || QTest::currentTestFailed()) return;
  // Gradients of the sum of these gradients.
  std::vector<Output> first;
  for (const std::string& name : fetches) first.push_back(*b.graph().findOutput(name));
  auto second = addGradients(b, first, xs);
  QVERIFY2(second.ok(), second.ok() ? "" : second.error().toString().c_str());
  fetches.clear();
  for (const Gradient& g : *second) {
    QVERIFY(g.dense.valid());
    fetches.push_back(b.graph().tensorName(g.dense));
  }
  auto more = Session::create(loaded->meta.graph);
  QVERIFY2(more.ok(), more.ok() ? "" : more.error().toString().c_str());
  judge(**more, fetches, wantSecond);
}

void TestGradients::errorsOfFunctions_data() {
  QTest::addColumn<QByteArray>("node");
  QTest::addColumn<QByteArray>("phrase");
  const auto loop = [](const char* body) {
    return QByteArray(
               "node { name: 'n' op: 'While' input: 'x' attr { key: 'T' value { list { type: DT_DOUBLE } } } "
               "attr { key: 'cond' value { func { name: 'small' } } } attr { key: 'body' value { func { name: '") +
           body + "' } } } }";
  };
  QTest::newRow("a loop that does not count") << loop("square") << QByteArray("'n' is not such a loop");
  QTest::newRow("no such function") << loop("nothing") << QByteArray("Function nothing is not defined");
  QTest::newRow("a branch without a gradient")
      << QByteArray(
             "node { name: 'n' op: 'If' input: 'p' input: 'x' attr { key: 'Tcond' value { type: DT_BOOL } } "
             "attr { key: 'Tin' value { list { type: DT_DOUBLE } } } attr { key: 'Tout' value { list { type: DT_DOUBLE } } } "
             "attr { key: 'then_branch' value { func { name: 'own' } } } attr { key: 'else_branch' value { func { name: 'square' } } } }")
      << QByteArray("In function own, node m: Gradient explicitly disabled");
}

void TestGradients::errorsOfFunctions() {
  QFETCH(QByteArray, node);
  QFETCH(QByteArray, phrase);
  const QByteArray text = R"(
node { name: 'x' op: 'Placeholder' attr { key: 'dtype' value { type: DT_DOUBLE } } attr { key: 'shape' value { shape { } } } }
node { name: 'p' op: 'Placeholder' attr { key: 'dtype' value { type: DT_BOOL } } attr { key: 'shape' value { shape { } } } }
library {
  function {
    signature { name: 'square' input_arg { name: 'x' type: DT_DOUBLE } output_arg { name: 'y' type: DT_DOUBLE } }
    node_def { name: 'm' op: 'Mul' input: 'x' input: 'x' attr { key: 'T' value { type: DT_DOUBLE } } }
    ret { key: 'y' value: 'm:z:0' }
  }
  function {
    signature { name: 'small' input_arg { name: 'x' type: DT_DOUBLE } output_arg { name: 'y' type: DT_BOOL } }
    node_def { name: 'l' op: 'Less' input: 'x' input: 'x' attr { key: 'T' value { type: DT_DOUBLE } } }
    ret { key: 'y' value: 'l:z:0' }
  }
  function {
    signature { name: 'own' input_arg { name: 'x' type: DT_DOUBLE } output_arg { name: 'y' type: DT_DOUBLE } }
    node_def { name: 'm' op: 'PreventGradient' input: 'x' attr { key: 'T' value { type: DT_DOUBLE } } attr { key: 'message' value { s: 'no' } } }
    ret { key: 'y' value: 'm:output:0' }
  }
}
)";
  auto loaded = loadGraphBytes(std::make_shared<const std::string>((text + node).toStdString()), "graph.pbtxt");
  QVERIFY2(loaded.ok(), loaded.ok() ? "" : loaded.error().toString().c_str());
  GraphBuilder b(loaded->meta);
  auto grads = addGradients(b, {*b.graph().findOutput("n:0")}, {*b.graph().findOutput("x:0")});
  QVERIFY(!grads.ok());
  QVERIFY2(grads.error().toString().find(phrase.toStdString()) != std::string::npos, grads.error().toString().c_str());
}

QTEST_GUILESS_MAIN(TestGradients)
#include "tst_gradients.moc"
