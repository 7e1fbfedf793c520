#include <algorithm>
#include <numeric>

#include "ops/registry.h"
#include "tensor/element_types.h"
#include "tensor/variant.h"

// Conversion of ragged tensors to padded ones and, row by row, to and from Variant tensors, for use in data sets and loops.
namespace weft {
namespace {

std::vector<int64_t> numbersOf(const Tensor& t) {
  std::vector<int64_t> out(static_cast<size_t>(t.elements()));
  for (size_t i = 0; i < out.size(); ++i) out[i] = t.asInt(int64_t(i));
  return out;
}

Tensor integersOf(DType type, const std::vector<int64_t>& values) {
  Tensor t = Tensor::zeros(type, {int64_t(values.size())});
  for (size_t i = 0; i < values.size(); ++i) {
    if (type == DType::Int64) t.mutableData<int64_t>()[i] = values[i];
    else t.mutableData<int32_t>()[i] = int32_t(values[i]);
  }
  return t;
}

Status checkSplits(const std::vector<int64_t>& splits, int64_t below) {
  if (splits.empty() || splits.front() != 0) return invalidArgument("Invalid ragged splits: first element of ragged splits must be 0");
  for (size_t i = 1; i < splits.size(); ++i)
    if (splits[i] < splits[i - 1]) return invalidArgument("Ragged splits must be sorted in ascending order");
  if (splits.back() > below) return invalidArgument("Ragged splits must not point past values");
  return {};
}

// ---- RaggedTensorToTensor

enum class Partition { FirstDim, RowIds, Splits };

Result<std::vector<Partition>> partitionsOf(const AttrMap& attrs) {
  std::vector<Partition> out;
  for (const std::string& name : attrs.list<std::string>("row_partition_types")) {
    if (name == "FIRST_DIM_SIZE") out.push_back(Partition::FirstDim);
    else if (name == "VALUE_ROWIDS") out.push_back(Partition::RowIds);
    else if (name == "ROW_SPLITS") out.push_back(Partition::Splits);
    else return invalidArgument("Unknown string for partition info type: ", name);
  }
  if (out.empty()) return invalidArgument("Partition info types should not be empty");
  return out;
}

/// For each element of a dimension: its row in the next outer one, and its position there.
struct Level {
  std::vector<int64_t> row, place;
  int64_t rows = 0, width = 0;
};

Result<Level> levelOf(const Tensor& t, Partition kind, int64_t rows, int64_t values) {
  Level level;
  level.rows = rows;
  const std::vector<int64_t> numbers = numbersOf(t);
  if (kind == Partition::Splits) {
    if (numbers.empty() || numbers.front() != 0) return invalidArgument("Invalid ragged splits: first element of ragged splits must be 0");
    for (size_t i = 1; i < numbers.size(); ++i)
      if (numbers[i] < numbers[i - 1]) return invalidArgument("Ragged splits must be sorted in ascending order");
    if (numbers.back() > values) return internalError("Values and indices must be equal: ", values, " vs. ", numbers.back());
    if (rows >= 0 && int64_t(numbers.size()) != rows + 1) return invalidArgument("row_splits has ", numbers.size(), " elements, but there are ", rows, " rows");
    level.rows = int64_t(numbers.size()) - 1;
    for (size_t r = 0; r + 1 < numbers.size(); ++r)
      for (int64_t k = numbers[r]; k < numbers[r + 1]; ++k) {
        level.row.push_back(int64_t(r));
        level.place.push_back(k - numbers[r]);
      }
  } else {
    for (size_t i = 0; i < numbers.size(); ++i) {
      if (numbers[i] < 0 || (i > 0 && numbers[i] < numbers[i - 1])) return invalidArgument("value_rowids must be sorted in ascending order");
      level.place.push_back(i > 0 && numbers[i] == numbers[i - 1] ? level.place.back() + 1 : 0);
    }
    level.row = numbers;
  }
  for (const int64_t p : level.place) level.width = std::max(level.width, p + 1);
  return level;
}

Status runToTensor(KernelContext& c) {
  const Tensor &wanted = c.input(0), &values = c.input(1), &fill = c.input(2);
  WEFT_LET(const auto kinds, partitionsOf(c.node().attrs));
  const int partitions = c.inputCount() - 3;
  if (int(kinds.size()) != partitions)
    return invalidArgument("row_partition_types has ", kinds.size(), " entries, but there are ", partitions, " row partition tensors");
  if (values.rank() < 1) return invalidArgument("values must have at least one dimension");
  // Levels from the outermost dimension inward.
  std::vector<Level> levels;
  int64_t rows = -1;
  int first = 0;
  if (kinds[0] == Partition::FirstDim) {
    if (c.input(3).elements() != 1) return invalidArgument("The first dimension's size must be a number");
    rows = c.input(3).asInt(0);
    if (rows < 0) return invalidArgument("The first dimension's size must not be negative: ", rows);
    first = 1;
  } else if (kinds[0] == Partition::RowIds) {
    return invalidArgument("VALUE_ROWIDS cannot be first. Must be FIRST_DIM_SIZE or ROW_SPLITS");
  }
  for (int i = first; i < partitions; ++i) {
    if (kinds[size_t(i)] == Partition::FirstDim) return invalidArgument("Cannot handle FIRST_DIM_SIZE in a dimension that is not the first.");
    const Tensor& t = c.input(3 + i);
    if (t.rank() != 1) return invalidArgument("Row partition must be a vector, saw: ", t.shape().toString());
    // The next level tells the number of values.
    const int64_t below = i + 1 == partitions ? values.dim(0) : kinds[size_t(i + 1)] == Partition::Splits ? c.input(4 + i).elements() - 1 : int64_t(1) << 62;
    WEFT_LET(Level level, levelOf(t, kinds[size_t(i)], levels.empty() ? rows : int64_t(levels.back().row.size()), below));
    if (levels.empty()) rows = level.rows;
    for (const int64_t r : level.row)
      if (r >= (levels.empty() ? rows : int64_t(levels.back().row.size()))) return invalidArgument("A row number ", r, " lies outside of the rows");
    levels.push_back(std::move(level));
  }
  const int64_t inner = levels.empty() ? values.dim(0) : int64_t(levels.back().row.size());
  if (inner != values.dim(0)) return internalError("Values and indices must be equal: ", values.dim(0), " vs. ", inner);
  // The shape: as requested, else as large as needed.
  const int ragged = int(levels.size()) + 1;
  Shape shape{rows};
  for (const Level& l : levels) shape.append(l.width);
  for (int d = 1; d < values.rank(); ++d) shape.append(values.dim(d));
  if (wanted.rank() == 1) {
    if (wanted.elements() != shape.rank()) {
      return invalidArgument("Value shape ", values.shape().toString(), " and ", ragged, " ragged dimensions do not go together with shape ",
                             wanted.toString());
    }
    for (int d = 0; d < shape.rank(); ++d) {
      const int64_t w = wanted.asInt(d);
      if (w < -1) return invalidArgument("Dimension ", w, " must be >= -1");
      if (w >= 0 && d >= ragged && w != shape.dim(d))
        return invalidArgument("Inner dimension ", d, " of shape is ", w, ", but that of the values is ", shape.dim(d));
      if (w >= 0) shape.setDim(d, w);
    }
  } else if (wanted.rank() != 0 || wanted.asInt(0) != -1) {
    return invalidArgument("The only valid scalar shape tensor is the fully unknown shape specified as -1.");
  }
  if (shape.elements() < 0) return invalidArgument("The result's shape ", shape.toString(), " is too large");
  const Shape element = values.shape().slice(1);
  const int64_t width = element.elements();
  if (fill.rank() > element.rank())
    return invalidArgument("default_value.shape=", fill.shape().toString(), " and rt_input.flat_values.shape=", values.shape().toString(), " are incompatible");
  WEFT_LET(const Shape together, broadcastShapes(fill.shape(), element));
  if (!(together == element))
    return invalidArgument("default_value.shape=", fill.shape().toString(), " and rt_input.flat_values.shape=", values.shape().toString(), " are incompatible");
  WEFT_LET(Tensor * out, c.allocate(0, shape));
  const int64_t places = width > 0 ? out->elements() / width : 0;
  // The default value of one position, broadcast.
  std::vector<int64_t> from(static_cast<size_t>(width), 0);
  for (int64_t k = 0; k < width; ++k) {
    int64_t rest = k, at = 0, step = 1;
    for (int d = element.rank() - 1; d >= 0; --d) {
      const int64_t p = rest % element.dim(d);
      rest /= element.dim(d);
      const int f = d - (element.rank() - fill.rank());
      if (f < 0) continue;
      if (fill.dim(f) != 1) at += p * step;
      step *= fill.dim(f);
    }
    from[size_t(k)] = at;
  }
  for (int64_t p = 0; p < places; ++p)
    for (int64_t k = 0; k < width; ++k) copyElements(*out, p * width + k, fill, from[size_t(k)], 1);
  for (int64_t i = 0; i < values.dim(0); ++i) {
    int64_t row = i, at = 0, step = 1;
    bool inside = true;
    for (int d = ragged - 1; d > 0; --d) {
      const Level& l = levels[size_t(d - 1)];
      const int64_t place = l.place[size_t(row)];
      inside = inside && place < shape.dim(d);
      at += place * step;
      step *= shape.dim(d);
      row = l.row[size_t(row)];
    }
    if (inside && row < shape.dim(0)) copyElements(*out, (row * step + at) * width, values, i * width, width);
  }
  return {};
}

/// The sequence of partition kinds, their number and ranks, in TensorFlow's words.
Status checkPartitions(ShapeContext& c, const std::vector<Partition>& kinds) {
  for (size_t i = 1; i < kinds.size(); ++i)
    if (kinds[i] == Partition::FirstDim) return invalidArgument("FIRST_DIM_SIZE must be first");
  if (kinds[0] == Partition::FirstDim && (kinds.size() < 2 || kinds[1] != Partition::RowIds))
    return invalidArgument("FIRST_DIM_SIZE must be followed by VALUE_ROWIDS");
  if (kinds[0] == Partition::RowIds) return invalidArgument("VALUE_ROWIDS cannot be first");
  const int partitions = c.inputCount() - 3;
  if (size_t(partitions) != kinds.size())
    return invalidArgument("Number of row partition tensors (", partitions, ") does not equal the number of row partition types(", kinds.size(), ").");
  for (int i = 0; i < partitions; ++i) {
    const Shape& s = c.input(3 + i);
    if (!s.hasRank()) continue;
    if (kinds[size_t(i)] == Partition::FirstDim && s.rank() != 0) return invalidArgument("FIRST_DIM_SIZE must be a scalar.");
    if (kinds[size_t(i)] != Partition::FirstDim && s.rank() != 1) return invalidArgument("Row partition must be a vector.");
  }
  return {};
}

Status toTensorShape(ShapeContext& c) {
  const Shape& values = c.input(1);
  const int partitions = c.inputCount() - 3;
  WEFT_LET(const auto kinds, partitionsOf(c.attrs()));
  const int ragged = partitions - (kinds[0] == Partition::FirstDim ? 1 : 0);
  WEFT_TRY(checkPartitions(c, kinds));
  if (const auto whole = c.constantInt(0); whole && c.input(0).hasRank() && c.input(0).rank() == 0 && *whole != -1)
    return invalidArgument("Received an invalid shape scalar with a static value that is not '-1': ", *whole);
  if (values.hasRank() && c.input(2).hasRank() && c.input(2).rank() > std::max(0, values.rank() - 1))
    return invalidArgument("default_value.shape=", c.input(2).toString(), " and rt_input.flat_values.shape=", values.toString(),
                           " are incompatible: default_value.rank = ", c.input(2).rank(), "  must be less than rt_input.flat_values.rank = ", values.rank());
  Shape out = values.hasRank() ? Shape::unknownOfRank(ragged + values.rank()) : Shape::unknown();
  for (int d = 1; values.hasRank() && d < values.rank(); ++d) out.setDim(ragged + d, values.dim(d));
  if (c.input(0).hasRank() && c.input(0).rank() == 1) {
    WEFT_LET(const Shape wanted, c.constantAsShape(0));
    if (wanted.hasRank() && out.hasRank() && wanted.rank() != out.rank())
      return invalidArgument("Value shape ", values.toString(), " and ", ragged, " ragged dimensions do not go together with shape ", wanted.toString());
    for (int d = 0; wanted.hasRank() && d < wanted.rank(); ++d) {
      if (!out.hasRank()) out = Shape::unknownOfRank(wanted.rank());
      if (wanted.dim(d) < 0) continue;
      if (out.dim(d) >= 0 && out.dim(d) != wanted.dim(d))
        return invalidArgument("Value shape ", values.toString(), " does not go together with shape ", wanted.toString());
      out.setDim(d, wanted.dim(d));
    }
  }
  c.setOutput(0, std::move(out));
  return {};
}

// ---- Variants

/// A ragged tensor (or, without splits, a plain one) in a Variant.
struct RaggedObject final : VariantObject {
  std::vector<Tensor> splits;
  Tensor values;
};

Status runToVariant(KernelContext& c) {
  const int depth = c.inputCount() - 1;
  const Tensor& values = c.input(depth);
  if (values.rank() < 1) return invalidArgument("rt_dense_values must have at least one dimension");
  std::vector<std::vector<int64_t>> splits;
  for (int d = 0; d < depth; ++d) {
    if (c.input(d).rank() != 1) return invalidArgument("Ragged splits must have rank 1; given shape ", c.input(d).shape().toString());
    splits.push_back(numbersOf(c.input(d)));
    WEFT_TRY(checkSplits(splits.back(), d + 1 == depth ? values.dim(0) : c.input(d + 1).elements() - 1));
  }
  if (!c.node().attrs.flag("batched_input")) {
    auto object = std::make_shared<RaggedObject>();
    for (int d = 0; d < depth; ++d) object->splits.push_back(c.input(d));
    object->values = values;
    Tensor out = Tensor::zeros(DType::Variant, {});
    out.mutableData<VariantValue>()->object = std::move(object);
    c.setOutput(0, std::move(out));
    return {};
  }
  const int64_t rows = int64_t(splits[0].size()) - 1;
  WEFT_LET(Tensor out, Tensor::allocate(DType::Variant, {rows}));
  for (int64_t row = 0; row < rows; ++row) {
    auto object = std::make_shared<RaggedObject>();
    int64_t begin = splits[0][size_t(row)], end = splits[0][size_t(row) + 1];
    for (int d = 1; d < depth; ++d) {
      std::vector<int64_t> part(splits[size_t(d)].begin() + begin, splits[size_t(d)].begin() + end + 1);
      begin = part.front();
      end = part.back();
      for (int64_t& s : part) s -= begin;
      object->splits.push_back(integersOf(c.input(0).dtype(), part));
    }
    WEFT_LET(object->values, values.rows(begin, end).clone());
    out.mutableData<VariantValue>()[row].object = std::move(object);
  }
  c.setOutput(0, std::move(out));
  return {};
}

Status toVariantShape(ShapeContext& c) {
  const int depth = c.inputCount() - 1;
  for (int d = 0; d < depth; ++d) WEFT_TRY(c.requireRank(c.input(d), 1));
  WEFT_TRY(c.requireRankAtLeast(c.input(depth), 1));
  if (!c.attrs().flag("batched_input")) {
    c.setOutput(0, Shape());
  } else {
    const Shape& s = c.input(0);
    c.setOutput(0, {s.hasRank() && s.dim(0) > 0 ? s.dim(0) - 1 : Shape::kUnknownDim});
  }
  return {};
}

Status runFromVariant(KernelContext& c) {
  const Tensor& in = c.input(0);
  const int depth = int(c.node().attrs.integer("output_ragged_rank"));
  int inner = int(c.node().attrs.integer("input_ragged_rank"));
  if (inner == -1) {
    inner = depth - in.rank();
    if (inner < 0)
      return invalidArgument("Inferred input_ragged_rank (output_ragged_rank - encoded_variant.dims()) must be >= 0, found output_ragged_rank: ", depth,
                             ", encoded_variant.dims(): ", in.rank(), ", inferred input_ragged_rank: ", inner);
  }
  if (depth != inner + in.rank())
    return invalidArgument("output_ragged_rank must be equal to input_ragged_rank + encoded_ragged.dims(); output_ragged_rank: ", depth,
                           ", input_ragged_rank: ", inner, ", encoded_ragged.dims(): ", in.rank(), ".");
  const DType splitType = c.node().attrs.type("Tsplits"), valueType = c.node().attrs.type("Tvalues");
  std::vector<const RaggedObject*> parts;
  for (int64_t i = 0; i < in.elements(); ++i) {
    const auto* object = dynamic_cast<const RaggedObject*>(in.data<VariantValue>()[i].object.get());
    if (!object) return invalidArgument("Input Variant element at index ", i, " doesn't hold a Tensor");
    if (int(object->splits.size()) != inner)
      return invalidArgument(
          "Encoded input Variant must hold either input_ragged_rank + 1 Tensors or an empty Tensor (zero splits Tensors, 1 values "
          "Tensor), input_ragged_rank: ",
          inner, ", encoded input Variant: ", object->splits.size(), " splits");
    if (object->values.dtype() != valueType)
      return invalidArgument("Expected values Tensor dtype: ", dtypeShortName(valueType), ", found: ", dtypeShortName(object->values.dtype()));
    if (object->values.rank() < 1)
      return invalidArgument("Ragged values must have rank >= 1; encoded scalar element at index ", i, " has values Tensor: ", object->values.toString(4));
    for (const Tensor& s : object->splits)
      if (s.dtype() != splitType)
        return invalidArgument("Expected row_splits Tensor dtype: ", dtypeShortName(splitType), ", found: ", dtypeShortName(s.dtype()));
    if (!parts.empty() && !(parts[0]->values.shape().slice(1) == object->values.shape().slice(1)))
      return invalidArgument("All flat_values must have compatible shapes.  Shape at index 0: ", parts[0]->values.shape().toString(), ".  Shape at index ", i,
                             ": ", object->values.shape().toString());
    parts.push_back(object);
  }
  if (in.rank() == 0) {
    for (int d = 0; d < depth; ++d) c.setOutput(d, parts[0]->splits[size_t(d)]);
    c.setOutput(depth, parts[0]->values);
    return {};
  }
  int64_t outer = in.dim(0);
  for (int d = 0; d + 1 < in.rank(); ++d) {
    std::vector<int64_t> even(static_cast<size_t>(outer) + 1);
    for (size_t i = 0; i < even.size(); ++i) even[i] = int64_t(i) * in.dim(d + 1);
    outer *= in.dim(d + 1);
    c.setOutput(d, integersOf(splitType, even));
  }
  // Then one row per part, followed by the parts' own splits.
  std::vector<std::vector<int64_t>> splits(size_t(inner) + 1, {0});
  int64_t total = 0;
  for (const RaggedObject* p : parts) {
    splits[0].push_back(splits[0].back() + (inner > 0 ? p->splits[0].elements() - 1 : p->values.dim(0)));
    for (int d = 0; d < inner; ++d) {
      const auto own = numbersOf(p->splits[size_t(d)]);
      const int64_t base = splits[size_t(d) + 1].back();
      for (size_t i = 1; i < own.size(); ++i) splits[size_t(d) + 1].push_back(base + own[i]);
    }
    total += p->values.dim(0);
  }
  for (int d = 0; d <= inner; ++d) c.setOutput(in.rank() - 1 + d, integersOf(splitType, splits[size_t(d)]));
  Shape shape{total};
  if (!parts.empty()) shape.append(parts[0]->values.shape().slice(1));
  WEFT_LET(Tensor * values, c.allocate(depth, shape));
  int64_t at = 0;
  for (const RaggedObject* p : parts) {
    copyElements(*values, at, p->values, 0, p->values.elements());
    at += p->values.elements();
  }
  return {};
}

Status fromVariantShape(ShapeContext& c) {
  const int64_t depth = c.attrs().integer("output_ragged_rank"), inner = c.attrs().integer("input_ragged_rank");
  if (inner >= 0) WEFT_TRY(c.requireRank(c.input(0), int(depth - inner)));
  for (int d = 0; d < depth; ++d) c.setOutput(d, Shape::unknownOfRank(1));
  c.setOutput(int(depth), Shape::unknown());
  return {};
}

}  // namespace

void registerRaggedConversion(OpRegistry& ops) {
  const auto add = [&](const char* name, const char* summary) -> OpRecord& {
    return ops.add(name).category("Ragged tensors").keywords("rows of different lengths").summary(summary);
  };
  const char* none = "TensorFlow 1.15 defines no gradient for it.";
  add("RaggedTensorToTensor", "Converts a ragged tensor to a dense one; short rows are padded, long rows truncated.")
      .input("shape: Tshape", "Shape of the result; -1: as large as needed, for one dimension or (as a scalar) for all.")
      .input("values: T", "Flat values of the ragged tensor.")
      .input("default_value: T", "Padding value for short rows.")
      .input("row_partition_tensors: num_row_partition_tensors * Tindex", "Row partitions, outermost first.")
      .output("result: T", "The dense tensor.")
      .attr("T: type", "Type of the values.")
      .attr("Tindex: {int64, int32}", "Type of the row partitions.")
      .attr("Tshape: {int64, int32}", "Type of the shape.")
      .attr("num_row_partition_tensors: int >= 1", "Number of row partitions.")
      .attr("row_partition_types: list(string)", "Kind of each row partition: FIRST_DIM_SIZE, VALUE_ROWIDS or ROW_SPLITS.")
      .shape(toTensorShape)
      .noGradient(none)
      .cpu({}, simpleKernel(runToTensor))
      .gradientIsError = true;
  add("RaggedTensorToVariant", "Encodes a ragged tensor, or each of its rows, as a Variant.")
      .input("rt_nested_splits: RAGGED_RANK * Tsplits", "Row splits, outermost first.")
      .input("rt_dense_values: Tvalues", "Flat values of the ragged tensor.")
      .output("encoded_ragged: variant", "The Variant, or one Variant per row.")
      .attr("RAGGED_RANK: int >= 1", "Ragged rank of the tensor.")
      .attr("Tvalues: type", "Type of the values.")
      .attr("Tsplits: {int32, int64}", "Type of the splits.")
      .attr("batched_input: bool", "Encode each row separately.")
      .shape(toVariantShape)
      .noGradient(none)
      .cpu({}, simpleKernel(runToVariant))
      .gradientIsError = true;
  add("RaggedTensorFromVariant", "Decodes Variants to a ragged tensor.")
      .input("encoded_ragged: variant", "Variants from RaggedTensorToVariant, possibly stacked.")
      .output("output_nested_splits: output_ragged_rank * Tsplits", "Row splits, outermost first.")
      .output("output_dense_values: Tvalues", "Flat values of the ragged tensor.")
      .attr("input_ragged_rank: int >= -1", "Ragged rank of each Variant; -1: inferred.")
      .attr("output_ragged_rank: int >= 1", "Ragged rank of the result.")
      .attr("Tvalues: type", "Type of the values.")
      .attr("Tsplits: {int32, int64}", "Type of the splits.")
      .shape(fromVariantShape)
      .noGradient(none)
      .cpu({}, simpleKernel(runFromVariant))
      .gradientIsError = true;
  retain(ops, "RaggedTensorToVariant RaggedTensorFromVariant");
}

}  // namespace weft
