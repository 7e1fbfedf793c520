// What each row of a batch contributes to an element.
#include <algorithm>
#include <cmath>

#include "provenance/provenance_impl.h"
#include "weft/op_traits.h"

namespace weft {

using provenance::flatOf;
using provenance::near;
using provenance::numberAt;

Result<RowShares> Provenance::rows(const Element& element) {
  Impl& p = *impl_;
  WEFT_LET(const Impl::Place place, p.placeOf(element.tensor));
  RowShares out;
  out.tensor = element.tensor;
  if (place.variable) {
    const auto gradients = appliedGradients(p.graph(), p.replay->settings().trainOp);
    const auto gradient = std::find_if(gradients.begin(), gradients.end(), [&](const AppliedGradient& g) { return g.variable == place.variable->name; });
    if (gradient == gradients.end())
      return failedPrecondition("No gradient is applied to ", place.variable->name, ", so rows of data have no part in its steps.");
    out.tensor = gradient->tensor;
    const auto at = p.graph().findOutput(gradient->tensor);
    for (int id = 0; at.ok() && id < p.graph().size(); ++id) {
      const Node* node = p.graph().node(id);
      if (!node || !changesVariable(roleOf(*node)) || std::find(node->inputs.begin(), node->inputs.end(), *at) == node->inputs.end()) continue;
      for (size_t i = 0; i < node->inputs.size(); ++i)
        if (provenance::inputName(*node, i) == "indices")
          return failedPrecondition(node->name, " (", node->op, ") changes only the rows of ", place.variable->name,
                                    " that were looked up; rows of data cannot be told apart there.");
    }
  } else {
    out.tensor = p.graph().tensorName(place.output);
  }
  WEFT_TRY(p.replay->goTo(element.step, p.cancellation));
  const std::vector<int64_t> rows = p.replay->rows();
  if (rows.empty()) return failedPrecondition("Step ", element.step, " has no rows of data.");
  WEFT_LET(const auto all, p.replay->evaluate({out.tensor}));
  WEFT_LET(const int64_t flat, flatOf(out.tensor, all[0].shape(), element.index));
  out.value = numberAt(all[0], flat);
  const int64_t batch = int64_t(rows.size());
  // One value for each row of the batch: the element is of one of them.
  bool perRow = !place.variable && all[0].rank() > 0 && all[0].dim(0) == batch;
  if (perRow && batch > 1) {
    // A weight may have as many rows as the batch: then one row of data gives all of them.
    WEFT_LET(const auto alone, p.replay->evaluate({out.tensor}, 0));
    perRow = alone[0].rank() > 0 && (alone[0].dim(0) == 1 || p.replay->hasFixedBatch());
  }
  double sum = 0, scale = std::abs(out.value);
  for (int64_t r = 0; r < batch; ++r) {
    if (p.cancellation.cancelled()) return cancelledError("Cancelled after ", r, " of ", batch, " rows.");
    if (perRow && r != element.index[0]) continue;
    WEFT_LET(const auto alone, p.replay->evaluate({out.tensor}, r));
    const Tensor& v = alone[0];
    RowShare share{r, rows[size_t(r)]};
    if (perRow) {
      std::vector<int64_t> index = element.index;
      if (v.dim(0) == 1) index[0] = 0;
      const auto at = flatOf(out.tensor, v.shape(), index);
      share.value = at.ok() ? numberAt(v, *at) : NAN;
      share.contribution = share.value;
      out.kind = near(share.value, out.value, scale) ? RowShares::Kind::One : RowShares::Kind::Together;
      out.rows.push_back(share);
      continue;
    }
    if (!(v.shape() == all[0].shape()))
      return failedPrecondition(out.tensor, " has the shape ", v.shape().toString(), " for one row and ", all[0].shape().toString(),
                                " for the batch; rows cannot be told apart.");
    share.value = numberAt(v, flat);
    sum += share.value;
    scale = std::max(scale, std::abs(share.value));
    out.rows.push_back(share);
  }
  const bool isNan = std::isnan(out.value);
  const int64_t nans = std::count_if(out.rows.begin(), out.rows.end(), [](const RowShare& s) { return std::isnan(s.value); });
  if (!perRow && isNan && nans > 0) {
    // The rows that are no number make it one.
    out.kind = RowShares::Kind::Mean;
    for (RowShare& s : out.rows) s.contribution = s.value / double(batch);
  } else if (!perRow) {
    if (near(sum / double(batch), out.value, scale / double(batch))) out.kind = RowShares::Kind::Mean;
    else if (near(sum, out.value, scale)) out.kind = RowShares::Kind::Sum;
    for (RowShare& s : out.rows)
      s.contribution = out.kind == RowShares::Kind::Mean ? s.value / double(batch) : out.kind == RowShares::Kind::Sum ? s.value : NAN;
  }
  std::stable_sort(out.rows.begin(), out.rows.end(), [](const RowShare& a, const RowShare& b) {
    const auto size = [](double v) { return std::isnan(v) ? INFINITY : std::abs(v); };
    return size(a.value) > size(b.value);
  });
  return out;
}

}  // namespace weft
