#include <QTest>
#include <cmath>
#include <set>

#include "weft/sweep.h"

using namespace weft;

namespace {

SweepParameter parameter(const char* text) {
  auto p = sweepParameterOf(text);
  if (!p.ok()) qFatal("%s", p.error().toString().c_str());
  return *p;
}

SweepPlan plan(std::initializer_list<const char*> parameters, SweepMethod method, int runs, uint64_t seed = 1) {
  SweepPlan plan;
  for (const char* text : parameters) plan.parameters.push_back(parameter(text));
  plan.method = method;
  plan.runs = runs;
  plan.seed = seed;
  plan.metric = "loss";
  return plan;
}

std::string pointText(const SweepPoint& point) {
  std::string out;
  for (const auto& [name, value] : point) out += (out.empty() ? "" : " ") + name + "=" + value;
  return out;
}

double value(const SweepPoint& point, size_t i) { return std::stod(point[i].second); }

/// The star discrepancy of points in the unit square, measured at the corners of a fine grid.
double discrepancy(const std::vector<std::vector<double>>& points) {
  constexpr int kCorners = 64;
  double worst = 0;
  for (int i = 1; i <= kCorners; ++i)
    for (int j = 1; j <= kCorners; ++j) {
      const double x = double(i) / kCorners, y = double(j) / kCorners;
      int inside = 0;
      for (const auto& p : points) inside += p[0] < x && p[1] < y;
      worst = std::max(worst, std::abs(double(inside) / double(points.size()) - x * y));
    }
  return worst;
}

/// The best value of a search over a function of points, run by run.
template <typename F>
double bestOf(const SweepPlan& p, F&& f) {
  std::vector<SweepResult> results;
  double best = INFINITY;
  for (int64_t i = 0; i < runsOf(p); ++i) {
    SweepResult r{suggestPoint(p, i, results), {}, false};
    r.value = f(r.point);
    best = std::min(best, *r.value);
    results.push_back(std::move(r));
  }
  return best;
}

/// Branin's function: three minima of 0.398 in [-5, 10] x [0, 15].
double branin(const SweepPoint& point) {
  const double x = value(point, 0), y = value(point, 1), pi = 3.14159265358979;
  return std::pow(y - 5.1 / (4 * pi * pi) * x * x + 5 / pi * x - 6, 2) + 10 * (1 - 1 / (8 * pi)) * std::cos(x) + 10;
}

SweepCurve curve(int64_t run, std::vector<std::pair<int64_t, double>> points, bool ended = false) { return {run, ended, std::move(points)}; }

}  // namespace

/// Parameters, search methods, rules that stop runs, and importance.
class TestSweepSearch : public QObject {
  Q_OBJECT
 private slots:
  void parametersAreReadAndWritten_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("grid");
    QTest::newRow("uniform") << "rate=uniform:0:0.5:3"
                             << "0 0.25 0.5";
    QTest::newRow("log") << "lr=log:0.001:0.1:3"
                         << "0.001 0.01 0.1";
    QTest::newRow("int") << "units=int:1:3"
                         << "1 2 3";
    QTest::newRow("logint") << "units=logint:8:128:5"
                            << "8 16 32 64 128";
    QTest::newRow("choice") << "optimizer=choice:Adam,Momentum"
                            << "Adam Momentum";
    QTest::newRow("one value") << "x=uniform:2:2"
                               << "2";
  }
  void parametersAreReadAndWritten() {
    QFETCH(QString, text);
    QFETCH(QString, grid);
    const SweepParameter p = parameter(text.toUtf8());
    QCOMPARE(QString::fromStdString(textOf(p)), text);
    QStringList values;
    for (const std::string& v : p.grid()) values << QString::fromStdString(v);
    QCOMPARE(values.join(' '), grid);
  }

  void wrongParametersAreRefusedByName_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("words");
    QTest::newRow("no space") << "lr"
                              << "lr: expected NAME=uniform:LOW:HIGH";
    QTest::newRow("unknown kind") << "lr=normal:0:1"
                                  << "lr=normal:0:1: expected NAME=uniform";
    QTest::newRow("no number") << "lr=log:a:1"
                               << "lr=log:a:1: expected NAME=uniform";
    QTest::newRow("order") << "lr=uniform:1:0"
                           << "lr is from 1 to 0, expected the smaller value first";
    QTest::newRow("logarithm of 0") << "lr=log:0:1"
                                    << "lr begins at 0, expected a number above 0";
    QTest::newRow("no integer") << "n=int:0.5:3"
                                << "n is from 0.5 to 3, expected whole numbers";
    QTest::newRow("no choices") << "o=choice:"
                                << "o: there are no choices";
    QTest::newRow("twice") << "o=choice:a,a"
                           << "o: a choice is named twice";
    QTest::newRow("grid of none") << "x=uniform:0:1:0"
                                  << "the number of values in a grid is 0";
  }
  void wrongParametersAreRefusedByName() {
    QFETCH(QString, text);
    QFETCH(QString, words);
    const auto p = sweepParameterOf(text.toStdString());
    QVERIFY(!p.ok());
    QVERIFY2(p.error().message.find(words.toStdString()) != std::string::npos, p.error().message.c_str());
  }

  void valuesAndPlacesAreInverse() {
    for (const char* text : {"a=uniform:-2:7", "b=log:1e-5:1", "c=int:-3:9", "d=logint:1:1000", "e=choice:x,y,z"}) {
      const SweepParameter p = parameter(text);
      for (int i = 0; i <= 100; ++i) {
        const std::string v = p.at(i / 100.0);
        const auto place = p.placeOf(v);
        QVERIFY2(place, text);
        QCOMPARE(QString::fromStdString(p.at(*place)), QString::fromStdString(v));
      }
    }
    QVERIFY(!parameter("e=choice:x,y").placeOf("q"));
  }

  void everyWholeNumberIsEquallyLikely() {
    const SweepPlan p = plan({"n=int:1:4"}, SweepMethod::Random, 4000);
    std::map<std::string, int> count;
    for (int i = 0; i < 4000; ++i) ++count[suggestPoint(p, i)[0].second];
    QCOMPARE(count.size(), size_t(4));
    for (const auto& [v, n] : count) QVERIFY2(n > 900 && n < 1100, v.c_str());
  }

  void gridTakesEveryCombinationOnce() {
    const SweepPlan p = plan({"a=int:1:3", "b=choice:x,y", "c=uniform:0:1:2"}, SweepMethod::Grid, 0);
    QCOMPARE(runsOf(p), int64_t(12));
    std::set<std::string> points;
    for (int64_t i = 0; i < 12; ++i) points.insert(pointText(suggestPoint(p, i)));
    QCOMPARE(points.size(), size_t(12));
    QCOMPARE(QString::fromStdString(pointText(suggestPoint(p, 1))), QString("a=1 b=x c=1"));
  }

  void aSeedRepeatsTheSearch() {
    for (const SweepMethod method : {SweepMethod::Random, SweepMethod::Sobol, SweepMethod::Bayesian}) {
      std::vector<std::string> first, again, other;
      for (auto* out : {&first, &again, &other}) {
        const SweepPlan p = plan({"lr=log:1e-4:1", "n=int:1:100", "o=choice:a,b"}, method, 12, out == &other ? 2 : 1);
        std::vector<SweepResult> results;
        for (int i = 0; i < 12; ++i) {
          results.push_back({suggestPoint(p, i, results), {}, false});
          results.back().value = std::abs(std::log10(value(results.back().point, 0)) + 2) + value(results.back().point, 1) / 100;
          out->push_back(pointText(results.back().point));
        }
      }
      QCOMPARE(first, again);
      QVERIFY(first != other);
    }
  }

  void sobolIsStratifiedInEveryDimension() {
    for (const uint64_t seed : {uint64_t(0), uint64_t(7)}) {
      const auto points = sobolPoints(kMostSobolDims, 256, seed);
      for (int d = 0; d < kMostSobolDims; ++d) {
        std::set<int> cells;
        for (const auto& p : points) {
          QVERIFY(p[size_t(d)] >= 0 && p[size_t(d)] < 1);
          cells.insert(int(p[size_t(d)] * 256));
        }
        QCOMPARE(cells.size(), size_t(256));
      }
    }
  }

  void sobolHasLessDiscrepancyThanRandom() {
    for (const uint64_t seed : {uint64_t(0), uint64_t(1), uint64_t(2)}) {
      SweepPlan p = plan({"x=uniform:0:1", "y=uniform:0:1"}, SweepMethod::Random, 256, seed);
      std::vector<std::vector<double>> random;
      for (int i = 0; i < 256; ++i) random.push_back({value(suggestPoint(p, i), 0), value(suggestPoint(p, i), 1)});
      const double sobol = discrepancy(sobolPoints(2, 256, seed));
      QVERIFY2(sobol < 0.02 && sobol < 0.5 * discrepancy(random), qPrintable(QString("sobol %1 random %2").arg(sobol).arg(discrepancy(random))));
    }
  }

  void sobolHasALimitOfParameters() {
    SweepPlan p;
    p.method = SweepMethod::Sobol;
    for (int i = 0; i <= kMostSobolDims; ++i) p.parameters.push_back(parameter(("p" + std::to_string(i) + "=uniform:0:1").c_str()));
    const Status status = checkPlan(p);
    QVERIFY(!status.ok());
    QCOMPARE(QString::fromStdString(status.error().message), QString("there are 22 parameters, expected at most 21 for sobol; use random"));
  }

  void bayesianBeatsRandom() {
    // The mean over seeds of the regret, and how often the Bayesian search is ahead.
    double random = 0, bayesian = 0;
    int ahead = 0;
    constexpr int kSeeds = 8;
    for (uint64_t seed = 1; seed <= kSeeds; ++seed) {
      const double r = bestOf(plan({"x=uniform:-5:10", "y=uniform:0:15"}, SweepMethod::Random, 30, seed), branin) - 0.397887;
      const double b = bestOf(plan({"x=uniform:-5:10", "y=uniform:0:15"}, SweepMethod::Bayesian, 30, seed), branin) - 0.397887;
      random += r / kSeeds;
      bayesian += b / kSeeds;
      ahead += b < r;
    }
    QVERIFY2(bayesian < 0.2 * random && ahead >= 7,
             qPrintable(QString("random %1 bayesian %2, ahead %3 of %4").arg(random).arg(bayesian).arg(ahead).arg(kSeeds)));
  }

  void bayesianChoosesWordsAndAvoidsFailures() {
    const SweepPlan p = plan({"lr=log:1e-5:1", "optimizer=choice:a,b,c"}, SweepMethod::Bayesian, 40);
    std::vector<SweepResult> results;
    int good = 0, failed = 0;
    for (int i = 0; i < 40; ++i) {
      SweepResult r{suggestPoint(p, i, results), {}, false};
      const double lr = value(r.point, 0);
      if (lr > 0.1) r.failed = true;
      else r.value = std::abs(std::log10(lr) + 3) + (r.point[1].second == "b" ? 0 : 1);
      if (i >= 20) good += r.point[1].second == "b", failed += r.failed;
      results.push_back(std::move(r));
    }
    QVERIFY2(good >= 12 && failed <= 2, qPrintable(QString("%1 of 20 with the best word, %2 failed").arg(good).arg(failed)));
  }

  void runningRunsAreNotProposedAgain() {
    const SweepPlan p = plan({"x=uniform:0:1"}, SweepMethod::Bayesian, 40);
    std::vector<SweepResult> results;
    for (int i = 0; i < 8; ++i) {
      SweepResult r{suggestPoint(p, i, results), {}, false};
      r.value = std::pow(value(r.point, 0) - 0.3, 2);
      results.push_back(std::move(r));
    }
    for (int i = 8; i < 12; ++i) {
      SweepResult pending{suggestPoint(p, i, results), {}, false};
      for (size_t k = 8; k < results.size(); ++k) QVERIFY(pending.point != results[k].point);
      results.push_back(std::move(pending));
    }
  }

  void medianStopsARunBelowTheOthers() {
    SweepPlan p = plan({"x=uniform:0:1"}, SweepMethod::Random, 8);
    p.stop.kind = StopRule::Kind::Median;
    const std::vector<SweepCurve> others = {curve(0, {{10, 1.0}, {20, 0.8}}, true), curve(1, {{10, 0.9}, {20, 0.7}}), curve(2, {{10, 1.1}, {20, 0.9}})};
    QVERIFY(shouldStop(p, curve(3, {{10, 2.0}, {20, 1.9}}), others, 100));
    QVERIFY(!shouldStop(p, curve(3, {{10, 1.0}, {20, 0.6}}), others, 100));
    QVERIFY(!shouldStop(p, curve(3, {{5, 2.0}}), others, 100));                   // before the first share of the steps
    QVERIFY(!shouldStop(p, curve(3, {{10, 2.0}}), {others[0], others[1]}, 100));  // too few to compare with
    QVERIFY(!shouldStop(p, curve(3, {{100, 2.0}}), others, 100));                 // it is complete
    p.maximize = true;
    QVERIFY(!shouldStop(p, curve(3, {{10, 2.0}, {20, 1.9}}), others, 100));
    QVERIFY(shouldStop(p, curve(3, {{10, NAN}, {20, NAN}}), others, 100));
  }

  void halvingKeepsTheBestThird() {
    SweepPlan p = plan({"x=uniform:0:1"}, SweepMethod::Random, 9);
    p.stop.kind = StopRule::Kind::Asha;
    // Rungs at 81/9 = 9 and 81/3 = 27 steps. Runs come one after the other, each better than the one before.
    std::vector<SweepCurve> runs;
    int stopped = 0;
    for (int i = 0; i < 9; ++i) {
      SweepCurve own = curve(i, {{9, 1.0 + i}});  // the first is the best
      if (shouldStop(p, own, runs, 81)) ++stopped;
      else own.points.emplace_back(27, 1.0 + i);
      runs.push_back(own);
    }
    QCOMPARE(stopped, 8);
    QVERIFY(!shouldStop(p, curve(9, {{9, 0.5}}), runs, 81));
    QVERIFY(!shouldStop(p, curve(9, {{8, 9.0}}), runs, 81));             // no rung yet
    QVERIFY(!shouldStop(p, curve(9, {{9, 0.5}, {12, 9.0}}), runs, 81));  // between rungs
    QVERIFY(shouldStop(p, curve(9, {{9, 0.5}, {27, 9.0}}), runs, 81));
  }

  void hyperbandComparesWithinBrackets() {
    SweepPlan p = plan({"x=uniform:0:1"}, SweepMethod::Random, 9);
    p.stop.kind = StopRule::Kind::Hyperband;
    const std::vector<SweepCurve> runs = {curve(0, {{9, 1.0}, {27, 1.0}}), curve(1, {{9, 1.0}, {27, 1.0}}), curve(2, {{9, 1.0}, {27, 1.0}})};
    QVERIFY(shouldStop(p, curve(3, {{9, 2.0}}), runs, 81));   // bracket 0 begins at step 9
    QVERIFY(!shouldStop(p, curve(4, {{9, 2.0}}), runs, 81));  // bracket 1 at step 27
    QVERIFY(shouldStop(p, curve(4, {{9, 2.0}, {27, 2.0}}), runs, 81));
    QVERIFY(!shouldStop(p, curve(5, {{9, 2.0}, {27, 2.0}}), runs, 81));  // bracket 2 never
  }

  void importanceFindsTheParameterThatMatters() {
    SweepPlan p = plan({"a=uniform:0:1", "b=uniform:0:1", "c=choice:x,y"}, SweepMethod::Random, 60);
    std::vector<SweepResult> results;
    for (int i = 0; i < 60; ++i) {
      SweepResult r{suggestPoint(p, i), {}, false};
      r.value = 10 * value(r.point, 0) + (r.point[2].second == "x" ? 2 : 0);
      results.push_back(std::move(r));
    }
    const auto importance = importanceOf(p.parameters, results);
    QCOMPARE(importance.size(), size_t(3));
    QCOMPARE(importance[0].parameter, std::string("a"));
    QCOMPARE(importance[1].parameter, std::string("c"));
    QVERIFY(importance[0].share > 0.7 && importance[2].share < 0.05);
    QVERIFY(importance[0].correlation > 0.9);
    for (SweepResult& r : results) r.value = 1;
    for (const Importance& i : importanceOf(p.parameters, results)) QCOMPARE(i.share, 0.0);
  }
};

QTEST_GUILESS_MAIN(TestSweepSearch)
#include "tst_sweep_search.moc"
