//! A server that is a command: one JSON message a line on its standard streams. Lines are bounded, what is no JSON is
//! passed over as a stray log, and neither the process nor what it starts outlives the import.

use super::LARGEST_ANSWER;
use super::answers::Answers;
use super::fault::Fault;
use super::group::Group;
use rmcp::RoleClient;
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use serde_json::Value;
use std::io;
use std::process::Stdio;
use std::sync::{Arc, Mutex as StdMutex, PoisonError};
use std::time::Duration;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command};
use tokio::sync::Mutex;
use toolcast_schema::diagnostic::one_line;

/// How much of what the command last wrote to its error stream is told.
const TAIL: usize = 2_000;
/// How long a command may take to end once its input is closed.
const GRACE: Duration = Duration::from_secs(2);

/// The command, as a transport.
pub struct Pipes {
    child: Child,
    group: Arc<Group>,
    input: Arc<Mutex<Option<ChildStdin>>>,
    output: BufReader<ChildStdout>,
    line: Vec<u8>,
    answers: Answers,
}

/// The end of what a command wrote to its error stream.
#[derive(Clone, Debug, Default)]
pub struct ErrorStream(Arc<StdMutex<Vec<u8>>>);

impl ErrorStream {
    /// The last lines, as text that a terminal does not obey.
    pub fn tail(&self) -> String {
        let bytes = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let text = String::from_utf8_lossy(&bytes);
        text.trim().lines().map(one_line).collect::<Vec<_>>().join("\n")
    }

    async fn drain(self, mut stream: ChildStderr) {
        let mut chunk = [0; 4096];
        while let Ok(count @ 1..) = stream.read(&mut chunk).await {
            let mut bytes = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            bytes.extend_from_slice(&chunk[..count]);
            let excess = bytes.len().saturating_sub(TAIL);
            bytes.drain(..excess);
        }
    }
}

impl Pipes {
    /// Starts the command, which leads `group` from now on.
    pub fn start(
        parts: &[String],
        answers: Answers,
        group: &Arc<Group>,
    ) -> io::Result<(Self, ErrorStream)> {
        let (program, arguments) =
            parts.split_first().ok_or_else(|| io::Error::from(io::ErrorKind::InvalidInput))?;
        let mut command = Command::new(program);
        Group::prepare(&mut command);
        let mut child = command
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true)
            .spawn()?;
        group.lead(&child);
        let missing = || io::Error::other("the command has no standard streams");
        let input = child.stdin.take().ok_or_else(missing)?;
        let output = child.stdout.take().ok_or_else(missing)?;
        let errors = ErrorStream::default();
        tokio::spawn(errors.clone().drain(child.stderr.take().ok_or_else(missing)?));
        let pipes = Self {
            child,
            group: Arc::clone(group),
            input: Arc::new(Mutex::new(Some(input))),
            output: BufReader::new(output),
            line: Vec::new(),
            answers,
        };
        Ok((pipes, errors))
    }

    /// The next whole line; `None` at the end. May be dropped half-way: what was read is kept.
    async fn next_line(&mut self) -> Option<Vec<u8>> {
        loop {
            let available = match self.output.fill_buf().await {
                Ok([]) | Err(_) => return None,
                Ok(available) => available,
            };
            let (taken, whole) = match available.iter().position(|byte| *byte == b'\n') {
                Some(end) => (end + 1, true),
                None => (available.len(), false),
            };
            self.line.extend_from_slice(&available[..taken]);
            self.output.consume(taken);
            if self.line.len() > LARGEST_ANSWER {
                let what = format!("it wrote a line of more than {LARGEST_ANSWER} bytes");
                self.answers.fail(Fault { what, help: None });
                return None;
            }
            if whole {
                return Some(std::mem::take(&mut self.line));
            }
        }
    }
}

impl Transport<RoleClient> for Pipes {
    type Error = io::Error;

    fn send(
        &mut self,
        item: TxJsonRpcMessage<RoleClient>,
    ) -> impl Future<Output = Result<(), Self::Error>> + Send + 'static {
        self.answers.asks(&item);
        let input = Arc::clone(&self.input);
        async move {
            let mut text = serde_json::to_vec(&item)?;
            text.push(b'\n');
            match input.lock().await.as_mut() {
                Some(input) => {
                    input.write_all(&text).await?;
                    input.flush().await
                }
                None => Err(io::ErrorKind::BrokenPipe.into()),
            }
        }
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleClient>> {
        loop {
            let line = self.next_line().await?;
            let Ok(mut value) = serde_json::from_slice::<Value>(&line) else { continue };
            self.answers.came(&mut value);
            if let Ok(message) = serde_json::from_value(value) {
                return Some(message);
            }
        }
    }

    async fn close(&mut self) -> Result<(), Self::Error> {
        // A closed input is how a server is told to end (MCP, stdio, shutdown).
        self.input.lock().await.take();
        if tokio::time::timeout(GRACE, self.child.wait()).await.is_err() {
            self.child.kill().await?;
        }
        self.group.end();
        Ok(())
    }
}
