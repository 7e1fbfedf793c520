// Every editing action in the studio: its effect on the document, its error message, and that it is one undo step.
#include "studio_script.h"

namespace {

// 64 pixels, one convolution, a classifier: small, and every kind of layer that the actions below need.
const char* kSmall = R"(file.new empty
graph.add data builtin=digits
graph.add reshape --name pictures --from images target_shape=[-1,8,8,1]
graph.add layers.conv2d --name conv --from pictures filters=4 kernel_size=[3,3] padding=same activation=relu
graph.add layers.flatten --name flat --from conv
graph.add layers.dense --name logits --from flat units=10
graph.add losses.sparse_softmax_cross_entropy --name loss --from labels --from logits
)";

QStringList names(const QJsonArray& list) {
  QStringList out;
  for (const QJsonValue& v : list) out << v.toString();
  return out;
}

}  // namespace

class ComposeScriptsTest : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() { QVERIFY(studio_.isValid()); }

  // A graph of TensorFlow's that trains without an error and yet not as it was meant: each mistake is listed at its node, with a fix where a wire mends it.
  void mistakesOfTrainingsAreListed() {
    const char* graph = R"(graph_def {
  node { name: "w" op: "VariableV2" attr { key: "dtype" value { type: DT_FLOAT } } attr { key: "shape" value { shape { dim { size: 2 } dim { size: 3 } } } } }
  node { name: "mean" op: "VariableV2" attr { key: "dtype" value { type: DT_FLOAT } } attr { key: "shape" value { shape { } } } }
  node { name: "global_step" op: "VariableV2" attr { key: "dtype" value { type: DT_INT64 } } attr { key: "shape" value { shape { } } } }
  node { name: "rate" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } } attr { key: "shape" value { shape { } } } }
  node { name: "update" op: "AssignSub" input: "mean" input: "rate" attr { key: "T" value { type: DT_FLOAT } } }
  node { name: "p" op: "Softmax" input: "w" attr { key: "T" value { type: DT_FLOAT } } }
  node { name: "labels" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } } attr { key: "shape" value { shape { dim { size: 2 } dim { size: 3 } } } } }
  node { name: "loss" op: "SoftmaxCrossEntropyWithLogits" input: "p" input: "labels" attr { key: "T" value { type: DT_FLOAT } } }
  node { name: "train" op: "ApplyGradientDescent" input: "w" input: "rate" input: "loss:1" attr { key: "T" value { type: DT_FLOAT } } }
}
collection_def { key: "update_ops" value { node_list { value: "update" } } }
collection_def { key: "train_op" value { node_list { value: "train" } } }
)";
    studio_.write("mistakes.meta", graph);
    const auto left = [](const QJsonArray& problems) {
      QStringList out;
      for (const QJsonValue& p : problems)
        if (const QString code = p.toObject()["code"].toString(); code == "updates-not-run" || code == "softmax-twice" || code == "global-step")
          out << p.toObject()["node"].toString() + ' ' + code;
      out.sort();
      return out;
    };
    const Outcome o =
        studio_.run("file.open " + studio_.file("mistakes.meta") +
                    "\nwait idle\nprint problems\nproblems.fix loss softmax-twice\nwait idle\nprint problems\nproblems.fix update updates-not-run\n"
                    "wait idle\nprint problems\nedit.undo\nwait idle\nprint problems\n");
    QVERIFY2(o.status == 0, qPrintable(o.errors));
    QCOMPARE(left(o.array(0)), QStringList({"global_step global-step", "loss softmax-twice", "update updates-not-run"}));
    QCOMPARE(left(o.array(1)), QStringList({"global_step global-step", "update updates-not-run"}));
    QCOMPARE(left(o.array(2)), QStringList({"global_step global-step"}));
    QCOMPARE(left(o.array(3)), QStringList({"global_step global-step", "update updates-not-run"}));
  }

  // Dropout and batch normalisation without a training input have no effect in a training: this is reported, and one fix makes the training switch them.
  void trainingSwitchesItsLayers() {
    const Outcome o = run(
        "graph.insert logits:0 layers.dropout --name drop rate=0.3\ngraph.insert conv:0 layers.batch_normalization --name norm\nprint problems\ngraph.add-training loss --epochs 2\nprint problems\n"
        "graph.switch-training drop norm\nprint problems\nprint document\nrun.train --steps 20\nwait idle\nprint run\ngraph.set conv filters=6\nprint problems\nrun.train --steps 5\nwait idle\nprint run\nfile.save " +
        studio_.file("switched.weft") + "\nwait idle\ngraph.disconnect drop:1\ngraph.set drop training=true\nprint problems\n");
    QVERIFY2(o.status == 0, qPrintable(o.errors));
    QVERIFY(o.array(0).isEmpty());  // no training yet
    QCOMPARE(o.array(1).size(), 2);
    for (const QJsonValue& problem : o.array(1)) {
      QCOMPARE(problem.toObject()["code"].toString(), QString("training-switch"));
      QVERIFY2(problem.toObject()["fixes"].toArray().contains("Link to training mode"), o.lines.value(1).toJson().constData());
    }
    QVERIFY2(o.array(2).isEmpty(), o.lines.value(2).toJson().constData());
    QCOMPARE(o.object(4)["state"].toString(), QString("finished"));
    QVERIFY2(o.array(5).isEmpty(), o.lines.value(5).toJson().constData());  // the switch outlives an edit
    QCOMPARE(o.object(6)["state"].toString(), QString("finished"));
    QVERIFY(studio_.read("switched.weft").contains("is_training:0"));
    QCOMPARE(o.array(7).size(), 1);
    QVERIFY2(o.array(7).at(0).toObject()["message"].toString().contains("testing, too"), o.lines.value(7).toJson().constData());
  }

  // A template's settings for tests and live values survive changes of its network, even through a broken state.
  void settingsOutliveAnEdit() {
    const Outcome o = studio_.run(
        "file.new lenet\nfile.save " + studio_.file("plain.weft") + "\nwait idle\ngraph.set conv1 filters=8\nfile.save " + studio_.file("set.weft") +
        "\nwait idle\ngraph.delete flatten\ngraph.add layers.flatten --name flat --from pool2\ngraph.connect flat:0 fc1:0\nfile.save " +
        studio_.file("back.weft") + "\nwait idle\n");
    QVERIFY2(o.status == 0, qPrintable(o.errors));
    const auto said = studio_.read("plain.weft").count("dropout_rate:0");  // the wire, the live value, the value in tests
    QVERIFY(said > 0);
    for (const char* name : {"set.weft", "back.weft"}) QCOMPARE(studio_.read(name).count("dropout_rate:0"), said);
  }

  void insertReplaceMute() {
    const Outcome o = run(
        "graph.insert flat:0 Abs --name positive\nprint selection\ngraph.replace positive Neg\nprint selection\nprint problems\n"
        "graph.insert logits:0 layers.dropout --name drop rate=0.3\nprint problems\ngraph.mute positive\nprint document\ngraph.mute positive\nprint document\n"
        "graph.mute conv\nprint problems\ngraph.mute conv\nprint document\n");
    QVERIFY2(o.status == 0, qPrintable(o.errors));
    QCOMPARE(names(o.array(0)), QStringList{"positive"});
    QCOMPARE(names(o.array(1)), QStringList{"positive"});
    QVERIFY2(o.array(2).isEmpty() && o.array(3).isEmpty(), o.lines.value(3).toJson().constData());
    QCOMPARE(o.object(4)["undo"].toInt() + 1, o.object(5)["undo"].toInt());
    QCOMPARE(o.object(7)["undo"].toInt(), 6 + 7);
    QVERIFY(run("graph.insert flat:0 Placeholder\n").errors.contains("cannot stand on a wire"));
    QVERIFY(run("graph.insert nobody:0 Abs\n").errors.contains("nobody"));
    QVERIFY(run("graph.replace conv/Conv2D NoSuchOp\n").errors.contains("NoSuchOp"));
    QVERIFY(run("graph.mute labels\n").errors.contains("labels"));
  }

  void whatIsAlikeIsSelectedTogether() {
    const Outcome o = run(
        "graph.insert logits:0 layers.dense --name hidden units=5\ngraph.select hidden\ngraph.select-alike\nprint selection\ngraph.select conv/Conv2D\ngraph.select-alike logits/MatMul\nprint selection\n"
        "print cost conv\ngraph.assume-batch 100\nprint cost conv\ngraph.assume-batch\nprint cost conv\n");
    QVERIFY2(o.status == 0, qPrintable(o.errors));
    QStringList layers = names(o.array(0)), products = names(o.array(1));
    layers.sort();
    products.sort();
    QCOMPARE(layers, (QStringList{"hidden", "logits"}));
    QCOMPARE(products, (QStringList{"hidden/MatMul", "logits/MatMul"}));
    const double sample = 2.0 * 8 * 8 * 4 * 9;
    QCOMPARE(o.object(3)["flops"].toDouble(), 100 * sample);
    QCOMPARE(o.object(2)["flops"].toDouble(), o.object(2)["batch"].toInt() * sample);
    QCOMPARE(o.object(4)["batch"].toInt(), o.object(2)["batch"].toInt());
    QVERIFY(run("graph.select-alike conv\n").errors.contains("conv"));
    QVERIFY(run("graph.assume-batch many\n").errors.contains("many"));
    QVERIFY(run("print cost nobody\n").errors.contains("nobody"));
  }

  void aNameThatCannotBeIsRefusedAsItWasTyped() {
    for (const char* name : {"", "a b", "/x", "x/", "a//b", "_x", "-"}) {
      const QString errors = run(QString("graph.rename conv \"%1\"\n").arg(name)).errors;
      QVERIFY2(errors.contains(QString("conv: '%1' is not a valid node name").arg(name)), qPrintable(errors));
    }
    QCOMPARE(run("graph.rename conv outer/conv.1-x\nprint problems\n").status, 0);
  }

  void aTextIsReplacedInAllNames() {
    const Outcome o = run(
        "graph.group conv flat --name conv_part\ngraph.rename-all conv front\nprint selection\nprint problems\nprint document\ngraph.set front_part/front filters=2\nprint document\nedit.undo\nedit.undo\n"
        "graph.select conv_part/conv\nprint selection\n");
    QVERIFY2(o.status == 0, qPrintable(o.errors));
    QCOMPARE(names(o.array(0)), QStringList{"front_part"});
    QVERIFY2(o.array(1).isEmpty(), o.lines.value(1).toJson().constData());
    QCOMPARE(o.object(2)["undo"].toInt() + 1, o.object(3)["undo"].toInt());
    QCOMPARE(names(o.array(4)), QStringList{"conv_part/conv"});
    QVERIFY(run("graph.rename-all nobody x\n").errors.contains("nobody"));
    QVERIFY(run("graph.rename-all conv logits\n").errors.contains("already"));
    QVERIFY(run("graph.rename-all conv \"a b\"\n").errors.contains("not a valid node name"));
    QVERIFY(run("graph.rename-all conv \"\"\n").errors.contains("not a valid node name"));
  }

  void aSnippetIsKeptForOtherDocuments() {
    const Outcome kept = run("graph.select conv flat\ngraph.keep-snippet front\ngraph.select conv\ngraph.keep-snippet\nprint messages\n");
    QVERIFY2(kept.status == 0, qPrintable(kept.errors));
    QVERIFY2(kept.array(0)[0].toString().contains("conv"), kept.lines.value(0).toJson().constData());
    const Outcome used = run(
        "file.new empty\ngraph.add snippet:front\nprint selection\ngraph.set conv filters=3\nprint document\ngraph.add-here snippet:conv\nwait idle\nprint document\nedit.undo\nedit.undo\nedit.undo\nprint document\n"
        "graph.forget-snippet conv\n");
    QVERIFY2(used.status == 0, qPrintable(used.errors));
    QStringList added = names(used.array(0));
    added.sort();
    QCOMPARE(added, (QStringList{"conv", "flat"}));
    QCOMPARE(used.object(1)["undo"].toInt(), 2);
    QVERIFY(used.object(2)["nodes"].toInt() > used.object(1)["nodes"].toInt());
    QCOMPARE(used.object(3)["nodes"].toInt(), 0);
    QVERIFY(run("graph.add snippet:conv\n").errors.contains("There is no snippet conv"));
    QVERIFY(run("graph.add snippet:../x\n").errors.contains("There is no snippet"));
    QVERIFY(run("graph.select conv\ngraph.keep-snippet a/b\n").errors.contains("a/b"));
  }

  void theGraphIsComparedWithThatOfARun() {
    const Outcome o = studio_.run(
        "file.new mlp\nrun.train --steps 5\nwait idle\nfile.compare-run\nprint messages\ngraph.set hidden1 units=20\nfile.compare-run 1\nprint messages\n");
    QVERIFY2(o.status == 0, qPrintable(o.errors));
    const QString same = o.array(0)[0].toString(), differs = o.array(1)[0].toString();
    QVERIFY2(same != differs && differs.contains("differ"), qPrintable(same + " / " + differs));
    QVERIFY(run("file.compare-run\n").errors.contains("trained"));
    QVERIFY(studio_.run("file.new mlp\nrun.train --steps 2\nwait idle\nfile.compare-run nobody\n").errors.contains("nobody"));
  }

  void aSizeBelowOneIsRefused() {
    for (const char* words : {"filters=-3", "filters=0", "kernel_size=[3,0]", "strides=[-1,1]"}) {
      const QString errors = run(QString("graph.set conv %1\n").arg(words)).errors;
      QVERIFY2(errors.contains("expected 1 to 2147483647"), qPrintable(errors));
    }
    QCOMPARE(run("graph.set conv filters=10 strides=[1,1]\nprint problems\n").status, 0);
  }
  void whereNothingCanBeWrittenIsSaid() {
    const QString errors = run(QString("file.save \"%1/nobody/x.weft\"\n").arg(studio_.file("."))).errors;
    QVERIFY2(errors.contains("does not exist") && errors.contains("nobody") && !errors.contains("tmp9"), qPrintable(errors));
  }
  void aWireBackIsRefused() {
    const QString errors = run("graph.connect logits:0 conv:0\n").errors;
    QVERIFY2(errors.contains("would close a cycle"), qPrintable(errors));
    QVERIFY(run("graph.connect conv:0 conv:0\n").errors.contains("would close a cycle"));
    QCOMPARE(run("graph.connect pictures:0 flat:0\nprint problems\n").status, 0);
  }

  void groupsKeepTheirLayers() {
    const Outcome o = run(
        "graph.group conv flat --name features\nprint selection\nprint problems\ngraph.set features/conv filters=6\nprint document\ngraph.rename features stage/one\n"
        "graph.set stage/one/conv filters=3\nprint document\nprint problems\ngraph.ungroup stage/one\ngraph.ungroup stage\nprint problems\ngraph.set conv filters=4\nprint document\n"
        "graph.select conv/Conv2D flat\ngraph.group --name parts\nprint problems\ngraph.set parts/conv/Conv2D padding=VALID\n");
    QVERIFY2(o.status == 0, qPrintable(o.errors));
    QCOMPARE(names(o.array(0)), QStringList{"features"});
    QVERIFY2(o.array(1).isEmpty(), o.lines.value(1).toJson().constData());
    QCOMPARE(o.object(2)["parameters"].toInt(), 9 * 6 + 6 + 64 * 6 * 10 + 10);
    QCOMPARE(o.object(3)["parameters"].toInt(), 9 * 3 + 3 + 64 * 3 * 10 + 10);
    QVERIFY2(o.array(4).isEmpty() && o.array(5).isEmpty(), o.lines.value(5).toJson().constData());
    QCOMPARE(o.object(6)["parameters"].toInt(), 9 * 4 + 4 + 64 * 4 * 10 + 10);
    QVERIFY2(o.array(7).isEmpty(), o.lines.value(7).toJson().constData());
    QVERIFY(run("graph.ungroup nobody\n").errors.contains("nobody"));
    QVERIFY(run("graph.group nobody\n").errors.contains("nobody"));
    QVERIFY(run("graph.rename conv flat\n").errors.contains("flat"));
  }

  void explodeExtractStrip() {
    const Outcome o = run(
        "graph.explode conv\ngraph.add-training loss --epochs 1\nprint document\ngraph.strip-training\nprint document\nprint problems\nedit.undo\nprint document\n"
        "graph.extract logits\nprint document\nprint problems\nedit.undo all\nprint document\n");
    QVERIFY2(o.status == 0, qPrintable(o.errors));
    const int trained = o.object(0)["nodes"].toInt(), bare = o.object(1)["nodes"].toInt();
    QVERIFY(trained > bare + 80);
    QCOMPARE(o.object(1)["variables"].toInt(), 4);
    QVERIFY2(o.array(2).isEmpty(), o.lines.value(2).toJson().constData());
    QCOMPARE(o.object(3)["nodes"].toInt(), trained);
    QVERIFY(o.object(4)["nodes"].toInt() < bare && o.object(4)["nodes"].toInt() > 15);
    QVERIFY2(o.array(5).isEmpty(), o.lines.value(5).toJson().constData());
    QCOMPARE(o.object(6)["nodes"].toInt(), 0);
    QVERIFY(run("graph.explode pictures/Reshape\n").errors.contains("is no layer"));
    QVERIFY(run("graph.strip-training\n").errors.contains("no training"));
    // A layer that was opened to its ops is no longer changed as one.
    QVERIFY(run("graph.explode conv\ngraph.set conv filters=9\n").status == 1);
  }

  void dataAreBound() {
    studio_.write("rows.csv", "a,b,label\n1,2,0\n3,4,1\n5,6,1\n7,8,0\n");
    const QString head = "file.new empty\ngraph.add Placeholder --name x shape=[?,2]\ngraph.add Placeholder --name y dtype=int64 shape=[?]\n";
    const Outcome columns = studio_.run(head + "graph.bind-data " + studio_.file("rows.csv") + " x=nothing\n");
    QVERIFY2(columns.status == 1 && columns.errors.contains("nothing"), qPrintable(columns.errors));
    const Outcome missing = studio_.run(head + "graph.bind-data " + studio_.file("none.csv") + "\n");
    QVERIFY2(missing.errors.contains("none.csv"), qPrintable(missing.errors));
    const Outcome digits = studio_.run(
        "file.new empty\ngraph.add Placeholder --name images shape=[?,64]\ngraph.add Placeholder --name labels dtype=int64 shape=[?]\ngraph.bind-data digits --batch 32 --validation 0.1\n"
        "graph.add layers.dense --name logits --from images units=10\ngraph.add losses.sparse_softmax_cross_entropy --name loss --from labels --from logits\n"
        "graph.add-training --optimizer sgd --lr 0.1\nrun.train --steps 40\nwait idle\nprint run\nprint problems\n");
    QVERIFY2(digits.status == 0, qPrintable(digits.errors));
    QCOMPARE(digits.object(0)["step"].toInt(), 40);
    QVERIFY2(digits.array(1).isEmpty(), digits.lines.value(1).toJson().constData());
  }

  void fromAnOpToItsGradientAndBack() {
    const Outcome o =
        run("graph.add-training loss --optimizer sgd --lr 0.1\ngraph.go-gradient logits/MatMul\nprint selection\ngraph.go-gradient\nprint selection\n"
            "graph.go-gradient conv\nprint selection\ngraph.go-gradient\nprint selection\n");
    QVERIFY2(o.status == 0, qPrintable(o.errors));
    QVERIFY2(names(o.array(0)).value(0).endsWith("gradients/logits/MatMul_grad"), o.lines.value(0).toJson().constData());
    QCOMPARE(names(o.array(1)), QStringList{"logits/MatMul"});
    QVERIFY2(names(o.array(2)).value(0).endsWith("gradients/conv"), o.lines.value(2).toJson().constData());
    QCOMPARE(names(o.array(3)), QStringList{"conv"});
    QVERIFY(run("graph.go-gradient logits\n").errors.contains("no gradient of logits"));
    QVERIFY(run("graph.go-gradient nobody\n").errors.contains("nobody"));
  }

  void whatWasDoneIsCopiedAsAScript() {
    const Outcome o = run("graph.select flat\nedit.copy-commands 2\nedit.copy-commands\n");
    QVERIFY2(o.status == 0, qPrintable(o.errors));
    QVERIFY(run("edit.copy-commands none\n").errors.contains("not a number"));
  }

  void aRunningTrainingTakesTheGraphAsItIs() {
    const Outcome o = run(
        "graph.add-training loss --epochs 200\nrun.train\nwait 0.5\nrun.pause\nwait idle\nprint run\ngraph.insert logits:0 layers.dropout --name drop rate=0.2\nrun.apply\nwait 1\nwait idle\n"
        "print run\nrun.stop\nwait idle\nprint run\nprint problems\n");
    QVERIFY2(o.status == 0, qPrintable(o.errors));
    QVERIFY(o.object(0)["step"].toInt() > 0);
    QVERIFY2(o.object(1)["step"].toInt() >= o.object(0)["step"].toInt(), "it goes on at its step");
    QVERIFY(o.object(1)["name"].toString() != o.object(0)["name"].toString());
    QCOMPARE(o.object(2)["state"].toString(), QString("stopped"));
    QVERIFY(run("run.apply\n").status == 1);
  }

  void problemsAreVisitedAndMended() {
    const Outcome o = studio_.run(
        "file.new empty\ngraph.add Placeholder --name x shape=[5,64]\ngraph.add layers.conv2d --name c filters=4 kernel_size=[3,3] --from x\ngraph.add MatMul --name m --from x --from x\n"
        "print problems\nproblems.next\nprint selection\nproblems.next\nprint selection\nproblems.next\nprint selection\nproblems.previous\nprint selection\n"
        "graph.select c\nproblems.fix\ngraph.select m\nproblems.fix\nprint problems\nprint document\n");
    QVERIFY2(o.status == 0, qPrintable(o.errors));
    QCOMPARE(o.array(0).size(), 2);
    const QString first = names(o.array(1)).value(0), second = names(o.array(2)).value(0);
    QVERIFY((first == "c" && second == "m") || (first == "m" && second == "c"));
    QCOMPARE(names(o.array(3)).value(0), first);
    QCOMPARE(names(o.array(4)).value(0), second);
    QVERIFY2(o.array(5).isEmpty(), o.lines.value(5).toJson().constData());
    QVERIFY(studio_.run("file.new empty\nproblems.next\n").errors.contains("no problems"));
    QVERIFY(studio_.run("file.new empty\nproblems.fix\n").status == 1);
  }

  void notesAndBookmarksAreOfTheDocument() {
    const QString path = studio_.file("noted.weft");
    const Outcome o = run(
        "graph.select conv flat\ngraph.frame Features\nwait idle\ngraph.comment 'why these' 20,300\nwait idle\ngraph.fit\ngraph.bookmark 2\nwait idle\nprint document\nfile.save " +
        path + "\nprint document\nfile.close\nfile.open " + path + "\nwait idle\nprint document\ngraph.go-to-bookmark 2\nscreenshot " +
        studio_.file("back.png") + " canvas\n");
    QVERIFY2(o.status == 0, qPrintable(o.errors));
    QCOMPARE(o.object(0)["undo"].toInt(), 6 + 3);
    QVERIFY(!o.object(1)["modified"].toBool() && !o.object(2)["modified"].toBool());
    QVERIFY(studio_.run("file.open " + path + "\nwait idle\ngraph.go-to-bookmark 3\n").errors.contains("no bookmark 3"));
    QVERIFY(run("graph.bookmark 12\n").errors.contains("1 to 9"));
    // Undo takes a bookmark back, too.
    QVERIFY(run("graph.bookmark 2\nwait idle\nedit.undo\ngraph.go-to-bookmark 2\n").errors.contains("no bookmark 2"));
  }

  void alignedAndSpread() {
    const Outcome o = run(
        "graph.select conv flat logits\ngraph.align-top\nwait idle\nprint document\ngraph.spread-across\nwait idle\nprint document\ngraph.tidy\nwait idle\nprint document\n");
    QVERIFY2(o.status == 0, qPrintable(o.errors));
    QCOMPARE(o.object(0)["undo"].toInt(), 7);
    QCOMPARE(o.object(2)["undo"].toInt(), 9);
    QVERIFY(run("graph.select conv\ngraph.align-left\n").errors.contains("two or more"));
  }

  void wiresAreCut() {
    const Outcome o = run(
        "graph.disconnect conv:0 flat:0\nprint problems\nedit.undo\nprint problems\ngraph.connect ^labels logits/MatMul\nprint document\ngraph.disconnect ^labels logits/MatMul\nprint document\n");
    QVERIFY2(o.status == 0, qPrintable(o.errors));
    QVERIFY(!o.array(0).isEmpty());
    QVERIFY2(o.array(1).isEmpty(), o.lines.value(1).toJson().constData());
    QCOMPARE(o.object(3)["undo"].toInt(), o.object(2)["undo"].toInt() + 1);
    QVERIFY(run("graph.disconnect images:0 logits:0\n").status == 1);
  }

  void aLayerWithAdamSlotsIsCopied() {
    // Slots, gradients and updates are not copied; only the layer is, and it can be trained at its new place.
    const Outcome o = run(
        "graph.add-training loss --optimizer adam\nprint document\ngraph.select conv\nedit.copy\nedit.paste\nprint selection\nprint problems\nprint document\nedit.undo\nprint document\n"
        "graph.select conv flat logits\nedit.duplicate\nprint selection\nprint document\nfile.new empty\nedit.paste\nprint document\n"
        "graph.set conv filters=2\nprint document\n");
    QVERIFY2(o.status == 0, qPrintable(o.errors));
    const QJsonObject before = o.object(0);
    QVERIFY2(names(o.array(1)).contains("conv_1"), o.lines.value(1).toJson().constData());
    for (const QJsonValue& p : o.array(2))
      QVERIFY2(
          p.toObject()["code"].toString() == "unread" || p.toObject()["code"].toString() == "uninitialized" || p.toObject()["code"].toString() == "no-gradient",
          o.lines.value(2).toJson().constData());
    QCOMPARE(o.object(3)["variables"].toInt(), before["variables"].toInt() + 2);
    QCOMPARE(o.object(4)["nodes"].toInt(), before["nodes"].toInt());
    QVERIFY2(names(o.array(5)).size() == 3, o.lines.value(5).toJson().constData());
    QCOMPARE(o.object(6)["variables"].toInt(), before["variables"].toInt() + 4);
    QCOMPARE(o.object(7)["variables"].toInt(), 2);
    QVERIFY(studio_.run("file.new empty\nedit.copy\n").status == 1);
  }

  void aTrainedNetworkIsFrozenAndThawed() {
    const Outcome o = run(
        "graph.add-training loss --epochs 2\nrun.train\nwait idle\nprint tensor logits/kernel:0\ngraph.freeze logits\nwait idle\nprint document\nprint selection\nprint problems\nfile.save " +
        studio_.file("frozen.pb") + "\nedit.undo\nprint document\nprint problems\n");
    QVERIFY2(o.status == 0, qPrintable(o.errors));
    QCOMPARE(o.object(1)["variables"].toInt(), 0);
    QVERIFY(o.object(1)["nodes"].toInt() < 45);
    QVERIFY2(o.array(3).isEmpty(), o.lines.value(3).toJson().constData());
    QVERIFY(o.object(4)["variables"].toInt() > 4);
    const Outcome again = studio_.run("file.open " + studio_.file("frozen.pb") + "\nwait idle\nprint document\ngraph.probe logits/BiasAdd\nwait idle\n");
    QVERIFY2(again.status == 0, qPrintable(again.errors));
    QCOMPARE(again.object(0)["variables"].toInt(), 0);
    QVERIFY(run("graph.freeze logits\n").errors.contains("train"));
    QVERIFY(run("graph.freeze logits --restore /nowhere/ckpt\n").status == 1);
    QVERIFY(run("graph.add-training loss --epochs 1\nrun.train --steps 5\nwait idle\ngraph.freeze nobody\n").errors.contains("nobody"));
  }

  void savedInEveryForm() {
    for (const QString ending : {"weft", "weft.pbtxt", "meta", "pb", "pbtxt"}) {
      const QString path = studio_.file("form." + ending);
      const Outcome o = run("file.save " + path + "\nprint document\nfile.open " + path + "\nwait idle\nprint document\n");
      QVERIFY2(o.status == 0, qPrintable(ending + o.errors));
      QCOMPARE(o.object(1)["nodes"].toInt(), o.object(0)["nodes"].toInt());
    }
    QVERIFY(run("file.save " + studio_.file("a.doc") + "\n").errors.contains(".weft"));
    QVERIFY(run("file.save /nowhere/a.weft\n").errors.contains("/nowhere"));
    QVERIFY(run("file.open /nowhere/a.weft\n").status == 1);
  }

 private:
  Outcome run(const QString& commands) const { return studio_.run(QString::fromLatin1(kSmall) + commands); }

  StudioScript studio_;
};

QTEST_GUILESS_MAIN(ComposeScriptsTest)
#include "tst_compose_scripts.moc"
