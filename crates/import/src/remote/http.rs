//! A server at an address: rmcp's streamable HTTP, except that the answer to `tools/list` is read here, so that nothing
//! of it is lost.

use super::LARGEST_ANSWER;
use super::answers::Answers;
use super::events::Events;
use super::fault::{self, Fault};
use futures::stream::BoxStream;
use http::{HeaderName, HeaderValue};
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use reqwest::{Url, redirect};
use rmcp::model::ClientJsonRpcMessage;
use rmcp::transport::streamable_http_client::{
    SseError, StreamableHttpClient, StreamableHttpError, StreamableHttpPostResponse,
};
use serde_json::Value;
use sse_stream::Sse;
use std::collections::HashMap;
use std::fmt;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};
use toolcast_schema::diagnostic::one_line;

/// The header that names a session (MCP, streamable HTTP).
const SESSION: &str = "Mcp-Session-Id";

type Headers = HashMap<HeaderName, HeaderValue>;
type Failed = StreamableHttpError<reqwest::Error>;

/// rmcp's client with an ear on the answers.
#[derive(Clone)]
pub struct Listening {
    /// The client that does the work.
    pub client: reqwest::Client,
    /// Where answers are noted.
    pub answers: Answers,
}

impl StreamableHttpClient for Listening {
    type Error = reqwest::Error;

    async fn post_message(
        &self,
        uri: Arc<str>,
        message: ClientJsonRpcMessage,
        session: Option<Arc<str>>,
        token: Option<String>,
        headers: Headers,
    ) -> Result<StreamableHttpPostResponse, Failed> {
        let awaited = matches!(message, ClientJsonRpcMessage::Request(_));
        let result = match self.answers.asks(&message) {
            true => self.list(uri, message, session, token, headers).await,
            false => self.client.post_message(uri, message, session, token, headers).await,
        };
        // Whoever reads the error on its way up no longer knows what it was.
        if let (Err(error), true) = (&result, awaited) {
            self.answers.fail(fault::of_request(error));
        }
        result
    }

    async fn delete_session(
        &self,
        uri: Arc<str>,
        session: Arc<str>,
        token: Option<String>,
        headers: Headers,
    ) -> Result<(), Failed> {
        self.client.delete_session(uri, session, token, headers).await
    }

    async fn get_stream(
        &self,
        uri: Arc<str>,
        session: Option<Arc<str>>,
        last_event: Option<String>,
        token: Option<String>,
        headers: Headers,
    ) -> Result<BoxStream<'static, Result<Sse, SseError>>, Failed> {
        // What a server has to say besides its tools is not heard.
        let _ = (uri, session, last_event, token, headers);
        Err(StreamableHttpError::ServerDoesNotSupportSse)
    }
}

impl Listening {
    /// Posts what asks for tools, and reads the answer here.
    async fn list(
        &self,
        uri: Arc<str>,
        message: ClientJsonRpcMessage,
        session: Option<Arc<str>>,
        token: Option<String>,
        headers: Headers,
    ) -> Result<StreamableHttpPostResponse, Failed> {
        let mut request = self
            .client
            .post(uri.as_ref())
            .header(http::header::ACCEPT, "application/json, text/event-stream")
            .headers(headers.into_iter().collect());
        if let Some(session) = session {
            request = request.header(SESSION, session.as_ref());
        }
        if let Some(token) = token {
            request = request.bearer_auth(token);
        }
        let mut response = request.json(&message).send().await?.error_for_status()?;
        let kind = response.headers().get(http::header::CONTENT_TYPE);
        let stream = kind.is_some_and(|kind| kind.as_bytes().starts_with(b"text/event-stream"));
        let coding = response.headers().get(http::header::CONTENT_ENCODING);
        if let Some(coding) = coding.filter(|coding| !coding.is_empty() && *coding != "identity") {
            let coding = one_line(&String::from_utf8_lossy(coding.as_bytes())).into_owned();
            return Err(
                self.gives_up(format!("its answer is packed ({coding}), which nobody asked for"))
            );
        }
        let mut events = Events::default();
        let (mut body, mut length) = (Vec::new(), 0);
        while let Some(piece) = response.chunk().await? {
            length += piece.len();
            if length > LARGEST_ANSWER {
                let fault = format!("it answered with more than {LARGEST_ANSWER} bytes");
                return Err(self.gives_up(fault));
            }
            if !stream {
                body.extend_from_slice(&piece);
                continue;
            }
            // A stream may stay open after the answer; the answer is all that is wanted.
            for text in events.feed(&piece) {
                if let Some(message) = self.answer(text.as_bytes(), &message) {
                    return Ok(StreamableHttpPostResponse::Json(
                        serde_json::from_value(message)?,
                        None,
                    ));
                }
            }
        }
        match self.answer(&body, &message) {
            Some(message) => {
                Ok(StreamableHttpPostResponse::Json(serde_json::from_value(message)?, None))
            }
            None => {
                Err(self
                    .gives_up("it did not answer `tools/list` with a JSON-RPC message".to_owned()))
            }
        }
    }

    fn gives_up(&self, what: String) -> Failed {
        self.answers.fail(Fault { what: what.clone(), help: None });
        StreamableHttpError::UnexpectedServerResponse(what.into())
    }

    /// The message, where it answers `request`; the page is taken out of it.
    fn answer(&self, text: &[u8], request: &ClientJsonRpcMessage) -> Option<Value> {
        let ClientJsonRpcMessage::Request(request) = request else { return None };
        let id = serde_json::to_value(&request.id).ok()?;
        let mut message = serde_json::from_slice::<Value>(text).ok()?;
        let answers = message.get("id") == Some(&id) && message.get("method").is_none();
        answers.then(|| {
            self.answers.came(&mut message);
            message
        })
    }
}

/// Follows a redirect only to where the user pointed: a server must not choose whom we ask, least of all one that only we
/// can reach. From `http` to `https` it is still the same server.
pub(super) fn redirects() -> redirect::Policy {
    redirect::Policy::custom(|attempt| {
        const MOST: usize = 5;
        let Some(first) = attempt.previous().first() else { return attempt.stop() };
        if !is_same_server(first, attempt.url()) {
            let strays = Strays(Some(attempt.url().origin().ascii_serialization()));
            return attempt.error(strays);
        }
        match attempt.previous().len() > MOST {
            true => attempt.error(Strays(None)),
            false => attempt.follow(),
        }
    })
}

fn is_same_server(first: &Url, next: &Url) -> bool {
    let port = |url: &Url| url.port_or_known_default();
    let upgraded = first.scheme() == "http"
        && next.scheme() == "https"
        && (port(first), port(next)) == (Some(80), Some(443));
    first.host() == next.host() && (first.origin() == next.origin() || upgraded)
}

/// A redirect that is not followed: to another server, or one too many.
#[derive(Debug)]
struct Strays(Option<String>);

impl fmt::Display for Strays {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Some(origin) => {
                write!(f, "it redirects to another server, {}", one_line(origin))
            }
            None => f.write_str("it redirects without end"),
        }
    }
}

impl std::error::Error for Strays {}

/// Looks a name up once. A name that first led to a server and then to a machine of ours would have us ask that.
#[derive(Clone, Debug, Default)]
pub(super) struct Pinned(Arc<Mutex<HashMap<String, Vec<SocketAddr>>>>);

impl Resolve for Pinned {
    fn resolve(&self, name: Name) -> Resolving {
        let known = Arc::clone(&self.0);
        Box::pin(async move {
            let name = name.as_str().to_owned();
            let found = known.lock().unwrap_or_else(PoisonError::into_inner).get(&name).cloned();
            let found = match found {
                Some(found) => found,
                None => {
                    let found: Vec<SocketAddr> =
                        tokio::net::lookup_host((name.as_str(), 0)).await?.collect();
                    let mut known = known.lock().unwrap_or_else(PoisonError::into_inner);
                    known.entry(name).or_insert(found).clone()
                }
            };
            let addresses: Addrs = Box::new(found.into_iter());
            Ok(addresses)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{Url, is_same_server};

    #[test]
    fn only_the_server_that_was_named_is_followed() {
        let same = |first: &str, next: &str| {
            let url = |text: &str| Url::parse(text).expect("it is an address");
            is_same_server(&url(first), &url(next))
        };
        let first = "http://example.com/mcp";
        for next in
            ["http://example.com/mcp/", "http://EXAMPLE.com:80/x", "https://example.com/mcp"]
        {
            assert!(same(first, next), "{next}");
        }
        for next in [
            "http://example.com:8080/mcp",
            "https://example.com:8443/mcp",
            "http://www.example.com/mcp",
            "http://127.0.0.1/mcp",
            "http://2130706433/mcp",
            "http://0x7f.1/mcp",
            "http://[::1]/mcp",
            "http://[::ffff:127.0.0.1]/mcp",
            "http://[::ffff:a9fe:a9fe]/latest/meta-data",
            "http://169.254.169.254/latest/meta-data",
            "http://localhost/mcp",
            "http://10.0.0.1/mcp",
            "file:///etc/passwd",
            "ftp://example.com/mcp",
        ] {
            assert!(!same(first, next), "{next}");
        }
        // A local server may be named, and has no more say than others.
        assert!(same("http://127.0.0.1:8000/mcp", "http://127.0.0.1:8000/mcp/"));
        assert!(!same("http://127.0.0.1:8000/mcp", "http://127.0.0.1:9200/_all"));
        assert!(!same("https://example.com/mcp", "http://example.com/mcp"));
    }
}
