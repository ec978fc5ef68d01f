"""Code that users write: strategies, and powers of their own.

It is read from a file (`loading`), looked at before it is compiled (`checking`), compiled with
bounded loops and checked indices (`generating`), shown copies of what it may not change (`showing`)
and, to find a fault, run by Python itself (`uncompiled`). What is the same for strategies and
powers is here.
"""
