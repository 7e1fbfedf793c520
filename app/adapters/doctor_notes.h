// What the engine's doctor finds, in the user's language.
#pragma once

#include <QPair>
#include <QString>
#include <QVector>
#include <functional>
#include <optional>

#include "adapters/graph_contents.h"

namespace weft {
struct DoctorFinding;
}

namespace weft::app {

struct DoctorNote {
  enum class Weight { Note, Warning, Error };
  enum class Evidence { None, Curve, Bars };
  QString code, node;
  Weight weight = Weight::Note;
  qint64 step = 0;  ///< 0: before the first.
  QString title, detail, advice;
  Evidence evidence = Evidence::None;
  QVector<double> values;
  double from = 0, to = 0;
  QString setting, value;  ///< A live scalar that helped when it was tried; empty: none.
  QStringList command;     ///< An action and its words that helped when it was tried; empty: none.
  QString fix;             ///< What was tried, in a sentence.
  QString file;            ///< The program's line that made the node; empty: no program.
  int line = 0;
};

/// Any thread.
DoctorNote doctorNote(const DoctorFinding& finding);
/// The finding of a program, as weft::doctorJson() writes it; empty if this version knows no such rule.
std::optional<DoctorNote> doctorNoteOf(const QByteArray& json);

struct DoctorOutcome {
  QVector<DoctorNote> notes;  ///< Worst first.
  QString error;
  bool onlyGraph = false;  ///< There is no training, so that nothing was run.
};
/// Examines a document before its first step, on copies; nothing is saved. `report` gets the share that is done; false cancels. Worker thread.
DoctorOutcome examine(const GraphContentsPtr& contents, const QString& folder, const QVector<QPair<QString, QString>>& set,
                      const std::function<bool(double)>& report);

}  // namespace weft::app
