#include "ops/registry.h"

// Follows the results of beam search back from the last step (GatherTree of tf.contrib.seq2seq).
namespace weft {
namespace {

Status treeShape(ShapeContext& c) {
  WEFT_TRY(c.requireRank(c.input(0), 3));
  WEFT_TRY(c.requireRank(c.input(1), 3));
  WEFT_TRY(c.requireRank(c.input(2), 1));
  WEFT_TRY(c.requireRank(c.input(3), 0));
  WEFT_LET(const Shape shape, c.merge(c.input(0), c.input(1)));
  if (shape.hasRank() && c.input(2).hasRank()) WEFT_TRY(c.mergeDims(shape.dim(1), c.input(2).dim(0)).status());
  c.setOutput(0, shape);
  return {};
}

Status runTree(KernelContext& c) {
  const Tensor &ids = c.input(0), &parents = c.input(1), &lengths = c.input(2), &end = c.input(3);
  if (ids.rank() != 3) return invalidArgument("step_ids must be a 3-tensor, saw shape: ", ids.shape().toString());
  if (lengths.rank() != 1) return invalidArgument("max_sequence_lengths must be a vector, saw shape: ", lengths.shape().toString());
  if (end.rank() != 0) return invalidArgument("end_token must be a scalar, saw shape: ", end.shape().toString());
  if (ids.shape() != parents.shape()) {
    return invalidArgument("step_ids.shape must match parent_ids.shape.  but shapes are: ", ids.shape().toString(), " and ", parents.shape().toString());
  }
  if (ids.dim(1) != lengths.dim(0)) {
    return invalidArgument("batch size dimensions step_ids.shape[1] and max_sequence_lengths.shape[0] must match.  but shapes are: ", ids.shape().toString(),
                           " and ", lengths.shape().toString());
  }
  const int64_t times = ids.dim(0), batch = ids.dim(1), width = ids.dim(2);
  const int32_t endToken = end.at<int32_t>(0);
  WEFT_LET(Tensor* out, c.allocate(0, ids.shape()));
  int32_t* beams = out->mutableData<int32_t>();
  std::fill_n(beams, out->elements(), endToken);
  const auto place = [&](int64_t time, int64_t b, int64_t beam) { return (time * batch + b) * width + beam; };
  for (int64_t b = 0; b < batch; ++b) {
    const int64_t length = std::min<int64_t>(times, lengths.at<int32_t>(b));
    for (int64_t beam = 0; length > 0 && beam < width; ++beam) {
      beams[place(length - 1, b, beam)] = ids.at<int32_t>(place(length - 1, b, beam));
      int64_t parent = parents.at<int32_t>(place(length - 1, b, beam));
      for (int64_t time = length - 2; time >= 0; --time) {
        if (parent < 0 || parent >= width)
          return invalidArgument("Saw invalid parent id ", parent, " at (batch, time, beam) == (", b, ", ", time, ", ", beam, ")");
        beams[place(time, b, beam)] = ids.at<int32_t>(place(time, b, parent));
        parent = parents.at<int32_t>(place(time, b, parent));
      }
      // Steps after the first end token are ignored.
      bool ended = false;
      for (int64_t time = 0; time < length; ++time) {
        int32_t& id = beams[place(time, b, beam)];
        if (ended) id = endToken;
        ended = ended || id == endToken;
      }
    }
  }
  return {};
}

}  // namespace

void registerBeamTrees(OpRegistry& ops) {
  ops.add("GatherTree")
      .category("Neural network")
      .keywords("beam search decoder seq2seq contrib")
      .summary("Reconstructs the full sequences of a beam search from the ids and parent pointers of its steps.")
      .input("step_ids: T", "[time, batch, beam]: id chosen by each beam at each step.")
      .input("parent_ids: T", "[time, batch, beam]: the beam of the previous step that each beam continues.")
      .input("max_sequence_lengths: int32", "[batch]: number of valid steps.")
      .input("end_token: T", "Id that fills a sequence after its first end token.")
      .output("beams: T", "[time, batch, beam]: the full sequence of each final beam.")
      .attr("T: {int32}", "Type of the ids.")
      .shape(treeShape)
      .noGradient("It gathers integer ids.")
      .cpu({{"T", {DType::Int32}}}, simpleKernel(runTree));
}

}  // namespace weft
