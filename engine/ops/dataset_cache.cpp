#include <cstdio>

#include "kernel/step_state.h"
#include "ops/dataset_shuffle.h"
#include "ops/state_ops.h"
#include "weft/checkpoint.h"
#include "weft/mutex.h"

// Data sets that keep the elements of their first complete pass, in memory or in a file, and the resources shared by several passes.
namespace weft {
namespace {

struct Kept final : SessionResource {
  std::string kind() const override { return "cache"; }
  Mutex mutex;
  std::shared_ptr<const std::vector<Element>> elements WEFT_GUARDED_BY(mutex);  // null: no pass was completed
};

class MemoryCacheDataset final : public UnaryDataset<MemoryCacheDataset> {
 public:
  /// `kept`: where elements are stored; null: each iterator has its own store.
  explicit MemoryCacheDataset(DatasetPtr input, std::shared_ptr<Kept> kept = nullptr) : UnaryDataset(input->spec(), input, "Cache"), kept_(std::move(kept)) {}
  int64_t cardinality() const override { return input_->cardinality(); }
  Result<std::unique_ptr<DatasetIterator>> makeIterator(const IteratorContext& start) const override {
    auto w = std::make_unique<Iterator>();
    w->kept = kept_ ? kept_ : start.shared->findOrCreate<Kept>(start.path + "::MemoryCache", [] { return std::make_shared<Kept>(); });
    {
      const MutexLock lock(w->kept->mutex);
      w->ready = w->kept->elements;
    }
    if (!w->ready) {
      WEFT_LET(w->input, input_->makeIterator(start.below("MemoryCache").below("MemoryCacheImpl")));
    }
    return std::unique_ptr<DatasetIterator>(std::move(w));
  }

 private:
  struct Iterator final : DatasetIterator {
    Result<bool> next(const CallSite& site, Element& out) override {
      if (ready) {
        if (index >= ready->size()) return false;
        out = (*ready)[index++];
        return true;
      }
      if (!input) return false;
      WEFT_LET(const bool more, input->next(site, out));
      if (more) {
        fresh.push_back(out);
        return true;
      }
      input.reset();
      const MutexLock lock(kept->mutex);
      if (!kept->elements) kept->elements = std::make_shared<const std::vector<Element>>(std::move(fresh));
      ready = kept->elements;
      index = ready->size();
      return false;
    }
    Status exchange(IteratorState& s) override {
      bool reads = ready != nullptr;
      WEFT_TRY(s.value("reads", reads));
      std::vector<Element> elements = ready ? *ready : fresh;
      WEFT_TRY(s.elements("cache", elements));
      WEFT_TRY(s.value("index", index));
      if (!reads) {
        if (ready) {  // completed by another iterator since
          index = elements.size();
          return {};
        }
        fresh = std::move(elements);
        return s.inner("input", input);
      }
      if (!s.restores()) return {};
      input.reset();
      const MutexLock lock(kept->mutex);
      if (!kept->elements) kept->elements = std::make_shared<const std::vector<Element>>(std::move(elements));
      ready = kept->elements;
      return {};
    }
    std::shared_ptr<Kept> kept;
    std::shared_ptr<const std::vector<Element>> ready;
    std::unique_ptr<DatasetIterator> input;
    std::vector<Element> fresh;
    size_t index = 0;
  };
  std::shared_ptr<Kept> kept_;
};

/// The file is a checkpoint whose tensors are named by element and component, as in TensorFlow. It is written in parts, PREFIX_0, PREFIX_1, …: a part ends where the
/// iterator's position is saved, and all are merged after the last element.
class FileCacheDataset final : public UnaryDataset<FileCacheDataset> {
 public:
  FileCacheDataset(DatasetPtr input, std::string prefix) : UnaryDataset(input->spec(), input, "Cache"), prefix_(std::move(prefix)) {}
  int64_t cardinality() const override { return input_->cardinality(); }
  Result<std::unique_ptr<DatasetIterator>> makeIterator(const IteratorContext& start) const override {
    auto w = std::make_unique<Iterator>(prefix_, spec().types.size());
    if (posixFileSystem().exists(prefix_ + ".index")) {
      WEFT_LET(w->reader, CheckpointReader::open(prefix_));
    } else {
      WEFT_LET(w->input, input_->makeIterator(start.below("FileCache").below("FileCacheImpl")));
    }
    return std::unique_ptr<DatasetIterator>(std::move(w));
  }

 private:
  static constexpr int64_t kMaxElements = 10000000;

  struct Iterator final : DatasetIterator {
    Iterator(std::string p, size_t n) : prefix(std::move(p)), components(n) {}
    ~Iterator() override { unlock(); }

    Result<bool> next(const CallSite& site, Element& out) override {
      if (reader) return read(out);
      if (!input) return false;
      if (!writer) WEFT_TRY(beginPart());
      WEFT_LET(const bool more, input->next(site, out));
      if (!more) {
        input.reset();
        WEFT_TRY(endPart());
        std::vector<std::string> parts;
        for (int64_t i = 0; i < part; ++i) parts.push_back(nameOf(i));
        WEFT_TRY(mergeCheckpoints(parts, prefix));
        return false;
      }
      if (index >= kMaxElements)
        return invalidArgument("Upstream iterator is producing more than ", kMaxElements, " items, which is more than the cache limit.");
      if (out.size() != components) return internalError("Upstream iterator returned invalid number of tensors. Expected ", components, " got: ", out.size());
      for (size_t k = 0; k < components; ++k) WEFT_TRY(writer->add(key(index, k), out[k]));
      ++index;
      return true;
    }

    Status exchange(IteratorState& s) override {
      if (!s.restores() && writer) WEFT_TRY(endPart());
      bool reads = reader != nullptr;
      WEFT_TRY(s.value("reads", reads));
      WEFT_TRY(s.value("index", index));
      WEFT_TRY(s.value("part", part));
      if (reader) return {};  // also if the file was completed after the position was saved
      if (reads) return notFound("The cache file ", prefix, ".index of the saved iterator does not exist");
      return s.inner("input", input);
    }

    Result<bool> read(Element& out) {
      if (!reader->find(key(index, 0))) return false;
      out.clear();
      for (size_t k = 0; k < components; ++k) {
        WEFT_LET(Tensor t, reader->read(key(index, k)));
        out.push_back(std::move(t));
      }
      ++index;
      return true;
    }
    std::string key(int64_t element, size_t component) const {
      char text[64];
      std::snprintf(text, sizeof text, "%7lld_%*zu", static_cast<long long>(element), int(std::to_string(components - 1).size()), component);
      return text;
    }

    std::string nameOf(int64_t i) const { return concat(prefix, "_", i); }
    Status beginPart() {
      FileSystem& files = posixFileSystem();
      const std::string name = nameOf(part), lock = name + ".lockfile";
      if (files.exists(name + ".index")) {
        return alreadyExists("Existing cache files found: \n", name, ".index\n", name, ".data-00000-of-00001\nTo continue delete the above files.");
      }
      if (files.exists(lock)) {
        return alreadyExists("There appears to be a concurrent caching iterator running - cache lockfile already exists ('", lock,
                             "'). If you are sure no other running TF computations are using this cache prefix, delete the lockfile and re-initialize "
                             "the iterator.");
      }
      WEFT_TRY(files.makeFolders(folderOf(prefix)));
      WEFT_TRY(files.writeAtomically(lock, ""));
      locked = lock;
      WEFT_LET(writer, CheckpointWriter::create(name));
      return {};
    }
    Status endPart() {
      WEFT_TRY(writer->finish());
      writer.reset();
      unlock();
      ++part;
      return {};
    }
    void unlock() {
      if (!locked.empty()) (void)posixFileSystem().remove(locked);
      locked.clear();
    }

    const std::string prefix;
    const size_t components;
    std::unique_ptr<CheckpointReader> reader;  // null while the file is written
    std::unique_ptr<DatasetIterator> input;
    std::unique_ptr<CheckpointWriter> writer;
    std::string locked;
    int64_t index = 0, part = 0;
  };
  std::string prefix_;
};

/// A resource without a name: handle copies keep it alive, so the deleter op has nothing to do.
Status setAnonymous(KernelContext& c, std::shared_ptr<SessionResource> resource) {
  ResourceHandle handle;
  handle.container = "AnonymousContainer";
  handle.name = concat(resource->kind(), "_", c.step().id(), "_", c.step().nextNumber());
  handle.resource = std::move(resource);
  Tensor t = Tensor::zeros(DType::Resource, {});
  *t.mutableData<ResourceHandle>() = std::move(handle);
  c.setOutput(0, std::move(t));
  c.setOutput(1, Tensor::zeros(DType::Variant, {}));
  return {};
}

Status forget(KernelContext&) { return {}; }

Result<DatasetPtr> makeCache(KernelContext& c) {
  WEFT_LET(DatasetPtr input, datasetOf(c, 0));
  WEFT_LET(std::string filename, scalarArgument<std::string>(c, 1, "filename"));
  if (filename.empty()) return DatasetPtr(std::make_shared<MemoryCacheDataset>(std::move(input)));
  return DatasetPtr(std::make_shared<FileCacheDataset>(std::move(input), std::move(filename)));
}

Result<DatasetPtr> makeCacheV2(KernelContext& c) {
  WEFT_LET(const std::string filename, scalarArgument<std::string>(c, 1, "filename"));
  if (!filename.empty()) return makeCache(c);
  WEFT_LET(DatasetPtr input, datasetOf(c, 0));
  auto kept = std::dynamic_pointer_cast<Kept>(handleOf(c, 2).resource);
  if (!kept) return notFound("Resource ", handleOf(c, 2).container, "/", handleOf(c, 2).name, " is no memory cache");
  return DatasetPtr(std::make_shared<MemoryCacheDataset>(std::move(input), std::move(kept)));
}

Status makeMemoryCache(KernelContext& c) { return setAnonymous(c, std::make_shared<Kept>()); }

Status makeSeedGenerator(KernelContext& c) {
  WEFT_LET(const ShuffleSeeds seeds, shuffleSeedsOf(c, 0));
  return setAnonymous(c, std::make_shared<SeedSource>(seeds));
}

Result<DatasetPtr> makeShuffleV2(KernelContext& c) {
  WEFT_LET(DatasetPtr input, datasetOf(c, 0));
  WEFT_LET(const int64_t size, scalarArgument<int64_t>(c, 1, "buffer_size"));
  if (size <= 0) return invalidArgument("buffer_size must be greater than zero.");
  auto source = std::dynamic_pointer_cast<SeedSource>(handleOf(c, 2).resource);
  if (!source) return notFound("Resource ", handleOf(c, 2).container, "/", handleOf(c, 2).name, " is no seed generator");
  return shuffledBy(std::move(input), size, std::move(source));
}

}  // namespace

void registerDatasetCaches(OpRegistry& ops) {
  declaresElements(datasetOp(ops, "CacheDataset", "Caches the elements of a data set during its first pass; later passes read the cache.")
                       .input("input_dataset: variant", kInputDatasetDoc)
                       .input("filename: string", "Prefix of the cache files; empty: cache in memory, for the lifetime of the iterator."))
      .cpu({}, datasetKernel(makeCache));
  declaresElements(datasetOp(ops, "CacheDatasetV2", "Caches the elements of a data set during its first pass; later passes of any iterator read the cache.")
                       .input("input_dataset: variant", kInputDatasetDoc)
                       .input("filename: string", "Prefix of the cache files; empty: use the memory cache.")
                       .input("cache: resource", "Handle of a MemoryCache."))
      .stateful()
      .cpu({}, datasetKernel(makeCacheV2));
  declaresElements(datasetOp(ops, "ShuffleDatasetV2", "Shuffles a data set with a buffer, taking seeds from a generator resource.")
                       .input("input_dataset: variant", kInputDatasetDoc)
                       .input("buffer_size: int64", "Size of the shuffle buffer.")
                       .input("seed_generator: resource", "Handle of the generator; each pass takes two seeds from it."))
      .stateful()
      .cpu({}, datasetKernel(makeShuffleV2));
  const auto resource = [&](const char* name, const char* summary) -> OpRecord& {
    return ops.add(name).category("Data").keywords("tf.data").summary(summary).stateful().noGradient("A resource is not differentiable.");
  };
  resource("AnonymousMemoryCache", "Creates a memory cache that several iterators share.")
      .output("handle: resource", "Handle of the cache.")
      .output("deleter: variant", "Keeps the resource alive; passed to the op that deletes it.")
      .shape(shapes::scalar)
      .cpu({}, simpleKernel(makeMemoryCache));
  resource("AnonymousRandomSeedGenerator", "Creates a generator of random seeds that several iterators share.")
      .input("seed: int64", "First seed; if both seeds are 0, each generator is seeded differently.")
      .input("seed2: int64", "Second seed.")
      .output("handle: resource", "Handle of the generator.")
      .output("deleter: variant", "Keeps the resource alive; passed to the op that deletes it.")
      .shape(shapes::scalar)
      .cpu({}, simpleKernel(makeSeedGenerator));
  for (const char* name : {"DeleteMemoryCache", "DeleteRandomSeedGenerator"}) {
    resource(name, "Deletes a resource once it is no longer in use.")
        .input("handle: resource", "Handle of the resource.")
        .input("deleter: variant", "The deleter that was created with it.")
        .shape(shapes::none)
        .cpu({}, simpleKernel(forget));
  }
  state(ops, OpRole::Dataset, Effect::Declared, "CacheDatasetV2");
  state(ops, OpRole::ShuffleDataset, Effect::Declared, "ShuffleDatasetV2");
  state(ops, OpRole::Compute, Effect::Makes, "AnonymousMemoryCache AnonymousRandomSeedGenerator");
  state(ops, OpRole::Compute, Effect::Object, "DeleteMemoryCache DeleteRandomSeedGenerator");
}

}  // namespace weft
