// The border between a file's contents and the window: a failing analysis is reported, and everything else goes on.
#pragma once

#include <QString>
#include <exception>
#include <new>
#include <utility>

namespace weft::app {

/// Describes the exception that is being handled; never empty. REQUIRES: called in a catch block.
QString wordsOfFailure();

/// Runs `work` and catches everything it throws. Returns the failure in words, or empty.
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

/// Runs one analysis of a graph. If it fails, adds a problem at `node` (empty: the whole graph) that names the analysis and the failure. Returns whether it
/// succeeded.
bool notedProblem(GraphContents& contents, const QString& node, const QString& analysis, const QString& failure);
template <typename F>
bool runGuarded(GraphContents& contents, const QString& node, const char* analysis, F&& work) {
  const QString failure = failureOf(std::forward<F>(work));
  return failure.isEmpty() || notedProblem(contents, node, QLatin1String(analysis), failure);
}

}  // namespace weft::app
