// Writes what an edit of checkpoints plans: part by part, so that memory doesn't grow with the checkpoint.
#include <algorithm>
#include <cmath>
#include <complex>
#include <deque>
#include <set>

#include "base/temporary_file.h"
#include "io/bundle_format.h"
#include "io/checkpoint_reader.h"
#include "io/slices.h"
#include "weft/checkpoint_edit.h"

namespace weft {
namespace {

/// Calls `use(i, value)` for each number of a tensor of a floating-point type.
template <typename F>
void eachReal(const Tensor& t, F&& use) {
  const int64_t count = t.elements();
  switch (t.dtype()) {
    case DType::Float:
      for (int64_t i = 0; i < count; ++i) use(i, double(t.data<float>()[i]));
      return;
    case DType::Double:
      for (int64_t i = 0; i < count; ++i) use(i, t.data<double>()[i]);
      return;
    default:
      for (int64_t i = 0; i < count; ++i) use(i, t.asDouble(i));
  }
}

/// Stores `from`, of type double, as a floating-point type. Returns how many finite numbers became infinite.
template <typename T, typename Convert>
int64_t storeAs(const Tensor& from, Tensor& to, Convert&& convert) {
  int64_t lost = 0;
  T* out = to.mutableData<T>();
  eachReal(from, [&](int64_t i, double v) {
    out[i] = convert(v);
    double stored;
    if constexpr (std::is_floating_point_v<T>) stored = double(out[i]);
    else stored = toFloat(out[i]);
    lost += std::isfinite(v) && !std::isfinite(stored);
  });
  return lost;
}

Result<Tensor> convertFloats(const Tensor& from, DType dtype, int64_t* lost) {
  WEFT_LET(Tensor out, Tensor::allocate(dtype, from.shape()));
  switch (dtype) {
    case DType::Float: *lost += storeAs<float>(from, out, [](double v) { return float(v); }); break;
    case DType::Double: *lost += storeAs<double>(from, out, [](double v) { return v; }); break;
    case DType::Half: *lost += storeAs<HalfBits>(from, out, [](double v) { return halfFromFloat(float(v)); }); break;
    case DType::BFloat16: *lost += storeAs<BFloat16Bits>(from, out, [](double v) { return bfloat16FromFloat(float(v)); }); break;
    default: return internalError("no conversion to ", dtypeName(dtype));
  }
  return out;
}

/// The mean of tensors that `read` yields one after another, computed in double precision.
template <typename Read>
Result<Tensor> meanOf(size_t count, Read&& read, int64_t* lost) {
  WEFT_LET(Tensor first, read(0));
  const DType dtype = first.dtype();
  WEFT_LET(Tensor sum, Tensor::allocate(isComplex(dtype) ? DType::Complex128 : DType::Double, first.shape()));
  const auto addComplex = [&](const Tensor& t, bool begin) {
    auto* out = sum.mutableData<std::complex<double>>();
    for (int64_t i = 0; i < t.elements(); ++i) {
      const std::complex<double> v = dtype == DType::Complex64 ? std::complex<double>(t.data<std::complex<float>>()[i]) : t.data<std::complex<double>>()[i];
      out[i] = begin ? v : out[i] + v;
    }
  };
  const auto add = [&](const Tensor& t, bool begin) {
    if (isComplex(dtype)) return addComplex(t, begin);
    double* out = sum.mutableData<double>();
    eachReal(t, [&](int64_t i, double v) { out[i] = begin ? v : out[i] + v; });
  };
  add(first, true);
  const Shape shape = first.shape();
  first = Tensor();
  for (size_t i = 1; i < count; ++i) {
    WEFT_LET(const Tensor next, read(i));
    add(next, false);
  }
  if (dtype == DType::Complex64) {
    WEFT_LET(Tensor out, Tensor::allocate(dtype, shape));
    for (int64_t i = 0; i < sum.elements(); ++i)
      out.mutableData<std::complex<float>>()[i] = std::complex<float>(sum.data<std::complex<double>>()[i] / double(count));
    return out;
  }
  if (isComplex(dtype)) {
    for (int64_t i = 0; i < sum.elements(); ++i) sum.mutableData<std::complex<double>>()[i] /= double(count);
    return sum;
  }
  for (int64_t i = 0; i < sum.elements(); ++i) sum.mutableData<double>()[i] /= double(count);
  return dtype == DType::Double ? Result<Tensor>(sum) : convertFloats(sum, dtype, lost);
}

/// The extents in the source of a part of what was taken from it.
TensorSlice inSource(const TensorSlice& taken, const TensorSlice& piece) {
  if (taken.empty() || piece.empty()) return taken.empty() ? piece : taken;
  TensorSlice out = taken;
  for (size_t d = 0; d < out.size(); ++d) {
    if (piece[d].isFull()) continue;
    out[d] = {(taken[d].isFull() ? 0 : taken[d].start) + piece[d].start, piece[d].length};
  }
  return out;
}

/// A part of a tensor to be written.
struct Piece {
  const EditedTensor* tensor;
  TensorSlice slice;  ///< Empty: all of it.
  double size;        ///< Elements times width, for balance and progress.
  int shard = 0;
};

class EditWriter {
 public:
  EditWriter(std::span<const std::unique_ptr<CheckpointReader>> inputs, const CheckpointEdit& edit, const CheckpointEditPlan& plan, const std::string& prefix,
             const Progress& progress, FileSystem& files)
      : inputs_(inputs), edit_(edit), prefix_(prefix), progress_(progress), files_(files) {
    for (const EditedTensor& t : plan.tensors) {
      const auto add = [&](const TensorSlice& slice, const Shape& shape) {
        pieces_.push_back({&t, slice, double(std::max<int64_t>(1, shape.elements())) * double(std::max<size_t>(1, sizeOf(t.dtypeFrom)))});
        total_ += pieces_.back().size;
      };
      if (t.pieces.empty()) add({}, t.shape);
      for (const TensorSlice& slice : t.pieces)
        if (const auto shape = shapeOfSlice(t.shape, slice); shape.ok()) add(slice, *shape);
    }
    balance();
  }

  Result<std::vector<std::string>> write() {
    const std::set<std::string> before = filesThere();
    WEFT_TRY(checkPlaces(before));
    WEFT_TRY(edit_.version == 1 ? writeV1() : writeV2());
    // What an earlier checkpoint of the same name leaves: other numbers of data files, the other version.
    const std::set<std::string> written = filesToWrite();
    for (const std::string& path : before)
      if (!written.count(path) && files_.exists(path)) WEFT_TRY(files_.remove(path));
    return std::move(warnings_);
  }

 private:
  /// Assigns parts to data files, the largest first, each to the file that has least.
  void balance() {
    if (edit_.shards <= 1) return;
    std::vector<size_t> order(pieces_.size());
    for (size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return pieces_[a].size > pieces_[b].size; });
    std::set<std::pair<double, int>> load;
    for (int s = 0; s < edit_.shards; ++s) load.emplace(0.0, s);
    for (const size_t i : order) {
      const auto [held, shard] = *load.begin();
      load.erase(load.begin());
      pieces_[i].shard = shard;
      load.emplace(held + pieces_[i].size, shard);
    }
  }

  /// The files of older checkpoints of this name. A file that has such a name but does not open as a checkpoint is someone else's and is not listed.
  std::set<std::string> filesThere() const {
    std::set<std::string> out;
    if (const std::string index = bundleIndexFile(prefix_); files_.exists(index)) {
      if (const auto reader = CheckpointReader::open(prefix_, &files_); reader.ok()) {
        out.insert(index);
        for (const std::string& path : (*reader)->dataFiles()) out.insert(path);
      }
    }
    if (isV1(prefix_)) out.insert(prefix_);
    if (!isPattern() && openCheckpointV1(files_, prefix_).ok())
      for (const std::string& path : filesOfV1(files_, prefix_)) out.insert(path);
    return out;
  }

  /// Whether files of version 1 that are opened by the name of the checkpoint could be those of others.
  bool isPattern() const { return fileNameOf(prefix_).find_first_of("*?[\\") != std::string::npos; }

  /// Whether there is a file of exactly this name that is (part of) a checkpoint of version 1.
  bool isV1(const std::string& path) const {
    const auto info = files_.stat(path);
    return info.ok() && !info->isFolder && openCheckpointV1(files_, path).ok();
  }

  std::set<std::string> filesToWrite() const {
    std::set<std::string> out;
    if (edit_.version == 2) out.insert(bundleIndexFile(prefix_));
    for (int i = 0; i < edit_.shards; ++i) out.insert(edit_.version == 2 ? bundleDataFile(prefix_, i, edit_.shards) : v1File(i));
    return out;
  }

  /// Refuses to replace files that belong to no checkpoint, and to write a checkpoint that they would hide: an index is opened before files of version 1, and a
  /// file named as the prefix before a numbered one.
  Status checkPlaces(const std::set<std::string>& before) const {
    if (edit_.version == 1 && edit_.shards > 1 && isPattern())
      return invalidArgument(prefix_, ": the name of several files of version 1 is a pattern, so it cannot contain any of * ? [ \\");
    const std::string index = bundleIndexFile(prefix_);
    std::set<std::string> taken{index};
    if (edit_.version == 1) {
      taken.merge(filesToWrite());
      taken.insert(prefix_);
    }
    for (const std::string& path : taken) {
      const auto info = files_.stat(path);
      if (!info.ok() || info->isFolder || before.count(path) || (path != index && isV1(path))) continue;
      return alreadyExists(path, " exists, and it does not open as a checkpoint: it would be replaced, or the new checkpoint hidden by it");
    }
    return {};
  }

  Status advance(double size) {
    done_ += size;
    if (progress_ && !progress_(std::min(1.0, done_ / std::max(total_, 1.0)))) return cancelledError("the checkpoint was not written: cancelled");
    return {};
  }

  Result<Tensor> valueOf(const Piece& piece) {
    WEFT_TRY(advance(0));
    const EditedTensor& t = *piece.tensor;
    const TensorSlice from = inSource(t.taken, piece.slice);
    const auto read = [&](size_t i) -> Result<Tensor> {
      if (i > 0) WEFT_TRY(advance(0));
      const CheckpointReader& input = *inputs_[size_t(t.inputs[i])];
      auto value = from.empty() ? input.read(t.source) : isCut(t) ? cutOf(t, input, from) : input.readSlice(t.source, from);
      if (!value.ok() && value.error().file.empty()) value.error().inFile(input.prefix());
      return value;
    };
    int64_t lost = 0;
    Tensor value;
    if (t.inputs.size() > 1) {
      WEFT_LET(value, meanOf(t.inputs.size(), read, &lost));
    } else {
      WEFT_LET(value, read(0));
    }
    if (value.dtype() != t.dtype) {
      WEFT_LET(value, convertFloats(value, t.dtype, &lost));
    }
    if (lost) lost_[t.name] += lost;
    WEFT_TRY(advance(piece.size));
    return value;
  }

  /// Whether a tensor is stored whole and saved in parts. Reading a part reads all of it, because its checksum covers all of it.
  bool isCut(const EditedTensor& t) const {
    return t.pieces.size() > 1 && t.inputs.size() == 1 && inputs_[size_t(t.inputs[0])]->find(t.source)->slices.empty();
  }

  /// A part of a tensor that isCut(). The tensor stays in memory until the next one is cut, so that it is read once for all parts that follow each other.
  Result<Tensor> cutOf(const EditedTensor& t, const CheckpointReader& input, const TensorSlice& from) {
    if (held_ != &t) {
      held_ = nullptr;
      whole_ = Tensor();
      WEFT_LET(whole_, input.read(t.source));
      held_ = &t;
    }
    WEFT_LET(const Shape shape, shapeOfSlice(t.shapeFrom, from));
    WEFT_LET(Tensor out, Tensor::allocate(t.dtypeFrom, shape));
    copyCommon(t.shapeFrom, whole_, {}, out, from);
    return out;
  }

  void tellLost() {
    for (const auto& [name, count] : lost_)
      warnings_.push_back(concat(name, ": ", count, count == 1 ? " number is" : " numbers are", " too large for the new type and became infinite"));
  }

  Status writeV2() {
    std::vector<std::string> names;
    if (edit_.shards <= 1) {
      names.push_back(prefix_);
    } else {
      const std::string mark = temporarySuffix();
      for (int s = 0; s < edit_.shards; ++s) names.push_back(concat(prefix_, mark, "-", s));
    }
    /// Finished data files that have not been joined yet are removed, whatever ends this function.
    struct Leftovers {
      FileSystem& files;
      std::vector<std::string> prefixes;
      ~Leftovers() {
        for (const std::string& p : prefixes)
          for (const std::string& path : {bundleIndexFile(p), bundleDataFile(p, 0, 1)})
            if (files.exists(path)) (void)files.remove(path);
      }
    } leftovers{files_, {}};
    std::vector<std::unique_ptr<CheckpointWriter>> writers;
    for (const std::string& name : names) {
      WEFT_LET(auto writer, CheckpointWriter::create(name, &files_));
      writers.push_back(std::move(writer));
    }
    for (const Piece& piece : pieces_) {
      WEFT_LET(const Tensor value, valueOf(piece));
      CheckpointWriter& writer = *writers[size_t(piece.shard)];
      WEFT_TRY(piece.slice.empty() ? writer.add(piece.tensor->name, value) : writer.addSlice(piece.tensor->name, piece.tensor->shape, piece.slice, value));
    }
    tellLost();
    WEFT_TRY(advance(0));
    for (size_t s = 0; s < writers.size(); ++s) {
      if (edit_.shards > 1) leftovers.prefixes.push_back(names[s]);
      WEFT_TRY(writers[s]->finish());
    }
    if (edit_.shards <= 1) return {};
    return mergeCheckpoints(names, prefix_, &files_);
  }

  std::string v1File(int shard) const { return edit_.shards > 1 ? shardedFile(prefix_, shard, edit_.shards) : prefix_; }

  Status writeV1() {
    std::deque<TemporaryFile> temporary;  // all are complete before the first replaces an older file
    for (int s = 0; s < edit_.shards; ++s) {
      std::vector<V1Part> parts;
      std::vector<const Piece*> own;
      for (const Piece& piece : pieces_) {
        if (piece.shard != s) continue;
        parts.push_back({piece.tensor->name, piece.tensor->dtype, piece.tensor->shape, piece.slice});
        own.push_back(&piece);
      }
      const std::string path = v1File(s) + temporarySuffix();
      WEFT_TRY(writeV1Parts(
          path, parts, [&](size_t i) { return valueOf(*own[i]); }, files_));
      temporary.emplace_back(files_, path).adopt();
    }
    tellLost();
    WEFT_TRY(advance(0));
    for (int s = 0; s < edit_.shards; ++s) WEFT_TRY(temporary[size_t(s)].place(v1File(s)));
    return {};
  }

  std::span<const std::unique_ptr<CheckpointReader>> inputs_;
  const CheckpointEdit& edit_;
  const std::string prefix_;
  const Progress& progress_;
  FileSystem& files_;
  std::vector<Piece> pieces_;
  std::map<std::string, int64_t> lost_;
  std::vector<std::string> warnings_;
  double done_ = 0, total_ = 0;
  const EditedTensor* held_ = nullptr;  // whose values whole_ has
  Tensor whole_;
};

}  // namespace

Result<std::vector<std::string>> writeCheckpointEdit(std::span<const std::unique_ptr<CheckpointReader>> inputs, const CheckpointEdit& edit,
                                                     const CheckpointEditPlan& plan, const std::string& prefix, const Progress& progress, FileSystem* files) {
  return EditWriter(inputs, edit, plan, prefix, progress, files ? *files : posixFileSystem()).write();
}

}  // namespace weft
