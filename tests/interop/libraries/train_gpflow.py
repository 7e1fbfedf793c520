"""GPflow 1.5: exact, sparse and variational Gaussian processes, optimized by SciPy and by Adam, saved and loaded."""

import os
import tempfile

import gpflow
import numpy as np
import tensorflow as tf

import record


def data():
    random = np.random.RandomState(3)
    x = np.sort(random.rand(20, 1) * 6, 0)
    return x, np.sin(x) + 0.1 * random.randn(20, 1)


def main():
    x, y = data()
    grid = np.linspace(0, 6, 9)[:, None]
    with gpflow.defer_build():
        model = gpflow.models.GPR(x, y, kern=gpflow.kernels.RBF(1) + gpflow.kernels.Linear(1, variance=0.1))
        model.likelihood.variance = 0.05
        model.kern.kernels[0].lengthscales.prior = gpflow.priors.Gamma(2., 1.)
    model.compile()
    record.loss(-model.compute_log_likelihood())
    gpflow.train.ScipyOptimizer().minimize(model, maxiter=8, disp=False)
    record.loss(-model.compute_log_likelihood())
    mean, variance = model.predict_y(grid)
    record.result("exact", np.concatenate([mean, variance]))
    path = os.path.join(tempfile.mkdtemp(), "model")
    gpflow.Saver().save(path, model)
    with tf.Graph().as_default(), tf.Session().as_default():
        again = gpflow.Saver().load(path)
        again.compile()
        record.same("restored", mean, again.predict_y(grid)[0])

    gpflow.reset_default_graph_and_session()
    sparse = gpflow.models.SVGP(x, y, gpflow.kernels.Matern52(1, ARD=True), gpflow.likelihoods.StudentT(), Z=x[::3].copy(), whiten=True)
    sparse.feature.trainable = False
    optimizer = gpflow.train.AdamOptimizer(0.02)
    for _ in range(6):
        optimizer.minimize(sparse, maxiter=3)
        record.loss(-sparse.compute_log_likelihood())
    record.result("sparse", np.concatenate(sparse.predict_f(grid)))

    gpflow.reset_default_graph_and_session()
    labels = (y > 0).astype(float)
    classes = gpflow.models.VGP(x, labels, gpflow.kernels.Periodic(1), gpflow.likelihoods.Bernoulli())
    gradient = gpflow.train.NatGradOptimizer(0.3)
    classes.q_mu.trainable = classes.q_sqrt.trainable = False
    for _ in range(3):
        gradient.minimize(classes, maxiter=1, var_list=[(classes.q_mu, classes.q_sqrt)])
        record.loss(-classes.compute_log_likelihood())
    record.result("classes", classes.predict_y(grid)[0])
    record.done(gpflow.__version__)


main()
