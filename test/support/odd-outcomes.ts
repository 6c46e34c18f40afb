import type { oddAnswers, oddHandshakes } from './odd-answers.ts';

/** What becomes of an answer: its status, 0 where none was read, and the reason why it is not whole; null when it is. */
export interface OddOutcome {
  readonly status: number;
  readonly reason: string | null;
}

/** The reason of what never ends. */
export const late = 'late';
const closed = 'connection was closed before the answer was complete';
const invalid = (what: string): string => `answer is not valid HTTP: ${what}`;
const wrongLength = invalid(
  'its Content-Length stands there twice, is too large or is beside Transfer-Encoding, or a line after it is wrong',
);
const tooMany = 'answer has too many headers';

const status = (of: number): OddOutcome => ({ status: of, reason: null });
const whole = status(200);
const incomplete = (reason: string): OddOutcome => ({ status: 200, reason });
const failed = (reason: string): OddOutcome => ({ status: 0, reason });

export const outcomesOfAnswers: Readonly<Record<keyof ReturnType<typeof oddAnswers>, OddOutcome>> = {
  'a length': whole,
  'no length and the end of the connection': whole,
  'no length and no end': incomplete(late),
  'a length of nothing': whole,
  'a length and nothing more, then the end': incomplete(closed),
  'a length and half of it, then the end': incomplete(closed),
  'a length and half of it, Connection: close, then the end': incomplete(closed),
  'a length and half of it, then a reset': incomplete(closed),
  'a length and half of it, then nothing': incomplete(late),
  'a length and more than it': whole,
  'a length that is no number': failed(invalid('Invalid character in Content-Length')),
  'a length with a sign': failed(invalid('Invalid character in Content-Length')),
  'a length below zero': failed(invalid('Invalid character in Content-Length')),
  'an empty length': failed(invalid('Empty Content-Length')),
  'a length beyond all numbers': failed(wrongLength),
  'the same length twice': failed(wrongLength),
  'the same length twice on one line': failed(wrongLength),
  'two lengths': failed(wrongLength),
  'a length, then chunked': failed(wrongLength),
  'chunked, then a length': failed(invalid("Content-Length can't be present with Transfer-Encoding")),
  'identity and a length': failed(invalid("Content-Length can't be present with Transfer-Encoding")),
  chunks: whole,
  'chunks with a trailer': whole,
  'chunks with an extension': whole,
  'chunks in capitals': whole,
  'chunks without the last, then the end': incomplete(closed),
  'chunks without the last line, then the end': incomplete(closed),
  'chunks without a number': incomplete(invalid('Invalid character in chunk size')),
  'chunks by HTTP/1.0': whole,
  'gzip as transfer coding, then the end': whole,
  'HTTP/1.0 and the end': whole,
  'HTTP/1.0, a length and Keep-Alive': whole,
  'HTTP/1.2': failed(invalid('Invalid HTTP version')),
  'HTTP/2 in text': whole,
  'a body without a head, then the end': failed(invalid('Expected HTTP/, RTSP/ or ICE/')),
  'the head of SHOUTcast': failed(invalid('Expected HTTP/, RTSP/ or ICE/')),
  'the banner of SSH': failed(invalid('Expected HTTP/, RTSP/ or ICE/')),
  'lines without CR': failed(invalid('Missing expected CR after response line')),
  'an empty line first': whole,
  'no reason': whole,
  'a status of two digits': failed(invalid('Invalid status code')),
  'a status of four digits': failed(invalid('Invalid response status')),
  'a status below 100': failed(invalid('its status is not one that answers the request')),
  'a status above 599': status(799),
  'a header without a colon': failed(invalid('Invalid header token')),
  'a header without a colon after the length': failed(wrongLength),
  'a blank before a colon': failed(invalid('Invalid header field char')),
  'a header on two lines': failed(invalid('Unexpected whitespace after header value')),
  'a NUL in a header': failed(invalid('Invalid header value char')),
  'UTF-8 in a header': whole,
  'a second answer behind': whole,
  'the end before the answer': failed(closed),
  'a reset before the answer': failed(closed),
  'half a head, then the end': failed(closed),
  'half a head, then nothing': failed(late),
  'the whole answer, then a reset': whole,
  '100 first': whole,
  '100 with a length first': whole,
  '100 twice': whole,
  '100, 103, 100': whole,
  '100 by HTTP/1.0': failed(invalid('it begins with a 100 Continue of HTTP/1.0')),
  '100 and the answer byte by byte': whole,
  '100 and nothing more': failed(late),
  '100, then the end': failed(closed),
  '100, then 500': status(500),
  '100 thirty times': failed(tooMany),
  '100 with endless headers': failed(tooMany),
  '102 first': whole,
  '103 with a length first': whole,
  '103, then the end': failed(closed),
  '102 thirty times': failed(tooMany),
  '199 first': whole,
  '101 without a protocol': failed(invalid('its status is not one that answers the request')),
  '101 to another protocol': failed(invalid('it changes to a protocol that was not asked for')),
  'another protocol offered': whole,
};

/** Why a handshake fails. */
export const reasonsOfHandshakes: Readonly<Record<keyof typeof oddHandshakes, string>> = {
  'the connection closed': closed,
  'the connection reset': closed,
  'plain HTTP': 'TLS connection failed: the port does not speak TLS',
  'half a hello': closed,
  'TLS 1.1 at most': 'TLS connection failed: TLS 1.2 or later is needed',
  'no cipher in common': 'TLS connection failed: no cipher in common, or the server asks for a client certificate',
  'HTTP/2 only': 'TLS connection failed: the server does not offer HTTP/1.1',
  'another name': 'TLS connection failed: the server does not know this host name',
  'a handshake failure': 'TLS connection failed: no cipher in common, or the server asks for a client certificate',
};
