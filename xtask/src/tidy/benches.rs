//! Each benchmark runs its own `main`: without its line in Cargo.toml, cargo takes it for a list of tests, finds none, and
//! says that all is well.

use crate::tidy::tree::{Text, text, texts};

fn never_run(texts: &[Text]) -> Vec<String> {
    let benches = texts.iter().filter_map(|it| {
        let (package, file) = it.path.split_once("/benches/")?;
        Some((package, file.strip_suffix(".rs")?))
    });
    // A folder without a manifest is no package of cargo's.
    let is_declared = |(package, name): &(&str, &str)| {
        text(texts, &format!("{package}/Cargo.toml"))
            .is_none_or(|manifest| manifest.contains(&format!("[[bench]]\nname = \"{name}\"\nharness = false\n")))
    };
    let lacking = benches.filter(|bench| !is_declared(bench));
    lacking
        .map(|(package, name)| format!("{package}/Cargo.toml: no [[bench]] for {name} with harness = false"))
        .collect()
}

#[test]
fn every_benchmark_is_run() {
    assert_eq!(never_run(&texts()), Vec::<String>::new());
}

#[test]
fn a_benchmark_without_its_line_is_found() {
    let bench = Text::new("a/benches/b.rs", "fn main() {}\n");
    let declared = Text::new("a/Cargo.toml", "[[bench]]\nname = \"b\"\nharness = false\n");
    let with_harness = Text::new("a/Cargo.toml", "[[bench]]\nname = \"b\"\n");
    assert_eq!(never_run(&[bench.clone(), declared]), Vec::<String>::new());
    assert_eq!(never_run(&[bench.clone(), with_harness]).len(), 1);
    assert_eq!(never_run(&[bench]), Vec::<String>::new());
}
