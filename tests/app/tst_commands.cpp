// Commands: how lines of a script are split, what the registry promises.
#include <QSignalSpy>
#include <QTest>

#include "commands/action_registry.h"
#include "commands/command_words.h"

using namespace weft::app;

class CommandsTest : public QObject {
  Q_OBJECT

 private slots:
  void wordsAreSplitAsAShellDoes_data() {
    QTest::addColumn<QString>("line");
    QTest::addColumn<QStringList>("words");
    QTest::newRow("blanks") << "  file.open   a.pb " << QStringList{"file.open", "a.pb"};
    QTest::newRow("double quotes") << "file.open \"my graph.pb\"" << QStringList{"file.open", "my graph.pb"};
    QTest::newRow("single quotes keep backslashes") << "a 'b\\c'" << QStringList{"a", "b\\c"};
    QTest::newRow("escaped quote") << "a \"say \\\"x\\\"\"" << QStringList{"a", "say \"x\""};
    QTest::newRow("backslash outside quotes") << "a b\\ c" << QStringList{"a", "b c"};
    QTest::newRow("empty word") << "a \"\"" << QStringList{"a", ""};
    QTest::newRow("comment") << "a # b" << QStringList{"a"};
    QTest::newRow("hash inside a word") << "a b#c" << QStringList{"a", "b#c"};
    QTest::newRow("joined quotes") << "a\"b c\"d" << QStringList{"ab cd"};
    QTest::newRow("nothing") << "   " << QStringList();
  }
  void wordsAreSplitAsAShellDoes() {
    QFETCH(QString, line);
    QString error;
    QTEST(commandWords(line, &error), "words");
    QVERIFY(error.isEmpty());
  }
  void anOpenQuoteIsAnError() {
    QString error;
    commandWords(QStringLiteral("file.open \"a"), &error);
    QVERIFY(!error.isEmpty());
  }

  void aCommandGetsItsArguments() {
    ActionRegistry registry;
    QStringList got;
    registry.add({"test.take", "Take", "Takes", {}, {}, "", [&](const QStringList& a) {
                    got = a;
                    return CommandResult::done();
                  }});
    QVERIFY(registry.run("test.take", {"x", "y"}).ok);
    QCOMPARE(got, (QStringList{"x", "y"}));
  }
  void aDisabledCommandSaysWhy() {
    ActionRegistry registry;
    bool ran = false;
    registry.add({"test.no", "No", "Never", {}, {}, "",
                  [&](const QStringList&) {
                    ran = true;
                    return CommandResult::done();
                  },
                  [] { return QStringLiteral("There is nothing to do."); }});
    const CommandResult result = registry.run("test.no");
    QVERIFY(!result.ok);
    QCOMPARE(result.message, QStringLiteral("There is nothing to do."));
    QVERIFY(!ran);
    registry.refresh();
    QVERIFY(!registry.action("test.no")->isEnabled());
    QVERIFY(registry.action("test.no")->toolTip().contains("nothing to do"));
  }
  void anUnknownCommandFails() {
    ActionRegistry registry;
    const CommandResult result = registry.run("no.such");
    QVERIFY(!result.ok);
    QVERIFY(result.message.contains("no.such"));
  }
  void aFailureFromAMenuIsTold() {
    ActionRegistry registry;
    registry.add({"test.fail", "Fail", "Fails", {}, {}, "", [](const QStringList&) { return CommandResult::failed("It broke."); }});
    QSignalSpy spy(&registry, &ActionRegistry::failed);
    registry.action("test.fail")->trigger();
    QCOMPARE(spy.size(), 1);
    QCOMPARE(spy[0][0].toString(), QStringLiteral("It broke."));
  }
  void lettersOfTheCanvasAreNoWindowShortcuts() {
    ActionRegistry registry;
    registry.add({"test.key", "Key", "Key", "A", {}, "", [](const QStringList&) { return CommandResult::done(); }, {}, {}, true});
    QVERIFY(registry.action("test.key")->shortcut().isEmpty());
  }
};

QTEST_MAIN(CommandsTest)
#include "tst_commands.moc"
