#include <chrono>
#include <cstdio>
#include <random>

#include "ops/datasets.h"
#include "proto/convert.h"
#include "proto/graph.pb.h"
#include "proto/snapshot.pb.h"
#include "weft/length_records.h"
#include "weft/mutex.h"

// Snapshots: a pipeline's elements in files, which later runs of the same pipeline read instead of computing them. As in TensorFlow, a folder has a folder for each
// pipeline, named by its fingerprint, with the file snapshot.metadata and a folder for each run that wrote elements: 00000000.snapshot, 00000001.snapshot, …
namespace weft {
namespace {

struct SnapshotSettings {
  std::string path, readerPrefix, writerPrefix;
  Compression compression = Compression::None;
  int64_t shardBytes = 0, expirySeconds = 0;
};

int64_t nowMicros() { return std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::system_clock::now().time_since_epoch()).count(); }

std::string hex(uint64_t value) {
  char text[32];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(value));
  return text;
}

std::string fileName(int64_t number) {
  char text[64];
  std::snprintf(text, sizeof text, "%08lld.snapshot", static_cast<long long>(number));
  return text;
}

Status writeMetadata(const std::string& folder, const tensorflow::SnapshotMetadataRecord& record) {
  const std::string path = folder + "/snapshot.metadata";
  WEFT_TRY(posixFileSystem().makeFolders(folder));
  const std::string aside = concat(path, ".", record.run_id());
  WEFT_LET(auto writer, createLengthRecords(aside, Compression::None));
  WEFT_TRY(writer->write(record.SerializeAsString()));
  WEFT_TRY(writer->close());
  return posixFileSystem().rename(aside, path);
}

/// False if there is no snapshot yet.
Result<bool> readMetadata(const std::string& folder, tensorflow::SnapshotMetadataRecord& record) {
  const std::string path = folder + "/snapshot.metadata";
  if (!posixFileSystem().exists(path)) return false;
  WEFT_LET(const auto stream, ByteStream::open(path, Compression::None));
  std::string text;
  WEFT_LET(const bool more, nextLengthRecord(*stream, &text));
  if (!more || !record.ParseFromString(text)) return dataLoss("The snapshot metadata ", path, " cannot be read");
  return true;
}

class SnapshotDataset final : public UnaryDataset<SnapshotDataset> {
 public:
  SnapshotDataset(ElementSpec spec, DatasetPtr input, SnapshotSettings settings, uint64_t fingerprint)
      : UnaryDataset(std::move(spec), std::move(input), "Snapshot"), settings_(std::move(settings)), fingerprint_(hex(fingerprint)) {}
  Result<std::unique_ptr<DatasetIterator>> makeIterator(const IteratorContext& start) const override {
    return std::unique_ptr<DatasetIterator>(new Iterator(*this, start));
  }
  int64_t cardinality() const override { return input_->cardinality(); }

 private:
  /// Whether an iterator reads, writes or only passes on is settled when its first element is requested, by one iterator at a time.
  struct Iterator final : DatasetIterator {
    Iterator(const SnapshotDataset& d, IteratorContext s)
        : source(d.input_), settings(d.settings_), fingerprint(d.fingerprint_), components(d.spec().types.size()), start(std::move(s)) {}

    Result<bool> next(const CallSite& site, Element& out) override {
      if (!begun) WEFT_TRY(begin(site));
      if (reading) return read(out);
      if (!input) return false;
      WEFT_LET(const bool more, input->next(site, out));
      if (more) {
        if (writing) WEFT_TRY(write(out));
        return true;
      }
      input.reset();
      if (!writing) return false;
      if (writer) WEFT_TRY(writer->close());
      metadata.set_finalized(true);
      WEFT_TRY(writeMetadata(folderToWrite(), metadata));
      return false;
    }
    Status exchange(IteratorState&) override { return unimplemented("The position of an iterator over a snapshot cannot be saved"); }

    Status begin(const CallSite& site) {
      static Mutex one;
      const MutexLock lock(one);
      WEFT_LET(const bool exists, readMetadata(settings.readerPrefix + settings.path + "/" + fingerprint, metadata));
      reading = exists && metadata.finalized();
      const bool pending = exists && metadata.creation_timestamp() >= nowMicros() - settings.expirySeconds * 1000000;
      writing = !reading && !pending;
      if (writing) {
        std::random_device device;
        metadata.Clear();
        metadata.set_graph_hash(fingerprint);
        metadata.set_run_id(hex(uint64_t(device()) << 32 | device()));
        metadata.set_creation_timestamp(nowMicros());
        metadata.set_finalized(false);
        WEFT_TRY(writeMetadata(folderToWrite(), metadata));
        WEFT_TRY(posixFileSystem().makeFolders(folderToWrite() + "/" + metadata.run_id()));
      }
      if (!reading) {
        IteratorContext here = start.below(writing ? "SnapshotWriterImpl" : "SnapshotPassthroughImpl");
        here.site = site;
        WEFT_LET(input, source->makeIterator(here));
      }
      begun = true;
      return {};
    }
    std::string folderToWrite() const { return settings.writerPrefix + settings.path + "/" + fingerprint; }

    Status write(const Element& element) {
      if (writer && written > settings.shardBytes) {
        WEFT_TRY(writer->close());
        writer.reset();
        ++file;
        written = 0;
      }
      if (!writer) {
        WEFT_LET(writer, createLengthRecords(folderToWrite() + "/" + metadata.run_id() + "/" + fileName(file), settings.compression));
      }
      tensorflow::SnapshotRecord record;
      for (const Tensor& t : element) WEFT_TRY(tensorToProto(t, TensorForm::Content, record.add_tensor()));
      const std::string text = record.SerializeAsString();
      written += int64_t(text.size());
      return writer->write(text);
    }

    Result<bool> read(Element& out) {
      for (;;) {
        if (!reader) {
          const std::string path = settings.readerPrefix + settings.path + "/" + fingerprint + "/" + metadata.run_id() + "/" + fileName(file);
          if (!posixFileSystem().exists(path)) return false;
          WEFT_LET(reader, ByteStream::open(path, settings.compression));
          ++file;
        }
        std::string text;
        WEFT_LET(const bool more, nextLengthRecord(*reader, &text));
        if (!more) {
          reader.reset();
          continue;
        }
        tensorflow::SnapshotRecord record;
        if (!record.ParseFromString(text) || size_t(record.tensor_size()) != components)
          return dataLoss("A record of the snapshot ", fingerprint, " cannot be read");
        out.clear();
        for (const auto& t : record.tensor()) {
          WEFT_LET(Tensor tensor, tensorFromProto(t));
          out.push_back(std::move(tensor));
        }
        return true;
      }
    }

    const DatasetPtr source;
    const SnapshotSettings settings;
    const std::string fingerprint;
    const size_t components;
    IteratorContext start;
    tensorflow::SnapshotMetadataRecord metadata;
    bool begun = false, reading = false, writing = false;
    std::unique_ptr<DatasetIterator> input;
    std::unique_ptr<ByteStream> reader;
    std::unique_ptr<RecordWriter> writer;
    int64_t file = 0, written = 0;
  };
  SnapshotSettings settings_;
  std::string fingerprint_;
};

Result<DatasetPtr> makeSnapshot(KernelContext& c) {
  WEFT_LET(DatasetPtr input, datasetOf(c, 0));
  const AttrMap& attrs = c.node().attrs;
  SnapshotSettings s;
  WEFT_LET(s.path, scalarArgument<std::string>(c, 1, "path"));
  if (const std::string kind = attrs.text("compression"); kind == "GZIP") s.compression = Compression::Gzip;
  else if (!kind.empty()) return invalidArgument("compression must be either '' or 'GZIP'.");
  s.readerPrefix = attrs.text("reader_path_prefix");
  s.writerPrefix = attrs.text("writer_path_prefix");
  s.shardBytes = attrs.integer("shard_size_bytes", -1);
  if (s.shardBytes == -1) s.shardBytes = int64_t(10) << 30;
  s.expirySeconds = attrs.integer("pending_snapshot_expiry_seconds", -1);
  if (s.expirySeconds == -1) s.expirySeconds = 86400;
  if (s.expirySeconds < 1) return invalidArgument("pending_snapshot_expiry_seconds must be at least 1 second.");
  if (s.shardBytes < 1024 * 1024) return invalidArgument("shard_size_bytes must be at least 1MiB.");
  for (const char* name : {"num_reader_threads", "reader_buffer_size", "num_writer_threads", "writer_buffer_size"}) {
    if (const int64_t n = attrs.integer(name, -1); n != -1 && n < 1) return invalidArgument(name, " must be at least 1.");
  }
  WEFT_LET(const uint64_t fingerprint, fingerprintOf(*input));
  return DatasetPtr(std::make_shared<SnapshotDataset>(declaredSpec(attrs), std::move(input), std::move(s), fingerprint));
}

}  // namespace

void registerDatasetSnapshots(OpRegistry& ops) {
  declaresElements(datasetOp(ops, "SnapshotDataset", "Writes the elements of a pipeline to files, from which later runs of the same pipeline read them.")
                       .input("input_dataset: variant", kInputDatasetDoc)
                       .input("path: string", "Folder of the snapshots."))
      .attr("compression: string = ''", "Empty or GZIP.")
      .attr("reader_path_prefix: string = ''", "Put before `path` where snapshots are read.")
      .attr("writer_path_prefix: string = ''", "Put before `path` where snapshots are written.")
      .attr("shard_size_bytes: int = 10737418240", "Size after which another file begins.")
      .attr("pending_snapshot_expiry_seconds: int = 86400", "Age after which a snapshot that was not completed is written again.")
      .attr("num_reader_threads: int = 1", "Ignored; elements are read in the requesting thread.")
      .attr("reader_buffer_size: int = 1", "Ignored.")
      .attr("num_writer_threads: int = 1", "Ignored; elements are written in the requesting thread.")
      .attr("writer_buffer_size: int = 1", "Ignored.")
      .cpu({}, datasetKernel(makeSnapshot));
  state(ops, OpRole::Dataset, Effect::File, "SnapshotDataset");
}

}  // namespace weft
