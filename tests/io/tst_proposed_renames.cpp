#include <QElapsedTimer>
#include <QTest>
#include <set>

#include "weft/compare.h"

using namespace weft;

namespace {

using Kind = VariableMatch::Kind;
using Item = std::pair<std::string, Shape>;

/// A comparison in which no name fits.
GraphMatch matchOf(const std::vector<Item>& asked, const std::vector<Item>& stored) {
  GraphMatch out;
  for (const auto& [name, shape] : asked) {
    VariableMatch m;
    m.kind = Kind::Missing;
    m.variable = m.key = name;
    m.dtype = DType::Float;
    m.shape = shape;
    out.variables.push_back(m);
  }
  for (const auto& [name, shape] : stored) {
    VariableMatch m;
    m.kind = Kind::Unused;
    m.key = name;
    m.dtypeStored = DType::Float;
    m.shapeStored = shape;
    out.variables.push_back(m);
  }
  return out;
}

/// "key<-stored" of all proposals.
std::string proposed(const std::vector<Item>& asked, const std::vector<Item>& stored) {
  std::string out;
  for (const RenameProposal& p : proposeRenames(matchOf(asked, stored))) out += (out.empty() ? "" : " ") + p.key + "<-" + p.stored;
  return out;
}

}  // namespace

class ProposedRenamesTest : public QObject {
  Q_OBJECT

 private slots:
  void aRenamedScope() {
    const auto found = proposeRenames(matchOf({{"a/w", {3, 4}}, {"a/b", {4}}, {"a/v", {3, 4}}}, {{"x/y/b", {4}}, {"x/y/v", {3, 4}}, {"x/y/w", {3, 4}}}));
    QCOMPARE(found.size(), size_t(3));
    QCOMPARE(found[0].stored, std::string("x/y/w"));
    QCOMPARE(found[0].reason, std::string("the names begin with 'x/y/' instead of 'a/', as those of 3 variables"));
    QVERIFY(found[0].confidence > 0.9);
  }
  void anAddedScope() { QCOMPARE(proposed({{"w", {3}}, {"b", {3}}}, {{"net/b", {3}}, {"net/w", {3}}}), std::string("w<-net/w b<-net/b")); }
  void aUniqueShape() {
    const auto found = proposeRenames(matchOf({{"first", {3, 4}}, {"second", {7}}}, {{"p", {7}}, {"q", {3, 4}}}));
    QCOMPARE(found.size(), size_t(2));
    QCOMPARE(found[0].stored, std::string("q"));
    QCOMPARE(found[0].reason, std::string("the only float32[3,4] that is left in both"));
  }
  void theOrderOfEqualShapes() {
    QCOMPARE(proposed({{"l1", {3}}, {"l2", {3}}, {"l10", {3}}}, {{"dense", {3}}, {"dense_10", {3}}, {"dense_2", {3}}}),
             std::string("l1<-dense l2<-dense_2 l10<-dense_10"));
  }
  void namesCountMoreThanTheOrderOfTheGraph() {
    const auto found = proposeRenames(matchOf({{"enc/w", {3}}, {"dec/w", {3}}}, {{"dec2/w", {3}}, {"enc2/w", {3}}}));
    QCOMPARE(found.size(), size_t(2));
    QCOMPARE(found[0].stored, std::string("enc2/w"));
    QCOMPARE(found[0].reason, std::string("same shape, and the names are alike"));
    QCOMPARE(found[1].stored, std::string("dec2/w"));
    QCOMPARE(proposed({{"dec/w", {3}}, {"enc/w", {3}}}, {{"a_enc/w", {3}}, {"b_dec/w", {3}}}), std::string("dec/w<-b_dec/w enc/w<-a_enc/w"));
  }
  void nothingIsGuessedByOrderWhereGraphAndNamesDisagree() { QCOMPARE(proposed({{"y", {3}}, {"x", {3}}}, {{"p", {3}}, {"q", {3}}}), std::string()); }
  void numbersInTheNewNamesDoNotMislead() {
    QCOMPARE(proposed({{"conv1/k", {3}}, {"conv2/k", {3}}, {"conv3/k", {3}}}, {{"conv2d/k", {3}}, {"conv2d_1/k", {3}}, {"conv2d_2/k", {3}}}),
             std::string("conv1/k<-conv2d/k conv2/k<-conv2d_1/k conv3/k<-conv2d_2/k"));
  }
  void slotsFollowTheirVariable() {
    QCOMPARE(proposed({{"w", {3, 4}}, {"w/Adam", {3, 4}}, {"w/Adam_1", {3, 4}}}, {{"k", {3, 4}}, {"k/Adam", {3, 4}}, {"k/Adam_1", {3, 4}}}),
             std::string("w<-k w/Adam<-k/Adam w/Adam_1<-k/Adam_1"));
  }
  void slotsNeverGoToAnotherVariable() {
    QCOMPARE(proposed({{"l1/W", {3, 3}},
                       {"l1/W/m", {3, 3}},
                       {"l1/W/v", {3, 3}},
                       {"l8/W", {3, 3}},
                       {"l8/W/m", {3, 3}},
                       {"l8/W/v", {3, 3}},
                       {"l15/W", {3, 3}},
                       {"l15/W/m", {3, 3}},
                       {"l15/W/v", {3, 3}}},
                      {{"d1/k", {3, 3}},
                       {"d1/k/m", {3, 3}},
                       {"d1/k/v", {3, 3}},
                       {"d2/k", {3, 3}},
                       {"d2/k/m", {3, 3}},
                       {"d2/k/v", {3, 3}},
                       {"d3/k", {3, 3}},
                       {"d3/k/m", {3, 3}},
                       {"d3/k/v", {3, 3}}}),
             std::string("l1/W<-d1/k l1/W/m<-d1/k/m l1/W/v<-d1/k/v l8/W<-d2/k l8/W/m<-d2/k/m l8/W/v<-d2/k/v l15/W<-d3/k l15/W/m<-d3/k/m l15/W/v<-d3/k/v"));
  }
  void nothingIsGuessedWhereCountsDiffer() { QCOMPARE(proposed({{"a", {3}}, {"b", {3}}}, {{"p", {3}}, {"q", {3}}, {"r", {3}}}), std::string()); }
  void anotherShapeOrTypeNeverFits() {
    QCOMPARE(proposed({{"a/w", {3}}}, {{"b/w", {4}}}), std::string());
    GraphMatch match = matchOf({{"a", {3}}}, {{"p", {3}}});
    match.variables[1].dtypeStored = DType::Half;
    QVERIFY(proposeRenames(match).empty());
  }
  /// All names have the last part in common, so that every pair is a candidate.
  void manyNamesTakeSeconds_data() {
    QTest::addColumn<bool>("related");
    QTest::newRow("one scope renamed") << true;
    QTest::newRow("nothing in common but the last part") << false;
  }
  void manyNamesTakeSeconds() {
    QFETCH(bool, related);
    std::vector<Item> asked, stored;
    for (int i = 0; i < 1200; ++i) {
      asked.push_back({"net/layer" + std::to_string(i) + "/w", {3}});
      stored.push_back({(related ? "model/layer" + std::to_string(i) : "x" + std::to_string(i * 7919) + "y") + "/w", {3}});
    }
    QElapsedTimer timer;
    timer.start();
    const auto found = proposeRenames(matchOf(asked, stored));
    const qint64 took = timer.elapsed();
    qInfo("%lld ms, %zu proposals", took, found.size());
    if (related) QCOMPARE(found.size(), size_t(1200));
    QVERIFY2(took < 8000, qPrintable(QString::number(took)));
  }
  void similarNamesAmongMillionsOfPairs() {
    std::vector<Item> asked, stored{{"old_other", {3}}};
    for (int i = 0; i < 1500; ++i) {
      asked.push_back({"new_" + std::to_string(i) + "_kernel", {3}});
      stored.push_back({"old_" + std::to_string(i) + "_kernel", {3}});
    }
    std::vector<std::string> limits;
    const auto found = proposeRenames(matchOf(asked, stored), &limits);
    QCOMPARE(found.size(), size_t(1500));
    for (const RenameProposal& p : found) QCOMPARE(p.stored, "old" + p.key.substr(3));
    QVERIFY(limits.empty());
  }
  void eachShapeIsSearchedByItself() {
    std::vector<Item> asked, stored;
    for (int i = 0; i < 1200; ++i)
      for (const int64_t size : {3, 4}) {
        const std::string name = std::to_string(i) + "/" + std::to_string(size) + "/w";
        asked.push_back({"net/" + name, {size}});
        stored.push_back({"model/" + name, {size}});
      }
    stored.push_back({"model/other/3/w", {3}});
    QCOMPARE(proposeRenames(matchOf(asked, stored)).size(), size_t(2400));
  }
  void shapesThatAreNotKnownFitAll() {
    QCOMPARE(proposed({{"new_kernel", Shape::unknown()}, {"new_bias", {-1}}}, {{"old_kernel", {2, 3}}, {"old_bias", {3}}, {"a_bia", {3}}, {"b_kerne", {2, 3}}}),
             std::string("new_kernel<-old_kernel new_bias<-old_bias"));
  }
  void limitsAreSaid() {
    std::vector<Item> asked, stored{{"zz_kernel", {3}}};
    const auto letters = [](int i, char first) { return std::string{char(first + i / 26), char(first + i % 26)}; };
    for (int i = 0; i < 400; ++i) {
      asked.push_back({letters(i, 'A') + "x_kernel", {3}});
      stored.push_back({letters(i, 'a') + "x_kernel", {3}});
    }
    std::vector<std::string> limits;
    proposeRenames(matchOf(asked, stored), &limits);
    QCOMPARE(limits, std::vector<std::string>{"for 150 variables too many names are equally similar to be compared"});
    stored.erase(stored.begin());  // as many on both sides
    proposeRenames(matchOf(asked, stored), &limits);
    QCOMPARE(limits, std::vector<std::string>{"whether the names of the 400 variables of float32[3] contradict their order was not checked"});
  }
  void nothingIsUsedTwice() {
    const auto found = proposeRenames(matchOf({{"a/w", {3}}, {"b/w", {3}}, {"c/w", {3}}}, {{"x/w", {3}}, {"y/w", {3}}, {"z/w", {3}}}));
    std::set<std::string> stored;
    for (const RenameProposal& p : found) stored.insert(p.stored);
    QCOMPARE(stored.size(), found.size());
  }
};

QTEST_GUILESS_MAIN(ProposedRenamesTest)
#include "tst_proposed_renames.moc"
