//! Who asks: what the application knows of a call's origin. Read-only for tools, and the only source to authorise by.

use crate::{Error, NotBound};
use serde_json::{Map, Value};
use std::any::{Any, TypeId};
use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

/// Who asks for a call, as the application states it after it authenticated the caller: an actor, an interface, and
/// values of the current request.
///
/// This, never model input, decides what a call may do. Cheap to clone.
///
/// ```
/// let asked = toolcast::Invocation::new().actor("user-1").interface("web").context("account_id", "acme");
/// assert_eq!(asked.actor_id(), Some("user-1"));
/// assert_eq!(asked.text("account_id"), Some("acme"));
/// ```
#[derive(Clone, Default)]
pub struct Invocation {
    inner: Arc<Inner>,
}

#[derive(Clone, Default)]
struct Inner {
    actor: Option<String>,
    interface: Option<String>,
    context: Map<String, Value>,
    extensions: HashMap<TypeId, Arc<dyn Any + Send + Sync>>,
}

impl Invocation {
    /// An invocation that says nothing: an anonymous caller without context.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the id of the authenticated actor.
    pub fn actor(mut self, id: impl Into<String>) -> Self {
        Arc::make_mut(&mut self.inner).actor = Some(id.into());
        self
    }

    /// Sets the interface that the call came through, such as `cli`, `mcp` or `web`.
    pub fn interface(mut self, name: impl Into<String>) -> Self {
        Arc::make_mut(&mut self.inner).interface = Some(name.into());
        self
    }

    /// Sets one value of the application's context.
    pub fn context(mut self, key: impl Into<String>, value: impl Into<Value>) -> Self {
        Arc::make_mut(&mut self.inner).context.insert(key.into(), value.into());
        self
    }

    /// Adds a typed value of the application's context, found again by its type.
    pub fn extension<T: Send + Sync + 'static>(mut self, value: T) -> Self {
        Arc::make_mut(&mut self.inner).extensions.insert(TypeId::of::<T>(), Arc::new(value));
        self
    }

    /// The authenticated actor, where there is one.
    pub fn actor_id(&self) -> Option<&str> {
        self.inner.actor.as_deref()
    }

    /// The interface that the call came through.
    pub fn interface_name(&self) -> Option<&str> {
        self.inner.interface.as_deref()
    }

    /// The application's context.
    pub fn values(&self) -> &Map<String, Value> {
        &self.inner.context
    }

    /// One value of the application's context.
    pub fn value(&self, key: &str) -> Option<&Value> {
        self.inner.context.get(key)
    }

    /// One value of the application's context, where it is text.
    pub fn text(&self, key: &str) -> Option<&str> {
        self.value(key)?.as_str()
    }

    /// As [`Invocation::text`], with the error that a handler returns when the application supplied no such value.
    ///
    /// # Errors
    ///
    /// [`Error::Tool`] that names the key, and nothing of its value.
    pub fn require_text(&self, key: &str) -> Result<&str, Error> {
        self.text(key).ok_or_else(|| {
            Error::tool(format!("this tool needs `{key}` from the application, which gave none"))
        })
    }

    /// As [`Invocation::actor_id`], with the error that a handler returns for an anonymous caller.
    ///
    /// # Errors
    ///
    /// [`Error::Tool`] that says an authenticated actor is needed.
    pub fn require_actor(&self) -> Result<&str, Error> {
        self.actor_id().ok_or_else(|| Error::tool("this tool needs an authenticated actor"))
    }

    /// The typed value that the application added.
    pub fn get<T: Send + Sync + 'static>(&self) -> Option<&T> {
        self.inner.extensions.get(&TypeId::of::<T>())?.downcast_ref()
    }

    /// As [`Invocation::get`], with an error that `?` makes an unexpected one: its words never reach a model.
    ///
    /// # Errors
    ///
    /// [`NotBound`] where the application added no `T`.
    pub fn require<T: Send + Sync + 'static>(&self) -> Result<&T, NotBound> {
        self.get().ok_or(NotBound::new::<T>("invocation"))
    }
}

/// Shows which values there are, never what they are: they may be secrets.
impl fmt::Debug for Invocation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Invocation")
            .field("actor", &self.inner.actor)
            .field("interface", &self.inner.interface)
            .field("context", &self.inner.context.keys().collect::<Vec<_>>())
            .field("extensions", &self.inner.extensions.len())
            .finish()
    }
}
