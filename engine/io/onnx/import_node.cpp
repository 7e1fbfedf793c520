#include "io/onnx/import_node.h"

#include <algorithm>
#include <cstring>
#include <map>

#include "io/foreign_model.h"
#include "io/onnx/importer.h"

namespace weft::onnx_io {
namespace {

using Attribute = ::onnx::AttributeProto;

/// Whether a CPU kernel takes this type for the attribute.
bool hasKernel(const OpRecord& record, const std::string& attr, DType type) {
  const AttrSpec* spec = record.findAttr(attr);
  if (spec && !spec->allowedTypes.empty() && std::find(spec->allowedTypes.begin(), spec->allowedTypes.end(), type) == spec->allowedTypes.end()) return false;
  for (const KernelRecord& kernel : record.kernels) {
    if (kernel.device != "CPU") continue;
    const bool takes = std::all_of(kernel.constraints.begin(), kernel.constraints.end(), [&](const KernelConstraint& c) {
      return c.attr != attr || std::find(c.types.begin(), c.types.end(), type) != c.types.end();
    });
    if (takes) return true;
  }
  return false;
}

/// Types that hold every value of `type`, in the order to try.
std::vector<DType> widerTypes(DType type) {
  switch (type) {
    case DType::Bool: return {DType::UInt8, DType::Int32};
    case DType::UInt8: return {DType::Int16, DType::Int32, DType::Int64, DType::Float};
    case DType::Int8: return {DType::Int16, DType::Int32, DType::Int64, DType::Float};
    case DType::UInt16: return {DType::Int32, DType::Int64, DType::Float};
    case DType::Int16: return {DType::Int32, DType::Int64, DType::Float};
    case DType::Int32: return {DType::Int64, DType::Double};
    case DType::UInt32: return {DType::Int64, DType::Double};
    case DType::UInt64: return {DType::Int64};
    case DType::Half: return {DType::Float};
    case DType::BFloat16: return {DType::Float};
    case DType::Float: return {DType::Double};
    default: return {};
  }
}

/// Whether an op on int64 gives the right bits for uint64: it moves numbers, or computes modulo 2^64.
bool isRightForWrapped(std::string_view op) {
  for (const std::string_view wrong :
       {"Maximum", "Minimum", "RealDiv", "TruncateDiv", "FloorDiv", "FloorMod", "TruncateMod", "Less", "LessEqual", "Greater", "GreaterEqual",
        "Max",     "Min",     "Mean",    "ArgMax",      "ArgMin",   "TopKV2",   "Abs",         "Sign", "Pow",       "Cast",    "RightShift"})
    if (op == wrong) return false;
  return true;
}

/// The type attribute whose value the inputs decide first, with the positions of those inputs. Empty: there is none.
std::string mainType(const OpRecord& record, const Inputs& inputs, std::vector<size_t>* positions) {
  std::string attr;
  const size_t given = inputs.items().size();
  size_t at = 0;
  for (size_t i = 0; i < record.inputs.size(); ++i) {
    const ArgSpec& arg = record.inputs[i];
    const bool list = !arg.numberAttr.empty() || arg.isTypeList;
    const size_t others = record.inputs.size() - 1, count = list ? (given > others ? given - others : 0) : 1;
    if (!arg.typeAttr.empty() && !arg.isTypeList && (attr.empty() || arg.typeAttr == attr)) {
      attr = arg.typeAttr;
      for (size_t k = 0; k < count && at + k < given; ++k) positions->push_back(at + k);
    }
    at += count;
  }
  return attr;
}

}  // namespace

Ints toChannelsLast(int rank) {
  Ints out{0};
  for (int i = 2; i < rank; ++i) out.push_back(i);
  out.push_back(1);
  return out;
}

Ints toChannelsFirst(int rank) {
  Ints out{0, rank - 1};
  for (int i = 1; i < rank - 1; ++i) out.push_back(i);
  return out;
}

bool isPermutation(const Ints& perm, int rank) {
  Ints sorted = perm;
  std::sort(sorted.begin(), sorted.end());
  for (size_t i = 0; i < sorted.size(); ++i)
    if (sorted[i] != int64_t(i)) return false;
  return int(perm.size()) == rank;
}

const ImportRule* importRule(std::string_view domain, std::string_view op) {
  static const auto* const rules = [] {
    auto* all = new std::map<std::string_view, ImportRule>();
    for (const auto& family :
         {elementwiseImports(), activationImports(), arrayImports(), indexImports(), reductionImports(), matrixImports(), convolutionImports(),
          poolingImports(), normalizationImports(), recurrentImports(), resizeImports(), quantizationImports(), controlImports(), sourceImports()})
      for (const ImportRule& rule : family) all->emplace(rule.op, rule);
    return all;
  }();
  if (!domain.empty() && domain != "ai.onnx" && !(domain == "com.microsoft" && op == "Gelu")) return nullptr;
  const auto found = rules->find(op);
  return found == rules->end() ? nullptr : &found->second;
}

const std::string& ImportNode::opType() const { return proto.op_type(); }
int ImportNode::inputs() const { return proto.input_size(); }
int ImportNode::outputs() const { return proto.output_size(); }
bool ImportNode::has(int i) const { return i < proto.input_size() && !proto.input(i).empty(); }
bool ImportNode::wants(int i) const { return i < proto.output_size() && !proto.output(i).empty(); }

Output ImportNode::in(int i) {
  if (has(i)) return importer_.plain(proto.input(i));
  b.fail(invalidArgument("its input ", i, " is missing"));
  return {};
}

Output ImportNode::last(int i) {
  if (has(i)) return importer_.last(proto.input(i));
  return in(i);
}

bool ImportNode::isLast(int i) const {
  const ImportedValue* v = has(i) ? importer_.find(proto.input(i)) : nullptr;
  return v && v->last.valid() && !v->plain.valid();
}

int ImportNode::rank(int i) {
  const ImportedValue* v = has(i) ? importer_.find(proto.input(i)) : nullptr;
  return v ? b.shape(v->plain.valid() ? v->plain : v->last).rank() : -1;
}

Output ImportNode::inAnyOrder(int i) {
  if (!isLast(i)) return in(i);
  channelsLast = true;
  return last(i);
}

std::pair<Output, Output> ImportNode::inOneOrder() {
  const bool lasts[] = {isLast(0), isLast(1)};
  const int most = std::max(rank(0), rank(1));
  Output turned[2];
  for (int i = 0; i < 2 && (lasts[0] || lasts[1]); ++i) {
    const int r = rank(i);
    if (r == 0 || (r == most && lasts[i])) {
      turned[i] = r == 0 ? in(i) : last(i);
    } else if (r == most && importer_.find(proto.input(i))->last.valid()) {
      turned[i] = last(i);
    } else if (r > 0) {
      // Only a constant is turned for free.
      const Output x = in(i);
      const auto known = value(x);
      if (!known || sizeOf(known->dtype()) == 0) break;
      Ints shape(size_t(most - r), 1);
      for (const int64_t d : known->shape().dims()) shape.push_back(d);
      const Output wide = reshape(x, shape);
      turned[i] = transpose(wide, toChannelsLast(most));
    }
  }
  if (turned[0].valid() && turned[1].valid()) {
    channelsLast = true;
    return {turned[0], turned[1]};
  }
  const Output first = in(0), second = in(1);
  return {first, second};
}

Outputs ImportNode::all(int from) {
  Outputs out;
  for (int i = from; i < inputs(); ++i) out.push_back(in(i));
  return out;
}

std::optional<Tensor> ImportNode::value(Output o) {
  const Tensor* found = o.valid() && b.ok() ? importer_.constant(o) : nullptr;
  return found ? std::optional(*found) : std::nullopt;
}

Result<Ints> ImportNode::ints(int input) {
  const auto known = value(in(input));
  WEFT_TRY(b.status());
  if (!known) return unimplemented("its input ", input, " is computed by the graph; only a constant is supported");
  if (!isInteger(known->dtype())) return invalidArgument("its input ", input, " is of type ", dtypeName(known->dtype()), "; expected integers");
  Ints out;
  for (int64_t i = 0; i < known->elements(); ++i) out.push_back(known->asInt(i));
  return out;
}

Result<double> ImportNode::number(int input) {
  const auto known = value(in(input));
  WEFT_TRY(b.status());
  if (!known) return unimplemented("its input ", input, " is computed by the graph; only a constant is supported");
  if (known->elements() != 1 || sizeOf(known->dtype()) == 0)
    return invalidArgument("its input ", input, " has ", known->elements(), " elements; expected one number");
  return known->asDouble(0);
}

const Attribute* ImportNode::find(std::string_view name) const {
  for (const auto& attr : proto.attribute())
    if (attr.name() == name) return attr.ref_attr_name().empty() ? &attr : importer_.argumentOf(attr.ref_attr_name());
  return nullptr;
}

bool ImportNode::hasAttr(std::string_view name) const { return find(name); }

// Writers that know proto3 leave out a number that is 0 and a text that is empty: the type alone says that the attribute is there.
int64_t ImportNode::integer(std::string_view name, int64_t otherwise) const {
  const Attribute* a = find(name);
  return a && (a->has_i() || a->type() == Attribute::INT) ? a->i() : otherwise;
}

float ImportNode::real(std::string_view name, float otherwise) const {
  const Attribute* a = find(name);
  return a && (a->has_f() || a->type() == Attribute::FLOAT) ? a->f() : otherwise;
}

std::string ImportNode::text(std::string_view name, std::string otherwise) const {
  const Attribute* a = find(name);
  return a && (a->has_s() || a->type() == Attribute::STRING) ? a->s() : otherwise;
}

Ints ImportNode::integers(std::string_view name) const {
  const Attribute* a = find(name);
  return a ? Ints(a->ints().begin(), a->ints().end()) : Ints();
}

std::vector<float> ImportNode::reals(std::string_view name) const {
  const Attribute* a = find(name);
  return a ? std::vector<float>(a->floats().begin(), a->floats().end()) : std::vector<float>();
}

std::vector<std::string> ImportNode::texts(std::string_view name) const {
  const Attribute* a = find(name);
  return a ? std::vector<std::string>(a->strings().begin(), a->strings().end()) : std::vector<std::string>();
}

Result<Tensor> ImportNode::tensor(std::string_view name) const {
  const Attribute* a = find(name);
  if (!a || !a->has_t()) return invalidArgument("its attribute '", name, "' is missing; expected a tensor");
  auto value = importer_.reader().read(a->t());
  if (value.ok()) importer_.grant(&a->t(), int64_t(value->bytes()));
  return value;
}

const ::onnx::GraphProto* ImportNode::graph(std::string_view name) const {
  const Attribute* a = find(name);
  return a && a->has_g() ? &a->g() : nullptr;
}

Result<Ints> ImportNode::axes(int fromOpset, int input) {
  if (opset < fromOpset) return integers("axes");
  return has(input) ? ints(input) : Result<Ints>(Ints());
}

Status ImportNode::spend(int64_t bytes) {
  if (importer_.spend(bytes)) return {};
  return unimplemented("the constants that stand for its ops would take over ", Importer::kMostMade >> 20, " MiB");
}

Outputs ImportNode::ops(std::string_view name, const Inputs& inputs, AttrMap attrs) {
  const OpRecord* record = OpRegistry::instance().find(name);
  std::vector<size_t> positions;
  const std::string attr = record && b.ok() ? mainType(*record, inputs, &positions) : std::string();
  const DType type = positions.empty() ? DType::Invalid : b.dtype(inputs.items()[positions[0]]);
  if (attr.empty() || type == DType::Invalid || hasKernel(*record, attr, type)) return b.outputsOf(b.node(name, inputs, std::move(attrs)));
  for (const DType wide : widerTypes(type)) {
    if (!hasKernel(*record, attr, wide) || (type == DType::UInt64 && !isRightForWrapped(name))) continue;
    std::vector<Output> cast = inputs.items();
    for (const size_t p : positions) cast[p] = b.cast(cast[p], wide);
    Outputs out = b.outputsOf(b.node(name, Inputs(cast), std::move(attrs)));
    for (size_t i = 0; i < out.size() && i < record->outputs.size(); ++i)
      if (record->outputs[i].typeAttr == attr) out[i] = b.cast(out[i], type);
    if (record->outputs.size() == 1 && !record->outputs[0].numberAttr.empty() && record->outputs[0].typeAttr == attr)
      for (size_t i = 1; i < out.size(); ++i) out[i] = b.cast(out[i], type);
    return out;
  }
  b.fail(unimplemented("no kernel of ", name, " takes ", dtypeName(type)));
  return {};
}

Output ImportNode::op(std::string_view name, const Inputs& inputs, AttrMap attrs) {
  const Outputs out = ops(name, inputs, std::move(attrs));
  return out.empty() ? Output{} : out[0];
}

Output ImportNode::intVector(const Ints& values) {
  std::vector<int32_t> narrow;
  for (const int64_t v : values) narrow.push_back(int32_t(std::clamp<int64_t>(v, INT32_MIN, INT32_MAX)));
  return b.constant(Tensor::vector(narrow));
}

Output ImportNode::transpose(Output x, const Ints& perm) {
  if (std::is_sorted(perm.begin(), perm.end())) return x;
  const Node* from = b.ok() ? b.graph().node(x.node) : nullptr;
  if (from && roleOf(*from) == OpRole::Constant) {
    const auto known = value(x);
    if (known && sizeOf(known->dtype()) > 0 && isPermutation(perm, known->rank()) && importer_.spend(int64_t(known->bytes()))) {
      if (auto turned = permuted(*known, perm); turned.ok()) return b.constant(std::move(*turned));
    }
  }
  const Output order = intVector(perm);
  return op("Transpose", {x, order});
}

Output ImportNode::reshape(Output x, const Ints& shape) {
  const Node* from = b.ok() ? b.graph().node(x.node) : nullptr;
  if (from && roleOf(*from) == OpRole::Constant) {
    const auto known = value(x);
    int64_t rest = known ? known->elements() : 0, open = 0;
    for (const int64_t d : shape) d < 0 ? void(++open) : void(rest = d == 0 || rest % d != 0 ? -1 : rest / d);
    if (known && rest > 0 && (open == 1 || (open == 0 && rest == 1)) && importer_.spend(int64_t(known->bytes()))) {
      Shape full;
      for (const int64_t d : shape) full.append(d < 0 ? rest : d);
      return b.constant(known->reshaped(full));
    }
  }
  const Output sizes = intVector(shape);
  return op("Reshape", {x, sizes});
}

Output ImportNode::concat(const Outputs& parts, int axis) {
  if (parts.size() == 1) return parts[0];
  const Output where = b.scalar(int32_t(axis));
  Inputs list(parts);
  list.add(where);
  return op("ConcatV2", list);
}

Output ImportNode::gather(Output x, Output indices, int axis) {
  const Output where = b.scalar(int32_t(axis));
  return op("GatherV2", {x, indices, where});
}

Output ImportNode::slice(Output x, int axis, int64_t begin, int64_t end) {
  Ints from(size_t(axis) + 1, 0), to(size_t(axis) + 1, 0), step(size_t(axis) + 1, 1);
  from.back() = begin;
  to.back() = end == INT64_MAX ? 0 : end;
  const int64_t all = (int64_t(1) << axis) - 1;
  const Output first = intVector(from), past = intVector(to), steps = intVector(step);
  return op("StridedSlice", {x, first, past, steps}, {{"begin_mask", all}, {"end_mask", end == INT64_MAX ? all | (int64_t(1) << axis) : all}});
}

Output ImportNode::pad(Output x, const Ints& before, const Ints& after, std::optional<double> filling) {
  if (std::all_of(before.begin(), before.end(), [](int64_t v) { return v == 0; }) && std::all_of(after.begin(), after.end(), [](int64_t v) { return v == 0; }))
    return x;
  std::vector<int32_t> widths;
  for (size_t i = 0; i < before.size(); ++i) {
    for (const int64_t p : {before[i], after[i]})
      if (p < 0 || p > INT32_MAX) b.fail(invalidArgument("a pad of ", p, "; expected 0 to ", INT32_MAX));
    widths.push_back(int32_t(before[i]));
    widths.push_back(int32_t(after[i]));
  }
  const Output sides = b.constant(Tensor::of(widths, {int64_t(before.size()), 2}));
  if (!filling) return op("Pad", {x, sides});
  const Output with = scalar(x, *filling);
  return op("PadV2", {x, sides, with});
}

Output ImportNode::reduce(std::string_view name, Output x, const Ints& axes, bool keep) {
  const Output over = intVector(axes);
  return op(name, {x, over}, {{"keep_dims", keep}});
}

}  // namespace weft::onnx_io
