#pragma once

#include <algorithm>
#include <cmath>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "provenance/recorded_run.h"
#include "weft/provenance.h"

namespace weft {

struct Provenance::Impl {
  /// A step with all its values.
  struct Step {
    int64_t step = 0;
    std::map<std::string, Tensor> before;  ///< Variables.
    std::vector<std::pair<std::string, Tensor>> feeds;
    int64_t batchFeeds = 0;
    std::vector<int64_t> rows;
    std::unique_ptr<provenance::RecordedRun> run;
  };
  /// An element that is asked about, found in the graph.
  struct Place {
    const Node* variable = nullptr;  ///< Else `output`.
    Output output;
  };

  std::unique_ptr<StepReplay> replay;
  Options options;
  CancellationToken cancellation;
  std::deque<std::unique_ptr<Step>> kept;  ///< The last used first.
  std::vector<char> ofData;                ///< Nodes whose values depend on values of the batch.

  void findData();
  /// Whether a part is a variable, or just read from one.
  bool isWeight(const OriginPart& part) const;
  /// The part that a path follows. REQUIRES: there are parts.
  const OriginPart& next(const Origin& origin) const;

  const Graph& graph() const { return replay->graph(); }
  Result<Step*> at(int64_t step);
  /// NOT_FOUND suggests names.
  Result<Place> placeOf(const std::string& tensor) const;
  Result<Tensor> valueOf(Step& step, Output output, int64_t order) const;
  Result<Tensor> variableAfter(const Node& variable, int64_t step);
  Result<OriginPart> part(Step& step, Output output, int64_t flat, int64_t order) const;
  OriginPart variablePart(const Node& variable, const Tensor& value, int64_t flat, int64_t step) const;
  Result<Origin> deriveVariable(const OriginPart& self, const Node& variable);
  Result<Origin> deriveOp(const OriginPart& self, Output output);
  /// An element that was stored by an op at position `order` of the run.
  struct Stored {
    Output output;
    std::vector<int64_t> index;
    int64_t order;
  };
  /// Where an element comes from that `node` takes out of an array or off a stack; several are added up. Empty: it does not, or they are not known.
  std::vector<Stored> storedFor(Step& step, const Node& node, const std::vector<int64_t>& index, int64_t order) const;
  /// Adds parts for inputs without slopes, by position.
  void addByPosition(Step& step, const Node& node, const Shape& shape, const std::vector<int64_t>& index, int64_t order, const std::vector<char>& inputs,
                     Origin& out) const;
};

namespace provenance {

/// Position of an element, row by row, and back. OUT_OF_RANGE names the index and the shape.
Result<int64_t> flatOf(const std::string& name, const Shape& shape, const std::vector<int64_t>& index);
std::vector<int64_t> indexOf(const Shape& shape, int64_t flat);
/// The op's name of an input: "x", "values 2".
std::string inputName(const Node& node, size_t input);
double numberAt(const Tensor& value, int64_t flat);
/// Equal but for the rounding of sums whose terms are up to `scale`.
inline bool near(double a, double b, double scale) {
  if (!std::isfinite(a) || !std::isfinite(b)) return a == b || (std::isnan(a) && std::isnan(b));
  return std::abs(a - b) <= 1e-3 * std::max({std::abs(a), std::abs(b), 1e-2 * scale});
}

}  // namespace provenance
}  // namespace weft
