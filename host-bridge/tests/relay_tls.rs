//! Model calls over TLS: only to a service that proves who it is, and nothing of a call to any other.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    missing_docs,
    unreachable_pub
)]

mod harness;

use std::io::{BufRead, BufReader, Write};
use std::sync::Arc;

use harness::Bridge;
use harness::upstream::{self, Upstream};
use rcgen::{BasicConstraints, CertificateParams, DnType, IsCa, Issuer, KeyPair, date_time_ymd};
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::{ServerConfig, ServerConnection, StreamOwned};

const KEY: &str = "sk-relay-0123456789";
const OK: &str =
    "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}";

/// An issuer of certificates of this name, and its own certificate in PEM.
fn issuer(name: &str) -> (Issuer<'static, KeyPair>, String) {
    let mut params = CertificateParams::new(Vec::new()).unwrap();
    params.distinguished_name.push(DnType::CommonName, name);
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    let key = KeyPair::generate().unwrap();
    let pem = params.self_signed(&key).unwrap().pem();
    (Issuer::new(params, key), pem)
}

/// A service with a certificate of these names by this issuer, or by itself.
fn service(names: &[&str], by: Option<&Issuer<'static, KeyPair>>, change: fn(&mut CertificateParams)) -> Upstream {
    let mut params = CertificateParams::new(names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>()).unwrap();
    change(&mut params);
    let key = KeyPair::generate().unwrap();
    let certificate = match by {
        Some(issuer) => params.signed_by(&key, issuer).unwrap(),
        None => params.self_signed(&key).unwrap(),
    };
    let chain = vec![CertificateDer::from(certificate.der().to_vec())];
    let key = PrivateKeyDer::try_from(key.serialize_der()).unwrap();
    let config = ServerConfig::builder().with_no_client_auth().with_single_cert(chain, key).unwrap();
    let config = Arc::new(config);
    Upstream::with(move |stream, remember| {
        let connection = ServerConnection::new(config.clone()).unwrap();
        let mut stream = BufReader::new(StreamOwned::new(connection, stream.try_clone().unwrap()));
        // Whoever does not believe the certificate is gone before a first byte.
        if stream.fill_buf().is_ok_and(|bytes| !bytes.is_empty()) {
            remember(upstream::read(&mut stream));
            stream.get_mut().write_all(OK.as_bytes()).unwrap();
        }
    })
}

/// What becomes of a call to a service at this host, and what the service hears of it.
#[track_caller]
fn check(trusted: &str, service: &Upstream, host: &str, expected: Result<&str, &str>) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("authorities.pem");
    std::fs::write(&file, trusted).unwrap();
    let bridge = Bridge::with(|command| {
        command.arg("--relay").arg(format!("here=https://{host}:{}", service.port));
        command.args(["--relay-key", "here=MY_KEY"]).env("MY_KEY", KEY).env("SSL_CERT_FILE", &file);
    });
    let json = [("Content-Type", "application/json")];
    let response = bridge.ask_with_token("POST /relay/here/v1/messages", &json, b"{\"said\":1}");
    let told = String::from_utf8(response.content().0).unwrap();
    let keys: Vec<_> = service.seen().iter().map(|seen| seen.header("x-api-key").map(str::to_owned)).collect();
    match expected {
        Ok(answer) => {
            assert_eq!((response.status, told.as_str()), (200, answer));
            assert_eq!(keys, [Some(KEY.to_owned())]);
        }
        Err(why) => {
            assert_eq!(response.status, 502, "{told}");
            assert!(told.contains("relay_error") && told.contains(why), "{told} does not say {why}");
            assert_eq!(keys, []);
        }
    }
}

#[test]
fn t35_only_a_service_that_proves_who_it_is_gets_the_call() {
    let (ours, trusted) = issuer("ours");
    let (others, _) = issuer("others");
    let (pretended, _) = issuer("ours");
    let plain = |_: &mut CertificateParams| {};
    check(&trusted, &service(&["localhost"], Some(&ours), plain), "localhost", Ok("{}"));
    check(&trusted, &service(&["127.0.0.1"], Some(&ours), plain), "127.0.0.1", Ok("{}"));
    let unproven = "did not prove who it is";
    for (service, host, why) in [
        (service(&["localhost"], Some(&others), plain), "localhost", "nobody this machine trusts"),
        (service(&["localhost"], Some(&pretended), plain), "localhost", "nobody this machine trusts"),
        (service(&["localhost"], None, plain), "localhost", "nobody this machine trusts"),
        (service(&["models.example"], Some(&ours), plain), "localhost", "for another name"),
        (service(&["localhost"], Some(&ours), plain), "127.0.0.1", "for another name"),
        (
            service(&["localhost"], Some(&ours), |params| params.not_after = date_time_ymd(2020, 1, 1)),
            "localhost",
            "expired",
        ),
        (
            service(&["localhost"], Some(&ours), |params| params.not_before = date_time_ymd(2999, 1, 1)),
            "localhost",
            "not valid yet",
        ),
    ] {
        check(&trusted, &service, host, Err(unproven));
        check(&trusted, &service, host, Err(why));
    }
    // One that speaks no TLS at all hears nothing that it could read.
    let deaf = Upstream::with(|stream, _| drop(stream.write_all(OK.as_bytes())));
    check(&trusted, &deaf, "localhost", Err("could not reach the service"));
}
