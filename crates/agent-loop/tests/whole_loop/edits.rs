//! Edits at each of the three moments: each is a fact, the original is kept, and the model reads what was edited.

use agent_loop::{Block, Edit, Fact, ModelSeam, Rest, ResultSeam, ToolSeam};

use crate::script::{bash, text};
use crate::world::{BOTH, World, noted, settings};

fn body_text(world: &World, request: usize) -> String {
    String::from_utf8(world.sent.borrow()[request].body.clone()).unwrap()
}

#[test]
fn messages_and_settings_before_the_model() {
    for dialect in BOTH {
        let world = World::new(dialect, [text("done")]);
        let mut knobs = settings(dialect);
        let session = world.session(knobs.clone());
        knobs.system = "Be brief.".into();
        let edits = vec![
            Edit::Message { message: 0, blocks: vec![Block::Text { text: "edited words".into() }] },
            Edit::Settings { settings: std::rc::Rc::new(knobs) },
        ];
        world.model_seams.borrow_mut().push_back(ModelSeam::Edit(edits));
        assert_eq!(world.run(&session), Rest::EndTurn);
        assert_eq!(noted(&session.state()), ["user: edited words", "assistant: done"]);
        let original = session.state().messages[0].original.clone().unwrap();
        assert_eq!(original.extract_text(), "go");
        let sent = body_text(&world, 0);
        assert!(sent.contains("edited words") && sent.contains("Be brief.") && !sent.contains("\"go\""), "{sent}");
    }
}

#[test]
fn arguments_before_a_tool() {
    for dialect in BOTH {
        let world = World::new(dialect, [bash(&["dangerous"]), text("done")]);
        let session = world.session(settings(dialect));
        world.tool_seams.borrow_mut().push_back(ToolSeam::Edit("{\"command\":\"harmless\"}".into()));
        assert_eq!(world.run(&session), Rest::EndTurn);
        assert_eq!(*world.asked.borrow(), ["dangerous", "harmless"], "the edited call is asked about again");
        assert_eq!(*world.ran.borrow(), ["harmless"]);
        let state = session.state();
        let call = state.messages[1].tool_calls().next().unwrap();
        assert_eq!(call.original_arguments.as_deref(), Some("{\"command\":\"dangerous\"}"));
        let sent = body_text(&world, 1);
        assert!(sent.contains("harmless") && !sent.contains("dangerous"), "{sent}");
    }
}

#[test]
fn the_result_after_a_tool() {
    for dialect in BOTH {
        let world = World::new(dialect, [bash(&["a"]), text("done")]);
        let session = world.session(settings(dialect));
        world.result_seams.borrow_mut().push_back(ResultSeam::Edit("something else".into()));
        assert_eq!(world.run(&session), Rest::EndTurn);
        let state = session.state();
        let result = state.messages[2].tool_results().next().unwrap();
        assert_eq!(
            (result.content.as_str(), result.original_content.as_deref()),
            ("something else", Some("ran a\n(exit code 0)"))
        );
        let sent = body_text(&world, 1);
        assert!(sent.contains("something else") && !sent.contains("ran a"), "{sent}");
    }
}

#[test]
fn what_is_recorded_while_a_person_looks_is_asked_about_too() {
    for dialect in BOTH {
        let world = World::new(dialect, [bash(&["a"]), text("done")]);
        let session = world.session(settings(dialect));
        let mut knobs = settings(dialect);
        knobs.system = "Changed.".into();
        let call = agent_loop::CallKey { fact: 8, index: 0 };
        world.meanwhile.borrow_mut().extend([
            (session.clone(), Fact::Configured { settings: std::rc::Rc::new(knobs) }),
            // The second look at the request disturbs nothing.
            (session.clone(), Fact::Said { text: "later".into() }),
            (session.clone(), Fact::Edited { edit: Edit::Arguments { call, arguments: "{\"command\":\"b\"}".into() } }),
        ]);
        assert_eq!(world.run(&session), Rest::EndTurn);
        assert!(body_text(&world, 0).contains("Changed."));
        assert_eq!((world.asked.borrow().clone(), world.ran.borrow().clone()), (owned(&["a", "b"]), owned(&["b"])));
    }
}

fn owned(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}
