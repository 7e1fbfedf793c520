#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "weft/checkpoint.h"
#include "weft/statistics.h"

namespace weft {

/// Changes to make to checkpoints. Patterns are ECMAScript regular expressions without back-references. They are searched for in the names that the inputs
/// have, so "^" and "$" anchor them. A pattern that matches nothing is an error, so that a typing error is noticed.
struct CheckpointEdit {
  struct Rename {
    std::string pattern, replacement;  ///< Every match is replaced. Rules apply in order, each to the result of the previous. In the replacement, $1 or \1 is
        ///< the first group ($01 before another digit), \\ a backslash, $$ a dollar sign, $& the match. Other groups are refused.
  };
  struct Slice {
    std::string pattern;
    std::string ranges;  ///< Of the leading dimensions, as in Python: "0:100,:,-8:". Steps and single indices are refused.
  };
  struct Cast {
    std::string pattern;  ///< Empty: every tensor of a floating-point type.
    DType dtype = DType::Invalid;
  };
  struct Partition {
    std::string pattern;
    int parts = 1;  ///< 1 joins a partitioned variable.
    int axis = 0;
  };
  enum class Prefer { Neither, First, Last };

  std::vector<std::string> keep, drop;       ///< Names must match one of `keep` (if there are any) and none of `drop`.
  std::set<std::string> omit;                ///< Exact names that are not written either.
  std::map<std::string, std::string> table;  ///< Old name to new name. Names listed here are exempt from `renames`.
  std::vector<Rename> renames;
  std::vector<Slice> slices;  ///< Of several rules for one tensor, the last applies; so for the next two.
  std::vector<Cast> casts;
  std::vector<Partition> partitions;
  bool average = false;             ///< Several inputs: the mean of each number. Otherwise they are merged.
  Prefer prefer = Prefer::Neither;  ///< When merging: whose tensor is taken if several inputs have the name. Neither: that is an error.
  int shards = 1;                   ///< Number of data files.
  int version = 2;                  ///< 1 or 2
};

/// Parses a table of renames: one "OLD NEW" a line, separated by a tab (then names may contain spaces) or by spaces; "#" begins a comment line. INVALID_ARGUMENT
/// names the line.
WEFT_API Result<std::map<std::string, std::string>> parseRenameTable(std::string_view text);
WEFT_API std::string printRenameTable(const std::map<std::string, std::string>& table);

/// A tensor of the checkpoint that an edit writes.
struct EditedTensor {
  std::string name;         ///< New name.
  std::string source;       ///< Name in the inputs.
  std::vector<int> inputs;  ///< Which inputs it comes from: one, or all of them for an average.
  DType dtypeFrom = DType::Invalid, dtype = DType::Invalid;
  Shape shapeFrom, shape;
  TensorSlice taken;                ///< The part of the source that is kept; empty: all of it.
  int partsFrom = 0;                ///< Parts that it was saved in; 0: whole.
  std::vector<TensorSlice> pieces;  ///< Parts to save it in; empty: whole.
  bool isChanged() const { return name != source || dtype != dtypeFrom || !(shape == shapeFrom) || partsFrom != int(pieces.size()) || inputs.size() > 1; }
};

/// What an edit would do. Computed from names, dtypes and shapes alone.
struct CheckpointEditPlan {
  std::vector<EditedTensor> tensors;  ///< By new name.
  std::vector<std::string> dropped;   ///< Names in the inputs, sorted.
  std::vector<std::string> warnings;
};
/// INVALID_ARGUMENT names the tensor, pattern or option that does not fit.
WEFT_API Result<CheckpointEditPlan> planCheckpointEdit(std::span<const std::unique_ptr<CheckpointReader>> inputs, const CheckpointEdit& edit);

/// Writes the checkpoint `prefix`, which may be one of the inputs. Values pass through memory one stored tensor or part at a time, with the part that is cut
/// from it (with an average: two). Until everything has been written, an existing checkpoint of that name stays as it was; its files that the new one doesn't
/// have are then removed. Files that do not open as a checkpoint are never removed: ALREADY_EXISTS if one is in the way. CANCELLED if `progress` returns false.
/// Returns warnings about values, such as numbers too large for float16.
WEFT_API Result<std::vector<std::string>> writeCheckpointEdit(std::span<const std::unique_ptr<CheckpointReader>> inputs, const CheckpointEdit& edit,
                                                              const CheckpointEditPlan& plan, const std::string& prefix, const Progress& progress = {},
                                                              FileSystem* files = nullptr);

}  // namespace weft
