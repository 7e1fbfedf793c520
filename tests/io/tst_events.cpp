#include <QTest>

#include "memory_files.h"
#include "weft/events.h"
#include "weft/records.h"

using namespace weft;

namespace {

std::string onlyFile(const MemoryFiles& files) { return files.files.begin()->first; }

std::vector<Event> readAll(EventReader& reader) {
  std::vector<Event> out;
  Event e;
  for (;;) {
    auto got = reader.next(&e);
    if (!got.ok() || !*got) return out;
    out.push_back(e);
  }
}

}  // namespace

class EventsTest : public QObject {
  Q_OBJECT

 private slots:
  void everyKindComesBack() {
    MemoryFiles files;
    auto writer = EventWriter::create("logs", {".v2", &files, 1500000000.25});
    QVERIFY(writer.ok());
    QVERIFY(fileNameOf((*writer)->path()).compare(0, 31, "events.out.tfevents.1500000000.") == 0);
    QVERIFY((*writer)->path().size() > 3 && (*writer)->path().substr((*writer)->path().size() - 3) == ".v2");
    QVERIFY((*writer)->addScalar("loss", 0.5f, 3, 10).ok());
    HistogramValue h{-1, 2, 3, 1, 5, {0, 1, 2}, {1, 1, 1}};
    QVERIFY((*writer)
                ->addValues({{"h", "", "", "", "", h},
                             {"img", "", "", "", "", ImageValue{2, 3, 1, "png"}},
                             {"snd", "", "", "", "", AudioValue{44100, 2, 7, "wav", "audio/wav"}},
                             {"t", "text", "x", "shown", "said", Tensor::scalar("words")}},
                            4, 11)
                .ok());
    QVERIFY((*writer)->addGraph("graph bytes", 0, 12).ok());
    QVERIFY((*writer)->addMetaGraph("meta bytes", 0, 12).ok());
    QVERIFY((*writer)->addRunMetadata("run bytes", "step 4", 4, 13).ok());
    QCOMPARE(int((*writer)->addRunMetadata("run bytes", "step 4", 4, 13).code()), int(Code::AlreadyExists));
    QVERIFY((*writer)->addSession(Event::Checkpoint, "m-4", 4, 14).ok());
    QVERIFY((*writer)->addLog(20, "hello", 4, 15).ok());
    QVERIFY((*writer)->close().ok());
    QVERIFY(!(*writer)->addScalar("late", 1, 1).ok());

    auto reader = EventReader::open((*writer)->path(), &files);
    QVERIFY(reader.ok());
    const auto events = readAll(**reader);
    QCOMPARE(events.size(), size_t(8));
    QCOMPARE(int(events[0].kind), int(Event::Kind::FileVersion));
    QCOMPARE(events[0].bytes, std::string("brain.Event:2"));
    QCOMPARE(events[0].wallTime, 1500000000.25);
    QCOMPARE(std::get<float>(events[1].values[0].value), 0.5f);
    QCOMPARE(events[1].step, int64_t(3));
    const auto& values = events[2].values;
    QCOMPARE(values.size(), size_t(4));
    QCOMPARE(std::get<HistogramValue>(values[0].value).limits, h.limits);
    QCOMPARE(std::get<ImageValue>(values[1].value).encoded, std::string("png"));
    QCOMPARE(std::get<AudioValue>(values[2].value).contentType, std::string("audio/wav"));
    QCOMPARE(values[3].plugin, std::string("text"));
    QCOMPARE(std::get<Tensor>(values[3].value).at<std::string>(0), std::string("words"));
    QCOMPARE(events[3].bytes, std::string("graph bytes"));
    QCOMPARE(events[5].tag, std::string("step 4"));
    QCOMPARE(events[6].checkpointPath, std::string("m-4"));
    QCOMPARE(events[7].bytes, std::string("hello"));
  }

  void metadataOfATagIsWrittenOnce() {
    MemoryFiles files;
    auto writer = EventWriter::create("logs", {"", &files, 1});
    for (int i = 0; i < 2; ++i) QVERIFY((*writer)->addValues({{"t", "text", "", "", "", Tensor::scalar("a")}}, i, 1).ok());
    QVERIFY((*writer)->close().ok());
    auto reader = EventReader::open(onlyFile(files), &files);
    const auto events = readAll(**reader);
    QCOMPARE(events[1].values[0].plugin, std::string("text"));
    QCOMPARE(events[2].values[0].plugin, std::string());
  }

  void twoWritersInOneSecondHaveTwoFiles() {
    MemoryFiles files;
    auto a = EventWriter::create("logs", {"", &files, 5}), b = EventWriter::create("logs", {"", &files, 5});
    QVERIFY((*a)->path() != (*b)->path());
  }

  void aGrowingFileIsFollowedByteByByte() {
    MemoryFiles files;
    auto writer = EventWriter::create("logs", {"", &files, 1});
    for (int i = 0; i < 5; ++i) QVERIFY((*writer)->addScalar("loss", float(i), i, 1).ok());
    QVERIFY((*writer)->close().ok());
    const std::string whole = *files.files[onlyFile(files)];
    auto growing = std::make_shared<std::string>();
    files.files["growing"] = growing;
    auto reader = EventReader::open("growing", &files);
    size_t seen = 0;
    for (size_t n = 0; n < whole.size(); ++n) {
      *growing += whole[n];
      seen += readAll(**reader).size();
    }
    QCOMPARE(seen, size_t(6));
    QVERIFY(!(*reader)->endsInsideRecord());
  }

  void aCutFileEndsBeforeTheCut() {
    MemoryFiles files;
    auto writer = EventWriter::create("logs", {"", &files, 1});
    QVERIFY((*writer)->addScalar("loss", 1, 1, 1).ok());
    QVERIFY((*writer)->close().ok());
    std::string& bytes = *files.files[onlyFile(files)];
    bytes.resize(bytes.size() - 2);
    auto reader = EventReader::open(onlyFile(files), &files);
    QCOMPARE(readAll(**reader).size(), size_t(1));
    QVERIFY((*reader)->endsInsideRecord());
  }

  void everyDamagedByteIsNoticed() {
    MemoryFiles files;
    auto writer = EventWriter::create("logs", {"", &files, 1});
    QVERIFY((*writer)->addScalar("loss", 1, 1, 1).ok());
    QVERIFY((*writer)->close().ok());
    std::string& bytes = *files.files[onlyFile(files)];
    for (size_t at = 0; at < bytes.size(); ++at) {
      bytes[at] = char(bytes[at] ^ 1);
      auto reader = EventReader::open(onlyFile(files), &files);
      Event e;
      bool failed = false;
      for (int i = 0; i < 2 && !failed; ++i) {
        const auto got = (*reader)->next(&e);
        failed = !got.ok();
        if (failed) QCOMPARE(got.error().kind, std::string("bad_checksum"));
      }
      QVERIFY2(failed, std::to_string(at).c_str());
      bytes[at] = char(bytes[at] ^ 1);
    }
  }

  void records_data() {
    QTest::addColumn<QString>("compression");
    for (const char* c : {"", "ZLIB", "GZIP"}) QTest::newRow(*c ? c : "none") << QString(c);
  }
  void records() {
    QFETCH(QString, compression);
    const Compression c = *compressionFromName(compression.toStdString());
    MemoryFiles files;
    auto writer = RecordWriter::create("r", c, &files);
    const std::vector<std::string> records = {"", "a", std::string(300000, 'x'), std::string("\0\1\2", 3)};
    for (const std::string& r : records) QVERIFY((*writer)->write(r).ok());
    QVERIFY((*writer)->close().ok());
    QCOMPARE(int(guessCompression(*files.files["r"])), int(c));
    auto reader = RecordReader::open("r", c, &files);
    std::string record;
    for (const std::string& want : records) {
      auto got = (*reader)->next(&record);
      QVERIFY(got.ok() && *got);
      QCOMPARE(record, want);
    }
    QVERIFY(!*(*reader)->next(&record));
    // Cut anywhere, it ends early or says so, and never gives a record that was not written.
    const std::string whole = *files.files["r"];
    for (size_t length = 0; length < whole.size(); length += 1 + length / 9) {
      *files.files["r"] = whole.substr(0, length);
      auto cut = RecordReader::open("r", c, &files);
      for (size_t i = 0;; ++i) {
        auto got = (*cut)->next(&record);
        if (!got.ok() || !*got) break;
        QCOMPARE(record, records[i]);
      }
    }
  }

  void aClaimOfManyBytesTakesNoMemory() {
    MemoryFiles files;
    files.files["r"] = std::make_shared<std::string>("\0\0\0\0\0\0\0\x40", 8);
    auto writer = RecordWriter::create("w", Compression::None, &files);
    QVERIFY((*writer)->write("x").ok());
    // A header with a right checksum whose payload is missing: the first 12 bytes of a large record.
    auto big = RecordWriter::create("b", Compression::None, &files);
    QVERIFY((*big)->write(std::string(5000000, 'y')).ok());
    files.files["b"]->resize(100);
    auto reader = RecordReader::open("b", Compression::None, &files);
    std::string record;
    const auto got = (*reader)->next(&record);
    QVERIFY(!got.ok());
    QCOMPARE(got.error().kind, std::string("truncated"));
    QVERIFY(got.error().message.find("truncated record at 0") != std::string::npos);
  }
};

QTEST_GUILESS_MAIN(EventsTest)
#include "tst_events.moc"
