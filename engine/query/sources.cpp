#include "query/sources.h"

#include <algorithm>
#include <cctype>

namespace weft::query {

Tables::Tables() {
  for (const QueryTable& schema : queryTables()) tables_.try_emplace(schema.name, schema);
}

Table* Tables::find(std::string_view name) {
  for (auto& [own, table] : tables_)
    if (own.size() == name.size() && std::equal(own.begin(), own.end(), name.begin(), [](char a, char b) { return a == std::tolower(uint8_t(b)); }))
      return &table;
  return nullptr;
}

void addLoader(Tables& tables, std::initializer_list<const char*> names, std::function<Status(const Stop&)> load) {
  struct Once {
    std::function<Status(const Stop&)> load;
    bool done = false;
  };
  const auto once = std::make_shared<Once>(Once{std::move(load)});
  for (const char* name : names) {
    tables[name].loaders.push_back([once](const Stop& stop) -> Status {
      if (once->done) return {};
      WEFT_TRY(once->load(stop));
      once->done = true;
      return {};
    });
  }
}

}  // namespace weft::query
