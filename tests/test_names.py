"""The canary: a new rule value, estimand, strategy or option fails here alone, with what it lacks.

Of a run of all tests this one is kept and the others are left out (`conftest.py`), as each of them
would only say the same.
"""

import names


def test_every_rule_value_column_estimand_strategy_and_option_has_what_it_needs() -> None:
    assert not names.missing(), "\n" + "\n".join(names.missing())
