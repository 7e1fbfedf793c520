// Records by number, and how the features of examples would be parsed.
#include <QElapsedTimer>
#include <QTest>

#include "memory_files.h"
#include "weft/record_schema.h"

using namespace weft;
using Kind = ExampleFeature::Kind;
using Spec = FeatureSpec::Kind;

namespace {

const std::string kFiles = WEFT_SOURCE_DIR "/tests/golden/files/tfrecord/";

std::string field(int number, const std::string& bytes) { return std::string(1, char(number << 3 | 2)) + char(bytes.size()) + bytes; }
/// Features of short names and values; `list` is the serialised BytesList, FloatList or Int64List with its field number.
std::string feature(const std::string& name, int kind, const std::string& list) { return field(1, field(1, name) + field(2, field(kind, list))); }
std::string example(const std::string& features) { return field(1, features); }
std::string ints(std::initializer_list<char> values) { return field(1, std::string(values)); }
std::string bytes(const std::string& value) { return field(1, value); }

RecordSchema schemaOf(const std::vector<std::string>& records) {
  SchemaInference all;
  for (const std::string& r : records) all.add(r);
  return all.schema();
}
std::string programOf(const RecordSchema& schema) { return parseProgram(schema, proposeSpecs(schema), {}).value(); }
std::map<std::string, std::string> specsOf(const RecordSchema& schema) {
  std::map<std::string, std::string> out;
  for (const FeatureSpec& spec : proposeSpecs(schema)) out[spec.name] = specText(spec);
  return out;
}
bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

class ExamplesTest : public QObject {
  Q_OBJECT

 private slots:
  void recordsByNumber_data() {
    QTest::addColumn<QString>("file");
    for (const char* name : {"examples.tfrecord", "examples.gz", "examples.zlib"}) QTest::newRow(name) << name;
  }
  void recordsByNumber() {
    QFETCH(QString, file);
    auto plain = RecordFile::open(kFiles + "examples.tfrecord").value();
    auto records = RecordFile::open(kFiles + file.toStdString()).value();
    QVERIFY(records->isComplete() && records->damage().ok());
    QCOMPARE(records->count(), plain->count());
    QVERIFY(records->count() > 2);
    // Back and forth: streams start again.
    for (const int64_t i : {records->count() - 1, int64_t(0), int64_t(1), int64_t(1)}) {
      const auto record = records->read(i);
      QVERIFY(record.ok());
      QCOMPARE(int64_t(record->size()), records->bytesOf(i));
      QVERIFY(*record == plain->read(i).value());
      QCOMPARE(recordForm(*record), RecordForm::Example);
    }
    QCOMPARE(records->read(records->count()).error().code, Code::OutOfRange);
    QCOMPARE(records->read(-1).error().code, Code::OutOfRange);
    QVERIFY(!RecordFile::open(kFiles + "examples.tfrecord", 1).value()->isComplete());
  }
  void damagedFilesKeepWhatIsWhole() {
    MemoryFiles files;
    std::string all = posixFileSystem().readAll(kFiles + "examples.tfrecord").value();
    const auto whole = RecordFile::open(kFiles + "examples.tfrecord").value();
    files.files["cut"] = std::make_shared<std::string>(all.substr(0, all.size() - 3));
    const auto cut = RecordFile::open("cut", INT64_MAX, {}, &files).value();
    QCOMPARE(cut->count(), whole->count() - 1);
    QVERIFY(!cut->damage().ok());
    files.files["empty"] = std::make_shared<std::string>();
    QCOMPARE(RecordFile::open("empty", INT64_MAX, {}, &files).value()->count(), 0);
    QCOMPARE(RecordFile::open("none", INT64_MAX, {}, &files).error().code, Code::NotFound);
    // It grew shorter after it was opened.
    const auto shrunk = RecordFile::open("cut", INT64_MAX, {}, &files).value();
    files.files["cut"]->resize(20);
    QCOMPARE(shrunk->read(shrunk->count() - 1).error().code, Code::DataLoss);
  }
  void sequencesAreTold() {
    const auto records = RecordFile::open(kFiles + "sequences.tfrecord").value();
    const std::string record = records->read(0).value();
    QCOMPARE(recordForm(record), RecordForm::SequenceExample);
    const auto features = parseExample(record, RecordForm::SequenceExample).value();
    QVERIFY(std::any_of(features.begin(), features.end(), [](const ExampleFeature& f) { return f.isSequence && !f.steps.empty(); }));
    QVERIFY(has(programOf(schemaOf({record})), "tf.io.parse_single_sequence_example("));
    QCOMPARE(recordForm(RecordFile::open(kFiles + "raw_bytes.tfrecord").value()->read(0).value()), RecordForm::Bytes);
  }

  void specsFollowFromAllRecords() {
    const std::string jpeg = feature("img", 1, bytes("\xff\xd8\xff\xe0"));
    const RecordSchema schema = schemaOf(
        {example(feature("label", 3, ints({3})) + feature("box", 3, ints({1, 2, 3, 4})) + feature("tags", 3, ints({1})) + jpeg),
         example(feature("label", 3, ints({5})) + feature("box", 3, ints({5, 6, 7, 8})) + feature("tags", 3, ints({1, 2})) + feature("rare", 3, ints({9})))});
    QCOMPARE(schema.form, RecordForm::Example);
    QCOMPARE(schema.features.size(), size_t(5));
    auto specs = specsOf(schema);
    QCOMPARE(specs["label"], std::string("tf.FixedLenFeature([], tf.int64)"));
    QCOMPARE(specs["box"], std::string("tf.FixedLenFeature([4], tf.int64)"));
    QCOMPARE(specs["tags"], std::string("tf.VarLenFeature(tf.int64)"));
    QCOMPARE(specs["rare"], std::string("tf.FixedLenFeature([], tf.int64, default_value=0)"));
    QCOMPARE(specs["img"], std::string("tf.FixedLenFeature([], tf.string, default_value='')"));
    const std::string program = programOf(schema);
    QVERIFY(has(program, "tf.image.decode_jpeg") && has(program, "tf.io.parse_single_example(serialized, {") && has(program, "missing in 1 of 2 records"));
  }
  /// A feature without a kind is missing for tf.parse_single_example; an empty list is not.
  void missingIsNotEmpty() {
    const std::string nothing = field(1, field(1, "x") + field(2, ""));
    QCOMPARE(specsOf(schemaOf({example(feature("x", 3, ints({3}))), example(nothing)}))["x"], std::string("tf.FixedLenFeature([], tf.int64, default_value=0)"));
    QCOMPARE(specsOf(schemaOf({example(feature("x", 3, ints({3}))), example(feature("x", 3, ""))}))["x"], std::string("tf.VarLenFeature(tf.int64)"));
  }
  /// No type reads both records, so the call goes without the feature and says so.
  void recordsThatDisagree() {
    const RecordSchema schema = schemaOf({example(feature("x", 3, ints({3})) + feature("y", 3, ints({3}))), example(feature("x", 1, bytes("text")))});
    QVERIFY(schema.features.front().mixed);
    QVERIFY(has(programOf(schema), "# 'x' is left out: records have int64 and bytes"));
    const RecordSchema onlyMixed = schemaOf({example(feature("x", 3, ints({3}))), example(feature("x", 1, bytes("text")))});
    QCOMPARE(parseProgram(onlyMixed, proposeSpecs(onlyMixed), {}).error().code, Code::InvalidArgument);
  }
  void positionsAndValuesAreAPair() {
    const auto record = [](std::initializer_list<char> positions, std::initializer_list<char> values) {
      return example(feature("x_ix", 3, ints(positions)) + feature("x_val", 3, ints(values)));
    };
    auto specs = specsOf(schemaOf({record({3, 1}, {7, 8}), record({}, {})}));
    QCOMPARE(specs["x_val"], std::string("tf.SparseFeature(index_key='x_ix', value_key='x_val', dtype=tf.int64, size=4)"));
    QVERIFY(!has(programOf(schemaOf({record({3, 1}, {7, 8})})), "'x_ix': "));
    // Lengths that differ in one record, and single numbers, are no pair.
    QCOMPARE(specsOf(schemaOf({record({3, 1}, {7, 8}), record({1}, {})}))["x_val"], std::string("tf.VarLenFeature(tf.int64)"));
    QCOMPARE(specsOf(schemaOf({record({3}, {7}), record({1}, {2})}))["x_val"], std::string("tf.FixedLenFeature([], tf.int64)"));
  }
  void namesAreQuoted() {
    const RecordSchema schema = schemaOf({example(feature("it's\n\\", 3, ints({3})))});
    QVERIFY(has(programOf(schema), "'it\\'s\\n\\\\': tf.FixedLenFeature([], tf.int64),"));
  }
  void recordsOfAnotherForm() {
    std::vector<std::string> records(60, example(feature("x", 3, ints({3}))));
    records.push_back("\x0a\x7f");
    const RecordSchema schema = schemaOf(records);
    QCOMPARE(schema.otherForm, 1);
    QCOMPARE(schema.firstOther, 60);
    QVERIFY(has(programOf(schema), "# Not a tf.train.Example: 1 of 61 records; the first is record 60."));
    QCOMPARE(schemaOf({}).form, RecordForm::Bytes);
    QCOMPARE(parseProgram(schemaOf({"abc"}), {}, {}).error().code, Code::InvalidArgument);
  }
  /// Names that never occur twice, and a record of 100,000 features.
  void manyFeatures() {
    std::string all;
    for (int i = 0; i < 100'000; ++i) all += feature("f" + std::to_string(i), 3, ints({char(i % 100)}));
    std::string length;
    for (size_t n = all.size(); n; n >>= 7) length += char((n & 127) | (n > 127 ? 128 : 0));
    std::vector<std::string> records{"\x0a" + length + all};
    for (int i = 0; i < 1000; ++i) records.push_back(example(feature("g" + std::to_string(i), 3, ints({1}))));
    QElapsedTimer timer;
    timer.start();
    const RecordSchema schema = schemaOf(records);
    QCOMPARE(schema.features.size(), size_t(101'000));
    QVERIFY(programOf(schema).size() > 5'000'000);
    QVERIFY2(timer.elapsed() < 100'000, qPrintable(QString::number(timer.elapsed())));
  }
  void aSpecIsTriedOnARecord() {
    const auto features = parseExample(example(feature("box", 3, ints({1, 2, 3, 4})) + feature("label", 3, ints({7})))).value();
    const ExampleFeature *box = &features[0], *label = &features[1];
    FeatureSpec spec{"box", Spec::Fixed, DType::Int64, {2, 2}, false};
    QVERIFY(applySpec(spec, box).value().shape() == Shape({2, 2}));
    spec.shape = {3};
    const auto tooFew = applySpec(spec, box);
    QVERIFY(tooFew.error().message.find("values size: 4 but output shape: [3]") != std::string::npos);
    QVERIFY(applySpec({"label", Spec::Fixed, DType::Float, {}, false}, label).error().message.find("Data types don't match. Expected type: float") !=
            std::string::npos);
    QVERIFY(applySpec({"none", Spec::Fixed, DType::Int64, {}, false}, nullptr).error().message.find("is required but could not be found") != std::string::npos);
    QCOMPARE(applySpec({"none", Spec::Fixed, DType::Int64, {2}, true}, nullptr).value().elements(), 2);
    QCOMPARE(applySpec({"none", Spec::Variable, DType::Int64, {}, false}, nullptr).value().elements(), 0);
    QVERIFY(applySpec({"box", Spec::FixedSequence, DType::Int64, {2}, false}, box).value().shape() == Shape({2, 2}));
    QCOMPARE(applySpec({"box", Spec::FixedSequence, DType::Int64, {3}, false}, box).error().code, Code::InvalidArgument);
  }
  void rubbishIsNoExample() {
    QCOMPARE(recordForm(std::string("\xff\xff\xff")), RecordForm::Bytes);
    QCOMPARE(recordForm(std::string()), RecordForm::Bytes);
    QCOMPARE(parseExample(std::string("\x0a\x7f")).error().code, Code::InvalidArgument);
  }
};

QTEST_GUILESS_MAIN(ExamplesTest)
#include "tst_examples.moc"
