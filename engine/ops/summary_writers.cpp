
#include "kernel/device.h"
#include "ops/session_objects.h"
#include "ops/state_ops.h"
#include "ops/summaries.h"
#include "proto/convert.h"
#include "weft/events.h"
#include "weft/mutex.h"

// Ops that write event files themselves: tf.contrib.summary and the summaries of TensorFlow 2. The writer is a session object.
namespace weft {
namespace {

/// The object behind a handle; it has a file once CreateSummaryFileWriter has run.
class SummaryFile final : public SessionResource {
 public:
  std::string kind() const override { return "summary writer"; }
  std::shared_ptr<EventWriter> writer() const {
    const MutexLock lock(mutex_);
    return writer_;
  }
  /// Keeps an existing writer.
  Status open(const std::string& folder, const std::string& suffix) {
    const MutexLock lock(mutex_);
    if (writer_) return {};
    EventWriter::Options options;
    options.suffix = suffix;
    WEFT_LET(writer_, EventWriter::create(folder, options));
    return {};
  }
  std::shared_ptr<EventWriter> take() {
    const MutexLock lock(mutex_);
    return std::move(writer_);
  }

 private:
  mutable Mutex mutex_;
  std::shared_ptr<EventWriter> writer_ WEFT_GUARDED_BY(mutex_);
};

Error noWriter(KernelContext& c) {
  const ResourceHandle& handle = handleOf(c, 0);
  return notFound("Resource ", handle.container, "/", handle.name, "/N10tensorflow22SummaryWriterInterfaceE does not exist.");
}

Result<std::shared_ptr<SummaryFile>> fileOf(KernelContext& c) {
  auto file = std::dynamic_pointer_cast<SummaryFile>(handleOf(c, 0).resource);
  if (!file) return noWriter(c);
  return file;
}
Result<std::shared_ptr<EventWriter>> writerOf(KernelContext& c) {
  WEFT_LET(const auto file, fileOf(c));
  auto writer = file->writer();
  if (!writer) return noWriter(c);
  return writer;
}

Result<std::unique_ptr<Kernel>> handleKernel(KernelInit& init) {
  ResourceHandle handle;
  const std::string container = init.attrs().text("container"), shared = init.attrs().text("shared_name");
  handle.container = container.empty() ? std::string(SessionState::kDefaultContainer) : container;
  handle.name = shared.empty() ? init.node().name : shared;
  handle.device = init.device().name();
  WEFT_LET(handle.resource,
           init.session().lookupOrCreate<SummaryFile>(handle.container, handle.name, []() -> Result<std::shared_ptr<SummaryFile>> { return std::make_shared<SummaryFile>();
           }));
  Tensor t = Tensor::zeros(DType::Resource, {});
  *t.mutableData<ResourceHandle>() = std::move(handle);
  return functionKernel([t](KernelContext& c) -> Status {
    c.setOutput(0, t);
    return {};
  });
}

template <typename T>
Result<T> scalarOf(KernelContext& c, int i, const char* name) {
  const Tensor& t = c.input(i);
  if (!t.shape().isScalar()) return invalidArgument(name, " must be a scalar, but has shape ", t.shape().toString());
  return t.at<T>(0);
}

Status create(KernelContext& c) {
  WEFT_LET(const auto file, fileOf(c));
  WEFT_LET(const std::string folder, scalarOf<std::string>(c, 1, "logdir"));
  WEFT_LET(const std::string suffix, scalarOf<std::string>(c, 4, "filename_suffix"));
  return file->open(folder, suffix);
}
Status flush(KernelContext& c) {
  WEFT_LET(const auto writer, writerOf(c));
  return writer->flush();
}
Status close(KernelContext& c) {
  WEFT_LET(const auto file, fileOf(c));
  const auto writer = file->take();
  if (!writer) return noWriter(c);
  return writer->close();
}

/// Writes the message filled in by `add`.
template <typename F>
Status writeMessage(KernelContext& c, F&& add) {
  WEFT_LET(const auto writer, writerOf(c));
  WEFT_LET(const int64_t step, scalarOf<int64_t>(c, 1, "step"));
  tensorflow::Summary summary;
  WEFT_TRY(add(summary));
  return writer->addSummary(summary.SerializeAsString(), step);
}

Status writeScalar(KernelContext& c) {
  return writeMessage(c, [&](tensorflow::Summary& s) -> Status {
    WEFT_LET(const std::string tag, scalarOf<std::string>(c, 2, "tag"));
    if (!c.input(3).shape().isScalar()) return invalidArgument("value must be a scalar, but has shape ", c.input(3).shape().toString());
    auto* v = s.add_value();
    v->set_tag(tag);
    v->set_simple_value(float(c.input(3).asDouble(0)));
    return {};
  });
}
Status writeHistogram(KernelContext& c) {
  return writeMessage(c, [&](tensorflow::Summary& s) -> Status {
    WEFT_LET(const std::string tag, scalarOf<std::string>(c, 2, "tag"));
    return addHistogram(tag, c.input(3), c.node().name, s);
  });
}
Status writeImage(KernelContext& c) {
  return writeMessage(c, [&](tensorflow::Summary& s) -> Status {
    WEFT_LET(const std::string tag, scalarOf<std::string>(c, 2, "tag"));
    if (c.input(4).rank() != 1) return invalidArgument("bad_color must be a vector of uint8");
    return addImages(tag, c.input(3), c.node().attrs.integer("max_images", 3), c.input(4), s);
  });
}
Status writeAudio(KernelContext& c) {
  return writeMessage(c, [&](tensorflow::Summary& s) -> Status {
    WEFT_LET(const std::string tag, scalarOf<std::string>(c, 2, "tag"));
    WEFT_LET(const float rate, scalarOf<float>(c, 4, "sample_rate"));
    return addSounds(tag, c.input(3), rate, c.node().attrs.integer("max_outputs", 3), s);
  });
}
Status writeTensor(KernelContext& c) {
  return writeMessage(c, [&](tensorflow::Summary& s) -> Status {
    WEFT_LET(const std::string tag, scalarOf<std::string>(c, 3, "tag"));
    WEFT_LET(const std::string metadata, scalarOf<std::string>(c, 4, "summary_metadata"));
    auto* v = s.add_value();
    v->set_tag(tag);
    if (!metadata.empty() && !v->mutable_metadata()->ParseFromString(metadata)) return invalidArgument("summary_metadata is no SummaryMetadata message");
    return tensorToProto(c.input(2), c.input(2).dtype() == DType::String ? TensorForm::Fields : TensorForm::Content, v->mutable_tensor());
  });
}
Status writeRaw(KernelContext& c) {
  return writeMessage(c, [&](tensorflow::Summary& s) -> Status {
    const Tensor& given = c.input(2);
    for (int64_t i = 0; i < given.elements(); ++i) {
      tensorflow::Summary one;
      if (!one.ParseFromString(given.at<std::string>(i))) return dataLoss("Bad tf.compat.v1.Summary binary proto tensor string at index ", i);
      s.MergeFrom(one);
    }
    return {};
  });
}
Status writeGraph(KernelContext& c) {
  WEFT_LET(const auto writer, writerOf(c));
  WEFT_LET(const int64_t step, scalarOf<int64_t>(c, 1, "step"));
  WEFT_LET(const std::string bytes, scalarOf<std::string>(c, 2, "tensor"));
  return writer->addGraph(bytes, step);
}
Status importEvent(KernelContext& c) {
  WEFT_LET(const auto writer, writerOf(c));
  WEFT_LET(const std::string record, scalarOf<std::string>(c, 1, "event"));
  const auto event = decodeEvent(record);
  if (!event.ok()) return dataLoss("Bad tf.Event binary proto tensor string");
  switch (event->kind) {
    case Event::Kind::Summary: return writer->addValues(event->values, event->step, event->wallTime);
    case Event::Kind::Graph: return writer->addGraph(event->bytes, event->step, event->wallTime);
    case Event::Kind::MetaGraph: return writer->addMetaGraph(event->bytes, event->step, event->wallTime);
    case Event::Kind::RunMetadata: return writer->addRunMetadata(event->bytes, event->tag, event->step, event->wallTime);
    case Event::Kind::Log: return writer->addLog(event->status, event->bytes, event->step, event->wallTime);
    case Event::Kind::Session: return writer->addSession(Event::Status(event->status), event->checkpointPath, event->step, event->wallTime);
    case Event::Kind::FileVersion:  // each file has its own
    case Event::Kind::None: break;
  }
  return {};
}

}  // namespace

void registerSummaryWriters(OpRegistry& ops) {
  const auto add = [&](const char* name, const char* summary) -> OpRecord& {
    return ops.add(name)
        .category("Summaries")
        .keywords("event file tensorboard log write")
        .summary(summary)
        .stateful()
        .shape(shapes::none)
        .noGradient("Files are not differentiable.");
  };
  const auto on = [&](const char* name, const char* summary) -> OpRecord& { return add(name, summary).input("writer: resource", "Handle of the writer."); };
  const auto at = [&](const char* name, const char* summary) -> OpRecord& { return on(name, summary).input("step: int64", "Global step; a scalar."); };
  constexpr const char *kTag = "Tag of the summary; a scalar.",
                       *kNumbers = "{float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64}";
  add("SummaryWriter", "Handle of a summary writer.")
      .output("writer: resource", "The handle.")
      .attr("shared_name: string = ''", "Ops with the same name share the writer; empty: the node's name.")
      .attr("container: string = ''", "Resource container.")
      .shape(shapes::scalar)
      .cpu({}, handleKernel);
  on("CreateSummaryFileWriter", "Creates an event file writer, unless the handle already has one.")
      .input("logdir: string", "Folder of the event file.")
      .input("max_queue: int32", "Ignored; events are written immediately.")
      .input("flush_millis: int32", "Ignored; flushing is explicit.")
      .input("filename_suffix: string", "Suffix of the file name.")
      .cpu({}, simpleKernel(create));
  on("FlushSummaryWriter", "Flushes a summary writer to disk.").cpu({}, simpleKernel(flush));
  on("CloseSummaryWriter", "Closes a summary writer.").cpu({}, simpleKernel(close));
  at("WriteScalarSummary", "Writes a scalar summary to an event file.")
      .input("tag: string", kTag)
      .input("value: T", "The value; a scalar.")
      .attr(concat("T: ", kNumbers), "Type of the value.")
      .cpu({}, simpleKernel(writeScalar));
  at("WriteHistogramSummary", "Writes a histogram summary to an event file.")
      .input("tag: string", kTag)
      .input("values: T", "The numbers.")
      .attr(concat("T: ", kNumbers, " = DT_FLOAT"), "Type of the numbers.")
      .cpu({}, simpleKernel(writeHistogram));
  at("WriteImageSummary", "Writes an image summary to an event file.")
      .input("tag: string", kTag)
      .input("tensor: T", "Images [batch, height, width, channels].")
      .input("bad_color: uint8", "Colour of pixels that are not finite.")
      .attr("max_images: int >= 1 = 3", "Maximum number of images to write.")
      .attr("T: {uint8, float, half} = DT_FLOAT", "Type of the images.")
      .cpu({}, simpleKernel(writeImage));
  at("WriteAudioSummary", "Writes an audio summary to an event file.")
      .input("tag: string", kTag)
      .input("tensor: float", "Audio clips, [batch, frames] or [batch, frames, channels].")
      .input("sample_rate: float", "Sample rate in hertz.")
      .attr("max_outputs: int >= 1 = 3", "Maximum number of images to write.")
      .cpu({}, simpleKernel(writeAudio));
  at("WriteSummary", "Writes a tensor summary to an event file.")
      .input("tensor: T", "The tensor.")
      .input("tag: string", kTag)
      .input("summary_metadata: string", "Serialized SummaryMetadata message; a scalar.")
      .attr("T: type", "Type of the tensor.")
      .cpu({}, simpleKernel(writeTensor));
  at("WriteRawProtoSummary", "Writes serialized Summary messages to an event file.")
      .input("tensor: string", "Serialized Summary messages.")
      .cpu({}, simpleKernel(writeRaw));
  at("WriteGraphSummary", "Writes a graph to an event file.").input("tensor: string", "Serialized GraphDef message.").cpu({}, simpleKernel(writeGraph));
  on("ImportEvent", "Writes a serialized Event message to an event file.")
      .input("event: string", "Serialized Event message.")
      .cpu({}, simpleKernel(importEvent));
  state(ops, OpRole::WriteSummary, Effect::Makes, "SummaryWriter");
  state(
      ops, OpRole::WriteSummary, Effect::Output,
      "CloseSummaryWriter CreateSummaryFileWriter FlushSummaryWriter ImportEvent WriteAudioSummary WriteGraphSummary WriteHistogramSummary WriteImageSummary WriteRawProtoSummary WriteScalarSummary WriteSummary");
}

}  // namespace weft
