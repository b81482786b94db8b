//! `toolcast import` as a person or a script meets it: files, running servers, and servers that are dead, slow or lie.

use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

fn toolcast(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_toolcast"))
        .args(arguments)
        .current_dir(folder)
        .stdin(Stdio::null())
        .env_remove("CLICOLOR_FORCE")
        .output()
        .expect("cargo built the command before this test")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn files(folder: &Path) -> BTreeMap<String, String> {
    let Ok(entries) = fs::read_dir(folder) else { return BTreeMap::new() };
    let read = |entry: std::io::Result<fs::DirEntry>| {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        (name, fs::read_to_string(path).unwrap())
    };
    entries.map(read).collect()
}

fn tool(name: &str) -> Value {
    json!({ "name": name, "description": "Does it.", "inputSchema": { "type": "object" }, "execution": { "taskSupport": "forbidden" } })
}

#[test]
fn files_become_contracts_that_check_accepts() {
    let folder = tempfile::tempdir().unwrap();
    let mut odd = tool("odd");
    odd["inputSchema"]["properties"] = json!({ "a": { "type": "integer", "default": "1" } });
    fs::write(
        folder.path().join("mcp.json"),
        json!({ "tools": [tool("search"), odd] }).to_string(),
    )
    .unwrap();
    fs::write(
        folder.path().join("openai.json"),
        json!([{ "type": "function", "name": "Search", "description": "Other.", "parameters": { "type": "object", "properties": {} } }]).to_string(),
    )
    .unwrap();
    let import = ["import", "mcp.json", "openai.json", "--into", "api/schemas"];
    let first = toolcast(folder.path(), &import);
    assert_eq!(first.status.code(), Some(0), "{}", text(&first.stderr));
    let told = text(&first.stdout);
    assert!(told.contains("warning[default-mismatch]: `odd`"), "{told}");
    assert!(told.contains("help: import dropped the default"), "{told}");
    let schemas = folder.path().join("api/schemas");
    let written = files(&schemas);
    assert_eq!(written.keys().collect::<Vec<_>>(), ["Search_2.json", "odd.json", "search.json"]);
    assert!(written["search.json"].contains("taskSupport"), "what is unknown is kept");
    let check = toolcast(folder.path(), &["check", "api/schemas"]);
    assert_eq!(check.status.code(), Some(0), "{}", text(&check.stdout));

    let times = || -> Vec<_> {
        written
            .keys()
            .map(|name| fs::metadata(schemas.join(name)).unwrap().modified().unwrap())
            .collect()
    };
    let before = times();
    let again = toolcast(folder.path(), &import);
    assert_eq!(again.status.code(), Some(0));
    assert!(text(&again.stdout).contains("3 unchanged"), "{}", text(&again.stdout));
    assert_eq!(files(&schemas), written);
    assert_eq!(times(), before, "nothing is written twice");

    fs::write(schemas.join("odd.json"), "{}").unwrap();
    let json = toolcast(
        folder.path(),
        &["import", "mcp.json", "openai.json", "--into", "api/schemas", "--json"],
    );
    let result: Value = serde_json::from_slice(&json.stdout).unwrap();
    assert_eq!(result["updated"], json!(["api/schemas/odd.json"]));
    assert_eq!(result["unchanged"], 2);
    assert_eq!(result["findings"][0]["rule"], "default-mismatch");
}

#[test]
fn what_is_left_out_is_a_finding_and_what_cannot_be_read_a_failure() {
    let folder = tempfile::tempdir().unwrap();
    let bad = json!({ "name": "bad", "description": "x", "inputSchema": { "type": "string" } });
    fs::write(folder.path().join("some.json"), json!([tool("good"), bad]).to_string()).unwrap();
    let some = toolcast(folder.path(), &["import", "some.json"]);
    assert_eq!(some.status.code(), Some(1));
    assert!(text(&some.stdout).contains("error[root-not-object]: `bad`"), "{}", text(&some.stdout));
    assert_eq!(files(&folder.path().join("schemas")).len(), 1);

    fs::write(folder.path().join("broken.json"), "{").unwrap();
    for (arguments, needle) in [
        (vec!["import", "missing.json"], "missing.json"),
        (vec!["import", "broken.json"], "broken.json:1:2"),
        (vec!["import"], "--stdio"),
        (vec!["import", "--stdio", "'unclosed"], "command line"),
        (vec!["import", "--stdio", "no-such-program-here"], "cannot be started"),
        (vec!["import", "--http", "http://127.0.0.1:1/mcp"], "127.0.0.1:1"),
        (vec!["import", "--http", "http://127.0.0.1:1/mcp", "--header", "nonsense"], "no header"),
    ] {
        let output = toolcast(folder.path(), &arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {}", text(&output.stdout));
        assert!(text(&output.stderr).contains(needle), "{arguments:?}: {}", text(&output.stderr));
    }
}

/// What a server of these tests does.
fn answer(mode: &str, message: &Value) -> Option<Value> {
    let id = message.get("id")?.clone();
    let result = |result: Value| Some(json!({ "jsonrpc": "2.0", "id": id, "result": result }));
    match (message["method"].as_str()?, mode) {
        ("initialize", _) => result(json!({
            "protocolVersion": "2025-06-18",
            "capabilities": { "tools": {} },
            "serverInfo": { "name": "fake", "version": "0" },
        })),
        ("tools/list", "slow") => None,
        ("tools/list", "refuses") => Some(json!({
            "jsonrpc": "2.0", "id": id, "error": { "code": -32601, "message": "no tools here" },
        })),
        ("tools/list", "lies") => result(json!({ "tools": "many" })),
        ("tools/list", "endless") => {
            result(json!({ "tools": [tool("one")], "nextCursor": "again" }))
        }
        ("tools/list", _) => match message["params"]["cursor"].as_str() {
            None => result(json!({ "tools": [tool("one"), { "name": "odd" }], "nextCursor": "2" })),
            Some(_) => result(json!({ "tools": [tool("two")] })),
        },
        _ => Some(
            json!({ "jsonrpc": "2.0", "id": id, "error": { "code": -32601, "message": "no such method" } }),
        ),
    }
}

/// Not a test of its own: the process that the tests below start as a server. libtest's lines on standard output are the
/// stray logs that real servers write, too.
#[test]
fn fake_server() {
    let Ok(mode) = std::env::var("TOOLCAST_FAKE_SERVER") else { return };
    if mode == "dead" {
        eprintln!("error: no API key is set");
        std::process::exit(3);
    }
    for line in std::io::stdin().lines() {
        let Ok(message) = serde_json::from_str::<Value>(&line.unwrap()) else { continue };
        if let Some(answer) = answer(&mode, &message) {
            println!("{answer}");
        }
    }
}

#[cfg(unix)]
fn ask(mode: &str, folder: &Path) -> Output {
    let program = std::env::current_exe().unwrap();
    let command = format!(
        "env TOOLCAST_FAKE_SERVER={mode} '{}' --exact fake_server --nocapture",
        program.display()
    );
    toolcast(
        folder,
        &["import", "--stdio", &command, "--timeout", if mode == "slow" { "2" } else { "20" }],
    )
}

#[cfg(unix)]
#[test]
fn a_running_command_is_asked_page_by_page() {
    let folder = tempfile::tempdir().unwrap();
    let output = ask("good", folder.path());
    // One of its tools has no schema; the others are imported.
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    assert!(
        text(&output.stdout).contains("`odd` has no schema of its input"),
        "{}",
        text(&output.stdout)
    );
    let written = files(&folder.path().join("schemas"));
    assert_eq!(written.keys().collect::<Vec<_>>(), ["one.json", "two.json"]);
    assert!(written["one.json"].contains("taskSupport"), "what rmcp does not know is kept");
}

#[cfg(unix)]
#[test]
fn servers_that_do_not_keep_their_word_are_clear_failures() {
    for (mode, needle) in [
        ("dead", "no API key is set"),
        ("slow", "within 2 s"),
        ("refuses", "no tools here"),
        ("lies", "without a list of tools"),
        ("endless", "cursor twice"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let started = Instant::now();
        let output = ask(mode, folder.path());
        assert_eq!(output.status.code(), Some(2), "{mode}: {}", text(&output.stdout));
        assert!(text(&output.stderr).contains(needle), "{mode}: {}", text(&output.stderr));
        assert!(started.elapsed() < Duration::from_secs(30), "{mode} took {:?}", started.elapsed());
        assert!(files(&folder.path().join("schemas")).is_empty());
    }
}

/// Serves MCP over HTTP on the loopback until the test ends; answers as JSON or as a stream of events.
fn serve(mode: &'static str, stream: bool) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}/mcp", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        for connection in listener.incoming() {
            let Ok(connection) = connection else { continue };
            std::thread::spawn(move || one(connection, mode, stream));
        }
    });
    address
}

fn one(mut connection: TcpStream, mode: &str, stream: bool) -> Option<()> {
    let mut reader = BufReader::new(connection.try_clone().ok()?);
    let mut length = 0;
    let mut authorised = false;
    let mut post = false;
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).ok()?;
        let line = line.trim().to_ascii_lowercase();
        if line.is_empty() {
            break;
        }
        post |= line.starts_with("post ");
        authorised |= line == "authorization: bearer secret";
        if let Some(value) = line.strip_prefix("content-length:") {
            length = value.trim().parse().ok()?;
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    let message: Value = serde_json::from_slice(&body).unwrap_or_default();
    let answer = answer(mode, &message);
    let (status, kind, body) = match answer {
        _ if !authorised => ("403 Forbidden", "text/plain", "no".to_owned()),
        _ if !post => ("405 Method Not Allowed", "text/plain", String::new()),
        Some(answer) if stream => (
            "200 OK",
            "text/event-stream",
            format!(": hello\n\nevent: message\ndata: {answer}\n\n"),
        ),
        Some(answer) => ("200 OK", "application/json", answer.to_string()),
        None if mode == "slow" && message["method"] == "tools/list" => {
            std::thread::sleep(Duration::from_secs(20));
            return None;
        }
        None => ("202 Accepted", "text/plain", String::new()),
    };
    let head = format!(
        "HTTP/1.1 {status}\r\ncontent-type: {kind}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n",
        body.len()
    );
    connection.write_all(head.as_bytes()).ok()?;
    connection.write_all(body.as_bytes()).ok()
}

#[test]
fn a_server_at_an_address_is_asked_too() {
    for stream in [false, true] {
        let folder = tempfile::tempdir().unwrap();
        let address = serve("good", stream);
        let output = toolcast(
            folder.path(),
            &["import", "--http", &address, "--header", "Authorization: Bearer secret"],
        );
        assert_eq!(
            output.status.code(),
            Some(1),
            "{}{}",
            text(&output.stdout),
            text(&output.stderr)
        );
        let written = files(&folder.path().join("schemas"));
        assert_eq!(written.keys().collect::<Vec<_>>(), ["one.json", "two.json"]);
        assert!(written["one.json"].contains("taskSupport"), "what rmcp does not know is kept");
    }
}

#[test]
fn addresses_that_fail_say_how() {
    let folder = tempfile::tempdir().unwrap();
    let header = ["--header", "Authorization: Bearer secret", "--timeout", "2"];
    for (mode, arguments, needle) in [
        ("good", &[][..], "403"),
        ("refuses", &header[..], "no tools here"),
        ("lies", &header[..], "without a list of tools"),
        ("endless", &header[..], "cursor twice"),
        ("slow", &header[..], "within 2 s"),
    ] {
        let address = serve(mode, false);
        let mut line = vec!["import", "--http", &address];
        line.extend(arguments);
        let output = toolcast(folder.path(), &line);
        assert_eq!(output.status.code(), Some(2), "{mode}: {}", text(&output.stdout));
        assert!(text(&output.stderr).contains(needle), "{mode}: {}", text(&output.stderr));
    }
}

/// Answers every request with the same status, kind and body.
fn always(status: &'static str, kind: &'static str, body: &'static str) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}/mcp", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        for mut connection in listener.incoming().flatten() {
            let mut reader = BufReader::new(connection.try_clone().unwrap());
            let mut length = 0;
            let mut line = String::new();
            while reader.read_line(&mut line).is_ok_and(|read| read > 0) && line.trim() != "" {
                let lower = line.to_ascii_lowercase();
                if let Some(value) = lower.strip_prefix("content-length:") {
                    length = value.trim().parse().unwrap();
                }
                line.clear();
            }
            let _ = reader.read_exact(&mut vec![0; length]);
            let _ = write!(
                connection,
                "HTTP/1.1 {status}\r\ncontent-type: {kind}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}",
                body.len()
            );
        }
    });
    address
}

#[test]
fn addresses_that_fail_say_so_in_plain_words() {
    const JSON: &str = "application/json";
    let folder = tempfile::tempdir().unwrap();
    let no_dns = "http://nowhere.invalid/mcp".to_owned();
    for (address, what, help) in [
        (
            "http://127.0.0.1:1/mcp".to_owned(),
            "it cannot be reached: Connection refused",
            "see that the server runs",
        ),
        (no_dns, "it cannot be reached: ", "see that the server runs"),
        ("localhost:8000".to_owned(), "this is no address of a server", "write the whole address"),
        (
            always("404 Not Found", "text/html", "<h1>No</h1>"),
            "it answered with HTTP status 404 Not Found",
            "its path too",
        ),
        (
            always("500 Internal Server Error", "text/plain", "boom"),
            "HTTP status 500 Internal Server Error",
            "log",
        ),
        (
            always("401 Unauthorized", "text/plain", "who?"),
            "HTTP status 401 Unauthorized and `who?`",
            "--header",
        ),
        (
            always("200 OK", "text/html", "<h1>Hi</h1>"),
            "it answered with text/html where JSON is wanted",
            "its path too",
        ),
        (always("200 OK", JSON, "{oops"), "its answer is no JSON-RPC message", "its path too"),
        (always("200 OK", JSON, "{\"a\":1}"), "its answer is no JSON-RPC message", "its path too"),
        (
            always("200 OK", JSON, r#"{"jsonrpc":"2.0","id":0,"result":{"a":1}}"#),
            "something else than MCP asks for",
            "MCP server",
        ),
        (
            always(
                "200 OK",
                JSON,
                r#"{"jsonrpc":"2.0","id":0,"error":{"code":-1,"message":"go away"}}"#,
            ),
            "it refused the handshake: go away",
            "MCP server",
        ),
    ] {
        let output = toolcast(folder.path(), &["import", "--http", &address, "--timeout", "5"]);
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{address}: {said}");
        assert!(
            said.starts_with(&format!("error: `{address}` does not answer as an MCP server: ")),
            "{said}"
        );
        assert!(said.contains(what), "{what}: {said}");
        let told = said.split_once("\n  help: ").unwrap_or_else(|| panic!("no help: {said}")).1;
        assert!(told.contains(help), "{help}: {said}");
        for internal in ["::", "Some(", "rmcp", "Transport", "initialize request"] {
            assert!(!said.contains(internal), "{internal}: {said}");
        }
    }
}
