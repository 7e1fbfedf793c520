// Aggregates of one table, computed on its columns. SQLite calls a function for each value of each row, and sorts the rows of a GROUP BY; ten million rows would take it half a
// minute. A SELECT with aggregates of one table is therefore replaced by a SELECT from a small table of its groups; everything else in it stays SQLite's work.
#pragma once

#include "query/expression.h"
#include "query/sources.h"

namespace weft::query {

/// Aggregates by one or more keys.
struct GroupPlan {
  enum class Function { CountAll, Count, Sum, Total, Mean, Least, Most, Deviation, Percentile };
  struct Key {
    int column = -1;  ///< Of texts; −1: the expression.
    std::unique_ptr<Expression> expression;
  };
  struct Aggregate {
    Function function = Function::CountAll;
    int argument = -1;  ///< Position in `arguments`.
    double p = 50;
  };
  const Table* table = nullptr;
  std::unique_ptr<Expression> where;  ///< Null: all rows.
  std::vector<Key> keys;
  std::vector<std::unique_ptr<Expression>> arguments;
  std::vector<Aggregate> aggregates;
  std::vector<int> bare;  ///< Columns that are neither aggregated nor a key: their values in one row of the group.
  bool always = false;    ///< Without GROUP BY there is one row even if no row passes.
};

/// The groups as columns: k0, k1 …; a0, a1 …; b0, b1 ….
struct Groups {
  std::vector<std::vector<QueryValue>> columns;
  size_t rows = 0;
};
/// Threads of the compute pool. CANCELLED if `stop` says so between parts of the table. OUT_OF_RANGE if whole numbers are too
/// large to be exact.
Result<Groups> computeGroups(const GroupPlan& plan, const Stop& stop);

/// A table of groups under a name of its own.
struct GroupTable {
  std::vector<std::string> names;    ///< Of its columns; `schema` points to them.
  std::vector<std::string> origins;  ///< The columns of the grouped table; empty: computed.
  QueryTable schema;
  GroupPlan plan;
  std::string source;  ///< The grouped table's name.
  std::unique_ptr<Table> table;
};

/// A statement in which such SELECTs are replaced, with the tables that it reads.
struct Regrouped {
  std::string sql;
  std::vector<std::unique_ptr<GroupTable>> tables;
};
/// Tables are those that have been read. Without replacement `sql` is the statement as it was.
Regrouped regroup(const std::string& sql, Tables& tables);

}  // namespace weft::query
