//! The choke point: from the state of a session to exactly the request that will be sent.
//!
//! The messages are repaired first, as messages, and then written. Each message is written once in each form and kept;
//! a request only keeps references to those pieces, so that the body's copy is all that grows with a session.

use std::rc::Rc;

use crate::host::Offered;
use crate::message::{Message, Role};
use crate::settings::{Dialect, OfferTools, Settings};
use crate::tool::ToolSpec;
use crate::wire::form::{Form, Piece, Place, TellErrors};
use crate::wire::ids::{CallIds, IdGiver, hash};
use crate::wire::repair::{Repair, repair};
use crate::wire::{anthropic, endpoint_url, openai};

/// A request body: its head, one piece per message, its tail. The body is `head`, the pieces joined by commas, `tail`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    /// The whole URL.
    pub url: String,
    /// JSON text up to and including the `[` of `messages` (and, in Chat Completions, the system message with its comma).
    pub head: String,
    /// The messages, each shared with the message it was made from.
    pub pieces: Vec<Piece>,
    /// JSON text from the `]` of `messages`.
    pub tail: String,
    /// What had to be repaired so that an endpoint accepts it.
    pub repairs: Vec<Repair>,
}

impl Request {
    /// The whole body.
    pub fn body(&self) -> Vec<u8> {
        let mut body = Vec::with_capacity(self.body_len());
        body.extend_from_slice(self.head.as_bytes());
        for (place, piece) in self.pieces.iter().enumerate() {
            if place > 0 {
                body.push(b',');
            }
            body.extend_from_slice(piece.as_bytes());
        }
        body.extend_from_slice(self.tail.as_bytes());
        body
    }

    /// The length of the body in bytes.
    pub fn body_len(&self) -> usize {
        let pieces: usize = self.pieces.iter().map(|piece| piece.len()).sum();
        self.head.len() + pieces + self.pieces.len().saturating_sub(1) + self.tail.len()
    }
}

/// Makes the request from what the state holds. Pure: the same state gives the same request.
pub fn request(settings: &Settings, offered: &Offered, messages: &[Rc<Message>]) -> Request {
    repaired_request(settings, offered, messages).1
}

/// The messages as they are sent, and the request that is made of them: a piece for each.
pub(crate) fn repaired_request(
    settings: &Settings,
    offered: &Offered,
    messages: &[Rc<Message>],
) -> (Vec<Rc<Message>>, Request) {
    let mut form = form(settings);
    let (messages, repairs) = repair(messages, &form);
    let last = messages.len().saturating_sub(1);
    let mut giver = IdGiver::default();
    let mut ids = CallIds::new();
    let mut pieces = Vec::with_capacity(messages.len());
    for (place, message) in messages.iter().enumerate() {
        if message.role == Role::Assistant {
            ids = giver.give(message, &form);
        }
        form.place = match message.role {
            Role::Assistant if place == last => Place::Last,
            _ => Place::Inner,
        };
        form.ids = if holds_ids(message) { hash(&ids) } else { 0 };
        pieces.push(message.forms.piece(&form, || written(message, &form, &ids)));
    }
    let system = settings.system.replace("{cwd}", &offered.cwd);
    let tools = tools_of(settings, offered);
    let (head, tail) = match settings.profile.dialect {
        Dialect::Anthropic => (anthropic::head(settings, &system, &tools), "]}".to_owned()),
        Dialect::OpenAi => (openai::head(settings, &system), openai::tail(settings, &tools)),
    };
    let request = Request { url: endpoint_url(settings), head, pieces, tail, repairs };
    (messages, request)
}

/// The messages as they are sent: what must be repaired is, and nothing else. Idempotent.
pub fn repaired(settings: &Settings, messages: &[Rc<Message>]) -> (Vec<Rc<Message>>, Vec<Repair>) {
    repair(messages, &form(settings))
}

/// The tools a request offers, and so those that a call may name. Names are unique: the first of each is kept.
pub fn tools_of<'a>(settings: &'a Settings, offered: &'a Offered) -> Vec<&'a ToolSpec> {
    let tools: &[ToolSpec] = match settings.offer_tools {
        OfferTools::Host | OfferTools::WithBackground => offered.tools_for(settings.offer_tools),
        OfferTools::Pinned => &settings.pinned_tools,
        OfferTools::Off => &[],
    };
    let mut unique: Vec<&ToolSpec> = Vec::with_capacity(tools.len());
    for tool in tools {
        if unique.iter().all(|known| known.name != tool.name) {
            unique.push(tool);
        }
    }
    unique
}

/// One message's own wire text, as it stands in a request that needs no repair: one row of the array or several,
/// joined by commas. `None`: there is no such message.
pub fn wire_json(settings: &Settings, messages: &[Rc<Message>], place: usize) -> Option<String> {
    let form = form(settings);
    let message = messages.get(place)?;
    let mut giver = IdGiver::default();
    let until = messages.get(..=place)?.iter().filter(|message| message.role == Role::Assistant);
    let ids = until.map(|message| giver.give(message, &form)).last().unwrap_or_default();
    Some(written(message, &form, &ids))
}

fn form(settings: &Settings) -> Form {
    let tells_errors = if settings.wording.tells_errors() { TellErrors::Yes } else { TellErrors::No };
    Form { profile: settings.profile.clone(), tells_errors, place: Place::Inner, ids: 0 }
}

fn written(message: &Message, form: &Form, ids: &CallIds<'_>) -> String {
    match form.profile.dialect {
        Dialect::Anthropic => anthropic::message(message, form, ids),
        Dialect::OpenAi => openai::message(message, form, ids),
    }
}

fn holds_ids(message: &Message) -> bool {
    match message.role {
        Role::User => message.tool_results().next().is_some(),
        Role::Assistant => message.tool_calls().next().is_some(),
    }
}
