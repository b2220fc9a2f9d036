//! The host bridge as a tool host: what it announces is what is offered, and every command asks first.

use std::pin::Pin;
use std::rc::Rc;

use agent_loop::host::{Offered, Run, Standing};
use agent_loop::tool::Arguments;
use agent_loop::{Ended, Offer, Review, Status, Stop, Stream, ToolCall, ToolEvent, ToolHost, ToolSpec};
use bridge_protocol::client::{CallEvent, Ended as BridgeEnded};
use bridge_protocol::frames::{
    Decision, Leftover, Loss, Outcome, Reason, Refusal, Standing as BridgeStanding, Stream as BridgeStream, Tool,
    Verdict,
};
use futures_channel::mpsc::UnboundedReceiver;
use futures_util::future::{self, Either, LocalBoxFuture, select};
use futures_util::stream::{self, LocalBoxStream};
use futures_util::{FutureExt, StreamExt};
use serde_json::Value;

use crate::run::link::{Link, Reach};

/// The name under which it runs commands.
pub const NAME: &str = "host-bridge";

/// The bridge that serves this page.
pub struct BridgeHost {
    link: Rc<Link>,
}

impl BridgeHost {
    /// The bridge at the end of this link.
    pub fn new(link: Rc<Link>) -> BridgeHost {
        BridgeHost { link }
    }
}

impl ToolHost for BridgeHost {
    fn offer(&self) -> Offer {
        match self.link.reach() {
            Reach::Ready(hello) => Offer::Ready(Offered {
                host: NAME.to_owned(),
                tools: hello.tools.into_iter().map(spec).collect(),
                cwd: hello.cwd,
                background: hello.background.into_iter().map(spec).collect(),
            }),
            Reach::Connecting => Offer::Connecting,
            Reach::Gone(why) => Offer::Gone(why.to_owned()),
        }
    }

    /// What the bridge's own rules settle; a person is asked about the rest. The bridge keeps to its rules whatever is
    /// made of them here.
    fn review(&self, call: &ToolCall, arguments: &Arguments) -> LocalBoxFuture<'static, Review> {
        let (link, key, name) = (Rc::clone(&self.link), call.key, call.name.clone());
        let arguments = Value::Object(arguments.as_object().clone());
        async move {
            match link.review(key, &name, arguments).await {
                Some(Verdict { decision: Decision::Allow, .. }) => Review::Allow,
                Some(Verdict { decision: Decision::Deny, reason }) => Review::Deny(denied(&reason)),
                Some(Verdict { decision: Decision::Ask, .. }) | None => Review::Ask(String::new()),
            }
        }
        .boxed_local()
    }

    fn run(&self, run: Run<'_>, stop: Stop) -> LocalBoxStream<'static, ToolEvent> {
        let arguments = Value::Object(run.arguments.as_object().clone());
        let events = match self.link.run(run.run_id, run.call.key, &run.call.name, arguments, run.timeout_ms) {
            Ok(events) => events,
            Err(used) => {
                let status = Status::CannotStart(format!("the call id {} has been used before", used.0));
                let ended = Ended { status, duration_ms: 0, leftovers: Vec::new() };
                return stream::once(future::ready(ToolEvent::Ended(ended))).boxed_local();
            }
        };
        self.follow(run.run_id, events, stop)
    }

    fn take_up(&self, run_id: &str, stop: Stop) -> Option<LocalBoxStream<'static, ToolEvent>> {
        let events = self.link.resume(run_id).ok()?;
        Some(self.follow(run_id, events, stop))
    }
}

impl BridgeHost {
    /// What a call tells, to its end. It is ended when `stop` is pressed, or nobody listens any more.
    fn follow(&self, id: &str, events: UnboundedReceiver<CallEvent>, stop: Stop) -> LocalBoxStream<'static, ToolEvent> {
        let running = Running {
            events,
            pressed: Box::pin(async move { stop.pressed().await }),
            call: Call { link: Rc::clone(&self.link), id: id.to_owned() },
        };
        stream::unfold(Some(running), |running| async move {
            let mut running = running?;
            loop {
                match select(running.events.next(), &mut running.pressed).await {
                    Either::Left((event, _)) => {
                        let event = tool_event(event?);
                        let is_end = matches!(event, ToolEvent::Ended(_));
                        return Some((event, (!is_end).then_some(running)));
                    }
                    Either::Right(((), _)) => {
                        running.call.cancel();
                        running.pressed = Box::pin(future::pending());
                    }
                }
            }
        })
        .boxed_local()
    }
}

fn spec(tool: Tool) -> ToolSpec {
    let Tool { name, description, input_schema } = tool;
    ToolSpec { name, description, input_schema }
}

/// A call whose end has not been told yet.
struct Running {
    events: UnboundedReceiver<CallEvent>,
    pressed: Pin<Box<dyn Future<Output = ()>>>,
    call: Call,
}

/// Who lets go of a call before its end has it ended: nothing runs unwatched. An ended call takes no harm from it.
struct Call {
    link: Rc<Link>,
    id: String,
}

impl Call {
    fn cancel(&self) {
        self.link.cancel(&self.id);
    }
}

impl Drop for Call {
    fn drop(&mut self) {
        self.cancel();
    }
}

fn tool_event(event: CallEvent) -> ToolEvent {
    match event {
        CallEvent::Started { .. } => ToolEvent::Started,
        CallEvent::Output { stream, bytes } => {
            let stream = match stream {
                BridgeStream::Stdout => Stream::Stdout,
                BridgeStream::Stderr => Stream::Stderr,
            };
            ToolEvent::Output { stream, bytes }
        }
        CallEvent::Gap { bytes } => ToolEvent::Gap(bytes),
        CallEvent::Ended(BridgeEnded { outcome, duration_ms, leftovers, .. }) => ToolEvent::Ended(Ended {
            status: status(outcome),
            duration_ms,
            leftovers: leftovers.into_iter().map(leftover).collect(),
        }),
    }
}

fn status(outcome: Outcome) -> Status {
    match outcome {
        Outcome::Exited { code } => Status::Exited(code),
        Outcome::Signalled { number } => Status::Signalled(number),
        Outcome::TimedOut { .. } => Status::TimedOut,
        Outcome::Stopped => Status::Stopped,
        Outcome::CannotStart { why } => Status::CannotStart(cannot_start(why)),
        Outcome::Lost { why } => Status::Lost(lost(why)),
        Outcome::Background { id, standing } => Status::Background {
            id,
            standing: match standing {
                BridgeStanding::Started => Standing::Started,
                BridgeStanding::Running => Standing::Running,
                BridgeStanding::Ended { end } => Standing::Ended(Box::new(status(*end))),
            },
        },
        Outcome::Listed => Status::Listed,
    }
}

/// For the model, in the words it would read from a shell that refuses.
fn cannot_start(why: Refusal) -> String {
    match why {
        Refusal::IdConflict => "the call id belongs to another call".to_owned(),
        Refusal::UnknownCall => "the host does not know the call".to_owned(),
        Refusal::UnknownId { id } => format!("no command in the background is called {id}"),
        Refusal::UnknownTool => "the host has no such tool".to_owned(),
        Refusal::BadArguments { detail } | Refusal::Os { detail } => detail,
        Refusal::TooManyRunning { limit } => format!("{limit} commands are running already"),
        Refusal::WorkspaceGone { path } => format!("the working directory {path} is gone"),
        Refusal::ShuttingDown => "the host is shutting down".to_owned(),
        Refusal::Denied { rule } => denied(&Reason::Rule { rule }),
        Refusal::NotAsked => "the host wants a person to be asked first".to_owned(),
        Refusal::NotConfirmed => "the person at the host did not allow it".to_owned(),
    }
}

fn denied(reason: &Reason) -> String {
    match reason {
        Reason::Rule { rule } => format!("the host's rules deny `{rule}`"),
        Reason::ReadOnly | Reason::Background | Reason::NotSimple | Reason::NoRule => {
            "the host's rules deny it".to_owned()
        }
    }
}

fn lost(why: Loss) -> String {
    match why {
        Loss::NewBridge => "the host was restarted".to_owned(),
        Loss::Forgotten => "the host does not know the command any more".to_owned(),
        Loss::Abandoned { after_ms } => {
            format!("the page was away for more than {} s, so it was killed", after_ms / 1000)
        }
        Loss::SupervisorDied => "its supervisor died".to_owned(),
        Loss::BridgeEnded => "the host was ended, and ended it".to_owned(),
        Loss::GaveUp => "the host does not answer any more".to_owned(),
    }
}

fn leftover(leftover: Leftover) -> String {
    let Leftover { pid, command, survived } = leftover;
    if survived { format!("{command} (process {pid}, could not be killed)") } else { command }
}

#[cfg(test)]
mod tests {
    use agent_loop::host::Standing;
    use agent_loop::{Ended, Status, ToolEvent};
    use bridge_protocol::client::{CallEvent, Ended as BridgeEnded};
    use bridge_protocol::frames::{Leftover, Loss, Outcome, Refusal, Standing as BridgeStanding};

    use super::tool_event;

    #[track_caller]
    fn check(outcome: Outcome, expected: Status) {
        let leftovers = vec![Leftover { pid: 7, command: "sleep 9".to_owned(), survived: false }];
        let ended = BridgeEnded { outcome, duration_ms: 5, cwd: "/w".to_owned(), leftovers, dropped: 0 };
        let expected = Ended { status: expected, duration_ms: 5, leftovers: vec!["sleep 9".to_owned()] };
        assert_eq!(tool_event(CallEvent::Ended(ended)), ToolEvent::Ended(expected));
    }

    #[test]
    fn an_end_keeps_its_meaning() {
        check(Outcome::Exited { code: 3 }, Status::Exited(3));
        check(Outcome::Signalled { number: 9 }, Status::Signalled(9));
        check(Outcome::TimedOut { after_ms: 1 }, Status::TimedOut);
        check(Outcome::Stopped, Status::Stopped);
        let gone = Refusal::WorkspaceGone { path: "/w".to_owned() };
        check(Outcome::CannotStart { why: gone }, Status::CannotStart("the working directory /w is gone".to_owned()));
        check(Outcome::Lost { why: Loss::NewBridge }, Status::Lost("the host was restarted".to_owned()));
        let end = Box::new(Outcome::Exited { code: 3 });
        let told = Outcome::Background { id: "bg-1".to_owned(), standing: BridgeStanding::Ended { end } };
        let standing = Standing::Ended(Box::new(Status::Exited(3)));
        check(told, Status::Background { id: "bg-1".to_owned(), standing });
    }
}
