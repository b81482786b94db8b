//! Talks to the driver of a scratch workspace. A call that kills or hangs it costs that call alone.

use crate::corpus::Call;
use serde_json::Value;
use std::io::{self, BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::Duration;

/// What became of one call.
#[derive(Clone, Debug)]
pub enum Answer {
    /// The call reached its handler.
    Reached {
        /// What the handler decoded and serialised again.
        kept: Value,
        /// The value that came out of `execute`, where the handler could answer.
        answered: Option<Value>,
        /// What the model was told.
        told: String,
    },
    /// It never reached the handler; the model was told this.
    Refused(String),
    /// It took the process down or did not end.
    Died(String),
}

/// How long one call may take: debug builds on a busy machine answer in milliseconds.
const PATIENCE: Duration = Duration::from_secs(30);

/// Sends every call of a batch through `execute`, in order.
///
/// # Errors
///
/// Where the driver cannot be started.
pub fn answers(driver: &Path, batch: usize, calls: &[&Call]) -> io::Result<Vec<Answer>> {
    let mut answers = Vec::with_capacity(calls.len());
    while let Some(rest) = calls.get(answers.len()..).filter(|rest| !rest.is_empty()) {
        let mut process = Process::start(driver, batch)?;
        for call in rest {
            match process.send(call) {
                Ok(answer) => answers.push(answer),
                Err(fault) => {
                    answers.push(Answer::Died(fault));
                    break;
                }
            }
        }
    }
    Ok(answers)
}

struct Process {
    child: Child,
    lines: Receiver<String>,
}

impl Process {
    fn start(driver: &Path, batch: usize) -> io::Result<Self> {
        let mut child = Command::new(driver)
            .arg(batch.to_string())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        let (sender, lines) = mpsc::channel();
        let output =
            child.stdout.take().ok_or_else(|| io::Error::other("no pipe from the driver"))?;
        thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        Ok(Self { child, lines })
    }

    fn send(&mut self, call: &Call) -> Result<Answer, String> {
        let input = self.child.stdin.as_mut().ok_or("no pipe to the driver")?;
        writeln!(input, "{}\t{}", call.tool, call.line.trim())
            .map_err(|error| format!("the process died: {error}"))?;
        let line = self.lines.recv_timeout(PATIENCE).map_err(|error| match error {
            mpsc::RecvTimeoutError::Timeout => format!("no answer within {} s", PATIENCE.as_secs()),
            mpsc::RecvTimeoutError::Disconnected => "the process died".to_owned(),
        })?;
        let mut answer: Value = serde_json::from_str(&line).map_err(|error| error.to_string())?;
        let told = answer["told"].as_str().unwrap_or_default().to_owned();
        let answered = answer.get_mut("answered").map(Value::take).filter(|value| !value.is_null());
        Ok(match answer.get_mut("reached").map(Value::take) {
            Some(kept) => Answer::Reached { kept, answered, told },
            None => Answer::Refused(told),
        })
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // It may have ended by itself; all that matters is that nothing stays behind.
        drop(self.child.kill());
        drop(self.child.wait());
    }
}
