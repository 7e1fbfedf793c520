#pragma once

#include <cstdint>
#include <string_view>

#include "weft/export.h"

namespace weft {

struct Node;

/// What an op is for in a graph. Analyses, drawings and tools ask for the role; they do not compare names. Each op's record states it (OpRecord::role).
enum class OpRole : uint8_t {
  Compute,               ///< Computes its outputs from its inputs: every op that has none of the roles below.
  Constant,              ///< A value that the graph holds (Const).
  Fill,                  ///< The same value everywhere in a given shape.
  Placeholder,           ///< Takes its value from a feed, and fails without one.
  DefaultedPlaceholder,  ///< Takes its value from a feed, or else from its input (PlaceholderWithDefault).
  Argument,              ///< An argument of a function (_Arg).
  // Variables
  Variable,         ///< Holds a value from step to step (VariableV2, VarHandleOp).
  ScratchVariable,  ///< Holds a value within a step (TemporaryVariable).
  ReadVariable,     ///< The value of a resource variable (ReadVariableOp).
  GatherVariable,   ///< Some rows of a resource variable (ResourceGather).
  ProbeVariable,    ///< Whether a variable has a value (IsVariableInitialized).
  Assign,           ///< Replaces a variable's value.
  Update,           ///< Changes a variable's value (AssignAdd, ScatterSub, CountUpTo).
  ApplyGradient,    ///< A step of an optimizer (ApplyAdam).
  // Values passed on
  Identity,     ///< Its output is its input (Identity, StopGradient, Snapshot).
  Identities,   ///< Its outputs are its inputs (IdentityN).
  RefIdentity,  ///< Its output refers to the variable that its input refers to.
  Copy,         ///< Its output is a copy of its input, with memory of its own (Snapshot).
  Reshape,      ///< The input's elements in another shape (Reshape, Squeeze, ExpandDims).
  Cast,         ///< The input's elements in another type.
  ShapeOf,      ///< Follows from the shape of its input alone (Shape, ShapeN, Size, Rank).
  // Order and control flow
  Group,           ///< Only orders other ops (NoOp).
  ControlTrigger,  ///< Only orders other ops, and runs even where they are dead.
  Switch,
  Merge,
  Enter,
  Exit,
  NextIteration,
  LoopCond,
  WhileFunction,  ///< While, StatelessWhile
  Branch,         ///< If, StatelessIf, Case: runs one of its functions.
  Check,          ///< Fails where something is not as stated (Assert, CheckNumerics); its output, if any, is its input.
  // Files and reports
  Save,
  Restore,
  SaverFile,  ///< Names or merges the files of a checkpoint (ShardedFilename, MergeV2Checkpoints).
  Summary,    ///< Makes a Summary proto of a tensor.
  MergeSummary,
  WriteSummary,  ///< Works on a summary writer.
  Print,
  // Input pipelines and objects of the session
  Queue,
  ShuffleQueue,
  Enqueue,
  Dequeue,
  CloseQueue,
  QueueState,  ///< Asks about a queue (QueueSize).
  Dataset,
  ShuffleDataset,
  BatchDataset,
  Iterator,         ///< Walks over the data set that MakeIterator gives it.
  OneShotIterator,  ///< Has its data set from the start.
  IteratorName,     ///< The string handle of an iterator.
  IteratorByName,   ///< The iterator of a string handle.
  MakeIterator,     ///< Sets an iterator to the start of a data set.
  IteratorGetNext,
  Reader,
  ReaderRead,
  Table,
  InitializeTable,
  Barrier,
  Accumulator,
  StackMaker,  ///< Stack, StackV2
  StackPush,
  StackPop,
  StackClose,
  TensorArray,  ///< Makes a TensorArray or works on one.
  TensorList,   ///< Makes a list of tensors or works on one.
  // Arithmetic that tools know by its meaning
  Random,  ///< Draws random numbers.
  MatMul,
  Convolution,
  Pooling,
  BatchNorm,
  Softmax,
  LogSoftmax,
  Sigmoid,
  SoftmaxLoss,  ///< Cross entropy that takes logits and does the softmax itself.
  ArgMax,
  Sum,  ///< Adds two or more tensors (Add, AddV2, AddN).
  BiasAdd,
};

/// What running an op does or depends on beside its inputs and outputs. A set.
enum class Effect : uint16_t {
  None = 0,
  Reads = 1 << 0,     ///< The result depends on state that other ops change.
  Makes = 1 << 1,     ///< Makes an object of the session, or finds the one that is there: twice is as good as once.
  Variable = 1 << 2,  ///< Changes a variable.
  Random = 1 << 3,    ///< Advances a stream of random numbers.
  Queue = 1 << 4,     ///< Changes a queue, barrier, staging area or accumulator.
  Table = 1 << 5,     ///< Changes a lookup table.
  Input = 1 << 6,     ///< Moves or sets a reader or an iterator.
  Object = 1 << 7,    ///< Changes or destroys any other object of the session.
  Step = 1 << 8,      ///< Changes an object that lives as long as the step: a tensor array, a stack.
  File = 1 << 9,      ///< Reads or writes files.
  Output = 1 << 10,   ///< Prints, or writes summaries.
  Check = 1 << 11,    ///< Is there to fail where something is not as stated.
  Feed = 1 << 12,     ///< Fails unless it is fed.
  Program = 1 << 13,  ///< Runs functions or code of the program, which may do anything.
  Declared = 1 << 14  ///< None that is known, but TensorFlow's definition says "stateful", and TensorFlow never folds or merges it.
};
constexpr Effect operator|(Effect a, Effect b) { return Effect(uint16_t(a) | uint16_t(b)); }
constexpr Effect operator&(Effect a, Effect b) { return Effect(uint16_t(a) & uint16_t(b)); }
constexpr Effect operator~(Effect a) { return Effect(uint16_t(~uint16_t(a))); }
constexpr bool any(Effect e) { return e != Effect::None; }

/// How a NaN in the inputs comes out again.
enum class NanPath : uint8_t {
  Unknown,
  Elementwise,  ///< At the same element of the output.
  Whole,        ///< Somewhere in the output, unless that has no elements.
  Spread        ///< In one of the outputs.
};

/// The role of a node's op; Compute for an op that the registry does not know.
WEFT_API OpRole roleOf(const Node& node);
/// The same for the name of an op, e.g. of a NodeDef.
WEFT_API OpRole roleOf(std::string_view op);

/// Whether a variable's output is a handle (VarHandleOp), not a reference.
WEFT_API bool isResourceVariable(const Node& node);
WEFT_API bool isResourceVariable(std::string_view op);
/// Whether the op's first output stands for its first input, be it a value, a handle or what a gradient is taken of: Identity, and v1 control flow but for
/// LoopCond. StopGradient passes values only.
WEFT_API bool passesHandles(const Node& node);
WEFT_API bool passesHandles(std::string_view op);

/// All that running this node does or depends on beside its inputs and outputs: the effects of its op, Program if an attribute is a function or
/// the op is unknown. This is the one place that decides whether a node may be left out, computed ahead, repeated or moved.
WEFT_API Effect effectsOf(const Node& node);
/// Whether nothing changes if the node is left out, computed ahead or repeated, but that its outputs are missing.
inline bool isPure(const Node& node) { return !any(effectsOf(node)); }
/// Whether an input or output refers to a variable or is the handle of a resource.
WEFT_API bool touchesHandles(const Node& node);
/// Whether the op changes state of the session, other than variables and random streams, that going back within a step has to set back. What the functions
/// that it calls do is not looked at.
WEFT_API bool changesSession(const Node& node);
/// Whether an op may keep its input tensors, or hand out tensors that it keeps, beyond the call.
WEFT_API bool retainsTensors(const Node& node);

inline bool isVariable(const Node& node) { return roleOf(node) == OpRole::Variable; }
inline bool isConstant(const Node& node) { return roleOf(node) == OpRole::Constant; }
/// A placeholder that must be fed.
inline bool isPlaceholder(const Node& node) { return roleOf(node) == OpRole::Placeholder; }
/// Any placeholder.
inline bool isFeedPoint(const Node& node) { return roleOf(node) == OpRole::Placeholder || roleOf(node) == OpRole::DefaultedPlaceholder; }
/// Whether an op is there to fail where something is not as stated: no rewrite may leave it out because its value is not needed.
inline bool isCheck(const Node& node) { return any(effectsOf(node) & Effect::Check); }
inline bool changesVariable(OpRole r) { return r == OpRole::Assign || r == OpRole::Update || r == OpRole::ApplyGradient; }
/// Identity and RefIdentity.
inline bool isIdentity(const Node& node) { return passesHandles(node) && (roleOf(node) == OpRole::Identity || roleOf(node) == OpRole::RefIdentity); }
/// Whether an edge closes a loop. Such edges do not count in the order of nodes.
inline bool isBackEdge(OpRole from, OpRole to) { return from == OpRole::NextIteration && to == OpRole::Merge; }
inline bool isBackEdge(const Node& from, const Node& to) { return roleOf(to) == OpRole::Merge && roleOf(from) == OpRole::NextIteration; }
inline bool isSummary(OpRole r) { return r == OpRole::Summary || r == OpRole::MergeSummary || r == OpRole::WriteSummary; }
inline bool isStack(OpRole r) { return r >= OpRole::StackMaker && r <= OpRole::StackClose; }
/// v1 control flow: Switch to LoopCond.
inline bool isFlow(OpRole r) { return r >= OpRole::Switch && r <= OpRole::LoopCond; }

}  // namespace weft
