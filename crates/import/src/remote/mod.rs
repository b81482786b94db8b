//! Asks a running server for its tools, page by page. A dead, slow or lying server gives a clear failure: every wait has
//! an end, and so have pages, tools and bytes.

mod answers;
mod events;
mod failure;
mod fault;
mod group;
mod http;
mod stdio;

pub use failure::Failure;

use self::http::Listening;
use ::http::{HeaderName, HeaderValue};
use answers::Answers;
use camino::Utf8PathBuf;
use fault::Fault;
use group::Group;
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
use std::sync::Arc;
use std::time::Duration;
use stdio::{ErrorStream, Pipes};
use toolcast_schema::diagnostic::one_line;

/// Pages of one list.
const MOST_PAGES: usize = 1_000;
/// Bytes of one answer: 16 MiB. A value may take twenty times as much memory as its text.
const LARGEST_ANSWER: usize = 16 << 20;
/// Bytes of all pages together: 32 MiB.
const MOST_BYTES: usize = 32 << 20;
/// How many times as long as one answer all of them may take.
const ANSWERS: u32 = 10;

/// A running server to ask.
#[derive(Clone, Debug)]
pub enum Server {
    /// A command that speaks MCP on its standard streams: the program and its arguments.
    Command(Vec<String>),
    /// An address that speaks MCP over streamable HTTP, with further headers.
    Address(String, Vec<(String, String)>),
}

impl Server {
    /// How messages name it.
    pub fn label(&self) -> Utf8PathBuf {
        match self {
            Self::Command(parts) => parts.join(" ").into(),
            Self::Address(address, _) => address.into(),
        }
    }
}

type Client = RunningService<RoleClient, InitializeRequestParams>;

/// The tools of `server` as one JSON text. `patience` is how long each of its answers may take; all of them together may
/// take ten times as long.
///
/// An address is asked where it is: a redirect to another server is refused, wherever that may be, since only the user may
/// choose it. A command is ended with all that it started, also where we are interrupted.
///
/// # Errors
///
/// Where the server cannot be reached or started, is slow, lies, or sends more than is read from anyone.
pub fn tools(server: Server, patience: Duration) -> Result<String, Failure> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| Failure::new(format!("no thread to work on: {error}")))?;
    let answer = runtime.block_on(async {
        tokio::select! {
            answer = ask(server, patience) => answer,
            () = group::interrupted() => Err(Failure::new("interrupted")),
        }
    });
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
        group: Arc::default(),
        label: one_line(server.label().as_str()).into_owned(),
    };
    let (session, client) = session.connect(server).await?;
    let whole = patience.saturating_mul(ANSWERS);
    let pages = match tokio::time::timeout(whole, session.pages(&client)).await {
        Ok(pages) => pages,
        Err(_) => {
            let seconds = whole.as_secs();
            Err(session.lied(&format!("did not list all its tools within {seconds} s")))
        }
    };
    // Told in peace where it listens; otherwise dropped, which ends the command.
    let _ = tokio::time::timeout(Duration::from_secs(3), client.cancel()).await;
    session.group.end();
    serde_json::to_string(&Value::Array(pages?)).map_err(|error| Failure::new(error.to_string()))
}

struct Session {
    answers: Answers,
    patience: Duration,
    errors: Option<ErrorStream>,
    group: Arc<Group>,
    label: String,
}

impl Drop for Session {
    fn drop(&mut self) {
        self.group.end();
    }
}

impl Session {
    async fn connect(mut self, server: Server) -> Result<(Self, Client), Failure> {
        let info = InitializeRequestParams::new(
            ClientCapabilities::default(),
            Implementation::new("toolcast", env!("CARGO_PKG_VERSION")),
        );
        let connected = match server {
            Server::Command(parts) => {
                let started = Pipes::start(&parts, self.answers.clone(), &self.group);
                let (pipes, errors) = started.map_err(|error| {
                    let program = one_line(parts.first().map_or("", String::as_str));
                    Failure::new(format!("`{program}` cannot be started: {error}"))
                        .help("give the command that starts the server, as you would in a shell")
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
            let mut page = match (asked, page) {
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
            pages.push(json!({ "tools": page["tools"].take() }));
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
    // What is not asked for is not decompressed either: a bomb stays as small as it came.
    map.insert(::http::header::ACCEPT_ENCODING, HeaderValue::from_static("identity"));
    reqwest::Client::builder()
        .connect_timeout(patience)
        .default_headers(map.into_iter().collect())
        .no_gzip()
        .no_brotli()
        .no_zstd()
        .no_deflate()
        .redirect(http::redirects())
        .dns_resolver(Arc::new(http::Pinned::default()))
        .build()
        .map_err(|error| Failure::new(format!("no HTTP client: {error}")))
}
