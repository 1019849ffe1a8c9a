//! [`Side`]: the size of a picture on the command line.

/// Width and height in pixels.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Side {
    pub(crate) width: u32,
    pub(crate) height: u32,
}

pub(super) fn side(text: &str) -> Result<Side, String> {
    let parts = text.split_once(['x', 'X', '×']);
    let sides = parts.and_then(|(width, height)| Some((width.parse().ok()?, height.parse().ok()?)));
    let (width, height) = sides.ok_or("give width and height in pixels, such as 640x480")?;
    Ok(Side { width, height })
}
