// The language of expressions: what they give, and what is wrong with those that give nothing.
#include <QTest>
#include <random>

#include "weft/expressions.h"

using namespace weft;

namespace {

QString q(const std::string& s) { return QString::fromStdString(s); }

/// The value of an expression over some names, or "!" and its error.
std::string valueOf(const std::string& text, const std::map<std::string, ExpressionValue>& names = {}) {
  const auto parsed = Expression::parse(text);
  if (!parsed.ok()) return "!" + parsed.error().message;
  const auto value = parsed->evaluate([&](const std::string& name) -> Result<ExpressionValue> {
    const auto at = names.find(name);
    return at == names.end() ? Result<ExpressionValue>(notFound("no ", name)) : at->second;
  });
  return value.ok() ? value->toString() : "!" + value.error().message;
}

}  // namespace

class TestExpressionLanguage : public QObject {
  Q_OBJECT

 private slots:
  void values_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("value");
    const auto row = [](const char* text, const char* value) { QTest::newRow(text) << text << value; };
    row("2*width", "128");
    row("1+2*3", "7");
    row("(1+2)*3", "9");
    row("2**3**2", "512");
    row("-2**2", "-4");
    row("2**-1", "0.5");
    row("7/2", "3.5");
    row("6/3", "2");
    row("7//2", "3");
    row("1//0.1", "9");
    row("-1//0.1", "-10");
    row("'it''s'", "it's");
    row("-7//2", "-4");
    row("-7 % 3", "2");
    row("7 % -3", "-2");
    row("7.5 // 2", "3");
    row("-7.5 % 2", "0.5");
    row("9007199254740993", "9007199254740993");  // 2^53 + 1 is no double
    row("2**53 + 1", "9007199254740993");
    row("9007199254740993 > 9007199254740992.0", "true");
    row("9007199254740992 == 9007199254740992.0", "true");
    row("9223372036854775807 - 1", "9223372036854775806");
    row("-9223372036854775807 - 1", "-9223372036854775808");
    row("(-9223372036854775807 - 1) % -1", "0");
    row("0.1+0.2", "0.30000000000000004");
    row("rate*10", "0.01");
    row("min(3, 1, 2)", "1");
    row("max([1, 2.5])", "2.5");
    row("round(2.5)", "2");
    row("round(3.5)", "4");
    row("floor(-2.5)", "-3");
    row("ceil(2.1)", "3");
    row("int(-2.7)", "-2");
    row("abs(-3)", "3");
    row("sqrt(16)", "4");
    row("log2(8)", "3");
    row("exp(0)", "1");
    row("sum([1,2,3])", "6");
    row("prod(shape)", "6");
    row("len([])", "0");
    row("[batch, 2*width]", "[32,128]");
    row("[?, width]", "[?,64]");
    row("[1] + shape", "[1,2,3]");
    row("shape[0]", "2");
    row("shape[-1]", "3");
    row("[[1,2],[3,4]][1][0]", "3");
    row("1 if width > 32 else 2", "1");
    row("1 if false else 2 if false else 3", "3");
    row("width > 32 and batch < 8 or true", "true");
    row("not width > 32", "false");
    row("1 if true else 1/0", "1");  // not computed
    row("false and 1/0 > 1", "false");
    row("'SAME' if width == 64 else 'VALID'", "SAME");
    row("1e-3", "0.001");
    row(".5", "0.5");
    row("dense_1.units * 2", "16");
    row("{conv/block.units} + 1", "6");
    // What cannot be.
    row("", "!the expression is empty");
    row("2*", "!the expression ends after '2*', expected a number, a name or (");
    row("2 3", "!'3' stands after '2 ', expected an operator or the end");
    row("(2", "!the expression ends after '(2', expected )");
    row("2 $ 3", "!'$' cannot be read, after '2 '");
    row("2units", "!'2units' is no number");
    row("min", "!min is a function, expected min(a, b, …)");
    row("mean(1)", "!there is no function mean; there are min, max, sum, prod, round, floor, ceil, int, abs, sqrt, exp, log, log2, log10, len");
    row("round(1, 2)", "!round(1, 2): expected round(x)");
    row("1 < 2 < 3", "!two comparisons in a row, expected 'and' between them: a < b and b < c");
    row("7 / 0", "!7 / 0 is a division by zero");
    row("7 // (width - 64)", "!7 // 0 is a division by zero");
    row("7.5 % 0", "!7.5 % 0 is a division by zero");
    row("9223372036854775807 + 1", "!9223372036854775807 + 1 is out of range: whole numbers have 64 bits");
    row("3037000500 * 3037000500", "!3037000500 * 3037000500 is out of range: whole numbers have 64 bits");
    row("2**63", "!2 ** 63 is out of range: whole numbers have 64 bits");
    row("(-9223372036854775807 - 1) // -1", "!-9223372036854775808 // -1 is out of range: whole numbers have 64 bits");
    row("abs(-9223372036854775807 - 1)", "!abs(-9223372036854775808) is out of range: whole numbers have 64 bits");
    row("9223372036854775808", "!9223372036854775808 is out of range: whole numbers have 64 bits");
    row("1e400", "!1e400 is out of the range of numbers");
    row("1e300 * 1e300", "!1e+300 * 1e+300 is infinite, expected a finite number");
    row("floor(1e300)", "!floor(1e+300) is out of range: whole numbers have 64 bits");
    row("log(0)", "!log(0) is infinite, expected a finite number");
    row("sqrt(0-1)", "!sqrt(-1) is not a number");
    row("'a' + 1", "!a + 1: a is a word, expected a number");
    row("? + 1", "!? + 1: ? is an unknown dimension, expected a number");
    row("shape[5]", "![2,3] has no element 5: it has 2");
    row("1 if width else 2", "!if 64: expected true or false, not a whole number");
    row("widht", "!no widht");
  }
  void values() {
    QFETCH(QString, text);
    QFETCH(QString, value);
    const std::map<std::string, ExpressionValue> names = {
        {"width", {int64_t(64)}},        {"batch", {int64_t(32)}},          {"rate", {0.001}}, {"shape", ExpressionValue::fromText("[2,3]")},
        {"dense_1.units", {int64_t(8)}}, {"conv/block.units", {int64_t(5)}}};
    QCOMPARE(q(valueOf(text.toStdString(), names)), value);
  }

  void theRulesOfWholeNumbersArePythons() {
    std::mt19937_64 random(7);
    for (int i = 0; i < 20'000; ++i) {
      const int64_t a = int64_t(random()) >> (random() % 63), b = int64_t(random()) >> (random() % 63);
      const std::string words = "(" + std::to_string(a / 2) + ")", other = "(" + std::to_string(b / 2) + ")";
      if (b / 2 == 0) continue;
      // a = (a // b) * b + a % b, with 0 <= a % b < |b| on b's side.
      const std::string quotient = valueOf(words + "//" + other), rest = valueOf(words + "%" + other);
      QCOMPARE(q(valueOf("(" + quotient + ")*" + other + "+(" + rest + ")")), q(std::to_string(a / 2)));
      QCOMPARE(q(valueOf("(" + rest + ")*" + std::string(b > 0 ? "1" : "-1") + " >= 0 and abs(" + rest + ") < abs(" + other + ")")), QStringLiteral("true"));
      QCOMPARE(q(valueOf(words + " < " + other)), a / 2 < b / 2 ? QStringLiteral("true") : QStringLiteral("false"));
    }
  }

  void textsOfAnyKindAreReadOrRefused() {
    std::mt19937 random(11);
    const std::string letters = "0123456789abz_.+-*/%()[],<>=!?{}'\" eif";
    for (int i = 0; i < 50'000; ++i) {
      std::string text;
      for (size_t n = random() % 24; n > 0; --n) text += letters[random() % letters.size()];
      const auto parsed = Expression::parse(text);
      if (!parsed.ok()) continue;
      QCOMPARE(parsed->renamed([](const std::string& name) { return name; }), text);
      (void)parsed->evaluate([](const std::string&) -> Result<ExpressionValue> { return ExpressionValue{int64_t(3)}; });
    }
  }

  void deepAndLongExpressionsNeedNoRecursion() {
    for (const char* open : {"(", "-", "[", "not ", "2**", "min(", "1 if true else "}) {
      std::string text;
      while (text.size() < 9000) text += open;
      const std::string value = valueOf(text + "1");
      QVERIFY2(value.find("nested more than 200 deep") != value.npos, value.c_str());
    }
    std::string sum = "1";
    while (sum.size() < 9000) sum += "+1";
    QCOMPARE(q(valueOf(sum)), q(std::to_string(sum.size() / 2 + 1)));
    QCOMPARE(q(valueOf(std::string(10'001, '1'))), QStringLiteral("!an expression of 10001 characters, expected at most 10000"));
  }

  void listsOfListsAreLimited() {
    const std::string wide = "[" + [] {
      std::string all = "0";
      for (int i = 1; i < 4000; ++i) all += ",0";
      return all;
    }() + "]";
    const std::map<std::string, ExpressionValue> names = {{"a", ExpressionValue::fromText(wide)}};
    QVERIFY(valueOf("[a,a]", names).starts_with("[["));
    QCOMPARE(q(valueOf("[a,a,a]", names)), QStringLiteral("!a list has more than 10000 elements, those of its lists included"));
    QCOMPARE(q(valueOf("len([a]+[a]+[a])", names)), QStringLiteral("!a list has more than 10000 elements, those of its lists included"));
    std::string many = "[a";
    while (many.size() < 9000) many += ",a";
    QCOMPARE(q(valueOf(many + "]", names)), QStringLiteral("!lists of more than 100000 elements at once"));
    QCOMPARE(q(valueOf(std::string(33, '[') + "1" + std::string(33, ']'))), QStringLiteral("!a list has lists in it more than 32 deep"));
    QVERIFY(valueOf(std::string(32, '[') + "1" + std::string(32, ']')).starts_with("[[["));
  }

  void resultsAreWrittenAsExpressions_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("expression");
    QTest::newRow("words") << "[relu,[SAME,?],2]"
                           << "['relu',['SAME',?],2]";
    QTest::newRow("quote") << "it's"
                           << "\"it's\"";
    QTest::newRow("both quotes") << "it's \"it\""
                                 << "'it''s \"it\"'";
    QTest::newRow("least") << "-9223372036854775808"
                           << "(-9223372036854775807 - 1)";
    QTest::newRow("real") << "0.25"
                          << "0.25";
  }
  void resultsAreWrittenAsExpressions() {
    QFETCH(QString, text);
    QFETCH(QString, expression);
    const std::string written = ExpressionValue::fromText(text.toStdString()).toExpression();
    QCOMPARE(q(written), expression);
    QCOMPARE(q(valueOf(written)), text);
  }
};

QTEST_GUILESS_MAIN(TestExpressionLanguage)
#include "tst_expression_language.moc"
