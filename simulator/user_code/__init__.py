"""Code that users write: strategies and custom powers.

`loading` runs a user's file, `checking` looks for mistakes before compilation, `generating`
compiles with bounded loops and checked indices, and `shown_types` limits which fields of a record
the code sees. Strategies and powers share this package.
"""
