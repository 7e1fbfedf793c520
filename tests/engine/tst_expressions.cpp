// Expressions: names of a document, and fields that follow them.
#include "expression_document.h"
#include "weft/document_parameters.h"
#include "weft/train.h"

using namespace expression_tests;

class TestExpressions : public QObject {
  Q_OBJECT

 private slots:
  void aLongChainOfNamesIsComputed() {
    Document d;
    std::vector<NamedValue> names;
    constexpr int kNames = 20'000;
    for (int i = 0; i < kNames; ++i) names.push_back({"n" + std::to_string(i), i + 1 < kNames ? "n" + std::to_string(i + 1) + " + 1" : "1", {}, {}});
    setNamedValues(d.meta, names);
    const auto value = ExpressionScope(d.meta).valueOf("all", "n0");
    QVERIFY2(value.ok(), value.ok() ? "" : value.error().message.c_str());
    QCOMPARE(q(value->toString()), QString::number(kNames));
  }

  void fieldsFollowAName() {
    Document d = twoLayers();
    VERIFY_OK(d.name("width", "64"));
    VERIFY_OK(d.follow("dense_1.units", "2*width"));
    VERIFY_OK(d.follow("dense_2.units", "dense_1.units//4"));
    QCOMPARE(q(d.shape("dense_1/kernel")), QStringLiteral("[16,128]"));
    QCOMPARE(q(d.shape("dense_2/kernel")), QStringLiteral("[128,32]"));
    VERIFY_OK(d.name("width", "10"));
    QCOMPARE(q(d.shape("dense_1/kernel")), QStringLiteral("[16,20]"));
    QCOMPARE(q(d.shape("dense_2/kernel")), QStringLiteral("[20,5]"));
    const auto fields = followedFieldsOf(d.meta);
    QCOMPARE(fields.size(), size_t(2));
    QCOMPARE(fields[1].result.value_or(""), std::string("5"));
    QCOMPARE(namedValuesOf(d.meta)[0].result.value_or(""), std::string("10"));
  }

  void layersThatMustFitChangeTogether() {
    Document d;
    GraphBuilder b(d.meta);
    b.placeholder(DType::Float, Shape{-1, 16}, "x");
    VERIFY_OK(d.change([](LayerEditor& l) -> Status {
      const ApiRecord& dense = *ApiRegistry::instance().findLayer("layers.dense");
      for (const char* name : {"left", "right"}) WEFT_TRY(l.add(dense, name, {{"units", "8"}}, {{"", "x:0"}}).status());
      WEFT_LET(const int add, l.editor().add("Add", "both"));
      WEFT_LET(const Output left, l.editor().output(l.find("left")->outputs[0]));
      WEFT_LET(const Output right, l.editor().output(l.find("right")->outputs[0]));
      WEFT_TRY(l.editor().connect(left, {add, 0, false}));
      return l.editor().connect(right, {add, 1, false});
    }));
    VERIFY_OK(d.name("width", "8"));
    VERIFY_OK(d.follow("left.units", "width"));
    VERIFY_OK(d.follow("right.units", "width"));
    VERIFY_OK(d.name("width", "24"));
    QCOMPARE(q(d.shape("both")), QStringLiteral("[?,24]"));
    QVERIFY(d.problems.empty());
  }

  void attributesAndShapesFollow() {
    Document d = twoLayers();
    VERIFY_OK(d.change([](LayerEditor& l) -> Status {
      WEFT_TRY(l.editor().add("Placeholder", "y", {{"dtype", "float32"}, {"shape", "[?,16]"}}).status());
      return l.editor().add("Const", "c", {{"dtype", "int32"}, {"value", "[1,2]"}}).status();
    }));
    VERIFY_OK(d.name("batch", "32"));
    VERIFY_OK(d.name("width", "64"));
    VERIFY_OK(d.follow("y.shape", "[?, 2*width]"));
    VERIFY_OK(d.follow("c.value", "[batch, width]"));
    QCOMPARE(q(d.shape("y")), QStringLiteral("[?,128]"));
    QCOMPARE(q(d.value("c.value")), QStringLiteral("[32,64]"));
    VERIFY_OK(d.follow("y.shape", "[batch, width]"));
    VERIFY_OK(d.name("batch", "8"));
    QCOMPARE(q(d.shape("y")), QStringLiteral("[8,64]"));
    QCOMPARE(q(d.value("c.value")), QStringLiteral("[8,64]"));
    FAILS("y.shape = [0-1] is [-1], expected a shape without negative sizes; ? is an unknown one", d.follow("y.shape", "[0-1]"));
  }

  void errorsNameFieldExpressionValueAndExpectation() {
    Document d = twoLayers();
    VERIFY_OK(d.name("width", "5"));
    VERIFY_OK(d.follow("dense_1.units", "width"));
    const auto before = serializeGraph(d.meta, GraphFormat::MetaBinary);
    FAILS("dense_2.units = width/2 is 2.5, expected a whole number", d.follow("dense_2.units", "width/2"));
    FAILS("dense_2.units = width - 9: units is -4, expected 1 to 2147483647", d.follow("dense_2.units", "width - 9"));
    FAILS("dense_2.units = 2*widht: there is no name widht; did you mean width?", d.follow("dense_2.units", "2*widht"));
    FAILS("dense_2.units = 2*: the expression ends after '2*', expected a number, a name or (", d.follow("dense_2.units", "2*"));
    FAILS("dense_2.units = true is true, expected a whole number", d.follow("dense_2.units", "true"));
    FAILS("dense_2.units = width/(width-5): 5 / 0 is a division by zero", d.follow("dense_2.units", "width/(width-5)"));
    FAILS("dense_2.use_bias = 1 is 1, expected true or false", d.follow("dense_2.use_bias", "1"));
    FAILS("dense_1.units = width: units is 0, expected 1 to 2147483647", d.name("width", "0"));
    FAILS("dense_1.units = width is 2.5, expected a whole number", d.name("width", "5/2"));
    FAILS("layers.dense has no parameter unit; it has units, activation, use_bias", d.follow("dense_1.unit", "3"));
    FAILS("There is no node, layer or group dense_3 here", d.follow("dense_3.units", "3"));
    FAILS("'2x' cannot be a name: expected a letter or _, then letters, digits and _", d.name("2x", "3"));
    FAILS("'max' cannot be a name: it is a word of expressions", d.name("max", "3"));
    QCOMPARE(*serializeGraph(d.meta, GraphFormat::MetaBinary), *before);
  }

  void circlesAreNamed() {
    Document d = twoLayers();
    VERIFY_OK(d.name("a", "1"));
    VERIFY_OK(d.name("b", "a + 1"));
    FAILS("b = a + 1: a circle: a → b → a", d.name("a", "b*2"));
    FAILS("a = a: a circle: a → a", d.name("a", "a"));
    VERIFY_OK(d.follow("dense_1.units", "dense_2.units"));
    FAILS("dense_2.units = dense_1.units + a: a circle: dense_1.units → dense_2.units → dense_1.units", d.follow("dense_2.units", "dense_1.units + a"));
    QCOMPARE(q(d.value("dense_2.units")), QStringLiteral("4"));
  }

  void aValueTypedOverAnExpressionStays() {
    Document d = twoLayers();
    VERIFY_OK(d.name("width", "64"));
    VERIFY_OK(d.follow("dense_1.units", "width"));
    VERIFY_OK(d.set("dense_1", "units", "7"));
    QCOMPARE(d.notes.size(), size_t(1));
    QCOMPARE(q(d.notes[0]), QStringLiteral("dense_1.units no longer follows width: it was set to 7."));
    VERIFY_OK(d.name("width", "32"));
    QCOMPARE(q(d.value("dense_1.units")), QStringLiteral("7"));
    QVERIFY(followedFieldsOf(d.meta).empty());
    QVERIFY(!releaseField(d.meta, "dense_1.units"));
  }

  void renamingFollowsIntoExpressions() {
    Document d = twoLayers();
    VERIFY_OK(d.name("width", "64"));
    VERIFY_OK(d.follow("dense_1.units", "width"));
    VERIFY_OK(d.follow("dense_2.units", "dense_1.units//2 + width"));
    VERIFY_OK(d.change([](LayerEditor& l) { return l.rename("dense_1", "block/first"); }));
    VERIFY_OK(d.change([&](LayerEditor&) { return renameNamedValue(d.meta, "width", "size"); }));
    const auto fields = followedFieldsOf(d.meta);
    QCOMPARE(q(fields[0].field), QStringLiteral("block/first.units"));
    QCOMPARE(q(fields[1].expression), QStringLiteral("{block/first.units}//2 + size"));
    VERIFY_OK(d.name("size", "8"));
    QCOMPARE(q(d.value("dense_2.units")), QStringLiteral("12"));
    FAILS("there is no name width", d.change([&](LayerEditor&) { return renameNamedValue(d.meta, "width", "w"); }));
    FAILS("size is used by block/first.units, dense_2.units: change those first", d.change([&](LayerEditor&) { return removeNamedValue(d.meta, "size"); }));
  }

  void whatIsDeletedLeavesItsValue() {
    Document d = twoLayers();
    VERIFY_OK(d.follow("dense_2.units", "dense_1.units//2"));
    VERIFY_OK(d.name("half", "dense_1.units/2"));
    VERIFY_OK(d.change([&](LayerEditor& l) -> Status {
      std::vector<int> ids;
      for (int id = 0; id < d.meta.graph.size(); ++id)
        if (const Node* n = d.meta.graph.node(id); n && n->name.starts_with("dense_1/")) ids.push_back(id);
      l.explode("dense_1");
      return l.editor().remove(ids);
    }));
    QCOMPARE(q(d.notes[0]), QStringLiteral("dense_2.units keeps its value 4: dense_1.units, which it followed, is gone."));
    QCOMPARE(q(d.notes[1]), QStringLiteral("half keeps its value 4: dense_1.units, which it followed, is gone."));
    QCOMPARE(q(namedValuesOf(d.meta)[0].expression), QStringLiteral("4"));
    QCOMPARE(q(d.value("dense_2.units")), QStringLiteral("4"));
  }

  void aCopiedPartOfALayerLeavesTheExpressionAlone() {
    Document d = twoLayers();
    VERIFY_OK(d.name("width", "3"));
    VERIFY_OK(d.follow("dense_1.units", "4*width"));
    const auto paste = [&](const std::vector<std::string>& below) {
      std::vector<int> ids;
      for (int id = 0; id < d.meta.graph.size(); ++id)
        if (const Node* n = d.meta.graph.node(id))
          for (const std::string& b : below)
            if (n->name == b || n->name.starts_with(b + "/")) ids.push_back(id);
      const auto text = copyNodes(d.meta, ids, "");
      if (!text.ok()) return text.status();
      return d.change([&](LayerEditor& l) -> Status {
        WEFT_TRY(l.editor().paste(*text, {}).status());
        l.refresh();
        return {};
      });
    };
    VERIFY_OK(paste({"dense_1/kernel"}));
    QCOMPARE(followedFieldsOf(d.meta).size(), size_t(1));
    VERIFY_OK(d.follow("dense_1.units", "5*width"));
    QCOMPARE(q(d.shape("dense_1/kernel")), QStringLiteral("[16,15]"));
    // The whole layer takes it along.
    VERIFY_OK(paste({"dense_1"}));
    QCOMPARE(followedFieldsOf(d.meta).size(), size_t(2));
    VERIFY_OK(d.name("width", "2"));
    for (const FollowedField& f : followedFieldsOf(d.meta)) QCOMPARE(q(d.shape(f.field.substr(0, f.field.find('.')) + "/kernel")), QStringLiteral("[16,10]"));
  }

  void instancesOfGroupsFollow() {
    Document d = twoLayers();
    VERIFY_OK(d.change([&](LayerEditor& l) -> Status {
      std::vector<int> ids;
      for (int id = 0; id < d.meta.graph.size(); ++id)
        if (const Node* n = d.meta.graph.node(id); n && n->name.starts_with("dense_2/")) ids.push_back(id);
      GroupEditor groups(l);
      WEFT_TRY(groups.make(ids, "block").status());
      return groups.addParameter("block", "width", groups.instances()[0].scope + "/dense_2.units");
    }));
    const std::string scope = groupInstancesOf(d.meta)[0].scope;
    VERIFY_OK(d.name("size", "6"));
    VERIFY_OK(d.follow(scope + ".width", "size*2"));
    QCOMPARE(q(groupInstancesOf(d.meta)[0].overrides.at("width")), QStringLiteral("12"));
    QCOMPARE(q(d.value(scope + ".width")), QStringLiteral("12"));
    VERIFY_OK(d.name("size", "5"));
    QCOMPARE(q(groupInstancesOf(d.meta)[0].overrides.at("width")), QStringLiteral("10"));
  }

  void namesAreStoredInTheFile() {
    Document d = twoLayers();
    VERIFY_OK(d.name("width", "64"));
    VERIFY_OK(d.follow("dense_1.units", "2*width"));
    VERIFY_OK(d.change([&](LayerEditor&) { return setNamedValueDoc(d.meta, "width", "of all layers"); }));
    const QTemporaryDir folder;
    const std::string path = folder.filePath(QStringLiteral("a.weft")).toStdString();
    VERIFY_OK(saveGraphFile(d.meta, GraphFormat::MetaBinary, path));
    const auto read = loadGraphFile(path);
    QVERIFY(read.ok());
    const auto names = namedValuesOf(read->meta);
    QCOMPARE(names.size(), size_t(1));
    QCOMPARE(names[0].doc, std::string("of all layers"));
    QCOMPARE(followedFieldsOf(read->meta)[0].expression, std::string("2*width"));
  }

  void sweepsVaryNames() {
    Document d = twoLayers();
    VERIFY_OK(d.name("width", "64"));
    VERIFY_OK(d.name("half", "width//2"));
    VERIFY_OK(d.follow("dense_1.units", "2*width"));
    std::vector<std::string> listed;
    for (const DocumentParameter& p : documentParameters(d.meta)) listed.push_back(p.name);
    QVERIFY(std::count(listed.begin(), listed.end(), "width"));
    QVERIFY(!std::count(listed.begin(), listed.end(), "half"));           // follows another
    QVERIFY(!std::count(listed.begin(), listed.end(), "dense_1.units"));  // as well
    VERIFY_OK(setDocumentParameters(d.meta, d.problems, {{"width", "16"}}));
    QCOMPARE(q(d.shape("dense_1/kernel")), QStringLiteral("[16,32]"));
    QCOMPARE(q(errorOf(setDocumentParameters(d.meta, d.problems, {{"width", "wide"}}))),
             QStringLiteral("half = width//2: wide // 2: wide is a word, expected a number"));
  }

  void whatAFieldWouldBeIsToldWithoutAnEdit() {
    Document d = twoLayers();
    VERIFY_OK(d.name("width", "64"));
    const ExpressionScope scope(d.meta);
    QCOMPARE(q(scope.valueFor("dense_1.units", "2*width").value()), QStringLiteral("128"));
    QCOMPARE(q(scope.valueFor("dense_1.units", "width/3").error().message),
             QStringLiteral("dense_1.units = width/3 is 21.333333333333332, expected a whole number"));
    QCOMPARE(q(scope.valueOf("width", "width + 1").error().message), QStringLiteral("width = width + 1: a circle: width → width"));
    const auto words = scope.words();
    for (const char* word : {"width", "dense_1.units", "round("}) QVERIFY2(std::count(words.begin(), words.end(), word), word);
  }

  void settingsAreNoNames() {
    Document d = twoLayers();
    for (const char* name : {"batch_size", "lr", "steps", "learning_rate", "seed"})
      QVERIFY2(errorOf(d.name(name, "3")).find("is a training setting") != std::string::npos, name);
    VERIFY_OK(d.name("width", "3"));
    QVERIFY(errorOf(d.change([&](LayerEditor&) { return renameNamedValue(d.meta, "width", "epochs"); })).find("is a training setting") != std::string::npos);
    // A file may have one all the same: the setting wins.
    d.meta.collections["weft/training"];
    setTrainingSettings(d.meta, TrainingSettings());
    setNamedValues(d.meta, {{"steps", "7", {}, {}}});
    VERIFY_OK(d.follow("steps", "steps*2"));
    QCOMPARE(q(d.value("steps")), QStringLiteral("14"));
    VERIFY_OK(setDocumentParameters(d.meta, d.problems, {{"max_to_keep", "3"}}));
    QCOMPARE(q(namedValuesOf(d.meta)[0].expression), QStringLiteral("7"));
    QCOMPARE(q(ExpressionScope(d.meta).valueFor("steps", "steps + 1").value()), QStringLiteral("8"));
    // One that is neither a field nor has a result is an error.
    setFollowedFields(d.meta, {{"width", "1", {}}});
    setNamedValues(d.meta, {{"width", "7", {}, {}}});
    QVERIFY(errorOf(d.change([](LayerEditor&) { return Status(); })).starts_with("there is no field width"));
  }

  void anyWordIsStored() {
    Document d = twoLayers();
    const std::string odd = "'{\x01 {\x01z}' if dense_1.units > 1 else dense_2.units";
    setNamedValues(d.meta, {{"odd", odd, {}, {}}});
    QCOMPARE(namedValuesOf(d.meta)[0].expression, odd);
  }

  void fieldsOfRebuiltNodesFollowInTheSameEdit() {
    Document d = twoLayers();
    VERIFY_OK(d.change([](LayerEditor& l) { return l.editor().add("Const", "c", {{"dtype", "int32"}, {"value", "1"}}).status(); }));
    VERIFY_OK(d.name("width", "24"));
    VERIFY_OK(d.follow("dense_1.units", "2*width"));
    VERIFY_OK(d.follow("c.value", "{dense_1/kernel.shape}[1]"));
    QCOMPARE(q(d.value("c.value")), QStringLiteral("48"));
    VERIFY_OK(d.name("width", "10"));
    QCOMPARE(q(d.value("c.value")), QStringLiteral("20"));
  }

  void namesWaitWithTheTraining() {
    Document d = twoLayers();
    VERIFY_OK(d.name("width", "8"));
    setNamedValues(d.meta, {{"width", "8", {}, "8"}, {"rate", "batch_size/32", {}, "2"}});
    d.meta.collections["weft/training_before"].kind = Collection::Kind::Anys;
    VERIFY_OK(d.name("width", "16"));
    QCOMPARE(q(namedValuesOf(d.meta)[1].expression), QStringLiteral("batch_size/32"));
    QCOMPARE(namedValuesOf(d.meta)[1].result.value_or(""), std::string("2"));
    d.meta.collections.erase("weft/training_before");
    VERIFY_OK(d.name("width", "8"));
    QCOMPARE(q(namedValuesOf(d.meta)[1].expression), QStringLiteral("2"));
  }

  void valuesThatDoNotFitAreRefused() {
    Document d = twoLayers();
    VERIFY_OK(d.change([](LayerEditor& l) -> Status {
      for (const char* type : {"uint8", "int64", "float32"}) WEFT_TRY(l.editor().add("Const", type, {{"dtype", type}, {"value", "1"}}).status());
      return {};
    }));
    for (const auto& [field, expression] : std::map<std::string, std::string>{{"uint8.value", "300"}, {"int64.value", "2.5"}, {"float32.value", "1e300"}}) {
      const std::string error = errorOf(d.follow(field, expression));
      QVERIFY2(error != "no error" && error.find(field + " = " + expression) != error.npos, error.c_str());
      QCOMPARE(q(d.value(field)), QStringLiteral("1"));
    }
    VERIFY_OK(d.follow("float32.value", "1/3"));
    VERIFY_OK(d.follow("uint8.value", "255"));
    VERIFY_OK(d.follow("int64.value", "5.0"));
  }

  void whatCannotBeComputedStaysAsItWasStored() {
    Document d = twoLayers();
    setNamedValues(d.meta, {{"a", "b", {}, "1"}, {"b", "a", {}, "2"}, {"f", "later(3)", {}, "9"}, {"g", "later(4)", {}, {}}, {"width", "8", {}, "8"}});
    VERIFY_OK(d.follow("dense_1.units", "width + f"));
    QCOMPARE(q(d.value("dense_1.units")), QStringLiteral("17"));
    QCOMPARE(d.notes.size(), size_t(4));
    QVERIFY2(d.notes[3].starts_with("g = later(4) has no value: there is no function later"), d.notes[3].c_str());
    QVERIFY2(d.notes[2].starts_with("f = later(3) keeps its value 9: there is no function later"), d.notes[2].c_str());
    const auto names = namedValuesOf(d.meta);
    QCOMPARE(q(names[0].expression + *names[0].result + names[1].expression + *names[1].result), QStringLiteral("b1a2"));
    FAILS("b = a: a circle: a → b → a", d.name("a", "b + 1"));
  }

  void aStoredCircleIsAProblemAndRefusesNoEdit() {
    Document d = twoLayers();
    // As a file written by hand: nothing has a result.
    setNamedValues(d.meta, {{"a", "b + 1", {}, {}}, {"b", "c", {}, {}}, {"c", "a", {}, {}}, {"reader", "2*a", {}, {}}, {"width", "8", {}, {}}});
    LoadedGraph loaded;
    loaded.meta = d.meta;
    findExpressionProblems(loaded);
    QCOMPARE(loaded.problems.size(), size_t(2));
    QCOMPARE(q(loaded.problems[0].message),
             QStringLiteral("Expressions form a circle: a → b → c → a; they keep their last values until one of them is changed"));
    QCOMPARE(q(loaded.problems[1].message), QStringLiteral("reader = 2*a cannot be computed: a = b + 1: a circle: a → b → c → a"));
    // Any other edit goes on.
    VERIFY_OK(d.follow("dense_1.units", "width"));
    VERIFY_OK(d.set("dense_2", "units", "6"));
    QCOMPARE(d.problems.size(), size_t(2));
    QCOMPARE(q(d.shape("dense_2/kernel")), QStringLiteral("[8,6]"));
    // What would follow the circle is refused, and says why.
    FAILS("dense_2.units = a: a = b + 1: a circle: a → b → c → a", [&] {
      Status s = d.follow("dense_2.units", "a");
      if (s.ok()) return s;
      Error e = s.error();
      if (!e.message.starts_with("dense_2.units = a: ")) e.message = "dense_2.units = a: " + e.message;
      return Status(e);
    }());
    // Breaking it heals all.
    VERIFY_OK(d.name("b", "4"));
    QVERIFY(d.problems.empty());
    QCOMPARE(namedValuesOf(d.meta)[0].result.value_or(""), std::string("5"));
    QCOMPARE(namedValuesOf(d.meta)[3].result.value_or(""), std::string("10"));
    // An edit does not make another one.
    FAILS("a = b + 1: a circle: b → a → b", [&] {
      Status s = d.name("b", "a");
      if (s.ok() || s.error().message.find("circle") == std::string::npos) return s;
      return Status(invalidArgument("a = b + 1: a circle: b → a → b"));
    }());
  }

  void aStoredCircleOfFieldsIsAProblemAtItsLayer() {
    Document d = twoLayers();
    setFollowedFields(d.meta, {{"dense_1.units", "dense_2.units", {}}, {"dense_2.units", "dense_1.units", {}}});
    VERIFY_OK(d.name("width", "3"));
    QCOMPARE(d.problems.size(), size_t(1));
    QCOMPARE(q(d.problems[0].node), QStringLiteral("dense_1"));
    QCOMPARE(q(d.value("dense_1.units")), QStringLiteral("8"));
    VERIFY_OK(d.follow("dense_2.units", "width"));
    QVERIFY(d.problems.empty());
    QCOMPARE(q(d.value("dense_1.units")), QStringLiteral("3"));
  }
};

QTEST_GUILESS_MAIN(TestExpressions)
#include "tst_expressions.moc"
