import json, os, subprocess
from openai import OpenAI

client = OpenAI()  # OPENAI_API_KEY, OPENAI_BASE_URL
MODEL = os.environ["MODEL_ID"]
SYSTEM = f"You are a coding agent at {os.getcwd()}. Use bash to solve tasks. Act, don't explain."
TOOLS = [{"type": "function", "function": {
    "name": "bash",
    "description": "Run a shell command.",
    "parameters": {"type": "object", "properties": {"command": {"type": "string"}}, "required": ["command"]},
}}]

def bash(command):
    if input(f"$ {command}\nAllow? [y/N] ") != "y":
        return "Error: Denied by the user; nothing was run."
    ran = subprocess.run(command, shell=True, capture_output=True, text=True, timeout=120)
    return (ran.stdout + ran.stderr).strip()[:50_000] or "(no output)"

def run_one_turn(state):
    # Prepare messages and tools: the system prompt goes first, and is not stored.
    messages = [{"role": "system", "content": SYSTEM}, *state["messages"]]
    # Call the model.
    answer = client.chat.completions.create(model=MODEL, messages=messages, tools=TOOLS).choices[0].message
    # Save the assistant message, whole, its nulls left out.
    state["messages"].append(answer.model_dump(exclude_none=True))
    # Check.
    if not answer.tool_calls:
        state["transition_reason"] = None
        return False
    # Run the handler, append the result: one tool message for each call.
    for call in answer.tool_calls:
        output = bash(json.loads(call.function.arguments)["command"])
        state["messages"].append({"role": "tool", "tool_call_id": call.id, "content": output})
    # Go round.
    state["turn_count"] += 1
    state["transition_reason"] = "tool_result"
    return True

def agent_loop(state):
    while run_one_turn(state):
        pass

state = {"messages": [{"role": "user", "content": input("> ")}], "turn_count": 1, "transition_reason": None}
agent_loop(state)
print(state["messages"][-1]["content"])
