#include <QApplication>
#include <QDialog>
#include <QLabel>
#include <QListWidget>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QToolButton>

#include "document/file_tab.h"
#include "document/program.h"
#include "shell/action_registry.h"
#include "window_fixture.h"

using namespace weft::app;

/// A program for Python 2 and for TensorFlow before 1.0 fails, is translated in the window, and runs.
class TestProgramTranslation : public WindowFixture {
  Q_OBJECT

 private slots:
  void initTestCase() { keepToOwnFolder(); }
  void init() { showWindow(); }
  void cleanup() { closeWindow(); }
  void anOldProgramIsTranslatedAndRuns();
  void theProgramItselfCanBeChanged();
  void theModuleThatFailedIsTranslated();
  void otherFailuresOfferNothing();
  void whatCannotBeTranslatedIsSaid();

 private:
  static constexpr int kLong = 120000;  // an interpreter starts slowly where all processors are busy
  static constexpr const char* kOld =
      "import tensorflow as tf\nx = tf.mul(tf.constant([3.0]), 2.0)\nn = len('abcd')\nprint 'first', n / 2\nwith tf.Session() as session:\n"
      "    print session.run(x)\ndef half(k):\n    return k / 2\n";

  void runToFailure(const QString& path) {
    QCOMPARE(window_->workspace().program().start(path, {}), QString());
    QTRY_COMPARE_WITH_TIMEOUT(window_->workspace().program().state(), Program::State::Ended, kLong);
    run("view.show", {"program"});
    QCoreApplication::processEvents();
  }
  QToolButton* offer() { return window_->findChild<QToolButton*>(QStringLiteral("program_translate")); }
  QDialog* openDialog() {
    QTest::mouseClick(offer(), Qt::LeftButton);
    QDialog* dialog = nullptr;
    (void)QTest::qWaitFor([&] { return (dialog = window_->findChild<QDialog*>(QStringLiteral("migration_dialog"))) != nullptr; }, 5000);
    return dialog;
  }
  static QString read(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
  }
  /// WEFT_PICTURES names a folder: the dialog is drawn there.
  static void draw(QWidget* widget, const QString& name) {
    if (const QString folder = qEnvironmentVariable("WEFT_PICTURES"); !folder.isEmpty()) widget->grab().save(folder + u'/' + name + QStringLiteral(".png"));
  }
};

void TestProgramTranslation::anOldProgramIsTranslatedAndRuns() {
  const QString old = write("old.py", kOld), fresh = QFileInfo(old).path() + "/old_migrated.py";
  runToFailure(old);
  QVERIFY(offer() && offer()->isVisible());
  draw(window_.get(), "offer");
  QDialog* dialog = openDialog();
  QVERIFY(dialog);
  auto* write = dialog->findChild<QPushButton*>("migration_write");
  QVERIFY(!write->isEnabled());
  QTRY_VERIFY_WITH_TIMEOUT(write->isEnabled(), kLong);
  const QString difference = dialog->findChild<QPlainTextEdit*>("migration_difference")->toPlainText();
  QVERIFY2(difference.contains("-print 'first', n / 2") && difference.contains("+print('first', n // 2)") && difference.contains("+x = tf.multiply("),
           qPrintable(difference));
  QVERIFY(dialog->findChild<QLabel*>("migration_lead")->text().contains("3 lines of this program change"));
  auto* notes = dialog->findChild<QListWidget*>("migration_notes");
  QVERIFY(notes->isVisible());
  QCOMPARE(notes->count(), 1);
  QVERIFY(notes->item(0)->text().startsWith("Line 8: k / 2 divided whole numbers"));
  draw(dialog, "dialog");
  QTest::keyClick(dialog, Qt::Key_Return);
  QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(fresh), kLong);
  QTRY_VERIFY_WITH_TIMEOUT(!window_->findChild<QDialog*>("migration_dialog"), 10000);
  QCOMPARE(read(old), QString(kOld));
  QTRY_VERIFY(!offer()->isVisible());
  QCOMPARE(window_->workspace().program().start(fresh, {}), QString());
  QTRY_COMPARE_WITH_TIMEOUT(window_->workspace().program().state(), Program::State::Ended, kLong);
  QStringList lines;
  for (const Program::Line& l : window_->workspace().program().lines()) lines << l.text;
  QVERIFY2(lines.contains("first 2") && lines.contains("[6.]"), qPrintable(lines.join('\n')));
}

void TestProgramTranslation::theProgramItselfCanBeChanged() {
  const QString old = write("own.py", "import tensorflow as tf\nprint 'x'\n");
  runToFailure(old);
  QDialog* dialog = openDialog();
  QVERIFY(dialog);
  auto* replace = dialog->findChild<QPushButton*>("migration_replace");
  QTRY_VERIFY_WITH_TIMEOUT(replace->isEnabled(), kLong);
  QTest::mouseClick(replace, Qt::LeftButton);
  QTRY_VERIFY_WITH_TIMEOUT(!window_->findChild<QDialog*>("migration_dialog"), kLong);
  QCOMPARE(read(old), QString("import tensorflow as tf\nprint('x')\n"));
  QVERIFY(!QFile::exists(QFileInfo(old).path() + "/own_migrated.py"));
}

void TestProgramTranslation::theModuleThatFailedIsTranslated() {
  const QString module = write("old_part.py", "print 'x'\n");
  runToFailure(write("whole.py", "import tensorflow as tf\nimport old_part\n"));
  QDialog* dialog = openDialog();
  QVERIFY(dialog);
  auto* write = dialog->findChild<QPushButton*>("migration_write");
  QTRY_VERIFY_WITH_TIMEOUT(write->isEnabled(), kLong);
  QVERIFY(dialog->findChild<QPlainTextEdit*>("migration_difference")->toPlainText().contains("+print('x')"));
  QTest::keyClick(dialog, Qt::Key_Return);
  QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(QFileInfo(module).path() + "/old_part_migrated.py"), kLong);
}

void TestProgramTranslation::otherFailuresOfferNothing() {
  runToFailure(write("wrong.py", "raise ValueError('no')\n"));
  QVERIFY(offer() && !offer()->isVisible());
}

void TestProgramTranslation::whatCannotBeTranslatedIsSaid() {
  const QString old = write("gone.py", "print 'x'\n");
  runToFailure(old);
  QVERIFY(QFile::remove(old));
  QDialog* dialog = openDialog();
  QVERIFY(dialog);
  QTRY_VERIFY_WITH_TIMEOUT(dialog->findChild<QLabel*>("migration_lead")->text().contains("No such file"), kLong);
  QVERIFY(!dialog->findChild<QPushButton*>("migration_write")->isEnabled());
  QTest::keyClick(dialog, Qt::Key_Escape);
  QTRY_VERIFY(!window_->findChild<QDialog*>("migration_dialog"));
}

QTEST_MAIN(TestProgramTranslation)
#include "tst_program_translation.moc"
