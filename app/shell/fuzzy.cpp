#include "shell/fuzzy.h"

#include <algorithm>

namespace weft::app {
namespace {

QChar small(QChar c) {
  const char16_t u = c.unicode();
  if (u < 128) return u >= u'A' && u <= u'Z' ? QChar(char16_t(u + 32)) : c;
  return c.toLower();
}

bool beginsWord(QStringView text, qsizetype at) {
  if (at == 0) return true;
  const QChar before = text[at - 1], c = text[at];
  if (!before.isLetterOrNumber()) return true;
  return (c.isUpper() && !before.isUpper()) || (c.isDigit() && !before.isDigit());
}

bool matchesAt(QStringView text, qsizetype at, const QString& word) {
  for (qsizetype i = 0; i < word.size(); ++i) {
    if (small(text[at + i]) != word[i]) return false;
  }
  return true;
}

constexpr int kWhole = 1000, kWordStart = 300, kLastPart = 200, kPerGap = 25, kSpread = 400;
// Each outweighs anything a single word can gain otherwise, including the bonus by kind.
constexpr int kEndsSo = 700, kBeginsSo = 1000, kIsThat = 2000;

/// Score of one word; 0 if it does not match. `places` gets the matched letters.
int scoreWord(QStringView text, qsizetype lastPart, const QString& word, QVector<int>* places) {
  if (word.size() > text.size()) return 0;
  int best = 0;
  qsizetype bestAt = -1;
  for (qsizetype at = 0; at + word.size() <= text.size(); ++at) {
    if (small(text[at]) != word[0] || !matchesAt(text, at, word)) continue;
    int value = kWhole;
    if (beginsWord(text, at)) value += kWordStart;
    if (at >= lastPart) value += kLastPart;
    if (at == lastPart && at + word.size() == text.size()) value += kWordStart;
    if (value > best) best = value, bestAt = at;
  }
  if (bestAt >= 0) {
    if (places) {
      for (qsizetype i = 0; i < word.size(); ++i) *places << int(bestAt + i);
    }
    return best;
  }
  // Scattered letters: each at the next word beginning, else at the next position. First in the last part only, then everywhere.
  for (const qsizetype from : {lastPart, qsizetype(0)}) {
    QVector<int> found;
    qsizetype at = from;
    int starts = 0, gaps = 0;
    for (qsizetype i = 0; i < word.size(); ++i) {
      qsizetype next = -1;
      for (qsizetype k = at; k < text.size(); ++k) {
        if (small(text[k]) != word[i]) continue;
        if (next < 0) next = k;
        if (k == at && i > 0) break;  // directly after the previous letter
        if (!beginsWord(text, k)) continue;
        // A later word beginning is used only if the remaining letters still follow it.
        qsizetype rest = k + 1, j = i + 1;
        for (; rest < text.size() && j < word.size(); ++rest) {
          if (small(text[rest]) == word[j]) ++j;
        }
        if (j == word.size()) next = k;
        break;
      }
      if (next < 0) break;
      gaps += i > 0 && next != at;
      starts += beginsWord(text, next);
      found << int(next);
      at = next + 1;
    }
    if (found.size() != word.size()) continue;
    const int value = kSpread + 60 * starts - kPerGap * gaps - int(found.last() - found.first()) + (from == lastPart ? kLastPart : 0);
    if (places) *places << found;
    return std::max(1, value);
  }
  return 0;
}

}  // namespace

FuzzyPattern::FuzzyPattern(const QString& text) : whole_(text.trimmed().toLower()) {
  for (const QString& word : whole_.split(u' ', Qt::SkipEmptyParts)) words_.push_back(word);
}

int FuzzyPattern::score(QStringView text) const {
  const qsizetype lastPart = text.lastIndexOf(u'/') + 1;
  int total = 1;
  for (const QString& word : words_) {
    const int value = scoreWord(text, lastPart, word, nullptr);
    if (value == 0) return 0;
    total += value;
  }
  if (!words_.empty() && whole_.size() <= text.size()) {
    const qsizetype tail = text.size() - whole_.size();
    if (tail == 0 && matchesAt(text, 0, whole_)) total += kIsThat;
    else if (matchesAt(text, 0, whole_)) total += kBeginsSo;
    else if (tail > 0 && text[tail - 1] == u'/' && matchesAt(text, tail, whole_)) total += kEndsSo;  // cell/root in loop/cell/root: whole parts of the path
  }
  return words_.empty() ? 1 : std::max(1, total - int(std::min<qsizetype>(text.size(), 200)));
}

QVector<int> FuzzyPattern::matches(QStringView text) const {
  QVector<int> places;
  const qsizetype lastPart = text.lastIndexOf(u'/') + 1;
  for (const QString& word : words_) {
    if (scoreWord(text, lastPart, word, &places) == 0) return {};
  }
  std::sort(places.begin(), places.end());
  places.erase(std::unique(places.begin(), places.end()), places.end());
  return places;
}

}  // namespace weft::app
