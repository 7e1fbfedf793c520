#include <QTest>
#include <functional>

#include "crash_disk.h"
#include "weft/arrays.h"
#include "weft/checkpoint.h"
#include "weft/events.h"
#include "weft/graph.h"
#include "weft/records.h"
#include "weft/saved_model.h"

using namespace weft;

namespace {

/// A reader's verdict on a state.
enum class Found { Old, New, Between, Refused };

Tensor valueOf(int version) { return Tensor::vector(std::vector<float>(300, float(version))); }

Status writeCheckpoint(FileSystem& files, const std::string& prefix, int version) {
  WEFT_LET(auto writer, CheckpointWriter::create(prefix, &files));
  WEFT_TRY(writer->add("a", valueOf(version)));
  WEFT_TRY(writer->add("b", valueOf(version)));
  return writer->finish();
}

/// The version that all tensors of a checkpoint are of. DATA_LOSS if it cannot be read; INTERNAL if they differ, which no reader may be given.
Result<int> versionOf(FileSystem& files, const std::string& prefix) {
  WEFT_LET(auto reader, CheckpointReader::open(prefix, &files));
  std::optional<float> version;
  for (const char* name : {"a", "b"}) {
    WEFT_LET(const Tensor t, reader->read(name));
    for (int64_t i = 0; i < t.elements(); ++i) {
      if (version && *version != t.at<float>(i)) return internalError(name, " mixes versions");
      version = t.at<float>(i);
    }
  }
  return int(version.value_or(-1));
}

CrashDisk::Files filesOfWriter(const std::function<Status(FileSystem&)>& write) {
  MemoryFiles files;
  if (const Status s = write(files); !s.ok()) qFatal("%s", s.toString().c_str());
  CrashDisk::Files out;
  for (const auto& [path, content] : files.files) out[path] = *content;
  return out;
}

Found oldOrNew(const Result<int>& version, int old, int fresh) {
  if (!version.ok()) return version.error().code == Code::Internal ? Found::Between : Found::Refused;
  return *version == old ? Found::Old : *version == fresh ? Found::New : Found::Between;
}

constexpr const char* kDocument = "node { name: \"x\" op: \"NoOp\" }\n";
constexpr const char* kModel =
    "meta_info_def { } graph_def { node { name: \"v\" op: \"VariableV2\" attr { key: \"dtype\" value { type: DT_FLOAT } } attr { key: \"shape\" value { shape { dim { size: 300 } } } } } } "
    "saver_def { version: V2 }";

struct Scenario {
  const char* name;
  std::function<Status(FileSystem&)> before, write;
  std::function<Found(FileSystem&)> read;
  bool mayRefuse = false;  ///< The format cannot do better than to say that it is torn.
};

std::vector<Scenario> scenarios() {
  std::vector<Scenario> out;
  const auto document = [](const char* text) { return [text](FileSystem& f) { return f.writeAtomically("d/graph.pbtxt", text); }; };
  const std::string longer = std::string(kDocument) + "node { name: \"y\" op: \"NoOp\" }\n";
  out.push_back({"document", document(kDocument), [longer](FileSystem& f) { return f.writeAtomically("d/graph.pbtxt", longer); },
                 [longer](FileSystem& f) {
                   const auto text = f.readAll("d/graph.pbtxt");
                   return !text.ok() ? Found::Refused : *text == kDocument ? Found::Old : *text == longer ? Found::New : Found::Between;
                 }});
  out.push_back({"array", [](FileSystem& f) { return saveNpy("d/a.npy", valueOf(1), &f); }, [](FileSystem& f) { return saveNpy("d/a.npy", valueOf(2), &f); },
                 [](FileSystem& f) {
                   const auto t = loadNpy("d/a.npy", &f);
                   return !t.ok()                                          ? Found::Refused
                          : t->at<float>(0) == 1 && t->at<float>(299) == 1 ? Found::Old
                          : t->at<float>(0) == 2 && t->at<float>(299) == 2 ? Found::New
                                                                           : Found::Between;
                 }});
  // A training's: a new checkpoint, then the state file that names it, then the old one goes.
  const auto step = [](FileSystem& f, int version) -> Status {
    const std::string prefix = "d/model.ckpt-" + std::to_string(version);
    WEFT_TRY(writeCheckpoint(f, prefix, version));
    CheckpointState state;
    state.latest = prefix;
    state.all = {prefix};
    WEFT_TRY(writeCheckpointState("d", state, true, "checkpoint", &f));
    return version > 1 ? removeCheckpoint("d/model.ckpt-" + std::to_string(version - 1), &f) : Status();
  };
  out.push_back({"checkpoint of the next step", [step](FileSystem& f) { return step(f, 1); }, [step](FileSystem& f) { return step(f, 2); },
                 [](FileSystem& f) {
                   const auto latest = latestCheckpoint("d", "checkpoint", &f);
                   return latest ? oldOrNew(versionOf(f, *latest), 1, 2) : Found::Refused;
                 }});
  out.push_back({"checkpoint of the same name", [](FileSystem& f) { return writeCheckpoint(f, "d/model", 1); },
                 [](FileSystem& f) { return writeCheckpoint(f, "d/model", 2); }, [](FileSystem& f) { return oldOrNew(versionOf(f, "d/model"), 1, 2); }, true});
  const auto v1 = [](FileSystem& f, int version) {
    const std::vector<V1Item> items = {{"a", valueOf(version), {}}, {"b", valueOf(version), {}}};
    return writeCheckpointV1("d/old", items, &f);
  };
  out.push_back({"checkpoint of version 1", [v1](FileSystem& f) { return v1(f, 1); }, [v1](FileSystem& f) { return v1(f, 2); },
                 [](FileSystem& f) { return oldOrNew(versionOf(f, "d/old"), 1, 2); }});
  out.push_back({"shards joined", [step](FileSystem& f) { return step(f, 1); },
                 [](FileSystem& f) -> Status {
                   for (const char* name : {"a", "b"}) {
                     WEFT_LET(auto writer, CheckpointWriter::create(std::string("d/part-") + name, &f));
                     WEFT_TRY(writer->add(name, valueOf(2)));
                     WEFT_TRY(writer->finish());
                   }
                   WEFT_TRY(mergeCheckpoints({"d/part-a", "d/part-b"}, "d/model.ckpt-2", &f));
                   CheckpointState state;
                   state.latest = "d/model.ckpt-2";
                   state.all = {state.latest};
                   return writeCheckpointState("d", state, true, "checkpoint", &f);
                 },
                 [](FileSystem& f) {
                   const auto latest = latestCheckpoint("d", "checkpoint", &f);
                   return latest ? oldOrNew(versionOf(f, *latest), 1, 2) : Found::Refused;
                 }});
  // A model that is found is whole.
  out.push_back({"SavedModel", [](FileSystem& f) { return writeCheckpoint(f, "d/model", 2); },
                 [](FileSystem& f) -> Status {
                   WEFT_LET(auto reader, CheckpointReader::open("d/model", &f));
                   SavedModelOptions options;
                   options.files = &f;
                   return writeSavedModel("m", kModel, reader.get(), options);
                 },
                 [](FileSystem& f) {
                   if (!f.exists("m/saved_model.pb")) return Found::Old;
                   return f.readAll("m/saved_model.pb").ok() ? oldOrNew(versionOf(f, "m/variables/variables"), 1, 2) : Found::Refused;
                 }});
  // Records: a number of whole ones from the beginning.
  out.push_back({"records", [](FileSystem&) { return Status(); },
                 [](FileSystem& f) -> Status {
                   WEFT_LET(auto writer, RecordWriter::create("d/r.tfrecord", Compression::None, &f));
                   for (int i = 0; i < 6; ++i) WEFT_TRY(writer->write("record " + std::to_string(i)));
                   return writer->close();
                 },
                 [](FileSystem& f) {
                   auto reader = RecordReader::open("d/r.tfrecord", Compression::None, &f);
                   if (!reader.ok()) return Found::Old;
                   std::string record;
                   for (int i = 0;; ++i) {
                     const auto more = (*reader)->next(&record);
                     if (!more.ok() || !*more) return i == 6 ? Found::New : Found::Old;
                     if (record != "record " + std::to_string(i)) return Found::Between;
                   }
                 }});
  out.push_back({"events", [](FileSystem&) { return Status(); },
                 [](FileSystem& f) -> Status {
                   EventWriter::Options options;
                   options.files = &f;
                   options.now = 1500000000;
                   WEFT_LET(auto writer, EventWriter::create("d", options));
                   for (int i = 0; i < 6; ++i) {
                     WEFT_TRY(writer->addScalar("loss", float(i), i, 1));
                     if (i == 2) WEFT_TRY(writer->flush());
                   }
                   return writer->close();
                 },
                 [](FileSystem& f) {
                   const auto names = f.list("d");
                   if (!names.ok() || names->empty()) return Found::Old;
                   auto reader = EventReader::open("d/" + (*names)[0], &f);
                   if (!reader.ok()) return Found::Old;
                   Event event;
                   int steps = 0;
                   for (auto more = (*reader)->next(&event); more.ok() && *more; more = (*reader)->next(&event)) {
                     if (event.values.empty()) continue;
                     if (event.step != steps++) return Found::Between;
                   }
                   return steps == 6 ? Found::New : Found::Old;
                 }});
  return out;
}

}  // namespace

/// Power loss: after every operation of every writer, the format's reader opens every state that may be on disk. It must find the old contents or the new,
/// never anything else. WEFT_CRASH_STATES limits the states per operation.
class CrashStatesTest : public QObject {
  Q_OBJECT
 private slots:
  void readersFindOldOrNew_data() {
    QTest::addColumn<int>("number");
    int number = 0;
    for (const Scenario& s : scenarios()) QTest::newRow(s.name) << number++;
  }
  void readersFindOldOrNew() {
    QFETCH(int, number);
    const Scenario s = scenarios()[size_t(number)];
    const size_t most = qEnvironmentVariableIsSet("WEFT_CRASH_STATES") ? qEnvironmentVariable("WEFT_CRASH_STATES").toULongLong() : 256;
    CrashDisk disk(filesOfWriter(s.before));
    const Status written = s.write(disk);
    QVERIFY2(written.ok(), written.toString().c_str());
    std::mt19937_64 random(7);
    size_t states = 0;
    std::map<Found, size_t> found;
    for (size_t k = 0; k <= disk.operations(); ++k) {
      states += disk.eachState(k, most, random, [&](const CrashDisk::Files& state) {
        MemoryFiles files = filesOf(state);
        ++found[s.read(files)];
      });
    }
    qInfo("%s: %zu operations, %zu states: %zu old, %zu new, %zu refused by name, %zu neither", s.name, disk.operations(), states, found[Found::Old],
          found[Found::New], found[Found::Refused], found[Found::Between]);
    QCOMPARE(found[Found::Between], size_t(0));
    if (!s.mayRefuse) QCOMPARE(found[Found::Refused], size_t(0));
    QVERIFY2(found[Found::New] > 0, "the whole was never found: nothing was judged");
  }
};

QTEST_GUILESS_MAIN(CrashStatesTest)
#include "tst_crash_states.moc"
