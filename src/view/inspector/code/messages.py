import os, subprocess
from anthropic import Anthropic

client = Anthropic()  # ANTHROPIC_API_KEY
MODEL = os.environ["MODEL_ID"]
SYSTEM = f"You are a coding agent at {os.getcwd()}. Use bash to solve tasks. Act, don't explain."
TOOLS = [{
    "name": "bash",
    "description": "Run a shell command.",
    "input_schema": {"type": "object", "properties": {"command": {"type": "string"}}, "required": ["command"]},
}]

def bash(command):
    if input(f"$ {command}\nAllow? [y/N] ") != "y":
        return "Error: Denied by the user; nothing was run."
    ran = subprocess.run(command, shell=True, capture_output=True, text=True, timeout=120)
    return (ran.stdout + ran.stderr).strip()[:50_000] or "(no output)"

def run_one_turn(state):
    # Prepare messages and tools.
    request = {"model": MODEL, "system": SYSTEM, "messages": state["messages"], "tools": TOOLS, "max_tokens": 8000}
    # Call the model.
    answer = client.messages.create(**request)
    # Save the assistant message, whole.
    state["messages"].append({"role": "assistant", "content": answer.content})
    # Check.
    if answer.stop_reason != "tool_use":
        state["transition_reason"] = None
        return False
    # Run the handler, append the result.
    calls = [block for block in answer.content if block.type == "tool_use"]
    results = [{"type": "tool_result", "tool_use_id": call.id, "content": bash(call.input["command"])} for call in calls]
    state["messages"].append({"role": "user", "content": results})
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
