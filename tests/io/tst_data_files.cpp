// Pictures, sounds, MATLAB files and sparse tables, beside what Pillow, SciPy and scikit-learn read from them.
#include <QtTest>
#include <chrono>
#include <cmath>
#include <random>

#include "memory_files.h"
#include "weft/arrays.h"
#include "weft/dataset.h"
#include "weft/file_kinds.h"
#include "weft/inspect.h"

using namespace weft;

namespace {
const std::string kFolder = std::string(WEFT_SOURCE_DIR) + "/tests/golden/files/data_files/";
const char* const kFiles[] = {"rgb.png",     "rgb.bmp", "rgb.webp", "alpha.webp", "grey.bmp",  "palette.bmp", "deep.png",   "moving.gif",
                              "moving.webp", "s16.wav", "s32.wav",  "f32.wav",    "plain.mat", "packed.mat",  "one.libsvm", "zero.libsvm"};

std::string bytesOf(const std::string& path) {
  auto bytes = posixFileSystem().readAll(path);
  return bytes.ok() ? *bytes : std::string();
}

const Tensor* find(const std::vector<NamedTensor>& arrays, const std::string& name) {
  for (const auto& [key, value] : arrays)
    if (key == name || (key.empty() && name == "array")) return &value;
  return nullptr;
}

/// A little file of MATLAB: a header and the elements given.
std::string matFile(const std::string& elements) { return "MATLAB 5.0 MAT-file" + std::string(107, ' ') + "IM" + elements; }
std::string word(uint32_t v) { return {char(v), char(v >> 8), char(v >> 16), char(v >> 24)}; }
}  // namespace

class DataFilesTest : public QObject {
  Q_OBJECT

 private slots:
  void valuesAreThoseOfTheirOwners_data() {
    QTest::addColumn<QString>("file");
    for (const char* file : kFiles) QTest::newRow(file) << file;
  }
  void valuesAreThoseOfTheirOwners() {
    QFETCH(QString, file);
    const std::string path = kFolder + file.toStdString();
    const auto got = readArrays(path);
    QVERIFY2(got.ok(), got.ok() ? "" : got.error().toString().c_str());
    const auto truth = loadNpz(path + ".npz");
    QVERIFY2(truth.ok(), truth.ok() ? "" : truth.error().toString().c_str());
    for (const auto& [name, want] : *truth) {
      const Tensor* have = find(*got, name);
      QVERIFY2(have, name.c_str());
      QCOMPARE(have->shape().toString(), want.shape().toString());
      QCOMPARE(std::string(dtypeName(have->dtype())), std::string(dtypeName(want.dtype())));
      if (want.dtype() == DType::Float) {
        for (int64_t i = 0; i < want.elements(); ++i) QVERIFY(std::fabs(have->data<float>()[i] - want.data<float>()[i]) <= 1e-6f);
      } else {
        QVERIFY2(std::memcmp(have->raw(), want.raw(), want.bytes()) == 0, name.c_str());
      }
    }
  }

  void textsOfMatlabAreUtf8() {
    const auto got = readArrays(kFolder + "packed.mat");
    QVERIFY(got.ok());
    const auto text = [&](const char* name, int64_t i) { return find(*got, name) ? find(*got, name)->data<std::string>()[i] : std::string("absent"); };
    QCOMPARE(text("t", 0), std::string("Grüße 𝄞"));
    QCOMPARE(text("rows", 0), std::string("abc"));
    QCOMPARE(text("rows", 1), std::string("xyz"));
    QCOMPARE(text("cells{2}", 0), std::string("word"));
  }

  void everyKindWithArraysReadsThem() {
    for (const FileKind* kind : fileKinds()) {
      if (!kind->hasArrays) continue;
      // A file of another kind is refused with the words of this reader, not for want of one.
      QVERIFY2(std::string_view(kind->endings).size() > 1, kind->name);
    }
    const auto graph = readArrays(std::string(WEFT_SOURCE_DIR) + "/tests/golden/files/graphs");
    QVERIFY(!graph.ok());
  }

  void soundsAreWrittenAndReadAgain() {
    const auto sound = readArrays(kFolder + "s16.wav");
    QVERIFY(sound.ok());
    const auto bytes = encodeSound((*sound)[0].second, 8000);
    QVERIFY(bytes.ok());
    QCOMPARE(*bytes, bytesOf(kFolder + "s16.wav"));
    QVERIFY(encodeSound(Tensor::scalar(1.0f), 8000).error().message.find("[frames]") != std::string::npos);
    QVERIFY(encodeSound(Tensor::vector(std::vector<double>{1}), 8000).error().message.find("float64") != std::string::npos);
    QVERIFY(encodeSound(Tensor::vector(std::vector<float>{1}), 0).error().message.find("sample_rate") != std::string::npos);
  }

  void mistakesAreNamed() {
    QCOMPARE(decodeLibsvm("1 1:2\nx 1:3\n").error().message, std::string("2:1: the label is 'x', expected a number"));
    QCOMPARE(decodeLibsvm("1 1:2 3\n").error().message, std::string("1:1: '3', expected COLUMN:NUMBER"));
    QCOMPARE(decodeLibsvm("1 -1:2\n").error().kind, std::string("bad_syntax"));
    QCOMPARE(decodeMat("MATLAB 7.3 MAT-file, HDF5").error().kind, std::string("unsupported"));
    QCOMPARE(decodeMat(matFile(word(14) + word(1000))).error().kind, std::string("truncated"));
    // A matrix of 2^31 by 2^31 doubles without values.
    const std::string huge =
        word(6) + word(8) + word(6) + word(0) + word(5) + word(8) + word(0x7fffffff) + word(0x7fffffff) + word(1) + word(0) + word(9) + word(0);
    QVERIFY(!decodeMat(matFile(word(14) + word(uint32_t(huge.size())) + huge)).ok());
  }

  void tablesTrainAsDataSets() {
    DatasetBinding binding;
    binding.kind = "libsvm";
    binding.path = "one.libsvm";
    const auto table = loadDataset(binding, kFolder);
    QVERIFY2(table.ok(), table.ok() ? "" : table.error().toString().c_str());
    QCOMPARE(table->find("features")->shape().toString(), (Shape{5, 4}).toString());
    QCOMPARE(table->find("labels")->shape().toString(), (Shape{5}).toString());
    binding.kind = "mat";
    binding.path = "plain.mat";
    binding.options["columns"] = "d";
    const auto arrays = loadDataset(binding, kFolder);
    QVERIFY2(arrays.ok(), arrays.ok() ? "" : arrays.error().toString().c_str());
    QCOMPARE(arrays->size(), int64_t(3));
  }

  void truncatedFilesAreRefused() {
    for (const char* name : kFiles) {
      const std::string whole = bytesOf(kFolder + name);
      for (size_t size = 1; size < whole.size(); ++size) check(name, whole.substr(0, size), int(size));
    }
  }

  void damagedFilesAreRefusedOrRead() {
    std::mt19937 random(7);
    for (const char* name : kFiles) {
      const std::string whole = bytesOf(kFolder + name);
      for (int round = 0; round < 200; ++round) {
        std::string bytes = whole;
        for (unsigned k = 0; k <= random() % 4; ++k) bytes[random() % bytes.size()] = char(random() % 3 ? random() : random() % 2 ? 0xff : 0);
        check(name, bytes, round);
      }
    }
  }

 private:
  /// One line, in time, or an answer.
  static void check(const char* name, const std::string& bytes, int round) {
    MemoryFiles files;
    files.files[name] = std::make_shared<std::string>(bytes);
    InspectOptions options;
    options.files = &files;
    const auto start = std::chrono::steady_clock::now();
    const Inspection found = inspectPath(name, options);
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    QVERIFY2(seconds < 10, qPrintable(QStringLiteral("%1 round %2 took %3 s").arg(name).arg(round).arg(seconds)));
    if (!found.status.ok())
      QVERIFY2(!found.status.error().message.empty() && found.status.error().message.find('\n') == std::string::npos, found.status.error().message.c_str());
  }
};

QTEST_GUILESS_MAIN(DataFilesTest)
#include "tst_data_files.moc"
