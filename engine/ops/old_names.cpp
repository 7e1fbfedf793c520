#include "ops/old_names.h"

#include <algorithm>

// Old names of ops in graphs from TensorFlow's first years: linear algebra and transforms over batches, tensor arrays whose handles are strings. Each is its
// successor with the differences stated here.
namespace weft {

OpRecord& oldName(OpRegistry& ops, const std::string& name, const std::string& now) {
  const OpRecord& successor = *ops.find(now);
  OpRecord& r = ops.add(name);
  r = successor;
  r.name = name;
  r.descriptionText = "Old name of " + now + "." + (successor.descriptionText.empty() ? "" : " " + successor.descriptionText);
  if (r.gradientFunction) {
    r.gradientFunction = nullptr;
    r.noGradientReason = "TensorFlow defines gradients for its successor only.";
    r.gradientIsError = true;
  }
  // Kernels are the successor's; differing attributes are changed here.
  return r;
}

namespace {

ArgSpec retyped(const ArgSpec& old, const char* type, bool input) {
  OpRecord scratch;
  if (input) scratch.input(old.name + ": " + type, old.doc);
  else scratch.output(old.name + ": " + type, old.doc);
  return input ? scratch.inputs[0] : scratch.outputs[0];
}

/// Restricts an attribute to these types.
void allow(OpRecord& r, std::string_view attr, std::vector<DType> types) {
  for (AttrSpec& a : r.attrs)
    if (a.name == attr) a.allowedTypes = types;
}

using enum DType;

void addBatchOps(OpRegistry& ops) {
  struct Old {
    const char *name, *now;
    int producer;
    const char* why;
    std::vector<DType> types;
  };
  const std::vector<Old> all = {
      {"BatchCholesky", "Cholesky", 13, "Use Cholesky instead.", {Double, Float}},
      {"BatchCholeskyGrad", "CholeskyGrad", 13, "Use CholeskyGrad instead.", {Float, Double}},
      {"BatchMatrixDeterminant", "MatrixDeterminant", 13, "Use MatrixDeterminant instead.", {Float, Double, Complex64, Complex128}},
      {"BatchMatrixInverse", "MatrixInverse", 13, "Use MatrixInverse instead.", {Double, Float}},
      {"BatchMatrixSolve", "MatrixSolve", 13, "Use MatrixSolve instead.", {Double, Float}},
      {"BatchMatrixTriangularSolve", "MatrixTriangularSolve", 13, "Use MatrixTriangularSolve instead.", {Double, Float}},
      {"BatchMatrixSolveLs", "MatrixSolveLs", 13, "Use MatrixSolveLs instead.", {Double, Float}},
      {"BatchSelfAdjointEigV2", "SelfAdjointEigV2", 13, "Use SelfAdjointEigV2 instead.", {Double, Float}},
      {"BatchSvd", "Svd", 13, "Use Svd instead.", {Double, Float, Complex64, Complex128}},
      {"BatchMatrixDiag", "MatrixDiag", 14, "Use MatrixDiag", {}},
      {"BatchMatrixSetDiag", "MatrixSetDiag", 14, "Use MatrixSetDiag", {}},
      {"BatchMatrixDiagPart", "MatrixDiagPart", 14, "Use MatrixDiagPart", {}},
      {"BatchMatrixBandPart", "MatrixBandPart", 14, "Use MatrixBandPart", {}},
      {"BatchFFT", "FFT", 15, "Use FFT", {}},
      {"BatchIFFT", "IFFT", 15, "Use IFFT", {}},
      {"BatchFFT2D", "FFT2D", 15, "Use FFT2D", {}},
      {"BatchIFFT2D", "IFFT2D", 15, "Use IFFT2D", {}},
      {"BatchFFT3D", "FFT3D", 15, "Use FFT3D", {}},
      {"BatchIFFT3D", "IFFT3D", 15, "Use IFFT3D", {}},
  };
  for (const Old& o : all) {
    OpRecord& r = oldName(ops, o.name, o.now);
    r.deprecated(o.producer, o.why).shape(shapes::unknown);
    if (!o.types.empty()) allow(r, "T", o.types);
  }
  OpRecord& band = *ops.findMutable("BatchMatrixBandPart");
  dropAttr(band, "Tindex");
  for (const size_t i : {1, 2}) retypeInput(band, i, "int64");
  for (const char* name : {"BatchFFT", "BatchIFFT", "BatchFFT2D", "BatchIFFT2D", "BatchFFT3D", "BatchIFFT3D"}) {
    OpRecord& r = *ops.findMutable(name);
    dropAttr(r, "Tcomplex");
    retypeInput(r, 0, "complex64");
    retypeOutput(r, 0, "complex64");
  }
}

/// The successor's shape function after a check of the handle, which is a vector of two strings.
ShapeFunction behindHandle(ShapeFunction inner) {
  return [inner](ShapeContext& c) -> Status {
    WEFT_TRY(c.requireRank(c.input(0), 1));
    if (c.input(0).hasRank()) WEFT_TRY(c.mergeDims(c.input(0).dim(0), 2).status());
    return inner(c);
  };
}

void addTensorArrays(OpRegistry& ops) {
  struct Old {
    const char* name;
    const char* now;
    int firstProducer, secondProducer;  ///< Graph producers from which versions 1 and 2 are refused; 0: never.
    const char *firstWhy, *secondWhy;
  };
  const Old all[] = {
      {"TensorArray", "TensorArrayV3", 16, 26, "Use TensorArrayV3", "Use TensorArrayV3"},
      {"TensorArrayGrad", "TensorArrayGradV3", 16, 26, "Use TensorArrayGradV3", "Use TensorArrayGradV3"},
      {"TensorArrayWrite", "TensorArrayWriteV3", 16, 26, "Use TensorArrayWriteV3", "Use TensorArrayWriteV3"},
      {"TensorArrayRead", "TensorArrayReadV3", 16, 26, "Use TensorArrayReadV3", "Use TensorArrayReadV3"},
      {"TensorArrayGather", "TensorArrayGatherV3", 16, 26, "Use TensorArrayGatherV3", "Use TensorArrayGatherV3"},
      {"TensorArrayScatter", "TensorArrayScatterV3", 19, 26, "Use TensorArrayGradV3", "Use TensorArrayScatterV3"},
      {"TensorArrayConcat", "TensorArrayConcatV3", 16, 0, "Use TensorArrayGradV3", ""},
      {"TensorArraySplit", "TensorArraySplitV3", 16, 26, "Use TensorArraySplitV3", "Use TensorArraySplitV3"},
      {"TensorArraySize", "TensorArraySizeV3", 16, 26, "Use TensorArraySizeV3", "Use TensorArraySizeV3"},
      {"TensorArrayClose", "TensorArrayCloseV3", 16, 26, "Use TensorArrayCloseV3", "Use TensorArrayCloseV3"},
  };
  for (const bool first : {true, false}) {
    for (const Old& o : all) {
      const std::string name = o.name;
      const bool makes = name == "TensorArray" || name == "TensorArrayGrad";
      OpRecord& r = oldName(ops, first ? name : name + "V2", o.now);
      r.gradientIsError = r.gradientIsError && !makes;
      const int producer = first ? o.firstProducer : o.secondProducer;
      if (producer) r.deprecated(producer, first ? o.firstWhy : o.secondWhy);
      r.isStateful = makes;
      if (makes) {
        r.outputs.resize(1);
        retypeOutput(r, 0, first ? "Ref(string)" : "string");
      }
      if (name == "TensorArray") {
        dropAttr(r, "identical_element_shapes");
        if (first) r.shapeFunction = shapes::unknown;
        continue;
      }
      retypeInput(r, 0, first && !makes ? "Ref(string)" : "string");
      r.shapeFunction = behindHandle(r.shapeFunction);
    }
  }
  OpRecord& pack = oldName(ops, "TensorArrayPack", "TensorArrayGather");
  pack.summary("Stacks all elements of a TensorArray along a new first dimension.")
      .deprecated(16, "Use TensorArrayGatherV3 with RangeOp")
      .shape(behindHandle(shapes::unknown));
  pack.inputs.erase(pack.inputs.begin() + 1);
  OpRecord& unpack = oldName(ops, "TensorArrayUnpack", "TensorArrayScatter");
  unpack.summary("Writes the rows of a tensor to all elements of a TensorArray.")
      .deprecated(20, "Use TensorArrayScatterV3 with RangeOp")
      .shape(behindHandle(shapes::scalar));
  unpack.inputs.erase(unpack.inputs.begin() + 1);
}

}  // namespace

void retypeInput(OpRecord& r, size_t i, const char* type) { r.inputs[i] = retyped(r.inputs[i], type, true); }
void retypeOutput(OpRecord& r, size_t i, const char* type) { r.outputs[i] = retyped(r.outputs[i], type, false); }

void dropAttr(OpRecord& r, std::string_view name) {
  std::erase_if(r.attrs, [&](const AttrSpec& a) { return a.name == name; });
  for (KernelRecord& k : r.kernels) std::erase_if(k.constraints, [&](const KernelConstraint& c) { return c.attr == name; });
}

void registerOldNames(OpRegistry& ops) {
  addBatchOps(ops);
  addTensorArrays(ops);
}

}  // namespace weft
