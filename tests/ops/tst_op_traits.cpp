// What op records state about roles and effects, beside the lists of names that it replaced. Each difference is listed with its reason.
#include <QtTest>
#include <map>
#include <set>

#include "weft/op.h"

using namespace weft;

namespace {

using Names = std::set<std::string>;
using NamePredicate = std::function<bool(const OpRecord&)>;

bool has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

bool isOneOf(const std::string& op, std::initializer_list<std::string_view> names) { return std::find(names.begin(), names.end(), op) != names.end(); }

/// The ops of which a trait says something else than the names did: "+Name" if only the trait holds, "-Name" if only the names did.
QStringList differences(const NamePredicate& names, const NamePredicate& trait) {
  QStringList out;
  for (const OpRecord* r : OpRegistry::instance().all()) {
    const bool before = names(*r), now = trait(*r);
    if (before != now) out << (now ? "+" : "-") + QString::fromStdString(r->name);
  }
  return out;
}

void compare(const NamePredicate& names, const NamePredicate& trait, const QString& expected) {
  const QString found = differences(names, trait).join(' ');
  QVERIFY2(found == expected.simplified(), qPrintable("found: " + found));
}

NamePredicate roleIs(OpRole role) {
  return [role](const OpRecord& r) { return r.opRole == role; };
}

}  // namespace

class OpTraitsTest : public QObject {
  Q_OBJECT

 private slots:
  /// TensorFlow's "stateful" has a cause, which the record states.
  void everyStatefulOpStatesItsEffects() {
    QStringList silent;
    for (const OpRecord* r : OpRegistry::instance().all())
      if (r->isStateful && !any(r->opEffects)) silent << QString::fromStdString(r->name);
    QCOMPARE(silent.join(' '), QString());
  }

  /// Ops on references and resources do something or depend on something, unless they only pass the handle on.
  void everyOpOnHandlesStatesItsEffects() {
    QStringList silent;
    for (const OpRecord* r : OpRegistry::instance().all()) {
      const auto isHandle = [](const ArgSpec& a) { return a.isRef || a.type == DType::Resource; };
      const bool handles = std::any_of(r->inputs.begin(), r->inputs.end(), isHandle) || std::any_of(r->outputs.begin(), r->outputs.end(), isHandle);
      if (handles && !any(r->opEffects)) silent << QString::fromStdString(r->name);
    }
    QCOMPARE(silent.join(' '), QString("DebugGradientRefIdentity RefEnter RefExit RefIdentity RefMerge RefNextIteration RefSelect RefSwitch"));
  }

  void variables() {
    compare([](const OpRecord& r) { return isOneOf(r.name, {"VariableV2", "Variable", "VarHandleOp"}); }, roleIs(OpRole::Variable), {});
  }

  void checks() {
    compare(
        [](const OpRecord& r) {
          return isOneOf(r.name, {"Assert", "CheckNumerics", "EnsureShape", "PreventGradient"});
        },
        [](const OpRecord& r) { return any(r.opEffects & Effect::Check); }, {});
  }

  /// What rewrites may not touch: stateful ops, checks, placeholders that need a feed. PlaceholderV2 fails without a feed as well.
  /// The handles of early tensor arrays are strings, and TensorFlow forgot to call their ops stateful. A snapshot of a data set writes files.
  void effects() {
    compare(
        [](const OpRecord& r) {
          const bool ref = std::any_of(r.inputs.begin(), r.inputs.end(), [](const ArgSpec& a) { return a.isRef; });
          return r.isStateful || isOneOf(r.name, {"Assert", "CheckNumerics", "EnsureShape", "PreventGradient", "Placeholder"}) || (ref && any(r.opEffects));
        },
        [](const OpRecord& r) { return any(r.opEffects); },
        "+PlaceholderV2 +SnapshotDataset +TensorArrayCloseV2 +TensorArrayConcatV2 +TensorArrayGatherV2 +TensorArrayReadV2 +TensorArrayScatterV2 +TensorArraySizeV2 "
        "+TensorArraySplitV2 +TensorArrayWriteV2");
  }

  /// Counts, steps and makers keep no tensor. Staging areas, the first contents of tables and the arrays of Python functions were forgotten.
  void retained() {
    compare(
        [](const OpRecord& r) {
          const std::string& op = r.name;
          return op.starts_with("TensorArray") || op.starts_with("Stack") || has(op, "Queue") || has(op, "Barrier") || has(op, "Accumulator") ||
                 has(op, "Iterator") || has(op, "Dataset") || op.starts_with("Optional") || has(op, "TensorList") || has(op, "LookupTable");
        },
        [](const OpRecord& r) { return r.retainsTensors; },
        "-AccumulatorNumAccumulated -AccumulatorSetGlobalStep -ConditionalAccumulator -DatasetCardinality "
        "-ExperimentalDatasetCardinality +HashTable +HashTableV2 +InitializeTable +InitializeTableFromTextFile "
        "+InitializeTableFromTextFileV2 +InitializeTableV2 +MapPeek +MapStage +MapUnstage +MapUnstageNoKey "
        "+MutableDenseHashTable +MutableDenseHashTableV2 +MutableHashTable +MutableHashTableOfTensors "
        "+MutableHashTableOfTensorsV2 +MutableHashTableV2 +OrderedMapPeek +OrderedMapStage +OrderedMapUnstage "
        "+OrderedMapUnstageNoKey +PyFunc +PyFuncStateless +RaggedTensorFromVariant +RaggedTensorToVariant -ResourceAccumulatorNumAccumulated "
        "-ResourceAccumulatorSetGlobalStep -ResourceConditionalAccumulator -SparseConditionalAccumulator +Stage "
        "+StagePeek +Unstage +_HostSend +_Send");
  }

  /// Reading a count, asking for a device and making an object change nothing. Clearing, closing, deleting, initialising, locking and the positions of
  /// iterators were forgotten.
  void whatGoingBackInAStepMustSetBack() {
    compare(
        [](const OpRecord& r) {
          static constexpr std::string_view kParts[] = {"Enqueue",     "Dequeue",      "QueueClose",  "ReaderRead",      "ReaderReset", "ReaderRestore",
                                                        "IteratorGet", "MakeIterator", "BarrierTake", "BarrierInsert",   "TableInsert", "TableImport",
                                                        "TableRemove", "Accumulator",  "Unstage",     "DestroyResource", "MapStage"};
          return std::any_of(std::begin(kParts), std::end(kParts), [&](std::string_view part) { return has(r.name, part); }) ||
                 isOneOf(r.name, {"Stage", "PyFunc"});
        },
        [](const OpRecord& r) { return any(r.opEffects & (Effect::Queue | Effect::Table | Effect::Input | Effect::Object | Effect::Program)); },
        "-AccumulatorNumAccumulated +AddManySparseToTensorsMap +AddSparseToTensorsMap +BarrierClose "
        "+BoostedTreesCreateEnsemble +BoostedTreesCreateQuantileStreamResource +BoostedTreesDeserializeEnsemble "
        "+BoostedTreesQuantileStreamResourceDeserialize -ConditionalAccumulator +ConsumeMutexLock +DeleteIterator "
        "+DeleteMemoryCache +DeleteMultiDeviceIterator +DeleteRandomSeedGenerator +DeleteSessionTensor "
        "+DeserializeIterator -ExperimentalIteratorGetDevice +GetSessionHandle +GetSessionHandleV2 +InitializeTable "
        "+InitializeTableFromTextFile +InitializeTableFromTextFileV2 +InitializeTableV2 -IteratorGetDevice +MapClear "
        "+MultiDeviceIteratorInit +MutexLock +OrderedMapClear -ResourceAccumulatorNumAccumulated "
        "-ResourceConditionalAccumulator +SerializeIterator -SparseConditionalAccumulator +StageClear +TakeManySparseFromTensorsMap "
        "+TensorForestCreateTreeVariable +TensorForestTreeDeserialize +_HostRecv +_HostSend +_Recv +_Send");
  }

  void optimizers() {
    compare([](const OpRecord& r) { return has(r.name, "Apply") && !has(r.name, "Accumulator"); }, roleIs(OpRole::ApplyGradient), {});
  }

  /// ScatterNd and ScatterNdNonAliasingAdd make new tensors.
  void updates() {
    compare(
        [](const OpRecord& r) {
          return isOneOf(r.name, {"AssignAdd", "AssignSub", "AssignAddVariableOp", "AssignSubVariableOp", "CountUpTo", "ResourceCountUpTo"}) ||
                 r.name.starts_with("Scatter") || r.name.starts_with("ResourceScatter");
        },
        roleIs(OpRole::Update), "+ResourceStridedSliceAssign -ScatterNd -ScatterNdNonAliasingAdd +StridedSliceAssign");
  }

  /// Both pass a NaN on and make none.
  void whatIsPassedOn() {
    compare(
        [](const OpRecord& r) {
          return isOneOf(r.name,
                         {"Identity", "Reshape", "Squeeze", "ExpandDims", "StopGradient", "Snapshot", "Const", "PlaceholderWithDefault", "PreventGradient"});
        },
        [](const OpRecord& r) {
          return r.opRole == OpRole::Identity || r.opRole == OpRole::Reshape || r.opRole == OpRole::Copy || r.opRole == OpRole::Constant ||
                 r.opRole == OpRole::DefaultedPlaceholder;
        },
        "+DeepCopy +GuaranteeConst");
  }

  /// Sparse optimizers and the references of loops were forgotten, ScatterNd makes a new tensor. CountUpTo has one scalar of its own: too small to show.
  void whatLiesWhereItsInputLies() {
    compare(
        [](const OpRecord& r) {
          return isOneOf(r.name, {"Identity", "Reshape",   "Squeeze",   "ExpandDims", "StopGradient",   "PreventGradient", "RefIdentity",
                                  "Assign",   "AssignAdd", "AssignSub", "Enter",      "Exit",           "NextIteration",   "Switch",
                                  "Merge",    "RefSwitch", "RefMerge",  "LoopCond",   "ReadVariableOp", "IdentityN"}) ||
                 r.name.starts_with("Apply") || r.name.starts_with("Scatter");
        },
        [](const OpRecord& r) {
          if (r.outputs.empty()) return false;
          const OpRole o = r.opRole;
          return o == OpRole::Identity || o == OpRole::Identities || o == OpRole::RefIdentity || o == OpRole::Reshape || o == OpRole::ReadVariable ||
                 isFlow(o) || changesVariable(o);
        },
        "+CountUpTo +GuaranteeConst +RefEnter +RefExit +RefNextIteration +ResourceCountUpTo -ScatterNd "
        "-ScatterNdNonAliasingAdd +SparseApplyAdadelta +SparseApplyAdagrad +SparseApplyAdagradDA +SparseApplyAdagradV2 "
        "+SparseApplyCenteredRMSProp +SparseApplyFtrl +SparseApplyFtrlV2 +SparseApplyMomentum "
        "+SparseApplyProximalAdagrad +SparseApplyProximalGradientDescent +SparseApplyRMSProp +StridedSliceAssign");
  }

  void savers() {
    compare([](const OpRecord& r) { return r.name.starts_with("Save") || r.name.starts_with("Restore"); },
            [](const OpRecord& r) { return r.opRole == OpRole::Save || r.opRole == OpRole::Restore; }, {});
  }

  /// DebugNumericSummary is a tensor of numbers; statistics of data sets show no tensor of the graph; the others write summaries and make none
  /// (OpRole::WriteSummary).
  void summaries() {
    compare(
        [](const OpRecord& r) { return r.name.ends_with("Summary") || r.name.ends_with("SummaryV2"); },
        [](const OpRecord& r) { return r.opRole == OpRole::Summary || r.opRole == OpRole::MergeSummary; },
        "-DebugNumericSummary -ExperimentalStatsAggregatorSummary -StatsAggregatorSummary -WriteAudioSummary -WriteGraphSummary -WriteHistogramSummary -WriteImageSummary "
        "-WriteRawProtoSummary -WriteScalarSummary -WriteSummary");
  }

  void queues() {
    compare([](const OpRecord& r) { return r.name.ends_with("Queue") || r.name.ends_with("QueueV2"); },
            [](const OpRecord& r) { return r.opRole == OpRole::Queue || r.opRole == OpRole::ShuffleQueue; }, {});
  }

  void tables() {
    compare([](const OpRecord& r) { return has(r.name, "HashTable"); }, roleIs(OpRole::Table), {});
    compare([](const OpRecord& r) { return r.name.starts_with("InitializeTable"); }, roleIs(OpRole::InitializeTable), {});
  }

  /// Stateless ops depend on their seeds alone; queues, data sets and seed generators draw when they are used.
  void randomNumbers() {
    compare(
        [](const OpRecord& r) {
          return has(r.name, "Random") || isOneOf(r.name, {"Multinomial", "TruncatedNormal"}) || r.name.ends_with("CandidateSampler");
        },
        roleIs(OpRole::Random),
        "-AnonymousRandomSeedGenerator -DeleteRandomSeedGenerator -ExperimentalRandomDataset +NonDeterministicInts "
        "+ParameterizedTruncatedNormal -RandomDataset -RandomGammaGrad -RandomShuffleQueue -RandomShuffleQueueV2 "
        "+SampleDistortedBoundingBox +SampleDistortedBoundingBoxV2 +StatefulStandardNormal +StatefulStandardNormalV2 "
        "+StatefulTruncatedNormal +StatefulUniform +StatefulUniformFullInt +StatefulUniformInt -StatelessRandomNormal "
        "-StatelessRandomUniform -StatelessRandomUniformInt");
  }

  /// Ops that graphs, files and layers asked for by name.
  void rolesOfSingleOps() {
    const std::vector<std::pair<OpRole, std::set<std::string>>> all = {
        {OpRole::Constant, {"Const"}},
        {OpRole::Fill, {"Fill"}},
        {OpRole::DefaultedPlaceholder, {"PlaceholderWithDefault"}},
        {OpRole::Argument, {"_Arg"}},
        {OpRole::Assign, {"Assign", "AssignVariableOp"}},
        {OpRole::ReadVariable, {"ReadVariableOp"}},
        {OpRole::GatherVariable, {"ResourceGather"}},
        {OpRole::Group, {"NoOp"}},
        {OpRole::Switch, {"Switch", "RefSwitch"}},
        {OpRole::Merge, {"Merge", "RefMerge"}},
        {OpRole::Enter, {"Enter", "RefEnter"}},
        {OpRole::Exit, {"Exit", "RefExit"}},
        {OpRole::NextIteration, {"NextIteration", "RefNextIteration"}},
        {OpRole::LoopCond, {"LoopCond"}},
        {OpRole::WhileFunction, {"While", "StatelessWhile"}},
        {OpRole::StackMaker, {"Stack", "StackV2"}},
        {OpRole::Save, {"Save", "SaveSlices", "SaveV2"}},
        {OpRole::Restore, {"Restore", "RestoreSlice", "RestoreV2"}},
        {OpRole::Sum, {"Add", "AddV2", "AddN"}},
    };
    for (const auto& [role, names] : all) compare([&names = names](const OpRecord& r) { return names.count(r.name) > 0; }, roleIs(role), {});
    compare([](const OpRecord& r) { return r.name.starts_with("StackPush"); }, roleIs(OpRole::StackPush), {});
    compare([](const OpRecord& r) { return r.name.starts_with("StackPop"); }, roleIs(OpRole::StackPop), {});
    compare([](const OpRecord& r) { return r.name.starts_with("Stack"); }, [](const OpRecord& r) { return isStack(r.opRole); }, {});
  }

  /// Both need a feed.
  void placeholders() {
    compare([](const OpRecord& r) { return r.name == "Placeholder"; }, roleIs(OpRole::Placeholder), "+PlaceholderV2");
  }

  /// References were forgotten; a handle is none, so nothing comes of following them.
  void whatHandlesPassThrough() {
    compare(
        [](const OpRecord& r) {
          return isOneOf(r.name, {"Identity", "Enter", "Exit", "Switch", "NextIteration", "Merge"});
        },
        [](const OpRecord& r) { return r.passesHandles; }, "+RefEnter +RefExit +RefIdentity +RefMerge +RefNextIteration +RefSwitch");
    compare(
        [](const OpRecord& r) {
          return isOneOf(r.name, {"Identity", "RefIdentity"});
        },
        [](const OpRecord& r) { return r.passesHandles && (r.opRole == OpRole::Identity || r.opRole == OpRole::RefIdentity); }, {});
  }

  void constantsPassThrough() {
    compare(
        [](const OpRecord& r) {
          return isOneOf(r.name, {"Identity", "StopGradient", "PreventGradient", "Snapshot"});
        },
        [](const OpRecord& r) { return (r.opRole == OpRole::Identity || r.opRole == OpRole::Copy) && !any(r.opEffects & ~Effect::Check); }, {});
  }

  void shapeFunctionsThatAreWrong() {
    const auto from = [](int right) { return [right](const OpRecord& r) { return r.statedOutputs == right; }; };
    compare([](const OpRecord& r) { return r.name == "DebugNanCount"; }, from(0), {});
    compare([](const OpRecord& r) { return r.name.starts_with("FusedBatchNormGrad"); }, from(3), {});
    compare([](const OpRecord&) { return true; }, [](const OpRecord& r) { return r.statedOutputs == 0 || r.statedOutputs == 3 || r.statedOutputs == -1; }, {});
  }

  /// Attributes and numbers of inputs that tell versions of an op apart.
  void versions() {
    compare([](const OpRecord& r) { return r.name == "VarHandleOp"; }, [](const OpRecord& r) { return isResourceVariable(r.name); }, {});
    compare([](const OpRecord& r) { return r.name == "Assign"; }, [](const OpRecord& r) { return r.opRole == OpRole::Assign && r.findAttr("validate_shape"); },
            {});
    compare([](const OpRecord& r) { return r.name == "TensorArrayV3"; },
            [](const OpRecord& r) { return r.opRole == OpRole::TensorArray && r.findAttr("identical_element_shapes"); }, {});
    compare([](const OpRecord& r) { return r.name == "SaveV2"; }, [](const OpRecord& r) { return r.opRole == OpRole::Save && r.findAttr("dtypes"); }, {});
    compare([](const OpRecord& r) { return r.name == "RestoreV2"; }, [](const OpRecord& r) { return r.opRole == OpRole::Restore && r.findAttr("dtypes"); }, {});
    compare([](const OpRecord& r) { return r.name == "Save"; }, [](const OpRecord& r) { return r.opRole == OpRole::Save && r.inputs.size() == 3; }, {});
    compare([](const OpRecord& r) { return r.name == "Restore"; }, [](const OpRecord& r) { return r.opRole == OpRole::Restore && r.inputs.size() == 2; }, {});
  }

  /// The question of whether a reference has a value was forgotten; a tree is no variable.
  void probes() {
    compare([](const OpRecord& r) { return has(r.name, "IsInitialized"); }, roleIs(OpRole::ProbeVariable),
            "+IsVariableInitialized -TensorForestTreeIsInitializedOp");
  }

  /// DebugNumericSummary is a tensor of numbers, statistics of data sets show no tensor; the ops that make, flush and close a writer, or copy an event, were forgotten.
  void partsOfSummaries() {
    compare([](const OpRecord& r) { return r.name.ends_with("Summary") || r.name.ends_with("SummaryV2"); },
            [](const OpRecord& r) { return isSummary(r.opRole); },
            "+CloseSummaryWriter +CreateSummaryFileWriter -DebugNumericSummary -ExperimentalStatsAggregatorSummary +FlushSummaryWriter +ImportEvent "
            "-StatsAggregatorSummary +SummaryWriter");
  }

  /// What training changes. Accumulators, arrays, lists and new tensors are no variables; a counter and a slice of a variable are changed too.
  void whatOptimizersChange() {
    compare([](const OpRecord& r) { return has(r.name, "Apply") || r.name.starts_with("Assign") || has(r.name, "Scatter"); },
            [](const OpRecord& r) { return changesVariable(r.opRole); },
            "-AccumulatorApplyGradient +CountUpTo -ResourceAccumulatorApplyGradient +ResourceCountUpTo "
            "+ResourceStridedSliceAssign -ScatterNd -ScatterNdNonAliasingAdd -SparseAccumulatorApplyGradient +StridedSliceAssign -TensorArrayScatter "
            "-TensorArrayScatterV2 -TensorArrayScatterV3 -TensorListScatter -TensorListScatterIntoExistingList -TensorListScatterV2 "
            "-TensorScatterAdd -TensorScatterSub -TensorScatterUpdate");
    // A handle is nothing that is computed, and VariableShape is.
    compare([](const OpRecord& r) { return r.name.starts_with("Variable"); }, roleIs(OpRole::Variable), "+VarHandleOp -VariableShape");
  }
};

QTEST_APPLESS_MAIN(OpTraitsTest)
#include "tst_op_traits.moc"
