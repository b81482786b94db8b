//! A server at an address: rmcp's streamable HTTP, except that the answer to `tools/list` is read here, so that nothing
//! of it is lost.

use super::answers::Answers;
use super::fault::{self, Fault};
use futures::stream::BoxStream;
use http::{HeaderName, HeaderValue};
use rmcp::model::ClientJsonRpcMessage;
use rmcp::transport::streamable_http_client::{
    SseError, StreamableHttpClient, StreamableHttpError, StreamableHttpPostResponse,
};
use serde_json::Value;
use sse_stream::Sse;
use std::collections::HashMap;
use std::sync::Arc;

/// Bytes of one answer: 64 MiB.
const LARGEST: usize = 64 << 20;
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
        self.client.get_stream(uri, session, last_event, token, headers).await
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
        let mut body = Vec::new();
        while let Some(chunk) = response.chunk().await? {
            body.extend_from_slice(&chunk);
            if body.len() > LARGEST {
                let fault = format!("it answered with more than {LARGEST} bytes");
                self.answers.fail(Fault { what: fault.clone(), help: None });
                return Err(StreamableHttpError::UnexpectedServerResponse(fault.into()));
            }
            // A stream may stay open after the answer; the answer is all that is wanted.
            if stream && let Some(message) = self.answer(&events(&body), &message) {
                return Ok(StreamableHttpPostResponse::Json(
                    serde_json::from_value(message)?,
                    None,
                ));
            }
        }
        let texts =
            if stream { events(&body) } else { vec![String::from_utf8_lossy(&body).into_owned()] };
        match self.answer(&texts, &message) {
            Some(message) => {
                Ok(StreamableHttpPostResponse::Json(serde_json::from_value(message)?, None))
            }
            None => {
                let fault = "it did not answer `tools/list` with a JSON-RPC message";
                self.answers.fail(Fault { what: fault.to_owned(), help: None });
                Err(StreamableHttpError::UnexpectedServerResponse(fault.into()))
            }
        }
    }

    /// The message among `texts` that answers `request`.
    fn answer(&self, texts: &[String], request: &ClientJsonRpcMessage) -> Option<Value> {
        let ClientJsonRpcMessage::Request(request) = request else { return None };
        let id = serde_json::to_value(&request.id).ok()?;
        let message = texts
            .iter()
            .filter_map(|text| serde_json::from_str::<Value>(text).ok())
            .find(|message| message.get("id") == Some(&id) && message.get("method").is_none())?;
        self.answers.came(&message);
        Some(message)
    }
}

/// The data of every whole event in a stream of server-sent events.
fn events(body: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(body).replace("\r\n", "\n").replace('\r', "\n");
    let whole = text.rfind("\n\n").map_or("", |end| &text[..end]);
    let data = |event: &str| {
        let lines = event.lines().filter_map(|line| line.strip_prefix("data:"));
        lines.map(|line| line.strip_prefix(' ').unwrap_or(line)).collect::<Vec<_>>().join("\n")
    };
    whole.split("\n\n").map(data).filter(|data| !data.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::events;

    #[test]
    fn only_whole_events_count() {
        let body = b": hello\r\n\r\nevent: message\r\nid: 1\r\ndata: {\"a\":\r\ndata: 1}\r\n\r\ndata: {\"half\"";
        assert_eq!(events(body), ["{\"a\":\n1}"]);
    }
}
