//! [`Lexer`]: the tokens of USDA text.

use std::collections::BTreeMap;

use crate::error::{ImportError, Place};
use crate::source::Source;

/// A token.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Token<'a> {
    /// A name, a key word or a number, such as `xformOp:translate` or `-1e3`.
    Word(&'a [u8]),
    /// What stands in quotes, in `@…@` or in `<…>`.
    Text(&'a [u8]),
    /// One of `( ) [ ] { } = , ; :`.
    Punctuation(u8),
    /// The end of the file.
    End,
}

/// Where skipped braces end, by where they begin: the place and the line behind them. A prim is skipped
/// before it is read, and so are the prims in it in turn: without this record, text would be read once for
/// every prim around it.
#[derive(Debug, Default)]
pub(super) struct Ends(BTreeMap<usize, (usize, usize)>);

impl Ends {
    /// Forgets them all.
    pub(super) fn clear(&mut self) {
        self.0.clear();
    }
}

/// Tokens one after the other.
#[derive(Clone)]
pub(super) struct Lexer<'a> {
    source: Source<'a>,
    pos: usize,
    line: usize,
}

impl<'a> Lexer<'a> {
    pub(super) fn new(source: Source<'a>) -> Self {
        Self { source, pos: 0, line: 1 }
    }

    pub(super) fn source(&self) -> Source<'a> {
        self.source
    }

    /// The line of what comes next.
    pub(super) fn line(&self) -> usize {
        self.line
    }

    /// The error for an unexpected token.
    pub(super) fn unexpected(&self, expected: &str) -> ImportError {
        let mut ahead = self.clone();
        ahead.pass_space();
        let rest = &self.source.bytes[ahead.pos..];
        let place = Place::Line(ahead.line);
        if rest.is_empty() {
            return self.source.truncated(place, expected);
        }
        let end = rest.iter().position(|&b| b == b'\n').unwrap_or(rest.len());
        self.source.parse_error(place, &rest[..end], expected)
    }

    /// Skips white space and comments.
    fn pass_space(&mut self) {
        let bytes = self.source.bytes;
        while let Some(&byte) = bytes.get(self.pos) {
            match byte {
                b'\n' => self.line += 1,
                b'#' => {
                    while bytes.get(self.pos + 1).is_some_and(|&b| b != b'\n') {
                        self.pos += 1;
                    }
                }
                _ if byte.is_ascii_whitespace() => {}
                _ => return,
            }
            self.pos += 1;
        }
    }

    /// The next token, without taking it.
    pub(super) fn peek(&mut self) -> Result<Token<'a>, ImportError> {
        self.pass_space();
        self.clone().next()
    }

    /// Takes the next token, whatever it is.
    pub(super) fn pass(&mut self) -> Result<(), ImportError> {
        self.next().map(|_| ())
    }

    /// Takes the next token.
    pub(super) fn next(&mut self) -> Result<Token<'a>, ImportError> {
        self.pass_space();
        let bytes = self.source.bytes;
        let rest = &bytes[self.pos..];
        let Some(&byte) = rest.first() else { return Ok(Token::End) };
        let word = |byte: u8| byte.is_ascii_alphanumeric() || b"_:.+-!".contains(&byte) || byte >= 0x80;
        match byte {
            b'"' | b'\'' => {
                let triple = rest.starts_with(&[byte; 3]);
                let quote = if triple { &rest[..3] } else { &rest[..1] };
                self.text(quote.len(), quote, !triple)
            }
            b'@' if rest.starts_with(b"@@@") => self.text(3, b"@@@", false),
            b'@' => self.text(1, b"@", false),
            b'<' => self.text(1, b">", true),
            b'(' | b')' | b'[' | b']' | b'{' | b'}' | b'=' | b',' | b';' => {
                self.pos += 1;
                Ok(Token::Punctuation(byte))
            }
            // A colon behind the time of a sample; inside names it is part of the word.
            b':' => {
                self.pos += 1;
                Ok(Token::Punctuation(b':'))
            }
            _ if word(byte) => {
                let mut length = rest.iter().position(|&b| !word(b)).unwrap_or(rest.len());
                // `12: value` in time samples.
                if rest[length - 1] == b':' {
                    length -= 1;
                }
                self.pos += length;
                Ok(Token::Word(&rest[..length]))
            }
            _ => Err(self.unexpected("USDA text")),
        }
    }

    /// Text that began `skip` bytes long ago and goes to `end`.
    fn text(&mut self, skip: usize, end: &[u8], one_line: bool) -> Result<Token<'a>, ImportError> {
        let bytes = self.source.bytes;
        let start = self.pos + skip;
        let (mut at, mut line) = (start, self.line);
        while at < bytes.len() && !bytes[at..].starts_with(end) {
            // The character after a backslash may be the end of a line.
            if bytes[at] == b'\\' {
                at += 1;
            }
            if bytes.get(at) == Some(&b'\n') {
                if one_line {
                    break;
                }
                line += 1;
            }
            at += 1;
        }
        if !bytes.get(at..).is_some_and(|rest| rest.starts_with(end)) {
            return Err(self.unexpected("the end of a text in quotes"));
        }
        (self.pos, self.line) = (at + end.len(), line);
        Ok(Token::Text(&bytes[start..at]))
    }

    /// Takes a word.
    pub(super) fn word(&mut self, expected: &str) -> Result<String, ImportError> {
        match self.peek()? {
            Token::Word(word) => {
                self.pass()?;
                Ok(String::from_utf8_lossy(word).into_owned())
            }
            _ => Err(self.unexpected(expected)),
        }
    }

    /// Takes text in quotes.
    pub(super) fn string(&mut self, expected: &str) -> Result<String, ImportError> {
        match self.peek()? {
            Token::Text(text) => {
                self.pass()?;
                Ok(String::from_utf8_lossy(text).into_owned())
            }
            _ => Err(self.unexpected(expected)),
        }
    }

    /// Takes one sign.
    pub(super) fn punctuation(&mut self, sign: u8) -> Result<(), ImportError> {
        if self.peek()? == Token::Punctuation(sign) {
            self.pass()
        } else {
            Err(self.unexpected(&format!("{:?}", char::from(sign))))
        }
    }

    /// Skips brackets with everything in them.
    pub(super) fn pass_brackets(&mut self) -> Result<(), ImportError> {
        self.pass_brackets_noting(|_, _| ())
    }

    /// Skips braces with everything in them, without reading again what was skipped before.
    pub(super) fn pass_braces(&mut self, ends: &mut Ends) -> Result<(), ImportError> {
        self.pass_space();
        match ends.0.get(&self.pos) {
            Some(&(pos, line)) => {
                (self.pos, self.line) = (pos, line);
                Ok(())
            }
            None => self.pass_brackets_noting(|begin, end| {
                ends.0.insert(begin, end);
            }),
        }
    }

    /// Skips brackets, and records where each pair of braces begins and ends that is only within braces.
    fn pass_brackets_noting(
        &mut self,
        mut note: impl FnMut(usize, (usize, usize)),
    ) -> Result<(), ImportError> {
        // The closing sign of a bracket, and where it began.
        let mut open: Vec<(u8, usize)> = Vec::new();
        let mut others = 0_usize;
        loop {
            let token = self.peek()?;
            let mut noted = None;
            match token {
                Token::Punctuation(sign @ (b'(' | b'[' | b'{')) => {
                    let closing = match sign {
                        b'(' => b')',
                        b'[' => b']',
                        _ => b'}',
                    };
                    others += usize::from(sign != b'{');
                    open.push((closing, self.pos));
                }
                Token::Punctuation(sign @ (b')' | b']' | b'}')) => match open.pop() {
                    Some((b'}', begin)) if sign == b'}' => noted = (others == 0).then_some(begin),
                    Some((closing, _)) if sign == closing => others -= 1,
                    _ => return Err(self.unexpected("brackets that fit")),
                },
                Token::End => return Err(self.unexpected("the closing bracket")),
                _ => {}
            }
            self.pass()?;
            if let Some(begin) = noted {
                note(begin, (self.pos, self.line));
            }
            if open.is_empty() {
                return Ok(());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn braces_that_were_passed_over_are_not_read_again() {
        let mut ends = Ends::default();
        let first = b"{ a = {\n b = ({ c = 1 }) }\n} d";
        let mut lexer = Lexer::new(Source::of("a.usda", first));
        lexer.pass_braces(&mut ends).unwrap();
        assert_eq!((lexer.line(), lexer.next().unwrap()), (3, Token::Word(b"d")));
        assert_eq!(ends.0.keys().copied().collect::<Vec<_>>(), [0, 6]);

        // An error in them is not noticed.
        let second = b"{ a = {\n b = (] c = 1 }) }\n} d";
        for begin in [0, 5] {
            let mut lexer = Lexer::new(Source::of("a.usda", second));
            lexer.pos = begin;
            lexer.pass_braces(&mut ends).unwrap();
            assert_eq!(
                lexer.next().unwrap(),
                if begin == 0 { Token::Word(b"d") } else { Token::Punctuation(b'}') }
            );
        }
    }
}
