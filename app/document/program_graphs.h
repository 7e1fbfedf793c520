#pragma once

#include <QHash>
#include <QMap>
#include <QObject>
#include <QPointer>
#include <QStringList>
#include <QVector>
#include <memory>
#include <optional>

namespace weft::app {

class Document;
class Program;
class ProgramNotes;
class ProgramSessions;
class Workspace;

/// The graphs of a Python program as documents, and the program lines that made their nodes. A graph that has grown replaces its document, unless the user has
/// edited that. GUI thread.
class ProgramGraphs : public QObject {
  Q_OBJECT

 public:
  struct Place {
    QString file;
    int line = 0;  ///< From 1 on.
  };

  ProgramGraphs(Workspace& workspace, Program& program);
  ~ProgramGraphs() override;

  /// The sessions that the program makes of its graphs.
  ProgramSessions& sessions() const { return *sessions_; }
  /// The program's reports on its lines and fetched values.
  ProgramNotes& notes() const { return *notes_; }

  /// The line that made a node; empty for nodes of other documents.
  std::optional<Place> placeOf(const Document* document, const QString& node) const;
  QStringList nodesMadeAt(const Document* document, const QString& file, int line) const;
  /// The document of the program's n-th graph as far as it has been read, and whether that is up to date; null: none yet.
  Document* document(int number, bool* upToDate) const;
  /// The number of a document's graph; 0: not a graph of the present or last program.
  int numberOf(const Document* document) const;
  /// Documents of the program's graphs, ordered by graph number.
  QVector<Document*> documents() const;

 signals:
  /// A graph arrived or changed.
  void changed();

 private:
  struct Shown {
    QPointer<Document> document;
    QHash<QString, Place> places;  ///< Of its nodes.
    QString file, linesFile;
    QString script;           ///< The script that made it.
    int nodes = 0, told = 0;  ///< Of the shown graph, and of the one that arrived.
    bool loading = false, again = false;
  };
  void load(int number);

  Workspace& workspace_;
  Program& program_;
  std::unique_ptr<ProgramSessions> sessions_;
  std::unique_ptr<ProgramNotes> notes_;
  QMap<int, Shown> shown_;
  int generation_ = 0;  ///< Of the program; graphs of earlier ones are no longer shown.
};

}  // namespace weft::app
