"""The commands of `ethnos-sim`, one module each; a module exports its command as `command`."""
