//! `toolcast import` before servers that mean harm: whatever they do ends soon, in bounded memory, with status 2 and a text that
//! a terminal can show; nobody else is asked, and nothing that they started is left.
#![cfg(unix)]

use serde_json::{Value, json};
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

fn import(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_toolcast"));
    command.arg("import").args(arguments).current_dir(folder).stdin(Stdio::null());
    command.env_remove("CLICOLOR_FORCE").stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Asks a server, which must be refused within `seconds`; gives what was said.
fn refused(arguments: &[&str], seconds: u64) -> String {
    let folder = tempfile::tempdir().unwrap();
    let started = Instant::now();
    let output: Output = import(folder.path(), arguments).output().unwrap();
    let said = format!(
        "{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
    assert!(
        started.elapsed() < Duration::from_secs(seconds),
        "took {:?}: {said}",
        started.elapsed()
    );
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {said}");
    assert!(!folder.path().join("schemas").exists(), "{arguments:?}: {said}");
    let obeyed = |c: char| c != '\n' && (c.is_control() || "\u{202e}\u{2066}".contains(c));
    assert!(!said.contains(obeyed), "{said:?}");
    said
}

/// Answers each connection's one request on the loopback: the first line of its head, and its body.
fn serve(answer: impl Fn(&str, &Value, TcpStream) + Send + Sync + 'static) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let answer = Arc::new(answer);
    std::thread::spawn(move || {
        for connection in listener.incoming().flatten() {
            let answer = Arc::clone(&answer);
            std::thread::spawn(move || {
                let mut reader = BufReader::new(connection.try_clone().unwrap());
                let (mut first, mut length, mut line) = (String::new(), 0, String::new());
                while reader.read_line(&mut line).is_ok_and(|read| read > 0) && line.trim() != "" {
                    let lower = line.to_ascii_lowercase();
                    if let Some(value) = lower.strip_prefix("content-length:") {
                        length = value.trim().parse().unwrap();
                    }
                    if first.is_empty() {
                        first = lower;
                    }
                    line.clear();
                }
                let mut body = vec![0; length];
                let _ = reader.read_exact(&mut body);
                let message = serde_json::from_slice(&body).unwrap_or_default();
                answer(&first, &message, connection);
            });
        }
    });
    port
}

fn respond(mut to: TcpStream, status: &str, head: &str, body: &[u8]) {
    let length = body.len();
    let _ = write!(
        to,
        "HTTP/1.1 {status}\r\n{head}content-length: {length}\r\nconnection: close\r\n\r\n"
    );
    let _ = to.write_all(body);
}

const JSON: &str = "content-type: application/json\r\n";

/// What every server answers to all but `tools/list`; false where that is asked for.
fn greets(message: &Value, to: &TcpStream) -> bool {
    let to = to.try_clone().unwrap();
    match message["method"].as_str() {
        Some("initialize") => {
            respond(to, "200 OK", JSON, initialized(message).to_string().as_bytes())
        }
        Some("tools/list") => return false,
        _ => respond(to, "202 Accepted", "", b""),
    }
    true
}

fn initialized(message: &Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": message["id"], "result": {
        "protocolVersion": "2025-06-18",
        "capabilities": { "tools": {} },
        "serverInfo": { "name": "fake", "version": "0" },
    } })
}

fn listed(message: &Value, result: Value) -> Vec<u8> {
    json!({ "jsonrpc": "2.0", "id": message["id"], "result": result }).to_string().into_bytes()
}

fn tool(name: &str) -> Value {
    json!({ "name": name, "description": "Does it.", "inputSchema": { "type": "object" } })
}

#[test]
fn nobody_is_asked_but_the_server_that_was_named() {
    let asked = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&asked);
    // A server of ours that strangers cannot reach, and that would answer.
    let private = serve(move |_, message, to| {
        count.fetch_add(1, Ordering::SeqCst);
        if !greets(message, &to) {
            respond(to, "200 OK", JSON, &listed(message, json!({ "tools": [tool("inner")] })));
        }
    });
    for host in [
        "127.0.0.1",
        "localhost",
        "[::1]",
        "[::ffff:127.0.0.1]",
        "2130706433",
        "0x7f.0.0.1",
        "127.1",
        "0.0.0.0",
    ] {
        for at_once in [true, false] {
            for status in ["302 Found", "307 Temporary Redirect", "308 Permanent Redirect"] {
                let target = format!("location: http://{host}:{private}/mcp\r\n");
                let port = serve(move |_, message, to| {
                    if at_once || !greets(message, &to) {
                        respond(to, status, &target, b"");
                    }
                });
                let said = refused(
                    &["--http", &format!("http://127.0.0.1:{port}/mcp"), "--timeout", "5"],
                    20,
                );
                assert!(said.contains("it redirects to another server, http://"), "{host}: {said}");
                assert!(said.contains("if you trust it"), "{said}");
            }
        }
    }
    assert_eq!(asked.load(Ordering::SeqCst), 0);
}

#[test]
fn a_server_may_redirect_to_itself_but_not_for_ever() {
    let port = serve(|first, message, to| {
        if first.starts_with("post /mcp ") {
            return respond(to, "307 Temporary Redirect", "location: /mcp/\r\n", b"");
        }
        if !greets(message, &to) {
            respond(to, "200 OK", JSON, &listed(message, json!({ "tools": [tool("one")] })));
        }
    });
    let folder = tempfile::tempdir().unwrap();
    let address = format!("http://127.0.0.1:{port}/mcp");
    let output = import(folder.path(), &["--http", &address]).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(folder.path().join("schemas/one.json").exists());
    let port = serve(|_, _, to| respond(to, "307 Temporary Redirect", "location: /mcp\r\n", b""));
    let said = refused(&["--http", &format!("http://127.0.0.1:{port}/mcp"), "--timeout", "5"], 20);
    assert!(said.contains("it redirects without end"), "{said}");
}

/// Sends what `pieces` gives until nobody reads any more.
fn pour(mut to: TcpStream, head: &str, pieces: impl Iterator<Item = Vec<u8>>) {
    let _ = write!(to, "HTTP/1.1 200 OK\r\n{head}connection: close\r\n\r\n");
    for piece in pieces {
        if to.write_all(&piece).is_err() {
            return;
        }
    }
}

#[test]
fn answers_without_end_are_cut() {
    const EVENTS: &str = "content-type: text/event-stream\r\n";
    let event = b"event: message\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"x\"}\n\n".to_vec();
    for (head, piece) in
        [(JSON, vec![b' '; 1 << 16]), (EVENTS, event), (EVENTS, vec![b':'; 1 << 16])]
    {
        for at_once in [true, false] {
            let piece = piece.clone();
            let port = serve(move |_, message, to| {
                if at_once || !greets(message, &to) {
                    pour(to, head, std::iter::repeat(piece.clone()));
                }
            });
            let address = format!("http://127.0.0.1:{port}/mcp");
            let said = refused(&["--http", &address, "--timeout", "6"], 30);
            assert!(said.contains("bytes") || said.contains("within 6 s") || at_once, "{said}");
        }
    }
}

#[test]
fn answers_that_drip_are_not_waited_for() {
    for at_once in [true, false] {
        let port = serve(move |_, message, to| {
            if at_once || !greets(message, &to) {
                let drops = std::iter::repeat_with(|| {
                    std::thread::sleep(Duration::from_millis(50));
                    vec![b' ']
                });
                pour(to, JSON, drops);
            }
        });
        let said =
            refused(&["--http", &format!("http://127.0.0.1:{port}/mcp"), "--timeout", "2"], 12);
        assert!(said.contains("within 2 s"), "{said}");
    }
}

#[test]
fn pages_that_drip_are_not_waited_for() {
    let page = AtomicUsize::new(0);
    let port = serve(move |_, message, to| {
        if !greets(message, &to) {
            std::thread::sleep(Duration::from_millis(700));
            let next = page.fetch_add(1, Ordering::SeqCst).to_string();
            let result = json!({ "tools": [tool("one")], "nextCursor": next });
            respond(to, "200 OK", JSON, &listed(message, result));
        }
    });
    let said = refused(&["--http", &format!("http://127.0.0.1:{port}/mcp"), "--timeout", "1"], 20);
    assert!(said.contains("did not list all its tools within 10 s"), "{said}");
}

#[test]
fn what_is_packed_is_not_unpacked() {
    // An empty gzip stream, ten thousand times: what follows a head of that kind does not matter, it is not looked at.
    let empty = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    for coding in ["gzip", "br", "deflate", "zstd", "gzip, gzip"] {
        let head = format!("{JSON}content-encoding: {coding}\r\n");
        let port = serve(move |_, message, to| {
            if !greets(message, &to) {
                respond(to, "200 OK", &head, &empty.repeat(10_000));
            }
        });
        let said = refused(&["--http", &format!("http://127.0.0.1:{port}/mcp")], 20);
        assert!(said.contains(&format!("its answer is packed ({coding})")), "{said}");
    }
}

#[test]
fn texts_of_a_server_are_shown_and_not_obeyed() {
    const HOSTILE: &str = "a\u{1b}[2J\nerror: forged\r\u{9b}\u{202e}\u{2066}";
    let refusal = |message: &Value| {
        let error = json!({ "code": -1, "message": HOSTILE, "data": HOSTILE });
        json!({ "jsonrpc": "2.0", "id": message["id"], "error": error }).to_string().into_bytes()
    };
    for at_once in [true, false] {
        let port = serve(move |_, message, to| {
            if at_once || !greets(message, &to) {
                respond(to, "200 OK", JSON, &refusal(message));
            }
        });
        let said = refused(&["--http", &format!("http://127.0.0.1:{port}/mcp")], 20);
        assert!(said.contains(r"a\u{1b}[2J\nerror: forged"), "{said}");
        assert!(!said.contains("\nerror: forged"), "{said}");
    }
    let port = serve(|_, _, to| respond(to, "400 Bad Request", "", HOSTILE.as_bytes()));
    refused(&["--http", &format!("http://127.0.0.1:{port}/mcp")], 20);
    // A list that can be read for the most part: what is said of its tools.
    let port = serve(|_, message, to| {
        if !greets(message, &to) {
            let mut odd = tool(HOSTILE);
            odd["inputSchema"] = json!({ "type": HOSTILE, HOSTILE: { HOSTILE: 1 } });
            let result = json!({ "tools": [odd, { "name": HOSTILE }] });
            respond(to, "200 OK", JSON, &listed(message, result));
        }
    });
    let folder = tempfile::tempdir().unwrap();
    let address = format!("http://127.0.0.1:{port}/mcp");
    for form in [&["--http", &address][..], &["--http", &address, "--json"]] {
        let output = import(folder.path(), form).output().unwrap();
        let said = String::from_utf8_lossy(&output.stdout);
        assert_eq!(output.status.code(), Some(1), "{said}");
        let obeyed = |c: char| c != '\n' && (c.is_control() || "\u{202e}\u{2066}".contains(c));
        assert!(!said.contains(obeyed) && !said.contains("\nerror: forged"), "{said:?}");
    }
    let noisy = r"printf 'a\033[2J\302\233\342\200\256\r' >&2; exit 3";
    let said = refused(&["--stdio", &format!("sh -c \"{noisy}\"")], 20);
    assert!(said.contains(r"a\u{1b}[2J"), "{said}");
}

#[test]
fn commands_that_write_without_end_are_cut() {
    for (script, needle) in [
        ("yes | tr -d '\\n'", "it wrote a line of more than"),
        ("yes", "within 2 s"),
        ("yes >&2", "within 2 s"),
        ("while sleep 0.05; do printf x; done", "within 2 s"),
    ] {
        let command = format!("sh -c \"{script}\"");
        let said = refused(&["--stdio", &command, "--timeout", "2"], 20);
        assert!(said.contains(needle), "{script}: {said}");
        assert!(said.len() < 10_000, "{} bytes", said.len());
    }
}

/// Not a test of its own: a server on standard streams, started by the test below.
#[test]
fn fake_server() {
    let Ok(mode) = std::env::var("TOOLCAST_HOSTILE_SERVER") else { return };
    for line in std::io::stdin().lines() {
        let Ok(message) = serde_json::from_str::<Value>(&line.unwrap()) else { continue };
        match message["method"].as_str() {
            Some("initialize") => println!("{}", initialized(&message)),
            Some("tools/list") if mode == "dies" => std::process::exit(3),
            Some("tools/list") if mode == "good" || mode == "stays" => {
                let list = listed(&message, json!({ "tools": [tool("one")] }));
                println!("{}", String::from_utf8(list).unwrap());
            }
            _ => {}
        }
    }
    if mode == "stays" {
        std::thread::sleep(Duration::from_secs(300));
    }
}

/// Whether a process is there and no zombie that nobody has waited for.
fn lives(pid: &str) -> bool {
    let output = Command::new("ps").args(["-o", "stat=", "-p", pid.trim()]).output().unwrap();
    let state = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    !state.is_empty() && !state.starts_with('Z')
}

/// The process that a command left behind, once it said which.
fn left_behind(folder: &Path) -> String {
    for _ in 0..400 {
        let pid = fs::read_to_string(folder.join("pid")).unwrap_or_default();
        if pid.ends_with('\n') {
            return pid;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    panic!("the command did not start");
}

#[test]
fn nothing_that_a_command_starts_outlives_the_import() {
    let program = std::env::current_exe().unwrap();
    let server = |mode: &str| {
        format!(
            "sh -c \"sleep 300 & echo \\$! > pid; \
             TOOLCAST_HOSTILE_SERVER={mode} exec '{}' --exact fake_server --nocapture\"",
            program.display()
        )
    };
    for (mode, status) in [("good", 0), ("stays", 0), ("slow", 2), ("dies", 2)] {
        let folder = tempfile::tempdir().unwrap();
        let command = server(mode);
        let output =
            import(folder.path(), &["--stdio", &command, "--timeout", "4"]).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(status), "{mode}: {said}");
        let pid = left_behind(folder.path());
        std::thread::sleep(Duration::from_millis(200));
        assert!(!lives(&pid), "{mode}: what the command started is still there");
    }
    // Interrupted, as by a terminal or by whoever runs us.
    for signal in ["-INT", "-TERM", "-HUP"] {
        let folder = tempfile::tempdir().unwrap();
        let command = server("slow");
        let mut child = import(folder.path(), &["--stdio", &command]).spawn().unwrap();
        let pid = left_behind(folder.path());
        assert!(lives(&pid));
        let killed = Command::new("kill").args([signal, &child.id().to_string()]).status();
        assert!(killed.unwrap().success());
        let started = Instant::now();
        assert_eq!(child.wait().unwrap().code(), Some(2), "{signal}");
        assert!(started.elapsed() < Duration::from_secs(5), "{signal}");
        std::thread::sleep(Duration::from_millis(200));
        assert!(!lives(&pid), "{signal}: what the command started is still there");
    }
}
