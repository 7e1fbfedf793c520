// tf.*: arrays.
#include <algorithm>

#include "api/statement.h"
#include "api/tf.h"

namespace weft::api {
namespace {

Built sizedLike(Call& c, int value) {
  const Output x = value ? tf::onesLike(c.b, c["tensor"], c.dtype("dtype", DType::Invalid), c.name("ones_like"), c.a.flag("optimize"))
                         : tf::zerosLike(c.b, c["tensor"], c.dtype("dtype", DType::Invalid), c.name("zeros_like"), c.a.flag("optimize"));
  return c.one(x);
}

std::optional<int64_t> integerOr(Call& c, const std::string& name) { return c.has(name) ? std::optional(c.a.integer(name)) : std::nullopt; }

// tf.constant: converts the value to another type, or repeats it to fill another shape.
Built constantOf(Call& c) {
  WEFT_LET(const Literal l, asLiteral(c["value"]));
  WEFT_LET(Tensor t, literalValue(l, c.dtype("dtype", DType::Invalid)));
  if (c.has("shape")) {
    const Shape want = c.a.shape("shape");
    const int64_t n = want.elements();
    if (n < 0) return invalidArgument("The shape of a constant must be fully known, got ", want.toPythonString());
    if (c.a.flag("verify_shape") && !(t.shape() == want))
      return typeError("Expected Tensor's shape: ", want.toPythonString(), ", got ", t.shape().toPythonString(), ".");
    if (n == 0 && l.loose) {  // whatever the values are, as in TensorFlow
      WEFT_LET(t, Tensor::allocate(t.dtype(), want));
    }
    if (t.elements() > n) return invalidArgument("Too many elements provided. Needed at most ", n, ", but received ", t.elements());
    if (t.elements() == n) {
      t = t.reshaped(want);
    } else {
      // The last value fills the rest.
      WEFT_LET(Tensor out, Tensor::allocate(t.dtype(), want));
      if (t.elements() == 0) return invalidArgument("Cannot fill a constant of shape ", want.toPythonString(), " with no values");
      const size_t each = sizeOf(t.dtype());
      for (int64_t i = 0; i < n; ++i) {
        const int64_t from = std::min(i, t.elements() - 1);
        if (t.dtype() == DType::String) out.mutableData<std::string>()[i] = t.at<std::string>(from);
        else std::copy_n(static_cast<const char*>(t.raw()) + size_t(from) * each, each, static_cast<char*>(out.mutableRaw()) + size_t(i) * each);
      }
      t = std::move(out);
    }
  }
  return c.one(c.b.constant(std::move(t), c.name("Const")));
}

Built stridedSlice(Call& c) {
  const Argument strides = c.has("strides") ? c["strides"] : Argument(tf::onesLike(c.b, c["begin"]));
  AttrMap masks;
  for (const char* m : {"begin_mask", "end_mask", "ellipsis_mask", "new_axis_mask", "shrink_axis_mask"}) masks.set(m, c.a.integer(m));
  return c.one(emit(c.b, "StridedSlice", {c["input_"], c["begin"], c["end"], strides}, std::move(masks), c.name()));
}

Built getItem(Call& c) {
  std::vector<tf::Index> indices;
  for (const Argument& i : c.list("indices")) {
    const auto* list = std::get_if<ArgumentList>(&i);
    const auto* text = std::get_if<std::string>(&i);
    if (text && *text == "...") indices.push_back(tf::Index::ellipsis());
    else if (isNone(i)) indices.push_back(tf::Index::newAxis());
    else if (list && list->size() == 3) indices.push_back(tf::Index::range((*list)[0], (*list)[1], (*list)[2]));
    else indices.push_back(tf::Index::at(i));
  }
  return c.one(tf::item(c.b, c["x"], indices));
}

Built spaceToBatch(Call& c, std::string_view op, const char* other) {
  const int64_t size = c.a.integer("block_size");
  return c.one(emit(c.b, op, {c["input"], Literal{Tensor::vector(std::vector<int64_t>{size, size}), false}, c[other]}, {}, c.name()));
}

Built searchSorted(Call& c) {
  GraphBuilder& b = c.b;
  const std::string side = c.a.text("side");
  if (side != "left" && side != "right") return invalidArgument("side must be either 'right' or 'left'.  Saw: ", side, ".");
  const Output sequence = c.tensor("sorted_sequence"), values = c.tensor("values");
  const Output n = tf::at(b, tf::shape(b, sequence), -1), m = tf::at(b, tf::shape(b, values), -1);
  const Output rows = tf::reshape(b, sequence, ArgumentList{-1, n}), wanted = tf::reshape(b, values, ArgumentList{-1, m});
  const Output found = emit(b, side == "right" ? "UpperBound" : "LowerBound", {rows, wanted}, {{"out_type", c.a.dtype("out_type")}}, c.name());
  return c.one(tf::reshape(b, found, tf::shape(b, values)));
}

Built matrixTranspose(Call& c) {
  GraphBuilder& b = c.b;
  const auto scope = c.scope("matrix_transpose");
  const Output x = c.tensor("a");
  const Shape s = b.shape(x);
  if (!b.ok()) return b.status().error();
  if (!s.hasRank()) {
    const Output rank = tf::rank(b, x);
    const Output outer = emit(b, "Range", {0, tf::minus(b, rank, 2), 1});
    return c.one(
        tf::transpose(b, x, tf::concatenate(b, ArgumentList{outer, ArgumentList{tf::minus(b, rank, 1), tf::minus(b, rank, 2)}}, 0), {}, c.a.flag("conjugate")));
  }
  if (s.rank() < 2) return invalidArgument("Argument 'a' should be a (batch) matrix, with rank >= 2.  Found: ", s.toPythonString());
  std::vector<int64_t> perm;
  for (int i = 0; i < s.rank() - 2; ++i) perm.push_back(i);
  perm.push_back(s.rank() - 1);
  perm.push_back(s.rank() - 2);
  return c.one(tf::transpose(b, x, perm, {}, c.a.flag("conjugate")));
}

Built eye(Call& c) {
  GraphBuilder& b = c.b;
  const auto scope = c.scope("eye");
  const DType type = c.a.dtype("dtype");
  const Argument rows = c["num_rows"], columns = c.has("num_columns") ? c["num_columns"] : rows;
  const bool counted = !std::holds_alternative<Output>(rows) && !std::holds_alternative<Output>(columns);
  const int64_t n = counted ? c.a.integer("num_rows") : 0, m = counted && c.has("num_columns") ? c.a.integer("num_columns") : n;
  const bool square = counted ? n == m : !c.has("num_columns");
  const bool knownBatch = !std::holds_alternative<Output>(c["batch_shape"]);
  const std::vector<int64_t> batch = knownBatch ? c.a.integers("batch_shape") : std::vector<int64_t>();
  const Argument size = counted ? Argument(std::min(n, m)) : Argument(emit(b, "Minimum", {rows, columns}));
  Argument diagonal, full;
  if (knownBatch && counted) {
    auto dims = batch;
    dims.push_back(std::min(n, m));
    diagonal = dims;
    dims.back() = n;
    dims.push_back(m);
    full = dims;
  } else {
    const Output outer = toTensor(b, knownBatch ? Argument(batch) : c["batch_shape"], "shape", DType::Int32);
    diagonal = tf::concatenate(b, ArgumentList{outer, ArgumentList{size}}, 0);
    if (!square) full = tf::concatenate(b, ArgumentList{outer, ArgumentList{rows, columns}}, 0);
  }
  const Output ones = tf::ones(b, diagonal, type);
  if (square) return c.one(emit(b, "MatrixDiag", {ones}, {}, "diag"));
  return c.one(emit(b, "MatrixSetDiag", {tf::zeros(b, full, type), ones}, {}, "set_diag"));
}

void registerShapes(ApiRegistry& r) {
  def(r, "shape", "input|name|out_type: dtype=int32", "Shape of a tensor, as a tensor; a constant if it is known statically.", "A vector.",
      [](Call& c) { return c.one(tf::shape(c.b, c["input"], c.name(), c.a.dtype("out_type"))); });
  def(r, "size", "input|name|out_type: dtype=int32", "Number of elements of a tensor.", "A scalar.",
      [](Call& c) { return c.one(tf::size(c.b, c["input"], c.name(), c.a.dtype("out_type"))); });
  def(r, "rank", "input|name", "Number of dimensions of a tensor.", "A scalar.", [](Call& c) { return c.one(tf::rank(c.b, c["input"], c.name())); });
  def(r, "shape_n", "input: tensors|out_type: dtype=int32|name", "Shapes of several tensors.", "tensors: One vector per tensor.", [](Call& c) {
    return c.all(emitAll(c.b, "ShapeN", {c["input"]}, {{"out_type", c.a.dtype("out_type")}}, c.name()));
  });
  def(r, "reshape manip.reshape", "tensor|shape|name", "Changes the shape of a tensor and keeps its elements in order.", "A tensor.",
      [](Call& c) { return c.one(tf::reshape(c.b, c["tensor"], c["shape"], c.name())); });
  def(r, "expand_dims", "input|axis/dim=None|name", "Adds a dimension of size 1.", "A tensor with one more dimension.", [](Call& c) -> Built {
    if (!c.has("axis")) return invalidArgument("Must specify an axis argument to tf.expand_dims()");
    return c.one(tf::expandDims(c.b, c["input"], c["axis"], c.name()));
  });
  def(r, "squeeze", "input|axis/squeeze_dims: ints=None -- Dimensions to remove; None: all of size 1.|name", "Removes dimensions of size 1.",
      "A tensor with fewer dimensions.", [](Call& c) { return c.one(tf::squeeze(c.b, c["input"], c.a.integers("axis"), c.name())); });
  def(r, "transpose",
      "a|perm=None -- Dimension i of the result is dimension perm[i] of the input; None: reverse all dimensions.|name|conjugate: bool=false -- Whether to "
      "conjugate complex numbers.",
      "Permutes the dimensions of a tensor.", "The transposed tensor.",
      [](Call& c) { return c.one(tf::transpose(c.b, c["a"], c["perm"], c.name("transpose"), c.a.flag("conjugate"))); });
  def(r, "linalg.matrix_transpose linalg.transpose matrix_transpose batch_matrix_transpose",
      "a|name|conjugate: bool=false -- Whether to conjugate complex numbers.", "Transposes the last two dimensions.", "A tensor.", matrixTranspose);
  def(r, "broadcast_dynamic_shape", "shape_x -- Shape of the first operand.|shape_y -- Shape of the second operand.", "Shape to which two shapes broadcast.",
      "A vector.", [](Call& c) {
        return c.one(emit(c.b, "BroadcastArgs", {c["shape_x"], c["shape_y"]}));
      });
  def(r, "identity", "input|name", "Passes its input through, as a separate node.", "A tensor.",
      [](Call& c) { return c.one(tf::identity(c.b, c["input"], c.name())); });
  def(r, "ensure_shape", "x|shape: shape|name", "Passes its input through; fails if its shape does not match.", "The input, with the given static shape.",
      [](Call& c) {
        return c.one(emit(c.b, "EnsureShape", {c["x"]}, {{"shape", c.a.shape("shape")}}, c.name()));
      });
  def(r, "space_to_batch nn.space_to_batch",
      "input|paddings -- [2, 2]: zeros to add before and after height and width.|block_size: int=None -- Side length of a block.|name",
      "Moves blocks of pixels into the batch dimension.", "A tensor.", [](Call& c) { return spaceToBatch(c, "SpaceToBatchND", "paddings"); });
  def(r, "batch_to_space", "input|crops -- [2, 2]: rows and columns to crop before and after height and width.|block_size: int -- Side length of a block.|name",
      "Moves batch entries back to blocks of pixels.", "A tensor.", [](Call& c) { return spaceToBatch(c, "BatchToSpaceND", "crops"); });
  for (const auto& [name, op] :
       {std::pair("space_to_depth nn.space_to_depth", "SpaceToDepth"), std::pair("depth_to_space nn.depth_to_space", "DepthToSpace")}) {
    def(r, name, "input|block_size: int -- Side length of a block.|name|data_format: string=NHWC", "Rearranges pixels between channels and spatial blocks.",
        "A tensor.", [op = std::string(op)](Call& c) {
          return c.one(emit(c.b, op, {c["input"]}, {{"block_size", c.a.integer("block_size")}, {"data_format", c.a.text("data_format")}}, c.name()));
        });
  }
}

void registerMaking(ApiRegistry& r) {
  def(r, "constant",
      "value -- Numbers, strings or an array.|dtype: dtype=None|shape: shape=None|name: string=Const -- Name of the op.|verify_shape: bool=false -- Fail if "
      "the value does not have the given shape.",
      "A tensor with a fixed value.", "A tensor.", constantOf);
  def(r, "convert_to_tensor",
      "value -- Anything convertible to a tensor.|dtype: dtype=None|name|preferred_dtype: dtype=None -- Type to use if the value can be converted to it.",
      "Converts a value to a tensor.", "A tensor.",
      [](Call& c) { return c.one(toTensor(c.b, c["value"], c.name(), c.dtype("dtype", DType::Invalid), c.dtype("preferred_dtype", DType::Invalid))); });
  for (const int value : {0, 1}) {
    const std::string name = value ? "ones" : "zeros", all = value ? "one" : "zero";
    def(r, name, "shape|dtype: dtype=float32|name", "A tensor whose elements are all " + all + ".", "A tensor.",
        [value, name](Call& c) { return c.one(tf::filled(c.b, c["shape"], value, c.a.dtype("dtype"), c.name(name))); });
    def(r, name + "_like", "tensor|dtype: dtype=None|name|optimize: bool=true -- Whether to create a constant if the shape is known.",
        "Elements that are all " + all + ", in the shape of a tensor.", "A tensor.", [value](Call& c) { return sizedLike(c, value); });
  }
  def(r, "fill", "dims -- Shape of the result.|value -- A scalar.|name", "Creates a tensor filled with one value.", "A tensor.",
      [](Call& c) { return c.one(tf::fill(c.b, c["dims"], c["value"], c.name())); });
  def(r, "eye linalg.eye",
      "num_rows -- Number of rows.|num_columns=None -- Number of columns; None: same as num_rows.|batch_shape=None -- Leading batch dimensions.|dtype: "
      "dtype=float32|name",
      "Identity matrices.", "A tensor.", eye);
  def(r, "one_hot",
      "indices|depth -- Number of classes.|on_value=None -- Value at the class index; default 1.|off_value=None -- Value elsewhere; default 0.|axis: "
      "int=-1|dtype: dtype=None|name",
      "One-hot encoding of class indices.", "A tensor with one more dimension.", [](Call& c) {
        return c.one(
            tf::oneHot(c.b, c["indices"], c["depth"], c["on_value"], c["off_value"], c.a.integer("axis"), c.dtype("dtype", DType::Invalid), c.name("one_hot")));
      });
  def(r, "range",
      "start -- First number; if limit is not given, this is the limit and the range starts at 0.|limit=None -- End of the range, excluded.|delta=1 -- "
      "Increment.|dtype: dtype=None|name: string=range -- Name of the op.",
      "Evenly spaced numbers.", "A vector.", [](Call& c) {
        const bool both = c.has("limit");
        return c.one(
            tf::range(c.b, both ? c["start"] : Argument(0), both ? c["limit"] : c["start"], c["delta"], c.dtype("dtype", DType::Invalid), c.name("range")));
      });
  def(r, "meshgrid", "args*: tensors -- Vectors.|indexing: string=xy -- Cartesian (\"xy\") or matrix (\"ij\") indexing.|name", "Coordinate matrices of a grid.",
      "tensors: One tensor per vector.", [](Call& c) { return c.all(tf::meshgrid(c.b, c.list("args"), c.a.text("indexing"), c.name("meshgrid"))); });
  def(r, "sequence_mask", "lengths -- Length of each sequence.|maxlen=None -- Length of the masks; None: the largest length.|dtype: dtype=bool|name",
      "Masks for sequences of given lengths: true for the first `lengths` positions.", "A tensor with one more dimension.",
      [](Call& c) { return c.one(tf::sequenceMask(c.b, c["lengths"], c["maxlen"], c.a.dtype("dtype"), c.name("SequenceMask"))); });
  def(r, "placeholder_with_default", "input -- Default value, used if nothing is fed.|shape: shape|name",
      "An input that may be fed; otherwise it has its default.", "A tensor.", [](Call& c) {
        return c.one(emit(c.b, "PlaceholderWithDefault", {c["input"]}, {{"shape", c.a.shape("shape")}}, c.name()));
      });
  def(r, "placeholder", "dtype: dtype|shape: shape=None -- None: any.|name", "An input that must be fed in every run.", "A tensor.",
      [](Call& c) { return c.one(c.b.placeholder(c.a.dtype("dtype"), c.a.shape("shape"), c.name("Placeholder"))); });
}

void registerParts(ApiRegistry& r) {
  def(r, "concat", "values: any -- Tensors to concatenate.|axis/concat_dim|name: string=concat -- Name of the op.", "Concatenates tensors along a dimension.",
      "A tensor.", [](Call& c) { return c.one(tf::concatenate(c.b, c["values"], c["axis"], c.name("concat"))); });
  def(r, "stack pack", "values: any -- Tensors of the same shape.|axis: int=0|name: string=stack -- Name of the op.", "Stacks tensors along a new dimension.",
      "A tensor with one more dimension.", [](Call& c) { return c.one(tf::stack(c.b, c["values"], c.a.integer("axis"), c.name("stack"))); });
  def(r, "unstack unpack", "value|num: int=None -- Number of results; None: inferred from the shape.|axis: int=0|name: string=unstack -- Name of the op.",
      "Unstacks a tensor along a dimension.", "tensors: Tensors with one dimension less.",
      [](Call& c) { return c.all(tf::unstack(c.b, c["value"], integerOr(c, "num"), c.a.integer("axis"), c.name("unstack"))); });
  def(r, "split",
      "value|num_or_size_splits -- Number of equal parts, or a list with the size of each part.|axis=0|num: int=None -- Number of parts, if the sizes are a "
      "tensor of unknown length.|name: string=split -- Name of the op.",
      "Splits a tensor along a dimension.", "tensors: The parts.",
      [](Call& c) { return c.all(tf::split(c.b, c["value"], c["num_or_size_splits"], c["axis"], c.name("split"), integerOr(c, "num"))); });
  def(r, "gather", "params|indices|validate_indices: bool=None|name|axis=None|batch_dims: int=0 -- Number of leading batch dimensions.",
      "Gathers slices along an axis by index.", "A tensor.",
      [](Call& c) { return c.one(tf::gather(c.b, c["params"], c["indices"], c["axis"], c.name(), c.a.integer("batch_dims"))); });
  def(r, "gather_nd manip.gather_nd", "params|indices|name|batch_dims: int=0 -- Number of leading batch dimensions.",
      "Gathers elements or slices by their coordinates.", "A tensor.", [](Call& c) {
        return c.one(emit(c.b, "GatherNd", {c["params"], c["indices"]}, {}, c.name()));
      });
  def(r, "boolean_mask",
      "tensor|mask -- Which elements to keep; its shape matches the leading dimensions of the tensor.|name: string=boolean_mask -- Name of the scope.|axis: "
      "int=None",
      "Selects the elements where a mask is true.", "A tensor.",
      [](Call& c) { return c.one(tf::booleanMask(c.b, c["tensor"], c["mask"], c.name("boolean_mask"), integerOr(c, "axis"))); });
  def(r, "where", "condition -- Bools.|x=None|y=None -- Values where the condition is false.|name",
      "Selects elements of x or y by a condition; without x and y, the coordinates of true elements.", "A tensor.",
      [](Call& c) { return c.one(tf::where(c.b, c["condition"], c["x"], c["y"], c.name())); });
  def(r, "select", "condition -- Bools.|t|e -- Values where the condition is false.|name", "Selects elements of one of two tensors by a condition.",
      "A tensor.", [](Call& c) {
        return c.one(emit(c.b, "Select", {c["condition"], c["t"], c["e"]}, {}, c.name()));
      });
  def(r, "where_v2", "condition -- Bools.|x=None|y=None -- Values where the condition is false.|name", "Like `where`, with broadcasting.", "A tensor.",
      [](Call& c) -> Built {
        if (c.has("x") != c.has("y")) return invalidArgument("x and y must both be non-None or both be None.");
        return c.one(c.has("x") ? emit(c.b, "SelectV2", {c["condition"], c["x"], c["y"]}, {}, c.name()) : tf::where(c.b, c["condition"], {}, {}, c.name()));
      });
  def(r, "slice", "input_|begin -- First index in each dimension.|size -- Size in each dimension; -1: to the end.|name",
      "Extracts a contiguous slice of a tensor.", "A tensor.", [](Call& c) {
        return c.one(emit(c.b, "Slice", {c["input_"], c["begin"], c["size"]}, {}, c.name()));
      });
  def(r, "strided_slice",
      "input_|begin -- First index of each entry.|end -- End index of each entry, excluded.|strides=None -- Stride of each entry.|begin_mask: int=0 -- "
      "Bitmask of entries whose begin is ignored.|end_mask: int=0 -- Bitmask of entries whose end is ignored.|ellipsis_mask: int=0 -- Bitmask with the "
      "position of the ellipsis.|new_axis_mask: int=0 -- Bitmask of entries that insert a dimension.|shrink_axis_mask: int=0 -- Bitmask of entries that are "
      "a single index and remove their dimension.|var: any=None -- Ignored; kept for compatibility.|name",
      "Extracts a strided slice, like Python's slicing.", "A tensor.", stridedSlice);
  def(r, "operators.getitem", "x|indices: any -- A list: numbers and tensors, [begin, end, step], None for a new dimension, \"...\".", "x[...]", "A tensor.",
      getItem);
  def(r, "pad",
      "tensor|paddings -- [rank, 2]: padding before and after each dimension.|mode: string=CONSTANT -- \"CONSTANT\", \"REFLECT\" or "
      "\"SYMMETRIC\".|name|constant_values=0 -- Padding value.",
      "Pads a tensor.", "A tensor.", [](Call& c) { return c.one(tf::pad(c.b, c["tensor"], c["paddings"], c.a.text("mode"), c.name(), c["constant_values"])); });
  for (const auto& [name, op] : {std::pair("unique", "Unique"), std::pair("unique_with_counts", "UniqueWithCounts")}) {
    const bool counts = std::string_view(op) == "UniqueWithCounts";
    def(r, name, "x|out_idx: dtype=int32 -- Type of the indices.|name", "Distinct elements of a vector.",
        counts ? "tuple(y idx count): The distinct elements, the index into them of each input element, and their counts."
               : "tuple(y idx): The distinct elements, and the index into them of each input element.",
        [op = std::string(op)](Call& c) {
          return c.all(emitAll(c.b, op, {c["x"]}, {{"out_idx", c.a.dtype("out_idx")}}, c.name()));
        });
  }
  def(r, "setdiff1d listdiff", "x|y -- Elements to remove.|index_dtype: dtype=int32 -- Type of the indices.|name",
      "Elements of one list that do not occur in another.", "tuple(out idx): The remaining elements and their indices.", [](Call& c) {
        return c.all(emitAll(c.b, "ListDiff", {c["x"], c["y"]}, {{"out_idx", c.a.dtype("index_dtype")}}, c.name()));
      });
  def(r, "reverse_sequence",
      "input|seq_lengths -- Number of elements to reverse in each row.|seq_axis/seq_dim: int=None -- Dimension to reverse.|batch_axis/batch_dim: int=None -- "
      "Dimension that enumerates the rows.|name",
      "Reverses the first elements of each row.", "A tensor.", [](Call& c) {
        return c.one(emit(c.b, "ReverseSequence", {c["input"], c["seq_lengths"]},
                          {{"seq_dim", c.a.integer("seq_axis")}, {"batch_dim", c.a.integer("batch_axis")}}, c.name()));
      });
  def(r, "searchsorted",
      "sorted_sequence -- Rows in ascending order.|values -- Values to search for.|side: string=left -- Position relative to equal elements: \"left\" or "
      "\"right\".|out_type: dtype=int32|name",
      "Positions at which values would have to be inserted to keep sorted rows sorted.", "A tensor.", searchSorted);
  def(r, "extract_image_patches image.extract_image_patches image.extract_patches",
      "images|ksizes/sizes: ints -- Patch size along each dimension.|strides: ints|rates: ints -- Dilation of the patch along each dimension.|padding: "
      "string|name",
      "Extracts patches of images and flattens them.", "A tensor.", [](Call& c) {
        return c.one(
            emit(c.b, "ExtractImagePatches", {c["images"]},
                 {{"ksizes", c.a.integers("ksizes")}, {"strides", c.a.integers("strides")}, {"rates", c.a.integers("rates")}, {"padding", c.a.text("padding")}},
                 c.name()));
      });
  def(r, "edit_distance",
      "hypothesis: sparse -- Hypothesis sequences.|truth: sparse -- Truth sequences.|normalize: bool=true -- Divide the distances by the length of the "
      "truth.|name: string=edit_distance -- Name of the op.",
      "Levenshtein distance between sequences.", "A tensor.", [](Call& c) {
        const auto& h = std::get<SparseValue>(c["hypothesis"]);
        const auto& t = std::get<SparseValue>(c["truth"]);
        return c.one(c.b.op("EditDistance", {h.indices, h.values, h.denseShape, t.indices, t.values, t.denseShape}, {{"normalize", c.a.flag("normalize")}},
                            c.name("edit_distance")));
      });
  // 1.15.5 always makes the first versions of these ops, for any k.
  const auto diagonal = [&](std::string_view names, std::string op, std::vector<const char*> reads, std::string usual, std::string_view parameters,
                            std::string summary) {
    def(r, names, parameters, std::move(summary), "A tensor.", [op, reads, usual](Call& c) {
      ArgumentList inputs;
      for (const char* name : reads) inputs.push_back(c[name]);
      return c.one(emit(c.b, op, inputs, {}, c.name(usual)));
    });
  };
  const std::string k = "k=0 -- The diagonal, or the lowest and highest of a band.";
  diagonal("matrix_diag linalg.diag batch_matrix_diag", "MatrixDiag", {"diagonal"}, "diag",
           "diagonal -- Elements of the diagonals.|name|" + k +
               "|num_rows=-1 -- Number of rows.|num_cols=-1 -- Number of columns.|padding_value=0 -- Value off the diagonals.",
           "Matrices with the given diagonals.");
  diagonal("matrix_diag_part linalg.diag_part batch_matrix_diag_part", "MatrixDiagPart", {"input"}, "diag_part",
           "input|name|" + k + "|padding_value=0 -- Padding value for short diagonals.", "Diagonals of matrices.");
  diagonal("matrix_set_diag linalg.set_diag batch_matrix_set_diag", "MatrixSetDiag", {"input", "diagonal"}, "set_diag",
           "input|diagonal -- New elements of the diagonals.|name|" + k, "Replaces diagonals of matrices.");
}

}  // namespace

void registerArrays(ApiRegistry& r) {
  registerShapes(r);
  registerMaking(r);
  registerParts(r);
}

}  // namespace weft::api
