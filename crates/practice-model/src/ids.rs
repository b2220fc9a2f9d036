//! Ids in the services' shapes, made from a hash of the request: the same request gets the same ids, and a history
//! that grew gets new ones.

use crate::{Fields, Service};

/// The ids of one answer.
#[derive(Debug)]
pub(crate) struct Ids {
    seed: u64,
    /// Ids that the history already holds, never given again.
    pub(crate) taken: Vec<String>,
}

impl Ids {
    /// Whether an answer is streamed changes nothing about its ids.
    pub(crate) fn of(fields: &Fields) -> Self {
        let mut seed = FNV_OFFSET;
        for (name, value) in fields {
            if name != "stream" && name != "stream_options" {
                seed = fnv(seed, name.as_bytes());
                seed = fnv(seed, value.to_string().as_bytes());
            }
        }
        Self { seed, taken: Vec::new() }
    }

    pub(crate) fn message(&self, service: Service) -> String {
        match service {
            Service::AnthropicMessages => named("msg_01", self.seed),
            Service::ChatCompletions => named("chatcmpl-", self.seed),
        }
    }

    pub(crate) fn request(&self) -> String {
        named("req_01", self.seed)
    }

    /// The id of the answer's `nth` call, with the service's prefix for its kind of call (such as `toolu_01`).
    pub(crate) fn call(&self, prefix: &str, nth: usize) -> String {
        let mut salt = mix(self.seed, nth as u64 + 1);
        loop {
            let id = named(prefix, salt);
            if !self.taken.contains(&id) {
                return id;
            }
            salt = mix(salt, 1);
        }
    }

    /// A number between 0 and `below`, for pauses and piece lengths that look like a network's.
    pub(crate) fn roll(&self, nth: usize, below: u64) -> u64 {
        mix(self.seed, !(nth as u64)) % below.max(1)
    }
}

/// The id of a request that could not be read, made from its bytes.
pub(crate) fn request_id(body: &[u8]) -> String {
    named("req_01", fnv(FNV_OFFSET, body))
}

/// The response header in which a service tells that id.
pub(crate) fn request_id_header(service: Service) -> &'static str {
    match service {
        Service::AnthropicMessages => "request-id",
        Service::ChatCompletions => "x-request-id",
    }
}

/// FNV-1a, 64 bits (RFC 9923): spread matters here, secrecy does not.
const FNV_OFFSET: u64 = 0xcbf2_9ce4_8422_2325;

fn fnv(seed: u64, bytes: &[u8]) -> u64 {
    bytes.iter().fold(seed, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3))
}

/// SplitMix64's finaliser.
fn mix(seed: u64, nth: u64) -> u64 {
    let z = seed.wrapping_add(nth.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// 22 letters and digits after the prefix: two hashes, eleven digits of base 62 each.
fn named(prefix: &str, seed: u64) -> String {
    const DIGITS: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    let mut name = String::from(prefix);
    for half in 0..2 {
        let mut rest = mix(seed, half + 1);
        for _ in 0..11 {
            name.extend(DIGITS.get((rest % 62) as usize).map(|digit| char::from(*digit)));
            rest /= 62;
        }
    }
    name
}
