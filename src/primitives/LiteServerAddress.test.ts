import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ParseError } from './errors.ts'
import { formatLiteServer, liteServerKey, nameLiteServer, parseLiteServer } from './LiteServerAddress.ts'

const key = 'u6MW7nYOY9Zdg4h2eJZzk7LwCRhfMFySHxLGTlEOCNY='
const hex = 'bba316ee760e63d65d83887678967393b2f009185f305c921f12c64e510e08d6'

test('reads host, port and key in every spelling, and writes it back', () => {
  for (const [text, name] of [
    [`example.org:41002:${key}`, 'example.org:41002'],
    [`127.0.0.1:1:${hex}`, '127.0.0.1:1'],
    [`[::1]:65535:${hex.toUpperCase()}`, '[::1]:65535'],
    [`h:1:${key.replace('=', '')}`, 'h:1'],
  ] as const) {
    const address = parseLiteServer(text)
    assert.equal(Buffer.from(address.publicKey).toString('hex'), hex)
    assert.equal(nameLiteServer(address), name)
    assert.equal(liteServerKey(address), `${name}:${hex}`)
    assert.equal(formatLiteServer(address), `${name}:${key}`)
    assert.deepEqual(parseLiteServer(formatLiteServer(address)), address)
  }
  assert.equal(parseLiteServer(`[::1]:1:${key}`).host, '::1')
})

for (const text of [
  '',
  'h',
  'h:1',
  `h:0:${key}`,
  `h:65536:${key}`,
  `h:x:${key}`,
  `:1:${key}`,
  `::1:1:${key}`,
  `h:1:${hex}00`,
  `h:1:${key.slice(4)}`,
  'h:1:no',
  ` h:1:${key}`,
  `h:1:${key}:`,
]) {
  test(`refuses ${JSON.stringify(text)}`, () => assert.throws(() => parseLiteServer(text), ParseError))
}
