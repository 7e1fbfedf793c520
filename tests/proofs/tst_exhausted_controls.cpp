#include <QTest>
#include <array>

#include "exhaust.h"
#include "kernel/session_state.h"
#include "runtime/plan_graph.h"

using namespace weft;

// Rewrites that move edges: all plans of four nodes of every kind, with a data edge, a control edge or none between any two. The required properties are
// restated here in terms of the execution order, independently of the pass's algorithm.
namespace {

enum Kind { Feed, Pure, MayFail, View, Var, Read, OpEffect, Check, Nothing, kKinds };
constexpr int kNodes = 4;

/// Ops of each kind; one record each, so that plans are made quickly.
struct Ops {
  std::array<Node, kKinds> nodes;
  Ops() {
    const char* names[kKinds] = {"", "Neg", "MatMul", "Reshape", "VariableV2", "Identity", "RandomUniform", "CheckNumerics", "NoOp"};
    for (int k = 1; k < kKinds; ++k) {
      Node& n = nodes[size_t(k)];
      n.name = n.op = names[k];
      n.record = OpRegistry::instance().find(n.op);
      if (!n.record) qFatal("no op %s", names[k]);
      if (k != Nothing) n.outputTypes = {k == Var ? refType(DType::Float) : DType::Float};
      n.inputTypes = {DType::Float};
      n.outputShapes.resize(n.outputTypes.size());
    }
    nodes[OpEffect].outputTypes = {DType::Float};
  }
};

struct Drawn {
  std::array<Kind, kNodes> kinds{};
  std::array<std::array<int, kNodes>, kNodes> edge{};  ///< [to][from]: 0 none, 1 data, 2 control.
  int asked = 0;                                       ///< Bits: targets in addition to the last node.
};

PlanGraph planOf(const Drawn& d, const Ops& ops, Device* device) {
  PlanGraph plan;
  for (int i = 0; i < kNodes; ++i) {
    PlanNode p;
    const Kind kind = d.kinds[size_t(i)];
    p.origin = i;
    p.device = device;
    if (kind == Feed) {
      p.feed = 0;
      p.types = {DType::Float};
    } else {
      p.node = &ops.nodes[size_t(kind)];
      p.types = p.node->outputTypes;
    }
    p.shapes.assign(p.types.size(), Shape{2});
    for (int from = 0; from < i; ++from) {
      const int e = d.edge[size_t(i)][size_t(from)];
      if (e == 1) p.inputs.push_back({from, 0});
      if (e == 2) p.controls.push_back(from);
    }
    plan.nodes.push_back(std::move(p));
  }
  if (d.kinds[kNodes - 1] == Nothing) plan.targets.push_back(kNodes - 1);
  else plan.fetches.push_back({kNodes - 1, 0});
  for (int i = 0; i + 1 < kNodes; ++i)
    if (d.asked >> i & 1) plan.targets.push_back(i);
  // The nodes that a plan's fetches and targets need.
  unsigned needed = 0;
  for (const Output& f : plan.fetches) needed |= 1u << f.node;
  for (const int t : plan.targets) needed |= 1u << t;
  for (int i = kNodes - 1; i >= 0; --i) {
    if (!(needed >> i & 1)) {
      plan.nodes[size_t(i)].alive = false;
      continue;
    }
    for (int from = 0; from < i; ++from)
      if (d.edge[size_t(i)][size_t(from)]) needed |= 1u << from;
  }
  return plan;
}

/// Per node, as bits: the nodes that run before it.
std::array<unsigned, 16> beforeOf(const PlanGraph& plan, bool& acyclic) {
  std::array<unsigned, 16> before{};
  const std::vector<int> order = plan.order();
  size_t alive = 0;
  for (const PlanNode& p : plan.nodes) alive += p.alive;
  acyclic = order.size() == alive;
  for (const int i : order) {
    const auto add = [&](int from) { before[size_t(i)] |= before[size_t(from)] | 1u << from; };
    for (const Output& in : plan.nodes[size_t(i)].inputs) add(in.node);
    for (const int c : plan.nodes[size_t(i)].controls) add(c);
  }
  return before;
}

/// The nodes computed for the fetches and targets.
unsigned runOf(const PlanGraph& plan, const std::array<unsigned, 16>& before) {
  unsigned run = 0;
  for (const Output& f : plan.fetches) run |= before[size_t(f.node)] | 1u << f.node;
  for (const int t : plan.targets) run |= before[size_t(t)] | 1u << t;
  return run;
}

/// Calls `f` with every plan; every `stride`th of them.
template <typename F>
void eachPlan(const std::vector<Kind>& kinds, int64_t stride, F&& f) {
  Drawn d;
  int64_t position = 0;
  const int pairs = kNodes * (kNodes - 1) / 2;
  int64_t edgeCodes = 1, kindCodes = 1;
  for (int i = 0; i < pairs; ++i) edgeCodes *= 3;
  for (int i = 0; i < kNodes; ++i) kindCodes *= int64_t(kinds.size());
  for (int64_t k = 0; k < kindCodes; ++k) {
    int64_t rest = k;
    for (int i = 0; i < kNodes; ++i, rest /= int64_t(kinds.size())) d.kinds[size_t(i)] = kinds[size_t(rest % int64_t(kinds.size()))];
    for (int64_t e = 0; e < edgeCodes; ++e) {
      rest = e;
      bool fits = true;
      for (int to = 1; to < kNodes && fits; ++to) {
        int data = 0;
        for (int from = 0; from < to; ++from, rest /= 3) {
          const int edge = d.edge[size_t(to)][size_t(from)] = int(rest % 3);
          const Kind kind = d.kinds[size_t(to)];
          if (edge && kind == Feed) fits = false;
          if (edge == 1 && (d.kinds[size_t(from)] == Nothing || kind == Var || kind == Nothing)) fits = false;
          data += edge == 1;
        }
        const Kind kind = d.kinds[size_t(to)];
        if (data > 1 && (kind == Read || kind == Check)) fits = false;
      }
      // A first node without inputs is something that has none.
      fits &= d.kinds[0] == Feed || d.kinds[0] == Var || d.kinds[0] == Nothing || d.kinds[0] == OpEffect;
      for (int i = 1; i < kNodes && fits; ++i) {
        const Kind kind = d.kinds[size_t(i)];
        bool any = false;
        for (int from = 0; from < i; ++from) any |= d.edge[size_t(i)][size_t(from)] == 1;
        if (!any && (kind == Pure || kind == MayFail || kind == View || kind == Read || kind == Check)) fits = false;
      }
      if (!fits) continue;
      for (d.asked = 0; d.asked < 1 << (kNodes - 1); d.asked += 3)
        if (position++ % stride == 0) f(d);
    }
  }
}

/// Which nodes read a variable, or memory that may still be a variable's.
unsigned readersOf(const Drawn& d) {
  unsigned shows = 0, reads = 0;
  for (int i = 0; i < kNodes; ++i) {
    bool any = d.kinds[size_t(i)] == Var;
    for (int from = 0; from < i; ++from)
      if (d.edge[size_t(i)][size_t(from)] == 1 && shows >> from & 1) reads |= 1u << i, any |= d.kinds[size_t(i)] != Pure && d.kinds[size_t(i)] != MayFail;
    if (any) shows |= 1u << i;
  }
  return reads;
}

/// A device with a separate memory; nothing runs on it.
class Elsewhere final : public Device {
 public:
  explicit Elsewhere(std::unique_ptr<Device> host) : host_(std::move(host)) {}
  std::string type() const override { return "GPU"; }
  const std::string& name() const override { return host_->name(); }
  std::string description() const override { return {}; }
  size_t memoryBytes() const override { return 0; }
  Allocator& allocator() override { return host_->allocator(); }

 private:
  std::unique_ptr<Device> host_;
};

std::string describe(const Drawn& d) {
  static const char* names[kKinds] = {"Feed", "Pure", "MayFail", "View", "Variable", "Read", "OpEffect", "Check", "Nothing"};
  std::string out;
  for (int i = 0; i < kNodes; ++i) {
    out += std::to_string(i) + "=" + names[d.kinds[size_t(i)]] + "(";
    for (int from = 0; from < i; ++from)
      if (const int e = d.edge[size_t(i)][size_t(from)]) out += (e == 2 ? "^" : "") + std::to_string(from) + " ";
    out += ") ";
  }
  return out + "targets " + std::to_string(d.asked);
}

}  // namespace

class ExhaustedControlsTest : public QObject {
  Q_OBJECT

  std::unique_ptr<Device> device_ = makeCpuDevice(0);
  SessionState session_;
  Ops ops_;

  void rewrite(const char* pass, PlanGraph& plan) {
    PassContext context{session_};
    for (const Pass& p : passes())
      if (std::string_view(p.name) == pass) {
        if (!p.run(plan, context).ok()) qFatal("%s", pass);
        return;
      }
    qFatal("no pass %s", pass);
  }

  /// `holds(d, plan before, after, order before, after)` returns the violated property, if any.
  template <typename F>
  void check(const char* pass, const std::vector<Kind>& kinds, int64_t stride, F&& wrong) {
    int64_t plans = 0, changed = 0, bad = 0;
    std::string first;
    eachPlan(kinds, exhaust::isLong() ? 1 : stride, [&](const Drawn& d) {
      const PlanGraph plan = planOf(d, ops_, device_.get());
      PlanGraph after = planOf(d, ops_, device_.get());
      rewrite(pass, after);
      bool acyclic = false, still = false;
      const auto before = beforeOf(plan, acyclic), now = beforeOf(after, still);
      ++plans;
      changed += !after.applied.empty();
      std::string message = !still ? std::string("a cycle") : wrong(d, plan, after, before, now);
      if (!message.empty() && bad++ < 5) first += describe(d) + ": " + message + "\n";
    });
    qInfo("%s: %lld plans, %lld rewritten, %lld wrong", pass, (long long)plans, (long long)changed, (long long)bad);
    QVERIFY2(bad == 0, first.c_str());
    QVERIFY(changed > 1000);
  }

 private slots:
  // RULE control_simplification.edges, control_simplification.effects_are_targets
  void simplifiedEdgesKeepTheOrderThatCanBeTold() {
    check("control_simplification", {Feed, Pure, MayFail, View, Var, Read, OpEffect, Check, Nothing}, 8,
          [&](const Drawn& d, const PlanGraph& plan, const PlanGraph& after, const std::array<unsigned, 16>& before,
              const std::array<unsigned, 16>& now) -> std::string {
            const unsigned reads = readersOf(d), ran = runOf(plan, before), runs = runOf(after, now);
            unsigned told = 0, checks = 0;
            for (int i = 0; i < kNodes; ++i) {
              const Kind kind = d.kinds[size_t(i)];
              if (kind == OpEffect || kind == Check || reads >> i & 1) told |= 1u << i;
              if (kind == Check) checks |= 1u << i;
            }
            for (int i = 0; i < kNodes; ++i) {
              const Kind kind = d.kinds[size_t(i)];
              const unsigned bit = 1u << i;
              // An op that has an effect, checks, or reads a variable itself (which may have no value) runs as it did.
              bool readsItself = false;
              for (int from = 0; from < i; ++from) readsItself |= d.edge[size_t(i)][size_t(from)] == 1 && d.kinds[size_t(from)] == Var;
              if ((ran & bit) && !(runs & bit) && (kind == OpEffect || kind == Check || readsItself)) return "node " + std::to_string(i) + " does not run";
              if (!(runs & bit)) continue;
              if (!(ran & bit)) return "node " + std::to_string(i) + " runs and did not";
              if (now[size_t(i)] & ~before[size_t(i)]) return "node " + std::to_string(i) + " waits for more than it did";
              // The order of distinguishable nodes is kept; a node that may fail runs after the checks that preceded it.
              const unsigned kept = told >> i & 1 ? told & runs : kind == MayFail || kind == View ? checks : 0;
              if (before[size_t(i)] & kept & ~now[size_t(i)]) return "node " + std::to_string(i) + " does not wait for what it waited for";
            }
            return {};
          });
  }

  // RULE unread_removal.waiters_inherit
  void whatIsUnreadLeavesItsOrder() {
    check("unread_removal", {Feed, Pure, MayFail, View, Var, Read, OpEffect, Check, Nothing}, 8,
          [&](const Drawn& d, const PlanGraph& plan, const PlanGraph& after, const std::array<unsigned, 16>& before,
              const std::array<unsigned, 16>& now) -> std::string {
            const unsigned ran = runOf(plan, before), runs = runOf(after, now);
            for (int i = 0; i < kNodes; ++i) {
              const Kind kind = d.kinds[size_t(i)];
              const unsigned bit = 1u << i;
              bool readsVariable = false;
              for (int from = 0; from < i; ++from) readsVariable |= d.edge[size_t(i)][size_t(from)] == 1 && d.kinds[size_t(from)] == Var;
              if ((ran & bit) && !(runs & bit) && (readsVariable || (kind != Pure && kind != MayFail && kind != View && kind != Read)))
                return "node " + std::to_string(i) + " does not run";
              if ((runs & bit) && (before[size_t(i)] & runs) != (now[size_t(i)] & runs)) return "node " + std::to_string(i) + " waits for something else";
            }
            return {};
          });
  }

  // RULE control_simplification.edges: a shape mismatch fails after the checks that preceded it, also where all shapes are known.
  void checksSpeakBeforeWhatDoesNotFit() {
    for (const char* op : {"ReluGrad", "Add", "Neg"}) {
      MetaGraph meta;
      GraphBuilder b(meta);
      const Output x = b.placeholder(DType::Float, Shape::unknown(), "x"), y = b.placeholder(DType::Float, Shape::unknown(), "y");
      const int late = b.node(op, std::string_view(op) == "Neg" ? std::vector<Output>{x} : std::vector<Output>{x, y}, {}, "z");
      const int check = b.node("CheckNumerics", {y}, {{"message", "first"}}, "check");
      b.addControlInputs(late, {check});
      QVERIFY(b.ok());
      const exhaust::Feeds feeds{{"x:0", Tensor::vector<float>({1, 2})}, {"y:0", Tensor::vector<float>({1, 2, std::nanf("")})}};
      const auto want = exhaust::outcomeOf(meta.graph, feeds, {"z:0"}, {"all"}),
                 got = exhaust::outcomeOf(meta.graph, feeds, {"z:0"}, exhaust::allBut({"control_simplification"}));
      QVERIFY2(want.error.find("first") != std::string::npos, want.error.c_str());
      QVERIFY2(got.error.find("first") != std::string::npos, got.error.c_str());
    }
  }

  // RULE plan.unused
  void whatNobodyNeedsGoes() {
    int64_t plans = 0, gone = 0;
    eachPlan({Feed, Pure, Var, OpEffect, Nothing}, exhaust::isLong() ? 1 : 2, [&](const Drawn& d) {
      PlanGraph plan = planOf(d, ops_, device_.get());
      unsigned needed = 0;
      for (int i = 0; i < kNodes; ++i)
        if (plan.nodes[size_t(i)].alive) needed |= 1u << i;
      for (PlanNode& p : plan.nodes) p.alive = true;
      removeUnused(plan);
      ++plans;
      for (int i = 0; i < kNodes; ++i) {
        if (plan.nodes[size_t(i)].alive != bool(needed >> i & 1)) QFAIL(describe(d).c_str());
        gone += !plan.nodes[size_t(i)].alive;
      }
    });
    qInfo("unused nodes: %lld plans, %lld nodes gone", (long long)plans, (long long)gone);
    QVERIFY(gone > 1000);
  }

  // RULE plan.device_copies: every node on the host, or on a device, of each plan.
  void everyReaderFindsItsInputInItsMemory() {
    Elsewhere gpu(makeCpuDevice(1)), other(makeCpuDevice(2));
    int64_t plans = 0, made = 0, between = 0;
    eachPlan({Feed, Pure, MayFail, OpEffect, Nothing}, exhaust::isLong() ? 1 : 2, [&](const Drawn& d) {
      for (int places = 0; places < 81; places += 1 + int(plans % 4)) {
        PlanGraph plan = planOf(d, ops_, device_.get());
        // MatMul and the others have no kernels for this device, but their inputs must be on it nevertheless.
        const auto place = [&](int i) -> Device* {
          if (!plan.nodes[size_t(i)].node) return device_.get();
          int rest = places;
          for (int k = 0; k < i; ++k) rest /= 3;
          return rest % 3 == 0 ? device_.get() : rest % 3 == 1 ? static_cast<Device*>(&gpu) : &other;
        };
        for (int i = 0; i < kNodes; ++i) plan.nodes[size_t(i)].device = place(i);
        // Operands' types are looked at one by one.
        std::deque<Node> nodes;
        for (PlanNode& p : plan.nodes) {
          if (!p.node) continue;
          nodes.push_back(*p.node);
          nodes.back().inputTypes.assign(p.inputs.size(), DType::Float);
          p.node = &nodes.back();
        }
        const std::vector<PlanNode> was = plan.nodes;
        const Status status = insertDeviceCopies(plan);
        ++plans;
        if (!status.ok()) QFAIL((describe(d) + ": " + status.error().message).c_str());
        std::vector<std::pair<int, Device*>> copies;
        for (size_t i = 0; i < plan.nodes.size(); ++i) {
          const PlanNode& p = plan.nodes[i];
          if (!p.alive) continue;
          const bool copy = i >= kNodes;
          if (copy) {
            ++made;
            if (p.inputs.size() != 1 || p.inputs[0].node >= kNodes || !p.kernel) QFAIL((describe(d) + ": a copy of what").c_str());
            Device* from = plan.nodes[size_t(p.inputs[0].node)].device;
            const bool toDevice = p.node->op != "_DeviceToHost", fromDevice = p.node->op != "_HostToDevice";
            between += toDevice && fromDevice;
            if ((from != device_.get()) != fromDevice || (toDevice && p.device == from)) QFAIL((describe(d) + ": a copy from the wrong side").c_str());
            const std::pair<int, Device*> key{p.inputs[0].node, toDevice ? p.device : nullptr};
            if (std::find(copies.begin(), copies.end(), key) != copies.end()) QFAIL((describe(d) + ": two copies").c_str());
            copies.push_back(key);
            continue;
          }
          if (p.controls != was[i].controls || p.inputs.size() != was[i].inputs.size()) QFAIL((describe(d) + ": other edges").c_str());
          for (size_t k = 0; k < p.inputs.size(); ++k) {
            const PlanNode& from = plan.nodes[size_t(p.inputs[k].node)];
            Device* lies = p.inputs[k].node < kNodes ? from.device : from.node->op != "_DeviceToHost" ? from.device : device_.get();
            const Output origin = p.inputs[k].node < kNodes ? p.inputs[k] : from.inputs[0];
            if (lies != p.device || !(origin == was[i].inputs[k])) QFAIL((describe(d) + ": an input in the wrong memory").c_str());
          }
        }
      }
    });
    qInfo("device copies: %lld plans, %lld copies, %lld of them between devices", (long long)plans, (long long)made, (long long)between);
    QVERIFY(made > 1000 && between > 100);
  }

  // RULE identity_removal.looked_through
  void identitiesLeaveTheirOrder() {
    check("identity_removal", {Feed, Pure, MayFail, Var, Read, OpEffect, Nothing}, 4,
          [&](const Drawn& d, const PlanGraph& plan, const PlanGraph& after, const std::array<unsigned, 16>& before,
              const std::array<unsigned, 16>& now) -> std::string {
            const unsigned ran = runOf(plan, before), runs = runOf(after, now);
            const auto source = [&](int i) {
              while (d.kinds[size_t(i)] == Read) {
                int from = -1;
                for (int k = 0; k < i; ++k)
                  if (d.edge[size_t(i)][size_t(k)] == 1) from = k;
                if (d.kinds[size_t(from)] == Var) return i;  // a moment
                i = from;
              }
              return i;
            };
            for (int i = 0; i < kNodes; ++i) {
              const unsigned bit = 1u << i;
              if ((ran & bit) && !(runs & bit) && d.kinds[size_t(i)] != Read) return "node " + std::to_string(i) + " does not run";
              if (!(runs & bit)) continue;
              if ((before[size_t(i)] & runs) != (now[size_t(i)] & runs)) return "node " + std::to_string(i) + " waits for something else";
              const auto &was = plan.nodes[size_t(i)].inputs, &is = after.nodes[size_t(i)].inputs;
              for (size_t k = 0; k < was.size(); ++k)
                if (was.size() != is.size() || source(was[k].node) != source(is[k].node)) return "node " + std::to_string(i) + " reads something else";
            }
            return {};
          });
  }
};

QTEST_GUILESS_MAIN(ExhaustedControlsTest)
#include "tst_exhausted_controls.moc"
