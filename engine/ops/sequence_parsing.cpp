#include <algorithm>
#include <set>

#include "ops/example_specs.h"
#include "proto/bundle.pb.h"
#include "proto/text.h"
#include "tensor/element_types.h"

// ParseSingleSequenceExample and ParseSequenceExample: convert tf.train.SequenceExample records (context features, and feature lists by step) to tensors.
namespace weft {
namespace {

struct SequenceSpecs {
  std::vector<SparseSpec> contextSparse, listSparse;
  std::vector<DenseSpec> contextDense, listDense;
};

Result<SequenceSpecs> sequenceSpecs(const AttrMap& attrs, bool keyed) {
  SequenceSpecs s;
  s.contextSparse = sparseSpecs(attrs.list<DType>("context_sparse_types"));
  s.listSparse = sparseSpecs(attrs.list<DType>("feature_list_sparse_types"));
  WEFT_LET(s.contextDense, denseSpecs(attrs.list<DType>("Tcontext_dense"), attrs.list<Shape>("context_dense_shapes"), false));
  WEFT_LET(s.listDense, denseSpecs(attrs.list<DType>("feature_list_dense_types"), attrs.list<Shape>("feature_list_dense_shapes"), false));
  const auto check = [&](const char* number, size_t n) -> Status {
    if (attrs.integer(number) != int64_t(n)) return invalidArgument(number, " is ", attrs.integer(number), ", but there are ", int64_t(n), " types");
    return {};
  };
  WEFT_TRY(check("Ncontext_sparse", s.contextSparse.size()));
  WEFT_TRY(check("Ncontext_dense", s.contextDense.size()));
  WEFT_TRY(check("Nfeature_list_sparse", s.listSparse.size()));
  WEFT_TRY(check("Nfeature_list_dense", s.listDense.size()));
  if (!keyed) return s;
  const auto name = [&](const char* attr, auto& specs) -> Status {
    const auto keys = attrs.list<std::string>(attr);
    if (keys.size() != specs.size()) return invalidArgument("len(", attr, ") is ", int64_t(keys.size()), ", but there are ", int64_t(specs.size()), " types");
    for (size_t i = 0; i < keys.size(); ++i) specs[i].key = keys[i];
    return {};
  };
  WEFT_TRY(name("context_sparse_keys", s.contextSparse));
  WEFT_TRY(name("context_dense_keys", s.contextDense));
  WEFT_TRY(name("feature_list_sparse_keys", s.listSparse));
  WEFT_TRY(name("feature_list_dense_keys", s.listDense));
  return s;
}

/// Index of the first output of each group.
struct Outputs {
  explicit Outputs(const SequenceSpecs& s)
      : contextSparse(0),
        contextDense(3 * int(s.contextSparse.size())),
        listSparse(contextDense + int(s.contextDense.size())),
        listDense(listSparse + 3 * int(s.listSparse.size())),
        lengths(listDense + int(s.listDense.size())) {}
  int contextSparse, contextDense, listSparse, listDense, lengths;
};

Status checkDefaults(KernelContext& c, const SequenceSpecs& s, int first) {
  for (size_t d = 0; d < s.contextDense.size(); ++d) {
    const Tensor& value = c.input(first + int(d));
    if (value.elements() > 0 && !(value.shape() == s.contextDense[d].shape))
      return invalidArgument("def_value[", int64_t(d), "].shape() == ", value.shape().toString(), " != context_dense_shapes_[", int64_t(d),
                             "] == ", s.contextDense[d].shape.toString());
  }
  return {};
}

// ParseSingleSequenceExample.

DType kindOf(const tensorflow::Feature& f) {
  switch (f.kind_case()) {
    case tensorflow::Feature::kBytesList: return DType::String;
    case tensorflow::Feature::kFloatList: return DType::Float;
    case tensorflow::Feature::kInt64List: return DType::Int64;
    default: return DType::Invalid;
  }
}

void append(const tensorflow::Feature& f, FeatureValues* out) {
  out->bytes.insert(out->bytes.end(), f.bytes_list().value().begin(), f.bytes_list().value().end());
  out->floats.insert(out->floats.end(), f.float_list().value().begin(), f.float_list().value().end());
  out->ints.insert(out->ints.end(), f.int64_list().value().begin(), f.int64_list().value().end());
}

class SingleParser {
 public:
  SingleParser(KernelContext& c, const SequenceSpecs& s, std::string name, std::set<std::string> mayMiss, int firstDefault)
      : c_(c), s_(s), out_(s), name_(std::move(name)), mayMiss_(std::move(mayMiss)), firstDefault_(firstDefault) {}

  Status parse(const tensorflow::SequenceExample& example) {
    for (const DenseSpec& spec : s_.listDense) {
      if (!example.feature_lists().feature_list().contains(spec.key) && !mayMiss_.count(spec.key))
        return invalidArgument(
            "Name: ", name_, ", Feature list '", spec.key,
            "' is required but could not be found.  Did you mean to include it in feature_list_dense_missing_assumed_empty or feature_list_dense_defaults?");
    }
    for (size_t d = 0; d < s_.contextDense.size(); ++d) WEFT_TRY(contextDense(example, d));
    for (size_t d = 0; d < s_.contextSparse.size(); ++d) WEFT_TRY(contextSparse(example, d));
    for (size_t d = 0; d < s_.listDense.size(); ++d) WEFT_TRY(listDense(example, d));
    for (size_t d = 0; d < s_.listSparse.size(); ++d) WEFT_TRY(listSparse(example, d));
    return {};
  }

 private:
  static const tensorflow::Feature* contextFeature(const tensorflow::SequenceExample& example, const std::string& key) {
    const auto it = example.context().feature().find(key);
    return it == example.context().feature().end() || kindOf(it->second) == DType::Invalid ? nullptr : &it->second;
  }
  static const tensorflow::FeatureList& listOf(const tensorflow::SequenceExample& example, const std::string& key) {
    static const tensorflow::FeatureList none;
    const auto it = example.feature_lists().feature_list().find(key);
    return it == example.feature_lists().feature_list().end() ? none : it->second;
  }
  Status wrongKind(const std::string& where, DType expected, const tensorflow::Feature& f) {
    return invalidArgument("Name: ", name_, ", ", where, ".  Data types don't match. Expected type: ", dtypeShortName(expected),
                           "  Feature is: ", f.DebugString());
  }
  Status wrongCount(const DenseSpec& spec, int64_t step, int64_t count) {
    return invalidArgument("Name: ", name_, ", Key: ", spec.key, ", Index: ", step, ".  Number of ", valuesWord(spec.type),
                           " values != expected.  values size: ", count, " but output shape: ", spec.shape.toString());
  }

  Status contextDense(const tensorflow::SequenceExample& example, size_t d) {
    const DenseSpec& spec = s_.contextDense[d];
    const int k = out_.contextDense + int(d);
    // Unlike a sparse one, a feature that states no kind is not missing here.
    const auto it = example.context().feature().find(spec.key);
    const tensorflow::Feature* f = it == example.context().feature().end() ? nullptr : &it->second;
    if (!f) {
      const Tensor& value = c_.input(firstDefault_ + int(d));
      if (value.elements() == 0) return invalidArgument("Name: ", name_, ", Context feature '", spec.key, "' is required but could not be found.");
      c_.setOutput(k, value);
      return {};
    }
    if (kindOf(*f) != spec.type) return wrongKind("Context feature: " + spec.key, spec.type, *f);
    FeatureValues values;
    append(*f, &values);
    if (values.size() != spec.stride) return wrongCount(spec, 0, values.size());
    WEFT_LET(Tensor* out, c_.allocate(k, spec.shape));
    values.store(*out, 0);
    return {};
  }

  Status contextSparse(const tensorflow::SequenceExample& example, size_t d) {
    const SparseSpec& spec = s_.contextSparse[d];
    SparseRows rows(spec.type, 0);
    if (const tensorflow::Feature* f = contextFeature(example, spec.key)) {
      if (kindOf(*f) != spec.type) return wrongKind("Context feature: " + spec.key, spec.type, *f);
      append(*f, &rows.values());
    }
    rows.endRow();
    return rows.write(c_, out_.contextSparse + int(d), int(s_.contextSparse.size()), 0, 0);
  }

  Status listDense(const tensorflow::SequenceExample& example, size_t d) {
    const DenseSpec& spec = s_.listDense[d];
    const auto& list = listOf(example, spec.key);
    FeatureValues values;
    for (int t = 0; t < list.feature_size(); ++t) {
      const tensorflow::Feature& f = list.feature(t);
      if (kindOf(f) != spec.type) return wrongKind("Feature list: " + spec.key + ", Index: " + std::to_string(t), spec.type, f);
      const int64_t before = values.size();
      append(f, &values);
      if (values.size() - before != spec.stride) return wrongCount(spec, t, values.size() - before);
    }
    Shape shape{int64_t(list.feature_size())};
    shape.append(spec.shape);
    WEFT_LET(Tensor* out, c_.allocate(out_.listDense + int(d), shape));
    values.store(*out, 0);
    return {};
  }

  Status listSparse(const tensorflow::SequenceExample& example, size_t d) {
    const SparseSpec& spec = s_.listSparse[d];
    const auto& list = listOf(example, spec.key);
    SparseRows rows(spec.type, 1);
    for (int t = 0; t < list.feature_size(); ++t) {
      const tensorflow::Feature& f = list.feature(t);
      if (kindOf(f) != DType::Invalid && kindOf(f) != spec.type) return wrongKind("Feature List: " + spec.key + ", Index: " + std::to_string(t), spec.type, f);
      append(f, &rows.values());
      rows.endRow(t);
    }
    return rows.write(c_, out_.listSparse + int(d), int(s_.listSparse.size()), list.feature_size(), 0);
  }

  KernelContext& c_;
  const SequenceSpecs& s_;
  const Outputs out_;
  const std::string name_;
  const std::set<std::string> mayMiss_;
  const int firstDefault_;
};

Result<std::unique_ptr<Kernel>> makeSingle(KernelInit& init) {
  WEFT_LET(SequenceSpecs specs, sequenceSpecs(init.attrs(), false));
  return functionKernel([specs](KernelContext& c) -> Status {
    const Tensor &text = c.input(0), &missing = c.input(1), &name = c.input(c.inputCount() - 1);
    if (name.rank() != 0) return invalidArgument("Expected debug_name to be a scalar, got shape: ", name.shape().toString());
    if (text.rank() != 0) return invalidArgument("Expected serialized to be a scalar, got shape: ", text.shape().toString());
    if (missing.rank() != 1)
      return invalidArgument("Expected feature_list_dense_missing_assumed_empty to be a vector, got shape: ", missing.shape().toString());
    SequenceSpecs keyed = specs;
    int at = 2;
    const auto keys = [&](auto& list, const char* what) -> Status {
      for (auto& spec : list) {
        const Tensor& t = c.input(at++);
        if (t.elements() != 1) return invalidArgument("Expected ", what, " to be a vector of scalars, got shape: ", t.shape().toString());
        spec.key = t.data<std::string>()[0];
      }
      return {};
    };
    WEFT_TRY(keys(keyed.contextSparse, "context_sparse_keys"));
    WEFT_TRY(keys(keyed.contextDense, "context_dense_keys"));
    WEFT_TRY(keys(keyed.listSparse, "feature_list_sparse_keys"));
    WEFT_TRY(keys(keyed.listDense, "feature_list_dense_keys"));
    WEFT_TRY(checkDefaults(c, keyed, at));
    const std::string& bytes = text.data<std::string>()[0];
    tensorflow::SequenceExample example;
    if (!parseWire(bytes, &example).ok()) return invalidArgument("Could not parse example input, value: '", bytes, "'");
    std::set<std::string> mayMiss;
    for (const std::string& key : missing.flat<std::string>()) mayMiss.insert(key);
    return SingleParser(c, keyed, name.data<std::string>()[0], std::move(mayMiss), at).parse(example);
  });
}

// ParseSequenceExample.

struct Record {
  std::map<std::string_view, std::string_view> context;
  std::map<std::string_view, WireList> lists;
  std::string name;
};

class BatchParser {
 public:
  BatchParser(KernelContext& c, const SequenceSpecs& s, const std::vector<std::string>& mayMiss)
      : c_(c), s_(s), out_(s), mayMiss_(mayMiss.begin(), mayMiss.end()) {}

  Status parse(const Tensor& texts, const Tensor& names) {
    for (int64_t i = 0; i < texts.elements(); ++i) {
      Record r;
      r.name = names.elements() > 0 ? names.data<std::string>()[i] : "<unknown>";
      std::vector<WireFeature> context;
      std::vector<WireList> lists;
      if (!readSequenceExample(texts.data<std::string>()[i], &context, &lists)) return invalidArgument("Invalid protocol message input, example id: ", r.name);
      for (const WireFeature& f : context) r.context[f.name] = f.body;
      for (WireList& list : lists) r.lists[list.name] = std::move(list);
      records_.push_back(std::move(r));
    }
    for (size_t d = 0; d < s_.contextSparse.size(); ++d) WEFT_TRY(contextSparse(d));
    for (size_t d = 0; d < s_.contextDense.size(); ++d) WEFT_TRY(contextDense(d));
    for (size_t d = 0; d < s_.listSparse.size(); ++d) WEFT_TRY(listSparse(d));
    for (size_t d = 0; d < s_.listDense.size(); ++d) WEFT_TRY(listDense(d));
    return {};
  }

 private:
  int64_t count() const { return int64_t(records_.size()); }

  /// Appends the values of a feature; `what`: "context" or "sequence".
  Status take(std::string_view body, DType type, FeatureValues* out, const char* what, const std::string& key, const Record& r) {
    const auto wrong = [&] { return invalidArgument("Error in ", what, " feature ", key, " in example ", r.name); };
    auto kind = takeKind(&body);
    if (!kind.ok()) return wrong();
    if (kind.value() == DType::Invalid) return {};
    if (kind.value() != type || !readValues(body, type, out)) return wrong();
    return {};
  }

  Status contextSparse(size_t d) {
    const SparseSpec& spec = s_.contextSparse[d];
    SparseRows rows(spec.type, 1);
    for (int64_t i = 0; i < count(); ++i) {
      const Record& r = records_[size_t(i)];
      if (const auto it = r.context.find(spec.key); it != r.context.end()) WEFT_TRY(take(it->second, spec.type, &rows.values(), "context", spec.key, r));
      rows.endRow(i);
    }
    return rows.write(c_, out_.contextSparse + int(d), int(s_.contextSparse.size()), count(), 0);
  }

  Status contextDense(size_t d) {
    const DenseSpec& spec = s_.contextDense[d];
    const Tensor& value = c_.input(2 + int(d));
    Shape shape{count()};
    shape.append(spec.shape);
    WEFT_LET(Tensor* out, c_.allocate(out_.contextDense + int(d), shape));
    FeatureValues values;
    int64_t total = 0;
    for (int64_t i = 0; i < count(); ++i) {
      const Record& r = records_[size_t(i)];
      const auto it = r.context.find(spec.key);
      values.clear();
      if (it != r.context.end()) WEFT_TRY(take(it->second, spec.type, &values, "context", spec.key, r));
      const bool missing = it == r.context.end() || it->second.empty();
      const int64_t n = missing ? value.elements() : values.size();
      total += n;
      if (n != spec.stride) return invalidArgument("Inconsistent number of elements for feature ", spec.key, ": ", total, " vs ", count());
      if (missing) copyElements(*out, i * spec.stride, value, 0, n);
      else values.store(*out, i * spec.stride);
    }
    return {};
  }

  Status listSparse(size_t d) {
    const SparseSpec& spec = s_.listSparse[d];
    SparseRows rows(spec.type, 2);
    int64_t most = 0;
    for (int64_t i = 0; i < count(); ++i) {
      const Record& r = records_[size_t(i)];
      const auto it = r.lists.find(spec.key);
      if (it == r.lists.end()) continue;
      const auto& steps = it->second.steps;
      most = std::max(most, int64_t(steps.size()));
      for (size_t t = 0; t < steps.size(); ++t) {
        WEFT_TRY(take(steps[t], spec.type, &rows.values(), "sequence", spec.key, r));
        rows.endRow(i, int64_t(t));
      }
    }
    return rows.write(c_, out_.listSparse + int(d), int(s_.listSparse.size()), count(), most);
  }

  Status listDense(size_t d) {
    const DenseSpec& spec = s_.listDense[d];
    WEFT_LET(Tensor* lengths, c_.allocate(out_.lengths + int(d), Shape{count()}));
    int64_t most = 0;
    for (int64_t i = 0; i < count(); ++i) {
      const Record& r = records_[size_t(i)];
      const auto it = r.lists.find(spec.key);
      if (it == r.lists.end() && !mayMiss_.count(spec.key)) return invalidArgument("Missing feature ", spec.key, " in example ", r.name);
      const int64_t n = it == r.lists.end() ? 0 : int64_t(it->second.steps.size());
      lengths->mutableData<int64_t>()[i] = n;
      most = std::max(most, n);
    }
    Shape shape{count(), most};
    shape.append(spec.shape);
    WEFT_LET(Tensor* out, c_.allocate(out_.listDense + int(d), shape));
    fillWith(*out, nullptr);
    FeatureValues values;
    for (int64_t i = 0; i < count(); ++i) {
      const Record& r = records_[size_t(i)];
      const auto it = r.lists.find(spec.key);
      if (it == r.lists.end()) continue;
      const auto& steps = it->second.steps;
      for (size_t t = 0; t < steps.size(); ++t) {
        values.clear();
        WEFT_TRY(take(steps[t], spec.type, &values, "sequence", spec.key, r));
        if (values.size() != spec.stride) return invalidArgument("Unexpected number of elements in feature ", spec.key, ", example ", r.name);
        values.store(*out, (i * most + int64_t(t)) * spec.stride);
      }
    }
    return {};
  }

  KernelContext& c_;
  const SequenceSpecs& s_;
  const Outputs out_;
  const std::set<std::string> mayMiss_;
  std::vector<Record> records_;
};

Result<std::unique_ptr<Kernel>> makeBatch(KernelInit& init) {
  WEFT_LET(SequenceSpecs specs, sequenceSpecs(init.attrs(), true));
  const auto mayMiss = init.attrs().list<std::string>("feature_list_dense_missing_assumed_empty");
  return functionKernel([specs, mayMiss](KernelContext& c) -> Status {
    const Tensor &texts = c.input(0), &names = c.input(1);
    if (names.rank() != 1) return invalidArgument("Expected debug_name to be a vector, got shape: ", names.shape().toString());
    if (texts.rank() != 1) return invalidArgument("Expected serialized to be a vector, got shape: ", texts.shape().toString());
    if (names.elements() > 0 && names.elements() != texts.elements())
      return invalidArgument("example_names must be empty or have the correct number of elements");
    WEFT_TRY(checkDefaults(c, specs, 2));
    return BatchParser(c, specs, mayMiss).parse(texts, names);
  });
}

// Shapes; `before`: the batch dimensions.

Status sequenceShape(ShapeContext& c, bool batch) {
  WEFT_LET(const SequenceSpecs s, sequenceSpecs(c.attrs(), batch));
  WEFT_TRY(c.requireRank(c.input(0), batch ? 1 : 0));
  if (batch) WEFT_TRY(c.requireRank(c.input(1), 1));
  const int64_t n = batch && c.input(0).hasRank() ? c.input(0).dim(0) : Shape::kUnknownDim;
  int k = 0;
  const auto sparse = [&](size_t count, int64_t rank) {
    for (size_t i = 0; i < count; ++i) c.setOutput(k++, Shape{Shape::kUnknownDim, rank});
    for (size_t i = 0; i < count; ++i) c.setOutput(k++, Shape::unknownOfRank(1));
    for (size_t i = 0; i < count; ++i) c.setOutput(k++, Shape{rank});
  };
  const auto dense = [&](const std::vector<DenseSpec>& specs, bool steps) {
    for (const DenseSpec& spec : specs) {
      Shape shape = batch ? Shape{n} : Shape();
      if (steps) shape.append(Shape::kUnknownDim);
      shape.append(spec.shape);
      c.setOutput(k++, std::move(shape));
    }
  };
  sparse(s.contextSparse.size(), batch ? 2 : 1);
  dense(s.contextDense, false);
  sparse(s.listSparse.size(), batch ? 3 : 2);
  dense(s.listDense, true);
  if (batch) {
    for (size_t i = 0; i < s.listDense.size(); ++i) c.setOutput(k++, Shape{n});
  }
  return {};
}

OpRecord& withSequence(OpRecord& r, bool batch) {
  withSparseOutputs(r, "context_", "Ncontext_sparse", "context_sparse_types", batch ? "[record, position]." : "[position].")
      .output("context_dense_values: list(Tcontext_dense)", "The dense context features.");
  withSparseOutputs(r, "feature_list_", "Nfeature_list_sparse", "feature_list_sparse_types", batch ? "[record, step, position]." : "[step, position].")
      .output("feature_list_dense_values: list(feature_list_dense_types)", "The dense features of all steps.");
  if (batch) r.output("feature_list_dense_lengths: Nfeature_list_dense * int64", "[n]: number of steps of each record.");
  r.attr("Ncontext_sparse: int >= 0 = 0")
      .attr("Ncontext_dense: int >= 0 = 0")
      .attr("Nfeature_list_sparse: int >= 0 = 0")
      .attr("Nfeature_list_dense: int >= 0 = 0");
  r.attr("context_sparse_types: list({float, int64, string}) >= 0 = []", "Types of the sparse context features.")
      .attr("Tcontext_dense: list({float, int64, string}) >= 0 = []", "Types of the dense context features.")
      .attr("feature_list_dense_types: list({float, int64, string}) >= 0 = []", "Types of the dense feature lists.")
      .attr("context_dense_shapes: list(shape) >= 0 = []", "Shapes of the dense context features.")
      .attr("feature_list_sparse_types: list({float, int64, string}) >= 0 = []", "Types of the sparse feature lists.")
      .attr("feature_list_dense_shapes: list(shape) >= 0 = []", "Shape of each dense feature list in a single step.")
      .shape([batch](ShapeContext& c) { return sequenceShape(c, batch); })
      .noGradient("Serialized records are not differentiable.")
      .cpu({}, batch ? makeBatch : makeSingle)
      .gradientIsError = true;
  return r;
}

}  // namespace

void registerSequenceParsing(OpRegistry& ops) {
  withSequence(ops.add("ParseSingleSequenceExample")
                   .category("Data")
                   .summary("Parses one serialized tf.train.SequenceExample record into tensors.")
                   .keywords("tfrecord sequence example features parse")
                   .input("serialized: string", "The serialized record; a scalar.")
                   .input("feature_list_dense_missing_assumed_empty: string", "Keys of the feature lists that may be missing and then count as empty.")
                   .input("context_sparse_keys: Ncontext_sparse * string", "Keys of the context features to return as sparse tensors.")
                   .input("context_dense_keys: Ncontext_dense * string", "Keys of the context features to return as dense tensors.")
                   .input("feature_list_sparse_keys: Nfeature_list_sparse * string", "Keys of the feature lists to return as sparse tensors.")
                   .input("feature_list_dense_keys: Nfeature_list_dense * string", "Keys of the feature lists to return as dense tensors.")
                   .input("context_dense_defaults: list(Tcontext_dense)", "Default value of each dense context feature; empty: the feature is required.")
                   .input("debug_name: string", "Name of the record, used in error messages only; a scalar."),
               false);
  withSequence(
      ops.add("ParseSequenceExample")
          .category("Data")
          .summary("Parses a batch of serialized tf.train.SequenceExample records into tensors.")
          .keywords("tfrecord sequence example features parse")
          .input("serialized: string", "[n]: the serialized records.")
          .input("debug_name: string", "[n] or empty: names of the records, used in error messages only.")
          .input("context_dense_defaults: list(Tcontext_dense)", "Default value of each dense context feature; empty: the feature is required.")
          .attr("feature_list_dense_missing_assumed_empty: list(string) >= 0", "Keys of the feature lists that may be missing and then count as empty.")
          .attr("context_sparse_keys: list(string) >= 0", "Keys of the context features to return as sparse tensors.")
          .attr("context_dense_keys: list(string) >= 0", "Keys of the context features to return as dense tensors.")
          .attr("feature_list_sparse_keys: list(string) >= 0", "Keys of the feature lists to return as sparse tensors.")
          .attr("feature_list_dense_keys: list(string) >= 0", "Keys of the feature lists to return as dense tensors."),
      true);
}

}  // namespace weft
