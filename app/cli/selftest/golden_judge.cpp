#include "cli/selftest/golden_judge.h"

#include <algorithm>
#include <set>

#include "weft/builder.h"
#include "weft/op.h"
#include "weft/session.h"

namespace weft::cli {
namespace {

/// A golden case's loaded graph, or the error that its op caused while loading.
struct Imported {
  MetaGraph meta;
  const Node* op = nullptr;
};

Result<Imported> import(const GoldenCase& golden, InputForm form) {
  WEFT_LET(auto loaded, loadGraphBytes(std::make_shared<const std::string>(golden.graph(form)), "record"));
  if (!loaded.problems.empty()) return loaded.problems.front();
  Imported out;
  out.meta = std::move(loaded.meta);
  out.op = out.meta.graph.find("op");
  if (!out.op) return internalError("the loader lost node 'op'");
  return out;
}

bool fetchable(DType t) { return baseType(t) != DType::Resource && baseType(t) != DType::Variant; }

SessionOptions sessionOptions(const JudgeOptions& options) {
  SessionOptions out;
  out.threads = options.threads;
  out.disabledPasses = options.without;
  out.defaultDevice = options.device;
  out.allowSoftPlacement = !options.device.empty();
  return out;
}

/// Runs "op" and fetches all outputs that can be fetched; the others get no value.
Result<std::vector<Tensor>> runOp(const Imported& imported, const std::vector<std::pair<std::string, Tensor>>& feeds, const JudgeOptions& options) {
  WEFT_LET(auto session, Session::create(imported.meta.graph, sessionOptions(options)));
  std::vector<std::string> fetches, targets;
  const auto& types = imported.op->outputTypes;
  for (size_t k = 0; k < types.size(); ++k)
    if (fetchable(types[k])) fetches.push_back(concat("op:", k));
  if (fetches.empty()) targets.push_back("op");
  WEFT_LET(auto values, session->run(feeds, fetches, targets));
  std::vector<Tensor> out(types.size());
  for (size_t k = 0, next = 0; k < types.size(); ++k)
    if (fetchable(types[k])) out[k] = std::move(values[next++]);
  return out;
}

std::vector<std::pair<std::string, Tensor>> feedsOf(const GoldenCase& golden) {
  std::vector<std::pair<std::string, Tensor>> feeds;
  for (size_t i = 0; i < golden.inputs.size(); ++i) feeds.emplace_back(concat("in/", i, ":0"), golden.inputs[i]);
  return feeds;
}

/// "" if `got` is the expected error.
std::string errorDifference(const Status& got, int code, const std::string& phrase) {
  const auto wanted = std::string(codeName(Code(code)));
  if (got.ok()) return concat("succeeded, want ", wanted, " '", phrase, "'");
  if (int(got.code()) != code) return concat("error ", got.toString().substr(0, 200), ", want ", wanted, " '", phrase, "'");
  if (got.error().message.find(phrase) == std::string::npos) return concat("message '", got.error().message.substr(0, 240), "' lacks '", phrase, "'");
  return {};
}

/// Checks one case and collects the differences.
class GoldenJudge {
 public:
  GoldenJudge(const GoldenCase& golden, const JudgeOptions& options) : golden_(golden), options_(options) {}

  Verdict judge() {
    const OpRecord* record = OpRegistry::instance().find(golden_.opType);
    if (!record) return skip("this engine does not know the op");
    if (!options_.device.empty() && std::none_of(record->kernels.begin(), record->kernels.end(), [](const KernelRecord& k) { return k.device != "CPU"; }))
      return skip("no kernel for the device");
    // What TensorFlow's CPU kernels refuse (channels first, dilations), those of other devices compute.
    const std::string phrases = golden_.errorPhrase + golden_.runErrorPhrase;
    if (!options_.device.empty() && (phrases.find("CPU") != std::string::npos || phrases.find("NHWC") != std::string::npos))
      return skip("a limit of the CPU's kernel");
    if (golden_.errorCode) checkErrors();
    else checkValues();
    if (!verdict_.complaints.empty()) verdict_.kind = Verdict::Kind::Failed;
    return std::move(verdict_);
  }

 private:
  Verdict skip(std::string why) {
    verdict_.kind = Verdict::Kind::Skipped;
    verdict_.complaints = {std::move(why)};
    return std::move(verdict_);
  }
  template <typename... Parts>
  void complain(const Parts&... parts) {
    verdict_.complaints.push_back(concat(parts...));
  }

  void checkErrors() {
    const auto asStored = import(golden_, InputForm::Constants);
    const Status stored = asStored.ok() ? runOp(*asStored, {}, options_).status() : asStored.status();
    if (const std::string d = errorDifference(stored, golden_.errorCode, golden_.errorPhrase); !d.empty()) complain(d);
    if (golden_.inputs.empty()) return;
    const auto fed = import(golden_, InputForm::Placeholders);
    const Status run = fed.ok() ? runOp(*fed, feedsOf(golden_), options_).status() : fed.status();
    // A record without an error for fed inputs does not tell whether TensorFlow's kernel fails in the same way or runs.
    if (run.ok() && !golden_.runErrorCode) return;
    const int code = golden_.runErrorCode ? golden_.runErrorCode : golden_.errorCode;
    if (const std::string d = errorDifference(run, code, golden_.runErrorPhrase); !d.empty()) complain("fed: ", d);
  }

  void checkValues() {
    const auto imported = import(golden_, InputForm::Constants);
    if (!imported.ok()) return complain("load: ", imported.error().toString());
    checkStaticShapes(*imported);
    const auto values = runOp(*imported, {}, options_);
    if (!values.ok()) return complain("run: ", values.error().toString());
    compareOutputs("", *values);
    checkRunShapes("", *imported->op, *values);
    // TensorFlow refuses these ops unless the length of block_shape is known at graph construction.
    const bool needsShapes = imported->op->op == "SpaceToBatchND" || imported->op->op == "BatchToSpaceND";
    if (!golden_.inputs.empty() && !needsShapes) {
      checkFed(InputForm::PlaceholdersOfRank, "fed with unknown dims: ");
      checkFed(InputForm::Placeholders, "fed with unknown shape: ");
    }
    if (!golden_.dy.empty()) checkGradients();
  }

  /// The shapes that TensorFlow inferred are in `_output_shapes`.
  void checkStaticShapes(const Imported& imported) {
    const auto wanted = imported.op->attrs.list<Shape>("_output_shapes");
    const auto& got = imported.op->outputShapes;
    for (size_t k = 0; k < wanted.size() && k < got.size(); ++k) {
      if (got[k] == wanted[k]) continue;
      const std::string text = concat("static shape of output ", k, " is ", got[k].toString(), ", TensorFlow infers ", wanted[k].toString());
      if (got[k].compatibleWith(wanted[k])) verdict_.notes.push_back(text);
      else complain(text);
    }
  }

  void checkRunShapes(const char* how, const Node& op, const std::vector<Tensor>& values) {
    const auto stated = op.attrs.list<Shape>("_output_shapes");
    for (size_t k = 0; k < values.size() && k < op.outputShapes.size(); ++k) {
      // TensorFlow's own shape function may be wrong (FusedBatchNormGrad): then both the shapes that it infers and those of its values are accepted.
      const auto want = golden_.want.find(int(k));
      if (want != golden_.want.end() && k < stated.size() && !stated[k].compatibleWith(want->second.shape())) continue;
      if (values[k].hasValue() && !op.outputShapes[k].compatibleWith(values[k].shape()))
        complain(how, "output ", k, " has shape ", values[k].shape().toString(), ", inferred was ", op.outputShapes[k].toString());
    }
  }

  void compareOutputs(const char* how, const std::vector<Tensor>& values) {
    for (const auto& [k, want] : golden_.want) {
      if (size_t(k) >= values.size() || !values[size_t(k)].hasValue()) {
        complain(how, "no output ", k);
        continue;
      }
      if (const std::string d = compareOne(values[size_t(k)], want); !d.empty()) complain(how, "output ", k, ": ", d);
    }
  }

  std::string compareOne(const Tensor& got, const Tensor& want) const {
    const bool oneString = want.dtype() == DType::String && want.elements() == 1 && got.dtype() == DType::String && got.elements() == 1;
    if (oneString && !golden_.compare.empty()) {
      const std::string &g = got.at<std::string>(0), &w = want.at<std::string>(0);
      if (golden_.compare == "png") return pngDifference(g, w, 0);
      if (golden_.compare == "jpeg") return jpegDifference(g, w, 3);
      if (golden_.compare == "image_summary") return summaryDifference(g, w, golden_.tolerance.value_or(Tolerance{}), 0);
    }
    return differenceOf(got, want, golden_.tolerance.value_or(Tolerance{}), golden_.tolerance.has_value(), golden_.compare == "up to sign");
  }

  void checkFed(InputForm form, const char* how) {
    const auto imported = import(golden_, form);
    if (!imported.ok()) return complain(how, "load: ", imported.error().toString());
    const auto values = runOp(*imported, feedsOf(golden_), options_);
    if (!values.ok()) return complain(how, values.error().toString());
    compareOutputs(how, *values);
    checkRunShapes(how, *imported->op, *values);
  }

  void checkGradients() {
    auto imported = import(golden_, InputForm::Constants);
    if (!imported.ok()) return;
    MetaGraph& meta = imported->meta;
    GraphBuilder builder(meta);
    std::vector<Output> ys, xs;
    std::vector<int> xIndex;
    GradientsOptions gradients;
    const int op = imported->op->id;
    for (const auto& [j, value] : golden_.dy) {
      ys.push_back({op, j});
      gradients.gradYs.push_back(builder.constant(value, "dy"));
    }
    for (size_t i = 0; i < golden_.inputs.size(); ++i) {
      const DType t = golden_.inputs[i].dtype();
      if (!isFloating(t) && !isComplex(t)) continue;
      const Node* in = meta.graph.find(concat("in/", i));
      xs.push_back({in->id, 0});
      xIndex.push_back(int(i));
    }
    const auto found = addGradients(builder, ys, xs, gradients);
    if (!found.ok()) return complain("gradient: ", found.error().toString());
    if (!builder.ok()) return complain("gradient: ", builder.status().toString());
    runGradients(meta, *found, xIndex);
  }

  void runGradients(const MetaGraph& meta, const std::vector<Gradient>& found, const std::vector<int>& xIndex) {
    std::vector<std::string> fetches;
    for (size_t k = 0; k < found.size(); ++k) {
      const bool wanted = golden_.grad.count(xIndex[k]) > 0;
      if (found[k].none() == wanted) complain("gradient of in/", xIndex[k], wanted ? " is None" : " is not None, as TensorFlow's is");
      if (found[k].slices) {
        for (const Output o : {found[k].slices->values, found[k].slices->indices}) fetches.push_back(meta.graph.tensorName(o));
      } else if (found[k].dense.valid()) {
        fetches.push_back(meta.graph.tensorName(found[k].dense));
      }
    }
    if (fetches.empty()) return;
    auto session = Session::create(meta.graph, sessionOptions(options_));
    if (!session.ok()) return complain("gradient: ", session.error().toString());
    const auto values = (*session)->run({}, fetches);
    if (!values.ok()) return complain("gradient: ", values.error().toString());
    size_t next = 0;
    for (size_t k = 0; k < found.size(); ++k) {
      if (found[k].none()) continue;
      const auto want = golden_.grad.find(xIndex[k]);
      Tensor got = (*values)[next++];
      if (found[k].slices) {
        const Tensor& indices = (*values)[next++];
        if (want != golden_.grad.end()) got = denseOf(got, indices, want->second.shape());
      }
      if (want == golden_.grad.end()) continue;
      const Tolerance tolerance = golden_.tolerance.value_or(Tolerance{1e-5, 1e-6});
      if (const std::string d = differenceOf(got, want->second, tolerance); !d.empty()) complain("gradient of in/", xIndex[k], ": ", d);
    }
  }

  /// Adds the rows `values[r]` at `indices[r]` to zeros of `shape`. Returns `values` unchanged if they do not fit.
  static Tensor denseOf(const Tensor& values, const Tensor& indices, const Shape& shape) {
    switch (values.dtype()) {
      case DType::Float: return denseRows<float>(values, indices, shape);
      case DType::Double: return denseRows<double>(values, indices, shape);
      case DType::Complex64: return denseRows<std::complex<float>>(values, indices, shape);
      case DType::Complex128: return denseRows<std::complex<double>>(values, indices, shape);
      default: return values;
    }
  }

  template <typename T>
  static Tensor denseRows(const Tensor& values, const Tensor& indices, const Shape& shape) {
    if (shape.rank() < 1 || shape.dim(0) == 0) return values;
    const int64_t row = shape.elements() / shape.dim(0);
    if (values.elements() != row * indices.elements()) return values;
    std::vector<T> sums(size_t(shape.elements()), T(0));
    for (int64_t r = 0; r < indices.elements(); ++r) {
      const int64_t at = indices.asInt(r);
      if (at < 0 || at >= shape.dim(0)) return values;
      for (int64_t c = 0; c < row; ++c) sums[size_t(at * row + c)] += values.data<T>()[r * row + c];
    }
    return Tensor::of(sums, shape);
  }

  const GoldenCase& golden_;
  const JudgeOptions& options_;
  Verdict verdict_;
};

}  // namespace

Verdict judgeGolden(const GoldenCase& golden, const JudgeOptions& options) { return GoldenJudge(golden, options).judge(); }

}  // namespace weft::cli
