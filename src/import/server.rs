//! Asks a running server for its tools, page by page. A dead, slow or lying server gives a clear failure: every wait has
//! an end, and so have pages, tools and bytes.

use super::Server;
use super::answers::Answers;
use super::fault::{self, Fault};
use super::http::Listening;
use super::stdio::{ErrorStream, Pipes};
use crate::failure::Failure;
use http::{HeaderName, HeaderValue};
use rmcp::ServiceExt;
use rmcp::model::{
    ClientCapabilities, ClientRequest, Implementation, InitializeRequestParams, ListToolsRequest,
    PaginatedRequestParams,
};
use rmcp::service::{ClientInitializeError, RoleClient, RunningService, ServiceError};
use rmcp::transport::StreamableHttpClientTransport;
use rmcp::transport::streamable_http_client::StreamableHttpClientTransportConfig;
use serde_json::{Value, json};
use std::collections::{HashMap, HashSet};
use std::time::Duration;

/// Pages of one list.
const MOST_PAGES: usize = 1_000;
/// Bytes of all pages together: 64 MiB, as for a file.
const MOST_BYTES: usize = 64 << 20;

type Client = RunningService<RoleClient, InitializeRequestParams>;

/// The tools of `server` as one JSON text. `patience` is how long each of its answers may take.
pub fn tools(server: Server, patience: Duration) -> Result<String, Failure> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| Failure::new(format!("no thread to work on: {error}")))?;
    let answer = runtime.block_on(ask(server, patience));
    // A server that does not end must not keep us.
    runtime.shutdown_timeout(Duration::from_secs(1));
    answer
}

async fn ask(server: Server, patience: Duration) -> Result<String, Failure> {
    let answers = Answers::default();
    let session = Session {
        answers: answers.clone(),
        patience,
        errors: None,
        label: server.label().into_string(),
    };
    let (session, client) = session.connect(server).await?;
    let pages = session.pages(&client).await;
    // Told in peace where it listens; otherwise dropped, which ends the command.
    let _ = tokio::time::timeout(Duration::from_secs(3), client.cancel()).await;
    serde_json::to_string(&Value::Array(pages?)).map_err(|error| Failure::new(error.to_string()))
}

struct Session {
    answers: Answers,
    patience: Duration,
    errors: Option<ErrorStream>,
    label: String,
}

impl Session {
    async fn connect(mut self, server: Server) -> Result<(Self, Client), Failure> {
        let info = InitializeRequestParams::new(
            ClientCapabilities::default(),
            Implementation::new("toolcast", env!("CARGO_PKG_VERSION")),
        );
        let connected = match server {
            Server::Command(words) => {
                let (pipes, errors) =
                    Pipes::start(&words, self.answers.clone()).map_err(|error| {
                        Failure::new(format!("`{}` cannot be started: {error}", words[0])).help(
                            "give the command that starts the server, as you would in a shell",
                        )
                    })?;
                self.errors = Some(errors);
                tokio::time::timeout(self.patience, info.serve(pipes)).await
            }
            Server::Address(address, headers) => {
                let listening = Listening {
                    client: client(headers, self.patience)?,
                    answers: self.answers.clone(),
                };
                let config = StreamableHttpClientTransportConfig::with_uri(address.as_str());
                let transport = StreamableHttpClientTransport::with_client(listening, config);
                tokio::time::timeout(self.patience, info.serve(transport)).await
            }
        };
        match connected {
            Ok(Ok(client)) => Ok((self, client)),
            Ok(Err(error)) => Err(self.refused(&error).await),
            Err(_) => Err(self.slow("the handshake")),
        }
    }

    async fn pages(&self, client: &Client) -> Result<Vec<Value>, Failure> {
        let mut pages = Vec::new();
        let mut cursors = HashSet::new();
        let mut cursor: Option<String> = None;
        let mut bytes = 0;
        loop {
            let params = PaginatedRequestParams::default().with_cursor(cursor.clone());
            let request = ClientRequest::ListToolsRequest(ListToolsRequest {
                method: Default::default(),
                params: Some(params),
                extensions: Default::default(),
            });
            let asked = tokio::time::timeout(self.patience, client.send_request(request)).await;
            let page = self.answers.page();
            let page = match (asked, page) {
                (Err(_), None) => return Err(self.slow("`tools/list`")),
                // The answer counts, whatever rmcp's stricter types make of it.
                (_, Some(page)) => page,
                (Ok(Err(error)), None) => return Err(self.broken(&error).await),
                (Ok(Ok(_)), None) => {
                    return Err(self.lied("answered something else than was asked"));
                }
            };
            if !page.get("tools").is_some_and(Value::is_array) {
                return Err(self.lied("answered `tools/list` without a list of tools"));
            }
            bytes += page.to_string().len();
            if bytes > MOST_BYTES {
                return Err(self.lied(&format!("sent more than {MOST_BYTES} bytes of tools")));
            }
            cursor = page.get("nextCursor").and_then(Value::as_str).map(str::to_owned);
            pages.push(json!({ "tools": page["tools"] }));
            match &cursor {
                None => return Ok(pages),
                Some(next) if !cursors.insert(next.clone()) => {
                    return Err(self.lied("gave a cursor twice: its list has no end"));
                }
                Some(_) if pages.len() >= MOST_PAGES => {
                    return Err(self.lied(&format!("has more than {MOST_PAGES} pages of tools")));
                }
                Some(_) => {}
            }
        }
    }

    fn slow(&self, what: &str) -> Failure {
        let seconds = self.patience.as_secs();
        let failure =
            Failure::new(format!("`{}` did not answer {what} within {seconds} s", self.label));
        failure.help(self.heard("see that it is an MCP server, or give it longer with `--timeout`"))
    }

    fn lied(&self, what: &str) -> Failure {
        Failure::new(format!("`{}` {what}", self.label))
            .help(self.heard("this is a fault of the server"))
    }

    async fn refused(&self, error: &ClientInitializeError) -> Failure {
        let fault = self.answers.fault();
        let fault = fault.unwrap_or_else(|| Fault { what: fault::of_handshake(error), help: None });
        let failure = Failure::new(format!(
            "`{}` does not answer as an MCP server: {}",
            self.label, fault.what
        ));
        // What it wrote to its error stream may come a moment after its end.
        tokio::time::sleep(Duration::from_millis(100)).await;
        let help = fault.help.unwrap_or("see that the command or address starts an MCP server");
        failure.help(self.heard(help))
    }

    async fn broken(&self, error: &ServiceError) -> Failure {
        let fault = self.answers.fault();
        let fault = fault.unwrap_or_else(|| Fault { what: fault::of_service(error), help: None });
        let failure =
            Failure::new(format!("`{}` does not list its tools: {}", self.label, fault.what));
        tokio::time::sleep(Duration::from_millis(100)).await;
        let help = fault.help.unwrap_or("see that the server has tools, and its log");
        failure.help(self.heard(help))
    }

    /// The help, and what the command itself had to say.
    fn heard(&self, help: &str) -> String {
        match self.errors.as_ref().map(ErrorStream::tail).filter(|tail| !tail.is_empty()) {
            Some(tail) => format!("{help}; it wrote:\n{tail}"),
            None => help.to_owned(),
        }
    }
}

fn client(headers: Vec<(String, String)>, patience: Duration) -> Result<reqwest::Client, Failure> {
    // Fails only where a provider is installed already, which is as good.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let mut map = HashMap::new();
    for (name, value) in headers {
        let wrong = || Failure::new(format!("`{name}` is no header")).help("write `Name: value`");
        let key = HeaderName::try_from(name.as_str()).map_err(|_| wrong())?;
        map.insert(key, HeaderValue::try_from(value).map_err(|_| wrong())?);
    }
    reqwest::Client::builder()
        .connect_timeout(patience)
        .default_headers(map.into_iter().collect())
        .build()
        .map_err(|error| Failure::new(format!("no HTTP client: {error}")))
}
