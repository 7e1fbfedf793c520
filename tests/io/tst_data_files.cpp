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
const char* const kFiles[] = {"rgb.png",    "rgb.bmp",     "rgb.webp",  "alpha.webp", "grey.bmp",   "palette.bmp", "deep.png",
                              "moving.gif", "moving.webp", "s16.wav",   "s32.wav",    "f32.wav",    "rifx.wav",    "rf64.wav",
                              "s12.wav",    "f64.wav",     "plain.mat", "packed.mat", "one.libsvm", "zero.libsvm"};

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

  void aFileWithoutArraysIsNamed() {
    const auto graph = readArrays(std::string(WEFT_SOURCE_DIR) + "/tests/golden/files/graphs/none.pb");
    QVERIFY(!graph.ok() && graph.error().toString().find("none.pb") != std::string::npos);
    const auto model = readArrays(std::string(WEFT_SOURCE_DIR) + "/tests/golden/files/tflite/int8.tflite");
    QVERIFY(!model.ok());
    QVERIFY2(model.error().message.find("expected a file with arrays") != std::string::npos, model.error().message.c_str());
  }

  void checkpointsAreArrays() {
    const auto got = readArrays(std::string(WEFT_SOURCE_DIR) + "/tests/golden/files/frozen/ref");
    QVERIFY2(got.ok(), got.ok() ? "" : got.error().toString().c_str());
    QVERIFY(std::any_of(got->begin(), got->end(), [](const NamedTensor& t) { return t.first == "cell/w" && t.second.elements() > 0; }));
  }

  /// giflib alone takes the end of the file for a part of the comment.
  void anEmptyCommentDoesNotDisturbAnAnimation() {
    const std::string path = std::string(WEFT_SOURCE_DIR) + "/tests/golden/files/data_files/moving.gif";
    const std::string plain = posixFileSystem().readAll(path).value();
    MemoryFiles files;
    files.files["x.gif"] = std::make_shared<std::string>(plain.substr(0, plain.size() - 1) + std::string("\x21\xfe\0", 3) + ";");
    const auto got = readArrays("x.gif", nullptr, &files), expected = readArrays(path);
    QVERIFY2(got.ok(), got.ok() ? "" : got.error().toString().c_str());
    QVERIFY((*got)[0].second.shape() == (*expected)[0].second.shape());
    const auto a = (*got)[0].second.flat<uint8_t>(), b = (*expected)[0].second.flat<uint8_t>();
    QVERIFY(std::equal(a.begin(), a.end(), b.begin(), b.end()));
  }

  void durationsOfAnAnimationAreInTheReport() {
    using namespace std::string_literals;
    const std::string start = "GIF89a\x01\0\x01\0\x80\0\0\xff\xff\xff\0\0\0"s, frame = ",\0\0\0\0\x01\0\x01\0\0\x02\x02\x44\x01\0"s;
    const auto shownFor = [](char hundredths) { return "!\xf9\x04\0"s + hundredths + "\0\0\0"s; };
    QTemporaryDir folder;
    const std::string path = folder.filePath("three.gif").toStdString();
    // The second frame has no time: that of the first is its own.
    QVERIFY(posixFileSystem().writeAtomically(path, start + shownFor(7) + frame + frame + shownFor(50) + frame + ";").ok());
    const Inspection found = inspectPath(path);
    QVERIFY2(found.json.find("\"durations_ms\":[70,0,500]") != std::string::npos, found.json.c_str());
    QVERIFY(posixFileSystem().writeAtomically(path, start + shownFor(7) + frame + ";").ok());
    const Inspection still = inspectPath(path);
    QVERIFY2(still.status.ok() && still.json.find("durations_ms") == std::string::npos, still.json.c_str());
    const Inspection webp = inspectPath(kFolder + "moving.webp"), one = inspectPath(kFolder + "rgb.webp");
    QVERIFY2(webp.json.find("\"durations_ms\":[0,0,0]") != std::string::npos, webp.json.c_str());
    QVERIFY(one.json.find("durations_ms") == std::string::npos);
  }

  void whatIsLeftOutIsSaid() {
    // A cell array without members, and a function.
    const auto header = [](uint32_t kind, const std::string& name, uint32_t rows) {
      std::string padded = name;
      padded.resize((name.size() + 7) / 8 * 8);
      return word(6) + word(8) + word(kind) + word(0) + word(5) + word(8) + word(rows) + word(rows) + word(1) + word(uint32_t(name.size())) + padded;
    };
    const auto matrix = [](const std::string& body) { return word(14) + word(uint32_t(body.size())) + body; };
    MemoryFiles files;
    files.files["x.mat"] = std::make_shared<std::string>(matFile(matrix(header(1, "none", 0)) + matrix(header(16, "f", 1))));
    std::vector<std::string> warnings;
    const auto got = readArrays("x.mat", &warnings, &files);
    QVERIFY2(got.ok(), got.ok() ? "" : got.error().toString().c_str());
    QCOMPARE(got->size(), size_t(0));
    QCOMPARE(warnings, (std::vector<std::string>{"none (an empty cell array) is not read", "f (a function) is not read"}));
  }

  /// Dimensions without a sign, a name in UTF-8, and truth values of a sparse matrix that are bytes but say that they are float64.
  void matricesOfOtherProgramsAreRead() {
    const auto matrix = [](const std::string& body) { return word(14) + word(uint32_t(body.size())) + body; };
    const std::string named = word(6) + word(8) + word(6) + word(0) + word(6) + word(8) + word(1) + word(2) + word(16) + word(1) + word('u') + word(0) +
                              word(2) + word(2) + std::string("\7\11\0\0\0\0\0\0", 8);
    const std::string sparse = word(6) + word(8) + word(5 | 1 << 9) + word(2) + word(5) + word(8) + word(2) + word(2) + word(1) + word(1) + word('s') +
                               word(0) + word(5) + word(8) + word(1) + word(0) + word(5) + word(12) + word(0) + word(1) + word(2) + word(0) +
                               word(9 | 2 << 16) + word(0x0101);
    const auto got = decodeMat(matFile(matrix(named) + matrix(sparse)));
    QVERIFY2(got.ok(), got.ok() ? "" : got.error().toString().c_str());
    const Tensor *u = find(*got, "u"), *places = find(*got, "s/indices"), *values = find(*got, "s/values");
    QVERIFY(u && places && values);
    QCOMPARE(u->data<double>()[1], 9.0);
    QCOMPARE(values->dtype(), DType::Bool);
    QVERIFY(values->data<bool>()[0] && values->data<bool>()[1]);
    QCOMPARE(std::vector<int64_t>(places->data<int64_t>(), places->data<int64_t>() + 4), (std::vector<int64_t>{0, 1, 1, 0}));
  }

  void fewBytesCannotTakeMuchMemory() {
    // 10^8 texts without letters.
    const std::string texts =
        word(6) + word(8) + word(4) + word(0) + word(5) + word(8) + word(100'000'000) + word(0) + word(1) + word(1) + word('t') + word(0) + word(16) + word(0);
    QCOMPARE(decodeMat(matFile(word(14) + word(uint32_t(texts.size())) + texts)).error().kind, std::string("too_large"));
    // A picture of one pixel on a canvas of 324 million.
    const std::string gif = std::string("GIF89a\x50\x46\x50\x46\x80\0\0\0\0\0\xff\xff\xff,\0\0\0\0\1\0\1\0\0\2\2D\1\0;", 35);
    QCOMPARE(decodeImage(gif).error().kind, std::string("too_large"));
    QVERIFY(decodeImage(std::string(gif).replace(6, 4, "\x50\x01\x50\x01")).ok());
    // Two canvases of the decoder and the picture itself.
    auto webp = posixFileSystem().readAll(std::string(WEFT_SOURCE_DIR) + "/tests/golden/files/data_files/moving.webp");
    QVERIFY(webp.ok());
    const size_t canvas = webp->find("VP8X") + 12;
    QCOMPARE(decodeImage(webp->replace(canvas, 6, std::string("\xff\x27\0\xff\x27\0", 6))).error().kind, std::string("too_large"));
  }

  void sparseTextsAreRecognised_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<bool>("libsvm");
    QTest::newRow("comment first") << QByteArray("# made by us\n1 1:0.5\n") << true;
    QTest::newRow("row without values") << QByteArray("1\n-1 1:0.5\n") << true;
    QTest::newRow("tabs") << QByteArray("1\t1:0.5\t3:2\n") << true;
    QTest::newRow("small number") << QByteArray("1 1:1e-46\n") << true;
    QTest::newRow("times of the day") << QByteArray("12 10:30\nhello world\n") << false;
    QTest::newRow("numbers alone") << QByteArray("1\n2\n3\n") << false;
  }
  void sparseTextsAreRecognised() {
    QFETCH(QByteArray, text);
    QFETCH(bool, libsvm);
    MemoryFiles files;
    files.files["table"] = std::make_shared<std::string>(text.toStdString());
    QCOMPARE(readArrays("table", nullptr, &files).ok(), libsvm);
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
    QCOMPARE(decodeMat("MATLAB 7.3 MAT-file, HDF5").error().message, std::string("a MATLAB 7.3 file (HDF5), which is not read: save it with -v7"));
    MemoryFiles files;
    files.files["old.mat"] = std::make_shared<std::string>("MATLAB 7.0 MAT-file, Platform: GLNX86, HDF5 schema 0.05");
    QCOMPARE(inspectPath("old.mat", {.files = &files}).kind, std::string("mat"));
    QCOMPARE(decodeMat(matFile(word(14) + word(1000))).error().kind, std::string("truncated"));
    // A matrix of 2^31 by 2^31 doubles without values.
    const std::string huge = word(6) + word(8) + word(6) + word(0) + word(5) + word(8) + word(0x7fffffff) + word(0x7fffffff) + word(1) + word(1) + word('h') +
                             word(0) + word(9) + word(0);
    QCOMPARE(decodeMat(matFile(word(14) + word(uint32_t(huge.size())) + huge)).error().message,
             std::string("h has 0 values, but its shape says 4611686014132420609"));
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
      const bool isText = std::string_view(name).ends_with("libsvm");  // fewer lines are a table too
      for (size_t size = 1; size < whole.size(); ++size) {
        const Status status = check(name, whole.substr(0, size), int(size));
        // Decoders of pictures do not need the last bytes, nor does a MATLAB file its last variable.
        if (!isText && size < whole.size() / 2 && !std::string_view(name).ends_with("mat"))
          QVERIFY2(!status.ok(), qPrintable(QString("%1 cut at %2").arg(name).arg(size)));
      }
    }
  }

  void damagedFilesAreRefusedOrRead() {
    std::mt19937 random(7);
    for (const char* name : kFiles) {
      const std::string whole = bytesOf(kFolder + name);
      for (int round = 0; round < 200; ++round) {
        std::string bytes = whole;
        for (unsigned k = 0; k <= random() % 4; ++k) bytes[random() % bytes.size()] = char(random() % 3 ? random() : random() % 2 ? 0xff : 0);
        (void)check(name, bytes, round);
      }
    }
  }

 private:
  /// One line, in time, or an answer.
  static Status check(const char* name, const std::string& bytes, int round) {
    MemoryFiles files;
    files.files[name] = std::make_shared<std::string>(bytes);
    InspectOptions options;
    options.files = &files;
    const auto start = std::chrono::steady_clock::now();
    const Inspection found = inspectPath(name, options);
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    const std::string problem = found.status.ok() ? "" : found.status.error().message;
    [&] {
      QVERIFY2(seconds < 10, qPrintable(QStringLiteral("%1 round %2 took %3 s").arg(name).arg(round).arg(seconds)));
      QVERIFY2(found.status.ok() || (!problem.empty() && problem.find('\n') == std::string::npos), problem.c_str());
    }();
    return found.status;
  }
};

QTEST_GUILESS_MAIN(DataFilesTest)
#include "tst_data_files.moc"
