#include "document/program_graphs.h"

#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <memory>
#include <utility>

#include "adapters/graph_files.h"
#include "document/document.h"
#include "document/file_tab.h"
#include "document/program.h"
#include "document/program_notes.h"
#include "document/program_sessions.h"
#include "document/workspace.h"

namespace weft::app {
namespace {

QHash<QString, ProgramGraphs::Place> readLines(const QString& path) {
  QFile file(path);
  QHash<QString, ProgramGraphs::Place> out;
  if (!file.open(QIODevice::ReadOnly)) return out;
  const QJsonObject object = QJsonDocument::fromJson(file.readAll()).object();
  const QJsonArray files = object[QStringLiteral("files")].toArray();
  const QJsonObject nodes = object[QStringLiteral("nodes")].toObject();
  out.reserve(nodes.size());
  for (auto it = nodes.begin(); it != nodes.end(); ++it) {
    const QJsonArray place = it.value().toArray();
    out.insert(it.key(), {files.at(place.at(0).toInt()).toString(), place.at(1).toInt()});
  }
  return out;
}

}  // namespace

ProgramGraphs::ProgramGraphs(Workspace& workspace, Program& program)
    : workspace_(workspace), program_(program), sessions_(std::make_unique<ProgramSessions>(program)), notes_(std::make_unique<ProgramNotes>(program, *this)) {
  connect(&program, &Program::graphArrived, this, [this](int number, const QString& file, const QString& lines, int nodes) {
    Shown& s = shown_[number];
    s.told = nodes;
    s.file = file;
    s.linesFile = lines;
    s.loading ? void(s.again = true) : load(number);
  });
  connect(&program, &Program::aboutToStart, this, [this] {
    // On a new start, its graphs replace those of the previous one.
    ++generation_;
    for (Shown& s : shown_) {
      s.loading = s.again = false;
      s.nodes = s.told = 0;
    }
  });
}

ProgramGraphs::~ProgramGraphs() = default;

void ProgramGraphs::load(int number) {
  Shown& s = shown_[number];
  s.loading = true;
  struct Loaded {
    OpenOutcome graph;
    QHash<QString, Place> lines;
  };
  auto loaded = std::make_shared<Loaded>();
  const int generation = generation_;
  const QString script = QFileInfo(program_.script()).fileName();
  const auto finish = [this, number, generation, loaded, script, nodes = s.told] {
    if (generation != generation_) return;
    Shown& shown = shown_[number];
    shown.loading = false;
    if (loaded->graph.contents) {
      FileTab* front = workspace_.currentFile();
      shown.places = std::move(loaded->lines);
      shown.nodes = nodes;
      shown.script = program_.script();
      const QString title = number == 1 ? script : tr("%1: graph %2").arg(script).arg(number);
      if (shown.document && !shown.document->isModified() && shown.document->title() == title) {
        const QPointer<Document> before = shown.document;
        workspace_.debugger().update();  // the end of a debugged step may not have been taken yet
        workspace_.debugger().releaseDocument(before);
        shown.document = workspace_.replace(before, loaded->graph.contents);
        workspace_.debugger().inherit(before, shown.document);
      } else {
        shown.document = new Document(loaded->graph.contents, {}, title, &workspace_);
        workspace_.add(shown.document);
      }
      if (front && front->text()) workspace_.setCurrentFile(front);  // the user keeps editing the text
      shown.document->setRepeatable();
      emit changed();
    } else if (!loaded->graph.error.isEmpty()) {
      workspace_.log().error(loaded->graph.error);
    }
    if (std::exchange(shown.again, false)) load(number);
  };
  workspace_.tasks().start(
      tr("Reading the graph of %1").arg(script),
      [loaded, file = s.file, lines = s.linesFile](TaskState& task) {
        loaded->graph = openGraphFile(file, task);
        loaded->lines = readLines(lines);
      },
      finish, [this, number] { shown_[number].loading = false; });
}

std::optional<ProgramGraphs::Place> ProgramGraphs::placeOf(const Document* document, const QString& node) const {
  for (const Shown& s : shown_) {
    if (s.document != document) continue;
    const auto it = s.places.constFind(node);
    if (it != s.places.constEnd()) return *it;
  }
  return {};
}

QStringList ProgramGraphs::nodesMadeAt(const Document* document, const QString& file, int line) const {
  QStringList out;
  for (const Shown& s : shown_) {
    if (s.document != document) continue;
    for (auto it = s.places.begin(); it != s.places.end(); ++it) {
      if (it->line == line && it->file == file) out << it.key();
    }
  }
  out.sort();
  return out;
}

Document* ProgramGraphs::document(int number, bool* upToDate) const {
  const auto it = shown_.constFind(number);
  *upToDate = it != shown_.constEnd() && !it->loading && !it->again && it->told > 0 && it->nodes == it->told;
  return it == shown_.constEnd() ? nullptr : it->document.data();
}

int ProgramGraphs::numberOf(const Document* document) const {
  for (auto it = shown_.begin(); it != shown_.end(); ++it) {
    if (document && it->document == document && it->script == program_.script()) return it.key();
  }
  return 0;
}

QVector<Document*> ProgramGraphs::documents() const {
  QVector<Document*> out;
  for (const Shown& s : shown_) {
    if (s.document) out << s.document;
  }
  return out;
}

}  // namespace weft::app
