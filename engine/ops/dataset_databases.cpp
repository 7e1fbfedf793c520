#include <set>

#include "data/lmdb.h"
#include "ops/datasets.h"
#include "ops/functions.h"
#include "ops/matching_files.h"
#include "weft/records.h"

// Names of files, LMDB databases, and data sets written to record files.
namespace weft {
namespace {

// ---- MatchingFilesDataset, LMDBDataset

struct NamesIterator final : DatasetIterator {
  explicit NamesIterator(std::vector<std::string> p) : patterns(std::move(p)) {}
  Result<bool> next(const CallSite&, Element& out) override {
    for (;;) {
      if (!waiting.empty()) {
        out.assign(1, Tensor::scalar(*waiting.begin()));
        waiting.erase(waiting.begin());
        any = true;
        return true;
      }
      if (place == patterns.size()) break;
      const std::string& pattern = patterns[place++];
      const Status found = addMatchingFiles(pattern, waiting);
      if (!found.ok() && found.code() != Code::NotFound) return found.error();
    }
    if (!any) return notFound("Don't find any matched files");
    return false;
  }
  Status exchange(IteratorState& s) override {
    std::vector<std::string> names(waiting.begin(), waiting.end());
    WEFT_TRY(s.resize("names", names));
    for (size_t i = 0; i < names.size(); ++i) WEFT_TRY(s.value(concat("name", i), names[i]));
    waiting = {names.begin(), names.end()};
    WEFT_TRY(s.value("any", any));
    WEFT_TRY(s.value("pattern", place));
    place = std::min(place, patterns.size());
    return {};
  }
  const std::vector<std::string> patterns;
  size_t place = 0;
  std::set<std::string> waiting;
  bool any = false;
};

Result<std::vector<std::string>> textsOf(const KernelContext& c, const char* name) {
  const Tensor& t = c.input(0);
  if (t.rank() > 1) return invalidArgument("`", name, "` must be a scalar or a vector.");
  return std::vector<std::string>(t.data<std::string>(), t.data<std::string>() + t.elements());
}

Result<DatasetPtr> makeMatchingFiles(KernelContext& c) {
  if (c.input(0).rank() > 1) return invalidArgument("patterns must be a scalar or a vector.");
  WEFT_LET(auto patterns, textsOf(c, "patterns"));
  return datasetFrom({{DType::String}, {Shape{}}}, [=](const IteratorContext&) -> Result<std::unique_ptr<DatasetIterator>> {
    return std::unique_ptr<DatasetIterator>(new NamesIterator(patterns));
  });
}

struct LmdbIterator final : DatasetIterator {
  explicit LmdbIterator(std::vector<std::string> f) : files(std::move(f)) {}
  Result<bool> next(const CallSite& site, Element& out) override {
    for (;;) {
      WEFT_TRY(site.check());
      if (!reader) {
        if (place == files.size()) return false;
        WEFT_LET(reader, LmdbReader::open(files[place++]));
        taken = 0;
      }
      std::string key, value;
      WEFT_LET(const bool more, reader->next(&key, &value));
      if (more) {
        ++taken;
        out = {Tensor::scalar(std::move(key)), Tensor::scalar(std::move(value))};
        return true;
      }
      reader.reset();
    }
  }
  Status exchange(IteratorState& s) override {
    bool open = reader != nullptr;
    WEFT_TRY(s.value("open", open));
    WEFT_TRY(s.value("file", place));
    WEFT_TRY(s.value("taken", taken));
    if (!s.restores() || !open) return {};
    if (place == 0 || place > files.size()) return dataLoss("The saved state is at file ", place, " of ", files.size());
    WEFT_LET(reader, LmdbReader::open(files[place - 1]));
    std::string key, value;
    for (int64_t i = 0; i < taken; ++i) WEFT_TRY(reader->next(&key, &value).status());
    return {};
  }
  const std::vector<std::string> files;
  size_t place = 0;
  int64_t taken = 0;  // entries of the open file
  std::unique_ptr<LmdbReader> reader;
};

Result<DatasetPtr> makeLmdb(KernelContext& c) {
  WEFT_LET(auto files, textsOf(c, "filenames"));
  return datasetFrom({{DType::String, DType::String}, {Shape{}, Shape{}}}, [=](const IteratorContext&) -> Result<std::unique_ptr<DatasetIterator>> {
    return std::unique_ptr<DatasetIterator>(new LmdbIterator(files));
  });
}

// ---- DatasetToTFRecord

Status runToRecords(KernelContext& c) {
  WEFT_LET(const DatasetPtr dataset, datasetOf(c, 0));
  WEFT_LET(const std::string file, scalarArgument<std::string>(c, 1, "filename"));
  WEFT_LET(const std::string name, scalarArgument<std::string>(c, 2, "compression_type"));
  const auto compression = compressionFromName(name);
  if (!compression.ok()) return invalidArgument("Unsupported compression_type.");
  const CallSite site = CallSite::of(c);
  WEFT_LET(const auto iterator, dataset->makeIterator({std::make_shared<IteratorSharedState>(), "ToTFRecordOpIterator", {}, site}));
  WEFT_LET(const auto writer, RecordWriter::create(file, *compression));
  for (;;) {
    WEFT_TRY(site.check());
    Element element;
    WEFT_LET(const bool more, iterator->next(site, element));
    if (!more) break;
    if (element.size() != 1 || element[0].dtype() != DType::String || element[0].elements() != 1)
      return invalidArgument("Elements of a data set that is written to a record file must be scalar strings");
    WEFT_TRY(writer->write(element[0].data<std::string>()[0]));
  }
  return writer->close();
}

}  // namespace

void registerDatasetDatabases(OpRegistry& ops) {
  datasetOp(ops, "MatchingFilesDataset", "Names of the files that match patterns, sorted within each pattern.")
      .input("patterns: string", "The patterns.")
      .stateful()
      .cpu({}, datasetKernel(makeMatchingFiles));
  declaresElements(datasetOp(ops, "LMDBDataset", "Key-value pairs of LMDB databases.").input("filenames: string", "Database files or folders."))
      .stateful()
      .cpu({}, datasetKernel(makeLmdb));
  ops.add("DatasetToTFRecord")
      .category("Data")
      .keywords("tf.data write save records")
      .summary("Writes the strings of a data set to a TFRecord file.")
      .input("input_dataset: variant", "The data set.")
      .input("filename: string", "Name of the file.")
      .input("compression_type: string", "\"\", \"ZLIB\" or \"GZIP\".")
      .stateful()
      .shape(shapes::none)
      .noGradient("Files are not differentiable.")
      .cpu({}, simpleKernel(runToRecords));
  state(ops, OpRole::Dataset, Effect::File, "LMDBDataset MatchingFilesDataset");
  state(ops, OpRole::Compute, Effect::File, "DatasetToTFRecord");
  retain(ops, "DatasetToTFRecord");
}

}  // namespace weft
