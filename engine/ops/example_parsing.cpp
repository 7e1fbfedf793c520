#include <google/protobuf/util/json_util.h>
#include <google/protobuf/util/type_resolver_util.h>

#include <algorithm>
#include <memory>

#include "ops/example_specs.h"
#include "proto/bundle.pb.h"
#include "tensor/element_types.h"

// ParseExample, ParseSingleExample, DecodeJSONExample: the features of tf.train.Example records as tensors.
namespace weft {
namespace {

struct ExampleSpecs {
  std::vector<SparseSpec> sparse;
  std::vector<DenseSpec> dense;
};

Result<ExampleSpecs> exampleSpecs(const AttrMap& attrs, bool single) {
  ExampleSpecs s;
  s.sparse = sparseSpecs(attrs.list<DType>("sparse_types"));
  const auto types = attrs.list<DType>("Tdense");
  if (single) {
    const auto sparseKeys = attrs.list<std::string>("sparse_keys"), denseKeys = attrs.list<std::string>("dense_keys");
    const int64_t n = attrs.integer("num_sparse");
    if (n != int64_t(sparseKeys.size()) || n != int64_t(s.sparse.size()))
      return invalidArgument("num_sparse (", n, ") must match the size of sparse_keys (", int64_t(sparseKeys.size()), ") and sparse_types (",
                             int64_t(s.sparse.size()), ")");
    if (denseKeys.size() != types.size()) return invalidArgument("len(dense_keys) != len(dense_types)");
    WEFT_LET(s.dense, denseSpecs(types, attrs.list<Shape>("dense_shapes"), true));
    for (size_t i = 0; i < sparseKeys.size(); ++i) s.sparse[i].key = sparseKeys[i];
    for (size_t i = 0; i < denseKeys.size(); ++i) s.dense[i].key = denseKeys[i];
    return s;
  }
  if (attrs.integer("Nsparse") != int64_t(s.sparse.size())) return invalidArgument("len(sparse_keys) != len(sparse_types)");
  if (attrs.integer("Ndense") != int64_t(types.size())) return invalidArgument("len(dense_keys) != len(dense_types)");
  WEFT_LET(s.dense, denseSpecs(types, attrs.list<Shape>("dense_shapes"), true));
  return s;
}

Status checkDefaults(KernelContext& c, const ExampleSpecs& s, int first) {
  for (size_t d = 0; d < s.dense.size(); ++d) {
    const Tensor& value = c.input(first + int(d));
    const DenseSpec& spec = s.dense[d];
    if (spec.variable) {
      if (value.elements() != 1)
        return invalidArgument("dense_shape[", int64_t(d), "] is a variable length shape: ", spec.shape.toString(), ", therefore def_value[", int64_t(d),
                               "] must contain a single element (the padding element).  But its shape is: ", value.shape().toString());
    } else if (value.elements() > 0 && !spec.shape.compatibleWith(value.shape())) {
      return invalidArgument("def_value[", int64_t(d), "].shape() == ", value.shape().toString(), " is not compatible with dense_shapes_[", int64_t(d),
                             "] == ", spec.shape.toString());
    }
  }
  return {};
}

/// The destination of a requested feature.
struct Target {
  bool sparse;
  size_t at;
};

/// Parses examples one after another into rows and dense tensors.
class ExampleParser {
 public:
  ExampleParser(KernelContext& c, const ExampleSpecs& specs, int firstDefault, bool single)
      : c_(c), specs_(specs), firstDefault_(firstDefault), single_(single) {
    for (size_t d = 0; d < specs.dense.size(); ++d) targets_[specs.dense[d].key] = {false, d};
    for (size_t d = 0; d < specs.sparse.size(); ++d) targets_[specs.sparse[d].key] = {true, d};
    for (const SparseSpec& s : specs.sparse) rows_.emplace_back(s.type, single ? 0 : 1);
    variable_.resize(specs.dense.size());
    ends_.resize(specs.dense.size());
  }

  Status parse(const Tensor& texts, const Tensor* names) {
    const int64_t n = texts.elements();
    for (const DenseSpec& spec : specs_.dense) {
      Shape shape = single_ ? Shape() : Shape{n};
      shape.append(spec.shape);
      dense_.emplace_back();
      if (spec.variable) continue;
      WEFT_LET(dense_.back(), Tensor::allocate(spec.type, shape));
    }
    for (int64_t i = 0; i < n; ++i) {
      const std::string name = names && names->elements() > 0 ? names->data<std::string>()[i] : "<unknown>";
      WEFT_TRY(parseOne(texts.data<std::string>()[i], i, name));
    }
    const int sparse = int(specs_.sparse.size());
    for (int d = 0; d < sparse; ++d) WEFT_TRY(rows_[size_t(d)].write(c_, d, sparse, n, 0));
    for (size_t d = 0; d < specs_.dense.size(); ++d) WEFT_TRY(writeDense(d, n, 3 * sparse + int(d)));
    return {};
  }

 private:
  template <typename... T>
  Status keyError(const std::string& name, const std::string& key, int64_t i, T&&... words) {
    if (single_) return invalidArgument("Key: ", key, ".  ", words...);
    return invalidArgument("Name: ", name, ", Key: ", key, ", Index: ", i, ".  ", words...);
  }

  Status parseOne(const std::string& text, int64_t i, const std::string& name) {
    std::vector<WireFeature> features;
    if (!readExample(text, &features)) return invalidArgument("Could not parse example input, value: '", text, "'");
    std::vector<bool> foundSparse(specs_.sparse.size(), false), foundDense(specs_.dense.size(), false);
    // As in protobuf's maps, the last of several features with the same name counts.
    for (auto f = features.rbegin(); f != features.rend(); ++f) {
      const auto it = targets_.find(f->name);
      if (it == targets_.end()) continue;
      std::string_view body = f->body;
      WEFT_LET(const DType kind, takeKind(&body));
      const size_t d = it->second.at;
      if (it->second.sparse) {
        if (foundSparse[d]) continue;
        foundSparse[d] = true;
        WEFT_TRY(takeSparse(d, kind, body, i, name));
      } else {
        if (kind == DType::Invalid || foundDense[d]) continue;
        foundDense[d] = true;
        WEFT_TRY(takeDense(d, kind, body, i, name));
      }
    }
    for (size_t d = 0; d < specs_.dense.size(); ++d) {
      if (!foundDense[d]) WEFT_TRY(takeDefault(d, i, name));
    }
    for (size_t d = 0; d < specs_.sparse.size(); ++d) rows_[d].endRow(i);
    return {};
  }

  Status takeSparse(size_t d, DType kind, std::string_view body, int64_t i, const std::string& name) {
    const SparseSpec& spec = specs_.sparse[d];
    if (kind == DType::Invalid) return {};
    if (kind != spec.type)
      return keyError(name, spec.key, i, "Data types don't match. Expected type: ", dtypeShortName(spec.type), ", Actual type: ", dtypeShortName(kind));
    if (!readValues(body, kind, &rows_[d].values())) return keyError(name, spec.key, i, "Can't parse serialized Example.");
    return {};
  }

  Status takeDense(size_t d, DType kind, std::string_view body, int64_t i, const std::string& name) {
    const DenseSpec& spec = specs_.dense[d];
    if (kind != spec.type)
      return keyError(name, spec.key, i, "Data types don't match. Data type: ", dtypeShortName(kind), " but expected type: ", dtypeShortName(spec.type));
    FeatureValues own, &values = spec.variable ? variable_[d] : own;
    const int64_t before = values.size();
    if (!readValues(body, kind, &values)) return keyError(name, spec.key, i, "Can't parse serialized Example.");
    const int64_t count = values.size() - before;
    if (spec.variable) {
      if (spec.stride == 0 ? count != 0 : count % spec.stride != 0) {
        if (single_) return keyError(name, spec.key, i, "Can't parse serialized Example.");
        return keyError(name, spec.key, i, "Number of ", valuesWord(kind), " values is not a multiple of stride length. Saw ", count,
                        " values but output shape is: ", spec.shape.toString());
      }
      ends_[d].push_back(values.size());
      return {};
    }
    if (count != spec.stride) {
      if (single_) return keyError(name, spec.key, i, "Can't parse serialized Example.");
      return keyError(name, spec.key, i, "Number of ", valuesWord(kind), " values != expected.  Values size: ", count,
                      " but output shape: ", spec.shape.toString());
    }
    values.store(dense_[d], i * spec.stride);
    return {};
  }

  Status takeDefault(size_t d, int64_t i, const std::string& name) {
    const DenseSpec& spec = specs_.dense[d];
    if (spec.variable) {
      ends_[d].push_back(variable_[d].size());
      return {};
    }
    const Tensor& value = c_.input(firstDefault_ + int(d));
    if (value.elements() == 0 && spec.stride != 0) {
      const std::string which = single_ ? "" : "Name: " + name + ", ";
      return invalidArgument(which, "Feature: ", spec.key, " (data type: ", dtypeShortName(spec.type), ") is required but could not be found.");
    }
    copyElements(dense_[d], i * spec.stride, value, 0, spec.stride);
    return {};
  }

  Status writeDense(size_t d, int64_t n, int output) {
    const DenseSpec& spec = specs_.dense[d];
    if (!spec.variable) {
      c_.setOutput(output, dense_[d]);
      return {};
    }
    // Rows of different lengths are padded with the default.
    int64_t most = 0, before = 0;
    for (const int64_t end : ends_[d]) {
      most = std::max(most, end - before);
      before = end;
    }
    Shape shape = single_ ? Shape() : Shape{n};
    shape.append(spec.stride > 0 ? most / spec.stride : 0);
    shape.append(spec.shape.slice(1));
    WEFT_LET(Tensor* out, c_.allocate(output, shape));
    fillWith(*out, &c_.input(firstDefault_ + int(d)));
    WEFT_LET(Tensor flat, Tensor::allocate(spec.type, Shape{variable_[d].size()}));
    variable_[d].store(flat, 0);
    before = 0;
    for (size_t i = 0; i < ends_[d].size(); ++i) {
      copyElements(*out, int64_t(i) * most, flat, before, ends_[d][i] - before);
      before = ends_[d][i];
    }
    return {};
  }

  KernelContext& c_;
  const ExampleSpecs& specs_;
  const int firstDefault_;
  const bool single_;
  std::map<std::string, Target, std::less<>> targets_;
  std::vector<SparseRows> rows_;
  std::vector<Tensor> dense_;
  std::vector<FeatureValues> variable_;
  std::vector<std::vector<int64_t>> ends_;
};

Result<std::unique_ptr<Kernel>> makeParse(KernelInit& init) {
  WEFT_LET(ExampleSpecs specs, exampleSpecs(init.attrs(), false));
  return functionKernel([specs](KernelContext& c) -> Status {
    const Tensor &texts = c.input(0), &names = c.input(1);
    if (names.rank() != 1) return invalidArgument("Expected names to be a vector, got shape: ", names.shape().toString());
    if (texts.rank() != 1) return invalidArgument("Expected serialized to be a vector, got shape: ", texts.shape().toString());
    if (names.elements() > 0 && names.elements() != texts.elements())
      return invalidArgument("Expected len(names) == len(serialized), but got: ", names.elements(), " vs. ", texts.elements());
    ExampleSpecs keyed = specs;
    int at = 2;
    const auto key = [&](std::string* to, const char* what, size_t i) -> Status {
      const Tensor& t = c.input(at++);
      if (t.elements() != 1) return invalidArgument("Expected ", what, "[", int64_t(i), "] to be a scalar, got shape: ", t.shape().toString());
      *to = t.data<std::string>()[0];
      return {};
    };
    for (size_t i = 0; i < keyed.sparse.size(); ++i) WEFT_TRY(key(&keyed.sparse[i].key, "sparse_keys", i));
    for (size_t i = 0; i < keyed.dense.size(); ++i) WEFT_TRY(key(&keyed.dense[i].key, "dense_keys", i));
    WEFT_TRY(checkDefaults(c, keyed, at));
    return ExampleParser(c, keyed, at, false).parse(texts, &names);
  });
}

Result<std::unique_ptr<Kernel>> makeParseSingle(KernelInit& init) {
  WEFT_LET(ExampleSpecs specs, exampleSpecs(init.attrs(), true));
  return functionKernel([specs](KernelContext& c) -> Status {
    if (c.input(0).rank() != 0) return invalidArgument("Expected serialized to be a scalar, got shape: ", c.input(0).shape().toString());
    WEFT_TRY(checkDefaults(c, specs, 1));
    return ExampleParser(c, specs, 1, true).parse(c.input(0), nullptr);
  });
}

Status parseShape(ShapeContext& c) {
  const bool single = c.node().op == "ParseSingleExample";
  WEFT_LET(const ExampleSpecs s, exampleSpecs(c.attrs(), single));
  WEFT_TRY(c.requireRank(c.input(0), single ? 0 : 1));
  if (!single) WEFT_TRY(c.requireRank(c.input(1), 1));
  const int64_t rank = single ? 1 : 2;
  int k = 0;
  for (size_t i = 0; i < s.sparse.size(); ++i) c.setOutput(k++, Shape{Shape::kUnknownDim, rank});
  for (size_t i = 0; i < s.sparse.size(); ++i) c.setOutput(k++, Shape::unknownOfRank(1));
  for (size_t i = 0; i < s.sparse.size(); ++i) c.setOutput(k++, Shape{rank});
  for (const DenseSpec& d : s.dense) {
    Shape shape = single ? Shape() : Shape{c.input(0).hasRank() ? c.input(0).dim(0) : Shape::kUnknownDim};
    shape.append(d.shape);
    c.setOutput(k++, std::move(shape));
  }
  return {};
}

// DecodeJSONExample.

Status runJson(KernelContext& c) {
  namespace pb = google::protobuf;
  static const std::unique_ptr<pb::util::TypeResolver> resolver(
      pb::util::NewTypeResolverForDescriptorPool("type.googleapis.com", tensorflow::Example::descriptor()->file()->pool()));
  const Tensor& in = c.input(0);
  WEFT_LET(Tensor* out, c.allocate(0, in.shape()));
  for (int64_t i = 0; i < in.elements(); ++i) {
    std::string binary;
    const auto status = pb::util::JsonToBinaryString(resolver.get(), "type.googleapis.com/" + tensorflow::Example::descriptor()->full_name(),
                                                     in.data<std::string>()[i], &binary);
    if (!status.ok()) return invalidArgument("Error while parsing JSON: ", std::string(status.message()));
    out->mutableData<std::string>()[i] = std::move(binary);
  }
  return {};
}

constexpr const char* kNoGradient = "Serialized records are not differentiable.";

}  // namespace

void registerExampleParsing(OpRegistry& ops) {
  OpRecord& batch = ops.add("ParseExample")
                        .category("Data")
                        .summary("Parses a batch of serialized tf.train.Example records into tensors.")
                        .keywords("tfrecord example features parse")
                        .input("serialized: string", "[n]: the serialized records.")
                        .input("names: string", "[n] or empty: names of the records, used in error messages only.")
                        .input("sparse_keys: Nsparse * string", "Keys of the features to return as sparse tensors.")
                        .input("dense_keys: Ndense * string", "Keys of the features to return as dense tensors.")
                        .input("dense_defaults: list(Tdense)",
                               "Default value of each dense feature; empty: the feature is required. For a feature of variable length: its padding value.");
  withSparseOutputs(batch, "", "Nsparse", "sparse_types", "[record, position].")
      .output("dense_values: list(Tdense)", "[n, …]: the dense features.")
      .attr("Nsparse: int >= 0")
      .attr("Ndense: int >= 0")
      .attr("sparse_types: list({float, int64, string}) >= 0", "Types of the sparse features.")
      .attr("Tdense: list({float, int64, string}) >= 0", "Types of the dense features.")
      .attr("dense_shapes: list(shape) >= 0", "Shape of each dense feature in one record; the first dimension may be unknown.")
      .shape(parseShape)
      .noGradient(kNoGradient)
      .cpu({}, makeParse)
      .gradientIsError = true;
  OpRecord& one = ops.add("ParseSingleExample")
                      .category("Data")
                      .summary("Parses one serialized tf.train.Example record into tensors.")
                      .keywords("tfrecord example features parse")
                      .input("serialized: string", "The serialized record; a scalar.")
                      .input("dense_defaults: list(Tdense)", "Default value of each dense feature; empty: the feature is required.");
  withSparseOutputs(one, "", "num_sparse", "sparse_types", "[position].")
      .output("dense_values: list(Tdense)", "The dense features.")
      .attr("num_sparse: int >= 0")
      .attr("sparse_keys: list(string) >= 0", "Keys of the features to return as sparse tensors.")
      .attr("dense_keys: list(string) >= 0", "Keys of the features to return as dense tensors.")
      .attr("sparse_types: list({float, int64, string}) >= 0", "Types of the sparse features.")
      .attr("Tdense: list({float, int64, string}) >= 0", "Types of the dense features.")
      .attr("dense_shapes: list(shape) >= 0", "Shape of each dense feature; the first dimension may be unknown.")
      .shape(parseShape)
      .noGradient(kNoGradient)
      .cpu({}, makeParseSingle)
      .gradientIsError = true;
  ops.add("DecodeJSONExample")
      .category("Data")
      .summary("Converts tf.train.Example records from JSON to serialized messages.")
      .input("json_examples: string", "Examples in protobuf's JSON format.")
      .output("binary_examples: string", "The serialized records.")
      .shape(shapes::unchanged)
      .noGradient(kNoGradient)
      .cpu({}, simpleKernel(runJson))
      .gradientIsError = true;
}

}  // namespace weft
