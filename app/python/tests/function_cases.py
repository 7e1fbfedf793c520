"""Eager programs for eager_test.py about tf.function: its gradients, and the Python statements that it takes. They run in TensorFlow 1.15.5 as well."""

import numpy as np
import tensorflow as tf

from eager_cases import case, show


def slopes(f, x, variables=(), persistent=False):
    """The value of f and its derivatives."""
    x = tf.constant(x)
    with tf.GradientTape(persistent=persistent) as tape:
        tape.watch(x)
        y = f(x)
    return [y] + tape.gradient(y, [x] + list(variables))


def second(f, x, variables=()):
    """Second derivatives."""
    x = tf.constant(x)
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = f(x)
        first = inner.gradient(y, x)
    return [first] + outer.gradient(first, [x] + list(variables))


@case
def gradients_of_branches():
    v, w = tf.Variable(2.0), tf.Variable(3.0)

    @tf.function
    def one(x):
        if x > 0:
            return x * v * v
        return -x * x * x

    @tf.function
    def nested(x, n=tf.constant(3)):
        if x > 0:
            for _ in tf.range(n):
                if x > 4.:
                    x = x * v
                else:
                    x = x * x
        else:
            x = x * w
            if x > -4.:
                x = x * 2.
        return x

    for x in (3., -3.):
        show(slopes(one, x, [v]), second(one, x, [v]))
    for x in (1.5, -3., -1.):
        show(slopes(nested, x, [v, w]))


@case
def gradients_of_loops():
    count, scale = tf.Variable(1.0), tf.Variable(0)

    @tf.function
    def changes(x):
        i = tf.constant(0)
        while i < 3:
            x = x * count
            count.assign_add(1.0)
            i += 1
        scale.assign_add(i)
        return x

    show(slopes(changes, 2.0, [count]), count, scale)

    @tf.function
    def noisy(x):
        for _ in tf.range(3):
            x = x * tf.random.uniform([], 1.0, 2.0)
        return x

    y, slope = slopes(noisy, 2.0)
    print(abs(float(y) - 2.0 * float(slope)) < 1e-5)

    @tf.function
    def rows(x):
        return tf.reduce_sum(tf.map_fn(lambda a: a * a, x))

    x = tf.constant([1., 2., 3.])
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = rows(x)
    show(tape.gradient(y, x), tape.gradient(y, x))


@case
def second_derivatives_of_functions():
    v = tf.Variable(2.0)

    @tf.function
    def cube(x):
        return x ** 3 * v

    @tf.function
    def assigns(x):
        y = x * v * v
        v.assign(7.0)
        return y

    show(second(cube, 2.0, [v]))
    show(second(assigns, 3.0, [v]), v)
    x = tf.constant(2.0)
    with tf.GradientTape() as c:
        c.watch(x)
        with tf.GradientTape() as b:
            b.watch(x)
            with tf.GradientTape() as a:
                a.watch(x)
                y = cube(x)
            y = a.gradient(y, x)
        y = b.gradient(y, x)
    show(c.gradient(y, x))
    table = tf.Variable([[1., 2.], [3., 4.]])

    @tf.function
    def rows(i):
        return tf.reduce_sum(tf.gather(table, i) ** 2)

    with tf.GradientTape() as tape:
        y = rows(tf.constant([1, 1]))
    slope = tape.gradient(y, table)
    print(type(slope).__name__)
    show(tf.convert_to_tensor(slope))


@case
def breaks_and_continues():
    @tf.function
    def stops(x, limit):
        total = tf.constant(0.0)
        for i in tf.range(100):
            v = tf.cast(i, tf.float32)
            if v > limit:
                break
            if tf.equal(i % 2, 0):
                continue
            total += v * x
        return total

    @tf.function
    def waits(n):
        i, seen = tf.constant(0), tf.constant(0)
        while i < 100:
            i += 1
            if i > n:
                break
            if tf.equal(i % 3, 0):
                continue
            seen += i
        return i, seen

    @tf.function
    def inner(n):
        total = tf.constant(0)
        for i in tf.range(n):
            for j in tf.range(n):
                if j > i:
                    break
                total += j
        return total

    @tf.function
    def plain(xs):
        out = []
        for x in xs:
            if x == 2:
                continue
            if x == 5:
                break
            out.append(x)
        return tf.constant(out)

    show(stops(tf.constant(2.0), tf.constant(6.0)), slopes(lambda x: stops(x, tf.constant(6.0)), 2.0))
    show(waits(tf.constant(7)), plain([1, 2, 3, 5, 6]), plain([1, 2, 3]))
    show(inner(tf.constant(4)))


@case
def early_returns():
    @tf.function
    def sign(x):
        if x > 0:
            return tf.constant("positive")
        elif x < 0:
            return tf.constant("negative")
        else:
            return tf.constant("zero")

    @tf.function
    def deep(x):
        if x > 0:
            y = x * 2
            if y > 4:
                return y
            else:
                y = y + 1
                return -y
        else:
            x = x - 1
            return x

    @tf.function
    def looped(xs):
        for x in xs:
            if x > 2:
                return x
        return -1

    @tf.function
    def looped_on_tensors(x):
        for i in tf.range(3):
            if i > x:
                return i
        return x

    @tf.function
    def halfway(x):
        if x > 0:
            return x

    show([sign(tf.constant(v)) for v in (1, -1, 0)], [deep(tf.constant(v)) for v in (3, 1, -1)], looped([1, 2, 3, 4]), looped([1]))
    for call in (lambda: looped_on_tensors(tf.constant(1)), lambda: halfway(tf.constant(1))):
        try:
            call()
        except ValueError as e:
            print(type(e).__name__, "return" in str(e))


@case
def logic():
    @tf.function
    def f(x):
        out = []
        if x > 0 and x < 5 and not tf.equal(x, 3):
            out = 1
        else:
            out = 2
        y = x if x > 2 or x < -2 else -x
        z = True and x
        return out, y, z, not x > 0, (x > 0) or (x < -1), 1 < 2 < 3, None or 5

    for x in (2, 3, -1, -4):
        show(f(tf.constant(x)))

    @tf.function
    def guarded(x, i):
        n = tf.shape(x)[0]
        while i < n and x[i] > 0:
            i += 1
        return i

    show(guarded(tf.constant([1, 1, -1]), tf.constant(0)), guarded(tf.constant([1, 1]), tf.constant(0)))


@case
def state_of_statements():
    class Box:
        pass

    box = Box()

    @tf.function
    def attributes(x):
        box.value = x
        if x > 0:
            box.value = x * 2
        else:
            box.value = -x
        for i in tf.range(3):
            box.value += i
        return box.value

    @tf.function
    def structures(x):
        pair = (x, {"a": x})
        if x > 0:
            pair = (x + 1, {"a": x * 2})
        for _ in tf.range(2):
            pair = (pair[0] + 1, {"a": pair[1]["a"] * 2})
        return pair[0], pair[1]["a"]

    @tf.function
    def collected(n):
        items = tf.TensorArray(tf.int32, size=0, dynamic_size=True)
        for i in tf.range(n):
            if i > 1:
                items = items.write(items.size(), i * i)
        return items.stack()

    @tf.function
    def swapped(n):
        a, b = tf.constant(0), tf.constant(1)
        while a < n:
            a, b = b, a + b
        return a

    for x in (2, -2):
        show(attributes(tf.constant(x)), structures(tf.constant(x)))
    show(collected(tf.constant(5)), swapped(tf.constant(50)))

    @tf.function
    def missing(x):
        if x > 0:
            y = x
        return y

    @tf.function
    def missing_in_loop(n):
        for i in tf.range(n):
            y = i
        return y

    @tf.function
    def changes_type(n):
        x = 1
        for i in tf.range(n):
            x = tf.cast(i, tf.float32)
        return x

    @tf.function
    def differs(x):
        if x > 0:
            y = 1.0
        else:
            y = 2
        return y

    for call in (lambda: missing(tf.constant(1)), lambda: missing_in_loop(tf.constant(1)), lambda: changes_type(tf.constant(1)), lambda: differs(tf.constant(1))):
        try:
            call()
        except Exception as e:
            print(type(e).__name__, [word for word in ("initialized", "before the loop", "dtype") if word in str(e)])


@case
def data_in_loops():
    data = tf.data.Dataset.range(10)

    @tf.function
    def total(data):
        s = tf.constant(0, tf.int64)
        for x in data:
            if x % 2 == 0:
                pass
            s += x
        return s

    @tf.function
    def until(data, limit):
        s, seen = tf.constant(0, tf.int64), tf.constant(0, tf.int64)
        for x in data:
            if x > limit:
                break
            if tf.equal(x % 2, 1):
                continue
            s += x
            seen += 1
        return s, seen

    @tf.function
    def rows(m):
        s = tf.zeros([2])
        for row in m:
            s += row * row
        return s

    @tf.function
    def builtins(x, n):
        s = 0
        for i in range(n):
            s += i
        return len(x), s, int(tf.constant(3.7)), float(tf.constant(2)), abs(tf.constant(-3))

    show(total(data), until(data, tf.constant(5, tf.int64)), until(data.repeat(), tf.constant(5, tf.int64)))
    show(slopes(rows, [[1., 2.], [3., 4.]])[1], builtins(tf.constant([1, 2, 3]), tf.constant(4)))
    it = iter(data)

    @tf.function
    def some(it):
        s = tf.constant(0, tf.int64)
        for x in it:
            s += x
        return s

    show(some(it))


@case
def conversions_on_request():
    def f(x):
        if x > 0:
            x = x * x
        return x

    g = tf.autograph.to_graph(f)
    with tf.Graph().as_default(), tf.Session() as session:
        print(session.run(g(tf.constant(3))), session.run(g(tf.constant(-3))))
    print("ag__" in tf.autograph.to_code(f))

    @tf.autograph.experimental.do_not_convert
    def plain(x):
        return 1 if x is not None else 2

    @tf.autograph.experimental.do_not_convert()
    def unconverted(x):
        if x > 0:
            return x
        return -x

    show(tf.function(lambda x: x + plain(x))(tf.constant(1)))
    try:
        tf.function(unconverted)(tf.constant(1))
    except TypeError as e:
        print(type(e).__name__)
    try:
        tf.function(f, autograph=False)(tf.constant(1))
    except TypeError as e:
        print(type(e).__name__)

    @tf.function(experimental_autograph_options=tf.autograph.experimental.Feature.EQUALITY_OPERATORS)
    def same(x):
        if x == 3:
            return 1
        return 0

    show(same(tf.constant(3)), same(tf.constant(4)))

    @tf.function(experimental_autograph_options=(tf.autograph.experimental.Feature.ASSERT_STATEMENTS,))
    def checked(x):
        assert x > 0, "too small"
        return x

    show(checked(tf.constant(3)))
    try:
        checked(tf.constant(-3))
    except tf.errors.InvalidArgumentError as e:
        print(type(e).__name__, "too small" in str(e))
    print(len(tf.autograph.experimental.Feature.all()), tf.autograph.experimental.Feature.LISTS)

    @tf.function
    def optioned(n):
        s = 0
        for i in tf.range(n):
            tf.autograph.experimental.set_loop_options(parallel_iterations=1)
            s += i
        return s

    show(optioned(tf.constant(4)))
    m = np.ones([2, 2], np.float32)
    show(tf.function(lambda x: tf.matmul(x, x))(m))


@case
def tapes_of_all_kinds():
    x, v = tf.constant(3.0), tf.Variable(2.0)

    def tape(f, target=None):
        with tf.GradientTape() as t:
            t.watch(x)
            y = f()
        return t, y

    t, y = tape(lambda: x * 1.)
    show(t.gradient(x, x))
    t, y = tape(lambda: v * 1.)
    show(t.gradient(v, v))
    t, y = tape(lambda: max([v, x]))
    show(t.gradient(y, [v, x]))
    for target, source in ((None, x), (2.0, x), (x * 2., None)):
        try:
            tape(lambda: x * 1.)[0].gradient(target, source)
        except AttributeError as e:
            print(e)
    t, y = tape(lambda: tf.complex(x, x) ** 2)
    show(t.gradient(y, x))
    again = tf.GradientTape()
    with again:
        again.watch(x)
        y = 2 * x
    with again:
        z = 2 * y
    show(again.gradient(z, x))
    empty = tf.zeros([0, 3])
    with tf.GradientTape() as t:
        t.watch(empty)
        y = empty * 2
    show(t.jacobian(y, empty).shape.as_list())
    m = tf.constant([[1., 2.], [3., 4.]])
    with tf.GradientTape(persistent=True) as t:
        t.watch(m)
        y = m * m
    show(t.jacobian(y, m, experimental_use_pfor=False)[0][0], t.batch_jacobian(y, m))
    for call in (t.jacobian, t.batch_jacobian):
        with tf.GradientTape() as once:
            once.watch(m)
            y = m * m
        try:
            getattr(once, call.__name__)(y, m, experimental_use_pfor=False)
        except RuntimeError as e:
            print("persistent" in str(e))
    try:
        t.batch_jacobian(m[0], m[0])
    except ValueError as e:
        print(type(e).__name__)

    @tf.function
    def rows(e):
        with tf.GradientTape() as t:
            t.watch(e)
            y = e * e * v
        read = t.watched_variables()[0] * 1.
        return t.jacobian(y, [e, v]), read

    (a, b), c = rows(tf.constant([1., 2.]))
    show(a, b, c)

    @tf.function
    def earlier(x):
        before = tf.identity(x)
        with tf.GradientTape() as t:
            t.watch([x, before])
            y = x * 2. + before * 3.
        return t.gradient(y, [x, before])

    show(earlier(x))
    show(tf.map_fn(lambda a: a * 2, tf.zeros([0, 2])))

    @tf.custom_gradient
    def own(a):
        return a * v, lambda dy, variables=None: (dy * 10., [dy * 7.])

    t, y = tape(lambda: own(x))
    show(t.gradient(y, [x, v]))
    t, y = tape(lambda: tf.function(lambda a: own(a) * 2)(x))
    show(t.gradient(y, [x, v]))


@case
def values_of_python():
    print(tf.constant([b"\xff", ""]).numpy().tolist())
    for call in (lambda: tf.constant(10 ** 400), lambda: tf.constant(1.0) + 10 ** 400, lambda: tf.constant(2 ** 70)):
        try:
            call()
        except ValueError as e:
            print(type(e).__name__)
    x = tf.constant(3.0)
    with tf.GradientTape() as t:
        t.watch(x)
        y = tf.py_function(lambda a: a * a, [x], tf.float32)
    show(t.gradient(y, x), tf.numpy_function(lambda a: a * 3, [x], tf.float32), tf.py_func(lambda a: a + 1, [x], tf.float32))
    inside = tf.function(lambda a: tf.py_function(lambda q: q * q, [a], tf.float32))
    with tf.GradientTape() as t:
        t.watch(x)
        y = inside(x)
    show(y, t.gradient(y, x))
    state = []

    @tf.function
    def scaled(x):
        if not state:
            state.append(tf.Variable(2.0 * x))
        return state[0] * x

    show(scaled(tf.constant(1.0)), scaled(tf.constant(3.0)))
    add = tf.function(lambda x, y: x + y)
    concrete = add.get_concrete_function(tf.TensorSpec([None], tf.float32), tf.TensorSpec(None, tf.float32))
    print([s.name for s in concrete.structured_input_signature[0]])
    show(concrete(tf.ones([2]), tf.constant(2.)), concrete(x=tf.ones([2]), y=tf.constant(2.)))
    tfe = tf.contrib.eager
    show(tfe.gradients_function(lambda a, b: a * b, params=["b"])(2.0, 3.0), tfe.implicit_gradients(lambda y: state[0] * y)(3.)[0][0])
