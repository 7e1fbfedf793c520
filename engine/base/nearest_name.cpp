#include "base/nearest_name.h"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <numeric>

namespace weft {
namespace {

size_t distanceOf(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), size_t(0));
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t above = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, diagonal + (a[i - 1] == b[j - 1] ? 0 : 1)});
      diagonal = above;
    }
  }
  return row.back();
}

}  // namespace

std::string nearestName(std::string_view word, const std::vector<std::string>& names) {
  std::string lower(word), best;
  for (char& c : lower) c = char(std::tolower(uint8_t(c)));
  double least = 1e9;
  for (const std::string& name : names) {
    // `durration` is meant to be `duration_us`: the start of a name counts almost as the whole.
    double distance = double(distanceOf(lower, name));
    for (size_t cut = name.find('_'); cut != name.npos; cut = name.find('_', cut + 1))
      distance = std::min(distance, double(distanceOf(lower, name.substr(0, cut))) + 0.5);
    if (name.find(lower) != name.npos || lower.find(name) != lower.npos) distance = std::min(distance, 1.5);
    if (distance < least) {
      least = distance;
      best = name;
    }
  }
  return least <= std::max(2.0, double(word.size()) / 3) ? best : std::string();
}

}  // namespace weft
