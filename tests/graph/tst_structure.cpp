#include <QElapsedTimer>
#include <QTest>
#include <memory>
#include <sstream>

#include "weft/diff.h"

using namespace weft;

namespace {

/// One node a line: "name op input input". A word with "=" is an attribute that holds an int.
MetaGraph graphOf(const char* lines) {
  std::string text;
  std::istringstream in(lines);
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    std::string name, op;
    if (!(words >> name >> op)) continue;
    text += "node { name: '" + name + "' op: '" + op + "' ";
    for (std::string word; words >> word;) {
      const size_t equals = word.find('=');
      if (equals == word.npos) text += "input: '" + word + "' ";
      else text += "attr { key: '" + word.substr(0, equals) + "' value { i: " + word.substr(equals + 1) + " } } ";
    }
    text += "}\n";
  }
  auto loaded = loadGraphBytes(std::make_shared<const std::string>(text), "test.pbtxt", {.inferShapes = false});
  return loaded.ok() ? std::move(loaded->meta) : MetaGraph();
}

/// "+name", "-name", "old>new", "~old>new(details)" in order of name.
std::string differences(const char* first, const char* second) {
  std::string out;
  for (const NodeDifference& n : diffGraphsByStructure(graphOf(first), graphOf(second)).nodes) {
    if (!out.empty()) out += ' ';
    const std::string from = n.oldName.empty() ? std::string() : n.oldName + ">";
    switch (n.kind) {
      case NodeDifference::Kind::Added: out += "+" + n.name; break;
      case NodeDifference::Kind::Removed: out += "-" + n.name; break;
      case NodeDifference::Kind::Renamed: out += from + n.name; break;
      case NodeDifference::Kind::Changed:
        out += "~" + from + n.name + "(";
        for (const std::string& d : n.details) out += d;
        out += ")";
    }
  }
  return out;
}

// Ops that no record describes, so that attributes and inputs are free.
const char* const kChain = "a Source\nb F a\nc G b\nd H c\ne Sink d\n";

}  // namespace

class StructureTest : public QObject {
  Q_OBJECT

 private slots:
  void otherNamesAndOrder() { QCOMPARE(differences(kChain, "z Sink y\ny H x\nx G w\nw F v\nv Source\n"), std::string("a>v b>w c>x d>y e>z")); }
  void aChangedAttribute() { QCOMPARE(differences("a Source\nb F a k=1\nc G b\n", "x Source\ny F x k=2\nz G y\n"), std::string("a>x ~b>y(k: 1 -> 2) c>z")); }
  void anInsertedNode() {
    QCOMPARE(differences(kChain, "a Source\nb F a\nc G b\nnew N c\nd H new\ne Sink d\n"), std::string("~d(input 0: c:0 -> new:0) +new"));
  }
  void aRemovedNode() { QCOMPARE(differences(kChain, "a Source\nb F a\nd H b\ne Sink d\n"), std::string("-c ~d(input 0: c:0 -> b:0)")); }
  void anotherOpInItsPlace() { QCOMPARE(differences(kChain, "a Source\nb F a\nx N b\nd H x\ne Sink d\n"), std::string("~c>x(op: G -> N)")); }
  void aSwappedInput() {
    QCOMPARE(differences("a Source\nb F a\nc G a\nd H b c\n", "a Source\nb F a\nc G a\nd H c b\n"), std::string("~d(input 0: b:0 -> c:0input 1: c:0 -> b:0)"));
  }
  void aControlWire() { QCOMPARE(differences("a Source\nb F a\nc G b\n", "a Source\nb F a\nc G b ^a\n"), std::string("~c(waits for: none -> ^a)")); }
  void repeatedLayersStayInOrder() {
    std::string first = "x0 Source\n", second = "y0 Source\n";
    for (int i = 1; i <= 50; ++i) {
      first += "w" + std::to_string(i) + " Weight\nx" + std::to_string(i) + " F x" + std::to_string(i - 1) + " w" + std::to_string(i) + "\n";
      second += "v" + std::to_string(i) + " Weight\ny" + std::to_string(i) + " F y" + std::to_string(i - 1) + " v" + std::to_string(i) + "\n";
    }
    const auto pairs = matchByStructure(graphOf(first.c_str()).graph, graphOf(second.c_str()).graph);
    QCOMPARE(pairs.size(), size_t(101));
    for (size_t i = 0; i < pairs.size(); ++i) QCOMPARE(pairs[i], int(i));
  }
  void symmetricNodesArePaired() { QCOMPARE(differences("a Source\nb F a\nc F a\n", "x Source\ny F x\nz F x\n"), std::string("a>x b>y c>z")); }
  void namesDecideWhereStructureDoesNot() { QCOMPARE(differences("a Source\nb F a\nc F a\n", "c F a\nb F a\na Source\n"), std::string()); }
  void tensOfThousandsOfReadersTakeSeconds() {
    std::string first = "a Source\n", second = "a Source\n";
    for (int i = 0; i < 50000; ++i) {
      const std::string number = std::to_string(i);
      first += "f" + number + " F a k=" + number + "\nh" + number + " H f" + number + " k=" + number + "\n";
      second += "g" + number + " G a k=" + number + "\n";
    }
    const MetaGraph a = graphOf(first.c_str()), b = graphOf(second.c_str());
    QElapsedTimer timer;
    timer.start();
    const auto pairs = matchByStructure(a.graph, b.graph);
    const qint64 took = timer.elapsed();
    qInfo("%lld ms", took);
    QCOMPARE(pairs[0], 0);
    QVERIFY2(took < 20000, qPrintable(QString::number(took)));
  }
  void unrelatedGraphs() { QCOMPARE(differences("a Source\n", "b Other\nc F b\n"), std::string("-a +b +c")); }
  void emptyGraphs() {
    QCOMPARE(differences("", ""), std::string());
    QCOMPARE(differences("", "a Source\n"), std::string("+a"));
  }
};

QTEST_GUILESS_MAIN(StructureTest)
#include "tst_structure.moc"
