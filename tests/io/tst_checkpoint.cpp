#include <QTemporaryDir>
#include <QTest>
#include <random>

#include "memory_files.h"
#include "support/verify.h"
#include "weft/checkpoint.h"

using namespace weft;

namespace {

const std::string kFiles = std::string(WEFT_SOURCE_DIR) + "/tests/golden/files/checkpoints/";

Tensor filled(DType dtype, const Shape& shape, int seed) {
  std::mt19937 random{unsigned(seed)};
  Tensor t = Tensor::zeros(dtype, shape);
  if (dtype == DType::String) {
    for (int64_t i = 0; i < t.elements(); ++i) t.mutableData<std::string>()[i] = std::string(random() % 7, char('a' + random() % 26));
    return t;
  }
  auto* bytes = static_cast<uint8_t*>(t.mutableRaw());
  for (size_t i = 0; i < t.bytes(); ++i) bytes[i] = dtype == DType::Bool ? random() % 2 : uint8_t(random());
  return t;
}

std::vector<std::pair<std::string, Tensor>> samples() {
  std::vector<std::pair<std::string, Tensor>> out;
  int seed = 1;
  for (const DType t : {DType::Float, DType::Double, DType::Int32, DType::UInt8, DType::Int16, DType::Int8, DType::String, DType::Complex64, DType::Int64,
                        DType::Bool, DType::QInt8, DType::BFloat16, DType::UInt16, DType::Complex128, DType::Half, DType::UInt32, DType::UInt64})
    for (const Shape& shape : {Shape{}, Shape{3, 5}, Shape{0, 4}}) {
      ++seed;
      out.emplace_back("scope/" + dtypeName(t) + "_" + std::to_string(shape.rank()) + std::to_string(seed), filled(t, shape, seed));
    }
  return out;
}

Status write(FileSystem& files, const std::string& prefix) {
  WEFT_LET(auto writer, CheckpointWriter::create(prefix, &files));
  for (const auto& [name, tensor] : samples()) WEFT_TRY(writer->add(name, tensor));
  return writer->finish();
}

Status readAll(FileSystem& files, const std::string& prefix) {
  WEFT_LET(auto reader, CheckpointReader::open(prefix, &files));
  for (const CheckpointEntry& e : reader->tensors()) WEFT_TRY(reader->read(e.name));
  return {};
}

}  // namespace

class CheckpointTest : public QObject {
  Q_OBJECT

 private slots:
  void whatIsWrittenIsRead() {
    MemoryFiles files;
    VERIFY_OK(write(files, "run/model"));
    auto reader = CheckpointReader::open("run/model", &files);
    QVERIFY(reader.ok());
    const auto expected = samples();
    QCOMPARE((*reader)->tensors().size(), expected.size());
    for (const auto& [name, tensor] : expected) {
      auto got = (*reader)->read(name);
      QVERIFY2(got.ok(), name.c_str());
      QVERIFY2(got->identicalTo(tensor), name.c_str());
    }
    VERIFY_OK((*reader)->verify());
    const auto missing = (*reader)->read("nothing");
    QCOMPARE(int(missing.error().code), int(Code::NotFound));
    QCOMPARE(missing.error().message, std::string("Key nothing not found in checkpoint"));
  }

  void onTheRealDisk() {
    QTemporaryDir folder;
    const std::string prefix = folder.path().toStdString() + "/new/model.ckpt-7";
    VERIFY_OK(write(posixFileSystem(), prefix));
    VERIFY_OK(readAll(posixFileSystem(), prefix));
    CheckpointState state{"model.ckpt-7", {"model.ckpt-7"}, {1.5}, 0};
    VERIFY_OK(writeCheckpointState(folder.path().toStdString() + "/new", state));
    QCOMPARE(latestCheckpoint(folder.path().toStdString() + "/new").value_or(""), prefix);
    VERIFY_OK(removeCheckpoint(prefix));
    QVERIFY(!checkpointExists(prefix));
  }

  void slicesMakeAWhole() {
    MemoryFiles files;
    const Tensor whole = filled(DType::Float, Shape{7, 6}, 3);
    auto writer = CheckpointWriter::create("m", &files);
    QVERIFY(writer.ok());
    for (const auto& [start, rows] : {std::pair<int64_t, int64_t>{0, 3}, {3, 4}})
      VERIFY_OK((*writer)->addSlice("w", Shape{7, 6}, {{start, rows}, {}}, whole.rows(start, start + rows)));
    VERIFY_OK((*writer)->addSlice("full", Shape{7, 6}, {{0, 7}, {}}, whole));
    VERIFY_OK((*writer)->finish());
    auto reader = CheckpointReader::open("m", &files);
    QVERIFY(reader.ok());
    QCOMPARE((*reader)->find("w")->slices.size(), size_t(2));
    QVERIFY((*reader)->find("full")->slices.empty());
    QVERIFY((*reader)->read("w")->identicalTo(whole));
    const auto middle = (*reader)->readSlice("w", {{2, 3}, {1, 4}});
    QVERIFY(middle.ok());
    for (int64_t r = 0; r < 3; ++r)
      for (int64_t c = 0; c < 4; ++c) {
        const float got = middle->data<float>()[r * 4 + c], want = whole.data<float>()[(r + 2) * 6 + c + 1];
        QVERIFY(std::memcmp(&got, &want, 4) == 0);
      }
  }

  void version1() {
    MemoryFiles files;
    std::vector<V1Item> items;
    for (const auto& [name, tensor] : samples())
      if (tensor.dtype() != DType::BFloat16 && tensor.dtype() != DType::UInt32 && tensor.dtype() != DType::UInt64) items.push_back({name, tensor, {}});
    VERIFY_OK(writeCheckpointV1("old", items, &files));
    auto reader = CheckpointReader::open("old", &files);
    QVERIFY2(reader.ok(), reader.ok() ? "" : reader.error().toString().c_str());
    QCOMPARE((*reader)->version(), 1);
    for (const V1Item& item : items) QVERIFY2((*reader)->read(item.name)->identicalTo(item.tensor), item.name.c_str());
    const V1Item wrong{"b", filled(DType::BFloat16, Shape{}, 1), {}};
    QCOMPARE(int(writeCheckpointV1("old", std::span(&wrong, 1), &files).code()), int(Code::Unimplemented));
  }

  void mergedShardsAreOne() {
    MemoryFiles files;
    const Tensor whole = filled(DType::Int32, Shape{4, 2}, 9);
    for (int s = 0; s < 2; ++s) {
      auto writer = CheckpointWriter::create("temp/part" + std::to_string(s), &files);
      VERIFY_OK((*writer)->add("only" + std::to_string(s), Tensor::scalar(float(s))));
      VERIFY_OK((*writer)->addSlice("w", Shape{4, 2}, {{2 * s, 2}, {}}, whole.rows(2 * s, 2 * s + 2)));
      VERIFY_OK((*writer)->finish());
    }
    VERIFY_OK(mergeCheckpoints({"temp/part0", "temp/part1"}, "m", &files));
    auto reader = CheckpointReader::open("m", &files);
    QVERIFY(reader.ok());
    QCOMPARE((*reader)->shards(), 2);
    QVERIFY((*reader)->read("w")->identicalTo(whole));
    QCOMPARE((*reader)->read("only1")->at<float>(0), 1.f);
    QVERIFY(!files.exists("temp/part0.index"));
    VERIFY_OK((*reader)->verify());
  }

  void filesOfTensorFlow_data() {
    QTest::addColumn<QString>("name");
    for (const char* n : {"v2_all_dtypes", "v2_odd_names", "v2_slices_3_shards", "v2_column_slices", "v2_sharded_saver", "v2_big_endian", "object_based",
                          "v1_plain", "v1_sharded"})
      QTest::newRow(n) << QString(n);
  }
  void filesOfTensorFlow() {
    QFETCH(QString, name);
    auto reader = CheckpointReader::open(kFiles + name.toStdString());
    QVERIFY2(reader.ok(), reader.ok() ? "" : reader.error().toString().c_str());
    VERIFY_OK((*reader)->verify());
    // Writing a read checkpoint and reading it again changes nothing.
    MemoryFiles files;
    auto writer = CheckpointWriter::create("copy", &files);
    for (const CheckpointEntry& e : (*reader)->tensors()) VERIFY_OK((*writer)->add(e.name, *(*reader)->read(e.name)));
    VERIFY_OK((*writer)->finish());
    auto copy = CheckpointReader::open("copy", &files);
    for (const CheckpointEntry& e : (*reader)->tensors()) QVERIFY((*copy)->read(e.name)->identicalTo(*(*reader)->read(e.name)));
  }

  void aFullDiskLeavesTheOldCheckpoint() {
    MemoryFiles whole;
    VERIFY_OK(write(whole, "m"));
    uint64_t needed = 0;
    for (const auto& [path, content] : whole.files) needed += content->size();
    for (uint64_t room = 0; room < needed; room += 1 + needed / 40) {
      MemoryFiles files;
      VERIFY_OK(write(files, "old"));
      files.room = room;
      const Status status = write(files, "m");
      QVERIFY(!status.ok());
      QCOMPARE(int(status.code()), int(Code::ResourceExhausted));
      QVERIFY(status.error().message.find("No space left on device") != std::string::npos);
      QVERIFY2(!files.exists("m.index"), "a checkpoint that is not whole must not be found");
      for (const auto& [path, content] : files.files) QVERIFY2(path.find("tempstate") == std::string::npos, path.c_str());
      files.room = UINT64_MAX;
      VERIFY_OK(readAll(files, "old"));
    }
  }

  /// The index is complete before a data file is replaced.
  void aFullDiskLeavesTheOldCheckpointOfTheSameName() {
    const auto save = [](MemoryFiles& files, float value, bool merged) -> Status {
      const std::string name = merged ? "part" : "m";
      WEFT_LET(auto writer, CheckpointWriter::create(name, &files));
      WEFT_TRY(writer->add("w", Tensor::vector(std::vector<float>(50, value))));
      WEFT_TRY(writer->finish());
      return merged ? mergeCheckpoints({name}, "m", &files) : Status();
    };
    for (const bool merged : {false, true}) {
      uint64_t room = 0;
      for (bool written = false; !written && room < 5000; room += 10) {
        MemoryFiles files;
        VERIFY_OK(save(files, 1, merged));
        files.room = room;
        written = save(files, 2, merged).ok();
        const auto reader = CheckpointReader::open("m", &files);
        QVERIFY2(reader.ok(), qPrintable(QString::number(room)));
        const auto value = (*reader)->read("w");
        QVERIFY2(value.ok(), qPrintable(QString::number(room)));
        QCOMPARE(value->at<float>(0), written ? 2.f : 1.f);
      }
      QVERIFY(room < 5000);
    }
  }

  void everyOperationMayFail() {
    MemoryFiles count;
    VERIFY_OK(write(count, "m"));
    for (int at = 0; at < count.operations; ++at) {
      MemoryFiles files;
      files.failAt = at;
      const Status status = write(files, "m");
      QVERIFY2(!status.ok(), std::to_string(at).c_str());
      QVERIFY(!files.exists("m.index"));
    }
  }

  /// Also between the moments when its data and its index take their places.
  void aFailedCallLeavesTheOldCheckpointOfTheSameName() {
    const auto save = [](MemoryFiles& files, float value, bool merged) -> Status {
      const std::string name = merged ? "part" : "m";
      WEFT_LET(auto writer, CheckpointWriter::create(name, &files));
      WEFT_TRY(writer->add("w", Tensor::vector(std::vector<float>(50, value))));
      WEFT_TRY(writer->finish());
      return merged ? mergeCheckpoints({name}, "m", &files) : Status();
    };
    for (const bool merged : {false, true}) {
      bool written = false;
      for (int call = 0; !written; ++call) {
        QVERIFY(call < 100);
        MemoryFiles files;
        VERIFY_OK(save(files, 1, merged));
        files.failAt = files.operations + call;
        written = save(files, 2, merged).ok();
        files.failAt = -1;
        const auto reader = CheckpointReader::open("m", &files);
        QVERIFY2(reader.ok(), qPrintable(QString::number(call)));
        const auto value = (*reader)->read("w");
        QVERIFY2(value.ok(), qPrintable(QString::number(call)));
        QCOMPARE(value->at<float>(0), written ? 2.f : 1.f);
        for (const auto& [path, bytes] : files.files) QVERIFY2(path.find(".tempstate") == path.npos, path.c_str());
      }
    }
  }

  void everyDamagedByteIsNoticed() {
    MemoryFiles files;
    VERIFY_OK(write(files, "m"));
    for (const char* path : {"m.index", "m.data-00000-of-00001"}) {
      std::string& bytes = *files.files[path];
      for (size_t at = 0; at < bytes.size(); ++at) {
        bytes[at] = char(bytes[at] ^ 0x10);
        const Status status = readAll(files, "m");
        // Nothing checks the padding of the footer.
        const bool padding = path[2] == 'i' && at + 48 >= bytes.size();
        QVERIFY2(padding || !status.ok(), (std::string(path) + " " + std::to_string(at)).c_str());
        bytes[at] = char(bytes[at] ^ 0x10);
      }
    }
    VERIFY_OK(readAll(files, "m"));
  }

  void everyCutIsNoticed() {
    MemoryFiles files;
    VERIFY_OK(write(files, "m"));
    for (const char* path : {"m.index", "m.data-00000-of-00001"}) {
      const std::string whole = *files.files[path];
      for (size_t length = 0; length < whole.size(); length += 1 + length / 16) {
        *files.files[path] = whole.substr(0, length);
        QVERIFY2(!readAll(files, "m").ok(), std::to_string(length).c_str());
      }
      *files.files[path] = whole;
    }
  }

  // Those are summed up and read in parts, by several threads: the parts' checksums must make the whole's, and each part be looked at.
  void largeValues() {
    MemoryFiles files;
    std::vector<std::pair<std::string, Tensor>> values;
    for (const int64_t bytes : {1 << 18, (1 << 18) + 1, 1 << 20, 3333333, 5 << 20}) {
      Tensor value = Tensor::zeros(DType::UInt8, {bytes});
      for (int64_t i = 0; i < bytes; ++i) value.mutableData<uint8_t>()[i] = uint8_t((i * 2654435761u) >> 13);
      values.emplace_back("v" + std::to_string(bytes), std::move(value));
    }
    QTemporaryDir folder;
    const std::string onDisk = folder.filePath("m").toStdString();
    for (FileSystem* const system : {static_cast<FileSystem*>(&files), &posixFileSystem()}) {
      const std::string prefix = system == &files ? "m" : onDisk;
      auto writer = CheckpointWriter::create(prefix, system);
      for (const auto& [name, value] : values) VERIFY_OK((*writer)->add(name, value));
      VERIFY_OK((*writer)->finish());
      auto reader = CheckpointReader::open(prefix, system);
      QVERIFY(reader.ok());
      for (const auto& [name, value] : values) QVERIFY2((*reader)->read(name)->identicalTo(value), name.c_str());
      VERIFY_OK((*reader)->verify());
    }
    QVERIFY2(*files.files["m.data-00000-of-00001"] == *posixFileSystem().readAll(onDisk + ".data-00000-of-00001"), "preallocation must leave no trace");
    std::string& bytes = *files.files["m.data-00000-of-00001"];
    const auto reader = *CheckpointReader::open("m", &files);
    for (size_t at = bytes.size() - (5 << 20); at < bytes.size(); at += 1 << 17) {
      bytes[at] = char(bytes[at] ^ 1);
      const auto read = reader->read("v" + std::to_string(5 << 20));
      QVERIFY(!read.ok());
      QVERIFY(read.error().message.find("Checksum does not match") != std::string::npos);
      QVERIFY(!reader->verify().ok());
      bytes[at] = char(bytes[at] ^ 1);
    }
    bytes.resize(bytes.size() - 1);
    QVERIFY(!reader->read("v" + std::to_string(5 << 20)).ok());
  }

  void manyKeysTakeSeveralBlocks() {
    MemoryFiles files;
    auto writer = CheckpointWriter::create("m", &files);
    for (int i = 0; i < 20000; ++i) VERIFY_OK((*writer)->add("scope_of_a_long_name/" + std::to_string(i) + "/kernel", Tensor::scalar(float(i))));
    VERIFY_OK((*writer)->finish());
    auto reader = CheckpointReader::open("m", &files);
    QVERIFY(reader.ok());
    QCOMPARE((*reader)->tensors().size(), size_t(20000));
    QCOMPARE((*reader)->read("scope_of_a_long_name/12345/kernel")->at<float>(0), 12345.f);
  }

  void shapeAndSlices_data() {
    QTest::addColumn<QString>("spec");
    QTest::addColumn<QString>("part");
    QTest::newRow("rows") << "4 100 0,2:-"
                          << "[2,100]";
    QTest::newRow("box") << "102 100 0,102:5,10"
                         << "[102,10]";
    QTest::newRow("one word") << "4"
                              << "Need least two elements";
    QTest::newRow("word") << "4 x -:-"
                          << "Non numerical dimension";
    QTest::newRow("negative") << "4 4 -1,2:-"
                              << "Expected non-negative start";
    QTest::newRow("beyond") << "4 4 3,2:-"
                            << "out of bounds";
    QTest::newRow("rank") << "4 4 0,2"
                          << "Mismatching ranks";
  }
  void shapeAndSlices() {
    QFETCH(QString, spec);
    QFETCH(QString, part);
    const auto parsed = parseShapeAndSlice(spec.toStdString());
    const std::string got = parsed.ok() ? parsed->part.toString() : parsed.error().message;
    QVERIFY2(got.find(part.toStdString()) != std::string::npos, got.c_str());
  }

  void stateFiles() {
    MemoryFiles files;
    const CheckpointState state{"run/m-2", {"run/m-1", "run/m-2"}, {1.25, 2.5}, 0.5};
    VERIFY_OK(writeCheckpointState("run", state, true, "checkpoint", &files));
    auto again = readCheckpointState("run", "checkpoint", &files);
    QVERIFY(again.ok());
    QCOMPARE(again->latest, std::string("m-2"));
    QCOMPARE(again->all.size(), size_t(2));
    QCOMPARE(again->timestamps[1], 2.5);
    QCOMPARE(again->lastPreserved, 0.5);
    VERIFY_OK(write(files, "run/m-2"));
    QCOMPARE(latestCheckpoint("run", "checkpoint", &files).value_or(""), std::string("run/m-2"));
    QCOMPARE(resolveCheckpoint("run", "/dead/path/m-2", &files).value_or(""), std::string("run/m-2"));
    QCOMPARE(resolveCheckpoint("run", "C:\\models\\m-2", &files).value_or(""), std::string("run/m-2"));
    QVERIFY(!resolveCheckpoint("run", "m-3", &files));
    const auto broken = parseCheckpointState("model_checkpoint_path: \"a\n");
    QVERIFY(!broken.ok());
    QVERIFY2(broken.error().message.compare(0, 2, "1:") == 0, broken.error().message.c_str());
  }

  void keepsTheNewest() {
    CheckpointKeeper keeper(2, 1, 1000);
    QVERIFY(!keeper.record("a", 1001));
    QVERIFY(!keeper.record("b", 5000));
    QCOMPARE(keeper.record("c", 5001).value_or(""), std::string("a"));
    QVERIFY2(!keeper.record("d", 5002), "b is kept, as one checkpoint of every hour is");
    QCOMPARE(keeper.record("e", 5003).value_or(""), std::string("c"));
    QCOMPARE(keeper.checkpoints().size(), size_t(2));
  }
};

QTEST_GUILESS_MAIN(CheckpointTest)
#include "tst_checkpoint.moc"
