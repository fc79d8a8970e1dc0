"""What makes reading pages and decks of the lessons, to use without a kernel or a network."""
