#include "document/console.h"

#include <QDir>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <algorithm>
#include <utility>

#include "adapters/console_files.h"
#include "adapters/graph_files.h"
#include "document/document.h"
#include "document/program.h"
#include "document/workspace.h"

namespace weft::app {
namespace {
const QString kHistory = QStringLiteral("console/history");
constexpr int kMostTexts = 500;
QString doWord() { return QStringLiteral("do"); }
}  // namespace

Console::Console(Workspace& workspace) : workspace_(workspace), program_(std::make_unique<Program>()) {
  history_ = workspace.settings().value(kHistory).toStringList();
  connect(program_.get(), &Program::said, this, &Console::handleMessage);
  // Output that bypasses Python: the engine's warnings, a crash.
  connect(program_.get(), &Program::linesAdded, this, [this](int count) {
    const auto& lines = program_->lines();
    for (size_t i = lines.size() - std::min(lines.size(), size_t(count)); i < lines.size(); ++i)
      emit printed(lines[i].isError ? Kind::Error : Kind::Output, lines[i].text + u'\n');
  });
  connect(program_.get(), &Program::stateChanged, this, [this] {
    if (program_->isAlive() || !isAlive()) return;
    waiting_.clear();
    if (takeOver_) std::exchange(takeOver_, {})(tr("The console has ended."));
    emit printed(Kind::Note, tr("The console's Python %1.").arg(program_->ending()) + u'\n');
    setState(State::Ended);
  });
  connect(&workspace, &Workspace::documentRemoved, this, [this](Document* document) {
    if (document == document_) document_ = nullptr, emit changesChanged();
  });
}

Console::~Console() { program_->disconnect(this); }

void Console::setState(State state) {
  if (state == state_) return;
  state_ = state;
  emit stateChanged();
}

void Console::start() {
  ++generation_;
  document_ = workspace_.current();
  title_ = document_ ? document_->title() : QString();
  added_ = 0;
  state_ = State::Off;  // the end of the previous process is not reported
  const QString folder = document_ && !document_->folder().isEmpty() ? document_->folder() : QDir::homePath();
  const QString error = program_->startPart(QStringLiteral("console"), folder);
  emit changesChanged();
  if (!error.isEmpty()) {
    emit printed(Kind::Error, error + u'\n');
    return setState(State::Ended);
  }
  setState(State::Starting);
}

void Console::stop() { program_->stop(); }

void Console::interrupt() {
  program_->interrupt();
  waiting_.clear();
}

void Console::run(const QString& text) {
  if (!isAlive()) start();
  if (state_ != State::Ready) {
    waiting_ << text;
    return;
  }
  setState(State::Busy);
  program_->send({{doWord(), QStringLiteral("run")}, {QStringLiteral("text"), text}});
}

void Console::complete(const QString& text, int cursor) {
  if (!isAlive()) return;
  program_->send({{doWord(), QStringLiteral("complete")}, {QStringLiteral("text"), text.left(cursor)}});
}

void Console::describe(const QString& text, int cursor) {
  if (!isAlive()) return;
  program_->send({{doWord(), QStringLiteral("describe")}, {QStringLiteral("text"), text}, {QStringLiteral("cursor"), cursor}});
}

/// Writes the document and its variables' values on another thread, for the process to load.
void Console::sendDocument() {
  if (!document_) {
    program_->send({{doWord(), QStringLiteral("open")}});
    return;
  }
  RunController& runs = workspace_.runs();
  const TrainedModelPtr model = runs.document() == document_ ? runs.model() : nullptr;
  const auto error = std::make_shared<QString>();
  workspace_.tasks().start(
      tr("Sending %1 to the console").arg(title_),
      [error, contents = document_->contents(), model, folder = program_->folder()](TaskState&) { *error = writeForConsole(*contents, model.get(), folder); },
      [this, error, generation = generation_] {
        if (generation != generation_ || !program_->isAlive()) return;
        if (!error->isEmpty()) emit printed(Kind::Error, *error + u'\n');
        program_->send({{doWord(), QStringLiteral("open")},
                        {QStringLiteral("graph"), error->isEmpty() ? QLatin1String(kConsoleGraph) : QString()},
                        {QStringLiteral("values"), QLatin1String(kConsoleValues)},
                        {QStringLiteral("title"), title_}});
      });
}

void Console::handleMessage(const QString& event, const QByteArray& message) {
  const QJsonObject m = QJsonDocument::fromJson(message).object();
  const QString text = m[QStringLiteral("text")].toString();
  if (event == QLatin1String("console")) {
    sendDocument();
  } else if (event == QLatin1String("out")) {
    const QString kind = m[QStringLiteral("kind")].toString();
    emit printed(kind == QLatin1String("error") ? Kind::Error : kind == QLatin1String("note") ? Kind::Note : Kind::Output, text);
  } else if (event == QLatin1String("ready")) {
    setState(State::Ready);
    if (!waiting_.isEmpty()) {
      setState(State::Busy);
      program_->send({{doWord(), QStringLiteral("run")}, {QStringLiteral("text"), waiting_.takeFirst()}});
    }
  } else if (event == QLatin1String("started")) {
    if (history_.isEmpty() || history_.last() != text) history_ << text;
    while (history_.size() > kMostTexts) history_.removeFirst();
    workspace_.settings().setValue(kHistory, history_);
    emit printed(Kind::Input, text);
  } else if (event == QLatin1String("more")) {
    emit more(text);
  } else if (event == QLatin1String("changed")) {
    added_ = m[QStringLiteral("added")].toInt();
    emit changesChanged();
  } else if (event == QLatin1String("completions")) {
    Completions out;
    out.from = m[QStringLiteral("from")].toInt();
    for (const QJsonValue& v : m[QStringLiteral("words")].toArray()) {
      out.words << v.toArray().at(0).toString();
      out.kinds << v.toArray().at(1).toString();
    }
    emit completions(out);
  } else if (event == QLatin1String("help")) {
    emit helpArrived(text);
  } else if (event == QLatin1String("graph-file")) {
    apply(program_->folder() + u'/' + QFileInfo(m[QStringLiteral("file")].toString()).fileName());
  }
}

void Console::takeOver(Done done) {
  if (!hasChanges() || !isAlive()) {
    if (done) done(tr("The console's graph has no nodes that %1 does not have.").arg(title_));
    return;
  }
  takeOver_ = done ? std::move(done) : [](const QString&) {};
  program_->send({{doWord(), QStringLiteral("graph")}});
}

void Console::apply(const QString& file) {
  const Done done = std::exchange(takeOver_, {});
  if (!document_) {
    if (done) done(tr("The document was closed."));
    return;
  }
  document_->apply(consoleEdit(file), [this, done](const QString& error) {
    if (error.isEmpty()) {
      added_ = 0;
      program_->send({{doWord(), QStringLiteral("taken")}});
      emit changesChanged();
    } else {
      emit printed(Kind::Error, error + u'\n');
    }
    if (done) done(error);
  });
}

}  // namespace weft::app
