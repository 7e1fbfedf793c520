"""Three small environments under gym's names: a pole on a cart, a pendulum, a car between hills.

The physics are the textbooks' equations of motion; each world draws from its own generator, so both engines see the same.
"""
import math

import numpy as np


__version__ = "0.10.5"


class Box:
    def __init__(self, low, high):
        self.low, self.high = np.asarray(low, np.float32), np.asarray(high, np.float32)
        self.shape = self.low.shape

    def sample(self):
        return np.random.uniform(self.low, self.high).astype(np.float32)


class Discrete:
    def __init__(self, n):
        self.n = n
        self.shape = ()

    def sample(self):
        return np.random.randint(self.n)


class World:
    limit = 200

    def __init__(self):
        self.seed(0)
        self.steps = 0

    @property
    def unwrapped(self):
        return self

    def seed(self, seed=None):
        self.random = np.random.RandomState(seed)
        return [seed]

    def render(self, *args, **kwargs):
        pass

    def close(self):
        pass

    def reset(self):
        self.steps = 0
        self.begin()
        return self.look()

    def step(self, action):
        self.steps += 1
        reward, done = self.move(action)
        return self.look(), reward, done or self.steps >= self.limit, {}


class CartPole(World):
    x_threshold = 2.4
    theta_threshold_radians = 12 * math.pi / 180

    def __init__(self):
        World.__init__(self)
        self.action_space = Discrete(2)
        self.observation_space = Box([-4.8, -1e30, -0.42, -1e30], [4.8, 1e30, 0.42, 1e30])

    def begin(self):
        self.state = self.random.uniform(-0.05, 0.05, 4)

    def look(self):
        return np.array(self.state)

    def move(self, action):
        x, v, angle, spin = self.state
        push, sin, cos = (10.0 if action == 1 else -10.0), math.sin(angle), math.cos(angle)
        common = (push + 0.05 * spin * spin * sin) / 1.1
        turn = (9.8 * sin - cos * common) / (0.5 * (4.0 / 3 - 0.1 * cos * cos / 1.1))
        self.state = np.array([x + 0.02 * v, v + 0.02 * (common - 0.05 * turn * cos / 1.1), angle + 0.02 * spin, spin + 0.02 * turn])
        return 1.0, bool(abs(self.state[0]) > self.x_threshold or abs(self.state[2]) > self.theta_threshold_radians)


class Pendulum(World):
    def __init__(self):
        World.__init__(self)
        self.action_space = Box([-2.0], [2.0])
        self.observation_space = Box([-1.0, -1.0, -8.0], [1.0, 1.0, 8.0])

    def begin(self):
        self.angle, self.spin = self.random.uniform(-math.pi, math.pi), self.random.uniform(-1, 1)

    def look(self):
        return np.array([math.cos(self.angle), math.sin(self.angle), self.spin])

    def move(self, action):
        torque = float(np.clip(np.ravel(action)[0], -2, 2))
        angle = (self.angle + math.pi) % (2 * math.pi) - math.pi
        cost = angle * angle + 0.1 * self.spin * self.spin + 0.001 * torque * torque
        self.spin = float(np.clip(self.spin + 0.05 * (15 * math.sin(self.angle) + 3 * torque), -8, 8))
        self.angle += 0.05 * self.spin
        return -cost, False


class MountainCar(World):
    def __init__(self):
        World.__init__(self)
        self.action_space = Discrete(3)
        self.observation_space = Box([-1.2, -0.07], [0.6, 0.07])

    def begin(self):
        self.place, self.speed = self.random.uniform(-0.6, -0.4), 0.0

    def look(self):
        return np.array([self.place, self.speed])

    def move(self, action):
        self.speed = float(np.clip(self.speed + 0.001 * (int(action) - 1) - 0.0025 * math.cos(3 * self.place), -0.07, 0.07))
        self.place = float(np.clip(self.place + self.speed, -1.2, 0.6))
        if self.place <= -1.2:
            self.speed = max(self.speed, 0.0)
        return -1.0, self.place >= 0.5


def make(name):
    return {"CartPole": CartPole, "Pendulum": Pendulum, "MountainCar": MountainCar}[name.split("-")[0]]()


class wrappers:
    """gym.wrappers: recording wrappers return the environment unchanged."""

    @staticmethod
    def Monitor(world, *args, **kwargs):
        return world
