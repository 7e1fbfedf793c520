"""A step on TensorFlow 2.x, as its version 1 runs it: the GraphDef itself."""
import os

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
import runner

(tensorflow,) = runner.need("tensorflow")
tf = tensorflow.compat.v1


def _set_variables(session, graph, values):
    """Gives variables the values that Weft starts with."""
    for name, value in values.items():
        ref = graph.get_tensor_by_name(name + ":0")
        with graph.as_default():
            given = tf.placeholder(value.dtype, value.shape)
            op = tf.raw_ops.AssignVariableOp(resource=ref, value=given) if ref.dtype == tf.resource else tf.assign(ref, given, validate_shape=False).op
        session.run(op, {given: value})


def prepare(job):
    tf.disable_v2_behavior()
    definition = tf.GraphDef()
    with open(job.graph, "rb") as f:
        definition.ParseFromString(f.read())
    graph = tf.Graph()
    with graph.as_default():
        tf.import_graph_def(definition, name="")
    config = tf.ConfigProto(allow_soft_placement=True, intra_op_parallelism_threads=job.threads, inter_op_parallelism_threads=job.threads)
    session = tf.Session(graph=graph, config=config)
    _set_variables(session, graph, job.arrays("variables.npz"))
    # make_callable is the cheapest way TensorFlow offers to run one signature again and again.
    step = session.make_callable([job.fetches, [graph.get_operation_by_name(t) for t in job.targets]], feed_list=list(job.feeds))
    values = list(job.feeds.values())
    return (lambda: step(*values)[0],) * 2


runner.serve("tensorflow " + tensorflow.__version__, prepare)
