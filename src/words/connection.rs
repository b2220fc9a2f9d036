//! The words around an endpoint: what is known of it, what is wrong with its address, what a number may be. They stand
//! apart from [`super::Words`], so that they come with the settings.

use agent_loop::settings::Auth;
use agent_loop::wire::{AddressFault, AddressNote, KeyWanted};

use crate::app::Language;

/// What the settings say of an endpoint.
#[derive(Debug)]
pub struct Connection {
    /// What the settings call this part of them.
    pub part: &'static str,
    /// That web pages may call it.
    pub direct: &'static str,
    pub key: fn(KeyWanted, Auth) -> &'static str,
    /// Before the whole address.
    pub goes_to: &'static str,
    pub fault: fn(&AddressFault) -> String,
    pub mended: fn(AddressNote) -> &'static str,
    /// That plain http on another machine is blocked.
    pub plain_http: &'static str,
    /// That this machine's name is not one the page may call.
    pub other_name: &'static str,
    /// Takes the address that is offered.
    pub use_address: fn(&str) -> String,
    /// A number beyond its bounds, and where it was kept.
    pub at_most: fn(u64) -> String,
    pub at_least: fn(u64) -> String,
    /// An emptied number that cannot be empty.
    pub usual: fn(u64) -> String,
    pub no_number: fn(&str) -> String,
    pub no_amount: fn(&str) -> String,
}

/// The words of a language.
pub fn connection(language: Language) -> &'static Connection {
    match language {
        Language::En => &super::en::connection::CONNECTION,
        Language::Zh => &super::zh::connection::CONNECTION,
    }
}
