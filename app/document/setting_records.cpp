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
      {"ui/language", kGeneral, QT_TRANSLATE_NOOP("Settings", "Language"), QT_TRANSLATE_NOOP("Settings", "Of menus, messages and help; names of ops stay English."), Kind::Choice,
       "system", {{"system", QT_TRANSLATE_NOOP("Settings", "of the desktop")}, {"en", "English"}, {"zh_CN", "简体中文"}}},
      {"start/restore", kGeneral, QT_TRANSLATE_NOOP("Settings", "Open the documents of the last time"),
       QT_TRANSLATE_NOOP("Settings", "With their selection, place and zoom. Files that are gone are left out."), Kind::Switch, true},
      {"notify/after", kGeneral, QT_TRANSLATE_NOOP("Settings", "Tell when a job ends that took"),
       QT_TRANSLATE_NOOP("Settings", "A notification of the desktop, if the window is not in front then."), Kind::Number, 10, {}, 0, 3600, 5,
       QT_TRANSLATE_NOOP("Settings", " s or longer"), QT_TRANSLATE_NOOP("Settings", "never")},
      {"ui/theme", kLook, QT_TRANSLATE_NOOP("Settings", "Colours"), QT_TRANSLATE_NOOP("Settings", "Light, dark, or with the highest contrast."), Kind::Choice, "system",
       {{"system", QT_TRANSLATE_NOOP("Settings", "of the desktop")},
        {"light", QT_TRANSLATE_NOOP("Settings", "light")},
        {"dark", QT_TRANSLATE_NOOP("Settings", "dark")},
        {"highContrast", QT_TRANSLATE_NOOP("Settings", "high contrast")}}},
      {"ui/scale", kLook, QT_TRANSLATE_NOOP("Settings", "Size of everything"), QT_TRANSLATE_NOOP("Settings", "On top of what the desktop asks for."), Kind::Number, 100, {}, 100, 300,
       25, " %", "", true},
      {"ui/motion", kLook, QT_TRANSLATE_NOOP("Settings", "Motion"), QT_TRANSLATE_NOOP("Settings", "Short movements of the graph that keep the orientation."), Kind::Switch, true},
      {"run/strip", kLook, QT_TRANSLATE_NOOP("Settings", "Row of the training"), QT_TRANSLATE_NOOP("Settings", "Above the canvas while a graph trains, and always in the layout Train: layers with their gradients, loss, accuracy."),
       Kind::Switch, true},
      {"edit/autosave-seconds", kFiles, QT_TRANSLATE_NOOP("Settings", "Write unsaved changes to the disk every"),
       QT_TRANSLATE_NOOP("Settings", "So that they can be brought back after a crash. The file itself is written only by saving."), Kind::Number, 10, {}, 0, 600, 5,
       QT_TRANSLATE_NOOP("Settings", " s"), QT_TRANSLATE_NOOP("Settings", "never"), true},
      {"file/watch", kFiles, QT_TRANSLATE_NOOP("Settings", "Notice files that other programs change"),
       QT_TRANSLATE_NOOP("Settings", "Asks whether to read them again."), Kind::Switch, true},
      {"editor/names-on-save", kPrograms, QT_TRANSLATE_NOOP("Settings", "Names and shapes after saving"),
       QT_TRANSLATE_NOOP("Settings", "Each saving of a Python program runs it up to its first step, and shows the names and shapes that its lines make."), Kind::Switch, false},
      {"editor/variable-lint", kPrograms, QT_TRANSLATE_NOOP("Settings", "tf.Variable or tf.get_variable"),
       QT_TRANSLATE_NOOP("Settings", "Marks each tf.Variable in a program, and says what speaks for tf.get_variable."), Kind::Choice, "explain",
       {{"explain", QT_TRANSLATE_NOOP("Settings", "explain")}, {"off", QT_TRANSLATE_NOOP("Settings", "off")}}},
      {"run/threads", kComputing, QT_TRANSLATE_NOOP("Settings", "Threads"), QT_TRANSLATE_NOOP("Settings", "For the runs that are started from now on."), Kind::Number, 0, {}, 0, 256, 1,
       "", QT_TRANSLATE_NOOP("Settings", "all processors")},
      {"run/watch-nan", kComputing, QT_TRANSLATE_NOOP("Settings", "Watch trainings for NaN"),
       QT_TRANSLATE_NOOP("Settings", "A training ends at the first NaN and shows where it comes from; it takes a few percent of its time."), Kind::Switch, false},
      {"run/memory-percent", kComputing, QT_TRANSLATE_NOOP("Settings", "Memory limit"),
       QT_TRANSLATE_NOOP("Settings", "Of this machine's memory; a step that needs more is refused before it starts."), Kind::Number, 80, {}, 10, 100, 5, " %"},
  };
  // clang-format on
  return records;
}

}  // namespace weft::app
