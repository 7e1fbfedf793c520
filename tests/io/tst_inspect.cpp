#include <QFile>
#include <QSet>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <random>

#include <sys/stat.h>

#include "memory_files.h"
#include "weft/checkpoint.h"
#include "weft/file_kinds.h"
#include "weft/inspect.h"

using namespace weft;
using Json = nlohmann::json;

namespace {

const std::string kFiles = std::string(WEFT_SOURCE_DIR) + "/tests/golden/files/";

/// Objects that must have exactly the expected keys.
bool isExact(const std::string& key) {
  static const char* const kKeys[] = {"ops",           "devices", "collections", "signatures", "features", "context",
                                      "feature_lists", "phases",  "labels",      "files",      "inputs",   "outputs"};
  return std::find(std::begin(kKeys), std::end(kKeys), key) != std::end(kKeys);
}

/// The first difference between `got` and the expectation, or nothing.
std::string difference(const Json& want, const Json& got, const std::string& key, const std::string& where) {
  if (want.is_object()) {
    if (!got.is_object()) return where + ": want an object, got " + got.dump();
    for (const auto& [k, v] : want.items()) {
      if (!got.contains(k)) return where + "." + k + ": missing";
      if (const std::string d = difference(v, got[k], k, where + "." + k); !d.empty()) return d;
    }
    if (isExact(key))
      for (const auto& [k, v] : got.items())
        if (!want.contains(k)) return where + "." + k + ": not expected";
    return {};
  }
  if (want.is_array()) {
    if (!got.is_array() || got.size() != want.size()) return where + ": want " + want.dump() + ", got " + got.dump();
    for (size_t i = 0; i < want.size(); ++i)
      if (const std::string d = difference(want[i], got[i], "", where + "[" + std::to_string(i) + "]"); !d.empty()) return d;
    return {};
  }
  if (want.is_number_float() && got.is_number()) {
    const double a = want, b = got;
    return std::abs(a - b) <= 1e-12 * std::abs(a) ? "" : where + ": want " + want.dump() + ", got " + got.dump();
  }
  return want == got ? "" : where + ": want " + want.dump() + ", got " + got.dump();
}

}  // namespace

class InspectTest : public QObject {
  Q_OBJECT

 private slots:
  void knownFiles_data() {
    QTest::addColumn<QString>("line");
    std::ifstream in(kFiles + "expected.jsonl");
    for (std::string line; std::getline(in, line);) QTest::newRow(Json::parse(line)["file"].get<std::string>().c_str()) << QString::fromStdString(line);
  }
  void knownFiles() {
    QFETCH(QString, line);
    const Json expected = Json::parse(line.toStdString());
    const bool broken = expected.value("broken", false);
    const int exitCode = expected.value("exit_code", broken ? 1 : 0);
    const Inspection found = inspectPath(kFiles + expected["file"].get<std::string>());
    const Json got = Json::parse(found.json);
    QCOMPARE(got["inspect_version"].get<int>(), 1);
    if (exitCode == 0) {
      QVERIFY2(found.status.ok(), found.status.toString().c_str());
      QVERIFY(!got.contains("error"));
    } else {
      QVERIFY2(!found.status.ok(), "no error");
      const std::string kind = got["error"]["kind"], message = got["error"]["message"];
      QVERIFY(!message.empty() && message.find('\n') == std::string::npos);
      bool accepted = !expected.contains("error_kind") || kind == expected["error_kind"];
      for (const auto& k : expected.value("also_accepted", Json::array())) accepted = accepted || kind == k;
      QVERIFY2(accepted, (kind + ": " + message).c_str());
    }
    if (expected.contains("inspect")) {
      const std::string d = difference(expected["inspect"], got, "", "");
      QVERIFY2(d.empty(), d.c_str());
    }
  }

  /// Damages the known files at random: the answer is always one JSON object and a known kind of error.
  void randomDamageIsAnsweredCalmly() {
    static const char* const kKinds[] = {"not_found",           "unrecognized", "not_downloaded", "truncated",    "bad_checksum",   "malformed",
                                         "bad_syntax",          "too_deep",     "too_large",      "out_of_range", "invalid_tensor", "invalid_graph",
                                         "unsupported_version", "unsupported",  "missing_file"};
    std::ifstream in(kFiles + "expected.jsonl");
    std::mt19937 random(std::random_device{}());
    const unsigned seed = random();
    random.seed(seed);
    for (std::string line; std::getline(in, line);) {
      const std::string name = Json::parse(line)["file"];
      auto bytes = posixFileSystem().readAll(kFiles + name);
      if (!bytes.ok() || bytes->empty()) continue;
      for (int round = 0; round < 12; ++round) {
        std::string damaged = *bytes;
        for (unsigned i = 0; i <= random() % 4; ++i) {
          switch (random() % 4) {
            case 0: damaged[random() % damaged.size()] = char(random()); break;
            case 1: damaged[random() % damaged.size()] ^= char(1 << random() % 8); break;
            case 2: damaged.resize(1 + random() % damaged.size()); break;
            default: damaged.insert(random() % damaged.size(), 1 + random() % 9, char(random() % 2 ? 0xff : 0)); break;
          }
        }
        MemoryFiles files;
        const std::string path = fileNameOf(name);
        files.files[path] = std::make_shared<std::string>(damaged);
        InspectOptions options;
        options.files = &files;
        const Inspection found = inspectPath(path, options);
        const std::string which = name + " seed " + std::to_string(seed) + " round " + std::to_string(round);
        QVERIFY2(!Json::parse(found.json, nullptr, false).is_discarded(), which.c_str());
        if (found.status.ok()) continue;
        const std::string& kind = found.status.error().kind;
        QVERIFY2(std::find(std::begin(kKinds), std::end(kKinds), kind) != std::end(kKinds), (which + ": " + kind).c_str());
      }
    }
  }

  /// A model whose variables lost their data: the report gets a problem while its variables are being described.
  void modelWithoutData() {
    std::string model;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(kFiles + "savedmodels"))
      if (model.empty() && entry.path().filename() == "variables.index") model = entry.path().parent_path().parent_path().string();
    QVERIFY(!model.empty());
    MemoryFiles files;
    for (const char* name : {"saved_model.pb", "variables/variables.index"}) {
      std::ifstream in(model + "/" + name, std::ios::binary);
      QVERIFY2(in.good(), name);
      files.files["m/" + std::string(name)] = std::make_shared<std::string>(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
    }
    files.folders.insert("m");
    files.folders.insert("m/variables");
    InspectOptions options;
    options.files = &files;
    const Json got = Json::parse(inspectPath("m/saved_model.pb", options).json);
    QCOMPARE(got["variables"]["complete"].get<bool>(), false);
    QCOMPARE(got["problems"][0]["kind"].get<std::string>(), std::string("missing_file"));
  }

  /// The layers of a SavedModel that Keras saved; the file is no graph.
  void metadataOfKerasIsNamed() {
    const auto field = [](int number, const std::string& content) { return std::string{char(number << 3 | 2), char(content.size())} + content; };
    const std::string version("\x0a\x04\x08\x01\x10\x01", 6);
    const std::string model = field(1, version + field(3, "root") + field(4, "_tf_keras_network") + field(5, R"({"class_name": "Functional", "name": "m"})"));
    const std::string layer = field(1, version + std::string("\x10\x03", 2) + field(3, "root.layer-1") + field(4, "_tf_keras_layer") + field(5, "{"));
    MemoryFiles files;
    files.files["keras_metadata.pb"] = std::make_shared<std::string>(model + layer);
    files.files["cut.pb"] = std::make_shared<std::string>((model + layer).substr(0, model.size() + 20));
    InspectOptions options;
    options.files = &files;
    const Inspection found = inspectPath("keras_metadata.pb", options);
    QVERIFY2(found.status.ok(), found.status.toString().c_str());
    const Json got = Json::parse(found.json);
    QCOMPARE(got["kind"].get<std::string>(), std::string("keras_metadata"));
    QCOMPARE(got["objects"][0]["class_name"].get<std::string>(), std::string("Functional"));
    QCOMPARE(got["objects"][1]["path"].get<std::string>(), std::string("root.layer-1"));
    QCOMPARE(inspectPath("cut.pb", options).status.error().kind, std::string("truncated"));
  }

  /// The graph of a model comes with its report, so that the file is read once.
  void modelsComeWithTheirReports() {
    const std::string path = kFiles + "onnx/convolutions.onnx";
    std::optional<OpenedModel> model;
    QVERIFY(inspectPath(path, {.model = &model}).status.ok());
    QVERIFY(model && model->graph.ok());
    QCOMPARE(*serializeGraph(model->graph->meta, GraphFormat::MetaBinary), *serializeGraph(openModelGraph(path)->meta, GraphFormat::MetaBinary));
    QCOMPARE(*model->bytes, *posixFileSystem().readAll(path));
    model.reset();
    MemoryFiles files;
    files.files["cut.onnx"] = std::make_shared<std::string>(posixFileSystem().readAll(path)->substr(0, 1000));
    QVERIFY(!inspectPath("cut.onnx", {.files = &files, .model = &model}).status.ok());
    QVERIFY(!model);
  }

  void whatIsNotThere() {
    const Inspection found = inspectPath(kFiles + "no such file");
    QCOMPARE(found.status.error().kind, std::string("not_found"));
    QVERIFY(Json::parse(found.json)["kind"].is_null());
    const QTemporaryDir nothing;
    QCOMPARE(inspectPath(nothing.path().toStdString()).status.error().kind, std::string("missing_file"));
  }
  void aPipeIsNotWaitedFor() {
    const QTemporaryDir folder;
    const std::string pipe = folder.filePath("pipe").toStdString();
    QCOMPARE(mkfifo(pipe.c_str(), 0600), 0);
    QCOMPARE(inspectPath(pipe).status.error().kind, std::string("unsupported"));
    QVERIFY(!isGraphFile(pipe));
  }
  void aTrainingFolderNamesItsCheckpoints() {
    const QTemporaryDir folder;
    const auto in = [&](const char* name) { return folder.filePath(name).toStdString(); };
    for (const char* prefix : {"model.ckpt-10", "model.ckpt-9", "older-7"}) {
      auto writer = CheckpointWriter::create(in(prefix));
      QVERIFY(writer.ok());
      QVERIFY((*writer)->add("v", Tensor::scalar(1.0f)).ok());
      QVERIFY((*writer)->finish().ok());
    }
    QVERIFY(posixFileSystem()
                .writeAtomically(in("checkpoint"),
                                 "model_checkpoint_path: \"model.ckpt-10\"\nall_model_checkpoint_paths: \"model.ckpt-9\"\n"
                                 "all_model_checkpoint_paths: \"model.ckpt-10\"\n")
                .ok());
    QVERIFY(posixFileSystem().writeAtomically(in("table.csv"), "a,b\n1,2\n").ok());
    QVERIFY(posixFileSystem().writeAtomically(in("notes.txt"), "what nobody knows").ok());
    const Inspection found = inspectPath(folder.path().toStdString());
    QVERIFY(found.status.ok());
    QCOMPARE(found.kind, std::string("folder"));
    const Json report = Json::parse(found.json);
    QCOMPARE(report["latest"].get<std::string>(), std::string("model.ckpt-10"));
    std::string names;
    for (const Json& checkpoint : report["checkpoints"]) names += checkpoint["name"].get<std::string>() + " ";
    QCOMPARE(names, std::string("older-7 model.ckpt-9 model.ckpt-10 "));  // the one that the state file forgot is the oldest
    QCOMPARE(report["checkpoints"][0]["files"].size(), size_t(2));
    std::string entries;
    for (const Json& entry : report["entries"])
      entries += entry["name"].get<std::string>() + ":" + (entry["kind"].is_null() ? "-" : entry["kind"].get<std::string>()) + " ";
    QCOMPARE(entries, std::string("checkpoint:checkpoint_state notes.txt:- table.csv:csv "));
  }
  void aFolderOfManyFilesIsListedInPart() {
    const QTemporaryDir folder;
    for (int i = 0; i < 1005; ++i) QVERIFY(posixFileSystem().writeAtomically(folder.filePath(QString::number(i) + ".csv").toStdString(), "a\n1\n").ok());
    const Json report = Json::parse(inspectPath(folder.path().toStdString()).json);
    QCOMPARE(report["entries"].size(), size_t(1000));
    QCOMPARE(report["problems"][0]["message"].get<std::string>(), std::string("5 more entries are not listed"));
  }
  void everyKindIsStatedOnceAndHasItsTexts() {
    QSet<QString> names;
    for (const FileKind* kind : fileKinds()) {
      QVERIFY2(!names.contains(kind->name), kind->name);
      names << kind->name;
      QVERIFY2(*kind->title && *kind->doc, kind->name);
      QCOMPARE(findFileKind(kind->name), kind);
    }
    QVERIFY(names.size() > 20);
    QVERIFY(!findFileKind("no such kind"));
  }
  void theDesktopKnowsTheTypesOfOurKinds() {
    const auto read = [](const char* name) {
      QFile file(QString(WEFT_SOURCE_DIR "/resources/desktop/") + name);
      return file.open(QFile::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
    };
    const QString types = read("io.weft.Studio.xml"), entry = read("io.weft.Studio.desktop");
    for (const FileKind* kind : fileKinds()) {
      if (!*kind->mimeType) continue;
      const QString type = kind->mimeType;
      QVERIFY2(entry.contains(type + ";"), kind->name);
      if (!type.startsWith("application/x-t")) continue;  // a type that the system has
      QVERIFY2(types.contains("\"" + type + "\""), kind->name);
      for (const QString& ending : QString(kind->endings).split(' ')) QVERIFY2(types.contains("\"*" + ending + "\""), qPrintable(ending));
    }
  }
  void schemasOfRecordsAreInferred() {
    InspectOptions options;
    options.parseCall = true;
    for (const char* name : {"examples.tfrecord", "examples.gz", "examples.zlib"}) {
      const Json report = Json::parse(inspectPath(kFiles + "tfrecord/" + name, options).json);
      const Json& features = report["schema"]["features"];
      QCOMPARE(features.size(), size_t(7));
      const Json expected{{"name", "sometimes"},
                          {"type", "float"},
                          {"length", "fixed"},
                          {"min_len", 2},
                          {"max_len", 2},
                          {"missing", 4},
                          {"parse", "tf.FixedLenFeature([2], tf.float32, default_value=[0.0] * 2)"}};
      QVERIFY2(features[4] == expected, features[4].dump().c_str());
      QVERIFY(report["parse_call"].get<std::string>().find("tf.io.parse_single_example(") != std::string::npos);
    }
    const Json sequences = Json::parse(inspectPath(kFiles + "tfrecord/sequences.tfrecord").json);
    QCOMPARE(sequences["schema"]["context"].size(), size_t(2));
    QCOMPARE(sequences["schema"]["feature_lists"][0]["parse"].get<std::string>(), std::string("tf.FixedLenSequenceFeature([3], tf.float32)"));
    QVERIFY(!sequences.contains("parse_call"));
    const Inspection bytes = inspectPath(kFiles + "tfrecord/raw_bytes.tfrecord", options);
    QCOMPARE(bytes.status.error().kind, std::string("unsupported"));
  }
  void meshesOfEventFilesAreListed() {
    const Json report = Json::parse(inspectPath(kFiles + "events/mesh/events.out.tfevents.1500000000.hostF").json);
    QCOMPARE(report["meshes"].size(), size_t(1));
    const Json& mesh = report["meshes"][0];
    QCOMPARE(mesh["name"].get<std::string>(), std::string("shape"));
    QVERIFY(mesh["vertices"] == 4 && mesh["faces"] == 2 && mesh["colors"] == 4 && mesh["points"] == 1);
    QVERIFY(report["problems"].empty());
  }
  void aFileWithoutAGraphIsNotOpenedAsOne() {
    const QTemporaryDir folder;
    const std::string table = folder.filePath("table.csv").toStdString();
    QVERIFY(posixFileSystem().writeAtomically(table, "a\n1\n").ok());
    const auto opened = openModelGraph(table);
    QVERIFY(!opened.ok());
    QCOMPARE(opened.error().message, std::string("expected a file with a graph; this is of kind csv"));
    QCOMPARE(opened.error().file, table);
    QCOMPARE(writeModel("csv", "", {}).error().message, std::string("graphs cannot be written as 'csv'"));
  }
};

QTEST_GUILESS_MAIN(InspectTest)
#include "tst_inspect.moc"
