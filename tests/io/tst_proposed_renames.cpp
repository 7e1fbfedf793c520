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
  void nothingIsUsedTwice() {
    const auto found = proposeRenames(matchOf({{"a/w", {3}}, {"b/w", {3}}, {"c/w", {3}}}, {{"x/w", {3}}, {"y/w", {3}}, {"z/w", {3}}}));
    std::set<std::string> stored;
    for (const RenameProposal& p : found) stored.insert(p.stored);
    QCOMPARE(stored.size(), found.size());
  }
};

QTEST_GUILESS_MAIN(ProposedRenamesTest)
#include "tst_proposed_renames.moc"
