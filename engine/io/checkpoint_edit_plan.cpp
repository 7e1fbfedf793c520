// Which tensors an edit of checkpoints writes, and what becomes of each. No value is read here.
#include <algorithm>
#include <charconv>
#include <regex>
#include <set>

#include "weft/checkpoint_edit.h"

namespace weft {
namespace {

constexpr size_t kLongestName = 4096;  // matching takes time proportional to the length times the size of the pattern

/// A user's pattern. Matching is polynomial: no pattern makes it run for ever.
class NamePattern {
 public:
  static Result<NamePattern> compile(const std::string& option, const std::string& pattern) {
    if (pattern.empty()) return invalidArgument(option, ": the pattern is empty");
    try {
      NamePattern out;
      out.text_ = concat(option, " '", pattern, "'");
      out.regex_ = std::regex(pattern, std::regex::ECMAScript | std::regex_constants::__polynomial);
      return out;
    } catch (const std::regex_error&) {
      return invalidArgument(option, ": '", pattern, "' is not a regular expression that can be used (groups and classes are, back-references are not)");
    }
  }
  bool matches(const std::string& name) {
    const bool found = name.size() <= kLongestName && std::regex_search(name, regex_);
    used_ = used_ || found;
    return found;
  }
  std::string replaced(const std::string& name, const std::string& format) const { return std::regex_replace(name, regex_, format); }
  /// A replacement as a format of std::regex_replace: "\1" of sed and Python becomes "$01". INVALID_ARGUMENT for groups that the pattern does not have, which
  /// std::regex_replace would leave out.
  Result<std::string> formatOf(const std::string& replacement) const {
    const auto isDigit = [&](size_t i) { return i < replacement.size() && replacement[i] >= '0' && replacement[i] <= '9'; };
    std::string out;
    for (size_t i = 0; i < replacement.size(); ++i) {
      const char c = replacement[i], next = i + 1 < replacement.size() ? replacement[i + 1] : '\0';
      if ((c == '$' || c == '\\') && isDigit(i + 1)) {
        const size_t groups = regex_.mark_count();
        std::string digits = replacement.substr(i + 1, isDigit(i + 2) ? 2 : 1);
        // As in ECMAScript: two digits that number no group are a group of one digit and a digit.
        if (digits.size() == 2 && std::stoul(digits) > groups && std::stoul(digits) / 10 > 0) digits.pop_back();
        const size_t group = std::stoul(digits);
        if (group > groups)
          return invalidArgument(text_, ": ", c, digits, " in '", replacement, "' is group ", group, ", but the pattern has ", groups,
                                 groups == 1 ? " group" : " groups");
        out += concat('$', group / 10, group % 10);
        i += digits.size();
      } else if (c == '\\') {
        if (next != '\\')
          return invalidArgument(text_, ": '", replacement.substr(i, 2), "' in '", replacement, "' is neither a group such as \\1 nor \\\\ (a backslash)");
        out += c;
        ++i;
      } else if (c == '$') {
        const bool special = std::string_view("$&`'").find(next) != std::string_view::npos;
        out += c;
        out += special ? next : '$';
        i += special;
      } else {
        out += c;
      }
    }
    return out;
  }
  const std::string& text() const { return text_; }
  Status checkUsed() const {
    if (used_) return {};
    return invalidArgument(text_, " matches no tensor");
  }

 private:
  std::string text_;
  std::regex regex_;
  bool used_ = false;
};

Result<std::vector<NamePattern>> compileAll(const char* option, const std::vector<std::string>& patterns) {
  std::vector<NamePattern> out;
  for (const std::string& pattern : patterns) {
    WEFT_LET(NamePattern one, NamePattern::compile(option, pattern));
    out.push_back(std::move(one));
  }
  return out;
}

template <typename Rules>
Result<std::vector<NamePattern>> compileRules(const char* option, const Rules& rules) {
  std::vector<std::string> patterns;
  for (const auto& rule : rules) patterns.push_back(rule.pattern);
  return compileAll(option, patterns);
}

/// The last rule that matches; -1: none. All are tried, so that each is known to be used.
int lastMatch(std::vector<NamePattern>& patterns, const std::string& name) {
  int found = -1;
  for (size_t i = 0; i < patterns.size(); ++i)
    if (patterns[i].matches(name)) found = int(i);
  return found;
}

/// A bound of a range; negative counts from the end.
Result<int64_t> boundOf(std::string_view text, int64_t size, int64_t otherwise) {
  if (text.empty()) return otherwise;
  int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return invalidArgument("'", text, "' is not a whole number");
  if (value < 0) value += size;
  if (value < 0 || value > size) return invalidArgument("'", text, "' is outside a dimension of ", size);
  return value;
}

/// The extents of "0:100,:" of a tensor.
Result<TensorSlice> extentsOf(std::string_view ranges, const Shape& shape) {
  TensorSlice out(size_t(shape.rank()));
  int axis = 0;
  for (size_t at = 0; at <= ranges.size(); ++axis) {
    const size_t comma = std::min(ranges.find(',', at), ranges.size());
    std::string_view range = ranges.substr(at, comma - at);
    at = comma + 1;
    while (range.starts_with(' ')) range.remove_prefix(1);
    while (range.ends_with(' ')) range.remove_suffix(1);
    const size_t colon = range.find(':');
    if (colon == range.npos || range.find(':', colon + 1) != range.npos) return invalidArgument("'", range, "' is not of the form START:STOP");
    if (axis >= shape.rank()) return invalidArgument("more ranges than the ", shape.rank(), " dimensions of ", shape.toString());
    const int64_t size = shape.dim(axis);
    WEFT_LET(const int64_t start, boundOf(range.substr(0, colon), size, 0));
    WEFT_LET(const int64_t stop, boundOf(range.substr(colon + 1), size, size));
    if (start >= stop) return invalidArgument("'", range, "' is empty");
    if (start > 0 || stop < size) out[size_t(axis)] = {start, stop - start};
  }
  return out;
}

/// Equal parts along an axis as TensorFlow's fixed_size_partitioner makes them: the first ones are longer by one if it does not divide.
Result<std::vector<TensorSlice>> partsOf(const Shape& shape, int parts, int axis) {
  std::vector<TensorSlice> out;
  if (parts == 1) return out;
  if (axis < 0 || axis >= shape.rank()) return invalidArgument("axis ", axis, " is none of the ", shape.rank(), " of ", shape.toString());
  if (parts < 1 || parts > shape.dim(axis)) return invalidArgument(shape.dim(axis), " cannot be divided into ", parts, " parts");
  const int64_t size = shape.dim(axis) / parts, longer = shape.dim(axis) % parts;
  int64_t start = 0;
  for (int i = 0; i < parts; ++i) {
    TensorSlice slice(size_t(shape.rank()));
    slice[size_t(axis)] = {start, size + (i < longer)};
    start += slice[size_t(axis)].length;
    out.push_back(std::move(slice));
  }
  return out;
}

/// A name with the inputs that have it.
using Sources = std::map<std::string, std::vector<int>>;

Status checkAverage(std::span<const std::unique_ptr<CheckpointReader>> inputs, const std::string& name, const std::vector<int>& having) {
  const CheckpointEntry& first = *inputs[size_t(having[0])]->find(name);
  for (size_t i = 0; i < inputs.size(); ++i) {
    const CheckpointEntry* entry = inputs[i]->find(name);
    if (!entry) return invalidArgument(name, " is not in ", inputs[i]->prefix(), ", so there is no average of it");
    if (entry->dtype != first.dtype || !(entry->shape == first.shape))
      return invalidArgument(name, " is ", dtypeName(first.dtype), first.shape.toString(), " in ", inputs[size_t(having[0])]->prefix(), " and ",
                             dtypeName(entry->dtype), entry->shape.toString(), " in ", inputs[i]->prefix(), ", so there is no average of it");
  }
  return {};
}

class Planner {
 public:
  Planner(std::span<const std::unique_ptr<CheckpointReader>> inputs, const CheckpointEdit& edit) : inputs_(inputs), edit_(edit) {}

  Result<CheckpointEditPlan> plan() {
    if (inputs_.empty()) return invalidArgument("an edit needs a checkpoint");
    if (edit_.version != 1 && edit_.version != 2) return invalidArgument("the version of a checkpoint is 1 or 2, not ", edit_.version);
    if (edit_.average && edit_.prefer != CheckpointEdit::Prefer::Neither) return invalidArgument("an average takes all checkpoints: none can be preferred");
    WEFT_TRY(compile());
    WEFT_TRY(select());
    for (const auto& [name, having] : chosen_) WEFT_TRY(addTensor(name, having));
    for (const auto* group : {&keep_, &drop_, &renames_, &slices_, &casts_, &partitions_})
      for (const NamePattern& pattern : *group) WEFT_TRY(pattern.checkUsed());
    for (const std::string& name : edit_.omit)
      if (!all_.count(name)) return invalidArgument("the checkpoint does not have ", name, ", which is to be left out");
    for (const auto& [from, to] : edit_.table)
      if (!chosen_.count(from))
        return invalidArgument("the table renames ", from, ", which ", all_.count(from) ? "is dropped" : "the checkpoint does not have");
    WEFT_TRY(checkNames());
    checkObjectGraph();
    size_t pieces = 0;
    for (const EditedTensor& t : out_.tensors) pieces += std::max<size_t>(1, t.pieces.size());
    if (edit_.shards < 1 || (edit_.shards > 1 && size_t(edit_.shards) > pieces))
      return invalidArgument(edit_.shards, " data files are asked for, but the checkpoint has ", pieces, pieces == 1 ? " tensor" : " tensors and parts");
    return std::move(out_);
  }

 private:
  Status compile() {
    WEFT_LET(keep_, compileAll("keep", edit_.keep));
    WEFT_LET(drop_, compileAll("drop", edit_.drop));
    WEFT_LET(renames_, compileRules("rename", edit_.renames));
    for (size_t i = 0; i < renames_.size(); ++i) {
      WEFT_LET(std::string format, renames_[i].formatOf(edit_.renames[i].replacement));
      formats_.push_back(std::move(format));
    }
    WEFT_LET(slices_, compileRules("slice", edit_.slices));
    WEFT_LET(partitions_, compileRules("partition", edit_.partitions));
    for (const CheckpointEdit::Cast& cast : edit_.casts) {
      if (!isFloating(cast.dtype)) return invalidArgument("cast: ", dtypeName(cast.dtype), " is not float16, bfloat16, float32 or float64");
      WEFT_LET(NamePattern one, NamePattern::compile("cast", cast.pattern.empty() ? "^" : cast.pattern));
      casts_.push_back(std::move(one));
    }
    return {};
  }

  /// Decides which names are written and which inputs each comes from.
  Status select() {
    using Prefer = CheckpointEdit::Prefer;
    for (size_t i = 0; i < inputs_.size(); ++i)
      for (const CheckpointEntry& entry : inputs_[i]->tensors()) all_[entry.name].push_back(int(i));
    const bool hasPatterns =
        !edit_.keep.empty() || !edit_.drop.empty() || !edit_.renames.empty() || !edit_.slices.empty() || !edit_.partitions.empty() || !edit_.casts.empty();
    for (auto& [name, having] : all_) {
      if (hasPatterns && name.size() > kLongestName)
        return invalidArgument("a name of ", name.size(), " characters cannot be compared with patterns (limit ", kLongestName, "): ", name.substr(0, 60), "…");
      const bool kept = edit_.keep.empty() || lastMatch(keep_, name) >= 0;
      if (const bool dropped = lastMatch(drop_, name) >= 0; dropped || !kept || edit_.omit.count(name)) {
        out_.dropped.push_back(name);
        continue;
      }
      std::vector<int> from = having;
      if (edit_.average) {
        WEFT_TRY(checkAverage(inputs_, name, having));
      } else if (having.size() > 1) {
        if (edit_.prefer == Prefer::Neither)
          return invalidArgument(name, " is in ", inputs_[size_t(having[0])]->prefix(), " and in ", inputs_[size_t(having[1])]->prefix(),
                                 ": say which is preferred, or drop it");
        from = {edit_.prefer == Prefer::First ? having.front() : having.back()};
      }
      chosen_.emplace(name, std::move(from));
    }
    return {};
  }

  Result<std::string> newName(const std::string& name) {
    if (const auto at = edit_.table.find(name); at != edit_.table.end()) return at->second;
    std::string out = name;
    for (size_t i = 0; i < renames_.size(); ++i) {
      if (!renames_[i].matches(out)) continue;
      out = renames_[i].replaced(out, formats_[i]);
      if (out.size() > kLongestName)
        return invalidArgument(renames_[i].text(), ": ", name.substr(0, 60), name.size() > 60 ? "…" : "", " would get a name of ", out.size(),
                               " characters (limit ", kLongestName, ")");
    }
    return out;
  }

  Status addTensor(const std::string& name, const std::vector<int>& having) {
    EditedTensor t;
    t.source = name;
    t.inputs = having;
    const CheckpointEntry& entry = *inputs_[size_t(having.back())]->find(name);
    t.dtypeFrom = t.dtype = entry.dtype;
    t.shapeFrom = t.shape = entry.shape;
    t.partsFrom = int(entry.slices.size());
    // Integers, strings and flags have no mean that they could hold: they are those of the last checkpoint.
    if (edit_.average && !isFloating(t.dtype) && !isComplex(t.dtype)) {
      t.inputs = {having.back()};
      if (inputs_.size() > 1) fromLast_.push_back(name);
    }
    WEFT_LET(t.name, newName(name));
    if (t.name.empty()) return invalidArgument("rename: ", name, " would get an empty name");
    const int slice = lastMatch(slices_, name), partition = lastMatch(partitions_, name);
    if (slice >= 0) {
      auto extents = extentsOf(edit_.slices[size_t(slice)].ranges, t.shapeFrom);
      if (!extents.ok()) return invalidArgument("slice of ", name, " ", t.shapeFrom.toString(), ": ", extents.error().message);
      WEFT_LET(t.shape, shapeOfSlice(t.shapeFrom, *extents));
      if (!(t.shape == t.shapeFrom)) t.taken = std::move(*extents);
    }
    if (partition >= 0) {
      auto pieces = partsOf(t.shape, edit_.partitions[size_t(partition)].parts, edit_.partitions[size_t(partition)].axis);
      if (!pieces.ok()) return invalidArgument("partition of ", name, " ", t.shape.toString(), ": ", pieces.error().message);
      t.pieces = std::move(*pieces);
    } else if (t.taken.empty()) {
      t.pieces = entry.slices;  // so that a partitioned variable finds its parts again
    }
    for (size_t i = 0; i < casts_.size(); ++i) {
      const CheckpointEdit::Cast& cast = edit_.casts[i];
      if (!casts_[i].matches(name) || t.dtype == cast.dtype) continue;
      if (isFloating(t.dtype)) t.dtype = cast.dtype;
      else if (!cast.pattern.empty()) return invalidArgument("cast: ", name, " is ", dtypeName(t.dtype), ", which is not converted");
    }
    if (edit_.version == 1 && (t.dtype == DType::BFloat16 || t.dtype == DType::UInt32 || t.dtype == DType::UInt64))
      return unimplemented("a checkpoint of version 1 cannot hold ", dtypeName(t.dtype), " (", t.name, ")");
    out_.tensors.push_back(std::move(t));
    return {};
  }

  Status checkNames() {
    std::sort(out_.tensors.begin(), out_.tensors.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
    for (size_t i = 1; i < out_.tensors.size(); ++i)
      if (out_.tensors[i].name == out_.tensors[i - 1].name)
        return invalidArgument("both ", out_.tensors[i - 1].source, " and ", out_.tensors[i].source, " would be named ", out_.tensors[i].name);
    if (!fromLast_.empty())
      out_.warnings.push_back(concat(fromLast_.size() == 1 ? fromLast_[0] : concat(fromLast_[0], " and ", fromLast_.size() - 1, " more"),
                                     fromLast_.size() == 1 ? " is" : " are", " not averaged but taken from the last checkpoint (not floating point)"));
    return {};
  }

  /// TensorFlow 2 finds variables by the description stored beside them, which an edit leaves alone.
  void checkObjectGraph() {
    bool described = false, renamed = !out_.dropped.empty();
    for (const EditedTensor& t : out_.tensors) {
      described = described || t.source == "_CHECKPOINTABLE_OBJECT_GRAPH";
      renamed = renamed || t.name != t.source;
    }
    if (described && renamed)
      out_.warnings.push_back(
          "_CHECKPOINTABLE_OBJECT_GRAPH still has the former names: tf.train.Checkpoint of TensorFlow 2 will not find what was renamed or dropped");
  }

  std::span<const std::unique_ptr<CheckpointReader>> inputs_;
  const CheckpointEdit& edit_;
  std::vector<NamePattern> keep_, drop_, renames_, slices_, casts_, partitions_;
  std::vector<std::string> formats_;  // replacements of renames_
  Sources all_, chosen_;
  std::vector<std::string> fromLast_;
  CheckpointEditPlan out_;
};

}  // namespace

Result<std::map<std::string, std::string>> parseRenameTable(std::string_view text) {
  std::map<std::string, std::string> out;
  int number = 0;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    std::string_view line = text.substr(at, end - at);
    at = end + 1;
    ++number;
    while (!line.empty() && (line.back() == '\r' || line.back() == ' ' || line.back() == '\t')) line.remove_suffix(1);
    while (!line.empty() && (line.front() == ' ' || line.front() == '\t')) line.remove_prefix(1);
    if (line.empty() || line.front() == '#') continue;
    const char gap = line.find('\t') != line.npos ? '\t' : ' ';
    const size_t cut = line.find(gap), next = line.find_first_not_of(gap, cut);
    if (cut == line.npos || next == line.npos || line.find(gap, next) != line.npos)
      return invalidArgument("line ", number, ": expected an old and a new name, separated by a tab or spaces");
    const auto [entry, fresh] = out.emplace(line.substr(0, cut), line.substr(next));
    if (!fresh) return invalidArgument("line ", number, ": ", entry->first, " is renamed twice");
  }
  return out;
}

std::string printRenameTable(const std::map<std::string, std::string>& table) {
  std::string out;
  for (const auto& [from, to] : table) out += from + "\t" + to + "\n";
  return out;
}

Result<CheckpointEditPlan> planCheckpointEdit(std::span<const std::unique_ptr<CheckpointReader>> inputs, const CheckpointEdit& edit) {
  return Planner(inputs, edit).plan();
}

}  // namespace weft
