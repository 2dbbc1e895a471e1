"""What a View says, in words: accounts, questions, boards and rules, for any reader of text."""
