// The dock Doctor: a document is examined, findings are cards with evidence and remedies, in both languages, by mouse and by script.

#include "adapters/doctor_notes.h"
#include "document/doctor_store.h"
#include "document/document.h"
#include "document/program.h"
#include "document/workspace.h"
#include "shell/action_registry.h"
#include "studio_script.h"
#include "weft/doctor.h"
#include "window_fixture.h"

using namespace weft::app;

class DoctorDockTest : public WindowFixture {
  Q_OBJECT

 private slots:
  void initTestCase() { keepToOwnFolder(); }
  void init() { showWindow(); }
  void cleanup() { closeWindow(); }

  void aSoundDocument() {
    openTemplate();
    QVERIFY(run("view.show", {QStringLiteral("doctor")}));
    auto* button = named(QStringLiteral("Examine"));
    QVERIFY(button && button->isVisible());
    QTest::mouseClick(button, Qt::LeftButton);
    DoctorStore& store = DoctorStore::of(window_->workspace());
    QVERIFY(!store.whyNot().isEmpty());
    QTRY_VERIFY_WITH_TIMEOUT(store.current().done, 60000);
    QVERIFY2(store.current().error.isEmpty() && store.current().notes.isEmpty(), qPrintable(store.current().error));
    QTRY_VERIFY(says(QRegularExpression(QStringLiteral("^Nothing was found"))));
    // After an edit it says that it is old.
    QVERIFY(run("graph.add", {QStringLiteral("Const"), QStringLiteral("--name"), QStringLiteral("more")}));
    QTRY_VERIFY(window_->workspace().current()->hasNode(QStringLiteral("more")));
    QVERIFY(run("doctor.examine"));
    QTRY_VERIFY_WITH_TIMEOUT(!store.isBusy(), 60000);
  }

  void aNetworkWithoutAnActivation() {
    openTemplate();
    QVERIFY(run("graph.set", {QStringLiteral("hidden1"), QStringLiteral("activation=linear")}));
    QTRY_VERIFY(!window_->workspace().current()->hasNode(QStringLiteral("hidden1/Relu")));
    QVERIFY(run("doctor.examine"));
    DoctorStore& store = DoctorStore::of(window_->workspace());
    QTRY_VERIFY_WITH_TIMEOUT(store.current().done && !store.isBusy(), 60000);
    QStringList codes;
    for (const DoctorNote& n : store.current().notes) codes << n.code;
    QVERIFY2(codes.contains(QStringLiteral("no-nonlinearity")), qPrintable(codes.join(u' ') + store.current().error));
    QTRY_VERIFY(says(QRegularExpression(QStringLiteral("nothing non-linear between"))));
    window_->setLanguage("zh_CN");
    QTRY_VERIFY(says(QRegularExpression(QStringLiteral("第一步之前有"))));
  }

  void besideATraining() {
    openTemplate();
    DoctorStore& store = DoctorStore::of(window_->workspace());
    QVERIFY(run("doctor.watch", {QStringLiteral("on")}));
    // A learning rate that makes units die and the loss explode.
    QVERIFY(run("run.train", {QStringLiteral("--steps"), QStringLiteral("400"), QStringLiteral("--set"), QStringLiteral("learning_rate=3")}));
    QTRY_VERIFY_WITH_TIMEOUT(!window_->workspace().runs().isActive(), 60000);
    QVERIFY(store.current().watched);
    QTRY_VERIFY(!store.current().during.isEmpty());
    QVERIFY(run("view.show", {QStringLiteral("doctor")}));
    QTRY_VERIFY(says(QRegularExpression(QStringLiteral("while it trained$"))));
    QVERIFY(store.current().during.first().step > 0);
    // The next training begins without findings, and unwatched shows none.
    QVERIFY(run("doctor.watch", {QStringLiteral("off")}));
    QVERIFY(run("run.train", {QStringLiteral("--steps"), QStringLiteral("20")}));
    QTRY_VERIFY_WITH_TIMEOUT(!window_->workspace().runs().isActive(), 60000);
    QVERIFY(store.current().during.isEmpty() && !store.current().watched);
    QVERIFY(!run("doctor.watch", {QStringLiteral("perhaps")}));
  }

  void aPythonProgram() {
#ifndef WEFT_HAS_PYTHON
    QSKIP("this build runs no Python programs");
#endif
    QVERIFY(run("doctor.watch", {QStringLiteral("on")}));
    QString program = write("steep.py",
                            "import numpy as np\n"
                            "import tensorflow as tf\n"
                            "x = tf.placeholder(tf.float32, [None, 4])\n"
                            "logits = tf.layers.dense(tf.layers.dense(x, 8, tf.nn.relu), 3)\n"
                            "loss = tf.losses.sparse_softmax_cross_entropy(np.arange(30) % 3, logits)\n"
                            "train = tf.train.GradientDescentOptimizer(1e4).minimize(loss)\n"
                            "with tf.Session() as s:\n"
                            "    s.run(tf.global_variables_initializer())\n"
                            "    for i in range(20): s.run(train, {x: np.random.RandomState(i).rand(30, 4)})\n");
    QVERIFY(run("program.run", {program}));
    QTRY_COMPARE_WITH_TIMEOUT(window_->workspace().program().state(), Program::State::Ended, 60000);
    DoctorStore& store = DoctorStore::of(window_->workspace());
    QTRY_VERIFY_WITH_TIMEOUT(store.current().program && !store.current().during.isEmpty(), 20000);
    const DoctorNote note = store.current().during.first();
    QCOMPARE(note.code, QStringLiteral("learning-rate-high"));
    QVERIFY2(note.file == program && note.line == 6, qPrintable(note.file));
    QVERIFY(run("view.show", {QStringLiteral("doctor")}));
    QTRY_VERIFY(says(QRegularExpression(QStringLiteral("while the program ran$"))));
    QVERIFY(named(QStringLiteral("Show line")));
    // Unwatched, the next run says nothing.
    QVERIFY(run("doctor.watch", {QStringLiteral("off")}));
    QVERIFY(run("program.run", {program}));
    QTRY_COMPARE_WITH_TIMEOUT(window_->workspace().program().state(), Program::State::Ended, 60000);
    QVERIFY(!store.current().watched);
  }

  void findingsInWords() {
    weft::DoctorFinding f;
    for (const weft::DoctorRule& r : weft::doctorRules())
      if (r.code == std::string_view("cannot-learn-batch")) f.rule = &r;
    f.words = {"16", "300", "2.3", "2.2"};
    f.evidence = weft::DoctorFinding::Evidence::Curve;
    f.values = {2.3, 2.25, 2.2};
    f.to = 3;
    f.fix = weft::DoctorFix{"lr", "0.01", true, 60, 2.3, 0.5};
    const DoctorNote note = doctorNote(f);
    QCOMPARE(note.detail, QStringLiteral("After 300 steps on the same rows the loss went from 2.3 to 2.2."));
    QCOMPARE(note.values.size(), 3);
    QVERIFY(note.evidence == DoctorNote::Evidence::Curve && note.weight == DoctorNote::Weight::Warning);
    QCOMPARE(note.setting, QStringLiteral("lr"));
    QVERIFY2(note.fix.contains(QLatin1String("0.5 instead of 2.3")), qPrintable(note.fix));
    f.fix->lossWith = 2.29;  // it hardly helped
    QVERIFY(doctorNote(f).fix.isEmpty() && doctorNote(f).setting.isEmpty());
  }

  void aGraphThatCannotBeTrained() {
    open(write(
        "twice.pbtxt",
        "node { name: 'x' op: 'Placeholder' attr { key: 'dtype' value { type: DT_FLOAT } } attr { key: 'shape' value { shape { dim { size: -1 } dim { size: 3 } } } } }\n"
        "node { name: 'y' op: 'Placeholder' attr { key: 'dtype' value { type: DT_INT32 } } }\n"
        "node { name: 'p' op: 'Softmax' input: 'x' attr { key: 'T' value { type: DT_FLOAT } } }\n"
        "node { name: 'loss' op: 'SparseSoftmaxCrossEntropyWithLogits' input: 'p' input: 'y' attr { key: 'T' value { type: DT_FLOAT } } attr { key: 'Tlabels' value { type: DT_INT32 } } }\n"));
    QVERIFY(run("doctor.examine"));
    DoctorStore& store = DoctorStore::of(window_->workspace());
    QTRY_VERIFY_WITH_TIMEOUT(store.current().done, 30000);
    QVERIFY(store.current().onlyGraph);
    QCOMPARE(store.current().notes.size(), 1);
    QCOMPARE(store.current().notes[0].code, QStringLiteral("softmax-twice"));
    QTRY_VERIFY(named(QStringLiteral("Show node")));
    QTest::mouseClick(named(QStringLiteral("Show node")), Qt::LeftButton);
    QTRY_COMPARE(window_->workspace().current()->selection(), QStringList{QStringLiteral("loss")});
  }

  void anExaminationCanBeCancelled() {
    openTemplate();
    QVERIFY(run("doctor.examine"));
    for (const Tasks::Info& task : window_->workspace().tasks().running()) window_->workspace().tasks().cancel(task.id);
    DoctorStore& store = DoctorStore::of(window_->workspace());
    QTRY_VERIFY(!store.isBusy());
    QVERIFY(!store.current().done);
  }

  /// Each text of the engine's rules has Chinese.
  void everyRuleIsTranslated() {
    window_->setLanguage("zh_CN");
    QTRY_VERIFY(window_->isSettled());
    for (const weft::DoctorRule& r : weft::doctorRules()) {
      for (const char* text : {r.title, r.detail, r.advice}) {
        const QString chinese = QCoreApplication::translate("Doctor", text);
        QVERIFY2(chinese != QString::fromUtf8(text), text);
      }
    }
  }

  void byScript() {
    const Outcome o = runStudio(folder_.path(), "file.new softmax\nwait idle\ndoctor.examine\nprint view doctor\n");
    QVERIFY2(o.status == 0, qPrintable(o.errors));
    QVERIFY(o.object(0)[QStringLiteral("done")].toBool());
    QVERIFY(o.object(0)[QStringLiteral("findings")].toArray().isEmpty());
  }
};

QTEST_MAIN(DoctorDockTest)
#include "tst_doctor_dock.moc"
