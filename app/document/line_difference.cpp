#include "document/line_difference.h"

#include <algorithm>
#include <vector>

namespace weft::app {
namespace {
constexpr qint64 kMostCells = 4'000'000;

/// lengths[i][j]: length of the longest common subsequence of there[i…] and here[j…].
class CommonLines {
 public:
  CommonLines(const QStringList& there, const QStringList& here) : width_(here.size() + 1), lengths_(size_t((there.size() + 1) * width_)) {
    for (qsizetype i = there.size() - 1; i >= 0; --i)
      for (qsizetype j = here.size() - 1; j >= 0; --j) at(i, j) = there[i] == here[j] ? at(i + 1, j + 1) + 1 : std::max(at(i + 1, j), at(i, j + 1));
  }
  int& at(qsizetype i, qsizetype j) { return lengths_[size_t(i * width_ + j)]; }

 private:
  qsizetype width_;
  std::vector<int> lengths_;
};

}  // namespace

LineDifference lineDifference(const QString& there, const QString& here) {
  QStringList theirs = there.split(u'\n'), mine = here.split(u'\n');
  qsizetype same = 0;
  while (same < std::min(theirs.size(), mine.size()) && theirs[same] == mine[same]) ++same;
  qsizetype sameAtEnd = 0;
  while (sameAtEnd < std::min(theirs.size(), mine.size()) - same && theirs[theirs.size() - 1 - sameAtEnd] == mine[mine.size() - 1 - sameAtEnd]) ++sameAtEnd;
  theirs = theirs.mid(same, theirs.size() - same - sameAtEnd);
  mine = mine.mid(same, mine.size() - same - sameAtEnd);

  LineDifference out;
  const auto removed = [&](qsizetype i) {
    ++out.onlyThere;
    out.listing << QStringLiteral("- %1: %2").arg(same + i + 1).arg(theirs[i]);
  };
  const auto added = [&](qsizetype j) {
    ++out.onlyHere;
    out.changedLines << int(same + j + 1);
    out.listing << QStringLiteral("+ %1: %2").arg(same + j + 1).arg(mine[j]);
  };
  qsizetype i = 0, j = 0;
  if (qint64(theirs.size() + 1) * qint64(mine.size() + 1) <= kMostCells) {
    CommonLines common(theirs, mine);
    while (i < theirs.size() && j < mine.size()) {
      if (theirs[i] == mine[j]) ++i, ++j;
      else if (common.at(i + 1, j) >= common.at(i, j + 1)) removed(i++);
      else added(j++);
    }
  }
  while (i < theirs.size()) removed(i++);
  while (j < mine.size()) added(j++);
  return out;
}

}  // namespace weft::app
