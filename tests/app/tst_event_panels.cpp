// Event files and trainings, from disk to the panels.
#include <QBuffer>
#include <QDir>
#include <QImage>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include "adapters/event_follower.h"
#include "document/document.h"
#include "document/log.h"
#include "document/workspace.h"
#include "views/hparams/hparams_table.h"
#include "weft/events.h"
#include "weft/tensor.h"

using namespace weft::app;

namespace {

std::string text(const QString& s) { return s.toStdString(); }

/// A picture of one pixel, as PNG.
QByteArray pixel(int grey) {
  QImage image(1, 1, QImage::Format_Grayscale8);
  image.fill(QColor(grey, grey, grey));
  QByteArray bytes;
  QBuffer buffer(&bytes);
  buffer.open(QIODevice::WriteOnly);
  image.save(&buffer, "PNG");
  return bytes;
}

std::unique_ptr<weft::EventWriter> writer(const QString& folder, double now = 0) {
  weft::EventWriter::Options options;
  options.now = now;
  auto made = weft::EventWriter::create(text(folder), options);
  if (!made.ok()) qFatal("%s", made.error().toString().c_str());
  return std::move(*made);
}

void must(weft::Status status) {
  if (!status.ok()) qFatal("%s", status.toString().c_str());
}

void scalars(weft::EventWriter& out, const char* tag, int first, int count) {
  for (int i = first; i < first + count; ++i) must(out.addScalar(tag, float(i), i, 1000.0 + i));
  must(out.flush());
}

/// A finished file of `count` losses from step `first` on; its path.
QString written(const QString& folder, int count, int first = 0, double now = 0) {
  auto out = writer(folder, now);
  scalars(*out, "loss", first, count);
  const QString path = QString::fromStdString(out->path());
  must(out->close());
  return path;
}

QByteArray contents(const QString& path) {
  QFile file(path);
  return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

void store(const QString& path, const QByteArray& bytes) {
  QFile file(path);
  if (!file.open(QIODevice::WriteOnly)) qFatal("cannot write %s", qPrintable(path));
  file.write(bytes);
}

/// The run list's message for the run "logs".
QString problemOf(Workspace& w) {
  const SummaryRun* run = w.summaries().run(QStringLiteral("logs"));
  return run ? run->problem : QStringLiteral("there is no run logs");
}

/// Opens a folder and waits until it is read.
QString openAndWait(Workspace& w, const QString& path) {
  std::optional<QString> ended;
  w.openEvents(path, [&](const QString& error) { ended = error; });
  if (!QTest::qWaitFor([&] { return ended.has_value(); }, 20000)) return QStringLiteral("never ended");
  w.summaries().drainAll();
  return *ended;
}

qint64 count(const Workspace& w, const QString& run, const QString& tag) {
  const SummaryRun* r = const_cast<Workspace&>(w).summaries().run(run);
  if (!r || !r->scalars.count(tag)) return -1;
  return qint64(r->scalars.at(tag)->size());
}

}  // namespace

class EventsTest : public QObject {
  Q_OBJECT

 private slots:
  void init() {
    folder_ = std::make_unique<QTemporaryDir>();
    QVERIFY(folder_->isValid());
    logs_ = folder_->filePath(QStringLiteral("logs"));
  }

  void aCurveWithoutStepsIsToldOf() {
    Workspace workspace(Settings::Kind::InMemory);
    Summaries& summaries = workspace.summaries();
    const int run = summaries.addRun("r"), other = summaries.addRun("other");
    for (int i = 0; i < 8; ++i) {
      SummaryBatch batch, steps;
      batch.items.push_back({"loss", weft::widgets::Sample{0, double(i), 1.0 / (i + 1)}});
      steps.items.push_back({"loss", weft::widgets::Sample{double(i), double(i), 1.0}});
      summaries.add(run, batch);
      summaries.add(other, steps);
    }
    QVERIFY2(summaries.run(run)->problem.contains("global_step"), qPrintable(summaries.run(run)->problem));
    QVERIFY(summaries.run(other)->problem.isEmpty());
  }
  void everyKindOfEveryRunIsRead() {
    {
      auto train = writer(logs_ + "/train"), eval = writer(logs_ + "/eval/deep");
      scalars(*train, "loss", 0, 500);
      scalars(*eval, "loss", 0, 5);
      for (int step = 0; step < 3; ++step) {
        weft::SummaryValue h, i, t, a;
        h.tag = "weights";
        h.value = weft::HistogramValue{-1, 1, 4, 0, 2, {-0.5, 0, 2}, {1, 1, 2}};
        i.tag = "picture/image";
        const QByteArray png = pixel(10 * step);
        i.value = weft::ImageValue{1, 1, 1, png.toStdString()};
        t.tag = "note";
        t.plugin = "text";
        t.value = weft::Tensor::scalar(std::string("step ") + std::to_string(step));
        a.tag = "sound";
        a.value = weft::AudioValue{8000, 1, 2, "RIFF", "audio/wav"};
        must(train->addValues({h, i, t, a}, step));
      }
      must(train->close());
      must(eval->close());
    }
    Workspace w(Settings::Kind::InMemory);
    QCOMPARE(openAndWait(w, logs_), QString());
    QCOMPARE(w.summaries().runs().size(), size_t{2});
    QCOMPARE(count(w, "logs/train", "loss"), 500);
    QCOMPARE(count(w, "logs/eval/deep", "loss"), 5);
    const SummaryRun* run = w.summaries().run(QStringLiteral("logs/train"));
    QCOMPARE((*run->scalars.at("loss"))[321].value, 321.0);
    QCOMPARE((*run->scalars.at("loss"))[321].wall, 1321.0);
    QCOMPARE(run->histograms.at("weights")->size(), size_t{3});
    QCOMPARE(run->histograms.at("weights")->back().counts, (std::vector<double>{1, 1, 2}));
    QCOMPARE(run->pictures.at("picture/image")->back().encoded, pixel(20));
    QCOMPARE(run->texts.at("note")->back().text, QStringLiteral("step 2"));
    QCOMPARE(run->sounds.at("sound")->back().sampleRate, 8000.0);
    QVERIFY(run->problem.isEmpty());
    // Opening it again changes nothing; closing takes the runs away.
    QCOMPARE(openAndWait(w, logs_), QString());
    QCOMPARE(w.summaries().runs().size(), size_t{2});
    QSignalSpy gone(&w.summaries(), &Summaries::runRemoved);
    QVERIFY(w.summaries().closeFolder(logs_));
    QCOMPARE(gone.count(), 2);
    QVERIFY(w.summaries().runs().empty());
    QVERIFY(!w.summaries().closeFolder(logs_));
  }

  void filesOfTensorFlowAreRead() {
    Workspace w(Settings::Kind::InMemory);
    QCOMPARE(openAndWait(w, QStringLiteral(WEFT_GOLDEN_EVENTS)), QString());
    const auto& runs = w.summaries().runs();
    QVERIFY(runs.size() >= 5);
    qint64 scalars = 0, histograms = 0, pictures = 0, texts = 0, sounds = 0;
    for (const auto& run : runs) {
      scalars += qint64(run->scalars.size());
      histograms += qint64(run->histograms.size());
      pictures += qint64(run->pictures.size());
      texts += qint64(run->texts.size());
      sounds += qint64(run->sounds.size());
    }
    QVERIFY(scalars > 0 && histograms > 0 && pictures > 0 && texts > 0 && sounds > 0);
  }

  void pluginsOfTensorBoardAreRead() {
    Workspace w(Settings::Kind::InMemory);
    QCOMPARE(openAndWait(w, QStringLiteral(WEFT_GOLDEN_EVENTS) + "/plugins"), QString());
    const SummaryRun* run = w.summaries().run(QStringLiteral("plugins/pool"));
    QVERIFY(run);
    // As TensorBoard 1.15 wrote them.
    QCOMPARE(run->prCurves.size(), size_t{1});
    const weft::widgets::PrCurve& curve = (*run->prCurves.at("curve/pr_curves"))[0];
    QCOMPARE(curve.size(), size_t{11});
    QCOMPARE(curve.truePositives[0], 24.0);
    QCOMPARE(curve.truePositives[5], 19.0);
    QCOMPARE(curve.threshold(10), 1.0);
    for (size_t i = 0; i + 1 < curve.size(); ++i) {
      if (curve.truePositives[i] + curve.falsePositives[i] > 0)
        QVERIFY(std::abs(curve.precision[i] - curve.truePositives[i] / (curve.truePositives[i] + curve.falsePositives[i])) < 1e-6);
      QVERIFY(std::abs(curve.recall[i] - curve.truePositives[i] / (curve.truePositives[i] + curve.falseNegatives[i])) < 1e-6);
    }
    const LayoutEntry& layout = run->layouts.begin()->second->back();
    QCOMPARE(layout.categories.size(), 2);
    QCOMPARE(layout.categories[0].charts[0].tags, (QStringList{"proj.*", "loss"}));
    QCOMPARE(layout.categories[0].charts[1].margins[0].upper, QString("high"));
    QVERIFY(layout.categories[1].closed);
  }

  void sessionsBecomeATable() {
    Workspace w(Settings::Kind::InMemory);
    QCOMPARE(openAndWait(w, QStringLiteral(WEFT_GOLDEN_EVENTS) + "/hparams"), QString());
    const HParamsTable table = HParamsTable::of(w.summaries());
    QCOMPARE(table.description, QString("three trials"));
    QCOMPARE(table.rows.size(), 3);
    const auto cell = [&](int row, const QString& key) {
      for (qsizetype i = 0; i < table.columns.size(); ++i)
        if (table.columns[i].key == key) return table.rows[row].cells[i];
      return QVariant();
    };
    QCOMPARE(table.columns[0].title, QString("rate"));  // the display name of lr
    QCOMPARE(cell(0, "lr"), QVariant(0.1));
    QCOMPARE(cell(0, "cell"), QVariant("lstm"));
    QCOMPARE(cell(1, "bias"), QVariant(true));
    QCOMPARE(int(table.rows[0].status), int(HParamsEntry::Status::Failure));
    QCOMPARE(int(table.rows[1].status), int(HParamsEntry::Status::Success));
    QVERIFY(table.toCsv([](auto) { return QString("s"); }).startsWith("run,status,\"rate\","));
  }

  void valuesThatArentWhatTheirPluginSaysAreReported() {
    {
      auto out = writer(logs_);
      weft::SummaryValue curve, session, layout;
      curve.tag = "bad/pr";
      curve.plugin = "pr_curves";
      curve.value = weft::Tensor::zeros(weft::DType::Float, {5, 11});
      session.tag = "bad/session";
      session.plugin = "hparams";
      session.pluginContent = "\x1a\x7f";
      session.value = weft::Tensor::scalar(0.0f);
      layout.tag = "bad/layout";
      layout.plugin = "custom_scalars";
      layout.value = weft::Tensor::scalar(std::string("\x12\x7f"));
      for (int step = 0; step < 3; ++step) must(out->addValues({curve, session, layout}, step));
      must(out->close());
    }
    Workspace w(Settings::Kind::InMemory);
    QCOMPARE(openAndWait(w, logs_), QString());
    const SummaryRun* run = w.summaries().run(QStringLiteral("logs"));
    QVERIFY(run && run->prCurves.empty() && run->hparams.empty() && run->layouts.empty());
    QStringList said;
    for (const Log::Line& line : w.log().lines())
      if (line.text.contains("bad/")) said << line.text;
    QCOMPARE(said.size(), 3);  // once per tag
    QVERIFY2(said[0].contains("expected numbers of shape [6, thresholds], found numbers [5, 11]"), qPrintable(said[0]));
    QVERIFY2(said[1].contains("malformed") && said[2].contains("malformed"), qPrintable(said.join('|')));
  }

  void growingFilesAreFollowed() {
    auto out = writer(logs_);
    scalars(*out, "loss", 0, 10);
    Workspace w(Settings::Kind::InMemory);
    QCOMPARE(openAndWait(w, logs_), QString());
    QCOMPARE(count(w, "logs", "loss"), 10);
    scalars(*out, "loss", 10, 10);
    QTRY_COMPARE(count(w, "logs", "loss"), 20);
    // A run that comes later, and a second file of the first one.
    auto late = writer(logs_ + "/late");
    scalars(*late, "lr", 0, 3);
    QTRY_COMPARE(count(w, "logs/late", "lr"), 3);
    must(out->close());
    auto second = writer(logs_, 4e9);
    scalars(*second, "loss", 20, 5);
    QTRY_COMPARE(count(w, "logs", "loss"), 25);
  }

  void aRecordThatIsHalfWrittenIsWaitedFor() {
    const QString path = written(logs_, 20);
    const QByteArray whole = contents(path);
    store(path, whole.left(whole.size() - 7));
    Workspace w(Settings::Kind::InMemory);
    QCOMPARE(openAndWait(w, logs_), QString());
    QCOMPARE(count(w, "logs", "loss"), 19);
    QVERIFY(problemOf(w).isEmpty());
    QFile file(path);
    QVERIFY(file.open(QIODevice::Append));
    file.write(whole.right(7));
    file.close();
    QTRY_COMPARE(count(w, "logs", "loss"), 20);
  }

  void aFileWrittenAnewBeginsAnew_data() {
    QTest::addColumn<bool>("inPlace");
    QTest::newRow("replaced") << false;
    QTest::newRow("in place") << true;
  }
  void aFileWrittenAnewBeginsAnew() {
    QFETCH(bool, inPlace);
    const QString path = written(logs_, 30, 0, 1000);
    const QString fresh = written(folder_->filePath(QStringLiteral("other")), 40, 100, 2000);
    Workspace w(Settings::Kind::InMemory);
    QCOMPARE(openAndWait(w, logs_), QString());
    QCOMPARE(count(w, "logs", "loss"), 30);
    QSignalSpy restarted(&w.summaries(), &Summaries::runRestarted);
    if (inPlace) {
      store(path, contents(fresh));
    } else {
      QVERIFY(QFile::remove(path));
      QVERIFY(QFile::rename(fresh, path));
    }
    QTRY_COMPARE(count(w, "logs", "loss"), 40);
    QCOMPARE((*w.summaries().run(QStringLiteral("logs"))->scalars.at("loss"))[0].step, 100.0);
    QCOMPARE(restarted.count(), 1);
    QVERIFY(problemOf(w).isEmpty());
  }

  void aFileThatWasCutBeginsAnew() {
    const QString path = written(logs_, 30);
    const QByteArray whole = contents(path);
    Workspace w(Settings::Kind::InMemory);
    QCOMPARE(openAndWait(w, logs_), QString());
    store(path, whole.left(whole.size() / 2));
    QTRY_VERIFY(count(w, "logs", "loss") > 5 && count(w, "logs", "loss") < 20);
    store(path, whole);
    QTRY_COMPARE(count(w, "logs", "loss"), 30);
  }

  void deletedFilesLeaveWhatWasRead() {
    const QString path = written(logs_, 12);
    const QByteArray whole = contents(path);
    Workspace w(Settings::Kind::InMemory);
    QCOMPARE(openAndWait(w, logs_), QString());
    QVERIFY(QFile::remove(path));
    QTRY_VERIFY(!problemOf(w).isEmpty());
    QVERIFY(problemOf(w).contains(QStringLiteral("was deleted")));
    QCOMPARE(count(w, "logs", "loss"), 12);
    store(path, whole);
    QTRY_VERIFY(problemOf(w).isEmpty());
    QTRY_COMPARE(count(w, "logs", "loss"), 12);
    QDir(logs_).removeRecursively();
    QTRY_VERIFY(!problemOf(w).isEmpty());
    QCOMPARE(count(w, "logs", "loss"), 12);
  }

  void damageIsToldAndHeals() {
    const QString path = written(logs_, 50);
    const QByteArray whole = contents(path);
    QByteArray broken = whole;
    broken[whole.size() / 2] = char(broken[whole.size() / 2] ^ 0x55);
    store(path, broken);
    Workspace w(Settings::Kind::InMemory);
    QCOMPARE(openAndWait(w, logs_), QString());
    const SummaryRun* run = w.summaries().run(QStringLiteral("logs"));
    QVERIFY2(run->problem.contains(QStringLiteral("is damaged at byte")), qPrintable(run->problem));
    const qint64 before = count(w, "logs", "loss");
    QVERIFY(before > 10 && before < 40);
    QTest::qWait(1200);  // nothing changes by looking again
    QCOMPARE(count(w, "logs", "loss"), before);
    QVERIFY(!problemOf(w).isEmpty());
    store(path, whole);
    QTRY_COMPARE(count(w, "logs", "loss"), 50);
    QTRY_VERIFY(problemOf(w).isEmpty());
  }

  void whatIsNotThereSaysSo() {
    Workspace w(Settings::Kind::InMemory);
    QVERIFY(openAndWait(w, folder_->filePath(QStringLiteral("nowhere"))).contains(QStringLiteral("does not exist")));
    QVERIFY(QDir().mkpath(logs_));
    QVERIFY(openAndWait(w, logs_).contains(QStringLiteral("no event files")));
    store(logs_ + "/events.out.tfevents.1.x", "this is no event file at all");
    QCOMPARE(openAndWait(w, logs_), QString());
    QTRY_VERIFY(w.summaries().run(QStringLiteral("logs")) && !problemOf(w).isEmpty());
    QVERIFY(w.summaries().closeFolder(logs_));
  }

  void openingTakesFoldersAndFiles() {
    {
      auto out = writer(logs_);
      scalars(*out, "loss", 0, 3);
    }
    Workspace w(Settings::Kind::InMemory);
    QSignalSpy opened(&w, &Workspace::eventsOpened);
    w.open(QDir(logs_).filePath(QDir(logs_).entryList(QDir::Files).first()));
    QTRY_COMPARE(opened.count(), 1);
    w.summaries().drainAll();
    QCOMPARE(count(w, "logs", "loss"), 3);
    QVERIFY(w.documents().isEmpty());
    w.open(logs_);
    QTRY_COMPARE(opened.count(), 2);
    w.summaries().drainAll();
    QCOMPARE(count(w, "logs (2)", "loss"), 3);  // another run of that name
  }

  void manyRunsCloseWhileTheyAreRead() {
    for (int i = 0; i < 20; ++i) {
      auto out = writer(logs_ + QStringLiteral("/run%1").arg(i));
      scalars(*out, "loss", 0, 2000);
    }
    Workspace w(Settings::Kind::InMemory);
    QString error = QStringLiteral("-");
    w.openEvents(logs_, [&](const QString& e) { error = e; });
    QVERIFY(w.summaries().closeFolder(logs_));
    QTRY_VERIFY(error != QLatin1String("-"));
    QVERIFY(!error.isEmpty());
    QVERIFY(w.summaries().runs().empty());
    QCOMPARE(openAndWait(w, logs_), QString());
    QCOMPARE(w.summaries().runs().size(), size_t{20});
    QCOMPARE(count(w, "logs/run19", "loss"), 2000);
  }

  void trainingsDeliverEverySummary() {
    Workspace w(Settings::Kind::InMemory);
    w.newFromTemplate(QStringLiteral("mlp"));
    QTRY_VERIFY(w.current());
    w.runs().start(w.current(), 25, 0);
    QTRY_COMPARE_WITH_TIMEOUT(w.runs().state(), RunController::State::Finished, 30000);
    const SummaryRun* run = w.summaries().run(w.runs().currentRun()->name);
    QVERIFY(run);
    QCOMPARE(run->scalars.at("loss")->size(), size_t{25});  // every step, though summaries come every tenth
    QCOMPARE(run->scalars.at("test_loss")->size(), size_t{1});
    QVERIFY(!run->scalars.count("summary/loss"));
    QVERIFY(run->histograms.size() >= 6);
    const auto& kernel = *run->histograms.at("hidden1/kernel_1");
    QCOMPARE(kernel.size(), size_t{3});  // steps 1, 10, 20
    QCOMPARE(kernel[1].step, 10.0);
    QCOMPARE(kernel[1].num, 64.0 * 64);
    QCOMPARE(run->pictures.size(), size_t{4});
    const auto& picture = run->pictures.begin()->second->back();
    QCOMPARE(QImage::fromData(picture.encoded).size(), QSize(8, 8));
    // The event files agree: a second reader gets the panels' data.
    Workspace other(Settings::Kind::InMemory);
    QCOMPARE(openAndWait(other, w.runs().currentRun()->folder + "/events"), QString());
    const SummaryRun* read = other.summaries().run(QStringLiteral("events"));
    QVERIFY(read);
    QCOMPARE(read->histograms.at("hidden1/kernel_1")->back().counts, kernel.back().counts);
    QDir(w.runs().currentRun()->folder).removeRecursively();
  }

 private:
  std::unique_ptr<QTemporaryDir> folder_;
  QString logs_;
};

QTEST_MAIN(EventsTest)
#include "tst_event_panels.moc"
