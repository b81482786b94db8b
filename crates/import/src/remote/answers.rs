//! What a server answered to `tools/list`, as it wrote it. rmcp's own type for a tool drops the members that it does not
//! know and refuses a whole list for one odd tool, while an import keeps the former and reports the latter.

use super::fault::Fault;
use rmcp::model::{ClientJsonRpcMessage, ClientRequest, RequestId};
use serde_json::{Value, json};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Shared by the transport, which sees answers pass, and the caller, who waits for them.
#[derive(Clone, Debug, Default)]
pub struct Answers(Arc<Mutex<State>>);

#[derive(Debug, Default)]
struct State {
    asked: Option<RequestId>,
    page: Option<Value>,
    fault: Option<Fault>,
}

impl Answers {
    fn state(&self) -> MutexGuard<'_, State> {
        // Nothing panics while it holds the lock; were it so, the state would still be whole.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes a message on its way out; says whether it asks for tools.
    pub fn asks(&self, message: &ClientJsonRpcMessage) -> bool {
        let ClientJsonRpcMessage::Request(request) = message else { return false };
        let asks = matches!(request.request, ClientRequest::ListToolsRequest(_));
        if asks {
            self.state().asked = Some(request.id.clone());
        }
        asks
    }

    /// Takes the page out of a message on its way in, before anything is made of it. What rmcp then reads is a list without
    /// tools: a hostile list is held once, not thrice.
    pub fn came(&self, message: &mut Value) {
        let mut state = self.state();
        let asked = state.asked.as_ref().and_then(|id| serde_json::to_value(id).ok());
        if asked.is_some()
            && message.get("id") == asked.as_ref()
            && let Some(result) = message.get_mut("result")
        {
            state.page = Some(std::mem::replace(result, json!({ "tools": [] })));
        }
    }

    /// Notes why the transport gives up.
    pub fn fail(&self, fault: Fault) {
        self.state().fault.get_or_insert(fault);
    }

    /// The page that came last.
    pub fn page(&self) -> Option<Value> {
        self.state().page.take()
    }

    /// Why the transport gave up.
    pub fn fault(&self) -> Option<Fault> {
        self.state().fault.clone()
    }
}
