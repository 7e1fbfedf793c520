// Traces: reading whole and damaged ones, nesting, views, memory, advice, writing.
#include <QtTest>

#include "weft/builder.h"
#include "weft/plan_report.h"
#include "weft/profile.h"
#include "weft/profile_views.h"
#include "weft/session.h"

using namespace weft;

class TestProfile : public QObject {
  Q_OBJECT

 private slots:
  void chromeTrace();
  void timesKeepTheirNanoseconds();
  void beginAndEnd();
  void badChrome_data();
  void badChrome();
  void overlapsKeepTheirTimes();
  void statedNumbersHaveBounds();
  void deepNamesAndLongChains();
  void ofASession();
  void metadataAndBack();
  void hostTrackRepeatsItsDevice();
  void cutMetadata();
  void notATrace_data();
  void notATrace();
  void viewsAddUp();
  void filters();
  void memoryIsExplained();
  void gpusAreTimedByTheirKernels();
  void gpusWithoutAKernelForAnOp();
  void criticalPathFollowsInputs();
  void adviceNamesNodes();
  void comparison();
  void plansTellOfThemselves();
};

namespace {

Result<Trace> read(const std::string& bytes) { return readTraceBytes(bytes, "trace"); }

bool hasProblem(const Trace& trace, TraceProblem::Kind kind) {
  return std::any_of(trace.problems.begin(), trace.problems.end(), [&](const TraceProblem& p) { return p.kind == kind; });
}

std::string x(const char* node, const char* op, int tid, double ts, double dur, const char* input = nullptr) {
  return std::string("{\"ph\":\"X\",\"cat\":\"Op\",\"pid\":1,\"tid\":") + std::to_string(tid) + ",\"name\":\"" + op + "\",\"ts\":" + std::to_string(ts) +
         ",\"dur\":" + std::to_string(dur) + ",\"args\":{\"name\":\"" + node + "\",\"op\":\"" + op + "\"" +
         (input ? std::string(",\"input0\":\"") + input + "\"" : std::string()) + "}}";
}

std::string list(std::initializer_list<std::string> events) {
  std::string out;
  for (const std::string& e : events) out += (out.empty() ? "" : ",") + e;
  return "{\"traceEvents\":[" + out + "]}";
}

const TraceSlice* find(const Trace& trace, const std::string& name) {
  for (const TraceSlice& s : trace.slices) {
    if (trace.nameOf(s) == name) return &s;
  }
  return nullptr;
}

const ProfileRow* find(const ProfileTable& table, const std::string& name) {
  for (const ProfileRow& r : table.rows) {
    if (r.name == name) return &r;
  }
  return nullptr;
}

/// Two steps of y = matmul(w, w) + b, as a session records them.
Result<Trace> traced(Graph* graphOut = nullptr) {
  MetaGraph meta;
  GraphBuilder b(meta);
  const Output w = b.op("VariableV2", {}, {{"dtype", DType::Float}, {"shape", Shape{64, 64}}}, "layer/w");
  const Output bias = b.constant(Tensor::zeros(DType::Float, {64}), "layer/b");
  const Output product = b.op("MatMul", {w, w}, {}, "layer/MatMul");
  const Output y = b.op("BiasAdd", {product, bias}, {}, "layer/y");
  const Output out = b.op("Relu", {y}, {}, "out");
  WEFT_TRY(b.status());
  WEFT_LET(auto session, Session::create(meta.graph));
  WEFT_TRY(session->setVariable("layer/w", Tensor::zeros(DType::Float, {64, 64})));
  std::vector<std::shared_ptr<StepTrace>> steps;
  for (int i = 0; i < 2; ++i) {
    RunOptions options;
    options.trace = true;
    RunReport report;
    WEFT_TRY(session->run({}, {"out:0"}, {}, options, &report).status());
    steps.push_back(report.trace);
  }
  (void)out;
  if (graphOut) *graphOut = meta.graph;
  return traceOfSteps(steps, meta.graph, 5);
}

}  // namespace

void TestProfile::chromeTrace() {
  const auto trace = read(
      R"({"traceEvents":[{"ph":"X","cat":"Op","name":"Add","pid":1,"tid":0,"ts":10,"dur":5,"args":{"name":"a/add","op":"Add","input0":"w:1","input1":"^c"}},
      {"ph":"C","cat":"Memory","name":"cpu","pid":0,"ts":12,"args":{"cpu":1024}},
      {"name":"process_name","ph":"M","pid":1,"args":{"name":"/device:CPU:0 Compute"}}],"displayTimeUnit":"ms"})");
  QVERIFY2(trace.ok(), trace.ok() ? "" : trace.error().toString().c_str());
  QCOMPARE(trace->slices.size(), size_t(1));
  QCOMPARE(trace->nameOf(trace->slices[0]), std::string("a/add"));
  QCOMPARE(trace->opOf(trace->slices[0]), std::string("Add"));
  QCOMPARE(trace->slices[0].durationNs, int64_t(5000));
  QCOMPARE(trace->tracks[0].device, std::string("/device:CPU:0"));
  QCOMPARE(trace->node("a/add")->inputs, std::vector<std::string>{"w"});
  QCOMPARE(trace->counters.size(), size_t(1));
  QCOMPARE(trace->counters[0].points[0].second, 1024.0);
  QVERIFY(trace->problems.empty());
}

void TestProfile::timesKeepTheirNanoseconds() {
  const auto trace = read(
      R"([{"ph":"X","name":"a","pid":1,"tid":1,"ts":1795275672042276.261,"dur":0.123},{"ph":"X","name":"b","pid":1,"tid":1,"ts":1795275672042277,"dur":1e1}])");
  QVERIFY(trace.ok());
  QCOMPARE(trace->slices[0].durationNs, int64_t(123));
  QCOMPARE(trace->slices[1].startNs, int64_t(739));
  QCOMPARE(trace->slices[1].durationNs, int64_t(10000));
}

void TestProfile::beginAndEnd() {
  const auto trace = read(R"([{"ph":"B","name":"outer","pid":"p","tid":"t","ts":0},{"ph":"B","name":"inner","pid":"p","tid":"t","ts":2},
      {"ph":"E","pid":"p","tid":"t","ts":5},{"ph":"E","pid":"p","tid":"t","ts":10},{"ph":"E","pid":"p","tid":"t","ts":11},{"ph":"B","name":"open","pid":"p","tid":"t","ts":12},
      {"ph":"i","name":"now","pid":"p","tid":"u","ts":20}])");
  QVERIFY(trace.ok());
  QCOMPARE(find(*trace, "outer")->selfNs, int64_t(7000));
  QCOMPARE(find(*trace, "inner")->depth, 1);
  QCOMPARE(find(*trace, "open")->durationNs, int64_t(8000));
  QVERIFY(hasProblem(*trace, TraceProblem::Kind::Unmatched));
}

void TestProfile::badChrome_data() {
  QTest::addColumn<QByteArray>("json");
  QTest::addColumn<int>("slices");
  QTest::addColumn<int>("problem");
  const QByteArray whole = QByteArray::fromStdString(list({x("a", "Add", 0, 0, 5), x("b", "Mul", 0, 10, 5), x("c", "Sub", 0, 20, 5)}));
  QTest::newRow("cut in an event") << whole.left(whole.size() - 20) << 2 << int(TraceProblem::Kind::Truncated);
  QTest::newRow("cut in a string") << whole.left(whole.indexOf("Sub") + 1) << 2 << int(TraceProblem::Kind::Truncated);
  QTest::newRow("list not closed") << whole.left(whole.size() - 2) << 3 << int(TraceProblem::Kind::Truncated);
  QTest::newRow("negative duration") << QByteArray::fromStdString(list({x("a", "Add", 0, 0, -5)})) << 1 << int(TraceProblem::Kind::NegativeDuration);
  QTest::newRow("no time") << QByteArray(R"([{"ph":"X","name":"a","dur":1},{"ph":"X","name":"b","ts":1,"dur":1}])") << 1 << int(TraceProblem::Kind::Skipped);
  QTest::newRow("no duration") << QByteArray(R"([{"ph":"X","name":"b","ts":1}])") << 1 << int(TraceProblem::Kind::Skipped);
  QTest::newRow("unknown phase") << QByteArray(R"([{"ph":"?","name":"b","ts":1},{"ph":"X","name":"b","ts":1,"dur":1}])") << 1
                                 << int(TraceProblem::Kind::Skipped);
}

void TestProfile::badChrome() {
  QFETCH(QByteArray, json);
  QFETCH(int, slices);
  QFETCH(int, problem);
  const auto trace = read(json.toStdString());
  QVERIFY2(trace.ok(), trace.ok() ? "" : trace.error().toString().c_str());
  QCOMPARE(int(trace->slices.size()), slices);
  QVERIFY(hasProblem(*trace, TraceProblem::Kind(problem)));
}

void TestProfile::overlapsKeepTheirTimes() {
  // A chain in which each begins before the one before it ended: two rows are enough for any length.
  Trace trace;
  const int track = trace.track("CPU", "t");
  for (int i = 0; i < 1000; ++i) {
    TraceSlice s;
    s.startNs = 10 * i;
    s.durationNs = 15;
    s.track = track;
    s.name = trace.intern("s" + std::to_string(i));
    trace.slices.push_back(s);
  }
  trace.finish();
  QCOMPARE(trace.tracks[0].rows, 2);
  QVERIFY(hasProblem(trace, TraceProblem::Kind::Overlap));
  for (const TraceSlice& s : trace.slices) QCOMPARE(s.selfNs, int64_t(15));
}

void TestProfile::ofASession() {
  const auto trace = traced();
  QVERIFY2(trace.ok(), trace.ok() ? "" : trace.error().toString().c_str());
  QCOMPARE(trace->steps.size(), size_t(2));
  QCOMPARE(trace->steps[1].number, int64_t(6));
  const TraceNode* product = trace->node("layer/MatMul");
  QVERIFY(product);
  QCOMPARE(product->flops, 2.0 * 64 * 64 * 64);
  QVERIFY(trace->steps[0].endNs <= trace->steps[1].startNs);
}

void TestProfile::metadataAndBack() {
  const auto trace = traced();
  QVERIFY(trace.ok());
  for (const std::string& bytes : {toRunMetadata(*trace), toChromeJson(*trace)}) {
    const auto again = read(bytes);
    QVERIFY2(again.ok(), again.ok() ? "" : again.error().toString().c_str());
    QCOMPARE(again->slices.size(), trace->slices.size());
    QVERIFY(again->problems.empty());
    for (size_t i = 0; i < trace->slices.size(); ++i) {
      QCOMPARE(again->nameOf(again->slices[i]), trace->nameOf(trace->slices[i]));
      QCOMPARE(again->slices[i].startNs, trace->slices[i].startNs);
      QCOMPARE(again->slices[i].durationNs, trace->slices[i].durationNs);
      QCOMPARE(again->slices[i].bytes, trace->slices[i].bytes);
    }
  }
}

// TensorFlow 1.15 lists each CPU op once more as `node:Op` of /host:CPU: it must not count twice.
void TestProfile::hostTrackRepeatsItsDevice() {
  const auto op = [](const char* name, const char* label, int at, int took) {
    return std::string("node_stats { node_name: \"") + name + "\" timeline_label: \"" + label + "\" all_start_micros: " + std::to_string(at) +
           " op_end_rel_micros: " + std::to_string(took) + " all_end_rel_micros: " + std::to_string(took) + " }\n";
  };
  const std::string device =
      "dev_stats { device: \"/job:localhost/replica:0/task:0/device:CPU:0\"\n" + op("a", "a = MatMul(x, y)", 10, 6) + op("b", "b = Add(a, a)", 20, 2) + "}\n";
  const std::string host = "dev_stats { device: \"/host:CPU\"\n" + op("a:MatMul", "id=1", 11, 5) + op("b:Add", "id=1", 20, 2) + "}\n";
  auto trace = read("step_stats {\n" + host + device + "}\n");
  QVERIFY2(trace.ok(), trace.ok() ? "" : trace.error().message.c_str());
  QCOMPARE(trace->tracks.size(), size_t(2));
  for (const TraceTrack& t : trace->tracks) QCOMPARE(t.duplicate, t.device == "/host:CPU");
  const auto table = profileTable(*trace, {});
  QVERIFY(table.ok());
  double all = 0;
  for (const ProfileRow& r : table->rows) all += r.self.selfNs;
  QCOMPARE(all, 8000.0);
  auto chrome = read(toChromeJson(*trace));
  QVERIFY(chrome.ok());
  for (const TraceTrack& t : chrome->tracks) QCOMPARE(t.duplicate, t.device == "/host:CPU");
  // Ops without an enclosing op count as separate work.
  auto alone = read("step_stats {\n" + host + "}\n");
  QVERIFY(alone.ok());
  QVERIFY(!alone->tracks[0].duplicate);
}

void TestProfile::cutMetadata() {
  const auto trace = traced();
  QVERIFY(trace.ok());
  const std::string bytes = toRunMetadata(*trace);
  size_t before = 0;
  for (size_t size = bytes.size() / 4; size < bytes.size(); size += 37) {
    const auto cut = read(bytes.substr(0, size));
    if (!cut.ok()) continue;  // not even one whole op
    QVERIFY(hasProblem(*cut, TraceProblem::Kind::Truncated));
    QVERIFY(cut->slices.size() >= before && cut->slices.size() <= trace->slices.size());
    before = cut->slices.size();
  }
  QVERIFY(before > 0);
}

void TestProfile::notATrace_data() {
  QTest::addColumn<QByteArray>("bytes");
  QTest::newRow("empty") << QByteArray();
  QTest::newRow("text") << QByteArray("hello");
  QTest::newRow("empty object") << QByteArray("{}");
  QTest::newRow("other object") << QByteArray(R"({"name": 1})");
  QTest::newRow("empty list") << QByteArray("[]");
  QTest::newRow("open list") << QByteArray("[");
  QTest::newRow("numbers") << QByteArray("[1, 2]");
  QTest::newRow("only names") << QByteArray(R"({"traceEvents":[{"ph":"M","name":"process_name","pid":1,"args":{"name":"a"}}]})");
  QTest::newRow("random") << QByteArray("\x0a\xff\xff\xff\xff\x0f\x0a\x01", 8);
}

void TestProfile::notATrace() {
  QFETCH(QByteArray, bytes);
  const auto trace = read(bytes.toStdString());
  QVERIFY(!trace.ok());
  QVERIFY(!trace.error().message.empty());
  QCOMPARE(trace.error().file, std::string("trace"));
}

void TestProfile::viewsAddUp() {
  const auto trace = traced();
  QVERIFY(trace.ok());
  for (const ProfileView view : {ProfileView::Op, ProfileView::Scope, ProfileView::Graph}) {
    ProfileOptions options;
    options.view = view;
    const auto table = profileTable(*trace, options);
    QVERIFY(table.ok());
    double sum = 0;
    for (const ProfileRow& r : table->rows) sum += r.self.selfNs;
    QVERIFY(std::abs(sum - table->all.selfNs) < 1);
    for (const ProfileRow& r : table->rows) QVERIFY(r.parent < 0 || table->rows[size_t(r.parent)].depth == r.depth - 1);
  }
  ProfileOptions scope;
  scope.view = ProfileView::Scope;
  const auto table = profileTable(*trace, scope);
  const ProfileRow* layer = find(*table, "layer");
  QVERIFY(layer && layer->self.count == 0 && layer->total.nodes >= 2);
  scope.view = ProfileView::Code;
  const auto code = profileTable(*trace, scope);
  QVERIFY(code.ok() && code->rows.empty() && !code->note.empty());
}

void TestProfile::filters() {
  const auto trace = read(list({x("a/x", "Add", 0, 0, 500), x("a/y", "Mul", 0, 500, 5), x("b", "Mul", 0, 600, 50)}));
  QVERIFY(trace.ok());
  ProfileOptions options;
  options.view = ProfileView::Scope;
  options.minMicros = 10;
  QCOMPARE(profileTable(*trace, options)->rows.size(), size_t(3));  // a, a/x, b
  options.hideNames = "a/.*";
  QCOMPARE(profileTable(*trace, options)->rows.size(), size_t(2));
  options.trimNames = "a";
  QCOMPARE(profileTable(*trace, options)->rows.size(), size_t(1));
  options = {};
  options.order = ProfileOrder::Count;
  QCOMPARE(profileTable(*trace, options)->rows[0].name, std::string("Mul"));
  options.showNames = "(";
  const auto bad = profileTable(*trace, options);
  QVERIFY(!bad.ok() && bad.error().message.find("show_name_regexes") != std::string::npos);
  options = {};
  options.step = 3;
  QVERIFY(!profileTable(*trace, options).ok());
}

void TestProfile::memoryIsExplained() {
  Trace trace;
  const int track = trace.track("CPU", "t");
  const auto add = [&](const char* name, int64_t start, int64_t bytes, std::vector<std::string> inputs, const char* op) {
    TraceSlice s;
    s.startNs = start;
    s.durationNs = 10;
    s.track = track;
    s.name = trace.intern(name);
    s.op = trace.intern(op);
    trace.tensors.push_back({int32_t(trace.slices.size()), 0, bytes, 0});
    trace.slices.push_back(s);
    trace.nodes[name].inputs = std::move(inputs);
  };
  add("a", 0, 100, {}, "Add");
  add("view", 10, 100, {"a"}, "Reshape");  // owns no memory, but keeps a's alive
  add("b", 20, 1000, {}, "Add");
  add("c", 30, 10, {"b"}, "Sum");
  add("d", 40, 1, {"view"}, "Sum");
  trace.finish();
  const auto memory = memoryTimelines(trace);
  QCOMPARE(memory.size(), size_t(1));
  QCOMPARE(memory[0].peakBytes, int64_t(1110));
  QCOMPARE(memory[0].atPeak.size(), size_t(3));
  QCOMPARE(memory[0].atPeak[0].node, std::string("b"));
  QCOMPARE(memory[0].atPeak[1].endNs, int64_t(50));
  QCOMPARE(memory[0].points.back().second, 0.0);
}

namespace {

/// Slices for tests, each with a tensor of `bytes`.
void addSlice(Trace& trace, const char* device, const char* name, int64_t start, int64_t duration, int64_t bytes = 0, std::vector<std::string> inputs = {}) {
  TraceSlice s;
  s.startNs = start;
  s.durationNs = duration;
  s.track = trace.track(device, "");
  s.name = trace.intern(name);
  s.op = trace.intern("Mul");
  s.bytes = bytes;
  if (bytes > 0) trace.tensors.push_back({int32_t(trace.slices.size()), 0, bytes, 0});
  trace.slices.push_back(s);
  if (!inputs.empty()) trace.nodes[name].inputs = std::move(inputs);
}

}  // namespace

void TestProfile::gpusAreTimedByTheirKernels() {
  // The host queues a, b and c in 30 ns; the GPU needs 300 ns for them, b in two kernels.
  Trace trace;
  const char *host = "/device:GPU:0", *stream = "/device:GPU:0/stream:all";
  addSlice(trace, host, "a", 0, 10, 1000);
  addSlice(trace, host, "b", 10, 10, 500, {"a"});
  addSlice(trace, host, "c", 20, 10, 1, {"b"});
  addSlice(trace, stream, "a", 100, 100);
  addSlice(trace, stream, "b", 200, 50);
  addSlice(trace, stream, "b", 250, 50);
  addSlice(trace, stream, "c", 300, 100);
  trace.finish();
  int launches = 0;
  for (const TraceSlice& s : trace.slices) {
    launches += s.launched >= 0;
    if (s.launched < 0) continue;
    QVERIFY(!trace.counts(s));
    const TraceSlice& work = trace.slices[size_t(s.launched)];
    QVERIFY(trace.counts(work) && work.name == s.name && work.startNs >= s.startNs + s.durationNs);
    QCOMPARE(work.bytes, s.bytes);
  }
  QCOMPARE(launches, 3);
  const auto table = profileTable(trace, {});
  QVERIFY(table.ok());
  QCOMPARE(table->all.selfNs, 300.0);
  ProfileOptions scopes;
  scopes.view = ProfileView::Scope;
  const auto nodes = profileTable(trace, scopes);
  QVERIFY(nodes.ok() && find(*nodes, "b"));
  QCOMPARE(find(*nodes, "b")->device, std::string(host));
  QCOMPARE(find(*nodes, "b")->self.selfNs, 100.0);
  // Tensors live while kernels need them: a until b has ended.
  const auto memory = memoryTimelines(trace);
  QCOMPARE(memory.size(), size_t(1));
  QCOMPARE(memory[0].device, std::string(host));
  QCOMPARE(memory[0].peakBytes, int64_t(1500));
  QCOMPARE(memory[0].atPeak[0].startNs, int64_t(100));
  QCOMPARE(memory[0].atPeak[0].endNs, int64_t(300));
  const auto path = criticalPath(trace, 0);
  QCOMPARE(path.size(), size_t(4));
  for (const int i : path) QVERIFY(trace.counts(trace.slices[size_t(i)]));
  QCOMPARE(std::string(deviceOfTrack("/job:a/device:GPU:1/memcpy")), std::string("/job:a/device:GPU:1"));
  QCOMPARE(std::string(deviceOfTrack("/device:CPU:0")), std::string("/device:CPU:0"));
}

void TestProfile::gpusWithoutAKernelForAnOp() {
  // The host's own work on the GPU's thread counts, as nothing on the stream does it; so does everything of a device without streams.
  Trace trace;
  addSlice(trace, "/device:GPU:0", "shape", 0, 10);
  addSlice(trace, "/device:GPU:0", "a", 10, 10);
  addSlice(trace, "/device:GPU:0/stream:all", "a", 20, 70);
  addSlice(trace, "/device:CPU:0", "a", 0, 5);
  trace.finish();
  double counted = 0;
  for (const TraceSlice& s : trace.slices)
    if (trace.counts(s)) counted += double(s.selfNs);
  QCOMPARE(counted, 85.0);
}

void TestProfile::criticalPathFollowsInputs() {
  const auto trace =
      read(list({x("a", "Add", 0, 0, 10), x("slow", "MatMul", 1, 10, 100, "a"), x("other", "Mul", 0, 10, 20), x("end", "Add", 0, 112, 5, "slow")}));
  QVERIFY(trace.ok());
  std::vector<std::string> names;
  for (const int i : criticalPath(*trace, 0)) names.push_back(trace->nameOf(trace->slices[size_t(i)]));
  QCOMPARE(names, (std::vector<std::string>{"a", "slow", "end"}));
}

/// A file may state any time and size: nothing that is computed from them wraps around, nor goes in circles.
void TestProfile::statedNumbersHaveBounds() {
  const std::string most = std::to_string(std::numeric_limits<int64_t>::max());
  const auto stats = [](const std::string& name, const std::string& input, const std::string& rest) {
    const std::string label = name + " = Add(" + input + ")";
    return "node_stats { node_name: \"" + name + "\" timeline_label: \"" + label + "\" " + rest + " } ";
  };
  const std::string memory = "output { tensor_description { allocation_description { requested_bytes: " + most + " } } } ";
  const auto file = [](const std::string& nodes) { return read("step_stats { dev_stats { device: \"/cpu\" " + nodes + "} }"); };
  // The second begins after the first ends, and would end before it if its end wrapped around: each then waits for the other.
  for (const std::string& far : {std::string("all_start_nanos: 6000000000000000000 op_end_rel_nanos: 6000000000000000000 "),
                                 std::string("all_start_micros: ") + most + " op_end_rel_micros: " + most + " "}) {
    const auto trace = file(stats("a", "b", "all_start_nanos: 1 op_end_rel_nanos: 1 " + memory) + stats("b", "a", far + "thread_id: 2 " + memory + memory));
    QVERIFY(trace.ok());
    QVERIFY(hasProblem(*trace, TraceProblem::Kind::Skipped));
    for (const TraceSlice& s : trace->slices) QVERIFY(s.startNs >= 0 && s.durationNs >= 0 && s.bytes >= 0 && s.startNs + s.durationNs <= trace->durationNs);
    QVERIFY(criticalPath(*trace, 0).size() <= 2);
    const auto table = profileTable(*trace);
    QVERIFY(table.ok() && table->stepNs > 0);
    const auto used = memoryTimelines(*trace);
    QCOMPARE(used.size(), size_t(1));
    QCOMPARE(used[0].peakBytes, std::numeric_limits<int64_t>::max());
    QCOMPARE(used[0].points.back().second, 0.0);
    QVERIFY(readTraceBytes(toRunMetadata(*trace), "again").ok());
  }
  const auto chrome = read(list({x("a", "Add", 0, -9e15, 9e15), x("b", "Add", 0, 9e15, 9e15)}));
  QVERIFY(chrome.ok());
  for (const TraceSlice& s : chrome->slices) QVERIFY(s.startNs >= 0 && s.durationNs > 0 && s.startNs + s.durationNs <= chrome->durationNs);
}

/// A name of slashes takes no more than in proportion to its length; a chain that is not shown is followed without a call for each of its ops.
void TestProfile::deepNamesAndLongChains() {
  std::string name = "a";
  for (int i = 0; i < 20000; ++i) name += "/a";
  Trace trace;
  const auto add = [&trace](const std::string& node, int64_t start) {
    TraceSlice s;
    s.track = trace.track("cpu", "t");
    s.startNs = start;
    s.durationNs = 1;
    s.name = trace.intern(node);
    trace.slices.push_back(s);
  };
  add(name, 0);
  constexpr int kChain = 100000;
  for (int i = 0; i < kChain; ++i) {
    add("n" + std::to_string(i), i + 1);
    if (i > 0) trace.nodes["n" + std::to_string(i)].inputs = {"n" + std::to_string(i - 1)};
  }
  trace.finish();
  ProfileOptions options;
  options.view = ProfileView::Scope;
  options.maxDepth = 1000000;
  auto table = profileTable(trace, options);
  QVERIFY(table.ok());
  QVERIFY(table->rows.size() > size_t(kChain) && table->rows.size() < size_t(kChain) + 1000);
  QVERIFY(find(*table, name));
  options.view = ProfileView::Graph;
  options.showNames = "n0";
  table = profileTable(trace, options);
  QVERIFY(table.ok());
  QCOMPARE(table->rows.size(), size_t(1));
  QCOMPARE(table->rows[0].name, std::string("n0"));
}

void TestProfile::adviceNamesNodes() {
  const auto trace = read(list({x("a", "Add", 0, 0, 10), x("planted/slow", "MatMul", 0, 10, 900), x("b", "Mul", 0, 910, 20), x("c", "Mul", 0, 930, 20)}));
  QVERIFY(trace.ok());
  const auto advice = advise(*trace);
  QVERIFY(!advice.empty());
  QCOMPARE(advice[0].nodes, std::vector<std::string>{"planted/slow"});
  QVERIFY(advice[0].weight == Advice::Weight::Warning);
  QVERIFY(advice[0].titleText().find('%') == std::string::npos || advice[0].titleText().find("%1") == std::string::npos);
  // The words of all advice are there for translation.
  for (const Advice& a : advice) {
    const auto texts = adviceTexts();
    QVERIFY(std::find(texts.begin(), texts.end(), a.title) != texts.end());
  }
  Trace empty;
  empty.finish();
  QVERIFY(advise(empty).empty());
}

void TestProfile::comparison() {
  const auto before = read(list({x("a", "Add", 0, 0, 10), x("gone", "Mul", 0, 10, 5)}));
  const auto after = read(list({x("a", "Add", 0, 0, 50), x("new", "Mul", 0, 60, 6)}));
  QVERIFY(before.ok() && after.ok());
  const auto changes = compareTraces(*before, *after, false);
  QCOMPARE(changes.size(), size_t(3));
  QCOMPARE(changes[0].name, std::string("a"));
  QCOMPARE(changes[0].deltaNs(), 40000.0);
  QCOMPARE(compareTraces(*before, *after, true).size(), size_t(2));
}

void TestProfile::plansTellOfThemselves() {
  constexpr double kElements = 64 * 64;
  MetaGraph meta;
  GraphBuilder b(meta);
  const Output w = b.op("VariableV2", {}, {{"dtype", DType::Float}, {"shape", Shape{64, 64}}}, "w");
  const Output product = b.op("MatMul", {w, w}, {}, "product");
  const Output half = b.op("Mul", {product, b.scalar(0.5f)}, {}, "half");
  const Output sum = b.op("Add", {half, product}, {}, "sum");
  const Output out = b.op("Tanh", {sum}, {}, "out");
  b.op("MatMul", {out, out}, {}, "again");
  QVERIFY(b.ok());
  auto session = Session::create(meta.graph);
  QVERIFY(session.ok());
  QVERIFY((*session)->setVariable("w", Tensor::zeros(DType::Float, {64, 64})).ok());
  const auto isIt = [](const std::vector<std::string>& fetches, const std::vector<std::string>&) { return fetches == std::vector<std::string>{"again:0"}; };
  QVERIFY(!planReport(**session, isIt).ok());
  std::vector<std::shared_ptr<StepTrace>> steps;
  for (int i = 0; i < 2; ++i) {
    RunOptions options;
    options.trace = true;
    RunReport report;
    QVERIFY((*session)->run({}, {"again:0"}, {}, options, &report).ok());
    steps.push_back(report.trace);
  }
  const auto plan = planReport(**session, isIt);
  QVERIFY(plan.ok());
  QVERIFY(std::any_of(plan->passes.begin(), plan->passes.end(), [](const std::string& p) { return p.starts_with("elementwise_fusion"); }));
  const auto group = std::find_if(plan->steps.begin(), plan->steps.end(), [](const PlannedStep& s) { return !s.merged.empty(); });
  QVERIFY(group != plan->steps.end());
  QCOMPARE(group->name, std::string("out"));
  QCOMPARE(group->merged, (std::vector<int>{half.node, sum.node}));
  QCOMPARE(group->bytes, 4 * (2 * kElements + 1));  // product, the scalar; out
  // Memory: the allocated bytes at any time equal the bound within the arena.
  QVERIFY(!plan->blocks.empty());
  const std::vector<size_t> bytes = plan->bytesOverTime();
  QCOMPARE(bytes.size(), plan->steps.size());
  QCOMPARE(*std::max_element(bytes.begin(), bytes.end()), plan->leastBytes);
  QVERIFY(plan->arenaBytes >= plan->leastBytes);
  for (const PlannedBlock& block : plan->blocks) QVERIFY(block.offset + block.bytes <= plan->arenaBytes && block.first <= block.last);
  // The group's cost is that of all its nodes; its traffic that of its inputs and outputs.
  Trace trace = traceOfSteps(steps, meta.graph, 1);
  const double alone = trace.node("out")->flops;
  describePlan(trace, meta.graph, *plan);
  QCOMPARE(trace.node("out")->flops, alone + 2 * kElements);
  QCOMPARE(trace.node("out")->movedBytes, group->bytes);
  const auto floors = nodeFloors(trace, MachineRoof{1, 1e9});  // arithmetic decides
  const auto at = std::find_if(floors.begin(), floors.end(), [](const NodeFloor& f) { return f.name == "product"; });
  QVERIFY(at != floors.end());
  QCOMPARE(at->floorNs, 2.0 * 64 * 64 * 64);
  QVERIFY(at->ns > 0);
  for (size_t i = 1; i < floors.size(); ++i) QVERIFY(floors[i - 1].ns - floors[i - 1].floorNs >= floors[i].ns - floors[i].floorNs);
}

QTEST_GUILESS_MAIN(TestProfile)
#include "tst_step_trace.moc"
