"""weft py --migrate: programs for Python 2 and for TensorFlow before 1.0."""

import io
import contextlib
import os
import stat
import subprocess
import sys
import tempfile
import unittest

from weft.tools import migrate
from weft.tools.migrate_python2 import NotPython


class Sources(unittest.TestCase):
    def becomes(self, old, new, *notes):
        text, found = migrate.migrate(old)
        self.assertEqual(text, new)
        self.assertEqual(len(found), len(notes), found)
        for (line, said), (wanted_line, wanted) in zip(found, notes):
            self.assertEqual(line, wanted_line)
            self.assertIn(wanted, said)

    def test_a_program_that_runs_stays_as_it_is(self):
        program = "import tensorflow as tf\nprint(tf.concat([[1], [2]], 0))\nx = tf.global_variables_initializer()\n"
        self.becomes(program, program)

    def test_python2(self):
        self.becomes("print 'a', 1\n", "print('a', 1)\n")
        self.becomes("print ('a')\nprint 'b'\n", "print ('a')\nprint('b')\n")
        self.becomes("for i in xrange(3): pass\n", "for i in range(3): pass\n")
        self.becomes("d = {}\nfor k, v in d.iteritems(): pass\nprint 1\n", "d = {}\nfor k, v in d.items(): pass\nprint(1)\n")
        self.becomes("try: pass\nexcept ValueError, e: pass\n", "try: pass\nexcept ValueError as e: pass\n")

    def test_pickles_of_python2(self):
        self.becomes("import cPickle as pickle\nd = pickle.load(open('x', 'rb'))\n", "import pickle\nd = pickle.load(open('x', 'rb'), encoding=\"latin1\")\n")

    def test_divisions_of_whole_numbers(self):
        self.becomes("n = len('abc')\nprint n / 2\n", "n = len('abc')\nprint(n // 2)\n")
        self.becomes("def f(x, b):\n    for i in range(x / b): print i\n", "def f(x, b):\n    for i in range(x // b): print(i)\n")
        self.becomes("print 1.0 / 2\n", "print(1.0 / 2)\n")
        self.becomes("def f(x):\n    print x / 2\n", "def f(x):\n    print(x / 2)\n", (2, "x / 2 divided whole numbers"))
        self.becomes("from __future__ import division\nprint 1 / 2\n", "from __future__ import division\nprint(1 / 2)\n")

    def test_odd_characters_of_web_pages(self):
        self.becomes("if True:\n\u00a0\u00a0x = 1\n", "if True:\n  x = 1\n", (2, "U+00A0 (no-break space)"))
        self.becomes("x = \u201ca\u201d\n", "x = \"a\"\n", (1, "U+201C"))
        self.becomes("x = '\u00a0\u201c'\n", "x = '\u00a0\u201c'\n")
        self.becomes("x = [1\uff0c 2]\n", "x = [1, 2]\n", (1, "U+FF0C"))

    def test_tabs_beside_spaces(self):
        self.becomes("if True:\n\tx = 1\n        y = 2\n", "if True:\n        x = 1\n        y = 2\n")

    def tf(self, old, new, *notes):
        self.becomes("import tensorflow as tf\n" + old + "\n", "import tensorflow as tf\n" + new + "\n", *notes)

    def test_names_before_1_0(self):
        self.tf("tf.mul(tf.sub(a, b), tf.pack([c]))", "tf.multiply(tf.subtract(a, b), tf.stack([c]))")
        self.tf("w = tf.train.SummaryWriter('x')", "w = tf.summary.FileWriter('x')")
        self.tf("tf.nn.seq2seq.sequence_loss(a, b, c)", "tf.contrib.legacy_seq2seq.sequence_loss(a, b, c)")
        self.tf("tf.initialize_all_variables()", "tf.initialize_all_variables()")  # 1.15 still has it
        self.becomes("from tensorflow.models.rnn import rnn_cell\n", "from tensorflow.nn import rnn_cell\n")
        self.becomes("import tensorflow as flow\nflow.neg(1)\n", "import tensorflow as flow\nflow.negative(1)\n")
        self.becomes("class tf: pass\ntf.mul = 1\n", "class tf: pass\ntf.mul = 1\n")

    def test_orders_before_1_0(self):
        self.tf("tf.concat(1, [a, b])", "tf.concat(axis=1, values=[a, b])")
        self.tf("tf.concat([a, b], 1)", "tf.concat([a, b], 1)")
        self.tf("tf.concat(d, x)", "tf.concat(d, x)", (2, "axis first before 1.0"))
        self.tf("tf.split(1, 4, x)", "tf.split(axis=1, num_or_size_splits=4, value=x)")
        self.tf("tf.split(x, 4, 1)", "tf.split(x, 4, 1)")
        self.tf("tf.split(split_dim=1, num_split=4, value=x)", "tf.split(axis=1, num_or_size_splits=4, value=x)")
        self.tf("tf.nn.softmax_cross_entropy_with_logits(y, t)", "tf.nn.softmax_cross_entropy_with_logits(logits=y, labels=t)")
        self.tf("tf.reverse(x, [False, True, True])", "tf.reverse(x, [1, 2])")
        self.tf("tf.image.resize_images(x, 32, 32)", "tf.image.resize_images(x, [32, 32])")
        self.tf("tf.batch_matmul(a, b, adj_x=True)", "tf.matmul(a, b, adjoint_a=True)")

    def test_names_that_never_came_back(self):
        self.tf("tf.nn.sofmax(x)", "tf.nn.sofmax(x)", (2, "tf.nn.sofmax does not exist in TensorFlow 1.15; the nearest is softmax"))
        self.tf("tf.GraphKeys.LOSSES, tf.float32.name, tf.python.framework.ops", "tf.GraphKeys.LOSSES, tf.float32.name, tf.python.framework.ops")

    def test_good_programs_stay_as_they_are(self):
        for text in ("text = '\\u00e9' + u'x'\n", "class A:\n    def next(self): return 1\na.next\n", "long = 5\nprint(long)\n", "for i in reversed(range(3)): print(args.func_name)\n",
                     "try:\n    import cPickle as pickle\nexcept ImportError:\n    import pickle\n", "match x:\n    case 1: pass\n", "x = 1", "", "with (open(a) as f, open(b) as g): pass\n",
                     "print(tf.__version__)\nimport tensorflow as tf\nx[:, tf.newaxis]\ntf.app.flags.FLAGS.rate\n"):
            self.becomes(text, text)

    def test_sums_of_fractions_are_not_whole(self):
        old = "total = 0\nfor x in xs: total += x\nprint total / len(xs)\n"
        self.becomes(old, old.replace("print total / len(xs)", "print(total / len(xs))"), (3, "total / len(xs) divided whole numbers"))
        self.becomes("n = len(xs)\nn /= 2\nprint n\n", "n = len(xs)\nn //= 2\nprint(n)\n")
        self.becomes("print d[x / y]\n", "print(d[x / y])\n")

    def test_calls_within_calls_and_parentheses(self):
        self.becomes("import cPickle\nfor k in cPickle.load(f).iteritems(): pass\n", "import pickle\nfor k in pickle.load(f, encoding=\"latin1\").items(): pass\n")
        self.tf("tf.concat((1), [(a), b])", "tf.concat(axis=(1), values=[(a), b])")
        self.tf("tf.nn.softmax_cross_entropy_with_logits((a + b), ( y ))", "tf.nn.softmax_cross_entropy_with_logits(logits=(a + b), labels=( y ))")
        self.tf("tf.image.resize_images(x, (h), (w))", "tf.image.resize_images(x, [(h), (w)])")
        self.tf("tf.nn.softmax_cross_entropy_with_logits(None, y, a)", "tf.nn.softmax_cross_entropy_with_logits(None, y, a)")
        self.tf("tf.reverse(x, dims=[True, False])", "tf.reverse(x, axis=[0])")

    def test_names_imported_alone_are_named(self):
        self.becomes("from tensorflow import pack\n", "from tensorflow import pack\n", (1, "pack is tf.stack now"))
        self.becomes("from tensorflow import *\nmul(1, 2)\n", "from tensorflow import *\nmul(1, 2)\n", (1, "mul is tf.multiply now"))

    def test_what_is_not_python(self):
        for text, line in (("def f(:\n  pass\n", 1), ("x = 1\n'''", 2), ("print 'a'\n  y\n", 2), ("x = '\0'\n", None)):
            with self.assertRaises(NotPython) as caught:
                migrate.migrate(text)
            self.assertEqual(caught.exception.line, line)


class Files(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.old = os.path.join(self.folder.name, "old.py")
        with open(self.old, "wb") as f:
            f.write("# -*- coding: latin-1 -*-\nprint 'é'\n".encode("latin-1"))
        os.chmod(self.old, 0o750)

    def tearDown(self):
        self.folder.cleanup()

    def run_with(self, *arguments):
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            status = migrate.main(list(arguments))
        return status, out.getvalue(), err.getvalue()

    def read(self, name):
        with open(os.path.join(self.folder.name, name), encoding="latin-1") as f:  # as its first line says
            return f.read()

    def test_a_new_file_beside_the_old_one(self):
        status, out, _ = self.run_with(self.old)
        self.assertEqual(status, 0)
        self.assertIn("+print('é')", out)
        self.assertIn("print('é')", self.read("old_migrated.py"))
        ran = subprocess.run([sys.executable, os.path.join(self.folder.name, "old_migrated.py")], stdout=subprocess.PIPE, env=dict(os.environ, PYTHONIOENCODING="utf-8"))
        self.assertEqual(ran.stdout.decode("utf-8"), "é\n")
        self.assertEqual(stat.S_IMODE(os.stat(os.path.join(self.folder.name, "old_migrated.py")).st_mode), 0o750)
        status, _, err = self.run_with(self.old)
        self.assertEqual(status, 1)
        self.assertIn("exists already", err)
        self.assertEqual(self.run_with(self.old, "--force")[0], 0)
        self.assertEqual(sorted(os.listdir(self.folder.name)), ["old.py", "old_migrated.py"])

    def test_other_places(self):
        self.run_with(self.old, "--dry-run")
        self.assertEqual(os.listdir(self.folder.name), ["old.py"])
        self.run_with(self.old, "--output", os.path.join(self.folder.name, "new.py"))
        self.assertIn("print('é')", self.read("new.py"))
        self.run_with(self.old, "--in-place")
        self.assertIn("print('é')", self.read("old.py"))
        self.assertIn("nothing to change", self.run_with(self.old, "--in-place")[1])

    def test_line_ends_marks_and_links_stay(self):
        path, link = os.path.join(self.folder.name, "crlf.py"), os.path.join(self.folder.name, "link.py")
        with open(path, "wb") as f:
            f.write(b"\xef\xbb\xbfx = 1\r\nprint x")
        os.symlink(path, link)
        self.assertEqual(self.run_with(link, "--in-place")[0], 0)
        self.assertTrue(os.path.islink(link))
        with open(path, "rb") as f:
            self.assertEqual(f.read(), b"\xef\xbb\xbfx = 1\r\nprint(x)")

    def test_files_that_cannot_be_read(self):
        for name, content, said in (("missing.py", None, "No such file"), ("bad.py", b"# coding: klingon\n", "encoding"), ("utf.py", b"x = '\xff'\n", "encoding"), ("no.py", b"def (:\n", "no.py:1: ")):
            path = os.path.join(self.folder.name, name)
            if content is not None:
                with open(path, "wb") as f:
                    f.write(content)
            status, _, err = self.run_with(path)
            self.assertEqual((status, err.count("\n")), (1, 1), err)
            self.assertIn(said, err)


unittest.main()
