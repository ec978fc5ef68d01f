"""Named ways to make one event of a legal trace illegal, each with the rule that must catch it."""

from referee.mutations import ends, powers, turns
from referee.mutations.registry import MUTATIONS, Mutation, sites

__all__ = ["MUTATIONS", "Mutation", "ends", "powers", "sites", "turns"]
