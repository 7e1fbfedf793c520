#include <QTest>
#include <set>

#include "crash_disk.h"
#include "memory_files.h"
#include "weft/checkpoint_edit.h"

using namespace weft;

namespace {

using Inputs = std::vector<std::unique_ptr<CheckpointReader>>;

Tensor counting(const Shape& shape, float first = 0) {
  Tensor t = Tensor::zeros(DType::Float, shape);
  for (int64_t i = 0; i < t.elements(); ++i) t.mutableData<float>()[i] = first + float(i);
  return t;
}

/// net/w [6,4], net/b [4], net/emb [10,3] in three parts, global_step.
Status writeSample(FileSystem& files, const std::string& prefix, float first = 0) {
  WEFT_LET(auto writer, CheckpointWriter::create(prefix, &files));
  WEFT_TRY(writer->add("net/w", counting({6, 4}, first)));
  WEFT_TRY(writer->add("net/b", counting({4}, first)));
  const Tensor emb = counting({10, 3}, first);
  for (const auto& [start, rows] : {std::pair<int64_t, int64_t>{0, 4}, {4, 3}, {7, 3}})
    WEFT_TRY(writer->addSlice("net/emb", {10, 3}, {{start, rows}, {}}, emb.rows(start, start + rows)));
  WEFT_TRY(writer->add("global_step", Tensor::scalar<int64_t>(int64_t(first))));
  return writer->finish();
}

Inputs opened(FileSystem& files, const std::vector<std::string>& prefixes) {
  Inputs out;
  for (const std::string& prefix : prefixes)
    if (auto reader = CheckpointReader::open(prefix, &files); reader.ok()) out.push_back(std::move(*reader));
  return out;
}

/// Edits and returns the error, "" if there is none.
std::string edited(FileSystem& files, const std::vector<std::string>& from, const std::string& to, const CheckpointEdit& edit,
                   std::vector<std::string>* warnings = nullptr, const Progress& progress = {}) {
  const Inputs inputs = opened(files, from);
  if (inputs.size() != from.size()) return "an input cannot be opened";
  const auto plan = planCheckpointEdit(inputs, edit);
  if (!plan.ok()) return plan.error().message;
  const auto written = writeCheckpointEdit(inputs, edit, *plan, to, progress, &files);
  if (!written.ok()) return written.error().message;
  if (warnings) {
    *warnings = plan->warnings;
    warnings->insert(warnings->end(), written->begin(), written->end());
  }
  return {};
}

std::string names(FileSystem& files, const std::string& prefix) {
  std::string out;
  const auto reader = CheckpointReader::open(prefix, &files);
  if (!reader.ok()) return reader.error().message;
  for (const CheckpointEntry& e : (*reader)->tensors()) out += (out.empty() ? "" : " ") + e.name;
  return out;
}

Tensor valueIn(FileSystem& files, const std::string& prefix, const std::string& name) {
  const auto reader = CheckpointReader::open(prefix, &files);
  if (!reader.ok()) return {};
  const auto value = (*reader)->read(name);
  return value.ok() ? *value : Tensor();
}

std::set<std::string> paths(const MemoryFiles& files) {
  std::set<std::string> out;
  for (const auto& [path, content] : files.files) out.insert(path);
  return out;
}

#define VERIFY_EDITED(...)                         \
  do {                                             \
    const std::string error = edited(__VA_ARGS__); \
    QVERIFY2(error.empty(), error.c_str());        \
  } while (false)
#define ERROR_IS(expression, text) QCOMPARE(expression, std::string(text))

}  // namespace

class CheckpointEditTest : public QObject {
  Q_OBJECT

  MemoryFiles files_;

 private slots:
  void init() {
    files_ = MemoryFiles();
    QVERIFY(writeSample(files_, "a").ok());
    QVERIFY(writeSample(files_, "b", 10).ok());
  }

  void renamesByPatternAndTable() {
    CheckpointEdit edit;
    edit.renames = {{"^net/(.*)$", "model/$1"}, {"model/w", "model/kernel"}};
    edit.table = {{"net/b", "bias"}};
    VERIFY_EDITED(files_, {"a"}, "out", edit);
    QCOMPARE(names(files_, "out"), std::string("bias global_step model/emb model/kernel"));
    QVERIFY(valueIn(files_, "out", "model/kernel").identicalTo(counting({6, 4})));
    edit.table.clear();
    edit.renames = {{"(net)/(.)$", R"(\2/\1)"}};
    VERIFY_EDITED(files_, {"a"}, "out", edit);
    QCOMPARE(names(files_, "out"), std::string("b/net global_step net/emb w/net"));
  }

  void namesMayChangePlaces() {
    CheckpointEdit edit;
    edit.table = {{"net/b", "net/w"}, {"net/w", "net/b"}};
    VERIFY_EDITED(files_, {"a"}, "a", edit);
    QVERIFY(valueIn(files_, "a", "net/b").identicalTo(counting({6, 4})));
  }

  void keepsAndDrops() {
    CheckpointEdit edit;
    edit.keep = {"^net/"};
    edit.drop = {"emb"};
    VERIFY_EDITED(files_, {"a"}, "out", edit);
    QCOMPARE(names(files_, "out"), std::string("net/b net/w"));
  }

  void takesRowsAndColumns() {
    CheckpointEdit edit;
    edit.slices = {{"w$", "1:3,-2:"}, {"emb", "3:5"}};
    VERIFY_EDITED(files_, {"a"}, "out", edit);
    QVERIFY(valueIn(files_, "out", "net/w").identicalTo(Tensor::of<float>({6, 7, 10, 11}, {2, 2})));
    QVERIFY(valueIn(files_, "out", "net/emb").identicalTo(counting({10, 3}).rows(3, 5)));
  }

  void convertsThereAndBack() {
    CheckpointEdit edit;
    std::vector<std::string> warnings;
    for (const DType dtype : {DType::Half, DType::BFloat16, DType::Double}) {
      edit.casts = {{"", dtype}};
      VERIFY_EDITED(files_, {"a"}, "out", edit, &warnings);
      QVERIFY(warnings.empty());
      QCOMPARE(int(valueIn(files_, "out", "net/emb").dtype()), int(dtype));
      QCOMPARE(int(valueIn(files_, "out", "global_step").dtype()), int(DType::Int64));
      edit.casts = {{"", DType::Float}};
      VERIFY_EDITED(files_, {"out"}, "back", edit);
      QVERIFY(valueIn(files_, "back", "net/w").identicalTo(counting({6, 4})));  // small integers, which every one of these types holds
    }
  }

  void tellsOfNumbersThatAreTooLarge() {
    QVERIFY(writeSample(files_, "large", 65500).ok());
    CheckpointEdit edit;
    edit.casts = {{"w$", DType::Half}};
    std::vector<std::string> warnings;
    VERIFY_EDITED(files_, {"large"}, "out", edit, &warnings);
    QCOMPARE(warnings.size(), size_t(1));
    QCOMPARE(warnings[0], std::string("net/w: 4 numbers are too large for the new type and became infinite"));  // 65520 and above
  }

  void averages() {
    CheckpointEdit edit;
    edit.average = true;
    std::vector<std::string> warnings;
    VERIFY_EDITED(files_, {"a", "b"}, "out", edit, &warnings);
    QVERIFY(valueIn(files_, "out", "net/w").identicalTo(counting({6, 4}, 5)));
    QVERIFY(valueIn(files_, "out", "net/emb").identicalTo(counting({10, 3}, 5)));
    QCOMPARE(valueIn(files_, "out", "global_step").at<int64_t>(0), int64_t(10));
    QCOMPARE(warnings.size(), size_t(1));
    QVERIFY(warnings[0].starts_with("global_step is not averaged"));
  }

  void mergesAndNamesConflicts() {
    CheckpointEdit rename;
    rename.renames = {{"^", "second/"}};
    VERIFY_EDITED(files_, {"b"}, "c", rename);
    VERIFY_EDITED(files_, {"a", "c"}, "out", {});
    QCOMPARE(names(files_, "out"), std::string("global_step net/b net/emb net/w second/global_step second/net/b second/net/emb second/net/w"));
    ERROR_IS(edited(files_, {"a", "b"}, "out", {}), "global_step is in a and in b: say which is preferred, or drop it");
    CheckpointEdit prefer;
    prefer.prefer = CheckpointEdit::Prefer::Last;
    VERIFY_EDITED(files_, {"a", "b"}, "out", prefer);
    QVERIFY(valueIn(files_, "out", "net/w").identicalTo(counting({6, 4}, 10)));
  }

  void dividesAndJoinsVariables() {
    CheckpointEdit edit;
    edit.partitions = {{"w$", 3, 1}, {"emb", 1, 0}};
    VERIFY_EDITED(files_, {"a"}, "out", edit);
    const auto reader = CheckpointReader::open("out", &files_);
    QVERIFY((*reader)->find("net/emb")->slices.empty());
    const auto& slices = (*reader)->find("net/w")->slices;
    QCOMPARE(slices.size(), size_t(3));
    QCOMPARE(slices[0][1].length, int64_t(2));  // the first is longer, as TensorFlow divides
    QVERIFY((*reader)->read("net/w")->identicalTo(counting({6, 4})));
  }

  void changesNumberOfFilesAndVersion() {
    const CheckpointEdit plain;
    CheckpointEdit edit;
    edit.shards = 3;
    VERIFY_EDITED(files_, {"a"}, "a", edit);
    const std::set<std::string> others{"b.data-00000-of-00001", "b.index"};
    std::set<std::string> expected{"a.data-00000-of-00003", "a.data-00001-of-00003", "a.data-00002-of-00003", "a.index"};
    expected.insert(others.begin(), others.end());
    QVERIFY(paths(files_) == expected);
    edit.version = 1;
    VERIFY_EDITED(files_, {"a"}, "a", edit);
    expected = {"a-00000-of-00003", "a-00001-of-00003", "a-00002-of-00003"};
    expected.insert(others.begin(), others.end());
    QVERIFY(paths(files_) == expected);
    VERIFY_EDITED(files_, {"a"}, "a", plain);
    QVERIFY(valueIn(files_, "a", "net/emb").identicalTo(counting({10, 3})));
    QCOMPARE(paths(files_).size(), size_t(4));
  }

  void refusesByName_data() {
    QTest::addColumn<int>("kind");
    QTest::addColumn<QString>("message");
    int kind = 0;
    for (const char* message :
         {"keep 'nothing' matches no tensor", "both net/b and net/emb would be named x", "slice of net/w [6,4]: '9' is outside a dimension of 6",
          "slice of net/w [6,4]: '2' is not of the form START:STOP", "slice of net/w [6,4]: '2:2' is empty",
          "slice of net/w [6,4]: more ranges than the 2 dimensions of [6,4]", "cast: global_step is int64, which is not converted",
          "partition of net/b [4]: 4 cannot be divided into 5 parts", "partition of net/b [4]: axis 1 is none of the 1 of [4]",
          "7 data files are asked for, but the checkpoint has 6 tensors and parts", "the table renames gone, which the checkpoint does not have",
          "rename: '(' is not a regular expression that can be used (groups and classes are, back-references are not)",
          "a checkpoint of version 1 cannot hold bfloat16 (net/b)", "rename: net/b would get an empty name"})
      QTest::addRow("%d", kind) << kind << message, ++kind;
  }
  void refusesByName() {
    QFETCH(int, kind);
    QFETCH(QString, message);
    CheckpointEdit e;
    switch (kind) {
      case 0: e.keep = {"net", "nothing"}; break;
      case 1: e.renames = {{"net/.*", "x"}}; break;
      case 2: e.slices = {{"w", "0:9"}}; break;
      case 3: e.slices = {{"w", "2"}}; break;
      case 4: e.slices = {{"w", "2:2"}}; break;
      case 5: e.slices = {{"w", ":,:,:"}}; break;
      case 6: e.casts = {{"global", DType::Half}}; break;
      case 7: e.partitions = {{"/b", 5, 0}}; break;
      case 8: e.partitions = {{"/b", 2, 1}}; break;
      case 9: e.shards = 7; break;
      case 10: e.table = {{"gone", "x"}}; break;
      case 11: e.renames = {{"(", "x"}}; break;
      case 12: e.casts = {{"", DType::BFloat16}}, e.version = 1; break;
      case 13: e.renames = {{"net/b", ""}}; break;
    }
    const auto before = paths(files_);
    QCOMPARE(QString::fromStdString(edited(files_, {"a"}, "out", e)), message);
    QVERIFY(paths(files_) == before);
  }

  void anAverageNeedsEveryTensorInOneShape() {
    CheckpointEdit rows, average;
    rows.slices = {{"w", "0:2"}};
    VERIFY_EDITED(files_, {"b"}, "c", rows);
    average.average = true;
    ERROR_IS(edited(files_, {"a", "c"}, "out", average), "net/w is float32[6,4] in a and float32[2,4] in c, so there is no average of it");
    CheckpointEdit drop;
    drop.drop = {"w$"};
    VERIFY_EDITED(files_, {"b"}, "c", drop);
    ERROR_IS(edited(files_, {"a", "c"}, "out", average), "net/w is not in c, so there is no average of it");
  }

  void aPatternCannotRunForEver() {
    auto writer = CheckpointWriter::create("long", &files_);
    QVERIFY((*writer)->add(std::string(3000, 'a'), counting({1})).ok());
    QVERIFY((*writer)->finish().ok());
    CheckpointEdit edit;
    edit.keep = {"(a+)+$", "(a|a)*b"};
    ERROR_IS(edited(files_, {"long"}, "out", edit), "keep '(a|a)*b' matches no tensor");
  }

  void cancellingLeavesWhatWasThere() {
    const auto before = files_.files;
    for (const int shards : {1, 2})
      for (const int version : {1, 2}) {
        CheckpointEdit edit;
        edit.shards = shards;
        edit.version = version;
        int calls = 0;
        ERROR_IS(edited(files_, {"b"}, "a", edit, nullptr, [&](double) { return ++calls < 7; }), "the checkpoint was not written: cancelled");
        QVERIFY(paths(files_) == (std::set<std::string>{"a.data-00000-of-00001", "a.index", "b.data-00000-of-00001", "b.index"}));
        QVERIFY(valueIn(files_, "a", "net/w").identicalTo(counting({6, 4})));
      }
  }

  void aFullDiskLeavesWhatWasThere() {
    for (const int shards : {1, 3})
      for (const int version : {1, 2}) {
        CheckpointEdit edit;
        edit.shards = shards;
        edit.version = version;
        for (uint64_t room = 0; room < 600; room += 50) {
          files_.room = room;
          const std::string error = edited(files_, {"b"}, "a", edit);
          files_.room = UINT64_MAX;
          if (error.empty()) {
            QVERIFY(writeSample(files_, "a").ok());
            continue;
          }
          QVERIFY2(error.find("No space left") != error.npos, error.c_str());
          QVERIFY2(valueIn(files_, "a", "net/w").identicalTo(counting({6, 4})) || shards == 1, qPrintable(QString::number(room)));
        }
        init();
      }
  }

  void aTornDataFileIsNamed() {
    files_.files["a.data-00000-of-00001"]->resize(20);
    const std::string error = edited(files_, {"a"}, "out", {});
    QVERIFY2(!error.empty(), "a torn file was accepted");
    QVERIFY(!checkpointExists("out", &files_));
    (*files_.files["b.data-00000-of-00001"])[5] ^= 1;
    QVERIFY(!edited(files_, {"b"}, "out", {}).empty());
    QVERIFY(!checkpointExists("out", &files_));
  }

  /// A power loss at any moment leaves no new checkpoint, or one that is right or is reported as torn.
  void aPowerLossLeavesNothingWrong() {
    for (const int shards : {1, 2}) {
      CrashDisk disk;
      QVERIFY(writeSample(disk, "a").ok());
      const size_t first = disk.operations();
      CheckpointEdit edit;
      edit.shards = shards;
      edit.renames = {{"net", "model"}};
      VERIFY_EDITED(disk, {"a"}, "out", edit);
      std::mt19937_64 random(1);
      for (size_t k = first; k <= disk.operations(); ++k)
        disk.eachState(k, 20, random, [&](const CrashDisk::Files& state) {
          MemoryFiles files = filesOf(state);
          const auto reader = CheckpointReader::open("out", &files);
          if (!reader.ok()) return;
          for (const CheckpointEntry& e : (*reader)->tensors())
            if (const auto value = (*reader)->read(e.name); value.ok() && e.name == "model/w") QVERIFY(value->identicalTo(counting({6, 4})));
        });
    }
  }

  void readsTables() {
    const auto table = parseRenameTable("# comment\n\nnet/w  model/w\r\nwith space\tother name\n");
    QVERIFY(table.ok());
    QCOMPARE(table->at("net/w"), std::string("model/w"));
    QCOMPARE(table->at("with space"), std::string("other name"));
    QVERIFY(*parseRenameTable(printRenameTable(*table)) == *table);
    ERROR_IS(parseRenameTable("a b\na c").error().message, "line 2: a is renamed twice");
    ERROR_IS(parseRenameTable("alone").error().message, "line 1: expected an old and a new name, separated by a tab or spaces");
    ERROR_IS(parseRenameTable("a b c").error().message, "line 1: expected an old and a new name, separated by a tab or spaces");
  }

  void warnsOfDescribedObjects() {
    auto writer = CheckpointWriter::create("objects", &files_);
    QVERIFY((*writer)->add("_CHECKPOINTABLE_OBJECT_GRAPH", Tensor::scalar("")).ok());
    QVERIFY((*writer)->add("w/.ATTRIBUTES/VARIABLE_VALUE", counting({2})).ok());
    QVERIFY((*writer)->finish().ok());
    CheckpointEdit edit;
    edit.renames = {{"^w", "v"}};
    std::vector<std::string> warnings;
    VERIFY_EDITED(files_, {"objects"}, "out", edit, &warnings);
    QCOMPARE(warnings.size(), size_t(1));
  }
};

QTEST_GUILESS_MAIN(CheckpointEditTest)
#include "tst_checkpoint_edit.moc"
