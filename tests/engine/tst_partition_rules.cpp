#include <QTest>
#include <ctime>
#include <set>

#include "partitions/partition_text.h"
#include "support/graph_text.h"
#include "support/sanitized.h"

using namespace weft;
using namespace weft::tests;

namespace {

const char* const kPs = "/job:ps/replica:0/task:0";
const char* const kWorker = "/job:worker/replica:0/task:0";

std::string cpu(const std::string& task, int index = 0) { return task + "/device:CPU:" + std::to_string(index); }
std::string on(const std::string& device) { return "device: '" + device + "' "; }
std::string floats(const std::string& key = "T") { return attr(key, "type: DT_FLOAT"); }
std::string constant(const std::string& name, const std::string& more = "") {
  return node(name, "Const", {}, floats("dtype") + attr("value", "tensor { dtype: DT_FLOAT tensor_shape {} float_val: 1 }") + more);
}
std::string variable(const std::string& name, const std::string& more = "") {
  return node(name, "VariableV2", {}, floats("dtype") + attr("shape", "shape {}") + more);
}
std::string queue(const std::string& name, const std::string& more = "") {
  return node(name, "FIFOQueueV2", {}, attr("component_types", "list { type: DT_FLOAT }") + more);
}
std::string colocated(const std::string& with) { return attr("_class", "list { s: 'loc:@" + with + "' }"); }

/// while i < 1: i = -i, with the negation on `body`; the rest on `home`.
std::string loop(const std::string& home, const std::string& body, bool condition = true) {
  const std::string more = floats() + on(home);
  return constant("start", on(home)) + constant("limit", on(home)) + node("enter", "Enter", {"start"}, more + attr("frame_name", "s: 'f'")) +
         node("limitEnter", "Enter", {"limit"}, more + attr("frame_name", "s: 'f'") + attr("is_constant", "b: true")) +
         node("merge", "Merge", {"enter", "next"}, more + attr("N", "i: 2")) + node("less", "Less", {"merge", "limitEnter"}, more) +
         (condition ? node("cond", "LoopCond", {"less"}, on(home)) : "") + node("switch", "Switch", {"merge", condition ? "cond" : "less"}, more) +
         node("neg", "Neg", {"switch:1"}, floats() + on(body)) + node("next", "NextIteration", {"neg"}, more) + node("exit", "Exit", {"switch"}, more);
}

struct Cluster {
  std::vector<ClusterDevice> devices = {{cpu(kWorker), "CPU", 0xee1f2bf42d53502c, 1 << 28}, {cpu(kPs), "CPU", 0x192211356d34cee5, 1 << 28}};
  SessionOptions options;
  AddedNames names;
  Graph graph;

  explicit Cluster(const std::string& text) {
    auto loaded = loadGraphBytes(std::make_shared<const std::string>(text + "versions { producer: 134 }"), "test");
    if (!loaded.ok()) qFatal("%s", loaded.error().toString().c_str());
    graph = loaded->meta.graph;
  }
  Result<std::vector<StepPartition>> partitions(const Signature& signature) {
    WEFT_LET(const std::vector<int> placement, placeOnCluster(graph, devices, options));
    return partitionStep(graph, placement, devices, 0, signature, names);
  }
  /// The nodes by task as "name = Op@device(inputs)"; an error as its message.
  QString text(const Signature& signature) {
    const auto parts = partitions(signature);
    if (!parts.ok()) return QString::fromStdString(parts.error().message);
    QStringList lines;
    for (const StepPartition& p : *parts) {
      for (const PartNode& n : partNodes(p.graph)) {
        QStringList inputs;
        for (const std::string& in : n.inputs) inputs << QString::fromStdString(in);
        lines << QString::fromStdString(n.name + " = " + n.op + "@" + n.device + "(") + inputs.join(QStringLiteral(", ")) + u')';
      }
    }
    return lines.join(u'\n').replace(QStringLiteral("/replica:0"), QString()).replace(QStringLiteral("/device:"), QStringLiteral("/"));
  }
  std::string deviceOf(const std::string& name) {
    const auto placement = placeOnCluster(graph, devices, options);
    return placement.ok() ? devices[size_t((*placement)[size_t(graph.find(name)->id)])].name : placement.error().message;
  }
};

QString joined(const QStringList& lines) { return lines.join(u'\n'); }

}  // namespace

/// What partitioning does beyond the cases that TensorFlow decided (tst_partition).
class TestPartitionRules : public QObject {
  Q_OBJECT

 private slots:
  void valuesGoThroughOnePairPerTask() {
    Cluster c(constant("a", on("/job:ps")) + node("b", "Neg", {"a"}, floats() + on("/job:worker")) +
              node("c", "Add", {"a", "b"}, floats() + on("/job:worker")));
    QCOMPARE(c.text({{}, {"c:0"}, {}}), joined({
                                            "a_S1 = _Recv@/job:worker/task:0/CPU:0()",
                                            "b = Neg@/job:worker/task:0/CPU:0(a_S1)",
                                            "c = Add@/job:worker/task:0/CPU:0(a_S1, b)",
                                            "_send_c_0 = _Send@/job:worker/task:0/CPU:0(c)",
                                            "a = Const@/job:ps/task:0/CPU:0()",
                                            "a_S0 = _Send@/job:ps/task:0/CPU:0(a)",
                                        }));
  }
  void waitingGoesThroughAnEmptyTensor() {
    Cluster c(constant("a", on("/job:ps")) + node("b", "NoOp", {"^a"}, on("/job:worker")) + node("c", "NoOp", {"^a", "^b"}, on("/job:worker")));
    QCOMPARE(c.text({{}, {}, {"c"}}), joined({
                                          "a_S2 = _Recv@/job:worker/task:0/CPU:0()",
                                          "a_S3 = Identity@/job:worker/task:0/CPU:0(a_S2)",
                                          "b = NoOp@/job:worker/task:0/CPU:0(^a_S3)",
                                          "c = NoOp@/job:worker/task:0/CPU:0(^a_S3, ^b)",
                                          "a = Const@/job:ps/task:0/CPU:0()",
                                          "a_S0 = Const@/job:ps/task:0/CPU:0(^a)",
                                          "a_S1 = _Send@/job:ps/task:0/CPU:0(a_S0)",
                                      }));
  }
  void keysNameTheSendersIncarnation() {
    Cluster c(node("x", "Placeholder", {}, floats("dtype") + on("/job:ps")) + node("y", "Neg", {"x"}, floats() + on("/job:ps")));
    const auto parts = c.partitions({{"x"}, {"y", "y:0"}, {}});
    QVERIFY(parts.ok());
    const StepPartition& worker = (*parts)[0];
    QCOMPARE(worker.task, std::string(kWorker));
    const std::string key = cpu(kWorker) + ";ee1f2bf42d53502c;" + cpu(kWorker) + ";";
    const std::vector<std::pair<std::string, std::string>> feeds = {{"x", key + "x:0;0:0"}}, fetches = {{"y", key + "y:0;0:0"}, {"y:0", key + "y:0;0:0"}};
    QCOMPARE(worker.feeds, feeds);
    QCOMPARE(worker.fetches, fetches);
    QVERIFY((*parts)[1].feeds.empty() && (*parts)[1].fetches.empty());
  }
  void unreadFeedsHaveNoKey() {
    Cluster c(node("x", "Placeholder", {}, floats("dtype")) + constant("y"));
    const auto parts = c.partitions({{"x:0"}, {"y:0"}, {}});
    QVERIFY(parts.ok());
    for (const StepPartition& p : *parts) QVERIFY(p.feeds.empty() && !p.graph.find("_recv_x_0"));
  }
  /// A worker of another version may not know the defaults of attributes.
  void attributesAreAllStated() {
    Cluster c(constant("a") + node("b", "MatMul", {"a", "a"}, floats()));
    QCOMPARE(c.graph.find("b")->defaulted.size(), size_t(2));
    const auto parts = c.partitions({{}, {"b:0"}, {}});
    QVERIFY(parts.ok());
    const Node* b = (*parts)[0].graph.find("b");
    if (!b) b = (*parts)[1].graph.find("b");
    QVERIFY(b && b->defaulted.empty() && b->attrs.find("transpose_a") && !b->raw);
  }

  /// A worker with several devices separates them itself; the control loop for that is there.
  void devicesOfATaskStayTogether() {
    Cluster c(loop("/job:ps/cpu:0", "/job:ps/cpu:1"));
    c.devices.push_back({cpu(kPs, 1), "CPU", 7, 0});
    const auto parts = c.partitions({{}, {}, {"exit"}});
    QVERIFY(parts.ok());
    QCOMPARE(parts->size(), size_t(1));
    QVERIFY((*parts)[0].hasControlFlow);
    int loops = 0;
    for (const PartNode& n : partNodes((*parts)[0].graph)) {
      QVERIFY(!n.isTransfer());
      loops += n.name.starts_with("_cloop");
      if (n.name == "neg") {
        QCOMPARE(n.device, cpu(kPs, 1));
        QCOMPARE(n.inputs[0], std::string("switch:1"));
        QVERIFY(n.inputs.size() == 2 && n.inputs[1].starts_with("^_cloop"));
      }
    }
    QCOMPARE(loops, 8);  // the value goes to the second device and back: a control loop on each
  }
  void partsWithoutControlFlowAreMarked() {
    Cluster c(loop("/job:ps", "/job:ps") + node("out", "Neg", {"exit"}, floats() + on("/job:worker")));
    const auto parts = c.partitions({{}, {}, {"out"}});
    QVERIFY(parts.ok());
    QCOMPARE(parts->size(), size_t(2));
    QVERIFY(!(*parts)[0].hasControlFlow && (*parts)[1].hasControlFlow);
  }

  /// Workers keep kernels of transfers by session and name.
  void namesAreUsedOncePerSession() {
    Cluster c(constant("a", on("/job:ps")) + node("b", "Neg", {"a"}, floats() + on("/job:worker")) + constant("a_S1", on("/job:worker")));
    std::set<std::string> seen = {"a_S1"};
    for (int i = 0; i < 3; ++i) {
      const auto parts = c.partitions({{}, {}, {"b"}});
      QVERIFY(parts.ok());
      for (const StepPartition& p : *parts) {
        for (const PartNode& n : partNodes(p.graph)) QVERIFY2(!n.isTransfer() || seen.insert(n.name).second, n.name.c_str());
      }
    }
  }
  void sameResultEachTime() {
    const std::string text = loop("/job:ps", "/job:worker");
    std::set<std::string> results;
    for (int i = 0; i < 3; ++i) {
      Cluster c(text);
      const auto parts = c.partitions({{}, {"exit:0"}, {}});
      QVERIFY(parts.ok());
      std::string all;
      for (const StepPartition& p : *parts) {
        MetaGraph meta;
        meta.graph = p.graph;
        const auto bytes = serializeGraph(meta, GraphFormat::GraphBinary);
        QVERIFY(bytes.ok());
        all += p.task + *bytes;
        QVERIFY(loadGraphBytes(std::make_shared<const std::string>(*bytes), "part").ok());
      }
      results.insert(all);
    }
    QCOMPARE(results.size(), size_t(1));
  }

  void filtersAdmitDevices() {
    std::vector<ClusterDevice> devices;
    for (const char* task : {"/job:ps/replica:0/task:0", "/job:ps/replica:0/task:1", "/job:worker/replica:0/task:0", "/job:worker/replica:0/task:1"}) {
      devices.push_back({cpu(task), "CPU", 1, 0});
    }
    const auto names = [&](const std::vector<std::string>& filters) {
      QStringList out;
      const auto admitted = admittedDevices(devices, filters, kWorker);
      if (!admitted.ok()) return QString::fromStdString(admitted.error().message);
      for (const ClusterDevice& d : *admitted)
        out << QString::fromStdString(d.name).remove(QStringLiteral("/replica:0")).remove(QStringLiteral("/device:CPU:0"));
      return out.join(u' ');
    };
    QCOMPARE(names({}), QString("/job:ps/task:0 /job:ps/task:1 /job:worker/task:0 /job:worker/task:1"));
    QCOMPARE(names({"/job:ps"}), QString("/job:ps/task:0 /job:ps/task:1 /job:worker/task:0"));
    QCOMPARE(names({"/job:ps/task:1", "/job:worker/task:1"}), QString("/job:ps/task:1 /job:worker/task:0 /job:worker/task:1"));
    QCOMPARE(names({"/job:evaluator"}), QString("/job:worker/task:0"));
    QCOMPARE(names({"ps"}), QString("Malformed device specification 'ps'"));
  }
  void statefulNodesStayWhereTheyAre() {
    Cluster c(variable("v") + constant("a"));
    const int v = c.graph.find("v")->id, a = c.graph.find("a")->id;
    const auto first = placeOnCluster(c.graph, c.devices);
    QVERIFY(first.ok());
    QCOMPARE((*first)[size_t(v)], 1);  // the first by name
    std::vector<int> earlier = *first;
    earlier[size_t(v)] = earlier[size_t(a)] = 0;
    const auto second = placeOnCluster(c.graph, c.devices, {}, earlier);
    QVERIFY(second.ok());
    QCOMPARE((*second)[size_t(v)], 0);
    QCOMPARE((*second)[size_t(a)], 1);
  }
  void softPlacementStaysInTheTask() {
    Cluster c(node("a", "Neg", {"x"}, floats() + on("/job:worker/gpu:0")) + constant("x"));
    QVERIFY(c.deviceOf("a").starts_with("Cannot assign a device for operation a: {{node a}} was explicitly assigned to /job:worker/gpu:0"));
    c.options.allowSoftPlacement = true;
    QCOMPARE(c.deviceOf("a"), cpu(kWorker));
  }
  void readersOfAReferenceFollowIt() {
    Cluster c(variable("v", on("/job:ps")) + constant("one", on("/job:worker")) + node("add", "AssignAdd", {"v", "one"}, floats() + on("/job:worker")));
    QCOMPARE(c.deviceOf("add"), cpu(kPs));
  }
  void opsWithoutKernelsRunOnEveryCpu() {
    Cluster c(node("a", "SomeOpOfAnotherProgram", {}, on("/job:worker")) + constant("b"));
    QCOMPARE(c.deviceOf("a"), cpu(kWorker));
    QVERIFY(c.text({{}, {}, {"a"}}).contains("Op type not registered 'SomeOpOfAnotherProgram'"));
    QVERIFY(c.partitions({{}, {}, {"b"}}).ok());
  }

  void errors_data() {
    QTest::addColumn<QString>("graph");
    QTest::addColumn<QStringList>("fetches");
    QTest::addColumn<QStringList>("feeds");
    QTest::addColumn<QString>("message");
    const auto row = [](const char* name, const std::string& graph, const QStringList& fetches, const QStringList& feeds, const QString& message) {
      QTest::newRow(name) << QString::fromStdString(graph) << fetches << feeds << message;
    };
    const std::string plain = constant("a") + node("none", "NoOp", {});
    // The messages are those of TensorFlow 1.15.5 for the same graphs, up to its listings of kernels and colocation groups.
    row("unknown task", constant("a", on("/job:ps/task:9")), {"a:0"}, {},
        "Cannot assign a device for operation a: {{node a}} was explicitly assigned to /job:ps/task:9 but available devices are [ "
        "/job:ps/replica:0/task:0/device:CPU:0, /job:worker/replica:0/task:0/device:CPU:0 ]. Make sure the device specification refers to a valid device.");
    row("unknown task in another part of the graph", plain + constant("b", on("/job:ps/task:9")), {"a:0"}, {}, "Cannot assign a device for operation b: *");
    row("device that is none", constant("a", on("/job:ps/tusk:0")), {"a:0"}, {}, "Malformed device specification '/job:ps/tusk:0'");
    row("colocation in two jobs", constant("a", on("/job:ps/task:0")) + node("b", "Neg", {"a"}, floats() + on("/job:worker/task:0") + colocated("a")), {"b:0"},
        {},
        "Cannot colocate nodes {{colocation_node b}} and {{colocation_node a}}: Cannot merge devices with incompatible jobs: '/job:worker/task:0' and "
        "'/job:ps/task:0'");
    row("handles of two tasks",
        queue("q", on("/job:ps/task:0")) + queue("r", on("/job:worker/task:0")) +
            node("m", "Merge", {"q", "r"}, attr("T", "type: DT_RESOURCE") + attr("N", "i: 2")),
        {}, {},
        "Cannot place the graph because a reference or resource edge connects colocation groups with incompatible resource devices: /job:worker/task:0 vs "
        "/job:ps/task:0. The edge src node is r , and the dst node is m");
    row("loop without LoopCond", loop("/job:ps", "/job:worker", false), {"exit:0"}, {}, "A cross-device loop must have a pivot predicate: f");
    row("nothing to do", plain, {}, {}, "Must specify at least one target to fetch or execute.");
    row("fetched and fed", plain, {"a:0"}, {"a:0"}, "a:0 is both fed and fetched.");
    row("fed twice", plain, {"a:0"}, {"b:0", "b"}, "Endpoint \"b:0\" fed more than once.");
    row("feed of nothing", plain, {"a:0"}, {"b:0"}, "FeedInputs: unable to find feed output b:0");
    row("feed of a missing output", plain, {"a:0"}, {"a:1"}, "FeedInputs: a:1 should have output index < 1");
    row("fetch of nothing", plain, {"b:0"}, {}, "FetchOutputs node b:0: not found");
    row("fetch of a missing output", plain, {"a:2"}, {}, "FetchOutputs a:2: output index too large, must be < 1");
    row("fetch from an op without outputs", plain, {"none:0"}, {}, "Tried to fetch data for 'none:0', which produces no output.  To run to a node but not *");
  }
  void errors() {
    QFETCH(QString, graph);
    QFETCH(QStringList, fetches);
    QFETCH(QStringList, feeds);
    QFETCH(QString, message);
    Cluster c(graph.toStdString());
    Signature signature;
    for (const QString& f : fetches) signature.fetches.push_back(f.toStdString());
    for (const QString& f : feeds) signature.feeds.push_back(f.toStdString());
    const QString text = c.text(signature);
    if (message.endsWith(u'*')) {
      QVERIFY2(text.startsWith(message.chopped(1)), qPrintable(text));
    } else {
      QCOMPARE(text, message);
    }
  }
  void missingTargetsAreNamed() {
    Cluster c(constant("a"));
    QCOMPARE(c.text({{}, {}, {"a", "b", "c"}}), QString("PruneForTargets: Some target nodes not found: b c "));
  }
  /// Placement prevents it, so this takes a placement made by hand.
  void referencesStayInTheirTask() {
    Cluster c(variable("v") + constant("one") + node("add", "AssignAdd", {"v", "one"}, floats()));
    std::vector<int> placement(3, 0);
    placement[size_t(c.graph.find("v")->id)] = 1;
    const auto parts = partitionStep(c.graph, placement, c.devices, 0, {{}, {}, {"add"}}, c.names);
    QVERIFY(!parts.ok());
    QCOMPARE(parts.error().code, Code::InvalidArgument);
    QCOMPARE(
        QString::fromStdString(parts.error().message),
        QString("{{node add}} on %1 takes a reference to {{node v}} on %2; a reference cannot leave its task").arg(cpu(kWorker).c_str(), cpu(kPs).c_str()));
  }

  /// 100,000 nodes on two tasks in turn, so that every edge but one is a transfer: the constant is placed next to its reader.
  void largeGraphs() {
    std::string text = constant("n0");
    constexpr int kNodes = 100'000;
    for (int i = 1; i < kNodes; ++i) {
      text += node("n" + std::to_string(i), "Neg", {"n" + std::to_string(i - 1)}, floats() + on(i % 2 ? "/job:worker/task:0" : "/job:ps/task:0"));
    }
    Cluster c(text);
    const std::clock_t start = std::clock();
    const auto placement = placeOnCluster(c.graph, c.devices);
    QVERIFY(placement.ok());
    const auto parts = partitionStep(c.graph, *placement, c.devices, 0, {{}, {"n" + std::to_string(kNodes - 1) + ":0"}, {}}, c.names);
    const double seconds = double(std::clock() - start) / CLOCKS_PER_SEC;
    QVERIFY(parts.ok());
    QCOMPARE((*parts)[0].graph.nodeCount() + (*parts)[1].graph.nodeCount(), kNodes + 2 * (kNodes - 2) + 1);
    qInfo("%.2f seconds of processor time", seconds);
    if (!kSanitized) QVERIFY(seconds < 6);  // four times what it takes; more than linear time would be minutes
  }
};

QTEST_GUILESS_MAIN(TestPartitionRules)
#include "tst_partition_rules.moc"
