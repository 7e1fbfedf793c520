// Queues, input pipelines, schedules and saturated units through weft-studio --script.
#include <QFile>
#include <QImage>
#include <QTemporaryDir>
#include <QTest>
#include <cmath>

#include "studio_script.h"

namespace {

/// A queue of float32 pairs that one op fills and two others empty; the filling op is never run.
const char* kQueue = R"(
node { name: "q" op: "FIFOQueueV2" attr { key: "component_types" value { list { type: DT_FLOAT } } } attr { key: "shapes" value { list { shape { dim { size: 2 } } } } }
       attr { key: "capacity" value { i: 4 } } }
node { name: "x" op: "Const" attr { key: "dtype" value { type: DT_FLOAT } }
       attr { key: "value" value { tensor { dtype: DT_FLOAT tensor_shape { dim { size: 2 } } float_val: 1.5 float_val: 2.5 } } } }
node { name: "put" op: "QueueEnqueueV2" input: "q" input: "x" attr { key: "Tcomponents" value { list { type: DT_FLOAT } } } }
node { name: "get" op: "QueueDequeueV2" input: "q" attr { key: "component_types" value { list { type: DT_FLOAT } } } }
node { name: "twice" op: "Add" input: "get" input: "get" attr { key: "T" value { type: DT_FLOAT } } }
node { name: "n" op: "Const" attr { key: "dtype" value { type: DT_INT32 } } attr { key: "value" value { tensor { dtype: DT_INT32 tensor_shape {} int_val: 3 } } } }
node { name: "batch" op: "QueueDequeueManyV2" input: "q" input: "n" attr { key: "component_types" value { list { type: DT_FLOAT } } } }
node { name: "got" op: "QueueDequeueV2" input: "q" input: "^put" attr { key: "component_types" value { list { type: DT_FLOAT } } } }
node { name: "after" op: "Neg" input: "got" attr { key: "T" value { type: DT_FLOAT } } }
node { name: "empty" op: "FIFOQueueV2" attr { key: "component_types" value { list { type: DT_FLOAT } } } attr { key: "shapes" value { list { shape {} } } } }
node { name: "never" op: "QueueDequeueV2" input: "empty" attr { key: "component_types" value { list { type: DT_FLOAT } } } }
)";

/// 0, 1, 2 … squared in batches of two, and an iterator that nothing starts.
const char* kIterator = R"(
node { name: "start" op: "Const" attr { key: "dtype" value { type: DT_INT64 } } attr { key: "value" value { tensor { dtype: DT_INT64 tensor_shape {} int64_val: 10 } } } }
node { name: "stop" op: "Const" attr { key: "dtype" value { type: DT_INT64 } } attr { key: "value" value { tensor { dtype: DT_INT64 tensor_shape {} int64_val: 20 } } } }
node { name: "by" op: "Const" attr { key: "dtype" value { type: DT_INT64 } } attr { key: "value" value { tensor { dtype: DT_INT64 tensor_shape {} int64_val: 1 } } } }
node { name: "range" op: "RangeDataset" input: "start" input: "stop" input: "by" attr { key: "output_types" value { list { type: DT_INT64 } } }
       attr { key: "output_shapes" value { list { shape {} } } } }
node { name: "it" op: "IteratorV2" attr { key: "output_types" value { list { type: DT_INT64 } } } attr { key: "output_shapes" value { list { shape {} } } }
       attr { key: "shared_name" value { s: "" } } attr { key: "container" value { s: "" } } }
node { name: "init" op: "MakeIterator" input: "range" input: "it" }
node { name: "next" op: "IteratorGetNext" input: "it" attr { key: "output_types" value { list { type: DT_INT64 } } } attr { key: "output_shapes" value { list { shape {} } } } }
node { name: "squared" op: "Square" input: "next" attr { key: "T" value { type: DT_INT64 } } }
node { name: "lost" op: "IteratorV2" attr { key: "output_types" value { list { type: DT_INT64 } } } attr { key: "output_shapes" value { list { shape {} } } }
       attr { key: "shared_name" value { s: "" } } attr { key: "container" value { s: "" } } }
node { name: "nothing" op: "IteratorGetNext" input: "lost" attr { key: "output_types" value { list { type: DT_INT64 } } } attr { key: "output_shapes" value { list { shape {} } } } }
)";

/// rate = 0.5 · 0.9 ^ (step / 10), as an optimizer takes it.
const char* kDecay = R"(
node { name: "global_step" op: "VariableV2" attr { key: "dtype" value { type: DT_INT64 } } attr { key: "shape" value { shape {} } } }
node { name: "global_step/zero" op: "Const" attr { key: "dtype" value { type: DT_INT64 } } attr { key: "value" value { tensor { dtype: DT_INT64 tensor_shape {} int64_val: 0 } } } }
node { name: "global_step/Assign" op: "Assign" input: "global_step" input: "global_step/zero" attr { key: "T" value { type: DT_INT64 } } }
node { name: "global_step/read" op: "Identity" input: "global_step" attr { key: "T" value { type: DT_INT64 } } }
node { name: "Cast" op: "Cast" input: "global_step/read" attr { key: "SrcT" value { type: DT_INT64 } } attr { key: "DstT" value { type: DT_FLOAT } } }
node { name: "ten" op: "Const" attr { key: "dtype" value { type: DT_FLOAT } } attr { key: "value" value { tensor { dtype: DT_FLOAT tensor_shape {} float_val: 10 } } } }
node { name: "base" op: "Const" attr { key: "dtype" value { type: DT_FLOAT } } attr { key: "value" value { tensor { dtype: DT_FLOAT tensor_shape {} float_val: 0.9 } } } }
node { name: "half" op: "Const" attr { key: "dtype" value { type: DT_FLOAT } } attr { key: "value" value { tensor { dtype: DT_FLOAT tensor_shape {} float_val: 0.5 } } } }
node { name: "p" op: "RealDiv" input: "Cast" input: "ten" attr { key: "T" value { type: DT_FLOAT } } }
node { name: "Pow" op: "Pow" input: "base" input: "p" attr { key: "T" value { type: DT_FLOAT } } }
node { name: "rate" op: "Mul" input: "half" input: "Pow" attr { key: "T" value { type: DT_FLOAT } } }
node { name: "w" op: "VariableV2" attr { key: "dtype" value { type: DT_FLOAT } } attr { key: "shape" value { shape { dim { size: 2 } } } } }
node { name: "grad" op: "Const" attr { key: "dtype" value { type: DT_FLOAT } }
       attr { key: "value" value { tensor { dtype: DT_FLOAT tensor_shape { dim { size: 2 } } float_val: 1 } } } }
node { name: "train" op: "ApplyGradientDescent" input: "w" input: "rate" input: "grad" attr { key: "T" value { type: DT_FLOAT } } }
)";

}  // namespace

class PipelineScriptsTest : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() {
    QVERIFY(folder_.isValid());
    write("queue.pbtxt", kQueue);
    write("iterator.pbtxt", kIterator);
    write("decay.pbtxt", kDecay);
  }

  void aRunThatWaitsSaysWhichSideBlocks() {
    const Outcome o = run(R"(file.open DIR/queue.pbtxt
wait idle
layout.debug
view.show queues
debug.break after
debug.start --fetch batch:0
wait 3.5
print queues
print messages
screenshot DIR/waits.png
debug.stop
wait idle
print messages
)");
    QVERIFY2(o.status == 0, qPrintable(o.errors));
    const QJsonObject q = data(o, 0)[0].toObject();
    QCOMPARE(q["name"].toString(), QStringLiteral("q"));
    QCOMPARE(q["waiting_dequeues"].toInt(), 1);
    QCOMPARE(q["wanted"].toInt(), 3);
    QCOMPARE(q["capacity"].toInt(), 4);
    QVERIFY2(q["blocked"].toString().contains(QStringLiteral("3 elements short")), qPrintable(q["blocked"].toString()));
    bool told = false;
    for (const QJsonValue& m : data(o, 1)) told |= m.toString().contains(QStringLiteral("Stalled"));
    QVERIFY(told);
    QVERIFY(!QImage(folder_.filePath("waits.png")).isNull());
    for (const QJsonValue& m : data(o, 2)) QVERIFY(!m.toString().contains(QStringLiteral("Stalled")));
  }

  void aRunGoesBackAfterItTookFromAQueue() {
    const Outcome o = run(R"(file.open DIR/queue.pbtxt
wait idle
debug.break after
debug.start --fetch after:0
wait idle
print debug
print queues
debug.step-back
wait idle
print debug
print queues
debug.step-op
wait idle
print tensor got:0
debug.continue
wait idle
print queues
)");
    QVERIFY2(o.status == 0, qPrintable(o.errors));
    QCOMPARE(object(o, 0)["node"].toString(), QStringLiteral("after"));
    QCOMPARE(data(o, 1)[0].toObject()["taken"].toInt(), 1);
    QCOMPARE(object(o, 2)["node"].toString(), QStringLiteral("got"));
    QCOMPARE(data(o, 3)[0].toObject()["size"].toInt(), 1);
    QCOMPARE(data(o, 3)[0].toObject()["taken"].toInt(), 0);
    QCOMPARE(data(o, 5)[0].toObject()["taken"].toInt(), 1);
    QCOMPARE(data(o, 5)[0].toObject()["put"].toInt(), 1);
  }

  void previewsRunThePipelineForThemselves() {
    const Outcome o = run(R"(file.open DIR/iterator.pbtxt
wait idle
graph.probe next squared
wait idle
print previews
graph.probe-sample 4
wait idle
print previews
graph.probe-clear
graph.probe nothing
wait idle
print previews
file.open DIR/queue.pbtxt
wait idle
graph.probe twice batch
wait idle
print previews
screenshot DIR/previews.png
graph.probe-clear
graph.probe never
wait idle
print previews
)");
    QVERIFY2(o.status == 0, qPrintable(o.errors));
    QVERIFY2(text(o, 0).contains(QStringLiteral("next:0: scalar int64 10")) && text(o, 0).contains(QStringLiteral("squared:0: scalar int64 100")),
             qPrintable(text(o, 0)));
    QVERIFY2(text(o, 1).contains(QStringLiteral("int64 14")) && text(o, 1).contains(QStringLiteral("int64 196")), qPrintable(text(o, 1)));
    QVERIFY2(text(o, 2).contains(QStringLiteral("lost")), qPrintable(text(o, 2)));
    QVERIFY2(text(o, 3).contains(QStringLiteral("3×2 float32")) && text(o, 3).contains(QStringLiteral("3 … 5")), qPrintable(text(o, 3)));
    QVERIFY2(text(o, 4).contains(QStringLiteral("empty")), qPrintable(text(o, 4)));
  }

  void aScheduleIsDrawnWithoutTraining() {
    const Outcome o = run(R"(file.open DIR/decay.pbtxt
wait idle
graph.schedule "" 100
wait idle
print schedule
graph.schedule base 10
wait idle
print schedule
screenshot DIR/schedule.png
)");
    QVERIFY2(o.status == 0, qPrintable(o.errors));
    const QJsonObject rate = object(o, 0);
    QCOMPARE(rate["tensor"].toString(), QStringLiteral("rate:0"));
    QCOMPARE(rate["step"].toString(), QStringLiteral("global_step"));
    QCOMPARE(rate["values"].toArray().size(), 101);
    for (const int k : {0, 1, 50, 100}) QVERIFY(std::abs(rate["values"].toArray()[k].toDouble() - 0.5 * std::pow(0.9, k / 10.0)) < 1e-6);
    QVERIFY(object(o, 1)["step"].toString().isEmpty());
    QVERIFY(run("file.open DIR/decay.pbtxt\nwait idle\ngraph.schedule nobody\n").errors.contains("nobody"));
    QVERIFY(run("file.open DIR/decay.pbtxt\nwait idle\ngraph.schedule grad\n").errors.contains("not a scalar"));
    QVERIFY(run("file.open DIR/queue.pbtxt\nwait idle\ngraph.schedule \"\" 5\n").errors.contains("no optimizer"));
    QVERIFY(run("file.open DIR/decay.pbtxt\nwait idle\ngraph.schedule rate many\n").errors.contains("many"));
  }

  void saturatedUnitsAreMeasuredBesideATraining() {
    const Outcome o = run(R"(file.new mlp
wait idle
layout.train
run.train --steps 60 --set seed=1
wait idle
print series loss
panels.saturation on
run.train --steps 60 --set seed=1
wait idle
print series loss
run.train --steps 200000 --set seed=1
wait 2.5
print view histograms
screenshot DIR/saturation.png
run.stop
wait idle
panels.saturation off
print view histograms
)");
    QVERIFY2(o.status == 0, qPrintable(o.errors));
    QCOMPARE(object(o, 1)["values"].toArray(), object(o, 0)["values"].toArray());  // nothing of the training changed
    const QJsonObject report = object(o, 2);
    QVERIFY2(report["problem"].toString().isEmpty(), qPrintable(report["problem"].toString()));
    QVERIFY(report["on"].toBool());
    QVERIFY(!report["activations"].toArray().isEmpty());
    const QJsonObject first = report["activations"].toArray()[0].toObject();
    QCOMPARE(first["op"].toString(), QStringLiteral("Relu"));
    QVERIFY(first["all"].toInt() > 1 && first["counted"].toInt() >= 0 && first["counted"].toInt() <= first["all"].toInt());
    QVERIFY(first["points"].toInt() >= 1);
    QVERIFY(!object(o, 3)["on"].toBool());
    QVERIFY(run("panels.saturation perhaps\n").status == 1);
  }

 private:
  void write(const QString& name, const char* contents) {
    QFile f(folder_.filePath(name));
    QVERIFY(f.open(QIODevice::WriteOnly));
    f.write(contents);
  }
  Outcome run(QByteArray script) { return runStudio(folder_.filePath("home"), script.replace("DIR", folder_.path().toUtf8())); }
  static QJsonArray data(const Outcome& o, qsizetype i) { return o.lines.value(i).isArray() ? o.array(i) : o.object(i)["data"].toArray(); }
  static QJsonObject object(const Outcome& o, qsizetype i) { return o.object(i).contains("data") ? o.object(i)["data"].toObject() : o.object(i); }
  static QString text(const Outcome& o, qsizetype i) {
    QString out;
    for (const QJsonValue& v : data(o, i)) out += v.toString() + u'\n';
    return out;
  }

  QTemporaryDir folder_;
};

QTEST_GUILESS_MAIN(PipelineScriptsTest)
#include "tst_pipeline_scripts.moc"
