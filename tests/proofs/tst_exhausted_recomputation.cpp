#include <QTest>
#include <array>

#include "exhaust.h"
#include "weft/plan_report.h"

using namespace weft;
using namespace exhaust;

// All small steps of two halves, at every memory limit between what they need and the least that they can do with. The first half is a chain whose links may draw random
// numbers, read a variable, change it, wait for something or join earlier values; the second half reads all its values in the opposite order, as gradients do.
namespace {

enum Link { Square, Join, View, Draw, ReadVariable, ChangeVariable, ChangeResource, Wait, Rows, kLinks };
constexpr int kLength = 4;

struct Drawn {
  std::array<Link, kLength> links{};
  int order = 0;  ///< Which of some orders the second half reads in.

  std::string text() const {
    static const char* names[kLinks] = {"Square", "Join", "View", "Draw", "ReadVariable", "ChangeVariable", "ChangeResource", "Wait", "Rows"};
    std::string out = concat("order ", order, ":");
    for (const Link l : links) out += concat(" ", names[l]);
    return out;
  }
};

/// The step's graph: feed x, fetch out; target "start" sets the variables.
void build(GraphBuilder& b, const Drawn& d) {
  const Shape shape{64, 4};
  const Output x = b.placeholder(DType::Float, shape, "x");
  const Output v = b.op("VariableV2", {}, {{"dtype", DType::Float}, {"shape", shape}}, "v");
  const Output r = b.op("VarHandleOp", {}, {{"dtype", DType::Float}, {"shape", shape}, {"shared_name", "r"}, {"container", ""}}, "r");
  const Output first = b.constant(counted(DType::Float, shape, 5));
  const int startV = b.node("Assign", {v, first}, {}, "startV"), startR = b.node("AssignVariableOp", {r, first}, {}, "startR");
  b.noOp({startV, startR}, "start");
  const Output change = b.constant(filled(DType::Float, shape, [](int64_t i) { return double(i % 7) / 8; }));
  const Output size = b.ints({64, 4});
  std::vector<Output> values{b.op("Mul", {x, x})};
  std::vector<int> waits;
  for (int i = 0; i < kLength; ++i) {
    const Output last = values.back();
    const auto guard = b.controlDependencies(waits);
    waits.clear();
    switch (d.links[size_t(i)]) {
      case Square: values.push_back(b.op("Square", {last})); break;
      case Join: values.push_back(b.op("Add", {last, values[values.size() / 2]})); break;
      case View: values.push_back(b.op("Neg", {b.op("Reshape", {b.op("Reshape", {last, b.ints({4, 64})}), size})})); break;
      case Draw:
        values.push_back(b.op("Add", {last, b.op("RandomUniform", {size}, {{"dtype", DType::Float}, {"seed", int64_t(i + 1)}, {"seed2", int64_t(7)}})}));
        break;
      // The read aliases the variable's memory.
      case ReadVariable: values.push_back(b.op("Mul", {last, b.identity(v)})); break;
      case ChangeVariable: {
        values.push_back(b.op("Sub", {last, b.op("Reshape", {b.identity(v), size})}));
        waits.push_back(b.node("AssignAdd", {v, change}, {}, "changed"));
        b.addControlInputs(waits.back(), {values.back().node});
        break;
      }
      case ChangeResource: {
        values.push_back(b.op("Sub", {last, b.op("ReadVariableOp", {r}, {{"dtype", DType::Float}})}));
        waits.push_back(b.node("AssignAddVariableOp", {r, change}, {}, "changed"));
        b.addControlInputs(waits.back(), {values.back().node});
        break;
      }
      case Wait: {
        values.push_back(b.op("Abs", {last}));
        waits.push_back(b.noOp({values.back().node}));
        break;
      }
      case Rows: {
        const Output parts = b.op("Slice", {last, b.ints({32, 0}), b.ints({32, 4})});
        values.push_back(b.op("ConcatV2", {parts, b.op("Neg", {parts}), b.number(DType::Int32, 0)}));
        break;
      }
      case kLinks: break;
    }
  }
  // Only now: their ids are behind those of the first half.
  Output back = b.op("Sigmoid", {values.back()});
  const int n = int(values.size());
  for (int k = 0; k < n; ++k) {
    const int at = d.order == 0 ? n - 1 - k : d.order == 1 ? k : (k * 3 + 1) % n;
    back = b.op("Mul", {back, values[size_t(at)]});
    if (d.order == 2 && k == n / 2) {  // a write between the readers of the second half
      const int write = b.node("AssignSub", {v, change}, {}, "late");
      b.addControlInputs(write, {back.node});
      const auto guard = b.controlDependencies({write});
      back = b.op("Tanh", {back});
    }
  }
  b.op("Sum", {back, b.ints({0})}, {}, "out");
}

/// Three steps, then the variables.
struct Steps {
  Code code = Code::Ok;
  std::string error;
  std::vector<Tensor> values;
  PlannedMemory memory;
  size_t arena = 0;
};

Steps stepsOf(const Graph& graph, int64_t limit, const std::vector<std::string>& disabled) {
  Steps out;
  SessionOptions options;
  options.threads = 1;
  options.disabledPasses = disabled;
  options.memoryLimitBytes = limit;
  const Tensor x = filled(DType::Float, Shape{64, 4}, [](int64_t i) { return double(i % 13) / 16 - 0.3; });
  const auto failed = [&](const Error& e) {
    out.code = e.code;
    out.error = e.toString();
    return out;
  };
  auto session = Session::create(graph, options);
  if (!session.ok()) return failed(session.error());
  if (auto r = (*session)->run({}, {}, {"start"}); !r.ok()) return failed(r.error());
  auto step = (*session)->prepare({"x"}, {"out"});
  if (!step.ok()) return failed(step.error());
  for (int i = 0; i < 3; ++i) {
    auto r = step->run(std::vector<Tensor>{x});
    if (!r.ok()) return failed(r.error());
    out.values.push_back(r->front());
  }
  if (const auto report = planReport(**session, [](const auto& fetches, const auto&) { return fetches.size() == 1; }); report.ok()) {
    out.memory = report->memory;
    out.arena = report->arenaBytes;
  }
  for (const auto& [name, value] : (*session)->variables()) out.values.push_back(value);
  return out;
}

}  // namespace

class ExhaustedRecomputationTest : public QObject {
  Q_OBJECT

 private slots:
  // RULE recomputation.copies
  void stepsOfTwoHalvesGiveTheSameBitsAtEveryLimit() {
    int64_t graphs = 0, plans = 0, rewritten = 0, refused = 0, wrong = 0, position = 0;
    std::string first;
    const std::vector<std::string> only = allBut({"recomputation"});
    const int codes = kLinks * kLinks * kLinks * kLinks;
    for (int code = 0; code < codes; ++code) {
      for (int order = 0; order < 3; ++order) {
        if (!isLong() && position++ % 53 != 0) continue;
        Drawn d;
        d.order = order;
        for (int i = 0, rest = code; i < kLength; ++i, rest /= kLinks) d.links[size_t(i)] = Link(rest % kLinks);
        MetaGraph meta;
        GraphBuilder b(meta);
        build(b, d);
        QVERIFY2(b.ok(), b.ok() ? "" : b.status().error().toString().c_str());
        ++graphs;
        const Steps want = stepsOf(meta.graph, 0, {"all"});
        const Steps plain = stepsOf(meta.graph, 0, only);
        QVERIFY2(want.code == Code::Ok, (d.text() + ": " + want.error).c_str());
        QVERIFY2(plain.memory.known, d.text().c_str());
        const size_t kept = plain.memory.bytes - plain.memory.held;
        for (int percent = 98; percent >= 20; percent -= 13) {
          const int64_t limit = int64_t(plain.memory.held + kept * size_t(percent) / 100);
          for (const bool fused : {false, true}) {
            const Steps got = stepsOf(meta.graph, limit, fused ? std::vector<std::string>{} : only);
            ++plans;
            std::string message;
            if (got.code == Code::ResourceExhausted) {
              ++refused;
              if (got.error.find("memory limit") == std::string::npos) message = got.error;
            } else if (got.code != Code::Ok) {
              message = got.error;
            } else {
              rewritten += got.memory.again > 0;
              if (got.memory.bytes > size_t(limit)) message = "a plan above the limit";
              if (got.memory.held + got.arena > size_t(limit)) message = concat("an arena above the limit: ", got.memory.held + got.arena, " of ", limit);
              for (size_t k = 0; k < want.values.size(); ++k)
                if (!sameValues(want.values[k], got.values[k], Same::Bits)) message = concat("value ", k, " differs");
            }
            if (!message.empty() && wrong++ < 8) first += concat(d.text(), ", ", percent, " %, fused ", fused, ": ", message, "\n");
          }
        }
      }
    }
    qInfo("recomputation: %lld graphs, %lld limits, %lld rewritten, %lld refused, %lld wrong", (long long)graphs, (long long)plans, (long long)rewritten,
          (long long)refused, (long long)wrong);
    QVERIFY2(wrong == 0, first.c_str());
    QVERIFY(rewritten > graphs);
    QVERIFY(refused > graphs);
  }
};

QTEST_GUILESS_MAIN(ExhaustedRecomputationTest)
#include "tst_exhausted_recomputation.moc"
