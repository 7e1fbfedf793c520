#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>
#include <cmath>
#include <random>

#include "support/verify.h"
#include "weft/builder.h"
#include "weft/checkpoint.h"
#include "weft/event_plugins.h"
#include "weft/events.h"
#include "weft/graph_text.h"
#include "weft/query.h"

using namespace weft;

namespace {

std::unique_ptr<QueryDatabase> newDatabase() {
  auto database = QueryDatabase::create();
  if (!database.ok()) qFatal("%s", database.error().toString().c_str());
  return std::move(*database);
}

/// "a=1 b=x | a=2 b=NULL", reals with six digits; or the error.
std::string ask(QueryDatabase& database, const std::string& sql, QueryOptions options = {}) {
  const auto result = database.run(sql, options);
  if (!result.ok()) return std::string(codeName(result.error().code)) + ": " + result.error().message;
  std::string out;
  for (const auto& row : result->rows) {
    if (!out.empty()) out += " | ";
    for (size_t i = 0; i < row.size(); ++i)
      out += (i ? "," : "") +
             (std::holds_alternative<std::monostate>(row[i]) ? std::string("NULL") : toText(row[i], std::holds_alternative<double>(row[i]) ? 6 : 0));
  }
  return out;
}

#define ASK(sql, expected) QCOMPARE(QString::fromStdString(ask(*database, sql)), QStringLiteral(expected))

std::shared_ptr<const MetaGraph> smallGraph() {
  MetaGraph meta;
  GraphBuilder b(meta);
  const Output x = b.op("Placeholder", {}, {{"dtype", DType::Float}, {"shape", Shape({2, 3})}}, "in/x");
  const Output w = b.op("Const", {}, {{"dtype", DType::Float}, {"value", Tensor::of(std::vector<float>(12, 0.5f), Shape({3, 4}))}}, "net/w");
  const Output y = b.op("MatMul", {x, w}, {}, "net/y");
  const Output z = b.op("Relu", {y}, {}, "net/z");
  (void)b.noOp({z.node}, "done");
  if (!b.status().ok()) qFatal("%s", b.status().toString().c_str());
  return std::make_shared<const MetaGraph>(std::move(meta));
}

std::shared_ptr<const Trace> madeUpTrace(int slices) {
  auto trace = std::make_shared<Trace>();
  std::mt19937 random(7);
  const int tracks[] = {trace->track("/device:CPU:0", "thread 0"), trace->track("/device:CPU:0", "thread 1"), trace->track("/device:GPU:0", "stream")};
  for (int i = 0; i < slices; ++i) {
    TraceSlice s;
    const int node = int(random() % 17);
    s.track = tracks[random() % 3];
    s.name = trace->intern("scope" + std::to_string(node % 3) + "/node" + std::to_string(node));
    s.op = node < 2 ? 0 : trace->intern("Op" + std::to_string(node % 5));
    s.startNs = int64_t(i) * 1000;
    s.durationNs = 100 + int64_t(random() % 900);
    s.bytes = int64_t(random() % 5) * 1024;
    trace->slices.push_back(s);
  }
  trace->finish();
  return trace;
}

}  // namespace

class TestQuery : public QObject {
  Q_OBJECT
 private slots:
  void graphsAreTables();
  void statisticsOfTensorsAreComputed();
  void eventFilesAndSettingsAreTables();
  void experimentsAreTables();
  void slicesAreTables();
  void foldersAreSearched();
  void aggregatesOnColumnsAreThoseOfSqlite_data();
  void aggregatesOnColumnsAreThoseOfSqlite();
  void madeUpAggregatesAgree();
  void ordersAndConditionsAreThoseOfSqlite();
  void onlyReading_data();
  void onlyReading();
  void mistakesNameWhatWasMeant_data();
  void mistakesNameWhatWasMeant();
  void endlessQueriesStop();
  void moreRowsThanTheLimitAreSaid();
  void filesThatCannotBeReadAreNamed();
  void examplesRun();
  void resultsAsText();
};

void TestQuery::graphsAreTables() {
  const auto database = newDatabase();
  database->addGraph("small", smallGraph());
  ASK("SELECT name, op, scope, inputs, consumers, shape, elements, bytes FROM nodes WHERE op = 'MatMul'", "net/y,MatMul,net,2,1,[2,4],8,32");
  ASK("SELECT flops FROM nodes WHERE name = 'net/y'", "48");
  ASK("SELECT source, source_port, target, target_port, control FROM edges ORDER BY target, target_port",
      "net/z,NULL,done,NULL,1 | in/x,0,net/y,0,0 | net/w,0,net/y,1,0 | net/y,0,net/z,0,0");
  ASK("SELECT n.name, a.value FROM nodes n JOIN attrs a ON a.node = n.name WHERE a.name = 'transpose_a'", "net/y,false");
  ASK("SELECT scope, count(*) FROM nodes GROUP BY scope ORDER BY scope", ",1 | in,1 | net,3");
  const auto result = database->run("SELECT name AS n, upper(op) FROM nodes");
  QVERIFY(result.ok());
  QCOMPARE(result->columns[0].table, "nodes");
  QCOMPARE(result->columns[0].origin, "name");
  QCOMPARE(result->columns[1].origin, "");
}

void TestQuery::statisticsOfTensorsAreComputed() {
  QTemporaryDir folder;
  const std::string prefix = folder.filePath("model").toStdString();
  auto writer = CheckpointWriter::create(prefix);
  QVERIFY(writer.ok());
  VERIFY_OK((*writer)->add("a/w", Tensor::of(std::vector<float>{0, 2, NAN, INFINITY}, Shape({4}))));
  VERIFY_OK((*writer)->add("step", Tensor::of(std::vector<int64_t>{7}, Shape())));
  VERIFY_OK((*writer)->finish());
  for (const std::string& path : {prefix, prefix + ".index"}) {
    const auto database = newDatabase();
    VERIFY_OK(database->addPath(path));
    ASK("SELECT name, dtype, shape, elements, bytes, mean, std, max, nan, inf, zeros FROM tensors WHERE nan > 0", "a/w,float32,[4],4,16,1,1,2,1,1,1");
    ASK("SELECT scope(name), sum(elements) FROM tensors GROUP BY 1 ORDER BY 1", ",1 | a,4");
  }
}

void TestQuery::eventFilesAndSettingsAreTables() {
  QTemporaryDir folder;
  const std::string run = folder.filePath("runs/one").toStdString();
  {
    auto writer = EventWriter::create(run);
    QVERIFY(writer.ok());
    for (int i = 0; i < 4; ++i) VERIFY_OK((*writer)->addScalar("loss", i == 2 ? NAN : float(4 - i), i * 10, 100 + i));
    VERIFY_OK((*writer)->close());
  }
  QFile record(folder.filePath("runs/one/run.json"));
  QVERIFY(record.open(QIODevice::WriteOnly));
  record.write("{\"settings\": {\"lr\": \"0.5\", \"optimizer\": \"Adam\"}, \"end\": \"finished\"}");
  record.close();
  const auto database = newDatabase();
  VERIFY_OK(database->addPath(folder.path().toStdString()));
  ASK("SELECT run, tag, step, value, is_nan FROM scalars ORDER BY step",
      "runs/one,loss,0,4,0 | runs/one,loss,10,3,0 | runs/one,loss,20,NULL,1 | runs/one,loss,30,1,0");
  ASK("SELECT run, tag, min(value), step FROM scalars GROUP BY run, tag", "runs/one,loss,1,30");
  ASK("SELECT tag, kind, points, first_step, last_step FROM tags", "loss,scalar,4,0,30");
  ASK("SELECT run, step, started FROM runs", "runs/one,30,100");
  ASK("SELECT name, value, number FROM params ORDER BY name", "lr,0.5,0.5 | optimizer,Adam,NULL");
  ASK("SELECT r.run, p.number, m.value FROM runs r JOIN params p ON p.run = r.run AND p.name = 'lr' JOIN metrics m ON m.run = r.run", "runs/one,0.5,1");
}

void TestQuery::experimentsAreTables() {
  QTemporaryDir folder;
  const std::string path = folder.filePath("experiments.sqlite").toStdString();
  {
    auto store = ExperimentStore::open(path);
    QVERIFY(store.ok());
    ExperimentSweep sweep;
    sweep.name = "sweep-1";
    const auto id = (*store)->addSweep(sweep);
    QVERIFY(id.ok());
    ExperimentRecord r;
    r.run.sweep = *id;
    r.run.name = "run-1";
    r.run.status = ExperimentStatus::Failed;
    r.run.error = "no memory";
    r.parameters = {{"lr", "0.1"}, {"optimizer", "Adam"}};
    r.metrics = {{"loss", 0.25}};
    VERIFY_OK((*store)->addRuns({r}));
  }
  const auto database = newDatabase();
  VERIFY_OK(database->addPath(path));
  ASK("SELECT run, status, error FROM runs", "sweep-1/run-1,failed,no memory");
  ASK("SELECT name, value, number FROM params ORDER BY name", "lr,0.1,0.1 | optimizer,Adam,NULL");
  ASK("SELECT run, name, value FROM metrics", "sweep-1/run-1,loss,0.25");
}

void TestQuery::slicesAreTables() {
  auto trace = std::make_shared<Trace>();
  const int cpu = trace->track("/device:CPU:0", "thread 1"), all = trace->track("/device:GPU:0/stream:all", "all");
  trace->tracks[size_t(all)].duplicate = true;
  for (const int track : {cpu, all}) {
    TraceSlice s;
    s.track = track;
    s.name = trace->intern("net/y");
    s.op = trace->intern("MatMul");
    s.startNs = 1500;
    s.durationNs = 2500;
    trace->slices.push_back(s);
  }
  TraceSlice other;
  other.track = cpu;
  other.name = trace->intern("idle");
  trace->slices.push_back(other);
  trace->finish();
  const auto database = newDatabase();
  database->addTrace("t", trace);
  ASK("SELECT track, device, name, node, op, scope, start_us, end_us, duration_us, counted FROM slices WHERE duration_us > 1 ORDER BY counted DESC",
      "thread 1,/device:CPU:0,net/y,net/y,MatMul,net,1.5,4,2.5,1 | all,/device:GPU:0/stream:all,net/y,net/y,MatMul,net,1.5,4,2.5,0");
  ASK("SELECT name, node, op, scope FROM slices WHERE op IS NULL", "idle,NULL,NULL,NULL");
  ASK("SELECT count(*), sum(self_us) FROM slices WHERE counted", "2,2.5");
  ASK("SELECT track, reason, cause, before, after, start_us, duration_us FROM gaps", "thread 1,scheduling,NULL,idle,net/y,0,1.5");
}

void TestQuery::foldersAreSearched() {
  QTemporaryDir folder;
  QVERIFY(QDir(folder.path()).mkpath("below"));
  QFile text(folder.filePath("below/notes.txt"));
  QVERIFY(text.open(QIODevice::WriteOnly));
  text.write("hello, this is a text\n");
  text.close();
  MetaGraph meta;
  meta = *smallGraph();
  VERIFY_OK(saveGraphFile(meta, GraphFormat::GraphBinary, folder.filePath("below/a.pb").toStdString()));
  const auto database = newDatabase();
  VERIFY_OK(database->addPath(folder.path().toStdString()));
  ASK("SELECT name, kind FROM files ORDER BY name", "a.pb,graphdef | notes.txt,NULL");
  ASK("SELECT count(*) FROM nodes", "5");
  QCOMPARE(*database->rowsOf("edges"), 4);
  QVERIFY(!database->rowsOf("nothing").ok());
}

void TestQuery::aggregatesOnColumnsAreThoseOfSqlite_data() {
  QTest::addColumn<QString>("sql");
  QTest::addColumn<bool>("grouped");
  const auto row = [](const char* sql, bool grouped = true) { QTest::newRow(sql) << QString(sql) << grouped; };
  row("SELECT count(*) FROM slices");
  row("SELECT op, count(*) AS n, sum(self_us) FROM slices GROUP BY op ORDER BY n DESC, op");
  row("SELECT op o, count(op), total(bytes), sum(bytes), avg(bytes) FROM slices GROUP BY o ORDER BY o");
  row("SELECT s.op, max(s.duration_us), s.start_us FROM slices AS s WHERE s.name LIKE 'scope1%' GROUP BY s.op ORDER BY 1");
  row("SELECT device, track, min(start_us) FROM slices GROUP BY 1, 2 ORDER BY 1, 2");
  row("SELECT cast(duration_us * 10 AS integer) / 2 AS bin, count(*) FROM slices GROUP BY bin HAVING count(*) > 3 ORDER BY bin");
  row("SELECT op, median(duration_us), percentile(duration_us, 90), stddev(duration_us) FROM slices GROUP BY op ORDER BY op");
  row("SELECT DISTINCT op FROM slices WHERE op IS NOT NULL ORDER BY op");
  row("SELECT sum(bytes) / count(*), max(duration_us) - min(duration_us) FROM slices WHERE op IN ('Op1', 'Op3') OR op IS NULL");
  row("SELECT sum(bytes), avg(duration_us), max(bytes), count(*) FROM slices WHERE op = 'nothing'");
  row("SELECT avg(us) FROM (SELECT name, sum(self_us) AS us FROM slices GROUP BY name)");
  row("SELECT op, round(avg(duration_us), 2) AS mean FROM slices WHERE NOT (bytes = 0) AND duration_us <= 0.8 GROUP BY op ORDER BY mean DESC LIMIT 2");
  row("WITH t AS (SELECT name AS n, count(*) AS c FROM slices GROUP BY name) SELECT n, c FROM t WHERE c > 10 ORDER BY n");
  row("SELECT op, count(*) FROM slices GROUP BY op UNION ALL SELECT 'all', count(*) FROM slices ORDER BY 1");
  row("SELECT op, bytes % 3 AS r, count(*) FROM slices GROUP BY op, r ORDER BY op, r");
  row("SELECT op, CASE WHEN count(*) > 15 THEN 'often' ELSE 'rare' END AS word FROM slices GROUP BY op ORDER BY op");
  row("SELECT op, name, max(duration_us) FROM slices GROUP BY op HAVING max(duration_us) > 0 ORDER BY max(duration_us) DESC, op");
  row("SELECT op, count(*) FROM slices GROUP BY op HAVING count(*) < '1' ORDER BY op");
  row("SELECT count(name), min(name), max(name) FROM slices", false);
  row("SELECT count(*) AS 'n' FROM slices", false);
  row("SELECT min(bytes) first, max(bytes) last FROM slices", false);
  row("SELECT bytes + 1, count(*) FROM slices GROUP BY bytes + 1 ORDER BY 1, 2");
  row("SELECT op COLLATE NOCASE, count(*) FROM slices GROUP BY op ORDER BY 1", false);
  row("SELECT count(*) AS n, sum(bytes) AS a0 FROM slices GROUP BY op HAVING a0 > 9 ORDER BY 1, 2", false);
  row("SELECT op, count(*) AS op FROM slices GROUP BY slices.op ORDER BY op", false);
  row("SELECT op, count(*) AS n FROM slices GROUP BY op UNION ALL SELECT name, count(*) FROM slices GROUP BY name ORDER BY op, n");
  row("SELECT sum(bytes * 3000000000000000) FROM slices WHERE bytes > 0", false);
  row("WITH t AS (SELECT 1), slices(op) AS (SELECT 'x') SELECT count(*) FROM slices", false);
  row("SELECT count(DISTINCT op) FROM slices", false);
  row("SELECT op, group_concat(DISTINCT track) FROM slices WHERE op = 'Op1' GROUP BY op", false);
  row("SELECT op, count(*) FILTER (WHERE bytes > 0) FROM slices GROUP BY op ORDER BY op", false);
  row("SELECT op, sum(duration_us) OVER (ORDER BY start_us) FROM slices LIMIT 3", false);
  row("SELECT upper(op), count(*) FROM slices GROUP BY upper(op) ORDER BY 1", false);
  row("SELECT op, count(*) FROM slices WHERE duration_us > (SELECT avg(self_us) * 1.5 FROM slices) GROUP BY op ORDER BY op");
  row("WITH slices AS (SELECT 1 AS op) SELECT op, count(*) FROM slices GROUP BY op", false);
  row("SELECT a.op, count(*) FROM slices a JOIN slices b ON a.name = b.name GROUP BY a.op ORDER BY 1", false);
}

void TestQuery::aggregatesOnColumnsAreThoseOfSqlite() {
  QFETCH(QString, sql);
  QFETCH(bool, grouped);
  const auto database = newDatabase();
  database->addTrace("one", madeUpTrace(300));
  database->addTrace("two", madeUpTrace(100));
  QueryOptions plain;
  plain.columns = false;
  const auto result = database->run(sql.toStdString());
  QVERIFY2(result.ok(), result.ok() ? "" : result.error().message.c_str());
  QCOMPARE(result->grouped, grouped);
  QVERIFY(!result->rows.empty());
  QCOMPARE(QString::fromStdString(ask(*database, sql.toStdString())), QString::fromStdString(ask(*database, sql.toStdString(), plain)));
  const auto slow = database->run(sql.toStdString(), plain);
  for (size_t i = 0; i < slow->columns.size(); ++i) QCOMPARE(result->columns[i].name, slow->columns[i].name);
}

void TestQuery::madeUpAggregatesAgree() {
  const auto database = newDatabase();
  database->addTrace("one", madeUpTrace(400));
  std::mt19937 random(11);
  const auto pick = [&](std::vector<std::string> words) { return words[random() % words.size()]; };
  QueryOptions plain;
  plain.columns = false;
  int grouped = 0;
  for (int n = 0; n < 200; ++n) {
    const std::string number = pick({"duration_us", "bytes", "start_us", "self_us + bytes", "-duration_us", "bytes / 1000", "abs(duration_us - 0.5)"});
    const std::string key =
        pick({"op", "name", "scope", "track", "bytes", "bytes / 2048", "cast(start_us AS integer) % 7", "op, track", "scope, bytes", "node"});
    const std::string test =
        pick({"duration_us > 0.5", "op = 'Op2'", "op <> 'Op2'", "name GLOB '*node1*'", "name NOT LIKE '%5'", "NOT bytes", "op IS NULL", "op NOT NULL",
              "name REGEXP 'node[3-6]$'", "bytes = 1024 OR op = 'Op1'", "flops IS NULL", "name >= 'scope1/'", "op NOT IN ('Op1', 'Op4')"});
    const std::string aggregates =
        pick({"count(*)", "sum(N)", "avg(N), max(N)", "min(N), start_us", "total(N) * 2", "median(N)", "stddev(N), count(N)", "max(N) - min(N)"});
    std::string sql = "SELECT " + key + ", " + aggregates + " FROM slices WHERE " + test +
                      (n % 3 ? "" : " AND " + pick({"duration_us < 0.9", "track = 'stream'"})) + " GROUP BY " + key + " ORDER BY " + key;
    for (size_t at = sql.find("N)"); at != sql.npos; at = sql.find("N)", at + number.size())) sql.replace(at, 1, number);
    const auto result = database->run(sql);
    QVERIFY2(result.ok(), sql.c_str());
    grouped += result->grouped;
    const std::string fast = ask(*database, sql), slow = ask(*database, sql, plain);
    QVERIFY2(fast == slow, (sql + "\n" + fast + "\n" + slow).c_str());
  }
  QVERIFY2(grouped > 190, qPrintable(QString::number(grouped)));
}

void TestQuery::ordersAndConditionsAreThoseOfSqlite() {
  const auto database = newDatabase();
  database->addTrace("one", madeUpTrace(20000));
  // SQLite sorts and tests itself where the column is hidden in an expression.
  for (const auto& [fast, slow] : std::vector<std::pair<std::string, std::string>>{
           {"SELECT duration_us FROM slices ORDER BY duration_us DESC LIMIT 30", "SELECT duration_us FROM slices ORDER BY duration_us + 0 DESC LIMIT 30"},
           {"SELECT op FROM slices ORDER BY op LIMIT 9000", "SELECT op FROM slices ORDER BY op || '' LIMIT 9000"},
           {"SELECT start_us FROM slices WHERE duration_us BETWEEN 0.2 AND 0.3 AND op = 'Op1' ORDER BY start_us DESC",
            "SELECT start_us FROM slices WHERE +duration_us BETWEEN 0.2 AND 0.3 AND +op = 'Op1' ORDER BY +start_us DESC"},
           {"SELECT count(*) FROM slices a WHERE EXISTS (SELECT 1 FROM slices b WHERE b.start_us = a.start_us + 1 AND b.op = a.op)",
            "SELECT count(*) FROM slices a WHERE EXISTS (SELECT 1 FROM slices b WHERE b.start_us = a.start_us + 1 AND +b.op = a.op)"},
           {"SELECT count(*) FROM slices WHERE name LIKE '%NODE1' AND bytes >= '1024'",
            "SELECT count(*) FROM slices WHERE +name LIKE '%NODE1' AND +bytes >= 1024"}}) {
    QueryOptions all;
    all.limit = 0;
    QCOMPARE(QString::fromStdString(ask(*database, fast, all)), QString::fromStdString(ask(*database, slow, all)));
  }
}

void TestQuery::onlyReading_data() {
  QTest::addColumn<QString>("sql");
  for (const char* sql : {"DELETE FROM nodes", "CREATE TABLE t(x)", "CREATE TEMP VIEW v AS SELECT 1", "ATTACH '/tmp/x.db' AS x", "PRAGMA journal_mode=WAL",
                          "PRAGMA writable_schema=1", "INSERT INTO nodes(name) VALUES ('x')", "DROP TABLE nodes", "VACUUM INTO '/tmp/x.db'", "BEGIN",
                          "SELECT load_extension('x')", "WITH a AS (SELECT 1) INSERT INTO nodes(name) SELECT * FROM a"})
    QTest::newRow(sql) << QString(sql);
}

void TestQuery::onlyReading() {
  QFETCH(QString, sql);
  const auto database = newDatabase();
  database->addGraph("small", smallGraph());
  const auto result = database->run(sql.toStdString());
  QVERIFY(!result.ok());
  QCOMPARE(result.error().code, Code::PermissionDenied);
  QVERIFY2(result.error().message.find("queries only read") == 0, result.error().message.c_str());
  ASK("SELECT count(*) FROM nodes", "5");
}

void TestQuery::mistakesNameWhatWasMeant_data() {
  QTest::addColumn<QString>("sql");
  QTest::addColumn<QString>("words");
  const auto row = [](const char* sql, const char* words) { QTest::newRow(sql) << QString(sql) << QString(words); };
  row("SELECT durration FROM slices", "there is no column 'durration' in slices; did you mean 'duration_us'? (at character 8)");
  row("SELECT n.nam FROM nodes n", "there is no column 'n.nam' in nodes; did you mean 'name'? (at character 8)");
  row("SELECT * FROM node", "there is no table 'node'; did you mean 'nodes'?");
  row("SELECT medain(bytes) FROM nodes", "there is no function 'medain'; did you mean 'median'? (at character 8)");
  row("SELECT qwertyuiop FROM files", "there is no column 'qwertyuiop' in files; the columns are path, name, kind, title, bytes, modified (at character 8)");
  row("SELECT FROM nodes", "near \"FROM\": syntax error (at character 8)");
  row("SELECT 1; SELECT 2", "expected one statement, got several");
  row("-- nothing", "expected a SELECT, got nothing");
  row("SELECT * FROM nodes WHERE name = ?1", "the query has a parameter, ?1, that nothing gives a value");
  row("SELECT name FROM nodes WHERE name REGEXP '('", "the pattern of regexp is wrong: missing ): (");
  row("SELECT percentile(bytes, 200) FROM nodes", "percentile(x, p) needs a p from 0 to 100");
}

void TestQuery::mistakesNameWhatWasMeant() {
  QFETCH(QString, sql);
  QFETCH(QString, words);
  const auto database = newDatabase();
  database->addGraph("small", smallGraph());
  database->addTrace("one", madeUpTrace(10));
  const auto result = database->run(sql.toStdString());
  QVERIFY(!result.ok());
  QCOMPARE(QString::fromStdString(result.error().message), words);
  QCOMPARE(result.error().code, Code::InvalidArgument);
}

void TestQuery::endlessQueriesStop() {
  const auto database = newDatabase();
  database->addTrace("one", madeUpTrace(3000));
  for (const char* sql : {"WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c",
                          "SELECT count(*) FROM slices a, slices b, slices c WHERE a.duration_us + b.duration_us < c.duration_us",
                          "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT x FROM c"}) {
    QueryOptions options;
    options.limit = 0;
    int asked = 0;
    options.progress = [&](int64_t) { return ++asked < 3; };
    const auto result = database->run(sql, options);
    QVERIFY(!result.ok());
    QCOMPARE(result.error().code, Code::Cancelled);
  }
  ASK("SELECT 1 + 1", "2");  // and the database can be asked again
}

void TestQuery::moreRowsThanTheLimitAreSaid() {
  const auto database = newDatabase();
  database->addGraph("small", smallGraph());
  QueryOptions options;
  for (const auto& [limit, rows, more] : std::vector<std::tuple<int, size_t, bool>>{{4, 4, true}, {5, 5, false}, {0, 5, false}}) {
    options.limit = limit;
    const auto result = database->run("SELECT name FROM nodes", options);
    QVERIFY(result.ok());
    QCOMPARE(result->rows.size(), rows);
    QCOMPARE(result->more, more);
  }
}

void TestQuery::filesThatCannotBeReadAreNamed() {
  QTemporaryDir folder;
  const auto database = newDatabase();
  const Status missing = database->addPath(folder.filePath("nothing").toStdString());
  QVERIFY(!missing.ok());
  QCOMPARE(missing.code(), Code::NotFound);
  QFile text(folder.filePath("notes.txt"));
  QVERIFY(text.open(QIODevice::WriteOnly));
  text.write("hello\n");
  text.close();
  const Status useless = database->addPath(text.fileName().toStdString());
  QVERIFY(!useless.ok());
  QCOMPARE(useless.error().file, text.fileName().toStdString());
  // A damaged file is an error of the query that needs it, and only of that.
  const std::string prefix = folder.filePath("model").toStdString();
  {
    auto writer = CheckpointWriter::create(prefix);
    QVERIFY(writer.ok());
    VERIFY_OK((*writer)->add("w", Tensor::of(std::vector<float>{1}, Shape({1}))));
    VERIFY_OK((*writer)->finish());
  }
  const auto damaged = newDatabase();
  VERIFY_OK(damaged->addPath(prefix));
  QFile index(QString::fromStdString(prefix + ".index"));
  QVERIFY(index.resize(index.size() / 2));
  const auto result = damaged->run("SELECT * FROM tensors");
  QVERIFY(!result.ok());
  QVERIFY2(result.error().file.find("model") != std::string::npos, result.error().toString().c_str());
  QCOMPARE(QString::fromStdString(ask(*damaged, "SELECT count(*) FROM nodes")), QStringLiteral("0"));
}

void TestQuery::examplesRun() {
  const auto database = newDatabase();
  database->addGraph("small", smallGraph());
  database->addTrace("one", madeUpTrace(50));
  for (const QueryExample& e : queryExamples()) {
    const auto result = database->run(e.sql);
    QVERIFY2(result.ok(), result.ok() ? "" : (std::string(e.sql) + ": " + result.error().message).c_str());
    const auto tables = queryTables();
    QVERIFY(std::any_of(tables.begin(), tables.end(), [&](const QueryTable& t) { return std::string_view(t.name) == e.table; }));
  }
}

void TestQuery::resultsAsText() {
  const auto database = newDatabase();
  const auto result = database->run("SELECT 'a,\"b\"' AS x, 1 AS x, 1.5 AS y, NULL AS z, 9e999 AS inf");
  QVERIFY(result.ok());
  QCOMPARE(toCsv(*result), "x,x,y,z,inf\n\"a,\"\"b\"\"\",1,1.5,,Infinity\n");
  const QJsonObject json = QJsonDocument::fromJson(QByteArray::fromStdString(toJson(*result))).object();
  const QJsonObject row = json["rows"].toArray()[0].toObject();
  QCOMPARE(row["x"].toString(), QStringLiteral("a,\"b\""));
  QCOMPARE(row["x_2"].toInt(), 1);
  QCOMPARE(row["y"].toDouble(), 1.5);
  QVERIFY(row["z"].isNull());
  QCOMPARE(row["inf"].toString(), QStringLiteral("Infinity"));
  QCOMPARE(json["more"].toBool(), false);
}

QTEST_GUILESS_MAIN(TestQuery)
#include "tst_query.moc"
