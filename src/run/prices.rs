//! What endpoints take, as this page knows it: what the person wrote down, and otherwise the list that comes with the page.
//! Pure; the text it is read from and written to is kept with the preferences.

use agent_loop::Settings;
use agent_loop::prices::{self, PriceList};
use agent_loop::settings::{Currency, Price};
use serde::{Deserialize, Serialize};

/// The prices a person wrote down.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Book(Vec<Own>);

/// A price of a person's own.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Own {
    profile: String,
    model: String,
    price: Written,
}

/// A price as far as it is written down; it counts once it has both its input and its output.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Written {
    /// Millionths of a unit for a million input tokens.
    pub input: Option<u64>,
    /// For a million output tokens.
    pub output: Option<u64>,
    /// For a million input tokens read from the cache.
    pub cache_read: Option<u64>,
    /// For a million input tokens written to the cache.
    pub cache_write: Option<u64>,
    /// The unit.
    pub currency: Currency,
}

impl From<Price> for Written {
    fn from(price: Price) -> Written {
        let Price { input, output, cache_read, cache_write, currency } = price;
        Written { input: Some(input), output: Some(output), cache_read, cache_write, currency }
    }
}

impl Written {
    fn price(self) -> Option<Price> {
        let Written { input, output, cache_read, cache_write, currency } = self;
        Some(Price { input: input?, output: output?, cache_read, cache_write, currency })
    }

    fn is_blank(self) -> bool {
        self == Written { currency: self.currency, ..Written::default() }
    }
}

/// What is known of a model's price.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Known {
    /// The person wrote it down.
    Own(Written),
    /// It is in this list.
    Listed(&'static PriceList, Price),
    /// Nothing.
    Nothing,
}

impl Book {
    /// The book that this text holds; an empty one where it holds none that can be read.
    pub fn read(text: &str) -> Book {
        Book(serde_json::from_str(text).unwrap_or_default())
    }

    /// The text that holds it.
    pub fn text(&self) -> String {
        serde_json::to_string(&self.0).unwrap_or_default()
    }

    /// What is known of the price of this model of this endpoint.
    pub fn known(&self, profile: &str, model: &str) -> Known {
        if let Some(own) = self.0.iter().find(|own| own.profile == profile && own.model == model) {
            return Known::Own(own.price);
        }
        prices::listed(profile, model).map_or(Known::Nothing, |(list, price)| Known::Listed(list, price))
    }

    /// What a model call with these knobs costs, if that is known.
    pub fn price(&self, settings: &Settings) -> Option<Price> {
        match self.known(&settings.profile.id, &settings.model) {
            Known::Own(written) => written.price(),
            Known::Listed(_, price) => Some(price),
            Known::Nothing => None,
        }
    }

    /// Writes a price down; a blank one is none of the person's own.
    pub fn write(&mut self, profile: &str, model: &str, price: Written) {
        self.0.retain(|own| own.profile != profile || own.model != model);
        if !price.is_blank() {
            self.0.push(Own { profile: profile.to_owned(), model: model.to_owned(), price });
        }
    }
}

#[cfg(test)]
mod tests {
    use agent_loop::Settings;
    use agent_loop::settings::{Currency, Price};

    use super::{Book, Known, Written};
    use crate::run::settings::{Place, choose_endpoint, starting};

    fn knobs(profile: &str, model: &str) -> Settings {
        let place = Place { origin: String::new(), bridge: true, guest: false };
        Settings { model: model.to_owned(), ..choose_endpoint(&starting(&place), profile, &place) }
    }

    #[track_caller]
    fn check(book: &Book, profile: &str, model: &str, expected: Option<Price>) {
        let kept = Book::read(&book.text());
        assert_eq!(kept, *book);
        assert_eq!(kept.price(&knobs(profile, model)), expected, "{profile} {model}");
    }

    #[test]
    fn what_a_person_wrote_comes_before_the_list_and_what_nobody_wrote_is_not_known() {
        let listed = Price { input: 1_250_000, output: 10_000_000, cache_read: Some(125_000), ..Price::default() };
        let own = Written { input: Some(7), output: Some(8), currency: Currency::Cny, ..Written::default() };
        let price = Price { input: 7, output: 8, currency: Currency::Cny, ..Price::default() };
        let mut book = Book::default();
        check(&book, "openai", "gpt-5.1", Some(listed));
        check(&book, "practice-openai", "practice", None);
        assert!(matches!(book.known("openai", "gpt-5.1"), Known::Listed(..)));

        book.write("openai", "gpt-5.1", own);
        book.write("llama-cpp", "m", own);
        check(&book, "openai", "gpt-5.1", Some(price));
        check(&book, "llama-cpp", "m", Some(price));
        check(&book, "llama-cpp", "n", None);

        // Half a price is none, and none of one's own is the list's again.
        book.write("openai", "gpt-5.1", Written { output: None, ..own });
        check(&book, "openai", "gpt-5.1", None);
        book.write("openai", "gpt-5.1", Written { currency: Currency::Cny, ..Written::default() });
        check(&book, "openai", "gpt-5.1", Some(listed));
        assert_eq!(Book::read("no book"), Book::default());
        assert_eq!(Book::read(""), Book::default());
    }
}
