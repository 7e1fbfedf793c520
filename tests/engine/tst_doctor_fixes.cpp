// Fixes that the doctor tries on copies before it offers them.
#include <QTest>
#include <algorithm>

#include "support/documents.h"
#include "weft/doctor.h"
#include "weft/templates.h"

using namespace weft;

class DoctorFixes : public QObject {
  Q_OBJECT

  /// A template after an edit.
  static MetaGraph edited(const char* name, const std::vector<GraphCommand>& commands) {
    LoadedGraph graph;
    graph.meta = tests::documentOf(name);
    return tests::edited(std::move(graph), commands).meta;
  }

  static std::vector<DoctorFinding> examined(const MetaGraph& meta, const char* code) {
    DoctorOptions options;
    options.session.threads = 1;
    options.fitSteps = 40;
    auto found = doctorBeforeTraining(meta, options);
    if (!found.ok()) qFatal("%s", found.error().toString().c_str());
    std::erase_if(*found, [&](const DoctorFinding& f) { return f.rule->code != std::string_view(code); });
    return *found;
  }

 private slots:
  void anActivationOnLogitsIsTakenAway() {
    const auto found = examined(edited("mlp", {{"graph.set", {"logits", "activation=softsign"}}}), "activation-on-logits");
    QCOMPARE(found.size(), size_t(1));
    QVERIFY(found[0].fix && found[0].fix->tried);
    QCOMPARE(found[0].fix->command.toString(), std::string("graph.set logits activation=linear"));
    QVERIFY(found[0].fix->lossWith < 0.9 * found[0].fix->lossWithout);
    const std::string report = doctorReport(found[0]);
    QVERIFY2(report.find("Tried: after graph.set logits activation=linear the loss after 60 steps is") != std::string::npos, report.c_str());
    const std::string json = doctorJson(found[0]);
    QVERIFY2(json.find(R"("command":["graph.set","logits","activation=linear"])") != std::string::npos, json.c_str());
  }

  void theFixCuresTheFinding() {
    const MetaGraph meta = edited("mlp", {{"graph.set", {"logits", "activation=softsign"}}});
    const auto found = examined(meta, "activation-on-logits");
    QVERIFY(!found.empty() && found[0].fix);
    LoadedGraph before;
    before.meta = meta;
    const auto after = runGraphCommand(before, found[0].fix->command);
    QVERIFY(after.ok());
    QVERIFY(examined(after->graph.meta, "activation-on-logits").empty());
  }

  void aLearningRateThatLearnsNothingIsRaised() {
    MetaGraph meta = edited("mlp", {});
    DoctorOptions options;
    options.session.threads = 1;
    options.fitSteps = 40;
    options.set = {{"learning_rate", "1e-7"}};
    const auto found = doctorBeforeTraining(meta, options);
    QVERIFY(found.ok());
    const auto cannot =
        std::find_if(found->begin(), found->end(), [](const DoctorFinding& f) { return f.rule->code == std::string_view("cannot-learn-batch"); });
    QVERIFY(cannot != found->end());
    QVERIFY2(cannot->fix && cannot->fix->setting == "Learning rate", doctorReport(*cannot).c_str());
    QVERIFY(cannot->fix->lossWith < 0.9 * cannot->fix->lossWithout);
  }

  void aSoundDocumentGetsNoFix() {
    DoctorOptions options;
    options.session.threads = 1;
    options.fitSteps = 40;
    const auto found = doctorBeforeTraining(edited("mlp", {}), options);
    QVERIFY(found.ok());
    for (const DoctorFinding& f : *found) QVERIFY2(!f.fix, f.rule->code);
  }
};

QTEST_GUILESS_MAIN(DoctorFixes)
#include "tst_doctor_fixes.moc"
