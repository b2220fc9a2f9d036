//! Which compressed form of a file a browser takes.

/// The forms a file can have beside itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Encoding {
    Brotli,
    Gzip,
}

impl Encoding {
    /// Best first.
    pub(super) const ALL: [Self; 2] = [Self::Brotli, Self::Gzip];

    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Brotli => "br",
            Self::Gzip => "gzip",
        }
    }

    pub(super) const fn suffix(self) -> &'static str {
        match self {
            Self::Brotli => ".br",
            Self::Gzip => ".gz",
        }
    }
}

/// The forms that an `Accept-Encoding` (RFC 9110, 12.5.3) allows, best first. A weight above 0 counts as yes.
pub(super) fn accepted(header: &str) -> impl Iterator<Item = Encoding> {
    let allows = |name: &str| {
        header.split(',').find_map(|item| {
            let (coding, parameters) = item.split_once(';').unwrap_or((item, ""));
            let weight = parameters.trim().strip_prefix("q=").map_or(1.0, |q| q.trim().parse().unwrap_or(0.0));
            coding.trim().eq_ignore_ascii_case(name).then_some(weight > 0.0)
        })
    };
    Encoding::ALL.into_iter().filter(move |encoding| allows(encoding.name()).or_else(|| allows("*")).unwrap_or(false))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(header: &str, expected: &[Encoding]) {
        assert_eq!(accepted(header).collect::<Vec<_>>(), expected, "{header:?}");
    }

    #[test]
    fn the_best_accepted_form_comes_first() {
        use Encoding::{Brotli, Gzip};
        check("", &[]);
        check("gzip, deflate, br, zstd", &[Brotli, Gzip]);
        check("gzip", &[Gzip]);
        check("br;q=0, gzip;q=0.5", &[Gzip]);
        check("BR", &[Brotli]);
        check("*", &[Brotli, Gzip]);
        check("*;q=0, gzip", &[Gzip]);
        check("identity", &[]);
        check("brx", &[]);
    }
}
