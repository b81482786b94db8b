//! What went wrong between us and a server, in words for the person at the terminal: the libraries' own speak of their types.

use rmcp::service::{ClientInitializeError, ServiceError};
use rmcp::transport::streamable_http_client::StreamableHttpError;
use std::error::Error;
use toolcast_schema::diagnostic::one_line;

/// What went wrong, and what to do where that can be told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    pub what: String,
    pub help: Option<&'static str>,
}

const PATH: &str =
    "see that the address is the server's whole address, its path too: often it ends in `/mcp`";
const ALLOWED: &str = "give what it asks for: `--header 'Authorization: Bearer ...'`";
const STRAYS: &str = "give the address that it redirects to, if you trust it";
const LOG: &str = "look at the server's log, and try again";
const START: &str = "see that the server runs, and that host and port are right";
const ADDRESS: &str = "write the whole address: `http://localhost:8000/mcp`";

/// A request that failed.
pub fn of_request(error: &StreamableHttpError<reqwest::Error>) -> Fault {
    let fault = |what: &str, help| Fault { what: what.to_owned(), help: Some(help) };
    match error {
        StreamableHttpError::Client(error) => of_client(error),
        StreamableHttpError::HttpStatus(error) => of_status(error.status, ""),
        StreamableHttpError::UnexpectedServerResponse(text) => of_answer(text),
        StreamableHttpError::UnexpectedContentType(kind) => {
            let kind = kind.as_deref().unwrap_or("text of an unnamed kind");
            let what = format!("it answered with {} where JSON is wanted", shown(kind));
            Fault { what, help: Some(PATH) }
        }
        StreamableHttpError::ResponseBodyTooLarge { max_size } => {
            Fault { what: format!("it answered with more than {max_size} bytes"), help: None }
        }
        StreamableHttpError::AuthRequired(_) => of_status(401, ""),
        StreamableHttpError::InsufficientScope(_) => of_status(403, ""),
        StreamableHttpError::Deserialize(_) => fault("its answer is no JSON-RPC message", PATH),
        StreamableHttpError::SessionExpired => fault("it forgot the session at once", LOG),
        StreamableHttpError::Sse(_) | StreamableHttpError::UnexpectedEndOfStream => {
            fault("its answer broke off", LOG)
        }
        other => Fault { what: chain(other), help: None },
    }
}

fn of_client(error: &reqwest::Error) -> Fault {
    let fault = |what: String, help| Fault { what, help: Some(help) };
    match error.status() {
        Some(status) => of_status(status.as_u16(), ""),
        None if error.is_builder() => fault("this is no address of a server".to_owned(), ADDRESS),
        None if error.is_redirect() => fault(deepest(error), STRAYS),
        None if error.is_timeout() => fault("it took too long to answer".to_owned(), START),
        None if error.is_connect() && deepest(error).contains("InvalidContentType") => {
            fault("it does not speak TLS".to_owned(), "try `http://` where it runs on this machine")
        }
        None if error.is_connect() => {
            fault(format!("it cannot be reached: {}", deepest(error)), START)
        }
        None => fault(format!("the request broke off: {}", deepest(error)), LOG),
    }
}

/// rmcp gives the status as text where it read the body too.
fn of_answer(text: &str) -> Fault {
    let status = text.strip_prefix("HTTP ").and_then(|rest| {
        let (status, body) = rest.split_once(": ").unwrap_or((rest, ""));
        Some((status.split(' ').next()?.parse().ok()?, body))
    });
    match status {
        Some((status, body)) => of_status(status, body),
        None if text.starts_with("could not parse") => {
            let what = "its answer is no JSON-RPC message".to_owned();
            Fault { what, help: Some(PATH) }
        }
        None => Fault { what: shown(text), help: None },
    }
}

fn of_status(status: u16, body: &str) -> Fault {
    let reason = http::StatusCode::from_u16(status).ok();
    let reason = reason.and_then(|status| status.canonical_reason()).unwrap_or_default();
    let mut what = format!("it answered with HTTP status {status} {reason}").trim_end().to_owned();
    // A page for people says less than its status.
    if !body.trim().is_empty() && !body.trim_start().starts_with('<') {
        what += &format!(" and `{}`", shown(body.trim()));
    }
    let help = match status {
        401 | 403 | 407 => ALLOWED,
        500..=599 | 429 => LOG,
        _ => PATH,
    };
    Fault { what, help: Some(help) }
}

/// A handshake that failed.
pub fn of_handshake(error: &ClientInitializeError) -> String {
    use ClientInitializeError as E;
    match error {
        E::JsonRpcError(error) => format!("it refused the handshake: {}", shown(&error.message)),
        E::ExpectedInitResponse(_)
        | E::ExpectedInitResult(_)
        | E::ConflictInitResponseId(..)
        | E::UncorrelatedErrorResponse { .. } => {
            "it answered the handshake with something else than MCP asks for".to_owned()
        }
        E::NoCompatibleProtocolVersion { .. } => {
            "it speaks no version of MCP that is known here".to_owned()
        }
        E::ConnectionClosed(_) => "it ended before it answered the handshake".to_owned(),
        E::TransportError { error, .. } => chain(&*error.error),
        other => chain(other),
    }
}

/// A later request that failed.
pub fn of_service(error: &ServiceError) -> String {
    match error {
        ServiceError::McpError(error) => shown(&error.message),
        ServiceError::TransportSend(error) => chain(&*error.error),
        ServiceError::TransportClosed => "it closed the connection".to_owned(),
        ServiceError::UnexpectedResponse => "it answered something else than was asked".to_owned(),
        other => chain(other),
    }
}

/// An error with its causes, those that it does not name itself.
fn chain(error: &(dyn Error + 'static)) -> String {
    let mut text = error.to_string();
    let mut deeper = error.source();
    while let Some(error) = deeper {
        let next = error.to_string();
        if !text.contains(&next) {
            text = format!("{text}: {next}");
        }
        deeper = error.source();
    }
    shown(&text)
}

/// The last cause: what lies above it names layers of a library.
fn deepest(error: &(dyn Error + 'static)) -> String {
    let mut last = error;
    while let Some(deeper) = last.source() {
        last = deeper;
    }
    shown(&last.to_string())
}

/// A server's text, bounded, on one line, and nothing that a terminal would obey.
fn shown(text: &str) -> String {
    const MOST: usize = 600;
    let short: String = text.chars().take(MOST).collect();
    one_line(&short).into_owned()
}
