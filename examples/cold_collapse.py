# SPDX-License-Identifier: MIT
# %% [markdown]
# # The collapse of a cold sphere
#
# 2048 equal bodies fill a sphere of radius 1 and mass 1, at rest.  They fall, meet in the middle after
# $t = \pi \sqrt{R^3 / 8 G M} = 1.11$, and a cluster stays behind.  The library computes acceleration and jerk; the
# fourth-order Hermite scheme (Makino & Aarseth 1992) with one time step for all bodies is written out here.
#
# The cells run in any editor that knows `# %%`, or all at once: `python3 cold_collapse.py [PICTURE]`.

# %%
import sys

import matplotlib.pyplot as plt
import numpy as np

import g6gpu

n, eps2, eta, t_end = 2048, 0.05**2, 0.05, 2.0
picture = sys.argv[1] if len(sys.argv) > 1 and not sys.argv[0].endswith("ipykernel_launcher.py") else None

# %% A uniform sphere at rest.
rng = np.random.default_rng(1)
x = rng.normal(size=(n, 3))
x *= (rng.random(n) ** (1 / 3) / np.linalg.norm(x, axis=1))[:, None]
v = np.zeros((n, 3))
mass = np.full(n, 1 / n)
index = np.arange(n, dtype=np.int32)


# %% One step: the predictor of the library, the corrector here.
def force(cluster, t, x, v):
    return cluster.acceleration(x, v, t=t, eps2=eps2, index=index, nearest=False)


def energy(v, f):
    return 0.5 * (mass * (v**2).sum(1)).sum() + 0.5 * (mass * f.pot).sum()


def step(cluster, t, dt, x, v, f):
    """Particles and their force at t + dt.  A corrected particle is the end of a cubic through both accelerations."""
    cluster.set_particles(mass, x, v, t=t, a2=f.acc / 2, j6=f.jerk / 6)
    xp, vp = cluster.predict(t + dt)
    new = force(cluster, t + dt, xp, vp)
    v1 = v + dt / 2 * (f.acc + new.acc) + dt**2 / 12 * (f.jerk - new.jerk)
    x1 = x + dt / 2 * (v + v1) + dt**2 / 12 * (f.acc - new.acc)
    return x1, v1, new


# %% The run: a step is a fraction of the shortest time in which an acceleration changes.
t, times, radii, pictures = 0.0, [], [], {}
with g6gpu.Cluster(precision="mixed") as cluster:
    print("computing on", cluster.backend)
    cluster.set_particles(mass, x, v)
    f = force(cluster, 0.0, x, v)
    first = energy(v, f)
    while t < t_end:
        times.append(t)
        radii.append(np.quantile(np.linalg.norm(x - x.mean(0), axis=1), (0.1, 0.5, 0.9)))
        for moment in (0.0, 1.1):
            if t >= moment:
                pictures.setdefault(moment, (t, x))
        change = np.linalg.norm(f.jerk, axis=1).max()
        dt = min(0.02, eta * np.linalg.norm(f.acc, axis=1).max() / change if change > 0 else 0.01, t_end - t)
        x, v, f = step(cluster, t, dt, x, v, f)
        t += dt
pictures[t_end] = t, x
error = (energy(v, f) - first) / abs(first)
print(f"{len(times)} steps, energy error {error:.1e}")
assert abs(error) < 1e-2, "energy is not conserved"

# %% Radii with 10, 50 and 90 % of the mass, and the sphere at three times.
figure, axes = plt.subplots(1, 4, figsize=(14, 3.5), constrained_layout=True)
for line, label in zip(np.transpose(radii), ("10 %", "50 %", "90 %")):
    axes[0].plot(times, line, label=label)
axes[0].set(xlabel="time", ylabel="radius", yscale="log", title="spheres with parts of the mass")
axes[0].legend()
for axis, (when, places) in zip(axes[1:], pictures.values()):
    axis.scatter(*places.T[:2], s=1, alpha=0.5, linewidths=0)
    axis.set(xlim=(-1.2, 1.2), ylim=(-1.2, 1.2), aspect="equal", title=f"t = {when:.2f}")
if picture:
    figure.savefig(picture, dpi=100)
else:
    plt.show()
