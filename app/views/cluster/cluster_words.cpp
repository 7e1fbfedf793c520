#include "views/cluster/cluster_words.h"

#include <QCoreApplication>
#include <algorithm>

#include "common/format.h"

namespace weft::app {
namespace {

struct ClusterWords {
  Q_DECLARE_TR_FUNCTIONS(ClusterWords)
};

constexpr double kLongWait = 1;  // seconds; shorter waits are part of every step
constexpr double kRecentRestart = 60;
constexpr int kLongestChain = 8;

QString joined(const QStringList& names) { return names.join(ClusterWords::tr(", ", "between names of tasks")); }

/// The longest wait of a task for another one; null if it waits for none.
const ClusterWait* longestWait(const ClusterTask& task) {
  const ClusterWait* longest = nullptr;
  for (const ClusterStep& step : task.steps)
    for (const ClusterWait& wait : step.waits)
      if (!longest || wait.seconds > longest->seconds) longest = &wait;
  return longest;
}

const ClusterTask* taskNamed(const ClusterFacts& facts, const QString& name) {
  const auto it = std::find_if(facts.tasks.begin(), facts.tasks.end(), [&](const ClusterTask& task) { return task.name == name; });
  return it == facts.tasks.end() ? nullptr : &*it;
}

/// What a task that others wait for does itself, as the end of a sentence.
QString endOfChain(const ClusterTask* task) {
  if (!task || task->state == ClusterTask::State::Listed) return ClusterWords::tr("whose state is not known");
  if (task->state == ClusterTask::State::Silent) return ClusterWords::tr("which does not answer");
  if (!task->isWeft) return ClusterWords::tr("a task of TensorFlow, which does not tell what it waits for");
  if (!task->queuesNotFull.isEmpty()) return ClusterWords::tr("which waits for an element of the queue %1").arg(joined(task->queuesNotFull));
  if (!task->queuesFull.isEmpty()) return ClusterWords::tr("which waits for room in the queue %1").arg(joined(task->queuesFull));
  if (task->steps.isEmpty()) return ClusterWords::tr("which does not run this step");
  return ClusterWords::tr("which computes");
}

/// "worker:0 has waited 12 s for ps:0, which …"
QString chainSentence(const ClusterFacts& facts) {
  const ClusterTask* first = nullptr;
  const ClusterWait* wait = nullptr;
  for (const ClusterTask& task : facts.tasks) {
    const ClusterWait* longest = longestWait(task);
    if (longest && longest->seconds >= kLongWait && (!wait || longest->seconds > wait->seconds)) first = &task, wait = longest;
  }
  if (!first) return {};
  QString sentence = ClusterWords::tr("%1 has waited %2 for %3").arg(first->name, widgets::formatClock(wait->seconds), wait->from);
  QStringList passed{first->name};
  const ClusterTask* at = taskNamed(facts, wait->from);
  for (int i = 0; i < kLongestChain && at; ++i) {
    const ClusterWait* next = longestWait(*at);
    if (!next) break;
    if (passed.contains(next->from)) return ClusterWords::tr("%1, which waits for %2: they wait for each other.").arg(sentence, next->from);
    passed << at->name;
    sentence = ClusterWords::tr("%1, which waits for %2").arg(sentence, next->from);
    at = taskNamed(facts, next->from);
  }
  return ClusterWords::tr("%1, %2.").arg(sentence, endOfChain(at));
}

}  // namespace

QString stateWords(const ClusterTask& task) {
  if (task.state == ClusterTask::State::Listed) return ClusterWords::tr("listed by the server");
  if (task.state == ClusterTask::State::Silent)
    return task.sinceAnswer < 0 ? ClusterWords::tr("has not answered") : ClusterWords::tr("no answer for %1").arg(widgets::formatClock(task.sinceAnswer));
  if (!task.problem.isEmpty()) return ClusterWords::tr("answers under another name");
  if (task.restarts > 0) return ClusterWords::tr("answers; restarted %1 ago").arg(widgets::formatClock(task.sinceRestart));
  return ClusterWords::tr("answers");
}

QString waitWords(const ClusterTask& task) {
  if (task.state != ClusterTask::State::Answers) return {};
  if (!task.isWeft) return ClusterWords::tr("not told by TensorFlow");
  if (!task.missing.isEmpty()) return ClusterWords::tr("%1, to start a session (%2)").arg(joined(task.missing), widgets::formatClock(task.missingSeconds));
  if (const ClusterWait* wait = longestWait(task)) {
    QStringList others;
    for (const ClusterStep& step : task.steps)
      for (const ClusterWait& w : step.waits)
        if (w.from != wait->from && !others.contains(w.from)) others << w.from;
    return ClusterWords::tr("%1 (%2)").arg(joined(QStringList(wait->from) + others), widgets::formatSeconds(wait->seconds, 2));
  }
  if (!task.queuesNotFull.isEmpty()) return ClusterWords::tr("an element of %1").arg(joined(task.queuesNotFull));
  if (!task.queuesFull.isEmpty()) return ClusterWords::tr("room in %1").arg(joined(task.queuesFull));
  if (!task.steps.isEmpty()) return ClusterWords::tr("computes (%1)").arg(widgets::formatSeconds(task.steps.first().seconds, 2));
  return ClusterWords::tr("idle");
}

QString waitDetails(const ClusterTask& task) {
  QStringList lines;
  for (const ClusterStep& step : task.steps) {
    for (const ClusterWait& wait : step.waits)
      lines << ClusterWords::tr("%1 of %2, for %3").arg(wait.tensor, wait.from, widgets::formatSeconds(wait.seconds, 2));
    if (const qint64 more = step.waitsInAll - step.waits.size(); more > 0) lines << ClusterWords::tr("%n more tensor(s)", nullptr, int(more));
  }
  for (const QString& queue : task.queuesNotFull) lines << ClusterWords::tr("an element of the queue %1").arg(queue);
  for (const QString& queue : task.queuesFull) lines << ClusterWords::tr("room in the queue %1").arg(queue);
  for (const QString& name : task.missing) lines << ClusterWords::tr("%1, which has not answered: a new session needs all tasks").arg(name);
  return lines.join(u'\n');
}

QString clusterVerdict(const ClusterFacts& facts, bool* isBad) {
  *isBad = true;
  if (!facts.problem.isEmpty()) return facts.problem;
  QStringList silent, restarted, waiting;
  for (const ClusterTask& task : facts.tasks) {
    if (task.state == ClusterTask::State::Silent) silent << (task.name.isEmpty() ? task.address : task.name);
    if (task.state == ClusterTask::State::Answers && !task.problem.isEmpty()) return QStringLiteral("%1: %2").arg(task.address, task.problem);
    if (task.restarts > 0 && task.sinceRestart < kRecentRestart) restarted << task.name;
    if (!task.missing.isEmpty()) waiting << task.name;
  }
  QStringList sentences;
  if (!silent.isEmpty()) sentences << ClusterWords::tr("No answer from %1.").arg(joined(silent));
  if (!waiting.isEmpty()) sentences << ClusterWords::tr("%1 starts a session once all tasks answer.").arg(joined(waiting));
  if (facts.waitsForTasks)
    sentences << ClusterWords::tr(
        "The server waits for a task that does not answer. TensorFlow does not say which one; with the addresses in Cluster…, every task is asked.");
  if (!restarted.isEmpty())
    sentences << ClusterWords::tr("%1 restarted: its variables are lost until a session initializes or restores them.").arg(joined(restarted));
  if (sentences.isEmpty())
    if (const QString chain = chainSentence(facts); !chain.isEmpty()) sentences << chain;
  if (!sentences.isEmpty()) return widgets::joinSentences(sentences);
  *isBad = false;
  QStringList listed;
  bool isOfTensorFlow = false;
  for (const ClusterTask& task : facts.tasks) {
    if (task.state == ClusterTask::State::Listed) listed << task.name;
    isOfTensorFlow |= !task.isWeft;
  }
  if (listed.isEmpty()) sentences << ClusterWords::tr("%n task(s), all well.", nullptr, int(facts.tasks.size()));
  else sentences << ClusterWords::tr("The server lists %1 without an address. Enter it in Cluster… to have it asked.").arg(joined(listed));
  if (isOfTensorFlow) sentences << ClusterWords::tr("Tasks of TensorFlow do not tell what they wait for.");
  return widgets::joinSentences(sentences);
}

}  // namespace weft::app
