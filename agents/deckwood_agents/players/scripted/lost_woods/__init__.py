"""Lost Woods' scripted players."""
