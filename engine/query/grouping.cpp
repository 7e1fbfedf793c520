#include "query/grouping.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>

namespace weft::query {
namespace {

using Span = std::span<const Token>;

/// Words that stay as they are in a list of results, a condition or an order.
const std::set<std::string, std::less<>> kWords = {"as",    "and",   "or",     "not",     "case",   "when",    "then",    "else",  "end",
                                                   "is",    "null",  "in",     "like",    "glob",   "regexp",  "between", "asc",   "desc",
                                                   "nulls", "first", "last",   "collate", "nocase", "true",    "false",   "limit", "offset",
                                                   "order", "by",    "isnull", "notnull", "escape", "integer", "real",    "text"};
const std::set<std::string, std::less<>> kClauses = {"where", "group", "having", "order", "limit", "union", "intersect", "except"};

bool endsSelect(const Token& t) {
  return t.kind == Token::Kind::End || t.isSymbol(";") || t.isSymbol(")") || t.is("union") || t.is("intersect") || t.is("except");
}

/// One SELECT, as ranges of tokens.
struct Select {
  size_t begin = 0, end = 0;
  bool distinct = false;
  Span items, where, group, having, tail;  // tail: from ORDER or LIMIT on
  Table* table = nullptr;
  std::string alias;
};

/// The position behind the parenthesis that closes the one at `at`, or the end.
size_t closing(const std::vector<Token>& tokens, size_t at) {
  int depth = 0;
  for (; at < tokens.size(); ++at) {
    if (tokens[at].isSymbol("(")) ++depth;
    if (tokens[at].isSymbol(")") && --depth == 0) return at + 1;
  }
  return tokens.size();
}

/// The position of the first of `ends` at the depth of `at`, or of the end of the SELECT.
template <typename F>
size_t upTo(const std::vector<Token>& tokens, size_t at, F&& ends) {
  while (at < tokens.size() && !ends(tokens[at]) && !endsSelect(tokens[at])) at = tokens[at].isSymbol("(") ? closing(tokens, at) : at + 1;
  return std::min(at, tokens.size() - 1);
}

/// Splits the SELECT at `at`. False unless it reads one of our tables and nothing else.
bool split(const std::vector<Token>& tokens, size_t at, Tables& tables, Select& out) {
  out.begin = at++;
  if (tokens[at].is("distinct")) {
    out.distinct = true;
    ++at;
  }
  const auto range = [&](size_t from, size_t to) { return Span(tokens).subspan(from, to - from); };
  size_t end = upTo(tokens, at, [](const Token& t) { return t.is("from"); });
  if (!tokens[end].is("from")) return false;
  out.items = range(at, end);
  at = end + 1;
  if (!tokens[at].isName()) return false;
  out.table = tables.find(tokens[at].text);
  if (!out.table || out.table->rows() == 0) return false;
  out.alias = out.table->schema.name;
  ++at;
  if (tokens[at].is("as")) ++at;
  if (tokens[at].isName() && kClauses.find(tokens[at].text) == kClauses.end()) out.alias = tokens[at++].text;
  for (char& c : out.alias) c = char(std::tolower(uint8_t(c)));
  const auto clause = [&](const char* word, Span& to, std::initializer_list<const char*> next) {
    if (!tokens[at].is(word)) return;
    at += std::string_view(word) == "group" ? 2 : 1;
    end = upTo(tokens, std::min(at, tokens.size() - 1),
               [&](const Token& t) { return std::any_of(next.begin(), next.end(), [&](const char* n) { return t.is(n); }); });
    to = range(at, std::max(at, end));
    at = end;
  };
  clause("where", out.where, {"group", "having", "order", "limit"});
  clause("group", out.group, {"having", "order", "limit"});
  clause("having", out.having, {"order", "limit"});
  end = upTo(tokens, at, [](const Token&) { return false; });
  out.tail = range(at, end);
  out.end = end;
  if (!out.tail.empty() && !out.tail[0].is("order") && !out.tail[0].is("limit")) return false;
  // Behind the last SELECT of several, ORDER and LIMIT are those of all of them.
  if (!out.tail.empty() && out.begin > 0) {
    const Token& before = tokens[out.begin - 1];
    if (before.is("union") || before.is("all") || before.is("intersect") || before.is("except")) return false;
  }
  return endsSelect(tokens[end]);
}

std::vector<Span> parts(Span tokens) {
  std::vector<Span> out;
  size_t begin = 0;
  int depth = 0;
  for (size_t i = 0; i <= tokens.size(); ++i) {
    if (i < tokens.size() && tokens[i].isSymbol("(")) ++depth;
    if (i < tokens.size() && tokens[i].isSymbol(")")) --depth;
    if (i < tokens.size() && (depth != 0 || !tokens[i].isSymbol(","))) continue;
    out.push_back(tokens.subspan(begin, i - begin));
    begin = i + 1;
  }
  return out;
}

bool same(Span a, Span b) {
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), [](const Token& x, const Token& y) { return x.kind == y.kind && x.text == y.text; });
}

bool isWord(const Token& t) { return t.isName() && kWords.find(t.text) != kWords.end(); }

bool hasTopLevel(Span tokens, const char* word) {
  int depth = 0;
  for (const Token& t : tokens) {
    if (t.isSymbol("(")) ++depth;
    if (t.isSymbol(")")) --depth;
    if (depth == 0 && t.is(word)) return true;
  }
  return false;
}

/// Whether a name could be one of the columns that are made here: k0, a12, b3.
bool isMadeName(const std::string& name) {
  return name.size() > 1 && (name[0] == 'k' || name[0] == 'a' || name[0] == 'b') && name.find_first_not_of("0123456789", 1) == name.npos;
}

struct Item {
  Span expression;
  std::string alias, title;
};

/// Replaces one SELECT.
class Rewriter {
 public:
  Rewriter(const std::string& sql, const Select& select, GroupTable& out) : sql_(sql), select_(select), out_(out) {
    naming_.table = select.table;
    naming_.alias = select.alias;
    out_.plan.table = select.table;
    out_.source = select.table->schema.name;
  }

  /// The new text; empty if something in it is not known here.
  std::string rewritten(const std::string& name);

 private:
  bool readItems();
  bool readKeys();
  bool addKey(Span expression);
  bool replace(Span tokens, bool aliasesFirst, std::string& to);
  bool aggregate(Span tokens, size_t& at, std::string& to);
  bool isAlias(const std::string& word) const {
    return std::any_of(items_.begin(), items_.end(), [&](const Item& i) { return i.alias == word; });
  }
  std::string text(Span tokens) const { return tokens.empty() ? "" : sql_.substr(tokens.front().begin, tokens.back().end - tokens.front().begin); }
  void finishTable(const std::string& name);

  const std::string& sql_;
  const Select& select_;
  GroupTable& out_;
  Naming naming_;
  std::vector<Item> items_;
  std::vector<Span> keys_, argumentTokens_;
};

bool Rewriter::readItems() {
  for (const Span part : parts(select_.items)) {
    if (part.empty()) return false;
    Item item{part, {}, {}};
    const size_t n = part.size();
    if (n >= 3 && part[n - 2].is("as") && part[n - 1].isName()) {
      item.expression = part.first(n - 2);
      item.alias = part[n - 1].text;
      item.title = text(part.last(1));
    } else if (n >= 2 && part[n - 1].isName() && !isWord(part[n - 1]) &&
               (part[n - 2].isSymbol(")") || (part[n - 2].isName() && (!isWord(part[n - 2]) || part[n - 2].is("end"))) ||
                part[n - 2].kind == Token::Kind::Number)) {
      item.expression = part.first(n - 1);
      item.alias = part[n - 1].text;
      item.title = text(part.last(1));
    } else {
      // An alias that is a string or one of SQL's own words is left to SQLite.
      const bool isColumn = part[n - 1].isName() && (n == 1 || (n == 3 && part[1].isSymbol(".")));
      if (part[0].isSymbol("*") || hasTopLevel(part, "as")) return false;
      if (n > 1 && !isColumn && (part[n - 1].kind == Token::Kind::Text || (isWord(part[n - 1]) && !(part[n - 1].is("end") && hasTopLevel(part, "case")))))
        return false;
      // SQLite's name of a column without AS: that of the column itself, else the text.
      std::string words = isColumn ? part[n - 1].text : text(part);
      for (size_t at = words.find('"'); at != words.npos; at = words.find('"', at + 2)) words.insert(at, 1, '"');
      item.title = "\"" + words + "\"";
    }
    if (isMadeName(item.alias)) return false;
    items_.push_back(item);
  }
  // A title that is another result's alias would be sorted by in its place.
  return std::none_of(items_.begin(), items_.end(), [&](const Item& a) {
    return !a.alias.empty() && std::any_of(items_.begin(), items_.end(), [&](const Item& b) { return b.alias.empty() && b.title == "\"" + a.alias + "\""; });
  });
}

bool Rewriter::addKey(Span expression) {
  if (std::any_of(keys_.begin(), keys_.end(), [&](Span k) { return same(k, expression); })) return true;
  GroupPlan::Key key;
  size_t at = 0;
  const int column = naming_.column(expression, at);
  if (column >= 0 && at == expression.size()) {
    if (!select_.table->isColumnar(column)) return false;
    if (select_.table->type(column) == QueryType::Text) key.column = column;
  }
  if (key.column < 0) key.expression = expressionOf(expression, naming_);
  if (key.column < 0 && !key.expression) return false;
  out_.plan.keys.push_back(std::move(key));
  keys_.push_back(expression);
  return true;
}

bool Rewriter::readKeys() {
  if (select_.group.empty()) {
    out_.plan.always = !select_.distinct;
    if (!select_.distinct) return true;
    return std::all_of(items_.begin(), items_.end(), [&](const Item& i) { return addKey(i.expression); });
  }
  for (Span part : parts(select_.group)) {
    if (part.size() == 1 && part[0].kind == Token::Kind::Number) {
      size_t place = 0;
      std::from_chars(part[0].text.data(), part[0].text.data() + part[0].text.size(), place);
      if (place < 1 || place > items_.size()) return false;
      part = items_[place - 1].expression;
    } else if (part.size() == 1 && part[0].isName() && select_.table->column(part[0].text) < 0) {
      const auto item = std::find_if(items_.begin(), items_.end(), [&](const Item& i) { return i.alias == part[0].text; });
      if (item == items_.end()) return false;
      part = item->expression;
    }
    if (!addKey(part)) return false;
  }
  return true;
}

/// Takes an aggregate at `at`: the column that holds it goes into the text.
bool Rewriter::aggregate(Span tokens, size_t& at, std::string& to) {
  using F = GroupPlan::Function;
  const std::string& name = tokens[at].text;
  size_t end = at + 1;
  for (int depth = 0; end < tokens.size(); ++end) {
    if (tokens[end].isSymbol("(")) ++depth;
    if (tokens[end].isSymbol(")") && --depth == 0) break;
  }
  if (end >= tokens.size()) return false;
  const Span inside = tokens.subspan(at + 2, end - at - 2);
  if (end + 1 < tokens.size() && (tokens[end + 1].is("filter") || tokens[end + 1].is("over"))) return false;
  const std::vector<Span> arguments = parts(inside);
  GroupPlan::Aggregate a;
  if (name == "count" && (inside.empty() || (inside.size() == 1 && inside[0].isSymbol("*")))) {
    a.function = F::CountAll;
  } else {
    a.function = name == "count"    ? F::Count
                 : name == "sum"    ? F::Sum
                 : name == "total"  ? F::Total
                 : name == "avg"    ? F::Mean
                 : name == "min"    ? F::Least
                 : name == "max"    ? F::Most
                 : name == "stddev" ? F::Deviation
                                    : F::Percentile;
    if (arguments.size() != (name == "percentile" ? 2u : 1u)) return false;
    if (name == "percentile") {
      const std::string number = text(arguments[1]);
      const auto read = std::from_chars(number.data(), number.data() + number.size(), a.p);
      if (read.ec != std::errc() || read.ptr != number.data() + number.size() || a.p < 0 || a.p > 100) return false;
    }
    // Of a text, only whether it is there is known in columns.
    size_t name = 0;
    const int column = naming_.column(arguments[0], name);
    const bool isText = column >= 0 && name == arguments[0].size() && select_.table->type(column) == QueryType::Text;
    if (isText && (a.function != F::Count || !select_.table->isColumnar(column))) return false;
    const auto known = std::find_if(argumentTokens_.begin(), argumentTokens_.end(), [&](Span s) { return same(s, arguments[0]); });
    a.argument = int(known - argumentTokens_.begin());
    if (known == argumentTokens_.end()) {
      auto expression = isText ? presenceOf(*select_.table, column) : expressionOf(arguments[0], naming_);
      if (!expression) return false;
      out_.plan.arguments.push_back(std::move(expression));
      argumentTokens_.push_back(arguments[0]);
    }
  }
  // The same aggregate in ORDER BY or HAVING is the same column.
  const auto equal = std::find_if(out_.plan.aggregates.begin(), out_.plan.aggregates.end(), [&](const GroupPlan::Aggregate& other) {
    return other.function == a.function && other.argument == a.argument && other.p == a.p;
  });
  // The sign keeps SQLite from comparing it as a column, which would turn texts into numbers.
  to += concat(" (+a", equal - out_.plan.aggregates.begin(), ")");
  if (equal == out_.plan.aggregates.end()) out_.plan.aggregates.push_back(a);
  at = end + 1;
  return true;
}

/// Whether the name at `at` is a whole term of an ORDER BY, where it means a result before it means a column.
bool isTerm(Span tokens, size_t at) {
  const bool first = at > 0 && (tokens[at - 1].is("by") || tokens[at - 1].isSymbol(","));
  if (!first || at + 1 >= tokens.size()) return first;
  const Token& next = tokens[at + 1];
  return next.isSymbol(",") || next.is("asc") || next.is("desc") || next.is("limit") || next.is("nulls") || next.is("collate");
}

bool Rewriter::replace(Span tokens, bool aliasesFirst, std::string& to) {
  static const std::set<std::string, std::less<>> kAggregates = {"count", "sum", "total", "avg", "min", "max", "stddev", "median", "percentile"};
  for (size_t at = 0; at < tokens.size();) {
    const Token& t = tokens[at];
    const auto key = std::find_if(keys_.begin(), keys_.end(), [&](Span k) {
      if (at + k.size() > tokens.size() || !same(k, tokens.subspan(at, k.size()))) return false;
      if (k.size() == 1 && k[0].isName()) return !(at + 1 < tokens.size() && (tokens[at + 1].isSymbol(".") || tokens[at + 1].isSymbol("(")));
      // What binds more strongly than the key's own operators must not stand beside it.
      const auto ends = [](const Token& x) {
        return x.isSymbol(",") || x.isSymbol("(") || x.isSymbol(")") || x.is("as") || x.is("asc") || x.is("desc") || x.is("by");
      };
      return (at == 0 || ends(tokens[at - 1])) && (at + k.size() == tokens.size() || ends(tokens[at + k.size()]));
    });
    if (t.is("select") || t.is("over") || t.is("exists")) return false;
    if (aliasesFirst && t.isName() && isAlias(t.text) && isTerm(tokens, at)) {
      to += " " + text(tokens.subspan(at++, 1));
    } else if (key != keys_.end()) {
      to += concat(" k", key - keys_.begin());
      at += key->size();
    } else if (t.kind == Token::Kind::Word && at + 1 < tokens.size() && tokens[at + 1].isSymbol("(") && kWords.find(t.text) == kWords.end()) {
      const bool scalar = (t.is("min") || t.is("max")) && [&] {
        size_t end = at + 1;
        for (int depth = 0; end < tokens.size(); ++end) {
          if (tokens[end].isSymbol("(")) ++depth;
          if (tokens[end].isSymbol(")") && --depth == 0) return false;
          if (tokens[end].isSymbol(",") && depth == 1) return true;
        }
        return false;
      }();
      if (t.is("group_concat") || t.is("json_group_array") || t.is("json_group_object")) return false;
      if (kAggregates.find(t.text) != kAggregates.end() && !scalar) {
        if (!aggregate(tokens, at, to)) return false;
      } else {
        to += " " + t.text;
        ++at;
      }
    } else if (t.isName()) {
      size_t next = at;
      const int column = naming_.column(tokens, next);
      if (column >= 0) {
        to += concat(" b", out_.plan.bare.size());
        out_.plan.bare.push_back(column);
        at = next;
      } else if (kWords.find(t.text) != kWords.end() || isAlias(t.text)) {
        to += " " + text(tokens.subspan(at++, 1));
      } else {
        return false;
      }
    } else {
      to += " " + text(tokens.subspan(at++, 1));
    }
  }
  return true;
}

void Rewriter::finishTable(const std::string& name) {
  GroupPlan& plan = out_.plan;
  std::vector<QueryType> types;
  const auto add = [&](std::string column, QueryType type, std::string origin) {
    out_.names.push_back(std::move(column));
    out_.origins.push_back(std::move(origin));
    types.push_back(type);
  };
  for (size_t i = 0; i < plan.keys.size(); ++i) {
    const GroupPlan::Key& key = plan.keys[i];
    size_t at = 0;
    const int column = naming_.column(keys_[i], at);
    add(concat("k", i),
        key.column >= 0             ? QueryType::Text
        : key.expression->isInteger ? QueryType::Integer
                                    : QueryType::Real,
        column >= 0 && at == keys_[i].size() ? plan.table->schema.columns[size_t(column)].name : "");
  }
  for (size_t i = 0; i < plan.aggregates.size(); ++i) {
    const GroupPlan::Aggregate& a = plan.aggregates[i];
    const bool counts = a.function == GroupPlan::Function::CountAll || a.function == GroupPlan::Function::Count;
    const bool keeps = a.function == GroupPlan::Function::Sum || a.function == GroupPlan::Function::Least || a.function == GroupPlan::Function::Most;
    add(concat("a", i), counts || (keeps && plan.arguments[size_t(a.argument)]->isInteger) ? QueryType::Integer : QueryType::Real, "");
  }
  for (size_t i = 0; i < plan.bare.size(); ++i) add(concat("b", i), plan.table->type(plan.bare[i]), plan.table->schema.columns[size_t(plan.bare[i])].name);
  out_.names.push_back(name);
  out_.schema.name = out_.names.back().c_str();
  out_.schema.doc = "";
  for (size_t i = 0; i < types.size(); ++i) out_.schema.columns.push_back({out_.names[i].c_str(), types[i], ""});
  out_.table = std::make_unique<Table>(out_.schema);
  out_.table->loaders.push_back([group = &out_](const Stop& stop) -> Status {
    WEFT_LET(auto groups, computeGroups(group->plan, stop));
    auto kept = std::make_shared<Groups>(std::move(groups));
    Segment s;
    s.rows = Row(kept->rows);
    for (const auto& column : kept->columns) s.columns.push_back(Source::ofCall([values = &column](Row row) { return (*values)[row]; }));
    s.owner = kept;
    group->table->add(std::move(s));
    return {};
  });
}

std::string Rewriter::rewritten(const std::string& name) {
  if (!readItems() || !readKeys()) return {};
  if (!select_.where.empty()) {
    out_.plan.where = expressionOf(select_.where, naming_);
    if (!out_.plan.where) return {};
  }
  std::string out = select_.distinct && !select_.group.empty() ? "SELECT DISTINCT" : "SELECT";
  for (size_t i = 0; i < items_.size(); ++i) {
    if (i) out += ",";
    if (!replace(items_[i].expression, false, out)) return {};
    out += " AS " + items_[i].title;
  }
  out += " FROM " + name;
  if (!select_.having.empty()) {
    out += " WHERE";
    if (!replace(select_.having, false, out)) return {};
  }
  if (!replace(select_.tail, true, out)) return {};
  if (out_.plan.keys.empty() && out_.plan.aggregates.empty()) return {};
  finishTable(name);
  return out;
}

}  // namespace

Regrouped regroup(const std::string& sql, Tables& tables) {
  Regrouped out;
  const std::vector<Token> tokens = tokensOf(sql);
  const bool defines = std::any_of(tokens.begin(), tokens.end(), [](const Token& t) { return t.is("with"); });
  for (size_t i = 0; i + 1 < tokens.size(); ++i)
    if (defines && tables.find(tokens[i].text) && tokens[i + 1].isSymbol("(")) return {sql, {}};  // likewise, with names of columns
  for (size_t i = 0; i + 1 < tokens.size(); ++i)
    if (tables.find(tokens[i].text) && i > 0 && (tokens[i - 1].is("with") || tokens[i - 1].is("recursive") || tokens[i + 1].is("as")) &&
        !tokens[i - 1].is("from"))
      return {sql, {}};  // a table of that name is defined here
  size_t copied = 0;
  for (size_t i = 0; i < tokens.size(); ++i) {
    Select select;
    if (!tokens[i].is("select") || (i > 0 && tokens[i - 1].isName() && tokens[i - 1].text == "explain") || !split(tokens, i, tables, select)) continue;
    auto group = std::make_unique<GroupTable>();
    const std::string text = Rewriter(sql, select, *group).rewritten(concat("weft_groups_", out.tables.size()));
    if (text.empty()) continue;
    out.sql += sql.substr(copied, tokens[select.begin].begin - copied) + text + " ";
    copied = tokens[select.end].begin;
    out.tables.push_back(std::move(group));
    i = select.end - 1;
  }
  out.sql += sql.substr(copied);
  return out;
}

}  // namespace weft::query
