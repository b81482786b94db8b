//! Ten members of all scalar kinds: a search with filters.

use crate::{Case, handle};
use std::sync::Arc;
use toolcast::generated::v1::*;

const SPEC: ToolSpec = ToolSpec::new("search_issues", "Search issues.").input(
    r#"{"type":"object","properties":{
        "query":{"type":"string","minLength":1,"maxLength":500},
        "owner":{"type":"string"},
        "repo":{"type":"string"},
        "state":{"enum":["open","closed","all"]},
        "labels":{"type":"array","items":{"type":"string"}},
        "sort":{"enum":["created","updated","comments"]},
        "page":{"type":"integer","minimum":1,"default":1},
        "per_page":{"type":"integer","minimum":1,"maximum":100},
        "since":{"type":"string","format":"date-time"},
        "include_drafts":{"type":"boolean"}
    },"required":["query","owner","repo"],"additionalProperties":false}"#,
);

/// An issue's state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs)]
pub enum PlainState {
    Open,
    Closed,
    All,
}

/// An order of results.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs)]
pub enum PlainSort {
    Created,
    Updated,
    Comments,
}

/// An issue's state, as generated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum State {
    Open,
    Closed,
    All,
}
literals!(State { Open = "open", Closed = "closed", All = "all" });

/// An order of results, as generated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Sort {
    Created,
    Updated,
    Comments,
}
literals!(Sort { Created = "created", Updated = "updated", Comments = "comments" });

/// Arguments, as generated code reads them.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)]
pub struct Input {
    pub query: String,
    pub owner: String,
    pub repo: String,
    pub state: Option<State>,
    pub labels: Option<Vec<String>>,
    pub sort: Option<Sort>,
    pub page: i64,
    pub per_page: Option<i64>,
    pub since: Option<String>,
    pub include_drafts: Option<bool>,
}
object!(Input { query, owner, repo, state, labels, sort, page = 1, per_page, since, include_drafts });

/// Arguments, as serde's derive reads them.
#[derive(serde::Deserialize)]
#[allow(missing_docs)]
pub struct Plain {
    pub query: String,
    pub owner: String,
    pub repo: String,
    pub state: Option<PlainState>,
    pub labels: Option<Vec<String>>,
    pub sort: Option<PlainSort>,
    #[serde(default)]
    pub page: i64,
    pub per_page: Option<i64>,
    pub since: Option<String>,
    pub include_drafts: Option<bool>,
}

/// The case.
pub fn case() -> Case {
    let tool = Tool::replying(&SPEC, Arc::new(()), |(), input: Input, _| {
        std::hint::black_box(&input);
        handle()
    });
    let arguments = serde_json::json!({
        "query": "label:bug panics when the folder is empty",
        "owner": "toolcast",
        "repo": "toolcast",
        "state": "open",
        "labels": ["bug", "help wanted", "good first issue"],
        "sort": "updated",
        "page": 2,
        "per_page": 50,
        "since": "2026-01-02T03:04:05Z",
        "include_drafts": false,
    });
    Case { name: "medium", tool, arguments }
}
