#include "module/program_doctor.h"

// What is wrong with the trainings of this program (weft/program_doctor.h), with the program's lines.
namespace weft::python {

/// A file's name for people: what has no UTF-8, because the name is other bytes, becomes "?".
static std::string shownName(PyObject* name) {
  const auto bytes = py::reinterpret_steal<py::object>(PyUnicode_AsEncodedString(name, "utf-8", "replace"));
  if (!bytes) throw py::error_already_set();
  return textFrom(bytes);
}

Doctor::Doctor(py::object call) : call_(std::move(call)) {
  doctor_.setListener([this](const Session& session, const DoctorFinding& finding) {
    const MutexLock lock(mutex_);
    found_.emplace_back(&session, finding);
  });
}

std::shared_ptr<ProgramStep> Doctor::know(GraphCore& graph, Session& session, ProgramRun run, std::string file, int line) {
  for (const auto& d : graph.gradients) run.gradients.push_back(d);
  auto step = doctor_.know(graph.meta, session, std::move(run));
  // A finding about a training as a whole names the line of its steps.
  if (step && (!places_.contains(&session) || (step->trains() && !places_[&session].trains)))
    places_[&session] = {&graph, std::move(file), line, step->trains()};
  return step;
}

void Doctor::afterwards(GraphCore& graph, const Session* session, const std::vector<int>& ran) {
  tell();
  const auto at = places_.find(session);
  for (DoctorFinding& f : doctor_.afterwards(graph.meta, session, ran)) tell(std::move(f), at == places_.end() ? Place{&graph, {}, 0, false} : at->second);
  if (at != places_.end()) places_.erase(at);
}

void Doctor::tell() {
  std::deque<std::pair<const Session*, DoctorFinding>> found;
  {
    const MutexLock lock(mutex_);
    found.swap(found_);
  }
  for (auto& [session, finding] : found) {
    const auto at = places_.find(session);
    if (at != places_.end()) tell(std::move(finding), at->second);
  }
}

void Doctor::tell(DoctorFinding f, const Place& place) {
  f.file = place.file;
  f.line = place.line;
  const Node* n = f.node.empty() ? nullptr : place.graph->meta.graph.find(f.node);
  if (n && size_t(n->id) < place.graph->lines.size()) {
    const GraphCore::Line& line = place.graph->lines[size_t(n->id)];
    if (line.code) {
      f.file = shownName(reinterpret_cast<PyCodeObject*>(line.code)->co_filename);
      f.line = line.line;
    }
  }
  call(f, py::reinterpret_borrow<py::object>(place.graph->object));
}

void Doctor::say(const std::string& code, std::vector<std::string> words, std::string file, int line, const py::object& graph) {
  for (const DoctorRule& rule : doctorRules()) {
    if (code != rule.code) continue;
    DoctorFinding f;
    f.rule = &rule;
    f.words = std::move(words);
    f.file = std::move(file);
    f.line = line;
    return call(f, graph);
  }
  throw py::value_error("there is no rule " + code);
}

void Doctor::call(const DoctorFinding& f, const py::object& graph) {
  if (!told_.emplace(f.rule->code, f.node, f.file, f.line).second) return;
  try {
    call_(doctorReport(f), doctorJson(f), graph);
  } catch (py::error_already_set& e) {
    // A program never fails because of its doctor; but its interrupts are its own.
    if (!e.matches(PyExc_Exception)) throw;
    e.discard_as_unraisable("the doctor");
  }
}

py::dict Doctor::totals() const {
  const ProgramDoctor::Totals t = doctor_.totals();
  py::dict out;
  out["trainings"] = t.trainings;
  out["steps"] = t.steps;
  out["measured"] = t.measured;
  out["seconds"] = t.seconds;
  out["extra"] = t.extra;
  out["before"] = t.before;
  out["not_watched"] = py::list();
  for (const std::string& why : t.notWatched) out["not_watched"].attr("append")(why);
  return out;
}

}  // namespace weft::python
