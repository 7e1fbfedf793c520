#include "api/checks.h"

#include <algorithm>

#include "api/control_flow.h"
#include "api/nn_functions.h"
#include "api/statement.h"
#include "api/tf.h"
#include "graph/flow_context.h"

namespace weft::api::checks {
namespace {

struct Comparison {
  std::string_view sign, function, op;
  bool (*holds)(double, double);
};
constexpr Comparison kComparisons[] = {{"==", "assert_equal", "Equal", [](double x, double y) { return x == y; }},
                                       {"!=", "assert_none_equal", "NotEqual", [](double x, double y) { return x != y; }},
                                       {"<", "assert_less", "Less", [](double x, double y) { return x < y; }},
                                       {"<=", "assert_less_equal", "LessEqual", [](double x, double y) { return x <= y; }},
                                       {">", "assert_greater", "Greater", [](double x, double y) { return x > y; }},
                                       {">=", "assert_greater_equal", "GreaterEqual", [](double x, double y) { return x >= y; }}};

const Comparison& comparison(std::string_view sign) {
  const auto* found = std::find_if(std::begin(kComparisons), std::end(kComparisons), [&](const Comparison& c) { return c.sign == sign; });
  return found == std::end(kComparisons) ? kComparisons[0] : *found;
}

// Whether both values are known and the relation is violated somewhere; scalars are broadcast.
bool isStaticallyViolated(const std::optional<Tensor>& x, const std::optional<Tensor>& y, const Comparison& c) {
  if (!x || !y || x->dtype() == DType::String || y->dtype() == DType::String) return false;
  const int64_t n = x->elements(), m = y->elements();
  if (n != m && n != 1 && m != 1) return false;
  for (int64_t i = 0; i < std::max(n, m) && n > 0 && m > 0; ++i) {
    if (!c.holds(x->asDouble(n == 1 ? 0 : i), y->asDouble(m == 1 ? 0 : i))) return true;
  }
  return false;
}

std::string wordsOf(GraphBuilder& b, const ArgumentList& data) {
  std::string out;
  for (const Argument& a : data) {
    if (!out.empty()) out += "\n";
    const auto* o = std::get_if<Output>(&a);
    const auto t = knownValue(b, a);
    if (!o && t && t->dtype() == DType::String) out += t->at<std::string>(0);
    else out += t ? t->toString() : o ? tensorText(b, *o) : std::string();
  }
  return out;
}

std::string nameOf(GraphBuilder& b, Output o) { return b.ok() ? b.graph().tensorName(o) : std::string(); }

int done(GraphBuilder& b, std::string_view name) { return b.node("NoOp", {}, {}, name); }

}  // namespace

int require(GraphBuilder& b, const Argument& condition, const ArgumentList& data, std::optional<int64_t> summarize, std::string_view name) {
  const py::Scope scope(b, name.empty() ? "Assert" : name);
  // The texts are converted here to check their types, and again by the op.
  bool onCpu = true;
  for (const Argument& a : data) {
    const Output o = toTensor(b, a, {});
    onCpu = onCpu && (b.dtype(o) == DType::String || b.dtype(o) == DType::Int32);
  }
  AttrMap attrs;
  if (summarize) attrs.set("summarize", *summarize);
  if (onCpu || !b.ok()) return emitNode(b, "Assert", {condition, Argument(data)}, attrs, "Assert");
  const Output test = toTensor(b, condition, "Condition");
  const auto result = [&](int node) -> std::vector<Output> {
    const auto context = std::dynamic_pointer_cast<CondContext>(b.controlFlowContext());
    if (!context || !b.ok()) return {Output{}};
    return {nn::withDependencies(b, {node}, context->pivot)};
  };
  const auto merged = cond(
      b, test, [&] { return result(b.node("NoOp", {})); },
      [&] {
        return result(emitNode(b, "Assert", {test, Argument(data)}, attrs, "Assert"));
      },
      "AssertGuard");
  return merged.empty() ? -1 : merged[0].node;
}

int binary(GraphBuilder& b, std::string_view sign, const Argument& x, const Argument& y, const Options& options) {
  const Comparison& c = comparison(sign);
  // TF's assert_equal checks in a separate scope whether both are the same tensor.
  if (sign == "==") {
    const py::Scope outer(b, options.name.empty() ? c.function : options.name);
    const auto *left = std::get_if<Output>(&x), *right = std::get_if<Output>(&y);
    if (left && right && left->node == right->node && left->index == right->index) return done(b, {});
    // In Python, small equal integers are the same object.
    const auto *m = std::get_if<int64_t>(&x), *n = std::get_if<int64_t>(&y);
    if (m && n && *m == *n && *m >= -5 && *m <= 256) return done(b, {});
  }
  const py::Scope scope(b, options.name.empty() ? c.function : options.name);
  const Output left = toTensor(b, x, "x"), right = toTensor(b, y, "y");
  if (!b.ok()) return -1;
  ArgumentList data = items(options.data);
  if (data.empty()) {
    data = {"Condition x " + std::string(sign) + " y did not hold element-wise:", "x (" + nameOf(b, left) + ") = ", left,
            "y (" + nameOf(b, right) + ") = ", right};
  }
  if (!options.message.empty()) data.insert(data.begin(), options.message);
  const Output all = tf::reduce(b, "All", b.op(c.op, {left, right}));
  if (isStaticallyViolated(b.constantValue(left), b.constantValue(right), c)) {
    Error e = invalidArgument(wordsOf(b, data));
    e.ofKind("InvalidArgumentError");
    b.fail(std::move(e));
    return -1;
  }
  return require(b, all, data, options.summarize);
}

int sign(GraphBuilder& b, std::string_view sign, const Argument& x, const Options& options) {
  struct Words {
    std::string_view sign, function;
    bool zeroFirst;
    std::string_view inner;
  };
  static constexpr Words kWords[] = {{"<", "assert_negative", false, "<"},
                                     {">", "assert_positive", true, "<"},
                                     {">=", "assert_non_negative", true, "<="},
                                     {"<=", "assert_non_positive", false, "<="}};
  const auto* w = std::find_if(std::begin(kWords), std::end(kWords), [&](const Words& k) { return k.sign == sign; });
  const py::Scope scope(b, options.name.empty() ? w->function : options.name);
  const Output t = toTensor(b, x, "x");
  if (!b.ok()) return -1;
  ArgumentList data = items(options.data);
  if (data.empty()) {
    const std::string says = "Condition x " + std::string(sign) + " 0 did not hold element-wise:", which = "x (" + nameOf(b, t) + ") = ";
    if (sign == "<=") data = {options.message, says + which, t};
    else data = {options.message, says, which, t};
  }
  const Output zero = b.number(b.dtype(t), 0);
  Options inner;
  inner.data = data;
  inner.summarize = options.summarize;
  return w->zeroFirst ? binary(b, w->inner, zero, t, inner) : binary(b, w->inner, t, zero, inner);
}

int rank(GraphBuilder& b, std::string_view sign, const Argument& x, const Argument& wanted, const Options& options) {
  const bool least = sign == ">=";
  const py::Scope scope(b, !options.name.empty() ? options.name : least ? "assert_rank_at_least" : "assert_rank");
  const Output t = toTensor(b, x, "x"), r = toTensor(b, wanted, "rank");
  if (!b.ok()) return -1;
  ArgumentList data = items(options.data);
  if (data.empty()) {
    const std::string words = "Tensor " + nameOf(b, t) + (least ? " must have rank at least" : " must have rank");
    data = {options.message, words, r, "Received shape: ", tf::shape(b, t)};
  }
  isType(b, r, DType::Int32, {});
  const auto known = b.constantValue(r);
  const Shape s = b.shape(t);
  if (known && s.hasRank()) {
    const int64_t n = known->asInt(0);
    if (least ? s.rank() < n : s.rank() != n) {
      b.fail(invalidArgument(options.message, ".  Tensor ", nameOf(b, t), least ? " must have rank at least " : " must have rank ", n, ".  Received rank ",
                             s.rank(), ", shape ", s.toPythonString()));
      return -1;
    }
    return done(b, "static_checks_determined_all_ok");
  }
  return require(b, b.op(least ? "GreaterEqual" : "Equal", {tf::rank(b, t), r}), data, options.summarize);
}

int isInteger(GraphBuilder& b, const Argument& x, const Options& options) {
  const py::Scope scope(b, options.name.empty() ? "assert_integer" : options.name);
  const Output t = toTensor(b, x, "x");
  if (b.ok() && !weft::isInteger(b.dtype(t)))
    b.fail(typeError(options.message, "  Expected \"x\" to be integer type.  Found: ", nameOf(b, t), " of dtype <dtype: '", dtypeName(b.dtype(t)), "'>"));
  return done(b, "statically_determined_was_integer");
}

int isType(GraphBuilder& b, const Argument& x, DType type, const Options& options) {
  const py::Scope scope(b, options.name.empty() ? "assert_type" : options.name);
  const Output t = toTensor(b, x, "tensor");
  if (b.ok() && b.dtype(t) != type) b.fail(typeError(options.message, "  ", nameOf(b, t), " must be of type <dtype: '", dtypeName(type), "'>"));
  return done(b, "statically_determined_correct_type");
}

}  // namespace weft::api::checks

namespace weft::api {
namespace {

checks::Options optionsOf(const Call& c) {
  checks::Options o;
  o.name = c.name();
  o.message = c.a.text("message");
  o.data = c["data"];
  if (c.has("summarize")) o.summarize = c.a.integer("summarize");
  return o;
}

// The nodes of arguments to tf.group and similar functions.
std::vector<int> nodesOf(Call& c, const Argument& a) {
  std::vector<int> out;
  const auto* o = std::get_if<Output>(&a);
  if (o && o->valid()) out.push_back(o->node);
  if (const auto* v = std::get_if<VariablePtr>(&a)) out.push_back((*v)->handle.node);
  if (const auto* s = std::get_if<SparseValue>(&a)) out = {s->indices.node, s->values.node, s->denseShape.node};
  if (!o && (std::holds_alternative<ArgumentList>(a) || std::holds_alternative<std::vector<Output>>(a))) {
    for (const Argument& item : items(a)) {
      const auto inner = nodesOf(c, item);
      out.insert(out.end(), inner.begin(), inner.end());
    }
  }
  return out;
}

}  // namespace

void registerChecks(ApiRegistry& r) {
  const std::string rest = "|data: any=None|summarize: int=None|message: string=None|name";
  const auto both = [&](const std::string& name, std::string sign, const std::string& words) {
    def(r, name + " debugging." + name, "x|y" + rest, "Fails a step unless " + words + ".", "operation: The assertion, to be used as a control dependency.",
        [sign](Call& c) { return c.operation(checks::binary(c.b, sign, c["x"], c["y"], optionsOf(c))); });
  };
  both("assert_equal", "==", "x and y are equal");
  both("assert_none_equal", "!=", "x and y differ in every element");
  both("assert_less", "<", "x is less than y");
  both("assert_less_equal", "<=", "x is less than or equal to y");
  both("assert_greater", ">", "x is greater than y");
  both("assert_greater_equal", ">=", "x is greater than or equal to y");
  const auto unary = [&](const std::string& name, std::string sign, const std::string& words) {
    def(r, name + " debugging." + name, "x" + rest, "Fails a step unless x is " + words + ".", "operation: The assertion, to be used as a control dependency.",
        [sign](Call& c) { return c.operation(checks::sign(c.b, sign, c["x"], optionsOf(c))); });
  };
  unary("assert_negative", "<", "negative");
  unary("assert_positive", ">", "positive");
  unary("assert_non_negative", ">=", "zero or positive");
  unary("assert_non_positive", "<=", "zero or negative");
  for (const auto& [name, sign] : {std::pair("assert_rank", "=="), std::pair("assert_rank_at_least", ">=")}) {
    def(r, std::string(name) + " debugging." + name, "x|rank -- The expected rank." + rest, "Fails unless a tensor has the given rank.",
        "operation: The assertion, to be used as a control dependency.",
        [sign = std::string(sign)](Call& c) { return c.operation(checks::rank(c.b, sign, c["x"], c["rank"], optionsOf(c))); });
  }
  def(r, "assert_integer debugging.assert_integer", "x|message: string=None|name", "Fails unless x has an integer type.",
      "operation: The assertion, to be used as a control dependency.", [](Call& c) { return c.operation(checks::isInteger(c.b, c["x"], optionsOf(c))); });
  def(r, "assert_type debugging.assert_type", "tensor|tf_type: dtype -- The expected type.|message: string=None|name",
      "Fails unless a tensor has the given type.", "operation: The assertion, to be used as a control dependency.",
      [](Call& c) { return c.operation(checks::isType(c.b, c["tensor"], c.a.dtype("tf_type"), optionsOf(c))); });
  def(r, "assert_scalar debugging.assert_scalar", "tensor|name|message: string=None", "Fails unless a tensor is a scalar.", "The tensor.",
      [](Call& c) -> Built {
        const auto scope = c.scope("assert_scalar");
        const Output x = toTensor(c.b, c["tensor"], scope.name());
        const Shape s = c.b.shape(x);
        if (c.b.ok() && !s.isScalar())
          return invalidArgument(c.a.text("message"), "Expected scalar shape for ", c.b.graph().tensorName(x), ", saw shape: ", s.toPythonString(), ".");
        return c.one(x);
      });
  def(r, "assert_near debugging.assert_near", "x|y|rtol=None -- Relative tolerance, as a fraction of y.|atol=None -- Absolute tolerance." + rest,
      "Fails a step unless x and y are nearly equal.", "operation: The assertion, to be used as a control dependency.", [](Call& c) -> Built {
        GraphBuilder& b = c.b;
        const auto scope = c.scope("assert_near");
        const Output x = c.tensor("x");
        const Output y = c.tensor("y", b.dtype(x));
        const double eps = b.dtype(x) == DType::Double ? 2.220446049250313e-16 : b.dtype(x) == DType::Half ? 0.000977 : 1.1920928955078125e-07;
        const Output rtol = toTensor(b, c.has("rtol") ? c["rtol"] : Argument(10 * eps), "rtol", b.dtype(x));
        const Output atol = toTensor(b, c.has("atol") ? c["atol"] : Argument(10 * eps), "atol", b.dtype(x));
        if (!b.ok()) return b.status().error();
        ArgumentList data = c.list("data");
        if (data.empty()) {
          data = {c.a.text("message"),
                  "x and y not equal to tolerance rtol = " + tensorText(b, rtol) + ", atol = " + tensorText(b, atol),
                  "x (" + b.graph().tensorName(x) + ") = ",
                  x,
                  "y (" + b.graph().tensorName(y) + ") = ",
                  y};
        }
        const Output size = tf::abs(b, y);
        const Output tolerance = tf::plus(b, atol, tf::times(b, rtol, size));
        const Output difference = tf::abs(b, tf::minus(b, x, y));
        return c.operation(checks::require(b, tf::reduce(b, "All", b.op("Less", {difference, tolerance})), data, optionsOf(c).summarize));
      });
  def(r, "Assert debugging.Assert", "condition -- A scalar bool.|data: any|summarize: int=None|name", "Fails a step unless a condition is true.",
      "operation: The assertion, to be used as a control dependency.",
      [](Call& c) { return c.operation(checks::require(c.b, c["condition"], c.list("data"), optionsOf(c).summarize, c.name())); });
  def(r, "Print", "input_|data: any|message: string=None|first_n: int=None -- Maximum number of times to print; None: unlimited.|summarize: int=None|name",
      "Passes its input through and prints other tensors when it runs.", "A tensor.", [](Call& c) {
        AttrMap attrs;
        if (c.has("message")) attrs.set("message", c.a.text("message"));
        if (c.has("first_n")) attrs.set("first_n", c.a.integer("first_n"));
        if (c.has("summarize")) attrs.set("summarize", c.a.integer("summarize"));
        return c.one(emit(c.b, "Print", {c["input_"], c["data"]}, std::move(attrs), c.name()));
      });
  def(r, "add_check_numerics_ops", "", "Checks all floating-point tensors of the graph for NaN and infinity.", "operation: The node that runs all checks.",
      [](Call& c) -> Built {
        GraphBuilder& b = c.b;
        std::vector<int> checks;
        const int count = b.graph().size();
        for (int id = 0; id < count; ++id) {
          if (!b.graph().node(id)) continue;
          for (const Output o : b.outputsOf(id)) {
            // References are skipped: an Assign returns one, and checking it would initialize the variable in each step.
            const DType t = b.nodeAt(id).outputTypes[size_t(o.index)];
            if (t != DType::Half && t != DType::Float && t != DType::Double) continue;
            if (flow::contextOf(b, id))
              return invalidArgument(
                  "`tf.add_check_numerics_ops() is not compatible with TensorFlow control flow operations such as `tf.cond()` or `tf.while_loop()`.");
            const auto wait = b.controlDependencies(checks.empty() ? std::vector<int>() : std::vector<int>{checks.back()});
            checks.push_back(b.node("CheckNumerics", {o}, {{"message", b.nodeAt(id).name + ":" + std::to_string(o.index)}}));
          }
        }
        return c.operation(b.group(checks));
      });
  def(r, "group", "inputs*: any -- Tensors and operations to wait for.|name", "Groups operations: an operation that finishes when all of them have.",
      "operation: The operation.", [](Call& c) { return c.operation(c.b.group(nodesOf(c, c["inputs"]), c.name("group_deps"))); });
  def(r, "tuple", "tensors: any -- Tensors; None is passed through.|name|control_inputs: any=None -- Additional control inputs.",
      "Passes tensors through, each after all of them are computed.", "tensors: The tensors.", [](Call& c) -> Built {
        GraphBuilder& b = c.b;
        const auto scope = c.scope("tuple");
        ArgumentList given = c.list("tensors");
        std::vector<int> gates = nodesOf(c, given);
        const auto more = nodesOf(c, c["control_inputs"]);
        gates.insert(gates.end(), more.begin(), more.end());
        std::sort(gates.begin(), gates.end());
        gates.erase(std::unique(gates.begin(), gates.end()), gates.end());
        if (gates.empty()) return invalidArgument("Must have at least one Tensor: []");
        const int gate = b.group(gates);
        std::vector<Output> out;
        for (const Argument& a : given) out.push_back(isNone(a) ? Output{} : nn::withDependencies(b, {gate}, toTensor(b, a, {})));
        return c.all(out);
      });
}

}  // namespace weft::api
