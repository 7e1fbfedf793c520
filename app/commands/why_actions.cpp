#include "commands/why_actions.h"

#include <QCoreApplication>
#include <functional>
#include <memory>
#include <optional>
#include <utility>

#include "document/document.h"
#include "document/why_store.h"
#include "document/workspace.h"
#include "shell/action_registry.h"
#include "shell/shell.h"

namespace weft::app {
namespace {

struct WhyActions {
  Q_DECLARE_TR_FUNCTIONS(WhyActions)
};

/// Ends when the answer is there.
struct Answer {
  std::shared_ptr<std::optional<CommandResult>> outcome = std::make_shared<std::optional<CommandResult>>();
  WhyStore::Done done() const {
    return [outcome = outcome](const QString& error) { *outcome = error.isEmpty() ? CommandResult::done() : CommandResult::failed(error); };
  }
  CommandResult result() const {
    return CommandResult::when([outcome = outcome] { return *outcome; });
  }
};

/// A step named by a word; 0: none was named. False: it is no step.
bool stepOf(const QString& word, qint64& step) {
  bool ok = true;
  step = word.isEmpty() ? 0 : word.toLongLong(&ok);
  return ok && step >= 0;
}

}  // namespace

void registerWhyActions(ActionRegistry& registry, Workspace& workspace, Shell& shell) {
  static const char* const inDock = QT_TRANSLATE_NOOP("Actions", "Rarely needed: the dock Why has it");
  WhyStore& store = WhyStore::of(workspace);
  const auto whyNot = [&store] { return store.whyNot(); };
  registry.add({QStringLiteral("why.ask"), QT_TRANSLATE_NOOP("Actions", "&Why is this number what it is?"),
                QT_TRANSLATE_NOOP("Actions", "Follows an element of a tensor or variable back to the data, the settings and earlier values"),
                QStringLiteral("Alt+Y"), QStringLiteral("help"), "[ELEMENT [STEP]]",
                [&workspace, &store, &shell](const QStringList& a) {
                  QString element = a.value(0);
                  qint64 step = 0;
                  if (!stepOf(a.value(1), step)) return CommandResult::failed(WhyActions::tr("%1 is no step; expected a whole number from 1.").arg(a[1]));
                  if (element.isEmpty() && workspace.current()) {
                    const QStringList selected = workspace.current()->selection();
                    if (selected.size() == 1 && workspace.current()->hasNode(selected[0])) element = selected[0];
                  }
                  shell.showView(QStringLiteral("why"));
                  if (element.isEmpty()) return CommandResult::done();
                  const Answer answer;
                  store.ask(element, step, answer.done());
                  return answer.result();
                },
                whyNot});
  registry.add({QStringLiteral("why.follow"),
                QT_TRANSLATE_NOOP("Actions", "Follow another part"),
                QT_TRANSLATE_NOOP("Actions", "Continues the path from a part of one of its links, both counted from 1"),
                {},
                {},
                "LINK PART",
                [&store](const QStringList& a) {
                  const int link = a.value(0).toInt(), part = a.value(1).toInt();
                  const QVector<WhyLink>& links = store.path().links;
                  if (link < 1 || link > links.size())
                    return CommandResult::failed(WhyActions::tr("The path has %n link(s), not %1.", nullptr, int(links.size())).arg(a.value(0)));
                  if (part < 1 || part > links[link - 1].parts.size())
                    return CommandResult::failed(
                        WhyActions::tr("This link has %n part(s), not %1.", nullptr, int(links[link - 1].parts.size())).arg(a.value(1)));
                  const Answer answer;
                  store.follow(link - 1, links[link - 1].parts[part - 1], answer.done());
                  return answer.result();
                },
                whyNot,
                {},
                false,
                "Actions",
                inDock});
  registry.add({QStringLiteral("why.rows"),
                QT_TRANSLATE_NOOP("Actions", "Rows behind the number"),
                QT_TRANSLATE_NOOP("Actions", "Computes what each row of the batch contributes to the number that was asked about"),
                {},
                {},
                "",
                [&store](const QStringList&) {
                  if (store.path().links.isEmpty()) return CommandResult::failed(WhyActions::tr("Nothing was asked yet."));
                  const Answer answer;
                  store.askRows(answer.done());
                  return answer.result();
                },
                whyNot,
                {},
                false,
                "Actions",
                inDock});
  registry.add({QStringLiteral("why.compare"),
                QT_TRANSLATE_NOOP("Actions", "Compare two &steps"),
                QT_TRANSLATE_NOOP("Actions", "Shows which values differ between two steps of the training, and which of them first"),
                {},
                {},
                "FIRST SECOND",
                [&store, &shell](const QStringList& a) {
                  qint64 first = 0, second = 0;
                  if (!stepOf(a.value(0), first) || !stepOf(a.value(1), second) || first == 0 || second == 0)
                    return CommandResult::failed(WhyActions::tr("Two steps are needed, such as why.compare 10 11."));
                  shell.showView(QStringLiteral("why"));
                  const Answer answer;
                  store.compare(first, second, answer.done());
                  return answer.result();
                },
                whyNot,
                {},
                false,
                "Actions",
                inDock});
  const auto compares = [&](const char* id, const char* text, const char* tip, const char* usage, std::function<CommandResult(QStringList, qint64)> run) {
    registry.add({QLatin1String(id),
                  text,
                  tip,
                  {},
                  {},
                  usage,
                  [&shell, run = std::move(run)](const QStringList& a) {
                    // The last word may name a step.
                    QStringList words = a;
                    qint64 step = 0;
                    bool number = false;
                    const qint64 last = words.value(words.size() - 1).toLongLong(&number);
                    if (words.size() > 1 && (number || words.last() == QLatin1String("first"))) {
                      words.removeLast();
                      step = number ? last : 0;
                    }
                    if (step < 0) return CommandResult::failed(WhyActions::tr("%1 is no step; expected a whole number from 1.").arg(last));
                    const CommandResult result = run(words, step);
                    if (result.ok) shell.showView(QStringLiteral("why"));
                    return result;
                  },
                  whyNot,
                  {},
                  false,
                  "Actions",
                  inDock});
  };
  compares("why.compare-training", QT_TRANSLATE_NOOP("Actions", "Compare with an &earlier training"),
           QT_TRANSLATE_NOOP("Actions", "Shows which values differ between this training and one before it, and which of them first; 1 is the latest"),
           "[NUMBER [STEP|first]]", [&store](const QStringList& words, qint64 step) {
             bool ok = true;
             const int number = words.isEmpty() ? 1 : words[0].toInt(&ok);
             const qsizetype count = store.others().size();
             if (count == 0)
               return CommandResult::failed(WhyActions::tr("No other training of this session is recorded. Train again, or compare with another setting."));
             if (!ok || number < 1 || number > count || words.size() > 1)
               return CommandResult::failed(WhyActions::tr("why.compare-training takes a number from 1 to %1, not %2.").arg(count).arg(words.join(u' ')));
             const Answer answer;
             store.compareWith(number - 1, step, answer.done());
             return answer.result();
           });
  compares("why.compare-setting", QT_TRANSLATE_NOOP("Actions", "Compare with another &setting"),
           QT_TRANSLATE_NOOP("Actions", "Trains the same graph again with settings changed, and shows which values differ first; nothing is saved"),
           "NAME=VALUE… [STEP|first]", [&store](const QStringList& words, qint64 step) {
             QVector<QPair<QString, QString>> set;
             for (const QString& word : words) {
               const qsizetype equals = word.indexOf(u'=');
               if (equals <= 0) return CommandResult::failed(WhyActions::tr("%1: expected NAME=VALUE, such as learning_rate=0.1.").arg(word));
               set << qMakePair(word.left(equals), word.mid(equals + 1));
             }
             if (set.isEmpty()) return CommandResult::failed(WhyActions::tr("Name a setting and its value, such as learning_rate=0.1."));
             const Answer answer;
             store.compareAgain(nullptr, set, step, answer.done());
             return answer.result();
           });
  compares("why.compare-document", QT_TRANSLATE_NOOP("Actions", "Compare with another &document's training"),
           QT_TRANSLATE_NOOP("Actions", "Trains another open document for as many steps, and shows which values differ first; nothing is saved"),
           "TITLE [STEP|first]", [&store, &workspace](const QStringList& words, qint64 step) {
             const QString title = words.join(u' ');
             for (Document* document : workspace.documents()) {
               // Of files with the same name in several folders, the path says which; the trained one itself is never meant by its name.
               const bool named = document->title() == title && document != workspace.runs().document();
               if (!named && (document->path().isEmpty() || document->path() != title)) continue;
               if (const QString& why = document->contents()->training.reason; !document->contents()->training.present || !why.isEmpty())
                 return CommandResult::failed(WhyActions::tr("%1 cannot be trained: %2").arg(title, why));
               const Answer answer;
               store.compareAgain(document, {}, step, answer.done());
               return answer.result();
             }
             return CommandResult::failed(WhyActions::tr("No open document is called %1.").arg(title));
           });
  // The range changes with every step; whether anything can be asked, seldom.
  QObject::connect(&store, &WhyStore::rangeChanged, &registry, [&store, &registry, known = store.whyNot()]() mutable {
    if (const QString now = store.whyNot(); now != std::exchange(known, now)) registry.refreshSoon();
  });
}

}  // namespace weft::app
