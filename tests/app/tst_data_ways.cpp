#include <QComboBox>
#include <QDir>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QToolButton>
#include <algorithm>

#include "adapters/input_advice.h"
#include "adapters/shuffle_order.h"
#include "code_editor/code_editor.h"
#include "document/document.h"
#include "document/file_tab.h"
#include "document/text_buffer.h"
#include "main_window/data_columns_dialog.h"
#include "main_window/input_advice_window.h"
#include "main_window/shuffle_window.h"
#include "shell/action_registry.h"
#include "window_fixture.h"

using namespace weft::app;

/// Ways to feed a training: the simulated shuffle, the advice, CIFAR-10 as TFRecord.
class TestDataWays : public WindowFixture {
  Q_OBJECT

 private slots:
  void initTestCase() { keepToOwnFolder(); }
  void shufflesLoseNoElement_data();
  void shufflesLoseNoElement();
  void largerBuffersMixBetter();
  void impossibleQueuesAreSaid();
  void theSelectedQueueIsSimulated();
  void advice_data();
  void advice();
  void adviceGoesIntoTheProgram();
  void picturesBecomeRecords();
  void placeholdersOfAnyNameAreAskedFor();
  void placeholdersWithTheNamesOfColumnsAreBoundAtOnce();

 private:
  /// A small classifier of pictures with a training, its inputs called so.
  void draw(const QString& pictures, const QString& classes) {
    const auto edit = [this](const char* id, const QStringList& words) {
      QVERIFY(run(id, words));
      QTRY_VERIFY_WITH_TIMEOUT(!window_->workspace().current()->isEditing(), 30000);
    };
    window_->workspace().newFromTemplate("empty");
    QTRY_VERIFY_WITH_TIMEOUT(window_->canvas(), 30000);
    edit("graph.add", {"Placeholder", "--name", pictures, "shape=[?,64]"});
    edit("graph.add", {"Placeholder", "--name", classes, "dtype=int32", "shape=[?]"});
    edit("graph.add", {"layers.dense", "--name", "d", "units=10", "--from", pictures});
    edit("graph.add", {"losses.sparse_softmax_cross_entropy", "--name", "loss", "--from", classes, "--from", "d"});
    edit("graph.add-training", {"loss", "--epochs", "1"});
    QTRY_VERIFY(window_->isSettled());
  }
  void chooseDigits() {
    for (QToolButton* b : window_->findChildren<QToolButton*>()) {
      if (b->accessibleName() != QLatin1String("Data") || !b->menu()) continue;
      b->menu()->popup(window_->mapToGlobal(QPoint(20, 60)));
      QTRY_VERIFY(b->menu()->isVisible());
      for (QAction* action : b->menu()->actions())
        if (action->text() == QLatin1String("digits")) b->menu()->setActiveAction(action);
      QTest::keyClick(b->menu(), Qt::Key_Return);
    }
  }
  QString data() { return window_->workspace().current()->contents()->training.data; }
};

void TestDataWays::shufflesLoseNoElement_data() {
  QTest::addColumn<bool>("dataset");
  QTest::addColumn<int>("size");
  QTest::addColumn<int>("wait");
  QTest::newRow("queue") << false << 100 << 132;
  QTest::newRow("data set") << true << 100 << 131;
  QTest::newRow("no shuffling") << true << 1 << 32;
}

void TestDataWays::shufflesLoseNoElement() {
  QFETCH(bool, dataset);
  QFETCH(int, size);
  QFETCH(int, wait);
  ShuffleSetup s;
  s.kind = dataset ? ShuffleSetup::Kind::Dataset : ShuffleSetup::Kind::Queue;
  s.buffer = s.minAfterDequeue = size;
  ShuffleOrder order = shuffleOrder(s);
  QCOMPARE(order.waitForFirst, wait);
  QVERIFY(order.earliest <= (dataset ? size - 1 : s.capacity));
  if (size == 1) QCOMPARE(order.correlation, 1.0);
  QVector<int> all = order.order;
  std::sort(all.begin(), all.end());
  QCOMPARE(all.size(), s.elements);
  for (int i = 0; i < all.size(); ++i) QCOMPARE(all[i], i);
  QCOMPARE(shuffleOrder(s).order, order.order);
  s.seed = 2;
  if (size > 1) QVERIFY(shuffleOrder(s).order != order.order);
}

void TestDataWays::largerBuffersMixBetter() {
  ShuffleSetup s;
  s.kind = ShuffleSetup::Kind::Dataset;
  double before = -1;
  for (const int buffer : {1, 10, 100, 300, 1000}) {
    s.buffer = buffer;
    const ShuffleOrder order = shuffleOrder(s);
    QVERIFY2(order.meanShift > before, qPrintable(QString("buffer %1: %2").arg(buffer).arg(order.meanShift)));
    before = order.meanShift;
  }
  QVERIFY(std::abs(before - 1) < 0.06);  // all of it: a perfect shuffle
  QVERIFY(std::abs(shuffleOrder(s).correlation) < 0.1);
}

void TestDataWays::impossibleQueuesAreSaid() {
  ShuffleSetup s;
  s.capacity = 110;
  QVERIFY(s.problem().contains("132"));
  QVERIFY(shuffleOrder(s).order.isEmpty());
  s.capacity = 50;
  QVERIFY(s.problem().contains("min_after_dequeue"));
}

void TestDataWays::theSelectedQueueIsSimulated() {
  showWindow();
  open(write(
      "queue.pbtxt",
      "node { name: \"q\" op: \"RandomShuffleQueueV2\" attr { key: \"capacity\" value { i: 350 } } attr { key: \"min_after_dequeue\" value { i: 250 } }\n"
      "  attr { key: \"component_types\" value { list { type: DT_FLOAT } } } attr { key: \"shapes\" value { list { shape { } } } } }\n"
      "node { name: \"n\" op: \"Const\" attr { key: \"dtype\" value { type: DT_INT32 } } attr { key: \"value\" value { tensor { dtype: DT_INT32 tensor_shape { } int_val: 40 } } } }\n"
      "node { name: \"out\" op: \"QueueDequeueManyV2\" input: \"q\" input: \"n\" attr { key: \"component_types\" value { list { type: DT_FLOAT } } } }\n"));
  window_->workspace().current()->setSelection({"q"});
  QVERIFY(run("data.shuffle"));
  auto* window = window_->findChild<ShuffleWindow*>();
  QVERIFY(window && window->isVisible());
  QCOMPARE(window->order().waitForFirst, 290);  // 250 stay, 40 go out
  QVERIFY2(window->words().contains("The first batch waits for 290 element"), qPrintable(window->words()));
  QVERIFY(run("data.shuffle", {"dataset=1", "buffer_size=1"}));
  window = window_->findChild<ShuffleWindow*>();
  QVERIFY(window->words().startsWith("Poorly mixed"));
  QVERIFY(!run("data.shuffle", {"buffer=1"}));
  window->close();
  closeWindow();
}

void TestDataWays::advice_data() {
  QTest::addColumn<double>("megabytes");
  QTest::addColumn<int>("files");
  QTest::addColumn<bool>("online");
  QTest::addColumn<bool>("pictures");
  QTest::addColumn<InputAdvice::Way>("way");
  QTest::addColumn<int>("recordFiles");
  QTest::newRow("small") << 150.0 << 1 << false << false << InputAdvice::Way::Memory << 0;
  QTest::newRow("up to a gigabyte") << 1000.0 << 5 << false << false << InputAdvice::Way::Memory << 0;
  QTest::newRow("larger") << 12000.0 << 3 << false << false << InputAdvice::Way::Records << 120;
  QTest::newRow("pictures") << 5000.0 << 2000 << false << true << InputAdvice::Way::Dataset << 0;
  QTest::newRow("many small pictures") << 5000.0 << 500000 << false << true << InputAdvice::Way::Records << 50;
  QTest::newRow("online") << 10.0 << 1 << true << false << InputAdvice::Way::Queue << 0;
}

void TestDataWays::advice() {
  QFETCH(double, megabytes);
  QFETCH(int, files);
  QFETCH(bool, online);
  QFETCH(bool, pictures);
  QFETCH(InputAdvice::Way, way);
  QFETCH(int, recordFiles);
  const InputAdvice advice = inputAdvice({megabytes, files, online, pictures, 32});
  QCOMPARE(int(advice.way), int(way));
  QCOMPARE(advice.recordFiles, recordFiles);
  QVERIFY(!advice.reasons.isEmpty() && advice.program.contains("import tensorflow as tf") && advice.program.contains("features, labels"));
}

void TestDataWays::adviceGoesIntoTheProgram() {
  showWindow();
  const QString path = write("train.py", "# my program\n");
  window_->workspace().open(path);
  QTRY_VERIFY(window_->workspace().currentFile());
  QVERIFY(run("data.advice", {"megabytes=20000", "files=4"}));
  auto* window = window_->findChild<InputAdviceWindow*>();
  QVERIFY(window && window->isVisible());
  QCOMPARE(window->advice().recordFiles, 200);
  QTest::mouseClick(window->findChild<QPushButton*>("advice_insert"), Qt::LeftButton);
  const QString text = window_->workspace().currentFile()->text()->text();
  QVERIFY(text.contains("TFRecordWriter") && text.endsWith("# my program\n"));
  QVERIFY(run("edit.undo"));
  QCOMPARE(window_->workspace().currentFile()->text()->text(), QString("# my program\n"));
  QVERIFY(run("file.close", {"--force"}));
  closeWindow();
}

void TestDataWays::picturesBecomeRecords() {
  showWindow();
  QDir(folder_.path()).mkdir("cifar");
  QByteArray batch;
  for (int i = 0; i < 3; ++i) batch += char(i) + QByteArray(3072, char(10 * i));
  write("cifar/data_batch_1.bin", batch);
  write("cifar/test_batch.bin", batch.left(3073));
  const QString out = folder_.filePath("train.tfrecord");
  QVERIFY(run("data.to-records", {folder_.filePath("cifar"), out}));
  QTRY_VERIFY_WITH_TIMEOUT(window_->workspace().currentFile() && window_->workspace().currentFile()->path() == out, 10000);
  QVERIFY(QFileInfo(folder_.filePath("train-test.tfrecord")).size() > 3072);
  QCOMPARE(QFileInfo(out).size() / 3, QFileInfo(folder_.filePath("train-test.tfrecord")).size());
  QVERIFY(!QFileInfo::exists(out + ".part"));
  window_->workspace().closeFile(window_->workspace().currentFile());
  closeWindow();
}

void TestDataWays::placeholdersOfAnyNameAreAskedFor() {
  showWindow();
  draw("x", "y");
  QAction* train = window_->actionRegistry().action("run.train");
  QTRY_VERIFY(!train->isEnabled());
  QVERIFY2(train->toolTip().contains("choose them in the field “data”"), qPrintable(train->toolTip()));
  chooseDigits();
  QTRY_VERIFY_WITH_TIMEOUT(window_->findChild<DataColumnsDialog*>(), 30000);
  auto* dialog = window_->findChild<DataColumnsDialog*>();
  QVERIFY(!dialog->isModal());
  QCOMPARE(dialog->words(), (QStringList{"x:0=images", "y:0=labels"}));
  // A binding is removed by keys; then nothing feeds the placeholder, which is reported.
  auto* choice = dialog->findChild<QComboBox*>("column_of_y");
  QVERIFY(choice);
  QTest::keyClick(choice, Qt::Key_Home);
  QCOMPARE(dialog->words(), QStringList{"x:0=images"});
  QTest::keyClick(choice, Qt::Key_End);
  QCOMPARE(dialog->words().size(), 2);
  const int steps = window_->workspace().current()->history().index();
  QTest::keyClick(dialog, Qt::Key_Return);
  QTRY_COMPARE_WITH_TIMEOUT(data(), QString("digits"), 30000);
  QCOMPARE(window_->workspace().current()->history().index(), steps + 1);
  QVERIFY(run("edit.undo"));
  QTRY_COMPARE_WITH_TIMEOUT(data(), QString(), 30000);
  QVERIFY(run("edit.redo"));
  QTRY_COMPARE_WITH_TIMEOUT(data(), QString("digits"), 30000);
  QTRY_VERIFY(train->isEnabled());
  QVERIFY(run("run.train", {"--steps", "3"}));
  QTRY_VERIFY_WITH_TIMEOUT(!window_->workspace().runs().isActive() && window_->workspace().runs().currentRun(), 60000);
  QCOMPARE(window_->workspace().runs().progress().step, qint64(3));
  // It is asked again where it is wanted, with what is bound.
  QTRY_VERIFY(!window_->findChild<DataColumnsDialog*>());
  window_->actionRegistry().action("data.columns")->trigger();
  QTRY_VERIFY_WITH_TIMEOUT(window_->findChild<DataColumnsDialog*>(), 30000);
  QCOMPARE(window_->findChild<DataColumnsDialog*>()->words(), (QStringList{"x:0=images", "y:0=labels"}));
  QTest::keyClick(window_->findChild<DataColumnsDialog*>(), Qt::Key_Escape);
  QTRY_VERIFY(!window_->findChild<DataColumnsDialog*>());
  closeWindow();
}

void TestDataWays::placeholdersWithTheNamesOfColumnsAreBoundAtOnce() {
  showWindow();
  draw("images", "labels");
  chooseDigits();
  QTRY_COMPARE_WITH_TIMEOUT(data(), QString("digits"), 30000);
  QVERIFY(!window_->findChild<DataColumnsDialog*>());
  QTRY_VERIFY(window_->actionRegistry().action("run.train")->isEnabled());
  closeWindow();
}

QTEST_MAIN(TestDataWays)
#include "tst_data_ways.moc"
