"""make_graphs.py FOLDER: writes the golden graphs again, with TensorFlow 1.15.5.

gradients/NAME/before.pbtxt is the meta graph of a program, spec.txt what is differentiated (y, x, s = stop, g = grad_ys, n = name,
c = colocate, t = gate), after.pbtxt the nodes that tf.gradients adds, grads.txt what it returns. api/NAME.pbtxt is the graph of a
program that tests/api builds with the functions of engine/api."""
import json
import os
import sys

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import tensorflow as tf

tf.logging.set_verbosity(tf.logging.ERROR)
PROGRAMS = {}


def case(f):
    PROGRAMS[f.__name__] = f
    return f


def V(name, shape, **k):
    return tf.get_variable(name, shape, **k)


@case
def mlp():
    x=tf.placeholder(tf.float32,[None,8],name='x'); y=tf.placeholder(tf.int64,[None],name='y')
    w=V('w',[8,6]); b=V('b',[6]); w2=V('w2',[6,3]); b2=V('b2',[3])
    h=tf.nn.relu(tf.matmul(x,w)+b); l=tf.nn.bias_add(tf.matmul(h,w2),b2)
    loss=tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y,logits=l))+.01*tf.nn.l2_loss(w)
    return [loss],[w,b,w2,b2]


@case
def reductions():
    a=tf.placeholder(tf.float32,[None,4],name='a'); b=tf.placeholder(tf.float32,[3,4],name='b')
    return [tf.reduce_mean(a,1), tf.reduce_sum(b,0), tf.reduce_max(b,1,keepdims=True), tf.reduce_mean(b,[0,1])],[a,b]


@case
def conv():
    x=tf.placeholder(tf.float32,[None,8,8,1],name='x'); k=V('k',[3,3,1,4]); bb=V('bb',[4]); k2=V('k2',[3,3,4,2])
    h=tf.nn.relu(tf.nn.bias_add(tf.nn.conv2d(x,k,[1,1,1,1],'SAME'),bb)); h=tf.nn.max_pool(h,[1,2,2,1],[1,2,2,1],'SAME')
    h=tf.nn.avg_pool(tf.nn.conv2d(h,k2,[1,1,1,1],'VALID'),[1,2,2,1],[1,2,2,1],'SAME')
    return [tf.reduce_mean(h)],[k,bb,k2,x]


@case
def embedding():
    i=tf.placeholder(tf.int32,[None],name='i'); j=tf.placeholder(tf.int32,[None],name='j'); e=V('e',[10,4]); er=V('er',[10,4],use_resource=True)
    a=tf.nn.embedding_lookup(e,i); b=tf.nn.embedding_lookup(e,j); c=tf.nn.embedding_lookup(er,i); d=tf.gather(e,i,axis=1)
    return [tf.reduce_sum(a*b)+tf.reduce_sum(a)+tf.reduce_sum(c)],[e,er]


@case
def stop():
    a=tf.placeholder(tf.float32,[2],name='a'); b=a*2.0; c=b+a; d=tf.stop_gradient(c)*a
    return [c,d],[a,b],dict(stop_gradients=[b])


@case
def gradys():
    a=tf.placeholder(tf.float32,[2],name='a'); g=tf.placeholder(tf.float32,[2],name='g'); return [a*a],[a],dict(grad_ys=[g],name='mine')


@case
def colo():
    a=tf.placeholder(tf.float32,[2,2],name='a'); w=V('w',[2,2]); return [tf.reduce_sum(tf.matmul(a,w)+tf.matmul(w,a))],[w],dict(colocate_gradients_with_ops=True)


@case
def gate():
    a=tf.placeholder(tf.float32,[2,2],name='a'); w=V('w',[2,2]); b=V('b',[2]); return [tf.reduce_sum(tf.matmul(a,w)*b+tf.matmul(w,a))],[w,b],dict(gate_gradients=True)


@case
def cond_nested():
    p=tf.placeholder(tf.bool,[],name='p'); q=tf.placeholder(tf.bool,[],name='q'); v=V('v',[3]); x=tf.placeholder(tf.float32,[None],name='x')
    a=tf.cond(p,lambda: tf.cond(q,lambda:x*v,lambda:x-v),lambda:v*v); return [tf.reduce_sum(a)],[x,v]


@case
def while_dynamic():
    m=V('m',[2,2]); x=tf.placeholder(tf.float32,[None,2],name='x')
    b=tf.while_loop(lambda i,a:i<3,lambda i,a:(i+1,tf.tanh(tf.matmul(a,m)+x)),[tf.constant(0),x]); return [tf.reduce_mean(b[1])],[m,x]


@case
def while_nested_dyn():
    x=tf.placeholder(tf.float32,[None],name='x'); w=V('w',[])
    def outer(i,a):
        _,y=tf.while_loop(lambda j,y:j<i,lambda j,y:(j+1,y*x*w),[0,a]); return i+1,tf.tanh(y)
    r=tf.while_loop(lambda i,a:i<3,outer,[tf.constant(0),x]); return [tf.reduce_sum(r[1])],[x,w]


@case
def while_unused():
    x=tf.placeholder(tf.float32,[],name='x')
    r=tf.while_loop(lambda i,a,b:i<3,lambda i,a,b:(i+1,a*x,b+1.0),[tf.constant(0),x,x]); return [r[1]],[x]


@case
def while_gather():
    e=V('e',[10,4]); 
    r=tf.while_loop(lambda i,a:i<3,lambda i,a:(i+1,a+tf.gather(e,[i])),[tf.constant(0),tf.zeros([1,4])]); return [tf.reduce_sum(r[1])],[e]



def write_gradients(folder):
    for name, program in PROGRAMS.items():
        d = os.path.join(folder, "gradients", name)
        os.makedirs(d, exist_ok=True)
        tf.reset_default_graph()
        r = program()
        ys, xs, kw = r[0], r[1], r[2] if len(r) > 2 else {}
        meta = tf.train.export_meta_graph()
        meta.meta_info_def.ClearField("stripped_op_list")
        with open(os.path.join(d, "before.pbtxt"), "w") as o:
            o.write(str(meta))
        before = {n.name for n in meta.graph_def.node}
        handle = lambda v: v.handle.name if hasattr(v, "handle") else v._variable.name if isinstance(v, tf.Variable) else v.name
        with open(os.path.join(d, "spec.txt"), "w") as o:
            o.writelines("y %s\n" % y.name for y in ys)
            o.writelines("x %s\n" % handle(x) for x in xs)
            o.writelines("s %s\n" % s.name for s in kw.get("stop_gradients", []))
            o.writelines("g %s\n" % g.name for g in kw.get("grad_ys", []))
            if "name" in kw:
                o.write("n %s\n" % kw["name"])
            if "colocate_gradients_with_ops" in kw:
                o.write("c 1\n")
            if "gate_gradients" in kw:
                o.write("t 1\n")
        grads = tf.gradients(ys, xs, **kw)
        after = tf.GraphDef()
        after.node.extend(n for n in tf.get_default_graph().as_graph_def().node if n.name not in before)
        with open(os.path.join(d, "after.pbtxt"), "w") as o:
            o.write(str(after))
        with open(os.path.join(d, "grads.txt"), "w") as o:
            for g in grads:
                o.write(("None" if g is None else "slices %s %s" % (g.values.name, g.indices.name) if isinstance(g, tf.IndexedSlices) else g.name) + "\n")


API = {}


def api(f):
    API[f.__name__] = f
    return f


def digits(optimizer, use_resource=False, step=False, clip=0):
    tf.set_random_seed(1)
    x = tf.placeholder(tf.float32, [None, 64], name="images")
    y = tf.placeholder(tf.int32, [None], name="labels")
    with tf.variable_scope(tf.get_variable_scope(), use_resource=use_resource):
        h = tf.reshape(x, [-1, 8, 8, 1])
        h = tf.layers.conv2d(h, 4, 3, padding="same", activation=tf.nn.relu, name="conv1")
        h = tf.layers.max_pooling2d(h, 2, 2, name="pool1")
        h = tf.layers.average_pooling2d(h, 2, 2)
        logits = tf.layers.dense(tf.layers.flatten(h), 10)
    loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=logits))
    gs = tf.train.get_or_create_global_step() if step else None
    with tf.name_scope("train"):
        if clip:
            g, v = zip(*optimizer.compute_gradients(loss))
            g, _ = tf.clip_by_global_norm(g, clip)
            optimizer.apply_gradients(zip(g, v), global_step=gs)
        else:
            optimizer.minimize(loss, global_step=gs)
    tf.global_variables_initializer()
    tf.train.Saver()


@api
def sgd():
    digits(tf.train.GradientDescentOptimizer(.1))


@api
def momentum_resource():
    digits(tf.train.MomentumOptimizer(.1, .9), use_resource=True)


@api
def rmsprop_clip():
    digits(tf.train.RMSPropOptimizer(.1), clip=5., step=True)


@api
def adam_resource():
    digits(tf.train.AdamOptimizer(), use_resource=True, step=True)


@api
def losses():
    y=tf.placeholder(tf.float32,[None,3],name='y'); p=tf.placeholder(tf.float32,[None,3],name='p'); c=tf.placeholder(tf.int64,[None],name='c')
    L=tf.losses; L.mean_squared_error(y,p); L.softmax_cross_entropy(y,p); L.sigmoid_cross_entropy(y,p); L.sparse_softmax_cross_entropy(c,p)
    tf.nn.softmax_cross_entropy_with_logits_v2(labels=y,logits=p); tf.nn.sigmoid_cross_entropy_with_logits(labels=y,logits=p); tf.nn.dropout(p,rate=.4)


@api
def layers():
    x=tf.placeholder(tf.float32,[4,3],name='x'); x4=tf.placeholder(tf.float32,[2,4,4,3],name='x4'); t=tf.placeholder(tf.bool,[],name='training')
    N=tf.layers.batch_normalization
    N(x,training=True);N(x,training=False);N(x4,training=True);N(x4,training=t);N(x4,training=False)
    tf.layers.dropout(x,.4,training=True); tf.layers.dropout(x,.4,training=t); tf.layers.dropout(x,.4); tf.layers.conv2d_transpose(x4,4,3,2,'same'); tf.layers.conv2d_transpose(x4,4,3,2,'valid')


@api
def summaries():
    x=tf.placeholder(tf.float32,[],name='x'); v=tf.placeholder(tf.float32,[4],name='v'); im=tf.placeholder(tf.float32,[2,3,3,1],name='im')
    tf.summary.scalar('loss',x); tf.summary.histogram('w',v); tf.summary.image('pic',im,max_outputs=2); tf.summary.merge_all()


@api
def control():
    i=tf.constant(0,name='i'); m=tf.get_variable('m',[2,2],initializer=tf.zeros_initializer())
    b=tf.while_loop(lambda i,x:i<3,lambda i,x:(i+1,tf.matmul(x,m)),[i,tf.ones([2,2])],parallel_iterations=4,name='mm')
    d=tf.while_loop(lambda i:i<100,lambda i:i+1,[i],maximum_iterations=7)
    p=tf.placeholder(tf.bool,[],name='p')
    c=tf.cond(p,lambda:tf.cond(p,lambda:b[1],lambda:-b[1]),lambda:tf.constant(0.0,shape=[2,2]))


def write_api(folder):
    os.makedirs(os.path.join(folder, "api"), exist_ok=True)
    for name, program in API.items():
        tf.reset_default_graph()
        program()
        with open(os.path.join(folder, "api", name + ".pbtxt"), "w") as o:
            o.write(str(tf.get_default_graph().as_graph_def()))


def write_functions(folder):
    """api/functions.txt: placeholders, then calls, each in a name scope of its own; "@x" is the tensor x."""
    tf.reset_default_graph()
    graph = tf.get_default_graph()

    def value(v):
        if isinstance(v, list):
            return [value(i) for i in v]
        return graph.get_tensor_by_name(v[1:] + ":0") if isinstance(v, str) and v.startswith("@") else v

    lines = [json.loads(line) for line in open(os.path.join(folder, "api", "functions.txt"))]
    for k, line in enumerate(lines):
        if isinstance(line, dict):
            tf.placeholder(line["dtype"], line["shape"], name=line["placeholder"])
            continue
        function = tf
        for part in line[0].split("."):
            function = getattr(function, part)
        given = {name: tf.as_dtype(v) if name == "dtype" else value(v) for name, v in line[1].items()}
        with tf.name_scope("f%d" % k):
            if line[0] == "einsum":
                function(given["equation"], *given["inputs"])
            else:
                function(*given.pop("args", []), **given)
    with open(os.path.join(folder, "api", "functions.pbtxt"), "w") as o:
        o.write(str(graph.as_graph_def()))


write_gradients(sys.argv[1])
write_functions(sys.argv[1])
write_api(sys.argv[1])
