// The pages of the reference: every function has a graph to show, but those that build nothing.
#include <QtTest>

#include "adapters/api_example_calls.h"
#include "adapters/api_help.h"

using namespace weft;
using namespace weft::app;

class TestApiExamples : public QObject {
  Q_OBJECT
 private slots:
  void everyFunctionHasAGraph();
  void metricsSayTheirFormula();
  void writtenCallsAreTheOnesShown();
  void graphsAreTheFunctionsOwn_data();
  void graphsAreTheFunctionsOwn();
};

void TestApiExamples::metricsSayTheirFormula() {
  for (const char* name : {"metrics.accuracy", "metrics.mean_squared_error", "metrics.root_mean_squared_error", "metrics.mean_absolute_error",
                           "metrics.mean_relative_error", "metrics.precision", "metrics.recall", "metrics.mean_iou", "losses.mean_squared_error",
                           "losses.absolute_difference", "losses.log_loss", "losses.hinge_loss"}) {
    const QString formula = apiFormula(QLatin1String(name));
    QVERIFY2(!formula.isEmpty() && apiHelpPage(QLatin1String(name)).contains(formula), name);
  }
  QVERIFY(apiFormula(QStringLiteral("nn.relu")).isEmpty());
}

void TestApiExamples::everyFunctionHasAGraph() {
  // These only collect nodes made by others, or find at construction that there is nothing to check.
  const QStringList nothing = {"assert_scalar", "losses.add_loss", "losses.get_losses", "losses.get_regularization_losses"};
  QStringList without;
  for (const QString& name : apiNames()) {
    const ApiExamplePtr example = apiExample(name);
    QVERIFY2(example, qPrintable(name));
    if (!example->contents) without << name;
    else QVERIFY2(!example->ops.isEmpty() && example->call.startsWith("tf." + name + "("), qPrintable(name + ": " + example->call));
  }
  QVERIFY2(without == nothing, qPrintable(without.join(" ")));
}

void TestApiExamples::writtenCallsAreTheOnesShown() {
  for (const std::string& name : writtenCalls()) {
    const ApiRecord* record = ApiRegistry::instance().find(name);
    QVERIFY2(record, name.c_str());
    const auto call = writtenCall(*record);
    QVERIFY2(call, name.c_str());
    const ApiExamplePtr example = apiExample(QString::fromStdString(name));
    QVERIFY2(example && example->contents, name.c_str());
    for (const WrittenCall::Part& part : call->arguments) {
      const QString said = QString::fromStdString(part.value.text.empty() ? part.parameter : part.value.text);
      QVERIFY2(example->call.contains(said), qPrintable(example->call + " lacks " + said));
    }
  }
}

void TestApiExamples::graphsAreTheFunctionsOwn_data() {
  QTest::addColumn<QString>("name");
  QTest::addColumn<QString>("op");
  QTest::addColumn<QString>("call");
  QTest::newRow("volumes") << "nn.conv3d"
                           << "Conv3D"
                           << "tf.nn.conv3d(input, filter, strides=[1, 1, 1, 1, 1], padding='SAME')";
  QTest::newRow("sparse") << "sparse.concat"
                          << "SparseConcat"
                          << "tf.sparse.concat(0, sp_inputs)";
  QTest::newRow("list") << "einsum"
                        << "MatMul"
                        << "tf.einsum('ij,jk->ik', *inputs)";
  QTest::newRow("collected") << "summary.merge_all"
                             << "MergeSummary"
                             << "tf.summary.merge_all()";
  QTest::newRow("training") << "train.AdamOptimizer"
                            << "ApplyAdam"
                            << "tf.train.AdamOptimizer(loss, 0.01)";
  QTest::newRow("found by trying") << "nn.relu"
                                   << "Relu"
                                   << "tf.nn.relu(features)";
}

void TestApiExamples::graphsAreTheFunctionsOwn() {
  QFETCH(QString, name);
  QFETCH(QString, op);
  QFETCH(QString, call);
  const ApiExamplePtr example = apiExample(name);
  QVERIFY(example);
  QCOMPARE(example->call, call);
  QVERIFY2(example->ops.contains(op), qPrintable(example->ops.join(u' ')));
}

QTEST_GUILESS_MAIN(TestApiExamples)
#include "tst_api_examples.moc"
