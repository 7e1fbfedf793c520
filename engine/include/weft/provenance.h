#pragma once

#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "weft/step_replay.h"

namespace weft {

/// One element of a tensor or a variable in a training step.
struct Element {
  std::string tensor;          ///< "fc1/MatMul:0"; or a variable, "fc1/weights": its value after the step.
  std::vector<int64_t> index;  ///< One position per dimension.
  int64_t step = 0;
  bool operator==(const Element&) const = default;
};
/// "fc1/weights[3,5]" or "loss:0"; the step is not part of the text. INVALID_ARGUMENT says what was expected.
WEFT_API Result<Element> parseElement(const std::string& text);
WEFT_API std::string elementText(const Element& element);

/// What an element is.
enum class OriginKind : uint8_t {
  Computed,  ///< An op computed it.
  Variable,  ///< A variable's value after an earlier step, or at the start.
  Data,      ///< Fed from the data.
  Setting,   ///< Fed: a live scalar or another setting.
  Constant,
  Random,  ///< Drawn.
};

/// How an element follows from its parts.
enum class OriginRule : uint8_t {
  Given,     ///< It has no parts: data, settings, constants, random numbers, initial values.
  Copy,      ///< It is its part.
  Sum,       ///< The contributions of its parts add up to it.
  Products,  ///< A sum of products of two inputs: each contribution belongs to an element of both, which are both among the parts.
  Slope,     ///< It follows from its parts, but not as a sum; each slope says how much it changes with a part.
  Update,    ///< A variable: its value before and what the step added to it.
  Kept,      ///< A variable that the step did not change.
  Position   ///< Its parts are known by their position only: its op has no gradient, or a gradient of 0 here.
};

/// An element, or a whole tensor, that another element was computed from.
struct OriginPart {
  Element element;
  bool whole = false;  ///< All of the tensor; element.index is empty, value means nothing.
  OriginKind kind = OriginKind::Computed;
  std::string op;     ///< Of the node; "variable" for variables.
  std::string input;  ///< The op's name of the input: "x", "grad".
  double value = NAN;
  double slope = NAN;         ///< d element / d part; NaN: unknown.
  double contribution = NAN;  ///< slope × value, of an Update's gradient what it added; NaN: unknown.
  int64_t order = INT64_MAX;  ///< For derive(): the value is of the last execution before this position in the run.
};

/// Where an element comes from.
struct Origin {
  OriginPart self;
  OriginRule rule = OriginRule::Given;
  std::vector<OriginPart> parts;  ///< Those that matter most first.
  int64_t count = 0;              ///< Of all parts; more than parts.size() if there are many.
  double rest = NAN;              ///< Of a Sum or an Update: what the parts beyond parts.size() contribute together.
  int64_t dataRow = -1;           ///< Of Data: the row of the data set.
};

/// What one row of the batch contributes to an element.
struct RowShare {
  int64_t batchRow = 0, row = 0;  ///< Position in the batch; row of the data set.
  double value = 0;               ///< The element, computed from this row alone.
  double contribution = 0;        ///< Its part of the element.
};
struct RowShares {
  enum class Kind : uint8_t {
    One,       ///< The element depends on one row: `rows` has it.
    Mean,      ///< It is the mean of what each row gives alone.
    Sum,       ///< It is their sum.
    Together,  ///< Rows act on each other, as in batch normalisation: contributions are not known.
  } kind = Kind::Together;
  double value = NAN;
  std::string tensor;          ///< What was computed for each row: the element's tensor, or the gradient of its variable.
  std::vector<RowShare> rows;  ///< Largest contribution first; Together: by value.
};

/// Where the numbers of a training come from. Replays steps as needed; keeps what the last few computed. Not thread-safe; calls take as long as a replay.
class WEFT_API Provenance {
 public:
  struct Options {
    int64_t keepBytes = 1 << 30;  ///< Of the values of one step.
    int most = 12;                ///< Parts of an origin.
  };
  static Result<std::unique_ptr<Provenance>> create(std::unique_ptr<StepReplay> replay, Options options);
  ~Provenance();

  StepReplay& replay();
  void setCancellation(CancellationToken token);  ///< For the calls that follow.

  /// An element as a part, with its value. NOT_FOUND names a tensor or variable that the step has no value for; OUT_OF_RANGE an index outside its shape.
  Result<OriginPart> find(const Element& element);
  Result<Origin> derive(const OriginPart& part);
  /// From an element back along the parts that contribute most, at most `length` origins, into at most `steps` earlier steps.
  Result<std::vector<Origin>> path(const Element& element, int length = 64, int64_t steps = 0);
  /// The same from a part of an origin.
  Result<std::vector<Origin>> pathFrom(OriginPart part, int length = 64, int64_t steps = 0);
  /// The element of a tensor or variable that is largest in magnitude, or no number if there is one: what to ask about if only a tensor is named.
  Result<Element> largest(const std::string& tensor, int64_t step);
  /// What the rows of its step's batch contribute. FAILED_PRECONDITION if the step has no data, or nothing in it changes the variable by a gradient.
  Result<RowShares> rows(const Element& element);
  /// A variable's element over the recorded steps, where copies were made: steps done, value.
  std::vector<std::pair<int64_t, double>> history(const Element& element);
  /// Shape of a tensor in a step, or of a variable.
  Result<Shape> shapeOf(const std::string& tensor, int64_t step);

 private:
  friend struct DifferenceSearch;
  struct Impl;
  explicit Provenance(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

/// A tensor that differs between two steps.
struct DifferingTensor {
  std::string tensor, op;
  double first = NAN, second = NAN;  ///< Where they differ most.
  std::vector<int64_t> index;
  double largest = 0;    ///< Largest absolute difference; infinite if shapes or types differ or one of them is no number.
  int64_t elements = 0;  ///< How many differ.
  std::string why;       ///< "shape", "dtype", "missing", "nan"; empty: values.
};
struct StepDifference {
  int64_t firstStep = 0, secondStep = 0;
  std::vector<DifferingTensor>
      causes;  ///< What differs although everything that it is computed from is equal: data, settings, variables, constants, ops; in the order of the step.
  std::vector<DifferingTensor> tensors;  ///< All tensors that differ, in the order of the step; at most 1,000.
  int64_t compared = 0, differing = 0;
};
/// Compares all values of a step with those of another step, of the same training or of one with nodes of the same names.
WEFT_API Result<StepDifference> differenceOfSteps(Provenance& first, int64_t firstStep, Provenance& second, int64_t secondStep);
/// The first recorded step in which two trainings differ, be it in data, settings, random numbers or what they compute; 0: none does. OUT_OF_RANGE if no step
/// is recorded of both.
WEFT_API Result<int64_t> firstDifferingStep(Provenance& first, Provenance& second);

}  // namespace weft
