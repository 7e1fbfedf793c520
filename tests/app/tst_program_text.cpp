#include <QTest>

#include "document/print_check.h"
#include "document/variable_fix.h"

using namespace weft::app;

/// Analysis of a program's text: comments that state the printed output, and calls of tf.Variable.
class TestProgramText : public QObject {
  Q_OBJECT

 private slots:
  void findsExpectations_data();
  void findsExpectations();
  void comparesWithWhatWasPrinted_data();
  void comparesWithWhatWasPrinted();
  void findsCallsOfVariable();
  void convertsVariables_data();
  void convertsVariables();
  void saysWhyNot_data();
  void saysWhyNot();
};

void TestProgramText::findsExpectations_data() {
  QTest::addColumn<QString>("program");
  QTest::addColumn<QString>("found");  // LINE:TEXT, separated by |
  QTest::newRow("a number behind a print") << "print(x)  # 15"
                                           << "1:15";
  QTest::newRow("prints") << "print(x)  # prints [1 2]"
                          << "1:[1 2]";
  QTest::newRow("arrow in the next line") << "y = 1\nprint(y)\n# => 3\n"
                                          << "2:3";
  QTest::newRow("output:") << "print(x) # Output: hello you"
                           << "1:hello you";
  QTest::newRow("Chinese") << "print(x)  # 输出：[3.]"
                           << "1:[3.]";
  QTest::newRow("a remark is none") << "print(loss)  # the loss\nprint(loss)  # prints the loss\n"
                                    << "";
  QTest::newRow("a number in a line without print") << "x = 3  # 15"
                                                    << "";
  QTest::newRow("a number beneath a print is none") << "print(x)\n# 15\n"
                                                    << "";
  QTest::newRow("a sharp within a text") << "print('# 3')"
                                         << "";
  QTest::newRow("within a long text") << "'''\nprint(x)  # 15\n'''\n"
                                      << "";
  QTest::newRow("pprint is another function") << "pprint(x)  # 15"
                                              << "";
}

void TestProgramText::findsExpectations() {
  QFETCH(QString, program);
  QFETCH(QString, found);
  QStringList texts;
  for (const Expectation& e : expectationsIn(program)) texts << QString("%1:%2").arg(e.line).arg(e.text);
  QCOMPARE(texts.join('|'), found);
}

void TestProgramText::comparesWithWhatWasPrinted_data() {
  QTest::addColumn<QString>("expected");
  QTest::addColumn<QStringList>("printed");
  QTest::addColumn<bool>("right");
  QTest::newRow("equal") << "15" << QStringList{"15"} << true;
  QTest::newRow("another number") << "10" << QStringList{"15"} << false;
  QTest::newRow("spaces") << "[1 2]" << QStringList{"[1  2]"} << true;
  QTest::newRow("commas") << "[1, 2]" << QStringList{"[1 2]"} << true;
  QTest::newRow("as far as it is written") << "0.33" << QStringList{"0.33333334"} << true;
  QTest::newRow("further than it is written") << "0.34" << QStringList{"0.33333334"} << false;
  QTest::newRow("whole numbers are exact") << "3" << QStringList{"3.2"} << false;
  QTest::newRow("quotes") << "'hello'" << QStringList{"hello"} << true;
  QTest::newRow("the last of several") << "3" << QStringList{"1", "2", "3"} << true;
  QTest::newRow("all of several") << "1, 2, 3" << QStringList{"1", "2", "3"} << true;
  QTest::newRow("none printed") << "1" << QStringList() << false;
  QTest::newRow("more elements") << "[1 2]" << QStringList{"[1 2 3]"} << false;
}

void TestProgramText::comparesWithWhatWasPrinted() {
  QFETCH(QString, expected);
  QFETCH(QStringList, printed);
  QFETCH(bool, right);
  QCOMPARE(isAsExpected(expected, printed, int(printed.size())), right);
}

void TestProgramText::findsCallsOfVariable() {
  const auto calls =
      variableCallsIn("w = tf.Variable(tf.zeros([2,\n  3]), name='w')  # tf.Variable(1)\n'tf.Variable(2)'\nmy.tf.Variable(3)\nb = tensorflow.Variable(0.)\n");
  QCOMPARE(calls.size(), 2);
  QCOMPARE(calls[0], (VariableCall{1, 4, 11, 2}));
  QCOMPARE(calls[1].line, 5);
}

void TestProgramText::convertsVariables_data() {
  QTest::addColumn<QString>("program");
  QTest::addColumn<QStringList>("made");  // by the last run, of the line with the call
  QTest::addColumn<QString>("text");
  QTest::addColumn<QString>("names");
  QTest::newRow("with a name") << "w = tf.Variable(tf.zeros([2, 3]), name='w')" << QStringList() << "w = tf.get_variable('w', initializer=tf.zeros([2, 3]))"
                               << "w -> w";
  QTest::newRow("named by what it is assigned to") << "bias = tf.Variable(0.1)" << QStringList{"Variable"}
                                                   << "bias = tf.get_variable(\"bias\", initializer=0.1)"
                                                   << "Variable -> bias";
  QTest::newRow("other arguments stay") << "s = tf.Variable(0, False, dtype=tf.int64, name='s')" << QStringList()
                                        << "s = tf.get_variable('s', initializer=0, trainable=False, dtype=tf.int64)"
                                        << "s -> s";
  QTest::newRow("in a name scope") << "with tf.name_scope('conv1'):\n  w = tf.Variable(1., name='w')" << QStringList{"conv1/w"}
                                   << "with tf.variable_scope('conv1'):\n  w = tf.get_variable('w', initializer=1.)"
                                   << "conv1/w -> conv1/w";
  QTest::newRow("in a variable scope") << "with tf.variable_scope('a'):\n  with tf.variable_scope('b'):\n    w = tf.Variable(1., name='w')" << QStringList()
                                       << "    w = tf.get_variable('w', initializer=1.)"
                                       << "a/b/w -> a/b/w";
  QTest::newRow("made twice") << "for i in range(2):\n  w = tf.Variable(1., name='w')" << QStringList{"w", "w_1"}
                              << "  with tf.variable_scope(tf.get_variable_scope(), reuse=tf.AUTO_REUSE):\n      w = tf.get_variable('w', initializer=1.)"
                              << "w,w_1 -> w shared";
  QTest::newRow("in a function with a scope") << "def layer(x):\n  with tf.name_scope('layer'):\n    w = tf.Variable(1., name='w')\n    return x * w"
                                              << QStringList{"layer/w", "layer_1/w"}
                                              << "  with tf.variable_scope('layer', reuse=tf.AUTO_REUSE):\n    w = tf.get_variable('w', initializer=1.)"
                                              << "layer/w,layer_1/w -> …/layer/w shared";
}

void TestProgramText::convertsVariables() {
  QFETCH(QString, program);
  QFETCH(QStringList, made);
  QFETCH(QString, text);
  QFETCH(QString, names);
  const auto calls = variableCallsIn(program);
  QCOMPARE(calls.size(), 1);
  QMap<int, LineNote> notes;
  for (const QString& name : made) notes[calls[0].line].made << LineNote::Made{name + ":0", "", "f32", true};
  const VariableFix fix = fixVariable(program, calls[0], notes);
  QCOMPARE(fix.error, QString());
  QCOMPARE(fix.text, text);
  QCOMPARE(fix.now.join(',') + " -> " + fix.then + (fix.shares ? " shared" : ""), names);
}

void TestProgramText::saysWhyNot_data() {
  QTest::addColumn<QString>("program");
  QTest::addColumn<QString>("part");
  QTest::newRow("open bracket") << "w = tf.Variable(1"
                                << "not closed";
  QTest::newRow("unknown arguments") << "w = tf.Variable(*given)"
                                     << "*given";
  QTest::newRow("no initial value") << "w = tf.Variable(name='w')"
                                    << "no initial value";
  QTest::newRow("a parameter that get_variable lacks") << "w = tf.Variable(1, import_scope='a')"
                                                       << "import_scope";
  QTest::newRow("a function") << "w = tf.Variable(lambda: 1)"
                              << "shape";
}

void TestProgramText::saysWhyNot() {
  QFETCH(QString, program);
  QFETCH(QString, part);
  const VariableFix fix = fixVariable(program, variableCallsIn(program).value(0), {});
  QVERIFY2(fix.error.contains(part), qPrintable(fix.error));
}

QTEST_GUILESS_MAIN(TestProgramText)
#include "tst_program_text.moc"
