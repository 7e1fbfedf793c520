#pragma once

#include <QString>
#include <QVector>

namespace weft::app {

class Document;
class Workspace;

/// Running work that closing a document, or the program, would end.
struct Activity {
  enum class Kind { Training, Debugging, Program, Task };
  Kind kind = Kind::Training;
  QString text;  ///< A translated sentence: the work and its progress.
};

/// The work that closing `document` would end; null: that quitting the program would end.
QVector<Activity> activitiesOf(Workspace& workspace, const Document* document);

}  // namespace weft::app
