#include "ops/lookup_table.h"
#include "ops/session_objects.h"
#include "tensor/type_list.h"

// Lookup tables and their ops, by reference (first version) and by handle (V2).
namespace weft {
namespace {

using Maker = ObjectMaker<LookupTable>;

/// Returns a factory for tables of the node's types.
Maker makerOf(const Node& node, std::function<Result<std::shared_ptr<LookupTable>>(KernelContext&)> make) {
  const DType keyType = node.attrs.type("key_dtype"), valueType = node.attrs.type("value_dtype");
  Maker m;
  m.naming = ObjectNaming::ByAttr;
  m.make = [make = std::move(make)](KernelContext& c, const std::string&) { return make(c); };
  m.check = [=](LookupTable& t) -> Status {
    if (t.keyType() == keyType && t.valueType() == valueType) return {};
    return invalidArgument("Conflicting key/value dtypes ", dtypeShortName(keyType), "->", dtypeShortName(valueType), " with ", dtypeShortName(t.keyType()),
                           "-", dtypeShortName(t.valueType()), " for table");
  };
  return m;
}

Result<Maker> staticMaker(const Node& node) {
  const DType keyType = node.attrs.type("key_dtype"), valueType = node.attrs.type("value_dtype");
  return makerOf(node,
                 [=](KernelContext&) -> Result<std::shared_ptr<LookupTable>> { return std::shared_ptr<LookupTable>(makeStaticTable(keyType, valueType)); });
}

Result<Maker> mutableMaker(const Node& node) {
  const DType keyType = node.attrs.type("key_dtype"), valueType = node.attrs.type("value_dtype");
  return makerOf(node, [=](KernelContext&) -> Result<std::shared_ptr<LookupTable>> { return makeMutableTable(keyType, valueType, Shape()); });
}

Result<Maker> tensorsMaker(const Node& node) {
  const DType keyType = node.attrs.type("key_dtype"), valueType = node.attrs.type("value_dtype");
  const Shape shape = node.attrs.shape("value_shape", Shape());
  if (!shape.isFullyKnown()) return invalidArgument("Shape ", shape.toString(), " is not fully defined");
  return makerOf(node, [=](KernelContext&) -> Result<std::shared_ptr<LookupTable>> {
    if (shape.rank() != 1) return invalidArgument("Default value must be a vector, got shape ", shape.toString());
    return makeMutableTable(keyType, valueType, shape);
  });
}

Result<Maker> denseMaker(const Node& node) {
  DenseTableOptions o;
  o.valueType = node.attrs.type("value_dtype");
  o.valueShape = node.attrs.shape("value_shape", Shape());
  o.buckets = node.attrs.integer("initial_num_buckets");
  o.maxLoad = node.attrs.number("max_load_factor");
  return makerOf(node, [o](KernelContext& c) -> decltype(makeDenseTable(o)) {
    // The first version of the op never got an input for the deleted key, which its kernel requires. In TensorFlow too, it can be built but not run.
    if (c.node().inputTypes.size() < 2) return invalidArgument("Unknown input name: deleted_key");
    DenseTableOptions options = o;
    options.emptyKey = c.input(0);
    options.deletedKey = c.input(1);
    return makeDenseTable(options);
  });
}

// ---- ops on tables

/// INVALID_ARGUMENT unless the node's inputs (after the handle) and outputs have these types.
Status checkTypes(const KernelContext& c, const std::vector<DType>& inputs, const std::vector<DType>& outputs) {
  const Node& node = c.node();
  const std::vector<DType> given(node.inputTypes.begin() + 1, node.inputTypes.end());
  if (given == inputs && node.outputTypes == outputs) return {};
  const std::string handle = std::string(isRef(node.inputTypes[0]) ? "string_ref" : "resource") + (given.empty() ? "" : ", ");
  return invalidArgument("Signature mismatch, have: ", handle, typeList(given), "->", typeList(node.outputTypes), " expected: ", handle, typeList(inputs), "->",
                         typeList(outputs));
}

Status find(KernelContext& c) {
  WEFT_LET(auto table, objectAt<LookupTable>(c));
  WEFT_TRY(checkTypes(c, {table->keyType(), table->valueType()}, {table->valueType()}));
  const Tensor &keys = c.input(1), &missing = c.input(2);
  WEFT_TRY(table->checkFind(keys, missing));
  WEFT_LET(Tensor * values, c.allocate(0, table->shapeOfValues(keys)));
  return table->find(keys, missing, *values);
}

Status insert(KernelContext& c) {
  WEFT_LET(auto table, objectAt<LookupTable>(c));
  WEFT_TRY(checkTypes(c, {table->keyType(), table->valueType()}, {}));
  WEFT_TRY(table->checkPairs(c.input(1), c.input(2)));
  return table->insert(c.input(1), c.input(2));
}

Status import(KernelContext& c) {
  WEFT_LET(auto table, objectAt<LookupTable>(c));
  WEFT_TRY(checkTypes(c, {table->keyType(), table->valueType()}, {}));
  WEFT_TRY(table->checkPairs(c.input(1), c.input(2)));
  return table->replace(c.input(1), c.input(2));
}

Status remove(KernelContext& c) {
  WEFT_LET(auto table, objectAt<LookupTable>(c));
  WEFT_TRY(checkTypes(c, {table->keyType()}, {}));
  return table->remove(c.input(1));
}

Status size(KernelContext& c) {
  WEFT_LET(auto table, objectAt<LookupTable>(c));
  c.setOutput(0, Tensor::scalar(table->size()));
  return {};
}

Status exportAll(KernelContext& c) {
  WEFT_LET(auto table, objectAt<LookupTable>(c));
  WEFT_TRY(checkTypes(c, {}, {table->keyType(), table->valueType()}));
  Tensor keys, values;
  WEFT_TRY(table->contents(&keys, &values));
  c.setOutput(0, std::move(keys));
  c.setOutput(1, std::move(values));
  return {};
}

Result<std::shared_ptr<StaticTable>> staticTableAt(KernelContext& c) {
  WEFT_LET(auto table, objectAt<LookupTable>(c));
  auto fillable = std::dynamic_pointer_cast<StaticTable>(table);
  if (fillable) return fillable;
  WEFT_LET(const ObjectKey key, objectKeyAt(c, 0));
  return invalidArgument("Table ", key.container, " ", key.name, " is not initializable");
}

Status initialize(KernelContext& c) {
  WEFT_LET(auto table, staticTableAt(c));
  WEFT_TRY(checkTypes(c, {table->keyType(), table->valueType()}, {}));
  const Tensor &keys = c.input(1), &values = c.input(2);
  if (keys.rank() != 1) return invalidArgument("Keys must be a vector, but received shape", keys.shape().toString());
  if (values.rank() != 1) return invalidArgument("Values must be a vector, but received shape", values.shape().toString());
  if (keys.elements() != values.elements()) return invalidArgument("Keys and values must have the same size ", keys.elements(), " vs ", values.elements());
  if (keys.elements() == 0) return invalidArgument("keys and values cannot be empty tensors.");
  TensorSource source(keys, values);
  return table->fill(source);
}

Status initializeFromText(KernelContext& c) {
  WEFT_LET(auto table, staticTableAt(c));
  WEFT_TRY(checkTypes(c, {DType::String}, {}));
  const Tensor& file = c.input(1);
  if (file.elements() != 1) return invalidArgument("filename should be a single string, but got ", file.shape().toString());
  const AttrMap& attrs = c.node().attrs;
  TextTableOptions o;
  o.file = file.data<std::string>()[0];
  if (o.file.empty()) return invalidArgument("filename cannot be empty.");
  o.size = attrs.integer("vocab_size", -1);
  o.keyColumn = attrs.integer("key_index");
  o.valueColumn = attrs.integer("value_index");
  o.keyType = table->keyType();
  o.valueType = table->valueType();
  const std::string delimiter = attrs.text("delimiter", "\t");
  if (delimiter.size() != 1) return invalidArgument("delimiter should be only 1 char");
  o.delimiter = delimiter[0];
  WEFT_LET(auto source, openTextTable(o));
  // A table that is already initialised stays as it is, regardless of the file.
  if (table->isFilled()) return {};
  const Status filled = table->fill(*source);
  return filled.code() == Code::FailedPrecondition && table->isFilled() ? Status() : filled;
}

// ---- shapes

Status tableShape(ShapeContext& c) {
  if (c.inputType(0) == DType::String) return shapes::unknownOfObject(c);
  return c.requireRank(c.input(0), 0);
}

Status findShape(ShapeContext& c) {
  WEFT_TRY(tableShape(c));
  return c.requireRankAtMost(c.input(2), 1);
}

Status pairsShape(ShapeContext& c) {
  WEFT_TRY(tableShape(c));
  WEFT_TRY(c.requireRank(c.input(1), 1));
  return c.merge(c.input(1), c.input(2)).status();
}

/// The first version does not check the pairs.
Status importShape(ShapeContext& c) { return c.inputType(0) == DType::String ? tableShape(c) : pairsShape(c); }

Status removeShape(ShapeContext& c) {
  WEFT_TRY(tableShape(c));
  return c.requireRankAtLeast(c.input(1), 1);
}

Status sizeShape(ShapeContext& c) {
  WEFT_TRY(tableShape(c));
  return shapes::scalar(c);
}

Status fileShape(ShapeContext& c) {
  WEFT_TRY(tableShape(c));
  return c.requireRank(c.input(1), 0);
}

// ---- records

using Constraints = std::vector<DType>;

struct Pair {
  DType key;
  Constraints values;
};

OpRecord& withKernels(OpRecord& op, const std::vector<Pair>& pairs, Result<Maker> (*maker)(const Node&)) {
  for (const Pair& p : pairs) op.cpu({{"key_dtype", {p.key}}, {"value_dtype", p.values}}, objectKernel<LookupTable>(maker));
  return op;
}

/// The key and value types of TensorFlow's kernels.
const std::vector<Pair> kStaticPairs = {{DType::String, {DType::String, DType::Int64, DType::Int32, DType::Float, DType::Double, DType::Bool}},
                                        {DType::Int64, {DType::String, DType::Int64, DType::Int32, DType::Float, DType::Double}},
                                        {DType::Int32, {DType::String, DType::Int32, DType::Float, DType::Double}}};
const std::vector<Pair> kMutablePairs = {{DType::String, {DType::Int64, DType::Int32, DType::Float, DType::Double, DType::Bool}},
                                         {DType::Int64, {DType::Variant, DType::String, DType::Int64, DType::Int32, DType::Float, DType::Double}},
                                         {DType::Int32, {DType::Int32, DType::Float, DType::Double}}};
const std::vector<Pair> kTensorsPairs = {{DType::String, {DType::Int64, DType::Int32, DType::Float, DType::Double, DType::Bool}},
                                         {DType::Int64, {DType::String, DType::Int64, DType::Int32, DType::Float, DType::Double}},
                                         {DType::Int32, {DType::Int32, DType::Float, DType::Double}}};
const std::vector<Pair> kDensePairs = {{DType::String, {DType::Int64, DType::Int32, DType::Float, DType::Double, DType::Bool}},
                                       {DType::Int64, {DType::Variant, DType::Int64, DType::Int32, DType::Float, DType::Double, DType::Bool}},
                                       {DType::Int32, {DType::Int32, DType::Float, DType::Double}}};

OpRecord& makerOp(OpRegistry& ops, const std::string& name, const HandleWords& v, const char* summary) {
  return withSharedName(ops.add(name + v.suffix).category("Tables").summary(summary).output(concat("table_handle: ", v.type), "The table."))
      .attr("use_node_name_sharing: bool = false", "If there is no shared name, share the table by the node's name.")
      .attr("key_dtype: type", "Type of the keys.")
      .attr("value_dtype: type", "Type of the values.")
      .shape(shapes::objectHandle)
      .noGradient("Handles are not differentiable.");
}

OpRecord& tableOp(OpRegistry& ops, const std::string& name, const HandleWords& v, const char* summary) {
  OpRecord& op = ops.add(name + v.suffix).category("Tables").summary(summary).input(concat("table_handle: ", v.type), "The table.");
  if (*v.suffix) op.stateful();
  return op.noGradient("Table contents are not differentiable.");
}

constexpr const char* kKeys = "The keys.";

void registerMakers(OpRegistry& ops, const HandleWords& v) {
  withKernels(makerOp(ops, "HashTable", v, "Creates a lookup table that is initialized once, from tensors or a text file, and read-only afterwards."),
              kStaticPairs, staticMaker);
  withKernels(makerOp(ops, "MutableHashTable", v, "Creates a mutable lookup table from keys to scalars."), kMutablePairs, mutableMaker);
  withKernels(makerOp(ops, "MutableHashTableOfTensors", v, "Creates a mutable lookup table from keys to vectors.")
                  .attr("value_shape: shape = {}", "Shape of a value, a vector."),
              kTensorsPairs, tensorsMaker);
  OpRecord& dense = makerOp(ops, "MutableDenseHashTable", v, "Creates a mutable hash table stored in two dense tensors; keys and values may be tensors.")
                        .input("empty_key: key_dtype", "Key that marks empty buckets; it must not occur as a key.");
  if (*v.suffix) dense.input("deleted_key: key_dtype", "Key that marks deleted entries; it must not occur as a key.");
  withKernels(dense.attr("value_shape: shape = {}", "Shape of a value.")
                  .attr("initial_num_buckets: int = 131072", "Initial number of buckets; a power of 2.")
                  .attr("max_load_factor: float = 0.8", "Load factor above which the table grows."),
              kDensePairs, denseMaker);
}

void registerUsers(OpRegistry& ops, const HandleWords& v) {
  tableOp(ops, "LookupTableFind", v, "Looks up the values of keys in a table.")
      .input("keys: Tin", kKeys)
      .input("default_value: Tout", "Value returned for missing keys.")
      .output("values: Tout", "One value per key.")
      .attr("Tin: type")
      .attr("Tout: type")
      .shape(findShape)
      .cpu({}, simpleKernel(find));
  tableOp(ops, "LookupTableInsert", v, "Inserts key-value pairs into a table; existing keys are overwritten.")
      .input("keys: Tin", kKeys)
      .input("values: Tout", "One value per key.")
      .attr("Tin: type")
      .attr("Tout: type")
      .shape(tableShape)
      .cpu({}, simpleKernel(insert));
  if (*v.suffix) {
    tableOp(ops, "LookupTableRemove", v, "Removes keys from a table; missing keys are ignored.")
        .input("keys: Tin", kKeys)
        .attr("Tin: type")
        .shape(removeShape)
        .cpu({}, simpleKernel(remove));
  }
  tableOp(ops, "LookupTableSize", v, "Number of entries in a table.").output("size: int64", "A scalar.").shape(sizeShape).cpu({}, simpleKernel(size));
  tableOp(ops, "LookupTableExport", v, "Exports all keys and values of a table.")
      .output("keys: Tkeys", kKeys)
      .output("values: Tvalues", "One value per key.")
      .attr("Tkeys: type")
      .attr("Tvalues: type")
      .shape(tableShape)
      .cpu({}, simpleKernel(exportAll));
  tableOp(ops, "LookupTableImport", v, "Replaces the contents of a table.")
      .input("keys: Tin", kKeys)
      .input("values: Tout", "One value per key.")
      .attr("Tin: type")
      .attr("Tout: type")
      .shape(importShape)
      .cpu({}, simpleKernel(import));
  tableOp(ops, "InitializeTable", v, "Initializes a lookup table from keys and values.")
      .input("keys: Tkey", "The keys; a vector.")
      .input("values: Tval", "One value per key.")
      .attr("Tkey: type")
      .attr("Tval: type")
      .shape(pairsShape)
      .cpu({}, simpleKernel(initialize));
  tableOp(ops, "InitializeTableFromTextFile", v, "Initializes a lookup table from the lines of a text file.")
      .input("filename: string", "Name of the file.")
      .attr("key_index: int >= -2", "Column of the key; -1: the line number, -2: the whole line.")
      .attr("value_index: int >= -2", "Column of the value; -1: the line number, -2: the whole line.")
      .attr("vocab_size: int >= -1 = -1", "Number of lines to read; -1: all.")
      .attr("delimiter: string = '\t'", "Column delimiter.")
      .shape(fileShape)
      .cpu({}, simpleKernel(initializeFromText));
}

}  // namespace

void registerLookupTables(OpRegistry& ops) {
  for (const HandleWords& v : kHandleVersions) {
    registerMakers(ops, v);
    registerUsers(ops, v);
  }
  state(
      ops, OpRole::Table, Effect::Makes,
      "HashTable HashTableV2 MutableDenseHashTable MutableDenseHashTableV2 MutableHashTable MutableHashTableOfTensors MutableHashTableOfTensorsV2 MutableHashTableV2");
  state(ops, OpRole::InitializeTable, Effect::Table, "InitializeTable InitializeTableV2");
  state(ops, OpRole::InitializeTable, Effect::Table | Effect::File, "InitializeTableFromTextFile InitializeTableFromTextFileV2");
  state(ops, OpRole::Compute, Effect::Table, "LookupTableImport LookupTableImportV2 LookupTableInsert LookupTableInsertV2 LookupTableRemoveV2");
  state(ops, OpRole::Compute, Effect::Reads, "LookupTableExport LookupTableExportV2 LookupTableFind LookupTableFindV2 LookupTableSize LookupTableSizeV2");
  retain(
      ops,
      "HashTable HashTableV2 InitializeTable InitializeTableFromTextFile InitializeTableFromTextFileV2 InitializeTableV2 LookupTableExport LookupTableExportV2 LookupTableFind LookupTableFindV2 LookupTableImport LookupTableImportV2 LookupTableInsert LookupTableInsertV2 LookupTableRemoveV2 LookupTableSize LookupTableSizeV2 MutableDenseHashTable MutableDenseHashTableV2 MutableHashTable MutableHashTableOfTensors MutableHashTableOfTensorsV2 MutableHashTableV2");
}

}  // namespace weft
