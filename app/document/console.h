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

/// An interactive Python on a document (app/python/weft/console.py), in a separate process where `graph` is a copy of the document's graph and `session` has
/// its variables' values. New nodes reach the document only when they are taken over, as one edit. GUI thread.
class Console : public QObject {
  Q_OBJECT

 public:
  enum class State { Off, Starting, Ready, Busy, Ended };
  enum class Kind { Input, Output, Error, Note };
  struct Completions {
    int from = 0;  ///< Where the completed word begins in the text.
    QStringList words;
    QStringList kinds;  ///< The kind of each: "function", "module", "node" …
  };

  explicit Console(Workspace& workspace);
  ~Console() override;

  State state() const { return state_; }
  bool isAlive() const { return state_ == State::Starting || state_ == State::Ready || state_ == State::Busy; }
  /// The document of its graph; null: none, or it was closed.
  Document* document() const { return document_; }
  /// The document's title when the console was opened; empty: an empty graph.
  const QString& title() const { return title_; }

  /// Restarts it on the current document, or on an empty graph.
  void start();
  void stop();
  /// Ctrl-C.
  void interrupt();
  /// Runs a text, which may have several lines; emits more() if the statement is incomplete. Starts the process first if needed.
  void run(const QString& text);
  /// Asks for completions and help at the cursor; completions() and helpArrived() answer. Does nothing while the console is off.
  void complete(const QString& text, int cursor);
  void describe(const QString& text, int cursor);

  /// Texts that were run, oldest first; kept across sessions.
  const QStringList& history() const { return history_; }

  /// Number of nodes that its graph has beyond the document's; < 0: other changes.
  int added() const { return added_; }
  bool hasChanges() const { return added_ != 0 && document_; }
  using Done = std::function<void(const QString& error)>;
  /// Adds its graph's new nodes to the document as one edit.
  void takeOver(Done done = {});

 signals:
  void stateChanged();
  /// Input: a statement that is now run, without a trailing newline.
  void printed(weft::app::Console::Kind kind, const QString& text);
  /// The statement is incomplete.
  void more(const QString& text);
  void completions(const weft::app::Console::Completions& completions);
  /// Help on the word at the cursor; empty: none.
  void helpArrived(const QString& text);
  /// Its graph changed, or was taken over.
  void changesChanged();

 private:
  void setState(State state);
  void handleMessage(const QString& event, const QByteArray& message);
  void sendDocument();
  void apply(const QString& file);

  Workspace& workspace_;
  std::unique_ptr<Program> program_;
  QPointer<Document> document_;
  QString title_;
  State state_ = State::Off;
  QStringList waiting_;  ///< Texts to run once the process is ready.
  QStringList history_;
  int added_ = 0, generation_ = 0;
  Done takeOver_;
};

}  // namespace weft::app
