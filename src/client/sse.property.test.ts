import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type SseFrame, SseParser } from './sse.ts'

const encode = (text: string): Uint8Array => new TextEncoder().encode(text)

const parse = (chunks: readonly Uint8Array[]): SseFrame[] => {
  const parser = new SseParser()
  return chunks.flatMap((chunk) => parser.push(chunk))
}

const none = { id: undefined, retryMs: undefined }

test('frames are read as the format says', () => {
  const cases: readonly (readonly [text: string, frames: readonly SseFrame[]])[] = [
    ['event: event\ndata: {"a":1}\nid: f-1\n\n', [{ event: 'event', data: '{"a":1}', id: 'f-1', retryMs: undefined }]],
    [': keepalive\n\n: another\n\n', []],
    ['data\n\n', [{ ...none, event: 'message', data: '' }]],
    ['data:a\ndata: b\ndata:  c\n\n', [{ ...none, event: 'message', data: 'a\nb\n c' }]],
    [
      'id: 7\n\ndata: x\n\n',
      ['7', '7'].map((id, k) => ({ event: 'message', data: k === 0 ? undefined : 'x', id, retryMs: undefined })),
    ],
    ['id: a\0b\ndata: x\n\n', [{ ...none, event: 'message', data: 'x' }]],
    [
      'retry: 3000\nretry: 3s\nevent: connected\ndata: {}\n\n',
      [{ event: 'connected', data: '{}', id: undefined, retryMs: 3000 }],
    ],
    ['unknown: x\nname without colon\n\n', []],
    ['\u{feff}data: after a mark\n\n', [{ ...none, event: 'message', data: 'after a mark' }]],
    ['data: it never ends\n', []],
    [
      'event: x\r\ndata: one\r\n\r\ndata: two\r\r',
      [
        { ...none, event: 'x', data: 'one' },
        { ...none, event: 'message', data: 'two' },
      ],
    ],
  ]
  for (const [text, frames] of cases) assert.deepEqual(parse([encode(text)]), frames, JSON.stringify(text))
})

const fieldValue = fc
  .string({ unit: 'binary', maxLength: 20 })
  .map((text) => text.replaceAll(/[\r\n\0]/g, '·').trimStart())

const frame = fc.record({
  event: fieldValue.filter((text) => text !== ''),
  data: fc.array(fieldValue, { minLength: 1, maxLength: 3 }),
  id: fieldValue,
  comments: fc.array(fieldValue, { maxLength: 2 }),
})

const lineEnd = fc.constantFrom('\n', '\r', '\r\n')

/** Cuts bytes at the given positions. */
const cut = (bytes: Uint8Array, at: readonly number[]): Uint8Array[] => {
  const ends = [...new Set(at.map((each) => each % (bytes.length + 1)))].sort((a, b) => a - b)
  return [...ends, bytes.length].map((end, k) => bytes.subarray(k === 0 ? 0 : ends[k - 1]!, end))
}

test('any frames, line ends and chunk borders: what was written is read', () => {
  fc.assert(
    fc.property(
      fc.array(frame, { maxLength: 6 }),
      fc.infiniteStream(lineEnd),
      fc.array(fc.nat(2000), { maxLength: 30 }),
      (frames, ends, at) => {
        const line = (text: string): string => {
          const end = ends.next().value!
          return text + end
        }
        const text = frames
          .map(({ event, data, id, comments }) =>
            [
              ...comments.map((each) => line(`: ${each}`)),
              line(`event: ${event}`),
              ...data.map((each) => line(`data: ${each}`)),
              line(`id: ${id}`),
              // A line feed alone after a carriage return would belong to the line before.
              '\r\n',
            ].join(''),
          )
          .join('')
          .replaceAll('\r\r\n', '\n\r\n')
        const expected = frames.map(({ event, data, id }) => ({ event, data: data.join('\n'), id, retryMs: undefined }))
        const bytes = encode(text)
        // An unpaired surrogate has no bytes of its own.
        fc.pre(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes) === text)
        assert.deepEqual(parse(cut(bytes, at)), expected)
        assert.deepEqual(parse([...bytes].map((_, k) => bytes.subarray(k, k + 1))), expected)
      },
    ),
    { numRuns: 200 },
  )
})

test('hostile bytes are read without an error, the same in one chunk or in many', () => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof(fc.constantFrom(...encode(':\r\n \0dataideventry')), fc.nat(255)), { maxLength: 200 }),
      fc.array(fc.nat(200), { maxLength: 20 }),
      (list, at) => {
        const bytes = Uint8Array.from(list)
        assert.deepEqual(parse(cut(bytes, at)), parse([bytes]))
      },
    ),
    { numRuns: 1000 },
  )
})
