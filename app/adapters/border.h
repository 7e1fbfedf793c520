// The border between what a file holds and the window: an analysis that fails is told, and everything else goes on.
#pragma once

#include <QString>
#include <exception>
#include <new>
#include <utility>

namespace weft::app {

/// In words why something ended with that exception; never empty. REQUIRES: called while it is handled.
QString wordsOfFailure();

/// Runs `work`. Empty if it ended, else why it did not: nothing is thrown.
template <typename F>
QString failureOf(F&& work) {
  try {
    std::forward<F>(work)();
    return {};
  } catch (...) {
    return wordsOfFailure();
  }
}

struct GraphContents;

/// Runs one analysis of a graph; if it fails, a problem at `node` (empty: of the whole graph) says which and why. Whether it ended.
bool notedProblem(GraphContents& contents, const QString& node, const QString& analysis, const QString& failure);
template <typename F>
bool guarded(GraphContents& contents, const QString& node, const char* analysis, F&& work) {
  const QString failure = failureOf(std::forward<F>(work));
  return failure.isEmpty() || notedProblem(contents, node, QLatin1String(analysis), failure);
}

}  // namespace weft::app
