"""What a user asks to be played: specs, their parts and checks, the bundled ones beside them."""
