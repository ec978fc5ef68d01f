"""The canary: a new rule value, estimand, strategy or option that lacks something fails only here.

If it fails, a run of all tests leaves out all others (`conftest.py`), because they would only
repeat it.
"""

import names


def test_every_rule_value_column_estimand_strategy_and_option_has_what_it_needs() -> None:
    assert not names.missing(), "\n" + "\n".join(names.missing())
