//! Commands in the background: offered where a session asks for them and its host has them, and refused elsewhere.

use agent_loop::settings::OfferTools;
use agent_loop::tool::{Layer, Outcome};
use agent_loop::{Offer, Rest, ToolSpec};
use serde_json::{Value, json};

use crate::script::{Reply, call, text};
use crate::world::{BOTH, World, bash_tool, settings};

const START: &str = r#"{"command": "serve", "background": true}"#;
const NOT_HERE: &str = "Error: invalid tool arguments - commands cannot go on in the background here";

/// A host that has a background.
fn with_background(world: &World) {
    let mut bash = bash_tool();
    bash.input_schema["properties"]["background"] = json!({"type": "boolean"});
    let read = ToolSpec { name: "bash_read".into(), ..bash_tool() };
    let read = ToolSpec { input_schema: json!({"type": "object", "required": ["id"]}), ..read };
    if let Offer::Ready(offered) = &mut *world.offer.borrow_mut() {
        offered.background = vec![bash, read];
    }
}

/// The tools that a request offers, by name.
fn offered(body: &[u8]) -> Vec<String> {
    let body: Value = serde_json::from_slice(body).unwrap();
    let name = |tool: &Value| tool["name"].as_str().or(tool["function"]["name"].as_str()).unwrap().to_owned();
    body["tools"].as_array().unwrap().iter().map(name).collect()
}

/// What comes of one call.
#[track_caller]
fn check(asked: Reply, offer: OfferTools, has_background: bool, tools: &[&str], outcome: Outcome, content: &str) {
    for dialect in BOTH {
        let world = World::new(dialect, [asked.clone(), text("done")]);
        if has_background {
            with_background(&world);
        }
        let mut knobs = settings(dialect);
        knobs.offer_tools = offer;
        let session = world.session(knobs);
        assert_eq!(world.run(&session), Rest::EndTurn);
        assert_eq!(offered(&world.sent.borrow()[0].body), tools, "{dialect:?}");
        let state = session.state();
        let results: Vec<_> = state.messages[2].tool_results().collect();
        assert_eq!((results[0].content.as_str(), &results[0].outcome), (content, &outcome), "{dialect:?}");
        assert_eq!(world.ran.borrow().len(), usize::from(outcome != Outcome::Refused(Layer::Validate)), "{dialect:?}");
    }
}

#[test]
fn where_it_is_switched_on_and_there_it_is_offered_and_answered_at_once() {
    let all = ["bash", "bash_read"];
    let started = "(started in the background as bg-1; bash_read with this id gives its output, bash_kill ends it, \
                   bash_list tells of all)";
    check(call("bash", START), OfferTools::WithBackground, true, &all, Outcome::Background, started);
    let read = "up\n(bg-1 is still running)";
    let asked = call("bash_read", r#"{"id": "bg-1"}"#);
    check(asked, OfferTools::WithBackground, true, &all, Outcome::Told, read);
    let ran = "ran serve\n(exit code 0)";
    let plain = call("bash", r#"{"command": "serve", "background": false}"#);
    check(plain, OfferTools::WithBackground, true, &all, Outcome::Exited(0), ran);
}

#[test]
fn elsewhere_the_model_is_told_that_there_is_none() {
    let refused = || Outcome::Refused(Layer::Validate);
    for (offer, has_background) in [(OfferTools::Host, true), (OfferTools::WithBackground, false)] {
        check(call("bash", START), offer, has_background, &["bash"], refused(), NOT_HERE);
        let unknown = "Error: unknown tool bash_read. The tools are: bash";
        check(call("bash_read", r#"{"id": "bg-1"}"#), offer, has_background, &["bash"], refused(), unknown);
    }
    let not_so = "Error: invalid tool arguments - background must be boolean, not string";
    let text = call("bash", r#"{"command": "serve", "background": "true"}"#);
    check(text, OfferTools::WithBackground, true, &["bash", "bash_read"], refused(), not_so);
}
