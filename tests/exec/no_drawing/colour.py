"""Like chalk.py beside it."""
from chalk import Nothing

Color = Nothing
