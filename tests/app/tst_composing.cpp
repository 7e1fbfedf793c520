// Composing from end to end: a network drawn from nothing, its history, a crash, through weft-studio --script.
#include <signal.h>

#include <QDir>

#include "studio_script.h"

namespace {

// Twelve commands from an empty document to a network that can be trained.
const char* kLenet = R"(file.new empty
graph.add data builtin=digits
graph.add reshape --name pictures --from images target_shape=[-1,8,8,1]
graph.add layers.conv2d --name conv1 --from pictures filters=16 kernel_size=[3,3] padding=same activation=relu
graph.add layers.max_pooling2d --name pool1 --from conv1 pool_size=[2,2] strides=[2,2]
graph.add layers.conv2d --name conv2 --from pool1 filters=32 kernel_size=[3,3] padding=same activation=relu
graph.add layers.max_pooling2d --name pool2 --from conv2 pool_size=[2,2] strides=[2,2]
graph.add layers.flatten --name flatten --from pool2
graph.add layers.dense --name fc1 --from flatten units=64 activation=relu
graph.add layers.dense --name logits --from fc1 units=10
graph.add losses.sparse_softmax_cross_entropy --name loss --from labels --from logits
graph.add-training loss --optimizer adam --lr 2e-3
)";

}  // namespace

class ComposingTest : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() { QVERIFY(studio_.isValid()); }

  void lenetIsDrawnInTwelveCommandsAndLearns() {
    const Outcome o = run(
        QString::fromLatin1(kLenet) +
        "print document\nprint problems\nrun.train --epochs 5\nwait idle\nprint run\nprint series test_accuracy\nedit.undo all\nprint document\nedit.redo all\n"
        "print document\nfile.save " +
        file("lenet.weft") + "\nprint document\n");
    QVERIFY2(o.status == 0, qPrintable(o.errors));
    QVERIFY(o.object(0)["nodes"].toInt() > 150);
    QCOMPARE(o.object(0)["undo"].toInt(), 11);
    QVERIFY2(o.array(1).isEmpty(), o.lines.value(1).toJson().constData());
    QCOMPARE(o.object(2)["state"].toString(), QString("finished"));
    QVERIFY(o.object(3)["values"].toArray().last().toDouble() > 0.9);
    QCOMPARE(o.object(4)["nodes"].toInt(), 0);
    QCOMPARE(o.object(4)["redo"].toInt(), 11);
    QCOMPARE(o.object(5)["nodes"].toInt(), o.object(0)["nodes"].toInt());
    QVERIFY(!o.object(6)["modified"].toBool());
    const Outcome again = run("file.open " + file("lenet.weft") +
                              "\nprint document\ngraph.set fc1 units=32\nprint document\nprint problems\nrun.train --steps 5\nwait idle\nprint run\n");
    QVERIFY2(again.status == 0, qPrintable(again.errors));
    QCOMPARE(again.object(0)["nodes"].toInt(), o.object(0)["nodes"].toInt());
    QCOMPARE(again.object(0)["parameters"].toInt(), o.object(0)["parameters"].toInt());
    QVERIFY(again.object(1)["parameters"].toInt() < again.object(0)["parameters"].toInt());
    QVERIFY2(again.array(2).isEmpty(), again.lines.value(2).toJson().constData());
    QCOMPARE(again.object(3)["step"].toInt(), 5);
  }

  void whatDoesNotFitIsRefusedOrMended() {
    const QString head = "file.new empty\ngraph.add Placeholder --name x shape=[?,64]\n";
    QVERIFY(run(head + "graph.add Placeholder --name i dtype=int32\ngraph.add Add --name s --from x\ngraph.connect i s:1\n").errors.contains("Cast"));
    QVERIFY(run(head + "graph.add Relu --name r --from x\ngraph.connect r r:0\n").errors.contains("cycle"));
    QVERIFY(run(head + "graph.add NoSuchThing\n").errors.contains("NoSuchThing"));
    QVERIFY(run(head + "graph.set x shape=wrong\n").errors.contains("wrong"));
    QVERIFY(run(head + "graph.rename x 'not a name'\n").errors.contains("not a name"));
    QVERIFY(run(head + "edit.redo\n").status == 1);
    // A convolution of rows: offered is a reshape to pictures.
    const Outcome o =
        run(head +
            "graph.add layers.conv2d --name c filters=4 kernel_size=[3,3] --from x\nprint problems\nproblems.fix c layer 1\nprint problems\nprint document\n");
    QVERIFY2(o.status == 0, qPrintable(o.errors));
    QCOMPARE(o.array(0).size(), 1);
    QCOMPARE(o.array(0)[0].toObject()["code"].toString(), QString("layer"));
    QVERIFY(!o.array(0)[0].toObject()["fixes"].toArray().isEmpty());
    QVERIFY2(o.array(1).isEmpty(), o.lines.value(1).toJson().constData());
    QVERIFY(o.object(2)["variables"].toInt() == 2);
  }

  void nodesTravelBetweenDocuments() {
    const Outcome o = run(QString::fromLatin1(kLenet) +
                          "graph.select conv1\nedit.copy\nfile.new empty\nedit.paste\nprint document\nprint selection\nedit.undo\nprint document\n");
    QVERIFY2(o.status == 0, qPrintable(o.errors));
    QVERIFY(o.object(0)["variables"].toInt() == 2);
    QVERIFY(o.array(1).contains("conv1"));
    QCOMPARE(o.object(2)["nodes"].toInt(), 0);
  }

  void aHalfMadeGraphIsSavedAndOpened() {
    const Outcome o = run("file.new empty\ngraph.add MatMul --name m\nprint problems\nfile.save " + file("half.weft") + "\n");
    QVERIFY2(o.status == 0, qPrintable(o.errors));
    QCOMPARE(o.array(0)[0].toObject()["code"].toString(), QString("open-input"));
    const Outcome again = run("file.open " + file("half.weft") + "\nprint document\nprint problems\n");
    QCOMPARE(again.object(0)["nodes"].toInt(), 1);
    QCOMPARE(again.array(1).size(), 1);
  }

  void theDrawingIsExported() {
    const Outcome o = run(QString::fromLatin1(kLenet) + "graph.export " + file("a.svg") + "\ngraph.export " + file("a.png") + "\ngraph.export " +
                          file("a.pdf") + "\ngraph.export " + file("a.dot") + "\ngraph.export " + file("a.py") + "\n");
    QVERIFY2(o.status == 0, qPrintable(o.errors));
    QVERIFY(read("a.svg").contains("<svg") && read("a.png").startsWith("\x89PNG") && read("a.pdf").startsWith("%PDF"));
    QVERIFY(read("a.dot").startsWith("digraph") && read("a.py").contains("def build(graph)"));
    QVERIFY(run("file.new empty\ngraph.export " + file("a.doc") + "\n").errors.contains(".svg"));
  }

  void theHistoryOutlivesClosing() {
    QDir(file("recovery")).removeRecursively();
    QDir(file("recovery-kept")).removeRecursively();
    const QString document = file("kept.weft");
    const Outcome made = run(
        QString(
            "file.new empty\ngraph.add placeholder --name x\ngraph.add Relu --name a --from x:0\nfile.save \"%1\"\ngraph.add Relu --name b --from a:0\n"
            "graph.add Relu --name c --from b:0\nedit.undo\nfile.save \"%1\"\nprint document\nfile.close\nwait idle\nfile.open \"%1\"\nwait idle\nprint document\n")
            .arg(document));
    QVERIFY2(made.status == 0, qPrintable(made.errors));
    QCOMPARE(made.object(0)["undo"].toInt(), 3);
    QCOMPARE(made.object(1)["undo"].toInt(), 3);
    // The program was ended, too: the same in the next one, and again after that.
    for (int i = 0; i < 2; ++i) {
      const Outcome next = run(
          QString("file.open \"%1\"\nwait idle\nprint document\nedit.undo\nprint document\nedit.redo\nedit.redo\nprint document\nedit.undo\nprint document\n")
              .arg(document));
      QVERIFY2(next.status == 0, qPrintable(next.errors));
      QCOMPARE(next.object(0)["undo"].toInt(), 3);
      QCOMPARE(next.object(0)["redo"].toInt(), 1);
      QCOMPARE(next.object(0)["modified"].toBool(), false);
      QCOMPARE(next.object(1)["nodes"].toInt(), next.object(0)["nodes"].toInt() - 1);
      QCOMPARE(next.object(1)["modified"].toBool(), true);
      QCOMPARE(next.object(2)["nodes"].toInt(), next.object(0)["nodes"].toInt() + 1);
      QCOMPARE(next.object(3)["modified"].toBool(), false);
    }
    // A file written by another program has no history here.
    const Outcome other = run(QString("file.new empty\ngraph.add placeholder --name z\nfile.save \"%1\"\n").arg(file("other.weft")));
    QVERIFY2(other.status == 0, qPrintable(other.errors));
    studio_.write("kept.weft", studio_.read("other.weft"));
    const Outcome changed = run(QString("file.open \"%1\"\nwait idle\nprint document\n").arg(document));
    QVERIFY2(changed.status == 0, qPrintable(changed.errors));
    QCOMPARE(changed.object(0)["undo"].toInt(), 0);
  }
  void workOutlivesAKill() {
    QDir(file("recovery")).removeRecursively();
    studio_.write("killed.txt", QByteArray(kLenet) + "edit.undo\nedit.undo\nprint document\nwait 60\n");
    QProcess studio;
    studio.setProcessEnvironment(studio_.environment());
    studio.start(WEFT_STUDIO, {"--size", "1000x700", "--script", file("killed.txt")});
    QVERIFY(studio.waitForStarted());
    QByteArray printed;
    while (!printed.contains('\n') && studio.waitForReadyRead(60000)) printed += studio.readAllStandardOutput();
    const QJsonObject before = QJsonDocument::fromJson(printed).object();
    QCOMPARE(before["undo"].toInt(), 9);
    QVERIFY(::kill(pid_t(studio.processId()), SIGKILL) == 0);
    QVERIFY(studio.waitForFinished());
    const Outcome o =
        run("print messages\nfile.recover\nprint document\nedit.redo\nedit.redo\nprint document\nedit.undo all\nprint document\nprint messages\n");
    QVERIFY2(o.status == 0, qPrintable(o.errors));
    // It is offered until accepted.
    QVERIFY2(o.array(0).size() == 1 && o.array(0)[0].toString().contains("unsaved work in graph.weft"), o.lines.value(0).toJson().constData());
    QVERIFY(o.array(4).isEmpty());
    QCOMPARE(o.object(1)["nodes"].toInt(), before["nodes"].toInt());
    QCOMPARE(o.object(1)["undo"].toInt(), 9);
    QCOMPARE(o.object(1)["redo"].toInt(), 2);
    QCOMPARE(o.object(2)["undo"].toInt(), 11);
    QVERIFY(o.object(2)["nodes"].toInt() > 150);
    QCOMPARE(o.object(3)["nodes"].toInt(), 0);
    // It was closed in peace: nothing is left.
    QCOMPARE(run("file.recover\n").status, 1);
  }

 private:
  Outcome run(const QString& script) const { return studio_.run(script); }
  QString file(const QString& name) const { return studio_.file(name); }
  QByteArray read(const QString& name) const { return studio_.read(name); }

  StudioScript studio_;
};

QTEST_GUILESS_MAIN(ComposingTest)
#include "tst_composing.moc"
