//! `helpdesk`: the help desk's tools on the command line.
//!
//! The database is in memory, so that every command starts from the same help desk; `HELPDESK_DB` names a file to keep it
//! in instead.

use helpdesk::Database;
use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let database = match std::env::var_os("HELPDESK_DB") {
        Some(file) => Database::open(Path::new(&file)),
        None => Database::in_memory(),
    };
    match database {
        Ok(database) => toolcast_serve::main(helpdesk::toolset(database)),
        Err(error) => {
            eprintln!("helpdesk: cannot open the database: {error}");
            ExitCode::FAILURE
        }
    }
}
