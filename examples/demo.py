"""Which measurements of a wine tell its grower? Columns of noise are added, so that there is something to lose."""

import numpy as np
from sklearn.datasets import load_wine

from tamis import SequentialSelector

X, y = load_wine(return_X_y=True, as_frame=True)
rng = np.random.default_rng(0)
for j in range(1, 6):
    X[f"noise_{j}"] = rng.normal(size=len(X))

selector = SequentialSelector(n_features_to_select=5).fit(X, y)

print(f"{X.shape[0]} wines, {X.shape[1]} measurements (5 of them noise), {len(selector.classes_)} growers")
print("\nThe way down, one measurement less at each step (joint mutual information, nats):\n")
print(selector.path_.to_frame(X.columns).to_string(index=False, na_rep="-", float_format="{:.3f}".format))
print(f"\nThe {selector.n_features_} kept: {', '.join(selector.get_feature_names_out())}")
