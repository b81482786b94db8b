//! Results that are files: bytes or a reference, with a media type, a name and metadata.

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
#[derive(Clone, PartialEq)]
pub enum ArtifactBody {
    /// Here.
    Bytes(Vec<u8>),
    /// Elsewhere, for whoever follows the reference.
    Reference(String),
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
        }
    }
}

impl Artifact {
    /// A reference as an MCP resource link; bytes have none until a store holds them.
    pub(crate) fn to_mcp_link(&self) -> Option<Value> {
        let ArtifactBody::Reference(uri) = &self.body else { return None };
        let mut members = Map::new();
        members.insert("type".into(), "resource_link".into());
        members.insert("uri".into(), uri.clone().into());
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
            ArtifactBody::Reference(uri) => members.insert("uri".into(), uri.clone().into()),
        };
        if !self.metadata.is_empty() {
            members.insert("metadata".into(), self.metadata.clone().into());
        }
        members.into()
    }
}
