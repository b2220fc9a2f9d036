//! The heart of Loopglass: the agent loop, its log, the wire formats and the tool contract.
