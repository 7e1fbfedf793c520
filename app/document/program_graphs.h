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

/// The graphs that a Python program makes, as documents, and the lines of the program that made their nodes. A graph that grew takes its document's place
/// unless somebody has edited that. GUI thread.
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
  /// What the program told of its lines and of the values that it fetched.
  ProgramNotes& notes() const { return *notes_; }

  /// Where a node was made; none for other documents' nodes.
  std::optional<Place> placeOf(const Document* document, const QString& node) const;
  QStringList nodesMadeAt(const Document* document, const QString& file, int line) const;
  /// The document of the program's n-th graph as far as it has been read, and whether that is all that arrived; null: none yet.
  Document* document(int number, bool* upToDate) const;
  /// The number of a document's graph; 0: it is none of the program that runs or ran last.
  int numberOf(const Document* document) const;
  /// Documents that the program's graphs are shown in, in the order of the graphs' numbers.
  QVector<Document*> documents() const;

 signals:
  /// A graph came, or another one.
  void changed();

 private:
  struct Shown {
    QPointer<Document> document;
    QHash<QString, Place> places;  ///< Of its nodes.
    QString file, linesFile;
    QString script;           ///< That made it.
    int nodes = 0, told = 0;  ///< Of what is shown, of what arrived.
    bool loading = false, again = false;
  };
  void load(int number);

  Workspace& workspace_;
  Program& program_;
  std::unique_ptr<ProgramSessions> sessions_;
  std::unique_ptr<ProgramNotes> notes_;
  QMap<int, Shown> shown_;
  int generation_ = 0;  ///< Of the program: graphs of one that ran before are not shown any more.
};

}  // namespace weft::app
