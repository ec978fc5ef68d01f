"""The test kit: stacked deals, scripted players, and games that the referee always checks.

    game = quiet_game("fox", "bear")
    game.age({0: [draw("rabbit:green"), play("rabbit:green"), ...], 1: [...]})
    played = game.play()

A script is a list of answers in the order in which they are needed. Cards that a script draws are
put into the deck where they will be drawn. When all scripts of an age are done, the players draw
until the dragons end the age; the dragons then come next. `SoloGame` is the same for one player and
Bruno.
"""
