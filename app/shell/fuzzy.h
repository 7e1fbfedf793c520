#pragma once

#include <QString>
#include <QVector>
#include <vector>

namespace weft::app {

/// A search text. Its words are separated by blanks; each must match, in any order, contiguously or with other letters between.
class FuzzyPattern {
 public:
  explicit FuzzyPattern(const QString& text);
  bool isEmpty() const { return words_.empty(); }

  /// How well `text` matches: 0 not at all, higher is better. An exact name ranks first, then prefixes; otherwise contiguous letters, word beginnings (`_`,
  /// `/`, capitals) and the last part of a name count more. Linear in the length of the text, without allocation: tens of thousands of names take milliseconds.
  int score(QStringView text) const;
  /// Sorted positions of the matched letters.
  QVector<int> matches(QStringView text) const;

 private:
  QString whole_;  // both in lower case
  std::vector<QString> words_;
};

}  // namespace weft::app
