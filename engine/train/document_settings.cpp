#include <google/protobuf/any.pb.h>
#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>

#include "proto/weft_document.pb.h"
#include "weft/train.h"

// The `weft/` collections of a document that concern training: each is an any_list with one Any that holds a Weft message.
namespace weft {
namespace {

namespace pb = document;

constexpr const char* kTraining = "weft/training";
constexpr const char* kDataset = "weft/dataset";
constexpr const char* kDocument = "weft/document";
constexpr int kSchemaVersion = 1;

/// Message `index` of a collection; false if there is none.
template <typename Message>
Result<bool> unpack(const MetaGraph& meta, const char* collection, size_t index, Message* message) {
  const auto it = meta.collections.find(collection);
  if (it == meta.collections.end() || index >= it->second.anys.size()) return false;
  google::protobuf::Any any;
  if (!any.ParseFromString(it->second.anys[index]) || !any.UnpackTo(message))
    return invalidArgument("the collection ", collection, " does not hold what its name says: expected ", Message::descriptor()->full_name());
  return true;
}

/// Deterministic serialization (maps are sorted).
template <typename Message>
std::string packed(const Message& message) {
  google::protobuf::Any any;
  any.set_type_url("type.googleapis.com/" + Message::descriptor()->full_name());
  {
    google::protobuf::io::StringOutputStream stream(any.mutable_value());
    google::protobuf::io::CodedOutputStream out(&stream);
    out.SetSerializationDeterministic(true);
    message.SerializeToCodedStream(&out);
  }
  return any.SerializeAsString();
}

void put(MetaGraph& meta, const char* collection, std::vector<std::string> anys) {
  Collection c;
  c.kind = Collection::Kind::Anys;
  c.anys = std::move(anys);
  meta.collections[collection] = std::move(c);
}

template <typename Map>
std::map<std::string, std::string> sorted(const Map& map) {
  return {map.begin(), map.end()};
}

}  // namespace

Result<TrainingSettings> trainingSettingsOf(const MetaGraph& meta) {
  pb::TrainingSettings m;
  WEFT_LET(const bool there, unpack(meta, kTraining, 0, &m));
  if (!there) return notFound("the document says nothing about training: it has no collection ", kTraining);
  TrainingSettings s;
  s.trainOp = m.train_op();
  s.initOp = m.init_op();
  s.loss = m.loss();
  s.accuracy = m.accuracy();
  for (const auto& t : m.metric()) s.metrics.emplace_back(t.name(), t.tensor());
  s.summaries.assign(m.summary().begin(), m.summary().end());
  s.evalFeed = sorted(m.eval_feed());
  s.trainFeed = sorted(m.train_feed());
  s.steps = m.steps();
  s.epochs = m.epochs();
  s.summaryEverySteps = m.summary_every_steps();
  s.checkpointEverySteps = m.checkpoint_every_steps();
  s.checkpointEverySecs = m.checkpoint_every_secs();
  s.evalEverySteps = m.eval_every_steps();
  s.maxToKeep = m.max_to_keep() > 0 ? m.max_to_keep() : 5;
  for (const auto& l : m.live()) s.live.push_back({l.name(), l.tensor(), l.value(), l.minimum(), l.maximum(), l.logarithmic()});
  s.logFolder = m.log_folder();
  s.checkpointFolder = m.checkpoint_folder();
  s.globalStep = m.global_step();
  if (!m.precision().empty()) {
    auto precision = precisionNamed(m.precision());
    if (!precision.ok()) return invalidArgument("the training settings: ", precision.error().message);
    s.precision = *precision;
  }
  return s;
}

void setTrainingSettings(MetaGraph& meta, const TrainingSettings& s) {
  pb::TrainingSettings m;
  m.set_train_op(s.trainOp);
  m.set_init_op(s.initOp);
  m.set_loss(s.loss);
  m.set_accuracy(s.accuracy);
  for (const auto& [name, tensor] : s.metrics) {
    auto* t = m.add_metric();
    t->set_name(name);
    t->set_tensor(tensor);
  }
  for (const std::string& t : s.summaries) m.add_summary(t);
  m.mutable_eval_feed()->insert(s.evalFeed.begin(), s.evalFeed.end());
  m.mutable_train_feed()->insert(s.trainFeed.begin(), s.trainFeed.end());
  m.set_steps(s.steps);
  m.set_epochs(s.epochs);
  m.set_summary_every_steps(s.summaryEverySteps);
  m.set_checkpoint_every_steps(s.checkpointEverySteps);
  m.set_checkpoint_every_secs(s.checkpointEverySecs);
  m.set_eval_every_steps(s.evalEverySteps);
  m.set_max_to_keep(s.maxToKeep);
  for (const LiveScalar& l : s.live) {
    auto* out = m.add_live();
    out->set_name(l.name);
    out->set_tensor(l.tensor);
    out->set_value(l.value);
    out->set_minimum(l.minimum);
    out->set_maximum(l.maximum);
    out->set_logarithmic(l.logarithmic);
  }
  m.set_log_folder(s.logFolder);
  m.set_checkpoint_folder(s.checkpointFolder);
  m.set_global_step(s.globalStep);
  if (s.precision != ProductPrecision::Float32) m.set_precision(std::string(precisionName(s.precision)));
  put(meta, kTraining, {packed(m)});
}

Result<std::vector<DatasetBinding>> datasetBindingsOf(const MetaGraph& meta) {
  std::vector<DatasetBinding> bindings;
  for (size_t i = 0;; ++i) {
    pb::DatasetBinding m;
    WEFT_LET(const bool there, unpack(meta, kDataset, i, &m));
    if (!there) return bindings;
    DatasetBinding b;
    b.kind = m.kind();
    b.path = m.path();
    b.builtin = m.builtin();
    b.placeholders = sorted(m.placeholders());
    b.validationFraction = m.validation_fraction();
    b.seed = m.seed();
    b.shuffle = m.shuffle();
    b.batchSize = m.batch_size() > 0 ? m.batch_size() : 32;
    b.options = sorted(m.options());
    bindings.push_back(std::move(b));
  }
}

void setDatasetBindings(MetaGraph& meta, const std::vector<DatasetBinding>& bindings) {
  std::vector<std::string> anys;
  for (const DatasetBinding& b : bindings) {
    pb::DatasetBinding m;
    m.set_kind(b.kind);
    m.set_path(b.path);
    m.set_builtin(b.builtin);
    m.mutable_placeholders()->insert(b.placeholders.begin(), b.placeholders.end());
    m.set_validation_fraction(b.validationFraction);
    m.set_seed(b.seed);
    m.set_shuffle(b.shuffle);
    m.set_batch_size(b.batchSize);
    m.mutable_options()->insert(b.options.begin(), b.options.end());
    anys.push_back(packed(m));
  }
  put(meta, kDataset, std::move(anys));
}

std::optional<DocumentInfo> documentInfoOf(const MetaGraph& meta) {
  pb::DocumentInfo m;
  const auto there = unpack(meta, kDocument, 0, &m);
  if (!there.ok() || !*there) return std::nullopt;
  return DocumentInfo{m.schema_version(), m.title(), m.notes()};
}

void setDocumentInfo(MetaGraph& meta, const DocumentInfo& info) {
  pb::DocumentInfo m;
  m.set_schema_version(info.schemaVersion > 0 ? info.schemaVersion : kSchemaVersion);
  m.set_title(info.title);
  m.set_notes(info.notes);
  put(meta, kDocument, {packed(m)});
}

}  // namespace weft
