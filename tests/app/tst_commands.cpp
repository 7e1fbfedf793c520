// Commands: splitting of script lines, and the registry's guarantees.
#include <QSignalSpy>
#include <QTest>

#include "commands/key_owners.h"
#include "shell/action_registry.h"
#include "shell/command_words.h"
#include "shell/fuzzy.h"

using namespace weft::app;

class CommandsTest : public QObject {
  Q_OBJECT

 private slots:
  void aCommandAsALineGivesItsWordsBack() {
    QString error;
    for (const QStringList& words :
         {QStringList{"a b", "c"}, QStringList{"", "#x"}, QStringList{"\"q\" \\", "it's"}, QStringList{"conv1/kernel:0", "[1,2]"}, QStringList{}})
      QCOMPARE(commandWords(commandLine("graph.add", words), &error), QStringList{"graph.add"} + words);
    QVERIFY(error.isEmpty());
    QCOMPARE(commandLine("run.train", {"--steps", "20"}), QStringLiteral("run.train --steps 20"));
  }
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
    registry.add({"test.no",
                  "No",
                  "Never",
                  {},
                  {},
                  "",
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
    QCOMPARE(registry.action("test.key")->shortcutContext(), Qt::WidgetShortcut);
  }
  void keysCanBeChangedAndClashesAreTold() {
    ActionRegistry registry;
    const auto done = [](const QStringList&) { return CommandResult::done(); };
    registry.add({"test.a", "A", "A", "Ctrl+1; Ctrl+2", {}, "", done});
    registry.add({"test.b", "B", "B", "Ctrl+3", {}, "", done});
    registry.add({"test.c", "C", "C", {}, {}, "NAME", done});
    QCOMPARE(registry.conflicts("test.b", {QKeySequence("Ctrl+2")}), QStringList{"test.a"});
    QVERIFY(registry.conflicts("test.b", {QKeySequence("Ctrl+3")}).isEmpty());
    registry.setShortcuts("test.a", {QKeySequence("F7")});
    QVERIFY(registry.hasOwnShortcut("test.a"));
    QVERIFY(registry.conflicts("test.b", {QKeySequence("Ctrl+2")}).isEmpty());
    QCOMPARE(registry.action("test.a")->shortcut(), QKeySequence("F7"));
    registry.setShortcuts("test.a", registry.defaultShortcuts("test.a"));
    QVERIFY(!registry.hasOwnShortcut("test.a"));
    QVERIFY(registry.whyNoShortcut("test.a").isEmpty());
    QVERIFY(!registry.whyNoShortcut("test.c").isEmpty());
  }
  void ofTwoCommandsWithOneKeyOneHasIt() {
    bool debugging = false;
    ActionRegistry registry;
    const auto done = [](const QStringList&) { return CommandResult::done(); };
    registry.add({"test.run", "Run", "Runs", "F5; Ctrl+R", {}, "", done});
    registry.add({"test.debug", "Debug", "Debugs", "F5", {}, "", done, [&] { return debugging ? QString() : QStringLiteral("no"); }});
    KeyOwners::of(registry).yield("test.run", "test.debug");
    registry.refresh();
    QCOMPARE(registry.action("test.run")->shortcuts(), (QList<QKeySequence>{QKeySequence("F5"), QKeySequence("Ctrl+R")}));
    debugging = true;
    registry.refresh();
    QCOMPARE(registry.action("test.run")->shortcuts(), QList<QKeySequence>{QKeySequence("Ctrl+R")});
    QCOMPARE(registry.action("test.debug")->shortcuts(), QList<QKeySequence>{QKeySequence("F5")});
    QCOMPARE(registry.shortcuts("test.run").size(), 2);  // as listed in shortcut menus
  }
  void givenCommandsAreRemembered() {
    ActionRegistry registry;
    registry.add({"test.take", "Take", "Takes", {}, {}, "", [](const QStringList&) { return CommandResult::done(); }});
    registry.run("test.take", {"x y"});
    QCOMPARE(registry.history().size(), size_t(1));
    QCOMPARE(registry.history().back().arguments, QStringList{"x y"});
  }

  void wordsAreFoundInNames_data() {
    QTest::addColumn<QString>("pattern");
    QTest::addColumn<QString>("better");
    QTest::addColumn<QString>("worse");
    QTest::newRow("contiguous before scattered") << "relu"
                                                 << "conv1/Relu"
                                                 << "reshape_last/unit";
    QTest::newRow("last part before scopes") << "conv"
                                             << "net/conv2"
                                             << "net/conv/bias_add/read";
    QTest::newRow("start of a word") << "add"
                                     << "fc/BiasAdd"
                                     << "fc/padding_dd";
    QTest::newRow("initials") << "c2d"
                              << "conv1/Conv2D"
                              << "coco/x2/end";
    QTest::newRow("the very name before what contains it") << "conv1/Relu"
                                                           << "conv1/Relu"
                                                           << "gradients/conv1/Relu_grad/ReluGrad";
    QTest::newRow("the very name before a longer one that ends so") << "loss"
                                                                    << "loss"
                                                                    << "train/loss";
    QTest::newRow("what begins so before what contains it") << "conv1/Re"
                                                            << "conv1/Relu_with_a_long_name/that/goes/on"
                                                            << "gradients/conv1/Re";
    QTest::newRow("the last parts of a path before longer names") << "cell/root"
                                                                  << "loop/a_very_long_scope_of_many_letters/cell/root"
                                                                  << "gradients/loop/cell/root_grad";
    QTest::newRow("the very name, in capitals") << "CONV1/RELU"
                                                << "conv1/Relu"
                                                << "conv1/Relu/shape";
    QTest::newRow("two words in any order") << "bias fc1"
                                            << "fc1/bias"
                                            << "fc1/beta/iastuff";
  }
  void wordsAreFoundInNames() {
    QFETCH(QString, pattern);
    QFETCH(QString, better);
    QFETCH(QString, worse);
    const FuzzyPattern fuzzy(pattern);
    QVERIFY2(fuzzy.score(better) > fuzzy.score(worse), qPrintable(QString("%1 against %2").arg(fuzzy.score(better)).arg(fuzzy.score(worse))));
    QVERIFY(fuzzy.score(better) > 0);
  }
  void whatIsNotThereIsNotFound() {
    QCOMPARE(FuzzyPattern("xyz").score(u"conv1/Relu"), 0);
    QCOMPARE(FuzzyPattern("relu conv2").score(u"conv1/Relu"), 0);
    QVERIFY(FuzzyPattern("").score(u"anything") > 0);
    QCOMPARE(FuzzyPattern("relu").matches(u"conv1/Relu"), (QVector<int>{6, 7, 8, 9}));
  }
};

QTEST_MAIN(CommandsTest)
#include "tst_commands.moc"
