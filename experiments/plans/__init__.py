"""What is played, frozen and hashed: cells, their cutting into shards, and looks at a target."""
