#include "commands/data_actions.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QPointer>
#include <QWidget>
#include <memory>
#include <optional>

#include "adapters/data_columns.h"
#include "adapters/input_advice.h"
#include "adapters/picture_records.h"
#include "adapters/shuffle_order.h"
#include "common/discard.h"
#include "document/document.h"
#include "document/file_tab.h"
#include "document/text_buffer.h"
#include "document/workspace.h"
#include "main_window/data_columns_dialog.h"
#include "main_window/input_advice_window.h"
#include "main_window/shuffle_window.h"
#include "shell/action_registry.h"
#include "shell/file_dialogs.h"
#include "shell/shell.h"

namespace weft::app {
namespace {

struct DataActions {
  Q_DECLARE_TR_FUNCTIONS(DataActions)
};

template <typename Window>
void endOther(Shell& shell) {
  if (auto* before = shell.window()->findChild<Window*>()) {
    before->setParent(nullptr);
    widgets::discard(before);
  }
}

/// Parses NAME=NUMBER words; returns an error, or empty.
QString numbersFrom(const QStringList& words, const QMap<QString, int*>& into) {
  for (const QString& word : words) {
    const QString name = word.section(u'=', 0, 0);
    bool ok = false;
    const int value = word.section(u'=', 1).toInt(&ok);
    if (!into.contains(name) || !ok || value < 0)
      return DataActions::tr("%1 is invalid; expected NAME=NUMBER with one of %2.").arg(word, QStringList(into.keys()).join(QStringLiteral(", ")));
    *into[name] = value;
  }
  return {};
}

CommandResult shuffle(Workspace& workspace, Shell& shell, const QStringList& words) {
  ShuffleSetup setup;
  if (const Document* document = workspace.current()) {
    for (const QString& node : document->selection())
      if (shuffleSetupOf(*document->contents(), node, &setup)) break;
  }
  int seed = int(setup.seed), dataset = setup.kind == ShuffleSetup::Kind::Dataset ? 1 : 0;
  const QString wrong = numbersFrom(words, {{QStringLiteral("elements"), &setup.elements},
                                            {QStringLiteral("capacity"), &setup.capacity},
                                            {QStringLiteral("min_after_dequeue"), &setup.minAfterDequeue},
                                            {QStringLiteral("buffer_size"), &setup.buffer},
                                            {QStringLiteral("batch_size"), &setup.batch},
                                            {QStringLiteral("seed"), &seed},
                                            {QStringLiteral("dataset"), &dataset}});
  if (!wrong.isEmpty()) return CommandResult::failed(wrong);
  setup.seed = seed;
  setup.kind = dataset ? ShuffleSetup::Kind::Dataset : ShuffleSetup::Kind::Queue;
  endOther<ShuffleWindow>(shell);
  auto* window = new ShuffleWindow(shell.window());
  window->setSetup(setup);
  window->show();
  return CommandResult::done();
}

CommandResult advise(Workspace& workspace, Shell& shell, const QStringList& words) {
  InputFacts facts;
  int size = int(facts.megabytes), online = 0, pictures = 0;
  const QString wrong = numbersFrom(words, {{QStringLiteral("megabytes"), &size},
                                            {QStringLiteral("files"), &facts.files},
                                            {QStringLiteral("online"), &online},
                                            {QStringLiteral("pictures"), &pictures},
                                            {QStringLiteral("batch"), &facts.batch}});
  if (!wrong.isEmpty()) return CommandResult::failed(wrong);
  facts.megabytes = size;
  facts.online = online != 0;
  facts.pictures = pictures != 0;
  std::function<void(const QString&)> insert;
  if (const FileTab* file = programInFront(workspace); file && file->text()->editing()) {
    insert = [buffer = QPointer<TextBuffer>(file->text())](const QString& program) {
      if (buffer && buffer->editing()) buffer->editing()->insert(program);
    };
  }
  endOther<InputAdviceWindow>(shell);
  auto* window = new InputAdviceWindow(insert, shell.window());
  window->setFacts(facts);
  window->show();
  return CommandResult::done();
}

/// `[IN [OUT]]`: defaults are the file in front and a question to the user.
CommandResult toRecords(Workspace& workspace, Shell& shell, ActionRegistry& registry, const QStringList& words) {
  const FileTab* file = workspace.currentFile();
  QString from = words.value(0), to = words.value(1);
  if (from.isEmpty() && file && file->contents()->kind == QLatin1String("cifar10")) from = file->path();
  if (from.isEmpty()) {
    askForFolder(shell.window(), workspace.settings(), DataActions::tr("Folder of CIFAR-10 batches"),
                 workspace.settings().value(QStringLiteral("file/folder")).toString(),
                 [&registry](const QString& folder) { registry.runChosen(QStringLiteral("data.to-records"), {folder}); });
    return CommandResult::done();
  }
  if (to.isEmpty())
    to = askForFileToSave(shell.window(), workspace.settings(), DataActions::tr("Write TFRecord"),
                          QFileInfo(from).absoluteFilePath() + QStringLiteral(".tfrecord"), DataActions::tr("Records (*.tfrecord)"));
  if (to.isEmpty()) return CommandResult::done();
  auto result = std::make_shared<std::optional<CommandResult>>();
  auto error = std::make_shared<QString>();
  auto lines = std::make_shared<QStringList>();
  workspace.tasks().start(
      DataActions::tr("Writing %1").arg(QFileInfo(to).fileName()),
      [error, lines, from, to](TaskState& task) { *lines = picturesToRecords(from, to, task, error.get()); },
      [&workspace, &shell, result, error, lines, to] {
        *result = error->isEmpty() ? CommandResult::done() : CommandResult::failed(*error);
        for (const QString& line : std::as_const(*lines)) workspace.log().info(line);
        if (!error->isEmpty()) return shell.showError(*error);
        shell.notify(lines->join(QStringLiteral("; ")));
        workspace.open(to);
      },
      [result] { *result = CommandResult::failed(DataActions::tr("The conversion was cancelled.")); });
  return CommandResult::when([result] { return *result; });
}

/// Binds the data directly if names tell which column feeds which placeholder; asks for the columns otherwise, or if `ask` is set.
CommandResult chooseData(Workspace& workspace, Shell& shell, ActionRegistry& registry, const QStringList& words, bool ask) {
  Document* document = workspace.current();
  const QString source = words.isEmpty() ? boundSource(*document->contents()) : words.first();
  if (source.isEmpty()) return CommandResult::failed(DataActions::tr("No data are chosen yet: name a data set or a file."));
  const QString title = QFileInfo(source).fileName();
  struct State {
    DataColumns columns;
    std::optional<CommandResult> result;
    bool asked = false;  // a script waits for the answer
  };
  auto state = std::make_shared<State>();
  const auto bind = [&registry, state, source](const QStringList& columns) {
    state->result = registry.run(QStringLiteral("graph.bind-data"), QStringList{source} + columns);
  };
  workspace.tasks().start(
      DataActions::tr("Reading %1").arg(title),
      [state, source, contents = document->contents(), folder = document->folder()](TaskState&) { state->columns = dataColumnsOf(*contents, source, folder); },
      [&workspace, &shell, state, bind, title, ask, guard = QPointer<Document>(document)] {
        const DataColumns& columns = state->columns;
        QString error = columns.error;
        if (!guard || guard != workspace.current()) error = DataActions::tr("The graph for the data %1 is no longer in front.").arg(title);
        else if (error.isEmpty() && columns.placeholders.isEmpty())
          error = DataActions::tr("This graph has no placeholder that data could feed: add a Placeholder for the inputs and one for the labels.");
        if (!error.isEmpty()) {
          state->result = CommandResult::failed(error);
          if (!state->asked) shell.showError(error);
          return;
        }
        if (!ask && columns.isCertain()) return bind({});
        endOther<DataColumnsDialog>(shell);
        auto* dialog = new DataColumnsDialog(guard, title, columns, shell.window());
        QObject::connect(dialog, &QDialog::accepted, dialog, [dialog, bind, &workspace, guard] {
          if (guard && guard == workspace.current()) bind(dialog->words());
        });
        dialog->show();
        state->result = CommandResult::done();
      },
      [state] { state->result = CommandResult::failed(DataActions::tr("Reading the data was cancelled.")); });
  return CommandResult::when([state]() -> std::optional<CommandResult> {
    state->asked = true;
    if (!state->result || !state->result->later) return state->result;
    return state->result->later();
  });
}

}  // namespace

void registerDataActions(ActionRegistry& registry, Workspace& workspace, Shell& shell) {
  registry.add({QStringLiteral("data.shuffle"),
                QT_TRANSLATE_NOOP("Actions", "&Shuffle quality…"),
                QT_TRANSLATE_NOOP("Actions", "Simulates the order in which a queue or data set delivers its elements"),
                {},
                QStringLiteral("chart"),
                "[NAME=NUMBER…]",
                [&](const QStringList& a) { return shuffle(workspace, shell, a); }});
  registry.add({QStringLiteral("data.advice"),
                QT_TRANSLATE_NOOP("Actions", "Input &data pipeline…"),
                QT_TRANSLATE_NOOP("Actions", "Recommends a pipeline for the size and number of files (memory, records or a queue) and writes the code"),
                {},
                QStringLiteral("help"),
                "[NAME=NUMBER…]",
                [&](const QStringList& a) { return advise(workspace, shell, a); }});
  registry.add({QStringLiteral("data.to-records"),
                QT_TRANSLATE_NOOP("Actions", "CIFAR-10 to &TFRecord…"),
                QT_TRANSLATE_NOOP("Actions", "Converts CIFAR-10 batches into a file of tf.train.Examples"),
                {},
                QStringLiteral("export"),
                "[IN [OUT]]",
                [&](const QStringList& a) { return toRecords(workspace, shell, registry, a); }});
  const auto needsGraph = [&workspace] { return workspace.current() && !workspace.currentFile() ? QString() : DataActions::tr("No graph is shown."); };
  registry.add({QStringLiteral("data.choose"),
                QT_TRANSLATE_NOOP("Actions", "Choose data"),
                QT_TRANSLATE_NOOP("Actions", "Feeds the placeholders from a data set or a file; asks for the columns where names do not tell them"),
                {},
                {},
                "DATASET|FILE",
                [&](const QStringList& a) { return chooseData(workspace, shell, registry, a, false); },
                needsGraph});
  registry.add({QStringLiteral("data.columns"),
                QT_TRANSLATE_NOOP("Actions", "&Columns for placeholders…"),
                QT_TRANSLATE_NOOP("Actions", "Asks which column of the chosen data feeds each placeholder"),
                {},
                {},
                "[DATASET|FILE]",
                [&](const QStringList& a) { return chooseData(workspace, shell, registry, a, true); },
                [&workspace, needsGraph] {
                  const QString why = needsGraph();
                  if (!why.isEmpty()) return why;
                  return workspace.current()->contents()->training.data.isEmpty() ? DataActions::tr("No data are chosen yet.") : QString();
                }});
}

}  // namespace weft::app
