import tensorflow as tf

from check import raises

g = tf.gfile
with g.GFile("a.txt", "w") as f:
    f.write("text")
g.Copy("a.txt", "b.txt")
raises(tf.errors.AlreadyExistsError, "file already exists", lambda: g.Copy("a.txt", "b.txt"))
raises(tf.errors.NotFoundError, "a/b/c", lambda: g.MkDir("a/b/c"))
g.MakeDirs("a/b/c")
assert sorted(g.ListDirectory(".")) == ["a", "a.txt", "b.txt"]
assert [(d, s, sorted(n)) for d, s, n in g.Walk("a")] == [("a", ["b"], []), ("a/b", ["c"], []), ("a/b/c", [], [])]
g.DeleteRecursively("a")
assert not g.Exists("a")
