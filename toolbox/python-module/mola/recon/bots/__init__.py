"""Mola's bots as players of reconchess: in its own `LocalGame`, and in `rc-bot-match` as modules.

    rc-bot-match mola.recon.bots.trout_bot reconchess.bots.random_bot

Where reconchess is not installed, they play in the games of `mola.recon`.
"""

from .attacker_bot import AttackerBot as AttackerBot
from .mola_bot import MolaBot as MolaBot
from .random_bot import RandomBot as RandomBot
from .trout_bot import TroutBot as TroutBot
