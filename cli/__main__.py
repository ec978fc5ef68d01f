"""The `ethnos-sim` command as `python -m ethnos_sim`."""

from ethnos_sim.main import main

if __name__ == "__main__":
    main()
