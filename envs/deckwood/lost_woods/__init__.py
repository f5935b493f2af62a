"""Lost Woods, for two to six adventurers."""
