#include "api/control_flow.h"
#include "io/onnx/importer.h"

// If, Loop and Scan, as the constructs that tf.cond and tf.while_loop make.

namespace weft::onnx_io {
namespace {

/// Outputs of a subgraph; after an error the builder has it, and the result is empty.
Outputs outputsOf(ImportNode& n, const ::onnx::GraphProto& graph, const Outputs& arguments) {
  auto made = n.importer().subgraph(graph, arguments);
  if (made.ok()) return std::move(*made);
  n.b.fail(made.error());
  return {};
}

Translation ifOp(ImportNode& n) {
  const ::onnx::GraphProto *yes = n.graph("then_branch"), *no = n.graph("else_branch");
  if (!yes || !no) return invalidArgument("it lacks a branch");
  for (const auto* branch : {yes, no})
    for (const auto& output : branch->output())
      if (output.type().has_sequence_type() || output.type().has_optional_type() || output.type().has_map_type())
        return unimplemented("a branch gives a sequence or an optional");
  // A test of known shapes, as exporters write it, is decided here: its other branch often does not even fit.
  if (const auto known = n.value(n.in(0)); known && known->dtype() == DType::Bool && known->elements() == 1) {
    WEFT_LET(Outputs made, n.importer().subgraph(known->asInt(0) ? *yes : *no, {}));
    for (Output& o : made) o = n.b.identity(o);
    return made;
  }
  const Output chosen = n.reshape(n.in(0), {});
  return api::cond(
      n.b, chosen, [&] { return outputsOf(n, *yes, {}); }, [&] { return outputsOf(n, *no, {}); });
}

/// Collects one value of each step.
struct Collected {
  DType type;
  Shape element;
  Output handle, flow;
};

Result<std::vector<Collected>> collect(ImportNode& n, const ::onnx::GraphProto& body, int from, const Outputs& arguments) {
  std::vector<Collected> out;
  std::vector<std::pair<DType, Shape>> found;  // for bodies of functions, which state no types
  for (int i = from; i < body.output_size(); ++i) {
    if (body.output(i).type().has_tensor_type()) continue;
    WEFT_LET(found, n.importer().typesOf(body, arguments));
    break;
  }
  const Output none = n.b.scalar(int32_t(0));
  for (int i = from; i < body.output_size(); ++i) {
    const auto& type = body.output(i).type();
    Collected c{dtypeOfOnnx(type.tensor_type().elem_type()), shapeOfOnnx(type), {}, {}};
    if (!type.has_tensor_type()) {
      c.type = found[size_t(i)].first;
      c.element = Shape::unknown();
    }
    if (c.type == DType::Invalid) return unimplemented("the type of '", body.output(i).name(), "', which each step gives, is not known");
    const int array = n.b.node("TensorArrayV3", {none}, {{"dtype", c.type}, {"dynamic_size", true}, {"element_shape", c.element}});
    c.handle = {array, 0};
    c.flow = {array, 1};
    out.push_back(c);
  }
  WEFT_TRY(n.b.status());
  return out;
}

Output collected(ImportNode& n, const Collected& c, Output flow) {
  const Output size = n.b.op("TensorArraySizeV3", {c.handle, flow}), zero = n.b.scalar(int32_t(0)), one = n.b.scalar(int32_t(1));
  const Output places = n.b.op("Range", {zero, size, one});
  return n.b.op("TensorArrayGatherV3", {c.handle, places, flow}, {{"dtype", c.type}, {"element_shape", c.element}});
}

/// A carried value may change its sizes from step to step, but not its rank where the body states one.
Shape invariantOf(const ::onnx::ValueInfoProto& stated, const Shape& initial) {
  const Shape shape = shapeOfOnnx(stated.type());
  return shape.hasRank() && initial.hasRank() && shape.rank() == initial.rank() ? Shape::unknownOfRank(shape.rank()) : Shape::unknown();
}

Translation loopOp(ImportNode& n) {
  const ::onnx::GraphProto* body = n.graph("body");
  const int carried = n.inputs() - 2;
  if (!body || carried < 0 || body->input_size() != carried + 2 || body->output_size() < carried + 1)
    return invalidArgument("its body does not take and give what it carries");
  const Output limit = n.has(0) ? n.reshape(n.in(0), {}) : Output{};
  const Output start = n.b.number(DType::Int64, 0), first = n.has(1) ? n.reshape(n.in(1), {}) : n.b.constant(Tensor::scalar(true));
  Outputs variables{start, first};
  api::WhileOptions options;
  options.name = "loop";
  options.shapeInvariants = {Shape(), Shape()};
  for (int i = 0; i < carried; ++i) {
    if (!n.has(2 + i)) return unimplemented("a carried value has no first value");
    variables.push_back(n.in(2 + i));
    options.shapeInvariants.push_back(invariantOf(body->input(2 + i), n.b.shape(variables.back())));
  }
  WEFT_LET(const std::vector<Collected> steps, collect(n, *body, 1 + carried, variables));
  for (const Collected& c : steps) {
    variables.push_back(c.flow);
    options.shapeInvariants.push_back(Shape());
  }
  const auto condition = [&](const Outputs& v) {
    if (!limit.valid()) return n.b.identity(v[1]);
    const Output within = n.b.op("Less", {v[0], n.b.cast(limit, DType::Int64)});
    return n.b.op("LogicalAnd", {within, v[1]});
  };
  const auto run = [&](const Outputs& v) {
    const Outputs given(v.begin(), v.begin() + 2 + carried);
    const Outputs made = outputsOf(n, *body, given);
    if (!n.b.ok() || made.empty()) return Outputs(v.size());
    const Output one = n.b.number(DType::Int64, 1);
    Outputs next{n.b.op("AddV2", {v[0], one}), n.reshape(made[0], {})};
    next.insert(next.end(), made.begin() + 1, made.begin() + 1 + carried);
    const Output index = steps.empty() ? Output{} : n.b.cast(v[0], DType::Int32);
    for (size_t i = 0; i < steps.size(); ++i)
      next.push_back(n.b.op("TensorArrayWriteV3", {steps[i].handle, index, made[1 + size_t(carried) + i], v[2 + size_t(carried) + i]}));
    return next;
  };
  const Outputs last = api::whileLoop(n.b, condition, run, variables, options);
  WEFT_TRY(n.b.status());
  Outputs out(last.begin() + 2, last.begin() + 2 + carried);
  for (size_t i = 0; i < steps.size(); ++i) out.push_back(collected(n, steps[i], last[2 + size_t(carried) + i]));
  return out;
}

/// A loop over slices of its scanned inputs.
Translation scanOp(ImportNode& n) {
  if (n.opset < 9) return unimplemented("the batched form of operator set 8");
  const ::onnx::GraphProto* body = n.graph("body");
  const int scanned = int(n.integer("num_scan_inputs")), carried = n.inputs() - scanned;
  if (!body || scanned < 1 || carried < 0 || body->input_size() != n.inputs() || body->output_size() < carried)
    return invalidArgument("its body does not take and give what it carries");
  const Ints inAxes = n.integers("scan_input_axes"), inBack = n.integers("scan_input_directions"), outAxes = n.integers("scan_output_axes"),
             outBack = n.integers("scan_output_directions");
  const auto at = [](const Ints& list, size_t i) { return i < list.size() ? list[i] : 0; };
  Outputs sources;
  for (int i = 0; i < scanned; ++i) {
    Output x = n.in(carried + i);
    const int rank = n.rank(carried + i);
    const int64_t axis = rank < 0 ? -1 : axisOf(at(inAxes, size_t(i)), rank);
    if (axis < 0) return unimplemented("the rank of a scanned input is not known");
    Ints perm{axis};
    for (int d = 0; d < rank; ++d)
      if (d != axis) perm.push_back(d);
    x = n.transpose(x, perm);
    if (at(inBack, size_t(i))) x = n.op("ReverseV2", {x, n.intVector({0})});
    sources.push_back(x);
  }
  const Output count = n.reshape(n.slice(n.shapeOf(sources[0]), 0, 0, 1), {}), zero = n.b.scalar(int32_t(0));
  Outputs variables{zero};
  api::WhileOptions options;
  options.name = "scan";
  options.shapeInvariants = {Shape()};
  for (int i = 0; i < carried; ++i) {
    variables.push_back(n.in(i));
    options.shapeInvariants.push_back(invariantOf(body->input(i), n.b.shape(variables.back())));
  }
  Outputs firsts(variables.begin() + 1, variables.end());
  for (const Output& x : sources) firsts.push_back(n.gather(x, zero, 0));
  WEFT_LET(const std::vector<Collected> steps, collect(n, *body, carried, firsts));
  for (const Collected& c : steps) {
    variables.push_back(c.flow);
    options.shapeInvariants.push_back(Shape());
  }
  const auto condition = [&](const Outputs& v) { return n.b.op("Less", {v[0], count}); };
  const auto run = [&](const Outputs& v) {
    Outputs given(v.begin() + 1, v.begin() + 1 + carried);
    for (const Output& x : sources) given.push_back(n.gather(x, v[0], 0));
    const Outputs made = outputsOf(n, *body, given);
    if (!n.b.ok() || made.size() < size_t(carried)) return Outputs(v.size());
    const Output one = n.b.scalar(int32_t(1));
    Outputs next{n.b.op("AddV2", {v[0], one})};
    next.insert(next.end(), made.begin(), made.begin() + carried);
    for (size_t i = 0; i < steps.size(); ++i)
      next.push_back(n.b.op("TensorArrayWriteV3", {steps[i].handle, v[0], made[size_t(carried) + i], v[1 + size_t(carried) + i]}));
    return next;
  };
  const Outputs last = api::whileLoop(n.b, condition, run, variables, options);
  WEFT_TRY(n.b.status());
  Outputs out(last.begin() + 1, last.begin() + 1 + carried);
  for (size_t i = 0; i < steps.size(); ++i) {
    Output all = collected(n, steps[i], last[1 + size_t(carried) + i]);
    if (at(outBack, i)) all = n.op("ReverseV2", {all, n.intVector({0})});
    if (const int64_t axis = at(outAxes, i); axis != 0) {
      const int rank = n.b.shape(all).rank();
      const int64_t to = rank < 0 ? -1 : axisOf(axis, rank);
      if (to < 0) return unimplemented("the rank of what it collects is not known");
      Ints perm;
      for (int d = 1; d < rank; ++d) perm.push_back(d);
      perm.insert(perm.begin() + to, 0);
      all = n.transpose(all, perm);
    }
    out.push_back(all);
  }
  return out;
}

}  // namespace

std::vector<ImportRule> controlImports() { return {{"If", ifOp}, {"Loop", loopOp}, {"Scan", scanOp}}; }

}  // namespace weft::onnx_io
