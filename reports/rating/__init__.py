"""What tournaments say: win shares, and who beats whom."""
