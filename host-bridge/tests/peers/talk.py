"""The services' own Python clients against the practice endpoints, and their request types against our bodies.

Called with the bridge's origin, its token, and the files of bodies, `anthropic=FILE` or `openai=FILE`. Prints one line for
each thing that held; anything that did not is an exception.
"""

import json
import sys

import anthropic
import openai
from anthropic.types import ContentBlockParam, MessageParam, ToolParam
from anthropic.types.message_create_params import MessageCreateParamsNonStreaming, MessageCreateParamsStreaming
from openai.types.chat import ChatCompletionMessageParam, ChatCompletionToolParam
from openai.types.chat.completion_create_params import (
    CompletionCreateParamsNonStreaming,
    CompletionCreateParamsStreaming,
)
from pydantic import TypeAdapter

origin, token, *bodies = sys.argv[1:]
MODEL = "practice/list-python-files"
SCHEMA = {"type": "object", "properties": {"command": {"type": "string"}}, "required": ["command"]}
QUESTION = {"role": "user", "content": "List the Python files in the current directory"}

claude = anthropic.Anthropic(
    base_url=f"{origin}/practice/anthropic", api_key=token, max_retries=0, timeout=30, _strict_response_validation=True
)
gpt = openai.OpenAI(
    base_url=f"{origin}/practice/openai/v1", api_key=token, max_retries=0, timeout=30, _strict_response_validation=True
)


def messages_answer(streamed, messages):
    request = dict(
        model=MODEL,
        max_tokens=500,
        messages=messages,
        tools=[{"name": "bash", "description": "Run a command.", "input_schema": SCHEMA}],
    )
    if not streamed:
        return claude.messages.create(**request)
    with claude.messages.stream(**request) as stream:
        text = "".join(stream.text_stream)
        message = stream.get_final_message()
    assert text == "".join(block.text for block in message.content if block.type == "text")
    return message


def messages_loop(streamed):
    first = messages_answer(streamed, [QUESTION])
    assert first.stop_reason == "tool_use", first
    assert first.usage.input_tokens > 0 and first.usage.output_tokens > 0, first
    calls = [block for block in first.content if block.type == "tool_use"]
    assert calls and all(isinstance(call.input["command"], str) for call in calls), first
    results = [{"type": "tool_result", "tool_use_id": call.id, "content": "app.py\nwords.py"} for call in calls]
    last = messages_answer(
        streamed, [QUESTION, {"role": "assistant", "content": first.content}, {"role": "user", "content": results}]
    )
    assert last.stop_reason == "end_turn" and "app.py" in last.content[0].text, last


def completions_answer(streamed, messages):
    request = dict(
        model=MODEL,
        messages=messages,
        tools=[{"type": "function", "function": {"name": "bash", "description": "d", "parameters": SCHEMA}}],
    )
    if not streamed:
        return gpt.chat.completions.create(**request).choices[0]
    with gpt.chat.completions.stream(**request, stream_options={"include_usage": True}) as stream:
        for _ in stream:
            pass
        completion = stream.get_final_completion()
    assert completion.usage.completion_tokens > 0, completion
    return completion.choices[0]


def completions_loop(streamed):
    first = completions_answer(streamed, [QUESTION])
    assert first.finish_reason == "tool_calls", first
    calls = first.message.tool_calls
    assert calls and all(isinstance(json.loads(call.function.arguments)["command"], str) for call in calls), first
    asking = {
        "role": "assistant",
        "content": first.message.content,
        "tool_calls": [
            {"id": call.id, "type": "function", "function": {"name": call.function.name, "arguments": call.function.arguments}}
            for call in calls
        ],
    }
    results = [{"role": "tool", "tool_call_id": call.id, "content": "app.py\nwords.py"} for call in calls]
    last = completions_answer(streamed, [QUESTION, asking, *results])
    assert last.finish_reason == "stop" and "app.py" in last.message.content, last


def refused(kind, ask):
    try:
        ask()
    except kind as error:
        assert str(error), error
    else:
        raise AssertionError(f"no {kind.__name__}")


def legal(shape, value, what):
    """Whether a value is of a type, without keys that the type does not have."""
    TypeAdapter(shape).validate_python(value)
    known = getattr(shape, "__annotations__", {})
    unknown = set(value) - set(known) if known else set()
    assert not unknown, f"{what}: unknown {unknown}"


def anthropic_body(body):
    legal(MessageCreateParamsStreaming if body.get("stream") else MessageCreateParamsNonStreaming, body, "body")
    for message in body["messages"]:
        legal(MessageParam, message, "message")
        for block in message["content"] if isinstance(message["content"], list) else []:
            legal(ContentBlockParam, block, "block")
    for tool in body.get("tools", []):
        legal(ToolParam, tool, "tool")


def openai_body(body):
    legal(CompletionCreateParamsStreaming if body.get("stream") else CompletionCreateParamsNonStreaming, body, "body")
    for message in body["messages"]:
        legal(ChatCompletionMessageParam, message, "message")
        for call in message.get("tool_calls", []):
            assert isinstance(call["function"]["arguments"], str), call
    for tool in body.get("tools", []):
        legal(ChatCompletionToolParam, tool, "tool")


for streamed in (False, True):
    messages_loop(streamed)
    completions_loop(streamed)
    print("loop", "streamed" if streamed else "whole")
refused(anthropic.RateLimitError, lambda: claude.messages.create(model="practice/fault-429", max_tokens=9, messages=[QUESTION]))
refused(openai.RateLimitError, lambda: gpt.chat.completions.create(model="practice/fault-429", messages=[QUESTION]))
refused(
    anthropic.BadRequestError,
    lambda: claude.messages.create(model=MODEL, max_tokens=9, messages=[{"role": "user", "content": ""}]),
)
print("refusals")
assert MODEL in [model.id for model in claude.models.list()]
assert MODEL in [model.id for model in gpt.models.list()]
print("models")
for body in bodies:
    dialect, _, file = body.partition("=")
    told = json.load(open(file, encoding="utf-8"))
    (anthropic_body if dialect == "anthropic" else openai_body)(told)
print("bodies", len(bodies))
