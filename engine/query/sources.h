// What fills the tables.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "query/table.h"

namespace weft::query {

/// All tables, by name.
class Tables {
 public:
  Tables();
  Table& operator[](std::string_view name) { return tables_.find(name)->second; }
  Table* find(std::string_view name);
  auto begin() { return tables_.begin(); }
  auto end() { return tables_.end(); }
  /// Sentences about what could not be read completely.
  std::vector<std::string> notes;
  /// Traces whose slices were read.
  std::vector<std::pair<std::string, std::shared_ptr<const Trace>>> traces;

 private:
  std::map<std::string, Table, std::less<>> tables_;
};

/// Adds a loader to each of the tables. It is run when the first of them is read.
void addLoader(Tables& tables, std::initializer_list<const char*> names, std::function<Status(const Stop&)> load);

void addGraphRows(Tables& tables, const std::string& name, std::shared_ptr<const MetaGraph> meta);
void addCheckpointRows(Tables& tables, const std::string& name, std::shared_ptr<const CheckpointReader> checkpoint);
void addTraceRows(Tables& tables, const std::string& name, std::shared_ptr<const Trace> trace);
/// Reads the traces, and adds their idle time.
Status addGapRows(Tables& tables, const Stop& stop);
void addCurveRows(Tables& tables, const std::string& name, const std::vector<QueryScalars>& curves);
void addParamRows(Tables& tables, const std::string& name, const std::string& run, const std::vector<std::pair<std::string, std::string>>& values);
Status addExperimentRows(Tables& tables, const std::string& path);
/// The event files of a run, in the order of their names.
Status addEventRows(Tables& tables, const std::vector<std::string>& paths, const std::string& folder, const std::string& run, const Stop& stop);
/// Session runs in an event file, as traces.
Status addEventTraces(Tables& tables, const std::string& path);
/// The settings and the end that the window writes into a run's folder.
void addRunRecord(Tables& tables, const std::string& folder, const std::string& run);
/// A file or folder: judges its kind, and adds loaders.
Status addPathRows(Tables& tables, const std::string& path);

}  // namespace weft::query
