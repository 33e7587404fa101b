import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rulesWithNames } from '../../../test/support/webServer.ts'
import { CodedError } from '../../primitives/errors.ts'
import { parseTarget } from './parseTarget.ts'

const rules = { ...rulesWithNames(), allowHttp: false, ipfsGateway: new URL('https://gateway.test/ipfs/') }

const show = (text: string, given = rules): string => {
  try {
    const target = parseTarget(text, given)
    return target.kind === 'remote'
      ? `${target.isTrusted ? 'trusted ' : ''}${target.url.href}`
      : `${target.mediaType} ${Buffer.from(target.bytes).toString('latin1')}`
  } catch (error) {
    assert.ok(error instanceof CodedError, String(error))
    return error.message
  }
}

const id = 'QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWnPbdG'
const cases: [string, string][] = [
  ['https://example.com/a.json', 'https://example.com/a.json'],
  ['HTTPS://EXAMPLE.com:443/a b', 'https://example.com/a%20b'],
  ['https://example.com:8443/', 'https://example.com:8443/'],
  ['https://пример.рф/ё', 'https://xn--e1afmkfd.xn--p1ai/%D1%91'],
  ['http://example.com/', 'The URL scheme http: is not allowed.'],
  ['https://example.com:25/', 'Port 25 is not allowed: expected 80, 443, or at least 1024.'],
  ['https://me@example.com/', 'A URL with a user name or password is not allowed.'],
  ['https://8.8.8.8/', 'https://8.8.8.8/'],
  ['https://017700000001/', '127.0.0.1 is not a public address.'],
  ['https://[fe80::1]/', 'fe80::1 is not a public address.'],
  ['https://[64:ff9b::7f00:1]/', '64:ff9b::7f00:1 is not a public address.'],
  ['file:///etc/passwd', 'The URL scheme file: is not allowed.'],
  ['javascript:alert(1)', 'The URL scheme javascript: is not allowed.'],
  ['tonstorage://abc', 'The URL scheme tonstorage: is not allowed.'],
  ['gopher://127.0.0.1:6379/_x', 'The URL scheme gopher: is not allowed.'],
  ['', 'Expected a URL, got "".'],
  ['just words', 'Expected a URL, got "just words".'],
  ['https://', 'Expected a URL, got "https://".'],
  ['//example.com/', 'Expected a URL, got "//example.com/".'],
  [`https://example.com/${'a'.repeat(8200)}`, `Expected a URL, got "https://example.com/${'a'.repeat(80)}".`],
  [`ipfs://${id}`, `trusted https://gateway.test/ipfs/${id}`],
  [`ipfs://${id}/`, `trusted https://gateway.test/ipfs/${id}/`],
  [`ipfs://ipfs/${id}/1.json?x=1#y`, `trusted https://gateway.test/ipfs/${id}/1.json`],
  [`ipfs://${id}/a/../b c/é.json`, `trusted https://gateway.test/ipfs/${id}/b%20c/%C3%A9.json`],
  // What does not name content is no way to other places of the gateway.
  ['ipfs://../admin', 'Expected ipfs://content-id/path, got "ipfs://../admin".'],
  [`ipfs://short/${id}`, `Expected ipfs://content-id/path, got "ipfs://short/${id}".`],
  [`ipfs://${id}:80/`, `Expected ipfs://content-id/path, got "ipfs://${id}:80/".`],
  ['ipfs:', 'Expected ipfs://content-id/path, got "ipfs:".'],
  ['data:application/json,{"a":1}', 'application/json {"a":1}'],
  ['data:application/json;base64,eyJhIjoxfQ==', 'application/json {"a":1}'],
  ['DATA:Application/JSON;charset=utf-8;BASE64,eyJhIjoxfQ', 'application/json {"a":1}'],
  ['data:application/json;base64,eyJhIjoxfQ%3D%3D', 'application/json {"a":1}'],
  ['data:,%7b%22a%22%3a1%7D', 'text/plain {"a":1}'],
  ['data:text/plain,100%,%zz%f', 'text/plain 100%,%zz%f'],
  ['data:text/plain,%ff%00', 'text/plain \xff\0'],
  ['data:application/json', 'The data URI has no comma before its content.'],
]

test('where texts lead', () => {
  for (const [text, expected] of cases) assert.equal(show(text), expected, text)
})

test('an IPFS path with encoded separators is refused, since a gateway may decode them', () => {
  const paths = [
    '..%2f..',
    '..%2F..%2fadmin',
    'a%5c..%5Cx',
    '%252e%252e/x',
    '%252e%252e%252fx',
    '%25252e%25252e/x',
    'a%00.json',
  ]
  for (const path of paths) {
    assert.match(show(`ipfs://${id}/${path}`), /^Expected ipfs:\/\/content-id\/path/, path)
    assert.match(show(`ipfs://ipfs/${id}/${path}`), /^Expected ipfs:\/\/content-id\/path/, path)
  }
  for (const path of ['100%25.json', 'a%20b/%C3%A9.json', '%zz', '..a/a..', '%23', '100%2525']) {
    assert.equal(show(`ipfs://${id}/${path}`), `trusted https://gateway.test/ipfs/${id}/${path}`)
  }
})

test('an IPFS path that climbs stays below its content', () => {
  for (const path of ['/../../x', '/%2e%2e/%2e%2e/x', '/..\\..\\x', '/a/%2E./../../../x', '//../../../../x']) {
    assert.match(
      show(`ipfs://${id}${path}`),
      new RegExp(`^(trusted https://gateway\\.test/ipfs/${id}(/|$)|Expected ipfs)`),
      path,
    )
  }
  const { ipfsGateway: _, ...without } = rules
  assert.equal(
    show(`ipfs://${id}`, { ...without, ipfsGateway: undefined } as never),
    'No IPFS gateway is configured (--ipfs-gateway).',
  )
})
