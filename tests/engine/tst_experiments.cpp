#include <sqlite3.h>

#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <cmath>
#include <thread>

#include "support/verify.h"
#include "weft/event_plugins.h"
#include "weft/events.h"
#include "weft/experiments.h"
#include "weft/sweep_runner.h"

using namespace weft;

namespace {

/// A folder with a store in it.
struct Place {
  QTemporaryDir folder;
  std::string file = folder.filePath("experiments.sqlite").toStdString();
  std::unique_ptr<ExperimentStore> open(ExperimentStore::Options options = {}) const {
    auto store = ExperimentStore::open(file, options);
    if (!store.ok()) qFatal("%s", store.error().toString().c_str());
    return std::move(*store);
  }
  std::string error(ExperimentStore::Options options = {}) const {
    const auto store = ExperimentStore::open(file, options);
    return store.ok() ? std::string() : store.error().message;
  }
};

/// Six runs of two optimizers; the third has no loss, the sixth failed.
int64_t fill(ExperimentStore& store) {
  ExperimentSweep sweep;
  sweep.name = "sweep-1";
  sweep.plan.metric = "loss";
  sweep.plan.parameters = {*sweepParameterOf("lr=log:0.001:1"), *sweepParameterOf("optimizer=choice:Adam,Momentum")};
  const auto id = store.addSweep(sweep);
  if (!id.ok()) qFatal("%s", id.error().toString().c_str());
  std::vector<ExperimentRecord> records;
  const double losses[] = {0.5, 0.2, NAN, 0.4, 0.3, NAN};
  for (int i = 0; i < 6; ++i) {
    ExperimentRecord r;
    r.run.sweep = *id;
    r.run.number = i + 1;
    r.run.name = "run-00" + std::to_string(i + 1);
    r.run.status = i == 5 ? ExperimentStatus::Failed : ExperimentStatus::Finished;
    r.parameters = {{"lr", i % 3 == 0 ? "0.1" : i % 3 == 1 ? "0.01" : "0.001"}, {"optimizer", i < 3 ? "Adam" : "Momentum"}};
    if (!std::isnan(losses[i])) r.metrics = {{"loss", losses[i]}};
    records.push_back(std::move(r));
  }
  const Status added = store.addRuns(records);
  if (!added.ok()) qFatal("%s", added.toString().c_str());
  return *id;
}

std::string numbers(ExperimentTable& table, const ExperimentRows& rows) {
  std::string out;
  for (const int32_t row : rows.rows) out += (out.empty() ? "" : " ") + std::to_string(table.runs()[size_t(row)].number);
  return out;
}

/// Numbers of the runs that pass, in order; or the error.
std::string selected(ExperimentStore& store, std::vector<const char*> filters, const char* sort = "", bool down = false) {
  ExperimentQuery query;
  for (const char* text : filters) {
    const auto filter = experimentFilterOf(text);
    if (!filter.ok()) return filter.error().message;
    query.filters.push_back(*filter);
  }
  query.sort = sort;
  query.descending = down;
  const auto table = store.table();
  if (!table.ok()) return table.error().message;
  const auto rows = (*table)->select(query);
  return rows.ok() ? numbers(**table, *rows) : rows.error().message;
}

}  // namespace

/// The file of experiments: what it keeps, how it is searched, and what can be wrong with it.
class TestExperiments : public QObject {
  Q_OBJECT
 private slots:
  void runsComeBackAsTheyWereStored() {
    const Place place;
    int64_t sweep = 0;
    {
      const auto store = place.open();
      sweep = fill(*store);
      VERIFY_OK(store->addPoints(1, 10, 100, {{"loss", 0.9}, {"accuracy", 0.1}}));
      VERIFY_OK(store->addPoints(1, 20, 101, {{"loss", 0.7}}));
    }
    const auto store = place.open();
    const auto sweeps = store->sweeps();
    QVERIFY(sweeps.ok());
    QCOMPARE(sweeps->size(), size_t(1));
    QCOMPARE(textOf((*sweeps)[0].plan.parameters[0]), std::string("lr=log:0.001:1"));
    const auto table = store->table(sweep);
    QVERIFY(table.ok());
    QCOMPARE((*table)->runs().size(), size_t(6));
    const auto record = (*table)->record(1);
    QVERIFY(record.ok());
    QCOMPARE(record->parameters, (SweepPoint{{"lr", "0.1"}, {"optimizer", "Adam"}}));
    QCOMPARE(record->metrics.size(), size_t(2));
    QCOMPARE(record->metrics[0].second, 0.7);
    const auto curve = store->curve(1, "loss");
    QVERIFY(curve.ok());
    QCOMPARE(curve->size(), size_t(2));
    QCOMPARE((*curve)[1].step, int64_t(20));
    QVERIFY(store->curve(1, "nothing")->empty());
  }

  void runsAreFilteredAndSorted() {
    const Place place;
    const auto store = place.open();
    fill(*store);
    QCOMPARE(selected(*store, {}), std::string("1 2 3 4 5 6"));
    QCOMPARE(selected(*store, {}, "loss"), std::string("2 5 4 1 3 6"));  // runs without a value come last
    QCOMPARE(selected(*store, {}, "loss", true), std::string("1 4 5 2 3 6"));
    QCOMPARE(selected(*store, {}, "optimizer", true), std::string("4 5 6 1 2 3"));
    QCOMPARE(selected(*store, {"loss<0.45"}), std::string("2 4 5"));
    QCOMPARE(selected(*store, {"loss<0.45", "optimizer = Momentum"}), std::string("4 5"));
    QCOMPARE(selected(*store, {"lr=0.10"}), std::string("1 4"));  // numbers are compared as numbers
    QCOMPARE(selected(*store, {"lr>=0.01"}), std::string("1 2 4 5"));
    QCOMPARE(selected(*store, {"optimizer~dam"}), std::string("1 2 3"));
    QCOMPARE(selected(*store, {"status=failed"}), std::string("6"));
    QCOMPARE(selected(*store, {"status!=failed"}), std::string("1 2 3 4 5"));
    QCOMPARE(selected(*store, {"name~-003"}), std::string("3"));
  }

  void wrongQueriesSayWhatWasExpected() {
    const Place place;
    const auto store = place.open();
    fill(*store);
    QCOMPARE(selected(*store, {"loss"}), std::string("loss: expected a column, one of < <= = != >= > ~, and a value, as in test_loss<0.3"));
    QCOMPARE(selected(*store, {"loss<low"}), std::string("loss is compared with low, expected a number"));
    QCOMPARE(selected(*store, {"units=3"}), std::string("there is no column units; there are: lr, optimizer, loss"));
    QCOMPARE(selected(*store, {"status<3"}), std::string("status has no order, expected =, != or ~"));
    QCOMPARE(selected(*store, {}, "units"), std::string("there is no column units; there are: lr, optimizer, loss"));
  }

  void groupsHaveStatistics() {
    const Place place;
    const auto store = place.open();
    fill(*store);
    ExperimentQuery query;
    query.group = "optimizer";
    query.metric = "loss";
    query.sort = "loss";
    const auto table = store->table();
    const auto rows = (*table)->select(query);
    QVERIFY(rows.ok());
    QCOMPARE(numbers(**table, *rows), std::string("2 1 3 5 4 6"));
    QCOMPARE(rows->groups.size(), size_t(2));
    QCOMPARE(rows->groups[0].value, std::string("Adam"));
    QCOMPARE(rows->groups[0].runs, int64_t(3));
    QCOMPARE(rows->groups[0].measured, int64_t(2));
    QCOMPARE(rows->groups[0].mean, 0.35);
    QCOMPARE(rows->groups[1].least, 0.3);
    QVERIFY(std::abs(rows->groups[1].deviation - 0.05) < 1e-12);
  }

  void aTableIsReadAgainOnlyAfterAChange() {
    const Place place;
    const auto store = place.open(), other = place.open();
    fill(*store);
    const auto before = store->table();
    QCOMPARE(store->table()->get(), before->get());
    VERIFY_OK(other->addPoints(3, 1, 0, {{"loss", 0.1}}));  // another program
    const auto after = store->table();
    QVERIFY(after->get() != before->get());
    QCOMPARE(selected(*store, {}, "loss"), std::string("3 2 5 4 1 6"));
  }

  void severalThreadsWriteAtOnce() {
    const Place place;
    const auto store = place.open();
    fill(*store);
    std::vector<std::thread> threads;
    std::atomic<int> failed{0};
    for (int t = 1; t <= 4; ++t)
      threads.emplace_back([&, t] {
        const auto own = place.open();
        for (int i = 0; i < 50; ++i) failed += !own->addPoints(t, i, 0, {{"loss", i / 50.0}}).ok();
      });
    for (auto& t : threads) t.join();
    QCOMPARE(failed.load(), 0);
    for (int t = 1; t <= 4; ++t) QCOMPARE(store->curve(t, "loss")->size(), size_t(50));
  }

  void aParameterAndAMetricMayShareAName() {
    const Place place;
    const auto store = place.open();
    const int64_t sweep = fill(*store);
    ExperimentRecord r;
    r.run.sweep = sweep;
    r.run.number = 7;
    r.parameters = {{"loss", "hinge"}};
    VERIFY_OK(store->addRuns({r}));
    QCOMPARE(selected(*store, {"loss (parameter)=hinge"}), std::string("7"));
    QCOMPARE(selected(*store, {"loss<0.25"}), std::string("2"));
  }

  void aFullDiskIsOneSentence() {
    const Place place;
    ExperimentStore::Options options;
    options.mostPages = 20;
    const auto store = place.open(options);
    fill(*store);
    Status status;
    for (int i = 0; status.ok() && i < 100000; ++i) status = store->addPoints(1 + i % 6, i, 0, {{"loss", 0.1}});
    QVERIFY(!status.ok());
    QCOMPARE(status.code(), Code::ResourceExhausted);
    QCOMPARE(status.error().message, std::string("the disk is full, or the file may not grow"));
    QVERIFY(QString::fromStdString(status.error().file).endsWith("experiments.sqlite"));
    QCOMPARE(selected(*store, {"optimizer=Adam"}), std::string("1 2 3"));  // what was stored stays readable
  }

  void otherFilesAreRefused() {
    const Place place;
    QCOMPARE(place.error({.create = false}), std::string("there are no experiments"));
    QFile text(QString::fromStdString(place.file));
    QVERIFY(text.open(QIODevice::WriteOnly));
    text.write(QByteArray(5000, 'x'));
    text.close();
    QCOMPARE(place.error(), std::string("this is not a file of experiments"));
    QVERIFY(text.remove());
    sqlite3* db = nullptr;
    QCOMPARE(sqlite3_open(place.file.c_str(), &db), SQLITE_OK);
    QCOMPARE(sqlite3_exec(db, "CREATE TABLE songs(title)", nullptr, nullptr, nullptr), SQLITE_OK);
    sqlite3_close(db);
    QCOMPARE(place.error(), std::string("this is an SQLite file, but not one of experiments"));
    QVERIFY(text.remove());
    place.open();
    QCOMPARE(sqlite3_open(place.file.c_str(), &db), SQLITE_OK);
    QCOMPARE(sqlite3_exec(db, "PRAGMA user_version=9", nullptr, nullptr, nullptr), SQLITE_OK);
    sqlite3_close(db);
    QCOMPARE(place.error(), std::string("a newer program has written these experiments: version 9, expected 1"));
  }

  void hparamsAreWrittenAsTheyAreRead() {
    HParamsData data;
    data.kind = HParamsData::Kind::Experiment;
    data.description = "a sweep";
    data.time = 12.5;
    data.hyperparameters = {{"lr", "lr", HParamsData::Hyperparameter::Number, {}, std::pair(0.001, 0.1)},
                            {"optimizer", "optimizer", HParamsData::Hyperparameter::Text, {std::string("Adam"), std::string("SGD")}, {}}};
    data.metrics = {{"eval", "loss", "test_loss"}};
    const auto read = decodeHParams(encodeHParams(data));
    QVERIFY(read.ok());
    QCOMPARE(read->description, data.description);
    QCOMPARE(read->time, 12.5);
    QCOMPARE(read->hyperparameters[0].type, int(HParamsData::Hyperparameter::Number));
    QCOMPARE(read->hyperparameters[0].range->second, 0.1);
    QCOMPARE(std::get<std::string>(read->hyperparameters[1].choices[1]), std::string("SGD"));
    QCOMPARE(read->metrics[0].group, std::string("eval"));
    HParamsData start;
    start.kind = HParamsData::Kind::SessionStart;
    start.values = {{"lr", 0.01}, {"optimizer", std::string("Adam")}, {"shuffle", true}};
    const auto started = decodeHParams(encodeHParams(start));
    QCOMPARE(started->values, start.values);
    HParamsData end;
    end.kind = HParamsData::Kind::SessionEnd;
    end.status = HParamsData::Failure;
    QCOMPARE(decodeHParams(encodeHParams(end))->status, int(HParamsData::Failure));
  }

  void runsInEventFilesAreImported() {
    const Place place;
    const std::string runs = place.folder.filePath("runs").toStdString();
    for (const std::string run : {"a", "b"}) {
      HParamsData start;
      start.kind = HParamsData::Kind::SessionStart;
      start.values = {{"lr", run == "a" ? 0.1 : 0.01}};
      VERIFY_OK(writeHParams(runs + "/" + run, start, 100));
      const auto writer = EventWriter::create(runs + "/" + run);
      QVERIFY(writer.ok());
      for (int i = 1; i <= 3; ++i) VERIFY_OK((*writer)->addScalar("loss", float(run == "a" ? i : 10 * i), i));
      VERIFY_OK((*writer)->close());
      const auto eval = EventWriter::create(runs + "/" + run + "/eval");
      VERIFY_OK((*eval)->addScalar("loss", 5, 3));
      VERIFY_OK((*eval)->close());
    }
    HParamsData end;
    end.kind = HParamsData::Kind::SessionEnd;
    end.status = HParamsData::Failure;
    VERIFY_OK(writeHParams(runs + "/b", end, 2e9));
    QDir(QString::fromStdString(runs)).mkdir("c");
    QFile record(QString::fromStdString(runs + "/c/run.json"));
    QVERIFY(record.open(QIODevice::WriteOnly));
    record.write(R"({"settings": {"batch_size": "16"}, "end": "stopped"})");
    record.close();
    const auto writer = EventWriter::create(runs + "/c");
    VERIFY_OK((*writer)->addScalar("loss", 7, 1));
    VERIFY_OK((*writer)->close());

    const auto store = place.open();
    for (int times = 0; times < 2; ++times) {  // importing again replaces
      const auto count = importRuns(*store, runs);
      QVERIFY2(count.ok(), count.ok() ? "" : count.error().toString().c_str());
      QCOMPARE(*count, int64_t(3));
    }
    const auto table = store->table();
    QCOMPARE((*table)->runs().size(), size_t(3));
    QCOMPARE((*table)->runs()[0].name, std::string("a"));
    QCOMPARE((*table)->runs()[1].status, ExperimentStatus::Failed);
    QCOMPARE((*table)->runs()[2].status, ExperimentStatus::Interrupted);
    QCOMPARE(selected(*store, {"lr=0.01", "loss=30", "test_loss=5"}), std::string("2"));
    QCOMPARE(selected(*store, {"batch_size=16"}), std::string("3"));
    QCOMPARE(store->curve((*table)->runs()[0].id, "loss")->size(), size_t(3));
    QVERIFY(!importRuns(*store, place.folder.filePath("nothing").toStdString()).ok());
  }
};

QTEST_GUILESS_MAIN(TestExperiments)
#include "tst_experiments.moc"
