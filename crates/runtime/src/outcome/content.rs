//! What a result is made of besides its structured value, in MCP's terms.

use serde_json::{Map, Value, json};
use std::fmt;

/// One part of a result that a model or a client reads.
#[non_exhaustive]
#[derive(Clone, PartialEq)]
pub enum Content {
    /// Words.
    Text(String),
    /// A picture.
    Image(Media),
    /// A sound.
    Audio(Media),
    /// A reference to something that the client may fetch.
    ResourceLink(ResourceLink),
}

/// Bytes and what they are.
#[derive(Clone, PartialEq)]
pub struct Media {
    /// The bytes, as they are; base64 comes with the wire form.
    pub bytes: Vec<u8>,
    /// The media type, such as `image/png`.
    pub media_type: String,
}

/// A reference to a resource.
#[derive(Clone, Default, PartialEq)]
pub struct ResourceLink {
    /// Where it is.
    pub uri: String,
    /// What it is called.
    pub name: String,
    /// What it holds.
    pub description: Option<String>,
    /// Its media type.
    pub media_type: Option<String>,
    /// Its size in bytes.
    pub size: Option<u64>,
}

impl Content {
    /// Bytes of the part, for the limit of a whole result.
    pub(crate) fn size(&self) -> usize {
        match self {
            Self::Text(text) => text.len(),
            Self::Image(media) | Self::Audio(media) => media.bytes.len() + media.media_type.len(),
            Self::ResourceLink(link) => {
                let texts = [&link.description, &link.media_type];
                let texts = texts.into_iter().flatten().map(String::len).sum::<usize>();
                link.uri.len() + link.name.len() + texts
            }
        }
    }

    /// The part in MCP's wire form.
    pub fn to_mcp(&self) -> Value {
        match self {
            Self::Text(text) => json!({ "type": "text", "text": text }),
            Self::Image(media) => media.to_mcp("image"),
            Self::Audio(media) => media.to_mcp("audio"),
            Self::ResourceLink(link) => link.to_mcp(),
        }
    }
}

/// Shows what kind of part it is and how large, never what it says: results may hold secrets.
impl fmt::Debug for Content {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) => write!(f, "Text({} bytes)", text.len()),
            Self::Image(media) => f.debug_tuple("Image").field(media).finish(),
            Self::Audio(media) => f.debug_tuple("Audio").field(media).finish(),
            Self::ResourceLink(link) => f.debug_tuple("ResourceLink").field(link).finish(),
        }
    }
}

/// Shows the size of the bytes, never the bytes.
impl fmt::Debug for Media {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Media")
            .field("media_type", &self.media_type)
            .field("bytes", &self.bytes.len())
            .finish()
    }
}

/// Leaves the URI out: it may be a key by itself.
impl fmt::Debug for ResourceLink {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ResourceLink")
            .field("name", &self.name)
            .field("media_type", &self.media_type)
            .field("size", &self.size)
            .finish_non_exhaustive()
    }
}

impl Media {
    fn to_mcp(&self, kind: &str) -> Value {
        json!({ "type": kind, "data": base64(&self.bytes), "mimeType": self.media_type })
    }
}

impl ResourceLink {
    fn to_mcp(&self) -> Value {
        let mut members = Map::new();
        members.insert("type".into(), "resource_link".into());
        members.insert("uri".into(), self.uri.clone().into());
        members.insert("name".into(), self.name.clone().into());
        if let Some(description) = &self.description {
            members.insert("description".into(), description.clone().into());
        }
        if let Some(media_type) = &self.media_type {
            members.insert("mimeType".into(), media_type.clone().into());
        }
        if let Some(size) = self.size {
            members.insert("size".into(), size.into());
        }
        members.into()
    }
}

/// RFC 4648 base64 with padding, as MCP wants it: not worth a dependency.
fn base64(bytes: &[u8]) -> String {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let byte = |at: usize| u32::from(chunk.get(at).copied().unwrap_or(0));
        let group = byte(0) << 16 | byte(1) << 8 | byte(2);
        for position in 0..4 {
            let digit = ALPHABET[(group >> (18 - 6 * position) & 63) as usize];
            text.push(if position <= chunk.len() { char::from(digit) } else { '=' });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_is_that_of_the_rfc() {
        let pairs =
            [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg==")];
        for (plain, encoded) in pairs {
            assert_eq!(base64(plain.as_bytes()), encoded);
        }
        assert_eq!(base64(&[0xfb, 0xff, 0xfe]), "+//+");
    }
}
