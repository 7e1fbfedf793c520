// Files of profilers and of TensorFlow's debugger: what they hold, and that what is written is read again.
#include <QtTest>
#include <chrono>
#include <nlohmann/json.hpp>
#include <random>

#include "memory_files.h"
#include "support/graph_text.h"
#include "weft/debug_dump.h"
#include "weft/file_kinds.h"
#include "weft/inspect.h"
#include "weft/profile.h"
#include "weft/records.h"
#include "weft/session.h"

using namespace weft;
using weft::tests::attr;
using weft::tests::node;
using Json = nlohmann::json;

namespace {
const std::string kProfiles = std::string(WEFT_SOURCE_DIR) + "/tests/golden/files/profiles/";
const std::string kDump = std::string(WEFT_SOURCE_DIR) + "/tests/golden/files/tfdbg/session/run_1500000000000001_1";

std::string contentOf(const std::string& path) {
  auto bytes = posixFileSystem().readAll(path);
  return bytes.ok() ? *bytes : std::string();
}

/// The report of bytes in memory.
Inspection inspectBytes(const std::string& name, const std::string& bytes) {
  MemoryFiles files;
  files.files[name] = std::make_shared<std::string>(bytes);
  InspectOptions options;
  options.files = &files;
  return inspectPath(name, options);
}

/// Two nodes in scopes, one of them with lines of a program; the first runs twice.
Trace smallTrace() {
  Trace trace;
  trace.title = "small";
  trace.startUnixUs = 1500000000000000;
  const int track = trace.track("/job:localhost/replica:0/task:0/device:CPU:0", "thread 1");
  const auto add = [&](const char* name, const char* op, int64_t start, int64_t duration, int64_t bytes) {
    TraceSlice s;
    s.startNs = start, s.durationNs = duration, s.bytes = bytes, s.track = track;
    s.name = trace.intern(name), s.op = trace.intern(op);
    trace.slices.push_back(s);
  };
  add("layer/dense/MatMul", "MatMul", 0, 5000, 400);
  add("layer/dense/MatMul", "MatMul", 6000, 3000, 400);
  add("train/Adam", "ApplyAdam", 10000, 2000, 0);
  trace.nodes["layer/dense/MatMul"].flops = 1000;
  trace.nodes["train/Adam"].code = {{"train.py", "main", "minimize(loss)", 12}, {"optimizer.py", "minimize", "apply()", 34}};
  trace.finish();
  return trace;
}

int64_t totalOf(const Json& report, const char* type) {
  for (const Json& t : report["sample_types"])
    if (t["type"] == type) return t["total"];
  return -1;
}

Json functionNamed(const Json& report, const std::string& name) {
  for (const Json& f : report["top_functions"])
    if (f["name"] == name) return f;
  return Json::object();
}
}  // namespace

class ProfileFilesTest : public QObject {
  Q_OBJECT

 private slots:
  void xplaneIsATrace() {
    const auto trace = readTrace(kProfiles + "tf2.xplane.pb");
    QVERIFY2(trace.ok(), trace.ok() ? "" : trace.error().toString().c_str());
    QCOMPARE(trace->slices.size(), size_t(81));  // as xplane_pb2 counts them
    QCOMPARE(trace->tracks.size(), size_t(2));
    QCOMPARE(trace->tracks[0].device, std::string("/host:CPU"));
    QCOMPARE(trace->steps.size(), size_t(3));
    int products = 0;
    for (const TraceSlice& s : trace->slices) products += trace->nameOf(s) == "MatMul" && trace->opOf(s) == "_MklMatMul";
    QCOMPARE(products, 3);  // one in each step
    QVERIFY(trace->problems.empty());
  }

  void xplaneReportCounts() {
    const Inspection found = inspectPath(kProfiles + "tf2.xplane.pb");
    QVERIFY(found.status.ok());
    QCOMPARE(found.kind, std::string("xplane"));
    const Json report = Json::parse(found.json);
    QCOMPARE(report["events"].get<int>(), 81);
    QCOMPARE(report["lines"].get<int>(), 2);
    QCOMPARE(report["planes"][0]["name"].get<std::string>(), std::string("/host:CPU"));
    QCOMPARE(report["hosts"][0].get<std::string>(), std::string("vm"));
    // The content tells, whatever the name.
    QCOMPARE(inspectBytes("renamed", contentOf(kProfiles + "tf2.xplane.pb")).kind, std::string("xplane"));
  }

  void cutXplaneKeepsWholeLines() {
    const std::string whole = contentOf(kProfiles + "tf2.xplane.pb");
    const auto trace = readTraceBytes(std::string_view(whole).substr(0, whole.size() * 9 / 10), "cut");
    QVERIFY2(trace.ok(), trace.ok() ? "" : trace.error().toString().c_str());
    QVERIFY(!trace->slices.empty());
    QVERIFY(trace->problems[0].kind == TraceProblem::Kind::Truncated);
  }

  void profileOfAnotherProgramIsReported() {
    const Inspection found = inspectPath(kProfiles + "go_heap.pb.gz");
    QVERIFY2(found.status.ok(), found.json.c_str());
    QCOMPARE(found.kind, std::string("pprof"));
    const Json report = Json::parse(found.json);
    QCOMPARE(report["sample_types"].size(), size_t(4));
    QCOMPARE(report["default_type"].get<std::string>(), std::string("inuse_space"));
    // As `pprof -top` shows it: 832 kB of main.leaf, which main.outer called.
    QCOMPARE(functionNamed(report, "main.leaf")["flat"].get<int64_t>(), int64_t(832 * 1024));
    QCOMPARE(functionNamed(report, "main.outer")["flat"].get<int64_t>(), int64_t(0));
    QCOMPARE(functionNamed(report, "main.outer")["cumulative"].get<int64_t>(), int64_t(832 * 1024));
  }

  void profileHasNoTimes() {
    const auto trace = readTrace(kProfiles + "go_heap.pb.gz");
    QVERIFY(!trace.ok());
    QVERIFY2(trace.error().message.find("not when anything ran") != std::string::npos, trace.error().message.c_str());
  }

  void writtenProfileHasTheTracesNumbers() {
    const auto bytes = toPprof(smallTrace());
    QVERIFY(bytes.ok());
    const Inspection found = inspectBytes("small.pprof", *bytes);
    QVERIFY2(found.status.ok(), found.json.c_str());
    QCOMPARE(found.kind, std::string("pprof"));
    const Json report = Json::parse(found.json);
    QCOMPARE(report["samples"].get<int>(), 2);
    QCOMPARE(totalOf(report, "count"), int64_t(3));
    QCOMPARE(totalOf(report, "time"), int64_t(10000));
    QCOMPARE(totalOf(report, "memory"), int64_t(800));
    QCOMPARE(totalOf(report, "flops"), int64_t(2000));
    QCOMPARE(report["default_type"].get<std::string>(), std::string("time"));
    // Scopes are the stack of one node, lines of the program that of the other.
    QCOMPARE(functionNamed(report, "layer/dense/")["cumulative"].get<int64_t>(), int64_t(8000));
    QCOMPARE(functionNamed(report, "minimize")["cumulative"].get<int64_t>(), int64_t(2000));
    QCOMPARE(functionNamed(report, "train/Adam")["flat"].get<int64_t>(), int64_t(2000));
    QVERIFY(functionNamed(report, "train/").empty());
  }

  void profileOfTfprofIsReadAgain() {
    const Trace before = smallTrace();
    const std::string bytes = toTfprof(before);
    QCOMPARE(inspectBytes("p", bytes).kind, std::string("tfprof"));
    const auto after = readTraceBytes(bytes, "p");
    QVERIFY2(after.ok(), after.ok() ? "" : after.error().toString().c_str());
    QCOMPARE(after->slices.size(), before.slices.size());
    for (size_t i = 0; i < before.slices.size(); ++i) {
      QCOMPARE(after->nameOf(after->slices[i]), before.nameOf(before.slices[i]));
      QCOMPARE(after->slices[i].durationNs, before.slices[i].durationNs);
    }
    QCOMPARE(after->node("layer/dense/MatMul")->flops, 1000.0);
    QCOMPARE(after->node("train/Adam")->code[1].function, std::string("minimize"));
    const Inspection log = inspectBytes("l", toOpLog(before));
    QCOMPARE(log.kind, std::string("tfprof_oplog"));
    QCOMPARE(Json::parse(log.json)["entries"].get<int>(), 2);
  }

  void endingsNameTheFormat() {
    QTemporaryDir folder;
    const auto kindOf = [&](const char* name) {
      const std::string path = folder.filePath(name).toStdString();
      const Status saved = saveTrace(smallTrace(), path);
      return saved.ok() ? inspectPath(path).kind : saved.error().toString();
    };
    QCOMPARE(kindOf("t.json"), std::string("trace"));
    QCOMPARE(kindOf("t.pb"), std::string("run_metadata"));
    QCOMPARE(kindOf("t.pb.gz"), std::string("pprof"));
    QCOMPARE(kindOf("t.PPROF"), std::string("pprof"));
    QCOMPARE(kindOf("t.profile"), std::string("tfprof"));
    QCOMPARE(kindOf("t.op_log"), std::string("tfprof_oplog"));
    const Status empty = saveTrace({}, folder.filePath("empty.op_log").toStdString());
    QVERIFY2(!empty.ok() && empty.error().message.find("would be empty") != std::string::npos, "no file without contents");
    for (const char* other : {"t.txt", "t.xplane.pb"}) QVERIFY2(kindOf(other).find("not with another ending") != std::string::npos, other);
  }

  void compressedTracesAreRead() {
    QTemporaryDir folder;
    const std::string path = folder.filePath("t.json").toStdString();
    const std::string json = toChromeJson(smallTrace());
    QVERIFY(looksLikeTrace(json.substr(0, 4096)));
    QProcess gzip;
    QVERIFY(posixFileSystem().writeAtomically(path, json).ok());
    gzip.start("gzip", {QString::fromStdString(path)});
    QVERIFY(gzip.waitForFinished());
    const auto trace = readTrace(path + ".gz");
    QVERIFY2(trace.ok(), trace.ok() ? "" : trace.error().toString().c_str());
    QCOMPARE(trace->slices.size(), size_t(3));
  }

  void dumpedTensorsHaveTheirValues() {
    const auto dump = DebugDump::open(kDump);
    QVERIFY2(dump.ok(), dump.ok() ? "" : dump.error().toString().c_str());
    const auto arrays = readArrays(kDump);
    QVERIFY2(arrays.ok(), arrays.ok() ? "" : arrays.error().toString().c_str());
    const auto both = std::find_if(arrays->begin(), arrays->end(), [](const auto& a) { return a.first == "both:0"; });
    QVERIFY(both != arrays->end());
    QCOMPARE(both->second.shape().toString(), (Shape{2, 2}).toString());
    // The loop's tensors were dumped once in each iteration, under different names.
    std::set<std::string> names;
    for (const auto& [name, value] : *arrays) names.insert(name);
    QCOMPARE(names.size(), arrays->size());
    QVERIFY(names.count("loop/mul:0 #2"));
    for (size_t i = 1; i < dump->tensors().size(); ++i) QVERIFY(dump->tensors()[i - 1].micros <= dump->tensors()[i].micros);
  }

  void writtenDumpIsReadAgain() {
    QTemporaryDir folder;
    const std::string path = folder.filePath("dump").toStdString();
    const std::string graph =
        node("x", "Placeholder", {}, attr("dtype", "type: DT_FLOAT")) +
        node("k", "Const", {}, attr("dtype", "type: DT_FLOAT") + attr("value", "tensor { dtype: DT_FLOAT tensor_shape {} float_val: 3 }")) +
        node("layer/y", "Mul", {"x", "k"}, attr("T", "type: DT_FLOAT"));
    const auto loaded = loadGraphBytes(std::make_shared<const std::string>(graph), "test");
    QVERIFY(loaded.ok());
    auto session = Session::create(loaded->meta.graph);
    QVERIFY(session.ok());
    const auto placements = (*session)->placements();
    QVERIFY(placements.ok());
    DumpWriter writer(path, *placements);
    QVERIFY(writer.begin().ok());
    RunOptions options;
    options.controller = &writer;
    const auto out = (*session)->run({{"x:0", Tensor::vector(std::vector<float>{1, 2})}}, {"layer/y:0"}, {}, options);
    QVERIFY2(out.ok(), out.ok() ? "" : out.error().toString().c_str());
    QVERIFY(writer.finish({"x:0"}, {"layer/y:0"}, {}).ok());
    QCOMPARE(writer.dumps(), int64_t(3));
    const auto arrays = readArrays(path);
    QVERIFY2(arrays.ok(), arrays.ok() ? "" : arrays.error().toString().c_str());
    std::map<std::string, Tensor> byName(arrays->begin(), arrays->end());
    QCOMPARE(byName.size(), size_t(3));
    QCOMPARE(byName["x:0"].data<float>()[1], 2.0f);
    QCOMPARE(byName["layer/y:0"].data<float>()[1], 6.0f);
    QCOMPARE(inspectPath(path).kind, std::string("tfdbg_dump"));
    // What a killed process did not finish is no tensor.
    QVERIFY(!posixFileSystem().exists(joinPath(path, "_tfdbg_unfinished")));
    QVERIFY(posixFileSystem().writeAtomically(joinPath(path, "_tfdbg_unfinished"), "half of a").ok());
    QVERIFY(readArrays(path).ok() && inspectPath(path).status.ok());
    // A second step would be mixed up with it.
    DumpWriter again(path, *placements);
    QVERIFY(again.begin().error().message.find("holds a dump already") != std::string::npos);
  }

  void manyTinyEntriesAreRefused() {
    std::string bytes("\x0A\x02\x08\x01", 4);
    for (int i = 0; i < 4'000'001; ++i) bytes += std::string("\x12\x00", 2);
    const Inspection found = inspectBytes("tiny.pprof", bytes);
    QCOMPARE(found.status.error().kind, std::string("too_large"));
  }

  void referencesAreChecked() {
    // A type whose text is number 9 of none.
    const Inspection found = inspectBytes("bad.pprof", std::string("\x0A\x02\x08\x09", 4));
    QCOMPARE(found.kind, std::string("pprof"));
    QVERIFY2(found.status.error().message.find("text 9") != std::string::npos, found.json.c_str());
  }

  void damagedFilesAreRefusedOrRead_data() {
    QTest::addColumn<QString>("file");
    for (const char* file : {"tf2.xplane.pb", "go_heap.pb.gz", "inflated"}) QTest::newRow(file) << file;
  }
  void damagedFilesAreRefusedOrRead() {
    QFETCH(QString, file);
    const std::string name = file.toStdString();
    std::string whole = contentOf(kProfiles + name);
    if (name == "inflated") whole = *ByteStream::over(contentOf(kProfiles + "go_heap.pb.gz"), Compression::Gzip)->readAll();
    QVERIFY(!whole.empty());
    for (size_t size = 1; size < whole.size(); ++size) check(name, whole.substr(0, size), int(size));
    std::mt19937 random(11);
    for (int round = 0; round < 2000; ++round) check(name, damaged(whole, random), round);
  }

  void damagedDumpsAreRefusedOrRead() {
    const std::string file = "d/_tfdbg_device_,job_localhost,replica_0,task_0,device_CPU_0/both_0_DebugIdentity_1795256782840311";
    const std::string whole = contentOf(kDump + file.substr(1));
    QVERIFY(!whole.empty());
    std::mt19937 random(13);
    for (int round = 0; round < 2000 + int(whole.size()); ++round) {
      QTemporaryDir folder;
      const std::string path = folder.filePath(QString::fromStdString(file)).toStdString();
      QVERIFY(posixFileSystem().makeFolders(folderOf(path)).ok());
      const std::string bytes = round < 2000 ? damaged(whole, random) : whole.substr(0, size_t(round - 2000));
      auto out = posixFileSystem().create(path);
      QVERIFY(out.ok() && (*out)->append(bytes).ok() && (*out)->close().ok());
      const auto start = std::chrono::steady_clock::now();
      const auto arrays = readArrays(folder.filePath("d").toStdString());
      const Inspection found = inspectPath(folder.filePath("d").toStdString());
      QVERIFY(std::chrono::steady_clock::now() - start < std::chrono::seconds(2));
      if (!arrays.ok()) QVERIFY2(oneLine(arrays.error().message), arrays.error().message.c_str());
      if (!found.status.ok()) QVERIFY2(oneLine(found.status.error().message), found.status.error().message.c_str());
    }
  }

 private:
  static bool oneLine(const std::string& message) { return !message.empty() && message.find('\n') == std::string::npos; }

  static std::string damaged(std::string bytes, std::mt19937& random) {
    for (unsigned k = 0; k <= random() % 4; ++k) bytes[random() % bytes.size()] = char(random() % 3 ? random() : random() % 2 ? 0xff : 0);
    return bytes;
  }

  /// One line, in time, or an answer: of the report and of the trace.
  static void check(const std::string& name, const std::string& bytes, int round) {
    const auto start = std::chrono::steady_clock::now();
    const Inspection found = inspectBytes(name, bytes);
    const auto trace = readTraceBytes(bytes, name);
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    QVERIFY2(seconds < 2, qPrintable(QStringLiteral("round %1 took %2 s").arg(round).arg(seconds)));
    if (!found.status.ok()) QVERIFY2(oneLine(found.status.error().message), found.status.error().message.c_str());
    if (!trace.ok()) QVERIFY2(oneLine(trace.error().message), trace.error().message.c_str());
  }
};

QTEST_GUILESS_MAIN(ProfileFilesTest)
#include "tst_profile_files.moc"
