#include "train/summary_log.h"

#include <chrono>
#include <iterator>

namespace weft {

SummaryLog::Step::Step(int64_t step) {
  scalars_.kind = Event::Kind::Summary;
  scalars_.step = step;
  scalars_.wallTime = std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

void SummaryLog::Step::add(const std::string& tag, double value) {
  SummaryValue scalar;
  scalar.tag = tag;
  scalar.value = float(value);
  scalars_.values.push_back(std::move(scalar));
}

Result<Event> SummaryLog::Step::event() const {
  Event all = scalars_;
  for (const std::string& bytes : serialized_) {
    WEFT_LET(std::vector<SummaryValue> values, decodeSummary(bytes));
    all.values.insert(all.values.end(), std::make_move_iterator(values.begin()), std::make_move_iterator(values.end()));
  }
  return all;
}

Status SummaryLog::open(const std::string& folder, const std::string& graphDef, const std::string& resumedFrom, int64_t step) {
  folder_ = folder;
  WEFT_LET(training_, EventWriter::create(folder));
  WEFT_TRY(training_->addGraph(graphDef));
  WEFT_TRY(training_->addSession(Event::Start, resumedFrom, step));
  return training_->flush();
}

Status SummaryLog::write(const Step& step) {
  if (!training_) return {};
  const Event& scalars = step.scalars_;
  for (const std::string& bytes : step.serialized_) WEFT_TRY(training_->addSummary(bytes, scalars.step, scalars.wallTime));
  WEFT_TRY(training_->addValues(scalars.values, scalars.step, scalars.wallTime));
  return training_->flush();
}

Status SummaryLog::writeEvaluation(const TrainEvaluation& e) {
  if (!training_) return {};
  if (!evaluation_) {
    WEFT_LET(evaluation_, EventWriter::create(joinPath(folder_, "eval")));
  }
  WEFT_TRY(evaluation_->addScalar("loss", float(e.loss), e.step));
  if (e.accuracy >= 0) WEFT_TRY(evaluation_->addScalar("accuracy", float(e.accuracy), e.step));
  return evaluation_->flush();
}

Status SummaryLog::writeCheckpoint(const std::string& prefix, int64_t step) {
  return training_ ? training_->addSession(Event::Checkpoint, prefix, step) : Status();
}

Status SummaryLog::close(int64_t step) {
  if (!training_) return {};
  (void)training_->addSession(Event::Stop, "", step);
  Status status = training_->close();
  if (evaluation_)
    if (Status closed = evaluation_->close(); status.ok()) status = std::move(closed);
  return status;
}

}  // namespace weft
