"""The only checker of X, y, memberships and parameters: validate at the door, trust inside.

An error names the parameter, the rule, what came, and the way out.
"""

from .answers import Answers, check_annotators, check_answers, check_long_answers, check_one_answer_each
from .classes import (
    SUM_TOLERANCE,
    check_class_counts,
    check_classes,
    check_known,
    check_known_classes,
    check_square,
    check_transition,
    codes_of,
    has_columns,
    width_of,
)
from .memberships import check_class_sizes, check_class_weights, check_memberships, check_same_classes
from .parameters import (
    check_beta,
    check_choice,
    check_count,
    check_features,
    check_length,
    check_n_features_to_select,
    check_positive,
    check_ring,
    check_share,
    check_threads,
)
from .samples import (
    check_apart,
    check_columns,
    check_dense,
    check_numeric,
    check_rows_match,
    check_samples,
    import_pandas,
    import_parquet,
)

__all__ = [
    "SUM_TOLERANCE",
    "Answers",
    "check_annotators",
    "check_answers",
    "check_apart",
    "check_beta",
    "check_choice",
    "check_class_counts",
    "check_class_sizes",
    "check_class_weights",
    "check_classes",
    "check_columns",
    "check_count",
    "check_dense",
    "check_features",
    "check_known",
    "check_known_classes",
    "check_length",
    "check_long_answers",
    "check_memberships",
    "check_n_features_to_select",
    "check_numeric",
    "check_one_answer_each",
    "check_positive",
    "check_ring",
    "check_rows_match",
    "check_same_classes",
    "check_samples",
    "check_share",
    "check_square",
    "check_threads",
    "check_transition",
    "codes_of",
    "has_columns",
    "import_pandas",
    "import_parquet",
    "width_of",
]
