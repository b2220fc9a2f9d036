//! The models an endpoint lists: where they are asked for, and what the answer says. Both dialects have `GET …/models`.

use serde_json::Value;

use crate::settings::{Dialect, Settings};
use crate::wire::base_url::read_base_url;
use crate::wire::failure::{FailureKind, ModelFailure, excerpt, failure_of_payload};
use crate::wire::json::{read, text};

/// The URL to be asked by GET, with the headers of any request but `content-type`. `None`: the address is none.
pub fn models_url(settings: &Settings) -> Option<String> {
    let dialect = settings.profile.dialect;
    let url = read_base_url(&settings.base_url, dialect).ok()?.url(dialect, "models");
    let page = match (dialect, url.contains('?')) {
        (Dialect::OpenAi, _) => "",
        // The most that one page may hold.
        (Dialect::Anthropic, false) => "?limit=1000",
        (Dialect::Anthropic, true) => "&limit=1000",
    };
    Some(format!("{url}{page}"))
}

/// The names in an answer with status 200, in its order and each once.
pub fn read_models(body: &[u8]) -> Result<Vec<String>, ModelFailure> {
    let foreign = || ModelFailure::new(FailureKind::NotThisDialect, excerpt(body));
    let payload = read(body).map_err(|_| foreign())?;
    if let Some(failure) = failure_of_payload(&payload) {
        return Err(failure);
    }
    // A bare list (Together), or `data`; `models` is what the native interfaces of Ollama and Gemini have.
    let list =
        payload.as_array().or_else(|| ["data", "models"].into_iter().find_map(|key| payload.get(key)?.as_array()));
    let mut names: Vec<String> = Vec::new();
    for entry in list.ok_or_else(foreign)? {
        let name = match entry {
            Value::String(name) => name.as_str(),
            entry => ["id", "name", "model"]
                .map(|key| text(entry, key))
                .into_iter()
                .find(|name| !name.is_empty())
                .unwrap_or(""),
        };
        if !name.is_empty() && !names.iter().any(|known| known == name) {
            names.push(name.to_owned());
        }
    }
    Ok(names)
}

#[cfg(test)]
mod tests {
    use super::read_models;
    use crate::wire::failure::FailureKind;

    #[test]
    fn names_are_read_from_every_shape() {
        let check =
            |body: &str, expected: &[&str]| assert_eq!(read_models(body.as_bytes()).unwrap(), expected, "{body}");
        check(r#"{"object":"list","data":[{"id":"b","object":"model"},{"id":"a"},{"id":"b"}]}"#, &["b", "a"]);
        check(r#"{"data":[{"type":"model","id":"claude-x","display_name":"X"}],"has_more":false}"#, &["claude-x"]);
        check(r#"[{"id":"t/m","type":"chat"}]"#, &["t/m"]);
        check(r#"{"models":[{"name":"qwen:7b","model":"qwen:7b"}]}"#, &["qwen:7b"]);
        check(r#"{"data":[]}"#, &[]);
        check(r#"["a",{"x":1}]"#, &["a"]);
    }

    #[test]
    fn what_lists_no_models_is_a_failure() {
        let check = |body: &str, kind| assert_eq!(read_models(body.as_bytes()).unwrap_err().kind, kind, "{body}");
        check("<html></html>", FailureKind::NotThisDialect);
        check(r#"{"x":1}"#, FailureKind::NotThisDialect);
        check(r#"{"error":{"message":"Invalid API key","code":"invalid_api_key"}}"#, FailureKind::Authentication);
    }
}
