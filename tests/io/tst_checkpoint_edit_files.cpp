#include <QTest>

#include "crash_disk.h"
#include "edited_checkpoints.h"

/// Which files an edit of checkpoints reads, replaces and leaves alone, and what is there when it fails.
class CheckpointEditFilesTest : public QObject {
  Q_OBJECT

  MemoryFiles files_;

 private slots:
  void init() {
    files_ = MemoryFiles();
    QVERIFY(writeSample(files_, "a").ok());
    QVERIFY(writeSample(files_, "b", 10).ok());
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

  void filesThatAreNoCheckpointStay() {
    const auto put = [&](const std::string& path) { files_.files[path] = std::make_shared<std::string>("notes\n"); };
    const auto isThere = [&](const std::string& path) { return files_.files.count(path) && *files_.files[path] == "notes\n"; };
    put("out");
    put("out-00000-of-00002");
    VERIFY_EDITED(files_, {"a"}, "out", {});
    QVERIFY(isThere("out") && isThere("out-00000-of-00002"));
    const std::string end = " exists, and it does not open as a checkpoint: it would be replaced, or the new checkpoint hidden by it";
    CheckpointEdit edit;
    for (const int shards : {1, 2}) {
      edit.version = 1;
      edit.shards = shards;
      const auto before = paths(files_);
      ERROR_IS(edited(files_, {"a"}, "out", edit), "out" + end);
      QVERIFY(isThere("out") && paths(files_) == before);
    }
    files_.files.erase("out");
    ERROR_IS(edited(files_, {"a"}, "out", edit), "out-00000-of-00002" + end);
    put("book.index");
    ERROR_IS(edited(files_, {"a"}, "book", edit), "book.index" + end);
    ERROR_IS(edited(files_, {"a"}, "book", {}), "book.index" + end);
    QVERIFY(isThere("book.index") && isThere("out-00000-of-00002"));
  }

  void wildcardsInANameAreLetters() {
    CheckpointEdit v1;
    v1.version = 1;
    for (const char* other : {"model", "modal"}) VERIFY_EDITED(files_, {"a"}, other, v1);
    VERIFY_EDITED(files_, {"b"}, "mod?l", {});
    VERIFY_EDITED(files_, {"b"}, "m*", v1);
    for (const char* other : {"model", "modal"}) QVERIFY(valueIn(files_, other, "net/w").identicalTo(counting({6, 4})));
    VERIFY_EDITED(files_, {"b"}, "m*", {});
    QVERIFY(!files_.files.count("m*"));  // the one of version 1, which was replaced
    QVERIFY(files_.files.count("model") && files_.files.count("m*.index"));
    v1.shards = 2;
    ERROR_IS(edited(files_, {"a"}, "m*", v1), R"(m*: the name of several files of version 1 is a pattern, so it cannot contain any of * ? [ \)");
  }

  void temporaryFilesReplaceNothing() {
    CheckpointEdit v1;
    v1.version = 1;
    for (const char* neighbour : {"out.edited", "out.tempstate"}) VERIFY_EDITED(files_, {"a"}, neighbour, v1);
    VERIFY_EDITED(files_, {"b"}, "out", v1);
    for (const char* neighbour : {"out.edited", "out.tempstate"}) QVERIFY(valueIn(files_, neighbour, "net/w").identicalTo(counting({6, 4})));
    QCOMPARE(paths(files_).size(), size_t(7));
  }

  void aVariableIsReadOnceForAllItsParts() {
    const Tensor large = counting({1000, 64});
    auto writer = CheckpointWriter::create("large", &files_);
    QVERIFY((*writer)->add("w", large).ok());
    QVERIFY((*writer)->finish().ok());
    CheckpointEdit v1, edit;
    v1.version = 1;
    VERIFY_EDITED(files_, {"large"}, "old", v1);
    edit.slices = {{"w", "100:900"}};
    edit.partitions = {{"w", 100, 0}};
    for (const char* input : {"large", "old"}) {
      const uint64_t before = *files_.bytesRead;
      VERIFY_EDITED(files_, {input}, "out", edit);
      QVERIFY2(*files_.bytesRead - before < 5 * large.bytes(), qPrintable(QString::number(*files_.bytesRead - before)));
      QVERIFY(valueIn(files_, "out", "w").identicalTo(large.rows(100, 900)));
      QCOMPARE((*CheckpointReader::open("out", &files_))->find("w")->slices.size(), size_t(100));
    }
  }

  /// Of parts, only those are read that overlap the one asked for.
  void partsAreReadAsFarAsTheyAreNeeded() {
    const Tensor large = counting({1000, 800});
    auto writer = CheckpointWriter::create("large", &files_);
    for (int64_t row = 0; row < 1000; row += 20) QVERIFY((*writer)->addSlice("w", {1000, 800}, {{row, 20}, {}}, large.rows(row, row + 20)).ok());
    QVERIFY((*writer)->finish().ok());
    CheckpointEdit v1, edit;
    v1.version = 1;
    VERIFY_EDITED(files_, {"large"}, "old", v1);
    edit.partitions = {{"w", 10, 0}};
    for (const char* input : {"large", "old"}) {
      const uint64_t before = *files_.bytesRead;
      VERIFY_EDITED(files_, {input}, "out", edit);
      // A table of version 1 is read in blocks, which hold four parts here.
      QVERIFY2(*files_.bytesRead - before < 10 * large.bytes(), qPrintable(QString::number(*files_.bytesRead - before)));
      QVERIFY(valueIn(files_, "out", "w").identicalTo(large));
    }
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
        const auto before = paths(files_);
        uint64_t room = 0;
        for (; room < 10000; room += 25) {  // until everything fits, so that the disk is full during each index, too
          files_.room = room;
          const std::string error = edited(files_, {"b"}, "a", edit);
          files_.room = UINT64_MAX;
          if (error.empty()) break;
          QVERIFY2(error.find("No space left") != error.npos, error.c_str());
          QVERIFY2(valueIn(files_, "a", "net/w").identicalTo(counting({6, 4})), qPrintable(QString::number(room)));
          QVERIFY2(paths(files_) == before, qPrintable(QString::number(room)));
        }
        QVERIFY(room < 10000);
        QVERIFY(valueIn(files_, "a", "net/w").identicalTo(counting({6, 4}, 10)));
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
};

QTEST_GUILESS_MAIN(CheckpointEditFilesTest)
#include "tst_checkpoint_edit_files.moc"
