//! The words around an endpoint, in English.

use agent_loop::settings::Auth;
use agent_loop::wire::{AddressFault, AddressNote, KeyWanted};

use crate::words::connection::Connection;
use crate::words::count;

/// The words.
pub(crate) static CONNECTION: Connection = Connection {
    part: "Connection",
    direct: "Web pages may call this service.",
    key: |wanted, auth| match (wanted, auth) {
        (KeyWanted::None, _) | (_, Auth::None) => "No key is sent.",
        (KeyWanted::Needed, Auth::Bearer) => "Needed. Sent as Authorization: Bearer.",
        (KeyWanted::Needed, Auth::XApiKey) => "Needed. Sent as x-api-key.",
        (KeyWanted::Optional, Auth::Bearer) => "Only where the server wants one. Sent as Authorization: Bearer.",
        (KeyWanted::Optional, Auth::XApiKey) => "Only where the server wants one. Sent as x-api-key.",
    },
    goes_to: "Requests go to",
    fault: |fault| match fault {
        AddressFault::Empty => "No address yet.".to_owned(),
        AddressFault::Scheme(scheme) => format!("An address begins with https:// or http://, not with {scheme}://."),
        AddressFault::NoHost => "No host stands in this address.".to_owned(),
        AddressFault::Blanks => "A blank stands inside this address.".to_owned(),
        AddressFault::Credentials => {
            "A name or a key stands before the host. Browsers refuse that; the key has its own field below.".to_owned()
        }
    },
    mended: |note| match note {
        AddressNote::SchemeAdded => "The beginning (https:// or http://) was not whole and has been added.",
        AddressNote::PathCut => "The end of the path was left out: it is added to each request anyway.",
        AddressNote::OtherDialect => {
            "This is the path of the other dialect. If the service speaks that one, choose it as the endpoint above."
        }
        AddressNote::VersionTwice => "/v1 stood there twice and is used once.",
        AddressNote::PlainHttp => "Not encrypted: the key and every message can be read on the way.",
    },
    plain_http: "This page may not call another machine over plain http, where the key and every message could be read on the way. Use https, or let the bridge relay: start it with --relay NAME=ADDRESS.",
    other_name: "This page may call this machine as localhost or 127.0.0.1 only.",
    use_address: |address| format!("Use {address}"),
    at_most: |number| format!("Kept at {}, the most it can be.", count(number)),
    at_least: |number| format!("Kept at {}, the least it can be.", count(number)),
    usual: |number| format!("It cannot be empty: {} is the usual.", count(number)),
    no_number: |typed| format!("“{typed}” is no whole number, so nothing was changed."),
    no_amount: |typed| format!("“{typed}” is no amount, so nothing was changed."),
};
