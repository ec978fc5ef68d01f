"""`python -m ethnos_sim`, the same as the `ethnos-sim` command."""

from ethnos_sim.main import main

if __name__ == "__main__":
    main()
