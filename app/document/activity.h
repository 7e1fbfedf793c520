#pragma once

#include <QString>
#include <QVector>

namespace weft::app {

class Document;
class Workspace;

/// Something that goes on and would be ended by closing a document, or the program.
struct Activity {
  enum class Kind { Training, Debugging, Program, Task };
  Kind kind = Kind::Training;
  QString text;  ///< A translated sentence: what goes on, and how far it is.
};

/// What closing `document` would end; null: what ending the program would.
QVector<Activity> activitiesOf(Workspace& workspace, const Document* document);

}  // namespace weft::app
