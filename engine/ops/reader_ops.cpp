#include <thread>

#include "ops/reader.h"
#include "ops/session_objects.h"

// Readers and their ops.
namespace weft {
namespace {

using Done = AsyncKernel::Done;
using Cancel = AsyncKernel::Cancel;
using Maker = ObjectMaker<Reader>;

Maker makerOf(std::function<std::shared_ptr<Reader>()> make) {
  Maker m;
  m.make = [make = std::move(make)](KernelContext&, const std::string&) -> Result<std::shared_ptr<Reader>> { return make(); };
  return m;
}

/// "IdentityReader 'NODE'", as in messages.
std::string label(const Node& node, const char* kind) { return concat(kind, " '", node.name, "'"); }

Result<Maker> identityMaker(const Node& node) {
  return makerOf([name = label(node, "IdentityReader")] { return makeIdentityReader(name); });
}

Result<Maker> wholeFileMaker(const Node& node) {
  return makerOf([name = label(node, "WholeFileReader")] { return makeWholeFileReader(name); });
}

Result<Maker> textLineMaker(const Node& node) {
  const int64_t skip = node.attrs.integer("skip_header_lines");
  if (skip < 0) return invalidArgument("skip_header_lines must be >= 0 not ", skip);
  return makerOf([name = label(node, "TextLineReader"), skip] { return makeTextLineReader(name, skip); });
}

Result<Maker> lmdbMaker(const Node& node) {
  return makerOf([name = label(node, "LMDBReader")] { return makeLmdbReader(name); });
}

Result<Maker> recordMaker(const Node& node) {
  const std::string compression = node.attrs.text("compression_type");
  return makerOf([name = label(node, "TFRecordReader"), compression] { return makeRecordReader(name, compression); });
}

Result<Maker> fixedLengthMaker(const Node& node) {
  FixedLengthOptions o;
  const std::pair<const char*, int64_t*> lengths[] = {
      {"header_bytes", &o.header}, {"record_bytes", &o.record}, {"footer_bytes", &o.footer}, {"hop_bytes", &o.hop}};
  for (const auto& [attr, value] : lengths) {
    *value = node.attrs.integer(attr);
    if (*value < 0) return invalidArgument(attr, " must be >= 0 not ", *value);
  }
  if (o.record == 0) return invalidArgument("record_bytes must be > 0 not 0");
  o.encoding = node.attrs.text("encoding");
  if (!o.encoding.empty() && o.encoding != "ZLIB" && o.encoding != "GZIP") return invalidArgument("Encoding: ", o.encoding, " is not supported.");
  return makerOf([name = label(node, "FixedLengthRecordReader"), o] { return makeFixedLengthReader(name, o); });
}

// ---- ops on readers

/// Two scalars, or two vectors.
AsyncKernel::Outputs outputsOf(Records records, bool asVectors) {
  AsyncKernel::Outputs out;
  if (asVectors) {
    out.push_back(Tensor::vector(records.keys));
    out.push_back(Tensor::vector(records.values));
  } else {
    out.push_back(Tensor::scalar(std::move(records.keys[0])));
    out.push_back(Tensor::scalar(std::move(records.values[0])));
  }
  return out;
}

/// Reads at once if it need not wait; otherwise on a separate thread, which sleeps most of the time.
Result<Cancel> readRecords(KernelContext& c, int64_t count, bool asVectors, const Done& done) {
  WEFT_LET(auto reader, objectAt<Reader>(c, 0));
  WEFT_LET(auto queue, objectAt<Queue>(c, 1));
  bool wouldWait = false;
  auto records = reader->read(queue, count, nullptr, &wouldWait);
  if (records.ok()) {
    done(outputsOf(std::move(*records), asVectors));
    return Cancel();
  }
  if (!wouldWait) return records.error();
  auto flag = std::make_shared<CancellationFlag>();
  std::thread([=] {
    bool waits = false;
    auto later = reader->read(queue, count, flag.get(), &waits);
    if (later.ok()) done(outputsOf(std::move(*later), asVectors));
    else done(later.error());
  }).detach();
  return Cancel([flag] { flag->stop(); });
}

Result<Cancel> read(KernelContext& c, const Done& done) { return readRecords(c, 1, false, done); }

Result<Cancel> readUpTo(KernelContext& c, const Done& done) {
  if (c.input(2).elements() != 1) return invalidArgument("num_records must be a scalar, but has shape ", c.input(2).shape().toString());
  const int64_t count = c.input(2).asInt(0);
  if (count <= 0) return invalidArgument("num_records must be positive, but is ", count);
  return readRecords(c, count, true, done);
}

Status recordsProduced(KernelContext& c) {
  WEFT_LET(auto reader, objectAt<Reader>(c));
  c.setOutput(0, Tensor::scalar(reader->recordsProduced()));
  return {};
}

Status filesRead(KernelContext& c) {
  WEFT_LET(auto reader, objectAt<Reader>(c));
  c.setOutput(0, Tensor::scalar(reader->filesRead()));
  return {};
}

Status save(KernelContext& c) {
  WEFT_LET(auto reader, objectAt<Reader>(c));
  WEFT_LET(std::string state, reader->save(c));
  c.setOutput(0, Tensor::scalar(std::move(state)));
  return {};
}

Status restore(KernelContext& c) {
  WEFT_LET(auto reader, objectAt<Reader>(c));
  if (!c.input(1).shape().isScalar()) return invalidArgument("Reader state must be scalar, but had shape: ", c.input(1).shape().toString());
  return reader->restore(c, c.input(1).data<std::string>()[0]);
}

Status reset(KernelContext& c) {
  WEFT_LET(auto reader, objectAt<Reader>(c));
  return reader->reset(c);
}

Status vectorsShape(ShapeContext& c) {
  for (int i = 0; i < c.outputCount(); ++i) c.setOutput(i, Shape::unknownOfRank(1));
  return {};
}

Status stateShape(ShapeContext& c) { return c.requireRank(c.input(1), 0); }

constexpr std::string_view kLmdb = "LMDBReader";  // it has no second version

OpRecord& makerOp(OpRegistry& ops, const std::string& name, const HandleWords& v, const char* summary) {
  OpRecord& op = withSharedName(ops.add(name + v.suffix).category("Readers").summary(summary).output(concat("reader_handle: ", v.type), "The reader."))
                     .shape(shapes::objectHandle)
                     .noGradient("Handles are not differentiable.");
  if (!*v.suffix && name != kLmdb) op.deprecated(26, concat("Use ", name, "V2"));
  return op;
}

OpRecord& readerOp(OpRegistry& ops, const std::string& name, const HandleWords& v, const char* summary) {
  OpRecord& op = ops.add(name + v.suffix)
                     .category("Readers")
                     .summary(summary)
                     .input(concat("reader_handle: ", v.type), "The reader.")
                     .noGradient("Records read from files are not differentiable.");
  if (*v.suffix) op.stateful();
  return op;
}

void registerReadersOf(OpRegistry& ops, const HandleWords& v) {
  makerOp(ops, "IdentityReader", v, "Creates a reader whose records are the dequeued work items themselves.").cpu({}, objectKernel<Reader>(identityMaker));
  makerOp(ops, "WholeFileReader", v, "Creates a reader whose records are whole files.").cpu({}, objectKernel<Reader>(wholeFileMaker));
  makerOp(ops, "TextLineReader", v, "Creates a reader whose records are the lines of text files.")
      .attr("skip_header_lines: int = 0", "Number of header lines to skip in each file.")
      .cpu({}, objectKernel<Reader>(textLineMaker));
  OpRecord& pieces = makerOp(ops, "FixedLengthRecordReader", v, "Creates a reader whose records are byte strings of fixed length.")
                         .attr("header_bytes: int = 0", "Header bytes to skip in each file.")
                         .attr("record_bytes: int", "Bytes per record.")
                         .attr("footer_bytes: int = 0", "Footer bytes to skip in each file.")
                         .attr("hop_bytes: int = 0", "Bytes between the starts of consecutive records; 0: record_bytes.");
  if (*v.suffix) pieces.attr("encoding: string = ''", "Compression of the files: empty, ZLIB or GZIP.");
  pieces.cpu({}, objectKernel<Reader>(fixedLengthMaker));
  makerOp(ops, "TFRecordReader", v, "Creates a reader whose records are those of TFRecord files.")
      .attr("compression_type: string = ''", "Compression of the files: empty, ZLIB or GZIP.")
      .cpu({}, objectKernel<Reader>(recordMaker));
  readerOp(ops, "ReaderRead", v, "Reads the next record; takes the next file from the queue when the current one is finished.")
      .input(concat("queue_handle: ", v.type), "Queue of file names.")
      .output("key: string", "Key of the record: its file and position.")
      .output("value: string", "The record.")
      .shape(shapes::scalar)
      .cpu({}, asyncKernel(read));
  readerOp(ops, "ReaderReadUpTo", v, "Reads up to num_records records; they come from one file.")
      .input(concat("queue_handle: ", v.type), "Queue of file names.")
      .input("num_records: int64", "Maximum number of records; a scalar.")
      .output("keys: string", "Keys of the records.")
      .output("values: string", "The records.")
      .shape(vectorsShape)
      .cpu({}, asyncKernel(readUpTo));
  readerOp(ops, "ReaderNumRecordsProduced", v, "Number of records that a reader has produced.")
      .output("records_produced: int64", "A scalar.")
      .shape(shapes::scalar)
      .cpu({}, simpleKernel(recordsProduced));
  readerOp(ops, "ReaderNumWorkUnitsCompleted", v, "Number of files that a reader has finished.")
      .output("units_completed: int64", "A scalar.")
      .shape(shapes::scalar)
      .cpu({}, simpleKernel(filesRead));
  readerOp(ops, "ReaderSerializeState", v, "Serializes the position of a reader; supported by IdentityReader and WholeFileReader.")
      .output("state: string", "A scalar.")
      .shape(shapes::scalar)
      .cpu({}, simpleKernel(save));
  readerOp(ops, "ReaderRestoreState", v, "Restores a reader to a serialized position.")
      .input("state: string", "State from ReaderSerializeState.")
      .shape(stateShape)
      .cpu({}, simpleKernel(restore));
  readerOp(ops, "ReaderReset", v, "Resets a reader to its initial state.").shape(shapes::none).cpu({}, simpleKernel(reset));
}

}  // namespace

void registerReaders(OpRegistry& ops) {
  for (const HandleWords& v : kHandleVersions) registerReadersOf(ops, v);
  makerOp(ops, std::string(kLmdb), kHandleVersions[0], "Creates a reader whose records are the key-value pairs of LMDB databases, in key order.")
      .cpu({}, objectKernel<Reader>(lmdbMaker));
  state(
      ops, OpRole::Reader, Effect::Makes,
      "FixedLengthRecordReader FixedLengthRecordReaderV2 IdentityReader IdentityReaderV2 LMDBReader TFRecordReader TFRecordReaderV2 TextLineReader TextLineReaderV2 WholeFileReader WholeFileReaderV2");
  state(ops, OpRole::ReaderRead, Effect::Input, "ReaderRead ReaderReadUpTo ReaderReadUpToV2 ReaderReadV2");
  state(ops, OpRole::Compute, Effect::Input, "ReaderReset ReaderResetV2 ReaderRestoreState ReaderRestoreStateV2");
  state(
      ops, OpRole::Compute, Effect::Reads,
      "ReaderNumRecordsProduced ReaderNumRecordsProducedV2 ReaderNumWorkUnitsCompleted ReaderNumWorkUnitsCompletedV2 ReaderSerializeState ReaderSerializeStateV2");
}

}  // namespace weft
