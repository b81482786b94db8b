//! What a handler without an output schema answers.

use crate::outcome::artifact::Artifact;
use crate::outcome::content::{Content, Media, ResourceLink};
use crate::outcome::error::Error;
use crate::run::limits;
use crate::schema::explain::wording;
use serde_json::{Map, Value};
use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::fmt;

/// An answer in words, JSON or parts: what a handler returns whose contract has no output schema.
///
/// ```
/// use toolcast::Reply;
///
/// let words: Reply = "Renamed.".into();
/// let found: Reply = vec!["SUP-481", "SUP-482"].into();
/// assert_eq!(found, Reply::Json(toolcast::Value::from(["SUP-481", "SUP-482"].to_vec())));
/// let parts = Reply::parts().text("The chart:").image("image/png", vec![0x89, 0x50]);
/// assert_ne!(Reply::from(parts), words);
/// ```
#[non_exhaustive]
#[derive(Clone, PartialEq)]
pub enum Reply {
    /// Words for the model.
    Text(String),
    /// Any JSON value.
    Json(Value),
    /// Several parts in order, perhaps beside a JSON value.
    Parts(Parts),
}

/// Shows what kind of answer it is and how large, never what it says: results may hold secrets.
impl fmt::Debug for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) => write!(f, "Text({} bytes)", text.len()),
            Self::Json(value) => write!(f, "Json({})", wording::kind(value)),
            Self::Parts(parts) => parts.fmt(f),
        }
    }
}

/// As the debug form of a [`Reply`].
impl fmt::Debug for Parts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Parts")
            .field("value", &self.value.as_ref().map(wording::kind))
            .field("content", &self.content)
            .field("artifacts", &self.artifacts)
            .finish()
    }
}

impl Reply {
    /// Any serialisable value as JSON.
    ///
    /// # Errors
    ///
    /// [`Error::Unexpected`] where the value has no JSON form, such as a map whose keys are not text. [`Error::Caused`] where
    /// it is nested deeper than [`Limits::DEEPEST`](crate::Limits::DEEPEST).
    pub fn json(value: &impl serde::Serialize) -> Result<Self, Error> {
        limits::serializes(value)?;
        Ok(Self::Json(serde_json::to_value(value)?))
    }

    /// An answer of several parts, to be filled.
    pub fn parts() -> Parts {
        Parts::default()
    }
}

impl From<String> for Reply {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<&str> for Reply {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<Cow<'_, str>> for Reply {
    fn from(text: Cow<'_, str>) -> Self {
        Self::Text(text.into_owned())
    }
}

macro_rules! json_replies {
    ($($type:ty)*) => {
        $(
            impl From<$type> for Reply {
                fn from(value: $type) -> Self {
                    Self::Json(value.into())
                }
            }
        )*
    };
}

json_replies! { bool i8 i16 i32 i64 isize u8 u16 u32 u64 usize f32 f64 Map<String, Value> }

impl<T: Into<Value>> From<Vec<T>> for Reply {
    fn from(values: Vec<T>) -> Self {
        Self::Json(values.into())
    }
}

impl<T: Into<Value>, const N: usize> From<[T; N]> for Reply {
    fn from(values: [T; N]) -> Self {
        Self::Json(values.into())
    }
}

impl<K: Into<String>, V: Into<Value>, S> From<HashMap<K, V, S>> for Reply {
    /// The members stand in the order of their names: a hash map has none.
    fn from(members: HashMap<K, V, S>) -> Self {
        let members: BTreeMap<String, Value> =
            members.into_iter().map(|(name, value)| (name.into(), value.into())).collect();
        members.into()
    }
}

impl<K: Into<String>, V: Into<Value>> From<BTreeMap<K, V>> for Reply {
    fn from(members: BTreeMap<K, V>) -> Self {
        let members = members.into_iter().map(|(name, value)| (name.into(), value.into()));
        Self::Json(Value::Object(members.collect()))
    }
}

/// `None` is JSON's `null`.
impl<T: Into<Reply>> From<Option<T>> for Reply {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Json(Value::Null), Into::into)
    }
}

impl From<Value> for Reply {
    fn from(value: Value) -> Self {
        Self::Json(value)
    }
}

impl From<()> for Reply {
    fn from((): ()) -> Self {
        Self::Parts(Parts::default())
    }
}

impl From<Parts> for Reply {
    fn from(parts: Parts) -> Self {
        Self::Parts(parts)
    }
}

/// An answer of several parts: content in order, a JSON value, artifacts.
#[derive(Clone, Default, PartialEq)]
pub struct Parts {
    pub(crate) value: Option<Value>,
    pub(crate) content: Vec<Content>,
    pub(crate) artifacts: Vec<Artifact>,
}

impl Parts {
    /// Adds words.
    pub fn text(self, text: impl Into<String>) -> Self {
        self.content(Content::Text(text.into()))
    }

    /// Adds a picture.
    pub fn image(self, media_type: impl Into<String>, bytes: impl Into<Vec<u8>>) -> Self {
        let media = Media { media_type: media_type.into(), bytes: bytes.into() };
        self.content(Content::Image(media))
    }

    /// Adds a sound.
    pub fn audio(self, media_type: impl Into<String>, bytes: impl Into<Vec<u8>>) -> Self {
        let media = Media { media_type: media_type.into(), bytes: bytes.into() };
        self.content(Content::Audio(media))
    }

    /// Adds a reference to something that the client may fetch.
    pub fn link(self, link: ResourceLink) -> Self {
        self.content(Content::ResourceLink(link))
    }

    /// Adds a part.
    pub fn content(mut self, part: Content) -> Self {
        self.content.push(part);
        self
    }

    /// Sets the structured value.
    pub fn value(mut self, value: impl Into<Value>) -> Self {
        self.value = Some(value.into());
        self
    }

    /// Adds an artifact.
    pub fn artifact(mut self, artifact: Artifact) -> Self {
        self.artifacts.push(artifact);
        self
    }
}
