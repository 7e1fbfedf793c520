#pragma once

#include <QObject>
#include <QPointer>
#include <QStringList>
#include <QVector>
#include <functional>
#include <memory>

namespace weft::app {

class Document;
class Program;
class Workspace;

/// An interactive Python (app/python/weft/console.py) on a document: in a process of its own, in which `graph` is a copy of the document's graph and `session`
/// has the values of its variables. What it builds comes back only when it is taken over, as one edit. GUI thread.
class Console : public QObject {
  Q_OBJECT

 public:
  enum class State { Off, Starting, Ready, Busy, Ended };
  enum class Kind { Input, Output, Error, Note };
  struct Completions {
    int from = 0;  ///< Where the words begin in the text that was asked about.
    QStringList words;
    QStringList kinds;  ///< One for each: "function", "module", "node" …
  };

  explicit Console(Workspace& workspace);
  ~Console() override;

  State state() const { return state_; }
  bool isAlive() const { return state_ == State::Starting || state_ == State::Ready || state_ == State::Busy; }
  /// Whose graph it has; null: none, or it was closed.
  Document* document() const { return document_; }
  /// What its graph was when it was opened; empty: an empty graph.
  const QString& title() const { return title_; }

  /// Starts it anew on the current document, or on an empty graph.
  void start();
  void stop();
  /// Ctrl-C.
  void interrupt();
  /// Gives it a text, which may have several lines; `more()` if that is no whole statement yet. One that is not there is started first.
  void run(const QString& text);
  /// Asks what could stand at the cursor, or what is to be known about what stands there; completions() and helpArrived() answer. Nothing while it is off.
  void complete(const QString& text, int cursor);
  void describe(const QString& text, int cursor);

  /// Texts that were given, oldest first; kept from one start of the program to the next.
  const QStringList& history() const { return history_; }

  /// How many nodes its graph has more than the document had; < 0: other changes.
  int added() const { return added_; }
  bool hasChanges() const { return added_ != 0 && document_; }
  using Done = std::function<void(const QString& error)>;
  /// Brings its graph's new nodes into the document as one edit.
  void takeOver(Done done = {});

 signals:
  void stateChanged();
  /// Input: a statement that is run now, without a newline at its end.
  void printed(weft::app::Console::Kind kind, const QString& text);
  /// The text that was run is no whole statement.
  void more(const QString& text);
  void completions(const weft::app::Console::Completions& completions);
  /// On what stands at the cursor; empty: nothing is known.
  void helpArrived(const QString& text);
  /// Its graph became another one, or was taken over.
  void changesChanged();

 private:
  void setState(State state);
  void hear(const QString& event, const QByteArray& message);
  void sendDocument();
  void apply(const QString& file);

  Workspace& workspace_;
  std::unique_ptr<Program> program_;
  QPointer<Document> document_;
  QString title_;
  State state_ = State::Off;
  QStringList waiting_;  ///< Texts that were given before it was ready.
  QStringList history_;
  int added_ = 0, generation_ = 0;
  Done takeOver_;
};

}  // namespace weft::app
