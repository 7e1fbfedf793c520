// Expressions: the language, names of a document, and fields that follow them.
#include <QTemporaryDir>
#include <QTest>
#include <limits>
#include <random>

#include "weft/builder.h"
#include "weft/document_parameters.h"
#include "weft/expressions.h"
#include "weft/groups.h"
#include "weft/train.h"

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

std::string errorOf(const Status& status) { return status.ok() ? std::string("no error") : status.error().message; }

/// A document under edit; each change is one edit, as the window makes it.
struct Document {
  MetaGraph meta;
  std::vector<Error> problems;
  std::vector<std::string> notes;

  template <typename F>
  Status change(F&& f) {
    MetaGraph before = meta;
    std::vector<Error> was = problems;
    notes.clear();
    GraphEditor editor(meta, problems);
    LayerEditor layers(editor);
    Status status = f(layers);
    if (status.ok()) status = finishEdit(layers, &notes);
    if (!status.ok()) {
      meta = before;
      problems = was;
    }
    return status;
  }
  Status name(const std::string& n, const std::string& expression) {
    return change([&](LayerEditor&) { return setNamedValue(meta, n, expression); });
  }
  Status follow(const std::string& field, const std::string& expression) {
    return change([&](LayerEditor&) { return setFieldExpression(meta, field, expression); });
  }
  Status set(const std::string& scope, const std::string& parameter, const std::string& text) {
    return change([&](LayerEditor& l) { return l.setParameter(*l.find(scope), parameter, text); });
  }
  std::string value(const std::string& field) const {
    const auto f = ExpressionScope(meta).field(field);
    return f.ok() ? f->value : "!" + f.error().message;
  }
  std::string shape(const std::string& node) const {
    const Node* n = meta.graph.find(node);
    return n ? n->outputShapes[0].toString() : "(none)";
  }
};

/// x → dense_1 (8 units) → dense_2 (4 units).
Document twoLayers() {
  Document d;
  GraphBuilder b(d.meta);
  b.placeholder(DType::Float, Shape{-1, 16}, "x");
  const Status made = d.change([](LayerEditor& l) -> Status {
    const ApiRecord& dense = *ApiRegistry::instance().findLayer("layers.dense");
    WEFT_TRY(l.add(dense, "dense_1", {{"units", "8"}}, {{"", "x:0"}}).status());
    return l.add(dense, "dense_2", {{"units", "4"}}, {{"", l.find("dense_1")->outputs[0]}}).status();
  });
  if (!made.ok()) qFatal("%s", made.toString().c_str());
  return d;
}

#define OK(...)                                           \
  do {                                                    \
    const Status okStatus = (__VA_ARGS__);                \
    QVERIFY2(okStatus.ok(), okStatus.toString().c_str()); \
  } while (0)
#define FAILS(text, ...) QCOMPARE(q(errorOf(__VA_ARGS__)), QStringLiteral(text))

}  // namespace

class TestExpressions : public QObject {
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

  void aLongChainOfNamesIsComputed() {
    Document d;
    std::vector<NamedValue> names;
    constexpr int kNames = 20'000;
    for (int i = 0; i < kNames; ++i) names.push_back({"n" + std::to_string(i), i + 1 < kNames ? "n" + std::to_string(i + 1) + " + 1" : "1", {}, {}});
    setNamedValues(d.meta, names);
    const auto value = ExpressionScope(d.meta).valueOf("all", "n0");
    QVERIFY2(value.ok(), value.ok() ? "" : value.error().message.c_str());
    QCOMPARE(q(value->toString()), QString::number(kNames));
  }

  void fieldsFollowAName() {
    Document d = twoLayers();
    OK(d.name("width", "64"));
    OK(d.follow("dense_1.units", "2*width"));
    OK(d.follow("dense_2.units", "dense_1.units//4"));
    QCOMPARE(q(d.shape("dense_1/kernel")), QStringLiteral("[16,128]"));
    QCOMPARE(q(d.shape("dense_2/kernel")), QStringLiteral("[128,32]"));
    OK(d.name("width", "10"));
    QCOMPARE(q(d.shape("dense_1/kernel")), QStringLiteral("[16,20]"));
    QCOMPARE(q(d.shape("dense_2/kernel")), QStringLiteral("[20,5]"));
    const auto fields = followedFieldsOf(d.meta);
    QCOMPARE(fields.size(), size_t(2));
    QCOMPARE(fields[1].result.value_or(""), std::string("5"));
    QCOMPARE(namedValuesOf(d.meta)[0].result.value_or(""), std::string("10"));
  }

  void layersThatMustFitChangeTogether() {
    Document d;
    GraphBuilder b(d.meta);
    b.placeholder(DType::Float, Shape{-1, 16}, "x");
    OK(d.change([](LayerEditor& l) -> Status {
      const ApiRecord& dense = *ApiRegistry::instance().findLayer("layers.dense");
      for (const char* name : {"left", "right"}) WEFT_TRY(l.add(dense, name, {{"units", "8"}}, {{"", "x:0"}}).status());
      WEFT_LET(const int add, l.editor().add("Add", "both"));
      WEFT_LET(const Output left, l.editor().output(l.find("left")->outputs[0]));
      WEFT_LET(const Output right, l.editor().output(l.find("right")->outputs[0]));
      WEFT_TRY(l.editor().connect(left, {add, 0, false}));
      return l.editor().connect(right, {add, 1, false});
    }));
    OK(d.name("width", "8"));
    OK(d.follow("left.units", "width"));
    OK(d.follow("right.units", "width"));
    OK(d.name("width", "24"));
    QCOMPARE(q(d.shape("both")), QStringLiteral("[?,24]"));
    QVERIFY(d.problems.empty());
  }

  void attributesAndShapesFollow() {
    Document d = twoLayers();
    OK(d.change([](LayerEditor& l) -> Status {
      WEFT_TRY(l.editor().add("Placeholder", "y", {{"dtype", "float32"}, {"shape", "[?,16]"}}).status());
      return l.editor().add("Const", "c", {{"dtype", "int32"}, {"value", "[1,2]"}}).status();
    }));
    OK(d.name("batch", "32"));
    OK(d.name("width", "64"));
    OK(d.follow("y.shape", "[?, 2*width]"));
    OK(d.follow("c.value", "[batch, width]"));
    QCOMPARE(q(d.shape("y")), QStringLiteral("[?,128]"));
    QCOMPARE(q(d.value("c.value")), QStringLiteral("[32,64]"));
    OK(d.follow("y.shape", "[batch, width]"));
    OK(d.name("batch", "8"));
    QCOMPARE(q(d.shape("y")), QStringLiteral("[8,64]"));
    QCOMPARE(q(d.value("c.value")), QStringLiteral("[8,64]"));
    FAILS("y.shape = [0-1] is [-1], expected a shape without negative sizes; ? is an unknown one", d.follow("y.shape", "[0-1]"));
  }

  void errorsNameFieldExpressionValueAndExpectation() {
    Document d = twoLayers();
    OK(d.name("width", "5"));
    OK(d.follow("dense_1.units", "width"));
    const auto before = serializeGraph(d.meta, GraphFormat::MetaBinary);
    FAILS("dense_2.units = width/2 is 2.5, expected a whole number", d.follow("dense_2.units", "width/2"));
    FAILS("dense_2.units = width - 9: units is -4, expected 1 to 2147483647", d.follow("dense_2.units", "width - 9"));
    FAILS("dense_2.units = 2*widht: there is no name widht; did you mean width?", d.follow("dense_2.units", "2*widht"));
    FAILS("dense_2.units = 2*: the expression ends after '2*', expected a number, a name or (", d.follow("dense_2.units", "2*"));
    FAILS("dense_2.units = true is true, expected a whole number", d.follow("dense_2.units", "true"));
    FAILS("dense_2.units = width/(width-5): 5 / 0 is a division by zero", d.follow("dense_2.units", "width/(width-5)"));
    FAILS("dense_2.use_bias = 1 is 1, expected true or false", d.follow("dense_2.use_bias", "1"));
    FAILS("dense_1.units = width: units is 0, expected 1 to 2147483647", d.name("width", "0"));
    FAILS("dense_1.units = width is 2.5, expected a whole number", d.name("width", "5/2"));
    FAILS("layers.dense has no parameter unit; it has units, activation, use_bias", d.follow("dense_1.unit", "3"));
    FAILS("There is no node, layer or group dense_3 here", d.follow("dense_3.units", "3"));
    FAILS("'2x' cannot be a name: expected a letter or _, then letters, digits and _", d.name("2x", "3"));
    FAILS("'max' cannot be a name: it is a word of expressions", d.name("max", "3"));
    QCOMPARE(*serializeGraph(d.meta, GraphFormat::MetaBinary), *before);
  }

  void circlesAreNamed() {
    Document d = twoLayers();
    OK(d.name("a", "1"));
    OK(d.name("b", "a + 1"));
    FAILS("b = a + 1: a circle: a → b → a", d.name("a", "b*2"));
    FAILS("a = a: a circle: a → a", d.name("a", "a"));
    OK(d.follow("dense_1.units", "dense_2.units"));
    FAILS("dense_2.units = dense_1.units + a: a circle: dense_1.units → dense_2.units → dense_1.units", d.follow("dense_2.units", "dense_1.units + a"));
    QCOMPARE(q(d.value("dense_2.units")), QStringLiteral("4"));
  }

  void aValueTypedOverAnExpressionStays() {
    Document d = twoLayers();
    OK(d.name("width", "64"));
    OK(d.follow("dense_1.units", "width"));
    OK(d.set("dense_1", "units", "7"));
    QCOMPARE(d.notes.size(), size_t(1));
    QCOMPARE(q(d.notes[0]), QStringLiteral("dense_1.units no longer follows width: it was set to 7."));
    OK(d.name("width", "32"));
    QCOMPARE(q(d.value("dense_1.units")), QStringLiteral("7"));
    QVERIFY(followedFieldsOf(d.meta).empty());
    QVERIFY(!releaseField(d.meta, "dense_1.units"));
  }

  void renamingFollowsIntoExpressions() {
    Document d = twoLayers();
    OK(d.name("width", "64"));
    OK(d.follow("dense_1.units", "width"));
    OK(d.follow("dense_2.units", "dense_1.units//2 + width"));
    OK(d.change([](LayerEditor& l) { return l.rename("dense_1", "block/first"); }));
    OK(d.change([&](LayerEditor&) { return renameNamedValue(d.meta, "width", "size"); }));
    const auto fields = followedFieldsOf(d.meta);
    QCOMPARE(q(fields[0].field), QStringLiteral("block/first.units"));
    QCOMPARE(q(fields[1].expression), QStringLiteral("{block/first.units}//2 + size"));
    OK(d.name("size", "8"));
    QCOMPARE(q(d.value("dense_2.units")), QStringLiteral("12"));
    FAILS("there is no name width", d.change([&](LayerEditor&) { return renameNamedValue(d.meta, "width", "w"); }));
    FAILS("size is used by block/first.units, dense_2.units: change those first", d.change([&](LayerEditor&) { return removeNamedValue(d.meta, "size"); }));
  }

  void whatIsDeletedLeavesItsValue() {
    Document d = twoLayers();
    OK(d.follow("dense_2.units", "dense_1.units//2"));
    OK(d.name("half", "dense_1.units/2"));
    OK(d.change([&](LayerEditor& l) -> Status {
      std::vector<int> ids;
      for (int id = 0; id < d.meta.graph.size(); ++id)
        if (const Node* n = d.meta.graph.node(id); n && n->name.starts_with("dense_1/")) ids.push_back(id);
      l.explode("dense_1");
      return l.editor().remove(ids);
    }));
    QCOMPARE(q(d.notes[0]), QStringLiteral("dense_2.units keeps its value 4: dense_1.units, which it followed, is gone."));
    QCOMPARE(q(d.notes[1]), QStringLiteral("half keeps its value 4: dense_1.units, which it followed, is gone."));
    QCOMPARE(q(namedValuesOf(d.meta)[0].expression), QStringLiteral("4"));
    QCOMPARE(q(d.value("dense_2.units")), QStringLiteral("4"));
  }

  void instancesOfGroupsFollow() {
    Document d = twoLayers();
    OK(d.change([&](LayerEditor& l) -> Status {
      std::vector<int> ids;
      for (int id = 0; id < d.meta.graph.size(); ++id)
        if (const Node* n = d.meta.graph.node(id); n && n->name.starts_with("dense_2/")) ids.push_back(id);
      GroupEditor groups(l);
      WEFT_TRY(groups.make(ids, "block").status());
      return groups.addParameter("block", "width", groups.instances()[0].scope + "/dense_2.units");
    }));
    const std::string scope = groupInstancesOf(d.meta)[0].scope;
    OK(d.name("size", "6"));
    OK(d.follow(scope + ".width", "size*2"));
    QCOMPARE(q(groupInstancesOf(d.meta)[0].overrides.at("width")), QStringLiteral("12"));
    QCOMPARE(q(d.value(scope + ".width")), QStringLiteral("12"));
    OK(d.name("size", "5"));
    QCOMPARE(q(groupInstancesOf(d.meta)[0].overrides.at("width")), QStringLiteral("10"));
  }

  void namesAreStoredInTheFile() {
    Document d = twoLayers();
    OK(d.name("width", "64"));
    OK(d.follow("dense_1.units", "2*width"));
    OK(d.change([&](LayerEditor&) { return setNamedValueDoc(d.meta, "width", "of all layers"); }));
    const QTemporaryDir folder;
    const std::string path = folder.filePath(QStringLiteral("a.weft")).toStdString();
    OK(saveGraphFile(d.meta, GraphFormat::MetaBinary, path));
    const auto read = loadGraphFile(path);
    QVERIFY(read.ok());
    const auto names = namedValuesOf(read->meta);
    QCOMPARE(names.size(), size_t(1));
    QCOMPARE(names[0].doc, std::string("of all layers"));
    QCOMPARE(followedFieldsOf(read->meta)[0].expression, std::string("2*width"));
  }

  void sweepsVaryNames() {
    Document d = twoLayers();
    OK(d.name("width", "64"));
    OK(d.name("half", "width//2"));
    OK(d.follow("dense_1.units", "2*width"));
    std::vector<std::string> listed;
    for (const DocumentParameter& p : documentParameters(d.meta)) listed.push_back(p.name);
    QVERIFY(std::count(listed.begin(), listed.end(), "width"));
    QVERIFY(!std::count(listed.begin(), listed.end(), "half"));           // follows another
    QVERIFY(!std::count(listed.begin(), listed.end(), "dense_1.units"));  // as well
    OK(setDocumentParameters(d.meta, d.problems, {{"width", "16"}}));
    QCOMPARE(q(d.shape("dense_1/kernel")), QStringLiteral("[16,32]"));
    QCOMPARE(q(errorOf(setDocumentParameters(d.meta, d.problems, {{"width", "wide"}}))),
             QStringLiteral("half = width//2: wide // 2: wide is a word, expected a number"));
  }

  void whatAFieldWouldBeIsToldWithoutAnEdit() {
    Document d = twoLayers();
    OK(d.name("width", "64"));
    const ExpressionScope scope(d.meta);
    QCOMPARE(q(scope.valueFor("dense_1.units", "2*width").value()), QStringLiteral("128"));
    QCOMPARE(q(scope.valueFor("dense_1.units", "width/3").error().message),
             QStringLiteral("dense_1.units = width/3 is 21.333333333333332, expected a whole number"));
    QCOMPARE(q(scope.valueOf("width", "width + 1").error().message), QStringLiteral("width = width + 1: a circle: width → width"));
    const auto words = scope.words();
    for (const char* word : {"width", "dense_1.units", "round("}) QVERIFY2(std::count(words.begin(), words.end(), word), word);
  }

  void settingsAreNoNames() {
    Document d = twoLayers();
    for (const char* name : {"batch_size", "lr", "steps", "learning_rate", "seed"})
      QVERIFY2(errorOf(d.name(name, "3")).find("is a training setting") != std::string::npos, name);
    OK(d.name("width", "3"));
    QVERIFY(errorOf(d.change([&](LayerEditor&) { return renameNamedValue(d.meta, "width", "epochs"); })).find("is a training setting") != std::string::npos);
    // A file may have one all the same: the setting wins.
    d.meta.collections["weft/training"];
    setTrainingSettings(d.meta, TrainingSettings());
    setNamedValues(d.meta, {{"steps", "7", {}, {}}});
    OK(d.follow("steps", "steps*2"));
    QCOMPARE(q(d.value("steps")), QStringLiteral("14"));
    OK(setDocumentParameters(d.meta, d.problems, {{"max_to_keep", "3"}}));
    QCOMPARE(q(namedValuesOf(d.meta)[0].expression), QStringLiteral("7"));
    QCOMPARE(q(ExpressionScope(d.meta).valueFor("steps", "steps + 1").value()), QStringLiteral("8"));
    // One that is neither a field nor has a result is an error.
    setFollowedFields(d.meta, {{"width", "1", {}}});
    setNamedValues(d.meta, {{"width", "7", {}, {}}});
    QVERIFY(errorOf(d.change([](LayerEditor&) { return Status(); })).starts_with("there is no field width"));
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

  void anyWordIsStored() {
    Document d = twoLayers();
    const std::string odd = "'{\x01 {\x01z}' if dense_1.units > 1 else dense_2.units";
    setNamedValues(d.meta, {{"odd", odd, {}, {}}});
    QCOMPARE(namedValuesOf(d.meta)[0].expression, odd);
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

  void fieldsOfRebuiltNodesFollowInTheSameEdit() {
    Document d = twoLayers();
    OK(d.change([](LayerEditor& l) { return l.editor().add("Const", "c", {{"dtype", "int32"}, {"value", "1"}}).status(); }));
    OK(d.name("width", "24"));
    OK(d.follow("dense_1.units", "2*width"));
    OK(d.follow("c.value", "{dense_1/kernel.shape}[1]"));
    QCOMPARE(q(d.value("c.value")), QStringLiteral("48"));
    OK(d.name("width", "10"));
    QCOMPARE(q(d.value("c.value")), QStringLiteral("20"));
  }

  void namesWaitWithTheTraining() {
    Document d = twoLayers();
    OK(d.name("width", "8"));
    setNamedValues(d.meta, {{"width", "8", {}, "8"}, {"rate", "batch_size/32", {}, "2"}});
    d.meta.collections["weft/training_before"].kind = Collection::Kind::Anys;
    OK(d.name("width", "16"));
    QCOMPARE(q(namedValuesOf(d.meta)[1].expression), QStringLiteral("batch_size/32"));
    QCOMPARE(namedValuesOf(d.meta)[1].result.value_or(""), std::string("2"));
    d.meta.collections.erase("weft/training_before");
    OK(d.name("width", "8"));
    QCOMPARE(q(namedValuesOf(d.meta)[1].expression), QStringLiteral("2"));
  }

  void valuesThatDoNotFitAreRefused() {
    Document d = twoLayers();
    OK(d.change([](LayerEditor& l) -> Status {
      for (const char* type : {"uint8", "int64", "float32"}) WEFT_TRY(l.editor().add("Const", type, {{"dtype", type}, {"value", "1"}}).status());
      return {};
    }));
    for (const auto& [field, expression] : std::map<std::string, std::string>{{"uint8.value", "300"}, {"int64.value", "2.5"}, {"float32.value", "1e300"}}) {
      const std::string error = errorOf(d.follow(field, expression));
      QVERIFY2(error != "no error" && error.find(field + " = " + expression) != error.npos, error.c_str());
      QCOMPARE(q(d.value(field)), QStringLiteral("1"));
    }
    OK(d.follow("float32.value", "1/3"));
    OK(d.follow("uint8.value", "255"));
    OK(d.follow("int64.value", "5.0"));
  }

  void whatCannotBeComputedStaysAsItWasStored() {
    Document d = twoLayers();
    setNamedValues(d.meta, {{"a", "b", {}, "1"}, {"b", "a", {}, "2"}, {"f", "later(3)", {}, "9"}, {"g", "later(4)", {}, {}}, {"width", "8", {}, "8"}});
    OK(d.follow("dense_1.units", "width + f"));
    QCOMPARE(q(d.value("dense_1.units")), QStringLiteral("17"));
    QCOMPARE(d.notes.size(), size_t(4));
    QVERIFY2(d.notes[3].starts_with("g = later(4) has no value: there is no function later"), d.notes[3].c_str());
    QVERIFY2(d.notes[2].starts_with("f = later(3) keeps its value 9: there is no function later"), d.notes[2].c_str());
    const auto names = namedValuesOf(d.meta);
    QCOMPARE(q(names[0].expression + *names[0].result + names[1].expression + *names[1].result), QStringLiteral("b1a2"));
    FAILS("b = a: a circle: a → b → a", d.name("a", "b + 1"));
  }
};

QTEST_GUILESS_MAIN(TestExpressions)
#include "tst_expressions.moc"
