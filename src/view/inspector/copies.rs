//! A request as something that can be run elsewhere: by curl, or by the service's own Python client. The key is never in
//! it; the shell and Python take it from the variable that the service's own tools take it from.

use std::fmt::Write;

use agent_loop::Dialect;
use agent_loop::wire::{read_json, written_json};
use serde_json::Value;

/// A request as it was sent.
pub(crate) struct Sent<'a> {
    /// Where to.
    pub(crate) url: &'a str,
    /// The headers; the key redacted.
    pub(crate) headers: &'a [(String, String)],
    /// The body: JSON in one line.
    pub(crate) body: &'a str,
}

impl Sent<'_> {
    /// The dialect it speaks, as its address says.
    fn dialect(&self) -> Dialect {
        if self.url.ends_with("/chat/completions") { Dialect::OpenAi } else { Dialect::Anthropic }
    }

    /// For a POSIX shell.
    pub(crate) fn curl(&self) -> String {
        let mut text = format!("curl --no-buffer {}", in_single_quotes(self.url));
        for (name, value) in self.headers {
            let header = match name.as_str() {
                "x-api-key" => "\"x-api-key: $ANTHROPIC_API_KEY\"".to_owned(),
                "authorization" => "\"authorization: Bearer $OPENAI_API_KEY\"".to_owned(),
                _ => in_single_quotes(&format!("{name}: {value}")),
            };
            // Writing to a text cannot fail.
            let _ = write!(text, " \\\n  -H {header}");
        }
        // The body is one line and so cannot be the line that ends it.
        let _ = writeln!(text, " \\\n  --data-binary @- <<'JSON'\n{}\nJSON", self.body.replace(['\n', '\r'], " "));
        text
    }

    /// For Python, with the package `anthropic` or `openai`. `None`: the body is not a JSON object.
    pub(crate) fn python(&self) -> Option<String> {
        let body: Value = read_json(self.body.as_bytes()).ok()?;
        let streams = body.get("stream") == Some(&Value::Bool(true));
        let (package, client, variable, path, create) = match self.dialect() {
            Dialect::Anthropic => ("anthropic", "Anthropic", "ANTHROPIC_API_KEY", "/v1/messages", "messages.create"),
            Dialect::OpenAi => ("openai", "OpenAI", "OPENAI_API_KEY", "/chat/completions", "chat.completions.create"),
        };
        let base_url = self.url.strip_suffix(path).unwrap_or(self.url);
        let mut request = String::new();
        literal(body.as_object().map(|_| &body)?, 0, &mut request);
        let shows = if streams { "for event in answer:\n    print(event)" } else { "print(answer)" };
        Some(format!(
            "import os\n\nfrom {package} import {client}\n\nclient = {client}(api_key=os.environ.get(\"{variable}\", \
             \"none\"), base_url={})\n\nrequest = {request}\n\nanswer = client.{create}(**request)\n{shows}\n",
            Value::from(base_url)
        ))
    }
}

/// A word for a POSIX shell.
fn in_single_quotes(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}

/// A value as Python writes it. A JSON text is a Python text, with the same escapes.
fn literal(value: &Value, depth: usize, out: &mut String) {
    let inner = "    ".repeat(depth + 1);
    let outer = "    ".repeat(depth);
    match value {
        Value::Null => out.push_str("None"),
        Value::Bool(true) => out.push_str("True"),
        Value::Bool(false) => out.push_str("False"),
        Value::Number(_) | Value::String(_) => out.push_str(&value.to_string()),
        Value::Array(items) if items.is_empty() => out.push_str("[]"),
        Value::Object(fields) if fields.is_empty() => out.push_str("{}"),
        // A number that is kept as it was written.
        Value::Object(fields) if fields.len() == 1 && !written_json(value).starts_with('{') => {
            out.push_str(&written_json(value));
        }
        Value::Array(items) => {
            out.push_str("[\n");
            for item in items {
                out.push_str(&inner);
                literal(item, depth + 1, out);
                out.push_str(",\n");
            }
            out.push_str(&outer);
            out.push(']');
        }
        Value::Object(fields) => {
            out.push_str("{\n");
            for (name, field) in fields {
                let _ = write!(out, "{inner}{}: ", Value::from(name.as_str()));
                literal(field, depth + 1, out);
                out.push_str(",\n");
            }
            out.push_str(&outer);
            out.push('}');
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Sent;

    fn headers(key: (&str, &str)) -> Vec<(String, String)> {
        [("content-type", "application/json"), key].map(|(name, value)| (name.to_owned(), value.to_owned())).to_vec()
    }

    #[track_caller]
    fn check(url: &str, key: (&str, &str), body: &str, curl: &str, python: Option<&str>) {
        let sent = Sent { url, headers: &headers(key), body };
        assert_eq!(sent.curl(), curl);
        assert_eq!(sent.python().as_deref(), python);
    }

    #[test]
    fn what_is_copied_can_be_run_and_has_no_key_in_it() {
        check(
            "http://localhost/it's/v1/messages",
            ("x-api-key", "…"),
            r#"{"model":"a","stream":true,"messages":[{"role":"user","content":"say 'hi' \"$HOME\" `id`\nJSON\n"}]}"#,
            concat!(
                "curl --no-buffer 'http://localhost/it'\\''s/v1/messages' \\\n",
                "  -H 'content-type: application/json' \\\n",
                "  -H \"x-api-key: $ANTHROPIC_API_KEY\" \\\n",
                "  --data-binary @- <<'JSON'\n",
                r#"{"model":"a","stream":true,"messages":[{"role":"user","content":"say 'hi' \"$HOME\" `id`\nJSON\n"}]}"#,
                "\nJSON\n",
            ),
            Some(concat!(
                "import os\n\nfrom anthropic import Anthropic\n\n",
                "client = Anthropic(api_key=os.environ.get(\"ANTHROPIC_API_KEY\", \"none\"), ",
                "base_url=\"http://localhost/it's\")\n\n",
                "request = {\n    \"model\": \"a\",\n    \"stream\": True,\n    \"messages\": [\n        {\n",
                "            \"role\": \"user\",\n",
                "            \"content\": \"say 'hi' \\\"$HOME\\\" `id`\\nJSON\\n\",\n        },\n    ],\n}\n\n",
                "answer = client.messages.create(**request)\nfor event in answer:\n    print(event)\n",
            )),
        );
        check(
            "https://api.example/v1/chat/completions",
            ("authorization", "Bearer …"),
            r#"{"model":"a","tools":[],"x":null,"y":{},"z":1.10}"#,
            concat!(
                "curl --no-buffer 'https://api.example/v1/chat/completions' \\\n",
                "  -H 'content-type: application/json' \\\n",
                "  -H \"authorization: Bearer $OPENAI_API_KEY\" \\\n",
                "  --data-binary @- <<'JSON'\n{\"model\":\"a\",\"tools\":[],\"x\":null,\"y\":{},\"z\":1.10}\nJSON\n",
            ),
            Some(concat!(
                "import os\n\nfrom openai import OpenAI\n\n",
                "client = OpenAI(api_key=os.environ.get(\"OPENAI_API_KEY\", \"none\"), ",
                "base_url=\"https://api.example/v1\")\n\n",
                "request = {\n    \"model\": \"a\",\n    \"tools\": [],\n    \"x\": None,\n    \"y\": {},\n    \"z\": 1.10,\n}\n\n",
                "answer = client.chat.completions.create(**request)\nprint(answer)\n",
            )),
        );
        check(
            "https://api.example/v1/messages",
            ("accept", "*/*"),
            "not JSON",
            concat!(
                "curl --no-buffer 'https://api.example/v1/messages' \\\n  -H 'content-type: application/json' \\\n",
                "  -H 'accept: */*' \\\n  --data-binary @- <<'JSON'\nnot JSON\nJSON\n",
            ),
            None,
        );
    }
}
