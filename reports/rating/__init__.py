"""What tournaments say: ratings, cycles, the equilibrium mixture."""
