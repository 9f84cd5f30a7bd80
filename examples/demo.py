"""Which measurements of a wine tell its grower, when a fifth of the labels are wrong?

Columns of noise are added and labels are spoiled on purpose, so that there is something to lose and something to find.
"""

import numpy as np
from sklearn.datasets import load_wine

from tamis import NoisyLabels, SequentialSelector
from tamis.datasets import flip_uniform

X, y = load_wine(return_X_y=True, as_frame=True)
rng = np.random.default_rng(0)
for j in range(1, 6):
    X[f"noise_{j}"] = rng.normal(size=len(X))
spoiled, changed = flip_uniform(y, 0.2, random_state=0)

audit = NoisyLabels(random_state=0).fit(X, spoiled)
share = float(audit.noise_rates_ @ audit.class_priors_)
suspects = audit.suspects(len(changed))
found = int(suspects["row"].isin(changed).sum())
print(f"{X.shape[0]} wines, {X.shape[1]} measurements (5 of them noise), {len(audit.classes_)} growers")
print(f"\nThe labels: {share:.0%} seem to be wrong (we spoiled {len(changed) / len(y):.0%}). The most doubtful ones:\n")
print(suspects.head(8).to_string(index=False, float_format="{:.2f}".format))
print(f"\nOf the {len(changed)} most doubtful, {found} are wrong indeed.")

selector = SequentialSelector(labels="noisy", n_features_to_select=5, random_state=0).fit(X, spoiled)
print("\nThe way down, one measurement less at each step (joint mutual information, nats):\n")
table = selector.path_.to_frame(X.columns)[["size", "removed", "score"]]
print(table.to_string(index=False, na_rep="-", float_format="{:.3f}".format))
clean = SequentialSelector(n_features_to_select=5).fit(X, y)
print(f"\nThe {selector.n_features_} kept:         {', '.join(selector.get_feature_names_out())}")
print(f"With all labels right: {', '.join(clean.get_feature_names_out())}")
