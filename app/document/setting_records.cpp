#include <QtGlobal>

#include "document/settings.h"

namespace weft::app {

const QVector<SettingRecord>& settingRecords() {
  using Kind = SettingRecord::Kind;
  constexpr const char* kGeneral = QT_TRANSLATE_NOOP("Settings", "General");
  constexpr const char* kLook = QT_TRANSLATE_NOOP("Settings", "Appearance");
  constexpr const char* kFiles = QT_TRANSLATE_NOOP("Settings", "Documents");
  constexpr const char* kComputing = QT_TRANSLATE_NOOP("Settings", "Computing");
  constexpr const char* kPrograms = QT_TRANSLATE_NOOP("Settings", "Python programs");
  // A table, which keeps its lines:
  // clang-format off
  static const QVector<SettingRecord> records = {
      {"ui/language", kGeneral, QT_TRANSLATE_NOOP("Settings", "Language"), QT_TRANSLATE_NOOP("Settings", "For menus, messages and help; op names stay in English."), Kind::Choice,
       "system", {{"system", QT_TRANSLATE_NOOP("Settings", "system")}, {"en", "English"}, {"zh_CN", "简体中文"}}},
      {"start/restore", kGeneral, QT_TRANSLATE_NOOP("Settings", "Reopen last documents"),
       QT_TRANSLATE_NOOP("Settings", "With their selection, position and zoom. Missing files are skipped."), Kind::Switch, true},
      {"notify/after", kGeneral, QT_TRANSLATE_NOOP("Settings", "Notify after jobs that took"),
       QT_TRANSLATE_NOOP("Settings", "Shows a desktop notification if the window is not active."), Kind::Number, 10, {}, 0, 3600, 5,
       QT_TRANSLATE_NOOP("Settings", " s or longer"), QT_TRANSLATE_NOOP("Settings", "never")},
      {"ui/theme", kLook, QT_TRANSLATE_NOOP("Settings", "Colours"), QT_TRANSLATE_NOOP("Settings", "Light, dark or high contrast."), Kind::Choice, "system",
       {{"system", QT_TRANSLATE_NOOP("Settings", "system")},
        {"light", QT_TRANSLATE_NOOP("Settings", "light")},
        {"dark", QT_TRANSLATE_NOOP("Settings", "dark")},
        {"highContrast", QT_TRANSLATE_NOOP("Settings", "high contrast")}}},
      {"ui/scale", kLook, QT_TRANSLATE_NOOP("Settings", "Interface scale"), QT_TRANSLATE_NOOP("Settings", "Multiplies the scale of the desktop."), Kind::Number, 100, {}, 100, 300,
       25, " %", "", true},
      {"ui/motion", kLook, QT_TRANSLATE_NOOP("Settings", "Motion"), QT_TRANSLATE_NOOP("Settings", "Short animations of the graph that preserve orientation."), Kind::Switch, true},
      {"run/strip", kLook, QT_TRANSLATE_NOOP("Settings", "Training strip"), QT_TRANSLATE_NOOP("Settings", "Above the canvas while a graph trains, and always in the Train layout: layers with their gradients, loss, accuracy."),
       Kind::Switch, true},
      {"edit/autosave-seconds", kFiles, QT_TRANSLATE_NOOP("Settings", "Save recovery data every"),
       QT_TRANSLATE_NOOP("Settings", "Lets you recover unsaved changes after a crash. The file itself changes only when you save."), Kind::Number, 10, {}, 0, 600, 5,
       QT_TRANSLATE_NOOP("Settings", " s"), QT_TRANSLATE_NOOP("Settings", "never"), true},
      {"file/watch", kFiles, QT_TRANSLATE_NOOP("Settings", "Watch files for external changes"),
       QT_TRANSLATE_NOOP("Settings", "Asks whether to reload them."), Kind::Switch, true},
      {"editor/names-on-save", kPrograms, QT_TRANSLATE_NOOP("Settings", "Names and shapes after saving"),
       QT_TRANSLATE_NOOP("Settings", "Each time a Python program is saved, runs it up to its first step and shows the names and shapes that its lines create."), Kind::Switch, false},
      {"editor/variable-lint", kPrograms, QT_TRANSLATE_NOOP("Settings", "tf.Variable or tf.get_variable"),
       QT_TRANSLATE_NOOP("Settings", "Marks each tf.Variable in a program and explains when to use tf.get_variable instead."), Kind::Choice, "explain",
       {{"explain", QT_TRANSLATE_NOOP("Settings", "explain")}, {"off", QT_TRANSLATE_NOOP("Settings", "off")}}},
      {"run/threads", kComputing, QT_TRANSLATE_NOOP("Settings", "Threads"), QT_TRANSLATE_NOOP("Settings", "Applies to new runs."), Kind::Number, 0, {}, 0, 256, 1,
       "", QT_TRANSLATE_NOOP("Settings", "all processors")},
      {"run/watch-nan", kComputing, QT_TRANSLATE_NOOP("Settings", "Watch training for NaN"),
       QT_TRANSLATE_NOOP("Settings", "Training stops at the first NaN and shows where it comes from; this costs a few percent of the time."), Kind::Switch, false},
      {"run/doctor", kComputing, QT_TRANSLATE_NOOP("Settings", "Doctor beside trainings"),
       QT_TRANSLATE_NOOP("Settings", "Looks at gradients, units, weights and curves while a graph trains, and says in the dock Doctor what goes wrong; this costs up to 3 % of the time."), Kind::Switch, false},
      {"run/memory-percent", kComputing, QT_TRANSLATE_NOOP("Settings", "Memory limit"),
       QT_TRANSLATE_NOOP("Settings", "Part of this machine's memory; a step that needs more is rejected before it starts."), Kind::Number, 80, {}, 10, 100, 5, " %"},
      {"run/step-memory", kComputing, QT_TRANSLATE_NOOP("Settings", "Memory of a step"),
       QT_TRANSLATE_NOOP("Settings", "A training step that would need more, variables and fed values included, computes values a second time instead of keeping them. Its results stay the same."),
       Kind::Number, 0, {}, 0, 16777216, 256, QT_TRANSLATE_NOOP("Settings", " MB"), QT_TRANSLATE_NOOP("Settings", "no limit")},
      {"run/record-megabytes", kComputing, QT_TRANSLATE_NOOP("Settings", "Recorded steps"),
       QT_TRANSLATE_NOOP("Settings", "Memory for copies of variables, from which the last 1,000 steps can be computed again, to say why a number is what it is; at most a quarter of the free memory. Applies to new runs."),
       Kind::Number, 4096, {}, 0, 1048576, 128, QT_TRANSLATE_NOOP("Settings", " MB"), QT_TRANSLATE_NOOP("Settings", "none")},
  };
  // clang-format on
  return records;
}

}  // namespace weft::app
