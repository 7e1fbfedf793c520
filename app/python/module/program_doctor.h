#pragma once

#include <deque>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "module/graph_core.h"
#include "weft/mutex.h"
#include "weft/program_doctor.h"

namespace weft::python {

/// The doctor of this program. Findings wait until told(), which needs the interpreter lock; know() and afterwards() need it too.
class Doctor {
 public:
  /// `call`: a function of a finding's text, its JSON, and the graph.
  explicit Doctor(py::object call);
  /// Null if there is nothing to say of a run. `file`, `line`: the program's line that runs it.
  std::shared_ptr<ProgramStep> know(GraphCore& graph, Session& session, ProgramRun run, std::string file, int line);
  /// Rules at the end of a session; calls the function. `session`: null if it never ran.
  void afterwards(GraphCore& graph, const Session* session, const std::vector<int>& ran);
  /// Calls the function for what was found since.
  void tell();
  /// A finding that Python code made, of the rule `code`; ValueError: there is none.
  void say(const std::string& code, std::vector<std::string> words, std::string file, int line, const py::object& graph);
  py::dict totals() const;

 private:
  struct Place {
    GraphCore* graph;
    std::string file;  // of the run
    int line;
    bool trains;
  };
  void tell(DoctorFinding finding, const Place& place);
  void call(const DoctorFinding& finding, const py::object& graph);

  py::object call_;
  ProgramDoctor doctor_;
  std::map<const Session*, Place> places_;
  std::set<std::tuple<std::string, std::string, std::string, int>> told_;  // code, node, file, line: each once, however often a program builds its graph
  Mutex mutex_;
  std::deque<std::pair<const Session*, DoctorFinding>> found_ WEFT_GUARDED_BY(mutex_);
};

}  // namespace weft::python
