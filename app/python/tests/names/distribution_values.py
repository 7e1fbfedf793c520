# Values of distributions, and their samples for given seeds.
D = tf.distributions
all_of = [D.Gamma([1.5, 2.0], 3.0), D.Exponential([1.0, 2.0]), D.Beta(2.0, [3.0, 4.0]), D.StudentT(3.0, [0.0, 1.0], 2.0)]
more = [D.Dirichlet([1.5, 2.0, 3.0]), D.Multinomial(4.0, probs=[0.2, 0.3, 0.5]), D.DirichletMultinomial(4.0, [1.0, 2.0, 2.0])]
with tf.Session() as s:
    for d in all_of:
        show(s.run([d.sample(2, seed=1), d.prob(0.25), d.cdf(0.25), d.mean(), d.variance(), d.stddev(), d.mode(), d.entropy(), d.log_survival_function(0.25)]))
    for d, x in zip(more, ([0.2, 0.3, 0.5], [1.0, 1.0, 2.0], [1.0, 1.0, 2.0])):
        show(s.run([d.sample(2, seed=1), d.log_prob(x), d.mean(), d.variance(), d.covariance()]))
    show(s.run([D.kl_divergence(all_of[0], D.Gamma(1.0, 2.0)), D.kl_divergence(all_of[2], D.Beta(1.0, 1.0)), more[0].kl_divergence(D.Dirichlet([1.0, 1.0, 1.0]))]))
