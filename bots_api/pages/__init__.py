"""Pages about bots: who there is, what each has done, what its owner can do with it.

Every action is a plain form; what an owner may see, nobody else gets.
"""
