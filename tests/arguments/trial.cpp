#include "trial.h"

#include <malloc.h>
#include <time.h>

#include <atomic>
#include <cstdlib>
#include <fstream>
#include <new>

#include "odd_values.h"
#include "weft/builder.h"
#include "weft/session.h"

namespace {

/// Upper limit of operator new: larger blocks must come from the tensor allocator, which enforces its limit.
constexpr size_t kLargest = size_t(256) << 20;
std::atomic<size_t> largest{0};

void* take(size_t bytes, size_t alignment) {
  if (size_t before = largest.load(std::memory_order_relaxed); bytes > before) largest.store(bytes, std::memory_order_relaxed);
  if (bytes > kLargest) throw std::bad_alloc();
  void* p =
      alignment > alignof(std::max_align_t) ? ::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment) : std::malloc(bytes ? bytes : 1);
  if (!p) throw std::bad_alloc();
  return p;
}

}  // namespace

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wmismatched-new-delete"  // which take() returns is not seen through it
#endif
void* operator new(size_t n) { return take(n, 0); }
void* operator new[](size_t n) { return take(n, 0); }
void* operator new(size_t n, std::align_val_t a) { return take(n, size_t(a)); }
void* operator new[](size_t n, std::align_val_t a) { return take(n, size_t(a)); }
void operator delete(void* p) noexcept { std::free(p); }
void operator delete[](void* p) noexcept { std::free(p); }
void operator delete(void* p, size_t) noexcept { std::free(p); }
void operator delete[](void* p, size_t) noexcept { std::free(p); }
void operator delete(void* p, std::align_val_t) noexcept { std::free(p); }
void operator delete[](void* p, std::align_val_t) noexcept { std::free(p); }
void operator delete(void* p, size_t, std::align_val_t) noexcept { std::free(p); }
void operator delete[](void* p, size_t, std::align_val_t) noexcept { std::free(p); }

#ifdef WEFT_ASAN
/// Libraries may bind to the sanitizer's `operator delete` instead of the one above, for memory allocated by ours.
extern "C" __attribute__((visibility("default"), used)) const char* __asan_default_options() { return "alloc_dealloc_mismatch=0"; }
#endif

namespace weft::arguments {
namespace {

constexpr size_t kMostOutputs = 1000;  ///< Of a node whose gradient is built.

double processorSeconds() {
  timespec t{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return double(t.tv_sec) + double(t.tv_nsec) * 1e-9;
}

bool floating(DType t) { return isFloating(t) || isComplex(t); }

/// What the window computes for a node without running it: its cost, and its gradient if it has one.
void ask(const MetaGraph& loaded, const std::string& name) {
  const Node* node = loaded.graph.find(name);
  if (!node || !node->record) return;
  std::vector<Shape> inputs;
  for (const Output& o : node->inputs) inputs.push_back(loaded.graph.shape(o));
  if (node->record->costFunction)
    (void)node->record->costFunction(inputs, node->outputShapes, node->attrs, node->outputTypes.empty() ? DType::Float : baseType(node->outputTypes[0]));
  if (!node->record->gradientFunction || node->outputTypes.size() > kMostOutputs) return;  // a million zeros take their time in any graph
  MetaGraph copy = loaded;
  std::vector<Output> ys, xs;
  for (int k = 0; k < int(node->outputTypes.size()); ++k) {
    if (floating(node->outputTypes[size_t(k)])) ys.push_back({node->id, k});
  }
  for (const Output& o : node->inputs) {
    if (floating(baseType(loaded.graph.dtype(o)))) xs.push_back(o);
  }
  if (ys.empty() || xs.empty()) return;
  GraphBuilder builder(copy);
  (void)addGradients(builder, ys, xs);
}

void note(Outcome& outcome, const Error& error) {
  if (outcome.code == Code::Internal || outcome.code == Code::Unknown) return;  // the more telling one stays
  outcome.code = error.code;
  outcome.message = error.toString();
}

void runSteps(const Call& call, Outcome& outcome) {
  auto bytes = serializeGraph(call.meta, GraphFormat::GraphBinary);
  if (!bytes.ok()) return note(outcome, bytes.error());
  auto loaded = loadGraphBytes(std::make_shared<const std::string>(std::move(*bytes)), "call");
  if (!loaded.ok()) return note(outcome, loaded.error());
  for (const Error& problem : loaded->problems) note(outcome, problem);
  ask(loaded->meta, call.meta.graph.node(call.node)->name);
  SessionOptions options;
  options.threads = 1;
  options.operationTimeoutMs = 300;
  auto session = Session::create(loaded->meta.graph, options);
  if (!session.ok()) return note(outcome, session.error());
  for (const Step& step : call.steps) {
    const auto values = (*session)->run(step.feeds, step.fetches, step.targets);
    if (!values.ok()) {
      note(outcome, values.error());
      if (values.error().code == Code::DeadlineExceeded) break;
      continue;
    }
    for (size_t k = 0; k < values->size() && k < step.fetches.size(); ++k) {
      const auto output = loaded->meta.graph.findOutput(step.fetches[k]);
      if (output.ok() && (*values)[k].hasValue() && baseType(loaded->meta.graph.dtype(*output)) != (*values)[k].dtype()) {
        outcome.wrongType = true;
        outcome.message = step.fetches[k] + " is " + (*values)[k].toString(4);
      }
      (void)(*values)[k].toString(8);
    }
  }
}

}  // namespace

Outcome attempt(const Call& call) {
  Outcome outcome;
  largest = 0;
  const double before = processorSeconds();
  runSteps(call, outcome);
  outcome.seconds = processorSeconds() - before;
  outcome.memory = largest > kLargest ? largest.load() : 0;
  return outcome;
}

std::string describe(const Call& call) {
  const auto text = serializeGraph(call.meta, GraphFormat::GraphText);
  std::string out = text.ok() ? *text : text.error().toString() + "\n";
  for (const Step& step : call.steps) {
    out += "run";
    for (const auto& [name, value] : step.feeds) out += concat("\n  feed ", name, " ", value.toString(16));
    for (const std::string& name : step.fetches) out += "\n  fetch " + name;
    for (const std::string& name : step.targets) out += "\n  target " + name;
    out += '\n';
  }
  return out;
}

bool write(const Call& call, const std::string& path) {
  MetaGraph fed;
  std::string steps;
  for (const Step& step : call.steps) {
    steps += "run\n";
    for (const auto& [name, value] : step.feeds) {
      Node node = producerOf(DType::Float, false, concat("fed", fed.graph.size()));
      node.attrs.set("dtype", value.dtype());
      node.attrs.set("value", value);
      node.outputTypes = {value.dtype()};
      steps += concat("feed ", name, " ", node.name, "\n");
      if (!fed.graph.add(std::move(node)).ok()) return false;
    }
    for (const std::string& name : step.fetches) steps += "fetch " + name + "\n";
    for (const std::string& name : step.targets) steps += "target " + name + "\n";
  }
  if (!saveGraphFile(call.meta, GraphFormat::GraphBinary, path + ".pb").ok() || !saveGraphFile(fed, GraphFormat::GraphBinary, path + ".feeds.pb").ok())
    return false;
  std::ofstream(path + ".txt") << steps;
  return true;
}

}  // namespace weft::arguments
