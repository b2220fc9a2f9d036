// The two wire formats: what a person calls them, and where they differ on the page.
export const dialects = [
  {
    name: "Messages",
    /** The role of the message that carries results. */
    resultRole: "user",
    /** What the model gives as its reason when it is done. */
    done: "end_turn",
    /** What a fault says, by the scenario's id. */
    words: {
      "fault-401": "invalid x-api-key",
      "fault-403": "Your API key does not have permission to use this resource",
      "fault-429": "This request would exceed your rate limit",
      "fault-500": "Internal server error",
      "fault-529": "Overloaded",
      "fault-overflow": "prompt is too long",
      "fault-error-in-stream": "Overloaded",
    },
  },
  {
    name: "Chat Completions",
    resultRole: "tool",
    done: "stop",
    words: {
      "fault-401": "Incorrect API key provided",
      "fault-403": "You are not allowed to use this resource",
      "fault-429": "Rate limit reached for requests",
      "fault-500": "The server had an error while processing your request",
      "fault-529": "The engine is currently overloaded",
      "fault-overflow": "This model's maximum context length is 2 tokens",
      "fault-error-in-stream": "The engine is currently overloaded",
    },
  },
];
