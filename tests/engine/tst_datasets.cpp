#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <cstring>

#include "weft/arrays.h"
#include "weft/dataset.h"
#include "weft/records.h"

using namespace weft;

namespace {

/// A length-delimited field of a protocol buffer; all are shorter than 128 bytes but the outermost.
std::string field(int number, const std::string& content) {
  std::string out(1, char(number << 3 | 2));
  size_t length = content.size();
  for (; length >= 0x80; length >>= 7) out += char((length & 0x7F) | 0x80);
  return out + char(length) + content;
}

/// An entry of a tf.train.Example's map of features.
std::string feature(const std::string& name, const std::string& value) { return field(1, field(1, name) + field(2, value)); }

}  // namespace

/// Files as data sets: tables, texts, TFRecords, and the data sets that come with Weft.
class TestDatasets : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() { qputenv("WEFT_RESOURCES", WEFT_SOURCE_DIR "/resources"); }

  void aTableGivesNumbersWordsAndLabels() {
    const DatasetBinding b = fileOf("csv", "t.csv", "a,colour,b,price\n1,red,10,3\n2,blue,20,5\n3,red,30,7\n", {{"label", "price"}});
    const auto data = load(b);
    QVERIFY(data.find("features")->shape() == (Shape{3, 2}));
    QCOMPARE(data.find("features")->at<float>(3), 20.0f);
    QVERIFY(data.find("colour_id")->flat<int32_t>().size() == 3);
    QCOMPARE(data.find("colour_id")->at<int32_t>(0), 1);
    QCOMPARE(data.find("colour_id")->at<int32_t>(1), 0);
    QVERIFY(data.vocabularies.at("colour_id") == (std::vector<std::string>{"blue", "red"}));
    QCOMPARE(data.find("labels")->at<int32_t>(2), 7);
  }
  void numbersAreStandardizedAndLabelsScaled() {
    const DatasetBinding b = fileOf("csv", "t.csv", "a,c,price\n1,4,300\n3,4,500\n", {{"standardize", "true"}, {"label_scale", "0.01"}});
    const auto data = load(b);
    QCOMPARE(data.find("features")->at<float>(0), -1.0f);
    QCOMPARE(data.find("features")->at<float>(2), 1.0f);
    QCOMPARE(data.find("features")->at<float>(1), 0.0f);  // a constant column
    QCOMPARE(data.find("labels")->dtype(), DType::Float);
    QCOMPARE(data.find("labels")->at<float>(1), 5.0f);
  }
  void columnsAreIgnoredOrChosen() {
    QVERIFY(!load(fileOf("csv", "t.csv", "a,b,c\n1,2,3\n4,5,6\n", {{"ignore", "a"}})).find("a"));
    const auto chosen = load(fileOf("csv", "t.csv", "a,b,c\n1,2,3\n4,5,6\n", {{"columns", "features, labels"}}));
    QCOMPARE(chosen.columns.size(), size_t(2));
  }
  void aTextIsReadByCharacters() {
    const auto data = load(fileOf("text", "t.txt", "abcabcäa", {{"length", "3"}}));
    QVERIFY(data.classes == (std::vector<std::string>{"a", "b", "c", "ä"}));
    QVERIFY(data.find("inputs")->shape() == (Shape{2, 3}));
    QVERIFY(std::ranges::equal(data.find("inputs")->flat<int32_t>(), std::vector<int32_t>{0, 1, 2, 0, 1, 2}));
    QVERIFY(std::ranges::equal(data.find("targets")->flat<int32_t>(), std::vector<int32_t>{1, 2, 0, 1, 2, 3}));
  }
  void aTextIsReadByPairsOfWords() {
    const auto data = load(fileOf("text", "t.txt", "The cat, the dog; the CAT's hat. O", {{"level", "words"}, {"window", "1"}, {"vocabulary", "4"}}));
    QVERIFY(data.classes == (std::vector<std::string>{"<other>", "the", "cat", "cat's"}));
    QVERIFY(std::ranges::equal(data.find("center")->flat<int32_t>(), std::vector<int32_t>{1, 2, 2, 1, 1, 3}));
    QVERIFY(std::ranges::equal(data.find("context")->flat<int32_t>(), std::vector<int32_t>{2, 1, 1, 2, 3, 1}));
  }
  void recordsGiveTheirFeatures() {
    const QString path = folder_.filePath("t.tfrecord");
    {
      auto writer = RecordWriter::create(path.toStdString());
      QVERIFY(writer.ok());
      for (int i = 0; i < 3; ++i) {
        const auto floats = [](int count, float value) {
          std::string bytes(size_t(count) * 4, 0);
          for (int k = 0; k < count; ++k) std::memcpy(bytes.data() + 4 * k, &value, 4);
          return bytes;
        };
        std::string features;
        features += feature("digit", field(3, field(1, std::string(1, char(i)))));
        features += feature("size", field(2, field(1, floats(2, float(i)))));
        features += feature("raw", field(1, field(1, std::string(4, char(i)))));
        features += feature("boxes", field(2, field(1, floats(i + 1, 1))));
        QVERIFY((*writer)->write(field(1, features)).ok());
      }
      QVERIFY((*writer)->close().ok());
    }
    DatasetBinding b;
    b.kind = "tfrecord";
    b.path = path.toStdString();
    b.options = {{"label", "digit"}, {"raw", "raw"}};
    const auto data = load(b);
    QCOMPARE(data.find("labels")->dtype(), DType::Int32);
    QCOMPARE(data.find("labels")->at<int32_t>(2), 2);
    QVERIFY(data.find("size")->shape() == (Shape{3, 2}));
    QVERIFY(data.find("raw")->shape() == (Shape{3, 4}));
    QCOMPARE(data.find("raw")->at<uint8_t>(11), uint8_t(2));
    QVERIFY(!data.find("boxes"));
    QCOMPARE(data.missing("boxes").message, std::string("the data set cannot give the column boxes: record 1 has 2 values, record 0 has 1"));
  }
  void errorsNameWhatIsWrong_data() {
    QTest::addColumn<QString>("kind");
    QTest::addColumn<QByteArray>("content");
    QTest::addColumn<QString>("option");
    QTest::addColumn<QString>("value");
    QTest::addColumn<QString>("message");
    QTest::newRow("label") << "csv" << QByteArray("a,b\n1,2\n") << "label"
                           << "c"
                           << "has no column c; it has a, b";
    QTest::newRow("ignore") << "csv" << QByteArray("a,b\n1,2\n") << "ignore"
                            << "x"
                            << "has no column x; it has a, b";
    QTest::newRow("flag") << "csv" << QByteArray("a,b\n1,2\n") << "standardize"
                          << "yes"
                          << "the option standardize of the data is yes, expected true or false";
    QTest::newRow("number") << "csv" << QByteArray("a,b\n1,2\n") << "label_scale"
                            << "x"
                            << "the option label_scale of the data is x, expected a number";
    QTest::newRow("columns") << "csv" << QByteArray("a,b\n1,2\n") << "columns"
                             << "z"
                             << "the data set has no column z; there are images, features, labels, a, b";
    QTest::newRow("utf8") << "text" << QByteArray("ab\xff") << "length"
                          << "2"
                          << "is no UTF-8 text: byte 2 begins no character";
    QTest::newRow("short") << "text" << QByteArray("abc") << "length"
                           << "3"
                           << "has 3 characters, expected more than 3, the length of a sequence";
    QTest::newRow("level") << "text" << QByteArray("abc") << "level"
                           << "lines"
                           << "the option level of the data is lines, expected characters or words";
    QTest::newRow("window") << "text" << QByteArray("abc") << "window"
                            << "2"
                            << "the option window of the data needs level=words";
  }
  void errorsNameWhatIsWrong() {
    QFETCH(QString, kind);
    QFETCH(QByteArray, content);
    QFETCH(QString, option);
    QFETCH(QString, value);
    QFETCH(QString, message);
    const auto data = loadDataset(fileOf(kind.toStdString(), "t.dat", content, {{option.toStdString(), value.toStdString()}}), {});
    QVERIFY(!data.ok());
    QCOMPARE(QString::fromStdString(data.error().message), message);
  }
  void builtinDataAreThere_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<int>("rows");
    QTest::addColumn<QString>("column");
    QTest::newRow("digits") << "digits" << 1797 << "images";
    QTest::newRow("shakespeare") << "shakespeare" << 10937 << "inputs";
    QTest::newRow("bikes") << "bikes" << 8645 << "features";
    QTest::newRow("income") << "income" << 30162 << "occupation_id";
  }
  void builtinDataAreThere() {
    QFETCH(QString, name);
    QFETCH(int, rows);
    QFETCH(QString, column);
    DatasetBinding b;
    b.builtin = name.toStdString();
    const auto data = load(b);
    QCOMPARE(int(data.size()), rows);
    QVERIFY(data.find(column.toStdString()));
    QVERIFY(QFile::exists(QStringLiteral(WEFT_SOURCE_DIR "/resources/datasets/%1/README.md").arg(name)));
  }
  void anUnknownBuiltInNamesThose() {
    DatasetBinding b;
    b.builtin = "mnist";
    QCOMPARE(loadDataset(b, {}).error().message, std::string("there is no built-in data set mnist; expected one of digits, shakespeare, bikes, income"));
  }
  void amountsAreNotSplitAsClasses() {
    std::vector<int32_t> amounts;
    for (int i = 0; i < 100; ++i) amounts.push_back(i);
    const Tensor t = Tensor::vector(amounts);
    QCOMPARE(splitByClass(100, &t, 0.2, 1).evaluation.size(), size_t(20));
  }
  void theEndIsHeldOut() {
    const DatasetSplit split = splitAtEnd(10, 0.2);
    QVERIFY(split.evaluation == (std::vector<int64_t>{8, 9}));
    QCOMPARE(split.training.size(), size_t(8));
  }

 private:
  DatasetBinding fileOf(const std::string& kind, const char* name, const QByteArray& content, std::map<std::string, std::string> options) {
    const QString path = folder_.filePath(name);
    QFile file(path);
    if (!file.open(QFile::WriteOnly) || file.write(content) != content.size()) qFatal("cannot write %s", name);
    DatasetBinding b;
    b.kind = kind;
    b.path = path.toStdString();
    b.options = std::move(options);
    return b;
  }
  static Dataset load(const DatasetBinding& binding) {
    auto data = loadDataset(binding, {});
    if (!data.ok()) qFatal("%s", data.error().toString().c_str());
    return std::move(*data);
  }

  QTemporaryDir folder_;
};

QTEST_GUILESS_MAIN(TestDatasets)
#include "tst_datasets.moc"
