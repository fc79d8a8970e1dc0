"""What a reader sees: plots, diagrams, pictures with sliders, and a verdict as text or HTML."""
