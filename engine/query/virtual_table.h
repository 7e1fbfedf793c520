// Tables as virtual tables of SQLite.
#pragma once

#include <optional>

#include "query/table.h"

struct sqlite3;

namespace weft::query {

/// What a running query and its tables share.
struct Running {
  Stop stop;                   ///< Asked between blocks of rows; never empty.
  bool connecting = false;     ///< SQLite declares a table, which the authorizer has to let pass.
  std::optional<Error> error;  ///< Why a table could not be read: more than SQLite's text of it.
};

/// Makes `table` readable under its name in every statement of the connection. All three are borrowed.
Status registerTable(sqlite3* db, Table& table, Running& running);

}  // namespace weft::query
