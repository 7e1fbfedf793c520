// What the pages of the window ask of a file beyond its report: arrays, graphs, records, events, profiles; and writing it in another form.
#include "hostile_files.h"
#include "weft/arrays.h"
#include "weft/checkpoint.h"
#include "weft/debug_dump.h"
#include "weft/event_plugins.h"
#include "weft/events.h"
#include "weft/examples.h"
#include "weft/file_kinds.h"
#include "weft/inspect.h"
#include "weft/object_graph.h"
#include "weft/profile.h"
#include "weft/projector.h"
#include "weft/record_schema.h"
#include "weft/saved_model.h"

using namespace weft;

namespace {

void askForArrays(HostileFiles& hostile) {
  std::vector<std::string> warnings;
  const auto arrays = readArrays(hostile.path, &warnings, &hostile.files);
  if (!arrays.ok()) return;
  size_t bytes = 0;
  for (const NamedTensor& array : *arrays) bytes += array.second.bytes();
  if (bytes > size_t(64) << 20) return;  // to write so much takes long in any case
  for (const NamedTensor& array : *arrays) {
    (void)encodeNpy(array.second);
    (void)encodeSound(array.second, 8000);
    (void)summaryOf(array.second);
  }
  (void)saveNpz("out.npz", *arrays, true, &hostile.files);
}

void askForRecords(HostileFiles& hostile) {
  const auto records = RecordFile::open(hostile.path, 1000, {}, &hostile.files);
  if (!records.ok()) return;
  SchemaInference inference;
  for (int64_t i = 0; i < (*records)->count(); ++i) {
    const auto record = (*records)->read(i);
    if (!record.ok()) continue;
    inference.add(*record);
    (void)bytesContent(*record);
    for (const RecordForm form : {RecordForm::Example, RecordForm::SequenceExample}) (void)parseExample(*record, form);
  }
  const RecordSchema schema = inference.schema();
  const auto specs = proposeSpecs(schema);
  (void)parseProgram(schema, specs, {hostile.path, (*records)->compression(), (*records)->count()});
  if ((*records)->count() == 0) return;
  const auto first = (*records)->read(0);
  const auto features = first.ok() ? parseExample(*first, schema.form) : Result<std::vector<ExampleFeature>>(std::vector<ExampleFeature>());
  if (!features.ok()) return;
  for (const FeatureSpec& spec : specs)
    for (const ExampleFeature& feature : *features)
      if (feature.name == spec.name) (void)applySpec(spec, &feature);
}

void askForRuns(HostileFiles& hostile, const std::string& path) {
  (void)readEventGraph(path, &hostile.files);
  const auto tags = eventRunTags(path, &hostile.files);
  if (!tags.ok()) return;
  for (const std::string& tag : *tags)
    if (const auto run = readEventRun(path, tag, &hostile.files); run.ok()) (void)readTraceBytes(*run, "t");
}

void askForEvents(HostileFiles& hostile, const std::string& path) {
  const auto events = EventReader::open(path, &hostile.files);
  if (!events.ok()) return;
  Event event;
  for (int i = 0; i < 1000; ++i) {
    const auto got = (*events)->next(&event);
    if (!got.ok() || !*got) break;
    (void)encodeSummary(event.values);
    for (const SummaryValue& value : event.values) {
      (void)decodeHParams(value.pluginContent);
      (void)decodeMeshPart(value.pluginContent);
      if (const auto* tensor = std::get_if<Tensor>(&value.value); tensor && tensor->dtype() == DType::String && tensor->elements() == 1)
        (void)decodeChartLayout(tensor->flat<std::string>()[0]);
      if (const auto* image = std::get_if<ImageValue>(&value.value)) (void)decodeImage(image->encoded);
    }
  }
}

void askForVariables(HostileFiles& hostile, const std::string& prefix) {
  const auto reader = CheckpointReader::open(prefix, &hostile.files);
  if (!reader.ok()) return;
  (void)(*reader)->verify();
  if (const auto objects = readObjectGraph(**reader); objects.ok()) (void)keysByFullName(*objects);
}

void askForProfile(std::string_view bytes) {
  const auto trace = readTraceBytes(bytes, "t");
  if (!trace.ok()) return;
  (void)toPprof(*trace);
  (void)toTfprof(*trace);
  (void)toOpLog(*trace);
}

void askForGraph(HostileFiles& hostile) {
  const auto loaded = openModelGraph(hostile.path, nullptr, &hostile.files);
  (void)loaded.ok();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const auto hostile = hostileFiles(data, size);
  if (hostile->path.empty()) return 0;
  const FileKind* kind = fileKindOf(hostile->path, &hostile->files);
  if (hostile->path == "m" && !hostile->parts.empty()) (void)parseObjectGraph(hostile->parts[0]);
  if (!kind) return 0;
  const std::string name = kind->name;
  if (kind->hasArrays) askForArrays(*hostile);
  if (kind->hasGraph) askForGraph(*hostile);
  if (name == "tfrecord") askForRecords(*hostile);
  if (name == "events" || name == "logdir") {
    askForRuns(*hostile, hostile->path);
    askForEvents(*hostile, name == "events" ? hostile->path : "l/events.out.tfevents.1");
  }
  if (name == "checkpoint") askForVariables(*hostile, "m");
  if (name == "savedmodel") {
    (void)readSavedModel(hostile->path, {}, &hostile->files);
    askForVariables(*hostile, "s/variables/variables");
  }
  if (name == "tfdbg_dump")
    if (const auto dump = DebugDump::open(hostile->path, &hostile->files); dump.ok())
      for (size_t i = 0; i < dump->tensors().size(); ++i) (void)dump->read(i);
  if (name == "projector_config") {
    (void)readProjectorSettings(hostile->path, &hostile->files);
    (void)readProjectorLabels("p/labels.tsv", 100, &hostile->files);
  }
  if (name == "trace" || name == "run_metadata" || name == "tfprof" || name == "tfprof_oplog" || name == "xplane" || name == "pprof")
    if (!hostile->parts.empty()) askForProfile(hostile->parts[0]);
  return 0;
}
