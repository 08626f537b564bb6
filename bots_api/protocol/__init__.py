"""What is said to bots and what they answer: messages, replies, their schemas, signatures."""
