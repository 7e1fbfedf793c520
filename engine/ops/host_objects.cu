#include "device/cuda/registration.h"

// Iterators, queues, staging areas, locks and kept tensors, which TensorFlow also has for GPUs. Here their tensors stay in host memory: each is copied once, to where it is
// used.
namespace weft::cuda {

void registerHostObjectsGpu(OpRegistry& ops) {
  for (const char* op : {"AnonymousIterator", "AnonymousIteratorV2", "DeleteIterator", "GeneratorDataset", "IteratorFromStringHandleV2", "IteratorGetNext",
                         "IteratorGetNextAsOptional", "IteratorGetNextSync", "IteratorToStringHandle", "IteratorV2", "MakeIterator", "OptionalFromValue",
                         "OptionalGetValue", "OptionalHasValue", "OptionalNone", "PrefetchDataset"}) {
    keepOnHost(ops, op, {}, "T", true);
  }
  for (const char* op : {"ExperimentalMapDataset",
                         "ExperimentalSleepDataset",
                         "SleepDataset",
                         "QueueCloseV2",
                         "QueueDequeueV2",
                         "QueueEnqueueV2",
                         "QueueIsClosedV2",
                         "QueueSizeV2",
                         "Stage",
                         "Unstage",
                         "StagePeek",
                         "StageSize",
                         "StageClear",
                         "MapStage",
                         "MapPeek",
                         "MapUnstage",
                         "MapUnstageNoKey",
                         "MapSize",
                         "MapIncompleteSize",
                         "MapClear",
                         "OrderedMapStage",
                         "OrderedMapPeek",
                         "OrderedMapUnstage",
                         "OrderedMapUnstageNoKey",
                         "OrderedMapSize",
                         "OrderedMapIncompleteSize",
                         "OrderedMapClear",
                         "MutexV2",
                         "MutexLock",
                         "ConsumeMutexLock",
                         "GetSessionHandle",
                         "GetSessionHandleV2",
                         "GetSessionTensor",
                         "DeleteSessionTensor",
                         "DebugGradientIdentity",
                         "DebugIdentity",
                         "DebugNanCount",
                         "DebugNumericSummary"}) {
    keepOnHost(ops, op, {});
  }
}

}  // namespace weft::cuda
