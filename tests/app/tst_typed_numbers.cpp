// Typed numbers: a value that a field cannot represent is refused with the field's name and range; never cut, wrapped or rounded.
#include <QTest>

#include "document/document.h"
#include "document/run_settings.h"
#include "property_sheet/property.h"
#include "window_fixture.h"

using namespace weft::app;

class NumbersTest : public WindowFixture {
  Q_OBJECT

 private slots:
  void initTestCase() {
    keepToOwnFolder();
    showWindow();
    openTemplate();
  }
  void cleanupTestCase() { closeWindow(); }

  void whatDoesNotFitIsRefused_data() {
    QTest::addColumn<QString>("id");
    QTest::addColumn<QStringList>("words");
    QTest::addColumn<QStringList>("says");
    const QString most = "2147483647";
    const auto row = [](const char* name, const char* id, const QStringList& words, const QStringList& says) {
      QTest::newRow(name) << QString(id) << words << says;
    };
    for (const char* value : {"99999999999", "2147483648", "0", "-5", "99999999999999999999", "1e3", "1,5", "", "nan"}) {
      const bool number = QString(value).toLongLong() != 0 || QLatin1String(value) == QLatin1String("0");
      row(qPrintable(QString("units %1").arg(value)), "graph.set", {"hidden1", QString("units=%1").arg(value)},
          number ? QStringList{value, most} : QStringList{"units"});
    }
    row("add units", "graph.add", {"dense", "--name", "huge", "--set", "units=99999999999"}, {"99999999999", most});
    row("steps", "run.train", {"--steps", "99999999999999999999"}, {"99999999999999999999", "1000000000000"});
    row("steps 0", "run.train", {"--steps", "0"}, {"0", "1000000000000"});
    row("steps float", "run.train", {"--steps", "1.5"}, {"1.5"});
    row("epochs", "run.train", {"--epochs", "99999999999"}, {"99999999999", "1000000000"});
    row("patience", "run.train", {"--patience", "1000001"}, {"1000001", "1000000"});
    row("several steps", "run.steps", {"99999999999"}, {"99999999999", "1000000"});
    row("live inf", "run.set-live", {"Learning rate", "1e999"}, {"1e999"});
    row("live nan", "run.set-live", {"Learning rate", "nan"}, {"nan"});
    row("live comma", "run.set-live", {"Learning rate", "0,5"}, {"0,5"});
    row("live empty", "run.set-live", {"Learning rate", ""}, {"\"\""});
    row("live range", "run.set-live", {"Learning rate", "7"}, {"7", "1e-05", "1"});
    row("assumed batch", "graph.assume-batch", {"99999999999"}, {"99999999999", most});
    row("batch of data", "graph.bind-data", {"digits", "batch=99999999999"}, {"99999999999", most});
    row("batch of data 0", "graph.bind-data", {"digits", "--batch", "0"}, {"0", most});
    row("held back", "graph.bind-data", {"digits", "validation=1e999"}, {"1e999", "1"});
    row("held back nan", "graph.bind-data", {"digits", "validation=nan"}, {"nan"});
    row("seed", "graph.bind-data", {"digits", "seed=99999999999999999999"}, {"99999999999999999999"});
    row("setting", "settings.set", {"run/threads", "99999999999"}, {"99999999999"});
  }
  void whatDoesNotFitIsRefused() {
    QFETCH(QString, id);
    QFETCH(QStringList, words);
    QFETCH(QStringList, says);
    Document* document = window_->workspace().current();
    const GraphContentsPtr before = document->contents();
    CommandResult result = window_->actionRegistry().run(id, words);
    while (result.ok && result.later) {
      const auto later = result.later();
      if (later) result = *later;
      else QTest::qWait(5);
    }
    QVERIFY2(!result.ok, qPrintable(id + ' ' + words.join(' ')));
    for (const QString& part : says) QVERIFY2(result.message.contains(part), qPrintable(result.message));
    QCOMPARE(document->contents(), before);
    QVERIFY(!window_->workspace().runs().isActive());
  }
  void fieldsOfASheetNameTheRange_data() {
    QTest::addColumn<QString>("type");
    QTest::addColumn<QString>("text");
    QTest::addColumn<bool>("good");
    QTest::newRow("int") << "int"
                         << "12" << true;
    QTest::newRow("int overflow") << "int"
                                  << "99999999999999999999" << false;
    QTest::newRow("int float") << "int"
                               << "1.5" << false;
    QTest::newRow("int comma") << "int"
                               << "1,5" << false;
    QTest::newRow("int empty") << "int"
                               << "" << false;
    QTest::newRow("float") << "float"
                           << "1e-3" << true;
    QTest::newRow("float overflow") << "float"
                                    << "1e999" << false;
    QTest::newRow("float beyond") << "float"
                                  << "1e39" << false;
    QTest::newRow("float comma") << "float"
                                 << "0,5" << false;
  }
  void fieldsOfASheetNameTheRange() {
    QFETCH(QString, type);
    QFETCH(QString, text);
    QFETCH(bool, good);
    weft::widgets::Property property;
    property.name = "p";
    property.type = type;
    const QString problem = weft::widgets::propertyProblem(property, text);
    QCOMPARE(problem.isEmpty(), good);
    if (!good && !text.isEmpty()) QVERIFY2(problem.contains(text), qPrintable(problem));
  }
};

QTEST_MAIN(NumbersTest)
#include "tst_typed_numbers.moc"
