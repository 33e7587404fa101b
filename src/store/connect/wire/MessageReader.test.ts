import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MessageReader } from './MessageReader.ts'

const message = (letter: string, content: string): Buffer => {
  const head = Buffer.alloc(5)
  head.write(letter, 'latin1')
  head.writeInt32BE(content.length + 4, 1)
  return Buffer.concat([head, Buffer.from(content)])
}

test('messages are the same however they are cut', () => {
  const sent: [string, string][] = [
    ['D', 'first'],
    ['Z', ''],
    ['T', 'x'.repeat(300)],
    ['E', 'last'],
  ]
  const whole = Buffer.concat(sent.map(([letter, content]) => message(letter, content)))
  for (let size = 1; size <= whole.length; size++) {
    const read: [string, string][] = []
    const reader = new MessageReader((letter, bytes, at, end) => read.push([letter, bytes.toString('latin1', at, end)]))
    for (let at = 0; at < whole.length; at += size) reader.take(whole.subarray(at, at + size))
    assert.deepEqual(read, sent, `in pieces of ${size}`)
  }
})
