// The doctor beside whole trainings: sound ones, those that it must not change, and those that it cannot examine.
#include <QTest>
#include <cmath>

#include "doctor_trainings.h"
#include "weft/templates.h"

using namespace weft;
using namespace doctor_tests;

class DoctorTest : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() { qputenv("WEFT_RESOURCES", WEFT_SOURCE_DIR "/resources"); }

  void theTemplatesAreSound_data() {
    QTest::addColumn<QString>("name");
    for (const api::Template& t : api::templates()) QTest::newRow(t.name.c_str()) << QString::fromStdString(t.name);
  }
  void theTemplatesAreSound() {
    QFETCH(QString, name);
    const auto meta = api::buildTemplate(name.toStdString());
    QVERIFY(meta.ok());
    const Said said = checked(*meta, true);
    QVERIFY2(said.findings.empty() && said.error.empty(), said.text().c_str());
    // And in their first steps.
    TrainingDoctor doctor(*meta);
    TrainOptions options;
    options.steps = 60;
    doctor.attach(options);
    auto trainer = Trainer::create(*meta, std::move(options));
    QVERIFY2(trainer.ok(), trainer.ok() ? "" : trainer.error().toString().c_str());
    const Status ran = (*trainer)->run();
    QVERIFY2(ran.ok(), ran.toString().c_str());
    const Said beside{doctor.findings(), {}};
    QVERIFY2(beside.findings.empty(), beside.text().c_str());
    QVERIFY(doctor.measuredSteps() >= 2);
  }

  void measuringChangesNoResult() {
    std::vector<double> losses[2];
    for (const bool watched : {false, true}) {
      TrainOptions options;
      options.steps = 40;
      options.session.threads = 1;
      options.callbacks.step = [&](const TrainStep& s) { losses[watched].push_back(s.loss); };
      const MetaGraph meta = document({}, digits());
      TrainingDoctor doctor(meta);
      if (watched) doctor.attach(options);
      auto trainer = Trainer::create(meta, std::move(options));
      QVERIFY(trainer.ok());
      QVERIFY((*trainer)->run().ok());
      QVERIFY(!watched || doctor.measuredSteps() > 0);
    }
    QCOMPARE(losses[0].size(), losses[1].size());
    for (size_t i = 0; i < losses[0].size(); ++i) QVERIFY2(std::abs(losses[0][i] - losses[1][i]) < 1e-5, qPrintable(QString::number(i)));
  }

  void aFixIsOfferedOnlyIfItHelped() {
    const Said said = of(with([](Sketch& r) { r.rate = 1e-9; }));
    QVERIFY2(said.has("learning-rate-low"), said.text().c_str());
    for (const DoctorFinding& f : said.findings) {
      if (f.rule->code != std::string_view("learning-rate-low")) continue;
      QVERIFY(f.fix && f.fix->tried && f.fix->setting == "rate");
      QVERIFY(f.fix->lossWith < f.fix->lossWithout);
    }
  }

  void anExaminationCanBeCancelled() {
    DoctorOptions options;
    options.progress = [](double) { return false; };
    const auto found = doctorBeforeTraining(document({}, digits()), options);
    QVERIFY(!found.ok());
    QCOMPARE(found.error().code, Code::Cancelled);
  }

  void dataThatAreNotThereAreAnError() {
    DatasetBinding data = digits();
    data.builtin = "nothing";
    const auto found = doctorBeforeTraining(document({}, data), {});
    QVERIFY(!found.ok());
    QVERIFY2(found.error().toString().find("nothing") != std::string::npos, found.error().toString().c_str());
  }

  void textsFillTheirSlots() {
    QCOMPARE(doctorText("%2 of %1, 5 % and %3", {"a", "b"}), std::string("b of a, 5 % and %3"));
    QCOMPARE(doctorText("", {}), std::string());
  }
};

QTEST_GUILESS_MAIN(DoctorTest)
#include "tst_doctor.moc"
