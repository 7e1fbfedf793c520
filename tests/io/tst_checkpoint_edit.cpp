#include <QTest>

#include "edited_checkpoints.h"

class CheckpointEditTest : public QObject {
  Q_OBJECT

  MemoryFiles files_;

 private slots:
  void init() {
    files_ = MemoryFiles();
    QVERIFY(writeSample(files_, "a").ok());
    QVERIFY(writeSample(files_, "b", 10).ok());
  }

  void renamesByPatternAndTable() {
    CheckpointEdit edit;
    edit.renames = {{"^net/(.*)$", "model/$1"}, {"model/w", "model/kernel"}};
    edit.table = {{"net/b", "bias"}};
    VERIFY_EDITED(files_, {"a"}, "out", edit);
    QCOMPARE(names(files_, "out"), std::string("bias global_step model/emb model/kernel"));
    QVERIFY(valueIn(files_, "out", "model/kernel").identicalTo(counting({6, 4})));
    edit.table.clear();
    edit.renames = {{"(net)/(.)$", R"(\2/\1)"}};
    VERIFY_EDITED(files_, {"a"}, "out", edit);
    QCOMPARE(names(files_, "out"), std::string("b/net global_step net/emb w/net"));
  }

  void writesDigitsBackslashesAndDollars() {
    CheckpointEdit edit;
    edit.drop = {"step", "emb", "b$"};
    for (const auto& [replacement, name] : std::vector<std::pair<std::string, std::string>>{{"$012", "net2/w"},
                                                                                            {R"(\01\\1)", R"(net\1/w)"},
                                                                                            {R"(\10)", "net0/w"},
                                                                                            {"$10", "net0/w"},
                                                                                            {"$$1", "$1/w"},
                                                                                            {"$$$1", "$net/w"},
                                                                                            {R"($\1)", "$net/w"},
                                                                                            {"[$&]$", "[net]$/w"}}) {
      edit.renames = {{"^(net)", replacement}};
      VERIFY_EDITED(files_, {"a"}, "out", edit);
      QCOMPARE(names(files_, "out"), name);
    }
  }

  void aNameThatIsTooLongIsRefused() {
    CheckpointEdit edit;
    edit.renames = {{"net/w", std::string(4000, 'n')}, {"n", "nn"}};
    ERROR_IS(edited(files_, {"a"}, "out", edit), "rename 'n': net/w would get a name of 8000 characters (limit 4096)");
    auto writer = CheckpointWriter::create("long", &files_);
    QVERIFY((*writer)->add(std::string(5000, 'a'), counting({1})).ok());
    QVERIFY((*writer)->finish().ok());
    CheckpointEdit cast;
    cast.casts = {{"a", DType::Half}};
    ERROR_IS(edited(files_, {"long"}, "out", cast), "a name of 5000 characters cannot be compared with patterns (limit 4096): " + std::string(60, 'a') + "…");
  }

  void exactNamesAreLeftOut() {
    CheckpointEdit edit;
    edit.omit = {"net/b", "global_step"};
    VERIFY_EDITED(files_, {"a"}, "out", edit);
    QCOMPARE(names(files_, "out"), std::string("net/emb net/w"));
    edit.omit = {"net"};
    ERROR_IS(edited(files_, {"a"}, "out", edit), "the checkpoint does not have net, which is to be left out");
  }

  void namesMayChangePlaces() {
    CheckpointEdit edit;
    edit.table = {{"net/b", "net/w"}, {"net/w", "net/b"}};
    VERIFY_EDITED(files_, {"a"}, "a", edit);
    QVERIFY(valueIn(files_, "a", "net/b").identicalTo(counting({6, 4})));
  }

  void keepsAndDrops() {
    CheckpointEdit edit;
    edit.keep = {"^net/"};
    edit.drop = {"emb"};
    VERIFY_EDITED(files_, {"a"}, "out", edit);
    QCOMPARE(names(files_, "out"), std::string("net/b net/w"));
  }

  void takesRowsAndColumns() {
    CheckpointEdit edit;
    edit.slices = {{"w$", "1:3,-2:"}, {"emb", "3:5"}};
    VERIFY_EDITED(files_, {"a"}, "out", edit);
    QVERIFY(valueIn(files_, "out", "net/w").identicalTo(Tensor::of<float>({6, 7, 10, 11}, {2, 2})));
    QVERIFY(valueIn(files_, "out", "net/emb").identicalTo(counting({10, 3}).rows(3, 5)));
  }

  void convertsThereAndBack() {
    CheckpointEdit edit;
    std::vector<std::string> warnings;
    for (const DType dtype : {DType::Half, DType::BFloat16, DType::Double}) {
      edit.casts = {{"", dtype}};
      VERIFY_EDITED(files_, {"a"}, "out", edit, &warnings);
      QVERIFY(warnings.empty());
      QCOMPARE(int(valueIn(files_, "out", "net/emb").dtype()), int(dtype));
      QCOMPARE(int(valueIn(files_, "out", "global_step").dtype()), int(DType::Int64));
      edit.casts = {{"", DType::Float}};
      VERIFY_EDITED(files_, {"out"}, "back", edit);
      QVERIFY(valueIn(files_, "back", "net/w").identicalTo(counting({6, 4})));  // small integers, which every one of these types holds
    }
  }

  void tellsOfNumbersThatAreTooLarge() {
    QVERIFY(writeSample(files_, "large", 65500).ok());
    CheckpointEdit edit;
    edit.casts = {{"w$", DType::Half}};
    std::vector<std::string> warnings;
    VERIFY_EDITED(files_, {"large"}, "out", edit, &warnings);
    QCOMPARE(warnings.size(), size_t(1));
    QCOMPARE(warnings[0], std::string("net/w: 4 numbers are too large for the new type and became infinite"));  // 65520 and above
  }

  void averages() {
    CheckpointEdit edit;
    edit.average = true;
    std::vector<std::string> warnings;
    VERIFY_EDITED(files_, {"a", "b"}, "out", edit, &warnings);
    QVERIFY(valueIn(files_, "out", "net/w").identicalTo(counting({6, 4}, 5)));
    QVERIFY(valueIn(files_, "out", "net/emb").identicalTo(counting({10, 3}, 5)));
    QCOMPARE(valueIn(files_, "out", "global_step").at<int64_t>(0), int64_t(10));
    QCOMPARE(warnings.size(), size_t(1));
    QVERIFY(warnings[0].starts_with("global_step is not averaged"));
  }

  void mergesAndNamesConflicts() {
    CheckpointEdit rename;
    rename.renames = {{"^", "second/"}};
    VERIFY_EDITED(files_, {"b"}, "c", rename);
    VERIFY_EDITED(files_, {"a", "c"}, "out", {});
    QCOMPARE(names(files_, "out"), std::string("global_step net/b net/emb net/w second/global_step second/net/b second/net/emb second/net/w"));
    ERROR_IS(edited(files_, {"a", "b"}, "out", {}), "global_step is in a and in b: say which is preferred, or drop it");
    CheckpointEdit prefer;
    prefer.prefer = CheckpointEdit::Prefer::Last;
    VERIFY_EDITED(files_, {"a", "b"}, "out", prefer);
    QVERIFY(valueIn(files_, "out", "net/w").identicalTo(counting({6, 4}, 10)));
  }

  void dividesAndJoinsVariables() {
    CheckpointEdit edit;
    edit.partitions = {{"w$", 3, 1}, {"emb", 1, 0}};
    VERIFY_EDITED(files_, {"a"}, "out", edit);
    const auto reader = CheckpointReader::open("out", &files_);
    QVERIFY((*reader)->find("net/emb")->slices.empty());
    const auto& slices = (*reader)->find("net/w")->slices;
    QCOMPARE(slices.size(), size_t(3));
    QCOMPARE(slices[0][1].length, int64_t(2));  // the first is longer, as TensorFlow divides
    QVERIFY((*reader)->read("net/w")->identicalTo(counting({6, 4})));
  }

  void refusesByName_data() {
    QTest::addColumn<int>("kind");
    QTest::addColumn<QString>("message");
    int kind = 0;
    for (const char* message :
         {"keep 'nothing' matches no tensor", "both net/b and net/emb would be named x", "slice of net/w [6,4]: '9' is outside a dimension of 6",
          "slice of net/w [6,4]: '2' is not of the form START:STOP", "slice of net/w [6,4]: '2:2' is empty",
          "slice of net/w [6,4]: more ranges than the 2 dimensions of [6,4]", "cast: global_step is int64, which is not converted",
          "partition of net/b [4]: 4 cannot be divided into 5 parts", "partition of net/b [4]: axis 1 is none of the 1 of [4]",
          "7 data files are asked for, but the checkpoint has 6 tensors and parts", "the table renames gone, which the checkpoint does not have",
          "rename: '(' is not a regular expression that can be used (groups and classes are, back-references are not)",
          "a checkpoint of version 1 cannot hold bfloat16 (net/b)", "rename: net/b would get an empty name",
          R"(rename '(net)/(.)$': $3 in 'x$3' is group 3, but the pattern has 2 groups)",
          R"(rename 'net': \1 in '\1' is group 1, but the pattern has 0 groups)", R"(rename '(net)': $2 in '$20' is group 2, but the pattern has 1 group)",
          R"(rename '(net)': '\g' in '\g<1>' is neither a group such as \1 nor \\ (a backslash))"})
      QTest::addRow("%d", kind) << kind << message, ++kind;
  }
  void refusesByName() {
    QFETCH(int, kind);
    QFETCH(QString, message);
    CheckpointEdit e;
    switch (kind) {
      case 0: e.keep = {"net", "nothing"}; break;
      case 1: e.renames = {{"net/.*", "x"}}; break;
      case 2: e.slices = {{"w", "0:9"}}; break;
      case 3: e.slices = {{"w", "2"}}; break;
      case 4: e.slices = {{"w", "2:2"}}; break;
      case 5: e.slices = {{"w", ":,:,:"}}; break;
      case 6: e.casts = {{"global", DType::Half}}; break;
      case 7: e.partitions = {{"/b", 5, 0}}; break;
      case 8: e.partitions = {{"/b", 2, 1}}; break;
      case 9: e.shards = 7; break;
      case 10: e.table = {{"gone", "x"}}; break;
      case 11: e.renames = {{"(", "x"}}; break;
      case 12: e.casts = {{"", DType::BFloat16}}, e.version = 1; break;
      case 13: e.renames = {{"net/b", ""}}; break;
      case 14: e.renames = {{"(net)/(.)$", "x$3"}}; break;
      case 15: e.renames = {{"net", R"(\1)"}}; break;
      case 16: e.renames = {{"(net)", "$20"}}; break;
      case 17: e.renames = {{"(net)", R"(\g<1>)"}}; break;
    }
    const auto before = paths(files_);
    QCOMPARE(QString::fromStdString(edited(files_, {"a"}, "out", e)), message);
    QVERIFY(paths(files_) == before);
  }

  void anAverageNeedsEveryTensorInOneShape() {
    CheckpointEdit rows, average;
    rows.slices = {{"w", "0:2"}};
    VERIFY_EDITED(files_, {"b"}, "c", rows);
    average.average = true;
    ERROR_IS(edited(files_, {"a", "c"}, "out", average), "net/w is float32[6,4] in a and float32[2,4] in c, so there is no average of it");
    CheckpointEdit drop;
    drop.drop = {"w$"};
    VERIFY_EDITED(files_, {"b"}, "c", drop);
    ERROR_IS(edited(files_, {"a", "c"}, "out", average), "net/w is not in c, so there is no average of it");
  }

  void aPatternCannotRunForEver() {
    auto writer = CheckpointWriter::create("long", &files_);
    QVERIFY((*writer)->add(std::string(3000, 'a'), counting({1})).ok());
    QVERIFY((*writer)->finish().ok());
    CheckpointEdit edit;
    edit.keep = {"(a+)+$", "(a|a)*b"};
    ERROR_IS(edited(files_, {"long"}, "out", edit), "keep '(a|a)*b' matches no tensor");
  }

  void readsTables() {
    const auto table = parseRenameTable("# comment\n\nnet/w  model/w\r\nwith space\tother name\n");
    QVERIFY(table.ok());
    QCOMPARE(table->at("net/w"), std::string("model/w"));
    QCOMPARE(table->at("with space"), std::string("other name"));
    QVERIFY(*parseRenameTable(printRenameTable(*table)) == *table);
    ERROR_IS(parseRenameTable("a b\na c").error().message, "line 2: a is renamed twice");
    ERROR_IS(parseRenameTable("alone").error().message, "line 1: expected an old and a new name, separated by a tab or spaces");
    ERROR_IS(parseRenameTable("a b c").error().message, "line 1: expected an old and a new name, separated by a tab or spaces");
  }

  void warnsOfDescribedObjects() {
    auto writer = CheckpointWriter::create("objects", &files_);
    QVERIFY((*writer)->add("_CHECKPOINTABLE_OBJECT_GRAPH", Tensor::scalar("")).ok());
    QVERIFY((*writer)->add("w/.ATTRIBUTES/VARIABLE_VALUE", counting({2})).ok());
    QVERIFY((*writer)->finish().ok());
    CheckpointEdit edit;
    edit.renames = {{"^w", "v"}};
    std::vector<std::string> warnings;
    VERIFY_EDITED(files_, {"objects"}, "out", edit, &warnings);
    QCOMPARE(warnings.size(), size_t(1));
  }
};

QTEST_GUILESS_MAIN(CheckpointEditTest)
#include "tst_checkpoint_edit.moc"
