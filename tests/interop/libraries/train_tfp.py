"""TensorFlow Probability 0.8: distributions, bijectors, Hamiltonian Monte Carlo, variational inference, a Bayesian network that is trained, saved and restored."""

import os
import tempfile

import numpy as np
import tensorflow as tf
import tensorflow_probability as tfp

import record

tfd, tfb = tfp.distributions, tfp.bijectors


def distributions():
    x = np.linspace(0.1, 0.9, 5).astype(np.float32)
    parts = []
    for made in (tfd.Normal(0.5, 2.), tfd.Beta(2., 3.), tfd.Gamma(2., 1.5), tfd.StudentT(3., 0.2, 1.1), tfd.Laplace(0., 1.), tfd.LogNormal(0., 0.5), tfd.Gumbel(0., 1.),
                 tfd.Kumaraswamy(2., 2.), tfd.VonMises(0., 2.), tfd.HalfCauchy(0., 1.), tfd.Logistic(0., 1.), tfd.Uniform(0., 2.), tfd.TruncatedNormal(0., 1., -1., 1.)):
        parts.append(made.log_prob(x))
    mixture = tfd.MixtureSameFamily(tfd.Categorical(probs=[0.3, 0.7]), tfd.Normal([-1., 1.], [0.5, 0.3]))
    parts += [mixture.log_prob(x), tfd.kl_divergence(tfd.Normal(x, 1.), tfd.Normal(0., 2.))]
    full = tfd.MultivariateNormalFullCovariance([1., -1.], [[2., 0.3], [0.3, 1.]])
    parts += [full.log_prob([[0., 0.], [1., 1.]]), full.entropy(), tfd.Dirichlet([1., 2., 3.]).log_prob([0.2, 0.3, 0.5]), tfd.Wishart(4, scale=np.eye(2, dtype=np.float32)).log_prob([[2., 0.1], [0.1, 1.]]),
              tfd.Independent(tfd.Bernoulli(logits=x), 1).log_prob(np.ones(5, np.float32)), tfd.NegativeBinomial(3., logits=0.2).log_prob([0., 2.]), tfd.Poisson(2.).log_prob([1., 3.])]
    kernel = tfp.math.psd_kernels.MaternThreeHalves(1.5, 0.7)
    process = tfd.GaussianProcess(kernel, x[:, np.newaxis], observation_noise_variance=0.1)
    parts.append(process.log_prob(np.sin(x)))
    joint = tfd.JointDistributionSequential([tfd.Normal(0., 1.), lambda m: tfd.Normal(m, 0.5)])
    parts.append(joint.log_prob([0.3, 0.6]))
    return tf.concat([tf.reshape(tf.cast(p, tf.float32), [-1]) for p in parts], 0)


def bijectors():
    x = np.array([[-0.7, 0.2, 1.1]], np.float32)
    parts = []
    for made in (tfb.Exp(), tfb.Softplus(), tfb.Sigmoid(), tfb.Tanh(), tfb.SinhArcsinh(0.3, 1.2), tfb.Chain([tfb.Affine(shift=1., scale_diag=[1., 2., 3.]), tfb.Softsign()]), tfb.Permute([2, 0, 1]),
                 tfb.SoftmaxCentered(), tfb.FillTriangular(), tfb.Invert(tfb.Exp())):
        y = made.forward(x)
        parts += [y, made.inverse(tf.identity(y)), made.forward_log_det_jacobian(x, event_ndims=1)]
    flow = tfd.TransformedDistribution(tfd.MultivariateNormalDiag([0., 0., 0.]), tfb.Chain([tfb.Exp(), tfb.Affine(scale_tril=[[1., 0., 0.], [0.5, 1., 0.], [0.1, 0.2, 2.]])]))
    parts.append(flow.log_prob(np.exp(x)))
    return tf.concat([tf.reshape(p, [-1]) for p in parts], 0)


def chains():
    """A short chain of Hamiltonian Monte Carlo, step after step (else the order of random numbers is undefined); means of long ones with adapted steps and by random walks."""
    target = tfd.MultivariateNormalTriL([1., -1.], [[1., 0.], [0.6, 0.8]])
    kernel = tfp.mcmc.HamiltonianMonteCarlo(target.log_prob, step_size=0.2, num_leapfrog_steps=3, seed=5)
    short = tfp.mcmc.sample_chain(8, current_state=tf.zeros([3, 2]), kernel=kernel, trace_fn=None, parallel_iterations=1)
    adaptive = tfp.mcmc.SimpleStepSizeAdaptation(kernel, num_adaptation_steps=80)
    samples, trace = tfp.mcmc.sample_chain(400, current_state=tf.zeros([20, 2]), kernel=adaptive, num_burnin_steps=100, trace_fn=lambda _, r: r.inner_results.is_accepted)
    walk = tfp.mcmc.sample_chain(200, current_state=tf.zeros([20, 2]), kernel=tfp.mcmc.RandomWalkMetropolis(target.log_prob, seed=3), num_burnin_steps=50, trace_fn=None)
    return short, tf.reduce_mean(samples, [0, 1]), tf.reduce_mean(tf.cast(trace, tf.float32)), tf.reduce_mean(walk, [0, 1]), tfp.mcmc.potential_scale_reduction(samples)


def main():
    tf.set_random_seed(7)
    with tf.Session() as session:
        for name, made in (("distributions", distributions()), ("bijectors", bijectors())):
            record.result(name, session.run(made))
        short, mean, accepted, walked, scale = session.run(chains())
        record.result("chain", short)
        # Rounding makes long paths part, so their means are compared roughly.
        assert np.allclose(mean, [1., -1.], atol=0.15) and 0.5 < accepted <= 1. and np.allclose(walked, [1., -1.], atol=0.4) and np.all(scale < 1.1), (mean, accepted, walked, scale)

    # Variational inference: a surrogate posterior of a regression's weights.
    random = np.random.RandomState(0)
    x = random.randn(40, 2).astype(np.float32)
    y = (x.dot([[1.5], [-0.7]]) + 0.1 * random.randn(40, 1)).astype(np.float32)
    with tf.Graph().as_default(), tf.Session() as session:
        tf.set_random_seed(3)
        location, scale = tf.Variable([0., 0.]), tf.compat.v2.Variable([-2., -2.])
        posterior = tfd.MultivariateNormalDiag(location, tfp.util.DeferredTensor(tf.nn.softplus, scale))
        noise = tf.constant(np.random.RandomState(1).randn(10, 2).astype(np.float32))
        weights = posterior.mean() + posterior.stddev() * noise
        likelihood = tf.reduce_sum(tfd.Normal(tf.matmul(weights, x, transpose_b=True), 0.1).log_prob(y[:, 0]), -1)
        prior = tf.reduce_sum(tfd.Normal(0., 1.).log_prob(weights), -1)
        loss = tf.reduce_mean(posterior.log_prob(weights) - prior - likelihood)
        train = tf.train.AdamOptimizer(0.05).minimize(loss)
        session.run(tf.global_variables_initializer())
        for _ in range(20):
            record.loss(session.run([loss, train])[0])
        record.result("posterior", session.run([posterior.mean(), posterior.stddev()]))

    # A network with Keras's layers and a normal distribution as output, saved and restored.
    folder = tempfile.mkdtemp()

    def network():
        inputs = tf.placeholder(tf.float32, [None, 2])
        hidden = tf.keras.layers.Dense(8, activation="tanh", kernel_initializer=tf.keras.initializers.glorot_uniform(seed=1))(inputs)
        parameters = tf.keras.layers.Dense(2, kernel_initializer=tf.keras.initializers.glorot_uniform(seed=2))(hidden)
        return inputs, tfd.Normal(parameters[:, :1], 0.05 + tf.nn.softplus(parameters[:, 1:]))

    with tf.Graph().as_default(), tf.Session() as session:
        inputs, output = network()
        loss = -tf.reduce_mean(output.log_prob(y))
        train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
        session.run(tf.global_variables_initializer())
        for _ in range(10):
            record.loss(session.run([loss, train], {inputs: x})[0])
        before = session.run(output.mean(), {inputs: x})
        tf.train.Saver().save(session, os.path.join(folder, "model"))
    with tf.Graph().as_default(), tf.Session() as session:
        inputs, output = network()
        tf.train.Saver().restore(session, os.path.join(folder, "model"))
        record.same("restored", before, session.run(output.mean(), {inputs: x}))
    record.done(tfp.__version__)


main()
