#include <QTemporaryDir>
#include <QTest>
#include <cmath>

#include "memory_files.h"
#include "weft/arrays.h"
#include "weft/cifar.h"
#include "weft/examples.h"

using namespace weft;

namespace {

const std::string kFiles = std::string(WEFT_SOURCE_DIR) + "/tests/golden/files/";

/// A batch of CIFAR-10 as Python 2's cPickle wrote it: picture i is full of the byte 10 * i, its label is i.
std::string pythonBatch(int pictures) {
  using namespace std::string_literals;
  std::string labels, pixels;
  for (int i = 0; i < pictures; ++i) {
    labels += "K"s + char(i);
    pixels += std::string(3072, char(10 * i));
  }
  std::string size;
  for (int i = 0; i < 4; ++i) size += char(pixels.size() >> (8 * i));
  return "\x80\x02}q\x01(U\x0b"
         "batch_labelq\x02U\x15training batch 1 of 5q\x03U\x06labelsq\x04]q\x05("s +
         labels +
         "eU\x04"
         "dataq\x06"
         "cnumpy.core.multiarray\n_reconstruct\nq\x07"
         "cnumpy\nndarray\nq\x08K\x00\x85U\x01"
         "b\x87Rq\x09(K\x01K\x03M\x00\x0c\x86"
         "cnumpy\ndtype\nq\nU\x02u1K\x00K\x01\x87Rq\x0b"
         "(K\x03U\x01|NNNJ\xff\xff\xff\xffJ\xff\xff\xff\xffK\x00tb\x89T"s +
         size + pixels +
         "tbU\x09"
         "filenamesq\x0c]q\x0du."s;
}

std::string kindOf(const auto& result) { return result.ok() ? "ok" : result.error().kind; }

}  // namespace

class ArraysTest : public QObject {
  Q_OBJECT

 private slots:
  void npyRoundTrip() {
    for (const DType t :
         {DType::Bool, DType::Int8, DType::UInt16, DType::Int64, DType::UInt64, DType::Half, DType::Float, DType::Double, DType::Complex64, DType::Complex128})
      for (const Shape& shape : {Shape{}, Shape{3}, Shape{2, 3}, Shape{0, 2}}) {
        Tensor tensor = Tensor::zeros(t, shape);
        for (size_t i = 0; i < tensor.bytes(); ++i) static_cast<uint8_t*>(tensor.mutableRaw())[i] = t == DType::Bool ? i % 2 : uint8_t(7 * i + 1);
        const auto bytes = encodeNpy(tensor);
        QVERIFY(bytes.ok());
        QCOMPARE((bytes->size() - tensor.bytes()) % 64, size_t(0));
        const auto again = decodeNpy(*bytes);
        QVERIFY2(again.ok() && again->identicalTo(tensor), dtypeName(t).c_str());
      }
    const Tensor words = Tensor::vector<std::string>({"a", "", "longer"});
    QVERIFY(decodeNpy(*encodeNpy(words))->identicalTo(words));
    QCOMPARE(int(encodeNpy(Tensor::zeros(DType::BFloat16, Shape{})).error().code), int(Code::Unimplemented));
  }

  void npyOfNumPy() {
    // Both contain the same numbers in another byte or element order.
    const auto fortran = loadNpy(kFiles + "arrays/fortran.npy");
    QVERIFY2(fortran.ok(), fortran.ok() ? "" : fortran.error().toString().c_str());
    QVERIFY(loadNpy(kFiles + "arrays/big_endian.npy").ok());
    const auto unicode = loadNpy(kFiles + "arrays/unicode.npy");
    QVERIFY(unicode.ok());
    QCOMPARE(int(unicode->dtype()), int(DType::String));
    QCOMPARE(loadNpy(kFiles + "arrays/scalar.npy")->rank(), 0);
  }

  void fortranOrder() {
    std::string bytes = *encodeNpy(Tensor::of<int32_t>({1, 4, 2, 5, 3, 6}, Shape{2, 3}));
    bytes.replace(bytes.find("False"), 5, "True ");
    const auto got = decodeNpy(bytes);
    QVERIFY(got.ok());
    QVERIFY(got->identicalTo(Tensor::of<int32_t>({1, 2, 3, 4, 5, 6}, Shape{2, 3})));
  }

  void npyDamage() {
    const std::string good = *encodeNpy(Tensor::vector<float>({1, 2, 3}));
    for (size_t n = 0; n < good.size(); ++n) QVERIFY2(!decodeNpy(good.substr(0, n)).ok(), std::to_string(n).c_str());
    const auto with = [&](const char* from, const char* to) {
      std::string bytes = good;
      bytes.replace(bytes.find(from), strlen(from), to);
      return kindOf(decodeNpy(bytes));
    };
    QCOMPARE(with("<f4", "|O8"), std::string("unsupported"));
    QCOMPARE(with("<f4", "<q4"), std::string("unsupported"));
    QCOMPARE(with("(3,)", "(9,)"), std::string("truncated"));
    QCOMPARE(with("(3,), }                   ", "(99999999999999999999,), }"), std::string("invalid_tensor"));
    QCOMPARE(with("'shape'", "'sharp'"), std::string("malformed"));
    QCOMPARE(with("NUMPY", "NUMPI"), std::string("unrecognized"));
  }

  void npzRoundTrip() {
    QTemporaryDir folder;
    const std::string path = folder.path().toStdString() + "/a.npz";
    const std::vector<NamedTensor> arrays = {{"x", Tensor::vector<float>(std::vector<float>(5000, 1.5f))}, {"dir/y", Tensor::scalar(int64_t(7))}};
    for (const bool compress : {false, true}) {
      QVERIFY(saveNpz(path, arrays, compress).ok());
      const auto again = loadNpz(path);
      QVERIFY2(again.ok(), again.ok() ? "" : again.error().toString().c_str());
      QCOMPARE(again->size(), size_t(2));
      QCOMPARE((*again)[1].first, std::string("dir/y"));
      for (size_t i = 0; i < 2; ++i) QVERIFY((*again)[i].second.identicalTo(arrays[i].second));
      std::string bytes = *posixFileSystem().readAll(path);
      bytes[60] = char(bytes[60] ^ 4);
      QVERIFY(!decodeNpz(bytes).ok());
      for (size_t n = 0; n < bytes.size(); n += 13) QVERIFY(!decodeNpz(bytes.substr(0, n)).ok());
    }
    QVERIFY(loadNpz(kFiles + "arrays/packed.npz").ok());
    QVERIFY(loadNpz(kFiles + "arrays/plain.npz").ok());
  }

  void idx() {
    std::string bytes("\0\0\x0d\1\0\0\0\2", 8);
    bytes += std::string("\x3f\x80\0\0\xc0\0\0\0", 8);
    const auto got = decodeIdx(bytes);
    QVERIFY(got.ok());
    QVERIFY(got->identicalTo(Tensor::vector<float>({1, -2})));
    QCOMPARE(kindOf(decodeIdx(bytes.substr(0, 15))), std::string("truncated"));
    QCOMPARE(kindOf(decodeIdx(bytes + "x")), std::string("malformed"));
    QCOMPARE(kindOf(decodeIdx(bytes.substr(0, 3))), std::string("unrecognized"));
    const auto digits = loadIdx(kFiles + "images/t10k-images-idx3-ubyte");
    QVERIFY(digits.ok());
    QCOMPARE(digits->shape().toString(), std::string("[5,28,28]"));
  }

  void cifar10OfPython() {
    const std::string batch = pythonBatch(3);
    QVERIFY(isCifar10Python(batch));
    const auto got = decodeCifar10Python(batch);
    QVERIFY2(got.ok(), got.ok() ? "" : got.error().toString().c_str());
    QCOMPARE(got->labels.dim(0), int64_t(3));
    QCOMPARE(got->labels.data<int32_t>()[2], 2);
    QCOMPARE(int(got->images.data<uint8_t>()[2 * 3072 + 5]), 20);
    for (size_t n = 100; n < batch.size(); n += 97) QVERIFY2(!decodeCifar10Python(batch.substr(0, n)).ok(), std::to_string(n).c_str());
    QCOMPARE(kindOf(decodeCifar10Python(batch.substr(0, batch.size() - 1))), std::string("truncated"));
    std::string other = batch;
    other.replace(other.find("labels"), 6, "lapels");
    QCOMPARE(kindOf(decodeCifar10Python(other)), std::string("bad_syntax"));
    // Content that Python would execute while loading is not executed here.
    QVERIFY(!decodeCifar10Python("cos\nsystem\n(S'touch called'\ntR.").ok());
  }

  void cifar10AsRecords() {
    QTemporaryDir folder;
    const std::string base = folder.path().toStdString();
    QVERIFY(posixFileSystem().writeAtomically(base + "/data_batch_1", pythonBatch(3)).ok());
    QVERIFY(posixFileSystem().writeAtomically(base + "/data_batch_2", pythonBatch(2)).ok());
    QVERIFY(posixFileSystem().writeAtomically(base + "/test_batch", pythonBatch(1)).ok());
    const auto written = cifar10ToRecords(base, base + "/out.tfrecord");
    QVERIFY2(written.ok(), written.ok() ? "" : written.error().toString().c_str());
    QCOMPARE(written->size(), size_t(2));
    QCOMPARE((*written)[1].path, base + "/out-test.tfrecord");
    QCOMPARE((*written)[1].records, int64_t(1));
    const auto file = RecordFile::open(base + "/out.tfrecord");
    QVERIFY(file.ok());
    QCOMPARE((*file)->count(), int64_t(5));
    const auto features = parseExample(*(*file)->read(2));
    QVERIFY(features.ok());
    QCOMPARE(features->size(), size_t(2));
    QCOMPARE((*features)[0].name, std::string("image"));
    QCOMPARE((*features)[0].bytes, std::vector<std::string>{std::string(3072, char(20))});
    QCOMPARE((*features)[1].ints, std::vector<int64_t>{2});
    // Nothing that looks whole stays behind when it is cancelled, or when there is nothing to convert.
    QCOMPARE(int(cifar10ToRecords(base, base + "/no.tfrecord", [](double) { return false; }).error().code), int(Code::Cancelled));
    QVERIFY(!posixFileSystem().exists(base + "/no.tfrecord"));
    QVERIFY(!posixFileSystem().exists(base + "/no.tfrecord.part"));
    QTemporaryDir empty;
    QCOMPARE(int(cifar10ToRecords(empty.path().toStdString(), base + "/no.tfrecord").error().code), int(Code::NotFound));
  }

  void recordsOnAFullDiskLeaveTheOldFileAlone() {
    MemoryFiles files;
    files.files["data_batch_1"] = std::make_shared<std::string>(pythonBatch(3));
    files.files["out.tfrecord"] = std::make_shared<std::string>("the old file");
    for (const uint64_t room : {uint64_t(0), uint64_t(5000)}) {
      files.room = room;
      QCOMPARE(int(cifar10ToRecords("data_batch_1", "out.tfrecord", {}, &files).error().code), int(Code::ResourceExhausted));
      QCOMPARE(*files.files["out.tfrecord"], std::string("the old file"));
      QCOMPARE(files.files.size(), size_t(2));
    }
  }

  void cifar10() {
    std::string record(3073, '\0');
    record[0] = 3;
    record[1] = 10;         // red of the first pixel
    record[1 + 1024] = 20;  // green
    record[1 + 2048] = 30;  // blue
    const auto got = decodeCifar10(record + record);
    QVERIFY(got.ok());
    QCOMPARE(got->images.shape().toString(), std::string("[2,32,32,3]"));
    QCOMPARE(int(got->images.at<uint8_t>(1)), 20);
    QCOMPARE(got->labels.at<int32_t>(1), 3);
    QCOMPARE(kindOf(decodeCifar10(record.substr(1))), std::string("truncated"));
    record[0] = 10;
    QCOMPARE(kindOf(decodeCifar10(record)), std::string("malformed"));
  }

  void csv() {
    const auto table = decodeCsv("name,age,\"height, m\"\r\n\"O\"\"Neil\",3,1.5\r\nBo,4,\r\n");
    QVERIFY(table.ok());
    QCOMPARE(table->names[2], std::string("height, m"));
    QCOMPARE(table->columns[0].at<std::string>(0), std::string("O\"Neil"));
    QCOMPARE(int(table->columns[1].dtype()), int(DType::Int64));
    QCOMPARE(table->columns[1].at<int64_t>(1), int64_t(4));
    QVERIFY(std::isnan(table->columns[2].at<float>(1)));
    const auto bare = decodeCsv("1;2\n3;4\n", {';', {}});
    QCOMPARE(bare->names[0], std::string("column0"));
    QCOMPARE(bare->columns[1].at<int64_t>(1), int64_t(4));
    const auto ragged = decodeCsv("a,b\n1,2\n3\n");
    QCOMPARE(kindOf(ragged), std::string("bad_syntax"));
    QVERIFY(ragged.error().message.compare(0, 4, "3:1:") == 0);
    QCOMPARE(kindOf(decodeCsv("a,\"b\n")), std::string("bad_syntax"));
  }

  void pictures() {
    // A PNG of 2 x 1 pixels, red and blue.
    const QByteArray png = QByteArray::fromBase64("iVBORw0KGgoAAAANSUhEUgAAAAIAAAABCAIAAAB7QOjdAAAADUlEQVR4nGP4zwAE/wEHAAH/4iOeWQAAAABJRU5ErkJggg==");
    const auto got = decodeImage(std::string_view(png.data(), size_t(png.size())));
    QVERIFY2(got.ok(), got.ok() ? "" : got.error().toString().c_str());
    QCOMPARE(got->shape().toString(), std::string("[1,2,3]"));
    QCOMPARE(kindOf(decodeImage("GIF89a")), std::string("malformed"));
    QCOMPARE(kindOf(decodeImage("%PDF-1.4")), std::string("unrecognized"));
    for (int n = 8; n < png.size() - 12; ++n) QVERIFY(!decodeImage(std::string_view(png.data(), size_t(n))).ok());
    QTemporaryDir folder;
    for (const char* name : {"/cat", "/dog"}) {
      QVERIFY(posixFileSystem().makeFolders(folder.path().toStdString() + name).ok());
      QVERIFY(posixFileSystem().writeAtomically(folder.path().toStdString() + name + "/1.png", {png.data(), size_t(png.size())}).ok());
    }
    const auto images = loadImageFolder(folder.path().toStdString(), 4, 4);
    QVERIFY(images.ok());
    QCOMPARE(images->images.shape().toString(), std::string("[2,4,4,3]"));
    QCOMPARE(images->classes.size(), size_t(2));
    QCOMPARE(images->labels.at<int32_t>(1), 1);
  }
};

QTEST_GUILESS_MAIN(ArraysTest)
#include "tst_arrays.moc"
