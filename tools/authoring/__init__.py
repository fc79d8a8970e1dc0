"""What an author needs to write, run and check the course's notebooks."""
