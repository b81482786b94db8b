//! Results that are files: bytes or a reference, with a media type, a name and metadata.

use crate::Error;
use crate::outcome::deferred::Deferred;
use crate::run::limits::{self, Limits, Measure, TooLarge};
use serde_json::{Map, Value};
use std::fmt;

/// Something a tool made beside its value: bytes, or a reference to where they are.
///
/// ```
/// use toolcast::Artifact;
///
/// let export = Artifact::bytes("orders.csv", "text/csv", "id,total\n").metadata("rows", 0);
/// assert_eq!(export.name(), "orders.csv");
/// ```
#[derive(Clone, PartialEq)]
pub struct Artifact {
    name: String,
    media_type: String,
    body: ArtifactBody,
    metadata: Map<String, Value>,
    /// Whether a member of the metadata was nested too deep, and is gone.
    is_too_deep: bool,
}

/// Where an artifact's bytes are.
#[non_exhaustive]
#[derive(Clone, PartialEq)]
pub enum ArtifactBody {
    /// Here.
    Bytes(Vec<u8>),
    /// Elsewhere, for whoever follows the reference.
    Reference(String),
    /// Elsewhere, under a reference that is produced when somebody asks for it: see [`Artifact::deferred`].
    Deferred(Deferred),
}

impl Artifact {
    /// An artifact of bytes at hand.
    pub fn bytes(
        name: impl Into<String>,
        media_type: impl Into<String>,
        bytes: impl Into<Vec<u8>>,
    ) -> Self {
        Self::new(name.into(), media_type.into(), ArtifactBody::Bytes(bytes.into()))
    }

    /// An artifact that is somewhere else, under a URI.
    pub fn reference(
        name: impl Into<String>,
        media_type: impl Into<String>,
        uri: impl Into<String>,
    ) -> Self {
        Self::new(name.into(), media_type.into(), ArtifactBody::Reference(uri.into()))
    }

    /// An artifact whose URI is produced later: nothing is done before somebody asks for it with [`Artifact::uri`] or
    /// [`Outcome::resolve`](crate::Outcome::resolve), and it is done once. A signed link is an example, an upload another.
    ///
    /// ```
    /// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
    /// use toolcast::{Artifact, Error};
    ///
    /// let report = Artifact::deferred("report.pdf", "application/pdf", || async {
    ///     Ok::<_, Error>("https://files.example/report?signature=1".to_owned())
    /// });
    /// assert_eq!(report.uri().await?, Some("https://files.example/report?signature=1"));
    /// # Ok::<(), Error>(())
    /// # }).unwrap();
    /// ```
    pub fn deferred<F, R>(
        name: impl Into<String>,
        media_type: impl Into<String>,
        produce: F,
    ) -> Self
    where
        F: Fn() -> R + Send + Sync + 'static,
        R: Future<Output = Result<String, Error>> + Send + 'static,
    {
        let deferred = Deferred::new(move || Box::pin(produce()));
        Self::new(name.into(), media_type.into(), ArtifactBody::Deferred(deferred))
    }

    /// The URI under which the artifact is found, produced now where it has to be; `None` for bytes that no store holds.
    ///
    /// # Errors
    ///
    /// What producing it failed with, a panic included. The next to ask tries again.
    pub async fn uri(&self) -> Result<Option<&str>, Error> {
        match &self.body {
            ArtifactBody::Bytes(_) => Ok(None),
            ArtifactBody::Reference(uri) => Ok(Some(uri)),
            ArtifactBody::Deferred(deferred) => deferred.uri().await.map(Some),
        }
    }

    /// The URI, where it is known by now.
    fn known_uri(&self) -> Option<&str> {
        match &self.body {
            ArtifactBody::Bytes(_) => None,
            ArtifactBody::Reference(uri) => Some(uri),
            ArtifactBody::Deferred(deferred) => deferred.known(),
        }
    }

    fn new(name: String, media_type: String, body: ArtifactBody) -> Self {
        Self { name, media_type, body, metadata: Map::new(), is_too_deep: false }
    }

    /// Adds a metadata member. A call with one that is nested deeper than [`Limits::max_depth`](crate::Limits) allows fails,
    /// as it would with such a value.
    pub fn metadata(mut self, key: impl Into<String>, value: impl Into<Value>) -> Self {
        let mut value = value.into();
        // Found here, for an artifact may be dropped anywhere, and dropping a deep value recurses.
        self.is_too_deep |= limits::is_too_deep(&mut value);
        self.metadata.insert(key.into(), value);
        self
    }

    /// Measures what is said of the artifact, not its bytes.
    pub(crate) fn measure(&self, measure: &mut Measure) -> Result<(), TooLarge> {
        if self.is_too_deep {
            return Err(TooLarge::Depth(Limits::DEEPEST));
        }
        let body = match &self.body {
            ArtifactBody::Bytes(_) => 0,
            ArtifactBody::Reference(uri) => uri.len(),
            ArtifactBody::Deferred(_) => 0,
        };
        measure.node(self.name.len() + self.media_type.len() + body)?;
        self.metadata.iter().try_for_each(|(key, value)| measure.member(key, value))
    }

    /// The name, as the tool gave it: a label, not a path.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The media type.
    pub fn media_type(&self) -> &str {
        &self.media_type
    }

    /// The bytes, or where they are.
    pub fn body(&self) -> &ArtifactBody {
        &self.body
    }

    /// The metadata.
    pub fn metadata_values(&self) -> &Map<String, Value> {
        &self.metadata
    }

    pub(crate) fn refer(&mut self, uri: String) {
        self.body = ArtifactBody::Reference(uri);
    }
}

/// Shows what it is and how large, never its bytes, its metadata's values or a reference: a URI may be a key by itself.
impl fmt::Debug for Artifact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Artifact")
            .field("name", &self.name)
            .field("media_type", &self.media_type)
            .field("body", &self.body)
            .field("metadata", &self.metadata.keys().collect::<Vec<_>>())
            .finish()
    }
}

impl fmt::Debug for ArtifactBody {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bytes(bytes) => write!(f, "Bytes({})", bytes.len()),
            Self::Reference(_) => f.write_str("Reference(..)"),
            Self::Deferred(_) => f.write_str("Deferred(..)"),
        }
    }
}

impl Artifact {
    /// A reference as an MCP resource link; bytes have none until a store holds them.
    pub(crate) fn to_mcp_link(&self) -> Option<Value> {
        let uri = self.known_uri()?;
        let mut members = Map::new();
        members.insert("type".into(), "resource_link".into());
        members.insert("uri".into(), uri.into());
        members.insert("name".into(), self.name.clone().into());
        members.insert("mimeType".into(), self.media_type.clone().into());
        if !self.metadata.is_empty() {
            members.insert("_meta".into(), self.metadata.clone().into());
        }
        Some(members.into())
    }
}

impl Artifact {
    /// The artifact without its bytes: name, media type, size or reference, metadata.
    pub fn to_json(&self) -> Value {
        let mut members = Map::new();
        members.insert("name".into(), self.name.clone().into());
        members.insert("mediaType".into(), self.media_type.clone().into());
        match &self.body {
            ArtifactBody::Bytes(bytes) => members.insert("size".into(), bytes.len().into()),
            _ => members.insert("uri".into(), self.known_uri().into()),
        };
        if !self.metadata.is_empty() {
            members.insert("metadata".into(), self.metadata.clone().into());
        }
        members.into()
    }
}
