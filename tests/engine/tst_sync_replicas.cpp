#include <QTest>

#include "weft/graph.h"
#include "weft/sync_replicas.h"

using namespace weft;

namespace {

/// The nodes that SyncReplicasOptimizer(GradientDescentOptimizer) makes for one variable, without those that no search looks at.
const std::string kVariables =
    "node { name: 'global_step' op: 'VariableV2' attr { key: 'dtype' value { type: DT_INT64 } } attr { key: 'shape' value { shape { } } } }"
    "node { name: 'w' op: 'VariableV2' attr { key: 'dtype' value { type: DT_FLOAT } } attr { key: 'shape' value { shape { } } } }"
    "node { name: 'rate' op: 'Const' attr { key: 'dtype' value { type: DT_FLOAT } } attr { key: 'value' value { tensor { dtype: DT_FLOAT tensor_shape { } float_val: 1 } } } }"
    "node { name: 'count' op: 'Const' attr { key: 'dtype' value { type: DT_INT64 } } attr { key: 'value' value { tensor { dtype: DT_INT64 tensor_shape { dim { size: 1 } } int64_val: 1 } } } }"
    "node { name: 'update' op: 'ApplyGradientDescent' input: 'w' input: 'rate' input: 'rate' attr { key: 'T' value { type: DT_FLOAT } } }";
const std::string kTokens =
    "node { name: 'local' op: 'VariableV2' attr { key: 'dtype' value { type: DT_INT64 } } attr { key: 'shape' value { shape { } } } }"
    "node { name: 'tokens' op: 'FIFOQueueV2' attr { key: 'component_types' value { list { type: DT_INT64 } } } attr { key: 'shared_name' value { s: 'sync_token_q' } } }"
    "node { name: 'take' op: 'QueueDequeueV2' input: 'tokens' attr { key: 'component_types' value { list { type: DT_INT64 } } } }"
    "node { name: 'train' op: 'Assign' input: 'local' input: 'take' attr { key: 'T' value { type: DT_INT64 } } }"
    "node { name: 'go_on' op: 'QueueEnqueueManyV2' input: 'tokens' input: 'count' input: '^update' attr { key: 'Tcomponents' value { list { type: DT_INT64 } } } }";
const std::string kFirst =
    "node { name: 'first' op: 'QueueEnqueueManyV2' input: 'tokens' input: 'count' attr { key: 'Tcomponents' value { list { type: DT_INT64 } } } }";

std::string varint(const std::string& field, char number) { return std::string(1, char(number << 3 | 2)) + char(field.size()) + field; }

/// A graph with these nodes; REQUIRES: valid.
MetaGraph graphOf(const std::string& nodes) {
  auto loaded = loadGraphBytes(std::make_shared<const std::string>(nodes), "the test's graph");
  if (!loaded.ok()) qFatal("%s", loaded.error().toString().c_str());
  return std::move(loaded->meta);
}

}  // namespace

/// What a graph has of the parts that make replicas wait for each other.
class SyncReplicasTest : public QObject {
  Q_OBJECT

 private slots:
  void otherGraphsHaveNone() { QVERIFY(!findSyncReplicas(graphOf(kVariables))); }

  void partsAreFound() {
    const MetaGraph meta = graphOf(kVariables + kTokens + kFirst);
    const auto found = findSyncReplicas(meta);
    QVERIFY(found);
    const auto name = [&](int id) { return id < 0 ? std::string() : meta.graph.node(id)->name; };
    QCOMPARE(name(found->tokens), std::string("tokens"));
    QCOMPARE(name(found->training), std::string("train"));
    QCOMPARE(name(found->update), std::string("go_on"));
    QCOMPARE(name(found->initialTokens), std::string("first"));
    QCOMPARE(name(found->globalStep), std::string("global_step"));
    QVERIFY(!found->hasRunner);
  }

  void aWorkersGraphHasNoFirstTokens() { QCOMPARE(findSyncReplicas(graphOf(kVariables + kTokens))->initialTokens, -1); }

  void aQueueRunnerOfTheUpdateIsNoticed() {
    MetaGraph meta = graphOf(kVariables + kTokens);
    Collection& runners = meta.collections["queue_runners"];
    runners.kind = Collection::Kind::Bytes;
    runners.bytes.push_back(varint("dummy_queue", 1) + varint("take", 2));
    QVERIFY(!findSyncReplicas(meta)->hasRunner);
    runners.bytes.push_back(varint("dummy_queue", 1) + varint("go_on", 2));
    QVERIFY(findSyncReplicas(meta)->hasRunner);
    runners.bytes[1] = "no message";
    QVERIFY(!findSyncReplicas(meta)->hasRunner);
  }

  void theGlobalStepMayHaveAnotherName() {
    MetaGraph meta = graphOf(kVariables);
    QCOMPARE(globalStepOf(meta), meta.graph.find("global_step")->id);
    Collection& steps = meta.collections["global_step"];
    steps.nodes = {"w:0"};
    QCOMPARE(globalStepOf(meta), meta.graph.find("w")->id);
    steps.nodes.clear();
    steps.kind = Collection::Kind::Bytes;
    steps.bytes = {varint("w:0", 1)};
    QCOMPARE(globalStepOf(meta), meta.graph.find("w")->id);
    steps.bytes = {varint("rate:0", 1)};  // which is no variable
    QCOMPARE(globalStepOf(meta), -1);
  }

  void supervisedGraphsKeepTheirOps() {
    MetaGraph meta = graphOf(kVariables);
    QVERIFY(!isSupervised(meta));
    meta.collections["ready_op"];
    QVERIFY(!isSupervised(meta));
    meta.collections["ready_op"].nodes = {"update"};
    QVERIFY(isSupervised(meta));
  }
};

QTEST_APPLESS_MAIN(SyncReplicasTest)
#include "tst_sync_replicas.moc"
