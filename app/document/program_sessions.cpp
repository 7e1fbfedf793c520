#include "document/program_sessions.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <algorithm>

#include "document/program.h"

namespace weft::app {
namespace {

constexpr qsizetype kMostSessions = 2000;  // limit for a program that makes one in each iteration of a loop

}  // namespace

ProgramSessions::ProgramSessions(Program& program) : program_(program) {
  connect(&program, &Program::said, this, &ProgramSessions::handleMessage);
  connect(&program, &Program::aboutToStart, this, [this] {
    list_.clear();
    emit changed();
  });
  connect(&program, &Program::stateChanged, this, [this] {
    if (program_.isAlive()) return;
    bool any = false;
    for (ProgramSession& s : list_) {
      if (s.state != ProgramSession::State::Open) continue;
      s.state = ProgramSession::State::Ended;
      s.isDefault = false;
      any = true;
    }
    if (any) emit changed();
  });
}

void ProgramSessions::handleMessage(const QString& event, const QByteArray& message) {
  if (event != QLatin1String("session")) return;
  const QJsonObject m = QJsonDocument::fromJson(message).object();
  const int number = m[QStringLiteral("number")].toInt();
  if (number < 1) return;
  auto at = std::find_if(list_.begin(), list_.end(), [number](const ProgramSession& s) { return s.number == number; });
  if (at == list_.end()) {
    if (list_.size() == kMostSessions) list_.removeFirst();
    at = list_.insert(std::upper_bound(list_.begin(), list_.end(), number, [](int n, const ProgramSession& s) { return n < s.number; }), ProgramSession());
    at->number = number;
  }
  const QJsonArray place = m[QStringLiteral("place")].toArray();
  at->kind = m[QStringLiteral("kind")].toString();
  at->graph = m[QStringLiteral("graph")].toInt();
  at->nodesThen = m[QStringLiteral("nodes")].toInt();
  at->file = place.at(0).toString();
  at->line = place.at(1).toInt();
  at->target = m[QStringLiteral("target")].toString();
  at->steps = m[QStringLiteral("steps")].toInteger();
  at->isDefault = m[QStringLiteral("default")].toBool();
  at->state = !m[QStringLiteral("open")].toBool() ? ProgramSession::State::Closed
              : program_.isAlive()                ? ProgramSession::State::Open
                                                  : ProgramSession::State::Ended;
  emit changed();
}

}  // namespace weft::app
